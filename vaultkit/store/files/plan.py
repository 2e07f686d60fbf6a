"""From edits to steps on the disk. Every precondition is checked here, before anything is written."""

# Names stay plain strings, as the system gave them: Path costs time and tidies them up.
# ruff: noqa: PTH122

from __future__ import annotations

import os
import stat
import sys
import unicodedata
from typing import TYPE_CHECKING, NamedTuple, assert_never

from vaultkit.errors import ConflictError, NoteChangedError, NoteExistsError, NoteNotFoundError
from vaultkit.store.files import disk
from vaultkit.store.files.places import fold
from vaultkit.store.files.runs import Step
from vaultkit.text.edit import Create, Edit, Move, Rewrite, Trash, hash_of
from vaultkit.text.names import NAME_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultkit.store.files.places import Landing, Places
    from vaultkit.store.vault import Kind

TRASH = ".trash"
KEEP_TRASHED = 10 << 20  # trashed files up to this size are kept in the record too, for the day the trash is emptied


class Plan:
    """The steps of one batch, with the bytes that they bring and replace, and the folders that they need."""

    def __init__(self, places: Places) -> None:
        self.places = places
        self.steps: list[Step] = []
        self.fresh: list[bytes | None] = []
        self.kept: list[bytes | None] = []
        self.folders: dict[str, None] = {}
        self._sources: set[str] = set()
        self._source_keys: set[str] = set()
        self._targets: set[str] = set()

    def create(self, path: str, data: bytes, *, mode: int = 0, place: str = "") -> None:
        """A new file; *place* is the disk name of one that is put back."""
        landing = self._land(path, place)
        self._claim(path, target=landing.file)
        self._add(Step("create", path, "", "", hash_of(data), target=landing.file, mode=mode), fresh=data)

    def rewrite(self, path: str, data: bytes, source: Source) -> None:
        """New bytes in an existing file; no step when they are the old ones."""
        self._claim(path, source.file)
        step = Step("rewrite", path, "", source.hash, hash_of(data), source.file, source.file, source.mode)
        if step.brings_data:
            self._add(step, fresh=data, kept=source.data)

    def move(self, kind: Kind, path: str, to: str, source: Source, data: bytes | None = None, *, place: str = "") -> None:
        """An existing file in another place, perhaps with other bytes."""
        if unicodedata.normalize("NFC", path) == unicodedata.normalize("NFC", to):
            raise NoteExistsError(to)
        landing = self._land(to, place, leaving=source.file)
        self._claim(path, source.file, landing.file)
        after = source.hash if data is None else hash_of(data)
        step = Step(kind, path, to, source.hash, after, source.file, landing.file, source.mode)
        self._add(step, fresh=data if step.brings_data else None, kept=source.data)

    def remove(self, path: str, source: Source) -> None:
        """A file that only the record keeps: how the undo takes back a creation."""
        self._claim(path, source.file)
        self._add(Step("remove", path, "", source.hash, "", source.file, mode=source.mode), kept=source.data)

    def free_trash(self, path: str) -> str:
        """Where in the trash *path* goes: its own path, or `name 2.md` when that is taken."""
        folder, slash, name = path.rpartition("/")
        stem, extension = os.path.splitext(name)
        number = 1
        while True:
            mark = "" if number == 1 else f" {number}"
            room = NAME_BYTES - len(os.fsencode(mark + extension))
            short = stem if len(os.fsencode(stem)) <= room else os.fsencode(stem)[:room].decode(errors="ignore").rstrip()
            to = f"{TRASH}/{folder}{slash}{short}{mark}{extension}"
            try:
                landing = self.places.landing(to, restored=True)
            except NoteExistsError:
                number += 1
                continue
            if _key(landing.file) not in self._targets:
                return to
            number += 1

    def _land(self, path: str, place: str, *, leaving: str = "") -> Landing:
        landing = self.places.landing(place or path, leaving=leaving, restored=bool(place))
        self.folders.update(dict.fromkeys(landing.folders))
        return landing

    def _claim(self, path: str, source: str = "", target: str = "") -> None:
        """Each file takes part in one step of a batch: so each step can be undone by itself, in whatever state a killed run left it.

        New names must differ from all others in more than case; old ones may differ as they like.
        """
        key, source_key = _key(target), _key(source)
        if source in self._sources or source_key in self._targets or key in self._targets or key in self._source_keys:
            raise ConflictError(
                f"{path} is touched twice in one batch", hint="put both changes into one edit, or apply one after the other"
            )
        self._sources |= {source} - {""}
        self._source_keys |= {source_key} - {""}
        self._targets |= {key} - {""}

    def _add(self, step: Step, *, fresh: bytes | None = None, kept: bytes | None = None) -> None:
        self.steps.append(step)
        self.fresh.append(fresh)
        self.kept.append(kept)


class Source(NamedTuple):
    """A file as the plan found it. *data* only where the record must keep it."""

    file: str
    hash: str
    mode: int
    data: bytes | None


def plan_edits(places: Places, edits: Iterable[Edit]) -> tuple[Plan, dict[str, str]]:
    """The plan of a batch, and the hash that each path will have."""
    plan, hashes = Plan(places), dict[str, str]()
    for edit in edits:
        match edit:
            case Create(path, data):
                plan.create(path, data)
                hashes[path] = hash_of(data)
            case Rewrite(path, data, expected):
                source = _look(places, path, expected, keep=sys.maxsize)
                plan.rewrite(path, data, source)
                hashes[path] = hash_of(data)
            case Move(path, to, expected, data):
                source = _look(places, path, expected, keep=0 if data is None or hash_of(data) == expected else sys.maxsize)
                plan.move("move", path, to, source, data)
                hashes[to] = plan.steps[-1].after
            case Trash(path, expected):
                source = _look(places, path, expected, keep=KEEP_TRASHED)
                to = plan.free_trash(path)
                plan.move("trash", path, to, source, place=to)
            case _:
                assert_never(edit)
    return plan, hashes


def read_source(places: Places, file: str, *, keep: int) -> Source:
    """The regular file with the disk name *file*; its bytes too when they are no more than *keep*."""
    found = os.lstat(places.full(file))
    mode = stat.S_IMODE(found.st_mode)
    if found.st_size <= keep:
        data = disk.read_file(places.full(file))
        return Source(file, hash_of(data), mode, data)
    return Source(file, disk.hash_file(places.full(file))[0], mode, None)


def _look(places: Places, path: str, expected: str, *, keep: int) -> Source:
    """The file at *path*, which must have the *expected* hash."""
    file = places.source(path)
    if file is None:
        raise NoteNotFoundError(path)
    source = read_source(places, file, keep=keep)
    if source.hash != expected:
        raise NoteChangedError(path)
    return source


def _key(file: str) -> str:
    return "/".join(map(fold, file.split("/")))
