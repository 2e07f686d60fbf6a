"""The error tree. Each class fixes its exit code and HTTP status; each error says what happened and what to do next.

VaultkitError                    exit 1  http 500
├ UsageError                          2       400   ConfigError · QuerySyntaxError · FrontmatterEditError · PatchError
├ NotFoundError                       3       404   NoteNotFoundError · VaultNotFoundError · PatchTargetError
├ ConflictError                       4       409   NoteExistsError · NoteChangedError (412) · PatchConflictError
├ RefusedError                        5       403   OutsideVaultError · UnsafeNameError · UnsafeUrlError · CapReachedError
└ UnavailableError                    6       503   VaultBusyError · IndexUnavailableError · ModelUnavailableError · ObsidianError
"""

from __future__ import annotations

from typing import ClassVar


class VaultkitError(Exception):
    """Base of every error that vaultkit raises on purpose; *hint* tells the reader what to do."""

    exit_code: ClassVar[int] = 1
    http_status: ClassVar[int] = 500
    code: ClassVar[str] = "error"

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def as_dict(self) -> dict[str, str]:
        """The body of `{"error": …}` as the command line and REST print it."""
        return {"code": self.code, "message": self.message, "hint": self.hint}


class UsageError(VaultkitError):
    """The request itself is wrong."""

    exit_code = 2
    http_status = 400
    code = "usage"


class ConfigError(UsageError):
    """A setting is unknown, of the wrong type, or not allowed where it stands."""

    code = "config"


class QuerySyntaxError(UsageError):
    """A pattern or query cannot be read."""

    code = "query-syntax"


class FrontmatterEditError(UsageError):
    """A property cannot be changed without touching other bytes; *line* is 1-based in the file."""

    code = "frontmatter-edit"

    def __init__(self, message: str, *, line: int, hint: str = "") -> None:
        super().__init__(f"{message} (line {line})", hint=hint or "fix the frontmatter by hand, then retry")
        self.line = line


class PatchError(UsageError):
    """A PATCH that cannot be applied; nothing was changed.

    *rest_code* is the Local REST API's `errorCode` (its HTTP status is the code // 100); *reason* is the word that the plugin's 1.x engine
    gives in its message ("" where it has none): facts of that API, which clients match on.
    """

    code = "patch"

    def __init__(self, message: str, *, rest_code: int = 40080, reason: str = "", hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.rest_code = rest_code
        self.reason = reason


class NotFoundError(VaultkitError):
    """Something named does not exist."""

    exit_code = 3
    http_status = 404
    code = "not-found"


class NoteNotFoundError(NotFoundError):
    """No note answers to that path or link name."""

    code = "note-not-found"

    def __init__(self, name: str, *, hint: str = "") -> None:
        super().__init__(f"no note named {name!r}", hint=hint or "give its path, or try `vaultkit search`")


class VaultNotFoundError(NotFoundError):
    """No vault could be found for this command."""

    code = "vault-not-found"


class PatchTargetError(PatchError, NotFoundError):
    """The heading, block or property that a PATCH or a read names is not in the note."""

    exit_code = 3
    http_status = 404
    code = "target-not-found"


class ConflictError(VaultkitError):
    """The world changed under the request, or the target is taken."""

    exit_code = 4
    http_status = 409
    code = "conflict"


class NoteExistsError(ConflictError):
    """A note (or an iCloud placeholder for one) already stands at that path."""

    code = "note-exists"

    def __init__(self, path: str, *, hint: str = "") -> None:
        super().__init__(f"{path} already exists", hint=hint or "choose another name, or append to it")


class NoteChangedError(ConflictError):
    """The bytes on disk are not the ones the edit was computed from."""

    http_status = 412
    code = "note-changed"

    def __init__(self, path: str) -> None:
        super().__init__(f"{path} changed on disk meanwhile; nothing was written", hint="read it again, then retry")
        self.path = path


class PatchConflictError(PatchError, ConflictError):
    """The note is not the one that the PATCH was made for, or what it would add stands there already."""

    exit_code = 4
    http_status = 409
    code = "patch-conflict"


class RefusedError(VaultkitError):
    """vaultkit will not do that."""

    exit_code = 5
    http_status = 403
    code = "refused"


class OutsideVaultError(RefusedError):
    """The path leads out of the vault (`..`, an absolute path, a symlink) or into a dot-folder."""

    code = "outside-vault"

    def __init__(self, path: str) -> None:
        super().__init__(f"{path!r} is not inside the vault", hint="give a path below the vault, without dot-folders or symlinks out")


class UnsafeNameError(RefusedError):
    """A file name that some system, or Obsidian's link syntax, cannot hold."""

    code = "unsafe-name"


class UnsafeUrlError(RefusedError):
    """A URL that vaultkit will not fetch (scheme, userinfo, port, or an address that is not public)."""

    code = "unsafe-url"


class CapReachedError(RefusedError):
    """The session's cap on rewrites and trashes is reached (memory.md M48)."""

    code = "cap-reached"


class UnavailableError(VaultkitError):
    """Something outside does not answer now."""

    exit_code = 6
    http_status = 503
    code = "unavailable"


class VaultBusyError(UnavailableError):
    """Another vaultkit process holds the vault's write lock for too long."""

    code = "vault-busy"


class IndexUnavailableError(UnavailableError):
    """The search index can neither be opened nor rebuilt where it should stand."""

    code = "index-unavailable"


class ModelUnavailableError(UnavailableError):
    """The local model server does not answer, or not usefully."""

    code = "model-unavailable"


class ObsidianError(UnavailableError):
    """Obsidian's Local REST API cannot be used; *state* says how: not-running, wrong-key, too-old, tls, timeout, no-dql or failed."""

    code = "obsidian"

    def __init__(self, state: str, message: str, *, hint: str = "") -> None:
        super().__init__(message, hint=hint or OBSIDIAN_HINTS.get(state, ""))
        self.state = state


OBSIDIAN_HINTS = {
    "not-running": "start Obsidian, with the plugin Local REST API switched on; or leave it: the files are used",
    "wrong-key": "copy the key from the plugin's settings into VAULTKIT_OBSIDIAN_KEY (for a vault on this disk it is found by itself)",
    "too-old": "update the plugin Local REST API in Obsidian",
    "no-dql": "leave --live out: vaultkit answers Dataview's queries itself",
    "tls": "look whether another vault's Obsidian, or another program, answers there; the new certificate of a remote vault is taken by "
    "`vaultkit --vault https://host:27124 obsidian trust`",
    "timeout": "Obsidian is slow to answer (in the background, some systems stop it): bring it to the front, or raise obsidian_timeout",
}
