"""Changes to one note's deadlines: done, snoozed, `due` derived again. Pure: text in, text out; only the characters in question change."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import date, timedelta
from typing import NamedTuple

from vaultkit.agenda._lines import line_at
from vaultkit.agenda.entries import Entry, collect, ids_of
from vaultkit.agenda.extraction import derived_due, effective_due, list_dates
from vaultkit.agenda.items import DEFAULTS, Settings, new_id
from vaultkit.agenda.recurrence import next_date
from vaultkit.agenda.tasks import next_occurrence, with_done, with_id, with_show_from
from vaultkit.errors import NotFoundError, RefusedError, UsageError
from vaultkit.text import frontmatter
from vaultkit.text.note import Note, parse_note
from vaultkit.text.values import Value

# design.md §4: the order of the properties that vaultkit writes.
ORDER = (
    "id", "title", "description", "date", "tags", "scope", "type", "status", "due", "action_items", "trackers", "source",
)  # fmt: skip

_ORG_REPEATER = re.compile(r"DEADLINE:\s*<[^<>]*\+\d+[dwmy]")


def plan_done(note: Note, text: str, item_id: str, *, today: date, settings: Settings = DEFAULTS, taken: Iterable[str] = ()) -> str:
    """*text* with the item closed: `✅ today` in its field and on its body line, whose box is ticked. A 🔁 item gets its next occurrence.

    *taken*: the ids of the vault, for the occurrence's own 🆔. An item that is done already leaves the text as it is. Raises
    NotFoundError; RefusedError for a plain `due` property and for recurrences that cannot be computed.
    """
    entry = _pick(note, text, item_id, settings)
    if entry.closed and not entry.open:
        return text
    derived = is_derived(note, text, settings)
    text = close_entry(note, text, entry, today, settings=settings, taken=taken)
    return recompute_due(parse_note(note.path, text), text, settings=settings) if derived else text


def close_entry(note: Note, text: str, entry: Entry, day: date, *, settings: Settings = DEFAULTS, taken: Iterable[str] = ()) -> str:
    """*text* with one entry and its body lines closed on *day*, the next occurrence of a recurring one put before each."""
    if entry.field == "due":
        raise RefusedError(
            f"{entry.key} is a property of the whole note, which has no place for a tick",
            hint=f"remove {entry.key} from the note, or set its status to done",
        )
    _must_be_writable(entry)
    following = _following(note, text, entry, day, settings, taken)
    adopted = following.adopted if following else None
    for place in sorted(
        (place for place in (*entry.mirrors, entry, adopted) if place and place.start >= 0), key=lambda place: -place.start
    ):
        if place is adopted and following is not None:
            text = change_line(text, place, lambda raw: with_id(raw, following.id))
        else:
            text = _finish_line(text, place, day, following if adopted is None else None)
    if entry.field not in {"action_items", "trackers"}:
        return text
    new = [] if entry.closed or following is None else [following.of(entry.raw)]
    return _splice_field(text, entry, [*new, with_done(entry.raw, day)])


def plan_snooze(
    note: Note, text: str, item_id: str, *, today: date, until: date | None = None, days: int | None = None, settings: Settings = DEFAULTS
) -> str:
    """*text* with `⏳` in the item's field and on its body line, so that it is hidden until then: *until*, or *days* from *today*.

    Never beyond the due date: that would hide the deadline itself (RefusedError).
    """
    if (until is None) == (days is None):
        raise UsageError("snooze takes a date or a number of days", hint="e.g. `vaultkit lookahead snooze k3f9a1 3d`")
    entry = _pick(note, text, item_id, settings)
    if not entry.open:
        raise RefusedError(f"{item_id} is done already", hint="there is nothing left to snooze")
    until = until if until is not None else _plus(today, days or 0)
    if until <= today:
        raise UsageError(f"{until.isoformat()} is not after today", hint="name a later day, or 1d and more")
    if entry.field == "due":
        raise RefusedError(
            f"{entry.key} is a property of the whole note, which has no place for ⏳",
            hint='to snooze it, write it as an entry of action_items: - "Text 📅 YYYY-MM-DD"',
        )
    due = effective_due(entry)
    if due is not None and until > due:
        late = "it is overdue" if due < today else f"it is due {due.isoformat()}"
        raise RefusedError(
            f"{item_id} cannot be snoozed to {until.isoformat()}: {late}", hint="change its date if the deadline has moved, or mark it done"
        )
    _must_be_writable(entry)
    for mirror in sorted(entry.mirrors, key=lambda place: -place.start):
        if not mirror.closed:
            text = change_line(text, mirror, lambda raw: with_show_from(raw, until))
    if entry.field in {"action_items", "trackers"}:
        return change_field(text, entry, lambda raw: with_show_from(raw, until))
    return change_line(text, entry, lambda raw: with_show_from(raw, until))


def recompute_due(note: Note, text: str, *, settings: Settings = DEFAULTS) -> str:
    """*text* with `due` set to the soonest open date of the two lists, or removed when there is none. The caller knows that it is derived."""
    soonest = derived_due(collect(note, text, settings))
    old = note.properties.get(settings.due)
    if soonest is None:
        return frontmatter.edit(text, {settings.due: frontmatter.DELETE}) if settings.due in note.properties else text
    if old == soonest.isoformat():
        return text
    return frontmatter.edit(text, {settings.due: soonest.isoformat()}, order=order_of(settings))


def is_derived(note: Note, text: str, settings: Settings = DEFAULTS, *, last: Iterable[date | None] = ()) -> bool:
    """Is the note's `due` one that vaultkit keeps: equal to a date of the two lists now, or at the *last* sync? A person's own is left alone."""
    value = note.properties.get(settings.due)
    if not isinstance(value, str):
        return False
    return value in {day.isoformat() for day in (*list_dates(collect(note, text, settings)), *last) if day is not None}


def order_of(settings: Settings) -> tuple[str, ...]:
    """`ORDER` under the vault's own property names."""
    names = {"date": settings.date, "due": settings.due, "action_items": settings.action_items, "trackers": settings.trackers}
    return tuple(names.get(name, name) for name in ORDER)


def change_line(text: str, entry: Entry, change: Callable[[str], str]) -> str:
    """*text* with the words of one body line changed."""
    return text[: entry.start] + change(entry.raw) + text[entry.start + len(entry.raw) :]


def change_field(text: str, entry: Entry, change: Callable[[str], str]) -> str:
    """*text* with one entry of a field changed; a map without keys of its own becomes a string."""
    return _splice_field(text, entry, [change(entry.raw)])


def set_checkbox(text: str, entry: Entry, mark: str) -> str:
    """*text* with the checkbox of a task line set; a line without one stays."""
    if entry.status is None:
        return text
    at = text.rindex("[", 0, entry.start)
    return text[: at + 1] + mark + text[at + 2 :]


def _pick(note: Note, text: str, item_id: str, settings: Settings) -> Entry:
    entries = [entry for entry in collect(note, text, settings).entries if entry.id == item_id]
    chosen = [entry for entry in entries if entry.open] or entries
    if not chosen:
        raise NotFoundError(f"{note.path} holds no item {item_id}", hint="`vaultkit lookahead` shows each item's id in [brackets]")
    if len(chosen) > 1:
        lines = ", ".join(str(entry.line) for entry in chosen)
        raise RefusedError(f"{item_id} names {len(chosen)} items of {note.path} (lines {lines})", hint="give each its own 🆔")
    return chosen[0]


def _must_be_writable(entry: Entry) -> None:
    if entry.fixed and (entry.field == "inline" or not entry.raw):
        what = "a field of the whole note" if entry.field == "inline" else "a map with keys of its own"
        raise RefusedError(f"line {entry.line} is {what}, which has no place for this", hint='write it as a line: - "Text 📅 YYYY-MM-DD"')


class _Following(NamedTuple):
    """The next occurrence of a recurring entry. *adopted*: the line that the Tasks plugin has made for it already."""

    id: str
    of: Callable[[str], str]
    adopted: Entry | None


def _following(note: Note, text: str, entry: Entry, day: date, settings: Settings, taken: Iterable[str]) -> _Following | None:
    """None when the entry happens once. Refuses before anything is changed."""
    rule = entry.task.recurrence or next((mirror.task.recurrence for mirror in entry.mirrors if mirror.task.recurrence), "")
    due = effective_due(entry) or entry.task.due or next((mirror.task.due for mirror in entry.mirrors if mirror.task.due), None)
    if not rule:
        if "🔁" in entry.raw or _ORG_REPEATER.search(entry.raw):
            raise RefusedError(
                f"the recurrence of line {entry.line} cannot be read", hint="complete it in Obsidian, or correct the 🔁 part"
            )
        return None
    if due is None:
        raise RefusedError(f"line {entry.line} recurs but has no due date", hint="give it a 📅 date first")
    made = new_id(f"{note.path}\n{entry.raw}\n{due}", {*taken, *ids_of(note, settings)})
    words = {place.task.text for place in (entry, *entry.mirrors)}
    adopted = None
    if any(mirror.closed for mirror in entry.mirrors):
        others = collect(note, text, settings).entries
        adopted = next(
            (e for e in others if e.field == "task" and e.open and not e.task.id and e.task.recurrence and e.task.text in words), None
        )
    after = adopted.task.due if adopted and adopted.task.due else next_date(rule, due, done=day)
    keep_id = bool(entry.task.id) or entry.field != "task"
    return _Following(made, lambda raw: next_occurrence(raw, made if keep_id else "", after), adopted)


def _finish_line(text: str, entry: Entry, day: date, following: _Following | None) -> str:
    """A body line ticked and dated, its next occurrence on the line above, as the Tasks plugin does."""
    start, end = line_at(text, entry.start)
    head = text[start : entry.start]
    above = ""
    if following is not None:
        newline = "\r\n" if text[end : end + 1] == "\r" else "\n"
        above = set_checkbox(head + following.of(entry.raw), entry._replace(start=len(head)), " ") + newline
    if entry.closed:
        return text[:start] + above + text[start:]
    line = set_checkbox(head + with_done(entry.raw, day), entry._replace(start=len(head)), "x")
    return text[:start] + above + line + text[end:]


def _splice_field(text: str, entry: Entry, new: list[str]) -> str:
    """*text* with one entry of a list (or a lone string that stands for one) replaced by *new*."""
    value = frontmatter.read(text).values.get(entry.key)
    if isinstance(value, list):
        return frontmatter.edit(text, {entry.key: [*value[: entry.nth], *new, *value[entry.nth + 1 :]]})
    return frontmatter.edit(text, {entry.key: new[0] if len(new) == 1 else list[Value](new)})


def _plus(day: date, days: int) -> date:
    try:
        return day + timedelta(days=days)
    except OverflowError as error:
        raise UsageError(f"{days} days is too far", hint="name a day before the item is due") from error
