"""Typed values of properties. Pure."""

from __future__ import annotations

import math
from typing import NamedTuple

# What YAML 1.2 core gives: dates and times stay text (Obsidian's own reader does the same). A number without a fraction is an
# int however it was written (`1e3`, `1.0`), as in the app, where one number type holds all.
Value = None | bool | int | float | str | list["Value"] | dict[str, "Value"]


class Problem(NamedTuple):
    """Something wrong with a note that its owner should know; never an exception. *line* is 1-based in the file."""

    rule: str
    line: int
    message: str


def strings(value: Value) -> list[str]:
    """A property that should be a list of strings, read leniently: one string is a list of one, scalars become text, null is empty."""
    match value:
        case None:
            return []
        case str():
            return [value] if value.strip() else []
        case bool() | int() | float():
            return [scalar_text(value)]
        case list():
            return [text for item in value if not isinstance(item, (list, dict)) for text in strings(item)]
        case dict():
            return []


def scalar_text(value: bool | float | str | None) -> str:
    """A scalar as Obsidian shows it: `true`, `1000`, `0.5`, `Infinity`; null is the empty text."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case float():
            return _float_text(value)
        case _:
            return str(value)


def same(left: Value, right: Value) -> bool:
    """Equality as a property's owner sees it: `true` is not `1`, `1.0` is `1`, NaN is NaN, the order of keys does not matter."""
    match left, right:
        case bool(), _:
            return isinstance(right, bool) and left == right
        case _, bool():
            return False
        case int() | float(), int() | float():
            return left == right or (left != left and right != right)  # noqa: PLR0124 - only NaN differs from itself
        case list(), list():
            return len(left) == len(right) and all(map(same, left, right))
        case dict(), dict():
            return left.keys() == right.keys() and all(same(item, right[key]) for key, item in left.items())
        case _:
            return type(left) is type(right) and left == right


def to_json(value: Value) -> Value:
    """The value for `json.dumps`: what JSON cannot hold (`.inf`, `.nan`) becomes null, as in the app."""
    match value:
        case float():
            return value if math.isfinite(value) else None
        case list():
            return [to_json(item) for item in value]
        case dict():
            return {key: to_json(item) for key, item in value.items()}
        case _:
            return value


def _float_text(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if value.is_integer() and abs(value) < 1e21:  # from here on the app writes an exponent
        return str(int(value))
    return repr(value).replace("e-0", "e-")
