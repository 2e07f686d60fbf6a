"""What the date grammar answers with, and the choices that a person can make otherwise."""

from __future__ import annotations

from datetime import date, time
from typing import Final, Literal, NamedTuple

Role = Literal["due", "track", "none"]
Confidence = Literal["explicit", "inferred", "loose"]
POINTING: Final = "pointing"  # such a phrase counts only where something is to be done: 事前に確認する


class DatePhrase(NamedTuple):
    """One date found in prose: `text[start:end]` is the phrase, with its own cue word ("by Friday", 金曜までに)."""

    start: int
    end: int
    phrase: str
    date: date
    time: time | None
    role: Role  # due: something to do by then; track: an event, expiry, renewal, waiting-for; none: not a deadline
    confidence: Confidence
    recurrence: str = ""  # Tasks English, e.g. "every month on the 1st"; "" when it happens once
    # For role none: past, metadata, log, done, quoted, habit, modifier, idiom, cancelled, "no date to count from", "no cue";
    # for due: "field" when the date stands in task syntax already, POINTING when words like "by then" only point at another date.
    reason: str = ""
    warning: str = ""  # e.g. the weekday disagrees with the date


class DatePolicy(NamedTuple):
    """The choices that a person can make otherwise.

    What is fixed: a bare weekday is the next one strictly after today; "next X" and 来週X belong to the next Monday-start
    week; before and より前 mean the day before, by, まで and 以前 include the day; a period is its last day; 上旬, 中旬 and
    下旬 are the 10th, the 20th and the last; EOD has no clock time; no year means the next future one unless the wording is
    overdue; of a range a deadline takes the end and an event the start; a weekday that disagrees with its date is warned about.
    """

    day_first: bool = False  # 3/4 is 4 March
    week_ends: int = 4  # Monday is 0: a work week ends on Friday
    fiscal_year_end: tuple[int, int] = (3, 31)


class Unplaced(NamedTuple):
    """A phrase that looks like a date and could not be understood."""

    start: int
    end: int
    phrase: str
    reason: str


DEFAULT_POLICY = DatePolicy()
