"""The bullet index: a tantivy document for each entry of the list-like notes. Derived, disposable, rebuilt whole when in doubt.

    folder/bullets-1/            1 = SCHEMA
        meta.json, <segment>.*   tantivy's
        vaultkit.json            the generation that the last write was given, and the digest of the `meta.json` that it left

A note's entries are replaced together. The rank is that of the note index (`store/search`): BM25 on our own tokens, as a share of the
best, times the square root of how much of the query an entry covers; an entry has the words of its headings as well. The caller keeps
this index in step with its manifest as it does the note index: an unequal `generation`, or `open()`, means that all is indexed again.
"""

from __future__ import annotations

import hashlib
import json
import math
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, Self

from vaultkit.errors import IndexUnavailableError, VaultBusyError
from vaultkit.store import _tantivy
from vaultkit.text.bullets import TRAIL, heading_day
from vaultkit.text.tokens import Term, halves, index_tokens, parse_query

if TYPE_CHECKING:
    import tantivy

    from vaultkit.text.bullets import Entry

SCHEMA: Final = 1  # raise it when the fields below or the rules of text/bullets and text/tokens change

_MOST_TERMS = 22  # of a query, the rarest: their bits fit in one 32-bit sum
_FEW_WORDS = 3  # a query so short is also read with its words in two
_COINCIDENCES = 5  # entries that would hold both halves by chance
_CANDIDATES = 60
_OF_A_DAY = 1000
_ANY_DAY = date(2000, 1, 1)
_META, _MARKER = _tantivy.META, _tantivy.MARKER
_WHAT: Final = "bullet index"
_HEAP = 30_000_000


class Row(NamedTuple):
    """An entry as the index takes it."""

    line: int
    end_line: int
    day: str  # YYYY-MM-DD, "" for none
    pooled: str


class Listed(NamedTuple):
    """A list-like note: its entries, and what its hits are filtered by. Made by `listed`, which may run in a worker process."""

    path: str
    rows: Sequence[Row]
    type: str = "knowledge"
    status: str = "active"


class BulletHit(NamedTuple):
    """An entry that was found. *score* and *coverage* lie between 0 and 1; *terms* are words of the query."""

    path: str
    line: int
    end_line: int
    day: date | None
    score: float
    coverage: float
    terms: tuple[str, ...]


def listed(path: str, entries: Sequence[Entry], *, type: str = "knowledge", status: str = "active") -> Listed:  # noqa: A002 - the field's name
    """The entries of a note with their tokens: an entry's own, and those of its headings, except of such as name a day."""
    trails = {entry.heading for entry in entries}
    headings = {trail: index_tokens(" ".join(part for part in trail.split(TRAIL) if not heading_day(part, _ANY_DAY))) for trail in trails}
    rows = []
    for entry in entries:
        words = index_tokens(entry.text)
        inherited = [word for word in headings[entry.heading] if word not in words] if entry.heading else []
        rows.append(Row(entry.line, entry.end_line, entry.day.isoformat() if entry.day else "", " ".join(words + inherited)))
    return Listed(path, rows, type, status)


class BulletIndex:
    """The index in *folder*; holds no writer between two calls."""

    def __init__(self, folder: Path, *, wait: float = 5.0) -> None:
        self.folder = folder / f"bullets-{SCHEMA}"
        self._wait = wait  # seconds for another process's writer
        self._index: tantivy.Index | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def open(self) -> bool:
        """Open what is there; True when nothing usable is, and everything must be indexed again."""
        self.close()
        if not self.made:
            return True
        try:
            with self._translated():
                self._index = self._opened()
                _ = self._index.searcher().num_docs
        except IndexUnavailableError:
            return True
        return False

    def close(self) -> None:
        """Forget the opened index."""
        self._index = None

    def clear(self) -> None:
        """Delete the index and open an empty one."""
        self.close()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            for entry in self.folder.iterdir():
                if not entry.name.endswith(".lock"):  # whoever waits for a lock waits for this very file
                    entry.unlink()
            for older in self.folder.parent.glob("bullets-*"):
                if older.name.removeprefix("bullets-").isdecimal() and int(older.name.removeprefix("bullets-")) < SCHEMA:
                    shutil.rmtree(older, ignore_errors=True)
        except OSError as error:
            raise _tantivy.cannot_stand(_WHAT, self.folder, error) from error
        with self._translated():
            self._index = self._opened()

    @property
    def generation(self) -> str:
        """What the last complete write was given; "" when the index is not known to be as that write left it."""
        try:
            marker = json.loads((self.folder / _MARKER).read_bytes())
            return str(marker["generation"]) if marker["meta"] == self._digest() else ""
        except (OSError, ValueError, KeyError, TypeError):
            return ""

    @property
    def made(self) -> bool:
        """Whether there is an index at all; whether it can be opened shows when it is."""
        return (self.folder / _META).is_file()

    def count(self) -> int:
        """How many entries there are."""
        with self._translated():
            return int(self._searcher().num_docs)

    def update(self, notes: Iterable[Listed], removed: Iterable[str] = (), *, generation: str = "") -> None:
        """Put the entries of *notes* in the place of what their notes had, and drop those of *removed* (a note that is a list no more, too)."""
        with self._translated():
            searcher = self._searcher()
            writer: tantivy.IndexWriter | None = None
            known = searcher.num_docs > 0
        try:
            for path in removed:
                with self._translated():
                    if known and searcher.doc_freq("path", _tantivy.storable(path)):
                        writer = writer or self._writer()
                        writer.delete_documents_by_term("path", _tantivy.storable(path))
            for note in notes:  # outside of `_translated`: what the caller's iterator raises is the caller's
                with self._translated():
                    writer = writer or self._writer()
                    if known:
                        writer.delete_documents_by_term("path", _tantivy.storable(note.path))
                    for row in note.rows:
                        writer.add_document(_document(note, row))
            if writer is not None:
                with self._translated():
                    writer.commit()
        finally:
            if writer is not None:
                with self._translated():
                    writer.wait_merging_threads()  # and lets go of the lock; what was not committed is forgotten
        self._mark(generation)

    def search(
        self,
        query: str = "",
        *,
        on: date | None = None,
        limit: int = 10,
        types: Sequence[str] = (),
        statuses: Sequence[str] = ("active",),
        paths: Sequence[str] = (),
    ) -> list[BulletHit]:
        """The entries that fit *query* best, best first; of that day with *on*. Without words all of the day's entries, in their order.

        One of *types* and of *statuses*, in one of *paths*; none of them means any.
        """
        filters: list[tuple[str, Sequence[str]]] = [
            ("type", types),
            ("status", statuses),
            ("path", [_tantivy.storable(path) for path in paths]),
        ]
        if on is not None:
            filters.append(("day", (on.isoformat(),)))
        wanted = [(name, values) for name, values in filters if values]
        with self._translated():
            return _Asking(self._searcher(), self._ready().schema).run(query, wanted, limit, dated=on is not None)

    # -- tantivy -------------------------------------------------------------------------------------------------------

    def _opened(self) -> tantivy.Index:
        import tantivy

        self.folder.mkdir(parents=True, exist_ok=True)
        index = tantivy.Index(_schema(), path=str(self.folder), reuse=True)
        index.config_reader(reload_policy="manual")
        return index

    def _ready(self) -> tantivy.Index:
        if self._index is None and self.open():
            raise IndexUnavailableError("there is no usable bullet index yet", hint="run `vaultkit sync`")
        assert self._index is not None
        return self._index

    def _searcher(self) -> tantivy.Searcher:
        """A searcher over the last commit, whichever process made it."""
        index = self._ready()
        index.reload()
        return index.searcher()

    def _writer(self) -> tantivy.IndexWriter:
        self._index = self._opened()  # a handle that outlives other processes' commits would leave their files behind
        return _tantivy.writer(self._index, heap=_HEAP, wait=self._wait, what=_WHAT)

    def _digest(self) -> str:
        return hashlib.sha256((self.folder / _META).read_bytes()).hexdigest()

    def _mark(self, generation: str) -> None:
        try:
            fresh = self.folder / (_MARKER + ".new")
            fresh.write_text(json.dumps({"generation": generation, "meta": self._digest()}), encoding="utf-8")
            fresh.replace(self.folder / _MARKER)
        except OSError as error:
            raise _tantivy.cannot_stand(_WHAT, self.folder, error) from error

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
            with suppress(OSError):
                (self.folder / _MARKER).unlink()
            raise IndexUnavailableError(
                f"the bullet index is damaged: {error}", hint="run `vaultkit sync`: it is built anew from the notes"
            ) from error


class _Clause(NamedTuple):
    """A term, or a joined spelling of several."""

    query: tantivy.Query
    text: str
    covers: tuple[int, ...]


class _Asking:
    """One query against one searcher."""

    def __init__(self, searcher: tantivy.Searcher, schema: tantivy.Schema) -> None:
        import tantivy

        self._query, self._occur = tantivy.Query, tantivy.Occur
        self._searcher, self._schema = searcher, schema

    def run(self, text: str, filters: Sequence[tuple[str, Sequence[str]]], limit: int, *, dated: bool) -> list[BulletHit]:
        must = self._occur.Must
        passes = [(must, self._query.const_score_query(self._one_of(name, values), 0.0)) for name, values in filters]
        asked = parse_query(text)
        if limit < 1 or not (asked.terms or dated):
            return []
        if not asked.terms:
            found = self._searcher.search(self._query.boolean_query(passes), limit=_OF_A_DAY, count=False).hits
            hits = [self._hit(address, 1.0, 1.0, ()) for _, address in found]
            return sorted(hits, key=lambda hit: (hit.path, hit.line))[:limit]
        freq = [self._freq(term.token) for term in asked.terms[:4000]]
        rarest = sorted(range(len(freq)), key=lambda at: (not freq[at], freq[at]))
        known = sorted(at for at in rarest[:_MOST_TERMS] if freq[at])
        unknown = [at for at in range(len(freq)) if not freq[at]][:_MOST_TERMS]
        worth = {at: self._idf(freq[at]) for at in (*known, *unknown)}
        clauses = [_Clause(self._term(asked.terms[at].token), asked.terms[at].text, (at,)) for at in known]
        room = _MOST_TERMS - len(clauses)
        joins = [join for join in asked.joins if worth.keys() & set(join.covers) and self._freq(join.token)]
        clauses += [_Clause(self._term(join.token), join.text, join.covers) for join in joins[:room]]
        if len(asked.terms) <= _FEW_WORDS:
            clauses += [clause for at in (*known, *unknown) for clause in self._split(asked.terms[at], at)][: _MOST_TERMS - len(clauses)]
        if not clauses:
            return []
        any_of = self._query.boolean_query([(self._occur.Should, clause.query) for clause in clauses])
        depth = max(_CANDIDATES, 2 * limit)
        found = self._searcher.search(self._query.boolean_query([(must, any_of), *passes]), limit=depth, count=False).hits
        if not found:
            return []
        best = found[0][0]
        total = sum(worth.values())
        masks = self._masks(clauses, [address for _, address in found])
        rows = []
        for bm25, address in found:
            matched = [clause for bit, clause in enumerate(clauses) if masks.get((address.segment_ord, address.doc), 0) >> bit & 1]
            covered = {at for clause in matched for at in clause.covers}
            coverage = min(1.0, sum(worth.get(at, 0.0) for at in covered) / total)
            terms = tuple(dict.fromkeys(clause.text for clause in matched))
            rows.append(self._hit(address, round(bm25 / best * math.sqrt(coverage), 6), round(coverage, 6), terms))
        return sorted(rows, key=lambda hit: (-hit.score, hit.path, hit.line))[:limit]

    def _split(self, term: Term, at: int) -> Iterator[_Clause]:
        """For `gitlab` the entries that have both `git` and `lab`, where that is no everyday coincidence."""
        must = self._occur.Must
        for left, right in halves(term.text) if term.run < 0 else ():
            if 0 < self._freq(left.token) * self._freq(right.token) / max(1, self._searcher.num_docs) <= _COINCIDENCES:
                both = self._query.boolean_query([(must, self._term(left.token)), (must, self._term(right.token))])
                yield _Clause(self._query.boost_query(both, 0.5), f"{left.text} {right.text}", (at,))

    def _masks(self, clauses: Sequence[_Clause], addresses: Sequence[tantivy.DocAddress]) -> dict[tuple[int, int], int]:
        """Which clauses each entry matches: in a second query clause i scores 2^i, and the sum names them."""
        keys = self._searcher.fast_field_values("key", list(addresses))
        these = self._query.const_score_query(self._query.term_set_query(self._schema, "key", keys), 0.0)
        bits = [(self._occur.Should, self._query.const_score_query(clause.query, float(1 << bit))) for bit, clause in enumerate(clauses)]
        query = self._query.boolean_query([(self._occur.Must, these), *bits])
        hits = self._searcher.search(query, limit=len(keys) + _CANDIDATES, count=False).hits
        return {(address.segment_ord, address.doc): int(score) for score, address in hits}

    def _hit(self, address: tantivy.DocAddress, score: float, coverage: float, terms: tuple[str, ...]) -> BulletHit:
        document = self._searcher.doc(address)
        path, place = _tantivy.restored(str(document.get_first("path"))), str(document.get_first("place"))
        line, end_line, day = place.split(" ")
        return BulletHit(path, int(line), int(end_line), date.fromisoformat(day) if day else None, score, coverage, terms)

    def _one_of(self, field: str, values: Sequence[str]) -> tantivy.Query:
        return self._query.term_set_query(self._schema, field, list(values))

    def _term(self, token: str) -> tantivy.Query:
        return self._query.term_query(self._schema, "pooled", token, index_option="freq")

    def _freq(self, token: str) -> int:
        return int(self._searcher.doc_freq("pooled", token))

    def _idf(self, entries: int) -> float:
        return math.log(1 + (self._searcher.num_docs - entries + 0.5) / (entries + 0.5))


def _schema() -> tantivy.Schema:
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_text_field("path", stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("place", stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("pooled", tokenizer_name="whitespace", index_option="freq")
    for keyword in ("day", "type", "status"):
        builder.add_text_field(keyword, tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("key", indexed=True, fast=True)  # names a found entry in the second query
    return builder.build()


def _document(note: Listed, row: Row) -> tantivy.Document:
    import tantivy

    path = _tantivy.storable(note.path)
    document = tantivy.Document()
    document.add_text("path", path)
    document.add_text("place", f"{row.line} {row.end_line} {row.day}")
    document.add_text("pooled", row.pooled)
    if row.day:
        document.add_text("day", row.day)
    document.add_text("type", note.type)
    document.add_text("status", note.status)
    document.add_unsigned("key", int.from_bytes(hashlib.blake2b(f"{path}\0{row.line}".encode(), digest_size=8).digest()))
    return document
