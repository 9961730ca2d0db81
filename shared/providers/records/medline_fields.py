"""The fields of a MEDLINE record, each read separately: text, title, authors, date, pages, language, abstract.

Text and markup are mixed, dates may be seasons or spans, page ranges are shortened, translated titles stand in
brackets, misspelt names stay beside their corrections.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from xml.etree.ElementTree import Element, tostring

from shared.bibliography.dates import MONTHS
from shared.bibliography.languages import language_code
from shared.bibliography.paper import Author
from shared.bibliography.person_names import add_suffix
from shared.bibliography.text import plain_text, without_medline_marks
from shared.query.query import first_day

_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_SHORT_RANGE = re.compile(r"\b([A-Za-z]*\d+)-(\d+)\b")
_ARTICLE_NUMBER = re.compile(r"[A-Za-z]{0,6}\d{1,8}")
# Formulas: MathML under whatever prefix, with its copy in TeX, and the element that sets them apart.
_FORMULA = re.compile(r"<(ns\d+:annotation)\b.*?</\1>|</?(?:ns\d+:|DispFormula\b)[^>]*>", re.S)


def read_text(element: Element | None) -> str | None:
    """The content of an element, including nested markup, as plain text."""
    if element is None:
        return None
    if not len(element):  # most elements, and serialising one takes long
        return plain_text(escape(element.text or "", quote=False))
    inner = tostring(element, encoding="unicode").partition(">")[2].rpartition("</")[0]
    return plain_text(_FORMULA.sub(" ", inner))


def read_texts(elements: Iterable[Element | None]) -> list[str]:
    """The texts of the elements that have one."""
    return [text for text in map(read_text, elements) if text]


def read_first_text(elements: Iterable[Element | None]) -> str | None:
    """The first text among several places for it."""
    return next(iter(read_texts(elements)), None)


def read_title(element: Element | None) -> str | None:
    """Without MEDLINE's marks."""
    title = without_medline_marks(read_text(element) or "")
    return title if title and title.lower() != "not available" else None


def read_authors(people: Element | None) -> tuple[Author, ...]:
    """The people and groups of an AuthorList; none when there is no list."""
    return tuple(author for author in map(_author, _valid(people)) if author)


def author_count(people: Element | None) -> int | None:
    """None if there is no list or NLM truncated it, as it did for years."""
    return None if people is None or people.get("CompleteYN") == "N" else len(read_authors(people)) or None


def _valid(people: Element | None) -> list[Element]:
    """A name that was misspelt stays in the record beside its correction, marked as not valid."""
    return [] if people is None else [one for one in people.findall("Author") if one.get("ValidYN") != "N"]


def _author(person: Element) -> Author | None:
    family, group = read_text(person.find("LastName")), read_text(person.find("CollectiveName"))
    given = read_first_text(person.find(name) for name in ("ForeName", "Initials"))
    if not family:
        return Author(name=group) if group else None
    return Author(family=add_suffix(family, read_text(person.find("Suffix"))), given=given)


def publication_date(record: Element, article: Element) -> str | None:
    """The issue's date, or the electronic one if that is a day within it; else whichever exists."""
    printed = article.find("Journal/JournalIssue/PubDate")
    issue, online = read_date(printed), read_date(article.find("ArticleDate"))
    is_span = printed is not None and any(printed.find(name) is not None for name in ("MedlineDate", "Season"))
    if issue and (is_span or not (online or "").startswith(issue)):
        return issue
    return online or read_date(record.find("PubmedData/History/PubMedPubDate[@PubStatus='pubmed']"))


def read_date(element: Element | None) -> str | None:
    """`YYYY`, `YYYY-MM` or `YYYY-MM-DD`; of a season or a span (`1998 Dec-1999 Jan`) only the first year is certain."""
    if element is None:
        return None
    found = _YEAR.search(element.findtext("Year") or element.findtext("MedlineDate") or "")
    if not found:
        return None
    month, day = ((element.findtext(name) or "").strip().lower() for name in ("Month", "Day"))
    if month[:3] in MONTHS:
        month = str(MONTHS.index(month[:3]) + 1)
    for date in (f"{found[0]}-{month:0>2}-{day:0>2}", f"{found[0]}-{month:0>2}"):
        try:
            first_day(date)
        except ValueError:
            continue
        return date
    return found[0]


def read_year(date: str | None) -> int | None:
    """The year of a partial ISO date."""
    return int(date[:4]) if date else None


def read_pages(document: Element) -> str | None:
    """`1825-34` -> `1825-1834`; else the article number. Remarks in brackets count words, not pages."""
    pages = read_first_text(document.find(f"Pagination/{name}") for name in ("MedlinePgn", "StartPage"))
    if pages and not pages.startswith("["):
        return _SHORT_RANGE.sub(lambda span: f"{span[1]}-{_last_page(span[1], span[2])}", pages)
    numbers = read_texts(document.findall("ELocationID[@EIdType='pii']"))
    return next((number for number in numbers if _ARTICLE_NUMBER.fullmatch(number)), None)


def _last_page(first: str, last: str) -> str:
    return first[: -len(last)] + last


def read_language(document: Element) -> str | None:
    """The first language named, in any case: `ENG` -> `en`."""
    return language_code(read_text(document.find("Language")))


def read_abstract(abstract: Element | None) -> str | None:
    """The sections in order, each with its label, without the copyright line."""
    sections = [] if abstract is None else abstract.findall("AbstractText")
    labelled = [(section.get("Label"), read_text(section)) for section in sections]
    unnamed = (None, "", "UNLABELLED")
    return " ".join(text if label in unnamed else f"{label}: {text}" for label, text in labelled if text) or None


def read_other_abstract(record: Element) -> str | None:
    """An abstract by another organisation or in another language, for articles without one of their own."""
    others = record.findall("MedlineCitation/OtherAbstract")
    return next(
        filter(None, map(read_abstract, sorted(others, key=lambda other: other.get("Language") != "eng"))), None
    )
