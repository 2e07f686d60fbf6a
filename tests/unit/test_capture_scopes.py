"""Which scope a capture gets, and when it says that it is not sure."""

from __future__ import annotations

import pytest

from vaultkit.capture import Known, Settings, classify
from vaultkit.capture.scopes import checked_scope, fold, mentions, project_slug, rule_hits
from vaultkit.errors import UsageError

SETTINGS = Settings()


@pytest.mark.parametrize(
    ("text", "scope"),
    [
        ("the customer wants the invoice again", "work"),
        ("稟議書を部長に回す", "work"),
        ("new winter tyres for the car", "personal"),
        ("子どもの保育園に電話", "personal"),
        ("podcast episode 4 needs an outro", "project/side"),
        ("自作キーボードの基板", "project/side"),
    ],
)
def test_cue_words_tell_the_scope(text: str, scope: str) -> None:
    verdict = classify(text, Known(), SETTINGS)
    assert (verdict.scope, verdict.confidence) == (scope, "high")


@pytest.mark.parametrize("text", ["something blue", "うーん", "gift idea", "🙂"])
def test_what_is_not_clear_stays_in_the_inbox_and_says_so(text: str) -> None:
    verdict = classify(text, Known(), SETTINGS)
    assert (verdict.scope, verdict.confidence) == ("inbox", "low")


def test_the_lexicon_decides_over_everything() -> None:
    known = Known(scopes={"Acme": "work"})
    settings = Settings(lexicon={"personal": ["Acme"], "work": ["zebra"]})
    assert classify("the Acme client contract", known, settings).scope == "personal"


def test_a_lexicon_that_contradicts_itself_decides_nothing() -> None:
    settings = Settings(lexicon={"personal": ["lamp"], "work": ["desk"]})
    assert classify("a lamp for the desk of our biggest customer", Known(), settings).scope == "work"


def test_a_lexicon_may_name_a_project() -> None:
    settings = Settings(lexicon={"project/orbit": ["telescope"], "project": ["banjo"]})
    assert classify("telescope mirror", Known(), settings).scope == "project/orbit"
    assert classify("banjo strings", Known(), settings).scope == "project/side"


def test_an_entity_of_the_vault_outvotes_a_cue_word() -> None:
    known = Known(scopes={"Juniper": "project/juniper"}, projects=["Juniper"])
    assert classify("Juniper needs slides", known, SETTINGS).scope == "project/juniper"


def test_a_wikilink_to_an_entity_counts_more_than_its_name() -> None:
    known = Known(scopes={"Juniper": "project/juniper", "Acme": "work"})
    assert classify("[[Juniper]] demo for Acme", known, SETTINGS).scope == "project/juniper"


def test_cues_for_a_project_go_to_the_project_that_is_named() -> None:
    known = Known(scopes={"Juniper": "project/juniper"}, projects=["Juniper"])
    assert classify("Juniper: fix the parser and the linter", known, SETTINGS).scope == "project/juniper"


def test_a_name_inside_another_word_is_no_mention() -> None:
    known = Known(scopes={"Ann": "personal"})
    assert classify("planning", known, SETTINGS).confidence == "low"
    assert not mentions("planning", "ann")
    assert mentions("田中さんと話す", "田中")


def test_an_identifier_before_the_first_colon_names_the_project() -> None:
    assert classify("quillfish: the parser eats commas", Known(), SETTINGS).scope == "project/quillfish"
    assert classify("todo: rewrite the parser", Known(), SETTINGS).scope == "project/side"


def test_neighbours_decide_only_in_a_vault_that_is_large_enough() -> None:
    votes = [("personal", 4.0), ("work", 1.0)]
    assert classify("about the thing", Known(neighbours=votes, notes=3), SETTINGS).confidence == "low"
    assert classify("about the thing", Known(neighbours=votes, notes=4_000), SETTINGS).scope == "personal"


def test_the_person_is_always_right() -> None:
    verdict = classify("the customer wants an invoice", Known(), SETTINGS, asked="project/New Thing")
    assert (verdict.scope, verdict.confidence) == ("project/new-thing", "high")


def test_a_scope_that_is_none_is_refused() -> None:
    with pytest.raises(UsageError, match="no scope"):
        checked_scope("hobby", SETTINGS)
    assert checked_scope("project", SETTINGS) == "project/side"
    assert checked_scope("inbox", SETTINGS) == "inbox"


def test_a_longer_cue_hides_the_shorter_one_inside_it() -> None:
    assert rule_hits(fold("部屋")).get("work") is None
    assert rule_hits(fold("工夫した")) == {}
    assert "work" not in rule_hits(fold("book club meeting minutes at the library card"))["personal"]


def test_hosts_of_addresses_lean() -> None:
    assert classify("a page", Known(), SETTINGS, url="https://github.com/a/b").scope == "project/side"
    assert classify("a page", Known(), SETTINGS, url="https://user@my.atlassian.net/x").scope == "work"
    assert classify("a page", Known(), SETTINGS, url="https://notgithub.com/").confidence == "low"


def test_project_names_are_safe_to_write() -> None:
    assert project_slug("  A/B: ケース ") == "a-b-ケース"
    assert project_slug("!!") == ""
