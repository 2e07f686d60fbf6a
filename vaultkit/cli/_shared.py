"""What every command shares: the common options, opening the vault, printing a result."""

from __future__ import annotations

import functools
import math
import os
import re
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
        self.vault: str | None = inherited.get("vault") if vault is None else vault
        self.as_json: bool = as_json or bool(inherited.get("as_json"))
        word = inherited.get("today") if today is None else today
        # A group's own options hold for its commands too: `lookahead --vault X done ID`.
        inherited.update(vault=self.vault, as_json=self.as_json, today=word)
        self.as_if = word is not None  # it is to be another day
        self.now: Callable[[], datetime] = datetime.now if word is None else functools.partial(_fixed, _parse_today(word))

    @contextmanager
    def app(self, **flags: Any) -> Iterator[App]:
        """The vault, opened; leftovers of killed runs are told on stderr."""
        from vaultkit.app import open_app

        with open_app(self.vault, now=self.now, session=os.environ.get("VAULTKIT_SESSION", ""), flags=flags) as app:
            for line in app.recovered:
                tell(line)
            yield app

    def by_daemon(self, command: str, asked: dict[str, Any], *, seconds: float) -> Any:
        """What a listening daemon answers; None when none does, it is of another version or environment, it fails, or is late.

        Then the caller does the same in this process, and says what is wrong if it is. No daemon serves a vault behind an address.
        """
        import json

        from vaultkit import wire
        from vaultkit.config import find_vault, here, remote_vault

        if self.as_if or not wire.listens() or remote_vault(self.vault):
            return None
        root = find_vault(self.vault, cwd=here())
        payload = json.dumps({"environment": wire.environment(), "asked": asked}, ensure_ascii=True).encode()
        answer = wire.ask(command, (str(root),), payload, seconds)
        try:
            return json.loads(answer) if answer else None
        except ValueError:  # cut off by a daemon that ended
            return None

    def show(self, result: Any, text: str | Callable[[], str]) -> None:
        """Print *result* as JSON, or *text* for people."""
        if self.as_json:
            click.echo(_json(result, indent=2 if sys.stdout.isatty() else None))
        else:
            line = text() if callable(text) else text
            if line:
                click.echo(shown(line))

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


def tell(line: str) -> None:
    """One line beside the answer, on stderr."""
    click.echo(f"vaultkit: {one_line(line)}", err=True)


def shown(text: str) -> str:
    """Text of a vault for a terminal: nothing in it moves the cursor, changes colours or turns the direction of writing."""
    return _UNSHOWN.sub("�", text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """The same for what stands in one line: a name with a line end in it must not look like two."""
    return _UNSHOWN.sub("�", text.replace("\n", "�"))


def printable_lines(lines: list[str]) -> str:
    """Lines for a terminal: no line end or control character of a hostile name gets through."""
    return "\n".join(map(one_line, lines))


def stdin_text() -> str:
    """Standard input as text whose bytes can be had back exactly."""
    from vaultkit.text.edit import to_text

    return to_text(sys.stdin.buffer.read())


# Control characters but tab and line feed, lone surrogates, line separators, and what overrides the direction. Not: every other white space
# (U+3000 stands in Japanese text), joiners of emoji, characters newer than this Python.
_UNSHOWN = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def _json(value: Any, *, indent: int | None) -> str:
    import json

    try:
        text = json.dumps(value, ensure_ascii=False, indent=indent, default=str, allow_nan=False)
    except ValueError:  # JSON has no word for .nan and .inf, which YAML has
        text = json.dumps(_finite(value), ensure_ascii=False, indent=indent, default=str, allow_nan=False)
    return text if text.isascii() else _SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", text)


_SURROGATE = re.compile("[\ud800-\udfff]")  # no output can hold one


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key if not isinstance(key, float) or math.isfinite(key) else str(key): _finite(item) for key, item in value.items()}
    return [_finite(item) for item in value] if isinstance(value, (list, tuple)) else value
