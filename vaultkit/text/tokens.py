"""Search tokens: NFKC, casefold, CJK bigrams and single kanji, English stems. Pure. Any text is valid; nothing here raises.

    text  ──fold──▶ NFKC, casefold, ー and ヴ spellings ──▶ chunks (Latin words, with `+ # . - _ : ' & @` inside) and CJK runs
    chunk ──────▶ its words, stemmed, and all of them joined: `Wi-Fi` → wi fi wifi; `c++`, `c#`, `.net` stay; an emoji is a word
    run   ──────▶ every two neighbours; in the index every kanji alone as well, in a query only a run of one

So `GitLab`, `ＧｉｔＬａｂ`, `git-lab` and `git lab` meet: the index joins what a note joins, the query joins what stands side by side.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import groupby, pairwise
from typing import Final, NamedTuple

from vaultkit.text._english import STOP_WORDS, stem

TITLE_WEIGHT: Final = 10
TAG_WEIGHT: Final = 5  # aliases too: other names, but many of them must not outweigh the title
BODY_REPEATS: Final = 4  # a word counts at most so often in a body: no list of one word outranks a title or a tag


class Term(NamedTuple):
    """One word of a query, or two neighbours of a CJK run."""

    token: str  # as the index has it
    text: str  # as the query has it, folded
    run: int = -1  # which CJK run, and where in it (-2: a kanji by itself): neighbours that both match are shown as one
    at: int = 0


class Join(NamedTuple):
    """Neighbouring words of a query written as one (`git lab` → `gitlab`), which stands for each of them."""

    token: str
    text: str
    covers: tuple[int, ...]  # indexes into `Query.terms`


class Query(NamedTuple):
    """What a query asks for: terms, each once, and the joined spellings that do as well."""

    terms: tuple[Term, ...]
    joins: tuple[Join, ...]


def normalise(text: str) -> str:
    """NFKC, case folding, white space folded to single spaces; for comparing (`grep --fold`)."""
    return " ".join(_casefold(text).split())


def index_tokens(text: str) -> list[str]:
    """Tokens of a note's text, in order, repeats kept."""
    return " ".join(map(_WORDS.__getitem__, _chunks(text))).split()


def word_counts(body: str) -> Counter[str]:
    """How often each token stands in a note's body."""
    words = Counter(map(_WORDS.__getitem__, _chunks(body)))
    words.pop("", None)  # what a lone dash comes to
    return words


def pooled(title: str, tags: Iterable[str], body: str | Counter[str], aliases: Iterable[str] = ()) -> str:
    """A note's tokens for one field, joined by spaces: title × 10, tags and aliases × 5, body × 1 (a word at most 4 times).

    This is what weights of 10 : 5 : 1 mean to BM25 as FTS5 counts it: they multiply how often a word occurs before that saturates.
    """
    aliases = tuple(aliases)
    parts = index_tokens(title) * TITLE_WEIGHT + index_tokens(" ".join((*tags, *aliases))) * TAG_WEIGHT
    parts += filter(None, map(name_token, (title, *aliases)))
    words = word_counts(body) if isinstance(body, str) else body
    parts += [word if times == 1 else " ".join([word] * min(times, BODY_REPEATS)) for word, times in words.items()]
    return " ".join(parts)


def name_token(text: str) -> str:
    """A title, alias or query as one token, so that who types a note's name finds that note first; "" where nothing is left of it."""
    name = "".join(_separated(text).split()).translate(_UNNAMED)[:_LONGEST]
    return "=" + name if name else ""


def query_tokens(text: str) -> list[str]:
    """Tokens of a query, each once, stop words left out unless nothing else is there. Any text is valid; never raises."""
    query = parse_query(text)
    return [*(term.token for term in query.terms), *(join.token for join in query.joins if len(join.covers) > 1)]


def parse_query(text: str) -> Query:
    """The terms of a query and their joined spellings."""
    words = list(_query_words(text))
    terms: dict[str, Term] = {}
    for word in [word for word in words if not word.stop] or words:
        terms.setdefault(word.term.token, word.term)
    place = {token: at for at, token in enumerate(terms)}
    joins: dict[str, Join] = {}
    for spelling, group in _other_spellings(words):
        token = _stemmed(spelling)
        covers = tuple(dict.fromkeys(place[word.term.token] for word in group if word.term.token in place))
        if covers and token not in place and spelling not in STOP_WORDS:
            joins.setdefault(token, Join(token, spelling, covers))
    return Query(tuple(terms.values()), tuple(joins.values()))


def pieces(folded: str) -> Iterator[tuple[int, int, bool]]:
    """Where the pieces of folded text stand: the runs of unspaced scripts (True), and what stands between them and spaces."""
    for solid in _SOLID.finditer(folded):
        at = solid.start()
        if not solid[0].isascii():
            for run in _run().finditer(folded, at, solid.end()):
                if at < run.start():
                    yield at, run.start(), False
                yield run.start(), run.end(), True
                at = run.end()
        if at < solid.end():
            yield at, solid.end(), False


def short_spellings(run: str) -> Iterator[tuple[int, str]]:
    """Where an unspaced *run* could leave out the kana between two kanji, and what then stands there: 締め切り → 0, 締切."""
    for found in _OKURIGANA.finditer(run):
        if _is_kanji(found[1]) and _is_kanji(found[2]):
            yield found.start(), found[1] + found[2]


def halves(word: str) -> Iterator[tuple[Term, Term]]:
    """The ways to read a Latin *word* as two: `gitlab` as `git` and `lab`."""
    if word.isascii() and word.isalpha() and len(word) <= _LONGEST_JOIN:
        for at in range(_SHORTEST_HALF, len(word) - _SHORTEST_HALF + 1):
            yield Term(stem(word[:at]), word[:at]), Term(stem(word[at:]), word[at:])


# -- folding -----------------------------------------------------------------------------------------------------------

_KATAKANA = "ァ-ヺ"
# A katakana word of three and more is written with and without its last ー: サーバー, サーバ.
_LAST_BAR = re.compile(f"(?<=[{_KATAKANA}ー][{_KATAKANA}])ー+(?![{_KATAKANA}ー])")
_VU = (("ヴァ", "バ"), ("ヴィ", "ビ"), ("ヴェ", "ベ"), ("ヴォ", "ボ"), ("ヴ", "ブ"))


def _casefold(text: str) -> str:
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def _fold(text: str) -> str:
    """Spellings of one word made equal, before it is cut into tokens."""
    text = _casefold(text)
    if text.isascii():
        return text
    text = text.replace("’", "'")
    if "ヴ" in text:
        for old, new in _VU:
            text = text.replace(old, new)
    return _LAST_BAR.sub("", text) if "ー" in text else text


# -- chunks and runs ---------------------------------------------------------------------------------------------------

_INSIDE = "+#.-_:'&@"  # may stand inside a word, or belong to it
_KEPT = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789" + _INSIDE.encode())
# Bytes, because `bytes.translate` is several times faster than a regular expression: every other ASCII character separates.
_SEPARATE = bytes(byte if byte in _KEPT or byte >= 0x80 else 0x20 for byte in range(256))

# Scripts written without spaces between words (Korean has them, but glues its particles to the word).
_UNSPACED = (
    "\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
    "\u1100-\u11ff\uac00-\ud7ff\u0e01-\u0e7f\u0e81-\u0eff\u1000-\u109f\u1780-\u17ff"
)
_SOLID = re.compile(r"\S+")
# Two characters of a long run that are grammar: kana alone (でした), a particle on its word (クは), or where one word ends and the
# next begins (の使, て作, る方; but not お茶, or め切 in 締め切り).
_GRAMMAR = re.compile("[ぁ-ゖゝゞー]{2}|[^ぁ-ゖ][のはがをにへとでもや]|[のはがをにへとでもやてるたなくうんすつむだば][^ぁ-ゖ]")
# A kana that ends a verb's stem (締め切り is 締切 as well, 引っ越し 引越). Particles (の, を, に …) are none.
_OKURIGANA = re.compile("(?=(.)[いえきぎけげしじせちっびべみめりれわ](.))")


@cache
def _run() -> re.Pattern[str]:
    """A run of an unspaced script; compiled when the first text asks for it, which takes longer than a search."""
    return re.compile(f"[{_UNSPACED}]+")


def _is_kanji(char: str) -> bool:
    return "\u3400" <= char <= "\u9fff" or char >= "\uf900"  # of a run's characters; Hangul lies between


_PRONOUNS = frozenset("何誰私僕俺")
_ALONE = -2  # the place of a kanji by itself

_UNNAMED = str.maketrans("", "", ".-_:'&@")

_CACHE_SIZE = 100_000  # entries: a big vault's vocabulary; a few MB
_LONGEST = 64  # characters of a token: the rest of a base64 line tells nothing


def _separated(text: str) -> str:
    """Folded text with every ASCII separator as a space. A lone surrogate separates as well."""
    separated = _fold(text).encode("utf-8", "replace").translate(_SEPARATE).decode("utf-8")
    return separated.replace(". ", " ").replace(": ", " ")


def _chunks(text: str) -> list[str]:
    separated = _separated(text)
    return (separated if separated.isascii() else _run().sub(_spread, separated)).split()


def _spread(run: re.Match[str]) -> str:
    return _RUNS[run[0]]


class _Runs(dict[str, str]):
    """A CJK run → its tokens for the index, with a space on each side."""

    def __missing__(self, run: str) -> str:
        tokens = [run]
        if len(run) > 1:
            tokens = [run[at : at + 2] for at in range(len(run) - 1)]
            tokens += filter(_is_kanji, run)
            tokens += (left + right for left, right in _OKURIGANA.findall(run) if _is_kanji(left) and _is_kanji(right))
        return _keep(self, run, f" {' '.join(tokens)} ")


class _Words(dict[str, str]):
    """A chunk → its tokens, joined by spaces."""

    def __missing__(self, chunk: str) -> str:
        return _keep(self, chunk, " ".join(_chunk_tokens(chunk)))


def _keep(kept: dict[str, str], key: str, value: str) -> str:
    if len(key) <= _LONGEST:
        if len(kept) >= _CACHE_SIZE:
            kept.clear()
        kept[key] = value
    return value


_RUNS = _Runs()
_WORDS = _Words()


# -- inside a chunk ----------------------------------------------------------------------------------------------------

_SHORTEST_HALF = 3
_LONGEST_JOIN = 24
_MOST_JOINED = 5  # words: more is a path or a sentence without spaces
_JOINED_WORDS = 200  # of a query: a pasted page is no name

_WORD = re.compile(r"[^\s+#.\-_:'&@]+(?:\+\+(?!\+)|(?<![^\s+#.\-_:'&@]{3})#(?!\w))?")
_ENDING = re.compile(r"'(?:s|ll|re|ve|d|m)?$")
_DOTTED_NAME = re.compile(r"\.[^\W\d_]+")
_FLAG = re.compile("[\U0001f1e6-\U0001f1ff]{2}")
_FIRST_SYMBOL = "\u2190"  # Latin-1 has ° and ©, which no one searches for
_BOX_DRAWING = ("\u2500", "\u259f")


def _chunk_tokens(chunk: str) -> Iterator[str]:
    """Tokens of one chunk: its words, then all of them joined."""
    if chunk.isalpha() and chunk.isascii():
        yield stem(chunk[:_LONGEST])
    elif not chunk.isascii() and _run().fullmatch(chunk):  # `_spread` made it
        yield chunk
    else:
        for words in map(_part_words, _parts(chunk)):
            for word in words:
                yield _stemmed(word)
                if bare := _bare(word):
                    yield _stemmed(bare)
            if 1 < len(words) <= _MOST_JOINED:
                yield _stemmed(_joined(words))


def _parts(chunk: str) -> list[str]:
    """The stretches of a chunk that hold no separator, each symbol (an emoji, a flag) by itself."""
    if chunk.isascii():
        return [chunk]
    spaced = _FLAG.sub(r" \g<0> ", chunk)
    kept: list[str] = []
    for char in spaced:
        kind = unicodedata.category(char)
        if kind[0] in "LN" or char in _INSIDE or char == " " or "\U0001f1e6" <= char <= "\U0001f1ff":
            kept.append(char)
        elif kind in {"Mn", "Mc"} and not "\ufe00" <= char <= "\ufe0f":
            if kept and kept[-1] != " ":  # a mark belongs to the letter before it
                kept.append(char)
        elif kind == "So" and char >= _FIRST_SYMBOL and not _BOX_DRAWING[0] <= char <= _BOX_DRAWING[1]:
            kept += (" ", char, " ")
        elif kind not in {"Cf", "Mn", "Me"}:  # joiners and presentation selectors are nothing, all else separates
            kept.append(" ")
    return "".join(kept).split()


def _part_words(part: str) -> list[str]:
    if "'" in part:
        part = _ENDING.sub("", part.strip("'")).replace("n't", "nt")
    words = [_unaccented(word)[:_LONGEST] for word in _WORD.findall(part)]
    if len(words) == 1 and (name := _DOTTED_NAME.fullmatch(part)):
        return [name[0][:_LONGEST]]
    return words


def _bare(word: str) -> str:
    """.net is also found as net and notepad++ as notepad, but C++ is not C."""
    return word.strip(".+#") if len(word) > 3 and (word[0] == "." or word[-1] in "+#") else ""


def _joined(words: list[str]) -> str:
    """Words as one; a point between numbers stays, so that 3.11 is not 311."""
    out = words[0]
    for word in words[1:]:
        out += "." + word if out[-1].isdigit() and word[0].isdigit() else word
    return out[:_LONGEST]


def _stemmed(word: str) -> str:
    return _WORDS[word] if word.isalpha() and word.isascii() else word


def _unaccented(word: str) -> str:
    """café → cafe; marks on other scripts' letters (が, й) belong to them."""
    if word.isascii():
        return word
    bare: list[str] = []
    for char in unicodedata.normalize("NFD", word):
        if not (bare and unicodedata.combining(char) and bare[-1].isascii()):
            bare.append(char)
    return unicodedata.normalize("NFC", "".join(bare))


# -- queries -----------------------------------------------------------------------------------------------------------


class _Word(NamedTuple):
    term: Term
    stop: bool
    piece: int  # words of one piece, and of neighbouring pieces, may be written as one


def _query_words(text: str) -> Iterator[_Word]:
    separated = _separated(text)
    for number, (start, end, unspaced) in enumerate(pieces(separated)):
        if unspaced:
            yield from _run_words(separated[start:end], number)
            continue
        for part in _parts(separated[start:end]):
            for word in _part_words(part):
                yield _Word(Term(_stemmed(word), word), word in STOP_WORDS, number)


def _run_words(run: str, number: int) -> Iterator[_Word]:
    if len(run) == 1:
        yield _Word(Term(run, run, number), stop=False, piece=number)
        return
    pairs = [run[at : at + 2] for at in range(len(run) - 1)]
    # Kana of a short run are a word: ごみ.
    grammar = [len(run) > 4 and bool(_GRAMMAR.fullmatch(pair)) for pair in pairs]
    for at, pair in enumerate(pairs):
        yield _Word(Term(pair, pair, number, at), grammar[at], number)
    for at, char in enumerate(run):  # what grammar leaves alone: the 膝 of 膝が痛い
        if _is_kanji(char) and char not in _PRONOUNS and all(grammar[max(0, at - 1) : at + 1]):
            yield _Word(Term(char, char, number, _ALONE), stop=False, piece=number)


def _other_spellings(words: list[_Word]) -> Iterator[tuple[str, list[_Word]]]:
    """What a note may have in the place of words of a query: two neighbours as one, all the words of one piece as one, fewer kana."""
    latin = [word for word in words[:_JOINED_WORDS] if word.term.run < 0]
    for word in latin:
        if bare := _bare(word.term.text):
            yield bare, [word]
    plain = [word for word in latin if word.term.text.isalnum()]
    for left, right in pairwise(plain):
        if right.piece - left.piece <= 1:
            yield _joined([left.term.text, right.term.text]), [left, right]
    for _, group in groupby(plain, key=lambda word: word.piece):
        together = list(group)
        if 2 < len(together) <= _MOST_JOINED:
            yield _joined([word.term.text for word in together]), together
    for _, run in groupby((word for word in words if word.term.run >= 0 and word.term.at >= 0), key=lambda word: word.piece):
        pairs = list(run)
        text = pairs[0].term.text[0] + "".join(word.term.text[-1] for word in pairs)
        for at, spelling in short_spellings(text):
            yield spelling, pairs[at : at + 2]
