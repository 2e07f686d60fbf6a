"""promote: from notes to standing rules and skills."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultkit.cli._shared import Face, common, many, printable_lines

if TYPE_CHECKING:
    from vaultkit.operations.promotion import Answered
    from vaultkit.operations.proposals import Proposal


@click.group()
def promote() -> None:
    """Turn what notes taught into standing rules and skills, after a yes.

    Proposals are notes with `status: proposed`. Only `accept` writes into the marked block of rules.md (and of the files in the setting
    rules_files) or into the skills folder.

    \b
    Examples:  vaultkit promote propose --dry-run
               vaultkit promote list
               vaultkit promote accept PROP-003
               vaultkit promote reject PROP-004 --why "true of one project only"
    """


@promote.command("propose")
@click.option("--dry-run", is_flag=True, help="Only show what would be proposed.")
@common(today=True)
def promote_propose(face: Face, dry_run: bool) -> None:
    """Propose rules that several notes speak for, and skills that several procedures do.

    Clusters of active learnings, failures and decisions become one line each, with the notes that it came from, how often these were opened and
    judged useful, a score (harm if broken × not done by default) and what to fold or drop for it. Weekly by `vaultkit schedule install promote`.

    \b
    Example:  vaultkit promote propose
    """
    from vaultkit.operations import promotion as operations

    with face.app() as app, face.progress("reading notes"):
        done = operations.propose(app, dry_run=dry_run)
    result = {
        "proposals": [one.as_dict() for one in done.proposals],
        "excluded": [one._asdict() for one in done.excluded],
        "waiting": done.waiting,
        "looked_at": done.looked_at,
        "dry_run": dry_run,
    }
    lines = [line for one in done.proposals for line in _proposal(one)]
    lines += [f"not proposed: {one.line}  ({one.reason})" for one in done.excluded]
    lines.append(
        f"{many(len(done.proposals), 'proposal')} from {many(done.looked_at, 'note')}"
        + (f"; {done.waiting} more wait for the next run" if done.waiting else "")
        + (" (nothing was written)" if dry_run else "")
    )
    face.show(result, lambda: printable_lines(lines))


@promote.command("list")
@click.option("--all", "everything", is_flag=True, help="Those that got their answer too.")
@common()
def promote_list(face: Face, everything: bool) -> None:
    """List the proposals that wait for an answer.

    \b
    Example:  vaultkit promote list
    """
    from vaultkit.operations import proposals as operations

    with face.app() as app:
        app.sync()
        found = operations.proposals(app, statuses=() if everything else ("proposed",))
    face.show(
        {"proposals": [one.as_dict() for one in found]},
        lambda: printable_lines([line for one in found for line in _proposal(one)] or ["no proposal waits"]),
    )


@promote.command("accept")
@click.argument("name", metavar="ID")
@click.option("--line", default="", metavar="TEXT", help="Word the rule like this; of a skill: its name.")
@click.option("--drop", default="", metavar="RULE", help="Leave this rule of the block out (its id or first words).")
@click.option("--dry-run", is_flag=True, help="Only show the changes.")
@common(today=True)
def promote_accept(face: Face, name: str, line: str, drop: str, dry_run: bool) -> None:
    """Say yes: write the rule into its marked block, or draft the skill.

    The notes that it came from get `promoted_to`. Where the rules are full, the least applied one makes room; its text stays in its proposal.

    \b
    Examples:  vaultkit promote accept PROP-003 --line "Purge the cache after each deploy"
               vaultkit promote accept PROP-003 --dry-run
    """
    from vaultkit.operations import promotion as operations

    with face.app() as app:
        _answered(face, operations.accept(app, name, line=line, drop=drop, dry_run=dry_run))


@promote.command("reject")
@click.argument("name", metavar="ID")
@click.option("--why", required=True, help="The reason; it is kept.")
@click.option("--dry-run", is_flag=True, help="Only show the changes.")
@common(today=True)
def promote_reject(face: Face, name: str, why: str, dry_run: bool) -> None:
    """Say no: it comes back only when twice as many notes speak for it.

    \b
    Example:  vaultkit promote reject PROP-004 --why "true of one project only"
    """
    from vaultkit.operations import promotion as operations

    with face.app() as app:
        _answered(face, operations.reject(app, name, why=why, dry_run=dry_run))


@promote.command("skill")
@click.argument("name", metavar="ID")
@click.option("--name", "named", default="", metavar="NAME", help="The skill's name; else from its title.")
@click.option("--dry-run", is_flag=True, help="Only show the draft; works before the yes.")
@common(today=True)
def promote_skill(face: Face, name: str, named: str, dry_run: bool) -> None:
    """Draft the SKILL.md of a proposal; its notes are retired with a link.

    Needs a yes first: `accept` gives it, and drafts at once. The draft is checked by the rules of agentskills.io.

    \b
    Example:  vaultkit promote skill PROP-007 --name deploy-blog --dry-run
    """
    from vaultkit.operations import promotion as operations

    with face.app() as app:
        _answered(face, operations.make_skill(app, name, called=named, dry_run=dry_run))


def _answered(face: Face, done: Answered) -> None:
    lines = done.diff.splitlines() if done.dry_run else [f"{done.id} {done.status}: {done.line}"]
    lines += [f"  {path}" for path in done.written] if not done.dry_run else ["(nothing was written)"]
    lines += [f"  dropped: {done.dropped}"] if done.dropped else []
    lines += [f"  note: {line}" for line in done.warnings]
    face.show(done._asdict(), lambda: printable_lines(lines))


def _proposal(one: Proposal) -> list[str]:
    marks = [one.proposes, one.status, *(["draft"] if one.draft else [])]
    lines = [f"{one.id}  {one.line}  ({', '.join(marks)})"]
    if one.score:
        lines.append(f"    {one.score} of 9: harm {one.harm}; not by default {one.unusual}")
    lines += [f"    from {found['path']}: opened {found['accessed']}, useful {found['useful']}" for found in one.evidence]
    if not one.evidence:
        lines += [f"    from {path}" for path in one.sources]
    lines += [f"    {one.room}"] if one.room else []
    lines += [f"    model: {one.problem}"] if one.problem else []
    lines += [f"    reason: {one.reason}"] if one.reason else []
    return lines
