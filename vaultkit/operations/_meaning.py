"""Search by meaning: the query's vector, where a model is at hand, and one ranking out of words and cosines."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from vaultkit import recall
from vaultkit.app import App
from vaultkit.errors import ModelUnavailableError
from vaultkit.store.search import Hit as Words
from vaultkit.text import fusion

if TYPE_CHECKING:
    from vaultkit.store.vectors.calibration import Rows

DEEP: Final = 50  # candidates of each kind


class Ranked(NamedTuple):
    """A note of the ranking, why it stands there, and the words of the query that it has."""

    path: str
    score: float
    why: Mapping[str, object]
    terms: tuple[str, ...] = ()


class Asked(NamedTuple):
    """A query as a vector; *scale* and *floor* are calibrated."""

    vector: Rows
    scale: float
    floor: float
    entry: float  # a question and a note about it


def ask_model(app: App, query: str, *, load: bool) -> tuple[Asked | None, tuple[str, ...]]:
    """The query's vector, and what is left out of the answer, and why. A model that is not loaded yet is only used with *load*."""
    there = app.embedded
    if not load and not app.warm:
        return None, ("vectors: no model is loaded in this process (--hybrid loads one)",) if there else ()
    if not there:
        return None, ("vectors: there are none yet (`vaultkit sync --embed` makes them)",)
    choice = app.embedder()
    known = app.vectors.calibration
    if not choice.works:
        return None, (f"vectors: {'; '.join(choice.problems) or 'embedder = none'}",)
    if known is None or not app.vectors.fits(choice.embedder):
        theirs, ours = app.vectors.model.name or "no model", choice.embedder.name
        return None, (f"vectors: they are of {theirs}, not of {ours} (`vaultkit sync --embed` makes them anew)",)
    try:
        found = choice.embedder.embed([query], kind="query")
    except ModelUnavailableError as error:
        app.forget_embedder()
        return None, (f"vectors: {error.message}",)
    if found.failed:
        return None, (f"vectors: the query could not be embedded: {found.failed[0]}",)
    missing = len(app.embeddable()) - len(app.vectors)
    return Asked(found.vectors[0], known.scale, known.floor, known.entry), (
        f"vectors: {missing} notes have none yet (`vaultkit sync`)",
    ) if missing > 0 else ()


def by_both(app: App, asked: Asked, words: Sequence[Words], allowed: Collection[str]) -> list[Ranked] | None:
    """The fused ranking; None when there is no vector."""
    near = app.vectors.nearness(asked.vector, allowed=allowed, nearest=DEEP, also=[hit.path for hit in words])
    if near is None:
        return None
    by_path = {hit.path: hit for hit in words}
    meaning = fusion.Meaning(near.median, near.spread, asked.scale, asked.floor)
    shares = fusion.words_of([(hit.path, hit.bm25, hit.coverage) for hit in words])
    fused = fusion.fuse(shares, near.cosines, meaning, bonuses=_bonuses(app, by_path.keys() | near.cosines.keys()))
    result = []
    for one in fused:
        hit = by_path.get(one.path)
        terms = hit.terms if hit else ()
        why: dict[str, Any] = {
            "terms": list(terms),
            "coverage": round(one.coverage, 3),
            "rank": one.rank or None,
            "bm25": round(hit.bm25, 3) if hit else 0.0,
            "cosine": None if one.cosine is None else round(one.cosine, 4),
            "lexical": round(one.lexical, 3),
            "semantic": round(one.semantic, 3),
            "bonus": round(one.bonus, 3),
        }
        result.append(Ranked(one.path, one.score, why, terms))
    return result


def _bonuses(app: App, paths: Collection[str]) -> dict[str, float]:
    """Of what was read lately and judged useful: bounded, as in recall."""
    found = {}
    counters = app.activity.counters()
    for path in counters.keys() & paths if counters else ():
        counter = counters[path]
        last = datetime.fromisoformat(counter.last_accessed) if counter.last_accessed else None
        if bonus := recall.bonus_of(recall.Use(counter.accessed, last, counter.useful), app.now()):
            found[path] = bonus
    return found
