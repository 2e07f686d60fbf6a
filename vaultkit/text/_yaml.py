"""A frontmatter block's text → YAML 1.2 core values. Built on libyaml's events; python-frontmatter calls it as its handler.

Imported only when a note has a block: PyYAML and python-frontmatter cost 25 ms to load. libyaml speaks YAML 1.1 where Obsidian's reader
speaks 1.2, so everything that the two read differently is done here: scalars, merge keys, duplicate keys, line breaks, tags.
No recursion over the note's nesting, and no expansion of aliases beyond a bound.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import frontmatter
import yaml
from frontmatter.default_handlers import BaseHandler
from yaml.events import (
    AliasEvent,
    DocumentEndEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from vaultkit.text.values import Problem, Value, scalar_text

# Typed Any: the two have the same methods, and stubs exist for one of them only.
PARSER: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

RULE: Final = "bad-yaml"
_DEPTH: Final = 100  # Obsidian's panel shows one level; what walks values (JSON, pickle) may recurse
_EXPANSION: Final = 10_000  # nodes that aliases may stand for, all together
_DIGITS: Final = 3_000  # longer numbers stay text: Python refuses to print integers over 4,300 digits


class Loaded(NamedTuple):
    """One block's content. With *error* the values are empty; with *warning* they are whole. Lines are 1-based in the file."""

    values: dict[str, Value]
    lines: dict[str, int]
    error: Problem | None = None
    warning: Problem | None = None


def load(inner: str, *, parser: Any = PARSER) -> Loaded:
    """The content of a block, given what stands between its fences. Never raises."""
    handler = _Handler(inner, parser)
    try:
        frontmatter.parse(inner, handler=handler)
    except _UnreadableError as error:
        return Loaded({}, {}, error=Problem(RULE, error.line, error.message))
    return handler.loaded


def syntax_problem(inner: str, *, parser: Any = PARSER) -> Problem | None:
    """Why a block is no YAML, whatever it would mean."""
    source = parser(_tame(inner)[0])
    try:
        while source.get_event() is not None:
            pass
    except yaml.MarkedYAMLError as error:
        return Problem(RULE, _line_of(error), _explained(error))
    except (yaml.reader.ReaderError, UnicodeEncodeError):
        return Problem(RULE, *_bad_character(inner))
    return None


def events(inner: str, *, parser: Any = PARSER) -> Iterator[Any]:
    """The YAML events of a block that `load` could read; marks count characters of *inner*."""
    source = parser(_tame(inner)[0])
    while (event := source.get_event()) is not None:
        yield event


def dashes(inner: str) -> Iterator[tuple[int, int]]:
    """Line and column, from 0, of every `-` that begins an item of a block list."""
    for token in yaml.scan(_tame(inner)[0], Loader=PARSER):
        if isinstance(token, yaml.BlockEntryToken):
            yield token.start_mark.line, token.start_mark.column


def key_of(event: Any) -> str:
    """The property that a scalar event names."""
    text = event.value if event.style or event.tag else plain_value(event.value)
    return scalar_text(text).translate(_WILD)


class _Handler(BaseHandler):
    """python-frontmatter's side of the bargain, with Obsidian's idea of where a block is and of what its values are.

    Left to itself the package takes `----` and blank lines for a block's start, strips and changes line ends before it splits, and
    its Post object breaks on a key named `content`. So it is given a block already found, and asked for the plain mapping.
    """

    FM_BOUNDARY = re.compile(r"---")

    def __init__(self, inner: str, parser: Any) -> None:
        super().__init__()
        self._inner = inner
        self._parser = parser
        self.loaded = Loaded({}, {})

    def split(self, text: str) -> tuple[str, str]:  # noqa: ARG002 - it comes stripped and with other line ends
        return self._inner, ""

    def load(self, fm: str) -> dict[str, Any]:
        self.loaded = _load(fm, self._parser)
        return self.loaded.values


class _UnreadableError(Exception):
    """The block is not YAML that Obsidian could read; *line* is 1-based in the file."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message


def _load(inner: str, parser: Any) -> Loaded:
    tamed, wild = _tame(inner)
    try:
        loaded = _build(parser(tamed))
    except yaml.MarkedYAMLError as error:
        raise _UnreadableError(_line_of(error), _explained(error)) from error
    except (yaml.reader.ReaderError, UnicodeEncodeError) as error:
        raise _UnreadableError(*_bad_character(inner)) from error
    if not wild:
        return loaded
    lines = {key.translate(_WILD): line for key, line in loaded.lines.items()}
    return loaded._replace(values={key.translate(_WILD): _untame(value) for key, value in loaded.values.items()}, lines=lines)


# ── events → values ──────────────────────────────────────────────────────────────────────────────────────────────────

_NO_KEY: Final = object()
_YAML: Final = "tag:yaml.org,2002:"


def _build(parser: Any) -> Loaded:
    next_event = parser.get_event
    next_event()  # the start of the stream
    if type(next_event()) is StreamEndEvent:  # else the start of the document
        return Loaded({}, {})
    lines: dict[str, int] = {}
    warning: Problem | None = None
    anchors: dict[str, tuple[Any, int]] = {}
    stack: list[
        tuple[Any, Any, str | None, int, int]
    ] = []  # of open collections: the outer one, its pending key, anchor, nodes before, line
    container: Any = None
    key: Any = _NO_KEY
    root: Any = None
    root_line = nodes = expanded = 0
    while True:
        event: Any = next_event()
        kind = type(event)
        line = event.start_mark.line + 2  # from 0 in the block, whose opening fence is line 1
        if kind is ScalarEvent:
            nodes += 1
            value: Any = event.value
            if event.tag is not None:
                value, known = _tagged(value, event.tag)
                if not known:
                    warning = warning or _unknown_tag(line, event.tag)
            elif event.implicit[0] and value[:1] in _TYPED_START:
                value = plain_value(value)
            if event.anchor is not None:
                anchors[event.anchor] = (value, 1)
        elif kind is SequenceStartEvent or kind is MappingStartEvent:
            if event.tag is not None and not event.tag.startswith(_YAML) and event.tag != "!":
                warning = warning or _unknown_tag(line, event.tag)
            if len(stack) >= _DEPTH:
                raise _UnreadableError(line, f"nested more than {_DEPTH} levels deep")
            if event.anchor is not None:
                anchors.pop(event.anchor, None)  # an alias inside its own anchor would have no end
            stack.append((container, key, event.anchor, nodes, line))
            container = [] if kind is SequenceStartEvent else {}
            key = _NO_KEY
            continue
        elif kind is SequenceEndEvent or kind is MappingEndEvent:
            value = container
            container, key, anchor, before, line = stack.pop()
            nodes += 1
            if anchor is not None:
                anchors[anchor] = (value, nodes - before)
        elif kind is AliasEvent:
            if event.anchor not in anchors:
                raise _UnreadableError(line, f"the alias *{event.anchor} has no anchor &{event.anchor} before it")
            value, weight = anchors[event.anchor]
            nodes += weight
            expanded += weight
            if expanded > _EXPANSION:
                raise _UnreadableError(line, f"aliases stand for more than {_EXPANSION:,} values")
            value = _copied(value)
        elif kind is DocumentEndEvent:
            break
        else:  # a second document cannot begin before the first has ended
            raise _UnreadableError(line, f"unexpected {kind.__name__}")

        if container is None:
            root, root_line = value, line
        elif type(container) is list:
            container.append(value)
        elif key is _NO_KEY:
            key = value if type(value) is str else _key_text(value)
            if key in container:
                raise _UnreadableError(line, f"the key {key!r} stands twice")
            if len(stack) == 1:
                lines[key] = line
        else:
            container[key] = value
            key = _NO_KEY

    after = next_event()
    if type(after) is not StreamEndEvent:
        raise _UnreadableError(after.start_mark.line + 2, "a second YAML document begins here")
    if root is None:
        root = {}
    if type(root) is not dict:
        raise _UnreadableError(root_line, "the block is not a list of properties (`name: value`)")
    return Loaded(root, lines, warning=warning)


def _unknown_tag(line: int, tag: str) -> Problem:
    return Problem(RULE, line, f"the tag {tag.replace(_YAML, '!!')} is unknown; its value is read as if it had none")


def _key_text(value: Value) -> str:
    """A key that is not text, as Obsidian's reader names it: `2024`, `{ date }`, `[ a, b ]`."""
    match value:
        case list():
            return f"[ {', '.join(map(_key_text, value))} ]" if value else "[]"
        case dict():
            pairs = (key if item is None else f"{key}: {_key_text(item)}" for key, item in value.items())
            return f"{{ {', '.join(pairs)} }}" if value else "{}"
        case _:
            return scalar_text(value)


def _copied(value: Value) -> Value:
    match value:
        case list():
            return [_copied(item) for item in value]
        case dict():
            return {key: _copied(item) for key, item in value.items()}
        case _:
            return value


# ── scalars: the YAML 1.2 core schema ────────────────────────────────────────────────────────────────────────────────

_NAMES: Final[dict[str, Value]] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys((f"{sign}.{name}" for sign in ("", "+") for name in ("inf", "Inf", "INF")), float("inf")),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), float("-inf")),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
}
_TYPED_START: Final = frozenset(["", *"~nNtTfF.+-0123456789"])  # first characters of every plain scalar that is not text
_NUMBER: Final = re.compile(
    r"(?P<dec>[-+]?[0-9]+)|0o(?P<oct>[0-7]+)|0x(?P<hex>[0-9a-fA-F]+)|(?P<float>[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?)"
)
_BASES: Final = {"dec": 10, "oct": 8, "hex": 16}


def plain_value(text: str) -> bool | int | float | str | None:
    """The value of an unquoted scalar."""
    if text in _NAMES:
        return _NAMES[text]  # type: ignore[return-value]  # the table holds scalars only
    match = _NUMBER.fullmatch(text)
    if match is None or len(text) > _DIGITS:
        return text
    kind = match.lastgroup or ""
    if kind in _BASES:
        return int(match[kind], _BASES[kind])
    number = float(text)
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


def _tagged(text: str, tag: str) -> tuple[Value, bool]:
    """The value of a tagged scalar, and whether the tag is known; an unknown or impossible one leaves text."""
    name = tag.removeprefix(_YAML)
    if name not in _TAG_TYPES:
        return text, tag == "!" or name in _TEXT_TAGS
    value = plain_value(text)
    fits = isinstance(value, _TAG_TYPES[name]) and (name == "bool" or not isinstance(value, bool))
    return (value if fits else text), fits


_TAG_TYPES: Final[dict[str, tuple[type, ...]]] = {"int": (int,), "float": (float, int), "bool": (bool,), "null": (type(None),)}
_TEXT_TAGS: Final = frozenset({"str", "timestamp", "binary"})


# ── characters that YAML 1.2 takes for text and libyaml for a line break, or not at all ──────────────────────────────

_BLANK: Final = re.compile("^\t[ \t]*(?=#|\r?$)", re.MULTILINE)  # libyaml wants spaces even here, where they mean nothing
_ODD: Final = re.compile("\r(?!\n)|[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_TAME: Final = {code: 0x10F800 + index for index, code in enumerate([0x0D, *range(0x7F, 0xA0), 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF])}
_WILD: Final = {tame: code for code, tame in _TAME.items()}
_TAMED: Final = re.compile(f"[{chr(min(_WILD))}-{chr(max(_WILD))}]")


def _tame(inner: str) -> tuple[str, bool]:
    """*inner* with such characters replaced, one by one, by private ones; and whether there were any."""
    if "\t" in inner:
        inner = _BLANK.sub(lambda match: " " * len(match[0]), inner)
    if inner.isascii() and "\r" not in inner and "\x7f" not in inner:
        return inner, False
    if not _ODD.search(inner) or _TAMED.search(inner):
        return inner, False
    return _ODD.sub(lambda match: chr(_TAME[ord(match[0])]), inner), True


def _untame(value: Value) -> Value:
    match value:
        case str():
            return value.translate(_WILD)
        case list():
            return [_untame(item) for item in value]
        case dict():
            return {key.translate(_WILD): _untame(item) for key, item in value.items()}
        case _:
            return value


# ── errors ───────────────────────────────────────────────────────────────────────────────────────────────────────────

_UNREADABLE: Final = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
# What libyaml says → what a person can do. The first part that occurs wins.
_PLAINLY: Final = (
    ("mapping values are not allowed", "a second `: ` in one value: quote the value"),
    ("found character that cannot start any token", "a value begins with a character that must be quoted (a tab, `@`, `%` or a backtick)"),
    ("found unexpected end of stream", "a quote is not closed"),
    ("did not find expected ',' or", "a `[` or `{` is not closed, or text follows the closing quote or bracket"),
    ("exceeded maximum nesting depth", "nested too deeply"),
    ("did not find expected key", "not `name: value`, or indented differently from the lines above"),
    ("could not find expected ':'", "a line without `: ` after the property's name"),
    ("did not find expected '-' indicator", "a list item is indented differently from the ones above"),
    ("did not find expected alphabetic or numeric character", "`*` and `&` at the start of a value must be quoted"),
    ("block sequence entries are not allowed", "a list must begin on its own line"),
)


def _explained(error: yaml.MarkedYAMLError) -> str:
    problem = str(error.problem or error.context or "not YAML")
    return next((plain for part, plain in _PLAINLY if part in problem), problem)


def _line_of(error: yaml.MarkedYAMLError) -> int:
    problem = str(error.problem)
    # What is not closed is noticed at the end of the block, far from the place to mend.
    opened = "end of stream" in problem or "expected ',' or" in problem
    mark = (error.context_mark if opened else None) or error.problem_mark or error.context_mark
    return mark.line + 2 if mark else 2


def _bad_character(inner: str) -> tuple[int, str]:
    match = _UNREADABLE.search(inner)
    if match is None:
        return 2, "a character that YAML does not allow"
    code = ord(match[0])
    name = "bytes that are not UTF-8" if 0xD800 <= code <= 0xDFFF else f"the control character U+{code:04X}"
    return inner.count("\n", 0, match.start()) + 2, f"{name} in the frontmatter"
