"""Dataview queries over the vault: one by its text, or those that stand in a note, with their results written beside them."""

from __future__ import annotations

import gc
import os
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from vaultkit.app import App, Progress
from vaultkit.errors import QuerySyntaxError, RefusedError, VaultkitError
from vaultkit.operations._again import settled
from vaultkit.text.edit import Rewrite, to_bytes, to_text

if TYPE_CHECKING:
    from vaultkit.dql.dates import Zone
    from vaultkit.dql.environment import Budget, Environment
    from vaultkit.dql.execute import Result
    from vaultkit.dql.pages import Pages
    from vaultkit.operations.privacy import View

SECONDS = 5.0  # that one query may take


class BlockRun(NamedTuple):
    """One block of a note: its result, or why it has none."""

    kind: str
    query: str
    line: int
    result: Result | None
    problem: str


class InlineRun(NamedTuple):
    """One inline query: its value and the text that Dataview shows for it, or why it has none."""

    expression: str
    line: int
    value: Any
    text: str
    problem: str


class FileRun(NamedTuple):
    """The queries of a note. *changed*: results were written (or, in a dry run, would be)."""

    path: str
    blocks: tuple[BlockRun, ...]
    inline: tuple[InlineRun, ...]
    changed: bool = False
    diff: str = ""
    run: str = ""

    @property
    def failed(self) -> bool:
        """Did a query have no answer? (JavaScript is no failure: it is never run.)"""
        return any(block.problem and block.kind == "dataview" for block in self.blocks) or any(one.problem for one in self.inline)


def query(
    app: App, dql: str, origin: str | None = None, *, seconds: float = SECONDS, progress: Progress | None = None, view: View | None = None
) -> Result:
    """The answer to a query. *origin* is the note that it stands in, for `this` and links, by path or link name; *view*: only what it shows.

    Raises QuerySyntaxError, QueryFailedError (400) or QueryTimeoutError (503).
    """
    from vaultkit.dql.syntax import parse_query

    tree = parse_query(dql)
    app.sync()
    where = (view.find(origin) if view is not None else app.find(origin)) if origin else ""
    return _World(app, progress, view).execute(tree, where, seconds)


def evaluate(app: App, expression: str, origin: str | None = None, *, seconds: float = SECONDS) -> Any:
    """The value of an inline query's expression."""
    from vaultkit.dql.syntax import parse_expression

    tree = parse_expression(expression)
    app.sync()
    return _World(app, None).evaluate(tree, app.find(origin) if origin else "", seconds)


def run_file(
    app: App, name: str, *, write: bool = False, dry_run: bool = False, seconds: float = SECONDS, progress: Progress | None = None
) -> FileRun:
    """Every query of a note, in its place of `this`. *write* puts the results of its blocks between marks behind them."""
    app.sync()
    path = app.find(name)
    if not path.lower().endswith(".md"):
        raise RefusedError(f"{path} is no note", hint="give a .md file")
    if not write:
        return _run_file(app, path, _World(app, progress), seconds)[0]
    return settled(app, lambda: _write(app, path, dry_run=dry_run, seconds=seconds, progress=progress))


def query_live(app: App, dql: str) -> Result:
    """The answer of Dataview itself in the running app: a TABLE with its File column, from a plugin Local REST API below 4.0.

    Its values are what JSON leaves of them: links stay links, dates and durations are ISO texts. Raises ObsidianError (no Obsidian, or a
    plugin that answers no DQL) and QuerySyntaxError.
    """
    from vaultkit.dql.execute import Result
    from vaultkit.dql.syntax import parse_query
    from vaultkit.dql.trees import Group
    from vaultkit.dql.values import Link, Settings
    from vaultkit.operations.obsidian import client

    tree = parse_query(dql)
    if tree.type != "table" or not tree.show_id or any(isinstance(clause, Group) for clause in tree.clauses):
        raise QuerySyntaxError("--live answers a TABLE with its File column only", hint="no LIST, TASK, CALENDAR, WITHOUT ID, GROUP BY")
    settings = Settings.read(app.obsidian("plugins/dataview/data.json")[0])
    names = [named.name for named in tree.fields]
    rows = [[Link(row["filename"]), *(_of_rest(row["result"].get(name)) for name in names)] for row in client(app).dql(dql)]
    return Result("table", (settings.id_column, *names), rows, settings=settings)


def _of_rest(value: Any) -> Any:
    """A value out of the API's JSON: links are links again."""
    from vaultkit.dql.values import Link

    match value:
        case {"path": str(path), "embed": bool(embed), "type": "file" | "header" | "block" as kind}:
            subpath, display = (text if isinstance(text := value.get(name), str) else None for name in ("subpath", "display"))
            return Link(path, kind, subpath, display, embed)
        case dict():
            return {str(name): _of_rest(item) for name, item in value.items()}
        case list():
            return [_of_rest(item) for item in value]
        case _:
            return value


def to_rest(result: Result) -> list[dict[str, Any]]:
    """The answer as Local REST API 3.x gives it for `application/vnd.olrapi.dataview.dql+txt`: TABLE with its File column only."""
    if result.type != "table":
        raise QuerySyntaxError("Only TABLE dataview queries are supported.", hint="begin the query with TABLE")
    column = result.settings.id_column
    if not result.shows_id or result.headers[:1] != (column,):
        raise QuerySyntaxError("TABLE WITHOUT ID queries are not supported.", hint="leave WITHOUT ID and GROUP BY out")
    return [
        {
            "filename": row[0].path if hasattr(row[0], "path") else row[0],
            "result": {name: _rest_value(cell) for name, cell in zip(result.headers, row, strict=True) if name != column},
        }
        for row in result.values
    ]


class _World:
    """Pages, settings and time of one call."""

    def __init__(self, app: App, progress: Progress | None, view: View | None = None) -> None:
        from vaultkit.dql.dates import Civil, date_at
        from vaultkit.dql.pages import Clock
        from vaultkit.dql.values import Settings

        self.app = app
        self.view = view
        zone = system_zone()
        now = app.now()
        civil = Civil(now.year, now.month, now.day, now.hour, now.minute, now.second, now.microsecond // 1000)
        self.now = date_at(civil, zone, zone.offset(datetime.now().timestamp() * 1000)).instant or 0
        self.zone = zone
        self.settings = Settings.read(app.obsidian("plugins/dataview/data.json")[0])
        self.pages: Pages = app.pages(zone, progress, view.snapshot() if view is not None else None)
        self.pages.moment = Clock(self.now, zone)

    def environment(self, origin: str, seconds: float) -> Environment:
        from vaultkit.dql.environment import Budget, Environment
        from vaultkit.dql.pages import FromNote

        budget = Budget(seconds)
        return Environment(
            self.now,
            self.zone,
            self.settings,
            FromNote(self.pages, origin),
            {"this": self.pages.page(origin) or {}},
            lambda pattern, ignore_case: _Timed(pattern, budget, ignore_case=ignore_case),
            budget,
        )

    def execute(self, tree: Any, origin: str, seconds: float) -> Result:
        from vaultkit.dql.execute import execute

        collecting = gc.isenabled()
        gc.disable()  # rows are many, and none is garbage
        try:
            return execute(tree, self.pages, self.environment(origin, seconds), origin=origin, csv=self.csv)
        finally:
            if collecting:
                gc.enable()

    def evaluate(self, tree: Any, origin: str, seconds: float) -> Any:
        from vaultkit.dql.evaluate import evaluate as value_of
        from vaultkit.dql.execute import QueryFailedError
        from vaultkit.dql.values import DqlError

        try:
            return value_of(tree, self.environment(origin, seconds))
        except DqlError as error:
            raise QueryFailedError(str(error)) from None

    def csv(self, path: str) -> str | None:
        if not path.lower().endswith(".csv") or (self.view is not None and not self.view.may(path)):
            return None
        try:
            return to_text(self.app.files.read(path).data)
        except VaultkitError:
            return None


def _run_file(app: App, path: str, world: _World, seconds: float) -> tuple[FileRun, str, str, list[Any]]:
    """The runs, the note's text and hash, and its blocks."""
    from vaultkit.dql import blocks
    from vaultkit.dql.syntax import parse_expression, parse_query
    from vaultkit.dql.values import to_text as shown

    read = app.files.read(path)
    text = to_text(read.data)
    found = blocks.find_blocks(text)
    runs: list[BlockRun] = []
    for block in found:
        result, problem = None, ""
        if block.kind == "dataviewjs":
            problem = "JavaScript is not supported, and never run"
        else:
            try:
                result = world.execute(parse_query(block.query), path, seconds)
            except VaultkitError as error:
                problem = error.message
        runs.append(BlockRun(block.kind, block.query, block.line, result, problem))
    inline: list[InlineRun] = []
    for one in blocks.find_inline(text, world.settings.inline_prefix):
        try:
            value = world.evaluate(parse_expression(one.expression), path, seconds)
            inline.append(InlineRun(one.expression, one.line, value, shown(value, world.settings), ""))
        except VaultkitError as error:
            inline.append(InlineRun(one.expression, one.line, None, "", error.message))
    return FileRun(path, tuple(runs), tuple(inline)), text, read.hash, found


def _write(app: App, path: str, *, dry_run: bool, seconds: float, progress: Progress | None) -> FileRun:
    from vaultkit.dql import blocks, render
    from vaultkit.operations.deadlines import diff

    run, text, expected, found = _run_file(app, path, _World(app, progress), seconds)
    broken = {block.line for block in found if blocks.is_broken(text, block)}
    run = run._replace(blocks=tuple(block._replace(problem=_BROKEN) if block.line in broken else block for block in run.blocks))
    results = {block.line: render.materialised(block.result) for block in run.blocks if block.result is not None and not block.problem}
    after = blocks.with_results(text, found, results)
    if after == text:
        return run
    changes = diff(path, text, after)
    if dry_run:
        return run._replace(changed=True, diff=changes)
    applied = app.commit([Rewrite(path, to_bytes(after), expected)], command=f"query --write {path}")
    return run._replace(changed=True, diff=changes, run=applied.run)


_BROKEN = "the mark <!-- vaultkit:query:end --> behind its result is gone: put it back, or delete the result"


class _Timed:
    """A pattern that gives up when the query's time is over."""

    def __init__(self, pattern: str, budget: Budget, *, ignore_case: bool) -> None:
        import regex  # unlike `re` it can be interrupted

        self._pattern = regex.compile(pattern, regex.IGNORECASE if ignore_case else 0)
        self._budget = budget
        self.groups: int = self._pattern.groups

    def search(self, string: str, pos: int = 0) -> Any:
        return self._run(self._pattern.search, string, pos)

    def match(self, string: str, pos: int = 0) -> Any:
        return self._run(self._pattern.match, string, pos)

    def _run(self, method: Any, text: str, start: int) -> Any:
        from vaultkit.dql.environment import QueryTimeoutError

        left = self._budget.left()
        if left <= 0:
            raise QueryTimeoutError(self._budget.seconds)
        try:
            return method(text, start, timeout=left)
        except TimeoutError:
            raise QueryTimeoutError(self._budget.seconds) from None


@lru_cache(maxsize=1)
def _zones() -> dict[str, Zone]:
    return {}


def system_zone() -> Zone:
    """The machine's time zone, by its name where it has one."""
    from vaultkit.dql.dates import Zone, local_zone

    name = os.environ.get("TZ", "").lstrip(":")
    if not name:
        real = os.path.realpath("/etc/localtime")
        name = real.partition("zoneinfo/")[2] or ("UTC" if not os.path.exists("/etc/localtime") else "")  # noqa: PTH110 - one look
    zones = _zones()
    if name not in zones:
        try:
            zones[name] = local_zone(name)
        except KeyError:
            zones[name] = Zone("local", name or "local", info=None)  # no name that is known: the C library's rules
    return zones[name]


def _rest_value(value: Any) -> Any:
    """A value as JavaScript's JSON writes Dataview's objects."""
    from vaultkit.dql.dates import Date, Duration
    from vaultkit.dql.values import ExternalLink, Link, Record, iso, to_json

    match value:
        case Link():
            link = {"path": value.path, "embed": value.embed, "display": value.display, "subpath": value.subpath, "type": value.type}
            return {name: part for name, part in link.items() if part is not None}
        case Date():
            return iso(value) if value.instant is not None else None
        case Duration():
            return _iso_duration(value.as_dict())
        case list():
            return [_rest_value(item) for item in value]
        case ExternalLink():
            return {"$widget": "dataview:external-link", "url": value.url, "display": value.display}
        case dict() | Record():
            return {name: _rest_value(item) for name, item in value.items()}
        case float():
            shown = to_json(value)
            return None if isinstance(shown, dict) else shown
        case _:
            return to_json(value)


def _iso_duration(units: Mapping[str, float]) -> str:
    """`P1DT2H`."""
    from vaultkit.dql.values import number_text

    def parts(names: dict[str, str]) -> str:
        return "".join(number_text(units[name]) + mark for name, mark in names.items() if units.get(name))

    seconds = round(units.get("seconds", 0) + units.get("milliseconds", 0) / 1000, 3)
    days = parts({"years": "Y", "months": "M", "weeks": "W", "days": "D"})
    times = parts({"hours": "H", "minutes": "M"}) + (f"{number_text(seconds)}S" if seconds else "")
    return f"P{days}" + (f"T{times}" if times else "") if days or times else "PT0S"
