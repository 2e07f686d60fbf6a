"""The daemon under load: many clients, many prompts, files changing underneath. No error, and no memory that grows.

usage: soak.py [--notes 4700] [--vault PATH] [--clients 16] [--prompts 10000] [--sessions 50]

Prints figures, and exits 1 when a prompt failed, memory grew by more than a tenth, or a process was left. A vault that is named is copied.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROMPTS = (
    "what did we decide about the zebrafish budget?",
    "会議の議事録はどこ？",
    "release plan and the search index",
    "背景色は何色だった？",
    "memory agent design",
    "continue",
    "how do the notes about deadlines hang together?",
)
GROWTH = 1.10
WARM_UP = 0.1  # of the prompts: what is loaded once is no growth


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--notes", type=int, default=4700)
    parser.add_argument("--vault", type=Path)
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--prompts", type=int, default=10_000)
    parser.add_argument("--sessions", type=int, default=50)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="vaultkit-soak-") as folder:
        for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "HOME"):
            os.environ[name] = f"{folder}/{name}"
        os.environ["VAULTKIT_SOCKET"] = f"{folder}/s"
        root = Path(folder) / "vault"
        if options.vault:
            shutil.copytree(options.vault, root)
        else:
            subprocess.run(
                [sys.executable, str(HERE / "gen_vault.py"), str(root), str(options.notes)], check=True, stdout=subprocess.DEVNULL
            )
        subprocess.run([sys.executable, "-m", "vaultkit", "sync", "--vault", str(root)], check=True)
        problems = [*starts(root, options.sessions), *soak(root, options.clients, options.prompts)]
    for problem in problems:
        print(f"PROBLEM: {problem}")
    sys.exit(1 if problems else 0)


def starts(root: Path, sessions: int) -> list[str]:
    """So many sessions that begin at once make one daemon; nobody is left when it has ended."""
    from vaultkit import daemon, wire

    client = [sys.executable, "-I", "-S", str(Path(wire.__file__)), "prompt", str(root)]
    environment = {**os.environ, "VAULTKIT_WARM_SECONDS": "30", "VAULTKIT_COLD_SECONDS": "120"}
    running = [subprocess.Popen(client, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=environment) for _ in range(sessions)]
    for one in running:
        assert one.stdin is not None
        one.stdin.write(b"memory agent design")
        one.stdin.close()
    codes = [one.wait(300) for one in running]
    end = time.monotonic() + 60
    while (found := ours()) and len(found) > 1 and time.monotonic() < end:
        time.sleep(0.2)  # those that found another daemon end by themselves
    count = len(ours())
    print(f"{sessions} sessions at once: exit codes {sorted(set(codes))}, {count} daemon")
    daemon.start()
    daemon.stop()
    while ours() and time.monotonic() < end:
        time.sleep(0.2)
    left = len(ours())
    print(f"after stop: {left} processes left")
    return [
        text
        for text, bad in ((f"{count} daemons", count != 1), (f"{left} processes left", left > 0), ("a client failed", any(codes)))
        if bad
    ]


def soak(root: Path, clients: int, prompts: int) -> list[str]:
    """The prompts, from so many clients."""
    from vaultkit import daemon, wire

    daemon.start()
    took: list[float] = []
    failed: list[str] = []
    sizes: list[float] = []
    ended = threading.Event()
    each = prompts // clients

    def change() -> None:
        number = 0
        while not ended.wait(0.1):
            file = root / "churn" / f"{number % 23}.md"
            file.parent.mkdir(exist_ok=True)
            if number % 5 == 4:
                file.unlink(missing_ok=True)
            else:
                file.write_text(f"# Churn {number}\n\nmemory agent design {number}, 会議 {number}\n")
            number += 1

    def ask(name: int) -> None:
        for number in range(each):
            payload = json.dumps({"prompt": PROMPTS[(name + number) % len(PROMPTS)], "session_id": f"{name}-{number // 50}"}).encode()
            started = time.perf_counter()
            answer = wire.ask("prompt", (str(root),), payload, 60)
            took.append((time.perf_counter() - started) * 1000)
            if answer is None:
                failed.append(f"client {name}, prompt {number}")
            if len(took) % max(1, prompts // 100) == 0 and (found := daemon.status(30)):
                sizes.append(found.rss_mb)

    churn = threading.Thread(target=change)
    churn.start()
    began = time.perf_counter()
    threads = [threading.Thread(target=ask, args=(name,)) for name in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    ended.set()
    churn.join()
    seconds = time.perf_counter() - began
    known = daemon.status(30)
    daemon.stop()
    took.sort()
    warm = sizes[int(len(sizes) * WARM_UP) :] or [0.0]
    early, late = statistics.median(warm[: max(1, len(warm) // 5)]), statistics.median(warm[-max(1, len(warm) // 5) :])
    print(
        f"{len(took):,} prompts by {clients} clients in {seconds:.0f} s: {len(failed)} failed; "
        f"p50 {took[len(took) // 2]:.1f} ms, p95 {took[len(took) * 95 // 100]:.1f} ms; "
        f"RSS {early:.0f} MB after the warm-up, {late:.0f} MB at the end ({late / max(early, 1) - 1:+.1%})"
    )
    problems = [f"{len(failed)} prompts failed, first {failed[0]}"] if failed else []
    if late > early * GROWTH:
        problems.append(f"memory grew from {early:.0f} to {late:.0f} MB")
    return problems if known else [*problems, "the daemon was gone"]


def ours() -> list[int]:
    """Process ids of daemons and workers of this socket."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
                mine = os.environ["VAULTKIT_SOCKET"].encode() in (entry / "environ").read_bytes()
            except OSError:
                continue
            if mine and b"vaultkit" in words and b"daemon" in words:
                found.append(int(entry.name))
    return found


if __name__ == "__main__":
    main()
