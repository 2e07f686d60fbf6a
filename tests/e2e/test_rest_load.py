"""The server for longer than `make test` has time: a crowd for a minute, every dialect against its own document."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.crowd import crowd
from tests.support.documented import hold_against_document
from tests.support.rest import home, listening, write

pytestmark = pytest.mark.e2e


def test_a_crowd_for_a_minute_loses_no_update(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home(tmp_path / "home", monkeypatch.setenv)
    vault = tmp_path / "vault"
    write(vault, {**{f"shared-{at}.md": "" for at in range(4)}, "props.md": "---\nx: 1\n---\n"})
    with listening(vault) as url:
        assert set(crowd(url, vault, clients=32, seconds=60)) <= {200, 204}


@pytest.mark.parametrize("api", ["compat", "3", "4", "5"])
def test_each_dialect_answers_what_its_document_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, api: str) -> None:
    home(tmp_path / "home", monkeypatch.setenv)
    assert hold_against_document(tmp_path / "vault", api, examples=25) > 15
