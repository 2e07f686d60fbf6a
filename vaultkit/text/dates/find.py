"""From a text to its date phrases: normal form, masks, parts, phrases, roles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime, time
from itertools import accumulate
from typing import NamedTuple

from . import english_calendar, english_relative, japanese_calendar, japanese_relative, numeric
from .anchored import Span, begin_recurrences, lean, may_be_bad, vague
from .around import OVER
from .atoms import Atom, Line, RuleBook, apply_rules, compiled, longest
from .combine import combine
from .days import add_days, make_day
from .mask import Normal, masked, normal
from .phrases import DEFAULT_POLICY, DatePhrase, DatePolicy, Unplaced
from .prefilter import dated_lines, holds_japanese, may_hold_date, may_hold_vague
from .reckon import moved, next_nth
from .roles import Judged, judge

_LATIN = RuleBook((*numeric.RULES, *english_calendar.RULES, *english_relative.RULES))
_ALL = RuleBook((*numeric.RULES, *english_calendar.RULES, *english_relative.RULES, *japanese_calendar.RULES, *japanese_relative.RULES))


def find_dates(text: str, *, now: datetime, policy: DatePolicy = DEFAULT_POLICY) -> list[DatePhrase]:
    """Every date phrase of *text*, in order of position, relative ones resolved against *now* (local wall clock)."""
    return [phrase for _, phrases in find_dates_in_lines(text, now=now, policy=policy) for phrase in phrases]


def find_dates_in_lines(text: str, *, now: datetime, policy: DatePolicy = DEFAULT_POLICY) -> Iterator[tuple[int, list[DatePhrase]]]:
    """The lines of *text* (from 0) that hold a date, with their phrases; offsets count from the start of *text*."""
    lines: list[tuple[int, str]] | None = None
    for number in dated_lines(text):
        lines = _lines(text) if lines is None else lines
        at, line = lines[number]
        read = _read(line, now, policy)
        phrases = [_phrase(text, at, read.normal, judged) for judged in read.placed]
        if phrases:
            yield number, phrases


def find_unplaced(text: str, *, now: datetime, policy: DatePolicy = DEFAULT_POLICY) -> list[Unplaced]:
    """Date-looking phrases that `find_dates` does not resolve, for the receipt (e.g. "a week earlier", その前に)."""
    found: list[Unplaced] = []
    for at, line in _lines(text):
        if not line or not (may_hold_date(line) or may_hold_vague(line)):
            continue
        read = _read(line, now, policy)
        dated = any(judged.role != "none" for judged in read.placed)
        stop = 0
        taken = iter(sorted((judged.start, judged.end) for judged in read.placed))
        held = next(taken, None)
        for start, end, reason in sorted((*read.unplaced, *vague(read.line, dated=dated))):
            while held is not None and held[1] <= start:
                held = next(taken, None)
            if start < stop or (held is not None and held[0] < end):
                continue
            stop = end
            first, last = read.normal.original(start, end)
            found.append(Unplaced(at + first, at + last, text[at + first : at + last], reason))
    return found


class _Read(NamedTuple):
    """A line, read: its phrases, and what looked like a date and could not be placed."""

    normal: Normal
    line: Line
    placed: list[Judged]
    unplaced: list[Span]


def _read(line: str, now: datetime, policy: DatePolicy) -> _Read:
    plain = normal(line)
    hidden = masked(plain)
    written = _written(plain.low, now)
    view = Line(hidden.text, hidden.low, written, policy)
    unplaced: list[Span] = []
    waiting: list[Atom] = []
    placed: list[Judged] = []
    rules = _ALL if holds_japanese(view.low) else _LATIN
    for atom in _in_context(combine(longest(apply_rules(rules, view)), view)):
        if atom.kind == "bad":
            if may_be_bad(atom, view):
                unplaced.append((atom.start, atom.end, "no such date"))
        elif atom.kind == "offset" and atom.source == "dangling":
            waiting.append(atom)
        else:
            whole = _whole(atom, view)
            judged = judge(whole, view, hidden.quoted) if whole else None
            if judged:
                placed.append(judged)
    if written is not now:
        placed = [_seen_from(judged, now.date()) for judged in placed]
    leaning, lost = lean(waiting, placed, view)
    placed = begin_recurrences([*placed, *leaning], view)
    return _Read(plain, view, list(_apart(placed)), [*unplaced, *lost])


def _written(low: str, now: datetime) -> datetime:
    """When the line was written: a line of a chat or log that begins with its moment counts from that, if it is over."""
    found = compiled(_STAMP_HEAD).match(low)
    if found is None:
        return now
    day = make_day(int(found["y"]), int(found["m"]), int(found["d"]))
    if day is None or int(found["hh"]) > 23:
        return now
    moment = datetime.combine(day, time(int(found["hh"]), int(found["mm"])))
    return min(now, moment)


_STAMP_HEAD = r"[\s>]*(?:[-*+]\s+)?\[?(?P<y>(?:19|20)\d\d)[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})(?:t|,?\s(?:\(?[月火水木金土日a-z]{1,3}\)?\s)?)(?P<hh>\d{1,2}):(?P<mm>[0-5]\d)(?!\s*(?:-|~|から|まで|に|の|開始|集合))"


def _seen_from(judged: Judged, today: date) -> Judged:
    """A date of an old line as it stands today: what only happened is over, what was to be done is overdue."""
    if judged.day >= today or judged.role == "none":
        return judged
    if judged.role == "track":
        return judged._replace(role="none", reason="past")
    return judged._replace(warning=judged.warning or OVER)


def _lines(text: str) -> list[tuple[int, str]]:
    """Each line with its offset; those of fenced code are empty."""
    lines = text.split("\n")
    offsets = [0, *accumulate(len(line) + 1 for line in lines)]
    if "```" in text or "~~~" in text:
        fence = ""
        for number, line in enumerate(lines):
            head = line.lstrip()[:3]
            turns = head in {"```", "~~~"} and fence in {"", head}
            if fence or turns:
                lines[number] = ""
            if turns:
                fence = "" if fence else head
    return list(zip(offsets, lines, strict=False))


def _phrase(text: str, at: int, plain: Normal, judged: Judged) -> DatePhrase:
    start, end = (at + offset for offset in plain.original(judged.start, judged.end))
    return DatePhrase(
        start,
        end,
        text[start:end],
        judged.day,
        judged.clock,
        judged.role,
        judged.confidence,
        judged.recurrence,
        judged.reason,
        judged.warning,
    )


def _apart(placed: Sequence[Judged]) -> Iterator[Judged]:
    """In order; a cue word between two phrases belongs to the first."""
    last = 0
    for judged in sorted(placed, key=lambda judged: (judged.start, judged.end)):
        yield judged._replace(start=max(judged.start, last)) if judged.end > last else judged
        last = max(last, judged.end)


def _in_context(atoms: Sequence[Atom]) -> Iterator[Atom]:
    """A bare day of the month right behind a full date belongs to that month: 4月10日、12日."""
    previous: Atom | None = None
    for atom in atoms:
        placed = atom
        if atom.kind == "dom" and previous is not None and previous.kind == "day" and previous.source in {"month", "numeric"}:
            later = add_days(previous.first, atom.number - previous.first.day)
            if atom.start - previous.end <= 2 and later is not None and later > previous.first and later.month == previous.first.month:
                placed = atom._replace(first=later, last=later, back=None)
        yield placed
        previous = atom


def _whole(atom: Atom, line: Line) -> Atom | None:
    """A part that stands alone, as a phrase of its own."""
    match atom.kind:
        case "edge":
            return None
        case "offset":
            return (
                moved((atom.start, atom.end), atom.number, atom.unit, line)._replace(need=1, source="short")
                if atom.source == "short"
                else None
            )
        case "clock":
            return _clock_alone(atom, line)
        case "nth":
            day = next_nth(atom, line, today_too=True)
            return atom._replace(kind="day", first=day, last=day, need=1) if day else None
        case _:
            return atom


def _clock_alone(atom: Atom, line: Line) -> Atom | None:
    """A time of day without a day is today's, or tomorrow's when it has gone by; "at 7" may also be this evening."""
    clock, now = atom.clock, line.now.time()
    if clock is None or atom.source in {"stamp", "beside"}:
        return None
    if atom.source == "clockword" and clock.hour == 0:
        return atom._replace(first=line.today, last=line.today, clock=None)
    if atom.source == "hour" and clock < now and clock.hour < 12:
        clock = clock.replace(hour=clock.hour + 12)
    day = add_days(line.today, 1 if atom.number or clock < now else 0)
    return atom._replace(first=day, last=day, clock=clock) if day else None
