"""mcp."""

from __future__ import annotations

import gc
import os
import sys
import uuid
from datetime import datetime

import click

from vaultkit.cli._shared import Face, common
from vaultkit.errors import UnavailableError, UsageError


@click.command()
@common(today=True)
def mcp(face: Face) -> None:
    """Serve the vault over MCP, on standard input and output.

    A client starts it. It serves one vault, that which --vault or VAULTKIT_VAULT names; only by hand, in a terminal, the one around this folder
    too. Needs the extra `mcp`. Tools, resources and prompts: docs/mcp.md.

    \b
    Example:   vaultkit mcp --vault ~/notes
    """
    named = face.vault if face.vault is not None else os.environ.get("VAULTKIT_VAULT")
    if not named and not sys.stdin.isatty():
        # A client's working folder may be a hostile clone, which must not become the memory (design.md §3).
        raise UsageError("which vault?", hint="name it in the client's settings: vaultkit mcp --vault PATH, or VAULTKIT_VAULT")
    from vaultkit.app import App, open_app
    from vaultkit.config import find_vault, here, remote_vault

    url = remote_vault(face.vault)
    root = None if url else find_vault(face.vault, cwd=here())
    gc.disable()  # a second of imports makes many objects and no garbage
    try:
        from vaultkit.mcp import run
    except ImportError as error:
        if not (error.name or "").startswith(("mcp", "pydantic", "anyio", "typing_extensions")):
            raise
        raise UnavailableError("MCP needs the extra `mcp` (the SDK, version 2)", hint="pip install 'vaultkit[mcp]'") from error
    finally:
        gc.enable()
    session = os.environ.get("VAULTKIT_SESSION") or f"mcp-{uuid.uuid4().hex[:8]}"

    def opener() -> App:
        return open_app(url or None, root=root, now=face.now, clock=datetime.now, session=session)

    run(opener)
