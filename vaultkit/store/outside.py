"""Rules files of harnesses, outside the vault (CLAUDE.md, AGENTS.md): read, and replaced whole and at once, keeping their mode."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from vaultkit.errors import ConflictError, NotFoundError, RefusedError


def read(path: Path) -> bytes | None:
    """The file's bytes; None when there is none. Raises RefusedError when it cannot be read."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise RefusedError(f"{path}: {error.strerror}", hint="correct the setting rules_files, or the file") from error


def replace(path: Path, data: bytes, *, expected: bytes) -> None:
    """Put *data* in the place of *expected*. A link is followed; nothing is made that was not there."""
    real = Path(os.path.realpath(path))
    if not real.is_file():
        raise NotFoundError(f"{path} is no file", hint="make it, or correct the setting rules_files")
    if real.read_bytes() != expected:
        raise ConflictError(f"{path} changed meanwhile; nothing was written there", hint="try again")
    try:
        descriptor, fresh = tempfile.mkstemp(dir=real.parent, prefix=f".{real.name}.")
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            Path(fresh).chmod(real.stat().st_mode & 0o7777)
            Path(fresh).replace(real)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(fresh).unlink()
            raise
    except OSError as error:
        raise RefusedError(f"{path}: {error.strerror}", hint="nothing was written there; correct that, then try again") from error
