"""Europe PMC: PubMed whole, full texts of PMC, preprints of all life-science servers, theses and patents.

Manual: https://europepmc.org/RestfulWebService (fields of the query: https://europepmc.org/searchsyntax)
Limits: no key, no published rate; at most 1,000 records a call.
Oddities: a bare word is looked for in full texts too; errors come under HTTP 200; flags are "Y" and "N"; titles
carry escaped markup and a final dot; `hitCount` may be more than can be fetched; the day of a print issue is made up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from shared.aws.provider_lambda import provider_handler
from shared.errors import BadResponse, BrokenRecord, RateLimited, RequestRejected, Unavailable
from shared.http_client import Client
from shared.identifiers import Identifiers, arxiv_of_doi, read_doi, read_pmcid, read_pmid
from shared.languages import language_code
from shared.paper import Author, Location, OpenAccess, Paper, Retraction, RetractionStatus, Version
from shared.provider import Page, ProviderSpec, translate
from shared.query import FILTERS, Query
from shared.query_syntax import All, render
from shared.text import plain_text

SPEC = ProviderSpec(
    name="europe_pmc", title="Europe PMC", family="pubmed",  # it holds PubMed whole
    manual="https://europepmc.org/RestfulWebService", base_url="https://www.ebi.ac.uk",
    filters=frozenset(FILTERS), sorts=frozenset({"relevance", "citations", "date"}),
    disciplines=frozenset({"biomedical"}), page_limit=1000, requests_per_second=5.0, concurrency=4,
)  # fmt: skip
_SORTS = {"citations": "CITED desc", "date": "FIRST_PDATE_D desc"}
# Our types and the names that MEDLINE and PMC give them; a record with several has the first type listed here.
_TYPES = {
    "retraction-notice": ("retraction of publication", "retraction notice", "retraction"),
    "erratum": ("published erratum", "correction"), "preprint": ("preprint",),
    "dissertation": ("thesis", "academic dissertation"), "book-chapter": ("book chapter", "book-chapter"),
    "book": ("book", "monograph"), "editorial": ("editorial",), "letter": ("letter",),
    "review": ("review", "systematic review", "scoping review", "meta-analysis", "review-article", "systematic-review"),
    "clinical-trial": (
        "clinical trial", *(f"clinical trial, phase {number}" for number in ("i", "ii", "iii", "iv")),
        "controlled clinical trial", "randomized controlled trial",
    ),
    "conference-paper": ("congress", "conference paper", "abstract"), "dataset": ("dataset",),
    "report": ("technical report", "report"),
    "journal-article": ("journal article", "research-article", "case reports", "case-report"),
    "other": ("news", "comment", "article-commentary", "biography", "interview", "patent"),
}  # fmt: skip
# What a linked notice says of the paper, the gravest first.
_STANDINGS = {
    "retraction in": RetractionStatus.RETRACTED, "expression of concern in": RetractionStatus.CONCERN,
    "erratum in": RetractionStatus.CORRECTED, "corrected and republished in": RetractionStatus.CORRECTED,
}  # fmt: skip
_SERVER = re.compile(r"\b(?:ar|bio|chem|med)rxiv\b|\bres(?:earch)? sq(?:uare)?\b|\bpreprint", re.I)
_SYNTAX = '&|!(){}[]^~*?:\\/"'  # of the query language; `+` and `-` only in front of a word
# The family name is the last word with its particles, unless that word is initials (`Doudna JA`).
_FULL_NAME = re.compile(r"(.*?\S)\s+((?:(?:[Vv][ao]n|[Dd]e[lnr]?|[Dd][aiu]|[Ll][ae])\s+)*(?![A-Z]{1,3}$)\S+)$")


def search(query: Query, client: Client) -> Page:
    """Ask /search for core records, then translate."""
    terms = render(All((query.node,)), words=_words, phrase=_quoted)  # inside another node, operators get parentheses
    if query.sort != "relevance":  # the newest papers that mention the words anywhere are rarely about them
        terms = f"TITLE_ABS:{terms}"
    asked = " AND ".join([terms, *_clauses(query)])
    params = {"query": asked, "format": "json", "resultType": "core", "pageSize": min(query.limit, SPEC.page_limit)}
    if query.sort in _SORTS:
        asked = f"{asked}&sort={params.setdefault('sort', _SORTS[query.sort])}"
    records, total = _records(client.get_json("/europepmc/webservices/rest/search", params))
    papers, warnings = translate(records, _paper)
    if len(records) < min(total or 0, query.limit):
        warnings.append(f"Europe PMC counts {total} hits, but sent only {len(records)}")
    if query.sort != "relevance":
        warnings.append("Europe PMC was asked for words in titles and abstracts only, because it sorts all its hits")
    return Page(papers=papers, total=total, effective_query=asked, warnings=warnings)


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
        names = dict.fromkeys(name for kind in query.publication_types for name in _TYPES[kind])
        yield "(" + " OR ".join(f'PUB_TYPE:"{name}"' for name in names) + ")"
    if query.exclude_preprints:
        yield 'NOT (SRC:PPR OR PUB_TYPE:"preprint")'  # PubMed holds a few preprints of its own
    if query.exclude_retracted:
        yield 'NOT PUB_TYPE:"retracted publication"'


def _words(text: str) -> str:
    """Free words; one that holds a sign of the query language is quoted, so that it is only a word."""
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


def _records(body: Any) -> tuple[list[Any], int | None]:
    """The records of a search or of a single-article answer, and how many there are in all."""
    told: Mapping[str, Any] = body if isinstance(body, Mapping) else {}
    if code := str(told.get("errCode", "")):
        kind = RateLimited if code == "429" else Unavailable if code.startswith("5") else RequestRejected
        raise kind("Europe PMC reported an error instead of results")
    listing = told.get("resultList", told)
    found = listing.get("result") if isinstance(listing, Mapping) else None
    records = [found] if isinstance(found, Mapping) else found
    total = told.get("hitCount")
    if not isinstance(records, list) or (total and not records):
        raise BadResponse("Europe PMC answered without the results that it counts")
    return records, total if isinstance(total, int) else None


def _paper(record: Mapping[str, Any], rank: int) -> Paper:
    source, number = record.get("source"), record.get("id")
    title = _title(record.get("title"))
    if not title:
        raise BrokenRecord(f"Europe PMC {source}/{number} has no title")
    info, book = record.get("journalInfo") or {}, record.get("bookOrReportDetails") or {}
    journal = (info.get("journal") or {}).get("title") or record.get("journalTitle")
    told = (record.get("pubTypeList") or {}).get("pubType") or record.get("pubType") or []  # one string when single
    kinds = {kind.strip().casefold() for kind in (told.split("; ") if isinstance(told, str) else told)}
    preprint = source == "PPR" or "preprint" in kinds
    doi, authors, published = read_doi(record.get("doi")), _authors(record), _publication_date(record, info)
    return Paper(
        provider=SPEC.name, rank=rank, title=title,
        ids=Identifiers(
            doi=doi, arxiv=arxiv_of_doi(doi), europe_pmc=f"{source}/{number}" if source and number else None,
            pmid=read_pmid(record.get("pmid") or (number if source == "MED" else None)),
            pmcid=read_pmcid(record.get("pmcid") or (number if source == "PMC" else None)),
        ),
        authors=authors, author_count=len(authors) or None, pages=record.get("pageInfo"),
        year=int(record.get("pubYear") or (published or "0")[:4]) or None, publication_date=published,
        journal=plain_text(journal or book.get("comprisingTitle") or book.get("publisher")),
        volume=info.get("volume") or record.get("journalVolume"), issue=info.get("issue") or record.get("issue"),
        language=language_code(record.get("language")),
        type="preprint" if preprint else next((ours for ours, names in _TYPES.items() if kinds & {*names}), None),
        abstract=plain_text(record.get("abstractText")), citation_count=record.get("citedByCount"),
        open_access=_open_access(record, preprint),
        retraction=_retraction(record, kinds),
        versions=tuple(_versions(record, preprint)),
        landing_page=f"https://europepmc.org/article/{source}/{number}" if source and number else None,
    )  # fmt: skip


def _title(markup: str | None) -> str:
    """Plain, without the dot that MEDLINE sets after it and the brackets that it sets around a translation."""
    title = re.sub(r"(?<!\.)(?<!\b\w\.\w)\.$", "", plain_text(markup) or "")  # `in the U.S.` keeps its dot
    translated = re.fullmatch(r"\[([^\[\]]+?)\.?\]", title)
    return translated[1] if translated else title


def _authors(record: Mapping[str, Any]) -> tuple[Author, ...]:
    names = (plain_text(record.get("authorString")) or "").removesuffix(".").split(", ")
    entries = _listed(record, "authorList", "author") or [{"fullName": name} for name in names]
    return tuple(author for author in map(_author, entries) if author.display)


def _author(entry: Mapping[str, Any]) -> Author:
    """`Glover JN` is a person; a group's name ends in no initials."""
    group, name = plain_text(entry.get("collectiveName")), plain_text(entry.get("fullName")) or ""
    family, given = plain_text(entry.get("lastName")), plain_text(entry.get("firstName") or entry.get("initials"))
    if not family and not group and name.rpartition(" ")[2].isupper():
        family, _, given = name.rpartition(" ")
    return Author(family=family, given=given) if family else Author(name=group or name)


def _publication_date(record: Mapping[str, Any], info: Mapping[str, Any]) -> str | None:
    """The first publication, without the day (and month) that Europe PMC made up for a print issue."""
    first: str = record.get("firstPublicationDate") or ""
    issue = str(info.get("dateOfPublication") or "").split()  # `2025 Jul` is known to the month
    in_print = first == info.get("printPublicationDate") != record.get("electronicPublicationDate")
    return first[: {1: 4, 2: 7}.get(len(issue)) if in_print else None] or None


def _open_access(record: Mapping[str, Any], preprint: bool) -> OpenAccess:
    """The flag tells only of the licensed subset: a paper outside it may have a free copy too, as a preprint has."""
    license_ = (record.get("license") or "").replace(" ", "-") or None
    links = sorted(_listed(record, "fullTextUrlList", "fullTextUrl"), key=lambda one: one.get("documentStyle") != "pdf")
    places = tuple(
        Location(url=link["url"], license=license_, host="repository" if link.get("site") == "Europe_PMC" else None)
        for link in links if link.get("availabilityCode") in ("OA", "F") and link.get("url")
    )  # fmt: skip
    is_oa = {"Y": True, "N": None if preprint else False}.get(record.get("isOpenAccess", ""))
    return OpenAccess(True if places else is_oa, places[0].url if places else None, license_, places)


def _retraction(record: Mapping[str, Any], kinds: set[str]) -> Retraction:
    """What MEDLINE's types and linked notices say; for other sources silence means nothing."""
    notices = {kind: doi for kind, doi, _, _ in _links(record)}
    for kind, status in _STANDINGS.items():
        if kind in notices:
            return Retraction(status, notice_doi=notices[kind])
    if "retracted publication" in kinds:
        return Retraction(RetractionStatus.RETRACTED)
    tracked = record.get("source") == "MED" and "pubTypeList" in record
    return Retraction(RetractionStatus.NONE if tracked else RetractionStatus.UNKNOWN)


def _versions(record: Mapping[str, Any], preprint: bool) -> Iterator[Version]:
    """Preprint and article, where a link names the other one by PMID or DOI (a preprint's own id is no help)."""
    for kind, doi, pmid, reference in _links(record):
        published = kind == "preprint of" or (kind == "update in" and preprint)
        posted = kind == "preprint in" or (kind == "update of" and _SERVER.search(reference))
        if (published or posted) and (doi or pmid):
            yield Version("published" if published else "preprint", doi=doi, pmid=pmid)


def _links(record: Mapping[str, Any]) -> Iterator[tuple[str, str | None, str | None, str]]:
    """Kind, DOI, PMID and reference of every linked record."""
    for link in _listed(record, "commentCorrectionList", "commentCorrection"):
        reference = link.get("reference") or ""
        doi = read_doi(next(iter(re.findall(r"10\.\d{4,9}/\S+", reference)), None))
        pmid = read_pmid(link.get("id")) if link.get("source") == "MED" else None
        yield str(link.get("type")).casefold(), doi, pmid, reference


def _listed(record: Mapping[str, Any], wrapper: str, name: str) -> list[Mapping[str, Any]]:
    """The items of `{wrapper: {name: […]}}`; a single one may come without its list."""
    found = (record.get(wrapper) or {}).get(name) or []
    return [found] if isinstance(found, Mapping) else list(found)


handler = provider_handler(SPEC, search=search)
