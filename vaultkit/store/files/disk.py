"""Everything that changes a disk, one function a system call, and the reads beside them.

`_step` is called before each change with its name and the file: tests make it fail or kill there, so that no moment goes untested.
"""

# Names stay plain strings, as the system gave them: Path costs time and tidies them up.
# ruff: noqa: PTH102, PTH105, PTH106, PTH108, PTH119, PTH120, PTH208

from __future__ import annotations

import errno
import hashlib
import os
import stat
from typing import NamedTuple

from vaultkit.errors import VaultkitError

CHUNK = 1 << 20


class DiskError(VaultkitError):
    """The disk does not let us: full, read-only, no permission, or broken."""

    code = "disk"


class Seen(NamedTuple):
    """What tells that a file is still the one that was looked at."""

    inode: int
    mtime_ns: int
    size: int


def explain(error: OSError, shown: str, outcome: str = "") -> DiskError:
    """A foreign error as ours: *shown* is the file as the user knows it, *outcome* what became of the request."""
    what, hint = _REASONS.get(error.errno or 0, (os.strerror(error.errno) if error.errno else str(error), "see the system's message"))
    return DiskError(f"{shown}: {what}{outcome}", hint=hint)


def explain_state(error: OSError, folder: str, outcome: str = "") -> DiskError:
    """The same for the state folder, which is a matter of settings."""
    told = explain(error, f"the state folder {folder}", outcome)
    return told if error.errno in _ROOM else DiskError(told.message, hint="make that folder writable, or set XDG_STATE_HOME to one that is")


def read_file(path: str) -> bytes:
    """All bytes of a regular file. A symlink as last component, a folder, a pipe or a device is an OSError."""
    fd, found = _open_regular(path)
    try:
        data = os.read(fd, found.st_size + 1)
        if len(data) == found.st_size:  # the usual case: one read, and the end is known
            return data
        parts = [data]
        while data:
            data = os.read(fd, CHUNK)
            parts.append(data)
        return b"".join(parts)
    finally:
        os.close(fd)


def hash_file(path: str) -> tuple[str, Seen]:
    """The hash of a regular file of any size, and what it looked like before it was read."""
    fd, found = _open_regular(path)
    try:
        digest = hashlib.sha256()
        while data := os.read(fd, CHUNK):
            digest.update(data)
        return digest.hexdigest(), _seen(found)
    finally:
        os.close(fd)


def status(path: str) -> os.stat_result | None:
    """What stands at *path* itself (no symlink is followed); None when nothing does, or nothing can."""
    try:
        return os.lstat(path)
    except OSError as error:
        if error.errno in _NOTHING_THERE:
            return None
        raise
    except ValueError:  # a NUL, or a lone surrogate that no file name holds
        return None


def seen(path: str) -> Seen | None:
    """The present look of the file at *path*."""
    found = status(path)
    return _seen(found) if found else None


def is_listed(path: str) -> bool:
    """Whether the folder lists exactly this name: asking for the file itself answers for any case on some systems."""
    return os.path.basename(path) in os.listdir(os.path.dirname(path))


def same_file(one: str, other: str) -> bool:
    """Whether two names lead to one file."""
    first, second = status(one), status(other)
    return bool(first and second and os.path.samestat(first, second))


def write_new(path: str, data: bytes, *, mode: int | None = None, like: os.stat_result | None = None) -> None:
    """A new file with *data*, on the disk for good; *like* gives mode and, as far as we may, owner. A failed one is left to the caller."""
    _step("create", path)
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666 if mode is None else mode)
    try:
        _step("write", path)
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(fd, rest) :]
        if like is not None:
            _resemble(fd, like)
        elif mode is not None:
            os.fchmod(fd, mode)
        _step("fsync", path)
        os.fsync(fd)
    finally:
        os.close(fd)


def land(temp: str, path: str) -> None:
    """*temp* gets the name *path*, never over a file that stands there (FileExistsError)."""
    _step("land", path)
    try:
        os.link(temp, path, follow_symlinks=False)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        # exFAT and some network disks: an empty file of our own holds the name until the rename
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC))
        _step("replace", path)
        os.replace(temp, path)
        return
    remove(temp)


def keep(path: str, backup: str) -> bool:
    """A second name for the file at *path*, so that its very bytes can come back without needing room; False where disks lack this."""
    _step("keep", backup)
    try:
        os.link(path, backup, follow_symlinks=False)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        return False
    return True


def replace(temp: str, path: str) -> None:
    """*temp* takes the place of whatever stands at *path*."""
    _step("replace", path)
    os.replace(temp, path)


def remove(path: str) -> None:
    """Take a name away, if it is there."""
    if status(path) is None:  # a read-only disk complains even then
        return
    _step("remove", path)
    try:
        os.unlink(path)
    except FileNotFoundError:
        return


def make_folder(path: str) -> None:
    """A folder; one that appeared meanwhile will do."""
    _step("mkdir", path)
    try:
        os.mkdir(path)
    except FileExistsError:
        if not stat.S_ISDIR(os.lstat(path).st_mode):
            raise


def remove_folder(path: str) -> None:
    """Take a folder away if it is empty."""
    if status(path) is None:
        return
    _step("rmdir", path)
    try:
        os.rmdir(path)
    except OSError as error:
        if error.errno not in _NOTHING_THERE and error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
            raise


def sync_folder(path: str) -> None:
    """Names that were made or changed in *path* are on the disk for good."""
    _step("fsync folder", path)
    fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # some network disks know no such thing
            raise
    finally:
        os.close(fd)


def _step(name: str, path: str) -> None:
    """The seam for tests; does nothing."""


_NOTHING_THERE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.ELOOP})
_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_NO_LINKS = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK})
_FULL = ("the disk is full", "make room, then retry")
_DENIED = ("permission denied", "check who owns the file and its folder, then retry")
_REASONS = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: ("the disk quota is used up", "make room, then retry"),
    errno.EFBIG: ("the file is larger than the system allows here", "split it, or raise the limit"),
    errno.EACCES: _DENIED,
    errno.EPERM: _DENIED,
    errno.EROFS: ("the disk is read-only", "mount it writable, then retry"),
    errno.EXDEV: ("source and target are on different disks", "move it by hand"),
    errno.ELOOP: ("it is a symlink", "give the path of the file itself"),
    errno.ENAMETOOLONG: ("a name on its path is longer than the system allows", "use a shorter name"),
    errno.ENOTDIR: ("a file stands where a folder should be", "move that file away, or choose another place"),
    errno.EEXIST: ("a file stands where a folder should be", "move that file away, or choose another place"),
}


def _open_regular(path: str) -> tuple[int, os.stat_result]:
    """An open regular file and its status; a pipe that nobody writes to must not hold us up."""
    fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    found = os.fstat(fd)
    if not stat.S_ISREG(found.st_mode):
        os.close(fd)
        raise OSError(errno.ENOENT, "not a regular file", path)
    return fd, found


def _seen(found: os.stat_result) -> Seen:
    return Seen(found.st_ino, found.st_mtime_ns, found.st_size)


def _resemble(fd: int, like: os.stat_result) -> None:
    """Give an open new file the owner and mode of the one it will replace; the owner first, because chown clears mode bits."""
    mine = os.fstat(fd)
    if (mine.st_uid, mine.st_gid) != (like.st_uid, like.st_gid):
        try:
            os.fchown(fd, like.st_uid, like.st_gid)
        except PermissionError:  # only root gives files away; the bytes matter more
            return os.fchmod(fd, stat.S_IMODE(like.st_mode) & ~(stat.S_ISUID | stat.S_ISGID))
    return os.fchmod(fd, stat.S_IMODE(like.st_mode))
