"""The service on a socket: reads a request within its limits, answers in a thread, ends cleanly."""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from ipaddress import ip_address
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qs, urlsplit

import uvicorn

from vaultkit import __version__
from vaultkit.errors import UnavailableError, UsageError
from vaultkit.rest.answers import Answer, Request, RestError
from vaultkit.rest.keys import Certificate
from vaultkit.rest.service import Service

log = logging.getLogger(__name__)
requests_log = logging.getLogger("vaultkit.rest.requests")

HTTP_PORT: Final = 27123
HTTPS_PORT: Final = 27124
MCP_PATH: Final = "/mcp"
MAX_BODY: Final = 100_000_000
_MAX_LINE: Final = 16_000
_THREADS: Final = 16
# Pages of these schemes are an application's own, not the web's: Obsidian's desktop and mobile apps, browser extensions, editors.
_APP_SCHEMES: Final = frozenset({"app", "capacitor", "chrome-extension", "moz-extension", "safari-web-extension", "vscode-webview", "file"})

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class Limits(NamedTuple):
    """Whom the server answers, and how much it reads. *hosts* are names beside the loopback ones."""

    hosts: frozenset[str] = frozenset()
    max_body: int = MAX_BODY
    log_requests: bool = False


class Asgi:
    """The ASGI application. *mcp* answers what stands under `/mcp`, when it is given."""

    def __init__(self, service: Service, limits: Limits, mcp: Any = None) -> None:
        self._service = service
        self._limits = limits
        self._mcp = mcp
        self._threads = asyncio.Semaphore(_THREADS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or the start and end of the server."""
        if scope["type"] == "lifespan":
            await (self._mcp or _lifespan)(scope, receive, send)
            return
        started = time.perf_counter()
        method, path = scope["method"], bytes(scope.get("raw_path") or b"").decode("latin-1")
        status = 500
        try:
            head = _head(scope, path)
            refusal = self._refusal(head)
            if refusal is None and self._mcp is not None and _is_mcp(path):
                if method != "OPTIONS" and not self._service.allowed(head):
                    refusal = RestError(40101).answer()
                elif method != "OPTIONS":
                    status = 200
                    await self._mcp({**scope, "path": MCP_PATH, "raw_path": MCP_PATH.encode()}, receive, send)
                    return
            answer = refusal or await self._answer(head, receive)
            status = answer.status
            await _reply(send, method, answer, time.perf_counter() - started)
        finally:
            if self._limits.log_requests:
                shown = path.encode("unicode_escape").decode()
                requests_log.info("%s %s %d %.1f ms", method, shown, status, (time.perf_counter() - started) * 1000)

    async def _answer(self, head: Request, receive: Receive) -> Answer:
        try:
            body = await self._body(head, receive)
        except RestError as error:
            return error.answer().plus(("connection", "close"))
        async with self._threads:
            return await asyncio.to_thread(self._service.answer, head._replace(body=body))

    async def _body(self, head: Request, receive: Receive) -> bytes:
        length = head.header("content-length")
        if length.isdigit() and int(length) > self._limits.max_body:
            raise RestError(41300, f"{self._limits.max_body} bytes at most")
        parts: list[bytes] = []
        size = 0
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise RestError(40000, "the connection ended within the body")
            parts.append(message.get("body", b""))
            size += len(parts[-1])
            if size > self._limits.max_body:
                raise RestError(41300, f"{self._limits.max_body} bytes at most")
            if not message.get("more_body"):
                return b"".join(parts)

    def _refusal(self, head: Request) -> Answer | None:
        """Why this request is not for us: another site's page, a name that was rebound to us, or a line that is too long."""
        if len(head.path) > _MAX_LINE or sum(len(value) for values in head.query.values() for value in values) > _MAX_LINE:
            return RestError(41400).answer()
        host = _hostname(f"//{head.header('host')}")
        if not self._is_ours(host):
            return RestError(40300, f"Host {host!r} is not this server's name; `vaultkit serve --allow-host NAME` adds one").answer()
        origin = head.header("origin")
        if origin and head.method != "OPTIONS" and not self._is_near(origin):
            return RestError(40300, f"pages of {origin} may not use this server").answer()
        return None

    def _is_ours(self, host: str) -> bool:
        if host in self._limits.hosts or host == "localhost" or host.endswith(".localhost"):
            return True
        try:
            return bool(ip_address(host))  # an address cannot be rebound by a foreign name server
        except ValueError:
            return False

    def _is_near(self, origin: str) -> bool:
        scheme = origin.partition(":")[0].lower()
        if scheme in _APP_SCHEMES:
            return True
        host = _hostname(origin)
        if host in self._limits.hosts or host == "localhost" or host.endswith(".localhost"):
            return True
        try:
            return ip_address(host).is_loopback
        except ValueError:
            return False


async def _lifespan(_: Scope, receive: Receive, send: Send) -> None:
    """The start and the end of a server that has nothing to do at either."""
    await receive()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await send({"type": "lifespan.shutdown.complete"})


def _head(scope: Scope, path: str) -> Request:
    headers: dict[str, str] = {}
    for name, value in scope["headers"]:
        key = name.decode("latin-1").lower()
        # Clients send UTF-8 in headers now and then; what is none stays as it came.
        text = _text(value)
        headers[key] = f"{headers[key]}, {text}" if key in headers else text
    query: Mapping[str, list[str]] = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True, max_num_fields=100)
    return Request(scope["method"], path, query, headers, b"")


def _text(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")


def _hostname(address: str) -> str:
    try:
        return (urlsplit(address).hostname or "").rstrip(".").lower()
    except ValueError:
        return ""


def _is_mcp(path: str) -> bool:
    return path.lower().rstrip("/") == MCP_PATH


async def _reply(send: Send, method: str, answer: Answer, seconds: float) -> None:
    headers = [
        ("access-control-allow-origin", "*"),
        ("x-response-time", f"{seconds * 1000:.3f}ms"),
        ("server", f"vaultkit/{__version__}"),
        *answer.headers,
    ]
    if answer.status not in {204, 304} and not any(name == "content-length" for name, _ in answer.headers):
        headers.append(("content-length", str(len(answer.body))))
    body = b"" if method == "HEAD" or answer.status in {204, 304} else answer.body
    if answer.status == 204:
        headers = [(name, value) for name, value in headers if name != "content-length"]
    raw = [(name.encode("latin-1"), value.encode("latin-1", "replace")) for name, value in headers]
    await send({"type": "http.response.start", "status": answer.status, "headers": raw})
    await send({"type": "http.response.body", "body": body})


def listen(host: str, port: int) -> socket.socket:
    """A socket that is bound and listens; 0 is any free port."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except OSError as error:
        raise UsageError(f"--host: {host} is no address here", hint="127.0.0.1 is the usual one") from error
    made = socket.socket(family, kind, protocol)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen(256)
    except OSError as error:
        made.close()
        raise UnavailableError(
            f"{host}:{port} cannot be listened on: {error.strerror}",
            hint="is Obsidian open with the plugin, or another `vaultkit serve` running? Else choose another --port",
        ) from error
    return made


def config(application: Any, certificate: Certificate | None = None) -> uvicorn.Config:
    """How uvicorn serves *application*."""
    return uvicorn.Config(
        application,
        log_config=None,
        access_log=False,
        log_level="warning",
        lifespan="on",
        server_header=False,
        proxy_headers=False,  # a header must not say who is asking
        timeout_keep_alive=65,
        timeout_graceful_shutdown=10,
        limit_concurrency=1000,
        h11_max_incomplete_event_size=65_536,
        ws="none",
        http="h11",
        loop="asyncio",
        ssl_certfile=str(certificate.cert_file) if certificate else None,
        ssl_keyfile=str(certificate.key_file) if certificate else None,
    )


__all__ = ["HTTPS_PORT", "HTTP_PORT", "MAX_BODY", "MCP_PATH", "Asgi", "Limits", "config", "listen"]
