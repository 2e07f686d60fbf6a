"""Likeness of texts by their words, where no model embeds them: cosines of TF-IDF vectors. Pure.

Words say much less than meaning does: what has no word in common has no likeness, also when it says the same in another language.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from vaultkit.dream.sentences import words_of
from vaultkit.text.tokens import index_tokens


def by_words(texts: Sequence[str]) -> list[list[float]]:
    """A full matrix, 1 on the diagonal. Linear in the words that texts share."""
    counts = []
    for text in texts:
        wanted = words_of(text)
        counts.append(Counter(token for token in index_tokens(text) if token in wanted))
    notes = Counter(token for words in counts for token in words)
    size = len(texts)
    vectors = [
        _unit({token: (1 + math.log(times)) * math.log(1 + (size + 1) / (notes[token] + 0.5)) for token, times in words.items()})
        for words in counts
    ]
    postings: dict[str, list[tuple[int, float]]] = {}
    for index, vector in enumerate(vectors):
        for token, weight in vector.items():
            postings.setdefault(token, []).append((index, weight))
    matrix = [[0.0] * size for _ in range(size)]
    for index, vector in enumerate(vectors):
        row = matrix[index]
        for token, weight in vector.items():
            for other, their in postings[token]:
                row[other] += weight * their
        row[index] = 1.0
    return matrix


def _unit(vector: dict[str, float]) -> dict[str, float]:
    length = math.sqrt(sum(weight * weight for weight in vector.values()))
    return {token: weight / length for token, weight in vector.items()} if length else {}
