"""Notes that treat more than one topic, and where to cut them (memory.md M40). Pure.

    body ──▶ parts: the sections of its highest heading level, else its paragraphs ──likeness of parts──▶ groups

A note is cut only where its parts fall into two groups or more that are each of one piece, and far from each other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from vaultkit.dream.partition import Matrix
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
    """A cut, or None: the run of parts that is most unlike the rest, when both are of one piece. What is scattered over a note is not cut out.

    *together*: the parts of one topic are at least so alike on average; *apart*: those of two topics less than that.
    """
    size = len(parts)
    if size < 2 * _FEWEST:
        return None
    best: tuple[float, int, int] | None = None
    for start in range(size):
        for end in range(start + _FEWEST, size + 1):
            rest = size - (end - start)
            if rest < max(_FEWEST, end - start) or (rest == end - start and start == 0):
                continue  # the smaller part leaves; of two equal ones the second
            inside = range(start, end)
            outside = [*range(start), *range(end, size)]
            gap = min(_within(likeness, inside), _within(likeness, outside)) - _between(likeness, inside, outside)
            if best is None or gap > best[0]:
                best = (gap, start, end)
    if best is None:
        return None
    _, start, end = best
    inside, outside = range(start, end), [*range(start), *range(end, size)]
    between = _between(likeness, inside, outside)
    within = min(_within(likeness, inside), _within(likeness, outside))
    if between >= apart or within < together or within - between < _GAP:
        return None
    cohesion = _within(likeness, range(size))
    return Split(path, tuple(parts[start:end]), round(cohesion, 4), round(within, 4), round(between, 4))


def texts_of(text: str, parts: Sequence[Part], clean: Callable[[str], str] = str.strip) -> list[str]:
    """What is embedded of each part."""
    return [clean(text[part.start : part.end]) for part in parts]


_FEWEST: Final = 2
_GAP: Final = 0.18  # measured: notes of one topic reach .06, those of two lie at .2 to .4
_APPENDIX: Final = frozenset({"related", "sources", "see also", "references", "links", "関連", "参考", "出典", "参考文献"})
_PARAGRAPH: Final = re.compile(r"[^\s][^\n]*(?:\n[^\S\n]*[^\s\n][^\n]*)*")


def _within(likeness: Matrix, group: Sequence[int]) -> float:
    return _mean([likeness[left][right] for left in group for right in group if left < right])


def _between(likeness: Matrix, one: Sequence[int], other: Sequence[int]) -> float:
    return _mean([likeness[left][right] for left in one for right in other])


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0
