"""query."""

from __future__ import annotations

import sys
import unicodedata
from typing import TYPE_CHECKING, Any

import click

from vaultkit.cli._shared import Face, common, many, one_line, shown, stdin_text, tell
from vaultkit.errors import UsageError

if TYPE_CHECKING:
    from vaultkit.dql.execute import Result

_FORMATS = ("table", "markdown", "json", "csv")


@click.command()
@click.argument("dql", required=False)
@click.option("--format", "format_", type=click.Choice(_FORMATS), help="How to print the answer; on its own: table.")
@click.option("--origin", metavar="NOTE", help="The note that the query stands in: `this`, and where its links start.")
@click.option("--file", "file_", metavar="NOTE", help="Run every query of this note in place of Dataview.")
@click.option("--write", is_flag=True, help="With --file: put each block's result behind it, between marks.")
@click.option("--dry-run", is_flag=True, help="With --write: show what would change.")
@click.option("--live", is_flag=True, help="Ask Dataview in the running Obsidian (a TABLE; plugin Local REST API below 4.0).")
@click.option("--seconds", type=click.FloatRange(0, min_open=True), default=5.0, show_default=True, help="That one query may take.")
@common(today=True)
def query(
    face: Face,
    dql: str | None,
    format_: str | None,
    origin: str | None,
    file_: str | None,
    write: bool,
    dry_run: bool,
    live: bool,
    seconds: float,
) -> None:
    """Answer a Dataview query (TABLE, LIST, TASK, CALENDAR) without Obsidian.

    DQL is the query, `-` reads it from standard input. Rows that an expression fails on are left out, as in Dataview; how many and why
    is told on stderr. What differs from Dataview: docs/dql.md.

    \b
    Examples:  vaultkit query 'TABLE due, status FROM #project WHERE due SORT due'
               vaultkit query 'LIST FROM [[home]]' --format markdown
               vaultkit query --file dashboards/deadlines.md --write
               vaultkit query --live 'TABLE due FROM #project'
    """
    if (dql is None) == (file_ is None):
        raise UsageError("give one query, or a note with --file", hint="vaultkit query 'LIST FROM #project'")
    if (write and file_ is None) or (dry_run and not write):
        raise UsageError("--write goes with --file, --dry-run with --write", hint="vaultkit query --file NOTE --write --dry-run")
    if origin is not None and file_ is not None:
        raise UsageError("--file NOTE is its own --origin", hint="leave --origin out")
    if live and (origin is not None or file_ is not None or face.as_if):
        raise UsageError("--live takes the query alone", hint="Obsidian knows no --origin, --file or --today")
    form = "json" if face.as_json else format_ or "table"
    face.as_json = form == "json"
    if file_ is not None:
        _file(face, file_, form, write=write, dry_run=dry_run, seconds=seconds)
        return
    from vaultkit.operations import query as operations

    text = stdin_text() if dql == "-" else dql or ""
    with face.app() as app, face.progress("reading notes") as progress:
        result = operations.query_live(app, text) if live else operations.query(app, text, origin, seconds=seconds, progress=progress)
    _tell_dropped(result)
    face.show({**result.as_json(), "dropped": _dropped(result)}, lambda: _text(result, form))


def _file(face: Face, name: str, form: str, *, write: bool, dry_run: bool, seconds: float) -> None:
    from vaultkit.dql.values import to_json
    from vaultkit.operations import query as operations

    with face.app() as app, face.progress("reading notes") as progress:
        run = operations.run_file(app, name, write=write, dry_run=dry_run, seconds=seconds, progress=progress)
    for block in run.blocks:
        if block.problem:
            tell(f"{run.path}:{block.line}: {block.kind} block: {block.problem.splitlines()[0]}")
        elif block.result is not None:
            _tell_dropped(block.result, f"{run.path}:{block.line}: ")
    for one in run.inline:
        if one.problem:
            tell(f"{run.path}:{one.line}: `= {one.expression}`: {one.problem.splitlines()[0]}")
    rows = [
        {
            "kind": block.kind,
            "line": block.line,
            "query": block.query,
            "result": {**block.result.as_json(), "dropped": _dropped(block.result)} if block.result is not None else None,
            "problem": block.problem or None,
        }
        for block in run.blocks
    ]
    inline = [
        {"line": one.line, "expression": one.expression, "value": to_json(one.value), "text": one.text, "problem": one.problem or None}
        for one in run.inline
    ]
    answer = {"path": run.path, "blocks": rows, "inline": inline, "changed": run.changed, "diff": run.diff, "run": run.run or None}
    face.show(answer, lambda: _file_text(run, form, write=write, dry_run=dry_run))
    if run.failed:
        raise click.exceptions.Exit(1)


def _file_text(run: Any, form: str, *, write: bool, dry_run: bool) -> str:
    if write:
        if not run.changed:
            return f"{run.path}: nothing to change"
        return (
            run.diff
            if dry_run
            else f"{run.path}: {many(sum(block.result is not None and not block.problem for block in run.blocks), 'result')} written"
        )
    parts = [f"{run.path}:{block.line}\n\n{_text(block.result, form)}" for block in run.blocks if block.result is not None]
    if answered := [one for one in run.inline if not one.problem]:
        parts.append("\n".join(f"{run.path}:{one.line}: {one.expression} = {one.text}" for one in answered))
    return "\n\n".join(part.rstrip("\n") for part in parts) or f"{run.path} holds no query"


def _dropped(result: Result) -> list[dict[str, Any]]:
    return [
        {
            "step": lost.step,
            "rows": lost.rows,
            "of": lost.of,
            "reasons": [{"reason": reason, "rows": count} for reason, count in lost.reasons],
        }
        for lost in result.dropped
    ]


def _tell_dropped(result: Result, where: str = "") -> None:
    for lost in result.dropped:
        reasons = "; ".join(f"{reason} ({count})" for reason, count in lost.reasons)
        tell(f"{where}{lost.rows} of {many(lost.of, 'row')} left out at {lost.step.upper()}: {reasons}")


def _text(result: Result, form: str) -> str:
    from vaultkit.dql import render

    match form:
        case "markdown":
            return render.markdown(result).rstrip("\n")
        case "csv":
            return render.csv_text(result).rstrip("\n")
        case _:
            return _table(result)


def _table(result: Result) -> str:
    """Columns for a terminal; long cells are cut only where there is a terminal."""
    from vaultkit.dql import render

    headers, rows = render.cells(result)
    lines = [headers, *([render.plain_text(cell, result.settings) for cell in row] for row in rows)]
    most = 60 if sys.stdout.isatty() and len(headers) > 1 else 100_000
    shown_lines = [[_cut(one_line(cell.replace("\n", " ")), most) for cell in line] for line in lines]
    widths = [max(_width(line[at]) for line in shown_lines) for at in range(len(headers))]
    shown_lines.insert(1, ["-" * width for width in widths])
    text = "\n".join(
        "  ".join(cell + " " * (width - _width(cell)) for cell, width in zip(line, widths, strict=True)).rstrip() for line in shown_lines
    )
    return shown(f"{text}\n\n{many(len(rows), 'row')}")


def _width(text: str) -> int:
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
