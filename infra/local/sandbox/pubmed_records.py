"""PubMed's records (efetch), in several of the layouts that real records have, all valid by NLM's DTD of 2025.

DTD: https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from datetime import date
from xml.etree.ElementTree import Element, SubElement

from infra.local.sandbox.facts import Fact, variant
from infra.local.sandbox.pubmed_index import initials, paper_day
from infra.local.sandbox.pubmed_vocabulary import MESH, TYPE_IDS, language, publication_types, title_abbreviation

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
NOTICES = {"retracted": "RetractionIn", "corrected": "ErratumIn", "concern": "ExpressionOfConcernIn"}
REVISED = "2026-01-15"  # of every record, not the publication date


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
    _date(_put(citation, "DateRevised"), REVISED, named=False)
    article = _put(citation, "Article", PubModel="Print-Electronic")
    _journal(article, fact)
    _title(article, fact)
    in_elocation = bool(fact.doi) and variant(fact, 37) != 0  # otherwise the DOI is only in the ArticleIdList
    if fact.pages or not in_elocation:
        _put(_put(article, "Pagination"), "MedlinePgn", _shortened(fact.pages or ""))
    if in_elocation:
        _put(article, "ELocationID", fact.doi, EIdType="doi", ValidYN="Y")
    if fact.abstract:
        abstract = _put(article, "Abstract")
        text = _put(abstract, "AbstractText", **({} if variant(fact, 9) else {"Label": "UNLABELLED"}))
        _text(text, fact.abstract, italics=variant(fact, 5) == 0)
        if variant(fact, 4) == 0:
            _put(abstract, "CopyrightInformation", "Copyright of its owners.")
    _authors(article, fact)
    code = language(fact)[0]
    _put(article, "Language", code if variant(fact, 17) else code.upper())
    kinds = _put(article, "PublicationTypeList")
    for kind in publication_types(fact):
        _put(kinds, "PublicationType", kind, UI=TYPE_IDS[kind])
    if fact.title_translated:
        _put(article, "VernacularTitle", f"{fact.title}.")
    info = _put(citation, "MedlineJournalInfo")
    _put(info, "MedlineTA", title_abbreviation(fact.journal or "Not listed"))
    if fact.issn:
        _put(info, "ISSNLinking", fact.issn)
    _notes(citation, fact)
    _subjects(citation, fact)
    _data(_put(root, "PubmedData"), fact, in_elocation=in_elocation)
    return root


def _subjects(citation: Element, fact: Fact) -> None:
    """Add MeSH headings and the authors' keywords."""
    if fact.mesh:
        headings = _put(citation, "MeshHeadingList")
        for place, heading in enumerate(fact.mesh):
            id = MESH[heading][0] if heading in MESH else "D000000"
            _put(_put(headings, "MeshHeading"), "DescriptorName", heading, UI=id, MajorTopicYN="N" if place else "Y")
    if fact.keywords:
        keywords = _put(citation, "KeywordList", Owner="NOTNLM")
        for keyword in fact.keywords:
            _put(keywords, "Keyword", keyword, MajorTopicYN="N")


def _journal(article: Element, fact: Fact) -> None:
    journal = _put(article, "Journal")
    if fact.issn:
        _put(journal, "ISSN", fact.issn, IssnType="Electronic")
    issue = _put(journal, "JournalIssue", CitedMedium="Internet")
    for tag, value in (("Volume", fact.volume), ("Issue", fact.issue)):
        if value:
            _put(issue, tag, value)
    date = fact.publication_date or str(fact.year or "")
    named = bool(variant(fact, 2))
    _date(_put(issue, "PubDate"), date, named=named, span=len(date) == 4 and not variant(fact, 4))
    if fact.journal:
        _put(journal, "Title", fact.journal)
        _put(journal, "ISOAbbreviation", title_abbreviation(fact.journal))


def _date(parent: Element, date: str, *, named: bool, span: bool = False) -> None:
    """Add year, month and day as far as they are known, or a span of months as MedlineDate."""
    if not date:
        _put(parent, "MedlineDate", "Date unknown")
        return
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
    shown = f"[{title}]." if fact.title_translated else f"{title}."
    _text(_put(parent, "ArticleTitle"), shown, italics=not fact.title_translated and variant(fact, 31) == 0)


def _text(element: Element, text: str, *, italics: bool) -> None:
    """Set a text, sometimes with its first word in italics."""
    first, blank, rest = text.partition(" ")
    if italics and blank:
        _put(element, "i", first).tail = f" {rest}"
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
    people = _put(parent, "AuthorList", CompleteYN="N" if incomplete else "Y", **_authors_role(fact))
    for family, given in fact.authors:
        author = _put(people, "Author", ValidYN="Y")
        if not family or not given:
            _put(author, "LastName" if family else "CollectiveName", family or given)
            continue
        _put(author, "LastName", family)
        _put(author, "ForeName", given)
        _put(author, "Initials", initials(given))
    if variant(fact, 23) == 0:
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


def _data(data: Element, fact: Fact, *, in_elocation: bool) -> None:
    """Add the record's history, the paper's own ids, and its references with theirs, in lists of the same name."""
    _history(data, fact)
    _put(data, "PublicationStatus", "ppublish")
    ids = _put(data, "ArticleIdList")
    _put(ids, "ArticleId", fact.pmid, IdType="pubmed")
    if fact.pmcid:
        _put(ids, "ArticleId", fact.pmcid, IdType="pmc")
    if fact.doi and (variant(fact, 30) != 0 or not in_elocation):  # otherwise it is only in ELocationID
        _put(ids, "ArticleId", fact.doi, IdType="doi")
    references = _put(data, "ReferenceList") if fact.references else data
    for name in fact.references:
        _reference(_put(references, "Reference"), name)


def _history(data: Element, fact: Fact) -> None:
    """Add the days on which the record came: the corpus knows the day of publication only."""
    day = paper_day(fact) or date(2000, 1, 1)
    dates = _put(data, "History")
    for status in ("entrez", "pubmed", "medline"):
        one = _put(dates, "PubMedPubDate", PubStatus=status)
        for tag, value in (("Year", day.year), ("Month", day.month), ("Day", day.day), ("Hour", 6), ("Minute", 0)):
            _put(one, tag, str(value))


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
    _put(_put(book, "Publisher"), "PublisherName", "A publisher of books")
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
    data = _put(root, "PubmedBookData")
    _history(data, fact)
    _put(data, "PublicationStatus", "ppublish")
    _put(_put(data, "ArticleIdList"), "ArticleId", fact.pmid, IdType="pubmed")
    return root
