"""English weekdays, days of months, months and holidays."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from itertools import pairwise

from . import days
from .atoms import Atom, Line, Need, Rule, words
from .english_words import (
    COUNT,
    DAY,
    DAY_PART,
    FULL_WEEKDAY,
    MONTH,
    MONTH_WORDS,
    NTH,
    PLURAL_WEEKDAYS,
    UNIT_WORDS,
    WEEKDAY,
    WEEKDAY_WORDS,
    YEAR,
    B,
    E,
    P,
    cardinal,
    month_number,
    nth_unit,
    ordinal_number,
    weekday_number,
    year_number,
)
from .reckon import known_day, month_day, period, weekly, yearly_day

# -- weekdays


def _weekday(found: re.Match[str], line: Line) -> Atom | None:
    word, span = found["wd"], found.span()
    number = weekday_number(word)
    if word in {"sun", "sat", "mon", "wed", "fri"} and not _is_abbreviation(found, line):
        return None
    ahead, back = days.next_weekday(line.today, number), days.last_weekday(line.today, number)
    match (found["q"] or "").split()[-1:]:
        case []:
            return Atom(*span, "weekday", ahead, ahead, back, number=number, source="weekday")
        case ["next"]:
            day = days.add_days(period("week", 1, line)[0], number) or ahead
            return Atom(*span, "day", day, day, source="weekday")
        case ["last" | "past" | "previous"]:
            return Atom(*span, "day", back, back, back, past=True, source="weekday")
        case _:
            return Atom(*span, "day", ahead, ahead, back, source="weekday")


def _is_abbreviation(found: re.Match[str], line: Line) -> bool:
    """Whether "sun", "sat", "mon" and their like are days here, not words."""
    start, end = found.span("wd")
    capital = line.text[start].isupper()
    if found["q"] or (capital and start and not line.text[start:end].isupper() and line.low[end : end + 1] == "."):
        return True
    before, after = line.low[max(0, start - 16) : start], line.low[end : end + 18]
    if re.match(
        r"\.?,?\s*(?:(?:the\s+)?\d|\(|morning|afternoon|evening|night|noon|(?:-|to|through|thru|&|and|or|/|,)\s?(?:mon|tue|wed|thu|fri|sat|sun)|@|at \d)",
        after,
    ):
        return True
    if re.search(r"(?:\b(?:by|on|before|until|till|due|from|to|for|this|next|coming|starting|eod|cob|and|or)|[(/&:-])\s?$", before):
        return capital or found["wd"] != "sun"
    if capital and re.search(r"[a-z0-9)]\s$", before) and not re.match(r"\s+[A-Z]", line.text[end : end + 4]):
        return True  # "could we do Wed instead"
    return capital and bool(re.match(r"\s*(?:$|[,.:;)!?-])", after)) and not re.match(r"\.\w", after)


def _weekday_week(found: re.Match[str], line: Line) -> Atom | None:
    """As in "Friday week", "the Friday after next"."""
    day = days.add_days(days.next_weekday(line.today, weekday_number(found["wd"] or found["wd2"])), 7)
    return Atom(*found.span(), "day", day, day, source="weekday") if day else None


def _plural_weekdays(found: re.Match[str], line: Line) -> Atom:
    return weekly(found.span(), [weekday_number(word) for word in re.findall(FULL_WEEKDAY, found[0])], line, need=1)


def _weekdays_ahead(found: re.Match[str], line: Line) -> Atom | None:
    """As in "two Fridays from now", "in two Fridays"."""
    if not (found["now"] or found["in"]):
        return None
    day = days.add_days(days.next_weekday(line.today, weekday_number(found["wd"])), 7 * (round(cardinal(found["n"])) - 1))
    return Atom(*found.span(), "day", day, day, source="relative") if day else Atom(*found.span(), "bad", source="relative")


def _nth(found: re.Match[str], _line: Line) -> Atom:
    return Atom(*found.span(), "nth", number=ordinal_number(found["n"]), unit=nth_unit(found["what"]), source="nth")


# -- days of a month

_SEPARATOR = r"\s*(?:-|~|to|through|thru|until|till|,?\s*and|,?\s*&|,?\s*or|,)\s*(?:the\s+)?"
_DAYS = rf"(?P<list>{DAY}(?:{_SEPARATOR}{DAY}){{0,5}})"
_WRITTEN_YEAR = rf"(?:(?:,?\s*|[-/])(?P<y>{YEAR})|,?\s+(?P<ry>next|this|last)\s+year)?"


def _month_days(found: re.Match[str], line: Line) -> Iterator[Atom]:
    """As in "5 Dec", "the 9th and 10th of April", "March 9-11, 2026", "March 9, 10 and 11"."""
    if found["mon"] == "may" and not _is_may(found, line):
        return
    month, start = month_number(found["mon"]), found.start("list")
    numbers = [(int(each[0]), start + each.start(), start + each.end()) for each in re.finditer(r"\d{1,2}", found["list"])]
    gaps = [found["list"][left[2] - start : right[1] - start] for left, right in pairwise(numbers)]
    joined = "".join(re.sub(r"^(?:st|nd|rd|th)|\s|\bthe\b", "", gap) for gap in gaps)
    if not gaps:
        yield _one_day(found, found.span(), month, numbers[0][0], line)
    elif re.fullmatch(_TO, joined) or (joined in {"and", "&"} and _between(found, line)):
        stretch = _stretch_of_days(found, month, numbers[0][0], numbers[1][0], line)
        yield stretch or _beside_month(found, month, numbers, line)
    elif re.fullmatch(r",*(?:and|&|or)", joined):
        yield from _each_day(found, month, numbers, line)
    else:
        yield _beside_month(found, month, numbers, line)


def _beside_month(found: re.Match[str], month: int, numbers: list[tuple[int, int, int]], line: Line) -> Atom:
    """As in "room 3, 4 March": the figure beside the month alone."""
    if found.start("mon") > found.start("list"):
        number, start, _ = numbers[-1]
        return _one_day(found, (start, found.end()), month, number, line)
    number, _, end = numbers[0]
    return _one_day(found, (found.start(), end), month, number, line)


_TO = r"-|~|to|through|thru|until|till"


def _between(found: re.Match[str], line: Line) -> bool:
    return line.low[max(0, found.start() - 10) : found.start()].rstrip().endswith("between")


def _is_may(found: re.Match[str], line: Line) -> bool:
    at = found.start("mon")
    return line.text[at].isupper() or bool(
        found["y"] or re.search(r"\b(?:by|on|until|before|due|the)\s(?:\S+\s(?:of\s)?)?$", line.low[max(0, at - 24) : at])
    )


def _year_of(found: re.Match[str], line: Line) -> int | None:
    if found["y"]:
        return year_number(found["y"])
    return line.today.year + {"this": 0, "next": 1, "last": -1}[found["ry"]] if found["ry"] else None


def _one_day(found: re.Match[str], span: tuple[int, int], month: int, number: int, line: Line) -> Atom:
    year = _year_of(found, line)
    if year is None:
        return yearly_day(span, lambda year: days.make_day(year, month, number), line, source="month")
    return known_day(span, days.make_day(year, month, number), source="month")._replace(past=found["ry"] == "last")


def _stretch_of_days(found: re.Match[str], month: int, first: int, last: int, line: Line) -> Atom | None:
    end = _one_day(found, found.span(), month, last, line)
    start = days.make_day(end.last.year, month, first)
    return end._replace(kind="range", first=start) if end.kind == "day" and start is not None and start < end.last else None


def _each_day(found: re.Match[str], month: int, numbers: list[tuple[int, int, int]], line: Line) -> Iterator[Atom]:
    if _between(found, line):
        return
    for at, (number, start, end) in enumerate(numbers):
        span = (found.start() if at == 0 else start, found.end() if at + 1 == len(numbers) else end)
        yield _one_day(found, span, month, number, line)


def _month(found: re.Match[str], line: Line) -> Atom | None:
    word, month, q = found["mon"], month_number(found["mon"]), found["q"]
    at = found.start("mon")
    weak = word in {"may", "march", "mar"} or (word in {"dec", "sep", "jan", "june", "april", "august"} and not line.text[at].isupper())
    if weak and not (found["y"] or q) and not re.search(_BEFORE_MONTH, line.low[max(0, at - 10) : at]):
        return None
    if found["y"]:
        year = year_number(found["y"])
    elif q == "last":
        year = line.today.year - (month >= line.today.month)
    else:
        year = line.today.year + (month < line.today.month or (q == "next" and month == line.today.month))
    if not 1 <= year <= 9999:
        return None
    first, last = date(year, month, 1), days.month_end(year, month)
    back = None if found["y"] else days.add_months(last, -12)
    need: Need = 0 if q in {"this", "next"} else 1
    return Atom(
        *found.span(), "span", first, last, back, unit="month", need=need, past=q == "last", dated=bool(found["y"]), source="monthname"
    )


_BEFORE_MONTH = r"\b(?:by|in|until|till|before|of|early|late|mid|end|through|during|since|for|due|from|around|starting|expires)[\s-]$"


def _day_of_month(found: re.Match[str], line: Line) -> Atom | None:
    return month_day(found.span(), ordinal_number(found["d"]), line)


# -- holidays


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
    r"thanksgiving(?: day)?|turkey day": days.after_thanksgiving(0),
    r"black friday": days.after_thanksgiving(1),
    r"cyber monday": days.after_thanksgiving(4),
    r"st\.? nicholas(?: day)?": days.fixed(12, 6),
    r"st\.? lucia(?: day)?": days.fixed(12, 13),
}
_HOLIDAY = rf"{B}(?P<name>{'|'.join(f'(?:{name})' for name in _HOLIDAYS)})(?:\s+(?P<y>20\d\d))?{E}"


def _holiday(found: re.Match[str], line: Line) -> Atom:
    of_year = next(rule for pattern, rule in _HOLIDAYS.items() if re.fullmatch(pattern, found["name"]))
    if found["y"]:
        return known_day(found.span(), of_year(int(found["y"])), source="holiday", need=1)
    return yearly_day(found.span(), of_year, line, source="holiday", need=1)


_QUALIFIER = r"(?:on\s)?(?:(?:this|next|coming|this coming|upcoming|this upcoming|following|last|past|this past|previous))"
_THE_FIRST = r"(?:first|second|third)(?=\s+of\s+(?:the\s+month|each|every|next|this))"
_THE_DOM = (
    r"(?:fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|"
    r"twenty[- ](?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)|thirtieth|thirty[- ]first)(?=\s+of\s+(?:the\s+month|each|every|next|this)|\s*(?:$|[,.;:)]))"
)
_NO_TIME = rf"(?![a-z0-9/%]|:\d|\.\d|\s?[ap]\.?m\b|-\d|\s+(?:{MONTH}|days?|weeks?|months?|years?|hours?|minutes?)\b)"
_DAY_WORDS = words("day days week weekend workday weekday")
_AROUND_MONTH = words(
    "0 this next last by due deadline before until till til within latest cut cutoff eta expire expires expired expiring expiry expiration required needed payable in from starting beginning through thru during around over effective "
    "sometime come towards toward to about prior ahead advance later end start early late mid middle first second half since for of every each"
)
_NTH_WORDS = words("first second third fourth fifth sixth seventh eighth ninth tenth last final st nd rd th")

RULES = (
    Rule(
        WEEKDAY_WORDS | _DAY_WORDS,
        rf"{B}(?:the\s+)?(?P<n>{NTH})\s+(?P<what>{WEEKDAY}|(?:business|working|work)[\s-]day|workday|weekday|day|week|weekend)(?=\s+(?:of|in|each|every)\b)",
        _nth,
        _NTH_WORDS,
    ),
    Rule(WEEKDAY_WORDS, rf"{B}(?:(?P<q>{_QUALIFIER})\s+)?(?P<wd>{WEEKDAY})(?:'s)?\.?(?:(?<!\.)|(?=[\s,)]|$)){DAY_PART}?{P}", _weekday),
    Rule(
        WEEKDAY_WORDS,
        rf"{B}(?P<wd>{WEEKDAY})\s+week{E}|{B}(?:the\s+)?(?P<wd2>{WEEKDAY})\s+after\s+next{E}",
        _weekday_week,
        words("week next"),
    ),
    Rule(
        PLURAL_WEEKDAYS, rf"{B}(?:on\s+)?(?:{FULL_WEEKDAY}s)(?:(?:\s*(?:,|and|&|/|,\s*and)\s*){FULL_WEEKDAY}s){{0,6}}{E}", _plural_weekdays
    ),
    Rule(
        PLURAL_WEEKDAYS,
        rf"{B}(?P<in>in\s+)?(?P<n>{COUNT})\s+(?P<wd>{FULL_WEEKDAY})s(?P<now>\s+from\s+now)?{E}",
        _weekdays_ahead,
        words("in now"),
    ),
    Rule(
        MONTH_WORDS, rf"{B}(?:the\s+)?{_DAYS}(?:\s+of\s+|[-/]|\s*)(?P<mon>{MONTH})(?:\.(?=\W))?{_WRITTEN_YEAR}{P}", _month_days, words("0")
    ),
    Rule(MONTH_WORDS, rf"{B}(?P<mon>{MONTH})(?:\.|\s+the|-)?\s*{_DAYS}{_NO_TIME}{_WRITTEN_YEAR}{P}", _month_days, words("0")),
    Rule(
        MONTH_WORDS,
        rf"{B}(?:(?P<q>this|next|last)\s+)?(?P<mon>{MONTH})\.?(?:(?:,?\s+(?:of\s+)?|-)(?P<y>{YEAR}))?{P}(?!\s?\d{{1,2}}(?:\D|$))",
        _month,
        alone=_AROUND_MONTH,
    ),
    Rule(words("st nd rd th"), rf"{B}(?:the\s+)?(?P<d>(?:3[01]|[12]\d|[1-9])(?:st|nd|rd|th)){P}", _day_of_month, words("0")),
    Rule(UNIT_WORDS, rf"{B}the\s+(?P<d>{_THE_FIRST}){P}", _day_of_month, words("first second third")),
    Rule(
        words(
            "fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty "
            "thirtieth thirty"
        ),
        rf"{B}the\s+(?P<d>{_THE_DOM}){P}",
        _day_of_month,
        words("the"),
    ),
    Rule(
        words(
            "christmas xmas mas nye epiphany mlk valentine valentines easter pentecost juneteenth midsummer halloween hallowe thanksgiving fawkes patrick patricks nicholas lucia mayo"
        ),
        _HOLIDAY,
        _holiday,
    ),
    Rule(
        words("day friday monday sunday tuesday wednesday thursday night july year years"),
        _HOLIDAY,
        _holiday,
        words(
            "boxing new martin president presidents shrove pancake ash palm maundy good april earth ascension whit mother mothers memorial father fathers independence "
            "fourth th bastille labor labour columbus indigenous bonfire veteran veterans armistice remembrance turkey black cyber"
        ),
    ),
)
