"""Where a webhook may go: an https URL of the public internet, checked as text and again as resolved addresses.

Readers of URLs differ in what they take for a number, a name or a user, so the text must be plain. What counts in the
end is `permitted`, which sees the very address that is called.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

from shared.errors import AddressRefused, Unprocessable

MAX_URL_CHARS = 2_000
MAX_HOST_CHARS = 253
HTTPS_PORT = 443
FIELD = "delivery.webhook.url"
_EXAMPLE = "https://hooks.example.org/new-papers"
_URL = re.compile(r"https://(?P<authority>[^/?#]*)(?P<path>[^#]*)(?P<fragment>#.*)?", re.IGNORECASE)
_AUTHORITY = re.compile(r"(?P<host>\[[^\[\]]*\]|[^:\[\]]+)(:(?P<port>[0-9]{1,5}))?")
_PATH = re.compile(r"([A-Za-z0-9._~:/?\[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*")
_LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")  # as a host's last part, URL readers take the whole for an IPv4 address
_INWARD_NAMES = ("localhost", "localdomain", "local", "internal", "home.arpa")
# IANA's registries of special-purpose addresses, and two clouds' own services; the first match gives the reason.
_REFUSED = [
    (ip_network(network), reason)
    for reason, networks in {
        "a cloud's own service": "169.254.169.254/32 fd00:ec2::/32 168.63.129.16/32",
        "this machine's own address": "0.0.0.0/8 127.0.0.0/8 ::/128 ::1/128",
        "a private address": "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 fc00::/7 fec0::/10",
        "a carrier's inner address": "100.64.0.0/10",
        "an address of one link": "169.254.0.0/16 fe80::/10",
        "a multicast address": "224.0.0.0/4 ff00::/8",
        "an address for documentation": "192.0.2.0/24 198.51.100.0/24 203.0.113.0/24 2001:db8::/32 3fff::/20",
        "a reserved address": "192.0.0.0/24 192.88.99.0/24 198.18.0.0/15 240.0.0.0/4 2001::/23 64:ff9b:1::/48",
        "an IPv4 address inside an IPv6 one": "::/96 ::ffff:0:0/96 ::ffff:0:0:0/96 2002::/16",
    }.items()
    for network in networks.split()
]
_GLOBAL_UNICAST = IPv6Network("2000::/3")
_NAT64 = IPv6Network("64:ff9b::/96")  # the way to IPv4 of hosts that have none: as good as the address inside


@dataclass(frozen=True, slots=True)
class Target:
    """A webhook's receiver: `path` has the query too, and may hold the owner's token, so it is never shown."""

    host: str  # a DNS name or an IP address, without brackets
    port: int
    path: str = field(repr=False)

    @property
    def authority(self) -> str:
        """The value of the Host header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == HTTPS_PORT else f"{host}:{self.port}"


def check_url(url: str) -> Target:
    """Where the URL leads, if a webhook may go there. Raises Unprocessable on `delivery.webhook.url`."""
    if len(url) > MAX_URL_CHARS:
        raise _wrong(f"must have at most {MAX_URL_CHARS} characters")
    if not url.isascii() or not url.isprintable() or " " in url:
        raise _wrong("must be plain ASCII: write the host as xn--…, and other characters of the path as %XX")
    parts = _URL.fullmatch(url)
    if parts is None:
        raise _wrong(f"must begin with https://, like {_EXAMPLE}")
    if parts["fragment"] is not None:
        raise _wrong("must have no fragment (#…)")
    if "@" in parts["authority"]:
        raise _wrong("must have no user name or password; put a token into the query")
    authority = _AUTHORITY.fullmatch(parts["authority"].lower())
    if authority is None:
        raise _wrong(f"must name a host and, if need be, a port, like {_EXAMPLE}")
    port = int(authority["port"] or HTTPS_PORT)
    if not 0 < port < 65_536:
        raise _wrong("must have a port between 1 and 65535")
    if not _PATH.fullmatch(parts["path"]):
        raise _wrong("must have a path and query of URL characters; write others as %XX")
    path = parts["path"]
    return Target(_host(authority["host"]), port, path if path.startswith("/") else f"/{path}")


def refusal(address: str) -> str | None:
    """Why no webhook is sent to this IP address; None for a unicast address of the public internet."""
    try:
        ip = ip_address(address)
    except ValueError:
        return "no IP address"
    if isinstance(ip, IPv6Address):
        if ip.scope_id is not None:
            return "an address of one link"
        if ip in _NAT64:
            return refusal(str(IPv4Address(int(ip) & 0xFFFF_FFFF)))
    reason = next((reason for network, reason in _REFUSED if ip in network), None)
    if reason is None and not (ip.is_global and (ip.version == 4 or ip in _GLOBAL_UNICAST)):
        return "outside the public internet"
    return reason


def permitted(addresses: Sequence[str]) -> str:
    """The address to call: the first, if a webhook may be sent to all of them. Raises AddressRefused.

    All must be fine, for a name with one inward address among its others is a trap or a mistake.
    """
    if not addresses:
        raise AddressRefused("the receiver's host has no address")
    for address in addresses:
        if reason := refusal(address):  # the address itself is not told: it may be a secret of somebody's network
            raise AddressRefused(f"the receiver's host leads to {reason}; webhooks go to the public internet only")
    return addresses[0]


def _host(host: str) -> str:
    if host.startswith("["):
        return _literal(host[1:-1], IPv6Address, "[2606:4700::1111]")
    *others, last = host.split(".")
    if _NUMBER.fullmatch(last):
        return _literal(host, IPv4Address, "93.184.215.14")
    labels = [*others, last]
    if not others or len(host) > MAX_HOST_CHARS or not all(_LABEL.fullmatch(label) for label in labels):
        raise _wrong(f"must have a whole DNS name as host, in letters, digits, - and full stops, like {_EXAMPLE}")
    if any(host == name or host.endswith(f".{name}") for name in _INWARD_NAMES):
        raise _wrong("must have a host of the public internet")
    return host


def _literal(host: str, kind: type[IPv4Address] | type[IPv6Address], example: str) -> str:
    try:
        ip = kind(host)
    except ValueError:
        raise _wrong(f"must write an IP address in its usual form, like {example}") from None
    if reason := refusal(host):
        raise _wrong(f"must have a host of the public internet; this one is {reason}")
    if str(ip) != host:
        raise _wrong(f"must write an IP address in its usual form, like {example}")
    return host


def _wrong(message: str) -> Unprocessable:
    return Unprocessable.field(FIELD, message)
