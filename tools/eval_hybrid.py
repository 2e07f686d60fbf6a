"""Words against words and meaning together, with one set of settings: LoCoMo (English, long) and our Japanese queries (short).

The LoCoMo conversations (CC BY-NC) are no part of this project: they are read from `../shared/eval/locomo.json` beside the checkout, or
from the file that is given. Without them, or without the extra `vaultkit[embed]`, the script says so and ends well.

usage: eval_hybrid.py [FILE] [--model use|e5]
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HERE))

from tests.support import hybrid  # noqa: E402
from vaultkit.store.models import Embedder, choose_embedder  # noqa: E402

LOCOMO = HERE.parent / "shared" / "eval" / "locomo.json"
JAPANESE = HERE / "tests" / "vectors" / "ja_queries.json"
BARS = {  # top-1, recall@5
    "LoCoMo, hybrid": (0.69, 0.86),
    "Japanese words, hybrid": (0.93, 0.95),
    "Japanese paraphrase, hybrid": (0.65, 0.95),
}

Answers = list[tuple[list[str], list[str]]]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=Path, nargs="?", default=LOCOMO)
    parser.add_argument("--model", default="use")
    options = parser.parse_args()
    choice = choose_embedder("embedded", model=options.model, host="", timeout=1)
    if not choice.works:
        print(f"hybrid: skipped, {'; '.join(choice.problems)}")
        return 0
    missed = japanese(choice.embedder)
    if options.file.is_file():
        missed += locomo(options.file, choice.embedder)
    else:
        print(f"LoCoMo, hybrid: skipped, {options.file} is not there")
    return 1 if missed else 0


def japanese(embedder: Embedder) -> int:
    """Our own notes and queries in one vault of both languages."""
    cases = json.loads(JAPANESE.read_text("utf-8"))
    sets = {
        "Japanese words": cases["queries"],
        "Japanese paraphrase": cases["semantic"],
        "English query, Japanese note": cases["cross"],
        "English paraphrase (twin notes in Japanese)": cases["en_semantic"],
    }
    missed = 0
    with tempfile.TemporaryDirectory(prefix="vaultkit-ja-") as folder:
        notes = cases["notes"] + cases["en_notes"]
        with hybrid.shelf(Path(folder), notes, embedder) as shelf:
            for name, queries in sets.items():
                missed += compare(name, shelf, queries)
    return missed


def locomo(file: Path, embedder: Embedder) -> int:
    """Every conversation is a vault, each of its sessions a note."""
    words: Answers = []
    both: Answers = []
    for vault in json.loads(file.read_text("utf-8"))["vaults"]:
        with (
            tempfile.TemporaryDirectory(prefix="vaultkit-locomo-") as folder,
            hybrid.shelf(Path(folder), vault["notes"], embedder) as shelf,
        ):
            for query in vault["queries"]:
                words.append((query["expected"], shelf.lexical(query["q"])))
                both.append((query["expected"], shelf.hybrid(query["q"])))
    show("LoCoMo, words", words)
    return show("LoCoMo, hybrid", both)


def compare(name: str, shelf: hybrid.Shelf, queries: list[dict[str, Any]]) -> int:
    show(f"{name}, words", [(query["expected"], shelf.lexical(query["q"])) for query in queries])
    return show(f"{name}, hybrid", [(query["expected"], shelf.hybrid(query["q"])) for query in queries])


def show(name: str, answers: Answers) -> int:
    """A line; 1 when a bar is missed."""
    score = hybrid.score(answers)
    bar = BARS.get(name)
    missed = bar is not None and (score.first < bar[0] or score.recall_at_5 < bar[1])
    verdict = "" if bar is None else f"  bar {bar[0]:.2f} / {bar[1]:.2f} {'MISSED' if missed else 'ok'}"
    print(f"{name}: {score}{verdict}", flush=True)
    return int(missed)


if __name__ == "__main__":
    raise SystemExit(main())
