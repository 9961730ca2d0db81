"""Unpaywall's API: one DOI per request, an e-mail address in each, copies with and without a URL."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import unquote

from werkzeug import Request, Response

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact, variant

NAME = "unpaywall"
RECORD = "/v2/"
GENRES = {"conference-paper": "proceedings-article", "preprint": "posted-content", "book-chapter": "book-chapter"}


def answer(request: Request, corpus: Corpus) -> Response:
    """Answer GET /v2/{doi}?email=…; other parameters, which the real service ignores, are errors of our own."""
    unknown = sorted(set(request.args) - {"email"})
    if unknown:
        return _error(400, f"unknown parameters: {', '.join(unknown)}")
    address = request.args.get("email", "")
    if not address:
        return _error(422, "Email address required in API call")
    if "@" not in address or address.endswith("@example.com"):
        return _error(422, "Please use your own email address in API calls")
    doi = unquote(request.path.removeprefix(RECORD)) if request.path.startswith(RECORD) else ""
    # Only Crossref's DOIs: arXiv's are registered with DataCite.
    fact = corpus.find(NAME, doi=doi) if doi and not doi.lower().startswith("10.48550/") else None
    return _json(record_of(fact)) if fact else _error(404, f"{doi!r} isn't in Unpaywall")


def error_envelope() -> Response:
    """Return the error for an invalid e-mail address."""
    return _error(422, "Please use your own email address in API calls")


def record_of(fact: Fact) -> dict[str, Any]:
    """Return the record of a paper with a DOI; closed papers have no locations."""
    places = _locations(fact)
    best = places[0] if places else None
    doi = (fact.doi or "").lower()
    return {
        "doi": doi,
        "doi_url": f"https://doi.org/{doi}",
        "title": fact.title,
        "genre": GENRES.get(fact.type, "journal-article"),
        "is_paratext": False,
        "published_date": _day(fact.publication_date),
        "year": fact.year,
        "journal_name": fact.journal,
        "journal_issns": None,
        "journal_is_oa": False,
        "publisher": None,
        "is_oa": bool(places),
        "oa_status": _status(best),
        "has_repository_copy": any(place["host_type"] == "repository" for place in places),
        "best_oa_location": best,
        "first_oa_location": best,
        "oa_locations": places,
        "oa_locations_embargoed": [],
        "data_standard": 2,
        "z_authors": _authors(fact),
        "updated": "2026-03-20T23:48:44Z",
    }


def _day(date: str | None) -> str | None:
    """Return a whole date: an unknown month or day becomes the first."""
    return (date + "-01-01"[len(date) - 10 :] if len(date) < 10 else date) if date else None


def _authors(fact: Fact) -> list[dict[str, Any]] | None:
    """Return each author as one text (since 2025) or in parts (older records); None if there are no authors."""
    if variant(fact, 3) == 0:
        sequence = ["first"] + ["additional"] * len(fact.authors)
        people = ({"family": family, "given": given} if family else {"name": given} for family, given in fact.authors)
        return [{**person, "sequence": place} for person, place in zip(people, sequence, strict=False)] or None
    names = [" ".join(part for part in (given, family) if part) for family, given in fact.authors]
    last = len(names) - 1
    return [
        {
            "author_position": "first" if at == 0 else "last" if at == last else "additional",
            "raw_author_name": name,
            "is_corresponding": at == 0,
            "raw_affiliation_strings": [],
        }
        for at, name in enumerate(names)
    ] or None


def _locations(fact: Fact) -> list[dict[str, Any]]:
    """Return copies, the best first: the known one, the publisher's page, PubMed Central's; some have no URL."""
    doi_url = f"https://doi.org/{(fact.doi or '').lower()}"
    if fact.is_open_access is False:
        return []
    if fact.oa_url:
        return [_place(fact.oa_url, pdf=fact.oa_url, license="cc-by", best=True)]
    if fact.pmcid:
        number = fact.pmcid.removeprefix("PMC")
        page = f"https://www.ncbi.nlm.nih.gov/pmc/articles/{number}"
        free = _place(doi_url, license="cc-by-nc-nd", best=True) if variant(fact, 2) else None
        copy = _place(page, host="repository", version="submittedVersion", best=free is None)
        return [free, copy] if free else [copy]
    if fact.is_open_access or not variant(fact, 5):
        return [_place(None, best=True)]
    return []


def _place(
    url: str | None,
    *,
    best: bool,
    pdf: str | None = None,
    license: str | None = None,
    host: str = "publisher",
    version: str = "publishedVersion",
) -> dict[str, Any]:
    return {
        "url": url,
        "url_for_pdf": pdf,
        "url_for_landing_page": url,
        "evidence": "deprecated",
        "license": license,
        "version": version,
        "host_type": host,
        "is_best": best,
        "pmh_id": None,
        "endpoint_id": None,
        "repository_institution": None,
        "oa_date": None,
        "updated": "deprecated",
    }


def _status(best: dict[str, Any] | None) -> str:
    if best is None:
        return "closed"
    if best["host_type"] == "repository":
        return "green"
    return "hybrid" if best["license"] else "bronze"


def _error(status: int, message: str) -> Response:
    return _json({"HTTP_status_code": status, "error": True, "message": message}, status)


def _json(body: Any, status: int = 200) -> Response:
    return Response(json.dumps(body), status=status, content_type="application/json")
