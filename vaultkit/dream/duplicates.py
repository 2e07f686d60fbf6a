"""Notes that say the same twice, and which of the two stays (memory.md M39). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from vaultkit.dream.sentences import compared, distinct, numbers_of, overlap, repeats, sentences, words_of


class Twin(NamedTuple):
    """Two notes of one kind. *likeness* is in the model's calibrated unit, *words* the share of words that both have."""

    winner: str
    loser: str
    likeness: float
    words: float
    sure: bool  # near enough to be merged without being asked


class Standing(NamedTuple):
    """What decides which of two stays."""

    backlinks: int
    accessed: int
    length: int
    made: str  # ISO day, "" when unknown


def twins(
    near: Mapping[tuple[str, str], float],
    texts: Mapping[str, str],
    standing: Mapping[str, Standing],
    *,
    at_least: float,
    words_at_least: float,
    sure: float,
) -> list[Twin]:
    """Near-duplicates among the pairs, best first; a note is in one of them at most. Likeness alone is not enough: two notes on one matter are alike."""
    found: list[Twin] = []
    words = {path: words_of(text) for path, text in texts.items()}
    for (left, right), likeness in near.items():
        if likeness < at_least or left not in words or right not in words:
            continue
        shared = overlap(words[left], words[right])
        contained = _contained(words[left], words[right])
        if max(shared, contained * 0.8) < words_at_least:
            continue
        winner, loser = sorted((left, right), key=lambda path: (*_rank(standing[path]), path))
        found.append(
            Twin(
                winner,
                loser,
                round(likeness, 4),
                round(shared, 4),
                sure=likeness >= sure and shared >= words_at_least and _same_numbers(texts[left], texts[right]),
            )
        )
    found.sort(key=lambda twin: (-twin.likeness, -twin.words, twin.winner, twin.loser))
    used: set[str] = set()
    chosen = []
    for twin in found:
        if not used & {twin.winner, twin.loser}:
            used |= {twin.winner, twin.loser}
            chosen.append(twin)
    return chosen


def missing_from(winner: str, loser: str) -> list[str]:
    """The statements of *loser* that *winner* does not make (both are bodies)."""
    there = [compared(text) for text in sentences(winner)]
    fresh = distinct((text, "") for text in sentences(loser))
    return [text for text, _ in fresh if not any(repeats(compared(text), other) for other in there)]


def _rank(standing: Standing) -> tuple[int, int, int, str]:
    return -standing.backlinks, -standing.accessed, -standing.length, standing.made or "9"


def _contained(left: Iterable[str], right: Iterable[str]) -> float:
    small, big = sorted((frozenset(left), frozenset(right)), key=len)
    return len(small & big) / len(small) if small else 0.0


def _same_numbers(left: str, right: str) -> bool:
    """Does neither name a number that the other lacks, while it lacks one of the other's? `part 1` is no copy of `part 2`."""
    one, other = numbers_of(left), numbers_of(right)
    return one <= other or other <= one
