"""The folders that vaultkit ships: vault-template, skills, adapters. In the wheel they are package data, in a checkout they stand beside the package."""

from __future__ import annotations

from pathlib import Path

import vaultkit
from vaultkit.errors import NotFoundError


def shipped(name: str) -> Path:
    """The shipped folder *name*."""
    package = Path(vaultkit.__file__).resolve().parent
    for folder in (package / "_data" / name, package.parent / name):
        if folder.is_dir():
            return folder
    raise NotFoundError(f"this installation lacks its {name} folder", hint="install vaultkit again")


def lay_out(template: Path, root: Path) -> list[str]:
    """Copy a shipped folder into *root*; files that exist are left alone. Returns the paths made, in order."""
    made = []
    for source in sorted(path for path in template.rglob("*") if path.is_file()):
        relative = source.relative_to(template)
        target = root / relative
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            with target.open("xb") as file:
                file.write(source.read_bytes())
        except FileExistsError:
            continue
        made.append(relative.as_posix())
    return made
