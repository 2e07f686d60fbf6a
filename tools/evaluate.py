"""Quality figures: dates, captures, Japanese queries, LoCoMo (when ../shared/eval holds it)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent


def main() -> None:
    """Print every figure; a missing data set is said, not passed over."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-s", "tests/vectors"], cwd=HERE, check=False, capture_output=True, text=True
    )
    print("\n".join(line for line in done.stdout.splitlines() if line.startswith(("vectors ", "  "))))
    if done.returncode:
        print(done.stdout[-3000:])
        sys.exit("eval: a bar is missed")
    for tool in ("eval_locomo.py", "eval_recall.py", "eval_dream.py"):
        subprocess.run([sys.executable, f"tools/{tool}"], cwd=HERE, check=True)
    print("hybrid search is measured by `python tools/eval_hybrid.py` (it embeds 272 notes: minutes)")


if __name__ == "__main__":
    main()
