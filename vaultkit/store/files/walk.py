"""The listing of a vault: every visible file, what was left out, and why."""

# Names stay plain strings, as the system gave them: Path costs time and tidies them up.
# ruff: noqa: PTH110, PTH112, PTH114

from __future__ import annotations

import errno
import os
import re
import stat
import sys
import unicodedata
from operator import itemgetter
from typing import TYPE_CHECKING

from vaultkit.errors import ConfigError
from vaultkit.store.files.runs import TEMPORARY
from vaultkit.store.vault import Entry, Skip, Walk
from vaultkit.text.edit import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


SETTINGS = ".obsidian"


def walk(root: str, ignored: Callable[[str], object] | None) -> tuple[Walk, dict[str, str]]:
    """The files below *root*, and the disk names of those whose paths differ from them. Dot-names are invisible, symlinks not followed."""
    entries: list[Entry] = []
    skipped: list[Skip] = []
    odd: list[tuple[str, str, os.stat_result]] = []
    stubs: list[str] = []
    stack = [(f"{root}/", "")]
    add, new = entries.append, tuple.__new__
    while stack:
        folder, prefix = stack.pop()
        is_plain = folder.endswith(f"/{prefix}")
        try:
            # by descriptor, so that each stat below looks up one name only, and no symlink slips in meanwhile
            fd = os.open(folder[:-1] or "/", os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        except OSError as error:
            if not prefix:
                raise
            if error.errno != errno.ENOENT:  # else it was removed while we walked
                skipped.append(Skip(prefix, f"folder cannot be read: {os.strerror(error.errno or 0)}"))
            continue
        try:
            for item in os.scandir(fd):
                name = item.name
                if name[0] == ".":
                    if name.endswith(".icloud") and len(name) > len("..icloud"):
                        stubs.append(prefix + unicodedata.normalize("NFC", name[1 : -len(".icloud")]))
                    elif name.startswith(TEMPORARY):  # perhaps of a run that is under way; if not, its record is lost
                        skipped.append(Skip(prefix + name, "temporary file of an interrupted run"))
                    elif name == SETTINGS and not prefix and item.is_symlink() and _leads_out(root, folder + name):
                        skipped.append(Skip(SETTINGS, f"{_why_no_file(root, folder + name)}: Obsidian's settings are not read"))
                    continue
                try:
                    if name.isascii():
                        path, plain = prefix + name, is_plain
                    else:
                        name.encode()
                        composed = unicodedata.normalize("NFC", name)
                        path, plain = prefix + composed, is_plain and composed == name
                    if item.is_dir(follow_symlinks=False):
                        if ignored is None or not ignored(f"{path}/"):
                            stack.append((f"{folder}{name}/", f"{path}/"))
                    elif ignored is not None and ignored(path):
                        continue
                    else:
                        found = item.stat(follow_symlinks=False)
                        if found.st_mode & _TYPE != _REGULAR:
                            skipped.append(Skip(path, _why_no_file(root, folder + name)))
                        elif _MAC and found.st_size and not found.st_blocks:
                            skipped.append(Skip(path, "in iCloud, not downloaded"))
                        elif plain:
                            add(new(Entry, (path, found.st_mtime_ns, found.st_size)))  # half the time of Entry(…)
                        else:
                            odd.append((path, f"{folder}{name}"[len(root) + 1 :], found))
                except UnicodeEncodeError:
                    skipped.append(Skip(printable(prefix + name), "name is not valid UTF-8"))
                except FileNotFoundError:  # gone while we walked
                    continue
                except OSError as error:
                    skipped.append(Skip(path, f"cannot be looked at: {os.strerror(error.errno or 0)}"))
        finally:
            os.close(fd)
    names: dict[str, str] = {}
    if odd or stubs:
        taken = {entry.path for entry in entries}
        for path, file, found in sorted(odd, key=lambda item: item[1]):
            if path in taken:
                skipped.append(Skip(path, "two files whose names differ in Unicode form only; the other one is used"))
                continue
            taken.add(path)
            names[path] = file
            entries.append(Entry(path, found.st_mtime_ns, found.st_size))
        skipped += [Skip(path, "in iCloud, not downloaded") for path in stubs if path not in taken]
    entries.sort(key=itemgetter(0))
    skipped.sort()
    return Walk(entries, skipped), names


def ignorer(globs: Sequence[str]) -> Callable[[str], object] | None:
    """A test for the vault paths that *globs* leave out (folders end in `/`), as in a `.gitignore` without negation.

    `*` and `?` stay within a name, `**` crosses folders, `[…]` is a set; a slash inside or in front ties the pattern to the root, a slash
    behind means folders only.
    """
    patterns = [_translate(unicodedata.normalize("NFC", glob)) for glob in globs if glob.strip() and not glob.startswith("#")]
    return re.compile("|".join(patterns)).fullmatch if patterns else None


_TYPE, _REGULAR = 0o170000, stat.S_IFREG
_MAC = sys.platform == "darwin"  # elsewhere small files without blocks are ordinary (inline data)
_TOKEN = re.compile(r"/\*\*/|\*\*/|/\*\*|\*\*|\*|\?|\[!?\]?[^\]/]*\]|.", re.DOTALL)


def _leads_out(root: str, path: str) -> bool:
    return not os.path.realpath(path).startswith(f"{root}/")


def _why_no_file(root: str, file: str) -> str:
    if not os.path.islink(file):
        return "not a regular file"
    target = os.path.realpath(file)
    if not os.path.exists(target):
        return "symlink that leads nowhere"
    if target == root:
        return "symlink to the vault itself, not followed"
    kind = "folder" if os.path.isdir(target) else "file"
    return f"symlink to a {kind} {'outside' if _leads_out(root, target) else 'inside'} the vault, not followed"


def _translate(glob: str) -> str:
    """A regular expression for one glob, over whole paths whose folders end in `/`."""
    if glob.startswith("!"):
        raise ConfigError(f"ignore glob {glob!r}: negation is not supported", hint="leave it out, and make the other globs narrower")
    body = glob.strip().rstrip("/")
    tied = "/" in body
    body = body.lstrip("/")
    if not body or any(part in {".", ".."} for part in body.split("/")):
        raise ConfigError(f"ignore glob {glob!r} names no place in the vault", hint="write e.g. archive/ or *.tmp")
    try:
        expression = _TOKEN.sub(_piece, body)
        re.compile(expression)
    except re.error as error:
        raise ConfigError(f"ignore glob {glob!r} cannot be read: {error}", hint="write e.g. archive/ or *.tmp") from error
    return f"(?s:{'' if tied else '(?:.*/)?'}{expression}{'/' if glob.rstrip().endswith('/') else '/?'})"


def _piece(match: re.Match[str]) -> str:
    token = match[0]
    if len(token) > 1 and token[0] == "[":
        inner = token[1:-1].replace("\\", r"\\")
        return f"(?!/)[{'^' + inner[1:] if inner.startswith('!') else inner}]"
    return _WILDCARDS.get(token) or re.escape(token)


_WILDCARDS = {"/**/": "/(?:.*/)?", "**/": "(?:.*/)?", "/**": "/.+", "**": ".*", "*": "[^/]*", "?": "[^/]"}
