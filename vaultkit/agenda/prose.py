"""Dates in prose that no field holds: the reason why a lookahead once said nothing while every check was green.

A phrase counts when the date grammar gives it a role (due, track). It is satisfied by an equal date in any entry of the same note, done
ones included. Relative phrases are resolved against the day of the note, never against today. Struck-through text is no longer meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time
from typing import NamedTuple

from vaultkit.agenda._lines import plain_lines
from vaultkit.agenda.entries import Entry, is_clipping
from vaultkit.agenda.items import ProseDate, Settings, fold_name, new_id
from vaultkit.agenda.tasks import parse_task_text, read_moment, render_item, scan, with_due
from vaultkit.text.dates import POINTING, DatePhrase, find_dates, may_hold_date
from vaultkit.text.note import Note

MAX_TEXT = 120


class Found(NamedTuple):
    """A prose date, and where it stands. *entry*: an undated entry of the two fields that it belongs to."""

    prose: ProseDate
    certain: bool
    id: str  # of the item that it becomes
    entry: Entry | None = None
    task_start: int = -1  # offset of the text of an open task line, when it stands in one


class Prose(NamedTuple):
    """What the prose of one note holds. *unresolved*: line and phrase of relative dates that nothing resolves."""

    found: list[Found]
    unresolved: list[tuple[int, str]]


def find_prose(note: Note, text: str, entries: Sequence[Entry], *, settings: Settings, fallback_day: date | None) -> Prose:
    """Dates of *note* with a role and no equal date among *entries*."""
    result = Prose([], [])
    if is_clipping(note):
        return result
    spots = list(_spots(note, text, entries))
    if not spots:
        return result
    now = day_of(note, settings, fallback_day)
    every = [place for entry in entries for place in (entry, *entry.mirrors)]
    dates = {day for place in every for day in (place.task.due, place.task.show_from) if day is not None}
    recurs = any(place.task.recurrence for place in every)
    reported: set[tuple[date, str]] = set()
    in_body: set[date] = set()
    for spot in spots:
        phrases, relative = _phrases(spot.text, now, settings)
        result.unresolved.extend((spot.line, phrase) for phrase in relative)
        for phrase in phrases:
            key = (phrase.date, phrase.phrase.casefold())
            if phrase.date in dates or key in reported or (recurs and phrase.recurrence) or _is_record(spot.text, phrase, now):
                continue
            if spot.secondary and (phrase.date in in_body or phrase.phrase in text[note.body :]):
                continue  # the title repeats what the body says, and the body has been judged by itself
            reported.add(key)
            if not spot.secondary:
                in_body.add(phrase.date)
            result.found.append(_found(note, spot, phrase, entries, settings))
    return result


def day_of(note: Note, settings: Settings, fallback_day: date | None) -> datetime | None:
    """The moment that a note's relative phrases count from: its `date`, else `created`, the day in its name, *fallback_day*."""
    names = {fold_name(name): name for name in note.properties}
    for wanted in (settings.date, *_CREATED):
        value = note.properties.get(names.get(fold_name(wanted), ""))
        moment = read_moment(value) if isinstance(value, str) else None
        if moment is not None:
            return datetime.combine(moment.day, time.fromisoformat(moment.time) if moment.time else time())
    named = _NAMED_DAY.search(note.name)
    moment = read_moment(named[0]) if named else None
    day = moment.day if moment else fallback_day
    return datetime.combine(day, time()) if day else None


class _Spot(NamedTuple):
    """A stretch of text to look through. *secondary*: title and description, which repeat the body."""

    line: int
    text: str
    secondary: bool = False
    entry: Entry | None = None
    task_start: int = -1


_CREATED = ("date", "created", "createdat", "datecreated", "creationdate", "作成日", "日付")
_NAMED_DAY = re.compile(r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)")
_CHECKBOX = re.compile(r"([\s>]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[(.)\][ \t]+)")
_STRUCK = re.compile(r"~~(?=[^\s~])[^~]{1,400}?(?<=\S)~~")
_LABEL = re.compile(
    r"\W*(?:date|day|when|created|creation|updated|last|modified|published|posted|written|version|日付|日時|作成|更新|公開|投稿|開催)?"
    r"[^\w]*(?:at|on|date|update|updated|edited|modified|日|日時)?\W*",
    re.IGNORECASE,
)
_LABEL_LENGTH = 40
_AHEAD = re.compile(
    r"\b(?:expir|renew|ends?\b|closes?\b|valid|until|waiting|arriv|appointment|remind|cancel|starts?\b|begins?\b|will\b)"
    r"|切れ|更新|有効|満了|返事|届|面談|出張|予約|終了|予定|開始",
    re.IGNORECASE,
)
_STOP = re.compile(r"[。！？；]|[!?;](?=\s)|(?<=[a-z0-9)\]])\.(?=\s+[^\Wa-z_])")
_REDUCTIONS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"!?\[\[(?:[^\[\]|]*\|)?([^\[\]|]+)\]\]"), r"\1"),
    (re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*\)"), r"\1"),
    (re.compile(r"^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|\[.\][ \t]|\[![^\]]*\][+-]?)+"), ""),
    (re.compile(r"(\*\*|__|~~|==|`)(?=\S)(.+?)(?<=\S)\1"), r"\2"),
    (re.compile(r"(?<![\w*])\*(?=\S)([^*]+?)(?<=\S)\*(?![\w*])"), r"\1"),
    (re.compile(r"<[^<>]*>"), ""),
    (re.compile(r"[\s\0]+"), " "),
)
_WORD = re.compile(r"[a-z0-9]+|[\u3040-\u30ff\u3400-\u9fff々]+", re.IGNORECASE)
_SECTIONS = frozenset(
    {"today", "tomorrow", "tonight", "this week", "next week", "this month", "今日", "本日", "明日", "今週", "来週", "今月"}
)
_FIELDS = ("action_items", "trackers")
_CUES = frozenset(
    [
        "a",
        "an",
        "the",
        "to",
        "of",
        "for",
        "on",
        "in",
        "at",
        "by",
        "is",
        "be",
        "my",
        "our",
        "due",
        "deadline",
        "until",
        "till",
        "before",
        "no",
        "later",
        "than",
        "date",
        "締切",
        "締め切り",
        "期限",
        "期日",
        "まで",
    ]
)


def _spots(note: Note, text: str, entries: Sequence[Entry]) -> Iterator[_Spot]:
    from vaultkit.text.dates.prefilter import dated_lines  # noqa: PLC0415 - the date grammar is loaded by the first text that is read

    first = text.count("\n", 0, note.body) + 1
    dated = {first + number for number in dated_lines(text[note.body :])}
    if dated:
        held = {place.line for entry in entries for place in (entry, *entry.mirrors) if place.start >= 0 and place.task.due is not None}
        fields: dict[int, list[tuple[int, int]]] = {}
        for field in note.fields:
            fields.setdefault(field.line, []).append((field.start, field.end))
        for line in plain_lines(text, note.body):
            if line.number in held or line.number not in dated:
                continue
            checkbox = _CHECKBOX.match(line.text)
            if checkbox is not None and checkbox[2] in "xX-":
                continue
            spans = [(start - line.start, end - line.start) for start, end in fields.get(line.number, ())]
            shown = _blanked(line.text, spans)
            yield _Spot(line.number, shown, task_start=line.start + checkbox.end() if checkbox else -1)
    for entry in entries:
        if entry.field in _FIELDS and entry.task.due is None and entry.open and may_hold_date(entry.task.text):
            yield _Spot(entry.line, entry.task.text, entry=entry)
    for key in ("title", "description"):
        value = note.properties.get(key)
        if isinstance(value, str) and may_hold_date(value):
            yield _Spot(note.property_lines.get(key, 1), value.replace("\n", " "), secondary=True)


def _blanked(line: str, spans: Sequence[tuple[int, int]]) -> str:
    """*line* with fields and struck-through text blanked out, offsets kept."""
    spans = [
        *spans,
        *((token.start, token.end) for token in scan(line)),
        *((match.start(), match.end()) for match in _STRUCK.finditer(line)),
    ]
    for start, end in spans:
        line = line[: max(start, 0)] + " " * (min(end, len(line)) - max(start, 0)) + line[end:]
    return line


def _phrases(text: str, now: datetime | None, settings: Settings) -> tuple[list[DatePhrase], list[str]]:
    """Phrases with a role; and, when no day is known, those that depend on one."""
    if now is not None:
        # What only points at another date of the text ("the slides beforehand") is no date of its own to a lint.
        found = find_dates(text, now=now, policy=settings.policy)
        return [phrase for phrase in found if phrase.role != "none" and phrase.reason != POINTING], []
    # A date that two unlike days give alike is absolute.
    one, other = (find_dates(text, now=day, policy=settings.policy) for day in (datetime(2019, 4, 10), datetime(2023, 9, 28)))
    certain = {(phrase.start, phrase.end, phrase.date) for phrase in one} & {(phrase.start, phrase.end, phrase.date) for phrase in other}
    absolute = [
        phrase
        for phrase in one
        if phrase.role != "none" and phrase.reason != POINTING and (phrase.start, phrase.end, phrase.date) in certain
    ]
    spans = {(phrase.start, phrase.end) for phrase in absolute}
    relative = {(phrase.start, phrase.end): phrase.phrase for phrase in (*one, *other) if phrase.role != "none"}
    return absolute, [phrase for span, phrase in relative.items() if span not in spans]


def _is_record(text: str, phrase: DatePhrase, now: datetime | None) -> bool:
    """Does the phrase say when something was, not when it must be? A bare date ("## 2026-03-06", "Updated: …"), and an event of the past.

    So does a heading that sorts ("## To do today").
    """
    if text.startswith("#") and phrase.phrase.casefold() in _SECTIONS:
        return True
    if phrase.role != "track":
        return False
    rest = (text[: phrase.start] + " " + text[phrase.end :]).strip()
    if phrase.confidence == "explicit" and len(rest) <= _LABEL_LENGTH and _LABEL.fullmatch(rest) is not None:
        return True
    if now is None:  # nothing tells past from future: only words that look ahead count
        return _AHEAD.search(text) is None
    return phrase.date < now.date() or (phrase.date == now.date() and phrase.confidence == "explicit" and phrase.time is None)


def _found(note: Note, spot: _Spot, phrase: DatePhrase, entries: Sequence[Entry], settings: Settings) -> Found:
    clock = phrase.time.strftime("%H:%M") if phrase.time else None
    words = _item_text(note, spot, phrase)
    # A task line that has a 🆔 already is an entry, and may be the body line of one of the two fields.
    own = next((entry for entry in entries for place in (entry, *entry.mirrors) if place.line == spot.line and place.start >= 0), None)
    alike = spot.entry or own or _alike(words, phrase.date, entries)
    entry = alike if alike and alike.field in _FIELDS and alike.task.due is None and alike.open and not alike.fixed else None
    warning = phrase.warning
    if not warning and phrase.confidence == "loose":
        warning = "only roughly a date"
    elif not warning and alike and entry is None and alike is not own:
        warning = f'"{alike.task.text}" has another date in its field' if alike.task.due else f'"{alike.task.text}" has no date'
    role = phrase.role if entry is None else "due" if entry.field == "action_items" else "track"
    if entry is not None:
        made, name, written = entry.id, entry.key, with_due(entry.raw, phrase.date, clock)
    else:
        name = settings.action_items if role == "due" else settings.trackers
        made = (own.task.id if own else "") or new_id(f"{note.path}\n{words}\n{phrase.date}", {other.id for other in entries})
        written = render_item(words, due=phrase.date, time=clock, id=made, recurrence=phrase.recurrence)
    prose = ProseDate(
        note.path,
        spot.line,
        phrase.phrase,
        phrase.date,
        fix="" if warning else f'{name}: - "{written}"',
        warning=warning,
        role=role,
        text=words,
        time=clock,
        recurrence=phrase.recurrence,
    )
    return Found(prose, not warning, made, entry, spot.task_start)


def _item_text(note: Note, spot: _Spot, phrase: DatePhrase) -> str:
    """The sentence that holds the phrase, without markup; with the note's title where it says little more than a date."""
    # What is cut off here would be cut off by the length of an item's text anyway.
    start, end = max(0, phrase.start - 2 * MAX_TEXT), min(len(spot.text), phrase.end + 2 * MAX_TEXT)
    for stop in _STOP.finditer(spot.text, start, end):
        if stop.end() <= phrase.start:
            start = stop.end()
        elif stop.start() >= phrase.end:
            end = stop.start()
            break
    words = _reduced(spot.text[start:end], phrase.phrase)
    rest = spot.text[start : phrase.start] + " " + spot.text[phrase.end : end]
    if not _words(rest) and not spot.secondary and note.title and note.title not in words:
        words = _reduced(f"{note.title}: {words}", phrase.phrase)
    return words


def _reduced(clause: str, phrase: str) -> str:
    """Plain words on one line, at most `MAX_TEXT` characters, the phrase among them."""
    for pattern, replacement in _REDUCTIONS:
        clause = pattern.sub(replacement, clause)
    clause = parse_task_text(clause.strip(" .。,、:：-–—")).text or clause.strip()
    if len(clause) <= MAX_TEXT:
        return clause
    at = max(clause.find(phrase), 0)
    start = 0 if at + len(phrase) < MAX_TEXT else min(at, len(clause) - MAX_TEXT + 2)
    cut = clause[start : start + MAX_TEXT - 2]
    if start and " " in cut[:20]:
        cut = cut[cut.index(" ") + 1 :]
    if start + MAX_TEXT - 2 < len(clause):
        cut = (cut[: cut.rindex(" ")] if " " in cut[-20:] else cut) + "…"
    return ("…" if start else "") + cut


def _alike(words: str, day: date, entries: Sequence[Entry]) -> Entry | None:
    """An entry that says the same as *words* but for another date: then a person has moved it, or forgot it."""
    own = _words(words)
    for entry in entries:
        if entry.field in {"action_items", "trackers", "task"} and entry.task.due != day:
            theirs = _words(entry.task.text)
            if own and theirs and len(own & theirs) >= 0.8 * min(len(own), len(theirs)) and min(len(own), len(theirs)) >= 2:
                return entry
    return None


def _words(text: str) -> set[str]:
    """Content words; Japanese runs as pairs of characters."""
    found: set[str] = set()
    for run in _WORD.findall(text.casefold()):
        if run in _CUES:
            continue
        found.update([run] if run[0].isascii() or len(run) == 1 else [run[at : at + 2] for at in range(len(run) - 1)])
    return found
