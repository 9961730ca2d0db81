"""arXiv's Atom entries as papers, from the old and the new API service.

Format: https://info.arxiv.org/help/api/user-manual.html (details of Atom results)
The id is an address with a version; title and summary are broken into lines; `arxiv:doi` is typed by the authors, so
it is the published article's, may have several, or none that is readable; `published` is the day of the first
version; a comment states a withdrawal.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element

from shared.bibliography.dates import is_partial_date
from shared.bibliography.identifiers import Identifiers, arxiv_of_doi, read_arxiv, read_doi
from shared.bibliography.paper import Location, OpenAccess, Paper, Retraction, RetractionStatus, Version
from shared.bibliography.person_names import read_name
from shared.bibliography.text import plain_text
from shared.errors import BrokenRecord
from shared.providers.records.arxiv_withdrawals import says_withdrawn

NAMESPACES = {
    "atom": "http://www.w3.org/2005/Atom",
    "arxiv": "http://arxiv.org/schemas/atom",
    "opensearch": "http://a9.com/-/spec/opensearch/1.1/",
}


def read_paper(entry: Element, rank: int) -> Paper:
    """The paper of an entry. Raises BrokenRecord without a title or an arXiv id."""
    arxiv_id, title = read_arxiv(read_text(entry, "atom:id")), read_text(entry, "atom:title")
    if not arxiv_id or not title:
        raise BrokenRecord(f"arXiv {arxiv_id} has no title" if arxiv_id else "the entry is not a paper of arXiv")
    authors = tuple(
        author
        for author in (read_name(read_text(person, "atom:name")) for person in entry.findall("atom:author", NAMESPACES))
        if author
    )
    submitted = _day(read_text(entry, "atom:published"))
    links = {link.get("title") or link.get("rel"): link.get("href") for link in entry.findall("atom:link", NAMESPACES)}
    return Paper(
        provider="arxiv",
        rank=rank,
        title=title,
        ids=Identifiers(arxiv=arxiv_id),
        authors=authors,
        author_count=len(authors) or None,
        year=int(submitted[:4]) if submitted else None,
        publication_date=submitted,
        journal="arXiv",
        type="preprint",
        abstract=read_text(entry, "atom:summary"),
        open_access=_open_access(links.get("pdf")),
        retraction=_retraction(entry),
        versions=_versions(entry),
        landing_page=links.get("alternate") or f"https://arxiv.org/abs/{arxiv_id}",
    )


def read_text(parent: Element, path: str) -> str | None:
    """The plain text under a path with prefixes, `opensearch:totalResults`; None when there is none."""
    return plain_text(parent.findtext(path, namespaces=NAMESPACES))


def _day(moment: str | None) -> str | None:
    return moment[:10] if moment and is_partial_date(moment[:10]) else None


def _versions(entry: Element) -> tuple[Version, ...]:
    """The published article: the first readable one of the DOIs that the authors typed."""
    typed = (read_text(entry, "arxiv:doi") or "").split()
    dois = [doi for doi in map(read_doi, typed) if doi and not arxiv_of_doi(doi)]
    return (Version("published", doi=dois[0], journal=read_text(entry, "arxiv:journal_ref")),) if dois else ()


def _retraction(entry: Element) -> Retraction:
    """The withdrawal, which is the last version."""
    if not says_withdrawn(read_text(entry, "arxiv:comment") or "", read_text(entry, "atom:summary") or ""):
        return Retraction()
    return Retraction(RetractionStatus.RETRACTED, date=_day(read_text(entry, "atom:updated")))


def _open_access(pdf: str | None) -> OpenAccess:  # a withdrawn paper may have no file any more
    copies = (Location(pdf, version="submittedVersion", host="repository"),) if pdf else ()
    return OpenAccess(is_oa=True if pdf else None, url=pdf, locations=copies)
