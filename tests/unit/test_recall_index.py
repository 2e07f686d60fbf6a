"""What recall keeps of a note."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.recalls import Memory, note
from vaultkit import recall
from vaultkit.recall.index import row_of
from vaultkit.text.note import parse_note
from vaultkit.text.tokens import word_counts


def row(text: str, path: str = "tea.md") -> recall.Row:
    return row_of(parse_note(path, text), text, type="knowledge", status="active", scope="personal")


def test_a_record_comes_back_as_it_was() -> None:
    text = note(
        "# Sencha\n\n70 degrees, 煎茶 is 緑茶. ## Not a heading\n\n## Water\n\nSoft.", title="Sencha", tags=["tea/green"], aliases=["煎茶"]
    )
    own = row(text)
    packed = recall.record_of(parse_note("tea.md", text), text, type="knowledge", status="active", scope="personal")
    assert recall.Row.unpack("tea.md", packed) == own
    assert (own.title, own.tags, own.aliases, own.contents, own.scope) == ("Sencha", ("tea/green",), ("煎茶",), "Water", "personal")


def test_tokens_that_are_known_already_need_not_be_cut_again() -> None:
    text = note("Sencha, sencha and 煎茶 again: sencha.", title="Sencha")
    parsed = parse_note("tea.md", text)
    words = word_counts(text[parsed.body :])
    assert words["sencha"] == 3
    assert row_of(parsed, text, type="", status="", scope="", words=words) == row_of(parsed, text, type="", status="", scope="")


def test_any_text_becomes_a_record() -> None:
    for text in ("", "\ud800 lone", "---\ntags: [\n---\n", "\x00" * 50, "ー" * 40, "🚀" * 9):
        assert recall.Row.unpack("x.md", row(text, "x.md").pack()).path == "x.md"


@pytest.mark.parametrize(
    ("properties", "private"),
    [
        ({"recall": "never"}, True),
        ({"recall": "Never"}, True),
        ({"recall": False}, True),
        ({"private": True}, True),
        ({"private": "yes"}, True),
        ({"Private": True}, True),
        ({"private": ["true"]}, True),
        ({"private": "family only"}, True),
        ({"private": False}, False),
        ({"private": "no"}, False),
        ({"private": None}, False),
        ({"recall": "always"}, False),
        ({"recall": True}, False),
        ({}, False),
    ],
)
def test_a_note_says_itself_that_it_is_private(properties: dict[str, Any], private: bool) -> None:
    assert row(note("Body", **properties)).private is private


def test_an_inline_field_makes_a_note_private_as_well() -> None:
    assert row("# Diary\n\nprivate:: true\n").private
    assert row("# Diary\n\nrecall:: never\n").private


@pytest.mark.parametrize(
    ("text", "private"),
    [
        ("---\nprivate: true\ntitle: a: b: [\n---\nBody\n", True),
        ("---\ntitle: [\n  Recall: 'never'\n---\nBody\n", True),
        ("---\nprivate: true\nBody of a block that nothing closes\n", True),
        ("---\nprivate: false\ntitle: [\n---\nBody\n", False),
        ("---\ntitle: [\n---\nprivate: true stands in the body\n", False),
        ("Body\nprivate: true\n", False),
        ("---\ntags: x\n---\nprivate: true\n", False),
    ],
)
def test_a_slip_elsewhere_in_its_block_does_not_open_a_private_note(text: str, private: bool) -> None:
    assert row(text).private is private


@pytest.mark.parametrize(
    ("properties", "superseded"),
    [
        ({"superseded_by": "[[New]]"}, True),
        ({"superseded-by": ["[[New]]"]}, True),
        ({"replaced_by": "New"}, True),
        ({"status": "superseded"}, True),
        ({"superseded_by": ""}, False),
        ({"supersedes": "[[Old]]"}, False),
    ],
)
def test_a_note_that_names_its_successor_is_superseded(properties: dict[str, Any], superseded: bool) -> None:
    assert row(note("Body", **properties)).superseded is superseded


@pytest.mark.parametrize(
    ("prompt", "body"),
    [
        ("締切", "書類の締め切りは金曜。"),
        ("締め切り", "書類の締切は金曜。"),
        ("サーバー", "サーバを買う。"),
        ("ﾌﾟﾘﾝﾀ", "プリンターを買う。"),
        ("ヴァイオリン", "バイオリンを買う。"),
        ("猫", "猫が来た。"),
        ("steeping", "It steeps."),
        ("git lab", "Moved to GitLab."),
        ("Ｗｉ－Ｆｉ", "wifi is slow"),
        ("관계", "관계형 데이터"),
        ("数据库备份的策略是什么", "数据库每天备份，策略写在这里。"),
    ],
)
def test_spellings_meet(prompt: str, body: str) -> None:
    assert Memory({"a.md": f"# A\n\n{body}\n"}).paths(prompt)[:1] == ["a.md"]
