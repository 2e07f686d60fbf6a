"""What a capture tells: where it was stored, which dates were understood, what was not. Never a silent guess."""

from __future__ import annotations

from datetime import date
from typing import Any, NamedTuple

from vaultkit.capture.actions import Unseen
from vaultkit.capture.drafts import Item
from vaultkit.text.edit import printable


class Receipt(NamedTuple):
    """The result of a capture; `as_dict` is the contract of the command line, `str()` is for people."""

    path: str
    title: str
    description: str
    type: str
    scope: str
    confidence: str
    themes: tuple[str, ...] = ()
    action_items: tuple[Item, ...] = ()
    trackers: tuple[Item, ...] = ()
    unplaced: tuple[Unseen, ...] = ()
    daily: str | None = None
    similar: tuple[tuple[str, float], ...] = ()
    claims: int | None = None  # research only
    sources: tuple[str, ...] = ()
    status: str = "active"
    question: str = ""
    notes: tuple[str, ...] = ()  # what else a person should know

    def as_dict(self) -> dict[str, Any]:
        """For `--json`; research adds its claims and sources."""
        told: dict[str, Any] = {
            "path": self.path,
            "title": self.title,
            "description": self.description,
            "type": self.type,
            "scope": self.scope,
            "confidence": self.confidence,
            "themes": list(self.themes),
            "action_items": [_item(item) for item in self.action_items],
            "trackers": [_item(item) for item in self.trackers],
            "unplaced": [
                {"phrase": printable(unseen.phrase), "date": _iso(unseen.date), "reason": unseen.reason} for unseen in self.unplaced
            ],
            "daily": self.daily,
            "similar": [{"path": path, "score": score} for path, score in self.similar],
        }
        if self.claims is not None:
            told |= {"claims": self.claims, "sources": list(self.sources)}
        return told

    def __str__(self) -> str:
        sure = "" if self.confidence == "high" else " (unsure)"
        rows = [
            ("stored", self.path),
            ("", self.title),
            ("as", f"{self.type}, {self.scope}{sure}" + (f", {self.status}" if self.status != "active" else "")),
        ]
        rows += [("to do", _told(item)) for item in self.action_items]
        rows += [("watch", _told(item)) for item in self.trackers]
        rows += [("not placed", _unseen(unseen)) for unseen in self.unplaced]
        if self.claims is not None:
            rows.append(("claims", f"{self.claims}, {len(self.sources)} sources"))
        if self.themes:
            rows.append(("themes", " ".join(theme if theme.startswith("[[") else f"#{theme}" for theme in self.themes)))
        if self.daily:
            rows.append(("daily", self.daily))
        rows += [("similar", f"{path} ({score:.2f})") for path, score in self.similar]
        rows += [("note", note) for note in self.notes]
        if self.question:
            rows.append(("?", self.question))
        return "\n".join(f"{label:<11}{printable(' '.join(value.split()))}" for label, value in rows)


def _item(item: Item) -> dict[str, Any]:
    return {
        "id": item.id,
        "text": item.text,
        "due": _iso(item.due),
        "time": item.time,
        "phrase": item.phrase or None,
        "confidence": item.confidence or None,
    }


def _told(item: Item) -> str:
    if item.due is None:
        return f"{item.text} (no date)"
    when = f"{_DAYS[item.due.weekday()]} {item.due.isoformat()}" + (f" {item.time}" if item.time else "")
    source = f" <- '{item.phrase}'" if item.phrase and item.phrase != item.due.isoformat() else ""
    guess = ", a guess" if item.confidence == "loose" else ""
    often = f", {item.recurrence}" if item.recurrence else ""
    return f"{item.text}: {when}{source}{often}{guess}"


def _unseen(unseen: Unseen) -> str:
    day = f" ({unseen.date.isoformat()})" if unseen.date is not None else ""
    return f"'{unseen.phrase}'{day}: {unseen.reason}"


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day is not None else None


# Not strftime, which follows the machine's locale.
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
