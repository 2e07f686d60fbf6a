"""Where the plugin listens, with which key, behind which certificate. The key never leaves this value but in the header."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import urlsplit

from vaultkit.errors import ConfigError, RefusedError

PLUGIN_SETTINGS: Final = "plugins/obsidian-local-rest-api/data.json"
HTTPS_PORT: Final = 27124
HTTP_PORT: Final = 27123


@dataclass(frozen=True, slots=True)
class Address:
    """One server of the API. *pem* is the certificate that it must show, "" while none is known."""

    url: str
    key: str = field(repr=False)
    header: str = "Authorization"
    pem: str = field(default="", repr=False)
    origin: str = ""  # where it is from, for people

    @property
    def tls(self) -> bool:
        """Is it HTTPS?"""
        return self.url.startswith("https:")

    @property
    def host_port(self) -> tuple[str, int]:
        """Where its socket is."""
        parts = urlsplit(self.url)
        return parts.hostname or "", parts.port or (443 if self.tls else 80)


def discover(settings: Mapping[str, Any], *, key: str = "") -> Address | None:
    """The address that the plugin's own settings name, None when they name none. *key* goes before theirs.

    It listens on 127.0.0.1 by default, which its certificate names (`localhost` it does not).
    """
    theirs = settings.get("apiKey")
    key = key or (theirs if isinstance(theirs, str) else "")
    if not key:
        return None
    host = settings.get("bindingHost")
    host = host if isinstance(host, str) and host and host not in _ANY else "127.0.0.1"
    host = f"[{host}]" if ":" in host else host
    header = settings.get("authorizationHeaderName")
    header = header if isinstance(header, str) and _HEADER.match(header) else "Authorization"
    crypto = settings.get("crypto")
    pem = crypto.get("cert") if isinstance(crypto, dict) else ""
    if settings.get("enableSecureServer", True) is not False:
        port = _port(settings.get("port"), HTTPS_PORT)
        return Address(f"https://{host}:{port}", key, header, pem if isinstance(pem, str) else "", "the plugin's settings")
    if settings.get("enableInsecureServer") is True:
        port = _port(settings.get("insecurePort"), HTTP_PORT)
        return Address(f"http://{host}:{port}", key, header, "", "the plugin's settings")
    return None


def remote(url: str, key: str, *, pem: str = "", origin: str = "") -> Address:
    """An address that a person gave. Plain HTTP is for this machine only: the key would cross the network readable."""
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.username or parts.path not in {"", "/"} or parts.query:
        raise ConfigError(f"{url!r} is no address of a vault", hint="write https://host:27124")
    if parts.scheme == "http" and not _is_loopback(parts.hostname):
        raise RefusedError(f"{url} would send the key and the notes readable over the network", hint="write https://")
    if not key:
        raise ConfigError("a vault behind an address needs its key", hint="set VAULTKIT_OBSIDIAN_KEY to the one in the plugin's settings")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    port = parts.port or (HTTPS_PORT if parts.scheme == "https" else HTTP_PORT)
    return Address(f"{parts.scheme}://{host}:{port}", key, pem=pem, origin=origin)


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _port(value: object, default: int) -> int:
    return value if isinstance(value, int) and 0 < value < 1 << 16 else default


_ANY: Final = frozenset({"0.0.0.0", "::"})  # noqa: S104 - compared, not bound
_HEADER: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}\Z")
