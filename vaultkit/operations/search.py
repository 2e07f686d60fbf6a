"""Search, grep, sync."""

from __future__ import annotations

import re
import signal
import threading
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from typing import Any, Final, NamedTuple, NoReturn

from vaultkit import graph, recall
from vaultkit.app import App, Head, Progress, Synced
from vaultkit.errors import IndexUnavailableError, QuerySyntaxError, VaultBusyError, VaultkitError
from vaultkit.operations._meaning import DEEP, Ranked, ask_model, by_both
from vaultkit.operations.recall import policy_of
from vaultkit.text import bullets, tokens
from vaultkit.text.edit import to_text
from vaultkit.text.frontmatter import find_block
from vaultkit.text.fusion import behind_successors
from vaultkit.text.snippet import snippet


class Hit(NamedTuple):
    """One note found. *score* is 1 for the best lexical match that covers the whole query, and more with meaning; *why* says what matched."""

    path: str
    title: str
    description: str
    score: float
    why: dict[str, object]


class Passage(NamedTuple):
    """A bullet or dated paragraph found: the line that it starts in, its lines with two on each side, the day that it stands under."""

    path: str
    line: int
    text: str
    day: date | None
    score: float


class Found(NamedTuple):
    """A table of contents, best first. *degraded* names what could not be used; *hint* the next route when nothing was found.

    *saved*: the share of tokens that is spared by reading *entries* in the place of their files.
    """

    query: str
    hits: tuple[Hit, ...]
    degraded: tuple[str, ...]
    hint: str = ""
    entries: tuple[Passage, ...] = ()
    saved: float = 0.0


def to_json(found: Found) -> dict[str, Any]:
    """The answer of `search --json`: plain values, so that a daemon can send it."""
    result: dict[str, Any] = {
        "query": found.query,
        "hits": [hit._asdict() for hit in found.hits],
        "entries": [entry._asdict() | {"day": entry.day.isoformat() if entry.day else None} for entry in found.entries],
        "degraded": list(found.degraded),
        "saved": found.saved,
    }
    return result | ({"hint": found.hint} if found.hint else {})


class Ask(NamedTuple):
    """A search. No status means active notes only; *everything* means all, daily notes and templates too.

    *on*: only what happened that day; then the query may be empty. *hybrid*: by meaning too, even if a model has to be loaded for it.
    """

    query: str
    limit: int = 10
    types: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    folder: str = ""
    everything: bool = False
    on: date | None = None
    hybrid: bool = False
    harness: str = ""  # asks for an agent: what may not leave the machine is not found (memory.md M22b)

    @property
    def wanted(self) -> tuple[str, ...]:
        """The statuses that may be found; none: any."""
        return () if self.everything else self.statuses or ("active",)


def ask_of(values: Mapping[str, Any]) -> Ask:
    """The search that plain values ask for. Raises TypeError or ValueError for anything else."""
    on = values.get("on")
    lists = {name: tuple(map(str, values.get(name) or ())) for name in ("types", "statuses", "scopes", "tags")}
    return Ask(**{**values, **lists, "on": date.fromisoformat(on) if on else None})


def search(app: App, ask: Ask) -> Found:
    """The notes that match, best first. Any text is a valid query."""
    try:
        return _search(app, ask)
    except IndexUnavailableError:
        app.reset()
        return _search(app, ask)


def _search(app: App, ask: Ask) -> Found:
    app.sync()
    entries, saved = _passages(app, ask)
    ranked, degraded = _ranked(app, ask)
    if ask.on is not None:
        dated = {
            path for path, head in app.heads().items() if head.date[:10] == ask.on.isoformat() or app.rules.daily.day_of(path) == ask.on
        }
        if ask.query.strip():
            dated.update(entry.path for entry in entries)
            ranked = [one for one in ranked if one.path in dated]
        else:
            ranked = [Ranked(path, 1.0, {"date": ask.on.isoformat()}) for path in sorted(dated & admitted(app, ask))]
    if ask.harness:
        may = allowed(app, ask.harness, [*(one.path for one in ranked), *(entry.path for entry in entries)])
        ranked = [one for one in ranked if one.path in may]
        entries = tuple(entry for entry in entries if entry.path in may)
    ranked, successors = _behind(app, ask, ranked)
    lines = {entry.path: entry.line for entry in reversed(entries)}
    heads = app.head([one.path for one in ranked[: ask.limit]])
    hits = []
    for one in ranked[: ask.limit]:
        head = heads.get(one.path)
        if head is None:  # removed by another process between the two reads
            continue
        why = dict(one.why)
        if head.status != "active":
            why["status"] = head.status
        if one.path in successors:
            why["superseded_by"] = successors[one.path]
        if one.path in lines:
            why["line"] = lines[one.path]
        hits.append(Hit(one.path, head.title, head.description or _snippet(app, one.path, one.terms), round(one.score, 4), why))
    return Found(ask.query, tuple(hits), degraded, "" if hits or entries else _hint(ask), entries, saved)


def allowed(app: App, harness: str, paths: Sequence[str]) -> frozenset[str]:
    """Those that this harness may see, muted ones included: who searches has asked."""
    policy = policy_of(app, harness)._replace(inactive=True, muted=())
    return frozenset(row.path for row in app.rows(list(dict.fromkeys(paths))) if recall.allowed(row, policy))


def _hint(ask: Ask) -> str:
    if ask.on is not None:
        return f"nothing found that stands under that day: `vaultkit grep {ask.on}` also finds where it is only mentioned"
    return "nothing found: a specific day or wording is found by `vaultkit grep`; `--all` also searches retired notes and daily notes"


def _ranked(app: App, ask: Ask) -> tuple[list[Ranked], tuple[str, ...]]:
    """By words, and by meaning where that can be had now."""
    if not ask.query.strip():
        return [], ()
    meaning, degraded = ask_model(app, ask.query, load=ask.hybrid)
    depth = max(DEEP, ask.limit) if meaning or ask.on else ask.limit + _HIDDEN
    depth *= _WIDER if ask.harness else 1
    found = app.search.search(
        ask.query,
        limit=depth,
        types=ask.types,
        statuses=ask.wanted,
        scopes=ask.scopes,
        tags=ask.tags,
        folder=ask.folder,
        everything=ask.everything,
    )
    if meaning is not None:
        fused = by_both(app, meaning, found, admitted(app, ask))
        if fused is not None:
            return fused, degraded
    return [
        Ranked(
            hit.path,
            hit.score,
            {"terms": list(hit.terms), "coverage": round(hit.coverage, 3), "rank": rank, "bm25": round(hit.bm25, 3)},
            hit.terms,
        )
        for rank, hit in enumerate(found, 1)
    ], degraded


def admitted(app: App, ask: Ask) -> frozenset[str]:
    """The notes that *ask* may find, whatever its words. The same object as long as no note changes."""
    app.manifest()
    key = (ask.types, ask.wanted, ask.scopes, ask.tags, ask.folder, ask.everything)
    found: frozenset[str] | None = app.memo.get(key)
    if found is None:
        test = _filter(ask)
        heads = app.heads().items()
        found = app.memo[key] = frozenset(
            path for path, head in heads if test(path, head) and (ask.everything or ask.types or app.rules.is_ranked(path, head.type))
        )
    return found


def _filter(ask: Ask) -> Callable[[str, Head], bool]:
    """One of each kind of filter, every tag; as the index by words understands them."""
    types, statuses, scopes = ({_folded(word) for word in words} for words in (ask.types, ask.wanted, ask.scopes))
    tags = [_folded(tag.removeprefix("#")) for tag in ask.tags]
    folder = _folded(ask.folder.strip("/"))

    def test(path: str, head: Head) -> bool:
        return (
            (not types or _folded(head.type) in types)
            and (not statuses or _folded(head.status) in statuses)
            and (not scopes or any(_below(_folded(head.scope), scope) for scope in scopes))
            and all(any(_below(_folded(own), tag) for own in head.tags) for tag in tags)
            and (not folder or _folded(path).startswith(folder + "/"))
        )

    return test


def _folded(word: str) -> str:
    return unicodedata.normalize("NFC", word.casefold())


def _below(name: str, ancestor: str) -> bool:
    return name == ancestor or name.startswith(ancestor + "/")


def _behind(app: App, ask: Ask, ranked: list[Ranked]) -> tuple[list[Ranked], dict[str, str]]:
    """None before its successor; and what was superseded only where it was asked for. With the successor of each that names one."""
    heads = app.head([one.path for one in ranked])
    named = {path: head.successor for path, head in heads.items() if head.successor}
    if not named:
        return ranked, {}
    app.manifest()
    resolver: graph.Resolver | None = app.memo.get("resolver")
    if resolver is None:
        resolver = app.memo["resolver"] = graph.Resolver(app.manifest())
    successors = {path: found for path, name in named.items() if (found := resolver.resolve(name, path).path) and found != path}
    known = {one.path: one for one in ranked}
    order = behind_successors(known, successors)
    if not (ask.everything or ask.statuses):
        order = [path for path in order if path not in successors]
    result: list[Ranked] = []
    for path in order:
        one = known[path]
        result.append(one._replace(score=min(one.score, result[-1].score)) if result else one)
    return result, {path: successors.get(path, name) for path, name in named.items()}


def _passages(app: App, ask: Ask) -> tuple[tuple[Passage, ...], float]:
    """The bullets and dated paragraphs that match, with two lines on each side; and what reading only these saves."""
    narrowed = bool(ask.scopes or ask.tags or ask.folder or ask.harness)
    found = app.bullets.search(
        ask.query,
        on=ask.on,
        limit=ask.limit * (_WIDER if narrowed else 1),
        types=ask.types,
        statuses=ask.wanted,
    )
    heads = app.head(list({hit.path for hit in found}))
    test = _filter(ask)
    found = [hit for hit in found if (head := heads.get(hit.path)) and test(hit.path, head)]
    if ask.on is None and found:
        found = [hit for hit in found if hit.score >= found[0].score / 2]  # the best few, not whatever has one of the words
    texts: dict[str, str] = {}
    passages = []
    for hit in found[: ask.limit]:
        if hit.path not in texts:
            try:
                texts[hit.path] = to_text(app.files.read(hit.path).data)
            except (VaultkitError, OSError):
                continue  # it went away meanwhile
        text = bullets.around(texts[hit.path], hit.line, hit.end_line)
        passages.append(Passage(hit.path, hit.line, text, hit.day, round(hit.score, 4)))
    return tuple(passages), round(bullets.saved((one.text for one in passages), texts.values()), 3)


_HIDDEN: Final = 10  # superseded notes that may be left out without the answer getting shorter
_WIDER: Final = 8  # times as many passages are asked for where some are filtered out afterwards


class Match(NamedTuple):
    """One matching line. *before* and *after* are its context."""

    path: str
    line: int
    text: str
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


class Pattern(NamedTuple):
    """What grep looks for. *fold*: NFKC and case folding on both sides."""

    text: str
    regex: bool = False
    fold: bool = False
    ignore_case: bool = False
    context: int = 0
    limit: int = 0  # 0: all


class Grepped(NamedTuple):
    """Matches in path order, and what could not be read."""

    matches: tuple[Match, ...]
    notes_read: int
    skipped: tuple[str, ...]


def grep(app: App, pattern: Pattern, *, progress: Progress | None = None) -> Grepped:
    """Every line of every note that matches, straight from the files: no index is asked."""
    test = _matcher(pattern)
    walk = app.files.walk()
    paths = sorted(entry.path for entry in walk.entries if entry.path.lower().endswith(".md"))
    matches: list[Match] = []
    skipped = [f"{skip.path}: {skip.reason}" for skip in walk.skipped]
    read = 0
    for at, path in enumerate(paths):
        if progress is not None and at % 200 == 0:
            progress(at, len(paths))
        try:
            text = to_text(app.files.read(path).data)
        except (VaultkitError, OSError) as error:
            skipped.append(f"{path}: {error}")
            continue
        read += 1
        with _within(_SECONDS_A_NOTE if pattern.regex else 0, path):
            if test.whole(text):
                matches.extend(_lines(path, text, test.line, pattern.context))
        if pattern.limit and len(matches) >= pattern.limit:
            return Grepped(tuple(matches[: pattern.limit]), read, tuple(skipped))
    return Grepped(tuple(matches), read, tuple(skipped))


def sync(app: App, progress: Progress | None = None) -> Synced:
    """Everything that words are found by, up to date."""
    return app.sync(progress)


_SECONDS_A_NOTE = 10.0


@contextmanager
def _within(seconds: float, path: str) -> Iterator[None]:
    """Stop a regular expression that tries every way to split a line; in the main thread only, where signals arrive."""
    if not seconds or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: object) -> NoReturn:
        raise QuerySyntaxError(
            f"this pattern takes longer than {seconds:g} seconds on {path}", hint="make it simpler: no repeat inside a repeat, as in (a+)+"
        )

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Embedding(NamedTuple):
    """What a sync did about vectors. *should* notes ought to have a current one, *current* have; *problem* says why not all. Not *ok*: exit 1."""

    embedded: int
    should: int
    current: int
    problem: str = ""
    ok: bool = True


def embed(app: App, *, wanted: bool | None = None, limit_seconds: float | None = None, progress: Progress | None = None) -> Embedding:
    """Give notes their vectors, of the vault as of the last sync.

    *wanted* None: only where that is no surprise, which is when an embedder was chosen in the settings, or some note has a vector already.
    A run that had something to embed and embedded nothing is not *ok* (memory.md M14).
    """
    should = app.count_embeddable()
    chosen = app.config.embedder not in {"auto", "none"} or (app.embedded and app.config.embedder != "none")
    if not (chosen if wanted is None else wanted):
        current = app.coverage().current if app.embedded else 0
        return Embedding(0, should, current)
    stamp = app.embedding_stamp()
    if wanted is None and app.embedded and app.cache.meta("embedded") == stamp:
        return Embedding(0, should, should)  # nothing changed since all had one
    try:
        done = app.embed(limit_seconds, progress, anew=bool(wanted))
    except VaultBusyError as error:
        if wanted:
            raise
        return Embedding(0, should, app.coverage().current, error.message)
    found = app.coverage()
    if found.current == found.should:
        app.cache.remember("embedded", app.embedding_stamp())
    problem = done.reason if done.wanted else ""
    return Embedding(done.embedded, found.should, found.current, problem, done.ok)


class _Matcher(NamedTuple):
    whole: Callable[[str], bool]  # may the text hold a match at all?
    line: Callable[[str], bool]


def _matcher(pattern: Pattern) -> _Matcher:
    if not pattern.text:
        raise QuerySyntaxError("grep needs a pattern", hint="give the text to look for")
    if pattern.fold and not pattern.regex:
        wanted = tokens.normalise(pattern.text)
        if not wanted:
            raise QuerySyntaxError("that pattern is empty when folded", hint="leave --fold out")
        return _Matcher(lambda _: True, lambda line: wanted in tokens.normalise(line))
    source = pattern.text if pattern.regex else re.escape(pattern.text)
    if not pattern.regex and not pattern.ignore_case:
        literal = pattern.text
        return _Matcher(lambda text: literal in text, lambda line: literal in line)
    try:
        compiled = re.compile(source, re.IGNORECASE if pattern.ignore_case or pattern.fold else 0)
    except (re.error, OverflowError, RecursionError) as error:
        raise QuerySyntaxError(f"that is no regular expression: {error}", hint="leave --regex out to search literally") from error
    if pattern.fold:
        return _Matcher(lambda _: True, lambda line: compiled.search(tokens.normalise(line)) is not None)
    return _Matcher(lambda _: True, lambda line: compiled.search(line) is not None)


# Obsidian's editor ends lines at these three only; str.splitlines would also split at U+2028 and form feeds.
_LINE_END = re.compile(r"\r\n|\n|\r")


def _lines(path: str, text: str, test: Callable[[str], bool], context: int) -> Iterator[Match]:
    lines = _LINE_END.split(text)
    if lines and not lines[-1]:
        lines.pop()
    for at, line in enumerate(lines):
        if test(line):
            before = tuple(lines[max(0, at - context) : at]) if context else ()
            after = tuple(lines[at + 1 : at + 1 + context]) if context else ()
            yield Match(path, at + 1, line, before, after)


def _snippet(app: App, path: str, terms: Sequence[str]) -> str:
    try:
        text = to_text(app.files.read(path).data)
    except (VaultkitError, OSError):
        return ""  # it went away meanwhile; the hit itself still says what matched
    block = find_block(text)  # where the body begins is all that is asked of the frontmatter: no need to read it
    return snippet(text[block.end if block else 0 :], terms)
