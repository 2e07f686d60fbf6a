"""Dataview's inline fields in one line, with all its ways: code is no exception, and brackets need not match elsewhere (facts/dataview.md §7)."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from vaultkit.dql.lexis import BLANK

LONGEST_LINE: Final = 32_768  # characters; longer lines are not looked at


class InlineField(NamedTuple):
    """`key:: value` at these columns; *wrapping* is `[`, `(`, "emoji-shorthand", or "" for a whole line."""

    key: str
    value: str
    start: int
    end: int
    wrapping: str


def inline_fields(line: str, *, emoji: bool = False) -> list[InlineField]:
    """The bracketed fields of a line, and with *emoji* the dates after task emoji. Of two that overlap or touch the first counts."""
    found = [field for opening, closing in ("[]", "()") for field in _bracketed(line, opening, closing)] if "::" in line else []
    if emoji:
        for key, pattern in _EMOJI:
            if not line.isascii() and (date := pattern.search(line)):
                found.append(InlineField(key, date[1], date.start(), date.end(), "emoji-shorthand"))
    found.sort(key=_start)
    kept: list[InlineField] = []
    for field in found:
        if not kept or kept[-1].end < field.start:
            kept.append(field)
    return kept


def full_line_field(line: str) -> InlineField | None:
    """The field that a whole line is: leading marks and closing emphasis are no part of its key."""
    mark = line.find("::")
    if mark < 0:
        return None
    key = _FULL_KEY.fullmatch(line[:mark].strip())
    return InlineField(key[1], line[mark + 2 :].strip(), 0, len(line), "") if key else None


_DATE: Final = f"[{BLANK}]*([0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})"
_EMOJI: Final = tuple(
    (key, re.compile(marks + _DATE))
    for key, marks in (
        ("created", "\u2795"),
        ("start", "\U0001f6eb"),
        ("scheduled", "[\u23f3\u231b]"),
        ("due", "(?:\U0001f4c5|\U0001f4c6|\U0001f5d3\ufe0f?)"),
        ("completion", "\u2705"),
    )
)
_LETTER: Final = r"[^\W\d_]"
# Emoji beyond U+FFFF fit nowhere in a key: Dataview's own pattern misses them there.
_BMP_EMOJI: Final = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u2199\u21a9\u21aa\u231a\u231b\u2328\u23cf\u23e9-\u23f3\u23f8-\u23fa\u24c2\u25aa\u25ab\u25b6\u25c0"
    "\u25fb-\u25fe\u2600-\u27bf\u2934\u2935\u2b05-\u2b07\u2b1b\u2b1c\u2b50\u2b55\u3030\u303d\u3297\u3299\ufe0f"
)
_FULL_KEY: Final = re.compile(rf"(?:(?!{_LETTER})[^0-9A-Za-z_])*+((?:{_LETTER}|[0-9_/{BLANK}{_BMP_EMOJI}-])*+)[_*~`]*".replace("*+", "*"))


def _start(field: InlineField) -> int:
    return field.start


def _bracketed(line: str, opening: str, closing: str) -> list[InlineField]:
    """Fields in one kind of brackets. Only this kind nests; a key holds no bracket of any kind. Linear in the line."""
    starts: dict[int, int] = {}  # where a value begins → the bracket before its key
    position = 0
    while (mark := line.find("::", position)) >= 0:
        before = max(line.rfind(char, position, mark) for char in "[]()")
        if before >= 0 and line[before] == opening:
            starts[mark + 2] = before
        position = mark + 2
        # `[::]` begins its search right behind the bracket, so a third colon belongs to the value.
    if not starts:
        return []
    fields: list[InlineField] = []
    waiting: dict[int, list[int]] = {}  # depth → values that end where a bracket closes more than was opened there
    depth, at, size = 0, 0, len(line)
    taken = -1
    order = iter(sorted(starts))
    following = next(order, size + 1)
    while at <= size:
        if at == following:
            waiting.setdefault(depth, []).append(at)
            following = next(order, size + 1)
        if at == size:
            break
        char = line[at]
        if char == "\\":
            at += 2 if at + 2 <= following else 1
            continue
        if char == opening:
            depth += 1
        elif char == closing:
            for value in waiting.pop(depth, ()):
                start = starts[value]
                fields.append(InlineField(line[start + 1 : value - 2].strip(), line[value:at].strip(), start, at + 1, opening))
            depth -= 1
        at += 1
    fields.sort(key=_start)
    kept = []
    for field in fields:  # the search goes on behind each field that was found
        if field.start >= taken:
            kept.append(field)
            taken = field.end
    return kept
