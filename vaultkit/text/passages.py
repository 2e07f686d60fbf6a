"""What of a note is embedded, and in which pieces. Pure.

A note's vector stands for its title and the first 2,000 characters of its body (memory.md M13): frontmatter is no part of it, so folding
use counters into a note makes no vector stale. What is longer than the model reads is cut into even pieces, each under the title, and
the note's vector is the mean of theirs weighted by length: one row a note, whatever the model.
"""

from __future__ import annotations

import hashlib
import math
import re
from typing import Final, NamedTuple

BODY: Final = 2_000  # characters


class Piece(NamedTuple):
    """A part of a text that a model can read whole. *weight* is its share of the text."""

    text: str
    weight: float


def passage(title: str, body: str) -> str:
    """The text that stands for a note. *body* is without frontmatter; a first heading that repeats the title is left out."""
    text = body.lstrip("\ufeff \t\r\n")
    if (heading := _FIRST_HEADING.match(text)) and heading[1].strip() == title.strip():
        text = text[heading.end() :].lstrip()
    whole = f"{title.strip()}\n{text[:BODY].rstrip()}".strip("\n")
    # Lone surrogates (names that are not UTF-8) have no place in any tokenizer.
    return whole.replace("\r\n", "\n").encode("utf-8", "replace").decode("utf-8")


def fingerprint(text: str) -> str:
    """What the vector of exactly this text is kept under."""
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest()


def title_of(text: str) -> str:
    """The title of a passage."""
    return text.partition("\n")[0]


def tokens_at_most(text: str) -> int:
    """How many tokens *text* has at most for common tokenizers: measured 0.67 a Japanese character and 0.26 a Latin one; a half more here."""
    wide = len(text) if text.isascii() else sum(1 for char in text if char >= "\u0250")
    wide = 0 if text.isascii() else wide
    return math.ceil(wide + (len(text) - wide) * 0.4) + 8


def pieces(text: str, tokens: int) -> list[Piece]:
    """*text* as it is when a model of so many *tokens* reads it whole, else even pieces of its body, each under its title."""
    need = tokens_at_most(text)
    if need <= tokens:
        return [Piece(text, 1.0)]
    title, _, body = text.partition("\n")
    room = tokens - tokens_at_most(title) - 1
    if not body or room < tokens // 2:  # a title that long is text like any other
        title, body, room = "", text, tokens
    parts = _even(body, math.ceil(tokens_at_most(body) / max(1, room - 8)))
    size = sum(map(len, parts))
    return [Piece(f"{title}\n{part}" if title else part, len(part) / size) for part in parts]


_FIRST_HEADING: Final = re.compile(r"#\s+(.*?)(?:\s+#+)?\s*(?:\r?\n|$)")
_ENDS: Final = ("\n\n", "\n", "。", ". ", "、", " ")  # where a piece may end, best first


def _even(text: str, count: int) -> list[str]:
    """About *count* parts of one size, each ended at a paragraph, sentence or word where one is near."""
    parts = []
    at = 0
    for left in range(count, 1, -1):
        end = at + math.ceil((len(text) - at) / left)
        nearest = at + (end - at) * 3 // 4
        for mark in _ENDS:
            found = text.rfind(mark, nearest, end)
            if found >= 0:
                end = found + len(mark)
                break
        parts.append(text[at:end])
        at = end
    parts.append(text[at:])
    return [part.strip() for part in parts if part.strip()]
