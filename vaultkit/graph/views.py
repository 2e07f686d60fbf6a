"""The lists that a person asks for: backlinks, unresolved, orphans, dead ends, tags, tasks, properties; and finding a note by name. Pure.

Rows are called as in Obsidian's own command line, except that a file is a `path`, as everywhere in vaultkit. A column `count` hides the
method of that name that tuples have, hence the ignores.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Final, Literal, NamedTuple

from vaultkit.errors import NoteNotFoundError, UsageError
from vaultkit.graph.resolve import fold
from vaultkit.graph.snapshot import Snapshot, alias_owners, edges, edges_from, edges_to, resolver_of
from vaultkit.text.note import Note
from vaultkit.text.values import Value, strings


class LinkRow(NamedTuple):
    """One place that a note links to. *path* is None when nothing answers, *link* what is written (target without subpath)."""

    path: str | None
    link: str
    count: int  # type: ignore[assignment]
    line: int  # of the first such link


class BacklinkRow(NamedTuple):
    """One file that links here, how often, and at which lines."""

    path: str
    count: int  # type: ignore[assignment]
    lines: tuple[int, ...]


class UnresolvedRow(NamedTuple):
    """A target that nothing answers to. *alias_of* names notes that have it as an alias: the writer probably meant one of them."""

    link: str
    count: int  # type: ignore[assignment]
    sources: tuple[str, ...]
    alias_of: tuple[str, ...]


class TagRow(NamedTuple):
    """A tag in its first-seen casing. Each nested tag also counts for its parents in *total* and *files*, not in *count*."""

    tag: str
    count: int  # type: ignore[assignment]  # times the tag itself is written
    total: int  # times it or a tag nested below it is written
    files: int  # notes that have it or a tag nested below it


class TaskRow(NamedTuple):
    """A line with a checkbox."""

    status: str
    text: str
    path: str
    line: int


class PropertyRow(NamedTuple):
    """A property name, the type its values have (the commonest wins), and in how many notes it stands."""

    name: str
    type: str
    count: int  # type: ignore[assignment]


def links(snapshot: Snapshot, path: str) -> list[LinkRow]:
    """Where a note or canvas links to, in order of first mention, each target once. Links to itself are left out."""
    rows: dict[str, LinkRow] = {}
    for edge in edges_from(snapshot, path):
        if edge.target.path != path:
            key = edge.target.path or f"\0{_wish(edge.link.target)}"
            row = rows.get(key)
            rows[key] = row._replace(count=row.count + 1) if row else LinkRow(edge.target.path, edge.link.target, 1, edge.link.line)
    return list(rows.values())


def backlinks(snapshot: Snapshot, path: str) -> list[BacklinkRow]:
    """The notes and canvases that link to a file, in path order. Its links to itself are left out."""
    lines: dict[str, list[int]] = {}
    for edge in edges_to(snapshot, path):
        if edge.source != path:
            lines.setdefault(edge.source, []).append(edge.link.line)
    return [BacklinkRow(source, len(found), tuple(sorted(set(found)))) for source, found in sorted(lines.items())]


def unresolved(snapshot: Snapshot) -> list[UnresolvedRow]:
    """Link targets that no file answers to, most wanted first."""
    spelt: dict[str, str] = {}
    sources: dict[str, list[str]] = {}
    for edge in edges(snapshot):
        if edge.target.path is None:
            key = _wish(edge.link.target)
            spelt.setdefault(key, edge.link.target)
            sources.setdefault(key, []).append(edge.source)
    rows = [
        UnresolvedRow(spelt[key], len(found), tuple(dict.fromkeys(found)), alias_owners(snapshot, spelt[key]))
        for key, found in sources.items()
    ]
    return sorted(rows, key=lambda row: (-row.count, row.link))


def orphans(snapshot: Snapshot) -> list[str]:
    """Notes that no other file links to."""
    reached = {edge.target.path for edge in edges(snapshot) if edge.target.path != edge.source}
    return sorted(path for path in snapshot.notes if path not in reached)


def deadends(snapshot: Snapshot) -> list[str]:
    """Notes that hold no link to another file, existing or wished for."""
    leading = {edge.source for edge in edges(snapshot) if edge.target.path != edge.source}
    return sorted(path for path in snapshot.notes if path not in leading)


def hubs(snapshot: Snapshot, *, most: int = 20) -> list[tuple[str, int]]:
    """The notes that most other files link to, with their number."""
    reached = {(edge.source, edge.target.path) for edge in edges(snapshot) if edge.target.path not in (None, edge.source)}
    counts = Counter(target for _source, target in reached if target in snapshot.notes)
    return sorted(((path, count) for path, count in counts.items() if path), key=lambda item: (-item[1], item[0]))[:most]


def tags(snapshot: Snapshot, *, within: Iterable[str] | None = None, sort: Literal["name", "count"] = "name") -> list[TagRow]:
    """Tags of the vault (or of the notes *within*), parents of nested tags included."""
    shown: dict[str, str] = {}
    own: Counter[str] = Counter()
    total: Counter[str] = Counter()
    files: Counter[str] = Counter()
    for path in sorted(within if within is not None else snapshot.notes):
        seen: set[str] = set()
        for tag, times in _occurrences(snapshot.notes[path]).items():
            own[fold(tag)] += times
            for parent in _with_parents(tag):
                key = fold(parent)
                shown.setdefault(key, parent)
                total[key] += times
                seen.add(key)
        files.update(seen)
    rows = [TagRow(shown[key], own[key], total[key], files[key]) for key in shown]
    return sorted(rows, key=(lambda row: (-row.total, fold(row.tag))) if sort == "count" else (lambda row: (0, fold(row.tag))))


def tagged(snapshot: Snapshot, tag: str) -> list[str]:
    """The notes with a tag or one nested below it, in path order."""
    wanted = fold(tag.removeprefix("#"))
    found = (path for path, note in snapshot.notes.items() if any(fold(t) == wanted or fold(t).startswith(f"{wanted}/") for t in note.tags))
    return sorted(found)


def tasks(snapshot: Snapshot, *, within: Iterable[str] | None = None, status: str | None = None) -> list[TaskRow]:
    """Lines with a checkbox, in path order. *status* is a checkbox character, `done` or `todo`."""
    wanted = _STATUS.get(status or "", status)
    return [
        TaskRow(task.status or " ", task.text, path, task.line)
        for path in sorted(within if within is not None else snapshot.notes)
        for task in snapshot.notes[path].tasks
        if wanted is None or (task.status or " ") in wanted
    ]


def properties(
    snapshot: Snapshot,
    *,
    within: Iterable[str] | None = None,
    types: Mapping[str, str] | None = None,
    sort: Literal["name", "count"] = "name",
) -> list[PropertyRow]:
    """Property names of the vault (or of the notes *within*). *types* is what `.obsidian/types.json` declares."""
    shown: dict[str, str] = {}
    counts: Counter[str] = Counter()
    guessed: dict[str, Counter[str]] = {}
    declared = {fold(name): kind for name, kind in (types or {}).items()}
    for path in sorted(within if within is not None else snapshot.notes):
        for name, value in snapshot.notes[path].properties.items():
            key = fold(name)
            shown.setdefault(key, name)
            counts[key] += 1
            guessed.setdefault(key, Counter())[property_type(name, value)] += 1
    rows = [PropertyRow(shown[key], declared.get(key) or _commonest(guessed[key]), counts[key]) for key in shown]
    return sorted(rows, key=(lambda row: (-row.count, fold(row.name))) if sort == "count" else (lambda row: (0, fold(row.name))))


def property_type(name: str, value: Value) -> str:
    """Obsidian's name for the type of a property's value; "" for null, which has none."""
    match value:
        case _ if fold(name) in _NAMED_TYPES:
            return fold(name)
        case None:
            return ""
        case bool():
            return "checkbox"
        case int() | float():
            return "number"
        case list():
            return "multitext"
        case str() if _DATE.fullmatch(value):
            return "datetime" if "T" in value else "date"
        case str():
            return "text"
        case _:
            return "unknown"


def find_note(snapshot: Snapshot, name: str, *, files: bool = False) -> str:
    """The note (with *files*, any file) that a path or link name means: `a/b.md`, `a/b`, `b`, `[[b]]`, `[[b#h|shown]]`.

    Raises NoteNotFoundError with the nearest names, and UsageError when several notes answer equally well.
    """
    wanted = name.strip()
    if wanted.startswith(("[[", "![[")) and wanted.endswith("]]"):
        wanted = re.split(r"\\?\||#", wanted.removeprefix("!")[2:-2], maxsplit=1)[0].strip()
    pool = snapshot.files if files else snapshot.notes
    if wanted in pool:
        return wanted
    found = resolver_of(snapshot).resolve(wanted.removeprefix("./"), "")
    if not wanted or found.path is None or found.path not in pool:
        raise NoteNotFoundError(name, hint=_hint(snapshot, wanted))
    if found.tie:
        choices = ", ".join(sorted((found.path, *found.ambiguous)))
        raise UsageError(f"{name!r} may mean {choices}", hint="give the whole path")
    return found.path


def nearest(snapshot: Snapshot, name: str, *, most: int = 3) -> list[str]:
    """Notes whose names look like *name*, likeliest first."""
    wanted = fold(name).rpartition("/")[2].removesuffix(".md")[:_NAME_SIZE]
    pairs = set(pairwise(wanted))
    scored: list[tuple[float, str]] = []
    for path in snapshot.notes:
        own = fold(path).rpartition("/")[2].removesuffix(".md")[:_NAME_SIZE]
        if wanted and (wanted in own or len(pairs.intersection(pairwise(own))) * 2 >= len(pairs) > 0):
            ratio = SequenceMatcher(None, wanted, own).ratio()
            if ratio >= _ALIKE or wanted in own:
                scored.append((-ratio, path))
    return [path for _score, path in sorted(scored)[:most]]


_STATUS: Final[Mapping[str, str]] = {"done": "xX", "todo": " "}
_NAMED_TYPES: Final = frozenset({"tags", "aliases"})
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?)?")
_NAME_SIZE: Final = 120
_ALIKE: Final = 0.6


def _wish(target: str) -> str:
    """What an unresolved target asks for: `Plan` and `plan.md` ask for the same note."""
    return fold(target).removesuffix(".md")


def _occurrences(note: Note) -> dict[str, int]:
    """How often each tag is written in a note: once as a property, and each time in the text."""
    declared = {fold(tag) for key, value in note.properties.items() if fold(key) in {"tags", "tag"} for tag in _property_tags(value)}
    inline = Counter(fold(tag.name) for tag in note.inline_tags)
    return {tag: max(1, inline[fold(tag)] + (fold(tag) in declared)) for tag in note.tags}


def _property_tags(value: Value) -> list[str]:
    return [part.removeprefix("#") for text in strings(value) for part in re.split(r"[,\s]+", text) if part]


def _with_parents(tag: str) -> list[str]:
    parts = tag.split("/")
    return ["/".join(parts[: depth + 1]) for depth in range(len(parts)) if all(parts[: depth + 1])]


def _commonest(kinds: Counter[str]) -> str:
    """The type that most values have; null has none and counts only when nothing else is there."""
    ranked = sorted(kinds, key=lambda kind: (kind == "", -kinds[kind], kind))
    return ranked[0] or "text"


def _hint(snapshot: Snapshot, wanted: str) -> str:
    if owners := alias_owners(snapshot, wanted):
        return f"it is an alias of {', '.join(owners)}: name the note itself"
    if near := nearest(snapshot, wanted):
        return f"did you mean {', '.join(near)}?"
    return ""
