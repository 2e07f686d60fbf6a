"""context, overlap, eval, stats, health."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vaultkit.cli._shared import Face, common, many, printable_lines, stdin_text
from vaultkit.errors import UsageError

if TYPE_CHECKING:
    from vaultkit.upkeep.golden import Case, Report
    from vaultkit.upkeep.usage import Harness


@click.command()
@click.option("--cwd", type=click.Path(path_type=Path), metavar="DIR", help="The working folder; its scope by the setting scope_folders.")
@click.option("--scope", default="", help="This scope, wherever the session starts.")
@click.option("--harness", default="", metavar="NAME", help="Apply this harness's allowed scopes and mode.")
@common(today=True)
def context(face: Face, cwd: Path | None, scope: str, harness: str) -> None:
    """What session start injects: rules, deadlines, open items, decisions.

    At most 300 tokens beside the rules, however many notes there are. Nothing private, nothing of a scope that the harness may not have.

    \b
    Examples:  vaultkit context
               vaultkit context --scope project/shop
    """
    from vaultkit.operations import context as operations

    with face.app() as app:
        found = operations.context(app, cwd=cwd or Path.cwd(), scope=scope, harness=harness)
    face.show(found._asdict(), lambda: printable_lines(found.text.split("\n")) if found.text else "")


@click.command()
@click.argument("text", nargs=-1, required=True)
@click.option("--fetch", is_flag=True, help="Fetch the URLs of the setting `published` first.")
@common()
def overlap(face: Face, text: tuple[str, ...], fetch: bool) -> None:
    """Warn about notes that overlap with a planned title or outline.

    A warning only, exit 0: the person decides. `-` reads the outline from standard input. Published articles are looked at too: folders, files
    and URLs of the setting `published`.

    \b
    Examples:  vaultkit overlap Renewing certificates with certbot
               vaultkit overlap --fetch Renewing certificates with certbot
               vaultkit overlap - < outline.md
    """
    from vaultkit.operations import context as operations

    planned = stdin_text() if text == ("-",) else " ".join(text)
    if not planned.strip():
        raise UsageError("overlap with what?", hint="give the planned title or outline, or - for standard input")
    with face.app() as app:
        found = operations.overlap(app, planned, fetch=fetch)
    lines = [
        f"{one.similarity:.2f}  {one.title}{'  (published)' if one.published else ''}\n      {one.path}  ({', '.join(one.shared[:8])})"
        for one in found.overlaps
    ]
    noun = "text" if any(one.published for one in found.overlaps) else "note"
    head = f"{many(len(found.overlaps), noun)} may say this already:" if lines else "nothing overlaps"
    result: dict[str, object] = {"overlaps": [one._asdict() for one in found.overlaps], "withheld": found.withheld}
    if found.told:
        result["warnings"] = list(found.told)
    private = [f"{many(found.withheld, 'private note')} not compared"] if found.withheld else []
    face.show(result, "\n".join([head, *lines, *private, *found.told]))


@click.command("eval")
@click.option("--suggest", is_flag=True, help="Propose cases from what was opened after it had been shown.")
@common(today=True)
def eval_(face: Face, suggest: bool) -> None:
    """Run the golden cases of recall.

    golden.yml in the vault holds them: `- query: …`, `expect: [path]` or `never: [path]`, `k: 5`. Exits 1 when fewer pass than the setting
    eval_threshold asks for. A case whose note is gone is skipped, and named.

    \b
    Examples:  vaultkit eval
               vaultkit eval --suggest
    """
    from vaultkit.upkeep import golden

    with face.app() as app:
        if suggest:
            proposed = golden.suggest(app)
            lines = [
                line
                for query, paths in proposed.cases
                for line in (f"- query: {json.dumps(query, ensure_ascii=False)}", f"  expect: {json.dumps(paths, ensure_ascii=False)}")
            ]
            if proposed.unknown:
                lines.append(
                    f"# {many(proposed.unknown, 'turn')} more, of which the prompt was not kept: vaultkit config record_prompts true"
                )
            result = {"cases": [{"query": query, "expect": list(paths)} for query, paths in proposed.cases], "unknown": proposed.unknown}
            face.show(result, printable_lines(lines or ["nothing was opened yet after it had been shown"]))
            return
        report = golden.evaluate(app)
    face.show(report._asdict() | {"good": report.good, "cases": [case._asdict() for case in report.cases]}, lambda: _evaluated(report))
    raise click.exceptions.Exit(0 if report.good else 1)


@click.command()
@common()
def stats(face: Face) -> None:
    """What recall costs and what of it is used, harness by harness.

    Harnesses are never pooled: what one counts as a turn is not what another does.

    \b
    Example:   vaultkit stats
    """
    from vaultkit.upkeep import health as operations

    with face.app() as app:
        found = operations.stats(app)
    result = found._asdict() | {
        "harnesses": [
            one._asdict() | {"weeks": [week._asdict() for week in one.weeks], "hints": one.hints._asdict() if one.hints else None}
            for one in found.harnesses
        ],
        "promoted": [one._asdict() for one in found.promoted],
    }
    lines = [line for one in found.harnesses for line in _harness(one)] or ["no prompt was recorded yet"]
    lines.append(f"{many(found.notes, 'note')} ({_counts(found.types)}), {many(found.rules, 'rule')}")
    lines.append(f"{found.opened} opened, {found.judged_useful} judged useful")
    lines.append(f"{many(len(found.promoted), 'rule')} came from notes")
    lines += [f"  {one.id}  applied {many(one.applied, 'time')}: {one.line}" for one in found.promoted]
    lines.append(f"earlier decisions were shown {many(found.decisions_shown, 'time')} before a new one")
    face.show(result, printable_lines(lines))


@click.command()
@common(today=True)
def health(face: Face) -> None:
    """Say whether the memory works, and what to do where it does not.

    Exits 1 when something is wrong.

    \b
    Examples:  vaultkit health
               vaultkit health --json
    """
    from vaultkit.upkeep import health as operations

    with face.app() as app, face.progress("reading notes"):
        checks = operations.health(app)
    lines = [f"{check.level:<4}  {check.name}: {check.text}" + (f"\n      → {check.todo}" if check.todo else "") for check in checks]
    result = operations.to_json(checks)
    face.show(result, printable_lines("\n".join(lines).split("\n")))
    raise click.exceptions.Exit(0 if result["ok"] else 1)


def _evaluated(report: Report) -> str:
    if not report.cases:
        return "no golden cases yet: `vaultkit eval --suggest` proposes some, golden.yml holds them"
    share = "nothing was measured" if report.share is None else f"{report.share:g} % of the golden cases pass"
    lines = [_case(case) for case in report.cases if case.outcome != "passed" or case.gone]
    lines.append(
        f"{share} (threshold {report.threshold} %): {report.passed} passed, {report.failed} failed, {report.skipped} skipped; "
        f"{report.injected} injected"
    )
    if report.trend:
        lines.append("runs before: " + " → ".join(f"{share:g}" for share in report.trend))
    return printable_lines(lines)


def _case(case: Case) -> str:
    reason = case.reason or f"partly gone: {', '.join(case.gone)}"
    return f"{case.outcome:<7} {case.query}: {reason} (K = {case.k})"


def _harness(one: Harness) -> Iterator[str]:
    yield f"{one.harness}"
    context = f", {100 * one.share_of_context:.1f} % of the turn's context" if one.share_of_context else ""
    yield f"  {many(one.prompts, 'prompt')}, {one.injected_turns} given something: {one.tokens_per_turn:g} tokens a turn ({one.characters_per_turn:g} characters){context}"
    yield f"  {one.used} of {one.notes} notes injected were used; {many(one.fruitless, 'session')} in a row without a use"
    for week in one.weeks[-_WEEKS:]:
        yield f"    {week.week}  used {week.used} of {week.injected}"
    yield f"  {one.latency_p50:g} ms (p50), {one.latency_p95:g} ms (p95); served by {_counts(one.served_by)}"
    if one.hints:
        hints = one.hints
        yield f"  hints: {hints.won:.0%} of {hints.asked} of use: {hints.in_time} in time, {hints.late_used} late and used, {hints.unused} unused"
    yield f"  confidence {_counts(one.confidence)}; modes {_counts(one.modes)}; set to {_counts(one.settings)}"


_WEEKS = 8


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items()) or "none"
