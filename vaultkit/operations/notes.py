"""Notes by path or link name: read, create, append, patch, move, trash, the daily note, open."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple
from urllib.parse import quote

from vaultkit import graph
from vaultkit.app import UNREADABLE, App, live
from vaultkit.capture import DailyNote, render_template
from vaultkit.config import table as settings_table
from vaultkit.errors import (
    ConflictError,
    NoteChangedError,
    NoteNotFoundError,
    OutsideVaultError,
    RefusedError,
    UnavailableError,
    UsageError,
)
from vaultkit.operations._again import settled
from vaultkit.text import names
from vaultkit.text.edit import Create, Edit, Move, Rewrite, Trash, hash_of, to_bytes, to_text
from vaultkit.text.values import Value


class NoteText(NamedTuple):
    """A note as it is on disk."""

    path: str
    hash: str
    text: str


class Changed(NamedTuple):
    """What an edit did: the note's path and new hash, the files rewritten with it, what the person should know.

    A folder that moved has no hash; *moved* are then the new paths of what was in it.
    """

    path: str
    hash: str
    rewritten: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    preview: tuple[str, ...] = ()  # with a dry run: what would be done
    moved: tuple[str, ...] = ()


def read(app: App, name: str) -> NoteText:
    """A note's text, by path or link name."""
    path = _path(app, name)
    found = app.files.read(path)
    app.activity.append("opened", t=app.clock(), path=path, session=app.session)  # a body was really read (memory.md M43)
    return NoteText(path, found.hash, to_text(found.data))


class NotePart(NamedTuple):
    """What a target in a note holds: text, or a property's value."""

    path: str
    hash: str
    value: Value


def read_part(app: App, name: str, target_type: str, target: Sequence[str] | str, *, scope: str = "content") -> NotePart:
    """A heading's section, a block or a property, headings in it counted from the target as `patch` takes them."""
    from vaultkit.text.patch import heading_path, read_target

    found = read(app, name)
    if target_type == "heading":
        target = _heading(found.text, heading_path(target))
    return NotePart(found.path, found.hash, read_target(found.text, target_type, target, scope=scope, relative=True))


def note_map(app: App, name: str) -> tuple[NoteText, dict[str, Any]]:
    """A note and the map of what can be named in it: headings as a tree, blocks, properties."""
    from vaultkit.text.patch import document_map

    found = read(app, name)
    return found, document_map(found.text)


class Patched(NamedTuple):
    """What a patch did: the note's path, its new hash, what its owner should know, the change as a unified diff."""

    path: str
    hash: str
    warnings: tuple[str, ...]
    diff: tuple[str, ...]
    dry_run: bool = False


def patch(app: App, name: str, instruction: Mapping[str, Any], *, dry_run: bool = False, expected: str = "") -> Patched:
    """One PATCH 2.x instruction on a note (facts: text/patch). A heading may be named by its last texts alone while that is unambiguous.

    *expected*: the hash that the note must still have. Raises PatchError and its kinds.
    """
    if expected:
        return _patch(app, name, instruction, dry_run=dry_run, expected=expected)
    return settled(app, lambda: _patch(app, name, instruction, dry_run=dry_run, expected=""))


def _patch(app: App, name: str, instruction: Mapping[str, Any], *, dry_run: bool, expected: str) -> Patched:
    from difflib import unified_diff

    from vaultkit.text.patch import apply2, heading_path

    path = _path(app, name)
    if not path.lower().endswith(".md"):
        raise RefusedError(f"{path} is no note", hint="only .md files can be patched")
    found = app.files.read(path)
    if expected and found.hash != expected:
        raise NoteChangedError(path)
    old = to_text(found.data)
    if instruction.get("targetType") == "heading" and isinstance(instruction.get("target"), (list, str)):
        instruction = {**instruction, "target": _heading(old, heading_path(instruction["target"]))}
    changed = apply2(old, instruction, compat=app.config.compat)
    data = to_bytes(changed.text)
    warnings = tuple(warning["message"] for warning in changed.warnings)
    diff = tuple(line.rstrip("\r\n") for line in unified_diff(old.splitlines(), changed.text.splitlines(), path, path, n=2, lineterm=""))
    if not dry_run and data != found.data:
        app.commit([Rewrite(path, data, expected or found.hash)], command=f"note patch {path}")
    return Patched(path, hash_of(data), warnings, diff, dry_run)


def _heading(text: str, path: list[str]) -> list[str]:
    """The full path of a heading that is named by its last texts: as given when it is a full path already, or when several end so."""
    from vaultkit.text.patch import address, find_section, outline

    note = outline(text)
    if not path or find_section(note, path, compat=True) is not None:
        return path
    full = [address(note, index) for index in range(1, len(note.sections)) if note.named(note.sections[index])[-len(path) :] == path]
    return full[0] if len(full) == 1 else path


def create(app: App, name: str, text: str, *, dry_run: bool = False) -> Changed:
    """A new note. Existing links that would mean it from now on are reported."""
    path = with_suffix(app.vault_path(name))
    app.files.check_new(path)
    app.sync()
    warnings = (*retarget_warnings(app, path), *_copy_warnings(app, [path]))
    edit = Create(path, to_bytes(text))
    if dry_run:
        return Changed(path, hash_of(edit.data), warnings=warnings, preview=(f"create {path}",))
    app.commit([edit], command=f"note create {path}")
    return Changed(path, hash_of(edit.data), warnings=warnings)


def append(app: App, name: str, text: str, *, dry_run: bool = False, expected: str = "") -> Changed:
    """Text at the end of a note, on a line of its own."""
    if expected:
        return _append(app, name, text, dry_run=dry_run, expected=expected)
    return settled(app, lambda: _append(app, name, text, dry_run=dry_run, expected=""))


def _append(app: App, name: str, text: str, *, dry_run: bool, expected: str) -> Changed:
    path = _path(app, name)
    if not path.lower().endswith(".md"):
        raise RefusedError(f"{path} is no note: text at its end would break it", hint="only to .md files can be appended")
    found = app.files.read(path)
    old = to_text(found.data)
    newline = "\r\n" if "\r\n" in old else "\n"
    glue = "" if not old or old.endswith(("\n", "\r")) else newline
    added = text if text.endswith("\n") else text + newline
    data = to_bytes(old + glue + added)
    if dry_run:
        return Changed(path, hash_of(data), preview=(f"append {len(added)} characters to {path}",))
    app.commit([Rewrite(path, data, expected or found.hash)], command=f"note append {path}")
    return Changed(path, hash_of(data))


def move(app: App, name: str, to: str, *, dry_run: bool = False) -> Changed:
    """Move or rename a note (or a folder); every link keeps its meaning."""
    return settled(app, lambda: _move(app, app.vault_path(name), app.vault_path(to), dry_run=dry_run))


def _move(app: App, name: str, to: str, *, dry_run: bool) -> Changed:
    app.sync()
    folder = _is_folder(app, name)
    if folder:
        name = name.strip("/")
        to = _folder_target(name, to)
    moves = graph.folder_moves(app.snapshot(), name, to) if folder else _note_moves(app, name, to)
    if all(old == new for old, new in moves.items()):
        path = next(iter(moves))
        return Changed(path, "" if folder else app.files.read(path).hash, warnings=("it stands there already: nothing was changed",))
    for target in moves.values():
        app.files.resolve(target)  # refuses what leads out of the vault
        names.check_name(target)
    texts: dict[str, str] = {}

    def text_of(path: str) -> str:
        if path not in texts:
            texts[path] = to_text(app.files.read(path).data)
        return texts[path]

    edits = graph.plan_move(app.snapshot(), moves, text_of)
    rewritten = tuple(edit.path for edit in edits if isinstance(edit, Rewrite))
    warnings = [*_copy_warnings(app, moves.values()), *_unread_warnings(app)]
    first = next(iter(moves.values()))
    moved = tuple(moves.values()) if folder else ()
    target = to if folder else first
    if dry_run:
        return Changed(target, "", rewritten, tuple(warnings), tuple(_told(edit) for edit in edits), moved)
    applied = app.commit(edits, command=f"note move {name} {to}")
    if not folder:
        return Changed(target, applied.hashes.get(first) or app.files.read(first).hash, rewritten, tuple(warnings))
    if app.files.remove_empty(name):
        warnings.append(f"the folder {name} still holds files that vaultkit does not see")
    warnings += _setting_warnings(app, name)
    return Changed(target, "", rewritten, tuple(warnings), moved=moved)


def trash(app: App, name: str, *, dry_run: bool = False) -> Changed:
    """A note goes to `.trash/`; links to it are reported, not changed."""
    return settled(app, lambda: _trash(app, name, dry_run=dry_run))


def _trash(app: App, name: str, *, dry_run: bool) -> Changed:
    app.sync()
    path = _path(app, name)
    found = app.files.read(path)
    links = [edge for edge in graph.edges(app.snapshot()) if edge.target.path == path and edge.source != path]
    sources = ", ".join(sorted({edge.source for edge in links})[:5])
    count = "1 link leads" if len(links) == 1 else f"{len(links)} links lead"
    warnings = (f"{count} to it: {sources}",) if links else ()
    if dry_run:
        return Changed(path, found.hash, warnings=warnings, preview=(f"move {path} to .trash/",))
    app.commit([Trash(path, found.hash)], command=f"note trash {path}")
    return Changed(path, found.hash, warnings=warnings)


def find_daily(app: App, day: date) -> tuple[DailyNote, tuple[str, ...]]:
    """The daily note of *day* as it is, with the template that would make it, and what is wrong with that."""
    daily = app.daily
    path = daily.path(day)
    warnings = [daily.problem] if daily.problem else []
    template = None
    if daily.template:
        try:
            template = _text_or_none(app, f"{daily.template}.md")
            told = "does not exist"
        except OutsideVaultError:
            told = "is not inside the vault"
        if template is None:
            warnings.append(f"the daily template {daily.template}.md {told}")
    date_format, time_format = app.template_formats
    return DailyNote(path, _text_or_none(app, path), template, day, date_format, time_format), tuple(warnings)


def daily(app: App, *, day: date, make: bool) -> NoteText:
    """The daily note's text; with *make*, created from its template when it is missing."""
    found, _ = find_daily(app, day)
    if found.text is None:
        if not make:
            raise NoteNotFoundError(found.path, hint="`vaultkit daily --create` makes it")
        app.commit([Create(found.path, to_bytes(new_daily(app, found)))], command=f"daily {found.path}")
    return read(app, found.path)


def new_daily(app: App, found: DailyNote) -> str:
    """The text that a missing daily note gets from its template; Templater's are left for Templater to render."""
    if found.template is None or "<%" in found.template:
        return found.template or ""
    return render_template(
        found.template, found.path, now=app.now(), day=found.day, date_format=found.date_format, time_format=found.time_format
    )


def _text_or_none(app: App, path: str) -> str | None:
    try:
        return to_text(app.files.read(path).data)
    except NoteNotFoundError:
        return None


class Opened(NamedTuple):
    """How a note was opened; *uri* opens it by hand too."""

    path: str
    uri: str
    by: str


def open_note(app: App, name: str, *, dry_run: bool = False, env: Mapping[str, str] = os.environ) -> Opened:
    """Open a note in Obsidian, through its URI (Obsidian starts when it is closed)."""
    path = _path(app, name)
    if not dry_run and (client := live.client_of(app)) is not None:
        client.open(path)
        return Opened(path, "", "the running Obsidian")
    uri = f"obsidian://open?path={quote(str(app.root / path), safe='')}"
    opener = _opener(env)
    if dry_run or opener is None:
        if not dry_run:
            raise UnavailableError("nothing here can open an obsidian:// address", hint=f"open it by hand: {uri}")
        return Opened(path, uri, "")
    try:
        done = subprocess.run([opener, uri], check=False, capture_output=True, timeout=15)
    except subprocess.TimeoutExpired:
        raise UnavailableError(f"{opener} does not answer", hint=f"open it by hand: {uri}") from None
    if done.returncode:
        raise UnavailableError(f"{opener} could not open it (exit {done.returncode})", hint=f"is Obsidian installed? by hand: {uri}")
    return Opened(path, uri, opener)


def with_suffix(name: str) -> str:
    """A new note's path: `.md` is added when it is missing."""
    cleaned = name.strip()
    if not cleaned or cleaned.endswith("/"):
        raise UsageError("a note needs a name", hint="give its path, like inbox/idea.md")
    return cleaned if cleaned.lower().endswith(".md") else f"{cleaned}.md"


def retarget_warnings(app: App, path: str) -> tuple[str, ...]:
    """What a new note at *path* would silently do to existing links, told in words."""
    name = graph.fold(path.rsplit("/", 1)[-1])
    if not any(graph.fold(other.rsplit("/", 1)[-1]) == name for other in app.manifest()):
        return ()  # only a namesake can lose links; without one the whole vault need not be loaded
    taken = graph.retargeted_by(app.snapshot(), path)
    return tuple(f"{found.source}:{found.link.line} [[{found.link.target}]] will mean {path}, not {found.old}" for found in taken[:20])


def _opener(env: Mapping[str, str]) -> str | None:
    programs = ("open",) if sys.platform == "darwin" else ("xdg-open", "wslview")
    return next((found for name in programs if (found := shutil.which(name, path=env.get("PATH")))), None)


def _path(app: App, name: str) -> str:
    name = app.vault_path(name)
    if app.files.exists(name):
        return name
    app.sync()
    return app.find(name)


def _is_folder(app: App, name: str) -> bool:
    """Does *name* mean a folder, be it an empty one, and no file that stands there?"""
    manifest = app.manifest()
    folder = name.strip("/")
    if not folder or name in manifest or f"{name}.md" in manifest:
        return False
    return any(path.startswith(f"{folder}/") for path in manifest) or app.files.is_folder(folder)


def _folder_target(old: str, to: str) -> str:
    """The new path of folder *old*: *to*, or in *to* when that ends with a slash."""
    new = f"{to.strip('/')}/{old.rsplit('/', 1)[-1]}".lstrip("/") if to.endswith("/") else to
    if not new.strip() or new.startswith("/"):
        raise UsageError("a folder needs a name", hint="give the folder's new path, like archive/2026")
    if old != new and graph.fold(old) == graph.fold(new):
        raise ConflictError(f"{new} differs from {old} in case only", hint="move the folder to a third name first, then to that one")
    return new


def _note_moves(app: App, name: str, to: str) -> dict[str, str]:
    path = app.find(name)
    suffix = "." + path.rsplit(".", 1)[-1] if "." in path.rsplit("/", 1)[-1] else ""
    if not to.strip():
        raise UsageError("a note needs a name", hint="give its new path, like archive/idea.md, or a folder with / at its end")
    if to.endswith("/"):
        return {path: to.lstrip("/") + path.rsplit("/", 1)[-1]}
    return {path: to if to.lower().endswith(suffix.lower()) else to + suffix}


def _copy_warnings(app: App, paths: Iterable[str]) -> Iterator[str]:
    for path in paths:
        original = names.conflict_copy_of(path, app.manifest())
        if original and path.lower().endswith(".md"):
            yield f"{path} is named like a sync's conflict copy of {original}: it will not be indexed"


def _setting_warnings(app: App, folder: str) -> Iterator[str]:
    """Settings that name what was moved; whose they are to change is the person's to say."""
    named = {name: getattr(app.config, name) for name, _, _, _ in settings_table() if name.endswith("_folder")}
    named |= {".obsidian/daily-notes.json": app.daily.folder, ".obsidian/templates.json": app.rules.templates}
    for name, value in named.items():
        if value == folder or value.startswith(f"{folder}/"):
            yield f"{name} still names {value}"


def _unread_warnings(app: App) -> Iterator[str]:
    unread = [row.path for row in app.manifest().values() if row.kind == UNREADABLE]
    if unread:
        yield f"links in {', '.join(unread[:5])} were not looked at: larger than max_note_mb"


def _told(edit: Edit) -> str:
    match edit:
        case Create():
            return f"create {edit.path}"
        case Rewrite():
            return f"rewrite links in {edit.path}"
        case Move():
            return f"move {edit.path} → {edit.to}" + (" (its own links are kept)" if edit.data is not None else "")
        case Trash():
            return f"trash {edit.path}"
