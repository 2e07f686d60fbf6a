"""DQL: texts and trees, values and diagnostics, order."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.dql import NOW, world
from tests.support.dql_trees import NODES, QUERIES, TEXT_SOUP
from vaultkit.dql import collation, patterns, render
from vaultkit.dql.blocks import find_blocks, with_results
from vaultkit.dql.dates import Date, Duration, difference, local_zone, normalised
from vaultkit.dql.environment import Environment
from vaultkit.dql.evaluate import evaluate
from vaultkit.dql.execute import execute
from vaultkit.dql.functions import FUNCTIONS, call
from vaultkit.dql.inline import full_line_field, inline_fields
from vaultkit.dql.outline import outline
from vaultkit.dql.syntax import parse_expression, parse_query
from vaultkit.dql.trees import Node, Query
from vaultkit.dql.values import DqlError, Function, Link, compare, order, to_json, to_text
from vaultkit.dql.writing import to_source
from vaultkit.errors import QuerySyntaxError, VaultkitError
from vaultkit.text.note import parse_note

UTC = local_zone("UTC")
VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-1000, 1000),
        st.floats(),
        st.text(max_size=5),
        st.integers(-(10**13), 10**13).map(lambda instant: Date(instant, UTC)),
        st.just(Date(None, UTC)),
        st.dictionaries(st.sampled_from(["years", "months", "days", "hours"]), st.integers(-50, 50), max_size=3).map(
            lambda parts: Duration.of(dict(parts))
        ),
        st.sampled_from(["Dune", "Nope", ""]).map(Link),
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "1"]), inner, max_size=2),
    max_leaves=6,
)


def soup(pieces: list[str], most: int) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(pieces), max_size=most).map("".join)


@settings(max_examples=50, deadline=None)
@given(NODES)
def test_an_expression_that_is_written_reads_back_as_the_same_tree(tree: Node) -> None:
    assert parse_expression(to_source(tree)) == tree


@settings(max_examples=50, deadline=None)
@given(QUERIES)
def test_a_query_that_is_written_reads_back_as_the_same_tree(tree: Query) -> None:
    assert parse_query(to_source(tree)) == tree


@settings(max_examples=50, deadline=None)
@given(TEXT_SOUP)
def test_any_text_is_a_query_or_an_error_that_shows_the_place(text: str) -> None:
    message = "line 1"
    try:
        parse_query(text)
    except QuerySyntaxError as error:
        message = error.message
    assert "line " in message or "empty" in message


@settings(max_examples=60, deadline=None)
@given(NODES, st.fixed_dictionaries({"a": VALUES, "rating": VALUES, "rows": st.lists(VALUES, max_size=3), "T": VALUES}))
def test_an_expression_has_a_value_or_a_diagnostic(tree: Node, row: dict[str, Any]) -> None:
    env = Environment(NOW, UTC)
    try:
        value = evaluate(tree, env, row)
    except DqlError:
        return
    assert isinstance(to_text(value, env.settings), str)
    to_json(value)


LAMBDAS = st.sampled_from([Function(lambda *values: values[0] if values else None), Function(lambda *values: len(values))])


@settings(max_examples=150, deadline=None)
@given(st.sampled_from([*FUNCTIONS]), st.lists(VALUES | LAMBDAS | st.text(st.sampled_from([*"a1-(+*d yyyy"]), max_size=6), max_size=4))
def test_a_function_has_a_value_or_a_diagnostic(name: str, arguments: list[Any]) -> None:
    env = Environment(NOW, UTC)
    try:
        value = call(name, env, arguments)
    except DqlError:
        return
    to_text(value, env.settings)
    to_json(value)


@settings(max_examples=25, deadline=None)
@given(QUERIES)
def test_a_query_has_an_answer_or_an_error(tree: Query) -> None:
    place = world("UTC")
    try:
        result = execute(tree, place.pages, place.environment("Home.md"), origin="Home.md", csv=place.csv)
    except VaultkitError:
        return
    result.as_json()
    assert isinstance(render.markdown(result) + render.csv_text(result), str)


@settings(max_examples=50, deadline=None)
@given(st.lists(VALUES, max_size=8))
def test_sorting_by_the_key_is_sorting_by_comparison(values: list[Any]) -> None:
    kept = [value for value in values if value is None or isinstance(value, (bool, int, str, Link))]
    in_order = sorted(kept, key=order(kept))
    assert all(compare(left, right) <= 0 for left, right in pairwise(in_order))


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=6), st.text(max_size=6))
def test_collation_is_an_order_of_composed_and_decomposed_text_alike(left: str, right: str) -> None:
    import unicodedata

    assert collation.compare(left, right) == -collation.compare(right, left)
    assert collation.compare(unicodedata.normalize("NFC", left), unicodedata.normalize("NFD", left)) == 0


@settings(max_examples=50, deadline=None)
@given(st.integers(-(10**12), 10**12), st.integers(-(10**12), 10**12))
def test_a_difference_of_dates_is_normal_and_turns_its_sign(one: int, two: int) -> None:
    found = difference(Date(one, UTC), Date(two, UTC))
    back = difference(Date(two, UTC), Date(one, UTC))
    assert normalised(found) == found
    assert [-(value or 0) for value in found.values] == [value or 0 for value in back.values]


@settings(max_examples=100, deadline=None)
@given(soup([*"ab:[]()\\ 1", "::", "📅 2024-01-02"], 30))
def test_inline_fields_do_not_overlap(line: str) -> None:
    fields = inline_fields(line, emoji=True)
    assert all(left.end < right.start for left, right in pairwise(fields))
    full_line_field(line)


@settings(max_examples=50, deadline=None)
@given(soup([*"-*1. >\t\nab[x]:#", "::", "- [ ] ", "\n  - "], 60))
def test_any_text_has_an_outline_whose_parents_are_items(text: str) -> None:
    found = outline(parse_note("n.md", text), text)
    lines = {item.line for item in found.items}
    assert all(item.parent < 0 or item.parent in lines for item in found.items)
    assert all(item.line_count >= 1 for item in found.items)


@settings(max_examples=100, deadline=None)
@given(soup([*"ab\\d\\w.*+?()[]{}|^$1-,:=!<>"], 10), soup([*"ab1 -"], 8))
def test_a_javascript_pattern_works_or_is_refused(pattern: str, text: str) -> None:
    try:
        found = patterns.compile_plain(patterns.translate(pattern), ignore_case=False)
    except DqlError:
        return
    except Exception as error:  # noqa: BLE001 - what `re` refuses, the environment turns into a DqlError
        assert type(error).__name__ in {"error", "OverflowError", "PatternError"}  # noqa: PT017
        return
    patterns.split(found, text)
    assert isinstance(patterns.replace_all(found, text, "$1$&"), str)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.sampled_from(["text", "```dataview", "```", "LIST", "> ```dataview", "> LIST", "> ```", "~~~", "<!-- vaultkit:query:start -->"]),
        max_size=10,
    )
)
def test_results_written_twice_are_written_once(lines: list[str]) -> None:
    text = "\n".join(lines)
    blocks = find_blocks(text)
    once = with_results(text, blocks, {block.line: "- a\n- b\n" for block in blocks})
    again = find_blocks(once)
    assert [block.query for block in again] == [block.query for block in blocks] or "vaultkit:query" in text
    if "vaultkit:query" not in text:
        assert with_results(once, again, {block.line: "- a\n- b\n" for block in again}) == once
