r"""A note's block structure, as PATCH needs it: headings with their sections, top-level blocks, list items, block ids.

Offsets are into the whole text; lines are 1-based in the file. Rules: CommonMark with tables, as the plugin's own Markdown reader has
them (HTML blocks hide headings, indented code is code), and beside it Obsidian's `%%` and `$$` blocks, whose lines are never headings.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final, NamedTuple

from vaultkit.text import frontmatter


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands under it; the root section (level 0) is the whole body and has no heading line."""

    level: int
    text: str
    line: int
    start: int  # of the heading's first line
    text_start: int  # the heading's own characters, without marks
    text_end: int
    body: int  # after the heading's last line
    end: int  # where the next heading of this or a higher level starts, or the text ends
    setext: bool
    parent: int  # index of the section that it is nested in; the root is its own


class Item(NamedTuple):
    """A list item with its children. *end* is the end of its last line with text, without the line end."""

    start: int  # of the bullet mark
    text: int  # after the mark and the checkbox
    own_end: int  # the end of its own text, before the first nested item
    end: int
    line: int
    nested: bool


class Element(NamedTuple):
    """A top-level block. *end* is the end of its last line with text, without the line end."""

    kind: str  # heading, paragraph, list, quote, code, table, html, math, comment, rule, id
    start: int
    end: int
    line: int
    inner: int = 0  # code: where its lines start; quote: after the first mark; table: where the rows start
    inner_end: int = 0  # code: where the closing fence's line starts (the end, when there is none)
    items: tuple[Item, ...] = ()


class Mark(NamedTuple):
    """A block id. *start* and *end* are those of `^id`; *content* is what it names, *inline* when the id stands at the end of that.

    A list item's content begins with its mark, a nested one's after it: text in front of that mark would end the nesting.
    """

    id: str
    line: int
    start: int
    end: int
    content_start: int
    content_end: int
    inline: bool
    element: Element
    item: Item | None = None
    whole: bool = True  # False: the id ends an item's own text, with nested items below, which 1.x cannot name


@dataclass(frozen=True)
class Outline:
    """What `outline` found, all in the order of the document."""

    text: str
    root: int  # where the body starts
    newline: str
    sections: tuple[Section, ...]  # the root first
    elements: tuple[Element, ...]
    marks: tuple[Mark, ...]
    children: dict[int, tuple[int, ...]] = field(default_factory=dict)  # of each section, by index

    def direct(self, index: int) -> tuple[Element, ...]:
        """The blocks of a section's own body: before its first nested heading, without lone block ids."""
        section = self.sections[index]
        kids = self.children.get(index, ())
        end = self.sections[kids[0]].start if kids else section.end
        return tuple(found for found in self.elements if section.body <= found.start < end and found.kind not in {"id", "heading"})

    def named(self, section: Section) -> list[str]:
        """The full path of a section's heading."""
        path: list[str] = []
        while section.level:
            path.append(section.text)
            section = self.sections[section.parent]
        return path[::-1]


@lru_cache(maxsize=8)
def outline(text: str) -> Outline:
    """The structure of a whole note."""
    block = frontmatter.find_block(text)
    root = block.end if block else int(text.startswith("\ufeff"))
    lines = _Lines(text, root)
    elements = tuple(_elements(lines))
    sections = [Section(0, "", 1, root, root, root, root, len(text), False, 0)]
    sections += _sections(lines, elements)
    children: dict[int, list[int]] = {}
    for index, section in enumerate(sections[1:], 1):
        children.setdefault(section.parent, []).append(index)
    marks = tuple(_marks(lines, elements))
    return Outline(
        text, root, newline_of(text), tuple(sections), elements, marks, {index: tuple(found) for index, found in children.items()}
    )


def newline_of(text: str) -> str:
    r"""The line end that most lines of *text* have."""
    wide = text.count("\r\n")
    return "\r\n" if wide and wide * 2 >= text.count("\n") else "\n"


# ── lines ────────────────────────────────────────────────────────────────────────────────────────────────────────────

_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")
_LINE_END: Final = re.compile(r"\r\n|\n|\r")


class _Lines:
    """The body's lines: offset, content end, offset of the next."""

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.first = len(_LINE_END.findall(text, 0, start)) + 1
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.nexts: list[int] = []
        for found in _LINE.finditer(text, start):
            self.starts.append(found.start())
            self.nexts.append(found.end())
            self.ends.append(found.start() + len(found[0].rstrip("\r\n")))

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, index: int) -> str:
        return self.text[self.starts[index] : self.ends[index]]

    def number(self, index: int) -> int:
        """The line in the file."""
        return self.first + index

    def at(self, offset: int) -> int:
        """The line in the file that *offset* stands in."""
        return self.first + bisect_right(self.starts, offset) - 1

    def after(self, index: int) -> int:
        return self.nexts[index]


# ── blocks ───────────────────────────────────────────────────────────────────────────────────────────────────────────

_ATX: Final = re.compile(r" {0,3}(#{1,6})(?=[ \t]|$)[ \t]*")
_FENCE: Final = re.compile(r" {0,3}(?:(`{3,})[^`]*$|(~{3,}))")
_RULE: Final = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_UNDERLINE: Final = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_QUOTE: Final = re.compile(r" {0,3}> ?")
_BULLET: Final = re.compile(r"( *)([-+*]|(\d{1,9})[.)])(?:([ \t]+)(?=\S)|[ \t]*$)")
_BOX: Final = re.compile(r"\[[^\r\n]\](?:[ \t]+|$)")
_SEPARATOR: Final = re.compile(r" {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_ID_LINE: Final = re.compile(r"[ \t]*\^([A-Za-z0-9_-]+)[ \t]*$")
_ID_WORD: Final = re.compile(r"\^[A-Za-z0-9_-]+$")
_PIPE: Final = re.compile(r"(?<!\\)\|")
_TAGS: Final = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure"
    "|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|meta|nav|noframes|ol|optgroup|option|p"
    "|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul"
)
# How an HTML block starts, and what ends it ("" = a blank line); the last kind cannot end a paragraph (CommonMark §4.6).
_HTML: Final = (
    (
        re.compile(r" {0,3}<(?:script|pre|style|textarea)(?:[ \t>]|$)", re.IGNORECASE),
        re.compile(r"</(?:script|pre|style|textarea)>", re.IGNORECASE),
    ),
    (re.compile(r" {0,3}<!--"), re.compile("-->")),
    (re.compile(r" {0,3}<\?"), re.compile(r"\?>")),
    (re.compile(r" {0,3}<![A-Za-z]"), re.compile(">")),
    (re.compile(r" {0,3}<!\[CDATA\["), re.compile(r"\]\]>")),
    (re.compile(rf" {{0,3}}</?(?:{_TAGS})(?:[ \t]|/?>|$)", re.IGNORECASE), None),
    (
        re.compile(
            r""" {0,3}(?:<[A-Za-z][A-Za-z0-9-]*(?:[ \t]+[A-Za-z_:][\w.:-]*(?:[ \t]*=[ \t]*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*[ \t]*/?>"""
            r"""|</[A-Za-z][A-Za-z0-9-]*[ \t]*>)[ \t]*$"""
        ),
        None,
    ),
)
_OWN_BLOCKS: Final = {"%%": "comment", "$$": "math"}


def _elements(lines: _Lines) -> Iterator[Element]:
    index = 0
    while index < len(lines):
        if not lines[index].strip(" \t"):
            index += 1
            continue
        found, index = _element(lines, index)
        yield found


def _element(lines: _Lines, index: int) -> tuple[Element, int]:
    """The block that starts at line *index*, which is not blank, and the line after it."""
    line = lines[index]
    start, number = lines.starts[index], lines.number(index)
    if _is_plain(line):
        return _paragraph(lines, index)
    if _ATX.match(line):
        return Element("heading", start, lines.ends[index], number), index + 1
    if fence := _FENCE.match(line):
        return _fenced(lines, index, fence[1] or fence[2])
    if (own := _own_block(lines, index)) is not None:
        return Element(_OWN_BLOCKS[line.strip(" \t")[:2]], start, lines.ends[own], number), own + 1
    if _is_indented(line):
        last = after = index
        while after < len(lines) and (not lines[after].strip(" \t") or _is_indented(lines[after])):
            last = after if lines[after].strip(" \t") else last
            after += 1
        return Element("code", start, lines.ends[last], number, start, lines.ends[last]), last + 1
    if (html := _html_end(lines, index, in_paragraph=False)) is not None:
        return Element("html", start, lines.ends[html], number), html + 1
    if quote := _QUOTE.match(line):
        return _quote(lines, index, start + quote.end())
    if _RULE.match(line):
        return Element("rule", start, lines.ends[index], number), index + 1
    if (bullet := _BULLET.match(line)) and len(bullet[1]) <= 3:
        return _list(lines, index)
    if _is_table(lines, index):
        return _table(lines, index)
    return _paragraph(lines, index)


def _is_plain(line: str) -> bool:
    """Does the line begin like nothing but a paragraph? Most lines do, and need no look at each pattern."""
    return line[:1].isalpha() and "|" not in line


def _is_indented(line: str) -> bool:
    return line.startswith(("    ", "\t", " \t", "  \t", "   \t"))


def _fenced(lines: _Lines, index: int, mark: str) -> tuple[Element, int]:
    closing = re.compile(rf" {{0,3}}{re.escape(mark[0])}{{{len(mark)},}}[ \t]*$")
    start, number, inner = lines.starts[index], lines.number(index), lines.after(index)
    for after in range(index + 1, len(lines)):
        if closing.match(lines[after]):
            return Element("code", start, lines.ends[after], number, inner, lines.starts[after]), after + 1
    end = lines.ends[-1]
    return Element("code", start, end, number, inner, end), len(lines)


def _own_block(lines: _Lines, index: int) -> int | None:
    """The last line of the `%%` or `$$` block that starts here, which never closes on its first line; None when there is none."""
    line = lines[index].strip(" \t")
    mark = line[:2]
    if mark not in _OWN_BLOCKS or mark in line[2:] or _is_indented(lines[index]):
        return None
    return next((after for after in range(index + 1, len(lines)) if mark in lines[after]), None)


def _html_end(lines: _Lines, index: int, *, in_paragraph: bool) -> int | None:
    """The last line of the HTML block that starts at *index*; None when none starts there."""
    for opening, closing in _HTML[:-1] if in_paragraph else _HTML:
        if not opening.match(lines[index]):
            continue
        if closing is None:
            after = index
            while after + 1 < len(lines) and lines[after + 1].strip(" \t"):
                after += 1
            return after
        ends = (after for after in range(index, len(lines)) if closing.search(lines[after], 2 if after == index else 0))
        return next(ends, len(lines) - 1)
    return None


def _interrupts(lines: _Lines, index: int) -> bool:
    """Can this line not belong to a paragraph that began before it?"""
    line = lines[index]
    if _is_plain(line):
        return False
    if not line.strip(" \t") or _ATX.match(line) or _FENCE.match(line) or _QUOTE.match(line) or _RULE.match(line):
        return True
    if (bullet := _BULLET.match(line)) and len(bullet[1]) <= 3 and bullet[4] and (bullet[3] is None or bullet[3].lstrip("0") == "1"):
        return True
    return _own_block(lines, index) is not None or _html_end(lines, index, in_paragraph=True) is not None or _is_table(lines, index)


def _paragraph(lines: _Lines, index: int) -> tuple[Element, int]:
    start, number = lines.starts[index], lines.number(index)
    after = index + 1
    while after < len(lines):
        if _UNDERLINE.match(lines[after]) and not (after == index + 1 and _ID_LINE.match(lines[index])):
            return Element("heading", start, lines.ends[after], number), after + 1
        if _interrupts(lines, after):
            break
        after += 1
    kind = "id" if after == index + 1 and _ID_LINE.match(lines[index]) else "paragraph"
    return Element(kind, start, lines.ends[after - 1], number), after


def _quote(lines: _Lines, index: int, inner: int) -> tuple[Element, int]:
    start, number = lines.starts[index], lines.number(index)
    lazy = _QUOTE.sub("", lines[index], count=1).strip(" \t") != ""
    after = index + 1
    while after < len(lines):
        line = lines[after]
        if _QUOTE.match(line):
            lazy = _lazy(_QUOTE.sub("", line, count=1))
        elif not lazy or _interrupts(lines, after):
            break
        after += 1
    return Element("quote", start, lines.ends[after - 1], number, inner), after


def _lazy(line: str) -> bool:
    """Can a paragraph's text run on after this line?"""
    return bool(line.strip(" \t")) and not (_ATX.match(line) or _FENCE.match(line) or _RULE.match(line))


def _is_table(lines: _Lines, index: int) -> bool:
    if index + 1 >= len(lines) or "|" not in lines[index] or _is_indented(lines[index]):
        return False
    below = lines[index + 1]
    return bool(_SEPARATOR.match(below)) and ("|" in below or ":" in below) and len(cells(lines[index])) == len(cells(below))


def _table(lines: _Lines, index: int) -> tuple[Element, int]:
    start, number, rows = lines.starts[index], lines.number(index), lines.after(index + 1)
    after = index + 2
    while after < len(lines) and not _ID_LINE.match(lines[after]) and not _interrupts(lines, after):
        after += 1
    return Element("table", start, lines.ends[after - 1], number, rows), after


def cells(row: str) -> list[str]:
    """The cells of a table's row, as written."""
    inner = row.strip(" \t")
    inner = inner.removeprefix("|")
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return [cell.strip(" \t") for cell in _PIPE.split(inner)]


# ── lists ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _width(text: str) -> int:
    column = 0
    for char in text:
        column += 4 - column % 4 if char == "\t" else 1
    return column


def _indent(line: str) -> int:
    return _width(line[: len(line) - len(line.lstrip(" \t"))])


def _list(lines: _Lines, index: int) -> tuple[Element, int]:
    """A list with all that is nested in it. A line belongs to it when it is indented to its item's text, begins an item, or runs on."""
    first = _BULLET.match(lines[index])
    assert first is not None
    kind = first[2][-1]
    last = index
    content = 0  # the column of the newest top-level item's text
    after = index
    lazy, blank = False, False
    while after < len(lines):
        line = lines[after]
        if not line.strip(" \t"):
            blank, lazy = True, False
            after += 1
            continue
        indent = _indent(line)
        bullet = _BULLET.match(line)
        if after == index or (indent < content and indent <= 3 and bullet and bullet[2][-1] == kind and not _RULE.match(line)):
            assert bullet is not None
            gap = bullet[4] or " "
            content = indent + len(bullet[2]) + (_width(gap) if _width(gap) <= 4 else 1)
        elif indent < content and (blank or not lazy or _interrupts(lines, after)):
            break
        lazy, blank = _lazy(line), False
        last = after
        after += 1
    start = lines.starts[index]
    return Element("list", start, lines.ends[last], lines.number(index), items=tuple(_items(lines, index, last))), last + 1


def _items(lines: _Lines, first: int, last: int) -> Iterator[Item]:
    """Every item of a list, nested ones too, in order; lines of fenced code begin none."""
    found: list[tuple[int, int, int, int]] = []  # line, column of the mark, offset of the mark, offset of the text
    fence: re.Pattern[str] | None = None
    for index in range(first, last + 1):
        line = lines[index]
        stripped = line.lstrip(" \t")
        if fence is not None:
            fence = None if fence.match(stripped) else fence
            continue
        offset = lines.starts[index] + len(line) - len(stripped)
        bullet = _BULLET.match(stripped)
        if bullet is not None and not _RULE.match(line):
            text = offset + bullet.end()
            box = _BOX.match(lines.text, text, lines.ends[index])
            found.append((index, _indent(line), offset, box.end() if box else text))
            stripped = stripped[bullet.end() :]
        if opening := _FENCE.match(stripped):
            mark = opening[1] or opening[2]
            fence = re.compile(rf"{re.escape(mark[0])}{{{len(mark)},}}[ \t]*$")
    until = [last + 1] * len(found)  # where the next item begins that is not nested in this one
    after: list[int] = []
    for place in range(len(found) - 1, -1, -1):
        while after and found[after[-1]][1] > found[place][1]:
            after.pop()
        until[place] = found[after[-1]][0] if after else last + 1
        after.append(place)
    for place, (index, column, start, text) in enumerate(found):
        nested = place + 1 < len(found) and found[place + 1][1] > column
        own = found[place + 1][0] if nested else until[place]
        deeper = column >= found[0][1] + 2
        yield Item(start, text, _text_end(lines, index, own), _text_end(lines, index, until[place]), lines.number(index), deeper)


def _text_end(lines: _Lines, first: int, until: int) -> int:
    """The end of the last line with text among *first* … *until* - 1."""
    index = until - 1
    while index > first and not lines[index].strip(" \t"):
        index -= 1
    return lines.ends[index]


# ── headings and ids ─────────────────────────────────────────────────────────────────────────────────────────────────


def _sections(lines: _Lines, elements: tuple[Element, ...]) -> list[Section]:
    headings = [_heading(lines, found) for found in elements if found.kind == "heading"]
    ends = [len(lines.text)] * 7  # for each level: where the next heading of it or a higher one starts
    for index in range(len(headings) - 1, -1, -1):
        heading = headings[index]
        headings[index] = replace(heading, end=ends[heading.level])
        ends[heading.level :] = [heading.start] * (7 - heading.level)
    around = [(0, 0)]  # level and index of the sections that a heading may be nested in
    for index, heading in enumerate(headings, 1):
        while around[-1][0] >= heading.level:
            around.pop()
        headings[index - 1] = replace(heading, parent=around[-1][1])
        around.append((heading.level, index))
    return headings


def _heading(lines: _Lines, found: Element) -> Section:
    text = lines.text
    body = _next_line(text, found.end)
    written = text[found.start : found.end]
    if atx := _ATX.match(written):
        start = found.start + atx.end()
        title = _without_closing(text[start : found.end].rstrip(" \t"))
        return Section(len(atx[1]), title, found.line, found.start, start, start + len(title), body, body, False, 0)
    *title_lines, underline = _LINE.findall(written)
    end = found.start + sum(map(len, title_lines))
    title_end = found.start + len(text[found.start : end].rstrip())
    start = found.start + len(written) - len(written.lstrip(" \t"))
    title = "\n".join(line.strip() for line in title_lines)
    return Section(1 if "=" in underline else 2, title, found.line, found.start, start, title_end, body, body, True, 0)


def _without_closing(title: str) -> str:
    """A heading's text without the marks at its end (`## Text ##`)."""
    bare = title.rstrip("#")
    return bare.rstrip(" \t") if not bare or bare[-1] in " \t" else title


def _next_line(text: str, offset: int) -> int:
    for end in ("\r\n", "\n", "\r"):
        if text.startswith(end, offset):
            return offset + len(end)
    return offset


def _marks(lines: _Lines, elements: tuple[Element, ...]) -> Iterator[Mark]:
    before: Element | None = None
    for found in elements:
        begin = found.inner if found.kind == "quote" else found.start
        if found.kind == "id":
            if before is not None:
                start = lines.text.index("^", found.start)
                name = lines.text[start + 1 : found.end].rstrip(" \t")
                begin = before.inner if before.kind == "quote" else before.start
                yield Mark(name, found.line, start, start + 1 + len(name), begin, before.end, False, before)
            continue
        before = found
        if found.kind in {"paragraph", "quote"} and (tail := _id_tail(lines.text, begin, found.end)):
            name, at, end = tail
            yield Mark(name, lines.at(at), at, at + 1 + len(name), begin, end, True, found)
        for place, item in enumerate(found.items):
            if tail := _id_tail(lines.text, item.text, item.own_end):
                name, at, end = tail
                begin = item.text if item.nested else found.start if place == 0 else item.start
                yield Mark(name, lines.at(at), at, at + 1 + len(name), begin, end, True, found, item, item.own_end == item.end)


def _id_tail(text: str, start: int, end: int) -> tuple[str, int, int] | None:
    """The ` ^id` that ends a stretch of text: its name, where it stands, and where the text before it ends."""
    whole = text[start:end].rstrip()
    word = whole.rsplit(None, 1)[-1] if whole else ""
    if not _ID_WORD.match(word) or (len(word) == len(whole) and text[start - 1 : start].strip()):
        return None
    return word[1:], start + len(whole) - len(word), start + len(whole[: -len(word)].rstrip())
