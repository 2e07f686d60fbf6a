"""The server against its own OpenAPI document, by schemathesis, and the document's form."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from tests.support.documented import hold_against_document
from tests.support.rest import calling, home, write


def test_no_request_of_the_documents_gets_an_undocumented_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home(tmp_path / "home", monkeypatch.setenv)
    assert hold_against_document(tmp_path / "vault", "compat", examples=2) > 25


def test_the_document_names_what_the_dialect_serves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home(tmp_path / "home", monkeypatch.setenv)
    write(tmp_path / "vault", {"A.md": "a\n"})
    served = {}
    for api in ("compat", "3", "4", "5"):
        with calling(tmp_path / "vault", api) as caller:
            served[api] = yaml.safe_load(caller("GET", "/openapi.yaml", key=None).body)
    assert "/periodic/{period}/" in served["3"]["paths"]
    assert "/periodic/{period}/" not in served["5"]["paths"]
    assert served["5"]["info"]["version"] == "5.1.0"
