"""The normal text of a line, with what can hold no date blanked out and every offset kept."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple
from unicodedata import category, is_normalized, normalize

from .atoms import compiled

BLANK = "\x1f"  # neither a word character nor a space: no pattern reaches across it

_LOOK_ALIKE = {"’": "'", "‘": "'", "＇": "'", **dict.fromkeys("–—‐‑‒−―", "-"), "～": "~", "〜": "~", "\t": " "}


class _Folding(dict[int, str]):
    """NFKC a character at a time, so that every offset can be kept; look-alikes folded; filled as characters are met."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        folded = self[code] = "" if category(char) == "Cf" else _LOOK_ALIKE.get(char) or normalize("NFKC", char)  # Cf: no-width marks
        return folded


_FOLDING = _Folding()


@cache
def _marks() -> re.Pattern[str]:
    """What a letter and its neighbour have to be read together for: marks that combine (か + ゛), and marks without width."""
    return re.compile("[\u0300-\u036f\u3099\u309a\uff9e\uff9f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")


def _clusters(text: str) -> Iterator[tuple[str, int]]:
    """Each letter with the marks behind it, in NFKC, and where it begins."""
    at = 0
    for found in _CLUSTER.finditer(text):
        at = found.start()
        cluster = found[0]
        if len(cluster) == 1:
            yield _FOLDING[ord(cluster)], at
        else:
            yield "".join(_FOLDING[ord(char)] for char in normalize("NFKC", cluster)), at


_CLUSTER = re.compile("(?s:.)[\u0300-\u036f\u3099\u309a\uff9e\uff9f]{0,16}")


def folded(text: str) -> str:
    """*text* in NFKC (character by character), with look-alikes folded."""
    if not text.isascii():
        if _marks().search(text):
            return "".join(part for part, _ in _clusters(text))
        if not is_normalized("NFKC", text):
            return text.translate(_FOLDING)
        for char, like in _LOOK_ALIKE.items():
            text = text.replace(char, like)
    return text.replace("\t", " ")


class Normal(NamedTuple):
    """`text` is NFKC with look-alikes folded; `low` is its lower case, as long; `offsets` maps back, None when nothing moved."""

    text: str
    low: str
    offsets: Sequence[int] | None

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The span in the line that was read."""
        if self.offsets is None:
            return start, end
        return self.offsets[start], self.offsets[end - 1] + 1 if end > start else self.offsets[start]


def normal(line: str) -> Normal:
    """*line* in the form that the grammar reads."""
    text = folded(line)
    moved: list[int] | None = None
    if not line.isascii() and _marks().search(line):
        moved = [at for part, at in _clusters(line) for _ in part]
        moved.append(len(line))
    elif len(text) != len(line):
        moved = []
        for at, char in enumerate(line):
            moved.extend([at] * len(_FOLDING[ord(char)]))
        moved.append(len(line))
    low = text.lower()
    if len(low) != len(text):
        low = "".join(small if len(small := char.lower()) == 1 else char for char in text)
    return Normal(text, low, moved)


class Masked(NamedTuple):
    """The line with its masks, and the spans that were quoted."""

    text: str
    low: str
    quoted: tuple[tuple[int, int], ...]


class _Mask(NamedTuple):
    """Blanks group 1 when there is one, else the whole match, in lines that hold one of *letters*."""

    letters: str
    pattern: str


_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_DIGITS = "0123456789"
_LABELS = (  # a number after these is a label
    "chapters?|ch\\.|pages?|pp?\\.|sections?|sec\\.|§|steps?|figures?|fig\\.|tables?|rows?|lines?|items?|parts?|episodes?|ep\\.?|seasons?|vol\\.?|"
    "volume|acts?|scene|level|lvl|stage|room|flat|apt\\.?|apartment|unit|suite|building|bldg|gate|platform|route|highway|hwy|port|rfc|iso|"
    "form|no\\.|nr\\.|number|pr|bug|size|model|grade|question|problem|exercise|phase|milestone|iteration|rev\\.?|revision|psalm|verse|"
    "sprint|slide|slot|lane|bay|aisle|article|clause|appendix|lesson|lecture|exhibit|area|windows|android|ios|version|ver\\.?|python|node|"
    "postgres(?:ql)?"
)
_SLASHED = "chapters?|pages?|steps?|figures?|tables?|rows?|parts?|room|flat|apt\\.?|unit|suite|rev\\.?|model|size|rated|rating|scored?|ratio|level|no\\.|verse"
_UNITS = (  # a fraction of these is a quantity
    "cups?|tsps?|tbsps?|teaspoons?|tablespoons?|inch(?:es)?|in\\.|lbs?|oz|pounds?|pints?|gallons?|miles?|mi\\b|points?|stars?|of\\b|done|complete[d]?|"
    "full|empty|finished|way|through\\b(?!\\s*\\d)|size|shooting|passed|votes?|people|tests\\b|chance|rule|split|time signature|scale|share|"
    "カップ|くらい|ぐらい|ほど|程度|サイズ|インチ|合(?![計わっい])|個|本(?!日)|枚|切|に切|に減|に縮|量|終わ|完了|進|拍子|倍|縮尺|人|の確率|の量|だけ|の大きさ|まで減|点|以上|以下|未満|の評価|の賛成|の割合|の時間|票|名"
)
_MASKS = (
    _Mask(":w", r"(?:[a-z][a-z0-9+.-]{1,15}://|www\.)[!-~]+"),
    _Mask("@", r"(?<![!-~])[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})+"),
    _Mask(".", r"(?<![\w./-])(?:[a-z0-9-]{1,63}\.){1,6}[a-z]{2,12}/[!-~]*"),  # a host with a path
    _Mask(
        ".",
        r"(?<![\w./~-])[\w./~-]{1,160}\.(?:md|txt|log|pdf|png|jpe?g|gif|csv|tsv|json|ya?ml|toml|py|js|ts|zip|gz|docx?|xlsx?|pptx?|mp[34]|mov|heic|svg|html?|ics)(?![\w])",
    ),
    _Mask("/", r"(?<![\w./~-])(?:~|\.{1,2})?/(?:[\w.-]{1,80}/){1,12}[\w.-]{0,80}"),  # a path
    _Mask("`", r"(?<!`)`++[^`]+`+"),  # begun once a run: pages of backticks
    _Mask("~", r"~~(?=[^\s~])[^~]{1,400}?(?<=\S)~~"),  # struck out
    _Mask("[", r"(?<!@)!?\[\[[^\[\]]{0,400}\]\]"),
    _Mask("(", r"\]\([^()]{0,800}\)"),
    _Mask("<", r"<!--[^>]{0,400}-->|</?[a-z][^<>]{0,400}>"),
    _Mask("$", r"\$\$?[a-z\\][^$]{0,200}\$"),
    _Mask(".", r"(?<![\w.])(?:v|ver\.?|version|release|rev\.?)\s?\d+(?:\.\d+){1,5}[\w.-]*"),
    _Mask(".", r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3,5}(?::\d+)?(?![\w.])"),  # an address
    _Mask("#", r"#[\w/-]+"),
    _Mask("〒", r"〒\s?\d{3}-?\d{4}"),
    _Mask("+", r"\+\d{1,3}[ -]?\(?\d{1,4}\)?(?:[ -]\d{2,4}){1,4}"),
    _Mask("-", r"(?<![\w-])(?!(?:0\d|1[0-2])-\d{2}-(?:19|20)\d\d(?!\d))0\d{1,4}-\d{1,4}-\d{3,4}(?![\w-])"),  # 03-1234-5678
    _Mask("-", r"(?<![\w-])(?:\(\d{3}\)\s?|\d{3}-)\d{3}-\d{4}(?![\w-])|(?<![\w-])\d{3}-\d{4}(?![\w-])"),
    _Mask("-", r"(?<![\w-])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\w-])"),
    _Mask(_DIGITS, r"(?<![\w])(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,64}(?![\w])"),  # a hash
    _Mask("[", rf"\[\d{{1,2}}/(?:{_MONTHS})/\d{{4}}:[^\]]{{0,40}}\]"),  # [04/Mar/2026:10:00:00 +0000]
    _Mask(_DIGITS, rf"(?<!\w)(?:{_LABELS})\s?#?\s?(?!\d{{4}}[-/.]\d)\d+(?:[-.:]\d+)*(?![\d/:]|\s*(?:am|pm|(?:business |working )?days?|weeks?|months?|years?|hours?)\b)"),
    _Mask("/", rf"(?<!\w)(?:{_SLASHED})\s?\d{{1,3}}/\d{{1,4}}(?![\d/])"),
    _Mask("/", rf"(?<![\w/])\d{{1,2}}/\d{{1,3}}\s?(?:{_UNITS})"),
    _Mask("/", r"(?<![\w/])\d{1,3}\s+\d/\d{1,2}(?![\d/])(?!\s*(?:at|\())"),  # 8 1/2
    _Mask("/", r"(?<!\w)(?:24/7|50/50|80/20|60/40|70/30|90/10)(?![\w/])"),
    _Mask("$€£¥eudspn円%ド",
          r"[$€£¥]\s?\d[\d,.]*k?|(?<![\w.,/-])\d[\d,.]*\s?(?:%|円|ドル|usd|eur|jpy|gbp|dollars?|euros?|yen)"),
    _Mask("/", r"(?:what(?:'s| is)|calculate|compute|equals?|=)\s*\d+/\d+|(?<![\d/])\d+/\d+\s*="),
    _Mask("q", r"(?:rrule:)?freq=[a-z0-9=;,:+-]+"),
)  # fmt: skip
_CASED_MASKS = (  # read on the text as written
    _Mask(
        "-",
        r"(?<![\w-])(?!(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC|MON|TUE|WED|THU|FRI|SAT|SUN|EOD|COB|DUE|GW)-)[A-Z]{1,8}-\d+(?:[-/.]\d+)*",
    ),
    _Mask(
        ":",
        r"(?<!\w)(?:Gen(?:esis)?|Exod(?:us)?|Lev(?:iticus)?|Deut(?:eronomy)?|Josh(?:ua)?|Sam(?:uel)?|Kings|Job|Ps(?:alms?)?|Prov(?:erbs)?|Eccl(?:esiastes)?|"
        r"Isa(?:iah)?|Jer(?:emiah)?|Ezek(?:iel)?|Dan(?:iel)?|Hosea|Joel|Amos|Micah|Matt(?:hew)?|Mark|Luke|John|Acts|Rom(?:ans)?|Cor(?:inthians)?|Gal(?:atians)?|"
        r"Eph(?:esians)?|Phil(?:ippians)?|Heb(?:rews)?|James|Peter|Jude|Rev(?:elation)?) (\d{1,3}:\d{1,3}(?:-\d{1,3})?)(?!\d|\s?[ap]m)",
    ),
)
_QUOTES = (
    _Mask("『", r"『[^『』]{1,120}』"),
    _Mask('"', r'"[^"]{1,160}"'),
    _Mask("“", r"“[^“”]{1,160}”"),
    _Mask("'", r"(?<!\w)'[^']{2,80}'(?!\w)"),
    _Mask("「", r"「[^「」]{1,80}」(?=を?(?:読|見|観|聴|借|買)|という(?:本|映画|曲|記事|番組|小説)|の(?:本|感想|映画|続き|サントラ))"),
    _Mask("*_", r"(?:(?<=read )|(?<=reading )|(?<=watch )|(?<=watched )|(?<=watching ))[*_][^*_]{1,80}[*_]"),
)
# Words of a deadline inside quotes are somebody's words, not a title.
_SPOKEN = r"\b(?:by|due|deadline|until|before|no later than|asap|please)\b|まで|締|〆|期限|以内|必着"

_ALL_DATE = r"[^a-zぁ-んァ-ヶ]{3,}"  # a quoted value, not a title


def masked(line: Normal) -> Masked:
    """*line* with URLs, code, links, versions, numbers of things and the like blanked, and its quoted titles found."""
    text, low = line.text, line.low
    letters = frozenset(low)
    for masks, of_text in ((_CASED_MASKS, True), (_MASKS, False)):
        for mask in masks:
            if not letters.isdisjoint(mask.letters):
                spans = [found.span(1 if found.lastindex else 0) for found in compiled(mask.pattern).finditer(text if of_text else low)]
                text, low = _blanked(text, spans), _blanked(low, spans)
    quoted = tuple(
        found.span()
        for mask in _QUOTES
        if not letters.isdisjoint(mask.letters)
        for found in compiled(mask.pattern).finditer(low)
        if not compiled(_SPOKEN).search(found[0]) and not compiled(_ALL_DATE).fullmatch(found[0])
    )
    return Masked(text, low, quoted)


def _blanked(text: str, spans: list[tuple[int, int]]) -> str:
    if not spans:
        return text
    parts: list[str] = []
    at = 0
    for start, end in spans:
        parts += (text[at:start], BLANK * (end - start))
        at = end
    parts.append(text[at:])
    return "".join(parts)
