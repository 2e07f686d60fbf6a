"""PATCH in both formats, and PUT/POST on a part of a note; the edit engine is `vaultkit.text.patch`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from vaultkit.errors import NoteNotFoundError, PatchError
from vaultkit.rest.answers import MARKDOWN, Answer, Headers, Request, RestError
from vaultkit.rest.notes import DEPRECATED, body_text, patch_version, value_of
from vaultkit.rest.paths import TARGETS, Place, decode
from vaultkit.text import patch as engine
from vaultkit.text.edit import to_bytes
from vaultkit.text.values import Value

if TYPE_CHECKING:
    from vaultkit.rest.notes import Notes, Part

INSTRUCTION: Final = "application/vnd.olrapi.patch-instruction+json"


def patch(notes: Notes, request: Request, place: Place) -> Answer:
    """A PATCH, in the format that the request is in."""
    version = patch_version(request)
    by_header = bool(request.header("target-type") or request.header("target"))
    dialect = notes.dialect
    if place.target is not None and (by_header or _kind(request) == INSTRUCTION):
        raise RestError(42200)
    if place.target is not None and version == "1" and dialect.second:
        raise RestError(40082, "a part named in the URL is changed in format 2")
    if version == "1" or not dialect.second:
        return _marked(dialect.second, first, notes, request, place)
    if not version and by_header:
        if not dialect.headers_alone:
            raise RestError(40084)
        return first(notes, request, place)
    if not version and dialect.headers_alone and request.header("operation") and place.target is None:
        return first(notes, request, place)
    from vaultkit.rest.second import second

    return second(notes, request, place)


def _marked(is_old: bool, act: Any, notes: Notes, request: Request, place: Place) -> Answer:
    """The answer, with the header that says that the format is on its way out where it is."""
    try:
        answer: Answer = act(notes, request, place)
    except RestError as error:
        answer = error.answer()
    return answer.plus(DEPRECATED) if is_old else answer


def first(notes: Notes, request: Request, place: Place) -> Answer:
    """Format 1: everything in headers."""
    kind = request.header("target-type")
    if not kind:
        raise RestError(40053)
    if kind not in TARGETS:
        raise RestError(40054)
    operation = request.header("operation")
    if not operation:
        raise RestError(40056)
    if operation not in engine.OPERATIONS:
        raise RestError(40057)
    scope = request.header("target-scope") or "content"
    if scope not in (engine.SCOPES if kind != "frontmatter" else engine.SCOPES[:1]):
        raise RestError(40059)
    content_type = _content_type(notes, request)
    if not notes.library.files.exists(place.path):
        raise NoteNotFoundError(place.path)
    target = decode(request.header("target"), code=40058)
    if not target and kind != "heading":
        raise RestError(40055)
    content: Value = value_of(request) if content_type == engine.JSON else body_text(request)
    asked = engine.Patch1(
        operation,
        kind,
        target,
        content,
        content_type=content_type,
        delimiter=decode(request.header("target-delimiter"), code=40058) or engine.DELIMITER,
        scope=scope,
        create=request.flag("create-target-if-missing"),
        trim=request.flag("trim-target-whitespace"),
        reject_preexisting=_rejects(notes, request),
    )
    return _applied(notes, request, place, asked)


def write_part(notes: Notes, request: Request, place: Place, asked: Part, operation: str) -> Answer:
    """PUT (replace) or POST (append) of a part; PUT makes a missing one."""
    if asked.in_url and notes.dialect.second and any(request.header(name) for name in ("target-scope", "target-delimiter", "trim-target-whitespace")):
        raise RestError(40083)
    if asked.in_url and notes.dialect.second:
        from vaultkit.rest.second import write

        return write(notes, request, place, asked, operation)
    content_type = _content_type(notes, request)
    found = engine.Patch1(
        operation,
        asked.kind,
        asked.target,
        value_of(request) if content_type == engine.JSON else body_text(request),
        content_type=content_type,
        delimiter=decode(request.header("target-delimiter"), code=40058) or engine.DELIMITER,
        scope=request.header("target-scope") or "content",
        create=True,
        trim=request.flag("trim-target-whitespace"),
        reject_preexisting=request.flag("reject-if-content-preexists"),
    )
    return _applied(notes, request, place, found)


def _applied(notes: Notes, request: Request, place: Place, asked: engine.Patch1) -> Answer:
    strict = notes.dialect.name != "compat"  # there the last of several is meant, as in the plugin; else that is an error

    def change(text: str) -> tuple[str, Headers]:
        try:
            return engine.apply1(text, asked, compat=strict), ()
        except RecursionError as error:
            raise PatchError("what is to be written is nested too deeply") from error

    text, _ = notes.rewrite(request, place.path, change)
    return Answer(200, to_bytes(text), (("content-type", MARKDOWN),))


def _rejects(notes: Notes, request: Request) -> bool:
    if notes.dialect.reject_default:
        return not request.flag("apply-if-content-preexists")
    return request.flag("reject-if-content-preexists") or (
        notes.dialect.headers_alone and request.header("apply-if-content-preexists") == "false"
    )


def _kind(request: Request) -> str:
    return request.header("content-type").partition(";")[0].strip().lower()


def _content_type(notes: Notes, request: Request) -> str:
    sent = request.header("content-type")
    if not sent:
        raise RestError(40011)
    kind = _kind(request) if notes.dialect.lenient_types else sent
    if kind not in {engine.MARKDOWN, engine.JSON}:
        raise RestError(40012, f"a PATCH takes {engine.MARKDOWN} or {engine.JSON}")
    return kind
