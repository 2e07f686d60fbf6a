"""Putting text into a note so that nothing around it changes its meaning: blank lines where blocks would merge, and a check afterwards."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from vaultkit.errors import PatchError
from vaultkit.text import frontmatter
from vaultkit.text.patch.outline import Outline, outline
from vaultkit.text.patch.structures import past_line


class Region(NamedTuple):
    """A stretch of a note and its text within: blank lines at its edges are not the text's. Without text, *core* is empty at *start*."""

    start: int
    core_start: int
    core_end: int
    end: int

    @property
    def empty(self) -> bool:
        """Are there only blank lines?"""
        return self.core_start == self.core_end


def region(text: str, start: int, end: int) -> Region:
    """`text[start:end]` without the blank lines at its edges."""
    first, last = _core(text[start:end])
    return Region(start, start + first, start + last, end)


def trimmed(content: str, newline: str) -> str:
    """*content* in the note's line ends, without blank lines at its edges."""
    first, last = _core(content)
    return _BREAK.sub(newline, content[first:last])


def put(note: Outline, start: int, end: int, new: str, *, literal: bool = False) -> str:
    """The note with `text[start:end]` as *new*; what stands before and after keeps its headings and blocks.

    A blank line is added where a block would merge with its neighbour, but not to *literal* text, of which only headings must keep clear.
    Raises PatchError when the new text would still change what follows (an unclosed fence or comment) or become properties.
    """
    newline = note.newline
    for before, after in (("", ""),) if literal else (("", ""), ("", newline), (newline, ""), (newline, newline)):
        candidate = note.text[:start] + before + new + after + note.text[end:]
        if _is_safe(note, candidate, start, end, literal=literal):
            return candidate
    raise PatchError("the new text would change the blocks around it", hint="is a code fence, a comment or an HTML block in it not closed?")


def inserted(note: Outline, at: int, content: str) -> str:
    """The note with *content* as a block of its own at *at*, the start of a line or the end of the note."""
    text, newline = note.text, note.newline
    before = ""
    if at and text[at - 1] not in "\r\n" and (at > note.root or text[:at].strip("\ufeff")):
        before = newline
    if not _blank_before(note, at):
        before += newline
    rest = text[at:]
    after = newline if not rest.strip() or _starts_blank(rest) else newline * 2
    return put(note, at, at, before + content + after)


def after_text(note: Outline, at: int, end: int, content: str) -> str:
    """The note with *content* as a block of its own after the text that ends at *at*; blank lines up to *end* then follow it."""
    newline = note.newline
    gap = note.text[at:end] or newline
    return put(note, at, end, newline * 2 + content + gap)


def cut(note: Outline, start: int, end: int) -> str:
    """The note without the blocks in `text[start:end]` (whole lines), and without one of the two gaps that then meet."""
    text = note.text
    if not text[end:].strip():
        kept = len(text[:start].rstrip())
        kept = past_line(text, kept) if kept > note.root else max(start, note.root)
        return text[: max(min(kept, start), note.root)]
    while _blank_before(note, start) and (line := _BLANK_LINE.match(text, end)):
        end = line.end()
    return put(note, start, end, "")


_BREAK: Final = re.compile(r"\r\n|\n|\r")
_BLANK_LINE: Final = re.compile(r"[ \t]*(?:\r\n|\n|\r)")


def _core(text: str) -> tuple[int, int]:
    first = 0
    while line := _BLANK_LINE.match(text, first):
        first = line.end()
    if not text[first:].strip(" \t\r\n"):
        return 0, 0
    end = len(text.rstrip(" \t\r\n"))
    line_end = _BREAK.search(text, end)
    return first, line_end.start() if line_end else len(text)


def _blank_before(note: Outline, at: int) -> bool:
    """Is there nothing above *at* that text there could run into: a blank line, a heading, the top?"""
    above = note.text[note.root : at]
    last = above.rstrip("\r\n \t")
    if not last or any(section.body == at for section in note.sections):
        return True
    return len(_BREAK.findall(above[len(last) :])) > 1


def _starts_blank(rest: str) -> bool:
    return _BLANK_LINE.match(rest) is not None


def _is_safe(note: Outline, candidate: str, start: int, end: int, *, literal: bool) -> bool:
    """Are the properties, and the headings and blocks outside `text[start:end]`, what they were?"""
    if frontmatter.find_block(candidate) != frontmatter.find_block(note.text):
        return False
    moved = len(candidate) - len(note.text)
    now = outline(candidate)
    headings = {(section.start, section.level, section.text) for section in now.sections}
    for section in note.sections[1:]:
        if section.body <= start and (section.start, section.level, section.text) not in headings:
            return False
        if section.start >= end and (section.start + moved, section.level, section.text) not in headings:
            return False
    if literal:
        return True
    above = next((found for found in reversed(note.elements) if found.end <= start), None)
    if above is not None and not any(
        (found.start == above.start and (found.end == above.end or found.kind in _OPEN))
        or (found.start < above.start < found.end and found.kind in _OPEN)
        for found in now.elements
    ):
        return False
    below = next((found for found in note.elements if found.start >= end), None)
    place = below.start + moved if below else 0
    return below is None or any(found.start == place or (found.kind in _OPEN and found.start < place < found.end) for found in now.elements)


# Blocks that may take in what stands beside them without harm: a list goes on after a blank line.
_OPEN: Final = frozenset({"list", "quote"})
