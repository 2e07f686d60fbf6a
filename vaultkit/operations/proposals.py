"""Proposals as notes of the vault: read, written, found. What becomes of them is `operations/promotion`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from vaultkit import graph
from vaultkit.app import App, Head
from vaultkit.errors import ConflictError, UsageError
from vaultkit.operations.records import find, names_of
from vaultkit.records import notes, promotion
from vaultkit.text import frontmatter
from vaultkit.text.edit import Create, Edit, Rewrite, hash_of, to_bytes, to_text
from vaultkit.text.note import Note
from vaultkit.text.values import Value, strings


class Proposal(NamedTuple):
    """A rule or a skill that waits for a yes, or got its answer. *line* is the rule, or the skill's name."""

    id: str
    path: str
    proposes: str  # rule | skill
    line: str
    status: str
    signal: int
    draft: bool
    sources: tuple[str, ...]
    score: int = 0
    harm: str = ""
    unusual: str = ""
    evidence: tuple[dict[str, object], ...] = ()
    room: str = ""
    reason: str = ""
    problem: str = ""

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        return self._asdict() | {"sources": list(self.sources), "evidence": list(self.evidence)}


def proposals(app: App, *, statuses: Sequence[str] = ()) -> list[Proposal]:
    """The proposals of the vault (as of the last sync), newest first."""
    snapshot = app.snapshot()
    resolver = graph.resolver_of(snapshot)
    found = []
    for path, head in app.heads().items():
        note = snapshot.notes.get(path)
        if (
            head.type != "proposal"
            or (statuses and head.status not in statuses)
            or note is None
            or note.properties.get("proposes") not in _KINDS
        ):
            continue  # what a dream proposes is answered by `dream review`
        found.append(_read_proposal(note, head, resolver))
    return sorted(found, key=lambda one: (number_of(one.id), one.path), reverse=True)


def named(app: App, name: str) -> Proposal:
    """The proposal that an id or a note's name means. Raises UsageError for another note."""
    path = find(app, name)
    found = next((one for one in proposals(app) if one.path == path), None)
    if found is None:
        raise UsageError(f"{path} is no proposal", hint="`vaultkit promote list` shows them")
    return found


def waiting(app: App, name: str) -> Proposal:
    """The same, which still waits for its answer. Raises ConflictError when it got one."""
    found = named(app, name)
    if found.status != "proposed":
        raise ConflictError(f"{found.id} is {found.status} already", hint="`vaultkit promote list` shows what waits for an answer")
    return found


def proposal_note(
    app: App, given: str, before: Proposal | None, title: str, proposes: str, line: str, sources: Sequence[str], body: str, *, draft: bool
) -> Edit:
    """The note of a proposal. *before*, one that was turned down, comes back in its own note, which keeps the reason."""
    today = app.now().date()
    own = names_of(app)
    scopes = {app.head([path])[path].scope for path in sources}
    values: dict[str, Value] = {
        "id": given,
        "title": title,
        "description": f"Proposed from {len(sources)} notes; waits for a yes.",
        own.date_property: today.isoformat(),
        "tags": [],
        "scope": scopes.pop() if len(scopes) == 1 else "inbox",
        "type": "proposal",
        "status": "proposed",
        "signal": len(sources),
        "proposes": proposes,
        proposes: line,
        "draft": draft,
        "from": [f"[[{link_to(app, path)}]]" for path in sources],
    }
    if before is None:
        return Create(notes.path_of(given, today, own), to_bytes(frontmatter.render(values) + body))
    text = to_text(app.files.read(before.path).data)  # it comes back: its reason stays in the note
    matter = frontmatter.find_block(text)
    assert matter is not None  # it was read as a proposal
    kept = frontmatter.edit(
        text[: matter.end], {name: value for name, value in values.items() if name != own.date_property}, order=tuple(values)
    )
    again = f"Turned down before, at {before.signal} notes: {before.reason or 'no reason given'}\n\n"
    return Rewrite(before.path, to_bytes(kept + again + body), hash_of(to_bytes(text)))


def link_to(app: App, path: str) -> str:
    """How a wikilink to *path* is written from anywhere: by its name where no other file has it."""
    resolver: graph.Resolver = graph.resolver_of(app.snapshot())
    return resolver.link_text(path, "")


def number_of(name: str) -> int:
    """The number of an id; 0 for none."""
    return int(name.rpartition("-")[2]) if name.rpartition("-")[2].isdigit() else 0


def _read_proposal(note: Note, head: Head, resolver: graph.Resolver) -> Proposal:
    own = note.properties
    proposes = "skill" if own.get("proposes") == "skill" else "rule"
    linked = [word.strip().removeprefix("[[").removesuffix("]]") for word in strings(own.get("from"))]
    sources = (resolver.resolve(target.partition("|")[0], note.path).path for target in linked)
    signal = own.get("signal")
    line = own.get(proposes)
    reason = own.get("reason")
    return Proposal(
        note.name,
        note.path,
        proposes,
        promotion.plain(line) if isinstance(line, str) else "",
        head.status,
        signal if isinstance(signal, int) and not isinstance(signal, bool) else len(linked),
        own.get("draft") is True,
        tuple(dict.fromkeys(path for path in sources if path)),
        reason=reason if isinstance(reason, str) else "",
    )


_KINDS: Final = ("rule", "skill")
