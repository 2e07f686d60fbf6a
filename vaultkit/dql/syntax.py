"""From text to trees: `parse_query`, `parse_expression`. Pure.

Dataview's grammar (facts/dataview.md §1) is one over characters, not tokens: the first alternative that fits wins, names and words need no
border. So this is recursive descent over characters, with one table of operators. Errors say where, and what could have stood there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar

from vaultkit.dql import lexis
from vaultkit.dql.dates import zone_of
from vaultkit.dql.trees import (
    Binary,
    BinarySource,
    Call,
    Clause,
    Constant,
    CsvSource,
    DateLiteral,
    DurationLiteral,
    Flatten,
    FolderSource,
    From,
    Group,
    Index,
    Lambda,
    Limit,
    LinkSource,
    ListOf,
    Named,
    Negated,
    Node,
    NotSource,
    ObjectOf,
    Query,
    Sort,
    Source,
    TagSource,
    Variable,
    Where,
)
from vaultkit.dql.values import read_number
from vaultkit.errors import QuerySyntaxError

DEEPEST: Final = 120  # brackets and operators in each other
LONGEST: Final = 1_000_000  # characters of a query


def parse_query(text: str) -> Query:
    """A query. Raises QuerySyntaxError with line, column, what was expected, and the line with a caret."""
    parser = _Parser(text)
    return parser.whole(parser.query)


def parse_expression(text: str) -> Node:
    """An expression alone, as in `= expression`. Raises QuerySyntaxError."""
    parser = _Parser(text)
    return parser.whole(parser.expression)


def date_literal(text: str, start: int = 0) -> tuple[str, int] | None:
    """The date that *text* has at *start*, and where it ends; None when there is none, or no such month or zone."""
    found = lexis.DATE.match(text, start)
    if found is None or not "01" <= found[2] <= "12":
        return None
    if found[10] and zone_of(found[10], _ANY_ZONE) is None:
        return None
    return found[0], found.end()


T = TypeVar("T")


class _Failure(Exception):  # noqa: N818 - it never leaves this module
    """This alternative does not fit; the next one may."""


_FAILURE: Final = _Failure()
_ANY_ZONE: Final[Any] = object()
OPERATORS: Final[dict[str, tuple[int, str]]] = {  # as written → level (all of one level go from left to right), name
    **{word: (0, name) for word, name in (("and", "&"), ("or", "|"), ("&", "&"), ("|", "|"))},
    **{sign: (1, sign) for sign in (">=", "<=", "!=", ">", "<", "=")},
    **{sign: (2, sign) for sign in "+-"},
    **{sign: (3, sign) for sign in "*/%"},
}
_LEVELS: Final = ("'and' or 'or'", "a comparison", "'+' or '-'", "'*', '/' or '%'")
_OPERATOR: Final = re.compile(r"and|or|&|\||>=|<=|!=|>|<|=|\+|-|\*|/|%", re.IGNORECASE)
_SOURCE_OPERATOR: Final = re.compile(r"and|or|&|\|", re.IGNORECASE)
_KEYWORDS: Final = frozenset({"FROM", "WHERE", "LIMIT", "GROUP", "FLATTEN"})
_TYPE: Final = re.compile("TABLE|LIST|TASK|CALENDAR", re.IGNORECASE)
_WITHOUT_ID: Final = re.compile(rf"WITHOUT[{lexis.BLANK}]+ID", re.IGNORECASE)
_DIRECTION: Final = re.compile("ASCENDING|DESCENDING|ASC|DESC", re.IGNORECASE)
_COMMENT: Final = re.compile("//[^\n]*")
_LINE_END: Final = re.compile("[\r\n]+")


class _Parser:
    """State of one reading: the place, and the furthest one where something was missing."""

    def __init__(self, text: str) -> None:
        if len(text) > LONGEST:
            raise QuerySyntaxError(f"the query has {len(text):,} characters", hint=f"at most {LONGEST:,} are read")
        self.text = text
        self.at = 0
        self.furthest = 0
        self.expected: dict[str, None] = {}
        self.depth = 0

    def whole(self, rule: Callable[[], T]) -> T:
        try:
            result = rule()
            if self.at < len(self.text):
                self.fail("the end")
        except _Failure:
            raise self.error() from None
        return result

    def error(self) -> QuerySyntaxError:
        place = self.furthest
        line_number = self.text.count("\n", 0, place) + 1
        start = self.text.rfind("\n", 0, place) + 1
        line = self.text[start:].partition("\n")[0].rstrip("\r")
        column = place - start
        wanted = _joined(self.expected)
        head, tail = max(0, column - 60), column + 60
        shown = line[head:tail]
        caret = " " * (column - head) + "^"
        where = f"line {line_number}, column {column + 1}"
        if not self.text.strip():
            return QuerySyntaxError("the query is empty", hint="begin with TABLE, LIST, TASK or CALENDAR")
        return QuerySyntaxError(f"{where}: expected {wanted}\n  {shown}\n  {caret}", hint="docs/dql.md lists what the language has")

    def fail(self, expected: str) -> None:
        """Raises _Failure, after it has noted what was *expected* here."""
        if self.at > self.furthest:
            self.furthest, self.expected = self.at, {}
        if self.at == self.furthest:
            self.expected[expected] = None
        raise _FAILURE

    # -- pieces

    def blanks(self) -> None:
        found = lexis.SPACE.match(self.text, self.at)
        if found:
            self.at = found.end()

    def some_blanks(self) -> None:
        start = self.at
        self.blanks()
        if self.at == start:
            self.fail("a space")

    def take(self, piece: str) -> bool:
        if self.text.startswith(piece, self.at):
            self.at += len(piece)
            return True
        return False

    def need(self, piece: str) -> None:
        if not self.take(piece):
            self.fail(f"'{piece}'")

    def word(self, pattern: re.Pattern[str], expected: str) -> str:
        found = pattern.match(self.text, self.at)
        if found is None:
            self.fail(expected)
        assert found is not None
        self.at = found.end()
        return found[0]

    def attempt(self, rule: Callable[[], T]) -> T | None:
        """The rule's result, or None and the place as it was."""
        start = self.at
        try:
            return rule()
        except _Failure:
            self.at = start
            return None

    def separated(self, rule: Callable[[], T], *, least: int = 0) -> list[T]:
        """Items with commas between; a comma that nothing follows is left."""
        if least:
            items = [rule()]
        else:
            first = self.attempt(rule)
            if first is None:
                return []
            items = [first]
        while True:
            start = self.at
            self.blanks()
            if not self.take(","):
                self.at = start
                return items
            self.blanks()
            following = self.attempt(rule)
            if following is None:
                self.at = start
                return items
            items.append(following)

    def identifier(self) -> str:
        end = lexis.identifier(self.text, self.at)
        if end == self.at:
            self.fail("a name")
        name, self.at = self.text[self.at : end], end
        return name

    def string(self) -> str:
        if not self.take('"'):
            self.fail("a text in double quotes")
        pieces: list[str] = []
        text, size = self.text, len(self.text)
        while self.at < size:
            mark = _STRING_MARK.search(text, self.at)
            if mark is None:
                break
            pieces.append(text[self.at : mark.start()])
            self.at = mark.end()
            if mark[0] == '"':
                return "".join(pieces)
            if self.at < size:
                pieces.append(text[self.at] if text[self.at] in '"\\' else f"\\{text[self.at]}")
                self.at += 1
        self.at = size
        self.fail("'\"' at the end of the text")
        raise AssertionError

    def name_or_string(self) -> str:
        name = self.attempt(self.identifier)
        return self.string() if name is None else name

    # -- expressions

    def expression(self) -> Node:
        return self.operators(0)

    def operators(self, level: int) -> Node:
        """Operands joined by operators of this *level* and those that bind tighter."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise QuerySyntaxError("the query nests too deeply", hint=f"at most {DEEPEST} levels are read")
        try:
            left = self.operand()
            highest = 4  # after an operator of one level a tighter one belongs to its right side, which has been read
            while True:
                start = self.at
                self.blanks()
                found = _OPERATOR.match(self.text, self.at)
                own, op = OPERATORS[found[0].lower()] if found else (-1, "")
                if found is None or own < level or own > highest:
                    for wanted in range(level, min(highest, 3) + 1):
                        self.note(_LEVELS[wanted])
                    self.at = start
                    return left
                self.at = found.end()
                self.blanks()
                right = self.attempt(lambda next_level=own + 1: self.operators(next_level) if next_level < 4 else self.operand())  # type: ignore[misc]
                if right is None:
                    self.at = start
                    return left
                left, highest = Binary(op, left, right), own
        finally:
            self.depth -= 1

    def note(self, expected: str) -> None:
        if self.at > self.furthest:
            self.furthest, self.expected = self.at, {}
        if self.at == self.furthest:
            self.expected[expected] = None

    def operand(self) -> Node:
        """An atom and what follows it directly: `.name`, `[index]`, `(arguments)`."""
        node = self.atom()
        while self.at < len(self.text):
            mark, start = self.text[self.at], self.at
            if mark not in ".[(":
                break
            longer = self.attempt(lambda: self.postfix(node))  # noqa: B023 - called at once
            if longer is None:
                self.at = start
                break
            node = longer
        return node

    def postfix(self, node: Node) -> Node:
        if self.take("."):
            return Index(node, Constant("string", self.identifier()))
        if self.take("["):
            self.blanks()
            index = self.expression()
            self.blanks()
            self.need("]")
            return Index(node, index)
        self.need("(")
        self.blanks()
        arguments = self.separated(self.expression)
        self.blanks()
        self.need(")")
        return Call(node, tuple(arguments))

    def atom(self) -> Node:
        text, at = self.text, self.at
        mark = text[at : at + 1]
        rules = _ATOMS.get(mark)
        if rules is None:
            if lexis.SPACE.fullmatch(mark) and mark:  # only a lambda may have blanks before it
                rules = (_Parser.lambda_,)
            elif mark.isdigit() and mark.isascii():
                rules = (_Parser.number, _Parser.variable)
            else:
                rules = (_Parser.word_atom,)
        for rule in rules:
            try:
                return rule(self)
            except _Failure:
                self.at = at
        self.fail("a value")
        raise AssertionError

    def link(self) -> Node:
        start = self.at
        embed = self.take("!")
        found = lexis.LINK.match(self.text, self.at)
        if found is None:
            self.at = start
            self.fail("a link")
        assert found is not None
        self.at = found.end()
        return Constant("link", lexis.inner_link(found[1], embed=embed))

    def negated(self) -> Node:
        self.need("!")
        self.depth += 1
        try:
            if self.depth > DEEPEST:
                raise QuerySyntaxError("the query nests too deeply", hint=f"at most {DEEPEST} levels are read")
            return Negated(self.operand())
        finally:
            self.depth -= 1

    def list_(self) -> Node:
        self.need("[")
        self.blanks()
        items = self.separated(self.expression)
        self.blanks()
        self.need("]")
        return ListOf(tuple(items))

    def object_(self) -> Node:
        self.need("{")
        self.blanks()
        items = self.separated(self.entry)
        self.blanks()
        self.need("}")
        return ObjectOf(tuple(items))

    def entry(self) -> tuple[str, Node]:
        name = self.name_or_string()
        self.blanks()
        self.need(":")
        self.blanks()
        return name, self.expression()

    def lambda_(self) -> Node:
        self.blanks()
        self.need("(")
        self.blanks()
        parameters = self.separated(self.identifier)
        self.blanks()
        self.need(")")
        self.blanks()
        self.need("=>")
        self.blanks()
        return Lambda(tuple(parameters), self.expression())

    def parenthesised(self) -> Node:
        self.need("(")
        self.blanks()
        node = self.expression()
        self.blanks()
        self.need(")")
        return node

    def number(self) -> Node:
        return Constant("number", read_number(self.word(lexis.NUMBER, "a number")))

    def text_(self) -> Node:
        return Constant("string", self.string())

    def word_atom(self) -> Node:
        """true, false, null (with no border after them), `date(…)`, `dur(…)`, a name."""
        text, at = self.text, self.at
        if found := lexis.BOOLEAN.match(text, at):
            self.at = found.end()
            return Constant("boolean", found[0].lower() == "true")
        if text.startswith("date(", at) and (node := self.attempt(self.date)) is not None:
            return node
        if text.startswith("dur(", at) and (node := self.attempt(self.duration)) is not None:
            return node
        if self.take("null"):
            return Constant("null", None)
        return self.variable()

    def date(self) -> Node:
        self.need("date(")
        self.blanks()
        if found := lexis.DATE_WORD.match(self.text, self.at):
            text, self.at = found[0], found.end()
        else:
            literal = date_literal(self.text, self.at)
            if literal is None:
                self.fail("a date")
            assert literal is not None
            text, self.at = literal
        self.blanks()
        self.need(")")
        return DateLiteral(text)

    def duration(self) -> Node:
        self.need("dur(")
        self.blanks()
        parts, end = lexis.duration(self.text, self.at)
        if not parts:
            self.fail("a duration")
        self.at = end
        self.blanks()
        self.need(")")
        return DurationLiteral(tuple(parts))

    def variable(self) -> Node:
        start = self.at
        name = self.identifier()
        if name.upper() in _KEYWORDS:
            self.at = start
            self.fail("a field")
        return Variable(name)

    # -- sources

    def source(self) -> Source:
        self.depth += 1
        if self.depth > DEEPEST:
            raise QuerySyntaxError("the query nests too deeply", hint=f"at most {DEEPEST} levels are read")
        left = self.source_atom()
        while True:
            start = self.at
            self.blanks()
            found = _SOURCE_OPERATOR.match(self.text, self.at)
            if found is None:
                self.note("'and' or 'or'")
                self.at = start
                self.depth -= 1
                return left
            self.at = found.end()
            self.blanks()
            right = self.attempt(self.source_atom)
            if right is None:
                self.at = start
                self.depth -= 1
                return left
            left = BinarySource(OPERATORS[found[0].lower()][1], left, right)

    def source_atom(self) -> Source:
        text, at = self.text, self.at
        if self.take("("):
            self.blanks()
            inner = self.source()
            self.blanks()
            self.need(")")
            return inner
        if self.take("-") or self.take("!"):
            signs = 1
            while self.take("-") or self.take("!"):
                signs += 1
            child = self.source_atom()
            for _ in range(min(signs, 2 - signs % 2)):  # three are one, four are two
                child = NotSource(child)
            return child
        if self.take("outgoing("):
            self.blanks()
            link = self.word(lexis.LINK, "a link")
            self.need(")")
            return LinkSource(lexis.inner_link(link[2:-2]).path, outgoing=True)
        if found := lexis.LINK.match(text, at):
            self.at = found.end()
            return LinkSource(lexis.inner_link(found[1]).path, outgoing=False)
        if text.startswith('"', at):
            return FolderSource(self.string())
        if found := lexis.TAG.match(text, at):
            self.at = found.end()
            return TagSource(found[0])
        if self.take("csv("):
            self.blanks()
            path = self.string()
            self.need(")")
            return CsvSource(path)
        self.fail('a source: #tag, "folder", [[link]], outgoing([[link]]) or csv("file")')
        raise AssertionError

    # -- queries

    def query(self) -> Query:
        self.skip()
        kind = self.word(_TYPE, "TABLE, LIST, TASK or CALENDAR").lower()
        fields: tuple[Named, ...] = ()
        show_id = True
        if kind == "calendar":
            self.some_blanks()
            fields = (self.named(),)
        elif kind != "task" and self.at < len(self.text):
            self.some_blanks()
            if found := _WITHOUT_ID.match(self.text, self.at):
                self.at, show_id = found.end(), False
                self.blanks()
            if kind == "table":
                fields = tuple(self.separated(self.named))
            else:
                format_ = self.attempt(self.expression)
                fields = (Named("target", format_),) if format_ is not None else ()
        self.skip()
        source: Source = FolderSource("")
        first = self.attempt(self.from_)
        if first is not None:
            source = first.source
            self.skip()
        clauses: list[Clause] = []
        while self.at < len(self.text):
            clauses.append(self.clause())
            self.skip()
        return Query(kind, fields, show_id, source, tuple(clauses))  # type: ignore[arg-type]

    def skip(self) -> None:
        """Blanks and comments."""
        while True:
            self.blanks()
            found = _COMMENT.match(self.text, self.at)
            if found is None:
                return
            self.at = found.end()

    def clause(self) -> Clause:
        start = self.at
        for pattern, rule in _CLAUSES:
            if found := pattern.match(self.text, start):
                self.at = found.end()
                return rule(self)
            self.note(pattern.pattern)
        self.fail("the end")
        raise AssertionError

    def from_(self) -> From:
        self.word(_FROM, "FROM")
        return self.after_from()

    def after_from(self) -> From:
        self.some_blanks()
        return From(self.source())

    def where(self) -> Where:
        self.some_blanks()
        return Where(self.expression())

    def sort(self) -> Sort:
        self.some_blanks()
        return Sort(tuple(self.separated(self.sort_key, least=1)))

    def sort_key(self) -> tuple[Node, bool]:
        node = self.expression()
        self.blanks()
        found = _DIRECTION.match(self.text, self.at)
        if found is None:
            self.note("ASC or DESC")
            return node, False
        self.at = found.end()
        return node, found[0].lower().startswith("desc")

    def limit(self) -> Limit:
        self.some_blanks()
        return Limit(self.expression())

    def group(self) -> Group:
        self.some_blanks()
        return Group(self.named())

    def flatten(self) -> Flatten:
        self.some_blanks()
        return Flatten(self.named())

    def named(self) -> Named:
        start = self.at
        node = self.expression()
        end = self.at
        name = self.attempt(self.alias)
        if name is not None:
            return Named(name, node)
        return Named("".join(line.strip() for line in _LINE_END.split(self.text[start:end])), node)

    def alias(self) -> str:
        self.some_blanks()
        self.word(_AS, "AS")
        self.some_blanks()
        return self.name_or_string()


_FROM: Final = re.compile("FROM", re.IGNORECASE)
_AS: Final = re.compile("AS", re.IGNORECASE)
_CLAUSES: Final[tuple[tuple[re.Pattern[str], Callable[[_Parser], Clause]], ...]] = tuple(
    (re.compile(word, re.IGNORECASE), rule)
    for word, rule in (
        ("FROM", _Parser.after_from),
        ("WHERE", _Parser.where),
        ("SORT", _Parser.sort),
        ("LIMIT", _Parser.limit),
        ("GROUP BY", _Parser.group),
        ("FLATTEN", _Parser.flatten),
    )
)
_STRING_MARK: Final = re.compile(r'["\\]')
_ATOMS: Final[dict[str, tuple[Callable[[_Parser], Node], ...]]] = {  # by first character: what it may be, in Dataview's order
    "!": (_Parser.link, _Parser.negated),
    "[": (_Parser.link, _Parser.list_),
    "{": (_Parser.object_,),
    "(": (_Parser.lambda_, _Parser.parenthesised),
    "-": (_Parser.number,),
    '"': (_Parser.text_,),
    "": (),
}


def _joined(words: Iterable[str]) -> str:
    *most, last = words or ("something else",)
    return f"{', '.join(most)} or {last}" if most else last
