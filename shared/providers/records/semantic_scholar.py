"""Semantic Scholar's records as papers, whole or with some fields only.

Format: https://api.semanticscholar.org/api-docs/graph
A field that was not requested is absent; an unknown one is null, or "" in `venue`, `journal` and the PDF's url.
A preprint and its article are one record, dated by the earlier of the two. Abstracts are often withheld by publishers.
There is no type for preprints, so they are known by DOI and venue. A cited paper without a record has a title and
perhaps a venue and a year, but neither `paperId` nor `externalIds`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from shared.bibliography.identifiers import (
    Identifiers,
    arxiv_of_doi,
    read_arxiv,
    read_doi,
    read_paper_id,
    read_pmcid,
    read_pmid,
)
from shared.bibliography.paper import Location, OpenAccess, Paper, Pointer, Version
from shared.bibliography.person_names import read_name
from shared.bibliography.preprints import is_preprint_doi, is_preprint_server, printed_number
from shared.bibliography.text import plain_text, plain_title
from shared.errors import BadResponse, BrokenRecord, RateLimited, RequestRejected, Unavailable
from shared.json_types import read_count
from shared.providers.provider import translate

# The first of these that a record carries decides: ["JournalArticle", "Review"] is a review.
TYPES = {
    "ClinicalTrial": "clinical-trial", "MetaAnalysis": "meta-analysis", "Review": "review", "Editorial": "editorial",
    "LettersAndComments": "letter", "Conference": "conference-paper", "BookSection": "book-chapter",
    "Dataset": "dataset", "JournalArticle": "journal-article", "CaseReport": "journal-article",
    "Study": "journal-article", "Book": "book", "News": "other",
}  # fmt: skip
_ARXIV_PAGE = re.compile(r"https?://arxiv\.org/abs/[^\s,]+")
_HOSTS = {"GREEN": "repository", "GOLD": "publisher", "HYBRID": "publisher", "BRONZE": "publisher"}


def read_records(body: Any, *, counted: bool = True) -> tuple[list[Any], int | None]:
    """The papers of a search, and how many there are; of a match, which is not `counted`. Raises BadResponse."""
    raise_error(body)
    if isinstance(body, Mapping):
        total = read_count(body.get("total"))
        records = body.get("data", [] if total == 0 else None)
        if isinstance(records, list) and (records or total == 0 or not (total or counted)):
            return records, total
    raise BadResponse("Semantic Scholar answered without a list of papers")


def read_links(body: Any, side: str) -> tuple[list[Any] | None, int | None]:
    """The records of a page of references (`side` citedPaper) or citations (citingPaper), and where the next begins.

    The list is None where the publisher withholds it. Raises BadResponse for other answers.
    """
    raise_error(body)
    items = body.get("data", ...) if isinstance(body, Mapping) else ...
    if items is None:
        return None, None
    listed: list[Any] = items if isinstance(items, list) else [items]
    named = [isinstance(item, Mapping) and side in item for item in listed]
    if named and not any(named):
        raise BadResponse(f"Semantic Scholar answered without a list of {side}s")
    following = body.get("next")
    records = [item[side] if is_named else None for item, is_named in zip(listed, named, strict=True)]
    return records, following if isinstance(following, int) and following > 0 else None


def read_linked(records: Sequence[Any]) -> tuple[list[Paper], list[Pointer], list[str]]:
    """The records of references or citations: papers, pointers if they have no title, and warnings for empty ones."""
    linked, broken = translate(records, _linked)
    papers = [it for it in linked if isinstance(it, Paper)]
    pointers = [it for it in linked if isinstance(it, Pointer)]
    return papers, pointers, [*(it for it in linked if isinstance(it, str)), *broken]


def _linked(record: Any, rank: int) -> Paper | Pointer | str:
    """One reference or citation; for an empty one the warning, because a list may consist of empty ones."""
    if record and (not isinstance(record, Mapping) or record.get("title")):
        return read_paper(record, rank)
    if record and (ids := read_identifiers(record)) != Identifiers():
        return Pointer(rank, ids)
    return f"record {rank} skipped: Semantic Scholar has neither a title nor an id"


def raise_error(body: Any) -> None:
    """Raise the error of an answer without data: the application sends `error`, its gateway `message` and `code`."""
    if not isinstance(body, Mapping) or "data" in body:
        return
    if str(body.get("code")) == "429":
        raise RateLimited("Semantic Scholar answered: too many requests")
    if "message" in body:
        raise Unavailable("Semantic Scholar's gateway answered with an error instead of papers")
    if "error" in body:
        raise RequestRejected("Semantic Scholar rejected the request as invalid")


def read_paper(record: Mapping[str, Any], rank: int) -> Paper:
    """The paper of one record. Raises BrokenRecord for null or without a title."""
    if not isinstance(record, Mapping):
        raise BrokenRecord("Semantic Scholar sent no paper for this entry")
    title = plain_title(record.get("title"))
    if not title:
        raise BrokenRecord(f"Semantic Scholar {read_paper_id(record.get('paperId')) or 'record'} has no title")
    ids = read_identifiers(record)
    place = record.get("journal") or {}
    journal = _journal(record)
    volume, issue = _volume_issue(place.get("volume"))
    kind = _type(record, ids, journal)
    authors = record.get("authors") or []
    year = record.get("year")
    return Paper(
        provider="semantic_scholar",
        rank=rank,
        title=title,
        ids=ids,
        authors=tuple(author for author in (read_name(plain_text(author.get("name"))) for author in authors) if author),
        author_count=len(authors) or None,
        year=year,
        publication_date=record.get("publicationDate") or (str(year) if year else None),
        journal=journal,
        volume=volume,
        issue=issue,
        pages=_pages(place.get("pages")),
        type=kind,
        abstract=plain_text(record.get("abstract")),
        tldr=plain_text((record.get("tldr") or {}).get("text")),
        citation_count=record.get("citationCount"),
        influential_citation_count=record.get("influentialCitationCount"),
        open_access=_open_access(record),
        versions=(Version("preprint", arxiv=ids.arxiv),) if ids.arxiv and kind != "preprint" else (),
        landing_page=_landing_page(record),
    )


def read_identifiers(record: Mapping[str, Any]) -> Identifiers:
    """The ids of a record; all None for a paper without one."""
    known = record.get("externalIds") or {}
    doi = read_doi(known.get("DOI"))
    return Identifiers(
        doi=doi,
        pmid=read_pmid(known.get("PubMed")),
        pmcid=read_pmcid("PMC" + str(known.get("PubMedCentral") or "").upper().removeprefix("PMC")),
        arxiv=read_arxiv(known.get("ArXiv")) or arxiv_of_doi(doi),
        paper_id=read_paper_id(record.get("paperId")),
    )


def _journal(record: Mapping[str, Any]) -> str | None:
    """The journal's own field first: for a published preprint, `venue` may still name the server."""
    names = (record.get("journal") or {}).get("name"), (record.get("publicationVenue") or {}).get("name")
    return next((name for name in map(plain_text, (*names, record.get("venue"))) if name), None)


def _type(record: Mapping[str, Any], ids: Identifiers, journal: str | None) -> str | None:
    """A DOI decides alone: the venue of an article may still name the server of its preprint."""
    server_or_none = is_preprint_server(journal) if journal else bool(ids.arxiv)
    if is_preprint_doi(ids.doi) if ids.doi else server_or_none:
        return "preprint"
    kinds = record.get("publicationTypes") or ()
    return next((ours for theirs, ours in TYPES.items() if theirs in kinds), None)


def _volume_issue(volume: str | None) -> tuple[str | None, str | None]:
    """`118`, or `17 8` with the issue behind the volume."""
    text = plain_text(volume) or ""
    both = re.fullmatch(r"(\d+) (\d+(?:-\d+)?)", text)
    return (both[1], both[2]) if both else (printed_number(text), None)


def _pages(pages: str | None) -> str | None:
    """`525 - 535`, also with line breaks inside, as `525-535`; `145 - 145` as `145`."""
    first, _, last = re.sub(r"\s*[-\u2013]\s*", "-", plain_text(pages) or "").partition("-")
    return printed_number(f"{first}-{last}" if last and last != first else first)


def _open_access(record: Mapping[str, Any]) -> OpenAccess:
    """An `openAccessPdf` with an empty url is not open access; one marked CLOSED may still hold a link."""
    pdf = record.get("openAccessPdf") or {}
    url, is_oa = pdf.get("url") or None, record.get("isOpenAccess")
    if is_oa is None and (url or pdf.get("status") == "CLOSED"):
        is_oa = url is not None
    place = Location(url=url, license=pdf.get("license"), host=_HOSTS.get(pdf.get("status") or "")) if url else None
    return OpenAccess(is_oa=is_oa, url=url, license=pdf.get("license"), locations=(place,) if place else ())


def _landing_page(record: Mapping[str, Any]) -> str | None:
    """The arXiv page named in the disclaimer, else Semantic Scholar's own."""
    found = _ARXIV_PAGE.search((record.get("openAccessPdf") or {}).get("disclaimer") or "")
    return found[0] if found else record.get("url")
