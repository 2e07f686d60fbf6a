"""Link syntax taken apart: what stands in `[[…]]` and after `](`. Each step is linear in what it reads."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

# What may stand between the brackets: one line, no `[[`, and a single `]` does not end it.
WIKILINK_BODY: Final = r"[^\[\]\n]*+(?:(?:\[(?!\[)|\](?!\]))[^\[\]\n]*+)*"
ESCAPABLE: Final = r"[!-/:-@\[-`{-~]"  # ASCII punctuation, as in CommonMark

_TITLE_AND_END: Final = r"(?:[ \t]++(?:\"[^\"\n]*+\"|'[^'\n]*+'|\([^()\n]*+\)))?[ \t]*+\)"
_SIMPLE: Final = re.compile(rf"[ \t]*+(?:<([^<>\n]*+)>|(?!\[\[)([^\s()<\\][^\s()\\]*+)){_TITLE_AND_END}")
_REST: Final = re.compile(_TITLE_AND_END)
_MARK: Final = re.compile(r"[\s()\\]")
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_PERCENT: Final = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_ESCAPE: Final = re.compile(rf"\\({ESCAPABLE})")
_DEEPEST: Final = 8  # parentheses in each other (CommonMark asks for three at least); a bound keeps `](a](a](a…` linear


class Destination(NamedTuple):
    """`(path#part "title")` as written, without the title."""

    raw: str
    start: int
    end: int  # of the whole link

    @property
    def external(self) -> bool:
        """It is a URL, and no link to a note."""
        return _SCHEME.match(self.raw) is not None


def split_wikilink(body: str) -> tuple[str, str, str | None, int] | None:
    """Target, subpath, display, and how many blanks stand before the target; None when nothing is linked."""
    left, display = body, None
    if "|" in body:
        left, _, display = body.partition("|")
        left = left.removesuffix("\\")  # in a table the bar is escaped
    path, subpath = left, ""
    if "#" in left:
        path, _, subpath = left.partition("#")
        subpath = subpath.strip()
        if subpath:
            subpath = "#" + subpath
    target = path.strip()
    if not target and not subpath:
        return None
    return target, subpath, display, 0 if target == path else path.index(target)


def read_destination(text: str, start: int) -> Destination | None:
    """The destination that starts after `](`; None when this is no link (an unquoted blank in it, nothing that closes it)."""
    if simple := _SIMPLE.match(text, start):
        group = 1 if simple[2] is None else 2
        return Destination(simple[group], simple.start(group), simple.end())
    while text.startswith((" ", "\t"), start):
        start += 1
    if text.startswith(("<", "[["), start):  # `[a]([[b]])` holds a wikilink
        return None
    position, depth = start, 0
    while mark := _MARK.search(text, position):
        position = mark.end()
        if mark[0] == "\\":
            position += 1
        elif mark[0] == "(" and depth < _DEEPEST:
            depth += 1
        elif mark[0] == ")" and depth:
            depth -= 1
        elif depth:
            return None
        else:
            rest = _REST.match(text, mark.start())
            return Destination(text[start : mark.start()], start, rest.end()) if rest else None
    return None


def decode(raw: str) -> str:
    """A destination without backslash escapes and percent-encoding; what is not UTF-8 stays as written."""
    if "\\" in raw:
        raw = _ESCAPE.sub(r"\1", raw)
    return _PERCENT.sub(_decode_run, raw) if "%" in raw else raw


def _decode_run(run: re.Match[str]) -> str:
    try:
        return bytes.fromhex(run[0].replace("%", "")).decode()
    except UnicodeDecodeError:
        return run[0]
