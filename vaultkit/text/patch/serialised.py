"""A properties block in the form that the plugin gives it when it rewrites one: that of npm's `yaml` 2.9.1 with its own defaults.

Plain scalars where YAML 1.2 allows them, else double quotes; block lists, two spaces; text with line ends as `|`; lines folded at 80
(UTF-16 units, as there). PATCH 1.x is measured against those bytes; everything else in vaultkit writes by splice (text/frontmatter).
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Final, Literal

from vaultkit.text._yaml import plain_value
from vaultkit.text.values import Value, scalar_text

_WIDTH: Final = 80
_MIN_WIDTH: Final = 20
_MIN_MULTI_LINE: Final = 40  # shorter quoted texts keep their line ends escaped

Mode = Literal["flow", "block", "quoted"]


def block(values: Mapping[str, Value], newline: str) -> str:
    """The whole block with its fences."""
    lines = "".join(_map(dict(values), "")) if values else "{}\n"
    return f"---\n{lines}---\n".replace("\n", newline)


def _map(values: dict[str, Value], indent: str) -> list[str]:
    out: list[str] = []
    for key, value in values.items():
        name = _joined(_string(_units(key), indent, at=None, key=True))
        out.append(f"{indent}{name}:{_after_key(value, indent, len(_units(name)) + 2)}")
    return out


def _after_key(value: Value, indent: str, column: int) -> str:
    """What follows `key:`, its line end included."""
    match value:
        case list() if value:
            return "\n" + "".join(_item(item, indent + "  ") for item in value)
        case dict() if value:
            return "\n" + "".join(_map(value, indent + "  "))
        case _:
            return f" {_scalar(value, indent + '  ', at=column)}\n"


def _item(value: Value, indent: str) -> str:
    match value:
        case list() if value:
            inner = "".join(_item(item, indent + "  ") for item in value)
        case dict() if value:
            inner = "".join(_map(value, indent + "  "))
        case _:
            return f"{indent}- {_scalar(value, indent + '  ', at=None)}\n"
    return f"{indent}- {inner[len(indent) + 2 :]}"


def _scalar(value: Value, indent: str, *, at: int | None) -> str:
    match value:
        case str():
            return _joined(_string(_units(value), indent, at=at, key=False))
        case None:
            return "null"
        case list():
            return "[]"
        case dict():
            return "{}"
        case float() if not math.isfinite(value):
            return ".nan" if math.isnan(value) else ".inf" if value > 0 else "-.inf"
        case _:
            return scalar_text(value)


# ── strings ──────────────────────────────────────────────────────────────────────────────────────────────────────────

_NOT_PLAIN: Final = re.compile(r"""^[\n\t ,\[\]{}#&*!|>'"%@`]|^[?-]$|^[?-][ \t]|[\n:][ \t]|[ \t]\n|[\n\t ]#|[\n\t :]\Z""")
_MARKER: Final = re.compile(r"^(?:---|\.\.\.)", re.MULTILINE)
_CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def _string(text: str, indent: str, *, at: int | None, key: bool) -> str:
    if not text:
        return '""'
    if _CONTROL.search(text):
        return _doubled(text, indent, at, key=key)
    if key and ("\n" in text or (not indent and _MARKER.search(text))):
        return _quoted(text, indent, at, key=key)
    if _NOT_PLAIN.search(text):
        return _quoted(text, indent, at, key=key) if key or "\n" not in text else _block(text, indent, at)
    if "\n" in text and not key:
        return _block(text, indent, at)
    if not isinstance(plain_value(_joined(text)), str):
        return _quoted(text, indent, at, key=key)
    return text if key else _fold(text, indent, "flow", at)[0]


def _quoted(text: str, indent: str, at: int | None, *, key: bool) -> str:
    if '"' in text and "'" not in text and not (key and "\n" in text) and not re.search(r"[ \t]\n|\n[ \t]", text):
        single = "'" + re.sub(r"\n+", lambda found: found[0] + "\n" + indent, text) + "'"
        return single if key else _fold(single, indent, "flow", at)[0]
    return _doubled(text, indent, at, key=key)


def _doubled(text: str, indent: str, at: int | None, *, key: bool) -> str:
    escaped = _double(json.dumps(text, ensure_ascii=False), indent, key=key)
    return escaped if key else _fold(escaped, indent, "quoted", at)[0]


_NAMED: Final = {"0000": "\\0", "0007": "\\a", "000b": "\\v", "001b": "\\e"}


def _double(text: str, indent: str, *, key: bool) -> str:
    """A JSON string as YAML's double quotes: short names for control characters, line ends of a long text unfolded."""
    out: list[str] = []
    at = 0
    while at < len(text):
        if text.startswith(" \\n", at):  # a space before a line end would be folded away
            out.append("\\ ")
            at += 1
        if text[at] != "\\":
            out.append(text[at])
            at += 1
            continue
        if text[at + 1] == "u":
            code = text[at + 2 : at + 6]
            out.append(_NAMED.get(code) or (f"\\x{code[2:]}" if code.startswith("00") else text[at : at + 6]))
            at += 6
        elif text[at + 1] == "n" and not key and text[at + 2] != '"' and len(text) >= _MIN_MULTI_LINE:
            out.append("\n\n")
            at += 2
            while text.startswith("\\n", at) and text[at + 2] != '"':
                out.append("\n")
                at += 2
            out.append(indent + ("\\" if text[at] == " " else ""))
        else:
            out.append(text[at : at + 2])
            at += 2
    return "".join(out)


def _block(text: str, indent: str, at: int | None) -> str:
    """`|`, or `>` where lines are too long and can be folded."""
    if re.search(r"\n[\t ]+\Z", text):
        return _quoted(text, indent, at, key=False)
    body = text.rstrip("\n\t ")
    end = text[len(body) :]
    first = end.find("\n")
    chomp = "-" if first < 0 else "+" if not body or first != len(end) - 1 else ""
    end = re.sub(r"(?:^|(?<!\n))\n+(?!\n|\Z)", lambda found: found[0] + indent, end.removesuffix("\n"))
    start = re.match(r"[ \n]*", body)
    lead = start[0] if start else ""
    spaces = " " in lead
    lead = lead[: lead.rfind("\n") + 1]
    body = body[len(lead) :]
    lead = re.sub(r"\n+", lambda found: found[0] + indent, lead)
    header = ("2" if spaces else "") + chomp
    if any(len(line) > _WIDTH - len(indent) for line in text.split("\n")):
        folded = re.sub(r"\n+", r"\n\g<0>", body)
        folded = re.sub(
            "(?:^|\n)([\t ][^\n\r\u2028\u2029]*)(?:([\n\t ]*)\n(?![\n\t ]))?", lambda found: found[1] + (found[2] or ""), folded
        )
        folded = re.sub(r"\n+", lambda found: found[0] + indent, folded)
        done, overflow = _fold(f"{lead}{folded}{end}", indent, "block", len(indent))
        if not overflow:
            return f">{header}\n{indent}{done}"
    body = re.sub(r"\n+", lambda found: found[0] + indent, body)
    return f"|{header}\n{indent}{lead}{body}{end}"


def _fold(text: str, indent: str, mode: Mode, at: int | None) -> tuple[str, bool]:
    """*text* with line ends in place of spaces where a line is too long; and whether one stayed so."""
    step = max(1 + _MIN_WIDTH, 1 + _WIDTH - len(indent))
    if len(text) <= step:
        return text, False
    folds: list[int] = []
    escaped: set[int] = set()
    end = _WIDTH - len(indent)
    if at is not None:
        if at > _WIDTH - max(2, _MIN_WIDTH):
            folds.append(0)
        else:
            end = _WIDTH - at
    split: int | None = None
    before = ""
    overflow = False
    escape_start = escape_end = place = -1
    if mode == "block":
        place = _past_indented(text, place, len(indent))
        if place != -1:
            end = place + step
    while (place := place + 1) < len(text):
        char = text[place]
        if mode == "quoted" and char == "\\":
            escape_start = place
            place += {"x": 3, "u": 5, "U": 9}.get(text[place + 1 : place + 2], 1)
            escape_end = place
        if char == "\n":
            if mode == "block":
                place = _past_indented(text, place, len(indent))
            end = place + len(indent) + step
            split = None
        else:
            after = text[place + 1 : place + 2]
            if char == " " and before and before not in " \n\t" and after and after not in " \n\t":
                split = place
            if place >= end:
                if split:
                    folds.append(split)
                    end, split = split + step, None
                elif mode == "quoted":
                    while before in {" ", "\t"} and place + 1 < len(text):
                        before, place, overflow = char, place + 1, True
                        char = text[place]
                    cut = place - 2 if place > escape_end + 1 else escape_start - 1
                    if cut in escaped:
                        return text, overflow
                    folds.append(cut)
                    escaped.add(cut)
                    end, split = cut + step, None
                else:
                    overflow = True
        before = char
    if not folds:
        return text, overflow
    out = text[: folds[0]]
    for index, fold in enumerate(folds):
        until = folds[index + 1] if index + 1 < len(folds) else len(text)
        if fold == 0:
            out = f"\n{indent}{text[:until]}"
            continue
        if mode == "quoted" and fold in escaped:
            out += f"{text[fold]}\\"
        out += f"\n{indent}{text[fold + 1 : until]}"
    return out, overflow


def _past_indented(text: str, place: int, indent: int) -> int:
    """Past the lines that are indented further than the block: these are never folded."""
    end, start = place, place + 1
    while text[start : start + 1] in {" ", "\t"}:
        if place < start + indent:
            place += 1
            if text[place : place + 1] not in {" ", "\t"}:
                break
            continue
        place = text.find("\n", place + 1)
        place = len(text) if place < 0 else place
        end, start = place, place + 1
    return end


# ── characters as JavaScript counts them ─────────────────────────────────────────────────────────────────────────────


def _units(text: str) -> str:
    """*text* with each character beyond U+FFFF as two: lengths are then what they are there."""
    if text.isascii() or all(ord(char) < 0x10000 for char in text):
        return text
    raw = text.encode("utf-16-le", "surrogatepass")
    return "".join(map(chr, memoryview(raw).cast("H"))) if raw else text


def _joined(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
