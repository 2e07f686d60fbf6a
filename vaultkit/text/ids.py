"""Ids of records: `DEC-018`, `FAIL-007`, `IDEA-003`, `PROP-012`, `SESS-2026-08-01-e3c5a33d`. The file name is the address. Pure.

A bare id in a note's text leads to its record, as a link would (memory.md M28). Not in code, comments, tags, addresses or other links.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

PREFIXES: Final[Mapping[str, str]] = {"decision": "DEC", "failure": "FAIL", "idea": "IDEA", "proposal": "PROP"}
KINDS: Final[Mapping[str, str]] = {prefix: kind for kind, prefix in PREFIXES.items()}


class RecordId(NamedTuple):
    """A numbered record. Written with three digits at least."""

    kind: str
    number: int

    def __str__(self) -> str:
        """`DEC-018`."""
        return f"{PREFIXES[self.kind]}-{self.number:03}"


def parse_id(word: str) -> RecordId | None:
    """The id that *word* is, in any case; None for anything else. `dec-18` and `DEC-018` are one id."""
    found = _NUMBERED.fullmatch(word.strip())
    return RecordId(KINDS[found[1].upper()], int(found[2])) if found else None


def id_of_path(path: str) -> RecordId | None:
    """The id that a note's file name is."""
    return parse_id(path.rpartition("/")[2].removesuffix(".md"))


def is_record_name(stem: str) -> bool:
    """Is that file name (without `.md`) the address of a record, sessions included?"""
    return _MENTION.fullmatch(stem) is not None


def highest(ids: Iterable[RecordId], kind: str) -> int:
    """The highest number of a kind; 0 for none."""
    return max((found.number for found in ids if found.kind == kind), default=0)


def mentions(text: str, start: int, taken: Sequence[tuple[int, int]]) -> Iterator[tuple[str, int, int]]:
    """Bare ids in *text* from *start* on, with their offsets; those inside the spans *taken* (sorted or not) are none."""
    if not any(mark in text for mark in _MARKS):
        return
    spans = sorted([*taken, *(found.span() for found in _ELSEWHERE.finditer(text, start))])
    starts = [span[0] for span in spans]
    ends: list[int] = []
    for span in spans:
        ends.append(max(span[1], ends[-1] if ends else 0))
    for found in _MENTION.finditer(text, start):
        before = bisect_right(starts, found.start()) - 1
        if before < 0 or ends[before] <= found.start():
            yield found[0], *found.span()


def numbers_in(text: str) -> list[RecordId]:
    """Every numbered id that is written anywhere in *text*, links included, in order."""
    return [RecordId(KINDS[found[1]], int(found[2])) for found in _WRITTEN.finditer(text)]


_MARKS: Final = (*(f"{prefix}-" for prefix in KINDS), "SESS-")
_PREFIX: Final = "|".join(KINDS)
_NUMBERED: Final = re.compile(rf"({_PREFIX})-(\d{{1,6}})", re.IGNORECASE)
# ASCII edges: a Japanese particle may follow at once, and is a word character for `\b`.
_WRITTEN: Final = re.compile(rf"(?<![A-Za-z0-9_-])({_PREFIX})-(\d{{1,6}})(?![A-Za-z0-9_-])")
_MENTION: Final = re.compile(
    rf"(?<![A-Za-z0-9_/#^.@&=-])(?:(?:{_PREFIX})-\d{{3,6}}|SESS-\d{{4}}-\d\d-\d\d-[0-9a-f]{{8}})(?![A-Za-z0-9_/@-]|\.[A-Za-z0-9])"
)
# Addresses, and links with a text: an id there is a part of them.
_ELSEWHERE: Final = re.compile(
    r"(?<![a-zA-Z0-9+.-])[a-zA-Z][a-zA-Z0-9+.-]{0,30}://[^\s<>]+|\[[^\[\]\n]*\](?:\([^()\n]*\)|\[[^\[\]\n]*\])|\[\[[^\[\]\n]*\]\]|<[^<>\n]+>"
)

__all__ = ["KINDS", "PREFIXES", "RecordId", "highest", "id_of_path", "is_record_name", "mentions", "numbers_in", "parse_id"]
