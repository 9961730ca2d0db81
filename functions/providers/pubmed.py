"""PubMed: 38 million citations of biomedicine, with abstracts, subject mapping, retractions and links to preprints.

Manual: https://www.ncbi.nlm.nih.gov/books/NBK25499/ and https://pubmed.ncbi.nlm.nih.gov/help/
Limits: 3 requests/s for one address, 10 with a key, over all callers; only the first 9,999 hits can be reached.
Oddities: two steps, as esearch names ids and efetch brings their records, in an order of its own and not all of them;
errors come under HTTP 200, some of which pass when asked again; links are bare PMIDs, and only of papers in PMC. More:
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
from shared.providers.http_client import Answer, Client
from shared.providers.provider import Page, ProviderSpec, translate
from shared.providers.pubmed_syntax import (
    filter_clauses,
    filters_left_out,
    matcher_line,
    read_fault,
    read_hits,
    read_matches,
    remarks,
    search_term,
    title_term,
    untold,
)
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
FETCHED = 200  # records that one efetch brings for links and citations
CANDIDATES = 5  # papers for one citation
TITLES = 5  # citations whose titles are searched for: each is a request


def search(query: Query, client: Client) -> Page:
    """Ask esearch for ids and efetch for their records, then translate."""
    clauses = filter_clauses(query)
    term = search_term(query, clauses)
    sort = "pub_date" if query.sort == "date" else "relevance"
    ids, told = _find(term, min(query.limit, SPEC.page_limit), sort, client)
    papers, warnings = _fetch(ids[: query.limit], client) if ids else ([], [])
    unsupported = {*query.filters} - SPEC.filters | filters_left_out(clauses, told)
    return Page(
        papers=papers,
        total=int(told["count"]),
        effective_query=told.get("querytranslation") or term,
        warnings=[*remarks(told), *untold(query, clauses), *warnings],
        unsupported_filters=[name for name in query.filters if name in unsupported],
    )


def lookup(asked: Lookup, client: Client) -> Page:
    """The records of these PMIDs, by one efetch."""
    ids = [value_of(name) for name in asked.names]
    records = _records(ids, client)
    missing = [pmid for pmid in ids if pmid not in records]
    strangers = [pmid for pmid in records if pmid not in ids]
    # One record too many for one that is missing: that into which it was merged.
    merged = dict(zip(strangers, missing, strict=True)) if len(strangers) == len(missing) == 1 else {}
    answered = {pmid: ids.index(merged.get(pmid, pmid)) for pmid in records if pmid in ids or pmid in merged}
    if records and not answered:
        raise BadResponse("PubMed sent only records that were not asked for")

    def to_paper(pmid: str, _: int) -> Paper:
        place = answered[pmid]
        return replace(read_paper(records[pmid], place + 1), asked=(asked.names[place],))

    papers, warnings = translate(sorted(answered, key=answered.__getitem__), to_paper)
    warnings += [f"PubMed answers PMID {old} with PMID {new}, into which it was merged" for new, old in merged.items()]
    if len(answered) < len(records):
        warnings.append(f"PubMed sent {len(records) - len(answered)} records that were not asked for")
    return Page(papers=papers, total=len(papers), effective_query=_asked("efetch", ids), warnings=warnings)


def references(asked: Links, client: Client) -> Page:
    """What the record lists and what elink links, each once: by one elink and one efetch."""
    pmid = value_of(asked.name)
    links = _links(pmid, "pubmed_pubmed_refs", client)
    records = _records([pmid, *(links if len(links) < FETCHED else ())], client)
    query = _asked("elink", [pmid], "&linkname=pubmed_pubmed_refs")
    merged = next((records[it] for it in records if it not in links), None)  # the paper, under its other PMID
    own = records.get(pmid, merged)
    if own is None and not links:
        return Page(papers=(), total=None, effective_query=query, warnings=[f"PubMed does not hold PMID {pmid}"])
    listed = read_references(own) if own is not None else []
    papers, warnings = _papers(links, records)
    linked = [Pointer(0, papers[link].ids if link in papers else Identifiers(pmid=link)) for link in links]
    if not listed:
        warnings.append(f"PubMed sent no list of references of PMID {pmid}{', only its links' if links else ''}")
    return _linked(unite([*listed, *linked]), papers, asked.limit, query, warnings)


def citations(asked: Links, client: Client) -> Page:
    """The papers in PMC that cite it, the newest first: by one elink and one efetch, which a long list is spared."""
    pmid = value_of(asked.name)
    links = _links(pmid, "pubmed_pubmed_citedin", client)
    wanted = links[: asked.limit]
    records = _records(wanted, client) if 0 < len(wanted) <= FETCHED else {}
    papers, warnings = _papers(wanted, records)
    if not links:
        warnings.append(f"PubMed names no paper that cites PMID {pmid}; it does not say whether it holds that one")
    query = _asked("elink", [pmid], "&linkname=pubmed_pubmed_citedin")
    return _linked([Pointer(0, Identifiers(pmid=link)) for link in links], papers, asked.limit, query, warnings)


def match(asked: Match, client: Client) -> Page:
    """What the citation matcher finds, and for few citations what their titles find, then one efetch for all."""
    told = list(enumerate(asked.citations, start=1))
    lines = {number: line for number, citation in told if (line := matcher_line(citation, number))}
    few = told if len(told) <= TITLES else []
    terms = {number: term for number, citation in few if (term := title_term(citation))}
    found, warnings = _matches(lines, client) if lines else ({}, [])
    for number, term in terms.items():
        ids, _ = _find(term, CANDIDATES, "relevance", client)
        matched = found.get(number, [])
        found[number] = list(dict.fromkeys([*matched[:1], *ids, *matched[1:]]))
    by_place = zip_longest(*(found[number][:CANDIDATES] for number in sorted(found)))
    ids = list(dict.fromkeys(pmid for pmid in chain.from_iterable(by_place) if pmid))
    papers, remarks_on_records = _fetch(ids[:FETCHED], client) if ids else ([], [])
    if unasked := [number - 1 for number, _ in told if number not in lines and number not in terms]:
        warnings.append(f"PubMed was not asked for {len(unasked)} citations: it needs journal, year and volume or page")
    return Page(
        papers=papers,
        total=len(papers),
        effective_query="; ".join([*lines.values(), *terms.values()])[:200],
        warnings=[*warnings, *remarks_on_records],
        unasked=unasked,
    )


def _post(client: Client, step: str, form: Mapping[str, Any]) -> Answer:
    """One step; the key is in the body, never in the address."""
    sender = {"tool": "literature-search", "email": client.contact, "api_key": client.key}
    fields = {"db": "pubmed", **form, **{name: value for name, value in sender.items() if value}}
    return client.post_form(TOOLS + step, fields, read_fault=read_fault)


def _find(term: str, limit: int, sort: str, client: Client) -> tuple[list[str], Mapping[str, Any]]:
    form = {"term": term, "retmode": "json", "retmax": limit, "sort": sort}
    return read_hits(client.decode_json(_post(client, "esearch.fcgi", form)))


def _records(ids: Sequence[str], client: Client) -> dict[str, Element]:
    """The records that there are, each under its own PMID, in an order of PubMed's."""
    answer = _post(client, "efetch.fcgi", {"id": ",".join(ids), "retmode": "xml"})
    return {record_pmid(record) or "": record for record in read_records(client.decode_xml(answer))}


def _fetch(ids: Sequence[str], client: Client) -> tuple[list[Paper], list[str]]:
    """The papers in the order of `ids`, and what is missing or broken."""
    records = _records(ids, client)
    if not records:
        raise BadResponse(f"PubMed named {len(ids)} papers and sent none of them")
    missing = [pmid for pmid in ids if pmid not in records]
    strangers = [pmid for pmid in records if pmid not in ids]
    # A record that nobody asked for is one into which another was merged: it goes last.
    in_order = [records[pmid] for pmid in [*ids, *strangers] if pmid in records]
    papers, warnings = translate(in_order, read_paper)
    if missing:
        warnings.append(f"PubMed sent no record of {len(missing)} hits: PMID {', '.join(missing[:10])}")
    if strangers:
        warnings.append(f"PubMed sent {len(strangers)} records that were not asked for")
    return papers, warnings


def _links(pmid: str, name: str, client: Client) -> list[str]:
    form = {"dbfrom": "pubmed", "id": pmid, "cmd": "neighbor", "linkname": name, "retmode": "xml"}
    return read_links(client.decode_xml(_post(client, "elink.fcgi", form)), pmid, name)


def _papers(ids: Iterable[str], records: Mapping[str, Element]) -> tuple[dict[str, Paper], list[str]]:
    """Those of the linked papers whose records were sent and can be read; the others stay pointers."""
    try:
        papers, warnings = translate([records[pmid] for pmid in ids if pmid in records], read_paper)
    except BadResponse as error:
        return {}, [error.message]
    return {str(paper.ids.pmid): paper for paper in papers}, warnings


def _linked(
    pointers: Sequence[Pointer], papers: Mapping[str, Paper], limit: int, query: str, warnings: Sequence[str]
) -> Page:
    """The first `limit` of them, each as a paper where its record is there."""
    ranked = [(papers.get(it.ids.pmid or ""), replace(it, rank=n)) for n, it in enumerate(pointers[:limit], start=1)]
    return Page(
        papers=[replace(paper, rank=it.rank) for paper, it in ranked if paper],
        pointers=[it for paper, it in ranked if not paper],
        total=len(pointers),
        effective_query=query,
        warnings=warnings,
    )


def _matches(lines: Mapping[int, str], client: Client) -> tuple[dict[int, list[str]], list[str]]:
    """The matcher's PMIDs of each citation; it answers in plain text, though XML must be asked for."""
    answer = _post(client, "ecitmatch.cgi", {"bdata": "\r".join(lines.values()), "retmode": "xml"})
    told, said = read_matches(answer.body.decode("utf-8", "replace"))
    found = {number: told[number] for number in lines if number in told}
    if not found:
        raise BadResponse("PubMed answered without a line for any citation")
    if missing := [str(number) for number in lines if number not in found]:
        said.append(f"PubMed left citation {', '.join(missing)[:100]} unanswered")
    return found, said


def _asked(step: str, ids: Sequence[str], more: str = "") -> str:
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
