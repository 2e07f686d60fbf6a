"""The command line: parse, call one operation, print. Commands are imported when they run, so `--help` stays light."""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Sequence
from typing import Any

import click

from vaultkit import __version__
from vaultkit.cli._commands import COMMANDS, GROUPS
from vaultkit.cli._shared import one_line
from vaultkit.errors import UsageError, VaultkitError

__all__ = ["main", "root"]


class _LazyGroup(click.Group):
    """A group whose commands are named in a table and imported on use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return [name for _, names in GROUPS for name in names]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in COMMANDS:
            return None
        module, attribute, _ = COMMANDS[cmd_name]
        found: click.Command = getattr(importlib.import_module(f"vaultkit.cli.{module}"), attribute)
        return found

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-") and not ctx.resilient_parsing:
            import difflib

            near = difflib.get_close_matches(args[0], COMMANDS, n=1)
            hint = f"did you mean {near[0]}?" if near else "`vaultkit --help` lists them"
            raise UsageError(f"no command named {args[0]!r}", hint=hint)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        for title, names in GROUPS:
            with formatter.section(title):
                formatter.write_dl([(name, COMMANDS[name][2]) for name in names])


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(__version__, prog_name="vaultkit")
@click.option("--vault", metavar="PATH", help="The vault; else VAULTKIT_VAULT, else the one around this folder, else the setting `vault`.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, errors too.")
@click.option("--today", metavar="DATE[THH:MM]", help="Understand dates as if it were this day.")
@click.pass_context
def root(ctx: click.Context, vault: str | None, as_json: bool, today: str | None) -> None:
    """Your Obsidian vault as the memory of your coding agents.

    \b
    Start:  vaultkit init ~/notes
            vaultkit capture "Send the slides to Priya by Friday"
            vaultkit lookahead
    """
    ctx.obj = {"vault": vault, "as_json": as_json, "today": today}


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command line and exit. Every error becomes one line of what, one of what to do, and an exit code."""
    _open_streams()
    arguments = list(sys.argv[1:] if argv is None else argv)
    as_json = "--json" in arguments[: arguments.index("--")] if "--" in arguments else "--json" in arguments
    try:
        result = root.main(arguments, prog_name="vaultkit", standalone_mode=False)
        code = result if isinstance(result, int) else 0  # an Exit raised in a command comes back as its code
    except click.Abort:
        code = _report({"code": "interrupted", "message": "interrupted", "hint": ""}, as_json=as_json, code=130)
    except click.ClickException as error:
        hint = f"`{error.ctx.command_path} --help` shows its use" if isinstance(error, click.UsageError) and error.ctx else ""
        code = _report({"code": "usage", "message": error.format_message(), "hint": hint}, as_json=as_json, code=2)
    except VaultkitError as error:
        code = _report(error.as_dict(), as_json=as_json, code=error.exit_code)
    except BrokenPipeError:
        code = 0  # the reader has what it wanted
        _drop_stdout()
    except OSError as error:
        code = _report(
            {"code": "system", "message": _system(error), "hint": "correct that, then run the command again"}, as_json=as_json, code=1
        )
    except Exception as error:
        if os.environ.get("VAULTKIT_DEBUG"):
            raise
        told = f"{type(error).__name__}: {error}"
        code = _report(
            {"code": "internal", "message": f"this is a fault of vaultkit: {told}", "hint": "VAULTKIT_DEBUG=1 shows where"},
            as_json=as_json,
            code=1,
        )
    sys.exit(code)


def _open_streams() -> None:
    """Standard streams that are there and take any text: where one was closed, the next file opened would get its number, and its output."""
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            try:
                os.fstat(number)
            except OSError:
                os.open(os.devnull, os.O_RDWR)  # the lowest free number, which is this one
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115 - stays open to the end
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")


def _drop_stdout() -> None:
    """Nobody can read it any more: what is still unwritten must not be flushed again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _system(error: OSError) -> str:
    return f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror or error)


_LINE_END = re.compile(r"[ \t]*\r?\n[ \t]*")


def _report(error: dict[str, Any], *, as_json: bool, code: int) -> int:
    try:
        if as_json:
            import json

            click.echo(json.dumps({"error": error}, ensure_ascii=False))
        else:
            # One line each: what YAML, git or a system says may come in several. A query's error shows its line, and the place below it.
            first, *place = error["message"].split("\n") if error["code"] == "query-syntax" else [_LINE_END.sub(" ", error["message"])]
            click.echo("\n".join([f"vaultkit: {one_line(first)}", *map(one_line, place)]), err=True)
            if error["hint"]:
                click.echo(f"  → {one_line(_LINE_END.sub(' ', error['hint']))}", err=True)
    except OSError:  # a full disk or a closed terminal behind the stream: the exit code still tells
        if as_json:
            _drop_stdout()
    return code
