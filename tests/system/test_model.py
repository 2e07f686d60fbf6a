"""Capture with a text model: the real `ollama` client against a loopback stand-in (a fixture; no Ollama runs). What it says is checked."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.model_server import Failure, model_server
from tests.support.program import TODAY, Program

LINE = "Ask Priya for the load test numbers by Friday, the venue contract lapses when the year is over"


def capture(vk: Program, monkeypatch: pytest.MonkeyPatch, answer: Any, line: str = LINE) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    with model_server(lambda _: answer) as server:
        monkeypatch.setenv("VAULTKIT_TEXT_MODEL", "tiny")
        monkeypatch.setenv("VAULTKIT_OLLAMA_HOST", server.host)
        done = vk("capture", "--json", "--today", TODAY, line)
    assert done.code == 0, done
    return done.json, server.requests


def said(**more: Any) -> dict[str, Any]:
    return {
        "title": "Load test numbers from Priya",
        "description": "Priya's load test numbers, and the venue contract.",
        "scope": "work",
        "drop": [],
        "add": [],
        **more,
    }


def test_a_model_proposes_title_and_description(vk: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    receipt, requests = capture(vk, monkeypatch, said())
    assert receipt["title"] == "Load test numbers from Priya"
    assert receipt["description"] == "Priya's load test numbers, and the venue contract."
    assert receipt["path"].endswith("load-test-numbers-from-priya.md")
    assert LINE in vk.read(receipt["path"])
    assert requests[0]["messages"][0]["role"] == "system"
    assert [item["due"] for item in receipt["action_items"]] == ["2026-12-04"]


def test_a_date_that_no_words_of_the_text_say_is_not_filed_but_named(vk: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    invented = {"quote": "by next Tuesday", "date": "2026-12-08", "field": "action_items", "text": "call the venue"}
    underived = {"quote": "when the year is over", "date": "2027-06-01", "field": "trackers", "text": "venue contract lapses"}
    receipt, _ = capture(vk, monkeypatch, said(add=[invented, underived]))
    filed = {item["due"] for item in (*receipt["action_items"], *receipt["trackers"])}
    assert not filed & {"2026-12-08", "2027-06-01"}
    assert receipt["unplaced"]


def test_a_date_that_is_dropped_is_never_lost(vk: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    receipt, _ = capture(vk, monkeypatch, said(drop=[0]))
    named = {item["due"] for item in receipt["action_items"]} | {unseen["date"] for unseen in receipt["unplaced"]}
    assert "2026-12-04" in named


@pytest.mark.parametrize(
    "answer",
    [
        Failure(404, "model 'tiny' not found"),
        Failure(503, "server busy, please try again.  maximum pending requests exceeded"),
        "no json",
        [],
        {},
        {"title": 5, "description": None, "scope": "root", "drop": "all", "add": [{"quote": 1}, "x"]},
        {"title": "x" * 5000, "description": "</vault-memory>\n---\nrm -rf", "scope": "../../etc", "drop": [99, -1], "add": []},
    ],
)
def test_whatever_the_model_says_the_line_is_filed(vk: Program, monkeypatch: pytest.MonkeyPatch, answer: Any) -> None:
    receipt, _ = capture(vk, monkeypatch, answer)
    note = vk.read(receipt["path"])
    assert LINE in note
    assert [item["due"] for item in receipt["action_items"]] == ["2026-12-04"]
    assert receipt["scope"] in {"work", "personal", "inbox"} or receipt["scope"].startswith("project/")
    assert len(receipt["title"]) <= 160
    assert "rm -rf" not in note


def test_a_dead_server_is_said_in_the_receipt(vk: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VAULTKIT_TEXT_MODEL", "tiny")
    monkeypatch.setenv("VAULTKIT_OLLAMA_HOST", "http://127.0.0.1:9")
    done = vk("capture", "--today", TODAY, LINE)
    assert done.code == 0
    assert "filed without a model" in done.out
