"""Themes: what the vault has first."""

from __future__ import annotations

import pytest

from vaultkit.capture import Known
from vaultkit.capture.clauses import Span
from vaultkit.capture.themes import Theme, themes_of, to_tag


def _names(text: str, known: Known = Known(), **more: int) -> list[str]:  # noqa: B008 - a frozen value
    return [theme.text for theme in themes_of(text, known, **more)]  # type: ignore[arg-type]


def test_a_note_of_the_vault_comes_before_its_tags_and_both_before_new_words() -> None:
    known = Known(titles={"tls.md": "TLS", "x.md": "other"}, tags={"infra": 40, "personal": 2})
    assert themes_of("rotate the TLS certificates of the infra cluster", known) == [
        Theme("TLS", "tls.md"),
        Theme("infra"),
        Theme("certificates"),
    ]


def test_an_alias_leads_to_its_note() -> None:
    known = Known(aliases={"k8s": "kubernetes.md"})
    assert themes_of("upgrade k8s", known)[0] == Theme("k8s", "kubernetes.md")


def test_a_tag_is_found_by_its_last_part_and_in_the_plural() -> None:
    known = Known(tags={"area/code-review": 3, "recipe": 1})
    assert _names("two code reviews and a recipe", known)[:2] == ["area/code-review", "recipe"]


def test_at_most_three_and_never_the_same_twice() -> None:
    known = Known(titles={"a.md": "garden", "b.md": "garden tools", "c.md": "tools"})
    found = themes_of("garden tools for the garden: spades, rakes, hoses, barrows, compost, seedlings", known)
    assert len(found) <= 3
    assert [theme.path for theme in found if theme.path] == ["b.md"]


def test_a_name_inside_another_word_is_no_theme() -> None:
    assert _names("planning", Known(titles={"p.md": "plan"})) == ["planning"] or _names("planning", Known(titles={"p.md": "plan"})) == []


@pytest.mark.parametrize("title", ["home", "Index", "2026", "a", "日", "notes"])
def test_names_that_say_nothing_are_not_linked(title: str) -> None:
    assert not [theme for theme in themes_of(f"the {title} of 2026 notes is a home 日", Known(titles={"n.md": title})) if theme.path]


def test_dates_and_addresses_hold_no_theme() -> None:
    text = "see https://example.org/kubernetes by Wednesday"
    assert _names(text) == []
    assert "月曜定例" not in [theme.text for theme in themes_of("月曜定例", Known(), dates=[Span(0, 4)])]


def test_people_that_are_only_addressed_are_no_theme() -> None:
    assert "priya" not in _names("ask Priya about the scheduler")


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("SSO for the intranet", ["sso", "intranet"]),
        ("見積書の送付先", ["見積書"]),
        ("ワークスペースを直す", ["ワークスペース"]),
        ("明日決める", []),
        ("45分煮込む", []),
        ("fix it now", []),
    ],
)
def test_new_words_are_found_by_their_script(text: str, tags: list[str]) -> None:
    assert _names(text)[: len(tags)] == tags if tags else _names(text) == []


@pytest.mark.parametrize(
    ("word", "tag"),
    [
        ("Two Words", "two-words"),
        ("C++", "c"),
        ("2026", ""),
        ("ＡＰＩ", "api"),
        ("日本語", "日本語"),
        ("a/b_c", "a/b_c"),
        ("#x!", "x"),
        ("--", ""),
        ("v1.2", "v1-2"),
    ],
)
def test_a_tag_is_one_that_obsidian_accepts(word: str, tag: str) -> None:
    assert to_tag(word) == tag
