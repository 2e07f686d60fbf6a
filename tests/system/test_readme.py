"""The README's recall section works as it is written, from an empty home."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.support.program import Program

README = Path(__file__).resolve().parents[2] / "README.md"


def test_the_recall_section_leads_from_an_empty_home_to_a_digest_and_why(program: Program) -> None:
    section = README.read_text("utf-8").partition("## Recall\n")[2].partition("\n## ")[0]
    block = re.search(r"```sh\n(.*?)```", section, re.DOTALL)
    assert block
    home = program.home / "newcomer"
    home.mkdir()
    environment = {
        "HOME": str(home),
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "VAULTKIT_SOCKET": str(home / "s"),
        "VAULTKIT_WARM_SECONDS": "20",
        "VAULTKIT_COLD_SECONDS": "60",
        "LANG": "C.UTF-8",
    }
    marked = "\n".join(f"echo == {number}\n{line}" for number, line in enumerate(block[1].splitlines()))
    done = subprocess.run(["bash", "-euc", marked], env=environment, capture_output=True, text=True, check=False, timeout=240)
    assert done.returncode == 0, done.stderr
    parts = re.split(r"^== .*\n", done.stdout, flags=re.MULTILINE)[1:]
    _, _, captured, digest, why, nothing, tree, hook, stopped = parts
    assert "inbox/" in captured
    for text in (digest, hook):
        assert text.startswith("<vault-memory>\n")
        assert "|inbox/" in text
    assert "certificate (coverage" in why
    assert nothing == ""
    assert "act=1.00" in tree
    assert "stopped" in stopped or "none is running" in stopped
    subprocess.run(
        ["bash", "-c", "for n in 1 2 3 4 5; do vaultkit daemon stop; sleep 0.2; done"], env=environment, check=False, capture_output=True
    )
