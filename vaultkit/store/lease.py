"""Which machine may dream: a small file beside the vault's settings, that syncs with it and runs out (memory.md M42).

A lease is advice between machines that see each other's files late; on one machine a lock in the state folder decides.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import socket
import uuid
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple

from vaultkit.errors import UnavailableError, VaultBusyError

FILE: Final = ".vaultkit-dream.json"
HOURS: Final = 3.0  # longer than any run; a machine that was switched off in the middle blocks no longer


class Lease(NamedTuple):
    """Who holds it. *machine* is an id of the state folder, *name* what people call the machine."""

    machine: str
    name: str
    until: datetime


def read(root: Path) -> Lease | None:
    """The lease that stands there; None when there is none or it cannot be read."""
    try:
        found = json.loads((root / FILE).read_text("utf-8"))
        return Lease(str(found["machine"]), str(found["name"])[:80], datetime.fromisoformat(found["until"]))
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None


@contextlib.contextmanager
def held(root: Path, state: Path, *, now: datetime, hours: float = HOURS) -> Iterator[None]:
    """Hold the lease while a dream writes. Raises VaultBusyError when another process or another machine holds it."""
    state.mkdir(parents=True, exist_ok=True, mode=0o700)
    with (state / "dream.lock").open("ab") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise VaultBusyError(
                "another dream is running on this machine", hint="wait for it; `vaultkit dream log` shows its run"
            ) from None
        mine = _machine(state)
        there = read(root)
        if there is not None and there.machine != mine and _naive(there.until) > now:
            raise VaultBusyError(
                f"{there.name or 'another machine'} holds the dream lease until {there.until:%Y-%m-%d %H:%M}",
                hint=f"wait for it to run out, or delete {FILE} in the vault when that machine is gone",
            )
        try:
            _write(root, Lease(mine, socket.gethostname(), now + timedelta(hours=hours)))
        except OSError as error:
            raise UnavailableError(f"the dream lease {FILE} cannot be written: {error.strerror}", hint="make the vault writable") from error
        try:
            yield
        finally:
            with contextlib.suppress(OSError):
                if (left := read(root)) is not None and left.machine == mine:
                    (root / FILE).unlink()


def _naive(moment: datetime) -> datetime:
    return moment.astimezone().replace(tzinfo=None) if moment.tzinfo is not None else moment


def _machine(state: Path) -> str:
    path = state / "machine"
    with contextlib.suppress(OSError):
        if found := path.read_text("ascii", "replace").strip():
            return found
    made = uuid.uuid4().hex
    path.write_text(made, "ascii")
    return made


def _write(root: Path, lease: Lease) -> None:
    temp = root / f"{FILE}.{os.getpid()}.tmp"
    temp.write_text(
        json.dumps({"machine": lease.machine, "name": lease.name, "until": lease.until.isoformat(timespec="seconds")}) + "\n", "utf-8"
    )
    temp.replace(root / FILE)
