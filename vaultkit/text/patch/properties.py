"""Properties in a PATCH: a value merged into one, written in the plugin's own form or by splice."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from vaultkit.errors import FrontmatterEditError, PatchError
from vaultkit.text import frontmatter
from vaultkit.text.values import Value, same

_EMPTY: Final[dict[type, Value]] = {str: "", list: [], dict: {}}


def read(text: str) -> dict[str, Value]:
    """The note's properties. Raises PatchError when they cannot be read."""
    found = frontmatter.read(text)
    if not found.readable and found.problem is not None:
        raise _unreadable(found.problem.message, found.problem.line)
    return found.values


def check_yaml(text: str) -> None:
    """Raise PatchError when the block is no YAML; a block that is YAML but no list of properties passes."""
    problem = frontmatter.syntax_problem(text)
    if problem is not None:
        raise _unreadable(problem.message, problem.line)


def merged(old: Value, new: Value, operation: str) -> Value:
    """*old* with *new* appended or prepended: lists and texts are joined, maps merged (the later key wins)."""
    first, second = (old, new) if operation == "append" else (new, old)
    match first, second:
        case list(), list():
            return [*first, *second]
        case dict(), dict():
            return {**first, **second}
        case str(), str():
            return first + second
        case _:
            raise PatchError(
                f"{_kind(new)} cannot be added to {_kind(old)}",
                reason="content-not-mergeable",
                hint="replace the property, or send a value of its own type (a list for a list)",
            )


def empty_like(value: Value) -> Value:
    """What a property that an append creates starts as."""
    if type(value) not in _EMPTY:
        raise PatchError(f"{_kind(value)} cannot be appended", reason="content-not-mergeable", hint="replace the property instead")
    return _EMPTY[type(value)]


def set_exactly(text: str, changes: Mapping[str, Value]) -> str:
    """Properties set as the plugin's 1.x engine does: the whole block in its own form; by splice where that would lose something."""
    from vaultkit.text.patch import serialised  # noqa: PLC0415 - PyYAML, which only properties need

    found = frontmatter.read(text)
    values = found.values | dict(changes)
    if found.block is None:
        start = int(text.startswith("\ufeff"))
        return text[:start] + serialised.block(values, "\r\n" if "\r\n" in text else "\n") + text[start:]
    inner = text[found.block.inner : found.block.inner_end]
    if not _IRREPLACEABLE.search(inner):
        written = serialised.block(values, found.block.newline)
        done = text[: found.block.start] + written + text[found.block.end :]
        again = frontmatter.read(done)
        if again.readable and same(again.values, values):
            return done
    return spliced(text, changes)


def spliced(text: str, changes: Mapping[str, frontmatter.Change], order: tuple[str, ...] = ()) -> str:
    """Properties set or deleted, every other byte as it was. Raises PatchError when that cannot be."""
    try:
        return frontmatter.edit(text, changes, order=order)
    except FrontmatterEditError as error:
        raise PatchError(error.message, rest_code=40005 if not frontmatter.read(text).readable else 40080, hint=error.hint) from error


# A comment, an anchor, an alias or a tag: the plugin's form has no place for them. A `#` inside a value is taken for one too, which is
# the careful side.
_IRREPLACEABLE: Final = re.compile(r"(?:^|[ \t])#|(?:^|[ \t\[,{])[&*!][^\s,\]}]", re.MULTILINE)


def _unreadable(message: str, line: int) -> PatchError:
    return PatchError(
        f"the frontmatter cannot be read: {message} (line {line})", rest_code=40005, hint="fix the frontmatter by hand, then retry"
    )


def _kind(value: Value) -> str:
    match value:
        case None:
            return "an empty value"
        case bool():
            return "a checkbox"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case list():
            return "a list"
        case dict():
            return "a map"
