"""What a text says, sentence by sentence, and how much of one text stands in another. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from vaultkit.text._english import STOP_WORDS
from vaultkit.text.tokens import index_tokens


def sentences(content: str) -> Iterator[str]:
    """The sentences and list items of a note's body that state something: no headings, tasks, link lists, code or embeds."""
    fenced = False
    for line in content.splitlines():
        if _FENCE.match(line):
            fenced = not fenced
            continue
        if fenced or _NO_STATEMENT.match(line):
            continue
        text = _MARK.sub("", line).strip()
        for piece in _END.split(text):
            said = piece.strip()
            if len(said) >= _SHORTEST and words_of(_NO_PROSE.sub(" ", said)):
                yield said


def words_of(text: str) -> frozenset[str]:
    """The tokens that carry meaning: of unspaced scripts the pairs of characters, for a whole run is a sentence as often as a word."""
    return frozenset(token for token in index_tokens(text) if token not in STOP_WORDS and (token < _WIDE_FROM or len(token) == 2))


def covered(words: frozenset[str], source: frozenset[str]) -> float:
    """The share of *words* that *source* has too; of nothing, all."""
    return len(words & source) / len(words) if words else 1.0


def overlap(left: frozenset[str], right: frozenset[str]) -> float:
    """Shared words as a share of all of both."""
    return len(left & right) / len(left | right) if left and right else 0.0


def distinct(found: Iterable[tuple[str, str]], *, alike: float = 0.7) -> list[tuple[str, list[str]]]:
    """(sentence, where it stands) → each statement once, with all the places that make it. The fuller wording is kept."""
    kept: list[tuple[str, frozenset[str], list[str]]] = []
    for said, place in found:
        words = words_of(said)
        for index, (other, theirs, places) in enumerate(kept):
            if overlap(words, theirs) >= alike or (len(words) > 2 and words <= theirs) or (len(theirs) > 2 and theirs <= words):
                if place not in places:
                    places.append(place)
                if len(words) > len(theirs):
                    kept[index] = (said, words, places)
                else:
                    kept[index] = (other, theirs, places)
                break
        else:
            kept.append((said, words, [place]))
    return [(said, places) for said, _, places in kept]


_SHORTEST: Final = 4  # characters
_WIDE_FROM: Final = "\u1100"
_FENCE: Final = re.compile(r"\s*(?:```|~~~)")
_NO_STATEMENT: Final = re.compile(
    r"\s*(?:#{1,6}\s|[-*+] \[.\] |\d+[.)] \[.\] |Related: \[\[|!\[\[[^\]]*\]\]\s*$|\||---+\s*$|<!--|%%|\[[^\]]+\]:\s|\^\S+\s*$|[\w -]+:: )"
)
_MARK: Final = re.compile(r"^[\s>]*(?:[-*+]\s+|\d{1,9}[.)]\s+)?")
_END: Final = re.compile(r"(?<=[。！？])|(?<=[.!?])\s+(?=[^\Wa-z])")
_NO_PROSE: Final = re.compile(r"https?://\S+")
