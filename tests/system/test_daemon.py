"""The daemon and its client: one process, fast answers, and silence on any trouble."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import vaultkit
from tests.support.program import Program
from vaultkit import wire

WIRE = str(Path(wire.__file__))
PROMPT = json.dumps({"prompt": "renew the TLS certificate with certbot"}).encode()


@pytest.fixture
def served(vk: Program, monkeypatch: pytest.MonkeyPatch) -> Iterator[Program]:
    """A vault, and a socket of its own; whatever daemon runs is ended afterwards."""
    monkeypatch.setenv("VAULTKIT_SOCKET", str(vk.home / "d.sock"))
    monkeypatch.setenv("VAULTKIT_WARM_SECONDS", "20")
    monkeypatch.setenv("VAULTKIT_COLD_SECONDS", "20")
    vk.write("renew.md", "---\ntitle: Renewing the TLS certificate\ndescription: Run certbot.\n---\ncertbot and nginx\n")
    for number in range(30):
        vk.write(f"t/{number}.md", f"# Topic {number}\n\nGardens, music and travel {number}.\n")
    vk.ok("sync")
    yield vk
    vk("daemon", "stop")


def client(vk: Program, payload: bytes = PROMPT, *words: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-I", "-S", WIRE, "prompt", str(vk.vault), *words], input=payload, capture_output=True, check=False, timeout=60
    )


def test_the_client_needs_nothing_but_the_standard_library() -> None:
    source = Path(WIRE).read_text()
    imported = {line.split()[1]: line.startswith(" ") for line in source.splitlines() if line.strip().startswith(("import ", "from "))}
    assert imported.keys() <= {*sys.stdlib_module_names}
    assert {name for name, inside in imported.items() if not inside} == {"__future__", "os", "sys"}
    # json and hashlib cost more than an answer: only the line about a lost one needs them.
    used = source[: source.index("def _log_lost")] + source[source.index("def _state_home") :]
    assert not re.search(r"import (?:json|hashlib|socket|re|time)\b", used)
    assert vaultkit.__version__ == wire.VERSION


def test_a_prompt_is_answered_by_the_daemon(served: Program) -> None:
    served.ok("daemon", "start")
    done = client(served)
    assert done.returncode == 0
    assert b"1|Renewing the TLS certificate|renew.md|Run certbot." in done.stdout
    assert served.json("why")["served_by"] == "daemon"
    status = served.json("daemon", "status")
    assert (status["running"], status["vaults"]) == (True, [str(served.vault)])
    socket = Path(os.environ["VAULTKIT_SOCKET"])
    assert stat.S_IMODE(socket.stat().st_mode) == 0o600


def test_without_a_daemon_the_work_is_done_and_one_is_started(served: Program) -> None:
    done = client(served)
    assert b"renew.md" in done.stdout
    assert served.json("why")["served_by"] == "cli"
    deadline = time.monotonic() + 20
    while not served.json("daemon", "status")["running"]:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert b"renew.md" in client(served).stdout
    assert served.json("why")["served_by"] == "daemon"


@pytest.mark.parametrize(
    "payload", [b"", b"{", b"\xff\xfe", b'{"prompt": 5}', b"[]", b"continue", json.dumps({"prompt": "続けて"}).encode()]
)
def test_whatever_comes_the_client_is_silent_and_succeeds(served: Program, payload: bytes) -> None:
    served.ok("daemon", "start")
    done = client(served, payload)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_vault_that_is_none_is_silence(served: Program) -> None:
    served.ok("daemon", "start")
    done = subprocess.run(
        [sys.executable, "-I", "-S", WIRE, "prompt", "/nowhere/at/all"], input=PROMPT, capture_output=True, check=False, timeout=60
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert served.json("daemon", "status")["running"]


def test_changes_are_seen_by_the_next_prompt(served: Program) -> None:
    served.ok("daemon", "start")
    assert b"renew.md" in client(served).stdout
    for number in range(3):
        served.write(f"new{number}.md", f"---\ntitle: Quokka feeding schedule {number}\n---\nquokka feeding\n")
        time.sleep(0.3)  # the watcher's debounce; without a watcher each prompt looks for itself
        assert f"new{number}.md".encode() in client(served, f"quokka feeding schedule {number}".encode()).stdout


def test_twenty_starters_make_one_daemon(served: Program) -> None:
    command = [sys.executable, "-m", "vaultkit", "daemon", "run", "--idle", "30"]
    starters = [subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for _ in range(20)]
    deadline = time.monotonic() + 60
    while sum(starter.poll() is None for starter in starters) > 1:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert served.json("daemon", "status")["running"]
    served.ok("daemon", "stop")
    assert [starter.wait(20) for starter in starters] == [0] * 20


def test_a_newer_client_replaces_an_older_daemon_and_an_older_one_does_not(served: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    served.ok("daemon", "start")
    monkeypatch.setattr(wire, "VERSION", "0.0.1")
    assert wire.ask("status", (), b"", 5) is not None
    monkeypatch.setattr(wire, "VERSION", "99.0.0")
    assert wire.ask("status", (), b"", 5) is None
    monkeypatch.setattr(wire, "VERSION", vaultkit.__version__)
    deadline = time.monotonic() + 10
    while wire.ask("status", (), b"", 5) is not None:
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_it_survives_a_deleted_cache_and_a_kill(served: Program) -> None:
    served.ok("daemon", "start")
    assert b"renew.md" in client(served).stdout
    shutil.rmtree(Path(os.environ["XDG_CACHE_HOME"]) / "vaultkit")
    served.write("touched.md", "x\n")
    time.sleep(0.3)
    assert b"renew.md" in client(served).stdout
    os.kill(served.json("daemon", "status")["pid"], signal.SIGKILL)
    assert b"renew.md" in client(served).stdout
    served.ok("daemon", "start")
    assert b"renew.md" in client(served).stdout


def test_it_ends_by_itself_when_idle(served: Program) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "vaultkit", "daemon", "run", "--idle", "0.5"], capture_output=True, check=False, timeout=30
    )
    assert done.returncode == 0
    assert not Path(os.environ["VAULTKIT_SOCKET"]).exists()


def test_sixteen_clients_at_once_while_files_change(served: Program) -> None:
    served.ok("daemon", "start")
    client(served)
    failures: list[bytes | None] = []
    ended = threading.Event()

    def change() -> None:
        number = 0
        while not ended.is_set():
            served.write(f"churn/{number % 7}.md", f"# churn {number}\n")
            number += 1
            time.sleep(0.02)

    def asks() -> None:
        for _ in range(38):
            answer = wire.ask("prompt", (str(served.vault),), PROMPT, 30)
            if answer is None or b"renew.md" not in answer:
                failures.append(answer)

    churn = threading.Thread(target=change)
    churn.start()
    clients = [threading.Thread(target=asks) for _ in range(16)]
    for one in clients:
        one.start()
    for one in clients:
        one.join()
    ended.set()
    churn.join()
    assert failures == []
    assert served.json("daemon", "status")["requests"] >= 600


def test_foreign_bytes_on_the_socket_harm_nobody(served: Program) -> None:
    import socket

    served.ok("daemon", "start")
    for data in (b"", b"GET / HTTP/1.1\r\n\r\n", b"\0" * 10_000, b"vaultkit 1 x\n", b"vaultkit 1 0.1.0 nonsense\n"):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(os.environ["VAULTKIT_SOCKET"])
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            assert connection.recv(100) == b""
    assert b"renew.md" in client(served).stdout


# -- the same operation there as here ----------------------------------------------------------------------------------


def requests(vk: Program) -> int:
    return int(vk.json("daemon", "status")["requests"])


def test_search_is_answered_by_the_daemon_and_says_the_same(served: Program) -> None:
    served.write("daily/2026-11-29.md", "- certbot ran twice\n")
    served.write("壊れ\udcff.md".encode("utf-8", "surrogateescape").decode("utf-8", "replace"), "# 壊れた証明書\n")
    asks = (("renew certificate",), ("証明書", "-n", "3"), ("--all", "gardens"), ("--on", "2026-11-29"), ("nothing-like-it",))
    here = [(served.json("search", *ask), served.ok("search", *ask).out) for ask in asks]
    served.ok("daemon", "start")
    before = requests(served)
    there = [(served.json("search", *ask), served.ok("search", *ask).out) for ask in asks]
    assert there == here
    assert requests(served) - before == 2 * len(asks) + 1
    assert served.process("search", "renew certificate").stdout.decode() == here[0][1]


def test_recall_is_answered_by_the_daemon_and_why_says_so(served: Program) -> None:
    here = served.json("recall", "renew the TLS certificate")
    served.ok("daemon", "start")
    there = served.json("recall", "renew the TLS certificate")
    assert (here["served_by"], there["served_by"], served.json("why")["served_by"]) == ("cli", "daemon", "daemon")
    assert there["notes"] == here["notes"]
    assert there["text"] == here["text"]
    tree = served.json("recall", "--spread", "renew the TLS certificate")
    assert (tree["served_by"], tree["tree"][0]["path"]) == ("daemon", "renew.md")


def test_what_is_asked_in_another_environment_or_day_is_done_in_process(served: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    served.ok("daemon", "start")
    assert served.json("recall", "--today", "2026-11-30", "renew the TLS certificate")["served_by"] == "cli"
    monkeypatch.setenv("VAULTKIT_PRIVATE_FOLDERS", "t")
    assert served.json("recall", "renew the TLS certificate")["served_by"] == "cli"
    monkeypatch.delenv("VAULTKIT_PRIVATE_FOLDERS")
    assert served.json("recall", "renew the TLS certificate")["served_by"] == "daemon"
    monkeypatch.setattr(wire, "VERSION", "99.0.0")
    assert served.json("recall", "renew the TLS certificate")["served_by"] == "cli"


def test_an_error_is_the_same_with_a_daemon(served: Program) -> None:
    served.write(".vaultkit.toml", "inbox_foldr = 'x'\n")
    here = served.json("search", "renew", code=2)
    (served.vault / ".vaultkit.toml").unlink()
    served.ok("daemon", "start")
    assert served.json("search", "renew")["hits"]
    served.write(".vaultkit.toml", "inbox_foldr = 'x'\n")
    assert served.json("search", "renew", code=2) == here


def test_a_changed_setting_holds_for_the_next_prompt(served: Program) -> None:
    served.ok("daemon", "start")
    assert b"renew.md" in client(served).stdout
    assert "prompt" not in served.json("why")
    served.ok("config", "record_prompts", "true")
    assert b"renew.md" in client(served).stdout
    assert served.json("why")["prompt"] == "renew the TLS certificate with certbot"


def test_a_daemon_that_answers_nonsense_is_done_without(served: Program) -> None:
    import socket

    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.environ["VAULTKIT_SOCKET"])
        server.listen(4)

        def nonsense() -> None:
            for answer in (b"ok\n{", b"", b"what"):
                connection, _ = server.accept()
                with connection:
                    while connection.recv(65536):
                        pass
                    connection.sendall(answer)

        thread = threading.Thread(target=nonsense)
        thread.start()
        for _ in range(3):
            assert served.json("search", "renew certificate")["hits"][0]["path"] == "renew.md"
        thread.join()
    Path(os.environ["VAULTKIT_SOCKET"]).unlink()
