"""Which embedder holds, by the setting `embedder`."""

from __future__ import annotations

import socket
from typing import Literal, NamedTuple, get_args
from urllib.parse import urlsplit

from vaultkit.errors import ConfigError, ModelUnavailableError
from vaultkit.store.models._client import unreachable
from vaultkit.store.models.embed import Embedder, NoEmbedder
from vaultkit.store.models.embedded import embedded
from vaultkit.store.models.ollama_embed import OllamaEmbedder

Setting = Literal["auto", "ollama", "embedded", "none"]

_PROBE = 2.0  # seconds: `auto` does not wait longer for a server that nobody named


class Choice(NamedTuple):
    """The embedder that holds, and why not another: for `health` and for `degraded`."""

    embedder: Embedder
    problems: tuple[str, ...] = ()

    @property
    def works(self) -> bool:
        """Whether anything embeds."""
        return not isinstance(self.embedder, NoEmbedder)


def choose_embedder(setting: str, *, model: str = "", host: str, timeout: float) -> Choice:
    """auto: Ollama when it has the model, else an embedded one when it is installed, else none. Never raises for what is missing.

    *model* is Ollama's name of an embedding model ("" = the first that it has), or `use` or `e5` for `embedded`.
    """
    if setting not in get_args(Setting):
        raise ConfigError(f"embedder is one of {', '.join(get_args(Setting))}, not {setting!r}", hint="`vaultkit config embedder auto`")
    if setting == "none":
        return Choice(NoEmbedder("embedder = none"))
    problems: list[str] = []
    if setting in {"auto", "ollama"}:
        try:
            if setting == "auto":
                _answers(host)
            found = OllamaEmbedder.connect(model, host=host, timeout=min(timeout, _PROBE) if setting == "auto" else timeout)
        except ModelUnavailableError as error:
            problems.append(_told(error))
        else:
            return Choice(found.within(timeout))
    if setting in {"auto", "embedded"}:
        try:
            return Choice(embedded(model if setting == "embedded" else ""), tuple(problems))
        except ModelUnavailableError as error:
            problems.append(_told(error))
    return Choice(NoEmbedder("; ".join(problems)), tuple(problems))


def _answers(host: str) -> None:
    """Raise when nothing listens there: a socket tells it in no time, importing the client takes a second."""
    try:
        parts = urlsplit(host)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        socket.create_connection((parts.hostname or "", port), timeout=_PROBE).close()
    except (OSError, ValueError) as error:
        raise ModelUnavailableError(unreachable(host, error)) from error


def _told(error: ModelUnavailableError) -> str:
    return f"{error.message} ({error.hint})" if error.hint else error.message
