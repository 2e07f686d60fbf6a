"""The journal of dreams, in the activity log and the undo history: what was done, what was taken back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from vaultkit import dream as engine
from vaultkit.app import App
from vaultkit.errors import NotFoundError
from vaultkit.store.vault import Undone

COMMAND: Final = "dream"
REVIEW: Final = "dream review"


def undo(app: App, run: str, *, dry_run: bool = False) -> Undone:
    """Put back what a dream changed. Raises NotFoundError for a run that is no dream's."""
    if not any(one.id == run and one.command in {COMMAND, REVIEW} for one in app.files.runs(limit=1000)):
        raise NotFoundError(f"no dream has the run id {run!r}", hint="`vaultkit dream log` lists the runs")
    pruned = [list(link) for row in app.activity.read(events=("dream",)) if row.get("run") == run for link in _triples(row.get("pruned"))]
    undone = app.files.undo(run=run, now=app.clock(), dry_run=dry_run)
    if not dry_run:
        app.activity.append("dream", t=app.clock(), undone=run, pruned=[list(link) for link in _links_of(app, run)], links=pruned)
        app.catch_up()
    return undone


def made_links(app: App) -> list[engine.Made]:
    """Links that dreams wrote and did not take back, by the journal in the activity log."""
    found: dict[tuple[str, str], engine.Made] = {}
    for row in app.activity.read(events=("dream",)):
        for source, target, score in _triples(row.get("links")):
            found[source, target] = engine.Made(source, target, score)
        for source, target, _ in _triples(row.get("pruned")):
            found.pop((source, target), None)
    return list(found.values())


class Logged(NamedTuple):
    """One dream of the past."""

    t: str
    run: str
    counts: Mapping[str, int]
    undone: bool


def log(app: App, *, limit: int = 20) -> list[Logged]:
    """The dreams that changed something, newest first."""
    undone = {run.id: bool(run.undone) for run in app.files.runs(limit=1000) if run.command == COMMAND}
    rows = [row for row in app.activity.read(events=("dream",)) if row.get("run")]
    return [
        Logged(str(row.get("t", "")), str(row["run"]), dict(row.get("counts") or {}), undone.get(str(row["run"]), False))
        for row in reversed(rows[-limit:])
    ]


def _links_of(app: App, run: str) -> list[tuple[str, str, float]]:
    return [triple for row in app.activity.read(events=("dream",)) if row.get("run") == run for triple in _triples(row.get("links"))]


def undone(app: App) -> frozenset[str]:
    """Captures whose dream a person took back: the next hour must not do it again."""
    rows = list(app.activity.read(events=("dream",)))
    taken_back = {run.id for run in app.files.runs(limit=1000) if run.command == COMMAND and run.undone}
    taken_back |= {str(row["undone"]) for row in rows if row.get("undone")}
    found: set[str] = set()
    for row in rows:
        named = row.get("originals") if row.get("run") in taken_back else row.get("turned_down")
        found.update(path for path in (named if isinstance(named, list) else ()) if isinstance(path, str))
    return frozenset(found)


def _triples(value: Any) -> Iterable[tuple[str, str, float]]:
    for row in value if isinstance(value, list) else ():
        if (
            isinstance(row, list)
            and len(row) == 3
            and isinstance(row[0], str)
            and isinstance(row[1], str)
            and isinstance(row[2], (int, float))
        ):
            yield row[0], row[1], float(row[2])
