"""The ways in which other tools have broken links, one named case each: facts §3 (once bugs of Obsidian itself) and §16 (complaints)."""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

import pytest

from vaultkit import graph
from vaultkit.graph import Snapshot
from vaultkit.text.edit import Move, hash_of, to_bytes, to_text
from vaultkit.text.note import parse_note


def nfd(text: str) -> str:
    return unicodedata.normalize("NFD", text)


class Case(NamedTuple):
    """Files, moves, and what some of them read afterwards; without moves: where the links of `x.md` lead."""

    files: dict[str, str]
    moves: dict[str, str] = {}  # noqa: RUF012 - never changed
    after: dict[str, str] = {}  # noqa: RUF012
    leads: list[str | None] | None = None


RENAME = {"Old.md": "New.md"}

PATTERNS = {
    # facts §3
    "text that only looks like the name is not rewritten": Case(
        {"Old.md": "", "x.md": "Old [[Older]] [[b/Old]] `[[Old]]` [[x|Old]]"},
        RENAME,
        {"x.md": "Old [[Older]] [[b/Old]] `[[Old]]` [[x|Old]]"},
    ),
    "embed mark, heading, block id and alias are kept": Case(
        {"Old.md": "", "x.md": "![[Old]] [[Old#H#I]] ![[Old#^b1]] [[Old#H|a]]"},
        RENAME,
        {"x.md": "![[New]] [[New#H#I]] ![[New#^b1]] [[New#H|a]]"},
    ),
    "a bare link that still resolves after a move is left alone": Case(
        {"a/Note.md": "", "x.md": "[[Note]]"}, {"a/Note.md": "b/Note.md"}, {"x.md": "[[Note]]"}
    ),
    "a markdown link gets its extension": Case({"Old.md": "", "x.md": "[t](Old)"}, RENAME, {"x.md": "[t](New.md)"}),
    "a markdown link whose text was the old name shows the new one": Case(
        {"Old.md": "", "x.md": "[Old](Old.md)"}, RENAME, {"x.md": "[New](New.md)"}
    ),
    "a link to a heading of the same note stays bare": Case({"Old.md": "[[#H]] [h](#H)"}, RENAME, {"New.md": "[[#H]] [h](#H)"}),
    "links in properties follow": Case(
        {"Old.md": "", "x.md": '---\nup: "[[Old|o]]"\n---\n'}, RENAME, {"x.md": '---\nup: "[[New|o]]"\n---\n'}
    ),
    "links in canvas cards follow": Case(
        {"Old.md": "", "c.canvas": '{"nodes": [{"type":"text","text":"a\\n[[Old]]"}]}'},
        RENAME,
        {"c.canvas": '{"nodes": [{"type":"text","text":"a\\n[[New]]"}]}'},
    ),
    "files of canvas nodes follow": Case(
        {"a/Old.md": "", "c.canvas": '{"nodes": [{"type":"file","file":"a/Old.md"}]}'},
        {"a/Old.md": "b/Old.md"},
        {"c.canvas": '{"nodes": [{"type":"file","file":"b/Old.md"}]}'},
    ),
    "the view of an embedded base is kept": Case(
        {"Old.base": "", "x.md": "![[Old.base#All books]]"}, {"Old.base": "New.base"}, {"x.md": "![[New.base#All books]]"}
    ),
    "the escaped bar of a table cell is kept": Case(
        {"Old.md": "", "x.md": "| [[Old\\|o]] | ![[Old\\|90]] |\n"}, RENAME, {"x.md": "| [[New\\|o]] | ![[New\\|90]] |\n"}
    ),
    "a dollar sign in a name is a dollar sign": Case(
        {"a$1.md": "", "x.md": "[[a$1]] [a](a$1.md)"}, {"a$1.md": "b$&.md"}, {"x.md": "[[b$&]] [a](b$&.md)"}
    ),
    "destinations in angle brackets keep them": Case(
        {"Old one.md": "", "x.md": "[t](<Old one.md#H>)"}, {"Old one.md": "New one.md"}, {"x.md": "[t](<New one.md#H>)"}
    ),
    "links that a duplicate would take over are lengthened": Case(
        {"long/Plan.md": "", "b/Old.md": "", "x.md": "[[Plan]]"}, {"b/Old.md": "b/Plan.md"}, {"x.md": "[[long/Plan]]"}
    ),
    "the moved note's relative links are computed anew": Case(
        {"a/x.md": "[[./y]] [y](../z.md)", "a/y.md": "", "z.md": ""}, {"a/x.md": "b/c/x.md"}, {"b/c/x.md": "[[../../a/y]] [y](../../z.md)"}
    ),
    "a case-only rename moves the file and leaves links alone": Case(
        {"note.md": "[[NOTE]]", "x.md": "[[note]]"}, {"note.md": "Note.md"}, {"Note.md": "[[NOTE]]", "x.md": "[[note]]"}
    ),
    # facts §16
    "5 a move breaks no link": Case(
        {"a/N.md": "", "x.md": "[[a/N]] [[/a/N]] [n](a/N.md)"}, {"a/N.md": "b/M.md"}, {"x.md": "[[b/M]] [[/b/M]] [n](b/M.md)"}
    ),
    "10 33 composed and decomposed names are one note": Case(
        {nfd("プロジェクト.md"): "", "x.md": f"[[プロジェクト]] [[{nfd('プロジェクト')}]]"}, leads=[nfd("プロジェクト.md")] * 2
    ),
    "13 markdown links are updated too": Case(
        {"Old.md": "", "x.md": "[a](Old.md) ![](Old.md)"}, RENAME, {"x.md": "[a](New.md) ![](New.md)"}
    ),
    "14 accented links match": Case({nfd("Café.md"): "", "x.md": "[[Café]] [c](Caf%C3%A9.md)"}, leads=[nfd("Café.md")] * 2),
    "15 anchors and folders in links resolve": Case(
        {"a/b/N.md": "", "x.md": "[[b/N#H]] [n](a/b/N.md#H) [[N#^id]]"}, leads=["a/b/N.md"] * 3
    ),
    "16 27 an alias resolves nothing, a shown alias is only text": Case(
        {"N.md": "---\naliases: [Al]\n---\n", "x.md": "[[Al]] [[N|Al]]"}, leads=[None, "N.md"]
    ),
    "17 parentheses and hashes in names": Case(
        {"a (b).md": "", "c#d.md": "", "x.md": "[p](a%20(b).md) [p](<a (b).md>) [h](c%23d.md)"}, leads=["a (b).md", "a (b).md", "c#d.md"]
    ),
    "17 Japanese notes have backlinks": Case({"計画.md": "", "x.md": "[[計画]]を見る。[計](計画.md)"}, leads=["計画.md"] * 2),
    "32 a duplicate name makes no third note": Case({"a/N.md": "", "b/N.md": "", "b/x.md": "", "x.md": "[[N]]"}, leads=["a/N.md"]),
    "36 images, canvases and escaped bars are not broken": Case(
        {"i/p.png": "", "b.canvas": "{}", "N.md": "", "x.md": "![[p.png]] ![[b.canvas]]\n\n| [[N\\|n]] | ![[p.png\\|9]] |\n"},
        leads=["i/p.png", "b.canvas", "N.md", "i/p.png"],
    ),
}


@pytest.mark.parametrize("case", PATTERNS.values(), ids=PATTERNS)
def test_pattern(case: Case) -> None:
    notes = {path: parse_note(path, text, hash=hash_of(text.encode())) for path, text in case.files.items() if path.endswith(".md")}
    snapshot = Snapshot(notes, frozenset(case.files), {path: text for path, text in case.files.items() if path.endswith(".canvas")})
    if case.leads is not None:
        assert [edge.target.path for edge in graph.edges_from(snapshot, "x.md")] == case.leads
        return
    after = dict(case.files)
    for edit in graph.plan_move(snapshot, case.moves, case.files.__getitem__):
        assert edit.path in case.files
        text = after.pop(edit.path)
        data = getattr(edit, "data", None)
        after[edit.to if isinstance(edit, Move) else edit.path] = text if data is None else to_text(data)
    assert {path: after[path] for path in case.after} == case.after


def test_1_31_an_edit_computed_from_an_older_text_carries_that_text_s_hash() -> None:
    snapshot = Snapshot(
        {path: parse_note(path, text) for path, text in {"Old.md": "", "x.md": "[[Old]]"}.items()}, frozenset({"Old.md", "x.md"}), {}
    )
    texts = {"Old.md": "", "x.md": "typed meanwhile [[Old]]"}
    edits = graph.plan_move(snapshot, RENAME, texts.__getitem__)
    assert [getattr(edit, "expected", "") for edit in edits] == [hash_of(to_bytes(texts[edit.path])) for edit in edits]
    assert to_text(getattr(edits[1], "data", b"")) == "typed meanwhile [[New]]"
