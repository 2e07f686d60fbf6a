"""Dates with zones and durations with units, as luxon 3 reckons them (facts/dataview.md §2, §3). Pure: zones and the time are arguments.

A `Date` is an instant and the zone it is shown in; a `Duration` keeps the units that were written. Months and years are "casual" where a
length is asked for: 30 and 365 days.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Final, NamedTuple

DAY: Final = 86_400_000  # all times are milliseconds
MINUTE: Final = 60_000
FURTHEST: Final = 8_640_000_000_000_000  # the last instant that JavaScript can name
UNITS: Final = ("years", "months", "weeks", "days", "hours", "minutes", "seconds", "milliseconds")
_SIZES: Final = (365 * DAY, 30 * DAY, 7 * DAY, DAY, 3_600_000, MINUTE, 1000, 1)
# Between neighbours luxon has whole numbers, which do not always follow from the sizes: 12 months a year, 4 weeks a month.
_FACTORS: Final[dict[tuple[int, int], float]] = {
    **{(i, j): _SIZES[i] / _SIZES[j] for i in range(8) for j in range(i + 1, 8)},
    (0, 1): 12,
    (0, 2): 52,
    (1, 2): 4,
}


class Zone:
    """A time zone: the local one, a fixed offset, or one by its name. Two are the same only if they are of one kind."""

    __slots__ = ("_known", "fixed", "info", "kind", "name")

    def __init__(self, kind: str, name: str, *, fixed: int | None = None, info: tzinfo | None = None) -> None:
        self.kind = kind
        self.name = name
        self.fixed = fixed  # minutes east, where it never changes
        self.info = info
        self._known: dict[int, float] = {}

    def offset(self, instant: float) -> float:
        """Minutes east of UTC at *instant*; before there were zones, with a fraction."""
        if self.fixed is not None:
            return self.fixed
        quarter = int(instant // 900_000)  # no zone changes within a quarter of an hour
        found = self._known.get(quarter)
        if found is None:
            if len(self._known) > 100_000:
                self._known.clear()
            found = self._known[quarter] = self._look_up(quarter * 900)
        return found

    def _look_up(self, seconds: int) -> float:
        moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=min(max(seconds, _FIRST), _LAST))
        offset = moment.astimezone(self.info).utcoffset() or timedelta()
        return whole(offset.total_seconds() / 60)

    def same(self, other: Zone) -> bool:
        """Does luxon call them equal?"""
        if self.kind != other.kind:
            return False
        return self.kind == "local" or (self.fixed == other.fixed if self.kind == "fixed" else self.name == other.name)


_FIRST: Final = -62_135_000_000
_LAST: Final = 253_402_000_000
UTC_ZONE: Final = Zone("fixed", "UTC", fixed=0)


def local_zone(name: str, info: tzinfo | None = None) -> Zone:
    """The zone that dates without one are in. Raises KeyError for a name that is none (and no *info* given)."""
    if name in {"UTC", "Etc/UTC", "GMT"}:
        return Zone("local", "UTC", fixed=0)
    if info is None and (info := _named(name)) is None:
        raise KeyError(name)
    return Zone("local", name, info=info)


def zone_of(text: str, local: Zone) -> Zone | None:
    """The zone that a date literal names: `UTC+9`, `utc`, `Europe/Paris`; None if there is none such."""
    word = text.lower()
    if word in {"local", "system", "default"}:
        return local
    if word in {"utc", "gmt"}:
        return UTC_ZONE
    if found := _SPECIFIER.fullmatch(text):
        hours, minutes = int(found[1]), int(found[2] or 0)
        offset = hours * 60 + (-minutes if found[1].startswith("-") else minutes)
        return fixed_zone(offset)
    info = _named(text)
    return Zone("iana", text, info=info) if info is not None else None


@lru_cache(maxsize=200)
def fixed_zone(offset: int) -> Zone:
    """`UTC+5:30` for 330."""
    if offset == 0:
        return UTC_ZONE
    hours, minutes = divmod(abs(offset), 60)
    return Zone("fixed", f"UTC{'+' if offset > 0 else '-'}{hours}" + (f":{minutes:02}" if minutes else ""), fixed=offset)


@lru_cache(maxsize=200)
def _named(name: str) -> tzinfo | None:
    from zoneinfo import ZoneInfo  # noqa: PLC0415 - most vaults name no zone

    for spelling in (name, "/".join(part.title() for part in name.split("/")), name.upper()):
        try:
            return ZoneInfo(spelling)
        except (KeyError, ValueError, OSError):
            continue
    return None


_SPECIFIER: Final = re.compile(r"utc([+-][0-9]{1,2})(?::([0-9]{2}))?", re.IGNORECASE)


class Date(NamedTuple):
    """An instant, in milliseconds since 1970 (None: an impossible date, such as the day 45), shown in *zone*."""

    instant: float | None
    zone: Zone

    def civil(self) -> Civil:
        """Year to millisecond as the zone's clock shows them. Only for valid dates."""
        assert self.instant is not None
        return civil_of(self.instant + self.zone.offset(self.instant) * MINUTE)


class Civil(NamedTuple):
    """What a clock and a calendar show."""

    year: int
    month: int
    day: int
    hour: int
    minute: int
    second: int
    millisecond: float

    @property
    def weekday(self) -> int:
        """Monday is 1."""
        return (days_of(self.year, self.month, self.day) + 3) % 7 + 1

    @property
    def ordinal(self) -> int:
        """Day of the year."""
        return days_of(self.year, self.month, self.day) - days_of(self.year, 1, 1) + 1

    def week(self) -> tuple[int, int]:
        """ISO year and week."""
        thursday = days_of(self.year, self.month, self.day) - self.weekday + 4
        year = civil_of(thursday * DAY).year
        return year, (thursday - days_of(year, 1, 1)) // 7 + 1


def days_of(year: int, month: int, day: int) -> int:
    """Days since 1970-01-01; months and days beyond their ends carry on."""
    months = year * 12 + month - 1
    year, month = months // 12, months % 12 + 1
    shifted = year - (month <= 2)
    era, of_era = divmod(shifted, 400)
    day_of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5
    return era * 146_097 + of_era * 365 + of_era // 4 - of_era // 100 + day_of_year + day - 1 - 719_468


@lru_cache(maxsize=20_000)
def _calendar(days: int) -> tuple[int, int, int]:
    era, of_era = divmod(days + 719_468, 146_097)
    year = (of_era - of_era // 1460 + of_era // 36_524 - of_era // 146_096) // 365
    of_year = of_era - (365 * year + year // 4 - year // 100)
    shifted = (5 * of_year + 2) // 153
    month = shifted + 3 if shifted < 10 else shifted - 9
    return year + era * 400 + (month <= 2), month, of_year - (153 * shifted + 2) // 5 + 1


def civil_of(local: float) -> Civil:
    """Local milliseconds, taken apart."""
    days, rest = divmod(local, DAY)
    hour, rest = divmod(rest, 3_600_000)
    minute, rest = divmod(rest, MINUTE)
    second, rest = divmod(rest, 1000)
    return Civil(*_calendar(int(days)), int(hour), int(minute), int(second), whole(rest))


def days_in_month(year: int, month: int) -> int:
    """Of any month; 13 is the next January."""
    return days_of(year, month + 1, 1) - days_of(year, month, 1)


def date_at(civil: Civil, zone: Zone, guess: float) -> Date:
    """The date that this clock shows; *guess* is the offset to try first (it decides in the hour that a clock shows twice)."""
    local = days_of(civil.year, civil.month, civil.day) * DAY + civil.hour * 3_600_000 + civil.minute * MINUTE + civil.second * 1000
    return _at_local(local + civil.millisecond, zone, guess)


def _at_local(local: float, zone: Zone, guess: float) -> Date:
    if zone.fixed is not None:
        return _valid(local - zone.fixed * MINUTE, zone)
    instant = local - guess * MINUTE
    offset = zone.offset(instant)
    if offset == guess:
        return _valid(instant, zone)
    instant = local - offset * MINUTE
    again = zone.offset(instant)
    if again == offset:
        return _valid(instant, zone)
    return _valid(local - min(offset, again) * MINUTE, zone)  # the clock jumped over that time


def _valid(instant: float, zone: Zone) -> Date:
    return Date(whole(instant) if abs(instant) <= FURTHEST else None, zone)


def from_parts(year: int, month: int, day: int, zone: Zone, now: float) -> Date:
    """Midnight of a day that must exist, else an impossible date."""
    if not 1 <= month <= 12 or not 1 <= day <= days_in_month(year, month):
        return Date(None, zone)
    return date_at(Civil(year, month, day, 0, 0, 0, 0), zone, zone.offset(now))


def changed(date: Date, **parts: int) -> Date:
    """The date with some of its parts set; a day beyond the month's end carries on, a month does not."""
    if date.instant is None:
        return date
    civil = date.civil()._replace(**parts)
    if "day" not in parts:
        civil = civil._replace(day=min(civil.day, days_in_month(civil.year, civil.month)))
    return date_at(civil, date.zone, date.zone.offset(date.instant))


def in_zone(date: Date, zone: Zone, *, keep_clock: bool = False) -> Date:
    """The same instant in another zone, or (*keep_clock*) the same clock there."""
    if date.instant is None or not keep_clock:
        return Date(date.instant, zone)
    local = date.instant + date.zone.offset(date.instant) * MINUTE
    return _at_local(local, zone, zone.offset(date.instant))


def strip_time(date: Date, local: Zone, now: float) -> Date:
    """Midnight of the day that the date shows, in the local zone."""
    if date.instant is None:
        return Date(None, local)
    civil = date.civil()
    return from_parts(civil.year, civil.month, civil.day, local, now)


def start_of(date: Date, unit: str) -> Date:
    """Of the day, week (Monday), month or year."""
    if date.instant is None:
        return date
    civil = date.civil()
    year, month, day = civil[:3]
    if unit == "week":
        day -= civil.weekday - 1
    elif unit != "day":
        month, day = (1 if unit == "year" else month), 1
    return date_at(Civil(*_calendar(days_of(year, month, day)), 0, 0, 0, 0), date.zone, date.zone.offset(date.instant))


def end_of(date: Date, unit: str) -> Date:
    """The last millisecond of it."""
    after = start_of(add(date, Duration.of({f"{unit}s": 1})), unit)
    return Date(after.instant - 1, date.zone) if after.instant is not None else after


# -- durations ----------------------------------------------------------------------------------------------------------------------------


class Duration(NamedTuple):
    """The units that were written, each with its number; None where a unit was not."""

    values: tuple[float | None, ...]

    @staticmethod
    def of(parts: dict[str, float]) -> Duration:
        """From a number a unit."""
        return Duration(tuple(parts.get(unit) for unit in UNITS))

    def as_dict(self) -> dict[str, float]:
        """Only the units that are there."""
        return {unit: value for unit, value in zip(UNITS, self.values, strict=True) if value is not None}

    def milliseconds(self) -> float:
        """Its length, months and years casual."""
        return _length(self.values)


def plus(left: Duration, right: Duration) -> Duration:
    """Unit by unit."""
    pairs = zip(left.values, right.values, strict=True)
    return Duration(tuple(None if a is None and b is None else (a or 0) + (b or 0) for a, b in pairs))


def scaled(duration: Duration, factor: float) -> Duration:
    """Every unit times *factor*. Raises ValueError when that is no number."""
    values = tuple(value if value is None else value * factor for value in duration.values)
    if any(value != value for value in values if value is not None):  # noqa: PLR0124 - only NaN differs from itself
        raise ValueError("Invalid unit value NaN")
    return Duration(tuple(value if value is None else whole(value) for value in values))


def negated(duration: Duration) -> Duration:
    """The other way."""
    return Duration(tuple(value if value is None else (-value if value else 0) for value in duration.values))


def normalised(duration: Duration) -> Duration:
    """All units, none larger than the next one up holds: 28 days are 1 month."""
    return Duration(tuple(_carried(list(shifted(duration, range(8)).values))))


def shifted(duration: Duration, wanted: Sequence[int]) -> Duration:
    """The same length in the units of these indexes."""
    values = duration.values
    built: list[float | None] = [None] * 8
    waiting: dict[int, float] = {}
    last = -1
    for at in range(8):
        value = values[at]
        if at in wanted:
            last = at
            own: float = 0
            for above, amount in waiting.items():
                own += _FACTORS[above, at] * amount
            waiting = dict.fromkeys(waiting, 0)
            if value is not None:
                own += value
            built[at] = _trunc(own)
            waiting[at] = (own * 1000 - _trunc(own) * 1000) / 1000
        elif value is not None:
            waiting[at] = value
    if last < 0:
        return duration
    for at, rest in waiting.items():
        if rest != 0:
            built[last] = (built[last] or 0) + (rest if at == last else rest / _FACTORS[last, at])
    return Duration(tuple(value if value is None else whole(value) for value in _carried(built)))


def in_unit(duration: Duration, unit: str) -> float:
    """The whole length in one unit."""
    value = shifted(duration, (UNITS.index(unit),)).values[UNITS.index(unit)]
    return 0 if value is None else value


def same_duration(left: Duration, right: Duration) -> bool:
    """Luxon's `equals`: the same numbers in the same units, nothing counting as 0."""
    return all((a or 0) == (b or 0) for a, b in zip(left.values, right.values, strict=True))


def _length(values: Sequence[float | None]) -> float:
    return sum(value * size for value, size in zip(values, _SIZES, strict=True) if value is not None)


def _carried(values: list[float | None]) -> list[float | None]:
    sign = -1 if _length(values) < 0 else 1
    lower = -1
    for at in range(7, -1, -1):
        value = values[at]
        if value is None:
            continue
        if lower >= 0:
            factor = _FACTORS[at, lower]
            amount = values[lower] or 0
            up = _floor(amount * sign / factor)
            values[at] = value + up * sign
            values[lower] = amount - up * factor * sign
        lower = at
    upper = -1
    for at in range(8):
        value = values[at]
        if value is None:
            continue
        if upper >= 0:
            amount = values[upper] or 0
            rest = math.fmod(amount, 1) if math.isfinite(amount) else math.nan
            values[upper] = amount - rest
            values[at] = value + rest * _FACTORS[upper, at]
        upper = at
    return [value if value is None else whole(value) for value in values]


# -- both -------------------------------------------------------------------------------------------------------------------------------


def add(date: Date, duration: Duration) -> Date:
    """Calendar units move the calendar (31 January + 1 month is 29 February), the others the clock; so do fractions."""
    if date.instant is None:
        return date
    if not all(math.isfinite(value or 0) and abs(value or 0) < 1e12 for value in duration.values[:4]):
        return Date(None, date.zone)
    years, months, weeks, days = (int(value or 0) for value in duration.values[:4])
    civil = date.civil()
    year, month = civil.year + years, civil.month + months
    day = min(civil.day, days_in_month(year, month)) + days + weeks * 7
    moved = date_at(civil._replace(year=year, month=month, day=day), date.zone, date.zone.offset(date.instant))
    rest = [(value or 0) - int(value or 0) for value in duration.values[:4]]
    clock = whole(_length([*rest, *duration.values[4:]]))
    if clock == 0 or moved.instant is None:
        return moved
    return _valid(moved.instant + clock, date.zone) if math.isfinite(clock) else Date(None, date.zone)


def difference(later: Date, earlier: Date) -> Duration:
    """`later - earlier`, counted on the calendar down to days, on the clock below; normalised."""
    if later.instant is None or earlier.instant is None:
        return Duration.of({})
    if earlier.instant > later.instant:
        return normalised(negated(_counted(later, earlier)))
    return normalised(_counted(earlier, later))


def _counted(earlier: Date, later: Date) -> Duration:
    counts: dict[str, float] = {}
    cursor = earlier
    for unit in ("years", "months", "days"):
        one, two = cursor.civil(), later.civil()
        if unit == "years":
            count = two.year - one.year
        elif unit == "months":
            count = two.month - one.month + (two.year - one.year) * 12
        else:
            count = days_of(*two[:3]) - days_of(*one[:3])
        counts[unit] = count
        reached = add(earlier, Duration.of(counts))
        for _ in range(2):
            if (reached.instant or 0) > (later.instant or 0):
                counts[unit] -= 1
                reached = add(earlier, Duration.of(counts))
        cursor = reached
    left = Duration.of({"milliseconds": (later.instant or 0) - (cursor.instant or 0)})
    return plus(shifted(left, (4, 5, 6, 7)), Duration.of(counts))


def total(parts: Iterable[Duration]) -> Duration:
    """The sum of what was written one after the other."""
    result = Duration.of({})
    for part in parts:
        result = plus(result, part)
    return result


def whole(value: float) -> float:
    """A float without a fraction as an int."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _floor(value: float) -> float:
    return math.floor(value) if math.isfinite(value) else value


def _trunc(value: float) -> float:
    return math.trunc(value) if math.isfinite(value) else value
