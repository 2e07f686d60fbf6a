"""Which of the two fields a dated clause goes to. `text/dates` judges a phrase; here the whole clause is known. Pure.

Something to be done by then: `action_items`. Something that happens, ends or is waited for: `trackers`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, Literal

from vaultkit.capture import _english, _japanese
from vaultkit.capture.clauses import Kind
from vaultkit.text.dates import DatePhrase, DatePolicy, find_dates

Field = Literal["action_items", "trackers"]


def field_of(kind: Kind, text: str, phrase: DatePhrase, *, cjk: bool) -> Field:
    """The field for *phrase* in a clause of this *kind*; *text* is the clause without its date phrases."""
    if kind == "wait" or (kind != "action" and is_time_off(phrase)):
        return "trackers"
    cued = bool((_JAPANESE_CUE if cjk else _ENGLISH_CUE).search(phrase.phrase))
    if kind == "action":
        language = _japanese if cjk else _english
        return "trackers" if not cued and (language.is_meeting(text) or language.is_release(text)) else "action_items"
    if _japanese.holds_until(text) if cjk else _UNTIL.match(phrase.phrase):
        return "trackers"
    if _DEADLINE.search(text):
        return "action_items"
    event = bool((_JAPANESE_EVENT if cjk else _ENGLISH_EVENT).search(text))
    if phrase.role == "track":
        return "action_items" if kind == "noun" and not event and _is_ellipsis(phrase, text, cjk=cjk) else "trackers"
    if cued and not (event and kind == "event" and not _STRONG.search(phrase.phrase)):
        return "action_items"
    if event or kind == "event" or phrase.time is not None or _RANGE.search(phrase.phrase):
        return "trackers"
    return "action_items"


def bare_periods(text: str, found: Sequence[DatePhrase], *, now: datetime, policy: DatePolicy) -> list[DatePhrase]:
    """Whole coming periods at the end of a clause ("flu shots this month"), which the grammar takes for a date only beside a cue.

    Their reason is "period": in a statement they are none after all.
    """
    periods: list[DatePhrase] = []
    for match in _PERIOD.finditer(text):
        start, end = match.span("period")
        if any(phrase.start < end and start < phrase.end and phrase.role != "none" for phrase in found):
            continue
        cued = match["period"] + "までに" if match["period"][0] >= "\u3000" else "by " + match["period"]
        periods += [
            phrase._replace(start=start, end=end, phrase=match["period"], role="due", confidence="loose", reason="period")
            for phrase in find_dates(cued, now=now, policy=policy)[:1]
        ]
    return periods


def holds_period(text: str) -> bool:
    """Whether `bare_periods` may find one."""
    return _PERIOD.search(text) is not None


def is_time_off(phrase: DatePhrase) -> bool:
    """Whether the phrase itself names what goes on until its last day: 「冬休みは12月21日から1月6日まで」."""
    return _TIME_OFF.search(phrase.phrase) is not None


def is_habit(kind: Kind, text: str, phrase: DatePhrase, *, cjk: bool) -> bool:
    """Whether a repeated thing is only told ("customers complain about it every Monday"), neither an event of ours nor to be done."""
    told = kind in {"event", "fact", "past"} and phrase.time is None
    return told and phrase.role == "track" and not (_JAPANESE_EVENT if cjk else _ENGLISH_EVENT).search(text)


def begun(phrase: DatePhrase, clause: str, *, now: datetime, policy: DatePolicy) -> DatePhrase:
    """The phrase with the start of its range: an event counts from its first day; what was moved, from its new one."""
    if _MOVED.search(clause):
        return phrase  # "moved from Dec 5 to Dec 9"
    parts = _RANGE.split(phrase.phrase, maxsplit=1)
    if len(parts) < 2:
        return phrase
    first = find_dates(parts[0], now=now, policy=policy)
    if first and first[0].date <= phrase.date:
        return phrase._replace(date=first[0].date, time=phrase.time or first[0].time)
    number = re.search(r"(?<!\d)\d{1,2}(?!\d)", parts[0])
    if number is not None and 1 <= int(number[0]) < phrase.date.day:
        return phrase._replace(date=phrase.date.replace(day=int(number[0])))
    return phrase


def event_before(phrase: DatePhrase, before: str, *, now: datetime) -> str:
    """The event in "migrate it before the freeze on Dec 14", whose day *phrase* names; "" where the text says it otherwise."""
    match = _BEFORE_EVENT.search(before)
    return match["event"].strip() if match is not None and phrase.date > now.date() else ""


def day_before(phrase: DatePhrase) -> DatePhrase:
    """What is to be done before an event is due the day before it, as with "before Dec 14"."""
    return phrase._replace(date=phrase.date - timedelta(days=1), time=None)


_ENGLISH_CUE: Final = re.compile(
    r"\b(?:by|due|deadline|before|no later|not later|within|until|till?|eod|cob|eow|eom|eoy|asap|end of|latest|overdue|this (?:week|month)|through)\b|month-end|year-end",
    re.IGNORECASE,
)
_JAPANESE_CUE: Final = re.compile(
    r"まで|迄|締|〆|必着|厳守|期限|期日|納期|以内|中に|中$|いっぱい|末$|末に|消印|前に|遅くとも|\b(?:by|due|deadline)\b", re.IGNORECASE
)
_STRONG: Final = re.compile(r"\b(?:by|due|deadline|no later|before)\b|まで|締|〆|必着|厳守|期限|期日|納期", re.IGNORECASE)
_UNTIL: Final = re.compile(r"(?:until|till|til|through|thru)\b", re.IGNORECASE)
_DEADLINE: Final = re.compile(r"\b(?:deadline|due date|due)\b|締切|締め切り|〆切|納期|(?<!有効)(?<!消費)(?<!賞味)期限|期日", re.IGNORECASE)
_RANGE: Final = re.compile(r"\s*(?:[-–—~〜～]|から|\bto\b|\bthrough\b|\bthru\b)\s*(?=[^\s])", re.IGNORECASE)
_PERIOD: Final = re.compile(
    r"(?P<period>(?<![\w-])(?:this|next) (?:week|weekend|month|quarter|year)|(?:今週末?|来週末?|今月|来月|今年|年内)(?:中)?)に?(?=\s*(?:[,;.!、。]|$))",
    re.IGNORECASE,
)
_TIME_OFF: Final = re.compile(r"[春夏秋冬]休み|休暇|休業|休館")  # 「冬休みは12月21日から1月6日まで」
_MOVED: Final = re.compile(
    r"\b(?:moved|slipped|pushed|postponed|rescheduled|shifted|changed|extended|delayed|bumped|brought forward)\b|延期|変更|ずれ|延び|後ろ倒し|前倒し|リスケ|移動",
    re.IGNORECASE,
)
_BEFORE_EVENT: Final = re.compile(
    r"\bbefore (?:the |our |my |his |her )?(?P<event>(?!then\b|that\b|it\b)[a-z][\w' -]{1,40})$", re.IGNORECASE
)
_ENGLISH_EVENT: Final = re.compile(
    r"\b(?:meeting|appointment|interviews?|call|stand-?up|birthday|anniversary|wedding|party|concert|play|recital|show|game|match|tournament|race|marathon|"
    r"conference|summit|meetup|hackathon|workshop|class(?:es)?|lessons?|lecture|seminar|exam|finals|flight|train|trip|holidays?|vacation|offsite|retreat|launch|release|"
    r"kick-?off|demo|ceremony|graduation|funeral|festival|fair|dinner|lunch|brunch|breakfast|drinks|barbecue|bbq|visit|arrival|departure|delivery|viewing|hearing|surgery|"
    r"operation|check-?up|opening|election|strike|maintenance|downtime|window|freeze|session|event|debit|expiry|expiration|renewal|cut-?off|pricing|sale|season|term|semester|"
    r"all-?hands|town hall|retro|offsite|1:1|one-on-one|sync|webinar|open day|screening|premiere|eclipse|full moon|quarterly|sprint)\b",
    re.IGNORECASE,
)
_JAPANESE_EVENT: Final = re.compile(
    r"(?:会|式|祭|展|戦|祭り|大会|旅行|出張|面接|面談|会議|打ち合わせ|打合せ|定例|朝会|合宿|誕生日|記念日|歯医者|病院|通院|検診|健診|健康診断|手術|内見|見舞い|訪問|来社|来訪|飲み会|ランチ|ディナー|"
    r"試験|検査|面会|ライブ|公演|上映|放送|配信|公開|発売|開催|開始|終了|休館|休業|休み|停電|断水|工事|点検|配達|到着|入荷|引き落とし|引落し|契約更新|更新日|満期|期間|ハッカソン|セミナー|キックオフ|フライト|便|卒業|入学|"
    r"納車|立ち会い|立会い|帰省|法事|授業|講義|レッスン|セール|締結|リリース|ローンチ|デモ)(?:$|[はがのも、（(]|で|に)"
)


def _is_ellipsis(phrase: DatePhrase, text: str, *, cjk: bool) -> bool:
    """Whether the verb is only left out: 「毎月1日に家賃」, "blood test in 6 weeks"."""
    if cjk:
        return phrase.phrase.endswith("に") and not re.search(r"[はが]", text)
    return bool(re.match(r"in (?:\d+|an?|two|three|four|five|six|a few)\b", phrase.phrase, re.IGNORECASE)) and bool(text.strip())
