"""A log taken apart: every byte accounted for, gaps and repeated ids told."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vaultkit.records.importing import Import, plan, split
from vaultkit.records.notes import Names
from vaultkit.text.edit import to_bytes, to_text
from vaultkit.text.ids import RecordId

DAY = date(2026, 11, 30)
LOG = """# Decisions

Kept since January.

## DEC-001: Use Redis (2026-01-02)

Status: accepted

### Decision
Redis
### Why
It is there.

```
## DEC-099: a sample
```

## 2026-01-05 DEC-002 — 色を決める
状態: 却下
理由: 不要

##DEC-004 no space
The author forgot one.
### DEC-002 との関係
It follows from that.

## Notes in between
Not a decision.

## DEC-002: the number again
Another text.

## DEC-004: gone
Superseded by DEC-002
"""


def imported(log: str, **more: object) -> Import:
    wanted: dict[str, object] = {"known": {}, "marks": {}, "day": DAY, "names": Names(), "scope": "inbox", "rest_path": "archive/rest.md"}
    return plan(split(log), **(wanted | more))  # type: ignore[arg-type]


def test_the_pieces_are_the_log() -> None:
    pieces = split(LOG)
    assert "".join(piece.text for piece in pieces) == LOG
    assert [str(piece.record) for piece in pieces if piece.record] == ["DEC-001", "DEC-002", "DEC-004", "DEC-002", "DEC-004"]


def test_each_record_holds_its_piece_and_the_counts_add_up() -> None:
    done = imported(LOG)
    texts = [to_text(edit.data) for edit in done.edits]
    for piece in split(LOG):
        assert any(piece.text in text for text in texts), piece
    assert done.size == len(to_bytes(LOG)) == done.in_records + done.in_rest + done.in_vault
    assert [(str(entry.record), str(entry.given)) for entry in done.entries] == [
        ("DEC-001", "DEC-001"), ("DEC-002", "DEC-002"), ("DEC-004", "DEC-004"), ("DEC-002", "DEC-005"), ("DEC-004", "DEC-006"),
    ]  # fmt: skip


def test_gaps_and_repeated_ids_are_told() -> None:
    done = imported(LOG)
    assert list(map(str, done.gaps)) == ["DEC-003"]
    assert [(str(one.record), one.line, str(one.given)) for one in done.duplicates] == [
        ("DEC-002", 30, "DEC-005"),
        ("DEC-004", 33, "DEC-006"),
    ]


def test_dates_statuses_and_titles_are_read() -> None:
    first, second, *_, last = (to_text(edit.data) for edit in imported(LOG).edits if "DEC" in edit.path)
    assert "title: Use Redis\n" in first
    assert "date: 2026-01-02" in first
    assert "status: active" in first
    assert "title: 色を決める\n" in second
    assert "status: discarded" in second
    assert 'superseded_by: "[[DEC-002]]"' in last
    assert "status: retired" in last
    assert imported(LOG).edits[0].path == "archive/2026/01/DEC-001.md"


def test_what_is_there_already_is_not_taken_twice_and_a_taken_number_is_not_overwritten() -> None:
    pieces = {piece.record: piece.text for piece in split("## DEC-001: a\nx\n")}
    assert [edit.path for edit in imported("## DEC-001: a\nx\n", known=pieces).edits] == []
    other = imported("## DEC-001: a\nx\n", known={RecordId("decision", 1): "something else"}, marks={"decision": 7})
    assert [str(entry.given) for entry in other.entries] == ["DEC-008"]


def test_word_for_word_the_same_is_kept_once_and_counted() -> None:
    done = imported("## DEC-001: a\nx\n\n## DEC-001: a\nx\n")
    assert (len(done.entries), done.duplicates[0].given) == (1, None)
    assert done.size == done.in_records + done.in_rest


@pytest.mark.parametrize("log", ["- DEC-001 first\n  more\n- DEC-003: 三つ目\n", "DEC-001: first\nmore\nDEC-003: third\n"])
def test_a_log_without_headings(log: str) -> None:
    assert "".join(piece.text for piece in split(log)) == log
    assert [str(piece.record) for piece in split(log) if piece.record] == ["DEC-001", "DEC-003"]


_LINES = st.sampled_from(
    [
        "## DEC-001: a",
        "## DEC-002 b",
        "### DEC-001 deeper",
        "# Top",
        "##DEC-004 x",
        "text",
        "",
        "```",
        "- DEC-003",
        "---",
        "状態: 却下",
        "FAIL-001",
        "%%",
    ]
)


@settings(deadline=None, max_examples=150)
@given(st.lists(_LINES, max_size=25), st.sampled_from(["\n", "\r\n", "\r"]))
def test_no_log_loses_a_byte(lines: list[str], newline: str) -> None:
    log = newline.join(lines)
    assert "".join(piece.text for piece in split(log)) == log
    done = imported(log)
    assert done.size == len(to_bytes(log)) == done.in_records + done.in_rest + done.in_vault
    assert len({edit.path for edit in done.edits}) == len(done.edits)
