"""The words around one date, and what follows from its role."""

from __future__ import annotations

import re
from datetime import date, time
from functools import cached_property
from typing import NamedTuple

from . import english_cues, japanese_cues
from .atoms import Atom, Line, compiled, words
from .days import add_days
from .phrases import Confidence, Role

CJK = "[぀-ヿ㐀-䶿一-鿿々〆〇ー]"
_WINDOW = 160
_SENTENCE_END = r"[.!?;](?=\s|$)|[。！？]|\s-\s"
_CLAUSE_END = r"[,;.!?:](?=\s|$)|[、。！？]|\s(?:-|->|→|\|)\s|\b(?:but|so|then|because)\b"
OVER = "this date is over"


class Judged(NamedTuple):
    """A date with its role; `start` and `end` take in the cue word beside it."""

    start: int
    end: int
    day: date
    clock: time | None
    role: Role
    confidence: Confidence
    reason: str = ""
    warning: str = ""
    recurrence: str = ""


class Around:
    """The words around one date, cut once and looked at by many rules. All in lower case."""

    def __init__(self, atom: Atom, line: Line) -> None:
        low = line.low
        self.atom = atom
        self.line = line
        self.left = low[max(0, atom.start - _WINDOW) : atom.start]
        self.spelled = low[atom.start : atom.end]
        self.right = low[atom.end : atom.end + _WINDOW]

    def before(self, pattern: str) -> bool:
        """Whether *pattern* is found left of the date (it ends in `$` when it has to touch it)."""
        return compiled(pattern).search(self.left) is not None

    def behind(self, pattern: str) -> bool:
        """Whether *pattern* follows the date."""
        return compiled(pattern).match(self.right) is not None

    def says(self, pattern: str) -> bool:
        """Whether the sentence holds *pattern*."""
        return compiled(pattern).search(self.sentence) is not None

    @cached_property
    def left_sentence(self) -> str:
        """The sentence up to the date."""
        return _after_last(_SENTENCE_END, self.left)

    @cached_property
    def right_sentence(self) -> str:
        """The sentence from the date on."""
        return _before_first(_SENTENCE_END, self.right)

    @cached_property
    def left_clause(self) -> str:
        """The clause up to the date."""
        return _after_last(_CLAUSE_END, self.left)

    @cached_property
    def right_clause(self) -> str:
        """The clause from the date on."""
        return _before_first(_CLAUSE_END, self.right)

    @cached_property
    def sentence(self) -> str:
        """The sentence without the date."""
        return f"{self.left_sentence} {self.right_sentence}"

    @cached_property
    def clause(self) -> str:
        """The clause without the date."""
        return f"{self.left_clause} {self.right_clause}"

    @cached_property
    def japanese(self) -> bool:
        """Whether the phrase is read as Japanese: it, or what touches it, is; in doubt a mixed line is."""
        if self.line.low.isascii():
            return False
        if compiled(CJK).search(self.spelled):
            return True
        near = self.left[-12:] + self.right[:12]
        if compiled(CJK).search(near):
            return True
        return not compiled(r"[a-z]{2}").search(near) and compiled(CJK).search(self.left[-40:] + self.right[:40]) is not None

    @cached_property
    def due_before(self) -> re.Match[str] | None:
        """The English deadline word before the date."""
        return compiled(english_cues.DUE_BEFORE).search(self.left[-64:])

    @property
    def cue(self) -> str:
        """The English deadline word before the date, or ""."""
        return self.due_before["cue"] if self.due_before else ""

    @cached_property
    def due_before_japanese(self) -> bool:
        """Whether 期限, 〆切 or the like stands before the date."""
        return compiled(japanese_cues.DUE_BEFORE).search(self.left[-32:]) is not None

    @cached_property
    def due_behind(self) -> bool:
        """Whether a deadline word follows the date."""
        return self.behind(japanese_cues.DUE_BEHIND) or self.behind(japanese_cues.DUE_VERB_BEHIND) or self.behind(english_cues.DUE_BEHIND)

    @cached_property
    def strictly_due(self) -> bool:
        """Whether a deadline word stands beside the date that is no verb: 提出 may tell of what was done."""
        if self.due_before or self.due_before_japanese or self.behind(japanese_cues.DUE_BEHIND):
            return True
        return self.japanese and compiled(japanese_cues.DUE_INSIDE).search(self.spelled) is not None

    @property
    def due(self) -> bool:
        """Whether a deadline word stands beside the date."""
        return self.strictly_due or self.due_behind

    @cached_property
    def preposition(self) -> str:
        """The preposition before the date, "" when there is none."""
        found = compiled(english_cues.PREPOSITION).search(self.left[-40:])
        return found["cue"] if found else ""

    @cached_property
    def with_cue(self) -> tuple[int, int]:
        """The span of the date with the cue word that touches it: "by Friday", 金曜までに."""
        start, end = self.atom.start, self.atom.end
        if self.due_before:
            start -= len(self.left[-64:]) - self.due_before.start("cue")
        elif self.preposition in {"on", "in", "at", "for", "from", "starting"}:
            found = compiled(english_cues.PREPOSITION).search(self.left[-40:])
            start -= len(self.left[-40:]) - found.start("cue") if found else 0
        if "(" in self.line.low[start : self.atom.start] and self.right.startswith(")"):
            end += 1
        if self.atom.lead >= 0:
            start = self.atom.lead - (
                found.end() - found.start() if (found := compiled(_CLOCK_LED).search(self.line.low[: self.atom.lead])) else 0
            )
        tail = compiled(_TAIL).match(self.right)
        return start, end + (tail.end() if tail else 0)


_CLOCK_LED = r"(?<![\w-])(?:at|by|around|about|@)\s*$"
_TAIL = r"\s*[)」]?(?:の?(?:まで|迄)に?|[のに]?(?:〆切?|締め?切り?|締め|必着|厳守)|消印有効|以内に?|中に|いっぱい|(?:の|より)?前(?:まで)?に|に(?=[^\s、。]|$))"


def _after_last(pattern: str, text: str) -> str:
    end = 0
    for found in compiled(pattern).finditer(text):
        end = found.end()
    return text[end:]


def _before_first(pattern: str, text: str) -> str:
    found = compiled(pattern).search(text)
    return text[: found.start()] if found else text


# -- answers


def no_deadline(around: Around, reason: str, *, day: date | None = None) -> Judged:
    """A date that asks for no field, and why."""
    atom = around.atom
    return Judged(
        atom.start, atom.end, day or atom.last, atom.clock, "none", confidence(atom, due=False), reason, atom.warning, atom.recurrence
    )


def overdue(around: Around, role: Role) -> Judged:
    """A date that is over while something is still open."""
    atom = around.atom
    day = atom.back or atom.last
    return Judged(
        *around.with_cue, day, atom.clock, role, confidence(atom, due=True), "", OVER if day < around.line.today else atom.warning
    )


def placed(around: Around, role: Role) -> Judged:
    """A date that counts: the day that its words single out."""
    atom = around.atom
    day = _chosen(around, role)
    if _excluded(around) and atom.clock is None and not atom.recurrence:
        day = add_days(atom.first, -1) or day
    sure, warning = confidence(atom, due=around.due), atom.warning
    if long_gone(atom, around.line) or (
        not atom.dated and not atom.recurrence and atom.source in {"numeric", "month"} and (day - around.line.today).days > 366
    ):
        sure, warning = "loose", warning or f"read as {day.isoformat()}, for it names no year and is over in this one"
    return Judged(*around.with_cue, day, atom.clock, role, sure, "", warning, atom.recurrence)


def _excluded(around: Around) -> bool:
    """Whether the named day is no longer in time: before D, Dより前."""
    rest = around.due_before["rest"] if around.due_before else ""
    if around.cue in {"before", "prior to", "ahead of", "in advance of"} and "or" not in rest:
        return not around.before(r"\bbest before\W*$")  # that day is still good
    return around.behind(r"\s*(?:(?:の|より)前|前(?!後|半|年|回|日|週|月|払)(?=まで|に|の|は|、|。|$|[一-龥ァ-ヶ]))")


def _chosen(around: Around, role: Role) -> date:
    """Of a stretch: a deadline takes the end, an event the start; a period is its last day, seasons and "from" their first."""
    atom = around.atom
    match atom.kind:
        case "range":
            if atom.first < around.line.today or compiled(f"{english_cues.LASTING}|{japanese_cues.LASTING}").search(around.left_clause):
                return atom.last
            if role == "track" and compiled(japanese_cues.TIME_OFF).search(around.spelled + around.right_clause[:12]):
                return atom.first
            beside = around.due or around.behind(r"\s*の?間に")
            return atom.last if beside or (role == "due" and around.preposition not in _OF_EVENTS and atom.source != "week") else atom.first
        case "span":
            if around.behind(r"\s*から") or around.preposition in {"from", "starting", "beginning", "commencing", "effective"}:
                return atom.first
            return atom.first if atom.unit == "season" and not around.behind(r"\s*中") else atom.last
        case _:
            return atom.first


_OF_EVENTS = words("for of on in during")  # "book the room for 10-12 April"


def confidence(atom: Atom, *, due: bool) -> Confidence:
    """Explicit: written out, with its year or a deadline word; loose: seasons, years, "a few days"."""
    if atom.loose or atom.unit in {"season", "year"}:
        return "loose"
    return "explicit" if atom.source in {"iso", "numeric", "month"} and (atom.dated or due) else "inferred"


# -- days without a year


def long_gone(atom: Atom, line: Line) -> bool:
    """A day without year whose next time is most of a year away, and whose last was not long ago."""
    if atom.back is None or atom.dated or atom.recurrence or atom.source not in {"numeric", "month"}:
        return False
    return (atom.first - line.today).days > 280 and (line.today - atom.back).days <= 75


def just_past(around: Around) -> bool:
    """A day without year that has only just gone by is a log entry, not next year's plan, unless a deadline word says otherwise."""
    atom = around.atom
    return not around.strictly_due and atom.back is not None and long_gone(atom, around.line) and (around.line.today - atom.back).days <= 35


def far_away(around: Around) -> bool:
    """29 February without a year and a deadline is a test case, not a plan."""
    atom = around.atom
    return not around.due and not atom.dated and atom.source in {"numeric", "month"} and (atom.first - around.line.today).days > 366
