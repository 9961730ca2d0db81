"""CORE's works as papers: what thousands of repositories hold of a paper, joined to one record.

Format: https://api.core.ac.uk/docs/v3#tag/Works and recorded answers. Empty texts stand for missing ones. Repositories
state what they like, so a year or day that no paper can have is missing, as is a first of January. The summaries that
come from arXiv end with the authors' comment. The citation counts are of a service that ended in 2021, mostly 0: they
are left out. A work may state the licence of its copy; a copy without one is open to readers, which does not let others
show its text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from shared.bibliography.dates import FIRST_YEAR, LAST_YEAR, is_partial_date, known_date
from shared.bibliography.identifiers import Identifiers, arxiv_of_doi, read_arxiv, read_doi, read_pmid
from shared.bibliography.languages import language_code
from shared.bibliography.licences import read_licence
from shared.bibliography.paper import Location, OpenAccess, Paper
from shared.bibliography.person_names import read_name
from shared.bibliography.text import plain_text
from shared.errors import BrokenRecord

_TYPES = {"thesis": "dissertation"}  # `research`, `presentation` and `unknown` say too little
_COMMENT = re.compile(r"Comment: ")


def read_paper(work: Mapping[str, Any], rank: int) -> Paper:
    """The paper of a work. Raises BrokenRecord without a title or a number."""
    title, number = plain_text(work.get("title")), work.get("id")
    if not title or not number:
        raise BrokenRecord(f"CORE's work {number} has no title" if number else "CORE sent a work without a number")
    authors = tuple(filter(None, (read_name(_name(it)) for it in work.get("authors") or ())))
    ids = _ids(work)
    year, day = _published(work)
    return Paper(
        provider="core",
        rank=rank,
        title=title,
        ids=ids,
        authors=authors,
        author_count=len(authors) or None,
        year=year,
        publication_date=day,
        journal=_journal(work),
        type=_TYPES.get(str(work.get("documentType"))),
        language=language_code((work.get("language") or {}).get("code")),
        abstract=_abstract(work, ids),
        open_access=_open_access(work),
        landing_page=f"https://core.ac.uk/works/{number}",
    )


def _name(author: Any) -> str | None:
    """Mostly `{"name": …}`; older records have the name alone."""
    return plain_text(author if isinstance(author, str) else author.get("name"))


def _ids(work: Mapping[str, Any]) -> Identifiers:
    """The ids; of a work without its own DOI or arXiv id, those of its repositories."""
    others = {it.get("type"): it.get("identifier") for it in work.get("identifiers") or () if isinstance(it, Mapping)}
    doi = read_doi(work.get("doi") or others.get("DOI"))
    arxiv = read_arxiv(work.get("arxivId") or others.get("ARXIV_ID")) or arxiv_of_doi(doi)
    return Identifiers(doi=doi, arxiv=arxiv, pmid=read_pmid(work.get("pubmedId") or others.get("PUBMED_ID")))


def _published(work: Mapping[str, Any]) -> tuple[int | None, str | None]:
    stated = work.get("yearPublished")
    day = str(work.get("publishedDate") or "")[:10]
    valid = day if is_partial_date(day) else None
    year = stated if isinstance(stated, int) and FIRST_YEAR <= stated <= LAST_YEAR else None
    year = year or (int(valid[:4]) if valid else None)
    return year, known_date(valid, year)


def _journal(work: Mapping[str, Any]) -> str | None:
    titles = (it.get("title") for it in work.get("journals") or () if isinstance(it, Mapping))
    return next((title for it in titles if (title := plain_text(it))), None)


def _abstract(work: Mapping[str, Any], ids: Identifiers) -> str | None:
    text = plain_text(work.get("abstract"))
    return _COMMENT.split(text, maxsplit=1)[0].strip() or None if text and ids.arxiv else text


def _open_access(work: Mapping[str, Any]) -> OpenAccess:
    """Open if a copy can be downloaded; otherwise unknown, since CORE also has records without a copy."""
    links = (it.get("url") for it in work.get("links") or () if it.get("type") == "download")
    url = next((url for url in (work.get("downloadUrl"), *links) if url), None)
    if not url:
        return OpenAccess()
    licence = read_licence(work.get("license"))
    return OpenAccess(is_oa=True, url=url, license=licence, locations=(Location(url, None, licence, "repository"),))
