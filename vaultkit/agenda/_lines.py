"""The lines of a note's body that are prose: outside fenced code, maths, comments. For the few notes that have something to look for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple


class Line(NamedTuple):
    """A line without its line end; comments and maths inside it are blanked out, offsets kept."""

    number: int  # 1-based in the file
    start: int  # offset in the file's text
    text: str


def plain_lines(text: str, body: int) -> Iterator[Line]:
    """Every line from offset *body* on that a reader sees as text."""
    number = text.count("\n", 0, body) + 1
    fence: tuple[str, int, bool] | None = None  # its character, its length, whether it stands in a quote
    inside = ""  # what closes the open comment or formula
    at = body
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        raw = text[at:end].removesuffix("\r")
        if fence is None and not inside and (skip := _generated_end(text, raw, at)) > at:
            number += text.count("\n", at, skip)
            at = skip
            continue
        if fence is not None and fence[2] and not raw.lstrip().startswith(">"):
            fence = None  # a quote that ends takes its fence with it
        mark = _FENCE.match(raw) if not inside else None
        if fence is not None:
            if mark is not None and mark[2][0] == fence[0] and len(mark[2]) >= fence[1] and not mark[3].strip():
                fence = None
        elif mark is not None and not (mark[2][0] == "`" and "`" in mark[3]):
            fence = (mark[2][0], len(mark[2]), ">" in mark[1])
        else:
            raw, inside = _blank(raw, inside)
            if raw and not raw.isspace():
                yield Line(number, at, raw)
        number += 1
        at = end + 1


def line_at(text: str, offset: int) -> tuple[int, int]:
    """Start and end (line end excluded) of the line that holds *offset*."""
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    end = len(text) if end < 0 else end
    return start, end - 1 if end > start and text[end - 1] == "\r" else end


_FENCE = re.compile(r"((?:[\s>]|[-*+][ \t]|\d{1,9}[.)][ \t])*)(`{3,}|~{3,})(.*)\Z")
_GENERATED = re.compile(r"<!-- vaultkit:([\w-]+):start -->")
_PAIRS = {"<!--": "-->", "%%": "%%", "$$": "$$"}
_OPEN = re.compile(r"<!--|%%|\$\$")


def _generated_end(text: str, line: str, at: int) -> int:
    """Where the block that vaultkit itself writes, and that *line* (at *at*) begins, is over; -1 when it begins none."""
    start = _GENERATED.search(line) if "<!-- vaultkit:" in line else None
    end = text.find(f"<!-- vaultkit:{start[1]}:end -->", at) if start else -1
    if end < 0:
        return -1
    after = text.find("\n", end)
    return len(text) if after < 0 else after + 1


def _blank(line: str, inside: str) -> tuple[str, str]:
    """*line* with what stands in a comment or a formula blanked out, and what is still open at its end."""
    if not inside and _OPEN.search(line) is None:
        return line, ""
    parts: list[str] = []
    at = 0
    while at < len(line):
        if inside:
            end = line.find(inside, at)
            stop = len(line) if end < 0 else end + len(inside)
            parts.append(" " * (stop - at))
            inside = inside if end < 0 else ""
        else:
            match = _OPEN.search(line, at)
            stop = match.end() if match else len(line)
            parts.append(line[at : match.start()] + " " * len(match[0]) if match else line[at:])
            inside = _PAIRS[match[0]] if match else ""
        at = stop
    return "".join(parts), inside


def entry_lines(text: str, key_line: int, count: int) -> list[int]:
    """The line of each of the *count* entries of a list property, whose key stands on *key_line*; that line where they cannot be told apart."""
    at = 0
    for _ in range(key_line - 1):
        at = text.find("\n", at) + 1
    key = _KEY.match(text, at)
    found: list[int] = []
    if key is not None:
        found = _flow_entries(text, key.end(), key_line) if text.startswith("[", key.end()) else _block_entries(text, at, key_line)
    return found if len(found) == count else [key_line] * count


_KEY = re.compile(r"""(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*'|[^\n:#]*?)[ \t]*:[ \t]*""")
_DASH = re.compile(r"([ \t]*)-(?:[ \t]|(?=\r?\n|\Z))")
_QUOTED = re.compile(r""""(?:[^"\\]|\\.)*"|'(?:[^']|'')*'""", re.DOTALL)


def _block_entries(text: str, at: int, line: int) -> list[int]:
    """Lines of `- …` at the first dash's indent: nothing inside an entry can stand that far left."""
    found: list[int] = []
    indent: str | None = None
    while (at := text.find("\n", at) + 1) and at < len(text) and not text.startswith("---", at):
        line += 1
        dash = _DASH.match(text, at)
        if dash is not None and (indent is None or dash[1] == indent):
            indent = dash[1]
            found.append(line)
        elif text[at] not in " \t\r\n#-":
            break  # the next key
    return found


def _flow_entries(text: str, at: int, line: int) -> list[int]:
    """Lines of the entries of `[a, "b", [c]]`, which may run over lines."""
    found: list[int] = []
    depth, waiting, before = 0, True, ""
    while at < len(text):
        char = text[at]
        if char == "\n":
            line += 1
        elif char.isspace():
            pass
        elif char in "]}":
            depth -= 1
            if depth == 0:
                return found
        elif char == "," and depth == 1:
            waiting = True
        else:
            if waiting and depth:
                found.append(line)
                waiting = False
            if char in "[{":
                depth += 1
            elif char in "\"'" and before in "[{,:" and (quoted := _QUOTED.match(text, at)) is not None:
                line += quoted[0].count("\n")
                at = quoted.end() - 1
        before = before if char.isspace() else char
        at += 1
    return []
