"""The references of a work as its publisher deposited them with Crossref: full descriptions, ids or mere numbers.

Format: https://github.com/CrossRef/rest-api-doc/blob/master/api_format.md (reference)
Oddities: many entries are a DOI alone, matched by Crossref, or a line of text alone; the author is the first one, with
initials before or after or without; a year may be 0. `volume-title` holds the title of a chapter or of a book.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from shared.bibliography.group_authors import is_group
from shared.bibliography.identifiers import Identifiers, arxiv_of_doi, read_doi
from shared.bibliography.name_patterns import initials
from shared.bibliography.paper import MAX_LINE_CHARS, Author, Paper, Pointer
from shared.bibliography.person_names import read_name
from shared.bibliography.reference_text import distinct_ids, read_references
from shared.bibliography.text import plain_text, plain_title

_YEAR = re.compile(r"(?<!\d)(?:1[4-9]|20)\d\d(?!\d)")
_INITIALS_LAST = re.compile(rf"(?P<family>.*\w[\w'’-]+) (?P<given>{initials(4)})")
MAX_NAME_CHARS = 1_000  # the pattern above takes quadratic time
_CONTAINERS = ("journal-title", "volume-title", "series-title")


def read_cited(entry: Any, rank: int) -> Paper | Pointer | None:
    """One reference: a paper if it has a title, else a pointer with its ids or its line of text; None without either.

    `rank` is its place in the list. Ids are read from the line of text only if the entry has no DOI.
    """
    if not isinstance(entry, Mapping):
        return None
    line = (_text(entry, "unstructured") or "")[:MAX_LINE_CHARS]
    ids = _ids(_text(entry, "DOI"), line)
    title = plain_title(_text(entry, "article-title")) or _text(entry, "volume-title")
    if not title:
        text = line or _line(entry)
        return Pointer(rank, ids, text) if text or ids != Identifiers() else None
    author, year = read_author(_text(entry, "author")), _year(entry)
    return Paper(
        provider="crossref", rank=rank, title=title, ids=ids, authors=(author,) if author else (), year=year,
        publication_date=str(year) if year else None, journal=_container(entry, title), volume=_text(entry, "volume"),
        issue=_text(entry, "issue"), pages=_text(entry, "first-page"),
    )  # fmt: skip


def read_author(text: str | None) -> Author | None:
    """`Buckwalter JA`, `D. C. Engelbart`, a group, or `Todd`, which is a family name; None without a name."""
    name = " ".join((text or "").split())
    found = _INITIALS_LAST.fullmatch(name) if len(name) <= MAX_NAME_CHARS else None
    if found and not is_group(name):
        return Author(family=found["family"].rstrip(","), given=found["given"])
    return Author(family=name) if name and " " not in name else read_name(name)


def _text(entry: Mapping[str, Any], name: str) -> str | None:
    value = entry.get(name)
    return plain_text(str(value)) if value is not None else None


def _ids(doi_text: str | None, line: str) -> Identifiers:
    """The entry's DOI; without one the ids in its text, if there is at most one of each scheme."""
    doi = read_doi(doi_text)
    if doi:
        return Identifiers(doi=doi, arxiv=arxiv_of_doi(doi))
    named = distinct_ids(read_references(line))
    found = dict(named)
    return Identifiers(**found) if len(found) == len(named) else Identifiers()


def _year(entry: Mapping[str, Any]) -> int | None:
    """`1999a` -> 1999; `0` -> None."""
    found = _YEAR.search(_text(entry, "year") or "")
    return int(found[0]) if found else None


def _container(entry: Mapping[str, Any], title: str | None) -> str | None:
    """The journal, or the book or series that contains the work with this title."""
    return next((name for key in _CONTAINERS if (name := _text(entry, key)) and name != title), None)


def _line(entry: Mapping[str, Any]) -> str | None:
    """`Todd. Drugs. 1990;40(1):91`, from the fields that exist; None without an author and a journal."""
    author, container, issue = _text(entry, "author"), _container(entry, None), _text(entry, "issue")
    if not author and not container:
        return None
    volume, page, year = _text(entry, "volume"), _text(entry, "first-page"), _year(entry)
    place = f"{year or ''}{f';{volume}' if volume else ''}{f'({issue})' if issue else ''}{f':{page}' if page else ''}"
    return ". ".join(part for part in (author, container, place) if part)
