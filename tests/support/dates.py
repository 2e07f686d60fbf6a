"""Short ways to ask the date grammar, for tests."""

from __future__ import annotations

from datetime import datetime

from vaultkit.text.dates import DatePhrase, DatePolicy, find_dates

WEDNESDAY = datetime(2026, 3, 4, 10)
MONDAY = datetime(2026, 11, 30, 10)
FRIDAY = datetime(2026, 12, 18, 10)
SUNDAY = datetime(2026, 2, 1, 10)


def counted(text: str, now: datetime = WEDNESDAY, policy: DatePolicy | None = None) -> list[str]:
    """The days (and times) that ask for a field, in order of position: `2026-03-06`, `2026-03-06T17:00`."""
    return [spelled(phrase) for phrase in find_dates(text, now=now, policy=policy or DatePolicy()) if phrase.role != "none"]


def spelled(phrase: DatePhrase) -> str:
    """The day, with the time when there is one."""
    return phrase.date.isoformat() + (f"T{phrase.time:%H:%M}" if phrase.time else "")


def only(text: str, now: datetime = WEDNESDAY) -> DatePhrase:
    """The one phrase of a line."""
    (phrase,) = find_dates(text, now=now)
    return phrase
