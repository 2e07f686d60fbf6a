"""What each event of a session does, harness by harness, with the real command; the worker is kept from starting and run by hand."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tests.support.hooks import SESSION, Hooks, Make
from tests.support.program import Program
from vaultkit import wire
from vaultkit.harness import EVENTS, HARNESSES

PROMPT = "renew the TLS certificate with certbot"
RULE = "Never push on a Friday."


@pytest.fixture
def vault(vk: Program, monkeypatch: pytest.MonkeyPatch) -> Program:
    """A vault with a rule and a note that the prompt is about; no worker starts by itself."""
    vk.write("renew.md", "---\ntitle: Renewing the TLS certificate\ndescription: Run certbot.\n---\ncertbot and nginx\n")
    for number in range(30):
        vk.write(f"t/{number}.md", f"# Topic {number}\n\nGardens, music and travel {number}.\n")
    rules = vk.vault / "rules.md"
    rules.write_text(rules.read_text() + f"\n- {RULE}\n")
    vk.write("learnings/x.md", "---\ntitle: Decision on music\ntype: decision\nstatus: active\n---\nx\n")
    vk.ok("sync")
    monkeypatch.setattr("vaultkit.sessions.detached.start", lambda _app: None)
    return vk


@pytest.fixture
def hooks(vault: Program, monkeypatch: pytest.MonkeyPatch) -> Make:
    def make(harness: str = "claude-code", session: str = SESSION) -> Hooks:
        return Hooks(vault, monkeypatch, harness, session)

    return make


def test_a_start_gives_the_context_and_a_prompt_the_digest(hooks: Make) -> None:
    for harness in HARNESSES:
        fire = hooks(harness)
        assert RULE in fire("start", source="startup")
        digest = fire("prompt", prompt=PROMPT)
        assert "1|Renewing the TLS certificate|renew.md|Run certbot." in digest
        assert RULE not in digest
        assert [(row["kind"], row["bytes"] > 0, row["served_by"]) for row in fire.log()[-2:]] == [
            ("start", True, "cli"),
            ("prompt", True, "cli"),
        ]


def test_every_event_of_every_harness_ends_well_and_is_logged(hooks: Make) -> None:
    fired = [(harness, kind) for harness in HARNESSES for kind in EVENTS]
    for harness, kind in fired:
        hooks(harness)(kind, prompt=PROMPT)
    rows = hooks().log()
    assert [(row["harness"], row["kind"]) for row in rows] == fired
    for row in rows:
        assert {"t", "event", "ms", "bytes", "outcome", "served_by"} < set(row)
        assert "certbot" not in json.dumps(row)


def test_a_note_is_shown_once_in_a_session_until_it_was_compacted(hooks: Make) -> None:
    fire = hooks()
    assert "renew.md" in fire("prompt", prompt=PROMPT)
    assert "renew.md" not in fire("prompt", prompt=f"{PROMPT} again, please")
    assert "renew.md" in hooks(session="another")("prompt", prompt=PROMPT)
    fire("compact", trigger="auto")
    assert "renew.md" in fire("prompt", prompt=f"once more {PROMPT}")


def test_geminis_event_before_every_step_is_no_compaction(hooks: Make) -> None:
    fire = hooks("gemini")
    assert "renew.md" in fire("prompt", prompt=PROMPT)
    for _ in range(3):
        fire("compact", trigger="auto")
    assert "renew.md" not in fire("prompt", prompt=f"{PROMPT} again, please")
    fire("start", source="compress")
    assert "renew.md" in fire("prompt", prompt=f"once more {PROMPT}")


def test_geminis_transcript_is_read_at_most_once_a_minute(hooks: Make, tmp_path: Path) -> None:
    fire = hooks("gemini")
    path = tmp_path / "session-1.jsonl"
    path.write_text(json.dumps({"id": "1", "type": "user", "content": "how?"}) + "\n")
    for _ in range(3):
        fire("compact", trigger="auto", transcript_path=str(path))
    assert len(fire.rows("swept")) == 1
    assert [row["text"] for row in fire.rows("asked")] == ["how?"]
    assert [row["outcome"] for row in fire.log()] == ["kept 1", "rate limited", "rate limited"]


# harness → does a resumed session get the start's text again?
AGAIN = {"claude-code": True, "codex": False, "copilot": True, "opencode": False, "qwen": True}


@pytest.mark.parametrize("harness", AGAIN)
def test_a_resumed_session_gets_what_it_lost_and_not_what_it_kept(hooks: Make, harness: str) -> None:
    hooks(harness).vk.write("t/due.md", "---\naction_items:\n  - Send the slides 📅 2020-01-01\n---\n")
    fire = hooks(harness)
    fire("start", source="startup")
    fire("prompt", prompt=PROMPT)
    fire("end")
    text = fire("start", source="resume")
    assert bool(text) == AGAIN[harness]
    if harness == "claude-code":  # it kept the rules, and has them put in again
        assert "Send the slides" in text
        assert RULE not in text


def test_gemini_gets_a_resumed_sessions_text_with_the_next_prompt_once(hooks: Make) -> None:
    fire = hooks("gemini")
    fire("start", source="startup")
    fire("prompt", prompt="hello there, how are the gardens")
    fire("end")
    assert fire("start", source="resume") == ""
    text = fire("prompt", prompt=PROMPT)
    assert RULE in text
    assert "renew.md" in text
    assert RULE not in fire("prompt", prompt="and another thing about gardens")


def test_a_session_that_codex_resumes_and_we_never_saw_gets_the_text_once(hooks: Make) -> None:
    fire = hooks("codex")
    assert RULE in fire("start", source="resume")
    assert fire("start", source="compact") == ""


def test_codex_resume_and_compact_one_after_the_other_inject_once(hooks: Make) -> None:
    fire = hooks("codex")
    fire("start", source="startup")
    fire("prompt", prompt=PROMPT)
    texts = [fire("start", source="resume"), fire("compact", trigger="auto"), fire("start", source="compact")]
    assert [RULE in text for text in texts] == [False, False, True]


def test_claudes_compaction_after_a_resume_brings_the_rules_back(hooks: Make) -> None:
    fire = hooks()
    fire("start", source="startup")
    fire("prompt", prompt=PROMPT)
    fire("start", source="resume")
    fire("compact", trigger="manual")
    assert RULE in fire("start", source="compact")


def test_a_hook_that_is_registered_twice_answers_once(hooks: Make) -> None:
    for harness in HARNESSES:
        fire = hooks(harness)
        assert fire("start", source="startup")
        assert fire("start", source="startup") == ""
        assert fire("prompt", prompt=PROMPT)
        assert fire("prompt", prompt=PROMPT) == ""
        assert fire.log()[-1]["outcome"] == "skipped: twice"
    assert len(hooks().activity("prompt")) == len(HARNESSES)


def test_a_claude_hook_that_copilot_runs_beside_its_own_answers_in_copilots_shape_and_once(
    hooks: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COPILOT_CLI", "1")
    fire = hooks("claude-code")
    done = fire.run("prompt", json.dumps({"session_id": SESSION, "prompt": PROMPT, "cwd": "/tmp"}).encode())
    assert list(json.loads(done.out)) == ["additionalContext"]
    assert hooks("copilot")("prompt", prompt=PROMPT) == ""


def test_opencodes_first_prompt_starts_the_session_too(hooks: Make) -> None:
    fire = hooks("opencode")
    text = fire("prompt", prompt=f'"{PROMPT}"', first=True)
    assert RULE in text
    assert "renew.md" in text
    assert RULE not in fire("prompt", prompt="what about the gardens and music", first=True)


def test_opencode_gets_the_start_again_after_a_compaction(hooks: Make) -> None:
    fire = hooks("opencode")
    fire("prompt", prompt=PROMPT, first=True)
    fire("tool", tool="read", args={"filePath": str(fire.vk.vault / "renew.md")})
    assert "renew.md" in fire("compact")
    assert RULE in fire("prompt", prompt="what about the gardens and music", first=False)
    assert RULE not in fire("prompt", prompt="what about the travels", first=False)


READS: list[tuple[str, dict[str, Any]]] = [
    ("claude-code", {"tool_name": "Read", "tool_input": {"file_path": "{vault}/renew.md"}}),
    ("codex", {"tool_name": "Bash", "tool_input": {"command": "cat {vault}/renew.md"}}),
    ("codex", {"tool_name": "Bash", "tool_input": {"command": "sed -n 1,9p renew.md"}, "cwd": "{vault}"}),
    ("copilot", {"toolName": "view", "toolArgs": {"path": "{vault}/renew.md"}}),
    ("gemini", {"tool_name": "read_file", "tool_input": {"file_path": "{vault}/renew.md"}}),
    ("qwen", {"tool_name": "read_file", "tool_input": {"absolute_path": "{vault}/renew.md"}}),
    ("opencode", {"tool": "read", "args": {"filePath": "{vault}/renew.md"}}),
    ("claude-code", {"tool_name": "mcp__vaultkit__read_note", "tool_input": {"note": "renew.md"}}),
    ("claude-code", {"tool_name": "mcp__vaultkit__read_note", "tool_input": {"note": "renew"}}),
]


def test_a_note_that_was_read_counts_in_the_log_and_not_in_the_note(hooks: Make) -> None:
    before = hooks().vk.read("renew.md")
    for harness, fields in READS:
        fire = hooks(harness)
        fire("tool", **json.loads(json.dumps(fields).replace("{vault}", str(fire.vk.vault))))
    assert [(row["harness"], row["path"]) for row in hooks().activity("opened")] == [(harness, "renew.md") for harness, _ in READS]
    assert hooks().vk.read("renew.md") == before


def test_a_read_that_the_mcp_server_has_counted_is_not_counted_again(hooks: Make) -> None:
    fire = hooks()
    fire("turn")
    row = {"t": datetime.now().isoformat(), "event": "opened", "path": "renew.md", "session": "mcp", "harness": "mcp"}
    (fire.state / "activity.jsonl").write_text(json.dumps(row) + "\n")
    fire("tool", tool_name="mcp__vaultkit__read_note", tool_input={"note": "renew.md"})
    assert len(fire.activity("opened")) == 1
    assert [row["paths"] for row in fire.rows("opened")] == [["renew.md"]]
    fire("tool", tool_name="Read", tool_input={"file_path": str(fire.vk.vault / "renew.md")})
    assert len(fire.activity("opened")) == 2


def test_what_is_no_note_of_the_vault_does_not_count(hooks: Make) -> None:
    fire = hooks()
    (fire.vk.home / "outside.md").write_text("x")
    (fire.vk.vault / "link.md").symlink_to(fire.vk.home / "outside.md")
    fire.vk.write(".trash/x.md", "x")
    for path in ("/etc/passwd", "{vault}/../outside.md", "{vault}/link.md", "{vault}/none.md", "{vault}/.trash/x.md", "{vault}"):
        fire("tool", tool_name="Read", tool_input={"file_path": path.replace("{vault}", str(fire.vk.vault))})
    assert fire.activity("opened") == []


def test_a_read_by_a_subagent_or_its_prompt_is_passed_over(hooks: Make) -> None:
    fire = hooks()
    assert fire("prompt", prompt=PROMPT, agent_id="a1") == ""
    fire("tool", tool_name="Read", tool_input={"file_path": str(fire.vk.vault / "renew.md")}, agent_id="a1")
    assert fire.activity("opened") == []
    assert fire.activity("prompt") == []


def test_a_turn_is_kept_without_its_secrets_and_our_own_words(hooks: Make) -> None:
    fire = hooks()
    fire("prompt", prompt="<vault-memory>old</vault-memory>use ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8 now")
    fire("turn", last_assistant_message="Done with password=hunter2x.")
    fire("turn", last_assistant_message="Done with password=hunter2x.")
    texts = [row["text"] for row in fire.rows() if "text" in row]
    assert texts == ["use [redacted] now", "Done with password=[redacted]."]


def test_turns_are_not_kept_where_the_setting_says_so(hooks: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VAULTKIT_CAPTURE_TURNS", "no")
    fire = hooks()
    fire("prompt", prompt=PROMPT)
    fire("turn", last_assistant_message="Done.")
    assert [row for row in fire.rows() if "text" in row] == []


def test_nothing_is_written_into_the_vault_by_any_hook(hooks: Make) -> None:
    fire = hooks()
    before = {path: path.stat().st_mtime_ns for path in fire.vk.vault.rglob("*")}
    fire("start", source="startup")
    fire("prompt", prompt=PROMPT)
    fire("tool", tool_name="Read", tool_input={"file_path": str(fire.vk.vault / "renew.md")})
    fire("turn", last_assistant_message="Done.")
    fire("compact")
    fire("end")
    assert {path: path.stat().st_mtime_ns for path in fire.vk.vault.rglob("*")} == before


def test_trouble_is_one_line_on_stderr_at_most_and_exit_0(hooks: Make) -> None:
    fire = hooks("codex")
    for kind in EVENTS:
        for payload in (b"", b"{", b"[]", b"\xff", b'{"prompt": 5}', b"\0" * 10):
            done = fire.run(kind, payload)
            assert done.code == 0
            assert len(done.err.splitlines()) <= 1
            assert done.out == "" or (kind == "start" and payload.startswith(b'{"'))


def test_an_unknown_harness_or_event_is_silence(vault: Program) -> None:
    for harness, kind in (("vim", "prompt"), ("codex", "lunch"), ("", "")):
        done = vault.process("hook", "--", harness, kind, stdin=b"{}")
        assert (done.returncode, done.stdout) == (0, b"")
        assert len(done.stderr.splitlines()) == 1


def test_a_vault_that_is_gone_or_broken_is_silence(vault: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    fire = Hooks(vault, monkeypatch)
    (vault.vault / ".vaultkit.toml").write_text("nonsense = [")
    done = fire.run("prompt", json.dumps({"session_id": "s", "prompt": PROMPT}).encode())
    assert (done.code, done.out) == (0, "")
    assert len(done.err.splitlines()) == 1
    vault.vault = vault.home / "nowhere"
    done = fire.run("prompt", json.dumps({"session_id": "s", "prompt": PROMPT}).encode())
    assert (done.code, done.out) == (0, "")
    assert len(done.err.splitlines()) == 1


def test_a_state_folder_that_takes_nothing_costs_the_log_and_not_the_answer(hooks: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    fire = hooks()
    monkeypatch.setattr("vaultkit.store.sessions.os.write", full)
    assert "renew.md" in fire("prompt", prompt=PROMPT)


def test_our_own_worker_fires_no_hook(vault: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    fire = Hooks(vault, monkeypatch)
    monkeypatch.setenv("VAULTKIT_INTERNAL", "1")
    assert fire("prompt", prompt=PROMPT) == ""
    done = subprocess.run(
        [sys.executable, "-I", "-S", wire.__file__, "hook", str(vault.vault), "codex", "prompt"],
        input=json.dumps({"prompt": PROMPT}).encode(), capture_output=True, check=True, timeout=60,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == (b"", b"")
    assert not list(vault.home.glob("XDG_STATE_HOME/vaultkit/*/hooks.jsonl"))


def test_environment_variables_reach_neither_log_nor_state(hooks: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "canary-4711")
    monkeypatch.setenv("COPILOT_CLI", "canary-4712")
    fire = hooks()
    fire("start", source="startup")
    fire("prompt", prompt=PROMPT)
    fire("end")
    written = b"".join(path.read_bytes() for path in fire.state.rglob("*") if path.is_file())
    assert b"canary" not in written


def test_the_hooks_log_is_bounded(hooks: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vaultkit.sessions.log.MAX_BYTES", 1000)
    fire = hooks()
    for _ in range(60):
        fire("turn")
    sizes = [path.stat().st_size for path in fire.state.glob("hooks*.jsonl")]
    assert max(sizes) <= 1000
    assert sum(sizes) <= 5000


def test_a_harness_that_is_off_or_may_see_a_scope_only_gets_no_more(hooks: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VAULTKIT_RECALL_MODE", '{ codex = "off" }')
    fire = hooks("codex")
    assert fire("start", source="startup") == ""
    assert fire("prompt", prompt=PROMPT) == ""
    monkeypatch.setenv("VAULTKIT_RECALL_SCOPES", '{ qwen = ["personal"] }')
    assert hooks("qwen")("prompt", prompt=PROMPT) == ""


def test_session_ids_of_any_kind_have_files_of_their_own(hooks: Make) -> None:
    ids = ["../../etc/x", "a/b", "", "é" * 300, "CON", "a" * 5000, "x\0y"]
    for name in ids:
        hooks(session=name)("turn", last_assistant_message="Done.")
    files = list(hooks().state.glob("sessions/*/*"))
    assert len(files) == len(ids) - 1
    assert {path.parent.name for path in files} == {"claude-code"}


def wired(vk: Program, kind: str, payload: dict[str, Any], harness: str = "codex", **env: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-I", "-S", wire.__file__, "hook", str(vk.vault), harness, kind],
        input=json.dumps(payload).encode(), capture_output=True, check=False, timeout=60, env={**os.environ, **env},
    )  # fmt: skip


def test_the_installed_form_answers_through_the_daemon_and_late_is_logged(vault: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VAULTKIT_SOCKET", str(vault.home / "d.sock"))
    monkeypatch.setenv("VAULTKIT_WARM_SECONDS", "20")
    monkeypatch.setenv("VAULTKIT_COLD_SECONDS", "20")
    try:
        vault.ok("daemon", "start")
        done = wired(vault, "prompt", {"session_id": "s", "prompt": PROMPT, "cwd": "/tmp"})
        assert b"renew.md" in done.stdout
        assert done.stderr == b""
        done = wired(vault, "prompt", {"session_id": "s", "agent_id": "x", "prompt": PROMPT})
        assert (done.stdout, done.stderr) == (b"", b"")
        done = wired(vault, "lunch", {})
        assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (0, b"", 1)
        fire = Hooks(vault, monkeypatch, "codex")
        assert [(row["kind"], row["served_by"]) for row in fire.log()] == [
            ("prompt", "daemon"),
            ("prompt", "daemon"),
            ("unknown", "daemon"),
        ]
        vault.ok("daemon", "stop")
        slow = vault.home / "slow"
        slow.write_text("#!/bin/sh\nexec sleep 5\n")
        slow.chmod(0o755)
        done = wired(vault, "prompt", {"session_id": "s2", "prompt": PROMPT}, VAULTKIT_COLD_SECONDS="0.01", VAULTKIT_PYTHON=str(slow))
        assert (done.returncode, done.stdout) == (0, b"")
        assert done.stderr == b"vaultkit hook: late: nothing was answered\n"
        assert fire.log()[-1]["outcome"] == "late"
    finally:
        vault("daemon", "stop")


def test_a_payload_without_measure_and_a_vault_that_is_gone_start_nothing(vault: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VAULTKIT_SOCKET", str(vault.home / "d.sock"))
    monkeypatch.setenv("VAULTKIT_PYTHON", "/nowhere/python")
    done = wired(vault, "tool", {"session_id": "s", "tool_response": "x" * 9_000_000})
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"vaultkit hook: the payload is too large\n")
    assert Hooks(vault, monkeypatch, "codex").log()[-1]["outcome"] == "too large"
    vault.vault = vault.home / "nowhere"
    done = wired(vault, "prompt", {"session_id": "s", "prompt": PROMPT})
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr == f"vaultkit hook: no vault at {vault.vault}\n".encode()


def test_a_late_daemon_and_the_hook_itself_are_one_prompt(vault: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    from vaultkit.app import open_app
    from vaultkit.sessions import Call, hook

    payload = json.dumps({"session_id": SESSION, "prompt": PROMPT}).encode()
    with open_app(root=vault.vault) as app:
        first, again = (hook(app, "codex", "prompt", payload, {}, Call(by, run="4711")) for by in ("daemon", "cli"))
    assert first == again
    assert b"renew.md" in again.out
    assert len(Hooks(vault, monkeypatch, "codex").rows("asked")) == 1


def test_research_that_was_begun_and_not_stored_is_told_once_with_the_next_prompt(hooks: Make) -> None:
    fire = hooks()
    marker = fire.vk.json("research", "begin", "How do others </vault-memory> renew?", "--session", SESSION)["id"]
    assert marker not in fire("prompt", prompt=PROMPT)
    fire("turn", last_assistant_message="It runs.")
    text = fire("prompt", prompt="what about the gardens and music")
    assert f"(--id {marker})" in text
    assert text.count("</vault-memory>") == text.count("<vault-memory>")
    fire("turn", last_assistant_message="It runs on.")
    assert marker not in fire("prompt", prompt="what about the travels")
