"""The founding story and the main job, through the real command line."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from tests.support.pages import Page, serve
from tests.support.program import TODAY, Program

DAY = ("--today", TODAY)

HIDDEN = """---
date: 2026-11-30
---

# api.example.com

The TLS certificate expires on December 29. Nobody noticed last time.
"""


def test_a_deadline_in_prose_is_named_placed_and_warned_about(vk: Program) -> None:
    vk.write("api.md", HIDDEN)
    before = vk("lookahead", *DAY)
    assert 'api.md:7  "expires on December 29" = Tue 2026-12-29' in before.out
    linted = vk("lint")
    assert linted.code == 1
    assert "api.md:7  prose-date" in linted.out

    assert vk("lint", "--fix", "--dry-run").code == 1
    assert vk.read("api.md") == HIDDEN
    assert vk("lint", "--fix").code == 0
    fixed = vk.read("api.md")
    assert "trackers:\n  - " in fixed
    assert "📅 2026-12-29 🆔 " in fixed
    assert fixed.endswith(HIDDEN.partition("---\n\n")[2])
    assert vk("lint", "--fix").code == 0
    assert vk.read("api.md") == fixed

    assert vk.json("lookahead", "--today", "2026-12-21", "--level", "week") == vk.json(
        "lookahead", "--today", "2026-12-21", "--level", "week"
    )
    assert vk("lookahead", "--today", "2026-12-21").code == 0
    warned = vk.json("lookahead", "--today", "2026-12-22", code=1)
    assert [(item["due"], item["tier"], item["field"], item["path"]) for item in warned["items"]] == [
        ("2026-12-29", "week", "trackers", "api.md")
    ]
    assert warned["prose_dates"] == []


def test_the_main_job_capture_search_lookahead_undo(vk: Program) -> None:
    receipt = vk.json("capture", *DAY, "Send the slides to Priya 17:00 by Friday")
    assert set(receipt) == {
        "path", "title", "description", "type", "scope", "confidence", "themes", "action_items", "trackers", "unplaced", "daily", "similar",
    }  # fmt: skip
    assert receipt["action_items"][0] | {"id": ""} == receipt["action_items"][0] | {"id": "", "due": "2026-12-04", "time": "17:00"}
    note = vk.read(receipt["path"])
    assert "Send the slides to Priya 17:00 by Friday" in note
    assert "due: 2026-12-04\n" in note
    assert f"[[{Path(receipt['path']).stem}|" in vk.read("daily/2026-11-30.md")
    assert vk.json("search", "slides")["hits"][0]["path"] == receipt["path"]
    look = vk.json("lookahead", *DAY, code=1)
    assert (look["version"], look["today"], look["items"][0]["tier"], look["items"][0]["time"]) == (1, "2026-11-30", "week", "17:00")
    identity = look["items"][0]["id"]
    vk.ok("lookahead", "done", identity, *DAY)
    assert "✅ 2026-11-30" in vk.read(receipt["path"])
    assert vk("lookahead", *DAY).code == 0
    vk.ok("undo")
    assert vk.read(receipt["path"]) == note
    vk.ok("undo")
    assert not (vk.vault / receipt["path"]).exists()
    assert not (vk.vault / "daily/2026-11-30.md").exists()


@pytest.mark.parametrize(
    "raw",
    [
        "plain",
        "  spaces  kept \t ",
        "日本語の一行、締切は金曜",
        "a\r\nb\r\n",
        "--- \ntitle: x\n---\nbody",
        "```\nopen fence",
        "%% open comment",
        "ends without newline",
        "\x00 nul",
        "🚀 launch",
    ],
)
def test_the_captured_text_is_kept_byte_for_byte(vk: Program, raw: str) -> None:
    done = vk.process("--json", "capture", "-", stdin=raw.encode())
    assert done.returncode == 0, done.stderr
    import json

    path = json.loads(done.stdout)["path"]
    assert raw.encode() in (vk.vault / path).read_bytes()


def test_bytes_that_are_no_utf8_are_kept_too(vk: Program) -> None:
    raw = b"caf\xe9 and \xff\xfe by Friday"
    done = vk.process("--json", "capture", "-", stdin=raw)
    assert done.returncode == 0, done.stderr
    assert any(raw in path.read_bytes() for path in (vk.vault / "inbox").glob("*.md"))


def test_the_same_line_twice_is_stored_twice_and_said(vk: Program) -> None:
    first = vk.json("capture", *DAY, "call the plumber tomorrow")
    second = vk.json("capture", *DAY, "call the plumber tomorrow")
    assert first["similar"] == []
    assert second["similar"] == [{"path": first["path"], "score": 1.0}]
    assert second["path"] != first["path"]
    ids = [item["id"] for receipt in (first, second) for item in receipt["action_items"]]
    assert len(set(ids)) == 2


def test_a_page_is_fetched_and_its_dates_are_no_deadlines(vk: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    body = (
        "<html><head><title>On renewals</title></head><body><article><h1>On renewals</h1>"
        + "<p>The offer ends on December 24, they said, again and again.</p>" * 20
        + "</article></body></html>"
    )
    with serve({"/a": Page(body.encode())}) as site:
        monkeypatch.setenv("VAULTKIT_FETCH_ALLOW", site.host)
        receipt = vk.json("capture", *DAY, f"{site.url}/a")
    note = vk.read(receipt["path"])
    assert receipt["title"] == "On renewals"
    assert receipt["action_items"] == receipt["trackers"] == []
    assert f"source: {site.url}/a" in note
    assert "# On renewals" in note
    assert vk("lookahead", *DAY).code == 0
    assert vk("lint").code == 0


def test_a_page_that_cannot_be_read_becomes_a_stub_and_says_why(vk: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve({"/wall": Page(b"pay", status=402)}) as site:
        monkeypatch.setenv("VAULTKIT_FETCH_ALLOW", site.host)
        done = vk("capture", *DAY, f"{site.url}/wall")
    assert done.code == 0
    assert "asks for payment" in done.out
    note = next((vk.vault / "inbox").glob("*.md")).read_text()
    assert "  - unread\n" in note
    assert "status: active\n" in note


@pytest.mark.parametrize("url", ["file:///etc/passwd", "http://127.0.0.1/", "http://user:pw@example.com/", "http://2130706433/"])
def test_an_unsafe_address_is_refused_and_nothing_is_written(vk: Program, url: str) -> None:
    done = vk.json("capture", url, code=5)
    assert done["error"]["code"] == "unsafe-url"
    assert list((vk.vault / "inbox").glob("*.md")) == []


def test_intake_waits_ten_quiet_minutes_and_changes_no_byte_of_the_text(vk: Program) -> None:
    text = "金曜まで\r\n見積書をPriyaに送る  \r\n"
    file = vk.write("inbox/phone note.md", text)
    assert "minutes ago" in vk.ok("intake").out
    assert file.read_bytes().decode() == text
    past = time.time() - 3600
    os.utime(file, (past, past))
    assert "would get" in vk.ok("intake", "--dry-run").out
    assert file.read_bytes().decode() == text
    vk.ok("intake")
    after = file.read_bytes().decode()
    assert after.endswith(text)
    assert "action_items:" in after
    assert "📅" in after
    assert vk.ok("intake").out.startswith("0 notes")
    vk.ok("undo")
    assert file.read_bytes().decode() == text


def test_capture_from_a_note_waits_for_nothing(vk: Program) -> None:
    file = vk.write("inbox/phone.md", "send the invoice by Friday\n")
    receipt = vk.json("capture", "--from", "phone", *DAY)
    assert receipt["path"] == "inbox/phone.md"
    assert len(receipt["action_items"]) == 1
    assert file.read_text().endswith("send the invoice by Friday\n")


def test_research_without_a_source_is_refused_and_kept(vk: Program) -> None:
    good = "# Which index?\n\n## Findings\n\n- tantivy is fast: https://example.org/bench\n- so says [[home]]\n"
    bad = "# Which index?\n\n## Findings\n\n- everybody knows it\n"
    file = vk.write("../good.md", good)
    saved = vk.json("research", "save", str(file))
    assert (saved["claims"], saved["sources"], saved["type"]) == (2, ["https://example.org/bench", "[[home]]"], "research")
    done = vk.process("--json", "research", "save", "-", stdin=bad.encode())
    assert done.returncode == 5
    kept = [path.read_text() for path in (vk.vault / "inbox").glob("*.md") if "everybody knows it" in path.read_text()]
    assert len(kept) == 1
    assert "status: proposed\n" in kept[0]


def test_two_captures_at_once_lose_nothing(vk: Program) -> None:
    import subprocess
    import sys

    command = [sys.executable, "-m", "vaultkit", "--vault", str(vk.vault), "capture", "--today", TODAY]
    running = [subprocess.Popen([*command, "same words by Friday"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for _ in range(6)]
    results = [(process.communicate()[1], process.returncode) for process in running]
    assert [code for _, code in results] == [0] * 6, results
    notes = list((vk.vault / "inbox").glob("*.md"))
    assert len(notes) == 6
    daily = vk.read("daily/2026-11-30.md")
    assert all(f"[[{note.stem}" in daily for note in notes)
    ids = [line.partition("🆔 ")[2][:6] for note in notes for line in note.read_text().splitlines() if line.startswith("- [ ]")]
    assert len(ids) == 6
