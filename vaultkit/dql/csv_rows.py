"""CSV files as rows, as Dataview reads them (through Papa Parse): header names, typed cells, `#` comments. Pure."""

from __future__ import annotations

import csv
import io
import re
from typing import Final

from vaultkit.dql.lexis import canonical
from vaultkit.dql.literals import Moment, parse_frontmatter_text
from vaultkit.dql.values import Value

_DELIMITERS: Final = (",", "\t", "|", ";", "\x1e", "\x1f")
_NUMBER: Final = re.compile(r"\s*-?(?:\d+\.?|\.\d+|\d+\.\d+)(?:[eE][-+]?\d+)?\s*")


def csv_rows(text: str, moment: Moment) -> list[dict[str, Value]]:
    """A row an object, under its header's names and their canonical ones."""
    text = text.removeprefix("\ufeff")
    kept = _without_comments(text)
    delimiter = _delimiter(kept)
    try:
        lines = [line for line in csv.reader(io.StringIO(kept), delimiter=delimiter) if any(line)]
    except csv.Error:
        return []
    if not lines:
        return []
    names: list[str] = []
    for name in lines[0]:
        fresh, number = name, 0
        while fresh in names:
            number += 1
            fresh = f"{name}_{number}"
        names.append(fresh)
    rows = []
    for line in lines[1:]:
        row: dict[str, Value] = {}
        for name, cell in zip(names, line, strict=False):
            row[name] = row[canonical(name)] = _typed(cell, moment)
        if len(line) > len(names):
            row["__parsed_extra"] = [_typed(cell, moment) for cell in line[len(names) :]]
        rows.append(row)
    return rows


def _without_comments(text: str) -> str:
    """Lines that begin with `#` (outside quotes) are left out."""
    kept, quoted = [], False
    for line in text.splitlines(keepends=True):
        if quoted or not line.startswith("#"):
            kept.append(line)
            quoted ^= line.count('"') % 2 == 1
    return "".join(kept)


def _delimiter(text: str) -> str:
    """The one that cuts the first lines most evenly into most fields."""
    best, most = ",", 1.99
    for delimiter in _DELIMITERS:
        counts = [
            len(line) for line in csv.reader(io.StringIO("".join(text.splitlines(keepends=True)[:10])), delimiter=delimiter) if any(line)
        ]
        if counts and len(set(counts)) == 1 and counts[0] > most:
            best, most = delimiter, counts[0]
    return best


def _typed(cell: str, moment: Moment) -> Value:
    if cell == "":
        return None
    if cell in {"true", "TRUE", "false", "FALSE"}:
        return cell.lower() == "true"
    if _NUMBER.fullmatch(cell):
        value = float(cell)
        if abs(value) < 2**53:
            return int(value) if value.is_integer() else value
    return parse_frontmatter_text(cell, moment)
