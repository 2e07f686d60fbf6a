"""Build the wheel once, and use the program from it, away from the checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent.parent


def build(folder: Path) -> Path:
    """The wheel, built with the environment's own hatchling (no network)."""
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--disable-pip-version-check",
        "-w",
        str(folder),
        str(CHECKOUT),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode and "No module named pip" in done.stderr:  # an environment made by uv has no pip
        done = subprocess.run(
            [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
            cwd=CHECKOUT,
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    return next(folder.glob("vaultkit-*.whl"))


def use(program: Path, home: Path) -> None:
    """The main job with an installed program, in an empty home: init, capture, search, lookahead."""
    env = {"HOME": str(home), "PATH": os.environ.get("PATH", ""), "LANG": "C.UTF-8"}

    def run(*words: str, code: int = 0) -> str:
        done = subprocess.run([str(program), *words], cwd=home, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == code, done
        return done.stdout

    made = json.loads(run("init", "vault", "--json"))
    assert ".obsidian/app.json" in made["created"]
    receipt = json.loads(run("capture", "--vault", "vault", "--json", "--today", "2026-11-30T09:00", "Send the slides to Priya by Friday"))
    assert receipt["action_items"][0]["due"] == "2026-12-04"
    assert json.loads(run("search", "--vault", "vault", "--json", "slides"))["hits"][0]["path"] == receipt["path"]
    assert json.loads(run("lookahead", "--vault", "vault", "--json", "--today", "2026-12-03", code=1))["items"][0]["tier"] == "soon"
