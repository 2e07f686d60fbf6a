"""Taking runs back: each change is turned round, if what it made is still there untouched."""

from __future__ import annotations

import logging
import stat
import sys
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING

from vaultkit.errors import ConflictError, NotFoundError, RefusedError, UsageError
from vaultkit.store.files import disk
from vaultkit.store.files.execute import execute
from vaultkit.store.files.places import differ_in_case
from vaultkit.store.files.plan import KEEP_TRASHED, Plan, read_source
from vaultkit.store.vault import Kind, Left, Undone

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultkit.store.files.places import Places
    from vaultkit.store.files.runs import History, Record, Step

log = logging.getLogger(__name__)

OPPOSITE: dict[Kind, Kind] = {
    "create": "remove",
    "remove": "create",
    "rewrite": "rewrite",
    "move": "move",
    "trash": "restore",
    "restore": "trash",
}


def undone_ids(records: Iterator[Record]) -> Iterator[tuple[Record, bool]]:
    """Each record, newest first, and whether a later run took it back; an undo that was itself undone does not count."""
    undone: set[str] = set()
    for record in records:
        if record.undoes and record.id not in undone:
            undone.add(record.undoes)
        yield record, record.id in undone


def undo(places: Places, history: History, *, run: str, session: str, since: datetime | None, now: datetime, dry_run: bool) -> Undone:
    """Take runs back, newest first, each as a run of its own. What a person changed since is left alone and reported."""
    runs, restored, conflicts, by = list[str](), list[str](), list[Left](), list[str]()
    assumed: dict[str, str] = {}
    for record, was_undone in _select(history, run=run, session=session, since=since):
        reversal = _Reversal(places, history, record, assumed if dry_run else {})
        if was_undone and not reversal.restored and not reversal.conflicts:
            raise ConflictError(f"run {run} is taken back already", hint="undo the run that took it back to have it again")
        restored += reversal.restored
        conflicts += reversal.conflicts
        if reversal.plan.steps or reversal.restored or not reversal.conflicts:
            runs.append(record.id)
            if not dry_run:
                by.append(execute(reversal.plan, history, command="undo", session="", now=now, undoes=record.id))
                _remove_empty(places, record)
    return Undone(tuple(runs), tuple(dict.fromkeys(restored)), tuple(dict.fromkeys(conflicts)), tuple(by))


class _Reversal:
    """The plan that takes one run back. *assumed* holds the hashes that earlier reversals of a dry run would leave."""

    def __init__(self, places: Places, history: History, record: Record, assumed: dict[str, str]) -> None:
        self.plan = Plan(places)
        self.restored: list[str] = []
        self.conflicts: list[Left] = []
        self._places, self._history, self._record, self._assumed = places, history, record, assumed
        for step in reversed(record.steps):
            try:
                reason = self._turn(step)
            except (ConflictError, RefusedError) as error:
                reason = error.message
            if reason:
                self.conflicts.append(Left(step.to or step.path, reason))

    def _turn(self, step: Step) -> str:
        """Plan the opposite of *step*, or say why not. Empty when planned, or when all is as before anyway."""
        moved = step.source != step.target
        here, there = self._hash(step.source, step.target), self._hash(step.target, step.source)
        gone = step.kind == "trash" and not here and not there and step.kept is not None  # the trash was emptied
        if gone or (there == step.after and not (moved and here)):
            reason = "" if {step.source, step.target} & self._assumed.keys() else self._plan(step, from_record=gone or not step.target)
            if not reason:
                self.restored.append(step.path)
                self._assumed |= {file: value for file, value in ((step.target, ""), (step.source, step.before)) if file}
            return reason
        if here == step.before and not (moved and there):
            return ""
        if moved and here:
            return f"another file stands at {step.path} now"
        return "it was changed since" if there else "it is no longer there"

    def _plan(self, step: Step, *, from_record: bool) -> str:
        needs_data = from_record or (bool(step.source) and step.before != step.after)
        data = self._history.kept(self._record, step) if needs_data else None
        if needs_data and data is None:
            return "what it was is no longer in the record"
        if from_record and data is not None:
            self.plan.create(step.path, data, mode=step.mode, place=step.source)
            return ""
        keep = KEEP_TRASHED if step.kind == "restore" else 0 if step.before == step.after else sys.maxsize
        source = read_source(self._places, step.target, keep=keep)
        if not step.source:
            self.plan.remove(step.path, source)
        elif step.source == step.target and data is not None:
            self.plan.rewrite(step.path, data, source)
        else:
            self.plan.move(OPPOSITE[step.kind], step.to, step.path, source, data, place=step.source)
        return ""

    def _hash(self, file: str, other: str) -> str:
        """The hash of what stands at the disk name *file*, empty for nothing; *other* is the step's other name."""
        if not file or file in self._assumed:
            return self._assumed.get(file, "")
        if self._places.crosses_link(file):
            raise RefusedError(f"{file} is behind a symlink now")
        full = self._places.full(file)
        found = disk.status(full)
        if found is None or (differ_in_case(file, other) and not disk.is_listed(full)):
            return ""
        return disk.hash_file(full)[0] if stat.S_ISREG(found.st_mode) else "no file"


def _select(history: History, *, run: str, session: str, since: datetime | None) -> list[tuple[Record, bool]]:
    """The runs to take back, newest first: one by id, those of a session, those since a time, or just the last."""
    if run and (session or since):
        raise UsageError("a run, or a session and a time, not both", hint="give only the run")
    pairs = undone_ids(history.finished())
    if run:
        chosen = [pair for pair in pairs if pair[0].id == run]
        if not chosen:
            raise NotFoundError(f"no run {run!r}", hint="give the id that the run's receipt shows; runs are kept for some weeks only")
        return chosen
    # an undo is a person's decision: only its id takes it back
    alive = (pair for pair in pairs if not pair[1] and not pair[0].undoes)
    if not session and since is None:
        chosen = list(islice(alive, 1))
    else:
        start = since if since is None or since.tzinfo else since.astimezone()
        chosen = [
            pair for pair in alive if session in ("", pair[0].session) and (start is None or datetime.fromisoformat(pair[0].time) >= start)
        ]
    if not chosen:
        raise NotFoundError("there is nothing to undo", hint="only what vaultkit changed, and did not take back yet, can be undone")
    return chosen


def _remove_empty(places: Places, record: Record) -> None:
    """The folders that the run made go too when nothing else is in them."""
    try:
        for folder in reversed(record.folders):
            if not places.crosses_link(folder):
                disk.remove_folder(places.full(folder))
    except OSError as error:
        log.warning("an empty folder of run %s stays: %s", record.id, error)
