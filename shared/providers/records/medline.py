"""MEDLINE's XML records as papers: articles and books as PubMed's efetch sends them, in the layout of any year.

Format: https://dtd.nlm.nih.gov/ncbi/pubmed/doc/out/250101/index.html
A record mixes text and markup, contains the ids of cited papers, has spans as dates and translated titles in brackets,
and may lack nearly any field.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree.ElementTree import Element

from shared.bibliography.identifiers import (
    Identifiers,
    arxiv_of_doi,
    pmc_address,
    read_arxiv,
    read_doi,
    read_pmcid,
    read_pmid,
    reference_keys,
    registration_keys,
)
from shared.bibliography.paper import Location, OpenAccess, Paper, Retraction, RetractionStatus, Version
from shared.bibliography.preprints import cites_preprint_server
from shared.errors import BadResponse, BrokenRecord
from shared.providers.records.medline_fields import (
    author_count,
    publication_date,
    read_abstract,
    read_authors,
    read_date,
    read_first_text,
    read_language,
    read_other_abstract,
    read_pages,
    read_text,
    read_texts,
    read_title,
    read_year,
)

_BANKED = "DataBankList/DataBank/AccessionNumberList/AccessionNumber"  # also of sequences and of other registries
_RECORDS = ("PubmedArticle", "PubmedBookArticle")
_SETS = ("PubmedArticleSet", "PubmedBookArticleSet")
# Types of `Paper` -> how publication types begin, a search's name first. Of several, a record has the first type here:
# a review is also a journal article.
TYPES = {
    "retraction-notice": ("retraction notice", "retraction of publication"), "erratum": ("published erratum",),
    "preprint": ("preprint",), "editorial": ("editorial",), "letter": ("letter",),
    "meta-analysis": ("meta-analysis", "network meta-analysis"), "systematic-review": ("systematic review",),
    "review": ("review", "scoping review"),
    "randomized-controlled-trial": ("randomized controlled trial",),
    "clinical-trial": ("clinical trial", "controlled clinical trial"), "conference-paper": ("congress",),
    "dataset": ("dataset",), "dissertation": ("academic dissertation",), "report": ("technical report",),
    "journal-article": ("journal article",), "other": ("news", "interview"),
}  # fmt: skip
# The retraction status that a later notice gives to a paper, the most serious first.
_NOTICES = {
    RetractionStatus.RETRACTED: ("RetractionIn", "RetractedandRepublishedIn"),
    RetractionStatus.CONCERN: ("ExpressionOfConcernIn",),
    RetractionStatus.CORRECTED: ("ErratumIn", "CorrectedandRepublishedIn", "RepublishedIn", "PartialRetractionIn"),
}


def read_records(root: Element) -> list[Element]:
    """The records of a set, or a single record. Raises BadResponse for any other document."""
    if root.tag in _RECORDS:
        return [root]
    if root.tag not in _SETS:
        raise BadResponse("PubMed answered without a set of articles")
    return [child for child in root if child.tag in _RECORDS]


def record_pmid(record: Element) -> str | None:
    """The record's own PMID, never one that it cites."""
    return read_pmid(record.findtext("MedlineCitation/PMID") or record.findtext("BookDocument/PMID"))


def read_paper(record: Element, rank: int) -> Paper:
    """One PubmedArticle or PubmedBookArticle as a paper. Raises BrokenRecord without PMID or title."""
    return _book(record, rank) if record.tag == "PubmedBookArticle" else _article(record, rank)


def _article(record: Element, rank: int) -> Paper:
    article = _part(record, "MedlineCitation/Article")
    kinds = [kind.lower() for kind in read_texts(article.findall("PublicationTypeList/PublicationType"))]
    kind = next((ours for ours, starts in TYPES.items() if any(name.startswith(starts) for name in kinds)), None)
    date = publication_date(record, article)
    vernacular = read_title(article.find("VernacularTitle"))
    title = read_title(article.find("ArticleTitle")) or vernacular
    authors = article.find("AuthorList")
    ids = _identifiers(record, article, "PubmedData/ArticleIdList")
    journal = read_first_text(article.find(f"Journal/{name}") for name in ("Title", "ISOAbbreviation"))
    if journal and kind == "preprint":  # `bioRxiv : the preprint server for biology`
        journal = journal.partition(" : ")[0]
    return Paper(
        provider="pubmed",
        rank=rank,
        title=_required(title, ids),
        ids=ids,
        authors=read_authors(authors),
        author_count=author_count(authors),
        year=read_year(date),
        publication_date=date,
        journal=journal,
        volume=read_text(article.find("Journal/JournalIssue/Volume")),
        issue=read_text(article.find("Journal/JournalIssue/Issue")),
        pages=read_pages(article),
        type=kind,
        language=read_language(article),
        abstract=read_abstract(article.find("Abstract")) or read_other_abstract(record),
        open_access=_open_access(ids),
        retraction=_retraction(record, kinds),
        versions=_versions(record, is_preprint=kind == "preprint"),
        registrations=registration_keys(number.text for number in article.iterfind(_BANKED)),
        alternative_titles=(vernacular,) if vernacular and vernacular != title else (),
        references=reference_keys(reference_ids(cited) for cited in record.iter("Reference")),
        landing_page=f"https://pubmed.ncbi.nlm.nih.gov/{ids.pmid}/",
    )


def _book(record: Element, rank: int) -> Paper:
    """A chapter (GeneReviews), which has a title and a date of its own, or a whole book."""
    document = _part(record, "BookDocument")
    chapter, book = read_title(document.find("ArticleTitle")), read_title(document.find("Book/BookTitle"))
    dates = (document.find("ContributionDate" if chapter else "Book/PubDate"), document.find("Book/PubDate"))
    date = next(filter(None, map(read_date, dates)), None)
    lists = [*document.findall("AuthorList"), *document.findall("Book/AuthorList")]
    authors = next((people for people in lists if people.get("Type") != "editors"), None)
    ids = _identifiers(record, document, "BookDocument/ArticleIdList")
    return Paper(
        provider="pubmed",
        rank=rank,
        title=_required(chapter or book, ids),
        ids=ids,
        authors=read_authors(authors),
        author_count=author_count(authors),
        year=read_year(date),
        publication_date=date,
        journal=book if chapter else None,
        volume=read_text(document.find("Book/Volume")),
        pages=read_pages(document),
        type="book-chapter" if chapter else "book",
        language=read_language(document),
        abstract=read_abstract(document.find("Abstract")),
        open_access=_open_access(ids),
        landing_page=f"https://pubmed.ncbi.nlm.nih.gov/{ids.pmid}/",
    )


def _part(element: Element, path: str) -> Element:
    part = element.find(path)
    if part is None:
        raise BrokenRecord(f"a record of PubMed without {path}")
    return part


def _required(title: str | None, ids: Identifiers) -> str:
    if not title or not ids.pmid:
        raise BrokenRecord(f"PubMed {ids.pmid} has no title" if ids.pmid else "a record of PubMed has no PMID")
    return title


def _identifiers(record: Element, document: Element, own_ids: str) -> Identifiers:
    """The record's own ids; those of its references are in nested lists of the same name."""
    places = [place for place in document.findall("ELocationID") if place.get("ValidYN") != "N"]
    listed = record.findall(f"{own_ids}/ArticleId")
    held = [(item.get("IdType"), read_text(item)) for item in listed]
    held += [(place.get("EIdType"), read_text(place)) for place in places]
    doi = next(filter(None, (read_doi(text) for kind, text in held if kind == "doi")), None)
    in_arxiv = (document.findtext("Journal/ISOAbbreviation") or "").lower() == "arxiv"
    arxiv = (read_arxiv(text) for kind, text in held if kind == "pii" and in_arxiv)
    return Identifiers(
        doi=doi,
        pmid=record_pmid(record),
        pmcid=next(filter(None, (read_pmcid(text) for kind, text in held if kind == "pmc")), None),
        arxiv=arxiv_of_doi(doi) or next(filter(None, arxiv), None),
    )


def reference_ids(cited: Element) -> Identifiers:
    """The ids of one Reference; many have none."""
    held = {item.get("IdType"): read_text(item) for item in cited.findall("ArticleIdList/ArticleId")}
    return Identifiers(
        doi=read_doi(held.get("doi")), pmid=read_pmid(held.get("pubmed")), pmcid=read_pmcid(held.get("pmc"))
    )


def _open_access(ids: Identifiers) -> OpenAccess:
    """A PMCID means a free copy in PMC, under whatever licence; without one it is unknown."""
    if not ids.pmcid:
        return OpenAccess()
    url = pmc_address(ids.pmcid)
    return OpenAccess(is_oa=True, url=url, locations=(Location(url=url, host="repository"),))


def _notes(record: Element, *relations: str) -> list[Element]:
    notes = record.findall("MedlineCitation/CommentsCorrectionsList/CommentsCorrections")
    return [note for note in notes if note.get("RefType") in relations]


def _retraction(record: Element, kinds: Iterable[str]) -> Retraction:
    for status, relations in _NOTICES.items():
        notes = _notes(record, *relations)
        if notes or (status is RetractionStatus.RETRACTED and "retracted publication" in kinds):
            return _noticed(status, notes)
    return Retraction(RetractionStatus.NONE)


def _noticed(status: RetractionStatus, notes: list[Element]) -> Retraction:
    """The status with the ids of a single notice: one with a DOI, else one with a PMID."""
    candidates = [(_cited_doi(note), read_pmid(note.findtext("PMID"))) for note in notes]
    doi, pmid = min(candidates, key=lambda ids: (ids[0] is None, ids[1] is None), default=(None, None))
    return Retraction(status, notice_doi=doi, notice_pmid=pmid)


def _cited_doi(note: Element) -> str | None:
    """`Cell. 2023 Jul 20;186(15):3307. doi: 10.1016/j.cell.2023.05.044.` -> its DOI."""
    found = re.search(r"\bdoi:\s*(\S+)", read_text(note.find("RefSource")) or "")
    return read_doi(found[1]) if found else None


def _versions(record: Element, *, is_preprint: bool) -> tuple[Version, ...]:
    """Updates link a preprint and its article, but also the editions of a Cochrane review."""
    found = []
    for note in _notes(record, "UpdateIn", "UpdateOf"):
        source = read_text(note.find("RefSource")) or ""
        relation = "published" if is_preprint else "preprint" if cites_preprint_server(source) else "version"
        journal = source.partition(". ")[0] or None
        found.append(Version(relation, doi=_cited_doi(note), pmid=read_pmid(note.findtext("PMID")), journal=journal))
    return tuple(found)
