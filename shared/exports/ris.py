"""RIS, the tagged lines that reference managers import: `TAG  - value`, ended by CR LF as the format requires.

A value is one line, so that no text can begin a tag or end a record. An article number stands where the first page
would (`SP`), which every reader shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from shared.bibliography.paper import Author
from shared.bibliography.preprints import is_preprint_server
from shared.exports.citation_keys import citation_keys
from shared.exports.fields import (
    Results,
    authors_of,
    date_of,
    field_of,
    id_of,
    link_of,
    notes_of,
    pages_of,
    with_suffix,
)

if TYPE_CHECKING:
    from shared.answers.search import StoredPaper

RIS_TYPES = {
    "journal-article": "JOUR", "review": "JOUR", "editorial": "JOUR", "letter": "JOUR", "erratum": "JOUR",
    "retraction-notice": "JOUR", "clinical-trial": "JOUR", "preprint": "UNPB", "conference-paper": "CPAPER",
    "book": "BOOK", "book-chapter": "CHAP", "dissertation": "THES", "dataset": "DATA", "report": "RPRT",
    "systematic-review": "JOUR", "meta-analysis": "JOUR",
    "randomized-controlled-trial": "JOUR", "clinical-trial-registration": "RPRT",
}  # fmt: skip
# Of these, `journal` is who published them: a server, a university, a repository.
_PUBLISHED_BY = ("UNPB", "THES", "DATA", "RPRT", "BOOK")
_END = "\r\n"


def ris(results: Results) -> str:
    """One record for each paper, separated by empty lines."""
    records = (_record(paper, key) for paper, key in zip(results, citation_keys(results), strict=True))
    return _END.join(records)


def ris_type(paper: StoredPaper) -> str:
    """The record's type; a paper of unknown type is an article if it has a journal."""
    return RIS_TYPES.get(paper.get("type") or "", "JOUR" if field_of(paper, "journal") else "GEN")


def _record(paper: StoredPaper, key: str) -> str:
    return "".join(f"{tag}  - {value}{_END}" for tag, value in _lines(paper, key) if value is not None)


def _lines(paper: StoredPaper, key: str) -> Iterator[tuple[str, str | None]]:
    kind = ris_type(paper)
    published = date_of(paper)
    first, last = pages_of(paper)
    arxiv = id_of(paper, "arxiv")
    url = link_of(paper)
    yield "TY", kind
    yield "ID", key
    yield from (("AU", _name(author)) for author in authors_of(paper))
    yield "TI", field_of(paper, "title")
    yield "PB" if _names_publisher(paper, kind) else "T2", field_of(paper, "journal")
    yield "JO", field_of(paper, "journal") if kind == "JOUR" else None
    yield "VL", field_of(paper, "volume")
    yield "IS", field_of(paper, "issue")
    yield "SP", first
    yield "EP", last
    yield "PY", f"{published[0]:04d}" if published else None
    yield "DA", _date(published)
    yield "DO", id_of(paper, "doi")
    yield "AN", id_of(paper, "pmid") or (f"arXiv:{arxiv}" if arxiv else None)
    yield "C2", id_of(paper, "pmcid")
    # Readers part addresses at a semicolon.
    yield "UR", url.replace(";", "%3B") if url else None
    yield "LA", field_of(paper, "language")
    yield from (("N1", note) for note in notes_of(paper))
    yield "AB", field_of(paper, "abstract")
    yield "ER", ""


def _names_publisher(paper: StoredPaper, kind: str) -> bool:
    """Whether `journal` is who published the paper; a preprint may have the conference where it was presented."""
    journal = field_of(paper, "journal")
    return kind in _PUBLISHED_BY and (kind != "UNPB" or not journal or is_preprint_server(journal))


def _name(author: Author) -> str:
    """`Family, Given, Suffix`, or a group's name."""
    return ", ".join(part for part in with_suffix(author) if part)


def _date(published: tuple[int, ...]) -> str | None:
    """`2016/12/20/`, `2016/12//`, `2016///`: the slashes are always there."""
    if not published:
        return None
    parts = [f"{published[0]:04d}", *(f"{part:02d}" for part in published[1:]), "", ""]
    return "/".join([*parts[:3], ""])
