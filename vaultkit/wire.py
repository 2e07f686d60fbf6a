"""The socket between a prompt hook and the daemon. Standard library only, imports nothing of vaultkit; also run by its path:

    <python> -I -S <this file> hook VAULT HARNESS EVENT      payload on stdin, the answer on stdout; exit 0 whatever happens, one line on stderr
    <python> -I -S <this file> prompt VAULT [HARNESS]        the same for a plain prompt, silent on any trouble

A frame is one line `vaultkit 1 VERSION COMMAND` with its arguments after tabs, then the payload until the client shuts its side. The answer is
one line `ok` or `old` (the daemon is older than the client), then bytes until the daemon closes; those for a hook begin with a line for stderr.
With VAULTKIT_INTERNAL set (a worker of ours runs a harness) a hook ends at once. json, socket and re are not imported here:
they cost more than the whole round trip (facts/speed.md).
"""

from __future__ import annotations

import os
import sys

PROTOCOL = "1"
VERSION = "0.1.0"  # a test holds it against the package's

# How long a prompt may be held up: with a daemon, and without one (then the work is done in a process of its own).
WARM_SECONDS = 0.3
COLD_SECONDS = 1.0
START_SECONDS = 1.5  # a start is waited for by nobody who types
_COLD_SLOW_SECONDS = 2.5
_CHUNK = 65536
_MAX_PAYLOAD = 8_000_000  # bytes; the daemon takes no more

# All of a hook's environment that goes further. They are looked at and forgotten.
_VARIABLES = ("COPILOT_CLI", "QWEN_CODE_AGENT_ID")
# Answer nothing: without a daemon the work is handed over and not waited for.
_SILENT = ("tool", "turn", "end")


def socket_path() -> str:
    """One socket a user; both ends decide alone and alike. Unix socket paths end near 104 bytes, so it is short."""
    named = os.environ.get("VAULTKIT_SOCKET")
    if named:
        return named
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    if runtime and len(runtime) < 80 and os.path.isdir(runtime):
        return f"{runtime}/vaultkit.sock"
    return f"/tmp/vaultkit-{os.getuid()}/s"  # noqa: S108 - the folder is made with mode 0700 and its owner is checked


def frame(command: str, arguments: tuple[str, ...], payload: bytes) -> bytes:
    """The bytes of a request; tabs and line ends in arguments become spaces."""
    words = [word.replace("\t", " ").replace("\n", " ") for word in (command, *arguments)]
    return f"vaultkit {PROTOCOL} {VERSION} ".encode() + "\t".join(words).encode("utf-8", "surrogateescape") + b"\n" + payload


def ask(command: str, arguments: tuple[str, ...], payload: bytes, timeout: float) -> bytes | None:
    """The daemon's answer; None when none listens, it is too old, or it is late."""
    import _socket

    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        connection.settimeout(timeout)
        path = socket_path()
        if not _is_ours(path):
            return None
        connection.connect(path)
        view = memoryview(frame(command, arguments, payload))
        while view:
            view = view[connection.send(view) :]
        connection.shutdown(_socket.SHUT_WR)
        parts = []
        while data := connection.recv(_CHUNK):
            parts.append(data)
    except OSError:
        return None
    finally:
        connection.close()
    head, _, answer = b"".join(parts).partition(b"\n")
    return answer if head == b"ok" else None


def warm_seconds() -> float:
    """How long a client waits for a daemon that listens."""
    return _seconds("VAULTKIT_WARM_SECONDS", WARM_SECONDS)


def listens() -> bool:
    """Is there a socket of ours at all? Cheap enough for every command."""
    return _is_ours(socket_path())


def environment() -> dict[str, str]:
    """What of the environment decides the settings and where caches stand. A daemon of another one must not answer."""
    own = {"HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"}
    passing = {"VAULTKIT_VAULT", "VAULTKIT_SESSION", "VAULTKIT_SOCKET", "VAULTKIT_DEBUG", "VAULTKIT_PYTHON", "VAULTKIT_INTERNAL",
               "VAULTKIT_WARM_SECONDS", "VAULTKIT_COLD_SECONDS"}  # fmt: skip
    return {name: value for name, value in os.environ.items() if name in own or (name.startswith("VAULTKIT_") and name not in passing)}


def main(argv: list[str]) -> None:
    """The client. Whatever goes wrong, nothing is printed on stdout and the exit code is 0: a session is never held up or broken by us."""
    try:
        if argv[0] == "hook":
            _hook(argv)
        else:
            payload = sys.stdin.buffer.read()
            answer = ask(argv[0], tuple(argv[1:]), payload, _seconds("VAULTKIT_WARM_SECONDS", WARM_SECONDS))
            if answer is None:
                answer, _ = _alone(argv[0], tuple(argv[1:]), payload, _seconds("VAULTKIT_COLD_SECONDS", COLD_SECONDS))
            if answer:
                os.write(1, answer)
    except Exception as error:  # noqa: BLE001 - see above
        if argv[:1] == ["hook"]:
            _tell(f"{type(error).__name__} in the hook itself")
    os._exit(0)


def _hook(argv: list[str]) -> None:
    if os.environ.get("VAULTKIT_INTERNAL"):
        return
    payload = sys.stdin.buffer.read(_MAX_PAYLOAD)
    if len(argv) != 4:
        _tell("use: hook VAULT HARNESS EVENT")
        return
    if len(payload) == _MAX_PAYLOAD and (more := sys.stdin.buffer.read(_CHUNK)):
        while more:  # who writes it must not find the pipe closed
            more = sys.stdin.buffer.read(_CHUNK)
        _tell("the payload is too large")
        _log_lost(argv, "too large")
        return
    if not os.path.isdir(argv[1]):  # nothing that is started could do better
        _tell(f"no vault at {argv[1]}")
        return
    kind = argv[3]
    told = [f"{name}={os.environ[name]}" for name in _VARIABLES if name in os.environ]
    arguments = (*argv[1:], f"RUN={os.getpid()}", *told)
    quick = kind not in {"start", "compact"}
    answer = ask("hook", arguments, payload, _seconds("VAULTKIT_WARM_SECONDS", WARM_SECONDS if quick else START_SECONDS))
    lost = ""
    if answer is None:
        cold = _seconds("VAULTKIT_COLD_SECONDS", COLD_SECONDS if quick else _COLD_SLOW_SECONDS)
        answer, late = _alone("hook", arguments, payload, cold, wait=kind not in _SILENT)
        lost = "late" if late else "failed" if kind not in _SILENT and not answer else ""
    trouble, _, out = answer.partition(b"\n")
    if out:
        os.write(1, out)
    if lost or trouble:
        _tell(f"{lost}: nothing was answered" if lost else trouble.decode("utf-8", "replace").removeprefix("vaultkit hook: "))
    if lost:
        _log_lost(argv, lost)


def _tell(line: str) -> None:
    """One line on stderr, if anybody reads it."""
    try:
        os.write(2, f"vaultkit hook: {line[:300]}\n".encode("utf-8", "replace"))
    except OSError:
        pass


def _log_lost(argv: list[str], outcome: str) -> None:
    """The line of this run in the hook log: nobody else can write it. Prompt and environment have no place in it."""
    import hashlib
    import json
    import time

    vault = os.path.realpath(argv[1])
    if not os.path.isdir(vault):
        return
    key = hashlib.sha256(os.fsencode(vault)).hexdigest()[:16]
    now = time.time()
    row = {
        "t": time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(now)) + f".{int(now * 1000) % 1000:03d}",
        "event": "hook", "harness": argv[2][:40], "kind": argv[3][:40], "ms": None, "bytes": 0, "outcome": outcome, "served_by": "none",
    }  # fmt: skip
    folder = f"{_state_home()}/vaultkit/{key}"
    os.makedirs(folder, mode=0o700, exist_ok=True)
    fd = os.open(f"{folder}/hooks.jsonl", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(fd, json.dumps(row, separators=(",", ":")).encode() + b"\n")
    os.close(fd)


def _state_home() -> str:
    """Where platformdirs puts a user's state."""
    if sys.platform == "darwin":
        return os.path.expanduser("~/Library/Application Support")
    named = os.environ.get("XDG_STATE_HOME", "")
    return named if named.strip() else os.path.expanduser("~/.local/state")


def prompt() -> None:
    """The console script `vaultkit-prompt VAULT [HARNESS]`. Hooks run this file by path instead, which is faster."""
    main(["prompt", *sys.argv[1:]])


def _alone(command: str, arguments: tuple[str, ...], payload: bytes, left: float, *, wait: bool = True) -> tuple[bytes, bool]:
    """No daemon: start one for the next time, and do the work in a process of our own. The answer, and whether it was late (then ended)."""
    import select
    import signal

    program = os.environ.get("VAULTKIT_PYTHON") or sys.executable
    environment = dict(os.environ)
    null = os.open(os.devnull, os.O_RDWR)
    os.posix_spawn(
        program, [program, "-P", "-m", "vaultkit", "daemon", "run", "--idle", "1800"], environment,
        file_actions=[(os.POSIX_SPAWN_DUP2, null, fd) for fd in (0, 1, 2)], setsid=True,
    )  # fmt: skip
    give, take = os.pipe()
    answer, into = os.pipe()
    for descriptor in (take, answer):
        os.set_inheritable(descriptor, False)
    worker = os.posix_spawn(
        program, [program, "-P", "-m", "vaultkit", "daemon", "once", command, "--", *arguments], environment,
        file_actions=[(os.POSIX_SPAWN_DUP2, give, 0), (os.POSIX_SPAWN_DUP2, into if wait else null, 1), (os.POSIX_SPAWN_DUP2, null, 2)],
        setsid=not wait,
    )  # fmt: skip
    os.close(give)
    os.close(into)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    os.set_blocking(take, False)
    parts: list[bytes] = []
    while left > 0:
        if not payload and take >= 0:
            os.close(take)
            take = -1
        if take < 0 and not wait:
            return b"", False
        readable, writable, _ = select.select([answer] if wait else [], [take] if payload else [], [], 0.02)
        left -= 0.02 if not readable and not writable else 0.0
        if writable:
            try:
                payload = payload[os.write(take, payload[:_CHUNK]) :]
            except OSError:
                payload = b""
        if readable:
            data = os.read(answer, _CHUNK)
            if not data:
                return b"".join(parts), False
            parts.append(data)
    os.kill(worker, signal.SIGKILL)
    return b"", True


def _is_ours(path: str) -> bool:
    """Does the socket's folder belong to this user alone? In /tmp anybody could have put one there."""
    try:
        found = os.stat(path)
    except OSError:
        return False
    return found.st_uid == os.getuid()


def _seconds(name: str, default: float) -> float:
    try:
        return float(os.environ.get(name) or default)
    except ValueError:
        return default


if __name__ == "__main__":
    main(sys.argv[1:])
