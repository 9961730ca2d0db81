"""PubMed's records (efetch), in several of the layouts that real records have, all valid by NLM's DTD of 2025.

DTD: https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from datetime import date
from xml.etree.ElementTree import Element

from infra.local.sandbox.facts import Fact, variant
from infra.local.sandbox.orcids import orcid_of
from infra.local.sandbox.pubmed.elements import add_data_banks, add_subjects, put
from infra.local.sandbox.pubmed.index import initials, paper_day
from infra.local.sandbox.pubmed.vocabulary import TYPE_IDS, language, publication_types, title_abbreviation

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
NOTICES = {"retracted": "RetractionIn", "corrected": "ErratumIn", "concern": "ExpressionOfConcernIn"}
REVISED = "2026-01-15"  # of every record, not the publication date


def record(fact: Fact) -> Element:
    """Return a PubmedArticle, or a PubmedBookArticle for a chapter."""
    return _book(fact) if fact.type.startswith("book") else _article(fact)


def _article(fact: Fact) -> Element:
    root = Element("PubmedArticle")
    citation = put(root, "MedlineCitation", Status="MEDLINE", Owner="NLM")
    put(citation, "PMID", fact.pmid, Version="1")
    _date(put(citation, "DateRevised"), REVISED, named=False)
    article = put(citation, "Article", PubModel="Print-Electronic")
    _journal(article, fact)
    _title(article, fact)
    in_elocation = bool(fact.doi) and variant(fact, 37) != 0  # otherwise the DOI is only in the ArticleIdList
    if fact.pages or not in_elocation:
        put(put(article, "Pagination"), "MedlinePgn", _shortened(fact.pages or ""))
    if in_elocation:
        put(article, "ELocationID", fact.doi, EIdType="doi", ValidYN="Y")
    if fact.abstract:
        abstract = put(article, "Abstract")
        text = put(abstract, "AbstractText", **({} if variant(fact, 9) else {"Label": "UNLABELLED"}))
        _text(text, fact.abstract, italics=variant(fact, 5) == 0)
        if variant(fact, 4) == 0:
            put(abstract, "CopyrightInformation", "Copyright of its owners.")
    _authors(article, fact)
    code = language(fact)[0]
    put(article, "Language", code if variant(fact, 17) else code.upper())
    add_data_banks(article, fact)
    kinds = put(article, "PublicationTypeList")
    for kind in publication_types(fact):
        put(kinds, "PublicationType", kind, UI=TYPE_IDS[kind])
    if fact.title_translated:
        put(article, "VernacularTitle", f"{fact.title}.")
    info = put(citation, "MedlineJournalInfo")
    put(info, "MedlineTA", title_abbreviation(fact.journal or "Not listed"))
    if fact.issn:
        put(info, "ISSNLinking", fact.issn)
    _notes(citation, fact)
    add_subjects(citation, fact)
    _data(put(root, "PubmedData"), fact, in_elocation=in_elocation)
    return root


def _journal(article: Element, fact: Fact) -> None:
    journal = put(article, "Journal")
    if fact.issn:
        put(journal, "ISSN", fact.issn, IssnType="Electronic")
    issue = put(journal, "JournalIssue", CitedMedium="Internet")
    for tag, value in (("Volume", fact.volume), ("Issue", fact.issue)):
        if value:
            put(issue, tag, value)
    date = fact.publication_date or str(fact.year or "")
    named = bool(variant(fact, 2))
    _date(put(issue, "PubDate"), date, named=named, span=len(date) == 4 and not variant(fact, 4))
    if fact.journal:
        put(journal, "Title", fact.journal)
        put(journal, "ISOAbbreviation", title_abbreviation(fact.journal))


def _date(parent: Element, date: str, *, named: bool, span: bool = False) -> None:
    """Add year, month and day as far as they are known, or a span of months as MedlineDate."""
    if not date:
        put(parent, "MedlineDate", "Date unknown")
        return
    year, month, day = (date.split("-") + [""] * 2)[:3]
    if span:
        put(parent, "MedlineDate", f"{year} Nov-Dec")
        return
    put(parent, "Year", year)
    if month:
        put(parent, "Month", MONTHS[int(month) - 1] if named else month)
    if day:
        put(parent, "Day", day)


def _title(parent: Element, fact: Fact) -> None:
    """Add the title with a full stop: a translated title in brackets, sometimes the first word in italics."""
    title = (fact.title_translated or fact.title).removesuffix(".")
    shown = f"[{title}]." if fact.title_translated else f"{title}."
    _text(put(parent, "ArticleTitle"), shown, italics=not fact.title_translated and variant(fact, 31) == 0)


def _text(element: Element, text: str, *, italics: bool) -> None:
    """Set a text, sometimes with its first word in italics."""
    first, blank, rest = text.partition(" ")
    if italics and blank:
        put(element, "i", first).tail = f" {rest}"
    else:
        element.text = text


def _shortened(pages: str) -> str:
    """Shorten `1825-1834` to `1825-34`."""
    found = re.fullmatch(r"(\d*?)(\d+)-\1(\d+)", pages)
    return f"{found[1]}{found[2]}-{found[3]}" if found and len(found[2]) == len(found[3]) else pages


def _authors(parent: Element, fact: Fact) -> None:
    """Add groups with one name, people with or without a forename, and sometimes a misspelt name marked as invalid."""
    if not fact.authors:
        return
    incomplete = fact.author_count is not None and fact.author_count > len(fact.authors)
    people = put(parent, "AuthorList", CompleteYN="N" if incomplete else "Y", **_authors_role(fact))
    for family, given in fact.authors:
        author = put(people, "Author", ValidYN="Y")
        if not family or not given:
            put(author, "LastName" if family else "CollectiveName", family or given)
            continue
        put(author, "LastName", family)
        put(author, "ForeName", given)
        put(author, "Initials", initials(given))
        if orcid := orcid_of(family, given):
            put(author, "Identifier", orcid, Source="ORCID")
    if variant(fact, 23) == 0:
        put(put(people, "Author", ValidYN="N"), "LastName", "Misspelt")


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
    notes = put(citation, "CommentsCorrectionsList") if found else citation
    for relation, doi, pmid in found:
        server = "bioRxiv" if relation == "UpdateOf" else "J Ex"
        note = put(notes, "CommentsCorrections", RefType=relation)
        put(note, "RefSource", f"{server}. {fact.year};1(1):1.{f' doi: {doi}.' if doi else ''}")
        if pmid:
            put(note, "PMID", pmid, Version="1")


def _data(data: Element, fact: Fact, *, in_elocation: bool) -> None:
    """Add the record's history, the paper's own ids, and its references with theirs, in lists of the same name."""
    _history(data, fact)
    put(data, "PublicationStatus", "ppublish")
    ids = put(data, "ArticleIdList")
    put(ids, "ArticleId", fact.pmid, IdType="pubmed")
    if fact.pmcid:
        put(ids, "ArticleId", fact.pmcid, IdType="pmc")
    if fact.doi and (variant(fact, 30) != 0 or not in_elocation):  # otherwise it is only in ELocationID
        put(ids, "ArticleId", fact.doi, IdType="doi")
    references = put(data, "ReferenceList") if fact.references else data
    for name in fact.references:
        _reference(put(references, "Reference"), name)


def _history(data: Element, fact: Fact) -> None:
    """Add the days on which the record came: the corpus knows the day of publication only."""
    day = paper_day(fact) or date(2000, 1, 1)
    dates = put(data, "History")
    for status in ("entrez", "pubmed", "medline"):
        one = put(dates, "PubMedPubDate", PubStatus=status)
        for tag, value in (("Year", day.year), ("Month", day.month), ("Day", day.day), ("Hour", 6), ("Minute", 0)):
            put(one, tag, str(value))


def _reference(cited: Element, name: str) -> None:
    """Add a printed reference and its ids; some have a text in place of the PMID, preprints have no ids."""
    put(cited, "Citation", f"Somebody A, et al. As cited under {name}.")
    if name.startswith("arXiv:"):
        return
    ids = put(cited, "ArticleIdList")
    if name.startswith("10."):
        put(ids, "ArticleId", name, IdType="doi")
    if name.startswith("PMID:"):
        put(ids, "ArticleId", name.removeprefix("PMID:"), IdType="pubmed")
    elif zlib.crc32(name.encode()) % 5 == 0:
        put(ids, "ArticleId", "NOT_FOUND;INVALID_JOURNAL", IdType="pubmed")


def _book(fact: Fact) -> Element:
    """Return a chapter: no MedlineCitation, a date besides the book's, editors in a list like the authors'."""
    root = Element("PubmedBookArticle")
    document = put(root, "BookDocument")
    put(document, "PMID", fact.pmid, Version="1")
    ids = put(document, "ArticleIdList")
    for kind, value in (("bookaccession", f"NBK{fact.pmid}"), ("doi", fact.doi), ("pmc", fact.pmcid)):
        if value:
            put(ids, "ArticleId", value, IdType=kind)
    book = put(document, "Book")
    put(put(book, "Publisher"), "PublisherName", "A publisher of books")
    put(book, "BookTitle", fact.journal or "Collected chapters")
    put(put(book, "PubDate"), "Year", str(fact.year or 2000))
    put(put(put(book, "AuthorList", Type="editors"), "Author"), "LastName", "Editor")
    if fact.volume:
        put(book, "Volume", fact.volume)
    _title(document, fact)
    if fact.pages:
        put(put(document, "Pagination"), "MedlinePgn", fact.pages)
    put(document, "Language", "eng")
    _authors(document, fact)
    if fact.abstract:
        put(put(document, "Abstract"), "AbstractText", fact.abstract)
    date = fact.publication_date or (str(fact.year) if fact.year else None)
    if date:
        _date(put(document, "ContributionDate"), date, named=False)
    data = put(root, "PubmedBookData")
    _history(data, fact)
    put(data, "PublicationStatus", "ppublish")
    put(put(data, "ArticleIdList"), "ArticleId", fact.pmid, IdType="pubmed")
    return root
