"""Near-copies without a model: hashed n-grams of tokens, weighted by TF-IDF, compared by cosine. Pure.

Finds a text of which sentences were dropped, moved or added. It knows nothing of paraphrase and is never asked about it.

    text ──tokens──▶ one-, two- and three-grams ──hash──▶ 32-bit keys ──(1 + log count) × idf──▶ a sparse vector of length 1

A text is looked up by its weightiest keys only: of two near-copies the rarest n-grams are nearly always among both.
"""

from __future__ import annotations

import math
import zlib
from collections import Counter
from collections.abc import Mapping
from typing import Final

from vaultkit.text.tokens import index_tokens

NEAR_COPY: Final = 0.5  # copies with a quarter of their clauses gone lie at .6 to .85, the next best note below .3

_SIZES: Final = (1, 2, 3)
_SIGNS: Final = 40  # keys that a text is looked up by
_COMMON: Final = 3  # of them that a candidate must share
_LONGEST: Final = 8_000  # characters: of a longer text its beginning


class Shingles:
    """Texts to compare with. Costs about a millisecond a text to make: give it the notes that can matter, not the vault."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        counts = {name: _grams(text) for name, text in texts.items()}
        self._notes = Counter(key for grams in counts.values() for key in grams)
        self._size = len(texts)
        self._vectors = {name: self._weighed(grams) for name, grams in counts.items()}
        self._postings: dict[int, list[str]] = {}
        for name, vector in self._vectors.items():
            for key in _signs(vector):
                self._postings.setdefault(key, []).append(name)

    def nearest(self, text: str, *, limit: int = 10) -> list[tuple[str, float]]:
        """The texts that share rare n-grams with *text* and their cosines with it, best first."""
        asked = self._weighed(_grams(text))
        shared = Counter(name for key in _signs(asked) for name in self._postings.get(key, ()))
        enough = min(_COMMON, len(asked))
        scored = [(name, _cosine(asked, self._vectors[name])) for name, times in shared.items() if times >= enough]
        return sorted(scored, key=lambda found: (-found[1], found[0]))[:limit]

    def _weighed(self, grams: Counter[int]) -> dict[int, float]:
        weights = {key: (1 + math.log(times)) * math.log((self._size + 1) / (self._notes[key] + 0.5) + 1) for key, times in grams.items()}
        length = math.sqrt(sum(weight * weight for weight in weights.values()))
        return {key: weight / length for key, weight in weights.items()} if length else {}


def _grams(text: str) -> Counter[int]:
    tokens = index_tokens(text[:_LONGEST])
    # Not `hash`: that of a text differs from process to process.
    return Counter(
        zlib.crc32(" ".join(tokens[at : at + size]).encode("utf-8", "replace")) for size in _SIZES for at in range(len(tokens) - size + 1)
    )


def _signs(vector: Mapping[int, float]) -> list[int]:
    return sorted(vector, key=lambda key: (-vector[key], key))[:_SIGNS]


def _cosine(left: Mapping[int, float], right: Mapping[int, float]) -> float:
    small, big = (left, right) if len(left) < len(right) else (right, left)
    return sum(weight * big.get(key, 0.0) for key, weight in small.items())
