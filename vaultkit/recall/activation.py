"""Spreading activation: from the notes that a prompt is about to what they lead to (memory.md M25). Pure.

    entries   notes whose similarity passes the threshold, at most five; if none does, the nearest one. They start at 1, the nearest one
              below the threshold at its share of it: what 0.6 means differs from model to model, and the threshold is calibrated.
    child     parent × decay × the edge's weight: 1 for a link that somebody wrote, less for one that was inferred
    prune     a child below 60 % of its parent is not followed
    once      each note stands where it is most active
    depth     activation > 0.7 full text, from 0.4 on its summary, below that its title; a budget of tokens caps the whole

What is linked to is reached though similarity ranks it nowhere: that is the point. Of children that are equally active the more similar
come first, so that a hub with 200 links gives its nearest and not its first.
"""

from __future__ import annotations

import heapq
import re
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from vaultkit.recall.digest import cut, inert

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

Depth = Literal["full", "summary", "title"]


class Settings(NamedTuple):
    """The numbers of M25."""

    threshold: float = 0.75  # of similarity; calibrated per model and vault by the caller
    entries: int = 5
    decay: float = 0.7
    prune: float = 0.6
    inferred: float = 0.9  # what an inferred edge of full strength is worth beside an explicit one
    full: float = 0.7
    summary: float = 0.4
    least: float = 0.1  # activation below which nothing is followed
    tokens: int = 2000
    most: int = 50  # notes


class Edge(NamedTuple):
    """A way from one note to another. *weight* is an inferred edge's strength, 0 to 1; an explicit one has 1."""

    target: str
    weight: float = 1.0
    inferred: bool = False


class Entry(NamedTuple):
    """A note where the spreading starts."""

    path: str
    similarity: float


class Activated(NamedTuple):
    """A note that was reached: how active, how similar to the prompt, from where (None: an entry), how much of it is shown."""

    path: str
    activation: float
    similarity: float
    parent: str | None
    hops: int
    depth: Depth
    tokens: int
    inferred: bool = False  # the last step was


DEFAULTS: Final = Settings()


def entries_of(similarities: Mapping[str, float], settings: Settings = DEFAULTS) -> list[Entry]:
    """The notes above the threshold, most similar first, at most five; else the nearest one."""
    nearest = heapq.nsmallest(settings.entries, similarities.items(), key=lambda item: (-item[1], item[0]))
    passed = [Entry(*item) for item in nearest if item[1] >= settings.threshold]
    return passed or [Entry(*item) for item in nearest[:1]]


def spread(
    entries: Iterable[Entry],
    edges: Mapping[str, Sequence[Edge]],
    settings: Settings = DEFAULTS,
    *,
    similarity: Callable[[str], float] = lambda _: 0.0,
    cost: Callable[[str, Depth], int] = lambda _, depth: _USUAL[depth],
    allowed: Callable[[str], bool] = lambda _: True,
) -> list[Activated]:
    """The notes reached, most active first, as far as the tokens reach.

    *similarity* is a note's to the prompt; *cost* what it takes to show a note that deep; what is not *allowed* is neither shown nor passed
    through. Where the budget is short of a note's depth, it is shown less deep.
    """
    known = {entry.path: entry.similarity for entry in entries if allowed(entry.path)}
    queue: list[tuple[float, float, str, str | None, int, bool]] = []
    for path, value in known.items():
        start = _bounded(value / settings.threshold) if settings.threshold > 0 else 1.0
        heapq.heappush(queue, (-start, -_bounded(value), path, None, 0, False))
    found: list[Activated] = []
    reached: set[str] = set()
    room = settings.tokens
    while queue and len(found) < settings.most:
        minus_activation, minus_similarity, path, parent, hops, inferred = heapq.heappop(queue)
        if path in reached:
            continue
        reached.add(path)
        activation = -minus_activation
        shown = _deepest(path, activation, room, cost, settings)
        if shown is None:
            break  # not even a title fits: what comes now matters less
        depth, tokens = shown
        room -= tokens
        found.append(Activated(path, activation, -minus_similarity, parent, hops, depth, tokens, inferred))
        for edge in edges.get(path, ()):
            passed_on = activation * settings.decay * worth(edge, settings)
            if edge.target in reached or passed_on < settings.prune * activation - _EPSILON or passed_on < settings.least:
                continue
            if allowed(edge.target):
                near = known[edge.target] if edge.target in known else _bounded(similarity(edge.target))
                known[edge.target] = near
                heapq.heappush(queue, (-passed_on, -near, edge.target, path, hops + 1, edge.inferred))
    return found


def worth(edge: Edge, settings: Settings = DEFAULTS) -> float:
    """An edge's weight: an inferred one is never worth as much as one that somebody wrote."""
    weight = _bounded(edge.weight)
    return weight * settings.inferred if edge.inferred else weight


def tree(
    found: Sequence[Activated],
    title: Callable[[str], str],
    text: Callable[[str], str],
    summary: Callable[[str], str],
) -> str:
    """What was reached, as a tree: each note under the one it was reached from, with its activation, its similarity and as much as it is due."""
    children: dict[str | None, list[Activated]] = {}
    for one in found:
        children.setdefault(one.parent, []).append(one)
    lines: list[str] = []
    stack = [(one, 0) for one in reversed(children.get(None, []))]
    while stack:
        one, level = stack.pop()
        margin = "  " * level
        mark = "entry" if one.parent is None else "~" if one.inferred else "→"
        lines.append(
            f"{margin}{mark} {inert(title(one.path))} ({inert(one.path)}) act={one.activation:.2f} sim={one.similarity:.2f} {one.depth}"
        )
        if one.depth != "title":
            shown = text(one.path) if one.depth == "full" else summary(one.path)
            lines += (f"{margin}  | {inert(line)}" for line in shown.splitlines() if line.strip())
        stack += [(child, level + 1) for child in reversed(children.get(one.path, []))]
    return "\n".join(lines)


def summarise(description: str, body: str, *, lines: int = 3, width: int = 160) -> str:
    """A note in two or three lines: its description, then the first sentences of its body. Worth keeping by the hash of its content."""
    found = [cut(inert(description), width)] if description.strip() else []
    for line in body[:_READ].splitlines():
        if len(found) >= lines:
            break
        if not _SKIPPED.match(line):
            found.append(cut(inert(_MARKS.sub("", line)), width))
    return "\n".join(found)


def tokens_of(text: str) -> int:
    """About how many tokens *text* costs a model: four characters of Latin script, or one of Japanese, are one."""
    plain = sum(1 for char in text if char < "\u0250")
    return (plain + 3) // 4 + len(text) - plain


_USUAL: Final[Mapping[Depth, int]] = {"full": 400, "summary": 60, "title": 15}
_DEPTHS: Final[tuple[Depth, ...]] = ("full", "summary", "title")
_EPSILON: Final = 1e-9  # 0.7 × 0.6 / 0.7 is a little less than 0.6
_READ: Final = 4000
_SKIPPED: Final = re.compile(r"\s*(?:$|#{1,6}\s|[-*_=`~]{3,}|\||!\[|%%|<!--)")
_MARKS: Final = re.compile(r"^\s*(?:> ?|[-*+] (?:\[.\] )?|\d{1,9}[.)] )+")


def _deepest(path: str, activation: float, room: int, cost: Callable[[str, Depth], int], settings: Settings) -> tuple[Depth, int] | None:
    due = 0 if activation > settings.full else 1 if activation >= settings.summary - _EPSILON else 2
    for depth in _DEPTHS[due:]:
        tokens = cost(path, depth)
        if tokens <= room:
            return depth, tokens
    return None


def _bounded(value: float) -> float:
    return min(1.0, max(0.0, value))
