"""`recall --spread`: from the notes that a prompt is about, along links, to what they lead to (memory.md M25)."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from vaultkit import graph
from vaultkit import recall as engine
from vaultkit.app import App
from vaultkit.errors import ConfigError, VaultkitError
from vaultkit.operations.recall import Ask, Line, Recalled, candidates, policy_of, record, uses_of
from vaultkit.operations.recall import to_json as recalled_to_json
from vaultkit.recall.activation import Settings, entries_of, summarise, tokens_of, tree
from vaultkit.recall.digest import CLOSING, HEADER, OPENING, cut, inert

BACKWARDS: Final = 0.9  # of a link's weight, followed from its target to its source


class Spread(NamedTuple):
    """The answer, and what was reached in the order of activation."""

    answer: Recalled
    reached: tuple[engine.Activated, ...]


def spread(app: App, ask: Ask) -> Spread:
    """What the prompt's notes lead to. Nothing when the prompt is about nothing."""
    began = time.perf_counter()
    settings = settings_of(app.config.spread)
    prompt = engine.clean(ask.prompt)
    confidence = "none"
    reached: list[engine.Activated] = []
    texts = _Texts(app, policy_of(app, ask.harness)._replace(inactive=ask.everything))
    if not prompt.noise:
        app.sync()
        rows, stats = candidates(app, prompt, texts.policy)
        scored = engine.rank(prompt, rows, stats, texts.policy, uses=uses_of(app), now=app.now())
        confidence = engine.judge(scored, prompt, stats).confidence
        similarity = _similarities(scored, sure=confidence != "none")
        reached = engine.spread(
            entries_of(similarity, settings),
            _Edges(app),
            settings,
            similarity=lambda path: similarity.get(path, 0.0),
            cost=texts.cost,
            allowed=texts.allowed,
        )
    text = "\n".join([OPENING, HEADER, "m=spread", tree(reached, texts.title, texts.full, texts.summary), CLOSING]) if reached else ""
    notes = tuple(
        Line(
            one.path,
            texts.title(one.path),
            texts.description(one.path),
            round(one.activation, 4),
            {"similarity": round(one.similarity, 3), "parent": one.parent, "hops": one.hops, "depth": one.depth},
        )
        for one in reached
    )
    took = round((time.perf_counter() - began) * 1000, 2)
    fallback = f"noise: {prompt.reason}" if prompt.noise else ""
    found = Recalled("spread", "spread", fallback, confidence, ask.served_by, took, notes, text)
    record(app, ask, found)
    return Spread(found, tuple(reached))


def to_json(found: Spread) -> dict[str, Any]:
    """The answer of `recall --spread --json`."""
    return recalled_to_json(found.answer) | {"tree": nested(found.reached)}


def settings_of(values: Mapping[str, Any]) -> Settings:
    """The numbers of M25, with those that the setting `spread` changes."""
    unknown = sorted(set(values) - set(Settings._fields))
    if unknown:
        raise ConfigError(f"spread has no number {unknown[0]}", hint=f"it has {', '.join(Settings._fields)}")
    whole = {"entries", "tokens", "most"}
    changed: dict[str, Any] = {name: int(value) if name in whole else float(value) for name, value in values.items()}
    return Settings()._replace(**changed)


def nested(reached: Sequence[engine.Activated]) -> list[dict[str, Any]]:
    """The tree as JSON: each note with the notes that were reached from it."""
    nodes = {one.path: {**one._asdict(), "children": []} for one in reached}
    roots: list[dict[str, Any]] = []
    for one in reached:
        (roots if one.parent is None else nodes[one.parent]["children"]).append(nodes[one.path])
    return roots


def _similarities(scored: Sequence[engine.Scored], *, sure: bool) -> dict[str, float]:
    """A note's share of the best score. Where nothing speaks for it, the bare score: the nearest note then starts faintly."""
    best = scored[0].score if scored and sure else 1.0
    return {one.path: min(1.0, one.score / best) for one in scored if one.score > 0} if best > 0 else {}


class _Edges(Mapping[str, Sequence[engine.Edge]]):
    """The links of a note, looked up when it is reached: those it has, then those that lead to it."""

    def __init__(self, app: App) -> None:
        self._snapshot = app.snapshot()

    def __getitem__(self, path: str) -> Sequence[engine.Edge]:
        found: dict[str, engine.Edge] = {}
        for edge in graph.edges_from(self._snapshot, path):
            target = edge.target.path
            if target is not None and target != path and target in self._snapshot.notes:
                found.setdefault(target, engine.Edge(target))
        for edge in graph.edges_to(self._snapshot, path):
            if edge.source in self._snapshot.notes and edge.source != path:
                found.setdefault(edge.source, engine.Edge(edge.source, BACKWARDS))
        return list(found.values())

    def __iter__(self) -> Iterator[str]:
        return iter(self._snapshot.notes)

    def __len__(self) -> int:
        return len(self._snapshot.notes)


class _Texts:
    """What of a note is shown, read when it is needed."""

    def __init__(self, app: App, policy: engine.Policy) -> None:
        self.policy = policy
        self._app = app
        self._rows: dict[str, engine.Row | None] = {}
        self._bodies: dict[str, str] = {}

    def allowed(self, path: str) -> bool:
        row = self._row(path)
        return row is not None and engine.allowed(row, self.policy)

    def title(self, path: str) -> str:
        row = self._row(path)
        return cut(inert(row.title), 120) if row else path

    def description(self, path: str) -> str:
        row = self._row(path)
        return engine.line_of(row).description if row else ""

    def full(self, path: str) -> str:
        if path not in self._bodies:
            try:
                note, text = self._app.read(path)
                self._bodies[path] = text[note.body :]
            except (VaultkitError, OSError):  # moved or trashed since the sync
                self._bodies[path] = ""
        return self._bodies[path]

    def summary(self, path: str) -> str:
        return summarise(self.description(path), self.full(path))

    def cost(self, path: str, depth: str) -> int:
        shown = {"full": self.full, "summary": self.summary}.get(depth, lambda _: "")(path)
        # A line of the tree, and for each line of text its margin.
        return tokens_of(self.title(path) + path) + _LINE + tokens_of(shown) + 2 * shown.count("\n")

    def _row(self, path: str) -> engine.Row | None:
        if path not in self._rows:
            self._rows[path] = next(iter(self._app.rows([path])), None)
        return self._rows[path]


_LINE: Final = 14  # tokens of the marks and numbers of a note's line
