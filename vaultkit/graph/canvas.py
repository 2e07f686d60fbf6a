"""Links of a JSON Canvas: file nodes, group backgrounds, and Markdown in text nodes, each with the place it is written at. Pure.

A canvas is edited by replacing parts of string literals only, so that its formatting survives byte for byte.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Final, Literal, NamedTuple

from vaultkit.text.markdown import Link, scan
from vaultkit.text.values import Problem

NodeKind = Literal["file", "background", "text"]


class CanvasNode(NamedTuple):
    """A node's string that holds links. Offsets of a text node's links count in *value*; other links span the literal."""

    id: str
    kind: NodeKind
    value: str
    start: int  # of the JSON string literal, quotes included
    end: int
    links: tuple[Link, ...]


class Canvas(NamedTuple):
    """What one `.canvas` file says; *problem* tells why it says nothing."""

    nodes: tuple[CanvasNode, ...]
    problem: Problem | None = None


def read_canvas(text: str) -> Canvas:
    """The link-holding nodes of a canvas, in file order. Never raises."""
    if not text.strip("\ufeff \t\r\n"):
        return Canvas((), Problem("empty-canvas", 1, "the canvas is empty"))
    try:
        data = json.loads(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        return Canvas((), Problem("bad-canvas", error.lineno, f"the canvas is not JSON: {error.msg}"))
    except (ValueError, RecursionError):  # a number of 5,000 digits, brackets nested 10,000 deep
        return Canvas((), Problem("bad-canvas", 1, "the canvas cannot be read as JSON"))
    nodes = data.get("nodes") if isinstance(data, dict) else None
    if not isinstance(nodes, list):
        return Canvas((), Problem("empty-canvas" if data == {} else "bad-canvas", 1, "the canvas has no list of nodes"))
    found: list[CanvasNode] = []
    line, counted = 1, 0
    for (index, key), (start, end) in sorted(_literals(text).items(), key=lambda item: item[1]):
        node, kind = nodes[index], _KINDS.get(key)
        value = node.get(key)
        if kind is None or not isinstance(value, str) or not value or node.get("type", _TYPES[kind]) != _TYPES[kind]:
            continue
        line, counted = line + text.count("\n", counted, start), start
        links = _text_links(value, line) if kind == "text" else (_file_link(value, node.get("subpath"), line, start, end),)
        found.append(CanvasNode(str(node.get("id", "")), kind, value, start, end, links))
    return Canvas(tuple(found))


def rewrite_canvas(text: str, changes: Iterable[tuple[CanvasNode, Iterable[tuple[int, int, str]]]]) -> str:
    """*text* with spans of nodes' values replaced: `(node, [(start, end, new), …])`, offsets counting in the node's value."""
    pieces: list[tuple[int, int, str]] = []
    for node, spans in changes:
        literal = text[node.start : node.end]
        places = _places(literal)
        ascii_only = _ESCAPED.search(literal) is not None
        for start, end, new in spans:
            written = json.dumps(new, ensure_ascii=ascii_only)[1:-1]
            pieces.append((node.start + places[start], node.start + places[end], written))
    return replaced(text, pieces)


def replaced(text: str, pieces: Iterable[tuple[int, int, str]]) -> str:
    """*text* with non-overlapping spans replaced."""
    out: list[str] = []
    done = 0
    for start, end, new in sorted(pieces):
        out += (text[done:start], new)
        done = end
    return "".join((*out, text[done:]))


_KINDS: Final[Mapping[str, NodeKind]] = {"file": "file", "background": "background", "text": "text"}
_TYPES: Final[Mapping[NodeKind, str]] = {"file": "file", "background": "group", "text": "text"}
_ESCAPED: Final = re.compile(r"\\u(?!00[0-7])[0-9a-fA-F]{4}")  # this writer escapes what is not ASCII
_TOKEN: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\]:,]')
_UNIT: Final = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|.", re.DOTALL)


def _text_links(value: str, line: int) -> tuple[Link, ...]:
    return tuple(link._replace(line=line) for link in scan(value).links)


def _file_link(file: str, subpath: object, line: int, start: int, end: int) -> Link:
    sub = subpath if isinstance(subpath, str) else ""
    return Link(file, sub, None, True, "wikilink", line, start, end, start + 1, end - 1)


def _literals(text: str) -> dict[tuple[int, str], tuple[int, int]]:
    """Where the string values of `nodes[i].key` stand in valid JSON. A repeated key counts where it is last, as JSON readers do."""
    found: dict[tuple[int, str], tuple[int, int]] = {}
    frames: list[_Frame] = []
    for token in _TOKEN.finditer(text):
        mark = token[0][0]
        if mark in "{[":
            frames.append(_Frame(is_object=mark == "{"))
        elif mark in "}]":
            frames.pop()
        elif not frames:
            continue
        elif mark == ",":
            frames[-1].next()
        elif mark == ":":
            frames[-1].in_value = True
        elif not frames[-1].in_value:
            frames[-1].key = json.loads(token[0])
            if len(frames) == 1:
                found = {} if frames[0].key == "nodes" else found
            elif _is_node(frames):
                found.pop((frames[1].index, frames[2].key), None)
        elif _is_node(frames):
            found[frames[1].index, frames[2].key] = token.span()
    return found


class _Frame:
    """An open object or array while walking JSON."""

    __slots__ = ("in_value", "index", "is_object", "key")

    def __init__(self, *, is_object: bool) -> None:
        self.is_object = is_object
        self.key = ""
        self.index = 0
        self.in_value = not is_object

    def next(self) -> None:
        self.index += 1
        self.in_value = not self.is_object


def _is_node(frames: list[_Frame]) -> bool:
    return len(frames) == 3 and frames[0].is_object and frames[0].key == "nodes" and not frames[1].is_object and frames[2].is_object


def _places(literal: str) -> list[int]:
    """Offsets into the literal of each character of its value, and of its end."""
    places = [unit.start() for unit in _UNIT.finditer(literal, 1, len(literal) - 1)]
    return [*places, len(literal) - 1]
