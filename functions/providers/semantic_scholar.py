"""Semantic Scholar: 200 million papers of all disciplines, with citation counts, preprint links and one-line summaries.

Manual: https://api.semanticscholar.org/api-docs/graph
Limits: one request/s with a key; without one, a pool shared by all anonymous callers that often answers 429 at once
without a Retry-After. 100 records a search, the first 1,000 hits in all; 500 ids a batch; 1,000 references or
citations a page, the first 10,000 in all; 10 MB an answer.
Oddities: relevance search requires every word, knows no operators and no order but its own, and finds nothing for words
with a hyphen; the bulk search knows operators and other orders, but no relevance. Zero hits have no `data`. A title is
matched with the nearest one, even of another paper. A batch answers null for an unknown id, but 400 if it knows none of
them. References and citations are not counted, have no tldr, and are `null` if the publisher withholds them; a page may
be empty although more follow. Records: `shared.providers.records.semantic_scholar`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from shared.aws.lambda_functions.provider_handler import provider_handler
from shared.bibliography.paper import Paper
from shared.bibliography.text import plain_text
from shared.providers.http_client import Client, Fields
from shared.providers.provider import Page, ProviderSpec, is_partial, translate
from shared.providers.records.semantic_scholar import read_paper, read_records
from shared.providers.relaxation import widened
from shared.providers.semantic_scholar_api import FIELDS, PAPER, Api
from shared.providers.semantic_scholar_authors import papers_by
from shared.providers.semantic_scholar_filters import Filters, read_filters
from shared.providers.semantic_scholar_links import linked_page
from shared.providers.semantic_scholar_listing import bulk_answer, checked_afterwards, listed_page
from shared.providers.semantic_scholar_similar import similar_page
from shared.providers.semantic_scholar_syntax import (
    ID_PREFIXES,
    MOST_WORDS,
    SORTS,
    api_id,
    best_first,
    expression,
    is_same_title,
    plain_words,
    required,
    search_words,
    similarly_spelt,
    whole_title,
    wider_words,
)
from shared.providers.semantic_scholar_titles import nearest, with_titles
from shared.query.query import Query
from shared.query.question import Links, Listing, Lookup, Match, Similar
from shared.query.syntax import has_operators
from shared.query.wildcards import truncated_words

SPEC = ProviderSpec(
    name="semantic_scholar",
    title="Semantic Scholar", family="semantic_scholar",
    manual="https://api.semanticscholar.org/api-docs/graph", base_url="https://api.semanticscholar.org",
    filters=frozenset((
        "date", "journal", "author", "open_access", "min_citations", "publication_types", "field_of_study", "operators",
    )),
    sorts=frozenset({"relevance", "citations", "date"}),
    operations={
        "search": (), "listing": (),
        **dict.fromkeys(("lookup", "references", "citations", "similar"), tuple(ID_PREFIXES)),
        "match": (),
    },
    translates=True,
    page_limit=100, requests_per_second=1.0, match_titles=25, finds_misspelt=True,
)  # fmt: skip


def search(query: Query, client: Client) -> Page:
    """Query the search that fits the kind of query; if it finds few papers, once more with fewer words."""
    api, filters = Api(client), read_filters(query)
    most = min(query.limit, SPEC.page_limit)
    page, more = papers_by(query, filters, api, most), None
    if page is None:
        filters = filters.without_author() if query.author else filters
        page, wider = _strict(query, filters, api)
        if not page.papers and "venue" in filters.params:
            filters = filters.without_venue()
            page, wider = _strict(query, filters, api)
        more = partial(_by_words, wider, query, filters, api) if wider else None
        if not page.papers and not has_operators(query.node) and (nearly := similarly_spelt(query.telling)):
            more = partial(
                _in_bulk, {"query": nearly, **filters.params, "sort": SORTS[query.sort]}, query, filters, api
            )
    page = widened(page, more, client, query)
    return replace(page, warnings=[*page.warnings, *api.warnings])


def _strict(query: Query, filters: Filters, api: Api) -> tuple[Page, tuple[str, ...] | None]:
    """The papers that satisfy the whole query, and the words of a wider search, if there are any."""
    # A wildcard means nothing to the search by relevance; `a|b*` is none.
    if has_operators(query.node) or any(word.rstrip("*,;.").isalnum() for word in truncated_words(query.node)):
        return _by_expression(query, filters, api), None
    words = search_words(query)
    title = whole_title(query) if query.sort == "relevance" else None
    if title and (page := _by_title(title, query, filters, api)):
        return page, None if len(title.split()) >= MOST_WORDS else words
    return _by_words(words, query, filters, api), wider_words(words)


def _by_title(title: str, query: Query, filters: Filters, api: Api) -> Page | None:
    """The paper of this title; None if the nearest title is another one."""
    records = nearest(title, api, filters.params)[:1]
    papers, broken = translate(records, read_paper)
    if not papers or not is_same_title(title, plain_words(papers[0].title)):
        return None
    return _page(papers, broken, 1, {"query": title, **filters.params}, "search/match?", filters, query)


def _by_words(words: Sequence[str], query: Query, filters: Filters, api: Api) -> Page:
    """Papers with all of the words: by relevance, or from the bulk search, which knows other orders."""
    if query.sort != "relevance":
        return _in_bulk({"query": required(words), **filters.params, "sort": SORTS[query.sort]}, query, filters, api)
    terms: Fields = {"query": plain_words(" ".join(words)), **filters.params}
    params = {**terms, "limit": min(query.limit, SPEC.page_limit), "fields": FIELDS}
    records, total = read_records(api.get("paper/search", params))
    papers, broken = translate(records, read_paper)
    return _page(papers, broken, total, terms, "", filters, query)


def _by_expression(query: Query, filters: Filters, api: Api) -> Page:
    """Papers that satisfy operators, phrases and tags; those with tags are checked once more on the records."""
    terms: Fields = {"query": expression(query.node), **filters.params, "sort": SORTS[query.sort]}
    return _in_bulk(terms, query, checked_afterwards(query, filters), api)


def listing(request: Listing, client: Client) -> Page:
    """One page of the bulk search, which has 1,000 papers, whatever the size requested."""
    return listed_page(request, Api(client), SPEC)


def _in_bulk(terms: Fields, query: Query, filters: Filters, api: Api) -> Page:
    """The best of the first thousand papers of the bulk search, which has no order by relevance."""
    records, total = read_records(bulk_answer(terms, api))
    if query.sort == "relevance":
        records = best_first(records, query.telling)
    papers, broken = translate(records[: min(query.limit, SPEC.page_limit)], read_paper)
    return _page(papers, broken, total, terms, "search/bulk?", filters, query)


def _page(
    papers: Sequence[Paper],
    broken: Sequence[str],
    total: int | None,
    terms: Fields,
    path: str,
    filters: Filters,
    query: Query,
) -> Page:
    expected = min(query.limit, SPEC.page_limit, total or 0)
    return Page(
        papers=papers,
        total=total,
        effective_query=path + "&".join(f"{name}={value}" for name, value in terms.items()),
        warnings=[*filters.warnings, *broken],
        partial=is_partial(len(papers) + len(broken), len(broken), expected),
        unsupported_filters=filters.unsupported,
    )


def lookup(request: Lookup, client: Client) -> Page:
    """Query /paper/batch once; it answers in the order of the ids, with null for an unknown paper."""
    ids = [api_id(name) for name in request.names]
    api = Api(client)
    known = [
        (name, rank, record)
        for rank, (name, record) in enumerate(zip(request.names, api.batch(ids, FIELDS), strict=True), start=1)
        if record is not None
    ]
    papers, warnings = translate(known, lambda entry, _: replace(read_paper(entry[2], entry[1]), asked=(entry[0],)))
    found = _merge_same(papers)
    return Page(
        papers=found,
        total=len(found),
        effective_query=f"{PAPER}batch {','.join(ids)}"[:200],
        warnings=[*api.warnings, *warnings],
        partial=is_partial(len(known), len(warnings)),
        unread=len(warnings),
    )


def references(request: Links, client: Client) -> Page:
    """The references of a paper, from /references: one page, or two if the first is empty and more follow."""
    return linked_page(request, "citedPaper", Api(client))


def citations(request: Links, client: Client) -> Page:
    """The papers that cite a paper, from /citations: one page, or two if the first is empty and more follow."""
    return linked_page(request, "citingPaper", Api(client))


def similar(request: Similar, client: Client) -> Page:
    """The papers that the recommendations name for one paper, or for several and against others."""
    return similar_page(request, Api(client))


def match(request: Match, client: Client) -> Page:
    """Query /paper/search/match for one title, or the bulk search for several; they compare no other field."""
    titles = [plain_words(plain_text(citation.title) or "") for citation in request.citations]
    warnings = [
        f"citation {place} skipped: Semantic Scholar finds papers by their titles only"
        for place, title in enumerate(titles, start=1)
        if not title
    ]
    wanted = [title for title in dict.fromkeys(titles) if title]
    api = Api(client)
    papers, broken = translate(with_titles(wanted, api), read_paper)
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


handler = provider_handler(
    SPEC,
    search=search,
    listing=listing,
    lookup=lookup,
    references=references,
    citations=citations,
    similar=similar,
    match=match,
)
