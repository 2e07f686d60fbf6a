"""Property values → YAML lines in Obsidian's own style: block lists indented by two, double quotes where needed, nothing folded.

A string is quoted when a YAML 1.1 **or** 1.2 reader would take it for something else (`yes`, `12:30`, `0123`), when it holds a link or
a Tasks emoji, or when its characters ask for it. A real date as a property's own value stays bare, as the app writes it.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final, Literal

from vaultkit.text.values import Value, same, scalar_text

Quote = Literal["", "'", '"']
_KEY_SIZE: Final = 1_000  # YAML allows 1,024 characters for a key that stands on one line with its colon


def entry(key: str, value: Value, indent: int = 0) -> list[str]:
    """The lines of `key: value`, without line ends."""
    name = scalar(key)
    margin = " " * indent
    if len(name) > _KEY_SIZE:
        return [f"{margin}? {name}", *value_lines(f"{margin}:", value, indent)]
    return value_lines(f"{margin}{name}:", value, indent)


def value_lines(head: str, value: Value, indent: int, tail: str = "") -> list[str]:
    """The lines of a property that begins with *head* (up to its colon); *tail* is a comment for the first line."""
    text = inline(value, dates=True)
    if text is not None:
        return [f"{head} {text}{tail}" if text else f"{head}{tail}"]
    match value:
        case str():
            mark = "|" if value.endswith("\n") else "|-"
            body = value.removesuffix("\n").split("\n")
            return [f"{head} {mark}{tail}", *(f"{' ' * (indent + 2)}{line}" if line else "" for line in body)]
        case list():
            return [head + tail, *(line for item in value for line in item_lines(item, indent + 2))]
        case dict():
            return [head + tail, *_pairs(value, indent + 2)]
        case _:
            raise TypeError(type(value).__name__)


def item_lines(value: Value, indent: int, quote: Quote = "") -> list[str]:
    """The lines of one item of a block list."""
    text = scalar(value, quote=quote) if isinstance(value, str) else inline(value)
    if text is not None:
        return [f"{' ' * indent}- {text}" if text else f"{' ' * indent}-"]
    match value:
        case list():
            lines = [line for item in value for line in item_lines(item, indent + 2)]
        case dict():
            lines = _pairs(value, indent + 2)
        case _:
            raise TypeError(type(value).__name__)
    return [f"{' ' * indent}- {lines[0][indent + 2 :]}", *lines[1:]]


def inline(value: Value, *, quote: Quote = "", flow: bool = False, dates: bool = False) -> str | None:
    """*value* on one line ("" for null), or None when it needs lines of its own. *flow*: inside `[…]`; *dates*: real dates stay bare."""
    match value:
        case None:
            return "null" if flow else ""
        case bool() | int():
            return scalar_text(value)
        case float():
            return _float(value)
        case str():
            if dates and not quote and _is_date(value):
                return value
            if dates and "\n" in value and not quote and _fits_literal(value):
                return None
            return scalar(value, quote=quote, flow=flow)
        case list():
            return None if value else "[]"
        case dict():
            return None if value else "{}"


def scalar(text: str, *, quote: Quote = "", flow: bool = False) -> str:
    """A string on one line, quoted where it must be; *quote* asks for a style of quotes, which single ones cannot always be."""
    if quote == "'" and not _UNPRINTABLE.search(text):
        return "'" + text.replace("'", "''") + "'"
    if quote or not text or text in _WORDS or _SPECIAL.search(text) or _TYPED.fullmatch(text) or (flow and _FLOW.search(text)):
        return '"' + _UNPRINTABLE.sub(_escaped, text.replace("\\", "\\\\").replace('"', '\\"')) + '"'
    return text


def storable(value: Value) -> Value:
    """*value* as it will read back: lone surrogates, which no file can hold, become U+FFFD."""
    match value:
        case str():
            return _SURROGATE.sub("\ufffd", value)
        case list():
            return [storable(item) for item in value]
        case dict():
            return {_SURROGATE.sub("\ufffd", key): storable(item) for key, item in value.items()}
        case _:
            return value


def _pairs(values: dict[str, Value], indent: int) -> list[str]:
    return [line for key, item in values.items() for line in entry(key, item, indent)]


def _float(value: float) -> str:
    if same(value, float("nan")):
        return ".nan"
    if value in {float("inf"), float("-inf")}:
        return ".inf" if value > 0 else "-.inf"
    text = repr(value).removesuffix(".0")
    return text if "e" not in text or "." in text else text.replace("e", ".0e")  # YAML 1.1 wants the point


def _is_date(text: str) -> bool:
    if not _DATE.fullmatch(text):
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _fits_literal(text: str) -> bool:
    """Whether a `|` block holds the text exactly: nothing to escape, no line that its indentation or end would blur."""
    lines = text.removesuffix("\n").split("\n")
    if not lines[0] or not lines[-1] or lines[0][0].isspace():
        return False
    return not any((line and line.isspace()) or _UNPRINTABLE.search(line) for line in lines)


_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9]{2}:[0-9]{2}(?::[0-9]{2})?)?")
# Words that some YAML reader takes for a boolean, null, the default or a merge key.
_WORDS: Final = frozenset(
    form
    for word in ["y", "yes", "n", "no", "on", "off", "true", "false", "null", "~", "=", "<<"]
    for form in (word, word.capitalize(), word.upper())
)
_TYPED: Final = re.compile(  # what some YAML reader takes for a number or a time, and a little more
    r"[-+]?[0-9][0-9_,]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?|[-+]?\.[0-9][0-9_]*(?:[eE][-+]?[0-9]+)?|[-+]?0(?:b[01_]+|o[0-7_]+|x[0-9a-fA-F_]+)"
    r"|[-+]?[0-9][0-9_]*(?::[0-9]+)+(?:\.[0-9_]*)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
    r"|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:(?:[Tt]|\s+)[0-9].*)?"
)
_BAD: Final = "\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff"
_SPECIAL: Final = re.compile(
    "^\\.\\.\\.|^[\\s\\-?:,\\[\\]{}#&*!|>'\"%@`=~]|[:\\s]$|:\\s|\\s#|\\[\\[|[➕🛫⏳⌛📅📆🗓✅❌🔺⏫🔼🔽⏬🔁🏁🆔⛔]|[" + _BAD + "]"
)
_FLOW: Final = re.compile(r"[,\[\]{}:]")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_UNPRINTABLE: Final = re.compile(f"[{_BAD}]")
_SHORT: Final = {"\0": "\\0", "\t": "\\t", "\n": "\\n", "\r": "\\r"}


def _escaped(match: re.Match[str]) -> str:
    char = match[0]
    code = ord(char)
    if 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    return _SHORT.get(char) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")
