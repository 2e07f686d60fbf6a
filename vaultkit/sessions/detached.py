"""The worker as a process of its own: new session, closed streams, and marked so that what it starts fires no hooks."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

from vaultkit.app import App

INTERNAL: Final = "VAULTKIT_INTERNAL"
_SWEEP_SECONDS: Final = 900.0  # a start looks for what was left at most so often


def start(app: App) -> None:
    """Start a worker for this vault, unless one is at work: it looks at the queue again before it ends."""
    with app.sessions.worker() as free:
        if not free:
            return
    with Path(os.devnull).open("r+b") as null:
        actions = [(os.POSIX_SPAWN_DUP2, null.fileno(), number) for number in (0, 1, 2)]
        os.posix_spawn(
            sys.executable,
            [sys.executable, "-P", "-m", "vaultkit", "--vault", str(app.root), "session", "work"],
            {**os.environ, INTERNAL: "1"},
            file_actions=actions,
            setsid=True,
        )


def take_up(app: App) -> None:
    """Start a worker when something waits, or when nobody has looked for a while."""
    now = app.clock().timestamp()
    last = app.sessions.note("looked")
    if app.sessions.queued() or not isinstance(last, (int, float)) or now - last > _SWEEP_SECONDS:
        try:
            app.sessions.keep("looked", now)
            start(app)
        except OSError:
            return  # a full disk: the next start tries again
