"""The role of a date in Japanese: what has to stand beside it, what is over, what only sounds like a date."""

from __future__ import annotations

from collections.abc import Callable

from . import japanese_cues as cues
from .around import Around, Judged, far_away, just_past, long_gone, no_deadline, overdue, placed
from .atoms import compiled
from .phrases import Role


def judge_japanese(around: Around) -> Judged | None:
    """The role of a Japanese date phrase; None when it is no date."""
    atom = around.atom
    if _still_open(around):
        return overdue(around, "due")
    if not _allowed(around):
        return None
    if _is_over(around):
        return no_deadline(around, "past", day=atom.back)
    reason = next((reason for reason, holds in _NO_DEADLINE if holds(around)), "")
    return no_deadline(around, reason) if reason else placed(around, _role(around))


def _still_open(around: Around) -> bool:
    """A date that is over, of a thing that is not: 期限は3月1日だった、まだ出してない."""
    atom = around.atom
    if atom.back is None:
        return False
    near = around.sentence + around.right
    owed = around.due or compiled(cues.OVERDUE).search(around.left + around.right) or compiled(cues.OWED).search(around.left_clause)
    if owed and compiled(cues.WAS_DUE).match(around.right_clause):
        return True
    return long_gone(atom, around.line) and (around.before(cues.LATE_BEFORE) or compiled(cues.OVERDUE).search(near) is not None)


# -- what has to stand beside the phrase


def _allowed(around: Around) -> bool:
    """Whether what must stand beside the phrase does."""
    atom = around.atom
    if atom.source == "dotted":
        return around.due_before_japanese or around.behind(r"\s*(?:\([月火水木金土日]\))?\s*(?:〆|締|必着|期限)")
    if atom.source in {"bareperiod", "theperiod"} and atom.need:
        return False
    if atom.need == 2:
        return around.due
    if atom.source in {"clock", "clockword"}:
        return _clock_counts(around)
    if atom.unit == "minute":
        return _acts(around.sentence) or _tracks(around.sentence)
    if atom.need == 0:
        return True
    if atom.source == "today":
        return _today_counts(around)
    if atom.source == "every":
        return atom.clock is not None or (_acts(around.right_clause) and not around.behind(r"\s*[がもの]"))
    return around.due or _NEEDS.get(atom.source, _particle_counts)(around)


def _acts(text: str) -> bool:
    return compiled(cues.ACTIONS).search(text) is not None


def _tracks(text: str) -> bool:
    return compiled(cues.TRACKED).search(text) is not None


def _clock_counts(around: Around) -> bool:
    """A time of day without a day is today's when something is to be done, or begins."""
    habitual = around.says(cues.HABIT)
    if compiled(r"\d|時").search(around.right[:3]) or around.atom.unit == "hours":
        return _tracks(around.sentence) and not habitual
    if habitual or compiled(r"毎|から$|より$").search(around.left[-6:]):
        return False
    if not around.left_clause.strip(" -*[]") and around.behind(rf"[\s:]*(?:{cues.TRACKED})"):
        return True
    if around.behind(r"\s*まで(?!に)") and not _acts(around.right_clause[:12]):
        return False
    return around.behind(r"\s*(?:まで|に(?!な)|から|より|~|厳守|締|〆|必着|開始|集合|発|スタート)") or around.due_before_japanese


def _today_counts(around: Around) -> bool:
    if (
        around.atom.clock is not None
        or (around.due and not around.behind(r"\s*は"))
        or around.behind(rf"\s*[はの、]?\s*(?:{cues.TRACKED})")
    ):
        return True
    return _acts(around.right_clause) and not compiled(cues.STATEMENT).search(around.right_sentence)


def _particle_counts(around: Around) -> bool:
    return around.behind(r"\s*(?:に|の|は|から|[~(、。]|$)")


def _day_counts(around: Around) -> bool:
    if around.spelled == "一日" and not around.behind(r"に(?![0-9一二三四五六七八九十])|付"):
        return False  # one day
    if around.behind(r"\s*(?:に[一1][回度]|は(?:かかる|必要))") or around.before(r"から\s*$"):
        return False
    return around.behind(
        r"\s*(?:に(?![0-9一二三四五六七八九十]{1,2}[冊回度本個杯枚人食])|の|は|から|[~(,、。-]|$|午|\d|朝|夜|夕|昼|正午|発|着|付|が|と|か|頃|ごろ|前後|予定|開始|スタート|公開|"
        rf"リリース|限り|でお願い|で(?:提出|納品|締|切|終)|\s|{cues.TRACKED})"
    )


def _holiday_counts(around: Around) -> bool:
    return around.behind(r"\s*(?:に(?!は?(?:ちな|関))|は|当日|から|休み(?!の)|前|、|$)")


def _period_counts(around: Around) -> bool:
    """来週に, 来月から; "来年の抱負" and "今月は赤字" are no dates."""
    atom = around.atom
    if around.behind(r"\s*(?:に(?!は?(?:ない|な))|から|より|以内|開始|頃|ごろ|予定|公開|発売|リリース|スタート|納品|入稿|オープン|開催)"):
        return True
    if around.behind(r"\s*の"):
        return atom.unit == "week" and around.behind(rf"\s*の\s*(?:{cues.TRACKED})")
    if atom.unit in {"year", "fiscal", "month"} and atom.source == "period" and around.behind(r"\s*[はもが]"):
        return _tracks(around.right_clause)
    if atom.unit == "month" and compiled(r"[0-9一二三四五六七八九十]").match(around.spelled) and around.behind(r"[一-龥ァ-ヶ]"):
        return False  # 九月入学
    if not around.right_clause.strip():
        return _acts(around.left_sentence) or _tracks(around.left_sentence)
    return _acts(around.right_clause) or _tracks(around.right_clause)


def _stretch_counts(around: Around) -> bool:
    return around.behind(r"\s*(?:に|で|$|、)") or _acts(around.right_clause)


def _part_of_year_counts(around: Around) -> bool:
    return around.behind(r"\s*(?:に|中|末|内|から|頃|ごろ|開始|予定)")


_NEEDS: dict[str, Callable[[Around], bool]] = {  # when a deadline word is missing
    "dom": _day_counts,
    "holiday": _holiday_counts,
    "period": _period_counts,
    "edge": _period_counts,
    "within": _stretch_counts,
    "quarter": _part_of_year_counts,
    "monthname": _part_of_year_counts,
    "season": _part_of_year_counts,
    "year": _part_of_year_counts,
    "nth": lambda _: True,
}


# -- what is over


def _is_over(around: Around) -> bool:
    atom = around.atom
    still_owed = around.due_before_japanese or (around.due and compiled(cues.OVERDUE).search(around.left + around.right))
    if (atom.dated and atom.last < around.line.today and not still_owed) or around.behind(cues.OVER_BEHIND):
        return True
    if _told_in_the_past(around):
        return (
            not around.strictly_due
            or around.behind(r"\s*(?:まで(?!に)|(?:以前|前)に?|のうちに)")
            or around.spelled.endswith(("以内", "中"))
        )
    return just_past(around) and not _tracks(around.sentence)


def _told_in_the_past(around: Around) -> bool:
    text = around.right_clause if around.right_clause.strip(" 、,()") else around.right_sentence
    return not compiled(cues.STILL_AHEAD).search(text) and compiled(cues.PAST).search(text) is not None


# -- what only sounds like a date


def _habit(around: Around) -> bool:
    atom = around.atom
    if atom.recurrence and around.says(cues.MACHINES):
        return True
    return (atom.kind == "weekday" or atom.source in {"weekday", "weekdays", "every"} or bool(atom.recurrence)) and around.says(cues.HABIT)


def _modifies(around: Around) -> bool:
    """明日への, 金曜が楽しみ, 水曜日のダウンタウン."""
    atom = around.atom
    if around.behind(cues.MODIFIER_BEHIND) or (atom.source == "weekday" and around.behind(cues.NAMED_WEEKDAY_BEHIND)):
        return True
    if atom.source not in {"weekday", "relative", "today", "edge"} or around.due or atom.clock is not None:
        return False
    if around.behind(r"\s*が") and not around.behind(rf"\s*が[^、。]{{0,8}}(?:{cues.TRACKED})"):
        return True
    of_noun = atom.source != "today" and around.behind(r"\s*の(?!朝|昼|夕|夜|晩|深夜|午|正午|[0-9])")
    return of_noun and not _tracks(around.right_clause) and not _acts(around.right_clause)


def _counted_from_unknown(around: Around) -> bool:
    """発行から3か月以内."""
    return around.atom.source == "relative" and around.atom.number != 0 and around.before(r"(?:から|後|以来|より)\s*$")


def _remark(around: Around) -> bool:
    """今日はいい天気, 来週会いたい, 気づけば金曜."""
    if around.before(r"(?:気づけば|もう|まだ|やっと|ようやく|さすがに?)\s*$"):
        return True
    return not around.due and around.atom.clock is None and compiled(cues.STATEMENT).search(around.right_sentence) is not None


_NO_DEADLINE: tuple[tuple[str, Callable[[Around], bool]], ...] = (
    ("habit", _habit),
    ("cancelled", lambda around: around.behind(cues.CANCELLED_BEHIND)),
    ("cancelled", lambda around: not around.behind(r"\s*[にへ]") and compiled(cues.CALLED_OFF).search(around.right_clause) is not None),
    ("modifier", _modifies),
    ("no date to count from", _counted_from_unknown),
    ("habit", _remark),
    ("no cue", far_away),
)


# -- due or track


def _role(around: Around) -> Role:
    clause = around.clause
    if around.says(cues.WAITING):
        return "track"
    if compiled(cues.STATED).search(clause) and "消印有効" not in clause:
        return "track"
    if around.atom.kind == "range" and compiled(cues.TIME_OFF).search(around.spelled + around.right_clause[:12]):
        return "track"
    if around.due:
        return "due"
    if _acts(around.right_clause) and not _tracks(around.right_clause):
        return "due"
    if _tracks(clause):
        return "track"
    return "due" if _acts(clause if clause.strip() else around.sentence) else "track"
