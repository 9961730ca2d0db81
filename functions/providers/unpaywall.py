"""Unpaywall: where 150 million papers with a Crossref DOI can be read for free, and under which licence.

Manual: https://unpaywall.org/products/api
Limits: no key, but the caller's email address with each request (`CONTACT_EMAIL`); 100,000 requests a day.
Oddities: one DOI a request. An unknown DOI is a 404, a missing or invented address a 422, both with an envelope that
repeats the status. A 404 without that envelope does not come from Unpaywall. Since 2025 authors are one text each.
A closed paper has no locations and a null for the best; a location may come without PDF, or without any URL. A first of
January mostly stands for an unknown day. Copies are also found by title, so their URLs are no source of ids.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import quote

from shared.aws.lambda_functions.provider_handler import provider_handler
from shared.bibliography.dates import known_date
from shared.bibliography.identifiers import Identifiers, arxiv_of_doi, read_doi
from shared.bibliography.paper import PAPER_TYPES, Author, Location, OpenAccess, Paper
from shared.bibliography.paper_ids import scheme_of, value_of
from shared.bibliography.person_names import read_name
from shared.bibliography.text import plain_text
from shared.errors import BrokenRecord, KeyRefused, NoKey, ProviderError, RequestRejected
from shared.json_types import read_json
from shared.providers.http_client import Client
from shared.providers.provider import Page, ProviderSpec, translate
from shared.query.question import Lookup

SPEC = ProviderSpec(
    name="unpaywall",
    title="Unpaywall",
    manual="https://unpaywall.org/products/api",
    base_url="https://api.unpaywall.org",
    family="unpaywall",
    sorts=frozenset(),
    disciplines=frozenset(),
    operations={"lookup": ("doi",)},
    lookup_names=5,
    requests_per_second=10.0,
    requests_per_day=100_000,
)

_TYPES = {
    "article": "journal-article", "book-part": "book-chapter", "book-section": "book-chapter", "component": "other",
    "edited-book": "book", "monograph": "book", "paratext": "other", "peer-review": "other",
    "posted-content": "preprint", "proceedings-article": "conference-paper", "reference-book": "book",
    "reference-entry": "book-chapter", "retraction": "retraction-notice", "standard": "other",
}  # fmt: skip
_IN_A_PATH = "/:;()"
_MAX_QUERY_CHARS = 200


class _UnknownDoi(RequestRejected):
    """Unpaywall states that it does not have the DOI."""


def lookup(request: Lookup, client: Client) -> Page:
    """Query /v2/{doi} for each DOI, one after the other. Raises NoKey without a contact address."""
    if not client.contact:
        raise NoKey("Unpaywall requires a contact address: set CONTACT_EMAIL to your email address")
    dois = [(rank, name) for rank, name in enumerate(request.names, start=1) if scheme_of(name) == "doi"]
    wanted, left = dois[: SPEC.lookup_names], dois[SPEC.lookup_names :]
    held = [(rank, name, record) for rank, name in wanted for record in _records(value_of(name), client)]
    papers, warnings = translate(held, lambda entry, _: replace(_paper(entry[2], entry[0]), asked=(entry[1],)))
    skipped = (
        [f"Unpaywall was not queried for {len(left)} of {len(dois)} DOIs: it takes one per request"] if left else []
    )
    return Page(
        papers=papers,
        total=len(papers),
        effective_query=("/v2/" + ", ".join(value_of(name) for _, name in wanted))[:_MAX_QUERY_CHARS],
        warnings=[*skipped, *warnings],
    )


def _records(doi: str, client: Client) -> list[Any]:
    """The record of a DOI; empty if Unpaywall states that it has none."""
    params = {"email": client.contact}
    try:
        answer = client.request("GET", f"/v2/{quote(doi, safe=_IN_A_PATH)}", params=params, read_error=_read_error)
    except _UnknownDoi:
        return []
    return [client.decode_json(answer)]


def _read_error(body: bytes) -> ProviderError | None:
    """The error in `{"HTTP_status_code": 404, "error": true, …}`; the HTTP status alone may come from a gateway."""
    try:
        envelope = read_json(body)
    except ValueError:
        return None
    status = envelope.get("HTTP_status_code") if isinstance(envelope, Mapping) and envelope.get("error") else None
    if status == 404:
        return _UnknownDoi("Unpaywall does not hold this DOI", status=404)
    if status == 422:
        return KeyRefused("Unpaywall rejected the contact address: set CONTACT_EMAIL to a real one", status=422)
    return None


def _paper(record: Mapping[str, Any], rank: int) -> Paper:
    if not isinstance(record, Mapping) or "doi" not in record or "oa_locations" not in record:
        raise BrokenRecord("Unpaywall answered without a record")
    doi = read_doi(record.get("doi"))
    title = plain_text(record.get("title"))
    if not title or not doi:
        raise BrokenRecord(f"Unpaywall's {doi} is not a paper with a title")
    authors = record.get("z_authors") or []
    year, published = _published(record)
    return Paper(
        provider=SPEC.name,
        rank=rank,
        title=title,
        ids=Identifiers(doi=doi, arxiv=arxiv_of_doi(doi)),
        authors=tuple(author for author in map(_author, authors) if author),
        author_count=len(authors) or None,
        year=year,
        publication_date=published,
        journal=plain_text(record.get("journal_name")),
        type=_type(record),
        open_access=_open_access(record),
        landing_page=record.get("doi_url") or None,
    )


def _author(entry: Mapping[str, Any]) -> Author | None:
    """`{given, family}` or a group's `{name}` in the old form, one text in the new one."""
    family, given = plain_text(entry.get("family")), plain_text(entry.get("given"))
    if family:
        return Author(family=family, given=given)
    return read_name(plain_text(entry.get("raw_author_name") or entry.get("name")) or given)


def _published(record: Mapping[str, Any]) -> tuple[int | None, str | None]:
    """Year and date; the year may be in the date only, and a first of January stands for its year."""
    day = record.get("published_date") or ""
    year = record.get("year") or int(day[:4] or 0) or None
    return year, known_date(day, year)


def _type(record: Mapping[str, Any]) -> str | None:
    genre = "paratext" if record.get("is_paratext") else str(record.get("genre"))
    kind = _TYPES.get(genre, genre)
    return kind if kind in PAPER_TYPES else None


def _open_access(record: Mapping[str, Any]) -> OpenAccess:
    """Open access only with a URL: without one it is unknown."""
    found = [location for location in map(_location, record.get("oa_locations") or []) if location]
    best = _location(record.get("best_oa_location") or {}) or (found[0] if found else None)
    if best and best not in found:
        found.insert(0, best)
    is_oa = record.get("is_oa")
    if is_oa and not best:
        is_oa = None
    return OpenAccess(
        is_oa=is_oa,
        url=best.url if best else None,
        license=best.license if best else None,
        locations=tuple(dict.fromkeys(found)),
    )


def _location(place: Mapping[str, Any]) -> Location | None:
    url = place.get("url_for_pdf") or place.get("url") or place.get("url_for_landing_page")
    if not url:
        return None
    kind = place.get("host_type")
    return Location(
        url=url,
        version=place.get("version") or None,
        license=place.get("license") or None,
        host=kind if kind in ("publisher", "repository") else None,
    )


handler = provider_handler(SPEC, lookup=lookup)
