"""The next date of a `🔁 every …` rule, as the Tasks plugin counts it. Pure.

Read: every [N|other] day(s) / week(s) / month(s) / year(s), every weekday, every Monday, every [N] week(s) on Monday, Thursday,
every [N] month(s) on the 1st [and 15th], on the last, on the 2nd Tuesday, on the last Friday, every January [on the 15th],
each with an optional `when done`. Anything else is refused: a wrong next deadline is worse than none.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import MAXYEAR, date, timedelta
from typing import Literal, NamedTuple

from vaultkit.errors import RefusedError

Unit = Literal["day", "week", "month", "year"]

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december")
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": -1}
# Looked through before a rule is called empty ("the 31st of February"); 29 February comes at least every 8 years.
_YEARS_AHEAD = 12


class Rule(NamedTuple):
    """A recurrence taken apart. *on_days* are days of the month (-1: the last), *nth* pairs of ordinal and weekday."""

    unit: Unit
    every: int
    weekdays: tuple[int, ...] = ()
    on_days: tuple[int, ...] = ()
    nth: tuple[tuple[int, int], ...] = ()
    months: tuple[int, ...] = ()
    when_done: bool = False


def parse_rule(text: str) -> Rule | None:
    """The rule that *text* states in Tasks English, or None when it is not one of those read here."""
    words = re.sub(r"\s+", " ", text.casefold().replace(",", " and ")).strip().removesuffix("!")
    when_done = words.endswith(" when done")
    match = re.fullmatch(r"every(?: (\d+|other))? ([a-z]+)((?: (?!on )[a-z]+)*)(?: on(?: the)? (.+))?", words.removesuffix(" when done"))
    if match is None:
        return None
    count = {None: 1, "other": 2}.get(match[1]) or int(match[1])
    rule = _with_subject(count, [match[2], *(word for word in match[3].split() if word != "and")])
    if rule is None or count < 1:
        return None
    if match[4]:
        rule = _with_days(rule, match[4].replace(" the ", " ").split())
    return rule._replace(when_done=when_done) if rule else None


def next_date(recurrence: str, due: date, *, done: date) -> date:
    """The date after *due* (after *done* for a `when done` rule). Raises RefusedError when the rule cannot be computed."""
    rule = parse_rule(recurrence)
    if rule is None:
        raise RefusedError(
            f"cannot compute the next date of {recurrence!r}",
            hint="complete it in Obsidian with the Tasks plugin, or write the rule as `every N days/weeks/months/years [on …] [when done]`",
        )
    start = done if rule.when_done else due
    try:
        after = next((day for day in _dates(rule, start) if day > start), None)
    except OverflowError:
        after = None
    if after is None:
        raise RefusedError(f"{recurrence!r} has no date after {start.isoformat()}", hint="correct the rule, or remove the 🔁 part")
    return after


def _with_subject(count: int, words: list[str]) -> Rule | None:
    """`days`, `weekday`, `monday thursday`, `january`."""
    units: dict[str, Unit] = {"day": "day", "week": "week", "month": "month", "year": "year"}
    first = words[0].removesuffix("s")
    if len(words) == 1 and first in units:
        return Rule(units[first], count)
    if words in (["weekday"], ["weekdays"]):
        return Rule("week", count, weekdays=(0, 1, 2, 3, 4)) if count == 1 else None
    weekdays = [_index(_DAYS, word) for word in words]
    if None not in weekdays:
        return Rule("week", count, weekdays=tuple(sorted({day for day in weekdays if day is not None})))
    months = [_index(_MONTHS, word) for word in words]
    if None not in months and count == 1:
        return Rule("year", 1, months=tuple(sorted({month + 1 for month in months if month is not None})))
    return None


def _with_days(rule: Rule, words: list[str]) -> Rule | None:
    """What follows `on`: weekdays, days of the month, ordinals with a weekday."""
    weekdays: list[int] = []
    days: list[int] = []
    nth: list[tuple[int, int]] = []
    position: int | None = None
    for word in words:
        weekday = _index(_DAYS, word)
        if word == "and":
            days += [position] if position is not None else []
            position = None
            continue
        if weekday is not None:
            weekdays.append(weekday)
            if position is not None:
                nth.append((position, weekday))
                position = None
            continue
        if word == "last" and position is not None and position > 0:
            position = -position  # `2nd last Friday`
            continue
        if position is not None:
            days.append(position)
        number = _ORDINALS.get(word) or next((int(found) for found in re.findall(r"^(\d{1,2})(?:st|nd|rd|th)?$", word)), None)
        if number is None or number == 0 or number > 31:
            return None
        position = number
    if position is not None:
        days.append(position)
    if rule.unit == "week" and weekdays and not days and not nth:
        return rule._replace(weekdays=tuple(sorted({*rule.weekdays, *weekdays})))
    # Mixed forms ("on the 1st and Monday") are read differently by different programs.
    if rule.unit not in ("month", "year") or len(nth) != len(weekdays) or (nth and days):
        return None
    if rule.unit == "year" and not rule.months:
        return None
    return rule._replace(on_days=tuple(days), nth=tuple(nth))


def _index(names: tuple[str, ...], word: str) -> int | None:
    """Position of a full or shortened (three letters and more) name, plural allowed."""
    short = word.removesuffix("s") if len(word) > 4 else word
    return next((at for at, name in enumerate(names) if name in {word, short} or (len(word) in (3, 4) and name.startswith(word))), None)


def _dates(rule: Rule, start: date) -> Iterator[date]:
    match rule.unit:
        case "day":
            yield start + timedelta(days=rule.every)
        case "week":
            yield from _weekly(rule, start)
        case "month":
            yield from _monthly(rule, start)
        case "year":
            yield from _yearly(rule, start)


def _weekly(rule: Rule, start: date) -> Iterator[date]:
    if not rule.weekdays:
        yield start + timedelta(weeks=rule.every)
        return
    monday = start - timedelta(days=start.weekday())
    for week in (0, rule.every):
        yield from (monday + timedelta(weeks=week, days=day) for day in rule.weekdays)


def _monthly(rule: Rule, start: date) -> Iterator[date]:
    if not rule.on_days and not rule.nth:
        # Tasks goes back to the month's last day where the day does not exist (31 January → 28 February).
        yield _month_day(start.year, start.month + rule.every, start.day, clip=True) or start
        return
    for step in range(0, _YEARS_AHEAD * 12 + 1, rule.every):
        yield from _in_month(rule, start.year, start.month + step)


def _yearly(rule: Rule, start: date) -> Iterator[date]:
    if not rule.months:
        yield _month_day(start.year + rule.every, start.month, start.day, clip=True) or start
        return
    for year in range(start.year, start.year + _YEARS_AHEAD):
        for month in rule.months:
            if rule.on_days or rule.nth:
                yield from _in_month(rule, year, month)
            elif (day := _month_day(year, month, start.day, clip=True)) is not None:
                yield day


def _in_month(rule: Rule, year: int, month: int) -> list[date]:
    found = [_month_day(year, month, day, clip=False) for day in rule.on_days]
    found += [_nth_weekday(year, month, position, weekday) for position, weekday in rule.nth]
    return sorted(day for day in found if day is not None)


def _month_day(year: int, month: int, day: int, *, clip: bool) -> date | None:
    """A day of a month that may be counted past December; negative days count from the end."""
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    if year > MAXYEAR:
        return None
    length = monthrange(year, month)[1]
    day = length + 1 + day if day < 0 else min(day, length) if clip else day
    return date(year, month, day) if 1 <= day <= length else None


def _nth_weekday(year: int, month: int, position: int, weekday: int) -> date | None:
    first, last = _month_day(year, month, 1, clip=False), _month_day(year, month, -1, clip=False)
    if first is None or last is None:
        return None
    if position > 0:
        day = first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (position - 1))
    else:
        day = last - timedelta(days=(last.weekday() - weekday) % 7 + 7 * (-position - 1))
    return day if first <= day <= last else None
