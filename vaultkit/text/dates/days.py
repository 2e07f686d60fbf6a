"""Calendar arithmetic that never raises: what falls outside the calendar is None."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta

_MONTH_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY = range(7)


def month_length(year: int, month: int) -> int:
    """How many days a month has."""
    leap = month == 2 and year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return _MONTH_LENGTHS[month - 1] + leap


def make_day(year: int, month: int, day: int) -> date | None:
    """The day, or None when there is none (30 February)."""
    try:
        return date(year, month, day)
    except (ValueError, OverflowError):
        return None


def add_days(day: date, count: int) -> date | None:
    """*day* moved by *count* days."""
    try:
        return day + timedelta(days=count)
    except OverflowError:
        return None


def add_months(day: date, count: int) -> date | None:
    """*day* moved by *count* months; the 31st becomes the last of a shorter month."""
    if abs(count) > 120_000:
        return None
    index = day.year * 12 + day.month - 1 + count
    year, month = divmod(index, 12)
    if not 1 <= year <= 9999:
        return None
    return date(year, month + 1, min(day.day, month_length(year, month + 1)))


def add_workdays(day: date, count: int) -> date | None:
    """*day* moved by *count* days from Monday to Friday; public holidays count as work days."""
    if abs(count) > 1_000_000:
        return None
    weeks, rest = divmod(abs(count), 5)
    step = 1 if count >= 0 else -1
    moved = add_days(day, step * 7 * weeks)
    while moved is not None and rest:
        moved = add_days(moved, step)
        rest -= moved is not None and moved.weekday() < SATURDAY
    return moved


def shift(day: date, count: int, unit: str) -> date | None:
    """*day* moved by *count* of day, workday, week, month, quarter or year."""
    match unit:
        case "workday":
            return add_workdays(day, count)
        case "month" | "quarter" | "year":
            return add_months(day, count * {"month": 1, "quarter": 3, "year": 12}[unit])
        case _:
            return add_days(day, count * (7 if unit == "week" else 1))


def shift_clock(now: datetime, count: int, unit: str) -> datetime | None:
    """*now* moved by *count* hours or minutes."""
    try:
        return now + (timedelta(hours=count) if unit == "hour" else timedelta(minutes=count))
    except OverflowError:
        return None


def month_end(year: int, month: int) -> date:
    """The last day of a month."""
    return date(year, month, month_length(year, month))


def monday_of(day: date) -> date:
    """The Monday of the week that holds *day* (the first day of the calendar when there is none)."""
    return add_days(day, -day.weekday()) or date.min


def next_weekday(day: date, weekday: int) -> date:
    """The first *weekday* strictly after *day*."""
    return add_days(day, (weekday - day.weekday() - 1) % 7 + 1) or date.max


def last_weekday(day: date, weekday: int) -> date:
    """The last *weekday* strictly before *day*."""
    return add_days(day, -((day.weekday() - weekday - 1) % 7 + 1)) or date.min


def nth_weekday(first: date, last: date, nth: int, weekday: int) -> date | None:
    """The *nth* (-1: last) *weekday* from *first* to *last*."""
    if nth < 0:
        return add_days(last, -((last.weekday() - weekday) % 7))
    found = add_days(first, (weekday - first.weekday()) % 7 + 7 * (nth - 1))
    return found if found is not None and found <= last else None


def nth_workday(first: date, last: date, nth: int) -> date | None:
    """The *nth* (-1: last) day from Monday to Friday of a period."""
    if nth < 0:
        return last if last.weekday() < SATURDAY else add_workdays(last, -1)
    before = add_days(first, -1)
    return add_workdays(before, nth) if before is not None else None


def next_month_day(today: date, day: int, *, strictly: bool = False) -> date | None:
    """The next *day* of a month from *today* on; short months are skipped."""
    for months in range(13):
        base = add_months(today.replace(day=1), months)
        found = make_day(base.year, base.month, day) if base else None
        if found is not None and (found > today or (found == today and not strictly)):
            return found
    return None


def last_month_day(today: date, day: int) -> date | None:
    """The latest *day* of a month before *today*."""
    for months in range(13):
        base = add_months(today.replace(day=1), -months)
        found = make_day(base.year, base.month, day) if base else None
        if found is not None and found < today:
            return found
    return None


def yearly(of_year: Callable[[int], date | None], today: date) -> tuple[date, date | None] | None:
    """The next day of a yearly kind from *today* on, with the latest before it."""
    found = [day for year in range(today.year - 4, today.year + 9) if 1 <= year <= 9999 and (day := of_year(year))]
    ahead = min((day for day in found if day >= today), default=None)
    return None if ahead is None else (ahead, max((day for day in found if day < today), default=None))


def easter(year: int) -> date:
    """Easter Sunday (Gregorian)."""
    a, b, c = year % 19, year // 100, year % 100
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    m = (32 + 2 * e + 2 * i - h - k) % 7
    n = (a + 11 * h + 22 * m) // 451
    month, day = divmod(h + m - 7 * n + 114, 31)
    return date(year, month, day + 1)


def equinox(year: int, *, autumn: bool = False) -> date | None:
    """The day of the equinox in Japan (right from 1980 to 2099)."""
    base = 23.2488 if autumn else 20.8431
    return make_day(year, 9 if autumn else 3, int(base + 0.242194 * (year - 1980) - (year - 1980) // 4))


def autumn_equinox(year: int) -> date | None:
    """The day of the autumn equinox in Japan."""
    return equinox(year, autumn=True)


def after_thanksgiving(later: int) -> Callable[[int], date | None]:
    """Some days after the fourth Thursday of November."""

    def of_year(year: int) -> date | None:
        thursday = nth_weekday(date(year, 11, 1), month_end(year, 11), 4, THURSDAY)
        return thursday and add_days(thursday, later)

    return of_year


def fixed(month: int, day: int) -> Callable[[int], date | None]:
    """A day that is the same every year."""
    return lambda year: make_day(year, month, day)


def floating(month: int, nth: int, weekday: int) -> Callable[[int], date | None]:
    """A day such as the second Monday of a month."""
    return lambda year: nth_weekday(date(year, month, 1), month_end(year, month), nth, weekday)


def from_easter(days: int) -> Callable[[int], date | None]:
    """A day that moves with Easter."""
    return lambda year: add_days(easter(year), days)
