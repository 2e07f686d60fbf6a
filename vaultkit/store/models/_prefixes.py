"""The words that embedding models want before a query and before a passage, by family."""

from __future__ import annotations

import re
from typing import Final

_ASK = "Represent this sentence for searching relevant passages: "
_INSTRUCT = "Instruct: Given a search query, retrieve notes that answer it\nQuery: "

# The first that is found in the name holds, so the special ones come first. Names have owners and sizes: `me/multilingual-e5-large:q8_0`.
_FAMILIES: Final = (
    (r"e5-.*instruct", _INSTRUCT, ""),
    (r"\be5\b|e5-", "query: ", "passage: "),
    (r"nomic-embed", "search_query: ", "search_document: "),
    (r"mxbai-embed", _ASK, ""),
    (r"arctic-embed-?(?:2|.*v2)", "query: ", ""),
    (r"arctic-embed", _ASK, ""),
    (r"bge-(?:small|base|large)-en", _ASK, ""),
    (r"bge-(?:small|base|large)-zh", "为这个句子生成表示以用于检索相关文章：", ""),
    (r"embedding-?gemma", "task: search result | query: ", "title: none | text: "),
    (r"qwen3-embedding", _INSTRUCT, ""),
    (r"ruri-v3", "検索クエリ: ", "検索文書: "),
    (r"ruri", "クエリ: ", "文章: "),
)


def prefixes(model: str) -> tuple[str, str]:
    """What this model wants before a query and before a passage; most (bge-m3, all-minilm, granite, jina, paraphrase-*) want nothing."""
    name = model.lower()
    return next(((query, passage) for pattern, query, passage in _FAMILIES if re.search(pattern, name)), ("", ""))
