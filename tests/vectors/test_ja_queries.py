"""Japanese queries over a small vault: a case passes when the first note found is one of those expected."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support import vectors
from vaultkit.store.search import Doc, SearchIndex
from vaultkit.text.tokens import pooled

Ranked = dict[str, tuple[list[str], list[str]]]


@pytest.fixture(scope="module")
def cases() -> Any:
    return vectors.load("ja_queries")


@pytest.fixture(scope="module")
def ranked(cases: Any, tmp_path_factory: pytest.TempPathFactory) -> Ranked:
    """The expected and the first ten found notes of every lexical query."""
    folder: Path = tmp_path_factory.mktemp("index")
    with SearchIndex(folder) as index:
        notes = cases["notes"] + cases.get("en_notes", [])
        index.rebuild(Doc(note["id"], pooled(note["title"], note["tags"], note["body"])) for note in notes)
        return {case["q"]: (case["expected"], [hit.path for hit in index.search(case["q"])]) for case in cases["queries"]}


def test_japanese_queries_find_their_notes(ranked: Ranked) -> None:
    first = sum(found[:1] != [] and found[0] in expected for expected, found in ranked.values())
    recall = sum(len(set(expected).intersection(found)) / len(expected) for expected, found in ranked.values()) / len(ranked)
    vectors.report("ja_queries", first, len(ranked))
    if vectors.is_own("ja_queries"):
        assert first == len(ranked), {query: case for query, case in ranked.items() if case[1][:1] == [] or case[1][0] not in case[0]}
        assert recall == pytest.approx(1.0)
    else:
        assert first / len(ranked) >= 0.93
        assert recall >= 0.95
