"""What `install` and `uninstall` would do, file by file, and doing it: all of it or nothing."""

from __future__ import annotations

import contextlib
import difflib
import json
import os
import re
import stat
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, Literal, NamedTuple

from vaultkit.app.shipped import shipped
from vaultkit.errors import ConfigError, ConflictError, RefusedError
from vaultkit.upkeep.adapters import entries, ledger, manifest
from vaultkit.upkeep.adapters.command import Program, render, render_file
from vaultkit.upkeep.adapters.entries import Piece
from vaultkit.upkeep.adapters.ledger import Owned, Record
from vaultkit.upkeep.adapters.manifest import Adapter, Format, Scope, Surroundings
from vaultkit.upkeep.adapters.skills import block_text, skill_files

Action = Literal["create", "change", "remove", "unchanged", "kept"]

SCOPES: Final[tuple[Scope, ...]] = ("user", "project")


class Change(NamedTuple):
    """One file. None: it is not there. *why* tells what happens to it, or why it is kept as it is."""

    path: Path
    action: Action
    before: bytes | None
    after: bytes | None
    why: str = ""
    folders: tuple[str, ...] = ()  # to be removed with it, when empty

    @property
    def diff(self) -> str:
        """The lines that change, without those around them; what looks like a secret is left out."""
        old, new = (_lines(data) for data in (self.before, self.after))
        lines = list(difflib.unified_diff(old, new, "before", "after", n=0, lineterm=""))[2:]
        return "\n".join(_SECRET.sub(r'\1"…"', line) for line in lines)


class Plan(NamedTuple):
    """All that will be done. *told*: what the person should know; *next*: what only the person can do."""

    changes: tuple[Change, ...]
    before: ledger.Records  # the record as it is
    records: ledger.Records  # and as it will be
    told: tuple[str, ...] = ()
    next: tuple[str, ...] = ()

    def backup(self, change: Change) -> Path | None:
        """Where the bytes of before are kept; None where there is nothing to keep."""
        record = self.records.get(str(change.path))
        if record is None or record.before is None:
            return None
        return ledger.folder() / "before" / ledger.backup_name(str(change.path), record.before)

    @property
    def writes(self) -> list[Change]:
        """The changes that touch a file."""
        return [change for change in self.changes if change.before != change.after]


class Wish(NamedTuple):
    """What to install."""

    names: tuple[str, ...]
    scope: Scope | None  # None: what is usual for each
    skills: bool = True
    mcp: bool = False
    instructions: bool = False


class Found(NamedTuple):
    """A hook of ours that stands somewhere now."""

    adapter: Adapter
    scope: Scope
    path: Path
    handler: entries.Handler


def plan_install(wish: Wish, program: Program, around: Surroundings) -> Plan:
    """Put the adapters in. Raises UsageError for an unknown one, RefusedError when it stands in the other scope, ConfigError for broken settings."""
    adapters = [manifest.read(name) for name in dict.fromkeys(wish.names)]
    records = ledger.load()
    told: list[str] = []
    wanted: dict[Path, list[tuple[Owned, Piece]]] = {}
    for adapter in adapters:
        scope = wish.scope or adapter.scope
        if scope == "project":
            _check_project(around)
            told.append(
                f"what stands in {around.project} names paths of this machine: keep it out of what you share, or install with --user"
            )
        _check_other_scope(adapter, scope, around, records)
        told += _double_runs(adapter, scope, adapters, around)
        told += _two_forms(adapter, around)
        wished = {"hooks": True, "mcp": wish.mcp, "instructions": wish.instructions, "skills": wish.skills}
        for kind, asked in ((kind, yes or kind in adapter.always) for kind, yes in wished.items()):
            place = adapter.place(kind, scope, around)
            if asked and place is None and kind != "hooks":
                told.append(f"{adapter.title} has no {_WORDS[kind]} for {'every project' if scope == 'user' else 'one project'}")
            elif asked and place is not None:
                for path, piece in _pieces(adapter, kind, place, program):
                    wanted.setdefault(_real(path), []).append((Owned(adapter.name, kind, scope), piece))
    changes: list[Change] = []
    after_records = dict(records)
    for path, pieces in wanted.items():
        change, record = _put(path, pieces, records.get(str(path)), program, around)
        changes.append(change)
        if record is not None:
            after_records[str(path)] = record
    steps = [f"{adapter.title}: {step}" for adapter in adapters for step in adapter.next]
    return Plan(tuple(changes), records, after_records, tuple(dict.fromkeys(told)), tuple(steps))


def plan_uninstall(names: Sequence[str], scope: Scope | None, around: Surroundings) -> Plan:
    """Take the adapters out (all when *names* is empty): what is recorded, and entries of ours in the usual places that no record tells of."""
    adapters = [manifest.read(name) for name in dict.fromkeys(names)] if names else manifest.every()
    known = {adapter.name for adapter in adapters}
    records = ledger.load()
    left = dict(records)
    changes: list[Change] = []
    for name, record in records.items():
        goes = tuple(one for one in record.owned if one.harness in known and scope in {None, one.scope})
        if not goes:
            continue
        stays = tuple(one for one in record.owned if one not in goes)
        try:
            change, rest = _take(Path(name), record, goes, stays)
        except (ConfigError, RefusedError) as error:  # the others go all the same
            change, rest = Change(Path(name), "kept", None, None, error.message), record
        changes.append(change)
        if rest is None:
            del left[name]
        else:
            left[name] = rest
    seen = {change.path for change in changes}
    for adapter in adapters:
        for one in SCOPES if scope is None else (scope,):
            for usual, form in _usual(adapter, one, around):
                path = _real(usual)
                unrecorded = None if path in seen or str(path) in records else _unrecorded(path, form)
                if unrecorded is not None:
                    seen.add(path)
                    changes.append(unrecorded)
    return Plan(tuple(changes), records, left)


def carry_out(plan: Plan) -> None:
    """Write what the plan says; when one file fails, those written before it are put back. Raises ConflictError when a file changed meanwhile."""
    records = dict(plan.records)
    for change in plan.writes:
        if _read(change.path) != change.before:
            raise ConflictError(f"{change.path} changed meanwhile; nothing was written", hint="run this again")
    done: list[tuple[Change, list[Path]]] = []
    try:
        # Recorded first: what is killed half way can be taken back all the same.
        ledger.save({**plan.before, **_with_folders(plan)})
        for change in plan.writes:
            made = [] if change.after is None else ledger.make_folders(change.path)
            done.append((change, made))
            _write(change.path, change.after)
            if (record := records.get(str(change.path))) and made:
                records[str(change.path)] = record._replace(folders=(*record.folders, *map(str, made)))
        emptied = [Path(folder) for change in plan.changes if change.after is None for folder in change.folders]
        ledger.save(_passed_on(records, emptied))
    except BaseException:
        for change, made in reversed(done):
            with contextlib.suppress(OSError):  # the first error is the one to tell
                _write(change.path, change.before)
            ledger.remove_folders(made)
        with contextlib.suppress(OSError):
            ledger.save(plan.before)
        raise
    ledger.remove_folders(emptied)


def _with_folders(plan: Plan) -> ledger.Records:
    """The records as they will be, with the folders that are about to be made."""
    records = dict(plan.records)
    for change in plan.writes:
        if change.after is not None and (record := records.get(str(change.path))):
            made = map(str, ledger.missing_folders(change.path))
            records[str(change.path)] = record._replace(folders=tuple(dict.fromkeys((*record.folders, *made))))
    return records


def _passed_on(records: ledger.Records, folders: Sequence[Path]) -> ledger.Records:
    """A folder that we made and that others of our files still stand in goes with the last of them."""
    kept = dict(records)
    for folder in folders:
        heir = next((name for name in kept if folder in Path(name).parents), None)
        if heir is not None and str(folder) not in kept[heir].folders:
            kept[heir] = kept[heir]._replace(folders=(*kept[heir].folders, str(folder)))
    return kept


def found_hooks(around: Surroundings, records: ledger.Records | None = None) -> list[Found]:
    """Every hook of ours that stands in a place that a harness reads, broken files passed over."""
    projects = {record.project for record in (records or {}).values() if record.project}
    found: dict[tuple[str, str, int], Found] = {}
    for adapter in manifest.every():
        for place in (around, *(around._replace(project=Path(project)) for project in projects)):
            for scope, path, form in _hook_files(adapter, place):
                for at, handler in enumerate(_handlers(path, form)):
                    found.setdefault((adapter.name, str(_real(path)), at), Found(adapter, scope, path, handler))
    return list(found.values())


_WORDS: Final = {"mcp": "settings file for MCP servers", "instructions": "file of instructions", "skills": "folder of skills"}
_SECRET: Final = re.compile(r'("[^"]*(?:key|token|secret|passw|auth)[^"]*"\s*[:=]\s*)"[^"]*"', re.IGNORECASE)


def _lines(data: bytes | None) -> list[str]:
    return (data or b"").decode("utf-8", "replace").splitlines()


def _real(path: Path) -> Path:
    """The file that is written: settings that are symlinks (dotfiles in a repository) are written through."""
    return Path(os.path.realpath(path))


def _read(path: Path) -> bytes | None:
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise RefusedError(f"{path} is no file", hint="move it away, then run this again; nothing was changed")
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _write(path: Path, data: bytes | None) -> None:
    if data is None:
        path.unlink(missing_ok=True)
        ledger.sweep(path.parent)
    else:
        ledger.write(path, data)


def _text(path: Path, data: bytes | None) -> str:
    try:
        return (data or b"").decode()
    except UnicodeDecodeError as error:
        raise RefusedError(
            f"{path} is not UTF-8 text: {error.reason}", hint="save it as UTF-8, then run this again; nothing was changed"
        ) from error


# -- what is wanted


def _pieces(adapter: Adapter, kind: str, place: Path, program: Program) -> Iterable[tuple[Path, Piece]]:
    match kind:
        case "hooks" if adapter.hooks is not None:
            template = (adapter.folder / adapter.hooks.template).read_text("utf-8")
            if adapter.hooks.format == "file":
                text = entries.stamped(render_file(template, program, adapter.name), "// {}".format)
                yield place, Piece(kind, "file", text)
            else:
                yield place, Piece(kind, adapter.hooks.format, render(json.loads(template), program, adapter.name))
        case "mcp":
            yield place, Piece(kind, adapter.mcp_format, render(adapter.mcp_entry, program, adapter.name))
        case "instructions":
            yield place, Piece(kind, "block", block_text(program))
        case "skills":
            for name, text in skill_files(shipped("skills"), program):
                yield place / name, Piece(kind, "file", text)


def _put(
    path: Path, pieces: list[tuple[Owned, Piece]], record: Record | None, program: Program, around: Surroundings
) -> tuple[Change, Record | None]:
    current = _read(path)
    text = _text(path, current)
    where = str(path)
    kinds = {piece.kind: piece for _, piece in pieces}
    owners = tuple(dict.fromkeys((*(record.owned if record else ()), *(owned for owned, _ in pieces))))
    # What others of ours put into the same file stays in it: made anew for this vault.
    for owned in owners:
        if owned.kind not in kinds:
            adapter = manifest.read(owned.harness)
            place = adapter.place(owned.kind, owned.scope, around)
            if place is not None:
                kinds |= {piece.kind: piece for at, piece in _pieces(adapter, owned.kind, place, program) if _real(at) == path}
    project = str(around.project) if any(owned.scope == "project" for owned in owners) else ""
    form = next(iter(kinds.values())).format
    untouched = record is not None and current is not None and ledger.sha(current) == record.after
    if form == "file":
        piece = next(iter(kinds.values()))
        if current is not None and not untouched and not _is_ours_whole(text):
            why = "it was edited since vaultkit wrote it" if entries.has_stamp(text) else "it is not vaultkit's"
            if piece.kind == "hooks":
                raise RefusedError(f"{path} stands there and {why}", hint="move it away, then run this again; nothing was changed")
            return Change(path, "kept", current, current, why), record
        before = record.before if record else None
        new = str(piece.value).encode()
    else:
        before = record.before if record is not None and (untouched or current is None) else None
        if not untouched or record is None:
            base = None if record is None or record.before is None else _text(path, record.before)
            bare = entries.take(text, form, base, where=where)
            before = bare.encode() if current is not None and (bare.strip() or record is None or record.before is not None) else None
        new = _merged(path, before, kinds, current, text)
    action: Action = "unchanged" if new == current else "create" if current is None else "change"
    made = record.folders if record else ()
    return Change(path, action, current, new), Record(owners, before, ledger.sha(new), made, form, project)


def _is_ours_whole(text: str) -> bool:
    return entries.is_stamped(text) or entries.is_stamped_skill(text)


def _merged(path: Path, before: bytes | None, kinds: dict[str, Piece], current: bytes | None, text: str) -> bytes:
    new = _text(path, before)
    for piece in kinds.values():
        if piece.kind == "mcp" and entries.foreign_server(new, piece.format, piece.value, where=str(path)):
            raise RefusedError(
                f"{path} has a server named vaultkit that vaultkit did not write",
                hint="rename it, then run this again; nothing was changed",
            )
        new = entries.put(new, piece, where=str(path))
    # The same entries in another place of the file, where a person moved them: that is no change.
    if current is not None and all(_stands(text, piece, str(path)) for piece in kinds.values()):
        return current
    return new.encode()


def _stands(text: str, piece: Piece, where: str) -> bool:
    """Does exactly this stand in *text* already?"""
    bare = entries.take(text, piece.format, None, where=where)
    match piece.kind:
        case "hooks":
            wanted = entries.hooks_in(json.dumps(piece.value), "json", where=where)
            return sorted(map(repr, entries.hooks_in(text, piece.format, where=where))) == sorted(map(repr, wanted))
        case _:
            return entries.put(bare, piece, where=where) == text


# -- what goes


def _take(path: Path, record: Record, goes: tuple[Owned, ...], stays: tuple[Owned, ...]) -> tuple[Change, Record | None]:
    current = _read(path)
    if current is None:
        gone = Change(path, "unchanged", None, None, "it is gone already", () if stays else record.folders)
        return gone, record._replace(owned=stays) if stays else None
    if current == record.before and not stays:  # a killed install had not come to it, or a killed uninstall had done it
        return Change(path, "unchanged", current, current, "as it was before"), None
    kinds_left = {one.kind for one in stays}
    if {one.kind for one in goes} <= kinds_left:  # another adapter needs the same entry
        return Change(
            path, "unchanged", current, current, f"{', '.join(sorted({one.harness for one in stays}))} still uses it"
        ), record._replace(owned=stays)
    if ledger.sha(current) == record.after and not stays:
        action: Action = "remove" if record.before is None else "change"
        return Change(path, action, current, record.before, "as it was before", record.folders), None
    text = _text(path, current)
    form: Format = record.format
    if form == "file":
        if _is_ours_whole(text) and not stays:  # of another version: a killed install had not come to it
            return Change(path, "remove", current, None, "vaultkit wrote it", record.folders), None
        return Change(path, "kept", current, current, "it was edited since vaultkit wrote it"), None
    base = None if record.before is None else _text(path, record.before)
    bare = entries.take(text, form, base, where=str(path))
    if stays:
        bare = _again(text, bare, form, kinds_left, str(path))
    after = bare.encode() if bare.strip() not in {"", "{}"} or record.before is not None else None
    why = "only vaultkit's entries go: it was edited since" if not stays else ""
    change = Change(path, "remove" if after is None else "change", current, after, why, record.folders if after is None else ())
    rest = record._replace(owned=stays, after=ledger.sha(after)) if stays and after is not None else None
    return change, rest


def _again(text: str, bare: str, form: Format, kinds: set[str], where: str) -> str:
    """*bare* with those of our entries that another adapter still needs, as they stood in *text*."""
    if form not in {"json", "jsonc"}:
        return bare
    from vaultkit.text import jsonc  # noqa: PLC0415

    value, without = (jsonc.loads(one or "{}", comments=form == "jsonc") for one in (text, bare))
    kept = {key: part for key, part in value.items() if ("hooks" in kinds) == (key == "hooks") and part != without.get(key)}
    return entries.put(bare, Piece("", form, kept), where=where)


def _usual(adapter: Adapter, scope: Scope, around: Surroundings) -> Iterable[tuple[Path, Format]]:
    for one, path, form in _hook_files(adapter, around):
        if one == scope:
            yield path, form
    if place := adapter.place("mcp", scope, around):
        yield place, adapter.mcp_format
    if place := adapter.place("instructions", scope, around):
        yield place, "block"
    if place := adapter.place("skills", scope, around):
        for found in sorted(place.glob("*/SKILL.md")):
            yield found, "file"


def _unrecorded(path: Path, form: Format) -> Change | None:
    current = _read(path)
    if current is None:
        return None
    text = _text(path, current)
    if form == "file":
        if _is_ours_whole(text):
            return Change(path, "remove", current, None, "vaultkit wrote it", (str(path.parent),) if path.name == "SKILL.md" else ())
        return Change(path, "kept", current, current, "it was edited since vaultkit wrote it") if entries.has_stamp(text) else None
    bare = entries.take(text, form, None, where=str(path))
    return None if bare == text else Change(path, "change", current, bare.encode(), "only vaultkit's entries go")


# -- where hooks of ours stand


def _hook_files(adapter: Adapter, around: Surroundings) -> Iterable[tuple[Scope, Path, Format]]:
    if adapter.hooks is not None:
        yield "user", adapter.resolve(adapter.hooks.user, around), adapter.hooks.format
        for written in (adapter.hooks.project, *adapter.hooks.also):
            yield "project", adapter.resolve(written, around), adapter.hooks.format


def _handlers(path: Path, form: Format) -> list[entries.Handler]:
    try:
        data = _read(path)
        return entries.hooks_in(_text(path, data), form, where=str(path)) if data else []
    except Exception:  # noqa: BLE001 - a file that is broken runs no hook of ours
        return []


def _check_project(around: Surroundings) -> None:
    if around.project in {around.home, *around.home.parents}:
        raise RefusedError(f"{around.project} is no project", hint="go into the folder of one, or install with --user")


def _check_other_scope(adapter: Adapter, scope: Scope, around: Surroundings, records: ledger.Records) -> None:
    """In both scopes every hook would run twice."""
    for found in found_hooks(around, records if scope == "user" else None):
        if found.adapter.name == adapter.name and found.scope != scope:
            hint = f"`vaultkit uninstall {adapter.name} --{found.scope}` first, or keep that one"
            raise RefusedError(f"{adapter.title} has vaultkit's hooks already, in {found.path}: every hook would run twice", hint=hint)
    for written in adapter.hooks.also if adapter.hooks and scope == "project" else ():
        path = adapter.resolve(written, around)
        if adapter.hooks and _handlers(path, adapter.hooks.format):
            raise RefusedError(
                f"{adapter.title} has vaultkit's hooks already, in {path}: every hook would run twice",
                hint=f"`vaultkit uninstall {adapter.name} --project` first",
            )


def _two_forms(adapter: Adapter, around: Surroundings) -> list[str]:
    """Hooks that the person has in another file of the harness, in another form."""
    told = []
    for path in [adapter.resolve(file, around) for file in adapter.hooks.beside] if adapter.hooks else []:
        with contextlib.suppress(OSError, ValueError):
            hooks = tomllib.loads(path.read_text("utf-8")).get("hooks")
            if isinstance(hooks, dict) and set(hooks) - {"state"}:
                told.append(
                    f"{path} has hooks of its own: {adapter.title} runs both, and says at every start that one file would be better"
                )
    return told


def _double_runs(adapter: Adapter, scope: Scope, together: Sequence[Adapter], around: Surroundings) -> list[str]:
    """Where one program also runs the hooks of another adapter."""
    told = []
    for reader in manifest.every():
        for other, files in (reader.hooks.runs if reader.hooks else {}).items():
            mine = adapter.name == reader.name and any(_handlers(adapter.resolve(file, around), "json") for file in files)
            theirs = adapter.name == other and scope == "project"
            both = theirs or mine or (adapter.name == reader.name and scope == "project" and any(one.name == other for one in together))
            if both:
                told.append(
                    f"{reader.title} also reads the {other} hooks of a repository that it trusts, but starts them without their arguments: "
                    f"nothing comes of it; it has an adapter of its own"
                )
    return told
