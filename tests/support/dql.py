"""The small vault that the DQL vectors were made on, as pages; how answers are compared."""

from __future__ import annotations

import json
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from tests.support import vectors
from vaultkit.dql.dates import local_zone
from vaultkit.dql.environment import Environment
from vaultkit.dql.outline import outline
from vaultkit.dql.pages import Clock, FromNote, Pages, Stat
from vaultkit.graph import Snapshot
from vaultkit.text.edit import to_text
from vaultkit.text.note import parse_note

NOW = 1_709_642_096_000  # 2024-03-05T12:34:56Z


class World:
    """The vault in one time zone."""

    def __init__(self, zone: str) -> None:
        self.root = vectors.folder("dql_vault")
        files = sorted(path.relative_to(self.root).as_posix() for path in self.root.rglob("*") if path.is_file())
        files = [path for path in files if not path.startswith(".")]
        texts = {path: to_text((self.root / path).read_bytes()) for path in files if path.endswith(".md")}
        notes = {path: parse_note(path, text) for path, text in texts.items()}
        times = vectors.load("dql_vault_stat")

        def stat(path: str) -> Stat:
            made, changed = (datetime.fromisoformat(times[path][name]).timestamp() * 1000 for name in ("ctime", "mtime"))
            return Stat(made, changed, (self.root / path).stat().st_size)

        outlines = {path: outline(note, texts[path]) for path, note in notes.items()}
        bookmarks = json.loads((self.root / ".obsidian" / "bookmarks.json").read_text("utf-8"))["items"]
        starred = [item for item in bookmarks if item["type"] == "file"] + [
            inner for item in bookmarks for inner in item.get("items", ()) if inner["type"] == "file"
        ]
        self.pages = Pages(
            Snapshot(notes, frozenset(files), {}),
            outline=outlines.__getitem__,
            stat=stat,
            moment=Clock(NOW, local_zone(zone)),
            starred=frozenset(item["path"] for item in starred),
        )

    def environment(self, origin: str = "", *, this: bool = True) -> Environment:
        """What a query in the note *origin* is evaluated in."""
        names: dict[str, Any] = {"this": self.pages.page(origin) or {}} if this else {}
        return Environment(NOW, self.pages.moment.zone, links=FromNote(self.pages, origin), names=names)

    def csv(self, path: str) -> str | None:
        """A CSV file's text."""
        file: Path = self.root / path
        return file.read_text("utf-8") if file.is_file() else None


@lru_cache(maxsize=4)
def world(zone: str) -> World:
    """Made once."""
    return World(zone)


def matches(got: Any, wanted: Any, how: str) -> bool:
    """Compare as the vector says: `exact`, `rows-any-order`, `deep-any-order`."""
    if how == "deep-any-order":
        return bool(_sorted(got) == _sorted(wanted))
    if how == "rows-any-order":
        return sorted(got, key=_text) == sorted(wanted, key=_text)
    return bool(got == wanted)


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _sorted(value: Any) -> Any:
    if isinstance(value, list):
        return sorted(map(_sorted, value), key=_text)
    return {key: _sorted(item) for key, item in value.items()} if isinstance(value, dict) else value
