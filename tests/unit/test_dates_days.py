"""Calendar arithmetic that never raises."""

from __future__ import annotations

from datetime import date

import pytest

from vaultkit.text.dates import days


@pytest.mark.parametrize(
    ("year", "day"), [(2024, date(2024, 3, 31)), (2025, date(2025, 4, 20)), (2026, date(2026, 4, 5)), (2027, date(2027, 3, 28))]
)
def test_easter(year: int, day: date) -> None:
    assert days.easter(year) == day


@pytest.mark.parametrize(
    ("day", "count", "moved"),
    [
        (date(2026, 3, 6), 1, date(2026, 3, 9)),
        (date(2026, 3, 7), 1, date(2026, 3, 9)),
        (date(2026, 3, 4), 10, date(2026, 3, 18)),
        (date(2026, 3, 9), -1, date(2026, 3, 6)),
    ],
)
def test_workdays_leap_over_weekends(day: date, count: int, moved: date) -> None:
    assert days.add_workdays(day, count) == moved


def test_the_31st_becomes_the_last_of_a_shorter_month() -> None:
    assert days.add_months(date(2026, 1, 31), 1) == date(2026, 2, 28)
    assert days.add_months(date(2024, 3, 31), -1) == date(2024, 2, 29)


@pytest.mark.parametrize("unit", ["day", "workday", "week", "month", "quarter", "year"])
def test_what_falls_outside_the_calendar_is_none(unit: str) -> None:
    assert days.shift(date(2026, 3, 4), 10**9, unit) is None
    assert days.shift(date(2026, 3, 4), -(10**9), unit) is None


def test_equinoxes_of_japan() -> None:
    assert (days.equinox(2026), days.autumn_equinox(2026)) == (date(2026, 3, 20), date(2026, 9, 23))


def test_nth_weekdays() -> None:
    first, last = date(2026, 3, 1), date(2026, 3, 31)
    assert days.nth_weekday(first, last, 2, days.THURSDAY) == date(2026, 3, 12)
    assert days.nth_weekday(first, last, -1, days.FRIDAY) == date(2026, 3, 27)
    assert days.nth_weekday(first, last, 5, days.FRIDAY) is None
    assert days.nth_workday(first, last, 1) == date(2026, 3, 2)
    assert days.nth_workday(date(2026, 5, 1), date(2026, 5, 31), -1) == date(2026, 5, 29)


def test_a_yearly_day_is_the_next_one_with_the_latest_before() -> None:
    assert days.yearly(days.fixed(2, 29), date(2026, 3, 4)) == (date(2028, 2, 29), date(2024, 2, 29))
    assert days.yearly(days.fixed(2, 30), date(2026, 3, 4)) is None
