"""What a capture is given: the text, what the vault already has, and the settings. Values only."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Final, NamedTuple

from vaultkit.text.dates import DatePolicy
from vaultkit.text.edit import to_bytes

NOTE_TYPES: Final = (
    "braindump", "research", "knowledge", "learning", "procedure", "decision", "failure", "idea",
    "session", "runbook", "tracker", "daily", "person", "moc", "rule",
)  # fmt: skip

_NONE: Final[Mapping[str, str]] = MappingProxyType({})
_NO_COUNTS: Final[Mapping[str, int]] = MappingProxyType({})
_NO_WORDS: Final[Mapping[str, Sequence[str]]] = MappingProxyType({})


def is_url(text: str) -> bool:
    """Is *text* nothing but one URL, of whatever scheme?"""
    return re.fullmatch(r"\s*[A-Za-z][A-Za-z0-9+.-]*://\S+\s*", text) is not None


class Article(NamedTuple):
    """A fetched page, or why there is none: then *problem* says so and *markdown* is empty."""

    url: str
    final_url: str = ""
    title: str = ""
    author: str = ""
    published: str = ""
    fetched: str = ""
    sha256: str = ""
    extractor: str = ""
    markdown: str = ""
    problem: str = ""


class Request(NamedTuple):
    """One capture. *text* is decoded by `edit.to_text`, so that its bytes come back whole."""

    text: str
    now: datetime  # local wall clock
    source: str = ""
    title: str = ""
    scope: str = ""  # as told by the person: `--as`
    type: str = ""
    article: Article | None = None
    session: str = ""


class Recent(NamedTuple):
    """A capture made before: *hash* is `raw_hash` of its text."""

    path: str
    hash: str
    time: datetime | None = None


class Known(NamedTuple):
    """What the vault already has; the caller fills it from its snapshot. Every part may be left out."""

    paths: Collection[str] = ()
    titles: Mapping[str, str] = _NONE  # path → title of notes that a theme may link to
    aliases: Mapping[str, str] = _NONE  # alias → path
    tags: Mapping[str, int] = _NO_COUNTS  # tag → count
    scopes: Mapping[str, str] = _NONE  # name of a project, person or folder → its scope
    projects: Collection[str] = ()
    people: Collection[str] = ()
    ids: Collection[str] = ()  # every 🆔 in use
    neighbours: Sequence[tuple[str, float]] = ()  # scope and score of the most similar notes
    notes: int = 0  # how many notes have a scope: neighbours count for more in a large vault
    recent: Sequence[Recent] = ()
    similar: Sequence[tuple[str, float]] = ()  # path and score (0 to 1) of near duplicates
    link: Callable[[str], str] | None = None  # how a wikilink to a path is written; None: shortest form


class Settings(NamedTuple):
    """The settings that capture depends on."""

    inbox: str = "inbox"
    learnings: str = "learnings"
    inbox_tag: str = ""
    lexicon: Mapping[str, Sequence[str]] = _NO_WORDS  # scope → words that decide it
    project: str = "side"  # the project's name when the text is about an own project and names none
    date_property: str = "date"
    due_property: str = "due"
    actions_property: str = "action_items"
    trackers_property: str = "trackers"
    policy: DatePolicy = DatePolicy()
    daily_heading: str = ""
    title_width: int = 80  # a full-width character counts as two
    description_width: int = 160
    max_themes: int = 3
    max_items: int = 300
    analysed: int = 200_000  # characters of a dump that are looked through; what is beyond is kept and the receipt says so
    quiet_minutes: int = 10


def raw_hash(text: str) -> str:
    """What identifies the same capture made twice: surrounding white space does not count."""
    return hashlib.sha256(to_bytes(text.strip())).hexdigest()


def is_cjk(text: str) -> bool:
    """Whether Japanese rules read *text*: it holds kana or kanji."""
    return _CJK.search(text) is not None


def width(text: str) -> int:
    """Columns of *text*: full-width characters count as two."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text if character >= " ")


_CJK: Final = re.compile(r"[\u3041-\u30ff\u3400-\u9fff々]")
