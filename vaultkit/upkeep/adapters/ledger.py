"""What vaultkit changed in files of other programs, so that it can be taken back byte for byte: a record and the bytes of before, in the state folder."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import stat
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from vaultkit.errors import ConfigError, VaultBusyError
from vaultkit.upkeep.adapters.manifest import Format, Scope

VERSION: Final = 1
_UNFINISHED: Final = ".vk-install-"


class Owned(NamedTuple):
    """One thing that an adapter put into a file."""

    harness: str
    kind: str
    scope: Scope


class Record(NamedTuple):
    """One file: who put what there, its bytes before us (None: it was not there), the hash after us, the folders made for it."""

    owned: tuple[Owned, ...]
    before: bytes | None
    after: str
    folders: tuple[str, ...] = ()
    format: Format = "json"
    project: str = ""


Records = Mapping[str, Record]  # by absolute path, symlinks resolved


def folder() -> Path:
    """Where the record stands: one for the user, since settings of a harness are shared by all vaults."""
    import platformdirs  # noqa: PLC0415

    return platformdirs.user_state_path("vaultkit") / "adapters"


def sha(data: bytes) -> str:
    """The hash of a file's bytes."""
    return hashlib.sha256(data).hexdigest()


@contextlib.contextmanager
def locked() -> Iterator[None]:
    """One install at a time. Raises VaultBusyError when another runs."""
    place = folder()
    made = make_folders(place / "lock")
    try:
        with (place / "lock").open("ab") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise VaultBusyError("another install or uninstall is running", hint="wait for it, then run this again") from None
            yield
            if not (place / "ledger.json").exists():  # nothing is installed: then nothing of it is left here either
                (place / "lock").unlink(missing_ok=True)
    finally:
        remove_folders([*made, place])


def load() -> dict[str, Record]:
    """What is recorded. Raises ConfigError when the record is damaged: guessing would lose what has to be restored."""
    path = folder() / "ledger.json"
    try:
        data = json.loads(path.read_bytes())
        found: dict[str, Record] = {}
        for name, row in data["files"].items():
            before = None if row["before"] is None else (folder() / "before" / row["before"]).read_bytes()
            owned = tuple(Owned(*one) for one in row["owned"])
            found[name] = Record(owned, before, row["after"], tuple(row["folders"]), row["format"], row["project"])
    except FileNotFoundError as error:
        if error.filename == str(path):
            return {}
        raise ConfigError(
            f"a backup is gone: {error.filename}", hint=f"remove {path}; `vaultkit uninstall` then takes only our entries out"
        ) from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ConfigError(
            f"{path} is damaged: {error}", hint="remove that file; `vaultkit uninstall` then takes only our entries out"
        ) from error
    return found


def save(records: Records) -> None:
    """Keep *records*, and the bytes of before that they need."""
    place = folder()
    if not records:
        (place / "ledger.json").unlink(missing_ok=True)
        for old in (place / "before").glob("*"):
            old.unlink()
        with contextlib.suppress(OSError):
            (place / "before").rmdir()
        return
    (place / "before").mkdir(parents=True, exist_ok=True, mode=0o700)
    rows: dict[str, Any] = {}
    held = set()
    for name, record in sorted(records.items()):
        backup = None if record.before is None else backup_name(name, record.before)
        if backup is not None and record.before is not None:
            held.add(backup)
            if not (place / "before" / backup).exists():
                write(place / "before" / backup, record.before, mode=0o600)
        rows[name] = {
            "owned": [list(one) for one in record.owned],
            "before": backup,
            "after": record.after,
            "folders": list(record.folders),
            "format": record.format,
            "project": record.project,
        }
    write(place / "ledger.json", json.dumps({"version": VERSION, "files": rows}, ensure_ascii=False, indent=1).encode() + b"\n", mode=0o600)
    for old in (place / "before").glob("*"):
        if old.name not in held:
            old.unlink()


def backup_name(path: str, data: bytes) -> str:
    """The name of the backup of *path*, which a person can tell."""
    return f"{sha(path.encode('utf-8', 'surrogateescape'))[:8]}-{sha(data)[:12]}-{Path(path).name}"


def write(path: Path, data: bytes, *, mode: int | None = None) -> None:
    """New content for a file, whole or not at all; its mode is kept, else *mode*, else what the umask leaves of 0644."""
    with contextlib.suppress(FileNotFoundError):
        mode = stat.S_IMODE(path.stat().st_mode)
    sweep(path.parent)
    descriptor, temporary = tempfile.mkstemp(prefix=_UNFINISHED, dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(descriptor)
            if mode is None:
                mask = os.umask(0)
                os.umask(mask)
                mode = 0o644 & ~mask
            os.fchmod(descriptor, mode)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def make_folders(path: Path) -> list[Path]:
    """The folders above *path* that were missing, made; outermost first."""
    missing = missing_folders(path)
    for one in missing:
        one.mkdir()
    return missing


def missing_folders(path: Path) -> list[Path]:
    """The folders above *path* that are not there, outermost first."""
    missing: list[Path] = []
    parent = path.parent
    while not parent.exists():
        missing.insert(0, parent)
        parent = parent.parent
    return missing


def sweep(folder: Path) -> None:
    """Take away what a killed install was just writing: only one runs at a time."""
    for left in folder.glob(f"{_UNFINISHED}*"):
        left.unlink(missing_ok=True)


def remove_folders(folders: Sequence[Path]) -> None:
    """Folders go where nothing stands in them (any more), the inner ones first."""
    for one in sorted(set(folders), key=lambda folder: len(folder.parts), reverse=True):
        with contextlib.suppress(OSError):
            sweep(one)
            one.rmdir()
