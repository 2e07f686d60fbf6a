"""How well dreams sort, link and cut 142 labelled captures in two languages."""

from __future__ import annotations

from pathlib import Path

from tests.support.dreams import measure
from tests.support.embedder import embedded_model
from tests.support.program import Program


def test_dreams_do_on_labelled_captures_what_they_promise(program: Program, tmp_path: Path) -> None:
    embedded_model()  # skips where it is not installed
    figures = measure(tmp_path / "vaults")
    assert figures.rand >= 0.75, figures
    assert figures.wrong <= 7, figures
    assert figures.twins >= 8, figures
    assert figures.twin_precision >= 0.95, figures
    assert figures.links >= 10, figures
    assert figures.links_astray <= 0.05, figures
    assert figures.split_precision >= 0.8, figures
    assert figures.split_recall >= 0.3, figures
