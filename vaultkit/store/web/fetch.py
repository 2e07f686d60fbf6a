"""One page over HTTP, with the address checked when the connection is made and everything bounded."""

from __future__ import annotations

import ipaddress
import re
import socket
import ssl
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple
from urllib.parse import urljoin, urlsplit

from vaultkit.errors import UnsafeUrlError

HTML_CAP: Final = 5_000_000  # decoded bytes
PDF_CAP: Final = 20_000_000
MAX_HOPS: Final = 5
USER_AGENT: Final = "vaultkit (+https://pypi.org/project/vaultkit/)"
TYPES: Final = ("text/html", "application/xhtml+xml", "text/plain", "text/markdown", "application/pdf")

_CONNECT, _READ = 5.0, 10.0
# A body that grows more than this on decoding, past the cap, was made to do harm.
_BOMB_RATIO: Final = 20
_WALLED: Final = {401: "asks for a log-in", 402: "asks for payment", 403: "forbids reading it", 451: "is blocked for legal reasons"}
_NAT64: Final = ipaddress.ip_network("64:ff9b::/96")
_NAT64_LOCAL: Final = ipaddress.ip_network("64:ff9b:1::/48")
_SIX_TO_FOUR: Final = ipaddress.ip_network("2002::/16")
_TEREDO: Final = ipaddress.ip_network("2001::/32")


class Fetched(NamedTuple):
    """A page as it came, or why there is none (*problem*). *media* is the content type without parameters, *charset* what was declared."""

    url: str
    final_url: str
    status: int
    media: str
    charset: str
    data: bytes
    problem: str = ""


def fetch(url: str, *, allow: Sequence[str] = (), timeout: float = 30.0) -> Fetched:
    """Fetch *url*, redirects by hand, within *timeout* seconds in all.

    Raises UnsafeUrlError for what must not be fetched: another scheme than http(s), userinfo, an unusual port, an address that is not public
    (checked on what the name resolves to, at connect time, for each redirect), a decompression bomb. Everything else that goes wrong is a
    `problem` of the result. *allow* lists `host:port` pairs exempt from the address and port rules.
    """
    import httpcore
    import httpx

    deadline = time.monotonic() + timeout
    backend = _checked_backend(frozenset(allow), deadline)
    context = httpx.create_ssl_context(trust_env=False)
    with httpcore.ConnectionPool(ssl_context=context, network_backend=backend, http2=False, max_keepalive_connections=0) as pool:
        client = httpx.Client(transport=_transport(pool), trust_env=False, follow_redirects=False, headers={"User-Agent": USER_AGENT})
        at = url.strip()
        try:
            for _ in range(MAX_HOPS + 1):
                check_url(at, allow)
                client.cookies.clear()
                result, onward = _one(client, url, at, deadline)
                if result is not None:
                    return result
                at = urljoin(at, onward)
            return Fetched(url, at, 0, "", "", b"", f"redirects more than {MAX_HOPS} times")
        except httpx.InvalidURL as error:  # e.g. 0177.0.0.1, which resolvers take for loopback
            raise UnsafeUrlError(f"{at!r} is no URL that is fetched ({error})", hint="check it") from error
        except (httpx.HTTPError, httpcore.NetworkError, OSError, ssl.SSLError, UnicodeError) as error:
            return Fetched(url, at, 0, "", "", b"", _told(error, timeout))
        finally:
            client.close()


def check_url(url: str, allow: Sequence[str] = ()) -> None:
    """Raise UnsafeUrlError for a URL that must not even be tried."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise UnsafeUrlError(f"{url!r} is no URL ({error})", hint="check it") from error
    if parts.scheme.lower() not in {"http", "https"}:
        raise UnsafeUrlError(
            f"only http and https are fetched, not {parts.scheme}:", hint="to keep the line as text, write words beside it"
        )
    if parts.username is not None or parts.password is not None or "@" in parts.netloc:
        raise UnsafeUrlError("a URL with a user name in it is not fetched", hint="take the part before @ out")
    if not parts.hostname:
        raise UnsafeUrlError(f"{url!r} names no host", hint="check it")
    if any(ord(c) < 0x21 or ord(c) == 0x7F for c in url):
        raise UnsafeUrlError("a URL with control characters is not fetched", hint="check it")
    standard = 443 if parts.scheme.lower() == "https" else 80
    if port not in {None, 80, 443} and f"{parts.hostname}:{port or standard}" not in allow:
        raise UnsafeUrlError(f"port {port} is not fetched", hint=f"the setting fetch_allow = ['{parts.hostname}:{port}'] permits it")


def check_address(text: str) -> None:
    """Raise UnsafeUrlError unless the address is a public one; addresses that carry another inside are judged by both."""
    address = ipaddress.ip_address(text.split("%", maxsplit=1)[0])
    inner = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    judged = inner or address
    tunnelled = isinstance(judged, ipaddress.IPv6Address) and any(judged in net for net in (_NAT64, _NAT64_LOCAL, _SIX_TO_FOUR, _TEREDO))
    if tunnelled or not judged.is_global or judged.is_multicast or judged.is_unspecified or judged.is_reserved:
        raise UnsafeUrlError(
            f"{text} is not a public address", hint="pages of this machine and of private networks are not fetched (setting fetch_allow)"
        )


def _one(client: Any, url: str, at: str, deadline: float) -> tuple[Fetched | None, str]:
    """One hop: the result, or where to go on."""
    import httpx

    left = max(0.1, deadline - time.monotonic())
    times = httpx.Timeout(min(_READ, left), connect=min(_CONNECT, left))
    with client.stream("GET", at, timeout=times) as response:
        location = response.headers.get("location")
        if response.status_code in {301, 302, 303, 307, 308} and location:
            return None, location
        media, _, rest = response.headers.get("content-type", "").partition(";")
        media = media.strip().lower()
        charset = (re.search(r"charset\s*=\s*[\"']?([\w.:-]+)", rest, re.IGNORECASE) or ["", ""])[1]
        shell = Fetched(url, at, response.status_code, media, charset, b"")
        if response.status_code in _WALLED:
            return shell._replace(problem=f"the site {_WALLED[response.status_code]} ({response.status_code})"), ""
        if response.status_code >= 400:
            return shell._replace(problem=f"the site answered {response.status_code}"), ""
        if media and media not in TYPES:
            return shell._replace(problem=f"{media} is no page or PDF"), ""
        cap = PDF_CAP if media == "application/pdf" else HTML_CAP
        parts: list[bytes] = []
        size = 0
        for chunk in response.iter_bytes(65536):
            size += len(chunk)
            if size > cap:
                if response.num_bytes_downloaded * _BOMB_RATIO < size:
                    raise UnsafeUrlError(f"{at} unpacks to far more than it sends", hint="it was not read")
                return shell._replace(problem=f"larger than {cap // 1_000_000} MB"), ""
            if time.monotonic() > deadline:
                raise httpx.ReadTimeout("the whole page took too long")
            parts.append(chunk)
    return shell._replace(data=b"".join(parts)), ""


def _transport(pool: Any) -> Any:
    """An httpx transport over our own httpcore pool: httpx has no public way to hand it a network backend."""
    import httpcore
    import httpx

    mapped: tuple[tuple[type[Exception], type[httpx.TransportError]], ...] = (
        (httpcore.ConnectTimeout, httpx.ConnectTimeout),
        (httpcore.ReadTimeout, httpx.ReadTimeout),
        (httpcore.TimeoutException, httpx.PoolTimeout),
        (httpcore.ConnectError, httpx.ConnectError),
        (httpcore.NetworkError, httpx.ReadError),
        (httpcore.ProtocolError, httpx.RemoteProtocolError),
        (httpcore.UnsupportedProtocol, httpx.UnsupportedProtocol),
    )

    def translated(error: Exception) -> Exception:
        return next((to(str(error)) for kind, to in mapped if isinstance(error, kind)), error)

    class Body(httpx.SyncByteStream):
        def __init__(self, stream: Iterable[bytes]) -> None:
            self._stream = stream

        def __iter__(self) -> Iterator[bytes]:
            try:
                yield from self._stream
            except Exception as error:
                raise translated(error) from error

        def close(self) -> None:
            if hasattr(self._stream, "close"):
                self._stream.close()

    class Transport(httpx.BaseTransport):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            asked = httpcore.Request(
                method=request.method,
                url=httpcore.URL(
                    scheme=request.url.raw_scheme, host=request.url.raw_host, port=request.url.port, target=request.url.raw_path
                ),
                headers=request.headers.raw,
                content=request.stream,
                extensions=request.extensions,
            )
            try:
                answer = pool.handle_request(asked)
            except UnsafeUrlError:
                raise
            except Exception as error:
                raise translated(error) from error
            return httpx.Response(answer.status, headers=answer.headers, stream=Body(answer.stream), extensions=answer.extensions)

    return Transport()


def _checked_backend(allow: frozenset[str], deadline: float) -> Any:
    """A network backend that resolves the name itself, refuses when any answer is not public, and connects to the checked address."""
    import httpcore

    real = httpcore.SyncBackend()

    class Checked(httpcore.NetworkBackend):
        def connect_tcp(
            self, host: str, port: int, timeout: float | None = None, local_address: str | None = None, socket_options: Any = None
        ) -> Any:
            try:
                found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            except (OSError, UnicodeError) as error:
                raise httpcore.ConnectError(f"{host} cannot be resolved ({error})") from error
            addresses = list(dict.fromkeys(str(row[4][0]) for row in found))
            if f"{host}:{port}" not in allow:
                for address in addresses:
                    check_address(address)
            last: Exception | None = None
            for address in addresses:
                left = min(timeout or _CONNECT, deadline - time.monotonic())
                if left <= 0:
                    raise httpcore.ConnectTimeout("no time left")
                try:
                    return real.connect_tcp(address, port, timeout=left, local_address=local_address, socket_options=socket_options)
                except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                    last = error
            raise last or httpcore.ConnectError(f"{host} has no address")

        def connect_unix_socket(self, path: str, timeout: float | None = None, socket_options: Any = None) -> Any:
            del path, timeout, socket_options
            raise httpcore.UnsupportedProtocol("no Unix sockets")

        def sleep(self, seconds: float) -> None:
            time.sleep(seconds)

    return Checked()


def _told(error: Exception, timeout: float) -> str:
    import httpx

    if isinstance(error, httpx.ConnectTimeout):
        return "the site does not answer"
    if isinstance(error, httpx.TimeoutException):
        return f"the site was too slow (limit {timeout:g} s)"
    if isinstance(error, httpx.ConnectError):
        return f"no connection: {error}"
    return f"the page could not be read: {error}"
