"""Markdown without its marks, for `display()`: as the library remove-markdown does it. Pure."""

from __future__ import annotations

import re
from typing import Final

# What a text loses so that only what is read stays: in this order.
_MARKS: Final = tuple(
    (re.compile(pattern, flags), new)
    for pattern, new, flags in (
        (r"^(?:[-*_]\s*?){3,}\s*", "", re.MULTILINE),  # rulings
        (r"^(\s*)(?:[*+-]|\d+\.)\s+", r"\1", re.MULTILINE),  # list markers
        (r"\n={2,}", "\n", 0),
        (r"~{3}.*\n", "", 0),  # fences
        (r"~~", "", 0),
        (r"`{3}.*\n", "", 0),
        (r"<[^>]*>", "", 0),
        (r"\A[=-]{2,}\s*\Z", "", 0),
        (r"\[\^.+?\](?:: .*?\Z)?", "", 0),  # footnotes
        (r"\s{0,2}\[.*?\]: .*?\Z", "", 0),  # link definitions
        (r"!\[(.*?)\][\[(].*?[\])]", r"\1", 0),  # images
        (r"\[([^\]]*?)\][\[(].*?[\])]", r"\1", 0),  # links
        (r"^(\n)?\s{0,3}>\s?", r"\1", re.MULTILINE),
        (r"^(\n)?\s*#{1,6}\s*(?: (.+))? +#+$|^(\n)?\s*#{1,6}\s*(?: (.+))?$", r"\1\2\3\4", re.MULTILINE),  # headings
        (r"(\*+)(\S)(.*?\S)??\1", r"\2\3", 0),
        (r"(^|\W)(_+)(\S)(.*?\S)??\2($|\W)", r"\1\3\4\5", 0),
        (r"(`{3,})(.*?)\1", r"\2", re.MULTILINE),
        (r"`(.+?)`", r"\1", 0),
        (r"~(.*?)~", r"\1", 0),
    )
)
_LONGEST_MARKED: Final = 2_000  # beyond it marks stay: some of the patterns are quadratic


def plain(text: str) -> str:
    """The text without Markdown's marks and link brackets."""
    text = re.sub(r"\[\[([^|\]]*?)\]\]", r"\1", text)
    text = re.sub(r"\[\[[^\]\n]*?\|(.*?)\]\]", r"\1", text, count=1)
    if len(text) <= _LONGEST_MARKED:
        for pattern, new in _MARKS:
            text = pattern.sub(new, text)
    return text
