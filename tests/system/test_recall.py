"""Recall through the real command line: a digest, or nothing; muting; privacy; why."""

from __future__ import annotations

import pytest

from tests.support.program import Program


@pytest.fixture
def filled(vk: Program) -> Program:
    vk.write(
        "renew-certificates.md",
        "---\ntitle: Renewing the TLS certificate\ndescription: Run certbot on the load balancer, then reload nginx.\n---\n# Renewing\nSteps for certbot and nginx.\n",
    )
    vk.write(
        "背景色.md",
        "---\ntitle: サムネイルの背景色\ndescription: 背景色は薄い灰色に決めた。\n---\n背景色を変えるときはデザイン担当に聞く。\n",
    )
    vk.write("secret.md", "---\ntitle: Certificate passphrase\nprivate: true\n---\ncertbot passphrase certificate renewing\n")
    for number in range(40):
        vk.write(f"topics/topic-{number}.md", f"# Topic {number}\n\nOrdinary words about gardens, music and travel, number {number}.\n")
    return vk


def test_a_prompt_gets_one_line_a_note(filled: Program) -> None:
    found = filled.json("recall", "How do we renew the TLS certificate with certbot?")
    assert found["notes"][0]["path"] == "renew-certificates.md"
    assert found["served_by"] == "cli"
    lines = found["text"].split("\n")
    assert lines[0] == "<vault-memory>"
    assert lines[-1] == "</vault-memory>"
    assert lines[3] == "1|Renewing the TLS certificate|renew-certificates.md|Run certbot on the load balancer, then reload nginx."
    assert "passphrase" not in found["text"]
    assert filled.json("recall", "サムネイルの背景色は何色だった？")["notes"][0]["path"] == "背景色.md"


@pytest.mark.parametrize(
    "prompt", ["continue", "続けて", "merge it", "fix the failing test", "/compact", "y", "thanks!", "今日の天気はどう？"]
)
def test_a_prompt_about_nothing_gets_nothing(filled: Program, prompt: str) -> None:
    found = filled.json("recall", prompt)
    assert (found["text"], found["notes"], found["confidence"]) == ("", [], "none")
    assert filled.ok("recall", "--", prompt).out == ""


def test_a_session_is_not_shown_the_same_note_twice(filled: Program) -> None:
    prompt = "renew the TLS certificate"
    assert filled.json("recall", "--session", "s1", prompt)["notes"]
    assert filled.json("recall", "--session", "s1", prompt)["notes"] == []
    assert filled.json("recall", "--session", "s2", prompt)["notes"]


def test_a_muted_note_is_gone_from_the_next_prompt_on(filled: Program) -> None:
    prompt = "renew the TLS certificate"
    assert filled.json("recall", prompt)["notes"]
    filled.ok("recall", "mute", "renew-certificates")
    assert filled.json("recall", prompt)["notes"] == []
    assert 'never: ["renew-certificates.md"]' in filled.read("golden.yml")
    assert filled.json("recall", "mute", "renew-certificates")["already"] is True
    filled.ok("undo")
    assert filled.json("recall", prompt)["notes"]


def test_scopes_and_private_folders_hold(filled: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    filled.write("home/salary.md", "---\ntitle: Salary negotiation notes\nscope: personal\n---\nsalary negotiation\n")
    assert filled.json("recall", "salary negotiation notes")["notes"]
    monkeypatch.setenv("VAULTKIT_RECALL_SCOPES", '{ codex = ["work"] }')
    assert filled.json("recall", "--harness", "codex", "salary negotiation notes")["notes"] == []
    monkeypatch.delenv("VAULTKIT_RECALL_SCOPES")
    monkeypatch.setenv("VAULTKIT_PRIVATE_FOLDERS", "home")
    assert filled.json("recall", "salary negotiation notes")["notes"] == []


def test_why_tells_what_the_last_turn_got_and_keeps_no_prompt(filled: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    filled.ok("recall", "renew the TLS certificate")
    event = filled.json("why")
    assert event["notes"][0]["path"] == "renew-certificates.md"
    assert event["served_by"] == "cli"
    assert "prompt" not in event
    monkeypatch.setenv("VAULTKIT_RECORD_PROMPTS", "1")
    filled.ok("recall", "renew the TLS certificate now")
    assert filled.json("why")["prompt"] == "renew the TLS certificate now"
    assert filled("why", "nope").code == 3
