"""PATCH 1.x: what `Operation`, `Target-Type` and `Target` headers ask for (facts/rest-api.md §7).

Byte for byte the plugin's engine (markdown-patch 0.4.4), but where that one damages a note: text is never glued to the next heading,
content takes the note's line ends, an empty properties block stays one block, comments in the properties survive, text for a code block
goes inside its fence, and what is named twice is an error (with `compat` the last one counts, as there).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from vaultkit.errors import PatchConflictError, PatchError, PatchTargetError
from vaultkit.text.patch import properties, structures
from vaultkit.text.patch.outline import Mark, Outline, Section, outline
from vaultkit.text.patch.structures import past_line
from vaultkit.text.patch.targets import DELIMITER, TARGET_TYPES, find_mark, find_section, heading_path, missing_block, missing_heading
from vaultkit.text.values import Value

OPERATIONS: Final = ("append", "prepend", "replace")
SCOPES: Final = ("content", "marker", "markerAndContent")
MARKDOWN: Final = "text/markdown"
JSON: Final = "application/json"


@dataclass(frozen=True, slots=True)
class Patch1:
    """One PATCH of the header dialect.

    *target* is a heading's path (a list, or one text split at *delimiter*; nothing = the whole body), a block id or a property's name.
    *content* is text, or with *content_type* `application/json` the parsed value. *reject_preexisting* is the 3.x default (there
    `Apply-If-Content-Preexists: true` turns it off); from 4.0 on it is `Reject-If-Content-Preexists: true`.
    """

    operation: str
    target_type: str
    target: Sequence[str] | str | None
    content: Value
    content_type: str = MARKDOWN
    delimiter: str = DELIMITER
    scope: str = "content"
    create: bool = False
    trim: bool = False
    reject_preexisting: bool = False


def apply1(text: str, patch: Patch1, *, compat: bool = False) -> str:
    """*text* with the patch applied. Raises PatchError and its kinds, with the plugin's codes and reasons.

    *compat*: of several headings or block ids of one name the last one is meant, as in the plugin; else that is an error.
    """
    for word, allowed, code in (
        (patch.target_type, TARGET_TYPES, 40054),
        (patch.operation, OPERATIONS, 40057),
        (patch.scope, SCOPES if patch.target_type != "frontmatter" else SCOPES[:1], 40059),
        (patch.content_type, (MARKDOWN, JSON), 40012),
    ):
        if word not in allowed:
            raise PatchError(f"{word!r} is not one of {', '.join(allowed)}", rest_code=code)
    if patch.target_type == "frontmatter":
        return _property(text, patch)
    properties.check_yaml(text)
    note = outline(text)
    if patch.target_type == "block":
        return _block(note, patch, compat=compat)
    return _heading(note, patch, compat=compat)


# ── headings ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _heading(note: Outline, patch: Patch1, *, compat: bool) -> str:
    path = heading_path(patch.target, patch.delimiter)
    content = _text_content(note, patch)
    index = find_section(note, path, compat=compat)
    if index is None:
        if not patch.create:
            raise missing_heading(note, path, rest_code=40080, reason="invalid-target")
        return _created(note, path, content, compat=compat)
    section = note.sections[index]
    start, end = {
        "content": (section.body if section.setext or not section.level else _after_heading(note, section), section.end),
        "marker": (section.start, section.body),
        "markerAndContent": (section.start, section.end),
    }[patch.scope]
    _check_new(note, patch, content, start, end)
    if patch.operation == "replace":
        return _put(note, note.text[:start], _padded(note, end, content), end)
    if patch.operation == "prepend":
        tail = end if not patch.trim else start + len(note.text[start:]) - len(note.text[start:].lstrip())
        return _put(note, note.text[:start], content, tail if patch.trim else start)
    head = note.text[:end]
    if patch.trim:
        return _put(note, head.rstrip(), content, end)
    if end == len(note.text):
        head = _one_line_end(head, start)
    return _put(note, head, _padded(note, end, content), end)


def _after_heading(note: Outline, section: Section) -> int:
    """Where the plugin takes a heading's content to begin: one character after the heading without white space at its end.

    After `## Title␣␣␣` that is inside the line: text then lands on the heading's line. Measured so, and left so.
    """
    line = note.text[section.start : section.body].rstrip("\r\n")
    bare = line.rstrip()
    return section.body if bare == line else section.start + len(bare) + 1


def _padded(note: Outline, end: int, content: str) -> str:
    """A blank line that stood before the next heading stands there again."""
    blank = note.newline * 2
    if end == len(note.text) or not note.text[:end].endswith(blank):
        return content
    while not content.endswith(blank):
        content += note.newline
    return content


def _one_line_end(head: str, start: int) -> str:
    """*head* without the blank lines at its end."""
    bare = head.rstrip("\r\n")
    kept = max(len(bare), min(start, len(head)))
    return head[: past_line(head, kept)] if kept < len(head) else head


def _put(note: Outline, head: str, content: str, tail: int) -> str:
    """*content* between *head* and the rest from *tail* on, on lines of its own beside headings and the properties."""
    newline = note.newline
    if content and head and not head.endswith(("\n", "\r")) and len(head) in _line_ends(note):
        content = newline + content
    after = next((section for section in note.sections[1:] if section.start == tail), None)
    if after is not None and content and tail < len(note.text):
        if not content.endswith(("\n", "\r")):
            content += newline
        if after.setext and content.strip() and not content.endswith(newline * 2):
            content += newline
    return head + content + note.text[tail:]


def _line_ends(note: Outline) -> set[int]:
    """Where a heading's line, or the properties, end with the note and without a line end."""
    size = len(note.text)
    return {section.body for section in note.sections if section.body == size}


def _created(note: Outline, path: list[str], content: str, *, compat: bool) -> str:
    """The missing end of *path* written at the end of what exists of it; as many `#` as the heading's place in the path."""
    known = len(path) - 1
    while (index := find_section(note, path[:known], compat=compat)) is None:
        known -= 1
    if len(path) > _DEEPEST:
        raise PatchError(f"a heading cannot be {len(path)} levels deep", reason="invalid-target", hint="Markdown has six")
    if any(not name.strip() or _BREAK.search(name) for name in path[known:]):
        raise PatchError("a new heading needs a text of one line", reason="invalid-target")
    end = note.sections[index].end
    head = note.text[:end]
    if not head.endswith(("\n", "\r")):
        head += note.newline
    lines = "".join(f"{'#' * (depth + 1)} {name}{note.newline}" for depth, name in enumerate(path) if depth >= known)
    return head + _put(note, lines, content, end)


# ── blocks ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _block(note: Outline, patch: Patch1, *, compat: bool) -> str:
    name = patch.target if isinstance(patch.target, str) else "".join(patch.target or ())
    mark = find_mark(note, name, compat=compat)
    if mark is None or not mark.whole:
        if patch.create and mark is None and patch.content_type == MARKDOWN:
            gap = note.newline if not note.text or note.text.endswith(("\n", "\r")) else note.newline * 2
            return f"{note.text}{gap}{_text_content(note, patch)}{note.newline * 2}^{_new_id(name)}"
        raise missing_block(note, name, rest_code=40080, reason="invalid-target")
    if patch.content_type == JSON:
        if mark.inline or patch.scope != "content":
            raise PatchError(
                "rows can only be put into a table", reason="content-type-invalid-for-target", hint="send the text as text/markdown"
            )
        return structures.row_splice(note, mark.element, patch.operation, patch.content).applied(note.text)
    content = _text_content(note, patch)
    start, end = _block_range(note, mark, patch.scope)
    _check_new(note, patch, content, start, end)
    if patch.scope == "content" and not patch.trim and (not mark.inline or mark.element.kind == "quote"):
        found = structures.splice(note, mark.element._replace(end=mark.content_end), patch.operation, content)
        if found is not None:
            return found.applied(note.text)
    text = note.text
    match patch.operation:
        case "replace":
            return text[:start] + content + text[end:]
        case "prepend":
            return text[:start] + content + (text[start:].lstrip() if patch.trim else text[start:])
        case _:
            return (text[:end].rstrip() if patch.trim else text[:end]) + content + text[end:]


def _block_range(note: Outline, mark: Mark, scope: str) -> tuple[int, int]:
    # A table that a lone id names counts with its last line end, everything else without.
    wide = mark.element.kind == "table" and not mark.inline
    end = past_line(note.text, mark.content_end) if wide else mark.content_end
    if scope == "marker":
        return mark.start, mark.end
    return mark.content_start, end if scope == "content" else mark.end


def _new_id(name: str) -> str:
    if not _ID.fullmatch(name):
        raise PatchError(f"{name!r} cannot be a block id", reason="invalid-target", hint="letters, digits, - and _ only")
    return name


# ── properties ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _property(text: str, patch: Patch1) -> str:
    name = patch.target if isinstance(patch.target, str) else "".join(patch.target or ())
    values = properties.read(text)
    new: Value = patch.content
    if name not in values and not patch.create:
        raise PatchTargetError(
            f"there is no property {name!r}", rest_code=40080, reason="invalid-target", hint="names are literal, and not looked up in maps"
        )
    if patch.operation != "replace":
        old = values[name] if name in values else properties.empty_like(new)
        new = properties.merged(old, new, patch.operation)
    return properties.set_exactly(text, {name: new})


# ── shared ───────────────────────────────────────────────────────────────────────────────────────────────────────────

_DEEPEST: Final = 6
_BREAK: Final = re.compile(r"\r\n|\n|\r")
_ID: Final = re.compile(r"[A-Za-z0-9_-]+")


def _text_content(note: Outline, patch: Patch1) -> str:
    if patch.content_type == JSON:
        raise PatchError("a heading takes text", reason="content-type-invalid-for-target", hint="send it as text/markdown")
    if not isinstance(patch.content, str):
        raise PatchError("the content must be text", reason="content-type-invalid", hint="send it as text/markdown")
    return _BREAK.sub(note.newline, patch.content)


def _check_new(note: Outline, patch: Patch1, content: str, start: int, end: int) -> None:
    if patch.reject_preexisting and content.strip() in note.text[start:end]:
        raise PatchConflictError(
            "the content stands there already",
            rest_code=40080,
            reason="content-already-preexists-in-target",
            hint="leave it, or ask for it to be applied all the same",
        )
