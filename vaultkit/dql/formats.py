"""Dates and durations as text and back, by luxon's tokens, in English (facts/dataview.md §6). Pure.

Names of zones ("Eastern Standard Time") are known for a few zones only; others are shown as their offset, `GMT+9`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from typing import Final

from vaultkit.dql.dates import (
    MINUTE,
    UNITS,
    Civil,
    Date,
    Duration,
    Zone,
    civil_of,
    date_at,
    days_in_month,
    days_of,
    fixed_zone,
    in_zone,
    shifted,
    zone_of,
)

MONTHS: Final = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"]
WEEKDAYS: Final = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
INVALID: Final = "Invalid DateTime"


def format_date(date: Date, pattern: str) -> str:
    """*date* by luxon's tokens; unknown ones and what stands in single quotes stay."""
    if date.instant is None:
        return INVALID
    civil = date.civil()
    return "".join(text if literal else _token(text, date, civil) for text, literal in tokens(pattern))


def format_duration(duration: Duration, pattern: str) -> str:
    """*duration* in the units whose tokens the pattern has (y M w d h m s S), rounded down."""
    found = list(tokens(pattern))
    wanted = [_DURATION_TOKENS[text[0]] for text, literal in found if not literal and text[0] in _DURATION_TOKENS]
    values = shifted(duration, wanted).values
    pieces = []
    for text, literal in found:
        at = _DURATION_TOKENS.get(text[0])
        pieces.append(text if literal or at is None else _padded(_floor(values[at] or 0), len(text)))
    return "".join(pieces)


def parse_date(text: str, pattern: str, local: Zone, now: float) -> Date | None:
    """A date written by luxon's tokens; None when *text* is none. What the pattern leaves out is that of today, or its lowest."""
    pieces: list[str] = []
    names: list[str] = []
    for token, literal in [piece for pair in tokens(pattern) for piece in _expanded(*pair)]:
        rule = None if literal else _READ.get(token)
        if rule is None:
            pieces.append(f"({re.escape(token)})")
            names.append("")
        else:
            pieces.append(f"({rule})")
            names.append(token)
    found = re.match("".join(pieces) + r"\Z", text, re.IGNORECASE)
    if found is None:
        return None
    read: dict[str, int] = {}
    zone = local
    for at, name in enumerate(names, 1):
        if not name:
            continue
        value = found[at]
        if name[0] == "z":
            zone = zone_of(value, local) or zone
        elif name[0] == "Z":
            sign, digits = value[0], value[1:].replace(":", "")
            hours, minutes = (int(digits[:-2]), int(digits[-2:])) if len(digits) > 2 else (int(digits), 0)
            zone = fixed_zone((hours * 60 + minutes) * (-1 if sign == "-" else 1))
        else:
            read[name[0]] = _number_of(name, value)
    found_date = _from_units(read, zone, now)
    return in_zone(found_date, local) if found_date is not None else None


def tokens(pattern: str) -> Iterator[tuple[str, bool]]:
    """Runs of one character, each with whether it stands for itself (quoted text and blanks do)."""
    current, run, quoted = "", "", False
    for char in pattern:
        if char == "'":
            if run:
                yield run, quoted or not run.strip()
            current, run, quoted = "", "", not quoted
        elif quoted or char == current:
            run += char
        else:
            if run:
                yield run, not run.strip()
            current = run = char
    if run:
        yield run, quoted or not run.strip()


_DURATION_TOKENS: Final = {"y": 0, "M": 1, "w": 2, "d": 3, "h": 4, "m": 5, "s": 6, "S": 7}
assert [UNITS[at][0] for at in _DURATION_TOKENS.values()] == list("ymwdhmsm")


def _floor(value: float) -> float:
    return math.floor(value) if math.isfinite(value) else value


def _padded(value: float, width: int) -> str:
    digits = str(abs(value)) if not isinstance(value, float) else "NaN" if math.isnan(value) else "Infinity"
    return ("-" if value < 0 else "") + digits.rjust(width, "0")


def _token(token: str, date: Date, civil: Civil) -> str:
    if rule := _WRITE.get(token):
        return rule(date, civil)
    macro = _MACROS.get(token)
    if macro is None:
        return token
    return "".join(text if literal else _token(text, date, civil) for text, literal in tokens(macro))


def _twelve(civil: Civil) -> int:
    return civil.hour % 12 or 12


def _offset(date: Date, style: str) -> str:
    offset = int(date.zone.offset(date.instant or 0))
    sign, (hours, minutes) = "-" if offset < 0 else "+", divmod(abs(offset), 60)
    if style == "narrow":
        return f"{sign}{hours}" + (f":{minutes:02}" if minutes else "")
    return f"{sign}{hours:02}{':' if style == 'short' else ''}{minutes:02}"


# Zones whose names are known: standard and summer time, short and long.
_ZONE_NAMES: Final = {
    "UTC": ("UTC", "UTC", "Coordinated Universal Time", "Coordinated Universal Time"),
    "America/New_York": ("EST", "EDT", "Eastern Standard Time", "Eastern Daylight Time"),
    "America/Chicago": ("CST", "CDT", "Central Standard Time", "Central Daylight Time"),
    "America/Denver": ("MST", "MDT", "Mountain Standard Time", "Mountain Daylight Time"),
    "America/Los_Angeles": ("PST", "PDT", "Pacific Standard Time", "Pacific Daylight Time"),
    "Europe/London": ("GMT", "GMT+1", "Greenwich Mean Time", "British Summer Time"),
    **dict.fromkeys(
        ("Europe/Paris", "Europe/Berlin", "Europe/Madrid", "Europe/Rome", "Europe/Vienna", "Europe/Zurich", "Europe/Amsterdam", "Europe/Brussels",
         "Europe/Stockholm", "Europe/Oslo", "Europe/Copenhagen", "Europe/Prague", "Europe/Warsaw", "Europe/Budapest"),
        ("GMT+1", "GMT+2", "Central European Standard Time", "Central European Summer Time"),
    ),
    "Asia/Tokyo": ("GMT+9", "GMT+9", "Japan Standard Time", "Japan Standard Time"),
    "Asia/Kolkata": ("GMT+5:30", "GMT+5:30", "India Standard Time", "India Standard Time"),
    "Asia/Shanghai": ("GMT+8", "GMT+8", "China Standard Time", "China Standard Time"),
    "Australia/Sydney": ("GMT+10", "GMT+11", "Australian Eastern Standard Time", "Australian Eastern Daylight Time"),
}  # fmt: skip


def _zone_name(date: Date, *, long: bool) -> str:
    if date.zone.kind == "fixed":
        return date.zone.name
    names = _ZONE_NAMES.get(date.zone.name)
    if names is None:
        offset = _offset(date, "narrow")
        return "GMT" if offset == "+0" else f"GMT{offset}"
    return names[2 * long + _is_summer(date)]


def _is_summer(date: Date) -> bool:
    """Is the clock ahead of the year's lowest offset?"""
    instant = date.instant or 0
    lowest = min(date.zone.offset(instant + days * 86_400_000) for days in (-182, -91, 0, 91, 182))
    return date.zone.offset(instant) > lowest


def _year2(year: int) -> str:
    return str(year)[-2:].rjust(2, "0")


_Write = Callable[[Date, Civil], str]
_WRITE: Final[dict[str, _Write]] = {
    "S": lambda _, c: str(int(c.millisecond)),
    "u": lambda _, c: f"{int(c.millisecond):03}",
    "SSS": lambda _, c: f"{int(c.millisecond):03}",
    "uu": lambda _, c: f"{int(c.millisecond) // 10:02}",
    "uuu": lambda _, c: str(int(c.millisecond) // 100),
    "s": lambda _, c: str(c.second),
    "ss": lambda _, c: f"{c.second:02}",
    "m": lambda _, c: str(c.minute),
    "mm": lambda _, c: f"{c.minute:02}",
    "h": lambda _, c: str(_twelve(c)),
    "hh": lambda _, c: f"{_twelve(c):02}",
    "H": lambda _, c: str(c.hour),
    "HH": lambda _, c: f"{c.hour:02}",
    "Z": lambda d, _: _offset(d, "narrow"),
    "ZZ": lambda d, _: _offset(d, "short"),
    "ZZZ": lambda d, _: _offset(d, "techie"),
    "ZZZZ": lambda d, _: _zone_name(d, long=False),
    "ZZZZZ": lambda d, _: _zone_name(d, long=True),
    "z": lambda d, _: d.zone.name,
    "a": lambda _, c: "AM" if c.hour < 12 else "PM",
    "d": lambda _, c: str(c.day),
    "dd": lambda _, c: f"{c.day:02}",
    **{name: lambda _, c: str(c.weekday) for name in "cE"},
    **{name * 3: lambda _, c: WEEKDAYS[c.weekday - 1][:3] for name in "cE"},
    **{name * 4: lambda _, c: WEEKDAYS[c.weekday - 1] for name in "cE"},
    **{name * 5: lambda _, c: WEEKDAYS[c.weekday - 1][0] for name in "cE"},
    **{name: lambda _, c: str(c.month) for name in "LM"},
    **{name * 2: lambda _, c: f"{c.month:02}" for name in "LM"},
    **{name * 3: lambda _, c: MONTHS[c.month - 1][:3] for name in "LM"},
    **{name * 4: lambda _, c: MONTHS[c.month - 1] for name in "LM"},
    **{name * 5: lambda _, c: MONTHS[c.month - 1][0] for name in "LM"},
    "y": lambda _, c: str(c.year),
    "yy": lambda _, c: _year2(c.year),
    "yyyy": lambda _, c: _padded(c.year, 4),
    "yyyyyy": lambda _, c: _padded(c.year, 6),
    "G": lambda _, c: "BC" if c.year < 0 else "AD",
    "GG": lambda _, c: "Before Christ" if c.year < 0 else "Anno Domini",
    "GGGGG": lambda _, c: "B" if c.year < 0 else "A",
    "kk": lambda _, c: _year2(c.week()[0]),
    "kkkk": lambda _, c: _padded(c.week()[0], 4),
    "W": lambda _, c: str(c.week()[1]),
    "WW": lambda _, c: f"{c.week()[1]:02}",
    "o": lambda _, c: str(c.ordinal),
    "ooo": lambda _, c: f"{c.ordinal:03}",
    "q": lambda _, c: str((c.month + 2) // 3),
    "qq": lambda _, c: f"{(c.month + 2) // 3:02}",
    "X": lambda d, _: str(int((d.instant or 0) // 1000)),
    "x": lambda d, _: str(int(d.instant or 0)),
    "~zone": lambda d, _: _zone_name(d, long=False).replace("UTC+", "GMT+").replace("UTC-", "GMT-"),
    "~ZONE": lambda d, _: _long_name(d),
}


def _long_name(date: Date) -> str:
    if date.zone.kind != "fixed":
        return _zone_name(date, long=True)
    offset = _offset(date, "short")
    return "Coordinated Universal Time" if offset == "+00:00" else f"GMT{offset}"


# English forms of the macros.
_MACROS: Final[dict[str, str]] = {
    "D": "M/d/yyyy",
    "DD": "MMM d, yyyy",
    "DDD": "MMMM d, yyyy",
    "DDDD": "EEEE, MMMM d, yyyy",
    "t": "h:mm a",
    "tt": "h:mm:ss a",
    "T": "HH:mm",
    "TT": "HH:mm:ss",
    "f": "M/d/yyyy, h:mm a",
    "ff": "MMM d, yyyy, h:mm a",
    "F": "M/d/yyyy, h:mm:ss a",
    "FF": "MMM d, yyyy, h:mm:ss a",
}
_ZONED: Final[dict[str, tuple[str, str]]] = {
    "ttt": ("h:mm:ss a ", "~zone"),
    "tttt": ("h:mm:ss a ", "~ZONE"),
    "TTT": ("HH:mm:ss ", "~zone"),
    "TTTT": ("HH:mm:ss ", "~ZONE"),
    "fff": ("MMMM d, yyyy 'at' h:mm a ", "~zone"),
    "ffff": ("EEEE, MMMM d, yyyy 'at' h:mm a ", "~ZONE"),
    "FFF": ("MMMM d, yyyy 'at' h:mm:ss a ", "~zone"),
    "FFFF": ("EEEE, MMMM d, yyyy 'at' h:mm:ss a ", "~ZONE"),
}


def _zoned(head: str, name: str) -> _Write:
    return lambda date, civil: format_date(date, head) + _WRITE[name](date, civil)


_WRITE.update({token: _zoned(*parts) for token, parts in _ZONED.items()})

# -- reading ----------------------------------------------------------------------------------------------------------------------------

_SHORT_MONTHS: Final = [name[:3] for name in MONTHS]
_SHORT_DAYS: Final = [name[:3] for name in WEEKDAYS]
_READ: Final[dict[str, str]] = {
    "G": "AD|BC",
    "GG": "Anno Domini|Before Christ",
    "y": r"\d{1,6}",
    "yy": r"\d{2,4}",
    "yyyy": r"\d{4}",
    "yyyyy": r"\d{4,6}",
    "yyyyyy": r"\d{6}",
    **{name * 3: "|".join(_SHORT_MONTHS) for name in "LM"},
    **{name * 4: "|".join(MONTHS) for name in "LM"},
    **dict.fromkeys(("M", "L", "d", "H", "h", "m", "q", "s", "W"), r"\d{1,2}"),
    **{name * 2: r"\d{2}" for name in ("M", "L", "d", "H", "h", "m", "q", "s", "W")},
    **dict.fromkeys("oS", r"\d{1,3}"),
    **{name * 3: r"\d{3}" for name in "oS"},
    "u": r"\d{1,9}",
    "uu": r"\d{1,2}",
    "uuu": r"\d",
    "a": "AM|PM",
    "kkkk": r"\d{4}",
    "kk": r"\d{2,4}",
    **dict.fromkeys("Ec", r"\d"),
    **{name * 3: "|".join(_SHORT_DAYS) for name in "Ec"},
    **{name * 4: "|".join(WEEKDAYS) for name in "Ec"},
    "Z": r"[+-]\d{1,2}(?::\d{2})?",
    "ZZ": r"[+-]\d{1,2}(?::\d{2})?",
    "ZZZ": r"[+-]\d{1,2}(?:\d{2})?",
    "z": r"[a-z_+,\-./]{1,256}?",
}


def _expanded(token: str, literal: bool) -> list[tuple[str, bool]]:
    """A macro as the tokens that it stands for; in those a blank is any blank."""
    macro = None if literal else _MACROS.get(token)
    return [(token, literal)] if macro is None else list(tokens(macro))


def _number_of(token: str, text: str) -> int:
    lowered = text.lower()
    for names, first in (
        (_SHORT_MONTHS, 1),
        (MONTHS, 1),
        (_SHORT_DAYS, 1),
        (WEEKDAYS, 1),
        (["AM", "PM"], 0),
        (["AD", "BC"], 1),
        (["Anno Domini", "Before Christ"], 1),
    ):
        for at, name in enumerate(names):
            if name.lower() == lowered and not text[0].isdigit():
                return at + first
    if token[0] == "u":
        return int(float(f"0.{text}") * 1000)
    value = int(text)
    if token in {"yy", "kk"} and len(text) < 3:
        return value + (2000 if value <= 60 else 1900)
    return value


_CALENDAR: Final = (("year", "y"), ("month", "M"), ("day", "d"))
_WEEKS: Final = (("year", "k"), ("week", "W"), ("weekday", "E"))
_ORDINALS: Final = (("year", "y"), ("ordinal", "o"))
_CLOCK: Final = (("hour", "H"), ("minute", "m"), ("second", "s"), ("millisecond", "S"))


def _from_units(read: dict[str, int], zone: Zone, now: float) -> Date | None:
    """What stands above the highest unit that was read is now's, what stands below it is lowest."""
    today = civil_of(now + zone.offset(now) * MINUTE)
    for name, same in (("M", "L"), ("E", "c"), ("S", "u")):
        if same in read:
            read[name] = read[same]
    if "q" in read:
        read["M"] = (read["q"] - 1) * 3 + 1
    if "h" in read:
        hour = read["h"]
        read["H"] = hour % 12 + 12 * read["a"] if "a" in read and hour <= 12 else hour
    if read.get("G") == 2 and "y" in read:
        read["y"] = -read["y"]
    by_week = "k" in read or "W" in read or ("E" in read and not {"y", "M", "d"} & set(read))
    units = _WEEKS if by_week else _ORDINALS if "o" in read else _CALENDAR
    week_year, week = today.week()
    current = {**today._asdict(), "weekday": today.weekday, "week": week, "ordinal": today.ordinal} | (
        {"year": week_year} if by_week else {}
    )
    values: dict[str, int] = {}
    for name, mark in (*units, *_CLOCK):
        lowest = 0 if (name, mark) in _CLOCK else 1
        started = any(other in read for _, other in (*units, *_CLOCK)[: [unit for unit, _ in (*units, *_CLOCK)].index(name)])
        values[name] = read[mark] if mark in read else lowest if started else int(current[name])
    days = _days_of_units(values, units)
    if days is None:
        return None
    civil = civil_of(days * 86_400_000)
    if units is _CALENDAR and "E" in read and civil.weekday != read["E"]:
        return None
    hour, minute, second, millisecond = (values[name] for name, _ in _CLOCK)
    if not (hour <= 23 or (hour == 24 and minute == second == millisecond == 0)) or minute > 59 or second > 59:
        return None
    return date_at(Civil(*civil[:3], hour, minute, second, millisecond), zone, zone.offset(now))


def _days_of_units(values: dict[str, int], units: tuple[tuple[str, str], ...]) -> int | None:
    """Days since 1970 of a year with month and day, week and weekday, or ordinal; None where there is no such day."""
    year = values["year"]
    if units is _WEEKS:
        fourth = days_of(year, 1, 4)
        if not 1 <= values["week"] <= 53 or not 1 <= values["weekday"] <= 7:
            return None
        return fourth - (fourth + 3) % 7 + (values["week"] - 1) * 7 + values["weekday"] - 1
    if units is _ORDINALS:
        length = days_of(year + 1, 1, 1) - days_of(year, 1, 1)
        return days_of(year, 1, 1) + values["ordinal"] - 1 if 1 <= values["ordinal"] <= length else None
    if not 1 <= values["month"] <= 12 or not 1 <= values["day"] <= days_in_month(year, values["month"]):
        return None
    return days_of(year, values["month"], values["day"])
