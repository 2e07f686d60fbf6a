"""What is like a text: four questions, each with its own kinds and statuses (memory.md M18). There is no search without them.

    duplicates    active notes of the same kind      → skip, or update the one that is there
    repetitions   active procedures                  → store, and count: the third time a skill is proposed
    reproposals   discarded proposals                → keep the proposal back, never the note
    retired       procedures that became a skill     → say which; the note is stored all the same

Mixing them up is how a discarded proposal once kept new notes from being stored. Without a model only duplicates are answered, and only
copies of the text are found (`text/shingles`): n-grams know nothing of paraphrase.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from vaultkit.errors import ModelUnavailableError
from vaultkit.text.passages import pieces
from vaultkit.text.shingles import NEAR_COPY, Shingles

if TYPE_CHECKING:
    from vaultkit.store.vectors.calibration import Rows
    from vaultkit.store.vectors.matrix import Source, Vectors

Basis = Literal["vectors", "shingles", "nothing"]


class About(NamedTuple):
    """What the questions are asked by."""

    kind: str
    status: str


class Like(NamedTuple):
    """A note that is alike, and how much."""

    path: str
    score: float


class Liked(NamedTuple):
    """Best first. *basis*: what they were compared by; *problem*: why not by vectors."""

    notes: tuple[Like, ...]
    basis: Basis = "vectors"
    problem: str = ""


def similar(
    vectors: Vectors,
    like: Rows,
    *,
    kinds: Collection[str],
    statuses: Collection[str],
    about: Mapping[str, About],
    threshold: float,
    but: Collection[str] = (),
) -> list[Like]:
    """Notes of one of *kinds* and of *statuses* whose cosine with the vector *like* reaches *threshold*, best first; not those in *but*."""
    named = _among(about, kinds=kinds, statuses=statuses, but=but)
    found = (Like(path, cosine) for path, cosine in vectors.cosines(like, named).items() if cosine >= threshold)
    return sorted(found, key=lambda note: (-note.score, note.path))


@dataclass(frozen=True)
class Likeness:
    """The three questions over one vault. *about*: kind and status of every note; *text_of*: its `passage`."""

    vectors: Vectors
    source: Source
    about: Mapping[str, About]
    text_of: Callable[[str], str]

    def duplicates_of(self, text: str, *, kind: str, status: str, but: Collection[str] = ()) -> Liked:
        """Notes of the same *kind* that say the same. *status* is active; *text* is a `passage`."""
        _asked_for("duplicates", kind, status)
        found = self._like(text, kind=kind, status=status, but=but, threshold="duplicate")
        if found.basis != "nothing":
            return found
        paths = _among(self.about, kinds=(kind,), statuses=(status,), but=but)
        shingles = Shingles({path: self.text_of(path) for path in paths})
        near = tuple(Like(path, score) for path, score in shingles.nearest(text) if score >= NEAR_COPY)
        return Liked(near, "shingles", found.problem)

    def repetitions_of(self, text: str, *, kind: str, status: str, but: Collection[str] = ()) -> Liked:
        """Procedures that do the same, told freely. *kind* is that of procedures, *status* active."""
        _asked_for("repetitions", kind, status)
        return self._like(text, kind=kind, status=status, but=but, threshold="repetition")

    def reproposals_of(self, text: str, *, kind: str, status: str, but: Collection[str] = ()) -> Liked:
        """Proposals of that *kind* that were turned down. *status* is discarded."""
        _asked_for("reproposals", kind, status)
        return self._like(text, kind=kind, status=status, but=but, threshold="repetition")

    def retired_like(self, text: str, *, kind: str, status: str, but: Collection[str] = ()) -> Liked:
        """Procedures of that *kind* that were retired, as those are that became a skill. *status* is retired."""
        _asked_for("retired", kind, status)
        return self._like(text, kind=kind, status=status, but=but, threshold="repetition")

    def _like(self, text: str, *, kind: str, status: str, but: Collection[str], threshold: Literal["duplicate", "repetition"]) -> Liked:
        known = self.vectors.calibration
        if known is None:
            return Liked((), "nothing", "no note has been embedded yet")
        if not self.vectors.fits(self.source):
            return Liked((), "nothing", f"the vectors are of {self.vectors.model.name}, not of {self.source.name}")
        try:
            like = _embedded(text, self.source)
        except ModelUnavailableError as error:
            return Liked((), "nothing", error.message)
        at_least = known.duplicate if threshold == "duplicate" else known.repetition
        found = similar(self.vectors, like, kinds=(kind,), statuses=(status,), about=self.about, threshold=at_least, but=but)
        return Liked(tuple(found))


_STATUS: Final = {"duplicates": "active", "repetitions": "active", "reproposals": "discarded", "retired": "retired"}


def _asked_for(question: str, kind: str, status: str) -> None:
    if not kind or status != _STATUS[question]:
        raise ValueError(f"{question} are asked of one kind and of notes that are {_STATUS[question]}, not of {kind!r} and {status!r}")


def _among(about: Mapping[str, About], *, kinds: Collection[str], statuses: Collection[str], but: Collection[str]) -> list[str]:
    if not kinds or not statuses:
        raise ValueError("similarity is asked of named kinds and statuses")
    return [path for path, (kind, status) in about.items() if kind in kinds and status in statuses and path not in but]


def _embedded(text: str, source: Source) -> Rows:
    """One vector for a text of any length, as `Vectors.update` makes it for a note."""
    import numpy as np

    parts = pieces(text, source.context)
    result = source.embed([part.text for part in parts], kind="passage")
    if result.failed:
        raise ModelUnavailableError(next(iter(result.failed.values())), hint="try again, or look at the model server's log")
    mean = np.average(result.vectors, axis=0, weights=[part.weight for part in parts]).astype(np.float32)
    unit: Rows = mean / np.linalg.norm(mean)
    return unit
