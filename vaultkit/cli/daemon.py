"""daemon."""

from __future__ import annotations

import sys

import click

from vaultkit.cli._shared import Face, common, many


@click.group()
def daemon() -> None:
    """Start, stop or show the warm process that answers prompts.

    The first prompt starts it by itself, and it ends after 30 idle minutes: you usually do not need these commands.

    \b
    Examples:  vaultkit daemon status
               vaultkit daemon stop
    """


@daemon.command("start")
@common()
def daemon_start(face: Face) -> None:
    """Start it, detached; the same again changes nothing."""
    from vaultkit import daemon as face_of

    _show(face, face_of.start())


@daemon.command("stop")
@common()
def daemon_stop(face: Face) -> None:
    """End it."""
    from vaultkit import daemon as face_of

    stopped = face_of.stop()
    face.show({"stopped": stopped}, "stopped" if stopped else "none is running")


@daemon.command("status")
@common()
def daemon_status(face: Face) -> None:
    """Show whether it runs, since when, and what it needs."""
    from vaultkit import daemon as face_of

    found = face_of.status()
    if found is None:
        face.show({"running": False}, "none is running (the next prompt starts one)")
    else:
        _show(face, found)


@daemon.command("run")
@click.option("--idle", type=float, default=1800, show_default=True, help="End after so many seconds without a request.")
def daemon_run(idle: float) -> None:
    """Run it in this terminal."""
    from vaultkit import daemon as face_of

    if not face_of.run(idle=idle):
        click.echo("vaultkit: another daemon is running already", err=True)


@daemon.command("once", hidden=True)
@click.argument("words", nargs=-1, required=True)
def daemon_once(words: tuple[str, ...]) -> None:
    """Answer one request without a daemon (what the prompt client falls back to)."""
    from vaultkit import daemon as face_of

    data = face_of.once(words[0], words[1:], sys.stdin.buffer.read())
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def _show(face: Face, found: object) -> None:
    from vaultkit.daemon import Status

    assert isinstance(found, Status)
    text = f"running: process {found.pid}, version {found.version}, {many(found.requests, 'request')} in {found.seconds:.0f} s, {found.rss_mb} MB, {many(len(found.vaults), 'vault')}\n{found.socket}"
    face.show({"running": True, **found._asdict()}, text)
