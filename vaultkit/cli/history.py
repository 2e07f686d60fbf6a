"""undo, history, autocommit."""

from __future__ import annotations

from datetime import datetime, timedelta

import click

from vaultkit.cli._shared import Face, common, many, printable_lines
from vaultkit.errors import UsageError


@click.command()
@click.option("--run", metavar="ID", help="This run (`vaultkit history` lists them).")
@click.option("--session", metavar="ID", help="Every run of this session.")
@click.option("--since", metavar="TIME", help="Every run since then: 2026-11-30T09:00, 2h, 30m, 1d.")
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@common()
def undo(face: Face, run: str | None, session: str | None, since: str | None, dry_run: bool) -> None:
    """Take back what vaultkit changed.

    Without an option the last run is taken back. A file that was changed since is left alone and reported; an undo is a run of its own,
    and `vaultkit undo --run` takes it back too.
    """
    given = {name: word for name, word in (("--run", run), ("--session", session), ("--since", since)) if word is not None}
    if len(given) > 1:
        raise UsageError("give one of --run, --session, --since", hint="`vaultkit history` shows the runs")
    for name, word in given.items():
        if not word.strip():  # an empty shell variable must not take back something else
            raise UsageError(f"{name} is empty", hint="`vaultkit history` shows the runs; without an option the last one is taken back")
    from vaultkit.operations import history as operations

    with face.app() as app:
        start = _since(since, app.clock()) if since else None
        undone = operations.undo(app, run=run or "", session=session or "", since=start, dry_run=dry_run)
    result = {
        "runs": list(undone.runs),
        "restored": list(undone.restored),
        "conflicts": [left._asdict() for left in undone.conflicts],
        "undo_runs": list(undone.by),
        "dry_run": dry_run,
    }
    lines = [f"{'would put back as it was:' if dry_run else 'put back as it was:'} {path}" for path in undone.restored]
    lines += [f"left alone {left.path}: {left.reason}" for left in undone.conflicts]
    lines += [f"`vaultkit undo --run {by}` takes this back" for by in undone.by]
    if undone.conflicts and not undone.restored:
        lines.append("`vaultkit history` lists older runs; `vaultkit undo --run ID` takes one of them back")
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
    units = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
    try:
        if word[-1:] in units and word[:-1].isdecimal():
            return (now - timedelta(**{units[word[-1]]: int(word[:-1])})).astimezone()
        return datetime.fromisoformat(word).astimezone()
    except (ValueError, OverflowError):
        raise UsageError(f"--since: {word!r} is no time", hint="write 2026-11-30T09:00, or 30m, 2h, 1d, 1w ago") from None
