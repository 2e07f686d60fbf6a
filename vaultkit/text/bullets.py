"""List files bullet by bullet: every whole bullet at any indent, with the day that it stands under. Pure.

A note of 2,000 bullets is one document to the note index, and what its last bullet says drowns in it. So the bullets of list-like notes are
entries of their own. Cutting them short is no option: 28 characters lost three quarters of the keywords of real lists (memory.md M15);
`lengths` checks that assumption on the vault at hand.

An entry's day is that of the nearest thing above it that names one: its own beginning (`- 2026-11-30 …`), the bullet it stands under, its
heading, the headings above that, the note (a daily note's name, a session's date).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date
from itertools import islice
from typing import Final, Literal, NamedTuple

from vaultkit.text import markdown
from vaultkit.text.markdown import Bullet, Heading
from vaultkit.text.note import Note
from vaultkit.text.passages import tokens_at_most
from vaultkit.text.tokens import index_tokens

Part = Literal["nothing", "bullets", "everything"]

DATED: Final = frozenset({"daily", "session", "episode"})  # kinds of which every bullet and paragraph happened on some day
TRAIL: Final = " › "  # between the headings above an entry
LIST_LIKE: Final = 5  # bullets: fewer are found by their note as well


class Entry(NamedTuple):
    """A bullet with its continuation lines, or a paragraph of a dated note. Lines are 1-based in the file, *end_line* included."""

    path: str
    line: int
    end_line: int
    text: str
    heading: str  # the headings above it, outermost first, with TRAIL between
    day: date | None


class Lengths(NamedTuple):
    """How long bullets are, and which share of their keywords would be left if they were cut."""

    bullets: int
    median: int
    p90: int
    longest: int
    kept_at_28: float
    kept_at_150: float
    kept_whole: float  # of what is indexed: 1 while bullets are not cut


def part_of(kind: str, text: str, *, body: int = 0) -> Part:
    """What of a note becomes entries; a cheap test, for most notes are no lists. *body*: where the frontmatter ends."""
    if kind in DATED:
        return "everything"
    if kind == "template" or (sum(map(text.count, ("- ", "* ", "+ "))) < LIST_LIKE and "1. " not in text and "1) " not in text):
        return "nothing"
    marks = _MARKER.finditer(text, body)
    return "bullets" if sum(1 for _ in islice(marks, LIST_LIKE)) == LIST_LIKE else "nothing"


def bullet_entries(note: Note, text: str, *, part: Part = "bullets", day: date | None = None) -> list[Entry]:
    """The entries of a note, in order. *text* is the whole file's; *day* is the note's own, where it has one."""
    if part == "nothing":
        return []
    scanned = markdown.scan(text, body=note.body)
    under = _days(scanned.headings, day)
    trails = _trails(scanned.headings)
    days: list[date | None] = []
    entries = []
    for bullet in scanned.bullets:
        above = days[bullet.parent] if bullet.parent >= 0 else under[bullet.heading]
        days.append(_own_day(bullet.text) or above)
        if bullet.text:
            entries.append(Entry(note.path, bullet.line, bullet.end_line, bullet.text, trails[bullet.heading], days[-1]))
    if part == "everything":
        entries += _paragraphs(note, text, scanned.headings, scanned.bullets, under, trails)
        entries.sort(key=lambda entry: entry.line)
    return entries


def heading_day(text: str, near: date | None = None, *, year: int | None = None) -> date | None:
    """The day that a heading names: `2026-11-30 (Mon)`, `Nov 30, 2026`, `2026年11月30日`; without a year that of *year*, else closest to *near*."""
    for pattern in _WITH_YEAR:
        if found := pattern.search(text):
            return _day(found["y"], found["m"], found["d"])
    years = (year,) if year else (near.year - 1, near.year, near.year + 1) if near else ()
    for pattern in _WITHOUT_YEAR if years else ():
        if found := pattern.search(text):
            days = [day for each in years if (day := _day(str(each), found["m"], found["d"]))]
            return min(days, key=lambda day: abs(day - near) if near else day - day, default=None)
    return None


def around(text: str, line: int, end_line: int, *, context: int = 2) -> str:
    """The lines of an entry with *context* lines on each side: what is handed on in place of the file."""
    lines = _LINE_END.split(text)
    return "\n".join(lines[max(0, line - 1 - context) : end_line + context]).strip("\n")


def saved(handed_on: Iterable[str], files: Iterable[str]) -> float:
    """The share of tokens that is spared when *handed_on* (of `around`) is read in place of the whole *files*."""
    whole = sum(map(tokens_at_most, files))
    return max(0.0, 1 - sum(map(tokens_at_most, handed_on)) / whole) if whole else 0.0


def lengths(bullets: Iterable[str]) -> Lengths:
    """Bullet lengths of a vault, for `health`."""
    texts = [text for text in bullets if text]
    if not texts:
        return Lengths(0, 0, 0, 0, 1.0, 1.0, 1.0)
    sizes = sorted(map(len, texts))
    return Lengths(
        len(texts),
        sizes[len(sizes) // 2],
        sizes[min(len(sizes) - 1, len(sizes) * 9 // 10)],
        sizes[-1],
        _kept(texts, 28),
        _kept(texts, 150),
        1.0,
    )


# -- days --------------------------------------------------------------------------------------------------------------

_MONTHS: Final = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december")
_NAMES: Final = "|".join(f"{name[:3]}(?:{name[3:]})?" if len(name) > 3 else name for name in _MONTHS)
_YEAR: Final = r"(?<!\d)(?P<y>(?:19|20)\d\d)"
_ISO: Final = re.compile(_YEAR + r"(?P<s>[-/._])(?P<m>\d{1,2})(?P=s)(?P<d>\d{1,2})(?!\d)")
_KANJI: Final = re.compile(_YEAR + r"\s*年\s*(?P<m>\d{1,2})\s*月\s*(?P<d>\d{1,2})\s*日")
_WITH_YEAR: Final = (
    _ISO,
    _KANJI,
    re.compile(rf"\b(?P<m>{_NAMES})\.?\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y>(?:19|20)\d\d)\b", re.IGNORECASE),
    re.compile(rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\.?\s+(?P<m>{_NAMES})\.?,?\s+(?P<y>(?:19|20)\d\d)\b", re.IGNORECASE),
)
_WITHOUT_YEAR: Final = (
    re.compile(r"(?<!\d)(?P<m>\d{1,2})\s*月\s*(?P<d>\d{1,2})\s*日"),
    re.compile(rf"\b(?P<m>{_NAMES})\.?\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\b(?!\s*[-/.:]?\d)", re.IGNORECASE),
    re.compile(rf"(?<!\d)(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\.?\s+(?P<m>{_NAMES})\b", re.IGNORECASE),
    re.compile(r"(?<![\d/.-])(?P<m>\d{1,2})/(?P<d>\d{1,2})(?![\d/-])"),
)
_YEAR_ALONE: Final = re.compile(_YEAR + r"(?!\d)")
_BEFORE_DAY: Final = re.compile(r"[\s*_`\[(〔【「]*")


def _day(year: str, month: str, day: str) -> date | None:
    try:
        number = int(month) if month.isdecimal() else 1 + [name[:3] for name in _MONTHS].index(month[:3].lower())
        return date(int(year), number, int(day))
    except ValueError:  # 31 February, a 13th month
        return None


def _own_day(text: str) -> date | None:
    """The day that a bullet begins with."""
    start = _BEFORE_DAY.match(text)
    at = start.end() if start else 0
    found = _ISO.match(text, at) or _KANJI.match(text, at)
    return _day(found["y"], found["m"], found["d"]) if found else None


def _days(headings: Sequence[Heading], day: date | None) -> list[date | None]:
    """The day under each heading; the last one is that of what stands under none (index -1)."""
    days: list[date | None] = []
    above: list[tuple[int, date | None, int | None]] = []
    for heading in headings:
        while above and above[-1][0] >= heading.level:
            above.pop()
        _, outer, year = above[-1] if above else (0, day, None)
        own = heading_day(heading.text, outer, year=year)
        if own is None and (found := _YEAR_ALONE.search(heading.text)):
            year = int(found["y"])  # `# 2026`, `# November 2026`
        days.append(own or outer)
        above.append((heading.level, days[-1], None if own else year))
    return [*days, day]


def _trails(headings: Sequence[Heading]) -> list[str]:
    """The headings above each heading and itself, joined; the last one is empty, for what stands under none."""
    trails: list[str] = []
    above: list[tuple[int, str]] = []
    for heading in headings:
        while above and above[-1][0] >= heading.level:
            above.pop()
        trail = f"{above[-1][1]}{TRAIL}{heading.text}" if above else heading.text
        trails.append(trail)
        above.append((heading.level, trail))
    return [*trails, ""]


# -- paragraphs --------------------------------------------------------------------------------------------------------

_LINE_END: Final = re.compile(r"\r\n|\n|\r")
_MARKER: Final = re.compile(r"^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+\S", re.MULTILINE)


def _paragraphs(
    note: Note, text: str, headings: Sequence[Heading], bullets: Sequence[Bullet], days: Sequence[date | None], trails: Sequence[str]
) -> list[Entry]:
    """What stands between blank lines and is neither heading nor bullet."""
    taken = {line for bullet in bullets for line in range(bullet.line, bullet.end_line + 1)}
    for heading in headings:
        ends = _LINE_END.findall(text, heading.start, heading.body)
        taken.update(range(heading.line, heading.line + max(1, len(ends))))
    entries: list[Entry] = []
    block: list[str] = []
    at = len(_LINE_END.findall(text, 0, note.body)) + 1
    section = -1
    for number, line in enumerate([*_LINE_END.split(text[note.body :]), ""], at):
        if line.strip() and number not in taken:
            block.append(line.strip())
            continue
        if block:
            entries.append(Entry(note.path, number - len(block), number - 1, "\n".join(block), trails[section], days[section]))
            block = []
        while section + 1 < len(headings) and headings[section + 1].line <= number:
            section += 1
    return entries


def _kept(texts: Sequence[str], size: int) -> float:
    whole = kept = 0
    for text in texts:
        words = set(index_tokens(text))
        whole += len(words)
        kept += len(words) if len(text) <= size else len(words.intersection(index_tokens(text[:size])))
    return kept / whole if whole else 1.0
