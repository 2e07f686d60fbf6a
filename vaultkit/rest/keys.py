"""The key and the certificate: from the command line, the state folder, or the plugin's own settings, so that clients need no change."""

from __future__ import annotations

import os
import re
import secrets
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final, NamedTuple

from vaultkit.app import App
from vaultkit.errors import RefusedError, UsageError
from vaultkit.store.files.disk import explain_state

PLUGIN: Final = "plugins/obsidian-local-rest-api/data.json"
_KEY: Final = re.compile(r"[!-~]{8,512}")
_HEADER: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}")


class Keys(NamedTuple):
    """What a request must bring: the key, in that header. *origin* says where it is from, for people."""

    key: str
    header: str = "Authorization"
    origin: str = ""


class Certificate(NamedTuple):
    """A certificate with its private key, both in files that only the user can read."""

    pem: bytes
    cert_file: Path
    key_file: Path
    origin: str

    def days_left(self, now: datetime) -> int:
        """Whole days for which it is valid still."""
        from cryptography import x509

        return (x509.load_pem_x509_certificate(self.pem).not_valid_after_utc.replace(tzinfo=None) - now).days


def choose_keys(app: App, key: str | None) -> Keys:
    """The key that holds: *key*, else the plugin's, else that of the state folder (made when missing)."""
    settings = _plugin(app)
    header = settings.get("authorizationHeaderName")
    header = header if isinstance(header, str) and _HEADER.fullmatch(header) else "Authorization"
    if key is not None:
        if not _KEY.fullmatch(key):
            raise UsageError("--key: a key is 8 to 512 printable ASCII characters", hint="leave --key out, and one is made")
        return Keys(key, header, "--key")
    theirs = settings.get("apiKey")
    if isinstance(theirs, str) and _KEY.fullmatch(theirs):
        return Keys(theirs, header, "the plugin's settings")
    file = _folder(app) / "key"
    found = _read(file).decode("ascii", "replace").strip() if file.exists() else ""
    if not _KEY.fullmatch(found):
        found = secrets.token_hex(32)
        _write(file, f"{found}\n".encode())
    return Keys(found, header, str(file))


def choose_certificate(app: App, names: list[str], *, now: datetime) -> Certificate:
    """The plugin's certificate when it is usable, else that of the state folder, made anew when it has run out or lacks a name."""
    folder = _folder(app)
    crypto = _plugin(app).get("crypto")
    if isinstance(crypto, dict) and isinstance(crypto.get("cert"), str) and isinstance(crypto.get("privateKey"), str):
        cert, key = crypto["cert"].encode(), crypto["privateKey"].encode()
        if _usable(cert, key, now=now):
            _write(folder / "plugin-cert.pem", cert)
            _write(folder / "plugin-key.pem", key)
            return Certificate(cert, folder / "plugin-cert.pem", folder / "plugin-key.pem", "the plugin's settings")
    cert_file, key_file = folder / "cert.pem", folder / "key.pem"
    if cert_file.exists() and key_file.exists():
        cert = _read(cert_file)
        if _usable(cert, _read(key_file), now=now, names=names):
            return Certificate(cert, cert_file, key_file, str(cert_file))
    cert, key = _generate(names, now=now)
    _write(key_file, key)
    _write(cert_file, cert)
    return Certificate(cert, cert_file, key_file, str(cert_file))


def plugin_port(app: App, *, tls: bool) -> int | None:
    """The port that the plugin is set to, where its clients look."""
    found = _plugin(app).get("port" if tls else "insecurePort")
    return found if isinstance(found, int) and 0 < found < 65536 else None


def _plugin(app: App) -> dict[str, Any]:
    return app.obsidian(PLUGIN)[0]


def _usable(cert: bytes, key: bytes, *, now: datetime, names: list[str] | None = None) -> bool:
    """Whether the two belong together, are valid, and name all that is asked for."""
    from cryptography import x509
    from cryptography.hazmat.primitives import serialization

    try:
        found = x509.load_pem_x509_certificate(cert)
        private = serialization.load_pem_private_key(key, None)
        spki = (serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
        if private.public_key().public_bytes(*spki) != found.public_key().public_bytes(*spki):
            return False
        alternative = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (ValueError, TypeError, x509.ExtensionNotFound):
        return False
    known = {*alternative.get_values_for_type(x509.DNSName), *map(str, alternative.get_values_for_type(x509.IPAddress))}
    valid = found.not_valid_before_utc.replace(tzinfo=None) - timedelta(days=2) <= now < found.not_valid_after_utc.replace(tzinfo=None)
    return valid and known >= set(names or ())


def _generate(names: list[str], *, now: datetime) -> tuple[bytes, bytes]:
    """A self-signed certificate for a year, as the plugin makes them, and its key."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import rsa
    from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

    private = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Obsidian Local REST API")])
    start = now.replace(tzinfo=UTC, microsecond=0) - timedelta(days=1)  # local time read as UTC: a day's margin
    alternative: list[x509.GeneralName] = []
    for item in names:
        try:
            alternative.append(x509.IPAddress(ip_address(item)))
        except ValueError:
            alternative.append(x509.DNSName(item))
    built = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(start)
        .not_valid_after(start + timedelta(days=366))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName(alternative), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(private.public_key()), critical=False)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(private, hashes.SHA256())
    )
    pem = private.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return built.public_bytes(serialization.Encoding.PEM), pem


def _folder(app: App) -> Path:
    folder = app.places.state / "rest"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise explain_state(error, str(app.places.state)) from error
    return folder


def _read(file: Path) -> bytes:
    """A secret's file; one that others can read is refused."""
    try:
        if file.stat().st_mode & 0o077:
            raise RefusedError(f"{file} can be read by others", hint=f"chmod 600 {file}, or delete it and a new one is made")
        return file.read_bytes()
    except OSError as error:
        raise explain_state(error, str(file)) from error


def _write(file: Path, data: bytes) -> None:
    temp = file.with_name(f"{file.name}.{os.getpid()}.tmp")
    try:
        temp.unlink(missing_ok=True)
        fd = os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        with os.fdopen(fd, "wb") as target:
            target.write(data)
        temp.replace(file)
    except OSError as error:
        raise explain_state(error, str(file.parent)) from error
