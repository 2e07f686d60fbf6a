"""Due, track or none: told by the words around a date."""

from __future__ import annotations

import pytest

from tests.support.dates import WEDNESDAY, counted, only
from vaultkit.text.dates import Confidence, Role, find_dates


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("send the slides by Friday", "due"),
        ("call the bank tomorrow", "due"),
        ("in 3 days: water the plants", "due"),
        ("ship the app in Q3", "due"),
        ("lease ends May 31", "track"),
        ("free trial ends in 10 days", "track"),
        ("quote is valid until April 10", "track"),
        ("waiting on Bob's answer, he promised by Tuesday", "track"),
        ("flat inspection on 18 March at 14:30", "track"),
        ("kickoff moved to the 17th", "track"),
        ("金曜までに請求書を送る", "due"),
        ("3/9厳守で提出", "due"),
        ("免許の有効期限は令和9年1月15日", "track"),
        ("3月21日で無料体験が終わる", "track"),
        ("荷物は3月8日までに届くはず", "track"),
        ("明後日の15時に面談", "track"),
    ],
)
def test_the_cue_tells_the_role(text: str, role: Role) -> None:
    assert only(text).role == role


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("we launched on Monday", "past"),
        ("met Sarah last Friday", "past"),
        ("yesterday's standup was short", "past"),
        ("Monday's meeting went well", "past"),
        ("the Friday deploy went badly", "past"),
        ("her talk from March 2023", "past"),
        ("what did you do on Saturday", "past"),
        ("done on 3/2: sent the invoice", "past"),
        ("he has worked here since 12 May 2019", "past"),
        ("article published 14 March 2025", "metadata"),
        ("created: 2026-03-20", "metadata"),
        ('read "The Man Who Was Thursday"', "quoted"),
        ("read The Thursday Murder Club", "quoted"),
        ("- [x] pay rent 📅 2026-03-20", "done"),
        ("- [ ] pay rent ⏳ 2026-03-20", "metadata"),
        ("I said never again on a Monday", "habit"),
        ("set cron to run at 03:00 every Monday", "habit"),
        ("next week looks busy", "habit"),
        ("Sunday roast recipe", "modifier"),
        ("Friday's party is cancelled", "cancelled"),
        ("木曜に鈴木さんと話した", "past"),
        ("先週の金曜に会った", "past"),
        ("3月3日に作業完了", "past"),
        ("更新日：2026年2月20日", "metadata"),
        ("『木曜の男』を読む", "quoted"),
        ("月曜日が嫌いだ", "modifier"),
        ("水曜日のダウンタウン", "modifier"),
        ("定休日は水曜", "habit"),
        ("明日への活力", "modifier"),
    ],
)
def test_what_is_no_deadline_says_why(text: str, reason: str) -> None:
    phrase = only(text)
    assert (phrase.role, phrase.reason) == ("none", reason)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("overdue since Monday: reply to Mrs Ito", "2026-03-02"),
        ("report was due last Friday", "2026-02-27"),
        ("was due 2/27", "2026-02-27"),
        ("should have been done by Monday", "2026-03-02"),
        ("past due: gas bill Feb 20", "2026-02-20"),
        ("still need to send the form that was due Feb 28", "2026-02-28"),
        ("期限は3月1日だった、まだ出してない", "2026-03-01"),
        ("先週金曜が期限だった経費、まだ出してない", "2026-02-27"),
        ("2/27締切のレポートまだ出してない", "2026-02-27"),
        ("2月28日まで（過ぎてる）", "2026-02-28"),
        ("納期遅れ：2/27", "2026-02-27"),
    ],
)
def test_overdue_wording_keeps_the_day_that_is_over(text: str, day: str) -> None:
    phrase = only(text)
    assert (phrase.date.isoformat(), phrase.role, phrase.warning) == (day, "due", "this date is over")


@pytest.mark.parametrize(
    "text",
    [
        "the sun was out, lovely walk",
        "May I borrow the drill?",
        "April is joining the team",
        "march through the backlog",
        "Jan sent the file",
        "by train it is faster",
        "by far the best",
        "due to rain the picnic moved",
        "the due diligence folder",
        "1st place in the quiz",
        "the 3rd option",
        "my 5-year-old reads",
        "build took 3 hours",
        "a 14-day guarantee",
        "call it a day",
        "one of these days",
        "the 2026 roadmap looks thin",
        "Q1 numbers",
        "look at the June figures",
        "at the end of the day it is fine",
        "open 9-5",
        "won 3-2",
        "rated 9/10, would eat again",
        "not bad by Monday standards",
        "add a test for Feb 29 handling",
        "駅まで歩いて10分",
        "最後まで諦めない",
        "9時〜17時営業",
        "東京から大阪まで3時間",
        "一日中雨",
        "1日3回服用",
        "三日坊主",
        "二日酔い",
        "五月病かもしれない",
        "土日は休みたい",
        "来年の抱負",
        "第5章を読む",
        "12月号の特集",
        "4月生まれ",
        "2026年問題について",
        "今日はいい天気",
        "毎日が楽しい",
        "十五夜の団子",
        "明日香村の地図",
        "発行から3か月以内のもの",
    ],
)
def test_words_that_only_sound_like_dates_ask_for_nothing(text: str) -> None:
    assert counted(text) == []


@pytest.mark.parametrize(
    ("text", "confidence"),
    [
        ("by 2026-03-20", "explicit"),
        ("by March 20", "explicit"),
        ("by Friday", "inferred"),
        ("in two weeks call", "inferred"),
        ("in a few days call", "loose"),
        ("by summer find a flat", "loose"),
    ],
)
def test_confidence_says_how_much_was_written(text: str, confidence: Confidence) -> None:
    assert only(text).confidence == confidence


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("send it by EOD Friday", "by EOD Friday"),
        ("report due 3/14", "due 3/14"),
        ("flat inspection on 18 March at 14:30", "on 18 March at 14:30"),
        ("call @due(2026-03-20) now", "due(2026-03-20)"),
        ("来週金曜までに送る", "来週金曜までに"),
        ("DPAは3/20必着", "3/20必着"),
        ("表紙を4月中に", "4月中に"),
    ],
)
def test_a_phrase_takes_in_its_own_cue_word(text: str, phrase: str) -> None:
    assert only(text).phrase == phrase


def test_a_date_in_task_syntax_is_marked_as_a_field() -> None:
    fields = find_dates("- [ ] pay [due:: 2026-03-20]\n- [ ] call 📅 2026-03-21\nrent due:2026-03-22", now=WEDNESDAY)
    assert [(phrase.date.day, phrase.role, phrase.reason) for phrase in fields] == [
        (20, "due", "field"),
        (21, "due", "field"),
        (22, "due", ""),
    ]
