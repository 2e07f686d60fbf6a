"""Every note of the vault at one moment, and the links between them. Immutable; swapped whole."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from vaultkit.graph.canvas import Canvas, read_canvas
from vaultkit.graph.resolve import Resolved, Resolver, fold
from vaultkit.text.markdown import Link
from vaultkit.text.note import Note
from vaultkit.text.values import Problem


class Edge(NamedTuple):
    """One resolved or unresolved link of a note, or (with *node*, its id) of a canvas.

    *exact*: a canvas node's file, named by its whole path. Offsets of a link in a canvas's text node count in the node's text.
    """

    source: str
    link: Link
    target: Resolved
    node: str = ""
    exact: bool = False


class Derived:
    """What is computed from a snapshot at first use. Two threads may compute the same value; both are right."""

    __slots__ = ("aliases", "canvases", "edges", "incoming", "resolver")

    def __init__(self) -> None:
        self.resolver: Resolver | None = None
        self.edges: list[Edge] | None = None
        self.canvases: dict[str, Canvas] | None = None
        self.incoming: dict[str, list[Edge]] | None = None
        self.aliases: dict[str, tuple[str, ...]] | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Every note of the vault and every other visible file, at one moment. Immutable; swapped whole."""

    notes: Mapping[str, Note]
    files: frozenset[str]  # all visible paths, notes included
    canvases: Mapping[str, str]  # text of each .canvas file
    derived: Derived = field(default_factory=Derived, init=False, repr=False, compare=False)


def resolver_of(snapshot: Snapshot) -> Resolver:
    """The snapshot's resolver, made once and kept with it."""
    derived = snapshot.derived
    if derived.resolver is None:
        derived.resolver = Resolver(sorted(snapshot.files))
    return derived.resolver


def edges(snapshot: Snapshot, *, comments: bool = False) -> list[Edge]:
    """All links of all notes, then of all canvases, in path order, then document order. A bare id of a record that stands there is a link.

    Links in HTML comments come only on request: Obsidian shows no text there.
    """
    derived = snapshot.derived
    if comments:
        return [*_note_edges(snapshot, comments=True), *_canvas_edges(snapshot)]
    if derived.edges is None:
        derived.edges = [*_note_edges(snapshot, comments=False), *_canvas_edges(snapshot)]
    return derived.edges


def edges_from(snapshot: Snapshot, path: str, *, comments: bool = False) -> list[Edge]:
    """The links of one note or canvas, in document order."""
    if path in snapshot.notes:
        return list(_edges_of(snapshot, path, comments=comments))
    return [edge for edge in edges(snapshot) if edge.source == path]


def edges_to(snapshot: Snapshot, path: str) -> list[Edge]:
    """The links of notes and canvases that lead to a file, its own links to itself included."""
    derived = snapshot.derived
    if derived.incoming is None:
        incoming: dict[str, list[Edge]] = {}
        for edge in edges(snapshot):
            if edge.target.path is not None:
                incoming.setdefault(edge.target.path, []).append(edge)
        derived.incoming = incoming
    return derived.incoming.get(path, [])


def canvases(snapshot: Snapshot) -> dict[str, Canvas]:
    """Each canvas, read once, in path order."""
    derived = snapshot.derived
    if derived.canvases is None:
        derived.canvases = {path: read_canvas(snapshot.canvases[path]) for path in sorted(snapshot.canvases)}
    return derived.canvases


def canvas_problems(snapshot: Snapshot) -> list[tuple[str, Problem]]:
    """Canvases that cannot be read (or are empty), with the reason."""
    return [(path, canvas.problem) for path, canvas in canvases(snapshot).items() if canvas.problem]


def alias_owners(snapshot: Snapshot, target: str) -> tuple[str, ...]:
    """The notes that declare *target* as an alias. Aliases never resolve a link; this is for saying whom the writer meant."""
    derived = snapshot.derived
    if derived.aliases is None:
        owners: dict[str, tuple[str, ...]] = {}
        for path in sorted(snapshot.notes):
            for alias in snapshot.notes[path].aliases:
                known = owners.get(fold(alias), ())
                owners[fold(alias)] = known if path in known else (*known, path)
        derived.aliases = owners
    return derived.aliases.get(fold(target.strip()), ())


def alias_owner(snapshot: Snapshot, target: str) -> str | None:
    """The first of `alias_owners`, or None."""
    return next(iter(alias_owners(snapshot, target)), None)


def _note_edges(snapshot: Snapshot, *, comments: bool) -> list[Edge]:
    with _no_collection():
        return [edge for path in sorted(snapshot.notes) for edge in _edges_of(snapshot, path, comments=comments)]


def _links_of(snapshot: Snapshot, path: str, note: Note) -> tuple[Link, ...]:
    """The links of a note in document order, with the bare ids that lead to a record; what else looks like an id is no link."""
    if not note.mentions:
        return note.links
    resolver = resolver_of(snapshot)
    led = [link for link in note.mentions if resolver.resolve(link.target, path).path in snapshot.notes]
    return tuple(sorted((*note.links, *led), key=lambda link: link.start)) if led else note.links


def _edges_of(snapshot: Snapshot, path: str, *, comments: bool) -> Iterator[Edge]:
    resolve = resolver_of(snapshot).resolve
    for link in _links_of(snapshot, path, snapshot.notes[path]):
        if comments or not link.comment:
            yield Edge(path, link, resolve(link.target, path))


@contextmanager
def _no_collection() -> Iterator[None]:
    """The cyclic garbage collector off: it would walk the whole vault again and again while 100,000 links are made, none of them garbage."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _canvas_edges(snapshot: Snapshot) -> list[Edge]:
    resolver = resolver_of(snapshot)
    found: list[Edge] = []
    for path, canvas in canvases(snapshot).items():
        for node in canvas.nodes:
            exact = node.kind != "text"
            look_up = (lambda target, _source: resolver.exact(target)) if exact else resolver.resolve
            found += (Edge(path, link, look_up(link.target, path), node.id, exact) for link in node.links if not link.comment)
    return found
