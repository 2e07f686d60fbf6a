"""Every place of one note that holds a deadline: the two fields, other properties, task lines, inline fields; mirrored lines joined."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from vaultkit.agenda._lines import entry_lines, line_at, plain_lines
from vaultkit.agenda.items import DEFAULTS, Field, Settings, hash_id
from vaultkit.agenda.tasks import TaskText, has_fields, mask_code, parse_task_text, read_moment, render_item
from vaultkit.text.markdown import Bullet, InlineField
from vaultkit.text.note import Note
from vaultkit.text.values import Value


class Entry(NamedTuple):
    """One place. *raw* is the string that holds the fields: a list entry, or a line's text after its marker and checkbox."""

    field: Field
    key: str  # the property or inline field, "" for a line
    nth: int  # in the property's list, -1 when it is no list
    line: int
    raw: str
    start: int  # of *raw* in the file's text; -1 for a property
    status: str | None  # the checkbox's character
    task: TaskText
    closed: bool
    mirrors: tuple[Entry, ...] = ()  # body lines that stand for the same item
    fixed: bool = False  # a map or a whole-line field: read, never written as it stands
    id: str = ""

    @property
    def ticked(self) -> bool:
        """Are all body lines of this field entry closed?"""
        return bool(self.mirrors) and all(mirror.closed for mirror in self.mirrors)

    @property
    def open(self) -> bool:
        """Is there still something to do? A tick in the body closes a field entry; an open body line keeps it open."""
        return not all(mirror.closed for mirror in self.mirrors) if self.mirrors else not self.closed


class Collected(NamedTuple):
    """All entries of a note, ids set, in order: fields, properties, body. *unparsable*: line, what stood there."""

    entries: list[Entry]
    unparsable: list[tuple[int, str]]

    @property
    def fields(self) -> list[Entry]:
        """The entries of the two fields."""
        return [entry for entry in self.entries if entry.field in {"action_items", "trackers"}]


def collect(note: Note, text: str, settings: Settings = DEFAULTS) -> Collected:
    """Read *note*, whose file holds *text*."""
    unparsable: list[tuple[int, str]] = []
    fields = list(_field_entries(note, text, settings, unparsable)) if note.properties else []
    body = list(_body_entries(note, text, settings))
    if fields:
        fields, body = _join(fields, body)
    entries = [*fields, *_property_entries(note, text, settings, unparsable), *body]
    if not entries:
        return Collected([], unparsable)
    for entry in entries:
        unparsable.extend(
            (place.line, place.task.unparsable) for place in (entry, *entry.mirrors) if place.task.unparsable and not place.closed
        )
    return Collected(_with_ids(note.path, entries), unparsable)


def ids_of(note: Note, settings: Settings = DEFAULTS) -> tuple[str, ...]:
    """Every 🆔 of a note's fields and task lines: the ids that a new one must differ from."""
    found: list[str] = []
    for key in (settings.action_items, settings.trackers):
        value = note.properties.get(key)
        for entry in value if isinstance(value, list) else [value]:
            if isinstance(entry, str):
                found.append(parse_task_text(entry).id)
            elif isinstance(entry, dict):
                found.append(_scalar(entry.get("id")))
    for bullet in note.tasks:
        if "🆔" in bullet.text or "id::" in bullet.text:
            found.extend(parse_task_text(line).id for line in bullet.text.split("\n"))
    return tuple(dict.fromkeys(name for name in found if name))


# A status under which nothing of a note is to be done any more. A processed note still warns: its pointer does not carry dates.
DEAD = frozenset({"retired", "discarded"})
# What task notes (TaskNotes and others) write; it closes the note's own `due`, not its lists.
_DONE = frozenset({"done", "complete", "completed", "finished", "closed", "cancelled", "canceled", "完了", "済", "済み", "終了", "中止"})
# A person's way to say that there is no date yet.
_NO_DATE = frozenset(
    {"", "-", "—", "?", "tbd", "tba", "none", "n/a", "na", "no", "null", "unknown", "someday", "未定", "なし", "無し", "無", "未設定"}
)
_CLOSED_MARKS = frozenset("xX-")
_CHECKBOX = re.compile(r"[\s>]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[(.)\](?:[ \t]+|$)")
_MARKER = re.compile(r"(?:[ \t]|>|[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t])*(?:\[(?P<mark>.)\]\s+)?")
_LOOSE = re.compile(r"(?P<sign>[📅📆🗓])|\(@\d|@\{\d|@\[\[\d|DEADLINE:|(?<!\S)due:\d")
_LOOSE_HINTS = ("📅", "📆", "🗓", "(@", "@{", "@[[", "DEADLINE:", "due:")
_MAP_TEXT = ("text", "title", "task", "name", "item")
_MAP_DUE = ("due", "date", "deadline", "due_date")
_MAP_KNOWN = {*_MAP_TEXT, *_MAP_DUE, "done", "id", "time"}


def is_dead(note: Note) -> bool:
    """Has this note been retired or discarded?"""
    status = note.properties.get("status")
    return isinstance(status, str) and status.strip().casefold() in DEAD


# ── the two fields ─────────────────────────────────────────────────────────────────────────────────────────────────


def _field_entries(note: Note, text: str, settings: Settings, unparsable: list[tuple[int, str]]) -> Iterator[Entry]:
    names: tuple[tuple[Field, str], ...] = (("action_items", settings.action_items), ("trackers", settings.trackers))
    for field, key in names:
        value = note.properties.get(key)
        if value is None or value == []:
            continue
        listed = isinstance(value, list)
        values = value if isinstance(value, list) else [value]
        key_line = note.property_lines.get(key, 1)
        lines = entry_lines(text, key_line, len(values)) if listed else [key_line]
        for at, (entry, line) in enumerate(zip(values, lines, strict=True)):
            read = _read_entry(entry)
            if read is not None:
                raw, task, fixed = read
                closed = task.cancelled or task.done is not None
                yield Entry(field, key, at if listed else -1, line, raw, -1, None, task, closed, fixed=fixed)
            elif entry is not None and entry != "":
                unparsable.append((line, f"{key}: {_shown(entry)}"))


def _read_entry(value: Value) -> tuple[str, TaskText, bool] | None:
    """An entry's string, what it says, and whether it is a map. None for what is no entry."""
    match value:
        case str():
            return (value, parse_task_text(value, strict=True), False) if value.strip() else None
        case dict():
            return _read_map(value)
        case None | bool() | list():
            return None
        case _:
            return str(value), parse_task_text(str(value), strict=True), False


def _read_map(value: dict[str, Value]) -> tuple[str, TaskText, bool] | None:
    """`{text, due, done}`; and `Fix: slides 📅 …`, which YAML reads as a map when its quotes are missing."""
    key = next((name for name in _MAP_TEXT if isinstance(value.get(name), str)), None)
    if key is None:
        if len(value) != 1:
            return None
        name, only = next(iter(value.items()))
        raw = f"{name}: {_scalar(only)}"
        return (raw, parse_task_text(raw, strict=True), True) if isinstance(only, str) else None
    task = parse_task_text(_scalar(value[key]), strict=True)
    stated = next((_scalar(value[name]) for name in _MAP_DUE if value.get(name) is not None), "")
    moment = read_moment(stated)
    if moment is not None:
        task = task._replace(due=moment.day, time=moment.time or task.time)
    elif stated.casefold() not in _NO_DATE:
        task = task._replace(unparsable=f"due: {stated}")
    clock = re.fullmatch(r"([01]?\d|2[0-3]):([0-5]\d)(?::\d\d)?", _scalar(value.get("time")))
    done = value.get("done")
    finished = read_moment(_scalar(done))
    task = task._replace(
        time=f"{int(clock[1]):02}:{clock[2]}" if clock else task.time,
        id=_scalar(value.get("id")) or task.id,
        done=finished.day if finished else task.done,
        cancelled=task.cancelled or (finished is None and done is not None and _scalar(done).casefold() in {"true", "yes", "x", "done"}),
    )
    unknown = set(value) - _MAP_KNOWN
    raw = render_item(task.text, due=task.due, time=task.time, id=task.id, recurrence=task.recurrence, show_from=task.show_from)
    return ("" if unknown else raw), task, True


def _scalar(value: Value) -> str:
    match value:
        case str():
            return value.strip()
        case bool():
            return "true" if value else "false"
        case int() | float():
            return str(value)
        case _:
            return ""


def _shown(value: Value) -> str:
    shown = value if isinstance(value, str) else repr(value)
    return shown if len(shown) <= 80 else shown[:79] + "…"


# ── other properties ───────────────────────────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=4096)
def _is_deadline(name: str, due: str, more: tuple[str, ...]) -> bool:
    return Settings(due=due, more=more).is_deadline(name)


def _property_entries(note: Note, text: str, settings: Settings, unparsable: list[tuple[int, str]]) -> Iterator[Entry]:
    for key, value in note.properties.items():
        if value is None or not _is_deadline(key, settings.due, settings.more) or key in {settings.action_items, settings.trackers}:
            continue
        values = value if isinstance(value, list) else [value]
        key_line = note.property_lines.get(key, 1)
        lines = entry_lines(text, key_line, len(values)) if isinstance(value, list) else [key_line]
        for at, (entry, line) in enumerate(zip(values, lines, strict=True)):
            stated = _scalar(entry)
            moment = read_moment(stated)
            if moment is not None:
                task = TaskText(note.title, moment.day, moment.time, "", None, False, "", None, "")
                yield Entry("due", key, at if isinstance(value, list) else -1, line, stated, -1, None, task, _is_done(note))
            elif (entry is not None and stated.casefold() not in _NO_DATE | {"false"} and not _is_done(note)) or (
                isinstance(entry, (list, dict)) and entry
            ):
                unparsable.append((line, f"{key}: {_shown(entry)}"))


def _is_done(note: Note) -> bool:
    status = note.properties.get("status")
    if isinstance(status, str) and status.strip().casefold() in _DONE:
        return True
    finished = note.properties.get("completedDate") or note.properties.get("completed") or note.properties.get("done")
    return finished is True or (isinstance(finished, str) and read_moment(finished) is not None)


# ── the body ───────────────────────────────────────────────────────────────────────────────────────────────────────


def task_line(text: str, bullet: Bullet) -> tuple[int, str, str] | None:
    """Where the text of a task's first line begins, the text, its checkbox's character."""
    end = line_at(text, bullet.start)[1]
    match = _CHECKBOX.match(text, bullet.start, end)
    return (match.end(), text[match.end() : end], match[1]) if match else None


def _body_entries(note: Note, text: str, settings: Settings) -> Iterator[Entry]:
    lines: set[int] = set()
    for bullet in note.tasks:
        if not has_fields(bullet.text):
            continue
        found = task_line(text, bullet)
        if found is None:
            continue
        start, raw, status = found
        task = parse_task_text(raw)
        lines.add(bullet.line)
        if task.due is not None or task.id or task.unparsable:
            closed = status in _CLOSED_MARKS or task.done is not None or task.cancelled
            yield Entry("task", "", -1, bullet.line, raw, start, status, task, closed)
    if any(hint in text for hint in _LOOSE_HINTS):
        yield from _loose_entries(note, text, lines)
    for field in note.fields:
        if field.line not in lines and _is_deadline(field.key, settings.due, settings.more):
            yield from _inline_entry(note, text, field)


def _loose_entries(note: Note, text: str, lines: set[int]) -> Iterator[Entry]:
    """Lines that hold a 📅 date and are no tasks to the scanner (no checkbox, or one in an odd place). One that begins with it is a heading or a log entry, no deadline."""
    if _LOOSE.search(text, note.body) is None or is_clipping(note):
        return
    for line in plain_lines(text, note.body):
        if line.number in lines or _LOOSE.search(mask_code(line.text)) is None:
            continue
        marker = _MARKER.match(line.text)
        start = marker.end() if marker else 0
        raw = line.text[start:]
        task = parse_task_text(raw)
        mark = marker["mark"] if marker else None
        first = _LOOSE.match(raw)
        if (first and first["sign"]) or not task.text or not (task.due or task.unparsable):
            continue
        lines.add(line.number)
        closed = task.done is not None or task.cancelled or (mark is not None and mark in _CLOSED_MARKS)
        yield Entry("task", "", -1, line.number, raw, line.start + start, mark, task, closed)


def _inline_entry(note: Note, text: str, field: InlineField) -> Iterator[Entry]:
    start, end = line_at(text, field.start)
    moment = read_moment(field.value)
    unparsable = "" if moment is not None or field.value.strip().casefold() in _NO_DATE else f"{field.key}:: {field.value}"
    if moment is None and not unparsable:
        return
    if text[field.start] not in "[(":
        task = TaskText(note.title, moment.day if moment else None, moment.time if moment else None, "", None, False, "", None, unparsable)
        yield Entry("inline", field.key, -1, field.line, field.value, field.start, None, task, False, fixed=True)
        return
    marker = _MARKER.match(text, start, end)
    start = marker.end() if marker else start
    raw = text[start:end]
    task = parse_task_text(raw)
    if moment is not None and task.due is None:  # a name that only the settings know
        task = task._replace(due=moment.day, time=moment.time or task.time)
    task = task._replace(text=task.text or note.title, unparsable=task.unparsable or unparsable)
    yield Entry("inline", field.key, -1, field.line, raw, start, None, task, task.done is not None or task.cancelled)


def is_clipping(note: Note) -> bool:
    """Was this note's text fetched from the web? Its dates are the author's, never deadlines.

    A `source` address says so; a `url` alone may be a conference's or a product's, so it takes an author or a day of publication as well.
    """
    keys = ["source"] + (["url"] if "author" in note.properties or "published" in note.properties else [])
    for key in keys:
        value = note.properties.get(key)
        values = value if isinstance(value, list) else [value]
        if any(isinstance(entry, str) and entry.strip().startswith(("http://", "https://")) for entry in values):
            return True
    return False


# ── joining ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _join(fields: list[Entry], body: list[Entry]) -> tuple[list[Entry], list[Entry]]:
    """Field entries with their body lines: by 🆔, else by the same words and date."""
    by_id: dict[str, int] = {}
    by_words: dict[tuple[str, object], int] = {}
    for at, entry in enumerate(fields):
        if entry.task.id:
            by_id.setdefault(entry.task.id, at)
        by_words.setdefault((entry.task.text, entry.task.due), at)
    mirrors: dict[int, list[Entry]] = {}
    rest: list[Entry] = []
    for entry in body:
        owner = by_id.get(entry.task.id) if entry.task.id else None
        if owner is None:
            owner = by_words.get((entry.task.text, entry.task.due))
        if owner is None or entry.field != "task":
            rest.append(entry)
        else:
            mirrors.setdefault(owner, []).append(entry)
    joined = [entry._replace(mirrors=tuple(mirrors[at])) if at in mirrors else entry for at, entry in enumerate(fields)]
    return joined, rest


def _with_ids(path: str, entries: Iterable[Entry]) -> list[Entry]:
    counts: dict[str, int] = {}
    found: list[Entry] = []
    for entry in entries:
        name = entry.task.id or next((mirror.task.id for mirror in entry.mirrors if mirror.task.id), "")
        if not name:
            nth = counts.get(entry.task.text, 0)
            counts[entry.task.text] = nth + 1
            name = hash_id(path, entry.task.text, nth)
        found.append(entry._replace(id=name))
    return found
