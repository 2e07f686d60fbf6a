"""How well each candidate fits the prompt: weighted fields × how much of the prompt is covered (memory.md M20). Pure.

    one word     f = 10·title + 8·alias + 5·tag + 3·heading + times in the body (at most 4, less in a long note);  v = f / (f + 1.5)
    all words    score = Σ worth·v / Σ worth  ×  coverage,   coverage = Σ worth·matched / Σ worth,   worth = IDF × the word's weight

Both lie between 0 and 1 whatever the vault's size, because they are shares of the most that the prompt could reach. A word that no note
has counts in both: a prompt about something else is covered badly, whatever small word of it matches.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from vaultkit.recall.index import BODY_REPEATS, FIELD, HASH, Row, number_of
from vaultkit.recall.prompt import GENERIC, Mode, Prompt, is_telling
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
        bonus = bonus_of((uses or {}).get(row.path), now, settings)
        if mode == "graph-overview" and backlinks:
            bonus += _linked(backlinks.get(row.path, 0), settings)
        factor = settings.types.get(row.type.casefold(), 1.0) if mode != "graph-overview" or row.type.casefold() != "moc" else _OVERVIEW_MOC
        scored.append(found._replace(score=found.base * factor * (1 + bonus), bonus=bonus))
    # Where superseded notes were asked for too, they come behind what may stand in their place.
    scored.sort(key=lambda one: (one.row.superseded, -one.score, one.row.path))
    return scored


_NO_SCOPE: Final = "inbox"
_OVERVIEW_MOC: Final = 1.1


def _inside(path: str, folder: str) -> bool:
    folder = folder.strip("/").casefold()
    return bool(folder) and path.casefold().startswith(folder + "/")


def _covers(scope: str, own: str) -> bool:
    scope, own = scope.casefold().strip("/"), own.casefold().strip("/")
    return own == scope or own.startswith(scope + "/")


def bonus_of(use: Use | None, now: datetime | None, settings: Settings = DEFAULTS) -> float:
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
    spaced: tuple[str, ...]  # latin: its spellings, as they stand in names
    texts: tuple[str, ...]  # unspaced: the stretches that stand for it
    parts: tuple[str, ...]  # unspaced: its neighbours, when there are more than one


class Question(NamedTuple):
    """The words of a prompt that are looked up, with what each is worth in this vault."""

    words: tuple[_Sought, ...]
    worth: float  # of all
    numbers: Mapping[int, tuple[int, ...]]  # every number that can stand in a note for a Latin word → the words
    unspaced: tuple[int, ...]  # the other words

    @classmethod
    def of(cls, prompt: Prompt, stats: Stats) -> Question:
        """The rarest words of *prompt*."""
        counts = [_count(word, stats) for word in prompt.words]
        sought = [
            _sought(word, _idf(count, stats.notes), bare=prompt.bare)
            for word, count in zip(prompt.words, counts, strict=True)
            if count or not word.idle  # of a verb that no note has, one cannot say that a note lacks it
        ]
        if len(sought) > MOST_WORDS:
            sought = sorted(sought, key=lambda one: -one.worth)[:MOST_WORDS]
        numbers: dict[int, tuple[int, ...]] = {}
        for at, one in enumerate(sought):
            for number in map(number_of, one.word.tokens if one.word.latin else ()):
                for times in range(BODY_REPEATS + 1) if number else ():
                    numbers[number | times] = (*numbers.get(number | times, ()), at)
        unspaced = tuple(at for at, one in enumerate(sought) if not one.word.latin)
        return cls(tuple(sought), sum(one.worth for one in sought), numbers, unspaced)

    def score(self, row: Row, settings: Settings) -> Scored | None:
        """How *row* fits, None when it does not at all."""
        matches = [_latin(self.words[at], row, times) for at, times in self._latin_words(row).items()]
        if self.unspaced:
            runs = row.runs()
            matches += (match for at in self.unspaced if (match := _unspaced(self.words[at], row, runs)))
        if not matches:
            return None
        length = 1 - settings.length + settings.length * row.length / settings.typical
        value = covered = 0.0
        for match in matches:
            field = (
                settings.title * match.title
                + settings.alias * match.alias
                + settings.tag * match.tag
                + settings.heading * match.heading
                + match.body / length
            )
            value += match.worth * match.share * field / (field + settings.saturation)
            covered += match.worth * match.share
        coverage = covered / self.worth
        base = value / self.worth * coverage
        return Scored(row, base, base, coverage, tuple(matches))

    def _latin_words(self, row: Row) -> dict[int, int]:
        """Which Latin words *row* has, and how often in the body."""
        found: dict[int, int] = {}
        for number in self.numbers.keys() & row.hashes() if self.numbers else ():
            for at in self.numbers[number]:
                found[at] = max(found.get(at, 0), number & ~HASH)
        return dict(sorted(found.items()))


def _count(word: Word, stats: Stats) -> int:
    """In how many notes a word stands, at most: a compound in no more than the rarest of its neighbours."""
    found = stats.found
    if word.latin:
        return max((found.get(token, 0) for token in word.tokens), default=0)
    own = [found.get(token, 0) for token in neighbours(word.key)]
    return max(min(own), *(found.get(token, 0) for token in word.others), 0)


def _idf(count: int, notes: int) -> float:
    return math.log(1 + (max(notes, count) - count + 0.5) / (count + 0.5))


_BARE: Final = 0.6  # "release checklist" typed alone is a subject: there even words of any work weigh something


def _sought(word: Word, idf: float, *, bare: bool) -> _Sought:
    worth = idf * word.weight * (_BARE if bare else GENERIC) if word.generic else idf * word.weight
    if word.latin:
        return _Sought(word, worth, idf, tuple(f" {token} " for token in word.tokens), (), ())
    parts = neighbours(word.key)
    return _Sought(word, worth, idf, (), (word.key, *word.others), tuple(parts) if len(parts) > 1 else ())


def _latin(sought: _Sought, row: Row, times: int) -> Match:
    title, alias, tag, heading = (any(spaced in name for spaced in sought.spaced) for name in row.names)
    return Match(sought.word, sought.worth, sought.idf, 1.0, title, alias, tag, heading, times)


def _unspaced(sought: _Sought, row: Row, runs: str) -> Match | None:
    names = row.unspaced_names
    for text in sought.texts:
        if text in names or text in runs:
            title, alias, tag, heading, _ = (text in name for name in names.split(FIELD))
            return Match(sought.word, sought.worth, sought.idf, 1.0, title, alias, tag, heading, min(runs.count(text), BODY_REPEATS))
    there = [part for part in sought.parts if part in names or part in runs]
    return _partly(sought, names, there) if there else None


def _partly(sought: _Sought, names: str, there: Sequence[str]) -> Match | None:
    """A compound of which only parts are there: 障害対応手順 by 障害の対応手順 nearly whole, 東京都 by 京都 hardly."""
    share = (len(there) / len(sought.parts)) ** 2
    if sought.word.kind == "kanji" and len(sought.parts) > 2 and len(sought.parts) % 2:
        pairs = sought.parts[::2]
        share = max(share, _APART * sum(pair in there for pair in pairs) / len(pairs))
    if sought.word.kind == "kana":
        share *= _OTHER_WORD
    if share < _LEAST_SHARE:
        return None
    title, alias, tag, heading, _ = (all(part in name for part in there) for name in names.split(FIELD))
    return Match(sought.word, sought.worth, sought.idf, share, title, alias, tag, heading, 1)


_APART: Final = 0.85  # 機械学習 by 機械 and 学習, wherever they stand
_OTHER_WORD: Final = 0.5  # プリント is no プリンター
_LEAST_SHARE: Final = 0.1


def names_in(row: Row) -> list[list[Word]]:
    """The telling words of a note's title and of each of its aliases, where there are any."""
    found = ([word for word in name_words(name) if is_telling(word)] for name in (row.title, *row.aliases))
    return [words for words in found if words]
