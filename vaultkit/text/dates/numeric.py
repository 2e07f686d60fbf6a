"""Dates and clock times written in figures: the same in every language."""

from __future__ import annotations

import re
from datetime import date, time

from . import days
from .atoms import NEVER, Atom, Line, Need, Rule, part, words
from .reckon import known_day, yearly_day

# A deadline word must stand in the line before these count.
DUE_WORDS = words(
    "no not on by before due deadline prior ahead advance until till til within latest cut cutoff eta expire expires expired expiry expiring expiration payable required needed or get lose pay they we"
)
DUE_SIGNS = ("まで", "迄", "締", "〆", "期限", "期日", "納期", "必着", "厳守", "消印", "以内", "中に", "中で", "前", "限り", "しめきり", "シメキリ", "内に", "いっぱい", "一杯", "リミット", "デッドライン",
             "マスト", "必須", "目処", "めど", "うちに", "目標", "納", "入稿", "返却", "払", "振込", "引", "提出", "応募", "申", "遅く", "最終日", "回答日")  # fmt: skip
ZONES = "aoe|utc|gmt|jst|kst|ist|bst|cet|cest|eet|msk|[pmce][sd]t|pt|et|ct"
_ZONE = rf"(?:\s?\(?(?P<zone>(?:{ZONES})(?![a-z])(?:[+-]\d{{1,2}})?)\)?)?"
_MERIDIEM = r"(?P<half>a\.?m\.?|p\.?m\.?)(?![a-z])"
MERIDIEM_NAMES = {"a": 0, "p": 12}


def _iso(found: re.Match[str], line: Line) -> Atom:
    day = days.make_day(int(found["y"]), int(found["m"]), int(found["d"]))
    if day is None:
        return Atom(found.start(), found.end(), "bad", source="numeric")
    clock = _time(found["hh"], found["mm"])
    seconds = "stamp" if found["ss"] else "iso"  # a time stamp with seconds is a log's, unless a deadline word stands before it
    return Atom(
        *found.span(), "day", day, day, clock=clock, dated=True, source=seconds, warning=_zone_warning(found["tz"], line, found.start("tz"))
    )


def _year_first(found: re.Match[str], _line: Line) -> Atom:
    day = days.make_day(int(found["y"]), int(found["m"]), int(found["d"]))
    need: Need = 1 if found["sep"] == "." and len(found["m"]) + len(found["d"]) < 4 else 0  # 2026.3.1 may be a version
    return known_day(found.span(), day, need=need, source="numeric")


def _year_last(found: re.Match[str], line: Line) -> Atom:
    year = int(found["y"]) if len(found["y"]) == 4 else 2000 + int(found["y"])
    first, second = int(found["a"]), int(found["b"])
    need: Need = 0
    match found["sep"]:
        case ".":
            day = days.make_day(year, second, first)
            need = 0 if len(found["y"]) == 4 else 2
        case "-" if len(found["y"]) == 2:
            day, need = _month_and_day(first, second, year, line), 2
        case _:
            day = _month_and_day(first, second, year, line)
    return known_day(found.span(), day, need=need, source="numeric")


def _month_and_day(first: int, second: int, year: int, line: Line) -> date | None:
    """In the order of the policy, unless that is no date."""
    orders = ((second, first), (first, second)) if line.policy.day_first else ((first, second), (second, first))
    return next((day for month, number in orders if (day := days.make_day(year, month, number))), None)


def _month_day(found: re.Match[str], line: Line) -> Atom:
    first, second = int(found["a"]), int(found["b"])
    atom = yearly_day(found.span(), lambda year: _month_and_day(first, second, year, line), line, source="numeric")
    return atom._replace(need=2 if found["sep"] == "-" or atom.kind == "bad" else 0)


def _day_month(found: re.Match[str], line: Line) -> Atom:
    return yearly_day(found.span(), lambda year: days.make_day(year, int(found["m"]), int(found["d"])), line, source="numeric", need=2)


def _month_day_range(found: re.Match[str], line: Line) -> Atom | None:
    month = int(found["m"])
    last = days.yearly(lambda year: days.make_day(year, month, int(found["b"])), line.today)
    first = last and days.make_day(last[0].year, month, int(found["a"]))
    if first is None or last is None or last[0] <= first:
        return None
    return Atom(*found.span(), "range", first, last[0], last[1], source="numeric")


def _compact(found: re.Match[str], _line: Line) -> Atom:
    return known_day(found.span(), days.make_day(int(found["y"]), int(found["m"]), int(found["d"])), need=2, source="numeric")


_ERAS = {"令和": 2018, "r": 2018, "平成": 1988, "h": 1988}


def _era(found: re.Match[str], line: Line) -> Atom | None:
    """R8.3.31, 令和8.3.31."""
    if found["era"].isascii() and not line.text[found.start()].isupper():
        return None
    return known_day(found.span(), days.make_day(_ERAS[found["era"]] + int(found["y"]), int(found["m"]), int(found["d"])), source="numeric")


def _dotted(found: re.Match[str], line: Line) -> Atom | None:
    """3.20: only beside 締切 and its like."""
    atom = yearly_day(found.span(), lambda year: days.make_day(year, int(found["m"]), int(found["d"])), line, source="dotted", need=2)
    return None if atom.kind == "bad" else atom


def _clock(found: re.Match[str], line: Line) -> Atom | None:
    hour, minute = int(found["h"]), int(part(found, "m") or 0)
    if 24 < hour < 30 and not found["half"]:
        # 25:30 beside a date is half past one in the night behind it; alone it may as well be a length.
        return Atom(*found.span(), "clock", clock=time(hour - 24, minute), number=1, source="beside")
    at = clock_of(hour, minute, found["half"])
    if at is None:
        return None
    return Atom(*found.span(), "clock", clock=at, source="clock", warning=_zone_warning(found["zone"], line, found.start("zone")))


def _hours(found: re.Match[str], _line: Line) -> Atom | None:
    at = clock_of(int(found["h"]), int(found["m"] or 0), None)
    return Atom(*found.span(), "clock", clock=at, source="clock") if at is not None else None


def clock_of(hour: int, minute: int, half: str | None) -> time | None:
    """The time of day; "am" or "pm" in *half* when it was written."""
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + MERIDIEM_NAMES[half[0]]
    if hour == 24 and not minute:
        return time(23, 59)
    return time(hour, minute) if hour < 24 and minute < 60 else None


def _time(hour: str | None, minute: str | None) -> time | None:
    return None if hour is None or int(hour) > 23 else time(int(hour), int(minute or 0))


def _zone_warning(zone: str | None, line: Line, start: int) -> str:
    if not zone:
        return ""
    written = line.text[start : start + len(zone)]
    return f"the time is kept as written in {written}"


def _stamp(found: re.Match[str], _line: Line) -> Atom:
    """A clock time with seconds belongs to a log, not to a plan."""
    return Atom(*found.span(), "clock", clock=_time(found["h"], found["m"]), source="stamp")


# A figure may stand directly beside Japanese text, so the borders are spelled out.
_TO_DAY = r"\s?[-~]\s?\d{1,2}(?![\d/])"
_NO_FIGURE = r"(?<![0-9]:)(?<![0-9a-z./])"

RULES = (
    Rule(
        words("0-0-0"),
        r"(?<![0-9a-z.-])(?P<y>\d{4})-(?P<m>\d{1,2})-(?P<d>\d{1,2})(?![0-9-])"
        r"(?:(?:t|\s(?=\d\d:\d\d:\d\d))(?P<hh>\d\d):(?P<mm>[0-5]\d)(?P<ss>:[0-5]\d)?(?:[.,]\d{1,9})?(?P<tz>z|[+-]\d\d:?\d\d)?)?(?![0-9])",
        _iso,
    ),
    Rule(
        words("0/0 0.0."),
        r"(?<![0-9a-z./-])(?P<y>(?:19|20)\d\d)(?P<sep>[/.])(?P<m>\d{1,2})(?P=sep)(?P<d>\d{1,2})(?![0-9a-z/]|\.\d)",
        _year_first,
    ),
    Rule(
        words("0/0 0.0. 0-0-0"),
        r"(?<![0-9a-z./])(?<![a-z]-)(?P<a>\d{1,2})(?P<sep>[/.-])(?P<b>\d{1,2})(?P=sep)(?P<y>\d{4}|\d{2})(?![0-9a-z/]|[.-]\d)",
        _year_last,
    ),
    Rule(
        words("0/0"),
        rf"{_NO_FIGURE}(?<![,$€£¥_-])(?P<a>\d{{1,2}})(?P<sep>/)(?P<b>\d{{1,2}})(?![0-9a-z/%]|:\d|[.,]\d|-\d{{3}}|{_TO_DAY})",
        _month_day,
    ),
    Rule(
        words("0-0"),
        rf"{_NO_FIGURE}(?<![,$€£¥_-])(?P<a>\d{{1,2}})(?P<sep>-)(?P<b>\d{{1,2}})(?![0-9a-z/%]|:\d|[.,]\d|-\d{{3}}|{_TO_DAY})",
        _month_day,
        DUE_WORDS,
        DUE_SIGNS,
    ),
    Rule(words("0/0"), r"(?<=\d[-~])(?P<a>\d{1,2})(?P<sep>/)(?P<b>\d{1,2})(?![0-9a-z/%]|:\d|\.\d)", _month_day),
    Rule(
        words("0/0"),
        rf"{_NO_FIGURE}(?<!-)(?P<m>\d{{1,2}})/(?P<a>\d{{1,2}})\s?[-~]\s?(?P<b>\d{{1,2}})(?![0-9a-z/%]|:\d|\.\d)",
        _month_day_range,
    ),
    Rule(
        words("0.0. 0/0 0-0-0"),
        r"(?<![a-z0-9])(?P<era>令和|平成|r|h)(?P<y>\d{1,2})(?P<sep>[./-])(?P<m>\d{1,2})(?P=sep)(?P<d>\d{1,2})(?![0-9a-z])",
        _era,
        words("r h"),
        ("令和", "平成"),
    ),
    Rule(words("0.0"), rf"{_NO_FIGURE}(?<!-)(?P<m>\d{{1,2}})\.(?P<d>\d{{1,2}})(?![0-9a-z.%]|\.)", _dotted, NEVER, DUE_SIGNS),
    Rule(words("0.0."), rf"{_NO_FIGURE}(?<!-)(?P<d>\d{{1,2}})\.(?P<m>\d{{1,2}})\.(?![0-9a-z])", _day_month, DUE_WORDS, DUE_SIGNS),
    Rule(words("20000000"), r"(?<![0-9a-z./-])(?P<y>20\d\d)(?P<m>0\d|1[0-2])(?P<d>[0-3]\d)(?![0-9a-z./-])", _compact, DUE_WORDS, DUE_SIGNS),
    Rule(words("0:00"), rf"{_NO_FIGURE}(?P<h>\d{{1,2}}):(?P<m>[0-5]\d)(?!\d|:\d|\.\d)(?:\s?{_MERIDIEM})?{_ZONE}", _clock),
    Rule(words("0.0"), rf"{_NO_FIGURE}(?P<h>\d{{1,2}})\.(?P<m>[0-5]\d)\s?{_MERIDIEM}{_ZONE}", _clock, words("0am")),
    Rule(words("0:00"), rf"{_NO_FIGURE}(?P<h>[0-2]?\d):(?P<m>[0-5]\d):[0-5]\d(?!\d)", _stamp),
    Rule(words("0am"), rf"{_NO_FIGURE}(?P<h>\d{{1,2}})\s?{_MERIDIEM}{_ZONE}", _clock),
    Rule(words("0h"), rf"{_NO_FIGURE}(?P<h>1\d|2[0-3]|0?[6-9])h(?P<m>[0-5]\d)(?![0-9a-z])", _hours),
    Rule(words("0h"), rf"{_NO_FIGURE}(?P<h>[0-2]\d)(?P<m>[0-5]\d)\s?h(?:rs?|ours)?(?![0-9a-z])", _hours),
)
