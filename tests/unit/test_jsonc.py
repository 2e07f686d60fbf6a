from __future__ import annotations

import json
from typing import Any

import pytest

from vaultkit.text import jsonc

OURS = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "ours"}]}]}}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": [1, 2.5, null, true], "b": {}}', {"a": [1, 2.5, None, True], "b": {}}),
        ('// head\n{"a": 1, /* in */ "b": [1,2,],}\n// tail', {"a": 1, "b": [1, 2]}),
        ('{"url": "http://x//y", "s": "\\"/*"}', {"url": "http://x//y", "s": '"/*'}),
        ('{"twice": 1, "twice": 2}', {"twice": 2}),
    ],
)
def test_json_with_comments_reads_as_its_programs_read_it(text: str, value: Any) -> None:
    assert jsonc.loads(text, comments=True) == value


@pytest.mark.parametrize(
    ("text", "comments", "line"),
    [
        ('{\n"a": 1,\n}', False, 3),
        ('{\n// no\n"a": 1}', False, 2),
        ('{"a": 1} x', True, 1),
        ('{"a" 1}', True, 1),
        ("{a: 1}", True, 1),
        ('{\n"a": /* open', True, 2),
        ("", True, 1),
        ('{"a": nope}', True, 1),
        ("[" * 100_000, True, 1),
        ("[" * 100_000, False, 1),
    ],
)
def test_what_is_no_json_is_refused_with_its_line(text: str, comments: bool, line: int) -> None:
    with pytest.raises(jsonc.JsonTextError) as caught:
        jsonc.scan(text, comments=comments)
    if "{" in text and "}" in text:
        assert caught.value.line == line


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "{}\n",
        '{"model": "m"}',
        '{\n  "model": "m"\n}\n',
        '{\n    "model": "m",\n    "hooks": {\n        "Stop": [\n            {"hooks": [{"command": "theirs"}]}\n        ]\n    }\n}\n',
        '{\r\n\t"hooks": {"PreToolUse": []},\r\n\t"z": [1,2]\r\n}\r\n',
        '{\n  // why\n  "model": "m", // the model\n  "hooks": {\n    // mine\n    "Stop": [\n      { "hooks": [] }, // one\n    ],\n  },\n}\n',
        '{\n  "model": "m" // last word\n}',
    ],
)
def test_what_was_merged_in_comes_out_again_byte_for_byte(text: str) -> None:
    before = jsonc.loads(text, comments=True)
    merged = jsonc.merge(text, OURS, comments=True)
    assert jsonc.loads(merged, comments=True) == _merged(before)
    stops = before.get("hooks", {}).get("Stop")
    place: jsonc.Path = ("hooks", "Stop", len(stops)) if stops is not None else ("hooks", "Stop") if "hooks" in before else ("hooks",)
    assert jsonc.remove(merged, [place], comments=True) == text


def _merged(before: dict[str, Any]) -> dict[str, Any]:
    after: dict[str, Any] = json.loads(json.dumps(before))
    after.setdefault("hooks", {}).setdefault("Stop", []).extend(OURS["hooks"]["Stop"])
    return after


def test_a_comment_about_the_element_before_stays_on_its_line() -> None:
    text = '{\n  "a": 1 // about a\n}\n'
    assert jsonc.merge(text, {"b": 2}, comments=True) == '{\n  "a": 1, // about a\n  "b": 2\n}\n'


def test_line_ends_and_indentation_of_the_file_are_followed() -> None:
    assert jsonc.merge('{\r\n\t"a": 1\r\n}', {"b": [1]}) == '{\r\n\t"a": 1,\r\n\t"b": [\r\n\t\t1\r\n\t]\r\n}'


def test_a_line_comment_before_what_is_removed_does_not_swallow_the_rest() -> None:
    text = '{"a": [1, // one\n 2]}'
    assert jsonc.loads(jsonc.remove(text, [("a", 1)], comments=True), comments=True) == {"a": [1]}


def test_many_places_are_removed_at_once() -> None:
    text = '{"a": [0, 1, 2, 3], "b": 1, "c": 2}'
    assert jsonc.loads(jsonc.remove(text, [("a", 1), ("a", 3), ("b",)])) == {"a": [0, 2], "c": 2}


def test_a_key_of_another_shape_is_an_error() -> None:
    with pytest.raises(jsonc.JsonTextError, match="hooks is not an object"):
        jsonc.merge('{"hooks": []}', OURS)
