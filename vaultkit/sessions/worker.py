"""The slow part, after a session: its note, what was learnt, what was of use, the counters; then the indexes. One worker at a time on a vault.

Done once per (session, last row): a session that went on gets its note brought up to date, and one that was killed half way is done again.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from vaultkit.app import App
from vaultkit.capture import sessions as engine
from vaultkit.errors import VaultBusyError, VaultkitError
from vaultkit.operations import context, dream, promotion, search
from vaultkit.sessions import counters, sweep
from vaultkit.store.files import DiskError
from vaultkit.store.sessions import Key, Row
from vaultkit.text import frontmatter
from vaultkit.text.asking import ModelAsk
from vaultkit.text.edit import Create, Edit, Rewrite, hash_of, to_bytes, to_text
from vaultkit.text.passages import passage

log = logging.getLogger(__name__)

_TRIES: Final = 3
_KEPT: Final = 30 * 86_400.0  # seconds that the rows of a finished session are kept
_SLICE: Final = 30.0  # seconds for embeddings
_SAID: Final = ("asked", "answered", "did")


class Worked(NamedTuple):
    """What was done. *told*: what could not be, and why."""

    notes: tuple[str, ...]
    learnings: tuple[str, ...]
    judged: int
    folded: int
    told: tuple[str, ...]
    busy: bool = False


def work(app: App) -> Worked:
    """Do all that waits. Another worker at this vault: nothing, and *busy*."""
    done = Worked((), (), 0, 0, ())
    tried: set[Key] = set()
    while True:
        with app.sessions.worker() as ours:
            if not ours:
                return done._replace(told=(*done.told, "another worker is at it"), busy=True)
            done = _sum(done, _work(app, tried))
        # Whoever ended meanwhile saw that a worker is there, and started none.
        if not set(app.sessions.queued()) - tried:
            return done


def _sum(one: Worked, other: Worked) -> Worked:
    told = tuple(dict.fromkeys((*one.told, *other.told)))
    return Worked(
        (*one.notes, *other.notes), (*one.learnings, *other.learnings), one.judged + other.judged, one.folded + other.folded, told
    )


def _work(app: App, tried: set[Key]) -> Worked:
    app.sync()
    told: list[str] = []
    notes: list[str] = []
    learnings: list[str] = []
    judged = 0
    model = _Model(app)
    sweep.sweep(app)
    sessions: list[str] = []
    while waiting := [key for key in _waiting(app) if key not in tried]:  # more may have ended meanwhile
        for key in waiting:
            tried.add(key)
            try:
                done = _one(app, key, model)
            except (VaultkitError, DiskError, OSError) as error:
                app.sessions.append(key, {"kind": "failed"}, t=app.clock())
                told.append(f"{key.harness} {key.session}: {error}")
                log.warning("session %s of %s: %s", key.session, key.harness, error)
                continue
            app.sessions.unqueue(key)
            notes += done.notes
            learnings += done.learnings
            judged += done.judged
            told += done.told
            sessions += [key.session] if done.notes else []
    with _as(app, sessions[0] if len(sessions) == 1 else ""):
        folded = counters.fold(app)
    told += _refresh(app)
    told += model.told
    told += _ripen(app)
    _forget(app)
    return Worked(tuple(notes), tuple(learnings), judged, folded, tuple(dict.fromkeys(told)))


def _waiting(app: App) -> list[Key]:
    """Sessions that have ended, or that nobody has said anything in for half an hour, with rows that were not worked on."""
    now = app.clock().timestamp()
    found = dict.fromkeys(app.sessions.queued())
    found |= dict.fromkeys(
        key for key, changed in app.sessions.sessions() if now - changed >= sweep.ENDED and _fresh(app.sessions.rows(key))
    )
    return [key for key in found if _failures(app.sessions.rows(key)) < _TRIES]


def _failures(rows: list[Row]) -> int:
    """How often in a row it went wrong."""
    count = 0
    for row in reversed(rows):
        if row.get("kind") == "worked":
            break
        count += row.get("kind") == "failed"
    return count


def _fresh(rows: list[Row]) -> bool:
    """Was anything said since the last time?"""
    for row in reversed(rows):
        if row.get("kind") in _SAID:
            return True
        if row.get("kind") == "worked":
            return False
    return False


def _one(app: App, key: Key, model: _Model) -> Worked:
    if app.config.capture_turns:
        sweep.complete(app, key)
    rows = app.sessions.rows(key)
    if not _fresh(rows) or not app.config.session_notes:
        return Worked((), (), 0, 0, ())
    session = _session(app, key, rows)
    if not any(one.role == "asked" for one in session.said):
        return Worked((), (), 0, 0, ())
    last = [row for row in rows if row.get("kind") == "worked"][-1:]
    before: Row = last[0] if last else {}
    answer = model.ask(engine.summary_ask(session))
    summary = engine.summary_of(answer, session) if answer is not None else engine.extract(session)
    findings = _findings(app, model, session) if answer is not None else []
    path, old = _place(app, session, before)
    told = () if answer is not None else ("Made without a model: an extract of what was said, and no learnings.",)
    taken = set(app.manifest())
    edits: list[Edit] = []
    learnt: list[str] = []
    for finding in findings:
        where = engine.learning_path(finding, app.config.learnings_folder, taken)
        taken.add(where)
        learnt.append(where)
        edits.append(Create(where, to_bytes(engine.learning_text(finding, session, date_property=app.config.date_property))))
    names = [
        *(name for name in before.get("learnt", ()) if isinstance(name, str)),
        *(one.rpartition("/")[2].removesuffix(".md") for one in learnt),
    ]
    if path:
        text = engine.note_text(session, summary, learnings=names, told=told, date_property=app.config.date_property)
        data = to_bytes(text)
        if old is None:
            edits.append(Create(path, data))
        elif old != data:
            edits.append(Rewrite(path, data, hash_of(old)))
    with _as(app, key.session):
        hashes = app.commit(edits, command=f"session {engine.record_id(session)}").hashes if edits else {}
    judged = _judge(app, model, session, key)
    promotion.note_applied(app, "\n".join(one.text for one in session.said), session=key.session)
    skills: list[str] = []
    for where in learnt:
        if where in hashes and app.heads()[where].type == "procedure":
            skills += promotion.after_stored(app, where).told()  # the third time, a skill is proposed
    for where in (path, *learnt):
        if where in hashes:
            app.activity.append("captured", t=app.clock(), path=where, session=key.session, harness=key.harness)
    done = {"kind": "worked", "note": path or before.get("note", ""), "hash": hashes.get(path, before.get("hash", "")), "learnt": names}
    app.sessions.append(key, done, t=app.clock())
    gone = () if path else (f"{engine.record_id(session)} was changed or taken away: it is left as it is",)
    return Worked((path,) if path in hashes else (), tuple(learnt), judged, 0, (*gone, *skills))


def _session(app: App, key: Key, rows: list[Row]) -> engine.Session:
    """What the rows of a session's file say, in order; what was asked twice (by the hook and by the transcript) once."""
    cwd = next((row["cwd"] for row in rows if isinstance(row.get("cwd"), str) and row["cwd"]), "")
    said = [engine.Said(row["kind"], row["text"]) for row in rows if row.get("kind") in _SAID and isinstance(row.get("text"), str)]

    def paths(kind: str) -> tuple[str, ...]:
        return tuple(
            dict.fromkeys(path for row in rows if row.get("kind") == kind for path in row.get("paths", ()) if isinstance(path, str))
        )

    return engine.Session(
        id=key.session,
        harness=key.harness,
        day=_day(rows, app),
        scope=context.scope_of(app, Path(cwd)) if cwd.startswith("/") and context.scope_of(app, Path(cwd)) else "inbox",
        said=tuple(said),
        cwd=cwd,
        shown=paths("shown"),
        opened=tuple(path for path in paths("opened") if path in app.manifest()),
    )


def _day(rows: list[Row], app: App) -> date:
    """The day of the first thing said."""
    try:
        return datetime.fromisoformat(str(next((row for row in rows if row.get("kind") in _SAID), rows[0]).get("t"))).date()
    except ValueError:
        return app.clock().date()


def _place(app: App, session: engine.Session, before: Row) -> tuple[str, bytes | None]:
    """Where the note goes, and what stands there now; "" when a person changed or removed it since."""
    name = engine.record_id(session)
    folder = f"{app.config.archive_folder}/{session.day:%Y/%m}".lstrip("/")
    path = str(before.get("note") or f"{folder}/{name}.md")
    if not app.files.exists(path):
        return ("", None) if before.get("note") else (path, None)
    data = app.files.read(path).data
    if before.get("note"):
        return (path, data) if hash_of(data) == before.get("hash") else ("", None)
    if frontmatter.read(to_text(data)).values.get("session") == session.id:
        return path, data  # a worker was killed before it could say so
    return f"{folder}/{name}-{hash_of(session.id.encode('utf-8', 'replace'))[:4]}.md", None


def _findings(app: App, model: _Model, session: engine.Session) -> list[engine.Learning]:
    """What was learnt and the vault has not yet (memory.md M10, M18)."""
    answer = model.ask(engine.learnings_ask(session))
    found = engine.learnings_of(answer, session) if answer is not None else []
    if not found:
        return []
    from vaultkit.store.vectors import About, Likeness

    about = {path: About(head.type, head.status) for path, head in app.heads().items()}
    likeness = Likeness(app.vectors, app.embedder().embedder, about, lambda path: _passage(app, path))
    kept = []
    for one in found:
        text = passage(one.title, one.body)
        if any(likeness.duplicates_of(text, kind=kind, status="active").notes for kind in ("learning", "procedure", "knowledge")):
            continue
        if one.type == "procedure":
            repeated = [like.path for like in likeness.repetitions_of(text, kind="procedure", status="active").notes]
            if repeated:  # stored all the same, and counted: the third time a skill is proposed
                app.activity.append("repeated", t=app.clock(), session=session.id, title=one.title, paths=repeated)
        kept.append(one)
    return kept


def _passage(app: App, path: str) -> str:
    note, text = app.read(path)
    return passage(note.title, text[note.body :])


def _judge(app: App, model: _Model, session: engine.Session, key: Key) -> int:
    """Which of the notes that were shown were of use (memory.md M43): of each session once for each note."""
    done = {event.get("path") for event in app.activity.read(events=("judged",)) if event.get("session") == key.session}
    left = session._replace(shown=tuple(path for path in session.shown if path not in done))
    answer = model.ask(engine.usefulness_ask(left)) if left.shown else None
    verdicts = engine.useful_of(answer, left) if answer is not None else {}
    for path, used in verdicts.items():
        app.activity.append("judged", t=app.clock(), path=path, useful=used != "no", how=used, session=key.session, harness=key.harness)
    return len(verdicts)


def _refresh(app: App) -> list[str]:
    """Indexes and, within a time slice, embeddings."""
    app.sync()
    try:
        done = search.embed(app, limit_seconds=_SLICE)
    except VaultkitError as error:
        return [f"not embedded: {error.message}"]
    return [done.problem] if done.problem else []


def _ripen(app: App) -> list[str]:
    """A dream, when enough captures ripened (memory.md, "Dream"); the vault was just looked at, so asking costs little."""
    if not app.config.dream_at_start:
        return []
    try:
        if dream.eligible(app) < app.config.dream_at_start:
            return []
        done = dream.dream(app, dream.Ask(embed_seconds=_SLICE))
    except VaultBusyError as error:
        return [error.message]  # the one that is at it does the same
    except (VaultkitError, OSError) as error:  # what the session left is done all the same
        log.warning("dream: %s", error)
        return [f"no dream: {error.message if isinstance(error, VaultkitError) else error}"]
    return [f"dream {done.run}: {len(done.clusters)} notes from captures"] if done.run else []


def _forget(app: App) -> None:
    """Rows of sessions that were worked on long ago."""
    now = app.clock().timestamp()
    for key, changed in list(app.sessions.sessions()):
        if now - changed > _KEPT and not _fresh(app.sessions.rows(key)):
            app.sessions.remove(key)


class _Model:
    """The text model of the settings; after its first failure it is not asked again in this run."""

    def __init__(self, app: App) -> None:
        from vaultkit.store import models

        config = app.config
        self._model = models.text_model(config.text_model, host=config.ollama_host, timeout=config.model_timeout)
        self._works = bool(config.text_model)
        self.told = (
            [] if self._works else ["no text model is configured: session notes are extracts, no learnings, use counts only as opened"]
        )

    def ask(self, question: ModelAsk) -> Mapping[str, Any] | None:
        """Its answer; None when there is none."""
        if not self._works:
            return None
        answer = self._model.complete(question.prompt, question.schema, system=question.system)
        if answer.value is None:
            self._works = False
            self.told.append(f"{answer.problem}; done without a model")
        return answer.value


class _as:  # noqa: N801 - reads as a word: with _as(app, session)
    """What is written inside is written in the name of a session: its cap and `undo --session` hold."""

    def __init__(self, app: App, session: str) -> None:
        self._app, self._session, self._before = app, session, app.session

    def __enter__(self) -> None:
        self._app.session = self._session

    def __exit__(self, *_: object) -> None:
        self._app.session = self._before
