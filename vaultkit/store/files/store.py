"""FileStore: the vault as files. The one place that changes notes on disk."""

# Names stay plain strings, as the system gave them: Path costs time and tidies them up.
# ruff: noqa: PTH103

from __future__ import annotations

import fcntl
import logging
import os
import stat
import time
import unicodedata
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from vaultkit.errors import CapReachedError, NoteNotFoundError, OutsideVaultError, VaultBusyError, VaultNotFoundError
from vaultkit.store.files import disk, undo
from vaultkit.store.files.execute import execute, roll_back, settle
from vaultkit.store.files.places import Places
from vaultkit.store.files.plan import TRASH, plan_edits
from vaultkit.store.files.runs import History, Step
from vaultkit.store.files.walk import SETTINGS, ignorer, walk
from vaultkit.store.vault import Applied, Read, Run, Touched, Walk
from vaultkit.text.edit import hash_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from vaultkit.store.vault import Undone
    from vaultkit.text.edit import Edit

log = logging.getLogger(__name__)


class FileStore:
    """The notes below *root*; lock, undo records and the way back of killed runs live in *state*.

    *ignore* are globs that `walk` leaves out. *cap* bounds the rewrites and trashes of one session (without a session: of one batch). Trashed
    notes go to the vault's own `.trash/` whatever Obsidian's `trashOption` says, because nothing else can be undone.
    """

    def __init__(
        self,
        root: Path,
        state: Path,
        *,
        ignore: Sequence[str] = (),
        cap: int = 100,
        keep_days: int = 30,
        lock_timeout: float = 10.0,
    ) -> None:
        self.root = Path(os.path.realpath(root))
        self._places = Places(str(self.root))
        self._state = str(state)
        self._history = History(self._state, keep_days)
        self._ignored = ignorer(ignore)
        self._cap = cap
        self._lock_timeout = lock_timeout

    def close(self) -> None:
        """Nothing is held open."""

    def walk(self) -> Walk:
        """Every visible file, and what is not one and why."""
        try:
            found, self._places.odd = walk(self._places.root, self._ignored)
        except (FileNotFoundError, NotADirectoryError) as error:
            raise VaultNotFoundError(f"{self.root} is no folder", hint="give the vault's folder with --vault") from error
        except OSError as error:
            raise disk.explain(error, str(self.root)) from error
        return found

    def read(self, path: str) -> Read:
        """The file at *path*."""
        try:
            found = self._places.find(path)
            if found is None or not stat.S_ISREG(found.status.st_mode):
                raise NoteNotFoundError(path)
            data = disk.read_file(self._places.full(found.file))
        except FileNotFoundError as error:
            raise NoteNotFoundError(path) from error
        except OSError as error:
            raise disk.explain(error, path) from error
        return Read(data, hash_of(data))

    def times(self, path: str) -> tuple[int, int, int]:
        """Creation and change in milliseconds since 1970, and the size; zeros for what went away.

        Where the system does not tell when a file was made, it is the earlier of its two other times.
        """
        try:
            found = os.stat(self._places.full(path))  # noqa: PTH116 - for every note of a vault
        except (OSError, ValueError):
            return 0, 0, 0
        made = getattr(found, "st_birthtime", min(found.st_ctime, found.st_mtime))
        return int(made * 1000), found.st_mtime_ns // 1_000_000, found.st_size

    def setting(self, name: str) -> bytes | None:
        """The file *name* of `.obsidian/`; None when it is missing, or a symlink leads out of the vault (`walk` reports that)."""
        parts = name.split("/")
        if "\0" in name or any(part in {"", ".", ".."} for part in parts):
            raise OutsideVaultError(name)
        real = os.path.realpath(self._places.full(f"{SETTINGS}/{name}"))
        found = disk.status(real)
        if not real.startswith(f"{self._places.root}/") or found is None or not stat.S_ISREG(found.st_mode):
            return None
        try:
            return disk.read_file(real)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise disk.explain(error, f"{SETTINGS}/{name}") from error

    def exists(self, path: str) -> bool:
        """Whether a visible file stands at *path*."""
        try:
            found = self._places.find(path)
        except OutsideVaultError:
            return False
        except OSError as error:
            raise disk.explain(error, path) from error
        return found is not None and stat.S_ISREG(found.status.st_mode)

    def is_folder(self, path: str) -> bool:
        """Whether a visible folder stands at *path*."""
        try:
            found = self._places.find(path)
        except OutsideVaultError:
            return False
        except OSError as error:
            raise disk.explain(error, path) from error
        return found is not None and stat.S_ISDIR(found.status.st_mode)

    def trashed(self) -> list[str]:
        """The names of the files in the vault's trash."""
        return [name for _, _, files in os.walk(f"{self._places.root}/{TRASH}") for name in files]

    def is_taken(self, path: str) -> bool:
        """Whether a Create at *path* would meet a file: in any case or Unicode form, or in iCloud."""
        try:
            return self._places.is_taken(path)
        except OSError as error:
            raise disk.explain(error, path) from error

    def check_new(self, path: str) -> None:
        """Raise what a Create at *path* would: outside, unsafe, taken, or in a place that no folder can have."""
        try:
            self._places.landing(path)
        except OSError as error:
            raise disk.explain(error, path) from error

    def remove_empty(self, folder: str) -> bool:
        """Take away what is empty of *folder* and the folders in it; True when files that are invisible here keep it."""
        try:
            found = self._places.find(folder)
            if found is None or not stat.S_ISDIR(found.status.st_mode):
                return False
            with self.lock():
                for here, _, _ in os.walk(self._places.full(found.file), topdown=False):
                    disk.remove_folder(here)
            return disk.status(self._places.full(found.file)) is not None
        except OSError as error:
            raise disk.explain(error, folder) from error

    def resolve(self, path: str) -> Path:
        """The absolute name of what stands, or would stand, at *path*."""
        try:
            found = self._places.find(path)
        except OSError as error:
            raise disk.explain(error, path) from error
        return self.root / (found.file if found else unicodedata.normalize("NFC", path))

    def apply(self, edits: Sequence[Edit], *, command: str, session: str = "", now: datetime) -> Applied:
        """Make all *edits* or none. Every precondition is checked before the first write; the run can be undone for `keep_days`."""
        if not edits:
            return Applied("", {})
        with self.lock():
            self._settle_pending()
            try:
                plan, hashes = plan_edits(self._places, edits)
            except OSError as error:
                raise disk.explain(error, self._places.shown(error, "the vault"), "; nothing was changed") from error
            self._check_cap(plan.steps, session)
            if not plan.steps:
                return Applied("", hashes)
            run = execute(plan, self._history, command=command, session=session, now=now)
            self._prune()
        return Applied(run, hashes)

    def enter(self, touched: Sequence[Touched], *, command: str, session: str = "", now: datetime) -> str:
        """Enter into the history, so that it can be undone, what Obsidian rewrote for us; the id of the run."""
        steps = []
        for one in touched:
            found = self._places.find(one.path)
            if found is None:
                raise NoteNotFoundError(one.path)
            mode = stat.S_IMODE(found.status.st_mode)
            steps.append(Step("rewrite", one.path, "", hash_of(one.before), one.after, found.file, found.file, mode))
        with self.lock():
            record = self._history.begin(steps, [one.before for one in touched], [], command=command, session=session, now=now)
            self._history.advance(record, "finished")
        return record.id

    def check_cap(self, paths: Sequence[str], session: str) -> None:
        """Raise CapReachedError when so many rewrites are more than the session may make."""
        self._check_cap([Step("rewrite", path, "", "a", "b") for path in paths], session)

    def recover(self) -> list[str]:
        """Finish or roll back what killed processes left; a sentence for each run. Costs one look into one folder when there is nothing."""
        if self._history.is_settled():
            return []
        try:
            with self.lock(timeout=0):
                return self._settle_pending()
        except VaultBusyError:  # the process that holds the lock settled what it found; what is pending is its own
            return []
        except disk.DiskError as error:  # reading must go on; whoever writes next meets the error itself
            log.warning(error.message)
            return [error.message]

    def runs(self, *, limit: int = 50) -> list[Run]:
        """The last runs, newest first."""
        found = list[Run]()
        for record, undone in undo.undone_ids(self._history.finished()):
            if len(found) == limit:
                break
            changes = tuple(step.change for step in record.steps)
            found.append(Run(record.id, record.time, record.command, record.session, changes, undone, record.undoes))
        return found

    def undo(self, *, run: str = "", session: str = "", since: datetime | None = None, now: datetime, dry_run: bool = False) -> Undone:
        """Take back a run, a session's runs, those since a time, or the last one (undos themselves only by their id).

        Files changed since are reported and left alone. Each undo is a run, so it can be undone.
        """
        with self.lock():
            self._settle_pending()
            try:
                return undo.undo(self._places, self._history, run=run, session=session, since=since, now=now, dry_run=dry_run)
            except OSError as error:
                raise disk.explain(error, self._places.shown(error, "the vault")) from error

    @contextmanager
    def lock(self, *, timeout: float | None = None) -> Iterator[None]:
        """The vault's one write lock, held by `apply`, `undo` and `recover` themselves; not to be nested."""
        try:
            os.makedirs(self._state, mode=0o700, exist_ok=True)
            fd = os.open(f"{self._state}/lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise disk.explain_state(error, self._state) from error
        try:
            self._wait(fd, self._lock_timeout if timeout is None else timeout)
            yield
        finally:
            os.close(fd)  # releases it

    def _wait(self, fd: int, timeout: float) -> None:
        end = time.monotonic() + timeout
        pause = 0.002
        while True:
            try:
                return fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                left = end - time.monotonic()
                if left <= 0:
                    raise VaultBusyError(
                        "another vaultkit command is writing to this vault", hint="wait for it to end, then retry"
                    ) from error
            except OSError as error:  # a network disk without locks
                raise disk.explain(error, "the lock in the state folder") from error
            time.sleep(min(left, pause * (1 + os.getpid() % 8 / 8)))  # waiting processes stay out of step
            pause = min(pause * 1.5, 0.05)

    def _settle_pending(self) -> list[str]:
        told = []
        try:
            for record in self._history.pending():
                name = f"run {record.id} ({record.command})"
                if record.phase == "done":
                    settle(self._places, self._history, record)
                    told.append(f"{name} was interrupted after its last write: finished")
                else:
                    left = roll_back(self._places, self._history, record)
                    kept = f", except {', '.join(left)}, which someone else changed since" if left else ""
                    told.append(f"{name} was interrupted: everything is as before{kept}")
        except OSError as error:
            raise disk.explain(error, f"an interrupted run cannot be taken back yet: {self._places.shown(error, 'the vault')}") from error
        for line in told:
            log.warning(line)
        return told

    def _check_cap(self, steps: Sequence[Step], session: str) -> None:
        wanted = sum(map(_counts, steps))
        if not wanted:
            return
        used = 0
        if session:
            used = sum(_counts(step) for record in self._history.finished(session=session) if not record.undoes for step in record.steps)
        if used + wanted > self._cap:
            before = f", after {used} in this session" if used else ""
            raise CapReachedError(
                f"{wanted} rewrites and trashes{before}: more than the cap of {self._cap}; nothing was changed",
                hint=f"look at what was done, then go on with VAULTKIT_WRITE_CAP={used + wanted} (setting write_cap) or in another session",
            )

    def _prune(self) -> None:
        try:
            self._history.prune()
        except OSError as error:
            log.warning("old undo records stay: %s", error)


def _counts(step: Step) -> bool:
    """Whether a step is one of those that the cap bounds: it changes or trashes what a person may have written."""
    return step.kind in {"rewrite", "trash"} or (step.kind == "move" and step.before != step.after)
