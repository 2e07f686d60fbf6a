"""One ranking out of two: words (BM25 × coverage) and meaning (cosine). Pure.

    score = coverage × (bm25 / best bm25)  +  WEIGHT × (cosine − median) / scale

*median* is that of the query's cosines over the whole vault, *scale* the distance that the model keeps between unrelated texts and
texts that say the same (measured once a model on fixed sentences, `store/vectors`). So the second part is in the model's own unit and
nobody's cosines are compared with a number of another model.

Why not rescale so that the best cosine is always 1: then a model that cannot tell the notes apart (long conversations, all about the
same two people) votes as loudly as one that knows. Measured with one setting for both, WEIGHT × (0 = median, 1 = best) against this:
LoCoMo hit@1 .56 against .71, where the former puts .75 and this .83 of the Japanese paraphrases first. Ranks (RRF) forget both
strengths and did worse still.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

WEIGHT: Final = 0.8  # of .7 to 1 all keep LoCoMo within .01 and the Japanese paraphrases where they are
SHOWN: Final = 1.0  # spreads
MOST: Final = 1.25  # of the second part before weighting: one text that repeats the query word by word is no better than that


class Word(NamedTuple):
    """A note that has words of the query. *share* = its BM25 / the best note's; both numbers lie between 0 and 1."""

    path: str
    share: float
    coverage: float


class Meaning(NamedTuple):
    """What the cosines of one query are measured against: *median* and *spread* of the query over the vault, *scale* of the model.

    *floor* is calibrated on questions that have nothing to do with the notes that they were held against.
    """

    median: float
    spread: float
    scale: float
    floor: float = -1.0

    @property
    def shown(self) -> float:
        """A note that shares no word with the query must reach this cosine: of the vault's notes that have nothing to do with it few do."""
        return max(self.floor, self.median + SHOWN * self.spread)


class Fused(NamedTuple):
    """A note of the common ranking. *rank* is its lexical rank from 1 (0: no word matched), *cosine* None where it has no vector."""

    path: str
    score: float
    lexical: float
    semantic: float
    rank: int
    coverage: float
    cosine: float | None
    bonus: float = 0.0


def words_of(found: Sequence[tuple[str, float, float]]) -> list[Word]:
    """Lexical hits (path, BM25, coverage) in their order, as shares of the best BM25 among them."""
    best = max((bm25 for _, bm25, _ in found), default=0.0)
    return [Word(path, bm25 / best if best > 0 else 0.0, coverage) for path, bm25, coverage in found]


def fuse(
    words: Sequence[Word],
    cosines: Mapping[str, float],
    meaning: Meaning | None,
    *,
    bonuses: Mapping[str, float] | None = None,
    weight: float = WEIGHT,
) -> list[Fused]:
    """Best first, equals by path. *words* in lexical order; *cosines* of those notes and of the nearest ones.

    Without *meaning* (no model, no vector) the words decide alone.
    """
    bonuses = bonuses or {}
    ranked = {word.path: (rank, word) for rank, word in enumerate(words, 1)}
    fused = []
    for path in ranked.keys() | (cosines.keys() if meaning else set()):
        rank, word = ranked.get(path, (0, _NO_WORD))
        cosine = cosines.get(path) if meaning else None
        if meaning and not rank and (cosine is None or cosine < meaning.shown):
            continue
        lexical = word.coverage * word.share
        semantic = rescaled(cosine, meaning) if meaning and cosine is not None else 0.0
        bonus = bonuses.get(path, 0.0)
        score = round(lexical + weight * semantic + bonus, 6)
        fused.append(Fused(path, score, round(lexical, 6), round(semantic, 6), rank, word.coverage, cosine, bonus))
    return sorted(fused, key=lambda hit: (-hit.score, hit.path))


def rescaled(cosine: float, meaning: Meaning) -> float:
    """0 at the vault's median for this query, 1 where the model puts texts that say the same; never negative."""
    if not meaning.scale > 0:
        return 0.0
    return min(MOST, max(0.0, (cosine - meaning.median) / meaning.scale))


def behind_successors(paths: Iterable[str], successors: Mapping[str, str]) -> list[str]:
    """*paths* in order, except that none stands before a note that succeeded it, directly or through others.

    A note whose successors were not found keeps its place: it may be the only trace. Circles of successors change nothing.
    """
    order = list(paths)
    found = set(order)
    newer = {path: _newer(path, successors) for path in order if path in successors}
    for path in sorted(newer, key=lambda path: len(newer[path])):  # the nearest to its chain's end first
        at = order.index(path)
        behind = max((order.index(each) for each in newer[path] if each in found), default=at)
        if at < behind:
            order.insert(behind, order.pop(at))
    return order


_NO_WORD: Final = Word("", 0.0, 0.0)


def _newer(path: str, successors: Mapping[str, str]) -> list[str]:
    """The chain of successors; nothing when it comes back to where it was."""
    chain = [path]
    while following := successors.get(chain[-1], ""):
        if following in chain:
            return []
        chain.append(following)
    return chain[1:]
