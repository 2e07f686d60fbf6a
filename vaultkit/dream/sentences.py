"""What a text says, sentence by sentence, and how much of one text stands in another. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

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


class Said(NamedTuple):
    """A sentence as it is compared."""

    text: str
    words: frozenset[str]
    numbers: frozenset[str]
    negated: bool


def compared(text: str) -> Said:
    """See `Said`."""
    return Said(text, words_of(text), numbers_of(text), NEGATION.search(text) is not None)


def numbers_of(text: str) -> frozenset[str]:
    """Every number of a text, half-width and without the mark at its end."""
    return frozenset(found.rstrip(".,:/-") for found in _NUMBER.findall(unicodedata.normalize("NFKC", text)))


def repeats(one: Said, other: Said, *, alike: float = 0.7) -> bool:
    """Does *other* state all that *one* does? Two sentences that differ in a number, or in a "not", state two things."""
    if one.negated != other.negated:
        return False
    if len(one.words) > 2 and one.words <= other.words:
        return one.numbers <= other.numbers
    return one.numbers == other.numbers and overlap(one.words, other.words) >= alike


def distinct(found: Iterable[tuple[str, str]], *, alike: float = 0.7) -> list[tuple[str, list[str]]]:
    """(sentence, where it stands) → each statement once, with all the places that make it. The fuller wording is kept."""
    kept: list[tuple[Said, list[str]]] = []
    for text, place in found:
        one = compared(text)
        for index, (other, places) in enumerate(kept):
            if repeats(one, other, alike=alike) or repeats(other, one, alike=alike):
                if place not in places:
                    places.append(place)
                kept[index] = (one if len(one.words) > len(other.words) else other, places)
                break
        else:
            kept.append((one, [place]))
    return [(one.text, places) for one, places in kept]


NEGATION: Final = re.compile(r"\b(?:not|never|no|none|nor|without|cannot|\w+n['’]t)\b|ない|ません|禁止|不要", re.IGNORECASE)
_NUMBER: Final = re.compile(r"\d[\d.,:/-]*")


_SHORTEST: Final = 4  # characters
_WIDE_FROM: Final = "\u1100"
_FENCE: Final = re.compile(r"\s*(?:```|~~~)")
_NO_STATEMENT: Final = re.compile(
    r"\s*(?:#{1,6}\s|[-*+] \[.\] |\d+[.)] \[.\] |Related: \[\[|!\[\[[^\]]*\]\]\s*$|\||---+\s*$|<!--|%%|\[[^\]]+\]:\s|\^\S+\s*$|[\w -]+:: )"
)
_MARK: Final = re.compile(r"^[\s>]*(?:[-*+]\s+|\d{1,9}[.)]\s+)?")
_END: Final = re.compile(r"(?<=[。！？])|(?<=[.!?])\s+(?=[^\Wa-z])")
_NO_PROSE: Final = re.compile(r"https?://\S+")
