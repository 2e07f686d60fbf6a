"""The full install of the wheel with the pip that a fresh environment carries (needs the package registry)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import wheel

pytestmark = pytest.mark.e2e


def test_the_wheel_installs_into_a_fresh_environment_and_works(tmp_path: Path) -> None:
    built = wheel.build(tmp_path / "dist")
    place = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
    done = subprocess.run(
        [str(place / "bin/python"), "-m", "pip", "install", "--disable-pip-version-check", str(built)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode and "No matching distribution" in done.stderr:
        pytest.skip("the package registry cannot be reached")
    assert done.returncode == 0, done.stderr
    home = tmp_path / "home"
    home.mkdir()
    wheel.use(place / "bin" / "vaultkit", home)
    other = tmp_path / "home2"
    other.mkdir()
    wheel.use(place / "bin" / "vk", other)
