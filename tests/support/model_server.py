"""A test fixture: a loopback server that speaks the HTTP API which the `ollama` client expects. It is not Ollama and runs no chat model.

Chat answers come from a function of the test; vectors from one too: the embedded model (real meaning) or hashed words (fast). Errors have
the bodies that the real server sends, and its pitfalls are here: names come back with `:latest`, a batch fails whole when one of its
texts does, long input is refused or, where `truncate` is not switched off, cut without a word (facts/retrieval.md §3).
"""

from __future__ import annotations

import contextlib
import json
import math
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

Chat = Callable[[dict[str, Any]], Any]


class Failure(NamedTuple):
    """An answer that is an error of the server."""

    status: int
    error: str


BUSY = Failure(503, "server busy, please try again.  maximum pending requests exceeded")
TOO_LONG = Failure(400, "the input length exceeds the context length")
NAN = Failure(500, "failed to encode response: json: unsupported value: NaN")


def hashed_words(texts: Sequence[str], dimension: int = 8) -> list[list[float]]:
    """Vectors without meaning, but texts that share words are near each other."""
    rows = []
    for text in texts:
        row = [0.01] * dimension
        for word in text.lower().split():
            row[zlib.crc32(word.encode("utf-8", "replace")) % dimension] += 1
        length = math.sqrt(sum(number * number for number in row))
        rows.append([number / length for number in row])
    return rows


class Model(NamedTuple):
    """An embedding model that the server says it has. *embed* may give Failures, rows of wrong length, NaN: whatever a test wants."""

    name: str = "tiny-embed:latest"
    digest: str = "d1" * 32
    context: int = 2048
    dimension: int = 8
    embed: Callable[[Sequence[str]], Any] = hashed_words
    capabilities: tuple[str, ...] | None = ("embedding",)
    tells_dimension: bool = True
    tokens: Callable[[str], int] = len


class ModelServer(NamedTuple):
    host: str
    requests: list[dict[str, Any]]

    def asked(self, path: str) -> list[dict[str, Any]]:
        """The requests to *path*."""
        return [request for request in self.requests if request["path"] == path]


@contextlib.contextmanager
def model_server(
    chat: Chat | None = None,
    *,
    delay: float | Callable[[dict[str, Any]], float] = 0.0,
    models: Sequence[Model] = (),
    before: Callable[[dict[str, Any]], Failure | bytes | None] = lambda _: None,
) -> Iterator[ModelServer]:
    """*chat* gets the request's body and gives the content (a dict is sent as JSON text), or a Failure; *before* may answer any request."""
    requests: list[dict[str, Any]] = []

    def answer(path: str, body: dict[str, Any]) -> Any:
        known = {name: model for model in models for name in {model.name, model.name.removesuffix(":latest")}}
        model = known.get(body.get("model", ""))
        match path:
            case "/api/tags":
                return {"models": [_listed(each) for each in models]}
            case "/api/chat" if chat is not None:
                return _chat_answer(chat(body), body)
            case "/api/show":
                return _shown(model) if model else Failure(404, f"model '{body['model']}' not found")
            case "/api/embed" if model is None:
                return Failure(404, f'model "{body["model"]}" not found, try pulling it first')
            case "/api/embed" if model is not None:
                return _embedded(model, body)
        return Failure(404, "404 page not found")

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            self._answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

        def do_GET(self) -> None:
            self._answer({})

        def _answer(self, body: dict[str, Any]) -> None:
            request = {"path": self.path, **body}
            requests.append(request)
            time.sleep(delay(request) if callable(delay) else delay)
            found = before(request) or answer(self.path, body)
            if isinstance(found, Failure):
                self._send(found.status, json.dumps({"error": found.error}).encode())
            else:
                self._send(200, found if isinstance(found, bytes) else json.dumps(found).encode())

        def _send(self, status: int, data: bytes) -> None:
            head = f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n".encode()
            with contextlib.suppress(OSError):
                self.wfile.write(head + data)  # one write: with two, every call costs 40 ms of delayed ACK

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield ModelServer(f"http://127.0.0.1:{server.server_address[1]}", requests)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _chat_answer(answer: Any, body: dict[str, Any]) -> Any:
    if isinstance(answer, Failure):
        return answer
    content = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
    return {
        "model": body["model"],
        "created_at": "2026-11-30T00:00:00Z",
        "message": {"role": "assistant", "content": content},
        "done": True,
    }


def _listed(model: Model) -> dict[str, Any]:
    return {
        "name": model.name,
        "model": model.name,
        "modified_at": "2026-11-30T00:00:00Z",
        "size": 1,
        "digest": model.digest,
        "details": {"format": "gguf", "family": "bert"},
    }


def _shown(model: Model) -> dict[str, Any]:
    info: dict[str, Any] = {"general.architecture": "bert", "bert.context_length": model.context}
    if model.tells_dimension:
        info["bert.embedding_length"] = model.dimension
    shown: dict[str, Any] = {"model_info": info, "details": {"family": "bert"}}
    if model.capabilities is not None:
        shown["capabilities"] = list(model.capabilities)
    return shown


def _embedded(model: Model, body: dict[str, Any]) -> Any:
    if "input" not in body:
        return Failure(400, "missing request body")
    texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
    limit = min(model.context, body.get("options", {}).get("num_ctx", 4096))
    if any(model.tokens(text) > limit for text in texts):
        if body.get("truncate") is False:
            return TOO_LONG
        texts = [text[:limit] for text in texts]
    vectors = model.embed(texts) if texts else []
    if isinstance(vectors, (Failure, bytes)):
        return vectors
    return {"model": body["model"], "embeddings": vectors, "total_duration": 1, "load_duration": 1, "prompt_eval_count": 1}
