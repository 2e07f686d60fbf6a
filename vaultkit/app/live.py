"""Obsidian beside the files: is it running, and which writes does it make for us.

With the vault on this disk, reads always come from the files. A note that a person has in front, or wrote to in the last minutes, may hold
words that are not saved yet: a rewrite of it goes through the running app, which keeps or refuses, and never loses them. All else goes to the
files. Both sides of one batch stand or fall together, and the history has both.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from vaultkit.config import Config, Places
from vaultkit.errors import NoteChangedError, ObsidianError, VaultkitError
from vaultkit.store.files import Applied, FileStore, Touched
from vaultkit.text.edit import Edit, Rewrite, hash_of

if TYPE_CHECKING:
    from vaultkit.app import App
    from vaultkit.store.obsidian import Address, Client, Greeting

log = logging.getLogger(__name__)

_ASK_AGAIN = 30.0  # seconds after which a process looks anew whether Obsidian runs


class Look(NamedTuple):
    """What was found of Obsidian. *state* is running, headless (our own server answers), off (by the setting), unconfigured, or an error's."""

    state: str
    address: Address | None = None
    greeting: Greeting | None = None
    message: str = ""
    hint: str = ""


class Connection(NamedTuple):
    """What one look found, and when; *client* only when Obsidian itself answers."""

    look: Look
    client: Client | None
    at: float


def connection(app: App, *, again: bool = False) -> Connection:
    """The running Obsidian of this vault, looked for at most every half minute. Never raises."""
    known = app.connected
    if known is None or again or time.monotonic() - known.at > _ASK_AGAIN:
        if known is not None and known.client is not None:
            known.client.close()
        found, client = _look(app)
        known = app.connected = Connection(found, client, time.monotonic())
    return known


def client_of(app: App) -> Client | None:
    """The client of a running Obsidian. Raises ObsidianError when the setting `backend` demands one that is not there."""
    found = connection(app)
    if found.client is None and app.config.backend == "obsidian":
        raise ObsidianError(found.look.state, found.look.message or "no running Obsidian answers for this vault", hint=found.look.hint)
    return found.client


def _look(app: App) -> tuple[Look, Client | None]:
    config = app.config
    if config.backend == "files":
        return Look("off", message="the setting backend says files"), None
    from vaultkit.store.obsidian import Client

    try:
        address = _address(app)
        if address is None:
            return Look("unconfigured", message="the plugin Local REST API is not set up in this vault"), None
        client = Client(address, timeout=config.obsidian_timeout)
        try:
            greeting = client.greet()
        except ObsidianError as error:
            client.close()
            return Look(error.state, address, None, error.message, error.hint), None
    except ObsidianError as error:
        return Look(error.state, message=error.message, hint=error.hint), None
    except VaultkitError as error:  # an address in the settings that is none
        return Look("unconfigured", message=error.message, hint=error.hint), None
    if greeting.server:
        client.close()
        return Look("headless", address, greeting, f"{greeting.server} answers there, not Obsidian: the files are written directly"), None
    return Look("running", address, greeting), client


def _address(app: App) -> Address | None:
    from vaultkit.store.obsidian import discover, remote
    from vaultkit.store.obsidian.address import PLUGIN_SETTINGS

    config = app.config
    settings, problem = app.obsidian(PLUGIN_SETTINGS)
    if problem:
        log.debug("%s", problem)
    found = discover(settings, key=config.obsidian_key)
    if config.obsidian_url:
        key = config.obsidian_key or (found.key if found else "")
        return remote(
            config.obsidian_url, key, pem=found.pem if found else pin(app.places, config.obsidian_url), origin="the setting obsidian_url"
        )
    return found


def remote_client(url: str, config: Config, places: Places) -> tuple[Client, str]:
    """The client of a vault behind an address, and what to tell its owner. A certificate that is seen for the first time is pinned."""
    from vaultkit.store.obsidian import Client, remote
    from vaultkit.store.obsidian.client import fetch_certificate, fingerprint

    address = remote(url, config.obsidian_key, pem=pin(places, url), origin="the setting obsidian_key")
    told = ""
    if address.tls and not address.pem:
        pem = fetch_certificate(address)
        _write_pin(places, pem)
        address = remote(url, config.obsidian_key, pem=pem, origin="the setting obsidian_key")
        told = f"first contact with {address.url}: its certificate is pinned from now on (SHA-256 {fingerprint(pem)})"
    return Client(address, timeout=config.obsidian_timeout), told


def trust(places: Places, url: str, key: str) -> str:
    """Pin the certificate that the server shows now; its fingerprint."""
    from vaultkit.store.obsidian import remote
    from vaultkit.store.obsidian.client import fetch_certificate, fingerprint

    pem = fetch_certificate(remote(url, key))
    _write_pin(places, pem)
    return fingerprint(pem)


def pin(places: Places, url: str) -> str:
    """The certificate that is pinned for *url*, "" when there is none."""
    try:
        return _pin_file(places).read_text("ascii") if url.startswith("https:") else ""
    except (FileNotFoundError, UnicodeDecodeError):
        return ""


def _pin_file(places: Places) -> Path:
    return places.state / "obsidian.pem"


def _write_pin(places: Places, pem: str) -> None:
    places.state.mkdir(mode=0o700, parents=True, exist_ok=True)
    _pin_file(places).write_text(pem, "ascii")


# ── writing ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def apply(app: App, edits: Sequence[Edit], *, command: str) -> Applied:
    """Apply *edits*: rewrites of notes that a person has open through Obsidian, all others to the files."""
    files = app.files
    if not isinstance(files, FileStore):
        return files.apply(edits, command=command, session=app.session, now=app.clock())
    through = _live(app, edits)
    rest = [edit for edit in edits if edit not in through]
    if not through:
        return files.apply(edits, command=command, session=app.session, now=app.clock())
    client = client_of(app)
    assert client is not None  # _live asked
    from vaultkit.store.obsidian.store import rewrite

    files.check_cap([edit.path for edit in through], app.session)
    old = {edit.path: files.read(edit.path) for edit in through}
    changed = next((edit.path for edit in through if old[edit.path].hash != edit.expected), "")
    if changed:
        raise NoteChangedError(changed)
    applied = files.apply(rest, command=command, session=app.session, now=app.clock())
    touched: list[Touched] = []
    try:
        for edit in through:
            now = rewrite(client, edit.path, old[edit.path].data, edit.data)
            touched.append(Touched(edit.path, old[edit.path].data, hash_of(now)))
    except BaseException:
        for one in reversed(touched):
            client.put(one.path, one.before, expected=one.after)
        if applied.run:
            files.undo(run=applied.run, now=app.clock())
        raise
    run = files.enter(touched, command=f"{command} (through Obsidian)", session=app.session, now=app.clock())
    return Applied(applied.run or run, applied.hashes | {one.path: one.after for one in touched})


def _live(app: App, edits: Sequence[Edit]) -> list[Rewrite]:
    """The rewrites that Obsidian makes for us; none when it does not run."""
    rewrites = [edit for edit in edits if isinstance(edit, Rewrite) and edit.path.lower().endswith(".md")]
    if not rewrites or app.config.backend == "files" or (client := client_of(app)) is None:
        return []
    fresh = [edit for edit in rewrites if is_fresh(app, edit.path)]
    if len(fresh) == len(rewrites):
        return fresh
    try:
        active = client.active()
    except VaultkitError as error:
        log.warning("which note is open in Obsidian cannot be told: %s", error.message)
        active = ""
    return [edit for edit in rewrites if edit in fresh or edit.path == active]


def is_fresh(app: App, path: str) -> bool:
    """Was the file written in the last minutes (setting live_minutes)?"""
    try:
        return time.time() - app.files.resolve(path).stat().st_mtime < app.config.live_minutes * 60
    except OSError:
        return False
