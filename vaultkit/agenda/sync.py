"""Field entries and their body lines kept alike: whichever side changed since it was last seen wins. Pure.

The state of an item at the last sync (`Seen`) is the caller's to keep. Without it only two things are certain: a tick in the body closes the
field entry, and a side without a date takes the other's. Where both sides changed nothing is written: the lint reports it, and the
lookahead warns on the earlier date.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Final, NamedTuple

from vaultkit.agenda.entries import Entry, collect
from vaultkit.agenda.items import DEFAULTS, Mismatch, Settings
from vaultkit.agenda.plans import change_field, change_line, close_entry, is_derived, recompute_due, set_checkbox
from vaultkit.agenda.tasks import parse_task_text, with_cancelled, with_clock, with_done, with_due, with_show_from, without
from vaultkit.errors import RefusedError
from vaultkit.text.note import Note, parse_note


class Seen(NamedTuple):
    """What both sides of an item said when they last agreed. *mirrored*: it had a body line."""

    due: date | None
    time: str | None
    show_from: date | None
    closed: bool
    mirrored: bool = True


class Merged(NamedTuple):
    """Both sides after a merge. *mark* is the body's checkbox. *conflicts* name what both changed: left as it is. *warn*: the date to warn on."""

    field: str
    body: str
    mark: str
    conflicts: tuple[str, ...]
    warn: date | None


class Synced(NamedTuple):
    """A note's text with fields and body alike, the state to keep by item id, and what could not be settled."""

    text: str
    seen: dict[str, Seen]
    problems: tuple[Mismatch, ...]


def merge(field: str, body: str, *, mark: str, last: Seen | None, today: date) -> Merged:
    """Bring a field entry and its body line together. *body* is the text after the checkbox, *mark* its character.

    A tick without a date of its own is dated *today*.
    """
    ours, theirs = parse_task_text(field, strict=True), parse_task_text(body)
    conflicts: list[str] = []

    cancelled = mark == "-" or theirs.cancelled
    closed = (ours.done is not None or ours.cancelled, mark in "xX-" or theirs.done is not None or theirs.cancelled)
    match _winner(*closed, last.closed if last else _UNKNOWN):
        case "body" if closed[1]:
            field = with_cancelled(field, today) if cancelled else with_done(field, theirs.done or today)
        case "body":
            field = without(field, "done", "cancelled")
        case "field" if closed[0]:
            body = with_done(body, ours.done) if ours.done else with_cancelled(body, today)
            mark = "x" if ours.done else "-"
        case "field":
            body, mark = without(body, "done", "cancelled"), " "
        case "both" if closed[1] and last is None:
            field = with_cancelled(field, today) if cancelled else with_done(field, theirs.done or today)
        case "both":
            conflicts.append("done")

    match _winner((ours.due, ours.time), (theirs.due, theirs.time), (last.due, last.time) if last else _UNKNOWN):
        case "body" if theirs.due is not None:
            field = with_clock(with_due(field, theirs.due), theirs.time)
        case "field" if ours.due is not None:
            body = with_clock(with_due(body, ours.due), ours.time)
        case "both" if ours.due is None and theirs.due is not None:
            field = with_clock(with_due(field, theirs.due), theirs.time)
        case "both" if theirs.due is None and ours.due is not None:
            body = with_clock(with_due(body, ours.due), ours.time)
        case "":
            pass
        case _:
            conflicts.append("due")

    match _winner(ours.show_from, theirs.show_from, last.show_from if last else _UNKNOWN):
        case "":
            pass
        case "body":
            field = with_show_from(field, theirs.show_from) if theirs.show_from else without(field, "scheduled")
        case "both" if ours.show_from is None and theirs.show_from is not None:
            field = with_show_from(field, theirs.show_from)
        case _:  # nothing is lost by either, so the field holds
            body = with_show_from(body, ours.show_from) if ours.show_from else without(body, "scheduled")

    days = [task.due for task in (parse_task_text(field, strict=True), parse_task_text(body)) if task.due is not None]
    return Merged(field, body, mark, tuple(conflicts), min(days, default=None))


def plan_sync(
    note: Note, text: str, last: Mapping[str, Seen], *, today: date, settings: Settings = DEFAULTS, taken: Iterable[str] = ()
) -> Synced:
    """`merge` for every mirrored item of a note, and `due` derived again where it was derived. The text is the same when all agree."""
    derived = is_derived(note, text, settings, last=(seen.due for seen in last.values()))
    problems: list[Mismatch] = []
    seen: dict[str, Seen] = {}
    changed = text
    for entry in collect(note, text, settings).fields:
        before = last.get(entry.id)
        if entry.id in seen:
            continue  # two entries of one 🆔: the lint's business
        if entry.mirrors:
            changed, seen[entry.id], found = _merge_entry(note, changed, entry.id, before, today, settings, taken)
            problems += found
        else:
            if before is not None and before.mirrored and entry.open:
                what = f'the body line of "{entry.task.text}" is gone; its entry in {entry.key} still warns'
                problems.append(Mismatch("tick-mismatch", entry.line, what))
            seen[entry.id] = _state(entry, mirrored=before.mirrored if before else False)
    if derived:
        changed = recompute_due(parse_note(note.path, changed), changed, settings=settings)
    return Synced(changed, seen, tuple(sorted(problems, key=lambda problem: problem.line)))


_UNKNOWN: Final = object()


def _merge_entry(
    note: Note, text: str, item_id: str, before: Seen | None, today: date, settings: Settings, taken: Iterable[str]
) -> tuple[str, Seen, list[Mismatch]]:
    """One item. With several body lines the open ones speak; an entry that cannot be written is left alone."""
    now = parse_note(note.path, text)
    entry = next(entry for entry in collect(now, text, settings).fields if entry.id == item_id)
    mirror = next((place for place in entry.mirrors if not place.closed), entry.mirrors[0])
    merged = merge(entry.raw, mirror.raw, mark=mirror.status or " ", last=before, today=today)
    problems = [_conflict(entry, mirror, what) for what in merged.conflicts]
    if entry.fixed:
        return text, before or _state(entry), problems
    if mirror.closed and not entry.closed and "done" not in merged.conflicts and (entry.task.recurrence or mirror.task.recurrence):
        done = mirror.task.done or today
        try:
            return close_entry(now, text, entry, done, settings=settings, taken=taken), _state(entry)._replace(closed=True), problems
        except RefusedError as error:
            problem = Mismatch("tick-mismatch", mirror.line, f'"{entry.task.text}" is ticked, but {error.message}', error.hint)
            return text, before or _state(entry), [*problems, problem]
    if merged.body != mirror.raw:
        text = change_line(text, mirror, lambda _: merged.body)
    if merged.mark != mirror.status:
        text = set_checkbox(text, mirror, merged.mark)
    if merged.field != entry.raw:
        text = change_field(text, entry, lambda _: merged.field)
    after = parse_task_text(merged.field, strict=True)
    agreed = Seen(after.due, after.time, after.show_from, after.done is not None or after.cancelled)
    return text, (before or agreed) if merged.conflicts else agreed, problems


def _conflict(entry: Entry, mirror: Entry, what: str) -> Mismatch:
    if what == "done":
        message = f'"{entry.task.text}" is done in {entry.key} (line {entry.line}) but open here'
    else:
        stated = [task.due.isoformat() if task.due else "no date" for task in (mirror.task, entry.task)]
        message = f'"{entry.task.text}" is due {stated[0]} here, {stated[1]} in {entry.key} (line {entry.line}); the earlier date warns'
    return Mismatch("tick-mismatch", mirror.line, message)


def _winner(field: object, body: object, last: object) -> str:
    """Which side's value holds: "" when they agree, "both" when both changed, or when nothing tells which did."""
    if field == body:
        return ""
    if last is _UNKNOWN or last not in (field, body):
        return "both"
    return "field" if field != last else "body"


def _state(entry: Entry, *, mirrored: bool = True) -> Seen:
    task = entry.task
    return Seen(task.due, task.time, task.show_from, entry.closed, mirrored)
