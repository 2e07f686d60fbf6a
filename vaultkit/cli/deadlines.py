"""lookahead, lint."""

from __future__ import annotations

import difflib
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from vaultkit.cli._shared import Face, common, many, one_line, printable_lines, tell
from vaultkit.errors import UsageError

if TYPE_CHECKING:
    from vaultkit.agenda import Lookahead


@click.group(invoke_without_command=True)
@click.option(
    "--level",
    type=click.Choice(["today", "soon", "week", "month"]),
    default="week",
    show_default=True,
    help="How far to look; month: trackers too.",
)
@click.option("--quiet", is_flag=True, help="Print nothing when nothing is near and all could be read.")
@click.option("--ics", is_flag=True, help="Print an iCalendar file.")
@click.option("--exit-zero", is_flag=True, help="Exit 0 although there is something to warn about.")
@click.option("--line", "one_line", is_flag=True, help='One line, like "2 overdue, 1 today".')
@click.option("--to-daily", is_flag=True, help="Write the warnings into the daily note.")
@click.option("--notify", "notice", is_flag=True, help="Raise a desktop notice.")
@common(today=True)
@click.pass_context
def lookahead(
    ctx: click.Context, face: Face, level: str, quiet: bool, ics: bool, exit_zero: bool, one_line: bool, to_daily: bool, notice: bool
) -> None:
    """Warn about deadlines, from the fields.

    Exits 0 when nothing is near, 1 when something is, 3 when something could not be read (no note at all counts): then nothing can be
    promised. Dates in prose that no field holds are named in the footer.

    \b
    Examples:  vaultkit lookahead
               vaultkit lookahead --level month --today 2026-12-22
               vaultkit lookahead done k3f9a1
               vaultkit lookahead snooze k3f9a1 3d
    """
    if ctx.invoked_subcommand is not None:
        ctx.obj = face
        return
    if ics and face.as_json:
        raise UsageError("--ics and --json are two formats", hint="give one of them")
    from vaultkit import agenda
    from vaultkit.operations import deadlines

    with face.app() as app, face.progress("reading notes") as progress:
        look = deadlines.lookahead(app, level=level, progress=progress)  # type: ignore[arg-type]
        if to_daily and (look.items or look.unparsable or look.prose_dates):
            path = deadlines.to_daily(app, look)
            if not quiet:
                tell(f"written into {path}")
        if notice and app.config.notify and (told := deadlines.notify(look)):
            tell(told)
    if ics:
        sys.stdout.flush()
        sys.stdout.buffer.write(deadlines.to_ics(look, stamp=datetime.now(UTC)))
        sys.stdout.buffer.flush()
    elif one_line and not face.as_json:
        line = agenda.summary(look)
        if line or not quiet:
            click.echo(line)
    elif not (quiet and look.exit_code == 0):
        face.show(agenda.to_json(look), lambda: printable_lines(agenda.render(_named_in_one_line(look)).split("\n")))
    raise click.exceptions.Exit(0 if exit_zero else look.exit_code)


@lookahead.command("done")
@click.argument("item_id", metavar="ID")
@click.option("--dry-run", is_flag=True, help="Only show what would change.")
@common(today=True)
def lookahead_done(face: Face, item_id: str, dry_run: bool) -> None:
    """Close an item; a repeating one gets its next occurrence."""
    from vaultkit.operations import deadlines

    with face.app() as app:
        _changed(face, deadlines.done(app, item_id, dry_run=dry_run), item_id, "done")


@lookahead.command("snooze")
@click.argument("item_id", metavar="ID")
@click.argument("when")
@click.option("--dry-run", is_flag=True, help="Only show what would change.")
@common(today=True)
def lookahead_snooze(face: Face, item_id: str, when: str, dry_run: bool) -> None:
    """Hide an item until WHEN (3d, 2w, 2026-12-05), never beyond its deadline."""
    from vaultkit.operations import deadlines

    with face.app() as app:
        _changed(face, deadlines.snooze(app, item_id, when, dry_run=dry_run), item_id, f"snoozed ({when})")


@click.command()
@click.argument("note", required=False)
@click.option("--fix", is_flag=True, help="Do what is certain: place dates, settle ticks, derive `due`, write alias links.")
@click.option("--dry-run", is_flag=True, help="With --fix: only show the changes.")
@click.option(
    "--rule", "rules", multiple=True, metavar="RULE", help="Only this rule (repeat for several); with --fix: only notes that break it."
)
@click.option("--info", is_flag=True, help="Show information too, not only what should be mended.")
@common(today=True)
def lint(face: Face, note: str | None, fix: bool, dry_run: bool, rules: tuple[str, ...], info: bool) -> None:
    """Find dates in prose that nothing warns about, broken links, bad YAML.

    Exits 1 when there is something to mend. Relative dates ("by Friday") are understood from the note's own date, never from today.

    \b
    Rules:  prose-date unparsable-date tick-mismatch due-mismatch broken-link ambiguous-link alias-link bad-yaml conflict-copy
            duplicate-id; as information only: no-description stale-description bare-record
    Examples:  vaultkit lint
               vaultkit lint --fix --dry-run
               vaultkit lint --fix --rule bare-record
    """
    from vaultkit.operations import deadlines

    if unknown := [rule for rule in rules if rule not in deadlines.RULES]:
        near = difflib.get_close_matches(unknown[0], deadlines.RULES, n=1)
        raise UsageError(f"no rule named {unknown[0]!r}", hint=f"did you mean {near[0]}?" if near else "`vaultkit lint --help` lists them")
    with face.app() as app, face.progress("reading notes") as progress:
        found = (
            deadlines.fix(app, only=note, rules=rules, dry_run=dry_run, progress=progress)
            if fix or dry_run
            else deadlines.lint(app, only=note, progress=progress)
        )
    problems = [problem for problem in found.problems if not rules or problem.rule in rules]
    result: dict[str, object] = {"problems": [problem._asdict() for problem in problems], "notes_read": found.notes_read}
    if fix or dry_run:
        result |= {
            "dry_run": dry_run,
            "changed": [change.path for change in found.changes],
            "diff": "".join(change.diff for change in found.changes),
            "run": found.run,
        }
    shown = [problem for problem in problems if info or problem.rule not in deadlines.INFO_RULES]
    lines = [change_line for change in found.changes for change_line in change.diff.splitlines()]
    if found.changes:
        lines.append(
            f"{'would change' if dry_run else 'changed'} {many(len(found.changes), 'note')}"
            + ("" if dry_run else f" (`vaultkit undo --run {found.run}` takes it back)")
        )
    for problem in shown:
        lines.append(f"{problem.path}:{problem.line}  {problem.rule}: {problem.message}")
        if problem.fix:
            lines.append(f"    → {problem.fix}")
    quiet = len(problems) - len(shown)
    lines.append(
        f"{many(len(shown), 'problem')} in {many(found.notes_read, 'note')}" + (f"; {quiet} for information (--info)" if quiet else "")
    )
    face.show(result, lambda: printable_lines(lines))
    raise click.exceptions.Exit(1 if any(problem.rule not in deadlines.INFO_RULES for problem in problems) else 0)


def _named_in_one_line(look: Lookahead) -> Lookahead:
    """*look* with file names that cannot look like lines of its own."""
    return look._replace(
        items=tuple(due._replace(item=due.item._replace(path=one_line(due.item.path))) for due in look.items),
        unparsable=tuple(found._replace(path=one_line(found.path)) for found in look.unparsable),
        prose_dates=tuple(found._replace(path=one_line(found.path)) for found in look.prose_dates),
    )


def _changed(face: Face, change: object, item_id: str, verb: str) -> None:
    from vaultkit.operations.deadlines import Change

    assert isinstance(change, Change)
    face.show(
        {"id": item_id, "path": change.path, "changed": bool(change.diff), "diff": change.diff},
        lambda: printable_lines(change.diff.splitlines()) or f"{item_id}: nothing to change",
    )
    if change.diff and not face.as_json:
        click.echo(f"{item_id} {verb}")
