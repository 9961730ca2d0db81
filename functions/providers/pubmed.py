"""PubMed: 38 million citations of biomedicine, with abstracts, subject mapping, retractions and links to preprints.

Manual: https://www.ncbi.nlm.nih.gov/books/NBK25499/ and https://pubmed.ncbi.nlm.nih.gov/help/
Limits: 3 requests/s for one address, 10 with a key, over all callers; only the first 9,999 hits can be reached.
Oddities: two steps, esearch for ids and efetch for their records, which it sends in another order and not completely;
errors come under HTTP 200, and a retry helps with some; links are bare PMIDs, and only of papers in PMC. More:
`shared.providers.pubmed_syntax`, `shared.providers.records.medline`, `shared.providers.records.medline_links`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, zip_longest
from typing import Any
from xml.etree.ElementTree import Element

from shared.aws.lambda_functions.provider_handler import provider_handler
from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import Paper, Pointer
from shared.bibliography.paper_ids import value_of
from shared.errors import BadResponse
from shared.json_types import read_count
from shared.providers import pubmed_syntax as syntax
from shared.providers.answer_bodies import Answer
from shared.providers.http_client import Client
from shared.providers.provider import Page, ProviderSpec, is_partial, translate
from shared.providers.records.medline import read_paper, read_records, record_pmid
from shared.providers.records.medline_links import read_links, read_references, unite
from shared.query.query import Query
from shared.query.question import Links, Lookup, Match
from shared.rate_limits.limits import rate_headers

SPEC = ProviderSpec(
    name="pubmed",
    title="PubMed",
    manual="https://www.ncbi.nlm.nih.gov/books/NBK25499/",
    base_url="https://eutils.ncbi.nlm.nih.gov",
    family="pubmed",
    filters=frozenset({
        "date", "journal", "author", "open_access", "publication_types", "exclude_preprints", "exclude_retracted",
        "operators"}),
    sorts=frozenset({"relevance", "date"}),
    disciplines=frozenset({"biomedical"}),
    operations={"search": (), "lookup": ("pmid",), "references": ("pmid",), "citations": ("pmid",), "match": ()},
    tracks_integrity=True,
    page_limit=9_999,
    match_citations=50, match_titles=5,
    requests_per_second=3.0, requests_per_second_with_key=10.0,
)  # fmt: skip

TOOLS = "/entrez/eutils/"
FETCHED = 200  # records of links and citations in one efetch
CANDIDATES = 5  # papers for one citation
TITLES = 5  # citations whose titles are searched: each costs a request


def search(query: Query, client: Client) -> Page:
    """Query esearch for ids and efetch for their records, and convert these."""
    clauses = syntax.filter_clauses(query)
    term = syntax.search_term(query, clauses)
    sort = "pub_date" if query.sort == "date" else "relevance"
    limit = min(query.limit, SPEC.page_limit)
    ids, result = _find(term, limit, sort, client)
    papers, warnings, sent = _fetch(ids[:limit], client) if ids else ([], [], 0)
    unsupported = {*query.filters} - SPEC.filters | syntax.ignored_filters(clauses, result)
    return Page(
        papers=papers,
        total=read_count(result["count"]),
        effective_query=result.get("querytranslation") or term,
        warnings=[*syntax.remarks(result), *syntax.unsupported_types(query, clauses), *warnings],
        unsupported_filters=[name for name in query.filters if name in unsupported],
        partial=is_partial(sent, sent - len(papers), min(limit, int(result["count"]))),
    )


def lookup(request: Lookup, client: Client) -> Page:
    """The records of these PMIDs, by one efetch."""
    ids = [value_of(name) for name in request.names]
    records = _records(ids, client)
    missing = [pmid for pmid in ids if pmid not in records]
    strangers = [pmid for pmid in records if pmid not in ids]
    # One extra record for one missing: the missing one was merged into it.
    merged = dict(zip(strangers, missing, strict=True)) if len(strangers) == len(missing) == 1 else {}
    answered = {pmid: ids.index(merged.get(pmid, pmid)) for pmid in records if pmid in ids or pmid in merged}
    if records and not answered:
        raise BadResponse("PubMed sent only records that were not requested")

    def to_paper(pmid: str, _: int) -> Paper:
        place = answered[pmid]
        return replace(read_paper(records[pmid], place + 1), asked=(request.names[place],))

    papers, warnings = translate(sorted(answered, key=answered.__getitem__), to_paper)
    warnings += [f"PubMed answers PMID {old} with PMID {new}, into which it was merged" for new, old in merged.items()]
    if len(answered) < len(records):
        warnings.append(f"PubMed sent {len(records) - len(answered)} records that were not requested")
    return Page(papers=papers, total=len(papers), effective_query=_effective_query("efetch", ids), warnings=warnings)


def references(request: Links, client: Client) -> Page:
    """The references in the record and the links of elink, each once: by one elink and one efetch."""
    pmid = value_of(request.name)
    links = _links(pmid, "pubmed_pubmed_refs", client)
    records = _records([pmid, *(links if len(links) < FETCHED else ())], client)
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
    return _linked(unite([*listed, *linked]), papers, request.limit, query, warnings)


def citations(request: Links, client: Client) -> Page:
    """The papers in PMC that cite it, the newest first: by one elink and, for a short list, one efetch."""
    pmid = value_of(request.name)
    links = _links(pmid, "pubmed_pubmed_citedin", client)
    wanted = links[: request.limit]
    records = _records(wanted, client) if 0 < len(wanted) <= FETCHED else {}
    papers, warnings = _papers(wanted, records)
    if not links:
        warnings.append(
            f"PubMed names no paper that cites PMID {pmid}, or does not hold that PMID; its answer is the same"
        )
    query = _effective_query("elink", [pmid], "&linkname=pubmed_pubmed_citedin")
    return _linked([Pointer(0, Identifiers(pmid=link)) for link in links], papers, request.limit, query, warnings)


def match(request: Match, client: Client) -> Page:
    """Query the citation matcher and, for few citations, their titles; then fetch all records at once."""
    numbered = list(enumerate(request.citations, start=1))
    lines = {number: line for number, citation in numbered if (line := syntax.matcher_line(citation, number))}
    few = numbered if len(numbered) <= TITLES else []
    terms = {number: term for number, citation in few if (term := syntax.title_term(citation))}
    found, warnings = _matches(lines, client) if lines else ({}, [])
    for number, term in terms.items():
        ids, _ = _find(term, CANDIDATES, "relevance", client)
        matched = found.get(number, [])
        found[number] = list(dict.fromkeys([*matched[:1], *ids, *matched[1:]]))
    by_place = zip_longest(*(found[number][:CANDIDATES] for number in sorted(found)))
    ids = list(dict.fromkeys(pmid for pmid in chain.from_iterable(by_place) if pmid))
    papers, remarks_on_records, _ = _fetch(ids[:FETCHED], client) if ids else ([], [], 0)
    if not_queried := [number - 1 for number, _ in numbered if number not in lines and number not in terms]:
        warnings.append(
            f"PubMed was not queried for {len(not_queried)} citations: it needs journal, year and volume or page"
        )
    return Page(
        papers=papers,
        total=len(papers),
        effective_query="; ".join([*lines.values(), *terms.values()])[:200],
        warnings=[*warnings, *remarks_on_records],
        not_queried=not_queried,
    )


def _post(client: Client, step: str, form: Mapping[str, str | int]) -> Answer:
    """One step; the key is in the body, never in the address."""
    sender = {"tool": "literature-search", "email": client.contact, "api_key": client.key}
    fields: dict[str, str | int] = {"db": "pubmed", **form, **{name: value for name, value in sender.items() if value}}
    return client.post_form(TOOLS + step, fields, read_error=syntax.read_error)


def _find(term: str, limit: int, sort: str, client: Client) -> tuple[list[str], Mapping[str, Any]]:
    form: dict[str, str | int] = {"term": term, "retmode": "json", "retmax": limit, "sort": sort}
    return syntax.read_hits(client.decode_json(_post(client, "esearch.fcgi", form)))


def _records(ids: Sequence[str], client: Client) -> dict[str, Element]:
    """The records that PubMed sends, by PMID, in its order."""
    answer = _post(client, "efetch.fcgi", {"id": ",".join(ids), "retmode": "xml"})
    return {record_pmid(record) or "": record for record in read_records(client.decode_xml(answer))}


def _fetch(ids: Sequence[str], client: Client) -> tuple[list[Paper], list[str], int]:
    """The papers in the order of `ids`, warnings about missing or unreadable records, and how many were sent."""
    records = _records(ids, client)
    if not records:
        raise BadResponse(f"PubMed named {len(ids)} papers and sent none of them")
    missing = [pmid for pmid in ids if pmid not in records]
    strangers = [pmid for pmid in records if pmid not in ids]
    # A record that was not requested is one into which a requested one was merged: it comes last.
    in_order = [records[pmid] for pmid in [*ids, *strangers] if pmid in records]
    papers, warnings = translate(in_order, read_paper)
    if missing:
        warnings.append(f"PubMed sent no record of {len(missing)} hits: PMID {', '.join(missing[:10])}")
    if strangers:
        warnings.append(f"PubMed sent {len(strangers)} records that were not requested")
    return papers, warnings, len(in_order)


def _links(pmid: str, name: str, client: Client) -> list[str]:
    form = {"dbfrom": "pubmed", "id": pmid, "cmd": "neighbor", "linkname": name, "retmode": "xml"}
    return read_links(client.decode_xml(_post(client, "elink.fcgi", form)), pmid, name)


def _papers(ids: Iterable[str], records: Mapping[str, Element]) -> tuple[dict[str, Paper], list[str]]:
    """The linked papers with a readable record; the others stay pointers."""
    try:
        papers, warnings = translate([records[pmid] for pmid in ids if pmid in records], read_paper)
    except BadResponse as error:
        return {}, [error.message]
    return {str(paper.ids.pmid): paper for paper in papers}, warnings


def _linked(
    pointers: Sequence[Pointer], papers: Mapping[str, Paper], limit: int, query: str, warnings: Sequence[str]
) -> Page:
    """The first `limit` pointers, as papers where a record is available."""
    ranked = [
        (papers.get(pointer.ids.pmid or ""), replace(pointer, rank=rank))
        for rank, pointer in enumerate(pointers[:limit], start=1)
    ]
    return Page(
        papers=[replace(paper, rank=pointer.rank) for paper, pointer in ranked if paper],
        pointers=[pointer for paper, pointer in ranked if not paper],
        total=len(pointers),
        effective_query=query,
        warnings=warnings,
    )


def _matches(lines: Mapping[int, str], client: Client) -> tuple[dict[int, list[str]], list[str]]:
    """The matcher's PMIDs of each citation; its answer is plain text, although `retmode` must be XML."""
    answer = _post(client, "ecitmatch.cgi", {"bdata": "\r".join(lines.values()), "retmode": "xml"})
    matches, warnings = syntax.read_matches(answer.body.decode("utf-8", "replace"))
    found = {number: matches[number] for number in lines if number in matches}
    if not found:
        raise BadResponse("PubMed answered without a line for any citation")
    if missing := [str(number) for number in lines if number not in found]:
        warnings.append(f"PubMed left citation {', '.join(missing)[:100]} unanswered")
    return found, warnings


def _effective_query(step: str, ids: Sequence[str], more: str = "") -> str:
    return f"{TOOLS}{step}.fcgi?db=pubmed&id={','.join(ids)}{more}"[:200]


handler = provider_handler(
    SPEC,
    search=search,
    lookup=lookup,
    references=references,
    citations=citations,
    match=match,
    read_limits=rate_headers("x-ratelimit-limit"),
)
