"""install, uninstall, doctor."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from vaultkit.cli._shared import Face, common, many, one_line, printable_lines
from vaultkit.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultkit.upkeep.adapters.manifest import Scope, Surroundings
    from vaultkit.upkeep.adapters.plan import Change, Plan


def _scopes(command: Callable[..., Any]) -> Callable[..., Any]:
    command = click.option("--project", "scope", flag_value="project", help="For the project around this folder.")(command)
    return click.option("--user", "scope", flag_value="user", help="For every project of yours.")(command)


@click.command()
@click.argument("names", nargs=-1, metavar="HARNESS…")
@_scopes
@click.option("--skills/--no-skills", default=True, help="The skills, too (default).")
@click.option("--mcp", is_flag=True, help="The MCP server's entry, too.")
@click.option("--agents-md", is_flag=True, help="A marked block in AGENTS.md (or what the harness reads), too.")
@click.option("--dry-run", is_flag=True, help="Only show what would be changed.")
@click.option("--yes", is_flag=True, help="Do not ask on a terminal.")
@common()
def install(
    face: Face, names: tuple[str, ...], scope: Scope | None, skills: bool, mcp: bool, agents_md: bool, dry_run: bool, yes: bool
) -> None:
    """Let coding agents use this vault as their memory: hooks and skills in their settings.

    HARNESS: claude-code, codex, copilot, opencode, gemini, qwen; `agents` for all others (AGENTS.md, skills, MCP).
    What stands in those settings stays; a backup is kept, and `uninstall` restores it.

    \b
    Examples:  vaultkit install claude-code codex --dry-run
               vaultkit install claude-code --project --mcp
               vaultkit install agents
    """
    from vaultkit.app import open_app
    from vaultkit.upkeep.adapters import backstop, ledger, plan
    from vaultkit.upkeep.adapters.command import program
    from vaultkit.upkeep.adapters.manifest import names as known

    if not names:
        raise UsageError("which harness?", hint=f"name one or more of {', '.join(known())}")
    vault = _memory(face)
    wish = plan.Wish(names, scope, skills=skills, mcp=mcp, instructions=agents_md)
    with ledger.locked():
        found = plan.plan_install(wish, program(vault), surroundings())
        if not dry_run and not face.as_json and not yes and _interactive() and found.writes:
            click.echo(_preview(found, vault))
            click.confirm("Write this?", abort=True)
        if not dry_run:
            plan.carry_out(found)
            with open_app(root=vault) as app:
                backstop.watch(app, wish, surroundings())
    face.show({"vault": str(vault), **_to_json(found, dry_run=dry_run)}, lambda: _told(found, vault, dry_run=dry_run))


@click.command()
@click.argument("names", nargs=-1, metavar="[HARNESS…]")
@_scopes
@click.option("--dry-run", is_flag=True, help="Only show what would be changed.")
@common()
def uninstall(face: Face, names: tuple[str, ...], scope: Scope | None, dry_run: bool) -> None:
    """Take vaultkit out of the settings of coding agents again; without a name, of all.

    A file that nobody touched since is restored byte for byte; of another, only vaultkit's entries go.

    \b
    Examples:  vaultkit uninstall codex --dry-run
               vaultkit uninstall
    """
    from vaultkit.upkeep.adapters import backstop, ledger, plan

    around = surroundings()
    with ledger.locked():
        found = plan.plan_uninstall(names, scope, around)
        if not dry_run:
            before = plan.found_hooks(around, found.before)
            plan.carry_out(found)
            backstop.unwatch(before, plan.found_hooks(around, found.before))
    face.show(_to_json(found, dry_run=dry_run), lambda: _told(found, None, dry_run=dry_run))
    if any(change.action == "kept" and str(change.path) in found.records for change in found.changes):
        raise click.exceptions.Exit(1)  # a file that cannot be read: it is still to be done


@click.command()
@common()
def doctor(face: Face) -> None:
    """Say whether everything around the memory is in place: programs, hooks and their trust, daemon, models, timers.

    Each line says what to do. Exits 1 when something is wrong.

    \b
    Examples:  vaultkit doctor
               vaultkit doctor --json
    """
    from vaultkit.errors import VaultkitError
    from vaultkit.upkeep import doctor as asked
    from vaultkit.upkeep import health
    from vaultkit.upkeep.adapters.command import program

    around = surroundings()
    try:
        with face.app() as app, face.progress("looking"):
            checks = asked.doctor(app, around, program(app.root))
    except VaultkitError as error:
        checks = [*asked.installation(around), health.Check("vault", "red", error.message, error.hint)]
    result = health.to_json(checks)
    lines = [f"{check.level:<4}  {check.name}: {check.text}" + (f"\n      → {check.todo}" if check.todo else "") for check in checks]
    face.show(result, printable_lines("\n".join(lines).split("\n")))
    raise click.exceptions.Exit(0 if result["ok"] else 1)


def surroundings() -> Surroundings:
    """The home folder, the project around the working folder, and the environment."""
    from vaultkit.config import here
    from vaultkit.upkeep.adapters.manifest import Surroundings

    cwd = here()
    project = next((folder for folder in (cwd, *cwd.parents) if (folder / ".git").exists()), cwd)
    return Surroundings(Path.home(), project, os.environ)


def _memory(face: Face) -> Path:
    """The vault that the agents get: named, or known here already. A folder that somebody cloned must not become it by standing in it."""
    from vaultkit.config import Places, find_vault, here

    if face.vault is not None or os.environ.get("VAULTKIT_VAULT"):
        return find_vault(face.vault, cwd=here())
    found = find_vault(None, cwd=here())
    configured = find_vault(None, cwd=Path("/")) if _configured() else None
    if configured is None and not Places.of(found).cache.exists():
        raise UsageError(f"is {found} the vault that agents shall use?", hint=f"then name it: --vault {found}")
    return configured or found


def _configured() -> bool:
    from vaultkit.config import load

    return bool(load(None).vault)


def _interactive() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _to_json(plan: Plan, *, dry_run: bool) -> dict[str, Any]:
    files = [
        {
            "path": str(change.path),
            "action": change.action,
            "why": change.why,
            "diff": change.diff,
            "harnesses": _owners(plan, change),
            "backup": str(plan.backup(change) or ""),
        }
        for change in plan.changes
    ]
    return {"dry_run": dry_run, "changed": len(plan.writes), "files": files, "told": list(plan.told), "next": list(plan.next)}


def _owners(plan: Plan, change: Change) -> list[str]:
    record = plan.records.get(str(change.path))
    return sorted({owned.harness for owned in record.owned}) if record else []


def _preview(plan: Plan, vault: Path | None, *, whole: bool = True) -> str:
    """What happens to each file; *whole*: with the lines of new settings, too."""
    lines = [f"memory: {vault}"] if vault else []
    for change in plan.changes:
        head = len(lines)
        lines.append(f"{change.action:<10}{one_line(str(change.path))}{f'  ({change.why})' if change.why else ''}")
        if change.action == "change" or (whole and change.action == "create" and change.path.suffix in {".json", ".toml"}):
            lines += [f"    {one_line(line)}" for line in change.diff.splitlines()]
        if change.action == "create" and change.after is not None:
            lines[head] += f"  ({many(change.after.count(bytes([10])), 'line')})"
        if backup := plan.backup(change):
            lines.append(f"    backup: {one_line(str(backup))}")
    return "\n".join([*lines, *(f"note: {told}" for told in plan.told)])


def _told(plan: Plan, vault: Path | None, *, dry_run: bool) -> str:
    count = len(plan.writes)
    if not plan.changes:
        end = "nothing of vaultkit's is installed"
    elif dry_run:
        end = f"{many(count, 'file')} would be changed" if count else "nothing would change"
    else:
        end = f"{many(count, 'file')} changed" if count else "nothing to do"
    return "\n".join([_preview(plan, vault, whole=dry_run), end, *(f"→ {step}" for step in plan.next)]).strip()
