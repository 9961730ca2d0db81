"""The fields that every format writes: authors, date, pages, links and retraction status, as plain single-line text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Literal
from urllib.parse import quote

from shared.bibliography.characters import CONTROLS, SURROGATES, pattern_of
from shared.bibliography.identifiers import Identifiers, citation_uri
from shared.bibliography.paper import Author, RetractionStatus
from shared.bibliography.person_names import read_name, without_suffix

if TYPE_CHECKING:
    from shared.answers.paper_parts import OpenAccess
    from shared.answers.search import ExternalIds, Paper, Retraction, StoredPaper

Results = Sequence["StoredPaper"]
URN = "urn:x-literature-search:"  # begins the names of what has no address

_RETRACTION_LABELS = {"retracted": "Retracted", "corrected": "Corrected", "concern": "Expression of concern"}
_UNFIT = re.compile(f"[{pattern_of(CONTROLS | SURROGATES)}]")
_DATE = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?")
# Hyphens and dashes of every length.
_PAGES = re.compile(r"([^\s,;\u2010-\u2015\u2212-]+)\s*[\u2010-\u2015\u2212-]\s*([^\s,;\u2010-\u2015\u2212-]+)")
_NUMBERED = re.compile(r"(\D*)(\d+)")
_URL_CHARACTERS = "%/:;?#[]@!$&'()*+,=-._~"


def one_line(text: object) -> str | None:
    """The value as text without line breaks, control characters and halves of characters; None when nothing is left."""
    if text is None:
        return None
    words = unicodedata.normalize("NFC", str(text)).split()
    return " ".join(_UNFIT.sub("", " ".join(words)).split()) or None


def field_of(paper: StoredPaper, name: str) -> str | None:
    """A field of the paper as one line."""
    return one_line(paper.get(name))


def id_of(paper: StoredPaper, name: str) -> str | None:
    """One of the paper's `external_ids`, by its name there."""
    ids: ExternalIds | None = paper.get("external_ids")
    return one_line(ids.get(name)) if ids else None


def open_access_of(paper: StoredPaper) -> OpenAccess:
    """Its open access; empty if the paper does not have the field."""
    return paper.get("open_access") or _NO_OPEN_ACCESS


def retraction_of(paper: Paper) -> Retraction:
    """Its retraction status; unknown if the paper does not have the field."""
    return paper.get("retraction") or _NO_RETRACTION


def authors_of(paper: StoredPaper) -> list[Author]:
    """The authors as persons and groups.

    The names come from `author_parts` if the paper has them. Otherwise each is split by its form: the last word, with
    its particles, is the family name. That is right for most persons, but never for a family name of two words.
    """
    parts = paper.get("author_parts")
    if parts is None:
        read = [read_name(one_line(name)) for name in paper.get("authors") or ()]
    else:
        read = [_author(*(one_line(part.get(name)) for name in ("family", "given", "name"))) for part in parts]
    return [author for author in read if author]


def _author(family: str | None, given: str | None, name: str | None) -> Author | None:
    """An author of these parts; a given name alone is used as the whole name."""
    if family and not name:
        return Author(family=family, given=given)
    return Author(name=name or given) if name or given else None


def with_suffix(author: Author) -> tuple[str, str | None, str | None]:
    """A person's (family name, given name, suffix): `King Jr.` is a family name and its suffix."""
    family, suffix = without_suffix(author.family) if author.family else (author.display, None)
    return family, author.given, suffix


def has_more_authors(paper: Paper) -> bool:
    """Whether the paper has more authors than are listed."""
    return (paper.get("author_count") or 0) > len(paper.get("authors") or ())


def date_of(paper: StoredPaper) -> tuple[int, ...]:
    """(year, month, day), as far as known. A date in another year than the paper's is left out."""
    year = paper.get("year")
    found = _DATE.fullmatch(paper.get("publication_date") or "")
    known = [int(part) for part in found.groups() if part] if found else []
    if year is not None and known[:1] != [year]:
        return (year,)
    try:
        date(*[*known, 1, 1][:3])
    except (TypeError, ValueError):
        return tuple(known[:1])
    return tuple(known)


def pages_of(paper: StoredPaper) -> tuple[str | None, str | None]:
    """The first and the last page, `1676-87` as 1676 and 1687; an article number, or a list, is a first page."""
    pages = field_of(paper, "pages")
    found = _PAGES.fullmatch(pages or "")
    if not found:
        return pages, None
    first, last = found.groups()
    start = _NUMBERED.fullmatch(first)
    if start and last.isdecimal() and len(last) < len(start[2]):
        last = start[1] + start[2][: -len(last)] + last
    return first, None if last == first else last


def link_of(paper: StoredPaper) -> str | None:
    """The paper's citation URI."""
    return web_address(paper.get("citation_uri"))


def web_address(url: str | None) -> str | None:
    """The address in ASCII if it is an HTTP URL; None otherwise (`javascript:` and the like)."""
    text = one_line(url)
    if not text or not text.lower().startswith(("https://", "http://")):
        return None
    return quote(text, safe=_URL_CHARACTERS)


def is_open(paper: StoredPaper) -> Literal["yes", "no"] | None:
    """Whether a free copy exists; None if no source states it."""
    is_oa = open_access_of(paper).get("is_oa")
    return None if is_oa is None else "yes" if is_oa else "no"


def retraction_note(paper: Paper) -> str | None:
    """`Retracted (2020-05-05); notice: https://doi.org/10.1000/x`; None if the paper has no such flag."""
    retraction = retraction_of(paper)
    label = _RETRACTION_LABELS.get(retraction["status"])
    if not label:
        return None
    when = one_line(retraction.get("date"))
    doi, pmid = one_line(retraction.get("notice_doi")), one_line(retraction.get("notice_pmid"))
    notice = citation_uri(Identifiers(doi=doi, pmid=pmid))
    return label + (f" ({when})" if when else "") + (f"; notice: {notice}" if notice else "")


def notes_of(paper: Paper) -> list[str]:
    """What a reader must know and no other field states: the retraction status, and that authors are missing."""
    missing = None
    if has_more_authors(paper):
        missing = f"{len(paper.get('authors') or ())} of {paper['author_count']} authors are named here."
    return [note for note in (retraction_note(paper), missing) if note]


_NO_OPEN_ACCESS: OpenAccess = {"is_oa": None, "url": None, "license": None, "locations": []}
_NO_RETRACTION: Retraction = {"status": RetractionStatus.UNKNOWN}
