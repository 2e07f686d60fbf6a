"""obsidiantools, NetworkX and pandas answer from our links: the same numbers as the commands."""

from __future__ import annotations

import csv
import math
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from vaultkit import graph
from vaultkit.graph import Snapshot
from vaultkit.store import interop
from vaultkit.text.note import parse_note

pytest.importorskip("obsidiantools")

FILES = {
    "Home.md": '---\ntags:\n  - hub/main\nup: "[[Plan]]"\n---\n[[Plan]] [[plan#H]] [p](a/Plan.md) ![[pic.png]] [[Wished for]] [[#H]]\n',
    "a/Plan.md": "[[Home]] [[./Plan]] ![[missing.png]]",
    "b/Twin.md": "[[a/Twin]]",
    "a/Twin.md": "",
    "alone.md": "",
    "board.canvas": '{"nodes":[{"id":"1","type":"file","file":"Home.md","x":1,"y":2},{"id":"2","type":"text","text":"[[Twin]]","x":0,"y":0}],'
    '"edges":[{"id":"e","fromNode":"1","toNode":"2"}]}',
    "empty.canvas": "{}",
    "broken.canvas": "",
    "pic.png": "",
    "unused.svg": "",
    "style.css": "",
}


def snapshot_of(files: dict[str, str]) -> Snapshot:
    notes = {path: parse_note(path, text) for path, text in files.items() if path.endswith(".md")}
    return Snapshot(notes, frozenset(files), {path: text for path, text in files.items() if path.endswith(".canvas")})


def test_every_attribute_of_a_connected_vault_is_filled(tmp_path: Path) -> None:
    from obsidiantools.api import Vault

    (tmp_path / "x.md").write_text("")
    (tmp_path / "x.canvas").write_text("{}")
    ours = interop.obsidian_vault(tmp_path, snapshot_of(FILES))
    assert isinstance(ours, Vault)
    assert set(vars(ours)) == set(vars(Vault(tmp_path)))
    assert all(value is not None for value in vars(ours).values())
    assert ours.connect() is ours  # it is connected already and reads nothing


def test_the_vault_names_notes_as_obsidiantools_does(tmp_path: Path) -> None:
    vault = interop.obsidian_vault(tmp_path, snapshot_of(FILES))
    assert vault.md_file_index == {
        "Home": Path("Home.md"),
        "Plan": Path("a/Plan.md"),
        "a/Twin": Path("a/Twin.md"),
        "b/Twin": Path("b/Twin.md"),
        "alone": Path("alone.md"),
    }
    assert set(vault.media_file_index) == {"pic.png", "unused.svg"}
    assert set(vault.canvas_file_index) == {"board.canvas", "empty.canvas", "broken.canvas"}


def test_the_indexes_hold_our_links(tmp_path: Path) -> None:
    vault = interop.obsidian_vault(tmp_path, snapshot_of(FILES))
    assert vault.get_wikilinks("Home") == ["Plan", "Plan", "Plan", "Plan", "Wished for", "Home"]
    assert vault.get_embedded_files("Home") == ["pic.png"]
    assert vault.get_md_links("Home") == ["a/Plan.md"]
    assert vault.get_backlink_counts("Plan") == {"Home": 4, "Plan": 1}
    assert vault.get_backlinks("Home") == ["Home", "Plan", "board.canvas"]
    assert vault.get_tags("Home") == ["hub/main"]
    assert vault.get_front_matter("Home")["up"] == "[[Plan]]"
    assert sorted(vault.nonexistent_notes) == ["Wished for", "missing.png"]
    assert vault.isolated_notes == ["alone"]
    assert vault.isolated_media_files == ["unused.svg"]
    assert list(vault.canvas_graph_detail_index) == ["board.canvas"]


def test_the_graph_has_the_same_numbers_as_the_link_lists(tmp_path: Path) -> None:
    snapshot = snapshot_of(FILES)
    vault = interop.obsidian_vault(tmp_path, snapshot)
    names = {str(path): name for name, path in (vault.md_file_index | vault.canvas_file_index).items()}
    assert vault.graph.number_of_edges() == len(graph.edges(snapshot))
    for path, name in names.items():
        assert vault.graph.out_degree(name) == len(graph.edges_from(snapshot, path))
        assert vault.graph.in_degree(name) == len(graph.edges_to(snapshot, path))


def test_obsidiantools_own_tables_work_on_it(tmp_path: Path) -> None:
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    table = interop.obsidian_vault(tmp_path, snapshot_of(FILES)).get_all_file_metadata()
    assert table.loc["Plan", "n_backlinks"] == 5
    assert table.loc["Wished for", "graph_category"] == "nonexistent"
    assert table.loc["pic.png", "n_backlinks"] == 1


def test_a_vault_without_links_or_notes_is_no_special_case(tmp_path: Path) -> None:
    empty = snapshot_of({})
    assert len(interop.obsidian_vault(tmp_path, empty).graph) == 0
    assert interop.measures(empty) == []
    assert len(interop.table([])) == 0
    [alone] = interop.measures(snapshot_of({"x.md": ""}))
    assert alone._replace(pagerank=round(alone.pagerank, 6)) == interop.Measure("x.md", 0, 0, 0, 1.0, 0.0, 1)


def test_measures_count_what_the_commands_list() -> None:
    snapshot = snapshot_of(FILES)
    rows = {row.path: row for row in interop.measures(snapshot)}
    for path in snapshot.notes:
        assert rows[path].links == len(graph.edges_from(snapshot, path))
        assert rows[path].backlinks == len(graph.edges_to(snapshot, path))
        assert rows[path].linking == len(graph.backlinks(snapshot, path))
    assert [path for path, row in rows.items() if row.component == 1] == ["a/Plan.md", "Home.md", "a/Twin.md", "b/Twin.md"]
    assert rows["alone.md"].component > 1


def test_pagerank_is_the_known_solution() -> None:
    rows = {row.path: row.pagerank for row in interop.measures(snapshot_of({"a.md": "[[b]]", "b.md": "[[a]]", "c.md": "[[a]]"}))}
    c = 0.15 / 3
    a = (c + 0.85 * c + 0.85 * c) / (1 - 0.85**2)  # a = c + .85 (b + c) and b = c + .85 a
    assert rows["c.md"] == pytest.approx(c, abs=1e-6)
    assert rows["a.md"] == pytest.approx(a, abs=1e-6)
    assert math.fsum(rows.values()) == pytest.approx(1)


def test_betweenness_is_left_out_of_large_vaults_only() -> None:
    small = {row.path: row.betweenness for row in interop.measures(snapshot_of({"a.md": "[[b]]", "b.md": "[[c]]", "c.md": ""}))}
    assert small == {"a.md": 0, "b.md": 0.5, "c.md": 0}
    large = interop.measures(snapshot_of({f"n{number}.md": "" for number in range(600)}))
    assert {row.betweenness for row in large} == {None}


def test_the_table_and_its_csv_hold_every_note(tmp_path: Path) -> None:
    rows = interop.measures(snapshot_of({**FILES, 'a "b", c.md': "[[Home]]", "計画.md": ""}))
    assert list(interop.table(rows).index) == [row.path for row in rows]
    interop.to_csv(rows, tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
        read = list(csv.DictReader(file))
    assert [(row["path"], int(row["backlinks"])) for row in read] == [(row.path, row.backlinks) for row in rows]


def test_graphml_can_be_read_and_counts_parallel_links(tmp_path: Path) -> None:
    interop.to_graphml(snapshot_of({**FILES, "bell\a & <x>.md": "[[Home]]"}), tmp_path / "out.graphml")
    root = ET.parse(tmp_path / "out.graphml").getroot()
    space = "{http://graphml.graphdrawing.org/xmlns}"
    nodes = {node.get("id") for node in root.iter(f"{space}node")}
    assert {"Home.md", "a/Plan.md", "Wished for", "board.canvas", "bell\ufffd & <x>.md"} <= nodes
    weight = {(edge.get("source"), edge.get("target")): edge.findtext(f"{space}data") for edge in root.iter(f"{space}edge")}
    assert weight["Home.md", "a/Plan.md"] == "4"


def test_nothing_is_printed_on_standard_output(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    snapshot = snapshot_of({**FILES, "bad.md": "---\na: {{x}\n---\n"})
    interop.obsidian_vault(tmp_path / "[x]", snapshot)
    interop.measures(snapshot)
    interop.to_graphml(snapshot, tmp_path / "out.graphml")
    assert capfd.readouterr().out == ""
