"""The scanner behind `markdown.scan`: one pass over a note's tokens, with what is open at each moment as its state."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Final

from vaultkit.text import _fields, _quoted
from vaultkit.text._links import decode, read_destination, split_wikilink
from vaultkit.text._syntax import (
    AFTER_BLANK,
    BLANK,
    BLANK_BEFORE_LINE_END,
    BLANK_OR_QUOTE,
    CLOSING_HASHES,
    FENCE_END,
    FENCE_LINE,
    INDENT,
    MATH_END,
    MAY_NEST,
    NESTED_FENCE,
    NO_PARAGRAPH,
    PARAGRAPH_END,
    PREFIX,
    QUOTE,
    QUOTED_PARAGRAPH_END,
    TICKS,
    TOKEN,
    UNQUOTED,
)
from vaultkit.text.markdown import Block, Bullet, Heading, InlineField, Link, Markdown, Tag

# An open list item: `>` marks before it, the column of its content, index into `bullets`.
_Item = tuple[int, int, int]
# The newest bullet: where its text starts, where its first line ends and starts, line, status, indent, parent.
_Open = tuple[int, int, int, int, str | None, int, int]
_CLOSING: Final = {"%%": "%%", "<!--": "-->", "$$": "$$"}


class Scanner:
    r"""State of one scan. All offsets inside are into *flat*: a line end, then the text with `\n` as its only line end; so one more than outside."""

    def __init__(self, text: str, *, tasks_only: bool) -> None:
        self.text = text
        self.tasks_only = tasks_only
        self.crlf = "\r\n" in text
        self.flat = "\n" + (text.replace("\r\n", " \n").replace("\r", "\n") if "\r" in text else text)
        self.size = len(self.flat)
        self.headings: list[tuple[int, str, int, int, int]] = []
        self.links: list[Link] = []
        self.tags: list[Tag] = []
        self.blocks: list[Block] = []
        self.bullets: list[Bullet] = []
        self.fields: list[InlineField] = []
        self.code: list[tuple[int, int]] = []
        # Lines.
        self.line = 0
        self.counted = 0  # so far `line` line ends were met
        self.line_ends: list[int] = []  # made when a line further back is asked for
        self.next: dict[str, int] = {}  # where a closing mark stands next, -1: nowhere
        # Blocks.
        self.floor = 0  # where a paragraph can start at the earliest
        self.not_heading = -1  # an underline whose paragraph cannot be a heading, whatever follows
        self.hidden = 0  # end of the `%%` block
        self.comment = 0  # end of the HTML comment
        self.unquoted = 0  # end of the quote that was asked for last
        self.items: list[_Item] = []
        self.tail = 0  # the line end up to which the text is known to belong to the items, or to end them
        self.open: _Open | None = None  # the newest bullet, whose end is not known yet
        self.bullet_empty = False  # it has no text that an unindented line could continue
        # The paragraph.
        self.paragraph_end = 0
        self.one_line = 0  # end of the newest heading, which is a paragraph of its own
        self.brackets: list[tuple[int, bool]] = []  # offset of `[`, whether it is an image's
        self.no_links = self.no_images = 0  # brackets below these indexes open no link (no image): they hold one
        self.escaped = 0  # end of the last escape
        self.runs: dict[int, int] | None = None  # where the last run of so many backticks starts
        self.unmatched_ticks = 0  # a run this long or longer has no partner
        self.unmatched = ""  # closing marks that do not come any more

    def body(self, start: int) -> None:
        flat, search, handlers = self.flat, TOKEN.search, _HANDLERS
        position = start
        self.floor = start + 2 if flat.startswith("\n\ufeff", start) else start + 1
        while (token := search(flat, position)) is not None:
            position = handlers[token.lastgroup or ""](self, token)
        self.grow(self.size if flat[-1] == "\n" else self.size + 1)
        self.flush()
        if "::" in flat:
            self.inline_fields(start)

    def result(self) -> Markdown:
        return Markdown(
            self.sections(),
            tuple(self.links),
            tuple(self.tags),
            tuple(self.blocks),
            tuple(self.bullets),
            tuple(self.fields),
            tuple(self.code),
        )

    # -- places ---------------------------------------------------------------------------------------------------------------------

    def line_at(self, offset: int) -> int:
        """The line of *offset*; cheap when the offsets come in order."""
        if offset >= self.counted:
            self.line += self.flat.count("\n", self.counted, offset)
            self.counted = offset
            return self.line
        if not self.line_ends:
            self.line_ends = [found.start() for found in re.finditer("\n", self.flat)]
        return bisect_left(self.line_ends, offset)

    def line_end(self, offset: int) -> int:
        end = self.flat.find("\n", offset)
        return end if end >= 0 else self.size

    def outside(self, end: int) -> int:
        r"""A line end's offset in the text, before `\r\n`."""
        return end - 2 if self.crlf and self.text[end - 2 : end] == "\r\n" else end - 1

    def next_mark(self, mark: str, offset: int) -> int:
        """Where *mark* stands next, -1 if nowhere; the same stretch of text is never searched twice."""
        place = self.next.get(mark, 0)
        if 0 <= place < offset:
            self.next[mark] = place = self.flat.find(mark, offset)
        return place

    # -- headings -------------------------------------------------------------------------------------------------------------------

    def atx(self, token: re.Match[str]) -> int:
        start, after = token.start("ws"), token.end()
        if start < self.comment or start < self.hidden:
            return after
        flat = self.flat
        end = flat.find("\n", after)
        if end < 0:
            end = self.size
        prefix, marks = token.group("ws", "atx")
        if (not prefix and not self.items) or self.top_level(start, prefix):
            text = flat[after:end].strip(" \t")
            if text.endswith("#"):
                text = CLOSING_HASHES.sub("", text)
            self.headings.append((len(marks), text, self.line_at(start), start - 1, min(end, self.size - 1)))
            self.floor = end + 1
        self.one_line = end
        return after

    def underline(self, token: re.Match[str]) -> int:
        start, prefix, after = token.start("ws"), token["ws"], token.end()
        if start < self.comment or start < self.hidden:
            return after
        marks = token["underline"].rstrip(" \t")
        self.grow(start)
        first = self.paragraph_before(start) if ">" not in prefix and _width(prefix) <= 3 else -1
        if first >= 0:
            self.flush()
            self.items.clear()
            text = "\n".join(line.strip() for line in self.flat[first : start - 1].split("\n"))
            self.headings.append((1 if marks[0] == "=" else 2, text, self.line_at(first), first - 1, min(after, self.size - 1)))
            self.floor = after + 1
            return after
        if marks == "-":
            return self.bullet(token)
        return self.rule(token) if marks[0] == "-" and len(marks) >= 3 else after

    def rule(self, token: re.Match[str]) -> int:
        start, after = token.start("ws"), token.end()
        if start >= self.comment and start >= self.hidden and self.top_level(start, token["ws"]):
            self.floor = after + 1
        return after

    def top_level(self, start: int, prefix: str) -> bool:
        """Whether a heading or rule that starts here belongs to the document itself; if so, it ends all lists."""
        self.grow(start)
        if prefix and (">" in prefix or _width(prefix) > 3 or (self.items and _inside(prefix, self.items[-1]))):
            return False
        self.flush()
        self.items.clear()
        return True

    def paragraph_before(self, start: int) -> int:
        """Where the paragraph starts that an underline at *start* makes a heading; -1 if there is none."""
        flat, floor = self.flat, self.floor
        end, first = start - 1, -1
        while end > floor:
            begin = flat.rfind("\n", floor, end) + 1 or floor
            line = flat[begin:end].strip(" \t")
            if not line.strip(" \t>"):
                break
            if line[0] == ">" or begin == self.not_heading:
                self.not_heading = start
                return -1  # a quote, or a line that runs on from one
            first, end = begin, begin - 1
        if first >= 0 and (NO_PARAGRAPH.match(flat, first) or self.in_item(first, start)):
            self.not_heading = start
            return -1
        return first

    def in_item(self, first: int, start: int) -> bool:
        """Whether the paragraph from *first* up to the line end before *start* belongs to a list item."""
        if not self.items:
            return False
        if self.tail == start - 1 or (self.open is not None and first <= self.open[2]):
            return True
        indent = INDENT.match(self.flat, first)
        return indent is not None and _inside(indent[0], self.items[-1])

    def sections(self) -> tuple[Heading, ...]:
        size = len(self.text)
        ends = [size] * 7  # for each level: where the next heading of it or a higher one starts
        headings: list[Heading] = []
        for level, text, line, start, body in reversed(self.headings):
            headings.append(Heading(level, text, line, start, body, ends[level]))
            ends[level:] = [start] * (7 - level)
        headings.reverse()
        return tuple(headings)

    # -- bullets --------------------------------------------------------------------------------------------------------------------

    def bullet(self, token: re.Match[str]) -> int:
        flat, items = self.flat, self.items
        prefix, gap, number, box = token.group("ws", "gap", "number", "box")
        start, after = token.start("ws"), token.end()
        if start < self.comment or start < self.hidden:
            return after
        if items and self.tail + 1 < start:
            self.grow(start)
        content = token.end("gap") if gap else after
        empty = content == self.size or flat[content] == "\n"
        if not items and (empty or (number and number.lstrip("0") != "1")) and self.in_paragraph(start, prefix):
            return after
        if self.open is not None:
            self.flush()
        depth = indent = 0
        if prefix:
            while items and not _inside(prefix, items[-1]):
                items.pop()
            depth = prefix.count(">")
            indent = _width(prefix.rpartition(">")[2].removeprefix(" ") if depth else prefix)
        else:
            items.clear()
        column = indent + 2
        if number or (gap and gap != " "):
            wide = _width(gap or " ")
            marker = (token.start("gap") if gap else after) - token.end("ws")
            column = indent + marker + (1 if empty or wide > 4 else wide)
        end = flat.find("\n", after)
        self.tail = end = end if end >= 0 else self.size
        self.floor = end + 1 if empty else start
        parent = items[-1][2] if items else -1
        wanted = box is not None or not self.tasks_only
        self.open = (after, end, start, self.line_at(start) if wanted else 0, box, indent, parent)
        self.bullet_empty = empty
        items.append((depth, column, len(self.bullets) if wanted else parent))
        if not empty and flat[content] in MAY_NEST and (fence := NESTED_FENCE.match(flat, content)):
            before = flat[start : fence.start(2)]
            depth = before.count(">")
            if fence[1].rstrip(" \t") and fence[1].rstrip(" \t")[-1] != ">":  # `- - ```` stands in a second list
                inner = before.rpartition(">")[2]
                items.append((depth, _width(inner.removeprefix(" ") if depth else inner), items[-1][2]))
            return self.fence_at(fence.start(2), fence[2], fence.end(), depth)
        return after

    def in_paragraph(self, start: int, prefix: str) -> bool:
        """Whether the line before *start* is plain text, which this line would continue."""
        if start <= self.floor:
            return False
        line = self.flat[self.flat.rfind("\n", 0, start - 1) + 1 : start - 1]
        text = line.lstrip(" \t>")
        return text != "" and line[: len(line) - len(text)].count(">") == prefix.count(">")

    def grow(self, stop: int) -> None:
        """Give the lines before *stop* to the newest bullet as far as they are its own; leave the lists that ended meanwhile."""
        items, flat = self.items, self.flat
        if not items or self.tail + 1 >= stop:
            return
        if self.bullet_empty and (line := PREFIX.match(flat, self.tail)):
            self.bullet_empty = False
            if flat.startswith("\n", line.end()):  # an item may begin with one blank line, its own
                self.flush()
                items.pop()
            else:
                self.leave(line[1])  # it has no text that an unindented line could continue
            if not items:
                return
        first = (BLANK if items[-1][0] else BLANK_OR_QUOTE).search(flat, self.tail, stop - 1)
        if first is None:
            self.tail = stop - 1
            return
        if flat.startswith(">", first.end()) and not _inside(flat[first.start() + 1 : first.end()], items[-1]):
            self.tail = first.start()
            self.flush()
            items.clear()
            return
        end = first.start()
        for paragraph in AFTER_BLANK.finditer(flat, end, stop):
            if paragraph.end() >= min(stop, self.size):
                break
            if not _inside(paragraph[1], items[-1]):
                self.tail = end
                self.leave(paragraph[1])
                if not items:
                    return
            if self.open is not None:
                after = BLANK.search(flat, paragraph.end(), stop - 1)
                end = after.start() if after else stop - 1
        self.tail = end if self.open is not None else stop - 1

    def leave(self, prefix: str) -> None:
        """Leave the list items that a line with this *prefix* does not stand in."""
        items = self.items
        while items and not _inside(prefix, items[-1]):
            self.flush()
            items.pop()

    def flush(self) -> None:
        """The newest bullet is whole."""
        if self.open is None:
            return
        after, first_end, start, line, status, indent, parent = self.open
        self.open = None
        if self.tasks_only and status is None:
            return
        end = self.tail
        text = self.flat[after:end].strip()
        end_line = line
        if end != first_end:
            end_line += self.flat.count("\n", after, end)
            first, *rest = text.split("\n")
            marks = " \t>" if self.items[-1][0] else " \t"
            text = "\n".join([first.rstrip(), *(part.lstrip(marks).rstrip() for part in rest)])
        self.bullets.append(Bullet(text, line, end_line, indent, len(self.headings) - 1, status, start - 1, self.outside(end), parent))

    # -- code, comments and other blocks --------------------------------------------------------------------------------------------

    def fence(self, token: re.Match[str]) -> int:
        start, prefix = token.start("ws"), token["ws"]
        if start < self.comment:
            return token.end()
        self.grow(start)
        self.leave(prefix)
        return self.fence_at(start, token["fence"], token.end(), prefix.count(">"))

    def fence_at(self, start: int, fence: str, after: int, depth: int) -> int:
        """A fence that opens here, so many quotes deep; it ends with its container at the latest."""
        end = self.fence_end(self.line_end(after), fence, depth)
        self.code.append((start - 1, self.outside(end)))
        self.tail = end
        self.floor = end + 1
        return end

    def fence_end(self, position: int, fence: str, depth: int) -> int:
        flat, mark, length = self.flat, fence[0], len(fence)
        item = self.items[-1] if self.items else None
        if depth == 0 and item is None:
            for closing in FENCE_END[mark].finditer(flat, position):
                if len(closing[1]) >= length:
                    return closing.end()
            return self.size
        last = position
        while (line := FENCE_LINE.match(flat, position)) is not None:
            blank = not line[2] and (line.end() == self.size or flat[line.end()] == "\n")
            if line[1].count(">") < depth or (item is not None and not blank and not _inside(line[1], item)):
                break
            position = self.line_end(line.end())
            if not blank:
                last = position
            if line[2] and line[2][0] == mark and len(line[2]) >= length:
                break
        return last

    def block(self, token: re.Match[str]) -> int:
        """`%%`, `<!--` or `$$` at the start of a line."""
        start, prefix, mark, after = token.start("block"), token["ws"], token["block"], token.end()
        if start < self.comment or (mark == "%%" and start < self.hidden):
            return after
        end = self.next_mark(_CLOSING[mark], start + 2)
        if end < 0 and mark == "<!--" and not prefix:
            end = self.size - 3  # as in CommonMark, all the rest is a comment
        if end < 0 or (">" in prefix and end > self.quote_end(start)):
            return after
        end += len(_CLOSING[mark])
        line_end = self.line_end(end)
        if mark == "$$":
            self.code.append((start - 1, end - 1))
            self.floor = line_end + 1
            return end
        if mark == "<!--":
            self.comment = end
            self.code.append((start - 1, end - 1))
        elif end > self.line_end(after):
            self.hidden = end
        else:
            return after  # an inline comment: everything in it counts
        self.grow(start - len(prefix))
        if self.items and not _inside(prefix, self.items[-1]):
            self.flush()
            self.items.clear()
        self.floor = line_end + 1
        return after

    def quote_end(self, offset: int) -> int:
        """Where the quote around *offset* ends."""
        if offset >= self.unquoted:
            found = UNQUOTED.search(self.flat, offset)
            self.unquoted = found.start() if found else self.size
        return self.unquoted

    def html_comment(self, token: re.Match[str]) -> int:
        start, after = token.span()
        if start < self.comment:
            return after
        end = self.paragraph(start)
        closing = -1 if ">" in self.unmatched else self.flat.find("-->", start + 2, end)
        if closing < 0:
            self.unmatched += ">"
            return after
        self.comment = closing + 3
        self.code.append((start - 1, closing + 2))
        return after

    def span(self, token: re.Match[str]) -> int:
        """Inline code in its simplest form: single backticks on one line."""
        start, after = token.span()
        if start < self.comment:
            return start + 1
        self.code.append((start - 1, after - 1))
        return after

    def ticks(self, token: re.Match[str]) -> int:
        start, after = token.span()
        if start < self.comment:
            return after
        end, length, flat = self.paragraph(start), after - start, self.flat
        if length >= self.unmatched_ticks:
            return after
        if self.runs is None:
            closing = flat.find(flat[start:after], after, end)
            if closing < 0:
                self.unmatched_ticks = length
                return after
            if not flat.startswith("`", closing + length):
                self.code.append((start - 1, closing + length - 1))
                return closing + length
            self.runs = {len(run[0]): run.start() for run in TICKS.finditer(flat, after, end)}
        if self.runs.get(length, -1) >= after:
            for run in TICKS.finditer(flat, after, end):
                if len(run[0]) == length:
                    self.code.append((start - 1, run.end() - 1))
                    return run.end()
        return after

    def dollars(self, token: re.Match[str]) -> int:
        start, after = token.span()
        mark, flat = token[0], self.flat
        if start < self.comment or len(mark) > 2 or (len(mark) == 1 and (after == self.size or flat[after].isspace())):
            return after
        end = self.paragraph(start)
        name = "$" if len(mark) == 1 else "2"
        if name in self.unmatched:
            return after
        if len(mark) == 1:
            found = MATH_END.search(flat, after, end)
            closing = found.end() if found else -1
        else:
            closing = flat.find("$$", after, end)
            closing += 2 if closing >= 0 else 0
        if closing < 0:
            self.unmatched += name
            return after
        self.code.append((start - 1, closing - 1))
        return closing

    # -- inline ---------------------------------------------------------------------------------------------------------------------

    def paragraph(self, offset: int) -> int:
        """The end of the paragraph around *offset*."""
        if offset >= self.paragraph_end:
            if offset < self.one_line:
                return self.new_paragraph(self.one_line)
            line = self.flat.rfind("\n", 0, offset) + 1
            found = (QUOTED_PARAGRAPH_END if QUOTE.match(self.flat, line) else PARAGRAPH_END).search(self.flat, offset)
            return self.new_paragraph(found.start() if found else self.size)
        return self.paragraph_end

    def new_paragraph(self, end: int) -> int:
        """Nothing inline is open in a paragraph that was just entered."""
        self.paragraph_end = end
        self.unmatched_ticks = self.size
        self.runs = None
        self.unmatched = ""
        if self.brackets:
            self.brackets = []
            self.no_links = self.no_images = 0
        return end

    def passed(self, token: re.Match[str]) -> int:
        return token.end()

    def escape(self, token: re.Match[str]) -> int:
        self.escaped = token.end()
        return self.escaped

    def wikilink(self, token: re.Match[str]) -> int:
        start, end = token.span()
        parts = split_wikilink(token["body"])
        if parts is None:
            return end
        target, subpath, display, blanks = parts
        place = start + 1 + blanks
        embed = self.flat[start - 1] == "!" and self.escaped != start
        start -= embed
        line, comment = self.line_at(start), start < self.comment
        self.links.append(
            Link(target, subpath, display, embed, "wikilink", line, start - 1, end - 1, place, place + len(target), None, comment)
        )
        return end

    def open_bracket(self, token: re.Match[str]) -> int:
        start = token.start()
        if start >= self.paragraph_end:
            self.paragraph(start)
        self.brackets.append((start, self.flat[start - 1] == "!" and self.escaped != start))
        return start + 1

    def close_bracket(self, token: re.Match[str]) -> int:
        start, after = token.span()
        if start >= self.paragraph_end:
            self.paragraph(start)
        brackets = self.brackets
        if not brackets:
            return start + 1
        opening, image = brackets.pop()
        depth = len(brackets)
        active = depth >= (self.no_images if image else self.no_links)
        self.no_links, self.no_images = min(self.no_links, depth), min(self.no_images, depth)
        destination = read_destination(self.flat, after) if active and token["close"] else None
        if destination is None:
            return start + 1
        self.no_images = depth
        if not image:
            self.no_links = depth
        while self.tags and self.tags[-1].start >= opening:
            self.tags.pop()  # it stands in the link's text
        path, _, part = destination.raw.partition("#")
        if (path or part) and not destination.external:
            display = self.flat[opening + 1 : start]
            if "\n" in display:
                display = BLANK_BEFORE_LINE_END.sub("\n", display)
            start, end, place = opening - image, destination.end, destination.start - 1
            line, comment, subpath = self.line_at(start), start < self.comment, "#" + decode(part) if part else ""
            self.links.append(
                Link(decode(path), subpath, display, image, "markdown", line, start - 1, end - 1, place, place + len(path), None, comment)
            )
        return destination.end

    def tag(self, token: re.Match[str]) -> int:
        name, end = token["tag"] or token["quoted"][1:], token.end()
        start = end - len(name) - 1
        if start >= self.comment and not (name.isascii() and name.isdigit()):
            self.tags.append(Tag(name, self.line_at(start), start - 1))
        return end

    def block_id(self, token: re.Match[str]) -> int:
        start = token.start()
        if start >= self.comment and start >= self.hidden:
            self.blocks.append(Block(token["id"], self.line_at(start), start - 1))
        return token.end()

    # -- fields and properties ------------------------------------------------------------------------------------------------------

    def inline_fields(self, start: int) -> None:
        code = [(begin + 1, end + 1) for begin, end in self.code]
        tasks = [(bullet.start + 1, bullet.end + 1) for bullet in self.bullets if bullet.status is not None]
        for begin, end, key, value in _fields.find(self.flat, start, code, tasks):
            self.fields.append(InlineField(key, value, self.line_at(begin), begin - 1, end - 1))

    def properties(self, start: int, end: int, keys: dict[str, int] | None) -> None:
        flat = self.flat
        if flat.find("[[", start + 1, end + 1) < 0:
            return
        names = sorted((line, key) for key, line in (_quoted.keys(flat, start + 1, end + 1) if keys is None else keys).items())
        for string in _quoted.strings(flat, start + 1, end + 1):
            quote = flat[string[0] - 1]
            for token in _quoted.WIKILINK.finditer(flat, *string):
                parts = split_wikilink(token["body"])
                if parts is None:
                    continue
                line = self.line_at(token.start())
                above = bisect_left(names, (line + 1, "")) - 1
                target, subpath, display = (part and _quoted.unescape(part, quote) for part in parts[:3])
                place = token.start("body") - 1 + parts[3]
                self.links.append(
                    Link(
                        target or "",
                        subpath or "",
                        display,
                        bool(token["embed"]),
                        "property",
                        line,
                        token.start() - 1,
                        token.end() - 1,
                        place,
                        place + len(parts[0]),
                        names[above][1] if above >= 0 else None,
                    )
                )


_HANDLERS: Final = {
    "atx": Scanner.atx,
    "fence": Scanner.fence,
    "underline": Scanner.underline,
    "rule": Scanner.rule,
    "bullet": Scanner.bullet,
    "block": Scanner.block,
    "quoted": Scanner.tag,
    "escape": Scanner.escape,
    "span": Scanner.span,
    "ticks": Scanner.ticks,
    "dollars": Scanner.dollars,
    "comment": Scanner.html_comment,
    "html": Scanner.passed,
    "wikilink": Scanner.wikilink,
    "open": Scanner.open_bracket,
    "close": Scanner.close_bracket,
    "tag": Scanner.tag,
    "id": Scanner.block_id,
}


def _width(blanks: str) -> int:
    """The columns that *blanks* takes."""
    return len(blanks.expandtabs(4)) if "\t" in blanks else len(blanks)


def _inside(prefix: str, item: _Item) -> bool:
    """Whether a line that starts with *prefix* is indented enough to stand in list *item*."""
    depth, column, _ = item
    if ">" not in prefix:
        return not depth and _width(prefix) >= column
    parts = prefix.split(">", depth + 1)
    if len(parts) <= depth:
        return False
    return _width(parts[depth].removeprefix(" ") if depth else parts[0]) >= column
