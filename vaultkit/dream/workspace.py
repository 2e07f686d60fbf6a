"""Many changes to many notes at once, as one list of edits: moves first, then texts. Pure.

A stage reads what the stages before it wrote; every edit carries the hash of the bytes that were on disk when the dream began.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import Final

from vaultkit.graph import Resolver, Snapshot, plan_move, replaced, resolver_of, retargeted_by
from vaultkit.text.edit import Create, Edit, Move, Rewrite, hash_of, to_bytes
from vaultkit.text.markdown import scan


class Workspace:
    """The vault as it will be. *read* gives a file's text as it is on disk now (decoded by `edit.to_text`)."""

    def __init__(self, snapshot: Snapshot, read: Callable[[str], str]) -> None:
        self.snapshot = snapshot
        self._read = read
        self._before: dict[str, str] = {}  # text on disk, by the path there
        self._now: dict[str, str] = {}  # text to be, by the path to be
        self._from: dict[str, str] = {}  # path to be → path on disk
        self._created: set[str] = set()
        self._resolver: Resolver | None = None

    def move(self, moves: Mapping[str, str]) -> None:
        """Move files with every link kept; once, before any text changes. Raises what `graph.plan_move` raises."""
        if self._now:
            raise ValueError("moves come first")
        for edit in plan_move(self.snapshot, moves, self._disk):
            if isinstance(edit, Move):
                self._from[edit.to] = edit.path
                self._now[edit.to] = self._disk(edit.path) if edit.data is None else _text(edit.data)
            elif isinstance(edit, Rewrite):
                self._now[edit.path] = _text(edit.data)
        self._resolver = None

    def text(self, path: str) -> str:
        """The text to be of the note that will stand at *path*."""
        return self._now[path] if path in self._now else self._disk(self._from.get(path, path))

    def write(self, path: str, text: str) -> None:
        """Give the note at *path* another text."""
        self._now[path] = text

    def create(self, path: str, text: str) -> None:
        """A new note."""
        self._created.add(path)
        self._now[path] = text
        self._resolver = None

    def free(self, path: str) -> str:
        """*path*, or the first `path-2.md` … at which nothing stands and that takes over nobody's links."""
        stem, number = path.removesuffix(".md"), 2
        taken = {known.casefold() for known in self.files()}
        while path.casefold() in taken or retargeted_by(self.snapshot, path):
            path = f"{stem}-{number}.md"
            number += 1
        return path

    def files(self) -> set[str]:
        """Every path to be."""
        return (set(self.snapshot.files) - set(self._from.values())) | self._from.keys() | self._created

    def link(self, path: str, source: str) -> str:
        """How a wikilink from *source* to *path* is written in the vault to be."""
        if self._resolver is None:
            self._resolver = Resolver(sorted(self.files()))
        return self._resolver.link_text(path, source)

    def said_elsewhere(self, text: str, source: str, to: str, *, within: Collection[str] = ()) -> str:
        """*text* that stood in *source* (its path on disk), as it is written in *to*: its links still lead where they led, and what led nowhere is plain text.

        *within*: headings and `^blocks` (folded) that come along, so that links to them stay.
        """
        here = next((new for new, old in self._from.items() if old == source), source)
        pieces = []
        for link in scan(text).links:
            part = link.subpath.rpartition("#")[2].strip().casefold()
            if link.syntax not in {"wikilink", "markdown"} or (not link.target and part in within):
                continue
            led = resolver_of(self.snapshot).resolve(link.target, source).path if link.target else source
            now = here if led == source else next((new for new, old in self._from.items() if old == led), led)
            target = self.link(now, to) if now is not None else ""
            if now is None or not writable(now):
                pieces.append((link.start, link.end, link.display or f"{link.target}{link.subpath}".strip("#")))
                continue
            shown = f"|{link.display}" if link.display else ""
            pieces.append((link.start, link.end, f"{'!' * link.embed}[[{target}{link.subpath}{shown}]]"))
        return replaced(text, pieces)

    def was(self, path: str) -> str:
        """Where the note that will stand at *path* stands now."""
        return self._from.get(path, path)

    def edits(self) -> list[Edit]:
        """What has to be done."""
        found: list[Edit] = []
        for to, path in self._from.items():
            before, after = self._disk(path), self._now[to]
            found.append(Move(path, to, hash_of(to_bytes(before)), to_bytes(after) if after != before else None))
        for path, after in self._now.items():
            if path in self._from:
                continue
            if path in self._created:
                found.append(Create(path, to_bytes(after)))
            elif after != (before := self._disk(path)):
                found.append(Rewrite(path, to_bytes(after), hash_of(to_bytes(before))))
        return found

    def _disk(self, path: str) -> str:
        if path not in self._before:
            self._before[path] = self._read(path)
        return self._before[path]


def writable(path: str) -> bool:
    """Can a wikilink name this file? One with # | ^ or brackets in its name cannot be linked."""
    return not _NO_TARGET.search(path)


_NO_TARGET: Final = re.compile(r"[#|^\[\]\r\n]|%%")


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")
