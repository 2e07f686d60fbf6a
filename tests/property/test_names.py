from __future__ import annotations

import unicodedata

from hypothesis import example, given
from hypothesis import strategies as st

from vaultkit.errors import UnsafeNameError
from vaultkit.text.names import check_name, conflict_copy_of, slug, why_unsafe

ANY_TEXT = st.text(st.characters(codec=None))


@given(ANY_TEXT, st.integers(12, 240))
@example("con", 200)
@example("ＡＵＸ", 200)
@example("が" * 100, 20)
@example("か\u3099" * 100, 20)
def test_a_slug_is_always_a_safe_name_of_bounded_size(title: str, size: int) -> None:
    name = slug(title, max_bytes=size)
    check_name(f"{name}.md")
    check_name(f"2026-11-30-{name}.md")
    assert len(name.encode()) <= size
    assert name == name.lower()
    assert unicodedata.is_normalized("NFC", name)


@given(ANY_TEXT)
def test_a_slug_is_its_own_slug(title: str) -> None:
    name = slug(title)
    assert slug(name) == name


@given(ANY_TEXT)
def test_a_name_is_judged_and_never_crashes(name: str) -> None:
    try:
        check_name(name)
    except UnsafeNameError as error:
        error.message.encode()
        assert any(map(why_unsafe, name.split("/")))
    else:
        assert not any(map(why_unsafe, name.split("/")))


@given(st.text(), st.from_regex(r"(?:\.[a-z]{1,4})?", fullmatch=True))
def test_any_name_can_be_asked_whether_it_is_a_conflict_copy(stem: str, extension: str) -> None:
    original = conflict_copy_of(f"{stem} (Conflicted copy phone 202611301200){extension}")
    assert original is None or original.endswith(extension)
