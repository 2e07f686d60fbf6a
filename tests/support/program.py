"""The real program on a vault in a temporary home: in process for most tests, as a process where that matters."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

TODAY = "2026-11-30T09:00"  # a Monday


class Done(NamedTuple):
    """What a command printed, and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Program:
    """`vaultkit` with a home of its own."""

    def __init__(self, home: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
        self.home = home
        self.vault = home / "vault"
        self._monkeypatch = monkeypatch
        self._capfd = capfd
        for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
            monkeypatch.setenv(name, str(home / name))
        monkeypatch.setenv("HOME", str(home))
        for name in list(os.environ):
            if name == "PYTHONDONTWRITEBYTECODE":
                monkeypatch.delenv(name)  # each process would compile the whole program again
            if name.startswith("VAULTKIT_") and name not in {"VAULTKIT_VECTORS", "VAULTKIT_KILLS"}:
                monkeypatch.delenv(name)

    def __call__(self, *words: str, vault: bool = True) -> Done:
        """Run in this process."""
        from vaultkit.cli import main

        self._capfd.readouterr()
        place = ["--vault", str(self.vault)] if vault else []
        with pytest.raises(SystemExit) as ended:
            main([*place, *words])
        out, err = self._capfd.readouterr()
        return Done(int(ended.value.code or 0), out, err)

    def ok(self, *words: str) -> Done:
        """Run; exit code 0 is expected."""
        done = self(*words)
        assert done.code == 0, done
        return done

    def json(self, *words: str, code: int = 0) -> Any:
        """Run with --json; the parsed answer."""
        done = self("--json", *words)
        assert done.code == code, done
        return done.json

    def process(
        self, *words: str, stdin: bytes = b"", env: dict[str, str] | None = None, timeout: float = 60
    ) -> subprocess.CompletedProcess[bytes]:
        """Run as a process of its own."""
        command = [sys.executable, "-m", "vaultkit", "--vault", str(self.vault), *words]
        return subprocess.run(command, input=stdin, capture_output=True, check=False, timeout=timeout, env={**os.environ, **(env or {})})

    def write(self, path: str, text: str | bytes) -> Path:
        """Put a file into the vault, as a person would."""
        file = self.vault / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file

    def read(self, path: str) -> str:
        return (self.vault / path).read_bytes().decode()
