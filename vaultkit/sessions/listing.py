"""The sessions that are kept, for people."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from vaultkit.app import App


class Listed(NamedTuple):
    """One session; *note* is the path of its note, "" while there is none."""

    harness: str
    session: str
    changed: str
    turns: int
    waits: bool
    note: str


def listing(app: App) -> list[Listed]:
    """All that are kept, the newest last."""
    queued = set(app.sessions.queued())
    found = []
    for key, changed in sorted(app.sessions.sessions(), key=lambda one: one[1]):
        rows = app.sessions.rows(key)
        note = next((str(row.get("note") or "") for row in reversed(rows) if row.get("kind") == "worked"), "")
        turns = sum(1 for row in rows if row.get("kind") == "asked")
        when = datetime.fromtimestamp(changed).isoformat(timespec="minutes", sep=" ")
        found.append(Listed(key.harness, key.session, when, turns, key in queued, note))
    return found
