"""What of a vault a harness may see at all (memory.md M22b), for faces that answer with more than a digest.

Private is what a note says of itself (`private: true`, `recall: never`), what lies in a private folder, and what has a scope that the setting
recall_scopes does not give this harness. For the harness it does not exist: no answer names or counts it. Muted notes are not private.
"""

from __future__ import annotations

from collections.abc import Iterable

from vaultkit import graph
from vaultkit import recall as engine
from vaultkit.app import App
from vaultkit.app.parsing import scope_of
from vaultkit.errors import NoteNotFoundError
from vaultkit.operations.recall import policy_of
from vaultkit.recall.index import row_of
from vaultkit.text.note import Note


class View:
    """The vault as *harness* may see it, as of the last sync."""

    def __init__(self, app: App, harness: str) -> None:
        self._app = app
        self._policy = policy_of(app, harness)._replace(inactive=True, muted=())
        app.manifest()
        self._known: dict[str, bool] = app.memo.setdefault(("seen by", harness), {})
        self._harness = harness

    def may(self, path: str) -> bool:
        """May this file be named at all?"""
        return bool(self.allowed([path]))

    def allowed(self, paths: Iterable[str]) -> list[str]:
        """Those of *paths* that may be named, in their order."""
        wanted = list(paths)
        new = [path for path in dict.fromkeys(wanted) if path not in self._known]
        notes = [path for path in new if path.lower().endswith(".md")]
        # A note that nothing is known of (too large, a conflict copy) may be anything: it stays out.
        self._known |= dict.fromkeys(notes, False)
        self._known |= {row.path: self._admits(row) for row in self._app.rows(notes)}
        self._known |= {path: self._admits(_file(path)) for path in new if not path.lower().endswith(".md")}
        return [path for path in wanted if self._known[path]]

    def may_read(self, note: Note, text: str) -> bool:
        """The same for a note as it was just read, which may say more than at the last sync."""
        return self._admits(row_of(note, text, type="", status="", scope=scope_of(note), words={}))

    def snapshot(self) -> graph.Snapshot:
        """Every note and file that may be named, and the links between them."""
        whole = self._app.snapshot()
        seen = frozenset(self.allowed(whole.files))
        if len(seen) == len(whole.files):
            return whole
        key = ("snapshot for", self._harness)
        found: graph.Snapshot | None = self._app.memo.get(key)
        if found is None:
            notes = {path: note for path, note in whole.notes.items() if path in seen}
            canvases = {path: text for path, text in whole.canvases.items() if path in seen}
            found = self._app.memo[key] = graph.Snapshot(notes, seen, canvases)
        return found

    def find(self, name: str, *, files: bool = False) -> str:
        """The path that *name* means among what may be named; what is private is not found, nor suggested."""
        name = self._app.vault_path(name)
        if name in self._app.manifest() and self.may(name):
            return name
        return graph.find_note(self.snapshot(), name, files=files)

    def read(self, name: str) -> tuple[Note, str]:
        """A note and its text as they are on disk now. Raises NoteNotFoundError for what may not be seen."""
        path = self.find(name)
        note, text = self._app.read(path)
        if not self.may_read(note, text):
            raise NoteNotFoundError(name)
        return note, text

    def _admits(self, row: engine.Row) -> bool:
        # A template is no memory, which is why no digest shows one; it is not private.
        return engine.allowed(row._replace(type=""), self._policy)


def _file(path: str) -> engine.Row:
    """A row for what is no note: it has a place, and no scope of its own."""
    return engine.Row(path, path, "", "", "active", "", (), (), False, False, "", 0, ("", "", "", ""), "", b"", b"")
