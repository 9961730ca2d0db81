"""Europe PMC: PubMed whole, full texts of PMC, preprints of all life-science servers, theses and patents.

Manual: https://europepmc.org/RestfulWebService (fields of the query: https://europepmc.org/searchsyntax)
Limits: no key, no published rate; at most 1,000 records a call.
Oddities: a name that it does not know has hitCount 0 too; what a paper cites is known for open full texts mostly;
a bare word is looked for in full texts too; errors come under HTTP 200; flags are "Y" and "N"; titles
carry escaped markup and a final dot; `hitCount` may be more than can be fetched; the day of a print issue is made up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from shared.aws.lambda_functions.provider_handler import provider_handler
from shared.bibliography.paper import Paper, Pointer
from shared.bibliography.paper_ids import id_texts, scheme_of, value_of
from shared.errors import BadResponse, RateLimited, RequestRejected, Unavailable
from shared.json_types import read_count
from shared.providers.http_client import Client
from shared.providers.provider import Page, ProviderSpec, is_partial, translate
from shared.providers.records.europe_pmc import TYPES, read_linked, read_paper
from shared.query.query import FILTERS, Query
from shared.query.question import Links, Lookup
from shared.query.syntax import All, render

SPEC = ProviderSpec(
    name="europe_pmc", title="Europe PMC", family="pubmed",  # it holds PubMed whole
    manual="https://europepmc.org/RestfulWebService", base_url="https://www.ebi.ac.uk",
    filters=frozenset(FILTERS) - {"language", "field_of_study"}, sorts=frozenset({"relevance", "citations", "date"}),
    disciplines=frozenset({"biomedical"}), tracks_integrity=True,
    operations={
        "search": (), "lookup": ("pmid", "pmcid", "doi"),
        "references": ("pmid", "pmcid"), "citations": ("pmid", "pmcid"),
    },
    page_limit=1000, requests_per_second=5.0, concurrency=4,
)  # fmt: skip
_API = "/europepmc/webservices/rest"
_LONG_QUERY = 1000  # characters, from which on it is sent as a form
_LINK_PAGES = 2
_LISTS = {"references": ("referenceList", "reference"), "citations": ("citationList", "citation")}
_SORTS = {"citations": "CITED desc", "date": "FIRST_PDATE_D desc"}
_SYNTAX = '&|!(){}[]^~*?:\\/"'  # of the query language; `+` and `-` only in front of a word
# The family name is the last word with its particles, unless that word is initials (`Doudna JA`).
_FULL_NAME = re.compile(r"(.*?\S)\s+((?:(?:[Vv][ao]n|[Dd]e[lnr]?|[Dd][aiu]|[Ll][ae])\s+)*(?![A-Z]{1,3}$)\S+)$")


def search(query: Query, client: Client) -> Page:
    """Query /search for core records and convert them."""
    terms = render(All((query.node,)), words=_words, phrase=_quoted)  # inside another node, operators get parentheses
    if query.sort != "relevance":  # the newest papers that mention the words anywhere are rarely about them
        terms = f"TITLE_ABS:{terms}"
    search_query = " AND ".join([terms, *_clauses(query)])
    effective_query = search_query
    params: dict[str, str | int | None] = {
        "query": search_query,
        "format": "json",
        "resultType": "core",
        "pageSize": min(query.limit, SPEC.page_limit),
    }
    if query.sort in _SORTS:
        params["sort"] = _SORTS[query.sort]
        effective_query = f"{search_query}&sort={params['sort']}"
    records, total = _records(client.get_json(f"{_API}/search", params))
    papers, warnings = translate(records, read_paper)
    expected = min(total or 0, query.limit, SPEC.page_limit)
    partial = is_partial(len(records), len(warnings), expected)
    if len(records) < expected:
        warnings.append(f"Europe PMC counts {total} hits, but sent only {len(records)}")
    if query.sort != "relevance":
        warnings.append("Europe PMC searched titles and abstracts only, because it sorts all hits, however marginal")
    return Page(papers=papers, total=total, effective_query=effective_query, warnings=warnings, partial=partial)


def _clauses(query: Query) -> Iterator[str]:
    if query.first_day or query.last_day:
        yield f"FIRST_PDATE:[{query.first_day or '1500-01-01'} TO {query.last_day or '3000-12-31'}]"
    if query.journal:
        name = _quoted(query.journal)
        yield f"(JOURNAL:{name} OR (SRC:PPR AND PUBLISHER:{name}))"  # a preprint has a server, but no journal
    if query.author:
        yield "(" + " OR ".join(f"AUTH:{_quoted(form)}" for form in _author_forms(query.author)) + ")"
    if query.open_access:
        yield "OPEN_ACCESS:Y"
    if query.min_citations:
        yield f"CITED:[{query.min_citations} TO *]"
    if query.publication_types:
        names = dict.fromkeys(name for kind in query.wanted_types for name in TYPES[kind])
        yield "(" + " OR ".join(f'PUB_TYPE:"{name}"' for name in names) + ")"
    if query.exclude_preprints:
        yield 'NOT (SRC:PPR OR PUB_TYPE:"preprint")'  # PubMed holds a few preprints of its own
    if query.exclude_retracted:
        yield 'NOT PUB_TYPE:"retracted publication"'


def _words(text: str) -> str:
    """Free words; a word with a character of the query syntax is quoted, so that it is only a word."""
    words = (word.lstrip(f"+-{_SYNTAX}").rstrip(_SYNTAX + ",;.") for word in text.split())
    safe = [_quoted(word) if set(word) & set(_SYNTAX) else word for word in words if word] or [_quoted(text)]
    return f"({' '.join(safe)})" if len(safe) > 1 else safe[0]


def _quoted(text: str) -> str:
    return '"' + " ".join(text.translate(str.maketrans('"\\', "  ")).split()) + '"'


def _author_forms(author: str) -> list[str]:
    """`Jennifer A. Doudna` -> `Doudna JA` and `Doudna Jennifer A`: the family name first, as the index has it."""
    family, _, given = (part.strip() for part in author.replace(".", " ").partition(","))
    if (full := _FULL_NAME.match(family)) and not given:
        given, family = full.groups()
    initials = "".join(part if part.isupper() and len(part) < 4 else part[0].upper() for part in given.split())
    return list(dict.fromkeys(f"{family} {form}".strip() for form in (initials, given)))


def lookup(request: Lookup, client: Client) -> Page:
    """Query /search for the core records of all names in one request, which is a POST if the query is long."""
    clauses, warnings = _named(request.names)
    if not clauses:
        return Page(papers=(), total=0, effective_query="", warnings=warnings)
    query = " OR ".join(clauses)
    params: dict[str, str | int | None] = {
        "query": query, "format": "json", "resultType": "core", "pageSize": SPEC.page_limit,
    }  # fmt: skip
    if len(query) < _LONG_QUERY:
        body = client.get_json(f"{_API}/search", params)
    else:
        body = client.decode_json(client.post_form(f"{_API}/searchPOST", params))
    records, total = _records(body)
    papers, broken = translate(records, read_paper)
    if len(records) < (total or 0):
        warnings.append(f"Europe PMC counts {total} records of these names, but sent only {len(records)}")
    known = _answering(papers, request.names)
    return Page(
        papers=known,
        total=len(known),
        effective_query=f"search?query={query}"[:200],
        warnings=[*warnings, *broken],
        partial=is_partial(len(records), len(broken), total or 0),
    )


def _named(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """The clause of each name that can be queried, and warnings about the others."""
    clauses, warnings = [], []
    for name in names:
        match scheme_of(name), value_of(name):
            case "pmid", number:
                clauses.append(f"(EXT_ID:{number} AND SRC:MED)")
            case "pmcid", number:
                clauses.append(f"PMCID:{number}")
            case "doi", doi if set(doi) & set('"\\'):  # cannot be escaped inside quotes
                warnings.append(f"Europe PMC cannot be queried for the DOI {doi}")
            case "doi", doi:
                clauses.append(f'DOI:"{doi}"')
    return clauses, warnings


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
        more, total = _items(client.get_json(f"{_API}/{path}", params), request.operation)
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


def _items(body: Any, operation: str) -> tuple[list[Any], int]:
    """The items of one page, and their total number; the list may be absent if it is empty."""
    envelope = _envelope(body)
    wrapper, name = _LISTS[operation]
    total, listing = envelope.get("hitCount"), envelope.get(wrapper) or {}
    items = (listing.get(name) if isinstance(listing, Mapping) else None) or []
    items = [items] if isinstance(items, Mapping) else items
    if not isinstance(total, int) or not isinstance(items, list):
        raise BadResponse(f"Europe PMC answered without a list of {operation}")
    return items, total


def _envelope(body: Any) -> Mapping[str, Any]:
    """The envelope. Raises ProviderError for an error in it, which is sent under HTTP 200."""
    envelope: Mapping[str, Any] = body if isinstance(body, Mapping) else {}
    if code := str(envelope.get("errCode", "")):
        kind = RateLimited if code == "429" else Unavailable if code.startswith("5") else RequestRejected
        raise kind("Europe PMC reported an error instead of results")
    return envelope


def _records(body: Any) -> tuple[list[Any], int | None]:
    """The records of a search or of a single-article answer, and their total number."""
    envelope = _envelope(body)
    listing = envelope.get("resultList", envelope)
    found = listing.get("result") if isinstance(listing, Mapping) else None
    records = [found] if isinstance(found, Mapping) else found
    total = read_count(envelope.get("hitCount"))
    if not isinstance(records, list) or (not records and total != 0):
        raise BadResponse("Europe PMC answered without the results that it counts")
    return records, total


handler = provider_handler(SPEC, search=search, lookup=lookup, references=references, citations=citations)
