"""The generated lists: every decision, every failure, one line each, newest first (memory.md M30). Rebuilt whole. Pure.

The list's own frontmatter holds a hash of its body: when that differs, a person wrote into it, and what they wrote is kept aside in a note.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from typing import Final, NamedTuple

from vaultkit.text import frontmatter
from vaultkit.text.edit import Create, Edit, Rewrite, hash_of, to_bytes
from vaultkit.text.ids import RecordId, highest, numbers_in
from vaultkit.text.values import Value

TITLES: Final = {"decision": "Decisions", "failure": "Failures"}


class Line(NamedTuple):
    """One record of a list. *link* is how a wikilink to it is written."""

    record: RecordId
    link: str
    date: str
    title: str
    status: str
    scope: str
    said: str = ""
    successor: str = ""


class Rebuilt(NamedTuple):
    """What to write: the list, and the note that keeps what was written into it by hand. *told* says what was met."""

    edits: tuple[Edit, ...]
    told: str = ""


def rebuild(
    kind: str, path: str, before: str | None, lines: Sequence[Line], *, today: date, aside: Callable[[str], str], past: int = 0
) -> Rebuilt:
    """The list of *kind* at *path* made anew; *before* is its text now. *aside* gives a free path for a slug.

    A file that vaultkit did not generate is left alone. *past* is the highest number known elsewhere: it never goes down again.
    """
    matter = frontmatter.read(before) if before is not None else None
    known = matter.values if matter is not None and matter.readable else {}
    if before is not None and _MERGED.search(before) and _MARKED.search(before):  # two machines made it anew, and git could not merge them
        keep = aside(f"{path.rpartition('/')[2].removesuffix('.md')}-unmerged")
        fresh = rebuild(kind, path, "", lines, today=today, aside=aside, past=max(past, highest(numbers_in(before), kind)))
        kept = Create(keep, to_bytes(_kept(kind, path, before, body_of(kind, lines), today)))
        again = [replace(edit, expected=hash_of(to_bytes(before))) for edit in fresh.edits if isinstance(edit, Rewrite)]
        return Rebuilt((kept, *again), f"{path} held an unmerged conflict: what stood there is kept in {keep}")
    if before is not None and before.strip() and not isinstance(known.get(_MARK), str):
        return Rebuilt((), f"{path} is not a list that vaultkit made: it is left alone (`vaultkit record import {path}` takes it in)")
    mark = max(past, highest((line.record for line in lines), kind), _mark(known))
    body = body_of(kind, lines)
    changes: dict[str, Value] = {_MARK: _hash(body)}
    if mark:
        changes["highest"] = str(RecordId(kind, mark))
    if before is None or not before.strip():
        head: dict[str, Value] = {
            "title": TITLES[kind],
            "description": f"Every {kind}, newest first. Generated: change the records, not this list.",
            "type": "moc",
            "recall": "never",  # each record speaks for itself; the list would match every question
        }
        data = to_bytes(frontmatter.render(head | changes) + body)
        return Rebuilt((Create(path, data) if before is None else Rewrite(path, data, hash_of(to_bytes(before))),))
    assert matter is not None and matter.block is not None  # noqa: PT018 - it has a mark, so it has a block
    was = before[matter.block.end :]
    edits: list[Edit] = []
    told = ""
    if _hash(was) != known[_MARK]:
        keep = aside(f"{path.rpartition('/')[2].removesuffix('.md')}-edited-by-hand")
        edits.append(Create(keep, to_bytes(_kept(kind, path, was, body, today))))
        told = f"{path} was changed by hand: what was written there is kept in {keep}"
    text = frontmatter.edit(before[: matter.block.end], changes) + body
    if text != before:
        edits.append(Rewrite(path, to_bytes(text), hash_of(to_bytes(before))))
    return Rebuilt(tuple(edits), told)


def body_of(kind: str, lines: Sequence[Line]) -> str:
    """The whole list, newest first."""
    ordered = sorted(lines, key=lambda line: (line.date, line.record.number, line.link), reverse=True)
    return "\n".join([f"# {TITLES[kind]}", "", *map(_shown, ordered), ""])


def _mark(known: dict[str, Value]) -> int:
    found = numbers_in(str(known.get("highest", "")))
    return found[0].number if found else 0


def marked(text: str, kind: str) -> int:
    """The highest number that a generated list remembers."""
    values = frontmatter.read(text).values
    found = [one for one in numbers_in(str(values.get("highest", ""))) if one.kind == kind]
    return found[0].number if found else 0


_MARK: Final = "generated"
_MARKED: Final = re.compile(r"^generated: ", re.MULTILINE)
_MERGED: Final = re.compile(r"^<{7}[ \r\n]", re.MULTILINE)


def _hash(body: str) -> str:
    return hashlib.sha256(to_bytes(body.replace("\r\n", "\n").strip())).hexdigest()[:16]


def _shown(line: Line) -> str:
    state = f"superseded by [[{line.successor}]]" if line.successor else line.status
    parts = [f"- {line.date} [[{line.link}]] {_flat(line.title)}", _flat(line.said), state, _flat(line.scope)]
    return " · ".join(part for part in parts if part)


def _flat(text: str) -> str:
    return " ".join(text.replace("[[", "[").replace("]]", "]").replace("<!--", "<!-").replace("%%", "%").split())


def _kept(kind: str, path: str, was: str, body: str, today: date) -> str:
    ours = set(body.splitlines())
    added = [line for line in was.splitlines() if line.strip() and line not in ours]
    head: dict[str, Value] = {
        "title": f"Written by hand into {path}",
        "description": f"What stood in the generated list of {kind}s when it was made anew.",
        "date": today.isoformat(),
        "type": "knowledge",
        "status": "active",
    }
    return frontmatter.render(head) + "\n".join(
        ["## Lines that are not the list's own", "", *added, "", "## All that stood there", "", was]
    )
