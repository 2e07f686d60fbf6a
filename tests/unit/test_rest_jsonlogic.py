"""JsonLogic as json-logic-js has it, and its bounds."""

from __future__ import annotations

import time
from typing import Any

import pytest

from vaultkit.rest.jsonlogic import Stop, compile_logic

NOTE = {"path": "Daily/2026-01-05.md", "tags": ["a", "b/c"], "frontmatter": {"n": 3, "list": [1, 2, 3], "s": "10"}, "content": "x"}


def _value(query: Any, seconds: float = 20) -> Any:
    with compile_logic(query, time.monotonic() + seconds) as logic:
        return logic.apply(NOTE)


@pytest.mark.parametrize(
    ("query", "value"),
    [
        ({"var": "frontmatter.list.1"}, 2),
        ({"var": ["frontmatter.gone", "else"]}, "else"),
        ({"==": [{"var": "frontmatter.s"}, 10]}, True),
        ({"===": [{"var": "frontmatter.s"}, 10]}, False),
        ({"==": [None, 0]}, False),
        ({"<": [1, {"var": "frontmatter.n"}, 5]}, True),
        ({"<": ["10", "9"]}, True),
        ({"in": ["a", {"var": "tags"}]}, True),
        ({"in": ["2026", {"var": "path"}]}, True),
        ({"if": [False, 1, 0, 2, 3]}, 3),
        ({"and": [1, 0, 5]}, 0),
        ({"or": [0, "", 5]}, 5),
        ({"!!": [[]]}, False),
        ({"!": [0]}, True),
        ({"+": ["1", 2]}, 3),
        ({"-": [5]}, -5),
        ({"/": [5, 2]}, 2.5),
        ({"%": [7, 4]}, 3),
        ({"cat": ["a", 1.0, None]}, "a1"),
        ({"substr": ["jsonlogic", -5, -2]}, "log"),
        ({"max": [1, "7", 3]}, 7),
        ({"merge": [[1], 2, [3]]}, [1, 2, 3]),
        ({"map": [{"var": "frontmatter.list"}, {"*": [{"var": ""}, 2]}]}, [2, 4, 6]),
        ({"filter": [{"var": "frontmatter.list"}, {">": [{"var": ""}, 1]}]}, [2, 3]),
        ({"reduce": [{"var": "frontmatter.list"}, {"+": [{"var": "current"}, {"var": "accumulator"}]}, 0]}, 6),
        ({"some": [{"var": "tags"}, {"==": [{"var": ""}, "a"]}]}, True),
        ({"all": [[], True]}, False),
        ({"none": [[], True]}, True),
        ({"missing": ["path", "gone"]}, ["gone"]),
        ({"missing_some": [1, ["path", "gone"]]}, []),
        ({"glob": ["Daily/*.md", {"var": "path"}]}, True),
        ({"glob": ["*?*", {"var": "path"}]}, False),
        ({"regexp": [r"^Daily/(?<y>\d{4})-.*\.md$", {"var": "path"}]}, True),
        ({"regexp": ["aily/2026", {"var": "path"}]}, True),
        ({"regexp": ["x", {"var": "frontmatter"}]}, False),
    ],
)
def test_an_operation_has_its_value(query: Any, value: Any) -> None:
    assert _value(query) == value


@pytest.mark.parametrize("query", [{"nope": [1]}, {"regexp": ["(", "x"]}, {"regexp": ["a{1000}{1000}{1000}", "x"]}])
def test_what_cannot_be_evaluated_says_why(query: Any) -> None:
    with pytest.raises(Stop, match=r"Unrecognized operation nope|cannot be (read|evaluated)|takes too long"):
        _value(query)


def test_a_query_nested_too_deeply_is_refused() -> None:
    query: Any = 1
    for _ in range(200):
        query = {"!": [query]}
    with pytest.raises(Stop, match="deeply"):
        _value(query)


def test_a_regular_expression_that_runs_away_is_stopped() -> None:
    with pytest.raises(Stop, match="takes too long"):
        _value({"regexp": ["(a+)+$", "a" * 60 + "b"]}, seconds=1)
