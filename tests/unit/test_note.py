"""What a note says about itself."""

from __future__ import annotations

import marshal
from pathlib import Path

import pytest

from vaultkit.text.edit import to_text
from vaultkit.text.note import Note, from_row, parse_note, to_row

_VAULTS = Path(__file__).parents[3] / "shared" / "vaults"


def _note(text: str, path: str = "inbox/my-note.md") -> Note:
    return parse_note(path, text)


def _properties(yaml: str) -> Note:
    return _note(f"---\n{yaml}\n---\n")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: Renew it\n---\n# Other\n", "Renew it"),
        ("---\ntitle: 2026\n---\n", "2026"),
        ('---\ntitle: " "\n---\n# Heading\n', "Heading"),
        ("## Small\n\n# Big\n# Bigger\n", "Big"),
        ("#\n", "my-note"),
        ("Set\n===\n", "Set"),
        ("text", "my-note"),
        ("", "my-note"),
    ],
)
def test_the_title_is_the_property_else_the_first_h1_else_the_file_name(text: str, title: str) -> None:
    assert _note(text).title == title


@pytest.mark.parametrize(
    ("path", "name", "folder"), [("a/b/C.md", "C", "a/b"), ("C.MD", "C", ""), ("v1.2.md", "v1.2", ""), ("x/.md", "", "x")]
)
def test_name_and_folder_come_from_the_path(path: str, name: str, folder: str) -> None:
    note = _note("", path)
    assert (note.name, note.folder) == (name, folder)


@pytest.mark.parametrize(
    ("yaml", "tags"),
    [
        ("tags:\n  - infra\n  - '#work'\n  - Infra", ("infra", "work")),
        ("tags: [a, 2024, 1.5, true, null, [b]]", ("a", "2024", "1.5", "true")),
        ("tags: 'a, #b c'", ("a", "b", "c")),
        ("tags: a,b", ("a", "b")),
        ("tags: 2024", ("2024",)),
        ("tag: a b", ("a", "b")),
        ("tag: a\ntags: [b]", ("b",)),
        ("Tags: [a]", ("a",)),
        ("tags:", ()),
        ("tags: []", ()),
        ("tags: {a: b}", ()),
    ],
)
def test_property_tags_are_read_leniently(yaml: str, tags: tuple[str, ...]) -> None:
    assert _properties(yaml).tags == tags


def test_inline_tags_follow_property_tags_each_in_its_first_casing() -> None:
    assert _note("---\ntags: [Work, Größe]\n---\n#idea #WORK #GRÖSSE #Idea #idea/x\n").tags == ("Work", "Größe", "idea", "idea/x")


def test_text_where_a_list_of_tags_belongs_is_reported_with_its_line() -> None:
    [problem] = _properties("a: 1\ntags: b, c").problems
    assert (problem.rule, problem.line) == ("tags-not-list", 3)
    assert _properties("tags: [b]").problems == ()
    assert _properties("tags:").problems == ()


@pytest.mark.parametrize(
    ("yaml", "aliases"),
    [
        ("aliases:\n  - One, two\n  - 3", ("One, two", "3")),
        ("aliases: One, two", ("One", "two")),
        ("alias: One", ("One",)),
        ("aliases: []\nalias: One", ()),
        ("aliases:", ()),
    ],
)
def test_aliases_are_a_list_or_text(yaml: str, aliases: tuple[str, ...]) -> None:
    assert _properties(yaml).aliases == aliases


@pytest.mark.parametrize(
    ("yaml", "description"), [("description: ' One line. '", "One line."), ("description:", ""), ("description: 3", "3"), ("a: b", "")]
)
def test_the_description_is_the_property(yaml: str, description: str) -> None:
    assert _properties(yaml).description == description


def test_tasks_are_the_bullets_with_a_checkbox_and_know_the_task_above_them() -> None:
    note = _note("- [ ] a\n  - b\n    - [x] c\n- d\n  - [/] e\n\n1. [ ] f\n   1. [ ] g\n")
    assert [(task.text, task.status, task.parent) for task in note.tasks] == [
        ("a", " ", -1),
        ("c", "x", 0),
        ("e", "/", -1),
        ("f", " ", -1),
        ("g", " ", 3),
    ]


def test_links_of_properties_come_first_and_name_their_property() -> None:
    note = _note('---\nup: "[[A]]"\nsee:\n  - "[[B|b]]"\n---\n[[C]]\n')
    assert [(link.target, link.property, link.line) for link in note.links] == [("A", "up", 2), ("B", "see", 4), ("C", None, 6)]


def test_bad_yaml_is_a_problem_and_the_body_is_read_all_the_same() -> None:
    note = _note('---\na: b: "[[No]]"\n---\n# Title\n[[Yes]] #tag\n')
    assert [problem.rule for problem in note.problems] == ["bad-yaml"]
    assert note.problems[0].line == 2
    assert note.properties == {}
    assert ([link.target for link in note.links], note.tags, note.title) == (["Yes"], ("tag",), "Title")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> theirs\n<<<<<<< HEAD\n", [2]),
        ("<<<<<<<\r\nb", [1]),
        ("```\n<<<<<<< HEAD\n```\n", []),
        ("a <<<<<<< HEAD\n<<<<<<<< b\n<<<<<<<c\n", []),
    ],
)
def test_conflict_markers_are_reported_once_and_not_in_code(text: str, lines: list[int]) -> None:
    assert [problem.line for problem in _note(text).problems if problem.rule == "conflict-copy"] == lines


def test_conflict_markers_in_the_frontmatter_are_reported_too() -> None:
    rules = {problem.rule for problem in _note("---\na: 1\n<<<<<<< HEAD\nb: 2\n=======\nb: 3\n>>>>>>> x\n---\n").problems}
    assert rules == {"bad-yaml", "conflict-copy"}


@pytest.mark.parametrize(
    "text", ["", "\ufeff", "\0", "\ud800 #\ud800 [[\ud800]]", "---", "---\n", "---\n---", "\ufeff---\r\na: 1\r\n---\r\n# T", "\r\r\n\n"]
)
def test_odd_texts_are_notes_too(text: str) -> None:
    note = parse_note("a.md", text, hash="00")
    assert note.hash == "00"
    assert text[note.body :] in text
    assert from_row(marshal.loads(marshal.dumps(to_row(note)))) == note


def test_undecodable_bytes_survive_a_row() -> None:
    note = parse_note("a.md", to_text(b"---\ntitle: caf\xe9\n---\n[[\xff]] #\xfe\n- [ ] \xfd\n"))
    assert [link.target for link in note.links] == ["\udcff"]
    assert from_row(marshal.loads(marshal.dumps(to_row(note)))) == note


def test_a_row_gives_back_every_type() -> None:
    note = _note('---\ntags: a\nup: "[[A]]"\nn: {k: [1, 2.5, null, true]}\n---\n# T\n[[B]] #t ^x\nk:: v\n- [ ] task DEC-001\n<<<<<<< x\n')
    back = from_row(marshal.loads(marshal.dumps(to_row(note))))
    assert back == note
    for mine, theirs in zip(back[9:], note[9:], strict=True):
        assert theirs
        assert [type(item) for item in mine] == [type(item) for item in theirs]


@pytest.mark.parametrize(("vault", "notes", "links"), [("help-en", 173, 1807), ("help-ja", 173, 1804)])
def test_real_vaults_hold_as_many_wikilinks_as_an_independent_count(vault: str, notes: int, links: int) -> None:
    root = _VAULTS / vault
    if not root.is_dir():
        pytest.skip("../shared/vaults is not beside this checkout")
    parsed = [parse_note(path.relative_to(root).as_posix(), to_text(path.read_bytes())) for path in root.rglob("*.md")]
    found = [link for note in parsed for link in note.links if link.syntax == "wikilink" and not link.comment]
    assert (len(parsed), len(found)) == (notes, links)
