"""The text model, through the real `ollama` client against a loopback stand-in (a fixture; no Ollama runs)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.model_server import Failure, model_server
from vaultkit.errors import ModelUnavailableError
from vaultkit.store.models import NoTextModel, text_model

SCHEMA: dict[str, Any] = {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}


def test_an_answer_is_an_object_of_the_asked_shape() -> None:
    with model_server(lambda body: {"title": f"about {body['messages'][0]['content']}"}) as server:
        answer = text_model("tiny", host=server.host, timeout=5).complete("cats", SCHEMA)
    assert answer.value == {"title": "about cats"}
    assert server.requests[0]["format"] == SCHEMA
    assert server.requests[0]["options"]["temperature"] == 0


@pytest.mark.parametrize(
    ("failure", "word"),
    [
        (Failure(404, "model 'tiny' not found"), "ollama pull tiny"),
        (Failure(503, "server busy, please try again.  maximum pending requests exceeded"), "busy"),
        (Failure(500, "out of memory"), "out of memory"),
        (Failure(400, '"tiny" does not support chat'), "does not support chat"),
    ],
)
def test_an_error_of_the_server_is_a_state(failure: Failure, word: str) -> None:
    with model_server(lambda _: failure) as server:
        answer = text_model("tiny", host=server.host, timeout=5).complete("x", SCHEMA)
    assert answer.value is None
    assert word in answer.problem


def test_empty_content_of_a_thinking_model_is_asked_again_without_thinking() -> None:
    with model_server(lambda body: {"title": "ok"} if body.get("think") is False else "") as server:
        answer = text_model("tiny", host=server.host, timeout=5).complete("x", SCHEMA)
    assert answer.value == {"title": "ok"}
    assert len(server.requests) == 2


@pytest.mark.parametrize("content", ["", "not json", "[1, 2]", '"text"', '{"title": '])
def test_what_is_no_object_is_no_answer(content: str) -> None:
    with model_server(lambda _: content) as server:
        answer = text_model("tiny", host=server.host, timeout=5).complete("x", SCHEMA)
    assert answer.value is None
    assert answer.problem


def test_a_slow_server_and_a_dead_one_are_states() -> None:
    with model_server(lambda _: {"title": "late"}, delay=1.0) as server:
        assert "did not answer" in text_model("tiny", host=server.host, timeout=0.2).complete("x", SCHEMA).problem
        host = server.host
    assert "no model server" in text_model("tiny", host=host, timeout=1).complete("x", SCHEMA).problem


def test_no_model_is_no_answer_and_a_bad_host_an_error() -> None:
    assert isinstance(text_model("", host="http://127.0.0.1:1", timeout=1), NoTextModel)
    with pytest.raises(ModelUnavailableError):
        text_model("tiny", host="127.0.0.1:11434", timeout=1)


@pytest.mark.parametrize("body", [b"<html>not an API</html>", b"[]", b'{"message": 7}'])
def test_a_server_that_answers_otherwise_is_a_state(body: bytes) -> None:
    with model_server(before=lambda _: body) as server:
        answer = text_model("tiny", host=server.host, timeout=5).complete("x", SCHEMA)
    assert answer.value is None
    assert "does not answer as Ollama does" in answer.problem


def test_a_redirect_is_not_followed() -> None:
    with model_server(lambda _: {"title": "elsewhere"}) as elsewhere, model_server(before=lambda _: Failure(307, elsewhere.host)) as server:
        answer = text_model("tiny", host=server.host, timeout=5).complete("x", SCHEMA)
    assert "redirects are not followed" in answer.problem
    assert elsewhere.requests == []


def test_an_answer_that_is_nested_too_deep_is_a_state() -> None:
    with model_server(lambda _: "[" * 100_000) as server:
        answer = text_model("tiny", host=server.host, timeout=5).complete("x", SCHEMA)
    assert "did not answer with JSON" in answer.problem
