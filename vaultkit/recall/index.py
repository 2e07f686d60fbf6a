"""What recall keeps of a note: a few hundred bytes, from which it can be scored exactly without being read. Pure.

    names      title, aliases, tags, headings: their search tokens, and apart from these their runs of unspaced scripts
    latin      all its tokens as 32-bit numbers: 29 bits of a hash, then how often it stands in the body (0 to 4)
    unspaced   the body's runs of Japanese, Chinese, Korean …, folded and compressed: there a word is looked up as a stretch of text

A hash takes four bytes where a word takes seven; stop words are left out. Two words of one hash would need a vault of hundreds of
millions of them to matter.
"""

from __future__ import annotations

import marshal
import re
import zlib
from array import array
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from vaultkit.recall.words import folded, unspaced_run
from vaultkit.text._english import STOP_WORDS
from vaultkit.text.tokens import index_tokens, normalise, short_spellings, word_counts
from vaultkit.text.values import strings

if TYPE_CHECKING:
    from vaultkit.text.note import Note

VERSION: Final = 2  # whoever stores records drops those of another version
BODY_REPEATS: Final = 4  # a word counts at most so often in a body


class Row(NamedTuple):
    """A note as recall knows it. *names* and the fields behind it are for `rank` alone."""

    path: str
    title: str
    description: str
    type: str
    status: str
    scope: str
    tags: tuple[str, ...]
    aliases: tuple[str, ...]
    private: bool  # `recall: never`, `private: true`
    superseded: bool  # it names its successor
    contents: str  # its headings: what the digest shows in the place of a missing description
    length: int  # words of its body
    names: tuple[str, str, str, str]  # tokens of title, aliases, tags, headings, each between spaces
    unspaced_names: str  # the folded unspaced runs of the same four, each ended by FIELD
    latin: bytes
    unspaced: bytes

    def pack(self) -> bytes:
        """Bytes for the cache, which keeps them by path."""
        return marshal.dumps(tuple(self)[1:])

    @classmethod
    def unpack(cls, path: str, data: bytes) -> Row:
        """The reverse of `pack`."""
        return cls(path, *marshal.loads(data))  # noqa: S302 - our own cache

    def hashes(self) -> array[int]:
        """Its Latin tokens: each number is a hash and, in its lowest bits, how often the token stands in the body."""
        found = array("I")
        found.frombytes(self.latin)
        return found

    def runs(self) -> str:
        """The unspaced runs of the body, separated by line ends."""
        return zlib.decompress(self.unspaced).decode() if self.unspaced else ""


def record_of(note: Note, text: str, *, type: str, status: str, scope: str, words: Mapping[str, int] | None = None) -> bytes:  # noqa: A002 - the property's name
    """The record of a note, for the cache. *text* is the whole file, *words* the counted tokens of its body if they are known already."""
    return row_of(note, text, type=type, status=status, scope=scope, words=words).pack()


def row_of(note: Note, text: str, *, type: str, status: str, scope: str, words: Mapping[str, int] | None = None) -> Row:  # noqa: A002
    """The same, not yet packed."""
    title = note.title if note.title == note.name else f"{note.title} {note.name}"
    headings = [heading.text for heading in note.headings if heading.text and heading.text != note.title]
    fields = (title, " \n ".join(note.aliases), " ".join(note.tags), " \n ".join(headings))
    title_tokens, alias_tokens, tag_tokens, heading_tokens = map(_spaced, fields)
    names = (title_tokens, alias_tokens, tag_tokens, heading_tokens)
    body = text[note.body :]
    latin, length = _latin(word_counts(body) if words is None else words, names)
    runs = "\n".join(unspaced_runs(body))
    return Row(
        note.path,
        note.title,
        note.description,
        type,
        status,
        scope,
        note.tags,
        note.aliases,
        is_private(note) or _unreadable_no(note, text),
        is_superseded(note),
        " · ".join(headings[:_SHOWN_HEADINGS])[:_SHOWN_LENGTH],
        length + len(runs) // 2,
        names,
        "".join("\n".join(unspaced_runs(field)) + FIELD for field in fields),
        latin,
        zlib.compress(runs.encode("utf-8", "replace")) if runs else b"",
    )


def is_private(note: Note) -> bool:
    """Does the note say that no digest may hold it? In properties or as an inline field; what is unclear counts as a yes."""
    return any(_forbids(name, value) for name, value in _said(note))


def is_superseded(note: Note) -> bool:
    """Does the note name what stands in its place?"""
    return bool(successor_of(note)) or any(
        name.casefold() == "status" and str(value).casefold() in _SUPERSEDED for name, value in _said(note)
    )


def successor_of(note: Note) -> str:
    """The target of the link (or the bare name) by which a note says what stands in its place, "" when it does not."""
    for name, value in _said(note):
        if name.casefold().replace("-", "_").replace(" ", "_") in _SUCCESSOR and (
            said := _unquoted(value) or next(iter(strings(value)), "")
        ):
            link = _LINK.search(said)
            return (link[1] if link else said).strip()
    return ""


def _unquoted(value: Any) -> str:
    """`[[new]]` without quotation marks, which YAML reads as a list in a list, in a list of such or by itself; "" for anything else."""
    for _ in range(_NESTED):
        if not isinstance(value, list) or not value or not isinstance(value[0], list):
            break
        value = value[0]
        if value and not any(isinstance(item, (list, dict)) for item in value):
            return f"[[{', '.join(_words(list(value)))}]]"  # a comma in the name made two of it
    return ""


_NESTED: Final = 4
_SHOWN_HEADINGS: Final = 6
_SHOWN_LENGTH: Final = 200
_SUCCESSOR: Final = ("superseded_by", "replaced_by", "successor")
_LINK: Final = re.compile(r"\[\[([^\]|#]+)")
_SUPERSEDED: Final = frozenset({"superseded", "replaced", "obsolete", "deprecated"})
_NO: Final = frozenset({"", "false", "no", "off", "0", "none", "null", "never"})
_NEVER: Final = frozenset({"never", "false", "no", "off", "0", "none"})


def _said(note: Note) -> Iterator[tuple[str, Any]]:
    yield from note.properties.items()
    for field in note.fields:
        yield field.key, field.value


def _forbids(name: str, value: Any) -> bool:
    match name.casefold():
        case "private":
            words = {word.casefold().strip() for word in _words(value)}
            return bool(words - _NO)
        case "recall":
            return any(word.casefold().strip() in _NEVER for word in _words(value))
        case _:
            return False


_PRIVATE_LINE: Final = re.compile(
    r"^[ \t\"']*(?:private[\"']?[ \t]*:[ \t]*[\"']?(?!(?:false|no|off|0|null|never)\b)\w|recall[\"']?[ \t]*:[ \t]*[\"']?(?:never|false|no|off|0|none)\b)",
    re.IGNORECASE | re.MULTILINE,
)


def _unreadable_no(note: Note, text: str) -> bool:
    """Does a block that YAML cannot read, or that nothing closes, have a line that says so? One slip elsewhere must not open a note."""
    if note.properties or not text.startswith(("---", "\ufeff---")):
        return False
    return _PRIVATE_LINE.search(text[: note.body or _UNCLOSED]) is not None


_UNCLOSED: Final = 2000  # characters that are taken for the block


def _words(value: Any) -> list[str]:
    return [str(value)] if isinstance(value, (bool, int, float)) else strings(value)


def _spaced(text: str) -> str:
    tokens = dict.fromkeys(index_tokens(text))
    return f" {' '.join(tokens)} " if tokens else ""


def unspaced_runs(text: str) -> Iterator[str]:
    """The runs of unspaced scripts in *text*, folded as the search index folds them."""
    if text.isascii():
        return
    for run in unspaced_run().findall(normalise(text)):
        yield folded(run) if "ー" in run or "ヴ" in run else run
        if len(run) > 2:
            yield from (spelling for _, spelling in short_spellings(run))


def _latin(words: Mapping[str, int], names: Iterable[str]) -> tuple[bytes, int]:
    """The numbers of `Row.latin`, and how many words of them stand in the body."""
    numbers = list(map(_NUMBERS.__getitem__, words))
    counts = words.values()
    # 0 is what only weighs: stop words, and what is looked up as text.
    found = array("I", [number | (min(BODY_REPEATS, times)) for number, times in zip(numbers, counts, strict=True) if number])
    found.extend({number for name in names for token in name.split() if (number := _NUMBERS[token])}.difference(numbers))
    return found.tobytes(), sum(times for number, times in zip(numbers, counts, strict=True) if number)


FIELD: Final = "\x1f"
HASH: Final = 0xFFFFFFF8  # of a number of `latin`: the rest is how often


class _Numbers(dict[str, int]):
    """A token → its hash; 0 for stop words and for what is looked up as text."""

    def __missing__(self, token: str) -> int:
        if len(self) >= _REMEMBERED:
            self.clear()
        spaced = token.isascii() or not unspaced_run().search(token)
        number = zlib.crc32(token.encode("utf-8", "replace")) & HASH if spaced and token not in _STOPS else 0
        self[token] = number
        return number


_REMEMBERED: Final = 200_000  # tokens: some MB
_STOPS: Final = frozenset({*STOP_WORDS, *(token for word in STOP_WORDS for token in index_tokens(word))})
_NUMBERS: Final = _Numbers()


def number_of(token: str) -> int:
    """The hash by which a body's token is found."""
    return _NUMBERS[token]
