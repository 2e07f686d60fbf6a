"""Date phrases in English and Japanese prose, with spans and roles. Pure; no dependency.

A line is put in its normal form and masked (`mask`), rules see the parts of dates in it (`numeric`, `english_*`, `japanese_*`), parts
that belong together become phrases (`combine`, `anchored`), and the words around each tell its role (`roles`). Policy: `DatePolicy`.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from .phrases import DEFAULT_POLICY, POINTING, Confidence, DatePhrase, DatePolicy, Role, Unplaced

__all__ = [
    "POINTING",
    "Confidence",
    "DatePhrase",
    "DatePolicy",
    "Role",
    "Unplaced",
    "find_dates",
    "find_dates_in_lines",
    "find_unplaced",
    "may_hold_date",
]

# The grammar is loaded by the first text that is read, so that importing this package costs a command nothing.


def find_dates(text: str, *, now: datetime, policy: DatePolicy = DEFAULT_POLICY) -> list[DatePhrase]:
    """Every date phrase of *text*, in order of position, relative ones resolved against *now* (local wall clock).

    Phrases that look like a date but cannot be resolved are not in the list: see `find_unplaced`. A line that only
    may hold a date costs a fifth of a millisecond; fenced code and what is masked are passed over.
    """
    from . import find  # noqa: PLC0415

    return find.find_dates(text, now=now, policy=policy)


def find_dates_in_lines(text: str, *, now: datetime, policy: DatePolicy = DEFAULT_POLICY) -> Iterator[tuple[int, list[DatePhrase]]]:
    """The lines of *text* (from 0) that hold a date, with their phrases; offsets count from the start of *text*."""
    from . import find  # noqa: PLC0415

    return find.find_dates_in_lines(text, now=now, policy=policy)


def find_unplaced(text: str, *, now: datetime, policy: DatePolicy = DEFAULT_POLICY) -> list[Unplaced]:
    """Date-looking phrases that `find_dates` does not resolve, for the receipt (e.g. "a week earlier", その前に)."""
    from . import find  # noqa: PLC0415

    return find.find_unplaced(text, now=now, policy=policy)


def may_hold_date(text: str) -> bool:
    """A cheap test, linear with a small constant: False only when `find_dates` would find nothing."""
    from . import prefilter  # noqa: PLC0415

    return prefilter.may_hold_date(text)
