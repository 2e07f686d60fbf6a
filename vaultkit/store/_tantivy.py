"""What both indexes do with tantivy alike: paths that it can store, a writer that waits for another's, its errors in our words."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Final

from vaultkit.errors import IndexUnavailableError, VaultBusyError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import tantivy

META: Final = "meta.json"
MARKER: Final = "vaultkit.json"


def patience(seconds: float, what: str) -> Iterator[None]:
    """Tries for a lock; raises VaultBusyError when there have been enough."""
    end = time.monotonic() + seconds
    while True:
        yield
        if time.monotonic() >= end:
            raise VaultBusyError(f"another vaultkit process is writing the {what}", hint="wait for it to end, then retry")
        time.sleep(0.01)


def writer(index: tantivy.Index, *, heap: int, wait: float, what: str) -> tantivy.IndexWriter:
    """A writer, once no other process has one."""
    for _ in patience(wait, what):
        try:
            return index.writer(heap_size=heap, num_threads=1)
        except ValueError as error:
            if "LockBusy" not in str(error):
                raise
    raise AssertionError  # `patience` does not end


def is_tantivys(error: BaseException) -> bool:
    """Whether tantivy raises such an error. A panic of the Rust side arrives as a BaseException of its own."""
    return isinstance(error, (ValueError, OSError, RuntimeError)) or type(error).__name__ == "PanicException"


def no_place(error: BaseException) -> bool:
    """Is the folder at fault (rights, room), and not what stands in it?"""
    return isinstance(error, PermissionError) or _NO_PLACE.search(str(error)) is not None


_NO_PLACE: Final = re.compile(r"[Pp]ermission ?[Dd]enied|Read-?only ?file|ReadOnly|No space left")


def cannot_stand(what: str, folder: Path, error: BaseException) -> IndexUnavailableError:
    """No index can be there."""
    return IndexUnavailableError(
        f"the {what} cannot be opened at {folder}: {error}",
        hint="make that folder writable (tantivy locks it even to read), or choose another cache folder",
    )


# Tantivy takes no lone surrogate, which is how a path holds bytes that are not UTF-8; planes 15-16 hold nobody's letters.
_SURROGATES: Final[dict[int, int]] = {0xDC80 + byte: 0x10FF00 + byte for byte in range(0x80)}
_RESTORED: Final[dict[int, int]] = {stored: surrogate for surrogate, stored in _SURROGATES.items()}


def storable(path: str) -> str:
    """A path as tantivy can hold it."""
    return path if path.isascii() else path.translate(_SURROGATES).encode("utf-8", "replace").decode()


def restored(path: str) -> str:
    """The reverse of `storable`."""
    return path if path.isascii() else path.translate(_RESTORED)
