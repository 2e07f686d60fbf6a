"""Generate the shipped forms of the adapters (plugins, extensions, copies of the skills) from adapters/<name>/ and skills/.

    .venv/bin/python tools/build_adapters.py            write them
    .venv/bin/python tools/build_adapters.py --check    say which are out of date; exit 1 if any is

A form names the program as `vaultkit`: that has to be on the PATH, with the vault in VAULTKIT_VAULT or in `vaultkit config vault`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from vaultkit import __version__  # noqa: E402
from vaultkit.upkeep.adapters.command import ByName, render, render_file  # noqa: E402

NAME = "vaultkit"
TOLD = "Your Obsidian vault as the memory of your coding agents: recall, capture, deadlines."
# What is generated and nothing else: files in these folders that are not generated are out of date.
FOLDERS = (
    "claude-code/.claude-plugin", "claude-code/plugin", "codex/.agents", "codex/plugin", "gemini/extension", "opencode/plugin", "agents/.agents",
)  # fmt: skip


def forms() -> Iterator[tuple[str, str]]:
    """Path below adapters/ → text, of every generated file."""
    author = {"name": "vaultkit"}
    about = {"name": NAME, "version": __version__, "description": TOLD}
    yield (
        "claude-code/.claude-plugin/marketplace.json",
        _json(
            {
                "name": NAME,
                "owner": author,
                "metadata": {"description": TOLD, "version": __version__},
                "plugins": [{"name": NAME, "source": "./plugin", "description": TOLD}],
            }
        ),
    )
    yield (
        "claude-code/plugin/.claude-plugin/plugin.json",
        _json({**about, "author": author, "license": "MIT", "keywords": ["memory", "obsidian"]}),
    )
    yield "claude-code/plugin/hooks/hooks.json", _json(_hooks("claude-code"))
    yield from _skills("claude-code/plugin/skills")
    yield (
        "codex/.agents/plugins/marketplace.json",
        _json({"name": NAME, "plugins": [{"name": NAME, "source": {"source": "local", "path": "./plugin"}, "description": TOLD}]}),
    )
    yield "codex/plugin/.codex-plugin/plugin.json", _json({**about, "skills": "./skills/", "hooks": "./hooks/hooks.json"})
    yield "codex/plugin/hooks/hooks.json", _json(_hooks("codex"))
    yield from _skills("codex/plugin/skills")
    yield "gemini/extension/gemini-extension.json", _json(about)
    yield "gemini/extension/hooks/hooks.json", _json(_hooks("gemini"))
    yield from _skills("gemini/extension/skills")
    yield (
        "opencode/plugin/package.json",
        _json({**about, "name": "opencode-vaultkit", "type": "module", "main": "vaultkit.js", "license": "MIT"}),
    )
    yield "opencode/plugin/vaultkit.js", render_file((ROOT / "adapters/opencode/vaultkit.js").read_text("utf-8"), ByName(), "opencode")
    yield from _skills("agents/.agents/skills")


def main() -> int:
    wanted = dict(forms())
    folder = ROOT / "adapters"
    there = {file.relative_to(folder).as_posix() for one in FOLDERS for file in (folder / one).rglob("*") if file.is_file()}
    stale = sorted(name for name in wanted if name not in there or (folder / name).read_text("utf-8") != wanted[name])
    gone = sorted(there - set(wanted))
    if "--check" in sys.argv[1:]:
        for name in (*stale, *gone):
            print(f"out of date: adapters/{name}")
        print("run tools/build_adapters.py" if stale or gone else "up to date")
        return 1 if stale or gone else 0
    for name in gone:
        (folder / name).unlink()
    for name in stale:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(wanted[name], "utf-8")
    print(f"{len(stale)} written, {len(gone)} removed")
    return 0


def _hooks(name: str) -> Any:
    return render(json.loads((ROOT / "adapters" / name / "hooks.json").read_text("utf-8")), ByName(), name)


def _skills(place: str) -> Iterator[tuple[str, str]]:
    for file in sorted(path for path in (ROOT / "skills").rglob("*") if path.is_file()):
        yield f"{place}/{file.relative_to(ROOT / 'skills').as_posix()}", file.read_text("utf-8")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


if __name__ == "__main__":
    sys.exit(main())
