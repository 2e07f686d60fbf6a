"""What there is of Obsidian beside the files, and what of it can be asked for by name."""

from __future__ import annotations

from typing import NamedTuple

from vaultkit.app import App, live
from vaultkit.errors import ObsidianError, UsageError, VaultkitError
from vaultkit.store.obsidian import Client, ObsidianStore


class Status(NamedTuple):
    """What was found. *state*: running, headless, off, unconfigured, not-running, wrong-key, too-old, tls, timeout or failed."""

    state: str
    url: str
    plugin: str
    obsidian: str
    backend: str
    key_from: str
    certificate: str  # SHA-256 of the pinned one
    active: str
    daily: str
    through: tuple[str, ...]  # what will go through Obsidian
    direct: tuple[str, ...]  # what goes to the files
    message: str
    hint: str


def status(app: App) -> Status:
    """Look anew. Never raises for what is wrong with Obsidian: that is the answer."""
    if isinstance(app.files, ObsidianStore):
        return _remote_status(app, app.files.client)
    found = live.connection(app, again=True)
    look = found.look
    active = daily = ""
    message = look.message
    if found.client is not None:
        try:
            active, daily = found.client.active(), found.client.periodic("daily")
        except VaultkitError as error:
            message = error.message
    return _status(app, look, active, daily, message, remote=False)


def client(app: App) -> Client:
    """The client of the running Obsidian. Raises ObsidianError when there is none."""
    if isinstance(app.files, ObsidianStore):
        return app.files.client
    found = live.connection(app)
    if found.client is None:
        raise ObsidianError(found.look.state, found.look.message or "no running Obsidian answers for this vault", hint=found.look.hint)
    return found.client


def trust(app: App) -> str:
    """Pin the certificate that the vault's address shows now; its fingerprint."""
    config = app.config
    url = app.files.client.address.url if isinstance(app.files, ObsidianStore) else config.obsidian_url
    if not url.startswith("https:"):
        raise UsageError("which address?", hint="`vaultkit --vault https://host:27124 obsidian trust`, or set obsidian_url")
    return live.trust(app.places, url, config.obsidian_key)


def _remote_status(app: App, client: Client) -> Status:
    try:
        look = live.Look("running", client.address, client.greet(again=True))
        return _status(app, look, client.active(), client.periodic("daily"), "", remote=True)
    except ObsidianError as error:
        return _status(app, live.Look(error.state, client.address, None), "", "", error.message, remote=True, hint=error.hint)


def _status(app: App, look: live.Look, active: str, daily: str, message: str, *, remote: bool, hint: str = "") -> Status:
    from vaultkit.store.obsidian.client import fingerprint

    address, greeting = look.address, look.greeting
    through, direct = _ways(app, look.state, remote=remote)
    return Status(
        state=look.state,
        url=address.url if address else "",
        plugin=greeting.text if greeting else "",
        obsidian=greeting.obsidian if greeting else "",
        backend=app.config.backend,
        key_from=address.origin if address else "",
        certificate=fingerprint(address.pem) if address and address.pem else "",
        active=active,
        daily=daily,
        through=through,
        direct=direct,
        message=message,
        hint=hint or look.hint,
    )


def _ways(app: App, state: str, *, remote: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if remote:
        return ("everything",), ()
    if state != "running":
        return (), ("everything",)
    minutes = app.config.live_minutes
    edited = f"rewrites of the note in front, and of notes changed in the last {minutes} minutes"
    return (edited, "open", "obsidian commands, obsidian run"), ("all reading", "all other writing")
