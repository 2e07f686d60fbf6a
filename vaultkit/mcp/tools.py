"""The tools as plain functions on an opened vault, and the table by which they are offered. No protocol here.

A tool is one function and one row of `TOOLS`. Every answer passes `View`: what is private (memory.md M22b) is neither named nor counted. A list-like answer is given page by page.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from datetime import date
from typing import Annotated, Any, Final, Literal, NamedTuple, NoReturn, TypeVar

from pydantic import Field

from vaultkit import agenda, graph
from vaultkit.app import UNREADABLE, App
from vaultkit.capture import Receipt
from vaultkit.capture.request import is_url
from vaultkit.errors import NotFoundError, UsageError
from vaultkit.mcp.answers import (
    DATA,
    CaptureAnswer,
    Deadline,
    Entry,
    GraphAnswer,
    Hit,
    LinkRow,
    LinksAnswer,
    LookaheadAnswer,
    Node,
    NoteAnswer,
    PatchAnswer,
    QueryAnswer,
    RecallAnswer,
    RecordAnswer,
    SearchAnswer,
)
from vaultkit.operations import capture as capturing
from vaultkit.operations import notes as noting
from vaultkit.operations import recall as recalling
from vaultkit.operations import research as researching
from vaultkit.operations import search as searching
from vaultkit.operations.privacy import View
from vaultkit.text.ids import parse_id
from vaultkit.text.note import Note

HARNESS: Final = "mcp"

T = TypeVar("T")
Limit = Annotated[int, Field(ge=1, le=200)]
Cursor = Annotated[str, Field(description="next_cursor of the page before")]
Name = Annotated[str, Field(description="Path or link name")]


class Tool(NamedTuple):
    """One row: what is offered, how it is described, and what it does to the world."""

    name: str
    function: Callable[..., Any]  # (app, **arguments) → a TypedDict of answers
    title: str
    description: str
    read_only: bool = True
    destructive: bool = False  # may it replace or remove what a note says?
    open_world: bool = False  # may it reach the network?


def search(
    app: App,
    query: str,
    limit: Limit = 10,
    cursor: Cursor = "",
    type: Annotated[str, Field(description="Only notes of this type")] = "",  # noqa: A002 - the property's name
    tag: str = "",
    on: Annotated[str, Field(description="Only what stands under this day, YYYY-MM-DD")] = "",
    everything: Annotated[bool, Field(description="Also retired notes and daily notes")] = False,
) -> SearchAnswer:
    """Notes that match, and the bullets and dated paragraphs that do."""
    view = View(app, HARNESS)
    start = _start(cursor)
    wanted = start + limit + 1
    depth = wanted
    day = _day(on) if on else None
    while True:
        ask = searching.Ask(
            query, depth, types=(type,) if type else (), tags=(tag,) if tag else (), everything=everything, on=day, hybrid=False
        )
        found = searching.search(app, ask)
        seen = set(view.allowed([hit.path for hit in found.hits] + [entry.path for entry in found.entries]))
        hits = [hit for hit in found.hits if hit.path in seen]
        if len(hits) >= wanted or len(found.hits) < depth or depth >= _DEEPEST:
            break
        depth *= 4  # what is private takes nobody's place
    entries = [entry for entry in found.entries if entry.path in seen][:limit] if not start else []
    page, following = _page(hits, start, limit)
    nothing = "" if hits or entries else "nothing found: try other words"
    return {
        "notice": DATA,
        "hits": [_hit(hit.path, hit.title, hit.description, hit.score, hit.why.get("line")) for hit in page],
        "entries": [{"path": one.path, "line": one.line, "text": one.text} for one in entries],
        "degraded": list(found.degraded),
        "hint": nothing,
        "next_cursor": following,
    }


def recall(app: App, prompt: str, size: Annotated[int, Field(ge=200, le=20_000, description="Most characters")] = 2000) -> RecallAnswer:
    """What a prompt would be given: one line a note, or nothing."""
    found = recalling.recall(app, recalling.Ask(prompt, size=size, harness=HARNESS, served_by=HARNESS))
    return {
        "confidence": found.confidence,
        "mode": found.used,
        "text": found.text,
        "notes": [_hit(note.path, note.title, note.description, note.score, None) for note in found.notes],
    }


def read_note(
    app: App,
    note: Name,
    cursor: Cursor = "",
    size: Annotated[int, Field(ge=200, le=200_000, description="Most characters of one page")] = 20_000,
) -> NoteAnswer:
    """A note's text as it is on disk, and the mark in the activity log that it was read."""
    return _text_of(app, View(app, HARNESS).read(note), cursor, size)


def daily(
    app: App,
    day: Annotated[str, Field(description="YYYY-MM-DD; else today")] = "",
    cursor: Cursor = "",
    size: Annotated[int, Field(ge=200, le=200_000, description="Most characters of one page")] = 20_000,
) -> NoteAnswer:
    """The daily note of a day."""
    when = _day(day) if day else app.now().date()
    try:
        found = View(app, HARNESS).read(app.daily.path(when))
    except NotFoundError:  # missing, or not to be seen: the same answer
        raise NotFoundError(f"no daily note of {when.isoformat()}", hint="capture makes today's when it files something") from None
    return _text_of(app, found, cursor, size)


def capture(
    app: App,
    text: Annotated[str, Field(min_length=1, description="The words as they came, or one URL")],
    kind: Annotated[
        Literal["braindump", "research"], Field(description="research: findings, a source in each bullet under ## Findings")
    ] = "braindump",
    scope: Annotated[str, Field(description="work, personal, project/NAME; else decided")] = "",
    title: str = "",
    dry_run: bool = False,
) -> CaptureAnswer:
    """File text or a URL; findings without a source on every claim are kept as a proposal and refused."""
    ask = capturing.Ask(text, scope, "", title, dry_run=dry_run, harness=HARNESS)
    if kind == "research":
        saved = researching.save(app, ask)
        if saved.refusal is not None:
            raise saved.refusal
        return _receipt(app, saved.receipt)
    return _receipt(app, capturing.capture(app, ask._replace(url=text.strip() if is_url(text) else "")))


def lookahead(
    app: App,
    level: Annotated[Literal["today", "soon", "week", "month"], Field(description="How far to look")] = "week",
    limit: Limit = 50,
    cursor: Cursor = "",
) -> LookaheadAnswer:
    """The deadlines at a level, the soonest first; with what could not be read and dates that only stand in prose."""
    view = View(app, HARNESS)
    extracts = app.extracts()
    now = app.now()
    notes = [path for path in app.manifest() if path.lower().endswith(".md")]
    seen = set(view.allowed([*notes, *extracts]))
    look = agenda.survey(
        {path: found for path, found in extracts.items() if path in seen},
        today=now.date(),
        now=now,
        level=level,
        notes_read=len(seen),
    )
    told = agenda.to_json(look)
    items: list[Deadline] = told["items"]
    start = _start(cursor)
    page, following = _page(items, start, limit)
    first = not start
    prose: list[Entry] = [
        {"path": one["path"], "line": one["line"], "text": f"{one['phrase']} = {one['date']}"} for one in told["prose_dates"][:_SOME]
    ]
    return {
        "notice": DATA,
        "today": told["today"],
        "items": page,
        "notes_read": look.notes_read,
        "unread": sum(row.kind == UNREADABLE for row in app.manifest().values()),
        "unparsable": told["unparsable"][:_SOME] if first else [],
        "prose_dates": prose if first else [],
        "next_cursor": following,
    }


def links(
    app: App,
    note: Name,
    direction: Annotated[Literal["out", "in"], Field(description="out: links of the note; in: backlinks")] = "out",
    limit: Limit = 50,
    cursor: Cursor = "",
) -> LinksAnswer:
    """Where a note links to, or what links to it."""
    view = View(app, HARNESS)
    path = view.find(note, files=True)
    whole = app.snapshot()
    rows: list[LinkRow]
    if direction == "in":
        into = graph.backlinks(whole, path)
        seen = set(view.allowed(row.path for row in into))
        rows = [{"path": row.path, "link": "", "line": row.lines[0], "count": row.count} for row in into if row.path in seen]
    else:
        out = graph.links(whole, path)
        seen = set(view.allowed(row.path for row in out if row.path is not None))
        rows = [
            {"path": row.path, "link": row.link, "line": row.line, "count": row.count}
            for row in out
            if row.path is None or row.path in seen
        ]
    page, following = _page(rows, _start(cursor), limit)
    return {"path": path, "rows": page, "total": len(rows), "next_cursor": following}


def graph_(
    app: App,
    note: Annotated[str, Field(description="Only around this note; else the whole vault")] = "",
    hops: Annotated[int, Field(ge=1, le=4)] = 1,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> GraphAnswer:
    """Measures of the link graph, the most linked first; or of the notes around one, the nearest first."""
    view = View(app, HARNESS)
    snapshot = view.snapshot()
    near = _around(snapshot, view.find(note), hops) if note else None
    key = ("measures for", HARNESS)
    measured = app.memo.get(key)
    if measured is None:
        from vaultkit.store import interop  # noqa: PLC0415 - NetworkX

        measured = app.memo[key] = interop.measures(snapshot)
    rows = [row for row in measured if near is None or row.path in near]
    if near is not None:
        rows.sort(key=lambda row: near[row.path])
    page, following = _page(rows, _start(cursor), limit)
    nodes: list[Node] = [
        {
            "path": row.path,
            "title": snapshot.notes[row.path].title,
            "links": row.links,
            "backlinks": row.backlinks,
            "pagerank": round(row.pagerank, 6),
            "component": row.component,
            "hops": None if near is None else near[row.path],
        }
        for row in page
    ]
    return {"rows": nodes, "total": len(rows), "next_cursor": following}


def query(
    app: App,
    dql: Annotated[str, Field(description="TABLE, LIST, TASK or CALENDAR …")],
    origin: Annotated[str, Field(description="The note that `this` means")] = "",
    limit: Limit = 50,
    cursor: Cursor = "",
) -> QueryAnswer:
    """Rows of a Dataview query."""
    from vaultkit.operations import query as querying  # noqa: PLC0415 - the engine is large

    found = querying.query(app, dql, origin or None, view=View(app, HARNESS))
    whole = found.as_json()
    rows = whole["values"]
    grouped = not isinstance(rows, list)
    page, following = ([rows], None) if grouped else _page(rows, _start(cursor), limit)
    return {
        "notice": DATA,
        "type": found.type,
        "headers": [str(name) for name in whole.get("headers", ())],
        "values": page,
        "dropped": [str(one) for one in found.dropped[:_SOME]],
        "total": 1 if grouped else len(rows),
        "next_cursor": following,
    }


def note_patch(
    app: App,
    note: Name,
    operation: Literal["append", "prepend", "replace"],
    target_type: Literal["heading", "block", "frontmatter"],
    target: Annotated[str, Field(description="Heading (its parents before it, with ::), block id, or property")],
    content: Annotated[str, Field(description="Markdown; of a property its value, as JSON or text")],
    create: Annotated[bool, Field(description="Make a heading or property that is missing")] = False,
    dry_run: bool = False,
) -> PatchAnswer:
    """Change one section, block or property of a note; every other byte stays."""
    path = View(app, HARNESS).find(note)
    instruction: dict[str, Any] = {"operation": operation, "targetType": target_type, "target": target}
    if target_type == "frontmatter":
        instruction["value"] = _value(content)
    else:
        instruction["content"] = content
    if target_type == "heading":
        instruction["target"] = target.split("::")
    if create:
        instruction["createTargetIfMissing"] = True
    done = noting.patch(app, path, instruction, dry_run=dry_run)
    return {"path": done.path, "hash": done.hash, "warnings": list(done.warnings), "diff": list(done.diff)}


def record(
    app: App,
    kind: Literal["decision", "failure", "idea"],
    draft: Annotated[
        str, Field(description="Markdown. decision: ## Goal, Options, Decision, Why. failure: ## What, Cause, Lesson. idea: ## Idea, Why")
    ],
    scope: Annotated[str, Field(description="work, personal or project/NAME")] = "",
    supersedes: Annotated[list[str] | None, Field(description="Ids of decisions that this one takes the place of")] = None,
    dry_run: bool = False,
) -> RecordAnswer:
    """Store a record; earlier ones on the same matter come back with it."""
    from vaultkit.operations import records as recording  # noqa: PLC0415 - as above
    from vaultkit.records.draft import parse_draft  # noqa: PLC0415

    view = View(app, HARNESS)
    made = parse_draft(draft, kind)
    old = tuple(view.find(str(parse_id(name) or name)) for name in (supersedes or made.supersedes))
    made = made._replace(supersedes=old, scope=recording.scope_asked(scope) if scope else made.scope)
    done = recording.record(app, recording.Ask(made, dry_run=dry_run, harness=HARNESS))
    seen = set(view.allowed(row.path for row in (*done.related, *done.past)))
    return {
        "id": done.id,
        "path": done.path,
        "status": done.status,
        "scope": done.scope,
        "superseded": list(done.superseded),
        "related": [row.as_dict() for row in (*done.related, *done.past) if row.path in seen],
        "warnings": list(done.warnings),
    }


TOOLS: Final[tuple[Tool, ...]] = (
    Tool("search", search, "Search notes", "Search the vault by words (English, Japanese). Answers paths; open them with read_note."),
    Tool("recall", recall, "Recall", "The few notes that matter for a prompt, one line each, or nothing."),
    Tool("read_note", read_note, "Read a note", "The text of a note, by path or link name."),
    Tool(
        "capture",
        capture,
        "Capture",
        "File a thought, a dump, a URL or research findings; deadlines go into fields. Show the receipt word for word.",
        read_only=False,
        open_world=True,
    ),
    Tool("lookahead", lookahead, "Deadlines ahead", "Deadlines from the notes' fields, soonest first."),
    Tool("query", query, "Query (DQL)", "Run a Dataview query over the vault: TABLE, LIST, TASK or CALENDAR."),
    Tool(
        "note_patch",
        note_patch,
        "Patch a note",
        "Append to, prepend to or replace one heading's section, block or property. `vaultkit undo` takes it back.",
        read_only=False,
        destructive=True,
    ),
    Tool(
        "record",
        record,
        "Record a decision, failure or idea",
        "Look up earlier decisions first (search with type decision). Only what the user really decided.",
        read_only=False,
    ),
    Tool("links", links, "Links", "Links of a note, or its backlinks."),
    Tool("daily", daily, "Daily note", "The daily note of a day."),
    Tool("graph", graph_, "Link graph", "Notes by links, backlinks and PageRank: of the vault, or around one note."),
)


def _value(content: str) -> Any:
    """A property's value: JSON where it is that, else the text itself."""
    try:
        return json.loads(content, parse_constant=_no_json)
    except RecursionError:
        raise UsageError("the value nests too deeply", hint="a property is text, a number, a list or a small map") from None
    except ValueError:
        return content


def _no_json(word: str) -> NoReturn:
    raise ValueError(word)  # NaN and Infinity: what Python adds to JSON, and Obsidian does not read


_SOME: Final = 20  # of what is told beside the answer
_DEEPEST: Final = 100_000  # hits


def _hit(path: str, title: str, description: str, score: float, line: object) -> Hit:
    return {"path": path, "title": title, "description": description, "score": score, "line": line if isinstance(line, int) else None}


def _text_of(app: App, found: tuple[Note, str], cursor: str, size: int) -> NoteAnswer:
    note, text = found
    start = _start(cursor)
    if start > len(text):
        raise UsageError(f"{note.path} has only {len(text)} characters", hint="leave the cursor out to begin anew")
    # A body was really read (memory.md M43).
    app.activity.append("opened", t=app.clock(), path=note.path, session=app.session or HARNESS, harness=HARNESS)
    end = start + size
    return {
        "notice": DATA,
        "path": note.path,
        "title": note.title,
        "hash": note.hash,
        "text": text[start:end],
        "characters": len(text),
        "next_cursor": str(end) if end < len(text) else None,
    }


def _receipt(app: App, receipt: Receipt) -> CaptureAnswer:
    told = receipt
    if receipt.daily and not View(app, HARNESS).may(receipt.daily):
        told = receipt._replace(daily=None, notes=tuple(note for note in receipt.notes if receipt.daily not in note))
    answer = told.as_dict()
    wanted = CaptureAnswer.__annotations__
    return {"receipt": str(told), **{name: answer[name] for name in wanted if name != "receipt"}}  # type: ignore[typeddict-item]


def _around(snapshot: graph.Snapshot, start: str, hops: int) -> dict[str, int]:
    """The notes within *hops* links of *start*, in either direction, and how far each is."""
    found = {start: 0}
    edge_of = [start]
    for distance in range(1, hops + 1):
        following = []
        for path in edge_of:
            targets = [edge.target.path for edge in graph.edges_from(snapshot, path)]
            sources = [edge.source for edge in graph.edges_to(snapshot, path)]
            for other in (*targets, *sources):
                if other is not None and other in snapshot.notes and other not in found:
                    found[other] = distance
                    following.append(other)
        edge_of = following
    return found


def _page(rows: Sequence[T], start: int, limit: int) -> tuple[list[T], str | None]:
    end = start + limit
    return list(rows[start:end]), str(end) if end < len(rows) else None


def _start(cursor: str) -> int:
    if not cursor:
        return 0
    if not _CURSOR.fullmatch(cursor):
        raise UsageError(f"{cursor[:40]!r} is no cursor", hint="give the next_cursor of the page before, or none")
    return int(cursor)


_CURSOR: Final = re.compile(r"[0-9]{1,12}")


def _day(word: str) -> date:
    try:
        return date.fromisoformat(word)
    except ValueError:
        raise UsageError(f"{word[:40]!r} is no day", hint="write 2026-11-30") from None
