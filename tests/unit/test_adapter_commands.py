from __future__ import annotations

from typing import Any

import pytest

from vaultkit.errors import UsageError
from vaultkit.upkeep.adapters.command import Program, is_hook, is_server, render, words_of
from vaultkit.upkeep.adapters.entries import is_stamped, is_stamped_skill, stamped, stamped_skill
from vaultkit.upkeep.adapters.skills import bound

PROGRAM = Program("/py", "/lib/vaultkit/wire.py", "/my vault")


def test_a_template_word_that_means_nothing_is_an_error() -> None:
    with pytest.raises(UsageError, match="@nothing"):
        render({"command": "@nothing"}, PROGRAM, "codex")


@pytest.mark.parametrize(
    ("handler", "ours"),
    [
        ({"command": "/py", "args": ["-I", "-S", "/lib/vaultkit/wire.py", "hook", "/v", "codex", "start"]}, True),
        ({"command": "'/my py' -I -S '/li b/vaultkit/wire.py' hook /v codex start"}, True),
        ({"bash": "/py -I -S /lib/vaultkit/wire.py hook /v copilot end"}, True),
        ({"command": "/py /lib/vaultkit/wire.py prompt /v"}, False),
        ({"command": "/py /lib/other/wire.py hook /v"}, False),
        ({"command": "echo 'not closed"}, False),
        ({"command": 7}, False),
        ("text", False),
    ],
)
def test_a_hook_is_ours_by_what_it_runs(handler: Any, ours: bool) -> None:
    assert is_hook(words_of(handler)) is ours


@pytest.mark.parametrize(
    ("entry", "ours"),
    [
        ({"command": "/py", "args": ["-P", "-m", "vaultkit", "--vault", "/v", "mcp"]}, True),
        ({"command": ["/bin/vaultkit", "--vault", "/v", "mcp"]}, True),
        ({"command": "uvx", "args": ["something-else", "mcp"]}, False),
        ({"url": "https://example.org"}, False),
    ],
)
def test_a_server_is_ours_by_what_it_runs(entry: Any, ours: bool) -> None:
    assert is_server(words_of(entry)) is ours


def test_commands_of_a_skill_name_the_program_and_the_vault_but_its_prose_does_not() -> None:
    text = 'vaultkit files it: `vaultkit capture -- "words"`.\n\n```sh\nvaultkit search x | vk note read y\n```\nSee `/opt/vaultkit x`.'
    command = PROGRAM.cli()
    assert bound(text, PROGRAM) == text.replace("`vaultkit ", f"`{command} ").replace("\nvaultkit ", f"\n{command} ").replace(
        "| vk ", f"| {command} "
    )


@pytest.mark.parametrize("metadata", ["", "metadata:\n  author: me\n"])
def test_a_stamp_tells_whether_a_skill_was_edited(metadata: str) -> None:
    text = f"---\nname: a\n{metadata}---\n\n# A\n"
    marked = stamped_skill(text)
    assert is_stamped_skill(marked)
    assert not is_stamped_skill(marked + "mine\n")
    assert not is_stamped_skill(marked.replace("name: a", "name: b"))
    assert not is_stamped_skill(text)


def test_a_stamp_tells_whether_a_file_of_code_was_edited() -> None:
    marked = stamped("const a = 1\n", "// {}".format)
    assert is_stamped(marked)
    assert not is_stamped(marked.replace("1", "2"))
