"""What the activity log tells: what was injected, what of it was used, by which harness (memory.md M43, M44, M46, M47). Harnesses are never pooled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

Event = Mapping[str, Any]

BY_HAND: Final = "(by hand)"
FRUITLESS: Final = 20  # sessions in a row without one use: recall does more harm than good there


class Week(NamedTuple):
    """Notes injected and those of them that were used, in one ISO week."""

    week: str
    injected: int
    used: int


class Hints(NamedTuple):
    """What became of the questions to a model (memory.md M24): its answers that were there in time, used by the next turn, or by none."""

    asked: int
    in_time: int
    late_used: int
    unused: int
    won: float  # share of the asked that was of use


class Harness(NamedTuple):
    """What one harness got. Tokens and characters are those of a turn that was given something, on average."""

    harness: str
    prompts: int
    injected_turns: int
    notes: int
    used: int
    characters_per_turn: float
    tokens_per_turn: float
    context_tokens: float | None  # of the whole turn, where the harness tells it
    share_of_context: float | None
    latency_p50: float
    latency_p95: float
    served_by: dict[str, int]
    confidence: dict[str, int]
    modes: dict[str, int]
    settings: dict[str, int]  # always, off, on-demand
    fruitless: int  # sessions in a row, up to the last, in which nothing injected was used
    weeks: tuple[Week, ...]
    hints: Hints | None  # None: none was asked for


def by_harness(events: Sequence[Event]) -> list[Harness]:
    """The figures of each harness, by name."""
    turns: dict[str, list[Event]] = {}
    for event in events:
        if event.get("event") == "prompt":
            turns.setdefault(_harness(event), []).append(event)
    used = _uses(events)
    return [_figures(name, found, used, fruitless(found, used)) for name, found in sorted(turns.items())]


def fruitless(turns: Iterable[Event], used: Mapping[int, frozenset[str]]) -> int:
    """How many sessions that were given something, counted back from the last one, used none of it."""
    sessions: dict[str, bool] = {}
    for turn in turns:
        session = str(turn.get("session") or "")
        if session and turn.get("notes"):
            helped = sessions.pop(session, False) or bool(used.get(id(turn)))
            sessions[session] = helped  # popped and put back: the one that was last at work stands last
    row = 0
    for helped in reversed(sessions.values()):
        if helped:
            break
        row += 1
    return row


def opened_after(events: Iterable[Event]) -> Iterator[tuple[Event, tuple[str, ...]]]:
    """Each prompt with the notes that were opened after it had shown them."""
    listed = list(events)
    used = _uses([event for event in listed if event.get("event") != "judged"])
    for event in listed:
        if paths := used.get(id(event)):
            yield event, tuple(path for path in _paths(event) if path in paths)


def _uses(events: Iterable[Event]) -> dict[int, frozenset[str]]:
    """By turn (its identity) the notes it showed that were used: opened, or judged useful, by the session that it belongs to.

    A note opened by nobody in particular counts for the last turn that showed it, if that is not long ago. Having been shown counts for nothing.
    """
    last: dict[tuple[str, str], Event] = {}  # by session and path, the turn that showed it last; session "" is whichever
    used: dict[int, frozenset[str]] = {}
    for event in events:
        kind, session, path = event.get("event"), str(event.get("session") or ""), str(event.get("path") or "")
        if kind == "prompt":
            for shown in _paths(event):
                last[session, shown] = last["", shown] = event
        elif kind == "opened" or (kind == "judged" and event.get("useful")):
            turn = last.get((session, path))
            if turn is not None and (session or _near(turn, event)):
                used[id(turn)] = used.get(id(turn), frozenset()) | {path}
    return used


_LONG_AGO: Final = timedelta(hours=12)


def _near(turn: Event, event: Event) -> bool:
    before, after = _time(turn), _time(event)
    return before is not None and after is not None and timedelta() <= after - before <= _LONG_AGO


def _time(event: Event) -> datetime | None:
    try:
        return datetime.fromisoformat(str(event.get("t"))).replace(tzinfo=None)
    except ValueError:
        return None


def _paths(turn: Event) -> list[str]:
    notes = turn.get("notes")
    return [str(note["path"]) for note in notes if isinstance(note, dict) and "path" in note] if isinstance(notes, list) else []


def _harness(turn: Event) -> str:
    return str(turn.get("harness") or "") or ("(unnamed)" if turn.get("hook") else BY_HAND)


def _figures(name: str, turns: Sequence[Event], used: Mapping[int, frozenset[str]], row: int) -> Harness:
    given = [turn for turn in turns if turn.get("notes")]
    told = [turn for turn in given if _number(turn, "context_tokens") > 0]
    context = _mean([_number(turn, "context_tokens") for turn in told]) if told else None
    latencies = sorted(_number(turn, "latency_ms") for turn in turns)
    weeks: dict[str, list[int]] = {}
    for turn in given:
        when = _time(turn)
        counts = weeks.setdefault(f"{when:%G-W%V}" if when else "?", [0, 0])
        counts[0] += len(_paths(turn))
        counts[1] += len(used.get(id(turn), ()))
    return Harness(
        harness=name,
        prompts=len(turns),
        injected_turns=len(given),
        notes=sum(len(_paths(turn)) for turn in given),
        used=sum(len(used.get(id(turn), ())) for turn in given),
        characters_per_turn=_mean([_number(turn, "characters") for turn in given]),
        tokens_per_turn=_mean([_tokens(turn) for turn in given]),
        context_tokens=context,
        share_of_context=round(_mean([_tokens(turn) for turn in told]) / context, 4) if context else None,
        latency_p50=_quantile(latencies, 0.5),
        latency_p95=_quantile(latencies, 0.95),
        served_by=_counts(turns, "served_by"),
        confidence=_counts(turns, "confidence"),
        modes=_counts(turns, "used"),
        settings=_counts(turns, "setting"),
        fruitless=row,
        weeks=tuple(Week(week, *counts) for week, counts in sorted(weeks.items())),
        hints=_hints([turn["hint"] for turn in turns if isinstance(turn.get("hint"), Mapping)]),
    )


def _hints(found: Sequence[Mapping[str, Any]]) -> Hints | None:
    if not found:
        return None
    in_time = sum(1 for hint in found if hint.get("outcome") == "in-time")
    late_used = sum(1 for hint in found if hint.get("served") is True)
    unused = max(0, len(found) - in_time - late_used)
    return Hints(len(found), in_time, late_used, unused, round((in_time + late_used) / len(found), 3))


def _number(turn: Event, name: str) -> float:
    value = turn.get(name)
    return float(value) if isinstance(value, (int, float)) else 0.0


def _tokens(turn: Event) -> float:
    return _number(turn, "tokens") or _number(turn, "characters") / 4  # events of an older version have no tokens


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / len(values), 1) if values else 0.0


def _quantile(values: Sequence[float], share: float) -> float:
    """Of sorted values, the nearest rank."""
    return values[min(len(values) - 1, int(len(values) * share))] if values else 0.0


def _counts(turns: Iterable[Event], name: str) -> dict[str, int]:
    return dict(sorted(Counter(str(turn[name]) for turn in turns if turn.get(name)).items()))
