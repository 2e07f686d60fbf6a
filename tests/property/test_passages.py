"""Passages, entries, fusion and shingles hold their promises for any text."""

from __future__ import annotations

import re
from datetime import date

from hypothesis import given, settings
from hypothesis import strategies as st

from vaultkit.text.bullets import around, bullet_entries, heading_day, lengths
from vaultkit.text.fusion import MOST, WEIGHT, Meaning, Word, behind_successors, fuse
from vaultkit.text.note import parse_note
from vaultkit.text.passages import fingerprint, passage, pieces, tokens_at_most
from vaultkit.text.shingles import Shingles

LINES = st.lists(
    st.sampled_from(
        [
            "",
            "# H",
            "## 2026-11-30",
            "### 12/1",
            "- a b",
            "  - c",
            "\t* [ ] d",
            "1. e",
            "prose 散文",
            "> - q",
            "```",
            "---",
            "%%",
            "   more",
            "====",
            "<!--",
            "-->",
        ]
    ),
    max_size=30,
)
NEWLINES = st.sampled_from(["\n", "\r\n", "\r"])
SHORT = st.text(alphabet=st.characters(codec=None), max_size=60)


@given(st.text(max_size=300), st.text(max_size=6000), st.integers(40, 9000))
@settings(deadline=None, max_examples=60)
def test_pieces_fit_and_lose_nothing(title: str, body: str, tokens: int) -> None:
    text = passage(title, body)
    text.encode("utf-8")
    found = pieces(text, tokens)
    assert found
    assert abs(sum(piece.weight for piece in found) - 1) < 1e-6
    title_line = text.partition("\n")[0] + "\n"
    under_title = len(found) > 1 and all(piece.text.startswith(title_line) for piece in found)
    rest = "".join(piece.text.removeprefix(title_line) if under_title else piece.text for piece in found)
    whole = text.removeprefix(title_line) if under_title else text
    assert re.sub(r"\s", "", rest) == re.sub(r"\s", "", whole)
    if tokens >= 100:
        assert all(tokens_at_most(piece.text) <= tokens for piece in found)


@given(st.text(max_size=50), st.text(max_size=3000), st.text(max_size=200))
@settings(deadline=None, max_examples=50)
def test_what_stands_behind_two_thousand_characters_changes_no_fingerprint(title: str, body: str, more: str) -> None:
    whole = "x" * 2000 + body
    assert fingerprint(passage(title, whole)) == fingerprint(passage(title, whole + more))


@given(LINES, NEWLINES, st.sampled_from(["bullets", "everything"]))
@settings(deadline=None, max_examples=120)
def test_entries_stand_where_they_say(lines: list[str], newline: str, part: str) -> None:
    text = newline.join(lines)
    parsed = parse_note("a.md", text)
    file = re.split(r"\r\n|\n|\r", text)
    entries = bullet_entries(parsed, text, part=part, day=date(2026, 11, 30))  # type: ignore[arg-type]
    assert [entry.line for entry in entries] == sorted(entry.line for entry in entries)
    for entry in entries:
        assert 1 <= entry.line <= entry.end_line <= len(file)
        first = entry.text.split("\n")[0].strip()
        assert first in file[entry.line - 1]
        assert first in around(text, entry.line, entry.end_line)
        assert entry.day is not None
    if part == "bullets":
        assert len(entries) == len({entry.line for entry in entries})


@given(SHORT, st.dates(min_value=date(1980, 1, 1), max_value=date(2090, 1, 1)))
@settings(deadline=None, max_examples=80)
def test_any_text_may_be_a_heading(text: str, near: date) -> None:
    heading_day(text)
    heading_day(text, near)
    assert heading_day(f"{text}\n{near.isoformat()} x") is not None


@given(st.lists(SHORT, max_size=20))
@settings(deadline=None, max_examples=40)
def test_shares_of_keywords_are_shares(texts: list[str]) -> None:
    found = lengths(texts)
    assert 0 <= found.kept_at_28 <= found.kept_at_150 <= 1
    assert found.median <= found.p90 <= found.longest


PATHS = st.sampled_from([f"{name}.md" for name in "abcdefgh"])
SHARE = st.floats(0, 1)


@given(
    st.lists(st.builds(Word, PATHS, SHARE, SHARE), unique_by=lambda word: word.path),
    st.dictionaries(PATHS, st.floats(-1, 1)),
    st.builds(Meaning, st.floats(-1, 1), st.floats(0, 1), st.floats(0.02, 1)),
)
@settings(deadline=None, max_examples=100)
def test_the_common_ranking_holds_every_note_of_words_once_and_is_bounded(
    words: list[Word], cosines: dict[str, float], meaning: Meaning
) -> None:
    found = fuse(words, cosines, meaning)
    paths = [hit.path for hit in found]
    assert len(paths) == len(set(paths))
    assert {word.path for word in words} <= set(paths) <= {word.path for word in words} | cosines.keys()
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)
    assert all(0 <= hit.score <= 1 + WEIGHT * MOST + 1e-6 for hit in found)


@given(st.lists(PATHS, unique=True), st.dictionaries(PATHS, PATHS))
@settings(deadline=None, max_examples=100)
def test_successors_reorder_and_drop_nothing(found: list[str], successors: dict[str, str]) -> None:
    order = behind_successors(found, successors)
    assert sorted(order) == sorted(found)
    for old, new in successors.items():
        chain = [old]
        while (following := successors.get(chain[-1])) and following not in chain:
            chain.append(following)
        circular = successors.get(chain[-1]) is not None
        if not circular and old in order and new in order:
            assert order.index(old) > order.index(new)


@given(st.dictionaries(st.text(max_size=3), SHORT, max_size=8), SHORT)
@settings(deadline=None, max_examples=60)
def test_shingles_take_any_text_and_give_cosines(texts: dict[str, str], text: str) -> None:
    found = Shingles(texts).nearest(text)
    assert all(name in texts and 0 < score <= 1 + 1e-9 for name, score in found)
