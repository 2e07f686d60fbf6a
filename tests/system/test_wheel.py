"""The wheel does the main job in an environment that sees the project's packages, away from the checkout."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

from tests.support import wheel


def test_the_wheel_does_the_main_job_away_from_the_checkout(tmp_path: Path) -> None:
    built = wheel.build(tmp_path / "dist")
    names = zipfile.ZipFile(built).namelist()
    assert {
        "vaultkit/_data/vault-template/.obsidian/app.json",
        "vaultkit/_data/skills/braindump/SKILL.md",
        "vaultkit/_data/skills/decide/SKILL.md",
        "vaultkit/_data/adapters/README.md",
    } <= set(names)
    assert not any(name.startswith("tests/") for name in names)
    place = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(place)], check=True)
    packages = next(place.glob("lib/python*/site-packages"))
    # The project's packages without the project: its editable install must not be what answers.
    (packages / "project.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    with zipfile.ZipFile(built) as archive:
        archive.extractall(packages)
    python = place / "bin" / "python"
    where = subprocess.run(
        [str(python), "-c", "import vaultkit; print(vaultkit.__file__)"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert where.stdout.startswith(str(packages))
    program = place / "bin" / "vaultkit"
    program.write_text(f"#!{python}\nfrom vaultkit.cli import main\nmain()\n")
    program.chmod(0o755)
    home = tmp_path / "home"
    home.mkdir()
    wheel.use(program, home)
