"""Does recall bring the right notes, and nothing where nothing fits? The bars, on a vault of 4,700 generated notes.

The notes of `tests/vectors/ja_queries.json` are planted among generated ones; its lexical queries must bring theirs, sixty prompts about
nothing must bring none, and a second set of both, which the gate was not calibrated on, tells how far that holds. Then the speed, in process.

usage: eval_recall.py [--size 4700] [--vectors DIR] [--speed] [--show]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import vaultkit.app as apps
from vaultkit import recall
from vaultkit.app import parsing

HERE = Path(__file__).resolve().parent
VECTORS = HERE.parent / "tests" / "vectors"
FOLDER = "planted"
EVERYTHING = recall.Policy()


class Case(NamedTuple):
    """A prompt and the notes that it should bring; none for noise."""

    prompt: str
    expected: tuple[str, ...] = ()


class Answer(NamedTuple):
    case: Case
    recalled: recall.Recalled

    @property
    def injected(self) -> tuple[str, ...]:
        return self.recalled.digest.paths


@dataclass
class Figures:
    """What came of one set of prompts."""

    prompts: int = 0
    injected: int = 0
    top3: int = 0
    high: int = 0  # notes injected at confidence high, and how many of them are right
    high_right: int = 0
    other: int = 0
    other_right: int = 0
    wrong: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        """Share of what is injected at *high* that is right."""
        return self.high_right / self.high if self.high else 1.0


class Vault:
    """A synced vault, asked in process."""

    def __init__(self, app: apps.App) -> None:
        self.app = app
        self.notes: dict[str, str] = {}
        self.records: dict[str, bytes] = {}
        for path, row in app.manifest().items():
            if row.kind == parsing.NOTE:
                note, text = app.read(path)
                kind, status, scope = app.rules.type_of(note), parsing.status_of(note), parsing.scope_of(note)
                self.notes[path] = _plain(text)
                self.records[path] = recall.record_of(note, text, type=kind, status=status, scope=scope)

    def ask(self, prompt: str, policy: recall.Policy = EVERYTHING) -> recall.Recalled:
        """What *prompt* gets."""
        asked = recall.clean(prompt)
        found = self.app.search.candidates(asked.tokens, limit=recall.CANDIDATES)
        rows = recall.gather(lambda depth: self._deeper(asked, found.paths, depth), self._read, policy)
        return recall.answer(asked, rows, recall.Stats(found.notes, found.found), policy)

    def _deeper(self, asked: recall.Prompt, first: Sequence[str], depth: int) -> Sequence[str]:
        return first if depth == recall.CANDIDATES else self.app.search.candidates(asked.tokens, limit=depth).paths

    def _read(self, paths: Sequence[str]) -> Iterable[recall.Row]:
        return [recall.Row.unpack(path, self.records[path]) for path in paths]

    def holds(self, path: str, prompt: str) -> bool:
        """Does the note hold the whole prompt literally?"""
        return _plain(prompt).strip() in self.notes[path]


def build(root: Path, size: int, cases: Any) -> None:
    """A generated vault with the notes of *cases* in one folder."""
    subprocess.run([sys.executable, str(HERE / "gen_vault.py"), str(root), str(size)], check=True, stdout=subprocess.DEVNULL)
    (root / FOLDER).mkdir()
    for note in cases["notes"] + cases.get("en_notes", []):
        tags = "".join(f"  - {tag}\n" for tag in note["tags"])
        matter = f"title: {json.dumps(note['title'], ensure_ascii=False)}\n" + (f"tags:\n{tags}" if tags else "")
        (root / FOLDER / f"{note['id']}.md").write_text(f"---\n{matter}---\n\n{note['body']}\n", "utf-8")


def queries(cases: Any) -> list[Case]:
    """The queries of a vector file with the paths that they should bring."""
    return [Case(case["q"], tuple(f"{FOLDER}/{name}.md" for name in case["expected"])) for case in cases.get("queries", [])]


def noise(cases: Any) -> list[Case]:
    """The prompts of a vector file that should bring nothing."""
    return [Case(case["prompt"]) for case in cases["noise"]]


def measure(vault: Vault, cases: Sequence[Case]) -> Figures:
    """Ask every case."""
    figures = Figures()
    for case in cases:
        answer = Answer(case, vault.ask(case.prompt))
        figures.prompts += 1
        figures.injected += bool(answer.injected)
        figures.top3 += any(path in case.expected for path in answer.injected[:3])
        for path in answer.injected:
            right = path in case.expected or vault.holds(path, case.prompt)
            if answer.recalled.confidence == "high":
                figures.high += 1
                figures.high_right += right
            else:
                figures.other += 1
                figures.other_right += right
            if not right:
                figures.wrong.append(f"{answer.recalled.confidence}: {case.prompt[:60]!r} brought {path}")
    return figures


def load(name: str, folder: Path) -> Any:
    """A vector file from *folder*, else our own."""
    path = folder / f"{name}.json"
    return json.loads((path if path.is_file() else VECTORS / f"{name}.json").read_text("utf-8"))


def main() -> int:
    """Print every bar; 1 when one is missed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=int, default=4700)
    parser.add_argument("--vectors", type=Path, default=Path(os.environ.get("VAULTKIT_VECTORS") or VECTORS))
    parser.add_argument("--speed", action="store_true")
    parser.add_argument("--show", action="store_true", help="name what is wrong")
    options = parser.parse_args()
    given, calibrated, blind = (load(name, options.vectors) for name in ("ja_queries", "recall_noise", "recall_blind"))
    with tempfile.TemporaryDirectory(prefix="vaultkit-recall-") as folder:
        for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
            os.environ[name] = str(Path(folder) / name)
        root = Path(folder) / "vault"
        build(root, options.size, given)
        with apps.open_app(root=root) as app:
            print(f"recall: {app.sync().notes:,} notes")
            vault = Vault(app)
            missed = _report("calibrated", measure(vault, queries(given)), measure(vault, noise(calibrated)), show=options.show)
            missed += _report("blind", measure(vault, queries(blind)), measure(vault, noise(blind)), show=options.show)
            size = sum(map(len, vault.records.values())) / sum(path.stat().st_size for path in root.rglob("*.md"))
            print(f"  records: {size:.2f}x the text")
            if options.speed:
                _speed(vault, [*queries(given), *noise(calibrated), *noise(blind)])
    return 1 if missed else 0


def _report(name: str, asked: Figures, silent: Figures, *, show: bool) -> int:
    bars = (
        ("right of what is injected at high", asked.precision, asked.precision >= 0.95, f"{asked.high_right} of {asked.high}, bar 0.95"),
        ("queries with their note at rank 1-3", asked.top3 / asked.prompts, asked.top3 >= 0.75 * asked.prompts, "bar 0.75"),
        ("noise prompts that inject", silent.injected, silent.injected <= 2, f"of {silent.prompts}, bar 2"),
    )
    for what, value, met, note in bars:
        shown = f"{value:.2f}" if isinstance(value, float) else str(value)
        print(f"  {name}: {what:<38} {shown:>5}  ({note})  {'ok' if met else 'MISSED'}")
    print(f"  {name}: right of what is injected below high       {asked.other_right} of {asked.other}")
    if show:
        for line in asked.wrong + silent.wrong:
            print(f"    {line}")
    return sum(not met for _, _, met, _ in bars)


def _speed(vault: Vault, cases: Sequence[Case]) -> None:
    prompts = [case.prompt for case in cases if not recall.clean(case.prompt).noise]
    for prompt in prompts:
        vault.ask(prompt)
    times = []
    for _ in range(5):
        for prompt in prompts:
            start = time.perf_counter()
            vault.ask(prompt)
            times.append(time.perf_counter() - start)
    times.sort()
    p50, p95 = times[len(times) // 2] * 1000, times[len(times) * 95 // 100] * 1000
    print(f"  recall in process: p50 {p50:.2f} ms, p95 {p95:.2f} ms  ({len(prompts)} prompts that ask something; bar 3 ms at 4,700 notes)")


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


if __name__ == "__main__":
    raise SystemExit(main())
