"""The labelled captures of tests/golden/dream.tsv, and how well a dream does on them."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from vaultkit.app import open_app
from vaultkit.operations import dream as dreams

GOLDEN = Path(__file__).parents[1] / "golden" / "dream.tsv"


class Row(NamedTuple):
    """One capture. *topic* of a distractor is its own; *twin* is the row that it says again."""

    topic: str
    language: str
    text: str
    twin: int | None


class Figures(NamedTuple):
    """What `make eval` prints."""

    captures: int
    rand: float  # adjusted Rand index of the partition
    wrong: int  # captures in a group of another topic
    twins: int
    twin_precision: float
    links: int
    links_astray: float  # share that joins two topics
    splits: int
    split_precision: float
    split_recall: float


def rows() -> list[Row]:
    """Every capture."""
    read = [line.split("\t") for line in GOLDEN.read_text("utf-8").splitlines()]
    found: list[Row] = []
    for number, (mark, language, text) in enumerate(read):
        twin = int(mark[1:]) if mark.startswith("=") else None
        topic = found[twin].topic if twin is not None else f"alone-{number}" if mark == "-" else mark
        found.append(Row(topic, language, text, twin))
    return found


def title_of(text: str) -> str:
    """A capture's title: its first clause."""
    return re.split(r"[。.:;]", text)[0][:60]


def adjusted_rand(labels: Sequence[object], found: Sequence[object]) -> float:
    """Agreement of two partitions: 1 the same, 0 as by chance (Hubert and Arabie 1985)."""
    pairs = sum(math.comb(count, 2) for count in Counter(zip(labels, found, strict=True)).values())
    left = sum(math.comb(count, 2) for count in Counter(labels).values())
    right = sum(math.comb(count, 2) for count in Counter(found).values())
    chance = left * right / math.comb(len(labels), 2)
    return (pairs - chance) / ((left + right) / 2 - chance)


def measure(root: Path) -> Figures:
    """Dream over vaults made of the captures, in the empty folder *root*, with the embedder that is installed."""
    golden = rows()
    partition, wrong = _partition(golden, root / "captures")
    twins, twin_precision = _twins(golden, root / "notes")
    links, astray = _links(golden, root / "linked")
    splits, precision, recall = _splits(golden, root / "long")
    return Figures(len(golden), partition, wrong, twins, twin_precision, links, astray, splits, precision, recall)


def _vault(root: Path, notes: dict[str, str]) -> dreams.Planner:
    root.mkdir(parents=True)
    (root / ".vaultkit.toml").write_text("")
    for path, text in notes.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")
    app = open_app(root=root, flags={"write_cap": 10_000, "intake_minutes": 0})
    app.sync()
    done = app.embed()
    assert not done.left, done
    return dreams.planner(app)


def _note(row: Row, kind: str, extra: str = "") -> str:
    return f'---\ntitle: "{title_of(row.text)}"\ndate: 2026-10-01\nscope: work\ntype: {kind}\n{extra}---\n{row.text}\n'


def _partition(golden: Sequence[Row], root: Path) -> tuple[float, int]:
    planner = _vault(root, {f"inbox/c{number}.md": _note(row, "braindump") for number, row in enumerate(golden)})
    dreamed = planner.run()
    groups = {path: number for number, cluster in enumerate(dreamed.clusters) for path in cluster.originals}
    found = [groups.get(f"inbox/c{number}.md", -number - 1) for number in range(len(golden))]
    wrong = 0
    for cluster in dreamed.clusters:
        topics = Counter(golden[int(path[7:-3])].topic for path in cluster.originals)
        wrong += topics.total() - topics.most_common(1)[0][1]
    return adjusted_rand([row.topic for row in golden], found), wrong


def _twins(golden: Sequence[Row], root: Path) -> tuple[int, float]:
    planner = _vault(root, {f"n{number}.md": _note(row, "knowledge") for number, row in enumerate(golden)})
    found = [{int(twin.winner[1:-3]), int(twin.loser[1:-3])} for twin in planner.twins()]
    true = [{number, row.twin} for number, row in enumerate(golden) if row.twin is not None]
    return len(found), sum(pair in true for pair in found) / len(found) if found else 1.0


def _links(golden: Sequence[Row], root: Path) -> tuple[int, float]:
    """Each topic has a map that links to every second note; tags go across topics."""
    notes = {
        f"n{number}.md": _note(row, "knowledge", f"tags: [{('home', 'work', 'later')[number % 3]}]\n")
        for number, row in enumerate(golden)
        if row.twin is None
    }
    for topic in {row.topic for row in golden if not row.topic.startswith("alone")}:
        mine = [number for number, row in enumerate(golden) if row.topic == topic and row.twin is None]
        notes[f"{topic} moc.md"] = "---\ntype: moc\n---\n" + "".join(f"- [[n{number}]]\n" for number in mine[::2])
    found = _vault(root, notes).run().links
    topics = {f"n{number}.md": row.topic for number, row in enumerate(golden)}
    return len(found), sum(topics[link.source] != topics[link.target] for link in found) / len(found) if found else 0.0


def _splits(golden: Sequence[Row], root: Path) -> tuple[int, float, float]:
    """Notes of one topic and of two, as sections and as paragraphs."""
    by_topic: dict[str, list[str]] = {}
    for row in golden:
        if row.twin is None and not row.topic.startswith("alone"):
            by_topic.setdefault(row.topic, []).append(row.text)
    names = sorted(by_topic)
    notes: dict[str, str] = {}
    for number, name in enumerate(names):
        other = names[(number + 4) % len(names)]
        heads = number % 2 == 0
        one = [*by_topic[name], *by_topic[name]]  # long enough to be looked at
        notes[f"one-{name}.md"] = _long(name, one[:8], heads=heads)
        notes[f"two-{name}.md"] = _long(name, [*by_topic[name][:4], *by_topic[other][:4]], heads=heads)
    planner = _vault(root, notes)
    found = [path for path in notes if planner.split_of(path) is not None]
    right = sum(path.startswith("two-") for path in found)
    return len(found), right / len(found) if found else 1.0, right / len(names)


def _long(title: str, parts: Sequence[str], *, heads: bool) -> str:
    body = "\n".join(f"## {title_of(part)}\n\n{part}\n" if heads else f"{part}\n" for part in parts)
    return f"---\ntitle: {title}\ndate: 2026-10-01\ntype: knowledge\n---\n{body}"
