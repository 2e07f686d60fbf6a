"""Three questions, three sets of notes: a discarded proposal never keeps a note from being stored."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.embedder import FakeEmbedder, embedded_model
from vaultkit.store import vectors as store
from vaultkit.store.models import Embedder
from vaultkit.store.vectors import About, Likeness, Vectors, similar
from vaultkit.text.passages import fingerprint

TEXTS = {
    "clean-cache.md": "Clear the build cache\nDelete the cache folder, then run the build with the clean flag.",
    "empty-cache.md": "Emptying the cache before a build\nRemove the cache directory and start a clean build afterwards.",
    "discarded.md": "Make clearing the cache a skill\nDelete the cache folder and build with the clean flag.",
    "proposed.md": "Clearing the build cache as a skill\nDelete the cache folder, run a clean build.",
    "retired.md": "Clear the build cache\nDelete the cache folder and run the build with the clean flag set.",
    "learning.md": "Clear the build cache\nDelete the cache folder, then build with the clean flag.",
    "soup.md": "Leek soup\nThree leeks, two potatoes, a litre of stock, twenty minutes.",
    "trip.md": "Trip to the coast\nTwo nights in the small hotel at the harbour.",
}
ABOUT = {
    "clean-cache.md": About("procedure", "active"),
    "empty-cache.md": About("procedure", "active"),
    "discarded.md": About("skill", "discarded"),
    "proposed.md": About("skill", "proposed"),
    "retired.md": About("procedure", "retired"),
    "learning.md": About("learning", "active"),
    "soup.md": About("procedure", "active"),
    "trip.md": About("skill", "discarded"),
}
TEXT = "Clear the build cache\nDelete the cache folder, then run the build with the clean flag."


@pytest.fixture(scope="module")
def vectors(tmp_path_factory: pytest.TempPathFactory) -> Vectors:
    made = Vectors(tmp_path_factory.mktemp("likeness"))
    made.update({path: fingerprint(text) for path, text in TEXTS.items()}, TEXTS.__getitem__, embedded_model())
    return made


def likeness(vectors: Vectors, source: Embedder) -> Likeness:
    return Likeness(vectors, source, ABOUT, TEXTS.__getitem__)


def paths(liked: store.Liked) -> list[str]:
    return [note.path for note in liked.notes]


def test_duplicates_are_active_notes_of_the_same_kind(vectors: Vectors) -> None:
    ask = likeness(vectors, embedded_model())
    assert paths(ask.duplicates_of(TEXT, kind="procedure", status="active")) == ["clean-cache.md", "empty-cache.md"]
    assert paths(ask.duplicates_of(TEXT, kind="learning", status="active")) == ["learning.md"]
    assert paths(ask.duplicates_of(TEXT, kind="procedure", status="active", but={"clean-cache.md"})) == ["empty-cache.md"]


def test_repetitions_are_active_procedures(vectors: Vectors) -> None:
    found = likeness(vectors, embedded_model()).repetitions_of(TEXT, kind="procedure", status="active")
    assert paths(found) == ["clean-cache.md", "empty-cache.md"]
    assert found.basis == "vectors"


def test_reproposals_are_proposals_that_were_discarded(vectors: Vectors) -> None:
    assert paths(likeness(vectors, embedded_model()).reproposals_of(TEXT, kind="skill", status="discarded")) == ["discarded.md"]


@pytest.mark.parametrize(
    ("question", "kind", "status"),
    [
        (Likeness.duplicates_of, "procedure", "discarded"),
        (Likeness.duplicates_of, "", "active"),
        (Likeness.repetitions_of, "procedure", "retired"),
        (Likeness.reproposals_of, "skill", "active"),
        (Likeness.reproposals_of, "skill", "proposed"),
    ],
)
def test_a_question_is_not_asked_of_notes_that_it_does_not_concern(
    vectors: Vectors, question: Callable[..., store.Liked], kind: str, status: str
) -> None:
    with pytest.raises(ValueError, match="are asked of"):
        question(likeness(vectors, FakeEmbedder()), TEXT, kind=kind, status=status)


def test_no_way_of_asking_leaves_kind_and_status_out() -> None:
    for name in ("duplicates_of", "repetitions_of", "reproposals_of"):
        parameters = inspect.signature(getattr(Likeness, name)).parameters
        assert all(parameters[each].default is inspect.Parameter.empty for each in ("kind", "status")), name
    parameters = inspect.signature(similar).parameters
    assert all(parameters[each].default is inspect.Parameter.empty for each in ("kinds", "statuses", "threshold"))
    assert inspect.signature(Vectors.nearness).parameters["allowed"].default is inspect.Parameter.empty


@pytest.mark.parametrize(("kinds", "statuses"), [((), ("active",)), (("procedure",), ())])
def test_no_kind_is_not_every_kind(vectors: Vectors, kinds: tuple[str, ...], statuses: tuple[str, ...]) -> None:
    like = vectors.vector("soup.md")
    assert like is not None
    with pytest.raises(ValueError, match="named kinds and statuses"):
        similar(vectors, like, kinds=kinds, statuses=statuses, about=ABOUT, threshold=0.5)


def test_a_note_of_the_vault_is_compared_by_the_vector_that_it_has(vectors: Vectors) -> None:
    like = vectors.vector("clean-cache.md")
    assert like is not None
    found = similar(vectors, like, kinds=("procedure",), statuses=("active", "retired"), about=ABOUT, threshold=0.6, but={"clean-cache.md"})
    assert [note.path for note in found] == ["retired.md", "empty-cache.md"]
    assert found[0].score > found[1].score >= 0.6


def test_without_a_model_only_copies_are_called_duplicates(vectors: Vectors) -> None:
    gone = FakeEmbedder()
    ask = likeness(vectors, gone)
    found = ask.duplicates_of(TEXT, kind="procedure", status="active")
    assert paths(found) == ["clean-cache.md"]
    assert found.basis == "shingles"
    assert "not of hashed" in found.problem


def test_without_a_model_nothing_is_said_of_repetition_or_reproposal(tmp_path: Path) -> None:
    ask = likeness(Vectors(tmp_path), FakeEmbedder())
    for found in (
        ask.repetitions_of(TEXT, kind="procedure", status="active"),
        ask.reproposals_of(TEXT, kind="skill", status="discarded"),
    ):
        assert (found.notes, found.basis, found.problem) == ((), "nothing", "no note has been embedded yet")


def test_a_model_that_does_not_answer_now_is_a_problem_and_no_error(tmp_path: Path) -> None:
    source = FakeEmbedder()
    vectors = Vectors(tmp_path)
    vectors.update({path: fingerprint(text) for path, text in TEXTS.items()}, TEXTS.__getitem__, source)
    source.calls_left = 0
    found = likeness(vectors, source).repetitions_of(TEXT, kind="procedure", status="active")
    assert (found.notes, found.problem) == ((), "the model went away")
    source.calls_left = 9
    source.fails = lambda _: "gave NaN"
    assert likeness(vectors, source).repetitions_of(TEXT, kind="procedure", status="active").problem == "gave NaN"


def test_a_text_of_any_length_is_asked_about(tmp_path: Path) -> None:
    source = FakeEmbedder(context=60)
    texts = {f"{at}.md": f"Title {at}\n" + " ".join(f"word{at * 100 + word}" for word in range(60)) for at in range(40)}
    vectors = Vectors(tmp_path)
    vectors.update({path: fingerprint(text) for path, text in texts.items()}, texts.__getitem__, source)
    ask = Likeness(vectors, source, dict.fromkeys(texts, About("knowledge", "active")), texts.__getitem__)
    assert paths(ask.duplicates_of(texts["7.md"], kind="knowledge", status="active"))[0] == "7.md"
