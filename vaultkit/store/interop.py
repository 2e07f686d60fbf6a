"""obsidiantools, NetworkX and pandas views of our graph, for people who script against these libraries.

obsidiantools itself reads slowly and resolves many links wrongly, so its `Vault` is never connected here: its indexes and its graph are
filled from our Snapshot, and its own methods then answer from them. The three libraries are imported at first use only.
"""

from __future__ import annotations

import contextlib
import json
import re
import sys
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from vaultkit.graph import Edge, Snapshot, edges
from vaultkit.text.edit import printable

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd
    from obsidiantools.api import Vault


class Measure(NamedTuple):
    """What the link graph says about one note. *links* and *backlinks* count the links from it and to it, its own to itself included."""

    path: str
    links: int
    backlinks: int
    linking: int  # other notes and canvases that link here
    pagerank: float
    betweenness: float | None  # None in a vault too large for it
    component: int  # 1 is the largest set of connected notes


def bridges(snapshot: Snapshot, *, without: Collection[frozenset[str]] = ()) -> frozenset[frozenset[str]]:
    """Pairs of notes whose link is all that holds two parts of the vault together, once the links between *without* are gone."""
    import networkx as nx

    graph: nx.Graph[str] = nx.Graph()
    for edge in edges(snapshot):
        target = edge.target.path
        if target is not None and target != edge.source and frozenset((edge.source, target)) not in without:
            graph.add_edge(edge.source, target)
    return frozenset(frozenset(pair) for pair in nx.bridges(graph))


def obsidian_vault(root: Path, snapshot: Snapshot) -> Vault:
    """An `obsidiantools.api.Vault` that holds our links: every index filled, attachments and canvases among the nodes.

    Links of every syntax count as wikilinks or embedded files, by the name of the file they lead to. Tags are whole (`a/b`).
    `gather()` still reads the files itself; mathematics is not indexed.
    """
    with contextlib.redirect_stdout(sys.stderr):  # the library prints
        from obsidiantools.api import Vault
        from obsidiantools.canvas_utils import get_canvas_graph_detail

    names = _names(snapshot)
    graph = _graph(snapshot, names)
    notes = {names[path]: snapshot.notes[path] for path in sorted(snapshot.notes)}
    boards = {names[path]: _canvas(snapshot.canvases[path]) for path in sorted(snapshot.canvases)}
    paths = {name: path for path, name in names.items()}
    media = [name for name in sorted(paths) if name not in notes and name not in boards]
    plain: dict[str, list[str]] = {name: [] for name in notes}
    embedded: dict[str, list[str]] = {name: [] for name in notes}
    markdown: dict[str, list[str]] = {name: [] for name in notes}
    for edge in edges(snapshot):
        if edge.source in snapshot.notes:
            name = names[edge.source]
            (embedded if edge.link.embed else plain)[name].append(_node(edge, names))
            if edge.link.syntax == "markdown":
                markdown[name].append(edge.link.target + edge.link.subpath)
    vault = Vault.__new__(Vault)  # its __init__ walks the folder by glob, which brackets in a path and symlink loops break
    filled: dict[str, Any] = {
        "dirpath": root,
        "attachments": True,
        "is_connected": True,
        "is_gathered": False,
        "graph": graph,
        "md_file_index": {name: Path(note.path) for name, note in notes.items()},
        "canvas_file_index": {name: Path(paths[name]) for name in boards},
        "media_file_index": {name: Path(paths[name]) for name in media},
        "wikilinks_index": plain,
        "unique_wikilinks_index": _unique(plain),
        "embedded_files_index": embedded,
        "md_links_index": markdown,
        "unique_md_links_index": _unique(markdown),
        "backlinks_index": {node: [source for source, _target in graph.in_edges(node)] for node in graph},
        "tags_index": {name: list(note.tags) for name, note in notes.items()},
        "front_matter_index": {name: dict(note.properties) for name, note in notes.items()},
        "math_index": {name: [] for name in notes},
        "source_text_index": {},
        "readable_text_index": {},
        "canvas_content_index": boards,
        "canvas_graph_detail_index": {name: get_canvas_graph_detail(content) for name, content in boards.items() if content},
        "nonexistent_notes": [node for node in graph if node not in paths],
        "nonexistent_media_files": [],
        "nonexistent_canvas_files": [],
        "isolated_notes": [name for name in notes if graph.degree(name) == 0],
        "isolated_media_files": [name for name in media if graph.in_degree(name) == 0],
        "isolated_canvas_files": [name for name in boards if graph.degree(name) == 0],
    }
    for attribute, value in filled.items():
        setattr(vault, f"_{attribute}", value)
    return vault


def measures(snapshot: Snapshot) -> list[Measure]:
    """Every note with its measures, most linked first."""
    import networkx as nx

    graph = _simple_graph(snapshot)
    ranks = _pagerank(graph)
    between = nx.betweenness_centrality(graph) if len(graph) <= _FEW else {}
    parts = sorted(nx.weakly_connected_components(graph), key=lambda part: (-len(part), min(part)))
    component = {path: number for number, part in enumerate(parts, start=1) for path in part}
    out = Counter(edge.source for edge in edges(snapshot))
    into = Counter(edge.target.path for edge in edges(snapshot))
    found = [
        Measure(path, out[path], into[path], graph.in_degree(path), ranks[path], between.get(path), component[path])
        for path in snapshot.notes
    ]
    return sorted(found, key=lambda row: (-row.backlinks, -row.pagerank, row.path))


def table(rows: Sequence[Measure]) -> pd.DataFrame:
    """The measures as a pandas table, indexed by path."""
    import pandas as pd

    return pd.DataFrame.from_records(rows, columns=Measure._fields, index="path")


def to_csv(rows: Sequence[Measure], file: Path) -> None:
    """Write the measures as comma-separated values."""
    shown = [row._replace(path=printable(row.path)) for row in rows]
    table(shown).to_csv(file, lineterminator="\n")


def link_graph(snapshot: Snapshot) -> nx.MultiDiGraph:
    """Files (by path) and the links between them, one edge each; what nothing answers to is a node with `exists` false."""
    return _graph(snapshot, {path: path for path in _names(snapshot)})


def to_graphml(snapshot: Snapshot, file: Path) -> None:
    """Write the link graph for Gephi and the like; parallel links become one edge with their number as `weight`."""
    import networkx as nx

    graph = nx.DiGraph()
    whole = link_graph(snapshot)
    graph.add_nodes_from((_xml(node), {"label": _xml(node.rpartition("/")[2]), **data}) for node, data in whole.nodes(data=True))
    weights = Counter((_xml(source), _xml(target)) for source, target in whole.edges())
    graph.add_weighted_edges_from((source, target, count) for (source, target), count in weights.items())
    nx.write_graphml_xml(graph, file, encoding="utf-8")


_FEW: Final = 500  # betweenness takes time with the square of the notes
_DAMPING: Final = 0.85
_ROUNDS: Final = 100
_ENOUGH: Final = 1e-9
_MEDIA: Final = frozenset(
    "avif bmp gif jpeg jpg png svg webp flac m4a mp3 ogg wav webm 3gp mkv mov mp4 ogv pdf".split()  # noqa: SIM905 - a list to read
)
_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _names(snapshot: Snapshot) -> dict[str, str]:
    """The names that obsidiantools gives notes, canvases and attachments: bare, or the path where several files share that name."""
    linked = {edge.target.path for edge in edges(snapshot)}
    known = snapshot.notes.keys() | snapshot.canvases.keys()
    paths = sorted(known | {path for path in snapshot.files if path in linked or path.rpartition(".")[2].lower() in _MEDIA})
    whole = {path: path for path in paths}
    longer = {path: path[:-3] if path in snapshot.notes and path[-3:].lower() == ".md" else path for path in paths}
    names = {path: name.rpartition("/")[2] for path, name in longer.items()}
    for fallback in (longer, whole):
        shared = Counter(names.values())
        names = {path: name if shared[name] == 1 else fallback[path] for path, name in names.items()}
    return names if len(set(names.values())) == len(names) else whole


def _node(edge: Edge, names: dict[str, str]) -> str:
    """The name of the node that a link leads to; for what nothing answers to, the target as written."""
    return names[edge.target.path] if edge.target.path is not None else edge.link.target


def _graph(snapshot: Snapshot, names: dict[str, str]) -> nx.MultiDiGraph:
    import networkx as nx

    graph = nx.MultiDiGraph()
    graph.add_nodes_from((name, {"exists": True}) for name in names.values())
    for edge in edges(snapshot):
        node = _node(edge, names)
        if node not in graph:
            graph.add_node(node, exists=False)
        graph.add_edge(names[edge.source], node)
    return graph


def _simple_graph(snapshot: Snapshot) -> nx.DiGraph:
    """Notes and canvases and which links to which, without links to oneself."""
    import networkx as nx

    graph = nx.DiGraph()
    graph.add_nodes_from(sorted(snapshot.notes.keys() | snapshot.canvases.keys()))
    graph.add_edges_from(
        (edge.source, edge.target.path) for edge in edges(snapshot) if edge.target.path in graph and edge.target.path != edge.source
    )
    return graph


def _pagerank(graph: nx.DiGraph) -> dict[str, float]:
    """PageRank by power iteration: NetworkX's own needs SciPy, which nothing else here does."""
    import numpy as np

    nodes = list(graph)
    size = len(nodes)
    if not size:
        return {}
    number = {node: index for index, node in enumerate(nodes)}
    pairs = np.array([(number[source], number[target]) for source, target in graph.edges()], dtype=np.int64).reshape(-1, 2)
    out = np.bincount(pairs[:, 0], minlength=size)
    rank = np.full(size, 1 / size)
    for _round in range(_ROUNDS):
        share = np.divide(rank, out, out=np.zeros(size), where=out > 0)
        flowing = np.bincount(pairs[:, 1], weights=share[pairs[:, 0]], minlength=size)
        new = (1 - _DAMPING) / size + _DAMPING * (flowing + rank[out == 0].sum() / size)
        moved = float(np.abs(new - rank).sum())
        rank = new
        if moved < _ENOUGH:
            break
    return dict(zip(nodes, map(float, rank), strict=True))


def _canvas(text: str) -> dict[str, Any]:
    """A canvas's content as obsidiantools wants it; empty when it cannot be read."""
    try:
        data = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return {}
    if not isinstance(data, dict) or not isinstance(data.get("nodes"), list):
        return {}
    return {**data, **{key: [item for item in data.get(key) or [] if isinstance(item, dict)] for key in ("nodes", "edges")}}


def _unique(index: dict[str, list[str]]) -> dict[str, list[str]]:
    return {name: list(dict.fromkeys(found)) for name, found in index.items()}


def _xml(text: str) -> str:
    """Text that XML can hold."""
    return _NOT_XML.sub("\ufffd", text)
