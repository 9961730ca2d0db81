"""PubMed's records (efetch), in several of the layouts that real records have."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from xml.etree.ElementTree import Element, SubElement

from infra.local.sandbox.facts import Fact, variant

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
TYPES = {
    "review": ["Journal Article", "Review"], "preprint": ["Preprint", "Journal Article"], "editorial": ["Editorial"],
    "letter": ["Letter"], "erratum": ["Published Erratum"], "retraction-notice": ["Retraction of Publication"],
    "conference-paper": ["Congress"], "systematic-review": ["Journal Article", "Review", "Systematic Review"],
    "meta-analysis": ["Journal Article", "Meta-Analysis"],
    "randomized-controlled-trial": ["Journal Article", "Randomized Controlled Trial"],
}  # fmt: skip
NOTICES = {"retracted": "RetractionIn", "corrected": "ErratumIn", "concern": "ExpressionOfConcernIn"}
LANGUAGES = {"de": "ger", "es": "spa", "fr": "fre", "it": "ita", "ja": "jpn", "pl": "pol", "pt": "por", "zh": "chi"}


def publication_types(fact: Fact) -> list[str]:
    """Return NLM's publication types; one of them marks a retracted paper."""
    kinds = TYPES.get(fact.type, ["Journal Article"])
    return [*kinds, "Retracted Publication"] if (fact.retraction or {}).get("status") == "retracted" else kinds


def record(fact: Fact) -> Element:
    """Return a PubmedArticle, or a PubmedBookArticle for a chapter."""
    return _book(fact) if fact.type.startswith("book") else _article(fact)


def _put(parent: Element, tag: str, text: str | None = None, **attributes: str) -> Element:
    child = SubElement(parent, tag, attributes)
    child.text = text
    return child


def _article(fact: Fact) -> Element:
    root = Element("PubmedArticle")
    citation = _put(root, "MedlineCitation", Status="MEDLINE", Owner="NLM")
    _put(citation, "PMID", fact.pmid, Version="1")
    _date(_put(citation, "DateRevised"), "2026-01-15", named=False)  # not the publication date
    article = _put(citation, "Article", PubModel="Print")
    _journal(article, fact)
    _title(article, fact)
    if fact.pages:
        _put(_put(article, "Pagination"), "MedlinePgn", _shortened(fact.pages))
    if fact.doi and variant(fact, 3) == 0:  # otherwise the DOI is only in the ArticleIdList
        _put(article, "ELocationID", fact.doi, EIdType="doi", ValidYN="Y")
    if fact.abstract:
        abstract = _put(article, "Abstract")
        _put(abstract, "AbstractText", fact.abstract, **({} if variant(fact, 2) else {"Label": "UNLABELLED"}))
        _put(abstract, "CopyrightInformation", "Copyright of its owners.")
    _authors(article, fact)
    language = LANGUAGES.get(fact.language or "en", "eng")
    _put(article, "Language", language if variant(fact, 7) else language.upper())
    kinds = _put(article, "PublicationTypeList")
    for kind in publication_types(fact):
        _put(kinds, "PublicationType", kind)
    if fact.title_translated:
        _put(article, "VernacularTitle", f"{fact.title}.")
    _notes(citation, fact)
    _ids(_put(root, "PubmedData"), fact)
    return root


def _journal(article: Element, fact: Fact) -> None:
    journal = _put(article, "Journal")
    issue = _put(journal, "JournalIssue", CitedMedium="Internet")
    for tag, value in (("Volume", fact.volume), ("Issue", fact.issue)):
        if value:
            _put(issue, tag, value)
    date = fact.publication_date or (str(fact.year) if fact.year else None)
    if date:
        _date(_put(issue, "PubDate"), date, named=bool(variant(fact, 2)), span=len(date) == 4 and not variant(fact, 4))
    if fact.journal:
        _put(journal, "Title", fact.journal)
        _put(journal, "ISOAbbreviation", fact.journal)


def _date(parent: Element, date: str, *, named: bool, span: bool = False) -> None:
    """Add year, month and day as far as they are known, or a span of months as MedlineDate."""
    year, month, day = (date.split("-") + [""] * 2)[:3]
    if span:
        _put(parent, "MedlineDate", f"{year} Nov-Dec")
        return
    _put(parent, "Year", year)
    if month:
        _put(parent, "Month", MONTHS[int(month) - 1] if named else month)
    if day:
        _put(parent, "Day", day)


def _title(parent: Element, fact: Fact) -> None:
    """Add the title with a full stop: a translated title in brackets, sometimes the first word in italics."""
    title = (fact.title_translated or fact.title).removesuffix(".")
    if fact.title_translated:
        _put(parent, "ArticleTitle", f"[{title}].")
        return
    element = _put(parent, "ArticleTitle")
    first, blank, rest = title.partition(" ")
    if variant(fact, 5) == 0 and blank:
        _put(element, "i", first).tail = f" {rest}."
    else:
        element.text = f"{title}."


def _shortened(pages: str) -> str:
    """Shorten `1825-1834` to `1825-34`."""
    found = re.fullmatch(r"(\d*?)(\d+)-\1(\d+)", pages)
    return f"{found[1]}{found[2]}-{found[3]}" if found and len(found[2]) == len(found[3]) else pages


def _authors(parent: Element, fact: Fact) -> None:
    """Add groups with one name, people with or without a forename, and sometimes a misspelt name marked as invalid."""
    if not fact.authors:
        return
    incomplete = fact.author_count is not None and fact.author_count > len(fact.authors)
    people = _put(parent, "AuthorList", CompleteYN="N" if incomplete else "Y", **_authors_role(fact))
    for family, given in fact.authors:
        author = _put(people, "Author", ValidYN="Y")
        if not family or not given:
            _put(author, "LastName" if family else "CollectiveName", family or given)
            continue
        _put(author, "LastName", family)
        _put(author, "ForeName", given)
        _put(author, "Initials", "".join(name[0] for name in given.split()))
    if variant(fact, 6) == 0:
        _put(_put(people, "Author", ValidYN="N"), "LastName", "Misspelt")


def _authors_role(fact: Fact) -> Mapping[str, str]:
    return {"Type": "authors"} if fact.type.startswith("book") else {}


def _notes(citation: Element, fact: Fact) -> None:
    """Add links to notices, and to the other versions of a preprint or its article."""
    found: list[tuple[str, str | None, str | None]] = []
    retraction = fact.retraction or {}
    if retraction.get("status") in NOTICES:
        found.append((NOTICES[retraction["status"]], retraction.get("notice_doi"), retraction.get("notice_pmid")))
    relation = "UpdateIn" if fact.type == "preprint" else "UpdateOf"
    for version in fact.versions:
        pmid = version.removeprefix("PMID:") if version.startswith("PMID:") else None
        if pmid or version.startswith("10."):
            found.append((relation, None if pmid else version, pmid))
    notes = _put(citation, "CommentsCorrectionsList") if found else citation
    for relation, doi, pmid in found:
        server = "bioRxiv" if relation == "UpdateOf" else "J Ex"
        note = _put(notes, "CommentsCorrections", RefType=relation)
        _put(note, "RefSource", f"{server}. {fact.year};1(1):1.{f' doi: {doi}.' if doi else ''}")
        if pmid:
            _put(note, "PMID", pmid, Version="1")


def _ids(data: Element, fact: Fact) -> None:
    """Add the paper's own ids, and its references with theirs, in lists of the same name."""
    ids = _put(data, "ArticleIdList")
    _put(ids, "ArticleId", fact.pmid, IdType="pubmed")
    if fact.pmcid:
        _put(ids, "ArticleId", fact.pmcid, IdType="pmc")
    if fact.doi and variant(fact, 6) != 0:  # otherwise it is only in ELocationID
        _put(ids, "ArticleId", fact.doi, IdType="doi")
    references = _put(data, "ReferenceList")
    for name in fact.references:
        _reference(_put(references, "Reference"), name)


def _reference(cited: Element, name: str) -> None:
    """Add a printed reference and its ids; some have a text in place of the PMID, preprints have no ids."""
    _put(cited, "Citation", f"Somebody A, et al. As cited under {name}.")
    if name.startswith("arXiv:"):
        return
    ids = _put(cited, "ArticleIdList")
    if name.startswith("10."):
        _put(ids, "ArticleId", name, IdType="doi")
    if name.startswith("PMID:"):
        _put(ids, "ArticleId", name.removeprefix("PMID:"), IdType="pubmed")
    elif zlib.crc32(name.encode()) % 5 == 0:
        _put(ids, "ArticleId", "NOT_FOUND;INVALID_JOURNAL", IdType="pubmed")


def _book(fact: Fact) -> Element:
    """Return a chapter: no MedlineCitation, a date besides the book's, editors in a list like the authors'."""
    root = Element("PubmedBookArticle")
    document = _put(root, "BookDocument")
    _put(document, "PMID", fact.pmid, Version="1")
    ids = _put(document, "ArticleIdList")
    for kind, value in (("bookaccession", f"NBK{fact.pmid}"), ("doi", fact.doi), ("pmc", fact.pmcid)):
        if value:
            _put(ids, "ArticleId", value, IdType=kind)
    book = _put(document, "Book")
    _put(book, "BookTitle", fact.journal or "Collected chapters")
    _put(_put(book, "PubDate"), "Year", str(fact.year or 2000))
    _put(_put(_put(book, "AuthorList", Type="editors"), "Author"), "LastName", "Editor")
    if fact.volume:
        _put(book, "Volume", fact.volume)
    _title(document, fact)
    if fact.pages:
        _put(_put(document, "Pagination"), "MedlinePgn", fact.pages)
    _put(document, "Language", "eng")
    _authors(document, fact)
    if fact.abstract:
        _put(_put(document, "Abstract"), "AbstractText", fact.abstract)
    date = fact.publication_date or (str(fact.year) if fact.year else None)
    if date:
        _date(_put(document, "ContributionDate"), date, named=False)
    return root
