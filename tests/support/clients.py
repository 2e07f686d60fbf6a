"""A real MCP client on a vault: in this process, or over the pipes of the real program."""

from __future__ import annotations

import json
import sys
from collections.abc import Awaitable, Callable
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import anyio
from mcp import Client, StdioServerParameters

from vaultkit.app import App, open_app
from vaultkit.mcp import Vault, server

T = TypeVar("T")
NOW = datetime(2026, 11, 30, 9, 0)  # a Monday


def opener(root: Path) -> Callable[[], App]:
    """What opens the vault on that Monday, as `vaultkit mcp` does."""
    return lambda: open_app(root=root, now=lambda: NOW, clock=lambda: NOW, session="mcp-test")


def inside(root: Path, work: Callable[[Client], Awaitable[T]]) -> T:
    """What *work* makes of a client that is connected in this process."""

    async def main() -> T:
        vault = Vault(opener(root))
        try:
            async with Client(server(vault)) as client:
                return await work(client)
        finally:
            vault.close()

    return anyio.run(main)


def outside(root: Path, work: Callable[[Client], Awaitable[T]], *words: str, env: dict[str, str] | None = None) -> T:
    """The same over standard input and output of a process of its own."""
    import os

    parameters = StdioServerParameters(
        command=sys.executable,
        args=["-m", "vaultkit", "--vault", str(root), "--today", NOW.isoformat(), "mcp", *words],
        env={**os.environ, **(env or {})},
    )

    async def main() -> T:
        async with Client(parameters) as client:
            return await work(client)

    return anyio.run(main)


def said(answer: Any) -> str:
    """The text of an answer, whatever kinds of content the protocol has."""
    return str(answer.content[0].text)


def tool(root: Path, name: str, **arguments: Any) -> Any:
    """The structured answer of one call; an error is a failure."""
    found = inside(root, lambda client: client.call_tool(name, arguments))
    assert not found.is_error, said(found)
    assert json.loads(said(found)) == found.structured_content
    return found.structured_content


def refused(root: Path, name: str, **arguments: Any) -> str:
    """The text of a call that is refused."""
    found = inside(root, lambda client: client.call_tool(name, arguments))
    assert found.is_error
    assert "Traceback" not in said(found)
    return said(found)


async def pages(client: Client, name: str, rows: str, **arguments: Any) -> list[Any]:
    """All rows of a list-like answer, page by page."""
    found: list[Any] = []
    cursor = ""
    while cursor is not None:
        answer = await client.call_tool(name, {**arguments, "cursor": cursor})
        assert not answer.is_error, said(answer)
        found += answer.structured_content[rows]
        cursor = answer.structured_content["next_cursor"]
    return found
