"""A vault in memory that recall can be asked about: every note is a candidate, and tokens are counted as the search index counts them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from vaultkit import recall
from vaultkit.recall.index import row_of
from vaultkit.text.note import parse_note
from vaultkit.text.tokens import pooled

FILLER = 200
EVERYTHING = recall.Policy()


class Memory:
    """Notes by path. *filler* notes about nothing make its words as rare as they are in a vault."""

    def __init__(self, notes: Mapping[str, str], *, filler: int = FILLER) -> None:
        self.rows: list[recall.Row] = []
        self.found: Counter[str] = Counter()
        self.notes = 0
        texts = dict(notes)
        texts |= {
            f"filler/{number}.md": f"# Filler {number}\n\nNothing happens in entry {number}, 埋草の{number}号。\n"
            for number in range(filler)
        }
        for path, text in texts.items():
            note = parse_note(path, text)
            kind, status, scope = (str(note.properties.get(name) or "") for name in ("type", "status", "scope"))
            tokens = pooled(f"{note.title} {note.name}", note.tags, text[note.body :], note.aliases)
            self.found.update(set(tokens.split()))
            self.notes += 1
            row = row_of(note, text, type=kind or "knowledge", status=status or "active", scope=scope)
            self.rows.append(recall.Row.unpack(path, row.pack()))

    @property
    def stats(self) -> recall.Stats:
        return recall.Stats(self.notes, self.found)

    def rank(self, prompt: str, policy: recall.Policy = EVERYTHING, **more: Any) -> list[recall.Scored]:
        """The ranked candidates."""
        return recall.rank(recall.clean(prompt), self.rows, self.stats, policy, **more)

    def ask(self, prompt: str, policy: recall.Policy = EVERYTHING, **more: Any) -> recall.Recalled:
        """What a prompt gets."""
        return recall.answer(recall.clean(prompt), self.rows, self.stats, policy, **more)

    def paths(self, prompt: str, policy: recall.Policy = EVERYTHING, **more: Any) -> list[str]:
        """The paths of the ranked candidates, best first."""
        return [scored.path for scored in self.rank(prompt, policy, **more)]


def note(body: str = "", **properties: Any) -> str:
    """A note's text with these properties."""
    lines = "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in properties.items())
    return f"---\n{lines}---\n\n{body}\n"
