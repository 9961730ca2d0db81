"""DBLP's records as papers, as its search sends them in JSON.

Format: https://dblp.org/faq/13501473.html. What occurs once is a text or an object, what occurs twice a list: authors,
venues, links. Titles end with a full stop and carry entities. People of one name are numbered (`Wei Wang 0001`), and
so are the volumes of proceedings (`ACL (1)`). A preprint of arXiv is an article of the journal CoRR.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from shared.bibliography.identifiers import Identifiers, arxiv_of_doi, read_arxiv, read_doi
from shared.bibliography.paper import Author, Location, OpenAccess, Paper
from shared.bibliography.person_names import read_name
from shared.bibliography.text import plain_text, without_full_stop
from shared.errors import BrokenRecord
from shared.json_types import read_count

_TYPES = {
    "Journal Articles": "journal-article", "Conference and Workshop Papers": "conference-paper",
    "Parts in Books or Collections": "book-chapter", "Reference Works": "book-chapter", "Editorship": "other",
    "Data and Artifacts": "dataset",
}  # fmt: skip
_BOOKS = "Books and Theses"
_THESES = ("phd/", "ms/")
_NUMBER = re.compile(r" \d{4}$")
_PART = re.compile(r" \(\d{1,3}\)$")
_ARXIV_JOURNAL = "CoRR"


def read_paper(hit: Mapping[str, Any], rank: int) -> Paper:
    """One hit as a paper. Raises BrokenRecord without a title."""
    info = hit["info"]
    title = plain_text(info.get("title"))
    if not title or title == ".":
        raise BrokenRecord(f"DBLP's {info.get('key')} has no title")
    links = [link for link in _several(info.get("ee")) if isinstance(link, str)]
    doi = read_doi(info.get("doi")) or next(
        (doi for link in links if "doi.org/" in link and (doi := read_doi(link))), None
    )
    arxiv = arxiv_of_doi(doi) or next(
        (name for link in links if "arxiv.org/" in link and (name := read_arxiv(link))), None
    )
    people = _several((info.get("authors") or {}).get("author"))
    authors = tuple(author for author in map(_author, people) if author)
    venue = plain_text(next((it for it in _several(info.get("venue")) if isinstance(it, str)), None))
    is_preprint = venue == _ARXIV_JOURNAL  # others may link to a copy at arXiv
    year = read_count(info.get("year")) or None
    return Paper(
        provider="dblp",
        rank=rank,
        title=without_full_stop(title),
        ids=Identifiers(doi=doi, arxiv=arxiv),
        authors=authors,
        author_count=len(authors) or None,
        year=year,
        publication_date=str(year) if year else None,
        journal="arXiv" if is_preprint else _PART.sub("", venue) if venue else None,
        volume=None if is_preprint else plain_text(info.get("volume")),
        issue=plain_text(info.get("number")),
        pages=plain_text(info.get("pages")),
        type="preprint" if is_preprint else _type(info),
        open_access=_open_access(info, links),
        landing_page=info.get("url") or None,
    )


def _several(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _author(entry: Mapping[str, Any] | str) -> Author | None:
    name = plain_text(entry if isinstance(entry, str) else entry.get("text"))
    return read_name(_NUMBER.sub("", name)) if name else None


def _type(info: Mapping[str, Any]) -> str | None:
    """Books and theses share a type; their keys tell them apart. What is informal may be anything."""
    if info.get("type") == _BOOKS:
        return "dissertation" if str(info.get("key")).startswith(_THESES) else "book"
    return _TYPES.get(str(info.get("type")))


def _open_access(info: Mapping[str, Any], links: list[str]) -> OpenAccess:
    """Open if the linked copy is; a closed one says nothing about other copies."""
    if info.get("access") != "open":
        return OpenAccess()
    url = next(iter(links), None)
    return OpenAccess(True, url, None, (Location(url),) if url else ())
