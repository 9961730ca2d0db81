"""OpenAlex: 250 million works of all disciplines, with open-access locations, retractions and references.

Manual: https://developers.openalex.org/api-reference/works
Limits: a key is needed for real use since 2026-02; a day's allowance in dollars, 0.001 a search; 100 requests/s.
Oddities: abstracts come as an inverted index, identifiers as URLs, titles with markup; a spent allowance is a 429
with a Retry-After of many hours; a 404 is HTML. A journal is filtered by its OpenAlex id, so its name costs one
more call. A first of January mostly stands for an unknown day. A preprint may be typed as an article.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from shared.aws.provider_lambda import provider_handler
from shared.budgets.limits import Told, header_number
from shared.errors import BadResponse, BrokenRecord, RateLimited
from shared.http_client import Client
from shared.identifiers import Identifiers, arxiv_of_doi, read_arxiv, read_doi, read_openalex, read_pmcid, read_pmid
from shared.languages import language_code
from shared.paper import PAPER_TYPES, Author, Location, OpenAccess, Paper, Retraction, RetractionStatus, Version
from shared.person_names import read_name
from shared.provider import Page, ProviderSpec, translate
from shared.query import FILTERS, Query
from shared.query_syntax import Words, render
from shared.text import fold, plain_text

SPEC = ProviderSpec(
    name="openalex",
    title="OpenAlex",
    manual="https://developers.openalex.org/api-reference/works",
    base_url="https://api.openalex.org",
    family="crossref",  # OpenAlex ingests Crossref whole
    filters=frozenset(FILTERS),
    sorts=frozenset({"relevance", "citations", "date"}),
    page_limit=100,
    requests_per_second=10.0,
)

_SORTS = {"relevance": "relevance_score", "citations": "cited_by_count", "date": "publication_date"}
# Our type -> OpenAlex's, and back, where the names differ.
_TYPES = {"journal-article": "article", "retraction-notice": "retraction", "clinical-trial": "article"}
_OUR_TYPES = {
    "article": "journal-article", "book-review": "other", "grant": "other", "libguides": "other", "paratext": "other",
    "peer-review": "other", "reference-entry": "book-chapter", "retraction": "retraction-notice", "software": "other",
    "standard": "other", "supplementary-materials": "other",
}  # fmt: skip
_STANDING = {None: RetractionStatus.UNKNOWN, False: RetractionStatus.NONE, True: RetractionStatus.RETRACTED}
_WILDCARDS = str.maketrans("*?~", "   ")
_FILTER_SIGNS = str.maketrans(",|:!*?~", "       ")
_AUTHORS_CUT = 100  # lists of authors end here
_A_MOMENT_S = 60.0  # a longer Retry-After says that the day's allowance is spent
_PMC_PAGE = re.compile(r"/pmc/articles/(?:PMC)?(\d+)", re.I)
_ABSTRACT_HEADING = re.compile(r"^(?:Abstract|ABSTRACT)[:.]? (?=[^a-z ])")


def search(query: Query, client: Client) -> Page:
    """Ask /works (and /sources first, when a journal is named), then translate."""
    filters = _filters(query)
    if query.journal:
        sources = _source_ids(query.journal, client)
        if not sources:
            told = f"OpenAlex knows no journal like {query.journal!r}"
            return Page(papers=(), total=0, effective_query=f"sources?search={query.journal}", warnings=[told])
        filters.append("primary_location.source.id:" + "|".join(sources))
    limit = min(query.limit, SPEC.page_limit)
    params = {"search": _search(query), "sort": f"{_SORTS[query.sort]}:desc", "per_page": str(limit)}
    if filters:
        params["filter"] = ",".join(filters)
    works, total = _works(_ask("/works", params, client))
    papers, warnings = translate(works, lambda work, rank: _paper(work, rank, latest_year=client.now().year + 1))
    asked = f"search={params['search']}" + (f"&filter={params['filter']}" if filters else "")
    return Page(papers=papers, total=total, effective_query=asked, warnings=warnings)


def _ask(path: str, params: Mapping[str, Any], client: Client) -> Any:
    try:
        return client.get_json(path, params, authorization=f"Bearer {client.key}" if client.key else "")
    except RateLimited as error:
        spent = (error.retry_after_s or 0) > _A_MOMENT_S
        told = "OpenAlex's allowance for the day is spent; it is renewed at midnight UTC" if spent else error.message
        raise RateLimited(told, retry_after_s=error.retry_after_s) from error


def _search(query: Query) -> str:
    """Several words beside an operator get parentheses, for OpenAlex joins bare words by AND."""
    alone = isinstance(query.node, Words)
    return render(
        query.node,
        words=lambda text: text if alone or " " not in text else f"({text})",
        phrase=lambda text: f'"{text}"',
    ).translate(_WILDCARDS)


def _filters(query: Query) -> list[str]:
    author = " ".join((query.author or "").translate(_FILTER_SIGNS).split())
    types = dict.fromkeys(_TYPES.get(kind, kind) for kind in query.publication_types)
    found = (
        (query.first_day, f"from_publication_date:{query.first_day}"),
        (query.last_day, f"to_publication_date:{query.last_day}"),
        (author, f"raw_author_name.search:{author}"),
        (query.open_access, "open_access.is_oa:true"),
        (query.min_citations, f"cited_by_count:>{(query.min_citations or 0) - 1}"),
        (types, f"type:{'|'.join(types)}"),
        (query.exclude_preprints, "type:!preprint"),
        (query.exclude_retracted, "is_retracted:false"),
    )
    return [text for in_use, text in found if in_use]


def _source_ids(journal: str, client: Client) -> list[str]:
    """The journals of exactly this name if there are any, else all whose names hold it."""
    found = _ask("/sources", {"search": journal, "per_page": "25"}, client)
    if not isinstance(found, Mapping) or not isinstance(found.get("results"), list):
        raise BadResponse("OpenAlex's list of journals is not in the promised form")
    sources = [source for source in found["results"] if isinstance(source, Mapping) and source.get("id")]
    exact = [source for source in sources if fold(source.get("display_name") or "") == fold(journal)]
    return [str(source["id"]).rpartition("/")[2] for source in exact or sources]


def _works(body: Any) -> tuple[list[Any], int | None]:
    """The works of a list or of a single-work answer, and how many there are in all."""
    if isinstance(body, Mapping) and isinstance(body.get("results"), list):
        meta = body.get("meta")
        count = meta.get("count") if isinstance(meta, Mapping) else None
        if body["results"] or count == 0:  # groups come with an empty list of works
            return body["results"], count if isinstance(count, int) else None
    elif isinstance(body, Mapping) and "error" not in body and ("id" in body or "doi" in body):
        return [body], 1
    raise BadResponse("OpenAlex answered without a list of works")


def _paper(work: Mapping[str, Any], rank: int, latest_year: int) -> Paper:
    place = work.get("primary_location") or {}
    pages = [at["landing_page_url"] for at in [place, *(work.get("locations") or [])] if at.get("landing_page_url")]
    ids = _identifiers(work, place.get("landing_page_url"), pages)
    title = plain_text(work.get("title") or work.get("display_name"))
    if not title or (work.get("id") and not ids.openalex):
        raise BrokenRecord(f"{work.get('id')} is no work with a title")
    year, published = _published(work, latest_year)
    biblio = work.get("biblio") or {}
    ends = dict.fromkeys(filter(None, (biblio.get("first_page"), biblio.get("last_page"))))
    authorships = work.get("authorships") or []
    authors = tuple(author for author in map(_author, authorships) if author)
    language = (work.get("language") or "").partition("-")[0]
    source = place.get("source") or {}
    journal = plain_text(source.get("display_name"))
    if journal and source.get("type") == "repository":  # "arXiv (Cornell University)"
        journal = journal.partition(" (")[0]
    preprints = () if ids.arxiv else dict.fromkeys(map(read_arxiv, pages))
    cited = map(read_openalex, work.get("referenced_works") or [])
    return Paper(
        provider=SPEC.name,
        rank=rank,
        title=title,
        ids=ids,
        authors=authors,
        author_count=len(authors) or None if len(authorships) < _AUTHORS_CUT else None,
        year=year,
        publication_date=published,
        journal=journal,
        volume=biblio.get("volume") or None,
        issue=biblio.get("issue") or None,
        pages="-".join(ends) or None,
        type=_type(work, ids),
        language=language_code(language),
        abstract=plain_text(_abstract(work.get("abstract_inverted_index"))),
        citation_count=work.get("cited_by_count"),
        open_access=_open_access(work),
        retraction=Retraction(_STANDING[work.get("is_retracted")]),
        versions=tuple(Version("preprint", arxiv=arxiv) for arxiv in preprints if arxiv),
        references=tuple(dict.fromkeys(f"openalex:{work_id}" for work_id in cited if work_id)),
        landing_page=place.get("landing_page_url"),
    )


def _identifiers(work: Mapping[str, Any], primary: str | None, pages: Sequence[str]) -> Identifiers:
    """A PMCID is mostly told by a landing page alone, and there without its letters."""
    told = work.get("ids") or {}
    doi = read_doi(work.get("doi") or told.get("doi"))
    pmc = _PMC_PAGE.search(" ".join([told.get("pmcid") or "", *pages]))
    return Identifiers(
        doi=doi,
        pmid=read_pmid(told.get("pmid")),
        pmcid=read_pmcid("PMC" + pmc[1]) if pmc else None,
        arxiv=arxiv_of_doi(doi) or read_arxiv(primary),
        openalex=read_openalex(work.get("id")),
    )


def _published(work: Mapping[str, Any], latest_year: int) -> tuple[int | None, str | None]:
    """Year and date; a year beyond the next one is invented, a first of January is known to the year only."""
    day = work.get("publication_date") or ""
    year = work.get("publication_year") or int(day[:4] or 0)
    if not 0 < year <= latest_year:
        return None, None
    return year, day if day and not day.endswith("-01-01") else str(year)


def _type(work: Mapping[str, Any], ids: Identifiers) -> str | None:
    told = "paratext" if work.get("is_paratext") else str(work.get("type"))
    kind = "preprint" if told == "article" and ids.arxiv else _OUR_TYPES.get(told, told)
    return kind if kind in PAPER_TYPES else None


def _author(authorship: Mapping[str, Any]) -> Author | None:
    """An affiliation that was taken for an author begins with a comma."""
    name = plain_text((authorship.get("author") or {}).get("display_name") or authorship.get("raw_author_name"))
    return None if not name or name.startswith(",") else read_name(name)


def _abstract(index: Mapping[str, list[int]] | None) -> str | None:
    """Words put back at their positions; positions may be skipped or taken twice."""
    if not index:
        return None
    placed = sorted((position, word) for word, positions in index.items() for position in positions)
    return _ABSTRACT_HEADING.sub("", " ".join(word for _, word in placed))


def _open_access(work: Mapping[str, Any]) -> OpenAccess:
    access = work.get("open_access") or {}
    best = work.get("best_oa_location") or {}
    places = (place for place in work.get("locations") or [] if place.get("is_oa"))
    return OpenAccess(
        is_oa=access.get("is_oa"),
        url=access.get("oa_url") or best.get("pdf_url") or best.get("landing_page_url"),
        license=best.get("license"),
        locations=tuple(location for location in map(_location, places) if location),
    )


def _location(place: Mapping[str, Any]) -> Location | None:
    url = place.get("pdf_url") or place.get("landing_page_url")
    kind = (place.get("source") or {}).get("type")
    host = "repository" if kind == "repository" else "publisher" if kind else None
    return Location(url, version=place.get("version"), license=place.get("license"), host=host) if url else None


def _limits(headers: Mapping[str, str]) -> Told:
    """The day's credits; they limit nothing while there is money on the account."""
    left, whole, reset = (header_number(headers, f"x-ratelimit-{name}") for name in ("remaining", "limit", "reset"))
    money = (header_number(headers, f"x-ratelimit-{name}") for name in ("prepaid-remaining-usd", "onetime-remaining"))
    if left is None or any(money):
        return Told()
    return Told(credits_left=int(left), credits_a_day=int(whole) if whole else None, credits_reset_s=reset)


handler = provider_handler(SPEC, search=search, read_limits=_limits)
