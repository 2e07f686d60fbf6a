"""Labelled pairs of notes: the thresholds, calibrated on these very notes, put each pair on its side (the embedded model)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.support import vectors
from tests.support.embedder import embedded_model
from vaultkit.store.vectors import Calibration, Vectors
from vaultkit.text.passages import fingerprint

Sides = dict[str, list[tuple[str, float]]]


@pytest.fixture(scope="module")
def pairs() -> Any:
    return vectors.load("pairs")["pairs"]


@pytest.fixture(scope="module")
def known(pairs: Any, tmp_path_factory: pytest.TempPathFactory) -> Calibration:
    notes = {text: fingerprint(text) for pair in pairs for text in (pair["a"], pair["b"]) if "\n" in text}
    store = Vectors(tmp_path_factory.mktemp("pairs"))
    store.update(notes, lambda text: text, embedded_model())
    assert store.calibration is not None
    return store.calibration


@pytest.fixture(scope="module")
def sides(pairs: Any) -> Sides:
    """The cosines of each kind of pair, with the language."""
    model = embedded_model()
    texts = sorted({pair["b"] for pair in pairs} | {pair["a"] for pair in pairs if "question" not in pair["kind"]})
    questions = sorted({pair["a"] for pair in pairs if "question" in pair["kind"]})
    rows = dict(zip(texts, model.embed(texts).vectors, strict=True))
    asked = dict(zip(questions, model.embed(questions, kind="query").vectors, strict=True))
    found: Sides = {}
    for pair in pairs:
        left = (asked if "question" in pair["kind"] else rows)[pair["a"]]
        found.setdefault(pair["kind"], []).append((pair["lang"], float(left @ rows[pair["b"]])))
    return found


def above(sides: Sides, kind: str, threshold: float, lang: str = "") -> float:
    """The share of pairs of that kind that reach the threshold."""
    cosines = [cosine for language, cosine in sides[kind] if not lang or language == lang]
    return sum(cosine >= threshold for cosine in cosines) / len(cosines)


def test_there_are_pairs_of_each_kind_in_both_languages(pairs: Any) -> None:
    count = Counter((pair["lang"], pair["kind"]) for pair in pairs)
    assert len(count) == 10
    assert min(count.values()) >= 12


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_duplicate_threshold_lies_between_paraphrases_and_notes_on_one_topic(sides: Sides, known: Calibration, lang: str) -> None:
    assert above(sides, "paraphrase", known.duplicate, lang) >= 0.8
    assert above(sides, "topic", known.duplicate, lang) <= 0.05
    assert above(sides, "other", known.duplicate, lang) == 0


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_repetition_threshold_lets_every_paraphrase_through(sides: Sides, known: Calibration, lang: str) -> None:
    assert above(sides, "paraphrase", known.repetition, lang) >= 0.95
    assert above(sides, "topic", known.repetition, lang) <= 0.2
    assert above(sides, "other", known.repetition, lang) == 0


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_entry_threshold_lies_between_answers_and_other_notes(sides: Sides, known: Calibration, lang: str) -> None:
    assert above(sides, "question", known.entry, lang) >= 0.9
    assert above(sides, "other question", known.entry, lang) <= 0.15


def test_nearly_every_pair_is_on_its_side(sides: Sides, known: Calibration) -> None:
    right = {
        "paraphrase": lambda cosine: cosine >= known.duplicate,
        "topic": lambda cosine: cosine < known.duplicate,
        "other": lambda cosine: cosine < known.repetition,
        "question": lambda cosine: cosine >= known.entry,
        "other question": lambda cosine: cosine < known.entry,
    }
    passed = sum(right[kind](cosine) for kind, found in sides.items() for _, cosine in found)
    total = sum(map(len, sides.values()))
    vectors.report("pairs", passed, total)
    assert passed >= 0.93 * total
