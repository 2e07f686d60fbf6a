"""`make e2e-harness`: the six coding agents by exact version from npm (about 1.4 GB, kept in .e2e/), then the tests that run them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.support.harnesses import FOLDER, MODULES, PACKAGES  # noqa: E402


def main() -> int:
    npm = shutil.which("npm")
    missing = [f"{name}@{version}" for name, version in PACKAGES.items() if _installed(name) != version]
    if missing and npm is None:
        print(f"skipped: npm is not installed, and {', '.join(missing)} not either")
        return 0
    if missing and npm:
        FOLDER.mkdir(exist_ok=True)
        (FOLDER / "package.json").write_text('{"private": true}\n', "utf-8")
        print(f"installing {', '.join(f'{name}@{version}' for name, version in PACKAGES.items())} into .e2e/")
        wanted = [f"{name}@{version}" for name, version in PACKAGES.items()]
        # No scripts of packages run: each ships its program whole.
        done = subprocess.run(
            [npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--save-exact", *wanted], cwd=FOLDER, check=False
        )
        if done.returncode:
            print("skipped: npm could not install them")
            return 0
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rs", "tests/e2e/test_harness.py", *sys.argv[1:]], cwd=ROOT, check=False
    ).returncode


def _installed(name: str) -> str:
    file = MODULES / name / "package.json"
    return str(json.loads(file.read_text("utf-8")).get("version", "")) if file.is_file() else ""


if __name__ == "__main__":
    sys.exit(main())
