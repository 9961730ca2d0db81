"""DBLP: eight million publications of computer science, with complete proceedings and exact titles, without abstracts.

Manual: https://dblp.org/faq/13501473.html (its query language: https://dblp.org/faq/1474589.html)
Limits: no key; no stated rate, but a second or two between requests (https://dblp.org/faq/1474706.html); who sends more
gets a 429 with Retry-After, as a page or without a body. 1,000 records a request.
Oddities: XML unless JSON is requested; numbers are texts, and a list of one is its item. No filters and no sorting: the
best come first, then the newest. A paper may have two records under one DOI. An error of the engine is a `status` other
than 200 under HTTP 200. The form of its queries is in `shared/providers/dblp_syntax.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from shared.aws.lambda_functions.provider_handler import provider_handler
from shared.bibliography.paper import Paper
from shared.bibliography.text import fold
from shared.errors import BadResponse, RequestRejected, Unavailable
from shared.json_types import read_count
from shared.providers.dblp_syntax import DblpQuery, dblp_query, wider_query
from shared.providers.http_client import Client
from shared.providers.listed_pages import followed, sent, size_of, start_of
from shared.providers.provider import Page, ProviderSpec, is_partial, translate
from shared.providers.records.dblp import read_paper
from shared.providers.relaxation import widened
from shared.query.query import Query
from shared.query.question import Listing
from shared.query.syntax import has_operators

SPEC = ProviderSpec(
    name="dblp",
    title="DBLP",
    manual="https://dblp.org/faq/13501473.html",
    base_url="https://dblp.org",
    family="dblp",
    filters=frozenset({"author", "operators"}),
    disciplines=frozenset(),
    optional=True,
    operations={"search": (), "listing": ()},
    page_limit=1000,
    requests_per_second=0.5,
    concurrency=1,
)

_PATH = "/search/publ/api"
_REACH = 10_000  # records that are listed in all; the API states no limit


def search(query: Query, client: Client) -> Page:
    """Query the publications, and again with fewer words if few came. Raises UnsupportedFilter without words."""
    wide = wider_query(query)
    page = _each_once(_found(dblp_query(query), query, client))
    return widened(page, (lambda: _each_once(_found(wide, query, client))) if wide else None, client, query)


def listing(request: Listing, client: Client) -> Page:
    """Query the publications from a number on, with second records: DBLP counts them too."""
    size = size_of(request, SPEC, _REACH)
    query = replace(request.query, limit=size)
    found = dblp_query(query)
    page = _found(found, query, client, start=start_of(request))
    shown = sent(SPEC, _PATH, {"q": found.text, "f": str(start_of(request)), "h": str(size)})
    return followed(replace(page, effective_query=shown), request, size, _REACH)


def _found(found: DblpQuery, query: Query, client: Client, *, start: int = 0) -> Page:
    size = min(query.limit, SPEC.page_limit)
    params = {"q": found.text, "h": str(size), "f": str(start), "c": "0", "format": "json"}
    hits, total = _hits(client.decode_json(client.request("GET", _PATH, params=params)), start)
    papers, warnings = translate(hits, read_paper)
    is_whole = found.is_exact or not has_operators(query.node)
    return Page(
        papers=papers,
        total=total,
        effective_query=f"q={found.text}",
        warnings=[*found.warnings, *warnings],
        unsupported_filters=[] if is_whole else ["operators"],
        partial=is_partial(len(hits), len(warnings), max(0, min(size, total - start))),
    )


def _hits(body: Any, start: int) -> tuple[list[Any], int]:
    """The hits from the number `start` on, and how many there are in all.

    Raises ProviderError for an error of the engine, and for anything else.
    """
    result = body.get("result") if isinstance(body, Mapping) else None
    if not isinstance(result, Mapping):
        raise BadResponse("DBLP answered without a result")
    status = result.get("status")
    code = str(status.get("@code") if isinstance(status, Mapping) else status)
    if code != "200":
        raise (Unavailable if code.startswith("5") else RequestRejected)("DBLP's engine reported an error")
    hits = result.get("hits")
    total = read_count(hits.get("@total")) if isinstance(hits, Mapping) else None
    found = hits.get("hit", []) if isinstance(hits, Mapping) else None
    listed = [found] if isinstance(found, Mapping) else found
    if not isinstance(listed, list) or total is None or (not listed and total > start):
        raise BadResponse("DBLP answered without the hits that it counts")
    return listed, total


def _each_once(page: Page) -> Page:
    """The page without second records of the same DOI and title."""
    found: dict[tuple[str, str], Paper] = {}
    for paper in page.papers:
        found.setdefault((paper.ids.doi or f"rank {paper.rank}", fold(paper.title)), paper)
    return replace(page, papers=list(found.values()))


handler = provider_handler(SPEC, search=search, listing=listing)
