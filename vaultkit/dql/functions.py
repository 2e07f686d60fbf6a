"""The functions of the language, one table: what each takes, and over which arguments it maps when they are lists (facts/dataview.md §6).

A function is a list of variants, tried in order; `*` fits any value, `...` any arguments. Nulls have variants of their own.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Any, Final, NamedTuple

from vaultkit.dql import lexis
from vaultkit.dql.dates import Date, in_zone, strip_time
from vaultkit.dql.environment import LONGEST_LIST, LONGEST_TEXT, Environment, check_list, check_text
from vaultkit.dql.formats import format_date, format_duration, parse_date
from vaultkit.dql.literals import parse_date_text, parse_duration_text
from vaultkit.dql.operators import arithmetic, equal, from_utf16, index, js_object, operate, utf16
from vaultkit.dql.patterns import replace_all, split
from vaultkit.dql.plain import plain
from vaultkit.dql.values import (
    DqlError,
    ExternalLink,
    Function,
    Link,
    Value,
    compare,
    grouped,
    order,
    read_number,
    to_text,
    truthy,
    type_of,
)

Implementation = Callable[..., Value]  # (environment, *arguments)


class Variant(NamedTuple):
    """The types of the arguments, and what to do with such."""

    types: tuple[str, ...]
    run: Implementation


class Specification(NamedTuple):
    """*maps*: for so many arguments, over which of them the call maps when they are lists (the shortest list decides how far)."""

    name: str
    variants: tuple[Variant, ...]
    maps: Mapping[int, tuple[int, ...]]


def call(name: str, env: Environment, arguments: list[Value]) -> Value:
    """The function of that name. Raises DqlError for unknown names and for arguments that fit no variant."""
    specification = FUNCTIONS.get(name)
    if specification is None:
        near = difflib.get_close_matches(name.lower(), FUNCTIONS, 3, 0.6)
        raise DqlError(f"Unrecognized function name '{name}'" + (f"; near ones: {', '.join(near)}" if near else ""))
    env.budget.step()
    return apply(specification, env, arguments)


def apply(specification: Specification, env: Environment, arguments: list[Value]) -> Value:
    """The first variant that fits."""
    types = [type_of(argument) for argument in arguments]
    mapped = [at for at in specification.maps.get(len(types), ()) if types[at] == "array"]
    if mapped:
        shortest = min(len(arguments[at]) for at in mapped)
        results = []
        for row in range(shortest):
            env.budget.step()
            results.append(apply(specification, env, [value[row] if at in mapped else value for at, value in enumerate(arguments)]))
        return results
    for wanted, run in specification.variants:
        if wanted == _ANY or (len(wanted) == len(types) and all(want in {"*", have} for want, have in zip(wanted, types, strict=True))):
            for kind, argument in zip(types, arguments, strict=True):
                if kind in _NESTING:
                    env.budget.weigh(argument)
            made = run(env, *arguments)
            if type(made) is str or type(made) is list:
                env.budget.made(len(made))
            return made
    raise DqlError(f"No implementation of '{specification.name}' found for arguments: {', '.join(types)}")


_ANY: Final = ("...",)
_NESTING: Final = frozenset({"array", "object"})


def _nothing(_env: Environment, *_arguments: Value) -> None:
    return None


def _first(_env: Environment, value: Value, *_others: Value) -> Value:
    return value


# -- making values ----------------------------------------------------------------------------------------------------------------------


def _object(_env: Environment, *arguments: Value) -> Value:
    if len(arguments) % 2:
        raise DqlError("object() requires an even number of arguments")
    if not all(isinstance(name, str) for name in arguments[::2]):
        raise DqlError("keys should be of type string for object(key1, value1, ...)")
    return js_object(zip(arguments[::2], arguments[1::2], strict=True))


def _link(env: Environment, path: str, display: str | None = None, embed: bool = False) -> Link:
    return Link(env.links.normalise(path), display=display, embed=embed)


def _date_of_text(env: Environment, text: str) -> Date | None:
    return parse_date_text(text, env, words=True)


def _date_of_link(env: Environment, link: Link) -> Value:
    for text in (link.display, link.path):
        if text and (found := parse_date_text(text, env)) is not None:
            return found
    page = env.links.resolve(link.path)
    file = page.get("file") if page is not None else None
    day = file.get("day") if file is not None else None
    return day if truthy(day) else None


def _date_by_pattern(env: Environment, text: str, pattern: str) -> Date:
    if pattern in {"x", "X"}:
        number = lexis.NUMBER.search(text)
        if number is None:
            raise DqlError(f"Not a number for format ({pattern}): {text}")
        instant = int(float(number[0])) * (1000 if pattern == "X" else 1)
        return Date(instant if abs(instant) <= 8_640_000_000_000_000 else None, env.zone)
    found = parse_date(text, pattern, env.zone, env.now)
    if found is None:
        raise DqlError(f"Can't handle format ({pattern}) on date string ({text})")
    return found


def _number(_env: Environment, text: str) -> float | None:
    number = lexis.NUMBER.search(text)
    return read_number(number[0]) if number else None


def _meta(_env: Environment, link: Link) -> Value:
    return {"display": link.display, "embed": link.embed, "path": link.path, "subpath": link.subpath, "type": link.type}


# -- numbers ----------------------------------------------------------------------------------------------------------------------------


def _integer(value: float) -> float:
    """JavaScript's ToIntegerOrInfinity."""
    return 0 if math.isnan(value) else value if math.isinf(value) else int(value)


def _round(_env: Environment, value: float, digits: float = 0) -> float:
    if not math.isfinite(value):
        return value
    if digits <= 0 or math.isnan(digits):
        return math.floor(value + 0.5) if abs(value) < 2**52 else value
    if digits > 100:
        raise DqlError("toFixed() digits argument must be between 0 and 100")
    if abs(value) >= 1e21:
        return value
    exact = Decimal(value)
    return read_number(str(exact.quantize(Decimal(1).scaleb(-int(digits)), ROUND_HALF_UP, _WIDE)))


_WIDE: Final = Context(prec=200)


def _whole(rule: Callable[[float], float]) -> Implementation:
    return lambda _env, value: rule(value) if math.isfinite(value) else value


def _extreme(sign: int) -> tuple[Variant, ...]:
    """Min (1) or max (-1): nulls lose."""

    def pick(env: Environment, left: Value, right: Value) -> Value:
        if left is None or right is None:
            return right if left is None else left
        order_ = compare(left, right, env.links.normalise)
        return left if (order_ <= 0 if sign > 0 else order_ > 0) else right

    def of_all(env: Environment, *values: Value) -> Value:
        if len(values) == 1 and isinstance(values[0], list):
            return of_all(env, *values[0])
        if not values:
            return None
        best = values[0]
        for value in values[1:]:
            best = pick(env, best, value)
        return best

    return (Variant(("*", "*"), pick), Variant(_ANY, of_all))


def _by(sign: int) -> Implementation:
    """Minby or maxby."""

    def pick(env: Environment, values: list[Value], rule: Function) -> Value:
        if not values:
            return None
        keyed = [(rule.call(value), value) for value in values]
        keyed = [pair for pair in keyed if pair[0] is not None]
        if not keyed:
            return values[0]
        best = keyed[0]
        for pair in keyed[1:]:
            order_ = compare(best[0], pair[0], env.links.normalise)
            if not (order_ <= 0 if sign > 0 else order_ > 0):
                best = pair
        return best[1]

    return pick


def _reduce(env: Environment, values: list[Value], op: str) -> Value:
    if not values:
        return None
    if op not in set("+-*/&|"):
        raise DqlError("reduce(array, op) supports '+', '-', '/', '*', '&', and '|'")
    if op == "+" and all(isinstance(value, str) for value in values):
        check_text(sum(map(len, values)))
        return "".join(values)  # piece by piece it would be quadratic
    result = values[0]
    for value in values[1:]:
        env.budget.step()
        result = operate(op, result, value, env)
    return result


def _reduce_by(_env: Environment, values: list[Value], rule: Function) -> Value:
    if not values:
        return None
    result = values[0]
    for value in values[1:]:
        if value is not None:
            result = rule.call(result, value)
    return result


def _average(env: Environment, values: list[Value]) -> Value:
    whole = _reduce(env, values, "+")
    return None if whole is None else arithmetic("/", whole, len(values), env)


_SYMBOLS: Final = {
    "AUD": "A$",
    "BRL": "R$",
    "CAD": "CA$",
    "CNY": "CN¥",
    "EUR": "€",
    "GBP": "£",
    "HKD": "HK$",
    "ILS": "₪",
    "INR": "₹",
    "JPY": "¥",
    "KRW": "₩",
    "MXN": "MX$",
    "NZD": "NZ$",
    "PHP": "₱",
    "TWD": "NT$",
    "USD": "$",
    "VND": "₫",
    "XAF": "FCFA",
    "XCD": "EC$",
    "XOF": "F\u202fCFA",
    "XPF": "CFPF",
}
_DECIMALS: Final = {
    **dict.fromkeys(
        ["BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF", "XPF"], 0
    ),
    **dict.fromkeys(["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"], 3),
}


def _currency(_env: Environment, value: float, code: str = "USD") -> str:
    code = code.upper()
    if re.fullmatch("[A-Z]{3}", code) is None:
        raise DqlError(f"Invalid currency code : {code}")
    decimals = _DECIMALS.get(code, 2)
    shown = grouped(value, decimals, decimals)
    symbol = _SYMBOLS.get(code, f"{code}\u00a0")
    return f"-{symbol}{shown[1:]}" if shown.startswith("-") else symbol + shown


# -- lists ------------------------------------------------------------------------------------------------------------------------------


def _contains(fold: bool, deep: bool) -> Implementation:
    def test(env: Environment, thing: Value, wanted: Value) -> Value:
        if isinstance(thing, list):
            for item in thing:
                env.budget.step()
                if truthy(test(env, item, wanted)) if deep else equal(wanted, item, env):
                    return True
            return False
        if isinstance(thing, str) and isinstance(wanted, str):
            return wanted.lower() in thing.lower() if fold else wanted in thing
        if type_of(thing) == "object" and isinstance(wanted, str):
            return wanted in thing
        return equal(thing, wanted, env)

    return test


def _extract(env: Environment, *arguments: Value) -> Value:
    if not arguments:
        return "extract(object, key1, ...) requires at least 1 argument"
    thing, *names = arguments
    if isinstance(thing, list):
        return [_extract(env, item, *names) for item in thing]
    result = {}
    for name in names:
        if not isinstance(name, str):
            raise DqlError("extract(object, key1, ...) must be called with string keys")
        result[name] = index(thing, name, env)
    return js_object(result)


def _sort(env: Environment, values: list[Value], rule: Function | None = None) -> list[Value]:
    keys = values if rule is None else [rule.call(value) for value in values]
    key = order(keys, env.links.normalise)
    if rule is None:
        return sorted(values, key=key)
    return [values[at] for at in sorted(range(len(values)), key=lambda at: key(keys[at]))]


def _unique(_env: Environment, values: list[Value]) -> list[Value]:
    in_order = sorted(values, key=order(values))
    return [value for at, value in enumerate(in_order) if not at or compare(in_order[at - 1], value) != 0]


def _flat(env: Environment, values: list[Value], depth: float = 1) -> list[Value]:
    result: list[Value] = []
    for value in values:
        env.budget.step()
        if isinstance(value, list) and _integer(depth) >= 1:
            result += _flat(env, value, depth - 1)
        else:
            result.append(value)
    check_list(len(result))
    return result


def _slice(_env: Environment, values: list[Value], start: float = 0, end: float = math.inf) -> list[Value]:
    return values[_bound(start, len(values)) : _bound(end, len(values))]


def _bound(value: float, size: int) -> int:
    value = _integer(value)
    return int(max(0, size + value) if value < 0 else min(value, size))


def _reverse_text(_env: Environment, text: str) -> str:
    units = utf16(text)
    return text[::-1] if units is text else from_utf16(units[::-1])


def _join(env: Environment, values: list[Value], between: str = ", ") -> str:
    texts = [to_text(value, env.settings) for value in values]
    check_text(sum(map(len, texts)) + len(texts) * len(between))
    return between.join(texts)


def _map(env: Environment, values: list[Value], rule: Function) -> list[Value]:
    env.budget.step()
    return [rule.call(value) for value in values]


def _filter(_env: Environment, values: list[Value], rule: Function) -> list[Value]:
    return [value for value in values if truthy(rule.call(value))]


def _over(test: Callable[[Iterable[bool]], bool]) -> tuple[Variant, ...]:
    return (
        Variant(("array",), lambda _env, values: test(map(truthy, values))),
        Variant(("array", "function"), lambda _env, values, rule: test(truthy(rule.call(value)) for value in values)),
        Variant(_ANY, lambda _env, *values: test(map(truthy, values))),
    )


def _not_null(_env: Environment, values: Iterable[Value]) -> list[Value]:
    return [value for value in values if value is not None]


# -- text -------------------------------------------------------------------------------------------------------------------------------


def _search(env: Environment, pattern: str, text: str) -> bool:
    return env.pattern(pattern).search(text) is not None


def _match(env: Environment, pattern: str, text: str) -> bool:
    whole = pattern.startswith("^") or pattern.endswith("$")
    return _search(env, pattern if whole else f"^{pattern}$", text)


def _regex_replace(env: Environment, text: str, pattern: str, new: str) -> str:
    return replace_all(env.pattern(pattern), text, new, most=LONGEST_TEXT)


def _replace(_env: Environment, text: str, old: str, new: str) -> str:
    check_text(len(text) * max(1, len(new)))
    return text.replace(old, new) if old else new.join(text)


def _split(env: Environment, text: str, pattern: str, limit: float = 2**32 - 1) -> list[str]:
    most = int(_integer(limit) % 2**32) if math.isfinite(limit) else 0
    return split(env.pattern(pattern), text, most=LONGEST_LIST)[:most]


def _pad(left: bool) -> Implementation:
    def pad(_env: Environment, text: str, width: float, padding: str = " ") -> str:
        wanted = _integer(width) - len(utf16(text))
        if wanted <= 0 or not padding:
            return text
        check_text(wanted)
        units = utf16(padding)
        filling = from_utf16((units * (int(wanted) // len(units) + 1))[: int(wanted)])
        return filling + text if left else text + filling

    return pad


def _substring(_env: Environment, text: str, start: float, end: float = math.inf) -> str:
    units = utf16(text)
    low, high = sorted(int(min(max(_integer(place), 0), len(units))) for place in (start, end))
    return from_utf16(units[low:high])


def _truncate(_env: Environment, text: str, length: float, suffix: str = "...") -> str:
    room = length - len(utf16(suffix))
    units = utf16(text)
    if len(units) > room:
        return from_utf16(units[: int(max(0, _integer(room)))]) + suffix
    return text


def _contains_word(env: Environment, text: str, word: str) -> bool:
    border = "(?:(?<![A-Za-z0-9_])(?=[A-Za-z0-9_])|(?<=[A-Za-z0-9_])(?![A-Za-z0-9_]))"
    return env.pattern(f"{border}{re.escape(word)}{border}", ignore_case=True, translated=True).search(text) is not None


def _length(_env: Environment, text: str) -> int:
    return len(utf16(text))


def _display(env: Environment, value: Value) -> str:
    match value:
        case None:
            return ""
        case list():
            return ", ".join(_display(env, item) for item in value)
        case str():
            return plain(value)
        case Link(display=str(shown)) if shown:
            return plain(shown)
        case Link():
            return _SHOWN.sub(lambda found: found[1], to_text(value, env.settings))
        case _:
            return to_text(value, env.settings)


_SHOWN: Final = re.compile(r"\[\[.*\|(.*)\]\]")


def _hash(text: str, variant: float = 0) -> int:
    """cyrb53: a 53-bit number of a text (a public domain algorithm by bryc)."""
    seed = int(_integer(variant)) & 0xFFFFFFFF if math.isfinite(variant) else 0
    one, two = 0xDEADBEEF ^ seed, 0x41C6CE57 ^ seed
    for unit in utf16(text):
        one = (one ^ ord(unit)) * 2654435761 & 0xFFFFFFFF
        two = (two ^ ord(unit)) * 1597334677 & 0xFFFFFFFF
    one = (one ^ one >> 16) * 2246822507 & 0xFFFFFFFF
    one ^= (two ^ two >> 13) * 3266489909 & 0xFFFFFFFF
    two = (two ^ two >> 16) * 2246822507 & 0xFFFFFFFF
    two ^= (one ^ one >> 13) * 3266489909 & 0xFFFFFFFF
    return (two & 2097151) * 4294967296 + one


# -- the table --------------------------------------------------------------------------------------------------------------------------

_Rows = Sequence[tuple[str, Callable[..., Any]]]


def _specify(
    name: str,
    variants: Sequence[Variant | tuple[str, Callable[..., Any]]],
    maps: Mapping[int, tuple[int, ...]] | None = None,
    shown: str = "",
) -> Specification:
    made = tuple(v if isinstance(v, Variant) else Variant(tuple(v[0].split()), v[1]) for v in variants)
    return Specification(shown or name, made, maps or {})


def _nulls(count: int, *, last: bool = True) -> _Rows:
    """Null in any of *count* arguments gives null."""
    return tuple((" ".join("null" if at == null else "*" for at in range(count)), _nothing) for null in range(count if last else count - 1))


_ONE: Final = {1: (0,)}
_FUNCTIONS: Final[tuple[Specification, ...]] = (
    _specify("object", (("...", _object),)),
    _specify("list", (("...", lambda _env, *values: list(values)),)),
    _specify("array", (("...", lambda _env, *values: list(values)),)),
    _specify(
        "date",
        (
            ("string", _date_of_text),
            ("date", _first),
            ("link", _date_of_link),
            ("string string", _date_by_pattern),
            ("null string", _nothing),
            ("null", _nothing),
        ),
        _ONE,
    ),
    _specify("dur", (("string", lambda _env, text: parse_duration_text(text.strip())), ("duration", _first), ("null", _nothing)), _ONE),
    _specify("number", (("number", _first), ("string", _number), ("null", _nothing)), _ONE),
    _specify("string", (("*", lambda env, value: to_text(value, env.settings)),)),
    _specify(
        "link",
        (
            ("string", _link),
            ("link", _first),
            ("null", _nothing),
            ("string string", _link),
            ("string string boolean", _link),
            ("link string", lambda _env, link, display: link._replace(display=display)),
            ("null *", _nothing),
            ("* null", lambda env, value, _null: call("link", env, [value])),
        ),
        {1: (0,), 2: (0, 1)},
    ),
    _specify(
        "embed",
        (
            ("link", lambda _env, link: link._replace(embed=True)),
            ("link boolean", lambda _env, link, embed: link._replace(embed=embed)),
            ("null", _nothing),
            *_nulls(2),
        ),
        {1: (0,), 2: (0, 1)},
    ),
    _specify(
        "elink",
        (
            ("string string", lambda _env, url, display: ExternalLink(url, display)),
            ("string null", lambda _env, url, _null: ExternalLink(url, url)),
            ("null *", _nothing),
            ("string", lambda _env, url: ExternalLink(url, url)),
            ("null", _nothing),
        ),
        {1: (0,), 2: (0,)},
    ),
    _specify("typeof", (("*", lambda _env, value: type_of(value)),), shown="type"),
    _specify(
        "round",
        (
            ("number", _round),
            ("null", _nothing),
            ("number number", _round),
            ("number null", lambda env, value, _null: _round(env, value)),
            ("null *", _nothing),
        ),
        {1: (0,), 2: (0,)},
    ),
    *(
        _specify(name, (("number", _whole(rule)), ("null", _nothing)), _ONE)
        for name, rule in (("trunc", math.trunc), ("floor", math.floor), ("ceil", math.ceil))
    ),
    _specify("min", _extreme(1)),
    _specify("max", _extreme(-1)),
    _specify("minby", (("array function", _by(1)), ("null function", _nothing))),
    _specify("maxby", (("array function", _by(-1)), ("null function", _nothing))),
    _specify("sum", (("array", lambda env, values: _reduce(env, values, "+")), ("*", _first))),
    _specify("product", (("array", lambda env, values: _reduce(env, values, "*")), ("*", _first))),
    _specify("average", (("array", _average), ("*", _first))),
    _specify("reduce", (("array string", _reduce), ("array function", _reduce_by), *_nulls(2)), {2: (1,)}),
    _specify("contains", (("* *", _contains(fold=False, deep=True)),), {2: (1,)}),
    _specify("icontains", (("* *", _contains(fold=True, deep=True)),), {2: (1,)}),
    _specify("econtains", (("* *", _contains(fold=False, deep=False)),), {2: (1,)}),
    _specify("containsword", (("string string", _contains_word), *_nulls(2)), {2: (0, 1)}),
    _specify("extract", (("...", _extract),)),
    _specify("sort", (("array", _sort), ("array function", _sort), ("*", _first))),
    _specify("reverse", (("array", lambda _env, values: values[::-1]), ("string", _reverse_text), ("*", _first))),
    _specify(
        "length",
        (
            ("array", lambda _env, values: len(values)),
            ("object", lambda _env, thing: len(thing)),
            ("string", _length),
            ("null", lambda _env, _null: 0),
        ),
    ),
    _specify("nonnull", (("array", _not_null), ("...", lambda env, *values: _not_null(env, values)))),
    _specify(
        "firstvalue", (("array", lambda _env, values: next((value for value in values if value is not None), None)), ("null", _nothing))
    ),
    _specify("all", _over(all)),
    _specify("any", _over(any)),
    _specify("none", _over(lambda tests: not any(tests)), shown="all"),
    _specify(
        "join",
        (
            ("array string", _join),
            ("array null", lambda env, values, _null: _join(env, values)),
            ("* string", lambda env, value, _between: to_text(value, env.settings)),
            ("array", _join),
            ("*", lambda env, value: to_text(value, env.settings)),
        ),
        {2: (1,)},
    ),
    _specify("filter", (("array function", _filter), ("null *", _nothing))),
    _specify("map", (("array function", _map), ("null *", _nothing))),
    _specify("flat", (("array", _flat), ("array number", _flat), ("null", _nothing))),
    _specify("slice", (("array", _slice), ("array number", _slice), ("array number number", _slice), ("null", _nothing))),
    _specify("unique", (("array", _unique), ("null", _nothing))),
    _specify("regextest", (("string string", _search), ("null *", lambda *_: False), ("* null", lambda *_: False)), {2: (0, 1)}),
    _specify("regexmatch", (("string string", _match), ("null *", lambda *_: False), ("* null", lambda *_: False)), {2: (0, 1)}),
    _specify("regexreplace", (("string string string", _regex_replace), *_nulls(3)), {3: (0, 1, 2)}),
    _specify("replace", (("string string string", _replace), *_nulls(3)), {3: (0, 1, 2)}),
    _specify("lower", (("string", lambda _env, text: text.lower()), ("null", _nothing)), _ONE),
    _specify("upper", (("string", lambda _env, text: text.upper()), ("null", _nothing)), _ONE),
    _specify("split", (("string string", _split), ("string string number", _split), *_nulls(2), *_nulls(3))),
    _specify("startswith", (("string string", lambda _env, text, part: text.startswith(part)), *_nulls(2)), {2: (0, 1)}),
    _specify("endswith", (("string string", lambda _env, text, part: text.endswith(part)), *_nulls(2)), {2: (0, 1)}),
    *(
        _specify(
            name, (("string number", _pad(left)), ("string number string", _pad(left)), *_nulls(2), *_nulls(3)), {2: (0, 1), 3: (0, 1, 2)}
        )
        for name, left in (("padleft", True), ("padright", False))
    ),
    _specify(
        "substring",
        (("string number", _substring), ("string number number", _substring), *_nulls(2), *_nulls(3)),
        {2: (0, 1), 3: (0, 1, 2)},
    ),
    _specify(
        "truncate", (("string number", _truncate), ("string number string", _truncate), *_nulls(2), *_nulls(3)), {2: (0, 1), 3: (0, 1, 2)}
    ),
    _specify("default", (("* *", lambda _env, value, other: other if value is None else value),), {2: (0, 1)}),
    _specify("ldefault", (("* *", lambda _env, value, other: other if value is None else value),)),
    _specify("display", (("*", _display),)),
    _specify("choice", (("* * *", lambda _env, test, yes, no: yes if truthy(test) else no),), {3: (0,)}),
    _specify("striptime", (("date", lambda env, date: strip_time(date, env.zone, env.now)), ("null", _nothing)), _ONE),
    _specify("localtime", (("date", lambda env, date: in_zone(date, env.zone)), ("null", _nothing)), _ONE),
    _specify("dateformat", (("date string", lambda _env, date, pattern: format_date(date, pattern)), ("null string", _nothing)), {2: (0,)}),
    _specify(
        "durationformat",
        (("duration string", lambda _env, value, pattern: format_duration(value, pattern)), ("null string", _nothing)),
        {2: (0,)},
    ),
    _specify(
        "currencyformat", (("number string", _currency), ("null string", _nothing), ("number", _currency), ("null", _nothing)), {2: (0,)}
    ),
    _specify(
        "hash",
        (
            ("string number", lambda _env, text, variant: _hash(text, variant)),
            ("string string", lambda _env, seed, text: _hash(seed + text)),
            ("string string number", lambda _env, seed, text, variant: _hash(seed + text, variant)),
        ),
    ),
    _specify("meta", (("link", _meta),)),
)
_NAMES: Final = [
    "object",
    "list",
    "array",
    "date",
    "dur",
    "number",
    "string",
    "link",
    "embed",
    "elink",
    "typeof",
    "round",
    "trunc",
    "floor",
    "ceil",
    "min",
    "max",
    "minby",
    "maxby",
    "sum",
    "product",
    "average",
    "reduce",
    "contains",
    "icontains",
    "econtains",
    "containsword",
    "extract",
    "sort",
    "reverse",
    "length",
    "nonnull",
    "firstvalue",
    "all",
    "any",
    "none",
    "join",
    "filter",
    "map",
    "flat",
    "slice",
    "unique",
    "regextest",
    "regexmatch",
    "regexreplace",
    "replace",
    "lower",
    "upper",
    "split",
    "startswith",
    "endswith",
    "padleft",
    "padright",
    "substring",
    "truncate",
    "default",
    "ldefault",
    "display",
    "choice",
    "striptime",
    "localtime",
    "dateformat",
    "durationformat",
    "currencyformat",
    "hash",
    "meta",
]
FUNCTIONS: Final[dict[str, Specification]] = dict(zip(_NAMES, _FUNCTIONS, strict=True))
