"""Speed, as ratios to a reference point measured in the same run. Milliseconds depend on the machine; the ratios decide.

REF   = `find -printf` over the vault, then `xargs cat` of all its bytes.
BARE  = the resolved interpreter with `-I -S -c pass`.
VENV  = this environment's `python -I -c pass`.

usage: bench.py [--sizes 4700,20000] [--vault PATH for parse + resolution]
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal

HERE = Path(__file__).resolve().parent
WORDS = [
    "meeting deadline",
    "search index",
    "release plan",
    "zebrafish budget",
    "会議 議事録",
    "背景色",
    "締切",
    "memory agent design",
    "C++",
    "data model error change",
]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", default="4700,20000")
    parser.add_argument("--vault", type=Path, help="real notes for parse + link resolution; else the generated vault")
    options = parser.parse_args()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, Python {sys.version.split()[0]}")
    with tempfile.TemporaryDirectory(prefix="vaultkit-bench-") as folder:
        home = Path(folder)
        for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
            os.environ[name] = str(home / name)
        os.environ["HOME"] = folder
        # Installed programs have their bytecode beside them; without it each run would time the compiler.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        subprocess.run([sys.executable, "-m", "compileall", "-q", str(HERE.parent / "vaultkit")], check=False)
        processes(home)
        for size in map(int, options.sizes.split(",")):
            vault(home, size, options.vault if size < 10_000 else None)
        dql(home)
        scanner()


def processes(home: Path) -> None:
    """What a process costs before it does anything."""
    bare = median(lambda: run([os.path.realpath(sys.executable), "-I", "-S", "-c", "pass"]), 15)
    venv = median(lambda: run([sys.executable, "-I", "-c", "pass"]), 15)
    row("BARE: interpreter -I -S", bare, bare, "BARE")
    row("VENV: venv python -I", venv, bare, "BARE")
    row("import vaultkit", median(lambda: run([sys.executable, "-I", "-c", "import vaultkit"]), 9), venv, "VENV", bar=1.3)
    row("vaultkit --help, whole process", median(lambda: run([program(), "--help"]), 9), venv, "VENV", bar=7)
    del home


def vault(home: Path, size: int, real: Path | None) -> None:
    """Sync, search and capture on a generated vault."""
    import vaultkit.app as apps
    from vaultkit.operations import search

    root = home / f"vault{size}"
    subprocess.run([sys.executable, str(HERE / "gen_vault.py"), str(root), str(size)], check=True, stdout=subprocess.DEVNULL)
    (root / ".vaultkit.toml").write_text('date_property = "created"\ninbox_folder = "00-inbox"\ndaily_folder = "01-daily"\n')
    text_size = sum(path.stat().st_size for path in root.rglob("*.md"))
    print(f"\n{size:,} notes, {text_size / 1e6:.1f} MB")
    small = size < 10_000  # design.md states most bars at 4,700 notes
    ref = median(lambda: reference(root), 5)
    row("REF: find + cat", ref, ref, "REF")

    def first() -> float:
        shutil.rmtree(os.environ["XDG_CACHE_HOME"], ignore_errors=True)
        return run([program(), "sync", "--vault", str(root)])

    row("first sync, whole process", median(first, 3), ref, "REF", bar=30 if small else 0, absolute=0 if small else 11)
    cache = sum(path.stat().st_size for path in Path(os.environ["XDG_CACHE_HOME"]).rglob("*") if path.is_file())
    print(
        f"  {'caches on disk':<44} {cache / 1e6:8.1f} MB    {cache / text_size:6.2f}x the text   (bar 1.2)  {verdict(cache / text_size, 1.2)}"
    )
    walk = median(lambda: bare_walk(root), 7)
    row("bare scandir+stat walk", walk, ref, "REF")
    with apps.open_app(root=root) as app:
        app.sync()
        row("sync, nothing changed, in process", median(lambda: timed(app.sync), 9), walk, "walk", bar=2)
        note = next(path for path in sorted(root.rglob("*.md")))
        original = note.read_text("utf-8")

        def change() -> float:
            note.write_text(original + f"\nchanged {random.random()}\n", "utf-8")
            return timed(app.sync)

        row("sync, one note changed, in process", median(change, 7), ref, "REF", absolute=0.150 if small else 0)
        app.search.search("warm up", limit=10)
        times = [timed(lambda word=word: app.search.search(word, limit=10)) for word in WORDS * 5]
        row("search, index alone, p50", statistics.median(times), ref, "REF", absolute=0.003 if small else 0)
        times = [timed(lambda word=word: search.search(app, search.Ask(word))) for word in WORDS * 2]
        row("search operation (walk, sync, snippets), p50", statistics.median(times), walk, "walk")
    venv = median(lambda: run([sys.executable, "-I", "-c", "pass"]), 9)
    row(
        "sync, nothing changed, whole process",
        median(lambda: run([program(), "sync", "--vault", str(root)]), 7),
        venv,
        "VENV",
        absolute=0.2,
    )
    row(
        "search, whole process, cold",
        median(lambda: run([program(), "search", "--vault", str(root), "zebrafish budget"]), 7),
        venv,
        "VENV",
        bar=12,
    )
    row(
        "lookahead, whole process",
        median(lambda: run([program(), "lookahead", "--exit-zero", "--quiet", "--vault", str(root)]), 5),
        venv,
        "VENV",
    )
    row(
        "backlinks, whole process",
        median(lambda: run([program(), "backlinks", "90-probes/cpp-notes", "--vault", str(root)]), 3),
        venv,
        "VENV",
    )
    row(
        "capture, whole process",
        median(lambda: run([program(), "capture", "--vault", str(root), "Send the slides to Priya by Friday"]), 7),
        venv,
        "VENV",
        bar=25,
    )
    recalls(home, root, size, venv)
    peers(size)
    resolution(real or root)


# Query, and what the real engine takes for it on 5,000 notes with 25,000 tasks (facts/dataview.md §10).
QUERIES = {
    "LIST": ("LIST", 1.3),
    "TABLE, filtered and sorted": ("TABLE rating, status, score FROM #project WHERE rating > 3 SORT rating DESC, file.name", 1.0),
    "GROUP BY": ('TABLE length(rows) FROM "" GROUP BY status', 1.5),
    "TASK": ("TASK WHERE !completed AND due < date(2024-06-01)", 2.8),
    "inlinks": ('TABLE length(file.inlinks) AS n FROM "" SORT length(file.inlinks) DESC LIMIT 20', 0.9),
    "FLATTEN file.tasks": ('TABLE t.text FROM "" FLATTEN file.tasks AS t WHERE !t.completed', 23.8),
}


def dql(home: Path) -> None:
    """Queries on 5,000 notes with 25,000 tasks, beside Dataview's own times; 20,000 notes within five times of that."""
    import vaultkit.app as apps
    from vaultkit.operations import query

    taken: dict[tuple[int, str], float] = {}
    for size in (5000, 20_000):
        print(f"\nDQL, {size:,} notes, {5 * size:,} tasks")
        root = home / f"dql{size}"
        query_vault(root, size)
        with apps.open_app(root=root) as app:
            app.sync()
            query.query(app, "LIST WHERE nothing", seconds=600)  # every text is read once
            for name, (text, theirs) in QUERIES.items():
                seconds = median(lambda text=text: timed(lambda: query.query(app, text, seconds=600)), 3)
                taken[size, name] = seconds
                if size == 5000:
                    row(f"query, warm: {name}", seconds, theirs, "Dataview", bar=1 / 3)
                else:
                    row(f"query, warm: {name}", seconds, taken[5000, name], "5,000", bar=5)
        command = [program(), "query", "--vault", str(root), "TABLE rating FROM #t3 WHERE score > 50"]
        cold = median(lambda command=command: run(command), 3)
        row("query, whole process, cold", cold, cold, "itself")


def query_vault(root: Path, size: int) -> None:
    """Notes with fields, links and five tasks each."""
    source = random.Random(1)
    for number in range(size):
        file = root / f"f{number % 50}" / f"note{number}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        state, day = source.choice(["active", "done", "waiting"]), f"2024-{source.randint(1, 12):02}-{source.randint(1, 28):02}"
        lines = [
            f"---\ntags: [project, t{number % 20}]\nstatus: {state}\nrating: {source.randint(1, 10)}\ndate: {day}\n---",
            f"# Note {number}\n\nkey{number % 30}:: value {number}",
            f"Some [[note{source.randrange(size)}]] and [[note{source.randrange(size)}]] [score:: {source.randint(1, 100)}].\n",
        ]
        for task in range(5):
            due = f"2024-{source.randint(1, 12):02}-{source.randint(1, 28):02}"
            lines.append(f"- [{source.choice(' x')}] Task {task} of note {number} 📅 {due} #tag{task}")
        file.write_text("\n".join([*lines, "", "Some words " + "of no meaning at all " * 30, ""]), "utf-8")


PROMPTS = [
    "what did we decide about the zebrafish budget?",
    "会議の議事録はどこ？",
    "how is the release plan connected with the search index",
    "背景色は何色だった？",
    "memory agent design and the data model",
    "締切はいつだった",
    "notes about C++ in the search index, the model and its error",
]


def recalls(home: Path, root: Path, size: int, venv: float) -> None:
    """Recall and search: in process, as processes of their own, and through a warm daemon."""
    import vaultkit.app as apps
    from vaultkit import daemon, wire
    from vaultkit.operations import recall, search

    small = size < 10_000
    with apps.open_app(root=root) as app:
        app.sync()
        app.unchanged = lambda: True  # as in the daemon, whose watcher says so
        for prompt in PROMPTS:
            recall.recall(app, recall.Ask(prompt))
        percentiles(
            "recall, in process",
            [partial(recall.recall, app, recall.Ask(prompt)) for prompt in PROMPTS],
            20,
            absolute=0.003 if small else 0.008,
        )
        percentiles("search operation, lexical", [partial(search.search, app, search.Ask(word)) for word in WORDS], 5, absolute=0.003)
        hashed(app)
        percentiles(
            "search operation, hybrid (vectors of hashed words)",
            [partial(search.search, app, search.Ask(word)) for word in WORDS],
            5,
            absolute=0.010,
        )
    shutil.rmtree(next(Path(os.environ["XDG_CACHE_HOME"]).rglob("vectors-1")))
    os.environ["VAULTKIT_SOCKET"] = str(home / "s")
    python = os.path.realpath(sys.executable)
    os.environ["VAULTKIT_PYTHON"] = sys.executable
    hook = [python, "-I", "-S", str(Path(wire.__file__).resolve()), "prompt", str(root)]
    once = [sys.executable, "-m", "vaultkit", "daemon", "once", "prompt", str(root)]
    at = iter(range(1_000_000))
    alone = [run(once, PROMPTS[next(at) % len(PROMPTS)].encode()) for _ in range(9)]
    row("prompt, no daemon, whole process, p50", statistics.median(alone), venv, "VENV", absolute=0.2 if small else 0.4)
    daemon.start()
    try:
        run([program(), "search", "--vault", str(root), "zebrafish budget"])
        time.sleep(1.5)  # the watcher says what it has to say
        row(
            "search, whole process, through the daemon",
            median(lambda: run([program(), "search", "--vault", str(root), "zebrafish budget"]), 15),
            venv,
            "VENV",
            absolute=0.080,
        )
        answers = [timed(partial(wire.ask, "prompt", (str(root),), p.encode(), 5)) for p in PROMPTS * 6]
        answered = statistics.median(answers)
        row("the daemon's answer to a prompt, p50", answered, venv, "VENV")
        bare, times = [], []
        for number in range(100):  # in turn, so that a busy machine is as busy for both
            bare.append(run([python, "-I", "-S", "-c", "pass"]))
            times.append(run(hook, PROMPTS[number % len(PROMPTS)].encode()))
        base = statistics.median(bare)
        p50, p95 = statistics.median(times), sorted(times)[94]
        row("prompt hook, daemon warm, p50 less the answer", p50 - answered, base, "BARE", bar=2)
        row("prompt hook, daemon warm, p50", p50, base, "BARE")
        row("prompt hook, daemon warm, p95", p95, base, "BARE", bar=3)
        found = daemon.status()
        if found:
            print(f"  {'RSS of the daemon':<44} {found.rss_mb:8.1f} MB             (bar 250)  {verdict(found.rss_mb, 250)}")
    finally:
        daemon.stop()
        del os.environ["VAULTKIT_SOCKET"]


def hashed(app: Any) -> None:
    """Vectors without a model: what hybrid search costs beside the model's own 2 ms (facts/retrieval.md §3)."""
    import zlib

    from vaultkit.store.models import Choice
    from vaultkit.store.models.embed import unit_rows

    class Hashed:
        name, digest, dimension, context = "hashed words", "1", 512, 1_000_000

        def embed(self, texts: Sequence[str], *, kind: Literal["query", "passage"] = "passage") -> Any:
            del kind
            rows = []
            for text in texts:
                vector = [0.001] * 512
                for word in text.split()[:200]:
                    vector[zlib.crc32(word.encode("utf-8", "replace")) % 512] += 1
                rows.append(vector)
            return unit_rows(rows, 512)

    app.use_embedder(Choice(Hashed()))
    app.embed()


def percentiles(name: str, works: Sequence[Callable[[], object]], times: int, *, absolute: float) -> None:
    """p50 against a bar, p95 against twice the bar."""
    spent = sorted(timed(work) for _ in range(times) for work in works)
    p50, p95 = statistics.median(spent), spent[len(spent) * 95 // 100]
    row(f"{name}, p50", p50, p50, "itself", absolute=absolute)
    row(f"{name}, p95", p95, p50, "p50", absolute=2 * absolute)


# Of the market study behind design.md §7: another machine day, the same generated vaults, keyword mode; what was not measured is a dash.
PEERS = {
    "small": [
        ("qmd 2.8.3", "8.6 s", "0.36 s", "0.36 s", "77-100 ms", "0.2-4 ms"),
        ("headless-vault-kit 0.1.0", "5.9 s", "0.53 s", "0.48 s", "200-220 ms", "-"),
        ("hebbian-vault 0.2.0 (RAM)", "10.8 s", "10.8 s", "10.8 s", "11 s", "34-61 ms"),
        ("agentcairn 0.26.2 (BM25)", "156 s", "1.4 s", "3.9 s", "580 ms", "-"),
        ("duckbrain 0.7.0", "-", "-", "-", "10 s", "10-14 s"),
        ("light-obsidian-mcp 0.4.0", "none", "-", "-", "1 s", "116-280 ms"),
        ("basic-memory 0.24.1", "> 580 s", "-", "-", "-", "-"),
        ("a bare tantivy probe (no product)", "0.72 s", "-", "-", "30 ms", "0.02-0.07 ms"),
    ],
    "large": [
        ("qmd 2.8.3", "123 s", "3.1 s", "3.0 s", "120-210 ms", "0.3-6 ms"),
        ("headless-vault-kit 0.1.0", "28.6 s", "1.5 s", "3.5 s", "220 ms", "-"),
        ("hebbian-vault 0.2.0 (RAM)", "15.2 s", "15.2 s", "15.2 s", "16 s", "70-223 ms"),
        ("light-obsidian-mcp 0.4.0", "none", "-", "-", "1.5 s", "512-547 ms"),
        ("a bare tantivy probe (no product)", "2.6 s", "-", "-", "30 ms", "0.02-0.26 ms"),
    ],
}
OURS = (
    "first sync, whole process",
    "sync, nothing changed, whole process",
    "sync, one note changed, in process",
    "search, whole process, cold",
    "search operation, lexical, p50",
)


def peers(size: int) -> None:
    """Ours as measured just now, beside what was measured of others."""
    lines: list[tuple[str, ...]] = [("", "first index", "unchanged", "one changed", "cold query", "warm query")]
    lines.append(("vaultkit (this run)", *(_human(measured[name]) for name in OURS)))
    lines += PEERS["small" if size < 10_000 else "large"]
    print("\n  the same vault, keyword mode")
    for line in lines:
        print("  " + f"{line[0]:<36}" + "".join(f"{cell:>14}" for cell in line[1:]))


def _human(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 0.3 else f"{seconds * 1000:.1f} ms"


measured: dict[str, float] = {}


def resolution(root: Path) -> None:
    """Parsing and link resolution, beside libyaml loading every frontmatter block of the same notes."""
    import yaml

    from vaultkit import graph
    from vaultkit.text import frontmatter
    from vaultkit.text.edit import hash_of, to_text
    from vaultkit.text.note import parse_note

    files = {path.relative_to(root).as_posix(): to_text(path.read_bytes()) for path in sorted(root.rglob("*.md"))}
    blocks = [text[block.inner : block.inner_end] for text in files.values() if (block := frontmatter.find_block(text))]

    def load() -> float:
        started = time.perf_counter()
        for block in blocks:
            try:
                yaml.load(block, Loader=yaml.CSafeLoader)
            except (yaml.YAMLError, ValueError):
                continue
        return time.perf_counter() - started

    def parse() -> float:
        started = time.perf_counter()
        notes = {path: parse_note(path, text, hash=hash_of(text.encode("utf-8", "surrogateescape"))) for path, text in files.items()}
        graph.edges(graph.Snapshot(notes, frozenset(notes), {}))
        return time.perf_counter() - started

    yaml_time = median(load, 3)
    row(f"libyaml, {len(blocks):,} blocks", yaml_time, yaml_time, "libyaml")
    row(f"parse + resolve, {len(files):,} notes", median(parse, 3), yaml_time, "libyaml", bar=10)


def scanner() -> None:
    """Hostile notes: twice the size may cost about twice the time."""
    from vaultkit.text.dates import find_dates
    from vaultkit.text.markdown import scan

    print("\nlinear time: twice the text")
    for name, piece in {
        "[": "[",
        "[[": "[[a",
        "`": "`a``",
        "$": "$a ",
        "- ": "- a\n",
        "> ": "> ",
        "<!--": "<!-- ",
        "![](": "![](",
        "%%": "%% ",
    }.items():
        small, large = piece * 50_000, piece * 100_000
        one = median(lambda text=small: timed(lambda: scan(text)), 3)
        two = median(lambda text=large: timed(lambda: scan(text)), 3)
        row(f"scan 100,000 × {name}", two, one, "half", bar=3)
    import datetime as dt

    line = "Send the slides to Priya by EOD Friday, and book the room before 5 December at 17:00."
    now = dt.datetime(2026, 11, 30, 9)
    find_dates(line, now=now)
    each = statistics.median(timed(lambda: find_dates(line, now=now)) for _ in range(200))
    row("find_dates, one line", each, each, "itself", absolute=0.002)


def reference(root: Path) -> float:
    started = time.perf_counter()
    subprocess.run(["find", str(root), "-type", "f", "-printf", "%p %T@ %s\n"], check=True, stdout=subprocess.DEVNULL)
    found = subprocess.run(["find", str(root), "-name", "*.md", "-print0"], check=True, stdout=subprocess.PIPE)
    subprocess.run(["xargs", "-0", "cat"], input=found.stdout, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


def bare_walk(root: Path) -> float:
    def walk(folder: str) -> int:
        count = 0
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    count += walk(entry.path)
                else:
                    entry.stat(follow_symlinks=False)
                    count += 1
        return count

    return timed(lambda: walk(str(root)))


def program() -> str:
    return str(Path(sys.executable).parent / "vaultkit")


def run(command: list[str], payload: bytes = b"") -> float:
    started = time.perf_counter()
    done = subprocess.run(command, check=False, capture_output=True, input=payload)
    spent = time.perf_counter() - started
    if done.returncode not in {0, 1}:
        sys.exit(f"{command} exited {done.returncode}: {done.stderr.decode()}")
    return spent


def timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def median(work: Callable[[], float], times: int) -> float:
    return statistics.median(work() for _ in range(times))


def row(name: str, seconds: float, reference_seconds: float, reference_name: str, *, bar: float = 0, absolute: float = 0) -> None:
    measured[name] = seconds
    ratio = seconds / reference_seconds
    end = ""
    if bar:
        end = f"(bar {bar:g})  {verdict(ratio, bar)}"
    elif absolute:
        end = f"(bar {absolute * 1000:g} ms)  {verdict(seconds, absolute)}"
    print(f"  {name:<44} {seconds * 1000:8.1f} ms  {ratio:7.2f}x {reference_name:<8} {end}", flush=True)


def verdict(value: float, bar: float) -> str:
    return "ok" if value <= bar else "MISSED"


if __name__ == "__main__":
    main()
