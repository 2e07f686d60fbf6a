"""Queries that stand in a note: its ```dataview blocks and its inline `= expression`s, and their results beside them. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple

from vaultkit.dql.outline import MARKS, unquoted


class Block(NamedTuple):
    """A fenced block. *line* is 1-based, that of the opening fence; *end* is the offset behind the closing fence's line."""

    kind: Literal["dataview", "dataviewjs"]
    query: str
    line: int
    end: int
    prefix: str  # quote marks before each line


class Inline(NamedTuple):
    """An inline query."""

    expression: str
    line: int


def find_blocks(text: str, *, javascript: str = "dataviewjs") -> list[Block]:
    """The note's query blocks, in order; fences in other fences are none."""
    blocks: list[Block] = []
    opened: tuple[str, str, str, int] | None = None  # prefix, fence, word, line
    body: list[str] = []
    offset = 0
    lines = text.splitlines(keepends=True)
    result = 0  # lines of a result that are still to come: what stands in it is text of other notes
    for number, line in enumerate(lines, 1):
        offset += len(line)
        bare = line.rstrip("\r\n")
        if result:
            result -= 1
            continue
        if opened is None:
            if unquoted(bare) == MARKS[0]:
                result = max(_result_lines(lines[number - 1 :]) - 1, 0)
                continue
            if found := _OPENING.match(bare):
                opened, body = (found[1], found[2], found[3].strip(), number), []
            continue
        prefix, fence, word, start = opened
        inner = _without_prefix(bare, prefix)
        closing = _CLOSING.fullmatch(inner.strip())
        if closing and closing[0][0] == fence[0] and len(closing[0]) >= len(fence):
            opened = None
            if word.lower() in {"dataview", javascript}:
                kind: Literal["dataview", "dataviewjs"] = "dataview" if word.lower() == "dataview" else "dataviewjs"
                blocks.append(Block(kind, "\n".join(body), start, offset, prefix if ">" in prefix else ""))
        else:
            body.append(inner)
    return blocks


def find_inline(text: str, prefix: str = "=") -> list[Inline]:
    """Code spans that begin with *prefix* (and not with the JavaScript one), outside fences."""
    found: list[Inline] = []
    fence = ""
    for number, line in enumerate(text.split("\n"), 1):
        opening = _OPENING.match(line.rstrip("\r"))
        if fence:
            closing = _CLOSING.fullmatch(line.strip(" \t>\r"))
            if closing and closing[0][0] == fence[0] and len(closing[0]) >= len(fence):
                fence = ""
        elif opening:
            fence = opening[2]
        else:
            spans = (span[2].strip() for span in _SPAN.finditer(line))
            found += [Inline(span[len(prefix) :].strip(), number) for span in spans if prefix and span.startswith(prefix)]
    return found


def is_broken(text: str, block: Block) -> bool:
    """Does a result begin behind the block that ends nowhere? (Someone took its last mark away: what is the result's, and what is theirs?)"""
    return _result_lines(text[block.end :].splitlines(keepends=True)) < 0


def with_results(text: str, blocks: Sequence[Block], results: Mapping[int, str]) -> str:
    """The text with the result of each block (by its line) between marks behind it; what stood between them is replaced."""
    newline = "\r\n" if "\r\n" in text else "\n"
    for block in reversed(blocks):
        if block.line not in results or is_broken(text, block):
            continue
        shown = results[block.line].replace(_MARK, _MARK.replace(":", " ")).rstrip("\n")
        lines = [MARKS[0], *shown.split("\n"), MARKS[1]]
        made = newline.join(f"{block.prefix}{line}".rstrip(" ") if block.prefix else line for line in lines) + newline
        head, tail = text[: block.end], text[block.end :]
        if not head.endswith(("\n", "\r")):
            head += newline
        text = head + made + _behind_marks(tail)
    return text


_MARK: Final = "<!-- vaultkit:query:"
_OPENING: Final = re.compile(r"([ \t>]*)(`{3,}|~{3,})([^`]*)$")
_CLOSING: Final = re.compile(r"`{3,}|~{3,}")
_SPAN: Final = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")


def _without_prefix(line: str, prefix: str) -> str:
    """A line of a block in a quote without the quote's marks; of an indented one without the indent."""
    for char in prefix:
        if char == ">" and line.lstrip(" \t").startswith(">"):
            line = line.lstrip(" \t")[1:]
        elif char in " \t" and line.startswith((" ", "\t")):
            line = line[1:]
    return line


def _behind_marks(tail: str) -> str:
    """What follows the results that stand at the start of *tail*, if any do."""
    lines = tail.splitlines(keepends=True)
    return "".join(lines[max(_result_lines(lines), 0) :])


def _result_lines(lines: Sequence[str]) -> int:
    """How many of the first lines are a result with its marks: 0 when none begins there, -1 when it has no end of its own."""
    if not lines or unquoted(lines[0]) != MARKS[0]:
        return 0
    for number, line in enumerate(lines[1:], 2):
        bare = unquoted(line)
        if bare == MARKS[1]:
            return number
        if bare == MARKS[0]:
            break
    return -1
