"""Action items and trackers of a capture: each date goes to the clause that holds it, else to the first action. Pure.

A date that is seen and not placed is never dropped: it stands in `unplaced` with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from types import ModuleType
from typing import Final, NamedTuple

from vaultkit.agenda import parse_task_text
from vaultkit.capture import _english, _japanese
from vaultkit.capture.clauses import Kind, Span, Unit, strip_task_fields, tidy, units
from vaultkit.capture.request import is_cjk, width
from vaultkit.capture.roles import Field, bare_periods, begun, day_before, event_before, field_of, holds_period, is_habit, is_time_off
from vaultkit.text.dates import POINTING, DatePhrase, DatePolicy, Unplaced, find_dates, find_unplaced, may_hold_date

MAX_TEXT: Final = 140


class Found(NamedTuple):
    """An item before it has an id. *own_line*: its task line already stands in the captured text."""

    field: Field
    text: str
    due: date | None = None
    time: str | None = None
    phrase: str = ""
    confidence: str = ""
    recurrence: str = ""
    show_from: date | None = None
    id: str = ""
    own_line: bool = False
    start: int = 0  # where its date phrase (else its clause) begins
    end: int = 0
    cut: tuple[int, int] = (0, 0)  # the phrase with the words that tie it to its clause
    trims: bool = False  # the clause reads well without it


class Unseen(NamedTuple):
    """A date that was seen and not placed."""

    phrase: str
    date: date | None
    reason: str


class Extraction(NamedTuple):
    """Everything dated or to be done in a text, in order of appearance."""

    items: tuple[Found, ...]
    unplaced: tuple[Unseen, ...]
    warnings: tuple[str, ...] = ()

    def of(self, field: Field) -> tuple[Found, ...]:
        """The items of one of the two fields."""
        return tuple(item for item in self.items if item.field == field)


def extract(text: str, *, now: datetime, policy: DatePolicy, limit: int) -> Extraction:
    """Action items, trackers and unplaced dates of *text*; the search ends with the *limit*th item, and says so."""
    items: list[Found] = []
    unplaced: list[Unseen] = []
    warnings: list[str] = []
    every = list(units(text))
    lonely: list[Found] = []  # deadlines that were all their line said
    heading: list[Found] = []  # … and stood above a list
    for at, unit in enumerate(every):
        reading = _Reading(unit, now, policy, alone=len(every) == 1)
        result = reading.result()
        found = list(result.items)
        # Such a deadline belongs to the action in the line above, else to the one in the line below, else it is filed by itself.
        left = _given(lonely, found)
        if lonely and not left and _heads(text, every, at):
            heading = lonely  # "By Friday:" above a list speaks of each of its bullets
        elif heading and unit.mark == "-" and not lonely:
            _given(heading * len(found), found)
        elif unit.mark != "-":
            heading = []
        items += [*left, *found]
        lonely = reading.lonely
        if lonely and not _leads(text, every, at):
            lonely = _given(lonely, items, last=True)
        unplaced += result.unplaced
        warnings += result.warnings
        if len(items) >= limit and unit is not every[-1]:
            line = text.count("\n", 0, unit.end) + 1
            warnings.append(f"{limit} items were found by line {line}; what follows is kept, but was not searched")
            break
    items += lonely
    return Extraction(tuple(items[:limit]), tuple(_once(unplaced))[:limit], tuple(dict.fromkeys(warnings)))


def _leads(text: str, every: Sequence[Unit], at: int) -> bool:
    """Whether the line at *at* belongs to what follows: it is a heading, or a gap parts it from what stands above, not from what follows."""
    if at + 1 >= len(every):
        return False
    if every[at].mark == "#":
        return True
    above = text[every[at - 1].end : every[at].start] if at else "\n\n"
    return _GAP.search(above) is not None and _GAP.search(text[every[at].end : every[at + 1].start]) is None


def _heads(text: str, every: Sequence[Unit], at: int) -> bool:
    """Whether the bullet at *at* is the first of a list that a line of its own stands above."""
    return every[at].mark == "-" and at > 0 and every[at - 1].mark != "-" and _leads(text, every, at - 1)


_GAP: Final = re.compile(r"\n[ \t\r]*\n")


def _given(lonely: list[Found], items: list[Found], *, last: bool = False) -> list[Found]:
    """Give each lonely deadline to an undated action of *items* (with *last*, to the last item only); those that found none are returned."""
    left = []
    for deadline in lonely:
        places = range(len(items))[-1:] if last else range(len(items))
        at = next((index for index in places if items[index].field == "action_items" and items[index].due is None), None)
        if at is None:
            left.append(deadline)
            continue
        items[at] = items[at]._replace(
            due=deadline.due, time=deadline.time, phrase=deadline.phrase, confidence=deadline.confidence, recurrence=deadline.recurrence
        )
    return left


class _Clause(NamedTuple):
    span: Span
    kind: Kind
    text: str  # without its date phrases
    dates: tuple[DatePhrase, ...]
    language: ModuleType
    sentence: int
    label: str  # what stands before a colon: what the clause is about
    idea: bool  # a step of a recipe or part of an idea: nothing to do


class _Reading:
    """One unit, read: clauses, their dates, the items that come of it."""

    def __init__(self, unit: Unit, now: datetime, policy: DatePolicy, *, alone: bool) -> None:
        self.unit = unit
        self.alone = alone
        self.now = now
        self.policy = policy
        self.items: list[Found] = []
        self.lonely: list[Found] = []  # a deadline that is all its line says
        self.unplaced: list[Unseen] = []
        self.warnings: list[str] = []

    def result(self) -> Extraction:
        """The items of the unit, in order."""
        unit = self.unit
        if unit.mode == "done" or unit.status in {"x", "X", "-"}:
            return Extraction((), ())
        task = parse_task_text(unit.text)
        if unit.status is not None or task.due is not None or task.unparsable:
            self._task_line()
        else:
            self._prose()
        items = sorted(self.items, key=lambda item: item.start)
        return Extraction(tuple(items), tuple(self.unplaced), tuple(self.warnings))

    # -- a line in Tasks syntax: its fields are read, not guessed

    def _task_line(self) -> None:
        unit = self.unit
        task = parse_task_text(unit.text)
        if task.done is not None or task.cancelled:
            return
        found = Found(
            "action_items", _short(tidy(task.text) or tidy(unit.text)), task.due, task.time, "", "explicit" if task.due else "", task.recurrence,
            task.show_from, task.id, own_line=unit.status is not None, start=unit.start, end=unit.end,
        )  # fmt: skip
        if task.unparsable:
            self.unplaced.append(Unseen(task.unparsable, None, "is no date"))
        if task.due is not None:
            start = unit.text.find(task.due.isoformat())
            found = found._replace(phrase=task.due.isoformat(), start=unit.start + max(start, 0))
        elif may_hold_date(unit.text):
            dates = [phrase for phrase in self._find(unit.text) if phrase.role != "none"]
            if dates:
                text = _item_text(_blank(unit.text, dates, _language(unit.text)), _language(unit.text)) or found.text
                found = _dated(found._replace(text=_short(text)), dates[0], unit.start)
                self.unplaced += [
                    Unseen(phrase.phrase, phrase.date, "a task has one date") for phrase in dates[1:] if phrase.date != dates[0].date
                ]
        self.items.append(found)

    # -- prose

    def _prose(self) -> None:
        unit = self.unit
        text = unit.text
        dates: list[DatePhrase] = []
        plain = _OFF.sub(lambda match: " " * len(match[0]), text)  # what is struck out, and the moment that begins a line of a log
        unclear: list[Unplaced] = []
        if may_hold_date(text) or holds_period(text):
            dates = self._find(text)
            unclear = find_unplaced(text, now=self.now, policy=self.policy)
        clauses = self._attach(list(_clauses(plain, dates)))
        for index, clause in enumerate(clauses):
            before = clauses[:index]
            if not self._is_to_do(clause):
                # "by then", 事前に: they only count where something is to be done
                clause = clause._replace(dates=tuple(phrase for phrase in clause.dates if phrase.reason != POINTING))  # noqa: PLW2901
            if any(phrase.role != "none" for phrase in clause.dates):
                self._dated_clause(clause, before)
            elif self._is_to_do(clause):
                self._undated_action(clause, before)
        self._inherit(clauses)
        self._report(dates, unclear)

    def _find(self, text: str) -> list[DatePhrase]:
        found = find_dates(text, now=self.now, policy=self.policy)
        found = [phrase for phrase in found if not (_FRACTION.fullmatch(phrase.phrase) and _COUNTER.match(text, phrase.end))]
        if not is_cjk(text):
            # "expires 12 Aug": the verb is the clause's own
            found = [
                phrase._replace(start=phrase.start + match.end()) if (match := _PREDICATE.match(phrase.phrase)) is not None else phrase
                for phrase in found
            ]
        found = [
            phrase._replace(role="track") if phrase.reason == "metadata" and _BIRTHDAY.search(text[: phrase.start]) else phrase
            for phrase in found
        ]
        periods = bare_periods(text, found, now=self.now, policy=self.policy)
        kept = [phrase for phrase in found if not any(phrase.start < period.end and period.start < phrase.end for period in periods)]
        return sorted([*kept, *periods], key=lambda phrase: phrase.start)

    def _attach(self, clauses: list[_Clause]) -> list[_Clause]:
        """A clause that is only a date phrase gives it to the one before, else to the one behind."""
        out: list[_Clause] = []
        waiting: list[DatePhrase] = []
        for clause in clauses:
            own = tuple(phrase for phrase in clause.dates if phrase.role != "none")
            if clause.kind == "date" and own and out and out[-1].sentence == clause.sentence and _takes(out[-1], own):
                out[-1] = out[-1]._replace(dates=(*out[-1].dates, *clause.dates))
            elif clause.kind == "date" and own:
                waiting += clause.dates
                out.append(clause._replace(dates=()))
            elif waiting and clause.kind not in {"date", "machine"}:
                out.append(clause._replace(dates=(*waiting, *clause.dates)))
                waiting = []
            else:
                out.append(clause)
        if waiting:
            target = next((i for i in range(len(out) - 1, -1, -1) if out[i].kind not in {"date", "machine", "past"}), len(out) - 1)
            out[target] = out[target]._replace(dates=(*out[target].dates, *waiting))
        return out

    def _is_to_do(self, clause: _Clause) -> bool:
        if clause.kind == "machine" or clause.idea or self.unit.mode in {"idea", "waiting"} or self.unit.mark == "#":
            return False
        return clause.kind == "action" or (self.unit.mode == "todo" and self.unit.mark == "-" and clause.kind in {"noun", "event"})

    def _dated_clause(self, clause: _Clause, before: Sequence[_Clause]) -> None:
        if clause.kind == "machine":
            self.unplaced += [
                Unseen(phrase.phrase, phrase.date, "stands in an order to a program") for phrase in clause.dates if phrase.role != "none"
            ]
            return
        if (
            clause.kind == "date"
            and not tidy(clause.text)
            and not self.alone
            and self.unit.mark != "-"
            and not any(map(is_time_off, clause.dates))
        ):
            self.lonely += [
                _dated(Found("action_items", self.unit.heading or phrase.phrase), phrase, self.unit.start)
                for phrase in clause.dates
                if phrase.role == "due"
            ]
            self.unplaced += [
                Unseen(phrase.phrase, phrase.date, "stands on a line of its own") for phrase in clause.dates if phrase.role == "track"
            ]
            self.warnings += [f"{phrase.phrase}: {phrase.warning}" for phrase in clause.dates if phrase.warning]
            return
        told = [phrase for phrase in clause.dates if phrase.reason == "period" and clause.kind in {"event", "fact", "past"}]
        self.unplaced += [Unseen(phrase.phrase, phrase.date, _SAID_ANYWAY["no cue"]) for phrase in told]
        clause = clause._replace(dates=tuple(phrase for phrase in clause.dates if phrase not in told))
        for found_phrase in _combined([phrase for phrase in clause.dates if phrase.role != "none"]):
            phrase = found_phrase
            if phrase.recurrence and is_habit(clause.kind, clause.text, phrase, cjk=clause.language is _japanese):
                self.unplaced.append(Unseen(phrase.phrase, phrase.date, "reads like a habit"))
                continue
            around = _around(self.unit.text, phrase, clause.language)
            field = self._field(clause, phrase)
            if field == "trackers":
                phrase = begun(phrase, clause.text, now=self.now, policy=self.policy)
            elif clause.kind == "action":
                event = event_before(phrase, self.unit.text[: around.start], now=self.now)
                if event:
                    self.items.append(_dated(Found("trackers", _short(tidy(event))), phrase, self.unit.start))
                    phrase = day_before(phrase)
            found = Found(
                field,
                self._text_of(clause, before, field, about=phrase.reason == POINTING or bool(_COUNTED_BACK.search(phrase.phrase)))
                + (_deed(clause, phrase) if field == "action_items" else ""),
                cut=(self.unit.start + around.start, self.unit.start + around.end),
                trims=clause.kind in {"action", "noun"},
            )
            self.items.append(_dated(found, phrase, self.unit.start))
            if phrase.warning:
                self.warnings.append(f"{phrase.phrase}: {phrase.warning}")

    def _field(self, clause: _Clause, phrase: DatePhrase) -> Field:
        kind = clause.kind
        if self.unit.mode == "waiting":
            kind = "wait"
        elif self.unit.mode == "todo" and phrase.role == "due":
            kind = "action"
        return field_of(kind, clause.text, phrase, cjk=clause.language is _japanese)

    def _undated_action(self, clause: _Clause, before: Sequence[_Clause]) -> None:
        text = self._text_of(clause, before, "action_items")
        start = self.unit.start + clause.span.start
        self.items.append(Found("action_items", text, start=start, end=self.unit.start + clause.span.end))

    def _text_of(self, clause: _Clause, before: Sequence[_Clause], field: Field, *, about: bool = False) -> str:
        language = clause.language
        text = _item_text(clause.text, language)
        previous = next((other for other in reversed(before) if other.kind not in {"date", "machine"} and other.text.strip()), None)
        context = tidy(language.topic(previous.text)) if previous is not None else clause.label
        if not text:
            return _short(_item_text(previous.text, language) if previous else clause.label or self.unit.heading or tidy(self.unit.text))
        if language is _english and _english.subjectless(text) and previous is not None and field == "trackers":
            pronoun = text.split()[0].lower() in {"he", "she", "they", "it", "we", "i"}
            return _short(_item_text(previous.text, language) if pronoun else f"{context} {text}")
        if clause.kind == "wait" and language.is_vague(text) and previous is not None:
            return _short(_item_text(previous.text, language))
        if (about or language.is_vague(text)) and context and context.casefold() not in text.casefold():
            return _short(f"{text}（{context}）" if language is _japanese else f"{text} ({context})")
        return _short(text)

    def _inherit(self, clauses: Sequence[_Clause]) -> None:
        """A submission window or an issue that comes out gives its day to the action that stands behind it without one."""
        dated = [item for item in self.items if item.due is not None]
        undated = [item for item in self.items if item.due is None]
        if len(dated) != 1 or not undated or dated[0].field != "trackers":
            return
        holder = next((clause for clause in clauses if any(phrase.date == dated[0].due for phrase in clause.dates)), None)
        if holder is None or not _WINDOW.search(holder.text + " " + " ".join(phrase.phrase for phrase in holder.dates)):
            return
        target = undated[0]
        given = target._replace(due=dated[0].due, phrase=dated[0].phrase, confidence="inferred")
        self.items[self.items.index(target)] = given

    def _report(self, dates: Sequence[DatePhrase], unclear: Sequence[Unplaced]) -> None:
        placed = {(item.due, item.phrase) for item in self.items}
        days = {item.due for item in (*self.items, *self.lonely)}
        for phrase in dates:
            if phrase.role == "none":
                if self.unit.mark != "#" and phrase.reason in _SAID_ANYWAY and phrase.date >= self.now.date() and phrase.date not in days:
                    self.unplaced.append(Unseen(phrase.phrase, phrase.date, _SAID_ANYWAY[phrase.reason]))
            elif (
                phrase.reason != POINTING
                and not any(item.phrase and item.start == self.unit.start + phrase.start for item in self.items)
                and (phrase.date, phrase.phrase) not in placed
                and phrase.date not in days
                and not any(unseen.phrase == phrase.phrase for unseen in self.unplaced)
            ):
                self.unplaced.append(Unseen(phrase.phrase, phrase.date, "no clause to put it in"))
        self.unplaced += [Unseen(unknown.phrase, None, unknown.reason) for unknown in unclear]


_OFF: Final = re.compile(
    r"~~(?=[^\s~])[^~]{1,400}?(?<=\S)~~|<!--.{0,400}?-->|"
    r"^\s*(?:\[?(?:19|20)\d\d[-/.]\d{1,2}[-/.]\d{1,2}(?:[Tt]|,?\s)\d{1,2}:\d\d(?::\d\d)?[Zz]?\]?|\[\d{1,2}:\d\d(?::\d\d)?\])(?=\s)"
)
_SAID_ANYWAY: Final = {
    "no cue": "nothing says that it is a deadline",
    "habit": "reads like a habit",
    "modifier": "only describes something",
    "cancelled": "was called off",
    "not before": "is the earliest day, no deadline",
}
_COUNTED_BACK: Final = re.compile(
    r"\b(?:ahead|earlier|beforehand|in advance|prior|before(?: (?:that|it|then))?)\s*$|その.{0,6}前", re.IGNORECASE
)
_BIRTHDAY: Final = re.compile(r"(?:\b(?:birthday|anniversary)\b|誕生日|記念日)[^.。、,]{0,12}$", re.IGNORECASE)
_FRACTION: Final = re.compile(r"\d{1,2}/\d{1,2}")
_COUNTER: Final = re.compile(r"\s*(?:カップ|さじ|本|個|枚|丁|束|片|袋|缶|玉|パック|量|cups?\b|tsp\b|tbsp\b|lb\b|oz\b|inch)", re.IGNORECASE)
_WINDOW: Final = re.compile(
    r"\b(?:closes?|cut-?off|cfp|submissions?|deadline|goes (?:out|live)|comes out|airs|publish|publication|issue|episode)\b|締切|締め切り|〆切|公開|配信|応募|受付|募集|入稿|発行",
    re.IGNORECASE,
)
_ENGLISH_BEFORE: Final = re.compile(
    r"(?:(?:^|(?<=[\s,(:;]))(?:(?:is|are|was|it's)\s+)?(?:due|deadline(?:\s+is)?|by|on|at|before|until|till|from|starting|no later than|not later than|within|for|in|around|effective|as of|after|since|every|each|the|this|"
    r"latest|eta)\s*[:=]?\s*)+$",
    re.IGNORECASE,
)
_PREDICATE: Final = re.compile(
    r"(?:(?:will |auto-?)?(?:expires?|ends?|closes?|opens?|renews?|starts?|begins?|runs out|is over|goes (?:out|live)|valid)\b)\s*",
    re.IGNORECASE,
)
_ENGLISH_BEHIND: Final = re.compile(
    r"(?:\s*,?\s*\b(?:at the latest|at latest|latest|sharp|deadline|if possible|please|ideally|hard deadline)\b)+", re.IGNORECASE
)
_JAPANESE_BEFORE: Final = re.compile(r"(?:遅くとも|できれば|なるべく)\s*$")
_JAPANESE_BEHIND: Final = re.compile(
    r"\s*(?:までには?|まで|迄に?|中には?|以内には?|より前に?|以前に?|前に|頃に?|ごろに?|あたりに?|いっぱい(?:で|に)?|には|に|は(?=$|[、\s])|です|でした|で|の(?!みに行)|から|付け?で?|(?:の)?締め?切り?の?|締めの?|〆切?の?|必着で?|厳守で?|消印有効で?|予定(?=$|[、\s]))*"
)


def _clauses(text: str, dates: Sequence[DatePhrase]) -> Iterator[_Clause]:
    language = _language(text)
    spans = [Span(phrase.start, phrase.end) for phrase in dates]
    idea = language.is_idea(text) or language.is_recipe(text)
    for sentence, part in enumerate(language.hard_splits(text, spans)):
        body = text[part.start : part.end]
        inner = _shifted(dates, part)
        label, skip = language.label_of(body, [Span(phrase.start, phrase.end) for phrase in inner])
        if label and language.is_idea(label):
            idea = True
        spoiled = language is _english and language.is_machine(body)  # what hangs on to such an order with "and" is part of it
        start = part.start
        led = bool(label) and any(phrase.start < skip for phrase in inner)
        if led and _is_order_of(text, part, start + skip, dates, language):
            yield _clause(text, part, dates, language, sentence, "", idea=idea, spoiled=spoiled)  # "Submit by Friday: expense report"
            continue
        if led:
            # "tomorrow: call mum": the date belongs to what follows
            yield _clause(text, Span(part.start, part.start + skip), dates, language, sentence, "", idea=idea, spoiled=False)
            start, label = part.start + skip, ""
        elif label:
            start = part.start + skip
        pieces = list(_soft(text[start : part.end], _shifted(dates, Span(start, part.end)), language))
        made = [
            _clause(
                text,
                Span(start + piece.start, start + piece.end),
                dates,
                language,
                sentence,
                label,
                idea=idea,
                spoiled=spoiled,
            )
            for piece in pieces
        ]
        if (
            label
            and not any(clause.kind == "action" for clause in made)
            and language.kind_of(label, dated=False) == "action"
            and not language.is_idea(label)
        ):
            # "call mum: birthday plans" is one order
            yield _clause(text, part, dates, language, sentence, "", idea=idea, spoiled=False)
        else:
            yield from made


def _is_order_of(text: str, part: Span, at: int, dates: Sequence[DatePhrase], language: ModuleType) -> bool:
    """Whether a dated order before a colon gets its object behind it."""
    left, right = Span(part.start, at), Span(at, part.end)
    bare = tidy(_blank(text[left.start : left.end], _shifted(dates, left), language))
    rest = _blank(text[right.start : right.end], _shifted(dates, right), language)
    return (
        language.kind_of(bare, dated=True) == "action"
        and language.is_vague(bare)
        and language.kind_of(rest, dated=False) != "action"
        and not any(phrase.role != "none" for phrase in dates if right.start <= phrase.start < right.end)
    )


def _soft(text: str, dates: Sequence[DatePhrase], language: ModuleType) -> list[Span]:
    spans = [Span(phrase.start, phrase.end) for phrase in dates]
    if language is _japanese:
        return _japanese.soft_splits(text, spans, [_around(text, phrase, language) for phrase in dates])
    return _english.soft_splits(text, spans)


def _clause(
    text: str, span: Span, dates: Sequence[DatePhrase], language: ModuleType, sentence: int, label: str, *, idea: bool, spoiled: bool
) -> _Clause:
    own = tuple(phrase for phrase in dates if span.start <= phrase.start < span.end)
    bare = _blank(text[span.start : span.end], _shifted(dates, span), language)
    kind: Kind = "machine" if spoiled else language.kind_of(bare, dated=any(phrase.role != "none" for phrase in own))
    return _Clause(span, kind, bare, own, language, sentence, label, idea)


def _language(text: str) -> ModuleType:
    return _japanese if is_cjk(text) else _english


def _shifted(dates: Sequence[DatePhrase], span: Span) -> list[DatePhrase]:
    return [
        phrase._replace(start=phrase.start - span.start, end=phrase.end - span.start)
        for phrase in dates
        if span.start <= phrase.start < span.end
    ]


def _around(text: str, phrase: DatePhrase, language: ModuleType) -> Span:
    """The date phrase with the words that only tie it to its clause."""
    start, end = phrase.start, min(phrase.end, len(text))
    before, behind = (_JAPANESE_BEFORE, _JAPANESE_BEHIND) if language is _japanese else (_ENGLISH_BEFORE, _ENGLISH_BEHIND)
    if (match := before.search(text[:start])) is not None:
        start = match.start()
    if (match := behind.match(text, end)) is not None:
        end = match.end()
    return Span(start, end)


def _blank(text: str, dates: Sequence[DatePhrase], language: ModuleType) -> str:
    """*text* without its date phrases. Those that were found to be no deadline stay: they belong to the sense."""
    out: list[str] = []
    position = 0
    for phrase in dates:
        if phrase.role == "none" and phrase.reason != "field":
            continue
        span = _around(text, phrase, language)
        out.append(text[position : max(position, span.start)])
        position = max(position, span.end)
    out.append(text[position:])
    return ("" if language is _japanese else " ").join(out)


def _item_text(text: str, language: ModuleType) -> str:
    text = tidy(strip_task_fields(text))
    return tidy(str(language.cleaned(text))).rstrip(".。 ") if text else ""


def _short(text: str) -> str:
    if width(text) <= MAX_TEXT:
        return text
    cut = text[:MAX_TEXT]
    while width(cut) > MAX_TEXT - 1:
        cut = cut[:-1]
    space = cut.rfind(" ")
    return (cut[:space] if space > len(cut) // 2 else cut).rstrip(" ,;:、。") + "…"


def _dated(found: Found, phrase: DatePhrase, offset: int) -> Found:
    return found._replace(
        due=phrase.date,
        time=phrase.time.strftime("%H:%M") if phrase.time is not None else None,
        phrase=" ".join(phrase.phrase.split()),
        confidence=phrase.confidence,
        recurrence=phrase.recurrence,
        start=offset + phrase.start,
        end=offset + phrase.end,
    )


def _deed(clause: _Clause, phrase: DatePhrase) -> str:
    """What a date says about a bare noun: what has to arrive by a day has to be sent in."""
    return "を提出" if clause.kind == "noun" and re.search(r"必着|消印有効|提出期限", phrase.phrase) and clause.text.strip() else ""


def _takes(clause: _Clause, own: Sequence[DatePhrase]) -> bool:
    """Whether a clause takes a date phrase that follows it: it has none yet, or the new one only says how often."""
    if clause.kind in {"machine", "date"}:
        return False
    held = [phrase for phrase in clause.dates if phrase.role != "none"]
    return (
        not held
        or any(phrase.recurrence for phrase in (*own, *held))
        or {phrase.date for phrase in own} <= {phrase.date for phrase in held}
    )


def _combined(dates: Sequence[DatePhrase]) -> list[DatePhrase]:
    """Phrases that speak of the same occurrence as one: "by the 1st, every month", a day and its clock time, a weekend in May."""
    kept: list[DatePhrase] = []
    for phrase in dates:
        last = kept[-1] if kept else None
        if last is not None and 0 <= phrase.start - last.end <= 1 and not (phrase.recurrence or last.recurrence):
            kept[-1] = max(last, phrase, key=lambda one: (one.confidence == "explicit", one.confidence == "inferred", one.start))
        else:
            kept.append(phrase)
    dates = kept
    plain = [phrase for phrase in dates if not phrase.recurrence]
    often = [phrase for phrase in dates if phrase.recurrence]
    if plain and often:
        plain[0] = plain[0]._replace(recurrence=often[0].recurrence, time=plain[0].time or often[0].time)
    out: dict[date, DatePhrase] = {}
    for phrase in plain or often:
        held = out.get(phrase.date)
        out[phrase.date] = (
            phrase if held is None else held._replace(time=held.time or phrase.time, recurrence=held.recurrence or phrase.recurrence)
        )
    return list(out.values())


def _once(unseen: Sequence[Unseen]) -> Iterator[Unseen]:
    yield from dict.fromkeys(unseen)
