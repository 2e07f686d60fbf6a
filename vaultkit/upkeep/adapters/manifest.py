"""adapters/<name>/adapter.toml → Adapter. Adding a harness adds a folder, no code here."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from vaultkit.app.shipped import shipped
from vaultkit.errors import UsageError

Scope = Literal["user", "project"]
Format = Literal["json", "jsonc", "toml", "file", "block"]

EVENTS: Final = ("start", "prompt", "tool", "turn", "compact", "end")


class Surroundings(NamedTuple):
    """Where paths of a manifest lead: the home folder, the project, and the environment that may move a program's own folder."""

    home: Path
    project: Path
    env: Mapping[str, str]


class Hooks(NamedTuple):
    """Where the hooks of a harness stand. *also*: further files of its own that it reads; *runs*: files of other adapters that it runs too."""

    user: str
    project: str
    format: Format
    template: str
    also: tuple[str, ...] = ()
    runs: Mapping[str, tuple[str, ...]] = {}
    off: str = ""  # a setting that turns all hooks off
    beside: tuple[str, ...] = ()  # TOML files that may hold hooks too
    plugins: str = ""  # a setting that names the plugins in use


class Timeouts(NamedTuple):
    """How this harness writes a time limit; *most* by event name, in its unit."""

    key: str
    unit: Literal["s", "ms"]
    most: Mapping[str, float]


class Adapter(NamedTuple):
    """One harness, as its manifest tells of it. A place that it has not is ""."""

    name: str
    title: str
    tested: str
    programs: tuple[str, ...]
    home: str
    home_env: str
    scope: Scope
    always: frozenset[str]
    hooks: Hooks | None
    timeouts: Timeouts | None
    events: Mapping[str, str]
    places: Mapping[tuple[str, Scope], str]  # (hooks | skills | mcp | instructions, scope) → path
    mcp_format: Format
    mcp_entry: Mapping[str, Any]
    next: tuple[str, ...]
    trust: tuple[str, ...]  # words that start the program's server that tells which hooks are trusted
    folder: Path

    def place(self, kind: str, scope: Scope, around: Surroundings) -> Path | None:
        """Where *kind* stands; None where this harness has no such place."""
        written = self.places.get((kind, scope), "")
        return self.resolve(written, around) if written else None

    def resolve(self, written: str, around: Surroundings) -> Path:
        """A path of the manifest: `~`, `{home}`, `{config}`, else inside the project."""
        config = Path(around.env.get("XDG_CONFIG_HOME") or around.home / ".config")
        named = around.env.get(self.home_env) if self.home_env else None
        default = self.home.replace("{config}", str(config)).replace("~", str(around.home), 1)
        home = named or default
        # Claude Code keeps .claude.json beside its folder, and inside it when the folder was moved.
        parent = named or os.path.dirname(default)  # noqa: PTH120 - text in, text out
        path = written.replace("{home_parent}", parent).replace("{home}", home)
        if path.startswith("~"):
            path = str(around.home) + path[1:]
        return around.project / path


def names() -> list[str]:
    """Every adapter that is shipped."""
    return sorted(found.parent.name for found in shipped("adapters").glob("*/adapter.toml"))


def read(name: str) -> Adapter:
    """The adapter *name*. Raises UsageError with the nearest known name."""
    known = names()
    if name not in known:
        import difflib  # noqa: PLC0415

        near = difflib.get_close_matches(name, known, n=1)
        raise UsageError(f"no adapter named {name!r}", hint=f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}")
    folder = shipped("adapters") / name
    return parse(tomllib.loads((folder / "adapter.toml").read_text("utf-8")), folder)


def every() -> list[Adapter]:
    """All of them."""
    return [read(name) for name in names()]


def parse(data: Mapping[str, Any], folder: Path) -> Adapter:
    """A manifest's own words as an Adapter. Raises KeyError where one is missing."""
    hooks, timeouts, mcp = data.get("hooks"), data.get("timeouts"), data.get("mcp", {})
    places: dict[tuple[str, Scope], str] = {}
    scopes: Sequence[Scope] = ("user", "project")
    for kind in ("hooks", "skills", "mcp", "instructions"):
        for scope in scopes:
            if written := data.get(kind, {}).get(scope):
                places[kind, scope] = written
    return Adapter(
        name=data["name"],
        title=data["title"],
        tested=data.get("tested", ""),
        programs=tuple(data.get("programs", ())),
        home=data.get("home", "~"),
        home_env=data.get("home_env", ""),
        scope=data.get("scope", "user"),
        always=frozenset(data.get("always", ())),
        hooks=None
        if hooks is None
        else Hooks(
            hooks["user"],
            hooks["project"],
            hooks["format"],
            hooks["template"],
            tuple(hooks.get("also", ())),
            {other: tuple(files) for other, files in hooks.get("runs", {}).items()},
            hooks.get("off", ""),
            tuple(hooks.get("beside", ())),
            hooks.get("plugins", ""),
        ),
        timeouts=None if timeouts is None else Timeouts(timeouts["key"], timeouts["unit"], timeouts.get("most", {})),
        events=data.get("events", {}),
        places=places,
        mcp_format=mcp.get("format", "json"),
        mcp_entry=mcp.get("entry", {}),
        next=tuple(data.get("next", {}).get("steps", ())),
        trust=tuple(data.get("trust", {}).get("server", ())),
        folder=folder,
    )
