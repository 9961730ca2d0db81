"""Europe PMC: PubMed whole, full texts of PMC, preprints of all life-science servers, theses and patents.

Manual: https://europepmc.org/RestfulWebService (fields of the query: https://europepmc.org/searchsyntax)
Limits: no key, no published rate; at most 1,000 records a call.
Oddities: a name that it does not know has hitCount 0 too; what a paper cites is known for open full texts mostly; a
request may at times be answered with the version alone, as one that cannot be read always is; errors come under HTTP
200; flags are "Y" and "N"; titles carry escaped markup and a final dot; `hitCount` may be more than can be fetched; the
day of a print issue is made up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from shared.aws.lambda_functions.provider_handler import provider_handler
from shared.bibliography.paper import Paper, Pointer
from shared.bibliography.paper_ids import id_texts, scheme_of, value_of
from shared.bibliography.text import fold, number_of, plain_text
from shared.errors import BadResponse, Unavailable, UnsupportedFilter
from shared.providers.europe_pmc_answers import read_items, read_records
from shared.providers.europe_pmc_syntax import clause_of, filter_clauses, limitations, quoted, strict_terms, wider_terms
from shared.providers.http_client import Client
from shared.providers.listed_pages import position_after, sent
from shared.providers.provider import Page, ProviderSpec, is_partial, translate
from shared.providers.records.europe_pmc import read_linked, read_paper
from shared.providers.relaxation import widened
from shared.providers.title_phrases import title_phrases
from shared.query.query import FILTERS, Query
from shared.query.question import Links, Listing, Lookup, Match

SPEC = ProviderSpec(
    name="europe_pmc", title="Europe PMC", family="pubmed",  # it holds PubMed whole
    manual="https://europepmc.org/RestfulWebService", base_url="https://www.ebi.ac.uk",
    filters=frozenset(FILTERS) - {"field_of_study"}, sorts=frozenset({"relevance", "citations", "date"}),
    disciplines=frozenset({"biomedical"}), tracks_integrity=True,
    operations={
        "search": (), "listing": (), "lookup": ("pmid", "pmcid", "doi"),
        "references": ("pmid", "pmcid"), "citations": ("pmid", "pmcid"), "match": (),
    },
    knows_orcids=True,
    page_limit=1000, requests_per_second=5.0, concurrency=4, match_titles=50,
)  # fmt: skip
_API = "/europepmc/webservices/rest"
_LONG_QUERY = 1000  # bytes, from which on it is sent as a form
_LINK_PAGES = 2
_PAPERS_A_PHRASE = 4  # others have it within their titles, as comments and corrections do
_SORTS = {"citations": "CITED desc", "date": "FIRST_PDATE_D desc"}


def search(query: Query, client: Client) -> Page:
    """Query /search for core records and convert them; a second time in full texts if few papers came."""
    strict, wide = strict_terms(query), wider_terms(query)
    page = _page(strict, query, client)
    if query.sort != "relevance":
        warning = "Europe PMC searched titles and abstracts only, because it sorts all hits, however marginal"
        return replace(page, warnings=[*page.warnings, warning])
    return widened(page, (lambda: _page(wide, query, client)) if wide else None, client, query)


def listing(request: Listing, client: Client) -> Page:
    """Query /search by cursor mark, until a page has the mark that it was requested with."""
    query = replace(request.query, limit=request.size)
    return _page(strict_terms(query), query, client, mark=request.position or "*")


def _page(terms: str, query: Query, client: Client, *, mark: str | None = None) -> Page:
    clauses = [clause for clause in (terms, *filter_clauses(query)) if clause]
    if not clauses or all(clause.startswith("NOT ") for clause in clauses):
        raise UnsupportedFilter("Europe PMC cannot search for exclusions alone")
    params: dict[str, str | int | None] = {
        "query": " AND ".join(clauses),
        "format": "json",
        "resultType": "core",
        "pageSize": min(query.limit, SPEC.page_limit),
        "synonym": "true",
    }
    effective_query = f"{params['query']}&synonym=true"
    if query.sort in _SORTS:
        params["sort"] = _SORTS[query.sort]
        effective_query += f"&sort={params['sort']}"
    if mark:
        params["cursorMark"] = mark
        effective_query = sent(SPEC, f"{_API}/search", params)
    body = _found(params, client)
    records, total = read_records(body, may_end=mark not in (None, "*"))
    papers, warnings = translate(records, read_paper)
    after = body.get("nextCursorMark") if mark else None
    expected = 0 if mark else min(total or 0, query.limit, SPEC.page_limit)
    partial = is_partial(len(records), len(warnings), expected)
    if len(records) < expected:
        warnings.append(f"Europe PMC counts {total} hits, but sent only {len(records)}")
    warnings += limitations(query)
    return Page(
        papers=papers, total=total, effective_query=effective_query, warnings=warnings, partial=partial,
        next_position=position_after(records, total, None if after == mark else after, SPEC),
    )  # fmt: skip


def _found(params: Mapping[str, str | int | None], client: Client) -> Any:
    """The answer to a search, by POST if the query is long; requested once more if it has nothing but the version."""
    for _ in range(2):
        if len(str(params["query"]).encode()) < _LONG_QUERY:
            body = client.get_json(f"{_API}/search", params)
        else:
            body = client.decode_json(client.post_form(f"{_API}/searchPOST", params))
        if not isinstance(body, Mapping) or set(body) != {"version"}:
            return body
    raise Unavailable("Europe PMC answered with nothing but its version")


def lookup(request: Lookup, client: Client) -> Page:
    """Query /search for the core records of all names in one request, which is a POST if the query is long."""
    clauses, warnings = _named(request.names)
    if not clauses:
        return Page(papers=(), total=0, effective_query="", warnings=warnings)
    query = " OR ".join(clauses)
    params: dict[str, str | int | None] = {
        "query": query, "format": "json", "resultType": "core", "pageSize": SPEC.page_limit,
    }  # fmt: skip
    records, total = read_records(_found(params, client))
    papers, broken = translate(records, read_paper)
    if len(records) < (total or 0):
        warnings.append(
            f"Europe PMC counts {number_of(total or 0, 'record')} of these names, but sent only {len(records)}"
        )
    known = _answering(papers, request.names)
    return Page(
        papers=known,
        total=len(known),
        effective_query=f"search?query={query}"[:200],
        warnings=[*warnings, *broken],
        partial=is_partial(len(records), len(broken), total or 0),
        unread=len(broken) + max(0, (total or 0) - len(records)),
    )


def match(request: Match, client: Client) -> Page:
    """Query /search for the papers with any of the titles, each as its phrases; it compares no other field."""
    titles = [plain_text(citation.title) or "" for citation in request.citations]
    not_queried = [place for place, title in enumerate(titles) if not fold(title)]
    phrases = [quoted(phrase) for title in titles for phrase in title_phrases(title)]
    wanted = list(dict.fromkeys(phrase for phrase in phrases if fold(phrase)))
    if not wanted:
        return Page(papers=(), total=0, effective_query="", not_queried=not_queried)
    query = " OR ".join(f"TITLE:{phrase}" for phrase in wanted)
    params: dict[str, str | int | None] = {
        "query": query, "format": "json", "resultType": "core", "pageSize": _PAPERS_A_PHRASE * len(wanted),
    }  # fmt: skip
    records, total = read_records(_found(params, client))
    papers, warnings = translate(records, read_paper)
    return Page(
        papers=papers, total=total, effective_query=f"search?query={query}"[:200], warnings=warnings,
        not_queried=not_queried,
    )  # fmt: skip


def _named(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """The clause of each name that can be queried, and warnings about the others."""
    found = {name: clause_of(name) for name in names}
    dois = (value_of(name) for name, clause in found.items() if not clause and scheme_of(name) == "doi")
    return [clause for clause in found.values() if clause], [
        f"Europe PMC cannot be queried for the DOI {it}" for it in dois
    ]


def _answering(papers: Sequence[Paper], names: Sequence[str]) -> list[Paper]:
    """The papers that answer a name, in the order of the names; two records may answer one."""
    found = []
    for paper in papers:
        own = {name.lower() for name in id_texts(paper.ids)}
        places = [place for place, name in enumerate(names) if name.lower() in own]
        if places:
            found.append(replace(paper, rank=places[0] + 1, asked=tuple(names[place] for place in places)))
    return sorted(found, key=lambda paper: paper.rank)


def references(request: Links, client: Client) -> Page:
    """The references of a paper: /MED/{pmid}/references or /PMC/{pmcid}/references."""
    return _linked(request, client)


def citations(request: Links, client: Client) -> Page:
    """The papers that cite a paper: /MED/{pmid}/citations or /PMC/{pmcid}/citations."""
    return _linked(request, client)


def _linked(request: Links, client: Client) -> Page:
    """The list in pages of up to 1,000, at most two of them."""
    path = f"{'PMC' if scheme_of(request.name) == 'pmcid' else 'MED'}/{value_of(request.name)}/{request.operation}"
    size = max(1, min(request.limit, SPEC.page_limit))
    items: list[Any] = []
    total = 0
    for page in range(1, _LINK_PAGES + 1):
        params: dict[str, str | int | None] = {"page": page, "pageSize": size, "format": "json"}
        more, total = read_items(client.get_json(f"{_API}/{path}", params), request.operation)
        items += more
        if not more or len(items) >= min(request.limit, total):
            break
    if total and not items:
        raise BadResponse(f"Europe PMC answered without the {request.operation} that it counts")
    expected = min(total, request.limit, _LINK_PAGES * size)
    linked, warnings = translate(items[: request.limit], read_linked)
    partial = is_partial(len(items), len(warnings), expected)
    if None in linked:
        warnings.append(f"{linked.count(None)} items of Europe PMC's list name no paper")
    if not total:
        warnings.append(
            f"Europe PMC holds no {request.operation} of this paper or does not know the paper; its answer is the same"
        )
    if len(items) < expected:
        warnings.append(f"Europe PMC counts {total} {request.operation}, but sent only {len(items)}")
    return Page(
        papers=[it for it in linked if isinstance(it, Paper)],
        pointers=[it for it in linked if isinstance(it, Pointer)],
        total=total,
        effective_query=path,
        warnings=warnings,
        partial=partial,
    )


handler = provider_handler(
    SPEC, search=search, listing=listing, lookup=lookup, references=references, citations=citations, match=match
)
