"""Task lines read in every syntax of facts/capture.md §2, and changed character by character."""

from __future__ import annotations

from datetime import date

import pytest

from vaultkit.agenda import TaskText, new_id, parse_task_text, render_item
from vaultkit.agenda.tasks import (
    next_occurrence,
    read_moment,
    with_cancelled,
    with_clock,
    with_done,
    with_due,
    with_id,
    with_show_from,
    without,
)

DAY = date(2026, 12, 5)


@pytest.mark.parametrize(
    ("line", "text", "due", "time"),
    [
        ("Send slides 📅 2026-12-05", "Send slides", DAY, None),
        ("Send slides 17:00 📅 2026-12-05", "Send slides", DAY, "17:00"),
        ("Send slides 9:05 #work 📅 2026-12-05", "Send slides #work", DAY, "09:05"),
        ("Send slides 17:00 ⏫ 📅 2026-12-05", "Send slides", DAY, "17:00"),
        ("09:30 Send slides 📅 2026-12-05", "Send slides", DAY, "09:30"),
        ("10:00-11:00 Meet 📅 2026-12-05", "10:00-11:00 Meet", DAY, "10:00"),
        ("Send slides 📆 2026-12-05", "Send slides", DAY, None),
        ("Send slides 🗓\ufe0f 2026-12-05", "Send slides", DAY, None),
        ("Send slides 📅\u00a02026-12-05", "Send slides", DAY, None),
        ("Send slides 📅2026-12-05 today", "Send slides today", DAY, None),
        ("Send slides 📅 2026-12-05 17:00", "Send slides", DAY, "17:00"),
        ("Send slides 📅 2026-12-05 ^block-1", "Send slides", DAY, None),
        ("Send slides [due:: 2026-12-05]", "Send slides", DAY, None),
        ("Send slides (due::2026-12-05)", "Send slides", DAY, None),
        ("Send slides [due:: [[2026-12-05]]]", "Send slides", DAY, None),
        ("Send slides [due:: 2026-12-05T17:00]", "Send slides", DAY, "17:00"),
        ("Send slides [deadline:: 5 December 2026]", "Send slides", DAY, None),
        ("Send slides [due:: December 5, 2026 9:30]", "Send slides", DAY, "09:30"),
        ("Send slides [who:: Ann] [due:: 2026-12-05]", "Send slides [who:: Ann]", DAY, None),
        ("資料を送る [締切:: 2026年12月5日]", "資料を送る", DAY, None),
        ("Send slides (@2026-12-05 17:00)", "Send slides", DAY, "17:00"),
        ("Send slides (@2026-12-05)", "Send slides", DAY, None),
        ("Send slides @{2026-12-05} @@{17:00}", "Send slides", DAY, "17:00"),
        ("Send slides @[[2026-12-05]]", "Send slides", DAY, None),
        ("Send slides due:2026-12-05", "Send slides", DAY, None),
        ("Send slides DEADLINE: <2026-12-05 Sat 17:00 +1w>", "Send slides", DAY, "17:00"),
        ("Send slides DEADLINE: <2026-12-05 土>", "Send slides", DAY, None),
    ],
)
def test_a_due_date_is_read_in_every_syntax(line: str, text: str, due: date, time: str | None) -> None:
    task = parse_task_text(line)
    assert (task.text, task.due, task.time, task.unparsable) == (text, due, time, "")


def test_all_fields_of_the_tasks_plugin_are_read_in_any_order() -> None:
    line = "Pay rent 🔁 every month on the 1st 🏁 keep ⛔ a1,b2 🔺 ➕ 2026-01-01 🛫 2026-03-01 ⏳ 2026-03-20 📅 2026-04-01 🆔 r81b22 ✅ 2026-03-30"
    assert parse_task_text(line) == TaskText(
        "Pay rent", date(2026, 4, 1), None, "r81b22", date(2026, 3, 30), False, "every month on the 1st", date(2026, 3, 20), ""
    )


def test_all_fields_of_the_dataview_format_are_read() -> None:
    line = "Pay rent [priority:: high] [repeat:: every month] (scheduled:: 2026-03-20) [due:: 2026-04-01] [id:: r81b22] [cancelled:: 2026-03-02]"
    assert parse_task_text(line) == TaskText("Pay rent", date(2026, 4, 1), None, "r81b22", None, True, "every month", date(2026, 3, 20), "")


def test_a_todo_txt_line_gives_threshold_and_recurrence() -> None:
    task = parse_task_text("water plants t:2026-03-01 due:2026-03-06 rec:+2w")
    assert (task.text, task.due, task.show_from, task.recurrence) == ("water plants", date(2026, 3, 6), date(2026, 3, 1), "every 2 weeks")
    assert parse_task_text("water plants due:2026-03-06 rec:1m").recurrence == "every month when done"


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("Send slides 📅 2026-13-45", "📅 2026-13-45"),
        ("Send slides 📅 2026-02-30 🆔 k3f9a1", "📅 2026-02-30"),
        ("Send slides [due:: next week]", "[due:: next week]"),
        ("Send slides ⏳ 2026-02-31 📅 2026-03-06", "⏳ 2026-02-31"),
        ("Send slides (@2026-13-01)", "(@2026-13-01)"),
        ("Send slides due:2026-14-01", "due:2026-14-01"),
        ("Send slides DEADLINE: <2026-02-31 Tue>", "DEADLINE: <2026-02-31 Tue>"),
    ],
)
def test_a_field_value_that_is_no_date_is_named(line: str, what: str) -> None:
    assert parse_task_text(line).unparsable == what


@pytest.mark.parametrize(
    "line",
    [
        "📅 Plan the calendar",
        "Fill the 📅",
        "📅 <% tp.date.now() %>",
        "[due:: {{date}}]",
        "see `📅 2026-13-45`",
        "@{user} said",
        "",
        "✅ all good",
    ],
)
def test_an_emoji_or_a_template_that_is_no_field_is_left_alone(line: str) -> None:
    task = parse_task_text(line)
    assert (task.due, task.done, task.unparsable) == (None, None, "")


def test_in_an_entry_of_the_fields_every_calendar_sign_needs_a_date() -> None:
    assert parse_task_text("Send slides 📅 soon", strict=True).unparsable == "📅 soon"
    assert parse_task_text("Send slides 📅", strict=True).unparsable == "📅"


@pytest.mark.parametrize(
    ("value", "day", "time"),
    [
        ("2026-03-06", date(2026, 3, 6), None),
        ("2026-3-6", date(2026, 3, 6), None),
        ("2026/03/06", date(2026, 3, 6), None),
        ("2026.3.6", date(2026, 3, 6), None),
        ("2026年3月6日", date(2026, 3, 6), None),
        ("2026年3月6日(金)", date(2026, 3, 6), None),
        ("2026-03-06T17:00", date(2026, 3, 6), "17:00"),
        ("2026-03-06 9:00:00", date(2026, 3, 6), "09:00"),
        ("2026-03-06T23:30:00+09:00", date(2026, 3, 6), "23:30"),
        ("2026-03-06T00:30:00Z", date(2026, 3, 6), "00:30"),
        ("[[2026-03-06]]", date(2026, 3, 6), None),
        ("[[2026-03-06|Friday]]", date(2026, 3, 6), None),
        ("6 March 2026", date(2026, 3, 6), None),
        ("Mar 6th, 2026", date(2026, 3, 6), None),
    ],
)
def test_a_property_value_is_read_as_a_wall_clock_day(value: str, day: date, time: str | None) -> None:
    assert read_moment(value) == (day, time)


@pytest.mark.parametrize(
    "value", ["", "03/06/2026", "6.3.2026", "March 6", "3月6日", "next Friday", "2026", "2026-03", "20260306", "2026-02-29", "2026-03/06"]
)
def test_a_value_that_could_mean_several_days_is_no_date(value: str) -> None:
    assert read_moment(value) is None


def test_an_item_is_written_in_the_order_that_tasks_reads_back() -> None:
    written = render_item("Send slides to Priya", due=DAY, time="17:00", id="k3f9a1")
    assert written == "Send slides to Priya 17:00 📅 2026-12-05 🆔 k3f9a1"
    full = render_item("Rent", due=date(2026, 4, 1), id="r81b22", recurrence="every month on the 1st", show_from=date(2026, 3, 20))
    assert full == "Rent 🔁 every month on the 1st ⏳ 2026-03-20 📅 2026-04-01 🆔 r81b22"


def test_fields_in_the_words_of_an_item_are_not_written_twice() -> None:
    assert render_item("Send\nslides 📅 2020-01-01 🆔 old ^b", due=DAY, id="k3f9a1") == "Send slides 📅 2026-12-05 🆔 k3f9a1"
    assert render_item("Odd 📅 📅 2020-01-01 2020-01-02", due=DAY) == "Odd 📅 2026-12-05"
    assert render_item("Be there at 17:00", due=DAY, time="17:00") == "Be there at 17:00 📅 2026-12-05"


def test_done_is_added_at_the_end_before_a_block_id_and_only_once() -> None:
    assert with_done("Send 📅 2026-12-05 ^b1 ", DAY) == "Send 📅 2026-12-05 ✅ 2026-12-05 ^b1 "
    assert with_done("Send ✅ 2026-12-01", DAY) == "Send ✅ 2026-12-01"
    assert with_done("Send [due:: 2026-12-05]", DAY) == "Send [due:: 2026-12-05]  [completion:: 2026-12-05]"
    assert with_cancelled("Send 📅 2026-12-05", DAY) == "Send 📅 2026-12-05 ❌ 2026-12-05"
    assert with_cancelled("Send ❌ 2026-12-01", DAY) == "Send ❌ 2026-12-01"
    assert with_cancelled("Send [due:: 2026-12-05]", DAY) == "Send [due:: 2026-12-05]  [cancelled:: 2026-12-05]"


def test_snoozing_keeps_the_clock_time_before_the_fields_and_the_due_date_readable() -> None:
    line = with_show_from("Send 17:00 📅 2026-12-05 🆔 k", date(2026, 12, 2))
    assert line == "Send 17:00 ⏳ 2026-12-02 📅 2026-12-05 🆔 k"
    assert with_show_from(line, date(2026, 12, 4)) == "Send 17:00 ⏳ 2026-12-04 📅 2026-12-05 🆔 k"
    assert with_show_from("Send [due:: 2026-12-05]", date(2026, 12, 2)) == "Send [scheduled:: 2026-12-02]  [due:: 2026-12-05]"
    assert with_show_from("Send", date(2026, 12, 2)) == "Send ⏳ 2026-12-02"


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("Send 📅 2026-12-01 🆔 k", "Send 📅 2026-12-05 🆔 k"),
        ("Send 🆔 k", "Send 📅 2026-12-05 🆔 k"),
        ("Send", "Send 📅 2026-12-05"),
        ("Send 📅 2026-13-01 🆔 k", "Send 📅 2026-12-05 🆔 k"),
        ("Send [due:: 2026-12-01]", "Send [due:: 2026-12-05]"),
        ("Send [due:: 1 December 2026]", "Send [due:: 2026-12-05]"),
        ("Send [due:: 1 December 2026 9:00]", "Send [due:: 2026-12-05 9:00]"),
        ("Send📅 Friday🆔 k", "Send 📅 2026-12-05 🆔 k"),
        ("Send [id:: k]", "Send [due:: 2026-12-05] [id:: k]"),
        ("Send (@2026-12-01 17:00)", "Send (@2026-12-05 17:00)"),
        ("Send @{2026-12-01} @@{17:00}", "Send @{2026-12-05} @@{17:00}"),
    ],
)
def test_only_the_date_itself_is_replaced(line: str, after: str) -> None:
    assert with_due(line, DAY) == after


@pytest.mark.parametrize(
    ("line", "time", "after"),
    [
        ("Send 17:00 📅 2026-12-05", "09:00", "Send 09:00 📅 2026-12-05"),
        ("Send 📅 2026-12-05", "09:00", "Send 09:00 📅 2026-12-05"),
        ("Send 17:00 📅 2026-12-05", None, "Send 📅 2026-12-05"),
        ("Send (@2026-12-05 17:00)", "09:00", "Send (@2026-12-05 09:00)"),
        ("Send (@2026-12-05 9:00)", "09:30", "Send (@2026-12-05 09:30)"),
        ("Send [due:: 5 December 2026 9:00]", "17:00", "Send [due:: 5 December 2026 17:00]"),
        ("Send 17:00 📅 2026-12-05", "17:00", "Send 17:00 📅 2026-12-05"),
        ("Send [due:: 2026-12-05T17:00]", None, "Send [due:: 2026-12-05T17:00]"),
        ("Send @{2026-12-05} @@{17:00}", "09:00", "Send @{2026-12-05} @@{09:00}"),
        ("Send", "09:00", "Send"),
    ],
)
def test_only_the_clock_time_is_replaced(line: str, time: str | None, after: str) -> None:
    assert with_clock(line, time) == after


def test_an_id_is_kept_or_added_in_the_line_s_own_format() -> None:
    assert with_id("Send 🆔 old", "new") == "Send 🆔 old"
    assert with_id("Send 📅 2026-12-05", "new") == "Send 📅 2026-12-05 🆔 new"
    assert with_id("Send [due:: 2026-12-05]", "new") == "Send [due:: 2026-12-05]  [id:: new]"


def test_the_next_occurrence_moves_every_date_and_sheds_what_belonged_to_the_last() -> None:
    line = "Rent 🔁 every month ➕ 2026-01-01 ⏳ 2026-03-29 📅 2026-04-01 🆔 r81b22 ✅ 2026-04-01 ^b"
    assert next_occurrence(line, "n1", date(2026, 5, 1)) == "Rent 🔁 every month ⏳ 2026-04-28 📅 2026-05-01 🆔 n1"
    assert without("Send 📅 2026-12-05 ✅ 2026-12-04", "done") == "Send 📅 2026-12-05"


def test_a_new_id_is_six_characters_the_same_for_the_same_text_and_not_taken() -> None:
    first = new_id("Send slides", ())
    assert first == new_id("Send slides", set())
    assert len(first) == 6
    assert set(first) <= set("abcdefghijklmnopqrstuvwxyz0123456789")
    assert new_id("Send slides", [first]) not in {first, ""}
