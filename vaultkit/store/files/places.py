"""Where vault paths lie on the disk: containment, Unicode forms, and which places are taken.

A vault path is NFC; the file may be named in another form, so each is looked up. Nothing is reached through a symlink that leads out.
"""

# Names stay plain strings, as the system gave them: Path costs time and tidies them up.
# ruff: noqa: PTH119, PTH120, PTH208

from __future__ import annotations

import os
import stat
import unicodedata
from typing import NamedTuple

from vaultkit.errors import ConflictError, NoteExistsError, OutsideVaultError, RefusedError
from vaultkit.store.files import disk
from vaultkit.store.files.runs import TEMPORARY
from vaultkit.text.names import check_name


class Found(NamedTuple):
    """A file or folder that is there: relative name as on disk, and its status."""

    file: str
    status: os.stat_result


class Landing(NamedTuple):
    """A place where a file can be put: relative name, and the folders to be made before, outermost first."""

    file: str
    folders: tuple[str, ...]


class Places:
    """The disk names of one vault's paths. *odd* maps the paths whose names on disk are not NFC (`walk` finds them; a hint only)."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.odd: dict[str, str] = {}

    def full(self, file: str) -> str:
        """The absolute name of a relative one."""
        return f"{self.root}/{file}"

    def find(self, path: str) -> Found | None:
        """What stands at *path*, in whatever Unicode form; symlinks are followed as long as they stay among the visible files."""
        parts = visible_parts(path)
        file, found = path, self._trace(path)
        if found is None:
            file = self._other_form(path, parts)
            found = self._trace(file) if file else None
        if found is None:
            return None
        if not stat.S_ISLNK(found.st_mode):
            return Found(file, found)
        real = os.path.realpath(self.full(file))
        inside = real[len(self.root) + 1 :] if real.startswith(f"{self.root}/") else ""
        if not inside or any(part.startswith(".") for part in inside.split("/")):
            raise OutsideVaultError(path)
        found = disk.status(real)
        return Found(inside, found) if found else None

    def source(self, path: str) -> str | None:
        """The disk name of the regular file at *path* that an edit may change or move; never one behind a symlink."""
        found = self.find(path)
        if found is None or not stat.S_ISREG(found.status.st_mode):
            return None
        if unicodedata.normalize("NFC", found.file) != unicodedata.normalize("NFC", path):
            raise RefusedError(f"{path} is reached through a symlink", hint=f"edit {found.file} itself")
        return found.file

    def landing(self, path: str, *, leaving: str = "", restored: bool = False) -> Landing:
        """Where a new file *path* would lie. Refused when anything stands there in any case or Unicode form, an iCloud stub included.

        *leaving* is the disk name of the file that moves there, which may differ in case only. Names must be safe, unless *restored* says that
        the place is one where vaultkit puts back (or into the trash) what a person named.
        """
        parts = path.split("/") if restored else visible_parts(path)
        here, folders = "", list[str]()
        for count, part in enumerate(parts[:-1], 1):
            name = "" if folders else self._folder_name(here, part, path)
            if not name and not restored:
                check_name(part)
            here = f"{here}/{name or part}" if here else name or part
            if not name:
                folders.append(here)
            elif self._is_no_folder(here, "/".join(parts[:count])):
                raise ConflictError(f"{'/'.join(parts[:count])} is a file, so {path} cannot be put there", hint="choose another folder")
        name = parts[-1]
        if not restored and name != os.path.basename(unicodedata.normalize("NFC", leaving)):  # a moved note keeps the odd name that it has
            check_name(name)
        if not folders:
            self._check_free(here, name, path, leaving)
        return Landing(f"{here}/{name}" if here else name, tuple(folders))

    def is_taken(self, path: str) -> bool:
        """Whether something keeps a new file from being made at *path*."""
        visible_parts(path)
        try:
            self.landing(path, restored=True)
        except ConflictError:
            return True
        return False

    def shown(self, error: OSError, default: str) -> str:
        """What *error* is about, as the user knows it: the names of temporary files mean nothing to anyone."""
        name = error.filename if isinstance(error.filename, str) else ""
        if not name.startswith(f"{self.root}/"):
            return "the state folder" if name else default
        file = name[len(self.root) + 1 :]
        folder, _, last = file.rpartition("/")
        return (folder or "the vault's folder") if last.startswith(TEMPORARY) else file

    def crosses_link(self, file: str) -> bool:
        """Whether any component of the disk name *file* is a symlink; missing ones are none."""
        found = self._trace(file)
        return found is not None and stat.S_ISLNK(found.st_mode)

    def _trace(self, file: str) -> os.stat_result | None:
        """The status of *file*, or of the first symlink on the way to it."""
        here, found = self.root, None
        for part in file.split("/"):
            here = f"{here}/{part}"
            found = disk.status(here)
            if found is None or stat.S_ISLNK(found.st_mode):
                break
        return found

    def _other_form(self, path: str, parts: list[str]) -> str:
        """The disk name of *path* that is not *path* itself: as the last walk saw it, or found by reading the folders."""
        whole = "/".join(parts)
        for candidate in (whole, self.odd.get(whole, "")):
            if candidate and candidate != path and disk.status(self.full(candidate)):
                return candidate
        return self._search("", parts) or ""

    def _search(self, here: str, parts: list[str]) -> str | None:
        """The file below *here* whose components have *parts* as their NFC forms; two folders may, so each is tried."""
        if not parts:
            return here
        for name in self._names(here):
            if name == parts[0] or (not name.isascii() and unicodedata.normalize("NFC", name) == parts[0]):
                found = self._search(f"{here}/{name}" if here else name, parts[1:])
                if found is not None:
                    return found
        return None

    def _folder_name(self, here: str, part: str, path: str) -> str:
        """The name of folder *part* in *here* as on disk; empty when it has to be made, refused when one differs in case only."""
        if disk.status(self.full(f"{here}/{part}" if here else part)):
            return part
        key, twin = fold(part), ""
        for name in self._names(here):
            if unicodedata.normalize("NFC", name) == part:
                return name
            if fold(name) == key:
                twin = name
        if twin:
            there = f"{here}/{twin}" if here else twin
            raise ConflictError(f"{path} would put a folder beside {there} that differs in case only", hint=f"use {there}/")
        return ""

    def _is_no_folder(self, here: str, shown: str) -> bool:
        """True for a file in a folder's place; a symlink is refused."""
        found = disk.status(self.full(here))
        if found is None or stat.S_ISDIR(found.st_mode):
            return False
        if not stat.S_ISLNK(found.st_mode):
            return True
        real = os.path.realpath(self.full(here))
        if not real.startswith(f"{self.root}/"):
            raise OutsideVaultError(shown)
        raise RefusedError(f"{shown} is a symlink", hint=f"write to {os.path.relpath(real, self.root)} itself")

    def _check_free(self, here: str, name: str, path: str, leaving: str) -> None:
        key = fold(name)
        stub = fold(f".{name}.icloud")
        own = os.path.basename(leaving) if os.path.dirname(leaving) == here else ""
        for other in self._names(here):
            folded = fold(other)
            if folded == key and other != own:
                raise NoteExistsError(unicodedata.normalize("NFC", f"{here}/{other}" if here else other))
            if folded == stub:
                raise NoteExistsError(path, hint="iCloud has it, not yet downloaded: open its folder in Finder to fetch it, then retry")

    def _names(self, here: str) -> list[str]:
        try:
            return os.listdir(self.full(here) if here else self.root)
        except (FileNotFoundError, NotADirectoryError):
            return []


def visible_parts(path: str) -> list[str]:
    """The NFC components of a path to a visible file. What is absolute, climbs, or enters a dot-folder is refused."""
    parts = unicodedata.normalize("NFC", path).split("/")
    if any(not part or part[0] == "." for part in parts) or "\0" in path:
        raise OutsideVaultError(path)
    return parts


def fold(name: str) -> str:
    """What two names have in common when some file system, or Obsidian, takes them for one."""
    if name.isascii():
        return name.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def differ_in_case(one: str, other: str) -> bool:
    """Whether two disk names are one name on some file system, though written differently."""
    return one != other and os.path.dirname(one) == os.path.dirname(other) and fold(os.path.basename(one)) == fold(os.path.basename(other))
