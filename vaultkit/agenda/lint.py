"""The lint's rules about deadlines, and the fixes that are certain. Pure. Rules of other kinds (links, YAML) come from elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import NamedTuple

from vaultkit.agenda.entries import collect, ids_of, is_dead
from vaultkit.agenda.extraction import effective_due
from vaultkit.agenda.items import DEFAULTS, Extract, Settings, new_id
from vaultkit.agenda.plans import change_field, is_derived, order_of, recompute_due
from vaultkit.agenda.prose import Found, find_prose
from vaultkit.agenda.sync import Seen, plan_sync
from vaultkit.agenda.tasks import render_item, with_due, with_id
from vaultkit.errors import FrontmatterEditError
from vaultkit.text import frontmatter
from vaultkit.text.note import Note, parse_note
from vaultkit.text.values import Value

RULES = ("prose-date", "unparsable-date", "tick-mismatch", "due-mismatch")


class Finding(NamedTuple):
    """One problem of one note; *fix* is the line that would be written, "" when a person has to decide."""

    rule: str
    path: str
    line: int
    message: str
    fix: str = ""


def check(path: str, extract: Extract) -> list[Finding]:
    """What is wrong with the deadlines of one note, in the order of its lines."""
    found = [
        Finding("prose-date", path, prose.line, _prose_message(prose.phrase, prose.date, prose.warning), prose.fix)
        for prose in extract.prose
    ]
    found += [Finding("unparsable-date", path, line, f"no date can be read from: {what}") for line, what in extract.unparsable]
    found += [Finding(wrong.rule, path, wrong.line, wrong.message, wrong.fix) for wrong in extract.mismatches]
    return sorted(found, key=lambda finding: (finding.line, RULES.index(finding.rule), finding.message))


def plan_fix(
    note: Note,
    text: str,
    *,
    today: date,
    settings: Settings = DEFAULTS,
    taken: Iterable[str] = (),
    fallback_day: date | None = None,
    last: Mapping[str, Seen] | None = None,
    since: date | None = None,
) -> str | None:
    """*text* with all that is certain put right, None when nothing is: a second run changes nothing.

    A tick in the body closes the field entry; a prose date with a role goes into action_items or trackers with a 🆔 of its own (an open
    task line is joined to it, an undated entry of the same words takes the date); `due` is derived again. *last*: see `plan_sync`.
    Prose dates before *since* are left alone (old notes of an adopted vault).
    """
    if is_dead(note):
        return None
    taken = {*taken, *ids_of(note, settings)}
    try:
        fixed = _with_prose(note, text, settings, taken, fallback_day, since or date.min)
        fixed = plan_sync(parse_note(note.path, fixed), fixed, last or {}, today=today, settings=settings, taken=taken).text
    except FrontmatterEditError:
        return None  # a frontmatter that cannot be read is a person's to mend; the lint reports it by its own rule
    return fixed if fixed != text else None


def _prose_message(phrase: str, day: date, warning: str) -> str:
    said = f'"{phrase}" ({day:%a} {day.isoformat()}) stands in prose only: no field holds it, so nothing warns about it'
    return f"{said}; {warning}" if warning else said


def _with_prose(note: Note, text: str, settings: Settings, taken: set[str], fallback_day: date | None, since: date) -> str:
    """Every certain prose date in a field. Two phrases of one date become one item: the warning is what counts."""
    entries = collect(note, text, settings).entries
    placed: set[date] = set()
    chosen: list[Found] = []
    for found in find_prose(note, text, entries, settings=settings, fallback_day=fallback_day).found:
        if found.certain and found.prose.date >= since and found.prose.date not in placed:
            placed.add(found.prose.date)
            chosen.append(found)
    if not chosen:
        return text
    derived = settings.due not in note.properties or is_derived(note, text, settings)
    changed = text
    new: dict[str, list[Value]] = {}
    for found in sorted(chosen, key=lambda found: -found.task_start):  # back to front, so that offsets stay true
        if found.entry is None:
            changed = _placed(note, changed, found, settings, taken, new)
    for found in chosen:
        if found.entry is not None:
            changed = change_field(changed, found.entry, _dated(found))
    lists: dict[str, Value] = {}
    for key, added in new.items():
        kept = frontmatter.read(changed).values.get(key)
        listed: list[Value] = kept if isinstance(kept, list) else [] if kept is None else [kept]
        lists[key] = [*listed, *reversed(added)]
    if lists and derived:
        days = [effective_due(entry) for entry in entries if entry.field in {"action_items", "trackers"} and entry.open]
        lists[settings.due] = min([*placed, *(day for day in days if day is not None)]).isoformat()
    changed = frontmatter.edit(changed, lists, order=order_of(settings))
    return recompute_due(parse_note(note.path, changed), changed, settings=settings) if derived else changed


def _placed(note: Note, text: str, found: Found, settings: Settings, taken: set[str], new: dict[str, list[Value]]) -> str:
    """The new entry put into *new*; *text* with its open task line, if it stands in one, joined to it."""
    prose = found.prose
    known = found.id in ids_of(note, settings)  # the line's own
    made = found.id if known or found.id not in taken else new_id(f"{note.path}\n{prose.text}\n{prose.date}", taken)
    taken.add(made)
    key = settings.action_items if prose.role == "due" else settings.trackers
    entry = render_item(prose.text, due=prose.date, time=prose.time, id=made, recurrence=prose.recurrence)
    new.setdefault(key, []).append(entry)
    if found.task_start < 0:
        return text
    end = text.find("\n", found.task_start)
    end = len(text) if end < 0 else end
    raw = text[found.task_start : end].removesuffix("\r")
    return text[: found.task_start] + with_id(with_due(raw, prose.date), made) + text[found.task_start + len(raw) :]


def _dated(found: Found) -> Callable[[str], str]:
    return lambda raw: with_due(raw, found.prose.date, found.prose.time)
