"""What the activity log tells of use."""

from __future__ import annotations

from typing import Any

from vaultkit.upkeep.usage import BY_HAND, by_harness, fruitless, opened_after


def turn(session: str = "s", *paths: str, harness: str = "codex", t: str = "2026-11-30T09:00:00", **more: Any) -> dict[str, Any]:
    notes = [{"path": path} for path in paths]
    return {"event": "prompt", "t": t, "session": session, "harness": harness, "hook": True, "notes": notes, **more}


def opened(path: str, session: str = "s", t: str = "2026-11-30T09:05:00") -> dict[str, Any]:
    return {"event": "opened", "t": t, "path": path, "session": session}


def judged(path: str, *, useful: bool, session: str = "s") -> dict[str, Any]:
    return {"event": "judged", "t": "2026-11-30T09:05:00", "path": path, "session": session, "useful": useful}


def test_only_what_was_shown_before_it_was_opened_counts_as_used() -> None:
    first = turn("s", "a.md", "b.md")
    assert [one.used for one in by_harness([opened("a.md"), first])] == [0]
    assert [one.used for one in by_harness([first, opened("c.md"), judged("b.md", useful=False)])] == [0]
    assert [one.used for one in by_harness([first, opened("a.md"), opened("a.md"), judged("b.md", useful=True)])] == [2]
    assert [one.used for one in by_harness([first, opened("a.md", session="other")])] == [0]


def test_a_note_opened_by_nobody_in_particular_counts_for_what_was_shown_not_long_ago() -> None:
    assert by_harness([turn("s", "a.md"), opened("a.md", session="")])[0].used == 1
    assert by_harness([turn("s", "a.md"), opened("a.md", session="", t="2026-12-01T09:00:00")])[0].used == 0


def test_harnesses_are_never_pooled() -> None:
    found = by_harness([turn("s", "a.md", tokens=10), turn("t", "a.md", harness="claude", tokens=30), turn("u", harness="", hook=False)])
    assert [(one.harness, one.tokens_per_turn) for one in found] == [(BY_HAND, 0.0), ("claude", 30.0), ("codex", 10.0)]


def test_the_whole_context_is_told_only_where_the_harness_tells_it() -> None:
    assert by_harness([turn("s", "a.md", tokens=10)])[0].share_of_context is None
    assert by_harness([turn("s", "a.md", tokens=10, context_tokens=1000), turn("s", "a.md", tokens=90)])[0].share_of_context == 0.01


def test_sessions_without_a_use_are_counted_back_from_the_last() -> None:
    turns = [turn(name, "a.md") for name in ("one", "two", "three")]
    assert fruitless(turns, {}) == 3
    assert fruitless(turns, {id(turns[1]): frozenset({"a.md"})}) == 1
    assert fruitless([*turns, turn("four"), turn("", "a.md")], {id(turns[2]): frozenset({"a.md"})}) == 0
    again = turn("one", "b.md")
    assert fruitless([*turns, again], {id(turns[0]): frozenset({"a.md"})}) == 0


def test_a_turn_is_told_with_what_was_opened_after_it_and_not_with_what_was_judged() -> None:
    first = turn("s", "a.md", "b.md", prompt="how?")
    assert list(opened_after([first, opened("b.md"), judged("a.md", useful=True)])) == [(first, ("b.md",))]


def test_damaged_events_do_no_harm() -> None:
    odd = [turn("s", "a.md", t="x", latency_ms="fast", tokens=None), {"event": "prompt", "notes": "none"}, {"event": "opened"}, {}]
    assert {one.harness: one.prompts for one in by_harness(odd)} == {BY_HAND: 1, "codex": 1}
