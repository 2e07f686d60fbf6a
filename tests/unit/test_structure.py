"""Rules that no tool checks: what every Python that we support can run, and what the pages say of the program."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import vaultkit
from vaultkit import errors

ROOT = Path(vaultkit.__file__).parent


def modules() -> list[str]:
    return [
        found.name
        for found in pkgutil.walk_packages([str(ROOT)], "vaultkit.")
        if not found.name.endswith("__main__") and "._data" not in found.name
    ]


def compiled(value: Any, depth: int = 0) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        yield value
    elif depth < 3 and isinstance(value, (tuple, list, set, frozenset)):
        for item in value:
            yield from compiled(item, depth + 1)
    elif depth < 3 and isinstance(value, dict):
        yield from compiled(list(value.values()), depth + 1)


def operations(parsed: Any) -> Iterator[tuple[str, Any]]:
    for operator, argument in parsed:
        yield str(operator), argument
        for part in argument if isinstance(argument, (tuple, list)) else (argument,):
            if type(part).__name__ == "SubPattern":
                yield from operations(part)
            elif isinstance(part, list):
                for branch in part:
                    if type(branch).__name__ == "SubPattern":
                        yield from operations(branch)


@pytest.mark.parametrize("name", modules())
def test_no_pattern_needs_a_later_python_than_we_support(name: str) -> None:
    """Possessive quantifiers on groups, and atomic groups, match wrongly before Python 3.11.5 (CPython gh-106052)."""
    parser: Any = importlib.import_module("re._parser")
    found = importlib.import_module(name)
    for variable, value in vars(found).items():
        for pattern in compiled(value):
            if isinstance(pattern.pattern, bytes):
                continue
            for operator, argument in operations(parser.parse(pattern.pattern, pattern.flags)):
                assert operator != "ATOMIC_GROUP", (variable, pattern.pattern)
                if operator == "POSSESSIVE_REPEAT":
                    body = argument[2]
                    single = len(body) == 1 and str(body[0][0]) in {"LITERAL", "NOT_LITERAL", "IN", "ANY"}
                    assert single, (variable, pattern.pattern)


def test_every_error_has_an_exit_code_a_status_and_a_name_of_its_own() -> None:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.VaultkitError)]
    assert len({kind.code for kind in kinds}) == len(kinds)
    assert all(kind.exit_code in range(1, 7) and kind.http_status >= 400 for kind in kinds)


def test_the_pages_speak_of_the_project_alone() -> None:
    for page in [ROOT.parent / "README.md", ROOT.parent / "CHANGELOG.md", *ROOT.parent.glob("docs/*.md")]:
        if page.exists():
            assert not re.search(r"/wor[k]/|\.librar[y]|steering rep[o]", page.read_text("utf-8")), page


def test_every_command_of_the_readme_exists() -> None:
    from vaultkit.cli._commands import COMMANDS

    readme = ROOT.parent / "README.md"
    if not readme.exists():
        pytest.skip("no README beside the package")
    used = set(re.findall(r"^\s*(?:[a-z]+ \| )?vaultkit ([a-z]+)", readme.read_text("utf-8"), re.MULTILINE))
    assert used
    assert used <= set(COMMANDS)
