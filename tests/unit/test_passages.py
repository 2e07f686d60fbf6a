"""What of a note is embedded, and the pieces that a model with a short memory gets."""

from __future__ import annotations

import pytest

from vaultkit.text.passages import BODY, fingerprint, passage, pieces, title_of, tokens_at_most


@pytest.mark.parametrize(
    ("title", "body", "text"),
    [
        ("Cats", "They sleep.", "Cats\nThey sleep."),
        ("Cats", "\n# Cats\n\nThey sleep.\n", "Cats\nThey sleep."),
        ("Cats", "# Cats #\r\nThey\r\nsleep.", "Cats\nThey\nsleep."),
        ("Cats", "# Dogs\nThey bark.", "Cats\n# Dogs\nThey bark."),
        ("Cats", "", "Cats"),
        ("", "Only a body", "Only a body"),
        ("caf\udce9", "x\udcff", "caf?\nx?"),
    ],
)
def test_a_passage_is_the_title_and_the_beginning_of_the_body(title: str, body: str, text: str) -> None:
    assert passage(title, body) == text


def test_two_thousand_characters_of_the_body_count() -> None:
    text = passage("T", "a" * 5000)
    assert len(text) == BODY + 2
    assert fingerprint(passage("T", "a" * 2000 + "b")) == fingerprint(text)
    assert fingerprint(passage("T", "a" * 1999 + "b")) != fingerprint(text)


def test_the_title_of_a_passage_is_its_first_line() -> None:
    assert title_of(passage("Cats", "They sleep.")) == "Cats"


# Measured: 2,000 Japanese characters are 1,338 tokens of e5, 2,000 English ones 520.
@pytest.mark.parametrize(("text", "measured"), [("会議室の予約を取り直した。" * 154, 1338), ("the meeting was moved to friday " * 62, 520)])
def test_the_estimate_of_tokens_is_never_too_low(text: str, measured: int) -> None:
    assert measured < tokens_at_most(text) < 2 * measured


def test_a_text_that_fits_is_one_piece() -> None:
    assert [piece.text for piece in pieces("Title\nbody", 512)] == ["Title\nbody"]


def test_pieces_stand_under_the_title_and_end_at_sentences() -> None:
    text = passage("三月の記録", "".join(f"{day}日は会議が長引いて、資料を作り直した。" for day in range(1, 80)))
    found = pieces(text, 512)
    assert len(found) >= 4
    assert all(piece.text.startswith("三月の記録\n") for piece in found)
    assert all(piece.text.endswith("。") for piece in found[:-1])
    assert all(tokens_at_most(piece.text) <= 512 for piece in found)
    assert sum(piece.weight for piece in found) == pytest.approx(1)
    assert "".join(piece.text.removeprefix("三月の記録\n") for piece in found) == text.removeprefix("三月の記録\n")


def test_a_title_without_end_is_cut_like_any_text() -> None:
    found = pieces("長い題" * 400, 256)
    assert len(found) > 4
    assert all(tokens_at_most(piece.text) <= 256 for piece in found)
