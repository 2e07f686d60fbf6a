"""Processes that are killed, and processes that write at once: the vault stays whole and no update is lost.

Run as a program, this file is the process that gets killed, or one of those that race.
"""

from __future__ import annotations

import os
import random
import re
import select
import signal
import subprocess
import sys
import time
import warnings
from datetime import UTC, datetime
from pathlib import Path

import pytest

from vaultkit.errors import ConflictError
from vaultkit.store.files import FileStore, disk
from vaultkit.text.edit import Create, Edit, Move, Rewrite, Trash, hash_of

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
KILLS = int(os.environ.get("VAULTKIT_KILLS", "20"))
TOPICS = 12
DAILY, INDEX = "daily/2026-11-30.md", "index.md"


def start(root: Path) -> None:
    """A vault with a daily note, and an index that links every topic by its full path."""
    for name, text in {
        DAILY: "# Monday\n",
        INDEX: "".join(f"- [[topics/topic-{n}]]\n" for n in range(TOPICS)),
        **{f"topics/topic-{n}.md": topic(n, "topics") for n in range(TOPICS)},
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def topic(number: int, folder: str) -> str:
    """A topic's text: it names its own folder, so moving it rewrites it."""
    return f"# Topic {number}\n[self](../{folder}/topic-{number}.md)\n{'text ' * 400}\n"


def capture(number: int) -> str:
    return f"# Capture {number}\n{f'line {number} ' * 300}\n"


def check_whole(root: Path, state: Path, acknowledged: int) -> None:
    """Every note is old or new, batches are whole, nothing that was reported is lost, nothing temporary is left."""
    files = [p for p in root.rglob("*") if p.is_file()]
    assert [p.name for p in files if p.name.startswith(".")] == []
    assert [p.name for p in state.glob("pending/*")] == []
    captured = {int(p.stem.split("-")[1]) for p in root.glob("inbox/*.md")}
    for number in captured:
        assert (root / f"inbox/capture-{number}.md").read_text() == capture(number)
    assert (root / DAILY).read_text() == "# Monday\n" + "".join(f"- [[capture-{n}]]\n" for n in sorted(captured))
    assert set(range(acknowledged)) <= captured
    linked = re.findall(r"\[\[(.*?)/topic-(\d+)\]\]", (root / INDEX).read_text())
    assert len(linked) == TOPICS
    for folder, number in linked:
        assert (root / folder / f"topic-{number}.md").read_text() == topic(int(number), folder)
    assert sum("topic-" in p.name for p in files) == TOPICS
    assert len(files) == 2 + TOPICS + len(captured)


def capture_and_move(store: FileStore, seed: int) -> None:
    """Capture and move for ever; each finished capture is told on standard output."""
    dice = random.Random(seed)
    store.recover()
    while True:
        daily = store.read(DAILY)
        number = daily.data.count(b"[[")
        edits: list[Edit] = [
            Create(f"inbox/capture-{number}.md", capture(number).encode()),
            Rewrite(DAILY, daily.data + f"- [[capture-{number}]]\n".encode(), daily.hash),
        ]
        store.apply(edits, command="capture", now=NOW)
        print(number, flush=True)
        chosen = dice.sample(range(TOPICS), 3)
        index = store.read(INDEX)
        text, edits = index.data.decode(), []
        for each in chosen:
            here, there = ("topics", "archive/2026") if f"[[topics/topic-{each}]]" in text else ("archive/2026", "topics")
            path = f"{here}/topic-{each}.md"
            edits.append(Move(path, f"{there}/topic-{each}.md", store.read(path).hash, topic(each, there).encode()))
            text = text.replace(f"[[{here}/topic-{each}]]", f"[[{there}/topic-{each}]]")
        store.apply([*edits, Rewrite(INDEX, text.encode(), index.hash)], command="move", now=NOW)


def append_lines(store: FileStore, name: str, lines: int) -> None:
    """Append numbered lines to the daily note, reading again whenever another process was first."""
    for number in range(lines):
        while True:
            daily = store.read(DAILY)
            edits: list[Edit] = [
                Rewrite(DAILY, daily.data + f"{name} {number}\n".encode(), daily.hash),
                Create(f"inbox/{name}-{number}.md", b""),
            ]
            try:
                store.apply(edits, command="append", now=NOW)
            except ConflictError:
                continue
            break


def run(*arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, __file__, *map(str, arguments)], stdout=subprocess.PIPE, text=True)


def test_a_process_killed_at_random_moments_leaves_a_whole_vault(tmp_path: Path) -> None:
    root, state = tmp_path / "vault", tmp_path / "state"
    start(root)
    dice = random.Random(20261130)
    acknowledged = 0
    for kill in range(KILLS):
        with run("capture", root, state, kill) as child:
            assert child.stdout is not None
            select.select([child.stdout], [], [], 60)  # it has begun to work
            time.sleep(dice.uniform(0, 0.06))
            child.kill()
            told = [line for line in child.stdout.read().splitlines() if line]
        assert child.returncode == -signal.SIGKILL
        if told:
            acknowledged = int(told[-1]) + 1
        FileStore(root, state).recover()
        check_whole(root, state, acknowledged)
    assert acknowledged


def test_a_process_killed_before_each_single_step_leaves_a_whole_vault(tmp_path: Path) -> None:
    old = {"a.md": b"a", "b.md": b"b", "c.md": b"c", "sub/d.md": b"d"}
    new = {"n/e/w.md": b"new", "a.md": b"A", "m/b.md": b"b", "c2.md": b"C", ".trash/sub/d.md": b"d"}
    edits: list[Edit] = [
        Create("n/e/w.md", b"new"),
        Rewrite("a.md", b"A", hash_of(b"a")),
        Move("b.md", "m/b.md", hash_of(b"b")),
        Move("c.md", "c2.md", hash_of(b"c"), b"C"),
        Trash("sub/d.md", hash_of(b"d")),
    ]
    outcomes = []
    for at in range(1, 1_000):
        root, state = tmp_path / str(at) / "vault", tmp_path / str(at) / "state"
        for name, data in old.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(data)
        if not killed_at(at, FileStore(root, state), edits):
            break
        FileStore(root, state).recover()
        files = {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}
        assert files in (old, new), f"killed before step {at}"
        assert list(state.glob("pending/*")) == []
        outcomes.append(files == new)
    assert outcomes == sorted(outcomes)
    assert set(outcomes) == {False, True}


def killed_at(step: int, store: FileStore, edits: list[Edit]) -> bool:
    """Apply *edits* in a child that is killed before its *step*-th change to the disk; False when it came to its end before."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # pytest-xdist has threads; the child only writes files and dies
        pid = os.fork()
    if pid == 0:
        taken = 0

        def count(name: str, path: str) -> None:
            nonlocal taken
            taken += 1
            if taken == step:
                os.kill(os.getpid(), signal.SIGKILL)

        disk._step = count
        try:
            store.apply(edits, command="test", now=NOW)
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == -signal.SIGKILL


@pytest.mark.parametrize(("processes", "lines"), [(8, 6)])
def test_processes_that_write_at_once_lose_no_update(tmp_path: Path, processes: int, lines: int) -> None:
    root, state = tmp_path / "vault", tmp_path / "state"
    start(root)
    children = [run("append", root, state, f"p{number}", lines) for number in range(processes)]
    for child in children:
        child.communicate()
    assert [child.returncode for child in children] == [0] * processes
    expected = {f"p{number} {line}" for number in range(processes) for line in range(lines)}
    written = (root / DAILY).read_text().splitlines()[1:]
    assert sorted(written) == sorted(expected)
    for number in range(processes):
        own = [line for line in written if line.startswith(f"p{number} ")]
        assert own == [f"p{number} {line}" for line in range(lines)]
    assert len(list(root.glob("inbox/*.md"))) == processes * lines
    assert len(FileStore(root, state).runs(limit=1_000)) == processes * lines


def main(task: str, root: str, state: str, *rest: str) -> None:
    store = FileStore(Path(root), Path(state), lock_timeout=60)
    if task == "capture":
        capture_and_move(store, int(rest[0]))
    else:
        append_lines(store, rest[0], int(rest[1]))


if __name__ == "__main__":
    main(*sys.argv[1:])
