"""Crossref: the DOI registry of 20,000 publishers, with corrections, retractions and links between versions.

Manual: https://api.crossref.org (filters: https://www.crossref.org/documentation/retrieve-metadata/rest-api)
Limits: no key; with a contact address three lists a second (ten single records), three at once; a paid key lifts that.
Oddities: a query is any of its words, so nearly everything is a hit and only the order tells; abstracts are not
searched. `query.bibliographic` looks in titles, names, journals and years; `query` adds funders and grants, noise here.
Whole records carry their references, so elements are selected; `language`, `subtype` and `institution` cannot be, and
silence on retractions means something only because `updated-by` is. Errors hold a `message`. Types that are parts or
containers of papers are not asked for; datasets, mostly recommendations under a paper's own title, on request only.
A list of filters is cut at commas, so a DOI with a comma is asked for alone. A DOI that became another's alias is in no
list; asked for alone, it is redirected to the other. A record that is not there is a 404 in plain text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import quote

from shared.aws.lambda_functions.provider_handler import provider_handler
from shared.bibliography.dates import is_first_of_january
from shared.bibliography.identifiers import read_doi
from shared.bibliography.paper import Paper, Pointer
from shared.bibliography.paper_ids import value_of
from shared.errors import BadResponse, RequestRejected, Unavailable, UnsupportedFilter
from shared.providers.http_client import Client
from shared.providers.provider import Page, ProviderSpec, translate
from shared.providers.records.crossref import TYPES, no_paper, read_paper
from shared.providers.records.crossref_references import read_author, read_cited
from shared.query.query import Query
from shared.query.question import Citation, Links, Lookup, Match
from shared.query.syntax import has_operators, plain
from shared.rate_limits.limits import RateLimitHeaders, rate_headers

SPEC = ProviderSpec(
    name="crossref", title="Crossref", family="crossref", disciplines=frozenset({"humanities"}), concurrency=3,
    manual="https://api.crossref.org", base_url="https://api.crossref.org", requests_per_second_with_key=150.0,
    filters=frozenset({"date", "publication_types", "exclude_preprints"}), page_limit=1000, requests_per_second=3.0,
    operations={"search": (), "lookup": ("doi",), "references": ("doi",), "match": ()}, tracks_integrity=True,
)  # fmt: skip
_POOL = rate_headers("x-rate-limit-limit", "x-rate-limit-interval", "x-concurrency-limit")  # without contact a slow one
_SELECT = (
    "DOI,type,title,subtitle,original-title,author,issued,published,posted,container-title,group-title,volume,issue,"
    "page,article-number,abstract,is-referenced-by-count,license,resource,relation,update-to,updated-by"
)
_WITH_CITED = f"{_SELECT},reference"
_LONGEST_LIST = 6000  # characters of DOIs in an address, of which servers take 8,000 with all else
_MOST_CHARS = 500  # of a citation, so that its address stays as short in any script
# Of the pools that tell a rate for single records, the rates that lists have.
_LIST_RATES = {"public-single": 1.0, "polite-single": 3.0}
_ASKED_AS_ARTICLES = {"review", "editorial", "letter", "clinical-trial", "erratum", "retraction-notice"}


def search(query: Query, client: Client) -> Page:
    """Ask /works once, then translate. Raises UnsupportedFilter when the filters admit no type."""
    fields = {"bibliographic": plain(query.node), "author": query.author, "container-title": query.journal}
    asked = {f"query.{name}": words for name, words in fields.items() if words}
    asked |= {"filter": ",".join(_filters(query)), "sort": "score"}
    params = {**asked, "rows": str(min(query.limit, SPEC.page_limit)), "select": _SELECT}
    works, total = _list(params, client)
    papers, broken = translate(works, read_paper)
    told, unsupported = [*_shortcomings(query), *broken], ["operators"] if has_operators(query.node) else []
    asked_for = "&".join(f"{name}={value}" for name, value in asked.items())
    return Page(papers=papers, total=total, effective_query=asked_for, warnings=told, unsupported_filters=unsupported)


def _filters(query: Query) -> list[str]:
    """Different filters are reconcile by AND, several of one kind by OR."""
    wanted = set(query.publication_types) or set(TYPES.values()) - {"dataset", "other"}
    found = [f"{end}-pub-date:{day}" for end, day in (("from", query.first_day), ("until", query.last_day)) if day]
    found += ["has-license:true"] if query.open_access else []
    found += ["is-update:true"] if wanted <= {"erratum", "retraction-notice"} else []
    if wanted & _ASKED_AS_ARTICLES:
        wanted.add("journal-article")
    if query.exclude_preprints:
        wanted.discard("preprint")
    if not wanted:
        raise UnsupportedFilter("only preprints are wanted, and preprints are excluded")
    return found + [f"type:{theirs}" for theirs, ours in TYPES.items() if ours in wanted]


def _shortcomings(query: Query) -> list[str]:
    """What the caller should know of filters that Crossref applies in part."""
    unknown = sorted(_ASKED_AS_ARTICLES.intersection(query.publication_types))
    from_within_a_year = query.first_day and not is_first_of_january(query.first_day.isoformat())
    told = {
        "knows no phrases, AND, OR, NOT: the wanted words were sent as plain ones": has_operators(query.node),
        "orders by names and does not filter by them: checked afterwards": query.author or query.journal,
        "knows open access only where a Creative Commons licence is recorded": query.open_access,
        "dates papers of which it has only the year 1 January": from_within_a_year,
        f"has no type for {', '.join(unknown)}: it was asked for journal articles": unknown,
        "was asked by relevance: any word is a hit, so that another order misleads": query.sort != "relevance",
    }
    return [f"Crossref {text}" for text, applies in told.items() if applies]


def lookup(asked: Lookup, client: Client) -> Page:
    """The works of DOIs: one as the whole record, several in lists; one with a comma cannot be in a list."""
    names = {value_of(name): name for name in asked.names}
    listed = [doi for doi in names if "," not in doi]
    lists = _lists(listed) if len(listed) > 1 else []
    alone = [doi for doi in names if not lists or "," in doi]
    works = {doi: work for doi in alone if (work := _work(doi, client))}
    for dois in lists:
        works |= _listed(dois, client)
    found = [(rank, names[doi], works[doi]) for rank, doi in enumerate(names, start=1) if doi in works]
    told = [reason for _, _, work in found if (reason := no_paper(work))]  # an answer, too: there is no such paper
    papers, broken = translate([one for one in found if not no_paper(one[2])], lambda one, _: _named(*one))
    paths = [f"/works?filter=doi:{',doi:'.join(dois)}" for dois in lists] + [f"/works/{doi}" for doi in alone]
    return Page(papers=papers, total=len(papers), effective_query=" ".join(paths)[:200], warnings=[*told, *broken])


def _named(rank: int, name: str, work: Mapping[str, Any]) -> Paper:
    return replace(read_paper(work, rank), asked=(name,))


def _lists(dois: Sequence[str]) -> list[list[str]]:
    """The DOIs in as few lists as addresses can hold."""
    lists: list[list[str]] = []
    chars = _LONGEST_LIST
    for doi in dois:
        chars += len(quote(f",doi:{doi}", safe=""))
        if chars > _LONGEST_LIST:
            lists, chars = [*lists, []], len(quote(f",doi:{doi}", safe=""))
        lists[-1].append(doi)
    return lists


def _listed(dois: Sequence[str], client: Client) -> dict[str, Mapping[str, Any]]:
    """The works that Crossref has of these DOIs, by DOI."""
    params = {"filter": ",".join(f"doi:{doi}" for doi in dois), "rows": str(len(dois)), "select": _WITH_CITED}
    works, _ = _list(params, client)
    found = {doi: work for work in works if isinstance(work, Mapping) and (doi := read_doi(work.get("DOI")))}
    if works and not found.keys() & set(dois):
        raise BadResponse("Crossref answered with other works than those asked for")
    return found


def references(asked: Links, client: Client) -> Page:
    """What the work of a DOI cites, as its publisher deposited it; a list that is withheld is told in a warning."""
    doi = value_of(asked.name)
    work, path = _work(doi, client), f"/works/{doi}"[:200]
    if work is None:
        return Page(papers=(), total=None, effective_query=path, warnings=[f"Crossref has no record under {doi}"])
    entries = work.get("reference") or []
    total = max(work.get("references-count") or work.get("reference-count") or 0, len(entries))
    shown = entries[: asked.limit]
    cited = [found for rank, entry in enumerate(shown, start=1) if (found := read_cited(entry, rank))]
    told = {
        f"Crossref has no references of {doi}: its publisher deposited none": not total,
        f"Crossref shows none of {total} references of {doi}: its publisher withholds them": total and not entries,
        f"Crossref tells nothing but the number of {len(shown) - len(cited)} references": len(shown) > len(cited),
    }
    papers = [found for found in cited if isinstance(found, Paper)]
    pointers = [found for found in cited if isinstance(found, Pointer)]
    warnings = [text for text, applies in told.items() if applies]
    return Page(papers=papers, pointers=pointers, total=total, effective_query=path, warnings=warnings)


def match(asked: Match, client: Client) -> Page:
    """Ask once for each citation by all its words; the first five hits are candidates, however unlike."""
    worded = [words for citation in asked.citations if (words := _words(citation))]
    kinds = ",".join(f"type:{theirs}" for theirs, ours in TYPES.items() if ours != "dataset")
    params = {"filter": kinds, "sort": "score", "rows": "5", "select": _SELECT}
    found = [work for words in worded for work in _list({"query.bibliographic": words, **params}, client)[0]]
    papers, broken = translate(found, read_paper)
    path = f"/works?query.bibliographic={' | '.join(worded)}"[:200]
    return Page(papers=papers, total=len(papers), effective_query=path, warnings=broken)


def _words(citation: Citation) -> str:
    """Title, family names, journal and year; the line as written where it has no title; else its place, too."""
    if citation.text and not citation.title:
        return " ".join(citation.text.split())[:_MOST_CHARS]
    authors = [author.family or author.name for text in citation.authors[:5] if (author := read_author(text))]
    place = [] if citation.title else [citation.volume, citation.pages]
    words = [citation.title, *authors, citation.journal, str(citation.year or ""), *place]
    return " ".join(" ".join(filter(None, words)).split())[:_MOST_CHARS]


def _work(doi: str, client: Client) -> Mapping[str, Any] | None:
    """The whole record of a DOI, or of the one whose alias it is; None when Crossref has none under it."""
    params, headers = _who_asks(client)
    follow = not client.key  # or a redirect could carry it elsewhere
    path = f"/works/{quote(doi, safe='')}"
    try:
        answer = client.request("GET", path, params=params, headers=headers, follow_redirects=follow)
    except BadResponse as error:
        if error.status in (301, 404):
            return None
        raise
    body = client.decode_json(answer)
    works, _ = _works(body)
    if body["message-type"] != "work":
        raise BadResponse("Crossref answered with a list of works where one was asked for")
    return dict(works[0])


def _list(params: Mapping[str, str], client: Client) -> tuple[list[Any], int | None]:
    """The works of a list, and how many there are in all."""
    contact, headers = _who_asks(client)
    answer = client.request("GET", "/works", params={**params, **contact}, headers=headers)
    return _works(client.decode_json(answer))


def _who_asks(client: Client) -> tuple[dict[str, str], dict[str, str]]:
    """The parameter with our address, and the header with our key."""
    return (
        {"mailto": client.contact} if client.contact else {},
        {"crossref-plus-api-token": f"Bearer {client.key}"} if client.key else {},
    )


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


def read_limits(headers: Mapping[str, str]) -> RateLimitHeaders:
    """The limits that an answer tells; for single records it tells a faster rate than lists have, which is cut."""
    told, lists = _POOL(headers), _LIST_RATES.get(headers.get("x-api-pool", ""))
    if told.requests_per_second is None or lists is None:
        return told
    return replace(told, requests_per_second=min(told.requests_per_second, lists))


handler = provider_handler(
    SPEC, search=search, lookup=lookup, references=references, match=match, read_limits=read_limits
)
