"""Undo, history and autocommit."""

from __future__ import annotations

from datetime import datetime

from vaultkit.app import App
from vaultkit.store import git
from vaultkit.store.files import Run, Undone


def undo(app: App, *, run: str = "", session: str = "", since: datetime | None = None, dry_run: bool = False) -> Undone:
    """Take back runs of vaultkit: the last one, one by its id, all of a session, or all since a time."""
    undone = app.files.undo(run=run, session=session, since=since, now=app.clock(), dry_run=dry_run)
    if not dry_run:
        app.catch_up()
    return undone


def history(app: App, *, limit: int = 20) -> list[Run]:
    """What vaultkit changed, newest first."""
    return app.files.runs(limit=limit)


def autocommit(app: App, *, message: str = "", allow_outer: bool = False) -> git.Commit:
    """Commit the vault if anything changed and nothing forbids it (memory.md M2)."""
    return git.autocommit(app.root, now=app.clock(), message=message, allow_outer=allow_outer)
