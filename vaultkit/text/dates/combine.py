"""Parts that stand beside each other become one phrase: a table of which parts join across which gap."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from . import days
from .atoms import Atom, Kind, Line, Need, compiled
from .reckon import FULL_WEEKDAYS, edge_of, next_nth, nth_of, ordinal

_Joiner = Callable[[Atom, Atom, Line], Atom | None]


class _Join(NamedTuple):
    """*left* and *right* kinds join when the text between them is wholly *gap*."""

    left: tuple[Kind, ...]
    gap: str
    right: tuple[Kind, ...]
    how: _Joiner


def combine(atoms: Sequence[Atom], line: Line) -> list[Atom]:
    """The phrases of a line, each from the parts that belong together."""
    found = list(atoms)
    for joins in _STEPS:
        if len(found) < 2:
            break
        found = _reduce(found, joins, line)
    return found


def _reduce(atoms: list[Atom], joins: Sequence[_Join], line: Line) -> list[Atom]:
    stack: list[Atom] = []
    for atom in atoms:
        joined: Atom | None = atom
        while joined is not None:
            top = joined
            joined = _joined(stack[-1], top, joins, line) if stack else None
            if joined is not None:
                stack.pop()
        stack.append(top)
    return stack


def _joined(left: Atom, right: Atom, joins: Sequence[_Join], line: Line) -> Atom | None:
    if not 0 <= right.start - left.end <= _FARTHEST:
        return None
    gap = line.low[left.end : right.start]
    for join in joins:
        if left.kind in join.left and right.kind in join.right and compiled(join.gap).fullmatch(gap):
            answer = join.how(left, right, line)
            if answer is not None:
                return answer
    return None


_FARTHEST = 28  # no gap of the table is longer


def _around(left: Atom, right: Atom, line: Line) -> tuple[int, int]:
    end = right.end
    if line.low[left.end : right.start].rstrip().endswith("(") and line.low[end : end + 1] == ")":
        end += 1
    return left.start, end


# -- a weekday and its date


def _weekday_and_day(left: Atom, right: Atom, line: Line) -> Atom | None:
    weekday, day = (left, right) if left.source in {"weekday", "paren"} else (right, left)
    if (
        day.source not in {"numeric", "month", "iso", "relative", "today", "holiday"}
        or weekday.source not in {"weekday", "paren"}
        or weekday.past
        or day.recurrence
        or day.need == 2
    ):
        return None
    start, end = _around(left, right, line)
    number = weekday.number if weekday.kind == "weekday" else weekday.first.weekday()
    if day.first.weekday() == number:
        return day._replace(start=start, end=end, need=0)
    if day.source in {"relative", "today", "holiday"} or (weekday.kind == "day" and day.source != "month"):
        return None
    gap = line.low[left.end : right.start]
    spelled_out = left is weekday and (day.source == "month" or day.dated) and "、" not in gap  # "Friday, March 6"
    if (("," in gap or "、" in gap) and not spelled_out) or (
        right is weekday and weekday.source != "paren" and not gap.strip() and day.source != "month"
    ):
        return None  # "3/20, Friday" may be two dates
    if day.back is not None and day.back.weekday() == number and (line.today - day.back).days < 32:
        return day._replace(start=start, end=end, first=day.back, last=day.back, past=True, need=0)  # the weekday says which year is meant
    return day._replace(start=start, end=end, need=0, warning=_mismatch(day.first, number))


def _mismatch(day: date, number: int) -> str:
    return f"{day.isoformat()} is a {FULL_WEEKDAYS[day.weekday()]}, not a {FULL_WEEKDAYS[number]}"


def _named_day(left: Atom, right: Atom, line: Line) -> Atom | None:
    """A holiday beside its date ("Halloween, Oct 31") is one day, the one in figures."""
    day, holiday = (right, left) if left.source == "holiday" else (left, right)
    if holiday.source != "holiday" or day.source not in {"numeric", "month", "iso"} or day.need == 2:
        return None
    start, end = _around(left, right, line)
    return day._replace(start=start, end=end, need=0)


def _weekday_and_dom(left: Atom, right: Atom, line: Line) -> Atom | None:
    weekday, dom = (left, right) if left.kind == "weekday" else (right, left)
    start, end = _around(left, right, line)
    chosen = dom.first
    for months in range(3):  # a day of the month that falls on that weekday soon is what was meant
        base = days.add_months(line.today.replace(day=1), months)
        day = base and days.make_day(base.year, base.month, dom.number)
        if day and day >= line.today and day.weekday() == weekday.number:
            chosen = day
            break
    warning = "" if chosen.weekday() == weekday.number else _mismatch(chosen, weekday.number)
    return Atom(start, end, "day", chosen, chosen, dom.back, source="month", warning=warning)


# -- a period and what stands in it


def _weekday_in_week(left: Atom, right: Atom, line: Line) -> Atom | None:
    week, weekday = (left, right) if left.kind == "span" else (right, left)
    if week.unit == "edge" and week is left and week.first == days.month_end(week.first.year, week.first.month):
        last = days.nth_weekday(week.first.replace(day=1), week.first, -1, weekday.number)  # 月末の金曜
        return Atom(left.start, right.end, "day", last, last, source="weekday") if last else None
    if week.unit != "week" or week.source == "bareperiod" or weekday.source == "paren":
        return None
    day = days.add_days(days.monday_of(week.first), weekday.number)
    if day is None:
        return None
    start, end = _around(left, right, line)
    return Atom(
        start,
        end,
        "day",
        day,
        day,
        day if week.past else None,
        past=week.past or (day < line.today and week.source != "theperiod"),
        source="weekday",
    )


def _dom_in_month(left: Atom, right: Atom, line: Line) -> Atom | None:
    month, dom = (left, right) if left.kind == "span" else (right, left)
    if month.unit != "month" or month.source == "bareperiod":
        return None
    day = days.make_day(month.first.year, month.first.month, dom.number)
    if day is not None and day < line.today and month.source == "theperiod":
        day = dom.first
    if day is None:
        return Atom(left.start, right.end, "bad", source="month")
    return Atom(left.start, right.end, "day", day, day, day if day < line.today else None, past=month.past, source="month")


def _day_in_year(left: Atom, right: Atom, _line: Line) -> Atom | None:
    if (
        right.unit != "year"
        or right.source == "bareperiod"
        or left.dated
        or left.source not in {"month", "monthname", "numeric", "holiday"}
    ):
        return None
    first = days.add_months(left.first, 12 * (right.first.year - left.first.year))
    last = days.add_months(left.last, 12 * (right.first.year - left.last.year))
    if first is None or last is None:
        return None
    return left._replace(end=right.end, first=first, last=last, dated=True, past=right.past, need=0, back=None)


def _edge_and_period(left: Atom, right: Atom, line: Line) -> Atom | None:
    if right.kind != "span":
        return None if right.source == "plural" or left.unit == "half" else right._replace(start=left.start, need=0)
    if right.source == "holiday" or right.unit in {"end", "edge"}:
        return None
    gap = line.low[left.end : right.start]
    if right.source == "bareperiod" and left.unit not in {"end", "start", "mid", "half"} and "-" not in gap:
        return None
    day = edge_of(left.unit, right.first, right.last, right.unit)
    back = right.back and days.add_months(day, -12) if right.source == "monthname" else right.back
    return right._replace(start=left.start, kind="span", first=day, last=day, back=back, unit="edge", need=0, source="edge")


def _nth_in_period(left: Atom, right: Atom, line: Line) -> Atom | None:
    nth, month = (left, right) if left.kind == "nth" else (right, left)
    if month.unit in {"edge", "end", "week", "weekend", "season"}:
        return None
    first, last = nth_of(nth, month.first, month.last)
    if first is None or last is None:
        return None
    if last < line.today and not month.dated and not month.past:
        ahead = days.add_months(month.first, 12 if month.source == "monthname" else 1)
        if ahead is not None:
            first, last = nth_of(nth, ahead, days.month_end(ahead.year, ahead.month))
            if first is None or last is None:
                return None
    return Atom(left.start, right.end, "day" if first == last else "span", first, last, past=month.past, source="month", unit="edge")


# -- recurrences


def _every_month_on(left: Atom, right: Atom, line: Line) -> Atom | None:
    every, dom = (left, right) if left.kind == "every" else (right, left)
    if every.unit != "month":
        return None
    first = days.next_month_day(line.today, dom.number, strictly=True)
    if first is None:
        return None
    return Atom(
        left.start,
        right.end,
        "day",
        first,
        first,
        clock=dom.clock,
        recurrence=f"{every.recurrence} on the {ordinal(dom.number)}",
        source="every",
    )


def _every_month_nth(left: Atom, right: Atom, line: Line) -> Atom | None:
    every, nth = (left, right) if left.kind == "every" else (right, left)
    if every.unit != "month":
        return None
    day = next_nth(nth, line, today_too=False)
    if day is None:
        return None
    what = {"day": "", "workday": " weekday", "week": " week", "weekend": " Sunday"}.get(nth.unit)
    what = f" {FULL_WEEKDAYS[int(nth.unit)]}" if what is None else what
    return Atom(left.start, right.end, "day", day, day, recurrence=f"{every.recurrence} on the {ordinal(nth.number)}{what}", source="every")


def _every_month_edge(left: Atom, right: Atom, line: Line) -> Atom | None:
    every, edge = (left, right) if left.kind == "every" else (right, left)
    if every.unit != "month" or edge.unit not in {"end", "edge"} or edge.first != days.month_end(edge.first.year, edge.first.month):
        return None
    last = edge.first if edge.first > line.today else days.month_end(*_next_month(line.today))
    return Atom(left.start, right.end, "day", last, last, recurrence=f"{every.recurrence} on the last", source="every")


def _next_month(day: date) -> tuple[int, int]:
    ahead = days.add_months(day.replace(day=1), 1) or day
    return ahead.year, ahead.month


def _every_week_on(left: Atom, right: Atom, line: Line) -> Atom | None:
    every, weekday = (left, right) if left.kind == "every" else (right, left)
    if every.unit != "week" or weekday.past:
        return None
    number = weekday.first.weekday()
    first = days.next_weekday(line.today, number)
    clock = weekday.clock or every.clock
    return Atom(
        left.start, right.end, "day", first, first, clock=clock, recurrence=f"{every.recurrence} on {FULL_WEEKDAYS[number]}", source="every"
    )


def _every_year_on(left: Atom, right: Atom, line: Line) -> Atom | None:
    every, day = (left, right) if left.kind == "every" else (right, left)
    if (
        every.unit != "year"
        or day.dated
        or (day.source not in {"month", "numeric", "holiday", "monthname", "edge"} and not (day.source == "period" and day.unit == "month"))
    ):
        return None
    first = day.last if day.last > line.today else days.add_months(day.last, 12)
    if first is None:
        return None
    return Atom(left.start, right.end, "day", first, first, clock=day.clock, recurrence="every year", source="every")


def _plural_every(left: Atom, right: Atom, _line: Line) -> Atom | None:
    """As in "biweekly on Mondays"."""
    if left.unit != "week" or right.source != "plural":
        return None
    names = right.recurrence.partition(" on ")[2]
    return right._replace(start=left.start, recurrence=f"{left.recurrence} on {names}", need=0, source="every")


# -- clock times


def _with_clock(left: Atom, right: Atom, line: Line) -> Atom | None:
    day, clock = (left, right) if right.kind == "clock" else (right, left)
    if day.clock is not None or clock.clock is None or clock.source == "stamp" or day.source in {"bareperiod", "theperiod"}:
        return None
    if day.kind == "span" and day.unit not in {"edge", "end"}:
        return None
    start, end = _around(left, right, line)
    # A clock time beside it makes "today" or "daily" a date; "may 5pm" is one only behind a preposition.
    need: Need = 0 if day.kind == "every" or day.source in {"plural", "holiday", "today", "dom"} or not day.need else 1
    if clock.source == "clockword" and clock.clock.hour == 0:
        return day._replace(start=start, end=end, need=need)  # whose midnight is never sure: the day stands, all day
    at = clock.clock
    if 0 < at.hour < 12 and compiled(r"(?:night|evening|afternoon|tonite|今夜|今晩|明晩|夜|晩|夕方?)$").search(
        line.low[day.start : day.end]
    ):
        at = at.replace(hour=at.hour + 12)
    if clock.number:  # 金曜25時 is one o'clock on Saturday
        later = days.add_days(day.first, clock.number)
        if later is None or day.kind == "every" or day.recurrence or day.first != day.last:
            return None
        day = day._replace(kind="day", first=later, last=later, back=day.back and days.add_days(day.back, clock.number))
    return day._replace(start=start, end=end, clock=at, warning=day.warning or clock.warning, need=need)


def _with_full_date(left: Atom, right: Atom, line: Line) -> Atom | None:
    """As in "7pm, Thursday 1 October"; "at 9, Friday demo" are two things."""
    return _with_clock(left, right, line) if right.source in {"month", "iso"} else None


def _with_last_day(left: Atom, right: Atom, line: Line) -> Atom | None:
    """As in "5pm, Friday" where nothing follows; "at 9, Friday demo" are two things."""
    return _with_clock(left, right, line) if compiled(r"\s*(?:$|[.;)])").match(line.low[right.end : right.end + 8]) else None


def _clock_before_cue(left: Atom, right: Atom, line: Line) -> Atom | None:
    """As in "17:00 by Friday": the cue word stays beside the day that it judges."""
    if left.unit == "hours":
        return None  # "open 9:00-17:00 until Friday"
    whole = _with_clock(left, right, line)
    return whole and whole._replace(start=right.start, lead=left.start)


def _clock_range(left: Atom, right: Atom, _line: Line) -> Atom:
    return left._replace(end=right.end, unit="hours", need=0)


def _all_day(left: Atom, right: Atom, _line: Line) -> Atom | None:
    day = right if left.kind == "allday" else left
    if day.source in {"bareperiod", "theperiod"} or day.past:
        return None
    return day._replace(start=left.start, end=right.end, need=0)


# -- counted from a date


def _counted(left: Atom, right: Atom, line: Line) -> Atom | None:
    """As in "two days before Christmas", "a week from Friday", 更新日の1か月前."""
    offset, base = (left, right) if left.kind == "offset" else (right, left)
    gap = line.low[left.end : right.start]
    if (
        base.past
        or base.source in {"bareperiod", "theperiod"}
        or (base.kind == "span" and base.unit not in {"edge", "end", "month", "quarter", "year", "week"})
    ):
        return None
    if offset is left:
        before = line.low[max(0, left.start - 16) : left.start]
        if re.search(r"\b(?:for|took|lasts?|over|during|last)\s+$", before) and not re.search(r"\b(?:good|valid)\s+for\s+$", before):
            return None  # a length, not a place in time
        if offset.source == "short" and not gap.strip():
            return None
        back = bool(re.search(r"before|prior|ahead|advance|earlier", gap)) or (offset.source == "dangling" and offset.number < 0)
        count = -abs(offset.number) if back else abs(offset.number)
        if (
            not gap.strip()
            and offset.source != "dangling"
            and not (offset.unit == "week" and (base.kind == "weekday" or base.source in {"today", "relative", "weekday"}))
        ):
            return None
        if gap.strip() == "on" and offset.unit != "week":
            return None
    else:
        count = offset.number
    start_day = base.first if count < 0 or base.kind == "weekday" else base.last
    day = days.shift(start_day, count, offset.unit)
    if day is None:
        return Atom(left.start, right.end, "bad", source="relative")
    return Atom(left.start, right.end, "day", day, day, clock=base.clock, source="counted", warning=base.warning)


def _counted_after(left: Atom, right: Atom, _line: Line) -> Atom | None:
    """3/20から3日後: the second part alone was read as counted from today."""
    if right.source != "relative" or not right.number or left.past:
        return None
    day = days.shift(left.last, right.number, right.unit)
    return None if day is None else Atom(left.start, right.end, "day", day, day, source="counted")


def _within_of(left: Atom, right: Atom, line: Line) -> Atom | None:
    """As in "within two weeks of March 10", "has to be in two weeks before May 1"."""
    if left.source != "relative" or not left.number or left.past or right.past:
        return None
    back = "before" in line.low[left.end : right.start]
    day = days.shift(right.first, -left.number if back else left.number, left.unit)
    return None if day is None else Atom(left.start, right.end, "day", day, day, source="counted")


def _weekday_beside(left: Atom, right: Atom, line: Line) -> Atom | None:
    """As in "the Tuesday after Easter"."""
    if right.kind == "span" and right.unit not in {"edge", "end", "month", "quarter", "year", "week"}:
        return None
    if right.source in {"bareperiod", "theperiod"} or left.past or left.source != "weekday":
        return None
    before = "before" in line.low[left.end : right.start]
    number = left.first.weekday()
    day = days.last_weekday(right.first, number) if before else days.next_weekday(right.last, number)
    return Atom(left.start, right.end, "day", day, day, source="counted")


def _week_of(left: Atom, right: Atom, line: Line) -> Atom | None:
    if left.unit not in {"week", "weekend"} or right.past:
        return None
    monday = days.monday_of(right.first)
    if left.unit == "weekend":
        return Atom(left.start, right.end, "span", monday + timedelta(5), monday + timedelta(6), unit="weekend", source="edge")
    return Atom(left.start, right.end, "range", right.first, max(right.first, monday + timedelta(line.policy.week_ends)), source="week")


# -- stretches


_MOVED_BEFORE = (
    r"\b(?:moved|slipped|pushed(?: back| out)?|postponed|rescheduled|shifted|changed|extended|delayed|bumped)(?: from)?(?: the)?\s*$"
)
_MOVED_BEHIND = r"[^。、,.;]{0,4}(?:延期|変更|ずれ|延び|後ろ倒し|前倒し|リスケ|移動|伸び|なった|なり)"


def _stretch(left: Atom, right: Atom, line: Line) -> Atom | None:
    """From one day to another; what was moved has the second day only."""
    if left.recurrence or right.recurrence:
        return None
    gap, before = line.low[left.end : right.start].strip(), line.low[max(0, left.start - 24) : left.start]
    behind = line.low[right.end : right.end + 12]
    if (gap in {"and", "&"} and not before.rstrip().endswith("between")) or (gap == "と" and not compiled(r"の間").match(behind)):
        return None  # two days, not a stretch
    left = _begun(left, right, line)
    last = _end_of_stretch(left, right)
    if last is None or last < left.first:
        return None
    if compiled(_MOVED_BEFORE).search(before) or compiled(_MOVED_BEHIND).match(behind):
        return right._replace(start=left.start, first=last, last=last, kind="day", need=0, past=False, source="month")
    return left._replace(
        end=right.end,
        kind="range",
        last=last,
        past=left.past and right.past,
        dated=left.dated or right.dated,
        need=0,
        source="weekdays" if left.kind == right.kind == "weekday" else left.source,
        warning=left.warning or right.warning,
    )


def _begun(left: Atom, right: Atom, line: Line) -> Atom:
    """3/2-3/13 read on 3/4: the stretch has begun, it is not next year's."""
    if left.back is None or left.dated or right.dated or left.source not in {"month", "numeric"}:
        return left
    begun = left.back < line.today <= right.last < left.first and (right.last - left.back).days < 180
    return left._replace(first=left.back, last=left.back, back=None) if begun else left


def _end_of_stretch(left: Atom, right: Atom) -> date | None:
    if right.kind == "weekday":
        return days.next_weekday(left.first, right.number)
    if right.kind == "dom":
        return days.next_month_day(left.first, right.number, strictly=True)
    if left.dated and not right.dated and right.source in {"month", "numeric"}:
        # 2026年10月1日〜10月31日: the year counts for both
        last = days.add_months(right.last, 12 * (left.first.year - right.last.year))
        return days.add_months(last, 12) if last is not None and last < left.first else last
    if right.last < left.first and not right.dated:
        return days.add_months(right.last, 12)
    return right.last


_DAYLIKE: tuple[Kind, ...] = ("day", "weekday", "dom")
_DATED: tuple[Kind, ...] = ("day", "weekday", "dom", "span", "range")
_STEPS: tuple[tuple[_Join, ...], ...] = (
    (
        _Join(("weekday", "day"), r"[\s,(]{0,3}(?:the\s)?|の", ("day", "weekday"), _weekday_and_day),
        _Join(("day",), r"[\s,(:は、]{0,3}|の", ("day",), _named_day),
        _Join(("weekday",), r"[\s,]{1,2}(?:the\s)?|", ("dom",), _weekday_and_dom),
        _Join(("dom",), r"[\s(,]{0,2}|の", ("weekday",), _weekday_and_dom),
        _Join(("span",), r"[\s,、]*(?:on\s+|の)?", ("weekday",), _weekday_in_week),
        _Join(("weekday",), r"\s+(?:of\s+|in\s+)?", ("span",), _weekday_in_week),
        _Join(("span",), r"[\s,]*(?:on\s+|の)?", ("dom",), _dom_in_month),
        _Join(("dom",), r"\s+(?:of\s+|in\s+)?", ("span",), _dom_in_month),
        _Join(("day", "span"), r"\s+(?:of\s+)?", ("span",), _day_in_year),
        _Join(("edge",), r"[\s-]*(?:of\s+|in\s+)?(?:the\s+)?", ("span", "day", "weekday", "dom"), _edge_and_period),
        _Join(("nth",), r"\s+(?:of|in)\s+(?:the\s+)?", ("span",), _nth_in_period),
        _Join(("span",), r"の?", ("nth",), _nth_in_period),
        _Join(("nth",), r"\s*(?:of\s+|in\s+)?", ("every",), _every_month_nth),
        _Join(("every",), r"[\s,]*(?:on\s+|の)?(?:the\s+)?", ("nth",), _every_month_nth),
        _Join(("dom",), r"\s+(?:of\s+)?|,\s*", ("every",), _every_month_on),
        _Join(("every",), r"[\s,]*(?:on\s+|by\s+|の|、)?", ("dom",), _every_month_on),
        _Join(("every",), r"[\s,]*(?:(?:on|at|by)\s+)?(?:the\s+)?|の", ("span",), _every_month_edge),
        _Join(("every",), r"[\s,]*(?:on\s+|の)?", ("weekday", "day"), _every_week_on),
        _Join(("weekday",), r"\s+|,\s*", ("every",), _every_week_on),
        _Join(("every",), r"[\s,]*(?:on\s+|by\s+|の|、)?(?:the\s+)?", ("day", "span"), _every_year_on),
        _Join(("day", "span"), r"\s+(?:of\s+)?|,\s*", ("every",), _every_year_on),
        _Join(("every",), r"\s+(?:on\s+)?", ("day",), _plural_every),
        _Join(("allday",), r"[\s,]*(?:on\s|of\s)?(?:the\s)?", _DATED, _all_day),
        _Join(_DATED, r"[\s,]*(?:by\s|at\s)?(?:the\s)?", ("allday",), _all_day),
    ),
    (
        _Join(("clock",), r"\s*(?:-|~|to|until|till|から|and)\s*", ("clock",), _clock_range),
    ),
    (
        _Join(
            (*_DATED, "every"),
            r"[\s,@(、]*(?:(?:at|by|from|@|before|until|till|starting|around|about|approx\.?|ca\.?|no later than)\s*){0,2}|\)?\s*(?:の|に|は|、|も)?\s*(?:朝|夜|夕方|晩|昼)?(?:の)?",
            ("clock",),
            _with_clock,
        ),
        _Join(("clock",), r"\s*(?:on|of)?\s*(?:the\s)?", (*_DAYLIKE, "every"), _with_clock),
        _Join(("clock",), r"[\s,]+(?:no later than|by|before|until|till?|due|on or before)\s+(?:on\s+|the\s+|end of\s+)?", (*_DAYLIKE, "span"), _clock_before_cue),
        _Join(("clock",), r",\s*(?:on\s)?", ("every",), _with_clock),
        _Join(("clock",), r",\s*(?:on\s)?", ("day",), _with_full_date),
        _Join(("clock",), r",\s*(?:on\s)?", ("day", "weekday"), _with_last_day),
    ),
    (
        _Join(("offset",), r"\s*(?:before|prior\s+to|ahead\s+of|in\s+advance\s+of|after|from|following|on|to|)\s+(?:the\s+|our\s+|my\s+|her\s+|his\s+|their\s+)?(?:end\s+of\s+)?", _DATED, _counted),
        _Join(_DATED, r"(?:の|より|から)?\s*", ("offset",), _counted),
        _Join(_DATED, r"(?:の|から)\s*", ("day",), _counted_after),
        _Join(("day",), r"\s+(?:of|after|from|following|before)\s+(?:the\s+)?", _DATED, _within_of),
        _Join(("weekday", "day"), r"\s+(?:after|following|before)\s+(?:the\s+)?", ("day", "span"), _weekday_beside),
        _Join(("span",), r"\s+(?:of|starting|beginning|commencing)\s+(?:the\s+)?", ("day", "dom", "weekday"), _week_of),
    ),
    (
        _Join(_DAYLIKE, r"\s*(?:-|~|->|→|to|through|thru|until|till|up to|and|&|から|と)\s*(?:the\s+)?", _DAYLIKE, _stretch),
    ),
)  # fmt: skip
