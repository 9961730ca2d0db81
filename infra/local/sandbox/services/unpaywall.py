"""Unpaywall's API: one DOI per request, an e-mail address in each, and a search of titles.

Source: `views.py` of ourresearch/oadoi (90d0dd9, 2026-01-17) and recorded answers. Since 2025 a DOI that Crossref does
not hold is a bare 404, the page of the web framework, without the JSON of the other errors.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import unquote

from werkzeug import Request, Response
from werkzeug.exceptions import NotFound

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact, variant
from infra.local.sandbox.json_responses import json_response
from infra.local.sandbox.texts.pdf import copy_of, licence_of
from infra.local.sandbox.unpaywall.search import titles_with

NAME = "unpaywall"
RECORD = "/v2/"
PAGE = 50  # results of a search
GENRES = {"conference-paper": "proceedings-article", "preprint": "posted-content", "book-chapter": "book-chapter"}
_NO_ADDRESS = "Email address required in API call, see http://unpaywall.org/products/api"
_NOT_YOURS = "Please use your own email address in API calls. See http://unpaywall.org/products/api"
_PLACEHOLDERS = re.compile(
    r"^email@.*email\.com$|^your@email\.org$|^[^@]+$|^enter-your-email@your-institution-domain\.edu$|randomEmail"
    r"|^your.email@e?mail\.",
    re.I,
)


def answer(request: Request, corpus: Corpus) -> Response:
    """Answer GET /v2/{doi} and /v2/search; parameters that the service does not know are ignored."""
    if "api_key" in request.args:
        return _error(403, "Invalid api_key")
    address = request.args.get("email", "")
    if not address:
        return _error(422, _NO_ADDRESS)
    if address.endswith("example.com") or address == "YOUR_EMAIL" or _PLACEHOLDERS.search(address):
        return _error(422, _NOT_YOURS)
    if request.path.rstrip("/") == "/v2/search":
        return _search(request, corpus)
    doi = unquote(request.path.removeprefix(RECORD)) if request.path.startswith(RECORD) else ""
    fact = _held(corpus, doi)
    return json_response(record_of(fact)) if fact else _unknown()


def _held(corpus: Corpus, doi: str) -> Fact | None:
    """The paper, if its DOI is one of Crossref's: arXiv's are registered with DataCite."""
    return None if not doi or doi.lower().startswith("10.48550/") else corpus.find("crossref", doi=doi)


def _unknown() -> Response:
    """The page for a path without a resource, as Flask sends it."""
    return Response(str(NotFound().get_body()), 404, content_type="text/html; charset=utf-8")


def _search(request: Request, corpus: Corpus) -> Response:
    query, is_oa, page = (
        request.args.get("query", "").lstrip("-"),
        request.args.get("is_oa"),
        request.args.get("page", "1"),
    )
    wanted = {"true": True, "1": True, "false": False, "0": False, "null": None}
    if is_oa is not None and is_oa.lower() not in wanted:
        return _error(400, "is_oa must be 'true' or 'false'")
    if not page.isdecimal() or not int(page):
        return _error(400, "'page' must be a positive integer")
    if not query:
        return _error(400, "query parameter is required")
    held = [fact for fact in corpus.covered("crossref") if fact.doi and _held(corpus, fact.doi)]
    found = [(record_of(fact), score, snippet) for fact, score, snippet in titles_with(query, held)]
    kept = [hit for hit in found if is_oa is None or wanted[is_oa.lower()] in (None, hit[0]["is_oa"])]
    start = PAGE * (int(page) - 1)
    results = [
        {"response": record, "score": score, "snippet": text} for record, score, text in kept[start : start + PAGE]
    ]
    return json_response({"results": results, "elapsed_seconds": 0.261})


def error_envelope() -> Response:
    """Return the error for an invalid e-mail address."""
    return _error(422, _NOT_YOURS)


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
        "journal_issns": fact.issn,
        "journal_issn_l": fact.issn,
        "journal_is_oa": False,
        "journal_is_in_doaj": False,
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
    added = copy_of(fact.doi)
    if added and added.is_added:
        licence, version = licence_of(added), added.version
        return [_place(added.url, pdf=added.url, license=licence, host="repository", version=version, best=True)]
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
    return json_response({"HTTP_status_code": status, "error": True, "message": message}, status)
