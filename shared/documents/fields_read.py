"""Fields in the normal form that every format shares: years, pages, names and ids."""

from __future__ import annotations

import re

from shared.bibliography.identifiers import ARXIV_DOI, read_arxiv, read_doi, read_pmid
from shared.bibliography.paper import MAX_AUTHORS, Author
from shared.bibliography.reference_text import Mention, read_references
from shared.documents.bounds import MAX_VALUE_CHARS
from shared.documents.document import EntryFields
from shared.references.citation_text import MAX_CHARS, read_citation
from shared.references.names_in_citation import read_author

YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_DASHES = re.compile(r"\s{0,3}[-\u2010-\u2015\u2212]{1,3}\s{0,3}")
_ISSUE = re.compile(
    r"(?<!\d)\d{1,4}\s?\(((?!(?:1[5-9]|20)\d\d\))\d{1,4}(?:[-–/]\d{1,4})?)\)|\bno\.? ?(\d{1,4})\b", re.I
)
_ARXIV_PREFIX = ARXIV_DOI.partition("/")[0]
_SPACE = re.compile(r"\s+")
# PubMed as programs name it where a record came from; EBSCO's codes of MEDLINE are the last ones.
_PUBMED = re.compile(r"pubmed|medline|national library of medicine|\b(?:nlm|ncbi|c?medm|mnh|mdc)\b", re.I)


def one_line(text: str | None) -> str | None:
    """The text with white space evened, at most MAX_VALUE_CHARS of it; None when nothing is left."""
    return _SPACE.sub(" ", text[:MAX_VALUE_CHARS]).strip() or None if text else None


def read_year(text: str | None) -> int | None:
    """The first year in a date of any form."""
    found = YEAR.search(text or "")
    return int(found[0]) if found else None


def read_pages(text: str | None) -> str | None:
    """`123--130`, `123 – 130` as `123-130`; `123-+`, Web of Science's for "and following pages", as `123`."""
    return one_line(_DASHES.sub("-", text[:200]).removesuffix("+").removesuffix("-")) if text else None


def accession_as_pmid(number: str, databases: str) -> str | None:
    """An accession number if it is PubMed's: a number, of a record that names no other database."""
    is_pubmed = number.isdecimal() and (not databases.strip() or _PUBMED.search(databases))
    return number if is_pubmed else None


def ids_in(text: str) -> tuple[str | None, str | None, str | None]:
    """The first DOI, PMID and arXiv id in a text; an arXiv id that is written as a DOI is a DOI too, after others."""
    found: dict[str, str] = {}
    mentions = read_references(text[:MAX_VALUE_CHARS])
    for mention in mentions:
        found.setdefault(mention.kind, mention.id)
    doi = found.get("doi") or next(filter(None, map(doi_of, mentions)), None)
    return doi, found.get("pmid"), found.get("arxiv")


def doi_of(mention: Mention) -> str | None:
    """The DOI that stands there, arXiv's own too, which are read as the ids in them; None for any other id."""
    if mention.kind == "arxiv" and _ARXIV_PREFIX in mention.text:
        return f"{ARXIV_DOI}{mention.id}"
    return mention.id if mention.kind == "doi" else None


def read_ids(doi: str | None, pmid: str | None, arxiv: str | None, *others: str | None) -> dict[str, str | None]:
    """The ids of these fields; what they do not state is looked for in other fields, such as addresses and notes."""
    in_doi = ids_in(doi) if doi else (None, None, None)
    elsewhere = ids_in("\n".join(other for other in others if other))
    return {
        "doi": read_doi(doi) or in_doi[0] or elsewhere[0],
        "pmid": read_pmid(pmid) or elsewhere[1],
        "arxiv": read_arxiv(arxiv) or in_doi[2] or elsewhere[2],
    }


def read_printed(line: str) -> EntryFields:
    """The fields of a printed reference, as far as they are recognised."""
    line = line[:MAX_CHARS]
    citation = read_citation(line)
    doi, pmid, arxiv = ids_in(line)
    issue = _ISSUE.search(line)
    return EntryFields(
        title=citation.title,
        authors=tuple(author for name in citation.authors[:MAX_AUTHORS] if (author := read_author(name))),
        year=citation.year,
        journal=citation.journal,
        volume=citation.volume,
        issue=(issue[1] or issue[2]) if issue else None,
        pages=citation.pages,
        doi=doi,
        pmid=pmid,
        arxiv=arxiv,
    )


def inverted(author: Author) -> str:
    """`Family, Given`, or a group's name."""
    return f"{author.family}, {author.given}" if author.family and author.given else author.display


def last_page(pages: str) -> tuple[str, str | None]:
    """The first and the last page; a single page or an article number has no last one."""
    first, dash, last = pages.partition("-")
    return (first, last) if dash and last else (pages, None)
