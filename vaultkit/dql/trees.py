"""Queries as trees: what `syntax` reads, `writing` writes and `execute` runs. Frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from vaultkit.dql.values import Link


@dataclass(frozen=True, slots=True)
class Constant:
    """null, true, false, a number, a text or a link. *kind* keeps `1` and `true` apart."""

    kind: Literal["null", "boolean", "number", "string", "link"]
    value: bool | float | str | Link | None


@dataclass(frozen=True, slots=True)
class DateLiteral:
    """What stands in `date(…)`: a word such as `today`, or digits."""

    text: str


@dataclass(frozen=True, slots=True)
class DurationLiteral:
    """What stands in `dur(…)`: amounts and units as written."""

    parts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Variable:
    """A field, a parameter, `this` or `row`."""

    name: str


@dataclass(frozen=True, slots=True)
class Negated:
    """`!child`."""

    child: Node


@dataclass(frozen=True, slots=True)
class Binary:
    """`left op right`; op is one of `& | = != < <= > >= + - * / %`."""

    op: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class ListOf:
    """`[a, b]`."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class ObjectOf:
    """`{a: 1}`."""

    items: tuple[tuple[str, Node], ...]


@dataclass(frozen=True, slots=True)
class Lambda:
    """`(a, b) => body`."""

    parameters: tuple[str, ...]
    body: Node


@dataclass(frozen=True, slots=True)
class Index:
    """`object.name` or `object[index]`."""

    object: Node
    index: Node


@dataclass(frozen=True, slots=True)
class Call:
    """`function(arguments)`."""

    function: Node
    arguments: tuple[Node, ...]


Node = Constant | DateLiteral | DurationLiteral | Variable | Negated | Binary | ListOf | ObjectOf | Lambda | Index | Call


@dataclass(frozen=True, slots=True)
class TagSource:
    """`#tag`: it and its subtags."""

    tag: str


@dataclass(frozen=True, slots=True)
class FolderSource:
    """`"folder"`, or a file."""

    path: str


@dataclass(frozen=True, slots=True)
class CsvSource:
    """`csv("path")`."""

    path: str


@dataclass(frozen=True, slots=True)
class LinkSource:
    """`[[x]]`: what links to it; *outgoing*: what it links to."""

    path: str
    outgoing: bool


@dataclass(frozen=True, slots=True)
class NotSource:
    """All notes but these."""

    child: Source


@dataclass(frozen=True, slots=True)
class BinarySource:
    """`&` or `|`."""

    op: str
    left: Source
    right: Source


Source = TagSource | FolderSource | CsvSource | LinkSource | NotSource | BinarySource


@dataclass(frozen=True, slots=True)
class Named:
    """An expression and its name: the one given, else its text."""

    name: str
    node: Node


@dataclass(frozen=True, slots=True)
class From:
    """FROM as a later clause: it parses, and fails when run."""

    source: Source


@dataclass(frozen=True, slots=True)
class Where:
    """WHERE."""

    node: Node


@dataclass(frozen=True, slots=True)
class Sort:
    """SORT: each key with whether it descends."""

    keys: tuple[tuple[Node, bool], ...]


@dataclass(frozen=True, slots=True)
class Limit:
    """LIMIT."""

    node: Node


@dataclass(frozen=True, slots=True)
class Group:
    """GROUP BY."""

    field: Named


@dataclass(frozen=True, slots=True)
class Flatten:
    """FLATTEN."""

    field: Named


Clause = From | Where | Sort | Limit | Group | Flatten
QueryType = Literal["table", "list", "task", "calendar"]


@dataclass(frozen=True, slots=True)
class Query:
    """A whole query. *fields*: columns of a TABLE, the one expression of LIST and CALENDAR."""

    type: QueryType
    fields: tuple[Named, ...]
    show_id: bool
    source: Source
    clauses: tuple[Clause, ...]
