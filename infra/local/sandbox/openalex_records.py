"""OpenAlex's works: URLs as ids, inverted abstracts, markup in titles, made-up days in dates."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Any

from infra.local.sandbox.facts import Fact, variant
from shared.bibliography.identifiers import read_arxiv, read_doi
from shared.bibliography.text import fold
from shared.query.query import first_day

# All fields of a work; `select` accepts these names.
FIELDS = (
    "id", "doi", "title", "display_name", "relevance_score", "publication_year", "publication_date", "ids", "language",
    "primary_location", "type", "open_access", "authorships", "cited_by_count", "referenced_works_count",
    "referenced_works", "biblio", "is_retracted", "is_paratext", "locations", "best_oa_location",
    "abstract_inverted_index",
)  # fmt: skip
_TYPES = {
    "journal-article": "article",
    "retraction-notice": "retraction",
    "systematic-review": "review",
} | dict.fromkeys(("meta-analysis", "clinical-trial", "randomized-controlled-trial"), "article")
_PREPRINT_SERVERS = {"arxiv": "Cornell University", "biorxiv": "Cold Spring Harbor Laboratory"}


def source_id(journal: str | None) -> str | None:
    """Return an id for a journal's name, in a range without real ids."""
    return f"S99{zlib.crc32(fold(journal).encode()):010d}" if journal else None


def date_of(fact: Fact) -> str:
    """Return a whole date: an unknown month or day becomes the first."""
    return first_day(fact.publication_date or str(fact.year)).isoformat() if fact.publication_date or fact.year else ""


def doi_of(fact: Fact) -> str | None:
    """Return the paper's DOI; without one, an arXiv paper has its preprint's DOI."""
    return read_doi(fact.doi) or (f"10.48550/arxiv.{fact.arxiv_id}" if fact.arxiv_id else None)


def is_open(fact: Fact) -> bool:
    """Return whether a free copy is known."""
    return bool(fact.is_open_access or fact.oa_url or fact.pmcid or fact.arxiv_id)


def is_retracted(fact: Fact) -> bool:
    """Return OpenAlex's only information about retractions: a flag."""
    return (fact.retraction or {}).get("status") == "retracted"


def openalex_type(fact: Fact) -> str:
    """Return OpenAlex's name of the type."""
    return _TYPES.get(fact.type, fact.type)


def work_of(fact: Fact, cited: Iterable[Fact], score: float | None = None) -> dict[str, Any]:
    """Return one work with its references, and with its score if it comes from a search."""
    doi = f"https://doi.org/{doi_of(fact)}" if doi_of(fact) else None
    title = fact.title.replace("&", "&amp;").replace("<", "&lt;")
    first, _, rest = title.partition(" ")
    ids = {"openalex": f"https://openalex.org/{fact.openalex_id}", "doi": doi}
    pages = (fact.pages or "").partition("-")
    places = _places(fact, doi)
    url = fact.oa_url or next((place["landing_page_url"] for place in places if place["is_oa"]), None)
    shown_title = f"<i>{first}</i> {rest}".strip() if variant(fact, 4) == 0 else title
    references = [f"https://openalex.org/{other.openalex_id}" for other in cited]
    return {
        "id": ids["openalex"],
        "doi": doi,
        "title": shown_title,
        "display_name": shown_title,
        **({"relevance_score": score} if score is not None else {}),
        "publication_year": fact.year,
        "publication_date": date_of(fact) or None,
        "ids": {**ids, **({"pmid": f"https://pubmed.ncbi.nlm.nih.gov/{fact.pmid}"} if fact.pmid else {})},
        "language": fact.language,
        "primary_location": places[0] if places else None,
        "type": openalex_type(fact),
        "open_access": {"is_oa": is_open(fact) or fact.is_open_access, "oa_status": _status(fact), "oa_url": url},
        "authorships": _authorships(fact),
        "cited_by_count": fact.citation_count,
        "referenced_works_count": len(references),
        "referenced_works": references,
        "biblio": {"volume": fact.volume, "issue": fact.issue, "first_page": pages[0] or None,
                   "last_page": pages[2] or pages[0] or None},
        "is_retracted": is_retracted(fact),
        "is_paratext": False,
        "locations": places,
        "best_oa_location": next((place for place in places if place["is_oa"]), None),
        "abstract_inverted_index": _inverted(fact.abstract, heading=variant(fact, 3) == 0),
    }  # fmt: skip


def _status(fact: Fact) -> str:
    return "gold" if fact.oa_url else "green" if is_open(fact) else "closed"


def _places(fact: Fact, doi: str | None) -> list[dict[str, Any]]:
    """Return the journal's page, then copies; PubMed Central's ids lack their prefix."""
    copies = [_place(f"http://arxiv.org/abs/{name}", "arXiv", True) for name in map(read_arxiv, fact.versions) if name]
    if fact.pmcid:
        url = f"https://www.ncbi.nlm.nih.gov/pmc/articles/{fact.pmcid.removeprefix('PMC')}"
        copies.append(_place(url, "Europe PMC (PubMed Central)", True))
    first = f"http://arxiv.org/abs/{fact.arxiv_id}" if fact.arxiv_id and not fact.doi else doi
    return [*([_place(first, fact.journal, bool(fact.oa_url), fact.oa_url)] if first else []), *copies]


def _place(url: str, name: str | None, is_oa: bool, pdf: str | None = None) -> dict[str, Any]:
    """Return a location; PubMed Central's version is unknown: the publisher's or the author's."""
    host = _PREPRINT_SERVERS.get(fold(name or ""))
    central = "PubMed" in (name or "")
    kind = "repository" if host or central else "journal"
    source = {"id": f"https://openalex.org/{source_id(name)}", "display_name": f"{name} ({host})" if host else name}
    return {"is_oa": is_oa, "landing_page_url": url, "pdf_url": pdf, "license": None,
            "version": None if central else "submittedVersion" if host else "publishedVersion",
            "source": {**source, "type": kind} if name else None}  # fmt: skip


def _authorships(fact: Fact) -> list[dict[str, Any]]:
    """Return authors: some without a profile, only a raw name; sometimes an affiliation is listed as an author."""
    people = []
    for number, (family, given) in enumerate(fact.authors):
        bare = (variant(fact, 5) + number) % 5 == 0 and family and given
        name = " ".join(part for part in (given, family) if part)
        raw = f"{family}, {given}" if bare else name
        people.append({"author": {"id": None, "display_name": None if bare else name}, "raw_author_name": raw})
    if variant(fact, 11) == 0:
        affiliation = ",Institute of Examples, Town"
        people.append({"author": {"id": None, "display_name": affiliation}, "raw_author_name": affiliation})
    return people


def _inverted(abstract: str | None, *, heading: bool) -> dict[str, list[int]] | None:
    if not abstract:
        return None
    index: dict[str, list[int]] = {}
    for position, word in enumerate((["Abstract"] if heading else []) + abstract.split()):
        index.setdefault(word, []).append(position)
    return index
