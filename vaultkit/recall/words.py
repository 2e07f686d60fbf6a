"""What a prompt asks for, as words: Latin words by their stem, Japanese by script, each with what it weighs. Pure; any text is valid.

A run of Japanese is cut where its script changes (会議室が二重に → 会議室, 二重): without a dictionary that is near enough to words, and unlike
two-character tokens it counts バックアップ once and lets grammar (の, されて, でした) fall away.

    kind      weight of a word beside its rarity
    latin     1; a number or a single letter less
    kanji     1; a single kanji less, least as the stem of a verb (書いて)
    kana      katakana 1; hiragana little
    other     Hangul, Thai and the like: 1
    generic   words of any work (fix, test, エラー, 実装): a fifth of that
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING, Final, NamedTuple

from vaultkit.recall import _lexicon
from vaultkit.text.tokens import index_tokens, normalise, parse_query

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOST_WORDS: Final = 200  # read from one prompt; the gate weighs the rarest of them


class Word(NamedTuple):
    """One word of a prompt."""

    key: str  # a Latin stem, or Japanese as the prompt has it, folded
    text: str  # as the prompt has it
    kind: str  # latin | kanji | kana | other
    weight: float
    tokens: tuple[str, ...]  # what the search index has of it
    others: tuple[str, ...] = ()  # spellings that do as well: joined (`git lab` → gitlab), without kana (締め切り → 締切)
    generic: bool = False

    @property
    def latin(self) -> bool:
        """Is it looked up as one token (and not as a stretch of text)?"""
        return self.kind == "latin"


def words_of(text: str) -> tuple[Word, ...]:
    """The words of *text*, each once, in order; stop words and grammar left out."""
    found: dict[str, Word] = {}
    for word in (*_latin(text), *_unspaced(text)):
        found.setdefault(word.key, word)
        if len(found) >= MOST_WORDS:
            break
    return tuple(found.values())


@lru_cache(maxsize=4096)
def name_words(name: str) -> tuple[Word, ...]:
    """The words of a title or an alias; remembered, because the same notes come again and again."""
    return words_of(name[:_LONGEST_NAME])


_LONGEST_NAME: Final = 200

# -- Latin and other spaced scripts ------------------------------------------------------------------------------------

_NO_WORD: Final = re.compile(r"[\d.,:]+|[^\w+#]+|[a-z]")  # a number, an emoji, a letter


def _latin(text: str) -> Iterator[Word]:
    asked = parse_query(text[:_LONGEST_PROMPT])
    others: dict[int, list[str]] = {}
    for join in asked.joins:
        for at in join.covers:
            others.setdefault(at, []).append(join.token)
    for at, term in enumerate(asked.terms):
        if term.run < 0 and not _lexicon.is_stop(term.text):
            generic = _lexicon.is_generic(term.token) or _lexicon.is_generic(term.text)
            yield Word(
                term.token,
                term.text,
                "latin",
                _latin_weight(term.text) * (_GENERIC if generic else 1.0),
                (term.token, *others.get(at, ())),
                tuple(others.get(at, ())),
                generic,
            )


_LONGEST_PROMPT: Final = 20_000  # characters
_GENERIC: Final = 0.2


def _latin_weight(word: str) -> float:
    return 0.4 if _NO_WORD.fullmatch(word) else 1.0


# -- scripts without spaces --------------------------------------------------------------------------------------------

_HAN: Final = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"


@cache
def unspaced_run() -> re.Pattern[str]:
    """A run of scripts that are written without spaces, as `text.tokens` has it."""
    return re.compile(
        f"[{_HAN}\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff"
        "\u1100-\u11ff\uac00-\ud7ff\u0e01-\u0e7f\u0e81-\u0eff\u1000-\u109f\u1780-\u17ff]+"
    )


@cache
def _sub_run() -> re.Pattern[str]:
    """A stretch of one script; compiled when the first Japanese prompt comes."""
    return re.compile(
        f"(?P<mixed>(?<![{_HAN}])[{_HAN}][いえきぎけげしじせちっびべみめりれわ]{{1,2}}[{_HAN}](?![{_HAN}]))"  # 締め切, 打ち合, 引っ越
        f"|(?P<kanji>[{_HAN}]+)|(?P<katakana>[ァ-ヺー]+)|(?P<hiragana>[ぁ-ゖゝゞー]+)|(?P<other>[^{_HAN}ァ-ヺぁ-ゖゝゞー]+)"
    )


_OKURIGANA: Final = re.compile("[ぁ-ゖ]")


def _unspaced(text: str) -> Iterator[Word]:
    plain = normalise(text[:_LONGEST_PROMPT])
    if plain.isascii():
        return
    for run in unspaced_run().finditer(plain):
        parts = list(_sub_run().finditer(plain, *run.span()))
        for before, part, after in zip([None, *parts], parts, [*parts[1:], None], strict=False):
            if word := _part(part, before, after):
                yield word


def _part(part: re.Match[str], before: re.Match[str] | None, after: re.Match[str] | None) -> Word | None:
    text = part[0]
    match part.lastgroup:
        case "mixed":
            bare = re.sub("[ぁ-ゖ]", "", text)
            generic = _lexicon.is_generic(text) or _lexicon.is_generic(bare)
            return Word(text, text, "kanji", _GENERIC if generic else 1.0, (*neighbours(text), bare), (bare,), generic)
        case "kanji" if len(text) == 1:
            return _single_kanji(text, after[0] if after and after.lastgroup == "hiragana" else "")
        case "kanji":
            generic = _lexicon.is_generic(text)
            return Word(text, text, "kanji", _GENERIC if generic else 1.0, tuple(neighbours(text)), (), generic)
        case "katakana":
            text = folded(text)
            generic = _lexicon.is_generic(text)
            return Word(text, text, "kana", _GENERIC if generic else 1.0, tuple(neighbours(text)), (), generic) if len(text) > 1 else None
        case "hiragana":
            kind = _BEFORE.get(before.lastgroup or "", "other") if before else ""
            return _hiragana(text, kind, alone=not before and not after)
        case _:
            return Word(text, text, "other", 1.0, tuple(neighbours(text)))


def _single_kanji(kanji: str, kana: str) -> Word | None:
    """猫 (and 猫は) is a word by itself; of 書いて one cannot be as sure."""
    generic = _lexicon.is_generic(kanji)
    factor = _GENERIC if generic else 1.0
    if not kana or _lexicon.PARTICLE.match(kana):
        return Word(kanji, kanji, "kanji", 0.8 * factor, (kanji,), (), generic)
    stem = kanji + kana[0]
    return Word(stem, stem, "kanji", 0.4 * factor, (stem, kanji), (), generic)


_BEFORE: Final = {"kanji": "kanji", "mixed": "kanji"}


def _hiragana(text: str, before: str, *, alone: bool) -> Word | None:
    bare = _lexicon.without_grammar(text, before)
    if len(bare) < 2:
        return None
    generic = _lexicon.is_generic(bare)
    weight = 0.8 if alone and len(bare) == len(text) else 0.35
    return Word(bare, bare, "kana", weight * (_GENERIC if generic else 1.0), tuple(neighbours(bare)), (), generic)


def neighbours(text: str) -> list[str]:
    """Every two neighbours of an unspaced *text*, itself when it is one character: how the search index has it."""
    return [a + b for a, b in pairwise(text)] or [text]


def folded(run: str) -> str:
    """A run of an unspaced script as the search index spells it (サーバー → サーバ, ヴァ → バ)."""
    pairs = list(takewhile(lambda token: len(token) == 2, index_tokens(run)))
    return pairs[0] + "".join(pair[1] for pair in pairs[1:]) if pairs else run


def rarest(words: Sequence[Word], idf: Sequence[float], most: int) -> list[int]:
    """The places of the *most* telling words, in order."""
    places = sorted(range(len(words)), key=lambda at: -idf[at] * words[at].weight)[:most]
    return sorted(places)
