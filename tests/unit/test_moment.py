from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vaultkit.text.moment import format_moment, parse_moment

DAY = date(2026, 11, 5)  # a Thursday
MOMENT = datetime(2026, 11, 5, 13, 4, 9, 123_000, tzinfo=timezone(timedelta(hours=9)))


@pytest.mark.parametrize(
    ("pattern", "en", "ja"),
    [
        ("YYYY YY Y YYYYY YYYYYY", "2026 26 2026 02026 +002026", "2026 26 2026 02026 +002026"),
        ("Q Qo", "4 4th", "4 4"),
        ("M MM MMM MMMM Mo", "11 11 Nov November 11th", "11 11 11月 11月 11"),
        ("D DD Do DDD DDDD DDDo", "5 05 5th 309 309 309th", "5 05 5日 309 309 309日"),
        ("d dd ddd dddd do E e", "4 Th Thu Thursday 4th 4 4", "4 木 木 木曜日 4日 4 4"),
        ("w ww wo W WW Wo", "45 45 45th 45 45 45th", "45 45 45 45 45 45"),
        ("gg gggg GG GGGG", "26 2026 26 2026", "26 2026 26 2026"),
        ("H HH h hh k kk m mm s ss", "13 13 1 01 13 13 4 04 9 09", "13 13 1 01 13 13 4 04 9 09"),
        ("Hmm Hmmss hmm hmmss", "1304 130409 104 10409", "1304 130409 104 10409"),
        ("S SS SSS SSSS", "1 12 123 1230", "1 12 123 1230"),
        ("A a", "PM pm", "午後 午後"),
        ("Z ZZ X x", "+09:00 +0900 1793851449 1793851449123", "+09:00 +0900 1793851449 1793851449123"),
        ("L", "11/05/2026", "2026/11/05"),
        ("LL", "November 5, 2026", "2026年11月5日"),
        ("llll", "Thu, Nov 5, 2026 1:04 PM", "2026年11月5日(木) 13:04"),
        ("N NNNN y yo", "AD Anno Domini 2026 2026th", "R 令和 8 8年"),
        ("[Week] ww [of] gggg", "Week 45 of 2026", "Week 45 of 2026"),
        ("YYYY年MM月DD日", "2026年11月05日", "2026年11月05日"),
        (
            "daily/YYYY/MM-MMMM/YYYY-MM-DD-dddd",
            "4pmi11/5/20262026/2026/11-November/2026-11-05-Thursday",
            "4午後i2026/11/058/2026/11-11月/2026-11-05-木曜日",
        ),
        (r"\YYYY-\[x] [] [unclosed", "YYYY-[1793851449123]  [unc11/5/2026o944", "YYYY-[1793851449123]  [unc2026/11/05o944"),
        ("[a] D ]", "a] D ", "a] D "),
    ],
)
def test_every_token_is_written_as_moment_writes_it(pattern: str, en: str, ja: str) -> None:
    assert format_moment(MOMENT, pattern) == en
    assert format_moment(MOMENT, pattern, locale="ja") == ja


@pytest.mark.parametrize(
    ("pattern", "locale", "text"),
    [
        ("gggg-[W]ww", "en", "2021-W02"),
        ("gggg-[W]ww", "en-gb", "2020-W53"),
        ("gggg-[W]ww", "ja", "2021-W02"),
        ("GGGG-[W]WW", "en", "2020-W53"),
        ("GGGG-[W]WW", "ja", "2020-W53"),
        ("d e E", "en", "0 0 7"),
        ("d e E", "en-gb", "0 6 7"),
    ],
)
def test_weeks_begin_as_the_locale_has_it(pattern: str, locale: str, text: str) -> None:
    assert format_moment(date(2021, 1, 3), pattern, locale=locale) == text


@pytest.mark.parametrize(
    ("day", "mark"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (13, "13th"), (21, "21st"), (30, "30th")]
)
def test_days_are_counted_in_english(day: int, mark: str) -> None:
    assert format_moment(date(2026, 1, day), "Do") == mark


@pytest.mark.parametrize(("hour", "text"), [(0, "0 12 24 AM"), (1, "1 1 1 AM"), (12, "12 12 12 PM"), (23, "23 11 23 PM")])
def test_midnight_and_noon_have_their_own_numbers(hour: int, text: str) -> None:
    assert format_moment(datetime(2026, 1, 1, hour, tzinfo=UTC), "H h k A") == text


@pytest.mark.parametrize(
    ("day", "text"),
    [
        (date(2019, 5, 1), "令和元年"),
        (date(2019, 4, 30), "平成31年"),
        (date(1989, 1, 7), "昭和64年"),
        (date(1912, 7, 30), "大正元年"),
        (date(1900, 1, 1), "明治33年"),
    ],
)
def test_japanese_years_are_those_of_the_era(day: date, text: str) -> None:
    assert format_moment(day, "NNNNyo", locale="ja") == text
    assert parse_moment(text + f"{day.month}月{day.day}日", "NNNNyoM月D日", locale="ja") == day


def test_a_date_is_its_midnight() -> None:
    assert format_moment(DAY, "YYYY-MM-DD HH:mm:ss.SSS") == "2026-11-05 00:00:00.000"


@pytest.mark.parametrize(
    ("locale", "month"), [("en-US", "November"), ("EN_gb", "November"), ("de", "November"), ("ja-JP", "11月"), ("", "November")]
)
def test_a_language_without_words_of_its_own_is_english(locale: str, month: str) -> None:
    assert format_moment(DAY, "MMMM", locale=locale) == month


@pytest.mark.parametrize(
    ("text", "pattern", "day"),
    [
        ("2026-11-05", "YYYY-MM-DD", DAY),
        ("2026/11/2026-11-05", "YYYY/MM/YYYY-MM-DD", DAY),
        ("2026年11月05日", "YYYY年MM月DD日", DAY),
        ("thursday, november 5th 2026", "dddd, MMMM Do YYYY", DAY),
        ("5-Nov-26", "D-MMM-YY", DAY),
        ("2026-309", "YYYY-DDDD", DAY),
        ("202611051304", "YYYYMMDDHHmm", DAY),
        ("2026-W45-4", "GGGG-[W]WW-E", DAY),
        ("2026-11-05 1:04 pm", "YYYY-MM-DD h:mm A", DAY),
        ("2026-11-05T23:30:00-09:00", "YYYY-MM-DDTHH:mm:ssZ", DAY),
        # a longer span names its first day
        ("2026-11", "YYYY-MM", date(2026, 11, 1)),
        ("2026-Q4", "YYYY-[Q]Q", date(2026, 10, 1)),
        ("2026", "YYYY", date(2026, 1, 1)),
        ("2026-W45", "gggg-[W]ww", date(2026, 11, 1)),
        ("2026-W45", "GGGG-[W]WW", date(2026, 11, 2)),
        ("2021-W53", "YYYY-[W]WW", date(2021, 1, 1)),
    ],
)
def test_a_text_is_read_by_its_pattern(text: str, pattern: str, day: date) -> None:
    assert parse_moment(text, pattern) == day


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("2026-11-5", "YYYY-MM-DD"),
        ("2026-11-05 ", "YYYY-MM-DD"),
        ("x2026-11-05", "YYYY-MM-DD"),
        ("2026-13-05", "YYYY-MM-DD"),
        ("2026-02-29", "YYYY-MM-DD"),
        ("0000-01-01", "YYYY-MM-DD"),
        ("２０２６-11-05", "YYYY-MM-DD"),
        ("2026-11-05\n", "YYYY-MM-DD"),
        ("05", "D"),
        ("11-05", "MM-DD"),
        ("Friday 2026-11-05", "dddd YYYY-MM-DD"),
        ("2026/10/2026-11-05", "YYYY/MM/YYYY-MM-DD"),
        ("2026-w45", "GGGG-[W]WW"),
        ("2026-W54", "GGGG-[W]WW"),
        ("5nd Nov 2026", "Do MMM YYYY"),
        ("Frıday 2026-11-06", "dddd YYYY-MM-DD"),
        ("2026-366", "YYYY-DDDD"),
        ("2026-11-05 24:00", "YYYY-MM-DD HH:mm"),
        ("13:04", "HH:mm"),
        ("notes", "[notes]"),
        ("999999999999999", "X"),
    ],
)
def test_anything_else_names_no_day(text: str, pattern: str) -> None:
    assert parse_moment(text, pattern) is None


WHOLE = st.sampled_from(
    [
        "YYYY{}MM{}DD",
        "D{}MMMM{}YYYY",
        "MMM{}Do{}YYYY",
        "gggg{}ww{}e",
        "GGGG{}WW{}dddd",
        "YYYY{}[day ]{}DDDD",
        "ddd{}DD{}MM{}YYYY",
        "YYYYMMDD",
        "LL",
    ]
)
BETWEEN = st.sampled_from(["-", "/", " ", "年", ", ", "[ of ]", "[T]", "."])
CLOCKS = st.sampled_from(["", " HH:mm", " h:mm A", "[ at ]H.mm.ss", " kk:mm:ss.SSS", " Z", "-[x]"])


@settings(deadline=None, max_examples=300)
@given(st.datetimes(datetime(1969, 1, 1), datetime(2200, 1, 1)), WHOLE, BETWEEN, BETWEEN, CLOCKS, st.sampled_from(["en", "en-gb", "ja"]))
def test_what_is_written_reads_back(when: datetime, whole: str, first: str, second: str, clock: str, locale: str) -> None:
    pattern = whole.format(first, second, "-") + clock
    text = format_moment(when.replace(tzinfo=UTC), pattern, locale=locale)
    assert parse_moment(text, pattern, locale=locale) == when.date()


@settings(deadline=None, max_examples=150)
@given(st.text(max_size=20), st.text("YMDdwgGHhkmsSAaZXxQEeoNyL[]\\-/年月", max_size=12), st.sampled_from(["en", "ja"]))
def test_no_text_and_no_pattern_breaks_the_reader(text: str, pattern: str, locale: str) -> None:
    parse_moment(format_moment(DAY, pattern, locale=locale), pattern, locale=locale)
    parse_moment(text, pattern, locale=locale)
