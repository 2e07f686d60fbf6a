"""Kinds, statuses, drafts and lists of records."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vaultkit.errors import ConflictError, RefusedError, UsageError
from vaultkit.records import lists, notes
from vaultkit.records.draft import PARTS, Draft, checked, description_of, marked_option, parse_draft, title_of
from vaultkit.records.lists import Line, rebuild
from vaultkit.records.status import NEXT, STATUSES, check_move, read_status, status_named
from vaultkit.text import frontmatter
from vaultkit.text.edit import Create, Edit, Rewrite, to_text
from vaultkit.text.ids import RecordId
from vaultkit.text.note import parse_note

DAY = date(2026, 11, 30)
ENGLISH = """# Where sessions live

## Goal

Survive a restart.

## Options considered

- **Redis**: we run it
- A table (rejected): locks
- [ ] Memory

## Decision

Redis, with a time to live.

## Why

No new service.
"""
JAPANESE = "## 目的\n速くする\n\n## 選択肢\n- Redis（採用）\n- メモリ（却下）：消える\n- ファイル（保留）\n\n## 決定\nRedis を使う。\n\n## 理由\nすでにある。\n"


@pytest.mark.parametrize("before", STATUSES)
@pytest.mark.parametrize("after", STATUSES)
def test_the_table_says_which_moves_there_are(before: str, after: str) -> None:
    if after == before or after in NEXT[before]:
        check_move("DEC-001", before, after)
    else:
        with pytest.raises(RefusedError, match=f"is {before} and cannot become {after}"):
            check_move("DEC-001", before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [("proposed", "active"), ("proposed", "discarded"), ("active", "processed"), ("active", "retired"), ("discarded", "proposed")],
)
def test_what_the_life_of_a_note_needs_is_allowed(before: str, after: str) -> None:
    check_move("x", before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [("discarded", "active"), ("active", "proposed"), ("retired", "proposed"), ("processed", "proposed"), ("proposed", "retired")],
)
def test_what_would_hide_a_step_is_forbidden(before: str, after: str) -> None:
    with pytest.raises(RefusedError):
        check_move("x", before, after)


@pytest.mark.parametrize(
    ("word", "status"),
    [("採用", "active"), ("却下", "discarded"), ("保留", "proposed"), (" Accepted ", "active"), ("Superseded", "retired"), ("later", "")],
)
def test_words_of_two_languages_are_statuses(word: str, status: str) -> None:
    assert read_status(word) == status


def test_an_unknown_status_is_an_error_with_the_known_ones() -> None:
    with pytest.raises(UsageError) as error:
        status_named("gone")
    assert "proposed" in error.value.hint


def test_an_english_draft_is_read() -> None:
    draft = parse_draft(ENGLISH, "decision")
    assert dict(draft.parts) == {"goal": "Survive a restart.", "decision": "Redis, with a time to live.", "why": "No new service."}
    assert [text for text, _ in draft.options] == ["**Redis**: we run it", "A table: locks", "Memory"]
    assert draft.title == "Where sessions live"
    assert draft.body == ENGLISH
    assert draft.missing == ()


def test_a_japanese_draft_is_read() -> None:
    draft = parse_draft(JAPANESE, "decision")
    assert draft.parts["decision"] == "Redis を使う。"
    assert [status for _, status in draft.options] == ["active", "discarded", "proposed"]
    assert draft.rejected == ("メモリ：消える", "ファイル")
    assert (title_of(draft), description_of(draft)) == ("速くする: Redis を使う。", "すでにある。")


def test_a_draft_of_labelled_lines_is_read() -> None:
    draft = parse_draft("Goal: speed\nOptions: Redis; a table\nDecision: Redis\nbecause it is there\nWhy: known\n", "decision")
    assert dict(draft.parts) == {"goal": "speed", "decision": "Redis\nbecause it is there", "why": "known"}
    assert draft.rejected == ("a table",)


def test_plain_text_is_the_decision() -> None:
    assert parse_draft("We go with Redis.\n", "decision").parts == {"decision": "We go with Redis."}


def test_frontmatter_of_a_draft_counts() -> None:
    draft = parse_draft("---\ntitle: T\nscope: work\nstatus: 保留\ntags: [a]\n---\n## Goal\nx\n", "decision")
    assert (draft.title, draft.scope, draft.status, draft.tags) == ("T", "work", "proposed", ("a",))
    assert checked(draft).missing == ("options", "decision", "why")


def test_a_draft_without_its_needed_part_is_an_error() -> None:
    for kind in PARTS:
        with pytest.raises(UsageError, match="needs its"):
            checked(Draft(kind, {}))


@pytest.mark.parametrize(
    ("options", "decision", "rejected"),
    [
        (["Redis", "A table"], "Redis", ["A table"]),
        (["Redis: fast", "A table: slow"], "We take Redis, for a table would lock", ["A table: slow"]),
        (["Redis (rejected)", "A table (accepted)"], "", ["Redis"]),
        (["A", "B"], "Neither of them", ["A", "B"]),
        (["案A（採用）", "案B"], "案Aにする", ["案B"]),
    ],
)
def test_options_that_were_not_taken_are_told_apart(options: list[str], decision: str, rejected: list[str]) -> None:
    draft = Draft("decision", {"decision": decision}, tuple(map(marked_option, options)))
    assert list(draft.rejected) == rejected


def test_a_note_reads_back_as_its_draft() -> None:
    draft = Draft("decision", {"goal": "Speed", "decision": "Redis", "why": "It: is\nthere"}, (("Redis", ""), ("Table", "")), scope="work")
    made = notes.create(draft, RecordId("decision", 18), day=DAY, names=notes.Names())
    text = to_text(made.data)
    read = notes.read_record(parse_note(made.path, text), text, "decision")
    assert (made.path, dict(read.parts), read.options) == ("archive/2026/11/DEC-018.md", dict(draft.parts), draft.options)
    assert list(frontmatter.read(text).values) == ["id", "title", "description", "date", "tags", "scope", "type", "status"]


def test_the_other_side_of_a_supersession() -> None:
    text = "---\r\ntitle: x\r\nstatus: active # mine\r\n---\r\nbody\r\n"
    done = notes.supersede(notes.Old("DEC-001.md", text, "active", ""), "DEC-002")
    after = frontmatter.read(to_text(done.data)).values
    assert (after["status"], after["superseded_by"]) == ("retired", "[[DEC-002]]")
    assert to_text(done.data) == '---\r\ntitle: x\r\nstatus: retired # mine\r\nsuperseded_by: "[[DEC-002]]"\r\n---\r\nbody\r\n'
    with pytest.raises(ConflictError):
        notes.supersede(notes.Old("DEC-001.md", text, "active", "DEC-005"), "DEC-002")


def listed(*numbers: int) -> list[Line]:
    return [Line(RecordId("decision", n), f"DEC-{n:03}", f"2026-11-{n:02}", f"Title {n}", "active", "work") for n in numbers]


def built(before: str | None, *numbers: int) -> tuple[tuple[Edit, ...], str, str]:
    done = rebuild("decision", "decisions.md", before, listed(*numbers), today=DAY, aside=lambda slug: f"inbox/{slug}.md")
    last = next((edit for edit in done.edits if edit.path == "decisions.md"), None)
    text = to_text(last.data) if isinstance(last, (Create, Rewrite)) else before or ""
    return done.edits, text, done.told


def test_a_list_is_newest_first_and_the_same_again_changes_nothing() -> None:
    _, text, _ = built(None, 1, 3, 2)
    assert [line.split("]]")[0][-7:] for line in text.splitlines() if line.startswith("- ")] == ["DEC-003", "DEC-002", "DEC-001"]
    assert built(text, 1, 2, 3)[0] == ()


def test_a_list_remembers_the_highest_number() -> None:
    _, text, _ = built(None, 1, 9)
    _, text, _ = built(text, 1)
    assert lists.marked(text, "decision") == 9


@settings(deadline=None, max_examples=60)
@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"), min_size=1, max_size=40))
def test_whatever_a_person_writes_into_a_list_is_kept(words: str) -> None:
    _, text, _ = built(None, 1)
    edits, _, told = built(text + words, 1, 2)
    if words.strip():
        kept = next(edit for edit in edits if isinstance(edit, Create))
        assert words in to_text(kept.data)
        assert kept.path in told


def test_titles_cannot_break_a_list() -> None:
    odd = [Line(RecordId("decision", 1), "DEC-001", "2026-11-01", "a]] <!-- b\n- [[DEC-009]] %%", "active", "")]
    done = rebuild("decision", "d.md", None, odd, today=DAY, aside=str)
    (edit,) = done.edits
    assert isinstance(edit, Create)
    note = parse_note("d.md", to_text(edit.data))
    assert [link.target for link in note.links] == ["DEC-001"]


def test_a_list_that_git_could_not_merge_is_made_anew_and_kept() -> None:
    _, text, _ = built(None, 1, 2)
    merged = text.replace("generated: ", "<<<<<<< HEAD\ngenerated: ", 1) + "=======\n- other [[DEC-007]]\n>>>>>>> theirs\n"
    edits, after, told = built(merged, 1, 2)
    assert "unmerged" in told
    assert any(isinstance(edit, Create) and "[[DEC-007]]" in to_text(edit.data) for edit in edits)
    assert lists.marked(after, "decision") == 7
    assert "<<<<" not in after
