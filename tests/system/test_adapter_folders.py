"""The shipped folders adapters/<name>/: complete, in step with their source, and in the terms of their harness."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from vaultkit.upkeep.adapters import manifest
from vaultkit.upkeep.adapters.manifest import EVENTS

ROOT = Path(__file__).resolve().parent.parent.parent
WITH_HOOKS = [adapter.name for adapter in manifest.every() if adapter.hooks is not None]


def test_six_harnesses_and_one_for_all_others_are_shipped() -> None:
    assert manifest.names() == ["agents", "claude-code", "codex", "copilot", "gemini", "opencode", "qwen"]


@pytest.mark.parametrize("name", WITH_HOOKS)
def test_an_adapter_has_manifest_template_contract_and_recorded_payloads(name: str) -> None:
    folder = ROOT / "adapters" / name
    adapter = manifest.read(name)
    assert adapter.tested
    assert adapter.tested in (folder / "README.md").read_text("utf-8")
    assert adapter.hooks is not None
    assert (folder / adapter.hooks.template).is_file()
    assert len((folder / "README.md").read_text("utf-8").splitlines()) <= 60
    recorded = {file.stem for file in (folder / "fixtures").glob("*.json")}
    # what this harness does not send at all, or not without a person
    never = {"opencode": {"start", "compact"}, "qwen": {"end", "compact"}, "copilot": {"compact"}}.get(name, set())
    assert set(EVENTS) - never <= recorded


@pytest.mark.parametrize("name", WITH_HOOKS)
def test_the_template_names_each_event_as_the_manifest_does(name: str) -> None:
    adapter = manifest.read(name)
    assert set(adapter.events) == set(EVENTS)
    assert adapter.hooks is not None
    text = (adapter.folder / adapter.hooks.template).read_text("utf-8")
    if adapter.hooks.format == "file":
        assert all(f'"{event}"' in text or f"{event}:" in text for event in adapter.events.values())
        return
    hooks = json.loads(text)["hooks"]
    assert set(hooks) == set(adapter.events.values())
    for event, theirs in adapter.events.items():
        assert f" {event}" in json.dumps(hooks[theirs])


def test_recorded_payloads_hold_nothing_of_the_machine_they_were_recorded_on() -> None:
    for file in ROOT.glob("adapters/*/fixtures/*.json"):
        text = file.read_text("utf-8")
        assert not any(word in text for word in ('"/tmp/', "/root", "sk-", "throwaway", "127.0.0.1")), file
        assert isinstance(json.loads(text), dict)


def test_the_generated_forms_are_up_to_date() -> None:
    done = subprocess.run([sys.executable, "tools/build_adapters.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("skill", sorted(path.parent.relative_to(ROOT).as_posix() for path in (ROOT / "skills").glob("*/SKILL.md")))
def test_the_validator_of_the_skills_standard_passes(skill: str) -> None:
    validator = Path(sys.executable).with_name("agentskills")
    if not validator.exists():
        pytest.skip("skills-ref is not installed")
    done = subprocess.run([validator, "validate", str(ROOT / skill)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done


PLUGIN = """\
import { VaultkitPlugin } from "./vaultkit.mjs"
const sent = { prompt: [{ type: "text", text: "renew?" }], of: { id: "msg_1" } }
const client = { session: { get: async () => ({ data: { parentID: null } }), messages: async () => ({ data: [] }) } }
const plugin = await VaultkitPlugin({ client, directory: "/project" })
const output = { message: sent.of, parts: sent.prompt }
await plugin["chat.message"]({ sessionID: "ses_1", messageID: "msg_1" }, output)
await plugin["tool.execute.after"]({ tool: "read", sessionID: "ses_1", args: { filePath: "/v/a.md" } })
await plugin["tool.execute.after"]({ tool: "bash", sessionID: "ses_1", args: {} })
const compaction = { context: [] }
await plugin["experimental.session.compacting"]({ sessionID: "ses_1" }, compaction)
await plugin.event({ event: { type: "session.idle", properties: { sessionID: "ses_1" } } })
await plugin.dispose()
console.log(JSON.stringify({ parts: output.parts.map((part) => part.text), context: compaction.context }))
"""


@pytest.fixture
def plugin(tmp_path: Path) -> Any:
    """Runs OpenCode's plugin in node, with *program* (Python) in the place of vaultkit; what it gave to OpenCode, and what it was asked."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")

    def run(program: str, limit: int = 5000) -> tuple[Any, list[Any]]:
        (tmp_path / "program.py").write_text(program, "utf-8")
        text = (ROOT / "adapters/opencode/vaultkit.js").read_text("utf-8")
        command = json.dumps([sys.executable, str(tmp_path / "program.py"), str(tmp_path / "log")])
        limits = json.dumps(dict.fromkeys(("prompt", "tool", "turn", "compact", "end"), limit))
        start, end = text.index("const LIMITS = ") + 15, text.index("\n", text.index("const LIMITS"))
        text = (text[:start] + limits + text[end:]).replace('["@command"]', command)
        (tmp_path / "vaultkit.mjs").write_text(text, "utf-8")
        (tmp_path / "run.mjs").write_text(PLUGIN, "utf-8")
        done = subprocess.run([node, str(tmp_path / "run.mjs")], capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 0, done
        log = tmp_path / "log"
        return json.loads(done.stdout), [json.loads(line) for line in log.read_text("utf-8").splitlines()] if log.exists() else []

    return run


ANSWERS = """\
import json, sys
row = {"event": sys.argv[2], **json.load(sys.stdin)}
open(sys.argv[1], "a").write(json.dumps(row) + "\\n")
print(json.dumps({"text": "TEXT " + sys.argv[2]}))
"""


def test_the_plugin_hands_each_event_on_and_gives_back_the_text(plugin: Any) -> None:
    given, asked = plugin(ANSWERS)
    assert given == {"parts": ["renew?", "TEXT prompt"], "context": ["TEXT compact"]}
    assert [row["event"] for row in asked] == ["prompt", "tool", "compact", "turn", "end"]
    assert asked[0] == {"event": "prompt", "sessionID": "ses_1", "cwd": "/project", "parentID": None, "prompt": "renew?", "first": True}
    assert (asked[1]["tool"], asked[1]["args"]) == ("read", {"filePath": "/v/a.md"})


@pytest.mark.parametrize(
    "program",
    ["raise SystemExit(1)", "print('no JSON')", "print('{}')", "import os; os.kill(os.getpid(), 9)", "import time; time.sleep(60)"],
)
def test_a_program_in_trouble_costs_the_plugin_its_limit_and_no_more(plugin: Any, program: str) -> None:
    given, _ = plugin(program, 300)
    assert given == {"parts": ["renew?"], "context": []}
