"""Answers and errors as the Local REST API gives them (facts/rest-api.md §3): a code, our words around the key words that clients match on."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from vaultkit.errors import (
    CapReachedError,
    FrontmatterEditError,
    NoteChangedError,
    NoteExistsError,
    NoteNotFoundError,
    OutsideVaultError,
    PatchError,
    UnsafeNameError,
    VaultkitError,
)
from vaultkit.text.edit import printable

JSON: Final = "application/json; charset=utf-8"
MARKDOWN: Final = "text/markdown; charset=utf-8"
Headers = tuple[tuple[str, str], ...]


class Request(NamedTuple):
    """One request. *path* is as it was sent, percent-encoded; header names are lower-case."""

    method: str
    path: str
    query: Mapping[str, list[str]]
    headers: Mapping[str, str]
    body: bytes

    def header(self, name: str) -> str:
        """A header's value, "" when it was not sent."""
        return self.headers.get(name, "")

    def flag(self, name: str) -> bool:
        """Whether a header says exactly `true`."""
        return self.headers.get(name) == "true"


class Answer(NamedTuple):
    """What goes back. A HEAD gets the same, without the body."""

    status: int = 204
    body: bytes = b""
    headers: Headers = ()

    def plus(self, *headers: tuple[str, str]) -> Answer:
        """The same with more headers."""
        return self._replace(headers=(*self.headers, *headers))


class RestError(Exception):
    """A refused request: *code* is the API's errorCode, *detail* a second line, *status* only where it is not the code's own."""

    def __init__(self, code: int, detail: str = "", *, status: int = 0) -> None:
        super().__init__(detail or CANNED.get(code, ""))
        self.code = code
        self.detail = detail
        self.status = status or code // 100

    def answer(self) -> Answer:
        """The error as a JSON body."""
        canned = CANNED.get(self.code) or CANNED.get(self.code // 100 * 100) or "The request failed."
        message = f"{canned}\n{self.detail}" if self.detail else canned
        return json_answer({"message": printable(message), "errorCode": self.code}, status=self.status)


def json_answer(value: Any, *, status: int = 200, kind: str = JSON) -> Answer:
    """*value* as JSON indented by two, as the plugin writes it; a lone surrogate or an infinity does not stop it."""
    return Answer(status, json_bytes(value), (("content-type", kind),))


def rows_answer(rows: Iterable[str]) -> Answer:
    """A list of objects that are JSON already, indented by two: with `indent` the standard encoder is ten times slower."""
    text = ",\n".join(rows)
    return Answer(200, printable(f"[\n{text}\n]" if text else "[]").encode(), (("content-type", JSON),))


def json_row(**fields: Any) -> str:
    """One object of such a list."""
    lines = [f"    {json_word(name)}: {_indented(value)}" for name, value in fields.items()]
    return "  {\n" + ",\n".join(lines) + "\n  }"


json_word: Final[Callable[[str], str]] = json.JSONEncoder(ensure_ascii=False).encode  # made once: `json.dumps` makes an encoder each time


def json_bytes(value: Any) -> bytes:
    """See `json_answer`."""
    try:
        text = json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False)
    except ValueError:  # JSON has no word for .nan and .inf, which YAML has
        text = json.dumps(_finite(value), ensure_ascii=False, indent=2)
    return printable(text).encode()


def answered(act: Callable[[], Answer], *, matched: bool = False) -> Answer:
    """What *act* answers; its error as an answer, to which headers can be added."""
    try:
        return act()
    except RestError as error:
        return error.answer()
    except VaultkitError as error:
        return error_of(error, matched=matched).answer()


def error_of(error: VaultkitError, *, matched: bool = False) -> RestError:
    """One of our errors in the API's terms. *matched*: the request named the version that it was made for (If-Match)."""
    told = f"{error.message}; {error.hint}" if error.hint else error.message
    match error:
        case PatchError():
            detail = f"{error.reason}\n{told}" if error.reason else told
            return RestError(error.rest_code, "" if error.rest_code == 40400 else detail)
        case NoteChangedError():
            return RestError(41200 if matched else 40900, told)
        case NoteNotFoundError():
            return RestError(40400)
        case OutsideVaultError() | UnsafeNameError():
            return RestError(40021, told)
        case NoteExistsError():
            return RestError(40900, told)
        case FrontmatterEditError():
            return RestError(40005, told)
        case CapReachedError():
            return RestError(40300, told)
        case _:
            return RestError(error.http_status * 100, told)


def quoted(path: str) -> str:
    """A vault path as a header carries it: what JavaScript's encodeURI leaves stays, all else is percent-encoded UTF-8."""
    return quote(printable(path), safe="/;,?:@&=+$-_.!~*'()#")


def _indented(value: Any) -> str:
    if isinstance(value, (list, tuple, dict)) and value:
        return json_bytes(value).decode().replace("\n", "\n    ")
    return json.dumps(_finite(value), ensure_ascii=False)


def _finite(value: Any) -> Any:
    match value:
        case float():
            return value if math.isfinite(value) else None
        case dict():
            return {key: _finite(item) for key, item in value.items()}
        case list() | tuple():
            return [_finite(item) for item in value]
        case _:
            return value


# The key words are the API's (clients match on some of them), the sentences ours.
CANNED: Final[Mapping[int, str]] = {
    40000: "The request is not valid.",
    40005: "The note's frontmatter is no valid YAML.",
    40010: "The body must be text, with an appropriate text/* Content-Type header (such as text/markdown).",
    40011: "Content-Type header required: say in it which kind of content the body is.",
    40012: "Unknown or invalid Content-Type specified in Content-Type header.",
    40015: "The body cannot be read as what its Content-Type header says.",
    40020: "Destination header is required for MOVE and COPY operations.",
    40021: "Path traversal is not allowed. Paths must be relative and within the vault.",
    40022: "The Destination header is not a valid path.",
    40023: "The 'Within' header is not valid: a whole number is expected.",
    40053: "No 'Target-Type' header was provided.",
    40054: "The target type is invalid. Valid target types are 'heading', 'block', and 'frontmatter'.",
    40055: "No 'Target' header was provided.",
    40056: "No 'Operation' header was provided.",
    40057: "The 'Operation' header is invalid. Valid operations are 'append', 'prepend', and 'replace'.",
    40058: "The 'Target' header is invalid.",
    40059: "The 'Target-Scope' header is invalid here.",
    40060: "That period is not enabled in this vault.",
    40070: "The query you provided could not be processed.",
    40080: "The patch you provided could not be applied to the target content.",
    40081: "The patch instruction you provided was malformed or outside the supported algebra.",
    40082: "The 'Markdown-Patch-Version' header is invalid. Valid values are '1' (deprecated, by headers) and '2' (JSON instruction).",
    40083: "Header-based targeting (Target-Type, Target and the headers beside them) is only processed with 'Markdown-Patch-Version: 1'; "
    "else name the part in the URL, as in /vault/note.md/heading/My%20Heading.",
    40084: "PATCH by Target-Type and Target headers needs an explicit 'Markdown-Patch-Version': 1 for the old format, 2 for raw content.",
    40090: "The search query you provided is not valid.",
    40101: "Authorization required. Send the header 'Authorization: Bearer KEY'; `vaultkit serve --print-key` shows the key.",
    40300: "Refused.",
    40400: "Not Found",
    40460: "No such period: daily, weekly, monthly, quarterly and yearly are known.",
    40461: "The periodic note does not exist.",
    40500: "Method Not Allowed",
    40510: "Request method is valid only for file paths, not directories.",
    40900: "Conflict",
    40920: "The destination file already exists.",
    41200: "Precondition Failed",
    41300: "The body is too large.",
    41400: "The path or query is too long.",
    42200: "Conflicting target specifications: name the target in the URL, or in Target-Type and Target headers, or in a JSON instruction; "
    "never in more than one of them.",
    50000: "Internal Server Error",
    50010: "The simple search failed.",
    50020: "The file operation failed.",
    50300: "The vault is busy.",
}
