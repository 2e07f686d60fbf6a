"""Notes that were typed in Obsidian get their fields: properties are added, the text stays byte for byte. Pure.

Relative phrases count from the moment the note was written, not from the moment it is read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from vaultkit.agenda.items import DEADLINE_NAMES, fold_name
from vaultkit.agenda.tasks import read_moment
from vaultkit.capture.actions import Found, extract
from vaultkit.capture.daily import DailyNote, link_in_daily
from vaultkit.capture.drafts import Draft, draft, ids_of, to_item
from vaultkit.capture.plans import Plan, link_text, properties, receipt_of
from vaultkit.capture.request import Known, Request, Settings
from vaultkit.capture.titles import clean
from vaultkit.errors import RefusedError, UsageError
from vaultkit.text import frontmatter
from vaultkit.text.edit import Edit, Rewrite, hash_of, to_bytes
from vaultkit.text.values import Value


def why_not(path: str, text: str, *, written: datetime, now: datetime, settings: Settings, force: bool = False) -> str:
    """Why a note gets no fields now, "" when it does. *force* (`capture --from`) waits for nothing."""
    found = frontmatter.read(text)
    if not found.readable and found.problem is not None:
        return f"its properties cannot be read (line {found.problem.line}): {found.problem.message}"
    touched = [name for name in ("type", "status", settings.actions_property, settings.trackers_property) if name in found.values]
    if touched and not force:
        return f"it has fields already ({', '.join(touched)})"
    body = text[found.block.end :] if found.block is not None else text
    if not body.strip() and not _telling_name(path):
        return "it is empty"
    quiet = now - written
    if not force and quiet < timedelta(minutes=settings.quiet_minutes):
        return f"it was changed {max(0, int(quiet.total_seconds() // 60))} minutes ago; it is left alone until it has been quiet for {settings.quiet_minutes}"
    return ""


def plan_intake(
    path: str,
    text: str,
    *,
    written: datetime,
    now: datetime,
    known: Known,
    settings: Settings,
    scope: str = "",
    type: str = "",  # noqa: A002 - the property's name
    title: str = "",
    daily: DailyNote | None = None,
) -> Plan:
    """The edit that gives the note at *path* its fields. A property that is there stays as it is."""
    found = frontmatter.read(text)
    if not found.readable and found.problem is not None:
        raise RefusedError(f"{path}: its properties cannot be read (line {found.problem.line})", hint="correct the frontmatter, then retry")
    body = text[found.block.end :] if found.block is not None else text
    named = _telling_name(path)
    says_enough = any(
        item.text != item.phrase for item in extract(body[: settings.analysed], now=written, policy=settings.policy, limit=3).items
    )
    # The name speaks where the text does not: `レポート提出.md` that holds nothing but 金曜まで.
    analysed = body if not named or says_enough or named.casefold() in body.casefold() else f"{named}\n{body}"
    if not analysed.strip():
        raise UsageError(f"{path} holds nothing to file", hint="write a line into it first")
    moment = _written_at(found.values, written, settings)
    own = _own_text(found.values, "title") or named
    request = Request(
        text=analysed, now=moment, title=title or own, scope=scope or _own_scope(found.values), type=type or _own_text(found.values, "type")
    )
    thought = draft(request, known, settings)._replace(path=path)
    thought = _with_own_deadline(thought, found.values, known)
    wanted = properties(thought)
    if any(fold_name(name) in DEADLINE_NAMES for name in found.values):
        wanted.pop(settings.due_property, None)
    changes = {name: value for name, value in wanted.items() if name not in found.values}
    if any(name in found.values for name in ("created", "作成日", "日付")):
        changes.pop(settings.date_property, None)
    changed = frontmatter.edit(text, changes, order=_ORDER(settings))
    edits: list[Edit] = [Rewrite(path, to_bytes(changed), hash_of(to_bytes(text)))] if changed != text else []
    notes = list(thought.warnings)
    if daily is not None:
        linked = link_in_daily(daily, link_text(path, known), thought.title, now=now, heading=settings.daily_heading)
        edits.append(linked.edit)
        notes += [linked.note] if linked.note else []
    told = receipt_of(_as_kept(thought, found.values), known, daily=daily.path if daily else None, notes=notes)
    return Plan(tuple(edits), told._replace(similar=tuple(pair for pair in told.similar if pair[0] != path)))


_GENERIC_NAME: Final = re.compile(
    r"^(?:untitled|new note|note|quick note|capture|inbox|無題(?:の(?:ファイル|ノート))?|新規ノート|メモ|[\d\s_.:-]{4,}|\d{4}年\d{1,2}月\d{1,2}日.*)(?:\s*\d{1,3})?$",
    re.IGNORECASE,
)
_DATED_PREFIX: Final = re.compile(r"^\d{4}-?\d\d-?\d\d(?:[-_ T]?\d{2}[-:]?\d{2}(?:[-:]?\d{2})?)?[-_ ]*")


def _ORDER(settings: Settings) -> tuple[str, ...]:  # noqa: N802 - a constant but for the names that settings may change
    return (
        "title", "description", settings.date_property, "tags", "scope", "type", "status", settings.due_property,
        settings.actions_property, settings.trackers_property, "source",
    )  # fmt: skip


def _telling_name(path: str) -> str:
    """The file name as words, when a person gave it; "" for `Untitled 3` and bare time stamps."""
    name = path.rsplit("/", 1)[-1].removesuffix(".md").strip()
    if _GENERIC_NAME.match(name):
        return ""
    rest = _DATED_PREFIX.sub("", name)
    if re.fullmatch(r"[a-z0-9-]+", rest) and "-" in rest:
        rest = rest.replace("-", " ")
    return clean(rest) if re.search(r"[^\W\d_]{2}", rest) else ""


def _written_at(values: Mapping[str, Value], written: datetime, settings: Settings) -> datetime:
    """The note's own date where it has one, at the clock time of the file."""
    for name, value in values.items():
        if fold_name(name) in {fold_name(settings.date_property), "date", "created", "createdat", "作成日", "日付"} and isinstance(
            value, str
        ):
            moment = read_moment(value)
            if moment is not None:
                return datetime.combine(moment.day, datetime.strptime(moment.time, "%H:%M").time() if moment.time else written.time())
    return written


def _own_text(values: Mapping[str, Value], name: str) -> str:
    value = values.get(name)
    return value.strip() if isinstance(value, str) else ""


def _own_scope(values: Mapping[str, Value]) -> str:
    scope = _own_text(values, "scope")
    return scope if scope in {"work", "personal", "inbox"} or scope.startswith("project") else ""


def _with_own_deadline(thought: Draft, values: Mapping[str, Value], known: Known) -> Draft:
    """A plain `due:` or 締切: that the person typed becomes an action item, unless the text gave one of that day."""
    ids = ids_of(thought, known)
    for name, value in values.items():
        moment = read_moment(value) if fold_name(name) in DEADLINE_NAMES and isinstance(value, str) else None
        if moment is None or any(item.due == moment.day for item in (*thought.action_items, *thought.trackers)):
            continue
        item = to_item(Found("action_items", thought.title, moment.day, moment.time, f"{name}: {value}", "explicit"), ids)
        thought = thought._replace(action_items=(*thought.action_items, item))
    return thought


def _as_kept(thought: Draft, values: Mapping[str, Value]) -> Draft:
    """The draft as the note tells it: what the person wrote counts."""
    return thought._replace(
        title=_own_text(values, "title") or thought.title,
        description=_own_text(values, "description") or thought.description,
        type=_own_text(values, "type") or thought.type,
        status=_own_text(values, "status") or thought.status,
    )
