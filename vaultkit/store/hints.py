"""Search terms that a model proposed for a prompt, until the prompt that asked, or the session's next one, takes them.

    folder/hints/<session>.json    one answer a session: the id of the turn that asked, the time, the terms; gone when it was taken
    folder/hints/asking.lock       one question at a time a vault, in whatever process

Terms come from a prompt's words, so they stand here only until they are used, or too old to be.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

FRESH: Final = 1800.0  # seconds: what was asked before that has nothing to do with this turn


class Kept(NamedTuple):
    """An answer: which turn asked, and the terms."""

    turn: str
    terms: tuple[str, ...]


class HintShelf:
    """The answers of one vault, in *folder*."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "hints"

    def put(self, session: str, kept: Kept, *, t: float) -> None:
        """Keep an answer for the session, in the place of an earlier one. *t* is in seconds. A folder that cannot be written keeps none."""
        path = self._path(session)
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            fresh = path.with_suffix(f".{os.getpid()}.new")
            descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                json.dump({"turn": kept.turn, "t": t, "terms": kept.terms}, file)
            fresh.replace(path)

    def take(self, session: str, *, t: float, turn: str = "") -> Kept | None:
        """The session's answer, taken off the shelf; with *turn* only one that this turn asked for."""
        path = self._path(session)
        try:
            found = json.loads(path.read_bytes())
            kept = Kept(str(found["turn"]), tuple(map(str, found["terms"])))
            fresh = 0 <= t - float(found["t"]) <= FRESH
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError):
            kept, fresh = Kept("", ()), False
        if turn and fresh and kept.turn != turn:
            return None
        with contextlib.suppress(OSError):
            path.unlink()
        return kept if fresh else None

    @contextlib.contextmanager
    def asking(self) -> Iterator[bool]:
        """False when a question is being asked already: a slow model must not be asked by every prompt anew."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            descriptor = os.open(self._folder / "asking.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError:
            yield False
            return
        try:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                yield False
                return
            yield True
        finally:
            os.close(descriptor)

    def _path(self, session: str) -> Path:
        return self._folder / f"{hashlib.sha256(session.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}.json"
