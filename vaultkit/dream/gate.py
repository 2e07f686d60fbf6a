"""Which captures take part in a dream: old enough, open, and with something in them to lift (memory.md M35). Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from typing import Final, NamedTuple

from vaultkit.text.markdown import Link


class Capture(NamedTuple):
    """A note that may be consolidated. *text* is the whole file, *body* the offset of its first character after the frontmatter."""

    path: str
    title: str
    description: str
    text: str
    body: int
    made: date | None  # the day it was captured
    type: str
    status: str
    scope: str
    tags: tuple[str, ...]
    links: tuple[Link, ...] = ()

    @property
    def content(self) -> str:
        """What was captured, without frontmatter."""
        return self.text[self.body :]


class Kept(NamedTuple):
    """A capture that waits, and why."""

    path: str
    reason: str


class Eligible(NamedTuple):
    """Who takes part, oldest first, and who does not."""

    captures: tuple[Capture, ...]
    kept: tuple[Kept, ...]


def eligible(captures: Iterable[Capture], *, today: date, min_age_days: int = 7, min_substance: int = 6) -> Eligible:
    """The gate. A capture without a day is taken for old: it says nothing of being new."""
    takes_part: list[Capture] = []
    kept: list[Kept] = []
    for capture in captures:
        if why := _why_not(capture, today, min_age_days, min_substance):
            kept.append(Kept(capture.path, why))
        else:
            takes_part.append(capture)
    takes_part.sort(key=lambda capture: (capture.made or date.min, capture.path))
    return Eligible(tuple(takes_part), tuple(kept))


def substance(content: str) -> int:
    """How many words of its own a text has: addresses, links, embeds, task marks and code fences' marks are none. Two characters of an unspaced script are a word."""
    bare = _NO_WORDS.sub(" ", content)
    wide = len(_WIDE.findall(bare))
    return len(_LATIN.findall(bare)) + wide // 2


_TAKES_PART: Final = frozenset({"active"})
_NO_WORDS: Final = re.compile(
    r"!?\[\[[^\]\n]*\]\]|!?\[[^\]\n]*\]\([^)\n]*\)|<?\bhttps?://\S+|^Related:.*$|^#+ |🆔 ?\S+|```\w*|%%.*?%%", re.MULTILINE
)
_WIDE: Final = re.compile("[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_LATIN: Final = re.compile(r"[^\W\d_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]{2,}")


def _why_not(capture: Capture, today: date, min_age_days: int, min_substance: int) -> str:
    if capture.status not in _TAKES_PART:
        return f"is {capture.status}"
    if capture.made is not None and (today - capture.made).days < min_age_days:
        return f"is younger than {min_age_days} days"
    words = substance(capture.content)
    if not words:
        return "holds nothing but links" if capture.content.strip() else "is empty"
    if words < min_substance:
        return f"has {words} words: nothing to lift"
    return ""
