"""Text models: a prompt and a JSON Schema → an object. Whatever goes wrong is an `Answer` that says so, never a traceback."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from vaultkit.errors import ModelUnavailableError
from vaultkit.store.models import _client


class Answer(NamedTuple):
    """What a text model said: a JSON object, or why there is none."""

    value: Mapping[str, Any] | None
    problem: str = ""


class TextModel(Protocol):
    """Something that answers a prompt with a JSON object of a given shape."""

    @property
    def name(self) -> str:
        """The model's name, for receipts."""

    def complete(self, prompt: str, schema: Mapping[str, Any], *, system: str = "") -> Answer:
        """Answer *prompt* with an object that *schema* (JSON Schema) describes; never raises."""


class NoTextModel:
    """No model is configured: every question has no answer."""

    name = "none"

    def complete(self, prompt: str, schema: Mapping[str, Any], *, system: str = "") -> Answer:
        """See `TextModel`."""
        del prompt, schema, system
        return Answer(None, "no text model is configured")


class OllamaTextModel:
    """A chat model behind Ollama's API, asked at temperature 0 with `format` = the schema."""

    def __init__(self, model: str, *, host: str, timeout: float) -> None:
        self.name = model
        self._host = host
        self._timeout = timeout

    def complete(self, prompt: str, schema: Mapping[str, Any], *, system: str = "") -> Answer:
        """See `TextModel`. A thinking model may answer with empty content: it is asked once more without thinking."""
        import httpx
        import ollama

        problem = ""
        with _client.client(self._host, self._timeout) as client:
            for think in (None, False):
                try:
                    answer = client.chat(
                        model=self.name,
                        messages=[*([{"role": "system", "content": system}] if system else []), {"role": "user", "content": prompt}],
                        format=dict(schema),
                        options={"temperature": 0},
                        think=think,
                        keep_alive=_client.KEEP_ALIVE,
                    )
                except ollama.ResponseError as error:
                    problem = _client.told(error.status_code, error.error, self.name)
                    if error.status_code == 400 and think is None:
                        continue  # some models refuse `format` unless thinking is switched off
                    return Answer(None, problem)
                except httpx.TimeoutException:
                    return Answer(None, _client.late(self.name, self._timeout))
                except (ConnectionError, httpx.HTTPError) as error:
                    return Answer(None, _client.unreachable(self._host, error))
                except (ValueError, TypeError, RecursionError):  # the body is no JSON, or not of the shape that the API has
                    return Answer(None, f"{self._host} does not answer as Ollama does")
                try:
                    value = json.loads(answer.message.content or "")
                except (ValueError, RecursionError):
                    problem = f"{self.name} did not answer with JSON"
                    continue
                if isinstance(value, dict):
                    return Answer(value)
                problem = f"{self.name} did not answer with an object"
        return Answer(None, problem)


def text_model(name: str, *, host: str, timeout: float) -> TextModel:
    """The configured text model; "" is none."""
    if not name:
        return NoTextModel()
    if not host.startswith(("http://", "https://")):
        raise ModelUnavailableError(f"ollama_host is no address: {host!r}", hint="write it like http://127.0.0.1:11434")
    return OllamaTextModel(name, host=host, timeout=timeout)
