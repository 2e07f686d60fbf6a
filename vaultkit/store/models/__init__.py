"""Local models: text models that answer with JSON, and embedders. Each has Ollama, a way without a server, and none.

Nothing leaves the machine unless the person sets `ollama_host` to another one: no redirect is followed, no proxy is asked. What a model
answers is data; callers hold it against their own rules. numpy, httpx and ollama are imported when a model is really asked.
"""

from __future__ import annotations

from vaultkit.store.models.choose import Choice, Setting, choose_embedder
from vaultkit.store.models.embed import Embedded, Embedder, Kind, NoEmbedder
from vaultkit.store.models.embedded import embedded_name
from vaultkit.store.models.text import Answer, NoTextModel, OllamaTextModel, TextModel, text_model

__all__ = [
    "Answer",
    "Choice",
    "Embedded",
    "Embedder",
    "Kind",
    "NoEmbedder",
    "NoTextModel",
    "OllamaTextModel",
    "Setting",
    "TextModel",
    "choose_embedder",
    "embedded_name",
    "text_model",
]
