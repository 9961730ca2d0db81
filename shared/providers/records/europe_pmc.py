"""Europe PMC's records as papers: core and lite records of a search, short ones of references and citations.

Format: https://europepmc.org/RestfulWebService (core and lite results, `referenceList`, `citationList`)
Flags are "Y" and "N"; a field without a value is absent; titles carry escaped markup and a final dot; a list of one
may come without its list; the day of a print issue is made up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from shared.bibliography.group_authors import is_group
from shared.bibliography.identifiers import DOI_START, Identifiers, arxiv_of_doi, read_doi, read_pmcid, read_pmid
from shared.bibliography.languages import language_code
from shared.bibliography.name_patterns import OTHERS
from shared.bibliography.paper import (
    MAX_AUTHORS,
    Author,
    Location,
    OpenAccess,
    Paper,
    Pointer,
    Retraction,
    RetractionStatus,
    Version,
)
from shared.bibliography.person_names import add_suffix, without_suffix
from shared.bibliography.preprints import cites_preprint_server
from shared.bibliography.text import plain_text, without_medline_marks
from shared.errors import BrokenRecord

# Types of `Paper` -> their names in MEDLINE and PMC; a record with several has the first type listed here.
TYPES = {
    "retraction-notice": ("retraction of publication", "retraction notice", "retraction"),
    "erratum": ("published erratum", "correction"), "preprint": ("preprint",), "editorial": ("editorial",),
    "dissertation": ("thesis", "academic dissertation"), "book-chapter": ("book chapter", "book-chapter"),
    "book": ("book", "monograph"), "letter": ("letter",), "meta-analysis": ("meta-analysis", "network meta-analysis"),
    "systematic-review": ("systematic review", "systematic-review"),
    "review": ("review", "scoping review", "review-article"),
    "randomized-controlled-trial": ("randomized controlled trial",),
    "clinical-trial": (
        "clinical trial", *(f"clinical trial, phase {number}" for number in ("i", "ii", "iii", "iv")),
        "controlled clinical trial",
    ),
    "clinical-trial-registration": ("clinical trial registration",),  # which Europe PMC does not hold
    "conference-paper": ("congress", "conference paper", "abstract"), "dataset": ("dataset",),
    "report": ("technical report", "report"),
    "journal-article": ("journal article", "research-article", "case reports", "case-report"),
    "other": ("news", "comment", "article-commentary", "biography", "interview", "patent"),
}  # fmt: skip
_CORRECTIONS = ("erratum in", "corrected and republished in", "republished in", "partial retraction in")
# The retraction status that a linked notice gives to the paper, the most serious first.
_STATUSES = {
    "retraction in": RetractionStatus.RETRACTED, "retracted and republished in": RetractionStatus.RETRACTED,
    "expression of concern in": RetractionStatus.CONCERN,
    **dict.fromkeys(_CORRECTIONS, RetractionStatus.CORRECTED),
}  # fmt: skip
_MAX_TITLE_MARKUP = 10_000  # characters; of the text, 2,000 are kept
_DOI = re.compile(rf"{DOI_START}\S+")
_AND_OTHERS = re.compile(rf"(?:and|&)?\s*(?:others|{OTHERS})\.?", re.I)


def read_paper(record: Mapping[str, Any], rank: int) -> Paper:
    """The paper of a core or lite record. Raises BrokenRecord when it has no title."""
    source, title = record.get("source"), _title(record.get("title"))
    if not title:
        raise BrokenRecord(f"Europe PMC {source}/{record.get('id')} has no title")
    info, book = record.get("journalInfo") or {}, record.get("bookOrReportDetails") or {}
    journal = (info.get("journal") or {}).get("title") or record.get("journalTitle")
    types = (record.get("pubTypeList") or {}).get("pubType") or record.get("pubType") or []  # or one string
    kinds = {kind.strip().casefold() for kind in (types.split("; ") if isinstance(types, str) else types)}
    preprint = source == "PPR" or "preprint" in kinds
    (authors, count), published = _authors(record), _publication_date(record, info)
    return Paper(
        provider="europe_pmc", rank=rank, title=title, ids=_ids(record),
        authors=authors, author_count=count, pages=record.get("pageInfo"),
        year=_year(record.get("pubYear")) or _year((published or "")[:4]), publication_date=published,
        journal=plain_text(journal or book.get("comprisingTitle") or book.get("publisher")),
        volume=info.get("volume") or record.get("journalVolume"), issue=info.get("issue") or record.get("issue"),
        language=language_code(record.get("language")),
        type=_type(kinds, preprint),
        abstract=plain_text(record.get("abstractText")), citation_count=record.get("citedByCount"),
        open_access=_open_access(record),
        retraction=_retraction(record, kinds),
        versions=tuple(_versions(record, preprint)),
        landing_page=_landing_page(record),
    )  # fmt: skip


def is_titled(item: Mapping[str, Any]) -> bool:
    """Whether an item of references or citations names a title, so that `read_linked_paper` can read it."""
    title = item.get("title")
    return isinstance(title, str) and bool(_title(title))


def read_linked(item: Mapping[str, Any], rank: int) -> Paper | Pointer | None:
    """An item of references or citations: a paper if it has a title, else a pointer; None if it names no paper."""
    return read_linked_paper(item, rank) if is_titled(item) else read_pointer(item, rank)


def read_linked_paper(item: Mapping[str, Any], rank: int) -> Paper:
    """The paper of an item of `referenceList` or `citationList`, which has no abstract, date or links.

    Raises BrokenRecord without a title. Its retraction status is unknown unless its types call it retracted.
    """
    if not is_titled(item):
        raise BrokenRecord(f"item {rank} of Europe PMC's list has no title")
    kinds = {kind.strip().casefold() for kind in (item.get("citationType") or "").split(";")}
    named, count = _authors(item)
    authors = tuple(author for author in named if not _AND_OTHERS.fullmatch(author.display))
    retracted = "retracted publication" in kinds
    return Paper(
        provider="europe_pmc", rank=rank, title=_title(item.get("title")), ids=_ids(item),
        authors=authors, author_count=count if authors == named else None, year=_year(item.get("pubYear")),
        journal=plain_text(item.get("journalAbbreviation") or item.get("publicationTitle")),
        volume=item.get("volume") or None, issue=item.get("issue") or None, pages=item.get("pageInfo") or None,
        type=_type(kinds, item.get("source") == "PPR"), citation_count=item.get("citedByCount"),
        retraction=Retraction(RetractionStatus.RETRACTED) if retracted else Retraction(),
        landing_page=_landing_page(item),
    )  # fmt: skip


def read_pointer(item: Mapping[str, Any], rank: int) -> Pointer | None:
    """The ids and the text of an item without title; None if it has neither."""
    text = plain_text(item.get("unstructuredInformation"))
    who, where = item.get("authorString"), item.get("journalAbbreviation") or item.get("publicationTitle")
    if not text and (who or where):
        parts = (who, where, _year(item.get("pubYear")), item.get("volume"), item.get("pageInfo"))
        text = plain_text(", ".join(str(part).strip(" .") for part in parts if part))
    ids = _ids(item)
    return Pointer(rank, ids, text) if text or ids != Identifiers() else None


def _ids(record: Mapping[str, Any]) -> Identifiers:
    """An id is unique only within its source: MED's are PMIDs, PMC's are PMCIDs."""
    source, number, doi = record.get("source"), record.get("id"), read_doi(record.get("doi"))
    return Identifiers(
        doi=doi, arxiv=arxiv_of_doi(doi), europe_pmc=f"{source}/{number}" if source and number else None,
        pmid=read_pmid(record.get("pmid") or (number if source == "MED" else None)),
        pmcid=read_pmcid(record.get("pmcid") or (number if source == "PMC" else None)),
    )  # fmt: skip


def _landing_page(record: Mapping[str, Any]) -> str | None:
    source, number = record.get("source"), record.get("id")
    return f"https://europepmc.org/article/{source}/{number}" if source and number else None


def _type(kinds: set[str], preprint: bool) -> str | None:
    return "preprint" if preprint else next((ours for ours, names in TYPES.items() if kinds & {*names}), None)


def _year(stated: object) -> int | None:
    """A number or a text; 0 where it is not known."""
    found = re.fullmatch(r"[12][0-9]{3}", str(stated or "").strip())
    return int(found[0]) if found else None


def _title(markup: str | None) -> str:
    """Plain text, without MEDLINE's marks."""
    return without_medline_marks(plain_text((markup or "")[:_MAX_TITLE_MARKUP]) or "")


def _authors(record: Mapping[str, Any]) -> tuple[tuple[Author, ...], int | None]:
    """The first MAX_AUTHORS authors, and how many there are; those beyond are not read."""
    entries = _listed(record, "authorList", "author") or [{"fullName": name} for name in _names(record)]
    authors = tuple(author for author in map(_author, entries[:MAX_AUTHORS]) if author.display)
    return authors, len(authors) + len(entries[MAX_AUTHORS:]) or None


def _names(record: Mapping[str, Any]) -> list[str]:
    return (plain_text(record.get("authorString")) or "").removesuffix(".").split(", ")


def _author(entry: Mapping[str, Any]) -> Author:
    """`Glover JN Jr` is a person; a group's name stays whole, also where it ends like initials (`… Study Group II`)."""
    group, name = plain_text(entry.get("collectiveName")), plain_text(entry.get("fullName")) or ""
    family, given = plain_text(entry.get("lastName")), plain_text(entry.get("firstName") or entry.get("initials"))
    before, suffix = without_suffix(name)
    before, suffix = (before, suffix) if before.rpartition(" ")[2].isupper() else (name, None)  # `Ivanov IV`
    if not family and not group and before.rpartition(" ")[2].isupper() and not is_group(name):
        family, _, given = before.rpartition(" ")
    return Author(family=add_suffix(family, suffix), given=given) if family else Author(name=group or name)


def _publication_date(record: Mapping[str, Any], info: Mapping[str, Any]) -> str | None:
    """The date of first publication, without the day (and month) that Europe PMC invents for a print issue."""
    first: str = record.get("firstPublicationDate") or ""
    issue = str(info.get("dateOfPublication") or "").split()  # `2025 Jul` is known to the month
    in_print = first == info.get("printPublicationDate") != record.get("electronicPublicationDate")
    return first[: {1: 4, 2: 7}.get(len(issue)) if in_print else None] or None


def _open_access(record: Mapping[str, Any]) -> OpenAccess:
    """`N` says that Europe PMC has no licensed full text, not that the paper is closed: some have a CC licence."""
    license_ = (record.get("license") or "").replace(" ", "-") or None
    links = sorted(_listed(record, "fullTextUrlList", "fullTextUrl"), key=lambda one: one.get("documentStyle") != "pdf")
    places = tuple(
        Location(url=link["url"], license=license_, host="repository" if link.get("site") == "Europe_PMC" else None)
        for link in links if link.get("availabilityCode") in ("OA", "F") and link.get("url")
    )  # fmt: skip
    is_oa = True if places or record.get("isOpenAccess") == "Y" else None
    return OpenAccess(is_oa, places[0].url if places else None, license_, places)


def _retraction(record: Mapping[str, Any], kinds: set[str]) -> Retraction:
    """The status by MEDLINE's types and linked notices; for other sources it is unknown without one."""
    links = list(_links(record))
    for kind, status in _STATUSES.items():
        notices = [link for link in links if link.kind == kind]
        if notices:  # of several, one with a DOI or else a PMID
            notice = max(notices, key=lambda link: (link.doi is not None, link.pmid is not None))
            return Retraction(status, notice_doi=notice.doi, notice_pmid=notice.pmid)
        if status is RetractionStatus.RETRACTED and "retracted publication" in kinds:
            return Retraction(status)
    tracked = record.get("source") == "MED" and "pubTypeList" in record
    return Retraction(RetractionStatus.NONE if tracked else RetractionStatus.UNKNOWN)


def _versions(record: Mapping[str, Any], preprint: bool) -> Iterator[Version]:
    """Preprint and article, if a link names the other one by PMID or DOI (not by a preprint's Europe PMC id)."""
    for link in _links(record):
        published = link.kind == "preprint of" or (link.kind == "update in" and preprint)
        posted = link.kind == "preprint in" or (link.kind == "update of" and cites_preprint_server(link.reference))
        if (published or posted) and (link.doi or link.pmid):
            yield Version("published" if published else "preprint", doi=link.doi, pmid=link.pmid)


class _Link(NamedTuple):
    kind: str
    doi: str | None
    pmid: str | None
    reference: str


def _links(record: Mapping[str, Any]) -> Iterator[_Link]:
    """Every linked record."""
    for link in _listed(record, "commentCorrectionList", "commentCorrection"):
        reference = link.get("reference") or ""
        doi = read_doi(next(iter(_DOI.findall(reference)), None))
        pmid = read_pmid(link.get("id")) if link.get("source") == "MED" else None
        yield _Link(str(link.get("type")).casefold(), doi, pmid, reference)


def _listed(record: Mapping[str, Any], wrapper: str, name: str) -> list[Mapping[str, Any]]:
    """The items of `{wrapper: {name: […]}}`; a single one may come without its list."""
    found = (record.get(wrapper) or {}).get(name) or []
    return [found] if isinstance(found, Mapping) else list(found)
