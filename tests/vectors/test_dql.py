"""DQL against the real engine's answers: queries, expressions, inline fields, collation, pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.support import vectors
from tests.support.dql import NOW, matches, world
from vaultkit.dql import collation, pages, render
from vaultkit.dql.dates import local_zone
from vaultkit.dql.environment import Environment
from vaultkit.dql.evaluate import evaluate
from vaultkit.dql.execute import execute
from vaultkit.dql.inline import InlineField, full_line_field, inline_fields
from vaultkit.dql.lexis import canonical, heading_subpath
from vaultkit.dql.literals import parse_frontmatter_text, parse_inline
from vaultkit.dql.outline import first_line
from vaultkit.dql.syntax import parse_expression, parse_query
from vaultkit.dql.values import DqlError, to_json, to_text, type_of
from vaultkit.errors import QuerySyntaxError, VaultkitError

# Knowingly not met: why.
KNOWN: dict[str, str] = {}


def check(capsys: pytest.CaptureFixture[str], name: str, wrong: list[str], total: int) -> None:
    with capsys.disabled():
        vectors.report(name, total - len(wrong), total)
        for case in wrong:
            print(f"  {case}")
    assert total
    if vectors.is_own(name):
        assert set(wrong) <= set(KNOWN)


def test_queries_answer_as_the_real_engine(capsys: pytest.CaptureFixture[str]) -> None:
    cases = vectors.load("dql_vectors")["vectors"]
    check(capsys, "dql_vectors", [case["id"] for case in cases if not holds(is_right_query, case)], len(cases))


def holds(rule: Callable[[dict[str, Any]], bool], case: dict[str, Any]) -> bool:
    """A case that breaks the engine is a wrong answer, not the end of the run."""
    try:
        return rule(case)
    except Exception as error:  # noqa: BLE001 - whatever it is
        print(f"  {case.get('id')}: {type(error).__name__}: {error}")
        return False


def is_right_query(case: dict[str, Any]) -> bool:
    place, origin = world(case.get("tz") or "UTC"), case.get("origin") or ""
    try:
        result = execute(parse_query(case["query"]), place.pages, place.environment(origin), origin=origin, csv=place.csv)
    except VaultkitError as error:
        parsing = isinstance(error, QuerySyntaxError)
        return bool(case["expect_error"]) and parsing == (case["error_stage"] == "parse")
    if case["expect_error"]:
        return False
    got = result.as_json()
    if any(got.get(name) != case.get(name) for name in ("type", "headers", "id_meaning")):
        return False
    if not matches(got["values"], case["values"], case["compare"]):
        return False
    if "markdown" not in case or case["compare"] == "deep-any-order":
        return True
    shown, wanted = render.markdown(result), case["markdown"]
    return shown == wanted if case["compare"] == "exact" else sorted(shown.split("\n")) == sorted(wanted.split("\n"))


def test_expressions_answer_as_the_real_engine(capsys: pytest.CaptureFixture[str]) -> None:
    cases = vectors.load("dql_expr_vectors")["vectors"]
    check(capsys, "dql_expr_vectors", [case["id"] for case in cases if not holds(is_right_expression, case)], len(cases))


def is_right_expression(case: dict[str, Any]) -> bool:
    origin = case.get("origin") or ""
    env = world("UTC").environment(origin, this=bool(origin))
    try:
        value = evaluate(parse_expression(case["expr"]), env, case.get("context"))
    except (QuerySyntaxError, DqlError) as error:
        return bool(case["expect_error"]) and isinstance(error, QuerySyntaxError) == (case["error_stage"] == "parse")
    wanted = (case.get("type"), case.get("value"), case.get("string"))
    return not case["expect_error"] and wanted == (type_of(value), to_json(value), to_text(value, env.settings))


def test_inline_fields_values_names_and_collation(capsys: pytest.CaptureFixture[str]) -> None:
    given = vectors.load("dql_inline_vectors")
    results = [*_inline_results(given), *_collation_results(given.get("collation", ()))]
    check(capsys, "dql_inline_vectors", [name for name, right in results if not right], len(results))


def _inline_results(given: dict[str, Any]) -> Iterator[tuple[str, bool]]:
    env = Environment(NOW, local_zone("UTC"))
    for case in given.get("lines", ()):
        line, whole = case["line"], full_line_field(case["line"])
        right = _shown(inline_fields(line)) == case["inline"] and _shown(inline_fields(line, emoji=True)) == case["task_inline"]
        yield f"line {line}", right and (whole and {"key": whole.key, "value": whole.value}) == case["full_line"]
    tests: dict[str, tuple[str, str, Callable[[str], Any]]] = {
        "values": ("raw", "inline_value", lambda text: to_json(parse_inline(text, env))),
        "frontmatter_values": ("raw", "frontmatter_value", lambda text: to_json(parse_frontmatter_text(text, env))),
        "names": ("name", "canonical", canonical),
        "headings": ("heading", "link_subpath", heading_subpath),
        "dates_in_names": ("text", "date", lambda text: (date := pages.date_in(text, env)) and to_json(date)),
        "task_tags": ("text", "tags", pages.item_tags),
    }
    for group, (text, wanted, rule) in tests.items():
        for case in given.get(group, ()):
            yield f"{group} {case[text]!r}", rule(case[text]) == case[wanted]
    for case in given.get("list_item_lines", ()):
        yield f"item {case['line']!r}", first_line(case["line"]) == (case["symbol"], case["box"], case["text"])


def _shown(fields: list[InlineField]) -> list[dict[str, str]]:
    return [{"key": field.key, "value": field.value, "wrapping": field.wrapping} for field in fields]


def _collation_results(groups: list[list[str]]) -> Iterator[tuple[str, bool]]:
    before = None
    for group in groups:
        keys = {collation.sort_key(text) for text in group}
        key = min(keys)
        yield f"collation {group}", len(keys) == 1 and (before is None or before < key)
        before = key


def test_pages_are_what_the_real_engine_gives_to_queries(capsys: pytest.CaptureFixture[str]) -> None:
    given = vectors.load("dql_pages")["pages"]
    place = world("UTC").pages
    wrong = [path for path, wanted in given.items() if (page := place.page(path)) is None or _page_json(page) != wanted]
    check(capsys, "dql_pages", wrong, len(given))


def _page_json(page: Any) -> dict[str, Any]:
    found = {}
    for name in page:
        value = page.get(name)
        if name != "file":
            found[name] = to_json(value)
            continue
        found["file"] = {part: to_json(value.get(part)) for part in value if part not in {"lists", "tasks"}}
        found["file"]["lists"] = [_item_json(item) for item in value.get("lists")]
        found["file"]["tasks"] = [item.get("line") for item in value.get("tasks")]
    return found


def _item_json(item: Any) -> dict[str, Any]:
    parts = {name: item.get(name) for name in item if name not in {"position", "subtasks", "real", "header"}}
    return {name: [_item_json(child) for child in part] if name == "children" else to_json(part) for name, part in parts.items()}
