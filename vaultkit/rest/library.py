"""One vault behind the server: an immutable view that readers share, and one writer at a time.

An App is not for two threads at once, so requests do not use it: they read files through the store (which holds no state that matters) and a
`View` that is swapped whole. The view is brought up to date by what this server writes, by a stat of each file that is asked for, and by a
walk of the vault at most every few times as long as a walk takes. Commands that need the App take turns (`with library.app()`).
"""

from __future__ import annotations

import logging
import os
import threading
import time
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

from vaultkit.app import App
from vaultkit.errors import NoteNotFoundError, OutsideVaultError, VaultkitError
from vaultkit.graph import Resolver, Snapshot, fold
from vaultkit.store.files import Read
from vaultkit.store.files.disk import explain
from vaultkit.text.edit import Edit, to_text, touched
from vaultkit.text.note import Note, parse_note

log = logging.getLogger(__name__)

_MARGIN = 20  # a walk may take this part of the time: one in so many of its own durations
_LEAST_SECONDS, _MOST_SECONDS = 0.05, 2.0


class Seen(NamedTuple):
    """What tells that a file is still the one that was parsed. Times are nanoseconds."""

    mtime_ns: int
    size: int


class Stat(NamedTuple):
    """A file's times in milliseconds and its size, as the API gives them."""

    ctime: int
    mtime: int
    size: int


@dataclass(frozen=True)
class View:
    """Every visible file and every parsed note at one moment."""

    files: Mapping[str, Seen]
    notes: Mapping[str, Note]
    _made: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)  # computed at first use; two threads may, both are right

    @property
    def resolver(self) -> Resolver:
        """Where links lead."""
        found: Resolver | None = self._made.get("resolver")
        if found is None:
            found = self._made["resolver"] = Resolver(sorted(self.files))
        return found

    @property
    def mentions(self) -> Mapping[str, frozenset[str]]:
        """Which notes link to something of a name: the folded last part of each target → their paths."""
        found: dict[str, frozenset[str]] | None = self._made.get("mentions")
        if found is None:
            gathered: dict[str, set[str]] = {}
            for path, note in self.notes.items():
                for link in note.links:
                    gathered.setdefault(_mention(link.target), set()).add(path)
            found = self._made["mentions"] = {name: frozenset(paths) for name, paths in gathered.items()}
        return found

    @property
    def order(self) -> Sequence[str]:
        """The paths of all notes, sorted."""
        found: list[str] | None = self._made.get("order")
        if found is None:
            found = self._made["order"] = sorted(self.notes)
        return found

    def links(self, path: str) -> tuple[list[str], list[str]]:
        """The files that a note links to, and the targets that lead nowhere; each once, in the order of the note."""
        note = self.notes.get(path)
        inside: dict[str, None] = {}
        nowhere: dict[str, None] = {}
        for link in note.links if note else ():
            if not link.comment:
                found = self.resolver.resolve(link.target, path).path
                if found is None:
                    nowhere[link.target] = None
                else:
                    inside[found] = None
        return list(inside), list(nowhere)

    def backlinks(self, path: str) -> list[str]:
        """The notes that link to a file."""
        name = fold(path).rpartition("/")[2]
        sources: set[str] = set()
        for key in {name, name.removesuffix(".md")}:
            sources |= self.mentions.get(key, frozenset())
        resolve = self.resolver.resolve
        return sorted(
            source
            for source in sources
            if any(link.target and not link.comment and resolve(link.target, source).path == path for link in self.notes[source].links)
        )

    def changed(self, notes: Mapping[str, Note | None], files: Mapping[str, Seen | None]) -> View:
        """The view after some files changed; None stands for one that is gone."""
        new_files, new_notes = dict(self.files), dict(self.notes)
        for path, seen in files.items():
            if seen is None:
                new_files.pop(path, None)
                new_notes.pop(path, None)
            else:
                new_files[path] = seen
        for path, note in notes.items():
            if note is None:
                new_notes.pop(path, None)
            else:
                new_notes[path] = note
        made: dict[str, Any] = {}
        if new_files.keys() == self.files.keys():
            made = {name: self._made[name] for name in ("resolver", "order") if name in self._made}
        if "mentions" in self._made:
            made["mentions"] = _remembered(self._made["mentions"], self.notes, new_notes, {*notes, *files})
        return View(new_files, new_notes, made)


class Library:
    """See the module. Close it, or use it in a `with`."""

    def __init__(self, app: App) -> None:
        self._app = app
        self.files = app.files
        self.root = app.root
        self.clock = app.clock
        self.now = app.now
        self.config = app.config
        self._turn = threading.Lock()
        self._write = threading.RLock()
        self._look = threading.Lock()
        self._looked = float("-inf")
        self._pause = _LEAST_SECONDS
        app.sync()
        snapshot = app.snapshot()
        rows = {path: Seen(row.mtime_ns, row.size) for path, row in app.manifest().items()}
        self._view = View(rows, dict(snapshot.notes))
        app._forget()  # noqa: SLF001 - the view holds them now: two copies of 20,000 notes would cost twice the memory
        late = [path for path in rows if is_note(path) and path not in snapshot.notes]
        if late:
            self._notice(late)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Bring the caches up to date with what was written, and release the vault."""
        with self.app() as app:
            app.catch_up()
            app.close()

    @contextmanager
    def app(self) -> Iterator[App]:
        """The App, for one caller at a time; what it changed is noticed afterwards."""
        with self._turn:
            try:
                yield self._app
            finally:
                self._looked = float("-inf")

    # -- reading

    def view(self) -> View:
        """The vault as it is now, or was a moment ago."""
        if time.monotonic() - self._looked > self._pause:
            self.refresh()
        return self._view

    def refresh(self, *, force: bool = False) -> None:
        """Look at every file, and parse those that changed; with *force* even when that was done a moment ago."""
        with self._look:
            started = time.monotonic()
            if started - self._looked <= self._pause and not force:  # another thread has just done it
                return
            walked = {entry.path: (entry.mtime_ns, entry.size) for entry in self.files.walk().entries}
            known = self._view.files
            self._notice([path for path, seen in walked.items() if known.get(path) != seen] + sorted(known.keys() - walked.keys()))
            self._looked = time.monotonic()
            self._pause = min(max(_LEAST_SECONDS, _MARGIN * (self._looked - started)), _MOST_SECONDS)

    def read(self, path: str) -> Read:
        """A file's bytes. Raises NoteNotFoundError."""
        return self.files.read(path)

    def read_or_none(self, path: str) -> Read | None:
        """A file's bytes, None when there is none."""
        try:
            return self.files.read(path)
        except NoteNotFoundError:
            return None

    def stat(self, path: str) -> Stat:
        """A file's times and size."""
        try:
            found = self.files.resolve(path).stat()
        except FileNotFoundError as error:
            raise NoteNotFoundError(path) from error
        made = getattr(found, "st_birthtime_ns", 0) or min(found.st_ctime_ns, found.st_mtime_ns)
        return Stat(made // 1_000_000, found.st_mtime_ns // 1_000_000, found.st_size)

    def fresh(self, path: str) -> View:
        """A view that knows *path* as it is on disk."""
        seen = self._seen(path)
        if self._view.files.get(path) != seen:
            with self._look:
                self._notice([path])
        return self._view

    def snapshot(self) -> Snapshot:
        """The view as the graph engine takes it, canvases read anew."""
        view = self.view()
        canvases = {path: to_text(self.files.read(path).data) for path in view.files if path.lower().endswith(".canvas")}
        return Snapshot(view.notes, frozenset(view.files), canvases)

    def folders(self, folder: str) -> list[str] | None:
        """The visible folders in a folder, empty ones too; None when there is no such folder."""
        if folder and not self.files.is_folder(folder):
            return None
        here = self.files.resolve(folder) if folder else self.root
        try:
            with os.scandir(here) as entries:
                return [
                    unicodedata.normalize("NFC", entry.name)
                    for entry in entries
                    if not entry.name.startswith(".") and entry.is_dir(follow_symlinks=False)
                ]
        except FileNotFoundError:
            return None
        except OSError as error:
            raise explain(error, folder or "the vault") from error

    # -- writing

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One writer of this process at a time, from the reading that an edit is computed from until it is written."""
        with self._write:
            yield

    def commit(self, edits: Sequence[Edit], *, command: str) -> str:
        """Apply edits, all or none; the id of the run that `undo` takes back."""
        with self._write:
            applied = self.files.apply(edits, command=command, now=self.clock())
        with self._look:
            self._notice(touched(edits))
        return applied.run

    def undo(self, run: str) -> None:
        """Take a run back."""
        with self._write:
            done = self.files.undo(run=run, now=self.clock())
        log.info("took back %s: %s", run, done)
        with self._look:
            self._looked = float("-inf")

    # -- the view

    def _notice(self, paths: Sequence[str]) -> None:
        files: dict[str, Seen | None] = {}
        notes: dict[str, Note | None] = {}
        for path in paths:
            files[path] = seen = self._seen(path)
            if seen is not None and is_note(path):
                notes[path] = self._parsed(path, seen)
        if files:
            self._view = self._view.changed(notes, files)

    def _parsed(self, path: str, seen: Seen) -> Note | None:
        if seen.size > self.config.max_note_mb * 1_000_000:
            return None
        try:
            read = self.files.read(path)
        except VaultkitError:  # gone again, or unreadable: the next look finds out
            return None
        known = self._view.notes.get(path)
        return known if known is not None and known.hash == read.hash else parse_note(path, to_text(read.data), hash=read.hash)

    def _seen(self, path: str) -> Seen | None:
        try:
            found = self.files.resolve(path).stat() if self.files.exists(path) else None
        except (OutsideVaultError, OSError):
            return None
        return Seen(found.st_mtime_ns, found.st_size) if found else None


def is_note(path: str) -> bool:
    """Whether a path is that of a Markdown note."""
    return path[-3:].lower() == ".md"


def _mention(target: str) -> str:
    return fold(target).rpartition("/")[2]


def _remembered(
    mentions: Mapping[str, frozenset[str]], before: Mapping[str, Note], after: Mapping[str, Note], paths: set[str]
) -> Mapping[str, frozenset[str]]:
    """The mentions after the notes at *paths* changed."""
    found = dict(mentions)
    for path in paths:
        old = {_mention(link.target) for link in before[path].links} if path in before else set[str]()
        new = {_mention(link.target) for link in after[path].links} if path in after else set[str]()
        for name in old - new:
            found[name] = found.get(name, frozenset()) - {path}
        for name in new - old:
            found[name] = found.get(name, frozenset()) | {path}
    return found
