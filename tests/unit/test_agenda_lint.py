"""The lint's deadline rules and their fixes, and the founding story told from end to end on pure text."""

from __future__ import annotations

from datetime import date

import pytest

from vaultkit.agenda import Seen, check, extract, ids_of, plan_done, plan_fix, render, survey
from vaultkit.text.note import parse_note

TODAY = date(2026, 3, 4)


def fix(text: str, *, last: dict[str, Seen] | None = None, taken: tuple[str, ...] = ()) -> str | None:
    return plan_fix(parse_note("n.md", text), text, today=TODAY, last=last, taken=taken)


def rules(text: str) -> list[tuple[str, int]]:
    return [(found.rule, found.line) for found in check("n.md", extract(parse_note("n.md", text), text))]


STORIES = [
    (
        "---\ntitle: Budget talk\ndate: 2026-03-04\ntags: [work]  # kept\n---\n# Budget talk\n\nPriya needs the numbers by Friday.\n",
        "by Friday",
        8,
    ),
    ("---\ntitle: 予算の件\ndate: 2026-03-04\n---\n# 予算の件\n\n数字を金曜日までに佐藤さんへ送る。\n", "金曜", 7),
]


@pytest.mark.parametrize(("text", "phrase", "line"), STORIES)
def test_the_founding_story(text: str, phrase: str, line: int) -> None:
    """A note holds its deadline in prose only; the lookahead must say so, the fix must place it, and then it must warn."""
    path, friday, after_a_week = "inbox/talk.md", date(2026, 3, 6), date(2026, 3, 11)
    note = parse_note(path, text)
    found = extract(note, text)

    before = survey({path: found}, today=TODAY, notes_read=1)
    assert before.items == ()
    assert [(prose.line, prose.date) for prose in before.prose_dates] == [(line, friday)]
    assert phrase in before.prose_dates[0].phrase or before.prose_dates[0].phrase in phrase
    assert f"{path}:{line}" in render(before)
    assert [(problem.rule, problem.line) for problem in check(path, found)] == [("prose-date", line)]

    fixed = plan_fix(note, text, today=TODAY)
    assert fixed is not None
    assert text.partition("---\n")[2].partition("---\n")[2] == fixed.partition("---\n")[2].partition("---\n")[2]
    again = parse_note(path, fixed)
    placed = extract(again, fixed)
    assert check(path, placed) == []
    assert plan_fix(again, fixed, today=TODAY) is None
    assert again.properties["due"] == "2026-03-06"

    for day, tier in ((TODAY, "soon"), (friday, "today"), (after_a_week, "overdue")):
        look = survey({path: placed}, today=day, notes_read=1, level="soon")
        assert [(due.tier, due.item.due) for due in look.items] == [(tier, friday)]
        assert look.exit_code == 1
    assert survey({path: placed}, today=date(2026, 2, 1), notes_read=1).exit_code == 0

    done = plan_done(again, fixed, placed.items[0].id, today=friday)
    closed = extract(parse_note(path, done), done)
    assert survey({path: closed}, today=after_a_week, notes_read=1).exit_code == 0
    assert check(path, closed) == []
    assert "due:" not in done


def test_every_rule_is_reported_with_its_line() -> None:
    text = (
        '---\ndate: 2026-03-04\ndue: 2026-03-20\naction_items:\n  - "A 📅 2026-03-06 🆔 aaaaaa"\n  - "B 📅 soon"\n---\n'
        "Send the form by 2026-04-10.\n\n- [x] A 📅 2026-03-06 🆔 aaaaaa\n- [ ] C 📅 2026-14-01\n"
    )
    assert rules(text) == [
        ("due-mismatch", 3),
        ("unparsable-date", 6),
        ("prose-date", 8),
        ("tick-mismatch", 10),
        ("unparsable-date", 11),
    ]


def test_a_clean_note_has_no_findings_and_no_fix() -> None:
    text = '---\ndate: 2026-03-04\ndue: 2026-03-06\naction_items:\n  - "Send 📅 2026-03-06 🆔 aaaaaa"\n---\nSend by Friday.\n\n- [ ] Send 📅 2026-03-06 🆔 aaaaaa\n'
    assert rules(text) == []
    assert fix(text) is None


def test_a_fix_makes_the_field_with_an_id_of_its_own_and_leaves_the_rest_alone() -> None:
    text = "---\r\ntitle: T\r\ndate: 2026-03-04\r\nmine: [a,   b] # x\r\n---\r\nSend the form by 2026-04-10 17:00.\r\n"
    fixed = fix(text)
    assert fixed is not None
    (name,) = ids_of(parse_note("n.md", fixed))
    assert fixed == text.replace(
        "date: 2026-03-04\r\n",
        f'date: 2026-03-04\r\ndue: 2026-04-10\r\naction_items:\r\n  - "Send the form by 2026-04-10 17:00 📅 2026-04-10 🆔 {name}"\r\n',
    )
    other = fix(text, taken=(name,))
    assert other is not None
    assert name not in other


def test_the_fix_that_lint_shows_is_the_line_that_is_written() -> None:
    text = "---\ndate: 2026-03-04\n---\nSend the form by 2026-04-10. The visa expires on 2026-05-01.\n"
    found = check("n.md", extract(parse_note("n.md", text), text))
    fixed = fix(text)
    assert fixed is not None
    assert len(found) == 2
    for problem in found:
        key, _, entry = problem.fix.partition(": - ")
        assert f"{key}:\n  - {entry}\n" in fixed


def test_a_note_without_frontmatter_gains_one() -> None:
    fixed = fix("Send the form by 2026-04-10.\n")
    assert fixed is not None
    assert fixed.startswith("---\ndue: 2026-04-10\naction_items:\n  - ")
    assert fixed.endswith("---\nSend the form by 2026-04-10.\n")


def test_an_open_task_line_is_joined_to_its_new_entry() -> None:
    text = "---\ndate: 2026-03-04\n---\n- [ ] Send the form by Friday #work ^b1\n"
    fixed = fix(text)
    assert fixed is not None
    (name,) = set(ids_of(parse_note("n.md", fixed)))
    assert f"- [ ] Send the form by Friday #work 📅 2026-03-06 🆔 {name} ^b1\n" in fixed
    found = extract(parse_note("n.md", fixed), fixed)
    assert [(item.id, item.field) for item in found.items] == [(name, "action_items")]


def test_an_undated_entry_of_the_same_words_takes_the_date() -> None:
    text = '---\ndate: 2026-03-04\naction_items:\n  - "Send the form 🆔 k3f9a1"\n---\nSend the form by Friday.\n'
    assert fix(text) == text.replace("Send the form 🆔", "Send the form 📅 2026-03-06 🆔").replace(
        "action_items", "due: 2026-03-06\naction_items", 1
    )


BOTH = (
    '---\ndate: 2026-03-04\ndue: 2026-03-06\naction_items:\n  - "Send the form by Friday 📅 2026-03-06 🆔 k3f9a1"\n---\n'
    "- [ ] Send the form by Friday 📅 2026-03-06 🆔 k3f9a1\n"
)


@pytest.mark.parametrize(
    ("text", "after"),
    [
        (  # a task line with an id of its own becomes an entry under that id
            "---\ndate: 2026-03-04\n---\n- [ ] Send the form by Friday 🆔 k3f9a1\n",
            BOTH,
        ),
        (  # and one that is mirrored already takes its date on both sides
            '---\ndate: 2026-03-04\naction_items:\n  - "Send the form by Friday 🆔 k3f9a1"\n---\n- [ ] Send the form by Friday 🆔 k3f9a1\n',
            BOTH,
        ),
    ],
)
def test_an_id_that_is_there_is_kept(text: str, after: str) -> None:
    assert fix(text) == after
    assert fix(after) is None


def test_one_date_said_twice_becomes_one_item() -> None:
    fixed = fix("---\ndate: 2026-03-04\n---\nSend the form by Friday.\n\nReally: the form by 2026-03-06!\n")
    assert fixed is not None
    assert fixed.count("📅") == 1


def test_old_dates_can_be_left_alone() -> None:
    text = "---\ndate: 2019-03-04\n---\nSend the form by Friday.\n"
    note = parse_note("n.md", text)
    assert plan_fix(note, text, today=TODAY, since=TODAY) is None
    assert plan_fix(note, text, today=TODAY) is not None


def test_new_entries_join_a_list_that_is_there() -> None:
    text = '---\ndate: 2026-03-04\ndue: 2026-03-05\naction_items:\n  - "Call 📅 2026-03-05 🆔 aaaaaa" # mine\n---\nSend the form by 2026-04-10.\n'
    fixed = fix(text)
    assert fixed is not None
    assert fixed.startswith(text.partition("---\nSend")[0])
    assert len(parse_note("n.md", fixed).tasks) == 0
    assert len(extract(parse_note("n.md", fixed), fixed).items) == 2


def test_a_tick_is_written_into_the_field_and_a_stale_due_is_derived_again() -> None:
    text = (
        '---\ndue: 2026-03-06\naction_items:\n  - "A 📅 2026-03-06 🆔 aaaaaa"\n  - "B 📅 2026-03-09 🆔 bbbbbb"\n---\n'
        "- [x] A 📅 2026-03-06 🆔 aaaaaa ✅ 2026-03-03\n"
    )
    assert fix(text) == text.replace("due: 2026-03-06", "due: 2026-03-09").replace('🆔 aaaaaa"', '🆔 aaaaaa ✅ 2026-03-03"')


def test_with_the_last_state_known_a_postponed_line_is_followed() -> None:
    text = '---\ndue: 2026-03-06\naction_items:\n  - "A 📅 2026-03-06 🆔 aaaaaa"\n---\n- [ ] A 📅 2026-03-09 🆔 aaaaaa\n'
    assert fix(text) is None
    last = {"aaaaaa": Seen(date(2026, 3, 6), None, None, closed=False)}
    assert fix(text, last=last) == text.replace("2026-03-06", "2026-03-09")


@pytest.mark.parametrize(
    "text",
    [
        "---\ndue: 2026-03-20\naction_items: []\n---\n",  # a person's own due
        '---\ndate: 2026-03-04\naction_items: ["Send the form 📅 2026-03-09"]\n---\nSend the form by Friday.\n',  # moved, or forgotten?
        "---\ndate: 2026-03-04\nstatus: discarded\n---\nSend the form by Friday.\n",
        "---\na: b: c\n---\nSend the form by 2026-04-10.\n",  # cannot be read, so cannot be edited
        "Send it by Friday.\n",  # no day to count from
    ],
)
def test_what_is_not_certain_is_left_to_a_person(text: str) -> None:
    assert fix(text) is None
