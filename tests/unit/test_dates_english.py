"""English date phrases: which day they name, seen from Wednesday, 4 March 2026 at ten."""

from __future__ import annotations

from datetime import datetime

import pytest

from tests.support.dates import FRIDAY, MONDAY, SUNDAY, counted, only
from vaultkit.text.dates import DatePolicy


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("draft by 2026-05-01", "2026-05-01"),
        ("due 2026-05-01T09:30", "2026-05-01T09:30"),
        ("pay by 2026/5/1", "2026-05-01"),
        ("pay by 5/1/2026", "2026-05-01"),
        ("pay by 25/5/2026", "2026-05-25"),
        ("pay by 05-01-2026", "2026-05-01"),
        ("pay by 1.5.2026", "2026-05-01"),
        ("pay by 1.5.", "2026-05-01"),
        ("due 5/1", "2026-05-01"),
        ("due 25/5", "2026-05-25"),
        ("due:5/1", "2026-05-01"),
        ("due 20260501", "2026-05-01"),
        ("file it by 1 May", "2026-05-01"),
        ("file it by May 1st, 2027", "2027-05-01"),
        ("file it by the 1st of May", "2026-05-01"),
        ("file it by 1-May-2026", "2026-05-01"),
        ("file it by 1May", "2026-05-01"),
        ("file it by May 1 '27", "2027-05-01"),
        ("visa ends 9 Feb next year", "2027-02-09"),
        ("send it by the 15th", "2026-03-15"),
        ("send it by the fifteenth", "2026-03-15"),
        ("send it by the 2nd", "2026-04-02"),
        ("rent due 1st.", "2026-04-01"),
    ],
)
def test_a_written_day_is_found(text: str, day: str) -> None:
    assert counted(text) == [day]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("by Friday", "2026-03-06"),
        ("by Wednesday", "2026-03-11"),
        ("by this Friday", "2026-03-06"),
        ("by next Friday", "2026-03-13"),
        ("by Fri.", "2026-03-06"),
        ("by Thurs", "2026-03-05"),
        ("send it Friday week", "2026-03-13"),
        ("a week on Tuesday: dentist", "2026-03-17"),
        ("dentist a week from Friday", "2026-03-13"),
        ("two Fridays from now: party", "2026-03-13"),
        ("the Tuesday after Easter: review", "2026-04-07"),
        ("call her next Tuesday at noon", "2026-03-10T12:00"),
        ("Friday next week: demo", "2026-03-13"),
        ("next week Thursday: demo", "2026-03-12"),
        ("Monday of next week: demo", "2026-03-09"),
        ("the week after next on Monday: demo", "2026-03-16"),
        ("reply by Thurs 3/12", "2026-03-12"),
        ("back by Wed 18th", "2026-03-18"),
    ],
)
def test_a_weekday_is_the_next_one_unless_it_says_otherwise(text: str, day: str) -> None:
    assert counted(text) == [day]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("by tomorrow", "2026-03-05"),
        ("tmrw: drop the keys", "2026-03-05"),
        ("the day after tomorrow: call", "2026-03-06"),
        ("in 3 days: water it", "2026-03-07"),
        ("renew it in two weeks", "2026-03-18"),
        ("renew it in a fortnight", "2026-03-18"),
        ("renew it within a month", "2026-04-04"),
        ("due in half a year", "2026-09-04"),
        ("reply within 48 hours", "2026-03-06"),
        ("reply within 10 working days", "2026-03-18"),
        ("remind me in 20 minutes to call", "2026-03-04T10:20"),
        ("in a couple of days check on it", "2026-03-06"),
        ("3 weeks from now: exam", "2026-03-25"),
        ("30 days to appeal", "2026-04-03"),
        ("you have 48h to accept", "2026-03-06"),
        ("follow up +3d", "2026-03-07"),
        ("2wks: follow up", "2026-03-18"),
        ("deliver by this time next week", "2026-03-11"),
        ("call on the next working day", "2026-03-05"),
        ("arrives in 2-3 days", "2026-03-07"),
    ],
)
def test_a_length_of_time_is_counted_from_now(text: str, day: str) -> None:
    assert counted(text) == [day]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("by end of the month", "2026-03-31"),
        ("by month-end", "2026-03-31"),
        ("by EOM", "2026-03-31"),
        ("by EOW", "2026-03-06"),
        ("by the end of next week", "2026-03-13"),
        ("by the end of the year", "2026-12-31"),
        ("by Q3", "2026-09-30"),
        ("by Q1 2027", "2027-03-31"),
        ("due end of Q2", "2026-06-30"),
        ("by H1", "2026-06-30"),
        ("by June", "2026-06-30"),
        ("by mid-June", "2026-06-15"),
        ("by early June", "2026-06-10"),
        ("by the beginning of June", "2026-06-01"),
        ("before June", "2026-05-31"),
        ("by the third week of June", "2026-06-21"),
        ("by the last Friday in May", "2026-05-29"),
        ("by the 5th business day of April", "2026-04-07"),
        ("plan it by next weekend", "2026-03-15"),
        ("by summer", "2026-06-21"),
        ("by 2027", "2027-12-31"),
        ("due the 20th of next month", "2026-04-20"),
        ("next month on the 3rd pay", "2026-04-03"),
        ("prices change from April", "2026-04-01"),
    ],
)
def test_a_period_is_its_last_day(text: str, day: str) -> None:
    assert counted(text) == [day]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("before Christmas", "2026-12-24"),
        ("by New Year's Eve", "2026-12-31"),
        ("dinner on Thanksgiving", "2026-11-26"),
        ("cards before Easter", "2026-04-04"),
        ("two days before Christmas: goose", "2026-12-23"),
        ("flowers for Mother's Day", "2026-05-10"),
        ("costume by Halloween", "2026-10-31"),
        ("party on Halloween, Oct 31", "2026-10-31"),
    ],
)
def test_a_holiday_has_its_day(text: str, day: str) -> None:
    assert counted(text) == [day]


def test_a_bare_holiday_is_no_date() -> None:
    assert counted("Christmas songs playlist") == []


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("by 5pm Friday", "2026-03-06T17:00"),
        ("Friday at 17:00: call", "2026-03-06T17:00"),
        ("Fri @ 3: call", "2026-03-06T15:00"),
        ("tomorrow by 10am", "2026-03-05T10:00"),
        ("noon tomorrow: lunch", "2026-03-05T12:00"),
        ("submit by 11:59pm on Mar 15", "2026-03-15T23:59"),
        ("meeting Tues 10 Mar, 6pm", "2026-03-10T18:00"),
        ("tonight at 8: dinner", "2026-03-04T20:00"),
        ("send it by 4:30 pm", "2026-03-04T16:30"),
        ("send it by 9am", "2026-03-05T09:00"),
        ("call mum at 7", "2026-03-04T19:00"),
        ("Friday 9-10am training", "2026-03-06T09:00"),
        ("by EOD Friday", "2026-03-06"),
        ("by COB on the 20th", "2026-03-20"),
        ("by EOD", "2026-03-04"),
    ],
)
def test_a_clock_time_joins_its_day(text: str, time: str) -> None:
    assert counted(text) == [time]


def test_a_time_zone_is_kept_as_written_with_a_warning() -> None:
    phrase = only("deadline is April 15, 2026 at 23:59 AoE")
    assert (phrase.date.isoformat(), str(phrase.time)) == ("2026-04-15", "23:59:00")
    assert "AoE" in phrase.warning


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("conference March 10-12 in Kyoto", ["2026-03-10"]),
        ("submit between March 16 and March 20", ["2026-03-20"]),
        ("submit it from 3/16 to 3/20", ["2026-03-20"]),
        ("closed 24 Mar - 28 Mar", ["2026-03-24"]),
        ("trip 6/29-7/2", ["2026-06-29"]),
        ("valid 3/1/26 - 3/31/26", ["2026-03-31"]),
        ("deadline moved from March 6 to March 13", ["2026-03-13"]),
        ("meeting moved from Tuesday to Thursday", ["2026-03-12"]),
        ("training March 9, 10 and 11", ["2026-03-09", "2026-03-10", "2026-03-11"]),
        ("on call Friday to Monday", ["2026-03-06"]),
    ],
)
def test_of_a_stretch_a_deadline_takes_the_end_and_an_event_the_start(text: str, days: list[str]) -> None:
    assert counted(text) == days


@pytest.mark.parametrize(
    ("text", "day", "recurrence"),
    [
        ("every Monday submit the report", "2026-03-09", "every week on Monday"),
        ("every other Friday run payroll", "2026-03-06", "every 2 weeks on Friday"),
        ("water the plants every 3 days", "2026-03-07", "every 3 days"),
        ("rent is due on the 1st of every month", "2026-04-01", "every month on the 1st"),
        ("pay rent by the 1st, every month", "2026-04-01", "every month on the 1st"),
        ("back it up on the last day of each month", "2026-03-31", "every month on the last"),
        ("cleaner comes every second Thursday of the month", "2026-03-12", "every month on the 2nd Thursday"),
        ("Dad's birthday June 3 every year", "2026-06-03", "every year"),
        ("standup daily at 9:30", "2026-03-05", "every day"),
        ("on Mondays and Thursdays take out the bins", "2026-03-05", "every week on Monday, Thursday"),
        ("every weekday at 8:45 standup", "2026-03-05", "every weekday"),
        ("send the newsletter every Friday starting March 20", "2026-03-20", "every week on Friday"),
        ("rotate keys quarterly", "2026-06-04", "every 3 months"),
    ],
)
def test_a_recurrence_is_written_as_tasks_writes_it(text: str, day: str, recurrence: str) -> None:
    phrase = only(text)
    assert (phrase.date.isoformat(), phrase.recurrence) == (day, recurrence)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("cert expires March 29, rotate a week earlier", ["2026-03-29", "2026-03-22"]),
        ("lease ends May 31, give notice two months ahead", ["2026-05-31", "2026-03-31"]),
        ("trip starts April 10; pack the day before", ["2026-04-10", "2026-04-09"]),
        ("30 days before the lease ends on June 1", ["2026-05-02", "2026-06-01"]),
        ("30 days before June 1 give notice", ["2026-05-02"]),
        ("reply within two weeks of March 10", ["2026-03-24"]),
    ],
)
def test_a_length_before_another_date_is_counted_from_it(text: str, days: list[str]) -> None:
    assert counted(text) == days


@pytest.mark.parametrize(
    ("text", "now", "day"),
    [
        ("by the 10th", FRIDAY, "2027-01-10"),
        ("by Jan 5", FRIDAY, "2027-01-05"),
        ("due 12/4", MONDAY, "2026-12-04"),
        ("due Tues", SUNDAY, "2026-02-03"),
        ("next Monday: kickoff", SUNDAY, "2026-02-02"),
        ("by Feb 28", SUNDAY, "2026-02-28"),
    ],
)
def test_no_year_means_the_next_one(text: str, now: datetime, day: str) -> None:
    assert counted(text, now) == [day]


def test_the_numeric_date_wins_over_a_weekday_that_disagrees() -> None:
    phrase = only("party Friday, March 12")
    assert phrase.date.isoformat() == "2026-03-12"
    assert phrase.warning == "2026-03-12 is a Thursday, not a Friday"


def test_the_order_of_day_and_month_is_a_choice() -> None:
    assert counted("due 3/4/2026") == ["2026-03-04"]
    assert counted("due 3/4/2026", policy=DatePolicy(day_first=True)) == ["2026-04-03"]
    assert counted("due 3/25/2026", policy=DatePolicy(day_first=True)) == ["2026-03-25"]


def test_the_end_of_the_week_and_of_the_fiscal_year_are_choices() -> None:
    assert counted("by the end of the week", policy=DatePolicy(week_ends=6)) == ["2026-03-08"]
    assert counted("by the end of the fiscal year", policy=DatePolicy(fiscal_year_end=(6, 30))) == ["2026-06-30"]
