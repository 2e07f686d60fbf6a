"""Captures by topic: one partition of all of them, never pair by pair (memory.md M36). Pure.

Pairwise merging chains: two hundred captures, each near the next, became one cluster. Here two groups are joined only while *every* member
of one is near the members of the other on average, and no group grows beyond a cap: what a chain's ends have in common is then nothing.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import Final, NamedTuple

MOST: Final = 8  # of one topic: a larger group is a grab-bag

Matrix = Sequence[Sequence[float]]  # likeness of every two, 1 on the diagonal


class Answered(NamedTuple):
    """A model's partition: groups of indexes, or why it is none."""

    groups: tuple[tuple[int, ...], ...]
    problem: str = ""


def partition(likeness: Matrix, *, at_least: float, most: int = MOST) -> list[list[int]]:
    """Groups of indexes, by average linkage with a cap. Single ones are groups as well; the same numbers give the same groups."""
    size = len(likeness)
    members: dict[int, list[int]] = {index: [index] for index in range(size)}
    # Average likeness of living groups: row of the smaller id; kept whole, for groups that are far apart pull an average down.
    average = [{other: likeness[index][other] for other in range(size) if other != index} for index in range(size)]
    rows: dict[int, dict[int, float]] = dict(enumerate(average))
    heap = [(-rows[left][right], left, right) for left in range(size) for right in range(left + 1, size) if rows[left][right] >= at_least]
    heapq.heapify(heap)
    fresh = size
    while heap:
        score, left, right = heapq.heappop(heap)
        if left not in members or right not in members or rows[left].get(right) != -score:
            continue
        one, other = members[left], members[right]
        if len(one) + len(other) > most:
            continue
        del members[left], members[right]
        whole = len(one) + len(other)
        row = {}
        for rest in members:
            mean = (rows[left][rest] * len(one) + rows[right][rest] * len(other)) / whole
            row[rest] = rows[rest][fresh] = mean
            if mean >= at_least:
                heapq.heappush(heap, (-mean, rest, fresh))
        rows[fresh] = row
        members[fresh] = sorted(one + other)
        for gone in (left, right):
            del rows[gone]
        fresh += 1
    return sorted(members.values())


def topics(likeness: Matrix, *, at_least: float, pair_at_least: float, same: float, most: int = MOST) -> list[list[int]]:
    """The partition that a dream works with. What is likely the *same* text counts once against the cap; two alone need *pair_at_least*; a member
    that is far from the rest of its group stands alone.
    """
    kept, copies = _once(likeness, same)
    found = partition([[likeness[left][right] for right in kept] for left in kept], at_least=at_least, most=most)
    groups: list[list[int]] = []
    for numbers in found:
        group = [kept[number] for number in numbers]
        loose = [one for one in group if len(group) > 2 and _mean(likeness, one, group) < at_least * _LOOSE]
        group = [one for one in group if one not in loose]
        if len(group) == 2 and likeness[group[0]][group[1]] < pair_at_least:
            loose += group
            group = []
        for part in (group, *([one] for one in loose)):
            whole = sorted(every for one in part for every in (one, *copies.get(one, ())))
            if len(whole) <= _CAPS * most:
                groups += [whole] if whole else []
                continue
            # So many copies are a chain or a flood: the cap holds for them as well.
            rest = [every for one in part for every in copies.get(one, ())]
            groups += [part, *(sorted(rest[at : at + most]) for at in range(0, len(rest), most))]
    return sorted(groups)


def checked(answer: object, size: int, *, most: int = MOST) -> Answered:
    """A model's answer, lists of numbers from 1 to *size*, held against what was asked: every number once, none invented, else it is no partition.

    A group of more than *most* is dissolved into single captures.
    """
    if not isinstance(answer, (list, tuple)):
        return Answered((), "it is no list of groups")
    seen: set[int] = set()
    groups: list[tuple[int, ...]] = []
    for group in answer:
        if not isinstance(group, (list, tuple)):
            return Answered((), "a group is no list of numbers")
        numbers: list[int] = []
        for number in group:
            if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= size:
                return Answered((), f"{number!r} was not among the captures")
            if number in seen:
                return Answered((), f"{number} stands in two groups")
            seen.add(number)
            numbers.append(number - 1)
        if len(numbers) > most:
            groups.extend((number,) for number in sorted(numbers))
        elif numbers:
            groups.append(tuple(sorted(numbers)))
    if len(seen) != size:
        missing = next(number for number in range(1, size + 1) if number not in seen)
        return Answered((), f"{missing} is in no group")
    return Answered(tuple(sorted(groups)))


_CAPS: Final = 1.5  # how far copies may take a group beyond its cap
_LOOSE: Final = 0.85  # of what the groups are joined at


def _once(likeness: Matrix, same: float) -> tuple[list[int], dict[int, list[int]]]:
    """The indexes without later copies, and the copies of each."""
    kept: list[int] = []
    copies: dict[int, list[int]] = {}
    for index in range(len(likeness)):
        twin = next((one for one in kept if likeness[one][index] >= same), None)
        if twin is None:
            kept.append(index)
        else:
            copies.setdefault(twin, []).append(index)
    return kept, copies


def _mean(likeness: Matrix, one: int, group: Sequence[int]) -> float:
    return sum(likeness[one][other] for other in group if other != one) / (len(group) - 1)
