"""Any vault, any moves: afterwards every link means the file it meant, and nothing but link targets has changed."""

from __future__ import annotations

import json
import unicodedata
from unittest.mock import ANY

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from vaultkit import graph
from vaultkit.errors import ConflictError, RefusedError, UnsafeNameError
from vaultkit.graph import Resolver, Snapshot, read_canvas
from vaultkit.text.edit import Move, Rewrite, hash_of, to_bytes, to_text
from vaultkit.text.markdown import Link
from vaultkit.text.note import parse_note

Files = dict[str, str]

FOLDERS = ["", "a/", "A/", "a/b/", "b/", "日本/", "C#/", "a's/", unicodedata.normalize("NFD", "ガ/")]
NAMES = [
    "Note",
    "note",
    "Plan",
    "計画",
    "ガイド",
    unicodedata.normalize("NFD", "ガイド"),
    "v1.2",
    "a $1",
    "x'y",
    "Two words",
    "p (1)",
    "50%25",
    "🗂",
]
EXTENSIONS = [".md", ".md", ".md", ".png", ".canvas"]

paths = st.builds("{}{}{}".format, st.sampled_from(FOLDERS), st.sampled_from(NAMES), st.sampled_from(EXTENSIONS))
targets = st.one_of(
    paths,
    paths.map(lambda path: path.removesuffix(".md")),
    paths.map(lambda path: path.removesuffix(".md").rpartition("/")[2]),
    paths.map(lambda path: path.rpartition("/")[2].upper()),
    paths.map(lambda path: f"./{path.rpartition('/')[2]}"),
    paths.map(lambda path: f"../{path}"),
    paths.map(lambda path: f"/{path}"),
    st.just(""),
)
subpaths = st.sampled_from(["", "", "#H", "#^id", "#A#B"])


def wikilink(target: str, subpath: str, shown: str) -> str:
    return f"[[{target.replace('#', '')}{subpath}{shown}]]"


def destination(target: str, style: int) -> str:
    escaped = target.replace("%", "%25").replace("#", "%23")
    return f"<{escaped}>" if style == 0 else escaped.replace(" ", "%20").replace("(", "%28").replace(")", "%29")


wikilinks = st.builds(wikilink, targets, subpaths, st.sampled_from(["", "|shown", "|100"]))
markdown = st.builds(
    lambda target, sub, style: f"[shown]({destination(target, style)}{sub.replace('#A#B', '#A')})", targets, subpaths, st.integers(0, 1)
)
pieces = st.one_of(
    wikilinks,
    wikilinks.map(lambda link: f"!{link}"),
    wikilinks.map(lambda link: f"`{link}`"),
    wikilinks.map(lambda link: f"| a | {link.replace('|', chr(92) + '|')} |"),
    markdown,
    st.sampled_from(["text", "日本語。", "\r\n", "\n\n", "%% c %%", "- [ ] t", "#tag", "> q", "<!-- [[Note]] -->", "$x$"]),
)


@st.composite
def notes(draw: st.DrawFn) -> str:
    quoted = draw(st.lists(wikilinks, max_size=2))
    rows = [f'  - "{link}"' if index else f"  - '{link.replace(chr(39), chr(39) * 2)}'" for index, link in enumerate(quoted)]
    head = "\n".join(["---", "see:", *rows, "---", ""]) if rows else ""
    return head + "".join(f"{piece}{draw(st.sampled_from([' ', chr(10)]))}" for piece in draw(st.lists(pieces, max_size=6)))


@st.composite
def boards(draw: st.DrawFn) -> str:
    nodes = [{"type": "file", "file": draw(paths)}, {"type": "text", "text": draw(notes())}, {"type": "group", "background": draw(paths)}]
    return json.dumps({"nodes": nodes}, ensure_ascii=draw(st.booleans()), indent=draw(st.sampled_from([None, 2])))


@st.composite
def vaults(draw: st.DrawFn) -> Files:
    return {
        path: draw(notes() if path.endswith(".md") else boards() if path.endswith(".canvas") else st.just("\0"))
        for path in draw(st.lists(paths, min_size=2, max_size=7, unique=True))
    }


def snapshot_of(files: Files) -> Snapshot:
    found = {path: parse_note(path, text, hash=hash_of(to_bytes(text))) for path, text in files.items() if path.endswith(".md")}
    return Snapshot(found, frozenset(files), {path: text for path, text in files.items() if path.endswith(".canvas")})


def what(link: Link) -> tuple[object, ...]:
    """All of a link but its target and its place."""
    return link.subpath, link.display, link.embed, link.syntax, link.property, link.comment


def without_targets(path: str, text: str) -> tuple[str, list[str]]:
    """A file's text with every link target cut out, and what was cut."""
    if path.endswith(".canvas"):
        canvas = read_canvas(text)
        cards = [cut(node.value, node.links) if node.kind == "text" else ("", [node.value]) for node in canvas.nodes]
        outside = graph.canvas.replaced(text, [(node.start, node.end, "~") for node in canvas.nodes])
        return outside + json.dumps([card[0] for card in cards]), [target for card in cards for target in card[1]]
    return cut(text, parse_note(path, text).links) if path.endswith(".md") else (text, [])


def cut(text: str, links: tuple[Link, ...]) -> tuple[str, list[str]]:
    spans = [(link.target_start, link.target_end) for link in links if not link.comment]
    return graph.canvas.replaced(text, [(*span, "~") for span in spans]), [text[start:end] for start, end in spans]


@settings(deadline=None, max_examples=200)
@given(vaults(), st.data())
def test_a_move_keeps_every_meaning_and_every_other_byte(files: Files, data: st.DataObject) -> None:
    before = snapshot_of(files)
    old = data.draw(st.lists(st.sampled_from(sorted(files)), min_size=1, max_size=3, unique=True))
    moves = {path: data.draw(paths).rpartition(".")[0] + path[path.rindex(".") :] for path in old}
    try:
        edits = graph.plan_move(before, moves, files.__getitem__)
    except (ConflictError, UnsafeNameError):
        assume(False)
    except RefusedError as error:
        if "C#/" not in error.message:  # what a wikilink cannot say is the only reason to refuse
            raise
        assume(False)
    after = dict(files)
    for edit in edits:
        assert isinstance(edit, Move | Rewrite)
        assert edit.expected == hash_of(to_bytes(files[edit.path]))
        text = after.pop(edit.path)
        after[edit.to if isinstance(edit, Move) else edit.path] = text if edit.data is None else to_text(edit.data)
        assert edit.data is None or to_text(edit.data) != text
    moves = {path: to for path, to in moves.items() if path != to}
    assert set(after) == {moves.get(path, path) for path in files}
    assert [edit.path for edit in edits if isinstance(edit, Move)] == sorted(moves, key=[edit.path for edit in edits].index)

    changed = snapshot_of(after)
    resolver = graph.resolver_of(changed)
    for path, text in files.items():
        here = moves.get(path, path)
        outside, targets = without_targets(path, text)
        assert without_targets(here, after[here]) == (outside, [ANY] * len(targets))
        for was, now in zip(graph.edges_from(before, path), graph.edges_from(changed, here), strict=True):
            if was.target.path is None:
                continue
            meant = moves.get(was.target.path, was.target.path)
            assert now.target.path == meant
            assert what(now.link) == what(was.link)
            if not was.exact and resolver.resolve(was.link.target, here) == (meant, (), False):
                assert now.link.target == was.link.target  # what still means its file is left as it was


@settings(deadline=None, max_examples=50)
@given(vaults())
def test_a_move_to_where_a_file_already_is_edits_nothing(files: Files) -> None:
    assert graph.plan_move(snapshot_of(files), {path: path for path in files}, files.__getitem__) == []


@settings(deadline=None, max_examples=60)
@given(st.lists(paths, min_size=1, max_size=12, unique=True), paths, st.sampled_from(["shortest", "relative", "absolute"]))
def test_a_written_link_leads_to_its_file(files: list[str], source: str, style: str) -> None:
    resolver = Resolver(files)
    for path in files:
        assert resolver.resolve(resolver.link_text(path, source, style=style), source).path == path


@settings(deadline=None, max_examples=60)
@given(st.lists(paths, min_size=1, max_size=12, unique=True), targets, paths)
def test_resolution_does_not_depend_on_the_order_of_files_or_of_questions(files: list[str], target: str, source: str) -> None:
    backwards = Resolver(reversed(files))
    for path in files:
        backwards.resolve(path, source)
    assert Resolver(files).resolve(target, source) == backwards.resolve(target, source)


@settings(deadline=None, max_examples=60)
@given(st.lists(paths, min_size=1, max_size=8, unique=True), paths, targets, paths)
def test_a_resolver_with_one_more_file_answers_like_a_new_one(files: list[str], new: str, target: str, source: str) -> None:
    assert Resolver(files).with_file(new).resolve(target, source) == Resolver({*files, new}).resolve(target, source)


@settings(deadline=None, max_examples=60)
@given(st.text(alphabet='{}[]",:\\ nodestyp"x1', max_size=80))
def test_any_text_can_be_read_as_a_canvas(text: str) -> None:
    canvas = read_canvas(text)
    assert all(json.loads(text[node.start : node.end]) == node.value for node in canvas.nodes)


@settings(deadline=None, max_examples=60)
@given(boards())
def test_canvas_literals_stand_where_the_reader_says(text: str) -> None:
    canvas = read_canvas(text)
    assert [json.loads(text[node.start : node.end]) for node in canvas.nodes] == [node.value for node in canvas.nodes]
    assert len(canvas.nodes) == sum(1 for node in json.loads(text)["nodes"] for key in ("file", "text", "background") if node.get(key))
