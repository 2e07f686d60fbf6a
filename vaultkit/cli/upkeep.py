"""config, schedule, completion."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from vaultkit.cli._shared import Face, common, printable_lines
from vaultkit.errors import UsageError, VaultNotFoundError

if TYPE_CHECKING:
    from vaultkit.upkeep.schedule import Kind


@click.command()
@click.argument("name", required=False)
@click.argument("value", required=False)
@click.option("--in-vault", is_flag=True, help="Set it in the vault's own .vaultkit.toml.")
@click.option("--unset", is_flag=True, help="Back to the default.")
@common()
def config(face: Face, name: str | None, value: str | None, in_vault: bool, unset: bool) -> None:
    """Show or set settings.

    \b
    Examples:  vaultkit config
               vaultkit config text_model qwen3:4b
               vaultkit config --in-vault inbox_folder "00 Inbox"
    """
    from vaultkit.config import find_vault, here, user_config_file
    from vaultkit.upkeep import settings

    root: Path | None
    try:
        root = find_vault(face.vault, cwd=here())
    except VaultNotFoundError:
        if face.vault is not None or in_vault:
            raise
        root = None  # settings can be shown and set before there is a vault
    if name and (value is not None or unset):
        path = settings.set_value(name, None if unset else value, root=root if in_vault else None)
        face.show({"name": name, "value": value, "file": str(path)}, f"{name} {'unset' if unset else 'set'} in {path}")
        return
    if unset or in_vault:
        raise UsageError("which setting?", hint="`vaultkit config NAME VALUE`")
    rows = settings.show(root)
    if name:
        from vaultkit.config import from_text

        if not any(row.name == name for row in rows):
            from_text(name, "")  # raises, with the nearest known name
        rows = [row for row in rows if row.name == name]
    lines = [f"{row.name} = {row.value!r}  ({row.origin}{'; a vault may set it' if row.vault else ''})\n    {row.doc}" for row in rows]
    face.show([row._asdict() for row in rows], "\n".join([*lines, "", f"user settings: {user_config_file()}"]))


@click.group()
def schedule() -> None:
    """Install, remove or show this vault's timers.

    Jobs: autocommit and intake every 10 minutes, dream every hour, lookahead every morning (into the daily note, with a desktop notice), promote
    every Monday.

    \b
    Examples:  vaultkit schedule install --dry-run
               vaultkit schedule install autocommit lookahead
               vaultkit schedule status
    """


@schedule.command("install")
@click.argument("jobs", nargs=-1)
@click.option("--with", "kind", type=click.Choice(["systemd", "launchd", "cron"]), help="The scheduler; else what this machine has.")
@click.option("--dry-run", is_flag=True, help="Only show what would be written.")
@common()
def schedule_install(face: Face, jobs: tuple[str, ...], kind: str | None, dry_run: bool) -> None:
    """Install timers for this vault; the same again changes nothing."""
    _schedule(face, "install", jobs, kind, dry_run=dry_run)


@schedule.command("remove")
@click.argument("jobs", nargs=-1)
@click.option("--with", "kind", type=click.Choice(["systemd", "launchd", "cron"]), help="The scheduler; else what this machine has.")
@click.option("--dry-run", is_flag=True, help="Only show what would be removed.")
@common()
def schedule_remove(face: Face, jobs: tuple[str, ...], kind: str | None, dry_run: bool) -> None:
    """Remove this vault's timers."""
    _schedule(face, "remove", jobs, kind, dry_run=dry_run)


@schedule.command("status")
@click.option("--with", "kind", type=click.Choice(["systemd", "launchd", "cron"]), help="The scheduler; else what this machine has.")
@common()
def schedule_status(face: Face, kind: str | None) -> None:
    """Show which timers stand."""
    from vaultkit.config import find_vault, here
    from vaultkit.upkeep import schedule as timers

    root = find_vault(face.vault, cwd=here())
    used = _kind(kind)
    rows = timers.status(root, kind=used, home=Path.home(), crontab=timers.read_crontab() if used == "cron" else "")
    face.show(
        [row._asdict() for row in rows],
        printable_lines([f"{row.job:<12} {'installed' if row.installed else 'not installed'}, {row.every} ({row.kind})" for row in rows]),
    )


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the shell's completion script.

    \b
    bash:  vaultkit completion bash >> ~/.bashrc
    zsh:   vaultkit completion zsh >> ~/.zshrc
    fish:  vaultkit completion fish > ~/.config/fish/completions/vaultkit.fish
    """
    from click.shell_completion import get_completion_class

    from vaultkit.cli import root

    found = get_completion_class(shell)
    assert found is not None
    try:
        click.echo(found(root, {}, "vaultkit", "_VAULTKIT_COMPLETE").source().rstrip() + "\n" + _ALIAS[shell])
    except RuntimeError as error:  # click asks bash for its version
        raise UsageError(str(error), hint="name another shell") from error


# The same for the short name `vk`.
_ALIAS = {
    "bash": "complete -o nosort -F _vaultkit_completion vk",
    "zsh": "compdef _vaultkit_completion vk",
    "fish": "complete --no-files --command vk --arguments '(_vaultkit_completion)'",
}


def _kind(named: str | None) -> Kind:
    from vaultkit.upkeep import schedule as timers

    return cast("Kind", named) if named else timers.detect()


def _schedule(face: Face, what: str, jobs: tuple[str, ...], named: str | None, *, dry_run: bool) -> None:
    from vaultkit.config import find_vault, here
    from vaultkit.upkeep import schedule as timers

    root = find_vault(face.vault, cwd=here())
    kind = _kind(named)
    planner = timers.plan_install if what == "install" else timers.plan_remove
    plan = planner(root, jobs, kind=kind, home=Path.home(), crontab=timers.read_crontab() if kind == "cron" else "")
    if not dry_run:
        timers.carry_out(plan)
    result = {
        "kind": plan.kind,
        "dry_run": dry_run,
        "lines": list(plan.lines),
        "files": [str(path) for path, _ in plan.files],
        "commands": [list(command) for command in plan.commands],
    }
    preview = [line for path, content in plan.files if dry_run and content for line in (f"# {path}", *content.splitlines())]
    face.show(result, printable_lines([*plan.lines, *preview]) or "nothing to do")
