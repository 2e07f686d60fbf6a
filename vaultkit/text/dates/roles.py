"""Whether a date is a deadline, something to watch for, or neither: told by the words around it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, time
from functools import cached_property
from typing import NamedTuple

from . import words
from .atoms import Atom, Line, compiled
from .days import add_days
from .phrases import Confidence, Role


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


_CJK = re.compile("[぀-ヿ㐀-䶿一-鿿々〆〇ー]")
_WINDOW = 160
_SENTENCE_END = r"[.!?;](?=\s|$)|[。！？]|\s-\s"
_CLAUSE_END = r"[,;.!?:](?=\s|$)|[、。！？]|\s(?:-|->|→|\|)\s|\b(?:but|so|then|because)\b"
# The deadline word that ends right before the date.
_DUE_LEFT = (
    r"(?<![\w-])(?P<cue>no later than|not later than|on or before|by or before|before or on|by|due(?:\s+date)?|deadline|before|prior to|ahead of|in advance of|until|till|til|"
    r"within|latest|cut-?off|eta|expir\w+|payable|required|needed)"
    r"(?P<rest>(?:[\s:=(\[<-]*(?:is|was|were|date|on|by|in|at|of|for|the|about|around|approx|roughly|early|this|like|end of|latest|some ?time|at the latest|no later than|moved to|set for|extended to|now|pay(?:able)?))*)[\s:=(\[<{\"'-]*$"
)
_PREPOSITION = (
    r"(?<![\w-])(?P<cue>on|in|at|for|from|starting|beginning|commencing|effective|through|thru|to|after|over|around|about|during|this|is|are|of|as of|since|between|and|or|or by|@|sometime|some time|maybe|come|see you|latest by|"
    r"probably|ideally|til|up to|falls on|lands on|next|towards?|w/c|week commencing)(?:\s+(?:the|about|around|approx\.?|like|early|sometime|some time|on|in|of))*[\s:(~]*$"
)
_OVERDUE_BACK = r"\b(?:overdue|past due|was due|were due|was supposed|were supposed|should've|should have been|was meant|was expected|were expected|missed (?:the )?\w*\s?deadline|deadline was)\b"
_STILL = (
    r"\bstill (?:need|not|no\b|haven't|hasn't|to\b|unpaid|open|waiting|outstanding|owe|pending|missing|undone)|\b(?:haven't|hasn't|not yet|nothing yet|no (?:reply|answer|response)|unpaid|unanswered|outstanding|late)\b"
)
_FIELD = r"(?P<key>[📅📆🗓⏳🛫➕✅❌🔁]️?|[a-z][a-z_-]*(?=\s?::?|=)|[一-龥ぁ-んァ-ヶー]{1,6}(?=\s?::?))\s?(?:::?|=)?\s*[\"']?$"
_DUE_KEYS = frozenset("📅 📆 🗓 due deadline due-date due_date duedate 締切 締切日 締め切り 〆切 期限 期日 納期 by until expires expiry renewal renews".split())
_DEAD_KEYS = frozenset(
    """⏳ 🛫 ➕ ✅ ❌ 🔁 created updated modified completed completion done cancelled canceled start scheduled published created_at updated_at date_created last_modified
    last-modified lastmod t since born dob posted uploaded accessed retrieved timestamp version build ver copyright effective_from 更新日 更新 作成日 作成 登録日 発行日 投稿日 公開日 撮影日 生年月日
    最終更新 最終更新日 作成日時 更新日時 記録日 購入日 入社日 設立""".split()
)
_AHEAD_KEYS = frozenset(("更新日", "更新", "公開日", "発行日", "start", "published"))  # a day ahead under these is a plan
_DATE_KEYS = frozenset("date day daily 日付 議事録 日記".split())
_META_LEFT = r"(?:\b(?:created|modified|updated|published|posted|uploaded|accessed|retrieved|dated|born|since|as of|copyright|©|\(c\)|established|est\.|founded|built|released|last (?:edit(?:ed)?|update[d]?|change[d]?|modified|reviewed|login|seen|backup))(?: (?:on|in|at))?|(?:創業|設立|創立|開業|作成|最終更新|投稿|撮影|生年月日|竣工|初版|作成日|記録日)(?:日|は|:|：|\s)*)\s*[:：]?\s*$"


class Around:
    """The words around one date, cut once and looked at by many rules."""

    def __init__(self, atom: Atom, line: Line) -> None:
        low = line.low
        self.atom = atom
        self.text = low
        self.left = low[max(0, atom.start - _WINDOW) : atom.start]
        self.spelled = low[atom.start : atom.end]
        self.right = low[atom.end : atom.end + _WINDOW]
        self.japanese = bool(_CJK.search(low, max(0, atom.start - 40), atom.end + 40))

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
        """The clause without the date; an introductory date belongs to what follows its comma."""
        if not self.left_clause.strip() and not self.right_clause.strip():
            return self.sentence
        return f"{self.left_clause} {self.right_clause}"

    @cached_property
    def due_left(self) -> re.Match[str] | None:
        """The English deadline word before the date."""
        return compiled(_DUE_LEFT).search(self.left[-64:])

    @cached_property
    def due_left_japanese(self) -> bool:
        """Whether 期限, 〆切 or the like stands before the date."""
        return bool(compiled(words.JA_DUE_LEFT).search(self.left[-32:]))

    @property
    def cue(self) -> str:
        """The English deadline word before the date, or ""."""
        return self.due_left["cue"] if self.due_left else ""

    @cached_property
    def due_right(self) -> re.Match[str] | None:
        """The deadline word after the date."""
        return compiled(words.JA_DUE_RIGHT).match(self.right) or compiled(words.JA_DUE_SOFT).match(self.right) or compiled(
            r"\s*[,(]?\s*(?:\S+\s)?(?:deadline|due\b(?! to| diligence)|cut-?off|at the latest|latest|or (?:else|get|lose|pay|they|we))"
        ).match(self.right)

    @cached_property
    def preposition(self) -> str:
        """The preposition before the date, "" when there is none."""
        found = compiled(_PREPOSITION).search(self.left[-40:])
        return found["cue"] if found else ""

    @property
    def due(self) -> bool:
        """Whether a deadline word stands beside the date."""
        return self.strictly_due or bool(self.due_right)

    @cached_property
    def strictly_due(self) -> bool:
        """The same without verbs that may tell of what was done (提出)."""
        if self.due_left or self.due_left_japanese or compiled(words.JA_DUE_RIGHT).match(self.right):
            return True
        return bool(self.japanese and compiled(r"(?:中|いっぱい|以内|じゅう|内|うちに)に?$").search(self.spelled))


def judge(atom: Atom, line: Line, quoted: Sequence[tuple[int, int]]) -> Judged | None:
    """The role of *atom*; None when what was read as a date is none."""
    around = Around(atom, line)
    if any(start < atom.start and atom.end < end for start, end in quoted):
        return _none(atom, "quoted")
    field = _field(around, line)
    if field is not None:
        return field
    if atom.past:
        return _looking_back(around, line)
    if around.japanese and not _english(around, atom):
        return _judge_japanese(around, line)
    return _judge_english(around, line)


def _english(around: Around, atom: Atom) -> bool:
    """A Latin phrase in a mixed line is judged by the language that surrounds it; ties go to Japanese."""
    near = around.left[-12:] + around.right[:12]
    return not _CJK.search(near) and bool(re.search(r"[a-z]{2}", near)) and not _CJK.search(around.text, atom.start, atom.end)


def _after_last(pattern: str, text: str) -> str:
    last = None
    for last in compiled(pattern).finditer(text):  # noqa: B007
        pass
    return text[last.end() :] if last else text


def _before_first(pattern: str, text: str) -> str:
    found = compiled(pattern).search(text)
    return text[: found.start()] if found else text


def _none(atom: Atom, reason: str, *, day: date | None = None) -> Judged:
    return Judged(atom.start, atom.end, day or atom.last, atom.clock, "none", _confidence(atom, due=False), reason, atom.warning, atom.recurrence)


def _confidence(atom: Atom, *, due: bool) -> Confidence:
    if atom.loose or atom.unit in {"season", "year"}:
        return "loose"
    if atom.source in {"iso", "numeric", "month"} and (atom.dated or due):
        return "explicit"
    return "inferred"


def _field(around: Around, line: Line) -> Judged | None:
    """A date that stands in task syntax or under a metadata key."""
    atom = around.atom
    if atom.kind != "day" or atom.source not in {"iso", "stamp", "numeric", "month"}:
        return None
    if atom.source == "stamp" and not around.due:
        return _none(atom, "log")
    found = compiled(_FIELD).search(around.left[-24:])
    key = found["key"].rstrip("\ufe0f") if found else ""
    if key in _DUE_KEYS and (atom.dated or not around.japanese):
        if compiled(r"^\s*(?:[-*+]|\d+[.)])\s+\[[xX-]\]\s").match(line.low):
            return _none(atom, "done")
        reason = "field" if key in "📅📆🗓" or around.left.rstrip().endswith("::") else ""
        role: Role = "track" if key in {"expires", "expiry", "renewal", "renews"} else "due"
        span = (atom.start, atom.end) if reason else _with_cue(around)
        return Judged(*span, atom.first, atom.clock, role, "explicit", reason, atom.warning)
    if key in _AHEAD_KEYS and not around.left.rstrip().endswith("::") and atom.last > line.today and (atom.dated or around.japanese):
        return None
    if key in _DEAD_KEYS or (key in _DATE_KEYS and atom.last <= line.today):
        return _none(atom, "metadata")
    if compiled(_META_LEFT).search(around.left[-32:]) and not re.search(r"\b(?:overdue)\b", around.left):
        return _none(atom, "metadata")
    return None


def _looking_back(around: Around, line: Line) -> Judged:
    """last Friday, yesterday, 先週: over, unless something is still open."""
    atom = around.atom
    day = atom.back or atom.last
    if around.japanese:
        open_still = compiled(words.JA_OVERDUE).search(around.sentence + around.right) and compiled(r"期限|締|〆|はず|予定|まで|約束|返却|納品|提出|支払|引き落とし").search(around.sentence + around.right)
    else:
        open_still = compiled(_OVERDUE_BACK).search(around.sentence) or (compiled(_STILL).search(around.sentence + around.right) and compiled(r"\b(?:due|from|deadline|supposed|promised|expected|invoice|bill)\b").search(around.sentence))
    if not open_still:
        return _none(atom, "past", day=day)
    role: Role = "track" if compiled(words.EN_WAITING).search(around.sentence) else "due"
    return Judged(atom.start, atom.end, day, None, role, "inferred", warning="this date is over" if day < line.today else "")


# -- English


def _judge_english(around: Around, line: Line) -> Judged | None:
    atom = around.atom
    due = around.due
    overdue = bool(compiled(_OVERDUE_BACK).search(around.sentence))
    back = atom.back is not None and overdue and around.cue not in {"by", "before", "until", "till"} or (overdue and atom.back is not None and bool(re.search(r"\b(?:was|were|should've|should have been) (?:due|supposed|meant|expected|\w+)", around.left_clause)))
    if back:
        day = atom.back or atom.last
        role: Role = "track" if compiled(words.EN_WAITING).search(around.sentence) else "due"
        start, end = _with_cue(around)
        return Judged(start, end, day, atom.clock, role, _confidence(atom, due=True), warning="this date is over" if day < line.today else "")
    if _long_gone(atom, line) and compiled(_STILL).search(around.sentence + around.right):
        return Judged(*_with_cue(around), atom.back or atom.last, atom.clock, "due", _confidence(atom, due=True), warning="this date is over")
    if not _allowed_english(around, line):
        return None
    if atom.dated and atom.last < line.today and not (due or overdue):
        return _none(atom, "past")
    if around.preposition in {"since", "as of"} and "effective" not in around.left_clause:
        return _none(atom, "past", day=atom.back)
    if _past_english(around):
        return _none(atom, "past", day=atom.back)
    if _just_past(atom, line, due=due) and not compiled(words.EN_TRACK).search(around.clause):
        return _none(atom, "past", day=atom.back)
    reason = _no_deadline_english(around, line) or _far_away(atom, line, due=due)
    if reason:
        return _none(atom, reason)
    role = _role_english(around)
    return _placed(around, line, role)


def _allowed_english(around: Around, line: Line) -> bool:
    """Whether what must stand beside the phrase does."""
    atom = around.atom
    if atom.source == "dotted":
        return False
    if atom.need == 2 and atom.source != "every":
        return bool(around.due_left) and "for" not in (around.due_left["rest"] if around.due_left else "")
    if atom.source in {"clock", "clockword", "hour"}:
        return _clock_counts(around)
    if atom.need == 0:
        return True
    preposition, due = around.preposition, bool(around.due_left)
    match atom.source:
        case "today":
            return due or atom.clock is not None or bool(preposition in {"for", "starting"}) or _acts(around)
        case "bareperiod":
            return False
        case "theperiod":
            return bool(compiled(r"\b(?:within|inside)\s+$").search(around.left))
        case "plural":
            return atom.clock is not None or _acts(around)
        case "nth":
            return False
        case "every":  # an adverb
            return (not around.right_clause.strip() or bool(re.match(r"\s*(?:until|from|to|with|for|before|after)\b", around.right))) and _first_word(around.left_clause) in words.EN_ACTIONS
        case "short":
            at_head = not around.left_clause.strip(" -*[]x") and (re.match(r"\s*:", around.right) or _first_word(around.right) in words.EN_ACTIONS)
            return bool(at_head or due or (not around.right_clause.strip() and _first_word(around.left_clause) in words.EN_ACTIONS))
        case "monthname" if atom.dated and atom.last >= line.today and (_event_near(around) or _acts(around)) and not re.search(r"\bthe\s*$", around.left[-5:]):
            return True
        case "quarter" | "monthname" | "season" | "year":
            if atom.source == "quarter" and not around.right_clause.strip(" )]") and re.search(r"[:(]\s*$|\b(?:due|eta)\W*$", around.left):
                return True
            return due or (preposition in {"in", "from", "starting", "beginning", "through", "thru", "during", "this", "until", "around", "over", "effective", "sometime", "come", "towards", "toward", "to", "about"} and not re.search(r"\bthe\s*$", around.left[-5:]))
        case "period":
            if preposition or due:
                return True
            return _acts(around) or bool(compiled(words.EN_TRACK).search(around.clause)) or _event_near(around)
        case "dom":
            return _dom_counts(around)
        case "holiday":
            return due or preposition in {"on", "for", "over", "at", "from", "until", "through", "around", "during", "after", "between", "and"} or (not around.left_clause.strip() and bool(re.match(r"\s*:", around.right)))
        case _:
            return bool(due or preposition or re.search(r"[:(,-]\s*$|^\s*$", around.left))


_NO_DAY_AFTER = (  # nouns that an ordinal counts
    r"\s*-?\s*(?:place|floor|time|edition|attempt|try|grade|century|line|row|column|chapter|draft|version|item|option|step|person|people|round|quarter|half|street|st\b|avenue|ave\b|"
    r"anniversary|birthday|generation|gen\b|party|degree|class|year|season|episode|movement|symphony|amendment|percentile|iteration|run|page|paragraph|house|level|door|point|reason|rule|"
    r"law|hour|minute|kid|child|baby|book|film|movie|album|song|track|team|player|base|inning|period|lap|stage|phase|part|section|article|commandment|dimension|son|daughter|wife|husband|"
    r"most|best|largest|biggest|highest|party|hand|dose|shot|interview|date\b|week|weekend|month|sprint|release|review|pass|copy|call|reminder|notice|warning|commit|bug|issue|ticket|one\b|"
    r"grader|graders|world|order|person|rate|class|aid|name|lady|cousin|finger|gear|slot|wave|fret|string|note|century)s?\b"
)


def _dom_counts(around: Around) -> bool:
    counted = compiled(_NO_DAY_AFTER).match(around.right)
    if counted and around.preposition == "on" and _first_word(around.right) in words.EN_ACTIONS:
        counted = None  # "on the 2nd call mum"
    if counted or re.match(r"\s*(?:and|or|-|,)\s*\d{1,2}(?:st|nd|rd|th)" + _NO_DAY_AFTER, around.right):
        return False
    if around.due_left:
        return True
    if around.preposition in {"on", "for", "to", "from", "until", "through", "thru", "between", "and", "or", "around", "about", "after", "starting", "effective", "of", "this", "is", "are", "next", "falls on", "lands on", "at"}:
        return around.preposition != "of" or around.text[around.atom.start : around.atom.start + 3] == "the"
    if re.search(r"\b(?:either|both)\s+$", around.left) or re.match(r"\s*(?:and|or|-)\s*(?:the\s+)?\d{1,2}(?:st|nd|rd|th)", around.right):
        return True
    if re.search(r"^\s*(?:[-*]\s)?(?:\[.\]\s)?$|[(,:]\s*$", around.left) and (re.match(r"\s*(?:[:)]|-\s|at\b|@)", around.right) or _first_word(around.right) in words.EN_ACTIONS):
        return True
    owed = _acts(around) or _event_near(around) or re.search(r"\b(?:rent|mortgage|bill|payment|invoice|insurance|salary|payday)\b", around.left_clause)
    return bool(owed and re.match(r"\s*(?:$|[,.;!)])", around.right))


def _clock_counts(around: Around) -> bool:
    """A time of day with no day is today's when there is something to do or to attend."""
    atom = around.atom
    if re.search(r"\b(?:woke|up|until|till|since|after)\s+(?:at\s+)?$", around.left) and not _acts(around):
        return False
    if compiled(words.EN_MACHINES).search(around.sentence) or re.search(words.EN_HOURS, around.sentence):
        return False
    due = around.due_left is not None and around.cue not in {"latest", "eta"}
    placed = due or atom.source == "hour" or around.preposition in {"at", "@", "around", "from", "starting", "about"} or not around.left_clause.strip()
    return placed and (_acts(around) or _event_near(around) or (due and not re.search(r"\b(?:was|were)\b", around.left_clause)))


def _acts(around: Around) -> bool:
    """Whether the sentence tells somebody to do something: an obligation, or a bare verb at the head of a clause."""
    if compiled(words.EN_OBLIGED).search(around.sentence):
        return True
    heads = (around.left_sentence, around.left_clause, around.right_sentence, *re.split(r",\s|\band\b", around.left_sentence), around.right_clause)
    return any(_first_word(head) in words.EN_ACTIONS for head in heads)


def _first_word(text: str) -> str:
    found = compiled(r"\W*(?:- \[.\]\s*)?(?:(?:also|then|and|now|just|to|maybe|quickly|finally|first)\s+)*([a-z][a-z'-]*)").match(text)
    return found[1] if found else ""


def first_action(text: str) -> bool:
    """Whether *text* begins with a thing to do ("pack the bags")."""
    return _first_word(text) in words.EN_ACTIONS


def _event_near(around: Around) -> bool:
    return not words.EN_EVENTS.isdisjoint(re.findall(r"[a-z0-9][a-z0-9:-]*[a-z0-9]", around.sentence))


def _past_english(around: Around) -> bool:
    left = _verb_sense(around.left_clause, last=True)
    strong = around.due_left is not None or bool(around.due_right)
    if strong:
        return left == "past" and _with_subject(around.left_clause) and not compiled(words.EN_OBLIGED).search(around.left_clause)
    if re.search(r"\b(?:did|didn't|happened)\b", around.left_clause):
        return True
    if left:
        return left == "past"
    right = around.right_clause
    if around.left_clause.rstrip().endswith(" the") or around.left_clause.strip() == "the":
        right = re.sub(r"^\s*[a-z]+", "", right)  # what follows is the noun
    elif not around.left_clause.strip(" \t-*[]x(on") or around.preposition:
        right = around.right_sentence if not right.strip() or not around.left_clause.strip(" \t-*(on") else right
    return _verb_sense(right, last=False) == "past"


def _with_subject(clause: str) -> bool:
    """Whether the last past verb has its subject beside it ("we finished …"), so that it is no participle ("slides done by …")."""
    tokens = re.findall(r"[a-z']+", clause)
    for at in range(len(tokens) - 1, -1, -1):
        if tokens[at] in {"was", "were", "had", "did"}:
            return True
        if _is_past(tokens, at):
            return at > 0 and tokens[at - 1] in words.EN_SUBJECTS | {"already", "just"}
    return False


def _is_past(tokens: Sequence[str], at: int) -> bool:
    word = tokens[at]
    before = tokens[at - 1] if at else ""
    if word in words.EN_MOVED and at + 1 < len(tokens) and tokens[at + 1] in {"to", "from", "back", "out", "up", "forward"}:
        return False
    if word in words.EN_FINITE_PAST:
        return word not in {"gone", "done"} or before not in words.EN_BE
    if not word.endswith("ed") or len(word) < 4 or word in words.EN_NOT_PAST_ED or word in words.EN_STILL_AHEAD:
        return False
    return before not in words.EN_BE and before not in words.EN_DETERMINERS and not before.endswith("n't")


def _verb_sense(clause: str, *, last: bool) -> str:
    """ "past", "ahead" or "" by the verb nearest to the date."""
    tokens = re.findall(r"[a-z']+", clause[-100:] if last else clause[:100])
    order = range(len(tokens) - 1, -1, -1) if last else range(len(tokens))
    for at in order:
        word = tokens[at]
        if _is_past(tokens, at):
            return "past"
        if word == "to" and (at + 1 == len(tokens) or tokens[at + 1] in words.EN_DETERMINERS or tokens[at + 1] in {"me", "us", "him", "them", "you"}):
            continue
        if word in words.EN_OVER_WITH_WAS and at and tokens[at - 1] in {"was", "were"}:
            return "past"
        if word in words.EN_PRESENT or word in words.EN_STILL_AHEAD or word in words.EN_MOVED:
            return "ahead"
        if word in words.EN_ACTIONS and (at == 0 or tokens[at - 1] in {"to", "and", "please", "must", "should", "will", "can", "then", "also"}):
            return "ahead"
    return ""


def _long_gone(atom: Atom, line: Line) -> bool:
    """A day without year whose next time is most of a year away, and whose last was not long ago."""
    if atom.back is None or atom.dated or atom.recurrence or atom.source not in {"numeric", "month"}:
        return False
    return (atom.first - line.today).days > 280 and (line.today - atom.back).days <= 75


def _far_away(atom: Atom, line: Line, *, due: bool) -> str:
    """29 February without a year and a deadline is a test case, not a plan."""
    return "no cue" if not due and not atom.dated and atom.source in {"numeric", "month"} and (atom.first - line.today).days > 366 else ""


def _just_past(atom: Atom, line: Line, *, due: bool) -> bool:
    """A day without year that has only just gone by is a log entry, not next year's plan, unless a deadline word says otherwise."""
    return not due and atom.back is not None and _long_gone(atom, line) and (line.today - atom.back).days <= 35


def _no_deadline_english(around: Around, line: Line) -> str:
    """Why an allowed phrase is none after all."""
    atom = around.atom
    if atom.source == "weekdays" and re.search(words.EN_HOURS, around.sentence):
        return "habit"
    if atom.source == "weekdays" and re.match(r"\s*,?\s*\d{1,2}(?::\d\d)?\s?(?:am|pm)?\s*-\s*\d", around.right):
        return "habit"
    if atom.source == "allday" and around.preposition == "at" and around.spelled.endswith("the day") and not _acts(around):
        return "idiom"
    if atom.recurrence or atom.kind == "every":
        if compiled(_REMARK).match(around.right):
            return "habit"
        if compiled(words.EN_MACHINES).search(around.sentence):
            return "habit"
        if atom.kind == "every" and atom.clock is None and not _acts(around) and not _event_near(around):
            return "habit"
        if re.match(r"\s*(?:i|we|he|she|they|it)\s", around.right) and not compiled(words.EN_OBLIGED).search(around.right_clause):
            return "habit"
        if re.search(r"\b(?:i|we|he|she|they|used to|always|usually)\s+\w+\s+(?:\w+\s+)?$", around.left_clause) and not compiled(words.EN_OBLIGED).search(around.left_clause) and not _acts(around):
            return "habit"
    if atom.source in {"weekday", "weekdays", "holiday"} and not around.due_left and _in_title(atom, line):
        return "quoted"
    if around.preposition == "" and re.match(r"\s+(?:of|after|from|following)\s+(?!now\b|today\b|tomorrow\b)[a-z]", around.right) and atom.source == "relative" and atom.number:
        return "no date to count from"
    if atom.source in {"weekday", "weekdays"} or atom.kind == "weekday":
        if re.search(r"\b(?:usually|typically|always|often|normally|generally|mostly)\b", around.clause) and not _acts(around):
            return "habit"
        if re.search(r"\b(?:first|second|third|fourth|fifth|\d(?:st|nd|rd|th))\s+$", around.left) and not atom.recurrence:
            return "modifier"
        if not around.due_left and re.search(r"\b(?:an?|some|any|no|one|another|every single|like|than|typical|average|lazy|quiet|rainy|busy)\s+(?:\w+\s+)?$", around.left[-24:]) and atom.kind == "weekday" and not around.due_right:
            if not re.search(r"\b(?:week|fortnight|month)\s+(?:on|from)\s+$", around.left):
                return "habit"
        if re.search(words.EN_HOURS, around.sentence) and atom.source == "weekdays":
            return "habit"
        if re.match(r"\s*(?:standards|vibes|mood|blues|feeling|motivation|energy|morning blues)\b", around.right):
            return "modifier"
    if atom.source in {"weekday", "numeric", "month", "relative", "quarter", "monthname"} and _modifies(around, line):
        return "modifier"
    if around.preposition == "after" and atom.source in {"monthname", "year", "quarter", "season"}:
        return "no cue"
    if atom.source in {"weekday", "relative", "period", "weekdays", "today"} and not around.due and compiled(_REMARK).match(around.right):
        return "habit"
    if compiled(r"\bcancel+ed\b|\bcalled off\b").search(around.clause):
        return "cancelled"
    return ""


def _in_title(atom: Atom, line: Line) -> bool:
    """Whether capitals on both sides make the day a part of a name."""
    if not line.text[atom.start : atom.start + 1].isupper():
        return False
    after = compiled(r"(?:'s)?((?:\s[A-Z][a-z]+)+)").match(line.text[atom.end : atom.end + 60])
    left = line.text[max(0, atom.start - 40) : atom.start]
    before = compiled(r"\b[A-Z][a-z]+\s$").search(left)
    inner = before and before.start() > 0 and not compiled(r"[.!?:]\s$").search(left[: before.start()])
    return bool(after and (inner or len(after[1].split()) > 1))


_REMARK = (
    r"\s*(?:is|'s|looks?|seems?|feels?|will be|sounds?|works?)\s+(?:\w+\s+){0,2}(?:busy|another day|good|bad|fine|free|off|great|crazy|packed|quiet|slow|nice|sunny|cold|hot|hectic|full|"
    r"the same|the worst|the best|my favou?rite|a bad day|a good day|a holiday|rainy|warm|wet|windy|weird|tight|light|open|clear)\b"
)


def _modifies(around: Around, line: Line) -> bool:
    """Whether the phrase is part of a name or describes the noun behind it ("Sunday roast", "the Friday agreement")."""
    atom = around.atom
    if atom.clock is not None or atom.warning:
        return False
    found = re.match(r"\s+([a-z][a-z'-]*)", around.right)
    if not found:
        return False
    word = found[1]
    if word in words.EN_FREE_NEXT or word in words.EN_ACTIONS or word in words.EN_EVENTS:
        return False
    prepared = bool(around.due_left or around.preposition)
    if atom.source == "month":
        return around.preposition in {"for", "of", "about"} and not around.due_left and not (_event_near(around) or word in words.EN_PRESENT)
    if atom.source == "numeric":
        if prepared:
            return around.preposition == "on" and word.endswith("ing")
        return not (_event_near(around) or _acts(around) or atom.kind == "range")
    if atom.source == "relative" or (prepared and atom.source != "quarter"):
        return False
    if atom.source in {"quarter", "monthname"}:
        return False
    return not (_event_near(around) or _acts(around))


def _role_english(around: Around) -> Role:
    clause = around.clause
    tracked = compiled(words.EN_TRACK).search(around.left_clause + " " + around.right_clause)
    if compiled(words.EN_WAITING).search(around.sentence):
        return "track"
    if around.due:
        stated = compiled(r"\b(?:expir\w+|valid|ends?|closes?|trial|warranty|lease|renew(?:s|al)|pricing|offer|freeze|closed)\b").search(around.left_clause)
        if around.cue.startswith("expir") or (stated and _first_word(around.left_clause) not in words.EN_ACTIONS):
            return "track"
        return "due"
    if compiled(words.EN_OBLIGED).search(clause) or _first_word(around.left_clause) in words.EN_ACTIONS - {"meet", "visit", "see", "attend", "join", "start", "begin", "end"}:
        return "due"
    if tracked:
        return "track"
    if _acts(around):
        return "due"
    return "track"


# -- Japanese


def _judge_japanese(around: Around, line: Line) -> Judged | None:
    atom = around.atom
    due = around.due
    clause = around.right_clause
    past = _past_japanese(clause, around.right_sentence)
    overdue = atom.back is not None and bool(
        re.match(r"\s*(?:が|は|に)?[^、。]{0,8}?(?:期限|締切|締め切り|〆切|納期|返却日|提出日|予定|まで)?(?:だった|でした|だったのに|に(?:返す|出す|来る|届く)(?:はず|予定)だった)", clause)
    )
    if overdue and (compiled(words.JA_OVERDUE).search(around.text) or due or re.search(r"期限|締|〆|返却|納期|提出", around.left_clause)):
        day = atom.back or atom.last
        return Judged(*_with_cue(around), day, atom.clock, "due", _confidence(atom, due=True), warning="this date is over" if day < line.today else "")
    if _long_gone(atom, line) and (re.search(r"(?:遅れ|超過|過ぎ|滞納|延滞|未払い?|未提出)[^、。]{0,3}$", around.left) or compiled(words.JA_OVERDUE).search(around.sentence + around.right)):
        return Judged(*_with_cue(around), atom.back or atom.last, atom.clock, "due", _confidence(atom, due=True), warning="this date is over")
    if not _allowed_japanese(around):
        return None
    if atom.dated and atom.last < line.today and not (due and compiled(words.JA_OVERDUE).search(around.text)):
        if not around.due_left_japanese:
            return _none(atom, "past")
    if re.match(r"\s*(?:以降|以来|時点|現在|頃から|ごろから|生まれ|生れ|入社|設立|創業|発足|付の|発行|撮影)", around.right):
        return _none(atom, "past", day=atom.back)
    if past and (not around.strictly_due or re.match(r"\s*(?:まで(?!に)|(?:以前|前)に?)", around.right) or around.spelled.endswith(("以内", "中"))):
        return _none(atom, "past", day=atom.back)
    if _just_past(atom, line, due=due) and not compiled(words.JA_TRACK).search(around.sentence):
        return _none(atom, "past", day=atom.back)
    reason = _no_deadline_japanese(around) or _far_away(atom, line, due=due)
    if reason:
        return _none(atom, reason)
    return _placed(around, line, _role_japanese(around))


def _past_japanese(clause: str, sentence: str) -> bool:
    text = clause if clause.strip(" 、,()") else sentence
    if compiled(words.JA_STILL_AHEAD).search(text):
        return False
    return bool(compiled(words.JA_PAST).search(text))


def _allowed_japanese(around: Around) -> bool:
    atom = around.atom
    if atom.source == "dotted":
        return around.due_left_japanese or bool(re.match(r"\s*(?:\([月火水木金土日]\))?\s*(?:〆|締|必着|期限)", around.right))
    if atom.need == 2:
        return around.due
    right = around.right
    if atom.source in {"clock", "clockword"}:
        if re.search(r"\d|時", around.right[:3]) or atom.unit == "hours":
            return bool(compiled(r"会議|打ち合わせ|面談|定例").search(around.sentence)) and not compiled(words.JA_HABIT).search(around.sentence)
        if compiled(words.JA_HABIT).search(around.sentence) or re.search(r"毎|から$|より$", around.left[-6:]):
            return False
        if not around.left_clause.strip(" -*[]") and compiled(r"[\s:]*(?:" + words.JA_TRACK + ")").match(right):
            return True
        if re.match(r"\s*まで(?!に)", right) and not compiled(words.JA_ACTIONS).search(around.right_clause[:12]):
            return False
        return bool(re.match(r"\s*(?:まで|に(?!な)|から|より|〜|~|厳守|締|〆|必着|開始|集合|発|スタート)", right) or around.due_left_japanese)
    if atom.unit == "minute":
        return bool(compiled(words.JA_ACTIONS + "|" + words.JA_TRACK).search(around.sentence))
    if atom.need == 0:
        return True
    match atom.source:
        case "today":
            if atom.clock is not None or (around.due and not re.match(r"\s*は", right)) or compiled(r"\s*[はの、]?\s*(?:" + words.JA_TRACK + ")").match(right):
                return True
            return bool(re.match(r"\s*(?:は|の|に|こそ)?[^。]*", around.right_clause)) and bool(compiled(words.JA_ACTIONS).search(around.right_clause)) and not compiled(words.JA_STATEMENT).search(around.right_sentence)
        case "dom":
            return around.due or bool(
                re.match(
                    r"\s*(?:に(?![0-9一二三四五六七八九十]{1,2}[冊回度本個杯枚人食])|の|は|から|[~(,、。-]|$|午|\d|朝|夜|夕|昼|正午|発|着|付|が|と|か|頃|ごろ|前後|予定|開始|スタート|公開|リリース|限り|でお願い|で(?:提出|納品|締|切|終)|\s|" + words.JA_TRACK + ")", right
                )
            ) and (not re.match(r"\s*(?:に[一1]回|に[一1]度|は(?:かかる|必要))", right))
        case "holiday":
            return around.due or bool(re.match(r"\s*(?:に(?!は?(?:ちな|関))|は|当日|から|休み|前|、|$)", right))
        case "period" | "edge":
            if around.due or re.match(r"\s*(?:に(?!は?(?:ない|な))|から|より|以内|開始|頃|ごろ|予定|公開|発売|リリース|スタート|納品|入稿|オープン|開催)", right):
                return True
            if re.match(r"\s*の", right):
                return atom.unit == "week" and bool(compiled(words.JA_TRACK).match(re.sub(r"^\s*の", "", right)))
            if atom.unit in {"year", "fiscal", "month"} and atom.source == "period" and re.match(r"\s*[はもが]", right):
                return bool(compiled(words.JA_TRACK).search(around.right_clause))
            return bool(compiled(words.JA_ACTIONS).search(around.right_clause) or compiled(words.JA_TRACK).search(around.right_clause)) or (
                not around.right_clause.strip() and bool(compiled(words.JA_ACTIONS + "|" + words.JA_TRACK).search(around.left_sentence))
            )
        case "within":
            return around.due or bool(re.match(r"\s*(?:に|で|$|、)", right)) or bool(compiled(words.JA_ACTIONS).search(around.right_clause))
        case "quarter" | "monthname" | "season" | "year":
            return around.due or bool(re.match(r"\s*(?:に|中|末|内|から|頃|ごろ|開始|予定)", right))
        case "every":
            return atom.clock is not None or bool(compiled(words.JA_ACTIONS).search(around.right_clause) and not re.match(r"\s*[がも]", right))
        case "nth":
            return True
        case _:
            return around.due or bool(re.match(r"\s*(?:に|の|は|から|[~(、。]|$)", right))


def _no_deadline_japanese(around: Around) -> str:
    atom, sentence = around.atom, around.sentence
    habitual = compiled(words.JA_HABIT).search(sentence)
    if habitual and (atom.kind == "weekday" or atom.source in {"weekday", "weekdays", "every"} or atom.recurrence):
        return "habit"
    if (atom.recurrence or atom.kind == "every") and compiled(words.JA_MACHINES).search(sentence):
        return "habit"
    if re.match(r"\s*(?:は|なら|だけ|ほど|らしい|っぽい)?\s*(?:中止|キャンセル(?:に|され|した)|なし$|取りやめ)", around.right):
        return "cancelled"
    if re.match(r"\s*(?:への|な(?![のら])|もよろしく|に(?:ありがち|よくある|限って|なると|なったら)|を(?:忘れ|思い|振り返))", around.right):
        return "modifier"
    if atom.source == "relative" and atom.number and re.search(r"(?:から|後|以来|より)\s*$", around.left):
        return "no date to count from"
    named = atom.source in {"weekday", "relative", "today"} and not around.due and atom.clock is None
    if named and re.match(r"\s*が", around.right) and not compiled(r"\s*が[^、。]{0,8}(?:" + words.JA_TRACK + ")").match(around.right):
        return "modifier"
    if named and atom.source == "weekday" and re.match(r"\s*の(?!朝|昼|夕|夜|晩|深夜|午|正午|[0-9])", around.right):
        if not compiled(words.JA_TRACK + "|" + words.JA_ACTIONS).search(around.right_clause):
            return "modifier"
    if atom.source == "weekday" and re.match(r"(?:[^、。]{0,6}劇場|会(?!議|合|食|見|場|計)|サスペンス|ロードショー|ドラマ|劇場|洋画|どうでしょう|大工|スペシャル|ショー|シネマ|プレミアム|版|生まれ|美術館|のたわわ|日記|クラブ|朝市)", around.right):
        return "modifier"
    if not around.due and atom.clock is None and compiled(words.JA_STATEMENT).search(around.right_sentence) and not re.search(r"(?:買|行|会|食べ|送|出|やり|し)(?:い)?たい$", ""):
        return "habit"
    if re.search(r"なら$|だったら$", around.right_clause):
        return ""
    return ""


def _role_japanese(around: Around) -> Role:
    clause = around.left_clause + " " + around.right_clause
    sentence = around.sentence
    if compiled(r"返事待ち|待ち|約束|届くはず|届く予定|届く$|振り込まれ|返金される").search(sentence):
        return "track"
    if compiled(r"(?:切れ|失効|満了|終了|終わ|有効(?!にする)|保証)").search(clause) and not compiled(r"消印有効").search(clause):
        return "track"
    if around.due:
        return "due"
    if compiled(words.JA_ACTIONS).search(around.right_clause) and not compiled(words.JA_TRACK).search(around.right_clause):
        return "due"
    if compiled(words.JA_TRACK).search(clause):
        return "track"
    return "due" if compiled(words.JA_ACTIONS).search(clause if clause.strip() else sentence) else "track"


# -- the day that counts


def _placed(around: Around, line: Line, role: Role) -> Judged:
    atom = around.atom
    rest = around.due_left["rest"] if around.due_left else ""
    day = _chosen(around, line, role)
    before = around.cue in {"before", "prior to", "ahead of", "in advance of"} and "or" not in rest
    before = before or bool(re.match(r"\s*(?:(?:の|より)前|前(?!後|半|年|回|日|週|月|払)(?=まで|に|の|は|、|。|$|[一-龥ァ-ヶ]))", around.right))
    if before and atom.clock is None and not atom.recurrence:
        day = add_days(atom.first, -1) or day
    start, end = _with_cue(around)
    return Judged(start, end, day, atom.clock, role, _confidence(atom, due=around.due), "", atom.warning, atom.recurrence)


def _chosen(around: Around, line: Line, role: Role) -> date:
    """Of a stretch: a deadline takes the end, an event the start; a period is its last day, seasons and "from" their first."""
    atom = around.atom
    if atom.kind == "range":
        lasting = compiled(r"\b(?:valid|warranty|certificate|validity|good for|cert)\b|有効|保証|受付|募集|申込|申請期間|提出期間|納付期間|応募").search(around.left_clause) or atom.first < line.today
        ends = bool(lasting) or role == "due" or bool(around.due_right) or bool(re.match(r"\s*(?:の間に|間に)", around.right)) or bool(re.search(r"\bbetween\s+$", around.left) and role == "due")
        return atom.last if ends else atom.first
    if atom.kind != "span":
        return atom.first
    if re.match(r"\s*から", around.right) or around.preposition in {"from", "starting", "beginning", "commencing", "effective"}:
        return atom.first
    if atom.unit == "season":
        inside = around.preposition in {"in", "during", "over", "this"} or re.match(r"\s*中", around.right)
        return atom.last if inside else atom.first
    return atom.last


def _with_cue(around: Around) -> tuple[int, int]:
    atom = around.atom
    start, end = atom.start, atom.end
    if around.due_left:
        start -= len(around.left[-64:]) - around.due_left.start("cue")
    elif around.preposition in {"on", "in", "at", "for", "from", "starting"}:
        found = compiled(_PREPOSITION).search(around.left[-40:])
        start -= len(around.left[-40:]) - found.start("cue") if found else 0
    if "(" in around.text[start : atom.start] and around.text[end : end + 1] == ")":
        end += 1
    tail = compiled(r"\s*[)」]?(?:の?(?:まで|迄)に?|[のに]?(?:〆切?|締め?切り?|締め|必着|厳守)|消印有効|以内に?|中に|いっぱい|(?:の|より)?前(?:まで)?に|に(?=[^\s、。]))").match(around.right)
    if tail and tail.end():
        end += tail.end()
    return start, end
