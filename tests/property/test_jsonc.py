from __future__ import annotations

import contextlib
import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from vaultkit.text import jsonc

SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=12)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3), max_leaves=8
)
SETTINGS = st.dictionaries(st.text(max_size=6).filter(lambda key: key != "hooks"), VALUES, max_size=4)
LAYOUTS = st.sampled_from([{}, {"indent": 2}, {"indent": "\t"}, {"indent": 4}, {"separators": (",", ":")}])
OURS: dict[str, Any] = {"hooks": {"Stop": [{"hooks": [{"command": "ours"}]}]}}


@settings(deadline=None, max_examples=150)
@given(value=SETTINGS, theirs=st.none() | st.lists(VALUES, max_size=3), layout=LAYOUTS, crlf=st.booleans())
def test_what_is_merged_in_and_taken_out_again_leaves_every_byte(
    value: dict[str, Any], theirs: list[Any] | None, layout: Any, crlf: bool
) -> None:
    before = value if theirs is None else {**value, "hooks": {"Stop": theirs}}
    text = json.dumps(before, ensure_ascii=False, **layout)
    text = text.replace("\n", "\r\n") if crlf else text
    merged = jsonc.merge(text, OURS)
    assert json.loads(merged) == {**before, "hooks": {"Stop": [*(theirs or []), *OURS["hooks"]["Stop"]]}}
    place: jsonc.Path = ("hooks",) if theirs is None else ("hooks", "Stop", len(theirs))
    assert jsonc.remove(merged, [place]) == text


@settings(deadline=None, max_examples=150)
@given(value=VALUES, layout=LAYOUTS)
def test_reading_with_comments_allowed_reads_plain_json_alike(value: Any, layout: Any) -> None:
    text = json.dumps(value, **layout)
    assert jsonc.loads(text, comments=True) == jsonc.loads(text) == value


@settings(deadline=None, max_examples=200)
@given(text=st.text(alphabet='{}[]":,/*\n \\a1', max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(jsonc.JsonTextError):
        json.dumps(jsonc.loads(text, comments=True))
