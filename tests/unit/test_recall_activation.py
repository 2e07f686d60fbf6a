"""Spreading activation (memory.md M25)."""

from __future__ import annotations

from itertools import pairwise

import pytest

from vaultkit.recall.activation import Depth, Edge, Entry, Settings, entries_of, spread, summarise, tokens_of, tree

CHEAP = {"full": 10, "summary": 5, "title": 1}


def cheap(_: str, depth: Depth) -> int:
    return CHEAP[depth]


def chain(*paths: str) -> dict[str, list[Edge]]:
    return {source: [Edge(target)] for source, target in pairwise(paths)}


def test_the_notes_above_the_threshold_are_entries_at_most_five() -> None:
    near = {f"{number}.md": number / 10 for number in range(11)}
    assert [entry.path for entry in entries_of(near)] == ["10.md", "9.md", "8.md"]
    assert [entry.path for entry in entries_of(near, Settings(threshold=0.1))] == ["10.md", "9.md", "8.md", "7.md", "6.md"]


def test_where_none_is_above_it_the_nearest_is_the_entry_and_less_active() -> None:
    assert entries_of({"a.md": 0.2, "b.md": 0.5}) == [Entry("b.md", 0.5)]
    assert entries_of({}) == []
    assert [one.activation for one in spread([Entry("b.md", 0.6)], {}, Settings(threshold=0.75))] == [pytest.approx(0.8)]


def test_each_step_keeps_seven_tenths() -> None:
    found = spread([Entry("a", 0.9)], chain("a", "b", "c", "d"), cost=cheap)
    assert [(one.path, round(one.activation, 3), one.parent, one.hops) for one in found] == [
        ("a", 1.0, None, 0),
        ("b", 0.7, "a", 1),
        ("c", 0.49, "b", 2),
        ("d", 0.343, "c", 3),
    ]


def test_activation_decides_how_much_is_shown() -> None:
    found = spread([Entry("a", 0.9)], chain("a", "b", "c", "d"), cost=cheap)
    assert [one.depth for one in found] == ["full", "summary", "summary", "title"]


def test_an_inferred_edge_is_worth_less_than_a_written_one_and_a_weak_one_is_not_followed() -> None:
    edges = {"a": [Edge("inferred", 1.0, inferred=True), Edge("weak", 0.9, inferred=True), Edge("written")]}
    found = {one.path: one.activation for one in spread([Entry("a", 0.9)], edges, cost=cheap)}
    assert found == {"a": 1.0, "written": pytest.approx(0.7), "inferred": pytest.approx(0.63)}


def test_a_child_at_exactly_six_tenths_is_followed() -> None:
    edges = {"a": [Edge("b", 0.6 / 0.7)]}
    assert [one.path for one in spread([Entry("a", 0.9)], edges)] == ["a", "b"]


def test_a_note_stands_once_where_it_is_most_active() -> None:
    edges = {"a": [Edge("b")], "b": [Edge("c"), Edge("a")], "x": [Edge("c")], "c": [Edge("c")]}
    found = spread([Entry("a", 0.9), Entry("x", 0.8), Entry("a", 0.9)], edges, cost=cheap)
    assert sorted(one.path for one in found) == ["a", "b", "c", "x"]
    assert {one.path: one.parent for one in found}["c"] == "x"


def test_a_budget_of_tokens_caps_the_total_and_lowers_the_depth_first() -> None:
    found = spread([Entry("a", 0.9), Entry("b", 0.8), Entry("c", 0.8)], {}, Settings(tokens=16), cost=cheap)
    assert [(one.path, one.depth) for one in found] == [("a", "full"), ("b", "summary"), ("c", "title")]
    assert sum(one.tokens for one in found) == 16
    assert spread([Entry("a", 0.9)], {}, Settings(tokens=0), cost=cheap) == []


def test_of_many_equal_children_the_most_similar_come_first() -> None:
    edges = {"hub": [Edge(f"{number:03}") for number in range(200)]}
    near = {"150": 0.7, "151": 0.6}
    found = spread([Entry("hub", 0.9)], edges, Settings(tokens=20), cost=cheap, similarity=lambda path: near.get(path, 0.0))
    assert [one.path for one in found][:3] == ["hub", "150", "151"]


def test_what_is_not_allowed_is_neither_shown_nor_passed_through() -> None:
    found = spread([Entry("a", 0.9), Entry("secret", 0.9)], chain("a", "secret", "behind"), allowed=lambda path: path != "secret")
    assert [one.path for one in found] == ["a"]


# The two golden cases of M25: notes of a channel that makes videos, similarity as an embedding would give it.

ANNOUNCEMENT = "announce the winter course to subscribers"
CHANNEL = {
    "campaigns/winter-course.md": 0.82,
    "notes/newsletter-voice.md": 0.71,
    **{f"drafts/letter-{number:02}.md": 0.6 - number / 100 for number in range(30)},
    "archive/2026/06/DEC-031.md": 0.12,
}
CHANNEL_LINKS = {
    "campaigns/winter-course.md": [Edge("notes/newsletter-voice.md"), Edge("drafts/letter-29.md", 0.5, inferred=True)],
    "notes/newsletter-voice.md": [Edge("archive/2026/06/DEC-031.md")],
}


def test_golden_an_announcement_reaches_the_decision_on_formatting_through_links() -> None:
    ranked = sorted(CHANNEL, key=lambda path: -CHANNEL[path])
    assert ranked.index("archive/2026/06/DEC-031.md") > 20
    found = spread(entries_of(CHANNEL), CHANNEL_LINKS, similarity=CHANNEL.__getitem__)
    assert [(one.path, one.depth) for one in found] == [
        ("campaigns/winter-course.md", "full"),
        ("notes/newsletter-voice.md", "summary"),
        ("archive/2026/06/DEC-031.md", "summary"),
    ]


def test_golden_the_thumbnail_background_brings_the_old_decision_with_its_content() -> None:
    near = {
        "archive/2026/08/DEC-018.md": 0.78,
        "archive/2026/11/DEC-044.md": 0.52,
        **{f"daily/2026-11-{day:02}.md": 0.4 + day / 1000 for day in range(1, 30)},
    }
    body = "## Decision\nThe background of every thumbnail is dark blue.\n\n## Why\nWhite was lost on phones."
    found = spread(entries_of(near), {}, similarity=near.__getitem__)
    assert [(one.path, one.depth) for one in found] == [("archive/2026/08/DEC-018.md", "full")]
    shown = tree(found, lambda _: "Thumbnail background", lambda _: body, lambda _: "")
    assert shown.splitlines()[0] == "entry Thumbnail background (archive/2026/08/DEC-018.md) act=1.00 sim=0.78 full"
    assert "The background of every thumbnail is dark blue." in shown


def test_the_tree_stands_under_its_entries_with_as_much_as_each_is_due() -> None:
    found = spread(
        [Entry("a", 0.9)],
        {"a": [Edge("b"), Edge("z", 1.0, inferred=True)], "b": [Edge("c")], "c": [Edge("d")]},
        cost=cheap,
        similarity=lambda _: 0.25,
    )
    shown = tree(found, str.upper, lambda path: f"text of {path}\n\n<vault-memory>|", lambda path: f"sum of {path}")
    assert shown.splitlines() == [
        "entry A (a) act=1.00 sim=0.90 full",
        "  | text of a",
        "  | ‹vault-memory›¦",
        "  → B (b) act=0.70 sim=0.25 summary",
        "    | sum of b",
        "    → C (c) act=0.49 sim=0.25 summary",
        "      | sum of c",
        "      → D (d) act=0.34 sim=0.25 title",
        "  ~ Z (z) act=0.63 sim=0.25 summary",
        "    | sum of z",
    ]


def test_a_summary_is_two_or_three_lines() -> None:
    body = "# Title\n\nFirst line.\n\n- second point\n- [ ] third point\n\nFourth."
    assert summarise("What it is about.", body) == "What it is about.\nFirst line.\nsecond point"
    assert summarise("", body) == "First line.\nsecond point\nthird point"
    assert summarise("", "") == ""
    assert max(map(len, summarise("", "word " * 500).splitlines())) <= 160


def test_japanese_costs_more_tokens_than_english_of_the_same_length() -> None:
    assert tokens_of("four words of text!!") == 5
    assert tokens_of("日本語の文章") == 6
