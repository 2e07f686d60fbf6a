"""Lookahead, snooze, done, and the lint that finds what nothing warns about."""

from __future__ import annotations

import difflib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple

from vaultkit import agenda, graph
from vaultkit.app import App, Progress
from vaultkit.errors import NoteNotFoundError, NotFoundError, UsageError, VaultkitError
from vaultkit.operations._again import settled
from vaultkit.operations.notes import find_daily, new_daily
from vaultkit.text import names, note, tokens
from vaultkit.text.edit import Create, Edit, Rewrite, hash_of, printable, to_bytes
from vaultkit.text.ids import RecordId, id_of_path
from vaultkit.text.markdown import Link
from vaultkit.text.note import Note

# Rules that inform and never fail a lint (design.md §5).
INFO_RULES = frozenset({"no-description", "stale-description", "tags-not-list", "empty-canvas", "bare-record"})
# Rules of which `--fix` changes something only when they are named.
_ASKED_FOR = frozenset({"bare-record"})
# Every rule that a problem may name.
RULES = (
    *agenda.RULES, "broken-link", "ambiguous-link", "alias-link", "bad-yaml", "bad-canvas", "conflict-copy", "duplicate-id", *sorted(INFO_RULES)
)  # fmt: skip
_UNASKED = frozenset(RULES) - _ASKED_FOR

_DAILY_START, _DAILY_END = "<!-- vaultkit:lookahead:start -->", "<!-- vaultkit:lookahead:end -->"


class Problem(NamedTuple):
    """One finding. *fix* is the line that would be written, "" when a person has to decide."""

    rule: str
    path: str
    line: int
    message: str
    fix: str = ""


class Change(NamedTuple):
    """A note that `--fix` changes, with what changes in it."""

    path: str
    diff: str


class Linted(NamedTuple):
    """What a lint found, and with `--fix` what it changed; *problems* are then those that are left."""

    problems: tuple[Problem, ...]
    notes_read: int
    changes: tuple[Change, ...] = ()
    run: str = ""

    @property
    def failed(self) -> bool:
        """Is there more than information?"""
        return any(problem.rule not in INFO_RULES for problem in self.problems)


def lookahead(app: App, *, level: agenda.Level = "week", progress: Progress | None = None) -> agenda.Lookahead:
    """The deadlines at *level* on the day that `app.now` says."""
    synced = app.sync(progress)
    now = app.now()
    unreadable = [agenda.Unreadable(skip.path, 1, skip.reason) for skip in synced.skipped if skip.path.lower().endswith(".md")]
    return agenda.survey(app.extracts(), today=now.date(), now=now, level=level, notes_read=synced.notes, unreadable=unreadable)


def done(app: App, item_id: str, *, dry_run: bool = False) -> Change:
    """Close an item; a repeating one gets its next occurrence."""
    return settled(app, lambda: _done(app, item_id, dry_run=dry_run))


def _done(app: App, item_id: str, *, dry_run: bool) -> Change:
    path = _holder(app, item_id)
    parsed, text = app.read(path)
    taken = [found for head in app.heads().values() for found in head.ids]
    after = agenda.plan_done(parsed, text, item_id, today=app.now().date(), settings=app.rules.agenda, taken=taken)
    return _write(app, parsed, text, after, command=f"lookahead done {item_id}", dry_run=dry_run)


def snooze(app: App, item_id: str, when: str, *, dry_run: bool = False) -> Change:
    """Hide an item until *when*: `3d`, `2w`, or a date; never beyond its deadline."""
    return settled(app, lambda: _snooze(app, item_id, when, dry_run=dry_run))


def _snooze(app: App, item_id: str, when: str, *, dry_run: bool) -> Change:
    path = _holder(app, item_id)
    parsed, text = app.read(path)
    today = app.now().date()
    after = agenda.plan_snooze(parsed, text, item_id, today=today, until=_until(when, today), settings=app.rules.agenda)
    return _write(app, parsed, text, after, command=f"lookahead snooze {item_id} {when}", dry_run=dry_run)


def to_ics(look: agenda.Lookahead, *, stamp: datetime) -> bytes:
    """The items as an iCalendar file: a VTODO for what is to do, a VEVENT for what is to watch; days stay days, times stay local."""
    from vaultkit.store import calendar

    entries = [
        calendar.Entry(
            due.item.id,
            " ".join(printable(due.item.text).translate(_NO_CONTROL).split()),
            due.item.due,
            due.item.time,
            due.item.field == "trackers",
            _rrule(due.item.recurrence),
            f"{due.item.path}:{due.item.line}",
        )
        for due in look.items
    ]
    return calendar.to_ics(entries, stamp=stamp)


def to_daily(app: App, look: agenda.Lookahead) -> str:
    """Write the warnings into the day's note, in a block of our own that each run replaces; its path."""
    return settled(app, lambda: _to_daily(app, look))


def _to_daily(app: App, look: agenda.Lookahead) -> str:
    day = app.now().date()
    found, _ = find_daily(app, day)
    lines = [f"- {agenda.render_item_line(due)}" for due in look.items]
    if look.unparsable:
        lines.append(f"- {len(look.unparsable)} dates or notes cannot be read: `vaultkit lint`")
    if look.prose_dates:
        lines.append(f"- {len(look.prose_dates)} dates in prose that nothing warns about: `vaultkit lint`")
    old = new_daily(app, found) if found.text is None else found.text
    new = _with_block(old, [_inert(line) for line in lines])
    if new == found.text:
        return found.path
    edit: Edit = (
        Create(found.path, to_bytes(new)) if found.text is None else Rewrite(found.path, to_bytes(new), hash_of(to_bytes(found.text)))
    )
    app.commit([edit], command="lookahead --to-daily")
    return found.path


def notify(look: agenda.Lookahead) -> str:
    """Raise a desktop notice when there is something to say; what was done, in words."""
    told = agenda.summary(look)
    if not told:
        return ""
    if sys.platform == "darwin":
        command = [
            "osascript",
            "-e",
            "on run argv",
            "-e",
            "display notification (item 1 of argv) with title (item 2 of argv)",
            "-e",
            "end run",
            told,
            "Deadlines",
        ]
    elif shutil.which("notify-send"):
        command = ["notify-send", "--app-name=vaultkit", "Deadlines", told]
    else:
        return "no desktop notice: notify-send is not installed"
    try:
        shown = subprocess.run(command, check=False, capture_output=True, timeout=10, env=os.environ.copy())
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"no desktop notice: {error}"
    return "" if shown.returncode == 0 else f"no desktop notice: {shown.stderr.decode('utf-8', 'replace').strip() or shown.returncode}"


def lint(app: App, *, only: str | None = None, progress: Progress | None = None) -> Linted:
    """Everything that would let a deadline slip or a link break. *only* restricts it to one note."""
    synced = app.sync(progress)
    if not synced.notes:
        raise NotFoundError("no note was read", hint="is this the right vault? --vault names another")
    wanted = None if only is None else app.find(only)
    found = sorted(problem for problem in _problems(app) if wanted is None or problem.path == wanted)
    return Linted(tuple(found), synced.notes if wanted is None else 1)


def fix(app: App, *, only: str | None = None, rules: Sequence[str] = (), dry_run: bool = False, progress: Progress | None = None) -> Linted:
    """Do what is certain: place prose dates, settle ticks, derive `due`, turn alias links into links. The rest stays a problem.

    *rules* restricts it to notes that break one of them; the deadlines of one note are settled together.
    """
    renumbered = _renumbered(app, dry_run=dry_run) if only is None and (not rules or "duplicate-id" in rules) else ()
    fixed = settled(app, lambda: _fix(app, only, rules, dry_run=dry_run, progress=progress))
    return fixed._replace(changes=(*renumbered, *fixed.changes))


def _renumbered(app: App, *, dry_run: bool) -> tuple[Change, ...]:
    """Records that share an id get a number each."""
    app.sync()
    if not any(True for _ in _about_ids(app)):
        return ()
    from vaultkit.operations.recordlogs import renumber

    return tuple(Change(one.path, f"{one.path} → {one.to}\n") for one in renumber(app, dry_run=dry_run).records)


def _fix(app: App, only: str | None, rules: Sequence[str], *, dry_run: bool, progress: Progress | None) -> Linted:
    before = lint(app, only=only, progress=progress)
    taken = {found for head in app.heads().values() for found in head.ids}
    edits: list[Edit] = []
    changes: list[Change] = []
    for path in sorted(
        {
            problem.path
            for problem in before.problems
            if problem.fix and problem.rule != "duplicate-id" and problem.rule in (rules or _UNASKED)
        }
    ):
        try:
            parsed, text = app.read(path)
        except NoteNotFoundError:  # moved or removed meanwhile: the next lint sees it where it is
            continue
        after = _fixed(app, parsed, text, taken, rules)
        if after is None or after == text:
            continue
        taken.update(agenda.ids_of(note.parse_note(path, after), app.rules.agenda))
        edits.append(Rewrite(path, to_bytes(after), parsed.hash))
        changes.append(Change(path, diff(path, text, after)))
    if dry_run or not edits:
        return before._replace(changes=tuple(changes))
    applied = app.commit(edits, command="lint --fix" + (f" {only}" if only else ""))
    return lint(app, only=only)._replace(changes=tuple(changes), run=applied.run)


def diff(path: str, before: str, after: str) -> str:
    """A unified diff of two texts of a note."""
    lines = difflib.unified_diff(before.splitlines(keepends=True), after.splitlines(keepends=True), f"a/{path}", f"b/{path}", n=1)
    return printable("".join(line if line.endswith("\n") else f"{line}\n\\ no line end\n" for line in lines))


def _problems(app: App) -> Iterator[Problem]:
    snapshot = app.snapshot()
    for path, found in app.extracts().items():
        yield from (Problem(*finding) for finding in agenda.check(path, found))
    for path, parsed in snapshot.notes.items():
        yield from (Problem(problem.rule, path, problem.line, problem.message) for problem in parsed.problems)
        if not app.rules.is_template(path):
            yield from _about_description(app, parsed)
    for edge in graph.edges(snapshot):
        if not app.rules.is_template(edge.source):
            yield from _about_link(snapshot, edge)
    yield from _about_copies(app)
    yield from _about_ids(app)
    for path, problem in graph.canvas_problems(snapshot):
        yield Problem(problem.rule, path, problem.line, problem.message)


def _about_link(snapshot: graph.Snapshot, edge: graph.Edge) -> Iterator[Problem]:
    link = edge.link
    if edge.target.path is None:
        owners = graph.alias_owners(snapshot, link.target)
        if owners and link.syntax != "markdown":
            fixed = _alias_link(snapshot, edge, owners[0]) if len(owners) == 1 else ""
            yield Problem(
                "alias-link",
                edge.source,
                link.line,
                f"[[{link.target}]] is an alias of {', '.join(owners)}; Obsidian does not resolve it",
                fixed,
            )
        else:
            yield Problem("broken-link", edge.source, link.line, f"[[{link.target}]] leads nowhere")
    elif link.syntax == "bare" and not edge.target.ambiguous:
        yield Problem(
            "bare-record",
            edge.source,
            link.line,
            f"{link.target} is a link for vaultkit, and plain text for Obsidian",
            f"[[{link.target}]]",
        )
    elif edge.target.ambiguous:
        others = ", ".join(edge.target.ambiguous)
        yield Problem("ambiguous-link", edge.source, link.line, f"[[{link.target}]] may mean {edge.target.path} or {others}")


def _about_description(app: App, parsed: Note) -> Iterator[Problem]:
    if app.rules.type_of(parsed) in {"daily", "template"}:
        return
    line = parsed.property_lines.get("description", 1)
    said = set(tokens.index_tokens(parsed.description))
    if not parsed.description.strip():
        yield Problem("no-description", parsed.path, 1, "recall has no line to show for this note")
    elif not said or said <= set(tokens.index_tokens(parsed.title)):
        yield Problem("no-description", parsed.path, line, "the description says no more than the title")
    elif app.head([parsed.path])[parsed.path].stale:
        yield Problem("stale-description", parsed.path, line, "none of its words stands in the note any more")


def _about_copies(app: App) -> Iterator[Problem]:
    manifest = app.manifest()
    for path in manifest:
        if not path.lower().endswith(".md"):
            continue
        original = names.conflict_copy_of(path, manifest)
        maybe = original or names.maybe_copy_of(path, manifest)
        if original:
            yield Problem("conflict-copy", path, 1, f"a sync made this copy of {original}; it is not indexed")
        elif maybe and manifest[maybe].hash == manifest[path].hash:
            yield Problem("conflict-copy", path, 1, f"holds the same as {maybe}, as a copy by iCloud does")


def _about_ids(app: App) -> Iterator[Problem]:
    """Records that have one id, as two machines may have given it."""
    known: dict[RecordId, str] = {}
    for path in sorted(app.heads()):
        found = id_of_path(path)
        if found is not None and (first := known.setdefault(found, path)) != path:
            yield Problem("duplicate-id", path, 1, f"{first} has the same id", "vaultkit record renumber")


def _alias_link(snapshot: graph.Snapshot, edge: graph.Edge, owner: str) -> str:
    text = graph.resolver_of(snapshot).link_text(owner, edge.source)
    display = edge.link.display or edge.link.target
    return f"[[{text}{edge.link.subpath}|{display}]]"


def _fixed(app: App, parsed: Note, text: str, taken: Iterable[str], rules: Sequence[str]) -> str | None:
    """The text with everything done that is certain; None when the note is no longer the one whose problems are known."""
    snapshot = app.snapshot()
    if parsed.path not in snapshot.notes or snapshot.notes[parsed.path].hash != parsed.hash:
        return None
    pieces = []
    for edge in graph.edges_from(snapshot, parsed.path) if not rules or "alias-link" in rules else ():
        link = edge.link
        if edge.target.path is None and link.syntax == "wikilink":
            owners = graph.alias_owners(snapshot, link.target)
            if len(owners) == 1:
                written = text[link.start : link.end]
                bar = "\\|" if "\\|" in written or _in_table(text, link.start) else "|"
                pieces.append(
                    (link.start, link.end, ("!" if link.embed else "") + _alias_link(snapshot, edge, owners[0]).replace("|", bar, 1))
                )
    if "bare-record" in rules:
        pieces += [(link.start, link.end, f"[[{link.target}]]") for link in _bare(snapshot, parsed, text)]
    linked = text
    for start, end, piece in sorted(pieces, reverse=True):
        linked = linked[:start] + piece + linked[end:]
    if pieces:
        after = note.parse_note(parsed.path, linked, hash=parsed.hash)
        if len(after.problems) <= len(parsed.problems):  # a name with quotes in it, put into a property, may break the frontmatter
            parsed, text = after, linked
    if rules and not set(rules) & set(agenda.RULES):
        return text
    return agenda.plan_fix(parsed, text, today=app.now().date(), last=app.seen(parsed.path), fallback_day=app.rules.daily.day_of(parsed.path), settings=app.rules.agenda, taken=taken) or text  # fmt: skip


def _bare(snapshot: graph.Snapshot, parsed: Note, text: str) -> Iterator[Link]:
    """Bare ids that may be written as links: not in headings, which links name, nor in task lines, which a field repeats."""
    for edge in graph.edges_from(snapshot, parsed.path):
        link = edge.link
        line = text[text.rfind("\n", 0, link.start) + 1 : text.find("\n", link.end) if "\n" in text[link.end :] else len(text)]
        if link.syntax == "bare" and "🆔" not in line and not any(found.start <= link.start < found.body for found in parsed.headings):
            yield link


def _in_table(text: str, at: int) -> bool:
    line = text[text.rfind("\n", 0, at) + 1 : at].lstrip("> ")
    return line.startswith("|")


def _holder(app: App, item_id: str) -> str:
    app.sync()
    holders = sorted({item.path for found in app.extracts().values() for item in found.items if item.id == item_id})
    if not holders:
        raise NotFoundError(f"no item has the id {item_id}", hint="`vaultkit lookahead --level month` shows ids in brackets")
    if len(holders) > 1:
        raise UsageError(f"{item_id} stands in {', '.join(holders)}", hint="change the 🆔 in one of them")
    return holders[0]


def _write(app: App, parsed: Note, before: str, after: str, *, command: str, dry_run: bool) -> Change:
    change = Change(parsed.path, diff(parsed.path, before, after))
    if after != before and not dry_run:
        app.commit([Rewrite(parsed.path, to_bytes(after), parsed.hash)], command=command)
    return change


def _until(word: str, today: date) -> date:
    counted = re.fullmatch(r"(\d{1,4})\s*([dwm]?)", word.strip().lower())
    try:
        if counted:
            days = int(counted[1]) * {"d": 1, "": 1, "w": 7, "m": 30}[counted[2]]
            return today + timedelta(days=days)
        return date.fromisoformat(word.strip())
    except (ValueError, OverflowError):
        raise UsageError(f"{word!r} is no time to snooze until", hint="write 3d, 2w or 2026-12-05") from None


_NO_CONTROL = dict.fromkeys((*range(32), 127), " ")  # RFC 5545 §3.1 allows none in a text
_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_MOST_EVERY = 2**31 - 1  # RFC 5545 §3.3.8
_UNITS = {"day": "DAILY", "week": "WEEKLY", "month": "MONTHLY", "year": "YEARLY"}


def _rrule(recurrence: str) -> str:
    """Tasks English as an RFC 5545 rule; "" for none, and for what a calendar cannot say."""
    rule = agenda.parse_rule(recurrence) if recurrence else None
    if rule is None or rule.when_done or rule.unit not in _UNITS or rule.every > _MOST_EVERY:
        return ""
    parts = [f"FREQ={_UNITS[rule.unit]}", f"INTERVAL={rule.every}"]
    days = [_DAYS[day] for day in rule.weekdays] + [f"{position}{_DAYS[day]}" for position, day in rule.nth]
    parts += [f"BYDAY={','.join(days)}"] if days else []
    parts += [f"BYMONTHDAY={','.join(map(str, rule.on_days))}"] if rule.on_days else []
    parts += [f"BYMONTH={','.join(map(str, rule.months))}"] if rule.months else []
    return ";".join(parts)


def _inert(line: str) -> str:
    """One line for our block: no name or text in it starts another line, ends the block, or hides what follows."""
    return " ".join(printable(line).replace("<!--", "<!-").replace("-->", "->").replace("%%", "%").splitlines())


def _with_block(text: str, lines: list[str]) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    start, end = text.find(_DAILY_START), text.find(_DAILY_END)
    block = newline.join([_DAILY_START, "**Deadlines**", "", *lines, _DAILY_END])
    if 0 <= start < end:
        return text[:start] + (block if lines else newline.join([_DAILY_START, _DAILY_END])) + text[end + len(_DAILY_END) :]
    if not lines:
        return text
    glue = "" if not text or text.endswith(("\n", "\r")) else newline
    return f"{text}{glue}{newline if text.strip() else ''}{block}{newline}"


__all__ = [
    "INFO_RULES",
    "Change",
    "Linted",
    "Problem",
    "VaultkitError",
    "diff",
    "done",
    "fix",
    "lint",
    "lookahead",
    "notify",
    "snooze",
    "to_daily",
    "to_ics",
]
