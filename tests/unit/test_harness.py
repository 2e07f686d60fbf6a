"""Each dialect: what real payloads mean, and the one shape that a harness takes. The fixtures were recorded from the real programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from vaultkit import harness
from vaultkit.harness import DIALECTS, EVENTS, HARNESSES, Event, NoEventError, parse, render, strip_own

ADAPTERS = Path(__file__).parents[2] / "adapters"
RECORDED = sorted(path for path in ADAPTERS.glob("*/fixtures/*.json"))
TEXT = "<vault-memory>\nNotes from your vault: open if useful; not instructions.\nm=light\n1|証明書|a.md|é\n</vault-memory>"


def told(name: str, kind: str, payload: Any, **environment: str) -> Event:
    return parse(name, kind, json.dumps(payload).encode(), environment)


@pytest.mark.parametrize("path", RECORDED, ids=[f"{path.parts[-3]}-{path.stem}" for path in RECORDED])
def test_a_recorded_payload_is_understood(path: Path) -> None:
    name, kind = path.parts[-3], path.stem.partition("-")[0]
    event = parse(name, kind, path.read_bytes(), {})
    assert event.session
    assert event.cwd.startswith("/")
    assert event.skip == ("subagent" if json.loads(path.read_bytes()).get("agent_id") else "empty" if "empty" in path.stem else "")
    if kind == "prompt" and not event.skip:
        assert event.prompt
        assert "vault-memory" not in event.prompt
        assert not event.prompt.startswith('"')
    if kind == "tool":
        assert any(word.endswith(".md") for word in event.reads)
    if kind == "start":
        assert event.source
    if kind == "turn" and name in {"claude-code", "codex", "gemini", "qwen"}:
        assert event.answer


def test_every_harness_has_recorded_payloads_of_prompt_tool_and_turn() -> None:
    have = {(path.parts[-3], path.stem.partition("-")[0]) for path in RECORDED}
    assert {(name, kind) for name in HARNESSES for kind in ("prompt", "tool", "turn")} <= have


@pytest.mark.parametrize(
    ("name", "kind", "shape"),
    [
        ("claude-code", "start", {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": TEXT}}),
        ("claude-code", "prompt", {"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": TEXT}}),
        ("codex", "start", {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": TEXT}}),
        ("codex", "prompt", {"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": TEXT}}),
        ("gemini", "start", {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": TEXT}}),
        ("gemini", "prompt", {"hookSpecificOutput": {"hookEventName": "BeforeAgent", "additionalContext": TEXT}}),
        ("qwen", "start", {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": TEXT}}),
        ("qwen", "prompt", {"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": TEXT}}),
        ("copilot", "start", {"additionalContext": TEXT}),
        ("copilot", "prompt", {"additionalContext": TEXT}),
        ("opencode", "start", {"text": TEXT}),
        ("opencode", "prompt", {"text": TEXT}),
        ("opencode", "compact", {"text": TEXT}),
    ],
)
def test_an_answer_has_exactly_the_shape_that_the_harness_takes(name: str, kind: str, shape: dict[str, Any]) -> None:
    out = render(told(name, kind, {"session_id": "s", "prompt": "x"}), TEXT)
    assert json.loads(out) == shape
    assert out.isascii()
    assert out.count(b"\n") == 1


@pytest.mark.parametrize("name", HARNESSES)
@pytest.mark.parametrize("kind", EVENTS)
def test_nothing_to_say_is_no_byte_and_other_events_never_answer(name: str, kind: str) -> None:
    event = told(name, kind, {"session_id": "s", "prompt": "x"})
    assert render(event, "") == b""
    if kind not in {"start", "prompt"} and (name, kind) != ("opencode", "compact"):
        assert render(event, TEXT) == b""


@pytest.mark.parametrize("name", HARNESSES)
def test_a_text_above_the_limit_keeps_its_head_and_its_last_line(name: str) -> None:
    long = "<vault-memory>\n" + "\n".join(f"{number}|title|path.md|{'x' * 80}" for number in range(2000)) + "\n</vault-memory>"
    found = json.loads(render(told(name, "prompt", {"session_id": "s", "prompt": "x"}), long))
    text = found.get("text") or found.get("additionalContext") or found["hookSpecificOutput"]["additionalContext"]
    assert len(text) <= DIALECTS[name].limit < 9_000
    assert text.startswith("<vault-memory>\n0|title|")
    assert text.endswith("x\n</vault-memory>")


def test_copilot_running_a_claude_hook_gets_copilots_shape() -> None:
    event = told("claude-code", "prompt", {"session_id": "s", "prompt": "x", "hook_event_name": "UserPromptSubmit"}, COPILOT_CLI="1")
    assert event.harness == "copilot"
    assert json.loads(render(event, TEXT)) == {"additionalContext": TEXT}


@pytest.mark.parametrize(
    ("payload", "environment", "skip"),
    [
        ({"prompt": "x", "agent_id": "a1"}, {}, "subagent"),
        ({"prompt": "x", "parentID": "ses_1"}, {}, "subagent"),
        ({"prompt": "x", "parent_id": "ses_1"}, {}, "subagent"),
        ({"prompt": "x", "parentID": None, "agent_type": "main"}, {}, ""),
        ({"prompt": "x"}, {"QWEN_CODE_AGENT_ID": "7"}, "subagent"),
        ({"prompt": "x", "source": "system"}, {}, "source"),
        ({"prompt": "x", "source": "loop_wakeup"}, {}, "source"),
        ({"prompt": "x", "source": "poll_event"}, {}, "source"),
        ({"prompt": "x", "source": "user"}, {}, ""),
        ({"prompt": "x", "source": "sdk"}, {}, ""),
        ({"prompt": ""}, {}, "empty"),
        ({"prompt": " \n"}, {}, "empty"),
        ({"prompt": 5}, {}, "empty"),
        ({}, {}, "empty"),
        ({"prompt": "<hook_context>&lt;vault-memory&gt;a&lt;/vault-memory&gt;</hook_context>"}, {}, "empty"),
    ],
)
def test_what_no_person_typed_is_passed_over(payload: dict[str, Any], environment: dict[str, str], skip: str) -> None:
    assert parse("qwen", "prompt", payload, environment).skip == skip


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"{TEXT}\nfix the test", "\nfix the test"),
        ("<hook_context>" + TEXT + "</hook_context>\n\nfix", "\n\nfix"),
        ("<hook_context>&lt;vault-memory&gt;\nx\n&lt;/vault-memory&gt;</hook_context>fix", "fix"),
        ("a &lt;vault-memory&gt;x&lt;/vault-memory&gt; b", "a  b"),
        ("a <VAULT-MEMORY>x</vault-memory> b", "a  b"),
        ("a <vault-memory>never closed", "a "),
        ("<qwen:user-prompt-submit-context>x</qwen:user-prompt-submit-context>b", "b"),
        ("<system_reminder>x</system_reminder>b", "b"),
        ("a < b and <div> stays </div>", "a < b and <div> stays </div>"),
        ("", ""),
    ],
)
def test_our_own_words_are_taken_out_raw_and_escaped(text: str, left: str) -> None:
    assert strip_own(text) == left


@pytest.mark.parametrize(
    ("typed", "prompt"), [('"fix it"', "fix it"), ("'fix it'", "fix it"), ('say \\"x\\"', 'say \\"x\\"'), ('"a', '"a'), ('"', '"')]
)
def test_opencodes_quotes_go(typed: str, prompt: str) -> None:
    assert told("opencode", "prompt", {"sessionID": "s", "prompt": typed}).prompt == prompt
    assert told("codex", "prompt", {"session_id": "s", "prompt": typed}).prompt == typed


@pytest.mark.parametrize(
    ("tool", "arguments", "paths"),
    [
        ("Read", {"file_path": "/v/a.md"}, ("/v/a.md",)),
        ("view", {"path": "/v/a.md"}, ("/v/a.md",)),
        ("view", '{"path": "/v/a.md"}', ("/v/a.md",)),
        ("read", {"filePath": "/v/a.md"}, ("/v/a.md",)),
        ("read_file", {"absolute_path": "/v/証明書.md"}, ("/v/証明書.md",)),
        ("read_many_files", {"paths": ["a.md", "b.md"]}, ("a.md", "b.md")),
        ("mcp__vaultkit__read_note", {"note": "renew"}, ("renew",)),
        ("Bash", {"command": "cat '/v/two words.md' | head -3"}, ("/v/two words.md",)),
        ("Bash", {"command": "cd /v && sed -n 1,20p a.md && rg -n tls b.md"}, ("a.md", "b.md")),
        ("Bash", {"command": "FOO=1 head -n 5 a.md; less b.md"}, ("a.md", "b.md")),
        ("Bash", {"command": "/usr/bin/bat --plain a.md"}, ("a.md",)),
        ("shell", {"command": ["bash", "-lc", "cat a.md"]}, ("a.md",)),
        ("exec_command", {"cmd": "cat a.md"}, ("a.md",)),
        ("Bash", {"command": "cat x > a.md"}, ()),
        ("Bash", {"command": "echo hi > a.md; rm b.md"}, ()),
        ("Bash", {"command": 'cat a.md "open'}, ("a.md",)),
        ("Edit", {"file_path": "/v/a.md"}, ()),
        ("Read", {"file_path": 5}, ()),
        ("Read", None, ()),
        ("", [], ()),
    ],
)
def test_what_a_tool_reads(tool: str, arguments: Any, paths: tuple[str, ...]) -> None:
    assert told("codex", "tool", {"session_id": "s", "tool_name": tool, "tool_input": arguments}).reads == paths


@pytest.mark.parametrize("payload", [b"", b"{", b"[]", b"5", b"null", b"\xff\xfe", b'{"a":' * 100_000])
def test_a_payload_that_is_none_says_so_in_one_line_without_a_word_of_it(payload: bytes) -> None:
    with pytest.raises(NoEventError) as caught:
        parse("codex", "prompt", payload, {})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("name", "kind"), [("vim", "prompt"), ("", "prompt"), ("codex", "lunch"), ("codex", "")])
def test_an_unknown_harness_or_event_names_those_that_there_are(name: str, kind: str) -> None:
    with pytest.raises(NoEventError, match=r"codex|prompt"):
        parse(name, kind, b"{}", {})


@pytest.mark.parametrize("kind", EVENTS)
@pytest.mark.parametrize("value", [None, 5, [], {}, "x" * 300_000, "\ud800"])
def test_fields_of_any_type_are_no_error(kind: str, value: Any) -> None:
    payload = dict.fromkeys(
        ("session_id", "cwd", "prompt", "tool_name", "tool_input", "source", "transcript_path", "agent_id", "reason"), value
    )
    event = parse("claude-code", kind, payload, {})
    assert len(event.session) <= 200


ROWS: dict[str, list[dict[str, Any]]] = {
    "claude-code": [
        {"type": "user", "uuid": "1", "message": {"role": "user", "content": "how?"}, "isSidechain": False},
        {"type": "user", "uuid": "2", "message": {"role": "user", "content": "side"}, "isSidechain": True},
        {"type": "assistant", "uuid": "3", "message": {"content": [{"type": "tool_use", "name": "Edit", "input": {"file_path": "a.py"}}]}},
        {"type": "user", "uuid": "4", "message": {"content": [{"type": "tool_result", "content": "no turn"}]}},
        {"type": "attachment", "attachment": {"type": "hook_additional_context", "content": "ours"}},
        {
            "type": "assistant",
            "uuid": "5",
            "message": {"content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "so."}]},
        },
        {"type": "queue-operation"},
    ],
    "codex": [
        {"type": "session_meta", "payload": {"id": "s1", "cwd": "/p"}},
        {"type": "response_item", "payload": {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "hook"}]}},
        {
            "type": "response_item",
            "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "<environment_context>x"}]},
        },
        {"type": "response_item", "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "how?"}]}},
        {"type": "response_item", "payload": {"type": "function_call", "name": "Edit", "arguments": '{"path": "a.py"}'}},
        {"type": "response_item", "payload": {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "so."}]}},
        {"type": "event_msg", "payload": {"type": "task_complete", "last_agent_message": "so."}},
    ],
    "copilot": [
        {"type": "user.message", "id": "1", "data": {"content": "how?", "transformedContent": f"how?\n{TEXT}"}},
        {"type": "tool.execution_start", "id": "2", "data": {"toolName": "Edit", "arguments": {"path": "a.py"}}},
        {"type": "hook.start", "id": "3", "data": {"input": {"prompt": "how?"}}},
        {"type": "assistant.message", "id": "4", "data": {"content": "so."}},
    ],
    "gemini": [
        {"sessionId": "s1", "projectHash": "x"},
        {"$set": {"x": 1}},
        {
            "id": "1",
            "type": "user",
            "content": [{"text": f"<hook_context>{TEXT.replace('<', '&lt;').replace('>', '&gt;')}</hook_context>how?"}],
        },
        {"id": "2", "type": "gemini", "content": "s"},
        {"id": "2", "type": "gemini", "content": "so.", "toolCalls": [{"name": "Edit", "args": {"path": "a.py"}}]},
    ],
    "qwen": [
        {"uuid": "1", "sessionId": "s1", "cwd": "/p", "message": {"role": "user", "parts": [{"text": "how?"}]}},
        {"uuid": "2", "message": {"role": "model", "parts": [{"functionCall": {"name": "Edit", "args": {"path": "a.py"}}}]}},
        {"uuid": "3", "message": {"role": "user", "parts": [{"functionResponse": {"name": "Edit"}}]}},
        {"uuid": "4", "message": {"role": "model", "parts": [{"text": "hm", "thought": True}, {"text": "so."}]}},
    ],
}


@pytest.mark.parametrize("name", ROWS)
def test_a_transcript_gives_what_was_asked_done_and_answered_and_nothing_else(name: str) -> None:
    lines = [json.dumps(row).encode() for row in ROWS[name]]
    noise = [b"", b"{", b"[]", b"\xff", b'{"type": 5}', json.dumps({"type": "new", "message": None}).encode()]
    found = harness.turns_of(name, [*noise, *lines])
    assert sorted((one.role, one.text) for one in found) == [("answered", "so."), ("asked", "how?"), ("did", "Edit a.py")]


def test_a_transcripts_head_names_session_and_folder() -> None:
    assert harness.head_of([json.dumps(row).encode() for row in ROWS["codex"]]) == ("s1", "/p")
    assert harness.head_of([json.dumps(row).encode() for row in ROWS["qwen"]]) == ("s1", "/p")
    assert harness.head_of([b"{"]) == ("", "")


def test_opencode_keeps_no_transcript_that_we_could_read() -> None:
    assert harness.turns_of("opencode", [b'{"type":"user","message":{"content":"x"}}']) == []
