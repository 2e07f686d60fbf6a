"""The REST server for tests: without a socket, and on a real one in a thread."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs

from vaultkit.app import open_app
from vaultkit.rest import Answer, Library, Request, Service
from vaultkit.rest.keys import Keys

KEY = "test-key-0123456789"
FIXTURE_BYTES = b"\x89PNG\x00\x01"


class Caller(NamedTuple):
    """Calls the service as a client would, key included."""

    service: Service
    vault: Path

    def __call__(self, method: str, address: str, body: bytes | str = b"", *, key: str | None = KEY, **headers: str) -> Answer:
        path, _, query = address.partition("?")
        sent = {name.replace("_", "-").lower(): value for name, value in headers.items()}
        if key is not None:
            sent["authorization"] = f"Bearer {key}"
        data = body.encode() if isinstance(body, str) else body
        return self.service.answer(Request(method, path, parse_qs(query, keep_blank_values=True), sent, data))

    def json(self, method: str, address: str, body: bytes | str = b"", **headers: str) -> Any:
        answer = self(method, address, body, **headers)
        assert answer.status == 200, answer
        return json.loads(answer.body)

    def code(self, method: str, address: str, body: bytes | str = b"", **headers: str) -> int:
        """The errorCode of a refusal."""
        answer = self(method, address, body, **headers)
        assert answer.status >= 400, answer
        found: int = json.loads(answer.body)["errorCode"]
        return found


def write(vault: Path, files: dict[str, str | bytes]) -> None:
    """Put files into a vault, as a person would."""
    for path, data in files.items():
        file = vault / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data if isinstance(data, bytes) else data.encode())


@contextmanager
def calling(vault: Path, api: str = "compat") -> Iterator[Caller]:
    """The service over a folder."""
    with open_app(root=vault) as app, Library(app) as library:
        yield Caller(Service(library, Keys(KEY), api=api), vault)


@contextmanager
def listening(vault: Path, **options: Any) -> Iterator[str]:
    """A server on a free port of this machine; its address."""
    import uvicorn

    from vaultkit.rest.run import Options, opened

    with open_app(root=vault) as app, opened(app, Options(port=0, key=KEY, **options)) as running:
        config = running.config()
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [running.listener]})
        thread.start()
        try:
            yield running.url
        finally:
            server.should_exit = True
            thread.join(20)
            assert not thread.is_alive()


def home(folder: Path, setenv: Any) -> None:
    """Caches and state in a folder of the test's own."""
    for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        setenv(name, str(folder / name))
    setenv("HOME", str(folder))
    assert os.environ["HOME"] == str(folder)
