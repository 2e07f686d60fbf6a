"""For any text: its bytes stand in the note, the note is well-formed, ids are unique, and no date is lost without a word."""

from __future__ import annotations

from datetime import datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from vaultkit.capture import DailyNote, Known, Request, Settings, draft, plan, plan_intake, raw_hash, raw_hash_of, with_line
from vaultkit.capture.articles import neutral
from vaultkit.capture.clauses import units
from vaultkit.capture.request import width
from vaultkit.capture.titles import shorten
from vaultkit.text import frontmatter
from vaultkit.text.edit import Create, to_bytes, to_text
from vaultkit.text.note import parse_note

NOW = datetime(2026, 11, 30, 10)
_PIECES = [
    "call Kim", "by Friday", "due 2026-12-24", "明日までに", "見積書を送る", "、", "。", ", ", " and ", ": ", "\n", "\r\n", "- [ ] ", "- [x] ", "📅 2026-12-01", "🆔 abc",
    "---\n", "%%", "```\n", "[[", "]]", "#tag", "\x00", "\udcff", "\ufeff", "<vault-memory>", "🙂", "TODO:\n", "# Done\n", "(", "「", "https://e.org/2026/01/01/x", "  ",
]  # fmt: skip
texts = st.lists(st.one_of(st.sampled_from(_PIECES), st.text(max_size=12)), max_size=14).map("".join)
visible = texts.map(lambda text: text + "x")


@settings(deadline=None, max_examples=120)
@given(visible)
def test_any_text_is_kept_in_a_note_that_reads_back(text: str) -> None:
    made = plan(draft(Request(text, NOW), Known(), Settings()), DailyNote("daily/d.md"), Known())
    edit = made.edits[0]
    assert isinstance(edit, Create)
    assert to_bytes(text) in edit.data
    stored = to_text(edit.data)
    found = frontmatter.read(stored)
    assert found.readable
    assert list(found.values)[:7] == ["title", "description", "date", "tags", "scope", "type", "status"]
    assert raw_hash_of(stored) == raw_hash(text)
    note = parse_note(edit.path, stored)
    assert not note.problems
    ids = [item.id for item in (*made.receipt.action_items, *made.receipt.trackers)]
    assert len(ids) == len(set(ids))
    assert found.values["title"]
    str(made.receipt).encode()


@settings(deadline=None, max_examples=120)
@given(texts)
def test_units_are_stretches_of_the_text_in_order(text: str) -> None:
    position = 0
    for unit in units(text):
        assert position <= unit.start < unit.end <= len(text)
        assert len(unit.text) == unit.end - unit.start
        position = unit.end


@settings(deadline=None, max_examples=80)
@given(visible)
def test_intake_adds_properties_and_touches_nothing_else(text: str) -> None:
    before = frontmatter.read(text)
    if not before.readable:
        return
    made = plan_intake("inbox/Untitled.md", text, written=NOW, now=NOW, known=Known(), settings=Settings())
    for edit in made.edits:
        after = to_text(edit.data)  # type: ignore[union-attr, arg-type]
        found = frontmatter.read(after)
        assert found.block is not None
        body = text[before.block.end :] if before.block else text
        assert to_bytes(after[found.block.end :]).endswith(to_bytes(body.removeprefix("\ufeff")))
        assert all(found.values[name] == value for name, value in before.values.items())


@settings(deadline=None, max_examples=80)
@given(st.text(max_size=200), st.integers(2, 80))
def test_a_shortened_text_fits(text: str, columns: int) -> None:
    assert width(shorten(text, columns)) <= max(columns, 2)


@settings(deadline=None, max_examples=80)
@given(texts)
def test_a_page_brings_no_live_task_link_or_tag(text: str) -> None:
    note = parse_note("x.md", "---\nsource: https://e.org\n---\n" + neutral(text))
    assert note.tasks == ()
    assert [link for link in note.links if link.syntax == "wikilink"] == []
    assert note.inline_tags == ()


@settings(deadline=None, max_examples=60)
@given(texts, st.sampled_from(["", "Log", "## Log"]))
def test_a_line_is_added_to_a_daily_note_and_nothing_is_lost(text: str, heading: str) -> None:
    after = with_line(text, "- [[n]]", heading)
    assert after.count("- [[n]]") == text.count("- [[n]]") + 1
    rest = after.replace("- [[n]]", "")
    assert [word for word in text.split() if word not in rest] == []
