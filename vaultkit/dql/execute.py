"""Queries on pages: sources, clauses in the order written, rows dropped and why (facts/dataview.md §4). Pure.

Without SORT rows come in path order (Dataview: in the order of the vault's walk, which nothing defines), tasks of a note by line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from vaultkit.dql import evaluate
from vaultkit.dql.csv_rows import csv_rows
from vaultkit.dql.environment import Environment, check_list
from vaultkit.dql.evaluate import MISSING, compile_node
from vaultkit.dql.operators import equal
from vaultkit.dql.pages import ListItem, Pages, TaskRow
from vaultkit.dql.trees import (
    BinarySource,
    Constant,
    CsvSource,
    Flatten,
    FolderSource,
    From,
    Group,
    Index,
    Limit,
    LinkSource,
    Named,
    Node,
    NotSource,
    Query,
    Sort,
    Source,
    TagSource,
    Variable,
    Where,
)
from vaultkit.dql.values import DqlError, Link, ListPair, Record, Value, order, to_json, truthy, type_of
from vaultkit.errors import VaultkitError


class QueryFailedError(VaultkitError):
    """A query that parses and cannot be answered."""

    exit_code = 1
    http_status = 400
    code = "query-failed"


class Dropped(NamedTuple):
    """Rows that a step lost because an expression failed on them: how many, of how many, and the reasons with how often."""

    step: str
    rows: int
    of: int
    reasons: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Result:
    """The answer. *values*: rows of cells (table), values or pairs (list), tasks or groups (task), `{date, link}` (calendar)."""

    type: str
    headers: tuple[str, ...]
    values: list[Value]
    groups: tuple[str, ...] = ()  # names of the groupings that the rows' ids come from, the last one first
    dropped: tuple[Dropped, ...] = ()
    shows_id: bool = True
    settings: Any = None

    def as_json(self) -> dict[str, Any]:
        """As in vectors/dql_vectors.json: `type`, `headers` (table), `id_meaning`, `values`."""
        result: dict[str, Any] = {"type": self.type}
        if self.type == "table":
            result["headers"] = list(self.headers)
        if self.type in {"table", "list"}:
            meaning: dict[str, Any] = {"type": "path"}
            for name in reversed(self.groups):
                meaning = {"type": "group", "name": name, "on": meaning}
            result["id_meaning"] = meaning
        if self.type == "task":
            result["values"] = [_task_json(value) for value in self.values]
        elif self.type == "table":
            result["values"] = [[to_json(cell) for cell in row] for row in self.values]
        else:
            result["values"] = [to_json(value) for value in self.values]
        return result


Paths = dict[str, None]  # in the order in which rows come


class Group_(NamedTuple):  # noqa: N801 - `Group` is the clause
    """Tasks under one key."""

    key: Value
    rows: list[Value]


def execute(query: Query, pages: Pages, env: Environment, *, origin: str = "", csv: Callable[[str], str | None] | None = None) -> Result:
    """Run *query*. Raises QueryFailedError when it has no answer, QueryTimeoutError when it takes too long."""
    try:
        return _Execution(pages, env, origin, csv or (lambda _path: None)).run(query)
    except DqlError as error:
        raise QueryFailedError(str(error)) from None
    except RecursionError:
        raise QueryFailedError("the values nest too deeply") from None


class _Row(NamedTuple):
    id: Value
    data: Any


@dataclass
class _Execution:
    pages: Pages
    env: Environment
    origin: str
    csv: Callable[[str], str | None]
    dropped: list[Dropped] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)

    def run(self, query: Query) -> Result:
        self.env.budget.check()  # the time runs from here, if it does not yet
        rows = self.tasks(query.source) if query.type == "task" else self.rows(query.source)
        for clause in query.clauses:
            self.env.budget.check()
            rows = self.clause(clause, rows)
        headers: tuple[str, ...] = ()
        match query.type:
            case "task":
                values = self.task_groups(self.groups, [row.data for row in rows])
            case "calendar":
                made = self.extract(rows, [Named("target", query.fields[0].node), Named("link", _FILE_LINK)])
                values = [{"date": cells[0], "link": cells[1]} for _, cells in made]
            case "list":
                made = self.extract(rows, query.fields)
                values = [(ListPair(id_, cells[0]) if query.show_id else cells[0]) if query.fields else id_ for id_, cells in made]
            case _:
                made = self.extract(rows, query.fields)
                names = [named.name for named in query.fields]
                last = [len(names) - 1 - names[::-1].index(name) for name in names]  # of two columns of a name both show the last
                values = [[*([id_] if query.show_id else []), *(cells[at] for at in last)] for id_, cells in made]
                first = self.groups[0] if self.groups else self.env.settings.id_column
                headers = (*([first] if query.show_id else []), *names)
        return Result(query.type, headers, values, tuple(self.groups), tuple(self.dropped), query.show_id, self.env.settings)

    # -- sources

    def rows(self, source: Source) -> list[_Row]:
        found: list[_Row] = []
        for path in self.paths(source):
            if path.lower().endswith(".csv"):
                found += self.csv_rows(path)
            elif (page := self.pages.page(path)) is not None:
                found.append(_Row(Link(path), page))
        return found

    def tasks(self, source: Source) -> list[_Row]:
        found: list[_Row] = []
        for path in self.paths(source):
            page = self.pages.page(path)
            if page is not None:
                found += [_Row(f"{path}#{task.item.line}", TaskRow(task, page)) for task in page.file.tasks()]
                self.env.budget.step()
        return found

    def csv_rows(self, path: str) -> list[_Row]:
        text = self.csv(path)
        if text is None:
            raise DqlError(f"Failed to load data from path '{path}'.")
        return [_Row(f"{path}#{number}", row) for number, row in enumerate(csv_rows(text, self.env))]

    def paths(self, source: Source) -> Paths:
        pages = self.pages
        match source:
            case TagSource(tag):
                return dict.fromkeys(sorted(pages.tagged(tag)))
            case FolderSource(path):
                return self.folder(path)
            case CsvSource(path):
                return {self.relative(path): None}
            case LinkSource(path, outgoing):
                return self.linked(path, outgoing=outgoing)
            case NotSource(child):
                left_out = self.paths(child)
                return {path: None for path in pages.paths() if path not in left_out}
            case BinarySource("&", left, right):
                wanted = self.paths(left)
                return {path: None for path in self.paths(right) if path in wanted}
            case BinarySource(_, left, right):
                return self.paths(left) | self.paths(right)

    def folder(self, path: str) -> Paths:
        if not path or path == "/":
            return dict.fromkeys(self.pages.paths())
        if path.endswith("/"):
            return {}
        if found := {note: None for note in self.pages.paths() if note.startswith(f"{path}/")}:
            return found
        return next(({name: None} for name in (path, f"{path}.md") if name in self.pages.snapshot.files), {})

    def relative(self, path: str) -> str:
        if not self.origin:
            return path
        if path.startswith("/"):
            return path[1:]
        beside = f"{self.origin.rpartition('/')[0]}/{path}"
        return beside if beside in self.pages.snapshot.files else path

    def linked(self, path: str, *, outgoing: bool) -> Paths:
        target = self.pages.destination(path, self.origin)
        if target is None:
            return dict.fromkeys(self.pages.incoming().get(path, ()))
        if not outgoing:
            return dict.fromkeys(self.pages.incoming().get(target, ()))
        page = self.pages.page(target)
        if page is None:
            raise DqlError(f'Could not find file "{path}" during link lookup - does it exist?')
        resolved = (self.pages.destination(link.target, target) for link in page.links())
        return {found: None for found in resolved if found is not None}

    # -- clauses

    def clause(self, clause: Any, rows: list[_Row]) -> list[_Row]:
        match clause:
            case Where(node):
                kept = self.each("where", rows, [node])
                return [row for row, (value,) in kept if truthy(value)]
            case Sort(keys):
                return self.sort(rows, keys)
            case Limit(node):
                return self.limit(rows, node)
            case Group(named):
                return self.group(rows, named)
            case Flatten(named):
                return self.flatten(rows, named)
            case From():
                raise DqlError("FROM stands right behind the query's head, before every other clause")
        raise AssertionError(clause)

    def each(self, step: str, rows: list[_Row], nodes: Sequence[Node]) -> list[tuple[_Row, list[Value]]]:
        """The nodes' values on each row; rows on which one fails are dropped and counted. Fails when that are all."""
        compiled = [compile_node(node, self.env) for node in nodes]
        found: list[tuple[_Row, list[Value]]] = []
        reasons: Counter[str] = Counter()
        budget = self.env.budget
        for row in rows:
            budget.step()
            try:
                values = [evaluate.run(one, row.data) for one in compiled]
                for value in values:
                    budget.weigh(value)
                found.append((row, values))
            except DqlError as error:
                reasons[str(error)] += 1
        failed = reasons.total()
        if failed and failed >= len(rows):
            shown = "; ".join(f"{reason} ({count})" for reason, count in reasons.most_common(3))
            raise QueryFailedError(f"every row failed at {step.upper()}: {shown}", hint="correct the expression that it names")
        if failed:
            self.dropped.append(Dropped(step, failed, len(rows), tuple(reasons.most_common(3))))
        return found

    def sort(self, rows: list[_Row], keys: Sequence[tuple[Node, bool]]) -> list[_Row]:
        found = self.each("sort", rows, [node for node, _ in keys])
        # Sorting is stable: by the last key first. Reversed, equal ones keep their order too.
        for at in range(len(keys) - 1, -1, -1):
            self.env.budget.check()
            key = order([values[at] for _, values in found], self.env.links.normalise)
            found.sort(key=lambda pair, at=at, key=key: key(pair[1][at]), reverse=keys[at][1])  # type: ignore[misc]
        return [row for row, _ in found]

    def limit(self, rows: list[_Row], node: Node) -> list[_Row]:
        amount = evaluate.evaluate(node, self.env)
        if type_of(amount) != "number":
            raise DqlError(f"Failed to execute 'limit' statement: limit should be a number, but got '{type_of(amount)}'")
        if amount != amount:  # noqa: PLR0124 - NaN
            return []
        return rows[: int(max(min(amount, len(rows)), -len(rows)))]

    def group(self, rows: list[_Row], named: Named) -> list[_Row]:
        found = self.each("group", rows, [named.node])
        key = order([value for _, (value,) in found], self.env.links.normalise)
        found.sort(key=lambda pair: key(pair[1][0]))
        grouped: list[_Row] = []
        last: Value = MISSING
        for row, (value,) in found:
            if last is not MISSING and equal(value, last, self.env):
                grouped[-1].data["rows"].append(row.data)
            else:
                grouped.append(_Row(value, {"key": value, "rows": [row.data], named.name: value}))
            last = value
        self.groups.insert(0, named.name)
        return grouped

    def flatten(self, rows: list[_Row], named: Named) -> list[_Row]:
        flat: list[_Row] = []
        for row, (value,) in self.each("flatten", rows, [named.node]):
            flat += [_Row(row.id, Flattened(row.data, named.name, item)) for item in (value if isinstance(value, list) else [value])]
        check_list(len(flat))
        if self.groups and self.groups[0] == named.name:
            self.groups.pop(0)
        return flat

    def extract(self, rows: list[_Row], fields: Iterable[Named]) -> list[tuple[Value, list[Value]]]:
        return [(row.id, values) for row, values in self.each("columns", rows, [named.node for named in fields])]

    def task_groups(self, groups: Sequence[str], rows: list[Any]) -> list[Value]:
        if not groups:
            return rows
        return [Group_(row.get(groups[0]), self.task_groups(groups[1:], row.get("rows"))) for row in rows]


class Flattened(Record):
    """A row with one field replaced."""

    __slots__ = ("name", "row", "value")

    def __init__(self, row: Any, name: str, value: Value) -> None:
        self.row = row
        self.name = name
        self.value = value

    def get(self, name: str, default: Value = None) -> Value:
        """The one field, else the row's."""
        return self.value if name == self.name else self.row.get(name, default)

    def keys(self) -> Iterable[str]:
        """All."""
        return dict.fromkeys([*self.row.keys(), self.name]).keys()


def task_of(row: Any) -> ListItem | None:
    """The task that a row of TASK stands for."""
    while isinstance(row, Flattened):
        row = row.row
    return row.task if isinstance(row, TaskRow) else row if isinstance(row, ListItem) else None


_FILE_LINK: Final = Index(Variable("file"), Constant("string", "link"))
_TASK_FIELDS: Final = (
    *(
        "symbol",
        "link",
        "section",
        "text",
        "tags",
        "line",
        "lineCount",
        "list",
        "outlinks",
        "path",
        "task",
        "annotated",
        "parent",
        "blockId",
    ),
    *("status", "checked", "completed", "fullyCompleted", "created", "due", "completion", "start", "scheduled"),
)


def _task_json(value: Value) -> Any:
    if isinstance(value, Group_):
        return {"key": to_json(value.key), "rows": [_task_json(row) for row in value.rows]}
    task = task_of(value)
    if task is None:
        return to_json(value)
    shown = {name: to_json(part) for name in _TASK_FIELDS if (part := task.get(name, MISSING)) is not MISSING}
    if isinstance(value, Flattened):
        shown |= {name: to_json(value.get(name)) for name in shown}
    return {**shown, "children": [_task_json(child) for child in task.children()]}
