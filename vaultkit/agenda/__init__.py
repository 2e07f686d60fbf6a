"""Deadlines and lookahead from the two fields and from tasks; the prose-date lint. Pure. Rules: facts/capture.md §2-3, design.md §4-5.

`extract` reads one note (cacheable), `survey` says what to warn about on a day, `check` is the lint, and `plan_done`, `plan_snooze`,
`plan_fix`, `plan_sync` give a note's changed text. Names are loaded when they are used: most commands need two of these modules.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vaultkit.agenda.entries import ids_of
    from vaultkit.agenda.extraction import extract
    from vaultkit.agenda.items import (
        NOTHING,
        Extract,
        Field,
        Item,
        Mismatch,
        ProseDate,
        Settings,
        extract_from_row,
        extract_to_row,
        new_id,
    )
    from vaultkit.agenda.lint import RULES, Finding, check, plan_fix
    from vaultkit.agenda.outlook import (
        LEVELS,
        TIERS,
        Due,
        Level,
        Lookahead,
        Tier,
        Unreadable,
        lookahead,
        render,
        render_item_line,
        summary,
        survey,
        tier_of,
        to_json,
    )
    from vaultkit.agenda.plans import ORDER, plan_done, plan_snooze, recompute_due
    from vaultkit.agenda.recurrence import Rule, next_date, parse_rule
    from vaultkit.agenda.sync import Merged, Seen, Synced, merge, plan_sync
    from vaultkit.agenda.tasks import TaskText, parse_task_text, render_item

__all__ = [
    "LEVELS",
    "NOTHING",
    "ORDER",
    "RULES",
    "TIERS",
    "Due",
    "Extract",
    "Field",
    "Finding",
    "Item",
    "Level",
    "Lookahead",
    "Merged",
    "Mismatch",
    "ProseDate",
    "Rule",
    "Seen",
    "Settings",
    "Synced",
    "TaskText",
    "Tier",
    "Unreadable",
    "check",
    "extract",
    "extract_from_row",
    "extract_to_row",
    "ids_of",
    "lookahead",
    "merge",
    "new_id",
    "next_date",
    "parse_rule",
    "parse_task_text",
    "plan_done",
    "plan_fix",
    "plan_snooze",
    "plan_sync",
    "recompute_due",
    "render",
    "render_item",
    "render_item_line",
    "summary",
    "survey",
    "tier_of",
    "to_json",
]

_HOMES = {
    "entries": ("ids_of",),
    "extraction": ("extract",),
    "items": ("NOTHING", "Extract", "Field", "Item", "Mismatch", "ProseDate", "Settings", "extract_from_row", "extract_to_row", "new_id"),
    "lint": ("RULES", "Finding", "check", "plan_fix"),
    "outlook": (
        "LEVELS", "TIERS", "Due", "Level", "Lookahead", "Tier", "Unreadable",
        "lookahead", "render", "render_item_line", "summary", "survey", "tier_of", "to_json",
    ),
    "plans": ("ORDER", "plan_done", "plan_snooze", "recompute_due"),
    "recurrence": ("Rule", "next_date", "parse_rule"),
    "sync": ("Merged", "Seen", "Synced", "merge", "plan_sync"),
    "tasks": ("TaskText", "parse_task_text", "render_item"),
}  # fmt: skip
_HOME = {name: home for home, names in _HOMES.items() for name in names}


if not TYPE_CHECKING:  # else a checker would take every name for one of ours

    def __getattr__(name: str) -> object:
        if name not in _HOME:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
        globals()[name] = found
        return found
