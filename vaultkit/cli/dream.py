"""dream."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from vaultkit.cli._shared import Face, common, many, printable_lines, tell
from vaultkit.errors import UsageError

if TYPE_CHECKING:
    from vaultkit.operations.dream import Dreamed

_STAGES = ("consolidate", "duplicates", "links", "atomicity", "prune", "hubs")


@click.group(invoke_without_command=True)
@click.option("--dry-run", is_flag=True, help="Show the plan as a diff and change nothing.")
@click.option("--merge", is_flag=True, help="Merge near-duplicates that are beyond doubt, instead of proposing it.")
@click.option("--split", is_flag=True, help="Cut notes of more than one topic, instead of proposing it.")
@click.option("--skip", multiple=True, type=click.Choice(_STAGES), help="Leave out a stage (can be repeated).")
@click.option("--again", is_flag=True, help="Captures of runs that were undone take part too.")
@common(today=True)
@click.pass_context
def dream(ctx: click.Context, face: Face, dry_run: bool, merge: bool, split: bool, skip: tuple[str, ...], again: bool) -> None:
    """Turn captures that ripened into linked notes (consolidation).

    \b
      vaultkit dream --dry-run       what would be done, as a diff
      vaultkit dream                 do it; nothing to do is the normal result
      vaultkit dream log             past runs
      vaultkit dream undo RUN        put back every byte of a run
      vaultkit dream review          open proposals: digests, merges, cuts

    Captures of a week and more are sorted by topic; each topic becomes one note with its sources, the originals go to the archive
    with a pointer. Without a text model the note is an extract, marked as proposed.
    """
    if ctx.invoked_subcommand is not None:
        ctx.obj = face
        return
    from vaultkit.operations import dream as operations

    with face.app() as app:
        done = operations.dream(app, operations.Ask(dry_run=dry_run, merge=merge, split=split, skip=skip, again=again))
        text = operations.diff(app, done) if dry_run else ""
    for line in done.notes:
        tell(line)
    face.show(
        {**operations.as_dict(done, dry_run=dry_run), "diff": text}, printable_lines([*text.splitlines(), *_report(done, dry_run=dry_run)])
    )


@dream.command("log")
@click.option("-n", "limit", type=click.IntRange(1), default=20, show_default=True, help="How many runs.")
@common()
def log_(face: Face, limit: int) -> None:
    """Past runs that changed something, newest first."""
    from vaultkit.operations import dream_journal as operations

    with face.app() as app:
        rows = operations.log(app, limit=limit)
    lines = [f"{row.run}  {row.t[:16]}  {_counts(row.counts)}{'  (undone)' if row.undone else ''}" for row in rows]
    face.show([row._asdict() for row in rows], printable_lines(lines) or "no dream has changed anything yet")


@dream.command()
@click.argument("run")
@click.option("--dry-run", is_flag=True, help="Only say what would be put back.")
@common()
def undo(face: Face, run: str, dry_run: bool) -> None:
    """Put back what a run changed, byte for byte.

    \b
      vaultkit dream undo 20261130-090000-1
    """
    from vaultkit.operations import dream_journal as operations

    with face.app() as app:
        undone = operations.undo(app, run, dry_run=dry_run)
    lines = [f"{'would put back' if dry_run else 'put back'}: {path}" for path in undone.restored]
    lines += [f"left alone {left.path}: {left.reason}" for left in undone.conflicts]
    result = {"run": run, "restored": list(undone.restored), "conflicts": [left._asdict() for left in undone.conflicts], "dry_run": dry_run}
    face.show(result, printable_lines(lines) or "nothing to undo")
    if undone.conflicts:
        raise click.exceptions.Exit(4)


@dream.command()
@click.option("--accept", metavar="ID", multiple=True, help="Do what this proposal says (`all`: every one).")
@click.option("--reject", metavar="ID", multiple=True, help="Turn it down; it is not proposed again.")
@click.option("--why", default="", help="Why it is turned down.")
@click.option("--dry-run", is_flag=True, help="Change nothing.")
@common(today=True)
def review(face: Face, accept: tuple[str, ...], reject: tuple[str, ...], why: str, dry_run: bool) -> None:
    """Walk through open proposals: digests to confirm, notes to merge or cut, lines for maps of content.

    \b
      vaultkit dream review
      vaultkit dream review --accept certificate-renewal
      vaultkit dream review --reject merge-3f9a --why "two different machines"
    """
    if reject and not why.strip():
        raise UsageError("--reject needs a reason", hint='add --why "…": it is kept with the proposal')
    from vaultkit.operations import dream_review as operations

    with face.app() as app:
        done = operations.review(app, accept=accept, reject=reject, why=why.strip(), dry_run=dry_run)
    lines = [line for one in done.open for line in (f"{one.id}  {one.kind}  {' + '.join(one.notes)}", f"    {one.why}")]
    lines += [f"{'would accept' if dry_run else 'accepted'} {one}" for one in done.accepted]
    lines += [f"{'would turn down' if dry_run else 'turned down'} {one}" for one in done.rejected]
    result = {
        "open": [one._asdict() for one in done.open],
        "accepted": list(done.accepted),
        "rejected": list(done.rejected),
        "run": done.run,
        "dry_run": dry_run,
    }
    face.show(result, printable_lines(lines) or "no open proposals")


def _report(done: Dreamed, *, dry_run: bool) -> list[str]:
    lines = []
    for cluster in done.clusters:
        verb = "grown" if cluster.folded else "new"
        how = "" if cluster.by == "model" else ", an extract (proposed)" if not cluster.folded else ""
        lines.append(f"{verb:9} {cluster.path}  from {many(len(cluster.captures), 'capture')}{how}")
    lines += [f"merged    {twin.loser} into {twin.winner}" for twin in done.merged]
    lines += [f"cut       {path}" for path in done.cut]
    lines += [f"linked    {link.source} → {link.target}  (text {link.text:.2f}, shared {link.shared:.2f})" for link in done.links]
    lines += [f"unlinked  {link.source} → {link.target}" for link in done.pruned]
    lines += [f"proposal  {one.kind}: {' + '.join(one.notes)}  ({one.why})" for one in done.proposals]
    waiting: dict[str, int] = {}
    for kept in done.skipped:
        waiting[kept.reason] = waiting.get(kept.reason, 0) + 1
    lines += [f"waits     {many(count, 'note')}: {reason}" for reason, count in sorted(waiting.items(), key=lambda pair: -pair[1])]
    if done.quiet:
        lines.append("nothing to do")
    elif dry_run:
        lines.append("nothing was changed (--dry-run)")
    elif done.run:
        lines.append(f"run {done.run}; `vaultkit dream undo {done.run}` puts everything back")
    return lines


def _counts(counts: Any) -> str:
    return ", ".join(f"{number} {name}" for name, number in counts.items() if number) or "nothing"
