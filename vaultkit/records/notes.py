"""Records as notes: what is written, where it stands, and the two sides of a supersession. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Final, NamedTuple

from vaultkit.errors import ConflictError
from vaultkit.records.draft import PARTS, Draft, description_of, is_japanese, parse_draft, title_of
from vaultkit.records.status import check_move
from vaultkit.text import frontmatter
from vaultkit.text.edit import Create, Rewrite, hash_of, to_bytes
from vaultkit.text.ids import RecordId
from vaultkit.text.note import Note
from vaultkit.text.values import Value

ORDER: Final = (
    "id", "title", "description", "date", "tags", "scope", "type", "status", "reason", "signal", "pattern",
    "supersedes", "superseded_by", "promoted_to", "action_items", "trackers", "source",
)  # fmt: skip


class Names(NamedTuple):
    """The settings that records depend on."""

    archive: str = "archive"
    date_property: str = "date"


class Old(NamedTuple):
    """A record that a new one supersedes."""

    path: str
    text: str
    status: str
    successor: str


def path_of(name: str, day: date, names: Names) -> str:
    """Where a record of that day stands: `archive/2026/11/DEC-018.md`."""
    return f"{names.archive}/{day:%Y}/{day:%m}/{name}.md"


def create(draft: Draft, record: RecordId, *, day: date, names: Names, more: Mapping[str, Value] | None = None) -> Create:
    """The note of a draft under its id."""
    values: dict[str, Value] = {
        "id": str(record),
        "title": title_of(draft),
        "description": description_of(draft),
        names.date_property: draft.date or day.isoformat(),
        "tags": list(draft.tags),
        "scope": draft.scope or "inbox",
        "type": draft.kind,
        "status": draft.status or "active",
    }
    if draft.pattern:
        values["pattern"] = draft.pattern
    if draft.supersedes:
        values["supersedes"] = [f"[[{name}]]" for name in draft.supersedes]
    values |= {**draft.more, **(more or {})}
    return Create(path_of(str(record), day, names), to_bytes(frontmatter.render(values) + body_of(draft)))


def body_of(draft: Draft) -> str:
    """The text as it was given, else the headings of its kind with what is known under each."""
    if draft.body:
        return draft.body
    japanese = is_japanese(draft.words())
    lines: list[str] = []
    for part in PARTS[draft.kind]:
        lines += [f"## {part.japanese if japanese else part.english}", ""]
        if part.name == "options":
            lines += [*(f"- {text}{_TAKEN.get(status, '')}" for text, status in draft.options), *([""] if draft.options else [])]
        elif said := draft.parts.get(part.name, "").strip():
            lines += [said, ""]
    return "\n".join(lines)


_TAKEN: Final[Mapping[str, str]] = {"active": " (accepted)", "discarded": " (rejected)", "proposed": " (on hold)"}


def supersede(old: Old, by: str) -> Rewrite:
    """The other side: what is superseded names its successor and is no longer active."""
    if old.successor and old.successor != by:
        raise ConflictError(f"{old.path} is superseded by {old.successor} already", hint=f"supersede {old.successor} instead")
    after = {"proposed": "discarded", "active": "retired", "processed": "retired"}.get(old.status, old.status)
    return change_status(old.path, old.text, old.status, after, more={"superseded_by": f"[[{by}]]"})


def change_status(
    path: str, text: str, before: str, after: str, *, why: str = "", more: Mapping[str, frontmatter.Change] | None = None
) -> Rewrite:
    """A note of status *before* with another, if the table allows it; *why* is kept in it, *more* are further properties. For retire, process, discard."""
    check_move(path.rpartition("/")[2].removesuffix(".md"), before, after)
    changes: dict[str, frontmatter.Change] = {"status": after} if before != after else {}
    if why.strip():
        changes["reason"] = " ".join(why.split())
    return rewrite(path, text, changes | dict(more or {}))


def rewrite(path: str, text: str, changes: Mapping[str, frontmatter.Change]) -> Rewrite:
    """A note with some properties changed; every other byte stays."""
    return Rewrite(path, to_bytes(frontmatter.edit(text, changes, order=ORDER)), hash_of(to_bytes(text)))


def read_record(note: Note, text: str, kind: str) -> Draft:
    """What a stored record says: its parts, its options."""
    draft = parse_draft(text, kind)
    return draft._replace(title=note.title, body=text[note.body :])


__all__ = ["ORDER", "Names", "Old", "body_of", "change_status", "create", "path_of", "read_record", "rewrite", "supersede"]
