"""Properties of dreams: what they add can be taken away again, and what they take apart is whole."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from vaultkit import dream

LINES = st.sampled_from(
    [
        "text",
        "",
        "- item",
        "## Related",
        "## Next",
        "# Top",
        "- [[y]]",
        "## 関連",
        "> quote",
        "```",
        "    code",
        "| a | b |",
        "日本語の行",
        "[[x]]",
        "- [[x z]]",
        "---",
    ]
)
NOTES = st.builds(
    lambda lines, end, last: end.join(lines) + (end if last else ""),
    st.lists(LINES, max_size=12),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)


@settings(deadline=None, max_examples=300)
@given(NOTES)
def test_a_related_link_is_added_once_and_every_line_that_was_there_stays(text: str) -> None:
    after = dream.with_related(text, 0, ["new note"])
    assert dream.with_related(after, 0, ["new note"]) == after
    if after == text:  # an open fence: what is put behind it would be code
        assert "```" in text
        return
    assert dream.related_targets(after, 0).count("new note") == 1
    left = [line for line in after.splitlines() if line.strip() and line != "- [[new note]]"]
    before = [line for line in text.splitlines() if line.strip()]
    assert left in (before, [*before, "## Related"])


@settings(deadline=None, max_examples=300)
@given(NOTES)
def test_what_a_dream_linked_it_can_take_back(text: str) -> None:
    after = dream.without_related(dream.with_related(text, 0, ["new note"]), 0, "new note")
    assert "new note" not in after
    # An empty Related section goes with its last link; every other line stays.
    headings = {"## Related", "## 関連"}
    assert [line for line in after.splitlines() if line.strip() and line not in headings] == [
        line for line in text.splitlines() if line.strip() and line not in headings
    ]
    assert dream.without_related(text, 0, "new note") == text


@settings(deadline=None, max_examples=100)
@given(st.integers(0, 24), st.randoms(use_true_random=False), st.floats(0.0, 0.9))
def test_every_partition_holds_each_capture_once_and_no_group_is_a_grab_bag(size: int, dice: object, at_least: float) -> None:
    random = getattr(dice, "random")  # noqa: B009 - hypothesis types it loosely
    matrix = [[1.0] * size for _ in range(size)]
    for left in range(size):
        for right in range(left):
            matrix[left][right] = matrix[right][left] = random()
    for groups in (dream.partition(matrix, at_least=at_least), dream.topics(matrix, at_least=at_least, pair_at_least=0.3, same=2.0)):
        assert sorted(index for group in groups for index in group) == list(range(size))
        assert all(len(group) <= dream.MOST for group in groups)


@settings(deadline=None, max_examples=200)
@given(st.recursive(st.none() | st.booleans() | st.integers(-2, 12) | st.text(max_size=3), st.lists, max_leaves=12))
def test_no_answer_of_a_model_breaks_a_partition(answer: object) -> None:
    found = dream.checked(answer, 5)
    if not found.problem:
        assert sorted(index for group in found.groups for index in group) == list(range(5))
