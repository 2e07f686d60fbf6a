"""`done` and `snooze`: only the characters in question change."""

from __future__ import annotations

from datetime import date

import pytest

from vaultkit.agenda import Item, extract, parse_task_text, plan_done, plan_snooze
from vaultkit.errors import NotFoundError, RefusedError, UsageError
from vaultkit.text.note import parse_note

TODAY = date(2026, 3, 4)
NOTE = """---
title: Launch   # kept
due: 2026-03-06
action_items:
  - "Send slides 17:00 📅 2026-03-06 🆔 k3f9a1" # kept too
  - 'Book room 📅 2026-03-09 🆔 b00k01'
trackers: ["Rent 🔁 every month on the 1st 📅 2026-04-01 🆔 r81b22"]
---

> - [ ] Send slides 17:00 📅 2026-03-06 🆔 k3f9a1 ^s1
* [ ] Rent 🔁 every month on the 1st 📅 2026-04-01 🆔 r81b22
- [ ] Own task ⏫ 📅 2026-03-05
    1. [/] Water 🔁 every 3 days when done 📅 2026-03-04
- [ ] Read [due:: 2026-03-07]
"""


def done(text: str, item_id: str, *, today: date = TODAY) -> str:
    return plan_done(parse_note("n.md", text), text, item_id, today=today)


def snooze(text: str, item_id: str, *, until: date | None = None, days: int | None = None) -> str:
    return plan_snooze(parse_note("n.md", text), text, item_id, today=TODAY, until=until, days=days)


def items(text: str) -> list[Item]:
    return list(extract(parse_note("n.md", text), text).items)


def id_of(text: str, words: str) -> str:
    return next(item.id for item in items(text) if item.text == words)


def changes(before: str, after: str) -> tuple[list[str], list[str]]:
    old, new = before.split("\n"), after.split("\n")
    return [line for line in old if line not in new], [line for line in new if line not in old]


def test_done_closes_the_field_ticks_the_body_and_derives_due_again() -> None:
    assert changes(NOTE, done(NOTE, "k3f9a1")) == (
        [
            "due: 2026-03-06",
            '  - "Send slides 17:00 📅 2026-03-06 🆔 k3f9a1" # kept too',
            "> - [ ] Send slides 17:00 📅 2026-03-06 🆔 k3f9a1 ^s1",
        ],
        [
            "due: 2026-03-09",
            '  - "Send slides 17:00 📅 2026-03-06 🆔 k3f9a1 ✅ 2026-03-04" # kept too',
            "> - [x] Send slides 17:00 📅 2026-03-06 🆔 k3f9a1 ✅ 2026-03-04 ^s1",
        ],
    )


def test_done_twice_is_done_once() -> None:
    once = done(NOTE, "k3f9a1")
    assert done(once, "k3f9a1") == once


def test_the_last_open_item_takes_the_derived_due_with_it() -> None:
    text = '---\ndue: 2026-03-06\naction_items: ["A 📅 2026-03-06 🆔 aaaaaa"]\n---\n'
    assert done(text, "aaaaaa") == '---\naction_items: ["A 📅 2026-03-06 🆔 aaaaaa ✅ 2026-03-04"]\n---\n'


def test_a_due_that_a_person_set_is_left_alone() -> None:
    text = '---\ndue: 2026-03-20\naction_items: ["A 📅 2026-03-06 🆔 aaaaaa"]\n---\n'
    assert "due: 2026-03-20\n" in done(text, "aaaaaa")


def test_a_recurring_item_gets_its_next_occurrence_in_field_and_body() -> None:
    after = done(NOTE, "r81b22")
    rents = [item for item in items(after) if item.text == "Rent" and item.open]
    assert [(item.due, item.field) for item in rents] == [(date(2026, 5, 1), "trackers")]
    name = rents[0].id
    assert name != "r81b22"
    assert f'trackers: ["Rent 🔁 every month on the 1st 📅 2026-05-01 🆔 {name}"' in after
    body = after.split("---\n", 2)[2].split("\n")
    assert body[2:4] == [
        f"* [ ] Rent 🔁 every month on the 1st 📅 2026-05-01 🆔 {name}",
        "* [x] Rent 🔁 every month on the 1st 📅 2026-04-01 🆔 r81b22 ✅ 2026-03-04",
    ]


def test_a_task_line_of_the_body_is_edited_where_it_stands() -> None:
    assert changes(NOTE, done(NOTE, id_of(NOTE, "Own task"))) == (
        ["- [ ] Own task ⏫ 📅 2026-03-05"],
        ["- [x] Own task ⏫ 📅 2026-03-05 ✅ 2026-03-04"],
    )
    assert "- [x] Read [due:: 2026-03-07]  [completion:: 2026-03-04]" in done(NOTE, id_of(NOTE, "Read"))


def test_a_recurring_line_that_counts_from_the_day_it_was_done() -> None:
    after = done(NOTE, id_of(NOTE, "Water"), today=date(2026, 3, 10))
    assert (
        "    1. [ ] Water 🔁 every 3 days when done 📅 2026-03-13\n    1. [x] Water 🔁 every 3 days when done 📅 2026-03-04 ✅ 2026-03-10\n"
        in after
    )


def test_windows_line_ends_stay() -> None:
    text = NOTE.replace("\n", "\r\n")
    after = done(text, "r81b22")
    assert "\n" not in after.replace("\r\n", "")


def test_a_lone_string_and_a_line_without_a_checkbox_are_closed_where_they_stand() -> None:
    text = "---\naction_items: Send 🔁 every week 📅 2026-03-06\n---\n- Pay by hand 📅 2026-03-07\n"
    after = done(text, id_of(text, "Pay by hand"))
    assert "- Pay by hand 📅 2026-03-07 ✅ 2026-03-04\n" in after
    assert [(item.due.day, item.open) for item in items(done(text, id_of(text, "Send"))) if item.text == "Send"] == [(13, True), (6, False)]
    once = text.replace("🔁 every week ", "")
    assert "action_items: Send 📅 2026-03-06 ✅ 2026-03-04\n" in done(once, id_of(once, "Send")).replace('"', "")


def test_a_snooze_leaves_a_closed_body_line_alone() -> None:
    text = '---\naction_items: ["A 📅 2026-03-06 🆔 aaaaaa"]\n---\n- [x] A 📅 2026-03-06 🆔 aaaaaa\n- [ ] A 📅 2026-03-06 🆔 aaaaaa\n'
    after = snooze(text, "aaaaaa", days=1)
    assert "- [x] A 📅 2026-03-06 🆔 aaaaaa\n- [ ] A ⏳ 2026-03-05 📅 2026-03-06 🆔 aaaaaa\n" in after


def test_a_recurring_entry_without_a_date_is_refused() -> None:
    text = '---\naction_items: ["A 🔁 every week 🆔 aaaaaa"]\n---\n'
    with pytest.raises(RefusedError, match="no due date"):
        done(text, "aaaaaa")


def test_a_map_becomes_a_string_unless_it_holds_more_than_an_item() -> None:
    text = "---\naction_items:\n  - text: Call\n    due: 2026-03-06\n---\n"
    assert '  - "Call 📅 2026-03-06 ✅ 2026-03-04"\n' in done(text, id_of(text, "Call"))
    owned = text.replace("    due:", "    owner: Ann\n    due:")
    with pytest.raises(RefusedError, match="map with keys"):
        done(owned, id_of(owned, "Call"))


def test_a_property_of_the_whole_note_is_refused_with_what_to_do() -> None:
    text = "---\ntitle: Visa\n締切: 2026-03-06\n---\n"
    with pytest.raises(RefusedError) as refused:
        done(text, id_of(text, "Visa"))
    assert "締切" in refused.value.hint
    with pytest.raises(RefusedError):
        snooze(text, id_of(text, "Visa"), days=1)
    inline = "---\ntitle: Visa\n---\ndue:: 2026-03-06\n"
    with pytest.raises(RefusedError):
        done(inline, id_of(inline, "Visa"))


@pytest.mark.parametrize("rule", ["🔁 every blue moon", "🔁 毎月"])
def test_a_recurrence_that_cannot_be_computed_is_refused_and_nothing_is_closed(rule: str) -> None:
    text = f"- [ ] Odd {rule} 📅 2026-03-06\n"
    with pytest.raises(RefusedError):
        done(text, id_of(text, "Odd"))


def test_a_recurrence_in_another_tool_s_syntax_is_refused() -> None:
    for text in ("- [ ] Odd (@2026-03-06 🔁every monday)\n", "- [ ] Odd DEADLINE: <2026-03-06 Fri +1w>\n"):
        with pytest.raises(RefusedError, match="recurrence"):
            done(text, id_of(text, "Odd"))


def test_an_id_that_is_not_there_and_one_that_is_there_twice_are_refused() -> None:
    with pytest.raises(NotFoundError):
        done(NOTE, "nosuch")
    with pytest.raises(RefusedError, match="names 2 items"):
        done("- [ ] A 📅 2026-03-06 🆔 same\n- [ ] B 📅 2026-03-07 🆔 same\n", "same")


def test_snooze_writes_the_day_into_field_and_body() -> None:
    after = snooze(NOTE, "k3f9a1", days=2)
    assert changes(NOTE, after) == (
        ['  - "Send slides 17:00 📅 2026-03-06 🆔 k3f9a1" # kept too', "> - [ ] Send slides 17:00 📅 2026-03-06 🆔 k3f9a1 ^s1"],
        [
            '  - "Send slides 17:00 ⏳ 2026-03-06 📅 2026-03-06 🆔 k3f9a1" # kept too',
            "> - [ ] Send slides 17:00 ⏳ 2026-03-06 📅 2026-03-06 🆔 k3f9a1 ^s1",
        ],
    )
    again = snooze(after, "k3f9a1", until=date(2026, 3, 5))
    assert parse_task_text(again.split("\n")[4].strip(' -"')).show_from == date(2026, 3, 5)
    assert "- [ ] Own task ⏫ ⏳ 2026-03-05 📅 2026-03-05" in snooze(NOTE, id_of(NOTE, "Own task"), days=1)


def test_snooze_never_goes_beyond_the_due_date() -> None:
    with pytest.raises(RefusedError, match="due 2026-03-06"):
        snooze(NOTE, "k3f9a1", days=3)
    late = "- [ ] Late 📅 2026-03-01\n"
    with pytest.raises(RefusedError, match="overdue"):
        snooze(late, id_of(late, "Late"), days=1)


def test_snooze_asks_for_one_later_day() -> None:
    for until, days in ((None, None), (date(2026, 3, 5), 1)):
        with pytest.raises(UsageError):
            snooze(NOTE, "k3f9a1", until=until, days=days)
    with pytest.raises(UsageError, match="not after today"):
        snooze(NOTE, "k3f9a1", until=TODAY)
    with pytest.raises(UsageError, match="too far"):
        snooze(NOTE, "k3f9a1", days=10**9)
    with pytest.raises(RefusedError, match="done already"):
        snooze(done(NOTE, "k3f9a1"), "k3f9a1", days=1)
