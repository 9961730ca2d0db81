"""Crossref: the DOI registry of 20,000 publishers, with corrections, retractions and links between versions.

Manual: https://api.crossref.org (filters: https://www.crossref.org/documentation/retrieve-metadata/rest-api)
Limits: no key; with a contact address three lists a second (ten single records), three at once; a paid key lifts that.
Oddities: any word of a query is a hit, so nearly everything matches and only the order is significant; abstracts are
not searched. `query.bibliographic` searches titles, names, journals and years; `query` adds funders and grants, noise
here. Whole records include their references, so elements are selected; `language`, `subtype` and `institution` cannot
be. `updated-by` is, so a paper without it is not retracted. Errors have a `message`. Types that are parts or containers
of papers are excluded; datasets, mostly recommendations under a paper's own title, are searched on request only. A list
of filters is split at commas, so a DOI with a comma is queried alone. A DOI that became another's alias is in no list;
queried alone, it redirects to the other. An unknown record is a 404 in plain text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from urllib.parse import quote

from shared.aws.lambda_functions.provider_handler import provider_handler
from shared.bibliography.identifiers import read_doi
from shared.bibliography.paper import Paper, Pointer
from shared.bibliography.paper_ids import scheme_of, value_of
from shared.errors import BadResponse
from shared.providers.crossref_answers import PII_FILTER, NotHeld, list_filter, not_held, read_works, stated_piis
from shared.providers.crossref_syntax import Terms, citation_words, filter_values, limitations, terms_of
from shared.providers.http_client import Client
from shared.providers.listed_pages import followed, size_of, start_of
from shared.providers.provider import Page, ProviderSpec, is_partial, translate
from shared.providers.records.crossref import TYPES, no_paper, read_paper
from shared.providers.records.crossref_references import read_cited
from shared.providers.relaxation import widened
from shared.providers.url_parts import lists_in_urls
from shared.query.query import Query
from shared.query.question import Links, Listing, Lookup, Match
from shared.rate_limits.limits import RateLimitHeaders, rate_headers

SPEC = ProviderSpec(
    name="crossref", title="Crossref", family="crossref", disciplines=frozenset({"humanities"}), concurrency=3,
    manual="https://api.crossref.org", base_url="https://api.crossref.org", requests_per_second_with_key=150.0,
    filters=frozenset({"date", "publication_types", "exclude_preprints"}), page_limit=1000, requests_per_second=3.0,
    operations={"search": (), "listing": (), "lookup": ("doi", "pii"), "references": ("doi",), "match": ()},
    knows_orcids=True, tracks_integrity=True, light_paths=("/works/",), light_requests=3,
)  # fmt: skip
_POOL = rate_headers("x-rate-limit-limit", "x-rate-limit-interval", "x-concurrency-limit")  # without contact a slow one
_SELECT = (
    "DOI,type,title,subtitle,original-title,author,issued,published,posted,container-title,group-title,volume,issue,"
    "page,article-number,abstract,is-referenced-by-count,license,resource,relation,update-to,updated-by,"
    "clinical-trial-number"
)
_SELECT_WITH_REFERENCES = f"{_SELECT},reference"
_REACH = 10_000  # hits that an offset can reach
# For pools whose headers state the rate of single records, the rate of lists (requests per second).
_LIST_RATES = {"public-single": 1.0, "polite-single": 3.0}


def search(query: Query, client: Client) -> Page:
    """Query /works once, and again with names among the words if these excluded nearly everything.

    Raises UnsupportedFilter if the filters exclude every type.
    """
    terms, filters = terms_of(query), filter_values(query)
    wider = terms.wider()
    strict = _found(terms, filters, query, client)
    return widened(
        strict,
        (lambda: replace(_found(wider, filters, query, client), total=None)) if wider else None,
        client,
        query,
    )


def listing(request: Listing, client: Client) -> Page:
    """Query /works from an offset on: a cursor expires after five minutes, and a page of it cannot be read twice."""
    size = size_of(request, SPEC, _REACH)
    query = replace(request.query, limit=size)
    page = _found(terms_of(query), filter_values(query), query, client, start=start_of(request))
    shown = replace(page, effective_query=f"GET {SPEC.base_url}/works?{page.effective_query}")
    return followed(shown, request, size, _REACH)


def _found(terms: Terms, filters: Sequence[str], query: Query, client: Client, *, start: int | None = None) -> Page:
    """The page of one request to /works. Any word is a hit, so that only the order is significant."""
    rows = min(query.limit, SPEC.page_limit)
    sent = {**terms.params(), "filter": ",".join(filters), "sort": "score"}
    place = {} if start is None else {"offset": str(start)}
    works, total = _list({**sent, **place, "rows": str(rows), "select": _SELECT}, client)
    papers, broken = translate(works, read_paper)
    expected = max(0, min(rows, (total or 0) - (start or 0)))
    return Page(
        papers=papers,
        total=total,
        effective_query="&".join(f"{name}={value}" for name, value in {**sent, **place}.items()),
        warnings=[*limitations(query), *broken],
        partial=is_partial(len(works), len(broken), expected),
    )


def lookup(request: Lookup, client: Client) -> Page:
    """The works of DOIs: a single one as the whole record, several in lists; a DOI with a comma cannot be in a list.

    Those of PIIs in lists: publishers deposit them as `alternative-id`.
    """
    names = {value_of(name): name for name in request.names}
    piis = {value_of(name) for name in request.names if scheme_of(name) == "pii"}
    listed = [doi for doi in names if "," not in doi and doi not in piis]
    lists = lists_in_urls(listed, ",doi:") if len(listed) > 1 else []
    alone = [doi for doi in names if doi not in piis and (not lists or "," in doi)]
    works = {doi: work for doi in alone if (work := _work(doi, client))}
    broken: list[str] = []
    for dois in lists:
        listed_works, unreadable = _listed(dois, client)
        works |= listed_works
        broken += unreadable
    by_pii = lists_in_urls(sorted(piis), f",{PII_FILTER}:")
    for values in by_pii:
        works |= _of_piis(values, client)
    found = [(rank, names[doi], works[doi]) for rank, doi in enumerate(names, start=1) if doi in works]
    read, unreadable = translate(found, lambda entry, _: _named(*entry))
    papers = [it for it in read if isinstance(it, Paper)]
    warnings = [*(it for it in read if isinstance(it, str)), *broken, *unreadable]
    paths = [f"/works?filter={list_filter('doi', dois)}" for dois in lists] + [f"/works/{doi}" for doi in alone]
    paths += [f"/works?filter={list_filter(PII_FILTER, values)}" for values in by_pii]
    return Page(
        papers=papers,
        total=len(papers),
        effective_query=" ".join(paths)[:200],
        warnings=warnings,
        partial=is_partial(len(found), len(broken) + len(unreadable)),
        unread=len(broken) + len(unreadable),
    )


def _named(rank: int, name: str, work: Mapping[str, Any]) -> Paper | str:
    """The paper, or the reason why the work is none: then the DOI is known, but not of a paper."""
    return no_paper(work) or replace(read_paper(work, rank), asked=(name,))


def _listed(dois: Sequence[str], client: Client) -> tuple[dict[str, Mapping[str, Any]], list[str]]:
    """The works of these DOIs that Crossref has, by DOI, and warnings about works without a readable DOI."""
    params = {
        "filter": list_filter("doi", dois),
        "rows": str(len(dois)),
        "select": _SELECT_WITH_REFERENCES,
    }
    works, _ = _list(params, client)
    pairs, warnings = translate(works, lambda work, _: (read_doi(work["DOI"]), work))
    found = {doi: work for doi, work in pairs if doi}
    if works and not found.keys() & set(dois):
        raise BadResponse("Crossref answered with works that were not requested")
    return found, warnings


def _of_piis(piis: Sequence[str], client: Client) -> dict[str, Mapping[str, Any]]:
    """The works that state these PIIs, by PII; the first of several."""
    select = f"{_SELECT_WITH_REFERENCES},{PII_FILTER}"
    works, _ = _list({"filter": list_filter(PII_FILTER, piis), "rows": str(2 * len(piis)), "select": select}, client)
    stated = [(pii, work) for work in works if isinstance(work, Mapping) for pii in stated_piis(work)]
    return {pii: work for pii, work in reversed(stated) if pii in piis}


def references(request: Links, client: Client) -> Page:
    """The references of a DOI as its publisher deposited them; a warning says if the list is withheld."""
    doi = value_of(request.name)
    work, path = _work(doi, client), f"/works/{doi}"[:200]
    if work is None:
        return Page(papers=(), total=None, effective_query=path, warnings=[f"Crossref has no record under {doi}"])
    entries = work.get("reference") or []
    if not isinstance(entries, list):
        raise BadResponse("Crossref's references are not a list")
    counts = (work.get(name) for name in ("references-count", "reference-count"))
    total = max([len(entries), *(count for count in counts if isinstance(count, int))])
    shown = entries[: request.limit]
    read, broken = translate(shown, read_cited)
    cited = [found for found in read if found]
    warnings = {
        f"Crossref has no references of {doi}: its publisher deposited none": not total,
        f"Crossref shows none of {total} references of {doi}: its publisher withholds them": total and not entries,
        f"Crossref states only the number of {len(read) - len(cited)} references": len(read) > len(cited),
    }
    papers = [found for found in cited if isinstance(found, Paper)]
    pointers = [found for found in cited if isinstance(found, Pointer)]
    return Page(
        papers=papers,
        pointers=pointers,
        total=total,
        effective_query=path,
        warnings=[*(text for text, applies in warnings.items() if applies), *broken],
    )


def match(request: Match, client: Client) -> Page:
    """Query all words of each citation; the first five hits are candidates, whatever their similarity."""
    texts = [words for citation in request.citations if (words := citation_words(citation))]
    kinds = ",".join(f"type:{theirs}" for theirs, ours in TYPES.items() if ours != "dataset")
    params = {"filter": kinds, "sort": "score", "rows": "5", "select": _SELECT}
    found = [work for words in texts for work in _list({"query.bibliographic": words, **params}, client)[0]]
    papers, broken = translate(found, read_paper)
    path = f"/works?query.bibliographic={' | '.join(texts)}"[:200]
    return Page(papers=papers, total=len(papers), effective_query=path, warnings=broken)


def _work(doi: str, client: Client) -> Mapping[str, Any] | None:
    """The whole record of a DOI, or of the DOI whose alias it is; None if Crossref has no record of it."""
    params, headers = _identification(client)
    path = f"/works/{quote(doi, safe='')}"
    try:
        answer = client.request("GET", path, params=params, headers=headers, follow_redirects=True, read_error=not_held)
    except NotHeld:
        return None
    body = client.decode_json(answer)
    works, _ = read_works(body)
    if body["message-type"] != "work":
        raise BadResponse("Crossref answered with a list of works instead of one work")
    return dict(works[0])


def _list(params: Mapping[str, str], client: Client) -> tuple[list[Any], int | None]:
    """The works of a list, and their total number."""
    contact, headers = _identification(client)
    answer = client.request("GET", "/works", params={**params, **contact}, headers=headers)
    return read_works(client.decode_json(answer))


def _identification(client: Client) -> tuple[dict[str, str], dict[str, str]]:
    """The parameter with the contact address, and the header with the key."""
    return (
        {"mailto": client.contact} if client.contact else {},
        {"crossref-plus-api-token": f"Bearer {client.key}"} if client.key else {},
    )


def read_limits(headers: Mapping[str, str], now: datetime) -> RateLimitHeaders:
    """The limits stated by response headers; a rate of single records as the one of lists that leaves room for them."""
    stated, lists = _POOL(headers, now), _LIST_RATES.get(headers.get("x-api-pool", ""))
    single = stated.requests_per_second
    if single is None or lists is None or single < lists:
        return stated
    return replace(stated, requests_per_second=min(lists, single / SPEC.light_requests))


handler = provider_handler(
    SPEC, search=search, listing=listing, lookup=lookup, references=references, match=match, read_limits=read_limits
)
