"""What one file becomes when it is synced: cache rows and a search document. Runs in worker processes when many files changed."""

from __future__ import annotations

import gc
import marshal
import os
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from typing import NamedTuple

from vaultkit import agenda
from vaultkit.errors import VaultkitError
from vaultkit.records.status import read_status
from vaultkit.store.bullets import Listed, listed
from vaultkit.store.cache import Parsed, Row
from vaultkit.store.files import Entry, Skip
from vaultkit.store.search import Doc
from vaultkit.store.vault import VaultStore
from vaultkit.text import bullets, moment, note, tokens
from vaultkit.text.edit import hash_of, to_text
from vaultkit.text.markdown import Bullet, Heading, InlineField, Link
from vaultkit.text.note import Note
from vaultkit.text.passages import fingerprint, passage
from vaultkit.text.values import strings

OTHER, NOTE, CANVAS, UNREADABLE, COPY = range(5)

# Parsing must not depend on the day; the merge needs one only for the ✅ of a ticked item, which here is read and never written.
_NO_DAY = date.min

# Below this many changed files a second process costs more than it saves.
_PARALLEL_FROM = 300
# facts/speed.md: chunks of at most 64 files keep both workers busy to the end.
_CHUNK = 48


class Head(NamedTuple):
    """The small part of a note that lists, capture and search results need."""

    title: str
    description: str
    tags: tuple[str, ...]
    aliases: tuple[str, ...]
    type: str
    status: str
    scope: str
    date: str
    ids: tuple[str, ...]  # every 🆔 of its tasks and fields
    stale: bool  # no word of the description stands in the note any more
    vector: str = ""  # fingerprint of the text that its vector should stand for, "" for templates
    successor: str = ""  # what it names as standing in its place: a link target

    def pack(self) -> bytes:
        """Bytes for the cache."""
        return marshal.dumps(tuple(self))

    @classmethod
    def unpack(cls, data: bytes) -> Head:
        """The reverse of `pack`."""
        return cls(*marshal.loads(data))  # noqa: S302 - our own cache


class Daily(NamedTuple):
    """How this vault names its daily notes."""

    folder: str
    pattern: str
    template: str  # path without .md, "" for none
    problem: str = ""

    def path(self, day: date) -> str:
        """The vault-relative path of that day's note."""
        name = moment.format_moment(day, self.pattern)
        return f"{self.folder}/{name}.md" if self.folder else f"{name}.md"

    def day_of(self, path: str) -> date | None:
        """The day that a daily note's path names, None for every other path."""
        if self.folder and not path.startswith(self.folder + "/"):
            return None
        stem = path[len(self.folder) + 1 if self.folder else 0 :].removesuffix(".md")
        return moment.parse_moment(stem, self.pattern)


class Rules(NamedTuple):
    """What parsing depends on beside the file: when it changes, everything is parsed again."""

    daily: Daily
    folders: tuple[tuple[str, str], ...]  # folder, type of the notes in it that name none
    templates: str
    date_property: str
    agenda: agenda.Settings
    max_bytes: int

    def type_of(self, parsed: Note) -> str:
        """A note's type: its own word, else by folder, else knowledge (design.md §4)."""
        own = parsed.properties.get("type")
        if isinstance(own, str) and own.strip():
            return own.strip()
        if self.is_template(parsed.path):
            return "template"
        if self.daily.day_of(parsed.path) is not None:
            return "daily"
        return next((kind for folder, kind in self.folders if parsed.path.startswith(folder + "/")), "knowledge")

    def is_template(self, path: str) -> bool:
        """Does *path* lie in the templates folder?"""
        return bool(self.templates) and path.startswith(self.templates + "/")

    def is_ranked(self, path: str, kind: str) -> bool:
        """Does a search that names no type find this note? Daily notes and templates it does not (memory.md M12)."""
        return kind not in {"daily", "template"} and not self.is_template(path) and self.daily.day_of(path) is None


class Job(NamedTuple):
    """One changed file: what it was before (its hash, "" when new), what its items said when field and body last agreed, is it a conflict copy."""

    entry: Entry
    before: str = ""
    seen: bytes = b""
    copy: bool = False


class Result(NamedTuple):
    """What came of one file. *doc* is None for what search does not hold, *listed* for a note that is no list."""

    parsed: Parsed | None = None
    doc: Doc | None = None
    touched: Row | None = None
    skip: Skip | None = None
    listed: Listed | None = None


def parse_files(
    files: VaultStore, rules: Rules, jobs: Sequence[Job], *, workers: int, done: Callable[[int], None]
) -> Iterator[list[Result]]:
    """Parse *jobs* in chunks; many of them in worker processes. *done* gets the number of files of each finished chunk."""
    notes = sum(1 for job in jobs if _is_note(job.entry.path))
    wanted = workers or min(os.cpu_count() or 1, 4)
    chunks = [jobs[at : at + _CHUNK] for at in range(0, len(jobs), _CHUNK)]
    if notes < _PARALLEL_FROM or wanted < 2:
        for chunk in chunks:
            yield _parse_chunk(files, rules, chunk)
            done(len(chunk))
        return
    import multiprocessing  # 20 ms, and most syncs read a few files

    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    with context.Pool(wanted, _start, (files, rules)) as pool:
        for chunk, results in zip(chunks, pool.imap(_work, chunks), strict=True):
            yield results
            done(len(chunk))


def outline_files(files: FileStore, paths: Sequence[str], *, workers: int, done: Callable[[int], None]) -> Iterator[list[Outlined]]:
    """What queries need of these notes, in chunks; of many in worker processes. Notes that cannot be read are left out."""
    wanted = workers or min(os.cpu_count() or 1, 4)
    chunks = [paths[at : at + _CHUNK] for at in range(0, len(paths), _CHUNK)]
    if len(paths) < _PARALLEL_FROM or wanted < 2:
        for chunk in chunks:
            yield _outline_chunk(files, chunk)
            done(len(chunk))
        return
    import multiprocessing  # 20 ms, and most queries find nothing missing

    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    with context.Pool(wanted) as pool:
        for chunk, results in zip(chunks, pool.imap(partial(_outline_chunk, files), chunks), strict=True):
            yield results
            done(len(chunk))


Outlined = tuple[str, str, bytes]  # path, hash, packed outline


def _outline_chunk(files: FileStore, paths: Sequence[str]) -> list[Outlined]:
    from vaultkit.dql import outline  # a process that asks nothing in DQL does without

    made: list[Outlined] = []
    for path in paths:
        try:
            parsed, text = parse_one(files, path)
        except (VaultkitError, OSError):
            continue
        found = outline.outline(parsed, text)
        made.append((path, parsed.hash, (b"w" if found.written else b" ") + zlib.compress(marshal.dumps(outline.to_row(found)), 1)))
    return made


def layout() -> tuple[tuple[str, ...], ...]:
    """The fields of everything that the cache holds: a cache of another layout is no cache."""
    from vaultkit.recall.index import VERSION

    records = (f"records {VERSION}",)
    return records, *(kind._fields for kind in (Head, Note, Heading, Link, Bullet, InlineField, agenda.Extract, agenda.Item))


def parse_one(files: VaultStore, path: str) -> tuple[Note, str]:
    """A note and its text, as they are on disk now."""
    read = files.read(path)
    text = to_text(read.data)
    return note.parse_note(path, text, hash=read.hash), text


def make_doc(rules: Rules, parsed: Note, words: Counter[str]) -> Doc:
    """The search document of a note; *words* are those of its body."""
    kind = rules.type_of(parsed)
    title = parsed.title if parsed.title == parsed.name else f"{parsed.title} {parsed.name}"
    return Doc(
        path=parsed.path,
        pooled=tokens.pooled(title, parsed.tags, words, parsed.aliases),
        type=kind,
        status=status_of(parsed),
        scope=scope_of(parsed),
        tags=parsed.tags,
        folder=parsed.folder,
        ranked=rules.is_ranked(parsed.path, kind),
    )


def head_of(rules: Rules, parsed: Note, doc: Doc, text: str) -> Head:
    """See `Head`."""
    from vaultkit.recall import successor_of

    dated = parsed.properties.get(rules.date_property)
    said = set(tokens.index_tokens(parsed.description))
    return Head(
        title=parsed.title,
        description=parsed.description,
        tags=parsed.tags,
        aliases=parsed.aliases,
        type=rules.type_of(parsed),
        status=status_of(parsed),
        scope=scope_of(parsed),
        date=dated if isinstance(dated, str) else "",
        ids=agenda.ids_of(parsed, rules.agenda),
        # The search document's tokens are those of title, tags and body: no need to make them again.
        stale=bool(said) and said.isdisjoint(doc.pooled.split()),
        vector="" if rules.is_template(parsed.path) else fingerprint(passage(parsed.title, text[parsed.body :])),
        successor=successor_of(parsed),
    )


def entries_of(rules: Rules, parsed: Note, text: str, doc: Doc) -> Listed | None:
    """What the bullet index holds of a note; None when it is no list."""
    part = "nothing" if rules.is_template(parsed.path) else bullets.part_of(doc.type, text, body=parsed.body)
    if part == "nothing":
        return None
    day = rules.daily.day_of(parsed.path) or _date(parsed.properties.get(rules.date_property))
    found = bullets.bullet_entries(parsed, text, part=part, day=day)
    return listed(parsed.path, found, type=doc.type, status=doc.status) if found else None


def extract_of(rules: Rules, parsed: Note, text: str, last: Mapping[str, agenda.Seen]) -> tuple[agenda.Extract, Mapping[str, agenda.Seen]]:
    """What a note gives to lookahead and lint, and what its items say where field and body agree.

    Where only one side changed since they last agreed, it holds (the Tasks plugin postpones in the body): dates are read from the merged
    text, what has to be written stays a finding of the lint.
    """
    day = rules.daily.day_of(parsed.path)
    if rules.is_template(parsed.path):
        return agenda.NOTHING, {}
    found = agenda.extract(parsed, text, fallback_day=day, settings=rules.agenda)
    if "🆔" not in text:
        return found, {}
    merged = agenda.plan_sync(parsed, text, last, today=_NO_DAY, settings=rules.agenda)
    if merged.text == text:
        return found, merged.seen if not merged.problems else last
    after = note.parse_note(parsed.path, merged.text, hash=parsed.hash)
    settled = agenda.extract(after, merged.text, fallback_day=day, settings=rules.agenda)
    return settled._replace(mismatches=found.mismatches), last


def pack_note(parsed: Note) -> bytes:
    """Bytes for the cache. Compressed a little: all caches together are to stay below 1.2 times the text."""
    return zlib.compress(marshal.dumps(note.to_row(parsed)), 1)


def unpack_note(data: bytes) -> Note:
    """The reverse of `pack_note`."""
    return note.from_row(marshal.loads(zlib.decompress(data)))  # noqa: S302 - our own cache


def pack_seen(seen: Mapping[str, agenda.Seen]) -> bytes:
    """Bytes for the cache, empty for nothing."""
    rows = {key: (_ordinal(item.due), item.time, _ordinal(item.show_from), item.closed, item.mirrored) for key, item in seen.items()}
    return marshal.dumps(rows) if rows else b""


def unpack_seen(data: bytes) -> dict[str, agenda.Seen]:
    """The reverse of `pack_seen`."""
    rows = marshal.loads(data) if data else {}  # noqa: S302 - our own cache
    return {
        key: agenda.Seen(_day(due), time, _day(show_from), closed, mirrored)
        for key, (due, time, show_from, closed, mirrored) in rows.items()
    }


def _date(value: object) -> date | None:
    try:
        return date.fromisoformat(value[:10]) if isinstance(value, str) else None
    except ValueError:
        return None


def _ordinal(day: date | None) -> int | None:
    return day.toordinal() if day else None


def _day(number: int | None) -> date | None:
    return date.fromordinal(number) if number else None


def status_of(parsed: Note) -> str:
    """A note's status; one that is missing or unknown is active (design.md §4)."""
    own = parsed.properties.get("status")
    return (read_status(own) if isinstance(own, str) else "") or "active"


def scope_of(parsed: Note) -> str:
    """A note's scope, "" when it names none."""
    found = strings(parsed.properties.get("scope"))
    return found[0] if found else ""


_worker: tuple[VaultStore, Rules] | None = None


def _start(files: VaultStore, rules: Rules) -> None:
    global _worker  # noqa: PLW0603 - a pool's initializer has no other place to put what every task needs
    _worker = (files, rules)
    gc.disable()


def _work(chunk: Sequence[Job]) -> list[Result]:
    assert _worker is not None
    return _parse_chunk(*_worker, chunk)


def _parse_chunk(files: VaultStore, rules: Rules, chunk: Sequence[Job]) -> list[Result]:
    return [_parse(files, rules, job) for job in chunk]


def _parse(files: VaultStore, rules: Rules, job: Job) -> Result:
    from vaultkit.recall import record_of  # words and their lexicon are not what a command that parses nothing waits for

    entry = job.entry
    kind = COPY if job.copy else NOTE if _is_note(entry.path) else CANVAS if entry.path.lower().endswith(".canvas") else OTHER
    if kind in {OTHER, COPY}:
        return Result(Parsed(Row(entry.path, entry.mtime_ns, entry.size, "", kind), b"", b"", b""))
    if entry.size > rules.max_bytes:
        reason = f"is larger than {rules.max_bytes // 1_000_000} MB (setting max_note_mb)"
        return Result(Parsed(Row(entry.path, entry.mtime_ns, entry.size, reason, UNREADABLE), b"", b"", b""))
    try:
        data = files.read(entry.path).data
    except (VaultkitError, OSError) as error:
        return Result(skip=Skip(entry.path, str(error)))
    digest = hash_of(data)
    row = Row(entry.path, entry.mtime_ns, entry.size, digest, kind)
    if digest == job.before:
        return Result(touched=row)
    if kind == CANVAS:
        return Result(Parsed(row, b"", data, b""))
    text = to_text(data)
    parsed = note.parse_note(entry.path, text, hash=digest)
    found, seen = extract_of(rules, parsed, text, unpack_seen(job.seen))
    extract = b"" if found == agenda.NOTHING else marshal.dumps(agenda.extract_to_row(found))
    words = tokens.word_counts(text[parsed.body :])
    doc = make_doc(rules, parsed, words)
    record = record_of(parsed, text, type=doc.type, status=doc.status, scope=doc.scope, words=words)
    rows = Parsed(row, head_of(rules, parsed, doc, text).pack(), pack_note(parsed), extract, pack_seen(seen), record)
    return Result(rows, doc, listed=entries_of(rules, parsed, text, doc))


def _is_note(path: str) -> bool:
    return path[-3:].lower() == ".md"
