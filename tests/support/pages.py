"""A loopback web server that answers from a table, for the tests of URL capture."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple


class Page(NamedTuple):
    body: bytes = b""
    type: str = "text/html; charset=utf-8"
    status: int = 200
    headers: Mapping[str, str] = {}
    delay: float = 0.0  # seconds before each of ten pieces of the body


class Site(NamedTuple):
    host: str  # host:port
    url: str
    requests: list[str]


@contextlib.contextmanager
def serve(pages: Mapping[str, Page]) -> Iterator[Site]:
    """Serve *pages* by path on 127.0.0.1."""
    requests: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            requests.append(self.path)
            page = pages.get(self.path, Page(b"nothing here", status=404))
            self.send_response(page.status)
            if page.type:
                self.send_header("Content-Type", page.type)
            self.send_header("Content-Length", str(len(page.body)))
            for name, value in page.headers.items():
                self.send_header(name, value)
            self.end_headers()
            with contextlib.suppress(OSError):
                if not page.delay:
                    self.wfile.write(page.body)
                    return
                step = max(1, len(page.body) // 10)
                for at in range(0, len(page.body), step):
                    time.sleep(page.delay)
                    self.wfile.write(page.body[at : at + step])
                    self.wfile.flush()

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    host = f"127.0.0.1:{server.server_address[1]}"
    try:
        yield Site(host, f"http://{host}", requests)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
