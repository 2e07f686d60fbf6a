"""The lexical index: tantivy over our own tokens. Derived, disposable, rebuilt whole when in doubt.

    folder/lexical-1/            1 = SCHEMA: another schema is another folder, and older ones are deleted
        meta.json, <segment>.*   tantivy's
        vaultkit.json            the generation that the last write was given, and what its files were

Only paths are stored. The rank is BM25 on one field of pooled tokens, as a share of the best note's, times the square root of how
much of the query (by IDF) the note covers.

How the caller keeps its manifest of notes and this index in step: under the vault's lock it gives `update` a new generation (any
string that it never gave before), then writes the manifest with the same generation. At the next sync, `open()` or an unequal
`generation` means `rebuild`. A process killed between tantivy's commit and our marker leaves a `meta.json` that the marker does not
know, which reads as generation "" and equals no manifest's; one killed between marker and manifest leaves two different ones.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import math
import os
import shutil
import unicodedata
from contextlib import contextmanager, suppress
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple, Self

from vaultkit.errors import IndexUnavailableError, VaultBusyError
from vaultkit.store import _tantivy
from vaultkit.text.tokens import halves, name_token, parse_query

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path
    from typing import Any

    import tantivy

    from vaultkit.text.tokens import Query, Term

SCHEMA: Final = 1  # raise it when the fields below or the rules of text/tokens change
MOST_TERMS: Final = 60  # of a query, the rarest: sixty take 1 ms at 50,000 notes

_CONSIDERED = 4000  # terms whose frequency is looked up: a pasted page has more, and has told what it is about by then
_CANDIDATES = 50  # notes that BM25 proposes and coverage orders
_MOST_CANDIDATES = 3200
_MOST_JOINS = 20
_LONG = 24  # words: a query so long is a prompt, in which neighbours seldom are one name
_FEW_WORDS = 3  # a query so short is also read with its words in two
_COINCIDENCES = 5  # notes that would hold both halves by chance: more, and they mean nothing
_SPLIT_WEIGHT = 0.5
_BELOW_NAMES = 0.99  # the most that a note may score beside one whose whole name was asked for
_BITS = 22  # clauses told apart by one sum: a 32-bit float holds 24 bits exactly
_ANY = ("*",)  # in `shown`: ranked, whatever its status

_META, _MARKER = _tantivy.META, _tantivy.MARKER
_WHAT: Final = "search index"
_HEAP = 50_000_000


class Doc(NamedTuple):
    """What the index holds of a note. *pooled* is `text.tokens.pooled`; daily notes, templates and attachments are not *ranked*."""

    path: str
    pooled: str
    type: str = "knowledge"
    status: str = "active"
    scope: str = ""
    tags: Sequence[str] = ()
    folder: str = ""
    ranked: bool = True


class Hit(NamedTuple):
    """A note that was found. *score* and *coverage* lie between 0 and 1; *terms* are the query's own words that matched."""

    path: str
    score: float
    coverage: float
    terms: tuple[str, ...]
    bm25: float


class Candidates(NamedTuple):
    """Notes worth scoring; how many the index holds; in how many of them each token stands."""

    paths: tuple[str, ...]
    notes: int
    found: Mapping[str, int]


class SearchIndex:
    """The index in *folder*. Opens nothing before it is asked to; holds no writer between two calls."""

    def __init__(self, folder: Path, *, wait: float = 5.0) -> None:
        self.folder = folder / f"lexical-{SCHEMA}"
        self._wait = wait  # seconds for another process's writer
        self._index: tantivy.Index | None = None
        self._meta: tuple[int, int, int] | None = None  # what `meta.json` was when last loaded

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def open(self) -> bool:
        """Open what is there; True when nothing usable is, and the caller must `rebuild`. Raises only where no index can stand."""
        self.close()
        try:
            if not self._intact():
                return True
            with self._translated():
                index = self._opened()
                self._searcher(index)
                self._index = index
        except _BrokenError:
            self.close()
            return True
        return False

    def close(self) -> None:
        """Forget the opened index (its files stay mapped only until then)."""
        self._index = None
        self._meta = None

    @property
    def generation(self) -> str:
        """What the last complete write was given; "" when the index is not known to be as that write left it."""
        marker = self._marker()
        try:
            return str(marker["generation"]) if marker and marker["meta"] == self._meta_digest() else ""
        except OSError:
            return ""

    def count(self) -> int:
        """How many notes the index holds, unranked ones included."""
        with self._translated():
            return int(self._searcher(self._ready()).num_docs)

    def update(self, docs: Iterable[Doc], removed: Iterable[str] = (), *, generation: str = "") -> None:
        """Put *docs* in the place of the notes of the same path, drop *removed*; one commit."""
        self._write(docs, removed, generation, whole=False)

    def rebuild(self, docs: Iterable[Doc], *, generation: str = "") -> None:
        """Hold *docs* and nothing else. Over an index that still works, others search the old one until the commit."""
        if self.open() or self._marker() is None:
            self.clear()
        self._write(docs, (), generation, whole=True)

    def clear(self) -> None:
        """Delete the index and open an empty one."""
        self.close()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with self._writer_lock():
                for entry in [*self.folder.iterdir(), *self._older()]:
                    if entry.is_dir() and not entry.is_symlink():
                        shutil.rmtree(entry)
                    elif not entry.name.endswith(".lock"):  # whoever waits for a lock waits for this very file
                        entry.unlink()
        except OSError as error:
            raise _tantivy.cannot_stand(_WHAT, self.folder, error) from error
        with self._translated():
            self._index, self._meta = self._opened(), None

    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        types: Sequence[str] = (),
        statuses: Sequence[str] = ("active",),
        scopes: Sequence[str] = (),
        tags: Sequence[str] = (),
        folder: str = "",
        everything: bool = False,
    ) -> list[Hit]:
        """The notes that fit *query* best, best first, equals by path. Any text is a query.

        One of *types*, of *statuses* and of *scopes* (`project` includes `project/x`), every one of *tags* (`a` includes `a/b`), in *folder*
        or below. *everything* lifts the status and adds what is not ranked; so do types that are named.
        """
        asked = parse_query(query)
        if not asked.terms or limit < 1:
            return []
        filters: list[tuple[str, Sequence[str]]] = [
            ("type", types),
            ("scope", scopes),
            *(("tags", (tag.removeprefix("#"),)) for tag in tags),
        ]
        if folder.strip("/"):
            filters.append(("folder", (folder.strip("/"),)))
        if not everything:
            filters.append(("status" if types else "shown", statuses or _ANY))
        wanted = [(field, values) for field, values in filters if values]
        with self._translated():
            index = self._ready()
            return _Search(self._searcher(index), index.schema, asked, name_token(query)).run(wanted, limit)

    def candidates(self, tokens: Mapping[str, float], *, limit: int = 50) -> Candidates:
        """The *limit* notes of any status, unranked ones included, in which *tokens* (each with its weight) count most.

        What recall scores by its own records. Filters are the caller's: here each would cost more than the search.
        """
        import tantivy

        query, should = tantivy.Query, tantivy.Occur.Should
        with self._translated():
            index = self._ready()
            searcher = self._searcher(index)
            found = {token: int(searcher.doc_freq("pooled", token)) for token in islice(tokens, _CONSIDERED)}
            rarest = sorted((count, token) for token, count in found.items() if count)[:MOST_TERMS]
            terms = [(query.term_query(index.schema, "pooled", token, index_option="freq"), tokens[token]) for _, token in rarest]
            wanted = query.boolean_query([(should, query.boost_query(term, weight)) for term, weight in terms])
            hits = searcher.search(wanted, limit=limit, count=False).hits if terms else []
            paths = tuple(_tantivy.restored(str(searcher.doc(address).get_first("path"))) for _, address in hits)
            return Candidates(paths, int(searcher.num_docs), found)

    # -- files ---------------------------------------------------------------------------------------------------------

    def _intact(self) -> bool:
        """Whether tantivy's files are there, and those that we know untouched since."""
        try:
            digest = self._meta_digest()
            marker = self._marker()
            if marker and marker["meta"] == digest:
                return all(_trace((self.folder / name).stat()) == trace for name, trace in marker["files"].items())
            return bool(digest)
        except (FileNotFoundError, IsADirectoryError):
            return False
        except OSError as error:
            raise _tantivy.cannot_stand(_WHAT, self.folder, error) from error

    def _marker(self) -> dict[str, Any] | None:
        try:
            marker = json.loads((self.folder / _MARKER).read_bytes())
        except (OSError, ValueError):
            return None  # none, or half of one after a power cut: then the index is of no known generation
        known = isinstance(marker, dict) and isinstance(marker.get("files"), dict) and {"generation", "meta"} <= marker.keys()
        return marker if known else None

    def _meta_digest(self) -> str:
        try:
            return hashlib.sha256((self.folder / _META).read_bytes()).hexdigest()
        except FileNotFoundError:
            return ""

    def _mark(self, generation: str) -> None:
        meta = (self.folder / _META).read_bytes()
        live = {segment["segment_id"].replace("-", "") for segment in json.loads(meta)["segments"]}
        with os.scandir(self.folder) as entries:
            files = {entry.name: _trace(entry.stat()) for entry in entries if entry.name.partition(".")[0] in live}
        marker = {"generation": generation, "meta": hashlib.sha256(meta).hexdigest(), "files": files}
        fresh = self.folder / (_MARKER + ".new")
        fresh.write_text(json.dumps(marker), encoding="utf-8")
        fresh.replace(self.folder / _MARKER)

    def _older(self) -> Iterator[Path]:
        for other in self.folder.parent.glob("lexical-*"):
            number = other.name.partition("-")[2]
            if number.isdecimal() and int(number) < SCHEMA:
                yield other

    @contextmanager
    def _writer_lock(self) -> Iterator[None]:
        """Tantivy's own writer lock, held while files are deleted under it."""
        descriptor = os.open(self.folder / ".tantivy-writer.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            for _ in _tantivy.patience(self._wait, _WHAT):
                try:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    continue
            yield
        finally:
            os.close(descriptor)

    # -- tantivy -------------------------------------------------------------------------------------------------------

    def _opened(self) -> tantivy.Index:
        """The index at our folder, made if there is none."""
        import tantivy

        index = tantivy.Index(_schema(), path=str(self.folder), reuse=True)
        index.config_reader(reload_policy="manual")
        return index

    def _ready(self) -> tantivy.Index:
        if self._index is None:
            self.open()
        if self._index is None:
            raise IndexUnavailableError("there is no usable search index yet", hint="run `vaultkit sync`")
        return self._index

    def _searcher(self, index: tantivy.Index) -> tantivy.Searcher:
        """A searcher over the last commit, whichever process made it."""
        stat = (self.folder / _META).stat()
        meta = (stat.st_ino, stat.st_mtime_ns, stat.st_size)
        if meta != self._meta:
            index.reload()
            self._meta = meta
        return index.searcher()

    def _write(self, docs: Iterable[Doc], removed: Iterable[str], generation: str, *, whole: bool) -> None:
        self._ready()
        with self._translated():
            index = self._opened()  # a handle that outlives other processes' commits would leave their files behind
            self._index, self._meta = index, None
            writer = _tantivy.writer(index, heap=_HEAP, wait=self._wait, what=_WHAT)
        try:
            with self._translated():
                empty = self._searcher(index).num_docs == 0
                if whole and not empty:
                    writer.delete_all_documents()
            there: set[str] | None = set() if whole or empty else None  # None: any path may be
            for path in removed:
                with self._translated():
                    writer.delete_documents_by_term("path", _tantivy.storable(path))
            for doc in docs:  # outside of `_translated`: what the caller's iterator raises is the caller's
                with self._translated():
                    if there is None or doc.path in there:
                        writer.delete_documents_by_term("path", _tantivy.storable(doc.path))
                    if there is not None:
                        there.add(doc.path)
                    writer.add_document(_document(doc))
            with self._translated():
                writer.commit()
        finally:
            with self._translated():
                writer.wait_merging_threads()  # and lets go of the lock; what was not committed is forgotten
        with self._translated():
            self._mark(generation)

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Tantivy's errors as ours. A damaged index loses its marker, so that the next sync, in whatever process, rebuilds it."""
        try:
            yield
        except (IndexUnavailableError, VaultBusyError):
            raise
        except BaseException as error:
            if not _tantivy.is_tantivys(error):
                raise
            self.close()
            if _tantivy.no_place(error):
                raise _tantivy.cannot_stand(_WHAT, self.folder, error) from error
            if not isinstance(error, FileNotFoundError):  # what is missing is noticed anyway; another process may be building it
                with suppress(OSError):
                    (self.folder / _MARKER).unlink()
            raise _BrokenError("the search index is damaged", hint="run `vaultkit sync`: it is built anew from the notes") from error


# -- one search --------------------------------------------------------------------------------------------------------


class _Clause(NamedTuple):
    """A part of the query that a note matches or not, and which of the asked terms it stands for. Clause i is bit i of a note's mask."""

    query: tantivy.Query
    text: str
    covers: tuple[int, ...]
    weight: float = 1.0
    term: Term | None = None  # None: another spelling


class _Search:
    """One query against one searcher."""

    def __init__(self, searcher: tantivy.Searcher, schema: tantivy.Schema, asked: Query, name: str) -> None:
        import tantivy

        self._query, self._occur = tantivy.Query, tantivy.Occur
        self._searcher, self._schema = searcher, schema
        self._notes = searcher.num_docs
        terms = asked.terms[:_CONSIDERED]
        found = [self._notes_with(term.token) for term in terms]
        known = sorted((count, at) for at, count in enumerate(found) if count)[:MOST_TERMS]
        unknown = [at for at, count in enumerate(found) if not count][:MOST_TERMS]
        # What no note has counts too: a prompt about something else is covered badly, whatever small word of it matches.
        self._worth = {at: self._idf(found[at]) for at in [*(at for _, at in known), *unknown]}
        self._clauses = [
            _Clause(self._term(terms[at].token), terms[at].text, (at,), term=terms[at]) for at in sorted(at for _, at in known)
        ]
        self._direct = len(self._clauses)  # the first so many are the terms themselves, then come other spellings of them
        self._named = 0  # the bit of the notes whose whole name was asked for
        if name and self._notes_with(name):
            self._named = 1 << len(self._clauses)
            self._clauses.append(_Clause(self._term(name), "", (), 0.0))
        if len(terms) <= _LONG:
            self._clauses += self._joined(asked)
        if len(terms) <= _FEW_WORDS:
            self._clauses += self._split(terms)

    def run(self, filters: Sequence[tuple[str, Sequence[str]]], limit: int) -> list[Hit]:
        """The best *limit* notes that pass every filter."""
        candidates = self._candidates(filters, limit) if self._clauses else []
        if not candidates:
            return []
        masks = self._masks([address for _, address in candidates])
        best = max((bm25 for (bm25, _), mask in zip(candidates, masks, strict=True) if not mask & self._named), default=candidates[0][0])
        named = any(mask & self._named for mask in masks)
        total = sum(self._worth.values())
        rows = []
        for (bm25, address), mask in zip(candidates, masks, strict=True):
            coverage = min(1.0, self._covered(mask) / total)
            score = min(1.0, bm25 / best) * math.sqrt(coverage)
            if named:
                score = _BELOW_NAMES + (1 - _BELOW_NAMES) * score if mask & self._named else _BELOW_NAMES * score
            rows.append((round(score, 6), coverage, mask, bm25, address))
        rows.sort(key=lambda row: -row[0])
        last = rows[min(limit, len(rows)) - 1][0]
        hits = [
            Hit(_tantivy.restored(str(self._searcher.doc(address).get_first("path"))), score, round(coverage, 6), self._words(mask), bm25)
            for score, coverage, mask, bm25, address in rows
            if score >= last
        ]
        return sorted(hits, key=lambda hit: (-hit.score, hit.path))[:limit]

    # -- what to ask ---------------------------------------------------------------------------------------------------

    def _joined(self, asked: Query) -> list[_Clause]:
        joins = (join for join in asked.joins if self._worth.keys() & join.covers and self._notes_with(join.token))
        return [_Clause(self._term(join.token), join.text, join.covers) for join in islice(joins, _MOST_JOINS)]

    def _split(self, terms: Sequence[Term]) -> list[_Clause]:
        """For `gitlab` the notes that have both `git` and `lab`, where that is no everyday coincidence."""
        must = self._occur.Must
        clauses = []
        for at, term in enumerate(terms):
            for left, right in halves(term.text) if term.run < 0 else ():
                by_chance = self._notes_with(left.token) * self._notes_with(right.token) / max(1, self._notes)
                if 0 < by_chance <= _COINCIDENCES and at in self._worth:
                    both = self._query.boolean_query([(must, self._term(left.token)), (must, self._term(right.token))])
                    both = self._query.boost_query(both, _SPLIT_WEIGHT)
                    clauses.append(_Clause(both, f"{left.text} {right.text}", (at,), _SPLIT_WEIGHT))
        return clauses

    def _term(self, token: str) -> tantivy.Query:
        return self._query.term_query(self._schema, "pooled", token, index_option="freq")

    def _notes_with(self, token: str) -> int:
        return int(self._searcher.doc_freq("pooled", token))

    def _idf(self, notes: int) -> float:
        every = max(self._notes, notes)  # tantivy's frequencies count replaced notes until their segment is merged
        return math.log(1 + (every - notes + 0.5) / (notes + 0.5))

    # -- what came of it -----------------------------------------------------------------------------------------------

    def _candidates(self, filters: Sequence[tuple[str, Sequence[str]]], limit: int) -> list[tuple[float, tantivy.DocAddress]]:
        must = self._occur.Must
        query = self._query.boolean_query([(self._occur.Should, clause.query) for clause in self._clauses])
        if filters:
            passes = [self._one_of(field, [_folded(value) for value in values]) for field, values in filters]
            query = self._query.boolean_query([(must, query), *((must, self._query.const_score_query(each, 0.0)) for each in passes)])
        depth = max(_CANDIDATES, 2 * limit)
        while True:
            hits: list[tuple[float, tantivy.DocAddress]] = self._searcher.search(query, limit=depth, count=False).hits
            # Where equals reach beyond what was fetched, tantivy's order would decide which of them are seen.
            if len(hits) < depth or hits[-1][0] < hits[limit - 1][0] or depth >= _MOST_CANDIDATES:
                return hits
            depth *= 8

    def _one_of(self, field: str, values: list[str]) -> tantivy.Query:
        if len(values) == 1:
            return self._query.term_query(self._schema, field, values[0], index_option="basic")
        return self._query.term_set_query(self._schema, field, values)

    def _masks(self, addresses: list[tantivy.DocAddress]) -> list[int]:
        """Which clauses each note matches: in a second query clause i scores 2^i, and the sum names them."""
        if len(self._clauses) == 1:
            return [1] * len(addresses)
        keys = self._searcher.fast_field_values("key", addresses)
        these = self._query.const_score_query(self._query.term_set_query(self._schema, "key", keys), 0.0)
        masks: dict[tuple[int, int], int] = {}
        for start in range(0, len(self._clauses), _BITS):
            some = self._clauses[start : start + _BITS]
            bits = [(self._occur.Should, self._query.const_score_query(clause.query, float(1 << bit))) for bit, clause in enumerate(some)]
            query = self._query.boolean_query([(self._occur.Must, these), *bits])
            for score, address in self._searcher.search(query, limit=len(keys) + _BITS, count=False).hits:
                note = (address.segment_ord, address.doc)
                masks[note] = masks.get(note, 0) | int(score) << start
        return [masks.get((address.segment_ord, address.doc), 0) for address in addresses]

    def _covered(self, mask: int) -> float:
        worth = sum(self._worth[clause.covers[0]] for bit, clause in enumerate(self._clauses[: self._direct]) if mask >> bit & 1)
        if not mask >> self._direct:
            return worth
        covered: dict[int, float] = {}
        for clause in self._set(mask):
            for at in clause.covers:
                covered[at] = max(covered.get(at, 0.0), clause.weight)
        return sum(self._worth.get(at, 0.0) * share for at, share in covered.items())

    def _set(self, mask: int) -> list[_Clause]:
        return [clause for bit, clause in enumerate(self._clauses) if mask >> bit & 1]

    def _words(self, mask: int) -> tuple[str, ...]:
        """The matched words of the query as it has them; neighbours of one CJK run as one."""
        clauses = self._set(mask)
        words: dict[str, None] = {}
        direct = {clause.covers[0] for clause in clauses if clause.term}
        last: Term | None = None
        for clause in clauses:
            term = clause.term
            if term and last and term.run == last.run >= 0 and term.at == last.at + 1:
                words[words.popitem()[0] + term.text[1:]] = None
            elif term or not direct.issuperset(clause.covers):
                words[clause.text] = None
            last = term
        return tuple(words)


# -- documents ---------------------------------------------------------------------------------------------------------


def _trace(stat: os.stat_result) -> list[int]:
    return [stat.st_size, stat.st_mtime_ns]  # a list, as JSON gives it back


class _BrokenError(IndexUnavailableError):
    """What stands there is no index that works."""


def _schema() -> tantivy.Schema:
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_text_field("path", stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("pooled", tokenizer_name="whitespace", index_option="freq")
    for keyword in ("type", "status", "scope", "tags", "folder", "shown"):
        builder.add_text_field(keyword, tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("key", indexed=True, fast=True)  # names a found note in the second query, without its path being read
    return builder.build()


def _document(doc: Doc) -> tantivy.Document:
    import tantivy

    path = _tantivy.storable(doc.path)
    document = tantivy.Document()
    document.add_text("path", path)
    document.add_unsigned("key", int.from_bytes(hashlib.blake2b(path.encode(), digest_size=8).digest()))
    document.add_text("pooled", doc.pooled)
    document.add_text("type", _folded(doc.type))
    status = _folded(doc.status)
    document.add_text("status", status)
    if doc.ranked:
        document.add_text("shown", status)
        document.add_text("shown", _ANY[0])
    for field, names in (("scope", [doc.scope]), ("folder", [doc.folder]), ("tags", doc.tags)):
        for name in {ancestor for each in names for ancestor in _ancestors(_folded(each))}:
            document.add_text(field, name)
    return document


def _ancestors(name: str) -> Iterator[str]:
    """`a/b/c` → a/b/c, a/b, a."""
    while name:
        yield name
        name = name.rpartition("/")[0]


def _folded(keyword: str) -> str:
    return unicodedata.normalize("NFC", keyword.encode("utf-8", "replace").decode().casefold())
