"""PATCH in both formats, and PUT/POST on a part of a note; the edit engine is `vaultkit.text.patch`."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from vaultkit.errors import NoteNotFoundError, PatchError
from vaultkit.rest.answers import MARKDOWN, Answer, Headers, Request, RestError, answered
from vaultkit.rest.notes import DEPRECATED, body_text, patch_version, value_of
from vaultkit.rest.paths import TARGETS, Place, decode
from vaultkit.text import patch as engine
from vaultkit.text.edit import to_bytes
from vaultkit.text.values import Value

if TYPE_CHECKING:
    from vaultkit.rest.notes import Notes, Part

INSTRUCTION: Final = "application/vnd.olrapi.patch-instruction+json"
_WHOLE: Final = re.compile(r"-?\d{1,6}")


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
        answer = answered(lambda: first(notes, request, place), matched=bool(request.header("if-match")))
        return answer.plus(DEPRECATED) if dialect.second else answer
    if not version and by_header:
        if not dialect.headers_alone:
            raise RestError(40084)
        return first(notes, request, place)
    if not version and dialect.headers_alone and request.header("operation") and place.target is None:
        return first(notes, request, place)
    return second(notes, request, place)


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
    if not notes.holdings.files.exists(place.path):
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


def second(notes: Notes, request: Request, place: Place) -> Answer:
    """Format 2: a JSON instruction; or with the part in the URL (or in headers of version 2) its words in headers, the content as body."""
    by_header = bool(request.header("target-type") or request.header("target"))
    if place.target is None and not by_header:
        if _kind(request) not in {engine.JSON, INSTRUCTION}:
            raise RestError(
                40081,
                f"a PATCH takes a JSON instruction as {engine.JSON} or {INSTRUCTION}; for raw content name the part in the URL, or in "
                "Target-Type and Target with 'Markdown-Patch-Version: 2'; the old format is 'Markdown-Patch-Version: 1'",
            )
        instruction = value_of(request)
        if not isinstance(instruction, dict):
            raise RestError(40081, "an instruction is a JSON object")
        return _applied_second(notes, request, place, instruction)
    if request.header("target-delimiter") or request.header("trim-target-whitespace"):
        raise RestError(40084, "Target-Delimiter and Trim-Target-Whitespace belong to format 1")
    kind, target = (place.target_type, _named(place)) if place.target is not None else _target_in_headers(request)
    operation = request.header("operation")
    if not operation:
        raise RestError(40056)
    if operation not in {*engine.OPERATIONS, "delete"}:
        raise RestError(40057)
    raw: dict[str, Any] = {"targetType": kind, "target": target, "operation": operation}
    if scope := request.header("target-scope"):
        raw["scope"] = scope
    if within := request.header("within"):
        if not _WHOLE.fullmatch(within):
            raise RestError(40023)
        raw["within"] = int(within)
    if named := request.header("destination"):
        raw["destination"] = _json_header(named, 40022)
    raw["createTargetIfMissing"] = request.flag("create-target-if-missing")
    raw["rejectIfContentPreexists"] = request.flag("reject-if-content-preexists")
    return _applied_second(notes, request, place, {**raw, **_carried(request)})


def _write_second(notes: Notes, request: Request, place: Place, asked: Part, operation: str) -> Answer:
    """PUT or POST of a part that the URL names."""
    carried = _carried(request) or {"content": ""}
    if asked.kind == "frontmatter" and "content" in carried:
        carried = {"value": carried["content"]}
    raw = {"targetType": asked.kind, "target": asked.target, "operation": operation, "createTargetIfMissing": True}
    return _applied_second(notes, request, place, {**raw, **carried})


def _applied_second(notes: Notes, request: Request, place: Place, instruction: dict[str, Any]) -> Answer:
    if not notes.holdings.files.exists(place.path):
        raise NoteNotFoundError(place.path)

    def change(text: str) -> tuple[str, Headers]:
        try:
            done = engine.apply2(text, instruction)
        except RecursionError as error:
            raise PatchError("what is to be written is nested too deeply") from error
        return done.text, (("markdown-patch-warnings", quote(json.dumps(done.warnings), safe="")),) if done.warnings else ()

    text, headers = notes.rewrite(request, place.path, change)
    return Answer(200, to_bytes(text), (("content-type", MARKDOWN), *headers))


def _carried(request: Request) -> dict[str, Any]:
    """The body as what an instruction carries it in; nothing when it is empty."""
    if not request.body:
        return {}
    kind = _kind(request)
    if kind == engine.JSON:
        return {"value": value_of(request)}
    if kind.startswith("text/"):
        return {"content": body_text(request)}
    raise RestError(40012 if kind else 40011, "a part takes text/* or application/json")


def _named(place: Place) -> Any:
    target = place.target or ()
    return list(target) if place.target_type == "heading" else "/".join(target)


def _target_in_headers(request: Request) -> tuple[str, Any]:
    kind = request.header("target-type")
    if not kind:
        raise RestError(40053)
    if kind not in TARGETS:
        raise RestError(40054)
    named = request.header("target")
    if kind == "heading":
        return kind, _json_header(named, 40058) if named else None
    if not named:
        raise RestError(40055)
    return kind, decode(named, code=40058)


def _json_header(value: str, code: int) -> Any:
    try:
        return json.loads(decode(value, code=code))
    except (ValueError, RecursionError) as error:
        raise RestError(code, "percent-encoded JSON is expected") from error


def write_part(notes: Notes, request: Request, place: Place, asked: Part, operation: str) -> Answer:
    """PUT (replace) or POST (append) of a part; PUT makes a missing one."""
    if (
        asked.in_url
        and notes.dialect.second
        and any(request.header(name) for name in ("target-scope", "target-delimiter", "trim-target-whitespace"))
    ):
        raise RestError(40083)
    if asked.in_url and notes.dialect.second:
        return _write_second(notes, request, place, asked, operation)
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
