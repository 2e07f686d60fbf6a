"""One id on two records, as two machines may have given it before they synced: one gets another number, and what meant it follows. Pure.

The record that was made first keeps the number. A link that names only the id may mean either: it follows the record whose words stand around
it; where these tell nothing it stays, and is counted as unsure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from vaultkit.graph import Snapshot, plan_move, resolver_of
from vaultkit.records.notes import ORDER
from vaultkit.text import frontmatter
from vaultkit.text.edit import Edit, Move, Rewrite, hash_of, to_bytes
from vaultkit.text.ids import RecordId
from vaultkit.text.markdown import Link
from vaultkit.text.note import Note, parse_note
from vaultkit.text.tokens import index_tokens
from vaultkit.text.values import strings


class Renumbered(NamedTuple):
    """A record that gets another number. *links* follow it, *unsure* ones stay with the record that keeps the number."""

    record: RecordId
    given: RecordId
    path: str
    to: str
    kept_by: str
    links: int
    unsure: tuple[str, ...]  # `path:line`


def plan_renumber(
    snapshot: Snapshot, record: RecordId, keeper: str, loser: str, given: RecordId, read: Callable[[str], str]
) -> tuple[Renumbered, list[Edit]]:
    """The edits that give *loser* the number *given*. *read* gives a file's text; *loser* may be a sync's conflict copy, which no snapshot holds."""
    to = f"{loser.rpartition('/')[0]}/{given}.md".lstrip("/")
    texts = {path: read(path) for path in (keeper, loser)}
    sides = _Sides(str(record), {path: parse_note(path, text) for path, text in texts.items()}, texts, keeper, loser)
    edits: list[Edit] = [edit for edit in _by_path(snapshot, loser, to, read) if edit.path in snapshot.canvases]
    links = 0
    unsure: list[str] = []
    for path, note in sorted(snapshot.notes.items()):
        if path == loser or not any(_is_named(link, str(record)) for link in (*note.links, *note.mentions)):
            continue
        text = read(path)
        after, moved, open_ones = _rewritten(snapshot, path, text, sides, str(given))
        links += moved
        unsure += open_ones
        if after != text:
            edits.append(Rewrite(path, to_bytes(after), hash_of(to_bytes(text))))
    own, _, _ = _rewritten(snapshot, loser, texts[loser], sides, str(given))
    data = to_bytes(frontmatter.edit(own, {"id": str(given)}, order=ORDER))
    edits.append(Move(loser, to, hash_of(to_bytes(texts[loser])), data))
    return Renumbered(record, given, loser, to, keeper, links, tuple(unsure)), edits


def _by_path(snapshot: Snapshot, loser: str, to: str, read: Callable[[str], str]) -> list[Edit]:
    return plan_move(snapshot, {loser: to}, read) if loser in snapshot.files and snapshot.canvases else []


class _Sides:
    """The two records, and which of them a place means."""

    def __init__(self, name: str, notes: Mapping[str, Note], texts: Mapping[str, str], keeper: str, loser: str) -> None:
        self.name, self.keeper, self.loser = name, keeper, loser
        self._notes = notes
        words = {path: set(index_tokens(f"{notes[path].title} {texts[path][notes[path].body :]}")) for path in (keeper, loser)}
        self._only = {keeper: words[keeper] - words[loser], loser: words[loser] - words[keeper]}

    def meant(self, source: str, around: str) -> str:
        """The record that a place in *source* means, "" when that cannot be told."""
        if source in {self.keeper, self.loser}:
            return source
        stem = source.rpartition("/")[2].removesuffix(".md")
        linked = [path for path in (self.keeper, self.loser) if any(stem in said for said in self._relations(path))]
        if len(linked) == 1:
            return linked[0]
        said = set(index_tokens(around))
        shared = {path: len(said & self._only[path]) for path in (self.keeper, self.loser)}
        if shared[self.keeper] == shared[self.loser]:
            return ""
        return max(shared, key=lambda path: shared[path])

    def _relations(self, path: str) -> list[str]:
        values = self._notes[path].properties
        return [word for name in ("supersedes", "superseded_by") for word in strings(values.get(name))]


def _rewritten(snapshot: Snapshot, path: str, text: str, sides: _Sides, given: str) -> tuple[str, int, list[str]]:
    """A note's text, how many of its links follow the record, and the places that stay because they may mean either."""
    note = parse_note(path, text)
    resolver = resolver_of(snapshot)
    pieces: list[tuple[int, int]] = []
    unsure: list[str] = []
    for link in (*note.links, *note.mentions):
        if not _is_named(link, sides.name):
            continue
        if "/" in link.target:
            meant = resolver.resolve(link.target, path).path or ""
        else:
            meant = sides.meant(path, _around(text, link))
            unsure += [] if meant else [f"{path}:{link.line}"]
        if meant == sides.loser:
            at = text.rfind(sides.name, link.target_start, link.target_end)
            pieces += [(at, at + len(sides.name))] if at >= 0 else []
    after = text
    for start, end in sorted(set(pieces), reverse=True):
        after = after[:start] + given + after[end:]
    return after, len(set(pieces)), unsure


def _is_named(link: Link, name: str) -> bool:
    return link.target.rpartition("/")[2].removesuffix(".md") == name


def _around(text: str, link: Link) -> str:
    """The paragraph of a link."""
    start = max(text.rfind("\n\n", 0, link.start), 0)
    end = text.find("\n\n", link.end)
    return text[start : end if end >= 0 else len(text)]


def who_keeps(rows: Sequence[tuple[str, str]]) -> tuple[str, Sequence[str]]:
    """Of (date, path): the path that keeps the number, and those that get another, in order."""
    ordered = sorted(rows, key=lambda row: (not row[0], row[0], len(row[1]), row[1]))
    return ordered[0][1], [path for _, path in ordered[1:]]
