"""Many changes to many notes at once, as one list of edits: moves first, then texts. Pure.

A stage reads what the stages before it wrote; every edit carries the hash of the bytes that were on disk when the dream began.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from vaultkit.graph import Resolver, Snapshot, plan_move, retargeted_by
from vaultkit.text.edit import Create, Edit, Move, Rewrite, hash_of, to_bytes


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


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")
