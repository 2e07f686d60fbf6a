from __future__ import annotations

import json
import shlex
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.program import Program
from vaultkit import wire

ALL = ("claude-code", "codex", "copilot", "gemini", "opencode", "qwen")
EVENTS = ("start", "prompt", "tool", "turn", "compact", "end")

# harness → its user settings below the home folder, how an entry's time limit is named, seconds per unit
SETTINGS = {
    "claude-code": (".claude/settings.json", "timeout", 1.0),
    "codex": (".codex/hooks.json", "timeout", 1.0),
    "copilot": (".copilot/hooks/vaultkit.json", "timeoutSec", 1.0),
    "gemini": (".gemini/settings.json", "timeout", 0.001),
    "qwen": (".qwen/settings.json", "timeout", 1.0),
}


def tree(home: Path) -> dict[str, tuple[int, bytes]]:
    """Every file and folder of the home with mode and bytes; not the vault, nor vaultkit's own caches and state."""
    found = {}
    for path in sorted(home.rglob("*")):
        name = path.relative_to(home).as_posix()
        if name.split("/")[0] not in {"vault", "XDG_CACHE_HOME", "XDG_STATE_HOME"}:
            found[name] = (stat.S_IMODE(path.lstat().st_mode), path.read_bytes() if path.is_file() else b"")
    return found


def handlers(home: Path, harness: str) -> list[tuple[str, dict[str, Any]]]:
    """(event as the harness names it, handler) of all hooks in its settings."""
    data = json.loads((home / SETTINGS[harness][0]).read_text("utf-8"))
    return [(event, one) for event, groups in data["hooks"].items() for group in groups for one in group.get("hooks", [group])]


def words(handler: dict[str, Any]) -> list[str]:
    if "args" in handler:
        return [handler["command"], *handler["args"]]
    return shlex.split(handler.get("bash") or handler["command"])


def ours(home: Path, harness: str) -> list[dict[str, Any]]:
    return [handler for _, handler in handlers(home, harness) if "hook" in words(handler)]


@pytest.mark.parametrize("harness", ALL)
def test_uninstall_leaves_an_empty_home_as_it_was(vk: Program, harness: str) -> None:
    before = tree(vk.home)
    vk.ok("install", harness, "--mcp", "--agents-md")
    assert tree(vk.home) != before
    vk.ok("uninstall", harness)
    assert tree(vk.home) == before
    assert not (vk.home / "XDG_STATE_HOME/vaultkit/adapters").exists()


@pytest.mark.parametrize("harness", SETTINGS)
def test_every_event_runs_the_hook_of_this_installation_for_the_named_vault(vk: Program, harness: str) -> None:
    vk.ok("install", harness)
    start = [sys.executable, "-I", "-S", wire.__file__, "hook", str(vk.vault), harness]
    assert sorted(words(handler) for handler in ours(vk.home, harness)) == sorted([*start, event] for event in EVENTS)


@pytest.mark.parametrize("harness", SETTINGS)
def test_time_limits_are_between_one_and_ten_seconds_in_the_unit_of_the_harness(vk: Program, harness: str) -> None:
    _, key, unit = SETTINGS[harness]
    vk.ok("install", harness)
    limits = {event: handler[key] * unit for event, handler in handlers(vk.home, harness)}
    assert all(1 <= seconds <= 10 for seconds in limits.values()), limits
    if harness == "codex":
        assert limits["SessionEnd"] <= 3


def test_claude_gets_the_exec_form_and_no_shell(vk: Program) -> None:
    vk.ok("install", "claude-code")
    assert all(isinstance(handler["args"], list) for handler in ours(vk.home, "claude-code"))


THEIRS: dict[str, str] = {
    "claude-code": '{"model":"opus","hooks":{"Stop":[{"hooks":[{"type":"command","command":"say done"}]}]},"env":{"A":"1"}}',
    "codex": '{\n\t"description": "mine",\n\t"hooks": {\n\t\t"SessionStart": []\n\t}\n}\n',
    "copilot": '{"version": 1, "hooks": {"sessionEnd": [{"type": "command", "bash": "say bye"}]}}\n',
    "gemini": '// my settings\n{\n    "theme": "dark", // at night\n    "hooks": {\n        // none yet\n    },\n}\n',
    "qwen": '\ufeff{\r\n  "security": {"auth": {"selectedType": "openai"}}\r\n}\r\n',
}


@pytest.mark.parametrize("harness", SETTINGS)
def test_settings_that_nobody_touched_are_restored_byte_for_byte(vk: Program, harness: str) -> None:
    file = vk.home / SETTINGS[harness][0]
    file.parent.mkdir(parents=True)
    file.write_bytes(THEIRS[harness].encode())
    file.chmod(0o600)
    before = tree(vk.home)
    vk.ok("install", harness, "--mcp")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    vk.ok("uninstall")
    assert tree(vk.home) == before


@pytest.mark.parametrize("harness", SETTINGS)
def test_of_settings_touched_since_only_our_entries_go(vk: Program, harness: str) -> None:
    file = vk.home / SETTINGS[harness][0]
    file.parent.mkdir(parents=True)
    file.write_bytes(THEIRS[harness].encode())
    vk.ok("install", harness)
    own = b'"added": {"by": "me"},'
    file.write_bytes(file.read_bytes().replace(b"{", b"{" + own, 1))
    vk.ok("uninstall", harness)
    assert file.read_bytes().decode() == THEIRS[harness].replace("{", "{" + own.decode(), 1)


@pytest.mark.parametrize("harness", SETTINGS)
def test_of_settings_that_we_made_and_somebody_added_to_the_addition_stays(vk: Program, harness: str) -> None:
    file = vk.home / SETTINGS[harness][0]
    vk.ok("install", harness)
    file.write_text(file.read_text("utf-8").replace("{", '{"added": {"by": "me"},', 1), "utf-8")
    vk.ok("uninstall", harness)
    left = json.loads(file.read_text("utf-8"))
    left.pop("version", None)
    assert left == {"added": {"by": "me"}}


@pytest.mark.parametrize("harness", ALL)
def test_installing_twice_changes_nothing_the_second_time(vk: Program, harness: str) -> None:
    vk.ok("install", harness, "--mcp", "--agents-md")
    before = tree(vk.home)
    again = vk.json("install", harness, "--mcp", "--agents-md")
    assert again["changed"] == 0
    assert tree(vk.home) == before


def test_what_was_installed_before_with_the_mcp_entry_keeps_it(vk: Program) -> None:
    vk.ok("install", "gemini", "--mcp")
    vk.ok("install", "gemini")
    assert "mcpServers" in json.loads((vk.home / ".gemini/settings.json").read_text("utf-8"))


def test_another_vault_takes_the_place_of_the_first(vk: Program) -> None:
    vk.ok("install", *ALL)
    first = tree(vk.home)
    other = vk.home / "vault" / "other"
    other.mkdir()
    vk("--vault", str(other), "init", str(other), vault=False)
    assert vk("--vault", str(other), "install", *ALL, vault=False).code == 0
    for harness in SETTINGS:
        assert {words(handler)[5] for handler in ours(vk.home, harness)} == {str(other)}
        assert len(ours(vk.home, harness)) == len(EVENTS)
    vk.ok("uninstall")
    assert not any(".claude" in name for name in tree(vk.home))
    assert first


def test_dry_run_writes_nothing_and_shows_what_would_be_written(vk: Program) -> None:
    file = vk.home / ".claude/settings.json"
    file.parent.mkdir()
    file.write_text('{"env": {"ANTHROPIC_API_KEY": "sk-secret"}}', "utf-8")
    before = tree(vk.home)
    done = vk.ok("install", "claude-code", "--dry-run")
    assert tree(vk.home) == before
    assert '"SessionStart"' in done.out
    assert "sk-secret" not in done.out
    assert not (vk.home / "XDG_STATE_HOME/vaultkit/adapters").exists()


@pytest.mark.parametrize(
    ("harness", "broken"),
    [
        ("claude-code", b'{"hooks": '),
        ("claude-code", b"// no comments here\n{}"),
        ("claude-code", b"[]"),
        ("claude-code", b'{"hooks": []}'),
        ("claude-code", b'{"hooks": {"Stop": {}}}'),
        ("claude-code", b"\xff\xfe{}"),
        ("gemini", b'{"a": /* open }'),
        ("qwen", b"{" * 50_000),
        ("opencode", b"export const Mine = 1\n"),
    ],
)
def test_settings_that_cannot_be_read_are_an_error_and_nothing_is_changed(vk: Program, harness: str, broken: bytes) -> None:
    file = vk.home / (SETTINGS[harness][0] if harness in SETTINGS else "XDG_CONFIG_HOME/opencode/plugins/vaultkit.js")
    file.parent.mkdir(parents=True)
    file.write_bytes(broken)
    before = tree(vk.home)
    done = vk("install", "codex", harness)
    assert done.code in {2, 5}, done
    assert str(file) in done.err
    assert "nothing was changed" in done.err
    assert tree(vk.home) == before


def test_a_settings_file_that_is_a_link_is_written_through(vk: Program) -> None:
    real = vk.home / "dotfiles/claude.json"
    real.parent.mkdir()
    real.write_text("{}", "utf-8")
    link = vk.home / ".claude/settings.json"
    link.parent.mkdir()
    link.symlink_to(real)
    vk.ok("install", "claude-code")
    assert link.is_symlink()
    assert "hooks" in json.loads(real.read_text("utf-8"))
    vk.ok("uninstall")
    assert link.is_symlink()
    assert real.read_text("utf-8") == "{}"


def test_one_scope_only(vk: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    project = vk.home / "project"
    (project / ".git").mkdir(parents=True)
    monkeypatch.chdir(project)
    vk.ok("install", "claude-code", "codex")
    refused = vk("install", "claude-code", "--project")
    assert refused.code == 5
    assert "twice" in refused.err
    vk.ok("uninstall", "claude-code")
    vk.ok("install", "claude-code", "--project")
    monkeypatch.chdir(vk.home)
    assert vk("install", "claude-code", "--user").code == 5  # the project stands in the record
    vk.ok("uninstall", "claude-code", "--project")
    vk.ok("install", "claude-code", "--user")


def test_a_project_scope_of_the_repository_is_used_from_any_folder_in_it(vk: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = vk.home / "project/src/deep"
    deep.mkdir(parents=True)
    (vk.home / "project/.git").mkdir()
    monkeypatch.chdir(deep)
    before = tree(vk.home)
    vk.ok("install", *ALL, "--project")
    made = {name for name in tree(vk.home) if name not in before}
    for name in (
        ".claude/settings.local.json", ".codex/hooks.json", ".github/hooks/vaultkit.json", ".gemini/settings.json",
        ".qwen/settings.json", ".opencode/plugins/vaultkit.js", ".agents/skills/braindump/SKILL.md", ".claude/skills/braindump/SKILL.md",
    ):  # fmt: skip
        assert f"project/{name}" in made
    assert all(name.startswith("project/") for name in made)
    monkeypatch.chdir(vk.home)
    vk.ok("uninstall")
    assert tree(vk.home) == before


def test_copilot_running_claudes_project_hooks_too_is_told(vk: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    project = vk.home / "project"
    (project / ".git").mkdir(parents=True)
    monkeypatch.chdir(project)
    told = vk.json("install", "claude-code", "--project")["told"]
    assert any("Copilot" in line for line in told)
    assert any("claude-code" in line for line in vk.json("install", "copilot")["told"])


@pytest.mark.parametrize("name", ["with space", "it's", 'a "quoted" one', "日本語 ノート", "dollar $HOME `x`", "back\\slash"])
@pytest.mark.parametrize("harness", ["claude-code", "codex"])
def test_any_path_of_a_vault_reaches_the_program_as_it_is(vk: Program, tmp_path: Path, name: str, harness: str) -> None:
    vault = tmp_path / "vault" / name
    vault.mkdir()
    assert vk("init", str(vault), vault=False).code == 0
    assert vk("--vault", str(vault), "install", harness, vault=False).code == 0
    for handler in ours(vk.home, harness):
        line = handler["command"]
        if "args" in handler:
            assert handler["args"][4] == str(vault)
        else:
            shown = line.replace(shlex.quote(sys.executable), "printf '%s\\n'", 1)
            done = subprocess.run(["sh", "-c", shown], capture_output=True, text=True, check=True)
            assert done.stdout.splitlines()[4] == str(vault)
    skill = next((vk.home).glob(".*/skills/braindump/SKILL.md")).read_text("utf-8")
    assert f"--vault {shlex.quote(str(vault))} capture" in skill


def test_a_skill_that_somebody_edited_is_kept_by_install_and_uninstall(vk: Program) -> None:
    vk.ok("install", "claude-code")
    skill = vk.home / ".claude/skills/research/SKILL.md"
    edited = skill.read_text("utf-8") + "\nMy own rule.\n"
    skill.write_text(edited, "utf-8")
    row = next(row for row in vk.json("install", "claude-code")["files"] if row["path"] == str(skill))
    assert (row["action"], skill.read_text("utf-8")) == ("kept", edited)
    vk.ok("uninstall")
    assert skill.read_text("utf-8") == edited
    assert not (vk.home / ".claude/skills/braindump").exists()


def test_a_skill_of_that_name_that_is_not_ours_is_kept(vk: Program) -> None:
    skill = vk.home / ".claude/skills/research/SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("mine", "utf-8")
    vk.ok("install", "claude-code")
    assert skill.read_text("utf-8") == "mine"
    vk.ok("uninstall")
    assert skill.read_text("utf-8") == "mine"


def test_skills_that_two_harnesses_share_go_with_the_last(vk: Program) -> None:
    before = tree(vk.home)
    vk.ok("install", "codex", "gemini")
    vk.ok("uninstall", "codex")
    assert (vk.home / ".agents/skills/braindump/SKILL.md").exists()
    vk.ok("uninstall", "gemini")
    assert tree(vk.home) == before


def test_a_block_in_agents_md_leaves_the_rest_alone(vk: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    project = vk.home / "project"
    (project / ".git").mkdir(parents=True)
    monkeypatch.chdir(project)
    file = project / "AGENTS.md"
    file.write_text("# House rules\n\nTabs.", "utf-8")
    vk.ok("install", "agents")
    assert file.read_text("utf-8").startswith("# House rules\n\nTabs.\n\n<!-- vaultkit: begin")
    file.write_text(file.read_text("utf-8") + "\nMore.\n", "utf-8")
    vk.ok("uninstall")
    assert file.read_text("utf-8") == "# House rules\n\nTabs.\n\nMore.\n"
    assert not (project / ".mcp.json").exists()


def test_toml_keeps_its_comments_and_loses_only_our_table(vk: Program) -> None:
    file = vk.home / ".codex/config.toml"
    file.parent.mkdir()
    theirs = '# mine\nmodel = "x"  # fast\n\n[mcp_servers.other]\ncommand = "y"\n'
    file.write_text(theirs, "utf-8")
    vk.ok("install", "codex", "--mcp")
    text = file.read_text("utf-8")
    assert text.startswith(theirs)
    file.write_text(text + '\n[hooks.state."a"]\ntrusted_hash = "z"\n', "utf-8")  # what Codex adds when a person approves
    vk.ok("uninstall", "codex")
    assert file.read_text("utf-8") == theirs + '\n[hooks.state."a"]\ntrusted_hash = "z"\n'


def test_hooks_in_codex_own_toml_are_told_and_left_alone(vk: Program) -> None:
    file = vk.home / ".codex/config.toml"
    file.parent.mkdir()
    theirs = '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "say done"\n'
    file.write_text(theirs, "utf-8")
    assert any("config.toml" in line for line in vk.json("install", "codex")["told"])
    assert file.read_text("utf-8") == theirs


def test_a_server_of_that_name_that_is_not_ours_is_refused(vk: Program) -> None:
    file = vk.home / ".codex/config.toml"
    file.parent.mkdir()
    file.write_text('[mcp_servers.vaultkit]\ncommand = "something-else"\n', "utf-8")
    before = tree(vk.home)
    assert vk("install", "codex", "--mcp").code == 5
    assert tree(vk.home) == before


def test_without_its_record_uninstall_still_finds_our_entries(vk: Program) -> None:
    file = vk.home / ".claude/settings.json"
    file.parent.mkdir()
    file.write_text('{\n  "model": "m"\n}\n', "utf-8")
    vk.ok("install", *ALL, "--mcp", "--agents-md")
    (vk.home / "XDG_STATE_HOME/vaultkit/adapters/ledger.json").unlink()
    vk.ok("uninstall")
    assert file.read_text("utf-8") == '{\n  "model": "m"\n}\n'
    for name, (_, data) in tree(vk.home).items():
        assert b"wire.py" not in data, name
        assert b"vaultkit" not in data, name


def test_a_file_that_cannot_be_written_undoes_the_others(vk: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    from vaultkit.upkeep.adapters import ledger

    before = tree(vk.home)
    write = ledger.write

    def failing(path: Path, data: bytes, *, mode: int | None = None) -> None:
        if path.name == "hooks.json":
            raise PermissionError(13, "Permission denied", str(path))
        write(path, data, mode=mode)

    monkeypatch.setattr(ledger, "write", failing)
    done = vk("install", "claude-code", "codex")
    assert done.code == 1
    assert "hooks.json" in done.err
    assert tree(vk.home) == before


def test_a_backup_of_what_was_there_is_kept_until_it_is_restored(vk: Program) -> None:
    file = vk.home / ".claude/settings.json"
    file.parent.mkdir()
    file.write_text('{"model": "m"}', "utf-8")
    row = next(row for row in vk.json("install", "claude-code")["files"] if row["path"] == str(file))
    backup = Path(row["backup"])
    assert backup.read_text("utf-8") == '{"model": "m"}'
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    vk.ok("uninstall")
    assert not backup.exists()


def test_uninstall_takes_out_the_rest_where_one_file_cannot_be_read(vk: Program) -> None:
    vk.ok("install", "claude-code", "codex")
    file = vk.home / ".claude/settings.json"
    file.write_text("{broken", "utf-8")
    done = vk("uninstall")
    assert done.code == 1
    assert "cannot be read" in done.out
    assert not (vk.home / ".codex").exists()
    file.write_text("{}", "utf-8")
    vk.ok("uninstall")


def test_the_home_folder_is_no_project(vk: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(vk.home)
    assert vk("install", "codex", "--project").code == 5


def test_a_damaged_record_is_an_error_that_says_what_to_do(vk: Program) -> None:
    vk.ok("install", "codex")
    record = vk.home / "XDG_STATE_HOME/vaultkit/adapters/ledger.json"
    record.write_text("{", "utf-8")
    done = vk("uninstall")
    assert done.code == 2
    assert "remove that file" in done.err


def test_an_unknown_harness_is_named_with_the_nearest_one(vk: Program) -> None:
    done = vk("install", "claude")
    assert done.code == 2
    assert "claude-code" in done.err
    assert vk("install").code == 2


def test_a_clone_that_one_stands_in_does_not_become_the_memory(vk: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    clone = vk.home / "clone"
    (clone / ".obsidian").mkdir(parents=True)
    monkeypatch.chdir(clone)
    refused = vk("install", "claude-code", vault=False)
    assert refused.code == 2
    assert "--vault" in refused.err
    monkeypatch.chdir(vk.vault)
    assert vk("install", "claude-code", vault=False).code == 0  # made here by `init`: no stranger
    assert {words(handler)[5] for handler in ours(vk.home, "claude-code")} == {str(vk.vault)}


def test_the_environment_may_move_a_harness(vk: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "OPENCODE_CONFIG_DIR"):
        monkeypatch.setenv(name, str(vk.home / name))
    vk.ok("install", *ALL)
    for name in (
        "CLAUDE_CONFIG_DIR/settings.json",
        "CODEX_HOME/hooks.json",
        "COPILOT_HOME/hooks/vaultkit.json",
        "OPENCODE_CONFIG_DIR/plugins/vaultkit.js",
    ):
        assert (vk.home / name).exists(), name


def test_codex_is_told_how_to_approve_and_its_trust_is_never_written(vk: Program) -> None:
    done = vk.ok("install", "codex", "--mcp")
    assert "/hooks" in done.out
    assert "trusted" not in (vk.home / ".codex/config.toml").read_text("utf-8")
    assert {path.name for path in (vk.home / ".codex").iterdir()} == {"config.toml", "hooks.json"}


KILLED = """
import os, pathlib, sys
left = int(sys.argv.pop(1))
def dying(do):
    def done(*words, **named):
        global left
        left -= 1
        if left < 0:
            os._exit(9)
        return do(*words, **named)
    return done
os.fsync, pathlib.Path.unlink = dying(os.fsync), dying(pathlib.Path.unlink)
import vaultkit.__main__
"""


@pytest.mark.parametrize(("command", "steps"), [("install", 3), ("install", 5), ("install", 9), ("uninstall", 1), ("uninstall", 4)])
def test_what_is_killed_half_way_is_taken_back_all_the_same(vk: Program, command: str, steps: int) -> None:
    settings = vk.home / ".claude/settings.json"
    settings.parent.mkdir()
    settings.write_text('{"model":"x","hooks":{"Stop":[]}}')  # as no writer of ours would set it out
    before = tree(vk.home)
    if command == "uninstall":
        vk.ok("install", "claude-code", "gemini")
    program = [sys.executable, "-c", KILLED, str(steps), command, "claude-code", "gemini", "--vault", str(vk.vault)]
    done = subprocess.run(program, capture_output=True, check=False, timeout=60)
    assert done.returncode == 9, done.stderr
    assert tree(vk.home) != before
    vk.ok("uninstall")
    assert tree(vk.home) == before
