"""Snippets: which stretch of a note is shown, and how it reads."""

from __future__ import annotations

import pytest

from vaultkit.text.snippet import plain, snippet


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("## Why **this** matters", "Why this matters"),
        ("- [ ] ask [[deploy-plan|the plan]] ^k1", "ask the plan"),
        ("  * ![[image.png]] and [[a#b]]", "image.png and a#b"),
        ("3. see [the page](https://example.org/x?y=1)", "see the page"),
        ("> [!note]- Title", "Title"),
        ("> > quoted", "quoted"),
        ("`code` ==marked== ~~gone~~ a*b*c", "code marked gone a*b*c"),
        ("これは**重要**です", "これは重要です"),
        ("kept %%not shown%% <!-- nor this --> <br>here", "kept here"),
        ("a == b, 2 * 3, snake_case", "a == b, 2 * 3, snake_case"),
        ("tab\tand\x00nul", "tab and nul"),
    ],
)
def test_markdown_reads_as_text(line: str, text: str) -> None:
    assert plain(line) == text


def test_the_line_with_the_most_terms_is_shown() -> None:
    body = "# Title\n\nThe runner waits.\n\n- the **GitLab** runner was bought\n- gitlab again"
    assert snippet(body, ["gitlab", "buy", "runner"]) == "the GitLab runner was bought"


def test_the_first_of_equal_lines_is_shown() -> None:
    assert snippet("one zebra\ntwo zebras", ["zebra"]) == "one zebra"


def test_a_long_line_is_cut_around_its_terms_at_words() -> None:
    shown = snippet("start " * 60 + "the zebra budget here" + " end" * 60, ["zebra", "budget"], size=60)
    assert "the zebra budget here" in shown
    assert shown.startswith("…start")
    assert shown.endswith(" end…")
    assert len(shown) <= 60


def test_a_line_without_spaces_is_cut_around_its_terms() -> None:
    shown = snippet("本文です。" * 40 + "会議室の予約は金曜まで。" + "その他。" * 40, ["会議室", "予約"], size=40)
    assert "会議室の予約" in shown
    assert len(shown) <= 40


@pytest.mark.parametrize(
    ("body", "terms", "part"),
    [
        ("別の話。\n両面のﾌﾟﾘﾝﾀを使う。", ["プリンタ"], "ﾌﾟﾘﾝﾀ"),
        ("別の話。\nＧｉｔＬａｂに移した。", ["gitlab"], "ＧｉｔＬａｂ"),
        ("other\nthe de\u0301ja\u0300 vu", ["deja"], "vu"),
        ("別の話。\n締め切りは明日。", ["締切"], "締め切り"),
        ("other\nparty 🚀 now", ["🚀"], "🚀"),
        ("other\nwe use Wi-Fi", ["wifi"], "Wi-Fi"),
        ("other\n猫がいる", ["猫"], "猫"),
    ],
)
def test_a_term_is_found_however_the_note_writes_it(body: str, terms: list[str], part: str) -> None:
    assert part in snippet(body, terms)


@pytest.mark.parametrize(
    ("body", "opening"),
    [
        ("# Title\n\nThe text.", "The text."),
        ("\n---\n```\ncode", "code"),
        ("| a | b |\n|---|---|", "| a | b |"),
        ("# Only a title", "Only a title"),
        ("", ""),
    ],
)
def test_a_note_found_by_its_title_shows_its_beginning(body: str, opening: str) -> None:
    assert snippet(body, ["elsewhere"]) == opening
    assert snippet(body, []) == opening


def test_text_far_down_a_huge_line_is_found() -> None:
    assert "zebra" in snippet("word " * 100_000 + "a zebra at last", ["zebra"])
