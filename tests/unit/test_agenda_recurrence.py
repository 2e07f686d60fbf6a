"""The next date of a 🔁 rule."""

from __future__ import annotations

from datetime import date

import pytest

from vaultkit.agenda import next_date, parse_rule
from vaultkit.errors import RefusedError


@pytest.mark.parametrize(
    ("rule", "due", "after"),
    [
        ("every day", date(2026, 3, 6), date(2026, 3, 7)),
        ("every 3 days", date(2026, 2, 27), date(2026, 3, 2)),
        ("every week", date(2026, 3, 6), date(2026, 3, 13)),
        ("every other week", date(2026, 3, 6), date(2026, 3, 20)),
        ("every weekday", date(2026, 3, 6), date(2026, 3, 9)),
        ("every Monday", date(2026, 3, 9), date(2026, 3, 16)),
        ("every April", date(2026, 4, 30), date(2027, 4, 30)),
        ("every Mon, Thu", date(2026, 3, 9), date(2026, 3, 12)),
        ("every week on Monday", date(2026, 3, 6), date(2026, 3, 9)),
        ("every 2 weeks on Monday, Friday", date(2026, 3, 2), date(2026, 3, 6)),
        ("every 2 weeks on Monday", date(2026, 3, 2), date(2026, 3, 16)),
        ("every month", date(2026, 1, 31), date(2026, 2, 28)),
        ("every 2 months", date(2026, 11, 15), date(2027, 1, 15)),
        ("every month on the 1st", date(2026, 4, 1), date(2026, 5, 1)),
        ("every month on the 1st and 15th", date(2026, 4, 1), date(2026, 4, 15)),
        ("every month on the 1st, 15th", date(2026, 4, 1), date(2026, 4, 15)),
        ("every month on the 1st 15th", date(2026, 4, 1), date(2026, 4, 15)),
        ("every month on the 5th Monday", date(2026, 3, 30), date(2026, 6, 29)),
        ("every month on the 31st", date(2026, 3, 31), date(2026, 5, 31)),
        ("every month on the last", date(2026, 2, 28), date(2026, 3, 31)),
        ("every month on the 2nd Tuesday", date(2026, 3, 10), date(2026, 4, 14)),
        ("every month on the last Friday", date(2026, 3, 27), date(2026, 4, 24)),
        ("every month on the 2nd last Friday", date(2026, 3, 20), date(2026, 4, 17)),
        ("every year", date(2028, 2, 29), date(2029, 2, 28)),
        ("every 2 years", date(2026, 3, 6), date(2028, 3, 6)),
        ("every January on the 15th", date(2026, 1, 15), date(2027, 1, 15)),
        ("every April and December on the 1st and 24th", date(2026, 4, 24), date(2026, 12, 1)),
    ],
)
def test_a_rule_names_the_date_after_the_due_date(rule: str, due: date, after: date) -> None:
    assert next_date(rule, due, done=date(2026, 6, 1)) == after


def test_when_done_counts_from_the_day_it_was_done() -> None:
    assert next_date("every week when done", date(2026, 3, 6), done=date(2026, 3, 10)) == date(2026, 3, 17)
    assert next_date("every month on the 1st when done", date(2026, 3, 1), done=date(2026, 5, 9)) == date(2026, 6, 1)


@pytest.mark.parametrize(
    "rule",
    [
        "", "every", "daily", "every 0 days", "every week until 2027-01-01", "every month on the 32nd", "every month on the 1st and Monday",
        "every blue moon", "every 2 weekdays", "every year on the 5th", "every day on Monday", "毎月1日",
    ],
)  # fmt: skip
def test_a_rule_that_cannot_be_computed_is_refused_not_guessed(rule: str) -> None:
    assert parse_rule(rule) is None
    with pytest.raises(RefusedError, match="cannot compute"):
        next_date(rule, date(2026, 3, 6), done=date(2026, 3, 6))


def test_a_rule_without_any_further_date_is_refused() -> None:
    with pytest.raises(RefusedError, match="no date after"):
        next_date("every February on the 30th", date(2026, 1, 1), done=date(2026, 1, 1))
    with pytest.raises(RefusedError, match="no date after"):
        next_date("every 3000 years", date(9000, 1, 1), done=date(9000, 1, 1))
    for rule in (
        "every 2000 months",
        "every month on the 31st",
        "every January on the 1st",
        "every month on the last Friday",
        "every January",
        "every 5th",
    ):
        with pytest.raises(RefusedError):
            next_date(rule, date(9999, 12, 31), done=date(9999, 12, 31))
    with pytest.raises(RefusedError, match="no date after"):
        next_date("every 9999999 days", date(9000, 1, 1), done=date(9000, 1, 1))
