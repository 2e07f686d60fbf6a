"""An embedding model behind Ollama's API, through the `ollama` client.

    batch ──▶ /api/embed ──400 too long──────▶ one by one, each halved until it fits, the halves' mean
                         ──other 4xx/5xx, wrong count, NaN──▶ one by one; a text that fails alone fails alone
                         ──404, 503, refused, too late──▶ ModelUnavailableError: the model as a whole does not answer

`truncate` is off: on (the server's default) it cuts long texts without a word.
"""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, Self, TypeVar

from vaultkit.errors import ModelUnavailableError
from vaultkit.store.models import _client
from vaultkit.store.models._prefixes import prefixes
from vaultkit.store.models.embed import Embedded, Kind, unit_rows

if TYPE_CHECKING:
    import ollama

T = TypeVar("T")

NUM_CTX: Final = 4096  # what the server gives a model on a common machine, whatever the model could read

_BATCH = 16  # texts a call
_HALVINGS = 8
_BUSY_WAITS = (0.5, 1.5)  # seconds before a busy server is asked again
_TOO_LONG = ("exceeds the context length", "exceeds maximum context", "too large to process", "physical batch size")


class _Found(NamedTuple):
    """What the server says about the model."""

    name: str
    digest: str
    dimension: int
    context: int


class OllamaEmbedder:
    """One model. Make it with `connect`, which has asked the server about it."""

    def __init__(self, found: _Found, *, host: str, timeout: float) -> None:
        self._found = found
        self._host = host
        self._timeout = timeout
        self._client: ollama.Client | None = None
        self._batch = _BATCH
        self._prefix = dict(zip(("query", "passage"), prefixes(found.name), strict=True))

    @classmethod
    def connect(cls, model: str = "", *, host: str, timeout: float) -> Self:
        """The model of that name, "" for the first that embeds. Raises ModelUnavailableError, which says what is missing."""
        with _client.client(host, timeout) as client:
            asking = _Asking(client, host, timeout)
            name, digest = asking.listed(model)
            dimension, context = asking.shown(name)
            dimension = dimension or len(asking.embed(name, ["dimension"], context)[0])
        return cls(_Found(name, digest, dimension, context), host=host, timeout=timeout)

    @property
    def name(self) -> str:
        """See `Embedder`: with its tag, as the server lists it."""
        return self._found.name

    @property
    def digest(self) -> str:
        """See `Embedder`: of the model's own files."""
        return self._found.digest

    @property
    def dimension(self) -> int:
        """See `Embedder`."""
        return self._found.dimension

    @property
    def context(self) -> int:
        """See `Embedder`: what both the model and the server's setting allow, less the prefix."""
        return self._found.context - 32

    def embed(self, texts: Sequence[str], *, kind: Kind = "passage") -> Embedded:
        """See `Embedder`."""
        rows: list[Sequence[float] | None] = []
        failed: dict[int, str] = {}
        while len(rows) < len(texts):
            batch = texts[len(rows) : len(rows) + self._batch]
            try:
                found: list[Sequence[float] | None] = [*self._ask(batch, kind)]
            except _LateError:
                if len(batch) == 1:
                    raise
                self._batch = 1  # a slow machine gets through one text where it does not through sixteen
                continue
            except _RefusedError as error:
                found = []
                for at, text in enumerate(batch, len(rows)):
                    try:
                        found.append(self._halved(text, kind, _HALVINGS, error if len(batch) == 1 else None))
                    except _RefusedError as alone:
                        found.append(None)
                        failed[at] = str(alone)
            rows.extend(found)
        return unit_rows(rows, self.dimension, failed)

    def within(self, timeout: float) -> Self:
        """The same model with another time limit a request."""
        return type(self)(self._found, host=self._host, timeout=timeout)

    def _halved(self, text: str, kind: Kind, left: int, refused: _RefusedError | None = None) -> Sequence[float]:
        """One text, cut in half as often as the server asks for it. *refused*: what it said to the whole, if it was asked already."""
        try:
            if refused is not None:
                raise refused
            return self._ask([text], kind)[0]
        except _RefusedError as error:
            if not error.too_long or not left or len(text) < 2:
                raise
        middle = text.rfind(" ", len(text) // 4, len(text) // 2 + 1) + 1 or len(text) // 2
        halves = unit_rows([self._halved(half, kind, left - 1) for half in (text[:middle], text[middle:])], self.dimension)
        mean: list[float] = halves.vectors.sum(axis=0).tolist()
        return mean

    def _ask(self, texts: Sequence[str], kind: Kind) -> list[Sequence[float]]:
        if self._client is None:
            self._client = _client.client(self._host, self._timeout)
            weakref.finalize(self, self._client.close)  # nobody has to remember it
        prefix = self._prefix[kind]
        return _Asking(self._client, self._host, self._timeout).embed(self.name, [prefix + text for text in texts], self._found.context)


class _RefusedError(ModelUnavailableError):
    """The server answered, and did not embed these texts."""

    def __init__(self, message: str, *, too_long: bool = False) -> None:
        super().__init__(message, hint="the note is embedded again at the next sync")
        self.too_long = too_long


class _LateError(ModelUnavailableError):
    """The time limit was reached."""


class _Asking:
    """One request each, failures as ours."""

    def __init__(self, client: ollama.Client, host: str, timeout: float) -> None:
        self._client, self._host, self._timeout = client, host, timeout

    def listed(self, model: str) -> tuple[str, str]:
        """Name with tag, and digest. The server lists `x:latest` for what is asked for as `x`."""
        models = self._do(self._client.list, model or "models").models
        names = {each.model: each.digest or "" for each in models if each.model}
        if not model:
            for name, digest in names.items():
                if self._embeds(name):
                    return name, digest
            raise ModelUnavailableError("the model server has no embedding model", hint="`ollama pull bge-m3`, or set embed_model")
        for name in (model, f"{model}:latest"):
            if name in names:
                return name, names[name]
        raise ModelUnavailableError(f"the model server has no {model}", hint=f"`ollama pull {model}`")

    def shown(self, name: str) -> tuple[int, int]:
        """Dimension (0: not told) and how many tokens of a text are read."""
        shown = self._do(lambda: self._client.show(name), name)
        if shown.capabilities and "embedding" not in shown.capabilities:
            raise ModelUnavailableError(f"{name} is no embedding model", hint="set embed_model to one that is, e.g. bge-m3")
        info = shown.modelinfo or {}
        architecture = info.get("general.architecture", "")
        context = _whole(info.get(f"{architecture}.context_length")) or NUM_CTX
        return _whole(info.get(f"{architecture}.embedding_length")), min(context, NUM_CTX)

    def embed(self, name: str, texts: Sequence[str], context: int) -> list[Sequence[float]]:
        """A row for each text."""
        found = self._do(
            lambda: self._client.embed(
                model=name,
                input=list(texts),
                truncate=False,
                # An encoder reads a text in one go: a physical batch below its context would refuse what the context allows.
                options={"num_ctx": context, "num_batch": context},
                keep_alive=_client.KEEP_ALIVE,
            ),
            name,
        )
        if len(found.embeddings) != len(texts):
            raise _RefusedError(f"the model server gave {len(found.embeddings)} vectors for {len(texts)} texts")
        return list(found.embeddings)

    def _embeds(self, name: str) -> bool:
        try:
            self.shown(name)
        except ModelUnavailableError:
            return False
        return True

    def _do(self, request: Callable[[], T], model: str) -> T:
        """The answer to *request*, asked again while the server is busy."""
        import httpx
        import ollama

        for wait in (*_BUSY_WAITS, None):
            try:
                return request()
            except ollama.ResponseError as error:
                message, status = _client.told(error.status_code, error.error, model), error.status_code
                if status == 503 and wait is not None:
                    time.sleep(wait)
                    continue
                if status in {404, 503} or status < 400:
                    raise ModelUnavailableError(message, hint="look at `ollama list` and the server's log") from error
                raise _RefusedError(message, too_long=any(sign in error.error for sign in _TOO_LONG)) from error
            except httpx.TimeoutException as error:
                raise _LateError(_client.late(model, self._timeout), hint="raise model_timeout, or take a smaller model") from error
            except (ConnectionError, httpx.HTTPError) as error:
                raise ModelUnavailableError(
                    _client.unreachable(self._host, error), hint="start Ollama, or set embedder = embedded"
                ) from error
            except (ValueError, TypeError) as error:  # no JSON, or not of the shape that the API has
                raise _RefusedError(f"{self._host} does not answer as Ollama does") from error
        raise AssertionError


def _whole(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 0
