"""Results as text: Markdown as Dataview exports it, a table for the terminal, CSV. Pure."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from typing import Final

from vaultkit.dql.dates import Date
from vaultkit.dql.execute import Group_, Result, task_of
from vaultkit.dql.pages import ListItem
from vaultkit.dql.values import ListPair, Settings, Value, iso, to_text, type_of


def markdown(result: Result) -> str:
    """What Dataview's own export writes. A CALENDAR, which it cannot export, is a list of days with their links."""
    settings: Settings = result.settings
    match result.type:
        case "table":
            return _table(result.headers, result.values, settings)
        case "list":
            return _list(result.values, settings, 0)
        case "task":
            return _tasks(result.values, settings, 0)
        case _:
            return "".join(f"- {_day(row['date'], settings)}: {to_text(row['link'], settings)}\n" for row in result.values)


def materialised(result: Result) -> str:
    """Markdown to stand in a note. Tasks are no checkboxes: a second copy that can be ticked would be a task of its own."""
    if result.type == "task":
        return _BOX.sub(lambda found: f"{found[1]}- {_SIGNS.get(found[2], f'({found[2]})')} ", markdown(result)) or _NOTHING
    text = markdown(result)
    return text if text.strip() else _NOTHING


_BOX: Final = re.compile(r"^( *)- \[(.)\] ", re.MULTILINE)
_SIGNS: Final = {" ": "☐", "x": "☑", "X": "☑"}
_NOTHING: Final = "*no results*\n"


def csv_text(result: Result) -> str:
    """A row a line, headers first; values in their text form, links as their path."""
    settings: Settings = result.settings
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    headers, rows = cells(result)
    writer.writerow(headers)
    for row in rows:
        writer.writerow([plain_text(cell, settings) for cell in row])
    return out.getvalue()


def cells(result: Result) -> tuple[list[str], list[list[Value]]]:
    """Headers and rows of any type of result, flat."""
    match result.type:
        case "table":
            return list(result.headers), result.values
        case "list":
            name = result.groups[0] if result.groups else result.settings.id_column
            if any(isinstance(value, ListPair) for value in result.values):
                return [name, "value"], [[value.key, value.value] for value in result.values]
            return [name if result.shows_id else "value"], [[value] for value in result.values]
        case "task":
            groups = len(result.groups)
            return [*result.groups, "path", "line", "status", "text"], list(_task_rows(result.values, groups, []))
        case _:
            return ["date", "link"], [[row["date"], row["link"]] for row in result.values]


def plain_text(value: Value, settings: Settings) -> str:
    """For a terminal or a CSV cell: links as their path (with subpath), null as nothing, dates as they are written."""
    kind = type_of(value)
    match kind:
        case "null":
            return ""
        case "link":
            mark = {"file": "", "header": "#", "block": "#^"}[value.type]
            return str(value.path) + (mark + (value.subpath or "") if mark else "")
        case "date":
            return _date(value)
        case "array":
            return ", ".join(plain_text(item, settings) for item in value)
        case "object":
            return "{ " + ", ".join(f"{name}: {plain_text(item, settings)}" for name, item in value.items()) + " }"
        case _:
            return to_text(value, settings)


def _date(value: Date) -> str:
    text = iso(value)
    day, _, rest = text.partition("T")
    if rest.startswith("00:00:00.000"):
        return day
    return text if value.zone.kind != "local" else text[:19].removesuffix(":00").replace("T", " ")


def _day(value: Value, settings: Settings) -> str:
    return _date(value) if isinstance(value, Date) and value.instant is not None else to_text(value, settings)


def _task_rows(values: Iterable[Value], groups: int, keys: list[Value]) -> Iterable[list[Value]]:
    for value in values:
        if isinstance(value, Group_):
            yield from _task_rows(value.rows, groups, [*keys, value.key])
        elif (task := task_of(value)) is not None:
            yield [*keys, *([None] * (groups - len(keys))), task.get("path"), task.item.line + 1, task.item.status, task.item.text]


# -- Markdown ---------------------------------------------------------------------------------------------------------------------------

_BAR: Final = re.compile(r"(?!\\)\|")


def _units(text: str) -> int:
    """Length as JavaScript counts it."""
    return len(text) + sum(char > "\uffff" for char in text) if not text.isascii() else len(text)


def _table(headers: Iterable[str], rows: list[list[Value]], settings: Settings) -> str:
    heads = [_escaped(header) for header in headers]
    shown = [[_cell(value, settings) for value in row] for row in rows]
    widths = [max([_units(head), *(_units(row[at]) for row in shown)]) for at, head in enumerate(heads)]
    lines = [heads, ["-" * width for width in widths], *shown]
    padded = ([text + " " * (width - _units(text)) for text, width in zip(line, widths, strict=True)] for line in lines)
    return "".join(f"| {' | '.join(line)} |\n" for line in padded)


def _escaped(text: str) -> str:
    return _BAR.sub(r"\\|", text)


def _cell(value: Value, settings: Settings) -> str:
    if not settings.html:
        return _escaped(to_text(value, settings))
    kind = type_of(value)
    if kind == "array":
        return _escaped(f"<ul>{''.join(f'<li>{_cell(item, settings)}</li>' for item in value)}</ul>")
    if kind == "object":
        inner = "".join(f"<li><b>{_cell(name, settings)}</b>: {_cell(item, settings)}</li>" for name, item in value.items())
        return _escaped(f"<ul>{inner}</ul>")
    return _escaped(to_text(value, settings))


_DEFAULTS: Final = Settings()  # lists ignore the vault's settings, as Dataview's export does


def _list(value: Value, settings: Settings, depth: int) -> str:
    kind = type_of(value)
    if kind == "array":
        rows = "".join(f"{'    ' * depth}- {_list(item, settings, depth)}\n" for item in value)
        return ("\n" if depth else "") + rows
    if kind == "object":
        rows = "".join(f"{'    ' * depth}- {name}: {_list(item, settings, depth)}\n" for name, item in value.items())
        return ("\n" if depth else "") + rows
    if isinstance(value, ListPair):
        return f"{to_text(value.key, _DEFAULTS)}: {_list(value.value, settings, depth + 1)}"
    return to_text(value, _DEFAULTS)


def _tasks(values: list[Value], settings: Settings, depth: int) -> str:
    if values and all(isinstance(value, Group_) for value in values):
        return "".join(
            f"{'#' * (depth + 1)} {to_text(group.key, _DEFAULTS)}\n\n{_tasks(group.rows, settings, depth + 1)}" for group in values
        )
    items = [task for value in values if (task := task_of(value)) is not None]
    known = {(item.get("path"), item.item.line) for item in items}
    below: list[ListItem] = list(items)
    while below:
        item = below.pop()
        for child in item.children():
            known.add((child.get("path"), child.item.line))
            below.append(child)
    roots = [item for item in items if item.item.parent < 0 or (item.get("path"), item.item.parent) not in known]
    return "".join(_task(item, depth) for item in roots)


def _task(item: ListItem, depth: int) -> str:
    text = " ".join(item.item.text.split("\n"))
    box = f"[{item.item.status}] " if item.item.status is not None else ""
    return f"{'    ' * depth}- {box}{text}\n" + "".join(_task(child, depth + 1) for child in item.children())
