"""MCP: the vault's tools, resources and prompts over stdio, or mounted by the REST server as streamable HTTP.

    server(vault)   the MCPServer; *vault* gives the App to one caller at a time
    Vault           such a giver: opens at the first call, closes at the end
    run(opener)     serve standard input until it ends

The SDK is imported by this package and nowhere else; it takes about a second, so that only `vaultkit mcp` pays for it.
"""

from vaultkit.mcp.server import Vault, run, server

__all__ = ["Vault", "run", "server"]
