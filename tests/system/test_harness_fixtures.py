"""Every dialect against payloads recorded from the real programs (adapters/<name>/fixtures, tools/record_payloads.py)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from vaultkit import harness

ADAPTERS = Path(__file__).resolve().parent.parent.parent / "adapters"
FILES = sorted(ADAPTERS.glob("*/fixtures/*.json"))
QUESTION = "READNOTE How do we renew the TLS certificate?"

# harness → how a text goes back to it: at a start, at a prompt
SHAPES: dict[str, tuple[Any, Any]] = {
    "claude-code": ("SessionStart", "UserPromptSubmit"),
    "codex": ("SessionStart", "UserPromptSubmit"),
    "gemini": ("SessionStart", "BeforeAgent"),
    "qwen": ("SessionStart", "UserPromptSubmit"),
}


def parsed(file: Path) -> harness.Event:
    event = file.stem.partition("-")[0]
    return harness.parse(file.parent.parent.name, event, file.read_bytes(), {})


def fixture(name: str, label: str) -> Path:
    return ADAPTERS / name / "fixtures" / f"{label}.json"


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.parent.name} {file.stem}")
def test_a_recorded_payload_is_an_event_with_its_session_and_folder(file: Path) -> None:
    event = parsed(file)
    payload = json.loads(file.read_bytes())
    assert event.session == next(payload[key] for key in ("session_id", "sessionId", "sessionID") if key in payload)
    assert event.cwd == "/home/me/project"


@pytest.mark.parametrize("name", harness.HARNESSES)
def test_a_recorded_prompt_is_what_the_person_typed(name: str) -> None:
    event = parsed(fixture(name, "prompt"))
    assert (event.prompt, event.skip) == (QUESTION, "")
    assert parsed(fixture(name, "prompt-resume")).prompt == "And who does it?"


@pytest.mark.parametrize("name", harness.HARNESSES)
def test_a_recorded_tool_event_names_the_note_that_was_read(name: str) -> None:
    assert "/home/me/vault/tls.md" in parsed(fixture(name, "tool")).reads


@pytest.mark.parametrize("name", [name for name in harness.HARNESSES if name != "opencode"])
def test_a_recorded_start_tells_a_new_session_from_a_resumed_one(name: str) -> None:
    assert parsed(fixture(name, "start")).starting == "whole"
    assert parsed(fixture(name, "start-resume")).source in {"resume", "startup"}


def test_opencode_says_which_prompt_is_the_first() -> None:
    assert parsed(fixture("opencode", "prompt")).first
    assert not parsed(fixture("opencode", "prompt-resume")).first


@pytest.mark.parametrize("name", ["claude-code", "codex", "gemini", "qwen"])
def test_a_recorded_turn_has_the_answer_or_the_transcript(name: str) -> None:
    event = parsed(fixture(name, "turn"))
    assert event.answer == "FAKE-REPLY ok" or event.transcript


@pytest.mark.parametrize("name", ["claude-code", "codex", "gemini"])
def test_a_recorded_compaction_is_one(name: str) -> None:
    assert parsed(fixture(name, "compact")).trigger in {"manual", "auto"}


@pytest.mark.parametrize("name", ["claude-code", "codex"])
def test_a_start_after_a_compaction_gets_what_the_summary_lost(name: str) -> None:
    assert parsed(fixture(name, "start-compact")).starting in {"compacted", "resumed", "none"}


def test_what_a_subagent_does_is_skipped() -> None:
    assert parsed(fixture("claude-code", "tool-subagent")).skip == "subagent"


def test_qwens_second_prompt_is_empty_and_skipped() -> None:
    assert parsed(fixture("qwen", "prompt-empty")).skip == "empty"


@pytest.mark.parametrize("name", SHAPES)
def test_a_nested_answer_has_the_events_own_name_and_no_other_key(name: str) -> None:
    for label, expected in zip(("start", "prompt"), SHAPES[name], strict=True):
        answer = json.loads(harness.render(parsed(fixture(name, label)), "TEXT"))
        assert answer == {"hookSpecificOutput": {"hookEventName": expected, "additionalContext": "TEXT"}}


def test_copilot_and_opencode_are_answered_at_the_top_level() -> None:
    assert json.loads(harness.render(parsed(fixture("copilot", "prompt")), "TEXT")) == {"additionalContext": "TEXT"}
    assert json.loads(harness.render(parsed(fixture("opencode", "prompt")), "TEXT")) == {"text": "TEXT"}


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.parent.name} {file.stem}")
def test_where_a_harness_takes_no_text_nothing_is_printed(file: Path) -> None:
    event = parsed(file)
    if event.kind in {"tool", "turn", "end"}:
        assert harness.render(event, "TEXT") == b""
    assert harness.render(event, "") == b""
