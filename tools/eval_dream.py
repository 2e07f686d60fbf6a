"""Quality of dreams on the labelled captures of tests/golden/dream.tsv."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="vaultkit-dream-") as folder:
        for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
            os.environ[name] = str(Path(folder) / name)
        from tests.support.dreams import measure

        found = measure(Path(folder) / "vaults")
    print(f"dream: {found.captures} captures: partition, adjusted Rand {found.rand:.2f} (bar .75), {found.wrong} captures in a wrong group")
    print(f"dream: {found.twins} near-duplicates found, precision {found.twin_precision:.2f} (bar .95)")
    print(f"dream: {found.links} new links, {found.links_astray:.1%} join different topics (bar 5 %)")
    print(f"dream: {found.splits} splits proposed, precision {found.split_precision:.2f} (bar .80), recall {found.split_recall:.2f}")


if __name__ == "__main__":
    main()
