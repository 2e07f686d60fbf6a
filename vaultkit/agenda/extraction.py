"""One note → its items, unparsable values, prose dates and disagreements. Runs over every note of a vault, so it looks before it reads."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from vaultkit.agenda.entries import Collected, Entry, collect, is_dead
from vaultkit.agenda.items import DEFAULTS, NOTHING, Extract, Item, Mismatch, Settings
from vaultkit.agenda.prose import find_prose
from vaultkit.text.note import Note


def extract(note: Note, text: str, *, fallback_day: date | None = None, settings: Settings = DEFAULTS, prose: bool = True) -> Extract:
    """What *note*, whose file holds *text*, gives to lookahead and lint.

    A retired or discarded note gives nothing; a processed one still warns. Relative phrases are resolved against the note's own `date`,
    else its `created`, the day in its name, *fallback_day*. With *prose* off (templates, generated views) only fields are read; so it is in the
    record of a session, which quotes what was said and promises nothing.
    """
    unreadable = (
        tuple((problem.line, problem.message) for problem in note.problems if problem.rule == "bad-yaml") if not note.properties else ()
    )
    if is_dead(note):
        return NOTHING
    collected = collect(note, text, settings)
    read = (
        find_prose(note, text, collected.entries, settings=settings, fallback_day=fallback_day)
        if prose and note.properties.get("type") != "session"
        else None
    )
    if not collected.entries and not collected.unparsable and not unreadable and (read is None or not (read.found or read.unresolved)):
        return NOTHING
    return Extract(
        items=tuple(_items(note, collected)),
        unparsable=tuple(sorted(set(collected.unparsable))),
        undated=sum(1 for entry in collected.fields if entry.open and effective_due(entry) is None and not entry.task.unparsable),
        prose=tuple(found.prose for found in read.found) if read else (),
        mismatches=tuple(mismatches(note, collected, settings)),
        unresolved=tuple(read.unresolved) if read else (),
        unreadable=unreadable,
    )


def effective_due(entry: Entry) -> date | None:
    """The date to warn on: the earliest that the field or an open body line names."""
    days = [place.task.due for place in (entry, *entry.mirrors) if place.task.due is not None and (place is entry or not place.closed)]
    return min(days, default=None)


def derived_due(collected: Collected) -> date | None:
    """What `due` should say: the soonest open date of the two lists."""
    return min((day for entry in collected.fields if entry.open and (day := effective_due(entry)) is not None), default=None)


def list_dates(collected: Collected) -> dict[date, bool]:
    """Every date of the two lists, True where one of its entries is open."""
    dates: dict[date, bool] = {}
    for entry in collected.fields:
        for place in (entry, *entry.mirrors):
            if place.task.due is not None:
                dates[place.task.due] = dates.get(place.task.due, False) or entry.open
    return dates


def mismatches(note: Note, collected: Collected, settings: Settings) -> Iterator[Mismatch]:
    """Where field and body, or the lists and `due`, say different things."""
    for entry in collected.fields:
        for mirror in entry.mirrors:
            yield from _mirror_mismatches(entry, mirror)
    if settings.action_items not in note.properties and settings.trackers not in note.properties:
        return  # a plain `due`, not a derived one
    dates = list_dates(collected)
    for entry in collected.entries:
        if entry.key == settings.due and entry.field == "due" and entry.nth < 0 and entry.task.due and not entry.closed:
            yield from _due_mismatch(entry, entry.task.due, dates, derived_due(collected), settings)


def _mirror_mismatches(entry: Entry, mirror: Entry) -> Iterator[Mismatch]:
    what = f'"{entry.task.text}"'
    if mirror.closed and not entry.closed and entry.ticked:
        day = mirror.task.done
        fix = f"{entry.key}: ✅ {day.isoformat()}" if day else f"{entry.key}: ✅"
        yield Mismatch("tick-mismatch", mirror.line, f"{what} is ticked here but open in {entry.key} (line {entry.line})", fix)
    elif entry.closed and not mirror.closed:
        yield Mismatch("tick-mismatch", mirror.line, f"{what} is done in {entry.key} (line {entry.line}) but open here")
    if not entry.closed and not mirror.closed and mirror.task.due != entry.task.due and mirror.task.due is not None:
        stated = entry.task.due.isoformat() if entry.task.due else "no date"
        message = f"{what} is due {mirror.task.due.isoformat()} here, {stated} in {entry.key} (line {entry.line}); the earlier date warns"
        yield Mismatch("tick-mismatch", mirror.line, message)


def _due_mismatch(entry: Entry, due: date, dates: dict[date, bool], soonest: date | None, settings: Settings) -> Iterator[Mismatch]:
    if due == soonest:
        return
    if due not in dates:
        lists = f"{settings.action_items} and {settings.trackers}"
        yield Mismatch(
            "due-mismatch", entry.line, f"{entry.key} {due.isoformat()} is no open date of {lists}; it warns as an item of its own"
        )
    elif soonest is None:
        yield Mismatch(
            "due-mismatch", entry.line, f"{entry.key} {due.isoformat()} belongs to an item that is done", f"(line removed) {entry.key}"
        )
    else:
        message = f"{entry.key} {due.isoformat()} is not the soonest open date, {soonest.isoformat()}"
        yield Mismatch("due-mismatch", entry.line, message, f"{entry.key}: {soonest.isoformat()}")


def _items(note: Note, collected: Collected) -> Iterator[Item]:
    held = list_dates(collected)
    seen: set[tuple[date, str | None]] = set()
    for entry in collected.entries:
        due = effective_due(entry)
        if due is None:
            continue
        if entry.field == "due":
            # The derived scalar, a done item's leftover, or the same day under a second name: not an item of its own.
            if due in held or (due, entry.task.time) in seen:
                continue
            seen.add((due, entry.task.time))
        first = next((place for place in (entry, *entry.mirrors) if place.task.due == due), entry)
        yield Item(
            id=entry.id,
            text=entry.task.text or note.title,
            due=due,
            time=first.task.time or entry.task.time,
            path=note.path,
            line=entry.line,
            field=entry.field,
            open=entry.open,
            recurrence=entry.task.recurrence,
            show_from=first.task.show_from or entry.task.show_from,
        )
