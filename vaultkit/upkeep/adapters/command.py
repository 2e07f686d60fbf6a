"""What a harness is told to run: absolute paths and the vault, rendered into the templates of adapters/<name>/."""

from __future__ import annotations

import itertools
import json
import os
import re
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from vaultkit import wire
from vaultkit.errors import RefusedError, UsageError

_UNWRITABLE: Final = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class Program(NamedTuple):
    """Who is run for which vault. All three are absolute."""

    python: str
    wire: str
    vault: str

    def hook(self, harness: str) -> list[str]:
        """The hook program, whose last word is then the event."""
        return [self.python, "-I", "-S", self.wire, "hook", self.vault, harness]

    def mcp(self) -> list[str]:
        """The MCP server. -P: the folder that a harness runs in gives no module to it."""
        return [self.python, "-P", "-m", "vaultkit", "--vault", self.vault, "mcp"]

    def cli(self) -> str:
        """`vaultkit` for a shell, bound to the vault: for skills, which run in any folder."""
        script = Path(self.python).with_name("vaultkit")
        words = [str(script)] if script.is_file() else [self.python, "-P", "-m", "vaultkit"]
        return shlex.join([*words, "--vault", self.vault])


class ByName(NamedTuple):
    """The same where no path is known: in shipped plugins. The vault is then that of VAULTKIT_VAULT or of the user's settings."""

    name: str = "vaultkit"

    def hook(self, harness: str) -> list[str]:
        """See `Program`."""
        return [self.name, "hook", harness]

    def mcp(self) -> list[str]:
        """See `Program`."""
        return [self.name, "mcp"]


def program(vault: Path) -> Program:
    """This installation, for *vault*. Raises RefusedError for a path that no settings file can hold."""
    # Not resolved: in a virtual environment the link is what finds its packages.
    found = Program(os.path.abspath(sys.executable), os.path.abspath(wire.__file__), str(vault.resolve()))  # noqa: PTH100
    for word in found:
        if _UNWRITABLE.search(word):
            raise RefusedError(f"the path {word!r} holds control characters or bytes that are no text", hint="rename that folder")
    return found


def render(template: Any, program: Program | ByName, harness: str) -> Any:
    """A template's value with its `@words` replaced by the command."""
    if isinstance(template, dict):
        return {key: render(value, program, harness) for key, value in template.items()}
    if isinstance(template, list):
        return [render(value, program, harness) for value in template]
    if not isinstance(template, str) or not template.startswith("@"):
        return template
    word, _, event = template.partition(" ")
    hook, mcp = [*program.hook(harness), *([event] if event else [])], program.mcp()
    found: dict[str, Any] = {
        "@program": hook[0],
        "@arguments": hook[1:],
        "@shell": shlex.join(hook),
        "@mcp-program": mcp[0],
        "@mcp-arguments": mcp[1:],
        "@mcp-command": mcp,
    }
    if word not in found:
        raise UsageError(f"{word} in a template of the adapter {harness} means nothing", hint=f"there are {', '.join(found)}")
    return found[word]


def render_file(text: str, program: Program | ByName, harness: str) -> str:
    """The same for a file of code: its `["@command"]` becomes the list of words."""
    return text.replace('["@command"]', json.dumps(program.hook(harness), ensure_ascii=False))


def words_of(handler: Any) -> list[str]:
    """The words that a hook entry of any harness runs; none when it runs no command that can be read."""
    if not isinstance(handler, dict):
        return []
    arguments = handler.get("args")
    for key in ("command", "bash"):
        line = handler.get(key)
        if isinstance(line, list):
            return [str(word) for word in line]
        if isinstance(line, str):
            if isinstance(arguments, list):
                return [line, *map(str, arguments)]
            try:
                return shlex.split(line)
            except ValueError:  # a quotation that is not closed: whatever it is, it is not ours
                return []
    return []


def is_hook(words: Sequence[str]) -> bool:
    """Is this a hook of ours, of whatever installation and vault?"""
    return any(Path(word).parts[-2:] == ("vaultkit", "wire.py") and after == "hook" for word, after in itertools.pairwise(words))


def is_server(words: Sequence[str]) -> bool:
    """Is this the MCP server of ours?"""
    return words[-1:] == ["mcp"] and any(Path(word).name in {"vaultkit", "vk"} for word in words[:-1])
