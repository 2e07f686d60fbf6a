"""Values written as text: date and duration literals, what stands after `key::`, what stands in quotes in frontmatter."""

from __future__ import annotations

import re
from typing import Any, Final, Protocol

from vaultkit.dql import lexis
from vaultkit.dql.dates import (
    UTC_ZONE,
    Date,
    Duration,
    Zone,
    add,
    changed,
    end_of,
    from_parts,
    in_zone,
    normalised,
    start_of,
    total,
    zone_of,
)
from vaultkit.dql.values import Link, Value, read_number


class Moment(Protocol):
    """The time, and the zone of dates that name none."""

    @property
    def now(self) -> float: ...  # noqa: D102
    @property
    def zone(self) -> Zone: ...  # noqa: D102


def parse_date_text(text: str, moment: Moment, *, words: bool = False) -> Date | None:
    """The date that *text* is as a whole; with *words* also `today` and the like."""
    if words and text in _WORDS:
        return word_date(text, moment)
    found = lexis.DATE.match(text)
    if found is None or found.end() != len(text):
        return None
    return _date_of(found, moment)


def date_of_literal(text: str, moment: Moment) -> Date:
    """What stands in `date(…)`, which the parser has seen to be one."""
    found = parse_date_text(text, moment, words=True)
    assert found is not None
    return found


def _date_of(found: re.Match[str], moment: Moment) -> Date | None:
    year, month, day, hour, minute, second, millisecond = found.group(1, 2, 3, 4, 5, 6, 7)
    if not "01" <= month <= "12":
        return None
    zone = moment.zone
    if zone.fixed is not None and hour is None and day is not None and "01" <= day <= "28":  # by far the most
        return from_parts(int(year), int(month), int(day), zone, moment.now)
    date = from_parts(int(year), int(month), 1, zone, moment.now)
    # Part by part, as luxon does: a day too many or hour 25 carries on.
    for name, part in (("day", day), ("hour", hour), ("minute", minute), ("second", second), ("millisecond", millisecond)):
        if part is not None:
            date = changed(date, **{name: int(part)} if name == "day" else {name: int(part), **_same_day(date)})
    offset, utc, name = found.group(8, 9, 10)
    other = UTC_ZONE if utc else zone_of(f"UTC{offset}" if offset else name, zone) if offset or name else zone
    if other is None:
        return None
    return date if other is zone else in_zone(date, other, keep_clock=True)


def _same_day(date: Date) -> dict[str, int]:
    return {"day": date.civil().day} if date.instant is not None else {}


def word_date(word: str, moment: Moment) -> Date:
    """`today`, `eow` and the like."""
    now = Date(moment.now, moment.zone)
    if word == "now":
        return now
    if word in _DAYS:
        return add(start_of(now, "day"), Duration.of({"days": _DAYS[word]}))
    unit = _UNITS[word[-1] if len(word) == 3 else word.rpartition("-")[2][0]]
    return (start_of if word.startswith("s") else end_of)(now, unit)


_DAYS: Final = {"today": 0, "tomorrow": 1, "yesterday": -1}
_UNITS: Final = {"w": "week", "m": "month", "y": "year"}
_WORDS: Final = frozenset(lexis.DATE_WORDS)


def parse_duration_text(text: str) -> Duration | None:
    """The duration that *text* is as a whole."""
    parts, end = lexis.duration(text, 0)
    return duration_of_parts(parts) if parts and end == len(text) else None


def duration_of_parts(parts: Any) -> Duration:
    """Amounts and units, added up."""
    return total(Duration.of({lexis.DURATION_UNITS[unit]: read_number(amount)}) for amount, unit in parts)


def parse_link_text(text: str) -> Link | None:
    """The link or embed that *text* is as a whole."""
    if not text.endswith("]]"):
        return None
    embed = text.startswith("!")
    found = lexis.LINK.fullmatch(text, 1 if embed else 0)
    return lexis.inner_link(found[1], embed=embed) if found else None


def parse_frontmatter_text(text: str, moment: Moment) -> Value:
    """A text of the frontmatter: a date, duration or link if all of it is one."""
    first = text[:1]
    if first.isdigit() or first == "-":
        date = parse_date_text(text, moment)
        if date is not None:
            return date
        duration = parse_duration_text(text)
        if duration is not None:
            return duration
    elif first in {"[", "!"} and (link := parse_link_text(text)) is not None:
        return link
    return text


def parse_inline(text: str, moment: Moment) -> Value:
    """What stands after `key::`: an atom, a list of atoms with commas, else the text itself; null when there is nothing."""
    if not text.strip():
        return None
    first = _atom(text, 0, moment)
    if first is None:
        return text
    value, at = first
    if at == len(text):
        return value
    values = [value]
    while comma := _COMMA.match(text, at):
        following = _atom(text, comma.end(), moment)
        if following is None:
            break
        values.append(following[0])
        at = following[1]
    return values if at == len(text) else text


_COMMA: Final = re.compile(f"[{lexis.BLANK}]*,[{lexis.BLANK}]*")
_STRING: Final = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_ESCAPE: Final = re.compile(r'\\(["\\])')


def _atom(text: str, at: int, moment: Moment) -> tuple[Value, int] | None:
    """The value that starts there, and its end. The first kind that fits is taken."""
    char = text[at : at + 1]
    if "0" <= char <= "9" or char == "-":
        if (date := lexis.DATE.match(text, at)) and (value := _date_of(date, moment)) is not None:
            return value, date.end()
        parts, end = lexis.duration(text, at)
        if parts:
            return normalised(duration_of_parts(parts)), end
        number = lexis.NUMBER.match(text, at)
        return (read_number(number[0]), number.end()) if number else None
    if char == '"':
        found = _STRING.match(text, at)
        return (_ESCAPE.sub(r"\1", found[1]), found.end()) if found else None
    if char == "#":
        tag = lexis.TAG.match(text, at)
        return (tag[0], tag.end()) if tag else None
    if char in {"[", "!"}:
        embed = char == "!"
        link = lexis.LINK.match(text, at + embed)
        return (lexis.inner_link(link[1], embed=embed), link.end()) if link else None
    if boolean := lexis.BOOLEAN.match(text, at):
        return boolean[0].lower() == "true", boolean.end()
    if text.startswith("null", at):
        return "null", at + 4  # the text: so it is in Dataview
    return None
