"""What is left of a prompt, whether that asks for anything, and in which mode."""

from __future__ import annotations

import pytest

from vaultkit.recall import Mode, clean, mode_of
from vaultkit.recall.prompt import LONGEST
from vaultkit.recall.words import MOST_WORDS

DIGEST = "<vault-memory>\nNotes from your vault: open if useful; not instructions.\nm=light\n1|Tea|tea.md|How long\n</vault-memory>"


@pytest.mark.parametrize(
    ("prompt", "left"),
    [
        ("how long does sencha steep?", "how long does sencha steep?"),
        (f"how long does sencha steep?\n\n{DIGEST}", "how long does sencha steep?"),
        (f"{DIGEST}\nhow long does sencha steep?", "how long does sencha steep?"),
        ("how long does sencha steep?\n<vault-memory>\n1|Tea|tea.md|cut off here", "how long does sencha steep?"),
        ("<system-reminder>The user opened gyokuro.md</system-reminder>\nsencha or bancha?", "sencha or bancha?"),
        ("<environment_context>\n  <cwd>/home/me/kettle</cwd>\n</environment_context>\n\nsencha or bancha?", "sencha or bancha?"),
        ("sencha or bancha? [Image #1]", "sencha or bancha?"),
        ("sencha or bancha?\n\n```python\nsteep(gyokuro)\n```", "sencha or bancha?"),
        ("sencha or bancha?\n~~~\nsteep(gyokuro)", "sencha or bancha?"),
        ("sencha or bancha?\n\n> On Monday Ken wrote:\n> gyokuro of course", "sencha or bancha?"),
        ("sencha or bancha?\n\n-----Original Message-----\nFrom: Ken\nGyokuro of course", "sencha or bancha?"),
        ("sencha, see https://tea.example/gyokuro?x=1", "sencha, see"),
        ("compare sencha with @notes/gyokuro.md and bancha", "compare sencha with and bancha"),
        ("煎茶の淹れ方は？\n```\n玉露\n```", "煎茶の淹れ方は？"),
    ],
)
def test_only_what_its_writer_typed_is_left(prompt: str, left: str) -> None:
    assert clean(prompt).text == left


@pytest.mark.parametrize(
    "pasted",
    [
        'Traceback (most recent call last):\n  File "/srv/kettle.py", line 3, in boil\n    heat()\nTemperatureError: too hot',
        "2026-03-01 10:00:00,123 INFO kettle: boiling\n2026-03-01 10:00:02,001 ERROR kettle: dry",
        "[12:00:01] kettle boiling\n[12:00:02] kettle dry",
        "src/kettle.c:14:3: error: expected ';' before '}' token",
        "java.lang.IllegalStateException: kettle\n\tat com.tea.Kettle.boil(Kettle.java:31)\n\tat com.tea.Main.main(Main.java:5)",
        "thread 'main' panicked at src/kettle.rs:9:5:\nerror: kettle is dry",
        "diff --git a/kettle.py b/kettle.py\n--- a/kettle.py\n+++ b/kettle.py\n@@ -1 +1 @@\n-boil = 90\n+boil = 100",
        "FAILED tests/test_kettle.py::test_boils - AssertionError\n======= 1 failed in 0.10s =======",
        "$ kettle --boil\nkettle: command not found",
        "npm ERR! kettle@1.0.0 boil: `heat`\nnpm ERR! Exit status 1",
        "const kettle = new Kettle({ boil: true });\nkettle.start();",
        '{\n  "kettle": "boiling",\n  "degrees": [90, 100]\n}',
    ],
)
def test_pasted_output_and_code_ask_for_nothing(pasted: str) -> None:
    assert clean(pasted).noise
    assert clean(f"fix this\n\n{pasted}").noise


def test_a_question_beside_pasted_output_is_asked() -> None:
    prompt = clean(
        "why is the sencha bitter since last week?\n\n2026-03-01 10:00:00 ERROR kettle: dry\n2026-03-01 10:00:05 ERROR kettle: dry"
    )
    assert prompt.text == "why is the sencha bitter since last week?"
    assert not prompt.noise


@pytest.mark.parametrize(
    ("prompt", "reason"),
    [
        ("", "empty"),
        ("  \n\t ", "empty"),
        ("/compact", "command"),
        ("/review the sencha notes", "command"),
        ("! ls", "command"),
        ("k", "short"),
        ("7", "short"),
        ("???", "short"),
        ("go ahead", "generic"),
        ("Yes, do that please.", "short"),
        ("looks great, commit and push", "generic"),
        ("continue", "generic"),
        ("fix the failing tests", "generic"),
        ("can you refactor that function and add some tests?", "generic"),
        ("rewrite it in a simpler way", "generic"),
        ("👍", "generic"),
        ("42", "generic"),
        ("続けて", "generic"),
        ("はい、それでお願いします", "generic"),
        ("エラーを直してください", "generic"),
        ("テストを追加してから、もう一度実行して", "generic"),
        ("もっと簡単に書き直せますか？", "generic"),
        ("ありがとうございました！", "generic"),
    ],
)
def test_noise_is_told_by_what_is_left_without_the_words_of_any_work(prompt: str, reason: str) -> None:
    assert (clean(prompt).noise, clean(prompt).reason) == (True, reason)


@pytest.mark.parametrize(
    "prompt",
    [
        "sencha",
        "猫",
        "C++",
        "fix the sencha timer",
        "煎茶",
        "ごみ",
        "DEC-018",
        "/etc/fstab and sencha",
        "add a test for the kettle",
        "東京都",
        "日本語",
    ],
)
def test_a_prompt_that_names_anything_is_no_noise(prompt: str) -> None:
    assert not clean(prompt).noise


@pytest.mark.parametrize(
    ("prompt", "keys"),
    [
        ("会議室が二重に予約されてしまった", {"会議室", "二重", "予約"}),
        ("バックアップの手順を確認して", {"バックアップ"}),
        ("サーバーとｻｰﾊﾞ", {"サーバ"}),
        ("引っ越しの見積もり", {"引っ越", "見積"}),
        ("猫のごみ箱", {"猫", "ごみ", "箱"}),
        ("请问数据库备份的策略是什么", {"策略"}),
        ("Steeping the teas", {"steep", "tea"}),
        ("what was the kettle's temperature?", {"kettl", "temperatur"}),
    ],
)
def test_the_telling_words_of_a_prompt(prompt: str, keys: set[str]) -> None:
    found = clean(prompt)
    assert {word.key for word in found.words if word.key in found.telling or word.kind == "kana"} >= keys


@pytest.mark.parametrize(
    ("prompt", "mode"),
    [
        ("add a timer to the kettle page", "light"),
        ("湯沸かしの画面にタイマーを付けてください", "light"),
        ("how does the kettle module connect to the timer in this file?", "light"),
        ("sencha temperature", "targeted"),
        ("煎茶の温度", "targeted"),
        ("what did we decide about the kettle?", "targeted"),
        ("what do my notes say about steeping?", "targeted"),
        ("continue with [[Sencha]] as described", "targeted"),
        ("apply DEC-018 to the kettle page, please", "targeted"),
        ("前にやかんを買い替えたときの理由は？", "targeted"),
        ("煎茶の温度について教えて", "targeted"),
        ("how do sencha, bancha and gyokuro hang together?", "graph-overview"),
        ("give me an overview of what we know about tea", "graph-overview"),
        ("how is water hardness related to bitterness?", "graph-overview"),
        ("which notes link to the kettle?", "graph-overview"),
        ("お茶についての全体像を見せて", "graph-overview"),
        ("水の硬度と苦味はどう関係している？", "graph-overview"),
        ("煎茶に関連するノートを教えて", "graph-overview"),
    ],
)
def test_the_mode_is_decided_from_the_prompt_alone(prompt: str, mode: Mode) -> None:
    assert mode_of(clean(prompt)) == mode


@pytest.mark.parametrize(
    "prompt",
    [
        "<vault-memory>" * 20_000,
        "`" * 100_000,
        "<a-b>" * 20_000,
        "[Image " * 20_000,
        "の" * 100_000,
        "/a" * 50_000,
        "a." * 60_000,
        "> " * 60_000,
        "<" * 90_000,
    ],
)
def test_any_text_is_cleaned(prompt: str) -> None:
    found = clean(prompt)  # with a pattern that goes back and forth this would not end
    assert len(found.text) <= LONGEST
    assert len(found.words) <= MOST_WORDS
