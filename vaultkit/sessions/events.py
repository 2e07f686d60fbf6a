"""The six events, each as one function from an Event to the text that it answers with."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple

from vaultkit import harness
from vaultkit.app import App
from vaultkit.harness import Event
from vaultkit.operations import context as contexts
from vaultkit.operations import recall, research
from vaultkit.recall.digest import CLOSING, OPENING, cut, inert
from vaultkit.sessions import capture, detached
from vaultkit.sessions.log import log_run
from vaultkit.store.sessions import Key, Row


def needs_vault(name: str, kind: str) -> bool:
    """Does this hook look into the vault? The others only write beside it: they wait for nobody, and nobody for them."""
    return kind in {"start", "prompt"} or (kind == "compact" and name in harness.DIALECTS and kind in harness.DIALECTS[name].answers)


class Answer(NamedTuple):
    """What a hook prints; *trouble* is one line for stderr, "" for none."""

    out: bytes
    trouble: str = ""


class Call(NamedTuple):
    """Who asks. *run* is the same when one hook's work is done twice (a late daemon, then the hook itself)."""

    served_by: str
    run: str = ""


def hook(app: App, name: str, kind: str, payload: bytes, environment: Mapping[str, str], call: Call) -> Answer:
    """What the hook *kind* of the harness *name* prints. Never raises for what a harness may send; VaultkitError for a vault in trouble."""
    began = time.perf_counter()
    outcome = "error"
    out = b""
    try:
        event = harness.parse(name, kind, payload, environment)
        text, outcome = ("", f"skipped: {event.skip}") if event.skip else _ACTS[kind](app, event, call)
        out = harness.render(event, text)
        return Answer(out)
    except harness.NoEventError as error:
        outcome = "malformed"
        return Answer(b"", f"vaultkit hook: {error}")
    finally:
        told = (name if name in harness.HARNESSES else "unknown", kind if kind in harness.EVENTS else "unknown")
        log_run(
            app.places.state,
            t=app.clock(), harness=told[0], kind=told[1], ms=(time.perf_counter() - began) * 1000,
            size=len(out), outcome=outcome, served_by=call.served_by,
        )  # fmt: skip


Told = tuple[str, str]  # the text, and the outcome for the log


def _start(app: App, event: Event, call: Call) -> Told:
    detached.take_up(app)
    now = app.clock()
    way: list[harness.Starting] = []

    def decide(rows: list[Row]) -> Sequence[Row]:
        chosen = event.starting
        if chosen == "none" and not _was_started(rows):
            chosen = "whole"  # its start was not seen, so there is nothing that it could keep
        if _is_repeated(rows, event, now, call.run):
            chosen = "none"
        way.append(chosen)
        row = {"kind": "start", "source": event.source, "given": chosen, "run": call.run, **capture.place(event)}
        return (row, {"kind": "forget"}) if event.source in _FORGETFUL else (row,)

    app.sessions.claim(_key(event), lambda rows: tuple(decide(rows)), t=now)
    chosen = way[0] if way else event.starting
    if chosen in {"none", "later"}:
        return "", f"start {chosen}"
    text = _context(app, event, chosen)
    return text, f"start {chosen}" if text else "start empty"


_FORGETFUL: Final = frozenset({"compact", "compress", "clear"})
_TOGETHER: Final = timedelta(seconds=60)  # two starts with nothing between them are one


def _context(app: App, event: Event, part: harness.Starting) -> str:
    cwd = Path(event.cwd) if event.cwd.startswith("/") else Path("/")
    return contexts.context(app, cwd=cwd, harness=event.harness, part=_PARTS.get(part, "whole")).text


_PARTS: Final[Mapping[str, contexts.Part]] = {"compacted": "compacted", "resumed": "resumed"}


def _was_started(rows: list[Row]) -> bool:
    return any(row.get("kind") == "start" and row.get("given") != "none" for row in rows)


def _is_repeated(rows: list[Row], event: Event, now: datetime, run: str) -> bool:
    """Was the same session started a moment ago, and nothing happened since that could have lost the text?"""
    breaks = {"asked", "answered", "end"} | (set() if event.dialect.pairs else {"compact"})
    for row in reversed(rows):
        if row.get("kind") in breaks:
            return False
        if row.get("kind") == "start" and row.get("given") not in {"none", None} and not (run and row.get("run") == run):
            return _age(row, now) <= _TOGETHER
    return False


def _prompt(app: App, event: Event, call: Call) -> Told:
    now = app.clock()
    shown: set[str] = set()
    owed: list[bool] = []
    twice: list[bool] = []
    noticed: set[str] = set()
    mark = hashlib.sha256(event.prompt.encode("utf-8", "surrogatepass")).hexdigest()[:12]

    def decide(rows: list[Row]) -> tuple[Row, ...]:
        own = [row for row in rows if call.run and row.get("run") == call.run]  # the daemon was late: the same prompt again
        rows = [row for row in rows if row not in own]
        last = rows[-1] if rows else {}
        asked = next((row for row in reversed(rows[-4:]) if row.get("kind") == "asked"), {})
        if asked.get("mark") == mark and last.get("kind") in {"asked", "shown", "reminded"} and _age(asked, now) <= _TWICE:
            twice.append(True)
            return ()  # the hook is registered twice
        shown.update(_shown(rows))
        owed.append(_owes(rows, event))
        noticed.update(_ids(rows, "unfinished") - _ids(rows, "reminded"))
        row = {"kind": "asked", "mark": mark, "run": call.run, "owed": owed[0], **capture.place(event)}
        if app.config.capture_turns:
            row["text"] = capture.kept(event.prompt)
        return () if own else (row,)

    app.sessions.claim(_key(event), decide, t=now)
    if twice:
        return "", "skipped: twice"
    start = _context(app, event, "whole") if (owed and owed[0]) or (event.first and not event.session) else ""
    ask = recall.Ask(
        event.prompt, session=event.session, harness=event.harness, served_by=call.served_by, hook=True, shown=frozenset(shown)
    )
    found = recall.recall(app, ask)
    if found.notes:
        app.sessions.append(_key(event), {"kind": "shown", "paths": [note.path for note in found.notes], "run": call.run}, t=now)
    text = "\n".join(filter(None, (start, found.text, _reminder(app, event, noticed))))
    return text, f"{found.used} {found.confidence}" if found.text else f"nothing: {found.fallback or found.confidence}"


_TWICE: Final = timedelta(seconds=3)


def _ids(rows: list[Row], kind: str) -> set[str]:
    return {str(one) for row in rows if row.get("kind") == kind for one in row.get("ids", ())}


def _reminder(app: App, event: Event, noticed: set[str]) -> str:
    """Research that a turn's end found begun and not stored: told once, if that still holds."""
    left = [one for one in research.unfinished_research(app, event.session) if one.id in noticed] if noticed else []
    if not left:
        return ""
    app.sessions.append(_key(event), {"kind": "reminded", "ids": [one.id for one in left]}, t=app.clock())
    lines = [f"- {cut(inert(one.question), 200)} (--id {one.id})" for one in left[:5]]
    return "\n".join([OPENING, "Research begun and not stored yet; its findings go into `vaultkit research save FILE`:", *lines, CLOSING])


def _shown(rows: list[Row]) -> set[str]:
    """What this session was shown since it began or was compacted."""
    found: set[str] = set()
    for row in rows:
        if row.get("kind") == "shown":
            found |= {path for path in row.get("paths", ()) if isinstance(path, str)}
        elif row.get("kind") in {"compact", "forget"}:
            found = set()
    return found


def _owes(rows: list[Row], event: Event) -> bool:
    """Does the start's text come with this prompt?"""
    if event.first:
        return not _was_started(rows) and not any(row.get("owed") for row in rows)
    for row in reversed(rows):
        if row.get("owed") or (row.get("kind") == "start" and row.get("given") not in {"later", "none"}):
            return False
        if row.get("kind") == "start" and row.get("given") == "later":
            return True
        if row.get("kind") == "compact" and event.dialect.forgets_late:
            return True
    return False


def _tool(app: App, event: Event, call: Call) -> Told:
    del call
    opened = list(dict.fromkeys(filter(None, (_note(app, word, event.cwd) for word in event.reads))))
    counted = _counted(app) if event.ours and opened else frozenset()
    for path in (path for path in opened if path not in counted):
        app.activity.append("opened", t=app.clock(), path=path, session=event.session, harness=event.harness)
    if opened:
        app.sessions.append(_key(event), {"kind": "opened", "paths": opened}, t=app.clock())
    return "", f"opened {len(opened)}"


def _counted(app: App) -> frozenset[object]:
    """The notes that the MCP server has counted as read a moment ago."""
    since = (app.clock() - _MOMENT).isoformat(timespec="milliseconds")
    return frozenset(row.get("path") for row in app.activity.latest(events=("opened",), since=since) if row.get("harness") == "mcp")


_MOMENT: Final = timedelta(seconds=20)


def _note(app: App, word: str, cwd: str) -> str:
    """The vault path of the note that *word* names, "" when it is none. Symlinks are followed first: only what is inside counts."""
    root = os.path.realpath(app.root)
    for base in (cwd, root):
        if not word.startswith(("/", "~")) and not base.startswith("/"):
            continue
        real = os.path.realpath(os.path.join(base, os.path.expanduser(word)))  # noqa: PTH118, PTH111
        real += "" if real.endswith(".md") or os.path.exists(real) else ".md"  # noqa: PTH110 - a link name, as our own tool takes it
        if real.startswith(f"{root}/") and real.endswith(".md") and os.path.isfile(real):  # noqa: PTH113
            path = real[len(root) + 1 :]
            return "" if any(part.startswith(".") for part in path.split("/")) else path
    return ""


def _turn(app: App, event: Event, call: Call) -> Told:
    del call
    added = capture.turn(app, event)
    left = [one.id for one in research.unfinished_research(app, event.session)]
    if left:
        app.sessions.append(_key(event), {"kind": "unfinished", "ids": left}, t=app.clock())
    return "", f"kept {added}" + (f", research unfinished {len(left)}" if left else "")


def _compact(app: App, event: Event, call: Call) -> Told:
    del call
    key = _key(event)
    now = app.clock()
    rows = app.sessions.rows(key)
    if event.dialect.compacts:
        app.sessions.claim(
            key,
            lambda rows: () if rows and rows[-1].get("kind") == "compact" else ({"kind": "compact", "trigger": event.trigger[:40]},),
            t=now,
        )
    elif _swept_lately(rows, now):
        return "", "rate limited"
    added = capture.from_transcript(app, event)
    opened = list(dict.fromkeys(path for row in rows if row.get("kind") == "opened" for path in row.get("paths", ())))
    return _carried(app, event, opened), f"kept {added}"


_NO_SOONER: Final = timedelta(seconds=60)


def _swept_lately(rows: list[Row], now: datetime) -> bool:
    return any(row.get("kind") == "swept" and _age(row, now) < _NO_SOONER for row in rows[-20:])


def _carried(app: App, event: Event, opened: list[str]) -> str:
    """Where text can go into the compaction itself: which notes were read, so that the summary can name them."""
    if "compact" not in event.dialect.answers or not opened:
        return ""
    return recall.listed(app, opened[-10:], harness=event.harness)


def _end(app: App, event: Event, call: Call) -> Told:
    del call
    key = _key(event)
    if not event.session:
        return "", "no session"
    app.sessions.append(key, {"kind": "end", "trigger": event.trigger[:40], **capture.place(event)}, t=app.clock())
    app.sessions.queue(key)
    detached.start(app)
    return "", "queued"


_ACTS: Final[Mapping[str, Callable[[App, Event, Call], Told]]] = {
    "start": _start,
    "prompt": _prompt,
    "tool": _tool,
    "turn": _turn,
    "compact": _compact,
    "end": _end,
}


def _key(event: Event) -> Key:
    return Key(event.harness, event.session)


def _age(row: Row, now: datetime) -> timedelta:
    try:
        return abs(now - datetime.fromisoformat(str(row.get("t"))))
    except (ValueError, TypeError):
        return timedelta.max
