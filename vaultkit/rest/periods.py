"""/periodic/: daily, weekly, monthly, quarterly and yearly notes by the vault's own settings (facts/rest-api.md §9)."""

from __future__ import annotations

from datetime import date
from typing import Any, Final

from vaultkit.app import App, Daily
from vaultkit.capture import DailyNote
from vaultkit.errors import OutsideVaultError
from vaultkit.operations import notes as note_operations
from vaultkit.rest.answers import Answer, Request, RestError, answered, json_answer, quoted
from vaultkit.rest.library import Library, is_note
from vaultkit.rest.notes import Notes, metadata
from vaultkit.rest.paths import TARGETS, decode, part_of
from vaultkit.text.edit import Create, to_bytes, to_text

# The periodic-notes plugin's own default formats.
_FORMATS: Final = {
    "daily": "YYYY-MM-DD",
    "weekly": "gggg-[W]ww",
    "monthly": "YYYY-MM",
    "quarterly": "YYYY-[Q]Q",
    "yearly": "YYYY",
}
_MOST_RECENT: Final = 500


class Periods:
    """The periodic notes of one vault."""

    def __init__(self, library: Library, notes: Notes) -> None:
        self._library = library
        self._notes = notes

    def answer(self, request: Request, rest: str) -> Answer:
        """`{period}/`, `{period}/recent`, `{period}/{year}/{month}/{day}/`, the last two of them with a part behind."""
        parts = [decode(part) for part in rest.removesuffix("/").split("/")]
        period, more = parts[0], parts[1:]
        if not period:
            raise RestError(40400)
        if period not in _FORMATS:
            raise RestError(40460)
        with self._library.app() as app:
            way = _way(app, period)
            today = app.now().date()
        if way is None:
            raise RestError(40060, f"the {period} period is not enabled in the settings of the periodic-notes plugin")
        if more == ["recent"]:
            if request.method not in {"GET", "HEAD"}:
                raise RestError(40400)
            return self._recent(request, way)
        day, target = _day_of(more, today)
        return self._on_note(request, way, day, target)

    def _on_note(self, request: Request, way: Daily, day: date, target: list[str]) -> Answer:
        if request.method not in {"GET", "HEAD", "PUT", "POST", "PATCH", "DELETE"}:
            raise RestError(40400)
        path = way.path(day)
        place = part_of(path, target)
        # A part is changed in the note that its template makes; a PUT of the whole replaces even that.
        makes = request.method in {"POST", "PATCH"} or (request.method == "PUT" and place.target is not None)
        if not self._library.files.exists(path):
            if makes or (request.method == "PUT" and request.header("target-type")):
                self._make(path, way, day)
            elif request.method != "PUT":
                raise RestError(40461)
        act = {
            "GET": self._notes.get,
            "HEAD": self._notes.get,
            "PUT": self._notes.put,
            "POST": self._notes.post,
            "PATCH": self._notes.patch,
            "DELETE": self._notes.delete,
        }[request.method]
        answer = answered(lambda: act(request, place), matched=bool(request.header("if-match")))
        return answer.plus(("content-location", quoted(path)))

    def _make(self, path: str, way: Daily, day: date) -> None:
        with self._library.writing(), self._library.app() as app:
            if not app.files.exists(path):
                text = note_operations.new_daily(app, _note(app, path, way, day))
                self._library.commit([Create(path, to_bytes(text))], command=f"rest periodic {path}")

    def _recent(self, request: Request, way: Daily) -> Answer:
        """The last notes of a period, newest first. The plugin never had this; two clients call it."""
        limit = _number(request, "limit", 5)
        whole = request.query.get("includeContent", ["false"])[-1].lower() in {"true", "1"}
        view = self._library.view()
        dated = sorted(((day, path) for path in view.files if is_note(path) and (day := way.day_of(path)) is not None), reverse=True)
        rows: list[dict[str, Any]] = []
        for _, path in dated[:limit]:
            row: dict[str, Any] = {"path": path, "metadata": {**metadata(view, path), "stat": self._library.stat(path)._asdict()}}
            if whole:
                row["content"] = to_text(self._library.read(path).data)
            rows.append(row)
        return json_answer(rows)


def _way(app: App, period: str) -> Daily | None:
    """How notes of a period are named; None when the vault has none. Daily notes it always has."""
    settings = app.obsidian("plugins/periodic-notes/data.json")[0].get(period)
    if not isinstance(settings, dict) or not settings.get("enabled"):
        return app.daily if period == "daily" else None
    words = {name: value if isinstance(value, str) else "" for name in ("folder", "format", "template") for value in (settings.get(name),)}
    return Daily(words["folder"].strip("/"), words["format"] or _FORMATS[period], words["template"].removesuffix(".md"))


def _note(app: App, path: str, way: Daily, day: date) -> DailyNote:
    template = None
    if way.template:
        try:
            name = f"{way.template}.md"
            template = to_text(app.files.read(name).data) if app.files.exists(name) else None
        except OutsideVaultError:
            template = None  # a hostile setting: the note is made without it
    date_format, time_format = app.template_formats
    return DailyNote(path, None, template, day, date_format, time_format)


def _day_of(parts: list[str], today: date) -> tuple[date, list[str]]:
    """The day that a URL names (today when none) and the part of the note that follows."""
    if not parts or parts[0] in TARGETS:
        return today, parts
    if len(parts) < 3 or not all(part.isascii() and part.isdigit() and len(part) <= 4 for part in parts[:3]):
        raise RestError(40400)
    try:
        return date(*map(int, parts[:3])), parts[3:]
    except ValueError as error:
        raise RestError(40000, f"{'-'.join(parts[:3])} is no day: {error}") from error


def _number(request: Request, name: str, default: int) -> int:
    word = request.query.get(name, [str(default)])[-1]
    if not (word.isascii() and word.isdigit() and len(word) < 9):
        raise RestError(40000, f"{name} is a whole number")
    return min(int(word), _MOST_RECENT)
