"""The real programs, each in an empty home, against a model on the loopback: `make e2e-harness`."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.fake_harness_model import REPLY, Call, FakeModel, Request
from tests.support.harnesses import HARNESSES, Agent
from vaultkit import wire

pytestmark = pytest.mark.e2e

ROOT = Path(__file__).resolve().parent.parent.parent
NOTE = "tls-certificate.md"
NOTE_TEXT = """\
---
title: TLS certificate renewal
description: Renewed by hand every March with certbot on the edge host.
date: 2026-01-05
tags:
  - infra
scope: work
type: knowledge
status: active
---

# TLS certificate renewal

The TLS certificate is renewed by hand every March with certbot on the edge host. TOOLMARK
"""
RULE = "Never deploy on a Friday afternoon."
DIGEST = f"|{NOTE}|"
PROMPT = "How do we renew the TLS certificate? READNOTE"


class Bench:
    """One agent with vaultkit installed, its vault, and the model that it talks to."""

    def __init__(self, name: str, place: Path, model: FakeModel) -> None:
        self.name, self.model = name, model
        self.vault = place / "my vault ノート"
        self.agent = Agent(HARNESSES[name], place / "home", place / "project", model.url)
        self.socket = place / "s"
        self.more = {"VAULTKIT_SOCKET": str(self.socket), "VAULTKIT_EMBEDDER": "none"}
        self.cli(False, "init", str(self.vault))
        (self.vault / NOTE).write_text(NOTE_TEXT, "utf-8")
        (self.vault / "rules.md").write_text(f"# Rules\n\n- {RULE}\n", "utf-8")
        for number in range(30):
            (self.vault / f"other-{number}.md").write_text(
                f"# Other {number}\n\nGardening in month {number}, and the neighbours.\n", "utf-8"
            )
        self.cli(True, "sync")
        model.say("READNOTE", Call("read", str(self.vault / NOTE)))

    def cli(self, vault: bool, *words: str) -> str:
        place = ["--vault", str(self.vault)] if vault else []
        env = {**self.agent.env(**self.more), "PATH": os.environ["PATH"]}
        done = subprocess.run(
            [sys.executable, "-m", "vaultkit", *place, *words], env=env, cwd=self.agent.project, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done
        return done.stdout

    def install(self, *words: str) -> None:
        self.cli(True, "install", self.name, *words)

    def warm(self) -> None:
        """The daemon, with this vault open."""
        self.cli(True, "daemon", "start")
        self.cli(True, "recall", "warm up")
        hook = [sys.executable, "-I", "-S", wire.__file__, "hook", str(self.vault), self.name, "prompt"]
        subprocess.run(hook, input=b"{}", env=self.agent.env(**self.more), check=True, capture_output=True)

    def ask(self, prompt: str, *, resume: bool = False, timeout: float = 180, **more: str) -> list[Request]:
        """One prompt; it has to come to an answer. The requests of the agent's turns."""
        self.model.clear()
        words = ("--include-directories", str(self.vault)) if self.name == "gemini" and self.vault.is_dir() else ()
        done = self.agent.run(prompt, resume=resume, words=words, timeout=timeout, **{**self.more, **more})
        assert done.returncode == 0, done
        assert REPLY in done.stdout, done
        return self.model.turns

    def events(self, event: str) -> list[dict[str, Any]]:
        """Rows of the activity log."""
        return [row for file in self.state("activity.jsonl") for row in _rows(file) if row.get("event") == event]

    def runs(self) -> list[dict[str, Any]]:
        """Rows of the log of hook runs."""
        return [row for file in self.state("hooks.jsonl") for row in _rows(file)]

    def state(self, name: str) -> list[Path]:
        """Files in the vault's state folder."""
        return sorted((self.agent.home / ".local/state/vaultkit").glob(f"*/{name}"))


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    for line in file.read_text("utf-8").splitlines():
        yield json.loads(line)


@pytest.fixture
def bench(request: pytest.FixtureRequest) -> Iterator[Callable[[str], Bench]]:
    """Makes benches; ends what they started."""
    place = Path(tempfile.mkdtemp(prefix="vk-e2e-"))  # short: it holds a socket
    made: list[Bench] = []
    with FakeModel() as model:

        def make(name: str) -> Bench:
            if HARNESSES[name].missing:
                pytest.skip(HARNESSES[name].missing)
            made.append(Bench(name, place / name, model))
            return made[-1]

        yield make
        for one in made:
            one.cli(True, "daemon", "stop") if one.socket.exists() else None
    shutil.rmtree(place, ignore_errors=True)


def until(true: Callable[[], object], seconds: float = 30) -> Any:
    """What *true* gives as soon as it is something; the worker is another process."""
    end = time.monotonic() + seconds
    while not (found := true()):
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.1)
    return found


# where a text stands in a request: the role (or the place) of what holds it
def places(body: Any, needle: str) -> list[str]:
    found = ["system" for key in ("system", "instructions", "systemInstruction") if needle in _plain(body.get(key))]
    for message in body.get("messages") or body.get("input") or body.get("contents") or ():
        found += [str(message.get("role"))] * _plain(message).count(needle)
    return found


def _plain(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False).replace("&lt;", "<").replace("&gt;", ">")


# harness → where the start's text and the digest stand in the request
PLACES = {
    "claude-code": ("system", "system"),
    "codex": ("developer", "developer"),
    "copilot": ("user", "user"),
    "gemini": ("user", "user"),
    "opencode": ("user", "user"),
    "qwen": ("system", "user"),
}


@pytest.mark.parametrize("name", PLACES)
def test_start_and_digest_reach_the_model_once_and_in_their_place(bench: Callable[[str], Bench], name: str) -> None:
    one = bench(name)
    one.install()
    one.warm()
    turns = one.ask(PROMPT)
    assert len(turns) == 2, one.runs()
    assert "deadlines placed in fields" in turns[0].text, "the skills are offered"
    start, digest = PLACES[name]
    for turn in turns:
        assert places(turn.body, RULE) == [start], one.runs()
        assert places(turn.body, DIGEST) == [digest], one.runs()
    assert "TOOLMARK" in turns[1].text
    opened = until(lambda: one.events("opened"))
    assert [(row["path"], row["harness"]) for row in opened] == [(NOTE, name)]
    kinds = {row["kind"] for row in one.runs()}
    assert {"start", "prompt", "tool", "turn"} - ({"start"} if name == "opencode" else set()) <= kinds
    again = one.ask("And who does it, by the way?", resume=True)
    assert places(again[0].body, RULE) == [start], one.runs()
    assert len(places(again[0].body, DIGEST)) <= 1, one.runs()


@pytest.mark.parametrize("name", PLACES)
def test_after_the_session_the_worker_writes_its_note(bench: Callable[[str], Bench], name: str) -> None:
    one = bench(name)
    one.install()
    one.warm()
    one.ask(PROMPT)
    if name == "qwen":  # its session end does not fire with -p: half an hour later whatever comes next takes the session up
        for file in one.state("sessions/*/*.jsonl"):
            os.utime(file, (time.time() - 3600, time.time() - 3600))
        one.cli(True, "session", "work")
    note = until(lambda: list(one.vault.rglob("SESS-*.md")), 60)[0]
    assert "TLS certificate" in note.read_text("utf-8")


@pytest.mark.parametrize("name", PLACES)
def test_no_trouble_of_ours_blocks_a_prompt(bench: Callable[[str], Bench], name: str) -> None:
    one = bench(name)
    one.install()
    # No daemon, and whatever runs our hook is killed.
    with Killing(str(one.vault)):
        assert one.ask("first prompt")
    # A daemon that takes the call and never answers.
    with Deaf(one.socket):
        assert one.ask("second prompt")
    # A vault that is gone.
    one.vault.rename(one.vault.with_name("gone"))
    turns = one.ask("third prompt")
    assert all(DIGEST not in turn.text for turn in turns)
    # And one that is no folder.
    one.vault.write_text("not a vault", "utf-8")
    assert one.ask("fourth prompt")


class Killing:
    """Kills every process of ours for a vault as soon as it is seen."""

    def __init__(self, vault: str) -> None:
        self.vault, self.ended = vault.encode(), threading.Event()
        self.thread = threading.Thread(target=self._run)

    def __enter__(self) -> None:
        self.thread.start()

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        self.thread.join()

    def _run(self) -> None:
        while not self.ended.wait(0.002):
            for folder in Path("/proc").glob("[0-9]*"):
                try:
                    words = (folder / "cmdline").read_bytes()
                    if b"wire.py\0hook" in words and self.vault in words:
                        os.kill(int(folder.name), signal.SIGKILL)
                except (OSError, ValueError):
                    continue


class Deaf:
    """A socket that listens and says nothing."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> None:
        self.path.unlink(missing_ok=True)
        self.server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.server.bind(str(self.path))
        self.server.listen(128)

    def __exit__(self, *_: object) -> None:
        self.server.close()
        self.path.unlink(missing_ok=True)


@pytest.mark.parametrize("name", PLACES)
def test_uninstall_restores_what_stood_there_after_a_session(bench: Callable[[str], Bench], name: str) -> None:
    one = bench(name)
    one.ask("before anything is installed")  # the program makes the files of its own
    before = _settings(one.agent.home)
    one.install("--mcp", "--agents-md")
    one.ask(PROMPT)
    one.cli(True, "uninstall")
    after = _settings(one.agent.home)
    assert [path for path in after if b"wire.py" in after[path]] == []
    assert [path for path in after if path not in before and path.endswith(("SKILL.md", "AGENTS.md", "vaultkit.js", "hooks.json"))] == []
    changed = [path for path in before if path in after and before[path] != after[path]]
    assert all(b"vaultkit" not in after[path] for path in changed), changed


def _settings(home: Path) -> dict[str, bytes]:
    """Files that could be settings: no databases, logs, caches, histories of sessions, nor what vaultkit keeps for itself."""
    files = [path for path in home.rglob("*") if path.is_file() and path.suffix in {".json", ".jsonc", ".toml", ".md", ".js"}]
    kept = [path for path in files if not _OTHER & set(path.relative_to(home).parts)]
    return {path.relative_to(home).as_posix(): path.read_bytes() for path in kept}


_OTHER = {
    *(".cache", "state", "sessions", "projects", "session-state", "history", "node_modules", "tmp", "log", "logs", "storage"),
}


SKILL_CALL = {"claude-code": "/{skill} {words}", "codex": "${skill} {words}", "opencode": "Use the skill {skill}: {words}"}


@pytest.mark.parametrize("name", ["claude-code", "codex"])
def test_braindump_files_the_words_and_the_receipt_comes_back(bench: Callable[[str], Bench], name: str) -> None:
    one = bench(name)
    one.install()
    words = "Send the slides to Priya by 2026-12-04 17:00"
    command = f"{_cli(one)} capture -- {shlex.quote(words)}"
    one.model.say("DUMPIT", Call("shell", command))
    turns = one.ask(SKILL_CALL[name].format(skill="braindump", words=f"{words} DUMPIT"))
    assert f"{_cli(one)} capture -- " in turns[0].text.replace('\\"', '"').replace("\\\\", "\\"), "the skill's own words reach the model"
    note = next(path for path in (one.vault / "inbox").glob("*.md") if "Priya" in path.read_text("utf-8"))
    assert "due: 2026-12-04" in note.read_text("utf-8")
    assert note.stem in turns[-1].text, "the receipt"


FINDINGS = """\
# How often is the certificate renewed

Every 90 days.

## Findings

- Certificates last 90 days: https://example.org/lifetime
"""


@pytest.mark.parametrize("name", ["claude-code", "codex"])
def test_research_stores_findings_with_their_source_and_refuses_those_without(bench: Callable[[str], Bench], name: str) -> None:
    one = bench(name)
    one.install()
    save = f"{_cli(one)} research save -"
    without = FINDINGS.replace(": https://example.org/lifetime", "")
    one.model.say(
        "FINDOUT", Call("shell", f"printf %s {shlex.quote(without)} | {save}"), Call("shell", f"printf %s {shlex.quote(FINDINGS)} | {save}")
    )
    turns = one.ask(SKILL_CALL[name].format(skill="research", words="how often is the certificate renewed FINDOUT"))
    assert f"{_cli(one)} research save" in turns[0].text.replace('\\"', '"')
    assert len(turns) == 3
    assert "source" in turns[1].text
    kept = [path.read_text("utf-8") for path in one.vault.rglob("*.md") if "last 90 days" in path.read_text("utf-8")]
    assert any("https://example.org/lifetime" in text and "status: active" in text for text in kept), kept


def _cli(one: Bench) -> str:
    from vaultkit.upkeep.adapters.command import Program

    return Program(sys.executable, wire.__file__, str(one.vault)).cli()


@pytest.mark.parametrize("folder", ["adapters/claude-code", "adapters/claude-code/plugin"])
def test_claude_takes_our_marketplace_and_plugin_for_valid(tmp_path: Path, folder: str) -> None:
    claude = HARNESSES["claude-code"]
    if claude.missing:
        pytest.skip(claude.missing)
    env = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", **claude.env("http://127.0.0.1:9")}
    done = subprocess.run([*claude.program, "plugin", "validate", str(ROOT / folder)], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done
    assert "Validation passed" in done.stdout


def test_gemini_takes_our_extension_for_valid(tmp_path: Path) -> None:
    gemini = HARNESSES["gemini"]
    if gemini.missing:
        pytest.skip(gemini.missing)
    env = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", **gemini.env("http://127.0.0.1:9")}
    folder = ROOT / "adapters/gemini/extension"
    done = subprocess.run([*gemini.program, "extensions", "validate", str(folder)], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done


def test_codex_installs_our_plugin(bench: Callable[[str], Bench]) -> None:
    one = bench("codex")
    program = HARNESSES["codex"].program[0]
    for words in (("plugin", "marketplace", "add", str(ROOT / "adapters/codex")), ("plugin", "add", "vaultkit@vaultkit")):
        done = subprocess.run([program, *words], env=one.agent.env(), cwd=one.agent.project, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done


def test_doctor_reads_the_trust_of_the_real_codex(bench: Callable[[str], Bench]) -> None:
    one = bench("codex")
    one.install()
    path = f"{Path(HARNESSES['codex'].program[0]).parent}{os.pathsep}{os.environ['PATH']}"
    words = [sys.executable, "-m", "vaultkit", "--json", "--vault", str(one.vault), "doctor"]
    done = subprocess.run(
        words, env={**one.agent.env(**one.more), "PATH": path}, cwd=one.agent.project, capture_output=True, text=True, check=False
    )
    checks = {check["name"]: check for check in json.loads(done.stdout)["checks"]}
    assert done.returncode == 1
    assert "6 hooks, untrusted" in checks["codex trust"]["text"]
    assert "0.171.0" in checks["codex"]["text"]
