"""What must hold for any text at all: the scanner never raises, its offsets point at what it reports, and line ends do not change meaning."""

from __future__ import annotations

import re

from hypothesis import example, given, settings
from hypothesis import strategies as st

from vaultkit.text.markdown import Block, Bullet, Heading, InlineField, Link, Markdown, Tag, scan

# Pieces that mean something to the scanner, so that random texts hit its branches; and any character at all, lone surrogates included.
_PIECES = st.sampled_from(
    [
        "[[",
        "]]",
        "[",
        "]",
        "![[",
        "(",
        ")",
        "](a)",
        "](<a",
        "b>)",
        "`",
        "``",
        "```",
        "~~~",
        "$",
        "$$",
        "<!--",
        "-->",
        "%%",
        "#",
        "##",
        "#tag",
        "#1",
        "^id",
        "::",
        "[k::",
        "v]",
        ">",
        "-",
        "*",
        "1.",
        "2)",
        "[x]",
        "|",
        "\\",
        "\\|",
        "=",
        "---",
        "===",
        "***",
        "a",
        "b",
        "あ",
        "1",
        "<b",
        "c='d'>",
        "%20",
        ".",
        "!",
        '"',
        "'",
        ":",
        "~",
        "{",
    ]
)
_BLANKS = st.sampled_from(["\n", "\n\n", "\n    ", "\n> ", "\n- ", "\n  - ", "\n1. ", " ", "  ", "\t", "\n\t", "\u2028", "\u3000"])
_ANY = st.text(st.characters(codec=None, exclude_categories=()), max_size=3)
_TEXT = st.lists(st.one_of(_PIECES, _BLANKS, _BLANKS, _ANY), max_size=40).map("".join)
_ONE_LINE_END = _TEXT.map(lambda text: text.replace("\r", ""))
_LINE_END = re.compile(r"\r\n|\n|\r")
_QUICK = settings(deadline=None, max_examples=300)


@_QUICK
@given(_TEXT)
@example("\ufeff# T\r\n[[a]]\r- [x] b ^c\r\n")
@example("\ufeff[[a]]\n---")
@example("-\n```\n[[a]]")
def test_every_offset_points_at_what_is_reported(text: str) -> None:
    scanned = scan(text)
    for link in scanned.links:
        if link.syntax == "wikilink":
            assert text[link.start : link.end].startswith("![[" if link.embed else "[[")
            assert text[link.start : link.end].endswith("]]")
            assert text[link.target_start : link.target_end] == link.target
        else:
            assert text[link.start : link.end].startswith("![" if link.embed else "[")
            assert text[link.start : link.end].endswith(")")
        assert link.start < link.target_start <= link.target_end < link.end
        assert link.target or link.subpath
    for tag in scanned.tags:
        assert text[tag.start : tag.start + len(tag.name) + 1] == "#" + tag.name
    for block in scanned.blocks:
        assert text[block.start : block.start + len(block.id) + 1] == "^" + block.id
    for field in scanned.fields:
        assert field.key
        assert field.key in text[field.start : field.end]
        assert field.value in text[field.start : field.end]
    for heading in scanned.headings:
        assert heading.text.split("\n")[0] in text[heading.start : heading.body]
        assert heading.start < heading.body <= heading.section_end <= len(text)
    for place, bullet in enumerate(scanned.bullets):
        assert bullet.text.split("\n")[0] in text[bullet.start : bullet.end]
        assert not text[bullet.start : bullet.end].endswith(("\n", "\r"))
        assert -1 <= bullet.parent < place
        assert -1 <= bullet.heading < len(scanned.headings)
    for start, end in scanned.code:
        assert text[start:end].lstrip(" \t>").startswith(("`", "~", "$", "<!--"))


@_QUICK
@given(_TEXT)
@example("[\n![a](b)](c)\n[[d]]")
def test_every_line_number_counts_the_line_ends_before_it(text: str) -> None:
    scanned = scan(text)
    ends = [found.end() for found in _LINE_END.finditer(text)]

    def line_of(offset: int) -> int:
        return 1 + sum(end <= offset for end in ends)

    items: list[Heading | Link | Tag | Block | Bullet | InlineField] = [*scanned.headings, *scanned.links, *scanned.tags]
    for item in [*items, *scanned.blocks, *scanned.bullets, *scanned.fields]:
        assert item.line == line_of(item.start), item
    for bullet in scanned.bullets:
        assert bullet.end_line == line_of(bullet.end), bullet


@_QUICK
@given(_TEXT)
def test_results_come_in_document_order_and_code_spans_do_not_overlap(text: str) -> None:
    scanned = scan(text)
    for items in (scanned.headings, scanned.tags, scanned.blocks, scanned.bullets, scanned.fields):
        starts = [item.start for item in items]
        assert starts == sorted(starts)
    ends = [link.end for link in scanned.links]
    assert ends == sorted(ends)
    flat = [offset for span in scanned.code for offset in span]
    assert flat == sorted(flat)


@_QUICK
@given(_TEXT)
def test_nothing_but_its_bullets_own_text_is_found_in_code(text: str) -> None:
    scanned = scan(text)
    comments = [span for span in scanned.code if text.startswith("<!--", span[0])]
    items: list[Link | Tag | Block] = [*scanned.links, *scanned.tags, *scanned.blocks]
    for item in items:
        spans = comments if isinstance(item, Link) and not item.comment else scanned.code
        inside = any(start <= item.start < end for start, end in spans)
        assert inside == (isinstance(item, Link) and item.comment)


@_QUICK
@given(_ONE_LINE_END)
@example("- a\n\n  b\n")
@example("a `b\nc` [[d]]\n")
def test_windows_line_ends_change_offsets_only(text: str) -> None:
    assert _without_offsets(scan(text)) == _without_offsets(scan(text.replace("\n", "\r\n")))
    assert _without_offsets(scan(text)) == _without_offsets(scan(text.replace("\n", "\r")))


@_QUICK
@given(_TEXT.filter(lambda text: not text.startswith("\ufeff")))
def test_a_paragraph_in_front_moves_everything_and_changes_nothing(text: str) -> None:
    before, after = scan(text), scan("first\n\n" + text)
    assert _without_offsets(before, lines=2) == _without_offsets(after)
    assert [(link.start + 7, link.end + 7) for link in before.links] == [(link.start, link.end) for link in after.links]


@_QUICK
@given(_TEXT)
def test_the_body_starts_where_the_frontmatter_ends(text: str) -> None:
    head = "---\na: b\n---\n"
    whole, alone = scan(head + text, body=len(head)), scan(text)
    if not text.startswith("\ufeff"):  # it means something at the start of a file only
        assert _without_offsets(whole) == _without_offsets(alone, lines=3)


@_QUICK
@given(_TEXT)
def test_a_fence_hides_all_that_it_holds(text: str) -> None:
    longest = max((len(run) for run in re.findall("~+", text)), default=0)
    fence = "~" * max(3, longest + 1)
    scanned = scan(f"{fence}\n{text}\n{fence}\n[[after]]")
    assert [link.target for link in scanned.links] == ["after"]
    assert (scanned.headings, scanned.tags, scanned.blocks, scanned.bullets, scanned.fields) == ((), (), (), (), ())


@_QUICK
@given(_TEXT)
def test_property_links_point_at_themselves(text: str) -> None:
    inner = text.replace("---", "")
    whole = f'---\nup: "[[first]]"\n{inner}\n---\n'
    scanned = scan(whole, body=len(whole), property_block=(4, len(whole) - 4))
    assert scanned.links[0].target == "first"
    for link in scanned.links:
        assert link.syntax == "property"
        assert whole[link.start : link.end].startswith("![[" if link.embed else "[[")
        assert whole[link.start : link.end].endswith("]]")
        assert 4 <= link.start < link.end <= len(whole) - 4


def _without_offsets(scanned: Markdown, *, lines: int = 0) -> list[object]:
    """What was found, each with its line moved by *lines*, but without offsets."""
    return [
        [(heading.level, heading.text, heading.line + lines) for heading in scanned.headings],
        [(*link[:5], link.line + lines, *link[10:]) for link in scanned.links],
        [(tag.name, tag.line + lines) for tag in scanned.tags],
        [(block.id, block.line + lines) for block in scanned.blocks],
        [(b.text, b.line + lines, b.end_line + lines, b.indent, b.heading, b.status, b.parent) for b in scanned.bullets],
        [(field.key, field.value, field.line + lines) for field in scanned.fields],
        len(scanned.code),
    ]
