"""What a person has on the desk: the open note, tags, commands (facts/rest-api.md §9)."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from vaultkit import agenda, graph
from vaultkit.app import App
from vaultkit.errors import NoteNotFoundError
from vaultkit.graph import Snapshot
from vaultkit.operations import deadlines
from vaultkit.operations import notes as note_operations
from vaultkit.rest.answers import Answer, Request, RestError, json_answer
from vaultkit.rest.dialect import Dialect
from vaultkit.rest.library import Library, is_note
from vaultkit.rest.paths import check_inside, decode, is_plain
from vaultkit.text.edit import Create

log = logging.getLogger(__name__)


class Command(NamedTuple):
    """One of our own commands. *run* returns what it has to tell."""

    id: str
    name: str
    run: Callable[[Desk], str]


class Desk:
    """Which note is open, and what can be done without naming one."""

    def __init__(self, library: Library, dialect: Dialect) -> None:
        self.holdings = library
        self._dialect = dialect
        self._guard = threading.Lock()
        self._open: str | None = None
        self._told: dict[str, str] = {}  # what each command told when it ran last

    def active(self, *, reading: bool) -> str | None:
        """The note opened last. Under `compat` a reader else gets what Obsidian had open last, else the note changed last; a writer never."""
        with self._guard:
            path = self._open
        if path is not None and self.holdings.files.exists(path):
            return path
        if not reading or self._dialect.name != "compat":
            return None
        return self._last_in_obsidian() or self._changed_last()

    def open(self, request: Request, rest: str) -> Answer:
        """Make a note the active one; one that is missing is created, as Obsidian does."""
        if request.method != "POST":
            raise RestError(40400)
        named = decode(rest).strip("/")
        check_inside(named)
        if not named or not is_plain(named.split("/")):
            raise RestError(40021, "name a note below the vault's folder")
        with self.holdings.writing():
            path = self._meant(named)
            if path is None:
                path = named if "." in named.rsplit("/", 1)[-1] else f"{named}.md"
                self.holdings.commit([Create(path, b"")], command=f"rest open {path}")
        self.opened(path)
        return Answer(200, headers=(("content-type", "application/json; charset=utf-8"),))

    def opened(self, path: str) -> None:
        """This note is the active one from now on."""
        with self._guard:
            self._open = path

    def tags(self, request: Request, rest: str) -> Answer:
        """Every tag, and every parent of a nested one, with how often it is written."""
        if request.method not in {"GET", "HEAD"} or rest:
            raise RestError(40400)
        view = self.holdings.view()
        rows = graph.tags(Snapshot(view.notes, frozenset(view.files), {}))
        return json_answer({"tags": [{"name": row.tag, "count": row.total} for row in rows]})

    def commands(self, request: Request, rest: str) -> Answer:
        """List our commands, run one, or (GET, which the plugin has not) read what it told when it ran last."""
        name = decode(rest.removesuffix("/"))
        if not name:
            if request.method not in {"GET", "HEAD"}:
                raise RestError(40400)
            return json_answer({"commands": [{"id": command.id, "name": command.name} for command in COMMANDS]})
        command = next((command for command in COMMANDS if command.id == name), None)
        if command is None or request.method not in {"GET", "HEAD", "POST"}:
            raise RestError(40400)
        if request.method == "POST":
            self._told[command.id] = command.run(self)
            return Answer(204)
        return json_answer({"id": command.id, "name": command.name, "output": self._told.get(command.id, "")})

    def open_daily(self) -> str:
        """Today's daily note, made when missing, becomes the active one."""
        with self.holdings.writing(), self.holdings.app() as app:
            path = note_operations.daily(app, day=app.now().date(), make=True).path
        self.opened(path)
        return path

    def with_app(self, work: Callable[[App], str]) -> str:
        """Do something with the App, while nobody writes."""
        with self.holdings.writing(), self.holdings.app() as app:
            return work(app)

    def _meant(self, named: str) -> str | None:
        files = self.holdings.files
        if files.exists(named):
            return named
        if files.exists(f"{named}.md"):
            return f"{named}.md"
        return self.holdings.view().resolver.resolve(named, "").path

    def _last_in_obsidian(self) -> str | None:
        """The first of the files that Obsidian remembers as opened last."""
        try:
            data = self.holdings.files.setting("workspace.json")
            found: Any = json.loads(data) if data else {}
        except (ValueError, RecursionError, NoteNotFoundError):
            return None
        recent = found.get("lastOpenFiles") if isinstance(found, dict) else None
        names = recent if isinstance(recent, list) else []
        return next((name for name in names if isinstance(name, str) and self.holdings.files.exists(name)), None)

    def _changed_last(self) -> str | None:
        notes = ((seen.mtime_ns, path) for path, seen in self.holdings.view().files.items() if is_note(path))
        return max(notes, default=(0, None))[1]


def _sync(app: App) -> str:
    done = app.sync()
    return f"{done.notes} notes, {done.changed} changed, {done.removed} removed"


def _lookahead(app: App) -> str:
    look = deadlines.lookahead(app)
    deadlines.to_daily(app, look)
    return "\n".join(agenda.render_item_line(due) for due in look.items)


def _dream(app: App) -> str:
    from vaultkit.operations import dream

    done = dream.dream(app, dream.Ask(dry_run=True))
    return dream.diff(app, done)


COMMANDS: Final = (
    Command("vaultkit:sync", "Bring search and recall up to date", lambda desk: desk.with_app(_sync)),
    Command("app:reload", "Reload", lambda desk: desk.with_app(_sync)),  # Obsidian's own id for it
    Command("vaultkit:daily-note", "Open today's daily note, made when missing", Desk.open_daily),
    Command("daily-notes", "Open today's daily note", Desk.open_daily),  # Obsidian's own id for the same
    Command("vaultkit:lookahead", "Write near deadlines into today's daily note", lambda desk: desk.with_app(_lookahead)),
    Command("vaultkit:dream-dry-run", "Plan a dream (consolidation), change nothing", lambda desk: desk.with_app(_dream)),
)
