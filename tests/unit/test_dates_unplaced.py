"""What looks like a date and cannot be placed is named."""

from __future__ import annotations

import pytest

from tests.support.dates import WEDNESDAY
from vaultkit.text.dates import find_dates, find_unplaced


@pytest.mark.parametrize(
    ("text", "phrase", "reason"),
    [
        ("2026-13-45 deadline", "2026-13-45", "no such date"),
        ("by Feb 30", "Feb 30", "no such date"),
        ("due 2/30", "2/30", "no such date"),
        ("due 13/45", "13/45", "no such date"),
        ("6月31日まで", "6月31日", "no such date"),
        ("call back in 99999999 years", "in 99999999 years", "no such date"),
        ("rotate it a week earlier", "a week earlier", "no date to count from"),
        ("2日前に申請", "2日前", "no date to count from"),
        ("fix the sink sometime soon", "sometime soon", "vague"),
        ("近いうちに連絡", "近いうちに", "vague"),
        ("連休前に予約", "連休前に", "vague"),
        ("kickoff: TBD", "TBD", "not decided"),
        ("日程は未定", "未定", "not decided"),
        ("pay by then", "by then", "depends on another date"),
        ("その前に写真を撮る", "その前に", "depends on another date"),
    ],
)
def test_it_is_named_with_the_reason(text: str, phrase: str, reason: str) -> None:
    (unplaced,) = find_unplaced(text, now=WEDNESDAY)
    assert (unplaced.phrase, unplaced.reason) == (phrase, reason)
    assert text[unplaced.start : unplaced.end] == phrase
    assert find_dates(text, now=WEDNESDAY) == []


def test_a_length_with_two_dates_to_count_from_is_counted_from_the_last_and_called_a_guess() -> None:
    text = "trip April 10, exam May 2, revise a week earlier"
    assert [(found.date.isoformat(), found.confidence) for found in find_dates(text, now=WEDNESDAY)][-1] == ("2026-04-25", "loose")
    before = "a week earlier, before the exam on May 2 and the trip on May 10"
    assert [unplaced.reason for unplaced in find_unplaced(before, now=WEDNESDAY)] == ["more than one date to count from"]


@pytest.mark.parametrize("text", ["exam is March 20, learn by then", "3年前に引っ越した", "two weeks ago", "dentist by Friday", "a test"])
def test_what_is_placed_or_over_is_not_named(text: str) -> None:
    assert find_unplaced(text, now=WEDNESDAY) == []
