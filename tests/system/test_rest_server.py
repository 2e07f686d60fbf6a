"""`vaultkit serve` on a real socket."""

from __future__ import annotations

import json
import signal
import socket
import ssl
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.support.crowd import crowd
from tests.support.program import Program
from tests.support.rest import KEY, home, listening, write
from vaultkit.app import open_app
from vaultkit.rest.keys import choose_certificate, choose_keys, plugin_port


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


def test_many_clients_at_once_lose_no_update(vault: Path) -> None:
    write(vault, {**{f"shared-{at}.md": "" for at in range(4)}, "props.md": "---\nx: 1\n---\n"})
    with listening(vault) as url:
        statuses = crowd(url, vault, clients=32, seconds=3)
    assert set(statuses) <= {200, 204}


def test_a_body_that_is_too_large_or_a_line_that_is_too_long_is_refused(vault: Path) -> None:
    with listening(vault, max_body=1000) as url, httpx.Client(base_url=url, headers={"Authorization": f"Bearer {KEY}"}) as client:
        assert client.put("/vault/big.md", content=b"x" * 1001).json()["errorCode"] == 41300
        chunks = (b"x" * 600 for _ in range(2))
        assert client.put("/vault/big.md", content=chunks).json()["errorCode"] == 41300
        assert client.get("/vault/" + "x" * 17_000).json()["errorCode"] == 41400
    assert not (vault / "big.md").exists()


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 403),
        ({"Host": "127.0.0.1.evil.example"}, 403),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Host": "localhost"}, 200),
        ({"Origin": "app://obsidian.md"}, 200),
        ({"Origin": "http://localhost:3000"}, 200),
    ],
)
def test_a_rebound_name_and_a_foreign_page_are_refused(vault: Path, headers: dict[str, str], status: int) -> None:
    with listening(vault) as url:
        answer = httpx.get(f"{url}/vault/A.md", headers={"Authorization": f"Bearer {KEY}", **headers})
    assert answer.status_code == status


def test_https_with_a_certificate_that_a_client_can_pin(vault: Path, tmp_path: Path) -> None:
    with listening(vault, tls=True) as url:
        pem = httpx.get(f"{url}/obsidian-local-rest-api.crt", verify=False).content
        (tmp_path / "pinned.pem").write_bytes(pem)
        context = ssl.create_default_context(cafile=str(tmp_path / "pinned.pem"))
        with httpx.Client(base_url=url, verify=context, headers={"Authorization": f"Bearer {KEY}"}) as client:
            assert client.get("/").json()["certificateInfo"]["validityDays"] > 300
    keys = list((tmp_path / "home").rglob("key.pem"))
    assert [oct(key.stat().st_mode & 0o777) for key in keys] == ["0o600"]


def test_the_plugins_own_key_certificate_and_port_are_used(vault: Path, tmp_path: Path) -> None:
    with open_app(root=vault) as app:
        made = choose_certificate(app, ["127.0.0.1"], now=app.clock())
    theirs = {"apiKey": "ab" * 32, "insecurePort": 27999, "crypto": {"cert": made.pem.decode(), "privateKey": made.key_file.read_text()}}
    write(vault, {".obsidian/plugins/obsidian-local-rest-api/data.json": json.dumps(theirs)})
    with open_app(root=vault) as app:
        assert choose_keys(app, None) == ("ab" * 32, "Authorization", "the plugin's settings")
        assert choose_certificate(app, ["127.0.0.1"], now=app.clock()).pem == made.pem
        assert plugin_port(app, tls=False) == 27999


def test_the_command_serves_until_it_is_told_to_stop_and_keeps_the_key_to_itself(vk: Program) -> None:
    key = vk.ok("serve", "--print-key").out.strip()
    assert len(key) == 64
    assert vk.ok("serve", "--print-key").out.strip() == key
    command = [sys.executable, "-m", "vaultkit", "--vault", str(vk.vault), "serve", "--json", "--port", "0", "--log"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        told = json.loads(process.stdout.readline())
        assert httpx.get(f"{told['url']}/vault/", headers={"Authorization": f"Bearer {key}"}).status_code == 200
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
        log = process.stderr.read().decode()
    assert "GET /vault/ 200" in log
    assert key not in log + json.dumps(told)


def test_an_address_in_the_open_or_a_port_in_use_is_a_clear_error(vk: Program) -> None:
    done = vk("serve", "--host", "0.0.0.0")
    assert (done.code, "--tls" in done.err) == (2, True)
    assert vk("serve", "--key", "short").code == 2
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = vk("serve", "--port", str(taken.getsockname()[1]))
    assert (done.code, "--port" in done.err) == (6, True)
