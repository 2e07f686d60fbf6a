"""Date arithmetic inside a capture: "a week earlier", "by then", その前日に count from the date that stands before them. Pure.

The grammar of `text/dates` sees one phrase at a time, so these are left to whoever knows the clause before.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final, NamedTuple

from vaultkit.text.dates import DatePhrase


class Anchored(NamedTuple):
    """`text[start:end]` is the phrase."""

    start: int
    end: int
    phrase: str
    date: date


def anchored(text: str, earlier: Sequence[DatePhrase], *, cjk: bool) -> Anchored | None:
    """The date that a relative phrase in *text* means, counted from the last date of *earlier* that has a role."""
    anchor = next((phrase.date for phrase in reversed(earlier) if phrase.role != "none"), None)
    if anchor is None:
        return None
    for pattern in _JAPANESE if cjk else _ENGLISH:
        match = pattern.search(text)
        if match is None:
            continue
        found = _counted(anchor, match)
        if found is not None:
            return Anchored(match.start(), match.end(), match[0].strip(), found)
    return None


def _counted(anchor: date, match: re.Match[str]) -> date | None:
    groups = match.groupdict()
    number = _number(groups.get("number") or "1")
    unit = groups.get("unit") or ""
    sign = 1 if groups.get("later") else -1
    if groups.get("same"):
        return anchor
    if number is None or number > 400:
        return None
    try:
        return _moved(anchor, sign * number, unit)
    except (OverflowError, ValueError):
        return None


def _moved(anchor: date, number: int, unit: str) -> date:
    if unit.startswith(("month", "か", "ヶ", "カ", "ヵ", "ケ", "箇")):
        months = anchor.year * 12 + anchor.month - 1 + number
        year, month = divmod(months, 12)
        # The end of a month stays the end of a month: two months before 31 May is 31 March, one month before 31 March is 28 February.
        return date(year, month + 1, min(anchor.day, calendar.monthrange(year, month + 1)[1]))
    if unit.startswith(("week", "週")):
        return anchor + timedelta(weeks=number)
    if unit.startswith(("business", "working", "weekday", "営業")):
        step = 1 if number > 0 else -1
        moved = anchor
        while number:
            moved += timedelta(days=step)
            number -= step if moved.weekday() < 5 else 0
        return moved
    return anchor + timedelta(days=number)


def _number(text: str) -> int | None:
    if text.isdecimal():
        return int(text)
    return _NUMBERS.get(text.lower())


_NUMBERS: Final = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12,
    "a couple of": 2, "couple of": 2, "一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10, "半": 0,
}  # fmt: skip
_COUNT: Final = r"(?P<number>\d{1,3}|a couple of|couple of|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve)"
_UNIT: Final = r"(?P<unit>business day|working day|weekday|day|week|month)s?"
_ENGLISH: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:at least )?{_COUNT}[ -]{_UNIT}'? (?:earlier|before(?:hand)?|ahead|prior|in advance|early)(?: (?:of )?(?:that|then|it|the date))?\b",
        rf"\b{_COUNT}[ -]{_UNIT} (?P<later>later|after(?:wards?)?|afterwards?)(?: that)?\b",
        r"\bthe (?P<unit>day|week|month) before(?: (?:that|then))?\b",
        r"\bthe (?:night|evening) before\b",
        r"\bthe (?P<unit>day|week|month) (?P<later>after)(?: (?:that|then))?\b",
        r"\b(?P<same>by (?:then|that (?:date|day|time)))\b",
        r"\bbefore (?:then|that|it)\b",
        r"\bbeforehand\b",
        r"\bbefore\s*$",
    )
)
_DIGITS: Final = r"(?P<number>\d{1,3}|[一二三四五六七八九十])"
_JAPANESE: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?:その|この|期限の)?{_DIGITS}\s*(?P<unit>営業日|日|週間|週|[かヶカヵケ箇]月)前(?:まで)?(?:には?|から)?",
        rf"その{_DIGITS}\s*(?P<unit>営業日|日|週間|週|[かヶカヵケ箇]月)(?P<later>後)(?:には?)?",
        r"(?:その)?前日(?:まで)?(?:には?)?",
        r"(?:その)?(?P<later>翌日)(?:まで)?(?:には?)?",
        r"(?:その)?前の?(?P<unit>週)(?:まで)?(?:には?)?",
        r"(?P<same>それまで(?:には?)?|当日(?:まで)?(?:には?)?|事前に|前もって|その日(?:まで)?に)",
        r"その前(?:まで)?(?:には?)?",
    )
)
