"""`vaultkit mcp` as a process of its own, and mounted as streamable HTTP."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client

from tests.support.clients import opener, outside
from tests.support.program import Program
from vaultkit.mcp import Vault, server


def test_a_client_over_pipes_gets_the_vault_that_was_named(vk: Program) -> None:
    vk.write("背景色.md", "---\ntitle: サムネイルの背景色\n---\n薄い灰色\n")

    async def work(client: Client) -> tuple[list[str], Any, Any]:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        read = await client.call_tool("read_note", {"note": "背景色"})
        captured = await client.call_tool("capture", {"text": "請求書を金曜までに送る"})
        return tools, read.structured_content, captured.structured_content

    tools, read, captured = outside(vk.vault, work)
    assert "read_note" in tools
    assert "薄い灰色" in read["text"]
    assert captured["action_items"][0]["due"] == "2026-12-04"
    assert vk.json("history")[0]["command"] == "capture"
    session = vk.json("history")[0]["session"]
    assert session.startswith("mcp-")
    assert vk.ok("undo", "--session", session)
    assert not (vk.vault / captured["path"]).exists()


def test_nothing_but_the_protocol_stands_on_standard_output(vk: Program) -> None:
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
    }
    lines = [hello, {"jsonrpc": "2.0", "method": "notifications/initialized"}]
    lines += [{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "graph", "arguments": {}}}]
    stdin = b"".join(json.dumps(line).encode() + b"\n" for line in lines) + b"no json at all\n\xff\xfe\n"
    done = vk.process("mcp", stdin=stdin)
    assert done.returncode == 0, done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert {answer.get("id") for answer in answers} >= {1}
    assert all(answer["jsonrpc"] == "2.0" for answer in answers)
    assert next(answer for answer in answers if answer.get("id") == 1)["result"]["serverInfo"]["name"] == "vaultkit"


def test_the_folder_that_a_client_works_in_is_no_vault(vk: Program, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    (clone / ".obsidian").mkdir(parents=True)
    command = [sys.executable, "-m", "vaultkit", "mcp"]
    done = subprocess.run(command, cwd=clone, input=b"", capture_output=True, check=False, timeout=60, env=os.environ.copy())
    assert done.returncode == 2
    assert b"which vault?" in done.stderr
    assert done.stdout == b""
    env = {**os.environ, "VAULTKIT_VAULT": str(vk.vault)}
    assert subprocess.run(command, cwd=clone, input=b"", capture_output=True, check=False, timeout=60, env=env).returncode == 0


def test_a_vault_that_is_not_there_is_told_at_once(program: Program) -> None:
    done = program.process("mcp")
    assert done.returncode == 3
    assert b"no folder" in done.stderr


@pytest.mark.parametrize("missing", ["mcp", "mcp.server.mcpserver"])
def test_without_the_extra_the_way_to_install_it_is_told(vk: Program, monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    for name in list(sys.modules):
        if name.split(".")[0] == "mcp" or name.startswith("vaultkit.mcp"):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    done = vk("mcp")
    assert done.code == 6
    assert "vaultkit[mcp]" in done.err


def test_the_program_without_mcp_never_imports_the_sdk(vk: Program) -> None:
    code = "import sys; from vaultkit.cli import main\ntry: main(sys.argv[1:])\nexcept SystemExit: pass\nassert 'mcp' not in sys.modules and 'pydantic' not in sys.modules"
    command = [sys.executable, "-c", code, "--vault", str(vk.vault)]
    assert subprocess.run([*command, "capture", "--", "one line"], capture_output=True, check=False, timeout=60).returncode == 0
    assert subprocess.run([*command, "--help"], capture_output=True, check=False, timeout=60).returncode == 0


def test_another_server_can_mount_it_as_streamable_http(vk: Program) -> None:
    import httpx
    from mcp.server.transport_security import TransportSecuritySettings
    from starlette.applications import Starlette
    from starlette.routing import Mount

    vault = Vault(opener(vk.vault))
    made = server(vault)
    inner = made.streamable_http_app(
        streamable_http_path="/",
        stateless_http=True,
        json_response=True,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),  # the mounting server's matter
    )
    app = Starlette(routes=[Mount("/mcp", app=inner)], lifespan=lambda _: made.session_manager.run())

    async def main() -> Any:
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://vault") as client,
        ):
            head = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18"}
            call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "read_note", "arguments": {"note": "home"}}}
            return (await client.post("/mcp/", json=call, headers=head)).json()

    try:
        answer = anyio.run(main)
    finally:
        vault.close()
    assert answer["result"]["structuredContent"]["path"] == "home.md"
