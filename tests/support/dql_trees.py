"""Random queries, as trees and as text, for properties and for the parsing oracle."""

from __future__ import annotations

from hypothesis import strategies as st

from vaultkit.dql import trees as s
from vaultkit.dql.lexis import DATE_WORDS, DURATION_UNITS
from vaultkit.dql.values import Link

NAMES = st.sampled_from(["a", "rating", "file", "due", "sort", "row", "this", "key-2", "日本", "x_1", "😀k", "rows", "T"])
NUMBERS = st.one_of(
    st.integers(-(2**53), 2**53), st.floats(allow_nan=False, allow_infinity=False, width=32).map(lambda x: float(f"{x:.6f}"))
)
TEXTS = st.text(st.sampled_from([*'ab "\\n[]|#(),日😀', "\n"]), max_size=8)
PATHS = st.text(st.sampled_from([*"ab /.|日-"]), min_size=1, max_size=6).filter(lambda path: not path.endswith("\\"))
LINKS = st.builds(
    lambda path, kind, part, display, embed: Link(path, kind, part if kind != "file" else None, display, embed),
    PATHS,
    st.sampled_from(["file", "header", "block"]),
    st.sampled_from(["h", "two words", "b1"]),
    st.none() | st.sampled_from(["d", "a b", ""]),
    st.booleans(),
)
CONSTANTS = st.one_of(
    st.just(s.Constant("null", None)),
    st.booleans().map(lambda value: s.Constant("boolean", value)),
    NUMBERS.map(lambda value: s.Constant("number", int(value) if float(value).is_integer() else value)),
    TEXTS.map(lambda value: s.Constant("string", value)),
    LINKS.map(lambda value: s.Constant("link", value)),
)
DATES = st.one_of(
    st.sampled_from(DATE_WORDS),
    st.sampled_from(
        [
            "2024-02",
            "2024-02-30",
            "2024-02-03T10",
            "2024-02-03T10:11:12.345",
            "2024-02-03T10:11:12+09:00",
            "2024-02-03T10:11:12[Asia/Tokyo]",
        ]
    ),
).map(s.DateLiteral)
DURATIONS = st.lists(
    st.tuples(st.sampled_from(["1", "-2", "1.5", "30"]), st.sampled_from(sorted(DURATION_UNITS))), min_size=1, max_size=3
).map(lambda parts: s.DurationLiteral(tuple(parts)))
ATOMS = st.one_of(CONSTANTS, DATES, DURATIONS, NAMES.map(s.Variable))
OPERATORS = st.sampled_from(["&", "|", "=", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%"])


def _larger(nodes: st.SearchStrategy[s.Node]) -> st.SearchStrategy[s.Node]:
    few = st.lists(nodes, max_size=3).map(tuple)
    return st.one_of(
        st.builds(s.Binary, OPERATORS, nodes, nodes),
        st.builds(s.Negated, nodes),
        st.builds(s.ListOf, few),
        st.builds(s.ObjectOf, st.lists(st.tuples(NAMES | TEXTS, nodes), max_size=3).map(tuple)),
        st.builds(s.Lambda, st.lists(NAMES, max_size=2).map(tuple), nodes),
        st.builds(s.Index, nodes, nodes | NAMES.map(lambda name: s.Constant("string", name))),
        st.builds(s.Call, nodes | FUNCTION_NAMES.map(s.Variable), few),
    )


FUNCTION_NAMES = st.deferred(lambda: st.sampled_from(_functions()))


def _functions() -> list[str]:
    from vaultkit.dql.functions import FUNCTIONS

    return [*FUNCTIONS, "nosuch"]


NODES = st.recursive(ATOMS, _larger, max_leaves=12)


def _not(child: s.Source) -> s.Source:
    """Three signs are read as one, so no tree has more than two."""
    return child.child if isinstance(child, s.NotSource) and isinstance(child.child, s.NotSource) else s.NotSource(child)


SOURCES = st.recursive(
    st.one_of(
        st.sampled_from(["#a", "#a/b", "#日本"]).map(s.TagSource),
        TEXTS.map(s.FolderSource),
        TEXTS.map(s.CsvSource),
        st.builds(s.LinkSource, PATHS, st.booleans()),
    ),
    lambda inner: st.one_of(st.builds(_not, inner), st.builds(s.BinarySource, st.sampled_from("&|"), inner, inner)),
    max_leaves=4,
)
FIELDS = st.builds(s.Named, TEXTS, NODES)
CLAUSES = st.one_of(
    st.builds(s.From, SOURCES),
    st.builds(s.Where, NODES),
    st.builds(s.Sort, st.lists(st.tuples(NODES, st.booleans()), min_size=1, max_size=2).map(tuple)),
    st.builds(s.Limit, NODES),
    st.builds(s.Group, FIELDS),
    st.builds(s.Flatten, FIELDS),
)
QUERIES = st.one_of(
    st.builds(
        s.Query, st.just("table"), st.lists(FIELDS, max_size=3).map(tuple), st.booleans(), SOURCES, st.lists(CLAUSES, max_size=3).map(tuple)
    ),
    st.builds(
        s.Query,
        st.just("list"),
        st.lists(NODES.map(lambda node: s.Named("target", node)), max_size=1).map(tuple),
        st.booleans(),
        SOURCES,
        st.lists(CLAUSES, max_size=3).map(tuple),
    ),
    st.builds(s.Query, st.just("task"), st.just(()), st.just(True), SOURCES, st.lists(CLAUSES, max_size=3).map(tuple)),
    st.builds(s.Query, st.just("calendar"), st.tuples(FIELDS), st.just(True), SOURCES, st.lists(CLAUSES, max_size=3).map(tuple)),
)
# Pieces that meet in all ways: most of the texts are no queries, or only just.
PIECES = st.sampled_from(
    [
        "TABLE",
        "LIST",
        "TASK",
        "CALENDAR",
        "FROM",
        "WHERE",
        "SORT",
        "LIMIT",
        "GROUP",
        "BY",
        "FLATTEN",
        "AS",
        "ASC",
        "DESC",
        "WITHOUT",
        "ID",
        "and",
        "or",
        "not",
        "true",
        "false",
        "null",
        "date(",
        "today",
        "2024-02-03",
        "dur(",
        "1",
        "d",
        "file",
        ".name",
        "rating",
        "[[A]]",
        "![[B|c]]",
        "#tag/b",
        '"x"',
        '"a\\"b"',
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ",",
        ":",
        ".",
        "=>",
        "=",
        "!=",
        "<",
        ">=",
        "+",
        "-",
        "*",
        "/",
        "%",
        "&",
        "|",
        "!",
        "-1",
        "1.5",
        "contains",
        "x",
        "日本",
        "😀",
        "//",
        "a\n",
        "outgoing(",
        "csv(",
    ]
)
TEXT_SOUP = st.lists(st.tuples(PIECES, st.sampled_from(["", " ", " ", "  ", "\n"])), max_size=14).map(
    lambda pairs: "".join(piece + gap for piece, gap in pairs)
)
