"""What a vault is to everything above: the protocol that files and Obsidian's API both keep, and the values it speaks in.

The contract of both is one test suite (tests/support/vault_contract.py). A store raises our errors only; preconditions (an edit's `expected`,
a free path for a Create) hold for the whole batch before anything is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Literal, NamedTuple, Protocol

from vaultkit.text.edit import Edit

Kind = Literal["create", "rewrite", "move", "trash", "restore", "remove"]


class Entry(NamedTuple):
    """A visible file. *path* is NFC, whatever the name on disk."""

    path: str
    mtime_ns: int
    size: int


class Skip(NamedTuple):
    """Something that is no entry, and why. *path* can be shown, but not always opened."""

    path: str
    reason: str


class Walk(NamedTuple):
    """One look at the whole vault, entries in path order."""

    entries: list[Entry]
    skipped: list[Skip]


class Read(NamedTuple):
    """A file's bytes and their hash, which an edit computed from them must name."""

    data: bytes
    hash: str


class Applied(NamedTuple):
    """A finished run (empty when the edits changed nothing) and the hash of each path that it wrote."""

    run: str
    hashes: dict[str, str]


class Touched(NamedTuple):
    """A note that another program rewrote for us: the bytes that stood there, the hash of those that stand there now."""

    path: str
    before: bytes
    after: str


class Change(NamedTuple):
    """One file of a run. *before* and *after* are hashes, empty where there is no file; *to* is empty unless it moved."""

    kind: Kind
    path: str
    to: str = ""
    before: str = ""
    after: str = ""


class Run(NamedTuple):
    """One applied batch, as told to people; *undoes* names the run that it took back."""

    id: str
    time: str
    command: str
    session: str
    changes: tuple[Change, ...]
    undone: bool
    undoes: str = ""


class Left(NamedTuple):
    """A path that the undo left alone, and why."""

    path: str
    reason: str


class Undone(NamedTuple):
    """What an undo did: the *runs* taken back, the paths *restored*, those left alone, and the undo's own runs (*by*), which can be undone."""

    runs: tuple[str, ...]
    restored: tuple[str, ...]
    conflicts: tuple[Left, ...]
    by: tuple[str, ...]


class VaultStore(Protocol):
    """One vault: listing, reading, and applying edits whose preconditions hold."""

    root: Path

    def close(self) -> None:
        """Let go what is held open; it is opened again when it is needed."""
        ...

    def walk(self) -> Walk:
        """Every visible file, and what is not one and why."""
        ...

    def read(self, path: str) -> Read:
        """The file at *path*. Raises NoteNotFoundError."""
        ...

    def setting(self, name: str) -> bytes | None:
        """The file *name* of `.obsidian/`; None when it is missing or cannot be had."""
        ...

    def exists(self, path: str) -> bool:
        """Whether a visible file stands at *path*."""
        ...

    def is_folder(self, path: str) -> bool:
        """Whether a visible folder stands at *path*."""
        ...

    def is_taken(self, path: str) -> bool:
        """Whether a Create at *path* would meet a file."""
        ...

    def trashed(self) -> list[str]:
        """The file names in the vault's trash, as far as they can be seen."""
        ...

    def check_new(self, path: str) -> None:
        """Raise what a Create at *path* would."""
        ...

    def remove_empty(self, folder: str) -> bool:
        """Take away what is empty of *folder*; True when something invisible keeps it."""
        ...

    def resolve(self, path: str) -> Path:
        """The absolute name of what stands, or would stand, at *path*; refuses what leads out."""
        ...

    def apply(self, edits: Sequence[Edit], *, command: str, session: str = "", now: datetime) -> Applied:
        """Make all *edits* or none."""
        ...

    def recover(self) -> list[str]:
        """Finish or roll back what killed processes left; a sentence for each run."""
        ...

    def runs(self, *, limit: int = 50) -> list[Run]:
        """The last runs, newest first."""
        ...

    def undo(self, *, run: str = "", session: str = "", since: datetime | None = None, now: datetime, dry_run: bool = False) -> Undone:
        """Take back a run, a session's runs, those since a time, or the last one."""
        ...
