"""hook, session."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from vaultkit.cli._shared import Face, common, many, printable_lines


@click.command()
@click.argument("harness")
@click.argument("event")
@common()
def hook(face: Face, harness: str, event: str) -> None:
    """Answer a harness's hook: payload on standard input, the answer on standard output.

    HARNESS: claude-code codex copilot opencode gemini qwen. EVENT: start prompt tool turn compact end. What is unknown, malformed or late
    answers nothing, tells one line on standard error and exits 0. `vaultkit install` writes a faster form of the same into a harness's
    settings.

    \b
    Example:  echo '{"session_id": "s1", "prompt": "how do we renew the certificate?"}' | vaultkit --vault ~/notes hook codex prompt
    """
    if os.environ.get("VAULTKIT_INTERNAL"):
        return
    try:
        from vaultkit import daemon
        from vaultkit.config import find_vault

        payload = sys.stdin.buffer.read()
        # Never the vault around the working folder: a hostile clone must not become the memory.
        named = face.vault or os.environ.get("VAULTKIT_VAULT")
        root = find_vault(named, cwd=_NOWHERE)
        told = (f"{name}={os.environ[name]}" for name in _variables() if name in os.environ)
        trouble, _, out = daemon.once("hook", (str(root), harness, event, *told), payload).partition(b"\n")
        sys.stdout.buffer.write(out)
        sys.stdout.buffer.flush()
    except Exception as error:  # noqa: BLE001 - a hook never breaks a session
        trouble = f"{type(error).__name__}: {error}".encode("utf-8", "replace")
    if trouble:
        click.echo("vaultkit hook: " + " ".join(trouble.decode("utf-8", "replace").removeprefix("vaultkit hook: ").split()), err=True)


@click.group()
def session() -> None:
    """Show the sessions that are kept, or do what they left to be done.

    \b
    Examples:  vaultkit session list
               vaultkit session work
    """


@session.command("list")
@common()
def session_list(face: Face) -> None:
    """The sessions of this vault that have rows, the newest last."""
    from vaultkit import sessions

    with face.app() as app:
        found = sessions.listing(app)
    lines = [
        f"{one.changed}  {one.harness}  {one.session}  {many(one.turns, 'turn')}{'  waits' if one.waits else ''}{'  ' + one.note if one.note else ''}"
        for one in found
    ]
    face.show([one._asdict() for one in found], printable_lines(lines) or "no session yet")


@session.command("work")
@common()
def session_work(face: Face) -> None:
    """Write the notes of sessions that have ended, fold the counters, bring the indexes up to date.

    The hooks start it by themselves when a session ends; one at a time works on a vault.
    """
    from vaultkit.sessions import worker

    with face.app() as app:
        done = worker.work(app)
    lines = [f"{many(len(done.notes), 'session note')}, {many(len(done.learnings), 'learning')}, {many(done.folded, 'counter')} folded"]
    lines += [*done.notes, *done.learnings, *done.told]
    face.show(done._asdict(), printable_lines(lines))


def _variables() -> tuple[str, ...]:
    from vaultkit.harness import VARIABLES

    return VARIABLES


_NOWHERE = Path("/")  # no vault stands around it
