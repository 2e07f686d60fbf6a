"""Obsidian's API from our side: where it is found, what goes through it, and what each way of failing says."""

from __future__ import annotations

import logging
import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support import rest
from tests.support.obsidian import KEY, Obsidian, running
from vaultkit.app import App, live, open_app
from vaultkit.errors import ConfigError, NoteChangedError, ObsidianError, PatchError, RefusedError, UsageError
from vaultkit.operations import notes
from vaultkit.operations import obsidian as operations
from vaultkit.store.obsidian import Client, discover, remote
from vaultkit.store.obsidian.client import fetch_certificate
from vaultkit.text.edit import Create, Edit, Rewrite, hash_of
from vaultkit.text.patch import Patch1

OLD = time.time() - 86_400


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    rest.home(tmp_path / "home", monkeypatch.setenv)
    for name in [name for name in os.environ if name.startswith("VAULTKIT_")]:
        monkeypatch.delenv(name)
    folder = tmp_path / "vault"
    rest.write(folder, {"front.md": "# Front\n\nsaved\n", "old.md": "# Old\n\nx\n"})
    for path in ("front.md", "old.md"):
        os.utime(folder / path, (OLD, OLD))
    return folder


@pytest.fixture
def obsidian(vault: Path) -> Iterator[Obsidian]:
    with running(vault) as app:
        app.active = "front.md"
        yield app


@pytest.fixture
def app(obsidian: Obsidian) -> Iterator[App]:
    with open_app(root=obsidian.folder) as opened:
        opened.sync()
        yield opened


# ── where it is ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("settings", "url"),
    [
        ({"apiKey": "k" * 16}, "https://127.0.0.1:27124"),
        ({"apiKey": "k" * 16, "port": 4000, "bindingHost": "0.0.0.0"}, "https://127.0.0.1:4000"),
        ({"apiKey": "k" * 16, "bindingHost": "192.168.1.5"}, "https://192.168.1.5:27124"),
        ({"apiKey": "k" * 16, "bindingHost": "::1"}, "https://[::1]:27124"),
        ({"apiKey": "k" * 16, "enableSecureServer": False, "enableInsecureServer": True}, "http://127.0.0.1:27123"),
        ({"apiKey": "k" * 16, "port": "no"}, "https://127.0.0.1:27124"),
        ({"apiKey": "k" * 16, "enableSecureServer": False}, ""),
        ({}, ""),
        ({"apiKey": 5}, ""),
    ],
)
def test_the_address_is_the_one_of_the_plugins_settings(settings: dict[str, Any], url: str) -> None:
    found = discover(settings)
    assert (found.url if found else "") == url


def test_the_keys_header_and_certificate_are_found_too() -> None:
    found = discover({"apiKey": "k" * 16, "authorizationHeaderName": "X-Key", "crypto": {"cert": "PEM"}})
    assert found is not None
    assert (found.key, found.header, found.pem) == ("k" * 16, "X-Key", "PEM")
    assert "k" * 16 not in repr(found)


@pytest.mark.parametrize("url", ["ftp://x", "https://u:p@x", "https://x/path", "https://", "x"])
def test_an_address_that_is_none_is_an_error(url: str) -> None:
    with pytest.raises(ConfigError):
        remote(url, "key")


def test_a_key_is_never_sent_in_the_clear_to_another_machine() -> None:
    with pytest.raises(RefusedError):
        remote("http://192.168.1.5:27123", "key")
    with pytest.raises(ConfigError):
        remote("https://192.168.1.5:27124", "")
    assert remote("http://localhost:27123/", "key").url == "http://localhost:27123"


# ── how it fails ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _state(client: Client) -> str:
    with pytest.raises(ObsidianError) as caught:
        client.greet()
    assert caught.value.hint
    assert KEY not in str(caught.value)
    return caught.value.state


def test_each_way_of_not_working_has_its_name(obsidian: Obsidian) -> None:
    with Client(remote(obsidian.url, "not the key")) as client:
        assert _state(client) == "wrong-key"
    obsidian.plugin = "2.5.4"
    with Client(remote(obsidian.url, KEY)) as client:
        assert _state(client) == "too-old"
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with Client(remote(url, KEY), timeout=0.2) as client:
            assert _state(client) == "timeout"
        with Client(remote(url.replace("http:", "https:"), KEY), timeout=0.2) as client:
            assert _state(client) == "timeout"
    with Client(remote(url, KEY)) as client:
        assert _state(client) == "not-running"
    with Client(remote(obsidian.url.replace("http:", "https:"), KEY)) as client:
        assert _state(client) == "tls"


def test_what_is_no_such_api_is_said_so(obsidian: Obsidian) -> None:
    obsidian.plugin = ""
    obsidian.status = 500
    with Client(remote(obsidian.url, KEY)) as client, pytest.raises(ObsidianError) as caught:
        client.greet()
    assert caught.value.state == "failed"


def test_the_certificate_is_pinned(vault: Path) -> None:
    with rest.listening(vault, tls=True) as url:
        pem = fetch_certificate(remote(url, rest.KEY))
        with Client(remote(url, rest.KEY, pem=pem)) as client:
            assert client.greet().server.startswith("vaultkit")
        with Client(remote(url, rest.KEY)) as client, pytest.raises(ObsidianError, match="no certificate is known") as caught:
            client.greet()
        assert caught.value.state == "tls"
        other = _another_certificate(vault.parent / "other")
        with Client(remote(url, rest.KEY, pem=other)) as client:
            assert _state(client) == "tls"


def _another_certificate(folder: Path) -> str:
    folder.mkdir()
    with rest.listening(folder, tls=True) as url:
        return fetch_certificate(remote(url, rest.KEY))


def test_a_server_that_never_shakes_hands_is_told_with_the_limit_that_it_met(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vaultkit.store.obsidian.client._CONNECT_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent, Client(remote(f"https://127.0.0.1:{silent.getsockname()[1]}", KEY)) as client:
        with pytest.raises(ObsidianError, match=r"within 0\.2 s") as caught:
            client.greet()
        assert caught.value.state == "timeout"


def test_only_reads_are_sent_again_when_the_connection_breaks(obsidian: Obsidian, monkeypatch: pytest.MonkeyPatch) -> None:
    import httpx

    with Client(remote(obsidian.url, KEY)) as client:
        client.greet()
        sent: list[str] = []
        real = httpx.Client.request

        def breaking(self: httpx.Client, method: str, url: str, **more: Any) -> httpx.Response:
            sent.append(method)
            if len(sent) % 2:
                raise httpx.RemoteProtocolError("closed")
            return real(self, method, url, **more)

        monkeypatch.setattr(httpx.Client, "request", breaking)
        assert client.read("old.md") == b"# Old\n\nx\n"
        assert sent == ["GET", "GET"]
        with pytest.raises(ObsidianError):
            client.append("old.md", b"more\n")
        assert sent == ["GET", "GET", "POST"]


def test_the_key_is_in_no_log(obsidian: Obsidian, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with Client(remote(obsidian.url, KEY)) as client:
        client.greet()
        client.read("old.md")
    assert KEY not in caplog.text


# ── dialects ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_header_patch_always_names_its_version_and_all_its_flags(vault: Path) -> None:
    for api in ("compat", "3", "4", "5"):
        with rest.listening(vault, api=api) as url, Client(remote(url, rest.KEY)) as client:
            note = client.patch1("old.md", Patch1("append", "heading", ["Old"], f"{api} — ö\n"))
            assert note.decode().endswith(f"{api} — ö\n")
            with pytest.raises(PatchError, match="invalid-target") as caught:
                client.patch1("old.md", Patch1("append", "heading", ["Ölt"], "x"))
            assert caught.value.rest_code == 40080


def test_the_json_dialect_is_only_spoken_to_who_knows_it(obsidian: Obsidian) -> None:
    instruction = {"targetType": "heading", "target": ["Old"], "operation": "append", "content": "x"}
    with Client(remote(obsidian.url, KEY)) as client:
        assert client.patch2("old.md", instruction) == b"# Old\n\nx\n\nx\n"
    obsidian.plugin = "4.1.7"
    with Client(remote(obsidian.url, KEY)) as client, pytest.raises(UsageError):
        client.patch2("old.md", instruction)


# ── what goes through it ─────────────────────────────────────────────────────────────────────────────────────────────


def test_the_note_in_front_is_written_by_obsidian_and_others_by_us(app: App, obsidian: Obsidian) -> None:
    notes.append(app, "front", "added")
    assert obsidian.writes() == [("POST", "/vault/front.md")]
    assert (app.root / "front.md").read_bytes() == b"# Front\n\nsaved\nadded\n"
    notes.append(app, "old", "added")
    assert len(obsidian.writes()) == 1
    assert (app.root / "old.md").read_bytes() == b"# Old\n\nx\nadded\n"


def test_a_note_that_was_just_changed_counts_as_being_edited(app: App, obsidian: Obsidian) -> None:
    obsidian.active = ""
    os.utime(app.root / "old.md")
    app.sync()
    notes.append(app, "old", "added")
    assert obsidian.writes() == [("POST", "/vault/old.md")]


def test_words_that_are_not_saved_yet_are_kept(app: App, obsidian: Obsidian) -> None:
    obsidian.typed["front.md"] = b"# Front\n\nsaved\ntyped just now\n"
    notes.append(app, "front", "added")
    assert (app.root / "front.md").read_bytes() == b"# Front\n\nsaved\ntyped just now\nadded\n"


def test_a_change_inside_words_that_are_not_saved_yet_is_refused(app: App, obsidian: Obsidian) -> None:
    obsidian.typed["front.md"] = b"# Front\n\nsaved\ntyped just now\n"
    edit = Rewrite("front.md", b"# Front\n\nother\n", hash_of(b"# Front\n\nsaved\n"))
    with pytest.raises(NoteChangedError):
        app.commit([edit], command="test")
    assert obsidian.read("front.md") == b"# Front\n\nsaved\ntyped just now\n"
    assert obsidian.writes() == []


@pytest.mark.parametrize("plugin", ["5.1.0", "4.1.7"])
@pytest.mark.parametrize("new", [b"# Front\n\nother\n", b"---\nk: v\n---\n# Front\n\nsaved\n", b"all new"])
def test_a_change_arrives_exactly_and_can_be_undone(app: App, obsidian: Obsidian, new: bytes, plugin: str) -> None:
    obsidian.plugin = plugin
    app.commit([Rewrite("front.md", new, hash_of(b"# Front\n\nsaved\n"))], command="test")
    assert (app.root / "front.md").read_bytes() == new
    assert {call[0] for call in obsidian.writes()} <= {"PATCH", "PUT"}
    if plugin < "5":
        assert {call[0] for call in obsidian.writes()} == {"PUT"}
    run = app.files.runs()[0]
    assert run.command == "test (through Obsidian)"
    app.files.undo(run=run.id, now=app.clock())
    assert (app.root / "front.md").read_bytes() == b"# Front\n\nsaved\n"


def test_a_batch_stands_or_falls_as_one(app: App, obsidian: Obsidian) -> None:
    obsidian.typed["front.md"] = b"typed\n"
    edits: list[Edit] = [Create("new.md", b"x"), Rewrite("front.md", b"# Front\n\nother\n", hash_of(b"# Front\n\nsaved\n"))]
    with pytest.raises(NoteChangedError):
        app.commit(edits, command="test")
    assert not (app.root / "new.md").exists()
    obsidian.typed.clear()
    app.commit(edits, command="test")
    assert (app.root / "new.md").exists()
    assert (app.root / "front.md").read_bytes() == b"# Front\n\nother\n"


def test_without_obsidian_or_by_the_setting_the_files_are_written(vault: Path) -> None:
    with running(vault) as app:
        app.active = "front.md"
        with open_app(root=vault, flags={"backend": "files"}) as opened:
            notes.append(opened, "front", "one")
        assert app.writes() == []
    with open_app(root=vault) as opened:
        notes.append(opened, "front", "two")
        assert live.connection(opened).look.state == "not-running"
    assert (vault / "front.md").read_text() == "# Front\n\nsaved\none\ntwo\n"
    with open_app(root=vault, flags={"backend": "obsidian"}) as opened, pytest.raises(ObsidianError) as caught:
        notes.append(opened, "front", "three")
    assert caught.value.state == "not-running"


def test_our_own_server_is_not_taken_for_obsidian(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with rest.listening(vault) as url:
        monkeypatch.setenv("VAULTKIT_OBSIDIAN_URL", url)
        monkeypatch.setenv("VAULTKIT_OBSIDIAN_KEY", rest.KEY)
        with open_app(root=vault) as opened:
            found = operations.status(opened)
    assert found.state == "headless"
    assert found.through == ()


def test_a_note_is_opened_by_the_running_app(app: App, obsidian: Obsidian) -> None:
    assert notes.open_note(app, "old").by == "the running Obsidian"
    assert obsidian.opened == ["old.md"]


def test_status_says_what_was_found_and_what_goes_through_it(app: App, obsidian: Obsidian) -> None:
    found = operations.status(app)
    assert (found.state, found.plugin, found.obsidian, found.active) == ("running", "5.1.0", "1.13.1", "front.md")
    assert any("minutes" in way for way in found.through)
    assert KEY not in repr(found)
    assert operations.client(app).commands() == {"app:reload": "Reload"}
    operations.client(app).run("app:reload")
    assert ("POST", "/commands/app:reload/") in obsidian.calls
