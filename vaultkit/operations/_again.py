"""Work that is planned anew when another program changed a note between its reading and its writing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from vaultkit.app import App
from vaultkit.errors import NoteChangedError

T = TypeVar("T")

_TRIES = 4


def settled(app: App, work: Callable[[], T]) -> T:
    """What *work* returns. Nothing is written when a note changed under it, so it may read again and retry; the last try's error stands."""
    for _ in range(_TRIES - 1):
        try:
            return work()
        except NoteChangedError:
            app.sync()
    return work()
