"""Fixtures that several folders of tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.program import Program


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Program:
    """The program, without a vault yet."""
    return Program(tmp_path, monkeypatch, capfd)


@pytest.fixture
def vk(program: Program) -> Program:
    """The program with a new vault."""
    assert program("init", str(program.vault), vault=False).code == 0
    return program
