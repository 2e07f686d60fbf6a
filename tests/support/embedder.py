"""Embedders for tests: the embedded model, loaded once a process, and one of hashed words that costs nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import util

import pytest

from tests.support.model_server import hashed_words
from vaultkit.errors import ModelUnavailableError
from vaultkit.store.models import Embedded, Embedder, Kind
from vaultkit.store.models.embed import unit_rows
from vaultkit.store.models.embedded import UseEmbedder


@cache
def embedded_model() -> Embedder:
    """The model of the extra `vaultkit[embed]`; loading it takes a second or two."""
    if util.find_spec(UseEmbedder.module) is None:
        pytest.skip("the extra vaultkit[embed] is not installed")
    return UseEmbedder()


class FakeEmbedder:
    """Hashed words. *fails* says of a text why it cannot be embedded; after *calls_left* calls the model is gone."""

    def __init__(
        self,
        name: str = "hashed",
        *,
        dimension: int = 32,
        context: int = 100_000,
        fails: Callable[[str], str] = lambda _: "",
        digest: str = "1",
    ) -> None:
        self.name, self.digest, self.dimension, self.context = name, digest, dimension, context
        self.fails = fails
        self.calls_left = 1_000_000
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str], *, kind: Kind = "passage") -> Embedded:
        if not self.calls_left:
            raise ModelUnavailableError("the model went away", hint="call it back")
        self.calls_left -= 1
        self.texts += texts
        problems = {at: why for at, text in enumerate(texts) if (why := self.fails(text))}
        rows: list[Sequence[float] | None] = [*hashed_words(texts, self.dimension)]
        for at in problems:
            rows[at] = None
        return unit_rows(rows, self.dimension, problems)
