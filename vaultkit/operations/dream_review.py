"""`dream review`: what dreams proposed, and what a person says to it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from vaultkit import dream as engine
from vaultkit.app import App
from vaultkit.errors import ConflictError, NotFoundError
from vaultkit.graph import edges_to, resolver_of
from vaultkit.operations import dream as dreams
from vaultkit.operations._again import settled
from vaultkit.operations.dream_journal import COMMAND, REVIEW
from vaultkit.text import frontmatter
from vaultkit.text.edit import to_text


class Open(NamedTuple):
    """A proposal that waits. *id* is its note's name."""

    id: str
    kind: str  # digest, merge, split, hub-line
    path: str
    notes: tuple[str, ...]
    why: str


class Reviewed(NamedTuple):
    """What is still open, and what was done."""

    open: tuple[Open, ...]
    accepted: tuple[str, ...]
    rejected: tuple[str, ...]
    run: str


def review(app: App, *, accept: Sequence[str] = (), reject: Sequence[str] = (), why: str = "", dry_run: bool = False) -> Reviewed:
    """List proposals, accept some, turn down others. Raises NotFoundError for an id that no open proposal has."""
    app.sync()
    return settled(app, lambda: _review(app, accept, reject, why, dry_run=dry_run))


def _review(app: App, accept: Sequence[str], reject: Sequence[str], why: str, *, dry_run: bool) -> Reviewed:
    waiting = {one.id: one for one in _open(app)}
    accepting = list(waiting.values()) if "all" in accept else [_named(waiting, word) for word in accept]
    rejecting = [_named(waiting, word) for word in reject]
    if both := {one.id for one in accepting} & {one.id for one in rejecting}:
        raise ConflictError(f"{min(both)} cannot be accepted and turned down at once", hint="name it once")
    if not accepting and not rejecting:
        return Reviewed(tuple(waiting.values()), (), (), "")
    accepting = _apart(accepting)
    ws = engine.Workspace(app.snapshot(), lambda path: to_text(app.files.read(path).data))
    today = app.now().date()
    names = engine.Names(app.config.archive_folder, app.config.date_property)
    merging = {one.id: one.notes for one in accepting if one.kind == "merge"}
    planner = dreams.planner(app)
    losers = [planner.as_capture(notes[1]) for notes in merging.values()]
    moves = engine.archive_moves(ws, losers, names, today)
    ws.move(moves)
    for one in accepting:
        _accept(ws, one, planner, moves, names, today)
    for one in rejecting:
        _reject(app, ws, one, why)
    turned_down = [path for one in rejecting if one.kind == "digest" for path in _originals(app, one.path)]
    run = "" if dry_run else app.commit(ws.edits(), command=REVIEW).run
    if turned_down and not dry_run:
        app.activity.append(COMMAND, t=app.clock(), turned_down=turned_down)
    done = {one.id for one in (*accepting, *rejecting)}
    return Reviewed(
        tuple(one for one in waiting.values() if one.id not in done),
        tuple(one.id for one in accepting),
        tuple(one.id for one in rejecting),
        run,
    )


def _open(app: App) -> list[Open]:
    snapshot = app.snapshot()
    resolver = resolver_of(snapshot)
    heads = app.heads()
    found = []
    for path, note in sorted(snapshot.notes.items()):
        kind = note.properties.get("proposal")
        if note.properties.get("status") != "proposed" or kind not in {"digest", "merge", "split", "hub-line"}:
            continue
        if kind == "digest":
            notes: tuple[str, ...] = (path,)
        else:
            links = [link for link in note.links if link.property == "notes"]
            targets = [resolver.resolve(link.target, path).path for link in links]
            notes = tuple(target for target in targets if target is not None)
            if len(notes) != len(links) or not notes or (kind != "split" and len(notes) < 2):
                continue  # what it was about is gone
            if kind == "merge" and any(heads[target].status != "active" for target in notes if target in heads):
                continue  # one of the two was merged already, or is not in use any more
        found.append(Open(note.name, str(kind), path, notes, note.description))
    return found


def _named(waiting: dict[str, Open], word: str) -> Open:
    name = word.removesuffix(".md").rpartition("/")[2]
    if name not in waiting:
        raise NotFoundError(f"no open proposal {word!r}", hint="`vaultkit dream review` lists them")
    return waiting[name]


def _accept(ws: engine.Workspace, one: Open, planner: dreams.Planner, moves: dict[str, str], names: engine.Names, today: date) -> None:
    match one.kind:
        case "digest":
            ws.write(one.path, frontmatter.edit(ws.text(one.path), {"status": "active", "proposal": frontmatter.DELETE}))
            return
        case "merge":
            engine.merge(ws, engine.Twin(one.notes[0], one.notes[1], 0.0, 0.0, sure=True), moves)
        case "split":
            found = planner.split_of(one.notes[0])
            if found is None:
                raise ConflictError(f"{one.notes[0]} has no second topic any more", hint=f'turn it down: --reject {one.id} --why "…"')
            engine.cut(ws, found[0], found[1], names, today)
        case _:
            hub = one.notes[0]
            ws.write(hub, engine.with_item(ws.text(hub), f"[[{ws.link(one.notes[1], hub)}]]"))
    ws.write(one.path, frontmatter.edit(ws.text(one.path), {"status": "processed"}))


def _reject(app: App, ws: engine.Workspace, one: Open, why: str) -> None:
    """The proposal keeps the reason. A digest's originals are active again, where they stand."""
    ws.write(one.path, frontmatter.edit(ws.text(one.path), {"status": "discarded", "reason": why}))
    if one.kind != "digest":
        return
    for path in _originals(app, one.path):
        ws.write(path, frontmatter.edit(ws.text(path), {"status": "active", "processed_into": frontmatter.DELETE}))


def _originals(app: App, digest: str) -> list[str]:
    """The notes that a digest was made of."""
    return sorted({edge.source for edge in edges_to(app.snapshot(), digest) if edge.link.property == "processed_into"})


def _apart(accepting: Sequence[Open]) -> list[Open]:
    """Those that touch no note that one before them merges or cuts: the others stay open, for after it their notes are no longer the same."""
    changed: set[str] = set()
    kept = []
    for one in accepting:
        if changed & set(one.notes):
            continue
        kept.append(one)
        if one.kind in {"merge", "split"}:
            changed.update(one.notes)
    return kept
