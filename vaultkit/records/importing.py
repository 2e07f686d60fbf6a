"""An append-only log of decisions taken apart, every byte accounted for (memory.md M28). Pure.

An entry begins where a heading begins with an id (a date, a number or brackets may stand before it) and ends at the next heading of its level or
a higher one. Deeper headings begin an entry only where that id has no other. What belongs to no entry is kept as the rest.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from operator import attrgetter
from typing import Final, NamedTuple

from vaultkit.records.draft import NEEDED, PARTS, Draft, parse_draft, status_in
from vaultkit.records.notes import Names, create
from vaultkit.text import frontmatter
from vaultkit.text.edit import Create, to_bytes
from vaultkit.text.ids import KINDS, RecordId, highest, numbers_in
from vaultkit.text.markdown import Heading, scan
from vaultkit.text.values import Value


class Piece(NamedTuple):
    """A part of the log, as it stands there. *record* None: it belongs to no entry."""

    record: RecordId | None
    text: str
    line: int
    title: str = ""
    date: str = ""


class Entry(NamedTuple):
    """What became of an entry. *given* differs from *record* where that id was taken."""

    record: RecordId
    given: RecordId
    title: str
    path: str
    line: int


class Repeated(NamedTuple):
    """An id that stands there again. *given* None: word for word the same."""

    record: RecordId
    line: int
    given: RecordId | None


class Import(NamedTuple):
    """What to write and what to tell. The four counts of bytes add up to those of the log."""

    edits: tuple[Create, ...]
    entries: tuple[Entry, ...]
    already: tuple[RecordId, ...]
    duplicates: tuple[Repeated, ...]
    gaps: tuple[RecordId, ...]
    rest: str  # path of the note that keeps what belongs to no entry, "" for none
    size: int
    in_records: int
    in_rest: int
    in_vault: int


def split(text: str) -> list[Piece]:
    """The pieces of a log, in order; together they are the log."""
    block = frontmatter.find_block(text)
    body = block.end if block else 0
    found = scan(text, body=body)
    starts = _entries(text, body, found.headings, found.code) or _lines(text, body, found.code)
    ends = _ends(starts, found.headings, len(text))
    pieces: list[Piece] = []
    at, line = 0, 1
    for (start, _, record, title), end in zip(starts, ends, strict=True):
        for here, there, named in ((at, start, None), (start, end, record)):
            if here < there:
                said = text[here:there]
                pieces.append(Piece(named, said, line, title, _date_in(said)) if named else Piece(None, said, line))
                line += said.count("\n")
        at = end
    if at < len(text):
        pieces.append(Piece(None, text[at:], line))
    return _without_blanks(pieces)


def plan(
    pieces: Sequence[Piece], *, known: Mapping[RecordId, str], marks: Mapping[str, int], day: date, names: Names, scope: str, rest_path: str
) -> Import:
    """The notes of a log. *known*: the bodies of records that stand in the vault; *marks*: the highest number of each kind so far."""
    mentioned = [piece.record for piece in pieces if piece.record is not None]
    last = {kind: max(marks.get(kind, 0), highest(mentioned, kind)) for kind in PARTS}
    edits: list[Create] = []
    entries: list[Entry] = []
    already: list[RecordId] = []
    duplicates: list[Repeated] = []
    seen: dict[RecordId, set[str]] = {}
    rest: list[str] = []
    in_vault = in_records = 0
    for piece in pieces:
        record = piece.record
        if record is None:
            rest.append(piece.text)
            continue
        size = len(to_bytes(piece.text))
        if record in known and piece.text.strip() in known[record]:
            already.append(record)
            in_vault += size
            continue
        if piece.text.strip() in seen.get(record, ()):
            duplicates.append(Repeated(record, piece.line, None))
            rest.append(piece.text)
            continue
        given = record
        if record in known or record in seen:
            last[record.kind] += 1
            given = RecordId(record.kind, last[record.kind])
            duplicates.append(Repeated(record, piece.line, given))
        seen.setdefault(record, set()).add(piece.text.strip())
        edit = _note(piece, record, given, day=day, names=names, scope=scope)
        edits.append(edit)
        entries.append(Entry(record, given, piece.title, edit.path, piece.line))
        in_records += size
    left = "".join(rest)
    if left:
        edits.append(Create(rest_path, to_bytes(_rest(rest_path, left, day))))
    return Import(
        tuple(edits),
        tuple(entries),
        tuple(already),
        tuple(duplicates),
        tuple(_gaps({*mentioned, *known}, mentioned)),
        rest_path if left else "",
        sum(len(to_bytes(piece.text)) for piece in pieces),
        in_records,
        len(to_bytes(left)),
        in_vault,
    )


def _note(piece: Piece, record: RecordId, given: RecordId, *, day: date, names: Names, scope: str) -> Create:
    draft = parse_draft(piece.text, record.kind)
    successor = _SUCCESSOR.search(piece.text)
    by = numbers_in(successor[0])[0] if successor else None
    status = "retired" if by and by != record else status_in(piece.text)
    more: dict[str, Value] = {"superseded_by": f"[[{by}]]"} if by and by != record else {}
    if given != record:
        more["imported_as"] = str(record)
    parts = dict(draft.parts)
    if set(parts) <= {NEEDED[record.kind]}:  # no headings of its own: what stands below its heading
        parts[NEEDED[record.kind]] = piece.text.strip().partition("\n")[2].strip() or piece.title
    own = Draft(record.kind, parts, draft.options, piece.title, draft.scope or scope, status, piece.date, body=piece.text)
    return create(own, given, day=_day(piece.date) or day, names=names, more=more)


def _rest(path: str, text: str, day: date) -> str:
    head: dict[str, Value] = {
        "title": f"Rest of {path.rpartition('/')[2].removesuffix('-rest.md').removesuffix('.md')}",
        "description": "What an imported log held beside its records.",
        "date": day.isoformat(),
        "type": "knowledge",
        "status": "processed",
    }
    return frontmatter.render(head) + text


def _gaps(present: Collection[RecordId], listed: Collection[RecordId]) -> list[RecordId]:
    """Numbers that stand nowhere, though a higher one stands in the log."""
    return [missing for kind in PARTS for number in range(1, highest(listed, kind)) if (missing := RecordId(kind, number)) not in present]


_Start = tuple[int, int, RecordId, str]  # offset, level of its heading, id, title


def _entries(text: str, body: int, headings: Sequence[Heading], code: Sequence[tuple[int, int]]) -> list[_Start]:
    lines = [(heading.start, heading.level, heading.text) for heading in headings]
    known = {start for start, _, _ in lines}
    lines += [  # `##DEC-036` is no heading, and was meant as one
        (loose.start(), len(loose[1]), loose[2])
        for loose in _NO_SPACE.finditer(text, body)
        if loose.start() not in known and not any(start <= loose.start() < end for start, end in code)
    ]
    found = [(start, level, *_named(said)) for start, level, said in sorted(lines)]
    entries: list[_Start] = [(start, level, record, title) for start, level, record, title in found if record is not None]
    if not entries:
        return []
    counts = Counter(level for _, level, _, _ in entries)
    main = min(counts, key=lambda level: (-counts[level], level))
    proper = {record for _, level, record, _ in entries if level <= main}
    return [entry for entry in entries if entry[1] <= main or entry[2] not in proper]


def _lines(text: str, body: int, code: Sequence[tuple[int, int]]) -> list[_Start]:
    """A log without headings: an entry is a line, or a top-level list item, that begins with an id."""
    return [
        (line.start(), 7, RecordId(KINDS[line[1]], int(line[2])), _clean(line[3]))
        for line in _ENTRY_LINE.finditer(text, body)
        if not any(start <= line.start() < end for start, end in code)
    ]


def _ends(starts: Sequence[_Start], headings: Sequence[Heading], size: int) -> list[int]:
    ends = []
    for at, (start, level, _, _) in enumerate(starts):
        following = starts[at + 1][0] if at + 1 < len(starts) else size
        later = bisect_right(headings, start, key=attrgetter("start"))
        higher = next((headings[place].start for place in range(later, len(headings)) if headings[place].level <= level), size)
        ends.append(min(following, higher))
    return ends


def _without_blanks(pieces: Sequence[Piece]) -> list[Piece]:
    """Blank lines between entries belong to the one before them."""
    result: list[Piece] = []
    for piece in pieces:
        if piece.record is None and not piece.text.strip() and result:
            result[-1] = result[-1]._replace(text=result[-1].text + piece.text)
        else:
            result.append(piece)
    return result


def _named(heading: str) -> tuple[RecordId | None, str]:
    found = _HEADED.match(heading)
    if found is None:
        return None, ""
    return RecordId(KINDS[found[1]], int(found[2])), _clean(f"{heading[found.end() :]}")


def _clean(text: str) -> str:
    """A title without the date, brackets and marks around it."""
    text = _DATED.sub("", text.strip().strip("*_"))
    text = _EMPTY.sub("", text)
    return " ".join(text.replace("]]", " ").strip(" \t*_:：-–—|・,、.").split())


def _date_in(text: str) -> str:
    """The day that an entry names: in its heading, else in a line that says so."""
    first = text.lstrip("\n").partition("\n")[0]
    labelled = _DATE_LINE.search(text)
    for found in (_DATED.search(first), _DATED.search(labelled[0]) if labelled else None):
        if found and (day := _day(f"{int(found[1]):04}-{int(found[2]):02}-{int(found[3]):02}")):
            return day.isoformat()
    return ""


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


_ID: Final = rf"({'|'.join(KINDS)})-(\d{{1,6}})(?![A-Za-z0-9_])"
_BEFORE: Final = r"[\s\[\]【】（）()*_:：.\-–—/#0-9年月日]*"
_HEADED: Final = re.compile(rf"{_BEFORE}?{_ID}")
_NO_SPACE: Final = re.compile(rf"^(#{{1,6}})({_ID}[^\n]*)$", re.MULTILINE)
_ENTRY_LINE: Final = re.compile(rf"^(?:[-*+] +|\d+\. +)?[*_\[【]*{_ID}([^\n]*)", re.MULTILINE)
_DATED: Final = re.compile(r"(?<!\d)(\d{4})[-/.年]\s?(\d{1,2})[-/.月]\s?(\d{1,2})(?!\d)日?")
_DATE_LINE: Final = re.compile(r"^[ \t>*_-]*(?:date|decided|日付|決定日|日時)[*_]*[ \t]*[:：][^\n]*$", re.IGNORECASE | re.MULTILINE)
_EMPTY: Final = re.compile(r"[(（\[【]\s*[)）\]】]")
_SUCCESSOR: Final = re.compile(
    rf"superseded by[ \t:]*\[*{_ID}|(?<![A-Za-z0-9]){_ID}\]*\s?(?:に|により|によって|で)(?:置き換え|置換|上書き|差し替え)", re.IGNORECASE
)
