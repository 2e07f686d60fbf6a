"""Expressions, made into Python functions once and run on many rows (facts/dataview.md §3). A row is anything with `get(name, default)`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol

from vaultkit.dql import functions
from vaultkit.dql.environment import Environment
from vaultkit.dql.literals import date_of_literal, duration_of_parts
from vaultkit.dql.operators import COMPARISONS, arithmetic, index, index_key, js_object
from vaultkit.dql.trees import (
    Binary,
    Call,
    Constant,
    DateLiteral,
    DurationLiteral,
    Index,
    Lambda,
    ListOf,
    Negated,
    Node,
    ObjectOf,
    Variable,
)
from vaultkit.dql.values import DqlError, Function, Record, Value, truthy, type_of


class Row(Protocol):
    """Where names are looked up first."""

    def get(self, name: str, default: Any = None, /) -> Any:
        """The field, or *default*."""
        ...


Compiled = Callable[[Any], Value]
MISSING: Final[Any] = object()


def evaluate(node: Node, env: Environment, row: Any = None) -> Value:
    """One expression on one row. Raises DqlError."""
    env.budget.check()
    value = run(compile_node(node, env), {} if row is None else row)
    env.budget.weigh(value)
    return value


def run(compiled: Compiled, row: Any) -> Value:
    """The value for *row*; what nests too deeply for Python is a DqlError too."""
    try:
        return compiled(row)
    except RecursionError:
        raise DqlError("the values nest too deeply") from None


def compile_node(node: Node, env: Environment) -> Compiled:
    """A function from row to value."""
    match node:
        case Constant(_, value):
            return lambda _row: value
        case DateLiteral(text):
            date = date_of_literal(text, env)
            return lambda _row: date
        case DurationLiteral(parts):
            duration = duration_of_parts(parts)
            return lambda _row: duration
        case Variable(name):
            return _variable(name, env)
        case Negated(child):
            inner = compile_node(child, env)
            return lambda row: not truthy(inner(row))
        case Binary():
            return _binary(node, env)
        case ListOf(items):
            made = [compile_node(item, env) for item in items]
            return lambda row: [item(row) for item in made]
        case ObjectOf(entries):
            fields = [(name, compile_node(item, env)) for name, item in js_object(entries).items()]
            return lambda row: {name: item(row) for name, item in fields}
        case Lambda(parameters, body):
            return _lambda(parameters, compile_node(body, env), env)
        case Index() | Call():
            return _postfixes(node, env)


def _variable(name: str, env: Environment) -> Compiled:
    names = env.names

    def look_up(row: Any) -> Value:
        value = row.get(name, MISSING)
        return names.get(name) if value is MISSING else value

    return look_up


def _binary(node: Binary, env: Environment) -> Compiled:
    """A chain of operators from left to right, in one function: chains may be long."""
    chain: list[tuple[str, Compiled]] = []
    left: Node = node
    while isinstance(left, Binary):
        chain.append((left.op, compile_node(left.right, env)))
        left = left.left
    first = compile_node(left, env)
    chain.reverse()
    if len(chain) == 1:
        op, right = chain[0]
        if comparison := COMPARISONS.get(op):
            return lambda row: comparison(first(row), right(row), env)
        if op == "&":

            def both(row: Any) -> bool:
                one, two = first(row), right(row)  # both are worked out in any case
                return truthy(one) and truthy(two)

            return both
        if op not in "&|":
            return lambda row: arithmetic(op, first(row), right(row), env)
    steps = [(_step(op), right) for op, right in chain]

    def chained(row: Any) -> Value:
        value = first(row)
        for step, right in steps:
            value = step(value, right(row), env)
        return value

    return chained


def _step(op: str) -> Callable[[Value, Value, Environment], Value]:
    if op == "&":
        return lambda left, right, _env: truthy(left) and truthy(right)
    if op == "|":
        return lambda left, right, _env: truthy(left) or truthy(right)
    return COMPARISONS.get(op) or (lambda left, right, env: arithmetic(op, left, right, env))


def _lambda(parameters: tuple[str, ...], body: Compiled, env: Environment) -> Compiled:
    def make(row: Any) -> Function:
        def call(*arguments: Value) -> Value:
            env.budget.step()
            return body(Scope(row, dict(zip(parameters, arguments, strict=False))))

        return Function(call)

    return make


class Scope:
    """A row with a lambda's parameters before its fields."""

    __slots__ = ("_bound", "_row")

    def __init__(self, row: Any, bound: dict[str, Value]) -> None:
        self._row = row
        self._bound = bound

    def get(self, name: str, default: Any = None) -> Any:
        """The parameter, else the field."""
        value = self._bound.get(name, MISSING)
        return self._row.get(name, default) if value is MISSING else value


def _postfixes(node: Index | Call, env: Environment) -> Compiled:
    """`a.b[c](d)…` in one function: such chains may be long."""
    chain: list[Index | Call] = []
    inner: Node = node
    while isinstance(inner, (Index, Call)):
        chain.append(inner)
        inner = inner.object if isinstance(inner, Index) else inner.function
    chain.reverse()
    first = _first_postfix(inner, chain[0], env)
    if len(chain) == 1:
        return first
    steps = [_postfix(step, env) for step in chain[1:]]
    if len(steps) == 1:
        only = steps[0]
        return lambda row: only(first(row), row)

    def chained(row: Any) -> Value:
        value = first(row)
        for step in steps:
            value = step(value, row)
        return value

    return chained


def _first_postfix(inner: Node, step: Index | Call, env: Environment) -> Compiled:
    """A name before `(` is a function's, and `row[…]` is the whole row; else the atom's value goes into the step."""
    if isinstance(inner, Variable) and isinstance(step, Call):
        name, arguments = inner.name, [compile_node(argument, env) for argument in step.arguments]
        return lambda row: functions.call(name, env, [argument(row) for argument in arguments])
    if isinstance(inner, Variable) and inner.name == "row" and isinstance(step, Index):
        key = compile_node(step.index, env)

        def field(row: Any) -> Value:
            name = index_key(key(row))
            if name is None:
                return None
            if not isinstance(name, str):
                raise DqlError('can only index into objects with strings (a.b or a["b"])')
            value = row.get(name, MISSING)
            return env.names.get(name) if value is MISSING else value

        return field
    atom, rest = compile_node(inner, env), _postfix(step, env)
    return lambda row: rest(atom(row), row)


def _postfix(step: Index | Call, env: Environment) -> Callable[[Value, Any], Value]:
    if isinstance(step, Call):
        arguments = [compile_node(argument, env) for argument in step.arguments]

        def call(function: Value, row: Any) -> Value:
            values = [argument(row) for argument in arguments]
            if isinstance(function, Function):
                return function.call(*values)
            if isinstance(function, str):
                return functions.call(function, env, values)
            raise DqlError(f"Cannot call type '{type_of(function)}' as a function")

        return call
    if isinstance(step.index, Constant) and isinstance(step.index.value, str):
        name = step.index.value
        return lambda thing, _row: thing.get(name) if isinstance(thing, (dict, Record)) else index(thing, name, env)
    key = compile_node(step.index, env)

    def at(thing: Value, row: Any) -> Value:
        return index(thing, index_key(key(row)), env)

    return at
