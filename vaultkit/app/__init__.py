"""The only place that opens stores and reads Config: sync, the Snapshot, and commit.

`sync` brings everything derived up to date with the files; `commit` applies edits and then syncs what they touched. Nothing here knows
what a command means: that is `operations`.
"""

from __future__ import annotations

import gc
import itertools
import json
import marshal
import time
import uuid
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from vaultkit import __version__, agenda, graph, recall
from vaultkit.app.parsing import CANVAS, COPY, NOTE, UNREADABLE, Daily, Head, Job, Rules, layout, parse_files, parse_one, unpack_seen
from vaultkit.config import Config, Places, find_vault, load
from vaultkit.errors import IndexUnavailableError
from vaultkit.graph import Snapshot
from vaultkit.store.activity import ActivityLog
from vaultkit.store.bullets import BulletIndex, Listed
from vaultkit.store.cache import Cache, Row
from vaultkit.store.files import Applied, Entry, FileStore, Skip
from vaultkit.store.search import Doc, SearchIndex
from vaultkit.text import names, note
from vaultkit.text.edit import Edit, to_text, touched
from vaultkit.text.note import Note
from vaultkit.text.passages import passage

if TYPE_CHECKING:
    from vaultkit.store.models import Choice
    from vaultkit.store.vectors import Coverage, Updated, Vectors

__all__ = ["App", "Daily", "Head", "Rules", "Synced", "open_app"]

Progress = Callable[[int, int], None]

_LISTS_AT_ONCE = 3000  # list-like notes: a first sync does not hold the bullets of a huge vault at once


class Synced(NamedTuple):
    """What one sync found. *seconds* is wall time."""

    notes: int
    changed: int
    removed: int
    seconds: float
    skipped: tuple[Skip, ...]


class _Work(NamedTuple):
    changed: list[Entry]
    again: list[Entry]  # unchanged, but the search index does not have them
    removed: list[str]
    gone: list[str]  # removed, but the search index still has them
    entries: dict[str, Entry]

    @property
    def needed(self) -> bool:
        return bool(self.changed or self.again or self.removed or self.gone)


def open_app(
    vault: str | None = None,
    *,
    cwd: Path | None = None,
    now: Callable[[], datetime] = datetime.now,
    clock: Callable[[], datetime] = datetime.now,
    session: str = "",
    flags: dict[str, Any] | None = None,
    root: Path | None = None,
) -> App:
    """The vault that *vault* names (or that is found from *cwd*), its leftovers of killed runs cleared up.

    *now* is the time that dates are understood against (`--today`); *clock* is the wall clock that the undo history is kept by.
    """
    found = root or find_vault(vault, cwd=cwd or Path.cwd())
    config = load(found, flags=flags)
    places = Places.of(found)
    files = FileStore(
        found, places.state, ignore=config.ignore, cap=config.write_cap, keep_days=config.undo_days, lock_timeout=config.lock_timeout
    )
    return App(found, config, places, files, now, clock, session, files.recover())


@dataclass
class App:
    """One vault, its stores and its settings. Close it, or use it in a `with`."""

    root: Path
    config: Config
    places: Places
    files: FileStore
    now: Callable[[], datetime]
    clock: Callable[[], datetime]
    session: str = ""
    recovered: list[str] = field(default_factory=list)
    _cache: Cache | None = None
    memo: dict[Hashable, Any] = field(default_factory=dict)  # what callers worked out of the vault as it was at the last sync
    _indexes: tuple[SearchIndex, BulletIndex] | None = None
    _vectors: Vectors | None = None
    _choice: Choice | None = None
    _manifest: dict[str, Row] | None = None
    _snapshot: Snapshot | None = None
    _heads: dict[str, Head] | None = None
    _rules: Rules | None = None
    _activity: ActivityLog | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the cache's file."""
        if self._cache is not None:
            self._cache.close()
            self._cache = None

    # -- stores, opened when first needed

    @property
    def cache(self) -> Cache:
        """Parsed notes; emptied when the rules that they were parsed by have changed."""
        if self._cache is None:
            self._cache = Cache(self.places.cache, timeout=self.config.lock_timeout)
            stamp = repr((__version__, layout(), self.rules))
            if self._cache.meta("rules") != stamp:
                self._cache.store((), list(self._cache.manifest()))
                self._cache.remember("rules", stamp)
        return self._cache

    @property
    def search(self) -> SearchIndex:
        """The index of notes by words."""
        return self._opened()[0]

    @property
    def bullets(self) -> BulletIndex:
        """The index of bullets and dated paragraphs by words."""
        return self._opened()[1]

    def _opened(self) -> tuple[SearchIndex, BulletIndex]:
        """Both indexes, in step with the cache: when one had to be made anew, every note is marked for indexing in both."""
        if self._indexes is None:
            search = SearchIndex(self.places.cache, wait=self.config.lock_timeout)
            bullets = BulletIndex(self.places.cache, wait=self.config.lock_timeout)
            if self._out_of_step(search, bullets):
                with self.cache.lock():  # another process may be between the two: look again when it is done
                    if self._out_of_step(search, bullets):
                        search.clear()
                        bullets.clear()
                        self.cache.forget_index()
                        self._manifest = None
            self._indexes = (search, bullets)
        return self._indexes

    def _out_of_step(self, search: SearchIndex, bullets: BulletIndex) -> bool:
        # The bullet index is opened when it is first asked: most processes need only know that it is there.
        return search.open() or not bullets.made or {search.generation, bullets.generation} != {self.cache.meta("generation")}

    # -- meaning

    @property
    def vectors(self) -> Vectors:
        """The semantic index. Asking for it imports numpy: ask `embedded` first."""
        if self._vectors is None:
            from vaultkit.store.vectors import Vectors

            self._vectors = Vectors(self.places.cache)
        return self._vectors

    @property
    def embedded(self) -> bool:
        """Has any note a vector yet?"""
        return any(self.places.cache.glob("vectors-*/vectors.json"))

    @property
    def warm(self) -> bool:
        """Is a model loaded in this process, so that a query costs milliseconds?"""
        return self._choice is not None and self._choice.works

    def embedder(self) -> Choice:
        """The embedder that holds by the settings, and why not another. `auto` keeps to the model whose vectors are there while it answers."""
        if self._choice is None:
            from vaultkit.store.models import choose_embedder, embedded_name

            config = self.config
            setting, model = config.embedder, config.embed_model
            if setting == "auto" and not model and self.embedded and (name := self.vectors.model.name):
                short = embedded_name(name)
                setting, model = ("embedded", short) if short else (setting, name)
            choice = choose_embedder(setting, model=model, host=config.ollama_host, timeout=config.model_timeout)
            if not choice.works and setting != config.embedder:
                choice = choose_embedder(config.embedder, host=config.ollama_host, timeout=config.model_timeout)
            if not choice.works:  # asked again next time: a server may be started meanwhile
                return choice
            self._choice = choice
        return self._choice

    def forget_embedder(self) -> None:
        """It does not answer any more: choose anew when one is needed next."""
        self._choice = None

    def embeddable(self) -> dict[str, str]:
        """The notes that should have a vector: path → fingerprint of the text that it stands for."""
        self.manifest()
        found: dict[str, str] | None = self.memo.get("embeddable")
        if found is None:
            found = self.memo["embeddable"] = {path: head.vector for path, head in self.heads().items() if head.vector}
        return found

    def count_embeddable(self) -> int:
        """How many these are, without a look at each."""
        return sum(1 for path, row in self.manifest().items() if row.kind == NOTE and not self.rules.is_template(path))

    def coverage(self) -> Coverage:
        """How many notes should have a current vector, and how many have one."""
        return self.vectors.coverage(self.embeddable())

    def embed(self, limit_seconds: float | None = None, progress: Progress | None = None, *, anew: bool = True) -> Updated:
        """Give every note its vector, of the notes as of the last sync. Not *anew*: vectors of another model stay when `auto` found them."""
        from vaultkit.store.vectors import Updated

        choice = self.embedder()
        problem = ""
        if not choice.works:
            problem = "; ".join(choice.problems) or getattr(choice.embedder, "reason", "nothing embeds here")
        elif not anew and self.config.embedder == "auto" and len(self.vectors) and not self.vectors.fits(choice.embedder):
            theirs, ours = self.vectors.model.name, choice.embedder.name
            problem = f"the vectors are of {theirs}, which does not answer; `vaultkit sync --embed` makes them anew with {ours}"
        if problem:
            found = self.coverage()
            left = found.should - found.current
            return Updated(left, 0, 0, 0, left, found.failed, 0.0, problem)
        return self.vectors.update(self.embeddable(), self._passage, choice.embedder, limit_seconds=limit_seconds, progress=progress)

    def embedding_stamp(self) -> str:
        """What the vectors depend on, as of the last sync: while it stays, they need no look at every note."""
        trace = next(((found.st_ino, found.st_mtime_ns) for found in map(Path.stat, self.places.cache.glob("vectors-*/vectors.json"))), ())
        return repr((self.cache.meta("generation"), self.config.embedder, self.config.embed_model, self.config.ollama_host, trace))

    def _passage(self, path: str) -> str:
        parsed, text = self.read(path)
        return passage(parsed.title, text[parsed.body :])

    @property
    def activity(self) -> ActivityLog:
        """What happened: shown, opened, judged."""
        if self._activity is None:
            self._activity = ActivityLog(self.places.state)
        return self._activity

    @property
    def rules(self) -> Rules:
        """What parsing depends on beside the file."""
        if self._rules is None:
            config = self.config
            folders = (
                (config.inbox_folder, "braindump"),
                (config.learnings_folder, "learning"),
                (config.people_folder, "person"),
                (config.runbooks_folder, "runbook"),
                (config.trackers_folder, "tracker"),
            )
            self._rules = Rules(
                daily=self.daily,
                folders=tuple((folder, kind) for folder, kind in folders if folder),
                templates=str(self._obsidian("templates.json")[0].get("folder") or config.templates_folder).strip("/"),
                date_property=config.date_property,
                agenda=agenda_settings(config),
                max_bytes=config.max_note_mb * 1_000_000,
            )
        return self._rules

    @property
    def daily(self) -> Daily:
        """Daily notes by `.obsidian/daily-notes.json`, else by our settings."""
        found, problem = self._obsidian("daily-notes.json")
        config = self.config
        if not found:
            return Daily(config.daily_folder, config.daily_format, config.daily_template.removesuffix(".md"), problem)
        # Obsidian's own defaults hold for what its file leaves out.
        return Daily(
            folder=str(found.get("folder") or "").strip("/"),
            pattern=str(found.get("format") or "YYYY-MM-DD"),
            template=str(found.get("template") or "").removesuffix(".md"),
            problem=problem,
        )

    @property
    def template_formats(self) -> tuple[str, str]:
        """Date and time formats of template variables, by `.obsidian/templates.json`."""
        found, _ = self._obsidian("templates.json")
        return str(found.get("dateFormat") or "YYYY-MM-DD"), str(found.get("timeFormat") or "HH:mm")

    def _obsidian(self, name: str) -> tuple[dict[str, Any], str]:
        data = self.files.setting(name)
        if data is None:
            return {}, ""
        try:
            found = json.loads(data.decode("utf-8-sig"))
        except ValueError as error:
            return {}, f".obsidian/{name} is no JSON ({error}); vaultkit's own settings are used"
        return (found, "") if isinstance(found, dict) else ({}, f".obsidian/{name} is no object; vaultkit's own settings are used")

    # -- sync

    def sync(self, progress: Progress | None = None) -> Synced:
        """Bring the cache and the indexes by words up to date with the files. Writes no note, ever."""
        try:
            return self._sync(progress)
        except IndexUnavailableError:
            # Deleted or damaged under a running process: everything derived can be made again, so do that, once.
            self.reset()
            return self._sync(progress)

    def reset(self) -> None:
        """Close what is derived; it is opened, or made, anew when it is needed next."""
        self.close()
        for index in self._indexes or ():
            index.close()
        self._indexes = None
        self._vectors = None
        self._forget()

    def _sync(self, progress: Progress | None) -> Synced:
        started = time.perf_counter()
        search, bullets = self._opened()  # first: when one was lost, the manifest says so
        walk = self.files.walk()
        work = self._work(walk.entries)
        skipped = list(walk.skipped)
        changed, removed = len(work.changed), len(work.removed)
        if work.needed:
            with self.cache.lock():
                # Another process may have done it meanwhile.
                work = self._work(walk.entries)
                if work.needed:
                    skipped += self._refresh(search, bullets, work, progress)
        rows = self.manifest().values()
        skipped += [Skip(row.path, "is a conflict copy: not indexed") for row in rows if row.kind == COPY]
        skipped += [Skip(row.path, row.hash) for row in rows if row.kind == UNREADABLE]
        count = sum(1 for row in rows if row.kind == NOTE)
        return Synced(count, changed, removed, time.perf_counter() - started, tuple(skipped))

    def _work(self, walked: Sequence[Entry]) -> _Work:
        """What differs between the files and what is derived from them."""
        manifest = self.manifest()
        entries = {entry.path: entry for entry in walked}
        changed = [entry for entry in walked if not _same(manifest.get(entry.path), entry)]
        wanted, gone = self.cache.pending()
        again = [entries[path] for path in wanted if path in entries and _same(manifest[path], entries[path])]
        return _Work(changed, again, [path for path in manifest if path not in entries], gone, entries)

    def _refresh(self, search: SearchIndex, bullets: BulletIndex, work: _Work, progress: Progress | None) -> list[Skip]:
        manifest = self.manifest()
        seen = self.cache.seen([entry.path for entry in (*work.changed, *work.again)])
        jobs = [
            Job(
                entry,
                manifest[entry.path].hash if entry.path in manifest else "",
                seen.get(entry.path, b""),
                names.conflict_copy_of(entry.path, work.entries) is not None,
            )
            for entry in work.changed
        ]
        jobs += [Job(entry, "", seen.get(entry.path, b"")) for entry in work.again]
        skipped: list[Skip] = []
        indexed: list[tuple[str, str]] = []
        lists: list[Listed] = []
        plain: list[str] = []
        finished = 0

        def done(count: int) -> None:
            nonlocal finished
            finished += count
            if progress is not None:
                progress(finished, len(jobs))

        def docs() -> Iterator[Doc]:
            # The cache is written chunk by chunk as the search index reads on: neither ever holds the whole vault.
            for results in parse_files(self.files, self.rules, jobs, workers=self.config.workers, done=done):
                self.cache.store(
                    [result.parsed for result in results if result.parsed],
                    [result.skip.path for result in results if result.skip and result.skip.path in manifest],
                    [result.touched for result in results if result.touched],
                )
                skipped.extend(result.skip for result in results if result.skip)
                for result in results:
                    if result.doc is not None and result.parsed is not None:
                        if result.listed is not None:
                            lists.append(result.listed)
                        else:
                            plain.append(result.doc.path)
                        if len(lists) == _LISTS_AT_ONCE:
                            bullets.update(lists)  # of no generation before the last one
                            lists.clear()
                        indexed.append((result.doc.path, result.parsed.row.hash))
                        yield result.doc

        self.cache.store((), work.removed)
        gone = self.cache.pending()[1]
        collecting = gc.isenabled()
        gc.disable()  # a bulk load makes many objects and no garbage
        try:
            stream = docs()
            first = next(stream, None)  # worker processes are forked before the index starts its threads
            generation = uuid.uuid4().hex
            search.update(() if first is None else itertools.chain((first,), stream), gone, generation=generation)
            bullets.update(lists, [*plain, *gone], generation=generation)
        finally:
            if collecting:
                gc.enable()
        self.cache.mark_indexed(indexed, gone, generation)
        self._forget()
        return skipped

    def manifest(self) -> dict[str, Row]:
        """Every visible file as it was at the last sync."""
        if self._manifest is None or self.cache.changed_elsewhere():
            self._forget()
            self._manifest = self.cache.manifest()
        return self._manifest

    def _forget(self) -> None:
        self._manifest = None
        self._snapshot = None
        self._heads = None
        self.memo.clear()

    # -- what the vault holds (as of the last sync)

    def heads(self) -> dict[str, Head]:
        """The small part of every note, by path."""
        self.manifest()
        if self._heads is None:
            self._heads = {path: Head.unpack(data) for path, data in self.cache.heads().items()}
        return self._heads

    def head(self, paths: Sequence[str]) -> dict[str, Head]:
        """The small part of these notes."""
        if self._heads is not None:
            return {path: self._heads[path] for path in paths if path in self._heads}
        return {path: Head.unpack(data) for path, data in self.cache.head(paths).items()}

    def snapshot(self) -> Snapshot:
        """Every note, whole."""
        manifest = self.manifest()
        if self._snapshot is None:
            collecting = gc.isenabled()
            gc.disable()
            try:
                blobs = self.cache.notes()
                notes = {path: note.from_row(marshal.loads(data)) for path, data in blobs.items() if manifest[path].kind == NOTE}  # noqa: S302 - our own cache
            finally:
                if collecting:
                    gc.enable()
            canvases = {path: to_text(data) for path, data in blobs.items() if manifest[path].kind == CANVAS}
            self._snapshot = Snapshot(notes, frozenset(manifest), canvases)
        return self._snapshot

    def rows(self, paths: Sequence[str]) -> list[recall.Row]:
        """What recall scores of these notes."""
        return [recall.Row.unpack(path, data) for path, data in self.cache.records(paths).items()]

    def extracts(self) -> dict[str, agenda.Extract]:
        """What lookahead and lint read, of the notes that have any."""
        return {path: agenda.extract_from_row(path, marshal.loads(data)) for path, data in self.cache.extracts().items()}  # noqa: S302 - our own cache

    def seen(self, path: str) -> dict[str, agenda.Seen]:
        """What the items of a note said when field and body last agreed, by id."""
        return unpack_seen(self.cache.seen([path]).get(path, b""))

    def read(self, path: str) -> tuple[Note, str]:
        """A note and its text, as they are on disk now."""
        return parse_one(self.files, path)

    def find(self, name: str) -> str:
        """The path of the note that *name* (a path or a link name) means. Raises NoteNotFoundError with near names."""
        return name if self.files.exists(name) and name in self.manifest() else graph.find_note(self.snapshot(), name)

    def commit(self, edits: Sequence[Edit], *, command: str) -> Applied:
        """Apply *edits* and bring what is derived up to date."""
        applied = self.files.apply(edits, command=command, session=self.session, now=self.clock())
        if touched(edits):
            self.sync()
        return applied


def _same(row: Row | None, entry: Entry) -> bool:
    return row is not None and row.mtime_ns == entry.mtime_ns and row.size == entry.size


def agenda_settings(config: Config) -> agenda.Settings:
    """The part of the settings that the agenda engine takes as an argument."""
    from vaultkit.text.dates import DatePolicy

    month, _, day = config.fiscal_year_end.partition("-")
    return agenda.Settings(
        action_items=config.action_items_property,
        trackers=config.trackers_property,
        due=config.due_property,
        date=config.date_property,
        more=tuple(config.deadline_properties),
        policy=DatePolicy(day_first=config.day_first, week_ends=config.week_ends, fiscal_year_end=(int(month), int(day))),
    )
