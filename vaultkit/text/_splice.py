"""One property's change as a splice of the block's text: its own lines change, no other.

Everything here is careful rather than certain: `frontmatter.edit` reads the result again and refuses it when any other value moved.
Comments: one behind the changed value stays on its line; lines between items or properties belong to what follows, and stay.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Any, Final, NamedTuple

from yaml.events import AliasEvent, MappingEndEvent, MappingStartEvent, ScalarEvent, SequenceEndEvent, SequenceStartEvent, StreamEndEvent

from vaultkit.errors import FrontmatterEditError
from vaultkit.text import _emit, _yaml
from vaultkit.text.values import Value


class Place(NamedTuple):
    """Which property changes, and where it goes when it is new: behind *after*, else at the end."""

    key: str
    after: str | None
    newline: str


def spliced(inner: str, place: Place, old: Value, new: Value) -> str:
    """*inner* (the lines between the fences) with one property set to *new*."""
    outline = _Outline(inner)
    entry = outline.entries.get(place.key)
    if entry is None:
        return _inserted(outline, place, new)
    head = outline.head(entry, place.key)
    if isinstance(new, list) and isinstance(old, list) and new and len(entry.node.items) == len(old) > 0:
        change = _flow_items(inner, entry.node, old, new) if entry.node.flow else _block_items(outline, entry.node, old, new)
        if change is not None:
            return change.applied(inner)
    return _replaced(outline, entry.node, head, new).applied(inner)


def removed(inner: str, key: str) -> str:
    """*inner* without the property *key*."""
    outline = _Outline(inner)
    entry = outline.entries.get(key)
    if entry is None:
        raise FrontmatterEditError(f"{key!r} is written in a form that vaultkit only reads", line=2)
    return inner[: outline.head(entry, key).start] + inner[outline.after_line(entry.node.end) :]


def renamed(inner: str, key: str, new: str) -> str:
    """*inner* with the property *key* called *new*."""
    entry = _Outline(inner).entries.get(key)
    if entry is None:
        raise FrontmatterEditError(f"{key!r} is written in a form that vaultkit only reads", line=2)
    return inner[: entry.key_start] + _emit.scalar(new) + inner[entry.key_end :]


class _Node(NamedTuple):
    """A value as written: `inner[start:end]`, where *end* is the end of its last scalar, bracket or line of a `|` block."""

    kind: str  # scalar, alias, list, map
    style: str  # a scalar's: "" plain, ' " | >
    flow: bool
    start: int
    end: int
    items: tuple[_Node, ...]  # of a list

    @property
    def bounded(self) -> bool:
        """Whether the value ends at a character, so that a comment may follow on its line."""
        return self.flow or (self.kind in {"scalar", "alias"} and self.style not in _BLOCK_STYLES)


class _Entry(NamedTuple):
    key_start: int
    key_end: int
    node: _Node


class _Head(NamedTuple):
    """A property's first line up to its colon."""

    start: int
    end: int


class _Splice(NamedTuple):
    start: int
    end: int
    text: str

    def applied(self, inner: str) -> str:
        return inner[: self.start] + self.text + inner[self.end :]


class _Outline:
    """Where each top-level property stands in the block."""

    def __init__(self, inner: str) -> None:
        self.inner = inner
        self._starts = [0, *(match.end() for match in re.finditer("\n", inner))]
        self._events = _yaml.events(inner)
        self.entries: dict[str, _Entry] = {}
        self.column = 0
        next(self._events)
        if isinstance(next(self._events), StreamEndEvent):
            return  # nothing but comments
        root: Any = next(self._events)
        if not isinstance(root, MappingStartEvent):
            return  # a lone null
        if root.flow_style:
            raise FrontmatterEditError("the frontmatter is a JSON object, which vaultkit only reads", line=2)
        self._read_entries()

    def _read_entries(self) -> None:
        first = True
        while not isinstance(event := next(self._events), MappingEndEvent):
            key = self._node(event)
            node = self._node(next(self._events))
            if first:
                self.column, first = event.start_mark.column, False
            if isinstance(event, ScalarEvent):
                self.entries[_yaml.key_of(event)] = _Entry(key.start, key.end, node)

    def _node(self, event: Any) -> _Node:
        start, end = self._at(event.start_mark), self._at(event.end_mark)
        if isinstance(event, AliasEvent):
            return _Node("alias", "", False, start, end, ())
        if isinstance(event, ScalarEvent):
            style = event.style or ""
            return _Node("scalar", style, False, start, self._block_end(start, event) if style in {"|", ">"} else end, ())
        is_list = isinstance(event, SequenceStartEvent)
        items = []
        while not isinstance(event_in := next(self._events), (SequenceEndEvent, MappingEndEvent)):
            items.append(self._node(event_in))
        last = self._at(event_in.end_mark)
        # A block collection ends where the next thing begins, a bracket ends where it stands.
        bracket = last > self._at(event_in.start_mark)
        end = last if bracket else max([end, *(item.end for item in items)])
        return _Node("list" if is_list else "map", "", bool(event.flow_style) and bracket, start, end, tuple(items) if is_list else ())

    def _block_end(self, start: int, event: Any) -> int:
        """The end of a `|` or `>` scalar: of its last line with text, or of its last blank one where `+` keeps these."""
        past = self._at(event.end_mark)
        text = self.inner[start:past]
        header = text.split("\n", 1)[0].split(" #", 1)[0]
        return start + len(text[: text.rfind("\n")] if "+" in header else text.rstrip())

    def _at(self, mark: Any) -> int:
        return self.offset(mark.line, mark.column)

    def offset(self, line: int, column: int) -> int:
        """Of a place in the block, both from 0."""
        return self._starts[line] + column

    def line_of(self, offset: int) -> int:
        """The line in the file, from 1."""
        return self.inner.count("\n", 0, offset) + 2

    def line_start(self, offset: int) -> int:
        return self.inner.rfind("\n", 0, offset) + 1

    def line_end(self, offset: int) -> int:
        """Where the line's own characters end."""
        end = self.after_line(offset)
        return end - len("\r\n") if self.inner.endswith("\r\n", offset, end) else end - self.inner.endswith("\n", offset, end)

    def after_line(self, offset: int) -> int:
        return self.inner.find("\n", offset) + 1 or len(self.inner)

    def newline(self, offset: int) -> str:
        """The line end of that line."""
        return self.inner[self.line_end(offset) : self.after_line(offset)]

    def head(self, entry: _Entry, key: str) -> _Head:
        """Where the property's name stands; it must be the first thing on its line."""
        start = self.line_start(entry.key_start)
        colon = _COLON.match(self.inner, entry.key_end)
        if colon is None or self.inner[start : entry.key_start] != " " * self.column:
            raise FrontmatterEditError(f"{key!r} is written in a form that vaultkit only reads", line=self.line_of(entry.key_start))
        return _Head(start, colon.end())


def _inserted(outline: _Outline, place: Place, new: Value) -> str:
    inner = outline.inner
    anchor = outline.entries.get(place.after) if place.after is not None else None
    at = len(inner) if anchor is None else outline.after_line(anchor.node.end)
    lines = _emit.entry(place.key, new, outline.column)
    return inner[:at] + "".join(line + place.newline for line in lines) + inner[at:]


# ── a whole value ────────────────────────────────────────────────────────────────────────────────────────────────────


def _replaced(outline: _Outline, node: _Node, head: _Head, new: Value) -> _Splice:
    inner = outline.inner
    empty = node.start == node.end
    text = _emit.inline(new, quote=_quote_of(node, new, inner), dates=True)
    if node.bounded and text and not empty:
        return _Splice(node.start, node.end, text)
    line_end = outline.line_end(head.end)
    tail = _comment(inner[node.end : outline.line_end(node.end)]) if node.bounded else ""
    if empty or not node.bounded or node.start > line_end:  # nothing but a comment, or a `|`, follows the colon
        tail = _comment(inner[head.end : line_end]) or tail
    lines = _emit.value_lines(inner[head.start : head.end], new, outline.column, tail)
    return _Splice(head.start, outline.after_line(node.end), "".join(line + outline.newline(head.end) for line in lines))


def _quote_of(node: _Node, new: Value, inner: str) -> _emit.Quote:
    """The quotes that a string should keep: those of the string it replaces. Empty ones say nothing about style."""
    if not isinstance(new, str) or node.kind != "scalar" or "\n" in new or inner[node.start : node.end] in {'""', "''"}:
        return ""
    return _quote(node.style)


def _quote(style: str) -> _emit.Quote:
    return '"' if style == '"' else "'" if style == "'" else ""


def _comment(text: str) -> str:
    """A comment with the white space before it, from the rest of a line; "" when there is none."""
    match = _COMMENT.search(text)
    return match[0] if match else ""


# ── single items of a list ───────────────────────────────────────────────────────────────────────────────────────────


class _Step(NamedTuple):
    """One step from the old items to the new ones. Without *old* the item is added, without *new* it goes."""

    old: int | None
    new: bool
    value: Value = None
    kept: bool = False


def _steps(old: list[Value], new: list[Value]) -> Iterator[_Step]:
    matcher = SequenceMatcher(None, [_hashable(item) for item in old], [_hashable(item) for item in new], autojunk=False)
    for tag, i, i_end, j, j_end in matcher.get_opcodes():
        if i_end - i == j_end - j:
            yield from (_Step(i + n, new=True, value=new[j + n], kept=tag == "equal") for n in range(i_end - i))
        else:  # which of them became which cannot be known
            yield from (_Step(n, new=False) for n in range(i, i_end))
            yield from (_Step(None, new=True, value=new[n]) for n in range(j, j_end))


def _hashable(value: Value) -> object:
    """Equal for values that are `same`, and only for these."""
    match value:
        case list():
            return ("list", *map(_hashable, value))
        case dict():
            return ("map", frozenset((key, _hashable(item)) for key, item in value.items()))
        case bool():
            return ("bool", value)
        case float() if math.isnan(value):
            return ("nan",)
        case _:
            return value


def _common_quote(items: tuple[_Node, ...]) -> _emit.Quote:
    """The quotes that every item of a list wears."""
    styles = {item.style for item in items if item.kind == "scalar"}
    return _quote(styles.pop()) if len(styles) == 1 else ""


def _block_items(outline: _Outline, node: _Node, old: list[Value], new: list[Value]) -> _Splice | None:
    """A block list, the lines of its items and what stands between them kept; None when its items have no lines of their own."""
    inner = outline.inner
    dashes = _dashes(outline, node)
    if dashes is None:
        return None
    start = at = outline.line_start(dashes[0])
    column, newline, usual = dashes[0] - start, outline.newline(start), _common_quote(node.items)

    def written(value: Value) -> str:
        return "".join(line + newline for line in _emit.item_lines(value, column, usual))

    out: list[str] = []
    for step in _steps(old, new):
        if step.old is None:
            out.append(written(step.value))
            continue
        item = node.items[step.old]
        own, end = outline.line_start(dashes[step.old]), outline.after_line(item.end)
        out.append(inner[at:own])  # comments and blank lines before the item
        at = end
        if step.kept:
            out.append(inner[own:end])
        elif step.new:
            text = _emit.inline(step.value, quote=_quote_of(item, step.value, inner) or _only_text(usual, step.value))
            fits = text and item.bounded and item.start < item.end
            out.append(f"{inner[own : item.start]}{text}{inner[item.end : end]}" if fits else written(step.value))
    return _Splice(start, at, "".join(out))


def _dashes(outline: _Outline, node: _Node) -> list[int] | None:
    """Where the `-` of each item stands, each the first thing on its line; None when that is not so."""
    first, last = outline.line_of(node.start) - 2, outline.line_of(node.end) - 2
    found = [(line, column) for line, column in _yaml.dashes(outline.inner) if first <= line <= last]
    column = min((column for _, column in found), default=0)
    offsets = [outline.offset(line, column) for line, at in found if at == column]
    clean = all(not outline.inner[outline.line_start(offset) : offset].strip(" ") for offset in offsets)
    return offsets if clean and len(offsets) == len(node.items) else None


def _flow_items(inner: str, node: _Node, old: list[Value], new: list[Value]) -> _Splice | None:
    """A list in brackets, its items and what stands between them kept; None when a new item needs lines of its own."""
    items = node.items
    gaps = ["", *(inner[left.end : right.start] for left, right in pairwise(items))]  # before each item
    opening, closing = inner[node.start : items[0].start], inner[items[-1].end : node.end]
    usual = _common_quote(items)
    steps: list[tuple[_Step, str]] = []
    for step in _steps(old, new):
        item = None if step.old is None else items[step.old]
        if step.kept and item is not None:
            text: str | None = inner[item.start : item.end]
        else:
            quote = _quote_of(item, step.value, inner) if item is not None else ""
            text = _emit.inline(step.value, quote=quote or _only_text(usual, step.value), flow=True) if step.new else ""
        if text is None:
            return None
        steps.append((step, text))
    commented = "#" in "".join([opening, closing, *gaps])
    between = _between_comments(steps, gaps) if commented else _between(steps, gaps)
    return _Splice(node.start, node.end, opening + between + closing)


def _between(steps: list[tuple[_Step, str]], gaps: list[str]) -> str:
    """The items of a flow list, those that were neighbours parted as they were, the others as the first two were."""
    usual = gaps[1] if len(gaps) > 1 else ", "
    out: list[str] = []
    previous: int | None = None
    for step, text in steps:
        if not step.new:
            continue
        neighbours = step.old is not None and previous is not None and step.old == previous + 1
        out.append((gaps[step.old or 0] if neighbours else usual) if out else "")
        out.append(text)
        previous = step.old
    return "".join(out)


def _between_comments(steps: list[tuple[_Step, str]], gaps: list[str]) -> str:
    """The same for a list that holds comments: every gap stays, but for the comma of an item that goes."""
    gaps = list(gaps)
    out: list[str] = []
    parted = True
    for step, text in steps:
        if step.old is not None:
            gap = gaps[step.old]
            out.append(gap)
            parted = parted or "," in _NO_COMMENT.sub("", gap)
            if not step.new:
                if step.old + 1 < len(gaps) and parted:
                    gaps[step.old + 1] = _COMMA.sub(r"\1", gaps[step.old + 1], count=1)
                continue
        out.append(text if parted else f", {text}")
        parted = False
    return "".join(out)


def _only_text(quote: _emit.Quote, value: Value) -> _emit.Quote:
    return quote if isinstance(value, str) else ""


_BLOCK_STYLES: Final = frozenset("|>")
_COLON: Final = re.compile("[ \t]*:")
_COMMENT: Final = re.compile("(?:^|[ \t]+)#.*$")
_NO_COMMENT: Final = re.compile("#.*")
_COMMA: Final = re.compile(r"^([^#,]*(?:#[^\n]*\n[^#,]*)*),")
