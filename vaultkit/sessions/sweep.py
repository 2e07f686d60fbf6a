"""Transcripts as a backstop: what hooks did not tell of, or could not, is read from the harness's own files.

A harness is swept only from the time on that it is known here, and only in folders that are: those that its hooks named, or that `watch` was told
of when it was installed. Another project's sessions are nobody's business.
"""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from vaultkit import harness
from vaultkit.app import App
from vaultkit.sessions import capture
from vaultkit.store import transcripts
from vaultkit.store.sessions import Key

_NOTE: Final = "watched"
_BYTES: Final = 2_000_000  # of a transcript's end
_HEAD: Final = 65_536
_QUIET: Final = 600.0  # seconds without a row: nobody is at work in it any more
ENDED: Final = 1800.0  # seconds without a row: the session has ended, whatever its hooks said
_MOST: Final = 200  # transcripts at one time


def watch(app: App, name: str, folder: str = "") -> None:
    """From now on take up sessions of the harness *name* in *folder* ("": anywhere), whether or not its hooks fire."""
    known = _watched(app)
    if not any(one["harness"] == name and one["folder"] == folder for one in known):
        app.sessions.keep(_NOTE, [*known, {"harness": name, "folder": folder, "since": app.clock().timestamp()}])


def unwatch(app: App, name: str) -> None:
    """Sweep the harness *name* no more."""
    app.sessions.keep(_NOTE, [one for one in _watched(app) if one["harness"] != name])


def sweep(app: App) -> int:
    """Add what the transcripts say and the sessions' files have not; the number of rows added."""
    _learn(app)
    added = 0
    for name in dict.fromkeys(one["harness"] for one in _watched(app)):
        added += _sweep(app, name, [one for one in _watched(app) if one["harness"] == name])
    return added


def complete(app: App, key: Key) -> int:
    """Add what is missing of one session that has ended."""
    rows = app.sessions.rows(key)
    path = next((row["transcript"] for row in reversed(rows) if isinstance(row.get("transcript"), str)), "")
    if not path:
        found = transcripts.find(key.harness, since=0.0, home=Path.home(), environment=os.environ)
        path = next((one.path for one in found if one.session == key.session), "")
    return capture.add(app, key, harness.turns_of(key.harness, transcripts.tail(path, _BYTES))) if path else 0


def _sweep(app: App, name: str, watched: list[dict[str, Any]]) -> int:
    now = app.clock().timestamp()
    seen = app.sessions.note("swept")
    marks: dict[str, float] = seen if isinstance(seen, dict) else {}
    since = max(min(float(one["since"]) for one in watched), float(marks.get(name, 0.0)) - _QUIET)
    added = 0
    finished = now
    for one in sorted(transcripts.find(name, since=since, home=Path.home(), environment=os.environ), key=lambda one: one.changed)[:_MOST]:
        if now - one.changed < _QUIET:
            finished = min(finished, one.changed)  # still at work: looked at again
            continue
        session, cwd = harness.head_of(transcripts.head(one.path, _HEAD))
        if any(_covers(place, cwd, one.changed) for place in watched):
            key = Key(name, session or one.session)
            said = harness.turns_of(name, transcripts.tail(one.path, _BYTES))
            fresh = capture.add(app, key, said, extra={"cwd": cwd, "transcript": one.path})
            if fresh and now - one.changed >= ENDED:
                app.sessions.queue(key)
            added += fresh
    app.sessions.keep("swept", {**marks, name: finished})
    return added


def _covers(place: dict[str, Any], cwd: str, changed: float) -> bool:
    folder = str(place["folder"])
    return changed > float(place["since"]) and (not folder or cwd == folder or cwd.startswith(f"{folder.rstrip('/')}/"))


def _learn(app: App) -> None:
    """Folders that hooks named."""
    for key, _ in app.sessions.sessions():
        rows = app.sessions.rows(key)
        cwd = next((row["cwd"] for row in rows if isinstance(row.get("cwd"), str) and row["cwd"].startswith("/")), "")
        if cwd and not any(one["harness"] == key.harness and one["folder"] in {"", cwd} for one in _watched(app)):
            since = datetime.fromisoformat(str(rows[0].get("t"))).timestamp()
            app.sessions.keep(_NOTE, [*_watched(app), {"harness": key.harness, "folder": cwd, "since": since}])


def _watched(app: App) -> list[dict[str, Any]]:
    found = app.sessions.note(_NOTE)
    return [one for one in found if isinstance(one, dict) and {"harness", "folder", "since"} <= set(one)] if isinstance(found, list) else []
