"""Copies at addresses that others name: only files of public hosts over https, with bounded and checked redirects."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

import httpx
import pytest

from shared.errors import BadResponse, ProviderError, RateLimited, Unavailable
from shared.providers import deadline_sockets
from shared.providers.connection_pool import new_http
from shared.providers.granted_permit import GrantedPermit
from shared.providers.http_client import Client, RequestId
from shared.providers.located_copies import MAX_REDIRECTS, fetch_pdf
from shared.providers.provider import ANY_HOST
from shared.providers.public_addresses import NotAllowed, require_public

FILE = b"%PDF-1.7 and so on"
ADDRESS = "https://repository.example.org/a.pdf"


@dataclass(slots=True)
class Host:
    """Answers requests, and records what was requested and what the permits saw."""

    answer: Callable[[httpx.Request], httpx.Response]
    requested: list[str] = field(default_factory=list)
    permits: list[str] = field(default_factory=list)
    failures: list[BaseException] = field(default_factory=list)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requested.append(str(request.url))
        return self.answer(request)

    @contextmanager
    def permit(self, request: RequestId) -> Iterator[GrantedPermit]:
        self.permits.append(request.path)
        try:
            yield GrantedPermit(lambda _: None)
        except BaseException as error:
            self.failures.append(error)
            raise

    def client(self, base_url: str = ANY_HOST, http: httpx.Client | None = None) -> Client:
        return Client(
            title="Open copies",
            base_url=base_url,
            http=http or httpx.Client(transport=httpx.MockTransport(self)),
            time_left=lambda: 5.0,
            sleep=lambda _: None,
            jitter=lambda: 0.0,
            now=lambda: datetime(2026, 1, 1, tzinfo=UTC),
            permit=self.permit,
        )


def host(status: int = 200, body: bytes = FILE, **headers: str) -> Host:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Host(lambda _: httpx.Response(status, content=body, headers=named))


def redirecting(*locations: str) -> Host:
    """Answers the first requests by redirects to these addresses, and then with a file."""
    waiting = list(locations)
    return Host(
        lambda _: (
            httpx.Response(302, headers={"location": waiting.pop(0)}) if waiting else httpx.Response(200, content=FILE)
        )
    )


def test_a_file_is_fetched_once_with_a_permit_for_its_host() -> None:
    it = host(content_type="application/octet-stream")
    assert fetch_pdf(ADDRESS, it.client()).body == FILE
    assert (it.requested, it.permits) == ([ADDRESS], ["repository.example.org"])


def test_an_address_with_http_is_requested_with_https_and_without_its_fragment() -> None:
    it = host()
    assert fetch_pdf("http://repository.example.org/a.pdf?x=1#page=2", it.client()).body == FILE
    assert it.requested == [f"{ADDRESS}?x=1"]


def test_another_base_url_stands_for_all_hosts() -> None:
    it = host()
    assert fetch_pdf(ADDRESS, it.client("http://127.0.0.1:1/copies")).body == FILE
    assert it.requested == ["http://127.0.0.1:1/copies/repository.example.org/a.pdf"]


@pytest.mark.parametrize(
    "address",
    [
        "https://127.0.0.1/a.pdf", "https://[::1]/a.pdf", "https://169.254.169.254/latest/meta-data/", "https://10.0.0.1/",
        "https://localhost/a.pdf", "https://db.internal/a.pdf", "https://2130706433/a.pdf", "https://0x7f.1/a.pdf",
        "https://user:word@host.example.org/a.pdf", "ftp://host.example.org/a.pdf", "file:///etc/passwd",
        "https://host.example.org:99999/a.pdf", "https://host.example.org/a b.pdf",
        "https://host.example.org\\@127.0.0.1/", "https://single/a.pdf",
    ],
)  # fmt: skip
def test_an_address_that_is_not_public_is_never_requested(address: str) -> None:
    it, elsewhere = host(), redirecting(address)
    with pytest.raises(BadResponse, match="is not requested"):
        fetch_pdf(address, it.client())
    with pytest.raises(BadResponse, match="is not requested"):
        fetch_pdf(ADDRESS, elsewhere.client())
    assert (it.requested, elsewhere.requested) == ([], [ADDRESS])


def test_a_redirect_is_followed_to_another_host_and_from_a_relative_address() -> None:
    it = redirecting("/files/a", "//files.example.net/b.pdf", "http://files.example.net/c.pdf")
    assert fetch_pdf(ADDRESS, it.client()).body == FILE
    assert it.requested[1:] == [
        "https://repository.example.org/files/a",
        "https://files.example.net/b.pdf",
        "https://files.example.net/c.pdf",
    ]
    assert len(it.permits) == 4


@pytest.mark.parametrize("location", ["javascript:alert(1)", "https://[", "data:text/html,x"])
def test_a_redirect_to_what_is_no_address_is_refused(location: str) -> None:
    with pytest.raises(ProviderError):
        fetch_pdf(ADDRESS, redirecting(location).client())


def test_redirects_have_an_end() -> None:
    it = redirecting(*[f"/{n}" for n in range(50)])
    with pytest.raises(BadResponse, match="more than 5 times"):
        fetch_pdf(ADDRESS, it.client())
    assert len(it.requested) == 1 + MAX_REDIRECTS


@pytest.mark.parametrize(
    ("answered", "why"),
    [
        (host(404), "has no such copy"),
        (host(410), "has no such copy"),
        (host(401), "does not give the copy to programs"),
        (host(403), "does not give the copy to programs"),
        (host(body=b"<html>", content_type="text/html; charset=utf-8"), "sent text/html in place of a PDF"),
        (host(body=b"x" * 2000 + FILE), "sent something in place of a PDF"),
    ],
)
def test_an_address_without_a_pdf_has_none_and_says_why(answered: Host, why: str) -> None:
    copy = fetch_pdf(ADDRESS, answered.client())
    assert copy.body is None
    assert copy.why and why in copy.why


@pytest.mark.parametrize(
    ("answered", "error"),
    [
        (host(429, retry_after="30"), RateLimited), (host(500), Unavailable), (host(503), Unavailable),
        (host(302), BadResponse), (host(204, b""), BadResponse), (host(body=b""), BadResponse),
        (host(body=b"broken", content_type="application/pdf"), BadResponse),
    ],
)  # fmt: skip
def test_a_host_that_fails_is_a_failure_and_no_evidence_about_other_hosts(
    answered: Host, error: type[ProviderError]
) -> None:
    with pytest.raises(error) as raised:
        fetch_pdf(ADDRESS, answered.client())
    assert "repository.example.org" in raised.value.message
    assert (len(answered.requested), answered.failures) == (1, [])
    assert raised.value.retry_after_s == (30.0 if error is RateLimited else None)


def test_a_host_that_cannot_be_reached_is_not_tried_again() -> None:
    def fail(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused", request=request)

    it = Host(fail)
    with pytest.raises(Unavailable):
        fetch_pdf(ADDRESS, it.client())
    assert (len(it.requested), it.failures) == (1, [])


@pytest.mark.parametrize("addresses", [["127.0.0.1"], ["93.184.215.14", "10.0.0.1"], ["::1"], ["169.254.169.254"]])
def test_no_connection_is_made_to_a_name_that_leads_to_an_internal_address(
    addresses: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The addresses that are checked are those of the connection: a second look-up cannot lead elsewhere."""
    tried: list[str] = []
    monkeypatch.setattr(deadline_sockets, "look_up", lambda host, port: addresses)
    monkeypatch.setattr("socket.create_connection", lambda *it, **_: tried.append(str(it)))
    with new_http(None, any_host=True) as http, pytest.raises(BadResponse, match="addresses are all public"):
        fetch_pdf(ADDRESS, host().client(http=http))
    assert tried == []


def test_only_a_client_for_any_host_checks_addresses() -> None:
    require_public(["93.184.215.14", "2606:4700::1111"])
    with pytest.raises(NotAllowed):
        require_public(["127.0.0.1"])
