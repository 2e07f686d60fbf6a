"""Research that was begun: the marker stands until the findings are saved."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from tests.support.program import Program
from vaultkit.app import open_app
from vaultkit.operations.research import STALE, begin, unfinished_research

FINDINGS = "# {}\n\n## Findings\n\n- a claim: https://spec.example.net/{}\n"


def questions(vk: Program) -> list[str]:
    return [one["question"] for one in vk.json("research", "status")["unfinished"]]


def save(vk: Program, title: str, *words: str, text: str = FINDINGS, code: int = 0) -> None:
    vk.home.joinpath("findings.md").write_text(text.format(title, 1))
    assert vk("research", "save", *words, str(vk.home / "findings.md")).code == code


def test_a_marker_stands_until_the_findings_are_saved(vk: Program) -> None:
    begun = vk.json("research", "begin", "Which library", "keeps undo?")
    assert begun["question"] == "Which library keeps undo?"
    assert vk.json("research", "begin", "Which library keeps undo?")["id"] == begun["id"]
    assert questions(vk) == ["Which library keeps undo?"]
    save(vk, "Undo", text="# {}\n\n## Findings\n\n- no source {}\n", code=5)
    assert questions(vk) == ["Which library keeps undo?"]  # refused findings end nothing
    save(vk, "Undo", "--dry-run")
    assert questions(vk)
    save(vk, "Undo")
    assert questions(vk) == []


def test_of_several_the_one_that_fits_is_ended(vk: Program) -> None:
    vk.ok("research", "begin", "背景色の決め方")
    vk.ok("research", "begin", "Which library keeps undo?")
    last = vk.json("research", "begin", "How are certificates renewed?")
    save(vk, "背景色はどう決めるか")
    assert questions(vk) == ["Which library keeps undo?", "How are certificates renewed?"]
    save(vk, "Something else altogether")
    assert len(questions(vk)) == 2
    save(vk, "Something else altogether", "--id", last["id"])
    assert questions(vk) == ["Which library keeps undo?"]


def test_an_id_that_is_none_saves_nothing(vk: Program) -> None:
    save(vk, "Undo", "--id", "nope", code=3)
    assert not list((vk.vault / "inbox").glob("*undo*"))
    assert vk("research", "status", "--drop", "nope").code == 3
    assert vk("research", "begin", "  ").code == 2


def test_a_question_can_be_given_up(vk: Program) -> None:
    begun = vk.json("research", "begin", "Why?")
    assert "dropped" in vk.ok("research", "status", "--drop", begun["id"]).out
    assert vk.ok("research", "status").out.strip() == "no research is under way"


def test_a_turn_ends_with_its_own_questions_only(vk: Program) -> None:
    vk.ok("research", "begin", "--session", "s1", "One?")
    vk.ok("research", "begin", "--session", "s2", "Two?")
    vk.ok("research", "begin", "Three?")
    with open_app(str(vk.vault)) as app:
        assert {one.question for one in unfinished_research(app, "s1")} == {"One?", "Three?"}
        (app.places.state / "research" / "broken.json").write_text("{")
        (app.places.state / "research" / "odd.json").write_text('{"question": 1}')
        assert {one.question for one in unfinished_research(app, "s2")} == {"Two?", "Three?"}
    assert [one["question"] for one in vk.json("research", "status", "--session", "s1")["unfinished"]] == ["One?", "Three?"]


def test_a_stale_question_is_asked_about_no_more(vk: Program) -> None:
    now = datetime(2026, 11, 30, 9, 0)
    with open_app(str(vk.vault), clock=lambda: now) as app:
        begin(app, "Old?")
    with open_app(str(vk.vault), clock=lambda: now + STALE + timedelta(seconds=1)) as app:
        assert unfinished_research(app, "") == []
    assert questions(vk) == ["Old?"]


@pytest.mark.parametrize("question", ["a\nb", "x" * 5000, "'; rm -rf /", "\udcff", "質問？"])
def test_any_text_is_a_question(vk: Program, question: str) -> None:
    assert vk("research", "begin", "--", question).code == 0
    assert len(questions(vk)) == 1
