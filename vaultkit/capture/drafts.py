"""A capture thought through: scope, title, dates, themes, place. Everything is decided here, nothing is written yet. Pure."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from datetime import date
from typing import Final, NamedTuple

from vaultkit.agenda import new_id, render_item
from vaultkit.capture.actions import Extraction, Found, Unseen, extract
from vaultkit.capture.clauses import Span, masked, tidy
from vaultkit.capture.request import NOTE_TYPES, Known, Request, Settings, raw_hash
from vaultkit.capture.scopes import Verdict, classify
from vaultkit.capture.themes import Theme, themes_of, to_tag
from vaultkit.capture.titles import Head, clean, head_of, head_of_article
from vaultkit.errors import UsageError
from vaultkit.text import names
from vaultkit.text.edit import printable


class Item(NamedTuple):
    """An entry of one of the two fields. *own_line*: the captured text has its task line already."""

    id: str
    text: str
    due: date | None = None
    time: str | None = None
    phrase: str = ""
    confidence: str = ""
    recurrence: str = ""
    show_from: date | None = None
    own_line: bool = False

    def entry(self) -> str:
        """Tasks syntax, as it stands in the field and in the body."""
        return render_item(self.text, due=self.due, time=self.time, id=self.id, recurrence=self.recurrence, show_from=self.show_from)


class Draft(NamedTuple):
    """A note to be. `plan` makes edits of it."""

    request: Request
    settings: Settings
    path: str
    title: str
    description: str
    type: str
    status: str
    scope: Verdict
    themes: tuple[Theme, ...]
    tags: tuple[str, ...]
    action_items: tuple[Item, ...]
    trackers: tuple[Item, ...]
    unplaced: tuple[Unseen, ...]
    similar: tuple[tuple[str, float], ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def due(self) -> date | None:
        """The soonest date of the two lists."""
        return min((item.due for item in (*self.action_items, *self.trackers) if item.due is not None), default=None)


def draft(request: Request, known: Known, settings: Settings) -> Draft:
    """Decide everything about a capture. Raises UsageError when there is nothing in it, or when type or scope are none that we know."""
    article = request.article
    if article is None and not _visible(request.text):
        raise UsageError("nothing to capture", hint="give a line of text, an address, or `-` to read from stdin")
    kind = checked_type(request.type)
    # Marks that combine (か + ゛) are read as one letter, stray line ends as line ends; the text itself is kept as it is.
    text = unicodedata.normalize("NFC", masked(request.text)[: settings.analysed]).replace("\r\n", " \n").translate(_LINE_ENDS)
    warnings: list[str] = []
    if len(request.text) > settings.analysed:
        warnings.append(
            f"only the first {settings.analysed:,} of {len(request.text):,} characters were searched for dates and actions; all are kept"
        )
    if article is not None or kind == "research":
        found = Extraction((), ())
    else:
        found = extract(text, now=request.now, policy=settings.policy, limit=settings.max_items)
        warnings += found.warnings
    head = _head(request, text, found, settings)
    words = f"{head.title}\n{article.markdown[:4_000]}" if article is not None else _readable(text)
    scope = classify(words, known, settings, asked=request.scope, url=_address(request))
    themes = themes_of(
        f"{article.title}\n{article.markdown}" if article is not None else text, known, dates=_spans(found), limit=settings.max_themes
    )
    unread = article is not None and bool(article.problem)
    if article is not None and article.problem:
        warnings.append(f"the page was not read: {clean(article.problem)}; the note is tagged unread")
    ids = Ids(known.ids)
    day = request.now.date()
    return Draft(
        request=request,
        settings=settings,
        path=free_path(folder_of(kind, settings), day, head.title, known.paths),
        title=head.title,
        description=head.description,
        type=kind,
        # What would apply to every session is only proposed (memory.md M32).
        status="proposed" if kind == "rule" else "active",
        scope=scope,
        themes=tuple(themes),
        tags=tags_of(themes, settings, unread=unread),
        action_items=tuple(to_item(item, ids) for item in found.of("action_items")),
        trackers=tuple(to_item(item, ids) for item in found.of("trackers")),
        unplaced=found.unplaced,
        similar=_similar(request, known),
        warnings=tuple(warnings),
    )


def checked_type(name: str) -> str:
    """A note's type, `braindump` when none is given; UsageError names the nearest one."""
    name = name.strip().casefold()
    if not name:
        return "braindump"
    if name not in NOTE_TYPES:
        near = difflib.get_close_matches(name, NOTE_TYPES, n=1)
        raise UsageError(f"{name!r} is no type of note", hint=f"did you mean {near[0]}?" if near else "one of " + ", ".join(NOTE_TYPES))
    return name


def folder_of(kind: str, settings: Settings) -> str:
    """Where a new note of this type stands: learnings would flood the inbox (memory.md M10)."""
    return settings.learnings if kind == "learning" else settings.inbox


def free_path(folder: str, day: date, title: str, paths: Collection[str]) -> str:
    """`inbox/2026-11-30-<slug>.md`, with `-2`, `-3` … when a note of that name stands anywhere: a bare link must find this one."""
    stem = f"{day.isoformat()}-{names.slug(title, max_bytes=_SLUG_BYTES)}"
    taken = {_folded(path.rsplit("/", 1)[-1]) for path in paths if day.isoformat() in path}
    name = f"{stem}.md"
    number = 2
    while _folded(name) in taken:
        name = f"{stem}-{number}.md"
        number += 1
    return f"{folder}/{name}" if folder else name


def tags_of(themes: Iterable[Theme], settings: Settings, *, unread: bool = False) -> tuple[str, ...]:
    """The note's tags: its themes that are tags, and what marks its state."""
    tags = ["unread"] if unread else []
    if settings.inbox_tag and (marker := to_tag(settings.inbox_tag)):
        tags.append(marker)
    tags += [theme.text for theme in themes if not theme.path]
    return tuple(dict.fromkeys(tags))


class Ids:
    """🆔s handed out so far."""

    def __init__(self, taken: Collection[str]) -> None:
        self.taken = set(taken)

    def next(self, wanted: str, seed: str) -> str:
        """*wanted* where it is free, else a new one made from *seed*."""
        made = wanted if wanted and wanted not in self.taken else new_id(seed, self.taken)
        self.taken.add(made)
        return made


def to_item(found: Found, ids: Ids) -> Item:
    """A found item with an id of its own."""
    text = _plain(found.text) or "untitled"
    made = ids.next(found.id, f"{found.field} {text} {found.due}")
    return Item(
        made, text, found.due, found.time, _plain(found.phrase), found.confidence, found.recurrence, found.show_from, found.own_line
    )  # fmt: skip


def ids_of(draft: Draft, known: Known) -> Ids:
    """Every id that is taken: by the vault, and by the draft itself."""
    return Ids({*known.ids, *(item.id for item in (*draft.action_items, *draft.trackers))})


# The date in front, `-99`, and `.md`.
_SLUG_BYTES: Final = 200 - len("2026-11-30-") - len("-99.md")
_LINE_ENDS: Final = dict.fromkeys(map(ord, "\r\x0b\x0c\x85\u2028\u2029"), "\n")
_HTML: Final = re.compile(
    r"</?(?:script|style|img|svg|iframe|object|embed|form|input|meta|link|a|b|i|u|s|p|br|hr|div|span|font|code|pre|em|strong|sub|sup|details|summary|"
    r"video|audio|table|tbody|thead|tr|td|th|ul|ol|li|h[1-6]|mark|kbd)\b[^<>]{0,400}>",
    re.IGNORECASE,
)
# Controls and line ends become spaces; marks without width or that turn the direction of reading go. Emoji are held together by joiners.
_PLAINLY: Final = {"Cc": " ", "Zl": " ", "Zp": " ", "Cf": ""}
_JOINERS: Final = frozenset("\u200c\u200d")
_URL: Final = re.compile(r"https?://[^\s<>「」、。]+")


def _head(request: Request, text: str, found: Extraction, settings: Settings) -> Head:
    if request.article is not None:
        head = head_of_article(request.article, title_width=settings.title_width, description_width=settings.description_width)
    else:
        head = head_of(text, found.items, title_width=settings.title_width, description_width=settings.description_width)
    if told := clean(request.title)[:200]:
        same = head.description.casefold() == told.casefold()
        return Head(told, head.title if same else head.description)
    return head


def _readable(text: str) -> str:
    """Text as cues read it: the words of an address count, its digits and signs do not."""
    return _URL.sub(lambda match: re.sub(r"[-_/.+?=&#%]+", " ", match[0].partition("://")[2]), text)


def _address(request: Request) -> str:
    if request.article is not None:
        return request.article.final_url or request.article.url
    match = _URL.search(request.text[:2_000])
    return match[0] if match is not None else ""


def _spans(found: Extraction) -> Sequence[Span]:
    return [Span(item.start, item.end) for item in found.items if item.phrase and item.due is not None]


def _similar(request: Request, known: Known) -> tuple[tuple[str, float], ...]:
    mine = raw_hash(request.text)
    scores: dict[str, float] = {recent.path: 1.0 for recent in known.recent if recent.hash == mine}
    for path, score in known.similar:
        scores.setdefault(path, round(score, 3))
    return tuple(sorted(scores.items(), key=lambda pair: -pair[1]))


def _visible(text: str) -> bool:
    return any(unicodedata.category(character) not in {"Cc", "Cf", "Zs", "Zl", "Zp"} for character in text)


def _plain(text: str) -> str:
    """Text for a field: one line of printable characters, no comment marks that would hide what follows in the body."""
    text = re.sub(r"<!--.*?-->", " ", printable(text)).replace("%%", " ").replace("<!--", " ").replace("-->", " ").replace("![[", "[[")
    text = _HTML.sub(" ", text)
    return tidy(
        "".join(_PLAINLY.get(unicodedata.category(character), character) if character not in _JOINERS else character for character in text)
    )


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()
