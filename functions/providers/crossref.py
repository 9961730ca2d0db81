"""Crossref: the DOI registry of 20,000 publishers, with corrections, retractions and links between versions.

Manual: https://api.crossref.org (filters: https://www.crossref.org/documentation/retrieve-metadata/rest-api)
Limits: no key; with a contact address three searches a second, three at once; a paid key lifts that.
Oddities: a query is any of its words, so nearly everything is a hit and only the order tells; abstracts are not
searched. `query.bibliographic` looks in titles, names, journals and years; `query` adds funders and grants, noise here.
Whole records carry their references, so elements are selected; `language`, `subtype` and `institution` cannot be, and
silence on retractions means something only because `updated-by` is. Errors hold a `message`. Types that are parts or
containers of papers are not asked for; datasets, mostly recommendations under a paper's own title, on request only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import date
from itertools import takewhile
from typing import Any

from shared.aws.provider_lambda import provider_handler
from shared.budgets.limits import rate_headers
from shared.errors import BadResponse, BrokenRecord, RequestRejected, Unavailable, UnsupportedFilter
from shared.http_client import Client
from shared.identifiers import Identifiers, arxiv_of_doi, read_arxiv, read_doi
from shared.paper import Author, Location, OpenAccess, Paper, Retraction, RetractionStatus, Version
from shared.provider import Page, ProviderSpec, translate
from shared.query import Query
from shared.query_syntax import has_operators, plain
from shared.text import fold, plain_text

SPEC = ProviderSpec(
    name="crossref", title="Crossref", family="crossref", disciplines=frozenset({"humanities"}), concurrency=3,
    manual="https://api.crossref.org", base_url="https://api.crossref.org", requests_per_second_with_key=150.0,
    filters=frozenset({"date", "publication_types", "exclude_preprints"}), page_limit=1000, requests_per_second=3.0,
)  # fmt: skip
_POOL = rate_headers("x-rate-limit-limit", "x-rate-limit-interval", "x-concurrency-limit")  # without contact a slow one
_SELECT = (
    "DOI,type,title,subtitle,original-title,author,issued,published,posted,container-title,group-title,volume,issue,"
    "page,article-number,abstract,is-referenced-by-count,license,resource,relation,update-to,updated-by"
)
_TYPES = {
    "journal-article": "journal-article", "proceedings-article": "conference-paper", "posted-content": "preprint",
    "book-chapter": "book-chapter", "book-section": "book-chapter", "book-part": "book-chapter",
    "reference-entry": "book-chapter", "book": "book", "monograph": "book", "edited-book": "book",
    "reference-book": "book", "dissertation": "dissertation", "report": "report", "dataset": "dataset",
    "database": "dataset", "standard": "other", "other": "other",
}  # fmt: skip
_ASKED_AS_ARTICLES = {"review", "editorial", "letter", "clinical-trial", "erratum", "retraction-notice"}
_NO_PAPER = re.compile(r"component|grant|journal(-issue|-volume)?$|peer-review|proceedings$|.*-(series|set|track)$")
# What updates say of a paper, the gravest first; and what the record is that tells them.
_RETRACTED, _CONCERN, _CORRECTED = RetractionStatus.RETRACTED, RetractionStatus.CONCERN, RetractionStatus.CORRECTED
_STANDINGS = {
    "retraction": _RETRACTED, "removal": _RETRACTED, "withdrawal": _RETRACTED, "expression_of_concern": _CONCERN,
    "partial_retraction": _CORRECTED, "correction": _CORRECTED, "corrigendum": _CORRECTED, "erratum": _CORRECTED,
}  # fmt: skip
_NOTICE_TYPES = {_RETRACTED: "retraction-notice", _CONCERN: "other", _CORRECTED: "erratum"}
# A notice that names no updated paper is known by its title; `Correction of myopia` is none.
_NOTICE = re.compile(
    r"((?:(?:author|publisher) )?correction(?: to)?\s*(?:[:“\"‘]|\W*$)|(?:erratum|corrigendum|department of error)\b)"
    r"|retraction (?:note|notice)\b|retraction\s*(?:[:“\"‘]|\W*$)", re.I,
)  # fmt: skip
# Retracted papers are marked so; `Retracted: …` may be the notice, and Cochrane withdraws what is only out of date.
_MARKED = re.compile(r"RETRACTED\b|\[Retracted\b|(?P<perhaps>Retracted:|WITHDRAWN\b)")
_RELATIONS = {
    "is-preprint-of": "published", "is-manuscript-of": "published", "has-preprint": "preprint",
    "has-manuscript": "preprint", "is-version-of": "version", "has-version": "version", "is-same-as": "version",
}  # fmt: skip
_SERVERS = {
    "biorxiv": "bioRxiv", "medrxiv": "medRxiv", "chemrxiv": "ChemRxiv", "psyarxiv": "PsyArXiv", "ssrn": "SSRN",
    "preprints.org": "Preprints.org", "researchsquare": "Research Square", "jmir": "JMIR Preprints",
    "preprints.scielo": "SciELO Preprints", "osf.io": "Open Science Framework",
}  # fmt: skip
_FREE = re.compile(r"creativecommons\.org/(?:licenses/([a-z-]+)|publicdomain/zero)", re.I)
_COPIES = {"vor": "publishedVersion", "am": "acceptedVersion"}
_HEADING = re.compile(r"^\s*(?:<(?:jats:)?sec>\s*)?<(?:jats:)?title>\s*(?:abstract|summary)\s*</(?:jats:)?title>", re.I)


def search(query: Query, client: Client) -> Page:
    """Ask /works once, then translate. Raises UnsupportedFilter when the filters admit no type."""
    fields = {"bibliographic": plain(query.node), "author": query.author, "container-title": query.journal}
    asked = {f"query.{name}": words for name, words in fields.items() if words}
    asked |= {"filter": ",".join(_filters(query)), "sort": "score"}
    params = {**asked, "rows": str(min(query.limit, SPEC.page_limit)), "select": _SELECT}
    params |= {"mailto": client.contact} if client.contact else {}
    token = f"Bearer {client.key}" if client.key else ""
    works, total = _works(client.get_json("/works", params, crossref_plus_api_token=token))
    papers, broken = translate(works, _paper)
    told, unsupported = [*_shortcomings(query), *broken], ["operators"] if has_operators(query.node) else []
    asked_for = "&".join(f"{name}={value}" for name, value in asked.items())
    return Page(papers=papers, total=total, effective_query=asked_for, warnings=told, unsupported_filters=unsupported)


def _filters(query: Query) -> list[str]:
    """Different filters are joined by AND, several of one kind by OR."""
    wanted = set(query.publication_types) or set(_TYPES.values()) - {"dataset", "other"}
    found = [f"{end}-pub-date:{day}" for end, day in (("from", query.first_day), ("until", query.last_day)) if day]
    found += ["has-license:true"] if query.open_access else []
    found += ["is-update:true"] if wanted <= {"erratum", "retraction-notice"} else []
    if wanted & _ASKED_AS_ARTICLES:
        wanted.add("journal-article")
    if query.exclude_preprints:
        wanted.discard("preprint")
    if not wanted:
        raise UnsupportedFilter("only preprints are wanted, and preprints are excluded")
    return found + [f"type:{theirs}" for theirs, ours in _TYPES.items() if ours in wanted]


def _shortcomings(query: Query) -> list[str]:
    """What the caller should know of filters that Crossref applies in part."""
    unknown = sorted(_ASKED_AS_ARTICLES.intersection(query.publication_types))
    told = {
        "knows no phrases, AND, OR, NOT: the wanted words were sent as plain ones": has_operators(query.node),
        "orders by names and does not filter by them: checked afterwards": query.author or query.journal,
        "knows open access only where a Creative Commons licence is recorded": query.open_access,
        "dates papers of which it has only the year 1 January": not str(query.first_day or "-01-01").endswith("-01-01"),
        f"has no type for {', '.join(unknown)}: it was asked for journal articles": unknown,
        "was asked by relevance: any word is a hit, so that another order misleads": query.sort != "relevance",
    }
    return [f"Crossref {text}" for text, applies in told.items() if applies]


def _works(body: Any) -> tuple[list[Any], int | None]:
    """The works of a list or of a single-work answer, and how many there are in all."""
    envelope = body if isinstance(body, Mapping) else {}
    status, kind, message = (envelope.get(name) for name in ("status", "message-type", "message"))
    if status in ("failed", "error"):
        raise (RequestRejected if status == "failed" else Unavailable)("Crossref reported an error instead of works")
    if status != "ok" or not isinstance(message, Mapping):
        raise BadResponse("Crossref answered without its envelope")
    if kind == "work" and "DOI" in message:
        return [message], 1
    works, total = message.get("items"), message.get("total-results")
    if kind != "work-list" or not isinstance(works, list) or (total and not works):
        raise BadResponse(f"Crossref answered without a list of works, of {total} in all")
    return works, total if isinstance(total, int) else None


def _paper(work: Mapping[str, Any], rank: int) -> Paper:
    doi, kind, titles = read_doi(work.get("DOI")), work.get("type"), _texts(work, "title")
    if _NO_PAPER.match(kind or "") or not titles:
        raise BrokenRecord(f"Crossref {doi} is no paper but a {kind}" if titles else f"Crossref {doi} has no title")
    authors = tuple(author for author in map(_author, work.get("author") or []) if author)
    published = next((day for name in ("issued", "published", "posted") if (day := _day(work.get(name)))), None)
    landing_page = ((work.get("resource") or {}).get("primary") or {}).get("URL") or work.get("URL")
    return Paper(
        provider=SPEC.name, rank=rank, title=titles[0], alternative_titles=_alternative_titles(work, titles),
        ids=Identifiers(doi=doi, arxiv=arxiv_of_doi(doi), crossref=doi), issue=plain_text(work.get("issue")),
        authors=authors, author_count=len(authors) or None, publication_date=published,
        year=int(published[:4]) if published else None, journal=_journal(work, landing_page),
        volume=plain_text(work.get("volume")), pages=plain_text(work.get("page") or work.get("article-number")),
        type=_type(work, titles[0], doi), language=(work.get("language") or "").partition("-")[0].lower() or None,
        abstract=plain_text(_HEADING.sub("", work.get("abstract") or "")),
        citation_count=work.get("is-referenced-by-count"), open_access=_open_access(work, landing_page),
        retraction=_retraction(work, titles[0]), versions=tuple(_versions(work, doi)), landing_page=landing_page,
    )  # fmt: skip


def _texts(work: Mapping[str, Any], name: str) -> list[str]:
    return [text for text in map(plain_text, work.get(name) or []) if text]


def _alternative_titles(work: Mapping[str, Any], titles: list[str]) -> tuple[str, ...]:
    """Titles in other languages, and the title with its subtitle, which other sources write as one."""
    whole = [f"{titles[0]}: {subtitle}" for subtitle in _texts(work, "subtitle")[:1]]
    others = dict.fromkeys([*titles[1:], *_texts(work, "original-title"), *whole])
    return tuple(title for title in others if title != titles[0])


def _author(entry: Mapping[str, Any]) -> Author | None:
    family, given, name = (plain_text(entry.get(part)) for part in ("family", "given", "name"))
    if family and fold(family):  # some write `-` for want of a family name
        return Author(family=family, given=given)
    return Author(name=name or given) if name or given else None


def _day(told: Mapping[str, Any] | None) -> str | None:
    """`{"date-parts": [[2005, 10]]}` -> `2005-10`, as exact as it is a date; `[[null]]` is none."""
    (parts, *_) = (told or {}).get("date-parts") or [[]]
    exact = [int(part) for part in takewhile(bool, parts or [])]
    for size, length in ((3, 10), (2, 7), (1, 4)):
        if len(exact) >= size:
            with suppress(ValueError):
                return date(*[*exact[:size], 1, 1][:3]).isoformat()[:length]
    return None


def _journal(work: Mapping[str, Any], landing_page: str | None) -> str | None:
    """The last name, for a series stands before the book and an abbreviation before the journal; or the server."""
    names = _texts(work, "container-title")
    if names or work.get("type") != "posted-content":
        return names[-1] if names else None
    traces = f"{work.get('institution')} {work.get('group-title')} {landing_page}".lower()
    return next((server for mark, server in _SERVERS.items() if mark in traces), None)


def _type(work: Mapping[str, Any], title: str, doi: str | None) -> str | None:
    """A notice by what it updates (a paper may update itself) or by its title; others by Crossref's type."""
    others = [update for update in work.get("update-to") or [] if read_doi(update.get("DOI")) != doi]
    told = {_STANDINGS.get(update.get("type")) for update in others}
    if notices := [notice for standing, notice in _NOTICE_TYPES.items() if standing in told]:
        return notices[0]
    kind = work.get("type") or ""
    if kind == "journal-article" and (notice_title := _NOTICE.match(title)):
        return "erratum" if notice_title[1] else "retraction-notice"
    return "other" if work.get("subtype") in ("comment", "other") else _TYPES.get(kind)


def _retraction(work: Mapping[str, Any], title: str) -> Retraction:
    """The gravest update, and of several the first; silence counts where `updated-by` could have come."""
    updates = [
        (list(_NOTICE_TYPES).index(standing), _day(update.get("updated")), read_doi(update.get("DOI")), standing)
        for update in work.get("updated-by") or []
        if (standing := _STANDINGS.get(update.get("type")))
    ]
    if updates:
        _, day, notice, standing = min(updates, key=lambda update: (update[0], update[1] or "9", update[2] or ""))
        return Retraction(standing, notice_doi=notice, date=day)
    marked = None if work.get("update-to") else _MARKED.match(title)
    if marked and not marked["perhaps"]:
        return Retraction(_RETRACTED)
    # A record without its type was made by a narrower selection than ours.
    return Retraction(RetractionStatus.UNKNOWN if marked or "type" not in work else RetractionStatus.NONE)


def _versions(work: Mapping[str, Any], doi: str | None) -> Iterator[Version]:
    """What the record names as another version of itself, each once."""
    told = {doi, None}
    for name, relation in _RELATIONS.items():
        for other in (work.get("relation") or {}).get(name) or []:
            if other.get("id-type") in ("doi", "arxiv", "uri"):
                found = Version(relation, doi=read_doi(other["id"]), arxiv=read_arxiv(other["id"]))
                if not {found.doi, found.arxiv} <= told:
                    told |= {found.doi, found.arxiv}
                    yield found


def _open_access(work: Mapping[str, Any], landing_page: str | None) -> OpenAccess:
    """Free under a Creative Commons licence without embargo; of other papers Crossref does not say."""
    for entry in sorted(work.get("license") or [], key=lambda entry: entry.get("content-version") == "tdm"):
        free = _FREE.search(entry.get("URL") or "")
        if free and not entry.get("delay-in-days"):
            name = f"cc-{free[1].lower()}" if free[1] else "cc0"
            host = "repository" if work.get("type") == "posted-content" else "publisher"
            place = Location(landing_page or "", _COPIES.get(entry.get("content-version") or ""), name, host)
            return OpenAccess(True, landing_page, name, (place,) if landing_page else ())
    return OpenAccess()


handler = provider_handler(SPEC, search=search, read_limits=_POOL)
