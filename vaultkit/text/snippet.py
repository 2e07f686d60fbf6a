"""Snippets: the stretch of a note's Markdown that shows best why it was found, as plain text. Pure, linear in the text."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final, NamedTuple

from vaultkit.text.tokens import index_tokens, pieces, query_tokens, short_spellings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SIZE: Final = 160  # characters


def snippet(body: str, terms: Iterable[str], *, size: int = SIZE) -> str:
    """At most *size* characters of *body* (no frontmatter): the earliest stretch of one line that holds the most of *terms*.

    *terms* are words of a query, as `SearchIndex.search` returns them. Where none stands in the text (a note found by its title or a
    tag), its beginning. One line; `…` where text of the line was left out.
    """
    wanted = frozenset(token for term in terms for token in query_tokens(term))
    best = _Window("", 0, 0, 0)
    for line in _lines(body):
        if best.terms == len(wanted):
            break
        if len(wanted.intersection(index_tokens(line))) > best.terms:
            window = _window(plain(line), wanted, size)
            if window.terms > best.terms:
                best = window
    return _cut(best if best.terms else _Window(_opening(body), 0, 0, 0), size)


def plain(line: str) -> str:
    """One line of Markdown as a reader sees it: no list marks, links as their text."""
    for pattern, instead in _MARKUP:
        line = pattern.sub(instead, line)
    return " ".join(line.split())


# Bounded, and stopped by the next bracket, so that a line of a thousand brackets is no more work than any other.
_MARKUP: Final = tuple(
    (re.compile(pattern), instead)
    for pattern, instead in (
        (r"[\x00-\x1f\x7f]", " "),
        (r"<!--.{0,500}?-->|%%[^%]{0,500}%%", " "),
        (r"^ *(?:> ?)+(?:\[![^\[\]]{1,40}\][+-]?)?", ""),  # quotes and callouts
        (r"^ *(?:[-*+]|\d{1,9}[.)]) +(?:\[[^\[\]]\] +)?", ""),  # bullets and tasks
        (r"^ {0,3}#{1,6} +", ""),
        (r" \^[A-Za-z0-9-]{1,80}$", ""),
        (r"!?\[\[(?:[^\[\]|]{0,300}\|)?([^\[\]|]{0,300})\]\]", r"\1"),
        (r"!?\[([^\[\]]{0,300})\]\([^()\[\]]{0,2000}\)", r"\1"),
        (r"</?[A-Za-z][^<>]{0,300}>", " "),
        (r"\*{2,3}|~~|`+|==(?=\S)|(?<=\S)==", ""),
        (r"(?<![\w*])\*(?=\w)|(?<=\w)\*(?![\w*])", ""),
    )
)
_LONGEST_LINE = 4000  # looked at in one piece
_RULE = re.compile(r"^\s*(?:[-*_=`~]{3,}.*|\|?[-:| ]+\|)?$")  # a rule, a fence, a setext underline, a table's second row, nothing
_LEAD = 3  # one part in three of the spare room stands before the first term
_WORD_EDGE = 20  # characters given up so that no word is cut


class _Window(NamedTuple):
    line: str
    terms: int  # how many of the wanted tokens it holds
    start: int  # from the first of them
    end: int  # to the end of the last


def _lines(body: str) -> Iterator[str]:
    for line in body.splitlines():
        for at in range(0, len(line), _LONGEST_LINE):
            yield line[at : at + _LONGEST_LINE]


def _opening(body: str) -> str:
    """The first line that is text; a heading where there is no other."""
    heading = ""
    for line in _lines(body):
        if _RULE.match(line):
            continue
        if text := plain(line):
            if not line.lstrip().startswith("#"):
                return text
            heading = heading or text
    return heading


def _window(line: str, wanted: frozenset[str], size: int) -> _Window:
    """The first stretch of *line*, *size* long at most, with the most different tokens."""
    found = list(_found(line, wanted))
    best = _Window(line, 0, 0, 0)
    inside: dict[str, int] = {}
    first = 0
    for at, (_, end, token) in enumerate(found):
        inside[token] = inside.get(token, 0) + 1
        while first < at and end - found[first][0] > size:
            gone = found[first][2]
            inside[gone] -= 1
            if not inside[gone]:
                del inside[gone]
            first += 1
        if len(inside) > best.terms:
            best = _Window(line, len(inside), found[first][0], end)
    return best


def _found(line: str, wanted: frozenset[str]) -> Iterator[tuple[int, int, str]]:
    """Where wanted tokens stand in *line*: start, end, token, in order."""
    folded, at = _folded(line)
    for start, end, unspaced in pieces(folded):
        if unspaced:
            short = {start + here: token for here, token in short_spellings(folded[start:end])}
            for here in range(start, end):
                for length, token in ((1, folded[here]), (2, folded[here : here + 2]), (3, short.get(here, ""))):
                    if token in wanted and here + length <= end:
                        yield at[here], at[here + length], token
        else:
            for token in wanted.intersection(index_tokens(folded[start:end])):
                yield at[start], at[end], token


def _folded(line: str) -> tuple[str, list[int]]:
    """The folded line, and for each of its characters (and its end) the place in *line*."""
    if line.isascii():
        return line.lower(), list(range(len(line) + 1))
    folded: list[str] = []
    at: list[int] = []
    for cluster in _CLUSTER.finditer(line):
        text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", cluster[0]).casefold())
        folded.append(text)
        at += [cluster.start()] * len(text)
    return "".join(folded), [*at, len(line)]


# A character with the marks that NFKC may melt into it: ﾌﾟ, が in two code points, é in two.
_CLUSTER = re.compile("[\\s\\S][\u0300-\u036f\u3099\u309a\uff9e\uff9f]*")


def _cut(window: _Window, size: int) -> str:
    line, _, start, end = window
    if len(line) <= size:
        return line
    room = max(0, size - 2 - (end - start))
    left = max(0, min(start - room // _LEAD, len(line) - (size - 1)))
    right = min(len(line), left + size - (2 if left else 1))
    if right == len(line):
        left = max(0, len(line) - (size - 1))
    if left:
        space = line.find(" ", left, min(left + _WORD_EDGE, max(start, left)))
        left = left if space < 0 else space + 1
    if right < len(line):
        space = line.rfind(" ", max(end, right - _WORD_EDGE, left + 1), right + 1)
        right = right if space < 0 else space
    return f"{'…' if left else ''}{line[left:right].strip()}{'…' if right < len(line) else ''}"
