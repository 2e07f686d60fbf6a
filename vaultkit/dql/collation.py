"""The order of strings: Unicode's root collation, as `localeCompare` has it in English.

Three levels (letter, accent, case), each a string of ranks; two strings are equal when all three are. `sort_key` is remembered.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

Key = tuple[str, str, str]


@lru_cache(maxsize=50_000)
def sort_key(text: str) -> Key:
    """What *text* is ordered by: compare the keys."""
    levels = _levels()
    if not text.isascii():
        text = unicodedata.normalize("NFD", text)
    return text.translate(levels[0]), text.translate(levels[1]), text.translate(levels[2])


def compare(left: str, right: str) -> int:
    """Below 0, 0 or above 0, as `left.localeCompare(right)`."""
    if left == right:
        return 0
    one, two = sort_key(left), sort_key(right)
    return (one > two) - (one < two)


class _Level(dict[int, str]):
    """Code point → its ranks on one level; what the table does not hold is made up here."""

    def __init__(self, table: dict[int, str], level: int) -> None:
        super().__init__(table)
        self._level = level

    def __missing__(self, code: int) -> str:
        # Ideographs stand behind all letters, in the order of code points; the unified block and its old additions first.
        plain = unicodedata.normalize("NFKD", chr(code))
        if plain != chr(code):  # `㈠`: as what it stands for, behind it in the last level
            found = plain.translate(self) if self._level < 2 else chr(ord(_COMMON[2]) + 1) * len(plain)
        elif self._level:
            found = _COMMON[self._level]
        elif 0x4E00 <= code <= 0x9FFF or code in _CORE_HAN:
            found = chr(_CORE) + chr(code)
        elif 0x3400 <= code <= 0x4DBF or 0x20000 <= code <= 0x3FFFF:
            found = chr(_OTHER_HAN) + chr(code)
        else:  # scripts of many thousand signs (Tangut and the like) before them, what is not assigned at the end
            found = chr(_SIGNS if 0x17000 <= code <= 0x1B2FF else _REST) + chr(code)
        self[code] = found
        return found


_SIGNS: Final = 0x10FFFC
_CORE: Final = 0x10FFFD
_OTHER_HAN: Final = 0x10FFFE
_REST: Final = 0x10FFFF
_CORE_HAN: Final = frozenset({0xFA0E, 0xFA0F, 0xFA11, 0xFA13, 0xFA14, 0xFA1F, 0xFA21, 0xFA23, 0xFA24, 0xFA27, 0xFA28, 0xFA29})
_COMMON: list[str] = ["", "", ""]  # rank of "nothing special" on each level, filled when the table is read


@lru_cache(maxsize=1)
def _levels() -> tuple[_Level, _Level, _Level]:
    """The table of tools/collation.py, unpacked (once a process, 50 ms)."""
    import base64  # noqa: PLC0415 - only who sorts text pays for the table
    import lzma  # noqa: PLC0415
    from array import array  # noqa: PLC0415

    from vaultkit.dql import _collation_table as packed  # noqa: PLC0415

    numbers = array(
        "i",
        lzma.decompress(base64.b85decode(packed.PACKED), lzma.FORMAT_RAW, filters=[{"id": lzma.FILTER_LZMA2, "lc": 1, "lp": 2, "pb": 2}]),
    )
    columns: list[array[int]] = []
    for length in packed.LENGTHS:
        columns.append(numbers[:length])
        numbers = numbers[length:]
    gaps, counts, primaries, secondaries, tertiaries = columns
    tables: tuple[dict[int, str], dict[int, str], dict[int, str]] = ({}, {}, {})
    code, at, rank = -1, 0, 0
    for gap, count in zip(gaps, counts, strict=True):
        code += gap + 1
        end = at + count
        first = ""
        for step in primaries[at:end]:
            if step != _NO_RANK:
                rank += step
                first += chr(rank)
        tables[0][code] = first
        tables[1][code] = "".join(chr(weight) for weight in secondaries[at:end] if weight)
        tables[2][code] = "".join(chr(weight) for weight in tertiaries[at:end] if weight)
        at = end
    _COMMON[1], _COMMON[2] = tables[1][ord("a")], tables[2][ord("a")]
    return _Level(tables[0], 0), _Level(tables[1], 1), _Level(tables[2], 2)


_NO_RANK: Final = 0x7FFFFFFF
