"""Whether a date is a deadline, something to watch for, or neither: told by the words around it."""

from __future__ import annotations

from collections.abc import Sequence

from . import english_cues, japanese_cues
from .around import OVER, Around, Judged, no_deadline
from .atoms import Atom, Line, compiled, words
from .english_roles import first_action, judge_english
from .japanese_roles import judge_japanese
from .phrases import Role

__all__ = ["Judged", "first_action", "judge"]


def judge(atom: Atom, line: Line, quoted: Sequence[tuple[int, int]]) -> Judged | None:
    """The role of *atom*; None when what was read as a date is none."""
    around = Around(atom, line)
    if any(start < atom.start and atom.end < end for start, end in quoted):
        return no_deadline(around, "quoted")
    field = _field(around)
    if field is not None:
        return field
    if atom.past:
        return _looking_back(around)
    return judge_japanese(around) if around.japanese else judge_english(around)


_KEY = r"(?P<key>[📅📆🗓⏳🛫➕✅❌🔁]️?|[a-z][a-z_-]*(?=\s?::?|=)|[一-龥ぁ-んァ-ヶー]{1,6}(?=\s?::?))\s?(?:::?|=)?\s*[\"']?$"
_TASK_SIGNS = words("📅 📆 🗓")
_DUE_KEYS = _TASK_SIGNS | words("due deadline due-date due_date duedate 締切 締切日 締め切り 〆切 期限 期日 納期 by until")
_TRACK_KEYS = words("expires expiry renewal renews")
_DEAD_KEYS = words(
    """⏳ 🛫 ➕ ✅ ❌ 🔁 created updated modified completed completion done cancelled canceled start scheduled published created_at updated_at date_created last_modified
    last-modified lastmod t since born dob posted uploaded accessed retrieved timestamp version build ver copyright effective_from 更新日 更新 作成日 作成 登録日 発行日
    投稿日 公開日 撮影日 生年月日 最終更新 最終更新日 作成日時 更新日時 記録日 購入日 入社日 設立"""
)
_PLAN_KEYS = words("更新日 更新 公開日 発行日 start published")  # a day ahead under these is a plan
_DAY_KEYS = words("date day daily 日付 議事録 日記")
_MADE_BEFORE = (
    r"(?:\b(?:created|modified|updated|published|posted|uploaded|accessed|retrieved|dated|born|copyright|©|\(c\)|established|founded|built|released|"
    r"last (?:edit(?:ed)?|update[d]?|change[d]?|modified|reviewed|login|seen|backup))(?: (?:on|in|at))?|"
    r"(?:創業|設立|創立|開業|作成|最終更新|投稿|撮影|生年月日|竣工|初版|作成日|記録日)(?:日|は|:|\s)*)\s*:?\s*$"
)


def _field(around: Around) -> Judged | None:
    """A date that stands in task syntax, in a log or under a metadata key."""
    atom, line = around.atom, around.line
    if atom.kind != "day" or atom.source not in {"iso", "stamp", "numeric", "month"}:
        return None
    if atom.source == "stamp" and not around.due:
        return no_deadline(around, "log")
    found = compiled(_KEY).search(around.left[-24:])
    key = found["key"].rstrip("\ufe0f") if found else ""
    inline = around.left.rstrip().endswith("::")
    if key in _DUE_KEYS | _TRACK_KEYS and (atom.dated or not around.japanese):
        if compiled(r"\s*(?:[-*+]|\d+[.)])\s+\[[xX-]\]\s").match(line.low):
            return no_deadline(around, "done")
        span = (atom.start, atom.end) if key in _TASK_SIGNS or inline else around.with_cue
        role: Role = "track" if key in _TRACK_KEYS else "due"
        reason = "field" if key in _TASK_SIGNS or inline else ""
        return Judged(*span, atom.first, atom.clock, role, "explicit", reason, atom.warning)
    if key in _PLAN_KEYS and not inline and atom.last > line.today and (atom.dated or around.japanese):
        return None
    if key in _DEAD_KEYS or (key in _DAY_KEYS and atom.last <= line.today):
        return no_deadline(around, "metadata")
    if compiled(_MADE_BEFORE).search(around.left[-32:]) and not around.before(r"\boverdue\b"):
        return no_deadline(around, "metadata")
    return None


def _looking_back(around: Around) -> Judged:
    """Of last Friday, yesterday, 先週: over, unless something is still open."""
    atom = around.atom
    day = atom.back or atom.last
    near = around.sentence + around.right
    if around.japanese:
        still_open = all(compiled(cue).search(near) for cue in (japanese_cues.OVERDUE, japanese_cues.OWED))
    else:
        still_open = around.says(english_cues.OVERDUE) or (
            around.says(english_cues.OWED) and compiled(english_cues.STILL).search(near) is not None
        )
    if not still_open:
        return no_deadline(around, "past", day=day)
    role: Role = "track" if around.says(english_cues.WAITING) else "due"
    return Judged(atom.start, atom.end, day, None, role, "inferred", "", OVER if day < around.line.today else "")
