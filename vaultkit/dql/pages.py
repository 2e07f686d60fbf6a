"""Notes as queries see them: fields, `file.…`, list items and tasks, worked out when asked for (facts/dataview.md §7, §8). Pure.

A `Pages` stands over one snapshot. Outlines, file times and CSV files come from the caller; nothing is copied for a query.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple

from vaultkit import graph
from vaultkit.dql import lexis
from vaultkit.dql.dates import Date, Zone, from_parts, strip_time
from vaultkit.dql.literals import Moment, parse_frontmatter_text, parse_inline
from vaultkit.dql.operators import js_object
from vaultkit.dql.outline import Item, Outline
from vaultkit.dql.values import Link, Record, Value, title_of, to_float, truthy
from vaultkit.text.markdown import Link as NoteLink
from vaultkit.text.note import Note


class Stat(NamedTuple):
    """A file's times in milliseconds since 1970, and its size in bytes."""

    created: float
    modified: float
    size: int


class Clock(NamedTuple):
    """The time, and the local zone: what dates without one are read by."""

    now: float
    zone: Zone


class Pages:
    """All pages of a snapshot, made one by one and kept."""

    def __init__(
        self,
        snapshot: graph.Snapshot,
        *,
        outline: Callable[[str], Outline],
        stat: Callable[[str], Stat],
        moment: Moment,
        starred: frozenset[str] = frozenset(),
        written: Callable[[], Iterable[str]] = tuple,
    ) -> None:
        """*written*: the notes that hold results of queries, whose links there count for nothing."""
        self.snapshot = snapshot
        self.outline = outline
        self.stat = stat
        self.moment = moment
        self.starred = starred
        self._written = written
        self._marked: dict[str, tuple[tuple[int, int], ...]] | None = None
        self._pages: dict[str, Page] = {}
        self._paths: list[str] | None = None
        self._incoming: dict[str, list[str]] | None = None
        self._tags: dict[str, set[str]] | None = None
        self._targets: dict[tuple[str, str], str] = {}

    def paths(self) -> list[str]:
        """Of all notes, in order."""
        if self._paths is None:
            self._paths = sorted(self.snapshot.notes)
        return self._paths

    def page(self, path: str) -> Page | None:
        """The page of a note."""
        page = self._pages.get(path)
        if page is None and (note := self.snapshot.notes.get(path)) is not None:
            page = self._pages[path] = Page(self, note)
        return page

    def target(self, path: str, source: str) -> str:
        """Where a link's *path* leads from note *source*; itself when nowhere."""
        key = (path, source)
        found = self._targets.get(key)
        if found is None:
            if len(self._targets) > 500_000:
                self._targets.clear()
            found = self._targets[key] = self.destination(path, source) or path
        return found

    def destination(self, path: str, source: str) -> str | None:
        """The same, None when nowhere."""
        if not path and not source:
            return None
        return graph.resolver_of(self.snapshot).resolve(path, source).path

    def is_result(self, path: str, line: int) -> bool:
        """Does the line hold a query's result?"""
        if self._marked is None:
            self._marked = {note: self.outline(note).written for note in self._written()}
        return any(first <= line <= last for first, last in self._marked.get(path, ()))

    def incoming(self) -> dict[str, list[str]]:
        """For each path that notes link to (as written, where it leads nowhere): these notes, in path order."""
        if self._incoming is None:
            found: dict[str, dict[str, None]] = {}
            for edge in graph.edges(self.snapshot):
                if not edge.node and edge.source in self.snapshot.notes and not self.is_result(edge.source, edge.link.line):
                    found.setdefault(edge.target.path or edge.link.target, {})[edge.source] = None
            self._incoming = {target: list(sources) for target, sources in found.items()}
        return self._incoming

    def tagged(self, tag: str) -> set[str]:
        """Notes with the *tag* (`#` included) or one below it, in any case."""
        if self._tags is None:
            self._tags = {}
            for path in self.paths():
                page = self.page(path)
                for own in page.tags if page else ():
                    self._tags.setdefault(own.lower(), set()).add(path)
        return self._tags.get(tag.lower(), set())


class FromNote:
    """Links as the note *origin* sees them ("" for none)."""

    def __init__(self, pages: Pages, origin: str) -> None:
        self._pages = pages
        self._origin = origin

    def normalise(self, path: str) -> str:
        """The vault path, or *path* itself."""
        return self._pages.target(path, self._origin)

    def resolve(self, path: str) -> Record | None:
        """The page."""
        found = self._pages.destination(path, self._origin)
        return self._pages.page(found) if found is not None else None


class Page(Record):
    """A note's fields, and `file`."""

    __slots__ = ("_fields", "_known", "_merged", "_tags", "file", "note", "pages")

    def __init__(self, pages: Pages, note: Note) -> None:
        self.pages = pages
        self.note = note
        self.file = File(self)
        self._merged: dict[str, list[tuple[bool, Value]]] | None = None
        self._fields: dict[str, list[tuple[bool, Value]]] | None = None
        self._known: dict[str, Value] = {}
        self._tags: list[str] | None = None

    def get(self, name: str, default: Value = None) -> Value:
        """The field; its values are read once."""
        if name == "file":
            return self.file
        if name in self._known:
            return self._known[name]
        written = self.fields().get(name)
        if written is None:
            return default
        values = [self._value(*one) for one in written]
        value = self._known[name] = values[0] if len(values) == 1 else values
        return value

    def keys(self) -> Iterable[str]:
        """`file`, then the fields as written, then their canonical names."""
        return ["file", *(name for name in self.fields() if name != "file")]

    def fields(self) -> dict[str, list[tuple[bool, Value]]]:
        """Names → values as written, each with whether it stands in the frontmatter."""
        if self._fields is None:
            merged = self.merged()
            canonical: dict[str, list[tuple[bool, Value]]] = {}
            for key, values in merged.items():
                name = _canonical(key)
                if name and name not in merged:
                    canonical[name] = canonical.get(name, []) + values
            self._fields = {**merged, **canonical} if canonical else merged
        return self._fields

    def merged(self) -> dict[str, list[tuple[bool, Value]]]:
        """The same under the names as written only: frontmatter, then list items, then the rest."""
        if self._merged is None:
            merged: dict[str, list[tuple[bool, Value]]] = {}
            for key, value in js_object(self.note.properties).items():
                if key != "position":
                    merged[key] = [(True, value)]
            for key, text in self.pages.outline(self.note.path).fields:
                merged.setdefault(key, []).append((False, text))
            self._merged = merged
        return self._merged

    def _value(self, frontmatter: bool, written: Value) -> Value:
        value = frontmatter_value(written, self.pages.moment) if frontmatter else parse_inline(written, self.pages.moment)
        return self._resolved(value)

    def _resolved(self, value: Value) -> Value:
        """Links lead to vault paths."""
        match value:
            case Link():
                return self.resolve(value)
            case list():
                return [self._resolved(item) for item in value]
            case dict():
                return {key: self._resolved(item) for key, item in value.items()}
            case _:
                return value

    def resolve(self, link: Link) -> Link:
        """The link with the vault path it leads to."""
        path = self.pages.target(link.path, self.note.path)
        return link if path == link.path else link._replace(path=path)

    def links(self) -> list[NoteLink]:
        """Links, then embeds, then those of the frontmatter; none of comments: the order in which Obsidian resolves them."""
        path = self.note.path
        links = [link for link in self.note.links if not link.comment and not self.pages.is_result(path, link.line)]
        return sorted(links, key=lambda link: 2 if link.syntax == "property" else 1 if link.embed else 0)

    @property
    def tags(self) -> list[str]:
        """Each tag and its parents, `#` included."""
        if self._tags is None:
            found: dict[str, None] = {}
            for tag in self.own_tags():
                parts = tag.split("/")
                found |= dict.fromkeys("/".join(parts[:depth]) for depth in range(len(parts), 0, -1))
            self._tags = list(found)
        return self._tags

    def own_tags(self) -> list[str]:
        """Tags as written: the body's, then the frontmatter's."""
        path = self.note.path
        found = dict.fromkeys(f"#{tag.name}" for tag in self.note.inline_tags if not self.pages.is_result(path, tag.line))
        for key, value in self.note.properties.items():
            if key.lower() in {"tag", "tags"}:
                found |= dict.fromkeys(tag if tag.startswith("#") else f"#{tag}" for tag in _split(value, _TAG_BORDER))
        return list(found)

    def link_of(self, link: NoteLink) -> Link:
        """A link of the note, as Obsidian's cache has it: with the text that is shown."""
        made = _cached_link(link.target, link.subpath, link.embed)
        return made._replace(display=_shown(link))


class File(Record):
    """`file` of a page: each part is made once, when asked for."""

    __slots__ = ("_items", "_known", "_page")

    def __init__(self, page: Page) -> None:
        self._page = page
        self._known: dict[str, Value] = {}
        self._items: dict[int, ListItem] | None = None

    def get(self, name: str, default: Value = None) -> Value:
        """The part."""
        if name in self._known:
            return self._known[name]
        make = _FILE.get(name)
        if make is None:
            return default
        value = make(self)
        if name == "day" and value is None:
            return default
        self._known[name] = value
        return value

    def keys(self) -> Iterable[str]:
        """All parts; `day` only where there is one."""
        return [name for name in _FILE if name != "day" or self.get("day") is not None]

    def items_by_line(self) -> dict[int, ListItem]:
        """The list items."""
        if self._items is None:
            items = self._page.pages.outline(self._page.note.path).items
            self._items = {}
            below: dict[int, list[Item]] = {}
            for item in items:
                self._items[item.line] = ListItem(self._page, item, self._items, below)
                if item.parent >= 0:
                    below.setdefault(item.parent, []).append(item)
        return self._items

    def lists(self) -> list[Value]:
        """All items."""
        return list(self.items_by_line().values())

    def tasks(self) -> list[Value]:
        """Those with a box."""
        return [item for item in self.items_by_line().values() if item.item.status is not None]

    def links(self) -> list[Value]:
        """Frontmatter's, then links, then embeds."""
        page = self._page
        links = sorted(page.links(), key=lambda link: link.syntax != "property")  # here the frontmatter's come first
        return [page.resolve(page.link_of(link)._replace(embed=link.embed and link.syntax != "property")) for link in links]

    def aliases(self) -> list[Value]:
        """Of `alias` and `aliases` in any case."""
        found: dict[str, None] = {}
        for key, value in self._page.note.properties.items():
            if key.lower() in {"alias", "aliases"} and value:
                names = [_js_text(item).strip() for item in value] if isinstance(value, list) else _split(value, _COMMA)
                found |= dict.fromkeys(names)
        return list(found)

    def day(self) -> Date | None:
        """Of a field called date or day, else in the file's name."""
        page = self._page
        for key, values in page.merged().items():
            if key.lower() in {"date", "day"}:
                value = page._value(*values[0])  # noqa: SLF001 - the page's own part
                if isinstance(value, Date):
                    return value
        return date_in(title_of(page.note.path), page.pages.moment)

    def time(self, part: str, *, day: bool) -> Date:
        """Creation or change."""
        pages = self._page.pages
        date = Date(getattr(pages.stat(self._page.note.path), part), pages.moment.zone)
        return strip_time(date, pages.moment.zone, pages.moment.now) if day else date

    @property
    def page(self) -> Page:
        """Whose part it is."""
        return self._page


class ListItem(Record):
    """A list item or task."""

    __slots__ = ("_below", "_by_line", "_fields", "_known", "_page", "item")

    def __init__(self, page: Page, item: Item, by_line: dict[int, ListItem], below: dict[int, list[Item]]) -> None:
        self._page = page
        self.item = item
        self._by_line = by_line
        self._below = below
        self._fields: dict[str, Value] | None = None
        self._known: dict[str, Value] = {}

    def get(self, name: str, default: Value = None) -> Value:
        """The item's own part, a task's part, a field."""
        item = self.item
        plain = _PLAIN.get(name)
        if plain is not None:
            return getattr(item, plain)
        if item.status is not None:
            match name:
                case "status":
                    return item.status
                case "completed":
                    return item.status in {"x", "X"}
                case "checked":
                    return item.status != " "
        if name in self._known:
            return self._known[name]
        value = self._make(name)
        if value is MISSING:
            return default
        self._known[name] = value
        return value

    def _make(self, name: str) -> Value:
        item = self.item
        if (make := _ITEM_PARTS.get(name)) is not None:
            return make(self)
        if name == "parent" and item.parent >= 0:
            return item.parent
        if name == "blockId" and item.block:
            return item.block
        if item.status is not None:
            if name == "fullyCompleted":
                return self.fully_completed()
            if (keys := _TASK_DATES.get(name)) is not None:
                fields = self.fields()
                first = next((_first_value(fields[key]) for key in keys if key in fields), None)
                if truthy(first):
                    return first
        return self.fields().get(name, MISSING)

    def keys(self) -> Iterable[str]:
        """In Dataview's order."""
        item = self.item
        names = dict.fromkeys(_ITEM_ORDER)
        if item.parent >= 0:
            names["parent"] = None
        if item.block:
            names["blockId"] = None
        names |= dict.fromkeys(self.fields())
        if item.status is not None:
            names |= dict.fromkeys(("status", "checked", "completed", "fullyCompleted"))
            names |= dict.fromkeys(name for name in _TASK_DATES if truthy(self.get(name)))
        return names.keys()

    def fields(self) -> dict[str, Value]:
        """Annotations; one that comes twice is a list."""
        if self._fields is None:
            found: dict[str, list[Value]] = {}
            for key, text in self.item.fields:
                value = self._page._resolved(parse_inline(text, self._page.pages.moment))  # noqa: SLF001 - its page
                found.setdefault(key, []).append(value)
            self._fields = {key: _Several(values) if len(values) > 1 else values[0] for key, values in found.items()}
        return self._fields

    def section(self) -> Link:
        """The heading above, else the note."""
        path, heading = self._page.note.path, self.item.heading
        return Link(path) if heading is None else Link(path, "header", lexis.heading_subpath(heading))

    def link(self) -> Link:
        """Its block, else its section."""
        return Link(self._page.note.path, "block", self.item.block) if self.item.block else self.section()

    def children(self) -> list[Value]:
        """The items right below."""
        return [self._by_line[item.line] for item in self._below.get(self.item.line, ())]

    def outlinks(self) -> list[Value]:
        """Links on its lines, as written."""
        first, last = self.item.line + 1, self.item.line + self.item.line_count
        links = [link for link in self._page.note.links if first <= link.line <= last and link.syntax != "property" and not link.comment]
        links.sort(key=lambda link: (link.line, link.embed))
        return [self._page.link_of(link) for link in links]

    def fully_completed(self) -> bool:
        """It and every task below it."""
        items, done = [self], True
        while items and done:
            item = items.pop()
            done = item.item.status is None or item.item.status in {"x", "X"}
            items += item.children()
        return done


class _Several(list[Value]):
    """The values of a field that stands twice on an item."""


def _first_value(value: Value) -> Value:
    return value[0] if isinstance(value, _Several) else value


class TaskRow(Record):
    """A row of TASK: the task's fields, then the page's."""

    __slots__ = ("page", "task")

    def __init__(self, task: ListItem, page: Page) -> None:
        self.task = task
        self.page = page

    def get(self, name: str, default: Value = None) -> Value:
        """The task's, else the page's."""
        value = self.task.get(name, MISSING)
        return self.page.get(name, default) if value is MISSING else value

    def keys(self) -> Iterable[str]:
        """Both."""
        return dict.fromkeys([*self.task.keys(), *self.page.keys()]).keys()


def frontmatter_value(value: Value, moment: Moment) -> Value:
    """A YAML value as a field: texts that are a date, duration or link become one."""
    match value:
        case str():
            return parse_frontmatter_text(value, moment)
        case list():
            return [frontmatter_value(item, moment) for item in value]
        case dict():
            return js_object(
                (key if isinstance(key, str) else _js_text(key), frontmatter_value(item, moment)) for key, item in value.items()
            )
        case bool():
            return value
        case int() if abs(value) > 2**53:
            return to_float(value)
        case _:
            return value


def raw_value(value: Value) -> Value:
    """A YAML value as `file.frontmatter` holds it."""
    match value:
        case dict():
            return js_object((key, raw_value(item)) for key, item in value.items())
        case list():
            return [raw_value(item) for item in value]
        case _:
            return value


def date_in(text: str, moment: Moment) -> Date | None:
    """The first `yyyy-mm-dd`, else the first eight digits; they may name no day, and then the date is an impossible one."""
    found = _DASHED.search(text) or _DIGITS.search(text)
    return from_parts(int(found[1]), int(found[2]), int(found[3]), moment.zone, moment.now) if found else None


def item_tags(text: str) -> list[str]:
    """Tags of a list item; a run that is no whole tag (`#a&b`) is none."""
    if "#" not in text:
        return []
    return list(dict.fromkeys(run for run in _TAG_RUN.findall(text) if (tag := lexis.TAG.match(run)) and tag.end() == len(run)))


MISSING: Final[Any] = object()
_TAG_RUN: Final = re.compile(rf"#[^{lexis.BLANK},;.:!?'\"`()\[\]{{}}]+")
_DASHED: Final = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_DIGITS: Final = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})")
_TAG_BORDER: Final = re.compile(rf"[,{lexis.BLANK}]+")
_COMMA: Final = re.compile(",")
_canonical: Final = lru_cache(maxsize=20_000)(lexis.canonical)
_cached_link: Final = lru_cache(maxsize=50_000)(lambda target, subpath, embed: lexis.infer_link(target + subpath, embed=embed))
_FILE: Final[dict[str, Callable[[File], Value]]] = {
    "path": lambda file: file.page.note.path,
    "folder": lambda file: file.page.note.path.rpartition("/")[0],
    "name": lambda file: title_of(file.page.note.path),
    "link": lambda file: Link(file.page.note.path),
    "outlinks": File.links,
    "inlinks": lambda file: [Link(path) for path in file.page.pages.incoming().get(file.page.note.path, ())],
    "etags": lambda file: file.page.own_tags(),
    "tags": lambda file: list(file.page.tags),
    "aliases": File.aliases,
    "lists": File.lists,
    "tasks": File.tasks,
    "ctime": lambda file: file.time("created", day=False),
    "cday": lambda file: file.time("created", day=True),
    "mtime": lambda file: file.time("modified", day=False),
    "mday": lambda file: file.time("modified", day=True),
    "size": lambda file: file.page.pages.stat(file.page.note.path).size,
    "starred": lambda file: file.page.note.path in file.page.pages.starred,
    "frontmatter": lambda file: js_object((key, raw_value(value)) for key, value in file.page.note.properties.items() if key != "position"),
    "ext": lambda file: file.page.note.path.rpartition(".")[2],
    "day": File.day,
}
_PLAIN: Final = {"symbol": "symbol", "text": "text", "line": "line", "lineCount": "line_count", "list": "list"}
_ITEM_PARTS: Final[dict[str, Callable[[ListItem], Value]]] = {
    "link": ListItem.link,
    "section": ListItem.section,
    "tags": lambda item: item_tags(item.item.text.replace("\n", " ")),
    "outlinks": ListItem.outlinks,
    "path": lambda item: item._page.note.path,  # noqa: SLF001 - the table of its parts
    "children": ListItem.children,
    "task": lambda item: item.item.status is not None,
    "annotated": lambda item: bool(item.item.fields),
    "subtasks": ListItem.children,
    "real": lambda item: item.item.status is not None,
    "header": ListItem.section,
}
_ITEM_ORDER: Final = (
    *("symbol", "link", "section", "text", "tags", "line", "lineCount", "list", "outlinks", "path", "children", "task", "annotated"),
    *("subtasks", "real", "header"),
)
_TASK_DATES: Final = {
    "created": ("created", "ctime", "cday"),
    "due": ("due", "duetime", "dueday"),
    "completion": ("completed", "completion", "comptime", "compday"),
    "start": ("start",),
    "scheduled": ("scheduled",),
}


def _shown(link: NoteLink) -> str:
    """Obsidian's display text: the one given, else `Note > Heading`."""
    if link.display is not None and not (link.syntax != "markdown" and not link.display):
        return link.display
    text = link.target + link.subpath
    return " > ".join(part for part in text.split("#") if part)


def _split(value: Value, border: re.Pattern[str]) -> Iterator[str]:
    if value is None:
        return
    if isinstance(value, list):
        for item in value:
            if truthy(item):
                yield from _split(item, border)
        return
    for part in border.split(_js_text(value)):
        if part.strip():
            yield part.strip()


def _js_text(value: Value) -> str:
    """What JavaScript makes of a value in a text."""
    from vaultkit.dql.values import number_text  # noqa: PLC0415 - only for values that are no text

    match value:
        case str():
            return value
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return number_text(value)
        case list():
            return ",".join("" if item is None else _js_text(item) for item in value)
        case _:
            return "[object Object]"
