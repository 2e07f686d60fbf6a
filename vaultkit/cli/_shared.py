"""What every command shares: the common options, opening the vault, printing a result."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

import click

from vaultkit.errors import UsageError

if TYPE_CHECKING:
    from vaultkit.app import App, Progress

Command = TypeVar("Command", bound=Callable[..., Any])


class Face:
    """The common options of one call, from the command itself or from `vaultkit` before it."""

    def __init__(self, vault: str | None, as_json: bool, today: str | None) -> None:
        inherited = click.get_current_context().find_root().ensure_object(dict)
        self.vault: str | None = vault or inherited.get("vault")
        self.as_json: bool = as_json or bool(inherited.get("as_json"))
        word = today or inherited.get("today")
        # A group's own options hold for its commands too: `lookahead --vault X done ID`.
        inherited.update(vault=self.vault, as_json=self.as_json, today=word)
        self.now: Callable[[], datetime] = datetime.now if word is None else functools.partial(_fixed, _parse_today(word))

    @contextmanager
    def app(self, **flags: Any) -> Iterator[App]:
        """The vault, opened; leftovers of killed runs are told on stderr."""
        from vaultkit.app import open_app

        with open_app(self.vault, now=self.now, session=os.environ.get("VAULTKIT_SESSION", ""), flags=flags) as app:
            for line in app.recovered:
                click.echo(f"vaultkit: {line}", err=True)
            yield app

    def show(self, result: Any, text: str | Callable[[], str]) -> None:
        """Print *result* as JSON, or *text* for people."""
        if self.as_json:
            import json

            click.echo(json.dumps(result, ensure_ascii=False, indent=None if not sys.stdout.isatty() else 2, default=str))
        else:
            line = text() if callable(text) else text
            if line:
                click.echo(line)

    @contextmanager
    def progress(self, label: str) -> Iterator[Progress | None]:
        """A progress bar on a terminal; nothing elsewhere."""
        if self.as_json or not sys.stderr.isatty():
            yield None
            return
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        # No refresh thread: worker processes are forked while the bar is shown.
        with Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False) as bar:
            task = bar.add_task(label, total=None)

            def report(done: int, total: int) -> None:
                bar.update(task, completed=done, total=total)
                bar.refresh()

            yield report


def common(*, today: bool = False) -> Callable[[Command], Command]:
    """Add `--vault`, `--json` (and `--today`), and pass the command a `Face` first."""

    def wrap(command: Command) -> Command:
        @functools.wraps(command)
        def inner(*args: Any, vault: str | None, as_json: bool, today_word: str | None = None, **options: Any) -> Any:
            return command(Face(vault, as_json, today_word), *args, **options)

        decorated: Any = click.option("--vault", metavar="PATH", help="The vault.")(inner)
        decorated = click.option("--json", "as_json", is_flag=True, help="Print JSON, errors too.")(decorated)
        if today:
            decorated = click.option("--today", "today_word", metavar="DATE[THH:MM]", help="As if it were this day.")(decorated)
        result: Command = decorated
        return result

    return wrap


def _fixed(when: datetime) -> datetime:
    return when


def _parse_today(word: str) -> datetime:
    try:
        when = datetime.fromisoformat(word)
    except ValueError:
        raise UsageError(f"--today: {word!r} is no date", hint="write 2026-11-30 or 2026-11-30T09:00") from None
    if when.tzinfo is not None:
        raise UsageError("--today: a local time without zone is meant", hint="write 2026-11-30T09:00")
    return when


def many(count: int, noun: str) -> str:
    """`1 note`, `2 notes`, `4,700 notes`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def printable_lines(lines: list[str]) -> str:
    """Lines for a terminal: no line end or control character of a hostile name gets through."""
    from vaultkit.text.edit import printable

    return "\n".join("".join(c if c.isprintable() or c in "\t\u200d" else "�" for c in printable(line)) for line in lines)


def stdin_text() -> str:
    """Standard input as text whose bytes can be had back exactly."""
    from vaultkit.text.edit import to_text

    return to_text(sys.stdin.buffer.read())
