"""What one note gives: items with their lines, unparsable values, disagreements. All from `parse_note` on text of our own."""

from __future__ import annotations

import json
import marshal
from datetime import date

import pytest

from vaultkit import agenda
from vaultkit.agenda import NOTHING, Extract, Settings, extract, extract_from_row, extract_to_row, ids_of
from vaultkit.text.markdown import Bullet
from vaultkit.text.note import parse_note


def read(text: str, *, path: str = "inbox/note.md", settings: Settings | None = None, fallback_day: date | None = None) -> Extract:
    return extract(parse_note(path, text), text, settings=settings or Settings(), fallback_day=fallback_day)


def briefly(found: Extract) -> list[tuple[str, str, int, str, bool]]:
    return [(item.text, item.due.isoformat(), item.line, item.field, item.open) for item in found.items]


def test_the_two_fields_are_read_with_the_line_of_each_entry() -> None:
    text = (
        '---\ntitle: Launch\naction_items:\n  # first the slides\n  - "Send slides 17:00 📅 2026-03-06 🆔 k3f9a1"\n\n'
        "  - >-\n    Book a\n    room 📅 2026-03-09\n  - 'Call Ann 📅 2026-03-10'\ntrackers: [\"Cert expires 📅 2026-03-29\",\n  'Rent, flat 📅 2026-04-01']\n---\n"
    )
    assert briefly(read(text)) == [
        ("Send slides", "2026-03-06", 5, "action_items", True),
        ("Book a room", "2026-03-09", 7, "action_items", True),
        ("Call Ann", "2026-03-10", 10, "action_items", True),
        ("Cert expires", "2026-03-29", 11, "trackers", True),
        ("Rent, flat", "2026-04-01", 12, "trackers", True),
    ]


def test_lines_are_right_below_an_unindented_list_with_windows_line_ends() -> None:
    text = '---\r\ntrackers:\r\n- "A 📅 2026-03-06"\r\n- "B 📅 2026-03-07"\r\nx: 1\r\n---\r\n'
    assert [item.line for item in read(text).items] == [3, 4]


def test_lines_of_a_flow_list_survive_quotes_and_nesting() -> None:
    text = "---\ntrackers: [it's one 📅 2026-03-06, \n  'a, b 📅 2026-03-07', {text: C, due: 2026-03-08},\n\n  \"d\n  e 📅 2026-03-09\", F 📅 2026-03-10]\n---\n"
    assert [(item.due.day, item.line) for item in read(text).items] == [(6, 2), (7, 3), (8, 3), (9, 5), (10, 6)]


def test_a_list_written_in_an_odd_way_gives_its_key_s_line() -> None:
    text = '---\ntitle: T\n? trackers\n: - "A 📅 2026-03-06"\n  - "B 📅 2026-03-07"\n---\n'
    assert {item.line for item in read(text).items} <= {3, 4}


def test_a_single_string_and_maps_are_read_as_entries() -> None:
    text = (
        "---\naction_items: Send slides 📅 2026-03-06\ntrackers:\n  - text: Cert\n    due: 2026-03-29\n    done: false\n"
        "  - {text: Old, due: 2026-01-02, done: true}\n  - task: Call\n    date: 2026-03-30T09:00\n    done: 2026-03-01\n  - {text: Soon, due: tbd, id: 7, time: no}\n  - Fix: slides 📅 2026-03-31\n---\n"
    )
    assert briefly(read(text)) == [
        ("Send slides", "2026-03-06", 2, "action_items", True),
        ("Cert", "2026-03-29", 4, "trackers", True),
        ("Old", "2026-01-02", 7, "trackers", False),
        ("Call", "2026-03-30", 8, "trackers", False),
        ("Fix: slides", "2026-03-31", 12, "trackers", True),
    ]


def test_garbage_in_the_fields_is_reported_with_its_line() -> None:
    text = '---\naction_items:\n  - [nested]\n  - true\n  - a: 1\n    b: 2\n  - text: X\n    due: Friday\n  - "Y 📅 soon"\n  -\n  - ""\ndue: someday soon\n---\n'
    assert read(text).unparsable == (
        (3, "action_items: ['nested']"),
        (4, "action_items: True"),
        (5, "action_items: {'a': 1, 'b': 2}"),
        (7, "due: Friday"),
        (9, "📅 soon"),
        (12, "due: someday soon"),
    )


def test_open_entries_without_a_date_are_counted() -> None:
    text = '---\naction_items:\n  - "Think about it"\n  - "Done thing ✅ 2026-01-01"\n  - "Broken 📅 soon"\ntrackers:\n  - 42\n---\n'
    assert read(text).undated == 2


@pytest.mark.parametrize(
    "name",
    ["due", "Due", "deadline", "due_date", "due-date", "dueDate", "Due Date", "締切", "締切日", "締め切り", "〆切", "期限", "期日", "納期"],
)
def test_a_plain_deadline_property_is_an_item_named_by_the_note(name: str) -> None:
    assert briefly(read(f"---\ntitle: Visa\n{name}: 2026-03-06\n---\n")) == [("Visa", "2026-03-06", 3, "due", True)]


def test_a_setting_adds_names_and_renames_the_fields() -> None:
    settings = Settings(action_items="todo", trackers="watch", due="by", more=("expires",))
    text = '---\ntodo: ["A 📅 2026-03-06"]\nwatch: ["B 📅 2026-03-07"]\nby: 2026-03-06\nExpires: 2026-03-08\naction_items: ["C 📅 2026-03-09"]\n---\n'
    assert [(item.due.day, item.field) for item in read(text, settings=settings).items] == [
        (6, "action_items"),
        (7, "trackers"),
        (8, "due"),
    ]


def test_a_property_may_say_that_there_is_no_date_yet() -> None:
    assert read("---\ndue: TBD\ndeadline: 未定\n期限:\n締切: []\n---\n") == NOTHING


def test_a_property_may_hold_several_dates() -> None:
    found = read("---\ntitle: Exam\ndeadline: [2026-03-06, 2026/04/06, whenever]\n---\n")
    assert [(item.id, item.due.month) for item in found.items] == [(found.items[0].id, 3), (found.items[1].id, 4)]
    assert found.items[0].id != found.items[1].id
    assert found.unparsable == ((3, "deadline: whenever"),)


def test_a_task_note_that_is_done_closes_its_own_due() -> None:
    assert [item.open for item in read("---\ndue: 2026-03-06\nstatus: done\n---\n").items] == [False]
    assert [item.open for item in read("---\ndue: 2026-03-06\ncompletedDate: 2026-03-01\n---\n").items] == [False]
    assert [item.open for item in read("---\ndue: 2026-03-06\nstatus: in-progress\n---\n").items] == [True]


@pytest.mark.parametrize(("status", "count"), [("active", 1), ("processed", 1), ("proposed", 1), ("retired", 0), ("discarded", 0)])
def test_only_a_retired_or_discarded_note_stops_warning(status: str, count: int) -> None:
    assert len(read(f'---\nstatus: {status}\naction_items: ["A 📅 2026-03-06"]\n---\n').items) == count


def test_task_lines_are_read_anywhere_in_the_body_but_not_in_code() -> None:
    text = (
        "# Plan\n\n- [ ] A 📅 2026-03-01\n> [!todo]\n> * [ ] B [due:: 2026-03-02]\n    1. [/] C (@2026-03-03)\n+ [x] D 📅 2026-03-04\n- [-] E 📅 2026-03-05\n"
        "- [ ] F 📅 2026-03-06 ✅ 2026-03-01\n- G 📅 2026-03-07\nH by hand 📅 2026-03-08\n- 📅 2026-03-09 a log entry\n## 📅 2026-03-10\n- [ ] no date\n"
        "- [ ] see `📅 2026-03-11`\n\n```\n- [ ] code 📅 2026-03-12\n```\n~~~\ncode 📅 2026-03-13\n~~~\n%%\nhidden 📅 2026-03-14\n%%\n<!-- J 📅 2026-03-15 -->\n"
    )
    assert briefly(read(text)) == [
        ("A", "2026-03-01", 3, "task", True),
        ("B", "2026-03-02", 5, "task", True),
        ("C", "2026-03-03", 6, "task", True),
        ("D", "2026-03-04", 7, "task", False),
        ("E", "2026-03-05", 8, "task", False),
        ("F", "2026-03-06", 9, "task", False),
        ("G", "2026-03-07", 10, "task", True),
        ("H by hand", "2026-03-08", 11, "task", True),
    ]


def test_a_checkbox_in_an_odd_place_counts_as_one() -> None:
    text = "- - [ ] A 📅 2026-03-06\n1. - [x] B 📅 2026-03-07\n- [ ]\u00a0C 📅 2026-03-08\n> ~~~\n> D 📅 2026-03-09\nE 📅 2026-03-10\n"
    assert [(item.text, item.open) for item in read(text).items] == [("A", True), ("B", False), ("C", True), ("E", True)]


def test_a_task_that_only_the_scanner_sees_is_not_lost() -> None:
    text = "odd [ ] A 📅 2026-03-06\n"
    seen = Bullet(text="A 📅 2026-03-06", line=1, end_line=1, indent=0, heading=-1, status=" ", start=0, end=len(text) - 1)
    assert [item.line for item in extract(parse_note("n.md", text)._replace(tasks=(seen,)), text).items] == [1]


def test_inline_fields_of_a_deadline_name_are_items() -> None:
    text = "---\ntitle: Trip\n---\nDeadline:: 2026-03-06\n\n- Book hotel [due:: 2026-03-07] soon\n- Visa (締切:: 2026-03-08) [completion:: 2026-03-01]\n\ndue:: whenever\n\nFor Bob (due:: ?)\n\nVisa (by:: 2026-03-09)\n"
    found = read(text, settings=Settings(more=("by",)))
    assert briefly(found) == [
        ("Trip", "2026-03-06", 4, "inline", True),
        ("Book hotel soon", "2026-03-07", 6, "inline", True),
        ("Visa", "2026-03-08", 7, "inline", False),
        ("Visa (by:: 2026-03-09)", "2026-03-09", 13, "inline", True),
    ]
    assert found.unparsable == ((9, "due:: whenever"),)


def test_what_vaultkit_itself_writes_into_a_note_is_not_read_back() -> None:
    block = "<!-- vaultkit:lookahead:start -->\n- soon Fri Pay the rent by 2026-03-06 📅 2026-03-06\n<!-- vaultkit:lookahead:end -->"
    assert read(f"# Day\n\n{block}") == NOTHING
    found = read(f"# Day\n\n{block}\nPay 📅 2026-03-07\n<!-- vaultkit:other:start --> never closed\nCall 📅 2026-03-08\n")
    assert [(item.text, item.line) for item in found.items] == [("Pay", 6), ("Call", 8)]


def test_a_page_s_address_with_an_author_marks_a_clipping_too() -> None:
    body = "Send it by 2030-03-06.\n"
    assert read(f"---\nurl: https://example.org\n---\n{body}").prose
    assert not read(f"---\nurl: https://example.org\nauthor: Ann\n---\n{body}").prose
    assert not read(f"---\nsource: [notes, https://example.org]\n---\n{body}").prose


def test_a_clipped_article_keeps_its_tasks_but_not_its_loose_dates() -> None:
    text = "---\nsource: https://example.org/a\n---\nRelease 📅 2026-03-06 and by 2026-03-07 at the latest.\n\n- [ ] Reply 📅 2026-03-08\n"
    found = read(text)
    assert [item.text for item in found.items] == ["Reply"]
    assert found.prose == ()


def test_an_item_without_its_own_id_gets_a_stable_one_from_path_and_words() -> None:
    text = "- [ ] Pay 📅 2026-03-06\n- [ ] Pay 📅 2026-04-06\n"
    ids = [item.id for item in read(text).items]
    assert ids == [item.id for item in read(text.replace("- [ ] Pay 📅 2026-03-06", "\n- [ ] Pay ⏳ 2026-03-01 📅 2026-03-05")).items]
    assert len(set(ids)) == 2
    assert all(len(name) == 8 and int(name, 16) >= 0 for name in ids)
    assert ids[0] != read(text, path="other.md").items[0].id


MIRRORED = '---\ntitle: T\n{due}action_items:\n  - "Send slides 17:00 📅 2026-03-06 🆔 k3f9a1{field}"\n---\nTalk\n\n- [{mark}] Send slides 17:00 📅 {body} 🆔 k3f9a1\n'


def mirrored(*, field: str = "", mark: str = " ", body: str = "2026-03-06", due: str = "") -> Extract:
    return read(MIRRORED.format(field=field, mark=mark, body=body, due=f"due: {due}\n" if due else ""))


def test_a_field_entry_and_its_body_line_are_one_item() -> None:
    found = mirrored()
    assert briefly(found) == [("Send slides", "2026-03-06", 4, "action_items", True)]
    assert found.mismatches == ()


def test_the_same_words_and_date_join_without_an_id_too() -> None:
    found = read('---\naction_items: ["Send 📅 2026-03-06"]\n---\n- [ ] Send 📅 2026-03-06\n- [ ] Send 📅 2026-03-07\n')
    assert [(item.field, item.due.day) for item in found.items] == [("action_items", 6), ("task", 7)]


def test_a_tick_in_the_body_closes_the_field_entry_and_is_reported_until_it_is_written() -> None:
    found = mirrored(mark="x", due="2026-03-06")
    assert [item.open for item in found.items] == [False]
    assert sorted((wrong.rule, wrong.line) for wrong in found.mismatches) == [("due-mismatch", 3), ("tick-mismatch", 9)]
    assert all(wrong.fix for wrong in found.mismatches)


def test_an_open_body_line_keeps_a_closed_field_entry_warning() -> None:
    found = mirrored(field=" ✅ 2026-03-05")
    assert [item.open for item in found.items] == [True]
    assert [wrong.rule for wrong in found.mismatches] == ["tick-mismatch"]


def test_when_field_and_body_name_two_dates_the_earlier_one_warns() -> None:
    for body, due in (("2026-03-04", date(2026, 3, 4)), ("2026-03-20", date(2026, 3, 6))):
        found = mirrored(body=body)
        assert [item.due for item in found.items] == [due]
        assert [wrong.rule for wrong in found.mismatches] == ["tick-mismatch"]
        assert body in found.mismatches[0].message


def test_an_entry_whose_body_line_was_deleted_is_not_dropped() -> None:
    found = read('---\naction_items: ["Send 📅 2026-03-06 🆔 k3f9a1"]\n---\nnothing left\n')
    assert [item.open for item in found.items] == [True]


def test_a_derived_due_is_no_item_of_its_own() -> None:
    found = mirrored(due="2026-03-06")
    assert [item.field for item in found.items] == ["action_items"]
    assert found.mismatches == ()


def test_a_due_that_equals_no_open_date_is_an_item_and_a_mismatch() -> None:
    found = mirrored(due="2026-03-20")
    assert briefly(found) == [("Send slides", "2026-03-06", 5, "action_items", True), ("T", "2026-03-20", 3, "due", True)]
    assert [(wrong.rule, wrong.line, wrong.fix) for wrong in found.mismatches] == [("due-mismatch", 3, "")]


def test_a_due_beside_an_empty_list_is_a_mismatch_and_one_without_lists_is_not() -> None:
    assert [wrong.rule for wrong in read("---\ndue: 2026-03-06\naction_items: []\n---\n").mismatches] == ["due-mismatch"]
    assert read("---\ndue: 2026-03-06\n---\n").mismatches == ()


def test_a_due_that_is_not_the_soonest_is_a_mismatch_with_a_fix() -> None:
    found = read('---\ndue: 2026-03-09\naction_items: ["A 📅 2026-03-06", "B 📅 2026-03-09"]\n---\n')
    assert [item.field for item in found.items] == ["action_items", "action_items"]
    assert [(wrong.rule, wrong.fix) for wrong in found.mismatches] == [("due-mismatch", "due: 2026-03-06")]


def test_a_frontmatter_that_cannot_be_read_is_said_and_the_body_is_still_read() -> None:
    found = read('---\naction_items: ["A 📅 2026-03-06"\ndue: x: y\n---\n- [ ] B 📅 2026-03-07\n')
    assert [item.text for item in found.items] == ["B"]
    assert len(found.unreadable) == 1


def test_every_id_of_fields_and_body_is_known() -> None:
    text = '---\naction_items: ["A 🆔 aaa111", {text: B, id: bbb222}]\n---\n- [ ] C 🆔 ccc333\n- [ ] D [id:: ddd444]\n- [ ] E\n'
    assert ids_of(parse_note("n.md", text)) == ("aaa111", "bbb222", "ccc333", "ddd444")


def test_an_extract_survives_the_cache() -> None:
    text = '---\ndate: 2026-03-01\ndue: 2026-03-20\naction_items: ["A 17:00 ⏳ 2026-03-02 📅 2026-03-06", "B 📅 x"]\n---\nSubmit the form by 2026-04-01.\n\n- [ ] C 🔁 every week 📅 2026-03-07\n'
    found = read(text)
    assert found.prose
    assert found.mismatches
    assert found.unparsable
    row = extract_to_row(found)
    assert extract_from_row("inbox/note.md", marshal.loads(marshal.dumps(row))) == found
    assert extract_from_row("inbox/note.md", json.loads(json.dumps(row))) == found
    assert not any(NOTHING)


def test_a_note_with_nothing_costs_nothing() -> None:
    assert read("# Just words\n\nand more of them\n") is NOTHING


def test_every_exported_name_is_there_and_no_other() -> None:
    assert sorted(agenda.__all__) == sorted(name for name in agenda.__all__ if getattr(agenda, name) is not None)
    name = "nosuch"
    with pytest.raises(AttributeError, match=name):
        getattr(agenda, name)
