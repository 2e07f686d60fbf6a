"""The socket between a prompt hook and the daemon. Standard library only, imports nothing of vaultkit; also run by its path:

    <python> -I -S <this file> prompt VAULT [HARNESS]        payload on stdin, the answer on stdout; silent and exit 0 on any trouble

A frame is one line `vaultkit 1 VERSION COMMAND` with its arguments after tabs, then the payload until the client shuts its side. The answer is
one line `ok` or `old` (the daemon is older than the client), then bytes until the daemon closes. json, socket and re are not imported here:
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
_CHUNK = 65536


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
    """The prompt client. Whatever goes wrong, nothing is printed and the exit code is 0: a prompt is never held up or broken by us."""
    try:
        payload = sys.stdin.buffer.read()
        command, arguments = argv[0], tuple(argv[1:])
        answer = ask(command, arguments, payload, _seconds("VAULTKIT_WARM_SECONDS", WARM_SECONDS))
        if answer is None:
            answer = _alone(command, arguments, payload)
        if answer:
            os.write(1, answer)
    except Exception:  # noqa: BLE001, S110 - see above
        pass
    os._exit(0)


def prompt() -> None:
    """The console script `vaultkit-prompt VAULT [HARNESS]`. Hooks run this file by path instead, which is faster."""
    main(["prompt", *sys.argv[1:]])


def _alone(command: str, arguments: tuple[str, ...], payload: bytes) -> bytes:
    """No daemon: start one for the next prompt, and do the work in a process of our own within the cold limit."""
    import select
    import signal

    program = os.environ.get("VAULTKIT_PYTHON") or sys.executable
    environment = dict(os.environ)
    null = os.open(os.devnull, os.O_RDWR)
    os.posix_spawn(
        program, [program, "-m", "vaultkit", "daemon", "run", "--idle", "1800"], environment,
        file_actions=[(os.POSIX_SPAWN_DUP2, null, fd) for fd in (0, 1, 2)], setsid=True,
    )  # fmt: skip
    give, take = os.pipe()
    answer, into = os.pipe()
    for descriptor in (take, answer):
        os.set_inheritable(descriptor, False)
    worker = os.posix_spawn(
        program, [program, "-m", "vaultkit", "daemon", "once", command, *arguments], environment,
        file_actions=[(os.POSIX_SPAWN_DUP2, give, 0), (os.POSIX_SPAWN_DUP2, into, 1), (os.POSIX_SPAWN_DUP2, null, 2)],
    )  # fmt: skip
    os.close(give)
    os.close(into)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    os.set_blocking(take, False)
    left = _seconds("VAULTKIT_COLD_SECONDS", COLD_SECONDS)
    parts: list[bytes] = []
    while left > 0:
        readable, writable, _ = select.select([answer], [take] if payload else [], [], 0.02)
        left -= 0.02 if not readable and not writable else 0.0
        if writable:
            try:
                payload = payload[os.write(take, payload[:_CHUNK]) :]
            except OSError:
                payload = b""
        if not payload and take >= 0:
            os.close(take)
            take = -1
        if readable:
            data = os.read(answer, _CHUNK)
            if not data:
                return b"".join(parts)
            parts.append(data)
    os.kill(worker, signal.SIGKILL)
    return b""


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
