"""Real clients of the Local REST API, by exact version: installed once into `.e2e/rest/`, driven as their users' programs drive them."""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / ".e2e/rest"


def python_client(name: str, *requirements: str) -> Path:
    """The folder of programs of a client from PyPI, in a virtual environment of its own."""
    folder = CACHE / name
    if not (folder / "installed").exists():
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        pip = [str(folder / "bin/python"), "-m", "pip", "install", "-q", "--disable-pip-version-check", *requirements]
        subprocess.run(pip, check=True, capture_output=True)
        (folder / "installed").touch()
    return folder / "bin"


def node_client(name: str, requirement: str) -> Path:
    """The folder of a client from npm."""
    folder = CACHE / name
    if not (folder / "installed").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (folder / "package.json").write_text("{}")
        subprocess.run(
            ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", requirement], cwd=folder, check=True, capture_output=True
        )
        (folder / "installed").touch()
    return folder / "node_modules" / requirement.rpartition("@")[0]


class Mcp:
    """One MCP server over standard input and output."""

    def __init__(self, process: subprocess.Popen[bytes], timeout: float) -> None:
        self._process = process
        self._timeout = timeout
        self._number = 0
        self._rest = b""

    def tools(self) -> list[str]:
        """The names of its tools."""
        return [tool["name"] for tool in self.ask("tools/list")["result"]["tools"]]

    def call(self, tool: str, **arguments: Any) -> str:
        """A tool's answer, as text; its error too."""
        answer = self.ask("tools/call", {"name": tool, "arguments": arguments})
        if "error" in answer:
            return f"ERROR {answer['error']['message']}"
        text = "\n".join(part.get("text", "") for part in answer["result"]["content"])
        return f"ERROR {text}" if answer["result"].get("isError") else text

    def ask(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        """One request and its answer; what else the server says meanwhile is passed over."""
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params or {}})
        end = time.monotonic() + self._timeout
        while True:
            line = self._line(end)
            try:
                found = json.loads(line)
            except ValueError:  # one of them prints words to its standard output now and then
                continue
            if isinstance(found, dict) and found.get("id") == self._number:
                return found

    def begin(self) -> Self:
        """Shake hands."""
        hello = {"protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": {"name": "e2e", "version": "1"}}
        self.ask("initialize", hello)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return self

    def _send(self, message: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()

    def _line(self, end: float) -> bytes:
        assert self._process.stdout is not None
        while b"\n" not in self._rest:
            ready, _, _ = select.select([self._process.stdout], [], [], max(0.0, end - time.monotonic()))
            data = os.read(self._process.stdout.fileno(), 65536) if ready else b""
            assert data, "the client gave no answer"
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\n")
        return line


@contextmanager
def mcp(command: Sequence[str], env: Mapping[str, str], log: Path, *, timeout: float = 60) -> Iterator[Mcp]:
    """A client's server, started and ended; what it says on stderr goes to *log*."""
    with log.open("wb") as errors:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, env={**os.environ, **env}, cwd=log.parent
        )
        try:
            yield Mcp(process, timeout).begin()
        finally:
            process.kill()
            process.communicate()
