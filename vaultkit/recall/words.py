"""What a prompt asks for, as words: Latin words by their stem, Japanese by script, each with what it weighs. Pure; any text is valid.

A run of Japanese is cut where its script changes (会議室が二重に → 会議室, 二重): without a dictionary that is near enough to words, and unlike
two-character tokens it counts バックアップ once and lets grammar (の, されて, でした) fall away.

    kind      weight of a word beside its rarity
    latin     1; a number or a single letter less
    kanji     1; a single kanji less, least as the stem of a verb (書いて)
    kana      katakana 1; hiragana little
    other     Hangul, Thai and the like: 1
    generic   words of any work (fix, test, エラー, 実装): a fifth of that, in `rank`
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
    generic: bool = False  # of any work
    idle: bool = False  # and no subject even when typed alone

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
            weight = 0.4 if _NO_WORD.fullmatch(term.text) else 1.0
            more = tuple(others.get(at, ()))
            yield _word(term.token, "latin", weight, (term.token, *more), more, text=term.text)


def _word(key: str, kind: str, weight: float, tokens: Sequence[str], others: tuple[str, ...] = (), *, text: str = "") -> Word:
    spellings = (key, text or key, *(others if kind != "latin" else ()))
    generic = any(map(_lexicon.is_generic, spellings))
    return Word(key, text or key, kind, weight, tuple(tokens), others, generic, generic and any(map(_lexicon.is_idle, spellings)))


_LONGEST_PROMPT: Final = 20_000  # characters


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


_KANA: Final = re.compile("[ぁ-ヺー]")


def _unspaced(text: str) -> Iterator[Word]:
    plain = normalise(text[:_LONGEST_PROMPT])
    if plain.isascii():
        return
    chinese = not _KANA.search(plain)
    for run in unspaced_run().finditer(plain):
        if chinese and len(run[0]) > _LONGEST_COMPOUND:
            yield from _chinese(run[0])
            continue
        parts = list(_sub_run().finditer(plain, *run.span()))
        for before, part, after in zip([None, *parts], parts, [*parts[1:], None], strict=False):
            if word := _part(part, before, after):
                yield word


def _part(part: re.Match[str], before: re.Match[str] | None, after: re.Match[str] | None) -> Word | None:
    text = part[0]
    match part.lastgroup:
        case "mixed":
            bare = _KANA.sub("", text)
            return _word(text, "kanji", 1.0, (*neighbours(text), bare), (bare,))
        case "kanji" if len(text) == 1:
            return _single_kanji(text, after[0] if after and after.lastgroup == "hiragana" else "")
        case "kanji":
            return _word(text, "kanji", 1.0, neighbours(text))
        case "katakana":
            text = folded(text)
            return _word(text, "kana", 1.0, neighbours(text)) if len(text) > 1 else None
        case "hiragana":
            kind = _BEFORE.get(before.lastgroup or "", "other") if before else ""
            return _hiragana(text, kind, alone=not before and not after)
        case _:
            return _word(text, "other", 1.0, neighbours(text))


def _chinese(run: str) -> Iterator[Word]:
    """A sentence of nothing but Han: what stands between its small words; a longer stretch by its neighbours, as nothing says where words end."""
    for stretch in _lexicon.CHINESE_GRAMMAR.split(run):
        if 1 < len(stretch) <= _LONGEST_COMPOUND:
            yield _word(stretch, "kanji", 1.0, neighbours(stretch))
        elif len(stretch) > 1:
            yield from (_word(pair, "kanji", 0.5, (pair,)) for pair in neighbours(stretch))


_LONGEST_COMPOUND: Final = 6  # characters: 外国人参政権


def _single_kanji(kanji: str, kana: str) -> Word:
    """猫 (and 猫は) is a word by itself; of 書いて one cannot be as sure."""
    if not kana or _lexicon.PARTICLE.match(kana):
        return _word(kanji, "kanji", 0.8, (kanji,))
    stem = kanji + kana[0]
    return _word(stem, "kanji", 0.4, (stem, kanji), (), text=stem)._replace(
        generic=_lexicon.is_generic(stem) or _lexicon.is_generic(kanji), idle=_lexicon.is_idle(stem) or _lexicon.is_idle(kanji)
    )


_BEFORE: Final = {"kanji": "kanji", "mixed": "kanji"}


def _hiragana(text: str, before: str, *, alone: bool) -> Word | None:
    bare = _lexicon.without_grammar(text, before)
    if len(bare) < 2:
        return None
    return _word(bare, "kana", 0.8 if alone and len(bare) == len(text) else 0.35, neighbours(bare))


def neighbours(text: str) -> list[str]:
    """Every two neighbours of an unspaced *text*, itself when it is one character: how the search index has it."""
    return [a + b for a, b in pairwise(text)] or [text]


def folded(run: str) -> str:
    """A run of an unspaced script as the search index spells it (サーバー → サーバ, ヴァ → バ)."""
    pairs = list(takewhile(lambda token: len(token) == 2, index_tokens(run)))
    return pairs[0] + "".join(pair[1] for pair in pairs[1:]) if pairs else run
