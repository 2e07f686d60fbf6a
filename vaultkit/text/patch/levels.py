"""Heading levels counted from a target: how text is read at a scope, and how it is written there."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from vaultkit.text.patch.outline import Outline, Section, outline

_DEEPEST: Final = 6
_BREAK: Final = re.compile(r"(?:\r\n|\n|\r)+")


class Shifted(NamedTuple):
    """Text with its headings moved; *overflow* are those that are now deeper than Markdown's six levels, by their texts."""

    text: str
    overflow: tuple[str, ...]


def read(note: Outline, start: int, end: int, base: int) -> str:
    """`text[start:end]` with every heading *base* levels higher."""
    inside = [section for section in note.sections[1:] if start <= section.start < end]
    return _moved(note.text, start, end, inside, -base).text


def written(content: str, base: int) -> Shifted:
    """*content* with every heading *base* levels deeper. Its `---` at the start is a rule, no properties."""
    if not base:
        return Shifted(content, ())
    guard = "\n"  # what follows is not the first line: no properties block
    note = outline(guard + content)
    return _moved(note.text, len(guard), len(note.text), list(note.sections[1:]), base)


def _moved(text: str, start: int, end: int, sections: list[Section], by: int) -> Shifted:
    out: list[str] = []
    overflow: list[str] = []
    at = start
    for section in sections if by else ():
        out.append(text[at : section.start])
        level = section.level + by
        out.append(_line(text, section, level))
        if level > _DEEPEST:
            overflow.append(section.text)
        at = section.body
    out.append(text[at:end])
    return Shifted("".join(out), tuple(overflow))


def _line(text: str, section: Section, level: int) -> str:
    """The heading's lines at another level; one that is underlined stays so while its level has an underline."""
    line = text[section.start : section.body]
    if not section.setext:
        marks = line.index("#")
        return line[:marks] + "#" * level + line[marks + section.level :]
    if level in {1, 2}:
        head = text[section.start : section.text_end]
        return head + line[len(head) :].translate({ord("="): "=-"[level - 1], ord("-"): "=-"[level - 1]})
    return "#" * level + " " + _BREAK.sub(" ", section.text) + line[len(line.rstrip("\r\n")) :]
