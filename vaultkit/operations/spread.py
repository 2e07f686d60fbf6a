"""`recall --spread`: from the notes that a prompt is about, along links, to what they lead to (memory.md M25)."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from vaultkit import graph
from vaultkit import recall as engine
from vaultkit.app import App
from vaultkit.errors import ConfigError, VaultkitError
from vaultkit.operations._meaning import DEEP, Asked, ask_model
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
    confidence, fallback = "none", f"noise: {prompt.reason}" if prompt.noise else ""
    reached: list[engine.Activated] = []
    texts = _Texts(app, policy_of(app, ask.harness)._replace(inactive=ask.everything))
    if not prompt.noise:
        app.sync()
        rows, stats = candidates(app, prompt, texts.policy)
        scored = engine.rank(prompt, rows, stats, texts.policy, uses=uses_of(app), now=app.now())
        judged = engine.judge(scored, prompt, stats)
        confidence = judged.confidence
        similarity, edges = _similarities(scored, sure=confidence != "none"), _Edges(app)
        asked, problems = ask_model(app, prompt.text, load=True)
        if asked is None:
            fallback = f"similarity by words: {problems[0] if problems else 'no vectors'}"
        else:
            if "threshold" not in app.config.spread:
                settings = settings._replace(threshold=asked.entry)
            similarity = _cosines(app, asked, [one.path for one in scored], texts)
            if confidence == "high":  # what the words are sure of starts, whatever the model thinks of it
                similarity |= {one.path: max(similarity.get(one.path, 0.0), settings.threshold) for one in judged.shown}
            edges = _Edges(app, inferred=True)
        reached = engine.spread(
            entries_of(similarity, settings),
            edges,
            settings,
            similarity=lambda path: similarity.get(path, 0.0),
            cost=texts.cost,
            allowed=texts.allowed,
        )
        texts.keep()
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


def _cosines(app: App, asked: Asked, also: Sequence[str], texts: _Texts) -> dict[str, float]:
    """How near the notes are that may be shown at all: the nearest ones, and those that have the words."""
    near = app.vectors.nearness(asked.vector, allowed=frozenset(app.embeddable()), nearest=DEEP, also=also)
    return {path: cosine for path, cosine in near.cosines.items() if cosine > 0 and texts.allowed(path)} if near else {}


class _Edges(Mapping[str, Sequence[engine.Edge]]):
    """The links of a note, looked up when it is reached: those it has, then those that lead to it, then notes that say much the same.

    The last are *inferred*, from the vectors; they never weigh as much as a link that somebody wrote.
    """

    def __init__(self, app: App, *, inferred: bool = False) -> None:
        self._snapshot = app.snapshot()
        self._app = app if inferred else None

    def __getitem__(self, path: str) -> Sequence[engine.Edge]:
        found: dict[str, engine.Edge] = {}
        for edge in graph.edges_from(self._snapshot, path):
            target = edge.target.path
            if target is not None and target != path and target in self._snapshot.notes:
                found.setdefault(target, engine.Edge(target))
        for edge in graph.edges_to(self._snapshot, path):
            if edge.source in self._snapshot.notes and edge.source != path:
                found.setdefault(edge.source, engine.Edge(edge.source, BACKWARDS))
        for target, strength in self._like(path):
            found.setdefault(target, engine.Edge(target, strength, inferred=True))
        return list(found.values())

    def _like(self, path: str) -> Iterator[tuple[str, float]]:
        """The nearest notes above the calibrated threshold of repetition; at that of duplicates an edge is as strong as it gets."""
        known = self._app.vectors.calibration if self._app else None
        if self._app is None or known is None:
            return
        vector = self._app.vectors.vector(path)
        near = self._app.vectors.nearness(vector, allowed=self._app.embeddable(), nearest=_LIKE) if vector is not None else None
        for target, cosine in sorted(near.cosines.items(), key=lambda item: -item[1]) if near else ():
            if target != path and target in self._snapshot.notes and cosine >= known.repetition:
                yield target, min(1.0, cosine / known.duplicate)

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
        self._summaries = _read_summaries(app)
        self._summed = False

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
        """Made once of each content, and kept."""
        row = self._app.manifest().get(path)
        key = row.hash if row else path
        if key not in self._summaries:
            self._summaries[key] = summarise(self.description(path), self.full(path))
            self._summed = True
        return self._summaries[key]

    def keep(self) -> None:
        """Keep the summaries for the next time, those made last."""
        if self._summed:
            self._app.cache.remember(_SUMMARIES, json.dumps(dict(list(self._summaries.items())[-_KEPT:])))

    def cost(self, path: str, depth: str) -> int:
        shown = {"full": self.full, "summary": self.summary}.get(depth, lambda _: "")(path)
        # A line of the tree, and for each line of text its margin.
        return tokens_of(self.title(path) + path) + _LINE + tokens_of(shown) + 2 * shown.count("\n")

    def _row(self, path: str) -> engine.Row | None:
        if path not in self._rows:
            self._rows[path] = next(iter(self._app.rows([path])), None)
        return self._rows[path]


def _read_summaries(app: App) -> dict[str, str]:
    try:
        found = json.loads(app.cache.meta(_SUMMARIES) or "{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


_SUMMARIES: Final = "summaries"
_KEPT: Final = 500
_LIKE: Final = 4  # the note itself is one of them
_LINE: Final = 14  # tokens of the marks and numbers of a note's line
