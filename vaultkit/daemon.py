"""One warm process a user, for all vaults: answers prompts over a Unix socket and keeps what is derived up to date while files change.

Started by the first client that finds none, ends by itself when idle. Only an answer leaves it; what goes wrong goes to its log, and a client
then does the work itself.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import logging
import os
import signal
import socket
import stat
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from vaultkit import __version__, sessions, wire
from vaultkit.app import App, open_app
from vaultkit.config import VAULT_FILE, user_config_file
from vaultkit.errors import NotFoundError, RefusedError, UnavailableError, UsageError, VaultkitError
from vaultkit.operations import hints, recall, search, spread

IDLE_SECONDS = 1800.0
_MAX_PAYLOAD = 8_000_000
_READ_SECONDS = 5.0
log = logging.getLogger(__name__)


class Status(NamedTuple):
    """A running daemon, as it tells of itself."""

    pid: int
    version: str
    socket: str
    seconds: float
    requests: int
    vaults: tuple[str, ...]
    rss_mb: float


def run(*, idle: float = IDLE_SECONDS) -> bool:
    """Serve until idle or told to stop. False when another daemon serves already."""
    path = Path(wire.socket_path())
    _own_folder(path.parent)
    _share_arenas()
    with path.with_name(path.name + ".lock").open("ab") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        path.unlink(missing_ok=True)  # left by a killed one: we hold its lock
        server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            mask = os.umask(0o177)
            try:
                server.bind(str(path))
            finally:
                os.umask(mask)
            server.listen(128)
            _Daemon(server, path, idle).serve()
        finally:
            server.close()
            path.unlink(missing_ok=True)
    return True


def status(timeout: float = 2.0) -> Status | None:
    """The daemon that answers, None when none does."""
    answer = wire.ask("status", (), b"", timeout)
    if answer is None:
        return None
    found = json.loads(answer)
    return Status(**{**found, "vaults": tuple(found["vaults"])})


def stop(timeout: float = 5.0) -> bool:
    """Ask the daemon to end; False when none answers."""
    if wire.ask("stop", (), b"", timeout) is None:
        return False
    deadline = time.monotonic() + timeout
    while os.path.exists(wire.socket_path()):  # noqa: PTH110 - a socket path is text here
        if time.monotonic() > deadline:
            raise UnavailableError(
                "the daemon does not end", hint=f"its process id stands in `vaultkit daemon status`; socket {wire.socket_path()}"
            )
        time.sleep(0.02)
    return True


def start(timeout: float = 10.0) -> Status:
    """A running daemon: the present one, or a new one started detached."""
    found = status()
    if found is not None:
        return found
    with Path(os.devnull).open("r+b") as null:
        actions = [(os.POSIX_SPAWN_DUP2, null.fileno(), number) for number in (0, 1, 2)]
        os.posix_spawn(
            sys.executable, [sys.executable, "-P", "-m", "vaultkit", "daemon", "run"], dict(os.environ), file_actions=actions, setsid=True
        )
    deadline = time.monotonic() + timeout
    while time.monotonic() < deadline:
        found = status(0.5)
        if found is not None:
            return found
        time.sleep(0.05)
    raise UnavailableError("the daemon does not start", hint="`vaultkit daemon run` in a terminal shows why")


def answer(app: App, command: str, arguments: tuple[str, ...], payload: bytes, *, served_by: str) -> bytes:
    """The bytes for stdout: what a prompt gets. Unknown commands are refused."""
    if command in _OPERATIONS:
        return _operation(app, command, payload, served_by)
    if command == "hook":
        return _hook(app, arguments, payload, served_by)
    if command != "prompt":
        raise RefusedError(f"no command {command!r}", hint="prompt VAULT [HARNESS], hook VAULT HARNESS EVENT")
    started = time.perf_counter()
    prompt, session = _prompt_of(payload)
    harness = arguments[1] if len(arguments) > 1 else ""
    found = recall.recall(app, recall.Ask(prompt, session=session, harness=harness, served_by=served_by, hook=True), started=started)
    return found.text.encode("utf-8", "replace") + b"\n" if found.text else b""


def _hook(app: App, arguments: tuple[str, ...], payload: bytes, served_by: str) -> bytes:
    """`hook VAULT HARNESS EVENT NAME=VALUE…`: one line for stderr (mostly empty), then what goes to stdout."""
    name, kind, *told = (*arguments[1:], "", "")[: max(2, len(arguments) - 1)]
    environment = dict(word.partition("=")[::2] for word in told)
    answered = sessions.hook(app, name, kind, payload, environment, sessions.Call(served_by, environment.get("RUN", "")))
    return answered.trouble.replace("\n", " ").encode("utf-8", "replace") + b"\n" + answered.out


def _operation(app: App, command: str, payload: bytes, served_by: str) -> bytes:
    """An operation for a command that would do the same in its own process; refused where the two would not be the same."""
    found = json.loads(payload)
    if found["environment"] != wire.environment():
        raise RefusedError(f"{command} is asked for in another environment", hint="it is done in the asking process")
    return json.dumps(_OPERATIONS[command](app, found["asked"], served_by), ensure_ascii=False, default=str).encode(
        "utf-8", "surrogatepass"
    )


def _recall(app: App, asked: dict[str, Any], served_by: str) -> dict[str, Any]:
    return recall.to_json(recall.recall(app, recall.Ask(**asked, served_by=served_by)))


def _spread(app: App, asked: dict[str, Any], served_by: str) -> dict[str, Any]:
    return spread.to_json(spread.spread(app, recall.Ask(**asked, served_by=served_by)))


def _search(app: App, asked: dict[str, Any], _: str) -> dict[str, Any]:
    return search.to_json(search.search(app, search.ask_of(asked)))


_OPERATIONS: Final[Mapping[str, Callable[[App, dict[str, Any], str], dict[str, Any]]]] = {
    "recall": _recall,
    "search": _search,
    "spread": _spread,
}


# What is asked at every prompt looks at the files when the watcher says so; a command, which may follow a change at once, always.
_AT_PROMPTS: Final = frozenset({"prompt", "hook"})


def _share_arenas() -> None:
    """Have glibc keep two memory arenas and not one for each of the search index's short-lived writer threads: after 500 changed notes that is
    70 MB where it were 150, and it stays there. Elsewhere than on glibc there is nothing to do.
    """
    import ctypes

    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(_ARENA_MAX, 2)


_ARENA_MAX: Final = -8  # malloc.h


class _Vault:
    """One opened vault: requests take turns; a watcher tells when files changed."""

    def __init__(self, root: Path) -> None:
        self.lock = threading.Lock()
        self.root = root
        self.settings = _settings(root)
        self.arrived = time.monotonic()
        self.trusting = False
        self.app = self._opened()
        self.changed = threading.Event()
        self.changed.set()
        self.ended = threading.Event()
        self.watching = False
        threading.Thread(target=self._watch, daemon=True, name=f"watch {root.name}").start()

    def _opened(self) -> App:
        app = open_app(root=self.root, clock=datetime.now)
        app.waiting = self._others_first
        app.unchanged = self._unchanged
        return app

    def fresh(self, *, arrived: float, trusting: bool) -> None:
        """Bring settings, and everything that is derived, up to date with what may have changed before a request *arrived*.

        One look at the files serves all requests that wait for it. *trusting*: what the watcher says will do, which is some 50 ms behind.
        """
        if (settings := _settings(self.root)) != self.settings:
            fresh = self._opened()  # raises for settings that cannot be read, as any command would
            self.app.close()
            self.app, self.settings = fresh, settings
            self.changed.set()
        self.arrived, self.trusting = arrived, trusting
        if not self._unchanged():
            self.changed.clear()
            self.trusting = False
            self.app.sync()
            self.trusting = trusting

    def _unchanged(self) -> bool:
        return self.app.last_walk >= self.arrived or (self.trusting and self.watching and not self.changed.is_set())

    @contextlib.contextmanager
    def _others_first(self) -> Iterator[None]:
        """While a request waits for a model, others have their turn."""
        self.lock.release()
        try:
            yield
        finally:
            self.lock.acquire()

    def close(self) -> None:
        self.ended.set()
        self.app.close()

    def _refresh(self) -> None:
        """In the background, so that the next prompt need not; where a request is being answered, that one or the next does it."""
        if self.changed.is_set() and self.lock.acquire(blocking=False):
            try:
                self.fresh(arrived=time.monotonic(), trusting=True)
            except VaultkitError as error:
                log.warning("%s: %s", self.root, error)
                self.changed.set()
            finally:
                self.lock.release()

    def _watch(self) -> None:
        import watchfiles

        try:
            for _ in watchfiles.watch(
                self.app.root, stop_event=self.ended, debounce=50, step=20, rust_timeout=1000, yield_on_timeout=True, raise_interrupt=False
            ):
                if not self.watching or _:
                    self.changed.set()
                self.watching = True
                self._refresh()
        except Exception:  # a vault that went away, too many files to watch: then every prompt looks for itself
            log.exception("watching %s ended", self.app.root)
        self.watching = False


def _settings(root: Path) -> tuple[tuple[int, int, int] | None, ...]:
    """What the files that settings stand in were when they were last changed."""
    found: list[tuple[int, int, int] | None] = []
    for file in (user_config_file(), root / VAULT_FILE, root / ".obsidian/daily-notes.json", root / ".obsidian/templates.json"):
        try:
            stat_of = file.stat()
            found.append((stat_of.st_ino, stat_of.st_mtime_ns, stat_of.st_size))
        except OSError:
            found.append(None)
    return tuple(found)


class _Daemon:
    def __init__(self, server: socket.socket, path: Path, idle: float) -> None:
        self.server = server
        self.path = path
        self.idle = idle
        self.started = time.monotonic()
        self.last = time.monotonic()
        self.requests = 0
        self.vaults: dict[str, _Vault] = {}
        self.guard = threading.Lock()
        self.ending = threading.Event()

    def serve(self) -> None:
        """Accept until idle, stopped, or the socket was taken away."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self.ending.set())
        inode = self.path.stat().st_ino
        self.server.settimeout(0.5)
        threads: list[threading.Thread] = []
        while not self.ending.is_set() and time.monotonic() - self.last < self.idle:
            try:
                connection, _ = self.server.accept()
            except TimeoutError:
                if not self.path.exists() or self.path.stat().st_ino != inode:
                    break
                threads = [thread for thread in threads if thread.is_alive()]
                continue
            self.last = time.monotonic()
            thread = threading.Thread(target=self._serve_one, args=(connection,), daemon=True)
            thread.start()
            threads.append(thread)
        for thread in threads:
            thread.join(2.0)
        for vault in self.vaults.values():
            vault.close()

    def _serve_one(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            if _peer(connection) != os.getuid():
                return
            connection.settimeout(_READ_SECONDS)
            head, payload = _read(connection)
            words = head.decode("utf-8", "surrogateescape").split(" ", 3)
            if len(words) != 4 or words[:2] != ["vaultkit", wire.PROTOCOL]:
                return
            if _version(words[2]) > _version(__version__):
                connection.sendall(b"old\n")
                self.ending.set()  # a newer client starts a newer daemon
                return
            command, *arguments = words[3].split("\t")
            self.requests += 1
            try:
                data = self._answer(command, tuple(arguments), payload)
            except Exception:
                log.exception("%s failed", command)
                return  # no answer at all: the client does the work itself
            connection.sendall(b"ok\n" + data)
            if command == "stop":
                self.ending.set()

    def _answer(self, command: str, arguments: tuple[str, ...], payload: bytes) -> bytes:
        if command == "stop":
            return b""
        if command == "status":
            told = Status(
                os.getpid(),
                __version__,
                str(self.path),
                round(time.monotonic() - self.started, 1),
                self.requests,
                tuple(self.vaults),
                _rss(),
            )
            return json.dumps(told._asdict()).encode()
        arrived = time.monotonic()
        vault = self._vault(arguments[0])
        if command == "hook" and not sessions.needs_vault(*(*arguments[1:3], "", "")[:2]):
            return answer(vault.app, command, arguments, payload, served_by="daemon")  # waits for no prompt, and no prompt for it
        with vault.lock:
            try:
                vault.fresh(arrived=arrived, trusting=command in _AT_PROMPTS)
                return answer(vault.app, command, arguments, payload, served_by="daemon")
            except (UsageError, NotFoundError, RefusedError):
                raise  # of the request itself: once more would be the same
            except VaultkitError:
                # A deleted cache, a moved vault: open it anew, once.
                vault.app.reset()
                vault.app.sync()
                return answer(vault.app, command, arguments, payload, served_by="daemon")

    def _vault(self, root: str) -> _Vault:
        with self.guard:
            if root not in self.vaults:
                self.vaults[root] = _Vault(Path(root).resolve(strict=True))
            return self.vaults[root]


def _read(connection: socket.socket) -> tuple[bytes, bytes]:
    parts: list[bytes] = []
    size = 0
    while data := connection.recv(65536):
        parts.append(data)
        size += len(data)
        if size > _MAX_PAYLOAD:
            raise OSError("too large")
    head, _, payload = b"".join(parts).partition(b"\n")
    return head, payload


def _prompt_of(payload: bytes) -> tuple[str, str]:
    """The prompt and the session of a hook's payload: JSON, or plain text."""
    text = payload.decode("utf-8", "replace")
    try:
        found: Any = json.loads(text)
    except ValueError:
        return text, ""
    if not isinstance(found, dict):
        return text, ""
    prompt = next((found[key] for key in ("prompt", "user_prompt", "message") if isinstance(found.get(key), str)), "")
    session = next((found[key] for key in ("session_id", "sessionId", "session") if isinstance(found.get(key), str)), "")
    return prompt, session


def _own_folder(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    found = folder.lstat()
    shared = folder == Path(os.environ.get("XDG_RUNTIME_DIR", "/nowhere"))
    if found.st_uid != os.getuid() or not stat.S_ISDIR(found.st_mode):
        raise RefusedError(f"{folder} belongs to somebody else", hint="set VAULTKIT_SOCKET to a path in a folder of yours")
    if not shared and stat.S_IMODE(found.st_mode) & 0o022 and folder.name.startswith("vaultkit-"):
        folder.chmod(0o700)


def _peer(connection: socket.socket) -> int:
    if hasattr(socket, "SO_PEERCRED"):
        return int(struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")))[1])
    return os.getuid()  # macOS: the socket's mode 0600 is what keeps others out


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(".") if part.isdigit())


def _rss() -> float:
    with contextlib.suppress(OSError, IndexError, ValueError):
        return round(int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6, 1)
    return 0.0


def once(command: str, arguments: tuple[str, ...], payload: bytes) -> bytes:
    """The same answer without a daemon."""
    with open_app(root=Path(arguments[0]).resolve(strict=True)) as app:
        if command == "hint":
            hints.answer_job(app, payload)
            return b""
        return answer(app, command, arguments, payload, served_by="cli")


__all__: list[str] = ["IDLE_SECONDS", "Status", "answer", "once", "run", "start", "status", "stop"]
