"""One ranking out of words and meaning, and the place of what was superseded."""

from __future__ import annotations

import pytest

from vaultkit.text.fusion import MOST, WEIGHT, Meaning, Word, behind_successors, fuse, rescaled, words_of

MEANING = Meaning(median=0.1, spread=0.05, scale=0.5)


def test_without_a_model_the_words_decide() -> None:
    found = fuse([Word("a", 1.0, 0.5), Word("b", 0.8, 1.0)], {}, None)
    assert [(hit.path, hit.score, hit.rank, hit.cosine) for hit in found] == [("b", 0.8, 2, None), ("a", 0.5, 1, None)]


def test_meaning_finds_what_has_no_word_of_the_query() -> None:
    found = fuse([Word("a", 1.0, 0.2)], {"a": 0.1, "b": 0.5}, MEANING)
    assert [hit.path for hit in found] == ["b", "a"]
    assert found[0].rank == 0
    assert found[0].semantic == pytest.approx(0.8)


def test_a_confident_match_of_words_wins_over_meaning() -> None:
    assert fuse([Word("a", 1.0, 1.0)], {"a": 0.1, "b": 0.6}, MEANING)[0].path == "a"


def test_meaning_decides_between_equal_words() -> None:
    assert [hit.path for hit in fuse([Word("a", 1.0, 1.0), Word("b", 1.0, 1.0)], {"a": 0.2, "b": 0.4}, MEANING)] == ["b", "a"]


def test_what_only_resembles_the_query_a_little_is_not_shown() -> None:
    assert fuse([], {"a": 0.14}, MEANING) == []
    assert fuse([Word("a", 0.1, 0.1)], {"a": 0.14}, MEANING)[0].path == "a"


def test_a_model_that_cannot_tell_the_notes_apart_has_little_to_say() -> None:
    flat = Meaning(median=0.5, spread=0.02, scale=0.5)
    assert fuse([Word("a", 1.0, 0.5)], {"a": 0.5, "b": 0.6}, flat)[0].path == "a"


def test_a_note_without_a_vector_keeps_what_its_words_earn() -> None:
    (hit,) = fuse([Word("a", 1.0, 1.0)], {}, MEANING)
    assert (hit.score, hit.cosine, hit.semantic) == (1.0, None, 0.0)


def test_a_bonus_is_added_and_named() -> None:
    found = fuse([Word("a", 0.9, 1.0), Word("b", 0.88, 1.0)], {}, None, bonuses={"b": 0.05})
    assert [(hit.path, hit.bonus) for hit in found] == [("b", 0.05), ("a", 0.0)]


def test_equals_stand_by_path() -> None:
    assert [hit.path for hit in fuse([Word("b", 1.0, 1.0), Word("a", 1.0, 1.0)], {}, None)] == ["a", "b"]


def test_the_second_part_is_bounded_and_never_negative() -> None:
    assert rescaled(-1.0, MEANING) == 0.0
    assert rescaled(1.0, MEANING) == MOST
    assert rescaled(1.0, MEANING._replace(scale=0.0)) == 0.0
    assert fuse([], {"a": 1.0}, MEANING)[0].score == pytest.approx(WEIGHT * MOST)


def test_shares_are_of_the_best_bm25() -> None:
    assert words_of([("a", 4.0, 0.5), ("b", 8.0, 0.1)]) == [Word("a", 0.5, 0.5), Word("b", 1.0, 0.1)]
    assert words_of([]) == []


@pytest.mark.parametrize(
    ("found", "successors", "order"),
    [
        (["old", "x", "new"], {"old": "new"}, ["x", "new", "old"]),
        (["new", "x", "old"], {"old": "new"}, ["new", "x", "old"]),
        (["old", "x"], {"old": "new"}, ["old", "x"]),
        (["old", "mid", "new"], {"old": "mid", "mid": "new"}, ["new", "mid", "old"]),
        (["mid", "old", "new"], {"old": "mid", "mid": "new"}, ["new", "mid", "old"]),
        (["old", "x", "new"], {"old": "mid", "mid": "new"}, ["x", "new", "old"]),
        (["a", "b"], {"a": "b", "b": "a"}, ["a", "b"]),
        (["a"], {"a": "a"}, ["a"]),
        ([], {"a": "b"}, []),
    ],
)
def test_a_superseded_note_never_stands_before_its_successor(found: list[str], successors: dict[str, str], order: list[str]) -> None:
    assert behind_successors(found, successors) == order
