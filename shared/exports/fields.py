"""What every format tells of a result: its people, date, pages, links and standing, read once for all writers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any
from urllib.parse import quote

from shared.bibliography.characters import CONTROLS, SURROGATES, pattern_of
from shared.bibliography.identifiers import Identifiers, citation_uri
from shared.bibliography.paper import Author
from shared.bibliography.person_names import read_name

# A result in full, as `shared.search.page.result_of` and `unranked` make it.
Result = Mapping[str, Any]
Results = Sequence[Result]

STANDINGS = {"retracted": "Retracted", "corrected": "Corrected", "concern": "Expression of concern"}
_UNFIT = re.compile(f"[{pattern_of(CONTROLS | SURROGATES)}]")
_SUFFIX = re.compile(r"(?P<family>.*\S) (?P<suffix>[JS]r\.?|I{2,3}|IV)")
_DATE = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?")
# Hyphens and dashes of every length.
_PAGES = re.compile(r"([^\s,;\u2010-\u2015\u2212-]+)\s*[\u2010-\u2015\u2212-]\s*([^\s,;\u2010-\u2015\u2212-]+)")
_NUMBERED = re.compile(r"(\D*)(\d+)")
_URL_CHARACTERS = "%/:;?#[]@!$&'()*+,=-._~"


def one_line(text: Any) -> str | None:
    """The text without line breaks, control characters and halves of characters; None when nothing is left."""
    if text is None:
        return None
    words = unicodedata.normalize("NFC", str(text)).split()
    return " ".join(_UNFIT.sub("", " ".join(words)).split()) or None


def field_of(result: Result, name: str) -> str | None:
    """A field of the result as one line."""
    return one_line(result.get(name))


def id_of(result: Result, name: str) -> str | None:
    """One of the result's `external_ids` (named as the fields of `shared.bibliography.identifiers.Identifiers`)."""
    return one_line((result.get("external_ids") or {}).get(name))


def authors_of(result: Result) -> list[Author]:
    """The authors as persons and groups.

    A result may hold them in parts, as `author_parts`: [{"family", "given", "name"}]. Where it has only the names
    that are shown, the last word is the family name, with its particles: right for most, never for a name of two.
    """
    parts = result.get("author_parts")
    if parts is None:
        read = [read_name(one_line(name)) for name in result.get("authors") or ()]
    else:
        read = [_whole(*(one_line(part.get(name)) for name in ("family", "given", "name"))) for part in parts]
    return [author for author in read if author]


def _whole(family: str | None, given: str | None, name: str | None) -> Author | None:
    """A given name alone is a name."""
    if family and not name:
        return Author(family=family, given=given)
    return Author(name=name or given) if name or given else None


def with_suffix(author: Author) -> tuple[str, str | None, str | None]:
    """A person's (family name, given name, suffix): `King Jr.` is a family name and its suffix."""
    found = _SUFFIX.fullmatch(author.family or "")
    if found:
        return found["family"], author.given, found["suffix"]
    return author.family or author.display, author.given, None


def has_more_authors(result: Result) -> bool:
    """Whether the paper has authors whom the result does not name."""
    return (result.get("author_count") or 0) > len(result.get("authors") or ())


def date_of(result: Result) -> tuple[int, ...]:
    """(year, month, day), as far as known. A date of another year than the paper's is not told."""
    year = result.get("year")
    found = _DATE.fullmatch(result.get("publication_date") or "")
    known = [int(part) for part in found.groups() if part] if found else []
    if year is not None and known[:1] != [year]:
        return (year,)
    try:
        date(*[*known, 1, 1][:3])
    except (TypeError, ValueError):
        return tuple(known[:1])
    return tuple(known)


def pages_of(result: Result) -> tuple[str | None, str | None]:
    """The first and the last page, `1676-87` as 1676 and 1687; an article number, or a list, is a first page."""
    pages = field_of(result, "pages")
    found = _PAGES.fullmatch(pages or "")
    if not found:
        return pages, None
    first, last = found.groups()
    start = _NUMBERED.fullmatch(first)
    if start and last.isdecimal() and len(last) < len(start[2]):
        last = start[1] + start[2][: -len(last)] + last
    return first, None if last == first else last


def link_of(result: Result) -> str | None:
    """The paper's citation URI."""
    return web_address(result.get("citation_uri"))


def web_address(url: Any) -> str | None:
    """The address when it is one of the web, in ASCII; None otherwise (`javascript:` and the like)."""
    text = one_line(url)
    if not text or not text.lower().startswith(("https://", "http://")):
        return None
    return quote(text, safe=_URL_CHARACTERS)


def is_open(result: Result) -> str | None:
    """`yes`, `no`, or None where no source says."""
    told = (result.get("open_access") or {}).get("is_oa")
    return None if told is None else "yes" if told else "no"


def standing_of(result: Result) -> str | None:
    """`Retracted (2020-05-05); notice: https://doi.org/10.1000/x`; None for a paper in good or unknown standing."""
    told = result.get("retraction") or {}
    standing = STANDINGS.get(told.get("status", ""))
    if not standing:
        return None
    when = one_line(told.get("date"))
    notice = citation_uri(Identifiers(doi=one_line(told.get("notice_doi")), pmid=one_line(told.get("notice_pmid"))))
    return standing + (f" ({when})" if when else "") + (f"; notice: {notice}" if notice else "")


def notes_of(result: Result) -> list[str]:
    """What a reader must know and no other field tells: the paper's standing, and authors that are missing."""
    missing = None
    if has_more_authors(result):
        missing = f"{len(result.get('authors') or ())} of {result['author_count']} authors are named here."
    return [note for note in (standing_of(result), missing) if note]
