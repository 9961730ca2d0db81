"""OpenAlex's works as papers, as /works sends them: singly or in lists, whole or reduced by `select`.

Format: https://developers.openalex.org/api-reference/works
Any field may be null or missing. Abstracts come as an inverted index, identifiers as URLs, titles with markup; a list
of authors ends at the hundredth. A first of January mostly stands for an unknown day, and future years are invented.
A preprint may have the type article. Open copies occur three times: as a URL, as the best location, among all
locations.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from shared.bibliography.dates import known_date
from shared.bibliography.identifiers import (
    ARXIV_DOI,
    PMC_PAGE,
    Identifiers,
    arxiv_of_doi,
    read_arxiv,
    read_doi,
    read_openalex,
    read_pmcid,
    read_pmid,
)
from shared.bibliography.languages import language_code
from shared.bibliography.paper import (
    PAPER_TYPES,
    Author,
    Location,
    OpenAccess,
    Paper,
    Retraction,
    RetractionStatus,
    Version,
)
from shared.bibliography.paper_ids import id_texts
from shared.bibliography.person_names import read_name
from shared.bibliography.preprints import printed_number
from shared.bibliography.text import plain_text, plain_title
from shared.errors import BrokenRecord
from shared.json_types import read_count

# All that `read_paper` reads of a work, for `select`.
FIELDS = (
    "id", "doi", "title", "display_name", "publication_year", "publication_date", "ids", "language",
    "primary_location", "type", "open_access", "authorships", "cited_by_count", "biblio", "is_retracted",
    "is_paratext", "locations", "best_oa_location", "referenced_works", "abstract_inverted_index",
)  # fmt: skip
_TYPES = {
    "article": "journal-article", "book-review": "other", "grant": "other", "libguides": "other", "paratext": "other",
    "peer-review": "other", "reference-entry": "book-chapter", "retraction": "retraction-notice", "software": "other",
    "standard": "other", "supplementary-materials": "other",
}  # fmt: skip
_IN_CONTAINERS = frozenset(("proceedings-article", "book-chapter", "journal-article"))  # Crossref's types
_STATUS = {None: RetractionStatus.UNKNOWN, False: RetractionStatus.NONE, True: RetractionStatus.RETRACTED}
_AUTHORS_CUT = 100  # lists of authors end here
_PMC_PAGE = re.compile(rf"{PMC_PAGE}|europepmc\.org/(?:pmc/articles/|articles/(?=pmc))(?:pmc)?(\d+)", re.I)
_ABSTRACT_HEADING = re.compile(r"^(?:Abstract|ABSTRACT)[:.]? (?=[^a-z ])")


def read_paper(work: Mapping[str, Any], rank: int, latest_year: int) -> Paper:
    """One work as a paper; years after `latest_year` are ignored. Raises BrokenRecord without a title or an id."""
    place = work.get("primary_location") or {}
    pages = [at["landing_page_url"] for at in [place, *(work.get("locations") or [])] if at.get("landing_page_url")]
    ids = _identifiers(work, place.get("landing_page_url"), pages)
    title = plain_title(work.get("title") or work.get("display_name"))
    if not title or (work.get("id") and not ids.openalex):
        raise BrokenRecord(f"{work.get('id')} is not a work with a title")
    year, published = _published(work, latest_year)
    biblio = work.get("biblio") or {}
    ends = dict.fromkeys(filter(None, (biblio.get("first_page"), biblio.get("last_page"))))
    authorships = work.get("authorships") or []
    authors = tuple(author for author in map(_author, authorships) if author)
    source = place.get("source") or {}
    journal = plain_text(source.get("display_name") or _named_container(place))
    if journal and source.get("type") == "repository":  # "arXiv (Cornell University)"
        journal = journal.partition(" (")[0]
    preprints = () if ids.arxiv else dict.fromkeys(map(_arxiv_at, pages))
    cited = map(read_openalex, work.get("referenced_works") or [])
    return Paper(
        provider="openalex",
        rank=rank,
        title=title,
        ids=ids,
        authors=authors,
        author_count=len(authors) or None if len(authorships) < _AUTHORS_CUT else None,
        year=year,
        publication_date=published,
        journal=journal,
        volume=printed_number(biblio.get("volume")),
        issue=printed_number(biblio.get("issue")),
        pages=printed_number("-".join(ends)),
        type=_type(work, ids),
        language=language_code(work.get("language")),
        abstract=plain_text(_abstract(work.get("abstract_inverted_index"))),
        citation_count=work.get("cited_by_count"),
        open_access=_open_access(work),
        retraction=Retraction(_STATUS[work.get("is_retracted")]),
        versions=tuple(Version("preprint", arxiv=arxiv) for arxiv in preprints if arxiv),
        references=tuple(dict.fromkeys(f"openalex:{work_id}" for work_id in cited if work_id)),
        landing_page=place.get("landing_page_url"),
    )


def name_answers(papers: Sequence[Paper], names: Sequence[str]) -> list[Paper]:
    """Each paper once, in the order of the names, with `asked` = the names that it matches; others are dropped.

    On input, `asked` is the group of names of the request. A paper with none of these was merged with another work; it
    then matches the only unmatched name of the group, if there is just one.
    """
    known = {name.lower(): name for name in names}
    found: dict[Identifiers, Paper] = {}
    for group in dict.fromkeys(paper.asked for paper in papers):
        of_group = [paper for paper in papers if paper.asked == group]
        own = [{known[name.lower()] for name in id_texts(paper.ids) if name.lower() in known} for paper in of_group]
        left = set(group).difference(*own)
        not_requested = [answered for answered in own if not answered & set(group)]
        if len(left) == len(not_requested) == 1:
            not_requested[0].update(left)
        for paper, answered in zip(of_group, own, strict=True):
            answered.update(found[paper.ids].asked if paper.ids in found else ())
            if answered:
                asked = tuple(name for name in names if name in answered)
                found[paper.ids] = replace(paper, asked=asked, rank=names.index(asked[0]) + 1)
    return sorted(found.values(), key=lambda paper: paper.rank)


def _identifiers(work: Mapping[str, Any], primary: str | None, pages: Sequence[str]) -> Identifiers:
    """A PMCID is mostly in a landing page's URL only, there without its letters."""
    listed = work.get("ids") or {}
    doi = read_doi(work.get("doi") or listed.get("doi"))
    pmc = _PMC_PAGE.search(" ".join([listed.get("pmcid") or "", *pages]))
    pmcid = read_pmcid("PMC" + (pmc[1] or pmc[2])) if pmc else read_pmcid(listed.get("pmcid"))
    return Identifiers(
        doi=doi,
        pmid=read_pmid(listed.get("pmid")),
        pmcid=pmcid,
        arxiv=arxiv_of_doi(doi) or _arxiv_at(primary or ""),
        openalex=read_openalex(work.get("id")),
    )


def _arxiv_at(page: str) -> str | None:
    """The arXiv id of an address: of its page, or of its DOI's at doi.org or DataCite."""
    _, found, number = page.lower().partition(ARXIV_DOI)
    return read_arxiv(ARXIV_DOI + number if found else page)


def _published(work: Mapping[str, Any], latest_year: int) -> tuple[int | None, str | None]:
    """Year and date; none if the year is after `latest_year`, the year only for a first of January."""
    day = work.get("publication_date") or ""
    year = work.get("publication_year") or read_count(day[:4]) or 0
    if not 0 < year <= latest_year:
        return None, None
    return year, known_date(day, year)


def _named_container(place: Mapping[str, Any]) -> str | None:
    """What Crossref names, of a place that OpenAlex knows no source of, as of most proceedings without an ISSN.

    Repositories write anything there, and of posts and data sets it is the publisher.
    """
    return place.get("raw_source_name") if place.get("raw_type") in _IN_CONTAINERS else None


def _type(work: Mapping[str, Any], ids: Identifiers) -> str | None:
    type_ = "paratext" if work.get("is_paratext") else str(work.get("type"))
    kind = "preprint" if type_ == "article" and ids.arxiv else _TYPES.get(type_, type_)
    return kind if kind in PAPER_TYPES else None


def _author(authorship: Mapping[str, Any]) -> Author | None:
    """A name that begins with a comma is a misread affiliation."""
    name = plain_text((authorship.get("author") or {}).get("display_name") or authorship.get("raw_author_name"))
    return None if not name or name.startswith(",") else read_name(name)


def _abstract(index: Mapping[str, list[int]] | None) -> str | None:
    """The words in the order of their positions; positions may be missing or occur twice."""
    if not index:
        return None
    placed = sorted((position, word) for word, positions in index.items() for position in positions)
    return _ABSTRACT_HEADING.sub("", " ".join(word for _, word in placed))


def _open_access(work: Mapping[str, Any]) -> OpenAccess:
    """The best place comes first; it is not always among the others."""
    access = work.get("open_access") or {}
    best = work.get("best_oa_location") or {}
    places = [best, *(place for place in work.get("locations") or [] if place.get("is_oa"))]
    locations = tuple(dict.fromkeys(location for location in map(_location, places) if location))
    return OpenAccess(
        is_oa=access.get("is_oa"),
        url=access.get("oa_url") or (locations[0].url if locations else None),
        license=best.get("license") or None,
        locations=locations,
    )


def _location(place: Mapping[str, Any]) -> Location | None:
    """A location; None without a URL."""
    url = place.get("pdf_url") or place.get("landing_page_url")
    kind = (place.get("source") or {}).get("type")
    host = "repository" if kind == "repository" else "publisher" if kind else None
    version, rights = place.get("version") or None, place.get("license") or None
    return Location(url, version=version, license=rights, host=host) if url else None
