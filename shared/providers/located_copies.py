"""Fetches the copy of a paper from an address that another source names: a file on any public host.

Only https is requested (an address with http is tried as https), on public hosts, and each redirect is checked like
the address itself. One attempt: a host that refuses or is slow is not asked again in the same leg.
Signature of a PDF: ISO 32000-2, 7.5.2; readers accept it within the first 1024 bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urljoin

from shared.errors import BadResponse
from shared.providers.answer_bodies import Answer
from shared.providers.exchange_errors import passing_error
from shared.providers.http_client import Client
from shared.providers.provider import ANY_HOST
from shared.providers.public_addresses import NotAllowed, Target, read_target
from shared.providers.redirects import STATUSES

MAX_REDIRECTS = 5
_SIGNATURE, _SIGNATURE_BYTES = b"%PDF-", 1024
_GONE = (404, 410)
_REFUSED = (401, 402, 403, 451)  # it would refuse the next request too, so that this is not an outage


@dataclass(frozen=True, slots=True)
class PdfCopy:
    """A file, or, without one, `why` there is none."""

    body: bytes | None
    why: str | None = None


def fetch_pdf(address: str, client: Client) -> PdfCopy:
    """The PDF at an address. Raises ProviderError if the host does not answer, or is not a public one."""
    target = _target(address)
    for _ in range(1 + MAX_REDIRECTS):
        try:
            answer = client.fetch(_requested(target, client.base_url))
        except NotAllowed as error:
            raise BadResponse(f"the host of the copy is not requested: it {error}") from error
        location = answer.headers.get("location")
        if answer.status not in STATUSES or not location:
            return _copy(answer, target.host, client)
        target = _target(_joined(target, location))
    raise BadResponse(f"the address of the copy redirected more than {MAX_REDIRECTS} times")


def _joined(target: Target, location: str) -> str:
    try:
        return urljoin(f"https://{target.authority}{target.path}", location)
    except ValueError as error:  # an unmatched bracket
        raise BadResponse("the address of the copy redirected to one that cannot be read") from error


def _target(address: str) -> Target:
    scheme, _, rest = address.partition("#")[0].partition("://")
    try:
        return read_target(f"https://{rest}" if scheme.lower() == "http" else address.partition("#")[0])
    except NotAllowed as error:
        raise BadResponse(f"the address of the copy is not requested: it {error}") from error


def _requested(target: Target, base_url: str) -> str:
    """The address itself; or, if the provider is directed to another base URL, the path below it that stands for it."""
    place = f"{target.authority}{target.path}"
    return f"https://{place}" if base_url == ANY_HOST else f"{base_url}/{place}"


def _copy(answer: Answer, host: str, client: Client) -> PdfCopy:
    if answer.status in _GONE:
        return PdfCopy(None, f"{host} has no such copy (HTTP {answer.status})")
    if answer.status in _REFUSED:
        return PdfCopy(None, f"{host} does not give the copy to programs (HTTP {answer.status})")
    if answer.status != 200:
        unexpected = BadResponse(f"{host} answered HTTP {answer.status}, which is unexpected", status=answer.status)
        raise passing_error(host, answer, client.now()) or unexpected
    if _SIGNATURE in answer.body[:_SIGNATURE_BYTES]:
        return PdfCopy(answer.body)
    kind = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
    if "pdf" in kind or not answer.body:
        raise BadResponse(f"{host} sent an empty or broken file in place of a PDF")
    return PdfCopy(None, f"{host} sent {kind[:50] or 'something'} in place of a PDF")
