"""Operators on values: arithmetic, comparison, indexing (facts/dataview.md §3). Failures are DqlError."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

from vaultkit.dql.collation import compare as collate
from vaultkit.dql.dates import Date, Duration, add, difference, in_unit, negated, normalised, plus, scaled, whole
from vaultkit.dql.environment import Environment, check_list, check_text
from vaultkit.dql.values import DqlError, Value, compare, to_float, to_text, truthy, type_of


def operate(op: str, left: Value, right: Value, env: Environment) -> Value:
    """`left op right`."""
    if (comparison := COMPARISONS.get(op)) is not None:
        return comparison(left, right, env)
    if op == "&":
        return truthy(left) and truthy(right)
    if op == "|":
        return truthy(left) or truthy(right)
    return arithmetic(op, left, right, env)


def arithmetic(op: str, left: Value, right: Value, env: Environment) -> Value:
    """`+ - * / %`."""
    one, two = type_of(left), type_of(right)
    rule = _RULES.get((one, op, two))
    if rule is None and op == "+" and "string" in {one, two}:
        env.budget.weigh(right if one == "string" else left)
        text = to_text(left, env.settings) + to_text(right, env.settings)
        check_text(len(text))
        env.budget.made(len(text))
        return text
    if rule is None:
        raise DqlError(f"No implementation found for '{one} {op} {two}'")
    made = rule(left, right)
    if type(made) is str or type(made) is list:
        env.budget.made(len(made))
    return made


def equal(left: Value, right: Value, env: Environment) -> bool:
    """`left = right`."""
    if type(left) is str and type(right) is str:
        if left == right:
            return True
        if left.isascii() and right.isascii() and left.isprintable() and right.isprintable():
            return False
        return collate(left, right) == 0
    return compared(left, right, env) == 0


def compared(left: Value, right: Value, env: Environment) -> int:
    """`compare`, of values that are not too large for it."""
    env.budget.weigh(left)
    env.budget.weigh(right)
    return compare(left, right, env.links.normalise)


COMPARISONS: Final[dict[str, Callable[[Value, Value, Environment], bool]]] = {
    "=": equal,
    "!=": lambda left, right, env: not equal(left, right, env),
    "<": lambda left, right, env: compared(left, right, env) < 0,
    "<=": lambda left, right, env: compared(left, right, env) <= 0,
    ">": lambda left, right, env: compared(left, right, env) > 0,
    ">=": lambda left, right, env: compared(left, right, env) >= 0,
}


def index(thing: Value, key: Value, env: Environment) -> Value:
    """`thing[key]`; key is null, a text or a number."""
    if key is None:
        return None
    kind = type_of(thing)
    by_name = isinstance(key, str)
    match kind:
        case "object":
            if not by_name:
                raise DqlError('can only index into objects with strings (a.b or a["b"])')
            return thing.get(key)
        case "array":
            if not by_name:
                return thing[int(key)] if 0 <= key < len(thing) and key == int(key) else None
            found = []
            for item in thing:
                try:
                    found.append(index(item, key, env))
                except DqlError:  # an element that fails is dropped
                    continue
            env.budget.step()
            return found
        case "link":
            if not by_name:
                raise DqlError('can only index into links with strings (a.b or a["b"])')
            page = env.links.resolve(thing.path)
            return page.get(key) if page is not None else None
        case "string":
            if by_name:
                raise DqlError("string indexing requires a numeric index (string[index])")
            units = utf16(thing)
            return units[int(key)] if 0 <= key < len(units) and key == int(key) else None
        case "date":
            if not by_name:
                raise DqlError("date indexing requires a string representing the unit")
            return _date_part(thing, key)
        case "duration":
            if not by_name:
                raise DqlError("duration indexing requires a string representing the unit")
            unit = _DURATION_PARTS.get(key)
            return in_unit(thing, unit) if unit else None
        case _:
            return None


def index_key(key: Value) -> Value:
    """*key* if something can be indexed by it. Raises DqlError."""
    if key is None or isinstance(key, str) or type_of(key) == "number":
        return key
    raise DqlError("Can only index with a string or number")


def utf16(text: str) -> str | list[str]:
    """The text by UTF-16 units, as JavaScript counts: itself when every character is one."""
    if text.isascii() or max(text) <= "\uffff":
        return text
    units: list[str] = []
    for char in text:
        code = ord(char)
        if code > 0xFFFF:
            code -= 0x10000
            units += (chr(0xD800 + (code >> 10)), chr(0xDC00 + (code & 0x3FF)))
        else:
            units.append(char)
    return units


def from_utf16(units: str | list[str]) -> str:
    """The reverse; halves of pairs that stand alone stay alone."""
    text = "".join(units)
    if not any("\ud800" <= char <= "\udbff" for char in text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass") if _paired(text) else _joined(text)


def _paired(text: str) -> bool:
    try:
        text.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    except UnicodeDecodeError:
        return False
    return True


def _joined(text: str) -> str:
    pieces: list[str] = []
    for char in text:
        if "\udc00" <= char <= "\udfff" and pieces and "\ud800" <= pieces[-1] <= "\udbff":
            pieces[-1] = chr(0x10000 + ((ord(pieces[-1]) - 0xD800) << 10) + ord(char) - 0xDC00)
        else:
            pieces.append(char)
    return "".join(pieces)


def js_object(items: Any) -> dict[str, Value]:
    """An object in JavaScript's order: keys that are whole numbers first, by size, then the others as they came."""
    made = dict(items)
    numbers = sorted((key for key in made if key.isascii() and key.isdigit() and (key == "0" or key[0] != "0") and len(key) < 10), key=int)
    return {**{key: made[key] for key in numbers}, **made} if numbers else made


_DATE_PARTS: Final = ("year", "month", "day", "hour", "minute", "second", "millisecond", "weekday")
_DURATION_PARTS: Final = {
    **{f"{name}{end}": f"{name}s" for name in ("year", "month", "day", "hour", "minute", "second", "millisecond") for end in ("", "s")},
    "weeks": "weeks",  # and no `week`
}


def _date_part(date: Date, name: str) -> Value:
    if name not in _DATE_PARTS and name not in {"week", "weekyear"}:
        return None
    if date.instant is None:
        return math.nan
    civil = date.civil()
    if name == "weekyear":
        return civil.week()[1]  # the number of the week, in spite of its name
    if name == "week":
        return civil.day // 7 + 1
    return getattr(civil, name)


def _quotient(left: float, right: float) -> float:
    left, right = to_float(left), to_float(right)
    if right == 0:
        if left == 0 or math.isnan(left):
            return math.nan
        return math.copysign(math.inf, left) * math.copysign(1, right)
    return whole(left / right)


def _remainder(left: float, right: float) -> float:
    left, right = to_float(left), to_float(right)
    if right == 0 or math.isinf(left) or math.isnan(left) or math.isnan(right):
        return math.nan
    return whole(math.fmod(left, right))


def _number(value: float) -> float:
    """A result as a double would hold it."""
    if isinstance(value, int) and abs(value) <= 2**53:
        return value
    value = to_float(value)
    return int(value) if value.is_integer() and abs(value) <= 2**53 else value


def _product(left: float, right: float) -> float:
    if isinstance(left, int) and isinstance(right, int):
        return _number(left * right)
    return _number(to_float(left) * to_float(right))


def _sum(left: float, right: float) -> float:
    if isinstance(left, int) and isinstance(right, int):
        return _number(left + right)
    return _number(to_float(left) + to_float(right))


def _repeated(text: str, times: float) -> str:
    if times < 0 or math.isnan(times):
        return ""
    if math.isinf(times):
        raise DqlError("Invalid count value: Infinity")
    check_text(len(text) * times)
    return text * int(times)


def _scaled(duration: Duration, factor: float) -> Duration:
    try:
        return normalised(scaled(duration, factor))
    except ValueError as error:
        raise DqlError(str(error)) from None


def _divided(duration: Duration, by: float) -> Duration:
    values = []
    for value in duration.values:
        quotient = value if value is None else _quotient(value, by)
        if quotient is not None and math.isnan(quotient):
            raise DqlError("Invalid unit value NaN")
        values.append(quotient)
    return normalised(Duration(tuple(values)))


def _lists(left: list[Value], right: list[Value]) -> list[Value]:
    check_list(len(left) + len(right))
    return [*left, *right]


def _nothing(_left: Value, _right: Value) -> None:
    return None


_Rule = Callable[[Any, Any], Value]
_RULES: Final[dict[tuple[str, str, str], _Rule]] = {
    ("number", "+", "number"): _sum,
    ("number", "-", "number"): lambda left, right: _sum(left, -right),
    ("number", "*", "number"): _product,
    ("number", "/", "number"): _quotient,
    ("number", "%", "number"): _remainder,
    ("string", "*", "number"): _repeated,
    ("number", "*", "string"): lambda left, right: _repeated(right, left),
    ("date", "-", "date"): difference,
    ("date", "-", "duration"): lambda left, right: add(left, negated(right)),
    ("date", "+", "duration"): add,
    ("duration", "+", "date"): lambda left, right: add(right, left),
    ("duration", "+", "duration"): lambda left, right: normalised(plus(left, right)),
    ("duration", "-", "duration"): lambda left, right: normalised(plus(left, negated(right))),
    ("duration", "/", "number"): _divided,
    ("duration", "*", "number"): _scaled,
    ("number", "*", "duration"): lambda left, right: _scaled(right, left),
    ("array", "+", "array"): _lists,
    ("object", "+", "object"): lambda left, right: js_object([*left.items(), *right.items()]),
    **{("null", op, "null"): _nothing for op in "+-*/%"},
    **{(one, op, two): _nothing for one, two in (("date", "null"), ("null", "date")) for op in "+-"},
}
