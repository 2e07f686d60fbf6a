"""PATCH over any note: what is read can be put back, what is not named stays, and how many line ends the content has does not matter."""

from __future__ import annotations

import contextlib
from typing import Any

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from vaultkit.errors import PatchError
from vaultkit.text import frontmatter, markdown
from vaultkit.text.patch import Patch1, apply1, apply2, document_map, read_target
from vaultkit.text.patch.outline import Outline, outline
from vaultkit.text.patch.targets import address

WORDS = ["apple", "pear", "日記", "🚀 go", "**bold**", "a b", "[[Link|x]]", "C#"]
BLOCKS = [
    "plain text", "two\nlines", "with an id ^p1", "- a\n- b ^li\n\t- c\n- d", "1. one\n2. two", "> quote\n> more", "> lone", "```py\n# no heading\n```",
    "~~~\n~~~", "| A | B |\n|---|---|\n| 1 | 2 |", "<div>\n# html\n</div>", "    indented", "***", "%%\n# hidden\n%%", "$$\nx\n$$", "^iso", "^iso2", "text\n^tail",
    "- [ ] task ^t1\n  more", "<!-- c -->", "* star\n\n  loose", "# not `code`", "a | b",
]  # fmt: skip
GAPS = ["\n", "\n\n", "\n\n\n", "\n \n"]


@st.composite
def notes(draw: st.DrawFn) -> str:
    """A note of headings and blocks with the gaps that people leave."""
    out = [draw(st.sampled_from(["", "", "---\nk: v # c\nl: [a, 'b']\n---\n", "---\n---\n", "\ufeff", "\n\n"]))]
    for _ in range(draw(st.integers(0, 8))):
        kind = draw(st.integers(0, 4))
        if kind < 2:
            out.append("#" * draw(st.integers(1, 6)) + " " + draw(st.sampled_from(WORDS)) + draw(st.sampled_from(["", "", "  ", " ##"])))
        elif kind == 2:
            out.append(draw(st.sampled_from(WORDS)) + "\n" + draw(st.sampled_from(["===", "---"])))
        else:
            out.append(draw(st.sampled_from(BLOCKS)))
        out.append(draw(st.sampled_from(GAPS)))
    text = "".join(out[:-1] if draw(st.booleans()) else out)
    return text.replace("\n", "\r\n") if draw(st.booleans()) else text


fast = settings(max_examples=70, deadline=None, suppress_health_check=[HealthCheck.too_slow])
contents = st.lists(st.sampled_from([*BLOCKS, "# New", "## Deep", "Set\n===", "Set\n---"]), min_size=1, max_size=3).map("\n\n".join)
edges = st.tuples(st.sampled_from(["", "\n", "\n\n", " \n"]), st.sampled_from(["", "\n", "\n\n", "\r\n"]))


def headings(note: Outline) -> list[tuple[int, str]]:
    return [(section.level, section.text) for section in note.sections[1:]]


def instruction(kind: str, target: Any, operation: str, **more: Any) -> dict[str, Any]:
    return {"targetType": kind, "target": target, "operation": operation, **more}


@fast
@given(notes())
def test_the_outline_tiles_the_body(text: str) -> None:
    note = outline(text)
    at = note.root
    for found in note.elements:
        assert not text[at : found.start].strip()
        assert found.start < found.end <= len(text)
        at = found.end
    assert not text[at:].strip()


@fast
@given(notes())
def test_headings_are_those_of_the_scanner_but_for_html_and_indented_text(text: str) -> None:
    assume("<div>" not in text and "    indented" not in text and "%%" not in text)
    block = frontmatter.find_block(text)
    expected = markdown.scan(text, body=block.end if block else 0).headings
    found = outline(text).sections[1:]
    assert [(one.level, one.text, one.line, one.start, one.body, one.end) for one in found] == [
        (one.level, one.text, one.line, one.start, one.body, one.section_end) for one in expected
    ]


@fast
@given(notes())
def test_what_is_read_of_a_heading_can_be_put_back(text: str) -> None:
    note = outline(text)
    assert document_map(text, dialect=1)["headings"] == ["::".join(address(note, index)) for index in range(1, len(note.sections))]
    for index in range(len(note.sections)):
        path = address(note, index)
        for scope in ("content", "marker", "markerAndContent") if index else ("content",):
            read = read_target(text, "heading", path, scope=scope, relative=True)
            assert apply2(text, instruction("heading", path, "replace", scope=scope, content=read)).text == text


@fast
@given(notes())
def test_what_is_read_of_a_block_can_be_put_back(text: str) -> None:
    note = outline(text)
    for mark in note.marks:
        if sum(other.id == mark.id for other in note.marks) > 1:
            continue
        for scope in ("content", "marker", "markerAndContent"):
            read = read_target(text, "block", mark.id, scope=scope)
            with contextlib.suppress(PatchError):  # a block that is only its id has nothing to put back
                assert apply2(text, instruction("block", mark.id, "replace", scope=scope, content=read)).text == text


@fast
@given(notes())
def test_what_is_read_of_a_property_can_be_put_back(text: str) -> None:
    for name in document_map(text)["frontmatterFields"]:
        for scope, carrier in (("content", "value"), ("marker", "content"), ("markerAndContent", "value")):
            read = read_target(text, "frontmatter", name, scope=scope)
            assert apply2(text, instruction("frontmatter", name, "replace", scope=scope, **{carrier: read})).text == text


@fast
@given(
    notes(), contents, edges, st.sampled_from(["append", "prepend", "replace"]), st.sampled_from(["content", "markerAndContent"]), st.data()
)
def test_line_ends_at_the_edges_of_content_do_not_matter(
    text: str, content: str, edge: tuple[str, str], operation: str, scope: str, data: st.DataObject
) -> None:
    note = outline(text)
    first = int(scope != "content")
    assume(first < len(note.sections))
    index = data.draw(st.integers(first, len(note.sections) - 1))
    path = address(note, index)
    try:
        plain = apply2(text, instruction("heading", path, operation, scope=scope, content=content))
    except PatchError:
        return
    assert apply2(text, instruction("heading", path, operation, scope=scope, content=edge[0] + content + edge[1])) == plain


@fast
@given(
    notes(),
    contents,
    st.sampled_from(["append", "prepend", "replace", "delete"]),
    st.sampled_from(["content", "markerAndContent"]),
    st.data(),
)
def test_nothing_outside_the_section_changes(text: str, content: str, operation: str, scope: str, data: st.DataObject) -> None:
    note = outline(text)
    first = int(scope != "content")
    assume(first < len(note.sections))
    index = data.draw(st.integers(first, len(note.sections) - 1))
    section = note.sections[index]
    more = {} if operation == "delete" else {"content": content}
    try:
        changed = apply2(text, instruction("heading", address(note, index), operation, scope=scope, **more)).text
    except PatchError:
        return
    before, after = text[: section.start].rstrip(), text[section.end :].lstrip()
    assert changed.startswith(before)
    assert changed.rstrip().endswith(after.rstrip())
    kept = [(one.level, one.text) for one in note.sections[1:] if one.start < section.start]
    kept_after = [(one.level, one.text) for one in note.sections[1:] if one.start >= section.end]
    now = headings(outline(changed))
    assert now[: len(kept)] == kept
    assert not kept_after or now[-len(kept_after) :] == kept_after
    assert frontmatter.read(changed).values == frontmatter.read(text).values


@fast
@given(notes(), st.sampled_from(["append", "prepend"]), st.data())
def test_an_added_paragraph_is_a_paragraph_of_its_own(text: str, operation: str, data: st.DataObject) -> None:
    note = outline(text)
    index = data.draw(st.integers(0, len(note.sections) - 1))
    try:
        changed = apply2(text, instruction("heading", address(note, index), operation, content="ADDED")).text
    except PatchError:
        return
    found = [one for one in outline(changed).elements if changed[one.start : one.end] == "ADDED"]
    assert len(found) == 1
    assert found[0].kind == "paragraph"
    assert (
        changed.replace("ADDED", "").split() == text.replace("\ufeff", "\ufeff " if changed.startswith("\ufeffADDED") else "\ufeff").split()
    )


@fast
@given(notes(), st.data())
def test_a_section_can_be_moved_and_its_text_with_it(text: str, data: st.DataObject) -> None:
    note = outline(text)
    assume(len(note.sections) > 1)
    index = data.draw(st.integers(1, len(note.sections) - 1))
    to = data.draw(st.integers(0, len(note.sections) - 1))
    place = data.draw(st.sampled_from(["first", "last"]))
    destination = {"parent": address(note, to), "place": place}
    try:
        changed = apply2(text, instruction("heading", address(note, index), "replace", scope="parent", destination=destination))
    except PatchError:
        return
    if not changed.warnings:
        assert sorted(name for _, name in headings(outline(changed.text))) == sorted(name for _, name in headings(note))
    words = "".join(changed.text.split()).replace("#", "").replace("=", "").replace("-", "")
    assert sorted(words) == sorted("".join(text.split()).replace("#", "").replace("=", "").replace("-", ""))


@fast
@given(notes(), contents, st.sampled_from(["append", "prepend", "replace"]), st.booleans(), st.booleans(), st.data())
def test_the_header_dialect_never_touches_other_headings(
    text: str, content: str, operation: str, create: bool, newline: bool, data: st.DataObject
) -> None:
    note = outline(text)
    index = data.draw(st.integers(0, len(note.sections) - 1))
    assume(
        not any(one.text_end < one.body - 2 and not one.setext and text[one.text_end : one.body].startswith(" ") for one in note.sections)
    )
    path = address(note, index) + (["Made"] if create else [])
    section = note.sections[index]
    try:
        changed = apply1(text, Patch1(operation, "heading", path, content.replace("```py", "text") + "\n" * newline, create=create))
    except PatchError:
        return
    assert changed.startswith(text[: section.body].rstrip())
    if not any(mark in content for mark in ("```", "<", "%%", "$$", "~~~")):
        kept = [(one.level, one.text) for one in note.sections[1:] if one.start >= section.end]
        now = headings(outline(changed))
        assert not kept or now[-len(kept) :] == kept
    assert ("\r\n" in text) <= (changed.count("\n") == changed.count("\r\n"))


scraps = st.lists(
    st.sampled_from(["#", "##", " ", "\n", "\r\n", "\r", "a", "|", "-", "---\n", "===", "`", "```\n", ">", "^b", "^b\n", "%%", "$$", "<", "<!--", "-->", "\t", "1.", "[ ]", "\ufeff", "\\", ":", "\x00", "é"]),
    max_size=30,
).map("".join)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(
    scraps, scraps, st.sampled_from(["append", "prepend", "replace", "delete"]), st.sampled_from(["content", "marker", "markerAndContent"])
)
def test_whatever_the_text_there_is_an_answer_or_one_of_our_errors(text: str, content: str, operation: str, scope: str) -> None:
    note = outline(text)
    more = {} if operation == "delete" else {"content": content}
    targets: list[tuple[str, Any]] = [("heading", address(note, index)) for index in range(len(note.sections))]
    targets += [("block", mark.id) for mark in note.marks] + [("block", "new"), ("heading", ["new", "a"])]
    for kind, target in targets:
        with contextlib.suppress(PatchError):
            apply2(text, instruction(kind, target, operation, scope=scope, **more))
        with contextlib.suppress(PatchError):
            apply2(text, instruction(kind, target, operation, createTargetIfMissing=True, **more))
        with contextlib.suppress(PatchError):
            apply1(text, Patch1(operation, kind, target, content, scope=scope, create=True, trim=len(content) % 2 == 0))
        with contextlib.suppress(PatchError):
            read_target(text, kind, target, scope=scope, relative=True)
    for index, section in enumerate(note.sections):
        for place in range(-len(note.direct(index)), len(note.direct(index))):
            with contextlib.suppress(PatchError):
                apply2(text, instruction("heading", address(note, index), operation, within=place, **more))
        with contextlib.suppress(PatchError):
            destination = {"parent": address(note, section.parent), "place": "first"}
            apply2(text, instruction("heading", address(note, index), "replace", scope="parent", destination=destination))
