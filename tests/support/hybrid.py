"""Hybrid search over a handful of notes in memory, put together as the search operation does it: for evaluation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from vaultkit.store.models import Embedder
from vaultkit.store.search import Doc, SearchIndex
from vaultkit.store.vectors import Vectors
from vaultkit.text.fusion import Meaning, fuse, words_of
from vaultkit.text.passages import fingerprint, passage
from vaultkit.text.tokens import pooled

DEEP = 50  # candidates of each kind


class Shelf(NamedTuple):
    """Notes that can be searched both ways."""

    words: SearchIndex
    vectors: Vectors
    embedder: Embedder
    paths: frozenset[str]

    def lexical(self, query: str, limit: int = 10) -> list[str]:
        """By words alone."""
        return [hit.path for hit in self.words.search(query, limit=limit)]

    def hybrid(self, query: str, limit: int = 10) -> list[str]:
        """By words and meaning."""
        hits = self.words.search(query, limit=DEEP)
        asked = self.embedder.embed([query], kind="query").vectors[0]
        near = self.vectors.nearness(asked, allowed=self.paths, nearest=DEEP, also=[hit.path for hit in hits])
        known = self.vectors.calibration
        assert near is not None
        assert known is not None
        shares = words_of([(hit.path, hit.bm25, hit.coverage) for hit in hits])
        fused = fuse(shares, near.cosines, Meaning(near.median, near.spread, known.scale, known.floor))
        return [hit.path for hit in fused[:limit]]


@contextmanager
def shelf(folder: Path, notes: Sequence[dict[str, Any]], embedder: Embedder) -> Iterator[Shelf]:
    """*notes* with id, title, body and perhaps tags."""
    texts = {note["id"]: passage(note["title"], note["body"]) for note in notes}
    vectors = Vectors(folder)
    vectors.update({path: fingerprint(text) for path, text in texts.items()}, texts.__getitem__, embedder)
    with SearchIndex(folder) as index:
        index.rebuild(Doc(note["id"], pooled(note["title"], note.get("tags", ()), note["body"])) for note in notes)
        yield Shelf(index, vectors, embedder, frozenset(texts))


class Score(NamedTuple):
    """Shares of all queries."""

    queries: int
    first: float  # an expected note is the first
    recall_at_5: float

    def __str__(self) -> str:
        return f"top-1 {self.first:.3f}, recall@5 {self.recall_at_5:.3f} ({self.queries} queries)"


def score(answers: Sequence[tuple[Sequence[str], Sequence[str]]]) -> Score:
    """*answers*: what was expected and what was found, best first."""
    first = sum(bool(found) and found[0] in expected for expected, found in answers)
    recall = sum(len(set(expected).intersection(found[:5])) / len(set(expected)) for expected, found in answers)
    return Score(len(answers), first / len(answers), recall / len(answers))
