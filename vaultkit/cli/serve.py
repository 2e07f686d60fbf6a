"""serve."""

from __future__ import annotations

import contextlib
import logging
import signal
import sys
from typing import Any

import click

from vaultkit.cli._shared import Face, common, tell


@click.command()
@click.option(
    "--api", type=click.Choice(["compat", "3", "4", "5"]), default="compat", show_default=True, help="The plugin's version to speak as."
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help="Listen here; else the plugin's port, else 27123 (HTTP) or 27124 (--tls). 0: any free one.",
)
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Listen on this address; one that is not this machine's own needs --tls."
)
@click.option("--tls", is_flag=True, help="HTTPS, by the plugin's own certificate or one that is made.")
@click.option("--key", metavar="KEY", help="The API key; else the plugin's own, else one that is made and kept in the state folder.")
@click.option("--print-key", is_flag=True, help="Print the key that clients need, and end.")
@click.option(
    "--allow-host", "names", multiple=True, metavar="NAME", help="A name that this machine is reached by, such as host.docker.internal."
)
@click.option(
    "--max-body", type=click.IntRange(1, 1024), default=100, show_default=True, metavar="MB", help="The largest body that is read."
)
@click.option("--log", "log_requests", is_flag=True, help="One line a request on stderr: method, path, status, time.")
@common(today=True)
def serve(
    face: Face,
    api: str,
    port: int | None,
    host: str,
    tls: bool,
    key: str | None,
    print_key: bool,
    names: tuple[str, ...],
    max_body: int,
    log_requests: bool,
) -> None:
    """Serve Obsidian's Local REST API, Obsidian closed.

    Clients of the plugin work unchanged: same ports, same calls, and its own key and certificate when the vault has the plugin. Endpoints,
    deviations and what is refused: docs/rest.md.

    \b
    Example:   vaultkit serve --vault ~/notes
               vaultkit serve --tls --log
               OBSIDIAN_API_KEY=$(vaultkit serve --print-key) mcp-obsidian
    """
    from vaultkit.rest.run import Options, check, opened

    options = Options(
        api=api, host=host, port=port, tls=tls, key=key, names=names, max_body=max_body * 1_000_000, log_requests=log_requests
    )
    check(options)
    with face.app(backend="files") as app:  # a server that wrote through a server would ask itself
        if print_key:
            from vaultkit.rest.keys import choose_keys

            found = choose_keys(app, key)
            face.show({"key": found.key, "header": found.header, "origin": found.origin}, found.key)
            return
        logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(message)s")
        if log_requests:
            logging.getLogger("vaultkit.rest.requests").setLevel(logging.INFO)
        signal.signal(signal.SIGTERM, _end)
        with contextlib.suppress(KeyboardInterrupt), opened(app, options) as server:
            face.show(
                {"url": server.url, "api": api, "vault": str(app.root), "key_from": server.keys.origin, "pid": server.pid},
                f"{server.url}  {app.root}\nkey: {server.keys.origin} (`vaultkit serve --print-key` shows it)",
            )
            if server.certificate is not None:
                tell(f"certificate: {server.certificate.origin}")
            sys.stdout.flush()
            server.run()


def _end(*_: Any) -> None:
    raise KeyboardInterrupt
