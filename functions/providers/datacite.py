"""DataCite: the DOI registry of 3,000 repositories: data sets, software, preprints, theses, and all of arXiv's DOIs.

Manual: https://support.datacite.org/docs/api (server: datacite/lupo)
Limits: per address, in five minutes: 500 requests, 1,000 with a contact address, 3,000 with an account
(https://support.datacite.org/docs/rate-limit). 1,000 records a page, 10,000 in all, by cursor any number.
Oddities: without `sort` the last updated come first; by cursor always the oldest. A list of `ids` has 25 records a
page as well, unless the size is stated, and may send records that are hidden elsewhere; it is split at commas, so a DOI
with a comma is queried alone. An error's `errors` is a list or one object. Unknown parameters are ignored. Citations
are counted from the links that were reported to it. For the form of queries see `shared/providers/datacite_syntax.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import parse_qs, urlsplit

from shared.aws.lambda_functions.provider_handler import provider_handler
from shared.bibliography.identifiers import ARXIV_DOI, read_doi
from shared.bibliography.paper import Paper
from shared.bibliography.paper_ids import scheme_of, value_of
from shared.errors import BadResponse
from shared.json_types import read_count
from shared.providers.datacite_syntax import (
    SORTS,
    applied_in_part,
    filter_parameters,
    limitations,
    strict_query,
    wider_query,
)
from shared.providers.http_client import Client
from shared.providers.listed_pages import position_after, sent
from shared.providers.provider import Page, ProviderSpec, is_partial, translate
from shared.providers.records.datacite import FIELDS, read_paper
from shared.providers.relaxation import widened
from shared.providers.url_parts import in_path, lists_in_urls
from shared.query.query import Query
from shared.query.question import Listing, Lookup

SPEC = ProviderSpec(
    name="datacite",
    title="DataCite",
    manual="https://support.datacite.org/docs/api",
    base_url="https://api.datacite.org",
    family="arxiv",  # it holds arXiv whole
    filters=frozenset({"date", "author", "min_citations", "publication_types", "language", "operators"}),
    sorts=frozenset(SORTS),
    compares_years=True,
    disciplines=frozenset(),
    optional=True,
    registry=True,
    operations={"search": (), "listing": (), "lookup": ("doi", "arxiv")},
    knows_orcids=True,
    page_limit=1000,
    requests_per_second=1.5,
)

_PATH = "/dois"
_SELECT = {"fields[dois]": ",".join(FIELDS), "disable-facets": "true"}
_FIRST_CURSOR = "1"  # any text that is not a cursor of the server's
_FOUND = "findable"  # the state of a public record


def search(query: Query, client: Client) -> Page:
    """Query /dois, and again with fewer words if few records came."""
    wide = wider_query(query)
    page = _found(strict_query(query), query, client)
    return widened(page, (lambda: _found(wide, query, client)) if wide else None, client, query)


def listing(request: Listing, client: Client) -> Page:
    """Query /dois by cursor, the oldest records first, until a page has no link to the next."""
    query = replace(request.query, limit=request.size)
    return _found(strict_query(query), query, client, cursor=request.position or _FIRST_CURSOR)


def _found(text: str, query: Query, client: Client, *, cursor: str | None = None) -> Page:
    size = min(query.limit, SPEC.page_limit)
    wanted = {**({"query": text} if text else {}), **filter_parameters(query)}
    place = {"page[cursor]": cursor} if cursor else {"sort": SORTS[query.sort]}
    params = {**wanted, **place, "page[size]": str(size)}
    body = _get(_PATH, {**params, **_SELECT}, client)
    records, total = _records(body)
    if not records and total and cursor in (None, _FIRST_CURSOR):
        raise BadResponse("DataCite answered without the records that it counts")
    papers, warnings = translate(records, _reader(client))
    shown = "&".join(f"{name}={value}" for name, value in {**wanted, **({} if cursor else place)}.items())
    return Page(
        papers=papers,
        total=total,
        effective_query=sent(SPEC, _PATH, params) if cursor else shown,
        warnings=[*limitations(query), *warnings],
        unsupported_filters=applied_in_part(query),
        partial=is_partial(len(records), len(warnings), 0 if cursor else min(size, total or 0)),
        next_position=position_after(records, total, _next_cursor(body), SPEC) if cursor else None,
    )


def lookup(request: Lookup, client: Client) -> Page:
    """The records of DOIs in as few lists as fit into URLs, an arXiv id by its DOI; a DOI with a comma by its path."""
    names = {_doi_of(name): name for name in request.names}
    lists = lists_in_urls([doi for doi in names if "," not in doi])
    alone = [doi for doi in names if "," in doi]
    records = [record for dois in lists for record in _listed(dois, client)]
    records += [record for doi in alone for record in _single(doi, client)]
    read, broken = translate(records, _reader(client))
    found = {paper.ids.doi: paper for paper in read}
    papers = [
        replace(found[doi], rank=rank, asked=(names[doi],)) for rank, doi in enumerate(names, start=1) if doi in found
    ]
    paths = [f"{_PATH}?ids={','.join(dois)}" for dois in lists] + [f"{_PATH}/{doi}" for doi in alone]
    return Page(
        papers=papers,
        total=len(papers),
        effective_query=" ".join(paths)[:200],
        warnings=broken,
        partial=is_partial(len(records), len(broken)),
        unread=len(broken),
    )


def _doi_of(name: str) -> str:
    return (ARXIV_DOI if scheme_of(name) == "arxiv" else "") + value_of(name)


def _listed(dois: Sequence[str], client: Client) -> list[Any]:
    """The public records of these DOIs. Raises BadResponse if all that came are of others."""
    params = {"ids": ",".join(dois), "page[size]": str(len(dois))}
    records, _ = _records(_get(_PATH, {**params, **_SELECT}, client))
    if records and not {_doi(record) for record in records} & set(dois):
        raise BadResponse("DataCite answered with records that were not requested")
    return [record for record in records if _state(record) == _FOUND]


def _single(doi: str, client: Client) -> list[Any]:
    """The record of one DOI; none if DataCite has none."""
    try:
        body = _get(f"{_PATH}/{in_path(doi)}", {}, client)
    except BadResponse as error:
        if error.status == 404:
            return []
        raise
    return _records(body)[0]


def _get(path: str, params: Mapping[str, str], client: Client) -> Any:
    contact = {"mailto": client.contact} if client.contact else {}
    return client.decode_json(client.request("GET", path, params={**params, **contact}))


def _records(body: Any) -> tuple[list[Any], int | None]:
    """The records of a list or of a single one, and the total number. Raises BadResponse for anything else."""
    data = body.get("data") if isinstance(body, Mapping) else None
    if isinstance(data, Mapping) and data.get("type") == "dois":
        return [data], 1
    meta = body.get("meta") if isinstance(body, Mapping) else None
    total = read_count(meta.get("total")) if isinstance(meta, Mapping) else None
    if not isinstance(data, list) or (not data and total is None):
        raise BadResponse("DataCite answered without a list of records")
    return data, total


def _next_cursor(body: Mapping[str, Any]) -> str | None:
    """The cursor in the link to the next page; None on the last page."""
    links = body.get("links")
    link = links.get("next") if isinstance(links, Mapping) else None
    found = parse_qs(urlsplit(link).query).get("page[cursor]") if isinstance(link, str) else None
    return found[0] if found else None


def _attributes(record: Any) -> Mapping[str, Any]:
    found = record.get("attributes") if isinstance(record, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def _doi(record: Any) -> str | None:
    doi = _attributes(record).get("doi")
    return read_doi(doi) if isinstance(doi, str) else None


def _state(record: Any) -> str:
    return str(_attributes(record).get("state") or _FOUND)


def _reader(client: Client) -> Callable[[Any, int], Paper]:
    return partial(read_paper, latest_year=client.now().year + 1)


handler = provider_handler(SPEC, search=search, listing=listing, lookup=lookup)
