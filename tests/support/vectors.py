"""Given/expected cases: where they are, and the line that a runner prints."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

_HERE = Path(__file__).resolve().parent.parent / "vectors"


def load(name: str) -> Any:
    """The cases of `<name>.json`: from VAULTKIT_VECTORS when that folder has the file, else from tests/vectors."""
    folder = os.environ.get("VAULTKIT_VECTORS")
    other = Path(folder) / f"{name}.json" if folder else None
    path = other if other is not None and other.is_file() else _HERE / f"{name}.json"
    return json.loads(path.read_text("utf-8"))


def folder(name: str) -> Path:
    """A folder of the vectors, from the same places."""
    given = os.environ.get("VAULTKIT_VECTORS")
    other = Path(given) / name if given else None
    return other if other is not None and other.is_dir() else _HERE / name


def is_own(name: str) -> bool:
    """Are the cases those of tests/vectors? Only then do bars hold that were set for them."""
    folder = os.environ.get("VAULTKIT_VECTORS")
    return not (folder and (Path(folder) / f"{name}.json").is_file())


def report(name: str, passed: int, total: int) -> None:
    """The contract's line; `make vectors` shows it."""
    print(f"\nvectors {name}: passed {passed} of {total}")
