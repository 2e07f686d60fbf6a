"""The API's client: one connection kept alive, the certificate pinned, reads repeated when they fail, writes never.

The key stands in one header and nowhere else: no error, log line or repr has it.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
import ssl
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self
from urllib.parse import quote, unquote

from vaultkit.errors import NoteChangedError, NoteExistsError, NoteNotFoundError, ObsidianError, PatchError, RefusedError, UsageError

if TYPE_CHECKING:
    import httpx

    from vaultkit.store.obsidian.address import Address
    from vaultkit.text.patch import Patch1

log = logging.getLogger(__name__)

OLDEST: Final = (3, 0, 0)  # header PATCH came with 3.0
_TRIES: Final = 3
_CONNECT_SECONDS: Final = 3.0  # and for the TLS handshake
_FILE_NAME: Final = re.compile(r'filename="([^"]*)"')
_MAP: Final = "application/vnd.olrapi.document-map+json"
_LOGIC: Final = "application/vnd.olrapi.jsonlogic+json"
_DQL: Final = "application/vnd.olrapi.dataview.dql+txt"
_NO_SUCH_TYPE: Final = 40012


class Greeting(NamedTuple):
    """What `GET /` says. *server* names ours; it is empty for Obsidian."""

    version: tuple[int, ...]
    obsidian: str
    authenticated: bool
    server: str = ""

    @property
    def text(self) -> str:
        """`5.1.0`"""
        return ".".join(map(str, self.version))


class Stat(NamedTuple):
    """A note's time and size as the API gives them."""

    mtime_ms: int
    size: int


class Client:
    """One server of the API. Close it, or use it in a `with`."""

    def __init__(self, address: Address, *, timeout: float = 10.0) -> None:
        self.address = address
        self._timeout = timeout
        self._http: httpx.Client | None = None
        self._greeting: Greeting | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let the connection go."""
        if self._http is not None:
            self._http.close()
            self._http = None

    # -- who is there

    def greet(self, *, again: bool = False) -> Greeting:
        """The versions behind the address; asked once. Raises ObsidianError with its state."""
        if self._greeting is None or again:
            self._greeting = self._greet()
        return self._greeting

    def _greet(self) -> Greeting:
        try:
            found = self._call("GET", "/").json()
            version = tuple(int(part) for part in re.findall(r"\d+", str(found["versions"]["self"]))[:3])
        except (ValueError, KeyError, TypeError) as error:
            raise ObsidianError("failed", f"what answers at {self.address.url} is not the Local REST API") from error
        greeting = Greeting(
            version, str(found["versions"].get("obsidian", "")), found.get("authenticated") is True, str(found.get("server", ""))
        )
        if version < OLDEST:
            raise ObsidianError("too-old", f"the plugin at {self.address.url} is {greeting.text}, older than 3.0")
        if not greeting.authenticated:
            raise ObsidianError("wrong-key", f"the key from {self.address.origin or 'the settings'} is not the one of {self.address.url}")
        return greeting

    @property
    def second(self) -> bool:
        """Does it take PATCH 2.x?"""
        return self.greet().version >= (5, 0, 0)

    # -- files

    def list(self, folder: str) -> list[str]:
        """The names in a folder, those of folders with `/` at their end. Raises NoteNotFoundError."""
        path = f"{_encoded(folder)}/" if folder else ""
        answer = self._call("GET", f"/vault/{path}", missing=folder)
        if "content-disposition" in answer.headers:  # a file: a slash behind its name is overlooked
            raise NoteNotFoundError(folder)
        found = answer.json()
        return [name for name in found.get("files", ()) if isinstance(name, str)]

    def read(self, path: str) -> bytes:
        """A file's bytes. Raises NoteNotFoundError."""
        answer = self._call("GET", f"/vault/{_encoded(path)}", missing=path)
        # A folder answers with its listing, and `a.md/heading/x` with a part of a.md: neither is the file of that name.
        named = _FILE_NAME.search(answer.headers.get("content-disposition", ""))
        if named is None or unquote(named[1]).rpartition("/")[2] != path.rpartition("/")[2]:
            raise NoteNotFoundError(path)
        return answer.content

    def head(self, path: str) -> tuple[int, str] | None:
        """A file's size and tag; None when there is none."""
        try:
            answer = self._call("HEAD", f"/vault/{_encoded(path)}", missing=path)
        except NoteNotFoundError:
            return None
        return int(answer.headers.get("content-length") or 0), answer.headers.get("etag", "")

    def stats(self) -> dict[str, Stat]:
        """Time and size of every note, in one request."""
        rows = self._call("POST", "/search/", body=b'{"var": "stat"}', kind=_LOGIC, repeat=True).json()
        return {
            str(row["filename"]): Stat(int(row["result"].get("mtime", 0)), int(row["result"].get("size", 0)))
            for row in rows
            if isinstance(row.get("result"), dict)
        }

    def put(self, path: str, data: bytes, *, expected: str = "", new: bool = False) -> None:
        """Write a whole file. *expected*: the hash it must have (a server that knows no If-Match does not look); *new*: it must not stand yet."""
        headers = {"If-Match": f'"{expected}"'} if expected else {"If-None-Match": "*"} if new else {}
        # A text body is decoded on the other side: what is no UTF-8 goes as plain bytes.
        kind = "text/markdown" if path.lower().endswith(".md") and is_text(data) else "application/octet-stream"
        self._call("PUT", f"/vault/{_encoded(path)}", body=data, kind=kind, headers=headers, missing=path)

    def append(self, path: str, data: bytes) -> None:
        """Text at the end of a note, as it is now in Obsidian; a line end goes before it when the note has none."""
        self._call("POST", f"/vault/{_encoded(path)}", body=data, kind="text/markdown", missing=path)

    def trash(self, path: str) -> None:
        """Move a file to the trash. Before 5.0 the plugin deletes for good: refused."""
        greeting = self.greet()
        if greeting.version < (5, 0, 0) and not greeting.server:
            raise RefusedError(f"the plugin {greeting.text} deletes for good", hint="update it to 5.0, whose DELETE moves to the trash")
        self._call("DELETE", f"/vault/{_encoded(path)}", missing=path)

    # -- parts of notes

    def patch1(self, path: str, patch: Patch1) -> bytes:
        """A PATCH of the header dialect; the whole new note. The version header is always sent: who knows none ignores it."""
        target = patch.target if isinstance(patch.target, str) else patch.delimiter.join(patch.target or ())
        headers = {
            "Markdown-Patch-Version": "1",
            "Operation": patch.operation,
            "Target-Type": patch.target_type,
            "Target": quote(target, safe=""),
            "Target-Delimiter": quote(patch.delimiter, safe=":"),
            "Create-Target-If-Missing": _flag(patch.create),
            "Trim-Target-Whitespace": _flag(patch.trim),
            "Apply-If-Content-Preexists": _flag(not patch.reject_preexisting),
            "Reject-If-Content-Preexists": _flag(patch.reject_preexisting),
        }
        if patch.scope != "content":
            headers["Target-Scope"] = patch.scope
        body = json.dumps(patch.content) if patch.content_type == "application/json" else str(patch.content)
        return self._call(
            "PATCH", f"/vault/{_encoded(path)}", body=body.encode(), kind=patch.content_type, headers=headers, missing=path
        ).content

    def patch2(self, path: str, instruction: Mapping[str, Any]) -> bytes:
        """A PATCH 2.x instruction; the whole new note. Raises UsageError where the plugin is older than 5.0."""
        if not self.second:
            raise UsageError("this plugin takes no PATCH 2.x", hint="it came with 5.0")
        headers = {"Markdown-Patch-Version": "2"}
        return self._call(
            "PATCH",
            f"/vault/{_encoded(path)}",
            body=json.dumps(instruction).encode(),
            kind="application/json",
            headers=headers,
            missing=path,
        ).content

    def document_map(self, path: str) -> dict[str, Any]:
        """What can be named in a note: with 5.0 a tree with its `version`, before that lists."""
        headers = {"Accept": _MAP, **({"Markdown-Patch-Version": "2"} if self.second else {})}
        found: dict[str, Any] = self._call("GET", f"/vault/{_encoded(path)}", headers=headers, missing=path).json()
        return found

    # -- the app

    def active(self) -> str:
        """The path of the note that is open in front, "" when there is none."""
        try:
            answer = self._call("GET", "/active/", missing="the active note")
        except NoteNotFoundError:
            return ""
        return unquote(answer.headers.get("content-location", "")).lstrip("/")

    def open(self, path: str, *, new_leaf: bool = False) -> None:
        """Open a note in the app."""
        self._call("POST", f"/open/{_encoded(path)}{'?newLeaf=true' if new_leaf else ''}", missing=path)

    def commands(self) -> dict[str, str]:
        """The app's commands: id → name."""
        found = self._call("GET", "/commands/").json()
        return {str(row["id"]): str(row["name"]) for row in found.get("commands", ())}

    def run(self, command: str) -> None:
        """Run one of the app's commands. Raises NoteNotFoundError."""
        self._call("POST", f"/commands/{quote(command, safe='')}/", missing=f"the command {command}")

    def periodic(self, period: str = "daily") -> str:
        """The path of the current periodic note as the app's settings name it; "" when it is missing, or the plugin does not say."""
        try:
            answer = self._call("GET", f"/periodic/{period}/", missing=f"the {period} note")
        except (NoteNotFoundError, UsageError):
            return ""
        return unquote(answer.headers.get("content-location", "")).lstrip("/")

    def dql(self, query: str) -> Sequence[dict[str, Any]]:
        """A Dataview TABLE, which plugins before 4.0 answer. Raises ObsidianError (`no-dql`) for later ones."""
        answer = self._call("POST", "/search/", body=query.encode("utf-8", "replace"), kind=_DQL, repeat=True)
        try:
            return [{"filename": str(row["filename"]), "result": dict(row["result"])} for row in answer.json()]
        except (ValueError, KeyError, TypeError) as error:
            raise ObsidianError("failed", f"what {self.address.url} answers to DQL is no table") from error

    # -- the wire

    def _call(
        self,
        method: str,
        target: str,
        *,
        body: bytes | None = None,
        kind: str = "",
        headers: Mapping[str, str] | None = None,
        missing: str = "",
        repeat: bool = False,
    ) -> httpx.Response:
        """One call; *repeat*: it changes nothing although it is a POST, so it may be sent again."""
        import httpx

        repeat = repeat or method in {"GET", "HEAD"}
        sent = {**(headers or {}), **({"Content-Type": kind} if kind else {})}
        for left in range(_TRIES - 1, -1, -1):
            try:
                answer = self._connection().request(method, target, content=body, headers=sent)
                return self._checked(answer, missing)
            except httpx.TransportError as error:
                # A refused connection sent nothing; of anything else only what is safe twice is sent twice.
                self.close()
                if left and repeat and not isinstance(error, (httpx.TimeoutException, httpx.ConnectError)):
                    log.debug("%s %s: %s; once more", method, target, type(error).__name__)
                    continue
                raise self._explained(error) from error
        raise AssertionError("unreachable")  # pragma: no cover - the last try returns or raises

    def _connection(self) -> httpx.Client:
        if self._http is None:
            import httpx

            timeout = httpx.Timeout(self._timeout, connect=min(self._timeout, _CONNECT_SECONDS))
            self._http = httpx.Client(
                base_url=self.address.url,
                headers={self.address.header: f"Bearer {self.address.key}", "Accept": "*/*", "User-Agent": "vaultkit"},
                timeout=timeout,
                verify=_pinned(self.address.pem) if self.address.tls else True,
                limits=httpx.Limits(max_keepalive_connections=1, keepalive_expiry=50),
                trust_env=False,  # a proxy must not see the key
                follow_redirects=False,
            )
        return self._http

    def _explained(self, error: httpx.TransportError) -> ObsidianError:
        import httpx

        url = self.address.url
        if isinstance(error, httpx.TimeoutException):
            seconds = min(self._timeout, _CONNECT_SECONDS) if isinstance(error, httpx.ConnectTimeout) else self._timeout
            return ObsidianError("timeout", f"Obsidian does not answer at {url} within {seconds:g} s")
        chain: BaseException | None = error
        while chain is not None:
            if isinstance(chain, ssl.SSLError):
                reason = chain.reason or "TLS error"
                if not self.address.pem and "CERTIFICATE" in reason:
                    return ObsidianError(
                        "tls", f"no certificate is known for {url}, and no authority vouches for the one it shows ({reason})"
                    )
                return ObsidianError("tls", f"the certificate of {url} is not the pinned one, or it speaks no TLS ({reason})")
            chain = chain.__cause__ or chain.__context__
        if isinstance(error, httpx.ConnectError):
            return ObsidianError("not-running", f"nothing answers at {url}")
        return ObsidianError(
            "failed", f"the connection to {url} broke: {type(error).__name__}", hint="look whether it was written, then retry"
        )

    def _checked(self, answer: httpx.Response, missing: str) -> httpx.Response:
        if answer.status_code < 300:
            return answer
        try:
            found = answer.json()
            code, message = int(found.get("errorCode", 0)), str(found.get("message", ""))
        except (ValueError, AttributeError, TypeError):
            code, message = 0, ""
        detail = message.partition("\n")[2] or message or answer.reason_phrase
        match answer.status_code:
            case 401:
                raise ObsidianError("wrong-key", f"{self.address.url} does not take the key from {self.address.origin or 'the settings'}")
            case 400 if code == _NO_SUCH_TYPE and answer.request.headers.get("content-type") == _DQL:
                raise ObsidianError("no-dql", f"the plugin at {self.address.url} is {self.greet().text}; it answers no DQL since 4.0")
            case 404 if missing:
                raise NoteNotFoundError(missing)
            case 412 if missing:
                raise NoteChangedError(missing)
            case 409 if code == 40920 and missing:
                raise NoteExistsError(missing)
            case status if status < 500:
                if code in {40080, 40081, 40005}:
                    raise PatchError(f"Obsidian refused the patch: {detail}", rest_code=code, reason=detail)
                raise UsageError(f"Obsidian refused {answer.request.method} {answer.request.url.path}: {status} {detail}")
            case status:
                raise ObsidianError("failed", f"Obsidian failed on {answer.request.method} {answer.request.url.path}: {status} {detail}")


def fetch_certificate(address: Address, *, timeout: float = 5.0) -> str:
    """The certificate that the server shows now, as PEM; nothing is sent to it. Raises ObsidianError."""
    try:
        return ssl.get_server_certificate(address.host_port, timeout=timeout)
    except ssl.SSLError as error:
        raise ObsidianError("tls", f"{address.url} speaks no TLS: {error.reason}") from error
    except TimeoutError as error:
        raise ObsidianError("timeout", f"nothing answers at {address.url} within {timeout:g} s") from error
    except OSError as error:
        raise ObsidianError("not-running", f"nothing answers at {address.url}") from error


def fingerprint(pem: str) -> str:
    """A certificate's sha256, for people."""
    digest = hashlib.sha256(ssl.PEM_cert_to_DER_cert(pem)).hexdigest().upper()
    return ":".join(digest[at : at + 2] for at in range(0, len(digest), 2))


def _pinned(pem: str) -> ssl.SSLContext:
    """TLS with exactly this certificate: its own authority, so names and public authorities do not matter."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_REQUIRED
    context.verify_flags = (context.verify_flags | ssl.VERIFY_X509_PARTIAL_CHAIN) & ~ssl.VERIFY_X509_STRICT
    if pem:
        try:
            context.load_verify_locations(cadata=pem)
        except ssl.SSLError as error:
            raise ObsidianError("tls", "the pinned certificate cannot be read", hint="renew it in the plugin's settings") from error
    return context


def is_text(data: bytes) -> bool:
    """Is it UTF-8?"""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _flag(flag: bool) -> str:
    return "true" if flag else "false"


def _encoded(path: str) -> str:
    return "/".join(quote(part, safe="") for part in path.split("/"))
