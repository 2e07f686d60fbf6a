"""The three questions of likeness over the vault (memory.md M18), with a model where one is at hand, else by near-copies.

    duplicates    active notes of the same kind       → told; the note is stored all the same
    repetitions   active procedures                   → stored, and counted: the third of a kind is proposed as a skill
    reproposals   discarded proposals                 → only the proposal is kept back
    already       retired procedures                  → "this is already skill X"

Kind and status are part of each question. There is no other way to ask.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, NamedTuple

from vaultkit.app import App
from vaultkit.capture import raw_of
from vaultkit.errors import VaultkitError
from vaultkit.records.promotion import words
from vaultkit.text.passages import passage

if TYPE_CHECKING:
    from vaultkit.store.vectors import Liked, Likeness


class Alike(NamedTuple):
    """Notes that are alike, best first."""

    paths: tuple[str, ...]
    problem: str = ""


def duplicates(app: App, text: str, *, kind: str, but: Collection[str] = ()) -> Alike:
    """Active notes of the same kind that say the same."""
    return _ask(app, text, kind, "active", but, lambda likeness: likeness.duplicates_of(text, kind=kind, status="active", but=but))


def repetitions(app: App, text: str, *, but: Collection[str] = ()) -> Alike:
    """Active procedures that do the same."""
    return _ask(
        app, text, _PROCEDURE, "active", but, lambda likeness: likeness.repetitions_of(text, kind=_PROCEDURE, status="active", but=but)
    )


def reproposals(app: App, text: str, *, but: Collection[str] = ()) -> Alike:
    """Proposals that were turned down."""
    return _ask(
        app,
        text,
        "proposal",
        "discarded",
        but,
        lambda likeness: likeness.reproposals_of(text, kind="proposal", status="discarded", but=but),
    )


def already(app: App, text: str, *, but: Collection[str] = ()) -> Alike:
    """Retired procedures that did the same."""
    return _ask(
        app, text, _PROCEDURE, "retired", but, lambda likeness: likeness.retired_like(text, kind=_PROCEDURE, status="retired", but=but)
    )


def text_of(app: App, path: str) -> str:
    """What a note is compared by: its title and its text, without the task lines that capture puts above it."""
    note, text = app.read(path)
    return passage(note.title, raw_of(text))


def _ask(app: App, text: str, kind: str, status: str, but: Collection[str], ask: Callable[[Likeness], Liked]) -> Alike:
    """By vectors, and by near-copies of those that have none."""
    heads = app.heads()
    among = [path for path, head in heads.items() if head.type == kind and head.status == status and path not in but]
    if not among:
        return Alike(())
    found: dict[str, float] = {}
    problem = ""
    if app.embedded:
        from vaultkit.store.vectors import About, Likeness

        choice = app.embedder()
        if choice.works:
            about = {path: About(heads[path].type, heads[path].status) for path in among}
            liked = ask(Likeness(app.vectors, choice.embedder, about, lambda path: text_of(app, path)))
            found = {note.path: note.score for note in liked.notes}
            problem = liked.problem
        else:
            problem = "; ".join(choice.problems)
    mine = words(text)
    for path in among:
        try:
            other = words(text_of(app, path))
        except (VaultkitError, OSError):
            continue  # it went away meanwhile
        score = len(mine & other) / len(mine | other) if mine or other else 0.0
        if score >= _NEAR_COPY:
            found.setdefault(path, score)
    return Alike(tuple(sorted(found, key=lambda path: (-found[path], path))), problem)


_PROCEDURE = "procedure"
# Share of the words of both. Not text/shingles: its weights are those of a vault, and of five notes that are alike every word is common.
_NEAR_COPY = 0.5
