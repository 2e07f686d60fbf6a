"""PATCH by heading, block and property: both dialects, case by case."""

from __future__ import annotations

from typing import Any

import pytest

from vaultkit.errors import PatchConflictError, PatchError, PatchTargetError
from vaultkit.text.patch import Patch1, apply1, apply2, document_map, matches, read_target, serialised, version

NOTE = "# A\n\nintro\n\n## B\n\nb\n\n## C\n\nc\n\n# Z\nz\n"
BLOCKS = (
    "para one ^p\n\n- a\n- [x] b ^li\n\t- k ^n\n- c ^last\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\n^t\n\n```\ncode\n```\n\n^c\n\n> q\n\n^q\n"
)
FIELDS = "---\n# why\nt: 'x'\nl: [a, \"b c\"]\nn: 3\n---\nbody\n"


def two(text: str, kind: str, target: Any, operation: str, **more: Any) -> str:
    return apply2(text, {"targetType": kind, "target": target, "operation": operation, **more}).text


def one(text: str, operation: str, target: Any, content: Any, kind: str = "heading", **more: Any) -> str:
    return apply1(text, Patch1(operation, kind, target, content, **more))


# ── 2.x: headings ────────────────────────────────────────────────────────────────────────────────────────────────────

HEADINGS: list[tuple[str, Any, dict[str, Any], str, str]] = [
    ("append", ["A", "B"], {"content": "new\n"}, "\n\nb\n", "\n\nb\n\nnew\n"),
    ("append", ["A", "B"], {"content": "# Kid\n\nk"}, "\n\nb\n", "\n\nb\n\n### Kid\n\nk\n"),
    ("prepend", ["A", "B"], {"content": "new"}, "## B\n\n", "## B\n\nnew\n\n"),
    ("replace", ["A", "B"], {"content": "\n\nnew\n\n"}, "## B\n\nb\n\n", "## B\n\nnew\n\n"),
    ("replace", ["A", "B"], {"content": "# Kid\nk", "scope": "markerAndContent"}, "## B\n\nb\n", "## Kid\nk\n"),
    ("replace", ["A"], {"content": "New", "scope": "marker"}, "# A\n", "# New\n"),
    ("append", ["A"], {"content": " and so on", "scope": "marker"}, "# A\n", "# A and so on\n"),
    ("delete", ["A", "B"], {}, "## B\n\nb\n\n", "## B\n\n"),
    ("delete", ["A", "B"], {"scope": "markerAndContent"}, "## B\n\nb\n\n", ""),
    ("delete", ["A", "B"], {"scope": "marker"}, "## B\n\nb\n", "b\n"),
    ("delete", ["Z"], {}, "# Z\nz\n", "# Z\n"),
    ("delete", ["Z"], {"scope": "markerAndContent"}, "\n# Z\nz\n", ""),
    ("append", ["A", "B"], {"content": "# S\ns", "scope": "markerAndContent"}, "\n\nb\n", "\n\nb\n\n## S\ns\n"),
    ("prepend", ["A", "B"], {"content": "# S\ns", "scope": "markerAndContent"}, "## B\n", "## S\ns\n\n## B\n"),
    ("prepend", None, {"content": "top"}, "# A\n", "top\n\n# A\n"),
    ("append", [], {"content": "end"}, "# Z\nz\n", "# Z\nz\n\nend\n"),
    ("append", ["A", "Q", "R"], {"content": "x", "createTargetIfMissing": True}, "c\n\n# Z", "c\n\n## Q\n### R\nx\n\n# Z"),
    ("append", ["A"], {"content": "!", "within": 0}, "intro", "intro!"),
    ("prepend", ["A"], {"content": "An ", "within": -1}, "intro", "An intro"),
    ("append", ["A"], {"content": "beside", "within": 0, "scope": "markerAndContent"}, "intro\n", "intro\n\nbeside\n"),
    ("prepend", ["A"], {"content": "beside", "within": 0, "scope": "markerAndContent"}, "intro\n", "beside\n\nintro\n"),
    ("replace", ["A"], {"content": "other", "within": 0}, "intro", "other"),
    ("delete", ["A"], {"within": 0}, "intro\n\n", ""),
]


@pytest.mark.parametrize(("operation", "target", "more", "old", "new"), HEADINGS)
def test_a_section_changes_as_told_and_nothing_else(operation: str, target: Any, more: dict[str, Any], old: str, new: str) -> None:
    assert NOTE.count(old) == 1
    assert two(NOTE, "heading", target, operation, **more) == NOTE.replace(old, new)
    wide, wider = NOTE.replace("\n", "\r\n"), NOTE.replace(old, new).replace("\n", "\r\n")
    assert two(wide, "heading", target, operation, **more) == wider


@pytest.mark.parametrize(
    ("target", "destination", "expected"),
    [
        (["A", "B"], {"parent": ["Z"], "place": "last"}, "# A\n\nintro\n\n## C\n\nc\n\n# Z\nz\n\n## B\n\nb\n"),
        (["A", "B"], {"parent": None, "place": "first"}, "# B\n\nb\n\n# A\n\nintro\n\n## C\n\nc\n\n# Z\nz\n"),
        (["A", "B"], {"parent": ["A"], "place": {"after": ["A", "C"]}}, "# A\n\nintro\n\n## C\n\nc\n\n## B\n\nb\n\n# Z\nz\n"),
        (["A", "C"], {"parent": ["A"], "place": {"before": ["B"]}}, "# A\n\nintro\n\n## C\n\nc\n\n## B\n\nb\n\n# Z\nz\n"),
        (["Z"], {"parent": ["A", "B"]}, "# A\n\nintro\n\n## B\n\nb\n\n### Z\nz\n\n## C\n\nc\n"),
        (["A", "B"], {"parent": ["A"], "place": "first"}, NOTE),
    ],
)
def test_a_section_moves_with_its_levels(target: list[str], destination: dict[str, Any], expected: str) -> None:
    assert two(NOTE, "heading", target, "replace", scope="parent", destination=destination) == expected


def test_text_lands_flush_in_an_empty_section_and_the_gap_stays() -> None:
    assert two("# A\n\n\n# B\n", "heading", ["A"], "append", content="x") == "# A\nx\n\n\n# B\n"
    assert two("# A\n# B\n", "heading", ["A"], "replace", content="x") == "# A\nx\n\n# B\n"
    assert two("# A", "heading", ["A"], "append", content="x") == "# A\nx\n"
    assert two("", "heading", [], "append", content="x") == "x\n"


def test_text_never_becomes_part_of_an_underlined_heading() -> None:
    tight = "# A\n```\n```\nNext\n====\n"
    assert two(tight, "heading", ["A"], "replace", content="plain") == "# A\nplain\n\nNext\n====\n"
    assert one("# A\nx\nB\n===\n".replace("x\n", "```\n```\n"), "append", ["A"], "plain\n").endswith("plain\n\nB\n===\n")


def test_text_never_becomes_properties() -> None:
    assert two("body\n", "heading", [], "prepend", content="---\nx: 1\n---") == "\n---\nx: 1\n---\n\nbody\n"


@pytest.mark.parametrize("content", ["```\nopen", "<!-- open", "%%\nopen", "$$\nopen"])
def test_text_that_would_swallow_what_follows_is_refused(content: str) -> None:
    with pytest.raises(PatchError, match="around it"):
        two(NOTE + "\n%%\n$$\n", "heading", ["A", "B"], "append", content=content)


def test_text_behind_an_unclosed_fence_is_refused_for_it_would_be_code() -> None:
    with pytest.raises(PatchError, match="around it"):
        two("# A\n\n```\nopen\n", "heading", ["A"], "append", content="x")


def test_headings_too_deep_are_written_and_told() -> None:
    done = apply2(NOTE, {"targetType": "heading", "target": ["A", "B"], "operation": "append", "content": "##### deep\n\nx"})
    assert "\n####### deep\n" in done.text
    assert [warning["code"] for warning in done.warnings] == ["heading-depth-overflow"]


def test_underlined_headings_keep_their_line_while_their_level_has_one() -> None:
    note = "Top\n===\n\nKid\n---\n\nk\n"
    read = read_target(note, "heading", ["Top"], relative=True)
    assert read == "\nKid\n===\n\nk\n"
    assert two(note, "heading", ["Top", "Kid"], "append", content=str(read)) == "Top\n===\n\nKid\n---\n\nk\n\n### Kid\n\nk\n"


@pytest.mark.parametrize(
    ("note", "target", "title", "expected"),
    [
        ("# A ##\n\nx\n", ["A"], "B", "# B ##\n\nx\n"),
        ("A\n=\n\nx\n", ["A"], "B", "B\n=\n\nx\n"),
        ("A\n---\n", ["A"], "- x", "## - x\n"),
        ("# A\n", ["A"], "C #", "# C \\#\n"),
        ("#\n\nx\n", [""], "T", "# T\n\nx\n"),
    ],
)
def test_a_heading_gets_another_text_and_keeps_its_form(note: str, target: list[str], title: str, expected: str) -> None:
    assert two(note, "heading", target, "replace", scope="marker", content=title) == expected


def test_a_heading_that_now_stands_twice_is_told() -> None:
    done = apply2("# A\n\n# B\n", {"targetType": "heading", "target": ["B"], "operation": "replace", "scope": "marker", "content": "A"})
    assert [warning["code"] for warning in done.warnings] == ["duplicate-heading"]


# ── targets ──────────────────────────────────────────────────────────────────────────────────────────────────────────

TWINS = "# Week\n\n## Notes\n\nmon\n\n## Notes\n\nfri\n"


def test_a_heading_that_stands_twice_is_an_error_that_names_both_lines() -> None:
    with pytest.raises(PatchError, match="lines 3 and 7"):
        one(TWINS, "append", ["Week", "Notes"], "x")
    with pytest.raises(PatchError, match="lines 3 and 7"):
        two(TWINS, "heading", ["Week", "Notes"], "append", content="x")
    assert apply1(TWINS, Patch1("append", "heading", ["Week", "Notes"], "x\n"), compat=True) == TWINS + "x\n"


def test_the_map_gives_every_heading_an_address_of_its_own() -> None:
    first, second = document_map(TWINS)["headings"]["Week"]
    assert read_target(TWINS, "heading", ["Week", first]) == "\nmon\n\n"
    assert read_target(TWINS, "heading", f"Week::{second}") == "\nfri\n"
    assert two(TWINS, "heading", ["Week", first], "append", content="x") == TWINS.replace("mon\n", "mon\n\nx\n")


def test_the_map_of_both_dialects() -> None:
    note = "---\nk: v\n---\n# A\n\n#### B\n\nx ^b1\n"
    assert document_map(note, dialect=1) == {"headings": ["A", "A::B"], "blocks": ["b1"], "frontmatterFields": ["k"]}
    assert document_map(note) == {"headings": {"A": {"B": {}}}, "blocks": ["b1"], "frontmatterFields": ["k"], "version": version(note)}


def test_a_missing_target_says_what_was_probably_meant() -> None:
    with pytest.raises(PatchTargetError) as caught:
        one(NOTE, "append", ["B"], "x")
    assert (caught.value.rest_code, caught.value.reason) == (40080, "invalid-target")
    assert "A::B" in caught.value.hint
    with pytest.raises(PatchTargetError) as caught:
        two(NOTE, "heading", ["b"], "append", content="x")
    assert caught.value.rest_code == 40400
    with pytest.raises(PatchTargetError, match=r"\^zz"):
        two(BLOCKS, "block", "zz", "append", content="x")
    with pytest.raises(PatchTargetError, match=r"'t\.x'"):
        two(FIELDS, "frontmatter", "t.x", "append", value="x")


def test_a_version_or_hash_in_if_match_is_the_note_or_a_conflict() -> None:
    assert matches(NOTE, f'"{version(NOTE)}"')
    assert matches(NOTE, "*")
    assert not matches(NOTE, "0000")
    with pytest.raises(PatchConflictError) as caught:
        two(NOTE, "heading", ["Z"], "append", content="x", ifMatch="0000")
    assert caught.value.rest_code == 41200
    with pytest.raises(PatchConflictError) as caught:
        two(NOTE, "heading", ["A", "B"], "append", content="b", rejectIfContentPreexists=True)
    assert caught.value.rest_code == 40900


@pytest.mark.parametrize(
    "raw",
    [
        {},
        {"targetType": "heading"},
        {"targetType": "heading", "operation": "append"},
        {"targetType": "heading", "operation": "append", "content": "x", "value": 1},
        {"targetType": "heading", "operation": "delete", "content": "x", "target": ["A"]},
        {"targetType": "heading", "operation": "append", "content": "x", "scope": "parent"},
        {"targetType": "heading", "operation": "append", "content": "x", "within": 0, "createTargetIfMissing": True},
        {"targetType": "heading", "operation": "append", "content": "x", "within": 0, "scope": "marker", "target": ["A"]},
        {"targetType": "heading", "operation": "append", "content": "x", "within": True, "target": ["A"]},
        {"targetType": "heading", "operation": "append", "content": "x", "unknown": 1},
        {"targetType": "heading", "operation": "append", "content": 5},
        {"targetType": "heading", "operation": "delete", "scope": "marker", "target": []},
        {"targetType": "heading", "operation": "append", "content": "x", "target": ["A", 3]},
        {"targetType": "heading", "operation": "replace", "scope": "parent", "target": ["A"], "destination": {"place": "middle"}},
        {"targetType": "heading", "operation": "replace", "scope": "parent", "target": ["A"], "destination": {"parent": ["A", "B"]}},
        {"targetType": "heading", "operation": "replace", "scope": "markerAndContent", "target": ["A"], "content": "\n"},
        {"targetType": "block", "operation": "append", "content": "x", "target": ["p"]},
        {"targetType": "frontmatter", "operation": "append", "content": "x", "target": "t"},
        {"targetType": "frontmatter", "operation": "append", "value": "x", "target": "t", "createTargetIfMissing": "yes"},
    ],
)
def test_words_that_do_not_go_together_are_an_error(raw: dict[str, Any]) -> None:
    with pytest.raises(PatchError) as caught:
        apply2(NOTE, raw)
    assert caught.value.rest_code == 40081


def test_an_index_that_is_not_there_is_not_found() -> None:
    with pytest.raises(PatchTargetError) as caught:
        two(NOTE, "heading", ["A"], "delete", within=1)
    assert caught.value.rest_code == 40400


# ── 2.x: blocks ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("target", "operation", "more", "old", "new"),
    [
        ("p", "append", {"content": "X"}, "para one ^p", "para one\nX ^p"),
        ("p", "prepend", {"content": "X"}, "para one ^p", "X\npara one ^p"),
        ("p", "replace", {"content": "X\n"}, "para one ^p", "X ^p"),
        ("p", "replace", {"content": "new", "scope": "marker"}, "^p", "^new"),
        ("p", "delete", {"scope": "marker"}, " ^p", ""),
        ("p", "delete", {"scope": "markerAndContent"}, "para one ^p\n\n", ""),
        ("p", "append", {"content": "X", "scope": "markerAndContent"}, "para one ^p\n", "para one ^p\n\nX\n"),
        ("li", "replace", {"content": "B"}, "[x] b ^li", "[x] B ^li"),
        ("li", "replace", {"content": "- [ ] B"}, "- [x] b ^li", "- [ ] B ^li"),
        ("n", "append", {"content": "X"}, "\t- k ^n", "\t- k\n\t  X ^n"),
        ("n", "replace", {"content": "K"}, "- k ^n", "- K ^n"),
        ("n", "delete", {}, "- k ^n", "- ^n"),
        ("li", "append", {"content": "next", "scope": "markerAndContent"}, "\t- k ^n\n", "\t- k ^n\n- [ ] next\n"),
        ("n", "prepend", {"content": "before", "scope": "markerAndContent"}, "\t- k ^n\n", "\t- before\n\t- k ^n\n"),
        ("li", "delete", {"scope": "markerAndContent"}, "- [x] b ^li\n\t- k ^n\n", ""),
        ("t", "append", {"content": "| 3 | 4 |"}, "| 1 | 2 |\n", "| 1 | 2 |\n| 3 | 4 |\n"),
        ("t", "append", {"value": [["a|b", "c\nd"]]}, "| 1 | 2 |\n", "| 1 | 2 |\n| a\\|b | c<br>d |\n"),
        ("t", "prepend", {"value": ["3", "4"]}, "| 1 | 2 |\n", "| 3 | 4 |\n| 1 | 2 |\n"),
        ("t", "replace", {"value": [["3", "4"]]}, "| 1 | 2 |\n", "| 3 | 4 |\n"),
        ("t", "delete", {"scope": "marker"}, "^t\n\n", ""),
        ("c", "append", {"content": "more"}, "code\n", "code\nmore\n"),
        ("c", "replace", {"content": "~~~py\nmore\n~~~"}, "```\ncode\n```", "~~~py\nmore\n~~~"),
        ("c", "replace", {"content": "more"}, "code\n", "more\n"),
        ("q", "append", {"content": "two\nthree"}, "> q\n", "> q\n> two\n> three\n"),
        ("q", "prepend", {"content": "zero"}, "> q\n", "> zero\n> q\n"),
        ("q", "delete", {"scope": "markerAndContent"}, "\n> q\n\n^q\n", ""),
        ("new", "append", {"content": "N", "createTargetIfMissing": True}, "^q\n", "^q\n\nN\n\n^new\n"),
    ],
)
def test_a_block_changes_as_told_and_stays_what_it_is(target: str, operation: str, more: dict[str, Any], old: str, new: str) -> None:
    assert BLOCKS.count(old) == 1
    assert two(BLOCKS, "block", target, operation, **more) == BLOCKS.replace(old, new)


@pytest.mark.parametrize(
    ("target", "operation", "more", "code"),
    [
        ("p", "delete", {}, 40081),
        ("p", "append", {"value": [["a", "b"]]}, 40081),
        ("t", "append", {"value": [["a"]]}, 40081),
        ("t", "append", {"content": "no row"}, 40080),
        ("p", "replace", {"content": "```\nx\n```"}, 40080),
        ("c", "append", {"content": "```"}, 40080),
        ("p", "replace", {"content": "t", "scope": "marker"}, 40900),
        ("p", "replace", {"content": "no id", "scope": "marker"}, 40081),
    ],
)
def test_what_would_break_a_block_is_refused(target: str, operation: str, more: dict[str, Any], code: int) -> None:
    with pytest.raises(PatchError) as caught:
        two(BLOCKS, "block", target, operation, **more)
    assert caught.value.rest_code == code


# ── 2.x: properties ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("target", "operation", "more", "old", "new"),
    [
        ("l", "append", {"value": "z"}, '"b c"]', '"b c", z]'),
        ("l", "prepend", {"value": ["z"]}, "[a", "[z, a"),
        ("l", "delete", {}, 'l: [a, "b c"]', "l:"),
        ("l", "delete", {"scope": "markerAndContent"}, 'l: [a, "b c"]\n', ""),
        ("l", "replace", {"scope": "marker", "content": "list"}, "l: [", "list: ["),
        ("t", "append", {"value": "z"}, "'x'", "'xz'"),
        ("n", "replace", {"value": 4}, "n: 3", "n: 4"),
        ("t", "append", {"value": {"u": 1}, "scope": "markerAndContent"}, "t: 'x'\n", "t: 'x'\nu: 1\n"),
        ("t", "replace", {"value": {"u": 1}, "scope": "markerAndContent"}, "t: 'x'\n", "u: 1\n"),
        ("new", "append", {"value": ["a"], "createTargetIfMissing": True}, "n: 3\n", "n: 3\nnew:\n  - a\n"),
    ],
)
def test_a_property_changes_and_comments_and_quoting_survive(target: str, operation: str, more: dict[str, Any], old: str, new: str) -> None:
    assert FIELDS.count(old) == 1
    assert two(FIELDS, "frontmatter", target, operation, **more) == FIELDS.replace(old, new)


@pytest.mark.parametrize(
    ("target", "operation", "more", "code"),
    [
        ("n", "append", {"value": 1}, 40080),
        ("l", "replace", {"scope": "marker", "content": "n"}, 40900),
        ("l", "append", {"value": "a", "rejectIfContentPreexists": True}, 40900),
        ("l", "delete", {"scope": "marker"}, 40081),
        ("l", "prepend", {"scope": "markerAndContent", "value": {"u": 1}}, 40081),
        ("l", "append", {"scope": "markerAndContent", "value": {"n": 1}}, 40900),
    ],
)
def test_what_would_break_properties_is_refused(target: str, operation: str, more: dict[str, Any], code: int) -> None:
    with pytest.raises(PatchError) as caught:
        two(FIELDS, "frontmatter", target, operation, **more)
    assert caught.value.rest_code == code


def test_bad_yaml_stops_the_header_dialect_everywhere_and_the_other_only_at_properties() -> None:
    bad = "---\nt: [x\n---\n# H\n\ny\n"
    with pytest.raises(PatchError) as caught:
        one(bad, "append", ["H"], "x")
    assert caught.value.rest_code == 40005
    with pytest.raises(PatchError) as caught:
        two(bad, "frontmatter", "t", "replace", value=1)
    assert caught.value.rest_code == 40005
    assert two(bad, "heading", ["H"], "append", content="x") == bad + "\nx\n"


# ── 1.x beyond the vectors ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("operation", "scope", "content", "expected"),
    [
        ("replace", "marker", "## New\n", "# A\n\n## New\n\nb\n\n# Z\n"),
        ("prepend", "marker", "above\n\n", "# A\n\nabove\n\n## B\n\nb\n\n# Z\n"),
        ("append", "marker", "below\n", "# A\n\n## B\nbelow\n\nb\n\n# Z\n"),
        ("replace", "markerAndContent", "## N\n\nn", "# A\n\n## N\n\nn\n\n# Z\n"),
        ("append", "markerAndContent", "## N\n", "# A\n\n## B\n\nb\n\n## N\n\n# Z\n"),
        ("prepend", "markerAndContent", "## N", "# A\n\n## N\n## B\n\nb\n\n# Z\n"),
    ],
)
def test_scopes_of_the_header_dialect(operation: str, scope: str, content: str, expected: str) -> None:
    assert one("# A\n\n## B\n\nb\n\n# Z\n", operation, ["A", "B"], content, scope=scope) == expected


def test_text_is_not_glued_to_a_heading_or_the_properties_at_the_end_of_the_note() -> None:
    assert one("# A", "append", ["A"], "x\n") == "# A\nx\n"
    assert one("# A\n# B\n", "prepend", ["A"], "x") == "# A\nx\n# B\n"
    assert one("---\nk: v\n---", "append", None, "x\n") == "---\nk: v\n---\nx\n"


def test_a_target_may_be_one_text_with_another_delimiter() -> None:
    assert one("# A :: B\n\n## C\n", "append", "A :: B//C", "x\n", delimiter="//") == "# A :: B\n\n## C\nx\n"


@pytest.mark.parametrize(
    ("more", "code", "reason"),
    [
        ({"operation": "obliterate"}, 40057, ""),
        ({"kind": "page"}, 40054, ""),
        ({"scope": "all"}, 40059, ""),
        ({"content_type": "text/plain"}, 40012, ""),
        ({"content_type": "application/json"}, 40080, "content-type-invalid-for-target"),
        ({"content": 5}, 40080, "content-type-invalid"),
    ],
)
def test_header_values_that_are_none(more: dict[str, Any], code: int, reason: str) -> None:
    words: dict[str, Any] = {"operation": "append", "target": ["A"], "content": "x", "text": NOTE} | more
    with pytest.raises(PatchError) as caught:
        one(**words)
    assert (caught.value.rest_code, caught.value.reason) == (code, reason)


def test_a_block_of_properties_with_comments_is_not_rewritten_by_the_header_dialect_either() -> None:
    assert one(FIELDS, "append", "l", ["z"], "frontmatter", content_type="application/json") == FIELDS.replace('"b c"]', '"b c", z]')


# ── the plugin's own form of properties (checked against npm's yaml 2.9.1) ───────────────────────────────────────────


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("plain", "plain"),
        ("yes", "yes"),
        ("true", '"true"'),
        ("12", '"12"'),
        ("", '""'),
        ("a: b", '"a: b"'),
        ("it's: x", '"it\'s: x"'),
        ('say: "x"', "'say: \"x\"'"),
        ("# x", '"# x"'),
        ("- x", '"- x"'),
        ("-x", "-x"),
        ("a\n", "|\n  a"),
        ("a\nb", "|-\n  a\n  b"),
        ("a\n\n", "|+\n  a\n"),
        (" a\nb", "|2-\n   a\n  b"),
        ("bell\a", '"bell\\a"'),
        (None, "null"),
        ([], "[]"),
        ({}, "{}"),
        (["a", ["b", {"c": None}]], "\n  - a\n  - - b\n    - c: null"),
        ({"a": {"b": [1]}}, "\n  a:\n    b:\n      - 1"),
        (1.5, "1.5"),
        (float("inf"), ".inf"),
        (
            "word " * 20 + "end",
            "word word word word word word word word word word word word word word word\n  word word word word word end",
        ),
        (("x" * 50 + " ") * 2 + "#", None),
        ("🚀 " * 30 + "x", "🚀 🚀 🚀 🚀 🚀 🚀 🚀 🚀 🚀 🚀 🚀 🚀 🚀 🚀 🚀 🚀 🚀 🚀 🚀 🚀 🚀 🚀 🚀 🚀 🚀\n  🚀 🚀 🚀 🚀 🚀 x"),
        ("word " * 20 + "end\nsecond line", f">-\n  {'word ' * 14}word\n  word word word word word end\n\n  second line"),
        (f"long {'y' * 90}\nsecond", f"|-\n  long {'y' * 90}\n  second"),
    ],
)
def test_values_are_written_as_the_plugin_writes_them(value: Any, expected: str | None) -> None:
    written = serialised.block({"key": value}, "\n")
    if expected is None:
        expected = f'"{"x" * 50}\n  {"x" * 50} #"'
    assert written == f"---\nkey:{'' if expected.startswith(chr(10)) else ' '}{expected}\n---\n"


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("operation", ["append", "prepend", "replace"])
def test_rows_fit_a_table_whatever_its_line_ends_are(operation: str, newline: str) -> None:
    head, old, new = "| x | y |\n|---|---|\n", "| 1 | 2 |\n", "| 3 | 4\\|5 |\n"
    rows = {"append": old + new, "prepend": new + old, "replace": new}[operation]
    note, expected = (f"a\n\n{head}{body}\n^t\n\nend\n".replace("\n", newline) for body in (old, rows))
    asked = Patch1(operation, "block", "t", [["3", "4|5"]], content_type="application/json")
    assert apply1(note, asked) == expected
