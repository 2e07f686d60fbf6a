"""What happened in each session of a harness: one small append-only file a session in the state folder, a queue, and the worker's lock.

    sessions/<harness>/<id>.jsonl    rows {"t", "kind", …}; the first is {"kind": "session", "harness", "session"}
    sessions/queue/<harness>.<id>    the session has ended and waits for the worker
    sessions/worker.lock             held while one works

Every row is written whole, under the file's lock. Files are bounded; a row that does not fit is left out, and its session goes on.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

Row = dict[str, Any]

MAX_BYTES: Final = 1_000_000  # of a session's file: a long session keeps its beginning and its marks
_RESERVED: Final = 200_000  # of it for rows without text


class Key(NamedTuple):
    """A session of a harness."""

    harness: str
    session: str


class SessionFiles:
    """The sessions of one vault, below *folder*."""

    def __init__(self, folder: Path, *, max_bytes: int = MAX_BYTES) -> None:
        self.folder = folder / "sessions"
        self._max = max_bytes

    def rows(self, key: Key) -> list[Row]:
        """All rows of a session, oldest first; [] for one that is not known."""
        try:
            return _rows(self._path(key).read_bytes())
        except OSError:
            return []

    def append(self, key: Key, *rows: Mapping[str, Any], t: datetime) -> bool:
        """Add *rows*. False when they could not be written: the session goes on without them."""
        return self.claim(key, lambda _: rows, t=t)

    def claim(self, key: Key, decide: Callable[[list[Row]], tuple[Mapping[str, Any], ...]], *, t: datetime) -> bool:
        """Add what *decide* makes of the rows so far; nobody else writes in between. False when nothing was added."""
        if not key.session:
            return False
        path = self._path(key)
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with os.fdopen(os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600), "r+b") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                found = file.read()
                rows = decide(_rows(found))
                return self._write(file.fileno(), found, key, rows, t)
        except OSError:
            return False

    def sessions(self) -> Iterator[tuple[Key, float]]:
        """Every session that is kept, with the time of its last row (seconds since the epoch)."""
        for path in sorted(self.folder.glob("*/*.jsonl")):
            with contextlib.suppress(OSError, IndexError, KeyError):
                with path.open("rb") as file:
                    first = _rows(file.readline())[0]
                yield Key(str(first["harness"]), str(first["session"])), path.stat().st_mtime

    def queue(self, key: Key) -> None:
        """The session has ended: the worker is to look at it."""
        folder = self.folder / "queue"
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        (folder / f"{key.harness}.{_name(key.session)}").write_text(json.dumps(key), encoding="utf-8")

    def queued(self) -> list[Key]:
        """The sessions that wait, oldest first."""
        found = []
        for path in sorted((self.folder / "queue").glob("*"), key=lambda path: path.name):
            try:
                harness, session = json.loads(path.read_bytes())
                found.append(Key(str(harness), str(session)))
            except (OSError, ValueError, TypeError):
                path.unlink(missing_ok=True)  # torn by a crash: the sweep finds the session again
        return found

    def unqueue(self, key: Key) -> None:
        """It was looked at."""
        (self.folder / "queue" / f"{key.harness}.{_name(key.session)}").unlink(missing_ok=True)

    def remove(self, key: Key) -> None:
        """Forget a session."""
        self._path(key).unlink(missing_ok=True)

    @contextlib.contextmanager
    def worker(self) -> Iterator[bool]:
        """Hold the worker's lock; False when another holds it."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with (self.folder / "worker.lock").open("ab") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
                return
            yield True

    def note(self, name: str) -> Any:
        """A small value that was kept under *name*; None when there is none."""
        try:
            return json.loads((self.folder / f"{name}.json").read_bytes())
        except (OSError, ValueError):
            return None

    def keep(self, name: str, value: Any) -> None:
        """Keep a small value under *name*."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = self.folder / f"{name}.json"
        fresh = path.with_suffix(f".{os.getpid()}.new")
        fresh.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
        fresh.replace(path)

    def _path(self, key: Key) -> Path:
        return self.folder / key.harness / f"{_name(key.session)}.jsonl"

    def _write(self, descriptor: int, found: bytes, key: Key, rows: tuple[Mapping[str, Any], ...], t: datetime) -> bool:
        if not rows:
            return False
        stamp = t.isoformat(timespec="milliseconds")
        head: list[Row] = [] if found else [{"kind": "session", "harness": key.harness, "session": key.session}]
        data = b"\n" if found and not found.endswith(b"\n") else b""
        for row in (*head, *rows):
            line = json.dumps({"t": stamp, **row}, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"
            room = self._max - (_RESERVED if "text" in row and self._max > 2 * _RESERVED else 0)
            if len(found) + len(data) + len(line) <= room:
                data += line
        if not data.strip():
            return False
        os.write(descriptor, data)
        return True


def _name(session: str) -> str:
    """A file name for a session's id, which may be anything."""
    safe = re.sub(r"[^A-Za-z0-9_-]", "", session)[:48]
    return f"{safe or 'x'}-{hashlib.sha256(session.encode('utf-8', 'surrogatepass')).hexdigest()[:10]}"


def _rows(data: bytes) -> list[Row]:
    found = []
    for line in data.splitlines():
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            continue  # cut off by a crash or a full disk
        if isinstance(row, dict):
            found.append(row)
    return found
