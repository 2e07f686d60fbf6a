r"""JavaScript's regular expressions (without flags) for Python. Pure.

`translate` rewrites the syntax: `\d \w \s \b .` and `$` mean what they mean there, `(?<name>…)`, `[^]`, letters that need no escape. What the
host gives as *compile* runs them; the default is `re`, which cannot be interrupted, so a host that serves people gives one with a timeout.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any, Final, Protocol

from vaultkit.dql.values import DqlError


class Compiled(Protocol):
    """A pattern. `search` and `match` start at an offset, and give a match as `re` does, or None."""

    @property
    def groups(self) -> int: ...  # noqa: D102
    def search(self, string: str, pos: int = 0) -> Any: ...  # noqa: D102
    def match(self, string: str, pos: int = 0) -> Any: ...  # noqa: D102


Compile = Callable[[str, bool], Compiled]  # a translated pattern, and whether case does not matter


def compile_plain(pattern: str, ignore_case: bool) -> Compiled:
    """Through `re`. Raises re.error (a ValueError would do as well)."""
    return re.compile(pattern, re.IGNORECASE if ignore_case else 0)


def translate(pattern: str) -> str:
    """The pattern in Python's syntax. Raises DqlError for what JavaScript refuses."""
    return _Translator(pattern).run()


def split(pattern: Compiled, text: str, *, most: float = math.inf) -> list[str]:
    """`text.split(/pattern/)`, groups included, unmatched ones as "". Raises DqlError for more than *most* pieces."""
    if not text:
        return [] if pattern.match(text) else [text]
    pieces: list[str] = []
    last = at = 0
    while at < len(text):
        found = pattern.search(text, at)
        if found is None or found.start() >= len(text):
            break
        if found.end() == last:  # nothing was passed
            at += 1
            continue
        pieces.append(text[last : found.start()])
        pieces.extend(group or "" for group in found.groups())
        last = at = found.end()
        if len(pieces) > most:
            raise DqlError("Invalid array length")
    pieces.append(text[last:])
    return pieces


def replace_all(pattern: Compiled, text: str, new: str, *, most: float = math.inf) -> str:
    """`text.replace(/pattern/g, new)`. Raises DqlError when that is longer than *most*."""
    pieces: list[str] = []
    last = at = length = 0
    while at <= len(text) and (found := pattern.search(text, at)) is not None:
        filled = _filled(new, found, text, pattern.groups)
        length += found.start() - last + len(filled)
        if length > most:
            raise DqlError("Invalid string length")
        pieces += (text[last : found.start()], filled)
        last = found.end()
        at = last + (found.end() == found.start())
    pieces.append(text[last:])
    return "".join(pieces)


_INSERT: Final = re.compile(r"\$(?:([$&`'])|([0-9]{1,2})|<([^>]*)>)")


def _filled(new: str, found: Any, text: str, groups: int) -> str:
    if "$" not in new:
        return new

    def piece(mark: re.Match[str]) -> str:
        if sign := mark[1]:
            return {"$": "$", "&": text[found.start() : found.end()], "`": text[: found.start()], "'": text[found.end() :]}[sign]
        if mark[2]:
            number = int(mark[2])
            if 1 <= number <= groups:
                return found.group(number) or ""
            if len(mark[2]) == 2 and 1 <= (first := int(mark[2][0])) <= groups:
                return (found.group(first) or "") + mark[2][1]
            return mark[0]
        try:
            return found.group(mark[3]) or ""
        except (IndexError, LookupError):
            return mark[0]

    return _INSERT.sub(piece, new)


_SPACES: Final = "\\t-\\r \\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff"
_NOT_SPACES: Final = "\\x00-\\x08\\x0e-\\x1f!-\\x9f\\xa1-\\u167f\\u1681-\\u1fff\\u200b-\\u2027\\u202a-\\u202e\\u2030-\\u205e\\u2060-\\u2fff\\u3001-\\ufefe\\uff00-\\U0010ffff"
_SETS: Final = {
    "d": "0-9",
    "D": "\\x00-/:-\\U0010ffff",
    "w": "A-Za-z0-9_",
    "W": "\\x00-/:-@\\[-\\^`{-\\U0010ffff",
    "s": _SPACES,
    "S": _NOT_SPACES,
}
_WORD: Final = "[A-Za-z0-9_]"
_BORDER: Final = f"(?:(?<!{_WORD})(?={_WORD})|(?<={_WORD})(?!{_WORD}))"
_NO_BORDER: Final = f"(?:(?<!{_WORD})(?!{_WORD})|(?<={_WORD})(?={_WORD}))"
_TIMES: Final = re.compile(r"\{[0-9]+(?:,[0-9]*)?\}")
_GROUP: Final = re.compile(r"\((?!\?)|\(\?<(?![=!])")
_CONTROLS: Final = {"t": "\\t", "n": "\\n", "v": "\\x0b", "f": "\\x0c", "r": "\\r"}
_MOST_TIMES: Final = 65_535


class _Translator:
    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0
        self.out: list[str] = []
        self.depth = 0
        unescaped = re.sub(r"\\.|\[(?:\\.|[^\]\\])*\]", "", pattern, flags=re.DOTALL)
        self.count = len(_GROUP.findall(unescaped))

    def refuse(self, why: str) -> DqlError:
        return DqlError(f"Invalid regular expression: /{self.pattern}/: {why}")

    def run(self) -> str:
        repeatable = False
        while self.at < len(self.pattern):
            repeatable = self.piece(repeatable)
        if self.depth:
            raise self.refuse("Unterminated group")
        return "".join(self.out)

    def piece(self, repeatable: bool) -> bool:
        """Translate one piece; whether a quantifier may follow it."""
        char = self.pattern[self.at]
        if char in "*+?{":
            times = _TIMES.match(self.pattern, self.at) if char == "{" else None
            if char == "{" and times is None:
                self.put("\\{", 1)
                return True
            if not repeatable:
                raise self.refuse("Nothing to repeat")
            text = times[0] if times else char
            if times and (text.count(",") and not text.endswith(",}") and int(text[1:-1].split(",")[0]) > int(text[1:-1].split(",")[1])):
                raise self.refuse("numbers out of order in {} quantifier")
            self.put(re.sub("[0-9]+", lambda number: str(min(int(number[0]), _MOST_TIMES)), text), len(text))
            if self.pattern.startswith("?", self.at):
                self.put("?", 1)
            return False
        match char:
            case "\\":
                return self.escape()
            case "[":
                self.set_()
            case "(":
                return self.group()
            case ")":
                if not self.depth:
                    raise self.refuse("Unmatched ')'")
                self.depth -= 1
                self.put(")", 1)
            case ".":
                self.put("[^\\n\\r\\u2028\\u2029]", 1)
            case "^":
                self.put("\\A", 1)
                return False
            case "$":
                self.put("\\Z", 1)
                return False
            case "|":
                self.put("|", 1)
                return False
            case _:
                self.put(re.escape(char), 1)
        return True

    def put(self, text: str, length: int) -> None:
        self.out.append(text)
        self.at += length

    def group(self) -> bool:
        for mark, text in (("(?:", "(?:"), ("(?=", "(?="), ("(?!", "(?!"), ("(?<=", "(?<="), ("(?<!", "(?<!")):
            if self.pattern.startswith(mark, self.at):
                self.depth += 1
                self.put(text, len(mark))
                return False
        if named := re.compile(r"\(\?<([A-Za-z_$][\w$]*)>").match(self.pattern, self.at):
            self.depth += 1
            self.put(f"(?P<{named[1].replace('$', '_')}>", len(named[0]))
            return False
        if self.pattern.startswith("(?", self.at):
            raise self.refuse("Invalid group")
        self.depth += 1
        self.put("(", 1)
        return False

    def escape(self) -> bool:
        if self.at + 1 >= len(self.pattern):
            raise self.refuse("\\ at end of pattern")
        char = self.pattern[self.at + 1]
        if char in "bB":
            self.put(_BORDER if char == "b" else _NO_BORDER, 2)
            return False
        if char in _SETS:
            self.put(f"[{_SETS[char]}]", 2)
        elif "1" <= char <= "9" and (number := re.compile("[0-9]+").match(self.pattern, self.at + 1)) and int(number[0]) <= self.count:
            self.put(f"(?:\\{number[0]})", 1 + len(number[0]))
        elif char == "k" and (named := re.compile(r"\\k<([\w$]+)>").match(self.pattern, self.at)):
            self.put(f"(?P={named[1]})", len(named[0]))
        else:
            self.put(*self.character())
        return True

    def character(self) -> tuple[str, int]:
        """An escaped character, in Python's spelling, and how long it is here."""
        char = self.pattern[self.at + 1]
        if char in _CONTROLS:
            return _CONTROLS[char], 2
        for mark, digits in (("x", 2), ("u", 4)):
            code = self.pattern[self.at + 2 : self.at + 2 + digits]
            if char == mark and re.fullmatch(f"[0-9A-Fa-f]{{{digits}}}", code):
                return f"\\u{int(code, 16):04x}", 2 + digits
        if char == "c" and (control := self.pattern[self.at + 2 : self.at + 3]).isascii() and control.isalpha():
            return f"\\x{ord(control) % 32:02x}", 3
        if octal := re.compile("[0-3][0-7]{0,2}|[4-7][0-7]?").match(self.pattern, self.at + 1):
            return f"\\x{int(octal[0], 8):02x}", 1 + len(octal[0])
        return re.escape(char), 2

    def set_(self) -> None:
        start = self.at
        self.at += 1
        negated = self.pattern.startswith("^", self.at)
        self.at += negated
        items: list[str] = []
        while True:
            if self.at >= len(self.pattern):
                self.at = start
                raise self.refuse("Unterminated character class")
            if self.pattern[self.at] == "]":
                self.at += 1
                break
            first, whole = self.member()
            if not whole and self.pattern.startswith("-", self.at) and self.at + 1 < len(self.pattern) and self.pattern[self.at + 1] != "]":
                self.at += 1
                last, whole = self.member()
                if whole:
                    items += (first, "\\-", last)
                else:
                    try:
                        re.compile(f"[{first}-{last}]")
                    except re.error:
                        raise self.refuse("Range out of order in character class") from None
                    items.append(f"{first}-{last}")
            else:
                items.append(first)
        if not items:
            self.out.append("[\\x00-\\U0010ffff]" if negated else "(?!)")
        else:
            self.out.append(f"[{'^' if negated else ''}{''.join(items)}]")

    def member(self) -> tuple[str, bool]:
        """One member of a set, and whether it is a set itself."""
        char = self.pattern[self.at]
        if char != "\\":
            self.at += 1
            return re.escape(char) if char != "\n" else "\\n", False
        if self.at + 1 >= len(self.pattern):
            raise self.refuse("\\ at end of pattern")
        char = self.pattern[self.at + 1]
        if char in _SETS:
            self.at += 2
            return _SETS[char], True
        if char == "b":
            self.at += 2
            return "\\x08", False
        text, length = self.character()
        self.at += length
        return text, False
