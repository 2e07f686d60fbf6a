"""The parts of English date phrases."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, time, timedelta

from . import days
from .atoms import Atom, Line, Need, Rule

WEEKDAY_NAMES = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
MONTH_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
FULL_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
FULL_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December")

_WD = r"(?:mon|tues?|wed(?:s|nes)?|thu(?:rs?)?|fri|satur|sat|sun)(?:day)?"
_WDFULL = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MON = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
_D = r"(?:3[01]|[12]\d|0?[1-9])"
_DTH = rf"{_D}(?:st|nd|rd|th)?"
_YEAR = r"(?:(?:19|20)\d\d(?!\d|[:.]\d|\s?[ap]m)|'\d\d(?!\d))"
_PART = r"(?:\s+(?:early\s+)?(?:morning|afternoon|evening|night|lunch ?time|a\.?m\.?(?=\s|$)))"
_CARDINALS: Mapping[str, float] = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "sixty": 60, "ninety": 90,
    "couple": 2, "few": 3, "several": 3, "half": 0.5, "another": 1, "other": 2,
}  # fmt: skip
_ORDINALS: Mapping[str, int] = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10, "eleventh": 11,
    "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16, "seventeenth": 17, "eighteenth": 18, "nineteenth": 19,
    "twentieth": 20, "thirtieth": 30, "last": -1, "final": -1, "next to last": -2,
    **{f"twenty{dash}{word}": 20 + at for dash in "- " for at, word in enumerate("first second third fourth fifth sixth seventh eighth ninth".split(), 1)},
    "thirty-first": 31, "thirty first": 31,
}  # fmt: skip
_COUNT = (
    r"(?:\d{1,9}|(?:an?\s+)?(?:couple|few)(?:\s+of)?(?:\s+more)?|half(?:\s+an?)?|another(?:\s+(?:two|three|four|\d{1,3}))?|several|an?|"
    r"one|two|three|four(?:teen)?|five|six(?:ty)?|seven|eight|nine(?:ty)?|ten|eleven|twelve|thirteen|fifteen|twenty|thirty|forty)"
)
_UNITS = (
    r"(?:(?:(?:business|working|work|calendar|school|bank|full|more)[ -])*"
    r"(?:minutes?|mins?|hours?|hrs?|days?|weeks?|wks?|fortnights?|months?|mos?|quarters?|years?|yrs?)|workdays?|weekdays?|bds?)"
)
_SHORT_UNITS = r"(?:h|hrs?|d|w|wks?|mos?|mths?|y|yrs?|min)"
_UNIT_NAMES = {"min": "minute", "h": "hour", "hou": "hour", "hrs": "hour", "hr": "hour", "d": "day", "day": "day", "w": "week", "wee": "week", "wk": "week",
               "wks": "week", "for": "fortnight", "mo": "month", "mon": "month", "mos": "month", "mth": "month", "qua": "quarter", "y": "year", "yea": "year",
               "yr": "year", "yrs": "year"}  # fmt: skip
_LENGTH = rf"(?:(?P<n>{_COUNT})(?:\s*(?:-|to|or)\s*(?P<n2>{_COUNT}))?\s+(?P<unit>{_UNITS})|(?P<n3>\d{{1,9}})\s?(?P<unit2>{_SHORT_UNITS}))(?:'s?|s')?(?![a-z0-9_'])"


def _weekday_number(word: str) -> int:
    return WEEKDAY_NAMES.index(word[:3])


def _month_number(word: str) -> int:
    return MONTH_NAMES.index(word[:3]) + 1


def _year_number(word: str) -> int:
    return 2000 + int(word[1:]) if word[0] == "'" else int(word)


def _capital(line: Line, at: int) -> bool:
    return line.text[at : at + 1].isupper()


# -- weekdays


def _bare_weekday(found: re.Match[str], line: Line) -> Atom | None:
    word = found["wd"]
    number = _weekday_number(word)
    if word in {"sun", "sat", "mon", "wed", "fri"} and not _is_abbreviation(found, line):
        return None
    ahead = days.next_weekday(line.today, number)
    match found["q"] and found["q"].split()[-1]:
        case None:
            return Atom(*found.span(), "weekday", ahead, ahead, days.last_weekday(line.today, number), number=number, source="weekday")
        case "next":
            monday = days.monday_of(line.today) + timedelta(7)
            day = monday + timedelta(number)
            return Atom(*found.span(), "day", day, day, source="weekday")
        case "last" | "past" | "previous":
            day = days.last_weekday(line.today, number)
            return Atom(*found.span(), "day", day, day, day, past=True, source="weekday")
        case _:
            return Atom(*found.span(), "day", ahead, ahead, days.last_weekday(line.today, number), source="weekday")


def _is_abbreviation(found: re.Match[str], line: Line) -> bool:
    """Whether "sun", "sat", "mon" and their like are days here, not words."""
    start, end = found.span("wd")
    if found["q"] or (_capital(line, start) and start and not line.text[start:end].isupper() and line.low[end : end + 1] == "."):
        return True
    before = line.low[max(0, start - 16) : start]
    after = line.low[end : end + 18]
    if re.match(r"\.?,?\s*(?:(?:the\s+)?\d|\(|morning|afternoon|evening|night|noon|(?:-|to|through|thru)\s?(?:mon|tue|wed|thu|fri|sat|sun)|@|at \d)", after):
        return True
    if re.search(r"(?:\b(?:by|on|before|until|till|due|from|to|for|this|next|coming|starting|eod|cob|and|or)|[(/&:-])\s?$", before):
        return _capital(line, start) or found["wd"] in {"wed", "fri", "mon", "sat"}
    return _capital(line, start) and bool(re.match(r"\s*(?:$|[,.:;)!?-])", after)) and not re.match(r"\.\w", after)


def _weekday_week(found: re.Match[str], line: Line) -> Atom:
    day = days.next_weekday(line.today, _weekday_number(found["wd"])) + timedelta(7)
    return Atom(*found.span(), "day", day, day, source="weekday")


def _plural_weekdays(found: re.Match[str], line: Line) -> Atom:
    return _weekly(found.span(), [_weekday_number(word) for word in re.findall(_WDFULL, found[0])], line, need=1)


def _weekly(span: tuple[int, int], numbers: list[int], line: Line, *, interval: int = 1, need: Need = 0) -> Atom:
    first = min(days.next_weekday(line.today, number) for number in numbers)
    names = ", ".join(FULL_WEEKDAYS[number] for number in numbers)
    every = "every week" if interval == 1 else f"every {interval} weeks"
    return Atom(*span, "day", first, first, recurrence=f"{every} on {names}", need=need, source="plural" if need else "every")


# -- months and days


def _month_day(found: re.Match[str], line: Line) -> Atom | None:
    month_at = found.start("mon")
    if found["mon"] == "may" and not (_capital(line, month_at) or found["y"] or re.search(r"\b(?:by|on|until|before|due|the)\s(?:\S+\s(?:of\s)?)?$", line.low[:month_at][-24:])):
        return None
    return _dated(found, _month_number(found["mon"]), int(re.sub(r"\D", "", found["d"])), found["y"], line)


def _dated(found: re.Match[str], month: int, number: int, year: str | None, line: Line) -> Atom:
    if year:
        day = days.make_day(_year_number(year), month, number)
        if day is None:
            return Atom(*found.span(), "bad", source="month")
        return Atom(*found.span(), "day", day, day, dated=True, source="month")
    if _moved := found.groupdict().get("ry"):
        year_number = line.today.year + {"this": 0, "next": 1, "last": -1}[_moved]
        day = days.make_day(year_number, month, number)
        if day is None:
            return Atom(*found.span(), "bad", source="month")
        return Atom(*found.span(), "day", day, day, dated=True, past=_moved == "last", source="month")
    both = days.yearly(lambda year: days.make_day(year, month, number), line.today)
    if both is None:
        return Atom(*found.span(), "bad", source="month")
    return Atom(*found.span(), "day", both[0], both[0], both[1], source="month")


def _month_range(found: re.Match[str], line: Line) -> Iterator[Atom]:
    month = _month_number(found["mon"])
    numbers = [int(re.sub(r"\D", "", found[group])) for group in ("a", "b")]
    year = found["y"]
    if year:
        ends = [days.make_day(_year_number(year), month, number) for number in numbers]
        back = None
    else:
        both = days.yearly(lambda year: days.make_day(year, month, numbers[1]), line.today)
        ends = [both and days.make_day(both[0].year, month, numbers[0]), both and both[0]]
        back = both and both[1]
    first, last = ends
    if first is None or last is None or first >= last:
        return
    if found["sep"].strip() in {"and", "&"} and not line.low[: found.start()].rstrip().endswith("between"):
        return  # a list, not a stretch
    yield Atom(*found.span(), "range", first, last, back, dated=bool(year), source="month")


def _month_list(found: re.Match[str], line: Line) -> Iterator[Atom]:
    """ "March 9, 10 and 11", "the 9th and 10th of March": each its own day."""
    month, year = _month_number(found["mon"]), found["y"]
    numbers = list(re.finditer(r"\d{1,2}", found["list"]))
    both = days.yearly(lambda year: days.make_day(year, month, int(numbers[0][0])), line.today)
    if both is None:
        return
    number = _year_number(year) if year else both[0].year
    if line.low[: found.start()].rstrip().endswith("between"):
        return
    start = found.start()
    for at, each in enumerate(numbers):
        day = days.make_day(number, month, int(each[0]))
        last = at + 1 == len(numbers)
        end = found.end() if last else found.start("list") + each.end()
        if day is not None:
            back = days.add_months(day, -12) if not year else None
            yield Atom(start, end, "day", day, day, back, dated=bool(year), source="month")
        start = found.start("list") + numbers[at + 1].start() if not last else end


def _month_span(found: re.Match[str], line: Line) -> Atom | None:
    start = found.start("mon")
    word, month = found["mon"], _month_number(found["mon"])
    q, year = found["q"], found["y"]
    if word in {"may", "march", "mar", "dec", "sep", "jan", "june", "april", "august"} and not _capital(line, start):
        if not (year or q or re.search(r"(?:\b(?:by|in|until|till|before|of|early|late|mid|through|during|since|for)[\s-])$", line.low[:start][-10:])):
            return None
    if year:
        number = _year_number(year)
    else:
        number = line.today.year + (month < line.today.month)
        if q == "next" and number == line.today.year and month == line.today.month:
            number += 1
        if q == "last":
            number = line.today.year - (month >= line.today.month)
    first, last = date(number, month, 1), days.month_end(number, month)
    back = None if year or number == 1 else days.month_end(number - 1, month)
    need: Need = 0 if q in {"this", "next"} else 1
    return Atom(*found.span(), "span", first, last, back, unit="month", need=need, past=q == "last", dated=bool(year), source="monthname")


def _day_of_month(found: re.Match[str], line: Line) -> Atom | None:
    word = found["d"]
    number = int(re.sub(r"\D", "", word)) if word[0].isdigit() else _ORDINALS[word]
    return month_day_atom(found.span(), number, line)


def month_day_atom(span: tuple[int, int], number: int, line: Line) -> Atom | None:
    """A bare day of the month."""
    ahead = days.next_month_day(line.today, number)
    if ahead is None:
        return None
    return Atom(*span, "dom", ahead, ahead, days.last_month_day(line.today, number), number=number, need=1, source="dom")


# -- relative


_DAY_WORDS: tuple[tuple[str, int], ...] = (
    ("day before yesterday", -2), ("yesterday", -1), ("yday", -1), ("last night", -1), ("day after tomorrow", 2), ("overmorrow", 2),
    ("tom", 1), ("tm", 1), ("2m", 1), ("to", 0), ("this", 0),
)  # fmt: skip


def _day_word(found: re.Match[str], line: Line) -> Atom | None:
    word = found["word"]
    count = next(count for name, count in _DAY_WORDS if name in word)
    day = days.add_days(line.today, count)
    if day is None:
        return None
    need: Need = 1 if word in {"today", "this morning"} else 0
    past = count < 0
    return Atom(*found.span(), "day", day, day, day if past else None, past=past, need=need, source="today" if count == 0 else "relative")


def _count(word: str) -> float:
    word = word.strip()
    if word.isdigit():
        return int(word)
    parts = word.split()
    if parts[0] == "another" and len(parts) > 1:
        return _count(parts[1])
    return next((_CARDINALS[part] for part in parts if part in _CARDINALS and part not in {"a", "an"}), 1)


def length_of(number: str, unit: str) -> tuple[int, str]:
    """ "two", "business days" as 2, "workday"; halves become the next smaller unit."""
    count, name = _count(number), _unit_name(unit)
    if name == "fortnight":
        count, name = count * 2, "week"
    if count == int(count):
        return int(count), name
    smaller = {"year": ("month", 12), "quarter": ("day", 91), "month": ("day", 30), "week": ("day", 7), "day": ("hour", 24), "hour": ("minute", 60)}
    name, factor = smaller.get(name, (name, 1))
    return round(count * factor), name


def _unit_name(unit: str) -> str:
    if re.match(r"(?:business|working|work|school|bank)[ -]day|workday|weekday|bd", unit):
        return "workday"
    word = re.split(r"[ -]", unit)[-1]
    return _UNIT_NAMES.get(word) or _UNIT_NAMES[word[:3]]


def moved_atom(span: tuple[int, int], count: int, unit: str, line: Line, *, loose: bool = False, past: bool = False) -> Atom:
    """The day (and time, for hours and minutes) that lies *count* units from now."""
    if unit in {"hour", "minute"}:
        then = days.shift_clock(line.now, count, unit)
        if then is None:
            return Atom(*span, "bad", source="relative")
        whole_days = unit == "hour" and count % 24 == 0
        clock = None if past or whole_days else then.time().replace(second=0, microsecond=0)
        return Atom(*span, "day", then.date(), then.date(), clock=clock, number=count, loose=loose, past=past, unit=unit, source="relative")
    day = days.shift(line.today, count, unit)
    if day is None:
        return Atom(*span, "bad", source="relative")
    return Atom(*span, "day", day, day, day if past else None, number=count, loose=loose, past=past, unit=unit, source="relative")


def _ahead(found: re.Match[str], line: Line) -> Atom | None:
    number = found["n2"] or found["n"] or found["n3"]
    count, unit = length_of(number, found["unit"] or found["unit2"])
    if found["n"] in {"a", "an"} and unit == "minute":
        return None  # "in a minute" is no time
    return moved_atom(found.span(), count, unit, line, loose=bool(re.search("few|several|couple", number)))


def _ahead_one(found: re.Match[str], line: Line) -> Atom:
    return moved_atom(found.span(), *length_of("1", found["unit"]), line)


def _this_time(found: re.Match[str], line: Line) -> Atom:
    """ "this time next week"."""
    return moved_atom(found.span(), 1, found["unit"] or "day", line)


def _ahead_to(found: re.Match[str], line: Line) -> Atom | None:
    """ "30 days to appeal": at the head of a clause only, for "it took 30 days to appeal" tells a length."""
    atom = _ahead(found, line)
    return atom and atom._replace(start=found.start("n") if found["n"] else found.start("n3"))


def _next_workday(found: re.Match[str], line: Line) -> Atom:
    return moved_atom(found.span(), 1, "workday", line)


def _midweek(found: re.Match[str], line: Line) -> Atom:
    day = days.next_weekday(line.today, days.WEDNESDAY)
    return Atom(*found.span(), "day", day, day, source="relative")


def _weekdays_ahead(found: re.Match[str], line: Line) -> Atom | None:
    """ "two Fridays from now"."""
    if not (found["now"] or found[0].startswith("in ")):
        return None
    day = days.add_days(days.next_weekday(line.today, _weekday_number(found["wd"])), 7 * (int(_count(found["n"])) - 1))
    return Atom(*found.span(), "day", day, day, source="relative") if day else Atom(*found.span(), "bad", source="relative")


def _shorthand_ahead(found: re.Match[str], line: Line) -> Atom:
    """ "+3d"."""
    return moved_atom(found.span(), *length_of(found["n3"], found["unit2"]), line)


def _ago(found: re.Match[str], line: Line) -> Atom:
    count, unit = length_of(found["n2"] or found["n"] or found["n3"], found["unit"] or found["unit2"])
    return moved_atom(found.span(), -count, unit, line, past=True)


def _from_day_word(found: re.Match[str], line: Line) -> Atom:
    count, unit = length_of(found["n2"] or found["n"] or found["n3"], found["unit"] or found["unit2"])
    return moved_atom(found.span(), count + (found["base"] == "tomorrow"), unit, line)


def _offset(found: re.Match[str], _line: Line) -> Atom:
    """A length that is counted from another date: +1 after it, -1 before it, 0 when the words do not say."""
    count, unit = length_of(found["n2"] or found["n"] or found["n3"], found["unit"] or found["unit2"])
    sign = {"earlier": -1, "before": -1, "ahead": -1, "prior": -1, "in": -1, "beforehand": -1, "later": 1, "after": 1, "afterwards": 1}
    word = (found["dir"] or found["dir2"] or "").split(" ")[0]
    source = "dangling" if word else "short" if found["n3"] and unit in {"day", "week", "month"} else ""
    return Atom(*found.span(), "offset", number=count * sign.get(word, 1), unit=unit, source=source, need=1)


def _day_offset(found: re.Match[str], _line: Line) -> Atom:
    """ "the day before", "the week after"."""
    sign = -1 if found["dir"] in {"before", "prior"} else 1
    unit = {"day": "day", "night": "day", "evening": "day", "morning": "day", "week": "week", "month": "month", "weekend": "week"}[found["u"]]
    return Atom(*found.span(), "offset", number=sign, unit=unit, source="dangling", need=1)


# -- periods


def period(name: str, which: int, line: Line) -> tuple[date, date]:
    """The week, weekend, month, quarter or year that lies *which* from the present one."""
    today = line.today
    match name:
        case "week" | "weekend" | "workweek":
            monday = days.add_days(days.monday_of(today), 7 * which) or today
            if name == "weekend":
                return monday + timedelta(5), monday + timedelta(6)
            return monday, monday + timedelta(line.policy.week_ends)
        case "month":
            first = days.add_months(today.replace(day=1), which) or today
            return first, days.month_end(first.year, first.month)
        case "quarter":
            first = days.add_months(today.replace(month=(today.month - 1) // 3 * 3 + 1, day=1), 3 * which) or today
            last = days.add_months(first, 2) or first
            return first, days.month_end(last.year, last.month)
        case "half":
            first = days.add_months(today.replace(month=(today.month - 1) // 6 * 6 + 1, day=1), 6 * which) or today
            last = days.add_months(first, 5) or first
            return first, days.month_end(last.year, last.month)
        case "fiscal":
            month, day = line.policy.fiscal_year_end
            last = days.make_day(today.year, month, day) or days.month_end(today.year, month)
            if last < today:
                last = days.add_months(last, 12) or last
            last = days.add_months(last, 12 * which) or last
            return (days.add_months(last, -12) or last) + timedelta(1), last
        case _:
            year = min(max(today.year + which, 1), 9999)
            return date(year, 1, 1), date(year, 12, 31)


_WHICH = {"this": 0, "current": 0, "the": 0, "of": 0, "next": 1, "coming": 0, "upcoming": 0, "following": 1, "last": -1, "past": -1, "previous": -1}
_PERIOD_NAMES = {"week": "week", "wk": "week", "weekend": "weekend", "wkend": "weekend", "month": "month", "quarter": "quarter", "qtr": "quarter",
                 "year": "year", "yr": "year", "fiscal year": "fiscal", "financial year": "fiscal", "fy": "fiscal", "tax year": "year",
                 "work week": "week", "working week": "week", "calendar year": "year", "calendar month": "month"}  # fmt: skip


def _period(found: re.Match[str], line: Line) -> Atom:
    q = (found["q"] or "").split()[-1:] or [""]
    name = _PERIOD_NAMES[found["u"]]
    which = 2 if found["after"] else _WHICH.get(q[0], 0)
    if q[0] in {"coming", "upcoming"} and name != "weekend":
        which = 1
    first, last = period(name, which, line)
    need: Need = 0 if found["after"] else 1 if q[0] in {"", "the", "this", "current"} or name in {"year", "quarter", "fiscal"} else 0
    # "week" is a date only behind "end of" and its like, "the month" also behind "within".
    source = "period" if q[0] not in {"", "the"} or found["after"] or name == "weekend" else "theperiod" if q[0] else "bareperiod"
    return Atom(*found.span(), "span", first, last, last, unit=name, need=need, past=which < 0, source=source)


def _shorthand(found: re.Match[str], line: Line) -> Atom:
    name = {"w": "week", "m": "month", "q": "quarter", "y": "year", "f": "fiscal"}[found["u"][0]]
    last = period(name, 0, line)[1]
    return Atom(*found.span(), "span", last, last, unit="end", source="period")


def _all_day(found: re.Match[str], line: Line) -> Atom:
    return Atom(*found.span(), "allday", line.today, line.today, source="allday")


def _quarter(found: re.Match[str], line: Line) -> Atom | None:
    number = int(found["n"] or found["n2"])
    size = 3 if (found["k"] or found["k2"]) == "q" else 6
    written = found["y"] or found["y0"]
    if number > 12 // size:
        return None
    year = int(written) if written else line.today.year
    year += 2000 if year < 100 else 0
    last = days.month_end(year, number * size)
    if not written and last < line.today:
        last = days.month_end(year + 1, number * size)
    first = (days.add_months(last.replace(day=1), 1 - size)) or last
    return Atom(*found.span(), "span", first, last, days.add_months(last, -12), unit="quarter", need=1, dated=bool(written), source="quarter")


def _quarter_words(found: re.Match[str], line: Line) -> Atom:
    size = 3 if found["k"] == "quarter" else 6
    number = _ORDINALS[found["n"]]
    year = int(found["y"]) if found["y"] else line.today.year
    last = days.month_end(year, min(12, number * size))
    if not found["y"] and last < line.today:
        last = days.month_end(year + 1, last.month)
    first = (days.add_months(last.replace(day=1), 1 - size)) or last
    return Atom(*found.span(), "span", first, last, unit="quarter", need=1, dated=bool(found["y"]), source="quarter")


def _year_span(found: re.Match[str], _line: Line) -> Atom:
    year = int(found["y"])
    return Atom(*found.span("y"), "span", date(year, 1, 1), date(year, 12, 31), unit="year", need=1, dated=True, loose=True, source="year")


_SEASONS = {"spring": (3, 20), "summer": (6, 21), "autumn": (9, 22), "fall": (9, 22), "winter": (12, 21)}


def season_atom(span: tuple[int, int], start: tuple[int, int], which: int, line: Line) -> Atom | None:
    """A season: the one that starts next, for "next" the one of next year."""
    day = days.make_day(line.today.year, *start)
    if day is not None and (day < line.today or which > 0):
        day = days.make_day(line.today.year + 1, *start)
    last = day and days.add_months(day, 3)
    if day is None or last is None:
        return None
    return Atom(*span, "span", day, last - timedelta(1), unit="season", need=1, loose=True, source="season", past=which < 0)


def _season(found: re.Match[str], line: Line) -> Atom | None:
    atom = season_atom(found.span(), _SEASONS[found["s"]], _WHICH.get(found["q"] or "", 0), line)
    return atom and atom._replace(need=0 if found["q"] in {"this", "next", "coming"} else 1)


def _edge(found: re.Match[str], _line: Line) -> Atom:
    return Atom(*found.span(), "edge", unit=_EDGES[re.sub(r"[\s-]+", " ", found["edge"]).split(" ")[0] if "half" not in found["edge"] else found["edge"].split()[0]])


_EDGES = {
    "end": "end", "close": "end", "back": "end", "tail": "end", "late": "late", "later": "end", "beginning": "start", "start": "start", "begin": "start", "early": "early",
    "mid": "mid", "middle": "mid", "midway": "mid", "first": "firsthalf", "second": "end", "1st": "firsthalf", "2nd": "end", "latter": "end", "start-": "start",
}  # fmt: skip


def edge_of(edge: str, first: date, last: date, unit: str) -> date:
    """The day that "early", "mid", "end" … of a period name."""
    match edge:
        case "start":
            return first
        case "early":
            return {"month": first + timedelta(9), "week": first, "year": first.replace(month=3, day=31)}.get(unit, first)
        case "mid":
            if unit == "year":
                return first.replace(month=6, day=30)
            return first + timedelta({"month": 14, "week": 2}.get(unit, (last - first).days // 2))
        case "firsthalf":
            return first + timedelta({"month": 14, "week": 2}.get(unit, (last - first).days // 2))
        case _:
            return last


def _nth(found: re.Match[str], _line: Line) -> Atom:
    word, what = found["n"], found["what"]
    number = int(re.sub(r"\D", "", word)) if word[0].isdigit() else _ORDINALS[word]
    unit = _weekday_unit(what)
    return Atom(*found.span(), "nth", number=number, unit=unit, source="nth")


def _weekday_unit(what: str) -> str:
    if re.fullmatch(_WD, what):
        return str(_weekday_number(what))
    if re.match(r"(?:business|working|work)[ -]?day|workday|weekday", what):
        return "workday"
    return what


# -- holidays


def _thanksgiving(days_after: int) -> Callable[[int], date | None]:
    return lambda year: (found := days.floating(11, 4, days.THURSDAY)(year)) and days.add_days(found, days_after)


_HOLIDAYS: Mapping[str, Callable[[int], date | None]] = {
    r"(?:christmas|xmas|x-mas) eve": days.fixed(12, 24),
    r"(?:christmas|xmas|x-mas)(?: day)?": days.fixed(12, 25),
    r"boxing day": days.fixed(12, 26),
    r"new year'?s'? eve|nye": days.fixed(12, 31),
    r"new year(?:'?s'?(?: day)?)?": days.fixed(1, 1),
    r"epiphany": days.fixed(1, 6),
    r"mlk day|martin luther king(?: jr\.?)? day": days.floating(1, 3, days.MONDAY),
    r"valentine'?s(?: day)?": days.fixed(2, 14),
    r"president'?s'? day": days.floating(2, 3, days.MONDAY),
    r"(?:shrove|pancake) (?:tues)?day": days.from_easter(-47),
    r"ash wednesday": days.from_easter(-46),
    r"st\.? patrick'?s(?: day)?": days.fixed(3, 17),
    r"palm sunday": days.from_easter(-7),
    r"maundy thursday": days.from_easter(-3),
    r"good friday": days.from_easter(-2),
    r"easter monday": days.from_easter(1),
    r"easter(?: sunday)?": days.from_easter(0),
    r"april fools?'?s?'?(?: day)?": days.fixed(4, 1),
    r"earth day": days.fixed(4, 22),
    r"cinco de mayo": days.fixed(5, 5),
    r"ascension(?: day)?": days.from_easter(39),
    r"(?:pentecost|whit) monday": days.from_easter(50),
    r"pentecost": days.from_easter(49),
    r"mother'?s'? day": days.floating(5, 2, days.SUNDAY),
    r"memorial day": days.floating(5, -1, days.MONDAY),
    r"father'?s'? day": days.floating(6, 3, days.SUNDAY),
    r"juneteenth": days.fixed(6, 19),
    r"midsummer(?:'s (?:day|eve))?": days.fixed(6, 24),
    r"independence day|(?:the )?(?:4th|fourth) of july": days.fixed(7, 4),
    r"bastille day": days.fixed(7, 14),
    r"labou?r day": days.floating(9, 1, days.MONDAY),
    r"columbus day|indigenous peoples'? day": days.floating(10, 2, days.MONDAY),
    r"hallowe'?en": days.fixed(10, 31),
    r"bonfire night|guy fawkes(?: night)?": days.fixed(11, 5),
    r"veteran'?s'? day|armistice day|remembrance day": days.fixed(11, 11),
    r"thanksgiving(?: day)?|turkey day": _thanksgiving(0),
    r"black friday": _thanksgiving(1),
    r"cyber monday": _thanksgiving(4),
    r"st\.? nicholas(?: day)?": days.fixed(12, 6),
    r"st\.? lucia(?: day)?": days.fixed(12, 13),
}
_HOLIDAY_NAMES = "|".join(f"(?:{name})" for name in _HOLIDAYS)
_HOLIDAY_WORDS = (
    "christmas", "mas", "boxing", "new year", "nye", "epiphany", "mlk", "martin", "valentine", "president", "shrove", "pancake", "ash wed", "patrick",
    "sunday", "maundy", "good friday", "easter", "fool", "earth", "cinco", "ascension", "pentecost", "whit", "mother", "memorial", "father", "juneteenth",
    "midsummer", "independence", "of july", "bastille", "labor", "labour", "columbus", "indigenous", "hallow", "bonfire", "fawkes", "veteran", "armistice",
    "remembrance", "thanksgiving", "turkey", "black", "cyber", "nicholas", "lucia",
)  # fmt: skip


def _holiday(found: re.Match[str], line: Line) -> Atom | None:
    name = found["name"]
    of_year = next(rule for pattern, rule in _HOLIDAYS.items() if re.fullmatch(pattern, name))
    if found["y"]:
        day = of_year(int(found["y"]))
        return Atom(*found.span(), "day", day, day, dated=True, need=1, source="holiday") if day else None
    both = days.yearly(of_year, line.today)
    if both is None:
        return None
    return Atom(*found.span(), "day", both[0], both[0], both[1], need=1, source="holiday")


# -- clock


_CLOCK_WORDS = {"12 noon": time(12), "12 midnight": time(0), "noon": time(12), "midday": time(12), "midnight": time(0), "lunchtime": time(12), "lunch time": time(12)}


def _clock_word(found: re.Match[str], _line: Line) -> Atom:
    return Atom(*found.span(), "clock", clock=_CLOCK_WORDS[found["word"]], source="clockword")


def _at_hour(found: re.Match[str], _line: Line) -> Atom | None:
    hour = int(found["h"])
    if hour > 23:
        return None
    # Nobody means one to six in the morning without saying so.
    clock = time(hour + 12 if 1 <= hour <= 6 else hour, 30 if found["half"] else 0)
    return Atom(*found.span(), "clock", clock=clock, need=1, source="hour")


def _beside_hour(found: re.Match[str], _line: Line) -> Atom | None:
    """ "by 5 on Friday", "4ish": an hour only beside its day."""
    hour = int(found["h"] or found["h2"])
    if hour > 23:
        return None
    return Atom(*found.span(), "clock", clock=time(hour + 12 if 1 <= hour <= 6 else hour), need=1, source="beside")


def _hour_range(found: re.Match[str], _line: Line) -> Atom | None:
    hour = int(found["h"])
    if not 1 <= hour <= 12:
        return None
    return Atom(*found.span(), "clock", clock=time(hour % 12 + (12 if found["part"] == "pm" and hour != 11 else 0), int(found["m"] or 0)), source="clock")


def _dotted_hour(found: re.Match[str], _line: Line) -> Atom:
    return Atom(*found.span(), "clock", clock=time(int(found["h"]), int(found["m"])), need=1, source="beside")


# -- recurrence


_EVERY_UNITS = {"day": "day", "weekday": "weekday", "workday": "weekday", "business day": "weekday", "working day": "weekday", "week": "week", "weekend": "weekend",
                "fortnight": "fortnight", "month": "month", "quarter": "quarter", "year": "year", "morning": "day", "evening": "day", "night": "day",
                "afternoon": "day"}  # fmt: skip
_ADVERBS = {"daily": (1, "day"), "nightly": (1, "day"), "weekly": (1, "week"), "biweekly": (2, "week"), "bi-weekly": (2, "week"), "fortnightly": (2, "week"),
            "monthly": (1, "month"), "quarterly": (3, "month"), "yearly": (1, "year"), "annually": (1, "year"), "bimonthly": (2, "month")}  # fmt: skip


def _every(found: re.Match[str], line: Line) -> Atom:
    interval = _interval(found["n"])
    if found["wds"]:
        return _weekly(found.span(), [_weekday_number(word) for word in re.findall(_WD, found["wds"])], line, interval=interval)
    if found["mon"]:
        month = _month_number(found["mon"])
        both = days.yearly(lambda year: days.make_day(year, month, 1), line.today)
        last = days.month_end(both[0].year, month) if both else line.today
        return Atom(*found.span(), "every", last, last, number=1, unit="year", recurrence=f"every {FULL_MONTHS[month - 1]}", need=1, source="every")
    return _every_unit(found.span(), interval, _EVERY_UNITS[re.sub(r"s$", "", found["u"])], line)


def _every_nth(found: re.Match[str], line: Line) -> Iterator[Atom]:
    """ "every second Thursday of the month" is no fortnight: the nth and its month, to be joined."""
    yield _nth(found, line)._replace(end=found.end("nth"))
    yield _every_unit(found.span("month"), 1, "month", line)


def _interval(word: str | None) -> int:
    if not word:
        return 1
    digits = re.sub(r"\D", "", word)
    return max(1, int(digits)) if digits else int(_CARDINALS.get(word) or _ORDINALS.get(word) or 1)


def _adverb(found: re.Match[str], line: Line) -> Atom:
    interval, unit = _ADVERBS[found["word"]]
    return _every_unit(found.span(), interval, unit, line)._replace(need=2)


def _every_unit(span: tuple[int, int], interval: int, unit: str, line: Line) -> Atom:
    """Every N days, weeks …; without a day of its own the first time is one interval from now."""
    if unit == "fortnight":
        interval, unit = interval * 2, "week"
    if unit == "quarter":
        interval, unit = interval * 3, "month"
    if unit == "weekday":
        first, text = days.add_workdays(line.today, 1), "every weekday"
    elif unit == "weekend":
        first, text = days.next_weekday(line.today, days.SATURDAY), "every week on Saturday"
    else:
        first = days.shift(line.today, interval, unit)
        text = f"every {unit}" if interval == 1 else f"every {interval} {unit}s"
    if first is None:
        return Atom(*span, "bad", source="every")
    return Atom(*span, "every", first, first, number=interval, unit=unit, recurrence=text, source="every")


# Word borders of Latin script: Japanese may stand right beside. _P lets an apostrophe follow.
_B, _E, _P = r"(?<![a-z0-9_'\u00c0-\u024f])", r"(?![a-z0-9_'\u00c0-\u024f])", r"(?![a-z0-9_\u00c0-\u024f])"
_DAY_NAMES = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_LENGTH_WORDS = ("min", "h", "d", "w", "mo", "y", "fortnight", "quarter")
_NTH_WORD = r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|final|\d{1,2}(?:st|nd|rd|th))"
_ABOUT = r"(?:(?:about|around|roughly|approximately|approx\.?|exactly|just|only|under|less than|at most|the next|the coming|the|another|like|~)\s+)*"
_THE_DOM = (
    r"fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|"
    r"twentieth|twenty[- ](?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)|thirtieth|thirty[- ]first|first|second|third"
)

RULES = (
    Rule(_DAY_NAMES + ("day", "week"), rf"{_B}(?:the\s+)?(?P<n>{_NTH_WORD})\s+(?P<what>{_WD}|(?:business|working|work)[\s-]day|workday|weekday|day|week|weekend)(?=\s+(?:of|in|each|every)\b)", _nth),
    Rule(_DAY_NAMES, rf"{_B}(?:(?P<q>(?:on\s)?(?:this|next|coming|this coming|upcoming|this upcoming|following|last|past|this past|previous))\s+)?(?P<wd>{_WD})(?:'s)?\.?(?:(?<!\.)|(?=[\s,)]|$)){_PART}?{_P}", _bare_weekday),
    Rule(("week",), rf"{_B}(?P<wd>{_WD})\s+week{_E}", _weekday_week),
    Rule(("week",), rf"{_B}(?:the\s+)?(?P<wd>{_WD})\s+after\s+next{_E}", _weekday_week),
    Rule(("days",), rf"{_B}(?:on\s+)?(?:{_WDFULL}s)(?:(?:\s*(?:,|and|&|/|,\s*and)\s*){_WDFULL}s)*{_E}", _plural_weekdays),
    Rule(("days",), rf"{_B}(?:in\s+)?(?P<n>{_COUNT})\s+(?P<wd>{_WDFULL})s(?P<now>\s+from\s+now)?{_E}", _weekdays_ahead),
    Rule(MONTH_NAMES, rf"{_B}(?:the\s+)?(?P<d>{_DTH})(?:\s+of\s+|[-/]|\s*)(?P<mon>{_MON})(?:\.(?=\W))?(?:(?:,?\s*|[-/])(?P<y>{_YEAR})|,?\s+(?P<ry>next|this|last)\s+year)?{_P}", _month_day),
    Rule(MONTH_NAMES, rf"{_B}(?P<mon>{_MON})(?:\.|\s+the|-)?\s*(?P<d>{_DTH})(?![a-z0-9/%]|:\d|\.\d|\s?[ap]m\b|-\d)(?:,?\s+(?P<y>{_YEAR})|,?\s+(?P<ry>next|this|last)\s+year)?{_P}", _month_day),
    Rule(MONTH_NAMES, rf"{_B}(?:the\s+)?(?P<a>{_DTH})(?P<sep>\s*(?:-|~|to|through|thru|until|till|and|&)\s*)(?:the\s+)?(?P<b>{_DTH})(?:\s+of)?\s+(?P<mon>{_MON})\.?(?:,?\s+(?P<y>{_YEAR}))?{_P}", _month_range),
    Rule(MONTH_NAMES, rf"{_B}(?P<mon>{_MON})\.?\s+(?P<a>{_DTH})(?P<sep>\s*(?:-|~|to|through|thru|until|till|and|&)\s*)(?:the\s+)?(?P<b>{_DTH})(?![a-z0-9/%]|:\d|\.\d|\s?[ap]m\b|\s+(?:{_MON}|{_UNITS})\b)(?:,?\s+(?P<y>{_YEAR}))?{_P}", _month_range),
    Rule(MONTH_NAMES, rf"{_B}(?:the\s+)?(?P<list>{_DTH}(?:\s*,\s*(?:the\s+)?{_DTH}){{0,5}}\s*,?\s*(?:and|&|or)\s+(?:the\s+)?{_DTH})(?:\s+of)?\s+(?P<mon>{_MON})\.?(?:,?\s+(?P<y>{_YEAR}))?{_P}", _month_list),
    Rule(MONTH_NAMES, rf"{_B}(?P<mon>{_MON})\.?\s+(?P<list>{_DTH}(?:\s*,\s*(?:the\s+)?{_DTH}){{0,5}}\s*,?\s*(?:and|&|or)\s+(?:the\s+)?{_DTH})(?![a-z0-9/%]|:\d|\.\d|\s?[ap]m\b|\s+(?:{_MON}|{_UNITS})\b)(?:,?\s+(?P<y>{_YEAR}))?{_P}", _month_list),
    Rule(MONTH_NAMES, rf"{_B}(?:(?P<q>this|next|last)\s+)?(?P<mon>{_MON})\.?(?:(?:,?\s+(?:of\s+)?|-)(?P<y>{_YEAR}))?{_P}(?!\s?\d{{1,2}}(?:\D|$))", _month_span),
    Rule(("st", "nd", "rd", "th"), rf"{_B}(?:the\s+)?(?P<d>(?:3[01]|[12]\d|[1-9])(?:st|nd|rd|th)){_P}", _day_of_month),
    Rule(("the",), rf"{_B}the\s+(?P<d>{_THE_DOM}){_P}(?=\s+of\s+(?:the\s+month|each|every|next|this)|\s*(?:$|[.,;:)]))", _day_of_month),
    Rule(("tom", "tm", "2m", "overm", "yes", "yday", "today", "night", "tonite", "this", "late"), rf"{_B}(?:later\s+)?(?P<word>(?:the\s+)?day\s+after\s+tomorrow|overmorrow|tom+or+ow|tmrw?|tmw|tmo?rrow|tmorrow|2mo?rr?ow|2moro|today|tonight|tonite|this\s+(?:morning|afternoon|evening)|(?:the\s+)?day\s+before\s+yesterday|yesterday|yday|last\s+night)(?:'s)?{_PART}?{_E}", _day_word),
    Rule(_LENGTH_WORDS, rf"{_B}(?:with)?in(?:side)?(?:\s+of)?\s+{_ABOUT}{_LENGTH}(?:\s+time\b)?(?:\s+or\s+(?:so|two|less)\b)?(?:\s+(?:from\s+now|max)\b)?", _ahead),
    Rule(("next", "coming"), rf"{_B}(?:with)?in\s+the\s+(?:next|coming)\s+(?P<unit>hour|day|week|fortnight|month|quarter|year){_E}", _ahead_one),
    Rule(("next",), rf"{_B}(?:the\s+)?(?:next|following)\s+(?:business|working|work)[\s-]?day{_E}", _next_workday),
    Rule(("week",), rf"{_B}(?:mid-?week|hump\s+day){_E}", _midweek),
    Rule(("next", "coming"), rf"{_B}(?:over|during|for)\s+the\s+(?:next|coming)\s+{_LENGTH}", _ahead),
    Rule(_LENGTH_WORDS, rf"{_B}(?:no|not)\s+(?:later|more)\s+than\s+{_LENGTH}(?:\s+from\s+now)?", _ahead),
    Rule(_LENGTH_WORDS, rf"{_B}{_LENGTH}\s+(?:hence|to\s+go|left|remaining|out\s+from\s+now)\b", _ahead),
    Rule(("this time",), rf"{_B}(?:this|the\s+same)\s+time\s+(?:(?P<tomorrow>tomorrow)|next\s+(?P<unit>week|month|year)){_E}", _this_time),
    Rule(_LENGTH_WORDS, rf"(?:^|[:;,.(-]\s*|\]\s+){_LENGTH}\s+(?=to\s+(?!go\b|kill\b|spare\b|midnight|noon|\d)\w)", _ahead_to),
    Rule(_LENGTH_WORDS, rf"{_B}(?:have|has|got|give[sn]?|giving|allow(?:s|ed)?)\s+(?:(?:us|me|you|them|him|her)\s+)?(?:(?:only|just|until|another|exactly)\s+)?{_LENGTH}\s+(?:left\s+|more\s+)?(?=to\s+\w)", _ahead),
    Rule(("from",), rf"{_B}{_LENGTH}\s+from\s+(?P<base>now|today|tomorrow)\b", _from_day_word),
    Rule(("+",), rf"(?<![\w+)\]])\+(?P<n3>\d{{1,4}})\s?(?P<unit2>{_SHORT_UNITS}|days?|weeks?|months?){_E}", _shorthand_ahead),
    Rule(("ago", "back"), rf"{_B}(?:(?:about|around|over|almost|nearly|some)\s+)?{_LENGTH}\s+(?:ago|back){_E}", _ago),
    Rule(("last", "past", "previous"), rf"{_B}(?:(?:in|over|during|for)\s+)?(?:the\s+)?(?:last|past|previous)\s+{_LENGTH}", _ago),
    Rule(_LENGTH_WORDS, rf"{_B}{_LENGTH}(?:\s+(?P<dir>earlier|before(?:hand)?|ahead(?:\s+of\s+time)?|prior|in\s+advance|later|after(?:wards)?)(?=\s*(?:$|[,.;:)!])|\s+(?:and|but|so|to|or)\b)|\s+(?P<dir2>before|after|prior\s+to|ahead\s+of)(?=\s+(?:we|the|our|my|your|his|her|their|its?|a|an|that|this|i|you|he|she|they)\s))?", _offset),
    Rule(("before", "prior", "after"), rf"{_B}the\s+(?P<u>day|night|evening|morning|week|month|weekend)\s+(?P<dir>before|prior|after){_E}(?!\s+(?:last|next|tomorrow|yesterday))", _day_offset),
    Rule(("week", "wk", "month", "quarter", "qtr", "year", "yr", "fy"), rf"{_B}(?:(?P<q>(?:the\s+)?(?:this|current|next|coming|upcoming|following|last|past|previous)|the)\s+)?(?P<u>weekend|wkend|week|wk|(?:calendar\s+)?month|quarter|qtr|(?:fiscal|financial|tax|calendar)\s+year|year|yr|fy|work(?:ing)?\s+week)(?P<after>\s+after\s+next)?(?:'s)?{_P}", _period),
    Rule(("eo",), rf"{_B}eo(?P<u>w|m|q|y|fy){_E}", _shorthand),
    Rule(("end",), rf"{_B}(?P<u>month|quarter|year|fy|week)[-\s]?end{_E}(?<!weekend)(?<!week end)", _shorthand),
    Rule(("eod", "cob", "eob", "eop", "end of", "close of", "day's end", "end-of", "by end"), rf"{_B}(?:eod|cob|eob|eop|end[\s-]of[\s-](?:the[\s-])?(?:business[\s-]|work(?:ing|[\s-])?\s?)?day|end[\s-]of[\s-](?:play|business)|close[\s-]of[\s-](?:business|play)|(?:the\s+)?day's\s+end){_E}", _all_day),
    Rule(("q", "h"), rf"{_B}(?:(?P<y0>20\d\d)[\s/-]?)?(?:(?P<k>[qh])(?P<n>[1-4])|(?P<n2>[1-4])(?P<k2>[qh]))(?:\s*(?:of\s+)?(?:fy)?\s?[/-]?'?(?P<y>20\d\d|2\d)(?![\d:/-]))?{_E}", _quarter),
    Rule(("quarter", "half of"), rf"{_B}(?:the\s+)?(?P<n>first|second|third|fourth|last)\s+(?P<k>quarter|half(?=\s+of\s+20))(?:\s+of\s+(?:the\s+year|(?P<y>20\d\d)))?{_E}", _quarter_words),
    Rule(("20",), rf"{_B}(?:by|before|until|till|through|end\s+of|in|of|early|late|mid|throughout|during|beginning)[\s-]+(?P<y>20\d\d)(?![\w/:.%-])(?!\s+(?:people|users|words|times|items|{_UNITS})\b)", _year_span),
    Rule(("spring", "summer", "autumn", "fall", "winter"), rf"{_B}(?:(?P<q>this|next|last|the|coming)\s+)?(?P<s>spring|summer|autumn|fall|winter){_E}", _season),
    Rule(("end", "close", "begin", "start", "early", "mid", "late", "half", "first", "back of"), rf"{_B}(?:the\s+)?(?:very\s+)?(?P<edge>end(?=\s+of)|close(?=\s+of)|tail\s+end(?=\s+of)|beginning(?=\s+of)|start(?=\s+of)|middle(?=\s+of)|end|beginning|start|early(?:\s+in)?|mid(?:way\s+through)?|late(?:r)?(?:\s+in)?|first\s+half|1st\s+half|second\s+half|latter\s+half)(?=[\s-])", _edge),
    Rule(_HOLIDAY_WORDS, rf"{_B}(?P<name>{_HOLIDAY_NAMES})(?:\s+(?P<y>20\d\d))?{_E}", _holiday),
    Rule(("noon", "midday", "midnight", "lunch"), rf"{_B}(?P<word>12 noon|12 midnight|noon|midday|midnight|lunch\s?time){_E}", _clock_word),
    Rule(("at ", "o'clock", "half past", "@"), rf"{_B}(?:at|@|(?P<half>half\s+past))\s?(?P<h>\d{{1,2}})(?:\s?o'clock)?(?![\w/:%.-]|\.\d|\s?(?:[ap]m\b|%|st\b|people|euros?|dollars))", _at_hour),
    Rule(("month",), rf"{_B}(?P<nth>(?:every|each)\s+(?P<n>{_NTH_WORD})\s+(?P<what>{_WD}|(?:business|working|work)[\s-]day|workday|weekday|day|weekend))\s+(?P<month>(?:of|in)\s+(?:each|every|a|the)\s+month){_E}", _every_nth),
    Rule(("by ", "before ", "until ", "around ", "from ", "about ", "ish"), rf"{_B}(?:by|before|until|till|around|from|about)\s(?P<h>\d{{1,2}})(?P<half>(?!))?(?=\s+(?:o'clock|on|tomorrow|today|tonight|this|{_WDFULL})\b)|{_B}(?P<h2>\d{{1,2}})-?ish{_E}", _beside_hour),
    Rule(("m",), rf"{_B}(?P<h>\d{{1,2}})(?::(?P<m>[0-5]\d))?\s?-\s?\d{{1,2}}(?::[0-5]\d)?\s?(?P<part>am|pm){_E}", _hour_range),
    Rule((".",), rf"{_B}(?<![.:/-])(?P<h>[01]?\d|2[0-3])\.(?P<m>[0-5]\d)(?![\d.%]|\s?[a-z]{{0,2}}\d)", _dotted_hour),
    Rule(("every", "each"), rf"{_B}(?:every|each)\s+(?:(?P<n>other|second|third|fourth|sixth|\d{{1,3}}(?:st|nd|rd|th)?|two|three|four|six)\s+)?(?:(?P<wds>{_WD}s?(?:\s*(?:,|and|&|/|,\s*and)\s*{_WD}s?)*)|(?P<mon>{_MON})|(?P<u>(?:business|working)\s+days?|weekdays?|workdays?|weekends?|days?|weeks?|fortnights?|months?|quarters?|years?|mornings?|evenings?|nights?|afternoons?)){_E}", _every),
    Rule(("ly",), rf"{_B}(?P<word>daily|nightly|weekly|bi-?weekly|fortnightly|monthly|bimonthly|quarterly|yearly|annually){_E}", _adverb),
)  # fmt: skip
