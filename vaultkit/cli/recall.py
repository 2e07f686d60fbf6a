"""recall, why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from vaultkit.cli._shared import Face, common, printable_lines

if TYPE_CHECKING:
    from vaultkit.app import App


@click.command()
@click.argument("prompt", nargs=-1)
@click.option("--mode", type=click.Choice(["light", "targeted", "graph-overview"]), help="How to look; else the prompt decides.")
@click.option("--size", type=click.IntRange(200, 100_000), default=2000, show_default=True, help="Most characters of the digest.")
@click.option("--session", default="", metavar="ID", help="Leave out what this session was shown already.")
@click.option("--harness", default="", metavar="NAME", help="Apply this harness's allowed scopes (setting recall_scopes).")
@click.option("--all", "everything", is_flag=True, help="Superseded, retired, discarded and processed notes too, behind the others.")
@click.option("--spread", is_flag=True, help="Follow links from what fits: full text, summary or title by activation.")
@common(today=True)
def recall(
    face: Face, prompt: tuple[str, ...], mode: str | None, size: int, session: str, harness: str, everything: bool, spread: bool
) -> None:
    """What a prompt would be given: the few notes that matter, or nothing.

    One line a note, never a body; with --spread a tree that a person asked for (its numbers: setting spread). `recall mute NOTE` keeps a note out of every digest from now on.

    \b
    Examples:  vaultkit recall "how do we renew the certificate?"
               vaultkit recall mute old-plan
               vaultkit recall -- mute the microphone
    """
    from vaultkit.errors import UsageError

    if not prompt:
        raise UsageError("recall what?", hint="give the prompt, or - for standard input")
    if len(prompt) == 2 and prompt[0] == "mute":
        from vaultkit.operations import recall as operations

        with face.app() as app:
            muted = operations.mute(app, prompt[1])
        face.show(
            muted._asdict(), f"{muted.path} {'was muted already' if muted.already else 'reaches no digest any more'} ({operations.GOLDEN})"
        )
        return
    from vaultkit.cli._shared import stdin_text

    text = stdin_text() if prompt == ("-",) else " ".join(prompt)
    asked = {"prompt": text, "mode": mode, "size": size, "session": session, "harness": harness, "everything": everything}
    command = "spread" if spread else "recall"
    result = face.by_daemon(command, asked, seconds=_PATIENCE_MODEL if spread else _PATIENCE)
    if result is None:
        with face.app() as app:
            result = _in_process(app, asked, spread=spread)
    lines = str(result["text"]).split("\n")
    face.show(result, lambda: printable_lines(lines) if result["text"] else "")


_PATIENCE = 2.0  # seconds; then this process does it itself
_PATIENCE_MODEL = 20.0


def _in_process(app: App, asked: dict[str, Any], *, spread: bool) -> dict[str, Any]:
    from vaultkit.operations import recall as operations

    ask = operations.Ask(**asked)
    if spread:
        from vaultkit.operations import spread as spreading

        return spreading.to_json(spreading.spread(app, ask))
    return operations.to_json(operations.recall(app, ask))


@click.command()
@click.argument("turn", required=False, default="")
@common()
def why(face: Face, turn: str) -> None:
    """Why a turn got what it got.

    Without TURN the last prompt. Its text is not kept unless the setting record_prompts says so.

    \b
    Examples:  vaultkit why
               vaultkit why 1130082418-14d194
    """
    from vaultkit.operations import recall as operations

    with face.app() as app:
        event = operations.why(app, turn)
    lines = [
        f"{event.get('turn')}  {str(event.get('t'))[:19]}  {event.get('confidence')}  m={event.get('used')}  by {event.get('served_by')} in {event.get('latency_ms')} ms"
    ]
    lines += [f"mode {event.get('mode')}" + (f", {event['fallback']}" if event.get("fallback") else "")]
    for note in event.get("notes", []):
        lines.append(
            f"{note.get('score')}  {note.get('path')}  {', '.join(map(str, note.get('terms', [])))} (coverage {note.get('coverage')})"
        )
    lines += [] if event.get("notes") else ["nothing was injected"]
    face.show(event, lambda: printable_lines(lines))
