"""Semantic Scholar: 200 million papers of all disciplines, with citation counts, preprint links and one-line summaries.

Manual: https://api.semanticscholar.org/api-docs/graph
Limits: one request/s with a key; without one, a pool shared by everybody that often answers 429 at once and names no
time to wait. 100 records a search, the first 1,000 hits in all; 500 ids a batch; 1,000 references or citations a page,
the first 10,000 in all; 10 MB an answer.
Oddities: relevance search knows no operators and no order but its own, and finds nothing for words with a hyphen. Zero
hits have no `data`. A title is matched with the nearest one, be it another's. A batch answers null for an unknown id,
but 400 when it knows none of them. References and citations are not counted, know no tldr, and are `null` where the
publisher withholds them; a page may be empty although more follow. What a record holds: `shared.records`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import quote

from shared.aws.lambda_functions.provider_handler import provider_handler
from shared.bibliography.paper import Paper
from shared.bibliography.paper_ids import scheme_of, value_of
from shared.bibliography.text import plain_text
from shared.errors import BadResponse, ProviderError, RequestRejected
from shared.providers.http_client import Client
from shared.providers.provider import Page, ProviderSpec, translate
from shared.providers.records.semantic_scholar import (
    TYPES,
    raise_error,
    read_linked,
    read_links,
    read_paper,
    read_records,
)
from shared.query.query import Query
from shared.query.question import Links, Lookup, Match
from shared.query.syntax import has_operators, plain

# The schemes of our names, and how Semantic Scholar writes them.
_THEIR_SCHEMES = {
    "s2": "", "doi": "DOI:", "pmid": "PMID:", "pmcid": "PMCID:", "arxiv": "ARXIV:", "corpus": "CorpusId:",
}  # fmt: skip
SPEC = ProviderSpec(
    name="semantic_scholar",
    title="Semantic Scholar",
    manual="https://api.semanticscholar.org/api-docs/graph",
    base_url="https://api.semanticscholar.org",
    family="semantic_scholar",
    filters=frozenset({"date", "journal", "open_access", "min_citations", "publication_types"}),
    operations={
        "search": (),
        **dict.fromkeys(("lookup", "references", "citations"), tuple(_THEIR_SCHEMES)),
        "match": (),
    },
    translates=True,
    page_limit=100,
    requests_per_second=1.0,
)

_PAPER = "/graph/v1/paper/"
# Of what is cited or cites: a thousand abstracts would be more than the API sends at once.
_LINK_FIELDS = (
    "paperId,externalIds,url,title,venue,publicationVenue,year,publicationDate,journal,publicationTypes,authors,"
    "citationCount,influentialCitationCount,isOpenAccess,openAccessPdf"
)
_FIELDS = f"{_LINK_FIELDS},abstract,tldr"
_MOST_LINKS = 1000
_CANDIDATES = 5
_HYPHENS = str.maketrans(dict.fromkeys("-\u2010\u2011\u2012\u2013\u2014\u2212", " "))


def search(query: Query, client: Client) -> Page:
    """Ask /paper/search once, then translate."""
    filters, unsupported, told = _filters(query)
    asked = {"query": _words(plain(query.node)), **filters}
    params = {**asked, "limit": min(query.limit, SPEC.page_limit), "fields": _FIELDS}
    records, total = read_records(_get("search", params, client))
    papers, warnings = translate(records, read_paper)
    return Page(
        papers=papers,
        total=total,
        effective_query="&".join(f"{name}={value}" for name, value in asked.items()),
        warnings=[*told, *warnings],
        unsupported_filters=unsupported,
    )


def lookup(asked: Lookup, client: Client) -> Page:
    """Ask /paper/batch once; it answers in the order of the names, and null for a paper that it does not know."""
    ids = [_their_id(name) for name in asked.names]
    headers = {"x-api-key": client.key} if client.key else {}
    try:
        answer = client.request(
            "POST",
            f"{_PAPER}batch",
            read_fault=_none_known,
            params={"fields": _FIELDS},
            json={"ids": ids},
            headers=headers,
        )
        records = client.decode_json(answer)
    except RequestRejected as error:
        if error.status != 404:
            raise
        records = [None] * len(ids)
    if not isinstance(records, list) or len(records) != len(ids):
        raise_error(records)
        raise BadResponse(f"Semantic Scholar did not answer in {len(ids)} places for as many names")
    known = [place for place in zip(asked.names, enumerate(records, start=1), strict=True) if place[1][1] is not None]
    papers, warnings = translate(known, lambda it, _: replace(read_paper(it[1][1], it[1][0]), asked=(it[0],)))
    found = _each_once(papers)
    told = f"{_PAPER}batch {','.join(ids)}"[:200]
    return Page(papers=found, total=len(found), effective_query=told, warnings=warnings)


def references(asked: Links, client: Client) -> Page:
    """What a paper cites: ask /references once, or twice when the first page is empty and more follow."""
    return _links(asked, "citedPaper", client)


def citations(asked: Links, client: Client) -> Page:
    """Which papers cite a paper: ask /citations once, or twice when the first page is empty and more follow."""
    return _links(asked, "citingPaper", client)


def match(asked: Match, client: Client) -> Page:
    """Ask /paper/search/match once for each title; it knows papers by nothing else."""
    titles = [_words(plain_text(citation.title) or "") for citation in asked.citations]
    warnings = [
        f"citation {place} skipped: Semantic Scholar finds papers by their titles only"
        for place, title in enumerate(titles, start=1)
        if not title
    ]
    wanted = [title for title in dict.fromkeys(titles) if title]
    papers, broken = translate((record for title in wanted for record in _named(title, client)), read_paper)
    return Page(
        papers=papers,
        total=len(papers),
        effective_query=f"{_PAPER}search/match {'; '.join(wanted)}"[:200],
        warnings=[*warnings, *broken],
        unasked=[place for place, title in enumerate(titles) if not title],
    )


def _get(what: str, params: Mapping[str, Any], client: Client) -> Any:
    return client.get_json(_PAPER + what, params, x_api_key=client.key or "")


def _words(text: str) -> str:
    return " ".join(text.translate(_HYPHENS).split())


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
        unknown = sorted(set(query.publication_types) - set(TYPES.values()))
        if unknown:
            unsupported.append("publication_types")
            warnings.append(f"Semantic Scholar has no type for {', '.join(unknown)}: it was asked for all types")
        else:
            kinds = [theirs for theirs, ours in TYPES.items() if ours in query.publication_types]
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


def _their_id(name: str) -> str:
    """`pmcid:PMC123` -> `PMCID:123`."""
    return _THEIR_SCHEMES[scheme_of(name)] + value_of(name).removeprefix("PMC")


def _none_known(body: bytes) -> ProviderError | None:
    """Told with the status of a wrong field, and by these words alone apart from it."""
    if len(body) < 200 and b"No valid paper ids given" in body:
        return RequestRejected("Semantic Scholar knows none of these papers", status=404)
    return None


def _each_once(papers: list[Paper]) -> list[Paper]:
    """A paper that is asked for by two names comes twice: it is kept in its first place, with both."""
    kept: dict[str | int, Paper] = {}
    for paper in papers:
        key = paper.ids.paper_id or paper.rank
        kept[key] = replace(kept[key], asked=kept[key].asked + paper.asked) if key in kept else paper
    return list(kept.values())


def _links(asked: Links, side: str, client: Client) -> Page:
    what = f"{_in_path(_their_id(asked.name))}/{asked.operation}"
    params = {"fields": _LINK_FIELDS, "limit": min(asked.limit, _MOST_LINKS)}
    told = f"{_PAPER}{what}?limit={params['limit']}"[:200]
    try:
        items, following = read_links(_get(what, params, client), side)
        if following and not items:
            items, following = read_links(_get(what, {**params, "offset": following}, client), side)
    except RequestRejected as error:
        if error.status != 404:
            raise
        return Page(papers=(), total=None, effective_query=told, warnings=["Semantic Scholar does not know this paper"])
    if items is None:
        withheld = f"the publisher does not let Semantic Scholar show this paper's {asked.operation}"
        return Page(papers=(), total=None, effective_query=told, warnings=[withheld])
    if following and not items:
        raise BadResponse(f"Semantic Scholar sent two empty pages of {asked.operation}, and says that more follow")
    papers, pointers, warnings = read_linked(items)
    if following:
        warnings.append(f"Semantic Scholar has more {asked.operation} than these, and does not say how many")
    total = None if following else len(items)
    return Page(papers=papers, pointers=pointers, total=total, effective_query=told, warnings=warnings)


def _in_path(their_id: str) -> str:
    """Slashes stay, as in the API's own examples, unless the id would then be read as steps of a path."""
    return re.sub("/(?=[./])", "%2F", quote(their_id, safe="/:"))


def _named(title: str, client: Client) -> list[Any]:
    """What is found under a title: that there is nothing is told as 404, or as an empty list."""
    try:
        body = _get("search/match", {"query": title, "fields": _FIELDS}, client)
    except RequestRejected as error:
        if error.status != 404:
            raise
        return []
    return read_records(body)[0][:_CANDIDATES]


handler = provider_handler(SPEC, search=search, lookup=lookup, references=references, citations=citations, match=match)
