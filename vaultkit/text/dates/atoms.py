"""The parts that a date phrase is made of, before they are combined, and the rules that see them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime, time
from functools import cache
from typing import Literal, NamedTuple

from .phrases import DatePolicy

Kind = Literal[
    "day",  # one day, known
    "span",  # a period from first to last
    "range",  # two days that were written out
    "weekday",  # a bare weekday
    "dom",  # a bare day of the month
    "nth",  # "the second Thursday", "the last working day", "the third week": waits for its month
    "edge",  # "end of", "mid": waits for its period
    "clock",  # a time of day
    "offset",  # a length of time: waits for what it is counted from
    "every",  # "every month": waits for its day, or stands alone
    "allday",  # EOD, COB: today, or the end of the day that stands beside it
    "bad",  # looks like a date and is none
]
# What must stand beside a phrase before it counts: nothing, a preposition or the like, a deadline word.
Need = Literal[0, 1, 2]


class Atom(NamedTuple):
    """A part of a date phrase; `start` and `end` are offsets in the normal text of its line."""

    start: int
    end: int
    kind: Kind
    first: date = date.min
    last: date = date.min
    back: date | None = None  # the day that the same words mean when they look back
    clock: time | None = None
    number: int = 0
    unit: str = ""
    need: Need = 0
    past: bool = False  # the words themselves look back: last Friday, 昨日
    dated: bool = False  # the year is written
    loose: bool = False
    recurrence: str = ""
    warning: str = ""
    source: str = ""  # what wrote it: numeric, month, relative, holiday …
    lead: int = -1  # where a clock time begins that stands before the cue word: "17:00 by Friday"


class Line(NamedTuple):
    """One line as the grammar reads it: NFKC with masked spans, its lower case of the same length, and the clock."""

    text: str
    low: str
    now: datetime
    policy: DatePolicy

    @property
    def today(self) -> date:
        """The day that relative words are counted from."""
        return self.now.date()


Handler = Callable[["re.Match[str]", Line], "Atom | Iterable[Atom] | None"]


def words(text: str) -> frozenset[str]:
    """A set of words written as one string."""
    return frozenset(text.split())


ANYTHING: frozenset[str] = frozenset()
NEVER = frozenset({""})  # no line holds the empty word


class Rule(NamedTuple):
    """A pattern over the lower-case line and what it means.

    It is tried in lines that hold one of *words* (see `words_of`), and one of *also* or of *signs*; what is empty asks nothing.
    What it finds comes to a date by itself only when one of *alone* is there too; a rule that only helps others has NEVER.
    """

    words: frozenset[str]
    pattern: str
    handler: Handler
    also: frozenset[str] = ANYTHING
    signs: tuple[str, ...] = ()
    alone: frozenset[str] = ANYTHING

    def may_match(self, low: str, present: frozenset[str]) -> bool:
        """Whether the pattern is worth trying."""
        if self.words and self.words.isdisjoint(present):
            return False
        if not self.also.isdisjoint(present):
            return True
        return any(sign in low for sign in self.signs) if self.signs else not self.also


class RuleBook:
    """Rules with an index: which of them a line calls for is found by its words and signs, not by asking each."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._rules = tuple(rules)
        self._by_word: dict[str, list[int]] = {}
        self._by_sign: dict[str, list[tuple[str, int]]] = {}  # by the first letter of the sign
        for at, rule in enumerate(self._rules):
            for word in rule.words:
                self._by_word.setdefault(word, []).append(at)
            for sign in rule.signs if not rule.words else ():
                self._by_sign.setdefault(sign[0], []).append((sign, at))

    def called_for(self, low: str) -> list[Rule]:
        """The rules that a lower-case line calls for, in their order."""
        present = words_of(low)
        called = {at for word in present & self._by_word.keys() for at in self._by_word[word] if self._rules[at].may_match(low, present)}
        for letter in set(low) & self._by_sign.keys():
            called.update(at for sign, at in self._by_sign[letter] if sign in low)
        return [self._rules[at] for at in sorted(called)]

    def comes_to_a_date(self, low: str) -> bool:
        """Whether one of the rules for Latin letters may find a date in the line without the help of others."""
        present = words_of(low)
        mixed = not low.isascii()  # then the help may be Japanese
        return any(
            rule.may_match(low, present) and (mixed or not rule.alone or not rule.alone.isdisjoint(present))
            for word in present & self._by_word.keys()
            for rule in map(self._rules.__getitem__, self._by_word[word])
        )


# What a line holds besides its words: figures (0 stands for each of them) beside a sign.
_ZEROS = str.maketrans("123456789", "000000000")
_SHAPES = (
    ("0/0", ("0/0",)),
    ("0-0", ("0-0",)),
    ("0-0-0", ("0-0-0", "0-00-0")),
    ("0.0", ("0.0",)),
    ("0.0.", ("0.0.", "0.00.")),
    ("0:00", ("0:00",)),
    ("0am", ("0am", "0 am", "0pm", "0 pm", "0a.", "0 a.", "0p.", "0 p.")),
    ("0h", ("0h", "0 h")),
    ("q0", ("q0", "h0", "0q", "0h")),
    ("at0", ("at 0", "at0", "@0", "@ 0", "past 0")),
    ("+0", ("+0",)),
    ("2000", ("0000",)),
    ("20000000", ("00000000",)),
)


def words_of(low: str) -> frozenset[str]:
    """The Latin words of a lower-case line, and the shapes that its figures have."""
    present = set(compiled(r"[a-z]+").findall(low))
    zeros = low.translate(_ZEROS)
    if "0" in zeros:
        present.add("0")
        present.update(name for name, shapes in _SHAPES if any(shape in zeros for shape in shapes))
    return frozenset(present)


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """The pattern, compiled when it is first used: importing this package costs nothing.

    The borders of words are those of Latin script, for Japanese may stand right beside.
    """
    return re.compile(pattern, re.ASCII)


def apply_rules(rules: RuleBook, line: Line) -> Iterator[Atom]:
    """Every part that some rule sees in the line, overlapping ones too."""
    for rule in rules.called_for(line.low):
        for found in compiled(rule.pattern).finditer(line.low):
            match rule.handler(found, line):
                case None:
                    pass
                case Atom() as atom:
                    yield atom
                case atoms:
                    yield from atoms


def longest(atoms: Iterable[Atom]) -> list[Atom]:
    """Parts that do not overlap, the longest winning, in order of position; among equals the rule named first."""
    chosen: list[Atom] = []
    taken = bytearray()
    for atom in sorted(atoms, key=lambda atom: atom.start - atom.end):
        if len(taken) < atom.end:
            taken.extend(bytes(max(atom.end, 2 * len(taken)) - len(taken)))
        if not any(taken[atom.start : atom.end]):
            taken[atom.start : atom.end] = b"\x01" * (atom.end - atom.start)
            chosen.append(atom)
    chosen.sort(key=lambda atom: atom.start)
    return chosen


def part(found: re.Match[str], name: str) -> str:
    """What a named group caught, "" when it caught nothing or the pattern has no such group."""
    return (found.groupdict().get(name) or "") if name in found.re.groupindex else ""
