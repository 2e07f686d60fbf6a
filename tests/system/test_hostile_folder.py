"""A harness runs our programs in the folder that its person works in: nothing there may be taken for a part of us."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.support.program import Program
from vaultkit import wire


def test_a_package_of_our_name_in_the_working_folder_is_never_run(vk: Program, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    (clone / "vaultkit").mkdir(parents=True)
    trap = f"open({str(tmp_path / 'ran')!r}, 'w').close()\n"
    for name in ("vaultkit/__init__.py", "vaultkit/__main__.py", "json.py", "sitecustomize.py"):
        (clone / name).write_text(trap, "utf-8")
    vk.write("tls.md", "# TLS certificate renewal\n\nThe certificate is renewed by hand.\n")
    payload = json.dumps({"session_id": "s", "cwd": str(clone), "prompt": "how is the TLS certificate renewed?"}).encode()
    env = {**os.environ, "VAULTKIT_SOCKET": str(tmp_path / "s"), "VAULTKIT_EMBEDDER": "none", "VAULTKIT_COLD_SECONDS": "30"}
    hook = [sys.executable, "-I", "-S", wire.__file__, "hook", str(vk.vault), "codex", "prompt"]
    done = subprocess.run(hook, input=payload, cwd=clone, env=env, capture_output=True, check=False, timeout=60)
    subprocess.run([sys.executable, "-P", "-m", "vaultkit", "daemon", "stop"], cwd=clone, env=env, capture_output=True, check=False)
    assert done.returncode == 0
    assert not (tmp_path / "ran").exists()
    assert b"tls.md" in done.stdout
