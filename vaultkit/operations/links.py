"""The link graph as rows, with the names and shapes of Obsidian's own command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from vaultkit import graph
from vaultkit.app import App


def links(app: App, name: str) -> list[graph.LinkRow]:
    """Where a note links to."""
    app.sync()
    return graph.links(app.snapshot(), _named(app, name))


def backlinks(app: App, name: str) -> list[graph.BacklinkRow]:
    """What links to a note or an attachment; canvases and properties count."""
    app.sync()
    return graph.backlinks(app.snapshot(), _named(app, name))


def unresolved(app: App) -> list[graph.UnresolvedRow]:
    """Links that lead nowhere; a target that is only another note's alias says so."""
    app.sync()
    return graph.unresolved(app.snapshot())


def orphans(app: App) -> list[str]:
    """Notes that no other note links to."""
    app.sync()
    return graph.orphans(app.snapshot())


def deadends(app: App) -> list[str]:
    """Notes without an outgoing link."""
    app.sync()
    return graph.deadends(app.snapshot())


def tags(app: App, name: str | None = None, *, by_count: bool = False) -> list[graph.TagRow]:
    """Tags of a note or of the vault."""
    app.sync()
    return graph.tags(app.snapshot(), within=_within(app, name), sort="count" if by_count else "name")


def tasks(app: App, name: str | None = None, *, status: str | None = None) -> list[graph.TaskRow]:
    """Tasks of a note or of the vault; *status* is a checkbox character, `done` or `todo`."""
    app.sync()
    return graph.tasks(app.snapshot(), within=_within(app, name), status=status)


def properties(app: App, *, by_count: bool = False) -> list[graph.PropertyRow]:
    """Every property name of the vault, its type and how many notes have it."""
    app.sync()
    return graph.properties(app.snapshot(), types=_declared_types(app), sort="count" if by_count else "name")


def properties_of(app: App, name: str) -> dict[str, Any]:
    """A note's properties as they stand."""
    app.sync()
    return dict(app.snapshot().notes[app.find(name)].properties)


class Measured:
    """The measures of the link graph, printable as a table."""

    def __init__(self, rows: list[Any]) -> None:
        self.rows = [row._asdict() for row in rows]

    def text(self, limit: int) -> str:
        """The first *limit* rows, in columns."""
        if not self.rows:
            return "no notes"
        names = list(self.rows[0])
        cells = [names, *([_cell(row[name]) for name in names] for row in self.rows[:limit])]
        widths = [max(len(line[at]) for line in cells) for at in range(len(names))]
        return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in cells)


def measures(app: App, *, csv_file: Path | None = None, graphml_file: Path | None = None) -> Measured:
    """Measures of every note, through obsidiantools and NetworkX; optionally written to files."""
    from vaultkit.store import interop

    app.sync()
    snapshot = app.snapshot()
    rows = interop.measures(snapshot)
    if csv_file is not None:
        interop.to_csv(rows, csv_file)
    if graphml_file is not None:
        interop.to_graphml(snapshot, graphml_file)
    return Measured(rows)


def _named(app: App, name: str) -> str:
    return graph.find_note(app.snapshot(), app.vault_path(name), files=True)


def _within(app: App, name: str | None) -> list[str] | None:
    return None if name is None else [app.find(name)]


def _declared_types(app: App) -> dict[str, str]:
    """`.obsidian/types.json`, where it can be read; types are else only guessed from the values."""
    declared = app.obsidian("types.json")[0].get("types")
    return {str(name): str(kind) for name, kind in declared.items()} if isinstance(declared, dict) else {}


def _cell(value: Any) -> str:
    return f"{value:.4f}" if isinstance(value, float) else " ".join(str(value).splitlines())
