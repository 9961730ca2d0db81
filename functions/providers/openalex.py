"""OpenAlex: 250 million works of all disciplines, with open-access locations, retractions and references.

Manual: https://developers.openalex.org/api-reference/works
Limits: a key is needed for real use since 2026-02; a day's allowance in dollars, 0.001 a search, 0.0001 a list, nothing
a single work; 100 requests/s; 100 values a filter, 4 KB a URL.
Oddities: a spent allowance is a 429 with a Retry-After of many hours; a 404 is HTML; a merged work is a 301. A journal
is filtered by its OpenAlex id, so its name needs one more call, which is free. A list of an unknown work is empty.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

from shared.aws.lambda_functions.provider_handler import provider_handler
from shared.bibliography.identifiers import read_openalex
from shared.bibliography.journal_names import journal_names
from shared.bibliography.journals import JournalMatch, compare_journals
from shared.bibliography.paper import Paper
from shared.bibliography.paper_ids import value_of
from shared.errors import BadResponse
from shared.providers.fused_lists import fused
from shared.providers.header_numbers import MAX_CREDITS, header_number, seconds_until
from shared.providers.http_client import Client
from shared.providers.listed_pages import position_after, sent
from shared.providers.openalex_api import filter_of, get, groups, next_cursor, path_of, read_works, work_named
from shared.providers.openalex_filters import filter_texts, filters_of_meaning
from shared.providers.openalex_related import similar_page
from shared.providers.openalex_syntax import MEANING, MEANING_RESULTS, SearchText, search_text, wider_text
from shared.providers.provider import Page, ProviderSpec, is_partial, translate
from shared.providers.records.openalex import FIELDS, name_answers, read_paper
from shared.providers.relaxation import widened
from shared.query.query import FILTERS, Query
from shared.query.question import Links, Listing, Lookup, Similar
from shared.rate_limits.limits import RateLimitHeaders

SPEC = ProviderSpec(
    name="openalex", title="OpenAlex", family="crossref",  # OpenAlex ingests Crossref whole
    manual="https://developers.openalex.org/api-reference/works", base_url="https://api.openalex.org",
    filters=frozenset(FILTERS), sorts=frozenset({"relevance", "citations", "date"}),
    operations={
        "search": (), "listing": (), "lookup": ("doi", "openalex", "pmid"),
        **dict.fromkeys(("references", "citations", "similar"), ("openalex",)),
    },
    knows_orcids=True,
    tracks_integrity=True, page_limit=100, requests_per_second=10.0, free_paths=("/works/", "/autocomplete/"),
)  # fmt: skip

_SORTS = {"relevance": "relevance_score", "citations": "cited_by_count", "date": "publication_date"}
_JOURNAL_CHARS = 200
_SELECT = ",".join(FIELDS)
_PAGE = {"per_page": str(SPEC.page_limit), "select": _SELECT}


def search(query: Query, client: Client) -> Page:
    """Query /works (and first the sources, for the ids of a journal) and convert the works.

    A question is also searched for by its meaning; other words that find few papers, in a wider form.
    """
    found = search_text(query.understood)
    filters = _filters(query, found, client)
    if isinstance(filters, Page):
        return filters
    strict = _found(query, found, filters, client)
    of_meaning = filters_of_meaning(query, filters)
    wider = wider_text(query.understood, by_meaning=of_meaning is not None) if query.sort == "relevance" else None
    if wider is None:
        return strict
    by_meaning = wider.parameter == MEANING
    send = partial(_found, query, wider, (of_meaning or []) if by_meaning else filters, client)
    if by_meaning and query.understood.kind == "question":
        return fused(strict, send, client, limit=query.limit)
    return widened(strict, send, client, query)


def listing(request: Listing, client: Client) -> Page:
    """Query /works by cursor; the journal's ids are looked up for each page."""
    query = replace(request.query, limit=request.size)
    found = search_text(query.understood)
    filters = _filters(query, found, client)
    if isinstance(filters, Page):
        return filters
    return _found(query, found, filters, client, cursor=request.position or "*")


def _filters(query: Query, found: SearchText, client: Client) -> list[str] | Page:
    """The filters of a query; an empty page if OpenAlex has no such journal."""
    filters = [*filter_texts(query), *found.filters]
    if query.journal:
        sources = _source_ids(query.journal, client)
        if not sources:
            warning = f"OpenAlex knows no journal like {query.journal!r}"
            return Page(papers=(), total=0, effective_query=f"sources?q={query.journal}", warnings=[warning])
        filters.append("primary_location.source.id:" + "|".join(sources))
    return filters


def _found(
    query: Query, search: SearchText, filters: Sequence[str], client: Client, *, cursor: str | None = None
) -> Page:
    by_meaning = search.parameter == MEANING
    limit = min(query.limit, MEANING_RESULTS if by_meaning else SPEC.page_limit)
    params = {"per_page": str(limit), "select": f"{_SELECT},relevance_score"}
    text = {search.parameter: search.text} if search.text else {}
    is_scored = bool(text) or any(".search:" in name for name in filters)
    if not by_meaning:
        params["sort"] = f"{_SORTS[query.sort if is_scored or query.sort == 'date' else 'citations']}:desc"
    if filters:
        params["filter"] = ",".join(filters)
    if cursor:
        params["cursor"] = cursor
    body = get("/works", params | text, client)
    works, total = read_works(body, may_end=cursor not in (None, "*"))
    papers, warnings = translate(works, _reader(client))
    if cursor:
        unread = is_partial(len(works), len(warnings))
        return Page(
            papers=papers, total=total, effective_query=sent(SPEC, "/works", text | params), partial=unread,
            warnings=[*search.warnings, *warnings], unsupported_filters=search.unsupported,
            next_position=position_after(works, total, next_cursor(body), SPEC),
        )  # fmt: skip
    # By relevance is what OpenAlex does with words anyway.
    hidden = {"per_page", "select", *(["sort"] if params.get("sort") == f"{_SORTS['relevance']}:desc" else [])}
    shown = [f"{name}={value}" for name, value in {**text, **params}.items() if name not in hidden]
    return Page(
        papers=papers, total=total, effective_query="&".join(shown), warnings=[*search.warnings, *warnings],
        partial=is_partial(len(works), len(warnings), min(limit, total or 0)), unsupported_filters=search.unsupported,
    )  # fmt: skip


def _source_ids(journal: str, client: Client) -> list[str]:
    """The journals of this name if there are any, else all whose names hold it.

    The autocomplete costs nothing, finds abbreviated titles as well, and names the exact one first.
    """
    found = get("/autocomplete/sources", {"q": journal_names(journal).full[:_JOURNAL_CHARS]}, client)
    if not isinstance(found, Mapping) or not isinstance(found.get("results"), list):
        raise BadResponse("OpenAlex's list of journals has an unexpected form")
    sources = [source for source in found["results"] if isinstance(source, Mapping) and source.get("id")]
    same = [it for it in sources if compare_journals(it.get("display_name") or "", journal) is JournalMatch.SAME]
    return [str(source["id"]).rpartition("/")[2] for source in same or sources]


def _reader(client: Client) -> Callable[[Any, int], Paper]:
    return partial(read_paper, latest_year=client.now().year + 1)


def lookup(request: Lookup, client: Client) -> Page:
    """Query the names of each scheme together, and a single name by its path, which is free of charge."""
    by_scheme, read = groups(request.names, SPEC.page_limit), _reader(client)
    works = [(work, group) for group in by_scheme for work in _known(group, client)]
    papers, broken = translate(works, lambda entry, rank: replace(read(entry[0], rank), asked=entry[1]))
    known = name_answers(papers, request.names)
    odd = len({paper.ids for paper in papers}) - len(known)
    effective = "; ".join(
        f"/works?filter={filter_of(group)}" if len(group) > 1 else path_of(group[0]) for group in by_scheme
    )
    return Page(
        papers=known, total=len(known), effective_query=effective[:200], partial=is_partial(len(works), len(broken)),
        warnings=[*broken, *([f"{odd} works left out: they have none of the requested ids"] if odd else [])],
        unread=len(broken),
    )  # fmt: skip


def _known(group: Sequence[str], client: Client) -> list[Any]:
    """The works of names of one scheme."""
    if len(group) == 1:
        return work_named(group[0], _SELECT, client)
    return read_works(get("/works", {**_PAGE, "filter": filter_of(group)}, client))[0]


def references(request: Links, client: Client) -> Page:
    """The works that a work cites, as far as OpenAlex has them."""
    return _linked({"filter": f"cited_by:{value_of(request.name)}"}, "referenced_works_count", request, client)


def citations(request: Links, client: Client) -> Page:
    """The works that cite a work, the most cited first."""
    params = {"filter": f"cites:{value_of(request.name)}", "sort": "cited_by_count:desc"}
    return _linked(params, "cited_by_count", request, client)


def similar(request: Similar, client: Client) -> Page:
    """The related works of one work, or of several and against others."""
    return similar_page(request, client, _reader(client))


def _linked(which: Mapping[str, str], count: str, request: Links, client: Client) -> Page:
    """Two pages at most; `count` is the field of the work with the expected number."""
    params = {**_PAGE, **which, "per_page": str(min(request.limit, SPEC.page_limit))}
    works, total = read_works(get("/works", params, client))
    if len(works) == SPEC.page_limit < min(request.limit, total or 0):
        works = works + read_works(get("/works", {**params, "page": "2"}, client))[0]
    papers, warnings = translate(works[: request.limit], _reader(client))
    lacking = is_partial(len(works), len(warnings), min(request.limit, total or 0, 2 * SPEC.page_limit))
    warnings += [] if works else _reason_for_none(request.name, count, client)
    query = f"/works?filter={which['filter']}"
    return Page(papers=papers, total=total, effective_query=query, warnings=warnings, partial=lacking)


def _reason_for_none(name: str, count: str, client: Client) -> list[str]:
    """Why a list is empty, from the work itself: it may be unknown or merged into another."""
    for work in work_named(name, f"id,{count}", client):
        if (now := read_openalex(work.get("id"))) != value_of(name):
            return [f"OpenAlex has merged {value_of(name)} into {now}: request that one"]
        return [f"OpenAlex counts {work[count]} of them and lists none"] if work.get(count) else []
    return [f"OpenAlex does not know {value_of(name)}"]


def read_limits(headers: Mapping[str, str], now: datetime) -> RateLimitHeaders:
    """The day's credits; they limit nothing while there is money on the account."""
    names = ("remaining", "limit", "prepaid-remaining-usd", "onetime-remaining")
    left, a_day, *money = (header_number(headers, f"x-ratelimit-{name}", MAX_CREDITS) for name in names)
    if left is None or any(money):
        return RateLimitHeaders()
    reset_s = seconds_until(headers.get("x-ratelimit-reset"), now)
    return RateLimitHeaders(credits_left=int(left), credits_a_day=int(a_day or 0) or None, credits_reset_s=reset_s)


handler = provider_handler(
    SPEC,
    search=search,
    listing=listing,
    lookup=lookup,
    references=references,
    citations=citations,
    similar=similar,
    read_limits=read_limits,
)
