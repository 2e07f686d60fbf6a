"""search, grep, sync."""

from __future__ import annotations

from typing import Any

import click

from vaultkit.cli._shared import Face, common, many, one_line, printable_lines, tell


@click.command()
@click.argument("query", nargs=-1, required=True)
@click.option("-n", "limit", type=click.IntRange(1, 1000), default=10, show_default=True, help="How many notes.")
@click.option("--type", "types", multiple=True, help="Only notes of this type (repeat for several).")
@click.option("--status", "statuses", multiple=True, help="Only this status; without it, active notes.")
@click.option("--scope", "scopes", multiple=True, help="Only this scope.")
@click.option("--tag", "tags", multiple=True, help="Only notes with this tag or one below it.")
@click.option("--folder", default="", help="Only notes in this folder.")
@click.option("--all", "everything", is_flag=True, help="Every status, and daily notes and templates too.")
@common()
def search(face: Face, query: tuple[str, ...], everything: bool, **options: Any) -> None:
    """Search notes; answers with a table of contents.

    Any text is a valid query: C++, "a quote, [[a link]], 会議. The body of a note is opened with `vaultkit note read`.

    \b
    Examples:  vaultkit search renew certificate
               vaultkit search 締切 --type braindump -n 5
    """
    from vaultkit.operations import search as operations

    with face.app() as app:
        found = operations.search(app, operations.Ask(" ".join(query), everything=everything, **options))
    result = {"query": found.query, "hits": [hit._asdict() for hit in found.hits], "degraded": list(found.degraded)}
    if found.hint:
        result["hint"] = found.hint
    lines = [
        f"{hit.score:.2f}  {one_line(hit.title)}\n      {one_line(hit.path)}"
        + (f"\n      {one_line(hit.description)}" if hit.description else "")
        for hit in found.hits
    ]
    face.show(result, "\n".join(lines) or found.hint)


@click.command()
@click.argument("pattern")
@click.option("-E", "--regex", is_flag=True, help="PATTERN is a regular expression (Python's).")
@click.option("-i", "--ignore-case", is_flag=True, help="Upper and lower case are the same.")
@click.option("--fold", is_flag=True, help="Fold width, case and white space too: ＧｉｔＬａｂ = gitlab.")
@click.option("-C", "--context", type=click.IntRange(0, 100), default=0, help="Lines around each match.")
@click.option("-n", "limit", type=click.IntRange(0), default=0, help="Stop after so many matches; 0: all.")
@common()
def grep(face: Face, pattern: str, regex: bool, ignore_case: bool, fold: bool, context: int, limit: int) -> None:
    """Find a literal or a regular expression in all notes.

    \b
    Examples:  vaultkit grep 2026-12-05
               vaultkit grep -E 'renew(ed|al)' -C 1
    """
    from vaultkit.operations import search as operations

    with face.app() as app, face.progress("reading notes") as progress:
        found = operations.grep(app, operations.Pattern(pattern, regex, fold, ignore_case, context, limit), progress=progress)
    for skip in found.skipped:
        tell(f"skipped {skip}")
    rows = []
    for match in found.matches:
        row: dict[str, Any] = {"path": match.path, "line": match.line, "text": match.text}
        if context:
            row |= {"before": list(match.before), "after": list(match.after)}
        rows.append(row)
    face.show({"matches": rows}, lambda: printable_lines(_grep_lines(found.matches, context)))


@click.command()
@common()
def sync(face: Face) -> None:
    """Bring everything derived up to date with the files.

    No note is written. Every other command does this by itself; run it once after a large import.
    """
    from vaultkit.operations import search as operations

    with face.app() as app, face.progress("reading notes") as progress:
        done = operations.sync(app, progress)
    for skip in done.skipped:
        tell(f"skipped {skip.path}: {skip.reason}")
    result = {
        "notes": done.notes,
        "changed": done.changed,
        "removed": done.removed,
        "seconds": round(done.seconds, 3),
        "embedded": 0,
        "coverage": {"should": 0, "current": 0},
        "skipped": [skip._asdict() for skip in done.skipped],
    }
    face.show(result, f"{many(done.notes, 'note')}: {done.changed} changed, {done.removed} removed, {done.seconds:.2f} s")


def _grep_lines(matches: tuple[Any, ...], context: int) -> list[str]:
    lines = []
    for match in matches:
        start = match.line - len(match.before)
        lines += [f"{match.path}-{start + at}-{line}" for at, line in enumerate(match.before)]
        lines.append(f"{match.path}:{match.line}:{match.text}")
        lines += [f"{match.path}-{match.line + 1 + at}-{line}" for at, line in enumerate(match.after)]
        if context:
            lines.append("--")
    return lines[:-1] if context else lines
