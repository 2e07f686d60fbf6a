"""The vocabulary of English dates: pieces of patterns, and what their words count."""

from __future__ import annotations

import re
from collections.abc import Mapping

from .atoms import words

WEEKDAY_NAMES = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
MONTH_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")

# -- pieces of patterns over lower-case text

# Word borders of Latin script: Japanese may stand right beside. P lets an apostrophe follow.
B, E, P = r"(?<![a-z0-9_'\u00c0-\u024f])", r"(?![a-z0-9_'\u00c0-\u024f])", r"(?![a-z0-9_\u00c0-\u024f])"
WEEKDAY = r"(?:mon|tues?|wed(?:s|nes)?|thu(?:rs?)?|fri|satur|sat|sun)(?:day)?"
FULL_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
MONTH = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
DAY = r"(?:3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?"
YEAR = r"(?:(?:19|20)\d\d(?!\d|[:.]\d|\s?[ap]m)|'\d\d(?!\d))"
DAY_PART = r"(?:\s+(?:early\s+)?(?:morning|afternoon|evening|night|lunch ?time))"
NTH = r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|final|\d{1,2}(?:st|nd|rd|th))"
COUNT = (
    r"(?:\d{1,9}|(?:an?\s+)?(?:couple|few)(?:\s+of)?(?:\s+more)?|half(?:\s+an?)?|another(?:\s+(?:two|three|four|\d{1,3}))?|several|an?|"
    r"one|two|three|four(?:teen)?|five|six(?:ty)?|seven|eight|nine(?:ty)?|ten|eleven|twelve|thirteen|fifteen|twenty|thirty|forty)"
)
UNIT = (
    r"(?:(?:(?:business|working|work|calendar|school|bank|full|more)[ -]){0,2}"
    r"(?:minutes?|mins?|hours?|hrs?|days?|weeks?|wks?|fortnights?|months?|mos?|quarters?|years?|yrs?)|workdays?|weekdays?|bds?)"
)
SHORT_UNIT = r"(?:h|hrs?|d|w|wks?|mos?|mths?|y|yrs?|min)"
LENGTH = rf"(?:(?P<n>{COUNT})(?:\s*(?:-|to|or)\s*(?P<n2>{COUNT}))?\s+(?P<unit>{UNIT})|(?P<n3>\d{{1,9}})\s?(?P<unit2>{SHORT_UNIT}))(?:'s?|s')?(?![a-z0-9_'])"

# -- words by which a line shows that it may hold such a piece

WEEKDAY_WORDS = words(
    "mon monday mondays tue tues tuesday tuesdays wed weds wednesday wednesdays thu thur thurs thursday thursdays fri friday fridays "
    "sat saturday saturdays sun sunday sundays"
)
PLURAL_WEEKDAYS = frozenset(word for word in WEEKDAY_WORDS if word.endswith("days"))
MONTH_WORDS = words(
    "jan january feb february mar march apr april may jun june jul july aug august sep sept september oct october nov november dec december"
)
UNIT_WORDS = words(
    "minute minutes min mins hour hours hr hrs h day days d week weeks wk wks w fortnight fortnights month months mo mos mth mths "
    "quarter quarters year years yr yrs y workday workdays weekday weekdays bd bds"
)

# -- what words count

_CARDINALS: Mapping[str, float] = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "sixty": 60, "ninety": 90,
    "couple": 2, "few": 3, "several": 3, "half": 0.5, "another": 1, "other": 2,
}  # fmt: skip
_UNITS_OF_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_ORDINALS: Mapping[str, int] = {
    **{word: at for at, word in enumerate(_UNITS_OF_ORDINALS, 1)},
    "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16, "seventeenth": 17, "eighteenth": 18,
    "nineteenth": 19, "twentieth": 20, "thirtieth": 30, "last": -1, "final": -1,
    **{f"twenty{dash}{word}": 20 + at for dash in "- " for at, word in enumerate(_UNITS_OF_ORDINALS, 1)},
    "thirty-first": 31, "thirty first": 31,
}  # fmt: skip
_SMALLER = {
    "year": ("month", 12),
    "quarter": ("day", 91),
    "month": ("day", 30),
    "week": ("day", 7),
    "day": ("hour", 24),
    "hour": ("minute", 60),
}
_UNIT_NAMES = {
    "min": "minute", "h": "hour", "hou": "hour", "hr": "hour", "hrs": "hour", "d": "day", "day": "day", "w": "week", "wee": "week", "wk": "week",
    "wks": "week", "for": "fortnight", "mo": "month", "mon": "month", "mos": "month", "mth": "month", "qua": "quarter", "y": "year", "yea": "year",
    "yr": "year", "yrs": "year",
}  # fmt: skip


def weekday_number(word: str) -> int:
    """Monday is 0."""
    return WEEKDAY_NAMES.index(word[:3])


def month_number(word: str) -> int:
    """January is 1."""
    return MONTH_NAMES.index(word[:3]) + 1


def year_number(word: str) -> int:
    """2026 and '26."""
    return 2000 + int(word[1:]) if word[0] == "'" else int(word)


def cardinal(word: str) -> float:
    """As in "3", "a couple of", "another two", "half an"."""
    parts = word.split()
    if parts[0] == "another" and len(parts) > 1:
        return cardinal(parts[1])
    if parts[0].isdigit():
        return int(parts[0])
    return next((_CARDINALS[part] for part in parts if part in _CARDINALS and part not in {"a", "an"}), 1)


def ordinal_number(word: str) -> int:
    """As in "3rd", "third"; "last" is -1."""
    return int(re.sub(r"\D", "", word)) if word[0].isdigit() else _ORDINALS[word]


def interval(word: str | None) -> int:
    """How often "every", "every other", "every third" mean."""
    if not word:
        return 1
    first = word.split()[0]
    return max(1, int(_CARDINALS.get(first) or ordinal_number(first)))


def length_of(number: str, unit: str) -> tuple[int, str]:
    """As in "two", "business days" as 2, "workday"; halves become the next smaller unit."""
    count, name = cardinal(number), unit_name(unit)
    if name == "fortnight":
        count, name = count * 2, "week"
    if count != int(count) and name in _SMALLER:
        name, factor = _SMALLER[name]
        count *= factor
    return round(count), name


def unit_name(unit: str) -> str:
    """The unit in the singular: "business days" is "workday", "wks" is "week"."""
    if re.match(r"(?:business|working|work|school|bank)[ -]day|workday|weekday|bd", unit):
        return "workday"
    word = re.split(r"[ -]", unit)[-1]
    return _UNIT_NAMES.get(word) or _UNIT_NAMES[word[:3]]


def nth_unit(what: str) -> str:
    """The unit of an ordinal: the number of a weekday, "workday", "day", "week", "weekend"."""
    if re.fullmatch(WEEKDAY, what):
        return str(weekday_number(what))
    if re.match(r"(?:business|working|work)[ -]?day|workday|weekday", what):
        return "workday"
    return what
