"""Words reckoned on the calendar, whatever their language: periods, lengths from now, seasons, recurrences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, timedelta

from . import days
from .atoms import Atom, Line, Need

FULL_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
FULL_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December")
Span = tuple[int, int]


def period(name: str, which: int, line: Line) -> tuple[date, date]:
    """The week, weekend, month, quarter, half, fiscal year or year that lies *which* from the present one."""
    today = line.today
    match name:
        case "week" | "weekend":
            monday = days.add_days(days.monday_of(today), 7 * which) or today
            first, last = (5, 6) if name == "weekend" else (0, line.policy.week_ends)
            return days.add_days(monday, first) or today, days.add_days(monday, last) or today
        case "month" | "quarter" | "half":
            size = {"month": 1, "quarter": 3, "half": 6}[name]
            first_month = today.replace(month=(today.month - 1) // size * size + 1, day=1)
            start = days.add_months(first_month, size * which) or first_month
            end = days.add_months(start, size - 1) or start
            return start, days.month_end(end.year, end.month)
        case "fiscal":
            end = fiscal_end(today.year, line)
            end = days.add_months(end, 12 * (which + (end < today))) or end
            return days.add_days(days.add_months(end, -12) or end, 1) or end, end
        case _:
            year = min(max(today.year + which, 1), 9999)
            return date(year, 1, 1), date(year, 12, 31)


def fiscal_end(year: int, line: Line) -> date:
    """The last day of the fiscal year that ends in *year*."""
    month, day = line.policy.fiscal_year_end
    return days.make_day(year, month, day) or days.month_end(year, month)


def edge_of(edge: str, first: date, last: date, unit: str) -> date:
    """The day that "early", "mid", "end" … of a period name; 上旬 and 中旬 are the 10th and the 20th."""
    length = (last - first).days
    match edge:
        case "start":
            count = 0
        case "early":
            count = {"month": 9, "year": 89}.get(unit, 0)
        case "mid":
            count = {"month": 14, "week": 2, "year": 180}.get(unit, length // 2)
        case "half":
            count = {"month": 14, "week": 2}.get(unit, length // 2)
        case "upper":
            count = 9
        case "middle":
            count = 19
        case _:
            count = length
    return days.add_days(first, count) or last


def month_day(span: Span, number: int, line: Line) -> Atom | None:
    """A bare day of the month."""
    ahead = days.next_month_day(line.today, number)
    if ahead is None:
        return None
    return Atom(*span, "dom", ahead, ahead, days.last_month_day(line.today, number), number=number, need=1, source="dom")


def yearly_day(span: Span, of_year: Callable[[int], date | None], line: Line, *, source: str, need: Need = 0) -> Atom:
    """A day that comes every year: the next one, or no such day."""
    both = days.yearly(of_year, line.today)
    if both is None:
        return Atom(*span, "bad", source=source, need=need)
    return Atom(*span, "day", both[0], both[0], both[1], source=source, need=need)


def known_day(span: Span, day: date | None, *, source: str, need: Need = 0) -> Atom:
    """A day whose year is written, or no such day."""
    if day is None:
        return Atom(*span, "bad", source=source, need=need)
    return Atom(*span, "day", day, day, dated=True, source=source, need=need)


def moved(span: Span, count: int, unit: str, line: Line, *, loose: bool = False, past: bool = False) -> Atom:
    """The day (and time, for hours and minutes) that lies *count* units from now."""
    clock = None
    if unit in {"hour", "minute"}:
        then = days.shift_clock(line.now, count, unit)
        day = then.date() if then else None
        if then and not past and not (unit == "hour" and count % 24 == 0):
            clock = then.time().replace(second=0, microsecond=0, tzinfo=None)
    else:
        day = days.shift(line.today, count, unit)
    if day is None:
        return Atom(*span, "bad", source="relative")
    back = day if past else None
    return Atom(*span, "day", day, day, back, clock=clock, number=count, loose=loose, past=past, unit=unit, source="relative")


def season(span: Span, start: tuple[int, int], which: int, line: Line) -> Atom | None:
    """A season: the one that starts next, for "next" the one of next year."""
    day = days.make_day(line.today.year, *start)
    if day is not None and (day < line.today or which > 0):
        day = days.make_day(line.today.year + 1, *start)
    last = day and days.add_months(day, 3)
    if day is None or last is None:
        return None
    return Atom(*span, "span", day, last - timedelta(1), unit="season", need=1, loose=True, source="season", past=which < 0)


def weekly(span: Span, numbers: Sequence[int], line: Line, *, interval: int = 1, need: Need = 0) -> Atom:
    """Some weekdays of every week: the first that comes."""
    first = min(days.next_weekday(line.today, number) for number in numbers)
    names = ", ".join(FULL_WEEKDAYS[number] for number in numbers)
    every = "every week" if interval == 1 else f"every {interval} weeks"
    return Atom(*span, "day", first, first, recurrence=f"{every} on {names}", need=need, source="plural" if need else "every")


def every(span: Span, interval: int, unit: str, line: Line, *, need: Need = 0) -> Atom:
    """Every N days, weeks …; without a day of its own the first time is one interval from now."""
    first: date | None
    match unit:
        case "weekday":
            first, text = days.add_workdays(line.today, 1), "every weekday"
        case "weekend":
            first, text = days.next_weekday(line.today, days.SATURDAY), "every week on Saturday"
        case _:
            if unit == "fortnight":
                interval, unit = interval * 2, "week"
            if unit == "quarter":
                interval, unit = interval * 3, "month"
            first = days.shift(line.today, interval, unit)
            text = f"every {unit}" if interval == 1 else f"every {interval} {unit}s"
    if first is None or not interval:
        return Atom(*span, "bad", source="every", need=2)
    return Atom(*span, "every", first, first, number=interval, unit=unit, recurrence=text, need=need, source="every")


def ordinal(number: int) -> str:
    """1st, 2nd … as Tasks writes them; -1 is "last"."""
    if number < 0:
        return "last"
    return f"{number}{'th' if 10 < number % 100 < 14 else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def nth_of(nth: Atom, first: date, last: date) -> tuple[date | None, date | None]:
    """The nth weekday, work day, day, week or weekend of a period, from its first to its last day."""
    number = nth.number
    match nth.unit:
        case "workday":
            day = days.nth_workday(first, last, number)
        case "day":
            day = last if number < 0 else days.add_days(first, number - 1)
        case "week":
            start = days.add_days(first, 7 * (number - 1)) if number > 0 else days.add_days(last, -6)
            return start, start and days.add_days(start, 6)
        case "weekend":
            day = days.nth_weekday(first, last, number, days.SUNDAY)
        case weekday:
            day = days.nth_weekday(first, last, number, int(weekday))
    return day, day


def next_nth(nth: Atom, line: Line, *, today_too: bool) -> date | None:
    """The next nth weekday (or the like) of some month."""
    for months in range(14):
        first = days.add_months(line.today.replace(day=1), months)
        day = first and nth_of(nth, first, days.month_end(first.year, first.month))[1]
        if day and (day > line.today or (today_too and day == line.today)):
            return day
    return None
