"""Hooks as a harness fires them: in this process by the command, or as the installed program."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.program import Done, Program

SESSION = "0190aaaa-bbbb-4ccc-8ddd-eeeeffff0000"


class Hooks:
    """One harness's session on the vault of a `Program`."""

    def __init__(self, vk: Program, monkeypatch: pytest.MonkeyPatch, harness: str = "claude-code", session: str = SESSION) -> None:
        self.vk = vk
        self.harness = harness
        self.session = session
        self._monkeypatch = monkeypatch

    def run(self, kind: str, payload: bytes) -> Done:
        """The hook with these bytes on standard input."""
        self._monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(payload)))
        return self.vk("hook", self.harness, kind)

    def __call__(self, kind: str, **fields: Any) -> str:
        """The text that the hook injects, "" for none; it must end well and say nothing else."""
        named = "sessionID" if self.harness == "opencode" else "sessionId" if self.harness == "copilot" else "session_id"
        done = self.run(kind, json.dumps({named: self.session, "cwd": "/tmp", **fields}).encode())
        assert done.code == 0
        assert done.err == ""
        if not done.out:
            return ""
        found = json.loads(done.out)
        return str(found.get("text") or found.get("additionalContext") or found["hookSpecificOutput"]["additionalContext"])

    @property
    def state(self) -> Path:
        """The vault's folder of state."""
        return next((self.vk.home / "XDG_STATE_HOME" / "vaultkit").iterdir())

    def rows(self, kind: str = "") -> list[dict[str, Any]]:
        """The rows of this session's file."""
        files = list((self.state / "sessions" / self.harness).glob("*.jsonl"))
        rows = [json.loads(line) for path in files for line in path.read_text().splitlines()]
        return [row for row in rows if not kind or row["kind"] == kind]

    def log(self) -> list[dict[str, Any]]:
        """The lines of the hooks' log."""
        return [json.loads(line) for line in (self.state / "hooks.jsonl").read_text().splitlines()]

    def activity(self, event: str) -> list[dict[str, Any]]:
        """Events of the activity log."""
        path = self.state / "activity.jsonl"
        rows = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
        return [row for row in rows if row["event"] == event]


Make = Callable[..., Hooks]
