"""Deadlines as an iCalendar file, through the icalendar library."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from typing import NamedTuple


class Entry(NamedTuple):
    """One deadline. *time* is HH:MM local wall clock or None; *event*: something to watch, not to do; *rrule* is RFC 5545, "" for once."""

    id: str
    text: str
    due: date
    time: str | None
    event: bool
    rrule: str
    where: str


def to_ics(entries: Iterable[Entry], *, stamp: datetime) -> bytes:
    """A VTODO for each thing to do, a VEVENT for each to watch. Days stay days and clock times stay floating: nothing passes through UTC."""
    import icalendar

    calendar = icalendar.Calendar()
    calendar.add("prodid", "-//vaultkit//lookahead//EN")
    calendar.add("version", "2.0")
    for entry in entries:
        item: icalendar.Event | icalendar.Todo = icalendar.Event() if entry.event else icalendar.Todo()
        when: date | datetime = entry.due
        if entry.time:
            when = datetime.combine(entry.due, time.fromisoformat(entry.time))
        item.add("uid", f"{entry.id}@vaultkit")
        # DTSTAMP alone has to be in UTC (RFC 5545 §3.8.7.2): it is when the file was made, not a deadline.
        item.add("dtstamp", stamp)
        item.add("summary", entry.text)
        item.add("description", entry.where)
        if entry.event:
            item.add("dtstart", when)
            if isinstance(when, datetime):
                item.add("dtend", when + timedelta(hours=1))
        else:
            item.add("due", when)
            item.add("status", "NEEDS-ACTION")
        if entry.rrule:
            item.add("rrule", icalendar.vRecur.from_ical(entry.rrule))
        calendar.add_component(item)
    return bytes(calendar.to_ical())
