"""Search tokens: what meets what, and what stays whole."""

from __future__ import annotations

from collections import Counter

import pytest

from vaultkit.text._english import STOP_WORDS, stem
from vaultkit.text.tokens import Join, halves, index_tokens, name_token, normalise, parse_query, pooled, query_tokens


def meet(query: str, text: str) -> bool:
    """Does a query share a token with a text?"""
    return not set(query_tokens(query)).isdisjoint(index_tokens(text))


@pytest.mark.parametrize("spelling", ["GitLab", "gitlab", "GITLAB", "ＧｉｔＬａｂ", "git-lab", "git lab", "Git Lab"])
@pytest.mark.parametrize("written", ["GitLab", "gitlab", "ＧｉｔＬａｂ", "Git-Lab"])
def test_every_spelling_of_a_name_finds_it(spelling: str, written: str) -> None:
    assert "gitlab" in query_tokens(spelling)
    assert "gitlab" in index_tokens(f"moved to {written} today")


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("C++", ["c++"]),
        ("C#", ["c#"]),
        ("F# and c", ["f#", "and", "c"]),
        (".NET", [".net", "net"]),
        ("Notepad++", ["notepad++", "notepad"]),
        ("foo:bar", ["foo", "bar", "foobar"]),
        ("pg_dump", ["pg", "dump", "pgdump"]),
        ("__init__", ["init"]),
        ("Wi-Fi", ["wi", "fi", "wifi"]),
        ("ASP.NET", ["asp", "net", "aspnet"]),
        ("R&D", ["r", "d", "rd"]),
        ("3.11", ["3", "11", "3.11"]),
        ("2026-11-30", ["2026", "11", "30", "2026.11.30"]),
        ("don't", ["dont"]),
        ("Priya's", ["priya"]),
        ("l’été", ["l", "ete", "lete"]),
        ("café", ["cafe"]),
        ("naïve", ["naiv"]),
        ("[[target|label]]", ["target", "label"]),
        ("#tag ## heading", ["tag", "head"]),
        ('"x', ["x"]),
        ("The end. Next: more", ["the", "end", "next", "more"]),
        ("- * — … 。", []),
        ("a\x00b", ["a", "b"]),
        ("x\ud800y", ["x", "y"]),
        ("20°C", ["20", "c"]),
        ("soft\u00adhyphen", ["softhyphen"]),
    ],
)
def test_words_become_tokens(text: str, tokens: list[str]) -> None:
    assert index_tokens(text) == tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("party🚀", ["parti", "🚀"]),
        ("👍🏽", ["👍"]),
        ("❤️", ["❤"]),
        ("👨‍👩‍👧", ["👨", "👩", "👧"]),
        ("🇯🇵🇺🇸", ["🇯🇵", "🇺🇸"]),
        ("★★", ["★", "★"]),
        ("├── src", ["src"]),
    ],
)
def test_an_emoji_is_a_word(text: str, tokens: list[str]) -> None:
    assert index_tokens(text) == tokens


def test_the_index_has_neighbours_and_single_kanji_and_a_query_only_neighbours() -> None:
    assert Counter(index_tokens("会議室で")) == Counter(["会議", "議室", "室で", "会", "議", "室"])
    assert query_tokens("会議室") == ["会議", "議室"]
    assert query_tokens("猫") == ["猫"]


def test_unspaced_and_spaced_scripts_are_told_apart() -> None:
    assert query_tokens("OBS設定") == ["obs", "設定"]
    assert query_tokens("한국어") == ["한국", "국어"]
    assert query_tokens("北京大学") == ["北京", "京大", "大学"]
    assert index_tokens("हिन्दी") == ["हिन्दी"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("サーバー", "サーバ"),
        ("コンピューター", "コンピュータ"),
        ("ﾌﾟﾘﾝﾀｰ", "プリンタ"),
        ("ヴァイオリン", "バイオリン"),
        ("５ＧＨｚ", "5GHz"),
        ("が", "か\u3099"),
    ],
)
def test_spellings_of_one_word_are_equal(one: str, other: str) -> None:
    assert index_tokens(one) == index_tokens(other)


def test_a_bar_inside_a_word_or_in_a_short_one_stays() -> None:
    assert query_tokens("キー") == ["キー"]
    assert query_tokens("データ") == ["デー", "ータ"]


@pytest.mark.parametrize(
    ("query", "text"), [("締切", "締め切り"), ("締め切り", "締切"), ("引越し", "引っ越し"), ("申込", "申し込みの控え")]
)
def test_kana_between_two_kanji_may_be_left_out(query: str, text: str) -> None:
    assert meet(query, text)


def test_a_particle_between_two_kanji_is_no_part_of_a_word() -> None:
    assert "京東" not in index_tokens("京の東")


def test_grammar_of_a_long_japanese_question_is_dropped() -> None:
    assert query_tokens("バグの原因は何でしたか") == ["バグ", "原因"]
    assert query_tokens("設定を変える方法") == ["設定", "変え", "方法"]
    assert query_tokens("ごみの日") == ["ごみ", "みの", "の日"]  # short enough to be a name
    assert query_tokens("ありがとう")  # nothing else is there


def test_a_kanji_between_grammar_is_a_word_by_itself() -> None:
    assert query_tokens("膝が痛いときの対処法") == ["痛い", "対処", "処法", "膝"]
    assert query_tokens("猫の健康診断") == ["健康", "康診", "診断", "猫"]


def test_stop_words_are_dropped_unless_nothing_else_is_there() -> None:
    assert query_tokens("what is the deadline") == ["deadlin"]
    assert query_tokens("to be") == ["to", "be", "tobe"]
    assert "the" in index_tokens("the end")


def test_each_token_of_a_query_comes_once() -> None:
    assert query_tokens("plan plans planned") == ["plan"]


@pytest.mark.parametrize(
    "family",
    [
        "deadline deadlines",
        "party parties",
        "try tries tried trying",
        "plan plans planned planning",
        "use uses used using",
        "focus focused focusing focuses",
        "buy buys bought buying",
        "write writes wrote written writing",
        "child children",
        "organize organise organizing organised",
        "deploy deployed deployment deploying",
        "promote promoted promotion",
        "quick quickly",
        "add adds added adding",
        "age ages aged",
        "agree agreed agrees",
    ],
)
def test_forms_of_one_word_have_one_stem(family: str) -> None:
    assert len({stem(word) for word in family.split()}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("us", "use"),
        ("sing", "sin"),
        ("king", "ke"),
        ("relate", "relationship"),
        ("new", "news"),
        ("species", "spec"),
        ("early", "ear"),
        ("apply", "app"),
    ],
)
def test_different_words_keep_different_stems(one: str, other: str) -> None:
    assert stem(one) != stem(other)


@pytest.mark.parametrize("word", ["may", "us", "work", "data", "will"])
def test_a_month_and_a_name_are_no_stop_words(word: str) -> None:
    assert (word in STOP_WORDS) is (word == "will")


def test_neighbours_in_a_query_may_be_one_word_in_a_note() -> None:
    query = parse_query("git lab runner")
    assert [term.token for term in query.terms] == ["git", "lab", "runner"]
    assert query.joins == (Join("gitlab", "gitlab", (0, 1)), Join("labrunn", "labrunner", (1, 2)))
    assert Join("stateoftheart", "stateoftheart", (0, 1)) in parse_query("state-of-the-art").joins


def test_a_japanese_query_joins_what_the_note_writes_with_fewer_kana() -> None:
    assert parse_query("締め切り").joins == (Join("締切", "締切", (0, 1)),)


def test_a_word_falls_into_halves() -> None:
    assert ("git", "lab") in [(left.text, right.text) for left, right in halves("gitlab")]
    assert not list(halves("short"))
    assert not list(halves("会議室予約"))


def test_pooling_repeats_titles_and_tags_and_caps_the_body() -> None:
    counted = Counter(pooled("Budget", ["money/plan"], "zebra " * 30 + "budget", aliases=["Costs"]).split())
    assert counted == {"budget": 11, "money": 5, "plan": 5, "cost": 5, "zebra": 4, "=budget": 1, "=costs": 1}


def test_pooled_text_is_made_of_index_tokens() -> None:
    body = "Wi-Fi と会議室, C++ — 🚀."
    assert set(pooled("", (), body).split()) == set(index_tokens(body))


@pytest.mark.parametrize("name", ["obsidian-cli", "Obsidian CLI", "ＯＢＳＩＤＩＡＮ_cli", "obsidian: cli."])
def test_a_name_is_one_token_however_it_is_written(name: str) -> None:
    assert name_token(name) == "=obsidiancli"
    assert "=obsidiancli" in pooled(name, (), "").split()


def test_names_that_differ_keep_different_tokens() -> None:
    assert len({name_token(name) for name in ("C", "C++", "C#", "検索", "検査")}) == 5
    assert name_token(" - ") == ""


def test_normalising_folds_width_case_and_white_space() -> None:
    assert normalise(" ＧｉｔＬａｂ\u3000 Straße\n") == "gitlab strasse"


def test_a_very_long_word_is_cut_on_both_sides() -> None:
    assert query_tokens("Q" * 50_000) == index_tokens("q" * 50_000)
    assert max(map(len, index_tokens("9" * 5_000 + "x-" * 5_000))) <= 64
