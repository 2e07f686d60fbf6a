"""init."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from vaultkit.cli._shared import Face, common, many
from vaultkit.errors import UsageError


@click.command()
@click.argument("path", required=False)
@click.option("--dry-run", is_flag=True, help="Only show what would be made.")
@common()
def init(face: Face, path: str | None, dry_run: bool) -> None:
    """Make a new vault, or adopt an existing folder without touching a note.

    An empty or missing folder becomes a vault from the template, in git. A folder with files in it is adopted: only .vaultkit.toml is
    written, with what vaultkit found out about it.

    \b
    Examples:  vaultkit init ~/notes
               cd ~/my-vault && vaultkit init
    """
    from vaultkit.config import here
    from vaultkit.operations import vault as operations

    if path is not None and face.vault is not None and Path(path).absolute() != Path(face.vault).absolute():
        raise UsageError("two places are named", hint="give PATH or --vault, not both")
    named = face.vault if path is None else path
    if named is not None and not named.strip():
        raise UsageError("the folder's name is empty", hint="name a folder, like ~/notes")
    where = here() if named is None else Path(named)
    with face.progress("reading notes") as progress:
        made = operations.init(where, progress=progress, dry_run=dry_run)
    result: dict[str, object] = {"path": str(made.path), "created": list(made.created), "adopted": made.adopted}
    if dry_run:
        result["dry_run"] = True
    if made.report:
        result["report"] = made.report._asdict()
    if not made.adopted:
        lines = [f"{'would make' if dry_run else 'made'} a vault at {made.path} ({many(len(made.created), 'file')})"]
        lines += [made.repository] if made.repository else []
        lines += ["", f'next: vaultkit capture --vault {shlex.quote(str(made.path))} "Send the slides to Priya by Friday"']
    else:
        report = made.report
        assert report is not None
        lines = [f"{'would adopt' if dry_run else 'adopted'} {made.path}", f"{many(report.notes, 'note')}, 0 changed"]
        lines += [f"  {name} = {value!r}" for name, value in report.guesses.items()]
        lines += (
            [f"{many(report.prose_dates, 'date')} in prose that nothing warns about (`vaultkit lint` shows them)"]
            if report.prose_dates
            else []
        )
        lines += [f"{many(report.unparsable, 'date')} in fields that cannot be read"] if report.unparsable else []
        lines += [f"{many(report.broken_yaml, 'note')} with frontmatter that cannot be read"] if report.broken_yaml else []
        lines += [f"{many(report.skipped, 'file')} skipped (`vaultkit sync` says why)"] if report.skipped else []
        lines += [f"{'would write' if dry_run else 'wrote'} {name}" for name in made.created]
    face.show(result, "\n".join(lines))
