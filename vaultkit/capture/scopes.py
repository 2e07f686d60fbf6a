"""Scope of a capture: the person's lexicon > what the vault already has > rules > neighbours. Pure.

A narrow win is no win: the capture then stays in scope `inbox`, flagged low, and the receipt asks.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Literal, NamedTuple

from vaultkit.capture._cues import ENGLISH, HOSTS, JAPANESE, NEUTRAL, Table
from vaultkit.capture.clauses import word_set
from vaultkit.capture.request import Known, Settings
from vaultkit.errors import UsageError

Confidence = Literal["high", "low"]

# Points of one exact match. A rule's cue has 1 to 3, so that an entity of the vault outvotes any single cue.
_ENTITY = 4.0
_LINKED_ENTITY = 8.0
# Neighbours are near chance in a small vault (facts/capture.md §5); at this size they weigh as much as one clear cue.
_FULL_VOTE = 400
_VOTE = 2.0
_NARROW = 0.25  # of the winner's points
_LEAST = 1.0
# A topic stands at the head of a text; the tail of a long dump would only blur it.
_HEAD = 4_000


class Verdict(NamedTuple):
    """The scope, and how sure it is. *points* are shown when it is not."""

    scope: str
    confidence: Confidence
    points: tuple[tuple[str, float], ...] = ()
    why: str = ""


def classify(text: str, known: Known, settings: Settings, *, asked: str = "", url: str = "") -> Verdict:
    """Where *text* belongs: `work`, `personal`, `project/<name>`, or `inbox` when that is not clear."""
    if asked:
        return Verdict(checked_scope(asked, settings), "high", why="as told")
    folded = fold(text[:_HEAD])
    named = _project_named(folded, text, known, settings)
    lexicon = _most(_lexicon_hits(folded, settings))
    if lexicon is not None:
        return Verdict(_full(lexicon, named), "high", why="lexicon")
    points: dict[str, float] = defaultdict(float)
    for scope, weight in _entities(folded, known):
        points[scope] += weight
    entity_scopes = set(points)
    for scope, cues in rule_hits(folded).items():
        points[_same_project(scope, entity_scopes, named)] += _diminishing(cues.values())
    if (host := _host_scope(url)) is not None:
        points[_same_project(host, entity_scopes, named)] += 2.0
    trust = min(1.0, known.notes / _FULL_VOTE) * _VOTE
    total = sum(score for _, score in known.neighbours) or 1.0
    for scope, score in known.neighbours:
        if scope != "inbox":
            points[scope] += trust * score / total
    return _decide(points)


def checked_scope(asked: str, settings: Settings) -> str:
    """A scope as a person types it, in its full form; UsageError when it is none."""
    asked = asked.strip().strip("/")
    if asked in {"work", "personal", "inbox"}:
        return asked
    if asked == "project":
        return f"project/{settings.project}"
    head, _, name = asked.partition("/")
    if head == "project" and (slug := project_slug(name)):
        return f"project/{slug}"
    raise UsageError(f"{asked!r} is no scope", hint="use work, personal or project/NAME")


def project_slug(name: str) -> str:
    """A project's name as it stands behind `project/`."""
    return re.sub(r"[\W_]+", "-", unicodedata.normalize("NFKC", name).casefold()).strip("-")[:60].strip("-")


def fold(text: str) -> str:
    """*text* as cues are compared: NFKC, case folded, plain apostrophes."""
    return unicodedata.normalize("NFKC", text).casefold().replace("\u2019", "'")


def mentions(folded: str, name: str) -> bool:
    """Whether *name* (folded) stands in the text as words of its own."""
    start = folded.find(name)
    while start >= 0:
        end = start + len(name)
        if not (_joins(folded, start - 1, start) or _joins(folded, end - 1, end)):
            return True
        start = folded.find(name, start + 1)
    return False


def rule_hits(folded: str) -> dict[str, dict[str, float]]:
    """The cues of each scope that stand in *folded*; inside a longer cue a shorter one does not count."""
    found = [*_english_hits(folded), *_japanese_hits(folded)]
    found.sort(key=lambda hit: (hit[0] - hit[1], hit[0]))
    covered = bytearray(len(folded))
    taken: set[tuple[int, int]] = set()
    hits: dict[str, dict[str, float]] = {}
    for start, end, cue, votes in found:
        if (start, end) not in taken and any(covered[start:end]):
            continue
        taken.add((start, end))
        covered[start:end] = b"\1" * (end - start)
        for scope, weight in votes:
            if scope != _HIDES:
                hits.setdefault(scope, {})[cue] = weight
    return hits


def _decide(points: Mapping[str, float]) -> Verdict:
    ranked = sorted(points.items(), key=lambda item: (-item[1], item[0]))
    shown = tuple((scope, round(score, 2)) for scope, score in ranked[:3])
    if not ranked or ranked[0][1] < _LEAST:
        return Verdict("inbox", "low", shown, "nothing in it tells")
    best, top = ranked[0]
    second = ranked[1][1] if len(ranked) > 1 else 0.0
    if top - second < _NARROW * top:
        return Verdict("inbox", "low", shown, f"between {best} and {ranked[1][0]}")
    return Verdict(best, "high", shown, "words")


def _most(hits: Mapping[str, int]) -> str | None:
    ranked = sorted(hits.items(), key=lambda item: -item[1])
    if not ranked or (len(ranked) > 1 and ranked[0][1] == ranked[1][1]):
        return None
    return ranked[0][0]


def _lexicon_hits(folded: str, settings: Settings) -> dict[str, int]:
    hits: dict[str, int] = {}
    for scope, words in settings.lexicon.items():
        count = sum(1 for word in words if word.strip() and mentions(folded, fold(word.strip())))
        if count:
            hits[scope] = count
    return hits


def _entities(folded: str, known: Known) -> Iterable[tuple[str, float]]:
    for name, scope in known.scopes.items():
        key = fold(name)
        if len(key) < 2 or scope == "inbox" or key not in folded:
            continue
        if f"[[{key}" in folded:
            yield scope, _LINKED_ENTITY
        elif mentions(folded, key):
            yield scope, _ENTITY


def _project_named(folded: str, text: str, known: Known, settings: Settings) -> str:
    """The project that the text names: one of the vault, else an identifier before its first colon."""
    for name in sorted(known.projects, key=len, reverse=True):
        if len(name) > 1 and mentions(folded, fold(name)):
            return project_slug(name)
    label = re.match(r"\s*(?:[-*+]\s+)?([A-Za-z][\w.+-]{2,30}):\s", text)
    if label is not None and fold(label[1]) not in _cues()[0] and project_slug(label[1]) not in _LABELS:
        return project_slug(label[1])
    return settings.project


def _full(scope: str, named: str) -> str:
    return f"project/{named}" if scope == "project" else scope


def _same_project(scope: str, entities: Iterable[str], named: str) -> str:
    """Rules only say `project`; the vote goes to the project that an entity named."""
    if scope != "project":
        return scope
    projects = sorted(entity for entity in entities if entity.startswith("project/"))
    return projects[0] if len(projects) == 1 else f"project/{named}"


def _diminishing(weights: Iterable[float]) -> float:
    """The sum, with every further cue worth less: a long text must not win by its length."""
    return sum(weight / (1 + 0.25 * rank) for rank, weight in enumerate(sorted(weights, reverse=True)))


def _host_scope(url: str) -> str | None:
    host = re.match(r"https?://(?:[^/@]*@)?([^/:?#]+)", url)
    if host is None:
        return None
    name = host[1].casefold()
    return next((scope for known, scope in HOSTS.items() if name == known or name.endswith("." + known)), None)


def _joins(text: str, left: int, right: int) -> bool:
    """Whether two neighbouring characters belong to one word; kanji and kana never bind a name to what stands beside it."""
    if left < 0 or right >= len(text):
        return False
    a, b = text[left], text[right]
    return a < "\u3000" and b < "\u3000" and (a.isalnum() or a == "_") and (b.isalnum() or b == "_")


_HIDES: Final = ""
_LABELS: Final = word_set(
    "todo title note notes memo idea ideas reminder fyi re fwd subject update question answer task tasks bug fix feature done log draft "
    "tip warning http https ftp mailto file tel am pm deadline due date time from to cc dr mr mrs ps nb tldr link source quote"
)


_Votes = list[tuple[str, float]]
_Hit = tuple[int, int, str, _Votes]
_WORD: Final = re.compile(r"[a-z0-9\u00df-\u024f]+(?:['.+&-][a-z0-9\u00df-\u024f]+)*\+?")
_LONGEST = 4  # words of a cue


def _english_hits(folded: str) -> Iterator[_Hit]:
    table = _cues()[0]
    words = list(_WORD.finditer(folded))
    for first, word in enumerate(words):
        for count in range(min(_LONGEST, len(words) - first), 0, -1):
            start, end = word.start(), words[first + count - 1].end()
            cue = " ".join(folded[start:end].split())
            votes = table.get(cue) or (table.get(cue[:-1]) if cue.endswith("s") else None)
            if votes:
                yield start, end, cue, votes


def _japanese_hits(folded: str) -> Iterator[_Hit]:
    _, table, lengths = _cues()
    for start, character in enumerate(folded):
        for length in lengths.get(character, ()):
            cue = folded[start : start + length]
            if cue in table and not (_joins(folded, start - 1, start) or _joins(folded, start + length - 1, start + length)):
                yield start, start + length, cue, table[cue]


@functools.cache
def _cues() -> tuple[dict[str, _Votes], dict[str, _Votes], dict[str, tuple[int, ...]]]:
    """English cues, Japanese cues, and the lengths of Japanese cues by first character."""
    english, japanese = (_table(tables) for tables in (ENGLISH, JAPANESE))
    lengths: dict[str, set[int]] = defaultdict(set)
    for cue in japanese:
        lengths[cue[0]].add(len(cue))
    return english, japanese, {first: tuple(sorted(some, reverse=True)) for first, some in lengths.items()}


def _table(tables: Table) -> dict[str, _Votes]:
    table: dict[str, _Votes] = {}
    for scope, weights in (*tables.items(), (_HIDES, {0: NEUTRAL})):
        for weight, words in weights.items():
            for word in words.split(","):
                cue = fold(" ".join(word.split()))
                votes = table.setdefault(cue, [])
                if cue and all(scope != other for other, _ in votes):
                    votes.append((scope, float(weight)))
    table.pop("", None)
    return table
