"""Open a vault's server: options checked, key and certificate found, socket bound, then served until told to stop."""

from __future__ import annotations

import gc
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from typing import Any, NamedTuple

import uvicorn

from vaultkit.app import App
from vaultkit.errors import UsageError
from vaultkit.rest import server
from vaultkit.rest.keys import Certificate, Keys, choose_certificate, choose_keys, plugin_port
from vaultkit.rest.library import Library
from vaultkit.rest.service import Service


class Options(NamedTuple):
    """What `vaultkit serve` was asked for."""

    api: str = "compat"
    host: str = "127.0.0.1"
    port: int | None = None
    tls: bool = False
    key: str | None = None
    names: tuple[str, ...] = ()
    max_body: int = server.MAX_BODY
    log_requests: bool = False


class Running(NamedTuple):
    """A server whose socket listens; `run` answers what comes."""

    url: str
    keys: Keys
    certificate: Certificate | None
    pid: int
    application: Any
    listener: socket.socket

    def config(self) -> uvicorn.Config:
        """How uvicorn serves it."""
        return server.config(self.application, self.certificate)

    def run(self) -> None:
        """Serve until SIGINT or SIGTERM; requests under way are finished."""
        gc.freeze()  # the notes stay as long as the server: looking for garbage among them costs a tenth of a second each time
        uvicorn.Server(self.config()).run(sockets=[self.listener])


def check(options: Options) -> None:
    """Refuse what would send the key and the notes over a network in the clear."""
    if not options.tls and not _is_loopback(options.host):
        raise UsageError(f"--host {options.host} without --tls would send notes and key readable over the network", hint="add --tls")


@contextmanager
def opened(app: App, options: Options) -> Iterator[Running]:
    """The server of *app*'s vault; everything is released at the end."""
    check(options)
    port = options.port
    if port is None:
        port = plugin_port(app, tls=options.tls) or (server.HTTPS_PORT if options.tls else server.HTTP_PORT)
    listener = server.listen(options.host, port)
    with listener:
        keys = choose_keys(app, options.key)
        names = ["127.0.0.1", "localhost", *(name for name in (options.host, *options.names) if not _is_any(name))]
        certificate = choose_certificate(app, list(dict.fromkeys(names)), now=app.clock()) if options.tls else None
        with Library(app) as library:
            service = Service(library, keys, api=options.api, certificate=certificate)
            limits = server.Limits(
                frozenset(name.lower() for name in (options.host, *options.names)), options.max_body, options.log_requests
            )
            port = listener.getsockname()[1]
            shown = f"[{options.host}]" if ":" in options.host else options.host
            url = f"{'https' if options.tls else 'http'}://{shown}:{port}"
            yield Running(url, keys, certificate, os.getpid(), server.Asgi(service, limits, _mcp(library)), listener)


def _mcp(library: Library) -> Any:
    """What answers under /mcp: our MCP server; None without the extra `mcp`. Key, Host and Origin are checked before it is asked."""
    try:
        from mcp.server.transport_security import TransportSecuritySettings

        from vaultkit.mcp import server as mcp_server
    except ImportError as error:
        if not (error.name or "").startswith(("mcp", "pydantic", "anyio", "typing_extensions")):
            raise
        return None
    security = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    return mcp_server(library.app).streamable_http_app(streamable_http_path=server.MCP_PATH, transport_security=security)


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _is_any(host: str) -> bool:
    return host in {"0.0.0.0", "::", ""}  # noqa: S104 - asked about, not bound
