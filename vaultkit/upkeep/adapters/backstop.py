"""Where hooks do not fire, a harness's own transcripts are read: from the day it is installed, in the folders that it is installed for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from vaultkit import sessions
from vaultkit.app import App, open_app
from vaultkit.upkeep.adapters import manifest
from vaultkit.upkeep.adapters.manifest import Surroundings
from vaultkit.upkeep.adapters.plan import Found, Wish


def watch(app: App, wish: Wish, around: Surroundings) -> None:
    """Read the transcripts of what was installed for this vault."""
    for adapter in map(manifest.read, wish.names):
        if adapter.hooks is not None:
            sessions.watch(app, adapter.name, str(around.project) if (wish.scope or adapter.scope) == "project" else "")


def unwatch(hooks: Iterable[Found], left: Sequence[Found]) -> None:
    """Read no more those whose *hooks* went; *left*: those that stand elsewhere still."""
    stay = {(one.adapter.name, _vault(one)) for one in left}
    for name, vault in {(one.adapter.name, _vault(one)) for one in hooks} - stay:
        if vault and Path(vault).is_dir():
            with open_app(root=Path(vault)) as app:
                sessions.unwatch(app, name)


def _vault(found: Found) -> str:
    words = found.handler.words
    at = words.index("hook") if "hook" in words else len(words)
    return words[at + 1] if at + 1 < len(words) else ""
