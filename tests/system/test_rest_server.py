"""`vaultkit serve` on a real socket."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from tests.support.rest import KEY, home, listening, write


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home(tmp_path / "home", monkeypatch.setenv)
    vault = tmp_path / "vault"
    write(vault, {"A.md": "# A\n\nsee [[B]]\n", "B.md": "# B\n"})
    return vault


def test_a_note_is_written_read_appended_and_trashed_over_http(vault: Path) -> None:
    with listening(vault) as url, httpx.Client(base_url=url, headers={"Authorization": f"Bearer {KEY}"}) as client:
        assert client.get("/").json()["authenticated"] is True
        assert client.get("/vault/").json() == {"files": ["A.md", "B.md"]}
        assert client.put("/vault/New/C.md", content="one\n", headers={"Content-Type": "text/markdown"}).status_code == 204
        assert client.post("/vault/New/C.md", content="two\n", headers={"Content-Type": "text/markdown"}).status_code == 204
        read = client.get("/vault/New/C.md")
        assert (read.text, read.headers["content-type"]) == ("one\ntwo\n", "text/markdown; charset=utf-8")
        head = client.head("/vault/New/C.md")
        assert (head.headers["content-length"], head.content) == ("8", b"")
        assert client.delete("/vault/New/C.md").status_code == 204
        assert client.get("/vault/New/C.md").status_code == 404
    assert (vault / ".trash/New/C.md").read_text() == "one\ntwo\n"


def test_without_the_key_nothing_is_read_or_written(vault: Path) -> None:
    with listening(vault) as url, httpx.Client(base_url=url) as client:
        assert client.get("/").json()["authenticated"] is False
        for method, headers in (("GET", {}), ("PUT", {"Authorization": "Bearer wrong"}), ("DELETE", {"Authorization": f"bearer {KEY}"})):
            answer = client.request(method, "/vault/A.md", headers=headers)
            assert (answer.status_code, answer.json()["errorCode"]) == (401, 40101)
    assert (vault / "A.md").read_text().startswith("# A")


def test_mcp_is_served_over_http_with_the_key_only(vault: Path) -> None:
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
    }
    kinds = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    with listening(vault) as url, httpx.Client(base_url=url, headers=kinds) as client:
        refused = client.post("/mcp/", json=hello)
        assert (refused.status_code, refused.json()["errorCode"]) == (401, 40101)
        client.headers["Authorization"] = f"Bearer {KEY}"
        assert client.post("/mcp/", json=hello, headers={"Host": "evil.example"}).status_code == 403
        assert client.post("/mcp/", json=hello, headers={"Origin": "https://evil.example"}).status_code == 403
        greeted = client.post("/mcp/", json=hello)
        assert greeted.status_code == 200, greeted.text
        assert '"name":"vaultkit"' in greeted.text
        client.headers["Mcp-Session-Id"] = greeted.headers["mcp-session-id"]
        client.post("/mcp/", json={"jsonrpc": "2.0", "method": "notifications/initialized"})
        tools = client.post("/mcp/", json={"jsonrpc": "2.0", "id": 2, "method": "tools/list"})
        assert "read_note" in tools.text
        unknown = client.post("/mcp/", json={"jsonrpc": "2.0", "id": 3, "method": "tools/list"}, headers={"Mcp-Session-Id": "nope"})
        assert unknown.status_code == 404
