"""The record of each run: what it did, with the bytes that it replaced. First the way back for a killed run, then the undo history.

One file a run in the state folder: a line of JSON, then the kept bytes. Its place and ending are its phase:
`pending/ID.stage` (only temporary files exist) → `pending/ID.switch` (names are changing) → `pending/ID.done` (all changed) → `runs/ID`.
"""

# Names stay plain strings, as the system gave them: Path costs time and tidies them up.
# ruff: noqa: PTH103, PTH119, PTH120, PTH123, PTH208

from __future__ import annotations

import hashlib
import json
import logging
import os
import re
import time
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from vaultkit.store.files import disk
from vaultkit.store.vault import Change, Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

Phase = Literal["stage", "switch", "done", "finished"]

TEMPORARY = ".vk-"  # how the names of temporary files begin: dot-files are invisible to Obsidian

log = logging.getLogger(__name__)


class Step(NamedTuple):
    """A change with its places on the disk, relative to the vault: taken from *source*, put at *target*; both the same for a rewrite."""

    kind: Kind
    path: str
    to: str
    before: str
    after: str
    source: str = ""
    target: str = ""
    mode: int = 0
    kept: tuple[int, int] | None = None  # offset and size of the replaced bytes in the record

    @property
    def change(self) -> Change:
        """The step without its places."""
        return Change(self.kind, self.path, self.to, self.before, self.after)

    @property
    def brings_data(self) -> bool:
        """Whether new bytes are written, rather than a file carried or taken away."""
        return bool(self.target) and self.before != self.after


class Record(NamedTuple):
    """A run as kept: *file* is where, *folders* are those it made."""

    file: str
    phase: Phase
    id: str
    time: str
    command: str
    session: str
    undoes: str
    steps: tuple[Step, ...]
    folders: tuple[str, ...]
    kept_from: int


class History:
    """The records in one state folder. Whoever writes here holds the vault's lock."""

    def __init__(self, state: str, keep_days: int) -> None:
        self.folder = state
        self._pending = f"{state}/pending"
        self._runs = f"{state}/runs"
        self._keep_seconds = keep_days * 86_400

    def begin(
        self,
        steps: Sequence[Step],
        kept: Sequence[bytes | None],
        folders: Sequence[str],
        *,
        command: str,
        session: str,
        now: datetime,
        undoes: str = "",
    ) -> Record:
        """A new record in phase `stage`, on the disk for good; *kept* are the bytes that each step replaces."""
        for folder in (self._pending, self._runs):
            os.makedirs(folder, mode=0o700, exist_ok=True)  # note text lies here
        numbers = [int(m[1]) for m in map(_NAME.match, [*os.listdir(self._runs), *os.listdir(self._pending)]) if m]
        identity = f"{now:%Y%m%d}-{max(numbers, default=0) + 1:04d}"
        offset, placed = 0, list[Step]()
        for step, data in zip(steps, kept, strict=True):
            placed.append(step if data is None else step._replace(kept=(offset, len(data))))
            offset += len(data or b"")
        head = {
            "id": identity,
            "time": (now if now.tzinfo else now.astimezone()).isoformat(timespec="seconds"),
            "command": command,
            "session": session,
            "undoes": undoes,
            "folders": list(folders),
            "steps": placed,
        }
        line = json.dumps(head, separators=(",", ":")).encode() + b"\n"
        file = f"{self._pending}/{identity}{_mark(session)}.stage"
        try:
            disk.write_new(file, b"".join([line, *(data for data in kept if data is not None)]), mode=0o600)
        except BaseException:
            disk.remove(file)
            raise
        return _record(file, line)

    def advance(self, record: Record, phase: Phase) -> Record:
        """The record in its next *phase*."""
        name = os.path.basename(record.file).rpartition(".")[0]
        file = f"{self._runs}/{name}" if phase == "finished" else f"{self._pending}/{name}.{phase}"
        disk.replace(record.file, file)
        return record._replace(file=file, phase=phase)

    def sync(self) -> None:
        """Phases so far survive a power cut."""
        disk.sync_folder(self._pending)

    def drop(self, record: Record) -> None:
        """Forget a run that was rolled back."""
        disk.remove(record.file)

    def pending(self) -> list[Record]:
        """Runs that did not come to their end, newest first."""
        records = []
        for name in sorted(_names(self._pending), key=_number, reverse=True):
            file = f"{self._pending}/{name}"
            record = _load(file)
            if record is not None:
                records.append(record)
            elif name.endswith(".stage"):  # torn while it was written, so the vault was not yet touched
                disk.remove(file)
            else:
                log.error("the record of an interrupted run cannot be read; it is kept as %s", f"broken-{name}")
                disk.replace(file, f"{os.path.dirname(self._pending)}/broken-{name}")
        return records

    def is_settled(self) -> bool:
        """Whether no run is pending: one look into one folder."""
        return not _names(self._pending)

    def finished(self, *, session: str | None = None) -> Iterator[Record]:
        """Finished runs, newest first; only one session's when asked."""
        ending = None if session is None else _mark(session)
        for name in sorted(_names(self._runs), key=_number, reverse=True):
            if ending is not None and _NAME.sub("", name) != ending:
                continue
            record = _load(f"{self._runs}/{name}")
            if record is None:
                log.warning("undo record %s cannot be read; it is left out", name)
            elif session is None or record.session == session:
                yield record

    def kept(self, record: Record, step: Step) -> bytes | None:
        """The bytes that *step* replaced."""
        if step.kept is None:
            return None
        offset, size = step.kept
        with open(record.file, "rb") as stream:
            stream.seek(record.kept_from + offset)
            data = stream.read(size)
        return data if hashlib.sha256(data).hexdigest() == step.before else None

    def prune(self) -> None:
        """Drop records that are older than the keeping time by the clock of the disk: `--today` must not throw history away."""
        oldest = time.time() - self._keep_seconds
        first_day = time.strftime("%Y%m%d", time.localtime(oldest + 86_400))
        for name in _names(self._runs):
            if name[:8] <= first_day:  # spares a look at each of the younger ones
                found = disk.status(f"{self._runs}/{name}")
                if found and found.st_mtime < oldest:
                    disk.remove(f"{self._runs}/{name}")


def temp_names(record: Record) -> Iterator[tuple[str, str, str]]:
    """For each step the temporary names it may leave: new bytes beside the target, the old file beside the source, bytes put back."""
    for number, step in enumerate(record.steps):
        stem = f"{TEMPORARY}{record.id}-{number}"
        target, source = step.target or step.source, step.source or step.target
        yield _beside(target, f"{stem}.new"), _beside(source, f"{stem}.old"), _beside(source, f"{stem}.back")


_PHASES: dict[str, Phase] = {"stage": "stage", "switch": "switch", "done": "done"}
_NAME = re.compile(r"\d{8}-(\d{4,})")


def _mark(session: str) -> str:
    """What a session adds to the file name, so that its runs are found without opening all."""
    return f"-{hashlib.sha256(session.encode(errors='surrogatepass')).hexdigest()[:8]}" if session else ""


def _number(name: str) -> int:
    found = _NAME.match(name)
    return int(found[1]) if found else 0


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except (FileNotFoundError, NotADirectoryError):  # no run was ever recorded; whoever records one meets what stands in the way
        return []


def _beside(file: str, name: str) -> str:
    folder, slash, _ = file.rpartition("/")
    return folder + slash + name


def _load(file: str) -> Record | None:
    try:
        with open(file, "rb") as stream:
            return _record(file, stream.readline())
    except (FileNotFoundError, ValueError, KeyError, TypeError):  # pruned meanwhile, or torn
        return None


def _record(file: str, line: bytes) -> Record:
    head: dict[str, Any] = json.loads(line)
    steps = [Step(**{**dict(zip(Step._fields, values, strict=True)), "kept": values[-1] and tuple(values[-1])}) for values in head["steps"]]
    return Record(
        file=file,
        phase=_PHASES.get(file.rpartition(".")[2], "finished"),
        steps=tuple(steps),
        folders=tuple(head["folders"]),
        kept_from=len(line),
        **{key: head[key] for key in ("id", "time", "command", "session", "undoes")},
    )
