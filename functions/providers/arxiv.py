"""arXiv: three million preprints in physics, mathematics, computing and related fields, all free to read.

Manual: https://info.arxiv.org/help/api/user-manual.html
Limits: one request in three seconds and one connection, over all machines of one caller; 2,000 records a call. A 429 is
plain text without a Retry-After and may take two minutes: it reflects arXiv's load more than the caller's rate.
Oddities: an error is a feed with an entry titled "Error", also under HTTP 200; a page may be empty although hits are
announced; it rewrites what its grammar lacks. One malformed id fails a whole list of ids; an unknown one is only
missing. The form of its queries is in `shared/providers/arxiv_syntax.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from xml.etree.ElementTree import Element

from shared.aws.lambda_functions.provider_handler import provider_handler
from shared.bibliography.identifiers import read_arxiv
from shared.bibliography.paper_ids import scheme_of, value_of
from shared.bibliography.text import fold, plain_text
from shared.errors import BadResponse, ProviderError, RateLimited, RequestRejected, Unavailable, UnsupportedFilter
from shared.json_types import read_count
from shared.providers.arxiv_syntax import (
    FIRST_MINUTE,
    LAST_MINUTE,
    Expression,
    author_clause,
    field_clause,
    journal_clause,
    strict_expression,
    titles_expression,
    wider_expression,
)
from shared.providers.http_client import Client
from shared.providers.listed_pages import followed, size_of, start_of
from shared.providers.provider import NothingAdmitted, Page, ProviderSpec, is_partial, translate
from shared.providers.records.arxiv import NAMESPACES, read_paper, read_text
from shared.providers.relaxation import widened
from shared.providers.title_phrases import title_phrases
from shared.query.query import Query
from shared.query.question import Listing, Lookup, Match
from shared.query.syntax import has_truncated_phrase

SPEC = ProviderSpec(
    name="arxiv",
    title="arXiv",
    manual="https://info.arxiv.org/help/api/user-manual.html",
    base_url="https://export.arxiv.org",
    family="arxiv",
    filters=frozenset({"date", "journal", "author", "open_access", "publication_types", "field_of_study", "operators"}),
    sorts=frozenset({"relevance", "date"}),
    operations={"search": (), "listing": (), "lookup": ("arxiv",), "match": ()},
    match_titles=20,
    disciplines=frozenset({"computing"}),  # physics and mathematics count as computing here
    page_limit=100,
    requests_per_second=1 / 3,
    concurrency=1,
)

_BARE = re.compile(r"[\w:]+")
_LONG_QUERY = 1000  # bytes, from which on it is sent as a form, since servers limit addresses
_PAPERS_A_PHRASE = 3
_REACH = 30_000  # hits that it lists in all
_PERMIT_INTERVAL_S = 1 / SPEC.requests_per_second  # how long another request waits for its permit


def search(query: Query, client: Client) -> Page:
    """Query /api/query and convert the entries; a second time for a wider form if few papers came.

    Raises NothingAdmitted if no preprint can pass the filters, UnsupportedFilter if the index has none of the words.
    """
    _check_admitted(query)
    strict = _page(strict_expression(query), query, client)
    wide = wider_expression(query) if client.time_left() > 2 * _PERMIT_INTERVAL_S else None
    return widened(strict, (lambda: _page(wide, query, client)) if wide else None, client, query)


def listing(request: Listing, client: Client) -> Page:
    """Query /api/query from a number on. Raises as `search` does."""
    _check_admitted(request.query)
    size = size_of(request, SPEC, _REACH)
    query = replace(request.query, limit=size)
    page = _page(strict_expression(query), query, client, start=start_of(request))
    shown = replace(page, effective_query=f"GET {SPEC.base_url}/api/query?{page.effective_query}")
    return followed(shown, request, size, _REACH)


def _check_admitted(query: Query) -> None:
    if query.exclude_preprints or (query.publication_types and "preprint" not in query.publication_types):
        raise NothingAdmitted("arXiv holds preprints only, and the filters admit none")


def _page(expression: Expression, query: Query, client: Client, *, start: int | None = None) -> Page:
    search_query, limit = _with_filters(expression.text, query), min(query.limit, SPEC.page_limit)
    sort = "submittedDate" if query.sort == "date" else "relevance"
    params = {"search_query": search_query, "sortBy": sort, "sortOrder": "descending", "max_results": str(limit)}
    place = {} if start is None else {"start": str(start)}
    feed, total = _feed({**params, **place}, client)
    papers, broken = translate(_entries(feed), read_paper)
    warnings, unsupported = _limitations(query)
    warnings += [*expression.warnings, *_rewritten_query(feed, search_query)]
    sent, expected = len(papers) + len(broken), max(0, min(limit, total - (start or 0)))
    if sent < expected:
        warnings.append(f"arXiv sent {sent} of the {expected} records that it announced")
    days = [paper.publication_date or "" for paper in papers]
    if sort == "submittedDate" and days != sorted(days, reverse=True):
        warnings.append("arXiv did not sort by date this time")
    return Page(
        papers=papers,
        total=total,
        effective_query="&".join(
            [f"search_query={search_query}&sortBy={sort}", *(f"start={it}" for it in place.values())]
        ),
        warnings=[*warnings, *broken],
        unsupported_filters=unsupported,
        partial=is_partial(sent, len(broken), expected),
    )


def _limitations(query: Query) -> tuple[list[str], list[str]]:
    """Warnings about filters that arXiv applies in part, and their names if it applies none of them."""
    warnings, unsupported = [], []
    if query.journal and fold(query.journal) != "arxiv":
        warnings.append("arXiv knows a journal only where the authors typed it, so more papers of it may exist")
    if has_truncated_phrase(query.node):
        unsupported.append("operators")
        warnings.append("arXiv has no wildcards in phrases: the words are checked afterwards")
    return warnings, unsupported


def _with_filters(expression: str, query: Query) -> str:
    """The expression with a clause for each filter. Raises UnsupportedFilter if nothing is left of the words."""
    text = " AND ".join(clause for clause in (expression, *_filters(query)) if clause)
    if not text or (not expression and query.understood.kind != "none"):
        raise UnsupportedFilter(f"arXiv's index has none of the words of {query.text!r:.100}")
    return text


def _filters(query: Query) -> Iterator[str | None]:
    if query.author:
        yield author_clause(query)
    if query.journal and fold(query.journal) != "arxiv":
        yield journal_clause(query.journal)
    if query.field_of_study:
        if (clause := field_clause(query.field_of_study)) is None:
            raise UnsupportedFilter(f"arXiv has no category for {query.field_of_study}")
        yield clause
    if query.first_day or query.last_day:
        since = f"{query.first_day:%Y%m%d}0000" if query.first_day else FIRST_MINUTE
        until = f"{query.last_day:%Y%m%d}2359" if query.last_day else LAST_MINUTE
        yield f"submittedDate:[{since} TO {until}]"


def _feed(params: Mapping[str, str], client: Client) -> tuple[Element, int]:
    """The feed and the number of hits; queried a second time if hits are announced and none is sent."""
    for last in (False, True):
        if len(params.get("search_query", "").encode()) < _LONG_QUERY:
            answer = client.request("GET", "/api/query", params=params, read_error=_read_error)
        else:
            answer = client.post_form("/api/query", params, _read_error)
        feed = client.decode_xml(answer)
        total = read_count(read_text(feed, "opensearch:totalResults"))
        if feed.tag != f"{{{NAMESPACES['atom']}}}feed" or total is None:
            raise BadResponse("arXiv answered without a feed that counts its hits")
        if total == 0 or _entries(feed):
            return feed, total
        if last or client.time_left() < 2 * _PERMIT_INTERVAL_S:
            break
    raise Unavailable(f"arXiv announced {total} records and sent none")


def _read_error(body: bytes) -> ProviderError | None:
    """The rate limit error, which also occurs under HTTP 200."""
    return RateLimited("arXiv answered: too many requests") if body.lstrip().startswith(b"Rate exceeded") else None


def _entries(feed: Element) -> list[Element]:
    """The entries. Raises RequestRejected for an error entry, known by its id: a paper may be titled "Error" too."""
    entries = feed.findall("atom:entry", NAMESPACES)
    if any("/api/errors" in (read_text(entry, "atom:id") or "") for entry in entries):
        raise RequestRejected("arXiv rejected the request as invalid")
    return entries


def _rewritten_query(feed: Element, search_query: str) -> list[str]:
    """A warning if the feed's title states another query than was sent: unknown prefixes are rewritten silently."""
    understood = re.search(r"search_query=([^&]+)", read_text(feed, "atom:title") or "")
    if understood is None or _BARE.findall(understood[1].casefold()) == _BARE.findall(search_query.casefold()):
        return []
    return [f"arXiv read the query as {understood[1]}"]


def lookup(request: Lookup, client: Client) -> Page:
    """Query /api/query for all ids in one request; an unknown id has no paper."""
    names: dict[str, list[str]] = {}  # by the id that is sent
    for name in request.names:
        number = read_arxiv(value_of(name)) if scheme_of(name) == "arxiv" else None
        if number:
            names.setdefault(number, []).append(name)
    if not names:
        return Page(papers=(), total=0, effective_query="")
    ids = ",".join(names)
    feed, total = _feed({"id_list": ids, "max_results": str(len(names))}, client)
    papers, warnings = translate(_entries(feed), read_paper)
    sent = len(papers) + len(warnings)
    partial = is_partial(sent, len(warnings), total)
    unread = len(warnings) + max(0, total - sent)
    if sent < total:
        warnings.append(f"arXiv sent {sent} of the {total} records that it announced")
    known = [
        replace(paper, rank=request.names.index(names[number][0]) + 1, asked=tuple(names[number]))
        for paper in papers
        if (number := paper.ids.arxiv) in names
    ]
    known.sort(key=lambda paper: paper.rank)
    query = f"/api/query?id_list={ids}"[:200]
    return Page(
        papers=known, total=len(known), effective_query=query, warnings=warnings, partial=partial, unread=unread
    )


def match(request: Match, client: Client) -> Page:
    """Query /api/query for the preprints with any of the titles, each as its phrases; it compares no other field.

    What has a volume (not `abs/…`) is published, and not queried: sources that allow more requests hold it.
    """
    titles = ["" if (it.volume or "")[:1].isdigit() else plain_text(it.title) or "" for it in request.citations]
    not_queried = [place for place, title in enumerate(titles) if not fold(title)]
    phrases = [phrase for title in titles for phrase in title_phrases(title)]
    expression = titles_expression(phrase for phrase in phrases if fold(phrase))
    if not expression:
        return Page(papers=(), total=0, effective_query="", not_queried=not_queried)
    feed, total = _feed({"search_query": expression, "max_results": str(_PAPERS_A_PHRASE * len(phrases))}, client)
    papers, warnings = translate(_entries(feed), read_paper)
    shown = f"search_query={expression}"[:200]
    return Page(papers=papers, total=total, effective_query=shown, warnings=warnings, not_queried=not_queried)


handler = provider_handler(SPEC, search=search, listing=listing, lookup=lookup, match=match)
