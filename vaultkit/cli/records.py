"""record: decisions, failures, ideas."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from vaultkit.cli._shared import Face, common, many, printable_lines, shown, stdin_text, tell
from vaultkit.errors import UsageError

if TYPE_CHECKING:
    from vaultkit.operations.records import Recorded, Row
    from vaultkit.text.ids import RecordId


@click.group()
def record() -> None:
    """Record decisions, failures and ideas, and look them up.

    Each gets an id that is never given twice and stands in archive/YYYY/MM; a bare DEC-018 in any note links to it. What was decided before on
    the same matter, and the options that were turned down, are shown first.

    \b
    Examples:  vaultkit record list --about "cache for sessions"
               vaultkit record decision --goal "Sessions survive a restart" --option Redis --option "a table" \\
                   --decision "Redis" --why "we run it already" --scope work
               vaultkit record status DEC-018 retired --why "the service is gone"
    """


def _shared(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        click.option("--dry-run", is_flag=True, help="Only show what is known and what would be written."),
        click.option("--status", "status_word", default="", metavar="STATUS", help="active (採用), proposed (保留) or discarded (却下)."),
        click.option("--supersedes", multiple=True, metavar="ID", help="It takes the place of this one (repeat for several)."),
        click.option("--tag", "tags", multiple=True, help="A tag (repeat for several)."),
        click.option("--scope", default="", metavar="SCOPE", help="work, personal or project/NAME; else the working folder's."),
        click.option("--title", default="", help="Its title; else its first sentence."),
    ):
        command = option(command)
    return click.argument("text", nargs=-1, metavar="[TEXT… | -]")(command)


@record.command("decision")
@click.option("--goal", default="", help="What for.")
@click.option("--option", "options", multiple=True, help="One of the options (repeat for each).")
@click.option("--decision", default="", help="What was decided.")
@click.option("--why", default="", help="Why that and not the others.")
@_shared
@common(today=True)
def decision(face: Face, options: tuple[str, ...], **given: Any) -> None:
    """Record a decision: goal, options, decision, why.

    `-` reads a draft with these headings (or 目的, 選択肢, 決定, 理由) from standard input. Decisions of the scope on the same matter and
    what they turned down are shown before anything is written.

    \b
    Examples:  vaultkit record decision --goal "Fast sign-in" --option OIDC --option SAML --decision OIDC --why "one vendor, one library"
               vaultkit record decision - --supersedes DEC-012 < draft.md
    """
    _record(face, "decision", ("goal", "decision", "why"), options=options, **given)


@record.command("failure")
@click.option("--what", default="", help="What happened.")
@click.option("--cause", default="", help="Why it happened.")
@click.option("--lesson", default="", help="What to do instead; left out: the wording of the last failure of its pattern.")
@click.option("--pattern", default="", metavar="NAME", help="A name for failures of this kind, or the id of an earlier one.")
@click.option("--same-lesson", is_flag=True, help="Take the earlier wording of the lesson although --lesson is given.")
@_shared
@common(today=True)
def failure(face: Face, pattern: str, same_lesson: bool, **given: Any) -> None:
    """Record a failure: what happened, cause, lesson.

    Failures of the same pattern are shown first, and the wording of their lesson is offered, so that one lesson has one wording.

    \b
    Examples:  vaultkit record failure --what "The deploy ran without migrations" --cause "two pipelines" --lesson "Migrate in the deploy job"
               vaultkit record failure - --pattern stale-cache < draft.md
    """
    _record(face, "failure", ("what", "cause", "lesson"), pattern=pattern, same_lesson=same_lesson, **given)


@record.command("idea")
@click.option("--idea", default="", help="The idea.")
@click.option("--why", default="", help="What it would be good for.")
@_shared
@common(today=True)
def idea(face: Face, **given: Any) -> None:
    """Record an idea.

    \b
    Example:  vaultkit record idea "Render the board as a feed" --why "people ask for it" --scope project/board
    """
    _record(face, "idea", ("idea", "why"), **given)


@record.command("list")
@click.argument("kind", required=False, type=click.Choice(["decision", "failure", "idea", "proposal"]))
@click.option("--scope", default="", metavar="SCOPE", help="Only this scope.")
@click.option("--status", "words", multiple=True, metavar="STATUS", help="Only this status (repeat for several).")
@click.option("--about", default="", metavar="TEXT", help="Only what touches this, with the options that were turned down.")
@click.option("-n", "limit", type=click.IntRange(min=1), default=None, help="At most so many.")
@common()
def record_list(face: Face, kind: str | None, scope: str, words: tuple[str, ...], about: str, limit: int | None) -> None:
    """List records, newest first.

    \b
    Examples:  vaultkit record list decision --scope work
               vaultkit record list --about "cache for sessions"
    """
    from vaultkit.operations import records as operations
    from vaultkit.records.status import status_named

    with face.app() as app:
        found = operations.list_records(
            app, kind=kind or "", scope=scope, statuses=tuple(map(status_named, words)), about=about, limit=limit or 0
        )
    result = {"records": [row.as_dict() for row in found.rows], "of": found.of}
    face.show(result, lambda: printable_lines([line for row in found.rows for line in _row(row)] or ["no such record"]))


@record.command("status")
@click.argument("name", metavar="ID")
@click.argument("word", metavar="STATUS")
@click.option("--why", default="", help="The reason; it is kept in the note.")
@click.option("--dry-run", is_flag=True, help="Only say what would change.")
@common(today=True)
def record_status(face: Face, name: str, word: str, why: str, dry_run: bool) -> None:
    """Give a record another status: active, retired, discarded, proposed, processed.

    proposed → active or discarded; active → processed or retired; processed → retired; discarded → proposed. 採用, 却下 and 保留 are read.

    \b
    Example:  vaultkit record status DEC-018 retired --why "the service is gone"
    """
    from vaultkit.operations import records as operations

    with face.app() as app:
        done = operations.set_status(app, name, word, why=why, dry_run=dry_run)
    for line in done.warnings:
        tell(line)
    face.show(done._asdict(), printable_lines([f"{done.id}: {done.before} → {done.status}{' (nothing was written)' if dry_run else ''}"]))


@record.command("import")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--scope", default="", metavar="SCOPE", help="The scope of entries that name none.")
@click.option("--dry-run", is_flag=True, help="Only show what it holds.")
@common(today=True)
def record_import(face: Face, file: Path, scope: str, dry_run: bool) -> None:
    """Split an append-only log (headings like `## DEC-001: title`) into records.

    Nothing is lost: each record holds its piece word for word, a further note holds what belongs to none, and the counts of bytes are printed.
    Gaps and repeated ids are reported; an id that is taken gets a new number. Again it adds nothing.

    \b
    Examples:  vaultkit record import ~/old/decisions.md --dry-run
               vaultkit record import decisions.md
    """
    from vaultkit.operations import recordlogs as operations
    from vaultkit.text.edit import to_text

    with face.app() as app:
        name = file.name
        if str(file) == "-":
            text, name = stdin_text(), "log"
        else:
            place = file if file.exists() else app.root / file
            try:
                text = to_text(place.read_bytes())
            except OSError as error:
                raise UsageError(f"{file}: {error.strerror}", hint="give a file, or - for standard input") from error
            inside = app.vault_path(str(place.resolve()))
            name = name if inside.startswith("/") else inside
        done = operations.import_log(app, text, name=name, scope=scope, cwd=Path.cwd(), dry_run=dry_run)
    plan = done.plan
    result = {
        "records": [{"id": str(e.given), "path": e.path, "title": e.title, "line": e.line, "was": str(e.record)} for e in plan.entries],
        "already": list(map(str, plan.already)),
        "gaps": list(map(str, plan.gaps)),
        "duplicates": [
            {"id": str(one.record), "line": one.line, "given": str(one.given) if one.given else None} for one in plan.duplicates
        ],
        "rest": plan.rest or None,
        "bytes": {"total": plan.size, "records": plan.in_records, "rest": plan.in_rest, "already": plan.in_vault},
        "warnings": list(done.warnings),
        "dry_run": dry_run,
    }
    lines = [f"{entry.given}  {entry.title}" + (f"  (was {entry.record})" if entry.given != entry.record else "") for entry in plan.entries]
    lines += [f"gap: {run}" for run in _runs(plan.gaps)]
    lines += [
        f"line {one.line}: {one.record} again, " + (f"kept as {one.given}" if one.given else "word for word, kept with the rest")
        for one in plan.duplicates
    ]
    lines += [f"{one} is in the vault already" for one in plan.already]
    lines += [f"what belongs to no record: {plan.rest}"] if plan.rest else []
    lines.append(
        f"{plan.size:,} bytes: {plan.in_records:,} in {many(len(plan.entries), 'record')}, {plan.in_rest:,} beside them, "
        f"{plan.in_vault:,} already there{' (nothing was written)' if dry_run else ''}"
    )
    face.show(result, lambda: printable_lines([*lines, *done.warnings]))


@record.command("renumber")
@click.option("--dry-run", is_flag=True, help="Only show what would be renumbered.")
@common(today=True)
def record_renumber(face: Face, dry_run: bool) -> None:
    """Give records that share an id, after a sync, a number each; links follow.

    The older one keeps its number. A link that names only the id follows the record whose words stand around it; where that cannot be told it
    stays, and is named.

    \b
    Example:  vaultkit record renumber --dry-run
    """
    from vaultkit.operations import recordlogs as operations

    with face.app() as app:
        done = operations.renumber(app, dry_run=dry_run)
    lines = []
    for one in done.records:
        lines.append(f"{one.path} → {one.to} ({many(one.links, 'link')} with it); {one.kept_by} keeps {one.record}")
        lines += [f"    unsure, left: {place}" for place in one.unsure]
    result = {
        "renumbered": [one._asdict() | {"record": str(one.record), "given": str(one.given)} for one in done.records],
        "warnings": list(done.warnings),
        "dry_run": dry_run,
    }
    face.show(result, lambda: printable_lines([*lines, *done.warnings] or ["every id stands once"]))


@record.command("lists")
@click.option("--dry-run", is_flag=True, help="Only name what would change.")
@common(today=True)
def record_lists(face: Face, dry_run: bool) -> None:
    """Make decisions.md and failures.md anew from the records.

    Every command here does so by itself; this is for after a sync or edits by hand. What was written into a list by hand is kept in a note.

    \b
    Example:  vaultkit record lists
    """
    from vaultkit.operations import records as operations

    with face.app() as app:
        paths, told = operations.rebuild_lists(app, dry_run=dry_run)
    lines = [
        *told,
        f"{many(len(paths), 'note')} {'would change' if dry_run else 'changed'}: {', '.join(paths)}" if paths else "nothing to change",
    ]
    face.show({"changed": paths, "warnings": told, "dry_run": dry_run}, printable_lines(lines))


def _record(
    face: Face,
    kind: str,
    names: tuple[str, ...],
    *,
    text: tuple[str, ...],
    title: str,
    scope: str,
    tags: tuple[str, ...],
    supersedes: tuple[str, ...],
    status_word: str,
    dry_run: bool,
    options: tuple[str, ...] = (),
    pattern: str = "",
    same_lesson: bool = False,
    **given: str,
) -> None:
    from vaultkit.operations import records as operations
    from vaultkit.records.draft import NEEDED, Draft, marked_option, parse_draft
    from vaultkit.records.status import status_named

    flags = {name: given[name] for name in names if given[name].strip()}
    if text and text != ("-",):
        if NEEDED[kind] in flags:
            raise UsageError(f"--{NEEDED[kind]} and a text say the same part", hint="give one of them")
        flags[NEEDED[kind]] = " ".join(text)
    made = parse_draft(stdin_text(), kind) if text == ("-",) else Draft(kind, {})
    if flags or options:  # they complete a draft; its own text would not show them
        made = made._replace(parts={**made.parts, **flags}, options=tuple(map(marked_option, options)) or made.options, body="")
    made = made._replace(
        title=title or made.title,
        scope=scope or made.scope,
        tags=tags or made.tags,
        pattern=pattern or made.pattern,
        supersedes=supersedes or made.supersedes,
        status=status_named(status_word) if status_word else made.status,
    )
    with face.app() as app:
        done = operations.record(
            app,
            operations.Ask(made, Path.cwd(), same_lesson, dry_run),
            offer=_offer if sys.stdin.isatty() and not face.as_json else None,
        )
    face.show(done.as_dict(), lambda: printable_lines(list(_lines(done))))


def _offer(lesson: str, row: Row) -> bool:
    return click.confirm(shown(f"{row.id} words its lesson: {lesson}\nUse that wording?"), default=True, err=True)


def _lines(done: Recorded) -> list[str]:
    lines: list[str] = []
    if done.related:
        lines += ["decided before:", *(f"  {line}" for row in done.related for line in _row(row)), ""]
    if done.past:
        lines += ["failures of this pattern:", *(f"  {line}" for row in done.past for line in _row(row)), ""]
    lines.append(f"{done.id}  {done.title}  ({done.scope}, {done.status})")
    lines.append(f"  {done.path}{'  (nothing was written)' if done.dry_run else ''}")
    lines += [f"  supersedes {name}" for name in done.superseded]
    if done.offered:
        same = done.draft.parts.get("lesson") == done.offered
        lines.append(
            f"  lesson, as worded before: {done.offered}" if same else f"  an earlier one words the lesson: {done.offered} (--same-lesson)"
        )
    lines += [f"  note: {line}" for line in done.warnings]
    return [part for line in lines for part in line.split("\n")]


def _row(row: Row) -> list[str]:
    state = f"superseded by {row.superseded_by}" if row.superseded_by else row.status
    lines = [f"{row.id}  {row.date}  {row.title}  ({', '.join(filter(None, (row.scope, state)))})"]
    lines += [f"    not taken: {text}" for text in row.rejected]
    lines += [f"    lesson: {line}" for line in row.lesson.splitlines()[:2] if line]
    return lines


def _runs(gaps: Sequence[RecordId]) -> list[str]:
    """Missing ids, those that follow each other on one line."""
    runs: list[list[RecordId]] = []
    for missing in gaps:
        if runs and (missing.kind, missing.number) == (runs[-1][-1].kind, runs[-1][-1].number + 1):
            runs[-1].append(missing)
        else:
            runs.append([missing])
    return [f"{run[0]} stands nowhere" if len(run) == 1 else f"{run[0]} to {run[-1]} stand nowhere" for run in runs]
