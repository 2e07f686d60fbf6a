"""A test fixture: a loopback server that speaks the HTTP API which the `ollama` client expects. It is not Ollama and runs no model.

Chat answers come from a function of the test; errors have the bodies that the real server sends (facts/retrieval.md §3).
"""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

Chat = Callable[[dict[str, Any]], Any]


class Failure(NamedTuple):
    """An answer that is an error of the server."""

    status: int
    error: str


class ModelServer(NamedTuple):
    host: str
    requests: list[dict[str, Any]]


@contextlib.contextmanager
def model_server(chat: Chat, *, delay: float = 0.0) -> Iterator[ModelServer]:
    """*chat* gets the request's body and gives the content (a dict is sent as JSON text), or a Failure."""
    requests: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            requests.append({"path": self.path, **body})
            time.sleep(delay)
            if self.path != "/api/chat":
                self._send(404, {"error": "404 page not found"})
                return
            answer = chat(body)
            if isinstance(answer, Failure):
                self._send(answer.status, {"error": answer.error})
                return
            content = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
            self._send(
                200,
                {
                    "model": body["model"],
                    "created_at": "2026-11-30T00:00:00Z",
                    "message": {"role": "assistant", "content": content},
                    "done": True,
                },
            )

        def _send(self, status: int, value: dict[str, Any]) -> None:
            data = json.dumps(value).encode()
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
