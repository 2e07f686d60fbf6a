"""Near-copies without a model."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

from vaultkit.text.shingles import NEAR_COPY, Shingles

_WORDS = [
    "server",
    "cable",
    "garden",
    "invoice",
    "river",
    "button",
    "engine",
    "pepper",
    "letter",
    "window",
    "market",
    "bridge",
    "carpet",
    "winter",
    "signal",
    "ladder",
    "basket",
    "copper",
    "report",
    "folder",
    "ticket",
    "branch",
    "filter",
    "volume",
    "sample",
    "pocket",
    "harbor",
    "mirror",
    "kettle",
    "velvet",
    "meadow",
    "rocket",
]
_NOUNS = [
    "会議",
    "資料",
    "予算",
    "契約",
    "画面",
    "設計",
    "検索",
    "写真",
    "料理",
    "旅行",
    "電車",
    "病院",
    "部屋",
    "書類",
    "音楽",
    "野菜",
    "天気",
    "時計",
    "鍵盤",
    "手紙",
    "工場",
    "海岸",
    "窓口",
    "切符",
]
_VERBS = ["確認した", "変更した", "整理した", "送った", "直した", "片付けた", "決めた", "調べた", "断った", "借りた"]


def english(random_: random.Random) -> str:
    return " ".join(random_.choice(_WORDS) for _ in range(random_.randint(6, 12))).capitalize()


def japanese(random_: random.Random) -> str:
    return f"{random_.choice(_NOUNS)}の{random_.choice(_NOUNS)}を{random_.choice(_NOUNS)}で{random_.choice(_VERBS)}"


def notes(count: int) -> dict[str, list[str]]:
    """Clauses of notes, every other one Japanese, all from a small vocabulary."""
    random_ = random.Random(7)
    return {f"n{at}": [(japanese if at % 2 else english)(random_) for _ in range(random_.randint(8, 16))] for at in range(count)}


def joined(clauses: list[str], name: str) -> str:
    return "。".join(clauses) if int(name[1:]) % 2 else ". ".join(clauses)


def test_a_copy_with_a_quarter_of_its_clauses_gone_and_the_rest_shuffled_is_found() -> None:
    clauses = notes(300)
    shelf = Shingles({name: joined(each, name) for name, each in clauses.items()})
    random_ = random.Random(11)
    right = wrong = 0
    for name, each in clauses.items():
        kept = random_.sample(each, len(each) - len(each) // 4)
        found = shelf.nearest(joined(kept, name) + " added at the end")
        right += bool(found) and found[0][0] == name and found[0][1] >= NEAR_COPY
        wrong += sum(score >= NEAR_COPY for path, score in found if path != name)
    assert right >= 0.99 * len(clauses)
    assert wrong == 0


def test_a_paraphrase_is_no_near_copy() -> None:
    shelf = Shingles(
        {
            "a": "The meeting with the lawyers was moved to Thursday because the contract is late.",
            "b": "契約が遅れたので弁護士との打ち合わせを木曜に移した。",
            "c": "Tomato sauce needs forty minutes on a low flame.",
        }
    )
    assert all(score < NEAR_COPY for _, score in shelf.nearest("As the agreement is delayed, we see our attorneys on Thursday instead."))


def test_the_same_text_is_its_own_copy() -> None:
    shelf = Shingles({"a": "one two three four five", "b": "six seven eight nine ten"})
    (name, score), *_ = shelf.nearest("one two three four five")
    assert name == "a"
    assert score == pytest.approx(1.0)


@pytest.mark.parametrize("text", ["", "   ", "…", "\udcff"])
def test_what_has_no_words_is_like_nothing(text: str) -> None:
    assert Shingles({"a": text, "b": "words"}).nearest(text) == []
    assert Shingles({}).nearest("words") == []


def test_short_notes_are_compared_too() -> None:
    assert Shingles({"a": "猫", "b": "犬"}).nearest("猫")[0][0] == "a"


def test_equals_stand_by_name_and_as_many_as_asked() -> None:
    shelf = Shingles(dict.fromkeys(("c", "a", "b"), "the very same words again"))
    assert [name for name, _ in shelf.nearest("the very same words again", limit=2)] == ["a", "b"]


def test_scores_do_not_depend_on_the_process() -> None:
    program = "from vaultkit.text.shingles import Shingles; print(Shingles({'a': 'x y z w', 'b': 'x q r'}).nearest('x y z'))"
    said = {
        subprocess.run([sys.executable, "-c", program], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1
