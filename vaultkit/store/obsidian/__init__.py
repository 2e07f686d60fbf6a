"""Obsidian itself, through its plugin Local REST API (facts/rest-api.md): a client, and a vault on top of it.

- `discover` finds address, key and certificate in the plugin's settings; `Address` may also come from our own settings.
- `Client` speaks: the version first, then calls, with a pinned certificate, keep-alive, time limits and clear errors.
- `ObsidianStore` is a VaultStore over the API alone. `LiveStore` is one over files, that lets Obsidian write what a person has open.
"""

from vaultkit.store.obsidian.address import Address, discover, remote
from vaultkit.store.obsidian.client import Client, Greeting
from vaultkit.store.obsidian.store import ObsidianStore

__all__ = ["Address", "Client", "Greeting", "ObsidianStore", "discover", "remote"]
