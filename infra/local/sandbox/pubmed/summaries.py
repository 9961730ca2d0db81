"""PubMed's summaries (esummary, in JSON and both kinds of XML), and its records as text in the MEDLINE format.

Manual: https://www.ncbi.nlm.nih.gov/books/NBK25499/#chapter4.ESummary; https://www.nlm.nih.gov/bsd/mms/medlineelements.html
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from xml.etree.ElementTree import Element, SubElement

from werkzeug import Response

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.pubmed.index import author_names, paper_day
from infra.local.sandbox.pubmed.records import MONTHS
from infra.local.sandbox.pubmed.vocabulary import language, publication_types, title_abbreviation
from infra.local.sandbox.pubmed.wire import HEAD, Args, as_json, as_xml, doctype, error, requested

NAME = "pubmed"
V2 = (
    '<!DOCTYPE eSummaryResult PUBLIC "-//NLM//DTD esummary pubmed 20160808//EN" '
    '"https://eutils.ncbi.nlm.nih.gov/eutils/dtd/20160808/esummary_pubmed.dtd">\n'
)
V1_DATES = {"PubDate", "EPubDate"}


def summaries(args: Args, corpus: Corpus) -> Response:
    """Answer one esummary; an unknown id has an error in its place."""
    ids, in_json = requested(args), args.get("retmode") == "json"
    if args.get("db", NAME) != NAME:
        message = f"Invalid db name specified: {args['db']}"
    else:
        message = "" if ids else "Empty id list - nothing todo"
    if message:
        return as_json({"ERROR": message}, "esummary") if in_json else error("eSummaryResult", message)
    found = {pmid: corpus.find(NAME, pmid=pmid) for pmid in ids}
    if in_json:
        unknown = "cannot get document summary"
        documents = {pmid: _summary(fact) if fact else {"uid": pmid, "error": unknown} for pmid, fact in found.items()}
        return as_json({"uids": list(found), **documents}, "esummary")
    facts = [fact for fact in found.values() if fact]
    if args.get("version") == "2.0":
        return as_xml(_second_version(facts), HEAD + V2)
    if not facts:
        return error("eSummaryResult", f"UID={ids[0]}: cannot get document summary", _first_head())
    return as_xml(_first_version(facts), _first_head())


def _first_head() -> str:
    return doctype("eSummaryResult", "esummary-v1", "20041029").replace("DTD esummary-v1 ", "DTD esummary v1 ")


def _printed_source(fact: Fact) -> str:
    """`J Immunol. 2016 Nov 23;3(2):11-9. doi: 10.…`, as far as it is known."""
    issue = f"{fact.volume or ''}{f'({fact.issue})' if fact.issue else ''}"
    place = f"{_printed_date(fact)}{f';{issue}' if issue else ''}{f':{fact.pages}' if fact.pages else ''}"
    parts = (title_abbreviation(fact.journal or ""), place, f"doi: {fact.doi}" if fact.doi else "")
    return " ".join(f"{part}." for part in parts if part)


def _printed_date(fact: Fact) -> str:
    """`2016 Nov 23`, as far as it is known."""
    year, month, number = [*(fact.publication_date or str(fact.year or "")).split("-"), "", ""][:3]
    return " ".join(filter(None, (year, MONTHS[int(month) - 1] if month else "", number.lstrip("0"))))


def _ids(fact: Fact) -> list[tuple[str, int, str]]:
    pmcid = f"pmc-id: {fact.pmcid};" if fact.pmcid else None
    ids = (("pubmed", 1, fact.pmid), ("pmc", 8, fact.pmcid), ("pmcid", 5, pmcid), ("doi", 3, fact.doi))
    return [(kind, number, value) for kind, number, value in ids if value]


def _summary(fact: Fact) -> dict[str, Any]:
    """One document summary; all values are text, missing ones are empty."""
    names, day = author_names(fact), paper_day(fact)
    title = f"[{fact.title_translated}]." if fact.title_translated else f"{fact.title.removesuffix('.')}."
    at = f"{day:%Y/%m/%d} 00:00" if day else ""
    return {
        "uid": fact.pmid, "pubdate": _printed_date(fact), "epubdate": "",
        "source": title_abbreviation(fact.journal or ""),
        "authors": [{"name": name, "authtype": "Author", "clusterid": ""} for name in names],
        "lastauthor": names[-1] if names else "", "title": title, "sorttitle": title.lower().strip("[]."),
        "volume": fact.volume or "", "issue": fact.issue or "", "pages": fact.pages or "", "lang": [language(fact)[0]],
        "nlmuniqueid": "", "issn": fact.issn or "", "essn": fact.issn or "", "pubtype": publication_types(fact),
        "recordstatus": "PubMed - indexed for MEDLINE", "pubstatus": "4",
        "articleids": [{"idtype": kind, "idtypen": number, "value": value} for kind, number, value in _ids(fact)],
        "history": [{"pubstatus": status, "date": at} for status in ("entrez", "pubmed", "medline")],
        "references": [], "attributes": ["Has Abstract"] if fact.abstract else [],
        "pmcrefcount": fact.citation_count or 0, "fulljournalname": fact.journal or "",
        "elocationid": f"doi: {fact.doi}" if fact.doi else "", "doctype": "citation", "srccontriblist": [],
        "booktitle": "", "medium": "", "edition": "", "publisherlocation": "", "publishername": "", "srcdate": "",
        "reportnumber": "", "availablefromurl": "", "locationlabel": "", "doccontriblist": [], "docdate": "",
        "bookname": "", "chapter": "", "sortpubdate": at, "sortfirstauthor": names[0] if names else "",
        "vernaculartitle": f"{fact.title}." if fact.title_translated else "",
    }  # fmt: skip


def _first_version(facts: Iterable[Fact]) -> Element:
    root = Element("eSummaryResult")
    for fact in facts:
        one, document = _summary(fact), SubElement(root, "DocSum")
        SubElement(document, "Id").text = fact.pmid
        texts = {"PubDate": one["pubdate"], "EPubDate": "", "Source": one["source"]}
        _items(document, texts)
        _item_list(document, "AuthorList", [("Author", author["name"]) for author in one["authors"]])
        _items(document, {"LastAuthor": one["lastauthor"], "Title": one["title"], "Volume": one["volume"],
                          "Issue": one["issue"], "Pages": one["pages"]})  # fmt: skip
        _item_list(document, "LangList", [("Lang", language(fact)[1].capitalize())])
        _items(document, {"NlmUniqueID": "", "ISSN": one["issn"], "ESSN": one["essn"]})
        _item_list(document, "PubTypeList", [("PubType", kind) for kind in one["pubtype"]])
        _items(document, {"RecordStatus": one["recordstatus"], "PubStatus": "ppublish"})
        _item_list(document, "ArticleIds", [(kind, value) for kind, _, value in _ids(fact)])
        _item_list(document, "History", [(it["pubstatus"], it["date"]) for it in one["history"]], "Date")
        _item_list(document, "References", [])
        _items(
            document, {"HasAbstract": str(int(bool(fact.abstract))), "PmcRefCount": str(one["pmcrefcount"])}, "Integer"
        )
        so = f"{one['pubdate']};{one['volume']}:{one['pages']}"
        _items(document, {"FullJournalName": one["fulljournalname"], "ELocationID": one["elocationid"], "SO": so})
        if fact.doi:
            _items(document, {"DOI": fact.doi})
    return root


def _items(parent: Element, texts: Mapping[str, str], kind: str = "String") -> None:
    for name, text in texts.items():
        SubElement(parent, "Item", Name=name, Type="Date" if name in V1_DATES else kind).text = text


def _item_list(parent: Element, name: str, values: Iterable[tuple[str, str]], kind: str = "String") -> None:
    holder = SubElement(parent, "Item", Name=name, Type="List")
    for item, text in values:
        SubElement(holder, "Item", Name=item, Type=kind).text = text


def _second_version(facts: Iterable[Fact]) -> Element:
    root = Element("eSummaryResult")
    documents = SubElement(root, "DocumentSummarySet", status="OK")
    names = {"pubdate": "PubDate", "source": "Source", "lastauthor": "LastAuthor", "title": "Title", "volume": "Volume",
             "issue": "Issue", "pages": "Pages", "issn": "ISSN", "essn": "ESSN", "fulljournalname": "FullJournalName",
             "elocationid": "ELocationID", "sortpubdate": "SortPubDate"}  # fmt: skip
    for fact in facts:
        one, document = _summary(fact), SubElement(documents, "DocumentSummary", uid=fact.pmid or "")
        for key, name in names.items():
            SubElement(document, name).text = one[key]
        authors = SubElement(document, "Authors")
        for author in one["authors"]:
            SubElement(SubElement(authors, "Author"), "Name").text = author["name"]
        ids = SubElement(document, "ArticleIds")
        for kind, number, value in _ids(fact):
            article_id = SubElement(ids, "ArticleId")
            for name, text in (("IdType", kind), ("IdTypeN", str(number)), ("Value", value)):
                SubElement(article_id, name).text = text
    return root


def medline(fact: Fact) -> str:
    """Return a record in the MEDLINE format: a tag of up to four letters, `- ` and the value on each line."""
    lines = [
        ("PMID", fact.pmid), ("STAT", "MEDLINE"), ("DP", _printed_date(fact)),
        ("TI", fact.title_translated or fact.title),
        ("TT", fact.title if fact.title_translated else None), ("PG", fact.pages), ("VI", fact.volume),
        ("IP", fact.issue), ("LID", f"{fact.doi} [doi]" if fact.doi else None), ("AB", fact.abstract),
        *(("FAU", ", ".join(filter(None, name))) for name in fact.authors), *(("AU", it) for it in author_names(fact)),
        ("LA", language(fact)[0]), *(("PT", kind) for kind in publication_types(fact)),
        ("TA", title_abbreviation(fact.journal or "")),
        ("JT", fact.journal), ("IS", f"{fact.issn} (Electronic)" if fact.issn else None),
        *(("MH", heading) for heading in fact.mesh), *(("OT", keyword) for keyword in fact.keywords),
        ("PMC", fact.pmcid), ("AID", f"{fact.doi} [doi]" if fact.doi else None), ("SO", _printed_source(fact)),
    ]  # fmt: skip
    return "".join(f"{tag:<4}- {' '.join(str(value).split())}\n" for tag, value in lines if value)
