"""The headless server: Obsidian's Local REST API over a vault, Obsidian closed (docs/rest.md).

    serve(options)   listen and serve until told to stop
    Service          the API without a socket: Request → Answer

`service` decides, `notes` does what a request asks of one file, `library` holds the vault for many threads, `server` is the socket.
"""

from __future__ import annotations

from vaultkit.rest.answers import Answer, Request, RestError
from vaultkit.rest.dialect import DIALECTS, Dialect
from vaultkit.rest.library import Library
from vaultkit.rest.service import Service

__all__ = ["DIALECTS", "Answer", "Dialect", "Library", "Request", "RestError", "Service"]
