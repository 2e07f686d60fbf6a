"""What a record says, from flags or from a draft with headings, English or Japanese (memory.md M28). Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from vaultkit.errors import UsageError
from vaultkit.records.status import read_status
from vaultkit.text import frontmatter
from vaultkit.text.ids import PREFIXES
from vaultkit.text.markdown import Heading, scan
from vaultkit.text.values import Value, strings


class Part(NamedTuple):
    """One section of a kind of record: its name, its heading in two languages, further headings that are read as it."""

    name: str
    english: str
    japanese: str
    also: tuple[str, ...] = ()


# Required parts stand first in NEEDED; the order here is that of the written note.
PARTS: Final[Mapping[str, tuple[Part, ...]]] = {
    "decision": (
        Part("goal", "Goal", "目的", ("context", "problem", "goals", "背景", "課題", "目標", "ゴール", "狙い")),
        Part(
            "options",
            "Options",
            "選択肢",
            ("option", "alternatives", "considered options", "options considered", "案", "候補", "検討した案"),
        ),
        Part("decision", "Decision", "決定", ("decided", "outcome", "decision outcome", "結論", "決定事項", "決めたこと", "採用案")),
        Part("why", "Why", "理由", ("reason", "reasons", "rationale", "because", "なぜ", "根拠", "決め手")),
    ),
    "failure": (
        Part(
            "what",
            "What happened",
            "何が起きたか",
            ("what", "failure", "symptom", "incident", "事象", "起きたこと", "失敗", "症状", "経緯"),
        ),
        Part("cause", "Cause", "原因", ("root cause", "why", "reason", "なぜ", "理由")),
        Part("lesson", "Lesson", "教訓", ("lessons", "learned", "what to do", "prevention", "学び", "対策", "再発防止")),
    ),
    "idea": (
        Part("idea", "Idea", "アイデア", ("what", "proposal", "案", "概要", "アイディア")),
        Part("why", "Why", "理由", ("reason", "rationale", "benefit", "なぜ", "根拠", "狙い")),
    ),
}
NEEDED: Final[Mapping[str, str]] = {"decision": "decision", "failure": "what", "idea": "idea"}


class Draft(NamedTuple):
    """A record before it has an id. *parts* are texts by name; *options* a list, with the status that each is marked with.

    *body* is the text to keep as it was given, "" where the note is to be written from the parts.
    """

    kind: str
    parts: Mapping[str, str]
    options: tuple[tuple[str, str], ...] = ()
    title: str = ""
    scope: str = ""
    status: str = ""
    date: str = ""
    tags: tuple[str, ...] = ()
    pattern: str = ""
    supersedes: tuple[str, ...] = ()
    body: str = ""
    more: Mapping[str, Value] = MappingProxyType({})  # further properties of the draft

    @property
    def missing(self) -> tuple[str, ...]:
        """Parts that the kind has and this draft has not."""
        return tuple(part.name for part in PARTS[self.kind] if not (self.options if part.name == "options" else self.parts.get(part.name)))

    @property
    def rejected(self) -> tuple[str, ...]:
        """Options that were not taken."""
        return tuple(text for text, taken in weighed(self.options, self.parts.get("decision", "")) if not taken)

    def words(self) -> str:
        """All that it says, for comparing."""
        return "\n".join(filter(None, (self.title, *self.parts.values(), *(text for text, _ in self.options))))


def parse_draft(text: str, kind: str) -> Draft:
    """A draft with headings; a text without any is the record's needed part. Its text is kept as it is."""
    matter = frontmatter.read(text)
    body = text[matter.block.end :] if matter.block and matter.readable else text
    found = scan(body)
    parts: dict[str, str] = {}
    options: tuple[tuple[str, str], ...] = ()
    for heading in found.headings:
        name = part_named(kind, heading.text)
        if name == "options":
            options = (*options, *_options(body, heading))
        elif name:
            said = body[heading.body : _end(found.headings, heading)].strip()
            parts[name] = "\n\n".join(filter(None, (parts.get(name), said)))
    if not parts and not options:
        parts, options = _labelled(body, kind)
    first = next((heading for heading in found.headings if heading.level == 1 and not part_named(kind, heading.text)), None)
    if not parts.get(NEEDED[kind]) and not parts and not options:
        said = (body[first.body :] if first else body).strip()
        parts = {NEEDED[kind]: said} if said else {}
    own = matter.values if matter.readable else {}
    return Draft(
        kind=kind,
        parts=parts,
        options=options,
        title=_one(own.get("title")) or (first.text.strip() if first else ""),
        scope=_one(own.get("scope")),
        status=read_status(_one(own.get("status"))) or status_in(body),
        date=_one(own.get("date"))[:10],
        tags=tuple(strings(own.get("tags"))),
        pattern=_one(own.get("pattern")),
        supersedes=tuple(strings(own.get("supersedes"))),
        body=body.strip("\n") + "\n" if body.strip() else "",
        more={key: value for key, value in own.items() if key not in _OWN},
    )


def checked(draft: Draft) -> Draft:
    """Raise UsageError for a draft that does not say what it is about."""
    if not draft.parts.get(NEEDED[draft.kind], "").strip() and draft.status != "proposed":
        needed = NEEDED[draft.kind]
        heading = next(part.english for part in PARTS[draft.kind] if part.name == needed)
        article = "an" if draft.kind == "idea" else "a"
        raise UsageError(
            f"{article} {draft.kind} needs its {heading.lower()}",
            hint=f"give --{needed} TEXT, or a draft with a heading `## {heading}` on standard input (-); an open one has `status: proposed`",
        )
    return draft


def part_named(kind: str, heading: str) -> str:
    """The part that a heading stands for, "" for none: `## 2. Options`, `## 選択肢`, `## **Why:**`."""
    folded = unicodedata.normalize("NFKC", heading).strip().strip("*_#:： ").casefold()
    folded = _NUMBER.sub("", folded).strip("*_:： ")
    return _NAMED[kind].get(folded, "")


def weighed(options: tuple[tuple[str, str], ...], decision: str) -> list[tuple[str, bool]]:
    """Each option and whether it was taken: by the status it is marked with, else when the decision names it."""
    said = _folded(decision)
    marked = any(status == "active" for _, status in options)
    taken = [status == "active" or (not status and not marked and bool(said) and _is_named(text, said)) for text, status in options]
    if sum(taken) > 1 and not marked:  # the decision compares them: the one that it names first
        places = [said.find(_folded(_short(text))) if yes else len(said) for (text, _), yes in zip(options, taken, strict=True)]
        first = min(range(len(places)), key=lambda at: places[at] if places[at] >= 0 else len(said))
        taken = [at == first for at in range(len(places))]
    return [(text, yes) for (text, _), yes in zip(options, taken, strict=True)]


def status_in(text: str) -> str:
    """The status that a line like `Status: accepted` or `状態：保留` says."""
    found = _STATUS_LINE.search(text)
    return read_status(found[1].strip("*_` ")) if found else ""


def title_of(draft: Draft) -> str:
    """Its title, else the first sentence of what it is about."""
    said = first_sentence(draft.title or draft.parts.get(NEEDED[draft.kind]) or draft.parts.get("goal") or draft.kind)
    goal = first_sentence(draft.parts.get("goal", "")).rstrip(".。")
    if not draft.title and goal and goal != said and len(said) < _BARE:
        said = f"{goal}: {said}"  # "Redis" alone says nothing in a list
    return shorten(said, 80)


def description_of(draft: Draft) -> str:
    """The one line that recall shows: why, or what for."""
    said = [draft.parts.get(name, "") for name in ("lesson", "why", "goal", "cause", "what", "idea", "decision")]
    title = title_of(draft).casefold()
    told = [first_sentence(text) for text in said if text.strip()]
    return shorten(next((one for one in told if one.casefold() != title), told[0] if told else title_of(draft)), 160)


def first_sentence(text: str) -> str:
    """The first sentence of *text*, on one line, without marks of Markdown."""
    line = next((line for line in text.splitlines() if line.strip(" \t-*#>")), "")
    line = _MARKS.sub("", line.strip())
    found = _SENTENCE.match(line)
    return (found[0] if found else line).strip()


def shorten(text: str, width: int) -> str:
    """At most *width* columns; full-width characters count as two."""
    used = 0
    for at, char in enumerate(text):
        used += 2 if unicodedata.east_asian_width(char) in "WF" else 1
        if used > width:
            cut = text[: max(1, at - 1)]
            space = cut.rfind(" ")
            return (cut[:space] if space > at // 2 else cut).rstrip(" ,;:、") + "…"
    return text


def is_japanese(text: str) -> bool:
    """Is it written with kana or kanji?"""
    return _CJK.search(text) is not None


def _options(body: str, heading: Heading) -> tuple[tuple[str, str], ...]:
    """Bullets, or headings below this one, each an option."""
    section = body[heading.body : heading.section_end]
    found = scan(section)
    if found.headings:
        return tuple(marked_option(one.text) for one in found.headings if one.level == found.headings[0].level)
    bullets = [bullet for bullet in found.bullets if bullet.parent < 0]
    if bullets:
        return tuple(marked_option(bullet.text, done=bullet.status) for bullet in bullets)
    return tuple(marked_option(line) for line in section.splitlines() if line.strip())


def marked_option(text: str, done: str | None = None) -> tuple[str, str]:
    """An option and the status that stands beside it: `- 案A（却下）: slow`, `- [x] B`, `- rejected: C`."""
    line = " ".join(text.split())
    for mark in _MARKED.finditer(line):
        if status := read_status(mark[1] or mark[2] or ""):
            return _SPACED.sub(r"\1", f"{line[: mark.start()].rstrip()} {line[mark.end() :].lstrip()}").strip(" :：-—"), status
    return line, "active" if done in {"x", "X"} else ""


def _labelled(body: str, kind: str) -> tuple[dict[str, str], tuple[tuple[str, str], ...]]:
    """A draft of labelled lines: `Goal: …`, `決定：…`; a line without a label continues the one before."""
    parts: dict[str, str] = {}
    options: list[tuple[str, str]] = []
    name = ""
    for line in body.splitlines():
        label = _LABEL.match(line)
        named = part_named(kind, label[1]) if label else ""
        if label and named:
            name, line = named, line[label.end() :]  # noqa: PLW2901 - the rest of the line is what it says
        said = line.strip()
        if not name or not said:
            continue
        if name == "options":
            options += [marked_option(one) for one in ([said.lstrip("-*+ ")] if said[0] in "-*+" else _LISTED.split(said))]
        else:
            parts[name] = f"{parts[name]}\n{said}" if name in parts else said
    return parts, tuple(options)


def _end(headings: tuple[Heading, ...], heading: Heading) -> int:
    """Where what stands under *heading* ends; deeper headings belong to it."""
    later = next((one.start for one in headings if one.start > heading.start and one.level <= heading.level), None)
    return heading.section_end if later is None else later


def _is_named(option: str, said: str) -> bool:
    name = _folded(_short(option))
    return bool(name) and name in said


def _short(option: str) -> str:
    """What an option is called: up to its first colon, dash or bracket."""
    return _CALLED.split(option, maxsplit=1)[0].strip()


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _one(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def _name_table(kind: str) -> dict[str, str]:
    return {
        unicodedata.normalize("NFKC", name).casefold(): part.name
        for part in PARTS[kind]
        for name in (part.english, part.japanese, part.name, *part.also)
    }


_NAMED: Final = {kind: _name_table(kind) for kind in PARTS}
_NUMBER: Final = re.compile(r"^\(?\d{1,2}[.)、:]?\s*")
_STATUS_LINE: Final = re.compile(
    r"^[ \t>*_-]*(?:status|state|状態|ステータス|判定)[*_]*[ \t]*[:：=][ \t]*([^\n]{1,24})$", re.IGNORECASE | re.MULTILINE
)
_SENTENCE: Final = re.compile(r".+?(?:[.!?](?=\s|$)|[。！？])")
_MARKS: Final = re.compile(r"^(?:[-*+>#]+\s+|\d{1,2}[.)]\s+)*(?:\[[ xX/-]\]\s+)?")
_MARKED: Final = re.compile(
    r"[(（\[【]\s*([^()（）\[\]【】]{1,12})\s*[)）\]】]|(?:^|[-—:：]\s*)(rejected|declined|accepted|adopted|採用|却下|保留)(?=$|[\s:：。、])",
    re.IGNORECASE,
)
_SPACED: Final = re.compile(r"\s+([:：、。,])")
_LABEL: Final = re.compile(r"^\s*(?:[-*]\s+)?[*_]{0,2}([^:：\n*_]{1,24})[*_]{0,2}\s*[:：][*_]{0,2}\s*")
_LISTED: Final = re.compile(r"\s*(?:[;；、]|,\s|\s/\s)\s*")
_CALLED: Final = re.compile(r"\s*[:：(（]|\s[-—–]\s|。|\.\s")
_OWN: Final = frozenset({"id", "title", "description", "date", "tags", "scope", "type", "status", "pattern", "supersedes", "superseded_by"})
_BARE: Final = 24
_CJK: Final = re.compile(r"[\u3041-\u30ff\u3400-\u9fff々]")

assert set(PARTS) < set(PREFIXES)
