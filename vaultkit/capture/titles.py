"""Title and description of a capture, without a model: the first sentence, trimmed where a reader would. Pure.

Recall shows the description, so it says more than the title where there is more to say; a relative date in it gets its day.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from types import ModuleType
from typing import Final, NamedTuple

from vaultkit.capture import _english, _japanese
from vaultkit.capture.actions import Found
from vaultkit.capture.clauses import Span, Unit, strip_task_fields, tidy, units
from vaultkit.capture.request import Article, is_cjk, width
from vaultkit.text.edit import printable


class Head(NamedTuple):
    """What a note is found by."""

    title: str
    description: str


def head_of(text: str, items: Sequence[Found], *, title_width: int, description_width: int) -> Head:
    """Title and description of a captured text; *items* are what was found in it (their date phrases are cut or explained)."""
    every = _units(text)
    if not every:
        words = clean(text)
        return Head(shorten(words, title_width) or "untitled", shorten(words, description_width))
    lead = next((unit for unit in every if not (unit.mark == "#" and _is_generic(unit.text))), every[0])
    title = _of_list(every, lead, title_width)
    for unit in [] if title else every[every.index(lead) :]:
        title = _first_sentence(text, unit, items, title_width)
        if title:
            break
    if not title:
        title = _of_address(text) or shorten(clean(lead.text), title_width) or "untitled"
    told = _described(text, every, lead, items, description_width, title)
    return Head(title, told or title)


def head_of_article(article: Article, *, title_width: int, description_width: int) -> Head:
    """Title and description of a fetched page, or of a page that could not be read."""
    address = article.final_url or article.url
    host = _host(address)
    title = shorten(clean(article.title), title_width)
    first = ""
    for unit in units(article.markdown[:20_000]):
        if unit.mark == "#":
            title = title or shorten(clean(unit.text), title_width)
        elif width(clean(unit.text)) >= 40:
            first = clean(unit.text)
            break
    title = title or _of_address(address) or host or "untitled"
    if article.problem:
        return Head(title, shorten(f"Unread page at {host or address}: {clean(article.problem)}", description_width))
    if first.casefold() == title.casefold():
        first = ""
    return Head(title, shorten(first, description_width) or shorten(f"{title} ({host})", description_width))


def clean(text: str) -> str:
    """*text* as a line of plain words: no marks, links, addresses, fields, control or direction characters."""
    text = printable(text)
    text = re.sub(r"<!--.*?(?:-->|$)", " ", _INJECTED.sub(" ", text))
    text = re.sub(r"!?\[\[(?:[^\[\]|\n]{0,200}\|)?([^\[\]|\n]{0,200})\]\]", r"\1", text)
    text = re.sub(r"!?\[([^\[\]\n]{0,300})\]\([^()\n]{0,500}\)", r"\1", text)
    text = re.sub(r"<?https?://[^\s<>「」、。]+>?", " ", text)
    text = strip_task_fields(text)
    text = re.sub(r"(\*\*|__|~~|==|%%)", "", text).replace("`", "")
    text = "".join(
        " " if unicodedata.category(character) in {"Cc", "Zl", "Zp"} or character in _DIRECTIONS else character for character in text
    )
    return " ".join(text.split())


def shorten(text: str, columns: int) -> str:
    """*text* within *columns*: cut at a sentence, else a clause, else between words, never inside one."""
    if width(text) <= columns:
        return text
    limit = 0
    used = 0
    for character in text:
        used += width(character)
        if used > columns - 1:
            break
        limit += 1
    room = text[:limit]
    for pattern in (_SENTENCE_END, _CLAUSE_END):
        ends = [match.start() for match in pattern.finditer(text[: limit + 1])]
        if ends and ends[-1] >= limit * 0.45:
            return _balanced(room[: ends[-1]]).rstrip(_TRAIL)
    cut = limit
    while cut > limit * 0.45 and not _may_cut(text, cut):
        cut -= 1
    if cut <= limit * 0.45:
        cut = limit
    return _balanced(room[:cut]).rstrip(_TRAIL) + "…"


_DIRECTIONS: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200b\u200e\u200f\ufeff")
_INJECTED: Final = re.compile(r"</?vault-memory\b[^>]*>?", re.IGNORECASE)
_GENERIC: Final = re.compile(
    r"^(?:to-?do'?s?|to do|tasks?|notes?|memos?|reminders?|fyi|brain ?dump|misc(?:ellaneous)?|inbox|action items?|next steps?|draft|untitled|メモ|覚え書き|やること|タスク|雑記|todo|買うもの)$",
    re.IGNORECASE,
)
_LABEL: Final = re.compile(
    r"^(?:to-?do|to do|task|note|note to self|memo|reminder|remember|fyi|title|メモ|やること|タスク|備忘録?|TODO|ToDo)\s*[:：\-–—]\s*(?=\S)",
    re.IGNORECASE,
)
_SENTENCE_END: Final = re.compile(r"(?<=\w)[.!?](?=\s)|[。！？]")
_CLAUSE_END: Final = re.compile(r"[,;:](?=\s)|[、；：]|\s[-–—]\s|\s(?=[(（])")
_TRAIL: Final = " \t,;:–—-、，；：・(（「『"
_PARTICLES: Final = "はがをにでとへもの、"
_PAIRS: Final = {"(": ")", "（": "）", "「": "」", "『": "』", "[": "]", "【": "】", "“": "”"}


def _units(text: str) -> list[Unit]:
    """The first units: neither title nor description looks further."""
    found: list[Unit] = []
    for unit in units(text[:20_000]):
        if unit.text.strip():
            found.append(unit)
        if len(found) >= 40:
            break
    return found


def _of_list(every: Sequence[Unit], lead: Unit, columns: int) -> str:
    """A title for a bare list: its heading and what comes first."""
    bullets = [unit for unit in every if unit.mark != "#"]
    if lead.mark != "-" or len(bullets) < 2 or any(unit.mark != "-" or width(clean(unit.text)) > 40 for unit in bullets[:2]):
        return ""
    shown = [clean(unit.text) for unit in bullets if unit.heading == lead.heading and unit.mark == "-"][:8]
    cjk = is_cjk("".join(shown))
    items = ("、" if cjk else ", ").join(word for word in shown if word)
    return shorten(f"{lead.heading}: {items}" if lead.heading else items, columns)


def _is_generic(text: str) -> bool:
    return bool(_GENERIC.match(tidy(text).rstrip(":：")))


def _first_sentence(text: str, unit: Unit, items: Sequence[Found], columns: int) -> str:
    """The first sentence of a unit without its deadline phrases, which would soon be stale."""
    language = _japanese if is_cjk(unit.text) else _english
    parts = _meant(unit, language)
    if not parts:
        return ""
    sentence = parts[0]
    if len(parts) > 1 and width(_worded(unit.text[sentence.start : sentence.end])) < 12:
        sentence = Span(sentence.start, parts[1].end)
    start, end = unit.start + sentence.start, unit.start + sentence.end
    kept = text[start:end]
    shorter = kept
    for item in sorted(items, key=lambda item: -item.cut[0]):
        low, high = item.cut
        if item.trims and start <= low < high <= end:
            left, right = shorter[: low - start], shorter[high - start :]
            if language is _japanese and right[:1] in {"", "、", "。"}:
                left = re.sub(r"[はがに]\s*$", "", left)  # 「DPAは3/20必着、…」
            shorter = left + ("" if language is _japanese else " ") + right
    title = _worded(shorter)
    if not _says_enough(title):
        title = _worded(kept)
    if not _says_enough(title):
        return ""
    return shorten(title, columns)


def _meant(unit: Unit, language: ModuleType) -> list[Span]:
    """The unit's sentences, without orders to a program: these make neither title nor description (unless there is nothing else)."""
    parts: list[Span] = list(language.hard_splits(unit.text, []))
    kept = [part for part in parts if not language.is_machine(unit.text[part.start : part.end])]
    return kept or parts


def _worded(text: str) -> str:
    text = clean(text)
    text = _LABEL.sub("", text)
    text = re.sub(r"\s+([,.;:!?、。])", r"\1", text)
    return tidy(re.sub(r"([,;:])(?:\s*[,;:])+", r"\1", text))


def _says_enough(text: str) -> bool:
    return width("".join(character for character in text if character.isalnum())) >= 3


def _described(text: str, every: Sequence[Unit], lead: Unit, items: Sequence[Found], columns: int, title: str) -> str:
    parts: list[str] = []
    used = 0
    after = every[every.index(lead) :]
    for unit in after:
        words = _worded(_explained(text, unit, items))
        if not words or (unit is lead and len(after) > 1 and words.casefold() == title.casefold()):
            continue
        if unit.mark == "#":
            words += ":"
        parts.append(words)
        used += width(words)
        if used > columns:
            break
    cjk = is_cjk("".join(parts))
    return shorten(_joined(parts, " / " if cjk else "; "), columns)


def _joined(parts: Sequence[str], gap: str) -> str:
    out = ""
    for part in parts:
        out += (" " if out.endswith((":", ".", "!", "?")) else gap if out else "") + part
    return out.rstrip(":")


def _explained(text: str, unit: Unit, items: Sequence[Found]) -> str:
    """The unit's text with the day behind each relative date phrase."""
    language = _japanese if is_cjk(unit.text) else _english
    start = _meant(unit, language)[0].start if language.is_machine(unit.text) else 0
    unit = unit._replace(start=unit.start + start)
    out = text[unit.start : unit.end].replace("\r", " ").replace("\n", " ")
    done: set[tuple[int, int]] = set()
    for item in sorted(items, key=lambda item: -item.end):
        if item.due is None or not item.phrase or not unit.start <= item.start < item.end <= unit.end or (item.start, item.end) in done:
            continue
        done.add((item.start, item.end))
        if item.due.isoformat() in text[unit.start : unit.end] or re.search(r"\d{4}|\bbefore\b|前", item.phrase):
            continue  # a full date needs no help, and "before (2026-03-10)" would say another day
        at = item.end - unit.start
        out = f"{out[:at].rstrip()} ({item.due.isoformat()}){'' if is_cjk(item.phrase) else ' '}{out[at:].lstrip() if not is_cjk(item.phrase) else out[at:]}"
    return out


def _may_cut(text: str, at: int) -> bool:
    """Whether a line may end before `text[at]`: between words, behind a particle, where the script changes; never inside a word."""
    left, right = text[at - 1], text[at]
    if left.isspace() or right.isspace():
        return True
    if left in _PARTICLES and right not in _PARTICLES and not ("\u3041" <= right <= "\u3096"):
        return True
    return left in "、。・）」』】" or right in "（「『【"


def _balanced(text: str) -> str:
    """*text* without a bracket that the cut left open."""
    for opening, closing in _PAIRS.items():
        at = text.rfind(opening)
        if at >= 0 and closing not in text[at:]:
            text = text[:at] if at > len(text) * 0.35 else text.replace(opening, "", 1)
    return text


def _host(address: str) -> str:
    match = re.match(r"https?://(?:[^/@\s]*@)?([^/:?#\s]+)", address)
    return match[1].removeprefix("www.") if match is not None else ""


def _of_address(text: str) -> str:
    """A title for a bare address: its last telling path segment in words, and the host."""
    match = re.search(r"https?://[^\s<>「」、。]+", text)
    if match is None:
        return ""
    host = _host(match[0])
    path = re.sub(r"[?#].*", "", re.sub(r"^https?://[^/]*", "", match[0]))
    segments = [re.sub(r"\.\w{1,5}$", "", segment) for segment in path.split("/")]
    telling = [segment for segment in segments if re.search(r"[^\W\d_]{3}", segment) and "%" not in segment]
    words = tidy(re.sub(r"[-_+.]+", " ", telling[-1])) if telling else ""
    return f"{words} ({host})" if words else host
