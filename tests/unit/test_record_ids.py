"""Bare ids in a note's text: links where such a record stands, and never in code, addresses or other links."""

from __future__ import annotations

import pytest

from vaultkit import graph
from vaultkit.text.edit import Move, Rewrite, to_text
from vaultkit.text.ids import RecordId, parse_id
from vaultkit.text.note import parse_note

RECORD = "archive/2026/11/DEC-018.md"


def vault(**texts: str) -> graph.Snapshot:
    named = {RECORD: "# Thumbnails\n", **{f"{name}.md": text for name, text in texts.items()}}
    return graph.Snapshot({path: parse_note(path, text) for path, text in named.items()}, frozenset(named), {})


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("As DEC-018 says.", 1),
        ("DEC-018を参照。", 1),
        ("(DEC-018), DEC-018.", 2),
        ("# DEC-018 again\n", 1),
        ("`DEC-018`", 0),
        ("```\nDEC-018\n```\n", 0),
        ("<!-- DEC-018 -->", 0),
        ("https://example.org/DEC-018", 0),
        ("[DEC-018](https://example.org)", 0),
        ("#DEC-018 and ^DEC-018 and x/DEC-018 and DEC-018.md", 0),
        ("XDEC-018, DEC-0181 and DEC-018-b", 0),
        ("$DEC-018$", 0),
        ("---\ntitle: DEC-018\n---\nnothing\n", 0),
    ],
)
def test_a_bare_id_is_a_link(text: str, count: int) -> None:
    assert sum(row.count for row in graph.backlinks(vault(a=text), RECORD)) == count


def test_a_wikilink_counts_once() -> None:
    assert [row.count for row in graph.backlinks(vault(a="[[DEC-018]] and [[DEC-018|DEC-018]]"), RECORD)] == [2]


def test_an_id_without_a_record_is_no_link_and_no_broken_one() -> None:
    snapshot = vault(a="JIRA says DEC-404")
    assert graph.links(snapshot, "a.md") == []
    assert graph.unresolved(snapshot) == []


def test_lines_are_those_of_the_file() -> None:
    assert graph.backlinks(vault(a="---\nx: 1\n---\n\r\n\nsee DEC-018"), RECORD)[0].lines == (6,)


@pytest.mark.parametrize(
    ("to", "written"),
    [
        ("archive/2026/12/DEC-018.md", "see DEC-018, twice DEC-018"),
        ("archive/2026/11/DEC-019.md", "see DEC-019, twice DEC-019"),
        ("thumbnails.md", "see [[thumbnails]], twice [[thumbnails]]"),
    ],
)
def test_a_move_keeps_what_a_bare_id_means(to: str, written: str) -> None:
    texts = {RECORD: "# Thumbnails\n", "a.md": "see DEC-018, twice DEC-018", "b.md": "DEC-404 stays"}
    edits = graph.plan_move(vault(a=texts["a.md"], b=texts["b.md"]), {RECORD: to}, texts.__getitem__)
    rewritten = {edit.path: to_text(edit.data) for edit in edits if isinstance(edit, Rewrite)}
    assert rewritten.get("a.md", texts["a.md"]) == written
    assert "b.md" not in rewritten
    assert [edit.to for edit in edits if isinstance(edit, Move)] == [to]


def test_ids_are_read_in_any_case_and_length() -> None:
    assert parse_id("dec-18") == parse_id("DEC-018") == RecordId("decision", 18)
    assert str(RecordId("failure", 7)) == "FAIL-007"
    assert str(RecordId("idea", 1234)) == "IDEA-1234"
    assert parse_id("DEC-018x") is None
