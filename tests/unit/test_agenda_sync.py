"""Field entries and body lines brought together: whichever side changed since the last sync wins."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from vaultkit.agenda import Seen, Synced, extract, merge, plan_sync
from vaultkit.text.note import parse_note

TODAY = date(2026, 3, 4)
OLD, EARLIER, LATER = date(2026, 3, 9), date(2026, 3, 7), date(2026, 3, 12)
SEEN = Seen(OLD, None, None, closed=False)


def line(due: date, *, time: str = "", show: str = "", done: str = "") -> str:
    return f"Send{time and ' ' + time}{show and ' ⏳ ' + show} 📅 {due} 🆔 k3f9a1{done and ' ✅ ' + done}"


@pytest.mark.parametrize(
    ("field", "body", "last", "both", "conflicts"),
    [
        (OLD, LATER, SEEN, LATER, ()),  # postponed in the body by the Tasks plugin
        (LATER, OLD, SEEN, LATER, ()),  # postponed in the properties
        (EARLIER, LATER, SEEN, None, ("due",)),
        (EARLIER, LATER, None, None, ("due",)),
        (LATER, LATER, SEEN, LATER, ()),  # both moved alike
        (OLD, OLD, None, OLD, ()),
    ],
)
def test_a_date_that_one_side_changed_reaches_the_other(
    field: date, body: date, last: Seen | None, both: date | None, conflicts: tuple[str, ...]
) -> None:
    merged = merge(line(field), line(body), mark=" ", last=last, today=TODAY)
    assert merged.conflicts == conflicts
    assert (merged.field, merged.body) == ((line(both), line(both)) if both else (line(field), line(body)))
    assert merged.warn == (both or min(field, body))


@pytest.mark.parametrize(
    ("field_done", "mark", "last", "field", "body", "after", "conflicts"),
    [
        ("", "x", None, "2026-03-04", "", "x", ()),
        ("", "x", SEEN, "2026-03-04", "", "x", ()),
        ("2026-03-02", " ", SEEN, "2026-03-02", "2026-03-02", "x", ()),
        ("2026-03-02", " ", None, "2026-03-02", "", " ", ("done",)),
        ("2026-03-02", " ", SEEN._replace(closed=True), "", "", " ", ()),  # the tick was taken back in Obsidian
        ("", "x", SEEN._replace(closed=True), "", "", " ", ()),  # and here in the properties
    ],
)
def test_a_tick_reaches_the_other_side(
    field_done: str, mark: str, last: Seen | None, field: str, body: str, after: str, conflicts: tuple[str, ...]
) -> None:
    merged = merge(line(OLD, done=field_done), line(OLD), mark=mark, last=last, today=TODAY)
    assert (merged.field, merged.body, merged.mark, merged.conflicts) == (line(OLD, done=field), line(OLD, done=body), after, conflicts)


def test_a_tick_with_a_date_of_its_own_keeps_it_and_a_cancelled_line_cancels() -> None:
    assert merge(line(OLD), line(OLD, done="2026-03-01"), mark="x", last=None, today=TODAY).field == line(OLD, done="2026-03-01")
    assert merge(line(OLD), line(OLD), mark="-", last=None, today=TODAY).field == line(OLD) + " ❌ 2026-03-04"
    cancelled = merge(line(OLD) + " ❌ 2026-03-01", line(OLD), mark=" ", last=SEEN, today=TODAY)
    assert (cancelled.body, cancelled.mark) == (line(OLD) + " ❌ 2026-03-04", "-")


def test_clock_times_and_snoozes_move_too() -> None:
    assert merge(line(OLD), line(OLD, time="17:00"), mark=" ", last=SEEN, today=TODAY).field == line(OLD, time="17:00")
    assert merge(line(OLD, time="09:00"), line(OLD), mark=" ", last=SEEN, today=TODAY).body == line(OLD, time="09:00")
    assert merge(line(OLD), line(OLD, show="2026-03-06"), mark=" ", last=None, today=TODAY).field == line(OLD, show="2026-03-06")
    assert merge(line(OLD, show="2026-03-06"), line(OLD), mark=" ", last=SEEN, today=TODAY).body == line(OLD, show="2026-03-06")
    shown = SEEN._replace(show_from=date(2026, 3, 6))
    assert merge(line(OLD, show="2026-03-06"), line(OLD), mark=" ", last=shown, today=TODAY).field == line(OLD)
    assert merge(line(OLD), line(OLD, show="2026-03-06"), mark=" ", last=shown, today=TODAY).body == line(OLD)


def test_a_side_without_a_date_takes_the_other_s() -> None:
    assert merge("Send 🆔 k", "Send 📅 2026-03-09 🆔 k", mark=" ", last=None, today=TODAY).field == "Send 📅 2026-03-09 🆔 k"
    assert merge("Send 📅 2026-03-09 🆔 k", "Send 🆔 k", mark=" ", last=None, today=TODAY).body == "Send 📅 2026-03-09 🆔 k"
    removed = merge("Send 📅 2026-03-09 🆔 k", "Send 🆔 k", mark=" ", last=SEEN, today=TODAY)
    assert (removed.conflicts, removed.warn) == (("due",), OLD)


NOTE = (
    '---\ntitle: T\ndue: 2026-03-09\naction_items:\n  - "Send 📅 2026-03-09 🆔 k3f9a1"\n---\nWords\n\n- [ ] Send 📅 2026-03-09 🆔 k3f9a1\n'
)


def sync(text: str, last: dict[str, Seen] | None = None) -> Synced:
    return plan_sync(parse_note("n.md", text), text, last or {}, today=TODAY)


def test_what_agrees_is_left_alone_and_remembered() -> None:
    synced = sync(NOTE)
    assert synced.text is NOTE
    assert synced.seen == {"k3f9a1": SEEN}
    assert synced.problems == ()


def test_a_postponed_body_line_moves_the_field_and_the_derived_due() -> None:
    seen = sync(NOTE).seen
    synced = sync(NOTE.replace("- [ ] Send 📅 2026-03-09", "- [ ] Send 📅 2026-03-12"), seen)
    assert synced.text == NOTE.replace("2026-03-09", "2026-03-12")
    assert synced.seen == {"k3f9a1": SEEN._replace(due=LATER)}
    again = sync(synced.text, synced.seen)
    assert again.text == synced.text


def test_an_entry_edited_in_the_properties_moves_its_line_and_the_stale_due() -> None:
    seen = sync(NOTE).seen
    synced = sync(NOTE.replace('"Send 📅 2026-03-09', '"Send 📅 2026-03-12'), seen)
    assert synced.text == NOTE.replace("2026-03-09", "2026-03-12")


def test_a_due_edited_in_the_properties_is_never_overwritten() -> None:
    edited = NOTE.replace("due: 2026-03-09", "due: 2026-03-10")
    assert sync(edited, sync(NOTE).seen).text == edited


def test_a_conflict_changes_nothing_and_is_reported_until_it_is_settled() -> None:
    seen = sync(NOTE).seen
    text = NOTE.replace('"Send 📅 2026-03-09', '"Send 📅 2026-03-12').replace("] Send 📅 2026-03-09", "] Send 📅 2026-03-07")
    synced = sync(text, seen)
    assert synced.text.replace("due: 2026-03-07", "due: 2026-03-09") == text
    assert [problem.rule for problem in synced.problems] == ["tick-mismatch"]
    assert synced.seen == seen
    assert [item.due for item in extract(parse_note("n.md", text), text).items if item.field == "action_items"] == [EARLIER]


def test_a_deleted_body_line_is_reported_and_its_item_kept() -> None:
    seen = sync(NOTE).seen
    text = NOTE.rpartition("- [ ]")[0]
    synced = sync(text, seen)
    assert synced.text == text
    assert ["gone" in problem.message for problem in synced.problems] == [True]
    assert [problem.message for problem in sync(text, synced.seen).problems] == [problem.message for problem in synced.problems]
    assert sync(text).problems == ()


def test_a_tick_in_the_body_closes_the_field_and_takes_the_due_away() -> None:
    synced = sync(NOTE.replace("- [ ] Send 📅 2026-03-09 🆔 k3f9a1", "- [x] Send 📅 2026-03-09 🆔 k3f9a1 ✅ 2026-03-03"))
    assert "due:" not in synced.text
    assert '  - "Send 📅 2026-03-09 🆔 k3f9a1 ✅ 2026-03-03"\n' in synced.text
    assert synced.seen["k3f9a1"].closed


RECURRING = '---\ntrackers:\n  - "Rent 🔁 every month 📅 2026-03-01 🆔 r81b22"\n---\n{above}- [x] Rent 🔁 every month 📅 2026-03-01 🆔 r81b22 ✅ 2026-03-02\n'


def test_a_recurring_item_ticked_by_hand_gets_its_next_occurrence_on_both_sides() -> None:
    text = RECURRING.format(above="")
    after = sync(text).text
    found = [item for item in extract(parse_note("n.md", after), after).items if item.open]
    assert [(item.field, item.due) for item in found] == [("trackers", date(2026, 4, 1))]
    assert f"- [ ] Rent 🔁 every month 📅 2026-04-01 🆔 {found[0].id}\n- [x] Rent" in after
    assert sync(after).text == after


def test_the_line_that_the_tasks_plugin_made_is_taken_for_the_next_occurrence() -> None:
    text = RECURRING.format(above="- [ ] Rent 🔁 every month 📅 2026-04-02\n")
    after = sync(text).text
    found = [item for item in extract(parse_note("n.md", after), after).items if item.open]
    assert [(item.field, item.due) for item in found] == [("trackers", date(2026, 4, 2))]
    assert after.count("- [ ] Rent") == 1
    assert sync(after).text == after


def test_a_recurring_item_without_a_computable_rule_stays_open_and_is_reported() -> None:
    text = RECURRING.format(above="").replace("every month", "every blue moon")
    synced = sync(text)
    assert synced.text == text
    assert [problem.rule for problem in synced.problems] == ["tick-mismatch"]


def test_two_entries_of_one_id_are_looked_at_once() -> None:
    text = '---\naction_items: ["A 📅 2026-03-09 🆔 k3f9a1", "B 📅 2026-03-10 🆔 k3f9a1"]\n---\n'
    assert sync(text).text == text
    assert sync(text).seen == {"k3f9a1": SEEN._replace(mirrored=False)}


def test_a_tick_taken_back_and_one_made_in_the_properties_are_told_apart() -> None:
    done = NOTE.replace('k3f9a1"', 'k3f9a1 ✅ 2026-03-03"')
    ticked = sync(done, sync(NOTE).seen)
    assert "- [x] Send 📅 2026-03-09 🆔 k3f9a1 ✅ 2026-03-03\n" in ticked.text
    reopened = sync(
        ticked.text.replace("- [x] Send 📅 2026-03-09 🆔 k3f9a1 ✅ 2026-03-03", "- [ ] Send 📅 2026-03-09 🆔 k3f9a1"), ticked.seen
    )
    assert "✅" not in reopened.text
    unknown = sync(done)
    assert unknown.text == done
    assert ["done in" in problem.message for problem in unknown.problems] == [True]


def test_a_map_is_left_alone() -> None:
    text = "---\naction_items:\n  - {text: Send, due: 2026-03-09, id: k3f9a1, owner: Ann}\n---\n- [x] Send 📅 2026-03-09 🆔 k3f9a1\n"
    assert sync(text).text == text


def test_several_lines_of_one_item_are_done_when_all_are() -> None:
    one = NOTE + "- [x] Send 📅 2026-03-09 🆔 k3f9a1\n"
    assert sync(one).text == one
    assert "✅" in sync(one.replace("[ ]", "[x]")).text


def test_an_unchanged_day_of_many_items_is_stable() -> None:
    rows = [f'  - "Item {at} 📅 {OLD + timedelta(days=at)} 🆔 id{at:04}"\n' for at in range(30)]
    lines = [f"- [ ] Item {at} 📅 {OLD + timedelta(days=at)} 🆔 id{at:04}\n" for at in range(30)]
    text = "---\naction_items:\n" + "".join(rows) + "---\n" + "".join(lines)
    assert sync(text).text == text
