"""Quoted strings of a YAML block, found without parsing it: the only place where Obsidian reads links in properties."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from typing import Final

from vaultkit.text._links import WIKILINK_BODY

WIKILINK: Final = re.compile(rf"(?P<embed>!?)\[\[(?!\[)(?P<body>{WIKILINK_BODY})\]\]")

_DOUBLE: Final = r'"(?:[^"\\]++|\\.)*"'
_SINGLE: Final = r"'(?:[^']++|'')*'"
# One line of block style up to its value: indent, list markers, a key with its colon.
_ENTRY: Final = re.compile(
    rf"([ ]*+)(?:-[ \t]++)*(?:(?:{_DOUBLE}|{_SINGLE}|[^\s\"'\#\[\]{{}},|>&*!%@`-][^:\n]*+(?::(?![ \t\n]|\Z)[^:\n]*+)*)[ \t]*+:(?:[ \t]++|(?=\n|\Z)))?",
    re.DOTALL,
)
_STRING: Final = re.compile(rf"{_DOUBLE}|{_SINGLE}", re.DOTALL)
_FLOW: Final = re.compile(
    rf"(?P<string>{_DOUBLE}|{_SINGLE})|(?P<open>[\[{{])|(?P<close>[\]}}])|(?P<comment>(?<=\s)\#[^\n]*+)|(?<=[^\s,\[{{:])['\"]", re.DOTALL
)
_KEY: Final = re.compile(rf"^(?:({_DOUBLE})|({_SINGLE})|([^\s\"'\#\[\]{{}},|>&*!%@`-][^:\n]*?))[ \t]*+:(?=[ \t\n]|\Z)", re.MULTILINE)
_ESCAPE: Final = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_SHORT: Final = {
    "0": "\0",
    "a": "\a",
    "b": "\b",
    "t": "\t",
    "n": "\n",
    "v": "\v",
    "f": "\f",
    "r": "\r",
    "e": "\x1b",
    "N": "\x85",
    "_": "\xa0",
    "L": "\u2028",
    "P": "\u2029",
}


def strings(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The insides of the quoted values in a YAML block (not of keys, comments, plain text and block scalars)."""
    position, scalar = start, -1
    while position < end:
        entry = _ENTRY.match(text, position, end)
        assert entry is not None  # it may match nothing at all
        line_end = text.find("\n", entry.end(), end)
        line_end = line_end if line_end >= 0 else end
        indent, first = len(entry[1]), text[entry.end() : entry.end() + 1] if entry.end() < end else ""
        blank = entry.end() == entry.end(1) and entry.end() == line_end
        if scalar >= 0 and (blank or indent > scalar):
            position = line_end + 1  # inside a block scalar
            continue
        scalar = -1
        position = line_end + 1
        if first and first in "\"'":
            string = _STRING.match(text, entry.end(), end)
            if string is not None:
                yield string.start() + 1, string.end() - 1
                position = text.find("\n", string.end(), end) + 1 or end
        elif first and first in "[{":
            stop = yield from _flow(text, entry.end(), end)
            position = text.find("\n", stop, end) + 1 or end
        elif first and first in "|>":
            scalar = indent


def keys(text: str, start: int, end: int) -> dict[str, int]:
    """The top-level keys of a block, each with its 1-based line in *text* (whose first line end is not counted)."""
    found: dict[str, int] = {}
    line, counted = 0, 0
    for key in _KEY.finditer(text, start, end):
        line += text.count("\n", counted, key.start())
        counted = key.start()
        quote = key[0][0]
        name = key[1] or key[2]
        found[unescape(name[1:-1], quote) if name else key[3]] = line
    return found


def unescape(raw: str, quote: str) -> str:
    """The value of a piece of a string that stands in *quote* marks."""
    if quote == "'":
        return raw.replace("''", "'")
    return _ESCAPE.sub(_unescaped, raw) if "\\" in raw else raw


def _unescaped(escape: re.Match[str]) -> str:
    digits = escape[1] or escape[2] or escape[3]
    if digits:
        return chr(int(digits, 16)) if int(digits, 16) < 0x110000 else escape[0]
    return _SHORT.get(escape[4], escape[4])


def _flow(text: str, start: int, end: int) -> Generator[tuple[int, int], None, int]:
    """Strings of a flow list or map that starts at *start*; returns where it ends."""
    depth = 0
    for token in _FLOW.finditer(text, start, end):
        if token.lastgroup == "string":
            yield token.start() + 1, token.end() - 1
        elif token.lastgroup == "open":
            depth += 1
        elif token.lastgroup == "close":
            depth -= 1
            if not depth:
                return token.end()
    return end
