"""Task lines: the syntaxes of Tasks (emoji and Dataview), Reminder, Kanban, todo.txt and org, read; Tasks syntax, written. Pure.

Reading is lenient (any order, text after a field, U+FE0F, NBSP); writing changes only the characters of the field in question.
What is written keeps the order that Tasks can read back: text, clock time, then fields only (facts/capture.md §2).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import NamedTuple

from vaultkit.agenda.items import DEADLINE_NAMES, fold_name
from vaultkit.text.dates import may_hold_date


class TaskText(NamedTuple):
    """A line of Tasks syntax taken apart."""

    text: str  # without fields, clock time, id
    due: date | None
    time: str | None  # HH:MM
    id: str
    done: date | None
    cancelled: bool
    recurrence: str
    show_from: date | None  # ⏳
    unparsable: str  # a field value that is no date, "" when all is well


class Moment(NamedTuple):
    """A day, perhaps with a clock time (HH:MM)."""

    day: date
    time: str | None


def parse_task_text(text: str, *, strict: bool = False) -> TaskText:
    """Read a task's fields. *strict*: the text is an entry of one of the two fields, so a 📅 without a date is always an error."""
    tokens = scan(text, strict=strict)
    found: dict[str, Token] = {}
    for token in tokens:
        found[token.name] = token  # Tasks reads backwards from the line's end: the last one counts
    due, show_from, done = found.get("due"), found.get("scheduled"), found.get("done")
    clock = _clock(text, tokens)
    wrong = next((text[token.start : token.end].strip() for token in tokens if token.wrong), "")
    return TaskText(
        text=_words(text, tokens, clock),
        due=_day(due),
        time=clock.time if clock else None,
        id=found["id"].value if "id" in found else "",
        done=_day(done),
        cancelled="cancelled" in found,
        recurrence=found["recurrence"].value if "recurrence" in found else "",
        show_from=_day(show_from),
        unparsable=wrong,
    )


def render_item(
    text: str,
    *,
    due: date | None,
    time: str | None = None,
    id: str = "",  # noqa: A002 - the field's name
    recurrence: str = "",
    show_from: date | None = None,
) -> str:
    """An entry of the two fields: `Send slides to Priya 17:00 📅 2026-12-05 🆔 k3f9a1`. Fields in *text* are left out of it."""
    plain = parse_task_text(_one_line(text)).text
    while (again := parse_task_text(plain).text) != plain:
        plain = again
    parts = [plain]
    if time and not plain.endswith(time):
        parts.append(time)
    parts += [f"🔁 {recurrence}"] if recurrence else []
    parts += [f"⏳ {show_from.isoformat()}"] if show_from else []
    parts += [f"📅 {due.isoformat()}"] if due else []
    parts += [f"🆔 {id}"] if id else []
    return " ".join(part for part in parts if part)


def with_done(text: str, day: date) -> str:
    """*text* with `✅ day`, unless it is done already."""
    if any(token.name == "done" and token.moment for token in scan(text)):
        return text
    return _append(text, f"[completion:: {day.isoformat()}]" if is_dataview(text) else f"✅ {day.isoformat()}")


def with_cancelled(text: str, day: date) -> str:
    """*text* with `❌ day`, unless it is cancelled already."""
    if any(token.name == "cancelled" for token in scan(text)):
        return text
    return _append(text, f"[cancelled:: {day.isoformat()}]" if is_dataview(text) else f"❌ {day.isoformat()}")


def with_id(text: str, id: str) -> str:  # noqa: A002 - the field's name
    """*text* with a 🆔; one that it has already is kept."""
    if any(token.name == "id" for token in scan(text)):
        return text
    return _append(text, f"[id:: {id}]" if is_dataview(text) else f"🆔 {id}")


def with_due(text: str, day: date, time: str | None = None) -> str:
    """*text* with another due date, or with one where it has none; *time* is written before it when the text has no clock time."""
    tokens = scan(text)
    due = next((token for token in reversed(tokens) if token.name == "due"), None)
    if due is not None and due.moment is not None:
        return text[: due.value_start] + day.isoformat() + text[due.value_start + len(due.written) :]
    if due is not None:
        text = text[: due.start].rstrip() + text[due.end :]
    clock = f"{time} " if time and parse_task_text(text).time is None else ""
    field = f"[due:: {day.isoformat()}]" if is_dataview(text) else f"📅 {day.isoformat()}"
    at = next((token.start for token in scan(text)), None)
    if at is None:
        return _append(text, clock + field)
    gap = "" if not text[:at] or text[at - 1].isspace() else " "
    return f"{text[:at]}{gap}{clock}{field} {text[at:]}"


def with_show_from(text: str, day: date) -> str:
    """*text* with `⏳ day` before its due date, so that the due date stays where Tasks finds it."""
    tokens = scan(text)
    old = next((token for token in reversed(tokens) if token.name == "scheduled"), None)
    if old is not None and old.moment is not None:
        return text[: old.value_start] + day.isoformat() + text[old.value_start + len(old.written) :]
    field = f"[scheduled:: {day.isoformat()}]" if is_dataview(text) else f"⏳ {day.isoformat()}"
    at = next((token.start for token in tokens if token.name == "due"), None)
    gap = "  " if is_dataview(text) else " "
    return _append(text, field) if at is None else f"{text[:at]}{field}{gap}{text[at:]}"


def with_clock(text: str, time: str | None) -> str:
    """*text* with another clock time, or with none."""
    tokens = scan(text)
    clock = _clock(text, tokens)
    if clock is not None and clock.time == time:
        return text
    if clock is not None and time is not None:
        return text[: clock.start] + time + text[clock.end :]
    if clock is not None:
        return text if clock.kept else text[: clock.start].rstrip(_SPACES) + text[clock.end :]
    at = next((token.start for token in tokens), None)
    if time is None or at is None:
        return text
    return f"{text[:at].rstrip(_SPACES)} {time} {text[at:]}".lstrip(_SPACES)


def without(text: str, *names: str) -> str:
    """*text* without the fields of these names (`done`, `cancelled`, `id`, …)."""
    for token in reversed(scan(text)):
        if token.name in names:
            text = text[: token.start].rstrip(_SPACES) + text[token.end :]
    return text


def next_occurrence(text: str, id: str, due: date) -> str:  # noqa: A002 - the field's name
    """The open copy of a completed recurring task, due on *due*: its other dates move by as many days, *id* becomes its 🆔."""
    was = parse_task_text(text).due
    text = without(text, "done", "cancelled", "id", "depends", "created", "block")
    for token in reversed(scan(text)):
        if token.name in {"due", "scheduled", "start"} and token.moment is not None and was is not None:
            day = due if token.name == "due" else token.moment.day + (due - was)
            text = text[: token.value_start] + day.isoformat() + text[token.value_start + len(token.written) :]
    return with_id(text, id) if id else text


def is_dataview(text: str) -> bool:
    """Are this line's fields in Dataview format? One line holds one format, else the Tasks plugin sees half of it."""
    styles = [token.style for token in scan(text) if token.name in _DATES or token.name in {"id", "recurrence", "priority"}]
    return "dataview" in styles and "emoji" not in styles


def read_moment(text: str) -> Moment | None:
    """A date as people write it in a field: ISO, 2026/3/6, 2026.3.6, 2026年3月6日, 6 March 2026, [[2026-03-06]]; perhaps with a clock time.

    Unlike prose this never guesses: no year or no fixed order means None. A zone offset is dropped, the wall clock stays.
    """
    match = _VALUE.fullmatch(text.strip())
    if match is None:
        return None
    year, month, day = _numbers(match)
    try:
        found = date(year, month, day)
    except ValueError:
        return None
    return Moment(found, f"{int(match['hour']):02}:{match['minute']}" if match["hour"] else None)


class Token(NamedTuple):
    """One field as it stands in the text: `text[start:end]`; *written* is the date inside it, at *value_start*."""

    name: str
    start: int
    end: int
    value: str
    style: str  # emoji, dataview, or other (read only)
    moment: Moment | None = None
    value_start: int = -1
    written: str = ""
    wrong: bool = False  # a date field whose value is no date


def scan(text: str, *, strict: bool = False) -> list[Token]:
    """The fields of *text* in order; inline code is no place for fields."""
    if not has_fields(text):
        return []
    masked = mask_code(text)
    matches = list(_TOKEN.finditer(masked))
    tokens: list[Token] = []
    for at, match in enumerate(matches):
        limit = matches[at + 1].start() if at + 1 < len(matches) else len(masked)
        token = _READERS[match.lastgroup or ""](_Place(match, masked, limit, strict))
        if token is not None and (not tokens or token.start >= tokens[-1].end):
            tokens.append(token)
    return tokens


def has_fields(text: str) -> bool:
    """A cheap test: False only when `scan` finds nothing."""
    return _HINT.search(text) is not None


def mask_code(text: str) -> str:
    """*text* with inline code blanked out, offsets kept."""
    return _CODE.sub(lambda match: "\0" * len(match[0]), text) if "`" in text else text


_SPACES = " \t\u00a0\u3000"
_GAP = rf"\uFE0F?[{_SPACES}]*"
_EMOJI = {
    "📅": "due", "📆": "due", "🗓": "due", "⏳": "scheduled", "⌛": "scheduled", "🛫": "start", "➕": "created", "✅": "done", "❌": "cancelled",
    "🔁": "recurrence", "🆔": "id", "⛔": "depends", "🏁": "completion",
    "🔺": "priority", "⏫": "priority", "🔼": "priority", "🔽": "priority", "⏬": "priority",
}  # fmt: skip
_KEYS = {
    "scheduled": "scheduled", "start": "start", "created": "created", "completion": "done", "cancelled": "cancelled", "priority": "priority",
    "repeat": "recurrence", "id": "id", "dependson": "depends", "oncompletion": "completion",
} | dict.fromkeys(DEADLINE_NAMES, "due")  # fmt: skip
_DATES = {"due", "scheduled", "start", "created", "done", "cancelled"}
# Only these decide whether and when a person is warned; a broken ➕ harms nobody.
_CHECKED = {"due", "scheduled"}

_CODE = re.compile(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)
_SIGNS = "".join(_EMOJI)
_HINT = re.compile(rf"[{_SIGNS}]|::|\(@|@\{{|@\[\[|due:|DEADLINE:|SCHEDULED:|\^")
_CLOCK = r"(?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d)(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?"
_MONTH_NAMES = (
    "Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?"
)
_VALUE = re.compile(
    r"(?:\[\[)?(?:"
    r"(?P<year>\d{4})(?:-(?P<month>\d{1,2})-|/(?P<month2>\d{1,2})/|\.(?P<month3>\d{1,2})\.|年\s*(?P<month4>\d{1,2})月\s*)(?P<day>\d{1,2})日?"
    rf"|(?P<day5>\d{{1,2}})(?:st|nd|rd|th)?\s+(?P<name5>{_MONTH_NAMES})\.?,?\s+(?P<year5>\d{{4}})"
    rf"|(?P<name6>{_MONTH_NAMES})\.?\s+(?P<day6>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<year6>\d{{4}})"
    r")(?:\|[^\]]*)?(?:\]\])?(?:\s*[(（][^()（）]{1,4}[)）])?(?:[T\s]\s*" + _CLOCK + r")?",
    re.IGNORECASE,
)
_NUMERIC = r"\d{4}(?:-\d{1,2}-|/\d{1,2}/|\.\d{1,2}\.|年\d{1,2}月)\d{1,2}日?"
_RANGE_END = r"(?:\s?[-–~〜]\s?\d{1,2}:\d\d)?"
_TOKEN = re.compile(
    rf"(?P<emoji>[{_SIGNS}])"
    r"|(?P<dataview>(?:\[(?!\[)|\()\s{0,4}(?P<key>[^\[\]():]{1,40}?)\s{0,4}::(?P<bracketed>(?:\[\[[^\[\]]*\]\]|[^\[\]()])*)[\])])"
    r"|(?P<reminder>\(@(?P<reminded>\d[^()]*)\))"
    r"|(?P<kanban>@@?\{(?P<braced>\d[^{}]*)\}|@\[\[(?P<linked>\d{4}-[^\[\]]*)\]\])"
    r"|(?P<todo>(?<!\S)due:(?P<day>\d\S*)|(?<!\S)t:(?P<threshold>\d{4}-\d\d-\d\d)(?!\S)|(?<!\S)rec:(?P<rec>\+?\d+[dbwmy])(?!\S))"
    r"|(?P<org>(?P<orgkey>DEADLINE|SCHEDULED):\s*<(?P<stamp>[^<>]*)>)"
    rf"|(?P<block>(?:(?<=[{_SPACES}])|^)\^[A-Za-z0-9-]+(?=\s*\Z))"
)
_AFTER_DATE = re.compile(rf"{_GAP}(?P<date>{_NUMERIC}(?:(?:T|[{_SPACES}]+){_CLOCK}{_RANGE_END})?)(?!\d)")
_AFTER_TEXT = {
    "id": re.compile(rf"{_GAP}(?P<value>[A-Za-z0-9_-]+)"),
    "depends": re.compile(rf"{_GAP}(?P<value>[A-Za-z0-9_-]+(?:\s*,\s*[A-Za-z0-9_-]+)*)"),
    "completion": re.compile(rf"{_GAP}(?P<value>(?:keep|delete)\b)", re.IGNORECASE),
    "recurrence": re.compile(rf"{_GAP}(?P<value>[^\[\](){{}}#^@|\n\0{_SIGNS}]*)"),
    "priority": re.compile(r"(?P<value>\uFE0F?)"),
}
_FIRST_DATE = re.compile(rf"{_NUMERIC}")
_LOOKS_DATED = re.compile(r"\d+\s*[-/.年月]\s*\d")
_TIME_LAST = re.compile(r"(?<![\d:.])([01]?\d|2[0-3]):([0-5]\d)(?P<end>\s?[-–~〜]\s?(?:[01]?\d|2[0-3]):[0-5]\d)?(?:\s+#\S+)*\s*\Z")
_TIME_FIRST = re.compile(r"\s*([01]?\d|2[0-3]):([0-5]\d)(?![\d:])(?P<end>\s?[-–~〜]\s?(?:[01]?\d|2[0-3]):[0-5]\d)?\s+(?=\S)")
_REPEATER = re.compile(r"(\.\+|\+\+|\+)(\d+)([dwmy])")
_UNITS = {"d": "day", "b": "weekday", "w": "week", "m": "month", "y": "year"}
_MONTH_NUMBERS = {
    name: at for at, name in enumerate(("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), start=1)
}


class _Place(NamedTuple):
    """What a token's reader looks at: its match, the line, where the next token begins, and how strict to be."""

    match: re.Match[str]
    text: str
    limit: int
    strict: bool


def _emoji(place: _Place) -> Token | None:
    match, text = place.match, place.text
    name = _EMOJI[match[0]]
    if name not in _DATES:
        value = _AFTER_TEXT[name].match(text, match.end())
        if value is None or (name != "priority" and not value["value"].strip()):
            return None
        written = value["value"].strip(_SPACES + ",")
        return Token(name, match.start(), value.end("value") - (len(value["value"]) - len(value["value"].rstrip())), written, "emoji")
    value = _AFTER_DATE.match(text, match.end())
    if value is not None:
        moment = read_moment(
            re.sub(_RANGE_END + r"\Z", "", value["date"].replace("\u00a0", " ")) if ":" in value["date"] else value["date"]
        )
        written = _written(value["date"])
        wrong = moment is None and name in _CHECKED
        return Token(name, match.start(), value.end(), value["date"], "emoji", moment, value.start("date"), written, wrong)
    rest = text[match.end() : place.limit].strip(_SPACES + "\ufe0f")
    if name not in _CHECKED or rest.startswith(("<%", "{{")) or "\0" in rest:
        return None  # a template's placeholder, or an emoji used as decoration
    if place.strict or _LOOKS_DATED.match(rest) or (match[0] == "📅" and text[: match.start()].strip() and rest and may_hold_date(rest)):
        end = match.end() + len(text[match.end() : place.limit].rstrip())
        return Token(name, match.start(), end, rest, "emoji", wrong=True)
    return None


def _dataview(place: _Place) -> Token | None:
    match = place.match
    name = _KEYS.get(fold_name(match["key"]))
    if name is None:
        return None
    value = match["bracketed"].strip()
    if name not in _DATES:
        return Token(name, match.start(), match.end(), value, "dataview")
    moment = read_moment(value)
    at = _FIRST_DATE.search(place.text, match.start("bracketed"), match.end("bracketed"))
    wrong = moment is None and name in _CHECKED and bool(value) and not value.startswith(("<%", "{{"))
    if moment is not None and at is None:  # `6 March 2026`
        lead = len(match["bracketed"]) - len(match["bracketed"].lstrip())
        day = re.split(r"T?\s*\d{1,2}:", value)[0]
        return Token(name, match.start(), match.end(), value, "dataview", moment, match.start("bracketed") + lead, day)
    return Token(name, match.start(), match.end(), value, "dataview", moment, at.start() if at else -1, at[0] if at else "", wrong)


def _reminder(place: _Place) -> Token | None:
    match = place.match
    stamp = match["reminded"].partition("🔁")[0].strip()
    moment = read_moment(stamp)
    return Token("due", match.start(), match.end(), stamp, "other", moment, match.start("reminded"), _written(stamp), moment is None)


def _kanban(place: _Place) -> Token | None:
    match = place.match
    if match[0].startswith("@@"):
        clock = re.fullmatch(r"([01]?\d|2[0-3]):([0-5]\d)", match["braced"].strip())
        return Token("time", match.start(), match.end(), f"{int(clock[1]):02}:{clock[2]}", "other") if clock else None
    group = "braced" if match["braced"] is not None else "linked"
    moment = read_moment(match[group])
    return Token(
        "due", match.start(), match.end(), match[group], "other", moment, match.start(group), _written(match[group]), moment is None
    )


def _todo(place: _Place) -> Token | None:
    match = place.match
    if match["rec"]:
        count = match["rec"].strip("+dbwmy")
        every = f"every {_UNITS[match['rec'][-1]]}" if count == "1" else f"every {count} {_UNITS[match['rec'][-1]]}s"
        return Token("recurrence", match.start(), match.end(), every if match["rec"][0] == "+" else f"{every} when done", "other")
    group = "day" if match["day"] else "threshold"
    value = match[group].rstrip(",.;。、")
    moment = read_moment(value)
    end = match.start(group) + len(value)
    return Token(
        "due" if match["day"] else "scheduled",
        match.start(),
        end,
        value,
        "other",
        moment,
        match.start(group),
        _written(value),
        moment is None,
    )


def _org(place: _Place) -> Token | None:
    match = place.match
    stamp = re.sub(r"(?<=\d)\s+[^\W\d]+\.?(?=\s|\Z)", "", _REPEATER.sub("", match["stamp"])).strip()
    moment = read_moment(re.sub(r"-\d{1,2}:\d\d\Z", "", stamp))
    name = "due" if match["orgkey"] == "DEADLINE" else "scheduled"
    return Token(name, match.start(), match.end(), stamp, "other", moment, match.start("stamp"), _written(match["stamp"]), moment is None)


def _block(place: _Place) -> Token | None:
    match = place.match
    return Token("block", match.start(), match.end(), match[0][1:], "other")


_READERS: dict[str, Callable[[_Place], Token | None]] = {
    "emoji": _emoji, "dataview": _dataview, "reminder": _reminder, "kanban": _kanban, "todo": _todo, "org": _org, "block": _block,
}  # fmt: skip


def _written(value: str) -> str:
    """The date part of a field's value."""
    match = _FIRST_DATE.match(value)
    return match[0] if match else value


def _numbers(match: re.Match[str]) -> tuple[int, int, int]:
    if match["year"]:
        month = match["month"] or match["month2"] or match["month3"] or match["month4"]
        return int(match["year"]), int(month), int(match["day"])
    name = match["name5"] or match["name6"]
    return int(match["year5"] or match["year6"]), _MONTH_NUMBERS[name[:3].casefold()], int(match["day5"] or match["day6"])


def _day(token: Token | None) -> date | None:
    return token.moment.day if token is not None and token.moment is not None else None


class _Clock(NamedTuple):
    """A clock time and where it stands. *kept*: it is part of the words (a range), or of a field."""

    time: str
    start: int
    end: int
    kept: bool


def _clock(text: str, tokens: list[Token]) -> _Clock | None:
    """The clock time of a dated line: before a field, the last such first; within the due field; at the line's beginning."""
    due = next((token for token in reversed(tokens) if token.name == "due"), None)
    if due is None:
        return None
    for at in range(len(tokens) - 1, -1, -1):
        begin = tokens[at - 1].end if at else 0
        match = _TIME_LAST.search(text, begin, tokens[at].start)
        if match is not None:
            return _Clock(f"{int(match[1]):02}:{match[2]}", match.start(), match.end(2), bool(match["end"]))
    if due.moment is not None and due.moment.time:
        end = text.index(":", due.value_start + len(due.written)) + 3
        start = end - 4 if not text[end - 5].isdigit() else end - 5
        return _Clock(due.moment.time, start, end, kept=True)
    separate = next((token for token in tokens if token.name == "time"), None)
    if separate is not None:
        return _Clock(separate.value, separate.start + 3, separate.end - 1, kept=True)
    match = _TIME_FIRST.match(text, 0, tokens[0].start)
    return _Clock(f"{int(match[1]):02}:{match[2]}", match.start(1), match.end(2), bool(match["end"])) if match else None


def _words(text: str, tokens: list[Token], clock: _Clock | None) -> str:
    """The text without its fields and its clock time."""
    spans = [(token.start, token.end) for token in tokens]
    if clock is not None and not clock.kept:
        spans = sorted([*spans, (clock.start, clock.end)])
    pieces: list[str] = []
    at = 0
    for start, end in spans:
        pieces.append(text[at:start])
        at = end
    return _one_line(" ".join([*pieces, text[at:]]))


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _append(text: str, field: str) -> str:
    """*text* with a field at its end: before a block id and trailing white space, which stay where they are."""
    block = next((token for token in scan(text) if token.name == "block"), None)
    end = len((text[: block.start] if block else text).rstrip())
    gap = "" if not end else "  " if field.startswith("[") else " "
    return text[:end] + gap + field + (" " if block and not text[end : end + 1].isspace() else "") + text[end:]
