"""JsonLogic over one note at a time, as json-logic-js evaluates it, with `glob` and `regexp` (facts/rest-api.md §9).

Own and bounded: the query's depth at compilation, the whole search's time at evaluation. A regular expression that could run away is matched
in a process of its own, which is killed when the time is over: nothing else stops one.
"""

from __future__ import annotations

import json
import math
import re
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Any, ClassVar, Final

_DEEPEST: Final = 60
_TICKS: Final = 256  # steps between two looks at the clock
_MOST_TEXT: Final = 10_000_000

Data = Any
Step = Callable[[Data], Any]


class Stop(Exception):  # noqa: N818 - the search ends with a message to the client, ours or the query's fault
    """The query cannot be evaluated; the text says why."""


@contextmanager
def compile_logic(query: Any, end: float) -> Iterator[Logic]:
    """The query, ready to be applied to many notes until the monotonic time *end*."""
    matcher = _Matcher(end)
    try:
        yield Logic(query, end, matcher)
    finally:
        matcher.close()


class Logic:
    """A compiled query."""

    def __init__(self, query: Any, end: float, matcher: _Matcher) -> None:
        self._end = end
        self._ticks = 0
        self._matcher = matcher
        self._step = self._compiled(query, 0)

    def apply(self, data: Data) -> Any:
        """The query's value for one note."""
        self._tick()
        return _plain(self._step(data))

    def _tick(self) -> None:
        self._ticks += 1
        if self._ticks % _TICKS == 0 and time.monotonic() > self._end:
            raise Stop("the query takes too long")

    def _compiled(self, node: Any, depth: int) -> Step:
        if depth > _DEEPEST:
            raise Stop("the query is nested too deeply")
        if isinstance(node, list):
            steps = [self._compiled(item, depth + 1) for item in node]
            return lambda data: [step(data) for step in steps]
        if not isinstance(node, dict) or len(node) != 1:
            return lambda _: node
        name, given = next(iter(node.items()))
        arguments = given if isinstance(given, list) else [given]
        if name in self.LAZY:
            steps = [self._compiled(item, depth + 1) for item in arguments]
            lazy = self.LAZY[name]
            return lambda data: lazy(self, steps, data)
        if name in _PLAIN:
            return self._plain_operation(_PLAIN[name], arguments, depth)
        if name in {"var", "missing", "missing_some"}:
            return self._looking(name, arguments, depth)
        if name in {"glob", "regexp"}:
            steps = [self._compiled(item, depth + 1) for item in arguments]
            test = _glob if name == "glob" else self._matcher.regexp
            return lambda data: self._tested(test, [step(data) for step in steps])
        return lambda _: _unknown(name)

    def _plain_operation(self, operation: Callable[[list[Any]], Any], arguments: Sequence[Any], depth: int) -> Step:
        steps = [self._compiled(item, depth + 1) for item in arguments]

        def step(data: Data) -> Any:
            self._tick()
            return operation([step(data) for step in steps])

        return step

    def _looking(self, name: str, arguments: Sequence[Any], depth: int) -> Step:
        if name == "var" and len(arguments) == 1 and isinstance(arguments[0], str) and arguments[0]:
            keys = arguments[0].split(".")  # by far the commonest
            return lambda data: _reach(data, keys)
        steps = [self._compiled(item, depth + 1) for item in arguments]
        look = {"var": _var, "missing": _missing, "missing_some": _missing_some}[name]
        return lambda data: look([step(data) for step in steps], data)

    def _tested(self, test: Callable[[str, str], bool], values: list[Any]) -> bool:
        self._tick()
        pattern, value = [*values, None, None][:2]
        return isinstance(pattern, str) and isinstance(value, str) and test(pattern, value)

    # -- operations that decide themselves what is evaluated

    def _if(self, steps: Sequence[Step], data: Data) -> Any:
        for at in range(0, len(steps) - 1, 2):
            if truthy(steps[at](data)):
                return steps[at + 1](data)
        return steps[-1](data) if len(steps) % 2 else None

    def _and(self, steps: Sequence[Step], data: Data) -> Any:
        found = None
        for step in steps:
            found = step(data)
            if not truthy(found):
                break
        return found

    def _or(self, steps: Sequence[Step], data: Data) -> Any:
        found = None
        for step in steps:
            found = step(data)
            if truthy(found):
                break
        return found

    def _items(self, steps: Sequence[Step], data: Data) -> list[Any]:
        found = steps[0](data) if steps else None
        return found if isinstance(found, list) else []

    def _filter(self, steps: Sequence[Step], data: Data) -> Any:
        return [item for item in self._items(steps, data) if truthy(self._inner(steps, item))]

    def _map(self, steps: Sequence[Step], data: Data) -> Any:
        return [self._inner(steps, item) for item in self._items(steps, data)]

    def _all(self, steps: Sequence[Step], data: Data) -> Any:
        items = self._items(steps, data)
        return bool(items) and all(truthy(self._inner(steps, item)) for item in items)

    def _none(self, steps: Sequence[Step], data: Data) -> Any:
        return not self._some(steps, data)

    def _some(self, steps: Sequence[Step], data: Data) -> Any:
        return any(truthy(self._inner(steps, item)) for item in self._items(steps, data))

    def _reduce(self, steps: Sequence[Step], data: Data) -> Any:
        found = steps[2](data) if len(steps) > 2 else None
        for item in self._items(steps, data):
            found = self._inner(steps, {"current": item, "accumulator": found})
            if isinstance(found, str) and len(found) > _MOST_TEXT:
                raise Stop("the query makes too long a text")
        return found

    def _inner(self, steps: Sequence[Step], item: Any) -> Any:
        self._tick()
        return steps[1](item) if len(steps) > 1 else None

    LAZY: ClassVar[Mapping[str, Callable[[Logic, Sequence[Step], Data], Any]]] = {
        "if": _if,
        "?:": _if,
        "and": _and,
        "or": _or,
        "filter": _filter,
        "map": _map,
        "reduce": _reduce,
        "all": _all,
        "none": _none,
        "some": _some,
    }


# ── values, as JavaScript sees them ──────────────────────────────────────────────────────────────────────────────────


def truthy(value: Any) -> bool:
    """JsonLogic's truth: as JavaScript's, but an empty list is false."""
    if isinstance(value, float) and math.isnan(value):
        return False
    return True if isinstance(value, Mapping) else bool(value)


def _plain(value: Any) -> Any:
    return {name: _plain(item) for name, item in value.items()} if isinstance(value, Mapping) else value


def _number(value: Any) -> float:
    match value:
        case None:
            return 0.0
        case bool() | int() | float():
            try:
                return float(value)
            except OverflowError:
                return math.inf
        case str():
            text = value.strip()
            if not text:
                return 0.0
            try:
                return float(int(text, 16)) if text[:2].lower() == "0x" else float(text) if _NUMERAL.fullmatch(text) else math.nan
            except (ValueError, OverflowError):
                return math.nan
        case list():
            return _number(_text(value))
        case _:
            return math.nan


def _parsed(value: Any) -> float:
    """parseFloat: the number that a text begins with."""
    found = _NUMERAL.match(_text(value).strip())
    return float(found[0]) if found else math.nan


def _text(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case float() if value.is_integer() and abs(value) < 1e21:
            return str(int(value))
        case float() if math.isnan(value):
            return "NaN"
        case float() if math.isinf(value):
            return "Infinity" if value > 0 else "-Infinity"
        case list():
            return ",".join("" if item is None else _text(item) for item in value)
        case Mapping():
            return "[object Object]"
        case _:
            return str(value)


def _strict(left: Any, right: Any) -> bool:
    if isinstance(left, bool) or isinstance(right, bool):
        return isinstance(left, bool) and isinstance(right, bool) and left == right
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return left == right
    if isinstance(left, (list, Mapping)) or isinstance(right, (list, Mapping)):
        return left is right
    return type(left) is type(right) and bool(left == right)


def _loose(left: Any, right: Any) -> bool:
    if left is None or right is None:
        return left is None and right is None
    if isinstance(left, (list, Mapping)) and isinstance(right, (list, Mapping)):
        return left is right
    if isinstance(left, (list, Mapping)):
        return _loose(_text(left), right)
    if isinstance(right, (list, Mapping)):
        return _loose(left, _text(right))
    if isinstance(left, str) and isinstance(right, str):
        return left == right
    return _number(left) == _number(right)


def _less(left: Any, right: Any, *, equal: bool) -> bool:
    one, other = (_text(value) if isinstance(value, (list, Mapping)) else value for value in (left, right))
    if isinstance(one, str) and isinstance(other, str):
        first, second = one.encode("utf-16-be", "surrogatepass"), other.encode("utf-16-be", "surrogatepass")
        return first <= second if equal else first < second
    low, high = _number(one), _number(other)
    return low <= high if equal else low < high


def _tidy(value: float) -> Any:
    return int(value) if math.isfinite(value) and value.is_integer() and abs(value) < 2**53 else value


# ── operations on evaluated arguments ────────────────────────────────────────────────────────────────────────────────


def _pair(values: list[Any]) -> tuple[Any, Any]:
    first, second = [*values, None, None][:2]
    return first, second


def _between(values: list[Any], *, equal: bool) -> bool:
    return len(values) > 1 and all(_less(one, other, equal=equal) for one, other in pairwise(values[:3]))


def _in(values: list[Any]) -> bool:
    needle, hay = _pair(values)
    if isinstance(hay, str):
        return _text(needle) in hay
    return isinstance(hay, list) and any(_strict(item, needle) for item in hay)


def _substr(values: list[Any]) -> str:
    source, start, length = [*values, None, None][:3]
    text = _text(source)
    first = int(_finite(_number(start)))
    first = max(0, len(text) + first) if first < 0 else first
    found = text[first:]
    if length is None:
        return found
    count = int(_finite(_number(length)))
    return found[:count]


def _finite(value: float) -> float:
    return max(-1e9, min(value, 1e9)) if not math.isnan(value) else 0.0


def _minus(values: list[Any]) -> Any:
    first, second = _pair(values)
    return _tidy(-_number(first) if len(values) < 2 else _number(first) - _number(second))


def _divided(values: list[Any]) -> Any:
    over, under = map(_number, _pair(values))
    if not under:
        return math.nan if not over or math.isnan(over) else math.copysign(math.inf, over)
    return _tidy(over / under)


def _remainder(values: list[Any]) -> Any:
    over, under = map(_number, _pair(values))
    return math.nan if not under or not math.isfinite(over) else _tidy(math.fmod(over, under))


def _product(values: list[Any]) -> Any:
    return _tidy(math.prod(map(_parsed, values)))


def _merged(values: list[Any]) -> list[Any]:
    return [item for value in values for item in (value if isinstance(value, list) else [value])]


def _extreme(values: list[Any], choose: Callable[[Sequence[float]], float], empty: float) -> Any:
    numbers = [_number(value) for value in values]
    return math.nan if any(map(math.isnan, numbers)) else _tidy(choose(numbers)) if numbers else empty


_PLAIN: Final[Mapping[str, Callable[[list[Any]], Any]]] = {
    "==": lambda values: _loose(*_pair(values)),
    "===": lambda values: _strict(*_pair(values)),
    "!=": lambda values: not _loose(*_pair(values)),
    "!==": lambda values: not _strict(*_pair(values)),
    ">": lambda values: _less(*_pair(values)[::-1], equal=False),
    ">=": lambda values: _less(*_pair(values)[::-1], equal=True),
    "<": lambda values: _between(values, equal=False),
    "<=": lambda values: _between(values, equal=True),
    "!": lambda values: not truthy(_pair(values)[0]),
    "!!": lambda values: truthy(_pair(values)[0]),
    "in": _in,
    "cat": lambda values: "".join("" if value is None else _text(value) for value in values),
    "substr": _substr,
    "+": lambda values: _tidy(sum(map(_parsed, values))),
    "*": _product,
    "-": _minus,
    "/": _divided,
    "%": _remainder,
    "min": lambda values: _extreme(values, min, math.inf),
    "max": lambda values: _extreme(values, max, -math.inf),
    "merge": _merged,
    "log": lambda values: _pair(values)[0],
}


def _unknown(name: str) -> Any:
    raise Stop(f"Unrecognized operation {name}")


def _reach(data: Data, keys: Sequence[str]) -> Any:
    for key in keys:
        if isinstance(data, Mapping):
            data = data[key] if key in data else None  # noqa: SIM401 - a note makes its fields when they are asked for
        elif isinstance(data, (list, str)):
            if key == "length":  # noqa: SIM108 - two cases, read one after the other
                data = len(data)
            else:
                data = data[int(key)] if key.isascii() and key.isdigit() and int(key) < len(data) else None
        else:
            return None
        if data is None:
            return None
    return data


def _var(values: list[Any], data: Data) -> Any:
    name, default = _pair(values)
    if name is None or name == "":
        return data
    found = _reach(data, _text(name).split("."))
    return default if found is None else found


def _missing(values: list[Any], data: Data) -> list[Any]:
    names = values[0] if values and isinstance(values[0], list) else values
    return [name for name in names if _var([name], data) in (None, "")]


def _missing_some(values: list[Any], data: Data) -> list[Any]:
    least, names = _pair(values)
    wanted = names if isinstance(names, list) else []
    absent = _missing([wanted], data)
    return [] if len(wanted) - len(absent) >= _number(least) else absent


# ── patterns ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _glob(pattern: str, value: str) -> bool:
    """`*` stands for anything, slashes too; every other character for itself. Linear: no backtracking."""
    first, *rest = pattern.split("*")
    if not rest:
        return value == pattern
    last = rest.pop()
    if not value.startswith(first) or len(value) < len(first) + len(last) or not value.endswith(last):
        return False
    at, end = len(first), len(value) - len(last)
    for part in rest:
        found = value.find(part, at, end)
        if found < 0:
            return False
        at = found + len(part)
    return True


_SAFE: Final = re.compile(r"(?:\\[dwsDWSbB./\\-]|[^\\*+?{}()|\[\]])*")  # nothing repeats: one step a character at most
_NUMERAL: Final = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[+-]?Infinity")
# JavaScript's names of groups, and its `$`, which never stands before a last line end.
_DIALECT: Final = re.compile(r"\\(?:/|.)|\(\?<(?![=!])|\$|\[(?:\\.|[^\]\\])*\]", re.DOTALL)

_WORKER: Final = """
import json, re, sys
known = {}
for line in sys.stdin:
    pattern, value = json.loads(line)
    try:
        if pattern not in known:
            known[pattern] = re.compile(pattern)
        print(int(known[pattern].search(value) is not None), flush=True)
    except (re.error, RecursionError, OverflowError) as error:
        print("!" + " ".join(str(error).split()), flush=True)
"""


class _Matcher:
    """Regular expressions, in this process where they cannot run away, else in one that can be killed."""

    def __init__(self, end: float) -> None:
        self._end = end
        self._worker: subprocess.Popen[bytes] | None = None

    def regexp(self, pattern: str, value: str) -> bool:
        """Whether *pattern* is found anywhere in *value*."""
        if len(pattern) > 10_000:
            raise Stop("the regular expression is too long")
        source = _DIALECT.sub(_pythonic, pattern)
        if _SAFE.fullmatch(pattern):
            return re.search(source, value) is not None
        return self._ask(source, value)

    def close(self) -> None:
        """End the other process, if there is one."""
        if self._worker is not None:
            self._worker.kill()
            self._worker.communicate()
            self._worker = None

    def _ask(self, source: str, value: str) -> bool:
        if self._worker is None:
            command = [sys.executable, "-I", "-S", "-c", _WORKER]
            self._worker = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0)
        assert self._worker.stdin is not None
        assert self._worker.stdout is not None
        line = memoryview(json.dumps([source, value]).encode() + b"\n")
        try:
            while line:
                line = line[self._worker.stdin.write(line) :]
        except BrokenPipeError:
            raise Stop("the regular expression cannot be evaluated") from None
        if not select.select([self._worker.stdout], [], [], max(0.0, self._end - time.monotonic()))[0]:
            raise Stop("the regular expression takes too long")
        answer = self._worker.stdout.readline().decode().strip()
        if answer not in {"0", "1"}:
            raise Stop(f"the regular expression cannot be read: {answer.removeprefix('!') or 'it is too large'}")
        return answer == "1"


def _pythonic(match: re.Match[str]) -> str:
    token = match[0]
    return {"$": r"\Z", "(?<": "(?P<", r"\/": "/"}.get(token, token)
