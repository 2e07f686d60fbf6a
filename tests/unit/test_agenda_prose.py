"""Dates in prose that no field holds: what counts, what satisfies them, what they resolve against."""

from __future__ import annotations

from datetime import date

import pytest

from vaultkit.agenda import Extract, ProseDate, extract
from vaultkit.text.note import parse_note

HEAD = "---\ntitle: Talk\ndate: 2026-03-04\n---\n"


def read(text: str, *, path: str = "n.md", fallback_day: date | None = None) -> Extract:
    return extract(parse_note(path, text), text, fallback_day=fallback_day)


def dates(text: str, *, path: str = "n.md", fallback_day: date | None = None) -> list[tuple[int, str]]:
    return [(found.line, found.date.isoformat()) for found in read(text, path=path, fallback_day=fallback_day).prose]


@pytest.mark.parametrize(
    ("line", "day"),
    [
        ("Please send the slides by 2026-03-10.", "2026-03-10"),
        ("Submit the report by Friday", "2026-03-06"),
        ("- [ ] Reply to Ann by March 20", "2026-03-20"),
        ("## Deadline 2026-03-12", "2026-03-12"),
        ("> The invoice is due 2026-03-15", "2026-03-15"),
        ("1. Book the room before 2026-03-19", "2026-03-18"),
        ("来週の金曜日までに資料を提出する", "2026-03-13"),
        ("締切は3月20日です。", "2026-03-20"),
        ("The TLS certificate expires on 2026-03-29.", "2026-03-29"),
    ],
)
def test_a_deadline_in_prose_is_reported_with_its_line(line: str, day: str) -> None:
    assert dates(f"{HEAD}# Talk\n\n{line}\n") == [(7, day)]


@pytest.mark.parametrize(
    "line",
    [
        "We met on Monday last week.",
        "Version 2026.3.6 was released yesterday.",
        "- [x] Reply to Ann by March 20",
        "- [-] Reply to Ann by March 20",
        "~~Send the slides by 2026-03-10~~ no longer needed",
        "    ```\n    send by 2026-03-10\n    ```",
        "Run `send --by 2026-03-10` to try it",
        "<!-- send by 2026-03-10 -->",
        "%% send by 2026-03-10 %%",
        "See [[2026-03-10]]",
        "## 2026-03-10",
        "## To do today",
        "Updated: 2026-03-10",
        "created:: 2026-03-10",
        "- [ ] Send for the 2026-03-12 review 📅 2026-03-10",
    ],
)
def test_what_is_no_deadline_is_not_reported(line: str) -> None:
    assert dates(f"{HEAD}\n{line}\n") == []


def test_an_equal_date_in_any_field_of_the_note_satisfies_the_phrase_even_when_it_is_done() -> None:
    prose = "Send the slides by Friday.\n"
    for field in (
        'action_items: ["Send slides 📅 2026-03-06"]\n',
        'trackers: ["Slides 📅 2026-03-06 ✅ 2026-03-05"]\n',
        "deadline: 2026-03-06\n",
    ):
        assert dates(f"---\ndate: 2026-03-04\n{field}---\n{prose}") == []
    assert dates(f"---\ndate: 2026-03-04\n---\n{prose}\n- [ ] Slides 📅 2026-03-06\n") == []
    assert dates(f'---\ndate: 2026-03-04\naction_items: ["Send slides 📅 2026-03-09"]\n---\n{prose}') == [(5, "2026-03-06")]


def test_a_recurring_phrase_is_satisfied_by_a_recurring_item() -> None:
    prose = "Water the plants every Friday.\n"
    assert dates(HEAD + prose)
    assert dates(f'---\ndate: 2026-03-04\ntrackers: ["Water 🔁 every week on Friday 📅 2026-04-24"]\n---\n{prose}') == []


@pytest.mark.parametrize(
    ("head", "path", "fallback"),
    [
        ("date: 2026-03-04", "n.md", None),
        ("created: 2026-03-04T09:00", "n.md", None),
        ("作成日: 2026年3月4日", "n.md", None),
        ("x: 1", "inbox/2026-03-04-talk.md", None),
        ("x: 1", "n.md", date(2026, 3, 4)),
    ],
)
def test_relative_phrases_count_from_the_note_s_own_day(head: str, path: str, fallback: date | None) -> None:
    assert dates(f"---\n{head}\n---\nSubmit it by Friday\n", path=path, fallback_day=fallback) == [(4, "2026-03-06")]


def test_in_a_note_without_a_day_only_absolute_dates_count_and_the_others_are_told() -> None:
    found = read("Submit the report by 2026-03-06.\n\nSubmit the form by Friday.\n")
    assert [(prose.line, prose.date) for prose in found.prose] == [(1, date(2026, 3, 6))]
    assert [line for line, _ in found.unresolved] == [3]


def test_a_date_in_title_or_description_counts_once_beside_the_body() -> None:
    head = "---\ntitle: Send slides by 2026-03-10\ndescription: Room due 2026-03-12\ndate: 2026-03-04\n---\n"
    assert dates(head) == [(2, "2026-03-10"), (3, "2026-03-12")]
    assert dates(f"{head}Really by March 10: send the slides\n") == [(6, "2026-03-10"), (3, "2026-03-12")]
    assert dates(f"{head}Send slides by 2026-03-10\n") == [(6, "2026-03-10"), (3, "2026-03-12")]


def test_an_undated_entry_that_names_its_date_in_words_is_reported_where_it_stands() -> None:
    found = read('---\ndate: 2026-03-04\naction_items:\n  - "Send slides by Friday 🆔 k3f9a1"\n---\n')
    assert [(prose.line, prose.date, prose.fix) for prose in found.prose] == [
        (4, date(2026, 3, 6), 'action_items: - "Send slides by Friday 📅 2026-03-06 🆔 k3f9a1"')
    ]
    assert found.undated == 1


def only(text: str) -> ProseDate:
    (found,) = read(text).prose
    return found


def test_the_line_that_would_be_written_holds_the_sentence_without_markup() -> None:
    found = only(f"{HEAD}\n- **Prep** is fine. Send the [[deck|slides]] to [Priya](https://x.org) by Friday! Then rest.\n")
    assert found.text == "Send the slides to Priya by Friday"
    assert found.fix.startswith('action_items: - "Send the slides to Priya by Friday 📅 2026-03-06 🆔 ')
    assert only(f"{HEAD}\n準備中。資料を金曜日までに送る。後で休む。\n").text == "資料を金曜日までに送る"


def test_an_event_goes_to_the_trackers() -> None:
    assert only(f"{HEAD}\nThe TLS certificate expires on 2026-03-29.\n").fix.startswith(
        'trackers: - "The TLS certificate expires on 2026-03-29 📅 2026-03-29 🆔 '
    )


def test_a_line_that_says_only_a_date_takes_the_note_s_title() -> None:
    assert only(f"{HEAD}\nDeadline: 2026-03-12\n").text == "Talk: Deadline: 2026-03-12"


def test_a_long_sentence_is_cut_around_the_phrase() -> None:
    text = only(f"{HEAD}\n{'so many words ' * 30} we must send the slides by 2026-03-10 {'and more words ' * 30}\n").text
    assert len(text) <= 120
    assert "2026-03-10" in text


def test_what_is_not_certain_names_its_reason_instead_of_a_fix() -> None:
    moved = only('---\ndate: 2026-03-04\naction_items: ["Send slides to Priya 📅 2026-03-09"]\n---\nSend slides to Priya by Friday\n')
    assert (moved.fix, "another date" in moved.warning) == ("", True)
    wrong_day = only(f"{HEAD}\n提出期限は12/5(金)です\n")
    assert wrong_day.fix == ""
    assert wrong_day.warning


def test_only_roughly_a_date_is_told_but_not_placed() -> None:
    found = only(f"{HEAD}\nFind a new flat by summer.\n")
    assert (found.fix, found.warning) == ("", "only roughly a date")


def test_what_was_is_told_from_what_will_be() -> None:
    assert dates(f"{HEAD}\n## 2026-03-20 Workshop with Ann\n") == [(6, "2026-03-20")]
    assert dates(f"{HEAD}\n## 2026-03-02 Workshop with Ann\n") == []
    assert dates(f"{HEAD}\n## 2026-03-04 Workshop with Ann\n") == []
    assert dates("## 2026-03-20 Workshop with Ann\n") == []
    assert dates("The visa expires on 2026-03-20.\n") == [(1, "2026-03-20")]


def test_a_very_long_line_and_a_very_long_note_are_read() -> None:
    assert len(dates(f"{HEAD}{'x ' * 40000}send it by 2026-03-10 {'- ' * 40000}\n")) == 1
    assert len(dates(HEAD + "word\n" * 20000 + "send it by 2026-03-10\n")) == 1
