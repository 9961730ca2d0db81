"""PubMed: 38 million citations of biomedicine, with abstracts, subject mapping, retractions and links to preprints.

Manual: https://www.ncbi.nlm.nih.gov/books/NBK25499/ and https://pubmed.ncbi.nlm.nih.gov/help/
Limits: 3 requests/s for one address, 10 with a key, over all callers; only the first 9,999 hits can be reached.
Oddities: two steps, esearch for ids and efetch for their records, which it sends in another order and not completely;
errors come under HTTP 200, and a retry helps with some; links are bare PMIDs, and only of papers in PMC.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, zip_longest
from xml.etree.ElementTree import Element

from shared.aws.lambda_functions.provider_handler import provider_handler
from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import Paper, Pointer
from shared.bibliography.paper_ids import value_of
from shared.bibliography.text import number_of
from shared.errors import BadResponse
from shared.json_types import JsonObject, read_count
from shared.providers import pubmed_syntax as syntax
from shared.providers.http_client import Client
from shared.providers.listed_pages import followed, sent, size_of, start_of
from shared.providers.provider import Page, ProviderSpec, is_partial, translate
from shared.providers.pubmed_query import filter_clauses, remarks_on_query, search_term, wider_term
from shared.providers.pubmed_requests import (
    TOOLS,
    fetch_links,
    fetch_papers,
    fetch_records,
    find_ids,
    match_lines,
    suggested_spelling,
)
from shared.providers.pubmed_similar import similar_page
from shared.providers.records.medline import read_paper
from shared.providers.records.medline_links import linked_page, read_references, unite
from shared.providers.relaxation import MIN_TIME_S, widened
from shared.query.query import Query
from shared.query.question import Links, Listing, Lookup, Match, Similar
from shared.rate_limits.limits import rate_headers

SPEC = ProviderSpec(
    name="pubmed", title="PubMed",
    manual="https://www.ncbi.nlm.nih.gov/books/NBK25499/",
    base_url="https://eutils.ncbi.nlm.nih.gov",
    family="pubmed", disciplines=frozenset({"biomedical"}),
    filters=frozenset({
        "date", "journal", "author", "open_access", "publication_types", "exclude_preprints", "exclude_retracted",
        "language", "operators"}),
    sorts=frozenset({"relevance", "date"}),
    operations={
        "search": (), "listing": (), "match": (),
        **dict.fromkeys(("lookup", "references", "citations", "similar"), ("pmid",)),
    },
    knows_orcids=True,
    tracks_integrity=True, page_limit=9_999, match_citations=50, match_titles=5,
    requests_per_second=3.0, requests_per_second_with_key=10.0, search_requests=2,
)  # fmt: skip

_SORTS = {"relevance": "relevance", "citations": "relevance", "date": "pub_date"}
FETCHED, CANDIDATES = 200, 5  # records of links and citations in one efetch; papers for one citation
TITLES = 5  # citations each of whose titles is searched by a request; the titles of more share one


def search(query: Query, client: Client) -> Page:
    """Query esearch for ids and efetch for their records; where they are few, once more with a wider form."""
    clauses = filter_clauses(query)
    term = search_term(query, clauses)
    limit = min(query.limit, SPEC.page_limit)
    sort = _SORTS[query.sort]
    ids, result = find_ids(term, limit, sort, client)
    strict = _page(query, term, clauses, ids, result, client)
    if sort != "relevance":
        strict = replace(strict, effective_query=f"{strict.effective_query}&sort={sort}")
    known = {paper.ids.pmid for paper in strict.papers}
    unknown = syntax.unknown_words(result)
    wide = wider_term(query, clauses, unknown) or ""

    def wider() -> Page:
        more, result = find_ids(wide, limit, "relevance", client)  # by date, papers on one of the words would be first
        return _page(query, wide, clauses, more, result, client, known)

    page = widened(strict, wider if wide else None, client, query)
    if not (unknown and query.telling and client.time_left() > MIN_TIME_S):
        return page
    spelling = suggested_spelling(query.telling, unknown, client)
    remarks = [f"PubMed suggests the spelling: {spelling[:200]}"] if spelling else []
    return replace(page, spelling=spelling, warnings=[*page.warnings, *remarks])


def listing(request: Listing, client: Client) -> Page:
    """Query esearch from a number on, and efetch for the records of these ids."""
    start = start_of(request)
    size = size_of(request, SPEC, SPEC.page_limit)
    query = replace(request.query, limit=size)
    clauses = filter_clauses(query)
    term, sort = search_term(query, clauses), _SORTS[query.sort]
    ids, result = find_ids(term, size, sort, client, start=start)
    page = _page(query, term, clauses, ids, result, client, start=start)
    form: Mapping[str, str | int] = {"db": "pubmed", "term": term, "retstart": start, "retmax": size, "sort": sort}
    shown = f"{sent(SPEC, f'{TOOLS}esearch.fcgi', form, 'POST')} (read by PubMed as: {page.effective_query})"
    return followed(replace(page, effective_query=shown), request, size, SPEC.page_limit)


def _page(
    query: Query, term: str, clauses: Mapping[str, str], found: Sequence[str], result: JsonObject, client: Client,
    known: Container[str | None] = (), *, start: int = 0,
) -> Page:  # fmt: skip
    """The papers that a term found, without known ones."""
    limit = min(query.limit, SPEC.page_limit)
    nothing = syntax.knows_nothing(query.telling, result)
    ids = [] if nothing else found[:limit]
    new = [pmid for pmid in ids if pmid not in known]
    papers, warnings, received = fetch_papers(new, client) if new else ([], [], 0)
    total = 0 if nothing else read_count(result["count"])
    expected = min(limit, max(0, (total or 0) - start))
    unsupported = syntax.ignored_filters(clauses, result, query.node)
    unsupported |= SPEC.filters - {*clauses, "operators"}  # such as a name without a letter, or a type unknown to it
    return Page(
        papers=papers,
        total=total,
        effective_query=str(result.get("querytranslation") or term),
        warnings=[*syntax.remarks(result), *remarks_on_query(query, clauses), *warnings],
        unsupported_filters=[name for name in query.filters if name in unsupported],
        partial=is_partial(received, received - len(papers), expected - (len(ids) - len(new))),
    )


def lookup(request: Lookup, client: Client) -> Page:
    """The records of these PMIDs, by one efetch."""
    ids = [value_of(name) for name in request.names]
    records = fetch_records(ids, client)
    missing = [pmid for pmid in ids if pmid not in records]
    not_requested = [pmid for pmid in records if pmid not in ids]
    # One extra record for one missing: the missing one was merged into it.
    merged = dict(zip(not_requested, missing, strict=True)) if len(not_requested) == len(missing) == 1 else {}
    answered = {pmid: ids.index(merged.get(pmid, pmid)) for pmid in records if pmid in ids or pmid in merged}
    if records and not answered:
        raise BadResponse("PubMed sent only records that were not requested")

    def to_paper(pmid: str, _: int) -> Paper:
        place = answered[pmid]
        return replace(read_paper(records[pmid], place + 1), asked=(request.names[place],))

    papers, warnings = translate(sorted(answered, key=answered.__getitem__), to_paper)
    unread = len(warnings)
    warnings += [f"PubMed answers PMID {old} with PMID {new}, into which it was merged" for new, old in merged.items()]
    if len(answered) < len(records):
        warnings.append(f"PubMed sent {number_of(len(records) - len(answered), 'record')} not requested")
    query = _effective_query("efetch", ids)
    return Page(papers=papers, total=len(papers), effective_query=query, warnings=warnings, unread=unread)


def references(request: Links, client: Client) -> Page:
    """The references in the record and the links of elink, each once: by one elink and one efetch."""
    pmid = value_of(request.name)
    links = fetch_links(pmid, "pubmed_pubmed_refs", client)
    records = fetch_records([pmid, *(links if len(links) < FETCHED else ())], client)
    query = _effective_query("elink", [pmid], "&linkname=pubmed_pubmed_refs")
    merged = next((records[other] for other in records if other not in links), None)  # the paper under its new PMID
    own = records.get(pmid, merged)
    if own is None and not links:
        return Page(papers=(), total=None, effective_query=query, warnings=[f"PubMed does not hold PMID {pmid}"])
    listed = read_references(own) if own is not None else []
    papers, warnings = _papers(links, records)
    linked = [Pointer(0, papers[link].ids if link in papers else Identifiers(pmid=link)) for link in links]
    if not listed:
        warnings.append(f"PubMed sent no list of references of PMID {pmid}{', only its links' if links else ''}")
    return linked_page(unite([*listed, *linked]), papers, request.limit, query, warnings)


def citations(request: Links, client: Client) -> Page:
    """The papers in PMC that cite it, the newest first: by one elink and, for a short list, one efetch."""
    pmid = value_of(request.name)
    links = fetch_links(pmid, "pubmed_pubmed_citedin", client)
    wanted = links[: request.limit]
    records = fetch_records(wanted, client) if 0 < len(wanted) <= FETCHED else {}
    papers, warnings = _papers(wanted, records)
    if not links:
        warnings.append(
            f"PubMed names no paper that cites PMID {pmid}, or does not hold that PMID; its answer is the same"
        )
    query = _effective_query("elink", [pmid], "&linkname=pubmed_pubmed_citedin")
    return linked_page([Pointer(0, Identifiers(pmid=link)) for link in links], papers, request.limit, query, warnings)


def similar(request: Similar, client: Client) -> Page:
    """The papers with the most telling words in common: by one elink, and one efetch for their records."""
    return similar_page(request, client, _effective_query)


def match(request: Match, client: Client) -> Page:
    """Query the citation matcher and the titles, each of a few or those left open together; fetch all at once."""
    numbered, is_few = list(enumerate(request.citations, start=1)), len(request.citations) <= TITLES
    lines = {number: line for number, citation in numbered if (line := syntax.matcher_line(citation, number))}
    found, warnings = match_lines(lines, client) if lines else ({}, [])
    to_find = [(number, citation) for number, citation in numbered if is_few or not found.get(number)]
    terms = {at: term for at, citation in to_find if (term := syntax.title_term(citation, halved=not is_few))}
    for number, term in terms.items() if is_few else ():
        ids, _ = find_ids(term, CANDIDATES, "relevance", client)
        matched = found.get(number, [])
        found[number] = list(dict.fromkeys([*matched[:1], *ids, *matched[1:]]))
    by_place = zip_longest(*(found[number][:CANDIDATES] for number in sorted(found)))
    together = "" if is_few else " OR ".join(terms.values())
    by_titles = find_ids(together, CANDIDATES * len(terms), "relevance", client)[0] if together else []
    ids = list(dict.fromkeys([*filter(None, chain.from_iterable(by_place)), *by_titles]))
    papers, remarks_on_records, _ = fetch_papers(ids[:FETCHED], client) if ids else ([], [], 0)
    if not_queried := [number - 1 for number, _ in numbered if number not in lines and number not in terms]:
        some = number_of(len(not_queried), "citation")
        warnings.append(f"PubMed was not queried for {some}: it needs journal, year and volume or page")
    return Page(
        papers=papers,
        total=len(papers),
        effective_query="; ".join([*lines.values(), *terms.values()])[:200],
        warnings=[*warnings, *remarks_on_records],
        not_queried=not_queried,
    )


def _papers(ids: Iterable[str], records: Mapping[str, Element]) -> tuple[dict[str, Paper], list[str]]:
    """The linked papers with a readable record; the others stay pointers."""
    try:
        papers, warnings = translate([records[pmid] for pmid in ids if pmid in records], read_paper)
    except BadResponse as error:
        return {}, [error.message]
    return {str(paper.ids.pmid): paper for paper in papers}, warnings


def _effective_query(step: str, ids: Sequence[str], more: str = "") -> str:
    return f"{TOOLS}{step}.fcgi?db=pubmed&id={','.join(ids)}{more}"[:200]


handler = provider_handler(
    SPEC,
    search=search,
    listing=listing,
    lookup=lookup,
    references=references,
    citations=citations,
    similar=similar,
    match=match,
    read_limits=rate_headers("x-ratelimit-limit"),
)
