from __future__ import annotations

import json

import pytest

from vaultkit.text.values import Value, same, scalar_text, strings, to_json


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, []),
        ("", []),
        ("  ", []),
        ("one", ["one"]),
        (["a", 2024, True, None, 0.5], ["a", "2024", "true", "0.5"]),
        ([["nested"], {"a": 1}, "kept"], ["kept"]),
        ({"a": "b"}, []),
        (False, ["false"]),
        (7, ["7"]),
    ],
)
def test_a_property_is_read_as_a_list_of_strings(value: Value, expected: list[str]) -> None:
    assert strings(value) == expected


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1000.0, "1000"),
        (0.5, "0.5"),
        (1e-7, "1e-7"),
        (1e21, "1e+21"),
        (float("inf"), "Infinity"),
        (float("-inf"), "-Infinity"),
        (float("nan"), "NaN"),
        (True, "true"),
        (None, ""),
        ("x", "x"),
        (12, "12"),
    ],
)
def test_a_scalar_is_written_as_obsidian_shows_it(value: bool | float | str | None, text: str) -> None:
    assert scalar_text(value) == text


NAN = float("nan")


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        (1, 1.0, True),
        (1, True, False),
        (False, 0, False),
        (True, True, True),
        (NAN, NAN, True),
        (NAN, 1, False),
        ("1", 1, False),
        (None, "", False),
        (None, None, True),
        ([1, [2, True]], [1.0, [2, True]], True),
        ([1, [2, True]], [1, [2, 1]], False),
        ([1], [1, 2], False),
        ({"a": 1, "b": NAN}, {"b": NAN, "a": 1}, True),
        ({"a": 1}, {"b": 1}, False),
        ({"a": None}, {}, False),
        ([], {}, False),
    ],
)
def test_values_are_the_same_when_their_owner_would_say_so(left: Value, right: Value, expected: bool) -> None:
    assert same(left, right) is expected
    assert same(right, left) is expected


def test_what_json_cannot_hold_becomes_null() -> None:
    value: Value = {"a": [float("inf"), 1.5, {"b": NAN}], "c": "text", "d": 3}
    assert json.dumps(to_json(value), allow_nan=False) == '{"a": [null, 1.5, {"b": null}], "c": "text", "d": 3}'
