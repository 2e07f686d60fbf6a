"""Undo, history and autocommit."""

from __future__ import annotations

import logging
from datetime import datetime

from vaultkit.app import App
from vaultkit.store import git
from vaultkit.store.files import Run, Undone

log = logging.getLogger(__name__)


def undo(app: App, *, run: str = "", session: str = "", since: datetime | None = None, dry_run: bool = False) -> Undone:
    """Take back runs of vaultkit: the last one, one by its id, all of a session, or all since a time."""
    undone = app.files.undo(run=run, session=session, since=since, now=app.clock(), dry_run=dry_run)
    if not dry_run:
        app.catch_up()
        if app.config.rules_files:  # what mirrors the rules outside the vault follows them back
            from vaultkit.operations.promotion import mirror

            for line in mirror(app)[1]:
                log.warning("%s", line)
    return undone


def history(app: App, *, limit: int = 20) -> list[Run]:
    """What vaultkit changed, newest first."""
    return app.files.runs(limit=limit)


def autocommit(app: App, *, message: str = "", allow_outer: bool = False) -> git.Commit:
    """Commit the vault if anything changed and nothing forbids it (memory.md M2)."""
    return git.autocommit(app.root, now=app.clock(), message=message, allow_outer=allow_outer)
