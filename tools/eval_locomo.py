"""LoCoMo sessions as notes: how often the right one is first, and how many of the right ones are among the first five.

The conversations (CC BY-NC) are no part of this project: they are read from `../shared/eval/locomo.json` beside the checkout, or from
the file that is given. Without them the script says so and ends well.

usage: eval_locomo.py [FILE]
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from vaultkit.store.search import Doc, SearchIndex
from vaultkit.text.tokens import pooled

DATA = Path(__file__).resolve().parents[2] / "shared" / "eval" / "locomo.json"


class Score(NamedTuple):
    questions: int
    hit_at_1: float
    recall_at_5: float


def main() -> int:
    data = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA
    if not data.is_file():
        print(f"LoCoMo: skipped, {data} is not there")
        return 0
    score = measure(data)
    print(f"LoCoMo, lexical: hit@1 {score.hit_at_1:.3f}, R@5 {score.recall_at_5:.3f} ({score.questions} questions)")
    return 0


def measure(data: Path) -> Score:
    """Every question of every conversation, asked of an index of that conversation's sessions."""
    questions, hits, recalled = 0, 0, 0.0
    for vault in json.loads(data.read_text("utf-8"))["vaults"]:
        with tempfile.TemporaryDirectory(prefix="vaultkit-locomo-") as folder, SearchIndex(Path(folder)) as index:
            index.rebuild(Doc(note["id"], pooled(note["title"], (), note["body"])) for note in vault["notes"])
            for question in vault["queries"]:
                expected = set(question["expected"])
                found = [hit.path for hit in index.search(question["q"], limit=5)]
                questions += 1
                hits += found[:1] != [] and found[0] in expected
                recalled += len(expected.intersection(found)) / len(expected)
    return Score(questions, hits / questions, recalled / questions)


if __name__ == "__main__":
    raise SystemExit(main())
