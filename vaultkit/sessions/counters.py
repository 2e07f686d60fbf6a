"""Use, folded from the activity log into frontmatter in one batch: only of notes that vaultkit wrote and nobody touched for ten minutes.

What cannot be folded now is kept for the next time. Every machine adds what happened on it, so that counters of two machines add up.
"""

from __future__ import annotations

import logging
from typing import Any, Final

from vaultkit.app import App
from vaultkit.errors import VaultkitError
from vaultkit.store.files import DiskError
from vaultkit.text import frontmatter
from vaultkit.text.edit import Edit, Rewrite, hash_of, to_bytes, to_text

log = logging.getLogger(__name__)

_NOTE: Final = "folded"
_QUIET: Final = 600.0  # seconds
_MOST: Final = 40  # notes at one time: the session's cap on rewrites is for its own work
# The properties that a note of ours begins with, in this order; a person's note has not all of them.
_OURS: Final = ("title", "description", "tags", "scope", "type", "status")
ORDER: Final = (*_OURS, "accessed", "last_accessed", "useful")


def fold(app: App) -> int:
    """Write the counters; the number of notes that got theirs."""
    if app.config.counters != "frontmatter":
        return 0
    waiting, until = _gather(app)
    edits: list[Edit] = []
    done: set[str] = set()
    now = app.clock().timestamp()
    manifest = app.manifest()
    for path, count in waiting.items():
        row = manifest.get(path)
        if row is None:
            done.add(path)  # gone, and its counters with it
        elif len(edits) < _MOST and now - row.mtime_ns / 1e9 >= _QUIET:
            edit = _edit(app, path, count)
            if edit is not None:
                edits.append(edit)
            done.add(path)
    if edits:
        try:
            app.commit(edits, command="session work: counters")
        except (VaultkitError, DiskError) as error:  # somebody changed one of them meanwhile: all of them the next time
            log.warning("counters are not folded: %s", error)
            return 0
    app.sessions.keep(_NOTE, {"until": until, "waiting": {path: count for path, count in waiting.items() if path not in done}})
    return len(edits)


def _gather(app: App) -> tuple[dict[str, list[Any]], str]:
    """What waits for each note: how often opened, on which day last, how often useful; and up to when events are in it."""
    kept = app.sessions.note(_NOTE)
    kept = kept if isinstance(kept, dict) else {}
    until = str(kept.get("until") or "")
    waiting: dict[str, list[Any]] = {path: list(count) for path, count in (kept.get("waiting") or {}).items()}
    last = until
    for event in app.activity.read(events=("opened", "judged"), since=until):
        t, path = str(event.get("t", "")), event.get("path")
        if t <= until or not isinstance(path, str):
            continue
        count = waiting.setdefault(path, [0, "", 0])
        if event["event"] == "opened":
            count[0] += 1
            count[1] = max(count[1], t[:10])
        elif event.get("useful"):
            count[2] += 1
        last = max(last, t)
    return {path: count for path, count in waiting.items() if any(count)}, last


def _edit(app: App, path: str, count: list[Any]) -> Edit | None:
    """The note with its counters; None for one that is not ours, or cannot be changed."""
    try:
        found = app.files.read(path)
        text = to_text(found.data)
        have = frontmatter.read(text).values
        keys = [key for key in have if key in _OURS]
        if tuple(keys) != _OURS:
            return None
        changes: dict[str, frontmatter.Change] = {"accessed": _number(have.get("accessed")) + count[0]}
        if count[1]:
            changes["last_accessed"] = max(str(have.get("last_accessed") or ""), count[1])
        changes["useful"] = _number(have.get("useful")) + count[2]
        return Rewrite(path, to_bytes(frontmatter.edit(text, changes, order=ORDER)), hash_of(found.data))
    except (VaultkitError, DiskError, OSError) as error:
        log.warning("no counter for %s: %s", path, error)
        return None


def _number(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
