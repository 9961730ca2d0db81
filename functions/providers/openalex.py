"""OpenAlex: 250 million works of all disciplines, with open-access locations, retractions and references.

Manual: https://developers.openalex.org/api-reference/works
Limits: a key is needed for real use since 2026-02; a day's allowance in dollars, 0.001 a search; 100 requests/s.
Oddities: abstracts come as an inverted index, identifiers as URLs, titles with markup; a spent allowance is a 429
with a Retry-After of many hours; a 404 is HTML. A journal is filtered by its OpenAlex id, so its name costs one
more call.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shared.aws.provider_lambda import provider_handler
from shared.errors import BadResponse, BrokenRecord
from shared.http_client import Client
from shared.identifiers import Identifiers, arxiv_of_doi, read_doi, read_openalex, read_pmcid, read_pmid
from shared.paper import Author, Location, OpenAccess, Paper, Retraction, RetractionStatus
from shared.provider import Page, ProviderSpec, translate
from shared.query import Query
from shared.query_syntax import render
from shared.text import plain_text

SPEC = ProviderSpec(
    name="openalex",
    title="OpenAlex",
    manual="https://developers.openalex.org/api-reference/works",
    base_url="https://api.openalex.org",
    family="crossref",  # OpenAlex ingests Crossref whole
    filters=frozenset({
        "date", "journal", "author", "open_access", "min_citations", "publication_types", "exclude_preprints",
        "exclude_retracted", "operators",
    }),
    sorts=frozenset({"relevance", "citations", "date"}),
    page_limit=100,
    requests_per_second=10.0,
)  # fmt: skip

_SORTS = {
    "relevance": "relevance_score:desc",
    "citations": "cited_by_count:desc",
    "date": "publication_date:desc",
}
# Our type -> OpenAlex's, and back; OpenAlex calls a journal article and a conference paper both "article".
_TYPES = {
    "journal-article": "article", "conference-paper": "conference-paper", "retraction-notice": "retraction",
    "clinical-trial": "article",
}  # fmt: skip
_OUR_TYPES = {
    "article": "journal-article", "retraction": "retraction-notice", "conference-paper": "conference-paper",
    "reference-entry": "book-chapter", "paratext": "other", "standard": "other", "libguides": "other",
    "peer-review": "other", "supplementary-materials": "other", "software": "other", "grant": "other",
}  # fmt: skip
_MAX_SOURCES = 25


def search(query: Query, client: Client) -> Page:
    """Ask /works (and /sources first, when a journal is named), then translate."""
    filters = _filters(query)
    if query.journal:
        sources = _source_ids(query.journal, client)
        if not sources:
            return Page(
                papers=(),
                total=0,
                effective_query="",
                warnings=[f"OpenAlex knows no journal like {query.journal!r}"],
            )
        filters.append("primary_location.source.id:" + "|".join(sources))
    params = {
        "search": render(query.node, words=_without_wildcards, phrase=lambda text: f'"{text}"'),
        "sort": _SORTS[query.sort],
        "per_page": min(query.limit, SPEC.page_limit),
    }
    if filters:
        params["filter"] = ",".join(filters)
    works, total = _works(client.get_json("/works", params, **_key(client)))
    papers, warnings = translate(works, _paper)
    asked = f"search={params['search']}" + (f"&filter={params['filter']}" if filters else "")
    return Page(papers=papers, total=total, effective_query=asked, warnings=warnings)


def _key(client: Client) -> dict[str, str]:
    return {"authorization": f"Bearer {client.key}"} if client.key else {}


def _without_wildcards(text: str) -> str:
    return text.translate(str.maketrans("*?~", "   ")).strip()


def _filter_value(text: str) -> str:
    """Commas, pipes and colons are the filter language's own."""
    return " ".join(text.translate(str.maketrans(",|:!", "    ")).split())


def _filters(query: Query) -> list[str]:
    found = []
    if query.first_day:
        found.append(f"from_publication_date:{query.first_day.isoformat()}")
    if query.last_day:
        found.append(f"to_publication_date:{query.last_day.isoformat()}")
    if query.author:
        found.append(f"raw_author_name.search:{_filter_value(query.author)}")
    if query.open_access:
        found.append("open_access.is_oa:true")
    if query.min_citations:
        found.append(f"cited_by_count:>{query.min_citations - 1}")
    if query.publication_types:
        found.append("type:" + "|".join(dict.fromkeys(_TYPES.get(kind, kind) for kind in query.publication_types)))
    if query.exclude_preprints:
        found.append("type:!preprint")
    if query.exclude_retracted:
        found.append("is_retracted:false")
    return found


def _source_ids(journal: str, client: Client) -> list[str]:
    found = client.get_json("/sources", {"search": journal, "per_page": _MAX_SOURCES}, **_key(client))
    if not isinstance(found, Mapping) or not isinstance(found.get("results"), list):
        raise BadResponse("OpenAlex's list of journals is not in the promised form")
    return [str(source["id"]).rpartition("/")[2] for source in found["results"]]


def _works(body: Any) -> tuple[list[Any], int | None]:
    """The works of a list or of a single-work answer, and how many there are in all."""
    if isinstance(body, Mapping) and isinstance(body.get("results"), list):
        count = (body.get("meta") or {}).get("count")
        return body["results"], count if isinstance(count, int) else None
    if isinstance(body, Mapping) and "error" not in body and ("id" in body or "doi" in body):
        return [body], 1
    raise BadResponse("OpenAlex answered without a list of works")


def _paper(work: Mapping[str, Any], rank: int) -> Paper:
    openalex_id = read_openalex(work.get("id"))
    if work.get("id") and not openalex_id:
        raise BrokenRecord(f"{work['id']} is no work of OpenAlex")
    title = plain_text(work.get("title") or work.get("display_name"))
    if not title:
        raise BrokenRecord(f"OpenAlex {openalex_id} has no title")
    ids = work.get("ids") or {}
    doi = read_doi(work.get("doi") or ids.get("doi"))
    biblio = work.get("biblio") or {}
    place = work.get("primary_location") or {}
    authorships = work.get("authorships") or []
    return Paper(
        provider=SPEC.name,
        rank=rank,
        title=title,
        ids=Identifiers(
            doi=doi,
            pmid=read_pmid(ids.get("pmid")),
            pmcid=read_pmcid(ids.get("pmcid")),
            arxiv=arxiv_of_doi(doi),
            openalex=openalex_id,
        ),
        authors=tuple(author for author in map(_author, authorships) if author),
        author_count=len(authorships) if len(authorships) < 100 else None,  # lists are cut at 100
        year=work.get("publication_year"),
        publication_date=work.get("publication_date"),
        journal=plain_text((place.get("source") or {}).get("display_name")),
        volume=biblio.get("volume"),
        issue=biblio.get("issue"),
        pages=_pages(biblio.get("first_page"), biblio.get("last_page")),
        type=_OUR_TYPES.get(work.get("type") or "", work.get("type")),
        language=work.get("language"),
        abstract=plain_text(_abstract(work.get("abstract_inverted_index"))),
        citation_count=work.get("cited_by_count"),
        open_access=_open_access(work),
        retraction=_retraction(work.get("is_retracted")),
        landing_page=place.get("landing_page_url"),
    )


def _author(authorship: Mapping[str, Any]) -> Author | None:
    name = plain_text((authorship.get("author") or {}).get("display_name") or authorship.get("raw_author_name"))
    if not name or name.startswith(","):  # an affiliation that was taken for an author
        return None
    given, _, family = name.rpartition(" ")
    return Author(family=family, given=given) if given else Author(name=name)


def _pages(first: str | None, last: str | None) -> str | None:
    return f"{first}-{last}" if first and last and first != last else first or None


def _abstract(index: Mapping[str, list[int]] | None) -> str | None:
    """Words put back at their positions; positions may be skipped or taken twice."""
    if not index:
        return None
    placed = sorted((position, word) for word, positions in index.items() for position in positions)
    text = " ".join(word for _, word in placed)
    return text.removeprefix("Abstract ").removeprefix("ABSTRACT ") or None


def _retraction(flag: bool | None) -> Retraction:
    if flag is None:
        return Retraction()
    return Retraction(RetractionStatus.RETRACTED if flag else RetractionStatus.NONE)


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
    return Location(
        url=url,
        version=place.get("version"),
        license=place.get("license"),
        host="repository" if kind == "repository" else "publisher" if kind else None,
    ) if url else None  # fmt: skip


handler = provider_handler(SPEC, search=search)
