"""The date grammar on any text: it never raises, its spans are true, and the cheap test turns no date away."""

from __future__ import annotations

import itertools
from datetime import datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from vaultkit.text.dates import DatePolicy, find, find_dates, find_unplaced, may_hold_date
from vaultkit.text.dates.phrases import DEFAULT_POLICY

PIECES = st.sampled_from(
    [
        "by",
        "due",
        "before",
        "until",
        "on",
        "in",
        "within",
        "the",
        "a",
        "next",
        "last",
        "this",
        "every",
        "end",
        "of",
        "mid",
        "early",
        "Monday",
        "Fri",
        "Sat",
        "sun",
        "Mar",
        "5",
        "May",
        "June",
        "31st",
        "2nd",
        "third",
        "week",
        "month",
        "quarter",
        "year",
        "days",
        "hours",
        "tomorrow",
        "today",
        "tonight",
        "ago",
        "later",
        "earlier",
        "3",
        "12/5",
        "2/30",
        "2026-03-20",
        "2026-13-01",
        "5pm",
        "17:00",
        "at",
        "9",
        "noon",
        "EOD",
        "Q3",
        "H1",
        "Christmas",
        "summer",
        "and",
        "to",
        "from",
        "-",
        ",",
        ".",
        "(",
        ")",
        ":",
        "@",
        "+",
        "2wks",
        "20260320",
        "call",
        "was",
        "sent",
        "meeting",
        "expires",
        "までに",
        "まで",
        "に",
        "の",
        "は",
        "から",
        "〜",
        "、",
        "。",
        "（金）",
        "金曜",
        "来週",
        "今月",
        "末",
        "中旬",
        "3日",
        "二十日",
        "3月",
        "五月",
        "三日後",
        "1か月前",
        "以内",
        "毎週",
        "毎月",
        "第2",
        "締切",
        "必着",
        "期限",
        "明日",
        "今日中",
        "昨日",
        "午後",
        "5時",
        "半",
        "令和8年",
        "R8.3.31",
        "年度末",
        "GW",
        "前",
        "大晦日",
        "行く",
        "した",
        "まだ",
        "送る",
        "面談",
        "ＡＢ",
        "３／４",
        "ﬃ",
        "�",
        "\x00",
        "🗓",
        "📅",
        "\n",
        "`x`",
        "[[x]]",
    ]
)
PHRASES = st.lists(PIECES, max_size=12).flatmap(lambda pieces: st.sampled_from([" ".join(pieces), "".join(pieces)]))
ANY_TEXT = st.text(alphabet=st.characters(codec=None), max_size=60) | PHRASES
MOMENTS = st.datetimes(min_value=datetime(1, 1, 1), max_value=datetime(9999, 12, 31))
POLICIES = st.builds(
    DatePolicy,
    day_first=st.booleans(),
    week_ends=st.integers(0, 6),
    fiscal_year_end=st.sampled_from([(3, 31), (12, 31), (6, 30), (2, 29)]),
)


@settings(deadline=None, max_examples=300)
@given(ANY_TEXT, MOMENTS, POLICIES)
def test_any_text_at_any_time_is_read_with_true_spans(text: str, now: datetime, policy: DatePolicy) -> None:
    found = find_dates(text, now=now, policy=policy)
    assert all(text[phrase.start : phrase.end] == phrase.phrase != "" for phrase in found)
    assert all(left.end <= right.start for left, right in itertools.pairwise(found))
    assert all((phrase.role == "none") <= bool(phrase.reason) for phrase in found)
    for unplaced in find_unplaced(text, now=now, policy=policy):
        assert text[unplaced.start : unplaced.end] == unplaced.phrase
        assert unplaced.reason
        assert all(unplaced.end <= phrase.start or phrase.end <= unplaced.start for phrase in found)


@settings(deadline=None, max_examples=400)
@given(PHRASES)
def test_the_cheap_test_turns_no_date_away(text: str) -> None:
    for line in text.split("\n"):
        if not may_hold_date(line):
            assert find._read(line, datetime(2026, 3, 4, 10), DEFAULT_POLICY).placed == []


@settings(deadline=None, max_examples=60)
@given(PIECES, st.integers(2, 400))
def test_what_is_repeated_without_end_is_read_in_linear_time(piece: str, times: int) -> None:
    # A quadratic rule would make this suite hang; what is asserted is that nothing raises and every span is true.
    text = f"{piece} " * times * 8
    assert all(text[phrase.start : phrase.end] == phrase.phrase for phrase in find_dates(text, now=datetime(2026, 3, 4, 10)))
