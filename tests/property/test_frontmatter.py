from __future__ import annotations

from contextlib import suppress

from hypothesis import example, given, settings
from hypothesis import strategies as st

from vaultkit.errors import FrontmatterEditError
from vaultkit.text.frontmatter import DELETE, Change, _Delete, edit, find_block, read, render
from vaultkit.text.values import Value, same

# Pieces that mean something in YAML, Markdown or Tasks, and some that only look so.
PIECES = [
    *"abn019-+.:,#&*!|>'\"%@`?=~[]{}()\\ \t",
    *("日本", "締切", "📅 2026-12-05", "🆔 k3f9a1", "é", "\u3000", "\u2028", "\x85", "\ufeff", "\r", "\x00", "\x1f"),
    *("yes", "No", "null", "true", "12:30", "0123", "1e3", ".inf", ".nan", "2026-11-30", "2026-11-30T10:00"),
    *(": ", " #", "# ", "- ", "--- ", "...", "[[Note]]", "{{date}}", "<<", "&a ", "*a", "!t ", "\n", "\n\n", "\n  "),
]
TEXTS = st.one_of(st.lists(st.sampled_from(PIECES), max_size=6).map("".join), st.text(max_size=8))
STORABLE = TEXTS.map(lambda text: "".join("?" if 0xD800 <= ord(char) <= 0xDFFF else char for char in text))
SCALARS: st.SearchStrategy[Value] = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), STORABLE)
VALUES: st.SearchStrategy[Value] = st.recursive(
    SCALARS, lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(STORABLE, inner, max_size=3)), max_leaves=8
)


@settings(deadline=None, max_examples=150)
@given(st.dictionaries(STORABLE, VALUES, max_size=4))
def test_what_is_rendered_reads_back(values: dict[str, Value]) -> None:
    found = read(render(values) + "body")
    assert found.problem is None
    assert same(found.values, values)
    assert list(found.values) == list(values)


# Values as people, plugins and other programs write them: what stands behind the key, and further lines.
WRITTEN = st.sampled_from(
    [
        "",
        " x",
        "   x y   # why",
        " 'it''s' # c",
        ' "a\\nb"',
        " 2026-11-30",
        " yes",
        " # empty",
        " []",
        " [a, 'b' ,c]  # c",
        " [a, # one\n  b # two\n  ]",
        " {a: 1, b: [2]}",
        "\n  - a\n  - 'b' # c\n\n  # about c\n  - \"c\"",
        "\n- a\n-   b\n- |\n  long\n\n  text\n- c: d\n  e: f",
        "\n    - - a\n      - b\n    - {c: d}\n    -",
        "\n  a: 1\n  b:\n    - 2\n    # inner\n    - 3",
        " |\n  one\n   two\n\n  # no comment",
        " |+ # c\n  one\n\n",
        " >-\n  one\n  two",
        " one\n  two\n  three # c",
        ' "one\n\n  two" # c',
        "\n  x # c",
        " !foo x",
        " 日本語 📅",
        " &anchor x",
        " !!str\n  12",
    ]
)
KEYS = st.sampled_from(["a", "due-date", "with space", "締切", "'quoted'", '"double"', "12", "content", "x.y", "b "])
BETWEEN = st.sampled_from(["", "", "", "# comment\n", "\n", " # indented comment\n", "# one\n\n# two\n"])
BODIES = st.sampled_from(["", "body", "body\n", "\n---\nx: 1\n---\n", "# H\r\n\r\n- [ ] t\r\n", "\udc83 not UTF-8\n"])
NEW: st.SearchStrategy[Change] = st.one_of(VALUES, st.just(DELETE), st.lists(STORABLE, max_size=4).map(lambda items: [*items]))
Chunks = list[tuple[str, str]]  # "" or the key as written, and its text


@st.composite
def blocks(draw: st.DrawFn) -> Chunks:
    """The lines of a block, property by property, with what stands between them."""
    chunks: Chunks = [("", draw(BETWEEN))]
    for key in draw(st.lists(KEYS, unique=True, min_size=1, max_size=5)):
        written, between = draw(WRITTEN), draw(BETWEEN)
        chunks += [(key, f"{key}:{written}\n"), ("", between if "|+" not in written else "")]  # else the blank lines are its value
    return chunks


@settings(deadline=None, max_examples=250)
@given(blocks(), BODIES, st.sampled_from(["\n", "\r\n"]), st.sampled_from(["", "\ufeff"]), st.data())
def test_an_edit_changes_the_lines_of_its_property_and_nothing_else(
    chunks: Chunks, body: str, newline: str, bom: str, data: st.DataObject
) -> None:
    chunks = [(key, text.replace("\n", newline)) for key, text in chunks]
    fence = f"---{newline}"
    text = f"{bom}{fence}{''.join(chunk for _, chunk in chunks)}{fence}{body}"
    before = read(text)
    assert before.readable
    at = data.draw(st.sampled_from([index for index, (key, _) in enumerate(chunks) if key]), label="which")
    name = chunks[at][0].strip("'\" ")
    new = data.draw(NEW, label="new")
    with suppress(FrontmatterEditError):
        after = edit(text, {name: new})
        head = f"{bom}{fence}{''.join(chunk for _, chunk in chunks[:at])}"
        tail = f"{''.join(chunk for _, chunk in chunks[at + 1 :])}{fence}{body}"
        assert after.startswith(head)
        assert after.endswith(tail)
        assert_changed(before.values, after, {name: new})
        return
    # Refused: blank lines behind a deleted property would become part of a `|+` text before it.
    assert "|+" in text


def assert_changed(before: dict[str, Value], text: str, changes: dict[str, Change]) -> None:
    expected = dict(before)
    for key, change in changes.items():
        if isinstance(change, _Delete):
            expected.pop(key, None)
        else:
            expected[key] = change
    assert same(read(text).values, expected)


@settings(deadline=None, max_examples=150)
@given(blocks(), BODIES, st.sampled_from(["\n", "\r\n"]), st.dictionaries(STORABLE, VALUES, max_size=3), st.lists(STORABLE, max_size=3))
def test_new_properties_are_added_lines(chunks: Chunks, body: str, newline: str, new: dict[str, Value], order: list[str]) -> None:
    text = f"---\n{''.join(chunk for _, chunk in chunks)}---\n{body}".replace("\n", newline)
    before = read(text)
    new = {key: value for key, value in new.items() if key not in before.values}
    after = edit(text, new, order=order)
    assert_changed(before.values, after, {**new})
    kept = iter(after.split("\n"))
    assert all(line in kept for line in text.split("\n"))  # every old line, in order


ITEMS = ["- a", '- "b" # c', "- 'c'", "- [d]", "- e: f\n    g: h", "- |\n    i", "- 日本 # j", "-   k"]


@settings(deadline=None, max_examples=150)
@given(st.lists(st.sampled_from(ITEMS), min_size=1, unique=True), st.data())
def test_the_items_of_a_list_that_stay_keep_their_lines(items: list[str], data: st.DataObject) -> None:
    text = "---\nk: # c\n" + "".join(f"  # about {n}\n  {item}\n" for n, item in enumerate(items)) + "---\n"
    old = read(text).values["k"]
    assert isinstance(old, list)
    kept = data.draw(st.lists(st.booleans(), min_size=len(items), max_size=len(items)), label="kept")
    added = data.draw(st.lists(STORABLE.filter(lambda item: item not in old), max_size=2), label="added")
    where = data.draw(st.integers(0, sum(kept)), label="where")
    new = [value for value, keep in zip(old, kept, strict=True) if keep]
    new[where:where] = added
    after = edit(text, {"k": new})
    assert same(read(after).values["k"], new)
    if not new:
        return
    lines = after.split("\n")
    assert lines[1] == "k: # c"
    assert all(f"  # about {n}" in lines for n in range(len(items)))
    rest = iter(lines)
    assert all(line in rest for item, keep in zip(items, kept, strict=True) if keep for line in f"  {item}".split("\n"))


@settings(deadline=None, max_examples=250)
@given(
    st.lists(st.sampled_from([*PIECES, "a: ", "b: ", "\n- ", "\n  - ", "\na: ", "\nb: ", "\r\n", "\n---\n"]), max_size=14).map("".join), NEW
)
@example("a: 1\n...\n", 1)
@example("  a: 1\n", DELETE)
@example("? a\n: b\n", 1)
@example("a:\n\n\n", [1])
@example("{a: 1}\n", 2)
@example("--- {a: 1}\n", 2)
@example("%YAML 1.2\n", 2)
@example("!!map\na: 1\n", [2])
def test_any_text_is_edited_rightly_or_refused(inner: str, new: Change) -> None:
    text = f"---\n{inner}\n---\nbody: \r\n"
    before = read(text)
    block = find_block(text)
    assert block is not None
    assert before.readable or before.values == {}
    for key in ("a", "b"):
        with suppress(FrontmatterEditError):
            after = edit(text, {key: new})
            assert before.readable
            assert after.endswith(text[block.inner_end :])
            assert_changed(before.values, after, {key: new})


@settings(deadline=None, max_examples=100)
@given(st.text(max_size=30), st.dictionaries(STORABLE, VALUES, min_size=1, max_size=2))
def test_any_note_without_a_block_gains_one(text: str, new: dict[str, Value]) -> None:
    if find_block(text) is not None:
        return
    after = edit(text, {**new})
    assert same(read(after).values, new)
    block = find_block(after)
    assert block is not None
    assert after[: block.start] + after[block.end :] == text


@settings(deadline=None, max_examples=150)
@given(st.text(max_size=40))
def test_reading_never_raises(text: str) -> None:
    read(text)
    read(f"---\n{text}\n---\n")
    read(f"\ufeff---\r\n{text}\r\n---")
