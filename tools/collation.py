"""Makes vaultkit/dql/_collation_table.py: what ICU knows about the order of characters, as small as it gets.

Needs libicu (`apt install libicu-dev`, `brew install icu4c`): python tools/collation.py [--check]
--check compares the finished table with ICU on random strings. The data are Unicode's (docs/unicode-licence.md).
"""

from __future__ import annotations

import base64
import ctypes
import ctypes.util
import lzma
import random
import sys
import unicodedata
from pathlib import Path

TARGET = Path(__file__).resolve().parent.parent / "vaultkit" / "dql" / "_collation_table.py"
HAN = [(0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x3FFFF), (0xF900, 0xFAFF)]
LEFT_OUT = [*HAN, (0xAC00, 0xD7A3), (0xD800, 0xF8FF), (0x17000, 0x18CFF), (0x1B170, 0x1B2FF), (0xE0100, 0x10FFFF)]


class Icu:
    """The few calls that are needed, through ctypes."""

    def __init__(self) -> None:
        name = ctypes.util.find_library("icui18n") or sys.exit("libicu is not installed")
        self.icu = ctypes.CDLL(name)
        self.version = next(v for v in range(90, 50, -1) if hasattr(self.icu, f"ucol_open_{v}"))
        self.status = ctypes.c_int(0)
        self.collator = self.call("ucol_open", ctypes.c_void_p, b"en", ctypes.byref(self.status))

    def call(self, name: str, result: object, *arguments: object) -> int:
        function = getattr(self.icu, f"{name}_{self.version}")
        function.restype = result
        return function(*arguments)

    def elements(self, text: str) -> list[tuple[int, int, int]]:
        units = text.encode("utf-16-le", "surrogatepass")
        iterator = ctypes.c_void_p(
            self.call(
                "ucol_openElements", ctypes.c_void_p, ctypes.c_void_p(self.collator), units, len(units) // 2, ctypes.byref(self.status)
            )
        )
        found: list[tuple[int, int, int]] = []
        while (order := self.call("ucol_next", ctypes.c_int32, iterator, ctypes.byref(self.status))) != -1:
            primary, secondary, tertiary = order >> 16 & 0xFFFF, order >> 8 & 0xFF, order & 0xFF
            if tertiary & 0xC0 == 0xC0 and found:  # the second half of a long element
                first = found[-1]
                found[-1] = (first[0] | primary, first[1] | secondary, first[2] | tertiary & 0x3F)
            else:
                found.append((primary << 16, secondary << 8, (tertiary & 0x3F) << 8))
        self.call("ucol_closeElements", None, iterator)
        return [element for element in found if any(element)]

    def compare(self, left: str, right: str) -> int:
        one, two = left.encode("utf-16-le"), right.encode("utf-16-le")
        return self.call("ucol_strcoll", ctypes.c_int, ctypes.c_void_p(self.collator), one, len(one) // 2, two, len(two) // 2)


def make(icu: Icu) -> str:
    """The module's text."""
    table: dict[int, list[tuple[int, int, int]]] = {}
    first_han = icu.elements("\u4e00")[0][0]
    for code in range(0x110000):
        char = chr(code)
        if any(first <= code <= last for first, last in LEFT_OUT) or unicodedata.category(char) in {"Cn", "Cs", "Co"}:
            continue
        if unicodedata.normalize("NFD", char) == char:  # what is composed is taken apart before it is looked up
            elements = icu.elements(char)
            if all(primary < first_han for primary, _, _ in elements):  # else it stands for ideographs, which need no table
                table[code] = elements
    ranks = [
        {weight: at for at, weight in enumerate(sorted({element[level] for elements in table.values() for element in elements} - {0}), 1)}
        for level in range(3)
    ]
    rows: dict[str, list[int]] = {"gap": [], "count": [], "primary": [], "secondary": [], "tertiary": []}
    before, last = -1, 0
    for code, elements in table.items():
        rows["gap"].append(code - before - 1)
        before = code
        rows["count"].append(len(elements))
        for primary, secondary, tertiary in elements:
            rank = ranks[0].get(primary, 0)
            rows["primary"].append(rank - last if rank else 0x7FFFFFFF)
            last = rank or last
            rows["secondary"].append(ranks[1].get(secondary, 0))
            rows["tertiary"].append(ranks[2].get(tertiary, 0))
    data = b"".join(_packed(numbers) for numbers in rows.values())
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 1, "lp": 2, "pb": 2}]
    text = base64.b85encode(lzma.compress(data, lzma.FORMAT_RAW, filters=filters)).decode()
    lines = "\n".join(f'    "{text[at : at + 128]}"' for at in range(0, len(text), 128))
    return (
        f'"""Order of characters, made by tools/collation.py from ICU {icu.version} (root collation). Unicode data: docs/unicode-licence.md."""\n\n'
        "from __future__ import annotations\n\nfrom typing import Final\n\n"
        f"LENGTHS: Final = {tuple(len(numbers) for numbers in rows.values())}  # of the five columns: gap, count, primary, secondary, tertiary\n"
        "PACKED: Final = (\n" + lines + "\n)\n"
    )


def _packed(numbers: list[int]) -> bytes:
    return b"".join(number.to_bytes(4, "little", signed=True) for number in numbers)


def check(icu: Icu) -> None:
    """Random pairs: ICU's verdict and ours."""
    from vaultkit.dql.collation import sort_key

    sets = {
        "latin": [*map(chr, range(0x20, 0x250))],
        "ascii": [*map(chr, range(0x20, 0x7F))],
        "japanese": [*"あアｱいイかカがガ一二亜字山川日本漢龍ー、。「」・ 　aA1１"],
        "greek, cyrillic": [*map(chr, range(0x370, 0x377)), *map(chr, range(0x386, 0x530))],
        "hangul": [*map(chr, range(0xAC00, 0xAC90)), *map(chr, range(0x1100, 0x1110))],
        "accents": [*"aeoéàüAEO", *map(chr, range(0x300, 0x340))],
        "wide": [chr(code) for code in range(0x20, 0x20000) if unicodedata.category(chr(code))[0] in "LNPSZ"],
    }
    source = random.Random(1)
    for name, letters in sets.items():
        same = 0
        for _ in range(10_000):
            left, right = ("".join(source.choices(letters, k=source.randint(1, 4))) for _ in range(2))
            if source.random() < 0.5:
                right = left[:1] + right
            one, two = sort_key(left), sort_key(right)
            same += icu.compare(left, right) == (one > two) - (one < two)
        print(f"{name}: {same / 10_000:.4f}")


if __name__ == "__main__":
    engine = Icu()
    if "--check" in sys.argv:
        check(engine)
    else:
        TARGET.write_text(make(engine), "utf-8")
        print(f"{TARGET.name}: {TARGET.stat().st_size:,} bytes")
