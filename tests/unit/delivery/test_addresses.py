"""Where a webhook may go: URLs as text, and addresses as they resolve."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.delivery.addresses import check_url, permitted
from shared.delivery.errors import AddressRefused
from shared.errors import Unprocessable
from shared.providers.public_addresses import Target, is_public

V4 = st.integers(0, 2**32 - 1).map(IPv4Address)
V6 = st.integers(0, 2**128 - 1).map(IPv6Address)


@pytest.mark.parametrize(("url", "target", "authority"), [
    ("https://hooks.example.org/new", Target("hooks.example.org", 443, "/new"), "hooks.example.org"),
    ("HTTPS://Hooks.Example.ORG/New", Target("hooks.example.org", 443, "/New"), "hooks.example.org"),
    ("https://hooks.example.org", Target("hooks.example.org", 443, "/"), "hooks.example.org"),
    ("https://hooks.example.org?a[]=1&b=%C3%A4", Target("hooks.example.org", 443, "/?a[]=1&b=%C3%A4"),
     "hooks.example.org"),
    ("https://hooks.example.org/?to=me@example.org", Target("hooks.example.org", 443, "/?to=me@example.org"),
     "hooks.example.org"),
    ("https://hooks.example.org:8443/a//b", Target("hooks.example.org", 8443, "/a//b"), "hooks.example.org:8443"),
    ("https://xn--mnchen-3ya.example/", Target("xn--mnchen-3ya.example", 443, "/"), "xn--mnchen-3ya.example"),
    ("https://1.2.example/", Target("1.2.example", 443, "/"), "1.2.example"),
    ("https://local.example.org/", Target("local.example.org", 443, "/"), "local.example.org"),
    ("https://8.8.8.8/", Target("8.8.8.8", 443, "/"), "8.8.8.8"),
    ("https://[2606:4700::1111]:8443/", Target("2606:4700::1111", 8443, "/"), "[2606:4700::1111]:8443"),
])  # fmt: skip
def test_a_public_https_url_is_a_target(url: str, target: Target, authority: str) -> None:
    assert check_url(url) == target
    assert check_url(url).authority == authority


def test_a_target_does_not_show_its_path() -> None:
    assert "hidden" not in repr(check_url("https://hooks.example.org/?token=hidden"))


REFUSED = {
    "no url": ("", "begin with https"),
    "plain http": ("http://hooks.example.org/", "begin with https"),
    "another scheme": ("file:///etc/passwd", "begin with https"),
    "no slashes": ("https:hooks.example.org", "begin with https"),
    "backslashes": ("https:\\\\hooks.example.org", "begin with https"),
    "too long": ("https://hooks.example.org/" + "a" * 1_975, "2,000|2000"),
    "user": ("https://me@hooks.example.org/", "user name"),
    "user and password": ("https://hooks.example.org:pw@127.0.0.1/", "user name"),
    "backslash before at": ("https://hooks.example.org\\@127.0.0.1/", "user name"),
    "backslash as slash": ("https://127.0.0.1\\.example.org/", "DNS name"),
    "fragment": ("https://hooks.example.org/#a", "fragment"),
    "empty fragment": ("https://hooks.example.org/#", "fragment"),
    "fragment before at": ("https://hooks.example.org#@127.0.0.1/", "fragment"),
    "line feed": ("https://hooks.example.org/\n", "ASCII"),
    "header injection": ("https://hooks.example.org/ HTTP/1.1\r\nX: y", "ASCII"),
    "tab in host": ("https://hooks.exa\tmple.org/", "ASCII"),
    "null": ("https://hooks.example.org/\x00", "ASCII"),
    "space in front": (" https://hooks.example.org/", "ASCII"),
    "broken escape": ("https://hooks.example.org/%zz", "URL characters"),
    "no host": ("https:///path", "name a host"),
    "empty port": ("https://hooks.example.org:/", "name a host"),
    "two ports": ("https://hooks.example.org:443:22/", "name a host"),
    "port 0": ("https://hooks.example.org:0/", "port between"),
    "port too high": ("https://hooks.example.org:65536/", "port between"),
    "no dot": ("https://receiver/", "DNS name"),
    "empty label": ("https://hooks..example.org/", "DNS name"),
    "leading dot": ("https://.example.org/", "DNS name"),
    "leading hyphen": ("https://-a.example.org/", "DNS name"),
    "underscore": ("https://a_b.example.org/", "DNS name"),
    "long label": (f"https://{'a' * 64}.example.org/", "DNS name"),
    "long name": (f"https://{'a.' * 125}example/", "DNS name"),
    "comma": ("https://a,b.example.org/", "DNS name"),
    "localhost": ("https://localhost/", "DNS name"),
    "localhost with a dot": ("https://localhost./", "DNS name"),
    "under localhost": ("https://a.localhost/", "public internet"),
    "under local": ("https://printer.local/", "public internet"),
    "under internal": ("https://metadata.google.internal/", "public internet"),
    "under internal, large": ("https://IP-10-0-0-1.EC2.INTERNAL/", "public internet"),
    "under home.arpa": ("https://router.home.arpa/", "public internet"),
    "dot at the end": ("https://hooks.example.org./", "DNS name"),
    "dot after local": ("https://printer.local./", "DNS name"),
    "dot after an address": ("https://127.0.0.1./", "DNS name"),
    "loopback": ("https://127.0.0.1/", "not a public address"),
    "metadata": ("https://169.254.169.254/latest/", "not a public address"),
    "private": ("https://10.0.0.1:8443/", "not a public address"),
    "decimal": ("https://2130706433/", "IP address in its usual form"),
    "hexadecimal": ("https://0x7f000001/", "IP address in its usual form"),
    "hexadecimal part": ("https://0x7f.1/", "IP address in its usual form"),
    "hexadecimal last part": ("https://127.0.0.0x1/", "IP address in its usual form"),
    "hexadecimal of nothing": ("https://127.0.0.0x/", "IP address in its usual form"),
    "octal": ("https://0177.0.0.1/", "IP address in its usual form"),
    "leading zeros of a public one": ("https://08.8.8.8/", "IP address in its usual form"),
    "short": ("https://127.1/", "IP address in its usual form"),
    "five parts": ("https://1.2.3.4.5/", "IP address in its usual form"),
    "too large a part": ("https://256.1.1.1/", "IP address in its usual form"),
    "name that ends in a number": ("https://example.org.1/", "IP address in its usual form"),
    "fullwidth digits": ("https://１２７.０.０.１/", "ASCII"),
    "circled digit": ("https://①27.0.0.1/", "ASCII"),
    "ideographic full stop": ("https://127。0。0。1/", "ASCII"),
    "letters of other scripts": ("https://ｌocalhost.example/", "ASCII"),
    "percent-encoded host": ("https://127.0.0.%31/", "DNS name"),
    "percent-encoded name": ("https://%6cocalhost/", "DNS name"),
    "IPv6 loopback": ("https://[::1]/", "not a public address"),
    "IPv6 mapped": ("https://[::ffff:8.8.8.8]/", "not a public address"),
    "IPv6 mapped loopback": ("https://[::ffff:7f00:1]/", "not a public address"),
    "IPv6 zone": ("https://[fe80::1%25eth0]/", "not a public address"),
    "IPv6 zone of a public one": ("https://[2606:4700::1111%eth0]/", "not a public address"),
    "IPv6 unique local": ("https://[fd00:ec2::254]/", "not a public address"),
    "IPv6 not shortened": ("https://[2606:4700:0:0:0:0:0:1111]/", "IP address in its usual form"),
    "IPv6 without brackets": ("https://2606:4700::1111/", "name a host"),
    "IPv4 in brackets": ("https://[8.8.8.8]/", "name a host|usual form"),
    "IPvFuture": ("https://[v1.a]/", "name a host|DNS name"),
    "before the brackets": ("https://a[2606:4700::1111]/", "name a host"),
    "after the brackets": ("https://[2606:4700::1111]a:443/", "name a host"),
    "leading zeros of a port": ("https://hooks.example.org:0443/", "name a host"),
    "port that is not a number": ("https://hooks.example.org:https/", "name a host"),
    "open bracket": ("https://[::1/", "name a host"),
}  # fmt: skip


@pytest.mark.parametrize(("url", "message"), REFUSED.values(), ids=REFUSED)
def test_internal_and_ambiguous_addresses_are_refused(url: str, message: str) -> None:
    with pytest.raises(Unprocessable, match=message) as refused:
        check_url(url)
    assert [fault.field for fault in refused.value.errors] == ["delivery.webhook.url"]


@given(st.text(max_size=60).map(lambda text: f"https://{text}"))
def test_every_text_is_a_target_or_unprocessable(url: str) -> None:
    try:
        target = check_url(url)
    except Unprocessable:
        return
    assert target.path.startswith("/")
    assert target.host.isascii()
    assert "." in target.host or ":" in target.host


@given(V4 | V6)
def test_a_url_of_an_address_is_taken_when_the_address_is(ip: IPv4Address | IPv6Address) -> None:
    host = f"[{ip}]" if ip.version == 6 else str(ip)
    if not is_public(str(ip)):
        with pytest.raises(Unprocessable):
            check_url(f"https://{host}/")
    else:
        assert check_url(f"https://{host}/").host == str(ip)


@pytest.mark.parametrize("address", [
    "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
    "128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0",
    "198.17.255.255", "198.20.0.0", "223.255.255.255", "2606:4700::1111", "2a00:1450::1", "2001:200::1",
    "2001:4860:4860::8888", "2003::1", "64:ff9b::808:808",
])  # fmt: skip
def test_the_public_internet_is_permitted_up_to_its_borders(address: str) -> None:
    assert is_public(address)
    assert permitted([address]) == address


@pytest.mark.parametrize(("first", "last"), [
    ("0.0.0.0", "0.255.255.255"),
    ("10.0.0.0", "10.255.255.255"),
    ("100.64.0.0", "100.127.255.255"),
    ("127.0.0.0", "127.255.255.255"),
    ("169.254.0.0", "169.254.255.255"),
    ("169.254.169.254", "169.254.169.254"),
    ("168.63.129.16", "168.63.129.16"),
    ("172.16.0.0", "172.31.255.255"),
    ("192.0.0.0", "192.0.0.255"),
    ("192.0.2.0", "192.0.2.255"),
    ("192.88.99.0", "192.88.99.255"),
    ("192.168.0.0", "192.168.255.255"),
    ("198.18.0.0", "198.19.255.255"),
    ("198.51.100.0", "198.51.100.255"),
    ("203.0.113.0", "203.0.113.255"),
    ("224.0.0.0", "239.255.255.255"),
    ("240.0.0.0", "255.255.255.255"),
    ("::", "::1"),
    ("::127.0.0.1", "::808:808"),
    ("::ffff:0:0", "::ffff:ffff:ffff"),
    ("::ffff:0:127.0.0.1", "::ffff:0:808:808"),
    ("64:ff9b::7f00:1", "64:ff9b::7fff:ffff"),
    ("64:ff9b::a9fe:a9fe", "64:ff9b::169.254.169.254"),
    ("64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff"),
    ("100::", "1fff::"),
    ("2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff"),  # Teredo, ORCHID, benchmarks …
    ("2001:db8::", "2001:db8:ffff::1"),
    ("2002::", "2002:808:808::1"),
    ("3fff::", "3fff:fff::"),
    ("4000::", "fbff::"),
    ("fc00::", "fdff::"),
    ("fd00:ec2::254", "fd00:ec2::23"),
    ("fe80::", "febf::1"),
    ("fec0::", "feff::"),
    ("ff00::", "ffff::"),
    ("2606:4700::1111%eth0", "fe80::1%1"),
    ("", "hooks.example.org"),
    ("2130706433", "127.1"),
    ("0177.0.0.1", "0x7f.1"),
])  # fmt: skip
def test_an_address_outside_the_public_internet_is_refused(first: str, last: str) -> None:
    for address in (first, last):
        assert not is_public(address)
        with pytest.raises(AddressRefused, match="not public") as refused:
            permitted(["8.8.8.8", address, "1.1.1.1"])
        assert not address or address not in refused.value.message


def test_a_host_without_addresses_is_refused() -> None:
    with pytest.raises(AddressRefused, match="no address"):
        permitted([])


def test_the_first_of_several_good_addresses_is_called() -> None:
    assert permitted(["2606:4700::1111", "8.8.8.8"]) == "2606:4700::1111"


@given(V4 | V6)
def test_no_permitted_address_is_special_to_the_standard_library(ip: IPv4Address | IPv6Address) -> None:
    if is_public(str(ip)):
        assert ip.is_global
        assert not (ip.is_multicast or ip.is_private or (ip.is_reserved and ip.version == 4) or ip.is_unspecified)


@given(V4.filter(lambda ip: not is_public(str(ip))))
def test_an_internal_address_is_refused_in_every_ipv6_form(ip: IPv4Address) -> None:
    number = int(ip)
    dresses = [number, 0xFFFF << 32 | number, 0xFFFF << 48 | number, 0x64FF9B << 96 | number]
    dresses += [0x2002 << 112 | number << 80, 0x20010000 << 96 | (number ^ 0xFFFFFFFF), 0x64FF9B0001 << 80 | number]
    for dress in dresses:
        assert not is_public(str(ip_address(IPv6Address(dress))))
