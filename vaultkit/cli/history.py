"""undo, history, autocommit."""

from __future__ import annotations

from datetime import datetime, timedelta

import click

from vaultkit.cli._shared import Face, common, many, printable_lines
from vaultkit.errors import UsageError


@click.command()
@click.option("--run", default="", metavar="ID", help="This run (`vaultkit history` lists them).")
@click.option("--session", default="", metavar="ID", help="Every run of this session.")
@click.option("--since", default="", metavar="TIME", help="Every run since then: 2026-11-30T09:00, 2h, 30m, 1d.")
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@common()
def undo(face: Face, run: str, session: str, since: str, dry_run: bool) -> None:
    """Take back what vaultkit changed.

    Without an option the last run is taken back. A file that was changed since is left alone and reported; an undo is a run of its own,
    and `vaultkit undo --run` takes it back too.
    """
    if sum(map(bool, (run, session, since))) > 1:
        raise UsageError("give one of --run, --session, --since", hint="`vaultkit history` shows the runs")
    from vaultkit.operations import history as operations

    with face.app() as app:
        undone = operations.undo(app, run=run, session=session, since=_since(since, app.clock()) if since else None, dry_run=dry_run)
    result = {
        "runs": list(undone.runs),
        "restored": list(undone.restored),
        "conflicts": [left._asdict() for left in undone.conflicts],
        "undo_runs": list(undone.by),
        "dry_run": dry_run,
    }
    lines = [f"{'would restore' if dry_run else 'restored'} {path}" for path in undone.restored]
    lines += [f"left alone {left.path}: {left.reason}" for left in undone.conflicts]
    lines += [f"`vaultkit undo --run {run}` takes this back" for run in undone.by]
    face.show(result, printable_lines(lines) or "nothing to undo")
    if undone.conflicts:
        raise click.exceptions.Exit(4)


@click.command()
@click.option("-n", "limit", type=click.IntRange(1), default=20, show_default=True, help="How many runs.")
@common()
def history(face: Face, limit: int) -> None:
    """What vaultkit changed, newest first."""
    from vaultkit.operations import history as operations

    with face.app() as app:
        runs = operations.history(app, limit=limit)
    rows = [
        {
            "id": run.id,
            "time": run.time,
            "command": run.command,
            "session": run.session,
            "undone": run.undone,
            "changes": [change._asdict() for change in run.changes],
        }
        for run in runs
    ]
    lines = [
        f"{run.id}  {run.time[:16]}  {many(len(run.changes), 'file')}  {run.command}{'  (undone)' if run.undone else ''}" for run in runs
    ]
    face.show(rows, printable_lines(lines) or "nothing was changed yet")


@click.command()
@click.option("--yes", "allow_outer", is_flag=True, help="Also when the repository's root is above the vault.")
@click.option("-m", "message", default="", help="The commit's message.")
@common()
def autocommit(face: Face, allow_outer: bool, message: str) -> None:
    """Commit the vault if anything changed.

    Never in a merge or rebase, never with conflict markers, never pushed. Exits 0 either way, with one line that says what happened.
    """
    from vaultkit.operations import history as operations

    with face.app() as app:
        done = operations.autocommit(app, message=message, allow_outer=allow_outer)
    face.show(done._asdict(), done.reason)


def _since(word: str, now: datetime) -> datetime:
    units = {"m": "minutes", "h": "hours", "d": "days"}
    if word[-1:] in units and word[:-1].isdigit():
        return now - timedelta(**{units[word[-1]]: int(word[:-1])})
    try:
        return datetime.fromisoformat(word)
    except ValueError:
        raise UsageError(f"--since: {word!r} is no time", hint="write 2026-11-30T09:00, or 30m, 2h, 1d ago") from None
