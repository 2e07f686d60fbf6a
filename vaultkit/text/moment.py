"""moment.js format strings for daily and periodic notes, both ways. Pure. Rules: facts/obsidian-semantics.md §8.

Locales: `en` (also for every language that is not here), `en-gb` and `ja`; they decide the names and when a week begins. Every token
of moment 2.30 is written. Read back are all but the zone names `z` and `zz`, which moment leaves empty.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, time, timedelta, timezone
from functools import lru_cache
from typing import Final, NamedTuple


def format_moment(when: datetime | date, pattern: str, *, locale: str = "en") -> str:
    """*when* written by a moment.js *pattern* (longest token first, `[literal]`).

    A date is its midnight; a datetime without zone is the machine's own time (this matters to `Z`, `X` and `x` only).
    """
    moment = when if isinstance(when, datetime) else datetime.combine(when, time())
    return _compiled(pattern, _language(locale)).write(moment)


def parse_moment(text: str, pattern: str, *, locale: str = "en") -> date | None:
    """The day that *text* names when read strictly by *pattern*, else None.

    Strictly: written back it gives the same text, but for upper and lower case in names. A month, a week, a quarter or a year names its first day
    (of a week, the weekday that the locale begins with); a pattern that does not say which year names no day.
    """
    form = _compiled(pattern, _language(locale))
    match = form.reader.fullmatch(text)
    if match is None:
        return None
    tokens = (token for _, token in form.parts if token)
    fields = {
        field: number for token, found in zip(tokens, match.groups(), strict=True) for field, number in token.read(found, form.speech)
    }
    for moment in _candidates(fields, form.speech):
        if form.write(moment).casefold() == text.casefold():
            return moment.date()
    return None


# ── locales ──────────────────────────────────────────────────────────────────────────────────────────────────────────


class _Era(NamedTuple):
    since: date
    first: int  # number of its first year
    name: str
    narrow: str
    short: str


class _Locale(NamedTuple):
    """A language's words, and when its weeks begin. Weekdays count from Sunday."""

    months: tuple[str, ...]
    months_short: tuple[str, ...]
    weekdays: tuple[str, ...]
    weekdays_short: tuple[str, ...]
    weekdays_min: tuple[str, ...]
    week_start: int  # weekday
    week_one: int  # the day of January that lies in week 1 of every year
    halves: tuple[str, str]  # of the day
    halves_lower: tuple[str, str]
    ordinal: Callable[[int, str], str]
    ordinal_mark: str  # a pattern for what follows the number
    long: dict[str, str]  # of `LT`, `L`, …
    eras: tuple[_Era, ...]  # the latest first


def _english_ordinal(number: int, token: str) -> str:  # noqa: ARG001 - other languages ask what is counted
    mark = "th" if number % 100 // 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{mark}"


def _japanese_ordinal(number: int, token: str) -> str:
    if token == "y":  # noqa: S105 - no password
        return "元年" if number == 1 else f"{number}年"
    return f"{number}日" if token in {"d", "D", "DDD"} else str(number)


_DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday"
_MONTHS = "January February March April May June July August September October November December"
_EN: Final = _Locale(
    months=tuple(_MONTHS.split()),
    months_short=tuple(name[:3] for name in _MONTHS.split()),
    weekdays=tuple(_DAYS.split()),
    weekdays_short=tuple(name[:3] for name in _DAYS.split()),
    weekdays_min=tuple(name[:2] for name in _DAYS.split()),
    week_start=0,
    week_one=1,
    halves=("AM", "PM"),
    halves_lower=("am", "pm"),
    ordinal=_english_ordinal,
    ordinal_mark="(?:st|nd|rd|th)",
    long={
        "LT": "h:mm A",
        "LTS": "h:mm:ss A",
        "L": "MM/DD/YYYY",
        "LL": "MMMM D, YYYY",
        "LLL": "MMMM D, YYYY h:mm A",
        "LLLL": "dddd, MMMM D, YYYY h:mm A",
        "l": "M/D/YYYY",
        "ll": "MMM D, YYYY",
        "lll": "MMM D, YYYY h:mm A",
        "llll": "ddd, MMM D, YYYY h:mm A",
    },
    eras=(_Era(date(1, 1, 1), 1, "Anno Domini", "AD", "AD"),),
)
_EN_GB: Final = _EN._replace(
    week_start=1,
    week_one=4,
    long={
        "LT": "HH:mm",
        "LTS": "HH:mm:ss",
        "L": "DD/MM/YYYY",
        "LL": "D MMMM YYYY",
        "LLL": "D MMMM YYYY HH:mm",
        "LLLL": "dddd, D MMMM YYYY HH:mm",
        "l": "D/M/YYYY",
        "ll": "D MMM YYYY",
        "lll": "D MMM YYYY HH:mm",
        "llll": "ddd, D MMM YYYY HH:mm",
    },
)
_ISO: Final = _EN_GB  # its weeks are those of ISO 8601
_JA: Final = _Locale(
    months=tuple(f"{number}月" for number in range(1, 13)),
    months_short=tuple(f"{number}月" for number in range(1, 13)),
    weekdays=tuple(f"{day}曜日" for day in "日月火水木金土"),
    weekdays_short=tuple("日月火水木金土"),
    weekdays_min=tuple("日月火水木金土"),
    week_start=0,
    week_one=1,
    halves=("午前", "午後"),
    halves_lower=("午前", "午後"),
    ordinal=_japanese_ordinal,
    ordinal_mark="[日年]?",
    long={
        "LT": "HH:mm",
        "LTS": "HH:mm:ss",
        "L": "YYYY/MM/DD",
        "LL": "YYYY年M月D日",
        "LLL": "YYYY年M月D日 HH:mm",
        "LLLL": "YYYY年M月D日 dddd HH:mm",
        "l": "YYYY/MM/DD",
        "ll": "YYYY年M月D日",
        "lll": "YYYY年M月D日 HH:mm",
        "llll": "YYYY年M月D日(ddd) HH:mm",
    },
    eras=(
        _Era(date(2019, 5, 1), 1, "令和", "㋿", "R"),
        _Era(date(1989, 1, 8), 1, "平成", "㍻", "H"),
        _Era(date(1926, 12, 25), 1, "昭和", "㍼", "S"),
        _Era(date(1912, 7, 30), 1, "大正", "㍽", "T"),
        _Era(date(1873, 1, 1), 6, "明治", "㍾", "M"),
        _Era(date(1, 1, 1), 1, "西暦", "AD", "AD"),
    ),
)
_LOCALES: Final = {"en": _EN, "en-gb": _EN_GB, "ja": _JA}


def _language(name: str) -> str:
    """The locale of ours that a language tag means: `en-GB` → `en-gb`, `ja-JP` → `ja`, `de` → `en`."""
    tag = name.lower().replace("_", "-")
    return next((known for known in (tag, tag.split("-")[0]) if known in _LOCALES), "en")


# ── tokens ───────────────────────────────────────────────────────────────────────────────────────────────────────────

Write = Callable[[datetime, _Locale], str]
Read = Callable[[str, _Locale], list[tuple[str, int]]]


class _Token(NamedTuple):
    """How one token is written, what its text looks like, and which fields that text gives."""

    write: Write
    shape: Callable[[_Locale], str]
    read: Read


def _number(value: Callable[[datetime, _Locale], int], field: str, width: int = 1, digits: str = "") -> _Token:
    """A number, padded to *width*; *digits* is how many there may be."""
    shape = f"[0-9]{{{digits or (str(width) if width > 1 else '1,2')}}}"
    return _Token(lambda when, speech: str(value(when, speech)).zfill(width), lambda _: shape, lambda text, _: [(field, int(text))])


def _ordinal(value: Callable[[datetime, _Locale], int], field: str, token: str) -> _Token:
    def shape(speech: _Locale) -> str:
        return f"(?:[0-9]{{1,4}}{speech.ordinal_mark}|元年)"

    def read(text: str, _: _Locale) -> list[tuple[str, int]]:
        match = re.match("[0-9]+", text)
        return [(field, int(match[0]) if match else 1)]

    return _Token(lambda when, speech: speech.ordinal(value(when, speech), token), shape, read)


def _name(value: Callable[[datetime, _Locale], int], field: str, names: Callable[[_Locale], tuple[str, ...]], first: int) -> _Token:
    """A word from a list, whose first stands for *first*."""

    def shape(speech: _Locale) -> str:
        return f"(?i:{'|'.join(map(re.escape, sorted(names(speech), key=len, reverse=True)))})"

    def read(text: str, speech: _Locale) -> list[tuple[str, int]]:
        return [(field, [name.casefold() for name in names(speech)].index(text.casefold()) + first)]

    return _Token(lambda when, speech: names(speech)[value(when, speech) - first], shape, read)


def _composed(*tokens: _Token) -> _Token:
    """Several numbers without anything between them (`hmm`); each but the first has two digits."""

    def read(text: str, speech: _Locale) -> list[tuple[str, int]]:
        cut = len(text) - 2 * (len(tokens) - 1)
        pieces = [text[:cut], *(text[at : at + 2] for at in range(cut, len(text), 2))]
        return [pair for token, piece in zip(tokens, pieces, strict=True) for pair in token.read(piece, speech)]

    def write(when: datetime, speech: _Locale) -> str:
        return "".join(token.write(when, speech) for token in tokens)

    return _Token(write, lambda speech: "".join(token.shape(speech) for token in tokens), read)


def _weekday(when: datetime) -> int:
    """From 0 for Sunday."""
    return when.isoweekday() % 7


def _day_of_year(when: datetime) -> int:
    return when.timetuple().tm_yday


def _quarter(when: datetime) -> int:
    return (when.month + 2) // 3


def _hour12(when: datetime) -> int:
    return when.hour % 12 or 12


def _week(when: datetime, speech: _Locale) -> tuple[int, int]:
    """Week-year and week by the locale's rule."""
    day = when.toordinal()
    year = when.year + 1
    while (start := _week_start(year, speech)) > day:
        year -= 1
    return year, (day - start) // 7 + 1


def _week_start(year: int, speech: _Locale) -> int:
    """The ordinal of the first day of that week-year."""
    shift = 400 if year < 1 else -400 if year > 9999 else 0  # the calendar repeats itself; date() ends at both ends
    first = date(year + shift, 1, speech.week_one)
    return first.toordinal() - (first.isoweekday() - speech.week_start) % 7 - shift // 400 * 146_097


def _era(when: datetime, speech: _Locale) -> _Era:
    return next(era for era in speech.eras if when.date() >= era.since)


def _era_year(when: datetime, speech: _Locale) -> int:
    era = _era(when, speech)
    return when.year - era.since.year + era.first


def _era_name(part: Callable[[_Era], str]) -> _Token:
    def shape(speech: _Locale) -> str:
        return "|".join(re.escape(part(era)) for era in speech.eras)

    def read(text: str, speech: _Locale) -> list[tuple[str, int]]:
        return [("era", [part(era).casefold() for era in speech.eras].index(text.casefold()))]

    return _Token(lambda when, speech: part(_era(when, speech)), shape, read)


def _half(halves: Callable[[_Locale], tuple[str, str]]) -> _Token:
    return _name(lambda when, _: when.hour // 12, "half", halves, 0)


def _offset(when: datetime) -> timedelta:
    moment = when if when.tzinfo else when.astimezone()
    return moment.utcoffset() or timedelta()


def _zone(colon: str) -> _Token:
    def write(when: datetime, _: _Locale) -> str:
        minutes = round(_offset(when).total_seconds() / 60)
        return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}{colon}{abs(minutes) % 60:02}"

    def read(text: str, _: _Locale) -> list[tuple[str, int]]:
        minutes = int(text[1:3]) * 60 + int(text[-2:])
        return [("offset", -minutes if text[0] == "-" else minutes)]

    return _Token(write, lambda _: f"[+-][0-9]{{2}}{colon}[0-9]{{2}}", read)


def _timestamp(unit: int) -> _Token:
    """Units since 1970 in UTC, rounded down."""

    def write(when: datetime, _: _Locale) -> str:
        since = when.replace(tzinfo=UTC) - _offset(when) - datetime(1970, 1, 1, tzinfo=UTC)
        return str(since // timedelta(microseconds=1_000_000 // unit))

    return _Token(write, lambda _: "-?[0-9]{1,15}", lambda text, _: [("micros", int(text) * (1_000_000 // unit))])


def _fraction(size: int) -> _Token:
    """Digits of the second; moment counts thousandths, so all after the third are 0."""

    def write(when: datetime, _: _Locale) -> str:
        return f"{when.microsecond // 1000:03}".ljust(size, "0")[:size]

    return _Token(write, lambda _: f"[0-9]{{{size}}}", lambda text, _: [("micro", int(text.ljust(6, "0")[:6]))])


def _year(width: int, *, sign: bool = False) -> _Token:
    return _Token(
        lambda when, _: ("+" if sign else "") + str(when.year).zfill(width),
        lambda _: ("[+]" if sign else "") + f"[0-9]{{{width}}}",
        lambda text, _: [("year", int(text))],
    )


def _short_year(value: Callable[[datetime, _Locale], int], field: str) -> _Token:
    def read(text: str, _: _Locale) -> list[tuple[str, int]]:
        number = int(text)
        return [(field, number + (1900 if number > 68 else 2000))]

    return _Token(lambda when, speech: f"{value(when, speech) % 100:02}", lambda _: "[0-9]{2}", read)


_HOUR = _number(lambda when, _: when.hour, "hour")
_HOUR_12 = _number(lambda when, _: _hour12(when), "hour12")
_MINUTES = _number(lambda when, _: when.minute, "minute", 2)
_SECONDS = _number(lambda when, _: when.second, "second", 2)
_NONE = _Token(lambda _when, _speech: "", lambda _: "", lambda _text, _speech: [])

_TOKENS: Final[dict[str, _Token]] = {
    "Y": _year(4),
    "YY": _short_year(lambda when, _: when.year, "year"),
    "YYYY": _year(4),
    "YYYYY": _year(5),
    "YYYYYY": _year(6, sign=True),
    "y": _number(_era_year, "era_year", 1, "1,4"),
    "yo": _ordinal(_era_year, "era_year", "y"),
    "yy": _number(_era_year, "era_year", 2, "2,4"),
    "yyy": _number(_era_year, "era_year", 3, "3,4"),
    "yyyy": _number(_era_year, "era_year", 4),
    **dict.fromkeys(("N", "NN", "NNN"), _era_name(lambda era: era.short)),
    "NNNN": _era_name(lambda era: era.name),
    "NNNNN": _era_name(lambda era: era.narrow),
    "Q": _number(lambda when, _: _quarter(when), "quarter", 1, "1"),
    "Qo": _ordinal(lambda when, _: _quarter(when), "quarter", "Q"),
    "M": _number(lambda when, _: when.month, "month"),
    "Mo": _ordinal(lambda when, _: when.month, "month", "M"),
    "MM": _number(lambda when, _: when.month, "month", 2),
    "MMM": _name(lambda when, _: when.month, "month", lambda speech: speech.months_short, 1),
    "MMMM": _name(lambda when, _: when.month, "month", lambda speech: speech.months, 1),
    "D": _number(lambda when, _: when.day, "day"),
    "Do": _ordinal(lambda when, _: when.day, "day", "D"),
    "DD": _number(lambda when, _: when.day, "day", 2),
    "DDD": _number(lambda when, _: _day_of_year(when), "year_day", 1, "1,3"),
    "DDDo": _ordinal(lambda when, _: _day_of_year(when), "year_day", "DDD"),
    "DDDD": _number(lambda when, _: _day_of_year(when), "year_day", 3),
    "d": _number(lambda when, _: _weekday(when), "weekday", 1, "1"),
    "do": _ordinal(lambda when, _: _weekday(when), "weekday", "d"),
    "dd": _name(lambda when, _: _weekday(when), "weekday", lambda speech: speech.weekdays_min, 0),
    "ddd": _name(lambda when, _: _weekday(when), "weekday", lambda speech: speech.weekdays_short, 0),
    "dddd": _name(lambda when, _: _weekday(when), "weekday", lambda speech: speech.weekdays, 0),
    "e": _number(lambda when, speech: (_weekday(when) - speech.week_start) % 7, "locale_weekday", 1, "1"),
    "E": _number(lambda when, _: when.isoweekday(), "iso_weekday", 1, "1"),
    "w": _number(lambda when, speech: _week(when, speech)[1], "week"),
    "wo": _ordinal(lambda when, speech: _week(when, speech)[1], "week", "w"),
    "ww": _number(lambda when, speech: _week(when, speech)[1], "week", 2),
    "gg": _short_year(lambda when, speech: _week(when, speech)[0], "week_year"),
    "gggg": _number(lambda when, speech: _week(when, speech)[0], "week_year", 4),
    "ggggg": _number(lambda when, speech: _week(when, speech)[0], "week_year", 5),
    "W": _number(lambda when, _: when.isocalendar().week, "iso_week"),
    "Wo": _ordinal(lambda when, _: when.isocalendar().week, "iso_week", "W"),
    "WW": _number(lambda when, _: when.isocalendar().week, "iso_week", 2),
    "GG": _short_year(lambda when, _: when.isocalendar().year, "iso_year"),
    "GGGG": _number(lambda when, _: when.isocalendar().year, "iso_year", 4),
    "GGGGG": _number(lambda when, _: when.isocalendar().year, "iso_year", 5),
    "H": _HOUR,
    "HH": _number(lambda when, _: when.hour, "hour", 2),
    "Hmm": _composed(_HOUR, _MINUTES),
    "Hmmss": _composed(_HOUR, _MINUTES, _SECONDS),
    "h": _HOUR_12,
    "hh": _number(lambda when, _: _hour12(when), "hour12", 2),
    "hmm": _composed(_HOUR_12, _MINUTES),
    "hmmss": _composed(_HOUR_12, _MINUTES, _SECONDS),
    "k": _number(lambda when, _: when.hour or 24, "hour24"),
    "kk": _number(lambda when, _: when.hour or 24, "hour24", 2),
    "m": _number(lambda when, _: when.minute, "minute"),
    "mm": _MINUTES,
    "s": _number(lambda when, _: when.second, "second"),
    "ss": _SECONDS,
    **{"S" * size: _fraction(size) for size in range(1, 10)},
    "A": _half(lambda speech: speech.halves),
    "a": _half(lambda speech: speech.halves_lower),
    "Z": _zone(":"),
    "ZZ": _zone(""),
    "z": _NONE,
    "zz": _NONE,
    "X": _timestamp(1),
    "x": _timestamp(1000),
}

# A bracket runs to the last `]` before the next `[`; a backslash takes the meaning from the token behind it.
_PIECE: Final = re.compile(
    r"(\[[^\[]*\])|\\(?:" + (_ANY := "|".join(sorted(_TOKENS, key=len, reverse=True))) + rf"|.)|({_ANY})|.", re.DOTALL
)
_LONG: Final = re.compile(r"\[[^\[]*\]|\\(?:LTS|LT|L{1,4}|l{1,4})|(LTS|LT|L{1,4}|l{1,4})")


class _Form(NamedTuple):
    """A pattern, cut into literal text and tokens."""

    speech: _Locale
    parts: tuple[tuple[str, _Token | None], ...]
    reader: re.Pattern[str]  # one group a token

    def write(self, moment: datetime) -> str:
        return "".join(literal if token is None else token.write(moment, self.speech) for literal, token in self.parts)


@lru_cache(maxsize=64)
def _compiled(pattern: str, language: str) -> _Form:
    speech = _LOCALES[language]
    parts = tuple(_parts(_LONG.sub(lambda match: speech.long[match[1]] if match[1] else match[0], pattern)))
    shape = "".join(re.escape(literal) if token is None else f"({token.shape(speech)})" for literal, token in parts)
    return _Form(speech, parts, re.compile(shape, re.ASCII))


def _parts(pattern: str) -> Iterator[tuple[str, _Token | None]]:
    for match in _PIECE.finditer(pattern):
        bracket, token = match[1], match[2]
        if token:
            yield "", _TOKENS[token]
        else:
            yield (bracket[1:-1] if bracket else match[0].replace("\\", "")), None


# ── fields → moments ─────────────────────────────────────────────────────────────────────────────────────────────────


def _candidates(fields: dict[str, int], speech: _Locale) -> Iterator[datetime]:
    """Moments that the fields may mean, the likeliest first."""
    try:
        zone = timezone(timedelta(minutes=fields["offset"])) if "offset" in fields else None
        clock = time(_hour(fields), fields.get("minute", 0), fields.get("second", 0), fields.get("micro", 0), zone)
    except ValueError:
        return
    if "micros" in fields:
        yield from _timestamped(fields["micros"], zone)
        return
    for ordinal in _days(fields, speech):
        if 1 <= ordinal <= date.max.toordinal():
            yield datetime.combine(date.fromordinal(ordinal), clock)


def _timestamped(micros: int, zone: timezone | None) -> Iterator[datetime]:
    try:
        utc = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=micros)
        yield utc.astimezone(zone) if zone else utc.astimezone().replace(tzinfo=None)
    except (OverflowError, OSError, ValueError):  # the years before 1 and after 9999
        return


def _hour(fields: dict[str, int]) -> int:
    half = fields.get("half", 0)
    if "hour12" in fields:
        return fields["hour12"] % 12 + 12 * half
    hour = fields.get("hour", fields.get("hour24", 12 * half))
    return 0 if hour == 24 and "hour24" in fields else hour


def _days(fields: dict[str, int], speech: _Locale) -> Iterator[int]:
    year = fields.get("year")
    if year is None and "era_year" in fields:
        era = speech.eras[fields.get("era", 0)]
        year = era.since.year + fields["era_year"] - era.first
    if year is not None:
        yield from _days_of_year(fields, year)
    # Whoever writes `YYYY-[W]ww` means the week-year, which at New Year's is not the year.
    for kind, week_year, rule in (("iso_week", "iso_year", _ISO), ("week", "week_year", speech)):
        base = fields.get(week_year, year)
        if base is not None and kind in fields:
            for candidate in (base, base - 1, base + 1):
                start = _week_start(candidate, rule) + 7 * (fields[kind] - 1)
                yield from range(start, start + 7)


def _days_of_year(fields: dict[str, int], year: int) -> Iterator[int]:
    month = fields.get("month")
    if month is None and "quarter" in fields:
        month = 3 * fields["quarter"] - 2
    if month is None and "day" in fields:
        return
    if month is None and ("week" in fields or "iso_week" in fields):
        return
    try:
        first = date(year, month or 1, 1).toordinal()
    except ValueError:
        return
    if "year_day" in fields:
        yield date(year, 1, 1).toordinal() + fields["year_day"] - 1
    else:
        yield first + fields.get("day", 1) - 1
