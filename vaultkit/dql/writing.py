"""From trees to text that reads back as the same tree. Pure."""

from __future__ import annotations

from decimal import Decimal

from vaultkit.dql import lexis
from vaultkit.dql.syntax import OPERATORS
from vaultkit.dql.trees import (
    Binary,
    BinarySource,
    Call,
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
from vaultkit.dql.values import Link, to_float


def to_source(tree: Query | Node) -> str:
    """The tree as text that reads back as the same tree."""
    return _query_text(tree) if isinstance(tree, Query) else _text(tree, 0)


def _query_text(query: Query) -> str:
    parts = [query.type.upper()]
    if not query.show_id and query.type in {"table", "list"}:
        parts.append("WITHOUT ID")
    if query.fields:
        parts.append(_text(query.fields[0].node, 0) if query.type == "list" else ", ".join(map(_named_text, query.fields)))
    parts.append(f"FROM {_source_text(query.source)}")
    for clause in query.clauses:
        match clause:
            case From(source):
                parts.append(f"FROM {_source_text(source)}")
            case Where(node):
                parts.append(f"WHERE {_text(node, 0)}")
            case Sort(keys):
                parts.append("SORT " + ", ".join(f"{_text(node, 0)} {'DESC' if down else 'ASC'}" for node, down in keys))
            case Limit(node):
                parts.append(f"LIMIT {_text(node, 0)}")
            case Group(field):
                parts.append(f"GROUP BY {_named_text(field)}")
            case Flatten(field):
                parts.append(f"FLATTEN {_named_text(field)}")
    return "\n".join(parts)


def _named_text(field: Named) -> str:
    return f"{_text(field.node, 0)} AS {quoted(field.name)}"


def quoted(text: str) -> str:
    """A text as a literal."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _source_text(source: Source) -> str:
    match source:
        case TagSource(tag):
            return tag
        case FolderSource(path):
            return quoted(path)
        case CsvSource(path):
            return f"csv({quoted(path)})"
        case LinkSource(path, outgoing):
            link = f"[[{path.replace('|', chr(92) + '|')}]]"
            return f"outgoing({link})" if outgoing else link
        case NotSource(child):
            return f"-{_source_text(child)}" if not isinstance(child, BinarySource) else f"-({_source_text(child)})"
        case BinarySource(op, left, right):
            after = f"({_source_text(right)})" if isinstance(right, BinarySource) else _source_text(right)
            return f"{_source_text(left)} {'and' if op == '&' else 'or'} {after}"


def _text(node: Node, level: int) -> str:
    match node:
        case Constant():
            return _constant_text(node)
        case DateLiteral(text):
            return f"date({text})"
        case DurationLiteral(parts):
            return f"dur({', '.join(f'{amount} {unit}' for amount, unit in parts)})"
        case Variable(name):
            return name
        case Negated(child):
            return f"!{_inner(child)}"
        case Binary():
            return _binary_text(node, level)
        case ListOf(items):
            # Blanks keep `[[x]]` from being a link.
            return "[ " + ", ".join(_text(item, 0) for item in items) + " ]"
        case ObjectOf(entries):
            return "{ " + ", ".join(f"{quoted(name)}: {_text(item, 0)}" for name, item in entries) + " }"
        case Lambda(parameters, body):
            shown = f"({', '.join(parameters)}) => {_text(body, 0)}"
            return shown if level == 0 else f"({shown})"
        case Index(inner, Constant("string", str(name))) if name and lexis.identifier(name, 0) == len(name):
            return f"{_inner(inner)}.{name}"
        case Index(inner, index):
            return f"{_inner(inner)}[ {_text(index, 0)} ]"
        case Call(function, arguments):
            return f"{_inner(function)}({', '.join(_text(argument, 0) for argument in arguments)})"


def _inner(node: Node) -> str:
    """As an atom, before a postfix."""
    simple = isinstance(node, (Variable, Index, Call, ListOf, ObjectOf)) or (isinstance(node, Constant) and node.kind == "string")
    return _text(node, 0) if simple else f"({_text(node, 0)})"


def _binary_text(node: Binary, level: int) -> str:
    rights: list[tuple[str, str, int]] = []
    left: Node = node
    own = OPERATORS[node.op][0]
    while isinstance(left, Binary) and OPERATORS[left.op][0] == own:
        rights.append((left.op, _text(left.right, own + 1), own))
        left = left.left
    shown = _text(left, own + 1) + "".join(f" {op} {right}" for op, right, _ in reversed(rights))
    return shown if own >= level else f"({shown})"


def _constant_text(node: Constant) -> str:
    match node.kind, node.value:
        case "null", _:
            return "null"
        case "boolean", value:
            return "true" if value else "false"
        case "number", value:
            return f"{Decimal(to_float(value)):f}"  # type: ignore[arg-type]
        case "string", str(value):
            return quoted(value)
        case _, Link() as link:
            path = link.path.replace("|", "\\|")
            part = {"file": "", "header": f"#{link.subpath}", "block": f"#^{link.subpath}"}[link.type]
            shown = f"|{link.display}" if link.display is not None else ""
            return f"{'!' if link.embed else ''}[[{path}{part}{shown}]]"
        case _:
            raise AssertionError(node)
