"""Renaming and moving files: which links must be written anew, and how. Pure: a list of edits is the result.

A link is rewritten only when it would otherwise mean another file (or when only the alphabet would still decide); everything around its
target stays byte for byte. Rules: facts/obsidian-semantics.md §3.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Final, NamedTuple
from urllib.parse import quote

from vaultkit.errors import ConflictError, NoteExistsError, NoteNotFoundError, OutsideVaultError, RefusedError, UnsafeNameError
from vaultkit.graph.canvas import Canvas, CanvasNode, read_canvas, replaced, rewrite_canvas
from vaultkit.graph.resolve import Resolver, fold, relative_path
from vaultkit.graph.snapshot import Snapshot, canvases, edges, resolver_of
from vaultkit.text.edit import Edit, Move, Rewrite, hash_of, to_bytes
from vaultkit.text.ids import is_record_name
from vaultkit.text.markdown import Link
from vaultkit.text.names import why_unsafe
from vaultkit.text.note import Note, parse_note


class Retarget(NamedTuple):
    """A link that means *old* now and would mean another file."""

    source: str
    link: Link
    old: str
    node: str = ""


def plan_move(snapshot: Snapshot, moves: Mapping[str, str], read: Callable[[str], str], *, comments: bool = False) -> list[Edit]:
    r"""The edits that move files (*moves*: old path → new path) and keep every link's meaning.

    *read* gives a file's text (decoded by `edit.to_text`). Only links whose meaning would change are rewritten, by resolver, in bodies,
    properties and canvases; `!`, subpath, alias, `\|`, `<…>` and percent-encoding are kept. Links in HTML comments only on request.
    """
    wanted = _checked(snapshot, moves)
    if not wanted:
        return []
    plan = _Plan(snapshot, wanted, comments=comments)
    edits: list[Edit] = []
    for path, to in wanted.items():
        before = read(path)
        after = plan.rewritten(path, before)
        edits.append(Move(path, to, hash_of(to_bytes(before)), to_bytes(after) if after != before else None))
    for path in plan.others():
        before = read(path)
        after = plan.rewritten(path, before)
        if after != before:
            edits.append(Rewrite(path, to_bytes(after), hash_of(to_bytes(before))))
    return edits


def folder_moves(snapshot: Snapshot, folder: str, to: str) -> dict[str, str]:
    """The moves that rename or move a whole folder."""
    old, new = folder.strip("/"), to.strip("/")
    moves = {path: f"{new}{path[len(old) :]}".lstrip("/") for path in sorted(snapshot.files) if path.startswith(f"{old}/")}
    if not moves:
        raise NoteNotFoundError(folder, hint="no file stands in that folder")
    if new.startswith(f"{old}/"):
        raise RefusedError(f"{folder} cannot be moved into itself", hint="choose a folder outside it")
    return moves


def retargeted_by(snapshot: Snapshot, new_path: str) -> list[Retarget]:
    """The links that a new note at *new_path* would silently take over from the file they mean now.

    Links that mean nothing yet are not listed: they are what the note is created for.
    """
    before = resolver_of(snapshot)
    if new_path in snapshot.files or not before.namesakes(new_path):
        return []
    after = before.with_file(new_path)
    return [
        Retarget(edge.source, edge.link, edge.target.path, edge.node)
        for edge in edges(snapshot)
        if edge.target.path is not None and not edge.exact and after.resolve(edge.link.target, edge.source).path != edge.target.path
    ]


class _Plan:
    """Several moves at once, and what each link has to say after them."""

    def __init__(self, snapshot: Snapshot, moves: Mapping[str, str], *, comments: bool) -> None:
        self._snapshot = snapshot
        self._moves = moves
        self._comments = comments
        self._before = resolver_of(snapshot)
        self._after = Resolver(sorted((snapshot.files - moves.keys()) | set(moves.values())))

    def others(self) -> list[str]:
        """The files that stay where they are and hold links to rewrite."""
        held = canvases(self._snapshot)
        notes = (path for path, note in self._snapshot.notes.items() if any(self._wanted(link, path) for link in _written(note)))
        boards = (path for path, canvas in held.items() if any(self._concerns(node, path) for node in canvas.nodes))
        return sorted({*notes, *boards} - self._moves.keys())

    def rewritten(self, path: str, text: str) -> str:
        """A file's text with its links written anew."""
        if path in self._snapshot.canvases:
            return self._canvas(path, text)
        return self._note(path, text) if path in self._snapshot.notes else text

    def _note(self, path: str, text: str) -> str:
        note = self._snapshot.notes[path]
        if note.hash != hash_of(to_bytes(text)):
            note = parse_note(path, text)
        links = _written(note)
        pieces = [piece for link in links for piece in self._pieces(text, link, path)]
        if not pieces:
            return text
        after = replaced(text, pieces)
        self._check(path, links, _written(parse_note(path, after)))
        return after

    def _canvas(self, path: str, text: str) -> str:
        canvas = canvases(self._snapshot)[path] if text == self._snapshot.canvases[path] else read_canvas(text)
        changes: list[tuple[CanvasNode, list[tuple[int, int, str]]]] = []
        for node in canvas.nodes:
            if node.kind == "text":
                spans = [piece for link in node.links for piece in self._pieces(node.value, link, path)]
            else:
                new = self._file_of(node)
                spans = [(0, len(node.value), new)] if new else []
            if spans:
                changes.append((node, spans))
        if not changes:
            return text
        after = rewrite_canvas(text, changes)
        self._check(path, _links_in_text(canvas), _links_in_text(read_canvas(after)))
        return after

    def _wanted(self, link: Link, source: str) -> str | None:
        """The file that *link* must be made to name, or None when it may stay as it is."""
        if not link.target or (link.comment and not self._comments):
            return None
        old = self._before.resolve(link.target, source)
        if old.path is None:
            return None
        wanted = self._moves.get(old.path, old.path)
        new = self._after.resolve(link.target, self._moves.get(source, source))
        return wanted if new.path != wanted or (new.tie and not old.tie) else None

    def _file_of(self, node: CanvasNode) -> str | None:
        """The new path of the file that a canvas node shows, or None when it stays."""
        old = self._before.exact(node.value).path
        return self._moves.get(old) if old is not None else None

    def _concerns(self, node: CanvasNode, source: str) -> bool:
        return any(self._wanted(link, source) for link in node.links) if node.kind == "text" else self._file_of(node) is not None

    def _pieces(self, text: str, link: Link, source: str) -> Iterator[tuple[int, int, str]]:
        """What to replace in *text* for one link: its target, and a Markdown link's text when that was the old name."""
        wanted = self._wanted(link, source)
        if wanted is None:
            return
        old = self._before.resolve(link.target, source).path or ""
        target = self._target(link, old, wanted, source)
        match link.syntax:
            case "markdown":
                yield link.target_start, link.target_end, _encoded(target, text, link)
                yield from _shown(text, link, old, wanted)
            case "property":
                yield link.target_start, link.target_end, _quoted(target, text, link)
            case "wikilink":
                yield link.target_start, link.target_end, target
            case "bare":
                yield link.start, link.end, target if is_record_name(target) else f"[[{target}]]"

    def _target(self, link: Link, old: str, wanted: str, source: str) -> str:
        """The new target, as near to the way it was written as its meaning allows."""
        here = self._moves.get(source, source)
        ways = [*_ways(link, old, wanted, here)]
        # A decomposed file name is written composed, as the app lists it, unless another file has just that name.
        for text, whole in [*((unicodedata.normalize("NFC", text), whole) for text, whole in ways), *ways]:
            found = self._after.resolve(text, here)
            sure = not found.tie if whole else not found.ambiguous
            if found.path == wanted and sure and (link.syntax == "markdown" or not _UNWRITABLE.search(text)):
                return text
        raise self._impossible(link, source, wanted)

    def _check(self, source: str, before: Sequence[Link], after: Sequence[Link]) -> None:
        """Refuse a rewrite after which a link does not mean what it meant, e.g. because a new name reads as code or mathematics."""
        here = self._moves.get(source, source)
        for index, old in enumerate(before):
            wanted = self._wanted(old, source)
            new = after[index] if index < len(after) else None
            kept = new is not None and (old.subpath, old.embed, old.property) == (new.subpath, new.embed, new.property)
            if (
                new is None
                or not kept
                or (new.target != old.target if wanted is None else self._after.resolve(new.target, here).path != wanted)
            ):
                raise self._impossible(old, source, wanted or old.target)

    def _impossible(self, link: Link, source: str, wanted: str) -> RefusedError:
        return RefusedError(
            f"{source} line {link.line} links to {wanted}, and no link can be written there that would still mean it",
            hint="change that link, or rename that file, first: # | ^ and brackets cannot stand in a link",
        )


# These end a wikilink's target, or start its subpath or display text, or a comment.
_UNWRITABLE: Final = re.compile(r"[#|^\r\n]|\[\[|\]\]|\]$|^\[|%%|\\$")
_HIGH_ESCAPE: Final = re.compile(r"%[89A-Fa-f][0-9A-Fa-f]")
# Always written as %XX in a Markdown destination, besides a % that would read as an escape.
_MUST_ESCAPE: Final = re.compile(r"%(?=[0-9A-Fa-f]{2})|[\x00-\x1f\x7f<>#\\|`:]")
_MUST_ESCAPE_BARE: Final = re.compile(r"[\s()]")


def _ways(link: Link, old: str, wanted: str, source: str) -> Iterator[tuple[str, bool]]:
    """Targets that could name *wanted*, in order of preference; True with those that need not be the only file of that name."""
    spelt = link.target
    # The app writes Markdown links with their extension; a wikilink keeps what it had.
    bare = link.syntax != "markdown" and not fold(spelt).endswith(".md") and fold(wanted).endswith(".md")
    end = len(wanted) - len(".md") * bare
    if spelt.startswith(("./", "../")):
        near = relative_path(wanted[:end], source.rpartition("/")[0])
        yield (near if near.startswith("../") else f"./{near}"), True
    elif spelt.startswith("/"):
        yield f"/{wanted[:end]}", True
    else:
        depth = spelt.count("/") + 1
        if depth == 1 or depth <= old.count("/"):
            yield "/".join(wanted[:end].split("/")[-depth:]), False
    yield wanted[:end], True
    yield wanted, True  # `v1.2` reads as a file of that name when there is one


def _encoded(target: str, text: str, link: Link) -> str:
    """A Markdown destination, escaped as much as the old one was, and as much as it needs."""
    if _HIGH_ESCAPE.search(text, link.target_start, link.target_end):
        return quote(target, safe="/!$&'*+,;=@~", errors="surrogateescape")
    escaped = _MUST_ESCAPE.sub(_percent, target)
    return escaped if text[link.target_start - 1 : link.target_start] == "<" else _MUST_ESCAPE_BARE.sub(_percent, escaped)


def _percent(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8", "surrogateescape"))


def _shown(text: str, link: Link, old: str, wanted: str) -> Iterator[tuple[int, int, str]]:
    """The text of a Markdown link that was the old name follows the new one."""
    old_name, new_name = old.rpartition("/")[2], wanted.rpartition("/")[2]
    start = link.start + 1
    if link.display and not link.embed and old_name != new_name and text.startswith(f"{link.display}](", start):
        for suffix in ("", ".md"):
            if old_name.removesuffix(suffix) == link.display:
                yield start, start + len(link.display), new_name.removesuffix(suffix)
                return


def _quoted(target: str, text: str, link: Link) -> str:
    """The target as it has to be spelt inside the quotes that the property's value stands in."""
    quote_mark = ""
    before = " "
    escaped = False
    for char in text[text.rfind("\n", 0, link.start) + 1 : link.start]:
        if escaped:
            escaped = False
        elif quote_mark:
            escaped = char == "\\" and quote_mark == '"'
            quote_mark = "" if char == quote_mark else quote_mark  # a doubled '' closes and opens again
        elif char in "\"'" and (before in " \t[{,:-" or before == char):
            quote_mark = char
        before = char
    match quote_mark:
        case '"':
            return target.replace("\\", "\\\\").replace('"', '\\"')
        case "'":
            return target.replace("'", "''")
        case _:
            return target


def _written(note: Note) -> Sequence[Link]:
    """What may be a link: also each bare id of a record, whether that stands or not."""
    return sorted((*note.links, *note.mentions), key=lambda link: link.start) if note.mentions else note.links


def _links_in_text(canvas: Canvas) -> list[Link]:
    return [link for node in canvas.nodes if node.kind == "text" for link in node.links]


def _checked(snapshot: Snapshot, moves: Mapping[str, str]) -> dict[str, str]:
    """The moves that do something, those that make room for others first."""
    wanted = {old: new for old, new in moves.items() if old != new}
    resolver = resolver_of(snapshot)
    folders = {path[:at] for path in snapshot.files for at, char in enumerate(path) if char == "/"} if wanted else set()
    taken: dict[str, str] = {}
    for old, new in wanted.items():
        if old not in snapshot.files:
            raise NoteNotFoundError(old)
        _check_new_path(new, old, folders)
        standing = resolver.exact(new)
        if any(path is not None and path not in wanted for path in (standing.path, *standing.ambiguous)):
            raise NoteExistsError(standing.path or new)
        if (other := taken.setdefault(fold(new), old)) != old:
            raise ConflictError(f"{other} and {old} would both become {new}", hint="give them different names")
    return _in_order(wanted)


def _check_new_path(path: str, old: str, folders: Collection[str]) -> None:
    """Refuse a path that leads outside, or whose new parts are unsafe; folders that stand and names that the file has may be anything."""
    parts = path.split("/")
    if any(not part or part.startswith(".") for part in parts):
        raise OutsideVaultError(path)
    known = old.split("/")
    for depth, part in enumerate(parts, start=1):
        if part not in known and "/".join(parts[:depth]) not in folders and (why := why_unsafe(part)):
            raise UnsafeNameError(f"{part!r} is no safe file name: it {why}", hint="choose a name of letters, digits, spaces and hyphens")


def _in_order(moves: Mapping[str, str]) -> dict[str, str]:
    """Moves sorted so that a path is vacated before another file takes it."""
    ordered: dict[str, str] = {}
    waiting = dict(sorted(moves.items()))
    while waiting:
        standing = {fold(old): old for old in waiting}
        free = {old: new for old, new in waiting.items() if standing.get(fold(new), old) == old}
        if not free:
            raise ConflictError(f"{', '.join(waiting)} would change places", hint="move one of them to a third name first")
        ordered |= free
        waiting = {old: new for old, new in waiting.items() if old not in free}
    return ordered
