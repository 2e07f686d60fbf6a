"""The commands that a skill names, held against the real command line: each must exist, with the options it is given."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click

from vaultkit.cli import root
from vaultkit.errors import UsageError

_FENCE = re.compile(r"^[ ]*(```|~~~)[^\n]*\n(.*?)^[ ]*\1", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_PROGRAM = re.compile(r"(?:^|[|;&(]\s*)(vaultkit|vk)(?=\s|$)", re.MULTILINE)


def commands_of(text: str) -> list[str]:
    """Every call of the program in fenced blocks and in inline code."""
    found = [line for block in _FENCE.finditer(text) for line in block[2].splitlines()]
    found += [match[1] for match in _INLINE.finditer(_FENCE.sub("", text))]
    return [line.strip()[match.start(1) :] for line in found for match in _PROGRAM.finditer(line.strip())]


def options_of(text: str) -> list[str]:
    """Options that stand alone in inline code: `--as work`."""
    return [match[1].split()[0] for match in _INLINE.finditer(_FENCE.sub("", text)) if match[1].startswith("-") and match[1] != "-"]


def problem(command: str) -> str:
    """What is wrong with a call; "" when the program takes it."""
    try:
        words = shlex.split(command.split("<<", maxsplit=1)[0], comments=True)
    except ValueError as error:
        return f"{command}: {error}"
    words = [_filled(word) for word in words[1:]]
    found: click.Command = root
    name: str | None = "vaultkit"
    context: click.Context | None = None
    try:
        while True:
            if isinstance(found, click.Group) and not words and not found.invoke_without_command and found is not root:
                return f"{command}: {name} needs a command"
            context = found.make_context(name, words, parent=context)
            if not isinstance(found, click.Group):
                return ""
            words = [*context._protected_args, *context.args]
            if not words:
                return ""
            name, following, words = found.resolve_command(context, words)
            if following is None:
                return f"{command}: {found.name} has no command {name}"
            found = following
    except click.ClickException as error:
        return f"{command}: {error.format_message()}"
    except UsageError as error:
        return f"{command}: {error.message}"


def problems(skill: Path) -> Iterator[str]:
    """Everything that is wrong with the commands and options of one SKILL.md."""
    text = skill.read_text("utf-8")
    commands = commands_of(text)
    if not commands:
        yield f"{skill}: names no command of vaultkit"
    yield from (f"{skill}: {found}" for command in commands if (found := problem(command)))
    known = {option for command in commands for option in _options(command)}
    yield from (f"{skill}: no command named here has {option}" for option in options_of(text) if option not in known)


def _options(command: str) -> set[str]:
    """All options of the command that a call means, its groups' too."""
    words = [word for word in shlex.split(command.split("<<", maxsplit=1)[0], comments=True)[1:] if not word.startswith("-")]
    group: click.Command = root
    found: set[str] = set()
    for word in words:
        if not isinstance(group, click.Group):
            break
        following = group.get_command(click.Context(group), word)
        if following is None:
            break
        group = following
        found |= {name for one in group.params for name in (*one.opts, *one.secondary_opts)}
    return found


def _filled(word: str) -> str:
    """A placeholder in capitals as a word that any option takes."""
    return "1f3a9c2e" if re.fullmatch(r"[A-Z]{2,}", word) else word
