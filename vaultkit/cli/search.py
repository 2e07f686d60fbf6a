"""search, grep, sync."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import click

from vaultkit.cli._shared import Face, common, many, one_line, printable_lines, tell
from vaultkit.errors import UsageError


@click.command()
@click.argument("query", nargs=-1)
@click.option("-n", "limit", type=click.IntRange(1, 1000), default=10, show_default=True, help="How many notes, and how many passages.")
@click.option("--type", "types", multiple=True, help="Only notes of this type (repeat for several).")
@click.option("--status", "statuses", multiple=True, help="Only this status; without it, active notes.")
@click.option("--scope", "scopes", multiple=True, help="Only this scope.")
@click.option("--tag", "tags", multiple=True, help="Only notes with this tag or one below it.")
@click.option("--folder", default="", help="Only notes in this folder.")
@click.option(
    "--on", "day", metavar="DATE", default="", help="Only what happened that day: 2026-11-30, today or yesterday. QUERY may be left out."
)
@click.option("--hybrid", is_flag=True, help="By meaning too, even if a model has to be loaded for it (1-2 s).")
@click.option("--harness", default="", metavar="NAME", help="As this harness may see it: nothing private, its allowed scopes.")
@click.option("--all", "everything", is_flag=True, help="Every status, what was superseded, and daily notes and templates too.")
@common(today=True)
def search(face: Face, query: tuple[str, ...], everything: bool, day: str, **options: Any) -> None:
    """Search notes; answers with a table of contents.

    Any text is a valid query: C++, "a quote, [[a link]], 会議. The body of a note is opened with `vaultkit note read`. Below the notes stand
    the bullets that match, as path:line, with two lines on each side.

    \b
    Examples:  vaultkit search renew certificate
               vaultkit search 締切 --type braindump -n 5
               vaultkit search --on yesterday
               vaultkit search --hybrid "what did we decide about leave"
    """
    if not query and not day:
        raise UsageError("search needs a query", hint="give words, or a day with --on 2026-11-30")
    on = _day(day, face.now().date()) if day else None
    asked = {"query": " ".join(query), "everything": everything, "on": on.isoformat() if on else None, **options}
    result = face.by_daemon("search", asked, seconds=_PATIENCE_MODEL if options["hybrid"] else _PATIENCE)
    if result is None:
        from vaultkit.operations import search as operations

        with face.app() as app:
            result = operations.to_json(operations.search(app, operations.ask_of(asked)))
    for line in result["degraded"] if options["hybrid"] else ():
        tell(line)
    face.show(result, lambda: "\n".join(_found_lines(result)) or result["hint"])


_PATIENCE = 2.0  # seconds; then this process does it itself
_PATIENCE_MODEL = 20.0


def _day(word: str, today: date) -> date:
    near = {"today": 0, "yesterday": 1}
    try:
        return today - timedelta(near[word]) if word in near else date.fromisoformat(word)
    except ValueError:
        raise UsageError(f"--on: {word!r} is no date", hint="write 2026-11-30, today or yesterday") from None


def _found_lines(found: dict[str, Any]) -> list[str]:
    lines = []
    for hit in found["hits"]:
        why = hit["why"]
        marks = [str(why["status"])] if "status" in why else []
        marks += [f"superseded by {why['superseded_by']}"] if "superseded_by" in why else []
        lines.append(f"{hit['score']:.2f}  {one_line(hit['title'])}" + (f"  ({', '.join(marks)})" if marks else ""))
        lines.append(f"      {one_line(hit['path'])}")
        lines += [f"      {one_line(hit['description'])}"] if hit["description"] else []
    for entry in found["entries"]:
        lines.append(f"{one_line(entry['path'])}:{entry['line']}" + (f"  ({entry['day']})" if entry["day"] else ""))
        lines += [f"      {one_line(line)}" for line in entry["text"].split("\n")]
    if found["entries"]:
        count = len(found["entries"])
        lines.append(f"{count} passage{'' if count == 1 else 's'}: {found['saved']:.0%} fewer tokens than their files")
    return lines


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
@click.option("--embed/--no-embed", "wanted", default=None, help="Give notes their vectors, or not; without it, where vectors are in use.")
@click.option("--limit-seconds", type=click.FloatRange(0, min_open=True), help="Embed no longer than that; the next run goes on.")
@common()
def sync(face: Face, wanted: bool | None, limit_seconds: float | None) -> None:
    """Bring everything derived up to date with the files.

    No note is written. Every other command does this by itself, except for vectors (semantic search): the first ones are made by
    `--embed` alone or once the setting `embedder` names one; from then on every `sync` embeds what changed. Exit 1 when there was
    something to embed and nothing was.

    \b
    Examples:  vaultkit sync --embed
               vaultkit sync --limit-seconds 20
    """
    from vaultkit.operations import search as operations

    with face.app() as app:
        with face.progress("reading notes") as progress:
            done = operations.sync(app, progress)
        with face.progress("embedding") as progress:
            vectors = operations.embed(app, wanted=wanted, limit_seconds=limit_seconds, progress=progress)
    for skip in done.skipped:
        tell(f"skipped {skip.path}: {skip.reason}")
    if vectors.problem:
        tell(f"vectors: {vectors.problem}")
    result = {
        "notes": done.notes,
        "changed": done.changed,
        "removed": done.removed,
        "seconds": round(done.seconds, 3),
        "embedded": vectors.embedded,
        "coverage": {"should": vectors.should, "current": vectors.current},
        "skipped": [skip._asdict() for skip in done.skipped],
    }
    if vectors.problem:
        result["problem"] = vectors.problem
    line = f"{many(done.notes, 'note')}: {done.changed} changed, {done.removed} removed, {done.seconds:.2f} s"
    if vectors.embedded or vectors.current or vectors.problem:
        line += f"\nvectors: {vectors.embedded} embedded, {vectors.current:,} of {many(vectors.should, 'note')} current"
    face.show(result, line)
    if not vectors.ok:
        raise click.exceptions.Exit(1)


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
