"""JSON text, with comments where a format allows them: read it, and splice it so that every other byte stays.

Settings files of other programs are written by people; what is not ours in them keeps its layout, its comments and its line ends.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

Step = str | int
Path = tuple[Step, ...]


class JsonTextError(ValueError):
    """What is wrong, and on which line (1-based)."""

    def __init__(self, problem: str, line: int) -> None:
        super().__init__(f"{problem} (line {line})")
        self.line = line


class Node(NamedTuple):
    """A value where it stands: `text[start:end]`. *parts* of an object or array, in order; *keys* of an object beside them."""

    start: int
    end: int
    value: Any  # of a scalar; None for containers
    kind: str  # object, array or scalar
    parts: tuple[Node, ...] = ()
    keys: tuple[str, ...] = ()
    starts: tuple[int, ...] = ()  # where each part's text begins: at its key in an object

    def get(self, step: Step) -> Node | None:
        """The part that *step* names; of a key that stands twice the last, as JSON readers take it."""
        if isinstance(step, int):
            return self.parts[step] if self.kind == "array" and 0 <= step < len(self.parts) else None
        found = self.place(step)
        return None if found is None else self.parts[found]

    def place(self, step: Step) -> int | None:
        """The place of that part."""
        if isinstance(step, int):
            return step if 0 <= step < len(self.parts) else None
        return next((at for at in range(len(self.keys) - 1, -1, -1) if self.keys[at] == step), None)

    def plain(self) -> Any:
        """The value as Python has it."""
        if self.kind == "object":
            return {key: part.plain() for key, part in zip(self.keys, self.parts, strict=True)}
        return [part.plain() for part in self.parts] if self.kind == "array" else self.value


def scan(text: str, *, comments: bool = False) -> Node:
    """Where everything stands. With *comments* also `//`, `/* */` and trailing commas are read. Raises JsonTextError."""
    if not comments:
        try:
            json.loads(text)  # the strict reading is the standard library's
        except json.JSONDecodeError as error:
            raise JsonTextError(error.msg, error.lineno) from error
        except RecursionError:
            raise JsonTextError("nested too deeply", 1) from None
    try:
        return _Scanner(text, comments=comments).whole()
    except RecursionError:
        raise JsonTextError("nested too deeply", 1) from None


def loads(text: str, *, comments: bool = False) -> Any:
    """The value of *text*. Raises JsonTextError."""
    return scan(text, comments=comments).plain()


def merge(text: str, value: Mapping[str, Any], *, comments: bool = False) -> str:
    """*text* with *value* merged in: objects by key, arrays get the new elements at their end, a scalar that stands there stays."""
    for path, new in _additions(scan(text, comments=comments).plain(), value, ()):
        text = _insert(text, path, new, comments=comments)
    return text


def remove(text: str, paths: Sequence[Path], *, comments: bool = False) -> str:
    """*text* without what stands at *paths*; what is around keeps every byte but the comma."""
    # The later ones first, so that the indexes of the others hold.
    for path in sorted(set(paths), key=lambda path: [(isinstance(step, int), step) for step in path], reverse=True):
        text = _cut(text, path, comments=comments)
    return text


_SPACE: Final = re.compile(r"[ \t\r\n]*")
_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_SCALAR: Final = re.compile(r"[^\s,:\[\]{}\"/]+")
_LINE_REST: Final = re.compile(r"[ \t]*(?://[^\r\n]*|/\*[^\r\n]*?\*/[ \t]*(?=\r?\n))")
_INDENT: Final = re.compile(r"\n([ \t]+)\S")


class _Scanner:
    def __init__(self, text: str, *, comments: bool) -> None:
        self.text = text
        self.comments = comments

    def whole(self) -> Node:
        node = self.value(self.space(0))
        rest = self.space(node.end)
        if rest != len(self.text):
            raise self.error("something stands after the end", rest)
        return node

    def value(self, at: int) -> Node:
        first = self.text[at : at + 1]
        if first == "{":
            return self.container(at, "}", "object")
        if first == "[":
            return self.container(at, "]", "array")
        found = _STRING.match(self.text, at) if first == '"' else _SCALAR.match(self.text, at)
        if not found:
            raise self.error("a value is missing", at)
        try:
            return Node(at, found.end(), json.loads(found[0], strict=False), "scalar")
        except ValueError:
            raise self.error(f"{found[0][:40]} is no value", at) from None

    def container(self, start: int, close: str, kind: str) -> Node:
        parts: list[Node] = []
        keys: list[str] = []
        starts: list[int] = []
        at = self.space(start + 1)
        while self.text[at : at + 1] != close:
            starts.append(at)
            if kind == "object":
                key = _STRING.match(self.text, at)
                if not key:
                    raise self.error("a key is missing", at)
                keys.append(json.loads(key[0], strict=False))
                at = self.space(key.end())
                if self.text[at : at + 1] != ":":
                    raise self.error("a colon is missing", at)
                at = self.space(at + 1)
            part = self.value(at)
            parts.append(part)
            at = self.space(part.end)
            if self.text[at : at + 1] == ",":
                at = self.space(at + 1)
                if self.text[at : at + 1] == close and not self.comments:
                    raise self.error("a comma stands before the end", at)
            elif self.text[at : at + 1] != close:
                raise self.error(f"a comma or {close} is missing", at)
        return Node(start, at + 1, None, kind, tuple(parts), tuple(keys), tuple(starts))

    def space(self, at: int) -> int:
        return _skip(self.text, at, comments=self.comments, unclosed=self.error)

    def error(self, problem: str, at: int) -> JsonTextError:
        return JsonTextError(problem, self.text.count("\n", 0, at) + 1)


def _skip(text: str, at: int, *, comments: bool, unclosed: Callable[[str, int], JsonTextError]) -> int:
    """Past white space (and comments)."""
    while True:
        found = _SPACE.match(text, at)
        at = found.end() if found else at
        if comments and text.startswith("//", at):
            line_end = text.find("\n", at)
            at = len(text) if line_end < 0 else line_end
        elif comments and text.startswith("/*", at):
            close = text.find("*/", at + 2)
            if close < 0:
                raise unclosed("a comment is not closed", at)
            at = close + 2
        else:
            return at


def _additions(there: Any, value: Any, path: Path) -> list[tuple[Path, Any]]:
    """What has to be put where; a path that ends in -1 appends to an array."""
    found: list[tuple[Path, Any]] = []
    for key, new in value.items():
        here = there.get(key, _MISSING)
        if here is _MISSING:
            found.append(((*path, key), new))
        elif isinstance(here, dict) and isinstance(new, Mapping):
            found += _additions(here, new, (*path, key))
        elif isinstance(here, list) and isinstance(new, list):
            found += [((*path, key, -1), element) for element in new]
        elif isinstance(here, (dict, list)) or isinstance(new, (dict, list)):
            raise JsonTextError(f"{'.'.join(map(str, (*path, key)))} is not {'an object' if isinstance(new, dict) else 'a list'}", 1)
    return found


_MISSING: Final = object()


def _at(root: Node, path: Path) -> Node:
    node = root
    for step in path:
        part = node.get(step)
        if part is None:
            raise KeyError(path)
        node = part
    return node


def _insert(text: str, path: Path, value: Any, *, comments: bool) -> str:
    box = _at(scan(text, comments=comments), path[:-1])
    key = "" if path[-1] == -1 else json.dumps(path[-1], ensure_ascii=False) + ": "
    line_end = "\r\n" if "\r\n" in text else "\n"
    step = _step(text)
    inner = text[box.start : box.end]
    spread = "\n" in inner or not box.parts
    if not spread:
        return f"{text[: box.parts[-1].end]}, {key}{json.dumps(value, ensure_ascii=False)}{text[box.parts[-1].end :]}"
    outer = _margin(text, box.start)
    margin = _margin(text, box.starts[-1]) if box.parts and _leads(text, box.starts[-1]) else outer + step
    written = json.dumps(value, ensure_ascii=False, indent=step).replace("\n", line_end + margin)
    if not box.parts:
        # An empty container may hold a comment, which stays.
        held = inner[1:-1].rstrip()
        return f"{text[: box.start + 1]}{held}{line_end}{margin}{key}{written}{line_end}{outer}{text[box.end - 1 :]}"
    last = box.parts[-1].end
    after = _skip(text, last, comments=comments, unclosed=JsonTextError)
    has_comma = text[after : after + 1] == ","
    head = text[: after + 1] if has_comma else f"{text[:last]},"
    at = after + 1 if has_comma else last
    if comments and (note := _LINE_REST.match(text, at)):  # what is said about the element before stays on its line
        head += note[0]
        at = note.end()
    return f"{head}{line_end}{margin}{key}{written}{',' if has_comma else ''}{text[at:]}"


def _cut(text: str, path: Path, *, comments: bool) -> str:
    box = _at(scan(text, comments=comments), path[:-1])
    at = box.place(path[-1])
    if at is None:
        raise KeyError(path)
    start, end = box.starts[at], box.parts[at].end
    front = len(text[:start].rstrip(" \t\r\n"))
    after = _skip(text, end, comments=comments, unclosed=JsonTextError)
    if text[after : after + 1] == ",":  # also a trailing one: the comma before is then the trailing one
        return _joined(text[:front], text[after + 1 :])
    rest = text[end:]
    if at == 0:
        bare = not text[end : box.end - 1].strip() and front == box.start + 1
        return _joined(text[:front], text[box.end - 1 :] if bare else rest)
    comma = _skip(text, box.parts[at - 1].end, comments=comments, unclosed=JsonTextError)
    return _joined(text[:comma] + text[comma + 1 : front], rest)


def _joined(head: str, rest: str) -> str:
    """Both; a comment at the end of *head* must not swallow the rest."""
    line = head[head.rfind("\n") + 1 :]
    gap = "\n" if "//" in line and not rest.lstrip(" \t").startswith(("\n", "\r\n")) else ""
    return head + gap + rest


def _step(text: str) -> str:
    """One level of indentation as this text has it."""
    found = _INDENT.search(text)
    return found[1] if found else "  "


def _margin(text: str, at: int) -> str:
    """The indentation of the line that *at* stands in."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _leads(text: str, at: int) -> bool:
    """Does nothing stand before *at* in its line?"""
    return not text[text.rfind("\n", 0, at) + 1 : at].strip()


__all__: list[str] = ["JsonTextError", "Node", "loads", "merge", "remove", "scan"]
