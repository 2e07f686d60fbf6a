"""What was parsed, kept between runs: one SQLite file, derived, dropped whole when in doubt.

The engines encode and decode; here are only bytes by path. `indexed` remembers which rows the search index has committed, so that a
process killed between the two never leaves them silently disagreeing: an unmarked row is indexed again, which is idempotent.
"""

from __future__ import annotations

import contextlib
import fcntl
import sqlite3
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from vaultkit.errors import IndexUnavailableError, VaultBusyError

# Raise it whenever the meaning of any blob changes: parser, date grammar, row layout.
SCHEMA = 3

# What the engines made of a file, by the file's number: the path is kept once, for it is as long as some rows.
_BLOBS = ("heads", "notes", "extracts", "seen", "records")

# What is made of a file only when it is first asked for; dropped when the file changes.
_LATER = ("outlines",)

_TABLES = """
CREATE TABLE IF NOT EXISTS files (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, mtime_ns INTEGER NOT NULL, size INTEGER NOT NULL,
                                  hash TEXT NOT NULL, kind INTEGER NOT NULL, indexed INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS gone (path TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
""" + "".join(f"CREATE TABLE IF NOT EXISTS {name} (id INTEGER PRIMARY KEY, data BLOB NOT NULL);\n" for name in (*_BLOBS, *_LATER))


class Row(NamedTuple):
    """One file as it was when it was last looked at. *kind*: 0 other, 1 note, 2 canvas, 3 unreadable note."""

    path: str
    mtime_ns: int
    size: int
    hash: str
    kind: int
    indexed: int = 0


class Parsed(NamedTuple):
    """A row with what the engines made of the file; *extract* is empty where there is nothing to warn about."""

    row: Row
    head: bytes
    note: bytes
    extract: bytes
    seen: bytes = b""
    record: bytes = b""  # what recall scores


class Cache:
    """The cache of one vault in *folder*."""

    def __init__(self, folder: Path, *, timeout: float = 10.0) -> None:
        self.path = folder / f"notes-{SCHEMA}-{sys.version_info.major}{sys.version_info.minor}.sqlite"
        self._timeout = timeout
        self._db = self._open()
        self._version = int(self._db.execute("PRAGMA data_version").fetchone()[0])

    def close(self) -> None:
        """Release the file."""
        self._db.close()

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        """Only one process at a time brings cache and search index up to date. Raises VaultBusyError when another takes too long."""
        deadline = time.monotonic() + self._timeout
        try:
            file = self.path.with_name("sync.lock").open("ab")
        except OSError as error:
            raise _unusable(self.path.parent, error) from error
        with file:
            while True:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if time.monotonic() > deadline:
                        raise VaultBusyError("another vaultkit process is reading the vault", hint="wait for it, then retry") from None
                    time.sleep(0.01)
            yield  # closing the file frees the lock, and so does a kill

    def changed_elsewhere(self) -> bool:
        """Has another process written the cache since this was last asked?"""
        with self._reading():
            version = int(self._db.execute("PRAGMA data_version").fetchone()[0])
        changed, self._version = version != self._version, version
        return changed

    def manifest(self) -> dict[str, Row]:
        """Every known file by path."""
        with self._reading():
            return {row[0]: Row(*row) for row in self._db.execute("SELECT path, mtime_ns, size, hash, kind, indexed FROM files")}

    def store(self, parsed: Iterable[Parsed], removed: Iterable[str], touched: Iterable[Row] = ()) -> None:
        """Replace rows in one transaction; *touched* are files whose time changed but not their content."""
        with self._writing() as db:
            for item in parsed:
                number = db.execute(
                    "INSERT INTO files (path, mtime_ns, size, hash, kind, indexed) VALUES (?, ?, ?, ?, ?, 0) ON CONFLICT (path) DO UPDATE SET "
                    "mtime_ns = excluded.mtime_ns, size = excluded.size, hash = excluded.hash, kind = excluded.kind, indexed = 0 RETURNING id",
                    item.row[:5],
                ).fetchone()[0]
                for name, data in zip(_BLOBS, (item.head, item.note, item.extract, item.seen, item.record), strict=True):
                    _put(db, name, number, data)
                for name in _LATER:
                    _put(db, name, number, b"")
            db.executemany(
                "UPDATE files SET mtime_ns = ?, size = ? WHERE path = ?", [(row.mtime_ns, row.size, row.path) for row in touched]
            )
            for path in removed:
                db.execute("INSERT OR REPLACE INTO gone SELECT path FROM files WHERE path = ? AND kind = 1", (path,))
                for name in (*_BLOBS, *_LATER):
                    db.execute(f"DELETE FROM {name} WHERE id = (SELECT id FROM files WHERE path = ?)", (path,))  # noqa: S608 - our own names
                db.execute("DELETE FROM files WHERE path = ?", (path,))

    def pending(self) -> tuple[list[str], list[str]]:
        """Notes that the search index has not committed yet, and notes that it still has to forget."""
        with self._reading():
            wanted = [path for (path,) in self._db.execute("SELECT path FROM files WHERE kind = 1 AND indexed = 0 ORDER BY path")]
            gone = [path for (path,) in self._db.execute("SELECT path FROM gone WHERE path NOT IN (SELECT path FROM files WHERE kind = 1)")]
        return wanted, gone

    def mark_indexed(self, rows: Sequence[tuple[str, str]], gone: Sequence[str], generation: str) -> None:
        """The search index has committed these (path, hash) and forgotten those; it is now of that *generation*."""
        with self._writing() as db:
            db.execute("INSERT OR REPLACE INTO meta VALUES ('generation', ?)", (generation,))
            db.executemany("UPDATE files SET indexed = 1 WHERE path = ? AND hash = ?", rows)
            db.executemany("DELETE FROM gone WHERE path = ?", [(path,) for path in gone])

    def forget_index(self) -> None:
        """The search index was lost: every note has to be indexed again."""
        with self._writing() as db:
            db.execute("UPDATE files SET indexed = 0")
            db.execute("DELETE FROM gone")

    def heads(self) -> dict[str, bytes]:
        """The small part of every note, for commands that need all of them at once."""
        return self._blobs("heads")

    def head(self, paths: Iterable[str]) -> dict[str, bytes]:
        """The small part of these notes."""
        return self._some("heads", paths)

    def notes(self) -> dict[str, bytes]:
        """Every whole note."""
        return self._blobs("notes")

    def note(self, paths: Iterable[str]) -> dict[str, bytes]:
        """These whole notes."""
        return self._some("notes", paths)

    def extracts(self) -> dict[str, bytes]:
        """What lookahead and lint read, of the notes that have any."""
        return self._blobs("extracts")

    def seen(self, paths: Iterable[str]) -> dict[str, bytes]:
        """What the items of these notes said when field and body last agreed."""
        return self._some("seen", paths)

    def records(self, paths: Iterable[str]) -> dict[str, bytes]:
        """What recall scores of these notes."""
        return self._some("records", paths)

    def outlines(self) -> dict[str, bytes]:
        """What queries need of the notes' text beyond the notes, as far as it was made."""
        return self._blobs("outlines")

    def keep_outlines(self, made: Iterable[tuple[str, str, bytes]]) -> None:
        """Keep these: path, hash of the file that it was made from, data. Those of files that changed meanwhile are left out."""
        with self._writing() as db:
            db.executemany("INSERT OR REPLACE INTO outlines SELECT id, ?3 FROM files WHERE path = ?1 AND hash = ?2", made)

    def forget_outlines(self) -> None:
        """They were made by other rules."""
        with self._writing() as db:
            db.execute("DELETE FROM outlines")

    def meta(self, name: str) -> str:
        """A remembered word, "" when there is none."""
        with self._reading():
            found = self._db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return str(found[0]) if found else ""

    def remember(self, name: str, value: str) -> None:
        """Set a remembered word."""
        with self._writing() as db:
            db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))

    def _blobs(self, table: str) -> dict[str, bytes]:
        with self._reading():
            return dict(self._db.execute(f"SELECT path, data FROM {table} JOIN files USING (id) ORDER BY path"))  # noqa: S608 - a name of this module

    def _some(self, table: str, paths: Iterable[str]) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        with self._reading():
            for path in paths:
                row = self._db.execute(f"SELECT data FROM {table} JOIN files USING (id) WHERE path = ?", (path,)).fetchone()  # noqa: S608
                if row:
                    found[path] = row[0]
        return found

    def _open(self) -> sqlite3.Connection:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            if not self.path.exists():
                self._drop_older()
            try:
                return self._connect()
            except sqlite3.DatabaseError as error:
                if _is_busy(error):
                    raise VaultBusyError("another vaultkit process is writing the cache", hint="wait a moment, then retry") from error
                self._drop()
                return self._connect()
        except (OSError, sqlite3.Error) as error:
            raise _unusable(self.path.parent, error) from error

    def _connect(self) -> sqlite3.Connection:
        db = sqlite3.connect(self.path, timeout=self._timeout, isolation_level=None, check_same_thread=False)
        try:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = NORMAL")
            db.executescript(_TABLES)
            db.execute("SELECT 1 FROM files LIMIT 1").fetchone()
        except sqlite3.Error:
            db.close()
            raise
        return db

    def _drop(self) -> None:
        """Remove the file and its companions: everything in it can be made again from the notes."""
        for suffix in ("", "-wal", "-shm", "-journal"):
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)

    def _drop_older(self) -> None:
        """Remove what earlier versions left: nobody reads it again."""
        for file in self.path.parent.glob("notes-*.sqlite*"):
            number = file.name.split("-")[1]
            if number.isdecimal() and int(number) < SCHEMA:
                file.unlink(missing_ok=True)

    @contextlib.contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise self._lost(error) from error

    @contextlib.contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            raise self._lost(error) from error

    def _lost(self, error: sqlite3.Error) -> Exception:
        if _is_busy(error):
            return VaultBusyError("another vaultkit process is writing the cache", hint="wait a moment, then retry")
        return IndexUnavailableError(
            f"the cache {self.path} is damaged or full: {error}", hint="delete that file; it is made again from the notes"
        )


def _put(db: sqlite3.Connection, table: str, number: int, data: bytes) -> None:
    if data:
        db.execute(f"INSERT OR REPLACE INTO {table} VALUES (?, ?)", (number, data))  # noqa: S608 - a name of this module
    else:
        db.execute(f"DELETE FROM {table} WHERE id = ?", (number,))  # noqa: S608


def _unusable(folder: Path, error: Exception) -> IndexUnavailableError:
    return IndexUnavailableError(
        f"the cache {folder} cannot be used: {error}", hint="make that folder writable, or set XDG_CACHE_HOME to one that is"
    )


def _is_busy(error: sqlite3.Error) -> bool:
    return isinstance(error, sqlite3.OperationalError) and ("locked" in str(error) or "busy" in str(error))
