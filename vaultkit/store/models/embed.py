"""What an embedder is: texts → unit vectors, each text's failure by itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from vaultkit.errors import ModelUnavailableError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Kind = Literal["query", "passage"]  # many models were trained with a different prefix for each


class Embedded(NamedTuple):
    """One row a text, float32, of length 1. The rows of *failed* texts (index → why) are zero and mean nothing."""

    vectors: NDArray[np.float32]
    failed: Mapping[int, str]


class Embedder(Protocol):
    """Something that turns texts into vectors. Vectors of different (name, digest, dimension) are never compared."""

    @property
    def name(self) -> str:
        """The model's name."""

    @property
    def digest(self) -> str:
        """What tells this model from another of the same name."""

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""

    @property
    def context(self) -> int:
        """Tokens that it reads of one text; callers cut longer ones, so that nothing is dropped silently."""

    def embed(self, texts: Sequence[str], *, kind: Kind = "passage") -> Embedded:
        """A vector for each text. Raises ModelUnavailableError when the model as a whole does not answer."""


class NoEmbedder:
    """No model embeds here; asking it says why."""

    name = "none"
    digest = ""
    dimension = 0
    context = 0

    def __init__(self, reason: str = "no embedder is configured") -> None:
        self.reason = reason

    def embed(self, texts: Sequence[str], *, kind: Kind = "passage") -> Embedded:
        """See `Embedder`."""
        del texts, kind
        raise ModelUnavailableError(
            self.reason, hint="install the extra (`pip install 'vaultkit[embed]'`), or start Ollama and pull an embedding model"
        )


def unit_rows(
    rows: Sequence[Sequence[float] | None] | NDArray[np.float32], dimension: int, problems: Mapping[int, str] | None = None
) -> Embedded:
    """*rows* as float32 of length 1; what is no vector (None, another dimension, NaN, all zero) fails for itself."""
    import numpy as np

    vectors = np.zeros((len(rows), dimension), np.float32)
    failed = dict(problems or {})
    for at, row in enumerate(rows):
        if row is None:
            failed.setdefault(at, "the model gave no vector")
        elif len(row) != dimension:
            failed.setdefault(at, f"the model gave {len(row)} numbers, not {dimension}")
        else:
            vectors[at] = row
    with np.errstate(over="ignore", invalid="ignore"):
        lengths = np.linalg.norm(vectors.astype(np.float64), axis=1)
        usable = np.isfinite(lengths) & (lengths > 1e-12)
        vectors[usable] /= lengths[usable, None].astype(np.float32)
    for at in map(int, np.flatnonzero(~usable)):
        failed.setdefault(at, "the model gave a vector of zeros" if lengths[at] == 0 else "the model gave a vector with NaN")
        vectors[at] = 0
    return Embedded(vectors, failed)
