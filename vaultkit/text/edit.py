"""What a feature that writes returns: a list of edits. Only a vault store applies them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

# A path is vault-relative, NFC as listed on disk, `/`-separated, with its extension.
# `expected` is the sha256 hex of the bytes the edit was computed from; the store refuses the whole batch when they differ.


@dataclass(frozen=True, slots=True)
class Create:
    """A new file; refused when anything already stands at *path* (also in another case or Unicode form)."""

    path: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Rewrite:
    """New bytes for an existing file."""

    path: str
    data: bytes
    expected: str


@dataclass(frozen=True, slots=True)
class Move:
    """A file gets another path and, when *data* is given, new bytes with it (its own relative links)."""

    path: str
    to: str
    expected: str
    data: bytes | None = None


@dataclass(frozen=True, slots=True)
class Trash:
    """A file goes to the vault's `.trash/` folder; nothing is ever deleted."""

    path: str
    expected: str


Edit = Create | Rewrite | Move | Trash


def hash_of(data: bytes) -> str:
    """The `hash` of the command line and REST: sha256 hex of a file's bytes."""
    return hashlib.sha256(data).hexdigest()


def to_text(data: bytes) -> str:
    """A note's bytes as text. Undecodable bytes become lone surrogates, so `to_bytes` gives the same bytes back."""
    return data.decode("utf-8", "surrogateescape")


def to_bytes(text: str) -> bytes:
    """The reverse of `to_text`; any other lone surrogate becomes U+FFFD."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        kept = (c if not 0xD800 <= ord(c) <= 0xDFFF or 0xDC80 <= ord(c) <= 0xDCFF else "\ufffd" for c in text)
        return "".join(kept).encode("utf-8", "surrogateescape")


def printable(text: str) -> str:
    """Text that can leave the process: lone surrogates become U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def touched(edits: Iterable[Edit]) -> list[str]:
    """Every path that the edits read or write, in order, once each."""
    paths: dict[str, None] = {}
    for edit in edits:
        paths[edit.path] = None
        if isinstance(edit, Move):
            paths[edit.to] = None
    return list(paths)
