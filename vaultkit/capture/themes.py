"""Themes of a capture: what the vault already has first, then runs of one script. At most a few, for precision is the weak side. Pure."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from vaultkit.capture._english import VERBS
from vaultkit.capture.clauses import Span, word_set
from vaultkit.capture.request import Known
from vaultkit.capture.scopes import fold, mentions


class Theme(NamedTuple):
    """A tag, or a link to the note at *path*."""

    text: str
    path: str = ""


def themes_of(text: str, known: Known, *, dates: Sequence[Span] = (), limit: int = 3) -> list[Theme]:
    """The themes of *text*, best first; *dates* are spans that hold no theme."""
    head = text[:_HEAD]
    words = _without(head, dates)
    folded = fold(words)
    ranked = [*_titles(folded, known), *_tags(folded, known.tags)]
    ranked.sort(key=lambda found: -found[0])
    themes: list[Theme] = []
    covered: list[str] = []
    for _, name, theme in ranked:
        if len(themes) < limit and not any(name in other or other in name for other in covered):
            themes.append(theme)
            covered.append(name)
    for word in _new_words(words):
        if len(themes) >= limit:
            break
        tag = to_tag(word)
        key = fold(word)
        if tag and not any(key in other or other in key for other in covered):
            themes.append(Theme(_as_known(tag, known.tags)))
            covered.append(key)
    return themes


def to_tag(word: str) -> str:
    """*word* as a tag that Obsidian accepts: letters of any script, digits, `-`, `_`, `/`, not digits alone; "" when nothing is left."""
    flat = unicodedata.normalize("NFKC", word).lower()
    tag = "".join(character if _in_tag(character) else "-" for character in flat)
    tag = re.sub(r"-{2,}", "-", tag).strip("-/_")
    if len(tag) > _LONGEST:
        return ""  # a hash, a run of one letter: nobody looks it up
    return tag if tag and not tag.replace("-", "").replace("/", "").replace("_", "").isdigit() else ""


# A theme stands near the head of a text, and a long dump would only bring frequent words.
_HEAD: Final = 8_000
_LONGEST: Final = 48
_LEAST: Final = 1.0
_NO_THEMES: Final = word_set("inbox unread todo done daily task tasks template index home readme moc note notes log misc untitled draft")
_STOPS: Final = VERBS | word_set("""about above actually after afterwards again against almost already also although always another anything appointment around because become
    becomes before behind being below between beyond both cannot could deadline different does doing done during each early either enough even every
    everything everyone exactly first fortnight friday further getting going gone great group having hence however idea ideas including inside instead into itself
    january february march april june july august september october november december just kind last late latest later least less like likely little long look lots made make making many
    maybe minute minutes monday month months more morning most much must myself need needs never next nobody nothing noon often once only other others
    over people perhaps please possible previous probably quite really right same saturday second seconds several shall should since small some somebody someone something
    sometimes soon still such sunday take than thank that their them then there these they thing things think this those though three through
    thursday till time times today together tomorrow tonight tuesday twice under unless until using usually very want wants wednesday week weeks
    weekend well were what when where which while whole will with within without would yesterday years year your todo reminder remember
    forget waiting promised until quarter half evening afternoon night midnight monthly weekly daily yearly breakfast second third fourth fifth
    expires expire instructions previous title note memo question answer hash quoted euro euros dollar dollars hour hours days beforehand earlier monday mon tue wed thu fri sat sun
    jan feb mar apr may jun jul aug sep sept oct nov dec eod eow eom cob asap fyi btw ok am pm re cc""")
_KANJI_STOPS: Final = word_set("""今日 明日 明後日 昨日 一昨日 今週 来週 再来週 先週 今月 来月 再来月 先月 今年 来年 去年 今夜 今晩 今朝 毎日 毎週 毎月 毎年 隔週 週末 月末 年末 年内 年度末 年度 月曜 火曜 水曜 木曜 金曜 土曜 日曜 月曜日 火曜日
    水曜日 木曜日 金曜日 土曜日 日曜日 午前 午後 正午 時間 分間 日間 週間 月間 年間 期限 期日 締切 納期 必着 厳守 以内 以降 以前 以上 以下 前日 翌日 当日 本日 上旬 中旬 下旬 営業日 予定 必要 事前 場合 全部 全員 今回 前回 次回 一緒 最後 最初 自分 用事
    予約 提出 確認 送付 送信 返信 返事 回答 報告 相談 準備 用意 手配 購入 支払 修正 作成 共有 登録 変更 検討 調査 調整 整理 追加 削除 実装 対応 依頼 注文 解約 申請 申込 連絡 返却 交換 設定 開始 終了 完了 参加 担当 関係 問題 方法 内容 件名 指示 無視 前向 面白 大事 大切
    一覧 今度 途中 可能 希望 約束 変更点 気分 感想 毎朝 毎晩 土日 平日 祝日 曜日 日時 時刻 時点 半年 前半 後半 一度 二度 何度 一人 二人 全体 部分 他人 以外 事項 状態 状況 様子 結果 原因 理由 目的 意味 最近 最新 今後 現在 将来 過去""")
_KATAKANA_STOPS: Final = word_set(
    "メモ タスク アイデア アイディア カップ ページ メール リスト チェック スタート ポイント タイプ レベル グラム センチ メートル パーセント バージョン"
)
_COUNTED: Final = re.compile(r"^[一二三四五六七八九十百千]+(?:日|月|年|週|時|分|回|個|枚|本|人|つ|章|度|倍|円|冊|件|名|点|歳|階|号)")
_LABEL: Final = re.compile(r"^\s*(?:[-*+#]+\s+)?([^\s:：][^:：\n。.!?]{1,24})[:：](?=\s|[^\s/\d])")
_RUNS: Final = re.compile(
    r"(?P<tagged>(?<![^\s])#[^\s#]+)|(?P<wide>[おご]?[\u30a1-\u30faー\u3400-\u9fff々]{2,}(?:・[\u30a1-\u30faー]{2,})*)"
    r"|(?P<latin>[A-Za-z\u00c0-\u024f][A-Za-z0-9\u00c0-\u024f_'’.+#-]*)"
)
_OKURIGANA: Final = frozenset("うくぐすつぬぶむるきぎしちびみりけげせてねべめれわっいえ")
_BEFORE_NAME: Final = re.compile(
    r"\b(?:with|to|from|ask|call|ping|tell|email|meet|text|message|thank|remind|mr|mrs|ms|dr)\.? $", re.IGNORECASE
)
_COUNTER: Final = frozenset("時分秒日月年週回個枚本人円半つ章度倍冊件名点歳階号")


def _titles(folded: str, known: Known) -> Iterator[tuple[float, str, Theme]]:
    pairs: Iterable[tuple[str, str]] = [*((title, path) for path, title in known.titles.items()), *known.aliases.items()]
    for title, path in pairs:
        key = fold(title.strip())
        if key in folded and _is_name(key) and mentions(folded, key):
            yield 4.0 + min(len(key), 30) / 20, key, Theme(title.strip(), path)


def _tags(folded: str, tags: Mapping[str, int]) -> Iterator[tuple[float, str, Theme]]:
    flat = re.sub(r"[-_\s]+", " ", folded)
    for tag, count in tags.items():
        name = re.sub(r"[-_\s]+", " ", fold(tag.rsplit("/", 1)[-1])).strip()
        if name in flat and _is_name(name) and (mentions(flat, name) or (len(name) > 3 and mentions(flat, name + "s"))):
            yield 3.0 + math.log1p(count) / 4, name, Theme(tag)


def _is_name(key: str) -> bool:
    """Whether a name is telling enough to be found by chance-free: no stop word, no number, not too short."""
    if key in _NO_THEMES or key in _STOPS or key in _KANJI_STOPS or not any(character.isalpha() for character in key):
        return False
    wide = any(character >= "\u3000" for character in key)
    return len(key) >= (2 if wide else 3)


def _new_words(text: str) -> list[str]:
    """Candidates by script, best first."""
    scores: dict[str, float] = {}
    shown: dict[str, str] = {}
    label = _LABEL.match(text)
    starts = {0, *(match.end() for match in re.finditer(r"[.!?\n:]\s*(?:[-*+]\s+)?", text))}
    for match in _RUNS.finditer(re.sub(r"https?://\S+|`[^`\n]*`", lambda found: " " * len(found[0]), text)):
        run = match[0]
        if match.lastgroup == "wide" and run[-1] >= "\u3400" and text[match.end() : match.end() + 1] in _OKURIGANA:
            run = run[:-1]  # 「明日決める」: the last kanji is a verb's stem
        word = _trimmed(run, match.lastgroup or "", behind_digit=text[match.start() - 1 : match.start()].isdecimal())
        if match.lastgroup == "latin" and word[:1].isupper() and _BEFORE_NAME.search(text[max(0, match.start() - 12) : match.start()]):
            continue  # most likely a person, who is no theme
        score = _score(word, match.lastgroup or "", starts_sentence=match.start() in starts)
        if score <= 0:
            continue
        key = fold(word)
        shown.setdefault(key, word)
        bonus = 1.0 if label is not None and match.start() < label.end(1) and len(label[1].split()) <= 3 else 0.0
        scores[key] = scores[key] + 0.5 if key in scores else score + bonus
    ranked = sorted(scores, key=lambda key: -scores[key])
    return [shown[key] for key in ranked if scores[key] >= _LEAST]


def _score(word: str, kind: str, *, starts_sentence: bool) -> float:
    folded = fold(word)
    if kind == "tagged":
        return 5.0
    if kind == "wide":
        return _wide_score(word)
    if (
        folded in _STOPS
        or folded.removesuffix("s") in _STOPS
        or folded.removesuffix("'s") in _STOPS
        or len(word) < 2
        or re.fullmatch(r"v\d.*|[a-z]?\d+.*", folded)
    ):
        return 0.0
    if re.fullmatch(r"[A-Z][A-Z0-9&]{1,7}|[A-Z]+[0-9]+[A-Z0-9]*|[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*", word):
        return 2.0
    if word[0].isupper() and not starts_sentence:
        return 1.5
    if re.search(r"[a-z][0-9]|[a-z]\.[a-z]", folded):
        return 1.2
    return 1.0 if len(word) >= 7 and not folded.endswith(("ing", "ly", "ed")) else 0.0


def _wide_score(word: str) -> float:
    if len(word) < 2 or word in _KANJI_STOPS or word in _KATAKANA_STOPS or _COUNTED.match(word):
        return 0.0
    if re.fullmatch(r"[\u30a1-\u30faー]+", word):
        return 1.6 if len(word) >= 3 else 0.0
    return 1.2 + 0.1 * min(len(word), 5)


def _trimmed(run: str, kind: str, *, behind_digit: bool) -> str:
    """A run without what only ties it to its neighbours: a possessive, a counter, a deed at its end (「ホテル予約」)."""
    if kind == "latin":
        return re.sub(r"['’]s$", "", run.rstrip(".'’+-#"))
    if kind == "tagged":
        return run.lstrip("#")
    if behind_digit and run[0] in _COUNTER:
        return ""
    if len(run) < 2 or (run[0] in "おご" and len(run) == 2):
        return ""
    for stop in _KANJI_STOPS:
        if run.endswith(stop) and len(run) - len(stop) >= 2:
            run = run.removesuffix(stop)
        if run.startswith(stop) and len(run) - len(stop) >= 2:
            run = run.removeprefix(stop)
    return run


def _in_tag(character: str) -> bool:
    return character in "-_/" or unicodedata.category(character)[0] in "LNM"


def _as_known(tag: str, tags: Mapping[str, int]) -> str:
    """The vault's own casing of a tag."""
    return next((known for known in tags if known.casefold() == tag.casefold()), tag)


def _without(text: str, spans: Sequence[Span]) -> str:
    for span in spans:
        text = text[: span.start] + re.sub(r"[^\n]", " ", text[span.start : span.end]) + text[span.end :]
    return text
