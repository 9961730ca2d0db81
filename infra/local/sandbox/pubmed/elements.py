"""Parts of PubMed's records that say what a paper is about: subjects, and numbers in data banks."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement

from infra.local.sandbox.facts import Fact, variant
from infra.local.sandbox.pubmed.vocabulary import MESH


def put(parent: Element, tag: str, text: str | None = None, **attributes: str) -> Element:
    """Add an element with this text and return it."""
    child = SubElement(parent, tag, attributes)
    child.text = text
    return child


def add_subjects(citation: Element, fact: Fact) -> None:
    """Add MeSH headings and the authors' keywords."""
    if fact.mesh:
        headings = put(citation, "MeshHeadingList")
        for place, heading in enumerate(fact.mesh):
            id = MESH[heading][0] if heading in MESH else "D000000"
            put(put(headings, "MeshHeading"), "DescriptorName", heading, UI=id, MajorTopicYN="N" if place else "Y")
    if fact.keywords:
        keywords = put(citation, "KeywordList", Owner="NOTNLM")
        for keyword in fact.keywords:
            put(keywords, "Keyword", keyword, MajorTopicYN="N")


def add_data_banks(article: Element, fact: Fact) -> None:
    """Add the numbers in data banks: of few papers that report a trial its number, and of some that of a sequence."""
    if not fact.nct or variant(fact, 7) > 1:
        return
    banks = put(article, "DataBankList", CompleteYN="Y")
    numbers = {"ClinicalTrials.gov": fact.nct, **({} if variant(fact, 3) else {"GENBANK": "AF123456"})}
    for name, number in numbers.items():
        bank = put(banks, "DataBank")
        put(bank, "DataBankName", name)
        put(put(bank, "AccessionNumberList"), "AccessionNumber", number)
