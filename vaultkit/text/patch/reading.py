"""Reading what a PATCH could change: a heading's section, a block, a property."""

from __future__ import annotations

from collections.abc import Sequence

from vaultkit.errors import PatchError, PatchTargetError
from vaultkit.text.patch import levels, properties
from vaultkit.text.patch.outline import Outline, outline
from vaultkit.text.patch.targets import DELIMITER, find_mark, find_section, heading_path, missing_block, missing_heading
from vaultkit.text.values import Value


def read_target(
    text: str,
    target_type: str,
    target: Sequence[str] | str | None,
    *,
    scope: str = "content",
    delimiter: str = DELIMITER,
    relative: bool = False,
    compat: bool = False,
) -> Value:
    """A heading's or block's text as it stands, or a property's value.

    *relative*: headings in the text are counted from the target, as PATCH 2.x takes them (`#` = a child of it; under markerAndContent its
    own level), so that a replace at the same scope with what was read changes nothing. Raises PatchTargetError (40400) and PatchError.
    """
    if target_type == "frontmatter":
        name = target if isinstance(target, str) else "".join(target or ())
        return _property(text, name, scope)
    note = outline(text)
    if target_type == "block":
        return _block(note, target if isinstance(target, str) else "".join(target or ()), scope, compat=compat)
    if target_type != "heading":
        raise PatchError(f"{target_type!r} is not one of heading, block, frontmatter", rest_code=40054)
    return _heading(note, heading_path(target, delimiter), scope, relative=relative, compat=compat)


def _heading(note: Outline, path: list[str], scope: str, *, relative: bool, compat: bool) -> str:
    index = find_section(note, path, compat=compat)
    if index is None:
        raise missing_heading(note, path, rest_code=40400)
    section = note.sections[index]
    match scope:
        case "content":
            return levels.read(note, section.body, section.end, section.level) if relative else note.text[section.body : section.end]
        case "marker":
            return section.text if relative else note.text[section.start : section.body]
        case "markerAndContent":
            base = max(section.level - 1, 0)
            return levels.read(note, section.start, section.end, base) if relative else note.text[section.start : section.end]
        case _:
            raise _bad_scope(scope)


def _block(note: Outline, name: str, scope: str, *, compat: bool) -> str:
    mark = find_mark(note, name, compat=compat)
    if mark is None:
        raise missing_block(note, name, rest_code=40400)
    match scope:
        case "content":
            return note.text[mark.content_start : mark.content_end]
        case "marker":
            return mark.id
        case "markerAndContent":
            return note.text[mark.content_start : mark.end]
        case _:
            raise _bad_scope(scope)


def _property(text: str, name: str, scope: str) -> Value:
    values = properties.read(text)
    if name not in values:
        raise PatchTargetError(f"there is no property {name!r}", rest_code=40400, hint="names are literal, and not looked up in maps")
    match scope:
        case "content":
            return values[name]
        case "marker":
            return name
        case "markerAndContent":
            return {name: values[name]}
        case _:
            raise _bad_scope(scope)


def _bad_scope(scope: str) -> PatchError:
    return PatchError(f"{scope!r} is not one of content, marker, markerAndContent", rest_code=40059)
