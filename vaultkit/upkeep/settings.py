"""Read and write settings files; comments and order in them are kept."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from vaultkit import config as settings
from vaultkit.errors import ConfigError


class Setting(NamedTuple):
    """One setting as it holds now. *origin*: default, user, vault or env."""

    name: str
    value: Any
    default: Any
    origin: str
    vault: bool
    doc: str


SECRET = frozenset({"obsidian_key"})


def show(root: Path | None) -> list[Setting]:
    """Every setting with its value, where that comes from, and what it means."""
    holding = settings.load(root)
    user = _names(settings.user_config_file())
    vault = _names(root / settings.VAULT_FILE) if root else frozenset()
    rows = []
    for name, default, vault_may, doc in settings.table():
        origin = "env" if f"VAULTKIT_{name.upper()}" in os.environ else "vault" if name in vault else "user" if name in user else "default"
        value = getattr(holding, name)
        rows.append(Setting(name, "(set, not shown)" if value and name in SECRET else value, default, origin, vault_may, doc))
    return rows


def set_value(name: str, text: str | None, *, root: Path | None) -> Path:
    """Set a setting (None: back to its default) in the vault's file when *root* is given, else in the user's; the file written."""
    path = settings.user_config_file() if root is None else root / settings.VAULT_FILE
    value = (
        settings.check(name, settings.from_text(name, "" if text is None else text), where=str(path), vault_file=root is not None)
        if text is not None
        else None
    )
    if text is None:
        settings.from_text(
            name, str(next(default for known, default, _, _ in settings.table() if known == name)) if _is_known(name) else ""
        )
    import tomlkit  # noqa: PLC0415 - only `config set` needs it
    from tomlkit.exceptions import TOMLKitError  # noqa: PLC0415

    try:
        document = tomlkit.parse(settings.settings_bytes(path, vault_file=root is not None).decode("utf-8-sig"))
    except FileNotFoundError:
        document = tomlkit.document()
    except (TOMLKitError, UnicodeDecodeError, RecursionError) as error:
        raise ConfigError(f"{path}: {error}", hint="correct that file, then set again") from error
    if value is None:
        document.pop(name, None)
    else:
        document[name] = value
    _replace(Path(os.path.realpath(path)), tomlkit.dumps(document).encode())
    return path


def _replace(path: Path, data: bytes) -> None:
    """New content for a settings file, whole or not at all; the temporary name is one that nobody can have put a symlink at before."""
    path.parent.mkdir(parents=True, exist_ok=True)
    mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o644
    descriptor, temporary = tempfile.mkstemp(prefix=".vk-settings-", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            os.fchmod(descriptor, mode)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _is_known(name: str) -> bool:
    return any(known == name for known, _, _, _ in settings.table())


def _names(path: Path) -> frozenset[str]:
    import tomllib  # noqa: PLC0415

    return frozenset(tomllib.loads(path.read_text("utf-8-sig"))) if path.is_file() else frozenset()
