"""How captures are scored: scope, dates in the two fields, action items found. Shared by the vector runner and `make eval`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from vaultkit.capture import Draft, Known, Request, Settings, draft


class Case(NamedTuple):
    """One capture, scored. Dates are pairs of field and day."""

    id: str
    scope: str  # right, low (flagged as unsure) or wrong
    wanted: frozenset[tuple[str, str]]
    got: frozenset[tuple[str, str]]
    actions: int
    missed: tuple[str, ...]
    draft: Draft

    @property
    def passed(self) -> bool:
        """Scope right or flagged, the dates exactly these in exactly these fields, every action item found."""
        return self.scope != "wrong" and self.wanted == self.got and not self.missed


class Figures(NamedTuple):
    """What the bars are set on."""

    scope: float  # right or flagged
    flagged: int
    precision: float
    recall: float
    found: float

    def __str__(self) -> str:
        return (
            f"scope right or flagged {self.scope:.3f} ({self.flagged} flagged), dates P {self.precision:.3f} R {self.recall:.3f}, "
            f"action items found {self.found:.3f}"
        )


def score(item: Mapping[str, Any]) -> Case:
    """One item of a captures file."""
    made = draft(Request(item["text"], datetime.fromisoformat(item["ref"])), Known(), Settings())
    domain = made.scope.scope.partition("/")[0]
    scope = "right" if domain == item["domain"] else "low" if made.scope.confidence == "low" else "wrong"
    wanted = {("action_items", gold["due"][:10]) for gold in item["action_items"] if gold["due"]}
    wanted |= {("trackers", gold["date"][:10]) for gold in item["trackers"] if gold["date"]}
    got = {("action_items", entry.due.isoformat()) for entry in made.action_items if entry.due}
    got |= {("trackers", entry.due.isoformat()) for entry in made.trackers if entry.due}
    missed = tuple(
        gold["text"] for gold in item["action_items"] if not any(_found(gold["text"], entry.text) for entry in made.action_items)
    )
    return Case(item["id"], scope, frozenset(wanted), frozenset(got), len(item["action_items"]), missed, made)


def figures(cases: Iterable[Case]) -> Figures:
    """The bars' figures over many captures."""
    cases = list(cases)
    right = sum(len(case.wanted & case.got) for case in cases)
    actions = sum(case.actions for case in cases)
    return Figures(
        scope=sum(case.scope != "wrong" for case in cases) / len(cases),
        flagged=sum(case.scope == "low" for case in cases),
        precision=right / max(1, sum(len(case.got) for case in cases)),
        recall=right / max(1, sum(len(case.wanted) for case in cases)),
        found=1 - sum(len(case.missed) for case in cases) / max(1, actions),
    )


def _found(gold: str, ours: str) -> bool:
    wanted, have = _tokens(gold), set(_tokens(ours))
    return sum(token in have for token in wanted) * 2 >= len(wanted)


def _tokens(text: str) -> list[str]:
    folded = text.casefold()
    runs = re.findall(r"[\u3040-\u30ff\u3400-\u9fff々]+", folded)
    return re.findall(r"[a-z0-9][a-z0-9'.-]*", folded) + [run[at : at + 2] for run in runs for at in range(max(1, len(run) - 1))]
