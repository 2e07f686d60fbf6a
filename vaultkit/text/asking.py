"""One question to a text model, as engines pose it and stores carry it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class ModelAsk(NamedTuple):
    """One question to a text model: it answers in JSON by *schema*."""

    system: str
    prompt: str
    schema: Mapping[str, Any]
