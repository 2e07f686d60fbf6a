"""Transcripts that harnesses keep: where they stand, and their ends, read backwards within a bound."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple


class Transcript(NamedTuple):
    """A transcript on disk; *changed* is seconds since the epoch."""

    harness: str
    session: str
    path: str
    changed: float


def tail(path: str, size: int) -> list[bytes]:
    """The last whole lines of *path*, at most *size* bytes; [] for what is no regular file of this user's."""
    return _lines(path, size, from_end=True)


def head(path: str, size: int) -> list[bytes]:
    """The first lines of *path*, at most *size* bytes; [] likewise."""
    return _lines(path, size, from_end=False)


def _lines(path: str, size: int, *, from_end: bool) -> list[bytes]:
    if not path.endswith(".jsonl"):
        return []
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return []
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode) or found.st_uid != os.getuid():
            return []
        start = max(0, found.st_size - size) if from_end else 0
        file.seek(start)
        lines = file.read(size).splitlines()
    return lines[1:] if start else lines  # the first one is cut


# harness → the variable that moves its folder, its folder in the home, and where its transcripts are in there
_PLACES: Final[Mapping[str, tuple[str, str, str]]] = {
    "claude-code": ("CLAUDE_CONFIG_DIR", ".claude", "projects/*/*.jsonl"),
    "codex": ("CODEX_HOME", ".codex", "sessions/*/*/*/rollout-*.jsonl"),
    "copilot": ("COPILOT_HOME", ".copilot", "session-state/*/events.jsonl"),
    "gemini": ("GEMINI_CLI_HOME", ".gemini", "tmp/*/chats/session-*.jsonl"),
    "qwen": ("QWEN_HOME", ".qwen", "projects/*/chats/*.jsonl"),
}


def find(harness: str, *, since: float, home: Path, environment: Mapping[str, str]) -> Iterator[Transcript]:
    """The transcripts of *harness* that changed after *since*."""
    if harness not in _PLACES:
        return
    variable, folder, pattern = _PLACES[harness]
    base = Path(environment[variable]) if environment.get(variable) else home / folder
    for path in sorted(base.glob(pattern)):
        try:
            changed = path.stat().st_mtime
        except OSError:
            continue
        if changed > since:
            yield Transcript(harness, _session_of(harness, path), str(path), changed)


def _session_of(harness: str, path: Path) -> str:
    if harness == "copilot":
        return path.parent.name
    if harness == "codex":
        return path.stem[-36:]  # rollout-2026-11-30T09-00-00-<uuid>
    return path.stem
