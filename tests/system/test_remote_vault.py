"""A vault that is somewhere else: the program over the API alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import rest
from tests.support.program import Program


@pytest.fixture
def remote(vk: Program, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = vk.home / "elsewhere"
    rest.write(
        folder,
        {
            "certs.md": "# Certificates\n\nRenew before the holidays. See [[vpn]].\n",
            "deep/vpn.md": "---\ntitle: VPN\n---\nThe gateway in Osaka\n",
            "trackers/tls.md": '---\naction_items:\n  - "Renew the certificate 📅 2026-12-01 🆔 abc123"\n---\n',
        },
    )
    with rest.listening(folder, tls=True) as url:
        monkeypatch.setenv("VAULTKIT_VAULT", url)
        monkeypatch.setenv("VAULTKIT_OBSIDIAN_KEY", rest.KEY)
        yield folder


def test_it_is_synced_searched_captured_into_and_warned_about(vk: Program, remote: Path) -> None:
    first = vk("sync", "--json", vault=False)
    assert first.code == 0, first
    assert first.json["notes"] == 3
    assert "pinned" in first.err
    again = vk("sync", "--json", vault=False)
    assert (again.json["changed"], again.json["removed"]) == (0, 0)
    assert "pinned" not in again.err
    found = vk("--json", "search", "gateway", vault=False)
    assert found.code == 0, found
    assert [hit["path"] for hit in found.json["hits"]] == ["deep/vpn.md"]
    due = vk("--json", "--today", "2026-11-30", "lookahead", vault=False)
    assert due.code == 1
    assert [item["id"] for item in due.json["items"]] == ["abc123"]
    made = vk("--json", "capture", "--as", "work", "Send the slides to Priya by 2026-12-04", vault=False)
    assert made.code == 0, made
    assert "slides" in (remote / made.json["path"]).read_text()
    (remote / "certs.md").write_text("# Certificates\n\nentirely rewritten elsewhere\n")
    assert vk("--json", "sync", vault=False).json["changed"] == 1
    patched = vk("note", "patch", "certs", "--heading", "Certificates", "--", "from afar", vault=False)
    assert patched.code == 0, patched
    assert (remote / "certs.md").read_text().endswith("elsewhere\n\nfrom afar\n")
    assert vk("--json", "backlinks", "vpn", vault=False).code == 0


def test_status_names_the_pinned_certificate_and_trust_takes_a_new_one(vk: Program, remote: Path) -> None:
    found = vk("--json", "obsidian", "status", vault=False)
    assert found.code == 0, found
    assert found.json["state"] == "running"
    assert len(found.json["certificate"].split(":")) == 32
    state = next((vk.home / "XDG_STATE_HOME").rglob("obsidian.pem"))
    state.write_text("-----BEGIN CERTIFICATE-----\nbroken\n-----END CERTIFICATE-----\n")
    refused = vk("sync", vault=False)
    assert refused.code == 6
    assert "certificate" in refused.err
    assert vk("obsidian", "trust", vault=False).code == 0
    assert vk("sync", vault=False).code == 0


def test_without_its_key_or_with_a_wrong_one_it_says_what_to_do(vk: Program, remote: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VAULTKIT_OBSIDIAN_KEY", "0123456789abcdef")
    wrong = vk("--json", "sync", vault=False)
    assert wrong.code == 6
    assert "key" in wrong.json["error"]["message"]
    assert "0123456789abcdef" not in wrong.out + wrong.err
    monkeypatch.delenv("VAULTKIT_OBSIDIAN_KEY")
    assert vk("--json", "sync", vault=False).code == 2
    shown = vk("--json", "config", vault=False)
    assert rest.KEY not in shown.out


def test_undo_says_that_it_has_nothing_to_go_by(vk: Program, remote: Path) -> None:
    assert vk("undo", vault=False).code == 5
