"""Capture, intake and research: text in, a filed note and a receipt out. Nothing is asked and nothing is lost."""

from __future__ import annotations

import json
import logging
import os
import time
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from vaultkit import capture as engine
from vaultkit.app import App, Head, Progress
from vaultkit.errors import ConflictError, RefusedError, UnavailableError, UsageError, VaultkitError
from vaultkit.operations.notes import find_daily, retarget_warnings
from vaultkit.store.files import DiskError
from vaultkit.text import tokens
from vaultkit.text.edit import Edit, Rewrite, to_text

log = logging.getLogger(__name__)

# Another process may take the file name or write the daily note between plan and commit; a capture then plans again.
# Each try that fails is one of theirs that went through, so there are more tries than processes that are likely to meet.
_TRIES = 20
_RECENT = timedelta(minutes=10)
# Share of words that two notes have in common before the receipt calls them similar.
_SIMILAR = 0.6
_NEIGHBOURS = 8


class Ask(NamedTuple):
    """One capture as the person gave it. *url* is set when the whole of it is one address, to be fetched.

    *harness*: the receipt goes there, so that only what it may see is compared, linked and named.
    """

    text: str
    scope: str = ""
    type: str = ""
    title: str = ""
    url: str = ""
    dry_run: bool = False
    harness: str = ""


def capture(app: App, ask: Ask) -> engine.Receipt:
    """File *ask* and link it in the daily note."""
    now = app.now()
    article = _article(app, ask.url, now) if ask.url else None
    request = engine.Request(
        text=ask.text, now=now, scope=ask.scope, type=ask.type, title=ask.title, source=ask.url, article=article, session=app.session
    )
    unlinked = ""
    for attempt in range(_TRIES):
        app.sync()
        known = _known(app, ask.text if article is None else f"{article.title}\n{article.markdown[:2000]}", harness=ask.harness)
        drafted = engine.draft(request, known, _settings(app))
        drafted, told = _refined(app, drafted, known)
        daily, warnings = (None, (unlinked,)) if unlinked else _daily(app)
        planned = engine.plan(drafted, daily, known)
        receipt = planned.receipt._replace(notes=(*planned.receipt.notes, *told, *warnings, *_retargeted(app, ask, drafted.path)))
        if ask.dry_run:
            return receipt
        try:
            app.commit(planned.edits, command="capture")
        except (ConflictError, RefusedError, DiskError) as error:
            unlinked = _next_try(error, attempt, daily)
            continue
        _remember(app, receipt.path, ask.text)
        return receipt._replace(notes=(*receipt.notes, *_counted(app, receipt)))
    raise AssertionError("unreachable")  # the loop returns or raises


class Saved(NamedTuple):
    """Findings that were stored; *refusal* says why they count only as a proposal."""

    receipt: engine.Receipt
    refusal: RefusedError | None


def research_save(app: App, ask: Ask) -> Saved:
    """Store findings. With a claim that has no source they are kept as a proposal and the refusal is handed back, to be raised last."""
    request = engine.Request(text=ask.text, now=app.now(), scope=ask.scope, type=ask.type, title=ask.title, session=app.session)
    unlinked = ""
    for attempt in range(_TRIES):
        app.sync()
        known = _known(app, ask.text, harness=ask.harness)
        daily, warnings = (None, (unlinked,)) if unlinked else _daily(app)
        found = engine.save(request, daily, known, _settings(app))
        receipt = found.plan.receipt._replace(notes=(*found.plan.receipt.notes, *warnings))
        if ask.dry_run:
            return Saved(receipt, found.refusal)
        try:
            app.commit(found.plan.edits, command="research save")
        except (ConflictError, RefusedError, DiskError) as error:
            unlinked = _next_try(error, attempt, daily)
            continue
        _remember(app, receipt.path, ask.text)
        return Saved(receipt, found.refusal)
    raise AssertionError("unreachable")


def _counted(app: App, receipt: engine.Receipt) -> tuple[str, ...]:
    """What is told of a procedure that was stored: how often it was done before, that it is a skill already, that one is proposed."""
    if receipt.type != "procedure":
        return ()
    from vaultkit.operations.promotion import after_stored

    try:
        return after_stored(app, receipt.path).told()
    except VaultkitError as error:  # the note is stored: only the count is missing, and the next run of promote makes up for it
        return (f"not compared with other procedures: {error.message}",)


def _next_try(error: VaultkitError, attempt: int, daily: engine.DailyNote | None) -> str:
    """Whether to plan again with the daily note (""), or without it and why: a note that cannot be linked is kept all the same.

    Raises *error* when the daily note was not what stood in the way.
    """
    passing = isinstance(error, ConflictError)
    if daily is None and (not passing or attempt == _TRIES - 1):
        raise error
    if passing and daily is not None and attempt < _TRIES - 2:
        time.sleep(os.getpid() % 7 * 0.004)  # else those that met once meet again
        return ""
    return f"not linked in the daily note: {error.message}" if daily is not None else "not linked in the daily note"


class Waiting(NamedTuple):
    """An inbox note that gets no fields now."""

    path: str
    reason: str


class Intake(NamedTuple):
    """What an intake did: a receipt for each note that got its fields, and why the others did not."""

    receipts: tuple[engine.Receipt, ...]
    waiting: tuple[Waiting, ...]
    diffs: tuple[str, ...]


def intake(app: App, *, only: str = "", ask: Ask | None = None, dry_run: bool = False, progress: Progress | None = None) -> Intake:
    """Give notes typed in the inbox their fields, their text as it is (memory.md M6b); *only* does one note at once."""
    app.sync(progress)
    settings = _settings(app)
    paths = [app.find(only)] if only else _inbox(app)
    ask = ask or Ask("")
    receipts: list[engine.Receipt] = []
    waiting: list[Waiting] = []
    diffs: list[str] = []
    for path in paths:
        try:
            done = _intake_one(app, path, settings, ask, force=bool(only), dry_run=dry_run)
        except (RefusedError, ConflictError, UsageError) as error:
            if only:
                raise
            waiting.append(Waiting(path, error.message))
            continue
        if isinstance(done, Waiting):
            if only:
                raise RefusedError(f"{path}: {done.reason}", hint="nothing was changed")
            waiting.append(done)
        else:
            receipts.append(done[0])
            diffs.append(done[1])
    return Intake(tuple(receipts), tuple(waiting), tuple(diffs))


def _intake_one(
    app: App, path: str, settings: engine.Settings, ask: Ask, *, force: bool, dry_run: bool
) -> Waiting | tuple[engine.Receipt, str]:
    text = to_text(app.files.read(path).data)
    written = datetime.fromtimestamp(app.manifest()[path].mtime_ns / 1e9)
    now = max(app.now(), app.clock())  # a note is quiet by the wall clock, whatever day `--today` names
    if reason := engine.why_not(path, text, written=written, now=now, settings=settings, force=force):
        return Waiting(path, reason)
    known = _known(app, text, leave_out=path)
    daily, warnings = _daily(app, linked=path)
    planned = engine.plan_intake(
        path,
        text,
        written=written,
        now=app.now(),
        known=known,
        settings=settings,
        scope=ask.scope,
        type=ask.type,
        title=ask.title,
        daily=daily,
    )
    receipt = planned.receipt._replace(notes=(*planned.receipt.notes, *warnings))
    if not dry_run and planned.edits:
        app.commit(planned.edits, command=f"capture --from {path}" if force else f"intake {path}")
    return receipt, _changed(path, text, planned.edits)


def _changed(path: str, before: str, edits: Sequence[Edit]) -> str:
    from vaultkit.operations.deadlines import diff

    return "".join(diff(path, before, to_text(edit.data)) for edit in edits if isinstance(edit, Rewrite) and edit.path == path)


def _inbox(app: App) -> list[str]:
    folder = app.config.inbox_folder
    tag = app.config.inbox_tag.lstrip("#").casefold()
    found = []
    for path, head in app.heads().items():
        inside = bool(folder) and path.startswith(f"{folder}/")
        if (inside or (tag and tag in {name.casefold() for name in head.tags})) and not app.rules.is_template(path):
            found.append(path)
    return sorted(found)


def _article(app: App, url: str, now: datetime) -> engine.Article:
    from vaultkit.store import web

    fetched = web.fetch(url, allow=app.config.fetch_allow, timeout=app.config.fetch_timeout)
    return web.read_article(fetched, now=now)


def _refined(app: App, drafted: engine.Draft, known: engine.Known) -> tuple[engine.Draft, tuple[str, ...]]:
    """What a local model proposes, checked; without one the draft stands as it is."""
    if not app.config.text_model:
        return drafted, ()
    asked = engine.questions(drafted)
    if asked is None:
        return drafted, ()
    from vaultkit.store import models

    model = models.text_model(app.config.text_model, host=app.config.ollama_host, timeout=app.config.model_timeout)
    answer = model.complete(asked.prompt, asked.schema, system=asked.system)
    if answer.value is None:
        return drafted, (f"{answer.problem}; filed without a model",)
    return engine.refine(drafted, answer.value, known), ()


def _settings(app: App) -> engine.Settings:
    config = app.config
    rules = app.rules.agenda
    return engine.Settings(
        inbox=config.inbox_folder,
        learnings=config.learnings_folder,
        inbox_tag=config.inbox_tag,
        lexicon=config.lexicon,
        date_property=config.date_property,
        due_property=rules.due,
        actions_property=rules.action_items,
        trackers_property=rules.trackers,
        policy=rules.policy,
        daily_heading=config.daily_heading,
        quiet_minutes=config.intake_minutes,
    )


def _daily(app: App, *, linked: str = "") -> tuple[engine.DailyNote | None, tuple[str, ...]]:
    """The day's note as it is now; None when it links *linked* already, or is that note itself."""
    try:
        found, warnings = find_daily(app, app.now().date())
    except (RefusedError, DiskError) as error:  # a symlink out, a note that may not be read: the capture itself is kept
        return None, (f"not linked in the daily note: {error.message}",)
    if linked and (found.path == linked or linked.rsplit("/", 1)[-1].removesuffix(".md") in (found.text or "")):
        return None, warnings
    return found, warnings


# Types that a theme may link to: what a person looks things up in, not what flows by.
_LINKABLE = frozenset({"knowledge", "moc", "person", "runbook", "tracker", "procedure", "idea", "decision"})


def _retargeted(app: App, ask: Ask, path: str) -> tuple[str, ...]:
    """Links that would mean the new note: told to a person, not to a harness, for they stand in any note."""
    return () if ask.harness else retarget_warnings(app, path)


def _known(app: App, text: str, *, leave_out: str = "", harness: str = "") -> engine.Known:
    """What the vault already has, as capture weighs it; of that only what *harness* may see."""
    heads = app.heads()
    all_ids = {found for head in heads.values() for found in head.ids}
    if harness:
        from vaultkit.operations.privacy import View

        heads = {path: heads[path] for path in View(app, harness).allowed(heads)}
    config = app.config
    tags: Counter[str] = Counter()
    titles: dict[str, str] = {}
    aliases: dict[str, str] = {}
    scopes: dict[str, str] = {}
    people: list[str] = []
    scoped = 0
    for path, head in heads.items():
        if path == leave_out or app.rules.is_template(path):
            continue
        tags.update(head.tags)
        scoped += bool(head.scope and head.scope != "inbox")
        if head.type == "person":
            people.append(head.title)
            if head.scope:
                scopes[head.title.casefold()] = head.scope
        if head.type in _LINKABLE and head.status == "active":
            titles[path] = head.title
            aliases.update((alias, path) for alias in head.aliases)
    projects = _projects(heads, config.projects_folder)
    scopes.update((name.casefold(), f"project/{name}") for name in projects)
    similar, neighbours = _alike(app, text, heads, leave_out)
    return engine.Known(
        paths=app.manifest().keys(),
        titles=titles,
        aliases=aliases,
        tags=tags,
        scopes=scopes,
        projects=projects,
        people=people,
        ids=all_ids,
        neighbours=neighbours,
        notes=scoped,
        recent=[item for item in _recent(app) if item.path in heads],
        similar=similar,
    )


def _projects(heads: dict[str, Head], folder: str) -> list[str]:
    """Names of projects: what notes name as `project/NAME`, and the notes and folders right below the projects folder."""
    names = {head.scope.removeprefix("project/") for head in heads.values() if head.scope.startswith("project/")}
    prefix = f"{folder}/"
    names |= {path[len(prefix) :].split("/")[0].removesuffix(".md") for path in heads if folder and path.startswith(prefix)}
    return sorted(name for name in names if name)


def _alike(app: App, text: str, heads: dict[str, Head], leave_out: str) -> tuple[list[tuple[str, float]], list[tuple[str, float]]]:
    """Near duplicates among active captures (path, share of words in common), and the scopes of the nearest notes."""
    if not text.strip():
        return [], []
    hits = [hit for hit in app.search.search(text[:4000], limit=_NEIGHBOURS) if hit.path != leave_out and hit.path in heads]
    neighbours = [(heads[hit.path].scope, hit.score * hit.coverage) for hit in hits if heads[hit.path].scope not in {"", "inbox"}]
    mine = set(tokens.index_tokens(text[:20_000]))
    similar = []
    for hit in hits[:3]:
        if heads[hit.path].type not in {"braindump", "research", "idea", "learning"} or hit.coverage < _SIMILAR:
            continue
        other = set(tokens.index_tokens(engine.raw_of(to_text(app.files.read(hit.path).data))[:20_000]))
        score = len(mine & other) / len(mine | other) if mine | other else 0.0
        if score >= _SIMILAR:
            similar.append((hit.path, round(score, 2)))
    return similar, neighbours


def _recent(app: App) -> list[engine.Recent]:
    """Captures of the last minutes; kept in the cache, so a lost cache only forgets that the same line came twice."""
    since = app.clock() - _RECENT
    manifest = app.manifest()
    try:
        rows: list[Any] = json.loads(app.cache.meta("recent") or "[]")
        return [
            engine.Recent(path, raw, when)
            for path, raw, time in rows
            if (when := datetime.fromisoformat(time)) >= since and path in manifest
        ]
    except (ValueError, TypeError):  # damaged
        return []


def _remember(app: App, path: str, text: str) -> None:
    try:
        rows = [[item.path, item.hash, item.time.isoformat()] for item in _recent(app) if item.time is not None]
        rows.append([path, engine.raw_hash(text), app.clock().isoformat()])
        app.cache.remember("recent", json.dumps(rows[-200:]))
    except UnavailableError as error:  # the note is written: that it was is all that is forgotten
        log.warning("%s", error.message)
