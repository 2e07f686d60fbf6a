"""Bytes of a page → text. Servers lie about charsets, old Japanese sites most of all.

Order (facts/capture.md §4): BOM > ISO-2022-JP escapes > strict UTF-8 > a declared charset that is not Japanese and fits > the best
reading by kana of what was declared, Shift_JIS and EUC-JP.
"""

from __future__ import annotations

import codecs
import re
from typing import Final

_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_META = re.compile(rb"<meta[^>]+charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_XML = re.compile(rb"<\?xml[^>]+encoding\s*=\s*[\"']([\w.:-]+)", re.IGNORECASE)
_JAPANESE: Final = frozenset({"cp932", "shift_jis", "euc_jp", "iso2022_jp"})
# What browsers read when a page says so (WHATWG encoding labels).
_LABELS: Final = {"shift_jis": "cp932", "shift-jis": "cp932", "sjis": "cp932", "x-sjis": "cp932", "ms_kanji": "cp932", "windows-31j": "cp932", "euc-jp": "euc_jp", "x-euc-jp": "euc_jp",
                  "iso-8859-1": "cp1252", "latin1": "cp1252", "us-ascii": "cp1252", "ascii": "cp1252", "gb2312": "gb18030", "gbk": "gb18030", "ks_c_5601-1987": "cp949", "euc-kr": "cp949"}  # fmt: skip


def decode(data: bytes, declared: str = "") -> str:
    """The text of a page. Never raises: bytes that fit no reading become U+FFFD."""
    for mark, name in _BOMS:
        if data.startswith(mark):
            return data.decode(name, "replace").removeprefix("\ufeff")
    if b"\x1b$" in data[:65536] or b"\x1b$" in data:
        return data.decode("iso2022_jp_ext", "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    named = [known for label in (declared, *_in_page(data)) if (known := _codec(label)) and known != "utf-8"]
    for name in named:
        if name not in _JAPANESE and name != "cp1252" and _fits(data, name):
            return data.decode(name)
    candidates = dict.fromkeys([*named, "cp932", "euc_jp"])
    best = max(candidates, key=lambda name: _kana_score(data.decode(name, "replace")))
    text = data.decode(best, "replace")
    if _kana_score(text) > 0:
        return text
    # Neither UTF-8 nor Japanese: what was declared, else the western reading; mostly-UTF-8 pages keep their sense.
    loose = data.decode("utf-8", "replace")
    if loose.count("\ufffd") * 50 < len(loose):
        return loose
    return data.decode(named[0] if named else "cp1252", "replace")


def _in_page(data: bytes) -> list[str]:
    head = data[:4096]
    return [found[1].decode("ascii") for pattern in (_XML, _META) if (found := pattern.search(head))]


def _codec(label: str) -> str:
    lowered = label.strip().lower()
    if lowered in _LABELS:
        return _LABELS[lowered]
    try:
        return codecs.lookup(lowered).name.replace("-", "_").replace("utf_8", "utf-8") if lowered else ""
    except LookupError:
        return ""


def _fits(data: bytes, name: str) -> bool:
    try:
        data.decode(name)
    except (UnicodeDecodeError, LookupError):
        return False
    return True


def _kana_score(text: str) -> float:
    """High for Japanese read rightly; wrong readings show half-width katakana, rare symbols and U+FFFD."""
    score = 0.0
    for character in text:
        if "\u3041" <= character <= "\u30fc":
            score += 1.0
        elif "\u4e00" <= character <= "\u9fff":
            score += 0.3
        elif "\uff61" <= character <= "\uff9f":
            score -= 0.8
        elif character == "\ufffd" or "\ue000" <= character <= "\uf8ff":
            score -= 2.0
    return score
