"""Confidence bands, and what is worth showing."""

from __future__ import annotations

import pytest

from tests.support.recalls import Memory, note

NOTES = {
    "kettle.md": note("The kettle switches off at 80 degrees, which is right for sencha.", title="Kettle temperature", tags=["tea"]),
    "whisk.md": note("Soak the bamboo whisk before use.", title="Matcha whisk", tags=["tea"]),
    "visa.md": note("The visa takes three weeks; bring two photographs.", title="Visa for Vietnam"),
    "server.md": note("中古の小型PCにUbuntuを入れた。電気代は月に約千円。", title="自宅サーバーの構築", tags=["インフラ"]),
    "cat.md": note("体重は4.2kg。腎臓の値が高い。", title="猫の健康診断", tags=["猫"]),
    **{f"tatami{number}.md": note("About the tatami.", title=f"Tatami {number}") for number in range(9)},
}


@pytest.fixture(scope="module")
def vault() -> Memory:
    return Memory(NOTES, filler=1000)


@pytest.mark.parametrize(
    ("prompt", "path"),
    [
        ("kettle temperature", "kettle.md"),
        ("Vietnam visa photographs", "visa.md"),
        ("what did we say about the kettle and sencha?", "kettle.md"),
        ("自宅サーバー", "server.md"),
        ("猫", "cat.md"),
        ("猫の腎臓の値はいくつでしたか", "cat.md"),
    ],
)
def test_what_fits_whole_and_alone_is_sure(vault: Memory, prompt: str, path: str) -> None:
    found = vault.ask(prompt)
    assert (found.confidence, [one.path for one in found.notes]) == ("high", [path])


def test_where_many_notes_fit_alike_none_is_sure(vault: Memory) -> None:
    found = vault.ask("tatami")
    assert found.confidence == "medium"
    assert 1 < len(found.notes) <= 6


@pytest.mark.parametrize(
    "prompt",
    [
        "write a parser for kettle files in Haskell",
        "how many photographs did Ansel Adams take in Yosemite?",
        "translate 'the weather is lovely' into Italian",
        "the visa of my browser session expired, log me in again",
        "サーバーサイドレンダリングとは何ですか",
        "犬と猫はどちらが人気がありますか、理由も三つ挙げて",
    ],
)
def test_one_word_in_common_brings_nothing(vault: Memory, prompt: str) -> None:
    found = vault.ask(prompt)
    assert found.confidence in {"low", "none"}
    assert (found.notes, found.digest.text) == ((), "")


def test_a_long_prompt_that_holds_a_whole_title_brings_the_note(vault: Memory) -> None:
    prompt = (
        "We are rewriting the firmware of the kettle. Its temperature sensor reports integers now, so please change the controller, keep the "
        "old protocol for the mobile client, and write the migration for stored presets."
    )
    assert [one.path for one in vault.ask(prompt).notes] == ["kettle.md"]


def test_a_weaker_note_beside_the_best_one_is_not_shown(vault: Memory) -> None:
    assert [one.path for one in vault.ask("matcha whisk tea").notes] == ["whisk.md"]


def test_noise_is_not_even_ranked(vault: Memory) -> None:
    found = vault.ask("続けて")
    assert (found.confidence, found.fallback, found.digest.text) == ("none", "noise: generic", "")


@pytest.mark.parametrize(("mode", "most"), [("light", 3), ("targeted", 6), ("graph-overview", 10)])
def test_each_mode_shows_so_many_notes_at_most(vault: Memory, mode: str, most: int) -> None:
    found = vault.ask("tatami", mode=mode, backlinks={})
    assert len(found.notes) == min(most, 9)
    assert found.used == mode


def test_an_overview_without_links_is_targeted_and_says_so(vault: Memory) -> None:
    found = vault.ask("give me an overview of everything we know about tatami")
    assert (found.mode, found.used, found.fallback) == ("graph-overview", "targeted", "the links of the vault are not known")
    assert "m=targeted" in found.digest.text


def test_a_note_is_shown_once_in_a_session(vault: Memory) -> None:
    first = vault.ask("tatami")
    second = vault.ask("tatami", shown=set(first.digest.paths))
    assert first.digest.paths
    assert not set(first.digest.paths) & set(second.digest.paths)


@pytest.mark.parametrize("filler", [0, 10, 5000])
def test_the_bands_do_not_depend_on_the_size_of_the_vault(filler: int) -> None:
    vault = Memory(NOTES, filler=filler)
    assert vault.ask("kettle temperature").confidence in {"high", "medium"}
    assert vault.ask("Vietnam visa photographs").digest.paths == ("visa.md",)
    assert vault.ask("write a parser for kettle files in Haskell").digest.text == ""
