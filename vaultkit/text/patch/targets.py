"""What a PATCH or a targeted read names: a heading by its path, a block by its id; and the map of all that can be named."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any, Final, TypeVar

from vaultkit.errors import PatchError, PatchTargetError
from vaultkit.text import frontmatter
from vaultkit.text.edit import to_bytes
from vaultkit.text.patch.outline import Mark, Outline, Section, outline

TARGET_TYPES: Final = ("heading", "block", "frontmatter")
DELIMITER: Final = "::"
# The n-th of several headings of one name is addressed by its text and one of these private-use characters, which readers of a document
# map copy without seeing them (the plugin's own way). Unlike there, the first of them has one too: no address is ambiguous.
_REPEAT: Final = 0xE000
_REPEATS: Final = range(1, 0x1900)

Found = TypeVar("Found", Section, Mark)


def version(text: str) -> str:
    """The short content hash that a document map carries and `ifMatch` names."""
    return hashlib.sha256(to_bytes(text)).hexdigest()[:16]


def find_section(note: Outline, path: Sequence[str], *, compat: bool = False) -> int | None:
    """The index of the section with that full path ([] is the root), None when there is none. Several: an error, or with *compat* the last."""
    found = [0]
    for name in path:
        found = [kid for parent in found for kid in _kids(note, parent, name)]
    if len(found) > 1 and not compat:
        raise _ambiguous("heading", "/".join(path), [note.sections[index] for index in found])
    return found[-1] if found else None


def find_mark(note: Outline, name: str, *, compat: bool = False) -> Mark | None:
    """The block with that id, None when there is none. Several: an error, or with *compat* the last."""
    found = [mark for mark in note.marks if mark.id == name]
    if len(found) > 1 and not compat:
        raise _ambiguous("block id", f"^{name}", found)
    return found[-1] if found else None


def missing_heading(note: Outline, path: Sequence[str], **codes: Any) -> PatchTargetError:
    """The error for a heading that is not there, naming what was probably meant."""
    near = [named for section in note.sections[1:] if (named := note.named(section))[-1:] == list(path[-1:])]
    titles = [section.text for section in note.sections[1:]]
    near = near or [note.named(note.sections[titles.index(close) + 1]) for close in get_close_matches(path[-1], titles, 1)]
    hint = f"did you mean {DELIMITER.join(near[0])!r}?" if near else "headings are named by their full path, as written"
    return PatchTargetError(f"there is no heading {DELIMITER.join(path)!r}", hint=hint, **codes)


def missing_block(note: Outline, name: str, **codes: Any) -> PatchTargetError:
    """The error for a block id that is not there."""
    ids = [mark.id for mark in note.marks]
    near = get_close_matches(name.removeprefix("^"), ids, 1) or ids[:1]
    return PatchTargetError(
        f"there is no block ^{name}", hint=f"did you mean {near[0]!r}?" if near else "the note has no block ids", **codes
    )


def heading_path(target: Sequence[str] | str | None, delimiter: str = DELIMITER) -> list[str]:
    """A heading target as its list of texts; no target is the whole body."""
    if not target:
        return []
    return target.split(delimiter) if isinstance(target, str) else list(target)


def document_map(text: str, *, dialect: int = 2) -> dict[str, Any]:
    """All that can be named in a note. *dialect* 1: headings as a list of joined paths; 2: as a tree, with the content's version."""
    note = outline(text)
    blocks = list(dict.fromkeys(mark.id for mark in note.marks if dialect > 1 or mark.whole))
    fields = list(frontmatter.read(text).values)
    if dialect == 1:
        return {"headings": [DELIMITER.join(path) for path in _paths(note)], "blocks": blocks, "frontmatterFields": fields}
    tree: dict[str, Any] = {}
    for path in _paths(note):
        branch = tree
        for name in path:
            branch = branch.setdefault(name, {})
    return {"headings": tree, "blocks": blocks, "frontmatterFields": fields, "version": version(text)}


def address(note: Outline, index: int) -> list[str]:
    """The path that names this section and no other."""
    path: list[str] = []
    while index:
        section = note.sections[index]
        twins = [kid for kid in note.children[section.parent] if note.sections[kid].text == section.text]
        place = twins.index(index) + 1
        path.append(section.text + (chr(_REPEAT + place) if len(twins) > 1 and place in _REPEATS else ""))
        index = section.parent
    return path[::-1]


def _paths(note: Outline) -> Iterable[list[str]]:
    """The address of every heading, in order: what `address` gives, all at once."""
    paths: list[list[str]] = [[]]
    twins = Counter((section.parent, section.text) for section in note.sections[1:])
    seen: Counter[tuple[int, str]] = Counter()
    for section in note.sections[1:]:
        key = (section.parent, section.text)
        seen[key] += 1
        mark = chr(_REPEAT + seen[key]) if twins[key] > 1 and seen[key] in _REPEATS else ""
        paths.append([*paths[section.parent], section.text + mark])
    return paths[1:]


def _kids(note: Outline, parent: int, name: str) -> list[int]:
    kids = note.children.get(parent, ())
    found = [kid for kid in kids if note.sections[kid].text == name]
    if found or not name or ord(name[-1]) - _REPEAT not in _REPEATS:
        return found
    twins = [kid for kid in kids if note.sections[kid].text == name[:-1]]
    place = ord(name[-1]) - _REPEAT
    return twins[place - 1 : place]


def _ambiguous(kind: str, name: str, found: Sequence[Section] | Sequence[Mark]) -> PatchError:
    lines = " and ".join(str(one.line) for one in found)
    return PatchError(
        f"the {kind} {name!r} stands on lines {lines}: which one is meant is not clear",
        reason="ambiguous-target",
        hint="make the names different, or take the address that the note's document map gives",
    )
