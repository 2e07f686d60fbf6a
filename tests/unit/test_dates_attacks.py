"""Kinds of phrases that were once read wrongly."""

from __future__ import annotations

from datetime import datetime

import pytest

from vaultkit.text.dates import POINTING, find_dates

MONDAY = datetime(2026, 11, 30, 9)


def _placed(text: str) -> list[tuple[str, str]]:
    return [
        (found.date.isoformat(), found.time.strftime("%H:%M") if found.time else "")
        for found in find_dates(text, now=MONDAY)
        if found.role != "none"
    ]


def _refused(text: str) -> list[str]:
    return [found.reason for found in find_dates(text, now=MONDAY) if found.role == "none"]


@pytest.mark.parametrize(
    ("text", "placed"),
    [
        ("Send the slides to Priya 17:00 by Friday", [("2026-12-04", "17:00")]),
        ("call Bob at noon by Friday", [("2026-12-04", "12:00")]),
        ("submit 23:59 due Dec 4", [("2026-12-04", "23:59")]),
        ("資料を送る 17:00 金曜まで", [("2026-12-04", "17:00")]),
        ("shop open 9:00-17:00 until Friday", [("2026-12-04", "")]),
        ("move the 9:00 standup by Friday", [("2026-12-04", "")]),
        ("金曜25時に集合", [("2026-12-05", "01:00")]),
        ("12/5 25:30 終電", [("2026-12-06", "01:30")]),
        ("submit by 24:00 Dec 5", [("2026-12-05", "23:59")]),
        ("25:30 run in the park", []),
        ("学芸会を12月17日(木)18時より開催いたします", [("2026-12-17", "18:00")]),
        ("対象期間：2027年10月1日〜10月31日", [("2027-10-01", "")]),
        ("Monday, 2026-12-01 call the bank", [("2026-12-01", "")]),
        ("pay estimated taxes 15 Jan", [("2027-01-15", "")]),
        ("全社会議は12月8日に延期", [("2026-12-08", "")]),
        ("workshop postponed to Jan 20", [("2027-01-20", "")]),
        ("来週の金曜まて\u3099に払う", [("2026-12-11", "")]),
        ("send it b\u200by Fri\u00adday", [("2026-12-04", "")]),
        ("冬休みは12月21日から1月6日までです", [("2026-12-21", "")]),
        ("by Friday " + "`" * 20_000, [("2026-12-04", "")]),
    ],
)
def test_a_date_is_read_as_it_is_meant(text: str, placed: list[tuple[str, str]]) -> None:
    assert _placed(text) == placed


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        ("not before Dec 10", ["not before"]),
        ("don't send it before Friday", ["not before"]),
        ("the Dec 5 deadline no longer applies", ["cancelled"]),
        ("Dec 12 workshop postponed", ["cancelled"]),
        ("12月5日の会議は中止", ["cancelled"]),
        ("12月5日の締切はなくなった", ["cancelled"]),
        ("リリースは11/24に実施済み", ["past"]),
        ("it took until Friday to fix", ["past"]),
        ("対象期間：2026年10月1日〜10月31日", ["past"]),
        ("~~call Bob by Friday~~", []),
    ],
)
def test_what_is_no_deadline_says_why(text: str, reasons: list[str]) -> None:
    assert _placed(text) == []
    assert _refused(text) == reasons


@pytest.mark.parametrize("text", ["send it by Nov 25", "pay by Feb 29", "11月25日までに送る"])
def test_a_day_without_a_year_that_is_just_over_is_a_guess_and_says_so(text: str) -> None:
    (found,) = find_dates(text, now=MONDAY)
    assert (found.confidence, found.date > MONDAY.date()) == ("loose", True)
    assert "names no year" in found.warning


def test_a_line_of_a_chat_counts_from_its_own_day() -> None:
    due = "[2026-11-28 10:03:12] ana: send the invoice by tomorrow"
    assert [(str(found.date), found.warning) for found in find_dates(due, now=MONDAY) if found.role == "due"] == [
        ("2026-11-29", "this date is over")
    ]
    assert _placed("[2026-11-28 10:03] bob: party tomorrow") == []
    assert _placed("2026-12-05 10:00 party, bring a cake by tomorrow")[-1][0] == "2026-12-01"  # no log: it lies ahead


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("exam on Dec 20, read the script by then", "2026-12-20"),
        ("interview Dec 11, review the CV before", "2026-12-10"),
        ("面接は12月11日、経歴書を事前に読む", "2026-12-11"),
        ("保証は12月11日まで、その前に点検を頼む", "2026-12-10"),
    ],
)
def test_words_that_point_at_the_date_before_them_are_counted_from_it(text: str, day: str) -> None:
    assert [str(found.date) for found in find_dates(text, now=MONDAY) if found.reason == POINTING] == [day]


def test_the_day_before_the_date_before() -> None:
    assert _placed("粗大ごみは12月11日、前日までに申し込む") == [("2026-12-11", ""), ("2026-12-10", "")]
