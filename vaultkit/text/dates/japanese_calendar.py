"""Japanese days, months, eras, weekdays, holidays and the periods of the calendar."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date

from . import days
from .atoms import ANYTHING, Atom, Handler, Line, Rule, part
from .reckon import FULL_WEEKDAYS, edge_of, fiscal_end, known_day, month_day, nth_of, ordinal, period, season, yearly_day

WEEKDAY_SIGNS = "月火水木金土日"
NUMBER = r"(?:(?<![0-9])\d{1,4}|(?<![〇零一二三四五六七八九十百千])[〇零一二三四五六七八九十百千]{1,6})"
W = f"[{WEEKDAY_SIGNS}]"
_DIGITS = {sign: max(0, at - 1) for at, sign in enumerate("〇零一二三四五六七八九")}
_ERAS = {"令和": 2018, "r": 2018, "平成": 1988, "h": 1988, "昭和": 1925, "s": 1925}


def number_of(word: str) -> int:
    """A number in figures or kanji: 12, 十二, 二〇二六."""
    if word.isascii():
        return int(word)
    total = current = 0
    positional = True
    for sign in word:
        if sign in _DIGITS:
            current = current * 10 + _DIGITS[sign] if positional else _DIGITS[sign]
        else:
            positional = False
            total += (current or 1) * {"十": 10, "百": 100, "千": 1000}[sign]
            current = 0
    return total + current


def sign_rule(signs: str, pattern: str, handler: Handler) -> Rule:
    """A rule for lines that hold one of some signs."""
    return Rule(ANYTHING, pattern, handler, signs=tuple(signs.split()))


# -- years, months, days

_YEAR = (
    r"(?:(?P<era>令和|平成|昭和|r|h|s)\s?(?P<ey>元|\d{1,2}|[一二三四五六七八九十]{1,3})年|(?<!\d)(?P<y>(?:19|20)\d\d|[〇一二三四五六七八九]{4})年|"
    r"(?P<ry>今年|本年|来年|再来年|去年|昨年|一昨年|翌年)の?)\s?"
)
_RELATIVE_YEARS = {"今年": 0, "本年": 0, "来年": 1, "翌年": 1, "再来年": 2, "去年": -1, "昨年": -1, "一昨年": -2}
EDGE = r"初旬|末日?頃?|頭|初めごろ|初め|はじめ|上旬|中旬|下旬|半ば|なかば|中頃|前半|後半|中|いっぱい|一杯|内|明け|早々|最終週|最終日"
_EDGES: Mapping[str, str] = {
    "初旬": "upper", "上": "upper", "中旬": "middle", "中頃": "mid", "半": "mid", "な": "mid", "前": "half",
    "頭": "start", "初": "start", "は": "start", "明": "start", "早": "start",
}  # fmt: skip


def _written_year(found: re.Match[str], line: Line) -> int | None:
    if found["era"]:
        return _ERAS[found["era"]] + (1 if found["ey"] == "元" else number_of(found["ey"]))
    if found["ry"]:
        return line.today.year + _RELATIVE_YEARS[found["ry"]]
    return number_of(found["y"]) if found["y"] else None


def _month_and_day(found: re.Match[str], line: Line) -> Atom:
    month, number = number_of(found["m"]), number_of(found["d"])
    year = _written_year(found, line)
    if year is None:
        return yearly_day(found.span(), lambda year: days.make_day(year, month, number), line, source="month")
    atom = known_day(found.span(), days.make_day(year, month, number), source="month")
    return atom._replace(past=bool(found["ry"]) and atom.kind == "day" and atom.last < line.today)


def _month(found: re.Match[str], line: Line) -> Atom | None:
    month, year = number_of(found["m"]), _written_year(found, line)
    if not 1 <= month <= 12:
        return None
    written = year is not None
    year = line.today.year + (month < line.today.month) if year is None else year
    if not 1 <= year <= 9999:
        return None
    first, last = date(year, month, 1), days.month_end(year, month)
    return edged(found, first, last, "month", dated=written, past=written and last < line.today, yearly=not written)


def _year(found: re.Match[str], line: Line) -> Atom | None:
    year = _written_year(found, line)
    if year is None or not 1 <= year <= 9999:
        return None
    atom = edged(found, date(year, 1, 1), date(year, 12, 31), "year", dated=True, past=year < line.today.year)
    return atom._replace(loose=True)


def _fiscal_year(found: re.Match[str], line: Line) -> Atom | None:
    """令和8年度末: the fiscal year that begins in the year it is named by."""
    year = int(found["y"]) if found["y"] else _ERAS[found["era"]] + (1 if found["ey"] == "元" else number_of(found["ey"]))
    last = fiscal_end(year + 1, line) if 1 <= year < 9999 else None
    first = last and days.add_months(last, -12)
    return edged(found, first, last, "fiscal", dated=True, past=last < line.today) if first and last else None


def edged(
    found: re.Match[str], first: date, last: date, unit: str, *, dated: bool = False, past: bool = False, yearly: bool = False
) -> Atom:
    """A period, narrowed to the edge that its words name: 末, 上旬, 半ば …"""
    edge = part(found, "edge")
    if not edge or (edge[0] in "中い一内" and edge not in _EDGES):
        back = days.add_months(last, -12) if yearly else last if past else None
        source = "within" if edge else "period"
        return Atom(
            *found.span(),
            "span",
            first,
            last,
            back,
            unit=unit,
            dated=dated,
            past=past,
            need=0 if edge and edge != "中" else 1,
            source=source,
        )
    kind = next((name for word, name in _EDGES.items() if edge.startswith(word)), "end")
    day = edge_of(kind, first, last, unit)
    back = days.add_months(day, -12) if yearly else day if past else None
    return Atom(*found.span(), "span", day, day, back, unit="edge", dated=dated, past=past, source="edge")


def _day_of_month(found: re.Match[str], line: Line) -> Atom | None:
    number = number_of(found["d"])
    return month_day(found.span(), number, line) if 1 <= number <= 31 else None


def _last_day(found: re.Match[str], line: Line) -> Atom:
    last = period("month", 0, line)[1]
    return Atom(*found.span(), "span", last, last, unit="edge", source="edge")


def _nth(found: re.Match[str], line: Line) -> Atom | None:
    """第2火曜, 第2・第4水曜: the first of them that comes."""
    numbers = [number_of(sign) for sign in re.findall(r"[0-9一二三四五]", found["ns"])]
    unit = "week" if found["week"] else str(WEEKDAY_SIGNS.index(found["w"]))
    nths = [Atom(*found.span(), "nth", number=number, unit=unit, source="nth", need=1) for number in numbers]
    if len(nths) == 1:
        return nths[0]
    ahead = [day for nth in nths for months in (0, 1) if (day := _nth_in(nth, months, line)) and day > line.today]
    if unit == "week" or not ahead:
        return None
    names = ", ".join(f"{ordinal(number)} {FULL_WEEKDAYS[int(unit)]}" for number in numbers)
    return Atom(*found.span(), "day", min(ahead), min(ahead), recurrence=f"every month on the {names}", source="every")


def _nth_in(nth: Atom, months: int, line: Line) -> date | None:
    first = days.add_months(line.today.replace(day=1), months)
    return first and nth_of(nth, first, days.month_end(first.year, first.month))[1]


def _last_weekday(found: re.Match[str], _line: Line) -> Atom:
    unit = str(WEEKDAY_SIGNS.index(found["w"])) if found["w"] else "workday"
    return Atom(*found.span(), "nth", number=-1, unit=unit, source="nth", need=1)


def _nth_workday(found: re.Match[str], _line: Line) -> Atom:
    return Atom(*found.span(), "nth", number=number_of(found["n"]), unit="workday", source="nth", need=1)


# -- periods

_PERIODS: Mapping[str, tuple[str, int]] = {
    "今週": ("week", 0), "来週": ("week", 1), "再来週": ("week", 2), "さ来週": ("week", 2), "翌週": ("week", 1), "翌々週": ("week", 2), "先週": ("week", -1), "先々週": ("week", -2),
    "前週": ("week", -1), "らいしゅう": ("week", 1), "こんしゅう": ("week", 0), "さらいしゅう": ("week", 2),
    "今月": ("month", 0), "当月": ("month", 0), "来月": ("month", 1), "再来月": ("month", 2), "さ来月": ("month", 2), "翌月": ("month", 1),
    "翌々月": ("month", 2), "先月": ("month", -1), "先々月": ("month", -2), "前月": ("month", -1), "らいげつ": ("month", 1), "こんげつ": ("month", 0),
    "今年": ("year", 0), "本年": ("year", 0), "来年": ("year", 1), "再来年": ("year", 2), "去年": ("year", -1), "昨年": ("year", -1), "一昨年": ("year", -2),
    "今年度": ("fiscal", 0), "本年度": ("fiscal", 0), "当年度": ("fiscal", 0), "来年度": ("fiscal", 1), "翌年度": ("fiscal", 1), "昨年度": ("fiscal", -1),
    "前年度": ("fiscal", -1), "今四半期": ("quarter", 0), "来四半期": ("quarter", 1), "今期": ("quarter", 0), "来期": ("quarter", 1), "前期": ("quarter", -1),
}  # fmt: skip
_NAMED_PERIODS: Mapping[str, tuple[str, int, str]] = {
    "週明け": ("week", 1, "start"), "週あけ": ("week", 1, "start"), "週初め": ("week", 1, "start"), "週初": ("week", 1, "start"),
    "週はじめ": ("week", 1, "start"), "週頭": ("week", 1, "start"), "週半ば": ("week", 0, "mid"), "週中": ("week", 0, "mid"), "週内": ("week", 0, "end"),
    "月末": ("month", 0, "end"), "月内": ("month", 0, "end"), "月半ば": ("month", 0, "mid"), "月初め": ("month", 1, "start"), "月初": ("month", 1, "start"),
    "月頭": ("month", 1, "start"), "月はじめ": ("month", 1, "start"), "月明け": ("month", 1, "start"),
    "年内": ("year", 0, "end"), "年末": ("year", 0, "end"), "年の瀬": ("year", 0, "end"), "年初": ("year", 1, "start"), "新年": ("year", 1, "start"),
    "年度末": ("fiscal", 0, "end"), "年度内": ("fiscal", 0, "end"), "年度初め": ("fiscal", 1, "start"), "年度明け": ("fiscal", 1, "start"),
    "新年度": ("fiscal", 1, "start"), "四半期末": ("quarter", 0, "end"), "期末": ("quarter", 0, "end"), "期内": ("quarter", 0, "end"), "半期末": ("half", 0, "end"),
}  # fmt: skip


def _names(table: Mapping[str, object]) -> str:
    return "|".join(sorted(table, key=len, reverse=True))


def _relative_period(found: re.Match[str], line: Line) -> Atom:
    unit, which = _PERIODS[found["p"]]
    edge = part(found, "edge")
    if unit == "week" and edge.startswith(("末", "週末")):
        first, last = period("weekend", which, line)
        return Atom(*found.span(), "span", first, last, last, unit="weekend", past=which < 0, source="edge")
    first, last = period(unit, which + (unit == "week" and edge == "明け"), line)
    return edged(found, first, last, unit, past=which < 0)


def _named_period(found: re.Match[str], line: Line) -> Atom:
    unit, which, edge = _NAMED_PERIODS[found["p"]]
    day = edge_of(edge, *period(unit, which, line), unit)
    return Atom(*found.span(), "span", day, day, days.add_months(day, -1) if unit == "month" else None, unit="edge", source="edge")


def _weekend(found: re.Match[str], line: Line) -> Atom:
    first, last = period("weekend", 0, line)
    return Atom(*found.span(), "span", first, last, last, unit="weekend", source="edge")


def _new_year(found: re.Match[str], line: Line) -> Atom:
    """年明け: work begins on the 4th."""
    day = days.add_days(period("year", 1, line)[0], 3) or line.today
    return Atom(*found.span(), "span", day, day, unit="edge", loose=True, source="edge")


def _half(found: re.Match[str], line: Line) -> Atom:
    """上期 and 下期 are halves of the fiscal year."""
    first, last = period("fiscal", 0, line)
    middle = days.add_months(first, 6) or first
    if found["h"].startswith("下"):
        return edged(found, middle, last, "half")
    if middle <= line.today:
        first, middle = days.add_months(first, 12) or first, days.add_months(middle, 12) or middle
    return edged(found, first, days.add_days(middle, -1) or middle, "half")


def _quarter(found: re.Match[str], line: Line) -> Atom:
    number = number_of(found["n"])
    year = int(found["y"]) if found["y"] else line.today.year
    last = days.month_end(year, number * 3)
    if not found["y"] and last < line.today:
        last = days.month_end(min(year + 1, 9999), number * 3)
    first = days.add_months(last.replace(day=1), -2) or last
    return edged(found, first, last, "quarter", dated=bool(found["y"]))


# -- weekdays


def _weekday(found: re.Match[str], line: Line) -> Atom:
    number, q = WEEKDAY_SIGNS.index(found["w"]), part(found, "q")
    ahead, back = days.next_weekday(line.today, number), days.last_weekday(line.today, number)
    if not q:
        return Atom(*found.span(), "weekday", ahead, ahead, back, number=number, source="weekday")
    if q in {"前", "この前", "こないだ", "前回"}:
        return Atom(*found.span(), "day", back, back, back, past=True, source="weekday")
    if q not in _PERIODS:  # 次の, 今度の
        day = (days.add_days(ahead, 7) or ahead) if q == "次の次" else ahead
        return Atom(*found.span(), "day", day, day, source="weekday")
    day = days.add_days(period("week", _PERIODS[q][1], line)[0], number) or ahead
    gone = day < line.today
    return Atom(*found.span(), "day", day, day, day if gone else None, past=gone, source="weekday")


def _paren_weekday(found: re.Match[str], line: Line) -> Atom:
    number = WEEKDAY_SIGNS.index(found["w"])
    ahead = days.next_weekday(line.today, number)
    return Atom(*found.span(), "weekday", ahead, ahead, days.last_weekday(line.today, number), number=number, need=2, source="paren")


def _weekday_list(found: re.Match[str], line: Line) -> Iterator[Atom]:
    """火・木: each its own day."""
    q = found["q"]
    for at, sign in enumerate(re.finditer(W, found["ws"])):
        number = WEEKDAY_SIGNS.index(sign[0])
        start = found.start("ws") + sign.start()
        span = (found.start() if at == 0 else start, start + 1)
        ahead = days.next_weekday(line.today, number)
        if q:
            day = days.add_days(period("week", _PERIODS[q][1], line)[0], number) or ahead
            yield Atom(*span, "day", day, day, source="weekday")
        else:
            yield Atom(*span, "weekday", ahead, ahead, days.last_weekday(line.today, number), number=number, source="weekday")


# -- holidays

_FIXED_DAYS: Mapping[str, tuple[int, int]] = {
    "元日": (1, 1), "元旦": (1, 1), "お正月": (1, 1), "正月": (1, 1), "三が日": (1, 3), "仕事始め": (1, 4), "七草": (1, 7), "節分": (2, 3),
    "建国記念の日": (2, 11), "建国記念日": (2, 11), "バレンタインデー": (2, 14), "バレンタイン": (2, 14), "天皇誕生日": (2, 23), "ひな祭り": (3, 3),
    "雛祭り": (3, 3), "桃の節句": (3, 3), "ホワイトデー": (3, 14), "春休み": (3, 25), "エイプリルフール": (4, 1), "昭和の日": (4, 29), "gw": (4, 29),
    "ゴールデンウィーク": (4, 29), "大型連休": (4, 29), "憲法記念日": (5, 3), "みどりの日": (5, 4), "こどもの日": (5, 5), "子どもの日": (5, 5),
    "子供の日": (5, 5), "端午の節句": (5, 5), "夏至": (6, 21), "七夕": (7, 7), "夏休み": (7, 21), "山の日": (8, 11), "お盆": (8, 13), "盆休み": (8, 13),
    "盆": (8, 13), "ハロウィーン": (10, 31), "ハロウィン": (10, 31), "文化の日": (11, 3), "七五三": (11, 15), "勤労感謝の日": (11, 23), "冬至": (12, 22),
    "クリスマスイブ": (12, 24), "クリスマス・イブ": (12, 24), "イブ": (12, 24), "イヴ": (12, 24), "クリスマス": (12, 25), "冬休み": (12, 25),
    "仕事納め": (12, 28), "御用納め": (12, 28), "大晦日": (12, 31), "大みそか": (12, 31), "年越し": (12, 31),
}  # fmt: skip
_MOVING_DAYS: Mapping[str, Callable[[int], date | None]] = {
    "成人の日": days.floating(1, 2, days.MONDAY),
    "春分の日": days.equinox,
    "春分": days.equinox,
    "母の日": days.floating(5, 2, days.SUNDAY),
    "父の日": days.floating(6, 3, days.SUNDAY),
    "海の日": days.floating(7, 3, days.MONDAY),
    "敬老の日": days.floating(9, 3, days.MONDAY),
    "シルバーウィーク": days.floating(9, 3, days.MONDAY),
    "秋分の日": days.autumn_equinox,
    "秋分": days.autumn_equinox,
    "スポーツの日": days.floating(10, 2, days.MONDAY),
    "ブラックフライデー": days.after_thanksgiving(1),
}
_HOLIDAYS: Mapping[str, Callable[[int], date | None]] = {**{name: days.fixed(*day) for name, day in _FIXED_DAYS.items()}, **_MOVING_DAYS}
HOLIDAY_NAMES = tuple(_HOLIDAYS)
_DAY_AFTER: Mapping[str, tuple[int, int]] = {  # the first day after a stretch of holidays
    "gw": (5, 6), "ゴールデンウィーク": (5, 6), "大型連休": (5, 6), "お盆": (8, 17), "盆": (8, 17), "盆休み": (8, 17), "正月": (1, 4), "お正月": (1, 4),
    "三が日": (1, 4), "夏休み": (9, 1), "冬休み": (1, 8), "春休み": (4, 6),
}  # fmt: skip


def _holiday(found: re.Match[str], line: Line) -> Atom:
    name, after = found["name"], found["after"] or ""
    of_year = _HOLIDAYS[name]
    if name in _DAY_AFTER and after == "明け":
        of_year = days.fixed(*_DAY_AFTER[name])
    elif name in _DAY_AFTER and after.endswith("中"):
        month, day = _DAY_AFTER[name]
        of_year = days.fixed(month, day - 1) if day > 1 else days.fixed(month - 1, 31)
    return yearly_day(found.span(), of_year, line, source="holiday", need=0 if after else 1)


_SEASONS = {"春": (3, 20), "夏": (6, 21), "秋": (9, 23), "冬": (12, 22)}


def _season(found: re.Match[str], line: Line) -> Atom | None:
    return season(found.span(), _SEASONS[found["s"]], {"来": 1, "昨": -1}.get(found["q"] or "", 0), line)


_NO_KANJI = r"(?<![一-龥])"
DAY_STOP = (  # "3日" before these is a length or a count
    r"間|目|後|前|以内|ぶり|分(?!の便)|連続|ほど|程度|くらい|ぐらい|おき|ごと|毎|続|坊主|酔|かけ|かか|あれば|しか|も(?:あれば|かか|経)|経|たって|たったら|市(?!民)|町(?!内)|"
    r"月|休み|中(?!に)|何|当たり|あたり|に[一1]?[0-9一二三]度|[0-9一二三四五六七八九十]+(?:[回食本杯錠粒人個件]|時間)|未満|以上|遅れ|とも|一?度に|家|千秋|"
    r"の(?:休み|休暇|旅|猶予|うち|間(?!に)|出張|流れ|終わり|始まり|研修|滞在|遅れ|ずれ|差|道のり|命|長|工程|歩数|摂取)"
)
_MONTH_STOP = r"号|生まれ|病|間|額|面|収|給|刊|光|見|曜|う|ご?と|並|例|次|食|謝|経|齢|か(?!ら)|兎|分|度|組|日"
_THIS_WEEK = "今週|来週|再来週|さ来週|先週|翌週"

RULES = (
    sign_rule("月", rf"(?:{_YEAR})?(?<![0-9./-])(?P<m>{NUMBER})月\s?(?P<d>{NUMBER})日(?!間|目|号)", _month_and_day),
    sign_rule("月", rf"(?:{_YEAR})?(?P<m>{NUMBER})月(?!\s?{NUMBER}日)(?!{_MONTH_STOP})(?:の?(?P<edge>{EDGE}))?", _month),
    sign_rule(
        "週 月 年 期 しゅう げつ", rf"{_NO_KANJI}(?P<p>{_names(_PERIODS)})(?!度|末調整)(?:の?(?P<edge>週末|{EDGE}))?", _relative_period
    ),
    sign_rule(
        "週 月 年 期",
        rf"(?<![一-龥0-9])(?P<p>{_names(_NAMED_PERIODS)})(?!調整|年始|ジャンボ|セール|恒例|感|進行|気分|モード|らし|っぽ|特番|特有|会|試験|テスト|考査)",
        _named_period,
    ),
    sign_rule("週末", r"(?<![一-龥0-9])週末(?!感|気分|モード|らし|っぽ)", _weekend),
    sign_rule("年明け 年始", r"(?<![一-龥0-9])(?:年明け(?:早々)?|年始)(?!うど)", _new_year),
    sign_rule("期", rf"{_NO_KANJI}(?P<h>上期|下期|上半期|下半期)(?:の?(?P<edge>{EDGE}))?", _half),
    sign_rule("四半期", rf"(?<![0-9])(?:(?P<y>20\d\d)年度?の?\s?)?第?(?P<n>[1-4一二三四])四半期(?:の?(?P<edge>{EDGE}))?", _quarter),
    sign_rule(
        "年",
        rf"(?<![0-9])(?:{_YEAR})(?<!の)(?P<edge>末|内|中|初め|前半|後半|いっぱい|半ば)?(?!度)(?=まで|に(?!は?(?:入社|設立|誕生))|から|より前|初|、|。|$)",
        _year,
    ),
    sign_rule(
        "年度", rf"(?<![0-9])(?:(?P<era>令和|平成)(?P<ey>元|{NUMBER})|(?P<y>20\d\d))年度の?(?P<edge>末|内|中|いっぱい)?", _fiscal_year
    ),
    sign_rule(
        "曜",
        rf"(?<!曜)(?:(?P<q>{_THIS_WEEK}|今度|次の次|次|つぎ|来たる|きたる|前回|この前|こないだ|前)の?)?(?P<w>{W})曜日?(?!大工|画家|版)",
        _weekday,
    ),
    sign_rule("週", rf"(?P<q>{_THIS_WEEK})の?\s?(?P<w>{W})(?:(?![曜一-龥])|(?=締|〆|必着|納|厳守|午|夜|朝|夕))", _weekday),
    sign_rule(
        "まで 〆 締 必着",
        r"(?<![一-龥ぁ-んァ-ヶー0-9a-z])(?P<w>[月火水木金土])(?=までに?(?:$|[^一-龥])|まで[一-龥]|〆|締め?切?|必着)",
        _weekday,
    ),
    sign_rule("(", rf"\((?P<w>{W})(?:曜日?)?(?:[・,、/]?[祝休振祭]日?)?\)", _paren_weekday),
    sign_rule(
        "・ 、 ,",
        rf"(?<![一-龥ァ-ヶー])(?:(?P<q>今週|来週|再来週)の?)?(?P<ws>{W}(?:[・、,]{W}){{1,5}})(?:曜日?)?(?![一-龥ァ-ヶー])",
        _weekday_list,
    ),
    sign_rule("日", rf"(?<![0-9./:月-])(?<![年月]\s)(?P<d>{NUMBER})日(?!{DAY_STOP})", _day_of_month),
    sign_rule("月", rf"(?<=[今来先当翌毎再]月)の?(?P<d>{NUMBER})日(?!{DAY_STOP})", _day_of_month),
    sign_rule("末日", r"(?<![一-龥0-9])末日", _last_day),
    sign_rule(
        "第",
        rf"(?P<ns>第[1-5一二三四五](?:[・、,と]?第?[1-5一二三四五]){{0,4}})(?:(?P<week>週)(?!の?{W}曜)|週?の?(?P<w>{W})曜日?)",
        _nth,
    ),
    sign_rule("最終", rf"最終(?:の)?(?:(?P<w>{W})曜日?|営業日|平日)", _last_weekday),
    sign_rule("営業日", r"(?<![0-9一-龥])第(?P<n>[0-9]{1,2}|[一二三四五六七八九十]{1,3})営業日(?!後|以内|前)", _nth_workday),
    sign_rule(
        " ".join(_HOLIDAYS),
        rf"(?<![一-龥ァ-ヶーa-z])(?P<name>{_names(_HOLIDAYS)})(?:の日)?(?![a-zァ-ヶー])(?:の?(?P<after>明け|中|期間中|当日))?",
        _holiday,
    ),
    sign_rule(
        "春 夏 秋 冬",
        rf"{_NO_KANJI}(?:(?P<q>[今来昨])年?の?)?(?P<s>[春夏秋冬])(?=まで|中に|頃|ごろ|に(?!な|は[い入]|向)|前に|予定|開始|$|[、。])",
        _season,
    ),
)
