"""PATCH 2.x: one JSON instruction (facts/rest-api.md §8). White space is the engine's: text is taken without blank lines at its edges.

Rules of our own where the facts are silent: what is added is a block of its own with a blank line around it; an edit that would change a
heading or swallow a block outside what it names is refused; a property is changed by splice, so that comments and quoting survive; a list
gains an item when a single value is appended; a block keeps its id.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from vaultkit.errors import FrontmatterEditError, PatchConflictError, PatchError, PatchTargetError
from vaultkit.text import frontmatter
from vaultkit.text.edit import hash_of, to_bytes
from vaultkit.text.patch import levels, properties
from vaultkit.text.patch.blocks import change_block, last_text
from vaultkit.text.patch.instruction import Destination, Instruction, parsed
from vaultkit.text.patch.joints import after_text, cut, inserted, put, region, trimmed
from vaultkit.text.patch.outline import Outline, Section, outline
from vaultkit.text.patch.structures import past_line
from vaultkit.text.patch.targets import find_section, missing_heading, version
from vaultkit.text.values import Value, same


class Patched2(NamedTuple):
    """The changed text, and what the caller should know: `{"code", "message"}` each."""

    text: str
    warnings: tuple[dict[str, str], ...] = ()


def apply2(text: str, instruction: Mapping[str, Any], *, compat: bool = False) -> Patched2:
    """*text* with one instruction carried out. Raises PatchError and its kinds, with the plugin's codes.

    *compat*: of several headings or blocks of one name the last one is meant; else that is an error.
    """
    wanted = parsed(instruction)
    _check_match(text, wanted.if_match)
    if wanted.target_type == "frontmatter":
        return Patched2(_property(text, wanted))
    note = outline(text)
    if wanted.target_type == "block":
        return Patched2(change_block(note, wanted, compat=compat))
    index = find_section(note, wanted.target, compat=compat)
    if index is None:
        if not wanted.create:
            raise missing_heading(note, wanted.target, rest_code=40400)
        return _created(note, wanted, compat=compat)
    section = note.sections[index]
    if wanted.scope == "parent":
        return _relocated(note, section, wanted, compat=compat)
    if wanted.within is not None:
        return _within(note, index, wanted)
    if wanted.scope == "marker":
        return _marker(note, section, wanted)
    return _body(note, section, wanted)


def matches(text: str, if_match: str) -> bool:
    """Does an `ifMatch` name this text: `*`, its version, or its hash, with or without quotes?"""
    tokens = [token.strip().removeprefix("W/").strip('"') for token in if_match.split(",")]
    return "*" in tokens or version(text) in tokens or hash_of(to_bytes(text)) in tokens


def _check_match(text: str, if_match: str) -> None:
    if if_match and not matches(text, if_match):
        raise PatchConflictError("the note is not the one that ifMatch names", rest_code=41200, hint="read it again, then retry")


# ── headings ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _body(note: Outline, section: Section, wanted: Instruction) -> Patched2:
    """The section's content, or with markerAndContent the section as a whole."""
    whole = wanted.scope == "markerAndContent"
    found = region(note.text, section.start if whole else section.body, section.end)
    if wanted.operation == "delete":
        if whole:
            return Patched2(cut(note, section.start, section.end))
        return Patched2(note.text if found.empty else _emptied(note, found.core_end, section))
    content, warnings = _content(note, section.level - whole, wanted)
    if wanted.reject_preexisting and content.strip() in note.text[found.start : found.end]:
        raise PatchConflictError("the content stands there already", rest_code=40900)
    if not content:
        if wanted.operation == "replace" and not whole:
            return Patched2(note.text if found.empty else _emptied(note, found.core_end, section))
        if wanted.operation != "replace":
            return Patched2(note.text)
        raise PatchError("a section cannot be replaced with nothing", rest_code=40081, hint="delete it")
    if found.empty:
        return Patched2(inserted(note, found.start, content), warnings)
    match wanted.operation:
        case "replace":
            return Patched2(put(note, found.core_start, found.core_end, content), warnings)
        case "prepend":
            return Patched2(inserted(note, found.core_start, content), warnings)
        case _:
            return Patched2(after_text(note, found.core_end, found.end, content), warnings)


def _emptied(note: Outline, end: int, section: Section) -> str:
    """The section without its content: its heading, and the gap before the next one."""
    if end == len(note.text) or (not note.text[end : section.end].strip() and section.end == len(note.text)):
        return note.text[: section.body]
    return put(note, section.body, past_line(note.text, end), "")


def _content(note: Outline, base: int, wanted: Instruction) -> tuple[str, tuple[dict[str, str], ...]]:
    """The text at its place's levels, and a warning for each heading that is now too deep."""
    shifted = levels.written(trimmed(wanted.content, note.newline), base)
    return shifted.text, _overflow(shifted.overflow)


def _overflow(titles: tuple[str, ...]) -> tuple[dict[str, str], ...]:
    return tuple(
        {"code": "heading-depth-overflow", "message": f"{title!r} is deeper than six levels: it is no heading now"} for title in titles
    )


def _marker(note: Outline, section: Section, wanted: Instruction) -> Patched2:
    """The heading's own text, without its marks; its line dissolves with a delete."""
    if wanted.operation == "delete":
        below = region(note.text, section.body, section.end)
        return Patched2(cut(note, section.start, section.body if below.empty else below.core_start))
    given = wanted.content.replace("\r\n", "\n").strip("\n")
    title = {"replace": given, "append": section.text + given, "prepend": given + section.text}[wanted.operation].strip()
    if title == section.text:
        return Patched2(note.text)
    if "\n" in title or "\r" in title:
        raise PatchError("a heading's text is one line", rest_code=40081)
    kept = note.text[section.text_end : section.body]
    for line in (
        note.text[section.start : section.text_start] + title + kept,
        f"{'#' * section.level} {title}{_line_end(note, section)}",
        f"{'#' * section.level} {_CLOSING_GUARD.join(title.rsplit('#', 1))}{_line_end(note, section)}",
    ):
        spaced = line.replace("#" + title, "# " + title, 1) if not section.text and not section.setext else line
        changed = note.text[: section.start] + spaced + note.text[section.body :]
        now = next((found for found in outline(changed).sections[1:] if found.start == section.start), None)
        if (
            now is not None
            and now.level == section.level
            and now.text.replace(_CLOSING_GUARD, "#") == title
            and _rest_stays(note, changed, section)
        ):
            return Patched2(changed, _twin_warning(outline(changed), now))
    raise PatchError(f"{title!r} cannot be a heading's text", rest_code=40080)


def _rest_stays(note: Outline, changed: str, section: Section) -> bool:
    moved = len(changed) - len(note.text)
    expected = [(found.start, found.level) for found in note.sections[1:] if found.start < section.start]
    expected += [(found.start + moved, found.level) for found in note.sections[1:] if found.start > section.start]
    now = [(found.start, found.level) for found in outline(changed).sections[1:] if found.start != section.start]
    return now == expected


def _line_end(note: Outline, section: Section) -> str:
    line = note.text[section.start : section.body]
    return line[len(line.rstrip("\r\n")) :]


def _twin_warning(note: Outline, section: Section) -> tuple[dict[str, str], ...]:
    twins = [found for found in note.sections[1:] if found.parent == section.parent and found.text == section.text]
    if len(twins) < 2:
        return ()
    lines = " and ".join(str(found.line) for found in twins)
    return ({"code": "duplicate-heading", "message": f"the heading {section.text!r} now stands on lines {lines}"},)


def _created(note: Outline, wanted: Instruction, *, compat: bool) -> Patched2:
    """The missing end of the path, each heading a level below the one before, the content flush under the last."""
    known = len(wanted.target) - 1
    while (index := find_section(note, wanted.target[:known], compat=compat)) is None:
        known -= 1
    parent = note.sections[index]
    names = wanted.target[known:]
    if any(not name.strip() or "\n" in name or "\r" in name for name in names):
        raise PatchError("a new heading needs a text of one line", rest_code=40081)
    if parent.level + len(names) > _DEEPEST:
        raise PatchError("a heading cannot be deeper than six levels", rest_code=40080)
    content, warnings = _content(note, parent.level + len(names), wanted)
    lines = [f"{'#' * (parent.level + depth)} {name}" for depth, name in enumerate(names, 1)]
    block = note.newline.join([*lines, content] if content else lines)
    found = region(note.text, parent.body, parent.end)
    if found.empty:
        return Patched2(inserted(note, found.start, block), warnings)
    return Patched2(after_text(note, found.core_end, found.end, block), warnings)


def _within(note: Outline, index: int, wanted: Instruction) -> Patched2:
    """One top-level block of the section's own body."""
    section, blocks = note.sections[index], note.direct(index)
    place = wanted.within if wanted.within is not None else 0
    if not -len(blocks) <= place < len(blocks):
        raise PatchTargetError(
            f"the section has {len(blocks)} blocks: there is none with the index {place}",
            rest_code=40400,
            hint="count from 0, or from -1 at the end",
        )
    block = blocks[place]
    whole = wanted.scope == "markerAndContent"
    mark = next((found for found in note.marks if found.element == block and not found.inline), None)
    end = mark.end if whole and mark is not None else block.end
    if wanted.operation == "delete":
        return Patched2(cut(note, block.start, past_line(note.text, end)))
    if wanted.reject_preexisting and wanted.content.strip() in note.text[block.start : block.end]:
        raise PatchConflictError("the content stands there already", rest_code=40900)
    if not whole:
        content = wanted.content.replace("\r\n", "\n").replace("\n", note.newline)
        start, stop = {"replace": (block.start, end), "prepend": (block.start, block.start), "append": (end, end)}[wanted.operation]
        return Patched2(put(note, start, stop, content, literal=True))
    content, warnings = _content(note, section.level, wanted)
    match wanted.operation:
        case "replace":
            return Patched2(put(note, block.start, end, content), warnings)
        case "prepend":
            return Patched2(inserted(note, block.start, content), warnings)
        case _:
            return Patched2(after_text(note, last_text(note, end), past_line(note.text, end), content), warnings)


def _relocated(note: Outline, section: Section, wanted: Instruction, *, compat: bool) -> Patched2:
    """The section under another heading, or at another place under its own; levels follow."""
    to = wanted.destination
    assert to is not None
    parent_index = find_section(note, to.parent, compat=compat)
    if parent_index is None:
        raise missing_heading(note, to.parent, rest_code=40400)
    parent = note.sections[parent_index]
    if section.start <= parent.start < section.end and parent.level:
        raise PatchError("a section cannot go into itself", rest_code=40081)
    at = _place(note, parent_index, to, compat=compat)
    if section.start < at < section.end:
        raise PatchError("a section cannot go beside itself", rest_code=40081)
    base = parent.level + 1 - section.level
    if at in {section.start, section.end} and not base:
        return Patched2(note.text)
    core = region(note.text, section.start, section.end)
    moved = levels.written(note.text[core.core_start : core.core_end], base)
    without = cut(note, section.start, section.end)
    if at > section.start:
        at -= len(note.text) - len(without)
    rest = outline(without)
    stop = len(without[:at].rstrip())
    if without[at:].strip() or stop <= rest.root:
        changed = inserted(rest, max(at, rest.root), moved.text)
    else:
        changed = after_text(rest, stop, len(without), moved.text)
    return Patched2(changed, _overflow(moved.overflow))


def _place(note: Outline, parent: int, to: Destination, *, compat: bool) -> int:
    """Where the section is put: the start of the one that it goes before, or the end of the parent."""
    kids = note.children.get(parent, ())
    section = note.sections[parent]
    if to.place == "last":
        return section.end
    if to.place == "first":
        return note.sections[kids[0]].start if kids else section.end
    path = to.sibling if to.sibling[: len(to.parent)] == to.parent and len(to.sibling) > len(to.parent) else (*to.parent, *to.sibling)
    sibling = find_section(note, path, compat=compat)
    if sibling is None or sibling not in kids:
        raise missing_heading(note, path, rest_code=40400)
    return note.sections[sibling].start if to.place == "before" else note.sections[sibling].end


# ── properties ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _property(text: str, wanted: Instruction) -> str:
    name, values = wanted.name, properties.read(text)
    if name not in values:
        if not wanted.create:
            raise PatchTargetError(f"there is no property {name!r}", rest_code=40400, hint="names are literal, and not looked up in maps")
        return properties.spliced(text, {name: wanted.value})
    match wanted.scope, wanted.operation:
        case "content", "delete":
            return properties.spliced(text, {name: None})
        case "content", _:
            return properties.spliced(text, {name: _merged(values[name], wanted)})
        case "marker", "delete":
            raise PatchError("a value cannot stand without its name", rest_code=40081, hint="delete both: scope markerAndContent")
        case "marker", operation:
            new = {"replace": wanted.content, "append": name + wanted.content, "prepend": wanted.content + name}[operation]
            return _renamed(text, name, new.strip(), values)
        case _, "delete":
            return properties.spliced(text, {name: frontmatter.DELETE})
        case _:
            return _with_name(text, name, values, wanted)


def _merged(old: Value, wanted: Instruction) -> Value:
    new = wanted.value
    if wanted.operation == "replace":
        return new
    if old is None:
        return new
    if isinstance(old, list) and not isinstance(new, list):
        new = [new]
    if wanted.reject_preexisting and _holds(old, new):
        raise PatchConflictError("the property holds that already", rest_code=40900)
    return properties.merged(old, new, wanted.operation)


def _holds(old: Value, new: Value) -> bool:
    match old, new:
        case list(), list():
            return all(any(same(one, item) for item in old) for one in new)
        case dict(), dict():
            return all(key in old and same(old[key], value) for key, value in new.items())
        case str(), str():
            return new.strip() in old
        case _:
            return False


def _renamed(text: str, name: str, new: str, values: dict[str, Value]) -> str:
    if new == name:
        return text
    if new in values:
        raise PatchConflictError(f"the note has a property {new!r} already", rest_code=40900)
    try:
        return frontmatter.rename(text, name, new)
    except FrontmatterEditError as error:
        raise PatchError(error.message, rest_code=40080, hint=error.hint) from error


def _with_name(text: str, name: str, values: dict[str, Value], wanted: Instruction) -> str:
    """The property and its name as one: a map of one entry takes its place, or of several stands behind it."""
    new = wanted.value
    if not isinstance(new, dict) or not new or (wanted.operation == "replace" and len(new) != 1):
        raise PatchError("the value must be a map of the name and its value", rest_code=40081, hint='send {"name": value}')
    if wanted.operation == "prepend":
        raise PatchError("a property can only be put behind another", rest_code=40081, hint="append it")
    taken = [key for key in new if key in values and (key != name or wanted.operation != "replace")]
    if taken:
        raise PatchConflictError(f"the note has a property {taken[0]!r} already", rest_code=40900)
    if wanted.operation == "append":
        return properties.spliced(text, new, (name, *new))
    (key,) = new
    return properties.spliced(_renamed(text, name, key, values), {key: new[key]})


_DEEPEST: Final = 6
_CLOSING_GUARD: Final = "\\#"
