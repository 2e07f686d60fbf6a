"""The `ollama` client as we use it, and its failures in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from vaultkit.errors import ModelUnavailableError

if TYPE_CHECKING:
    import ollama

KEEP_ALIVE: Final = "30m"  # the server's own 5 minutes make the first call after a pause wait for seconds


def client(host: str, timeout: float) -> ollama.Client:
    """A client with a time limit (its own default is none). It follows no redirect: a note goes to the host that was named or nowhere."""
    import ollama

    if not host.startswith(("http://", "https://")):
        raise ModelUnavailableError(f"ollama_host is no address: {host!r}", hint="write it like http://127.0.0.1:11434")
    return ollama.Client(host=host, timeout=timeout, trust_env=False, follow_redirects=False)


def told(status: int, error: str, model: str) -> str:
    """What an error status of the server means."""
    if status == 404 and "page not found" not in error:
        return f"the model server has no {model} (`ollama pull {model}`)"
    if status == 404:
        return "that address answers, but knows no such request: it is no Ollama, or a very old one"
    if status == 503:
        return "the model server is busy"
    if 300 <= status < 400:
        return f"the model server answered {status}: redirects are not followed"
    return f"the model server answered {status}: {error.strip()[:200]}"


def unreachable(host: str, error: Exception) -> str:
    """Nothing answers, or not in HTTP."""
    return f"no model server answers at {host} ({short(error)})"


def late(model: str, timeout: float) -> str:
    """The time limit was reached."""
    return f"{model} did not answer within {timeout:g} s"


def short(error: Exception) -> str:
    """The first line of an error."""
    return str(error).splitlines()[0][:120] if str(error) else type(error).__name__
