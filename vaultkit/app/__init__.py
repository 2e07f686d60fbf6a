"""The only place that opens stores and reads Config: sync, the Snapshot, and commit.

`sync` brings everything derived up to date with the files; `commit` applies edits and then syncs what they touched. Nothing here knows
what a command means: that is `operations`.
"""

from __future__ import annotations

import gc
import itertools
import json
import logging
import marshal
import os
import time
import uuid
import zlib
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar

from vaultkit import __version__, agenda
from vaultkit.app import live
from vaultkit.app.parsing import (
    CANVAS,
    COPY,
    NOTE,
    UNREADABLE,
    Daily,
    Head,
    Job,
    Rules,
    layout,
    outline_files,
    parse_files,
    parse_one,
    unpack_note,
    unpack_seen,
)
from vaultkit.config import Config, Places, find_vault, here, load, remote_vault
from vaultkit.errors import IndexUnavailableError, NoteChangedError, NoteNotFoundError, VaultBusyError
from vaultkit.store.activity import ActivityLog
from vaultkit.store.bullets import BulletIndex, Listed
from vaultkit.store.cache import Cache, Row
from vaultkit.store.files import Applied, DiskError, Entry, FileStore, Skip, ignorer
from vaultkit.store.search import Doc, SearchIndex
from vaultkit.store.sessions import SessionFiles
from vaultkit.store.vault import VaultStore
from vaultkit.text import names
from vaultkit.text.edit import Create, Edit, to_text, touched
from vaultkit.text.note import Note
from vaultkit.text.passages import passage

if TYPE_CHECKING:
    from vaultkit.store.models import Choice
    from vaultkit.store.numbers import Numbers
    from vaultkit.store.vectors import Coverage, Updated, Vectors

if TYPE_CHECKING:  # a command that needs none of them should not wait for them
    from vaultkit.dql.dates import Zone
    from vaultkit.dql.outline import Outline
    from vaultkit.dql.pages import Pages
    from vaultkit.graph import Snapshot
    from vaultkit.recall import Row as Record

__all__ = ["UNREADABLE", "App", "Daily", "Head", "Rules", "Synced", "open_app"]

log = logging.getLogger(__name__)

T = TypeVar("T")
Progress = Callable[[int, int], None]

# What decoding of a damaged row may raise.
_DAMAGED = (zlib.error, ValueError, TypeError, EOFError, LookupError, AttributeError)

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
    if root is None and (url := remote_vault(vault)):
        return _open_remote(url, now, clock, session, flags)
    found = root or find_vault(vault, cwd=cwd or here())
    config = load(found, flags=flags)
    places = Places.of(found)
    files = FileStore(
        found, places.state, ignore=config.ignore, cap=config.write_cap, keep_days=config.undo_days, lock_timeout=config.lock_timeout
    )
    return App(found, config, places, files, now, clock, session, files.recover())


def _open_remote(url: str, now: Callable[[], datetime], clock: Callable[[], datetime], session: str, flags: dict[str, Any] | None) -> App:
    """A vault behind an address: everything derived is kept here, the notes are there."""
    from vaultkit.store.obsidian import ObsidianStore

    config, places = load(None, flags=flags), Places.remote(url)
    client, told = live.remote_client(url, config, places)
    places.root.mkdir(mode=0o700, parents=True, exist_ok=True)
    files = ObsidianStore(client, places.root, ignored=ignorer(config.ignore), now=now)
    return App(places.root, config, places, files, now, clock, session, [told] if told else [])


@dataclass
class App:
    """One vault, its stores and its settings. Close it, or use it in a `with`."""

    root: Path
    config: Config
    places: Places
    files: VaultStore
    now: Callable[[], datetime]
    clock: Callable[[], datetime]
    session: str = ""
    recovered: list[str] = field(default_factory=list)
    waiting: Callable[[], AbstractContextManager[None]] = nullcontext  # entered while a caller waits for the outside: others may go on
    unchanged: Callable[[], bool] = lambda: False  # does the caller know that no file changed since the last sync?
    last_walk: float = float("-inf")  # when the last complete sync began to look, by time.monotonic
    _synced: Synced | None = None
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
    _numbers: Numbers | None = None
    _sessions: SessionFiles | None = None
    connected: live.Connection | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the cache's file."""
        if self._cache is not None:
            self._cache.close()
            self._cache = None
        if self.connected is not None and self.connected.client is not None:
            self.connected.client.close()
        self.connected = None
        self.files.close()

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

    def use_embedder(self, choice: Choice) -> None:
        """Take this one, whatever the settings say."""
        self._choice = choice

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
    def numbers(self) -> Numbers:
        """The highest numbers of records, and the lock under which a new one is given."""
        if self._numbers is None:
            from vaultkit.store.numbers import Numbers

            self._numbers = Numbers(self.places.state, timeout=max(60.0, self.config.lock_timeout))
        return self._numbers

    @property
    def sessions(self) -> SessionFiles:
        """What happened in each session of a harness."""
        if self._sessions is None:
            self._sessions = SessionFiles(self.places.state)
        return self._sessions

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
                (config.skills_folder, "skill"),
            )
            self._rules = Rules(
                daily=self.daily,
                folders=tuple((folder, kind) for folder, kind in folders if folder),
                templates=(_word(self.obsidian("templates.json")[0], "folder") or config.templates_folder).strip("/"),
                date_property=config.date_property,
                agenda=agenda_settings(config),
                max_bytes=config.max_note_mb * 1_000_000,
            )
        return self._rules

    @property
    def daily(self) -> Daily:
        """Daily notes by `.obsidian/daily-notes.json`, else by our settings."""
        found, problem = self.obsidian("daily-notes.json")
        config = self.config
        ways = [(Daily(config.daily_folder, config.daily_format, config.daily_template.removesuffix(".md")), "daily_folder, daily_format")]
        if found:
            # Obsidian's own defaults hold for what its file leaves out.
            folder, pattern, template = (_word(found, name) for name in ("folder", "format", "template"))
            theirs = Daily(folder.strip("/"), pattern or "YYYY-MM-DD", template.removesuffix(".md"))
            ways.insert(0, (theirs, ".obsidian/daily-notes.json"))
        for way, named in ways:
            why = self._why_no_path(way.path(self.now().date()))
            if not why:
                return way._replace(problem=problem)
            problem = problem or f"{named} cannot be followed: {why}"
        return Daily("daily", "YYYY-MM-DD", "", problem)

    def _why_no_path(self, path: str) -> str:
        """Why no note can be made at *path*; empty when one can. Folders that stand may have any name."""
        parts = path.split("/")
        for depth, part in enumerate(parts, 1):
            if not part or part.startswith("."):
                return f"{path!r} is not inside the vault"
            here = "/".join(parts[:depth])
            standing = self.root / here
            if depth < len(parts) and os.path.isdir(standing):  # noqa: PTH112 - Path.is_dir raises for names that are too long
                continue
            if depth < len(parts) and os.path.exists(standing):  # noqa: PTH110
                return f"{here} is a file"
            if why := names.why_unsafe(part):
                return f"{part!r} is no safe file name: it {why}"
        return ""

    @property
    def template_formats(self) -> tuple[str, str]:
        """Date and time formats of template variables, by `.obsidian/templates.json`."""
        found, _ = self.obsidian("templates.json")
        return _word(found, "dateFormat") or "YYYY-MM-DD", _word(found, "timeFormat") or "HH:mm"

    def obsidian(self, name: str) -> tuple[dict[str, Any], str]:
        """What the file *name* of `.obsidian/` says, and what is wrong with it; nothing in it can stop a command."""
        try:
            data = self.files.setting(name)
            found = json.loads(data.decode("utf-8-sig")) if data is not None else {}
        except DiskError as error:
            return {}, f"{error.message}; vaultkit's own settings are used"
        except (ValueError, RecursionError) as error:
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

    def _derived(self, read: Callable[[], T]) -> T:
        """What *read* makes of the cache. Rows that another process changes meanwhile are read again, damaged ones are made again."""
        for _ in range(3):
            try:
                return read()
            except _DAMAGED:
                if not self.cache.changed_elsewhere():
                    break
                self._forget()
        log.warning("the cache at %s is damaged; it is made anew from the notes", self.places.cache)
        with self.cache.lock():
            self.cache.store((), list(self.cache.manifest()))
        self._forget()
        self.sync()
        return read()

    def reset(self) -> None:
        """Close what is derived; it is opened, or made, anew when it is needed next."""
        self.close()
        for index in self._indexes or ():
            index.close()
        self._indexes = None
        self._vectors = None
        self._synced = None
        self._forget()

    def _sync(self, progress: Progress | None) -> Synced:
        if self._synced is not None and self.unchanged():
            return self._synced._replace(changed=0, removed=0, seconds=0.0)
        started, looked = time.perf_counter(), time.monotonic()
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
        self.last_walk = looked
        self._synced = Synced(count, changed, removed, time.perf_counter() - started, tuple(skipped))
        return self._synced

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
            for results in parse_files(
                self.files, self.rules, jobs, workers=self.config.workers if isinstance(self.files, FileStore) else 1, done=done
            ):
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
        return self._derived(self._all_heads)

    def _all_heads(self) -> dict[str, Head]:
        manifest = self.manifest()
        if self._heads is None:
            heads = {path: Head.unpack(data) for path, data in self.cache.heads().items()}
            _check_whole(heads, manifest)
            self._heads = heads
        return self._heads

    def head(self, paths: Sequence[str]) -> dict[str, Head]:
        """The small part of these notes."""
        if self._heads is not None:
            return {path: self._heads[path] for path in paths if path in self._heads}
        return self._derived(lambda: self._heads_of(paths))

    def _heads_of(self, paths: Sequence[str]) -> dict[str, Head]:
        manifest = self.manifest()
        heads = {path: Head.unpack(data) for path, data in self.cache.head(paths).items()}
        _check_whole(heads, {path: manifest[path] for path in paths if path in manifest})
        return heads

    def snapshot(self) -> Snapshot:
        """Every note, whole."""
        return self._derived(self._whole)

    def _whole(self) -> Snapshot:
        manifest = self.manifest()
        if self._snapshot is None:
            collecting = gc.isenabled()
            gc.disable()
            try:
                blobs = self.cache.notes()
                notes = {path: unpack_note(data) for path, data in blobs.items() if manifest[path].kind == NOTE}
            finally:
                if collecting:
                    gc.enable()
            _check_whole(notes, manifest)
            canvases = {path: to_text(data) for path, data in blobs.items() if manifest[path].kind == CANVAS}
            from vaultkit.graph import Snapshot

            self._snapshot = Snapshot(notes, frozenset(manifest), canvases)
        return self._snapshot

    def parsed(self, paths: Sequence[str]) -> dict[str, Note]:
        """These notes, whole, as they were at the last sync."""
        return self._derived(lambda: {path: unpack_note(data) for path, data in self.cache.note(paths).items()})

    def rows(self, paths: Sequence[str]) -> list[Record]:
        """What recall scores of these notes."""
        from vaultkit.recall import Row as Record

        return self._derived(lambda: [Record.unpack(path, data) for path, data in self.cache.records(paths).items()])

    def extracts(self) -> dict[str, agenda.Extract]:
        """What lookahead and lint read, of the notes that have any."""
        return self._derived(
            lambda: {path: agenda.extract_from_row(path, marshal.loads(data)) for path, data in self.cache.extracts().items()}  # noqa: S302 - our own cache
        )

    def pages(self, zone: Zone, progress: Progress | None = None, snapshot: Snapshot | None = None) -> Pages:
        """The notes as queries see them, as of the last sync, or those of a part of them. Texts are read for what no earlier query needed, once."""
        snapshot = snapshot or self.snapshot()
        key = ("pages", zone.kind, zone.name)
        pages: Pages | None = self.memo.get(key)
        if pages is None or pages.snapshot is not snapshot:
            from vaultkit.dql.outline import EMPTY, from_row
            from vaultkit.dql.pages import Clock, Pages, Stat

            packed: dict[str, bytes] = {}

            def all_packed() -> dict[str, bytes]:
                if not packed:
                    packed.update(self._outlines(progress))
                return packed

            def outline(path: str) -> Outline:
                data = all_packed().get(path)
                return from_row(marshal.loads(zlib.decompress(memoryview(data)[1:]))) if data else EMPTY  # noqa: S302 - our own cache

            def written() -> list[str]:
                return [path for path, data in all_packed().items() if data.startswith(b"w")]

            def stat(path: str) -> Stat:
                return Stat(*self.files.times(path))

            bookmarks = self.obsidian("bookmarks.json")[0]
            starred = frozenset(_starred(bookmarks.get("items")))
            pages = Pages(snapshot, outline=outline, stat=stat, moment=Clock(0, zone), starred=starred, written=written)
            self.memo[key] = pages
        return pages

    def _outlines(self, progress: Progress | None) -> dict[str, bytes]:
        """By path, of all notes; made where they are missing."""
        from vaultkit.dql.outline import VERSION

        if self.cache.meta("outlines") != str(VERSION):
            self.cache.forget_outlines()
            self.cache.remember("outlines", str(VERSION))
        found = self._derived(self.cache.outlines)
        missing = [path for path, row in self.manifest().items() if row.kind == NOTE and path not in found]
        done = 0

        def report(count: int) -> None:
            nonlocal done
            done += count
            if progress is not None:
                progress(done, len(missing))

        for made in outline_files(self.files, missing, workers=self.config.workers, done=report):
            found.update((path, data) for path, _, data in made)
            self.cache.keep_outlines(made)
        if missing:
            self.cache.changed_elsewhere()  # these writes are ours
        return found

    def seen(self, path: str) -> dict[str, agenda.Seen]:
        """What the items of a note said when field and body last agreed, by id."""
        return self._derived(lambda: unpack_seen(self.cache.seen([path]).get(path, b"")))

    def read(self, path: str) -> tuple[Note, str]:
        """A note and its text, as they are on disk now."""
        return parse_one(self.files, path)

    def find(self, name: str) -> str:
        """The path of the note that *name* (a path or a link name) means. Raises NoteNotFoundError with near names."""
        name = self.vault_path(name)
        if self.files.exists(name) and name in self.manifest():
            return name
        from vaultkit.graph import find_note

        return find_note(self.snapshot(), name)

    def vault_path(self, word: str) -> str:
        """*word* as a path in the vault: people and agents also give absolute ones, and `./` before them. Anything else stays as it is."""
        if "\0" in word or word.startswith("[["):
            return word
        if word.startswith("/"):
            folder, name = os.path.split(word.rstrip("/"))
            real = os.path.join(os.path.realpath(folder), name)  # noqa: PTH118 - as above
            inside = real.removeprefix(f"{self.files.root}/")
            return word if inside == real else inside + "/" * word.endswith("/")
        while word.startswith("./"):
            word = word[2:].lstrip("/")
        return word

    def commit(self, edits: Sequence[Edit], *, command: str) -> Applied:
        """Apply *edits* and bring what is derived up to date."""
        try:
            applied = live.apply(self, edits, command=command)
        except NoteNotFoundError as error:
            # It was there when the edit was computed from it: moved away since is one way of having changed.
            gone = next((edit.path for edit in edits if not isinstance(edit, Create) and not self.files.exists(edit.path)), "")
            raise (NoteChangedError(gone) if gone else error) from error
        if touched(edits):
            self.catch_up()
        return applied

    def catch_up(self) -> None:
        """Sync after a write. When that cannot be done now the write stands all the same, and the next command does it."""
        try:
            self.sync()
        except (IndexUnavailableError, VaultBusyError) as error:
            log.warning("written, but not yet indexed: %s", error.message)


def _word(found: dict[str, Any], name: str) -> str:
    """A text of Obsidian's settings; what is of another type is as good as missing."""
    value = found.get(name)
    return value if isinstance(value, str) else ""


def _starred(items: object) -> Iterator[str]:
    """Files of Obsidian's bookmarks, those in groups included."""
    waiting = [items]
    while waiting:
        group = waiting.pop()
        for item in group if isinstance(group, list) else ():
            if isinstance(item, dict):
                if item.get("type") == "file" and isinstance(path := item.get("path"), str):
                    yield path
                waiting.append(item.get("items"))


def _check_whole(read: dict[str, Any], manifest: dict[str, Row]) -> None:
    """Raise LookupError unless there is one entry for each note."""
    notes = sum(1 for row in manifest.values() if row.kind == NOTE)
    if len(read) != notes:
        raise LookupError(f"{len(read)} of {notes} notes")


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
