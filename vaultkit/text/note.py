"""A note: everything that one file's text says about itself. Frozen, small enough to keep 20,000 of them in memory."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import starmap
from operator import itemgetter
from typing import Any, Final, NamedTuple

from vaultkit.text import frontmatter, ids, markdown
from vaultkit.text.markdown import Block, Bullet, Heading, InlineField, Link, Tag
from vaultkit.text.values import Problem, Value, strings


class Note(NamedTuple):
    """One Markdown file. Its text is not kept: read it again where it is needed."""

    path: str  # vault-relative
    hash: str  # sha256 hex of the bytes
    properties: dict[str, Value]
    property_lines: dict[str, int]
    body: int  # offset of the first character after the frontmatter
    title: str  # `title` property, else first H1 of the body, else the file name without `.md`
    description: str  # `description` property, else ""
    tags: tuple[str, ...]  # property tags, then inline tags; no `#`; first-seen casing, each once (case-insensitive)
    aliases: tuple[str, ...]
    headings: tuple[Heading, ...]
    links: tuple[Link, ...]
    inline_tags: tuple[Tag, ...]
    blocks: tuple[Block, ...]
    tasks: tuple[Bullet, ...]  # the bullets that have a checkbox; here `parent` is an index into `tasks`
    fields: tuple[InlineField, ...]
    problems: tuple[Problem, ...]
    mentions: tuple[Link, ...] = ()  # bare ids of records (`DEC-018`): links where such a record stands, and only for vaultkit

    @property
    def name(self) -> str:
        """The file name without folder and `.md`: what a bare wikilink says."""
        return _stem(self.path)

    @property
    def folder(self) -> str:
        """The containing folder, "" for the vault's root."""
        return self.path.rpartition("/")[0]


def parse_note(path: str, text: str, *, hash: str = "") -> Note:  # noqa: A002 - the field's name in the contract
    """Parse a note. Never raises: what is wrong with it stands in `problems`."""
    matter = frontmatter.read(text)
    block, properties, problem = matter.block, matter.values, matter.problem
    body = block.end if block else 0
    readable = (block.inner, block.inner_end) if block and matter.readable else None
    scanned = markdown.scan(text, body=body, property_block=readable, keys=matter.lines, tasks_only=True)
    problems = [problem] if problem else []
    tags_key = _key(properties, "tags", "tag")
    tags = _listed(properties[tags_key], _TAG_SEPARATOR) if tags_key else []
    if tags and isinstance(properties[tags_key], str):
        problems.append(Problem("tags-not-list", matter.lines.get(tags_key, 1), f"`{tags_key}` is text, and Obsidian reads only a list"))
    if "<<<<<<<" in text:
        problems.extend(_conflict_markers(text, scanned.code))
    aliases_key = _key(properties, "aliases", "alias")
    return Note(
        path,
        hash,
        properties,
        matter.lines,
        body,
        _title(path, properties, scanned.headings),
        _text(properties.get("description")),
        _unique([tag.lstrip("#").strip() for tag in tags] + [tag.name for tag in scanned.tags]) if tags or scanned.tags else (),
        tuple(_listed(properties[aliases_key], _COMMA)) if aliases_key else (),
        scanned.headings,
        scanned.links,
        scanned.tags,
        scanned.blocks,
        scanned.bullets,
        scanned.fields,
        tuple(problems),
        tuple(_mentions(text, body, scanned)),
    )


ROW_VERSION: Final = 2  # whoever stores rows drops those of another version


def to_row(note: Note) -> tuple[Any, ...]:
    """The note as plain tuples, lists, dicts, text and numbers, which `marshal` can write (lone surrogates too)."""
    return (*note[:9], *(tuple(map(tuple, values)) for values in note[9:]))


def from_row(row: tuple[Any, ...]) -> Note:
    """The reverse of `to_row`."""
    return Note(*row[:9], *(tuple(starmap(kind, values)) for kind, values in zip(_KINDS, row[9:], strict=True)))


_KINDS: Final[tuple[Any, ...]] = (Heading, Link, Tag, Block, Bullet, InlineField, Problem, Link)  # of the fields from `headings` on
_TAG_SEPARATOR: Final = re.compile(r"[,\s]+")
_LINE_END: Final = re.compile(r"\r\n|\n|\r")
_COMMA: Final = re.compile(r",")
_CONFLICT: Final = re.compile(r"^<{7}(?=[ \r\n]|\Z)", re.MULTILINE)


def _title(path: str, properties: dict[str, Value], headings: Iterable[Heading]) -> str:
    if title := _text(properties.get("title")):
        return title
    for heading in headings:
        if heading.level == 1 and heading.text:
            return heading.text
    return _stem(path)


def _stem(path: str) -> str:
    name = path.rsplit("/", 1)[-1]
    return name[:-3] if name[-3:].lower() == ".md" else name


def _text(value: Value) -> str:
    """A property that should be text; of a list the first item."""
    if not isinstance(value, str):
        value = next(iter(strings(value)), "") if value is not None else ""
    return value.strip()


def _key(properties: dict[str, Value], name: str, legacy: str) -> str:
    """The key that stands for *name*, in any case, else for its *legacy* name; "" when there is none."""
    if name in properties:
        return name
    folded = {key.lower(): key for key in properties}
    return folded.get(name) or folded.get(legacy) or ""


def _listed(value: Value, separator: re.Pattern[str]) -> list[str]:
    """A property that should be a list: text is split, list items are not."""
    found = separator.split(value) if isinstance(value, str) else strings(value)
    return [text.strip() for text in found if text.strip()]


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    seen: dict[str, str] = {}
    for name in names:
        if name:
            seen.setdefault(name.casefold(), name)
    return tuple(seen.values())


def _mentions(text: str, body: int, scanned: markdown.Markdown) -> Iterator[Link]:
    """Bare ids of records, none of them in code, a comment, an address or a link."""
    spans = [*scanned.code, *((link.start, link.end) for link in scanned.links)]
    line, counted = 1, 0
    for found, start, end in ids.mentions(text, body, spans):
        line, counted = line + len(_LINE_END.findall(text, counted, start)), start
        yield Link(found, "", None, False, "bare", line, start, end, start, end)


def _conflict_markers(text: str, code: Sequence[tuple[int, int]]) -> Iterator[Problem]:
    """The first line that git or a sync plugin left in the note; in code such a line is a sample."""
    for marker in _CONFLICT.finditer(text):
        before = bisect_right(code, marker.start(), key=itemgetter(0)) - 1
        if before < 0 or code[before][1] <= marker.start():
            yield Problem("conflict-copy", text.count("\n", 0, marker.start()) + 1, "the note holds unmerged conflict markers")
            return
