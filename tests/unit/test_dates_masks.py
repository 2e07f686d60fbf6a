"""What can hold no date is blanked out, and every offset is kept."""

from __future__ import annotations

import pytest

from tests.support.dates import WEDNESDAY, counted
from vaultkit.text.dates import find_dates
from vaultkit.text.dates.mask import BLANK, masked, normal


@pytest.mark.parametrize(
    "hidden",
    [
        "https://example.com/2026/03/14/x",
        "example.com/2026/03/14",
        "notes/2026/03/14.md",
        "log-2026-03-14.txt",
        "`due 2026-03-14`",
        "[[2026-03-14]]",
        "#2026-03-14",
        "10.3.14.1",
        "v2026.3.14",
        "+81 90-1234-5678",
        "03-1234-5678",
        "〒100-0001",
        "INV-2026-03-14",
        "IMG_20260314",
        "1/2 cup",
        "3/4 done",
        "1/2カップ",
        "3/4くらい",
        "page 3/14",
        "chapter 12",
        "$3.14",
        "24/7",
        "John 3:16",
        "2026-03-14 10:11:12 ERROR",
        "what is 3/14?",
    ],
)
def test_such_text_holds_no_deadline(hidden: str) -> None:
    assert counted(f"see {hidden} again") == []


@pytest.mark.parametrize("shown", ["@[[2026-03-14]]", "@{2026-03-14}", "(@2026-03-14 17:00)", "due: '2026-03-14'"])
def test_deadline_syntax_of_other_plugins_is_read(shown: str) -> None:
    assert [found.date.isoformat() for found in find_dates(f"- [ ] call {shown}", now=WEDNESDAY)] == ["2026-03-14"]


def test_somebody_elses_words_in_quotes_are_no_title() -> None:
    assert counted('she wrote "please send it by Friday"') == ["2026-03-06"]


def test_fenced_code_is_passed_over() -> None:
    assert counted("by Friday\n```\nby Monday\n```\nby Thursday") == ["2026-03-06", "2026-03-05"]


def test_offsets_are_those_of_the_text_that_was_given() -> None:
    text = "①㌔ ＤＵＥ ３月１８日（水） ok\nﬃ by Ｆｒｉ"
    first, second = find_dates(text, now=WEDNESDAY)
    assert text[first.start : first.end] == first.phrase == "ＤＵＥ ３月１８日（水）"
    assert text[second.start : second.end] == second.phrase == "by Ｆｒｉ"


def test_normal_text_folds_width_and_look_alikes() -> None:
    plain = normal("３／４　’26–")
    assert plain.text == "3/4 '26-"


def test_blanks_are_as_long_as_what_they_hide() -> None:
    line = normal("see https://a.example/2026/3/4 today")
    shown = masked(line)
    assert len(shown.text) == len(line.text)
    assert shown.text == f"see {BLANK * 26} today"
