r"""One scanner over a whole note: headings, sections, blocks, bullets, tasks, links, tags, inline fields. Linear time, never raises.

Offsets are `str` offsets into the file's text (frontmatter and BOM included); lines are 1-based in the file.
Rules: facts/obsidian-semantics.md §2, §4, §6, §7. Where these are silent, the choice is ours:

- Line ends are `\n`, `\r\n` and a lone `\r` (as in CommonMark and Obsidian's editor). U+2028, U+0085, form feed are ordinary characters.
- Inline syntax is read from left to right, first come first served: a `$` or backtick inside `[[…]]` opens nothing.
- Indented text is no code: links, tags and bullets in it count. A fence may be indented at will.
- `\[[x]]`, `\#x`, `` \` `` and `\$` are escaped and mean nothing.
- Headings and section ends are those of the top level: none in quotes, callouts, list items, `%%` blocks or comments.
- Tags, block ids and bullets in HTML comments do not count, links there are marked; in `%%` blocks only headings, bullets and ids are hidden.
- A number other than 1 opens a list only where no paragraph runs on (CommonMark), and one line is one bullet, also `- - x`.
- A link may hold an image (`[![a](b)](c)`); deeper nesting yields the innermost only.
- A link inside an HTML tag (`<img alt="[[x]]">`) is none. `//host/x` is a URL, like anything with a scheme.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

LinkSyntax = Literal["wikilink", "markdown", "property", "bare"]  # bare: the id of a record, see `Note.mentions`


class Heading(NamedTuple):
    """`## Text` (ATX) or underlined (setext). The section runs from *start* to *section_end*: the next heading of the same or a higher level."""

    level: int
    text: str  # raw, without the marks
    line: int
    start: int
    body: int  # first character after the heading's last line
    section_end: int


class Link(NamedTuple):
    """One link as written. *target* has no subpath; "" means the note itself. Markdown links are percent-decoded."""

    target: str
    subpath: str  # "", "#heading", "#a#b" or "#^block"
    display: str | None
    embed: bool
    syntax: LinkSyntax
    line: int
    start: int  # the whole link, `!` included
    end: int
    target_start: int  # the target as written (still encoded), without subpath
    target_end: int
    property: str | None = None  # the top-level key that a property link stands in
    comment: bool = False  # inside an HTML comment: not counted as a link by default


class Tag(NamedTuple):
    """An inline tag, without `#`."""

    name: str
    line: int
    start: int


class Block(NamedTuple):
    """A block id, without `^`."""

    id: str
    line: int
    start: int


class Bullet(NamedTuple):
    """A list item with its continuation lines, up to the next bullet (nested or not).

    *text* is without the marker and checkbox; its first line is the item's own, each further line is stripped.
    """

    text: str
    line: int
    end_line: int
    indent: int  # columns (a tab goes to the next multiple of four), inside its quote
    heading: int  # index into `headings`, -1: none
    status: str | None  # the checkbox's character, None for a plain bullet
    start: int  # first character of the line
    end: int  # end of the last line, line end excluded
    parent: int = -1  # index into `bullets`


class InlineField(NamedTuple):
    """Dataview `key:: value` (whole line) or `[key:: value]` / `(key:: value)`."""

    key: str
    value: str
    line: int
    start: int
    end: int


class Markdown(NamedTuple):
    """Everything the scanner found, in document order."""

    headings: tuple[Heading, ...]
    links: tuple[Link, ...]
    tags: tuple[Tag, ...]
    blocks: tuple[Block, ...]
    bullets: tuple[Bullet, ...]
    fields: tuple[InlineField, ...]
    code: tuple[tuple[int, int], ...]  # spans of fenced and inline code, math and HTML comments, sorted


def scan(
    text: str,
    *,
    body: int = 0,
    property_block: tuple[int, int] | None = None,
    keys: dict[str, int] | None = None,
    tasks_only: bool = False,
) -> Markdown:
    """Scan *text* from offset *body* on (the end of the frontmatter).

    *property_block* = the span inside the fences, scanned for quoted wikilinks (*keys* = line of each top-level key, to name the property).
    *tasks_only* leaves out the bullets without a checkbox: then a bullet's parent is the nearest task that it stands under.
    """
    from vaultkit.text._scanner import Scanner  # noqa: PLC0415 - its patterns cost 8 ms: a process that only reads stored notes does without

    scanner = Scanner(text, tasks_only=tasks_only)
    if property_block is not None:
        scanner.properties(*property_block, keys)
    scanner.body(body)
    return scanner.result()
