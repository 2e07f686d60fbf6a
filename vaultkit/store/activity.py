"""What happened, as append-only JSON lines in the state folder; counters are queries over it (memory.md M43, M46).

Each event is written with one `write` on a file opened for appending, so that processes do not tear each other's lines; a line cut by a crash
or a full disk is skipped when reading. The file is rotated by size. Prompts are kept as hash and length unless the caller passes text.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

FILE: Final = "activity.jsonl"
MAX_BYTES: Final = 5_000_000
KEEP: Final = 4  # rotated files beside the current one


class Counter(NamedTuple):
    """How a note was used. Having been shown counts for nothing; it is kept apart."""

    accessed: int = 0
    last_accessed: str = ""  # day
    useful: int = 0
    shown: int = 0


class ActivityLog:
    """The activity of one vault, in *folder*; another *name* is another log of the same kind."""

    def __init__(self, folder: Path, *, max_bytes: int = MAX_BYTES, name: str = FILE) -> None:
        self._folder = folder
        self._max = max_bytes
        self.path = folder / name
        self._counted: dict[str, Counter] = {}
        self._place = self._offset = 0

    def append(self, event: str, *, t: datetime, **fields: Any) -> None:
        """Write one event. A state folder that cannot be written loses the event, never the work that it tells of."""
        row = {"t": t.isoformat(timespec="milliseconds"), "event": event, **fields}
        data = json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._rotate(len(data))
            descriptor = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                size = os.fstat(descriptor).st_size
                if size and os.pread(descriptor, 1, size - 1) != b"\n":
                    data = b"\n" + data  # the line before was cut off
                os.write(descriptor, data)
            finally:
                os.close(descriptor)

    def read(self, *, events: tuple[str, ...] = (), since: str = "") -> Iterator[dict[str, Any]]:
        """Events, oldest first; *since* is an ISO time. Lines that are no event are passed over."""
        for path in [*(self.path.with_suffix(f".{number}.jsonl") for number in range(KEEP, 0, -1)), self.path]:
            with contextlib.suppress(OSError):
                yield from _events(path.read_bytes(), events, since)

    def latest(self, *, events: tuple[str, ...], since: str) -> Iterator[dict[str, Any]]:
        """The same from the log's end alone, for what happened a moment ago."""
        with contextlib.suppress(OSError), self.path.open("rb") as file:
            file.seek(max(0, self.path.stat().st_size - _END))
            yield from _events(file.read(_END), events, since)

    def counters(self) -> Mapping[str, Counter]:
        """How each note was used. Kept between two calls: only what was appended since is read."""
        try:
            found = self.path.stat()
        except OSError:
            return {}
        if self._place != found.st_ino or found.st_size < self._offset:
            self._counted = _count({}, self.read(events=_COUNTED))
        else:
            with self.path.open("rb") as file:
                file.seek(self._offset)
                self._counted = _count(self._counted, _events(file.read(found.st_size - self._offset), _COUNTED, ""))
        self._place, self._offset = found.st_ino, found.st_size
        return self._counted

    def _rotate(self, coming: int) -> None:
        try:
            if self.path.stat().st_size + coming <= self._max:
                return
        except FileNotFoundError:
            return
        with self.path.with_suffix(".lock").open("ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if self.path.stat().st_size + coming <= self._max:
                return  # another process was first
            for number in range(KEEP, 1, -1):
                older = self.path.with_suffix(f".{number - 1}.jsonl")
                if older.exists():
                    older.replace(self.path.with_suffix(f".{number}.jsonl"))
            self.path.replace(self.path.with_suffix(".1.jsonl"))


_END: Final = 64_000  # bytes
_COUNTED: Final = ("shown", "opened", "judged")


def _events(data: bytes, events: tuple[str, ...], since: str) -> Iterator[dict[str, Any]]:
    for line in data.splitlines():
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            continue  # cut off by a crash, or no event at all
        if isinstance(row, dict) and (not events or row.get("event") in events) and str(row.get("t", "")) >= since:
            yield row


def _count(found: dict[str, Counter], rows: Iterable[dict[str, Any]]) -> dict[str, Counter]:
    for row in rows:
        path = row.get("path")
        if not isinstance(path, str):
            continue
        old = found.get(path, Counter())
        if row["event"] == "shown":
            found[path] = old._replace(shown=old.shown + 1)
        elif row["event"] == "opened":
            found[path] = old._replace(accessed=old.accessed + 1, last_accessed=str(row.get("t", ""))[:10])
        elif row.get("useful"):
            found[path] = old._replace(useful=old.useful + 1)
    return found
