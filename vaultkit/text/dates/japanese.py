"""The parts of Japanese date phrases."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, time, timedelta

from . import days
from .atoms import Atom, Line, Need, Rule
from .english import FULL_WEEKDAYS, edge_of, month_day_atom, moved_atom, period, season_atom

WEEKDAY_SIGNS = "月火水木金土日"
_KANJI = "〇零一二三四五六七八九"
_N = r"(?:(?<![0-9])\d{1,4}|(?<![〇零一二三四五六七八九十百千])[〇零一二三四五六七八九十百千]{1,6})"
_W = r"[月火水木金土日]"
_ERAS = {"令和": 2018, "r": 2018, "平成": 1988, "h": 1988, "昭和": 1925, "s": 1925}
_MONTHS_UNIT = r"(?:か|ヶ|ヵ|カ|ケ|ヵ|箇|個)月"
_YEAR = r"(?:(?P<era>令和|平成|昭和|r|h|s)\s?(?P<ey>元|\d{1,2}|[一二三四五六七八九十]{1,3})年|(?<!\d)(?P<y>(?:19|20)\d\d|[〇一二三四五六七八九]{4})年|(?P<ry>今年|本年|来年|再来年|去年|昨年|一昨年|翌年)の?)\s?"
_RELATIVE_YEARS = {"今年": 0, "本年": 0, "来年": 1, "翌年": 1, "再来年": 2, "去年": -1, "昨年": -1, "一昨年": -2}
_EDGE = r"初旬|末日?頃?|頭|初めごろ|初め|はじめ|上旬|中旬|下旬|半ば|なかば|中頃|前半|後半|中|いっぱい|一杯|内|明け|早々|最終週|最終日"
_EDGES = {
    "末": "end", "頭": "start", "初": "start", "は": "start", "上": "upper", "中旬": "middle", "下": "end", "半": "mid", "な": "mid", "前": "mid", "後": "end",
    "中": "end", "い": "end", "一": "end", "内": "end", "明": "start", "早": "start", "最": "end",
}  # fmt: skip


def number_of(word: str) -> int:
    """A number in figures or kanji: 12, 十二, 二〇二六."""
    if word.isascii():
        return int(word)
    total = current = 0
    positional = True
    for sign in word:
        if sign in _KANJI:
            digit = max(0, _KANJI.index(sign) - 1)
            current = current * 10 + digit if positional and current else digit
        else:
            positional = False
            total += (current or 1) * {"十": 10, "百": 100, "千": 1000}[sign]
            current = 0
    return total + current


def _written_year(found: re.Match[str], line: Line) -> int | None:
    if found["era"]:
        return _ERAS[found["era"]] + (1 if found["ey"] == "元" else number_of(found["ey"]))
    if found["y"]:
        return number_of(found["y"])
    if found["ry"]:
        return line.today.year + _RELATIVE_YEARS[found["ry"]]
    return None


# -- days


def _month_day(found: re.Match[str], line: Line) -> Atom:
    month, number = number_of(found["m"]), number_of(found["d"])
    year = _written_year(found, line)
    if year is not None:
        day = days.make_day(year, month, number)
        if day is None:
            return Atom(*found.span(), "bad", source="month")
        return Atom(*found.span(), "day", day, day, dated=True, past=bool(found["ry"]) and day < line.today, source="month")
    both = days.yearly(lambda year: days.make_day(year, month, number), line.today)
    if both is None:
        return Atom(*found.span(), "bad", source="month")
    return Atom(*found.span(), "day", both[0], both[0], both[1], source="month")


def _month_span(found: re.Match[str], line: Line) -> Atom | None:
    month = number_of(found["m"])
    if not 1 <= month <= 12:
        return None
    year = _written_year(found, line)
    dated = year is not None
    if year is None:
        year = line.today.year + (month < line.today.month)
    if not 1 <= year <= 9998:
        return None
    first, last = date(year, month, 1), days.month_end(year, month)
    return _edged(found, first, last, "month", dated=dated, past=last < line.today and dated, yearly=not dated)


def _edged(found: re.Match[str], first: date, last: date, unit: str, *, dated: bool = False, past: bool = False, yearly: bool = False, source: str = "period") -> Atom:
    """A period, narrowed to the edge that its words name: 末, 上旬, 半ば …"""
    edge = found["edge"] or ""
    kind = edge_name(edge)
    back = days.add_months(last, -12) if yearly else last if past else None
    if not edge:
        return Atom(*found.span(), "span", first, last, back, unit=unit, need=1, dated=dated, past=past, source=source)
    if kind == "end" and edge[0] in "中い一内":
        return Atom(*found.span(), "span", first, last, back, unit=unit, dated=dated, past=past, need=1 if edge == "中" else 0, source="within")
    day = japanese_edge(kind, first, last, unit)
    if yearly:
        back = days.add_months(day, -12)
    elif past:
        back = day
    return Atom(*found.span(), "span", day, day, back, unit="edge", dated=dated, past=past, source="edge")


def edge_name(edge: str) -> str:
    """What 末, 頭, 上旬 … name."""
    return "upper" if edge == "初旬" else "middle" if edge.startswith("中旬") else "mid" if edge.startswith("中頃") else _EDGES.get(edge[:1], "")


def japanese_edge(kind: str, first: date, last: date, unit: str) -> date:
    """上旬, 中旬, 下旬 are the 10th, the 20th and the last day; the rest is as in English."""
    match kind:
        case "upper":
            return first + timedelta(9)
        case "middle":
            return first + timedelta(19)
        case _:
            return edge_of(kind, first, last, unit)


_PERIODS: Mapping[str, tuple[str, int]] = {
    "今週": ("week", 0), "来週": ("week", 1), "再来週": ("week", 2), "さ来週": ("week", 2), "さらいしゅう": ("week", 2), "翌週": ("week", 1), "先週": ("week", -1), "先々週": ("week", -2), "前週": ("week", -1),
    "らいしゅう": ("week", 1), "こんしゅう": ("week", 0), "らいげつ": ("month", 1), "今月": ("month", 0), "当月": ("month", 0), "来月": ("month", 1), "再来月": ("month", 2), "さ来月": ("month", 2), "翌月": ("month", 1), "翌々月": ("month", 2),
    "先月": ("month", -1), "先々月": ("month", -2), "前月": ("month", -1), "今年": ("year", 0), "本年": ("year", 0), "来年": ("year", 1), "再来年": ("year", 2), "去年": ("year", -1), "昨年": ("year", -1), "一昨年": ("year", -2),
    "今年度": ("fiscal", 0), "本年度": ("fiscal", 0), "当年度": ("fiscal", 0), "来年度": ("fiscal", 1), "翌年度": ("fiscal", 1), "昨年度": ("fiscal", -1), "前年度": ("fiscal", -1), "今四半期": ("quarter", 0), "来四半期": ("quarter", 1),
    "今期": ("quarter", 0), "来期": ("quarter", 1), "前期": ("quarter", -1),
}  # fmt: skip
_PERIOD_NAMES = "|".join(sorted(_PERIODS, key=len, reverse=True))


def _relative_period(found: re.Match[str], line: Line) -> Atom:
    unit, which = _PERIODS[found["p"]]
    edge = found["edge"]
    if found["weekend"]:
        first, last = period("weekend", which, line)
        return Atom(*found.span(), "span", first, last, last, unit="weekend", past=which < 0, source="edge")
    first, last = period(unit, which, line)
    if unit == "week" and edge in {"明け"}:
        first, last = period(unit, which + 1, line)
    return _edged(found, first, last, unit, past=which < 0)


_NAMED_PERIODS: Mapping[str, tuple[str, int, str]] = {
    "週明け": ("week", 1, "start"), "週あけ": ("week", 1, "start"), "週初め": ("week", 1, "start"), "週初": ("week", 1, "start"), "週はじめ": ("week", 1, "start"), "週頭": ("week", 1, "start"),
    "週半ば": ("week", 0, "mid"), "週中": ("week", 0, "mid"), "週内": ("week", 0, "end"), "週末": ("weekend", 0, "end"),
    "月末": ("month", 0, "end"), "月内": ("month", 0, "end"), "月半ば": ("month", 0, "mid"), "月初め": ("month", 1, "start"), "月初": ("month", 1, "start"), "月頭": ("month", 1, "start"), "月はじめ": ("month", 1, "start"), "月明け": ("month", 1, "start"),
    "年内": ("year", 0, "end"), "年末": ("year", 0, "end"), "年の瀬": ("year", 0, "end"), "年明け早々": ("year", 1, "newyear"), "年明け": ("year", 1, "newyear"), "年始": ("year", 1, "newyear"), "年初": ("year", 1, "start"), "新年": ("year", 1, "start"),
    "年度末": ("fiscal", 0, "end"), "年度内": ("fiscal", 0, "end"), "年度初め": ("fiscal", 1, "start"), "年度明け": ("fiscal", 1, "start"), "新年度": ("fiscal", 1, "start"),
    "四半期末": ("quarter", 0, "end"), "期末": ("quarter", 0, "end"), "期内": ("quarter", 0, "end"), "半期末": ("half", 0, "end"), "上期末": ("firsthalf", 0, "end"), "下期末": ("secondhalf", 0, "end"),
}  # fmt: skip
_NAMED = "|".join(sorted(_NAMED_PERIODS, key=len, reverse=True))


def _named_period(found: re.Match[str], line: Line) -> Atom:
    unit, which, edge = _NAMED_PERIODS[found["p"]]
    if unit in {"firsthalf", "secondhalf"}:
        first, last = _fiscal_half(unit == "secondhalf", line)
    else:
        first, last = period(unit, which, line)
    if unit == "weekend":
        return Atom(*found.span(), "span", first, last, last, unit="weekend", source="edge")
    if edge == "newyear":  # work begins on the 4th
        return Atom(*found.span(), "span", first + timedelta(3), first + timedelta(3), unit="edge", loose=True, source="edge")
    day = edge_of(edge, first, last, unit)
    return Atom(*found.span(), "span", day, day, days.add_months(day, -1) if unit == "month" else None, unit="edge", source="edge")


def _fiscal_half(second: bool, line: Line) -> tuple[date, date]:
    first, last = period("fiscal", 0, line)
    middle = days.add_months(first, 6) or first
    if second:
        return middle, last
    if middle <= line.today:
        first, middle = days.add_months(first, 12) or first, days.add_months(middle, 12) or middle
    return first, middle - timedelta(1)


def _half(found: re.Match[str], line: Line) -> Atom:
    first, last = _fiscal_half(found["h"] in {"下期", "下半期"}, line)
    return _edged(found, first, last, "half")


def _quarter(found: re.Match[str], line: Line) -> Atom:
    number = number_of(found["n"])
    year = int(found["y"]) if found["y"] else line.today.year
    last = days.month_end(year, number * 3)
    if not found["y"] and last < line.today:
        last = days.month_end(year + 1, number * 3)
    first = days.add_months(last.replace(day=1), -2) or last
    return _edged(found, first, last, "quarter", dated=bool(found["y"]), source="quarter")


def _year_span(found: re.Match[str], line: Line) -> Atom | None:
    year = _written_year(found, line)
    if year is None or not 1 <= year <= 9999:
        return None
    return _edged(found, date(year, 1, 1), date(year, 12, 31), "year", dated=True, past=year < line.today.year)._replace(loose=True)


# -- weekdays


def _weekday(found: re.Match[str], line: Line) -> Atom:
    number = WEEKDAY_SIGNS.index(found["w"])
    ahead = days.next_weekday(line.today, number)
    back = days.last_weekday(line.today, number)
    match found["q"]:
        case None:
            return Atom(*found.span(), "weekday", ahead, ahead, back, number=number, source="weekday")
        case "前" | "この前" | "こないだ" | "前回" | "昨":
            return Atom(*found.span(), "day", back, back, back, past=True, source="weekday")
        case "今週":
            day = days.monday_of(line.today) + timedelta(number)
            return Atom(*found.span(), "day", day, day, day if day < line.today else None, past=day < line.today, source="weekday")
        case "来週" | "翌週":
            day = days.monday_of(line.today) + timedelta(7 + number)
        case "再来週" | "さ来週":
            day = days.monday_of(line.today) + timedelta(14 + number)
        case "先週":
            day = days.monday_of(line.today) + timedelta(number - 7)
            return Atom(*found.span(), "day", day, day, day, past=True, source="weekday")
        case _:  # 次の, 今度の
            day = ahead if found["q"] not in {"次の次の"} else ahead + timedelta(7)
    return Atom(*found.span(), "day", day, day, source="weekday")


def _paren_weekday(found: re.Match[str], line: Line) -> Atom:
    number = WEEKDAY_SIGNS.index(found["w"])
    ahead = days.next_weekday(line.today, number)
    return Atom(*found.span(), "weekday", ahead, ahead, days.last_weekday(line.today, number), number=number, need=2, source="paren")


def _week_list(found: re.Match[str], line: Line) -> Iterator[Atom]:
    """火・木: each its own day."""
    base = {None: None, "今週": 0, "来週": 7, "再来週": 14}[found["q"]]
    for sign in re.finditer(_W, found["ws"]):
        number = WEEKDAY_SIGNS.index(sign[0])
        start = found.start("ws") + sign.start()
        day = days.next_weekday(line.today, number) if base is None else days.monday_of(line.today) + timedelta(base + number)
        yield Atom(start, start + 1, "weekday" if base is None else "day", day, day, days.last_weekday(line.today, number), number=number, source="weekday")


# -- relative


_DAY_WORDS = {
    "明々後日": 3, "明明後日": 3, "しあさって": 3, "明後日": 2, "あさって": 2, "翌々日": 2, "明日": 1, "あした": 1, "あす": 1, "明朝": 1, "明晩": 1, "明夜": 1,
    "今日": 0, "本日": 0, "きょう": 0, "今夜": 0, "今晩": 0, "今宵": 0, "今夕": 0, "今朝": 0, "一昨日": -2, "おととい": -2, "昨日": -1, "きのう": -1, "昨夜": -1, "昨晩": -1, "ゆうべ": -1, "昨": -1,
}  # fmt: skip
_DAY_NAMES = "|".join(sorted((name for name in _DAY_WORDS if name not in {"あす", "昨", "翌々日"}), key=len, reverse=True))


def _day_word(found: re.Match[str], line: Line) -> Atom | None:
    word = found["word"]
    day = days.add_days(line.today, _DAY_WORDS[word])
    if day is None:
        return None
    past = day < line.today or word == "今朝"
    need: Need = 1 if day == line.today and not found["part"] and word not in {"今夜", "今晩"} else 0
    return Atom(*found.span(), "day", day, day, day if past else None, past=past, need=need, source="today" if day == line.today else "relative")


_UNITS = {"分": "minute", "時間": "hour", "日": "day", "日間": "day", "営業日": "workday", "稼働日": "workday", "平日": "workday", "週間": "week", "週": "week", "月": "month", "年": "year", "年間": "year"}


def _unit(word: str) -> str:
    return _UNITS.get(word) or ("month" if "月" in word else "day")


def _count_unit(found: re.Match[str]) -> tuple[int, str, bool]:
    word = found["n2"] or found["n"]
    unit = _unit(found["unit"])
    if word == "半":
        return {"year": (6, "month", False), "month": (15, "day", False), "day": (12, "hour", False), "hour": (30, "minute", False)}.get(unit, (1, unit, False))
    if word == "数":
        return 3, unit, True
    count = number_of(word)
    if found["half"]:
        smaller, factor = {"year": ("month", 12), "month": ("day", 30), "week": ("day", 7), "hour": ("minute", 60)}.get(unit, (unit, 1))
        return count * factor + factor // 2, smaller, False
    return count, unit, False


def _ahead(found: re.Match[str], line: Line) -> Atom:
    count, unit, loose = _count_unit(found)
    return moved_atom(found.span(), count, unit, line, loose=loose)


def _earlier(found: re.Match[str], _line: Line) -> Atom:
    """N日前: counted back from a date beside it, or the past."""
    count, unit, _ = _count_unit(found)
    return Atom(*found.span(), "offset", number=-count, unit=unit, source="dangling", need=1)


def _neighbour(found: re.Match[str], _line: Line) -> Atom:
    sign, unit = {"前日": (-1, "day"), "翌日": (1, "day"), "翌朝": (1, "day"), "前夜": (-1, "day"), "前営業日": (-1, "workday"), "翌々日": (2, "day"), "前々日": (-2, "day")}[found["word"]]
    return Atom(*found.span(), "offset", number=sign, unit=unit, source="dangling", need=1)


def _next_workday(found: re.Match[str], line: Line) -> Atom | None:
    day = days.add_workdays(line.today, 1)
    return None if day is None else Atom(*found.span(), "day", day, day, source="relative")


def _skipping(found: re.Match[str], line: Line) -> Atom:
    """中2日: two days lie between."""
    return moved_atom(found.span(), number_of(found["n"]) + 1, "day", line)


def _within_days(found: re.Match[str], line: Line) -> Atom:
    count = {"一両": 2, "1両": 2, "両": 2, "数": 3}.get(found["n"]) or number_of(found["n"][-1])
    return moved_atom(found.span(), count, "day", line, loose=True)


def _day_of_month(found: re.Match[str], line: Line) -> Atom | None:
    number = number_of(found["d"])
    return month_day_atom(found.span(), number, line) if 1 <= number <= 31 else None


def _last_day(found: re.Match[str], line: Line) -> Atom:
    last = period("month", 0, line)[1]
    return Atom(*found.span(), "span", last, last, unit="edge", source="edge")


def _nth(found: re.Match[str], line: Line) -> Iterator[Atom]:
    """第2火曜, 第2・第4水曜: the first of them that comes."""
    numbers = [number_of(sign) for sign in re.findall(r"[0-9一二三四五]", found["ns"])]
    unit = "week" if found["week"] else str(WEEKDAY_SIGNS.index(found["w"]))
    if len(numbers) == 1:
        yield Atom(*found.span(), "nth", number=numbers[0], unit=unit, source="nth", need=1)
        return
    if unit == "week":
        return
    found_days = [day for number in numbers for months in (0, 1) if (day := nth_in_month(line, months, number, int(unit))) and day > line.today]
    if found_days:
        first = min(found_days)
        names = ", ".join(f"{_nth_name(number)} {FULL_WEEKDAYS[int(unit)]}" for number in numbers)
        yield Atom(*found.span(), "day", first, first, recurrence=f"every month on the {names}", source="every")


def nth_in_month(line: Line, months: int, number: int, weekday: int) -> date | None:
    """The nth weekday of the month that lies *months* ahead."""
    first = days.add_months(line.today.replace(day=1), months)
    return first and days.nth_weekday(first, days.month_end(first.year, first.month), number, weekday)


def _nth_name(number: int) -> str:
    return {1: "1st", 2: "2nd", 3: "3rd", -1: "last"}.get(number, f"{number}th")


def _last_weekday(found: re.Match[str], _line: Line) -> Atom:
    unit = "workday" if "営業" in found[0] or "平日" in found[0] else str(WEEKDAY_SIGNS.index(found["w"]))
    return Atom(*found.span(), "nth", number=-1, unit=unit, source="nth", need=1)


def _nth_workday(found: re.Match[str], _line: Line) -> Atom:
    return Atom(*found.span(), "nth", number=number_of(found["n"]), unit="workday", source="nth", need=1)


# -- recurrence


def _every_week(found: re.Match[str], line: Line) -> Atom:
    numbers = [WEEKDAY_SIGNS.index(sign) for sign in re.findall(rf"{_W}(?!曜?日?{_W}曜日)|{_W}", re.sub("曜日?", "", found["ws"]))]
    first = min(days.next_weekday(line.today, number) for number in numbers)
    names = ", ".join(FULL_WEEKDAYS[number] for number in numbers)
    every = "every 2 weeks" if found["q"] == "隔週" else "every week"
    return Atom(*found.span(), "day", first, first, recurrence=f"{every} on {names}", source="every")


def _every(found: re.Match[str], line: Line) -> Atom | None:
    unit, interval, text = {
        "毎日": ("day", 1, "every day"), "毎朝": ("day", 1, "every day"), "毎晩": ("day", 1, "every day"), "毎夜": ("day", 1, "every day"), "毎夕": ("day", 1, "every day"), "毎食後": ("day", 1, "every day"), "連日": ("day", 1, "every day"),
        "毎週": ("week", 1, "every week"), "隔週": ("week", 2, "every 2 weeks"), "毎月": ("month", 1, "every month"), "隔月": ("month", 2, "every 2 months"), "毎年": ("year", 1, "every year"), "例年": ("year", 1, "every year"), "隔年": ("year", 2, "every 2 years"),
        "平日毎日": ("weekday", 1, "every weekday"), "平日は毎日": ("weekday", 1, "every weekday"), "毎四半期": ("month", 3, "every 3 months"), "毎平日": ("weekday", 1, "every weekday"), "毎営業日": ("weekday", 1, "every weekday"), "隔日": ("day", 2, "every 2 days"), "毎週末": ("weekend", 1, "every week on Saturday"), "毎週週末": ("weekend", 1, "every week on Saturday"),
    }[found["e"]]  # fmt: skip
    if unit == "weekend":
        first: date | None = days.next_weekday(line.today, days.SATURDAY)
    elif unit == "weekday":
        first = days.add_workdays(line.today, 1)
    else:
        first = days.shift(line.today, interval, unit)
    return None if first is None else Atom(*found.span(), "every", first, first, number=interval, unit=unit, recurrence=text, need=1, source="every")


def _every_month_end(found: re.Match[str], line: Line) -> Atom:
    last = period("month", 0, line)[1]
    if last <= line.today:
        last = period("month", 1, line)[1]
    return Atom(*found.span(), "day", last, last, recurrence="every month on the last", source="every")


def _fiscal_year(found: re.Match[str], line: Line) -> Atom | None:
    year = int(found["y"]) if found["y"] else _ERAS[found["era"]] + (1 if found["ey"] == "元" else number_of(found["ey"]))
    month, day = line.policy.fiscal_year_end
    last = days.make_day(year + 1, month, day)
    first = last and days.add_months(last, -12)
    if last is None or first is None:
        return None
    return _edged(found, first, last, "fiscal", dated=True, past=last < line.today)


def _interval(found: re.Match[str], line: Line) -> Atom | None:
    """3日ごと is every 3 days, 3日おき every 4 as calendars count; people who write it mean the former."""
    count, unit, _ = _count_unit(found)
    first = days.shift(line.today, count, unit) if unit in {"day", "week", "month", "year"} else None
    if first is None or not count:
        return None
    text = f"every {unit}" if count == 1 else f"every {count} {unit}s"
    return Atom(*found.span(), "day", first, first, recurrence=text, need=1, source="every")


# -- holidays


_HOLIDAYS: Mapping[str, Callable[[int], date | None]] = {
    "元日": days.fixed(1, 1), "元旦": days.fixed(1, 1), "お正月": days.fixed(1, 1), "正月": days.fixed(1, 1), "三が日": days.fixed(1, 3), "仕事始め": days.fixed(1, 4), "七草": days.fixed(1, 7), "成人の日": days.floating(1, 2, days.MONDAY),
    "節分": days.fixed(2, 3), "建国記念の日": days.fixed(2, 11), "建国記念日": days.fixed(2, 11), "バレンタインデー": days.fixed(2, 14), "バレンタイン": days.fixed(2, 14), "天皇誕生日": days.fixed(2, 23),
    "ひな祭り": days.fixed(3, 3), "雛祭り": days.fixed(3, 3), "桃の節句": days.fixed(3, 3), "ホワイトデー": days.fixed(3, 14), "春分の日": days.equinox, "春分": days.equinox, "春のお彼岸": days.equinox, "エイプリルフール": days.fixed(4, 1),
    "昭和の日": days.fixed(4, 29), "ゴールデンウィーク": days.fixed(4, 29), "gw": days.fixed(4, 29), "大型連休": days.fixed(4, 29), "憲法記念日": days.fixed(5, 3), "みどりの日": days.fixed(5, 4), "こどもの日": days.fixed(5, 5), "子どもの日": days.fixed(5, 5), "子供の日": days.fixed(5, 5), "端午の節句": days.fixed(5, 5),
    "母の日": days.floating(5, 2, days.SUNDAY), "父の日": days.floating(6, 3, days.SUNDAY), "夏至": days.fixed(6, 21), "七夕": days.fixed(7, 7), "海の日": days.floating(7, 3, days.MONDAY), "山の日": days.fixed(8, 11),
    "お盆": days.fixed(8, 13), "盆休み": days.fixed(8, 13), "盆": days.fixed(8, 13), "敬老の日": days.floating(9, 3, days.MONDAY), "秋分の日": lambda year: days.equinox(year, autumn=True), "秋分": lambda year: days.equinox(year, autumn=True), "シルバーウィーク": days.floating(9, 3, days.MONDAY),
    "スポーツの日": days.floating(10, 2, days.MONDAY), "ハロウィーン": days.fixed(10, 31), "ハロウィン": days.fixed(10, 31), "文化の日": days.fixed(11, 3), "七五三": days.fixed(11, 15), "勤労感謝の日": days.fixed(11, 23), "ブラックフライデー": lambda year: (found := days.floating(11, 4, days.THURSDAY)(year)) and found + timedelta(1),
    "夏休み": days.fixed(7, 21), "冬休み": days.fixed(12, 25), "春休み": days.fixed(3, 25), "冬至": days.fixed(12, 22), "クリスマスイブ": days.fixed(12, 24), "クリスマス・イブ": days.fixed(12, 24), "イブ": days.fixed(12, 24), "イヴ": days.fixed(12, 24), "クリスマス": days.fixed(12, 25), "仕事納め": days.fixed(12, 28), "大晦日": days.fixed(12, 31), "大みそか": days.fixed(12, 31), "年越し": days.fixed(12, 31),
}  # fmt: skip
_HOLIDAY_NAMES = "|".join(sorted(_HOLIDAYS, key=len, reverse=True))
# The first day after a stretch of holidays.
_AFTER_HOLIDAYS = {"gw": (5, 6), "ゴールデンウィーク": (5, 6), "大型連休": (5, 6), "お盆": (8, 17), "盆": (8, 17), "盆休み": (8, 17), "正月": (1, 4), "お正月": (1, 4), "三が日": (1, 4), "夏休み": (9, 1), "冬休み": (1, 8), "春休み": (4, 6)}
_ENDS = {"gw": (5, 6), "ゴールデンウィーク": (5, 6), "お盆": (8, 16), "盆": (8, 16), "盆休み": (8, 16), "お正月": (1, 3), "正月": (1, 3), "夏休み": (8, 31), "冬休み": (1, 7), "春休み": (4, 5)}


def _holiday(found: re.Match[str], line: Line) -> Atom | None:
    name, after = found["name"], found["after"]
    of_year = _HOLIDAYS[name]
    if after == "明け" and name in _AFTER_HOLIDAYS:
        of_year = days.fixed(*_AFTER_HOLIDAYS[name])
    elif after in {"中", "期間中"} and name in _ENDS:
        of_year = days.fixed(*_ENDS[name])
    both = days.yearly(of_year, line.today)
    if both is None:
        return None
    return Atom(*found.span(), "day", both[0], both[0], both[1], need=0 if after else 1, source="holiday")


_SEASONS = {"春": (3, 20), "夏": (6, 21), "秋": (9, 23), "冬": (12, 22)}


def _season(found: re.Match[str], line: Line) -> Atom | None:
    return season_atom(found.span(), _SEASONS[found["s"]], {"来": 1, "今": 0, "昨": -1, None: 0}[found["q"]], line)


# -- clock


_HALVES = {"午前": 0, "朝": 0, "早朝": 0, "am": 0, "午後": 12, "pm": 12, "夕方": 12, "夜": 12, "晩": 12, "昼": 12, "お昼": 12, "深夜": 0, "未明": 0}


def _clock(found: re.Match[str], line: Line) -> Atom | None:
    hour = number_of(found["h"])
    minute = 30 if found["half"] else number_of(found["m"]) if found["m"] else 0
    if hour > 30 or minute > 59:
        return None
    part = found["part"]
    if part and hour <= 12 and _HALVES.get(part) == 12:
        hour = hour % 12 + 12 if not (part in {"昼", "お昼"} and hour >= 10) else hour
    elif part == "午前" and hour == 12:
        hour = 0
    if hour >= 24:
        return Atom(*found.span(), "clock", clock=time(23, 59) if hour == 24 and not minute else time(hour - 24, minute), source="clock")
    return Atom(*found.span(), "clock", clock=time(hour, minute), source="clock")


def _half_numeric(found: re.Match[str], _line: Line) -> Atom | None:
    hour, minute = int(found["h"]), int(found["m"])
    if hour > 23 or minute > 59:
        return None
    hour = hour % 12 + 12 if _HALVES[found["part"]] == 12 and hour <= 12 else hour
    return Atom(*found.span(), "clock", clock=time(hour, minute), source="clock")


def _clock_word(found: re.Match[str], _line: Line) -> Atom:
    return Atom(*found.span(), "clock", clock=time(12) if found[0] == "正午" else time(0), source="clockword")


_CALENDAR_UNIT = rf"(?:分|時間|営業日|稼働日|日間|日|週間|週|{_MONTHS_UNIT}|年間|年|(?<=半)月)"
_AMOUNT = rf"(?P<n>{_N}|半|数)(?:[、,・~-]?(?P<n2>{_N}))?(?P<unit>{_CALENDAR_UNIT})(?P<half>半)?"
_PAREN = rf"(?P<paren>\s*\((?P<w>{_W})(?:曜日?)?(?:[・,、/]?[祝休振祭]日?)?\))?"
_DOM_STOP = (  # "3日" before these is a length or a count
    r"間|目|後|前|以内|ぶり|分(?!の便)|連続|ほど|程度|くらい|ぐらい|おき|ごと|毎|続|坊主|酔|かけ|かか|あれば|しか|も(?:あれば|かか|経)|経|たって|たったら|市(?!民)|町(?!内)|月|休み|中(?!に)|何|当たり|あたり|に[一1]?[0-9一二三]度|[0-9一二三四五六七八九十]+(?:[回食本杯錠粒人個件]|時間)|未満|以上|遅れ|とも|一?度に|家|千秋|の(?:休み|休暇|旅|猶予|うち|間(?!に)|出張|流れ|終わり|始まり|研修|滞在|遅れ|ずれ|差|道のり|命|長|工程|歩数|摂取)"
)

RULES = (
    Rule(("月",), rf"(?:{_YEAR})?(?<![0-9./-])(?P<m>{_N})月\s?(?P<d>{_N})日(?!間|目|号)", _month_day),
    Rule(("月",), rf"(?:{_YEAR})?(?P<m>{_N})月(?!\s?{_N}日)(?!号|生まれ|病|間|額|面|収|給|刊|光|見|曜|う|ご?と|並|例|次|食|謝|経|齢|か|兎|分|度|組|日)(?:の?(?P<edge>{_EDGE}))?", _month_span),
    Rule(("週", "月", "年", "期", "しゅう", "げつ"), rf"(?<![一-龥])(?P<p>{_PERIOD_NAMES})(?!度|末調整)(?:(?P<weekend>末)(?=.)(?<=週末)|の?(?P<edge>{_EDGE}))?(?<!週末)|(?<![一-龥])(?P<p2>(?!))", lambda found, line: _relative_period(found, line)),
    Rule(("週末",), rf"(?<![一-龥])(?P<p>今週|来週|再来週|さ来週|先週|翌週)の?(?P<weekend>末|週末)(?P<edge>(?!))?", _relative_period),
    Rule(("週", "月", "年", "期"), rf"(?<![一-龥0-9])(?P<p>{_NAMED})(?!調整|年始|ジャンボ|セール|恒例|感|進行|気分|モード|らし|っぽ|特番|太り)", _named_period),
    Rule(("期",), rf"(?<![一-龥])(?P<h>上期|下期|上半期|下半期)(?:の?(?P<edge>{_EDGE}))?", _half),
    Rule(("q", "四半期"), rf"(?<![a-z0-9])(?:(?P<y>20\d\d)年?の?\s?(?:度の?)?)?(?:第?(?P<n>[1-4一二三四])四半期|(?!))(?:の?(?P<edge>{_EDGE}))?", _quarter),
    Rule(("年",), rf"(?<![0-9])(?:{_YEAR})(?<!の)(?:(?P<edge>末|内|中|初め|前半|後半|いっぱい|半ば))?(?=まで|に(?!は?入社|は?設立|は?誕生)|から|末|内|中|より前|初|、|。|$)(?!度)", _year_span),
    Rule(("曜", "週"), rf"(?<![曜])(?:(?P<q>今週|来週|再来週|さ来週|翌週|先週|今度|次の次の|次|つぎ|来たる|きたる|前回|この前|こないだ|前|昨)の?)?(?P<w>{_W})曜日?(?!大工|画家|版)", _weekday),
    Rule(("週",), rf"(?P<q>今週|来週|再来週|さ来週|先週|翌週)の?\s?(?P<w>{_W})(?![曜一-龥])", _weekday),
    Rule(("週",), rf"(?P<q>今週|来週|再来週|さ来週|先週|翌週)の?\s?(?P<w>{_W})(?=締|〆|必着|納|厳守|午|夜|朝|夕|[0-9])", _weekday),
    Rule(tuple(WEEKDAY_SIGNS), rf"(?<![一-龥ぁ-んァ-ヶー0-9a-z])(?P<q>(?!))?(?P<w>[月火水木金土])(?=までに?(?:$|[^一-龥])|まで[一-龥]|〆|締め?切?|必着)", _weekday),
    Rule(("(",), rf"\((?P<w>{_W})(?:曜日?)?(?:[・,、/]?[祝休振祭]日?)?\)", _paren_weekday),
    Rule(("・", "、", ","), rf"(?<![一-龥ァ-ヶー])(?:(?P<q>今週|来週|再来週)の?)?(?P<ws>{_W}(?:[・、,]{_W}){{1,5}})(?:曜日?)?(?![一-龥ァ-ヶー])", _week_list),
    Rule(tuple(_DAY_WORDS), rf"(?<![一-龥])(?P<word>{_DAY_NAMES})(?!香|葉|的|この頃|日)(?P<part>中|じゅう|いっぱい|の?(?:午前中|朝いち|朝イチ|朝一|(?:午前|午後|朝|昼|夕方|夜中|夜|晩|深夜)(?!の?\s?[0-9一二三四五六七八九十])))?", _day_word),
    Rule(("あす",), r"(?<![ぁ-ん一-龥])(?P<word>あす)(?P<part>中|じゅう|いっぱい|の?(?:午前|午後|朝|夜))?(?=[はにのまで、。\s]|$|[一-龥ァ-ヶ0-9])", _day_word),
    Rule(("後", "先", "以内", "内に", "ったら"), rf"(?:(?:あと|今から|これから|約|およそ)\s?)?(?<!第){_AMOUNT}(?:以内|後(?!半|編|輩|ろ|ほど)|のちに?|先(?!生|輩|ほど|頭)|(?:経|た)ったら|うちに|内に)", _ahead),
    Rule(("あと", "残り", "残す", "向こう"), rf"(?:あと|残り|残すところ|残すところあと|向こう)\s?{_AMOUNT}(?!前)(?:で|しか|以内|$|[、。])?", _ahead),
    Rule(("前",), rf"(?:約|その)?(?<!第){_AMOUNT}(?:ほど|くらい|ぐらい)?前(?!半|編|後|輩|回|項|面|提)", _earlier),
    Rule(("前", "翌"), r"(?<![一-龥0-9])(?:その)?(?P<word>前日|翌日|翌朝|前夜|前営業日|翌々日|前々日)|(?<=日)の?(?P<word2>(?!))", _neighbour),
    Rule(("前日", "翌日", "前々日"), r"(?<=[日曜末])の?(?P<word>前日|翌日|前々日)", _neighbour),
    Rule(("営業日",), r"(?<![一-龥])(?:翌|次の?)営業日", _next_workday),
    Rule(("中",), rf"(?<![一-龥])中(?P<n>{_N})日(?!間)", _skipping),
    Rule(("日中", "日以内", "日のうち"), rf"(?P<n>一両|1両|両|数|[0-9]、[0-9]|[一二三四五]、?[二三四五六])日(?:中|以内|のうち)に?", _within_days),
    Rule(("日",), rf"(?<![0-9./:-])(?<![年月]\s)(?<![月])(?P<d>{_N})日(?!{_DOM_STOP})", _day_of_month),
    Rule(("日",), rf"(?<=[今来先当翌毎再]月)の?(?P<d>{_N})日(?!{_DOM_STOP})", _day_of_month),
    Rule(("末日",), r"(?<![一-龥0-9])末日", _last_day),
    Rule(("第",), rf"(?P<ns>第[1-5一二三四五](?:[・、,と]?第?[1-5一二三四五])*)(?:(?P<week>週)(?!の?{_W}曜)|週?の?(?P<w>{_W})曜日?)", _nth),
    Rule(("最終",), rf"最終(?:の)?(?:(?P<w>{_W})曜日?|営業日|平日)", _last_weekday),
    Rule(("営業日",), r"(?<![0-9一-龥])第(?P<n>[0-9]{1,2}|[一二三四五六七八九十]{1,3})営業日(?!後|以内|前)", _nth_workday),
    Rule(("毎週", "隔週"), rf"(?P<q>毎週|隔週)の?\s?(?P<ws>{_W}(?:曜日?)?(?:[・、,/と]?{_W}(?:曜日?)?(?![間額]))*)(?![末])", _every_week),
    Rule(("毎月末", "毎月の末"), r"(?<![一-龥])毎月の?(?:月末|末日?)", _every_month_end),
    Rule(("年度",), rf"(?<![0-9])(?:(?P<era>令和|平成)(?P<ey>元|{_N})|(?P<y>20\d\d))年度の?(?P<edge>末|内|中|いっぱい)?", _fiscal_year),
    Rule(("毎", "隔", "連日", "例年"), r"(?<![一-龥])(?P<e>平日は?毎日|毎日|毎朝|毎晩|毎夜|毎夕|毎食後|毎週末|毎週|隔週|毎月|隔月|毎年|例年|隔年|毎四半期|毎平日|毎営業日|隔日)(?!新聞)", _every),
    Rule(("おき", "ごと", "毎に", "に1回", "に一回", "に1度", "に一度"), rf"(?<!第){_AMOUNT}(?:おき|ごと|毎|に[1一][回度])に?", _interval),
    Rule(tuple(_HOLIDAYS), rf"(?<![一-龥ァ-ヶーa-z])(?P<name>{_HOLIDAY_NAMES})(?:の日)?(?![a-zァ-ヶー])(?:の?(?P<after>明け|中|期間中|前日|当日))?", _holiday),
    Rule(("春", "夏", "秋", "冬"), r"(?<![一-龥])(?P<q>[今来昨])?(?P<s>[春夏秋冬])(?=まで|中に|頃|ごろ|に(?!な|は[い入]|向)|前に|予定|開始|$|[、。])", _season),
    Rule(("時",), rf"(?:(?<![毎今昨明])(?P<part>午前|午後|早朝|夕方|深夜|未明|お昼|朝|夜|晩|昼|am|pm)の?\s?)?(?<![0-9:.第])(?P<h>{_N})時(?!間|代|点|期|速|価|給|計|差|々|に?(?:は|も)?(?:なったら))(?:(?P<half>半)|(?P<m>{_N})分(?!間))?(?:頃|ごろ|きっかり|ちょうど)?", _clock),
    Rule(("午", "夜", "朝", "夕", "am", "pm"), r"(?P<part>午前|午後|早朝|夕方|深夜|朝|夜|am|pm)の?\s?(?P<h>\d{1,2}):(?P<m>\d\d)(?!\d)", _half_numeric),
    Rule(("正午", "零時"), r"正午|零時", _clock_word),
)  # fmt: skip
