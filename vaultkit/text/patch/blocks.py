"""PATCH 2.x on a block that an id names. The block keeps its id, unless the instruction takes it away."""

from __future__ import annotations

import re
from typing import Final

from vaultkit.errors import PatchConflictError, PatchError
from vaultkit.text.patch import structures
from vaultkit.text.patch.instruction import Instruction
from vaultkit.text.patch.joints import after_text, cut, inserted, put, trimmed
from vaultkit.text.patch.outline import Mark, Outline, outline
from vaultkit.text.patch.structures import past_line
from vaultkit.text.patch.targets import find_mark, missing_block


def change_block(note: Outline, wanted: Instruction, *, compat: bool) -> str:
    """The note's text with the instruction carried out."""
    mark = find_mark(note, wanted.name, compat=compat)
    content = trimmed(wanted.content, note.newline)
    if mark is None:
        if not wanted.create or wanted.carrier != "content":
            raise missing_block(note, wanted.name, rest_code=40400)
        gap = "" if not note.text[note.root :].strip() or note.text.endswith(note.newline * 2) else note.newline
        head = note.text if not note.text or note.text.endswith(("\n", "\r")) else note.text + note.newline
        return f"{head}{gap}{content}{note.newline * 2}^{_new_id(note, wanted.name)}{note.newline}"
    if wanted.reject_preexisting and wanted.carrier == "content" and content.strip() in note.text[mark.content_start : mark.content_end]:
        raise PatchConflictError("the content stands there already", rest_code=40900)
    match wanted.scope:
        case "marker":
            return _renamed(note, mark, wanted, content)
        case "markerAndContent":
            return _whole(note, mark, wanted, content)
        case _:
            changed = _content(note, mark, wanted, content)
    if (now := find_mark(outline(changed), mark.id, compat=True)) is None or now.inline != mark.inline:
        raise PatchError(
            f"^{mark.id} would no longer name the new text",
            hint="end it with a paragraph, or replace the block with its id (markerAndContent)",
        )
    return changed


def _content(note: Outline, mark: Mark, wanted: Instruction, content: str) -> str:
    if wanted.carrier == "value":
        if mark.inline:
            raise PatchError("rows can only be put into a table", rest_code=40081)
        try:
            return structures.row_splice(note, mark.element, wanted.operation, wanted.value).applied(note.text)
        except PatchError as error:
            raise PatchError(error.message, rest_code=40081, hint=error.hint) from error
    start, end = mark.content_start, mark.content_end
    if wanted.operation == "delete":
        if mark.item is None:
            raise PatchError(
                "without text the id would name another block", rest_code=40081, hint="delete it with its id: scope markerAndContent"
            )
        return put(note, mark.item.text, mark.start, "", literal=True)
    if wanted.operation == "replace" and note.text[start:end] == content:
        return note.text
    if not mark.inline or mark.element.kind == "quote":
        found = structures.splice(note, mark.element._replace(end=end), wanted.operation, content)
        if found is not None:
            return put(note, *found, literal=True)
    if wanted.operation == "replace":
        return put(note, start, end, _as_item(note, mark, content))
    if mark.element.kind == "heading":
        raise PatchError("the block is a heading", rest_code=40081, hint="name it as a heading, or use the scope markerAndContent")
    margin = _margin(note, mark)
    lines = content.replace(note.newline, note.newline + margin)
    if wanted.operation == "append":
        return put(note, end, end, note.newline + margin + lines, literal=True)
    start = mark.item.text if mark.item is not None else start
    return put(note, start, start, lines + note.newline + margin, literal=True)


def _whole(note: Outline, mark: Mark, wanted: Instruction, content: str) -> str:
    """The block and its id as one: replaced, deleted, or given a neighbour."""
    item = mark.item
    first = _line_start(note, item.start if item else mark.content_start)
    last = past_line(note.text, max(item.end if item else mark.end, mark.end))
    if not mark.inline:
        first = mark.element.start
    match wanted.operation:
        case "delete":
            return cut(note, first, last) if item is None else put(note, first, last, "", literal=True)
        case "replace":
            return put(note, mark.content_start, mark.end, _as_item(note, mark, content))
        case _ if item is not None:
            margin = note.text[first : item.start]
            bullet = "" if _BULLET.match(content) else _BOX.sub("[ ]", note.text[item.start : item.text])
            line = margin + bullet + content.removeprefix(margin) + note.newline
            at = first if wanted.operation == "prepend" else last
            if at == len(note.text) and not note.text.endswith(("\n", "\r")):
                line = note.newline + line.removesuffix(note.newline)
            return put(note, at, at, line, literal=True)
        case "prepend":
            return inserted(note, first, content)
        case _:
            return after_text(note, last_text(note, last), last, content)


def last_text(note: Outline, end: int) -> int:
    """Where the text before *end* stops, its line end left out."""
    return len(note.text[:end].rstrip("\r\n"))


def _as_item(note: Outline, mark: Mark, content: str) -> str:
    """Content for a list item: with the item's own mark, when it has none and the block includes it."""
    if mark.item is None or _BULLET.match(content) or (mark.item.nested and mark.content_start == mark.item.text):
        return content
    return note.text[mark.item.start : mark.item.text] + content


def _margin(note: Outline, mark: Mark) -> str:
    """What a further line of the block begins with."""
    if mark.item is None:
        return ""
    line = note.text[_line_start(note, mark.item.start) : mark.item.start]
    return line + "  "


def _renamed(note: Outline, mark: Mark, wanted: Instruction, content: str) -> str:
    if wanted.operation == "delete":
        if mark.inline:
            return note.text[: mark.content_end] + note.text[mark.end :]
        return cut(note, _line_start(note, mark.start), past_line(note.text, mark.end))
    given = content.strip().removeprefix("^")
    name = {"replace": given, "append": mark.id + given, "prepend": given + mark.id}[wanted.operation]
    if name != mark.id:
        _new_id(note, name)
    return note.text[: mark.start] + "^" + name + note.text[mark.end :]


def _new_id(note: Outline, name: str) -> str:
    if not _ID.match(name):
        raise PatchError(f"{name!r} cannot be a block id", rest_code=40081, hint="letters, digits, - and _ only")
    if any(mark.id == name for mark in note.marks):
        raise PatchConflictError(f"the note has a block ^{name} already", rest_code=40900)
    return name


def _line_start(note: Outline, offset: int) -> int:
    return max(note.text.rfind("\n", 0, offset), note.text.rfind("\r", 0, offset)) + 1


_ID: Final = re.compile(r"[A-Za-z0-9_-]+\Z")
_BOX: Final = re.compile(r"\[[^\r\n]\]")
_BULLET: Final = re.compile(r"[ \t]*(?:[-+*]|\d{1,9}[.)])[ \t]")
