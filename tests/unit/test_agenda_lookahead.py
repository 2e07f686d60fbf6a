"""Tiers, levels, exit codes, text and JSON of the lookahead."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest

from vaultkit.agenda import (
    Extract,
    Field,
    Item,
    Level,
    Lookahead,
    ProseDate,
    Tier,
    Unreadable,
    lookahead,
    render,
    summary,
    survey,
    to_json,
)

WEDNESDAY = date(2026, 3, 4)
FRIDAY = date(2026, 3, 6)


def item(
    days: int,
    *,
    today: date = WEDNESDAY,
    field: Field = "action_items",
    time: str | None = None,
    text: str = "Pay",
    opened: bool = True,
    show: int | None = None,
) -> Item:
    show_from = None if show is None else today + timedelta(days=show)
    return Item(f"id{days}", text, today + timedelta(days=days), time, "a/note.md", 7, field, opened, "", show_from)


def tiers(look: Lookahead) -> list[Tier]:
    return [due.tier for due in look.items]


@pytest.mark.parametrize(
    ("days", "tier"),
    [(-400, "overdue"), (-1, "overdue"), (0, "today"), (1, "soon"), (3, "soon"), (4, "week"), (7, "week"), (8, "month"), (30, "month")],
)
def test_the_tier_follows_from_the_days_left(days: int, tier: Tier) -> None:
    assert tiers(lookahead([item(days, field="trackers")], today=WEDNESDAY, level="month")) == [tier]


@pytest.mark.parametrize(
    ("level", "days"), [("today", [-2, 0]), ("soon", [-2, 0, 2]), ("week", [-2, 0, 2, 6]), ("month", [-2, 0, 2, 6, 20])]
)
def test_a_level_shows_its_tier_and_all_nearer_ones(level: Level, days: list[int]) -> None:
    look = lookahead([item(day, field="trackers") for day in (40, 20, 6, 2, 0, -2)], today=WEDNESDAY, level=level)
    assert [due.days for due in look.items] == days


def test_only_trackers_are_spoken_of_a_month_ahead() -> None:
    fields: tuple[Field, ...] = ("action_items", "trackers", "due", "task", "inline")
    assert [due.item.field for due in lookahead([item(20, field=field) for field in fields], today=WEDNESDAY, level="month").items] == [
        "trackers"
    ]


def test_on_friday_today_reaches_through_monday() -> None:
    found = lookahead([item(day, today=FRIDAY) for day in range(5)], today=FRIDAY, level="week")
    assert tiers(found) == ["today", "today", "today", "today", "week"]
    assert len(lookahead([item(3, today=FRIDAY)], today=FRIDAY, level="today").items) == 1
    assert lookahead([item(1)], today=WEDNESDAY, level="today").items == ()


def test_an_item_is_overdue_only_after_its_day_has_ended() -> None:
    assert tiers(lookahead([item(0)], today=WEDNESDAY, now=datetime(2026, 3, 4, 23, 59))) == ["today"]
    late = lookahead([item(0, time="09:00"), item(0, time="17:00")], today=WEDNESDAY, now=datetime(2026, 3, 4, 12, 0))
    assert [(due.tier, due.passed) for due in late.items] == [("today", True), ("today", False)]
    assert "09:00 (passed)" in render(late)


def test_a_snoozed_item_is_hidden_until_its_day_but_never_beyond_its_due_date() -> None:
    assert lookahead([item(3, show=1)], today=WEDNESDAY).hidden == 1
    assert lookahead([item(3, show=1)], today=WEDNESDAY).items == ()
    assert tiers(lookahead([item(3, show=0)], today=WEDNESDAY)) == ["soon"]
    assert tiers(lookahead([item(0, show=5)], today=WEDNESDAY)) == ["today"]
    assert tiers(lookahead([item(-1, show=5)], today=WEDNESDAY)) == ["overdue"]


def test_a_lead_date_shows_an_item_early_at_the_wider_levels() -> None:
    assert tiers(lookahead([item(20, show=-1)], today=WEDNESDAY, level="week")) == ["month"]
    assert tiers(lookahead([item(90, show=0)], today=WEDNESDAY, level="month")) == ["month"]
    assert lookahead([item(20, show=-1)], today=WEDNESDAY, level="soon").items == ()


def test_closed_items_say_nothing() -> None:
    assert lookahead([item(0, opened=False)], today=WEDNESDAY).items == ()


def test_the_oldest_comes_first_and_clock_times_before_the_rest_of_the_day() -> None:
    found = lookahead([item(0), item(0, time="17:00"), item(0, time="09:00"), item(-1), item(-9)], today=WEDNESDAY)
    assert [(due.days, due.item.time) for due in found.items] == [(-9, None), (-1, None), (0, "09:00"), (0, "17:00"), (0, None)]


@pytest.mark.parametrize(
    ("items", "notes", "wrong", "code"),
    [
        ([], 3, [], 0),
        ([20], 3, [], 0),
        ([2], 3, [], 1),
        ([2], 3, [Unreadable("a.md", 1, "due: soon")], 3),
        ([], 3, [Unreadable("a.md", 1, "due: soon")], 3),
        ([], 0, [], 3),
    ],
)
def test_the_exit_code_says_nothing_something_or_could_not_look(items: list[int], notes: int, wrong: list[Unreadable], code: int) -> None:
    assert lookahead([item(day) for day in items], today=WEDNESDAY, notes_read=notes, unparsable=wrong).exit_code == code


def test_quiet_is_silent_only_when_nothing_is_due_and_everything_was_read() -> None:
    assert render(lookahead([item(20)], today=WEDNESDAY), quiet=True) == ""
    assert "Pay" in render(lookahead([item(2)], today=WEDNESDAY), quiet=True)
    assert "a.md:1" in render(lookahead([], today=WEDNESDAY, unparsable=[Unreadable("a.md", 1, "due: soon")]), quiet=True)
    assert "no note was read" in render(lookahead([], today=WEDNESDAY, notes_read=0), quiet=True)


def test_every_line_names_note_line_and_id() -> None:
    text = render(lookahead([item(1, time="17:00")], today=WEDNESDAY))
    assert text.startswith("soon     Thu 2026-03-05 17:00  Pay  (tomorrow)  a/note.md:7  [id1]\n")


def test_overdue_items_are_collapsed_in_the_text_and_whole_in_the_json() -> None:
    look = lookahead([item(-day) for day in range(1, 16)], today=WEDNESDAY)
    text = render(look)
    assert sum("late)" in line for line in text.splitlines()) == 10
    assert "… and 5 more" in text
    assert len(to_json(look)["items"]) == 15


def test_the_footer_counts_what_was_looked_at_and_shows_dates_in_prose_nearest_first() -> None:
    prose = [
        ProseDate("old.md", 3, "by 2020-01-01", date(2020, 1, 1), fix='action_items: - "x"'),
        ProseDate("new.md", 9, "by Friday", FRIDAY, warning="the weekday disagrees"),
    ]
    look = lookahead([item(20), item(1)], today=WEDNESDAY, notes_read=1204, undated=2, prose_dates=prose, unresolved=1)
    footer = render(look).splitlines()[2:]
    assert footer[0] == "1,204 notes read · 2 items (1 shown) · 2 undated · 0 unparsable · 2 dates in prose without a field"
    assert footer[1:5] == [
        'in prose: new.md:9  "by Friday" = Fri 2026-03-06',
        "    not placed by itself: the weekday disagrees",
        'in prose: old.md:3  "by 2020-01-01" = Wed 2020-01-01',
        '    action_items: - "x"',
    ]
    assert "1 relative date in notes that name no day" in footer[-1]


def test_many_dates_in_prose_are_counted_not_listed() -> None:
    prose = [ProseDate("a.md", line, "x", FRIDAY, fix="f") for line in range(9)]
    text = render(lookahead([], today=WEDNESDAY, prose_dates=prose))
    assert text.count("in prose: ") == 5
    assert "and 4 more" in text
    assert text.startswith("nothing within 7 days\n")


def test_the_json_has_exactly_the_promised_keys() -> None:
    look = lookahead(
        [item(0, time="17:00")],
        today=WEDNESDAY,
        unparsable=[Unreadable("a.md", 1, "due: soon")],
        prose_dates=[ProseDate("b.md", 2, "by Friday", FRIDAY)],
    )
    assert to_json(look) == {
        "version": 1,
        "today": "2026-03-04",
        "items": [
            {
                "id": "id0",
                "text": "Pay",
                "due": "2026-03-04",
                "time": "17:00",
                "tier": "today",
                "path": "a/note.md",
                "line": 7,
                "field": "action_items",
            }
        ],
        "notes_read": 1,
        "undated": 0,
        "unparsable": [{"path": "a.md", "line": 1, "text": "due: soon"}],
        "prose_dates": [{"path": "b.md", "line": 2, "phrase": "by Friday", "date": "2026-03-06"}],
    }


def test_the_one_line_form_speaks_only_of_what_is_there() -> None:
    assert summary(lookahead([item(-1), item(-2), item(0)], today=WEDNESDAY)) == "2 overdue, 1 today"
    assert (
        summary(lookahead([item(2), item(6), item(20, field="trackers")], today=WEDNESDAY, level="month"))
        == "1 soon, 1 this week, 1 this month"
    )
    assert summary(lookahead([], today=WEDNESDAY)) == ""
    assert summary(lookahead([], today=WEDNESDAY, notes_read=0)) == "no notes read"
    assert summary(lookahead([], today=WEDNESDAY, unparsable=[Unreadable("a.md", 1, "x")])) == "1 unreadable"


def test_a_survey_adds_up_a_vault() -> None:
    one = Extract((item(0),), ((3, "due: soon"),), 2, (ProseDate("a.md", 4, "by Friday", FRIDAY),), ())
    two = Extract((item(1),), (), 1, (), (), ((5, "Friday"),), ((1, "bad YAML"),))
    look = survey({"a.md": one, "b.md": two}, today=WEDNESDAY, notes_read=7, unreadable=[Unreadable("c.md", 0, "cannot be opened")])
    assert (len(look.items), look.notes_read, look.undated, look.unresolved, len(look.prose_dates)) == (2, 7, 3, 1, 1)
    assert look.unparsable == (
        Unreadable("a.md", 3, "due: soon"),
        Unreadable("b.md", 1, "bad YAML"),
        Unreadable("c.md", 0, "cannot be opened"),
    )
    assert survey([("a.md", one)], today=WEDNESDAY, notes_read=1).exit_code == 3
