"""Record what the real coding agents send to their hooks: adapters/<name>/fixtures/<event>.json, without anything of this machine.

    .venv/bin/python tools/record_payloads.py [HARNESS…]        after `make e2e-harness` installed the programs

The adapter is installed as a person installs it; then a recorder takes the place of vaultkit's hook program.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.support.fake_harness_model import Call, FakeModel  # noqa: E402
from tests.support.harnesses import HARNESSES, Agent  # noqa: E402
from vaultkit import wire  # noqa: E402

RECORDER = """\
import json, os, sys
raw = sys.stdin.read()
with open({log!r}, "a") as log:
    log.write(json.dumps({{"event": sys.argv[4], "run": os.environ.get("RUN", ""), "payload": json.loads(raw) if raw.strip() else raw}}) + "\\n")
"""
ID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b(?:ses|msg|prt)_[0-9A-Za-z]{16,}\b")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d[:-]\d\d(?:[:-]\d\d(?:\.\d+)?)?Z?")
# Events of each harness that need a prompt of their own: label → prompt, in the same session?, further words.
MORE: dict[str, tuple[tuple[str, str, bool, tuple[str, ...]], ...]] = {
    "claude-code": (("compact", "/compact", True, ()), ("subagent", "SPAWNSUB now", False, ())),
    "codex": (("compact", "Go on", True, ("-c", "model_auto_compact_token_limit=10")),),
}


def main() -> None:
    for name in sys.argv[1:] or HARNESSES:
        harness = HARNESSES[name]
        if harness.missing:
            print(f"{name}: {harness.missing}")
            continue
        with tempfile.TemporaryDirectory() as place, FakeModel() as model:
            rows = list(record(Agent(harness, Path(place) / "me", Path(place) / "me/project", model.url), model))
            folder = ROOT / "adapters" / name / "fixtures"
            folder.mkdir(exist_ok=True)
            for old in folder.glob("*.json"):
                old.unlink()
            for label, payload in clean(rows, place):
                (folder / f"{label}.json").write_text(json.dumps(payload, ensure_ascii=False, indent=2) + "\n", "utf-8")
                print(f"{name}: {label}")


def record(agent: Agent, model: FakeModel) -> Iterator[dict[str, Any]]:
    """The events of a session, its continuation, and what MORE asks for."""
    vault, name = agent.home / "vault", agent.harness.name
    env = {**os.environ, "HOME": str(agent.home)}
    vaultkit = [sys.executable, "-m", "vaultkit"]
    subprocess.run([*vaultkit, "init", str(vault)], check=True, env=env, capture_output=True)
    (vault / "tls.md").write_text("# TLS certificate\n\nRenewed by hand every March.\n", "utf-8")
    subprocess.run([*vaultkit, "--vault", str(vault), "install", name, "--no-skills"], check=True, env=env, capture_output=True)
    log, recorder = agent.home / "log", agent.home / "vaultkit/wire.py"
    recorder.parent.mkdir()
    recorder.write_text(RECORDER.format(log=str(log)), "utf-8")
    for file in agent.home.glob(".*/**/*"):
        if file.is_file() and ".local" not in file.parts and wire.__file__.encode() in (data := file.read_bytes()):
            file.write_bytes(data.replace(wire.__file__.encode(), str(recorder).encode()))
    model.say("READNOTE", Call("read", str(vault / "tls.md")))
    model.say("SPAWNSUB", Call("agent", "SUBTASK", {"description": "sub", "subagent_type": "general-purpose", "run_in_background": False}))
    model.say("SUBTASK", Call("read", str(vault / "tls.md")))
    inside = ("--include-directories", str(vault)) if name == "gemini" else ()
    for label, prompt, resume, words in (
        ("", "READNOTE How do we renew the TLS certificate?", False, inside),
        ("resume", "And who does it?", True, ()),
        *MORE.get(name, ()),
    ):
        with contextlib.suppress(subprocess.TimeoutExpired):  # with a limit that low Codex compacts on and on: the hooks have run by then
            agent.run(prompt, resume=resume, words=words, timeout=15 if label == "compact" else 120, RUN=label)
    for line in log.read_text("utf-8").splitlines():
        yield json.loads(line)


def clean(rows: list[dict[str, Any]], place: str) -> Iterator[tuple[str, Any]]:
    """A label and a payload for the first of each kind; paths below /home, ids and times the same at every recording."""
    ids: dict[str, str] = {}
    seen: set[str] = set()
    for row in rows:
        payload = row["payload"]
        label = row["event"] + (f"-{row['run']}" if row["run"] and row["run"] != row["event"] else "")
        if payload.get("prompt") == "":
            label += "-empty"
        if label in seen:
            continue
        seen.add(label)
        text = json.dumps(payload, ensure_ascii=False).replace(place, "/home").replace(place.replace("/", "-"), "-home")
        text = ID.sub(lambda found: ids.setdefault(found[0], f"00000000-0000-4000-8000-{len(ids) + 1:012}"), text)
        text = TIME.sub("2026-11-30T09:00:00.000Z", text)
        payload = json.loads(text)
        for key in ("timestamp", "duration_ms"):
            if isinstance(payload.get(key), (int, float)):
                payload[key] = 1796029200000 if key == "timestamp" else 5
        yield label, payload


if __name__ == "__main__":
    main()
