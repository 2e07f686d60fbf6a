"""The ranking of memory.md M20, and what may be recalled at all."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from tests.support.recalls import Memory, note
from vaultkit.recall import Policy, Row, Use, gather
from vaultkit.recall.rank import DEFAULTS

NOW = datetime(2026, 11, 30, 9, 0)
SIX = "kettle sencha bamboo whisk strainer tatami"


def test_six_different_words_beat_one_that_stands_in_every_field() -> None:
    vault = Memory(
        {
            "six.md": note(f"On the shelf: {SIX}."),
            "hub.md": note(("kettle " * 50) + "\n\n## Kettle\n\nkettle", title="Kettle kettle", tags=["kettle"], aliases=["kettle"]),
        }
    )
    assert vault.paths(SIX) == ["six.md", "hub.md"]


def test_six_different_words_beat_the_hub_word_though_the_hub_word_is_the_rarest() -> None:
    others = {f"{word}{number}.md": note(f"{word}.") for word in SIX.split()[1:] for number in range(9)}
    vault = Memory(
        {"six.md": note(f"{SIX}."), "hub.md": note("kettle " * 50, title="Kettle", tags=["kettle"], aliases=["kettle"]), **others}
    )
    assert vault.paths(SIX)[0] == "six.md"


def test_the_title_outranks_alias_tag_heading_and_body_in_this_order() -> None:
    vault = Memory(
        {
            "1.md": note("Text.", title="Kettle"),
            "2.md": note("Text.", title="Second", aliases=["kettle"]),
            "3.md": note("Text.", title="Third", tags=["kettle"]),
            "4.md": note("## Kettle\n\nText.", title="Fourth"),
            "5.md": note("Text with a kettle.", title="Fifth"),
        }
    )
    assert vault.paths("kettle") == ["1.md", "2.md", "3.md", "4.md", "5.md"]


def test_a_word_counts_four_times_in_a_body_and_no_more() -> None:
    words = " ".join(["tatami"] * 96)
    vault = Memory(
        {
            "one.md": note(f"kettle {words} mat mat mat"),
            "four.md": note(f"{'kettle ' * 4} {words}"),
            "many.md": note(f"{'kettle ' * 40} {words.replace('tatami', '', 36)}"),
            "title.md": note(words, title="Kettle"),
        }
    )
    scores = {one.path: one.base for one in vault.rank("kettle")}
    assert scores["one.md"] < scores["four.md"] == pytest.approx(scores["many.md"], rel=0.02)
    assert scores["four.md"] < scores["title.md"]


def test_the_score_is_a_share_of_what_the_prompt_could_reach() -> None:
    vault = Memory({"all.md": note("kettle kettle", title="Kettle", tags=["kettle"], aliases=["kettle"]), "half.md": note("A kettle.")})
    for one in vault.rank("kettle nonexistent"):
        assert 0 < one.base < 0.5
        assert 0.3 < one.coverage < 0.6
    assert all(one.coverage == 1 and one.base <= 1 for one in vault.rank("kettle"))


def test_a_word_that_no_note_has_lowers_every_score() -> None:
    vault = Memory({"a.md": note("A kettle.")})
    assert vault.rank("kettle")[0].base > vault.rank("kettle saucer")[0].base > vault.rank("kettle saucer ladle")[0].base


def test_a_long_note_full_of_everything_comes_near_nothing() -> None:
    everything = " ".join(f"word{number}" for number in range(5000))
    vault = Memory({"long.md": note(f"kettle {everything} whisk"), "short.md": note("A kettle and a whisk.")})
    ranked = vault.rank("kettle whisk")
    assert [one.path for one in ranked] == ["short.md", "long.md"]
    assert ranked[1].base < 0.2 * ranked[0].base


def test_a_compound_of_which_a_part_is_there_counts_in_part() -> None:
    vault = Memory(
        {
            "whole.md": note("障害対応手順を読む。"),
            "apart.md": note("障害の対応の手順を読む。"),
            "part.md": note("手順を読む。"),
            "kyoto.md": note("京都へ行く。"),
            "tokyo.md": note("東京都へ行く。"),
        }
    )
    assert [one.path for one in vault.rank("障害対応手順")] == ["whole.md", "apart.md", "part.md"]
    whole, apart, part = (one.coverage for one in vault.rank("障害対応手順"))
    assert whole == 1
    assert 0.8 < apart < 1
    assert part < 0.4
    assert [(one.path, one.coverage == 1) for one in vault.rank("東京都")] == [("tokyo.md", True), ("kyoto.md", False)]


def test_recent_and_useful_notes_come_first_among_equals_and_only_there() -> None:
    vault = Memory({name: note("A kettle.") for name in ("a.md", "b.md", "c.md")} | {"best.md": note("Text.", title="Kettle")})
    read = Use(accessed=3, last_accessed=NOW - timedelta(days=1))
    helped = Use(accessed=3, last_accessed=NOW - timedelta(days=400), useful=2)
    often = Use(accessed=10_000, last_accessed=NOW, useful=10_000)
    assert vault.paths("kettle", uses={"b.md": read, "c.md": helped}, now=NOW) == ["best.md", "c.md", "b.md", "a.md"]
    assert vault.paths("kettle", uses={"c.md": often}, now=NOW)[:2] == ["best.md", "c.md"]
    bonus = vault.rank("kettle", uses={"c.md": often}, now=NOW)[1].bonus
    assert 0 < bonus <= DEFAULTS.recent + DEFAULTS.useful


def test_having_been_shown_or_only_dated_counts_for_nothing() -> None:
    vault = Memory({"a.md": note("A kettle."), "b.md": note("A kettle.")})
    assert all(one.bonus == 0 for one in vault.rank("kettle", uses={"b.md": Use(0, NOW, 0)}, now=NOW))


def test_backlinks_count_in_an_overview_only() -> None:
    vault = Memory({"a.md": note("A kettle."), "b.md": note("A kettle.")})
    links = {"b.md": 30}
    assert vault.paths("kettle", mode="graph-overview", backlinks=links) == ["b.md", "a.md"]
    assert vault.paths("kettle", mode="targeted", backlinks=links) == ["a.md", "b.md"]
    assert vault.paths("kettle", mode="light", backlinks=links) == ["a.md", "b.md"]


def test_daily_notes_and_sessions_are_recalled_at_a_lower_weight() -> None:
    vault = Memory({"1.md": note("A kettle.", type="daily"), "2.md": note("A kettle.", type="session"), "3.md": note("A kettle.")})
    ranked = vault.rank("kettle")
    assert [one.path for one in ranked] == ["3.md", "1.md", "2.md"]
    assert ranked[0].score > ranked[1].score > 0.5 * ranked[0].score


@pytest.mark.parametrize("status", ["proposed", "retired", "discarded", "processed"])
def test_only_active_notes_are_recalled_unless_asked(status: str) -> None:
    vault = Memory({"a.md": note("A kettle.", status=status), "b.md": note("A kettle.")})
    assert vault.paths("kettle") == ["b.md"]
    assert vault.paths("kettle", Policy(inactive=True)) == ["a.md", "b.md"]


def test_a_superseded_note_stays_out_whoever_says_so() -> None:
    vault = Memory({"old.md": note("A kettle.", superseded_by="[[new]]"), "older.md": note("A kettle."), "new.md": note("A kettle.")})
    assert vault.paths("kettle", Policy(superseded={"older.md"})) == ["new.md"]


@pytest.mark.parametrize(
    ("properties", "path", "policy"),
    [
        ({"recall": "never"}, "a.md", Policy(inactive=True)),
        ({"private": True}, "a.md", Policy(inactive=True)),
        ({"type": "template"}, "a.md", Policy(inactive=True)),
        ({}, "Diary/2026/a.md", Policy(private_folders=["diary"])),
        ({}, "family/a.md", Policy(private_folders=["/Family/"])),
        ({}, "a.md", Policy(muted=["a.md"])),
        ({"scope": "personal"}, "a.md", Policy(scopes=["work", "project"])),
        ({"scope": "projects/x"}, "a.md", Policy(scopes=["project"])),
        ({}, "a.md", Policy(scopes=["work"])),
        ({"scope": "work"}, "a.md", Policy(scopes=[])),
    ],
)
def test_what_may_not_leave_is_left_out(properties: dict[str, object], path: str, policy: Policy) -> None:
    assert Memory({path: note("A kettle.", **properties)}).paths("kettle", policy) == []


@pytest.mark.parametrize(
    ("properties", "policy"),
    [
        ({"scope": "project/x"}, Policy(scopes=["project"])),
        ({"scope": "Work"}, Policy(scopes=["work"])),
        ({"scope": "personal"}, Policy()),
        ({}, Policy(scopes=["inbox"])),
        ({}, Policy(private_folders=["", "diar"], muted=["b.md"])),
    ],
)
def test_what_may_leave_does(properties: dict[str, object], policy: Policy) -> None:
    assert Memory({"diary.md": note("A kettle.", **properties)}).paths("kettle", policy) == ["diary.md"]


def test_what_is_left_out_takes_nobodys_place() -> None:
    hidden = {f"hidden/{number}.md": note("A kettle.") for number in range(180)}
    vault = Memory({**hidden, "open.md": note("A kettle.")}, filler=0)
    rows = {row.path: row for row in vault.rows}
    asked: list[int] = []

    def find(depth: int) -> list[str]:
        asked.append(depth)
        return sorted(rows)[:depth]

    def read(paths: object) -> list[Row]:
        assert isinstance(paths, list)
        return [rows[path] for path in paths]

    assert [row.path for row in gather(find, read, Policy(private_folders=["hidden"]))] == ["open.md"]
    assert asked == [50, 200]


def test_equals_stand_by_path() -> None:
    assert Memory({name: note("A kettle.") for name in ("b.md", "c.md", "a.md")}).paths("kettle") == ["a.md", "b.md", "c.md"]


def test_why_names_words_and_fields() -> None:
    found = Memory({"a.md": note("A kettle.", title="Sencha")}).rank("sencha kettle ladle")[0].why()
    assert found["terms"] == ["sencha", "kettle"]
    assert found["fields"] == ["title", "body"]
    assert 0.5 < float(str(found["coverage"])) < 0.8
