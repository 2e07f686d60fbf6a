"""Local models through the `ollama` client. Timeouts are always set; whatever goes wrong is a clear state, never a traceback.

Nothing leaves the machine unless the person sets `ollama_host` to another one. What a model answers is data: callers hold it against
their own rules before it touches a file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from vaultkit.errors import ModelUnavailableError


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
        with ollama.Client(host=self._host, timeout=self._timeout, trust_env=False) as client:
            for think in (None, False):
                try:
                    answer = client.chat(
                        model=self.name,
                        messages=[*([{"role": "system", "content": system}] if system else []), {"role": "user", "content": prompt}],
                        format=dict(schema),
                        options={"temperature": 0},
                        think=think,
                        keep_alive="30m",
                    )
                except ollama.ResponseError as error:
                    problem = _told(error.status_code, error.error, self.name)
                    if error.status_code == 400 and think is None:
                        continue  # some models refuse `format` unless thinking is switched off
                    return Answer(None, problem)
                except httpx.TimeoutException:
                    return Answer(None, f"{self.name} did not answer within {self._timeout:g} s")
                except (ConnectionError, httpx.HTTPError) as error:
                    return Answer(None, f"no model server answers at {self._host} ({_short(error)})")
                try:
                    value = json.loads(answer.message.content or "")
                except ValueError:
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


def _told(status: int, error: str, model: str) -> str:
    if status == 404:
        return f"the model server has no {model} (`ollama pull {model}`)"
    if status == 503:
        return "the model server is busy"
    return f"the model server answered {status}: {error[:200]}"


def _short(error: Exception) -> str:
    return str(error).splitlines()[0][:120] if str(error) else type(error).__name__
