"""What one note gives to lookahead and lint: values, the settings they depend on, and rows for the cache."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import date
from typing import Any, Final, Literal, NamedTuple

from vaultkit.text.dates import DatePolicy, Role

Field = Literal["action_items", "trackers", "due", "task", "inline"]

# Names under which people keep a deadline; compared without case, spaces, `-` and `_` (due_date = due-date = dueDate).
DEADLINE_NAMES = frozenset(
    {
        "due", "duedate", "dueon", "dueby", "deadline", "deadlines",
        "締切", "締切日", "締め切り", "締め切り日", "締切り", "〆切", "〆切日", "期限", "期限日", "期日", "提出期限", "提出締切", "提出日", "納期", "納期日",
    }
)  # fmt: skip


class Settings(NamedTuple):
    """Property names and the policy for dates; what an `Extract` depends on beside the note's own text."""

    action_items: str = "action_items"
    trackers: str = "trackers"
    due: str = "due"
    date: str = "date"
    more: tuple[str, ...] = ()  # further names that are read as deadlines
    policy: DatePolicy = DatePolicy()

    def is_deadline(self, name: str) -> bool:
        """Is a property or an inline field of this name a deadline?"""
        folded = fold_name(name)
        return folded in DEADLINE_NAMES or name == self.due or folded in {fold_name(other) for other in self.more}


DEFAULTS: Final = Settings()


class Item(NamedTuple):
    """One dated thing that the lookahead may warn about."""

    id: str
    text: str
    due: date
    time: str | None  # HH:MM, wall clock
    path: str
    line: int
    field: Field
    open: bool
    recurrence: str
    show_from: date | None


class ProseDate(NamedTuple):
    """A date in prose that no field holds. *fix* is the line that would be written, "" when that is not certain."""

    path: str
    line: int
    phrase: str
    date: date
    fix: str = ""
    warning: str = ""  # why it is not certain
    role: Role = "due"
    text: str = ""  # the clause that holds the phrase
    time: str | None = None
    recurrence: str = ""


class Mismatch(NamedTuple):
    """Two places of a note that disagree about one item. *rule* is tick-mismatch or due-mismatch."""

    rule: str
    line: int
    message: str
    fix: str = ""


class Extract(NamedTuple):
    """What one note gives to lookahead and lint; depends on the note and the settings alone, so it can be cached by its hash."""

    items: tuple[Item, ...]
    unparsable: tuple[tuple[int, str], ...]  # line, what stood there
    undated: int  # open entries of the two fields without a date
    prose: tuple[ProseDate, ...]
    mismatches: tuple[Mismatch, ...]
    unresolved: tuple[tuple[int, str], ...] = ()  # relative phrases of a note that names no day: nothing to resolve them against
    unreadable: tuple[tuple[int, str], ...] = ()  # the frontmatter cannot be read, so its fields were not looked at


NOTHING = Extract((), (), 0, (), ())


def fold_name(name: str) -> str:
    """A property name as `DEADLINE_NAMES` holds it."""
    return name.strip().casefold().replace("_", "").replace("-", "").replace(" ", "")


def hash_id(path: str, text: str, nth: int = 0) -> str:
    """The id of an item that has no 🆔; *nth* tells entries of the same words in one note apart."""
    seed = f"{path}\n{text}\n{nth}" if nth else f"{path}\n{text}"
    return hashlib.sha256(seed.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def new_id(text: str, taken: Iterable[str]) -> str:
    """Six characters a-z0-9 for a 🆔: the same for the same text, unless *taken* holds it already."""
    taken = taken if isinstance(taken, (set, frozenset, dict)) else set(taken)
    salt = 0
    while True:
        number = int.from_bytes(hashlib.sha256(f"{salt}\n{text}".encode("utf-8", "surrogatepass")).digest()[:8], "big")
        made = "".join(_ID_CHARACTERS[number // 36**place % 36] for place in range(6))
        if made not in taken:
            return made
        salt += 1


def extract_to_row(extract: Extract) -> tuple[Any, ...]:
    """Primitives that `marshal` and `json` can hold; the path is left out, the cache knows it."""
    items = tuple(
        (item.id, item.text, item.due.toordinal(), item.time, item.line, item.field, item.open, item.recurrence, _to_number(item.show_from))
        for item in extract.items
    )
    prose = tuple((found.line, found.phrase, found.date.toordinal(), *found[4:]) for found in extract.prose)
    return (
        items,
        extract.unparsable,
        extract.undated,
        prose,
        tuple(tuple(found) for found in extract.mismatches),
        extract.unresolved,
        extract.unreadable,
    )


def extract_from_row(path: str, row: Iterable[Any]) -> Extract:
    """The reverse of `extract_to_row`."""
    items, unparsable, undated, prose, mismatches, unresolved, unreadable = row
    return Extract(
        tuple(
            Item(id_, text, date.fromordinal(due), time, path, line, field, open_, recurrence, _to_date(show_from))
            for id_, text, due, time, line, field, open_, recurrence, show_from in items
        ),
        _pairs(unparsable),
        undated,
        tuple(ProseDate(path, line, phrase, date.fromordinal(day), *rest) for line, phrase, day, *rest in prose),
        tuple(Mismatch(*found) for found in mismatches),
        _pairs(unresolved),
        _pairs(unreadable),
    )


_ID_CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789"


def _pairs(rows: Iterable[Iterable[Any]]) -> tuple[tuple[int, str], ...]:
    return tuple((line, what) for line, what in rows)


def _to_number(day: date | None) -> int | None:
    return day.toordinal() if day else None


def _to_date(number: int | None) -> date | None:
    return date.fromordinal(number) if number else None
