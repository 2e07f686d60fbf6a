"""How well each candidate fits the prompt: weighted fields × how much of the prompt is covered (memory.md M20). Pure.

    one word     f = 10·title + 8·alias + 5·tag + 3·heading + times in the body (at most 4, less in a long note);  v = f / (f + 1.5)
    all words    score = Σ worth·v / Σ worth  ×  coverage,   coverage = Σ worth·matched / Σ worth,   worth = IDF × the word's weight

Both lie between 0 and 1 whatever the vault's size, because they are shares of the most that the prompt could reach. A word that no note
has counts in both: a prompt about something else is covered badly, whatever small word of it matches.
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from vaultkit.recall.index import BODY_REPEATS, HASH, IN_HEADING, TIMES, Row, number_of
from vaultkit.recall.prompt import GENERIC, Mode, Prompt
from vaultkit.recall.words import Word, name_words, neighbours

CANDIDATES: Final = 50  # notes that are scored
MOST_WORDS: Final = 40  # of a prompt: its rarest


class Stats(NamedTuple):
    """What the search index knows about a prompt's tokens: how many notes there are, and in how many each token stands."""

    notes: int
    found: Mapping[str, int]


class Policy(NamedTuple):
    """What may be recalled at all. It is asked before anything else."""

    scopes: Collection[str] | None = None  # None: all. `project` allows `project/x`; a note without a scope has that of the inbox
    private_folders: Collection[str] = ()
    muted: Collection[str] = ()  # paths
    superseded: Collection[str] = ()  # paths of notes that another note supersedes
    inactive: bool = False  # retired, discarded, processed, proposed and superseded notes as well


class Use(NamedTuple):
    """How a note was used: opened so many times, last when, judged useful so many times. Having been shown counts for nothing."""

    accessed: int = 0
    last_accessed: datetime | None = None
    useful: int = 0


class Settings(NamedTuple):
    """What ranking can be told."""

    title: float = 10.0
    alias: float = 8.0
    tag: float = 5.0
    heading: float = 3.0
    saturation: float = 1.5
    length: float = 0.4  # how much a long body takes from its words
    typical: int = 250  # words of a typical note
    types: Mapping[str, float] = {
        "daily": 0.7,
        "session": 0.7,
        "braindump": 0.95,
        "moc": 0.9,
        "decision": 1.05,
        "failure": 1.05,
        "template": 0.0,
    }
    recent_days: float = 14.0
    recent: float = 0.04  # at most so much more for a note that was just read
    useful: float = 0.08  # at most so much more for one that helped again and again
    linked: float = 0.25  # at most so much more for one that many notes link to; in graph-overview only


DEFAULTS: Final = Settings()


class Match(NamedTuple):
    """What of one word of the prompt stands where in a note. *share* is less than 1 for a compound of which a part is there."""

    word: Word
    worth: float  # IDF × the word's weight
    idf: float
    share: float
    title: bool
    alias: bool
    tag: bool
    heading: bool
    body: int

    @property
    def named(self) -> bool:
        """Does it stand where a note says what it is about?"""
        return self.title or self.alias or self.tag


class Scored(NamedTuple):
    """A candidate and how it fits. *base* is the score before type and bonuses."""

    row: Row
    score: float
    base: float
    coverage: float
    matches: tuple[Match, ...]
    bonus: float = 0.0

    @property
    def path(self) -> str:
        """Its path."""
        return self.row.path

    def why(self) -> dict[str, object]:
        """The reasons, for `recall --json` and `why`."""
        return {
            "terms": [match.word.text for match in self.matches],
            "coverage": round(self.coverage, 3),
            "fields": [
                name for name in ("title", "alias", "tag", "heading", "body") if any(getattr(match, name) for match in self.matches)
            ],
            "bonus": round(self.bonus, 3),
        }


def allowed(row: Row, policy: Policy) -> bool:
    """May this note reach a digest?"""
    if row.private or row.path in policy.muted or row.type.casefold() == "template":
        return False
    if any(_inside(row.path, folder) for folder in policy.private_folders):
        return False
    if policy.scopes is not None and not any(_covers(scope, row.scope or _NO_SCOPE) for scope in policy.scopes):
        return False
    return policy.inactive or (row.status == "active" and not row.superseded and row.path not in policy.superseded)


def gather(find: Callable[[int], Sequence[str]], read: Callable[[Sequence[str]], Iterable[Row]], policy: Policy) -> list[Row]:
    """The first candidates that may be recalled: *find* gives the best so many paths, *read* their records.

    A vault of which most is private or processed is searched deeper, so that what is left out takes nobody's place.
    """
    rows: list[Row] = []
    seen: set[str] = set()
    for depth in (CANDIDATES, 4 * CANDIDATES, 32 * CANDIDATES):
        paths = find(depth)
        rows += (row for row in read([path for path in paths if path not in seen]) if allowed(row, policy))
        seen.update(paths)
        if len(rows) >= CANDIDATES or len(paths) < depth:
            break
    return rows[:CANDIDATES]


def rank(
    prompt: Prompt,
    candidates: Iterable[Row],
    stats: Stats,
    policy: Policy,
    *,
    mode: Mode = "light",
    uses: Mapping[str, Use] | None = None,
    backlinks: Mapping[str, int] | None = None,
    now: datetime | None = None,
    settings: Settings | None = None,
) -> list[Scored]:
    """The allowed candidates that match, best first. *now* dates the uses; *backlinks* count in graph-overview only."""
    settings = settings or DEFAULTS
    question = Question.of(prompt, stats)
    if not question.words:
        return []
    scored: list[Scored] = []
    for row in candidates:
        if not allowed(row, policy):
            continue
        found = question.score(row, settings)
        if found is None:
            continue
        bonus = _bonus((uses or {}).get(row.path), now, settings)
        if mode == "graph-overview" and backlinks:
            bonus += _linked(backlinks.get(row.path, 0), settings)
        factor = settings.types.get(row.type.casefold(), 1.0) if mode != "graph-overview" or row.type.casefold() != "moc" else _OVERVIEW_MOC
        scored.append(found._replace(score=found.base * factor * (1 + bonus), bonus=bonus))
    scored.sort(key=lambda one: (-one.score, one.row.path))
    return scored


_NO_SCOPE: Final = "inbox"
_OVERVIEW_MOC: Final = 1.1


def _inside(path: str, folder: str) -> bool:
    folder = folder.strip("/").casefold()
    return bool(folder) and path.casefold().startswith(folder + "/")


def _covers(scope: str, own: str) -> bool:
    scope, own = scope.casefold().strip("/"), own.casefold().strip("/")
    return own == scope or own.startswith(scope + "/")


def _bonus(use: Use | None, now: datetime | None, settings: Settings) -> float:
    """Bounded, so that no habit outweighs what the prompt says."""
    if use is None:
        return 0.0
    bonus = settings.useful * (1 - 0.5 ** max(0, use.useful))
    if use.last_accessed is not None and now is not None and use.accessed > 0:
        days = max(0.0, (now - use.last_accessed).total_seconds() / 86_400)
        bonus += settings.recent * 0.5 ** (days / settings.recent_days)
    return bonus


def _linked(count: int, settings: Settings) -> float:
    return settings.linked * (1 - 1 / (1 + math.log1p(max(0, count))))


# -- the prompt, weighed -----------------------------------------------------------------------------------------------


class _Sought(NamedTuple):
    """A word, made ready to be looked up in many notes."""

    word: Word
    worth: float
    idf: float
    numbers: tuple[int, ...]  # latin: hashes
    spaced: tuple[str, ...]  # latin: tokens between spaces
    texts: tuple[str, ...]  # unspaced: the stretches that stand for it
    parts: tuple[str, ...]  # unspaced: its neighbours, when there are more than one


class Question(NamedTuple):
    """The words of a prompt that are looked up, with what each is worth in this vault."""

    words: tuple[_Sought, ...]
    worth: float  # of all

    @classmethod
    def of(cls, prompt: Prompt, stats: Stats) -> Question:
        """The rarest words of *prompt*."""
        idf = [_idf(_count(word, stats), stats.notes) for word in prompt.words]
        sought = [_sought(word, one, bare=prompt.bare) for word, one in zip(prompt.words, idf, strict=True)]
        if len(sought) > MOST_WORDS:
            sought = sorted(sought, key=lambda one: -one.worth)[:MOST_WORDS]
        return cls(tuple(sought), sum(one.worth for one in sought))

    def score(self, row: Row, settings: Settings) -> Scored | None:
        """How *row* fits, None when it does not at all."""
        numbers = row.hashes()
        runs: str | None = None
        length = 1 - settings.length + settings.length * row.length / settings.typical
        matches: list[Match] = []
        value = covered = 0.0
        for sought in self.words:
            if sought.numbers:
                match = _latin(sought, row, numbers)
            else:
                if runs is None:
                    runs = row.runs()
                match = _unspaced(sought, row, runs)
            if match is None:
                continue
            field = (
                settings.title * match.title
                + settings.alias * match.alias
                + settings.tag * match.tag
                + settings.heading * match.heading
                + match.body / length
            )
            value += sought.worth * match.share * field / (field + settings.saturation)
            covered += sought.worth * match.share
            matches.append(match)
        if not matches:
            return None
        coverage = covered / self.worth
        base = value / self.worth * coverage
        return Scored(row, base, base, coverage, tuple(matches))


_BARE: Final = 0.6  # "build error" typed alone is a subject: there even words of any work weigh something


def _count(word: Word, stats: Stats) -> int:
    """In how many notes a word stands, at most: a compound in no more than the rarest of its neighbours."""
    found = stats.found
    if word.latin:
        return max((found.get(token, 0) for token in word.tokens), default=0)
    own = [found.get(token, 0) for token in neighbours(word.key)]
    return max(min(own), *(found.get(token, 0) for token in word.others), 0)


def _idf(count: int, notes: int) -> float:
    return math.log(1 + (max(notes, count) - count + 0.5) / (count + 0.5))


def _sought(word: Word, idf: float, *, bare: bool) -> _Sought:
    worth = idf * word.weight * (_BARE if bare else GENERIC) if word.generic else idf * word.weight
    if word.latin:
        return _Sought(word, worth, idf, tuple(map(number_of, word.tokens)), tuple(f" {token} " for token in word.tokens), (), ())
    parts = neighbours(word.key)
    return _Sought(word, worth, idf, (), (), (word.key, *word.others), tuple(parts) if len(parts) > 1 else ())


def _latin(sought: _Sought, row: Row, numbers: array[int]) -> Match | None:
    title, alias, tag = row.names
    in_title = in_alias = in_tag = in_heading = False
    body = 0
    last = len(numbers)
    for number, spaced in zip(sought.numbers, sought.spaced, strict=True):
        in_title = in_title or spaced in title
        in_alias = in_alias or spaced in alias
        in_tag = in_tag or spaced in tag
        at = bisect_left(numbers, number)
        if number and at < last and numbers[at] & HASH == number:
            body = max(body, (numbers[at] & TIMES) + 1)
            in_heading = in_heading or bool(numbers[at] & IN_HEADING)
    if body or in_title or in_alias or in_tag:
        return Match(sought.word, sought.worth, sought.idf, 1.0, in_title, in_alias, in_tag, in_heading, body)
    return None


def _unspaced(sought: _Sought, row: Row, runs: str) -> Match | None:
    title, alias, tag, heading = row.unspaced_names
    for text in sought.texts:
        count = runs.count(text)
        found = (text in title, text in alias, text in tag, text in heading)
        if count or any(found):
            return Match(sought.word, sought.worth, sought.idf, 1.0, *found, min(count, BODY_REPEATS))
    if not sought.parts:
        return None
    return _partly(sought, row, runs)


def _partly(sought: _Sought, row: Row, runs: str) -> Match | None:
    """A compound of which only parts are there: 障害対応手順 by 障害の対応手順 nearly whole, 東京都 by 京都 hardly."""
    names = row.unspaced_names
    there = [any(part in name for name in names) or part in runs for part in sought.parts]
    if not any(there):
        return None
    length = len(sought.parts) + 1
    share = (sum(there) / len(there)) ** 2
    if sought.word.kind == "kanji" and length >= 4 and length % 2 == 0:
        share = max(share, 0.85 * sum(there[::2]) / len(there[::2]))
    if sought.word.kind == "kana":
        share *= 0.5  # プリント is no プリンター
    if share < 0.1:
        return None
    found = (all(part in name for part, is_there in zip(sought.parts, there, strict=True) if is_there) for name in names)
    title, alias, tag, heading = found
    return Match(sought.word, sought.worth, sought.idf, share, title, alias, tag, heading, 1)


def names_in(row: Row) -> list[tuple[Word, ...]]:
    """The telling words of a note's title and of each of its aliases."""
    return [words for name in (row.title, *row.aliases) if (words := tuple(word for word in name_words(name) if not word.generic))]
