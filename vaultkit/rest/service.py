"""From a request to its answer: authentication, dialect, the table of endpoints. Synchronous and without a socket; `server` puts it on one."""

from __future__ import annotations

import hmac
import logging
from collections.abc import Callable
from typing import Any, Final

from vaultkit import __version__
from vaultkit.rest.answers import Answer, Request, RestError, answered, json_answer, quoted
from vaultkit.rest.desk import Desk
from vaultkit.rest.dialect import DIALECTS, Dialect
from vaultkit.rest.keys import Certificate, Keys
from vaultkit.rest.library import Library
from vaultkit.rest.notes import Notes
from vaultkit.rest.paths import Place, decode, is_plain, locate, part_of, segments
from vaultkit.rest.periods import Periods
from vaultkit.rest.searching import Searching
from vaultkit.text.edit import printable

log = logging.getLogger(__name__)

METHODS: Final = ("GET", "HEAD", "PUT", "PATCH", "POST", "DELETE", "MOVE", "COPY")
CERTIFICATE: Final = "obsidian-local-rest-api.crt"
# What clients ask for by name; it is the API that is meant, and `server` says who serves it.
_OBSIDIAN: Final = "1.13.1"
MANIFEST: Final = {"id": "obsidian-local-rest-api", "name": "Local REST API"}

Handler = Callable[[Request, str], Answer]


class Service:
    """The API over one vault. *keys* decide who may ask."""

    def __init__(self, library: Library, keys: Keys, *, api: str = "compat", certificate: Certificate | None = None) -> None:
        self.holdings = library
        self.dialect: Dialect = DIALECTS[api]
        self.notes = Notes(library, self.dialect)
        self._keys = keys
        self._certificate = certificate
        self.desk = Desk(library, self.dialect)
        periods = Periods(library, self.notes)
        searching = Searching(library, self.dialect)
        self._endpoints: dict[str, Handler] = {
            "vault": self._vault,
            "active": self._active,
            "open": self.desk.open,
            "tags": self.desk.tags,
            "commands": self.desk.commands,
            "search": searching.answer,
        }
        if self.dialect.periodic:
            self._endpoints["periodic"] = periods.answer

    def answer(self, request: Request) -> Answer:
        """The answer to a request; every error is one."""
        try:
            return answered(lambda: self._answered(request), matched=bool(request.header("if-match")))
        except Exception:
            log.exception("%s %s failed", request.method, request.path)
            return RestError(50000, "a fault of vaultkit; its log says more").answer()

    def allowed(self, request: Request) -> bool:
        """Whether the request has the key."""
        name = self._keys.header.lower()
        return hmac.compare_digest(request.header(name).encode("utf-8", "surrogateescape"), f"Bearer {self._keys.key}".encode())

    def _answered(self, request: Request) -> Answer:
        if request.method == "OPTIONS":
            return Answer(204, headers=(("access-control-allow-methods", ",".join(METHODS)), ("content-length", "0")))
        path = request.path or "/"
        reading = request.method in {"GET", "HEAD"}
        if reading and path == "/":
            return self._greeting(request)
        if reading and path.rstrip("/").lower() == f"/{CERTIFICATE}":
            return self._crt()
        if reading and path.rstrip("/").lower() == "/openapi.yaml":
            from vaultkit.rest.openapi import document

            return Answer(200, document(self.dialect), (("content-type", "application/yaml; charset=utf-8"),))
        if not self.allowed(request):
            raise RestError(40101)
        name, slash, rest = path.removeprefix("/").partition("/")
        handler = self._endpoints.get(name.lower())
        if handler is None or (name.lower() == "vault" and not slash):
            raise RestError(40400)
        return handler(request, rest)

    # -- endpoints

    def _greeting(self, request: Request) -> Answer:
        found: dict[str, Any] = {
            "status": "OK",
            "manifest": {**MANIFEST, "version": self.dialect.version},
            "versions": {"obsidian": _OBSIDIAN, "self": self.dialect.version},
            "service": "Obsidian Local REST API",
            "authenticated": self.allowed(request),
        }
        if found["authenticated"]:
            days = self._certificate.days_left(self.holdings.clock()) if self._certificate else None
            if days is not None:
                found["certificateInfo"] = {"validityDays": days, "regenerateRecommended": days < 30}
            found["apiExtensions"] = []
            found["server"] = f"vaultkit {__version__}"
        return json_answer(found)

    def _crt(self) -> Answer:
        if self._certificate is None:
            raise RestError(40400)
        return Answer(
            200,
            self._certificate.pem,
            (("content-type", "application/octet-stream"), ("content-disposition", f'attachment; filename="{CERTIFICATE}"')),
        )

    def _vault(self, request: Request, rest: str) -> Answer:
        if (
            request.method not in METHODS
            or (request.method == "MOVE" and not self.dialect.move)
            or (request.method == "COPY" and not self.dialect.copy)
        ):
            raise RestError(40400)
        parts, folder = segments(rest)
        return self._on_place(request, parts, folder=folder)

    def _on_place(self, request: Request, parts: list[str], *, folder: bool) -> Answer:
        files = self.holdings.files
        writing = request.method not in {"GET", "HEAD"}
        if writing and (not parts or folder):
            # A part's address may end with a slash, a file's not: there it says "folder".
            place = locate(parts, folder=folder, is_file=files.exists, is_folder=files.is_folder, writing=True) if parts else None
            if place is None or place.target is None:
                raise RestError(40510)
        if not parts:
            return self._listing("")
        place = locate(parts, folder=folder, is_file=files.exists, is_folder=files.is_folder, writing=writing)
        if self.dialect.joined and place.target is None and any("/" in part for part in parts) and not files.exists(place.path):
            parts = "/".join(parts).split("/")
            place = locate(parts, folder=folder, is_file=files.exists, is_folder=files.is_folder, writing=writing)
        if not is_plain(place.path.split("/")):
            if any("/" in part for part in parts) or not writing:
                raise RestError(40400)
            raise RestError(40021, "names that begin with a dot are out of bounds")
        files.resolve(place.path)  # refuses a symlink that leads out
        if not writing:
            if place.target is None and not files.exists(place.path):
                return self._listing(place.path)
        elif place.target is None and files.is_folder(place.path):
            raise RestError(40510)
        return self._method(request)(request, place)

    def _method(self, request: Request) -> Callable[[Request, Place], Answer]:
        notes = self.notes
        return {
            "GET": notes.get,
            "HEAD": notes.get,
            "PUT": notes.put,
            "POST": notes.post,
            "PATCH": notes.patch,
            "DELETE": notes.delete,
            "MOVE": notes.move,
            "COPY": notes.copy,
        }[request.method]

    def _listing(self, folder: str) -> Answer:
        prefix = f"{folder}/" if folder else ""
        found: dict[str, None] = {}
        for path in self.holdings.view().files:
            if path.startswith(prefix):
                name, slash, _ = path[len(prefix) :].partition("/")
                found[name + slash] = None
        if self.dialect.empty_folders:
            names = self.holdings.folders(folder)
            if names is None:
                raise RestError(40400)
            found.update(dict.fromkeys(f"{name}/" for name in names))
        elif folder and not found:
            raise RestError(40400)
        names_in_order = sorted(map(printable, found), key=lambda name: name.encode("utf-16-be"))
        return json_answer({"files": names_in_order})

    def _active(self, request: Request, rest: str) -> Answer:
        if request.method not in {"GET", "HEAD", "PUT", "POST", "PATCH", "DELETE"}:
            raise RestError(40400)
        if (opened := self._meant_to_open(request, rest)) is not None:
            self.desk.opened(opened)
            return Answer(204, headers=(("content-location", quoted(opened)),))
        path = self.desk.active(reading=request.method in {"GET", "HEAD"})
        if path is None:
            raise RestError(40400, "no note was opened yet: POST /open/PATH first" if request.method not in {"GET", "HEAD"} else "")
        place = part_of(path, [decode(part) for part in rest.removesuffix("/").split("/")] if rest else [])
        answer = answered(lambda: self._method(request)(request, place), matched=bool(request.header("if-match")))
        return answer.plus(("content-location", quoted(path)))

    def _meant_to_open(self, request: Request, rest: str) -> str | None:
        """A file's path that was sent as the active note's new text: cli-anything-obsidian opens notes so. Only `compat` knows better."""
        kind = request.header("content-type").partition(";")[0].strip().lower()
        if self.dialect.name != "compat" or request.method != "PUT" or rest or kind != "text/plain" or not 0 < len(request.body) < 1000:
            return None
        named = request.body.decode("utf-8", "replace")
        return named if "\n" not in named and self.holdings.files.exists(named) else None
