"""Semantic Scholar: 200 million papers of all disciplines, with citation counts, preprint links and one-line summaries.

Manual: https://api.semanticscholar.org/api-docs/graph
Limits: one request/s with a key; without one, a pool shared by everybody that often answers 429 at once and names no
time to wait. 100 records a call, the first 1,000 hits in all.
Oddities: relevance search knows no operators and no order but its own, and finds nothing for words with a hyphen. Zero
hits have no `data`. A preprint and its article are one record, dated by the earlier of the two. Abstracts are often
withheld by publishers. There is no type for preprints, so they are known by DOI and venue.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from shared.aws.provider_lambda import provider_handler
from shared.errors import BadResponse, BrokenRecord, RateLimited, RequestRejected, Unavailable
from shared.http_client import Client
from shared.identifiers import Identifiers, arxiv_of_doi, read_arxiv, read_doi, read_paper_id, read_pmcid, read_pmid
from shared.paper import Location, OpenAccess, Paper, Version
from shared.person_names import read_name
from shared.provider import Page, ProviderSpec, translate
from shared.query import Query
from shared.query_syntax import has_operators, plain
from shared.text import fold, plain_text

SPEC = ProviderSpec(
    name="semantic_scholar",
    title="Semantic Scholar",
    manual="https://api.semanticscholar.org/api-docs/graph",
    base_url="https://api.semanticscholar.org",
    family="semantic_scholar",
    filters=frozenset({"date", "journal", "open_access", "min_citations", "publication_types"}),
    page_limit=100,
    requests_per_second=1.0,
)

_FIELDS = (
    "paperId,externalIds,url,title,abstract,venue,publicationVenue,year,publicationDate,journal,publicationTypes,"
    "authors,citationCount,influentialCitationCount,isOpenAccess,openAccessPdf,tldr"
)
# The first of these that a record carries decides: ["JournalArticle", "Review"] is a review.
_OUR_TYPES = {
    "ClinicalTrial": "clinical-trial", "MetaAnalysis": "review", "Review": "review", "Editorial": "editorial",
    "LettersAndComments": "letter", "Conference": "conference-paper", "BookSection": "book-chapter",
    "Dataset": "dataset", "JournalArticle": "journal-article", "CaseReport": "journal-article",
    "Study": "journal-article", "Book": "book", "News": "other",
}  # fmt: skip
_PREPRINT_SERVERS = frozenset({
    "arxiv", "arxiv org", "authorea", "biorxiv", "chemrxiv", "medrxiv", "preprints org", "psyarxiv", "research square",
    "socarxiv", "ssrn electronic journal", "techrxiv",
})  # fmt: skip
# 10.1101 is also the prefix of Cold Spring Harbor's journals, whose names begin with a letter.
_PREPRINT_DOI = re.compile(
    r"10\.(1101/\d|64898/|48550/arxiv|2139/ssrn|20944/preprints|21203/rs|22541/au|26434/chemrxiv|312(19|34|35)/)"
)
_HYPHENS = str.maketrans(dict.fromkeys("-\u2010\u2011\u2012\u2013\u2014\u2212", " "))
_ARXIV_PAGE = re.compile(r"https?://arxiv\.org/abs/[^\s,]+")
_HOSTS = {"GREEN": "repository", "GOLD": "publisher", "HYBRID": "publisher", "BRONZE": "publisher"}


def search(query: Query, client: Client) -> Page:
    """Ask /paper/search once, then translate."""
    filters, unsupported, told = _filters(query)
    asked = {"query": " ".join(plain(query.node).translate(_HYPHENS).split()), **filters}
    params = {**asked, "limit": min(query.limit, SPEC.page_limit), "fields": _FIELDS}
    records, total = _records(client.get_json("/graph/v1/paper/search", params, x_api_key=client.key or ""))
    papers, warnings = translate(records, _paper)
    return Page(
        papers=papers,
        total=total,
        effective_query="&".join(f"{name}={value}" for name, value in asked.items()),
        warnings=[*told, *warnings],
        unsupported_filters=unsupported,
    )


def _filters(query: Query) -> tuple[dict[str, str], list[str], list[str]]:
    """The API's own filters, the names of those it was not told of, and what the caller should know."""
    found: dict[str, str] = {}
    unsupported: list[str] = []
    warnings: list[str] = []
    if query.first_day or query.last_day:
        found["publicationDateOrYear"] = f"{query.first_day or ''}:{query.last_day or ''}"
    if query.journal and "," in query.journal:  # the venues' own separator, and it cannot be escaped
        unsupported.append("journal")
        warnings.append("Semantic Scholar cannot be asked for a journal with a comma in its name")
    elif query.journal:
        found["venue"] = query.journal
        warnings.append("Semantic Scholar knows a journal by its full name or ISO 4 abbreviation only")
    if query.author:
        warnings.append("Semantic Scholar cannot filter by author: its records are checked afterwards")
    if query.open_access:
        found["openAccessPdf"] = ""  # a flag: it takes no value
    if query.min_citations:
        found["minCitationCount"] = str(query.min_citations)
    if query.publication_types:
        unknown = sorted(set(query.publication_types) - set(_OUR_TYPES.values()))
        if unknown:
            unsupported.append("publication_types")
            warnings.append(f"Semantic Scholar has no type for {', '.join(unknown)}: it was asked for all types")
        else:
            kinds = [theirs for theirs, ours in _OUR_TYPES.items() if ours in query.publication_types]
            found["publicationTypes"] = ",".join(kinds)
    if query.exclude_retracted:
        unsupported.append("exclude_retracted")
    if has_operators(query.node):
        unsupported.append("operators")
        warnings.append(
            "Semantic Scholar knows no phrases and no AND, OR, NOT: the wanted words were sent as plain ones"
        )
    if query.sort != "relevance":
        warnings.append("Semantic Scholar orders by relevance only")
    return found, unsupported, warnings


def _records(body: Any) -> tuple[list[Any], int | None]:
    """The papers of a search, of a match, of a batch (null = unknown id) or a single one, and how many there are."""
    if isinstance(body, list) and body:
        return body, len(body)
    if isinstance(body, Mapping):
        if "paperId" in body:
            return [body], 1
        _raise_error(body)
        total = body.get("total")
        records = body.get("data", [] if total == 0 else None)
        if isinstance(records, list) and (records or not total):
            return records, total if isinstance(total, int) else None
    raise BadResponse("Semantic Scholar answered without a list of papers")


def _raise_error(body: Mapping[str, Any]) -> None:
    """The application says `error`, the gateway before it `message`; its `code` is a string."""
    if "data" in body:
        return
    if str(body.get("code")) == "429":
        raise RateLimited("Semantic Scholar answered: too many requests")
    if "message" in body:
        raise Unavailable("Semantic Scholar's gateway answered with an error in place of papers")
    if "error" in body:
        raise RequestRejected("Semantic Scholar calls the request invalid")


def _paper(record: Mapping[str, Any], rank: int) -> Paper:
    if not isinstance(record, Mapping):
        raise BrokenRecord("Semantic Scholar has no paper in this place")
    title = plain_text(record.get("title"))
    if not title:
        raise BrokenRecord(f"Semantic Scholar {read_paper_id(record.get('paperId'))} has no title")
    ids = _identifiers(record)
    place = record.get("journal") or {}
    journal = _journal(record)
    volume, issue = _volume_issue(place.get("volume"))
    kind = _type(record, ids, journal)
    authors = record.get("authors") or []
    year = record.get("year")
    return Paper(
        provider=SPEC.name,
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


def _identifiers(record: Mapping[str, Any]) -> Identifiers:
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
    """The journal's own field first: for a preprint that got published, `venue` may still name the server."""
    names = (record.get("journal") or {}).get("name"), (record.get("publicationVenue") or {}).get("name")
    return next((name for name in map(plain_text, (*names, record.get("venue"))) if name), None)


def _type(record: Mapping[str, Any], ids: Identifiers, journal: str | None) -> str | None:
    server_or_none = fold(journal) in _PREPRINT_SERVERS if journal else bool(ids.arxiv)
    if _PREPRINT_DOI.match(ids.doi) if ids.doi else server_or_none:
        return "preprint"
    kinds = record.get("publicationTypes") or ()
    return next((ours for theirs, ours in _OUR_TYPES.items() if theirs in kinds), None)


def _volume_issue(volume: str | None) -> tuple[str | None, str | None]:
    """`118`, or `17 8` with the issue behind the volume; arXiv's `abs/1706.03762` is no volume."""
    text = plain_text(volume) or ""
    both = re.fullmatch(r"(\d+) (\d+(?:-\d+)?)", text)
    return (both[1], both[2]) if both else (None if text.startswith("abs/") else text or None, None)


def _pages(pages: str | None) -> str | None:
    """`525 - 535`, also with line breaks inside, as `525-535`; `145 - 145` as `145`."""
    first, _, last = re.sub(r"\s*[-\u2013]\s*", "-", plain_text(pages) or "").partition("-")
    return f"{first}-{last}" if last and last != first else first or None


def _open_access(record: Mapping[str, Any]) -> OpenAccess:
    """An `openAccessPdf` with an empty url is no open access; one marked CLOSED may still hold a link."""
    pdf = record.get("openAccessPdf") or {}
    url, told = pdf.get("url") or None, record.get("isOpenAccess")
    if told is None and (url or pdf.get("status") == "CLOSED"):
        told = url is not None
    place = Location(url=url, license=pdf.get("license"), host=_HOSTS.get(pdf.get("status") or "")) if url else None
    return OpenAccess(is_oa=told, url=url, license=pdf.get("license"), locations=(place,) if place else ())


def _landing_page(record: Mapping[str, Any]) -> str | None:
    """The arXiv page that hides in the disclaimer, else Semantic Scholar's own."""
    found = _ARXIV_PAGE.search((record.get("openAccessPdf") or {}).get("disclaimer") or "")
    return found[0] if found else record.get("url")


handler = provider_handler(SPEC, search=search)
