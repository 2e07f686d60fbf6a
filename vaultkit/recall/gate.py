"""Which of the ranked notes are worth a person's context, and how sure that is. Pure.

A wrong memory costs more than a missing one, so a note has to pass three tests that measure different things:

    score     how near it comes to the most that the prompt could reach in any note (a long note full of everything comes near nothing)
    coverage  how much of what the prompt asks for it has at all
    evidence  how little of a coincidence that is: the number of notes in which k of the prompt's n telling words would meet by chance is
              N · C(n, k) · Π (share of notes with the word); its logarithm must be well below 0. A prompt of a few words, typed as one
              types into a search box, is about those words and needs none.

Each is relative to the prompt and to the vault's own word counts, so that the same numbers hold for 200 notes and for 50,000.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from vaultkit.recall.prompt import Mode, Prompt
from vaultkit.recall.rank import names_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultkit.recall.rank import Match, Scored, Stats

Confidence = Literal["high", "medium", "low", "none"]


class Settings(NamedTuple):
    """What the gate can be told; calibrated on 4,780 generated and 1,000 real notes (tools/eval_recall.py)."""

    score: float = 0.25
    coverage: float = 0.5
    evidence: float = 0.0  # nats beyond chance
    few_evidence: float = 2.0  # the same for two telling words that stand in the text only
    generic_evidence: float = -3.0  # the same for words of any work, typed alone: twenty notes may have them
    high_score: float = 0.4
    high_coverage: float = 0.75
    high_few: float = 0.9  # the same for a prompt of at most three words
    high_evidence: float = -2.5
    named_evidence: float = 1.0  # enough where the prompt holds the whole title of a note, of two words or more
    strong_evidence: float = 6.0  # so far beyond chance, half the score will do
    strong_score: float = 0.12
    strong_coverage: float = 0.4
    near: float = 0.8  # of the best score: so near, a note is a rival of it
    rivals: int = 0  # allowed to the best note at *high*: where several fit alike, none is sure
    bare_rivals: int = 4  # the same for a prompt of a few words, which names a subject and not a note
    beside: float = 0.5  # at *medium* a note is shown beside the best one if it has so much of its score
    most: tuple[tuple[Mode, int], ...] = (("light", 3), ("targeted", 6), ("graph-overview", 10))


class Judged(NamedTuple):
    """How sure the recall is, and the notes that are worth showing, best first: none below medium."""

    confidence: Confidence
    shown: tuple[Scored, ...]


DEFAULTS: Final = Settings()


def judge(scored: Sequence[Scored], prompt: Prompt, stats: Stats, *, mode: Mode = "light", settings: Settings = DEFAULTS) -> Judged:
    """The confidence band, and the notes of that band."""
    most = dict(settings.most)[mode]
    keys = prompt.telling
    graded = [(one, _grade(one, prompt, keys, stats, settings)) for one in scored[: 2 * most]]
    passed = [one for one, grade in graded if grade in _SHOWN]
    if not passed:
        return Judged("low" if any(grade == "low" for _, grade in graded) else "none", ())
    sure = [one for one, grade in graded if grade == "high" and one.score >= passed[0].score * settings.near]
    rivals = sum(1 for one in scored if one.score >= passed[0].score * settings.near) - 1
    if sure and rivals <= (settings.bare_rivals if prompt.bare else settings.rivals):
        return Judged("high", tuple(sure[:most]))
    return Judged("medium", tuple(one for one in passed if one.score >= passed[0].score * settings.beside)[:most])


def evidence(telling: Sequence[Match], asked: int, notes: int) -> float:
    """How far beyond chance a note matches these of *asked* telling words: nats, 0 where one note would be expected to."""
    found = sum(match.idf * match.share * match.word.weight for match in telling)
    return found - math.log(max(1, math.comb(asked, len(telling)))) - math.log(max(1, notes))


def _grade(one: Scored, prompt: Prompt, keys: frozenset[str], stats: Stats, settings: Settings) -> Confidence:
    telling = [match for match in one.matches if match.word.key in keys]
    if not telling:
        return "none"
    beyond = evidence(telling, len(keys), stats.notes)
    named = _named(one, telling)
    # "what do my notes say about steeping?" is about that one word, as "steeping" alone would be.
    about = prompt.bare or ((prompt.asks or prompt.overview) and len(keys) == 1)
    if about:
        least = settings.generic_evidence if telling[0].word.generic else -math.inf
    else:
        least = settings.evidence if len(telling) > _SEVERAL or any(match.named for match in telling) else settings.few_evidence
    meets = (
        (about or len(telling) >= _SEVERAL or named)
        and one.base >= settings.score
        and one.coverage >= settings.coverage
        and beyond >= least
    )
    if not meets:
        strong = (
            beyond >= settings.strong_evidence and one.base >= settings.strong_score and one.coverage >= settings.strong_coverage
        ) or (named >= _SEVERAL and beyond >= settings.named_evidence)
        return "medium" if strong else "low" if one.coverage >= _SOME else "none"
    enough = settings.high_few if len(prompt.words) <= _FEW else settings.high_coverage
    sure = any(match.named for match in telling) or len(telling) > _SEVERAL or prompt.bare
    if sure and one.coverage >= enough and one.base >= settings.high_score and beyond >= settings.high_evidence:
        return "high"
    return "medium"


_SHOWN: Final = frozenset({"high", "medium"})
_SEVERAL: Final = 2
_FEW: Final = 3
_SOME: Final = 0.3


def _named(one: Scored, telling: Sequence[Match]) -> int:
    """How many telling words the note's title has (or one of its aliases), if the prompt holds them all; else 0."""
    keys = {key for match in telling for key in (match.word.key, *match.word.others)}
    whole = (words for words in names_in(one.row) if all(word.key in keys or keys.intersection(word.others) for word in words))
    return max(map(len, whole), default=0)
