"""`note patch` and `note read` of a part, as a person types them."""

from __future__ import annotations

import io
import json
import sys

import pytest

from tests.support.program import Program

NOTE = "---\ntags: [a] # why\n---\n# Plan\n\n## Risks\n\n- late ^r1\n\n## Money\n\n# Next\n"


@pytest.fixture
def atlas(vk: Program) -> Program:
    vk.write("atlas.md", NOTE)
    return vk


def test_a_section_a_block_and_a_property_change_and_all_is_undone(atlas: Program) -> None:
    done = atlas.json("note", "patch", "atlas", "--heading", "Plan::Money", "--", "none left")
    assert done["path"] == "atlas.md"
    assert atlas.json("note", "read", "atlas")["hash"] == done["hash"]
    atlas.ok("note", "patch", "atlas", "--block", "r1", "--replace", "--", "- on time")
    atlas.ok("note", "patch", "atlas", "--property", "tags", "--value", '["b"]')
    atlas.ok("note", "patch", "atlas", "--property", "status", "--replace", "--create", "--", "active")
    changed = NOTE.replace("## Money\n", "## Money\nnone left\n").replace("- late", "- on time").replace("[a]", "[a, b]")
    assert atlas.read("atlas.md") == changed.replace("# why\n", "# why\nstatus: active\n")
    for _ in range(4):
        atlas.ok("undo")
    assert atlas.read("atlas.md") == NOTE


def test_a_dry_run_shows_the_change_and_makes_none(atlas: Program) -> None:
    shown = atlas.ok("note", "patch", "atlas", "--heading", "Next", "--dry-run", "--", "soon").out
    assert "+soon" in shown
    assert (
        atlas.json("note", "patch", "atlas", "--heading", "Next", "--delete", "--scope", "markerAndContent", "--dry-run")["diff"][-1]
        == "-# Next"
    )
    assert atlas.read("atlas.md") == NOTE


def test_a_nested_heading_may_be_named_alone_while_it_is_the_only_one(atlas: Program) -> None:
    atlas.ok("note", "patch", "atlas", "--heading", "Risks", "--", "x")
    assert "- late ^r1\n\nx\n" in atlas.read("atlas.md")
    atlas.write("atlas.md", NOTE.replace("## Money", "## Risks"))
    done = atlas("note", "patch", "atlas", "--heading", "Risks", "--", "x")
    assert done.code == 3
    done = atlas("--json", "note", "patch", "atlas", "--heading", "Plan::Risks", "--", "x")
    assert done.code == 2
    assert "6 and 10" in done.json["error"]["message"]


def test_what_is_read_of_a_part_is_that_part(atlas: Program) -> None:
    assert atlas.ok("note", "read", "atlas", "--heading", "Plan").out == "\n# Risks\n\n- late ^r1\n\n# Money\n\n"
    assert atlas.ok("note", "read", "atlas", "--block", "r1").out == "- late"
    assert atlas.json("note", "read", "atlas", "--property", "tags")["value"] == ["a"]
    assert atlas.json("note", "read", "atlas", "--map")["headings"] == {"Plan": {"Risks": {}, "Money": {}}, "Next": {}}
    assert "## Risks" in atlas.ok("note", "read", "atlas", "--map").out
    assert atlas("note", "read", "atlas", "--heading", "Nope").code == 3


def test_a_note_that_changed_since_is_a_conflict(atlas: Program) -> None:
    seen = atlas.json("note", "read", "atlas")["hash"]
    atlas.write("atlas.md", NOTE + "typed\n")
    assert atlas("note", "patch", "atlas", "--heading", "Next", "--expect", seen, "--", "x").code == 4
    assert atlas.read("atlas.md") == NOTE + "typed\n"


def test_text_or_a_whole_instruction_comes_from_standard_input(atlas: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    def say(text: str) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))

    say("from a pipe\n")
    atlas.ok("note", "patch", "atlas", "--heading", "Next")
    say(json.dumps({"targetType": "heading", "target": ["Next"], "operation": "replace", "scope": "marker", "content": "Later"}))
    atlas.ok("note", "patch", "atlas", "--instruction", "-")
    assert atlas.read("atlas.md").endswith("# Later\nfrom a pipe\n")


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--heading", "A", "--block", "b", "x"),
        ("--property", "tags", "--value", "no json"),
        ("--property", "tags", "--value", "1", "text"),
        ("--heading", "Next", "--delete", "text"),
        ("--instruction", "[]"),
        ("--instruction", "{}", "--heading", "Next"),
        ("--heading", "Next", "--within", "x", "text"),
    ],
)
def test_what_cannot_be_meant_is_a_usage_error(atlas: Program, words: tuple[str, ...]) -> None:
    assert atlas("note", "patch", "atlas", *words).code == 2
    assert atlas.read("atlas.md") == NOTE


def test_status_of_obsidian_names_what_goes_where(atlas: Program) -> None:
    assert "unconfigured" in atlas.ok("obsidian", "status").out
    assert atlas("obsidian", "commands").code == 6
    assert atlas("obsidian", "run", "x").code == 6
    assert atlas("obsidian", "trust").code == 2
