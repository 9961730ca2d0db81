"""Semantic Scholar: 200 million papers of all disciplines, with citation counts, preprint links and one-line summaries.

Manual: https://api.semanticscholar.org/api-docs/graph
Limits: one request/s with a key; without one, a pool shared by all anonymous callers that often answers 429 at once
without a Retry-After. 100 records a search, the first 1,000 hits in all; 500 ids a batch; 1,000 references or
citations a page, the first 10,000 in all; 10 MB an answer.
Oddities: relevance search knows no operators and no order but its own, and finds nothing for words with a hyphen. Zero
hits have no `data`. A title is matched with the nearest one, even of another paper. A batch answers null for an unknown
id, but 400 if it knows none of them. References and citations are not counted, have no tldr, and are `null` if the
publisher withholds them; a page may be empty although more follow. Records:
`shared.providers.records.semantic_scholar`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any
from urllib.parse import quote

from shared.aws.lambda_functions.provider_handler import provider_handler
from shared.bibliography.paper import Paper
from shared.bibliography.text import plain_text
from shared.errors import BadResponse, RequestRejected
from shared.providers.http_client import Client, Fields
from shared.providers.provider import Page, ProviderSpec, is_partial, translate
from shared.providers.records.semantic_scholar import (
    raise_error,
    read_linked,
    read_links,
    read_paper,
    read_records,
)
from shared.providers.semantic_scholar_api import FIELDS, GRAPH, LINK_FIELDS, PAPER, TOO_LARGE, UNKNOWN, Api
from shared.providers.semantic_scholar_syntax import ID_PREFIXES, api_id, filter_parameters, plain_words
from shared.query.query import Query
from shared.query.question import Links, Lookup, Match
from shared.query.syntax import plain

SPEC = ProviderSpec(
    name="semantic_scholar",
    title="Semantic Scholar",
    manual="https://api.semanticscholar.org/api-docs/graph",
    base_url="https://api.semanticscholar.org",
    family="semantic_scholar",
    filters=frozenset({"date", "journal", "open_access", "min_citations", "publication_types"}),
    operations={
        "search": (),
        **dict.fromkeys(("lookup", "references", "citations"), tuple(ID_PREFIXES)),
        "match": (),
    },
    translates=True,
    page_limit=100,
    requests_per_second=1.0,
)

_MAX_LINKS, _FEWER_LINKS = 1000, 200
_CANDIDATES = 5


def search(query: Query, client: Client) -> Page:
    """Query /paper/search once and convert the records."""
    filters, unsupported, warnings = filter_parameters(query)
    terms = {"query": plain_words(plain(query.node)), **filters}
    params: Fields = {**terms, "limit": min(query.limit, SPEC.page_limit), "fields": FIELDS}
    api = Api(client)
    records, total = read_records(api.get("paper/search", params))
    papers, broken = translate(records, read_paper)
    expected = min(query.limit, SPEC.page_limit, total or 0)
    return Page(
        papers=papers,
        total=total,
        effective_query="&".join(f"{name}={value}" for name, value in terms.items()),
        warnings=[*warnings, *api.warnings, *broken],
        partial=is_partial(len(records), len(broken), expected),
        unsupported_filters=unsupported,
    )


def lookup(request: Lookup, client: Client) -> Page:
    """Query /paper/batch once; it answers in the order of the ids, with null for an unknown paper."""
    ids = [api_id(name) for name in request.names]
    api = Api(client)
    try:
        records = api.post("paper/batch", {"fields": FIELDS}, {"ids": ids})
    except RequestRejected as error:
        if error.status != UNKNOWN:
            raise
        records = [None] * len(ids)
    if not isinstance(records, list) or len(records) != len(ids):
        raise_error(records)
        raise BadResponse(f"Semantic Scholar did not send {len(ids)} entries for {len(ids)} ids")
    known = [
        (name, rank, record)
        for rank, (name, record) in enumerate(zip(request.names, records, strict=True), start=1)
        if record is not None
    ]
    papers, warnings = translate(known, lambda entry, _: replace(read_paper(entry[2], entry[1]), asked=(entry[0],)))
    found = _merge_same(papers)
    effective_query = f"{PAPER}batch {','.join(ids)}"[:200]
    return Page(
        papers=found,
        total=len(found),
        effective_query=effective_query,
        warnings=[*api.warnings, *warnings],
        partial=is_partial(len(known), len(warnings)),
    )


def references(request: Links, client: Client) -> Page:
    """The references of a paper, from /references: one page, or two if the first is empty and more follow."""
    return _links(request, "citedPaper", client)


def citations(request: Links, client: Client) -> Page:
    """The papers that cite a paper, from /citations: one page, or two if the first is empty and more follow."""
    return _links(request, "citingPaper", client)


def match(request: Match, client: Client) -> Page:
    """Query /paper/search/match once for each title; it supports no other field."""
    titles = [plain_words(plain_text(citation.title) or "") for citation in request.citations]
    warnings = [
        f"citation {place} skipped: Semantic Scholar finds papers by their titles only"
        for place, title in enumerate(titles, start=1)
        if not title
    ]
    wanted = [title for title in dict.fromkeys(titles) if title]
    api = Api(client)
    papers, broken = translate((record for title in wanted for record in _named(title, api)), read_paper)
    return Page(
        papers=papers,
        total=len(papers),
        effective_query=f"{PAPER}search/match {'; '.join(wanted)}"[:200],
        warnings=[*warnings, *api.warnings, *broken],
        not_queried=[place for place, title in enumerate(titles) if not title],
    )


def _merge_same(papers: list[Paper]) -> list[Paper]:
    """Merge a paper that was requested by two ids and sent twice: at its first position, with both ids."""
    merged: dict[str | int, Paper] = {}
    for paper in papers:
        key = paper.ids.paper_id or paper.rank
        merged[key] = replace(merged[key], asked=merged[key].asked + paper.asked) if key in merged else paper
    return list(merged.values())


def _links(request: Links, side: str, client: Client) -> Page:
    path = f"paper/{_in_path(api_id(request.name))}/{request.operation}"
    api = Api(client)
    limit = min(request.limit, _MAX_LINKS)
    try:
        items, following = _links_page(api, path, side, limit)
    except RequestRejected as error:
        if error.status == TOO_LARGE and limit > _FEWER_LINKS:
            limit = _FEWER_LINKS
            items, following = _links_page(api, path, side, limit)
        elif error.status == UNKNOWN:
            return _no_links(path, limit, [*api.warnings, "Semantic Scholar does not know this paper"])
        else:
            raise
    if items is None:
        withheld = f"the publisher does not let Semantic Scholar show this paper's {request.operation}"
        return _no_links(path, limit, [*api.warnings, withheld])
    if following and not items:
        raise BadResponse(f"Semantic Scholar sent two empty pages of {request.operation}, and says that more follow")
    papers, pointers, warnings = read_linked(items)
    if following:
        warnings.append(f"Semantic Scholar has more {request.operation} than these, and does not say how many")
    return Page(
        papers=papers,
        pointers=pointers,
        total=None if following else len(items),
        effective_query=_links_query(path, limit),
        warnings=[*api.warnings, *warnings],
    )


def _links_page(api: Api, path: str, side: str, limit: int) -> tuple[list[Any] | None, int | None]:
    """One page of links, or the second one if the first is empty and more follow."""
    params: Fields = {"fields": LINK_FIELDS, "limit": limit}
    items, following = read_links(api.get(path, params), side)
    if following and not items:
        items, following = read_links(api.get(path, {**params, "offset": following}), side)
    return items, following


def _no_links(path: str, limit: int, warnings: list[str]) -> Page:
    return Page(papers=(), total=None, effective_query=_links_query(path, limit), warnings=warnings)


def _links_query(path: str, limit: int) -> str:
    return f"{GRAPH}{path}?limit={limit}"[:200]


def _in_path(paper_id: str) -> str:
    """The id for a URL path; slashes stay, as in the API's examples, unless they would form `//` or `/.`."""
    return re.sub("/(?=[./])", "%2F", quote(paper_id, safe="/:"))


def _named(title: str, api: Api) -> list[Any]:
    """The candidates for a title; no match is a 404 or an empty list."""
    try:
        body = api.get("paper/search/match", {"query": title, "fields": FIELDS})
    except RequestRejected as error:
        if error.status != UNKNOWN:
            raise
        return []
    return read_records(body, counted=False)[0][:_CANDIDATES]


handler = provider_handler(SPEC, search=search, lookup=lookup, references=references, citations=citations, match=match)
