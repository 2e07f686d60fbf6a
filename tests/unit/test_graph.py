"""Link resolution, snapshots, canvases and the lists made from them. Rules: facts §2, §3, §16."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from vaultkit import graph
from vaultkit.errors import NoteNotFoundError, UsageError
from vaultkit.graph import Edge, Resolver, Snapshot
from vaultkit.text.edit import hash_of, to_text
from vaultkit.text.note import parse_note

REAL_VAULTS = Path(__file__).parents[2].parent / "shared" / "vaults"


def vault(files: dict[str, str]) -> Snapshot:
    """A vault in memory."""
    notes = {path: parse_note(path, text, hash=hash_of(text.encode())) for path, text in files.items() if path.lower().endswith(".md")}
    return Snapshot(notes, frozenset(files), {path: text for path, text in files.items() if path.endswith(".canvas")})


def leads(snapshot: Snapshot, source: str) -> list[str | None]:
    """Where each link of a note leads."""
    return [edge.target.path for edge in graph.edges_from(snapshot, source)]


@pytest.mark.parametrize(
    ("target", "source", "path"),
    [
        ("", "a/x.md", "a/x.md"),
        ("Home", "a/x.md", "Home.md"),
        ("home", "a/x.md", "Home.md"),
        ("HOME.MD", "a/x.md", "Home.md"),
        ("Plan", "b/x.md", "b/Plan.md"),
        ("Plan", "b/sub/x.md", "a/Plan.md"),
        ("Plan", "x.md", "a/Plan.md"),
        ("b/Plan", "x.md", "b/Plan.md"),
        ("deep/Plan", "x.md", "b/deep/Plan.md"),
        ("eep/Plan", "x.md", None),
        ("Home", "c/x.md", "Home.md"),
        ("./Home", "c/x.md", "c/Home.md"),
        ("./Home", "a/x.md", None),
        ("../Home", "c/x.md", "Home.md"),
        ("../../Home", "c/x.md", None),
        ("../b/Plan.md", "a/x.md", "b/Plan.md"),
        ("/Home", "c/x.md", "Home.md"),
        ("/Plan", "a/x.md", None),
        ("/a/Plan", "c/x.md", "a/Plan.md"),
        ("v1.2", "x.md", "v1.2.md"),
        ("dashboard", "x.md", "dashboard.md"),
        ("dashboard.base", "x.md", "dashboard.base"),
        ("board", "x.md", None),
        ("board.canvas", "x.md", "board.canvas"),
        ("photo.png", "a/x.md", "files/photo.PNG"),
        ("photo", "a/x.md", None),
        (" Home ", "a/x.md", "Home.md"),
        ("https://example.org", "x.md", None),
        ("a\\Plan", "x.md", None),
    ],
)
def test_a_link_resolves_as_in_obsidian(target: str, source: str, path: str | None) -> None:
    files = [
        "Home.md",
        "c/Home.md",
        "a/Plan.md",
        "b/Plan.md",
        "b/deep/Plan.md",
        "v1.2.md",
        "dashboard.md",
        "dashboard.base",
        "board.canvas",
    ]
    assert Resolver([*files, "files/photo.PNG"]).resolve(target, source).path == path


def test_equally_short_paths_are_a_tie_that_the_alphabet_decides() -> None:
    found = Resolver(["bb/N.md", "aa/N.md", "longer/N.md"]).resolve("N", "x.md")
    assert found == graph.Resolved("aa/N.md", ("bb/N.md", "longer/N.md"), tie=True)


def test_the_own_folder_decides_without_a_tie_but_still_names_the_others() -> None:
    assert Resolver(["bb/N.md", "aa/N.md"]).resolve("N", "bb/x.md") == graph.Resolved("bb/N.md", ("aa/N.md",))


def test_path_length_counts_utf_16_units() -> None:
    two_units, two_letters = "🗂/N.md", "zzz/N.md"
    assert Resolver([two_units, two_letters]).resolve("N", "x.md") == graph.Resolved(two_units, (two_letters,))
    assert Resolver([two_units, "zz/N.md"]).resolve("N", "x.md").tie
    assert Resolver([two_units, "z/N.md"]).resolve("N", "x.md").path == "z/N.md"


def test_decomposed_names_and_composed_links_meet() -> None:
    for name in ("ガイド", "Café"):
        composed, decomposed = unicodedata.normalize("NFC", name), unicodedata.normalize("NFD", name)
        assert Resolver([f"a/{decomposed}.md"]).resolve(composed, "x.md").path == f"a/{decomposed}.md"
        assert Resolver([f"a/{composed}.md"]).resolve(decomposed, "x.md").path == f"a/{composed}.md"


def test_of_two_files_that_differ_by_case_the_link_s_own_spelling_wins() -> None:
    resolver = Resolver(["Note.md", "note.md", "d/Straße.md"])
    assert resolver.resolve("note", "x.md") == graph.Resolved("note.md", ("Note.md",))
    assert resolver.resolve("Note", "x.md") == graph.Resolved("Note.md", ("note.md",))
    assert resolver.resolve("NOTE", "x.md").tie
    assert resolver.resolve("STRASSE", "x.md").path is None


def test_a_file_with_the_written_extension_comes_before_a_note_of_that_name() -> None:
    resolver = Resolver(["a/photo.png", "photo.png.md", "LICENSE", "b/LICENSE.md"])
    assert resolver.resolve("photo.png", "x.md").path == "a/photo.png"
    assert resolver.resolve("photo.png.md", "x.md").path == "photo.png.md"
    assert resolver.resolve("LICENSE", "x.md").path == "b/LICENSE.md"


def test_a_link_of_thousands_of_components_is_simply_unresolved() -> None:
    assert Resolver(["a/b/N.md"]).resolve("a/" * 5000 + "N", "x.md").path is None


def test_a_name_that_every_folder_has_names_only_some_of_the_others() -> None:
    found = Resolver([f"{n:04}/README.md" for n in range(3000)]).resolve("README", "0007/x.md")
    assert found.path == "0007/README.md"
    assert 0 < len(found.ambiguous) < 20


@pytest.mark.parametrize(
    ("path", "source", "style", "text"),
    [
        ("a/Only.md", "b/x.md", "shortest", "Only"),
        ("a/Twice.md", "b/x.md", "shortest", "a/Twice"),
        ("Root.md", "b/x.md", "shortest", "Root"),
        ("v1.2.md", "b/x.md", "shortest", "v1.2"),
        ("pic.png", "b/x.md", "shortest", "pic.png"),
        ("a/Only.md", "b/x.md", "absolute", "a/Only"),
        ("a/Only.md", "b/x.md", "relative", "../a/Only"),
        ("b/Twice.md", "b/x.md", "relative", "Twice"),
        ("b/Root.md", "b/x.md", "relative", "./Root"),
        ("b/c/Deep.md", "b/x.md", "relative", "c/Deep"),
    ],
)
def test_a_new_link_is_written_in_the_chosen_style(path: str, source: str, style: str, text: str) -> None:
    files = ["a/Only.md", "a/Twice.md", "b/Twice.md", "Root.md", "b/Root.md", "v1.2.md", "pic.png", "b/c/Deep.md"]
    resolver = Resolver(files)
    assert resolver.link_text(path, source, style=style) == text
    assert resolver.resolve(text, source).path == path


def test_creating_a_shorter_namesake_steals_bare_links_only() -> None:
    stolen = Resolver(["archive/N.md", "b/Other.md"]).stolen_by("N.md")
    assert stolen("N")
    assert stolen("n.md")
    assert not stolen("archive/N")
    assert not stolen("Other")
    assert not stolen("Unwritten")
    assert not Resolver(["a/N.md"]).stolen_by("b/M.md")("N")


def test_every_kind_of_link_is_an_edge() -> None:
    snapshot = vault(
        {
            "a.md": '---\nup: "[[b]]"\nsee:\n  - "[[c|shown]]"\nno: [[d]]\n---\n[[b#H|x]] ![[pic.png]] [t](sub/c.md) [u](https://x.org) `[[d]]` [[#H]]\n',
            "b.md": "<!-- [[a]] -->\n%% [[c]] %%\n",
            "sub/c.md": "",
            "d.md": "",
            "pic.png": "",
        }
    )
    assert leads(snapshot, "a.md") == ["b.md", "sub/c.md", "b.md", "pic.png", "sub/c.md", "a.md"]
    assert leads(snapshot, "b.md") == ["sub/c.md"]
    assert [edge.target.path for edge in graph.edges(snapshot, comments=True) if edge.source == "b.md"] == ["a.md", "sub/c.md"]


def test_backlinks_count_links_and_tell_their_lines() -> None:
    snapshot = vault({"a.md": "[[b]]\n\n[[b#x]] [[b]] [[missing]]\n", "b.md": "[[b]] [[#h]]", "c.md": "![](b.md)"})
    assert graph.backlinks(snapshot, "b.md") == [("a.md", 3, (1, 3)), ("c.md", 1, (1,))]
    assert graph.links(snapshot, "a.md") == [("b.md", "b", 3, 1), (None, "missing", 1, 3)]
    assert graph.backlinks(snapshot, "nowhere.md") == []


def test_orphans_and_dead_ends_do_not_count_a_note_s_link_to_itself() -> None:
    snapshot = vault({"a.md": "[[#here]] [[a]]", "b.md": "[[a]]", "c.md": "[[wished for]]", "d.md": ""})
    assert graph.orphans(snapshot) == ["b.md", "c.md", "d.md"]
    assert graph.deadends(snapshot) == ["a.md", "d.md"]
    assert graph.hubs(snapshot) == [("a.md", 1)]


def test_an_alias_never_resolves_but_says_whom_the_writer_meant() -> None:
    snapshot = vault({"people/Aiko.md": "---\naliases:\n  - 愛子\n  - AK\n---\n", "x.md": "[[愛子]] [[ak]] [a](AK.md) [[nobody]]"})
    assert leads(snapshot, "x.md") == [None] * 4
    assert graph.alias_owner(snapshot, "ak") == "people/Aiko.md"
    assert graph.alias_owner(snapshot, "nobody") is None
    assert graph.unresolved(snapshot) == [
        ("ak", 2, ("x.md",), ("people/Aiko.md",)),
        ("nobody", 1, ("x.md",), ()),
        ("愛子", 1, ("x.md",), ("people/Aiko.md",)),
    ]


CANVAS = """{
\t"nodes":[
\t\t{"id":"n1","type":"file","file":"a/Plan.md","subpath":"#Goals","x":0,"y":0,"width":1,"height":1},
\t\t{"id":"n2","type":"text","text":"see [[Plan]] and \\"[[gone]]\\"\\n![[pic.png]]"},
\t\t{"id":"n3","type":"group","background":"pic.png","label":"[[Plan]]"},
\t\t{"id":"n4","type":"link","url":"https://example.org"}
\t],
\t"edges":[]
}"""


def test_a_canvas_links_to_its_files_and_to_what_its_cards_link_to() -> None:
    snapshot = vault({"board.canvas": CANVAS, "a/Plan.md": "", "pic.png": ""})
    found = [(edge.node, edge.target.path, edge.link.subpath, edge.link.line) for edge in graph.edges(snapshot)]
    assert found == [
        ("n1", "a/Plan.md", "#Goals", 3),
        ("n2", "a/Plan.md", "", 4),
        ("n2", None, "", 4),
        ("n2", "pic.png", "", 4),
        ("n3", "pic.png", "", 5),
    ]
    assert graph.backlinks(snapshot, "a/Plan.md") == [("board.canvas", 2, (3, 4))]
    assert graph.orphans(snapshot) == []
    assert [row.link for row in graph.unresolved(snapshot)] == ["gone"]


def test_a_canvas_node_names_its_file_by_the_whole_path_only() -> None:
    node = '{"nodes":[{"id":"n","type":"file","file":"Plan.md"},{"id":"m","type":"file","file":"A/PLAN.md"}]}'
    snapshot = vault({"board.canvas": node, "a/Plan.md": ""})
    assert [edge.target.path for edge in graph.edges(snapshot)] == [None, "a/Plan.md"]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("", "empty-canvas"),
        (" \n", "empty-canvas"),
        ("{}", "empty-canvas"),
        ('{"edges":[]}', "bad-canvas"),
        ("[]", "bad-canvas"),
        ('{"nodes":{}}', "bad-canvas"),
        ("{", "bad-canvas"),
        ("[" * 100_000, "bad-canvas"),
        ("\0", "bad-canvas"),
        ("1" * 5000, "bad-canvas"),
    ],
)
def test_a_broken_canvas_is_a_problem_and_no_crash(text: str, rule: str) -> None:
    snapshot = vault({"x.canvas": text, "a.md": ""})
    [(path, problem)] = graph.canvas_problems(snapshot)
    assert (path, problem.rule) == ("x.canvas", rule)
    assert graph.edges(snapshot) == []


@pytest.mark.parametrize(
    "node", ["1", "null", "[]", '{"type":"file"}', '{"type":"file","file":5}', '{"type":"text","text":null}', '{"type":"file","file":""}']
)
def test_strange_canvas_nodes_are_passed_over(node: str) -> None:
    snapshot = vault({"x.canvas": f'{{"nodes":[{node},{{"id":"ok","type":"text","text":"[[a]]"}}]}}', "a.md": ""})
    assert [(edge.node, edge.target.path) for edge in graph.edges(snapshot)] == [("ok", "a.md")]
    assert graph.canvas_problems(snapshot) == []


def test_a_repeated_key_in_a_canvas_counts_where_it_is_last() -> None:
    text = '{"nodes":[{"type":"text","text":"[[a]]"}],"nodes":[{"type":"file","file":"a.md","file":"b.md","id":"q"}]}'
    [edge] = graph.edges(vault({"x.canvas": text, "a.md": "", "b.md": ""}))
    assert edge.target.path == "b.md"
    assert text[edge.link.start : edge.link.end] == '"b.md"'


def test_tags_count_for_their_parents_in_total_only() -> None:
    snapshot = vault(
        {
            "a.md": "---\ntags:\n  - Project/Alpha\n---\n#project/alpha #project/alpha #仕事\n",
            "b.md": "#project\n",
            "c.md": "#Project/beta/x\n",
        }
    )
    rows = {row.tag: (row.count, row.total, row.files) for row in graph.tags(snapshot)}
    assert rows == {
        "Project": (1, 5, 3),
        "Project/Alpha": (3, 3, 1),
        "Project/beta": (0, 1, 1),
        "Project/beta/x": (1, 1, 1),
        "仕事": (1, 1, 1),
    }
    assert graph.tagged(snapshot, "#PROJECT") == ["a.md", "b.md", "c.md"]
    assert graph.tagged(snapshot, "proj") == []
    assert [row.tag for row in graph.tags(snapshot, within=["b.md"])] == ["project"]
    assert graph.tags(snapshot, sort="count")[0].tag == "Project"


def test_tasks_are_listed_with_status_and_line() -> None:
    snapshot = vault({"b.md": "- [ ] one\n* [x] two\n", "a.md": "> 1. [/] three\n\n- no task\n"})
    assert graph.tasks(snapshot) == [("/", "three", "a.md", 1), (" ", "one", "b.md", 1), ("x", "two", "b.md", 2)]
    assert [row.text for row in graph.tasks(snapshot, status="todo")] == ["one"]
    assert [row.text for row in graph.tasks(snapshot, status="done")] == ["two"]
    assert [row.text for row in graph.tasks(snapshot, status="/")] == ["three"]
    assert [row.text for row in graph.tasks(snapshot, within=["a.md"])] == ["three"]


def test_properties_have_the_types_of_obsidian() -> None:
    snapshot = vault(
        {
            "a.md": "---\nDue: 2026-12-05\nat: 2026-12-05T10:30\nn: 3\nok: true\nlist:\n  - x\ntags:\n  - t\nempty:\nword: yes\n---\n",
            "b.md": "---\ndue:\nn: three\n---\n",
            "c.md": "---\nn: 4\n---\n",
        }
    )
    rows = {row.name: (row.type, row.count) for row in graph.properties(snapshot)}
    assert rows == {
        "at": ("datetime", 1),
        "Due": ("date", 2),
        "empty": ("text", 1),
        "list": ("multitext", 1),
        "n": ("number", 3),
        "ok": ("checkbox", 1),
        "tags": ("tags", 1),
        "word": ("text", 1),
    }
    assert graph.properties(snapshot, types={"n": "text"}, sort="count")[0] == ("n", "text", 3)


@pytest.mark.parametrize(
    "name",
    [
        "people/Aiko Tanaka.md",
        "people/Aiko Tanaka",
        "Aiko Tanaka",
        "aiko tanaka.md",
        "[[Aiko Tanaka]]",
        "[[Aiko Tanaka#Now|her]]",
        "./people/Aiko Tanaka",
    ],
)
def test_a_note_is_found_by_path_or_link_name(name: str) -> None:
    assert graph.find_note(vault({"people/Aiko Tanaka.md": "", "x.md": ""}), name) == "people/Aiko Tanaka.md"


def test_a_note_that_is_not_found_is_told_with_its_nearest_names() -> None:
    snapshot = vault({"people/Aiko Tanaka.md": "---\naliases: [AK]\n---\n", "x.md": "", "pic.png": ""})
    with pytest.raises(NoteNotFoundError) as failed:
        graph.find_note(snapshot, "Aiko Tanakka")
    assert "people/Aiko Tanaka.md" in failed.value.hint
    with pytest.raises(NoteNotFoundError) as failed:
        graph.find_note(snapshot, "AK")
    assert "alias of people/Aiko Tanaka.md" in failed.value.hint
    for name in ("pic.png", "", "[[]]", "../x", "\0"):
        with pytest.raises(NoteNotFoundError):
            graph.find_note(snapshot, name)
    assert graph.find_note(snapshot, "pic.png", files=True) == "pic.png"


def test_a_name_that_several_notes_answer_to_equally_is_a_usage_error_that_lists_them() -> None:
    snapshot = vault({"aa/N.md": "", "bb/N.md": "", "longer/M.md": "", "s/M.md": ""})
    with pytest.raises(UsageError, match=r"aa/N\.md, bb/N\.md"):
        graph.find_note(snapshot, "N")
    assert graph.find_note(snapshot, "M") == "s/M.md"


def test_a_new_note_tells_which_links_it_would_take_over() -> None:
    snapshot = vault({"archive/N.md": "", "a.md": "[[N]] [[archive/N]] [[missing]]", "b.md": "![[n#H]]", "c/d.md": "[[./N]]"})
    assert [(found.source, found.link.target, found.old) for found in graph.retargeted_by(snapshot, "N.md")] == [
        ("a.md", "N", "archive/N.md"),
        ("b.md", "n", "archive/N.md"),
    ]
    assert graph.retargeted_by(snapshot, "archived/N.md") == []
    assert graph.retargeted_by(snapshot, "missing.md") == []
    assert graph.retargeted_by(snapshot, "archive/N.md") == []


def test_a_new_file_takes_over_a_link_with_its_extension_from_a_note_of_that_name() -> None:
    snapshot = vault({"photo.png.md": "", "a.md": "[[photo.png]]"})
    assert [found.old for found in graph.retargeted_by(snapshot, "files/photo.png")] == ["photo.png.md"]


def read_vault(root: Path) -> Snapshot:
    paths = [
        path
        for path in sorted(root.rglob("*"))
        if path.is_file() and not any(part.startswith(".") for part in path.relative_to(root).parts)
    ]
    return vault({path.relative_to(root).as_posix(): to_text(path.read_bytes()) for path in paths})


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("help-en", {"notes": 173, "links": 1807, "resolved": 1803, "ambiguous": 5, "deadends": 3, "orphans": 8}),
        ("help-ja", {"notes": 173, "links": 1804, "resolved": 1798, "ambiguous": 19, "deadends": 3, "orphans": 9}),
    ],
)
def test_the_help_vaults_are_read_as_an_independent_scanner_reads_them(name: str, counts: dict[str, int]) -> None:
    root = REAL_VAULTS / name
    if not root.is_dir():
        pytest.skip(f"{name} is not beside the checkout")
    snapshot = read_vault(root)
    wiki: list[Edge] = [edge for edge in graph.edges(snapshot) if edge.link.syntax == "wikilink"]
    assert {
        "notes": len(snapshot.notes),
        "links": len(wiki),
        "resolved": sum(edge.target.path is not None for edge in wiki),
        "ambiguous": sum(bool(edge.target.ambiguous) for edge in wiki),
        "deadends": len(graph.deadends(snapshot)),
        "orphans": len(graph.orphans(snapshot)),
    } == counts
