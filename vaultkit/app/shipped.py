"""The folders that vaultkit ships: vault-template, skills, adapters. In the wheel they are package data, in a checkout they stand beside the package."""

from __future__ import annotations

from contextlib import suppress
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
    """Copy a shipped folder into *root*; files that exist are left alone. Returns the paths made, in order.

    All or nothing: half a template would be taken for somebody's vault the next time.
    """
    made: list[Path] = []
    try:
        for source in sorted(path for path in template.rglob("*") if path.is_file()):
            target = root / source.relative_to(template)
            missing = [folder for folder in (target.parent, *target.parents) if not folder.exists()]
            for folder in reversed(missing):
                folder.mkdir(exist_ok=True)
                made.append(folder)
            try:
                with target.open("xb") as file:
                    made.append(target)
                    file.write(source.read_bytes())
            except FileExistsError:
                continue
    except BaseException:
        for path in reversed(made):
            with suppress(OSError):  # the first error is the one to tell
                path.rmdir() if path.is_dir() else path.unlink()
        raise
    return [path.relative_to(root).as_posix() for path in made if not path.is_dir()]
