"""Japanese dates that are counted from now: day words, lengths of time, recurrences; and times of day."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import time

from . import days
from .atoms import Atom, Line, Need
from .japanese_calendar import NUMBER, WEEKDAY_SIGNS, W, number_of, sign_rule
from .reckon import every, moved, period, weekly

# -- days counted from today

_DAY_WORDS: Mapping[str, int] = {
    "明々後日": 3, "明明後日": 3, "しあさって": 3, "明後日": 2, "あさって": 2, "明日": 1, "あした": 1, "あす": 1, "明朝": 1, "明晩": 1, "明夜": 1, "今日": 0, "本日": 0,
    "きょう": 0, "今夜": 0, "今晩": 0, "今宵": 0, "今夕": 0, "今朝": 0, "昨日": -1, "きのう": -1, "昨夜": -1, "昨晩": -1, "ゆうべ": -1, "一昨日": -2, "おととい": -2,
}  # fmt: skip
KANA_WORDS = tuple(name for name in _DAY_WORDS if name >= "ぁ" and name <= "ん")  # the others have a kanji of their own
_DAY_NAMES = "|".join(sorted((name for name in _DAY_WORDS if name != "あす"), key=len, reverse=True))


def _day_word(found: re.Match[str], line: Line) -> Atom | None:
    word = found["word"]
    day = days.add_days(line.today, _DAY_WORDS[word])
    if day is None:
        return None
    past = day < line.today or word == "今朝"
    need: Need = 1 if day == line.today and not found["part"] and word not in {"今夜", "今晩"} else 0
    return Atom(
        *found.span(), "day", day, day, day if past else None, past=past, need=need, source="today" if day == line.today else "relative"
    )


def _next_workday(found: re.Match[str], line: Line) -> Atom:
    return moved(found.span(), 1, "workday", line)


# -- lengths of time

_UNITS = {
    "分": "minute", "時間": "hour", "日": "day", "日間": "day", "営業日": "workday", "稼働日": "workday", "平日": "workday", "週間": "week", "週": "week",
    "年": "year", "年間": "year",
}  # fmt: skip
_SMALLER = {"year": ("month", 12), "month": ("day", 30), "week": ("day", 7), "day": ("hour", 24), "hour": ("minute", 60)}


def _length(found: re.Match[str]) -> tuple[int, str, bool]:
    """The count and unit of a length, and whether it is a loose one: 3日, 半年, 1か月半, 数日."""
    word, unit = found["n2"] or found["n"], _UNITS.get(found["unit"], "month")
    smaller, factor = _SMALLER.get(unit, (unit, 1))
    if word == "半":
        return factor // 2, smaller, False
    if word == "数":
        return 3, unit, True
    count = number_of(word)
    return (count * factor + factor // 2, smaller, False) if found["half"] else (count, unit, False)


def _ahead(found: re.Match[str], line: Line) -> Atom:
    count, unit, loose = _length(found)
    return moved(found.span(), count, unit, line, loose=loose)


def _earlier(found: re.Match[str], _line: Line) -> Atom:
    """N日前: counted back from a date beside it, or the past."""
    count, unit, _ = _length(found)
    return Atom(*found.span(), "offset", number=-count, unit=unit, source="dangling", need=1)


_NEIGHBOURS = {
    "前日": (-1, "day"), "翌日": (1, "day"), "翌朝": (1, "day"), "前夜": (-1, "day"), "前営業日": (-1, "workday"), "翌々日": (2, "day"), "前々日": (-2, "day"),
}  # fmt: skip


def _neighbour(found: re.Match[str], _line: Line) -> Atom:
    count, unit = _NEIGHBOURS[found["word"]]
    return Atom(*found.span(), "offset", number=count, unit=unit, source="dangling", need=1)


def _skipping(found: re.Match[str], line: Line) -> Atom:
    """中2日: two days lie between."""
    return moved(found.span(), number_of(found["n"]) + 1, "day", line)


def _within_days(found: re.Match[str], line: Line) -> Atom:
    """一両日中, 数日中, 2、3日中."""
    count = {"一両": 2, "1両": 2, "両": 2, "数": 3}.get(found["n"]) or number_of(found["n"][-1])
    return moved(found.span(), count, "day", line, loose=True)


# -- recurrences

_EVERY: Mapping[str, tuple[int, str]] = {
    "毎日": (1, "day"), "毎朝": (1, "day"), "毎晩": (1, "day"), "毎夜": (1, "day"), "毎夕": (1, "day"), "毎食後": (1, "day"), "隔日": (2, "day"), "毎週": (1, "week"),
    "隔週": (2, "week"), "毎月": (1, "month"), "隔月": (2, "month"), "毎四半期": (3, "month"), "毎年": (1, "year"), "例年": (1, "year"), "隔年": (2, "year"),
    "平日毎日": (1, "weekday"), "平日は毎日": (1, "weekday"), "毎平日": (1, "weekday"), "毎営業日": (1, "weekday"), "毎週末": (1, "weekend"),
}  # fmt: skip


def _every(found: re.Match[str], line: Line) -> Atom:
    interval, unit = _EVERY[found["e"]]
    return every(found.span(), interval, unit, line, need=1)


def _every_week(found: re.Match[str], line: Line) -> Atom:
    numbers = [WEEKDAY_SIGNS.index(sign) for sign in re.findall(W, re.sub("曜日?", "", found["ws"]))]
    return weekly(found.span(), numbers, line, interval=2 if found["q"] == "隔週" else 1)


def _every_month_end(found: re.Match[str], line: Line) -> Atom:
    last = period("month", 0, line)[1]
    if last <= line.today:
        last = period("month", 1, line)[1]
    return Atom(*found.span(), "day", last, last, recurrence="every month on the last", source="every")


def _interval(found: re.Match[str], line: Line) -> Atom | None:
    """3日ごと is every 3 days, 3日おき every 4 as calendars count; people who write it mean the former."""
    count, unit, _ = _length(found)
    if unit not in {"day", "week", "month", "year"} or not count:
        return None
    atom = every(found.span(), count, unit, line, need=1)
    return atom if atom.kind == "bad" else atom._replace(kind="day")


# -- times of day

_AFTERNOON = frozenset(("午後", "pm", "夕方", "夜", "晩", "昼", "お昼"))


def _clock(found: re.Match[str], _line: Line) -> Atom | None:
    hour = number_of(found["h"])
    minute = 30 if found["half"] else number_of(found["m"]) if found["m"] else 0
    if hour > 30 or minute > 59:
        return None
    late = hour > 24 or (hour == 24 and minute > 0)
    return Atom(*found.span(), "clock", clock=_in_part(found["part"] or "", hour, minute), number=int(late), source="clock")


def _clock_in_figures(found: re.Match[str], _line: Line) -> Atom | None:
    hour, minute = int(found["h"]), int(found["m"])
    return Atom(*found.span(), "clock", clock=_in_part(found["part"], hour, minute), source="clock") if hour < 24 and minute < 60 else None


def _in_part(day_part: str, hour: int, minute: int) -> time:
    """午後3時 is 15:00, 昼12時 12:00, 24時 the last minute of its day, 25時 one in the night behind it."""
    noonish = day_part in {"昼", "お昼"} and hour >= 10
    if day_part in _AFTERNOON and hour <= 12 and not noonish:
        hour = hour % 12 + 12
    elif day_part in {"午前", "am"} and hour == 12:
        hour = 0
    if hour == 24 and not minute:
        return time(23, 59)
    return time(hour % 24, minute)


def _clock_word(found: re.Match[str], _line: Line) -> Atom:
    return Atom(*found.span(), "clock", clock=time(12 if found[0] == "正午" else 0), source="clockword")


_AMOUNT = (
    rf"(?P<n>{NUMBER}|半|数)(?:[、,・~-]?(?P<n2>{NUMBER}))?"
    r"(?P<unit>分|時間|営業日|稼働日|日間|日|週間|週|[かヶヵカケ箇個]月|年間|年|(?<=半)月)(?P<half>半)?"
)
_PART_OF_DAY = r"午前|午後|早朝|夕方|深夜|未明|お昼|朝|夜|晩|昼|am|pm"
_NO_KANJI = r"(?<![一-龥])"

RULES = (
    sign_rule(
        " ".join(_DAY_WORDS),
        rf"{_NO_KANJI}(?P<word>{_DAY_NAMES})(?!香|葉|的|この頃|日)"
        r"(?P<part>中|じゅう|いっぱい|の?(?:午前中|朝いち|朝イチ|朝一|(?:午前|午後|朝|昼|夕方|夜中|夜|晩|深夜)(?!の?\s?[0-9一二三四五六七八九十])))?",
        _day_word,
    ),
    sign_rule(
        "あす",
        r"(?<![ぁ-ん一-龥])(?P<word>あす)(?P<part>中|じゅう|いっぱい|の?(?:午前|午後|朝|夜))?(?=[はにのまで、。\s]|$|[一-龥ァ-ヶ0-9])",
        _day_word,
    ),
    sign_rule("営業日", rf"{_NO_KANJI}(?:翌|次の?)営業日", _next_workday),
    sign_rule(
        "後 先 以内 内に ったら のち",
        rf"(?:(?:あと|今から|これから|約|およそ)\s?)?(?<!第){_AMOUNT}(?:以内|後(?!半|編|輩|ろ|ほど)|のちに?|先(?!生|輩|ほど|頭)|(?:経|た)ったら|うちに|内に)",
        _ahead,
    ),
    sign_rule("あと 残り 残す 向こう", rf"(?:あと|残り|残すところ(?:あと)?|向こう)\s?{_AMOUNT}(?!前)(?:で|しか|以内|$|[、。])?", _ahead),
    sign_rule(
        "まで",
        r"(?:締め?切り?|〆切|期限|納期|期日|本番|出発|試験|発表|提出|開始|開幕|リリース|公開|引っ越し|旅行|大会|開催|卒業|入学|結婚式|誕生日|オープン|大会|面接|健診)"
        rf"まで(?:あと|残り)?\s?{_AMOUNT}(?!以内|前)",
        _ahead,
    ),
    sign_rule("前", rf"(?:約|その)?(?<!第){_AMOUNT}(?:ほど|くらい|ぐらい)?前(?!半|編|後|輩|回|項|面|提)", _earlier),
    sign_rule(
        "前日 翌日 翌朝 前夜 前営業日 翌々日 前々日",
        r"(?:(?<![一-龥0-9])(?:その)?|(?<=[日曜末])の?)(?P<word>前日|翌日|翌朝|前夜|前営業日|翌々日|前々日)(?!程)",
        _neighbour,
    ),
    sign_rule("中", rf"{_NO_KANJI}中(?P<n>{NUMBER})日(?!間)", _skipping),
    sign_rule(
        "日中 日以内 日のうち", r"(?P<n>一両|1両|両|数|[0-9]、[0-9]|[一二三四五]、?[二三四五六])日(?:中|以内|のうち)に?", _within_days
    ),
    sign_rule("毎週 隔週", rf"(?P<q>毎週|隔週)の?\s?(?P<ws>{W}(?:曜日?)?(?:[・,、/と]?{W}(?:曜日?)?(?![間額])){{0,6}})(?!末)", _every_week),
    sign_rule("毎月末 毎月の末 毎月の月末 毎月月末", rf"{_NO_KANJI}毎月の?(?:月末|末日?)", _every_month_end),
    sign_rule("毎 隔 例年", rf"{_NO_KANJI}(?P<e>{'|'.join(sorted(_EVERY, key=len, reverse=True))})(?!新聞)", _every),
    sign_rule("おき ごと 毎 に1回 に一回 に1度 に一度", rf"(?<!第){_AMOUNT}(?:おき|ごと|毎|に[1一][回度])に?", _interval),
    sign_rule(
        "時",
        rf"(?:(?<![毎今昨明])(?P<part>{_PART_OF_DAY})の?\s?)?(?<![0-9:.第])(?P<h>{NUMBER})時(?!間|代|点|期|速|価|給|計|差|々|に?(?:は|も)?(?:なったら))"
        rf"(?:(?P<half>半)|(?P<m>{NUMBER})分(?!間))?(?:頃|ごろ|きっかり|ちょうど)?",
        _clock,
    ),
    sign_rule(
        "午 夜 朝 夕 am pm", r"(?P<part>午前|午後|早朝|夕方|深夜|朝|夜|am|pm)の?\s?(?P<h>\d{1,2}):(?P<m>\d\d)(?!\d)", _clock_in_figures
    ),
    sign_rule("正午 零時", r"正午|零時", _clock_word),
)
