"""Queries that share hardly a word with their note, through words and meaning together (the embedded model); and those of words, which must not suffer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from tests.support import vectors
from tests.support.embedder import embedded_model
from tests.support.hybrid import Score, Shelf, score, shelf


@pytest.fixture(scope="module")
def cases() -> Any:
    return vectors.load("ja_queries")


@pytest.fixture(scope="module")
def notes(cases: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    """Notes of both languages in one vault."""
    with shelf(tmp_path_factory.mktemp("shelf"), cases["notes"] + cases.get("en_notes", []), embedded_model()) as made:
        yield made


def asked(notes: Shelf, queries: Sequence[Any], name: str) -> Score:
    found = score([(query["expected"], notes.hybrid(query["q"])) for query in queries])
    print(f"\n  {name}: {found}")
    return found


def test_japanese_paraphrases_find_their_note(cases: Any, notes: Shelf) -> None:
    found = asked(notes, cases["semantic"], "Japanese paraphrase, words and meaning")
    assert found.first >= 0.65
    assert found.recall_at_5 >= 0.95


def test_queries_of_words_find_what_words_find(cases: Any, notes: Shelf) -> None:
    found = asked(notes, cases["queries"], "Japanese words, words and meaning")
    assert found.first >= 0.93
    assert found.recall_at_5 >= 0.95


def test_a_query_finds_a_note_in_the_other_language(cases: Any, notes: Shelf) -> None:
    found = asked(notes, cases.get("cross", []) or cases["semantic"], "English query, Japanese note, words and meaning")
    assert found.first >= 0.5
    assert found.recall_at_5 >= 0.95


def test_our_own_paraphrases_find_their_note(cases: Any, notes: Shelf) -> None:
    queries = [query for query in vectors.load("paraphrase_own")["queries"] if set(query["expected"]) <= notes.paths]
    japanese = asked(notes, [query for query in queries if query["lang"] == "ja"], "more Japanese paraphrase")
    assert japanese.first >= 0.65
    assert japanese.recall_at_5 >= 0.85
    # Half of the English ones have a twin note in Japanese, which is a fair answer too.
    english = asked(notes, [query for query in queries if query["lang"] == "en"], "more English paraphrase")
    assert english.recall_at_5 >= 0.75
