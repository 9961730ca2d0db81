"""Checks of addresses that others name: https to the public internet only, as text and as resolved addresses (SSRF).

URL parsers differ in what they accept as a number, a name or a user, so the text must be in plain form. In the end the
very address is checked that a client connects to (`is_public`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

MAX_URL_CHARS = 2_000
MAX_HOST_CHARS = 253
HTTPS_PORT = 443
_SCHEME = "https://"
_EXAMPLE = "https://hooks.example.org/new-papers"
_AUTHORITY = f"must name a host and, if need be, a port between 1 and 65535, like {_EXAMPLE}"
_PATH = re.compile(r"([A-Za-z0-9._~:/?\[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*")
_LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")  # URL parsers read a host with such a last label as an IPv4 address
_INTERNAL_NAMES = ("localhost", "localdomain", "local", "internal", "home.arpa")
# Networks that `is_global` of some Python version reports as public: protocol assignments, 6to4 relays, Azure's
# metadata service, Teredo and others, 6to4, documentation (IANA's registries of special-purpose addresses).
_NOT_GLOBAL = [
    ip_network(network)
    for network in ["192.0.0.0/24", "192.88.99.0/24", "168.63.129.16/32", "2001::/23", "2002::/16", "3fff::/20"]
]
_GLOBAL_UNICAST = IPv6Network("2000::/3")  # excludes IPv4-mapped, local, multicast and unassigned addresses
_NAT64 = IPv6Network("64:ff9b::/96")  # IPv4 through a translator (RFC 6052): as public as the embedded address


class NotAllowed(ValueError):
    """An address that is not requested; the message continues its name: "must …"."""


@dataclass(frozen=True, slots=True)
class Target:
    """An address in parts. `path` includes the query; a webhook's may hold its owner's token, so it is never shown."""

    host: str  # a DNS name or an IP address, without brackets
    port: int
    path: str = field(repr=False)

    @property
    def authority(self) -> str:
        """The value of the Host header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == HTTPS_PORT else f"{host}:{self.port}"


def read_target(url: str) -> Target:
    """Parse and check an https URL. Raises NotAllowed."""
    if len(url) > MAX_URL_CHARS:
        raise NotAllowed(f"must have at most {MAX_URL_CHARS} characters")
    if not url.isascii() or not url.isprintable() or " " in url:
        raise NotAllowed("must be plain ASCII: write the host as xn--…, and other characters of the path as %XX")
    if not url.lower().startswith(_SCHEME):
        raise NotAllowed(f"must begin with https://, like {_EXAMPLE}")
    if "#" in url:
        raise NotAllowed("must have no fragment (#…)")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", HTTPS_PORT if parts.port is None else parts.port
    except ValueError:  # an unmatched bracket, or a port that is not a number
        raise NotAllowed(_AUTHORITY) from None
    if "@" in parts.netloc:
        raise NotAllowed("must have no user name or password; put a token into the query")
    written = f"[{host}]" if ":" in host else host
    if not host or not port or parts.netloc.lower() not in (written, f"{written}:{port}"):
        raise NotAllowed(_AUTHORITY)
    path = url[len(_SCHEME) + len(parts.netloc) :]
    if not _PATH.fullmatch(path):
        raise NotAllowed("must have a path and query of URL characters; write others as %XX")
    return Target(_checked_host(host), port, path if path.startswith("/") else f"/{path}")


def is_public(address: str) -> bool:
    """Return whether the text is a unicast IP address of the public internet."""
    try:
        ip = ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, IPv6Address):
        if ip in _NAT64:
            return ip.scope_id is None and is_public(str(IPv4Address(int(ip) & 0xFFFF_FFFF)))
        if ip.scope_id is not None or ip not in _GLOBAL_UNICAST:
            return False
    return ip.is_global and not ip.is_multicast and not any(ip in network for network in _NOT_GLOBAL)


def _checked_host(host: str) -> str:
    *others, last = host.split(".")
    if ":" in host or _NUMBER.fullmatch(last):
        return _checked_literal(host)
    if not others or len(host) > MAX_HOST_CHARS or not all(_LABEL.fullmatch(label) for label in (*others, last)):
        raise NotAllowed(f"must have a whole DNS name as host, in letters, digits, - and full stops, like {_EXAMPLE}")
    if any(host == name or host.endswith(f".{name}") for name in _INTERNAL_NAMES):
        raise NotAllowed("must have a host of the public internet")
    return host


def _checked_literal(host: str) -> str:
    try:
        usual = str(ip_address(host))
    except ValueError:
        usual = ""
    if usual and not is_public(host):
        raise NotAllowed("must have a host of the public internet; this one is not a public address")
    if usual != host:
        raise NotAllowed("must write an IP address in its usual form, like 93.184.215.14 or [2606:4700::1111]")
    return host


def require_public(addresses: Sequence[str]) -> None:
    """Raise NotAllowed unless all addresses of a host are public; one internal address among them is an attack."""
    if not all(map(is_public, addresses)):
        raise NotAllowed("must have a host whose addresses are all public")
