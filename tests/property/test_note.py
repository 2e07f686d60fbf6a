"""Any text is a note, and any note survives being stored as a row."""

from __future__ import annotations

import marshal

from hypothesis import given, settings
from hypothesis import strategies as st

from vaultkit.text.markdown import Block, Bullet, Heading, InlineField, Link, Tag
from vaultkit.text.note import from_row, parse_note, to_row

_ANY = st.text(st.characters(codec=None, exclude_categories=()), max_size=20)
_YAML = st.sampled_from(
    ["title: x", "tags: [a, '#b']", "tags: a b", "aliases: a, b", 'up: "[[A|b]]"', "- x", "a: b: c", "description: 1", "? ", "{"]
)
_BODY = st.sampled_from(
    ["# T", "- [ ] a ^b", "  - [x] c", "[[A#b]]", "#tag", "k:: v", "[j:: w]", "```", "<<<<<<< x", "\ufeff", "\r\n", "[a](b.md)"]
)
_TEXT = st.builds(
    lambda yaml, body, fenced: ("---\n" + "\n".join(yaml) + "\n---\n" if fenced else "") + "\n".join(body),
    st.lists(st.one_of(_YAML, _ANY), max_size=4),
    st.lists(st.one_of(_BODY, _ANY), max_size=8),
    st.booleans(),
)


@settings(deadline=None, max_examples=200)
@given(_TEXT, _ANY)
def test_a_note_comes_back_from_its_row_as_it_was(text: str, path: str) -> None:
    note = parse_note(path, text, hash="ab")
    back = from_row(marshal.loads(marshal.dumps(to_row(note))))
    assert repr(back) == repr(note)  # by text, as a NaN does not equal itself


@settings(deadline=None, max_examples=200)
@given(_TEXT)
def test_what_a_note_reports_lies_in_its_text(text: str) -> None:
    note = parse_note("a.md", text)
    assert 0 <= note.body <= len(text)
    lines = text.count("\n") + text.count("\r") + 1
    items: list[Heading | Link | Tag | Block | Bullet | InlineField] = [
        *note.headings,
        *note.links,
        *note.inline_tags,
        *note.blocks,
        *note.tasks,
        *note.fields,
    ]
    for item in items:
        assert 0 <= item.start < len(text)
        assert 1 <= item.line <= lines
    for problem in note.problems:
        assert 1 <= problem.line <= lines
    assert len({tag.casefold() for tag in note.tags}) == len(note.tags)
    assert all(task.status is not None and -1 <= task.parent < place for place, task in enumerate(note.tasks))
