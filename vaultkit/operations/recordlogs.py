"""Logs taken apart into records, and ids that two machines gave to two records."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import NamedTuple

from vaultkit.app import App
from vaultkit.app.parsing import COPY
from vaultkit.errors import UsageError
from vaultkit.operations._again import settled
from vaultkit.operations.context import scope_of
from vaultkit.operations.records import free_path, highest_of, list_edits, list_path, names_of, scope_asked
from vaultkit.records import importing, renumbering
from vaultkit.records.importing import Import
from vaultkit.records.renumbering import Renumbered
from vaultkit.text import frontmatter, names
from vaultkit.text.edit import Create, Edit, to_bytes, to_text
from vaultkit.text.ids import RecordId, id_of_path, parse_id
from vaultkit.text.note import parse_note

_KINDS = ("decision", "failure", "idea")


class Imported(NamedTuple):
    """A log that was taken apart."""

    plan: Import
    warnings: tuple[str, ...]
    dry_run: bool


def import_log(app: App, text: str, *, name: str, scope: str = "", cwd: Path | None = None, dry_run: bool = False) -> Imported:
    """Split an append-only log into records; *name* is its file's name or vault path. Nothing of it is lost, and again it adds nothing."""
    pieces = importing.split(text)
    if not any(piece.record for piece in pieces):
        raise UsageError(f"no entry with an id was found in {name}", hint="entries begin with a heading like `## DEC-001: title`")

    def write() -> Imported:
        with nullcontext() if dry_run else app.numbers.lock():
            app.sync()
            today = app.now().date()
            own = names_of(app)
            stem = names.slug(name.rpartition("/")[2].removesuffix(".md") or "log")
            plan = importing.plan(
                pieces,
                known=_bodies(app, {piece.record for piece in pieces if piece.record}),
                marks={kind: highest_of(app, kind) for kind in _KINDS},
                day=today,
                names=own,
                scope=scope_asked(scope) if scope else (scope_of(app, cwd) if cwd else "") or "inbox",
                rest_path=free_path(app, f"{own.archive}/{today:%Y}/{today:%m}/{stem}-rest"),
            )
            if not plan.entries:  # all of it stands in the vault: the rest was kept with the first import
                return Imported(plan._replace(edits=(), rest=""), (), dry_run)
            edits: list[Edit] = list(plan.edits)
            kinds = list(dict.fromkeys(entry.given.kind for entry in plan.entries))
            away = next((path for path in (list_path(app, kind) for kind in kinds) if path and path == name), "")
            if away and not frontmatter.read(text).values.get("generated"):
                edits.append(Create(free_path(app, f"{own.archive}/{today:%Y}/{today:%m}/{stem}-imported"), to_bytes(text)))
                more, told = list_edits(app, kinds, edits, fresh=away)
            else:
                more, told = list_edits(app, kinds, edits)
            if not dry_run:
                app.numbers.give({kind: max(e.given.number for e in plan.entries if e.given.kind == kind) for kind in kinds})
                app.commit([*edits, *more], command=f"record import {name}")
            return Imported(plan, told, dry_run)

    return settled(app, write)


class Renumbering(NamedTuple):
    """Records that got another number."""

    records: tuple[Renumbered, ...]
    warnings: tuple[str, ...]
    dry_run: bool


def renumber(app: App, *, dry_run: bool = False) -> Renumbering:
    """Give each record that shares its id another number; what meant it follows. One at a time, each a run that can be undone."""
    done: list[Renumbered] = []
    warnings: list[str] = []

    def one() -> bool:
        with nullcontext() if dry_run else app.numbers.lock():
            app.sync()
            for record, keeper, loser in _twins(app):
                if any(known.path == loser for known in done):
                    continue
                given = RecordId(record.kind, highest_of(app, record.kind) + 1 + (len(done) if dry_run else 0))
                told, edits = renumbering.plan_renumber(
                    app.snapshot(), record, keeper, loser, given, lambda path: to_text(app.files.read(path).data)
                )
                lists = {path for kind in _KINDS if (path := list_path(app, kind))}
                edits = [edit for edit in edits if edit.path not in lists]  # these are made anew
                more, met = list_edits(app, [record.kind], edits)
                done.append(told)
                warnings.extend(met)
                if not dry_run:
                    app.numbers.give({record.kind: given.number})
                    app.commit([*edits, *more], command=f"record renumber {record} → {given}")
                return True
        return False

    while settled(app, one):
        pass
    return Renumbering(tuple(done), tuple(dict.fromkeys(warnings)), dry_run)


def _twins(app: App) -> Iterator[tuple[RecordId, str, str]]:
    """Records with the id of another: the id, who keeps it, who does not. Of conflict copies those that are another record."""
    by_id: dict[RecordId, list[str]] = {}
    heads = app.heads()
    for path in heads:
        if (found := id_of_path(path)) is not None:
            by_id.setdefault(found, []).append(path)
    dates = {path: head.date for path, head in heads.items()}
    for path, row in app.manifest().items():
        if row.kind != COPY:
            continue
        original = names.conflict_copy_of(path, app.manifest())
        found = id_of_path(original) if original else None
        if found is None or original not in heads:
            continue
        copy = parse_note(path, to_text(app.files.read(path).data))
        if copy.title != heads[original].title and parse_id(str(copy.properties.get("id", found))) == found:
            dated = copy.properties.get(app.config.date_property)
            dates[path] = dated if isinstance(dated, str) else ""
            by_id.setdefault(found, []).append(path)
    for found, paths in sorted(by_id.items()):
        if len(paths) > 1:
            keeper, losers = renumbering.who_keeps([(dates[path], path) for path in paths])
            if names.conflict_copy_of(keeper, app.manifest()):  # the note keeps its name, whichever came first
                keeper = next(path for path in losers if not names.conflict_copy_of(path, app.manifest()))
                losers = [path for path in paths if path != keeper]
            for loser in losers:
                yield found, keeper, loser


def _bodies(app: App, wanted: set[RecordId]) -> dict[RecordId, str]:
    found: dict[RecordId, str] = {}
    for path in app.heads():
        record = id_of_path(path)
        if record is None:
            continue
        if record in wanted:
            found[record] = to_text(app.files.read(path).data)
        else:
            found.setdefault(record, "")
    for path in app.heads():  # entries whose number was taken were given another, and say which they had
        record = id_of_path(path)
        if record is None or record in wanted:
            continue
        note, text = app.read(path)
        had = parse_id(str(note.properties.get("imported_as", "")))
        if had in wanted and had is not None:
            found[had] = f"{found.get(had, '')}\n{text}"
    return found
