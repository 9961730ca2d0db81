"""Unpaywall: where 150 million papers with a Crossref DOI can be read for free, and under which licence.

Manual: https://unpaywall.org/products/api
Limits: no key, but the caller's email address with each request (`CONTACT_EMAIL`); 100,000 requests a day.
Oddities: one DOI a request. An unknown DOI, as any that Crossref does not hold, is a 404 with whatever body: since
2025 the web framework's page. A missing or invented address is a 422 with JSON. Since 2025 authors are one text each.
A closed paper has no locations and a null for the best; a location may come without PDF, or without any URL. A first of
January mostly stands for an unknown day. Copies are also found by title, so their URLs are not a source of ids.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from shared.aws.lambda_functions.provider_handler import provider_handler
from shared.bibliography.dates import known_date
from shared.bibliography.identifiers import Identifiers, arxiv_of_doi, read_doi
from shared.bibliography.paper import PAPER_TYPES, Author, Location, OpenAccess, Paper
from shared.bibliography.paper_ids import scheme_of, value_of
from shared.bibliography.person_names import read_name
from shared.bibliography.registration_agencies import is_of_datacite
from shared.bibliography.text import number_of, plain_text, plain_title
from shared.errors import BadResponse, BrokenRecord, NoKey, ProviderError, Unavailable
from shared.json_types import read_count
from shared.providers.http_client import Client
from shared.providers.provider import Page, ProviderSpec, translate
from shared.providers.url_parts import in_path
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
_MAX_QUERY_CHARS = 200


# Addresses that Unpaywall refuses (`views.py` of ourresearch/oadoi): of examples, and texts that are not an address.
_INVENTED = re.compile(
    r"^[^@]*$|example\.com$|^your@email\.org$|^email@.{0,200}email\.com$|^your.email@e?mail\."
    r"|^enter-your-email@your-institution-domain\.edu$|randomEmail",
    re.IGNORECASE,
)


@dataclass(slots=True)
class _Replies:
    """The records with rank and name, and the errors of DOIs that got no answer, by rank."""

    records: list[tuple[int, str, Any]] = field(default_factory=list)
    errors: dict[int, ProviderError] = field(default_factory=dict)


def lookup(request: Lookup, client: Client) -> Page:
    """Query /v2/{doi} for each DOI, one after the other; one that fails costs only itself.

    Raises NoKey without an address that Unpaywall accepts, and the first error if no DOI brought a record.
    """
    _check_address(client.contact)
    dois = [(rank, name) for rank, name in enumerate(request.names, start=1) if scheme_of(name) == "doi"]
    held = [(rank, name) for rank, name in dois if not is_of_datacite(value_of(name))]
    wanted, left = held[: SPEC.lookup_names], held[SPEC.lookup_names :]
    replies = _replies(wanted, client)
    first_error = next(iter(replies.errors.values()), None)
    if first_error and not replies.records:
        raise first_error
    papers, broken = translate(replies.records, lambda entry, _: replace(_paper(entry[2], entry[0]), asked=(entry[1],)))
    of_datacite = number_of(len(dois) - len(held), "DOI")
    notes = {
        f"Unpaywall was not queried for {len(left)} of {number_of(len(dois), 'DOI')}: it takes one per request": left,
        f"Unpaywall was not queried for {of_datacite} of DataCite: it has those of Crossref": held != dois,
        f"Unpaywall did not answer for {len(replies.errors)} of {number_of(len(wanted), 'DOI')}: "
        f"{first_error.message if first_error else ''}": first_error,
    }
    return Page(
        papers=papers,
        total=len(papers),
        effective_query=("/v2/" + ", ".join(value_of(name) for _, name in wanted))[:_MAX_QUERY_CHARS],
        warnings=[*(note for note, applies in notes.items() if applies), *broken],
        not_queried=[rank - 1 for rank in (*replies.errors, *(rank for rank, _ in left))],
        partial=bool(replies.errors),
        unread=len(broken),
    )


def _check_address(address: str | None) -> None:
    if not address:
        raise NoKey("Unpaywall requires a contact address: set CONTACT_EMAIL to your email address")
    if _INVENTED.search(address):
        raise NoKey("Unpaywall refuses the contact address, which is an example's: set CONTACT_EMAIL to your own")


def _replies(wanted: Sequence[tuple[int, str]], client: Client) -> _Replies:
    """Query each DOI. An answer that cannot be read costs one DOI, and so does the first outage; the rest is skipped
    after a second one, or after an error that the DOIs share: a limit, the deadline, the circuit, the address.
    """
    replies = _Replies()
    for place, (rank, name) in enumerate(wanted, start=1):
        try:
            records = _records(value_of(name), client)
        except ProviderError as error:
            outages = sum(isinstance(it, Unavailable) for it in (*replies.errors.values(), error))
            replies.errors[rank] = error
            if outages > 1 or not isinstance(error, BadResponse | Unavailable):
                replies.errors |= {later: error for later, _ in wanted[place:]}
                break
        else:
            replies.records += [(rank, name, record) for record in records]
    return replies


def _records(doi: str, client: Client) -> list[Any]:
    """The record of a DOI; empty if Unpaywall has none. Raises NoKey if it refuses the address."""
    try:
        answer = client.request("GET", f"/v2/{in_path(doi)}", params={"email": client.contact})
    except BadResponse as error:
        if error.status == 404:
            return []
        if error.status == 422:
            raise NoKey("Unpaywall refuses the contact address: set CONTACT_EMAIL to a real one") from error
        raise
    return [client.decode_json(answer)]


def _paper(record: Mapping[str, Any], rank: int) -> Paper:
    if not isinstance(record, Mapping) or "doi" not in record or "oa_locations" not in record:
        raise BrokenRecord("Unpaywall answered without a record")
    doi = read_doi(record.get("doi"))
    title = plain_title(record.get("title"))
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
    year = record.get("year") or read_count(day[:4]) or None
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
