"""Records: look up what was decided, write, list, change the status. What is like a new one is shown before it is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from vaultkit import recall as engine
from vaultkit.app import App, Head
from vaultkit.capture import Settings as CaptureSettings
from vaultkit.capture.scopes import checked_scope
from vaultkit.errors import NoteNotFoundError, UsageError, VaultkitError
from vaultkit.operations._again import settled
from vaultkit.operations.context import scope_of
from vaultkit.operations.recall import policy_of, uses_of
from vaultkit.records import draft as drafts
from vaultkit.records import lists, notes, status
from vaultkit.records.draft import Draft
from vaultkit.records.promotion import words
from vaultkit.store.files import DiskError
from vaultkit.text.edit import Edit, Rewrite, hash_of, to_bytes, to_text
from vaultkit.text.ids import PREFIXES, RecordId, highest, id_of_path, numbers_in, parse_id


class Ask(NamedTuple):
    """A record to write. *cwd* names the scope where the draft does not; *same_lesson*: take the wording of the last failure of its pattern.

    What *harness* may not see is not looked up, and lends no words.
    """

    draft: Draft
    cwd: Path | None = None
    same_lesson: bool = False
    dry_run: bool = False
    harness: str = ""


class Row(NamedTuple):
    """One record as lists show it. *rejected* are options that were not taken, *lesson* what a failure taught."""

    id: str
    path: str
    title: str
    description: str
    date: str
    scope: str
    status: str
    kind: str
    superseded_by: str = ""
    rejected: tuple[str, ...] = ()
    lesson: str = ""
    score: float = 0.0

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        return self._asdict()


class Looked(NamedTuple):
    """What was decided before: decisions of the scope that are about the same, best first, and what they turned down; how many there are in all."""

    rows: tuple[Row, ...]
    scope: str
    of: int
    withheld: int = 0


class Recorded(NamedTuple):
    """A record that was written (or would be). *related* and *past* were looked up before; *offered* is the wording of a lesson that fits."""

    id: str
    path: str
    draft: Draft
    title: str
    description: str
    date: str
    scope: str
    status: str
    related: tuple[Row, ...]
    past: tuple[Row, ...] = ()
    offered: str = ""
    superseded: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    dry_run: bool = False

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        draft = self.draft
        found: dict[str, object] = {
            "id": self.id,
            "path": self.path,
            "kind": draft.kind,
            "title": self.title,
            "description": self.description,
            "date": self.date,
            "scope": self.scope,
            "status": self.status,
            **{part.name: draft.parts.get(part.name, "") for part in drafts.PARTS[draft.kind] if part.name != "options"},
            "missing": list(draft.missing),
            "supersedes": list(self.superseded),
            "related": [row.as_dict() for row in self.related],
            "warnings": list(self.warnings),
            "dry_run": self.dry_run,
        }
        if draft.kind == "decision":
            found["options"] = [text for text, _ in draft.options]
            found["rejected"] = list(draft.rejected)
        if draft.kind == "failure":
            found |= {"pattern": draft.pattern, "past": [row.as_dict() for row in self.past], "offered_lesson": self.offered}
        return found


def record(app: App, ask: Ask, *, offer: Callable[[str, Row], bool] | None = None) -> Recorded:
    """Write a record. What was decided or went wrong before is looked up first; *offer* asks whether a failure takes an earlier lesson's words."""
    draft = drafts.checked(ask.draft)
    app.sync()
    inherited = [app.head([path])[path].scope for path in (find(app, _unlinked(name)) for name in draft.supersedes)]
    scope = _scope(app, draft.scope or next(filter(None, inherited), ""), ask.cwd)
    draft = draft._replace(scope=scope)
    related: tuple[Row, ...] = ()
    past: tuple[Row, ...] = ()
    if draft.kind == "failure":
        past = failures_like(app, draft, harness=ask.harness)
    else:
        related = look(app, draft.words(), scope=scope, by=f"record {draft.kind}", harness=ask.harness).rows
    draft, offered = _with_lesson(draft, past, ask, offer)
    if draft.kind == "failure" and not draft.pattern and past:
        draft = draft._replace(pattern=_pattern(app, past[0].path) or past[0].id)

    def write() -> Recorded:
        with nullcontext() if ask.dry_run else app.numbers.lock():
            return _write(app, draft, related, past, offered, dry_run=ask.dry_run)

    return settled(app, write)


def _write(app: App, draft: Draft, related: Sequence[Row], past: Sequence[Row], offered: str, *, dry_run: bool) -> Recorded:
    app.sync()
    today = app.now().date()
    given = RecordId(draft.kind, highest_of(app, draft.kind) + 1)
    old = [_old(app, name) for name in draft.supersedes]
    draft = draft._replace(supersedes=tuple(_stem(one.path) for one in old))
    made = notes.create(draft, given, day=_day(draft.date) or today, names=names_of(app))
    edits: list[Edit] = [made, *(notes.supersede(one, str(given)) for one in old)]
    more, told = list_edits(app, [draft.kind, *_kinds(one.path for one in old)], edits)
    if not dry_run:
        app.numbers.give({draft.kind: given.number})
        app.commit([*edits, *more], command=f"record {draft.kind} {given}")
    missing = [f"it has no {name}" for name in draft.missing]
    mine = words(f"{drafts.title_of(draft)} {drafts.description_of(draft)}")
    for row in related:
        other = words(f"{row.title} {row.description}")
        if row.status == "active" and row.id not in {_stem(one.path) for one in old} and len(mine & other) >= _SAME * len(mine | other) > 0:
            missing.append(f"{row.id} says the same: `--supersedes {row.id}` if this takes its place")
    return Recorded(
        str(given),
        made.path,
        draft,
        drafts.title_of(draft),
        drafts.description_of(draft),
        draft.date or today.isoformat(),
        draft.scope,
        draft.status or "active",
        tuple(related),
        tuple(past),
        offered,
        tuple(_stem(one.path) for one in old),
        (*missing, *told),
        dry_run,
    )


def look(app: App, about: str, *, scope: str = "", by: str, limit: int = 5, harness: str = "") -> Looked:
    """Decisions of the scope that touch *about*, with what they turned down (memory.md M28b). It is counted: `stats` shows how often."""
    app.sync()
    heads = app.heads()
    mine = {path: head for path, head in heads.items() if head.type in _LOOKED and _within(head, scope) and not app.rules.is_template(path)}
    allowed = _to_be_seen(app, mine, harness)
    scores: dict[str, float] = {}
    if about.strip():
        hits = app.search.search(about[:_ASKED], limit=50, types=_LOOKED, statuses=status.STATUSES)
        wanted = words(about)
        for hit in hits:
            if hit.path in allowed and (
                len(wanted & words(f"{mine[hit.path].title} {mine[hit.path].description}")) > 0 or hit.coverage >= 0.3
            ):
                scores[hit.path] = round(hit.score * hit.coverage, 4)
    best = sorted(scores, key=lambda path: (-scores[path], path))[:limit]
    if not about.strip() or (scope and scope != "inbox"):  # the scope's own, the most used and newest first, where the words find too few
        uses = uses_of(app)
        rest = (path for path in allowed if path not in scores and mine[path].status == "active" and not mine[path].successor)
        used = {path: 2 * use.useful + use.accessed for path, use in uses.items()}
        fill = sorted(sorted(rest), key=lambda path: (used.get(path, 0), mine[path].date), reverse=True)
        best += fill[: max(0, limit - len(best))]
    rows = tuple(_row(app, path, mine[path], scores.get(path, 0.0), whole=True) for path in best)
    if rows:
        app.activity.append("decisions", t=app.clock(), session=app.session, by=by, scope=scope, paths=[row.path for row in rows])
    return Looked(rows, scope, len(allowed), len(mine) - len(allowed))


def failures_like(app: App, draft: Draft, *, limit: int = 5, harness: str = "") -> tuple[Row, ...]:
    """Past failures of the same pattern, the newest first: named so, or told in the same words (memory.md M29)."""
    heads = app.heads()
    seen = _to_be_seen(app, [path for path, head in heads.items() if head.type == "failure"], harness)
    found: dict[str, float] = {}
    if draft.pattern:
        wanted = draft.pattern.casefold()
        snapshot = app.snapshot()
        named = (path for path in heads if path in seen and path in snapshot.notes)
        for path in named:
            own = snapshot.notes[path].properties.get("pattern")
            if (isinstance(own, str) and own.casefold() == wanted) or _stem(path).casefold() == wanted:
                found[path] = 1.0
    said = words(draft.words())
    for hit in app.search.search(draft.words()[:_ASKED], limit=20, types=("failure",), statuses=("active", "processed")):
        if hit.path in found or hit.path not in seen or draft.pattern:
            continue
        try:
            note, text = app.read(hit.path)
        except (VaultkitError, OSError):
            continue  # it went away meanwhile
        other = notes.read_record(note, text, "failure")
        told = words(other.words())
        shared = len(said & told) / max(1, min(len(said), len(told)))
        if shared >= _SAME_PATTERN:
            found[hit.path] = round(shared, 3)
    order = sorted(found, key=lambda path: (found[path], heads[path].date, path), reverse=True)[:limit]
    return tuple(_row(app, path, heads[path], found[path], whole=True) for path in order)


def _to_be_seen(app: App, paths: Iterable[str], harness: str) -> set[str]:
    """Those of *paths* that are not private (memory.md M22b), whatever their status."""
    policy = policy_of(app, harness)._replace(inactive=True, muted=())
    return {row.path for row in app.rows(list(paths)) if engine.allowed(row, policy)}


def _with_lesson(draft: Draft, past: Sequence[Row], ask: Ask, offer: Callable[[str, Row], bool] | None) -> tuple[Draft, str]:
    """The lesson in the words of an earlier failure of its pattern: where it has none, or where that was agreed to."""
    worded = [row for row in past if row.lesson]
    counts = Counter(row.lesson.strip() for row in worded)
    earlier = max(worded, key=lambda row: (counts[row.lesson.strip()], -(parse_id(row.id) or _NONE).number), default=None)
    if draft.kind != "failure" or earlier is None:
        return draft, ""
    own = draft.parts.get("lesson", "").strip()
    if own == earlier.lesson.strip():
        return draft, ""
    take = not own or ask.same_lesson or (offer is not None and not ask.dry_run and offer(earlier.lesson, earlier))
    if not take:
        return draft, earlier.lesson
    body = draft.body if own == "" and not draft.body else _body_with(draft, earlier.lesson)
    return draft._replace(parts={**draft.parts, "lesson": earlier.lesson}, body=body), earlier.lesson


def _body_with(draft: Draft, lesson: str) -> str:
    """A draft's own text with the lesson put under its heading; the words that stood there stay, as a remark."""
    if not draft.body:
        return ""
    own = draft.parts.get("lesson", "").strip()
    if own and own in draft.body:
        return draft.body.replace(own, f"{lesson}\n\n(As first written: {' '.join(own.split())})", 1)
    heading = "教訓" if drafts.is_japanese(draft.body) else "Lesson"
    return f"{draft.body.rstrip()}\n\n## {heading}\n\n{lesson}\n"


class Listed(NamedTuple):
    """Records, newest first; *of* how many there are in all."""

    rows: tuple[Row, ...]
    of: int


def list_records(app: App, *, kind: str = "", scope: str = "", statuses: Sequence[str] = (), about: str = "", limit: int = 0) -> Listed:
    """The records of a kind ("": all); with *about* those that touch it, best first, with what was turned down."""
    if about:
        looked = look(app, about, scope=scope, by="record list", limit=limit or 10)
        rows = tuple(row for row in looked.rows if (not kind or row.kind == kind) and (not statuses or row.status in statuses))
        return Listed(rows, looked.of)
    app.sync()
    found = [
        _row(app, path, head)
        for path, head in app.heads().items()
        if head.type in PREFIXES
        and (not kind or head.type == kind)
        and (head.type != "proposal" or kind)
        and _within(head, scope)
        and (not statuses or head.status in statuses)
        and id_of_path(path)
    ]
    found.sort(key=lambda row: (row.date, row.id, row.path), reverse=True)
    return Listed(tuple(found[: limit or None]), len(found))


class Moved(NamedTuple):
    """A record whose status changed."""

    id: str
    path: str
    before: str
    status: str
    why: str
    warnings: tuple[str, ...] = ()
    dry_run: bool = False


def set_status(app: App, name: str, word: str, *, why: str = "", dry_run: bool = False) -> Moved:
    """Give a record (or any note) another status, if the table allows it. What is turned down or retired says why."""
    wanted = status.status_named(word)

    def write() -> Moved:
        with nullcontext() if dry_run else app.numbers.lock():
            app.sync()
            path = find(app, name)
            head = app.head([path])[path]
            status.check_move(_stem(path), head.status, wanted)
            if wanted in {"discarded", "retired"} and not why.strip() and head.status != wanted:
                raise UsageError(f"why is {_stem(path)} {wanted}?", hint="say so with --why TEXT: the reason is kept in the note")
            edits: list[Edit] = [notes.change_status(path, to_text(app.files.read(path).data), head.status, wanted, why=why)]
            more, told = list_edits(app, _kinds([path]), edits)
            if not dry_run:
                app.commit([*edits, *more], command=f"record status {_stem(path)} {wanted}")
            return Moved(_stem(path), path, head.status, wanted, why, told, dry_run)

    return settled(app, write)


def rebuild_lists(app: App, *, dry_run: bool = False) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Make both lists anew: the paths that change, and what was met."""

    def write() -> tuple[tuple[str, ...], tuple[str, ...]]:
        app.sync()
        edits, told = list_edits(app, ["decision", "failure"], [])
        if not dry_run:
            app.commit(edits, command="record lists")
        return tuple(edit.path for edit in edits), told

    return settled(app, write)


# -- what other lifecycle commands share


def find(app: App, name: str) -> str:
    """The note that an id, a path or a link name means. `dec-18` is `DEC-018`."""
    record_id = parse_id(name)
    if record_id is None:
        return app.find(name)
    paths = sorted(path for path in app.heads() if id_of_path(path) == record_id)
    if not paths:
        raise NoteNotFoundError(name, hint=f"`vaultkit record list {record_id.kind}` shows what there is")
    if len(paths) > 1:
        raise UsageError(f"{record_id} is {', '.join(paths)}", hint="`vaultkit record renumber` gives each a number of its own")
    return paths[0]


def highest_of(app: App, kind: str) -> int:
    """The highest number that a kind ever had: of files, of the trash, of what the lists and this machine remember."""
    # `DEC-018 Renew.md` and the trash's `DEC-018 2.md` have the number too.
    names = (path.rpartition("/")[2] for path in (*app.manifest(), *app.files.trashed()))
    found = [one for name in names for one in numbers_in(name)]
    known = max(highest(found, kind), app.numbers.highest(kind))
    path = list_path(app, kind)
    if path and app.files.exists(path):
        known = max(known, lists.marked(to_text(app.files.read(path).data), kind))
    return known


def list_path(app: App, kind: str) -> str:
    """Where the generated list of a kind stands; "" for none."""
    return {"decision": app.config.decisions_list, "failure": app.config.failures_list}.get(kind, "")


def list_edits(app: App, kinds: Sequence[str], pending: Sequence[Edit], *, fresh: str = "") -> tuple[list[Edit], tuple[str, ...]]:
    """The edits that make the lists of *kinds* anew, as the vault will be after *pending*; and what was met.

    *fresh* is a file that *pending* keeps elsewhere: a list takes its place.
    """
    edits: list[Edit] = []
    told: list[str] = []
    for kind in dict.fromkeys(kinds):
        path = list_path(app, kind)
        if not path:
            continue
        try:
            before = to_text(app.files.read(path).data)
        except NoteNotFoundError:
            before = None
        except DiskError as error:
            told.append(f"{path} was not made anew: {error.message}")
            continue
        lines = list(_lines(app, kind, pending))
        if not lines and before is None:
            continue
        taken = {edit.path for edit in (*pending, *edits)}
        done = lists.rebuild(
            kind,
            path,
            "" if path == fresh else before,
            lines,
            today=app.now().date(),
            aside=partial(_aside, app, taken),
            past=app.numbers.highest(kind),
        )
        if path == fresh and before is not None:
            done = done._replace(
                edits=tuple(replace(one, expected=hash_of(to_bytes(before))) for one in done.edits if isinstance(one, Rewrite))
            )
        edits += done.edits
        told += [done.told] if done.told else []
    return edits, tuple(told)


def free_path(app: App, stem: str, taken: Collection[str] = ()) -> str:
    """The path of a new note: *stem*, with a number behind it where that is taken."""
    number = 1
    while (path := f"{stem}{'' if number == 1 else f'-{number}'}.md") in taken or app.files.is_taken(path):
        number += 1
    return path


def names_of(app: App) -> notes.Names:
    """The settings that records depend on."""
    return notes.Names(app.config.archive_folder, app.config.date_property)


def _lines(app: App, kind: str, pending: Sequence[Edit]) -> Iterator[lists.Line]:
    from vaultkit.app.parsing import scope_of as scope_in
    from vaultkit.app.parsing import status_of
    from vaultkit.recall import successor_of
    from vaultkit.text.note import parse_note

    changed = {edit.path: edit for edit in pending}
    moved = {to: edit for edit in pending if (to := getattr(edit, "to", ""))}
    for path, head in app.heads().items():
        found = id_of_path(path)
        if head.type == kind and found is not None and found.kind == kind and path not in changed:
            yield lists.Line(found, _stem(path), head.date[:10], head.title, head.status, head.scope, head.description, head.successor)
    for edit in (*changed.values(), *moved.values()):
        path = getattr(edit, "to", "") or edit.path
        found = id_of_path(path)
        data = getattr(edit, "data", None)
        if found is None or found.kind != kind or (data is None and path not in moved):
            continue
        text = to_text(data if data is not None else app.files.read(edit.path).data)
        note = parse_note(path, text)
        if app.rules.type_of(note) == kind:
            dated = note.properties.get(app.config.date_property)
            yield lists.Line(
                found,
                _stem(path),
                dated[:10] if isinstance(dated, str) else "",
                note.title,
                status_of(note),
                scope_in(note),
                note.description,
                successor_of(note),
            )


def _row(app: App, path: str, head: Head, score: float = 0.0, *, whole: bool = False) -> Row:
    row = Row(
        _stem(path), path, head.title, head.description, head.date[:10], head.scope, head.status, head.type, head.successor, score=score
    )
    if not whole or head.type not in drafts.PARTS:
        return row
    try:
        note, text = app.read(path)
    except (VaultkitError, OSError):
        return row  # it went away meanwhile
    said = notes.read_record(note, text, head.type)
    rejected = said.rejected if head.status != "discarded" else (head.title, *(text for text, _ in said.options))
    return row._replace(
        rejected=rejected if head.type == "decision" or head.status == "discarded" else (), lesson=said.parts.get("lesson", "")
    )


def _old(app: App, name: str) -> notes.Old:
    path = find(app, _unlinked(name))
    head = app.head([path])[path]
    return notes.Old(path, to_text(app.files.read(path).data), head.status, head.successor)


def _unlinked(name: str) -> str:
    return name.strip().removeprefix("[[").removesuffix("]]").partition("|")[0].partition("#")[0]


def _pattern(app: App, path: str) -> str:
    own = app.read(path)[0].properties.get("pattern")
    return own if isinstance(own, str) else ""


def _scope(app: App, asked: str, cwd: Path | None) -> str:
    """As told, else that of the working folder, else inbox."""
    if asked:
        return scope_asked(asked)
    return (scope_of(app, cwd) if cwd is not None else "") or "inbox"


def scope_asked(word: str) -> str:
    """A scope as a person types it, in full. Raises UsageError."""
    return checked_scope(word, CaptureSettings())


def _kinds(paths: Sequence[str] | Iterator[str]) -> list[str]:
    return [found.kind for path in paths if (found := id_of_path(path)) is not None]


def _within(head: Head, scope: str) -> bool:
    wanted, own = scope.casefold().strip("/"), head.scope.casefold().strip("/")
    return wanted in {"", "inbox", own} or own.startswith(wanted + "/")


def _aside(app: App, taken: set[str], slug: str) -> str:
    """Where what was found in a list is kept: in the inbox, to be seen."""
    folder = f"{app.config.inbox_folder}/" if app.config.inbox_folder else ""
    return free_path(app, f"{folder}{app.now().date().isoformat()}-{slug}", taken)


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md")


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


_NONE: Final = RecordId("failure", 0)
_LOOKED: Final = ("decision", "idea")
_ASKED: Final = 1000  # characters that are searched for
_SAME: Final = 0.8
_SAME_PATTERN: Final = 0.5  # share of the smaller one's words

__all__ = [
    "Ask", "Listed", "Looked", "Moved", "Recorded", "Row", "failures_like", "find", "free_path", "highest_of", "list_edits", "list_path",
    "list_records", "look", "names_of", "rebuild_lists", "record", "scope_asked", "set_status",
]  # fmt: skip
