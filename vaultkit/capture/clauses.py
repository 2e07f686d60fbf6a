"""A capture taken apart: lines and bullets (units), then the clauses inside each. Offsets point into the analysed text. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal, NamedTuple

from vaultkit.capture.request import is_cjk
from vaultkit.text import frontmatter

Mode = Literal["", "todo", "done", "waiting", "idea"]
# action: to be done by the writer · wait: somebody else's move · event: a thing that happens · past · date: nothing but a date phrase ·
# leading: only makes sense with what follows (a condition, a topic) · noun: a thing without a verb · machine: an order to a program, not to the
# writer · fact: every other statement
Kind = Literal["action", "wait", "event", "past", "date", "leading", "noun", "machine", "fact"]


class Unit(NamedTuple):
    """One line of thought: a bullet, a task line, a sentence line, or wrapped lines joined. `text` holds spaces where lines were joined."""

    start: int
    end: int
    text: str
    mark: str = ""  # "-" for a bullet, "#" for a heading
    status: str | None = None  # the checkbox's character
    mode: Mode = ""  # what the heading above says about it
    heading: str = ""


class Span(NamedTuple):
    """A stretch of a unit's text."""

    start: int
    end: int


def masked(text: str) -> str:
    """*text* with what must not be read as the writer's words blanked out, length kept: digests that vaultkit itself injected."""
    if "<vault-memory" not in text:
        return text
    return _DIGEST.sub(lambda match: _blank(match[0]), text)


def units(text: str) -> Iterator[Unit]:
    """The units of *text* in order; code blocks and a leading properties block are left out."""
    for unit in _joined(text):
        yield from _cut(unit)


def protected(text: str) -> list[Span]:
    """Spans that no clause boundary may cut: links, addresses, code, quotes, brackets."""
    return [Span(*match.span()) for match in _PROTECTED.finditer(text)]


def word_set(text: str) -> frozenset[str]:
    """The words of a table."""
    return frozenset(text.split())


def phrases(text: str) -> frozenset[str]:
    """The entries of a table with commas between them."""
    return frozenset(" ".join(entry.split()) for entry in text.split(","))


def inside(position: int, spans: Iterable[Span]) -> bool:
    """Whether *position* lies within one of *spans*."""
    return any(span.start <= position < span.end for span in spans)


def tidy(text: str) -> str:
    """White space folded, stray punctuation at both ends gone, brackets that lost their partner gone."""
    text = " ".join(re.sub(r"[(（\[【]\s*[)）\]】]", "", text).split())
    text = re.sub(r"\s+([,.;:!?])(?=\s|$)", r"\1", text)
    return text.strip(" \t,;:–—-、。，・：；|/>").strip()


def strip_task_fields(text: str) -> str:
    """*text* without Tasks and Dataview fields and reminders, which would be read as the item's own."""
    text = _TASK_FIELD.sub(" ", text)
    return " ".join(text.split())


_LONGEST: Final = 1_200
_DIGEST: Final = re.compile(r"<vault-memory\b[^>]*>.*?(?:</vault-memory\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING: Final = re.compile(r" {0,3}#{1,6}[ \t]+(?P<text>.*?)[ \t#]*$")
_BULLET: Final = re.compile(
    r"(?P<lead>[ \t\u3000]*(?:>[ \t]?)*[ \t\u3000]*)"
    r"(?:(?P<mark>[-*+•‣◦●○■▪▶]|\d{1,3}[.)](?!\d)|・)[ \t\u3000]*(?:(?<=[ \t\u3000])|(?<=[•‣◦●○■▪▶・])))?"
    r"(?:\[(?P<status>[^\[\]])\][ \t]+|(?P<box>[☐□☑✅✔][\ufe0f]?)[ \t]*)?"
)
_OPEN_BOXES: Final = "☐□"
# Every repeat is bounded: a page of brackets must not take longer than a page of words.
_PROTECTED: Final = re.compile(
    r"!?\[\[[^\[\]\n]{0,200}\]\]|\[[^\[\]\n]{0,200}\]\([^()\n]{0,300}\)|https?://[^\s<>「」、。]{1,500}|`[^`\n]{1,200}`|\"[^\"\n]{1,80}\"|“[^”\n]{1,80}”"
    r"|『[^』\n]{0,80}』|「[^」\n]{0,80}」|\([^()\n]{1,80}\)|（[^（）\n]{1,80}）|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}\.[\w.]{1,63}"
)
_TASK_FIELD: Final = re.compile(
    r"[📅📆🗓⏳⌛🛫➕✅❌]\ufe0f?\s*\d{4}-\d\d-\d\d|🔁\ufe0f?\s*[A-Za-z0-9 ,]+|🆔\ufe0f?\s*[\w-]+|⛔\ufe0f?\s*[\w,-]+|🏁\ufe0f?\s*\w+|[🔺⏫🔼🔽⏬📅📆🗓⏳⌛🛫➕✅❌🔁🆔⛔🏁]\ufe0f?"
    r"|[\[(]\w[\w -]*::[^\])\n]*[\])]|\(@\d{4}-[^)\n]*\)|@\{[^}\n]*\}|@@\{[^}\n]*\}"
)
_DANGLING: Final = re.compile(
    r"\b(?:a|an|the|of|to|and|or|by|on|in|for|with|at|from|before|until|every|each|this|next|our|my|is|are|that)$", re.IGNORECASE
)
_LABEL_LINE: Final = re.compile(r"[^:：.。!?！？]{1,40}[:：]\s*$")
_MODES: Final[Sequence[tuple[Mode, re.Pattern[str]]]] = (
    ("done", re.compile(r"^(?:done\b|completed?\b|finished\b|shipped\b|済み?|完了|終わった(?:こと|もの)?|やったこと)", re.IGNORECASE)),
    (
        "todo",
        re.compile(
            r"\b(?:to-?dos?|tasks?|action(?: item)?s?|next steps?|next actions?|must do|checklist|follow-?ups?)\b|やること|やる事|タスク|宿題|"
            r"対応事項|アクション|次にやる|ToDo|TODO|買うもの|準備するもの",
            re.IGNORECASE,
        ),
    ),
    ("waiting", re.compile(r"\b(?:waiting|blocked|pending|delegated)\b|待ち|保留|依頼中", re.IGNORECASE)),
    ("idea", re.compile(r"\b(?:ideas?|someday|maybe|brainstorm|wish ?list|parking lot)\b|アイデア|いつか|ネタ|妄想", re.IGNORECASE)),
)


def _joined(text: str) -> Iterator[Unit]:
    pending: list[Unit] = []
    mode: Mode = ""
    heading = ""
    for unit in _lines(text):
        if unit.mark == "#":
            yield from pending
            pending = []
            heading = unit.text.strip().rstrip(":：").strip()
            mode = _mode(heading)
            yield unit._replace(mode=mode)
            continue
        unit = unit._replace(mode=mode, heading=heading)  # noqa: PLW2901
        if pending and _continues(pending[-1], unit, text):
            last = pending[-1]
            gap = " " * (unit.start - last.end)
            pending[-1] = last._replace(end=unit.end, text=last.text + gap + unit.text)
            continue
        yield from pending
        pending = [unit]
    yield from pending


def _cut(unit: Unit) -> Iterator[Unit]:
    """A unit in pieces that clause rules can read in no time: a page without line ends is one line."""
    start = 0
    while len(unit.text) - start > _LONGEST:
        room = unit.text[start : start + _LONGEST]
        ends = [room.rfind(mark) + len(mark) for mark in (". ", "! ", "? ", "。", "; ", "、", ", ", " ")]
        end = start + (next((at for at in ends if at > _LONGEST // 2), 0) or _LONGEST)
        yield unit._replace(start=unit.start + start, end=unit.start + end, text=unit.text[start:end], mark=unit.mark if not start else "")
        start = end
    yield unit._replace(start=unit.start + start, text=unit.text[start:], mark=unit.mark if not start else "") if start else unit


def _lines(text: str) -> Iterator[Unit]:
    block = frontmatter.find_block(text)
    position = block.end if block is not None and block.start == 0 else 0
    yield from _deadlines_of(text[:position])
    fence = ""
    while position < len(text):
        end = text.find("\n", position)
        end = len(text) if end < 0 else end
        line = text[position:end]
        start = position
        position = end + 1
        opening = _FENCE.match(line)
        if opening is not None and (not fence or (opening[1][0] == fence[0] and len(opening[1]) >= len(fence))):
            # An opening without an end would hide the rest of the dump from us: then it is no fence.
            if fence:
                fence = ""
            elif re.search(rf"^ {{0,3}}{re.escape(opening[1])}", text[position:], re.MULTILINE):
                fence = opening[1]
            continue
        if fence or not line.strip():
            continue
        heading = _HEADING.match(line.rstrip("\r"))
        if heading is not None:
            yield Unit(start + heading.start("text"), start + heading.end("text"), heading["text"], "#")
            continue
        yield from _line(line, start)


def _deadlines_of(block: str) -> Iterator[Unit]:
    """Of a properties block that was captured with its note, the lines that name a deadline; nothing else in it is prose."""
    for match in _DEADLINE_LINE.finditer(block):
        yield Unit(match.start("said"), match.end("said"), match["said"])


_DEADLINE_LINE: Final = re.compile(
    r"^(?P<said>(?:due|deadline|due[_-]date|締切|締め切り|期限)[ \t]*:[ \t]*[\"']?[^\s\"'#][^\n\"'#]{3,60}?)[\"']?[ \t\r]*$",
    re.MULTILINE | re.IGNORECASE,
)


def _line(line: str, start: int) -> Iterator[Unit]:
    head = _BULLET.match(line)
    assert head is not None  # every part of the pattern is optional
    begin, end = head.end(), len(line.rstrip())
    if begin >= end:
        return
    body = line[begin:end]
    if not head["mark"] and head["status"] is None and _LABEL_LINE.match(body):
        yield Unit(start + begin, start + end, body, "#")
        return
    status = head["status"]
    if head["box"]:
        status = " " if head["box"][0] in _OPEN_BOXES else "x"
    yield Unit(start + begin, start + end, body, "-" if head["mark"] or status is not None else "", status)


def _continues(last: Unit, unit: Unit, text: str) -> bool:
    """Whether *unit* is the wrapped rest of the line above: an indented line of a bullet, or prose cut at the margin."""
    if unit.mark or last.mark == "#" or last.status is not None or "\n" in text[last.end : unit.start].replace("\n", "", 1):
        return False
    between = text[last.end : unit.start]
    if last.mark == "-":
        return bool(re.search(r"[ \t]{2,}$", between))
    ending = last.text[-1:]
    if is_cjk(last.text[-3:]):
        return len(last.text.rsplit("\n", 1)[-1]) >= 35 and ending not in "。！？!?」』）)"
    return len(last.text) >= 55 and ending not in ".!?:;" and (unit.text[:1].islower() or bool(_DANGLING.search(last.text)))


def _mode(heading: str) -> Mode:
    return next((mode for mode, pattern in _MODES if pattern.search(heading)), "")


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)
