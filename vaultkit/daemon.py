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
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from vaultkit import __version__, sessions, wire
from vaultkit.app import App, open_app
from vaultkit.errors import RefusedError, UnavailableError, VaultkitError
from vaultkit.operations import recall

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


class _Vault:
    """One opened vault: requests take turns; a watcher tells when files changed."""

    def __init__(self, root: Path) -> None:
        self.lock = threading.Lock()
        self.app = open_app(root=root, clock=datetime.now)
        self.changed = threading.Event()
        self.changed.set()
        self.ended = threading.Event()
        self.watching = False
        threading.Thread(target=self._watch, daemon=True, name=f"watch {root.name}").start()

    def fresh(self) -> None:
        """Bring everything up to date if a file may have changed since."""
        if self.changed.is_set() or not self.watching:
            self.changed.clear()
            self.app.sync()

    def close(self) -> None:
        self.ended.set()
        self.app.close()

    def _watch(self) -> None:
        import watchfiles

        try:
            for _ in watchfiles.watch(
                self.app.root, stop_event=self.ended, debounce=50, step=20, rust_timeout=1000, yield_on_timeout=True, raise_interrupt=False
            ):
                if not self.watching or _:
                    self.changed.set()
                self.watching = True
        except Exception:  # a vault that went away, too many files to watch: then every prompt looks for itself
            log.exception("watching %s ended", self.app.root)
        self.watching = False


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
        vault = self._vault(arguments[0])
        if command == "hook" and not sessions.needs_vault(*(*arguments[1:3], "", "")[:2]):
            return answer(vault.app, command, arguments, payload, served_by="daemon")  # waits for no prompt, and no prompt for it
        with vault.lock:
            try:
                vault.fresh()
                return answer(vault.app, command, arguments, payload, served_by="daemon")
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
        return answer(app, command, arguments, payload, served_by="cli")


__all__: list[str] = ["IDLE_SECONDS", "Status", "answer", "once", "run", "start", "status", "stop"]
