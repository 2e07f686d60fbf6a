"""One line for every hook that ran (never a prompt, never a variable), in a log that is bounded in size."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Final

from vaultkit.store.activity import ActivityLog

FILE: Final = "hooks.jsonl"  # wire.py writes there too, when it gives up waiting
MAX_BYTES: Final = 200_000  # of one file; four older ones are kept


def hooks_log(state: Path) -> ActivityLog:
    """The log of a vault's state folder: events `hook` with harness, kind, ms, bytes, outcome, served_by."""
    return ActivityLog(state, max_bytes=MAX_BYTES, name=FILE)


def log_run(state: Path, *, t: datetime, harness: str, kind: str, ms: float, size: int, outcome: str, served_by: str) -> None:
    """Add the line of one run."""
    hooks_log(state).append("hook", t=t, harness=harness, kind=kind, ms=round(ms, 1), bytes=size, outcome=outcome, served_by=served_by)
