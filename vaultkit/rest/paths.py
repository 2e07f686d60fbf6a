"""Paths as they come in: each segment decoded by itself; what climbs, hides or cannot be decoded is refused (facts/rest-api.md §5)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple
from urllib.parse import unquote_to_bytes

from vaultkit.rest.answers import RestError

TARGETS: Final = ("heading", "block", "frontmatter")
_BAD_PERCENT: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")


class Place(NamedTuple):
    """What a path means: a file or folder, and the part of it that the path goes on to name. *folder*: it ends with a slash."""

    path: str
    folder: bool
    target_type: str = ""
    target: tuple[str, ...] | None = None


def decode(text: str, *, code: int = 40021) -> str:
    """Percent-decoded UTF-8; *code* is the error for what is none."""
    if _BAD_PERCENT.search(text):
        raise RestError(code, "a % is not followed by two hexadecimal digits; write it as %25")
    try:
        return unquote_to_bytes(text).decode()
    except UnicodeDecodeError:
        raise RestError(code, "what is percent-encoded is not UTF-8") from None


def segments(rest: str) -> tuple[list[str], bool]:
    """The decoded segments of what follows `/vault/`, and whether a slash ends it. A doubled slash is refused."""
    folder = rest.endswith("/") or not rest
    parts = rest.removesuffix("/").split("/") if rest.removesuffix("/") else []
    if any(not part for part in parts):
        raise RestError(40021, "a path holds no doubled slash")
    found = [decode(part) for part in parts]
    check_inside("/".join(found))
    return found, folder


def check_inside(path: str) -> None:
    """Refuse what is absolute or climbs out of the vault, or holds a NUL."""
    if path.startswith("/") or "\0" in path:
        raise RestError(40021)
    depth = 0
    for part in path.replace("\\", "/").split("/"):
        depth += -1 if part == ".." else 0 if part in {"", "."} else 1
        if depth < 0:
            raise RestError(40021)


def is_plain(parts: Sequence[str]) -> bool:
    """Whether these segments can name something visible: no slash inside one, no dot in front."""
    return all(part and "/" not in part and not part.startswith(".") for part in parts)


def locate(
    parts: list[str], *, folder: bool, is_file: Callable[[str], bool], is_folder: Callable[[str], bool], writing: bool = False
) -> Place:
    """The longest file that *parts* begin with, and what of it the rest names; else the path itself."""
    path = "/".join(parts)
    if not is_plain(parts):
        known = next((at for at in range(len(parts) - 1, 0, -1) if is_plain(parts[:at]) and is_file("/".join(parts[:at]))), 0)
        return _with_target(parts, known) if known else Place(path, folder)
    if is_file(path) or (not writing and is_folder(path)):
        return Place(path, folder)
    known = next((at for at in range(len(parts) - 1, 0, -1) if is_file("/".join(parts[:at]))), 0)
    if known:
        return _with_target(parts, known)
    if writing and any(part in TARGETS for part in parts[:-1]):
        raise RestError(40400)
    return Place(path, folder)


def part_of(path: str, parts: Sequence[str]) -> Place:
    """A file, and the part of it that *parts* name, if they name one."""
    return _with_target([path, *parts], 1) if parts else Place(path, folder=False)


def _with_target(parts: list[str], known: int) -> Place:
    kind = parts[known]
    if kind not in TARGETS:
        raise RestError(40054)
    target = tuple(parts[known + 1 :])
    if not target:
        raise RestError(40055)
    return Place("/".join(parts[:known]), folder=False, target_type=kind, target=target)


def destination(value: str, source: str) -> str:
    """The path that a Destination header names; with a slash at its end, *source*'s name in that folder."""
    if not value.strip():
        raise RestError(40020)
    named = re.sub("/+", "/", decode(value.strip(), code=40022).replace("\\", "/"))
    check_inside(named)
    if named.endswith("/"):
        named += source.rsplit("/", 1)[-1]
    parts = named.split("/")
    if any(part in {".", ".."} for part in parts):
        raise RestError(40022, "`.` and `..` are no names")
    if not is_plain(parts):
        raise RestError(40021, "names that begin with a dot are out of bounds")
    return named
