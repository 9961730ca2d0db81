"""OpenAlex's works: URLs as ids, inverted abstracts, markup in titles, made-up days in dates."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Any

from infra.local.sandbox.facts import Fact, variant
from infra.local.sandbox.openalex.subjects import concepts_of, keywords_of, mesh_of, topics_of
from infra.local.sandbox.orcids import orcid_of
from shared.bibliography.identifiers import read_arxiv, read_doi
from shared.bibliography.text import fold

# All fields of a work (ourresearch/openalex-elastic-api, works/schemas.py); `select` accepts these names.
FIELDS = (
    "id", "doi", "title", "display_name", "relevance_score", "publication_year", "publication_date", "ids", "language",
    "primary_location", "sources", "type", "type_crossref", "indexed_in", "open_access", "authorships",
    "institution_assertions", "institutions", "countries_distinct_count", "institutions_distinct_count",
    "corresponding_author_ids", "corresponding_institution_ids", "apc_list", "apc_paid", "fwci",
    "is_authors_truncated", "has_fulltext", "fulltext_origin", "cited_by_count", "citation_normalized_percentile",
    "cited_by_percentile_year", "biblio", "is_retracted", "is_paratext", "is_xpac", "primary_topic", "topics",
    "keywords", "concepts", "mesh", "locations_count", "locations", "best_oa_location",
    "sustainable_development_goals", "awards", "funders", "datasets", "versions", "has_content", "content_urls",
    "referenced_works_count", "referenced_works", "related_works", "abstract_inverted_index", "cited_by_api_url",
    "counts_by_year", "updated_date", "created_date",
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


def full_name(family: str | None, given: str | None) -> str:
    """Return a name as a profile displays it."""
    return " ".join(part for part in (given, family) if part)


def author_id(name: str) -> str:
    """Return the id of an author's profile, in a range without real ids."""
    return f"A99{zlib.crc32(fold(name).encode()):010d}"


def has_profile(fact: Fact, number: int) -> bool:
    """Return whether the author at this place of a paper is disambiguated; a fifth is known by a raw name only."""
    family, given = fact.authors[number]
    return not ((variant(fact, 5) + number) % 5 == 0 and family and given)


def date_of(fact: Fact) -> str:
    """Return a whole date: an unknown month or day becomes the first."""
    known = fact.publication_date or (str(fact.year) if fact.year else "")
    return f"{known}-01-01"[:10] if known else ""


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


def work_of(
    fact: Fact, cited: Iterable[Fact], related: Iterable[Fact] = (), score: float | None = None
) -> dict[str, Any]:
    """Return one work with its references and related works, and with its score if it comes from a search."""
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
        "open_access": {"is_oa": is_open(fact) or fact.is_open_access, "oa_status": oa_status(fact), "oa_url": url,
                        "any_repository_has_fulltext": bool(fact.pmcid or fact.arxiv_id)},
        "indexed_in": [name for name, known in (("crossref", fact.doi), ("pubmed", fact.pmid)) if known],
        "authorships": _authorships(fact),
        "cited_by_count": fact.citation_count,
        "referenced_works_count": len(references),
        "referenced_works": references,
        "biblio": {"volume": fact.volume, "issue": fact.issue, "first_page": pages[0] or None,
                   "last_page": pages[2] or pages[0] or None},
        "is_retracted": is_retracted(fact),
        "is_paratext": False,
        "is_xpac": False,
        "has_fulltext": is_open(fact),
        **_subjects(fact),
        "related_works": [f"https://openalex.org/{other.openalex_id}" for other in related],
        "locations_count": len(places),
        "locations": places,
        "best_oa_location": next((place for place in places if place["is_oa"]), None),
        "abstract_inverted_index": _inverted(fact.abstract, heading=variant(fact, 3) == 0),
    }  # fmt: skip


def _subjects(fact: Fact) -> dict[str, Any]:
    topics = topics_of(fact)
    years = [{"year": 2025, "cited_by_count": fact.citation_count}] if fact.citation_count else []
    return {"primary_topic": topics[0] if topics else None, "topics": topics, "keywords": keywords_of(fact),
            "concepts": concepts_of(fact), "mesh": mesh_of(fact), "counts_by_year": years}  # fmt: skip


def oa_status(fact: Fact) -> str:
    """Return the work's kind of open access."""
    return "gold" if fact.oa_url else "green" if is_open(fact) else "closed"


def _places(fact: Fact, doi: str | None) -> list[dict[str, Any]]:
    """Return the journal's page, then copies; PubMed Central's ids lack their prefix."""
    copies = [_place(f"http://arxiv.org/abs/{name}", "arXiv", True) for name in map(read_arxiv, fact.versions) if name]
    if fact.pmcid:
        url = f"https://www.ncbi.nlm.nih.gov/pmc/articles/{fact.pmcid.removeprefix('PMC')}"
        copies.append(_place(url, "Europe PMC (PubMed Central)", True))
    first = f"http://arxiv.org/abs/{fact.arxiv_id}" if fact.arxiv_id and not fact.doi else doi
    return [*([_place(first, fact.journal, bool(fact.oa_url), fact.oa_url, fact.issn)] if first else []), *copies]


def _place(url: str, name: str | None, is_oa: bool, pdf: str | None = None, issn: str | None = None) -> dict[str, Any]:
    """Return a location; PubMed Central's version is unknown: the publisher's or the author's."""
    host = _PREPRINT_SERVERS.get(fold(name or ""))
    central = "PubMed" in (name or "")
    kind = "repository" if host or central else "journal"
    source = {"id": f"https://openalex.org/{source_id(name)}", "display_name": f"{name} ({host})" if host else name,
              "issn_l": issn, "issn": [issn] if issn else None}  # fmt: skip
    return {"is_oa": is_oa, "landing_page_url": url, "pdf_url": pdf, "license": None,
            "version": None if central else "submittedVersion" if host else "publishedVersion",
            "source": {**source, "type": kind} if name else None}  # fmt: skip


def _authorships(fact: Fact) -> list[dict[str, Any]]:
    """Return authors: some without a profile, only a raw name; sometimes an affiliation is listed as an author."""
    people = []
    for number, (family, given) in enumerate(fact.authors):
        bare = not has_profile(fact, number)
        name = full_name(family, given)
        profile = None if bare else f"https://openalex.org/{author_id(name)}"
        raw = f"{family}, {given}" if bare else name
        people.append(_authorship(profile, None if bare else name, raw, orcid_of(family, given)))
    if variant(fact, 11) == 0:
        affiliation = ",Institute of Examples, Town"
        people.append(_authorship(None, affiliation, affiliation))
    for person in people:
        person["author_position"] = "middle"
    if people:
        people[-1]["author_position"], people[0]["author_position"] = "last", "first"
    return people


def _authorship(profile: str | None, name: str | None, raw: str, orcid: str | None = None) -> dict[str, Any]:
    author = {"id": profile, "display_name": name, "orcid": f"https://orcid.org/{orcid}" if orcid else None}
    return {
        "author_position": None, "author": author, "institutions": [],
        "countries": [], "is_corresponding": False, "raw_author_name": raw, "raw_affiliation_strings": [],
        "affiliations": [],
    }  # fmt: skip


def _inverted(abstract: str | None, *, heading: bool) -> dict[str, list[int]] | None:
    if not abstract:
        return None
    index: dict[str, list[int]] = {}
    for position, word in enumerate((["Abstract"] if heading else []) + abstract.split()):
        index.setdefault(word, []).append(position)
    return index
