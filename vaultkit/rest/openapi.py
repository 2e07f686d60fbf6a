"""The OpenAPI document: what this server answers, in its own words, for the dialect that it speaks. Tests hold the server against it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from vaultkit.rest.dialect import DIALECTS, Dialect
from vaultkit.rest.notes import MAP_JSON, NOTE_JSON
from vaultkit.rest.patching import INSTRUCTION
from vaultkit.rest.searching import DQL, JSONLOGIC

Schema = dict[str, Any]

_TEXT: Final[Schema] = {"type": "string"}
_LIST: Final[Schema] = {"type": "array", "items": _TEXT}
_ERRORS: Final = {
    "400": "The request is not valid; errorCode says in which way",
    "401": "The key is missing or wrong",
    "403": "Refused: a foreign Host or Origin, or the cap on rewrites",
    "404": "Nothing answers to that path, part or name",
    "405": "Valid only for files, not for folders",
    "409": "What stands there is in the way, or changed meanwhile",
    "412": "The file is not the one that If-Match names",
    "413": "The body is too large",
    "414": "The path or query is too long",
    "422": "Several targets at once",
    "503": "Another program is writing to the vault",
}
_PERIODS: Final = ["daily", "weekly", "monthly", "quarterly", "yearly"]


@lru_cache(maxsize=len(DIALECTS))
def document(dialect: Dialect) -> bytes:
    """The document as YAML."""
    import yaml

    text: str = yaml.safe_dump(_document(dialect), sort_keys=False, allow_unicode=True, width=120)
    return text.encode()


def _document(dialect: Dialect) -> Schema:
    paths: Schema = {
        "/": {"get": _operation("Who serves, and whether the key is right", {"200": _json("Greeting")}, public=True)},
        "/openapi.yaml": {"get": _operation("This document", {"200": _media("application/yaml", _TEXT)}, public=True)},
        "/obsidian-local-rest-api.crt": {
            "get": _operation("The certificate, when HTTPS is served", {"200": _media("application/octet-stream", _BYTES)}, public=True)
        },
        "/vault/": {"get": _operation("Files and folders at the vault's root", {"200": _json("Listing")})},
        "/vault/{path}": {"parameters": [_in_path("path", "Path of a file, or of a folder with a slash at its end")], **_file(dialect)},
        "/active/": _file(dialect),
        "/open/{path}": {
            "parameters": [_in_path("path", "Path of a note; one that is missing is created")],
            "post": _operation(
                "Make a note the active one", {"200": _nothing("It is the active one")}, [_query("newLeaf", {"type": "boolean"}, "ignored")]
            ),
        },
        "/tags/": {"get": _operation("Every tag with its number of uses", {"200": _json("Tags")})},
        "/commands/": {"get": _operation("The commands", {"200": _json("Commands")})},
        "/commands/{id}/": {
            "parameters": [_in_path("id", "The command's id")],
            "post": _operation("Run a command", {"204": _nothing("It has run")}),
            "get": _operation("What a command told when it ran last", {"200": _json("Command")}),
        },
        "/search/simple/": {
            "post": _operation(
                "Notes that hold all words of the query",
                {"200": _json("Hits")},
                [
                    _query("query", _TEXT, "The words; empty: every note", required=True),
                    _query("contextLength", {"type": "integer", "minimum": 0, "default": 100}, "Characters around each match"),
                ],
            )
        },
        "/search/": {"post": _searching(dialect)},
    }
    if dialect.periodic:
        paths |= _periodic(dialect)
    return {
        "openapi": "3.0.3",
        "info": {
            "title": "vaultkit serve",
            "version": dialect.version,
            "description": "Obsidian's Local REST API over a vault, without Obsidian. MOVE"
            f"{' and COPY' if dialect.copy else ''} of /vault/{{path}} take a Destination header and are not expressible here."
            if dialect.move
            else "Obsidian's Local REST API over a vault, without Obsidian.",
        },
        "security": [{"key": []}],
        "paths": paths,
        "components": {"securitySchemes": {"key": {"type": "http", "scheme": "bearer"}}, "schemas": _schemas(dialect)},
    }


_BYTES: Final[Schema] = {"type": "string", "format": "binary"}


def _file(dialect: Dialect) -> Schema:
    """The operations of one file."""
    match_header = _header("If-Match", "The ETag that the file must still have")
    parts = [
        _header("Target-Type", "heading, block or frontmatter"),
        _header("Target", "The part, percent-encoded"),
        _header("Target-Delimiter", "Between the headings of a path; else ::"),
        _header("Markdown-Patch-Version", "1 or 2"),
    ]
    read = {"*/*": {"schema": _BYTES}, NOTE_JSON: {"schema": _ref("Note")}, MAP_JSON: {"schema": _ref("DocumentMap")}}
    whole = _media("text/markdown", _TEXT, "The whole note after the change")
    return {
        "get": _operation(
            "A file, a part of a note, or a folder's listing; Accept chooses the form",
            {"200": {"description": "The content", "content": read}, "304": _nothing("The client has it")},
            parts,
        ),
        "put": _operation(
            "Replace or create a file, or replace a part of a note",
            {"204": _nothing("Written"), "200": whole},
            [*parts, match_header],
            body={"*/*": {"schema": _BYTES}},
        ),
        "post": _operation(
            "Append to a file, or to a part of a note",
            {"204": _nothing("Written"), "200": whole},
            [*parts, match_header],
            body={"text/markdown": {"schema": _TEXT}},
        ),
        "patch": _operation(
            "Change a part of a note" + (": headers (format 1), or a JSON instruction (format 2)" if dialect.second else ", by headers"),
            {"200": whole},
            [
                *parts,
                match_header,
                _header("Operation", "append, prepend or replace"),
                _header("Target-Scope", "content, marker or markerAndContent"),
                _header("Create-Target-If-Missing", "true"),
                _header("Trim-Target-Whitespace", "true"),
                _header("Reject-If-Content-Preexists", "true"),
            ],
            body={
                "text/markdown": {"schema": _TEXT},
                "application/json": {"schema": {}},
                **({INSTRUCTION: {"schema": {"type": "object"}}} if dialect.second else {}),
            },
        ),
        "delete": _operation("Put a file into the trash", {"204": _nothing("It is in .trash/")}, [match_header]),
    }


def _searching(dialect: Dialect) -> Schema:
    body: Schema = {JSONLOGIC: {"schema": {}}}
    if dialect.dql:
        body[DQL] = {"schema": _TEXT}
    words = "Notes by a JsonLogic expression over their note+json objects, with glob and regexp"
    return _operation(words, {"200": _json("Results")}, body=body)


def _periodic(dialect: Dialect) -> Schema:
    period = {**_in_path("period", "Which notes"), "schema": {"type": "string", "enum": _PERIODS}}
    day = [
        {**_in_path(name, name), "schema": {"type": "integer", "minimum": 1, "maximum": most}}
        for name, most in (("year", 9999), ("month", 12), ("day", 31))
    ]
    recent = _operation(
        "The last notes of a period, newest first",
        {"200": _json("Recent")},
        [
            _query("limit", {"type": "integer", "minimum": 0}, "How many; else 5"),
            _query("includeContent", {"type": "boolean"}, "Their text too"),
        ],
    )
    return {
        "/periodic/{period}/": {"parameters": [period], **_file(dialect)},
        "/periodic/{period}/recent": {"parameters": [period], "get": recent},
        "/periodic/{period}/{year}/{month}/{day}/": {"parameters": [period, *day], **_file(dialect)},
    }


def _schemas(dialect: Dialect) -> Schema:
    tree = {"oneOf": [_LIST, {"type": "object"}]}
    note = {
        "tags": _LIST,
        "frontmatter": {"type": "object"},
        "stat": _object(ctime={"type": "integer"}, mtime={"type": "integer"}, size={"type": "integer"}),
        "path": _TEXT,
        "content": _TEXT,
        **({"links": _LIST, "backlinks": _LIST} if dialect.links else {}),
        **({"unresolvedLinks": _LIST} if dialect.unresolved else {}),
    }
    span = _object(start={"type": "integer"}, end={"type": "integer"}, source={"type": "string", "enum": ["filename", "content"]})
    hit = _object(filename=_TEXT, score={"type": "number"}, matches=_array(_object(match=span, context=_TEXT)))
    return {
        "Error": _object(message=_TEXT, errorCode={"type": "integer"}),
        "Greeting": {
            "type": "object",
            "required": ["status", "manifest", "versions", "service", "authenticated"],
            "properties": {
                "status": _TEXT,
                "manifest": {"type": "object"},
                "versions": _object(obsidian=_TEXT, self=_TEXT),
                "service": _TEXT,
                "authenticated": {"type": "boolean"},
            },
        },
        "Listing": _object(files=_LIST),
        "Note": _object(**note),
        "DocumentMap": {
            "type": "object",
            "required": ["headings", "blocks", "frontmatterFields"],
            "properties": {"headings": tree, "blocks": _LIST, "frontmatterFields": _LIST, "version": _TEXT},
        },
        "Tags": _object(tags=_array(_object(name=_TEXT, count={"type": "integer"}))),
        "Commands": _object(commands=_array(_object(id=_TEXT, name=_TEXT))),
        "Command": _object(id=_TEXT, name=_TEXT, output=_TEXT),
        "Hits": _array(hit),
        "Results": _array({"type": "object", "required": ["filename", "result"], "properties": {"filename": _TEXT, "result": {}}}),
        "Recent": _array(
            {"type": "object", "required": ["path"], "properties": {"path": _TEXT, "content": _TEXT, "metadata": {"type": "object"}}}
        ),
    }


def _operation(
    summary: str, answers: Schema, parameters: list[Schema] | None = None, *, body: Schema | None = None, public: bool = False
) -> Schema:
    error = {"application/json": {"schema": _ref("Error")}}
    errors = {code: {"description": words, "content": error} for code, words in _ERRORS.items()}
    found: Schema = {"summary": summary, **({"parameters": parameters} if parameters else {})}
    if body is not None:
        found["requestBody"] = {"required": True, "content": body}
    if public:
        found["security"] = []
    return {**found, "responses": {**answers, **errors}}


def _object(**properties: Schema) -> Schema:
    return {"type": "object", "required": list(properties), "properties": properties}


def _array(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _json(name: str) -> Schema:
    return _media("application/json", _ref(name), name)


def _media(kind: str, schema: Schema, words: str = "The content") -> Schema:
    return {"description": words, "content": {kind: {"schema": schema}}}


def _nothing(words: str) -> Schema:
    return {"description": words}


def _in_path(name: str, words: str) -> Schema:
    return {"name": name, "in": "path", "required": True, "description": words, "schema": {"type": "string", "minLength": 1}}


def _query(name: str, schema: Schema, words: str, *, required: bool = False) -> Schema:
    return {"name": name, "in": "query", "required": required, "description": words, "schema": schema}


def _header(name: str, words: str) -> Schema:
    return {"name": name, "in": "header", "required": False, "description": words, "schema": _TEXT}
