"""The role of a date in English: what has to stand beside it, what is over, what only sounds like a date."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from . import english_cues as cues
from .around import Around, Judged, far_away, just_past, long_gone, no_deadline, overdue, placed
from .atoms import compiled, words
from .phrases import Role


def judge_english(around: Around) -> Judged | None:
    """The role of an English date phrase; None when it is no date."""
    atom, line = around.atom, around.line
    if (
        atom.back is not None
        and around.says(cues.OVERDUE)
        and (around.cue not in _AHEAD_CUES or compiled(cues.SHOULD_HAVE).search(around.left_clause))
    ):
        return overdue(around, "track" if around.says(cues.WAITING) else "due")
    if long_gone(atom, line) and compiled(cues.STILL).search(around.sentence + around.right):
        return overdue(around, "due")
    if not _allowed(around):
        return None
    if _is_over(around):
        return no_deadline(around, "past", day=atom.back)
    reason = next((reason for reason, holds in _NO_DEADLINE if holds(around)), "")
    return no_deadline(around, reason) if reason else placed(around, _role(around))


_AHEAD_CUES = words("by before until till")

# -- what has to stand beside the phrase

_INTO = words("in from starting beginning through thru during this until around over effective sometime come towards toward to about")
_ON = words("on for to from until through thru between and or around about after starting effective of this is are next at")
_HOLIDAY_ON = words("on for over at from until through around during after between and")


def _allowed(around: Around) -> bool:
    """Whether what must stand beside the phrase does."""
    atom = around.atom
    if atom.source in _STANDING:
        return _STANDING[atom.source](around)
    if atom.need == 2:
        return around.due_before is not None and "for" not in around.due_before["rest"]
    if atom.need == 0:
        return True
    allowed = _NEEDS.get(atom.source)
    if allowed is not None:
        return bool(around.due_before) or allowed(around)
    return bool(around.due_before or around.preposition or around.before(r"[:(,-]\s*$|^\s*$"))


def _today_counts(around: Around) -> bool:
    return around.atom.clock is not None or around.preposition in {"for", "starting"} or acts(around)


def _month_counts(around: Around) -> bool:
    """A month, quarter, season or year needs a word that leads into it, without "the": "in June", not "the June figures"."""
    atom = around.atom
    if around.before(r"\bthe\s*$"):
        return False
    if atom.source == "monthname" and atom.dated and atom.last >= around.line.today and (acts(around) or event_near(around)):
        return True
    if atom.source == "quarter" and not around.right_clause.strip(" )]") and around.before(r"[:(]\s*$"):
        return True
    return around.preposition in _INTO


def _period_counts(around: Around) -> bool:
    if around.atom.unit in {"week", "month", "weekend"} and around.left_clause.strip() and not around.right_clause.strip():
        return True  # "flu shots for the kids this month"
    return bool(around.preposition) or acts(around) or event_near(around) or compiled(cues.TRACKED).search(around.clause) is not None


def _holiday_counts(around: Around) -> bool:
    if around.before(r"\b(?:closed|off|open|closes)\s+$") and not around.right_clause.strip():
        return True
    return around.preposition in _HOLIDAY_ON or (not around.left_clause.strip() and around.behind(r"\s*:"))


def _adverb_counts(around: Around) -> bool:
    """As in "water the plants daily", but no daily newspaper."""
    free = not around.right_clause.strip() or around.behind(r"\s*(?:until|from|to|with|for|before|after)\b")
    return free and first_action(around.left_clause)


def _shorthand_counts(around: Around) -> bool:
    """As in "3d: follow up", "follow up 2w"."""
    if not around.left_clause.strip(" -*[]x") and (around.behind(r"\s*:") or first_action(around.right)):
        return True
    return not around.right_clause.strip() and first_action(around.left_clause)


def _day_counts(around: Around) -> bool:
    """A bare day of the month, and no place, floor or edition."""
    counted = around.behind(cues.COUNTED_NOUNS) and not (around.preposition == "on" and first_action(around.right))  # "on the 2nd call mum"
    if counted or around.behind(r"\s*(?:and|or|-|,)\s*\d{1,2}(?:st|nd|rd|th)" + cues.COUNTED_NOUNS):
        return False
    if around.due_before or around.preposition in _ON or around.before(r"\b(?:either|both|falls on|lands on)\s+$"):
        return around.preposition != "of" or around.spelled.startswith("the")
    if around.behind(r"\s*(?:and|or|-)\s*(?:the\s+)?\d{1,2}(?:st|nd|rd|th)"):
        return True
    at_head = around.before(r"^\s*(?:[-*]\s)?(?:\[.\]\s)?$|[(,:]\s*$")
    if at_head and (around.behind(r"\s*(?:[:)]|-\s|at\b|@)") or first_action(around.right)):
        return True
    owed = acts(around) or event_near(around) or compiled(cues.BILLS).search(around.left_clause) is not None
    return owed and around.behind(r"\s*(?:$|[,.;!)])")


def _clock_counts(around: Around) -> bool:
    """A time of day without a day is today's when there is something to do or to attend."""
    if around.before(r"\b(?:woke|up|until|till|since|after)\s+(?:at\s+)?$") and not acts(around):
        return False
    if around.says(cues.MACHINES) or around.says(cues.HOURS) or around.behind(r"\s*(?:is|was|are|were)\b"):
        return False
    due = around.due_before is not None and around.cue not in {"latest", "eta"}
    led = (
        around.atom.source == "hour"
        or around.preposition in {"at", "@", "around", "from", "starting", "about"}
        or not around.left_clause.strip()
    )
    return (due or led) and (acts(around) or event_near(around) or (due and not compiled(r"\b(?:was|were)\b").search(around.left_clause)))


_STANDING: dict[str, Callable[[Around], bool]] = {  # whatever their need
    "dotted": lambda _: False,
    "nth": lambda _: False,
    "bareperiod": lambda around: around.atom.unit == "weekend" and around.before(r"\b(?:by|before|until|till|over)\s+$"),
    "theperiod": lambda around: around.atom.need == 0 or around.before(r"\b(?:within|inside)\s+$"),
    "dom": lambda around: around.atom.need == 0 or _day_counts(around),
    "clock": _clock_counts,
    "clockword": _clock_counts,
    "hour": _clock_counts,
    "every": lambda around: around.atom.need == 0 or (around.atom.need == 1 and bool(around.preposition)) or _adverb_counts(around),
    "plural": lambda around: around.preposition != "to" and (around.atom.clock is not None or acts(around)),
}
_NEEDS: dict[str, Callable[[Around], bool]] = {  # when a deadline word is missing
    "today": _today_counts,
    "monthname": _month_counts,
    "quarter": _month_counts,
    "season": _month_counts,
    "year": _month_counts,
    "period": _period_counts,
    "holiday": _holiday_counts,
    "short": _shorthand_counts,
}


# -- things to do, things to attend


def acts(around: Around) -> bool:
    """Whether the sentence tells somebody to do something: an obligation, or a bare verb at the head of a clause."""
    if around.says(cues.OBLIGED):
        return True
    heads = (
        around.left_sentence,
        around.left_clause,
        around.right_sentence,
        around.right_clause,
        *re.split(r",\s|\band\b", around.left_sentence),
    )
    return any(map(first_action, heads))


def first_action(text: str) -> bool:
    """Whether *text* begins with a thing to do ("pack the bags")."""
    return _first_word(text) in cues.ACTIONS


def _first_word(text: str) -> str:
    found = compiled(r"\W*(?:- \[.\]\s*)?(?:(?:also|then|and|now|just|to|maybe|quickly|finally|first)\s+){0,4}([a-z][a-z'-]*)").match(text)
    return found[1] if found else ""


def event_near(around: Around) -> bool:
    """Whether the sentence names something to attend."""
    return not cues.EVENTS.isdisjoint(compiled(r"[a-z0-9][a-z0-9:-]*[a-z0-9]").findall(around.sentence))


def _role(around: Around) -> Role:
    if around.says(cues.WAITING):
        return "track"
    head = _first_word(around.left_clause)
    if around.due:
        stated = compiled(cues.STATED).search(around.left_clause) and head not in cues.ACTIONS
        return "track" if stated or around.cue.startswith("expir") else "due"
    if compiled(cues.OBLIGED).search(around.clause) or head in cues.ACTIONS - cues.ATTENDED:
        return "due"
    if compiled(cues.TRACKED).search(around.clause):
        return "track"
    some_time = around.atom.kind == "span" and around.atom.source == "period" and not event_near(around)
    return "due" if acts(around) or some_time else "track"  # "flu shots this month"


# -- what is over


def _is_over(around: Around) -> bool:
    atom = around.atom
    if atom.dated and atom.last < around.line.today and not around.due and not around.says(cues.OVERDUE):
        return True
    if around.preposition in {"since", "as of"} and "effective" not in around.left_clause:
        return True
    if _told_in_the_past(around):
        return True
    return just_past(around) and not compiled(cues.TRACKED).search(around.clause)


def _told_in_the_past(around: Around) -> bool:
    left = _verb_sense(around.left_clause, last=True)
    if around.due_before or around.due_behind:
        return left == "past" and _with_subject(around.left_clause) and not compiled(cues.OBLIGED).search(around.left_clause)
    if around.before(r"\b(?:by|before|until|due)\s+(?:[a-z']+\s+){1,3}\(\s*$"):
        return False  # "by payday (27 March)"
    if compiled(r"\b(?:did|didn't|happened)\b").search(around.left_clause):
        return True
    if left:
        return left == "past"
    right = around.right_clause
    introduces = not around.left_clause.strip(" \t-*[]x(on")
    if around.left_clause.split()[-1:] == ["the"] or around.spelled.endswith("'s"):
        right = re.sub(r"^\s*[a-z]+", "", right)  # what follows is the noun
    elif introduces or (around.preposition and not right.strip()):
        right = around.right_sentence
    return _verb_sense(right, last=False) == "past"


def _verb_sense(clause: str, *, last: bool) -> str:
    """As in "past", "ahead" or "" by the verb nearest to the date."""
    tokens = compiled(r"[a-z']+").findall(clause[-100:] if last else clause[:100])
    for at in range(len(tokens) - 1, -1, -1) if last else range(len(tokens)):
        word, before, after = tokens[at], tokens[at - 1] if at else "", tokens[at + 1] if at + 1 < len(tokens) else ""
        if _is_past(word, before, after) or (word in cues.OVER_WITH_WAS and before in {"was", "were"}):
            return "past"
        if word == "to" and (not after or after in cues.DETERMINERS or after in cues.OBJECTS):
            continue  # "to the station", no infinitive
        if word in cues.PRESENT or word in cues.STILL_AHEAD or word in cues.MOVED:
            return "ahead"
        if word in cues.ACTIONS and (not at or before in cues.TOLD_TO):
            return "ahead"
    return ""


def _is_past(word: str, before: str, after: str) -> bool:
    if word in cues.MOVED and after in cues.MOVED_ON:
        return False
    if word == "sat":
        return after in cues.SAT_ON
    if word in cues.FINITE_PAST:
        return word not in {"gone", "done"} or before not in cues.BE
    if not word.endswith("ed") or len(word) < 4 or word in cues.NOT_PAST or word in cues.STILL_AHEAD:
        return False
    if (
        before in cues.ACTIONS
        and len(after) > 3
        and not after.endswith("ly")
        and after not in cues.FREE_NEXT | cues.DETERMINERS | cues.OBJECTS
    ):
        return False  # "pay estimated taxes", "return borrowed books"
    return before not in cues.BE and before not in cues.DETERMINERS and not before.endswith("n't")


def _with_subject(clause: str) -> bool:
    """Whether the last past verb has its subject beside it ("we finished …"), so that it is no participle ("slides done by …")."""
    tokens: Sequence[str] = compiled(r"[a-z']+").findall(clause)
    for at in range(len(tokens) - 1, -1, -1):
        if tokens[at] in {"was", "were", "had", "did"}:
            return True
        if _is_past(tokens[at], tokens[at - 1] if at else "", tokens[at + 1] if at + 1 < len(tokens) else ""):
            return at > 0 and tokens[at - 1] in cues.SUBJECTS
    return False


# -- what only sounds like a date


def _is_weekday(around: Around) -> bool:
    return around.atom.kind == "weekday" or around.atom.source in {"weekday", "weekdays"}


def _opening_hours(around: Around) -> bool:
    """As in "Mon-Fri 9-5"."""
    return around.atom.source == "weekdays" and (
        around.says(cues.HOURS) or around.behind(r"\s*,?\s*\d{1,2}(?::\d\d)?\s?(?:am|pm)?\s*-\s*\d")
    )


def _idiom(around: Around) -> bool:
    return around.atom.source == "allday" and around.preposition == "at" and around.spelled.endswith("the day") and not acts(around)


def _custom(around: Around) -> bool:
    """A recurrence that is told and not asked for."""
    atom = around.atom
    if not atom.recurrence:
        return False
    if around.behind(cues.REMARK) or around.says(cues.MACHINES):
        return True
    if atom.kind == "every" and atom.clock is None and not acts(around) and not event_near(around):
        return True
    if around.behind(r"\s*(?:i|we|he|she|they|it)\s") and not compiled(cues.OBLIGED).search(around.right_clause):
        return True
    told = compiled(r"\b(?:i|we|he|she|they|used to|always|usually)\s+\w+\s+(?:\w+\s+)?$").search(around.left_clause)
    return told is not None and not acts(around)


def _some_weekday(around: Around) -> bool:
    """No weekday in particular: "on a Monday", "usually Tuesday"."""
    if not _is_weekday(around):
        return False
    if compiled(cues.USUALLY).search(around.clause) and not acts(around):
        return True
    if around.atom.kind != "weekday" or around.due_before or around.due_behind:
        return False
    return around.before(cues.SOME_WEEKDAY) and not around.before(r"\b(?:week|fortnight|month)\s+(?:on|from)\s+$")


def _remark(around: Around) -> bool:
    """As in "next week looks busy"."""
    return around.atom.source in {"weekday", "weekdays", "relative", "period", "today"} and not around.due and around.behind(cues.REMARK)


def _in_title(around: Around) -> bool:
    """Whether capitals on both sides make the day a part of a name."""
    atom, text = around.atom, around.line.text
    if around.due_before or not (_is_weekday(around) or atom.source == "holiday") or not text[atom.start].isupper():
        return False
    after = compiled(r"(?:'s)?((?:\s[A-Z][a-z]+)+)").match(text[atom.end : atom.end + 60])
    left = text[max(0, atom.start - 40) : atom.start]
    before = compiled(r"\b[A-Z][a-z]+\s$").search(left)
    inner = before and before.start() > 0 and not compiled(r"[.!?:]\s$").search(left[: before.start()])
    return bool(after and (inner or len(after[1].split()) > 1))


def _modifies(around: Around) -> bool:
    """Whether the phrase describes the noun behind it ("Sunday roast", "the third Friday book club")."""
    atom = around.atom
    nth = around.before(r"\b(?:first|second|third|fourth|fifth|\d(?:st|nd|rd|th))\s+$")
    if _is_weekday(around) and not atom.recurrence and (nth or around.behind(cues.WEEKDAY_FEELING)):
        return True
    found = compiled(r"\s+([a-z][a-z'-]*)").match(around.right)
    if not found or atom.clock is not None or atom.warning or atom.source not in {"weekday", "numeric", "month"}:
        return False
    word = found[1]
    if word in cues.FREE_NEXT or word in cues.ACTIONS or word in cues.EVENTS:
        return False
    prepared = bool(around.due_before or around.preposition)
    match atom.source:
        case "month":
            return around.preposition in {"for", "of", "about"} and not around.due_before and around.says(cues.TEST_DATA)
        case "numeric" if prepared:
            return around.preposition == "on" and word.endswith("ing")
        case _:
            return not (prepared or atom.kind == "range" or event_near(around) or acts(around))


def _counted_from_unknown(around: Around) -> bool:
    """As in "within 30 days of receipt"."""
    return (
        around.atom.source == "relative"
        and around.atom.number != 0
        and not around.preposition
        and around.behind(r"\s+(?:of|after|from|following)\s+(?!now\b|today\b|tomorrow\b)[a-z]")
    )


def _cancelled(around: Around) -> bool:
    return compiled(cues.CALLED_OFF).search(around.clause) is not None


def _earliest(around: Around) -> bool:
    """As in "not before Dec 10": the day from which on something may be done."""
    return around.cue in {"before", "prior to", "until", "till"} and around.before(cues.NOT_BEFORE)


_NO_DEADLINE: tuple[tuple[str, Callable[[Around], bool]], ...] = (
    ("not before", _earliest),
    ("habit", _opening_hours),
    ("past", lambda around: around.before(cues.LASTED_UNTIL)),
    ("no cue", lambda around: not around.due and around.before(r"\bnever again\s+(?:on|in)\s+$")),
    ("idiom", _idiom),
    ("habit", _custom),
    ("quoted", _in_title),
    ("no date to count from", _counted_from_unknown),
    ("habit", _some_weekday),
    ("modifier", _modifies),
    ("no cue", lambda around: around.preposition == "after" and around.atom.source in {"monthname", "year", "quarter", "season"}),
    ("habit", _remark),
    ("cancelled", _cancelled),
    ("no cue", far_away),
)
