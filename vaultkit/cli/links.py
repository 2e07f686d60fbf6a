"""links, backlinks, unresolved, orphans, deadends, tags, tasks, properties, graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from vaultkit.cli._shared import Face, common, printable_lines, tell
from vaultkit.errors import UsageError


@click.command()
@click.argument("note")
@common()
def links(face: Face, note: str) -> None:
    """Links of a note.

    \b
    Example:  vaultkit links home
    """
    _rows(
        face,
        lambda app, ops: ops.links(app, note),
        lambda row: f"{row.line:>4}  {row.path or f'(nothing) [[{row.link}]]'}{_times(row.count)}",
    )


@click.command()
@click.argument("note")
@common()
def backlinks(face: Face, note: str) -> None:
    """Links to a note.

    Body, properties and canvases count.
    """
    _rows(face, lambda app, ops: ops.backlinks(app, note), lambda row: "  ".join(f"{row.path}:{line}" for line in row.lines))


@click.command()
@common()
def unresolved(face: Face) -> None:
    """Links that lead nowhere."""
    _rows(face, lambda app, ops: ops.unresolved(app), _unresolved_line)


@click.command()
@common()
def orphans(face: Face) -> None:
    """Notes that no other note links to."""
    _paths(face, lambda app, ops: ops.orphans(app))


@click.command()
@common()
def deadends(face: Face) -> None:
    """Notes without a link."""
    _paths(face, lambda app, ops: ops.deadends(app))


@click.command()
@click.argument("note", required=False)
@click.option("--by-count", is_flag=True, help="Most used first.")
@common()
def tags(face: Face, note: str | None, by_count: bool) -> None:
    """Tags and how often they stand."""
    _rows(face, lambda app, ops: ops.tags(app, note, by_count=by_count), lambda row: f"{row.total:>6}  #{row.tag}")


@click.command()
@click.argument("note", required=False)
@click.option("--todo", "status", flag_value="todo", default=None, help="Only open ones.")
@click.option("--done", "status", flag_value="done", help="Only done ones.")
@click.option("--status", "status", metavar="CHARACTER", help="Only this checkbox character.")
@common()
def tasks(face: Face, note: str | None, status: str | None) -> None:
    """Tasks of a note or of the vault."""
    if status is not None and status not in {"todo", "done"} and len(status) != 1:
        raise UsageError(f"--status: {status!r} is no checkbox character", hint="give one character, like / or -")
    _rows(face, lambda app, ops: ops.tasks(app, note, status=status), lambda row: f"{row.path}:{row.line}  [{row.status}] {row.text}")


@click.command()
@click.argument("note", required=False)
@click.option("--by-count", is_flag=True, help="Most used first.")
@common()
def properties(face: Face, note: str | None, by_count: bool) -> None:
    """Properties of a note or of the vault."""
    from vaultkit.operations import links as operations

    if note is None:
        _rows(
            face, lambda app, ops: ops.properties(app, by_count=by_count), lambda row: f"{row.count:>6}  {row.name} ({row.type or 'empty'})"
        )
        return
    with face.app() as app:
        found = operations.properties_of(app, note)
    face.show(found, lambda: printable_lines([f"{name}: {value}" for name, value in found.items()]))


@click.command()
@click.option(
    "-n", "limit", type=click.IntRange(1), default=20, show_default=True, help="How many notes to print; the files and --json hold all."
)
@click.option("--csv", "csv_file", type=click.Path(path_type=Path, dir_okay=False), help="Write the whole table there.")
@click.option(
    "--graphml", "graphml_file", type=click.Path(path_type=Path, dir_okay=False), help="Write the graph there, for Gephi and the like."
)
@common()
def graph(face: Face, limit: int, csv_file: Path | None, graphml_file: Path | None) -> None:
    """Measures of the link graph, through obsidiantools and NetworkX.

    The numbers are those of `links` and `backlinks`: obsidiantools' objects are filled from vaultkit's own graph.
    """
    from vaultkit.operations import links as operations

    with face.app() as app:
        table = operations.measures(app, csv_file=csv_file, graphml_file=graphml_file)
    face.show(table.rows, lambda: table.text(limit))
    for path in (csv_file, graphml_file):
        if path is not None:
            tell(f"wrote {path}")


def _rows(face: Face, ask: Callable[[Any, Any], Sequence[Any]], line: Callable[[Any], str]) -> None:
    from vaultkit.operations import links as operations

    with face.app() as app:
        rows = ask(app, operations)
    face.show([row._asdict() for row in rows], lambda: printable_lines([line(row) for row in rows]))


def _paths(face: Face, ask: Callable[[Any, Any], list[str]]) -> None:
    from vaultkit.operations import links as operations

    with face.app() as app:
        paths = ask(app, operations)
    face.show([{"path": path} for path in paths], lambda: printable_lines(paths))


def _times(count: int) -> str:
    return f"  ({count} times)" if count > 1 else ""


def _unresolved_line(row: Any) -> str:
    alias = f"  (an alias of {', '.join(row.alias_of)})" if row.alias_of else ""
    return f"[[{row.link}]]{alias}  in {', '.join(row.sources)}"
