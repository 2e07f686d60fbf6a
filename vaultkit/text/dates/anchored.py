"""Phrases that lean on another date of their line: "rotate a week earlier", 二か月前に, "daily from Monday"."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from datetime import date

from .atoms import Atom, Line, compiled
from .days import add_days, shift
from .phrases import POINTING, Confidence
from .roles import Judged, first_action

Span = tuple[int, int, str]  # start, end and why it could not be placed


def lean(waiting: Sequence[Atom], placed: Sequence[Judged], line: Line) -> tuple[list[Judged], list[Span]]:
    """The *waiting* lengths and words like "by then", counted from the date of the line that they mean; else why not."""
    anchors = sorted((judged for judged in placed if judged.role != "none" and not judged.recurrence), key=lambda judged: judged.start)
    taken = sorted((judged.start, judged.end) for judged in placed)
    last_placed = max((judged.start for judged in placed if judged.role != "none"), default=-1)
    found: list[Judged] = []
    lost: list[Span] = []
    near = sorted((other.start, other.end) for other in waiting)
    leaning = [*waiting, *(atom for atom in _pointing(line) if not _overlaps(atom, near))]
    for atom in leaning:
        if _overlaps(atom, taken) or not _leans(atom, line, last_placed):
            continue
        anchor = _meant(atom, anchors)
        day = shift(anchor.day, atom.number, atom.unit) if anchor is not None else None
        if anchor is not None and day is not None:
            tail = compiled(r"まで(?:には?)?|には?").match(line.low[atom.end : atom.end + 4])
            sure: Confidence = "inferred" if len({judged.day for judged in anchors}) == 1 else "loose"
            reason = "" if atom.source == "dangling" else POINTING
            found.append(Judged(atom.start, atom.end + (tail.end() if tail else 0), day, None, "due", sure, reason))
        elif atom.source == "dangling":
            reason = "no such date" if anchor is not None else "more than one date to count from" if anchors else "no date to count from"
            lost.append((atom.start, atom.end, reason))
    return found, lost


def _meant(atom: Atom, anchors: Sequence[Judged]) -> Judged | None:
    """The date that a leaning phrase is counted from: the only one of its line, else the last one that stands before it."""
    if len({judged.day for judged in anchors}) == 1:
        return anchors[0]
    at = bisect_right(anchors, atom.start, key=lambda judged: judged.start)
    return anchors[at - 1] if at else None


def _overlaps(atom: Atom, taken: Sequence[tuple[int, int]]) -> bool:
    at = bisect_right(taken, (atom.start, atom.end))
    return any(start < atom.end and atom.start < end for start, end in taken[max(0, at - 1) : at + 1])


def _leans(atom: Atom, line: Line, last_placed: int) -> bool:
    """Whether the length tells when to do something, and not how long something took or how long ago it was."""
    low = line.low
    right, left = low[atom.end : atom.end + 40], low[max(0, atom.start - 40) : atom.start]
    spelled = low[atom.start : atom.end]
    before_a_date = last_placed > atom.end and compiled(r"(?:before|after|prior to|ahead of)$").search(spelled)
    if not (compiled(_FREE).match(right) or before_a_date or first_action(right)):
        return False
    if spelled.isascii():
        return not compiled(r"\b(?:was|were|had|did|happened|\w+ed)\b").search(left.rsplit(",")[-1])
    return bool(compiled(r"\s*まで").match(right)) or not compiled(r"[たっ](?:$|[。、])|だった|でした").search(right)  # 3年前に引っ越した


_FREE = r"\s*(?:$|[,.;:)!、。]|and\b|but\b|so\b|to\b|or\b|に|まで|の|は|[一-龥ァ-ヶ])"
_BEFORE_EVENT = r"(?<=\s)before\s+(?:the|my|our)\s+(?P<name>[a-z]{4,24})\b"
# Words that point at the date before them, and how many days they are away from it.
_POINTING = (
    (
        r"(?<![\w-])by (?:then|that (?:date|day|time))(?!\w)|それまで(?:には?)?|当日(?:まで(?:には?)?|に)|事前に|前もって|その日(?:までに|に)",
        0,
    ),
    (
        r"(?<![\w-])before (?:then|that|it)(?=\s*(?:$|[.,;!)]))|(?<=[a-z]\s)before(?:hand)?(?=\s*(?:$|[.;!)]))|(?<![\w-])beforehand(?!\w)",
        -1,
    ),
    (
        r"(?<![\w-])the (?:night|evening) before(?!\w)|その前(?:に|まで)|(?<!その)(?<!\d)前日(?:まで(?:には?)?|に|の(?:夜|夕方|うち)(?:まで)?に)",
        -1,
    ),
    (_BEFORE_EVENT, -1),
)
_MAY_POINT = ("before", "by th", "その", "それまで", "当日", "事前", "前もって", "前日")


def _pointing(line: Line) -> Iterator[Atom]:
    """As in "review the CV before", その前に, "before the hackathon" where the hackathon has its date."""
    if not any(sign in line.low for sign in _MAY_POINT):
        return
    for pattern, days in _POINTING:
        for found in compiled(pattern).finditer(line.low):
            name = found.groupdict().get("name")
            if name is None or name in line.low[max(0, found.start() - 400) : found.start()]:
                yield Atom(*found.span(), "offset", number=days, unit="day", source="before")


def begin_recurrences(placed: Sequence[Judged], line: Line) -> list[Judged]:
    """As in "every Friday starting March 20": the first time is counted from the day that is named, and the two are one."""
    recurring = [judged for judged in placed if judged.recurrence and judged.role != "none"]
    starts = [judged for judged in placed if not judged.recurrence and judged.role != "none" and _starts(judged, line)]
    if len(recurring) != 1 or len(starts) != 1:
        return list(placed)
    first = _first_from(recurring[0], starts[0].day)
    return [judged._replace(day=first) if judged is recurring[0] else judged for judged in placed if judged is not starts[0]]


def _starts(judged: Judged, line: Line) -> bool:
    left = line.low[max(0, judged.start - 24) : judged.end]
    return bool(
        compiled(r"(?:starting|beginning|from|as of|effective)\s[^,.;]*$").search(left)
        or compiled(r"\s*から").match(line.low[judged.end : judged.end + 6])
    )


def _first_from(recurring: Judged, start: date) -> date:
    if " on " in recurring.recurrence and "week" in recurring.recurrence:
        return add_days(start, (recurring.day.weekday() - start.weekday()) % 7) or start
    if "day" in recurring.recurrence:
        return start
    return max(start, recurring.day)


_SOMETIME = (
    r"(?<!\w)(?:sometime|some time)(?:\s+(?:soon|later|this year|next year))?|(?<!\w)(?:soon(?:ish)?|one of these days|at some point|some ?day|eventually|"
    r"in the (?:near )?future|in due course|when (?:i|we) have time|later on|before long)(?!\w)|"
    r"(?<!\w)in (?:some|several) (?:years|months|weeks|days)(?!\w)|(?<!\w)in a (?:while|bit)(?!\w)|"
    r"近いうちに?|近日中?に?|近々|そのうち|いずれ|いつか|後日|追って|追々|おいおい|しばらくしたら|落ち着いたら|時間がある時|連休(?:前|明け|中)に?|早めに|なるべく早く|できるだけ早く|来たる"
)
_UNDECIDED = r"(?<!\w)(?:tbd|tba|tbc|t\.b\.[ad]\.|date to be (?:announced|confirmed|decided)|no date yet)(?!\w)|未定|日程調整中|日時調整中|調整中|日付未定"
_LEANING = (
    r"(?<!\w)(?:by|before|until) then(?!\w)|(?<!\w)(?:the|that) (?:same|next|following|previous) (?:day|week|month)(?!\w)|"
    r"(?<!\w)(?:beforehand|shortly (?:before|after)|right (?:before|after))(?!\w)|"
    r"その(?:前|後|日)(?:に|まで)|それまで(?:に)?|当日(?:に|まで)|その(?:前|翌)(?:日|週|月)|同日"
)
_VAGUE = ((_SOMETIME, "vague"), (_UNDECIDED, "not decided"), (_LEANING, "depends on another date"))


def vague(line: Line, *, dated: bool) -> Iterator[Span]:
    """Words for a time that name no day, in lines where nothing else does."""
    for pattern, reason in _VAGUE:
        if dated and reason != "not decided":
            continue
        for found in compiled(pattern).finditer(line.low):
            yield *found.span(), reason


def may_be_bad(atom: Atom, line: Line) -> bool:
    """Whether what is no date was meant as one: spelled out, or with a deadline word beside it."""
    if atom.need < 2:
        return True
    left, right = line.low[max(0, atom.start - 16) : atom.start], line.low[atom.end : atom.end + 8]
    return bool(
        re.search(r"(?:by|due|deadline|until|before|on|期限|締切|〆切?)[\s:は]*$", left) or re.match(r"\s*(?:まで|締|〆|必着)", right)
    )
