"""Research under way: a marker that `research begin` leaves in the state folder and `research save` takes away.

No harness says when a skill has finished. A marker that still stands at the end of a turn is research whose findings were not stored.
"""

from __future__ import annotations

import contextlib
import json
import uuid
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple

from vaultkit.app import App
from vaultkit.errors import NotFoundError, UnavailableError, UsageError
from vaultkit.operations import capture
from vaultkit.text import tokens

STALE: Final = timedelta(days=7)  # after that nobody is still at it


class Unfinished(NamedTuple):
    """A question whose findings are not stored yet. *session* is "" when it was begun by hand."""

    id: str
    question: str
    session: str
    started: datetime


def begin(app: App, question: str, *, session: str = "") -> Unfinished:
    """Mark a question as being worked on. The same one of the same session is marked once."""
    question = " ".join(question.split())
    if not question:
        raise UsageError("what is the question?", hint='vaultkit research begin "How do others do it?"')
    session = session or app.session
    for one in standing(app):
        if one.question == question and one.session == session:
            return one
    made = Unfinished(uuid.uuid4().hex[:8], question[:_LONGEST], session, app.clock())
    folder = _folder(app)
    new = folder / f".{made.id}.new"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        new.write_text(json.dumps({**made._asdict(), "started": made.started.isoformat()}), "utf-8")  # escaped: any text can be kept
        new.replace(folder / f"{made.id}.json")
    except OSError as error:
        raise UnavailableError(
            f"{folder}: {error.strerror}", hint="make that folder writable; `research save` works without a marker"
        ) from error
    return made


def standing(app: App) -> list[Unfinished]:
    """All research that was begun and neither stored nor dropped, the oldest first."""
    return sorted(_read(app), key=lambda one: (one.started, one.id))


def unfinished_research(app: App, session: str) -> list[Unfinished]:
    """What a turn's end should ask about: of this session or of none that is known, and not yet stale."""
    since = app.clock() - STALE
    return [one for one in standing(app) if one.session in {"", session} and one.started >= since]


def save(app: App, ask: capture.Ask, *, only: str = "") -> capture.Saved:
    """Store findings and take away the marker that they end: that of the id *only*, else the one whose question fits their title best.

    A session's only marker is taken whatever the title says; of several with no word in common, none is. Refused findings end nothing.
    """
    chosen = _with_id(standing(app), only) if only else None
    saved = capture.research_save(app, ask)
    if saved.refusal is None and not ask.dry_run:
        chosen = chosen or _fitting(app, saved.receipt.title)
        if chosen is not None:
            _remove(app, chosen)
    return saved


def _fitting(app: App, title: str) -> Unfinished | None:
    # Who saves may not know its session, and neither may who began.
    own = [one for one in standing(app) if not app.session or one.session in {"", app.session}]
    ranked = sorted(own, key=lambda one: -_alike(one.question, title))
    return ranked[0] if len(ranked) == 1 or (ranked and _alike(ranked[0].question, title)) else None


def drop(app: App, marker: str) -> Unfinished:
    """Give a question up: its marker goes, no note is touched."""
    chosen = _with_id(standing(app), marker)
    _remove(app, chosen)
    return chosen


_LONGEST: Final = 500


def _with_id(found: list[Unfinished], marker: str) -> Unfinished:
    chosen = next((one for one in found if one.id == marker), None)
    if chosen is None:
        raise NotFoundError(f"no research with the id {marker!r} is under way", hint="`vaultkit research status` lists them")
    return chosen


def _folder(app: App) -> Path:
    return app.places.state / "research"


def _read(app: App) -> Iterator[Unfinished]:
    folder = _folder(app)
    for file in folder.glob("*.json") if folder.is_dir() else ():
        with contextlib.suppress(OSError, ValueError, TypeError, LookupError):  # damaged, or taken away meanwhile: it marks nothing
            row = json.loads(file.read_text("utf-8"))
            yield Unfinished(
                file.stem, str(row["question"]), str(row["session"]), datetime.fromisoformat(row["started"]).replace(tzinfo=None)
            )


def _remove(app: App, one: Unfinished) -> None:
    (_folder(app) / f"{one.id}.json").unlink(missing_ok=True)


def _alike(question: str, title: str) -> float:
    """Share of the question's words that stand in *title*."""
    wanted = set(tokens.index_tokens(question))
    return len(wanted & set(tokens.index_tokens(title))) / len(wanted) if wanted else 0.0
