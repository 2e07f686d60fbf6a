"""What a dream decided, as changes to notes: consolidation, merging, splitting, cross-links, pruning. Pure.

    moves ──▶ new and grown notes ──▶ pointers in the originals ──▶ links re-pointed ──▶ Related sections        (in one `Workspace`)

Nothing is deleted: an original goes to the archive whole, with a pointer, and its open deadlines stay in its fields, where lookahead reads them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple
from urllib.parse import quote

from vaultkit.dream import synthesis
from vaultkit.dream.atomicity import Split
from vaultkit.dream.duplicates import Twin, missing_from
from vaultkit.dream.gate import Capture
from vaultkit.dream.links import CrossLink, Made, with_related, without_related
from vaultkit.dream.sections import before_sections, with_items
from vaultkit.dream.synthesis import Draft
from vaultkit.dream.workspace import Workspace
from vaultkit.errors import FrontmatterEditError
from vaultkit.graph import Resolver, edges_to
from vaultkit.text import frontmatter
from vaultkit.text.markdown import scan
from vaultkit.text.names import slug
from vaultkit.text.note import parse_note
from vaultkit.text.values import Value

ORDER: Final = (
    *("id", "title", "description", "date", "tags", "aliases", "scope", "type", "status", "processed_into", "merged_into", "proposal"),
    *("due", "action_items", "trackers", "source"),
)


class Names(NamedTuple):
    """What this vault calls things."""

    archive: str = "archive"
    date: str = "date"


class Placed(NamedTuple):
    """A draft and the note that it becomes: a new one (*into* is "") or a part of one that is there."""

    draft: Draft
    into: str = ""


class Written(NamedTuple):
    """A cluster as it was written. *captures* and *path* are the paths to be, *originals* where the captures stood."""

    path: str
    title: str
    folded: bool
    by: str
    captures: tuple[str, ...]
    originals: tuple[str, ...]
    problem: str = ""


def archive_moves(ws: Workspace, captures: Iterable[Capture], names: Names, today: date) -> dict[str, str]:
    """Where originals go: archive/YYYY/MM of the day they were made, under their own name."""
    taken = {path.casefold() for path in ws.snapshot.files}
    moves = {}
    for capture in captures:
        folder = f"{names.archive}/{(capture.made or today):%Y/%m}"
        if capture.path.startswith(f"{names.archive}/"):
            continue
        stem = capture.path.rpartition("/")[2].removesuffix(".md")
        to, number = f"{folder}/{stem}.md", 2
        while to.casefold() in taken:
            to, number = f"{folder}/{stem}-{number}.md", number + 1
        taken.add(to.casefold())
        moves[capture.path] = to
    return moves


def why_unwritable(text: str) -> str:
    """Why a note's properties cannot be changed, "" when they can."""
    try:
        frontmatter.edit(text, {"status": "processed"}, order=ORDER)
    except FrontmatterEditError as error:
        return error.message
    return ""


def consolidate(ws: Workspace, placed: Placed, moves: Mapping[str, str], names: Names, today: date) -> Written:
    """Write one cluster: its note, and the pointers of its originals."""
    draft = placed.draft
    now = [moves.get(capture.path, capture.path) for capture in draft.captures]
    if placed.into:
        path = placed.into
        ws.write(path, _grown(ws, path, draft, now))
    else:
        path = ws.free(f"{slug(draft.title)}.md")
        values: dict[str, Value] = {
            "title": draft.title,
            "description": draft.description,
            names.date: today.isoformat(),
            **({"tags": list(draft.tags)} if draft.tags else {}),
            "scope": draft.scope,
            "type": "knowledge",
            "status": draft.status,
            **({"proposal": "digest"} if draft.status == "proposed" else {}),
        }
        ws.create(path, frontmatter.render(values))
        links = [ws.link(target, path) for target in now]
        ws.write(path, ws.text(path) + synthesis.body_of(_rebased(ws, draft, path), links))
    for target in now:
        _point(ws, target, "processed_into", path)
    originals = tuple(capture.path for capture in draft.captures)
    return Written(path, draft.title, bool(placed.into), draft.by, tuple(now), originals, draft.problem)


def merge(ws: Workspace, twin: Twin, moves: Mapping[str, str]) -> None:
    """The winner gains what only the loser says; the loser becomes a pointer in the archive, and every link to it leads to the winner."""
    loser = moves.get(twin.loser, twin.loser)
    winner = twin.winner
    old, new = ws.text(winner), ws.text(loser)
    extra = missing_from(old[_body(old) :], new[_body(new) :])
    link = ws.link(loser, winner)
    items = [f"{synthesis.quoted(ws.said_elsewhere(said, twin.loser, winner))} ([[{link}]])" for said in extra]
    ws.write(winner, _with_sources(_with_items(old, items), [f"[[{link}]]"]))
    _point(ws, loser, "merged_into", winner)
    _repoint(ws, twin.loser, loser, winner)


def cut(ws: Workspace, split: Split, title: str, names: Names, today: date) -> str:
    """Move the parts of *split* to a note of their own, whose path is returned; a link stays in their place, links to their headings follow."""
    text = ws.text(split.path)
    note = parse_note(split.path, text)
    start, end = split.moved[0].start, split.moved[-1].end
    path = ws.free(f"{slug(title)}.md")
    inside = _anchors(text[start:end])
    values: dict[str, Value] = {
        "title": title,
        "description": "",
        names.date: today.isoformat(),
        **({"tags": list(note.tags)} if note.tags else {}),
        **{name: note.properties[name] for name in ("scope",) if name in note.properties},
        "type": "knowledge",
        "status": "active",
    }
    ws.create(path, "")
    moved = ws.said_elsewhere(text[start:end], split.path, path, within=inside)
    values["description"] = synthesis.shortened(synthesis.plain(moved), 160)
    ws.write(path, frontmatter.render(values) + moved.rstrip() + "\n")
    ws.write(path, _with_sources(ws.text(path), [f"[[{ws.link(split.path, path)}]]"]))
    newline = "\r\n" if "\r\n" in text else "\n"
    tail = text[end:]
    ws.write(split.path, f"{text[:start]}- [[{ws.link(path, split.path)}]]{newline}{newline if tail.strip() else ''}{tail.lstrip()}")
    _repoint(ws, split.path, split.path, path, only=inside)
    return path


def relate(ws: Workspace, links: Sequence[CrossLink]) -> list[CrossLink]:
    """Write cross-links; those that could be written."""
    done = []
    for link in links:
        text = ws.text(link.source)
        after = with_related(text, _body(text), [ws.link(link.target, link.source)])
        if after != text:
            ws.write(link.source, after)
            done.append(link)
    return done


def unrelate(ws: Workspace, links: Sequence[Made]) -> list[Made]:
    """Take back links that dreams made; those that still stood."""
    done = []
    for link in links:
        text = ws.text(link.source)
        after = without_related(text, _body(text), ws.link(link.target, link.source))
        if after != text:
            ws.write(link.source, after)
            done.append(link)
    return done


def with_item(text: str, item: str) -> str:
    """*text* with one more list item, before its Sources or Related section."""
    return text if f"- {item}" in text else _with_items(text, [item])


# -- pieces


def _body(text: str) -> int:
    block = frontmatter.find_block(text)
    return block.end if block else 0


def _point(ws: Workspace, path: str, name: str, to: str) -> None:
    text = ws.text(path)
    ws.write(path, frontmatter.edit(text, {"status": "processed", name: f"[[{ws.link(to, path)}]]"}, order=ORDER))


def _grown(ws: Workspace, path: str, draft: Draft, now: Sequence[str]) -> str:
    """An existing note with the statements that it lacks, and all the sources."""
    text = ws.text(path)
    links = [ws.link(target, path) for target in now]
    extra = _rebased(ws, synthesis.fresh(draft, text[_body(text) :]), path)
    items = [f"{said.text} " + " ".join(f"([[{links[index]}]])" for index in said.sources) for said in extra.statements]
    return _with_sources(_with_items(text, items), synthesis.source_items(draft, links))


def _rebased(ws: Workspace, draft: Draft, path: str) -> Draft:
    """The draft as it is said in the note at *path*."""
    said = []
    for statement in draft.statements:
        captures = [draft.captures[index] for index in statement.sources]
        source = next((capture for capture in captures if statement.text in capture.content), captures[0])
        said.append(statement._replace(text=synthesis.quoted(ws.said_elsewhere(statement.text, source.path, path))))
    return draft._replace(statements=tuple(said))


def _with_items(text: str, items: Sequence[str]) -> str:
    """*text* with list items before its Sources or Related section, else at its end."""
    return before_sections(text, _body(text), items, _LAST)


def _with_sources(text: str, items: Sequence[str]) -> str:
    """*text* with *items* in its `## Sources` section."""
    fresh = [item for item in items if f"- {item.split(']]')[0]}]]" not in text]
    return with_items(text, _body(text), fresh, {synthesis.SOURCES.casefold()}, synthesis.SOURCES)


_LAST: Final = frozenset({"sources", "related", "see also", "references", "関連", "出典", "参考"})


def _repoint(ws: Workspace, was: str, now: str, to: str, *, only: frozenset[str] | set[str] | None = None) -> None:
    """Links that lead to *now* (in the snapshot: *was*) lead to *to*; with *only*, those whose subpath names one of these headings or blocks.

    A link to a heading that *to* does not have keeps leading to the original.
    """
    resolver = Resolver(sorted(ws.files()))
    there = _anchors(ws.text(to))
    for source in sorted({edge.source for edge in edges_to(ws.snapshot, was)} | ({was} if only is not None else set())):
        path = next((new for new in (source, *_moved(ws, source)) if new in ws.files()), source)
        if not path.endswith(".md") or (path == now and only is None):
            continue
        text = ws.text(path)
        pieces = []
        for link in parse_note(path, text).links:
            if resolver.resolve(link.target, path).path != now or (not link.target and path != now):
                continue
            part = link.subpath.rpartition("#")[2].strip().casefold()
            if (only is not None and part not in only) or (only is None and part and part not in there):
                continue
            target = ws.link(to, path)
            pieces.append((link.target_start, link.target_end, target if link.syntax != "markdown" else quote(f"{to}", safe="/")))
        for start, end, target in reversed(pieces):
            text = text[:start] + target + text[end:]
        if pieces:
            ws.write(path, text)


def _anchors(text: str) -> set[str]:
    """What a link into this text can name: headings and `^blocks`, folded."""
    found = scan(text, body=_body(text))
    return {heading.text.strip().casefold() for heading in found.headings} | {f"^{block.id}".casefold() for block in found.blocks}


def _moved(ws: Workspace, source: str) -> list[str]:
    return [path for path in ws.files() if ws.was(path) == source]
