"""obsidian."""

from __future__ import annotations

import click

from vaultkit.cli._shared import Face, common, printable_lines


@click.group()
def obsidian() -> None:
    """Show whether Obsidian runs, and use it: its commands, its open note.

    Obsidian is reached through its plugin Local REST API; address, key and certificate are those of the plugin's settings in the vault. A
    vault that is elsewhere works too: `vaultkit --vault https://host:27124 sync`, with its key in VAULTKIT_OBSIDIAN_KEY.
    """


@obsidian.command("status")
@common()
def obsidian_status(face: Face) -> None:
    """What was found of Obsidian, which version, and what will go through it.

    \b
    Example:
      vaultkit obsidian status --json
    """
    from vaultkit.operations import obsidian as operations

    with face.app() as app:
        found = operations.status(app)
    lines = [f"{found.state}{f': {found.message}' if found.message else ''}"]
    if found.url:
        lines.append(f"address: {found.url}{f' (key: {found.key_from})' if found.key_from else ''}")
    if found.plugin:
        lines.append(f"plugin {found.plugin}, Obsidian {found.obsidian}")
    if found.certificate:
        lines.append(f"pinned certificate, SHA-256: {found.certificate}")
    if found.active:
        lines.append(f"in front: {found.active}")
    if found.daily:
        lines.append(f"daily note: {found.daily}")
    lines += [f"through Obsidian: {way}" for way in found.through]
    lines += [f"files: {way}" for way in found.direct]
    if found.hint:
        lines.append(f"→ {found.hint}")
    face.show(found._asdict(), printable_lines(lines))


@obsidian.command("commands")
@common()
def obsidian_commands(face: Face) -> None:
    """List the commands of the running app.

    \b
    Example:
      vaultkit obsidian commands
    """
    from vaultkit.operations import obsidian as operations

    with face.app() as app:
        found = operations.client(app).commands()
    face.show(
        {"commands": [{"id": key, "name": name} for key, name in found.items()]},
        printable_lines([f"{key}  {name}" for key, name in found.items()]),
    )


@obsidian.command("run")
@click.argument("command")
@common()
def obsidian_run(face: Face, command: str) -> None:
    """Run one of the app's commands, by its id.

    \b
    Example:
      vaultkit obsidian run daily-notes
    """
    from vaultkit.operations import obsidian as operations

    with face.app() as app:
        operations.client(app).run(command)
    face.show({"command": command}, printable_lines([f"ran {command}"]))


@obsidian.command("trust")
@common()
def obsidian_trust(face: Face) -> None:
    """Pin the certificate that the vault's address shows now, in place of the one that was pinned.

    Look that the printed fingerprint is the one in the plugin's settings on the other machine.

    \b
    Example:
      vaultkit --vault https://host:27124 obsidian trust
    """
    from vaultkit.operations import obsidian as operations

    with face.app() as app:
        print_ = operations.trust(app)
    face.show({"certificate": print_}, f"pinned, SHA-256: {print_}")
