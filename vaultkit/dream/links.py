"""Cross-links between notes, and which of them to take back (memory.md M38, M41). Pure.

A link is worth writing when two things speak for it: what the notes say, and what they have in common in the graph. Their sum has to reach a
bar that neither reaches alone. Hubs are out: everything has a link with `home` in common.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from vaultkit.dream.sections import lines, newline_of, section, with_items

HUB_TYPES: Final = frozenset({"moc", "rule", "daily", "template", "session", "dashboard"})


class Place(NamedTuple):
    """What linking has to know of a note. *neighbours*: notes that it links to or that link to it; *tags* without `#`."""

    title: str
    type: str
    neighbours: frozenset[str]
    tags: tuple[str, ...]


class CrossLink(NamedTuple):
    """A link that is worth writing: why stands in its two parts."""

    source: str
    target: str
    text: float  # likeness of what they say, in the model's calibrated unit
    shared: float  # of neighbours and tags, 0 to 1

    @property
    def score(self) -> float:
        """The sum that is held against the bar."""
        return self.text + self.shared


class Made(NamedTuple):
    """A link that an earlier dream wrote."""

    source: str
    target: str
    score: float


def cross_links(
    near: Mapping[tuple[str, str], float],
    places: Mapping[str, Place],
    *,
    bar: float,
    most: int,
    hub_degree: int,
    least: float = 0.2,
    already: Mapping[str, int] | None = None,
) -> list[CrossLink]:
    """The links to write, best first: at most *most* for a note, those that stand in its Related section (*already*) included.

    *near*: likeness of pairs of notes (each once, in any order). Neither part may reach the bar alone, so its cap is just below; what is
    less alike than *least* is linked by nobody.
    """
    cap = bar * _ALONE
    weight = _rarity(places)
    found = []
    for (left, right), text in near.items():
        one, other = places.get(left), places.get(right)
        if one is None or other is None or left == right or text < least or right in one.neighbours or left in other.neighbours:
            continue
        if is_hub(one, hub_degree) or is_hub(other, hub_degree):
            continue
        shared = _shared(one, other, weight)
        if min(text, cap) + min(shared, cap) >= bar:
            source, target = sorted((left, right))
            found.append(CrossLink(source, target, round(text, 4), round(shared, 4)))
    found.sort(key=lambda link: (-link.score, link.source, link.target))
    given: dict[str, int] = defaultdict(int, already or {})
    chosen = []
    for link in found:
        if given[link.source] < most and given[link.target] < most:
            given[link.source] += 1
            given[link.target] += 1
            chosen.append(link)
    return chosen


def scores(near: Mapping[tuple[str, str], float], places: Mapping[str, Place], *, bar: float) -> dict[tuple[str, str], float]:
    """What speaks for links that are there, by the same measure. *places* without what the links themselves add."""
    weight = _rarity(places)
    cap = bar * _ALONE
    return {
        (left, right): min(max(text, 0.0), cap) + min(_shared(places[left], places[right], weight), cap)
        for (left, right), text in near.items()
        if left in places and right in places
    }


def is_hub(place: Place, degree: int) -> bool:
    """Does a note hold others together, rather than say something itself? By its role, its title, or how much it links."""
    return place.type in HUB_TYPES or bool(_HUB_TITLE.match(place.title.strip())) or len(place.neighbours) > degree


def weakest(
    made: Iterable[Made], now: Mapping[tuple[str, str], float], *, bridges: Collection[frozenset[str]], below: float, most: int
) -> list[Made]:
    """The links of earlier dreams to take back: those that by what the notes say *now* (pair → score) are below *below*, the weakest first; never a bridge.

    Bridges are taken anew by the caller when one was removed; here each pair of notes goes once, so at most *most* and no two that share a note.
    """
    scored = sorted((now[link.source, link.target], link) for link in made if now.get((link.source, link.target), below) < below)
    chosen: list[Made] = []
    used: set[str] = set()
    for _, link in scored:
        if frozenset((link.source, link.target)) in bridges or link.source in used or link.target in used:
            continue
        chosen.append(link)
        used |= {link.source, link.target}
        if len(chosen) == most:
            break
    return chosen


# -- the Related section


_ALONE: Final = 0.9  # how far up to the bar one part reaches by itself
RELATED: Final = "Related"
_RELATED_NAMES: Final = frozenset({"related", "see also", "関連", "関連ノート", "関連リンク"})
_HUB_TITLE: Final = re.compile(
    r"(?:home|index|readme|start(?: here)?|moc|.* moc|map of content.*|inbox|ホーム|目次|索引|.*一覧)$", re.IGNORECASE
)


def related_targets(text: str, body: int) -> list[str]:
    """Link targets of the list items in the note's Related section."""
    return [found[1] for _, _, line in _related_lines(text, body) if (found := _ITEM.match(line))]


def with_related(text: str, body: int, links: Sequence[str]) -> str:
    """*text* with `- [[link]]` items in its Related section, which stands at the end when there was none. What is there already is not added again."""
    there = set(related_targets(text, body))
    return with_items(text, body, [f"[[{link}]]" for link in dict.fromkeys(links) if link not in there], _RELATED_NAMES, RELATED)


def without_related(text: str, body: int, link: str) -> str:
    """*text* without the item `- [[link]]` of its Related section, and without the section when nothing else is left in it."""
    for start, end, line in _related_lines(text, body):
        if (found := _ITEM.match(line)) and found[1] == link and not line[found.end() :].strip():
            text = text[:start] + text[end:]
            break
    else:
        return text
    left = section(text, body, _RELATED_NAMES)
    if left is None or text[left.body : left.section_end].strip():
        return text
    newline = newline_of(text)
    before, after = text[: left.start].rstrip("\r\n"), text[left.section_end :]
    return f"{before}{newline if before else ''}{newline + after if before and after else after}"


_ITEM: Final = re.compile(r"\s*[-*+]\s+\[\[([^\]|#\n]+)(?:\|[^\]\n]*)?\]\]")


def _related_lines(text: str, body: int) -> Iterator[tuple[int, int, str]]:
    found = section(text, body, _RELATED_NAMES)
    return lines(text, found.body, found.section_end) if found is not None else iter(())


# -- what notes share


def _rarity(places: Mapping[str, Place]) -> Mapping[str, float]:
    """What a shared neighbour or tag says: the more notes have it, the less (Adamic and Adar 2003)."""
    counts: dict[str, int] = defaultdict(int)
    for place in places.values():
        for mark in _marks(place):
            counts[mark] += 1
    return {mark: 1 / math.log(times + 1.5) for mark, times in counts.items()}


def _marks(place: Place) -> set[str]:
    return {*place.neighbours, *(f"#{tag.casefold()}" for tag in place.tags)}


def _shared(one: Place, other: Place, weight: Mapping[str, float]) -> float:
    """0 for nothing in common, towards 1 for much: one rare neighbour says more than a tag that a third of the vault has."""
    both = sum(weight[mark] for mark in _marks(one) & _marks(other))
    return both / (both + 1)
