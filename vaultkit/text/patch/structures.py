"""Text put into a structured block so that it stays what it is: inside a code fence, behind a quote's mark, as a table's row."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from vaultkit.errors import PatchError
from vaultkit.text.patch.outline import Element, Outline, cells
from vaultkit.text.values import Value


class Splice(NamedTuple):
    """`text[start:end]` becomes *new*."""

    start: int
    end: int
    new: str

    def applied(self, text: str) -> str:
        """*text* with it done."""
        return text[: self.start] + self.new + text[self.end :]


def splice(note: Outline, found: Element, operation: str, content: str) -> Splice | None:
    """Text for a code block, quote, table or list; None where the text may simply be put at the place that *operation* names."""
    content = content.strip("\r\n") + note.newline if content.strip() else content
    match found.kind, operation:
        case "code", _:
            return _into_code(note, found, operation, content)
        case "quote", "append" | "prepend":
            return _into_quote(note, found, operation, content)
        case "table", "append" | "prepend":
            return _into_table(note, found, operation, content)
        case "list", "append":
            return Splice(found.end, found.end, note.newline + content.rstrip("\r\n"))
        case "list", "prepend":
            return Splice(found.start, found.start, content)
        case _:
            return None


def row_splice(note: Outline, found: Element, operation: str, value: Value) -> Splice:
    """Rows for a table; *operation* replace keeps its header. Raises PatchError when the rows do not fit."""
    if found.kind != "table":
        raise PatchError(
            "rows can only be put into a table",
            reason="content-type-invalid-for-target",
            hint="send the text as text/markdown, or name a table's block id",
        )
    width = len(cells(_LINE_END.split(note.text[found.start : found.end], 1)[0]))
    rows = _rows(value, width)
    new = "".join(f"| {' | '.join(_cell(cell) for cell in row)} |{note.newline}" for row in rows)
    end = past_line(note.text, found.end)
    start = end if operation == "append" else min(found.inner, end)
    if note.text[start - 1 : start] not in {"\n", "\r", ""}:
        new = note.newline + new
    if end == found.end and end == len(note.text):  # the note's last line had no line end: it still has none
        new = new.removesuffix(note.newline)
    return Splice(start, end if operation == "replace" else start, new)


def past_line(text: str, offset: int) -> int:
    """The offset after the line end that stands at *offset*, if one does."""
    found = _LINE_END.match(text, offset)
    return found.end() if found else offset


_LINE_END: Final = re.compile(r"\r\n|\n|\r")
_PIPE: Final = re.compile(r"(?<!\\)\|")
_FENCED: Final = re.compile(r" {0,3}(`{3,}|~{3,})")


def _rows(value: Value, width: int) -> list[list[str]]:
    """One row (a list of texts) or several."""
    listed = value if isinstance(value, list) else [value]
    rows = [listed] if all(isinstance(cell, str) for cell in listed) else listed
    found = [[cell for cell in row if isinstance(cell, str)] for row in rows if isinstance(row, list)]
    if not isinstance(value, list) or found != rows or any(len(row) != width for row in found):
        raise PatchError(
            f"the rows must be lists of {width} texts each, as many as the table has columns",
            reason="content-type-invalid-for-target",
            hint='send rows like [["a", "b"]]',
        )
    return found


def _cell(text: str) -> str:
    return _PIPE.sub(r"\\|", _LINE_END.sub("<br>", text.strip()))


def _into_code(note: Outline, found: Element, operation: str, content: str) -> Splice | None:
    if operation == "replace" and _FENCED.match(content):
        return None
    opening = _FENCED.match(note.text, found.start)
    if opening is None:  # indented code
        content = "".join(f"    {line}" for line in content.splitlines(keepends=True))
        end = found.end if operation == "replace" else found.start
        return (
            Splice(found.end, found.end, note.newline + content.rstrip("\r\n"))
            if operation == "append"
            else Splice(found.start, end, content)
        )
    if re.search(rf"^ {{0,3}}{re.escape(opening[1])}", content, re.MULTILINE):
        raise PatchError("the text would close the code block", hint="leave the fence out, or replace the whole block with a longer one")
    start = found.inner_end if operation == "append" else found.inner
    return Splice(start, found.inner_end if operation == "replace" else start, content)


def _into_quote(note: Outline, found: Element, operation: str, content: str) -> Splice:
    lines = [f"> {line}".rstrip() for line in content.rstrip("\r\n").splitlines()]
    quoted = note.newline.join(lines)
    if operation == "append":
        return Splice(found.end, found.end, note.newline + quoted)
    return Splice(found.start, found.start, quoted + note.newline)


def _into_table(note: Outline, found: Element, operation: str, content: str) -> Splice:
    if not all("|" in line for line in content.splitlines()):
        raise PatchError(
            "text in a table must be rows",
            reason="content-type-invalid-for-target",
            hint='write `| a | b |`, or send rows like [["a", "b"]] as application/json',
        )
    end = past_line(note.text, found.end)
    start = min(found.inner, end) if operation == "prepend" else end
    gap = "" if note.text[start - 1 : start] in {"\n", "\r"} else note.newline
    return Splice(start, start, gap + content)
