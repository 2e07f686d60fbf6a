"""What a page needs of a note's text beyond `Note`: every list item, and inline fields as written. Small enough to keep in a cache. Pure."""

from __future__ import annotations

import re
from itertools import starmap
from typing import Any, Final, NamedTuple

from vaultkit.dql.inline import LONGEST_LINE, full_line_field, inline_fields
from vaultkit.dql.lexis import BLANK
from vaultkit.text import markdown
from vaultkit.text.note import Note

RawField = tuple[str, str]  # key, value, both as written


class Item(NamedTuple):
    """A list item; lines count from 0, as Dataview's do."""

    symbol: str  # `-`, `1.`
    line: int
    line_count: int
    list: int  # first line of its list, -1 in quotes and callouts
    parent: int  # line of the item above, -1: none
    status: str | None  # the box's character; None: no task
    text: str
    block: str  # id, "" for none
    heading: str | None  # the heading above
    fields: tuple[RawField, ...]


class Outline(NamedTuple):
    """*fields*: those of plain list items first, then those of other lines, each in order."""

    fields: tuple[RawField, ...]
    items: tuple[Item, ...]
    written: tuple[tuple[int, int], ...] = ()  # lines (from 1, last included) that hold results of queries: no page is made of them


EMPTY: Final = Outline((), ())
VERSION: Final = 3
MARKS: Final = ("<!-- vaultkit:query:start -->", "<!-- vaultkit:query:end -->")


def outline(note: Note, text: str) -> Outline:
    """Read *text*, whose note is *note*."""
    written: tuple[tuple[int, int], ...] = ()
    if MARKS[0] in text:
        text, written = _without_results(text)
    has_fields = "::" in text
    if not has_fields and not _LIST_LINE.search(text):
        return Outline((), (), written) if written else EMPTY
    lines = text.split("\n")
    items, inside = _items(note, text, lines)
    fields = [field for item in items if item.status is None for field in item.fields]
    if has_fields:
        for number, line in enumerate(lines):
            if "::" in line and number not in inside and len(line) <= LONGEST_LINE:
                fields += _line_fields(line.strip())
    return Outline(tuple(fields), tuple(items), written)


def first_line(line: str) -> tuple[str | None, str | None, str | None]:
    """Marker, box and text of a list item's first line; Nones when it is none."""
    found = _ITEM.match(line)
    return (found[1], found[2], found[3]) if found else (None, None, None)


def to_row(found: Outline) -> tuple[Any, ...]:
    """As plain tuples, for `marshal`."""
    return (found.fields, tuple(map(tuple, found.items)), found.written)


def from_row(row: tuple[Any, ...]) -> Outline:
    """The reverse."""
    return Outline(row[0], tuple(starmap(Item, row[1])), row[2])


def unquoted(line: str) -> str:
    """A line without quote marks before it, and blanks around."""
    return line.lstrip(" \t>").rstrip()


def _without_results(text: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The text with the lines between the marks empty, and which lines these are."""
    lines = text.split("\n")
    spans: list[tuple[int, int]] = []
    start = -1
    for number, line in enumerate(lines):
        bare = unquoted(line)
        if bare == MARKS[0]:
            start = number  # of two beginnings the first has no end of its own
        elif start >= 0 and bare == MARKS[1]:
            spans.append((start + 1, number + 1))
            start = -1
    for first, last in spans:
        for number in range(first - 1, last):
            lines[number] = " " * (len(lines[number]) - lines[number].endswith("\r")) + "\r" * lines[number].endswith("\r")
    return "\n".join(lines), tuple(spans)


_LIST_LINE: Final = re.compile(r"^[\s>]*(?:[-*+]|[0-9]{1,9}[.)])(?:\s|$)", re.MULTILINE)
_ITEM: Final = re.compile(rf"[{BLANK}>]*([0-9]+\.|[0-9]+\)|\*|-|\+)[{BLANK}]*(\[.?\])?[{BLANK}]*(.*)")

_INNER: Final = re.compile(r"(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]+)+(?:\[(.)\](?=\s|$))?(?=.)")


def _line_fields(line: str) -> list[RawField]:
    if found := inline_fields(line):
        return [(field.key, field.value) for field in found]
    whole = full_line_field(line)
    return [(whole.key, whole.value)] if whole else []


def _item_fields(text: str, status: str | None) -> tuple[RawField, ...]:
    if "::" not in text and text.isascii():
        return ()
    found = [(field.key, field.value) for field in inline_fields(text, emoji=True)]
    if not found and status is None and (whole := full_line_field(text)):
        found = [(whole.key, whole.value)]
    return tuple(found)


def _items(note: Note, text: str, lines: list[str]) -> tuple[list[Item], set[int]]:
    """The items, and the lines that belong to lists (whose fields are the items' own)."""
    bullets = markdown.scan(text, body=note.body).bullets
    inside: set[int] = set()
    blocks = {block.line - 1: block.id for block in note.blocks}
    headings = [(heading.line - 1, heading.text) for heading in note.headings if lines[heading.line - 1].strip()]
    starts = [bullet.line - 1 for bullet in bullets]
    ends = [min(bullet.end_line, len(lines)) - 1 for bullet in bullets]
    roots = _roots(bullets, lines, starts, ends, inside)
    items: list[Item] = []
    above = -1
    for at, bullet in enumerate(bullets):
        start, end = starts[at], ends[at]
        found = _ITEM.match(lines[start].rstrip("\r"))
        while above + 1 < len(headings) and headings[above + 1][0] <= start:
            above += 1
        if found is None:
            continue
        if found[1][0].isdigit() and at + 1 < len(bullets) and bullets[at + 1].parent == bullet.parent and roots[at + 1] == roots[at]:
            following = starts[at + 1]
            if following > end + 1 and not any(line.strip() for line in lines[end + 1 : following]):
                end = following - 1  # a number's item takes the blank line before the next one with it
        # `- [ ] 1. x` is an item in an item: of two on a line the inner one counts, and it has no box (seen in a vault of the Tasks plugin).
        inner = _INNER.match(found[3])
        status = inner[1] if inner else bullet.status
        rest = [line.strip() for line in lines[start + 1 : end + 1]]
        parts = [found[3].strip(), *rest]
        joined = " ".join(parts)
        items.append(
            Item(
                found[1],
                start,
                end - start + 1,
                roots[at],
                starts[bullet.parent] if bullet.parent >= 0 else -1,
                status,
                "\n".join(parts),
                next((blocks[line] for line in range(start, end + 1) if line in blocks), "") if blocks else "",
                headings[above][1] if above >= 0 else None,
                _item_fields(joined, status),
            )
        )
        inside.update(range(start, end + 1))
    return items, inside


def _roots(bullets: tuple[markdown.Bullet, ...], lines: list[str], starts: list[int], ends: list[int], inside: set[int]) -> list[int]:
    """For each bullet the first line of its list (-1 in a quote); the lines of lists go into *inside*."""
    roots: list[int] = []
    first, last, mark, indent = -1, -1, "", 0
    for at, bullet in enumerate(bullets):
        line = lines[starts[at]]
        if bullet.parent >= 0:
            roots.append(roots[bullet.parent])
        elif line.lstrip(" \t").startswith(">"):
            roots.append(-1)
            first = -1
        else:
            found = _ITEM.match(line)
            kind = found[1][-1] if found else ""
            between = range(last + 1, starts[at])
            if first < 0 or kind != mark or any(not _belongs(lines[number], indent) for number in between):
                first, mark = starts[at], kind
                indent = len(line) - len(line.lstrip(" \t")) + 2
            roots.append(first)
        if roots[-1] >= 0:
            if last >= first:
                inside.update(range(last + 1, starts[at]))
            last = ends[at]
            while last + 1 < len(lines) and lines[last + 1].strip() and _belongs(lines[last + 1], indent) and _is_text(lines[last + 1]):
                last += 1
            inside.update(range(starts[at], last + 1))
            if at + 1 == len(bullets) or bullets[at + 1].parent < 0:
                inside.update(_trailing(lines, last, indent))
    return roots


def _belongs(line: str, indent: int) -> bool:
    """Is the line blank, or indented as the text of the list's items is?"""
    return not line.strip() or len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip()) >= indent


def _is_text(line: str) -> bool:
    return _LIST_LINE.match(line) is None


def _trailing(lines: list[str], last: int, indent: int) -> range:
    """Paragraphs after the last item that still belong to the list."""
    end = number = last
    while number + 1 < len(lines) and _belongs(lines[number + 1], indent) and _is_text(lines[number + 1]):
        number += 1
        if lines[number].strip():
            end = number
    return range(last + 1, end + 1)
