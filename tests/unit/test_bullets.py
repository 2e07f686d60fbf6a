"""Entries of list-like notes: whole bullets at any indent, each with its day."""

from __future__ import annotations

from datetime import date

import pytest

from vaultkit.text.bullets import Entry, Part, around, bullet_entries, heading_day, lengths, part_of
from vaultkit.text.note import parse_note


def entries(text: str, *, part: Part = "bullets", day: date | None = None, path: str = "list.md") -> list[Entry]:
    return bullet_entries(parse_note(path, text), text, part=part, day=day)


LOG = """---
tags:
  - log
---
# Work log

## 2026-11-30

- Moved the runner to GitLab
    - the token expires in May
      and must be renewed by hand
- [ ] Ask Priya about the invoice

### Evening

* Read about bloom filters

## 2026年12月1日（火）

1. 議事録を書いた
2. 2026-11-28: found on Saturday
   - under the Saturday one
"""


def test_every_bullet_is_an_entry_with_its_lines_heading_and_day() -> None:
    assert [entry[1:] for entry in entries(LOG)] == [
        (9, 9, "Moved the runner to GitLab", "Work log › 2026-11-30", date(2026, 11, 30)),
        (10, 11, "the token expires in May\nand must be renewed by hand", "Work log › 2026-11-30", date(2026, 11, 30)),
        (12, 12, "Ask Priya about the invoice", "Work log › 2026-11-30", date(2026, 11, 30)),
        (16, 16, "Read about bloom filters", "Work log › 2026-11-30 › Evening", date(2026, 11, 30)),
        (20, 20, "議事録を書いた", "Work log › 2026年12月1日（火）", date(2026, 12, 1)),
        (21, 21, "2026-11-28: found on Saturday", "Work log › 2026年12月1日（火）", date(2026, 11, 28)),
        (22, 22, "under the Saturday one", "Work log › 2026年12月1日（火）", date(2026, 11, 28)),
    ]


def test_bullets_are_never_cut() -> None:
    long = "word " * 3000
    assert entries(f"- {long}\n")[0].text == long.strip()


def test_code_and_comments_hold_no_bullets() -> None:
    assert entries("```\n- sample\n```\n<!--\n- hidden\n-->\n- real\n")[0].text == "real"


def test_an_empty_bullet_is_no_entry_but_keeps_its_place_above_others() -> None:
    assert [entry.text for entry in entries("- \n- a\n-\n  - b\n")] == ["a", "b"]


def test_the_day_of_the_note_holds_where_nothing_nearer_names_one() -> None:
    found = entries("- first\n\n## Later\n- second\n\n## 12/1\n- third\n", day=date(2026, 11, 30))
    assert [entry.day for entry in found] == [date(2026, 11, 30), date(2026, 11, 30), date(2026, 12, 1)]


def test_a_heading_of_a_higher_level_ends_the_day() -> None:
    found = entries("# A\n## 2026-11-30\n- x\n# B\n- y\n")
    assert [entry.day for entry in found] == [date(2026, 11, 30), None]


def test_the_year_may_stand_in_a_heading_above() -> None:
    found = entries("# 2024\n## January\n### Jan 1\n- a\n### 31 December\n- b\n# 2025年\n## 3月4日\n- c\n")
    assert [entry.day for entry in found] == [date(2024, 1, 1), date(2024, 12, 31), date(2025, 3, 4)]


@pytest.mark.parametrize(
    ("heading", "day"),
    [
        ("2026-11-30", date(2026, 11, 30)),
        ("[[2026-11-30]] Monday", date(2026, 11, 30)),
        ("2026/1/5", date(2026, 1, 5)),
        ("2026.01.05 notes", date(2026, 1, 5)),
        ("Monday, 30 November 2026", date(2026, 11, 30)),
        ("Nov 30th, 2026", date(2026, 11, 30)),
        ("May 4 2026", date(2026, 5, 4)),
        ("2026年11月30日（月）", date(2026, 11, 30)),
        ("2026-02-31", None),
        ("2026-13-01", None),
        ("Version 1.2.3", None),
        ("12026-11-30", None),
        ("Chapter 11", None),
        ("March of the penguins", None),
        ("Nov 30", None),
        ("11月30日", None),
        ("", None),
    ],
)
def test_a_heading_names_a_day(heading: str, day: date | None) -> None:
    assert heading_day(heading) == day


@pytest.mark.parametrize(
    ("heading", "near", "day"),
    [
        ("11月30日", date(2026, 12, 3), date(2026, 11, 30)),
        ("12/31", date(2027, 1, 2), date(2026, 12, 31)),
        ("Jan 2nd", date(2026, 12, 30), date(2027, 1, 2)),
        ("2 Jan", date(2026, 12, 30), date(2027, 1, 2)),
        ("2/29", date(2026, 3, 1), None),
        ("9/9 done", date(2026, 9, 1), date(2026, 9, 9)),
        ("Nov 2025", date(2026, 11, 1), None),
        ("1/2/3", date(2026, 11, 1), None),
    ],
)
def test_a_day_without_a_year_is_the_one_nearest(heading: str, near: date, day: date | None) -> None:
    assert heading_day(heading, near) == day


def test_a_dated_note_gives_its_paragraphs_too() -> None:
    text = "---\ntype: daily\n---\nSlept badly.\nTwice awake.\n\n## Work\nThe build broke.\n\n- fixed it\n\nHome late.\n"
    found = entries(text, part="everything", day=date(2026, 11, 30))
    assert [(entry.line, entry.end_line, entry.text, entry.heading) for entry in found] == [
        (4, 5, "Slept badly.\nTwice awake.", ""),
        (8, 8, "The build broke.", "Work"),
        (10, 10, "fixed it", "Work"),
        (12, 12, "Home late.", "Work"),
    ]
    assert {entry.day for entry in found} == {date(2026, 11, 30)}


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_lines_are_those_of_the_file_whatever_ends_them(newline: str) -> None:
    text = newline.join(["Underlined", "==========", "", "prose", "- bullet", "  more", ""])
    found = entries(text, part="everything")
    assert [(entry.line, entry.end_line, entry.text) for entry in found] == [(4, 4, "prose"), (5, 6, "bullet\nmore")]


LIST = "".join(f"- item {number}\n" for number in range(5))


@pytest.mark.parametrize(
    ("kind", "text", "part"),
    [
        ("knowledge", LIST, "bullets"),
        ("knowledge", LIST.replace("- ", "1. "), "bullets"),
        ("knowledge", LIST.replace("- ", "\t* [ ] "), "bullets"),
        ("knowledge", LIST.removeprefix("- item 0\n"), "nothing"),
        ("knowledge", "- " * 50 + "\nno list - at - all - in - here - at\n", "nothing"),
        ("template", LIST, "nothing"),
        ("daily", "prose", "everything"),
        ("session", "- one\n", "everything"),
        ("episode", "", "everything"),
    ],
)
def test_only_notes_that_are_lists_become_entries(kind: str, text: str, part: Part) -> None:
    assert part_of(kind, text) == part


def test_tags_in_the_frontmatter_are_no_list() -> None:
    matter = "---\ntags:\n" + "  - tag\n" * 9 + "---\n"
    assert part_of("knowledge", matter + "prose", body=len(matter)) == "nothing"
    assert entries(matter + "prose") == []


def test_nothing_of_a_note_is_nothing() -> None:
    assert entries(LIST, part="nothing") == []


def test_what_is_handed_on_is_the_entry_with_two_lines_around() -> None:
    text = "".join(f"line {number}\n" for number in range(1, 11))
    assert around(text, 5, 6) == "line 3\nline 4\nline 5\nline 6\nline 7\nline 8"
    assert around(text, 1, 1, context=1) == "line 1\nline 2"
    assert around(text, 10, 10) == "line 8\nline 9\nline 10"


def test_lengths_tell_what_cutting_would_lose() -> None:
    bullets = [f"number {at} " + " ".join(f"word{at}x{word}" for word in range(at % 7 * 6)) for at in range(100)]
    found = lengths(bullets)
    sizes = sorted(map(len, bullets))
    assert (found.bullets, found.median, found.p90, found.longest) == (100, sizes[50], sizes[90], sizes[-1])
    assert found.kept_at_28 < 0.4 < found.kept_at_150 < found.kept_whole == 1.0


def test_no_bullets_have_no_lengths() -> None:
    assert lengths([])[:4] == (0, 0, 0, 0)
