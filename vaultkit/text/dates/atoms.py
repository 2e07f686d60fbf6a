"""The parts that a date phrase is made of, before they are combined."""

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


class Rule(NamedTuple):
    """A pattern over the lower-case line and what it means; tried only when one of *words* is in the line."""

    words: tuple[str, ...]
    pattern: str
    handler: Handler


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """The pattern, compiled when it is first used: importing this package costs nothing."""
    return re.compile(pattern, re.ASCII)  # the borders of words are those of Latin script: Japanese may stand right beside


def apply_rules(rules: Iterable[Rule], line: Line) -> Iterator[Atom]:
    """Every part that some rule sees in the line, overlapping ones too."""
    low = line.low
    for rule in rules:
        if not any(word in low for word in rule.words):
            continue
        for found in compiled(rule.pattern).finditer(low):
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
    return sorted(chosen)


def day_atom(found: re.Match[str], day: date | None, **more: object) -> Atom | None:
    """A day, when it exists."""
    if day is None:
        return Atom(found.start(), found.end(), "bad", source=str(more.get("source", "")))
    return Atom(found.start(), found.end(), "day", day, day)._replace(**more)
