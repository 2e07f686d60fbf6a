"""What holds for tokens, pooled text and snippets of any text."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from vaultkit.text.snippet import plain, snippet
from vaultkit.text.tokens import BODY_REPEATS, index_tokens, name_token, normalise, parse_query, pooled, query_tokens

# Scripts, widths, marks, connectors and controls side by side, beside text of all of Unicode (lone surrogates included).
_PIECES = st.sampled_from(
    [
        *"aZ9 \n\t.-_:'#+&@*[]|()!`ー々猫会議室のでサバが",
        "か\u3099",
        "ﾌﾟ",
        "Ｇｉｔ",
        "C++",
        "wi-fi",
        "🚀",
        "👨‍👩‍👧",
        "🇯🇵",
        "é",
        "e\u0301",
        "ß",
        "İ",
        "ﬁ",
        "\x00",
        "\ud800",
        "한국",
        "हिन्दी",
        "สวัสดี",
        "締め切り",
    ]
)
_TEXT = st.one_of(st.text(max_size=60), st.lists(_PIECES, max_size=40).map("".join))
_PROPERTY = settings(max_examples=150, deadline=None)


@_PROPERTY
@given(_TEXT)
def test_any_text_has_tokens_that_a_whitespace_tokenizer_gives_back(text: str) -> None:
    tokens = index_tokens(text)
    assert " ".join(tokens).split() == tokens
    assert all(0 < len(token) <= 64 for token in tokens)
    " ".join(tokens).encode()  # no lone surrogate is left


@_PROPERTY
@given(_TEXT)
def test_a_note_is_found_by_its_own_text(text: str) -> None:
    indexed = set(index_tokens(text))
    assert {term.token for term in parse_query(text).terms} <= indexed


@_PROPERTY
@given(_TEXT)
def test_case_and_width_make_no_difference(text: str) -> None:
    assert query_tokens(normalise(text)) == query_tokens(text)
    assert normalise(normalise(text)) == normalise(text)


@_PROPERTY
@given(_TEXT)
def test_a_query_has_each_token_once_and_joins_point_at_its_terms(text: str) -> None:
    query = parse_query(text)
    tokens = [term.token for term in query.terms] + [join.token for join in query.joins]
    assert len(set(tokens)) == len(tokens)
    assert all(0 <= at < len(query.terms) for join in query.joins for at in join.covers)
    assert bool(query.terms) == bool(index_tokens(text))


@_PROPERTY
@given(_TEXT, _TEXT)
def test_pooled_text_holds_the_tokens_of_its_parts(title: str, body: str) -> None:
    named = {name_token(title)} - {""}
    assert set(pooled(title, (), body).split()) == {*index_tokens(title), *index_tokens(body), *named}


@_PROPERTY
@given(st.lists(st.sampled_from(["zebra", "budget", "会議", "🚀"]), max_size=30))
def test_a_body_repeats_no_word_more_than_a_few_times(words: list[str]) -> None:
    counts = Counter(pooled("", (), " ".join(words)).split())
    assert all(counts[token] == min(times, BODY_REPEATS) for token, times in Counter(words).items())


@_PROPERTY
@given(_TEXT, _TEXT, st.integers(10, 80))
def test_a_snippet_is_one_line_of_the_text_and_no_longer_than_asked(body: str, query: str, size: int) -> None:
    shown = snippet(body, query.split(), size=size)
    assert len(shown) <= size
    assert len(shown.splitlines()) <= 1
    inner = shown.removeprefix("…").removesuffix("…").strip()
    assert any(inner in plain(line) or shown in plain(line) for line in [*body.splitlines(), ""])
