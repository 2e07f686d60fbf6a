"""The shipped skills: valid by the format's own checker, short, and every command in them exists with its options."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest
from skills_ref.validator import validate  # type: ignore[import-untyped]

from vaultkit.app.shipped import shipped
from vaultkit.cli import root
from vaultkit.records.skills import problems_of

SKILLS = sorted(shipped("skills").glob("*/SKILL.md"))


@pytest.mark.parametrize("file", SKILLS, ids=lambda file: file.parent.name)
def test_a_shipped_skill_is_valid_and_short(file: Path) -> None:
    text = file.read_text("utf-8")
    assert validate(file.parent) == []
    assert problems_of(text, file.parent.name) == []
    assert text.count("\n") < 150


@pytest.mark.parametrize("file", SKILLS, ids=lambda file: file.parent.name)
def test_every_command_in_a_skill_exists(file: Path) -> None:
    text = file.read_text("utf-8").replace("\\\n", " ")
    commands = [*re.findall(r"`(vaultkit [^`]+)`", text), *re.findall(r"^(vaultkit .+)$", text, re.MULTILINE)]
    assert commands
    for line in commands:
        command: click.Command = root
        context = click.Context(root)
        words = shlex.split(line.replace("…", ""))[1:]
        while words and isinstance(command, click.Group):
            found = command.get_command(context, words[0])
            if found is None:
                break
            command, words = found, words[1:]
        options = {name for option in command.params for name in (*option.opts, *option.secondary_opts)}
        assert command is not root, line
        assert {word.partition("=")[0] for word in words if word.startswith("--") and word != "--"} <= options, line


def test_decide_looks_up_before_it_drafts() -> None:
    text = (shipped("skills") / "decide" / "SKILL.md").read_text("utf-8")
    assert text.index("record list --about") < text.index("record decision --goal")
    assert "repository's own files" in text
