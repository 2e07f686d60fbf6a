"""A stand-in for Obsidian with its plugin: notes in memory as an editor holds them, saved to a folder only when the API writes."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import quote, unquote

from vaultkit.errors import PatchError
from vaultkit.text.patch import apply2, version

KEY = "0123456789abcdef"


class Obsidian:
    """What the stand-in knows. *typed* are notes whose text on the screen is not what is on the disk."""

    def __init__(self, folder: Path, *, plugin: str = "5.1.0") -> None:
        self.folder = folder
        self.plugin = plugin
        self.typed: dict[str, bytes] = {}
        self.active = ""
        self.calls: list[tuple[str, str]] = []
        self.opened: list[str] = []
        self.url = ""
        self.search = 0  # the errorCode of searches
        self.status = 0  # answer this, whatever was asked

    def read(self, path: str) -> bytes | None:
        file = self.folder / path
        return self.typed.get(path, file.read_bytes() if file.is_file() else None)

    def write(self, path: str, data: bytes) -> None:
        self.typed.pop(path, None)
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_bytes(data)

    def writes(self) -> list[tuple[str, str]]:
        return [call for call in self.calls if call[0] not in {"GET", "HEAD"}]

    def configure(self) -> None:
        """The plugin's settings in the vault, as it writes them."""
        settings = self.folder / ".obsidian/plugins/obsidian-local-rest-api/data.json"
        settings.parent.mkdir(parents=True, exist_ok=True)
        port = int(self.url.rpartition(":")[2])
        settings.write_text(
            json.dumps({"apiKey": KEY, "enableSecureServer": False, "enableInsecureServer": True, "insecurePort": port, "port": 1})
        )


@contextmanager
def running(folder: Path, *, plugin: str = "5.1.0") -> Iterator[Obsidian]:
    """The stand-in on a free port, its settings in the vault."""
    app = Obsidian(folder, plugin=plugin)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self, status: int, body: bytes = b"", **headers: str) -> None:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name.replace("_", "-"), value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        def refuse(self, code: int, message: str = "no") -> None:
            self.answer(code // 100, json.dumps({"errorCode": code, "message": message}).encode(), Content_Type="application/json")

        def handle_any(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            app.calls.append((self.command, unquote(self.path)))
            if app.status:
                return self.refuse(app.status * 100)
            allowed = self.headers.get("Authorization") == f"Bearer {KEY}"
            if self.path == "/":
                versions = {"versions": {"self": app.plugin, "obsidian": "1.13.1"}, "authenticated": allowed}
                return self.answer(200, json.dumps(versions).encode())
            if not allowed:
                return self.refuse(40101)
            if self.path == "/active/":
                body = app.read(app.active) or b""
                return self.answer(200, body, Content_Location=quote(app.active)) if app.active else self.refuse(40400)
            if self.path == "/search/" and app.search:
                return self.refuse(app.search)
            if self.path == "/commands/":
                return self.answer(200, json.dumps({"commands": [{"id": "app:reload", "name": "Reload"}]}).encode())
            if self.path.startswith("/commands/"):
                return self.answer(204) if self.path == "/commands/app%3Areload/" else self.refuse(40400)
            if self.path.startswith("/open/"):
                app.opened.append(unquote(self.path.removeprefix("/open/")))
                return self.answer(200)
            if self.path.startswith("/vault/"):
                return self.note(unquote(self.path.removeprefix("/vault/")), body)
            return self.refuse(40400)

        def note(self, path: str, body: bytes) -> None:
            held = app.read(path)
            if self.command == "PUT":
                app.write(path, body)
                return self.answer(204)
            if held is None:
                return self.refuse(40400)
            match self.command:
                case "POST":
                    app.write(path, held + b"\n" * (not held.endswith(b"\n")) + body)
                    return self.answer(204)
                case "PATCH":
                    try:
                        app.write(path, apply2(held.decode(), json.loads(body)).text.encode())
                    except PatchError as error:
                        return self.refuse(error.rest_code, error.message)
                    return self.answer(200, app.read(path) or b"")
            if "document-map" in self.headers.get("Accept", ""):
                return self.answer(200, json.dumps({"headings": {}, "version": version(held.decode())}).encode())
            return self.answer(200, held, Content_Disposition=f'attachment; filename="{quote(path)}"')

        do_GET = do_HEAD = do_PUT = do_POST = do_PATCH = do_DELETE = handle_any  # noqa: N815 - http.server's names

        def log_message(self, *_: object) -> None:
            """Tests need no access log."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    app.url = f"http://127.0.0.1:{server.server_address[1]}"
    app.configure()
    try:
        yield app
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)
