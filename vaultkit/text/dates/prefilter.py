"""Cheap tests that a text holds no date, before the grammar is asked.

Every pattern here begins with a letter or a class of them, for then `re` leaps over all other text. What the rules need in their
line (`Rule.words`, `also`, `alone`, `signs`) is asked only of the lines that the leap stops at.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from . import english_calendar, english_relative, japanese_calendar, japanese_relative, numeric
from .atoms import Rule, words_of
from .mask import folded

_LATIN_RULES = (*numeric.RULES, *english_calendar.RULES, *english_relative.RULES)


def may_hold_date(text: str) -> bool:
    """A cheap test, linear with a small constant: False only when `find_dates` would find nothing."""
    return next(dated_lines(text), None) is not None


def dated_lines(text: str) -> Iterator[int]:
    """The numbers (from 0) of the lines that may hold a date."""
    low = folded(text).lower()
    anchor = _anchor() if low.isascii() else _any_anchor()
    number = at = 0
    while (found := anchor.search(low, at)) is not None:
        number += low.count("\n", at, found.start())
        end = low.find("\n", found.start())
        end = len(low) if end < 0 else end
        start = low.rfind("\n", 0, found.start()) + 1
        if _holds(low[start:end]):
            yield number
        at, number = end + 1, number + 1


def _holds(low: str) -> bool:
    if not low.isascii() and _japanese_anchor().search(low):
        return True
    present = words_of(low)
    return any(rule.may_match(low, present) for rule in _standing_alone() if not rule.alone or not rule.alone.isdisjoint(present))


@cache
def _standing_alone() -> tuple[Rule, ...]:
    """The rules for Latin letters that come to a date without the help of others."""
    return tuple(rule for rule in _LATIN_RULES if "" not in rule.alone)


# A figure beside a sign, a letter or, when it is a year, nothing; or behind "at", "past" and +.
_FIGURES = r"[0-9](?:[/:.-][0-9]|[a-z]|\s?[ap]\.?m|0[0-9]{2}(?![0-9])|0[0-9]{6}|(?<=\+.)|(?<=@.)|(?<=@\s.)|(?<=at.)|(?<=at\s.)|(?<=past\s.)|(?<=past.))"


@cache
def _anchor() -> re.Pattern[str]:
    """What each date in Latin letters has at least one of."""
    first = {word for rule in _standing_alone() for word in rule.words if word.isalpha()}
    return re.compile(rf"{_FIGURES}|{_trie(first)}(?![a-z])", re.ASCII)


_NUMERALS = "0-9〇零一二三四五六七八九十百千元半数両"
_JAPANESE = (
    rf"[日月年週時分](?:(?<=[{_NUMERALS}].)|(?<=[{_NUMERALS}]\s.)|(?<=[かヶヵカケ箇個業働平々].))",
    r"曜",
    r"期(?:(?<=[上下今来前年].)|(?<=半.))",
    r"[今来先当翌前昨去再本々末](?:週|月|年|期|日|四半期)",
    r"今(?:夜|晩|宵|夕|朝)|昨(?:夜|晩)|明(?:日|後日|々|明後|朝|晩|夜)|一昨|翌(?:朝|営業)|次の?営業|前(?:夜|営業|々)",
    r"[週月年](?:明け|あけ|初|はじめ|頭|半ば|中|内|末|の瀬|始|度)|新年",
    r"[毎隔](?:日|朝|晩|夜|夕|食|週|月|年|四|平|営)|例年",
    r"[月火水木金土](?:まで|〆|締|必着)|[(、・,]\s?[月火水木金土日]|第[1-5一二三四五]|最終",
    r"[春夏秋冬](?:まで|中|頃|ごろ|に|前|予|開|$|\n|[、。])",
    r"正午|令和[0-9]|平成[0-9]|[らこ](?:い|ん)(?:しゅう|げつ)|さらいしゅう",
)


@cache
def _japanese_anchor() -> re.Pattern[str]:
    """What each Japanese date has at least one of: a figure before a unit, or a word of the tables."""
    return re.compile("|".join((*_JAPANESE, _trie({*japanese_calendar.HOLIDAY_NAMES, *japanese_relative.DAY_NAMES}))), re.ASCII)


@cache
def _any_anchor() -> re.Pattern[str]:
    return re.compile(f"{_anchor().pattern}|{_japanese_anchor().pattern}", re.ASCII)


def _trie(words: Iterable[str]) -> str:
    """A pattern for any of *words* that branches a letter at a time, and begins with a class of first letters."""
    branches: dict[str, set[str]] = {}
    for word in words:
        branches.setdefault(word[0], set()).add(word[1:])
    inner = []
    for letter, rests in sorted(branches.items()):
        longer = {rest for rest in rests if rest}
        tail = _trie(longer) if longer else ""
        inner.append(re.escape(letter) + (f"{tail}?" if tail and "" in rests else tail))
    return f"(?:{'|'.join(inner)})"


_VAGUE_SIGNS = (
    "some", "soon", "these days", "point", "eventual", "future", "due course", "time", "later", "long", "tb", "t.b", "decided", "announced", "confirmed",
    "no date", "then", "same", "following", "previous", "beforehand", "shortly", "right before", "right after", "in a", "近", "そのうち", "いずれ", "いつか", "後日",
    "追", "おいおい", "しばらく", "落ち着", "早めに", "なるべく", "できるだけ", "来たる", "未定", "調整中", "その", "それまで", "当日", "同日",
)  # fmt: skip


def may_hold_vague(text: str) -> bool:
    """The same for the vague phrases of `find_unplaced`."""
    low = folded(text).lower()
    return any(sign in low for sign in _VAGUE_SIGNS)
