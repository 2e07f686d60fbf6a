"""A vault through the API alone: remote, or behind an Obsidian whose files are not here.

What the API cannot do, this store does not pretend: there is no lock and no journal, so a batch is checked whole first, then written one by
one and put back when one fails; there is no undo history; and dot-folders (`.obsidian/`) are not to be seen.
"""

from __future__ import annotations

import json
import logging
import unicodedata
import zlib
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

from vaultkit.errors import (
    ConflictError,
    NoteChangedError,
    NoteExistsError,
    NoteNotFoundError,
    ObsidianError,
    OutsideVaultError,
    RefusedError,
    UsageError,
    VaultkitError,
)
from vaultkit.store.obsidian.client import Client, Stat, is_text
from vaultkit.store.vault import Applied, Entry, Read, Run, Skip, Undone, Walk
from vaultkit.text import names
from vaultkit.text.edit import Create, Edit, Move, Rewrite, Trash, hash_of, to_text
from vaultkit.text.frontmatter import find_block

log = logging.getLogger(__name__)

_DEEPEST: Final = 64  # folders in folders: a listing without an end is not followed


class ObsidianStore:
    """A VaultStore over *client*. *root* is a folder of our own that stands for the vault's; *ignored* says which paths `walk` leaves out."""

    def __init__(
        self, client: Client, root: Path, *, ignored: Callable[[str], object] | None = None, now: Callable[[], datetime] = datetime.now
    ) -> None:
        self.client = client
        self.root = root
        self._ignored = ignored
        self._now = now

    def close(self) -> None:
        """Let the connection go."""
        self.client.close()

    # -- reading

    def walk(self) -> Walk:
        """One listing a folder, and one question for the times of all notes."""
        self.client.greet()
        stats = self.client.stats()
        entries: list[Entry] = []
        skipped: list[Skip] = []
        stack = [""]
        while stack:
            folder = stack.pop()
            for name in self._listed(folder):
                path = folder + name
                if name.startswith(".") or (self._ignored is not None and self._ignored(path.rstrip("/"))):
                    continue
                if not name.endswith("/"):
                    entries.append(self._entry(unicodedata.normalize("NFC", path), stats.get(path)))
                elif path.count("/") > _DEEPEST:
                    skipped.append(Skip(path, "is nested too deeply"))
                else:
                    stack.append(path)
        return Walk(sorted(entries), skipped)

    def _listed(self, folder: str) -> list[str]:
        try:
            return self.client.list(folder.rstrip("/"))
        except (NoteNotFoundError, UsageError):  # an empty vault, a folder that went meanwhile, a part of a note
            return []

    def _entry(self, path: str, stat: Stat | None) -> Entry:
        if stat is not None:
            return Entry(path, stat.mtime_ms * 1_000_000, stat.size)
        if not path.lower().endswith((".canvas", ".md")):
            return Entry(path, 0, 0)  # an attachment is listed, never read
        size, tag = self.client.head(path) or (0, "")
        return Entry(path, zlib.crc32(tag.encode()), size)

    def read(self, path: str) -> Read:
        """The file at *path*."""
        _check(path)
        data = self.client.read(path)
        return Read(data, hash_of(data))

    def setting(self, name: str) -> bytes | None:
        """The API shows no settings. Of the daily note's, its path today tells folder and format, where the plugin still has /periodic/."""
        if name != "daily-notes.json":
            return None
        folder, _, base = self.client.periodic("daily").removesuffix(".md").rpartition("/")
        if base != f"{self._now():%Y-%m-%d}":
            return None
        return json.dumps({"folder": folder, "format": "YYYY-MM-DD"}).encode()

    def exists(self, path: str) -> bool:
        """Whether a visible file stands at *path*."""
        try:
            _check(path)
        except OutsideVaultError:
            return False
        return not path.endswith("/") and self._spelled(path) is not None

    def _spelled(self, path: str) -> str | None:
        """The path as the vault has it: a HEAD alone would also answer for a folder, and for the heading of a note above."""
        folder, _, name = path.rpartition("/")
        wanted = unicodedata.normalize("NFC", name)
        found = (one for one in self._listed(folder) if not one.endswith("/") and unicodedata.normalize("NFC", one) == wanted)
        return next((f"{folder}/{one}" if folder else one for one in found), None)

    def is_folder(self, path: str) -> bool:
        """Whether a visible folder stands at *path*."""
        try:
            _check(path.rstrip("/") or "x")
        except OutsideVaultError:
            return False
        folder, _, name = path.strip("/").rpartition("/")
        return f"{name}/" in self._listed(folder)

    def is_taken(self, path: str) -> bool:
        """Whether a Create at *path* would meet a file, in any case or Unicode form."""
        folder, _, name = path.rpartition("/")
        wanted = unicodedata.normalize("NFC", name).casefold()
        return any(unicodedata.normalize("NFC", one.rstrip("/")).casefold() == wanted for one in self._listed(folder))

    def trashed(self) -> list[str]:
        """The trash is a dot-folder: the API shows none of it."""
        return []

    def check_new(self, path: str) -> None:
        """Raise what a Create at *path* would."""
        _check(path)
        names.check_name(path)
        if self.is_taken(path):
            raise NoteExistsError(path)

    def remove_empty(self, folder: str) -> bool:  # noqa: ARG002 - the API has no call for it
        """Obsidian keeps its own folders."""
        return False

    def resolve(self, path: str) -> Path:
        """A name that can be shown; there is no file behind it."""
        _check(path)
        return self.root / path

    # -- writing

    def apply(self, edits: Sequence[Edit], *, command: str, session: str = "", now: datetime) -> Applied:  # noqa: ARG002 - there is no history
        """All *edits*, their preconditions checked before the first; what was written is put back when a later one fails."""
        old = {edit.path: self._checked(edit) for edit in edits}
        if len(old) != len(edits):
            raise ConflictError("two edits of one batch touch the same file", hint="make one of them")
        hashes: dict[str, str] = {}
        done: list[Edit] = []
        try:
            for edit in edits:
                self._write(edit, old[edit.path], hashes)
                done.append(edit)
        except BaseException:
            for edit in reversed(done):
                self._put_back(edit, old[edit.path])
            raise
        return Applied("", hashes)

    def _checked(self, edit: Edit) -> bytes:
        """What stands at the edit's path, after every check that can be made before a write."""
        if isinstance(edit, Create):
            self.check_new(edit.path)
            return b""
        found = self.read(edit.path)
        if found.hash != edit.expected:
            raise NoteChangedError(edit.path)
        if isinstance(edit, Move):
            self.check_new(edit.to)
        if isinstance(edit, (Move, Trash)):
            self._check_trash()
        return found.data

    def _check_trash(self) -> None:
        greeting = self.client.greet()
        if greeting.version < (5, 0, 0) and not greeting.server:
            raise RefusedError(f"the plugin {greeting.text} deletes for good", hint="update it to 5.0, whose DELETE moves to the trash")

    def _write(self, edit: Edit, old: bytes, hashes: dict[str, str]) -> None:
        match edit:
            case Create():
                _sure(self.client, edit.path, edit.data, lambda: self.client.put(edit.path, edit.data, new=True))
                hashes[edit.path] = hash_of(edit.data)
            case Rewrite():
                now = old if edit.data == old else rewrite(self.client, edit.path, old, edit.data)
                hashes[edit.path] = hash_of(now)
            case Move():
                # Not the API's MOVE: Obsidian would rewrite links too, and the batch holds those rewrites already.
                data = old if edit.data is None else edit.data
                _sure(self.client, edit.to, data, lambda: self.client.put(edit.to, data, new=True))
                self.client.trash(edit.path)
                hashes[edit.to] = hash_of(data)
            case Trash():
                self.client.trash(edit.path)

    def _put_back(self, edit: Edit, old: bytes) -> None:
        try:
            match edit:
                case Create():
                    self.client.trash(edit.path)
                case Rewrite():
                    self.client.put(edit.path, old)
                case Move():
                    self.client.put(edit.path, old)
                    self.client.trash(edit.to)
                case Trash():
                    self.client.put(edit.path, old)
        except VaultkitError as error:
            log.warning("%s could not be put back after a later write failed: %s", edit.path, error.message)

    # -- history

    def recover(self) -> list[str]:
        """Nothing is left behind: there is no journal."""
        return []

    def runs(self, *, limit: int = 50) -> list[Run]:  # noqa: ARG002 - none is kept
        """No history is kept of a vault that is elsewhere."""
        return []

    def undo(self, *, run: str = "", session: str = "", since: datetime | None = None, now: datetime, dry_run: bool = False) -> Undone:  # noqa: ARG002 - refused whatever was asked
        """Refused."""
        raise RefusedError(
            "a vault behind an address has no undo history here", hint="run vaultkit where the files are, or use Obsidian's file recovery"
        )


def rewrite(client: Client, path: str, old: bytes, new: bytes) -> bytes:
    """Change a note in Obsidian from *old* to *new* by the safest call; what stands there afterwards. What is typed there meanwhile is a
    conflict, or kept, never lost.

    Added lines are appended to the note as it is there. Else, from 5.0 on, a PATCH 2.x whose `ifMatch` names the version that was read;
    where that cannot say the change (other properties, white space at the edges), a whole file after one more look at it.
    """
    if path.lower().endswith(".md") and old and new.startswith(old) and old.endswith(b"\n") and is_text(new):
        client.append(path, new[len(old) :])
        return client.read(path)
    instruction = _as_instruction(old, new) if path.lower().endswith(".md") else None
    if instruction is not None and client.second:
        version = client.document_map(path).get("version")
        if isinstance(version, str) and version:
            _check_unchanged(client, path, old)
            done = client.patch2(path, {**instruction, "ifMatch": version})
            if done != new:
                log.debug("%s: Obsidian's patch came out differently; the whole note is written", path)
                client.put(path, new, expected=hash_of(done))
            return new
    _check_unchanged(client, path, old)
    _sure(client, path, new, lambda: client.put(path, new, expected=hash_of(old)))
    return new


def _sure(client: Client, path: str, data: bytes, write: Callable[[], None]) -> None:
    """Write; when the connection broke on the way, look whether it was written."""
    try:
        write()
    except ObsidianError as error:
        if error.state not in {"failed", "timeout"}:
            raise
        try:
            if client.read(path) == data:
                return
        except VaultkitError:
            log.debug("whether %s was written cannot be seen", path)
        raise


def _check_unchanged(client: Client, path: str, old: bytes) -> None:
    if client.read(path) != old:
        raise NoteChangedError(path)


def _as_instruction(old: bytes, new: bytes) -> dict[str, object] | None:
    """The change as one replacement of the body, when that alone makes *new* of *old*."""
    from vaultkit.text.patch import apply2

    before, after = to_text(old), to_text(new)
    block = find_block(before)
    start = block.end if block else 0
    if not after.startswith(before[:start]) or not after[start:].strip() or any(0xD800 <= ord(char) < 0xE000 for char in after):
        return None
    instruction: dict[str, object] = {"targetType": "heading", "target": None, "operation": "replace", "content": after[start:]}
    try:
        return instruction if apply2(before, instruction).text == after else None
    except VaultkitError:
        return None


def _check(path: str) -> None:
    parts = path.split("/")
    if not path or "\0" in path or any(not part or part.startswith(".") for part in parts):
        raise OutsideVaultError(path)
