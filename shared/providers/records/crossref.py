"""Crossref's works as papers, whole or by selected elements.

Format: https://github.com/CrossRef/rest-api-doc/blob/master/api_format.md
Oddities: titles and journals are lists, some of whose parts are empty, translations or abbreviations; text holds JATS,
HTML, MathML and entities, also escaped twice; dates are lists of numbers, incomplete or null. A notice names the paper
that it updates in `update-to`, the paper names the notice in `updated-by`, and a paper may update itself. A preprint
names its article, but not the reverse. References come with the whole record, or if selected.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import date
from itertools import takewhile
from typing import Any

from shared.bibliography.identifiers import (
    Identifiers,
    arxiv_of_doi,
    read_arxiv,
    read_doi,
    reference_keys,
    registration_keys,
)
from shared.bibliography.languages import language_code
from shared.bibliography.licences import is_free, read_licence
from shared.bibliography.paper import Author, Location, OpenAccess, Paper, Retraction, RetractionStatus, Version
from shared.bibliography.person_names import add_suffix
from shared.bibliography.preprints import SERVER_MARKS, printed_number
from shared.bibliography.text import fold, plain_text, plain_title
from shared.errors import BrokenRecord
from shared.json_types import read_count

# Crossref's types of papers -> types of `Paper`.
TYPES = {
    "journal-article": "journal-article", "proceedings-article": "conference-paper", "posted-content": "preprint",
    "book-chapter": "book-chapter", "book-section": "book-chapter", "book-part": "book-chapter",
    "reference-entry": "book-chapter", "book": "book", "monograph": "book", "edited-book": "book",
    "reference-book": "book", "dissertation": "dissertation", "report": "report", "dataset": "dataset",
    "database": "dataset", "standard": "other", "other": "other",
}  # fmt: skip
_NO_PAPER = re.compile(r"component|grant|journal(-issue|-volume)?$|peer-review|proceedings$|.*-(series|set|track)$")
# The retraction status that an update gives to a paper, the most serious first; and the type of the notice.
_RETRACTED, _CONCERN, _CORRECTED = RetractionStatus.RETRACTED, RetractionStatus.CONCERN, RetractionStatus.CORRECTED
_STATUSES = {
    "retraction": _RETRACTED, "removal": _RETRACTED, "withdrawal": _RETRACTED, "expression_of_concern": _CONCERN,
    "partial_retraction": _CORRECTED, "correction": _CORRECTED, "corrigendum": _CORRECTED, "erratum": _CORRECTED,
}  # fmt: skip
_NOTICE_TYPES = {_RETRACTED: "retraction-notice", _CONCERN: "other", _CORRECTED: "erratum"}
# A notice without an updated paper is recognised by its title; `Correction of myopia` is not a notice.
_NOTICE = re.compile(
    r"((?:(?:author|publisher) )?corrections?(?: to)?\s*(?:[:“\"‘]|\W*$)"
    r"|(?:errat(?:um|a)|corrigend(?:um|a)|department of error)\b)"
    r"|retraction (?:note|notice)\b|retraction(?: of| to)?\s*(?:[:“\"‘]|\W*$)", re.I,
)  # fmt: skip
# Titles of retracted papers; `Retracted: …` may be the notice, and Cochrane withdraws outdated reviews.
_MARKED = re.compile(r"\[?RETRACTED\b|\[Retracted\b|Retracted [Aa]rticle:|(?P<perhaps>Retracted:|WITHDRAWN\b)")
_RELATIONS = {
    "is-preprint-of": "published", "is-manuscript-of": "published", "has-preprint": "preprint",
    "has-manuscript": "preprint", "is-version-of": "version", "has-version": "version", "is-same-as": "version",
}  # fmt: skip
_COPIES = {"vor": "publishedVersion", "am": "acceptedVersion"}
_HEADING = re.compile(r"^\s*(?:<(?:jats:)?sec>\s*)?<(?:jats:)?title>\s*(?:abstract|summary)\s*</(?:jats:)?title>", re.I)


def no_paper(work: Mapping[str, Any]) -> str | None:
    """Why a work is not a paper: it is a part or a container of papers, or has no title; None for a paper."""
    kind, doi = work.get("type"), read_doi(work.get("DOI"))
    if not _titles(work, "title"):
        return f"Crossref {doi} has no title"
    return f"Crossref {doi} is a {kind}, not a paper" if _NO_PAPER.match(kind or "") else None


def read_paper(work: Mapping[str, Any], rank: int) -> Paper:
    """One work as a paper. Raises BrokenRecord with the reason of `no_paper`."""
    if reason := no_paper(work):
        raise BrokenRecord(reason)
    doi, titles = read_doi(work.get("DOI")), _titles(work, "title")
    authors = tuple(author for author in map(_author, work.get("author") or []) if author)
    published = next((day for name in ("issued", "published", "posted") if (day := _day(work.get(name)))), None)
    landing_page = ((work.get("resource") or {}).get("primary") or {}).get("URL") or work.get("URL")
    return Paper(
        provider="crossref", rank=rank, title=titles[0], alternative_titles=_alternative_titles(work, titles),
        ids=Identifiers(doi=doi, arxiv=arxiv_of_doi(doi), crossref=doi), issue=_printed(work.get("issue")),
        authors=authors, author_count=len(authors) or None, publication_date=published,
        year=int(published[:4]) if published else None, journal=_journal(work, landing_page),
        volume=_printed(work.get("volume")), pages=_printed(work.get("page")) or _printed(work.get("article-number")),
        type=_type(work, titles[0], doi), language=language_code(work.get("language")),
        abstract=plain_text(_HEADING.sub("", work.get("abstract") or "")),
        citation_count=work.get("is-referenced-by-count"), open_access=_open_access(work, landing_page),
        retraction=_retraction(work, titles[0]), versions=tuple(_versions(work, doi)),
        registrations=registration_keys(
            it.get("clinical-trial-number")
            for it in work.get("clinical-trial-number") or ()
            if isinstance(it, Mapping)
        ),
        landing_page=landing_page,
        references=reference_keys(Identifiers(doi=read_doi(cited.get("DOI"))) for cited in work.get("reference") or []),
    )  # fmt: skip


def _texts(work: Mapping[str, Any], name: str) -> list[str]:
    return [text for text in map(plain_text, work.get(name) or []) if text]


def _titles(work: Mapping[str, Any], name: str) -> list[str]:
    return [title for title in map(plain_title, work.get(name) or []) if title]


def _alternative_titles(work: Mapping[str, Any], titles: list[str]) -> tuple[str, ...]:
    """Titles in other languages, and the title with its subtitle, which other sources write as one."""
    whole = [f"{titles[0]}: {subtitle}" for subtitle in _titles(work, "subtitle")[:1]]
    others = dict.fromkeys([*titles[1:], *_titles(work, "original-title"), *whole])
    return tuple(title for title in others if title != titles[0])


def _printed(text: str | None) -> str | None:
    return printed_number(plain_text(text))


def _author(entry: Mapping[str, Any]) -> Author | None:
    family, given, name = (plain_text(entry.get(part)) for part in ("family", "given", "name"))
    if family and fold(family):  # some publishers write `-` if there is no family name
        return Author(family=add_suffix(family, plain_text(entry.get("suffix"))), given=given)
    return Author(name=name or given) if name or given else None


def _day(value: Mapping[str, Any] | None) -> str | None:
    """`{"date-parts": [[2005, 10]]}` -> `2005-10`, as far as it is a valid date; `[[null]]` is None."""
    (parts, *_) = (value or {}).get("date-parts") or [[]]
    exact = [number for number in takewhile(bool, map(read_count, parts or [])) if number]
    for size, length in ((3, 10), (2, 7), (1, 4)):
        if len(exact) >= size:
            with suppress(ValueError, OverflowError):
                return date(*[*exact[:size], 1, 1][:3]).isoformat()[:length]
    return None


def _journal(work: Mapping[str, Any], landing_page: str | None) -> str | None:
    """The last name, since a series precedes the book and an abbreviation the journal; or the preprint server."""
    names = _texts(work, "container-title")
    if names or work.get("type") != "posted-content":
        return names[-1] if names else None
    traces = f"{work.get('institution')} {work.get('group-title')} {landing_page}".lower()
    return next((server for mark, server in SERVER_MARKS.items() if mark in traces), None)


def _type(work: Mapping[str, Any], title: str, doi: str | None) -> str | None:
    """A notice by what it updates (a paper may update itself) or by its title; others by Crossref's type."""
    others = [update for update in work.get("update-to") or [] if read_doi(update.get("DOI")) != doi]
    statuses = {_STATUSES.get(update.get("type")) for update in others}
    if notices := [notice for status, notice in _NOTICE_TYPES.items() if status in statuses]:
        return notices[0]
    kind = work.get("type") or ""
    if kind == "journal-article" and (notice_title := _NOTICE.match(title)):
        return "erratum" if notice_title[1] else "retraction-notice"
    return "other" if work.get("subtype") in ("comment", "other") else TYPES.get(kind)


def _retraction(work: Mapping[str, Any], title: str) -> Retraction:
    """The most serious update, the earliest of several; NONE only if the record could contain `updated-by`."""
    updates = [
        (list(_NOTICE_TYPES).index(status), _day(update.get("updated")), read_doi(update.get("DOI")), status)
        for update in work.get("updated-by") or []
        if (status := _STATUSES.get(update.get("type")))
    ]
    if updates:
        _, day, notice, status = min(updates, key=lambda update: (update[0], update[1] or "9", update[2] or ""))
        return Retraction(status, notice_doi=notice, date=day)
    marked = None if work.get("update-to") else _MARKED.match(title)
    if marked and not marked["perhaps"]:
        return Retraction(_RETRACTED)
    # A record without a type comes from a narrower selection of elements.
    return Retraction(RetractionStatus.UNKNOWN if marked or "type" not in work else RetractionStatus.NONE)


def _versions(work: Mapping[str, Any], doi: str | None) -> Iterator[Version]:
    """The other versions that the record names, each once."""
    known = {doi, None}
    for name, relation in _RELATIONS.items():
        for other in (work.get("relation") or {}).get(name) or []:
            if other.get("id-type") in ("doi", "arxiv", "uri"):
                version = Version(relation, doi=read_doi(other["id"]), arxiv=read_arxiv(other["id"]))
                if not {version.doi, version.arxiv} <= known:
                    known |= {version.doi, version.arxiv}
                    yield version


def _open_access(work: Mapping[str, Any], landing_page: str | None) -> OpenAccess:
    """Free under a Creative Commons licence or in the public domain, without embargo; else it is unknown."""
    for entry in sorted(work.get("license") or [], key=lambda entry: entry.get("content-version") == "tdm"):
        address = entry.get("URL") or ""
        name = read_licence(address) if "creativecommons.org/" in address.lower() else None
        if is_free(name) and not entry.get("delay-in-days"):
            posted = work.get("type") == "posted-content"  # never the published article
            host = "repository" if posted else "publisher"
            version = "submittedVersion" if posted else _COPIES.get(entry.get("content-version") or "")
            place = Location(landing_page or "", version, name, host)
            return OpenAccess(True, landing_page, name, (place,) if landing_page else ())
    return OpenAccess()
