from __future__ import annotations

import os
import re
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tests.support.program import Program

# Stands for Codex: tells a version, and as `app-server` the trust that STATUS says.
CODEX = """\
#!{python}
import json, os, sys, time
if sys.argv[1:] == ["--version"]:
    print("codex-cli 9.9.9")
    raise SystemExit
status = os.environ["STATUS"]
if status == "silent":
    time.sleep(60)
hooks = json.load(open(os.path.expanduser("~/.codex/hooks.json")))["hooks"]
for line in sys.stdin:
    asked = json.loads(line)
    if asked.get("method") == "initialize":
        print(json.dumps({{"method": "configWarning", "params": {{}}}}), flush=True)
    if status == "broken" and asked.get("id") == 2:
        print("no JSON", flush=True)
    elif asked.get("id") == 2:
        found = [{{"command": one["command"], "trustStatus": status, "enabled": True}} for groups in hooks.values() for group in groups for one in group["hooks"]]
        print(json.dumps({{"id": 2, "result": {{"data": [{{"cwd": "/", "hooks": found}}]}}}}), flush=True)
"""


@pytest.fixture
def codex(vk: Program, monkeypatch: pytest.MonkeyPatch) -> Program:
    """The program beside a Codex of ours, installed into it."""
    folder = vk.home / "bin"
    folder.mkdir()
    file = folder / "codex"
    file.write_text(CODEX.format(python=sys.executable), "utf-8")
    file.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.defpath}")
    monkeypatch.setenv("VAULTKIT_EMBEDDER", "none")
    monkeypatch.setenv("VAULTKIT_SOCKET", str(vk.home / "none.sock"))
    monkeypatch.setenv("STATUS", "trusted")
    vk.ok("install", "codex")
    return vk


def lines(vk: Program, *, code: int) -> dict[str, Any]:
    return {check["name"]: check for check in vk.json("doctor", code=code)["checks"]}


def change(vk: Program, old: str, new: str, file: str = ".codex/hooks.json") -> None:
    path = vk.home / file
    text = path.read_text("utf-8")
    assert re.search(old, text)
    path.write_text(re.sub(old, new, text), "utf-8")


def test_a_whole_installation_has_no_finding(codex: Program) -> None:
    found = lines(codex, code=0)
    assert found["codex"]["level"] == "ok"
    assert "9.9.9" in found["codex"]["text"]
    assert found["codex trust"]["level"] == "ok"
    assert found["vault"]["level"] == "ok"


def test_every_line_that_is_not_in_order_says_what_to_do(codex: Program) -> None:
    assert all(check["todo"] for check in lines(codex, code=0).values() if check["level"] != "ok")


@pytest.mark.parametrize("status", ["untrusted", "modified"])
def test_hooks_that_are_not_trusted_are_a_finding(codex: Program, monkeypatch: pytest.MonkeyPatch, status: str) -> None:
    monkeypatch.setenv("STATUS", status)
    found = lines(codex, code=1)["codex trust"]
    assert found["level"] == "red"
    assert status in found["text"]
    assert "/hooks" in found["todo"]


@pytest.mark.parametrize("status", ["silent", "broken"])
def test_trust_that_is_not_told_is_said_to_be_unknown(codex: Program, monkeypatch: pytest.MonkeyPatch, status: str) -> None:
    from vaultkit.upkeep import doctor

    monkeypatch.setattr(doctor, "ANSWER_SECONDS", 0.3)
    monkeypatch.setenv("STATUS", status)
    found = lines(codex, code=0)["codex trust"]
    assert found["level"] == "info"
    assert "not asked" in found["text"]


def test_without_the_program_trust_is_not_asked(codex: Program) -> None:
    (codex.home / "bin/codex").unlink()
    found = lines(codex, code=0)
    assert "not on the PATH" in found["codex trust"]["text"]
    assert found["codex"]["level"] == "info"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (r'"timeout": 3\b', '"timeout": 3000', "in seconds"),
        (r',\s*"timeout": 3\b', "", "no timeout"),
        (r'"SessionEnd": \[[^]]*\][^]]*\]', '"SessionEnd": []', "lacks the hooks of end"),
        (r"\S+wire\.py", "/gone/vaultkit/wire.py", "/gone/vaultkit/wire.py, which is not there"),
        (r'"command": "\S+', '"command": "/gone/python', "/gone/python, which is not there"),
        (r"hook \S+ codex", "hook /another codex", "another vault: /another"),
    ],
)
def test_hooks_that_somebody_bent_are_findings(codex: Program, old: str, new: str, said: str) -> None:
    change(codex, old, new)
    found = codex.json("doctor", code=1)["checks"]
    wrong = [check for check in found if check["name"] == "codex" and check["level"] == "red"]
    assert any(said in check["text"] for check in wrong), wrong
    assert all(check["todo"] for check in wrong)
    codex.ok("install", "codex")
    assert lines(codex, code=0)["codex"]["level"] == "ok"


def test_a_session_end_above_what_codex_allows_is_a_finding(codex: Program) -> None:
    change(codex, r'(codex end",\s*"timeout": )3', r"\g<1>5")
    assert "SessionEnd" in lines(codex, code=1)["codex"]["text"]


def test_milliseconds_where_milliseconds_are_meant_are_none(codex: Program) -> None:
    codex.ok("install", "gemini")
    assert lines(codex, code=0)["gemini"]["level"] == "info"  # the program itself is not there
    change(codex, '"timeout": 3000', '"timeout": 3', ".gemini/settings.json")
    assert "in milliseconds" in lines(codex, code=1)["gemini"]["text"]


def test_hooks_in_two_scopes_are_a_double_run(codex: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    project = codex.home / "project"
    (project / ".git").mkdir(parents=True)
    (project / ".codex").mkdir()
    (project / ".codex/hooks.json").write_bytes((codex.home / ".codex/hooks.json").read_bytes())
    monkeypatch.chdir(project)
    found = lines(codex, code=1)["codex double"]
    assert "twice" in found["text"]
    assert "uninstall" in found["todo"]


def test_claude_hooks_of_a_repository_that_copilot_would_run_too_are_a_double_run(codex: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    project = codex.home / "project"
    (project / ".git").mkdir(parents=True)
    monkeypatch.chdir(project)
    codex.ok("install", "copilot")
    codex.ok("install", "claude-code", "--project")
    assert "copilot double" not in lines(codex, code=0)  # the exec form: Copilot starts it without its arguments
    (project / ".claude/settings.json").write_text(
        (codex.home / ".codex/hooks.json").read_text("utf-8").replace(" codex ", " claude-code "), "utf-8"
    )
    assert "copilot double" in lines(codex, code=1)


def test_our_plugin_beside_the_installed_hooks_is_a_double_run(codex: Program) -> None:
    codex.ok("install", "claude-code")
    assert "claude-code double" not in lines(codex, code=0)
    change(codex, r"^\{", '{"enabledPlugins": {"vaultkit@vaultkit": true},', ".claude/settings.json")
    assert "plugin" in lines(codex, code=1)["claude-code double"]["text"]


def test_a_setting_that_turns_all_hooks_off_is_a_finding(codex: Program) -> None:
    codex.ok("install", "claude-code")
    change(codex, r"^\{", '{"disableAllHooks": true,', ".claude/settings.json")
    assert "disableAllHooks" in lines(codex, code=1)["claude-code"]["text"]


def test_when_a_hook_last_ran_is_told_and_that_most_are_late_is_a_finding(codex: Program) -> None:
    from vaultkit.config import Places
    from vaultkit.sessions import hooks_log

    log = hooks_log(Places.of(codex.vault).state)
    row = {"harness": "codex", "kind": "prompt", "ms": 12.3, "bytes": 300, "served_by": "daemon"}
    log.append("hook", t=datetime(2026, 11, 30, 9), outcome="targeted high", **row)
    found = lines(codex, code=0)["codex fired"]
    assert "2026-11-30 09:00" in found["text"]
    assert "prompt, 12 ms" in found["text"]
    for minute in range(20):
        log.append("hook", t=datetime(2026, 11, 30, 10, minute), outcome="late", **{**row, "ms": None})
    assert "20 of the last 20" in lines(codex, code=1)["codex fired"]["text"]


def test_a_model_that_was_asked_for_and_does_not_answer_is_a_finding(codex: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VAULTKIT_TEXT_MODEL", "some-model")
    monkeypatch.setenv("VAULTKIT_OLLAMA_HOST", "http://127.0.0.1:9")
    assert lines(codex, code=1)["text model"]["level"] == "red"


def test_without_a_vault_the_rest_is_still_looked_at(vk: Program) -> None:
    done = vk("--json", "--vault", str(vk.home / "none"), "doctor", vault=False)
    assert done.code == 1
    assert [(check["name"], check["level"]) for check in done.json["checks"]] == [("program", "info"), ("vault", "red")]


def test_a_broken_settings_file_of_a_harness_does_not_stop_the_doctor(codex: Program) -> None:
    path = codex.home / ".gemini/settings.json"
    path.parent.mkdir()
    path.write_bytes(b"\xff{")
    assert lines(codex, code=0)["codex"]["level"] == "ok"
    assert Path(path).read_bytes() == b"\xff{"
