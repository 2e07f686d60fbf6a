"""Cheap tests that a text holds no date, before the grammar is asked.

Every pattern here begins with a letter or a class of them, for then `re` leaps over all other text. What the rules need in their
line (`Rule.words`, `also`, `alone`, `signs`) is asked only of the lines that the leap stops at.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from . import english_calendar, english_relative, japanese_calendar, japanese_relative, numeric
from .atoms import NEVER, RuleBook
from .mask import folded

_SHORT = 1000
_CJK = re.compile("[\u3041-\u9fff]")
_ALONE = tuple(rule for rule in (*numeric.RULES, *english_calendar.RULES, *english_relative.RULES) if not rule.alone & NEVER)


def may_hold_date(text: str) -> bool:
    """A cheap test, linear with a small constant: False only when `find_dates` would find nothing."""
    return next(dated_lines(text), None) is not None


def holds_japanese(text: str) -> bool:
    """Whether the rules for Japanese have anything to read in *text*."""
    return not text.isascii() and _CJK.search(text) is not None


def dated_lines(text: str) -> Iterator[int]:
    """The numbers (from 0) of the lines that may hold a date."""
    low = folded(text).lower()
    if len(low) < _SHORT and "\n" not in low:  # a line by itself is asked at once, which spares compiling the leaps
        if _standing_alone().comes_to_a_date(low) or (holds_japanese(low) and any(anchor.search(low) for anchor in _japanese_anchors())):
            yield 0
        return
    sure: set[int] = set()
    if holds_japanese(low):
        for anchor in _japanese_anchors():
            sure |= _line_starts(anchor, low)
    rules = _standing_alone()
    number = at = 0
    for start in sorted(sure | _line_starts(_figures(), low) | _line_starts(_first_words(), low)):
        if start in sure or rules.comes_to_a_date(low[start : _line_end(low, start)]):
            number += low.count("\n", at, start)
            at = start
            yield number


def _line_starts(anchor: re.Pattern[str], low: str) -> set[int]:
    """Where the lines begin that *anchor* is in."""
    starts: set[int] = set()
    at = 0
    while (found := anchor.search(low, at)) is not None:
        starts.add(low.rfind("\n", at, found.start()) + 1 or at)
        at = _line_end(low, found.end() - 1) + 1
        if at > len(low):
            break
    return starts


def _line_end(low: str, at: int) -> int:
    end = low.find("\n", at)
    return len(low) if end < 0 else end


@cache
def _standing_alone() -> RuleBook:
    """The rules for Latin letters that come to a date without the help of others."""
    return RuleBook(_ALONE)


@cache
def _figures() -> re.Pattern[str]:
    """A figure beside a sign, a letter or, when it is a year, nothing; or behind "at", "past" and +."""
    behind = "".join(rf"|(?<={sign}.)" for sign in (r"\+", "@", r"@\s", "at", r"at\s", "past", r"past\s"))
    return re.compile(rf"[0-9](?:[/:.-][0-9]|[a-z]|\s?[aphm]\.?|0[0-9]{{2}}(?![0-9])|0[0-9]{{6}}{behind})", re.ASCII)


@cache
def _first_words() -> re.Pattern[str]:
    """The words of which each other date in Latin letters has at least one."""
    words = {word for rule in _ALONE for word in rule.words if word.isalpha()}
    return re.compile(rf"(?<![a-z])(?:{_trie(words)}(?![a-z])|[qh][1-4])", re.ASCII)


_NUMERALS = "0-9〇零一二三四五六七八九十百千元半数両"


@cache
def _japanese_anchors() -> tuple[re.Pattern[str], ...]:
    """What each Japanese date has at least one of: a figure before a unit, or a word of the tables."""
    patterns = (
        rf"[日月年週時分](?:(?<=[{_NUMERALS}].)|(?<=[{_NUMERALS}]\s.)|(?<=[かヶヵカケ箇個業働平々末].))",
        r"曜",
        r"[上下今来先当翌前昨去再本々末四半](?:週|月|年|期|日|半期)",
        r"[今昨明一翌次前](?:夜|晩|宵|夕|朝|日|後|々|昨|営|の営)",
        r"[週月年新期](?:明|あ|初|は|頭|半|中|内|末|の瀬|始|度|年)",
        r"[毎隔例](?:日|朝|晩|夜|夕|食|週|月|年|四|平|営)",
        r"[月火水木金土](?:まで|〆|締|必着)",
        r"[月火水木金土日][・、,][月火水木金土日]",
        r"\([月火水木金土日][)曜・,、/祝休振祭]",
        r"[春夏秋冬](?:まで|中|頃|ごろ|に|前|予|開|$|\n|[、。])",
        r"[正令平](?:午|和[0-9]|成[0-9])",
        r"[らこさ](?:い|ん|らい)(?:しゅう|げつ)",
        *(re.escape(name) for name in (*japanese_relative.KANA_WORDS, "零時")),
        r"イ[ブヴ](?<![ァ-ヶー]..)",
        _trie(name for name in japanese_calendar.HOLIDAY_NAMES if name not in {"イブ", "イヴ"}),
    )
    return tuple(re.compile(pattern, re.ASCII) for pattern in patterns)


def _trie(words: Iterable[str]) -> str:
    """A pattern for any of *words* that branches a letter at a time."""
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
    "no date", "then", "same", "following", "previous", "beforehand", "shortly", "right before", "right after", "earlier", "ahead", "prior", "advance", "later", "before", "after", "前", "in a", "近", "連休", "そのうち", "いずれ", "いつか", "後日",
    "追", "おいおい", "しばらく", "落ち着", "早めに", "なるべく", "できるだけ", "来たる", "未定", "調整中", "その", "それまで", "当日", "同日",
)  # fmt: skip


def may_hold_vague(text: str) -> bool:
    """The same for the vague phrases of `find_unplaced`."""
    low = folded(text).lower()
    return any(sign in low for sign in _VAGUE_SIGNS)
