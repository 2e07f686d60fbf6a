"""From a text to its date phrases: normal form, masks, parts, phrases, roles."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from itertools import accumulate
from typing import NamedTuple

from . import english_calendar, english_relative, japanese_calendar, japanese_relative, numeric
from .atoms import Atom, Line, apply_rules, compiled, longest
from .combine import combine
from .days import add_days, shift
from .mask import Masked, Normal, masked, normal
from .phrases import DEFAULT_POLICY, DatePhrase, DatePolicy, Unplaced
from .prefilter import dated_lines, may_hold_date, may_hold_vague
from .reckon import moved, next_nth
from .roles import Judged, first_action, judge

_RULES = (*numeric.RULES, *english_calendar.RULES, *english_relative.RULES)
_RULES_CJK = (*_RULES, *japanese_calendar.RULES, *japanese_relative.RULES)


class _Read(NamedTuple):
    """A line, read: its phrases, and what looked like a date and was none."""

    normal: Normal
    line: Line
    placed: list[Judged]
    unplaced: list[tuple[int, int, str]]


def find_dates(text: str, *, now: datetime, policy: DatePolicy = DEFAULT_POLICY) -> list[DatePhrase]:
    """Every date phrase of *text*, in order of position, relative ones resolved against *now* (local wall clock).

    Phrases that look like a date but cannot be resolved are not in the list: see `find_unplaced`.
    """
    return [phrase for _, phrases in find_dates_in_lines(text, now=now, policy=policy) for phrase in phrases]


def find_dates_in_lines(text: str, *, now: datetime, policy: DatePolicy = DEFAULT_POLICY) -> Iterator[tuple[int, list[DatePhrase]]]:
    """The lines of *text* (from 0) that hold a date, with their phrases; offsets count from the start of *text*.

    Cheap on prose without dates: only lines that `may_hold_date` lets through are read. Fenced code is passed over.
    """
    lines = None
    for number in dated_lines(text):
        if lines is None:
            lines = _lines(text)
        at, line = lines[number]
        if line:
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
        taken = [(judged.start, judged.end) for judged in read.placed]
        spans = [*read.unplaced, *_vague(read)]
        for start, end, reason in sorted(spans):
            if any(start < stop and begin < end for begin, stop in taken):
                continue
            taken.append((start, end))
            first, last = read.normal.original(start, end)
            found.append(Unplaced(at + first, at + last, text[at + first : at + last], reason))
    return found


def _lines(text: str) -> list[tuple[int, str]]:
    """Each line with its offset; those of fenced code are empty."""
    lines = text.split("\n")
    offsets = [0, *accumulate(len(line) + 1 for line in lines)]
    if "```" in text or "~~~" in text:
        fence = ""
        for number, line in enumerate(lines):
            head = line.lstrip()[:3]
            opens = head in {"```", "~~~"} and fence in {"", head}
            if fence or opens:
                lines[number] = ""
            if opens:
                fence = "" if fence else head
    return list(zip(offsets, lines, strict=False))


def _phrase(text: str, at: int, normal_line: Normal, judged: Judged) -> DatePhrase:
    start, end = normal_line.original(judged.start, judged.end)
    return DatePhrase(
        at + start, at + end, text[at + start : at + end], judged.day, judged.clock, judged.role, judged.confidence, judged.recurrence, judged.reason, judged.warning
    )


def _read(line: str, now: datetime, policy: DatePolicy) -> _Read:
    plain = normal(line)
    hidden: Masked = masked(plain)
    view = Line(hidden.text, hidden.low, now, policy)
    rules = _RULES if view.low.isascii() else _RULES_CJK
    atoms = combine(longest(apply_rules(rules, view)), view)
    unplaced: list[tuple[int, int, str]] = []
    waiting: list[Atom] = []
    placed: list[Judged] = []
    for atom in _in_context(atoms):
        match atom.kind:
            case "bad":
                if atom.need < 2 or re.search(r"(?:by|due|deadline|until|before|on|期限|締切|〆切?)[\s:は]*$", view.low[: atom.start][-16:]) or re.match(r"\s*(?:まで|締|〆|必着)", view.low[atom.end :]):
                    unplaced.append((atom.start, atom.end, "no such date"))
            case "offset":
                if atom.source == "dangling":
                    waiting.append(atom)
                elif atom.source == "short":
                    ahead = moved((atom.start, atom.end), atom.number, atom.unit, view)._replace(need=1, source="short")
                    judged = judge(ahead, view, hidden.quoted) if ahead.kind == "day" else None
                    if judged and judged.role != "none":
                        placed.append(judged)
            case _:
                whole = _whole(atom, view)
                judged = whole and judge(whole, view, hidden.quoted)
                if judged:
                    placed.append(judged)
    for atom in (*waiting, *_just_before(view)):
        _count_from_anchor(atom, view, placed, unplaced)
    return _Read(plain, view, sorted(_apart(placed)), unplaced)


def _apart(placed: Sequence[Judged]) -> Iterator[Judged]:
    """A cue word belongs to one phrase only."""
    last = 0
    for judged in sorted(placed):
        yield judged._replace(start=max(judged.start, last)) if judged.end > last else judged
        last = max(last, judged.end)


def _in_context(atoms: Sequence[Atom]) -> Iterator[Atom]:
    """A bare day of the month after a full date, with no deadline word of its own, belongs to that month: 4月10日、12日."""
    previous: Atom | None = None
    for atom in atoms:
        if atom.kind == "dom" and previous is not None and previous.kind == "day" and previous.source in {"month", "numeric"} and atom.start - previous.end <= 2 and atom.number > previous.first.day:
            day = add_days(previous.first, atom.number - previous.first.day)
            if day is not None and day.month == previous.first.month:
                atom = atom._replace(first=day, last=day, back=None)  # noqa: PLW2901
        yield atom
        previous = atom


def _whole(atom: Atom, line: Line) -> Atom | None:
    """A part that stands alone as a phrase of its own."""
    match atom.kind:
        case "edge":
            return None
        case "clock":
            if atom.source in {"stamp", "beside"} or atom.clock is None:
                return None
            if atom.source == "hour" and atom.clock < line.now.time() and atom.clock.hour < 12:
                atom = atom._replace(clock=atom.clock.replace(hour=atom.clock.hour + 12))
            # Today's, or tomorrow's when it has gone by.
            assert atom.clock is not None
            later = atom.clock >= line.now.time()
            day = line.today if later else add_days(line.today, 1)
            if atom.source == "clockword" and atom.clock.hour == 0:
                return atom._replace(first=line.today, last=line.today, clock=None, unit=atom.unit)
            return None if day is None else atom._replace(first=day, last=day)
        case "nth":
            day = next_nth(atom, line, today_too=True)
            return day and atom._replace(kind="day", first=day, last=day, need=1)
        case _:
            return atom


def _just_before(line: Line) -> Iterator[Atom]:
    """ "review the CV before", その前に, "before the hackathon" where the hackathon has its date: the day before that date."""
    low = line.low
    if "before" in low:
        for found in compiled(r"(?<=[a-z]\s)before(?:hand)?(?=\s*(?:$|[.;!)]))|before\s+(?:the|my|our)\s+(?P<name>[a-z]{4,24})\b").finditer(low):
            name = found["name"]
            known = name is None or low.count(name) > 1
            if known and re.search(r"[a-z]{3}", low[: found.start()]):
                yield Atom(*found.span(), "offset", number=-1, unit="day", source="dangling")
    for found in compiled(r"その前に").finditer(low):
        yield Atom(*found.span(), "offset", number=-1, unit="day", source="dangling")


_FREE = r"\s*(?:$|[,.;:)!、。]|and\b|but\b|so\b|to\b|or\b|に|まで|の|は|[一-龥ァ-ヶ])"


def _count_from_anchor(atom: Atom, line: Line, placed: list[Judged], unplaced: list[tuple[int, int, str]]) -> None:
    """ "rotate a week earlier", 二か月前に: counted from the one other date of the line, when there is one."""
    right = line.low[atom.end : atom.end + 24]
    japanese_text = not line.low[atom.start : atom.end].isascii()
    counted_later = bool(re.search(r"before|after|prior", line.low[atom.start : atom.end][-9:])) and any(judged.start > atom.end and judged.role != "none" for judged in placed)
    if not compiled(_FREE).match(right) and not counted_later and not first_action(right):
        return
    if japanese_text and re.search(r"[たっ](?:$|[。、])|だった|でした", line.low[atom.end : atom.end + 40]) and not re.match(r"\s*まで", right):
        return  # 3年前に引っ越した
    if not japanese_text and re.search(r"\b(?:was|were|had|did|happened|\w+ed)\b", line.low[max(0, atom.start - 40) : atom.start].rsplit(",")[-1]):
        return
    if any(judged.start < atom.end and atom.start < judged.end for judged in placed):
        return
    anchors = {judged.day for judged in placed if judged.role != "none"}
    if len(anchors) != 1:
        if atom.start == atom.end or not re.search(r"[0-9a-z一-龥]", line.low[atom.start : atom.end]) or line.low[atom.start : atom.end].startswith(("before", "その前")):
            return
        unplaced.append((atom.start, atom.end, "no date to count from" if not anchors else "more than one date to count from"))
        return
    day = shift(anchors.pop(), atom.number, atom.unit)
    if day is None:
        unplaced.append((atom.start, atom.end, "no such date"))
        return
    tail = re.match(r"まで(?:に)?|に", right)
    placed.append(Judged(atom.start, atom.end + (tail.end() if tail else 0), day, None, "due", "inferred"))


_VAGUE = (
    (r"(?<!\w)(?:sometime|some time)(?:\s+(?:soon|later|this year|next year))?|(?<!\w)(?:soon(?:ish)?|one of these days|at some point|some ?day|eventually|in the (?:near )?future|in due course|when (?:i|we) have time|later on|before long)(?!\w)", "vague"),
    (r"(?<!\w)(?:tbd|tba|tbc|t\.b\.[ad]\.|date to be (?:announced|confirmed|decided)|no date yet)(?!\w)", "not decided"),
    (r"(?<!\w)(?:by|before|until) then(?!\w)|(?<!\w)(?:the|that) (?:same|next|following|previous) (?:day|week|month)(?!\w)|(?<!\w)(?:beforehand|shortly (?:before|after)|right (?:before|after))(?!\w)", "depends on another date"),
    (r"(?<!\w)in (?:a (?:few|couple of|while|bit)|some|several) (?:years?|months?|weeks?|days?)?(?!\w)|(?<!\w)in a (?:while|bit)(?!\w)", "vague"),
    (r"近いうちに?|近日中?に?|近々|そのうち|いずれ|いつか|後日|追って|追々|おいおい|しばらくしたら|落ち着いたら|時間がある時|早めに|なるべく早く|できるだけ早く|来たる", "vague"),
    (r"未定|日程調整中|日時調整中|調整中|日付未定", "not decided"),
    (r"その(?:前|後|日)(?:に|まで)|それまで(?:に)?|当日(?:に|まで)|その(?:前|翌)(?:日|週|月)|同日", "depends on another date"),
)  # fmt: skip


def _vague(read: _Read) -> Iterator[tuple[int, int, str]]:
    anchored = any(judged.role != "none" for judged in read.placed)
    for pattern, reason in _VAGUE:
        if anchored and reason == "depends on another date":
            continue  # "by then" where then is known
        for found in compiled(pattern).finditer(read.line.low):
            yield *found.span(), reason


def earliest(phrases: Sequence[DatePhrase]) -> date | None:
    """The soonest day among due and track phrases."""
    return min((phrase.date for phrase in phrases if phrase.role != "none"), default=None)
