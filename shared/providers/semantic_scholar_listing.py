"""Semantic Scholar's bulk search: pages of 1,000 papers, each with the token of the next one.

Manual: https://api.semanticscholar.org/api-docs/graph
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from shared.errors import RequestRejected, UnsupportedFilter
from shared.providers.http_client import Fields
from shared.providers.listed_pages import position_after, sent
from shared.providers.provider import Page, ProviderSpec, is_partial, translate
from shared.providers.records.semantic_scholar import read_paper, read_records
from shared.providers.semantic_scholar_api import BULK_FIELDS, LINK_FIELDS, PAPER, TOO_LARGE, Api
from shared.providers.semantic_scholar_filters import Filters, read_filters
from shared.providers.semantic_scholar_syntax import (
    SORTS,
    expression,
    must_be_checked,
    required,
    search_words,
    tag_warnings,
)
from shared.query.query import Query
from shared.query.question import Listing
from shared.query.syntax import has_operators


def listed_page(request: Listing, api: Api, spec: ProviderSpec) -> Page:
    """One page of the bulk search, which has 1,000 papers, whatever the size requested."""
    query = request.query
    filters = checked_afterwards(query, read_filters(query))
    words = expression(query.node) if has_operators(query.node) else required(search_words(query))
    if not words:
        raise UnsupportedFilter("Semantic Scholar lists papers by their words, not by an author alone")
    if query.author:
        filters = filters.without_author()
    terms: Fields = {"query": words, **filters.params, "sort": SORTS[query.sort]}
    place = {"token": request.position} if request.position else {}
    body = bulk_answer({**terms, **place}, api)
    records, total = read_records(body)
    papers, broken = translate(records, read_paper)
    return Page(
        papers=papers,
        total=total,
        effective_query=sent(spec, f"{PAPER}search/bulk", {**terms, **place}),
        warnings=[*filters.warnings, *api.warnings, *broken],
        partial=is_partial(len(records), len(broken)),
        unsupported_filters=filters.unsupported,
        next_position=position_after(records, total, body.get("token"), spec),
    )


def bulk_answer(terms: Fields, api: Api) -> Any:
    """The answer of the bulk search, without abstracts if it would be too large with them."""
    try:
        return api.get("paper/search/bulk", {**terms, "fields": BULK_FIELDS})
    except RequestRejected as error:
        if error.status != TOO_LARGE:
            raise
        return api.get("paper/search/bulk", {**terms, "fields": LINK_FIELDS})


def checked_afterwards(query: Query, filters: Filters) -> Filters:
    """The filters of an expression that the API's language does not hold as a whole."""
    if not (has_operators(query.node) and must_be_checked(query.node)):
        return filters
    warnings = (*filters.warnings, *tag_warnings(query.node))
    return replace(filters, unsupported=(*filters.unsupported, "operators"), warnings=warnings)
