"""The highest number that each kind of record ever had here, and the lock under which a new one is given.

A mark only: the files tell as much while no record is deleted for good. It keeps a number from being given again after an undo.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from vaultkit.errors import VaultBusyError

FILE: Final = "records.json"


class Numbers:
    """The marks of one vault, in *folder*."""

    def __init__(self, folder: Path, *, timeout: float) -> None:
        self._folder = folder
        self._file = folder / FILE
        self._timeout = timeout

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        """One writer of records at a time, from the look at what there is to the commit. Raises VaultBusyError."""
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor = os.open(self._file.with_suffix(".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            end = time.monotonic() + self._timeout
            while True:
                try:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError as error:
                    if time.monotonic() >= end:
                        raise VaultBusyError(
                            "another vaultkit command is writing records", hint="wait for it to end, then retry"
                        ) from error
                    time.sleep(0.01 + os.getpid() % 8 / 400)  # waiting processes stay out of step
            yield
        finally:
            os.close(descriptor)  # releases it

    def highest(self, kind: str) -> int:
        """The highest number that was given to a kind; 0 when none is known."""
        found = self._read().get(kind)
        return found if isinstance(found, int) else 0

    def give(self, given: Mapping[str, int]) -> None:
        """Note the highest number of each kind, under `lock`; none is ever lowered."""
        known = self._read()
        raised = known | {kind: max(number, self.highest(kind)) for kind, number in given.items()}
        if raised != known:
            fresh = self._file.with_suffix(".new")
            fresh.write_text(json.dumps(raised), "utf-8")
            fresh.replace(self._file)

    def _read(self) -> dict[str, Any]:
        try:
            found = json.loads(self._file.read_bytes())
        except (OSError, ValueError):  # missing, or damaged: the files tell
            return {}
        return found if isinstance(found, dict) else {}
