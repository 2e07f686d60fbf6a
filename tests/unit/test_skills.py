"""Each skill: the standard's form, within its length, and no command that the program does not have."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import skills_ref

from tests.support import skills

ROOT = Path(__file__).parents[2] / "skills"
SKILLS = sorted(ROOT.glob("*/SKILL.md"))
STANDARD = {"name", "description", "license", "compatibility", "metadata", "allowed-tools"}


def test_the_skills_of_this_version_are_there() -> None:
    assert {"braindump", "research", "lookahead", "recall"} <= {path.parent.name for path in SKILLS}


@pytest.mark.parametrize("skill", SKILLS, ids=lambda path: path.parent.name)
def test_a_skill_has_the_standards_form(skill: Path) -> None:
    assert skills_ref.validate(skill.parent) == []
    text = skill.read_text("utf-8")
    assert len(text.splitlines()) < 150
    header = text.split("---\n")[1]
    assert set(re.findall(r"^([a-z-]+):", header, re.MULTILINE)) <= STANDARD


@pytest.mark.parametrize("skill", SKILLS, ids=lambda path: path.parent.name)
def test_every_command_of_a_skill_exists(skill: Path) -> None:
    assert list(skills.problems(skill)) == []


@pytest.mark.parametrize("skill", SKILLS, ids=lambda path: path.parent.name)
def test_a_skill_says_what_to_show_what_not_to_do_and_what_belongs_where(skill: Path) -> None:
    text = " ".join(skill.read_text("utf-8").split())
    assert "Do not" in text
    assert "Show" in text
    assert "repository's own files" in text
    assert re.search(r"data", text)
    assert re.search(r"[Ii]nvent|[Ww]ork out", text)


@pytest.mark.parametrize(
    "command",
    [
        'vaultkit capture -- "a -b c"',
        "vaultkit capture - <<'END'",
        "vk lookahead done ID",
        "vaultkit --json search words",
        "vaultkit lookahead --level month",
        "vaultkit research save --id ID FILE",
    ],
)
def test_a_command_that_exists_is_found(command: str) -> None:
    assert skills.problem(command) == ""


@pytest.mark.parametrize(
    "command",
    [
        "vaultkit captur x",
        "vaultkit capture --loud x",
        "vaultkit research store FILE",
        "vaultkit research",
        "vaultkit lookahead --level year",
        "vaultkit note read",
        "vaultkit --nope search x",
        "vaultkit search 'unclosed",
    ],
)
def test_a_command_that_does_not_exist_is_told(command: str) -> None:
    assert skills.problem(command) != ""


def test_commands_are_found_wherever_they_stand() -> None:
    text = "Use `vk sync`, or:\n\n   ```sh\n   pbpaste | vaultkit capture -\n   ```\nnot vaultkit in prose, `--as work`.\n"
    assert skills.commands_of(text) == ["vaultkit capture -", "vk sync"]
    assert skills.options_of(text) == ["--as"]
