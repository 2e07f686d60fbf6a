"""Notes that treat more than one topic, and where to cut them (memory.md M40). Pure.

    body ──▶ parts: the sections of its highest heading level, else its paragraphs ──likeness of parts──▶ groups

A note is cut only where its parts fall into two groups or more that are each of one piece, and far from each other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from vaultkit.dream.partition import Matrix, partition
from vaultkit.text.markdown import scan


class Part(NamedTuple):
    """A stretch of a note that belongs together. *heading* is "" for a paragraph."""

    start: int
    end: int
    heading: str


class Split(NamedTuple):
    """A proposal: *moved* are the parts that leave for a note of their own. *cohesion* is the mean likeness of all parts, *apart* that between the groups."""

    path: str
    moved: tuple[Part, ...]
    cohesion: float
    within: float
    apart: float


def parts_of(text: str, body: int, *, least: int = 60) -> list[Part]:
    """The parts of a note that can stand alone; short ones are joined to what stands before them."""
    headings = [heading for heading in scan(text, body=body).headings if heading.level > 1]
    top = min((heading.level for heading in headings), default=0)
    sections = [heading for heading in headings if heading.level == top]
    if len(sections) >= _FEWEST:
        kept = [section for section in sections if section.text.strip().casefold() not in _APPENDIX]
        return [
            Part(section.start, section.section_end, section.text.strip())
            for section in kept
            if section.section_end - section.start >= least
        ]
    found: list[Part] = []
    for match in _PARAGRAPH.finditer(text, body):
        if match[0].lstrip().startswith(("#", "```", "---", "|")):
            continue
        if found and match.end() - match.start() < least:
            found[-1] = found[-1]._replace(end=match.end())
        else:
            found.append(Part(match.start(), match.end(), ""))
    return found


def split(path: str, parts: Sequence[Part], likeness: Matrix, *, together: float, apart: float) -> Split | None:
    """A cut, or None. *together*: parts of one topic are at least so alike; *apart*: the groups must be below that to each other."""
    size = len(parts)
    if size < 2 * _FEWEST:
        return None
    groups = [group for group in partition(likeness, at_least=together, most=size) if len(group) >= _FEWEST]
    if len(groups) < 2 or sum(map(len, groups)) < size - 1:
        return None
    groups.sort(key=lambda group: (-len(group), group))
    stays, moves = groups[0], groups[1]
    between = _mean([likeness[left][right] for left in stays for right in moves])
    if between >= apart or not _is_run(moves):
        return None
    cohesion = _mean([likeness[left][right] for left in range(size) for right in range(left + 1, size)])
    within = _mean([likeness[left][right] for group in (stays, moves) for left in group for right in group if left < right])
    return Split(path, tuple(parts[index] for index in moves), round(cohesion, 4), round(within, 4), round(between, 4))


def texts_of(text: str, parts: Sequence[Part], clean: Callable[[str], str] = str.strip) -> list[str]:
    """What is embedded of each part."""
    return [clean(text[part.start : part.end]) for part in parts]


_FEWEST: Final = 2
_APPENDIX: Final = frozenset({"related", "sources", "see also", "references", "links", "関連", "参考", "出典", "参考文献"})
_PARAGRAPH: Final = re.compile(r"[^\s][^\n]*(?:\n[^\S\n]*[^\s\n][^\n]*)*")


def _is_run(group: Sequence[int]) -> bool:
    """Do the parts stand one after the other? What is scattered over a note is not cut out of it."""
    return group[-1] - group[0] == len(group) - 1


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0
