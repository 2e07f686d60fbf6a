"""The scanner, rule by rule."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from vaultkit.text.markdown import Bullet, Link, scan

_SHARED = Path(__file__).parents[3] / "shared"


def _written(link: Link) -> str:
    """A link as `!target#part|display`, with its syntax's first letter in front when it is no wikilink."""
    mark = {"wikilink": "", "markdown": "m:", "property": "p:"}[link.syntax]
    display = "" if link.display is None else f"|{link.display}"
    return f"{mark}{'!' if link.embed else ''}{link.target}{link.subpath}{display}"


def _links(text: str) -> list[str]:
    return [_written(link) for link in scan(text).links if not link.comment]


def _tags(text: str) -> list[str]:
    return [tag.name for tag in scan(text).tags]


def _headings(text: str) -> list[tuple[int, str]]:
    return [(heading.level, heading.text) for heading in scan(text).headings]


def _bullets(text: str) -> list[str]:
    return [bullet.text for bullet in scan(text).bullets]


def _property_links(yaml: str) -> list[tuple[str | None, str]]:
    text = f"---\n{yaml}\n---\n"
    return [(link.property, _written(link)) for link in scan(text, body=len(text), property_block=(4, len(text) - 4)).links]


# -- wikilinks ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("[[Plan]]", ["Plan"]),
        ("see [[Plan]], then [[Goal]].", ["Plan", "Goal"]),
        ("[[Plan|the plan]]", ["Plan|the plan"]),
        ("[[Plan|a|b]]", ["Plan|a|b"]),
        ("[[Plan|]]", ["Plan|"]),
        ("[[Plan#Scope]]", ["Plan#Scope"]),
        ("[[Plan#Scope#Cost]]", ["Plan#Scope#Cost"]),
        ("[[Plan#^x1]]", ["Plan#^x1"]),
        ("[[Plan#Scope|s]]", ["Plan#Scope|s"]),
        ("[[#Scope]]", ["#Scope"]),
        ("[[#^x1]]", ["#^x1"]),
        ("[[Plan#]]", ["Plan"]),
        ("[[ Plan # Scope ]]", ["Plan#Scope"]),
        ("![[map.png]]", ["!map.png"]),
        ("![[map.png|640x480]]", ["!map.png|640x480"]),
        ("![[paper.pdf#page=3]]", ["!paper.pdf#page=3"]),
        ("![[People.base#Friends]]", ["!People.base#Friends"]),
        ("[[Sq]uare]]", ["Sq]uare"]),
        ("[[A [1] B]]", ["A [1] B"]),
        ("[[a [[B]] c]]", ["B"]),
        ("[[[B]]]", ["B"]),
        ("[[a\nb]]", []),
        ("[[a\r\nb]]", []),
        ("[[a\rb]]", []),
        ("[[a\u2028b]]", ["a\u2028b"]),
        ("[[]] [[ ]] [[|x]] [[#]] [[# ]]", []),
        ("[[a]", []),
        ("[[https://example.org]]", ["https://example.org"]),
        ("[[__init__]] [[a*b*c]] [[a\\b]]", ["__init__", "a*b*c", "a\\b"]),
        ("| [[Plan\\|p]] | [[Goal#x\\|g]] |", ["Plan|p", "Goal#x|g"]),
        (r"\[[Plan]]", []),
        (r"\![[Plan]]", ["Plan"]),
        (r"\\[[Plan]]", ["Plan"]),
        ("[[cost $5]] and [[cost $6]]", ["cost $5", "cost $6"]),
        ("[[a`b]] and [[c`d]]", ["a`b", "c`d"]),
        ("[[日本語#見出し|表示]]", ["日本語#見出し|表示"]),
        ("[[e\u0301]]", ["e\u0301"]),
        ("[[😀]]", ["😀"]),
        ("(key:: [[Plan]])", ["Plan"]),
        ("a^[see [[Plan]]] and [^1]\n\n[^1]: [[Goal]]", ["Plan", "Goal"]),
        ("> [!tip] [[Plan]]\n> [[Goal]]", ["Plan", "Goal"]),
        ("# On [[Plan]]\n\n- [ ] [[Goal]]\n\t1. [[Next]]", ["Plan", "Goal", "Next"]),
        ("%% [[Plan]] %%\n\n%%\n[[Goal]]\n%%", ["Plan", "Goal"]),
        ("    [[Plan]]\n\n\t[[Goal]]", ["Plan", "Goal"]),
        ('<img alt="[[Plan]]"> <b>[[Goal]]</b>', ["Goal"]),
    ],
)
def test_wikilinks_follow_obsidians_grammar(text: str, links: list[str]) -> None:
    assert _links(text) == links


def test_a_links_spans_are_offsets_into_the_text() -> None:
    text = "x ![[ Plan #Scope|p]] y"
    [link] = scan(text).links
    assert text[link.start : link.end] == "![[ Plan #Scope|p]]"
    assert text[link.target_start : link.target_end] == "Plan"


def test_the_span_of_a_target_in_a_table_leaves_out_the_backslash() -> None:
    text = "| [[Plan\\|p]] |"
    [link] = scan(text).links
    assert text[link.target_start : link.target_end] == "Plan"
    assert link.display == "p"


# -- Markdown links -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("[t](Plan.md)", ["m:Plan.md|t"]),
        ("[t](Some%20note.md#The%20part)", ["m:Some note.md#The part|t"]),
        ("[t](<Some note.md>)", ["m:Some note.md|t"]),
        ("[t](Plan.md 'title')", ["m:Plan.md|t"]),
        ('[t](Plan.md "a (b)")', ["m:Plan.md|t"]),
        ("[t](#part)", ["m:#part|t"]),
        ("![250](a/map.png)", ["m:!a/map.png|250"]),
        ("[t](a(b)c.md)", ["m:a(b)c.md|t"]),
        ("[t](a(b(c))d.md) x)", ["m:a(b(c))d.md|t"]),
        (r"[t](a\)b.md)", ["m:a)b.md|t"]),
        ("[t](%E6%97%A5.md)", ["m:日.md|t"]),
        ("[t](100%25.md)", ["m:100%.md|t"]),
        ("[t](%FF.md)", ["m:%FF.md|t"]),
        ("[t](a%23b.md#c)", ["m:a#b.md#c|t"]),
        ("[a [b] c](d.md)", ["m:d.md|a [b] c"]),
        ("[![alt](i.png)](d.md)", ["m:!i.png|alt", "m:d.md|![alt](i.png)"]),
        ("[a [b](c.md) d](e.md)", ["m:c.md|b"]),
        ("[see [[Plan]]](d.md)", ["Plan", "m:d.md|see [[Plan]]"]),
        ("[t]([[Plan]])", ["Plan"]),
        ("[t](https://example.org/x.md) [t](mailto:a@b.c) [t](obsidian://open) [t](//host/x)", []),
        ("[t]() [t]( ) [t](<>) [t](#)", []),
        ("[t](My Note.md)", []),
        ("[t](a(b.md)", []),
        ("[t][ref]\n\n[ref]: Plan.md", []),
        (r"\[t](Plan.md) [t\](Plan.md)", []),
        ("[a\n\nb](Plan.md)", []),
        ("[a\nb](Plan.md)", ["m:Plan.md|a\nb"]),
        ("[a\r\nb](Plan.md)", ["m:Plan.md|a\nb"]),
        ("[`](`](Plan.md)", ["m:Plan.md|`](`"]),
    ],
)
def test_markdown_links_are_internal_when_they_have_no_scheme(text: str, links: list[str]) -> None:
    assert _links(text) == links


@pytest.mark.parametrize(
    ("text", "whole", "target"),
    [
        ("x [t](Some%20note.md#A) y", "[t](Some%20note.md#A)", "Some%20note.md"),
        ("x ![t](<Some note.md> 'u') y", "![t](<Some note.md> 'u')", "Some note.md"),
        ("x [t]( a(b).md ) y", "[t]( a(b).md )", "a(b).md"),
    ],
)
def test_a_markdown_links_target_span_is_as_written(text: str, whole: str, target: str) -> None:
    [link] = scan(text).links
    assert text[link.start : link.end] == whole
    assert text[link.target_start : link.target_end] == target


# -- code, math, comments -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "`[[no]]`",
        "``[[no]] ` [[no]]``",
        "`a\n[[no]]`",
        "```\n[[no]]\n```",
        "~~~ md\n[[no]]\n```\n[[no]]\n~~~",
        "````\n[[no]]\n```\n[[no]]\n````",
        "```\n[[no]]",
        "> [!note]\n> ```\n> [[no]]\n> ```",
        "> > ~~~\n> > [[no]]",
        "- a\n  ```\n  [[no]]\n\n  [[no]]\n  ```",
        "- ```\n  [[no]]\n  ```",
        "1. > ```\n   > [[no]]",
        "- - ```\n    [[no]]",
        "\t```\n\t[[no]]\n\t```",
        "$[[no]]$",
        "$$[[no]]$$",
        "$$\n[[no]]\n\n[[no]]\n$$",
        "<!-- [[no]] -->",
        "<!--\n\n[[no]]\n\n-->",
        "text <!-- [[no]] --> text",
        "<!-- never closed\n\n[[no]]",
        "> <!--\n> [[no]]\n> -->",
        "> $$\n> [[no]]\n> $$",
    ],
)
def test_code_math_and_html_comments_hold_no_links_or_tags(text: str) -> None:
    assert _links(text) == []
    assert _tags(text.replace("[[no]]", "x #no y")) == []


@pytest.mark.parametrize(
    "text",
    [
        "a ` [[yes]]",
        "a `` [[yes]] `",
        r"\`[[yes]]`",
        "`a\n\n[[yes]]`",
        "`a\n- [[yes]]`",
        "`a\n> [[yes]]`",
        "# `a\n[[yes]]`",
        "| `a |\n| [[yes]] ` |",
        "```a`b\n[[yes]]",
        "```\n```\n[[yes]]",
        "> ```\n[[yes]]",
        "- ```\n\n[[yes]]",
        "- a\n\n  ~~~\n  x\n[[yes]]",
        "$5 and [[yes]] $6",
        "$ a [[yes]]$",
        "$a [[yes]] $",
        r"\$a [[yes]]$",
        "$a\n\n[[yes]]$",
        "$$ [[yes]]",
        "$$$ [[yes]] $$$",
        "a <!-- [[yes]]",
        "a <!-- b\n\n[[yes]] -->",
        "`<!--` [[yes]] -->",
        "<!-- `a --> [[yes]] `",
        "%%%% [[yes]]",
        "> <!-- a\n\n[[yes]]\n\nb -->",
        "> $$ a\n\n[[yes]]\n\nb $$",
    ],
)
def test_what_only_looks_like_code_math_or_comment_hides_nothing(text: str) -> None:
    assert _links(text) == ["yes"]
    assert _tags(text.replace("[[yes]]", " #yes ")) == ["yes"]


def test_links_in_html_comments_are_marked() -> None:
    links = scan("<!-- [[a]] ![b](c.md) --> [[d]]").links
    assert [(link.target, link.comment) for link in links] == [("a", True), ("c.md", True), ("d", False)]


def test_spans_of_code_math_and_comments_are_reported() -> None:
    text = "a `b` $c$\n\n```\nd\n```\n<!-- e -->\n$$\nf\n$$\n"
    assert [text[start:end] for start, end in scan(text).code] == ["`b`", "$c$", "```\nd\n```", "<!-- e -->", "$$\nf\n$$"]


def test_headings_bullets_and_ids_in_a_percent_block_are_hidden_and_its_tags_are_not() -> None:
    scanned = scan("%%\n# H\n- [ ] t ^id\n#tag\n%%\n- [x] u")
    assert scanned.headings == ()
    assert [bullet.text for bullet in scanned.bullets] == ["u"]
    assert scanned.blocks == ()
    assert [tag.name for tag in scanned.tags] == ["tag"]


def test_a_percent_block_that_is_never_closed_hides_nothing() -> None:
    assert _bullets("%% note to self\n- [ ] t") == ["t"]


def test_bullets_and_headings_in_a_comment_block_are_hidden() -> None:
    scanned = scan("<!--\n# H\n- [ ] t\n```\n-->\n- [ ] u\n")
    assert scanned.headings == ()
    assert [bullet.text for bullet in scanned.bullets] == ["u"]


# -- tags ---------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("#a #b/c", ["a", "b/c"]),
        ("#a, #b. (#c) #d) #e!", ["a", "b", "d", "e"]),
        ("#kebab-case #snake_case", ["kebab-case", "snake_case"]),
        ("#1984 #y1984 #1990s #2024-goals #1/2", ["y1984", "1990s", "2024-goals", "1/2"]),
        ("#日本語。 #会議、", ["日本語。", "会議、"]),
        ("＃全角 #半角", ["半角"]),
        ("#😀 #été #ça", ["😀", "été", "ça"]),
        ("#a\u200bb", ["a"]),
        ("x#y ##z #a#b", ["a"]),
        (r"\#a", []),
        ("https://example.org/#part [[a#h]] [t](x#y)", []),
        ("[t #in](https://example.org) #out", ["out"]),
        ("# Heading\n## #tagged", ["tagged"]),
        ("- #a\n> #b\n>#c\n1. #d", ["a", "b", "c", "d"]),
        ("> # no\n#yes", ["yes"]),
        ("\u3000#a\u00a0#b", ["a", "b"]),
        ("#\n#", []),
        ("<span style='color: #fff'>x</span> #a", ["a"]),
        ("\ufeff#a", ["a"]),
        ("#a^b #c|d #e\\f", ["a", "c", "e"]),
        ("a\r#b\r\n#c", ["b", "c"]),
    ],
)
def test_tags_follow_obsidians_alphabet(text: str, tags: list[str]) -> None:
    assert _tags(text) == tags


# -- headings -----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "headings"),
    [
        ("# A\n###### F\n####### no", [(1, "A"), (6, "F")]),
        ("#no\n#\tA\n#", [(1, "A"), (1, "")]),
        ("## A ##\n## B #x\n## C#\n## ##", [(2, "A"), (2, "B #x"), (2, "C#"), (2, "")]),
        ("   # A\n    # no", [(1, "A")]),
        ("# See [[X|y]] `#`", [(1, "See [[X|y]] `#`")]),
        ("A\n===\nB\n-", [(1, "A"), (2, "B")]),
        ("a\nb  \n---", [(2, "a\nb")]),
        ("a\n\n---", []),
        ("- a\n---", []),
        ("- a\nb\n---", []),
        ("- a\n\n  b\n---", []),
        ("- a\n\nb\n---", [(2, "b")]),
        ("> a\n---", []),
        ("> a\nb\n===\nc\n---", []),
        ("# A\n---", [(1, "A")]),
        ("```\nx\n```\n---", []),
        ("| a |\n---", []),
        ("<!-- a -->\n---", []),
        ("$$\na\n$$\n---", []),
        ("---\n===", []),
        ("***\n===", []),
        ("===", []),
        ("> # A\n- # B\n  # C", []),
        ("- a\n\n  # A", []),
        ("-\n\n  # A", [(1, "A")]),
        ("- a\n# A", [(1, "A")]),
        ("a\n    # b", []),
        ("# A\r\n\r\nB\r\n===\r\n", [(1, "A"), (1, "B")]),
        ("# A\r## B", [(1, "A"), (2, "B")]),
        ("# A\u2028# B", [(1, "A\u2028# B")]),
        ("\ufeff# A", [(1, "A")]),
        ("\ufeffA\n=", [(1, "A")]),
        ("```\n# no\n```\n# A", [(1, "A")]),
    ],
)
def test_headings_are_atx_or_setext_and_stand_at_the_top_level(text: str, headings: list[tuple[int, str]]) -> None:
    assert _headings(text) == headings


def test_a_section_ends_at_the_next_heading_of_the_same_or_a_higher_level() -> None:
    text = "# A\n\n## B\n\nb\n\n### C\n\n## D\n# E\n"
    sections = {heading.text: text[heading.start : heading.section_end] for heading in scan(text).headings}
    assert sections == {
        "A": "# A\n\n## B\n\nb\n\n### C\n\n## D\n",
        "B": "## B\n\nb\n\n### C\n\n",
        "C": "### C\n\n",
        "D": "## D\n",
        "E": "# E\n",
    }


@pytest.mark.parametrize(("text", "body"), [("# A\nx", "x"), ("A\n===\nx", "x"), ("# A\r\nx", "x"), ("# A", ""), ("# A\n", "")])
def test_a_headings_body_starts_after_its_last_line(text: str, body: str) -> None:
    [heading] = scan(text).headings
    assert text[heading.body :] == body


def test_the_frontmatter_is_no_heading() -> None:
    text = "---\na: b\n---\nc\n"
    assert scan(text, body=text.index("c")).headings == ()


# -- bullets and tasks --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "status", "rest"),
    [
        ("- [ ] a", " ", "a"),
        ("* [x] a", "x", "a"),
        ("+ [X] a", "X", "a"),
        ("1. [/] a", "/", "a"),
        ("12) [-] a", "-", "a"),
        ("- [>] a", ">", "a"),
        ("- [済] a", "済", "a"),
        ("- [😀] a", "😀", "a"),
        ("- []] a", "]", "a"),
        ("    - [ ] a", " ", "a"),
        ("\t- [ ] a", " ", "a"),
        ("> - [ ] a", " ", "a"),
        ("> [!todo]\n> - [ ] a", " ", "a"),
        ("> > 1) [ ] a", " ", "a"),
        ("-   [ ]   a  ", " ", "a"),
        ("- [ ]", " ", ""),
        ("- [  ] a", None, "[  ] a"),
        ("- [] a", None, "[] a"),
        ("- [x](a.md)", None, "[x](a.md)"),
        ("- [[a]]", None, "[[a]]"),
        ("- a [ ]", None, "a [ ]"),
        ("-", None, ""),
        ("- a\r\n", None, "a"),
    ],
)
def test_a_bullet_may_have_a_checkbox_with_any_one_character(text: str, status: str | None, rest: str) -> None:
    [bullet] = scan(text).bullets
    assert (bullet.status, bullet.text) == (status, rest)


@pytest.mark.parametrize(
    "text",
    [
        "-a",
        "-[ ] a",
        "– [ ] a",
        "* * *",
        "- - -",
        "---",
        "1234567890. a",
        "1.a",
        "a\n2. b",
        "a\n*",
        "１. a",
        "**a**",
        "+1 a",
        "```\n- a\n```",
    ],
)
def test_what_only_looks_like_a_bullet_is_none(text: str) -> None:
    assert scan(text).bullets == ()


def test_bullets_know_their_parents_lines_and_headings() -> None:
    text = "- a\n\n# H\n\n- b\n  - c\n    more\n\t- d\n- e\n> - f\n>   - g\n"

    def line(bullet: Bullet) -> tuple[str, int, int, int, int, int]:
        return (bullet.text, bullet.line, bullet.end_line, bullet.indent, bullet.heading, bullet.parent)

    assert [line(bullet) for bullet in scan(text).bullets] == [
        ("a", 1, 1, 0, -1, -1),
        ("b", 5, 5, 0, 0, -1),
        ("c\nmore", 6, 7, 2, 0, 1),
        ("d", 8, 8, 4, 0, 2),
        ("e", 9, 9, 0, 0, -1),
        ("f", 10, 10, 0, 0, -1),
        ("g", 11, 11, 2, 0, 5),
    ]


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("- a\nlazy\n\nb", "- a\nlazy"),
        ("- a\n  own\n- b", "- a\n  own"),
        ("- a\n\n  second\n  more\n\nb", "- a\n\n  second\n  more"),
        ("- a\n\nb\n\n  c", "- a"),
        ("- a\n> b", "- a"),
        ("- a\n# B", "- a"),
        ("- a\n---", "- a"),
        ("- a\n```\nb\n```", "- a"),
        ("- a\n  ```\n  b\n\n  ```\n  c\n\nd", "- a\n  ```\n  b\n\n  ```\n  c"),
        ("- a\n\n\n", "- a"),
        ("- a\n<!-- b -->", "- a"),
        ("> - a\n>   b\n>\n> c", "> - a\n>   b"),
        ("-\nb", "-"),
        ("- a\r\n  b\r\n\r\nc", "- a\r\n  b"),
        ("- a", "- a"),
        ("- a\n  b", "- a\n  b"),
    ],
)
def test_a_bullet_has_its_continuation_lines(text: str, whole: str) -> None:
    bullet = scan(text).bullets[0]
    assert text[bullet.start : bullet.end] == whole


def test_a_paragraph_between_two_lists_ends_the_first() -> None:
    assert [bullet.parent for bullet in scan("- a\n\nb\n\n  - c\n").bullets] == [-1, -1]
    assert [bullet.parent for bullet in scan("- a\n\n  b\n\n  - c\n").bullets] == [-1, 0]


# -- block ids ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("a ^x1", ["x1"]),
        ("- a ^x-1\n- b ^x2  \n", ["x-1", "x2"]),
        ("> a\n\n^q\n", ["q"]),
        ("> a ^q", ["q"]),
        ("a ^x\r\nb ^y\r", ["x", "y"]),
        ("a^x ^y z ^z_ ^é", []),
        ("`a ^x`", []),
        ("```\na ^x\n```", []),
        ("```\na\n```\n^x", ["x"]),
        ("$$\na\n$$\n^x", ["x"]),
        ("[[a#^x]]", []),
    ],
)
def test_block_ids_stand_at_the_end_of_a_line(text: str, ids: list[str]) -> None:
    assert [block.id for block in scan(text).blocks] == ids


# -- inline fields ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("key:: value", [("key", "value")]),
        ("- key:: value", [("key", "value")]),
        ("1. key:: value", [("key", "value")]),
        ("> key:: value", [("key", "value")]),
        ("## key:: value", [("key", "value")]),
        ("**Bold key**:: value", [("Bold key", "value")]),
        ("締切:: 12月5日", [("締切", "12月5日")]),
        ("due::", [("due", "")]),
        ("a [k:: v] b (j:: w)", [("k", "v"), ("j", "w")]),
        ("[k:: [[Plan]]]", [("k", "[[Plan]]")]),
        ("[k:: a [b] c]", [("k", "a [b] c")]),
        (r"[k:: \] x]", [("k", r"\] x")]),
        ("[k:: v](j:: w)", [("k", "v")]),
        ("[a [k:: v]]", [("k", "v")]),
        ("[k (x):: v]", []),
        ("key.sub:: v", []),
        ("https://x.y::z", []),
        ("std::move(x)", [("std", "move(x)")]),
        ("- [ ] due:: 1", []),
        ("- [ ] a\n  due:: 1", []),
        ("- [ ] a [due:: 1]", [("due", "1")]),
        ("`[k:: v]`", []),
        ("`a::b` text", []),
        ("```\nk:: v\n[k:: v]\n```\nj:: w", [("j", "w")]),
        ("<!-- k:: v -->", []),
        ("%% [k:: v] %%", [("k", "v")]),
        ("::v [:: w]", []),
        ("a:: b\r\nc:: d\r\n", [("a", "b"), ("c", "d")]),
    ],
)
def test_inline_fields_are_dataviews_but_not_in_code(text: str, fields: list[tuple[str, str]]) -> None:
    assert [(field.key, field.value) for field in scan(text).fields] == fields


def test_a_fields_span_is_the_bracket_or_the_line_from_its_key_on() -> None:
    text = "> x [k:: v] y\n> - key:: value  \n"
    assert [text[field.start : field.end] for field in scan(text).fields] == ["[k:: v]", "key:: value"]


# -- properties ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("yaml", "links"),
    [
        ('up: "[[Plan]]"', [("up", "p:Plan")]),
        ("up: '[[Plan#Scope|s]]'", [("up", "p:Plan#Scope|s")]),
        ('up: "![[map.png]]"', [("up", "p:!map.png")]),
        ('up: "see [[A]] or [[B]]"', [("up", "p:A"), ("up", "p:B")]),
        ('up:\n  - "[[A]]"\n  - text\n  - "[[B]]"', [("up", "p:A"), ("up", "p:B")]),
        ('up:\n- "[[A]]"', [("up", "p:A")]),
        ('up: ["[[A]]", \'[[B]]\', [c]]\nnext: "[[C]]"', [("up", "p:A"), ("up", "p:B"), ("next", "p:C")]),
        ('up: [\n  "[[A]]", # "[[no]]"\n  "[[B]]"\n]', [("up", "p:A"), ("up", "p:B")]),
        ('up: {a: "[[A]]"}', [("up", "p:A")]),
        ('up:\n  deep:\n    - "[[A]]"', [("up", "p:A")]),
        ('"my key": "[[A]]"', [("my key", "p:A")]),
        ('up: [[A]]\nn: see [[B]]\nm: it\'s [[C]] "[[D]]"', []),
        ('# "[[A]]"\nup: x # "[[B]]"', []),
        ('up: |\n  "[[A]]"\n\n  "[[B]]"\nq: "[[C]]"', [("q", "p:C")]),
        ('"[[k]]": "[[A]]"', [("[[k]]", "p:A")]),
        ('up: "[t](Plan.md)"', []),
        (r'up: "[[a\"b\\c|d\u00e9]]"', [("up", 'p:a"b\\c|dé')]),
        ("up: '[[it''s]]'", [("up", "p:it's")]),
        ('up: "[[a\n  b]]"\nq: "[[C]]"', [("q", "p:C")]),
        ('up: "[[never closed', []),
    ],
)
def test_property_links_stand_in_quoted_strings_only(yaml: str, links: list[tuple[str | None, str]]) -> None:
    assert _property_links(yaml) == links


def test_a_property_link_knows_its_line_and_spans() -> None:
    text = '\ufeff---\r\ntitle: x\r\nup:\r\n  - "[[Plan|p]]"\r\n---\r\n[[Goal]]'
    end = text.index("---", 5)
    first, second = scan(text, body=end + 5, property_block=(6, end), keys={"title": 2, "up": 3}).links
    assert (first.property, first.line, second.property, second.line) == ("up", 4, None, 6)
    assert text[first.start : first.end] == "[[Plan|p]]"
    assert text[first.target_start : first.target_end] == "Plan"


# -- large and hostile texts --------------------------------------------------------------------------------------------------------

_SIZE = 100_000
_MARKS = [
    "[",
    "[[",
    "]",
    "![",
    "[a](",
    "`",
    "$",
    "%%\n",
    "<!--\n",
    "<a b='",
    "#a ",
    "> ",
    "- ",
    "- a\n",
    "- ```\n",
    "a\n===\n",
    "> b\n",
    "\\",
    "\t",
    "\0",
    "\ud800",
    "::",
    "[a:: ",
]


@pytest.mark.parametrize("mark", _MARKS)
def test_a_hundred_thousand_marks_are_read(mark: str) -> None:
    text = (mark * _SIZE)[:_SIZE] + "\n\n[[last]]"
    assert scan(text).code or scan(text).links[-1].target == "last"


@pytest.mark.parametrize("blank", ["\n", "  \n", "\t\n", ">\n", "\r\n", "b\n\n", "  b\n\n"])
def test_a_hundred_thousand_lines_after_a_bullet_are_read(blank: str) -> None:
    text = "- a\n\n" + (blank * _SIZE)[:_SIZE] + "\n# End"
    assert [heading.text for heading in scan(text).headings] == ["End"]


@pytest.mark.parametrize("mark", ["`", "$", "[", ">", "#", " ", "~"])
def test_runs_of_growing_length_are_read(mark: str) -> None:
    text = " ".join(mark * length for length in range(1, 447)) + "\n\n[[last]]"
    assert [link.target for link in scan(text).links] == ["last"]


def test_a_drawing_in_one_line_is_no_text() -> None:
    data = '{"points":[[0,0],[1,2]],"text":"[[no]] #no $ `"},' * 10_000
    scanned = scan(f"# Drawing\n\n[[yes]]\n\n%%\n```json\n{data}\n```\n%%\n")
    assert [link.target for link in scanned.links] == ["yes"]
    assert scanned.tags == ()


def test_lists_and_quotes_nest_deeply() -> None:
    depth = 300
    lists = "".join("  " * level + "- a\n" for level in range(depth))
    assert [bullet.parent for bullet in scan(lists).bullets] == list(range(-1, depth - 1))
    quotes = "".join("> " * level + "- a\n" for level in range(1, depth))
    assert len(scan(quotes).bullets) == depth - 1


# -- the real engine's answers ------------------------------------------------------------------------------------------------------


def test_list_items_agree_with_what_dataview_was_given() -> None:
    pages, vault = _SHARED / "vectors" / "dql_pages.json", _SHARED / "vectors" / "dql_vault"
    if not pages.is_file():
        pytest.skip("../shared/vectors is not beside this checkout")
    for path, page in json.loads(pages.read_text(encoding="utf-8"))["pages"].items():
        text = (vault / path).read_bytes().decode()
        body = text.index("\n---\n", 3) + 5 if text.startswith("---\n") else 0
        bullets = scan(text, body=body).bullets
        mine = [(bullet.line - 1, bullet.status, bullet.text, bullet.end_line - bullet.line + 1) for bullet in bullets]
        theirs = [(item["line"], item.get("status"), item["text"].strip(), item["lineCount"]) for item in page["file"]["lists"]]
        assert mine == theirs, path
