"""capture, intake, research."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from vaultkit.cli._shared import Face, common, many, printable_lines, stdin_text
from vaultkit.errors import UsageError

if TYPE_CHECKING:
    from vaultkit.operations.research import Unfinished


@click.command()
@click.argument("text", nargs=-1)
@click.option("--from", "note", default="", metavar="NOTE", help="Give this note its fields instead; its text stays as it is.")
@click.option("--as", "scope", default="", metavar="SCOPE", help="work, personal or project/NAME; else vaultkit decides.")
@click.option("--type", "kind", default="", metavar="TYPE", help="The note's type; else braindump.")
@click.option("--title", default="", help="The note's title; else its first sentence.")
@click.option("--dry-run", is_flag=True, help="Only show the receipt.")
@common(today=True)
def capture(face: Face, text: tuple[str, ...], note: str, scope: str, kind: str, title: str, dry_run: bool) -> None:
    """File a line, a dump or a URL; deadlines go into fields (/braindump).

    Nothing is asked: vaultkit decides, files and prints a receipt that names every date it saw. The text is kept byte for byte. Only a URL
    that stands alone is fetched. `-` reads standard input.

    \b
    Examples:  vaultkit capture "Send the slides to Priya by Friday"
               vaultkit capture 歯医者の予約を来週の火曜までに取る
               vaultkit capture https://example.org/article
               pbpaste | vaultkit capture -
               vaultkit capture -- "-1 degrees tonight, cover the plants"
    """
    from vaultkit.operations import capture as operations

    if note:
        if text:
            raise UsageError("--from takes the note's own text", hint="leave the other words out")
        with face.app() as app:
            taken = operations.intake(app, only=note, ask=operations.Ask("", scope, kind, title), dry_run=dry_run)
        _show(face, taken.receipts[0], dry_run=dry_run, diff=taken.diffs[0] if dry_run else "")
        return
    if not text:
        raise UsageError("what shall be captured?", hint='give a line ("…"), an address, or - for standard input')
    words = stdin_text() if text == ("-",) else " ".join(text)
    url = words.strip() if len(text) == 1 and text != ("-",) and _is_url(words) else ""
    with face.app() as app:
        receipt = operations.capture(app, operations.Ask(words, scope, kind, title, url, dry_run))
    _show(face, receipt, dry_run=dry_run)


@click.command()
@click.option("--dry-run", is_flag=True, help="Only show what would change.")
@common(today=True)
def intake(face: Face, dry_run: bool) -> None:
    """Give notes typed in Obsidian's inbox their fields.

    A note is left alone until it has been quiet for 10 minutes (setting intake_minutes), and so is one that has fields already. Its text stays
    byte for byte.
    """
    from vaultkit.operations import capture as operations

    with face.app() as app, face.progress("reading notes") as progress:
        taken = operations.intake(app, dry_run=dry_run, progress=progress)
    result: dict[str, object] = {
        "notes": [receipt.as_dict() for receipt in taken.receipts],
        "waiting": [waiting._asdict() for waiting in taken.waiting],
        "dry_run": dry_run,
    }
    if dry_run:
        result["diff"] = "".join(taken.diffs)
    lines = [line for receipt in taken.receipts for line in (*str(receipt).split("\n"), "")]
    if dry_run:
        lines += [line for diff in taken.diffs for line in diff.splitlines()]
    fresh = [waiting for waiting in taken.waiting if "fields already" not in waiting.reason]
    lines += [f"left alone: {waiting.path}: {waiting.reason}" for waiting in fresh]
    lines.append(f"{many(len(taken.receipts), 'note')} {'would get' if dry_run else 'got'} fields, {len(taken.waiting)} left alone")
    face.show(result, lambda: printable_lines(lines))


@click.group()
def research() -> None:
    """Store findings that have a source on every claim.

    A claim is a top-level bullet under "## Findings"; its source a URL or a wikilink in it. `begin` marks a question as being worked on, so
    that a session does not end with findings nobody stored; `save` takes the mark away.

    \b
    Examples:  vaultkit research begin "Which CRDT library keeps undo?"
               vaultkit research save findings.md
               vaultkit research status
    """


@research.command("begin")
@click.argument("question", nargs=-1, required=True)
@click.option("--session", default="", metavar="ID", help="The session that works on it; else VAULTKIT_SESSION.")
@common()
def research_begin(face: Face, question: tuple[str, ...], session: str) -> None:
    """Mark QUESTION as being worked on.

    \b
    Example:   vaultkit research begin "Which CRDT library keeps undo?"
    """
    from vaultkit.operations import research as operations

    with face.app() as app:
        begun = operations.begin(app, " ".join(question), session=session)
    face.show(_marker(begun), lambda: printable_lines([f"begun      {begun.question} [{begun.id}]"]))


@research.command("status")
@click.option("--session", default=None, metavar="ID", help="Only what the end of a turn of this session should ask about.")
@click.option("--drop", default="", metavar="ID", help="Give this question up.")
@common()
def research_status(face: Face, session: str | None, drop: str) -> None:
    """Show research that was begun and not stored.

    \b
    Examples:  vaultkit research status
               vaultkit research status --drop 1f3a9c2e
    """
    from vaultkit.operations import research as operations

    with face.app() as app:
        dropped = operations.drop(app, drop) if drop else None
        found = operations.standing(app) if session is None else operations.unfinished_research(app, session)
    lines = [f"dropped    {dropped.question} [{dropped.id}]"] if dropped else []
    lines += [f"unfinished {one.question} [{one.id}] since {one.started:%Y-%m-%d %H:%M}" for one in found]
    lines += [] if lines else ["no research is under way"]
    face.show({"unfinished": [_marker(one) for one in found]}, lambda: printable_lines(lines))


def _marker(one: Unfinished) -> dict[str, str]:
    return {**one._asdict(), "started": one.started.isoformat(timespec="seconds")}


@research.command("save")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--as", "scope", default="", metavar="SCOPE", help="work, personal or project/NAME.")
@click.option("--title", default="", help="The note's title; else the findings' first heading.")
@click.option("--id", "marker", default="", metavar="ID", help="The research that this ends, as `begin` told; else the one that fits.")
@click.option("--dry-run", is_flag=True, help="Only show the receipt.")
@common(today=True)
def research_save(face: Face, file: Path, scope: str, title: str, marker: str, dry_run: bool) -> None:
    """Store findings from FILE, or from standard input with -.

    A claim without a source is refused (exit 5); the text is then kept as a proposal, so nothing is lost.

    \b
    Examples:  vaultkit research save findings.md
               vaultkit research save - --as work < findings.md
    """
    from vaultkit.operations import research as operations
    from vaultkit.operations.capture import Ask
    from vaultkit.text.edit import to_text

    if str(file) == "-":
        text = stdin_text()
    else:
        try:
            text = to_text(file.read_bytes())
        except OSError as error:
            raise UsageError(f"{file}: {error.strerror}", hint="give a file of findings, or - for standard input") from error
    with face.app() as app:
        saved = operations.save(app, Ask(text, scope, "", title, dry_run=dry_run), only=marker)
    if saved.refusal is not None:
        if not face.as_json:
            _show(face, saved.receipt, dry_run=dry_run)
        raise saved.refusal
    _show(face, saved.receipt, dry_run=dry_run)


def _is_url(text: str) -> bool:
    from vaultkit.capture.request import is_url

    return is_url(text)


def _show(face: Face, receipt: object, *, dry_run: bool, diff: str = "") -> None:
    from vaultkit.capture import Receipt

    assert isinstance(receipt, Receipt)
    result = receipt.as_dict()
    if dry_run:
        result["dry_run"] = True
    text = str(receipt) if not dry_run else f"{receipt}\n(nothing was written)"
    face.show(result, printable_lines([*text.split("\n"), *diff.splitlines()]))
