"""Running a plan: all of it or nothing, whenever the power goes.

New bytes are staged in dot-named temporary files first, so that a full disk is met before anything visible changes. Then names are switched,
one call each; the old file keeps a second, hidden name until all is done, so that going back needs no room.
"""

# Names stay plain strings, as the system gave them: Path costs time and tidies them up.
# ruff: noqa: PTH120, PTH122

from __future__ import annotations

import logging
import os
import stat
from typing import TYPE_CHECKING, NoReturn

from vaultkit.errors import NoteChangedError, NoteExistsError, OutsideVaultError, VaultkitError
from vaultkit.store.files import disk
from vaultkit.store.files.places import differ_in_case
from vaultkit.store.files.runs import temp_names

if TYPE_CHECKING:
    from datetime import datetime

    from vaultkit.store.files.places import Places
    from vaultkit.store.files.plan import Plan
    from vaultkit.store.files.runs import History, Record, Step

log = logging.getLogger(__name__)


def execute(plan: Plan, history: History, *, command: str, session: str, now: datetime, undoes: str = "") -> str:
    """Apply *plan*; the id of its run. On any error the vault is as before, and the error is ours."""
    places = plan.places
    try:
        record = history.begin(plan.steps, plan.kept, list(plan.folders), command=command, session=session, now=now, undoes=undoes)
    except OSError as error:
        raise disk.explain_state(error, history.folder, "; nothing was changed") from error
    try:
        _stage(places, record, plan)
        record = history.advance(record, "switch")
        history.sync()
        for step, temps in zip(record.steps, temp_names(record), strict=True):
            _switch(places, step, *temps)
        _sync(places, record)
        record = history.advance(record, "done")  # from here on the run stands
    except BaseException as error:  # noqa: BLE001 - an interrupt, too, must leave the vault whole; it is raised again
        _give_up(places, history, record, error)
    try:
        history.sync()
        settle(places, history, record)
    except OSError as error:
        log.warning("run %s is written, clearing up is left to the next command: %s", record.id, error)
    return record.id


def settle(places: Places, history: History, record: Record) -> None:
    """Clear up after a run whose changes are all made, and enter it into the history."""
    _sweep(places, record)
    history.advance(record, "finished")


def roll_back(places: Places, history: History, record: Record) -> list[str]:
    """Put everything as it was before the run; paths that someone else changed meanwhile are left and returned. May be repeated."""
    left: list[str] = []
    if record.phase == "switch":
        for step, temps in reversed(list(zip(record.steps, temp_names(record), strict=True))):
            if not _is_plain(places, step):
                left.append(step.path)
            elif not _unswitch(places, history, record, step, *temps):
                left.append(step.to or step.path)
    _sweep(places, record)
    for folder in reversed(record.folders):
        if not places.crosses_link(folder):
            disk.remove_folder(places.full(folder))
    if left:
        history.advance(record, "finished")  # its record holds the only copy of what those files were
    else:
        history.drop(record)
    return left


def _stage(places: Places, record: Record, plan: Plan) -> None:
    for folder in plan.folders:
        disk.make_folder(places.full(folder))
    for step, fresh, (new, _, _) in zip(record.steps, plan.fresh, temp_names(record), strict=True):
        if fresh is not None:
            like = disk.status(places.full(step.source)) if step.source else None
            disk.write_new(places.full(new), fresh, mode=step.mode or None, like=like)


def _switch(places: Places, step: Step, new: str, old: str, _back: str) -> None:
    """Make one change visible; the source is looked at once more directly before."""
    if not _is_plain(places, step):
        raise OutsideVaultError(step.path)
    new, old, source, target = (places.full(name) for name in (new, old, step.source, step.target))
    if step.source and step.target and not step.brings_data:
        _still(source, step)
        _carry(source, target, new, step)
        return
    if step.source:
        if step.source == step.target:
            disk.keep(source, old)
            seen = _still(source, step)
            disk.replace(new, target)
        else:
            seen = _still(source, step)
            disk.replace(source, old)
        # a program that wrote at the very last moment wrote into what is now `old`
        if disk.seen(old) not in (None, seen):
            raise NoteChangedError(step.path)
    if step.target and step.source != step.target:
        try:
            disk.land(new, target)
        except FileExistsError as error:
            raise NoteExistsError(step.to or step.path) from error


def _unswitch(places: Places, history: History, record: Record, step: Step, new: str, old: str, back: str) -> bool:
    """Take one change back, whatever of it was done; False when someone else changed the file since."""
    new, old, back, source, target = (places.full(name) for name in (new, old, back, step.source, step.target))
    if step.source and step.source == step.target:
        return _unrewrite(history, record, step, new, old, back, source)
    if step.source and step.target and not step.brings_data:
        return _uncarry(source, target, new, back, step.before)
    whole = True
    if step.target and not (step.source and differ_in_case(source, target) and not disk.is_listed(target)):
        whole = _unland(new, target, back, step.after)
    if step.source and disk.status(old):
        whole = _return(old, source, back) and whole
    return whole


def _unland(new: str, target: str, probe: str, after: str) -> bool:
    if not disk.status(new):  # it did get its name
        if not disk.status(target):
            return True
        if _hash(target) != after:
            return False
        disk.remove(target)
    elif disk.same_file(new, target) or _is_placeholder(target, new, probe):
        disk.remove(target)
    disk.remove(new)
    return True


def _unrewrite(history: History, record: Record, step: Step, new: str, old: str, back: str, source: str) -> bool:
    if disk.status(new):  # not yet replaced
        disk.remove(old)
        disk.remove(new)
        return True
    now = _hash(source)
    if now == step.before:
        return True
    if now != step.after:
        return False
    if disk.status(old):
        disk.replace(old, source)
        return True
    data = history.kept(record, step)
    if data is None:
        return False
    disk.remove(back)
    disk.write_new(back, data, like=disk.status(source))
    disk.replace(back, source)
    return True


def _carry(source: str, target: str, via: str, step: Step) -> None:
    """Give a file another name, never over another file."""
    try:
        disk.land(source, target)
    except FileExistsError as error:
        if not (differ_in_case(source, target) and disk.same_file(source, target)):
            raise NoteExistsError(step.to) from error
        disk.replace(source, via)  # one file under both names, for a file system that ignores case
        disk.land(via, target)


def _uncarry(source: str, target: str, via: str, probe: str, before: str) -> bool:
    if disk.status(via):  # half way of a change of case
        if disk.is_listed(target) and (disk.same_file(via, target) or _is_placeholder(target, via, probe)):
            disk.remove(target)
        return _return(via, source, probe)
    in_case = differ_in_case(source, target)
    at_source, at_target = (disk.is_listed(name) if in_case else disk.status(name) is not None for name in (source, target))
    if at_source and at_target:
        if disk.same_file(source, target) or _is_placeholder(target, source, probe):
            disk.remove(target)
        elif _hash(source) != before and _is_placeholder(source, target, probe):  # half way back
            disk.replace(target, source)
    elif at_target:
        if in_case:
            disk.replace(target, via)
        disk.land(via if in_case else target, source)
    return at_source or at_target


def _return(old: str, source: str, probe: str) -> bool:
    """The hidden old file gets its name back, unless someone made another file there."""
    if disk.same_file(old, source):
        disk.remove(old)
    elif _is_placeholder(source, old, probe):
        disk.replace(old, source)
    else:
        try:
            disk.land(old, source)
        except FileExistsError:
            _set_aside(old, source)
            return False
    return True


def _set_aside(old: str, source: str) -> None:
    """A file whose name someone else took meanwhile gets a visible one beside it."""
    stem, extension = os.path.splitext(source)
    number = 1
    while disk.status(spare := f"{stem} (recovered{f' {number}' if number > 1 else ''}){extension}"):
        number += 1
    disk.land(old, spare)


def _still(source: str, step: Step) -> disk.Seen:
    """What the source looks like, given that it is still the file that the plan saw."""
    try:
        found, seen = disk.hash_file(source)
    except FileNotFoundError as error:
        raise NoteChangedError(step.path) from error
    if found != step.before:
        raise NoteChangedError(step.path)
    return seen


def _is_plain(places: Places, step: Step) -> bool:
    """Whether the step's folders are still folders, not symlinks that someone put in their place."""
    return not any(places.crosses_link(os.path.dirname(file)) for file in (step.source, step.target) if "/" in file)


def _hash(file: str) -> str:
    try:
        return disk.hash_file(file)[0]
    except FileNotFoundError:
        return ""


def _is_placeholder(file: str, other: str, probe: str) -> bool:
    """Whether *file* is the empty one that holds a name until *other* gets it: only on disks that know no second names."""
    found = disk.status(file)
    if found is None or found.st_size or not stat.S_ISREG(found.st_mode):
        return False
    disk.remove(probe)
    if disk.keep(other, probe):
        disk.remove(probe)
        return False
    return True


def _sync(places: Places, record: Record) -> None:
    files = [file for step in record.steps for file in (step.source, step.target) if file] + list(record.folders)
    for folder in dict.fromkeys(os.path.dirname(file) for file in files):
        disk.sync_folder(places.full(folder) if folder else places.root)


def _sweep(places: Places, record: Record) -> None:
    for names in temp_names(record):
        for name in names:
            disk.remove(places.full(name))


def _give_up(places: Places, history: History, record: Record, error: BaseException) -> NoReturn:
    """Roll back, then raise *error* as ours."""
    first = record.steps[0].path if record.steps else "the vault"
    try:
        left = roll_back(places, history, record)
    except OSError as second:
        outcome = "; not all of the run could be taken back, the next command that writes tries again"
        raise disk.explain(second, places.shown(second, first), outcome) from error
    if isinstance(error, OSError):
        error = disk.explain(error, places.shown(error, first), "; nothing was changed")
    if left and isinstance(error, VaultkitError):
        error.hint += f"; {', '.join(left)} was changed by someone else meanwhile and is left as it is"
    raise error
