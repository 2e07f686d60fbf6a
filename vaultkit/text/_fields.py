"""Dataview's inline fields, line by line: `[key:: value]`, `(key:: value)`, else `key:: value` as the whole line.

Rules: facts/dataview.md §7. Unlike Dataview we leave out code, comments and fields without a name.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

Field = tuple[int, int, str, str]  # start, end, key, value
Spans = Sequence[tuple[int, int]]  # sorted, without overlap

_LONGEST_LINE: Final = 32_768  # Dataview's own bound
_MARKS: Final = {kind: re.compile(rf"\\.|[{re.escape(kind)}]|::") for kind in ("[]", "()")}
_ANY_BRACKET: Final = re.compile(r"[\[\]()]")
_MARKER: Final = re.compile(r"[ \t>]*+(?:(?:[-*+]|[0-9]{1,9}+[.)])[ \t]++)?")
_FULL_KEY: Final = re.compile(r"\W*+([\w\s/-]*+)[*~_`]*+$")


def find(text: str, start: int, skipped: Spans, tasks: Spans) -> Iterator[Field]:
    """The fields from offset *start* on whose `::` is not in a *skipped* span. In *tasks* a whole line is no field."""
    position = start
    while (mark := text.find("::", position)) >= 0:
        begin, end = text.rfind("\n", 0, mark) + 1, text.find("\n", mark)
        end = position = end if end >= 0 else len(text)
        around = _around(mark, skipped)
        if around and around[1] >= end:
            position = around[1]
            continue
        if end - begin > _LONGEST_LINE:
            continue
        line = text[begin:end]
        fields = bracketed(line) or ([] if _around(begin, tasks) else full_line(line))
        for first, last, key, value in fields:
            if key and not _around(text.index("::", begin + first), skipped):
                yield begin + first, begin + last, key, value


def bracketed(line: str) -> list[Field]:
    """All fields in brackets; of two that overlap or touch the first counts."""
    fields: list[Field] = []
    for field in sorted(field for kind in _MARKS for field in _of_kind(line, kind)) if "[" in line or "(" in line else ():
        if not fields or field[0] > fields[-1][1]:
            fields.append(field)
    return fields


def full_line(line: str) -> list[Field]:
    """The field that is the whole line (but for its list marker and leading marks), if it is one."""
    marker = _MARKER.match(line)
    start = marker.end() if marker else 0
    mark = line.find("::", start)
    key = _FULL_KEY.match(line[start:mark]) if mark >= 0 else None
    return [(start + key.start(1), len(line.rstrip()), key[1].strip(), line[mark + 2 :].strip())] if key else []


def _of_kind(line: str, kind: str) -> Iterator[Field]:
    """Fields in one kind of brackets: only these nest, and no bracket of any kind may stand in the key."""
    opened: list[tuple[int, int]] = []  # offset of the bracket, of its `::` (-1: none yet, 0: not a field)
    for token in _MARKS[kind].finditer(line):
        mark = token[0]
        if mark == kind[0]:
            opened.append((token.start(), -1))
        elif mark == "::" and opened and opened[-1][1] < 0:
            start = opened[-1][0]
            opened[-1] = (start, 0 if _ANY_BRACKET.search(line, start + 1, token.start()) else token.start())
        elif mark == kind[1] and opened:
            start, separator = opened.pop()
            if separator > 0:
                yield start, token.end(), line[start + 1 : separator].strip(), line[separator + 2 : token.start()].strip()


def _around(offset: int, spans: Spans) -> tuple[int, int] | None:
    """The span that *offset* stands in."""
    place = bisect_right(spans, offset, key=_start) - 1
    return spans[place] if place >= 0 and offset < spans[place][1] else None


def _start(span: tuple[int, int]) -> int:
    return span[0]
