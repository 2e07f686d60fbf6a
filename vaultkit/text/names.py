"""File names: what may be created, how a title becomes one, and which names are a sync client's conflict copies. Pure.

Any name that is already in a vault is read; these rules are for names that vaultkit makes (facts §1, §12).
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from vaultkit.errors import UnsafeNameError

if TYPE_CHECKING:
    from collections.abc import Container

NAME_BYTES = 255  # what every file system in use holds, extension included
SLUG_BYTES = 200  # ours: room for a date in front and ` (Conflicted copy …)` behind


def check_name(path: str) -> None:
    """Raise UnsafeNameError unless every component of *path* is safe to create on all systems and to link to in Obsidian."""
    for part in path.split("/"):
        why = why_unsafe(part)
        if why:
            shown = part if part.isprintable() else ascii(part)
            raise UnsafeNameError(f"{shown} is no safe file name: it {why}", hint="choose a name of letters, digits, spaces and hyphens")


def why_unsafe(part: str) -> str:
    """What is wrong with one file or folder name, as the end of the sentence `it …`; empty when nothing is."""
    stem = part[:-3] if part[-3:].lower() == ".md" else part
    if not stem:
        return "is empty"
    if stem[0] == ".":
        return "begins with a dot, which hides it"
    if stem[0].isspace() or stem[-1].isspace():
        return "begins or ends with a space"
    if stem[-1] == ".":
        return "ends with a dot"
    bad = _REFUSED.search(part)
    if bad:
        return f"contains {ascii(bad[0])[1:-1]}"
    if all(unicodedata.category(c) in _INVISIBLE for c in stem):
        return "has nothing in it that can be seen"
    unprintable = next((c for c in part if unicodedata.category(c) in _UNPRINTABLE), "")
    if unprintable:
        return f"contains the character U+{ord(unprintable):04X}"
    if _RESERVED.match(part):
        return "is reserved on Windows"
    if len(part.encode()) > NAME_BYTES:
        return f"is longer than {NAME_BYTES} bytes"
    return ""


def slug(title: str, *, max_bytes: int = SLUG_BYTES) -> str:
    """*title* as a file name without extension: lower-case, hyphenated, every script kept; never empty, always safe.

    A caller that puts a date in front subtracts it (and `.md`) from *max_bytes*.
    """
    flat = unicodedata.normalize("NFKC", title).lower()
    kept: list[str] = []
    for char in unicodedata.normalize("NFC", flat):
        kind = unicodedata.category(char)
        if char in _APOSTROPHES:
            continue
        if kind[0] in "LN" or (kind in _MARKS and kept and kept[-1] != "-" and not _VARIATION.match(char)):
            kept.append(char)
        elif kind == "Cf" or kind[0] == "M":
            continue  # soft hyphens, joiners, emoji selectors: nothing a reader sees
        elif kept and kept[-1] != "-":
            kept.append("-")
    name = _cut(unicodedata.normalize("NFC", "".join(kept)).strip("-"), max_bytes)
    if not name:
        return "untitled"
    return f"{name}-note" if _RESERVED.match(name) else name


def conflict_copy_of(path: str, paths: Container[str] = ()) -> str | None:
    """The path whose conflict copy *path* is (Obsidian Sync, Syncthing, Dropbox, Nextcloud), else None.

    A dated or numbered mark is proof by itself, the original may be gone. An undated `(case conflict)` counts only beside its original in *paths*.
    """
    folder, stem, extension = _split(path)
    for pattern in _CONFLICT_COPIES:
        found = pattern.fullmatch(stem)
        if found:
            return f"{folder}{found['stem']}{extension}"
    loose = _LOOSE_CONFLICT.fullmatch(stem)
    original = f"{folder}{loose['stem']}{extension}" if loose else ""
    return original if original in paths and original else None


def maybe_copy_of(path: str, paths: Container[str]) -> str | None:
    """`X.md` for an `X 2.md` beside it: how iCloud names a conflict copy, and how people name sequels. A hint, never a verdict."""
    folder, stem, extension = _split(path)
    found = _NUMBERED.fullmatch(stem)
    original = f"{folder}{found['stem']}{extension}" if found else ""
    return original if original in paths and original else None


# `* " \ / < > : | ?` fail on some system, `# ^ [ ]` and `%%` inside links; bidirectional controls show another name than they are
_REFUSED = re.compile(r"""[*"\\/<>:|?#^\[\]\u202a-\u202e\u2066-\u2069\ufeff]|%%""")
_UNPRINTABLE = frozenset({"Cc", "Cs", "Zl", "Zp"})
_INVISIBLE = frozenset({"Cf", "Zs", "Mn", "Me"})
# Windows reserves these whatever follows the first dot
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)\s*(?:\.|$)", re.IGNORECASE)

_MARKS = frozenset({"Mn", "Mc"})
_VARIATION = re.compile("[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_APOSTROPHES = frozenset("'’ʼ")

_CONFLICT_COPIES = (
    re.compile(r"(?P<stem>.+?)\.sync-conflict-\d{8}-\d{6}(?:-[A-Z0-9]+)?"),
    # Obsidian Sync ends in YYYYMMDDHHMM, Dropbox and Nextcloud in a date
    re.compile(r"(?P<stem>.+?) \([^/]*\bconflicted copy\b[^/]*(?:\d{4}-\d\d-\d\d|\d{12})[^/]*\)", re.IGNORECASE),
)
# without a date only a sync client's own words count: `Syria (conflict).md` beside `Syria.md` is a note
_LOOSE_CONFLICT = re.compile(
    r"(?P<stem>.+?) \((?:[^/()]*\bconflicted copy|case conflict|selective sync conflict|unicode encoding conflict)(?: \d+)?\)",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"(?P<stem>.+) (?:[2-9]|[1-9]\d)")


def _split(path: str) -> tuple[str, str, str]:
    """The folder with its slash, the stem, the extension with its dot."""
    folder, slash, name = path.rpartition("/")
    stem, dot, extension = name.rpartition(".")
    return (folder + slash, stem, dot + extension) if stem else (folder + slash, name, "")


def _cut(name: str, size: int) -> str:
    """At most *size* bytes: at a hyphen when one stands in the second half, never between a letter and its marks."""
    raw = name.encode()
    if len(raw) <= size:
        return name
    end = len(raw[:size].decode(errors="ignore"))
    while end and unicodedata.category(name[end]) in _MARKS:
        end -= 1
    hyphen = name.rfind("-", end // 2, end + 1)
    return name[: hyphen if hyphen > 0 else end].strip("-")
