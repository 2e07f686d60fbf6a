"""What was asked and answered, into the session's file: redacted, bounded, each turn once, out of an event or of the harness's transcript."""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import Any, Final

from vaultkit import harness
from vaultkit.app import App
from vaultkit.harness import Event, Turn
from vaultkit.store.sessions import Key, Row
from vaultkit.store.transcripts import tail
from vaultkit.text.secrets import redact

LONGEST: Final = 4_000  # characters of one thing said
_TOOL: Final = 240  # of what a tool was used on
_TAIL: Final = 400_000  # bytes of a transcript that are read at an event


def kept(text: str, size: int = LONGEST) -> str:
    """*text* as it may be stored."""
    whole = redact(text[: LONGEST * 2])  # a secret is not cut in two before it is seen
    return whole if len(whole) <= size else f"{whole[:size]}…"


def place(event: Event) -> dict[str, Any]:
    """Where the session runs and is written down, as far as the event says."""
    return {name: value for name, value in (("cwd", event.cwd), ("transcript", event.transcript)) if value}


def turn(app: App, event: Event) -> int:
    """Add what the turn said; how many rows."""
    if not app.config.capture_turns:
        return 0
    said = [Turn("asked", event.prompt)] if event.prompt else []
    if event.answer:
        said.append(Turn("answered", event.answer))
    if not event.answer and event.transcript:
        return from_transcript(app, event)
    return add(app, Key(event.harness, event.session), said, extra=place(event))


def from_transcript(app: App, event: Event) -> int:
    """Add what the end of the transcript says and the file has not; how many rows."""
    if not app.config.capture_turns or not event.transcript:
        return 0
    lines = tail(event.transcript, _TAIL)
    key = Key(event.harness, event.session)
    app.sessions.append(key, {"kind": "swept", **place(event)}, t=app.clock())
    return add(app, key, harness.turns_of(event.harness, lines))


def add(app: App, key: Key, said: list[Turn], *, extra: dict[str, Any] | None = None) -> int:
    """Add those of *said* that the session's file does not have yet; the number added."""
    added = 0

    def decide(rows: list[Row]) -> tuple[Row, ...]:
        nonlocal added
        have = {row.get("mark") for row in rows if row.get("kind") in {"asked", "answered", "did"}}
        fresh: dict[str, Row] = {}
        for one in said:
            mark = mark_of(one)
            if mark not in have:
                text = kept(one.text, _TOOL if one.role == "did" else LONGEST)
                fresh.setdefault(mark, {"kind": one.role, "mark": mark, "text": text, **_when(one.t), **(extra or {})})
        added = len(fresh)
        return tuple(fresh.values())

    app.sessions.claim(key, decide, t=app.clock())
    return added


def _when(t: str) -> Row:
    """When it was said, as the transcript has it: local time, as all rows have."""
    try:
        said = datetime.fromisoformat(t)
    except ValueError:
        return {}
    return {"t": (said.astimezone().replace(tzinfo=None) if said.tzinfo else said).isoformat(timespec="milliseconds")}


def mark_of(said: Turn) -> str:
    """What tells one thing said from another, however often it is handed in. A prompt's mark is that of its text alone."""
    text = said.text if said.role == "asked" else f"{said.role}\n{said.text}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
