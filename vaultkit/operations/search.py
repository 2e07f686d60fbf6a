"""Search, grep, sync."""

from __future__ import annotations

import re
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple, NoReturn

from vaultkit.app import App, Progress, Synced
from vaultkit.errors import IndexUnavailableError, QuerySyntaxError, VaultkitError
from vaultkit.text import tokens
from vaultkit.text.edit import to_text
from vaultkit.text.frontmatter import find_block
from vaultkit.text.snippet import snippet


class Hit(NamedTuple):
    """One note found. *score* is 1 for the best lexical match that covers the whole query; *why* says what matched."""

    path: str
    title: str
    description: str
    score: float
    why: dict[str, object]


class Found(NamedTuple):
    """A table of contents, best first. *degraded* names what could not be used; *hint* the next route when nothing was found."""

    query: str
    hits: tuple[Hit, ...]
    degraded: tuple[str, ...]
    hint: str = ""


class Ask(NamedTuple):
    """A search. No status means active notes only; *everything* means all, daily notes and templates too."""

    query: str
    limit: int = 10
    types: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    folder: str = ""
    everything: bool = False


def search(app: App, ask: Ask) -> Found:
    """The notes that match, best first. Any text is a valid query."""
    try:
        return _search(app, ask)
    except IndexUnavailableError:
        app.reset()
        return _search(app, ask)


def _search(app: App, ask: Ask) -> Found:
    app.sync()
    found = app.search.search(
        ask.query,
        limit=ask.limit,
        types=ask.types,
        statuses=ask.statuses or (() if ask.everything else ("active",)),
        scopes=ask.scopes,
        tags=ask.tags,
        folder=ask.folder,
        everything=ask.everything,
    )
    heads = app.head([hit.path for hit in found])
    hits = []
    for rank, hit in enumerate(found, 1):
        head = heads.get(hit.path)
        if head is None:  # removed by another process between the two reads
            continue
        description = head.description or _snippet(app, hit.path, hit.terms)
        why: dict[str, object] = {"terms": list(hit.terms), "coverage": round(hit.coverage, 3), "rank": rank, "bm25": round(hit.bm25, 3)}
        if head.status != "active":
            why["status"] = head.status
        hits.append(Hit(hit.path, head.title, description, round(hit.score, 4), why))
    hint = (
        ""
        if hits
        else "nothing found: a specific day or wording is found by `vaultkit grep`; `--all` also searches retired notes and daily notes"
    )
    return Found(ask.query, tuple(hits), (), hint)


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
    """Everything derived, up to date."""
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
