"""Real clients, by exact version, against `vaultkit serve` on a copy of a real vault: every tool is called, its effect looked at on disk.

What these clients do wrong themselves, seen here, and why it is left as it is:

- mcp-obsidian-advanced: `append`, `put` and `patch` send text as Latin-1 (requests' default for `str`): Japanese text fails in the client.
- mcp-obsidian-advanced: `understand_vault` and the note details read the vault's folder themselves, by obsidiantools.
- cli-anything-obsidian: `note open PATH` sends PUT /active/ with the path as body, which would overwrite the active note; `compat` opens instead.
- obsidian-mcp-server: reads `/periodic/` and `/active/` only when told to; a vault without periodic settings answers 40060 "not enabled".
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.support.rest_clients import ROOT, mcp, node_client, python_client

pytestmark = pytest.mark.e2e

KEY = "e2e-key-0123456789abcdef"
KEPANO = ROOT.parent / "shared/vaults/kepano"
NOTE = "References/Kyoto.md"


class Served(NamedTuple):
    """A running `vaultkit serve`."""

    url: str
    port: int
    vault: Path
    home: Path

    def read(self, path: str) -> str:
        return (self.vault / path).read_text("utf-8")

    def env(self, **more: str) -> dict[str, str]:
        return {
            "OBSIDIAN_API_KEY": KEY,
            "OBSIDIAN_PROTOCOL": "http",
            "OBSIDIAN_HOST": "127.0.0.1",
            "OBSIDIAN_PORT": str(self.port),
            "OBSIDIAN_BASE_URL": self.url,
            "OBSIDIAN_VERIFY_SSL": "false",
            "OBSIDIAN_VAULT_PATH": str(self.vault),
            "HOME": str(self.home),
            **more,
        }


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    if not KEPANO.is_dir():
        pytest.skip("needs the shared vaults beside the checkout")
    vault, home = tmp_path / "vault", tmp_path / "home"
    shutil.copytree(KEPANO, vault)
    for path in (vault, *vault.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    home.mkdir()
    env = {**os.environ, "HOME": str(home), **{name: str(home / name) for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME")}}
    command = [sys.executable, "-m", "vaultkit", "serve", "--json", "--vault", str(vault), "--port", "0", "--key", KEY]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=env) as process:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        try:
            yield Served(told["url"], int(told["url"].rpartition(":")[2]), vault, home)
        finally:
            process.send_signal(signal.SIGTERM)
            assert process.wait(20) == 0


def _all_called(client: Any, called: set[str]) -> None:
    assert called == set(client.tools()), "a tool was not called"


def test_mcp_obsidian(served: Served) -> None:
    program = python_client("mcp-obsidian-0.2.3", "mcp-obsidian==0.2.3") / "mcp-obsidian"
    with mcp([str(program)], served.env(), served.home / "log") as client:
        called: set[str] = set()

        def call(tool: str, **arguments: Any) -> str:
            called.add(f"obsidian_{tool}")
            return client.call(f"obsidian_{tool}", **arguments)

        assert "References" in call("list_files_in_vault")
        assert "Kyoto.md" in call("list_files_in_dir", dirpath="References")
        assert json.loads(call("get_file_contents", filepath=NOTE)) == served.read(NOTE)
        assert "Blade Runner" in call("batch_get_file_contents", filepaths=[NOTE, "References/Blade Runner.md"])
        assert "References/" in call("simple_search", query="Kyoto")
        call("put_content", filepath="inbox/京都.md", content="---\ntrip: none # yet\n---\n# 計画\n\n## 宿\n\n町家\n\n## Next\n")
        assert served.read("inbox/京都.md") == "---\ntrip: none # yet\n---\n# 計画\n\n## 宿\n\n町家\n\n## Next\n"
        call("append_content", filepath="inbox/京都.md", content="終わり\n")
        assert served.read("inbox/京都.md").endswith("## Next\n終わり\n")
        # A bare heading: the client learns of it by "Error 40080" and qualifies it itself.
        call("patch_content", filepath="inbox/京都.md", operation="append", target_type="heading", target="宿", content="温泉\n")
        assert "町家\n" in served.read("inbox/京都.md").split("## Next")[0]
        assert "温泉\n" in served.read("inbox/京都.md").split("## Next")[0]
        call("patch_content", filepath="inbox/京都.md", operation="replace", target_type="frontmatter", target="trip", content="spring")
        assert "trip: spring" in served.read("inbox/京都.md")
        assert json.loads(call("get_frontmatter", filepath="inbox/京都.md")) == {"trip": "spring"}
        call("put_content", filepath="inbox/tag.md", content="#e2e-only here\n")
        assert "inbox/tag.md" in call("search_by_tag", tag="e2e-only")
        found = call("complex_search", query={"glob": ["inbox/*", {"var": "path"}]})
        assert [hit["filename"] for hit in json.loads(found)] == ["inbox/tag.md", "inbox/京都.md"]
        daily = f"Daily/{date.today().isoformat()}.md"
        assert "40461" in call("get_periodic_note", period="daily")
        call("put_content", filepath=daily, content="today\n")
        assert "today" in call("get_periodic_note", period="daily")
        assert daily in call("get_recent_periodic_notes", period="daily", limit=2)
        assert "inbox/京都.md" in json.dumps(json.loads(call("get_recent_changes")), ensure_ascii=False)
        call("delete_file", filepath="inbox/tag.md", confirm=True)
        assert not (served.vault / "inbox/tag.md").exists()
        assert (served.vault / ".trash/inbox/tag.md").exists()
        _all_called(client, called)
        assert len(called) == 15


def test_mcp_obsidian_advanced(served: Served) -> None:
    program = python_client("mcp-obsidian-advanced-0.0.1", "mcp-obsidian-advanced==0.0.1", "mcp<2") / "mcp-obsidian-advanced"
    with mcp([str(program)], served.env(), served.home / "log", timeout=120) as client:
        called: set[str] = set()

        def call(tool: str, **arguments: Any) -> str:
            called.add(f"obsidian_{tool}")
            return client.call(f"obsidian_{tool}", **arguments)

        assert "Kyoto.md" in call("list_files_in_dir", dirpath="References")
        assert "Kyoto" in call("simple_search", query="Kyoto")
        call("put_file", filepath="inbox/plan.md", content="# Plan\n\nfirst\n\n## Next\n")
        assert served.read("inbox/plan.md") == "# Plan\n\nfirst\n\n## Next\n"
        call("append_to_file", filepath="inbox/plan.md", content="last\n")
        assert served.read("inbox/plan.md").endswith("## Next\nlast\n")
        call("patch_file", filepath="inbox/plan.md", operation="prepend", target_type="heading", target="Plan::Next", content="zeroth\n")
        assert served.read("inbox/plan.md").endswith("## Next\nzeroth\nlast\n")
        assert "inbox/plan.md" in call("complex_search", query={"glob": ["inbox/*", {"var": "path"}]})
        assert "zeroth" in call("batch_get_files", filepaths=["inbox/plan.md"])
        call("open_files", filepaths=["inbox/plan.md"])
        assert "## Active Note: inbox/plan.md" in call("get_active_note")
        assert "vaultkit:daily-note" in call("list_commands")
        call("execute_commands", commands=["vaultkit:daily-note"])
        daily = f"Daily/{date.today().isoformat()}.md"
        assert (served.vault / daily).exists()
        assert daily in call("periodic_notes", period="daily")
        assert daily in call("recent_periodic_notes", period="daily", limit=1, include_content=True)
        assert "inbox/plan.md" in call("recent_changes")
        assert "Kyoto" in call("understand_vault")
        call("delete_file", filepath="inbox/plan.md", confirm=True)
        assert (served.vault / ".trash/inbox/plan.md").exists()
        _all_called(client, called)


def test_obsidian_mcp_server(served: Served) -> None:
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("needs node and npm")
    program = node_client("obsidian-mcp-server-2.0.7", "obsidian-mcp-server@2.0.7") / "dist/index.js"
    with mcp(["node", str(program)], served.env(), served.home / "log") as client:
        called: set[str] = set()

        def call(tool: str, **arguments: Any) -> str:
            called.add(f"obsidian_{tool}")
            return client.call(f"obsidian_{tool}", **arguments)

        assert "References" in call("list_notes", dirPath="/")
        assert json.loads(call("read_note", filePath=NOTE, format="json"))["content"]["frontmatter"]["loc"] == ["[[Japan]]"]
        assert "Kyoto" in call("global_search", query="Kyoto")
        call("update_note", targetType="filePath", targetIdentifier="inbox/計画.md", modificationType="wholeFile",
             wholeFileMode="overwrite", content="# 計画\n\none two\n", createIfNeeded=True, overwriteIfExists=True)  # fmt: skip
        assert served.read("inbox/計画.md") == "# 計画\n\none two\n"
        call("update_note", targetType="filePath", targetIdentifier="inbox/計画.md", modificationType="wholeFile",
             wholeFileMode="append", content="three\n", createIfNeeded=True)  # fmt: skip
        assert served.read("inbox/計画.md").endswith("one two\nthree\n")
        call("search_replace", targetType="filePath", targetIdentifier="inbox/計画.md", replacements=[{"search": "two", "replace": "2"}])
        assert "one 2\n" in served.read("inbox/計画.md")
        call("manage_frontmatter", filePath="inbox/計画.md", operation="set", key="status", value="active")
        assert "status: active" in served.read("inbox/計画.md")
        call("manage_tags", filePath="inbox/計画.md", operation="add", tags=["e2e"])
        assert "e2e" in served.read("inbox/計画.md")
        call("delete_note", filePath="inbox/計画.md")
        assert (served.vault / ".trash/inbox/計画.md").exists()
        _all_called(client, called)


def test_cli_anything_obsidian(served: Served) -> None:
    program = python_client("cli-anything-obsidian-1.1.1", "cli-anything-obsidian==1.1.1") / "cli-anything-obsidian"

    def run(*words: str) -> Any:
        command = [str(program), "--json", "--host", served.url, *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **served.env()}, timeout=60)
        try:
            return json.loads(done.stdout)
        except ValueError:
            return done.stdout + done.stderr

    assert run("server", "status")["authenticated"] is True
    assert "References/" in run("vault", "list")["files"]
    assert "Kyoto.md" in run("vault", "list", "References")["files"]
    run("vault", "create", "inbox/c.md", "--content", "one\n")
    assert served.read("inbox/c.md") == "one\n"
    run("vault", "update", "inbox/c.md", "--content", "two\n")
    assert run("vault", "read", "inbox/c.md")["content"] == "two\n"
    run("vault", "append", "inbox/c.md", "--content", "three\n")
    run("vault", "append", "inbox/c.md", "--content", "zero\n", "--position", "beginning")
    assert served.read("inbox/c.md") == "zero\ntwo\nthree\n"
    assert any(hit["filename"] == NOTE for hit in run("search", "simple", "Kyoto"))
    assert "inbox/c.md" in json.dumps(run("search", "query", '{"glob": ["inbox/*", {"var": "path"}]}', "--type", "jsonlogic"))
    assert NOTE in json.dumps(run("search", "query", "TABLE file.mtime"))
    run("note", "open", "inbox/c.md")  # its bug: PUT /active/ with the path as text
    before = served.read(NOTE)
    run("note", "open", NOTE)
    assert served.read("inbox/c.md") == "zero\ntwo\nthree\n"
    assert served.read(NOTE) == before
    assert run("note", "active")["content"] == before
    assert any(command["id"] == "vaultkit:sync" for command in run("command", "list")["commands"])
    run("command", "execute", "vaultkit:daily-note")
    assert (served.vault / f"Daily/{date.today().isoformat()}.md").exists()
    run("vault", "delete", "inbox/c.md")
    assert (served.vault / ".trash/inbox/c.md").exists()
