"""Which deadlines to warn about on a given day, as values, text and JSON. Rules: facts/capture.md §3, design.md §5.

Dates are wall-clock days and are compared as days: an all-day item is overdue only after its day has ended, and so is one with a clock
time, which the text then marks as passed. `⏳` hides an item until its day (never beyond the due date) and shows it from then on at the
levels week and month, however far off the due date is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Literal, NamedTuple

from vaultkit.agenda.items import Extract, Item, ProseDate

Tier = Literal["overdue", "today", "soon", "week", "month"]
Level = Literal["today", "soon", "week", "month"]

TIERS: tuple[Tier, ...] = ("overdue", "today", "soon", "week", "month")
LEVELS: tuple[Level, ...] = ("today", "soon", "week", "month")

# The most days left in each tier; on Friday `today` reaches through Monday.
_REACH: tuple[tuple[Tier, int], ...] = (("overdue", -1), ("today", 0), ("soon", 3), ("week", 7))
_MONTH = 30
_FRIDAY = 4
_OVERDUE_LINES = 10
_PROSE_LINES = 5


class Due(NamedTuple):
    """An item with its tier and the days left; *passed*: its clock time is over, today."""

    item: Item
    tier: Tier
    days: int
    passed: bool = False


class Unreadable(NamedTuple):
    """Something that may hide a deadline: a value that is no date, a frontmatter that cannot be read, a file that could not be opened."""

    path: str
    line: int
    text: str


class Lookahead(NamedTuple):
    """What the lookahead has to say; *items* are those at the level, the most pressing first."""

    today: date
    level: Level
    items: tuple[Due, ...]
    notes_read: int
    open_items: int  # dated and open, at whatever distance
    undated: int
    unparsable: tuple[Unreadable, ...]
    prose_dates: tuple[ProseDate, ...]
    unresolved: int = 0
    hidden: int = 0  # by ⏳

    @property
    def exit_code(self) -> int:
        """0 nothing at the level · 1 something · 3 something could not be read, so that nothing can be promised."""
        if self.unparsable or not self.notes_read:
            return 3
        return 1 if self.items else 0


def lookahead(
    items: Iterable[Item],
    *,
    today: date,
    level: Level = "week",
    now: datetime | None = None,
    notes_read: int = 1,
    undated: int = 0,
    unparsable: Sequence[Unreadable] = (),
    prose_dates: Sequence[ProseDate] = (),
    unresolved: int = 0,
) -> Lookahead:
    """The open *items* at *level*. *now* only marks what has passed today."""
    opened = [item for item in items if item.open]
    shown: list[Due] = []
    hidden = 0
    for item in opened:
        if item.show_from is not None and today < min(item.show_from, item.due):
            hidden += 1
            continue
        tier = tier_of(item, today)
        if tier is not None and TIERS.index(tier) <= _limit(item, level):
            passed = (
                item.due == today
                and item.time is not None
                and now is not None
                and now.date() == today
                and item.time < now.strftime("%H:%M")
            )
            shown.append(Due(item, tier, (item.due - today).days, passed))
    shown.sort(key=_order)
    ranked = sorted(prose_dates, key=lambda found: (found.date < today, abs((found.date - today).days), found.path, found.line))
    return Lookahead(today, level, tuple(shown), notes_read, len(opened), undated, tuple(unparsable), tuple(ranked), unresolved, hidden)


def survey(
    extracts: Mapping[str, Extract] | Iterable[tuple[str, Extract]],
    *,
    today: date,
    notes_read: int,
    level: Level = "week",
    now: datetime | None = None,
    unreadable: Iterable[Unreadable] = (),
) -> Lookahead:
    """`lookahead` over the extracts of a whole vault by path. *unreadable*: files that gave no extract at all."""
    pairs = list(extracts.items()) if isinstance(extracts, Mapping) else list(extracts)
    wrong = [Unreadable(path, line, text) for path, found in pairs for line, text in (*found.unreadable, *found.unparsable)]
    return lookahead(
        [item for _, found in pairs for item in found.items],
        today=today,
        level=level,
        now=now,
        notes_read=notes_read,
        undated=sum(found.undated for _, found in pairs),
        unparsable=sorted([*unreadable, *wrong]),
        prose_dates=[prose for _, found in pairs for prose in found.prose],
        unresolved=sum(len(found.unresolved) for _, found in pairs),
    )


def tier_of(item: Item, today: date) -> Tier | None:
    """How near an item is; None when it is too far off to be spoken of."""
    days = (item.due - today).days
    for tier, most in _REACH:
        if days <= (3 if tier == "today" and today.weekday() == _FRIDAY else most):
            return tier
    if item.show_from is not None and item.show_from <= today:
        return "month"
    return "month" if days <= _MONTH and item.field == "trackers" else None


def to_json(look: Lookahead) -> dict[str, Any]:
    """The frozen answer of `lookahead --json`, version 1."""
    return {
        "version": 1,
        "today": look.today.isoformat(),
        "items": [
            {
                "id": due.item.id,
                "text": due.item.text,
                "due": due.item.due.isoformat(),
                "time": due.item.time,
                "tier": due.tier,
                "path": due.item.path,
                "line": due.item.line,
                "field": due.item.field,
            }
            for due in look.items
        ],
        "notes_read": look.notes_read,
        "undated": look.undated,
        "unparsable": [{"path": found.path, "line": found.line, "text": found.text} for found in look.unparsable],
        "prose_dates": [
            {"path": found.path, "line": found.line, "phrase": found.phrase, "date": found.date.isoformat()} for found in look.prose_dates
        ],
    }


def summary(look: Lookahead) -> str:
    """One line for hooks and notices: "2 overdue, 1 today"; "" when there is nothing to say."""
    counts = Counter(due.tier for due in look.items)
    parts = [f"{counts[tier]} {_SPOKEN.get(tier, tier)}" for tier in TIERS if counts[tier]]
    if not look.notes_read:
        parts.append("no notes read")
    if look.unparsable:
        parts.append(f"{len(look.unparsable)} unreadable")
    return ", ".join(parts)


def render(look: Lookahead, *, quiet: bool = False) -> str:
    """The answer for people, with its footer; *quiet*: "" when nothing is at the level and everything could be read."""
    if quiet and look.exit_code == 0:
        return ""
    lines = _item_lines(look) or [f"nothing {_WITHIN[look.level]}"]
    return "\n".join([*lines, "", *_footer(look)])


def render_item_line(due: Due) -> str:
    """One item: tier, day, time, words, where it stands, its id."""
    item = due.item
    clock = f" {item.time}" + (" (passed)" if due.passed else "") if item.time else ""
    again = " 🔁" if item.recurrence else ""
    return f"{due.tier:<8} {item.due:%a} {item.due.isoformat()}{clock}  {item.text}{again}  ({_left(due.days)})  {item.path}:{item.line}  [{item.id}]"


_SPOKEN = {"week": "this week", "month": "this month"}
_WITHIN = {"today": "today", "soon": "within 3 days", "week": "within 7 days", "month": "within 30 days"}


def _limit(item: Item, level: Level) -> int:
    """The last tier that *level* shows of this item."""
    if level == "week" and item.show_from is not None:
        return TIERS.index("month")
    return TIERS.index(level)


def _order(due: Due) -> tuple[date, bool, str, str, int, str]:
    item = due.item
    return (item.due, item.time is None, item.time or "", item.path, item.line, item.id)


def _left(days: int) -> str:
    if days == 0:
        return "today"
    if abs(days) == 1:
        return "tomorrow" if days > 0 else "1 day late"
    return f"in {days} days" if days > 0 else f"{-days} days late"


def _item_lines(look: Lookahead) -> list[str]:
    overdue = [due for due in look.items if due.tier == "overdue"]
    lines = [render_item_line(due) for due in overdue[:_OVERDUE_LINES]]
    if len(overdue) > _OVERDUE_LINES:
        lines.append(
            f"overdue  … and {len(overdue) - _OVERDUE_LINES} more, the newest {overdue[-1].item.due.isoformat()} (--json lists all)"
        )
    return lines + [render_item_line(due) for due in look.items if due.tier != "overdue"]


def _footer(look: Lookahead) -> list[str]:
    """What was looked at, so that silence can be trusted."""
    hidden = f", {look.hidden} hidden by ⏳" if look.hidden else ""
    counts = [
        _count(look.notes_read, "note") + " read",
        f"{_count(look.open_items, 'item')} ({len(look.items)} shown{hidden})",
        f"{look.undated} undated",
        f"{len(look.unparsable)} unparsable",
        f"{_count(len(look.prose_dates), 'date')} in prose without a field",
    ]
    lines = [" · ".join(counts)]
    if not look.notes_read:
        lines.append("no note was read: is this the right vault?")
    lines += [f"unparsable: {found.path}:{found.line}  {found.text}" for found in look.unparsable]
    for found in look.prose_dates[:_PROSE_LINES]:
        lines.append(f'in prose: {found.path}:{found.line}  "{found.phrase}" = {found.date:%a} {found.date.isoformat()}')
        lines.append(f"    {found.fix}" if found.fix else f"    not placed by itself: {found.warning}")
    if len(look.prose_dates) > _PROSE_LINES:
        lines.append(
            f"    … and {len(look.prose_dates) - _PROSE_LINES} more: `vaultkit lint` lists them, `vaultkit lint --fix` places them"
        )
    elif any(found.fix for found in look.prose_dates):
        lines.append("    `vaultkit lint --fix` places them")
    if look.unresolved:
        lines.append(f"{_count(look.unresolved, 'relative date')} in notes that name no day: nothing to count from")
    return lines


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
