"""English dates that are counted from now: day words, lengths of time, periods, recurrences; and times of day."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, time

from . import days
from .atoms import NEVER, Atom, Line, Need, Rule, words
from .english_words import (
    DAY_PART,
    FULL_WEEKDAY,
    LENGTH,
    MONTH,
    MONTH_WORDS,
    NTH,
    SHORT_UNIT,
    UNIT_WORDS,
    WEEKDAY,
    WEEKDAY_WORDS,
    B,
    E,
    P,
    interval,
    length_of,
    month_number,
    nth_unit,
    ordinal_number,
    weekday_number,
)
from .reckon import FULL_MONTHS, every, fiscal_end, moved, period, season, weekly

# -- days counted from today

_DAY_WORDS: tuple[tuple[str, int], ...] = (
    ("day before yesterday", -2), ("yesterday", -1), ("yday", -1), ("last night", -1), ("day after tomorrow", 2), ("overmorrow", 2),
    ("tom", 1), ("tm", 1), ("2m", 1), ("to", 0), ("this", 0),
)  # fmt: skip


def _day_word(found: re.Match[str], line: Line) -> Atom | None:
    word = re.sub(r"\s+", " ", found["word"])
    count = next(count for name, count in _DAY_WORDS if name in word)
    day = days.add_days(line.today, count)
    if day is None:
        return None
    need: Need = 1 if word in {"today", "this morning"} else 0
    return Atom(
        *found.span(), "day", day, day, day if count < 0 else None, past=count < 0, need=need, source="relative" if count else "today"
    )


def _next_workday(found: re.Match[str], line: Line) -> Atom:
    return moved(found.span(), 1, "workday", line)


def _midweek(found: re.Match[str], line: Line) -> Atom:
    day = days.next_weekday(line.today, days.WEDNESDAY)
    return Atom(*found.span(), "day", day, day, source="relative")


def _in_the_morning(found: re.Match[str], line: Line) -> Atom:
    """The next morning, when somebody is told to do something then."""
    ahead = moved(found.span(), line.now.hour >= 4, "day", line)
    return ahead._replace(need=1, source="today", number=0)


def _this_time(found: re.Match[str], line: Line) -> Atom:
    """As in "this time next week"."""
    return moved(found.span(), 1, found["unit"] or "day", line)


def _ahead_one(found: re.Match[str], line: Line) -> Atom:
    """As in "within the next hour"."""
    return moved(found.span(), *length_of("1", found["unit"]), line)


def _plus(found: re.Match[str], line: Line) -> Atom:
    """As in "+3d"."""
    return moved(found.span(), *length_of(found["n"], found["unit"]), line)


# -- lengths of time

_SIGNS = {"earlier": -1, "before": -1, "ahead": -1, "prior": -1, "in": -1, "beforehand": -1, "later": 1, "after": 1, "afterwards": 1}


def _length(found: re.Match[str], line: Line) -> Atom | None:
    """A length of time: ahead of now, behind it, or waiting for a date to be counted from."""
    span = found.span()
    number = found["n2"] or found["n"] or found["n3"]
    count, unit = length_of(number, found["unit"] or found["unit2"])
    loose = bool(re.search("few|several|couple", number))
    start = found.start("n") if found["n"] else found.start("n3")
    if found["ago"] or found["last"]:
        return moved(span, -count, unit, line, past=True)
    if found["base"]:
        return moved((start, span[1]), count + (found["base"] == "tomorrow"), unit, line, loose=loose)
    if found["ahead"] or found["left"]:
        if found["n"] in {"a", "an"} and unit == "minute":
            return None  # "in a minute" is no time
        return moved(span if found["ahead"] else (start, span[1]), count, unit, line, loose=loose)
    if re.match(r"\s+to\s+(?!go\b|kill\b|spare\b|midnight|noon|\d)[a-z]", line.low[span[1] : span[1] + 16]) and not found["dir"]:
        if found["have"]:
            return moved(span, count, unit, line, loose=loose)
        # "30 days to appeal" at the head of a clause; "it took 30 days to appeal" tells a length.
        if _at_head(start, line):
            return moved((start, span[1]), count, unit, line, loose=loose)
    if re.match(r"\s+(?:un)?till?\s+(?!\d)[a-z]", line.low[span[1] : span[1] + 16]) and _at_head(start, line):
        return moved((start, span[1]), count, unit, line, loose=loose)
    word = (found["dir"] or "").split()[0] if found["dir"] else ""
    source = "dangling" if word else "short" if found["n3"] and unit in {"day", "week", "month"} else ""
    return Atom(start, span[1], "offset", number=count * _SIGNS.get(word, 1), unit=unit, source=source, need=1)


def _at_head(start: int, line: Line) -> bool:
    return re.search(r"(?:^|[:;,.(-])\s*(?:only |just |still )?$|\]\s+$", line.low[max(0, start - 12) : start]) is not None


def _neighbour(found: re.Match[str], _line: Line) -> Atom:
    """As in "the day before", "the week after"."""
    sign = 1 if found["dir"] == "after" else -1
    unit = {"week": "week", "month": "month"}.get(found["u"], "day")
    return Atom(*found.span(), "offset", number=sign, unit=unit, source="dangling", need=1)


# -- periods

_WHICH = {"next": 1, "following": 1, "last": -1, "past": -1, "previous": -1}
_PERIODS = {
    "week": "week", "wk": "week", "weekend": "weekend", "wkend": "weekend", "month": "month", "quarter": "quarter", "qtr": "quarter", "year": "year", "yr": "year",
    "fiscal year": "fiscal", "financial year": "fiscal", "fy": "fiscal", "tax year": "year", "work week": "week", "working week": "week", "calendar year": "year",
    "calendar month": "month",
}  # fmt: skip


def _period(found: re.Match[str], line: Line) -> Atom:
    q = (found["q"] or "").split()[-1:]
    word = q[0] if q else ""
    name = _PERIODS[re.sub(r"\s+", " ", found["u"])]
    which = 2 if found["after"] else _WHICH.get(word, 0)
    if word in {"coming", "upcoming"} and name != "weekend":
        which = 1
    first, last = period(name, which, line)
    need: Need = 0 if found["after"] else 1 if word in {"", "the", "this", "current"} or name in {"year", "quarter", "fiscal"} else 0
    # "week" is a date only behind "end of" and its like, "the month" also behind "within".
    source = (
        "period" if word not in {"", "the"} or found["after"] or (name == "weekend" and word) else "theperiod" if word else "bareperiod"
    )
    return Atom(*found.span(), "span", first, last, last, unit=name, need=need, past=which < 0, source=source)


def _end_of(found: re.Match[str], line: Line) -> Atom:
    """EOW, EOM, month-end …"""
    name = {"w": "week", "m": "month", "q": "quarter", "y": "year", "f": "fiscal"}[found["u"][0]]
    last = period(name, 0, line)[1]
    return Atom(*found.span(), "span", last, last, unit="end", source="period")


def _all_day(found: re.Match[str], line: Line) -> Atom:
    return Atom(*found.span(), "allday", line.today, line.today, source="allday")


def _quarter(found: re.Match[str], line: Line) -> Atom | None:
    """Q3, 3Q, H1, Q4 2026, 2026 Q4."""
    number = int(found["n"] or found["n2"])
    size = 3 if (found["k"] or found["k2"]) == "q" else 6
    return _part_of_year(found, number, size, found["y"] or found["y0"], line) if number * size <= 12 else None


def _quarter_in_words(found: re.Match[str], line: Line) -> Atom:
    size = 3 if found["k"] == "quarter" else 6
    number = 12 // size if found["n"] == "last" else ordinal_number(found["n"])
    return _part_of_year(found, min(number, 12 // size), size, found["y"], line)


def _part_of_year(found: re.Match[str], number: int, size: int, written: str | None, line: Line) -> Atom:
    year = int(written) if written else line.today.year
    year += 2000 if year < 100 else 0
    last = days.month_end(year, number * size)
    if not written and last < line.today:
        last = days.month_end(min(year + 1, 9999), number * size)
    first = days.add_months(last.replace(day=1), 1 - size) or last
    return Atom(
        *found.span(), "span", first, last, days.add_months(last, -12), unit="quarter", need=1, dated=bool(written), source="quarter"
    )


def _year(found: re.Match[str], _line: Line) -> Atom:
    year = int(found["y"])
    return Atom(*found.span("y"), "span", date(year, 1, 1), date(year, 12, 31), unit="year", need=1, dated=True, loose=True, source="year")


def _fiscal(found: re.Match[str], line: Line) -> Atom:
    """FY26, the fiscal year that ends in 2026."""
    year = int(found["y"]) + (2000 if int(found["y"]) < 100 else 0)
    last = fiscal_end(year, line)
    first = days.add_months(last, -12) or last
    return Atom(*found.span(), "span", first, last, unit="fiscal", need=1, dated=True, loose=True, source="year")


_SEASONS = {"spring": (3, 20), "summer": (6, 21), "autumn": (9, 22), "fall": (9, 22), "winter": (12, 21)}


def _season(found: re.Match[str], line: Line) -> Atom | None:
    atom = season(found.span(), _SEASONS[found["s"]], _WHICH.get(found["q"] or "", 0), line)
    return atom and atom._replace(need=0 if found["q"] in {"this", "next", "coming"} else 1)


_EDGES = {
    "early": "early",
    "beginning": "start",
    "start": "start",
    "middle": "mid",
    "mid": "mid",
    "midway": "mid",
    "first": "half",
    "1st": "half",
}


def _edge(found: re.Match[str], _line: Line) -> Atom:
    return Atom(*found.span(), "edge", unit=_EDGES.get(found["edge"].split()[0], "end"))


# -- times of day

_CLOCK_WORDS = {"noon": 12, "midday": 12, "midnight": 0, "lunchtime": 12}


def _clock_word(found: re.Match[str], _line: Line) -> Atom:
    return Atom(*found.span(), "clock", clock=time(_CLOCK_WORDS[found["word"].replace(" ", "")]), source="clockword")


def _by_day(hour: int) -> int:
    """Nobody means one to six in the morning without saying so."""
    return hour + 12 if 1 <= hour <= 6 else hour


def _at_hour(found: re.Match[str], _line: Line) -> Atom | None:
    hour = int(found["h"])
    return Atom(*found.span(), "clock", clock=time(_by_day(hour), 30 if found["half"] else 0), need=1, source="hour") if hour < 24 else None


def _beside_hour(found: re.Match[str], _line: Line) -> Atom | None:
    """As in "by 5 on Friday", "4ish", "17.00": an hour only beside its day."""
    hour = int(found["h"] or found["h2"] or found["h3"])
    minute = int(found["m"] or 0)
    if hour > 23:
        return None
    return Atom(*found.span(), "clock", clock=time(hour if found["m"] else _by_day(hour), minute), need=1, source="beside")


def _hour_range(found: re.Match[str], _line: Line) -> Atom | None:
    """As in "9-10am"."""
    hour = int(found["h"])
    if not 1 <= hour <= 12:
        return None
    afternoon = found["half"] == "pm" and hour != 11
    return Atom(*found.span(), "clock", clock=time(hour % 12 + 12 * afternoon, int(found["m"] or 0)), source="clock")


# -- recurrences

_ADVERBS = {
    "daily": (1, "day"), "nightly": (1, "day"), "weekly": (1, "week"), "biweekly": (2, "week"), "bi-weekly": (2, "week"), "fortnightly": (2, "week"),
    "monthly": (1, "month"), "quarterly": (3, "month"), "yearly": (1, "year"), "annually": (1, "year"), "bimonthly": (2, "month"),
}  # fmt: skip
_EVERY = {
    "workday": "weekday", "business day": "weekday", "working day": "weekday", "morning": "day", "evening": "day", "night": "day", "afternoon": "day",
}  # fmt: skip


def _every(found: re.Match[str], line: Line) -> Atom | None:
    times = interval(found["n"])
    if found["wds"]:
        return weekly(found.span(), [weekday_number(word) for word in re.findall(WEEKDAY, found["wds"])], line, interval=times)
    if found["mon"]:
        month = month_number(found["mon"])
        both = days.yearly(lambda year: days.month_end(year, month), line.today)
        text = f"every {FULL_MONTHS[month - 1]}"
        return both and Atom(*found.span(), "every", both[0], both[0], number=1, unit="year", recurrence=text, need=1, source="every")
    unit = re.sub(r"\s+", " ", found["u"]).removesuffix("s")
    return every(found.span(), times, _EVERY.get(unit, unit), line)


def _every_nth(found: re.Match[str], line: Line) -> Iterator[Atom]:
    """As in "every second Thursday of the month" is no fortnight: the nth and its month, to be joined."""
    yield Atom(*found.span("nth"), "nth", number=ordinal_number(found["n"]), unit=nth_unit(found["what"]), source="nth")
    yield every(found.span("month"), 1, "month", line)


def _adverb(found: re.Match[str], line: Line) -> Atom:
    times, unit = _ADVERBS[found["word"]]
    return every(found.span(), times, unit, line, need=2)


_ABOUT = r"(?:(?:about|around|roughly|approximately|approx\.?|exactly|just|only|under|less than|at most|the next|the coming|the|another|like|~)\s+){0,3}"
_BEFORE_LENGTH = (
    rf"(?:(?P<ahead>(?:with)?in(?:side)?(?:\s+of)?\s+{_ABOUT}|(?:over|during|for)\s+the\s+(?:next|coming)\s+|(?:no|not)\s+(?:later|more)\s+than\s+)|"
    r"(?P<have>(?:have|has|got|give[sn]?|giving|allow(?:s|ed)?)\s+(?:(?:us|me|you|them|him|her)\s+)?(?:(?:only|just|until|another|exactly)\s+)?)|"
    r"(?P<last>(?:(?:in|over|during|for)\s+)?(?:the\s+)?(?:last|past|previous)\s+)|(?:about|around|over|almost|nearly|some)\s+)?"
)
_AFTER_LENGTH = (
    r"(?:\s+(?:(?P<ago>ago|back)(?![a-z0-9_'])|from\s+(?P<base>now|today|tomorrow)\b|(?P<left>hence|to\s+go|left|remaining)\b|"
    r"(?:time|or\s+(?:so|two|less)|max)\b|"
    r"(?P<dir>(?:earlier|before(?:hand)?|ahead(?:\s+of\s+time)?|prior|in\s+advance|later|after(?:wards)?)(?=\s*(?:$|[,.;:)!])|\s+(?:and|but|so|to|or)\b)|"
    r"(?:before|after|prior\s+to|ahead\s+of)(?=\s+(?:we|the|our|my|your|his|her|their|its?|a|an|that|this|i|you|he|she|they)\s))))?"
)
_TOMORROW = r"tom+or+ow|tmrw?|tmw|tmo?rrow|tmorrow|2mo?rr?ow|2moro"
_DAY_WORD = (
    rf"(?:the\s+)?day\s+after\s+(?:{_TOMORROW})|overmorrow|{_TOMORROW}|today|tonight|tonite|this\s+(?:morning|afternoon|evening)|"
    r"(?:the\s+)?day\s+before\s+yesterday|yesterday|yday|last\s+night"
)
_DAY_WORD_WORDS = words(
    "today tonight tonite tomorrow tommorow tomorow tommorrow tomorroww tmrw tmr tmw tmorrow tmrrow mrow morrow morow moro mrrow yesterday yday overmorrow "
    "morning afternoon evening night tommorrrow tomorrrow tommmorow"
)
_PERIOD_WORDS = words("week wk weekend wkend month quarter qtr year yr fy")
_BEFORE_HOUR = words("by before until till around from about ish")

RULES = (
    Rule(_DAY_WORD_WORDS, rf"{B}(?:later\s+)?(?P<word>{_DAY_WORD})(?:'s)?{DAY_PART}?{E}", _day_word),
    Rule(
        UNIT_WORDS,
        rf"{B}{_BEFORE_LENGTH}{LENGTH}{_AFTER_LENGTH}",
        _length,
        alone=words(
            "in within inside over during for no not have has got give gives given giving allow allows allowed last past previous ago back from hence go left remaining to till until til d w wk wks mo mos mth mths"
        ),
    ),
    Rule(words("morning"), rf"{B}(?:first\s+thing\s+)?in\s+the\s+morning{E}", _in_the_morning, words("in")),
    Rule(words("hour"), rf"{B}within\s+the\s+(?P<unit>hour){E}", _ahead_one, words("within")),
    Rule(
        words("week month quarter year"),
        rf"{B}before\s+the\s+(?P<u>week|month|quarter|year)(?:'s|\s+is)?\s+(?:out|over|through|end|up){E}",
        _end_of,
        words("before"),
    ),
    Rule(
        words("hour day week fortnight month quarter year"),
        rf"{B}(?:with)?in\s+the\s+(?:next|coming)\s+(?P<unit>hour|day|week|fortnight|month|quarter|year){E}",
        _ahead_one,
        words("next coming"),
    ),
    Rule(
        words("day workday"),
        rf"{B}(?:the\s+)?(?:next|following)\s+(?:business|working|work)[\s-]?day{E}",
        _next_workday,
        words("next following"),
    ),
    Rule(words("midweek week hump"), rf"{B}(?:mid-?week|hump\s+day){E}", _midweek, words("midweek mid hump")),
    Rule(
        words("tomorrow week month year"),
        rf"{B}(?:this|the\s+same)\s+time\s+(?:tomorrow|next\s+(?P<unit>week|month|year)){E}",
        _this_time,
        words("time"),
    ),
    Rule(words("+0"), rf"(?<![\w+)\]])\+(?P<n>\d{{1,4}})\s?(?P<unit>{SHORT_UNIT}|days?|weeks?|months?){E}", _plus, UNIT_WORDS),
    Rule(
        words("day night evening morning week month"),
        rf"{B}the\s+(?P<u>day|night|evening|morning|week|month)\s+(?P<dir>before|prior|after){E}(?!\s+(?:last|next|tomorrow|yesterday))",
        _neighbour,
        words("before prior after"),
        alone=NEVER,
    ),
    Rule(
        _PERIOD_WORDS,
        rf"{B}(?:(?P<q>(?:the\s+)?(?:this|current|next|coming|upcoming|following|last|past|previous)|the)\s+)?"
        r"(?P<u>weekend|wkend|week|wk|(?:calendar\s+)?month|quarter|qtr|(?:fiscal|financial|tax|calendar)\s+year|year|yr|fy|work(?:ing)?\s+week)"
        rf"(?P<after>\s+after\s+next)?(?:'s)?{P}",
        _period,
        alone=words(
            "this current next coming upcoming following last past previous within inside the weekend wkend end close tail beginning start middle early mid midway late later half"
        ),
    ),
    Rule(words("eow eom eoq eoy eofy"), rf"{B}eo(?P<u>w|m|q|y|fy){E}", _end_of),
    Rule(
        words("month quarter year fy monthend quarterend yearend fyend"),
        rf"{B}(?P<u>month|quarter|year|fy|week)(?:[-\s]?|'s\s)end{E}(?<!weekend)(?<!week end)",
        _end_of,
        words("end monthend quarterend yearend fyend"),
    ),
    Rule(
        words("eod cob eob eop day play business"),
        rf"{B}(?:eod|cob|eob|eop|end[\s-]of[\s-](?:the[\s-])?(?:business[\s-]|work(?:ing|[\s-])?\s?)?day|end[\s-]of[\s-](?:play|business)|"
        rf"close[\s-]of[\s-](?:business|play)|(?:the\s+)?day's\s+end){E}",
        _all_day,
        words("eod cob eob eop end close"),
    ),
    Rule(
        words("q0"),
        rf"{B}(?:(?P<y0>20\d\d)[\s/-]?)?(?:(?P<k>[qh])(?P<n>[1-4])|(?P<n2>[1-4])(?P<k2>[qh]))(?:\s*(?:of\s+)?(?:fy)?\s?[/-]?'?(?P<y>20\d\d|2\d)(?![\d:/-]))?{E}",
        _quarter,
    ),
    Rule(
        words("quarter half"),
        rf"{B}(?:the\s+)?(?P<n>first|second|third|fourth|last)\s+(?P<k>quarter|half(?=\s+of\s+20))(?:\s+of\s+(?:the\s+year|(?P<y>20\d\d)))?{E}",
        _quarter_in_words,
        words("first second third fourth last"),
    ),
    Rule(
        words("2000"),
        rf"{B}(?:by|before|until|till|through|end\s+of|in|of|early|late|mid|throughout|during|beginning)[\s-]+(?P<y>20\d\d)(?![\w/:.%-])"
        r"(?!\s+(?:people|users|words|times|items|hours|days|euros|dollars|steps|pages|lines)\b)",
        _year,
        words("by before until till through of in early late mid throughout during beginning"),
    ),
    Rule(words("fy"), rf"{B}fy\s?'?(?P<y>20\d\d|[2-9]\d){E}", _fiscal, words("0")),
    Rule(
        words("spring summer autumn fall winter"),
        rf"{B}(?:(?P<q>this|next|last|the|coming)\s+)?(?P<s>spring|summer|autumn|fall|winter){E}",
        _season,
    ),
    Rule(
        words("end close tail beginning start middle early mid midway late later first second latter st nd"),
        rf"{B}(?:the\s+)?(?:very\s+)?(?P<edge>tail\s+end|end|close(?=\s+of)|beginning|start|middle(?=\s+of)|early(?:\s+in)?|mid(?:way\s+through)?|"
        r"late(?:r)?(?:\s+in)?|(?:first|1st|second|2nd|latter)\s+half)(?=[\s-])",
        _edge,
        WEEKDAY_WORDS | MONTH_WORDS | _PERIOD_WORDS | words("q h tomorrow today spring summer autumn fall winter 2000 0"),
        alone=NEVER,
    ),
    Rule(words("noon midday midnight lunchtime lunch"), rf"{B}(?:12\s)?(?P<word>noon|midday|midnight|lunch\s?time){E}", _clock_word),
    Rule(
        words("at0"),
        rf"{B}(?:at|@|(?P<half>half\s+past))\s?(?P<h>\d{{1,2}})(?:\s?o'clock)?(?![a-z0-9_/%.-]|:\d|\.\d|\s?(?:[ap]m\b|%|st\b|people|euros?|dollars))",
        _at_hour,
    ),
    Rule(
        _BEFORE_HOUR | words("0.0"),
        rf"{B}(?:by|before|until|till|around|from|about)\s(?P<h>\d{{1,2}})(?=\s+(?:o'clock|on|tomorrow|today|tonight|this|{FULL_WEEKDAY})\b)|{B}(?P<h2>\d{{1,2}})-?ish{E}|"
        rf"{B}(?<![.:/-])(?P<h3>[01]?\d|2[0-3])\.(?P<m>[0-5]\d)(?![\d.%]|\s?[a-z]{{0,2}}\d)",
        _beside_hour,
        words("0"),
        alone=NEVER,
    ),
    Rule(words("0am"), rf"{B}(?P<h>\d{{1,2}})(?::(?P<m>[0-5]\d))?\s?-\s?\d{{1,2}}(?::[0-5]\d)?\s?(?P<half>am|pm){E}", _hour_range),
    Rule(
        words("month"),
        rf"{B}(?P<nth>(?:every|each)\s+(?P<n>{NTH})\s+(?P<what>{WEEKDAY}|(?:business|working|work)[\s-]day|workday|weekday|day|weekend))\s+"
        rf"(?P<month>(?:of|in)\s+(?:each|every|a|the)\s+month){E}",
        _every_nth,
        words("every each"),
    ),
    Rule(
        WEEKDAY_WORDS
        | MONTH_WORDS
        | UNIT_WORDS
        | words("weekend weekends morning mornings evening evenings night nights afternoon afternoons"),
        rf"{B}(?:every|each)\s+(?:(?P<n>other|couple\s+of|few|second|third|fourth|sixth|\d{{1,3}}(?:st|nd|rd|th)?|two|three|four|six)\s+)?"
        rf"(?:(?P<wds>{WEEKDAY}s?(?:\s*(?:,|and|&|/|,\s*and)\s*{WEEKDAY}s?){{0,6}})|(?P<mon>{MONTH})|"
        r"(?P<u>(?:business|working)\s+days?|weekdays?|workdays?|weekends?|days?|weeks?|fortnights?|months?|quarters?|years?|mornings?|evenings?|nights?|afternoons?))"
        rf"{E}",
        _every,
        words("every each"),
    ),
    Rule(
        words(" ".join(_ADVERBS) + " bi"),
        rf"{B}(?P<word>daily|nightly|weekly|bi-?weekly|fortnightly|monthly|bimonthly|quarterly|yearly|annually){E}",
        _adverb,
    ),
)
