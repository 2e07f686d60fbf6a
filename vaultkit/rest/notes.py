"""What can be done with one file: read it in four representations, replace, append, trash, move, copy. Used by /vault/, /active/, /periodic/."""

from __future__ import annotations

import codecs
import hashlib
import mimetypes
import re
from collections.abc import Sequence
from typing import Any, Final

from vaultkit import graph
from vaultkit.errors import (
    ConflictError,
    NoteChangedError,
    NoteExistsError,
    OutsideVaultError,
    PatchError,
    RefusedError,
    UnsafeNameError,
    VaultkitError,
)
from vaultkit.rest.answers import MARKDOWN, Answer, Headers, Request, RestError, error_of, json_answer, json_bytes, quoted
from vaultkit.rest.dialect import Dialect
from vaultkit.rest.library import Library, View, is_note
from vaultkit.rest.paths import TARGETS, Place, decode, destination
from vaultkit.store.files import Read
from vaultkit.text import patch
from vaultkit.text.edit import Create, Edit, Rewrite, Trash, to_bytes, to_text
from vaultkit.text.values import Value, to_json

NOTE_JSON: Final = "application/vnd.olrapi.note+json"
MAP_JSON: Final = "application/vnd.olrapi.document-map+json"
DEPRECATED: Final = ("deprecation", 'true; sunset-version="6.0"')
_TRIES: Final = 4


class Notes:
    """The file methods of one vault in one dialect."""

    def __init__(self, library: Library, dialect: Dialect) -> None:
        self.holdings = library
        self.dialect = dialect

    # -- reading

    def get(self, request: Request, place: Place) -> Answer:
        """A file, or a part of it."""
        asked = self._asked_part(request, place)
        found = self.holdings.read(place.path)
        if asked is not None:
            return self._part(request, place, found, asked)
        accept = request.header("accept")
        if accept == NOTE_JSON:
            body = json_bytes(describe(self.holdings, self.dialect, place.path, found))
            tag = f'W/"{found.hash}-{hashlib.sha256(body).hexdigest()[:8]}"'
            return _cached(request, _file_answer(place.path, body, f"{NOTE_JSON}; charset=utf-8", tag))
        if accept == MAP_JSON:
            wanted = patch_version(request) or str(self.dialect.map_version)
            body = json_bytes(patch.document_map(to_text(found.data), dialect=int(wanted)))
            answer = _file_answer(place.path, body, f"{MAP_JSON}; charset=utf-8", f'W/"{found.hash}-{wanted}"')
            return _cached(request, answer.plus(DEPRECATED) if self._is_old(request) else answer)
        if accept == "text/html" and self.dialect.html and is_note(place.path):
            return _cached(request, _html_answer(place.path, to_text(found.data), found.hash))
        return _cached(request, _file_answer(place.path, found.data, content_type(place.path), f'"{found.hash}"'))

    def _part(self, request: Request, place: Place, found: Read, asked: Part) -> Answer:
        try:
            value = patch.read_target(
                to_text(found.data),
                asked.kind,
                asked.target,
                scope=request.header("target-scope") or "content",
                delimiter=request.header("target-delimiter") or patch.DELIMITER,
                relative=asked.in_url and self.dialect.second,
                compat=True,
            )
        except PatchError as error:
            raise RestError(
                40400 if error.http_status == 404 else error.rest_code, "" if error.http_status == 404 else error.message
            ) from error
        if request.header("accept") == "text/html" and self.dialect.html:
            if asked.kind == "frontmatter":
                raise RestError(40054, "a property has no HTML")
            return _html_answer(place.path, str(value), found.hash)
        headers: Headers = (("etag", f'W/"{found.hash}-part"'),)
        if self._is_old(request):
            headers = (*headers, DEPRECATED)
        if asked.kind == "frontmatter":
            return json_answer(to_json(value)).plus(("content-disposition", _disposition(place.path)), *headers)
        return _file_answer(place.path, to_bytes(str(value)), MARKDOWN, "").plus(*headers)

    def _asked_part(self, request: Request, place: Place) -> Part | None:
        """The part that the URL or the headers name, in the right version; None for the whole file."""
        kind, version = request.header("target-type"), patch_version(request)
        by_header = bool(kind or request.header("target"))
        if place.target is not None:
            if by_header:
                raise RestError(42200)
            target: Any = list(place.target) if place.target_type == "heading" else "/".join(place.target)
            return Part(place.target_type, target, in_url=True)
        if not by_header:
            return None
        if version != "1" and not self.dialect.headers_alone:
            raise RestError(40083)
        if not kind:
            raise RestError(40053)
        if kind not in TARGETS:
            raise RestError(40054)
        target = decode(request.header("target"), code=40058)
        if not target and kind != "heading":
            raise RestError(40055)
        return Part(kind, target, in_url=False)

    def _is_old(self, request: Request) -> bool:
        return self.dialect.second and request.header("markdown-patch-version") == "1"

    # -- writing

    def put(self, request: Request, place: Place) -> Answer:
        """Replace or create a file with the bytes sent, or replace a part of it."""
        asked = self._asked_part(request, place)
        if asked is not None:
            return self._write_part(request, place, asked, "replace")
        data = _stored(request)
        with self.holdings.writing():
            current = self._current(place.path)
            check_match(request, current)
            edit: Edit = Create(place.path, data) if current is None else Rewrite(place.path, data, current.hash)
            self._commit(request, [edit], f"rest PUT {place.path}")
        return Answer(204)

    def post(self, request: Request, place: Place) -> Answer:
        """Append to a file (made when missing), or to a part of it."""
        asked = self._asked_part(request, place)
        if asked is not None:
            return self._write_part(request, place, asked, "append")
        if not request.header("content-type").lower().startswith("text/"):
            raise RestError(40010)
        data = _stored(request)

        def append() -> Answer:
            current = self._current(place.path)
            check_match(request, current)
            if current is None:
                edit: Edit = Create(place.path, data)
            else:
                glue = b"" if not current.data or current.data.endswith(b"\n") else _newline(current.data)
                edit = Rewrite(place.path, current.data + glue + data, current.hash)
            self._commit(request, [edit], f"rest POST {place.path}")
            return Answer(204)

        with self.holdings.writing():
            for _ in range(_TRIES - 1):
                try:
                    return append()
                except RestError as error:  # another program wrote meanwhile: text for the end goes behind what it wrote
                    if error.code != 40900 or request.header("if-match"):
                        raise
            return append()

    def delete(self, request: Request, place: Place) -> Answer:
        """A file goes to the trash, whatever `permanent` says: it can be had back."""
        if place.target is not None:
            raise RestError(40500)
        with self.holdings.writing():
            current = self.holdings.read(place.path)
            check_match(request, current)
            self._commit(request, [Trash(place.path, current.hash)], f"rest DELETE {place.path}")
        return Answer(204)

    def move(self, request: Request, place: Place) -> Answer:
        """Another path for a file; every link to it is rewritten."""
        to = destination(request.header("destination"), place.path)
        with self.holdings.writing():
            current = self.holdings.read(place.path)
            check_match(request, current)
            if to == place.path:
                return Answer(204, headers=(("content-location", quoted(to)),))
            taken = self._taken(request, to, but=place.path)
            self.holdings.refresh(force=True)
            run = self.holdings.commit([taken], command=f"rest MOVE {place.path}") if taken else ""
            try:
                edits = graph.plan_move(self.holdings.snapshot(), {place.path: to}, lambda path: to_text(self.holdings.read(path).data))
                self._commit(request, edits, f"rest MOVE {place.path} {to}")
            except (RestError, VaultkitError) as error:
                if run:
                    self.holdings.undo(run)
                raise _moving(error) from error
        return Answer(204, headers=(("content-location", quoted(to)),))

    def copy(self, request: Request, place: Place) -> Answer:
        """A second file with the same bytes."""
        to = destination(request.header("destination"), place.path)
        with self.holdings.writing():
            current = self.holdings.read(place.path)
            check_match(request, current)
            if to == place.path:
                raise RestError(40920)
            taken = self._taken(request, to)
            edit: Edit = Rewrite(to, current.data, taken.expected) if taken else Create(to, current.data)
            try:
                self._commit(request, [edit], f"rest COPY {place.path} {to}")
            except RestError as error:
                raise _moving(error) from error
        return Answer(204, headers=(("content-location", quoted(to)),))

    def _taken(self, request: Request, to: str, *, but: str = "") -> Trash | None:
        """What stands at a destination and may be replaced."""
        if self.holdings.files.is_folder(to):
            raise RestError(40022, f"{to} is a folder; end it with a slash to put the file into it")
        if not self.holdings.files.exists(to) or (but and graph.fold(to) == graph.fold(but)):
            return None
        if not request.flag("allow-overwrite"):
            raise RestError(40920)
        return Trash(to, self.holdings.read(to).hash)

    def _current(self, path: str) -> Read | None:
        if self.holdings.files.is_folder(path):
            raise RestError(40510)
        return self.holdings.read_or_none(path)

    def _commit(self, request: Request, edits: Sequence[Edit], command: str) -> None:
        try:
            self.holdings.commit(edits, command=command)
        except NoteChangedError as error:
            raise RestError(41200 if request.header("if-match") else 40900, f"{error.message}; {error.hint}") from error

    # -- parts

    def patch(self, request: Request, place: Place) -> Answer:
        """Change a part of a note: see `vaultkit.rest.patching`."""
        from vaultkit.rest import patching

        return patching.patch(self, request, place)

    def _write_part(self, request: Request, place: Place, asked: Part, operation: str) -> Answer:
        from vaultkit.rest import patching

        return patching.write_part(self, request, place, asked, operation)

    def rewrite(self, request: Request, path: str, change: Any) -> tuple[str, Headers]:
        """The note's new text, of *change*(its text) → (text, headers), written."""
        with self.holdings.writing():
            current = self.holdings.read(path)
            check_match(request, current)
            text, headers = change(to_text(current.data))
            self._commit(request, [Rewrite(path, to_bytes(text), current.hash)], f"rest {request.method} {path}")
        return text, headers


class Part:
    """A part of a note that a request names."""

    __slots__ = ("in_url", "kind", "target")

    def __init__(self, kind: str, target: Any, *, in_url: bool) -> None:
        self.kind = kind
        self.target = target
        self.in_url = in_url


def describe(library: Library, dialect: Dialect, path: str, found: Read) -> dict[str, Any]:
    """The note+json object of a file."""
    view = library.fresh(path)
    stat = library.stat(path)
    entry = {**metadata(view, path), "stat": stat._asdict(), "path": path, "content": to_text(found.data)}
    return {**entry, **linked(view, dialect, path)}


def metadata(view: View, path: str) -> dict[str, Any]:
    """Tags and properties of a note; nothing for a file that is none."""
    note = view.notes.get(path)
    if note is None:
        return {"tags": [], "frontmatter": {}}
    declared = note.properties.get("tags")
    tags = [tag.removeprefix("#") for tag in declared if isinstance(tag, str)] if isinstance(declared, list) else []
    return {"tags": list(dict.fromkeys([*tags, *(tag.name for tag in note.inline_tags)])), "frontmatter": to_json(dict(note.properties))}


def linked(view: View, dialect: Dialect, path: str) -> dict[str, list[str]]:
    """The link fields that the dialect has."""
    found: dict[str, list[str]] = {}
    if dialect.links:
        inside, nowhere = view.links(path)
        found = {"links": inside, "backlinks": view.backlinks(path)}
        if dialect.unresolved:
            found["unresolvedLinks"] = nowhere
    return found


def patch_version(request: Request) -> str:
    """The Markdown-Patch-Version that was sent, "" for none."""
    found = request.header("markdown-patch-version").strip()
    if found not in {"", "1", "2"}:
        raise RestError(40082)
    return found


def check_match(request: Request, current: Read | None) -> None:
    """If-Match and If-None-Match (RFC 9110 §13.1); a document map's `version`, which is the hash's beginning, counts as the tag too."""
    if wanted := request.header("if-match"):
        named = [tag.strip().removeprefix("W/").strip('"').partition("-")[0] for tag in wanted.split(",")]
        if current is None or not any(tag == "*" or (len(tag) >= 16 and current.hash.startswith(tag.lower())) for tag in named):
            raise RestError(41200, "the file is not the one that If-Match names: read it again, then retry")
    if request.method not in {"GET", "HEAD"} and (refused := request.header("if-none-match")) and current is not None:
        named = [tag.strip().removeprefix("W/").strip('"').partition("-")[0] for tag in refused.split(",")]
        if "*" in named or current.hash in named:
            raise RestError(41200, "the file stands there already")


def content_type(path: str) -> str:
    """The Content-Type of a file, by its extension."""
    suffix = path.rsplit("/", 1)[-1].rpartition(".")[2].lower() if "." in path.rsplit("/", 1)[-1] else ""
    if suffix in _TYPES:
        return _TYPES[suffix]
    kind = mimetypes.types_map.get(f".{suffix}", "application/octet-stream")
    return f"{kind}; charset=utf-8" if kind.startswith("text/") or kind in {"application/json", "application/javascript"} else kind


_TYPES: Final = {
    "md": MARKDOWN,
    "canvas": "application/octet-stream",
    "base": "application/octet-stream",
    "json": "application/json; charset=utf-8",
    "webp": "image/webp",
    "html": "text/html; charset=utf-8",
}


def _file_answer(path: str, body: bytes, kind: str, tag: str) -> Answer:
    headers: Headers = (("content-disposition", _disposition(path)), ("content-type", kind), ("x-content-type-options", "nosniff"))
    return Answer(200, body, (*headers, ("etag", tag)) if tag else headers)


def _html_answer(path: str, text: str, digest: str) -> Answer:
    from vaultkit.rest.html import render

    answer = _file_answer(path, render(text).encode("utf-8", "replace"), "text/html; charset=utf-8", f'W/"{digest}-html"')
    return answer.plus(("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox"))


def _cached(request: Request, answer: Answer) -> Answer:
    """304 when the client has it already."""
    own = next((value for name, value in answer.headers if name == "etag"), "").removeprefix("W/")
    known = [tag.strip().removeprefix("W/") for tag in request.header("if-none-match").split(",")]
    return answer._replace(status=304, body=b"") if own and (own in known or "*" in known) else answer


def _disposition(path: str) -> str:
    return f'attachment; filename="{quoted(path).replace(",", "%2C", 1)}"'


_CHARSET: Final = re.compile(r";\s*charset\s*=\s*\"?([^\s;\"]+)", re.IGNORECASE)


def body_text(request: Request) -> str:
    """The body as text, by the charset that its Content-Type names."""
    return to_text(_stored(request))


def _stored(request: Request) -> bytes:
    """The bytes to store: as they were sent; text in another charset becomes UTF-8."""
    kind = request.header("content-type")
    found = _CHARSET.search(kind)
    if not found or not kind.lower().lstrip().startswith("text/"):
        return request.body
    try:
        name = codecs.lookup(found[1]).name
        if name in {"utf-8", "ascii"}:
            return request.body
        return request.body.decode(name).encode()
    except (LookupError, UnicodeError) as error:
        raise RestError(40012, f"the charset {found[1]!r} is not known, or the body is not in it") from error


def _newline(data: bytes) -> bytes:
    return b"\r\n" if b"\r\n" in data else b"\n"


def _moving(error: RestError | VaultkitError) -> RestError:
    """An error of a move or copy in the API's terms."""
    match error:
        case RestError():
            return RestError(40920, error.detail) if error.code == 40900 and "already exists" in error.detail else error
        case NoteExistsError():
            return RestError(40920, error.message)
        case ConflictError():
            return RestError(40900, error.message)
        case OutsideVaultError() | UnsafeNameError():
            return error_of(error)
        case RefusedError():
            return RestError(50020, f"{error.message}; {error.hint}", status=400)
        case _:
            return RestError(50020, error.message, status=400 if error.http_status < 500 else 500)


def value_of(request: Request) -> Value:
    """The body as JSON."""
    import json

    try:
        found: Value = json.loads(request.body)
    except (ValueError, RecursionError) as error:
        raise RestError(40015, str(error)) from error
    return found
