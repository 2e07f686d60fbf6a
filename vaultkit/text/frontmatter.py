"""Find, read (YAML 1.2 core) and splice the frontmatter block; every byte that an edit does not name survives.

Rules from Obsidian's own behaviour: facts/obsidian-semantics.md §5.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from vaultkit.errors import FrontmatterEditError
from vaultkit.text.values import Problem, Value, same


class Block(NamedTuple):
    """Where the block stands, as offsets into the text: `text[start:end]` is the whole block with both fences."""

    start: int  # of the opening fence (1 after a BOM, else 0)
    inner: int  # first character after the opening fence's line end
    inner_end: int  # first character of the closing fence's line
    end: int  # first character after the closing fence's line end (start of the body)
    newline: str  # "\n" or "\r\n", of the opening fence


class Frontmatter(NamedTuple):
    """A note's properties. *values* is empty when there is no block, or when it cannot be read (then *problem* says why)."""

    block: Block | None
    values: dict[str, Value]
    lines: dict[str, int]  # 1-based line in the file of each top-level key
    problem: Problem | None
    readable: bool = True  # False: *problem* hides the values and `edit` refuses; True beside a problem: the problem is a warning


class _Delete:
    """The marker `DELETE`."""


DELETE: Final = _Delete()
Change = Value | _Delete


def find_block(text: str) -> Block | None:
    """The frontmatter block of *text*, or None. It must start at the first byte (a BOM may stand before it)."""
    opening = _OPENING.match(text)
    if opening is None:
        return None
    inner = at = opening.end()
    while True:
        closing = _CLOSING.match(text, at)
        if closing is not None:
            return Block(opening.start(1), inner, at, closing.end(), opening[2])
        at = text.find("\n---", at) + 1
        if not at:
            return None


def read(text: str) -> Frontmatter:
    """Properties of *text*; never raises."""
    block = find_block(text)
    if block is None:
        return Frontmatter(None, {}, {}, None)
    from vaultkit.text import _yaml  # noqa: PLC0415 - PyYAML and python-frontmatter cost 25 ms: only notes with a block pay

    loaded = _yaml.load(text[block.inner : block.inner_end])
    return Frontmatter(block, loaded.values, loaded.lines, loaded.error or loaded.warning, readable=loaded.error is None)


def syntax_problem(text: str) -> Problem | None:
    """Why the block of *text* is no YAML; None when it is, be it no list of properties."""
    block = find_block(text)
    if block is None:
        return None
    from vaultkit.text import _yaml  # noqa: PLC0415 - as above

    return _yaml.syntax_problem(text[block.inner : block.inner_end])


def edit(text: str, changes: Mapping[str, Change], *, order: Sequence[str] = ()) -> str:
    """*text* with the named top-level properties set or deleted, all other characters as they were.

    A new key is put after the nearest earlier key of *order* that exists, else at the end of the block; a note without a
    block gains one. Raises FrontmatterEditError when the block cannot be read or another key's value would change.
    """
    if not changes:
        return text
    before = read(text)
    if not before.readable and before.problem is not None:
        raise FrontmatterEditError(f"the frontmatter cannot be changed: {before.problem.message}", line=before.problem.line)
    if before.block is None:
        new = {key: value for key, value in changes.items() if not isinstance(value, _Delete)}
        return edit(_with_empty_block(text), new, order=order) if new else text

    from vaultkit.text import _emit, _splice  # noqa: PLC0415 - a process that only reads does without them

    rank = {key: index for index, key in enumerate(order)}
    added = sorted((key for key in changes if key not in before.values), key=lambda key: rank.get(key, len(rank)))
    for key in (*(key for key in changes if key in before.values), *added):
        change = changes[key]
        block, after = before.block, dict(before.values)
        inner = text[block.inner : block.inner_end]
        if isinstance(change, _Delete):
            if key not in after:
                continue
            del after[key]
            inner = _splice.removed(inner, key)
        else:
            value = after[key] = _emit.storable(change)
            if key in before.values and same(before.values[key], value):
                continue
            earlier = next((name for name in reversed(order[: rank.get(key, 0)]) if name in before.values), None)
            inner = _splice.spliced(inner, _splice.Place(key, earlier, block.newline), before.values.get(key), value)
        changed = text[: block.inner] + inner + text[block.inner_end :]
        before = _checked(changed, text[block.end :], after, key, line=before.lines.get(key, 2))
        text = changed
    return text


def rename(text: str, key: str, new: str) -> str:
    """*text* with a top-level property under another name, its value and all other characters as they were. Raises FrontmatterEditError."""
    before = read(text)
    if before.block is None or key not in before.values:
        return text
    from vaultkit.text import _splice  # noqa: PLC0415 - as above

    inner = _splice.renamed(text[before.block.inner : before.block.inner_end], key, new)
    changed = text[: before.block.inner] + inner + text[before.block.inner_end :]
    expected = {new if name == key else name: value for name, value in before.values.items()}
    _checked(changed, text[before.block.end :], expected, new, line=before.lines.get(key, 2))
    return changed


def render(values: Mapping[str, Value]) -> str:
    """A whole new block, fences included, in Obsidian's own style (two-space block lists, double quotes where needed)."""
    from vaultkit.text import _emit  # noqa: PLC0415 - as above

    lines = [line for key, value in values.items() for line in _emit.entry(key, value)]
    return "\n".join(["---", *lines, "---", ""])


_OPENING: Final = re.compile("\ufeff?(---)[ \t]*(\r?\n)")
_CLOSING: Final = re.compile("---[ \t]*(?:\r?\n|\\Z)")


def _with_empty_block(text: str) -> str:
    start = 1 if text.startswith("\ufeff") else 0
    first = text.find("\n")
    newline = "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"
    return f"{text[:start]}---{newline}---{newline}{text[start:]}"


def _checked(text: str, body: str, expected: dict[str, Value], key: str, *, line: int) -> Frontmatter:
    """The properties of an edited *text*, which must be the *expected* ones, above the same *body*."""
    now = read(text)
    if now.block is None or not now.readable or text[now.block.end :] != body:
        reason = f": {now.problem.message}" if now.problem else ""
        raise FrontmatterEditError(f"changing {key!r} would break the frontmatter{reason}", line=line)
    if not same(now.values, expected):
        wrong = next(
            (k for k in (*expected, *now.values) if k not in now.values or k not in expected or not same(now.values[k], expected[k])), key
        )
        what = f"{key!r} would not read back as it was set" if wrong == key else f"changing {key!r} would change {wrong!r} too"
        raise FrontmatterEditError(what, line=line)
    return now
