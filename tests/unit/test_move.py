"""What a move rewrites and, above all, what it leaves alone. Rules: facts §3; the complaints of facts §16 that concern links."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest

from vaultkit import graph
from vaultkit.errors import ConflictError, NoteExistsError, NoteNotFoundError, OutsideVaultError, RefusedError, UnsafeNameError
from vaultkit.graph import Snapshot
from vaultkit.text.edit import Edit, Move, Rewrite, hash_of, to_bytes, to_text
from vaultkit.text.note import parse_note

Files = dict[str, str]
REAL_VAULTS = Path(__file__).parents[2].parent / "shared" / "vaults"


def vault(files: Files) -> Snapshot:
    notes = {path: parse_note(path, text, hash=hash_of(to_bytes(text))) for path, text in files.items() if path.endswith(".md")}
    return Snapshot(notes, frozenset(files), {path: text for path, text in files.items() if path.endswith(".canvas")})


def plan(files: Files, moves: dict[str, str]) -> list[Edit]:
    return graph.plan_move(vault(files), moves, files.__getitem__)


def moved(files: Files, moves: dict[str, str]) -> Files:
    """The vault after the move, every precondition checked as a store would."""
    after = dict(files)
    edits = plan(files, moves)
    for edit in edits:
        assert isinstance(edit, Move | Rewrite)
        assert edit.expected == hash_of(to_bytes(files[edit.path]))
        if isinstance(edit, Move):
            assert edit.to not in after or edit.to.lower() == edit.path.lower()
            text = after.pop(edit.path)
            after[edit.to] = text if edit.data is None else to_text(edit.data)
        else:
            after[edit.path] = to_text(edit.data)
    return after


def rewritten(text: str, *, old: str = "Old.md", new: str = "New.md", others: Files | None = None, source: str = "x.md") -> str:
    """What becomes of the text of the note *source* when *old* is moved to *new*."""
    return moved({old: "", source: text, **(others or {})}, {old: new})[source]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("see [[Old]].", "see [[New]]."),
        ("![[Old]]", "![[New]]"),
        ("[[Old#A heading]]", "[[New#A heading]]"),
        ("[[Old#A#B]]", "[[New#A#B]]"),
        ("[[Old#^a1b2]]", "[[New#^a1b2]]"),
        ("![[Old#^a1b2]]", "![[New#^a1b2]]"),
        ("[[Old|shown]]", "[[New|shown]]"),
        ("[[Old|Old]]", "[[New|Old]]"),
        ("[[Old#H|shown]]", "[[New#H|shown]]"),
        ("[[ Old ]]", "[[ New ]]"),
        ("[[OLD.md]]", "[[New.md]]"),
        (
            "| a | b |\n|---|---|\n| [[Old\\|shown]] | ![[Old#H\\|100]] |\n",
            "| a | b |\n|---|---|\n| [[New\\|shown]] | ![[New#H\\|100]] |\n",
        ),
        ("[shown](Old.md)", "[shown](New.md)"),
        ("[shown](Old)", "[shown](New.md)"),
        ("[shown](Old.md#A%20heading)", "[shown](New.md#A%20heading)"),
        ("[shown](<Old.md>)", "[shown](<New.md>)"),
        ('[shown](Old.md "a title")', '[shown](New.md "a title")'),
        ("![shown|100](Old.md)", "![shown|100](New.md)"),
        ("[Old](Old.md)", "[New](New.md)"),
        ("[Old.md](Old.md)", "[New.md](New.md)"),
        ("- [ ] task [[Old]] 📅 2026-12-05", "- [ ] task [[New]] 📅 2026-12-05"),
        ("> [!note] [[Old]]\n> [[Old]]", "> [!note] [[New]]\n> [[New]]"),
        ("key:: [[Old]]", "key:: [[New]]"),
        ("# See [[Old]]", "# See [[New]]"),
        ("a[^1]\n\n[^1]: [[Old]]", "a[^1]\n\n[^1]: [[New]]"),
        ("%% [[Old]] %%", "%% [[New]] %%"),
        ("[[Old]] [[Old]]", "[[New]] [[New]]"),
        ("[[Old]]\r\n[[Old]]\r\n", "[[New]]\r\n[[New]]\r\n"),
        ("\ufeff[[Old]]", "\ufeff[[New]]"),
    ],
)
def test_a_rename_changes_the_target_and_nothing_around_it(before: str, after: str) -> None:
    assert rewritten(before) == after


@pytest.mark.parametrize(
    "text",
    [
        "`[[Old]]`",
        "```\n[[Old]]\n```",
        "> ```\n> [[Old]]\n> ```",
        "$[[Old]]$",
        "<!-- [[Old]] -->",
        "\\[[Old]]",
        "[[Older]] [[Olds/Old]] [[#Old]] [[Other|Old]] Old",
        "[Old](https://example.org/Old.md) [Old](#Old)",
        "---\nup: [[Old]]\n---\n",
        "[[x/Old]]",
    ],
)
def test_what_is_no_link_to_the_file_stays(text: str) -> None:
    assert rewritten(text) == text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('---\nup: "[[Old]]"\n---\n', '---\nup: "[[New]]"\n---\n'),
        ("---\nup: '[[Old]]'\n---\n", "---\nup: '[[New]]'\n---\n"),
        ('---\nup:\n  - "[[Old#H|it]]" # why\n  - b\n---\nbody\n', '---\nup:\n  - "[[New#H|it]]" # why\n  - b\n---\nbody\n'),
        ('---\nup: ["[[Old]]", "[[Old.md]]"]\nz: 012\n---\n', '---\nup: ["[[New]]", "[[New.md]]"]\nz: 012\n---\n'),
        ('---\r\nup: "see [[Old]]"\r\n---\r\n', '---\r\nup: "see [[New]]"\r\n---\r\n'),
    ],
)
def test_links_in_properties_are_rewritten_in_place(before: str, after: str) -> None:
    assert rewritten(before) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("---\nup: '[[Old]]'\n---\n", "---\nup: '[[Aiko''s plan]]'\n---\n"),
        ('---\nup: "[[Old]]"\n---\n', '---\nup: "[[Aiko\'s plan]]"\n---\n'),
        ("---\nup: ['x', '[[Old]]']\n---\n", "---\nup: ['x', '[[Aiko''s plan]]']\n---\n"),
    ],
)
def test_a_quote_in_the_new_name_keeps_the_yaml_valid(before: str, after: str) -> None:
    assert rewritten(before, new="Aiko's plan.md") == after
    assert parse_note("x.md", after).problems == ()


def test_a_folder_with_a_double_quote_is_escaped_when_a_property_link_must_name_it() -> None:
    files = {'the "old" one/N.md': "", "b/M.md": "", "x.md": "---\nup: \"[[N]]\"\nto: '[[N]]'\n---\n[[N]]\n"}
    after = moved(files, {"b/M.md": "N.md"})["x.md"]
    assert after == '---\nup: "[[the \\"old\\" one/N]]"\nto: \'[[the "old" one/N]]\'\n---\n[[the "old" one/N]]\n'


@pytest.mark.parametrize(
    ("before", "new", "after"),
    [
        ("[s](Old.md)", "New plan.md", "[s](New%20plan.md)"),
        ("[s](<Old.md>)", "New plan.md", "[s](<New plan.md>)"),
        ("[s](Old.md)", "計画.md", "[s](計画.md)"),
        ("[s](Old.md)", "Plan (draft).md", "[s](Plan%20%28draft%29.md)"),
        ("[s](<Old.md>)", "Plan (draft).md", "[s](<Plan (draft).md>)"),
        ("[s](Old.md)", "100%25.md", "[s](100%2525.md)"),
        ("[s](Old.md)", "100% sure.md", "[s](100%%20sure.md)"),
        ("[s](Old.md)", "$1 & \\g<0>.md".replace("\\g<0>", "g0"), "[s]($1%20&%20g0.md)"),
    ],
)
def test_a_markdown_destination_is_escaped_as_before_and_as_needed(before: str, new: str, after: str) -> None:
    assert rewritten(before, new=new) == after


def test_a_fully_encoded_destination_stays_fully_encoded() -> None:
    assert rewritten("[s](%E8%A8%88%E7%94%BB.md)", old="計画.md", new="次の 計画.md") == "[s](%E6%AC%A1%E3%81%AE%20%E8%A8%88%E7%94%BB.md)"


def test_dollar_signs_in_names_are_only_characters() -> None:
    assert rewritten("[[a $1]] [[a $1|x]]", old="a $1.md", new="b $& $$.md") == "[[b $& $$]] [[b $& $$|x]]"


def test_bare_names_that_still_mean_the_file_are_left_alone() -> None:
    files = {"a/Note.md": "[[Other]]", "Other.md": "[[Note]] ![[Note#H]] [n](Note.md)", "b/x.md": ""}
    edits = plan(files, {"a/Note.md": "b/Note.md"})
    assert edits == [Move("a/Note.md", "b/Note.md", hash_of(b"[[Other]]"), None)]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[[a/Note]]", "[[b/c/Note]]"),
        ("[[a/Note.md#H]]", "[[b/c/Note.md#H]]"),
        ("[[/a/Note]]", "[[/b/c/Note]]"),
        ("[n](a/Note.md)", "[n](b/c/Note.md)"),
        ("[[./a/Note]]", "[[./b/c/Note]]"),
        ("[n](./a/Note.md)", "[n](./b/c/Note.md)"),
        ("[n](./a/Note)", "[n](./b/c/Note.md)"),
    ],
)
def test_a_move_keeps_the_way_a_path_was_written(before: str, after: str) -> None:
    assert rewritten(before, old="a/Note.md", new="b/c/Note.md") == after


def test_the_moved_note_s_own_relative_links_are_computed_anew() -> None:
    files = {"a/x.md": "[[./y]] [[../z]] [y](./y.md) [[y]] [[#h]] [[x#h]] ![](../img/p.png)", "a/y.md": "", "z.md": "", "img/p.png": ""}
    after = moved(files, {"a/x.md": "b/c/x.md"})
    assert after["b/c/x.md"] == "[[../../a/y]] [[../../z]] [y](../../a/y.md) [[y]] [[#h]] [[x#h]] ![](../../img/p.png)"


def test_the_moved_note_s_bare_links_keep_meaning_the_file_of_its_old_folder() -> None:
    files = {"a/x.md": "[[y]]", "a/y.md": "", "b/y.md": ""}
    assert moved(files, {"a/x.md": "b/x.md"})["b/x.md"] == "[[a/y]]"


def test_a_note_that_names_itself_follows_its_new_name() -> None:
    assert moved({"Old.md": "[[Old#h]] [[#h]] [Old](Old.md)"}, {"Old.md": "New.md"}) == {"New.md": "[[New#h]] [[#h]] [New](New.md)"}


def test_links_that_a_new_duplicate_would_take_over_are_lengthened() -> None:
    files = {
        "deep/folder/Plan.md": "",
        "b/Draft.md": "",
        "x.md": "[[Plan]] ![[Plan#H|p]]",
        "deep/folder/y.md": "[[Plan]]",
        "b/z.md": "[[Plan]]",
    }
    after = moved(files, {"b/Draft.md": "b/Plan.md"})
    assert after["x.md"] == "[[deep/folder/Plan]] ![[deep/folder/Plan#H|p]]"
    assert after["b/z.md"] == "[[deep/folder/Plan]]"
    assert after["deep/folder/y.md"] == "[[Plan]]"


def test_links_that_only_the_alphabet_would_still_decide_are_lengthened() -> None:
    files = {"a/Plan.md": "", "b/Draft.md": "", "x.md": "[[Plan]]"}
    assert moved(files, {"b/Draft.md": "b/Plan.md"})["x.md"] == "[[a/Plan]]"


def test_a_renamed_link_is_bare_only_while_the_new_name_is_unique() -> None:
    files = {"a/Old.md": "", "c/New.md": "", "x.md": "[[Old]]", "a/y.md": "[[Old]]"}
    after = moved(files, {"a/Old.md": "a/New.md"})
    assert (after["x.md"], after["a/y.md"]) == ("[[a/New]]", "[[a/New]]")


def test_a_partial_path_keeps_its_depth_while_it_is_unique() -> None:
    assert rewritten("[[b/Note]]", old="a/b/Note.md", new="a/c/Note.md") == "[[c/Note]]"
    assert rewritten("[[b/Note]]", old="a/b/Note.md", new="a/c/Note.md", others={"c/Note.md": ""}) == "[[a/c/Note]]"


def test_a_folder_moves_with_all_its_notes_and_their_links_to_each_other() -> None:
    files = {
        "old/a.md": "[[b]] [[old/b]] [[./sub/c]] [[../x]]",
        "old/b.md": "![[old/p.png]]",
        "old/sub/c.md": "[[../a]]",
        "old/p.png": "",
        "x.md": "[[old/a]] [[a]] [c](old/sub/c.md)",
    }
    after = moved(files, graph.folder_moves(vault(files), "old", "archive/2026"))
    assert after == {
        "archive/2026/a.md": "[[b]] [[archive/2026/b]] [[./sub/c]] [[../../x]]",
        "archive/2026/b.md": "![[archive/2026/p.png]]",
        "archive/2026/sub/c.md": "[[../a]]",
        "archive/2026/p.png": "",
        "x.md": "[[archive/2026/a]] [[a]] [c](archive/2026/sub/c.md)",
    }


def test_a_case_only_rename_is_one_move_and_leaves_links_that_still_resolve() -> None:
    files = {"note.md": "", "x.md": "[[note]] [[NOTE#h]]"}
    assert plan(files, {"note.md": "Note.md"}) == [Move("note.md", "Note.md", hash_of(b""))]


def test_a_name_in_another_unicode_form_is_the_same_name() -> None:
    composed, decomposed = (unicodedata.normalize(form, "ガイド.md") for form in ("NFC", "NFD"))
    files = {decomposed: "", "x.md": f"[[{composed[:-3]}]] [[{decomposed[:-3]}|é]]"}
    assert moved(files, {decomposed: "手引き.md"})["x.md"] == "[[手引き]] [[手引き|é]]"
    with pytest.raises(NoteExistsError):
        plan({decomposed: "", "y.md": ""}, {"y.md": composed})


def test_a_decomposed_file_name_is_written_composed_in_links() -> None:
    decomposed = unicodedata.normalize("NFD", "ガイド.md")
    assert rewritten("[[Old]] [o](Old.md)", new=decomposed) == "[[ガイド]] [o](ガイド.md)"
    assert rewritten("[[Old]]", old="a/Old.md", new=f"a/{decomposed}", others={"b/ガイド.md": ""}) == "[[a/ガイド]]"
    assert rewritten("[[Old]]", old="a/Old.md", new=f"b/{decomposed}", others={"a/ガイド.md": ""}) == "[[b/ガイド]]"


def test_attachments_and_bases_move_like_notes() -> None:
    files = {"pic.png": "\0", "Books.base": "views:", "x.md": "![[pic.png|100]] ![250](pic.png) ![[Books.base#My view]] [[pic.png]]"}
    after = moved(files, {"pic.png": "img/photo.png", "Books.base": "Shelf.base"})
    assert after["x.md"] == "![[photo.png|100]] ![250](photo.png) ![[Shelf.base#My view]] [[photo.png]]"


def test_nothing_is_edited_when_nothing_moves() -> None:
    files = {"a.md": "[[b]]", "b.md": "[[./a]]"}
    assert plan(files, {}) == []
    assert plan(files, {"a.md": "a.md"}) == []


def test_a_text_that_changed_since_the_snapshot_is_read_again() -> None:
    snapshot = vault({"Old.md": "", "x.md": "[[Old]]"})
    now = {"Old.md": "", "x.md": "a new first line\n\n[[Old]] and [[Old|more]]"}
    edits = graph.plan_move(snapshot, {"Old.md": "New.md"}, now.__getitem__)
    assert edits[1] == Rewrite("x.md", b"a new first line\n\n[[New]] and [[New|more]]", hash_of(now["x.md"].encode()))


def test_undecodable_bytes_survive_a_rewrite() -> None:
    text = to_text(b"\xff\xfe [[Old]] \x80\r\n")
    assert to_bytes(rewritten(text)) == b"\xff\xfe [[New]] \x80\r\n"


@pytest.mark.parametrize("name", ["a#b", "a^b", "a[b", "a]b", "a|b", "a:b", 'a"b', "a?", "a%%b", "con", " a", "a.", "x" * 260, "日" * 90])
def test_a_name_that_links_or_systems_cannot_hold_is_refused_with_a_hint(name: str) -> None:
    with pytest.raises(UnsafeNameError) as refused:
        plan({"Old.md": ""}, {"Old.md": f"{name}.md"})
    assert refused.value.hint


@pytest.mark.parametrize("path", ["../New.md", "/New.md", "a/../New.md", ".trash/New.md", "a//New.md", "", "./New.md"])
def test_a_path_that_leads_out_of_the_visible_vault_is_refused(path: str) -> None:
    with pytest.raises(OutsideVaultError):
        plan({"Old.md": ""}, {"Old.md": path})


def test_a_name_that_already_exists_may_be_anything() -> None:
    assert moved({"C#/What?.md": "", "C#/y.md": ""}, {"C#/What?.md": "b/What?.md"}) == {"b/What?.md": "", "C#/y.md": ""}
    assert "C#/z.md" in moved({"C#/y.md": "", "z.md": ""}, {"z.md": "C#/z.md"})


def test_a_move_is_refused_when_a_link_could_not_name_its_file_any_more() -> None:
    files = {"C#/Plan.md": "", "Draft.md": "", "x.md": "one\n[[Plan]]"}
    with pytest.raises(RefusedError, match=r"x\.md line 2 links to C#/Plan\.md"):
        plan(files, {"Draft.md": "Plan.md"})
    assert moved(files | {"x.md": "[p](Plan.md)"}, {"Draft.md": "Plan.md"})["x.md"] == "[p](C%23/Plan.md)"


def test_moves_onto_files_or_onto_each_other_are_conflicts() -> None:
    files = {"a.md": "", "b.md": "", "c.md": ""}
    for moves in ({"a.md": "b.md"}, {"a.md": "B.md"}):
        with pytest.raises(NoteExistsError):
            plan(files, moves)
    for moves in ({"a.md": "d.md", "b.md": "D.md"}, {"a.md": "b.md", "b.md": "a.md"}):
        with pytest.raises(ConflictError):
            plan(files, moves)
    with pytest.raises(NoteNotFoundError):
        plan(files, {"missing.md": "d.md"})


def test_a_chain_of_moves_makes_room_first() -> None:
    files = {"a.md": "1", "b.md": "2", "x.md": "[[a]] [[b]]"}
    after = moved(files, {"a.md": "b.md", "b.md": "c.md"})
    assert after == {"b.md": "1", "c.md": "2", "x.md": "[[b]] [[c]]"}


def test_a_folder_cannot_move_into_itself() -> None:
    snapshot = vault({"a/x.md": ""})
    with pytest.raises(RefusedError):
        graph.folder_moves(snapshot, "a", "a/b")
    with pytest.raises(NoteNotFoundError):
        graph.folder_moves(snapshot, "b", "c")


CANVAS = """{
\t"nodes":[
\t\t{"id":"f","type":"file","file":"a\\/Old.md", "subpath":"#H", "x" : 1.50},
\t\t{"id":"t","type":"text","text":"\\u65e5 [[Old|\\"x\\"]] \\ud83d\\ude00\\n[Old](a/Old.md) `[[Old]]`"},
\t\t{"id":"o","type":"text","text":"日本 [[Old]]"},
\t\t{"id":"g","type":"group","background":"a/p.png"}
\t],
\t"edges":[ ]
}
"""


def test_a_canvas_is_rewritten_inside_its_string_literals_only() -> None:
    files = {"board.canvas": CANVAS, "a/Old.md": "", "a/p.png": "", "b/Neu ü.md": ""}
    after = moved(files, {"a/Old.md": "b/計画.md", "a/p.png": "b/p.png"})["board.canvas"]
    expected = (
        CANVAS.replace('"a\\/Old.md"', '"b/計画.md"')
        .replace("[[Old|", "[[\\u8a08\\u753b|")
        .replace("[Old](a/Old.md)", "[\\u8a08\\u753b](b/\\u8a08\\u753b.md)")
        .replace("日本 [[Old]]", "日本 [[計画]]")
        .replace("a/p.png", "b/p.png")
    )
    assert after == expected
    json.loads(after)


def test_a_canvas_that_moves_keeps_its_cards_meaning() -> None:
    files = {"a/board.canvas": '{"nodes":[{"type":"text","text":"[[./y]]"},{"type":"file","file":"a/y.md"}]}', "a/y.md": ""}
    after = moved(files, {"a/board.canvas": "b/board.canvas"})
    assert after["b/board.canvas"] == '{"nodes":[{"type":"text","text":"[[../a/y]]"},{"type":"file","file":"a/y.md"}]}'


def test_a_broken_canvas_does_not_stop_a_move() -> None:
    files = {"x.canvas": "{[[Old]]", "Old.md": ""}
    assert moved(files, {"Old.md": "New.md"}) == {"x.canvas": "{[[Old]]", "New.md": ""}


def test_links_in_html_comments_are_rewritten_on_request() -> None:
    files = {"Old.md": "", "x.md": "<!-- [[Old]] -->"}
    edits = graph.plan_move(vault(files), {"Old.md": "New.md"}, files.__getitem__, comments=True)
    assert edits[1] == Rewrite("x.md", b"<!-- [[New]] -->", hash_of(files["x.md"].encode()))


@pytest.mark.parametrize(("folder", "by_path"), [("Obsidian Sync", True), ("Plugins", True), ("Attachments", False)])
def test_moving_a_folder_of_the_help_vault_keeps_the_meaning_of_every_link(folder: str, by_path: bool) -> None:
    root = REAL_VAULTS / "help-en"
    if not root.is_dir():
        pytest.skip("help-en is not beside the checkout")
    files = {
        path.relative_to(root).as_posix(): to_text(path.read_bytes())
        for path in sorted(root.rglob("*"))
        if path.is_file() and not any(part.startswith(".") for part in path.relative_to(root).parts)
    }
    before = vault(files)
    moves = graph.folder_moves(before, folder, f"elsewhere/{folder} 2026")
    after = vault(moved(files, moves))
    changed = 0
    for path in before.notes:
        for was, now in zip(graph.edges_from(before, path), graph.edges_from(after, moves.get(path, path)), strict=True):
            assert now.target.path == moves.get(was.target.path or "", was.target.path)
            changed += now.link.target != was.link.target
    assert (changed > 0) == by_path  # attachments are named barely everywhere
    assert changed < len(graph.edges(before)) / 10
