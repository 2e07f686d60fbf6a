"""The values of the language: their types, order, truth and text (facts/dataview.md §2, §3, §5). Pure.

null is None; numbers are int or float (one type); text, lists and objects are str, list and dict; a page or task is a `Record`, an object
whose fields are worked out when they are asked for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from functools import cmp_to_key
from typing import Any, Final, Literal, NamedTuple

from vaultkit.dql.collation import compare as collate
from vaultkit.dql.collation import sort_key
from vaultkit.dql.dates import Date, Duration, normalised, same_duration

LinkType = Literal["file", "header", "block"]
Value = Any  # None | bool | int | float | str | Date | Duration | Link | list | dict | Record | Function | ExternalLink | ListPair
Normalise = Callable[[str], str]


class DqlError(Exception):
    """An expression that has no value; the row that it was asked of is dropped."""


class Link(NamedTuple):
    """`[[path#subpath|display]]`; *path* is as written until it is resolved."""

    path: str
    type: LinkType = "file"
    subpath: str | None = None
    display: str | None = None
    embed: bool = False

    def markdown(self) -> str:
        """As it would be written, with a display text in any case."""
        path = self.path.replace("|", "\\|")
        mark = {"file": "", "header": "#", "block": "#^"}[self.type]
        part = mark + (self.subpath or "").replace("|", "\\|") if mark else ""
        shown = self.display or title_of(self.path) + (f" > {self.subpath}" if mark else "")
        return f"{'!' if self.embed else ''}[[{path}{part}|{shown}]]"


class ExternalLink(NamedTuple):
    """What `elink` makes."""

    url: str
    display: str


class ListPair(NamedTuple):
    """A row of LIST with an expression."""

    key: Value
    value: Value


class Function:
    """A lambda: *call* takes the arguments' values."""

    __slots__ = ("call",)

    def __init__(self, call: Callable[..., Value]) -> None:
        self.call = call


class Record:
    """An object whose fields are made on demand. `keys` names them in their order."""

    __slots__ = ()

    def get(self, name: str, default: Value = None) -> Value:
        """The field, or *default*."""
        raise NotImplementedError

    def keys(self) -> Iterable[str]:
        """All names."""
        raise NotImplementedError

    def items(self) -> Iterator[tuple[str, Value]]:
        """Names and values."""
        return ((name, self.get(name)) for name in self.keys())

    def __len__(self) -> int:
        return len(list(self.keys()))

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __contains__(self, name: object) -> bool:
        return name in list(self.keys())


@dataclass(frozen=True)
class Settings:
    """What `.obsidian/plugins/dataview/data.json` says of how values are shown, and where a few rules differ."""

    null: str = "\\-"
    date_format: str = "MMMM dd, yyyy"
    datetime_format: str = "h:mm a - MMMM dd, yyyy"
    id_column: str = "File"
    html: bool = True  # lists in cells of Markdown tables
    inline_prefix: str = "="

    @staticmethod
    def read(data: object) -> Settings:
        """From the plugin's settings; what is missing or of another type keeps its default."""
        found: dict[str, Any] = {}
        for name, field in _SETTINGS.items():
            value = data.get(name) if isinstance(data, dict) else None
            if type(value) is type(getattr(Settings, field)):
                found[field] = value
        return Settings(**found)


_SETTINGS: Final = {
    "renderNullAs": "null",
    "defaultDateFormat": "date_format",
    "defaultDateTimeFormat": "datetime_format",
    "tableIdColumnName": "id_column",
    "allowHtml": "html",
    "inlineQueryPrefix": "inline_prefix",
}
_TYPES: dict[type, str] = {
    type(None): "null",
    bool: "boolean",
    int: "number",
    float: "number",
    str: "string",
    Date: "date",
    Duration: "duration",
    Link: "link",
    list: "array",
    dict: "object",
    Function: "function",
    ExternalLink: "widget",
    ListPair: "widget",
}
_ORDER: Final = {
    name: at
    for at, name in enumerate(("null", "array", "boolean", "date", "duration", "function", "link", "number", "object", "string", "widget"))
}


def type_of(value: Value) -> str:
    """The name that `typeof` gives."""
    found = _TYPES.get(type(value))
    if found is None:
        found = _TYPES[type(value)] = (
            "object" if isinstance(value, Record) else next((name for kind, name in _TYPES.items() if isinstance(value, kind)), "object")
        )
    return found


def truthy(value: Value) -> bool:
    """Whether WHERE keeps it."""
    match value:
        case None:
            return False
        case bool() | int() | str() | list() | dict():
            return bool(value)
        case float():
            return value != 0
        case Link():
            return bool(value.path)
        case Date():
            return value.instant != 0
        case Duration():
            return value.milliseconds() != 0
        case Record():
            return len(value) > 0
        case _:
            return True


def compare(left: Value, right: Value, normalise: Normalise | None = None) -> int:
    """Below 0, 0, above 0. Not quite an order: equal instants of different zones are each "above" the other, as in Dataview."""
    if left is right and not isinstance(left, float):
        return 0
    kind, other = type_of(left), type_of(right)
    if kind != other:
        return _ORDER[kind] - _ORDER[other]
    match kind:
        case "number":
            return -1 if left < right else 0 if left == right else 1
        case "string":
            return collate(left, right)
        case "boolean":
            return int(left) - int(right)
        case "link":
            return _compare_links(left, right, normalise)
        case "date":
            if left.instant is None or right.instant is None:
                return 1
            if left.instant < right.instant:
                return -1
            return 0 if left.instant == right.instant and left.zone.same(right.zone) else 1
        case "duration":
            if left.milliseconds() < right.milliseconds():
                return -1
            return 0 if same_duration(left, right) else 1
        case "array":
            for one, two in zip(left, right, strict=False):
                if found := compare(one, two):  # links inside are not resolved
                    return found
            return len(left) - len(right)
        case "object":
            names = sorted(left.keys())
            if found := compare(names, sorted(right.keys())):
                return found
            return next((found for name in names if (found := compare(left.get(name), right.get(name)))), 0)
        case _:
            return 0


def _compare_links(left: Link, right: Link, normalise: Normalise | None) -> int:
    one, two = (left.path, right.path) if normalise is None else (normalise(left.path), normalise(right.path))
    if found := collate(one, two):
        return found
    if found := collate(left.type, right.type):
        return found
    if bool(left.subpath) != bool(right.subpath):
        return 1 if left.subpath else -1
    return collate(left.subpath or "", right.subpath or "")


def order(values: Sequence[Value], normalise: Normalise | None = None) -> Callable[[Value], Any]:
    """A key to sort these values by: as `compare` has it, cheaper where they are simple."""
    kinds = {type_of(value) for value in values}
    if kinds <= {"null", "boolean", "number", "string", "link"} and not any(
        isinstance(value, float) and math.isnan(value) for value in values
    ):
        return lambda value: _simple_key(value, normalise)
    zones = {id(value.zone) for value in values if isinstance(value, Date) and value.instant is not None}
    if kinds <= {"null", "date"} and len(zones) < 2 and all(value is None or value.instant is not None for value in values):
        return lambda value: (1, value.instant) if value is not None else (0, 0)
    return cmp_to_key(lambda left, right: compare(left, right, normalise))


def _simple_key(value: Value, normalise: Normalise | None) -> tuple[Any, ...]:
    kind = type_of(value)
    match kind:
        case "string":
            return (_ORDER[kind], sort_key(value))
        case "link":
            path = value.path if normalise is None else normalise(value.path)
            return (_ORDER[kind], sort_key(path), value.type, bool(value.subpath), sort_key(value.subpath or ""))
        case "null":
            return (0,)
        case _:
            return (_ORDER[kind], value)


# -- text -------------------------------------------------------------------------------------------------------------------------------


def to_text(value: Value, settings: Settings, *, inside: bool = False) -> str:
    """The text form. *inside* a list or object, lists stand in brackets."""
    from vaultkit.dql.formats import format_date  # noqa: PLC0415 - formats imports this module's types

    match value:
        case None:
            return settings.null
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case int() | float():
            return number_text(value)
        case Link():
            return value.markdown()
        case list():
            text = ", ".join(to_text(item, settings, inside=True) for item in value)
            return f"[{text}]" if inside else text
        case Date():
            civil = value.civil() if value.instant is not None else None
            plain = civil is not None and civil.second == civil.minute == civil.hour == 0
            return format_date(value, settings.date_format if plain else settings.datetime_format)
        case Duration():
            return duration_text(value)
        case Function():
            return "<function>"
        case ExternalLink():
            return f"[{value.display}]({value.url})"
        case ListPair():
            return f"{to_text(value.key, settings)}: {to_text(value.value, settings)}"
        case _:
            return "{ " + ", ".join(f"{name}: {to_text(item, settings, inside=True)}" for name, item in value.items()) + " }"


def number_text(value: float) -> str:
    """As JavaScript prints a number: shortest digits, an exponent only from 1e21 on and below 1e-6."""
    if isinstance(value, int) and abs(value) <= 2**53:
        return str(value)
    value = to_float(value)
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    text = repr(value)
    mantissa, _, exponent = text.partition("e")
    if not exponent:
        return text.removesuffix(".0") if text != "-0.0" else "0"
    power = int(exponent)
    if -7 < power < 21:
        sign = "-" if mantissa.startswith("-") else ""
        digits = mantissa.lstrip("-").replace(".", "")
        point = 1 + power
        if point <= 0:
            return f"{sign}0.{'0' * -point}{digits}"
        return sign + digits.ljust(point, "0") if len(digits.rstrip("0")) <= point else f"{sign}{digits[:point]}.{digits[point:]}"
    return f"{mantissa.removesuffix('.0')}e{power:+d}"


def read_number(text: str) -> float:
    """A written number: whole ones as int as far as they are exact."""
    value = float(text)
    return int(value) if value.is_integer() and abs(value) <= 2**53 else value


def to_float(value: float) -> float:
    """A number as a double; what is too large is infinite."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def duration_text(duration: Duration) -> str:
    """In words: `1 day, 2 hours`."""
    parts = []
    for unit, value in normalised(duration).as_dict().items():
        if value != 0:
            shown = grouped(value, 0, 3)
            parts.append(f"{shown} {unit if shown.lstrip('-') != '1' else unit[:-1]}")
    return ", ".join(parts)


def grouped(value: float, least: int, most: int) -> str:
    """A number with thousands separated, rounded half up to at most so many decimals, at least so many shown."""
    if not math.isfinite(value):
        return "NaN" if math.isnan(value) else "∞" if value > 0 else "-∞"
    rounded = (
        Decimal(repr(value)).quantize(Decimal(1).scaleb(-most), ROUND_HALF_UP) if most < 20 and abs(value) < 1e18 else Decimal(repr(value))
    )
    text = f"{rounded:,f}"
    head, _, decimals = text.partition(".")
    decimals = decimals.rstrip("0").ljust(least, "0")
    return f"{head}.{decimals}" if decimals else head


def title_of(path: str) -> str:
    """A file's name without folders and `.md`."""
    return path.rpartition("/")[2].removesuffix(".md")


# -- JSON -------------------------------------------------------------------------------------------------------------------------------


def to_json(value: Value) -> Any:
    """Typed values as `{"$date": …}` and so on; what JSON has stays."""
    match value:
        case None | bool() | str():
            return value
        case int() | float():
            if isinstance(value, int) and abs(value) <= 2**53:
                return value
            value = to_float(value)
            if not math.isfinite(value):
                return {"$number": number_text(value)}
            return int(number_text(value)) if value.is_integer() and abs(value) < 1e21 else value
        case Date():
            return {"$date": iso(value), "$zone": value.zone.name if value.instant is not None else None}
        case Duration():
            return {"$duration": {unit: to_json(amount) for unit, amount in value.as_dict().items()}}
        case Link():
            link: dict[str, Any] = {"path": value.path, "type": value.type, "embed": value.embed}
            link |= {name: part for name, part in (("subpath", value.subpath), ("display", value.display)) if part is not None}
            return {"$link": link}
        case list():
            return [to_json(item) for item in value]
        case Function():
            return {"$function": True}
        case ExternalLink():
            return {"$widget": "dataview:external-link", "url": value.url, "display": value.display}
        case ListPair():
            return {"$widget": "dataview:list-pair", "key": to_json(value.key), "value": to_json(value.value)}
        case _:
            return {name: to_json(item) for name, item in value.items()}


def iso(date: Date) -> str:
    """`2024-01-02T03:04:05.000+09:00`, `Z` for a zone that is UTC for good; "invalid" for an impossible date."""
    if date.instant is None:
        return "invalid"
    year, month, day, hour, minute, second, millisecond = date.civil()
    shown = f"{year:04}" if 0 <= year <= 9999 else f"{'+' if year > 0 else '-'}{abs(year):06}"
    offset = int(date.zone.offset(date.instant))
    sign, (hours, minutes) = "-" if offset < 0 else "+", divmod(abs(offset), 60)
    zone = "Z" if date.zone.kind == "fixed" and offset == 0 else f"{sign}{hours:02}:{minutes:02}"
    return f"{shown}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{int(millisecond):03}{zone}"
