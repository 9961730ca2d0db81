"""Documents about the cited papers in the formats that databases and reference managers export."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from html import escape
from textwrap import wrap

from infra.local.sandbox.facts import Fact
from tests.unit.documents.corpus_documents import names

_STYLE = '<style face="normal" font="default" size="100%">'


def endnote(facts: Sequence[Fact], years: Sequence[int]) -> str:
    def styled(text: object) -> str:
        return f"{_STYLE}{escape(str(text))}</style>"

    records = "".join(
        f'<record><database name="My.enl" path="My.enl">My.enl</database><rec-number>{number}</rec-number>'
        f'<foreign-keys><key app="EN" db-id="s">{number}</key></foreign-keys>'
        '<ref-type name="Journal Article">17</ref-type><contributors><authors>'
        + "".join(f"<author>{styled(', '.join(name))}</author>" for name in names(fact))
        + f"</authors><secondary-authors><author>{styled('Editor, Ann')}</author></secondary-authors></contributors>"
        f"<titles><title>{styled(fact.title)}</title><secondary-title>{styled(fact.journal)}</secondary-title></titles>"
        f"<periodical><full-title>{styled(fact.journal)}</full-title></periodical><pages>{styled(fact.pages)}</pages>"
        f"<volume>{styled(fact.volume)}</volume><dates><year>{styled(year)}</year></dates><urls></urls>"
        f"<electronic-resource-num>{styled(fact.doi)}</electronic-resource-num></record>"
        for number, (fact, year) in enumerate(zip(facts, years, strict=True), 1)
    )
    return f'<?xml version="1.0" encoding="UTF-8" ?><xml><records>{records}</records></xml>'


def pubmed(facts: Sequence[Fact], years: Sequence[int]) -> str:
    return "\n\n\n".join(
        f"{number}. {fact.journal}. {year} Dec 5;{fact.volume}:{fact.pages}. doi: \n{fact.doi}.\n\n"
        + "\n".join(wrap(f"{fact.title}.", 79))
        + "\n\n"
        + ", ".join(f"{family} {given[0]}(1)" for family, given in names(fact))
        + ".\n\nAuthor information:\n(1)Department of 2015, University.\n\n"
        "2. Here an abstract counts its findings, in 1999.\n\n"
        f"DOI: {fact.doi}\nPMID: {1234567 + number} [Indexed for MEDLINE]"
        for number, (fact, year) in enumerate(zip(facts, years, strict=True), 1)
    )


def web_of_science(facts: Sequence[Fact], years: Sequence[int]) -> str:
    records = "\n".join(
        "PT J\nAU "
        + "\n   ".join(f"{family}, {given[0]}" for family, given in names(fact))
        + "\nAF "
        + "\n   ".join(", ".join(name) for name in names(fact))
        + "\nTI "
        + "\n   ".join(wrap(fact.title, 77))
        + f"\nSO {str(fact.journal).upper()}\nCR Doe J, 2001, J NEUROCHEM, V1, P1, DOI 10.1000/cited\nPY {year}\n"
        f"VL {fact.volume}\nBP {str(fact.pages).partition('-')[0]}\nDI {fact.doi}\nER\n"
        for fact, year in zip(facts, years, strict=True)
    )
    return f"FN Clarivate Analytics Web of Science\nVR 1.0\n{records}\nEF"


_ABSTRACT = "\n      ".join(f"{number}. Here an abstract counts {number} mice in 1999;" for number in range(1, 60))


def nbib(facts: Sequence[Fact], years: Sequence[int]) -> str:
    return "\n\n".join(
        f"PMID- {1234567 + number}\nOWN - NLM\nSTAT- MEDLINE\nIS  - 1540-9538 (Electronic)\nVI  - {fact.volume}\n"
        f"DP  - {year} Dec 5\nTI  - " + "\n      ".join(wrap(fact.title, 79)) + f"\nPG  - {fact.pages}\n"
        f"LID - {fact.doi} [doi]\nAB  - {_ABSTRACT}\nFAU - "
        + "\nFAU - ".join(f"{family}, {given}\nAU  - {family} {given[0]}" for family, given in names(fact))
        + f"\nLA  - eng\nJT  - {fact.journal}\nMH  - *Mice/metabolism\nPHST- {year}/09/15 06:00 [pubmed]"
        for number, (fact, year) in enumerate(zip(facts, years, strict=True), 1)
    )


def refer(facts: Sequence[Fact], years: Sequence[int]) -> str:
    return "\n\n".join(
        "%0 Journal Article\n%A "
        + "\n%A ".join(", ".join(name) for name in names(fact))
        + f"\n%D {year}\n%T {fact.title}\n%J {fact.journal}\n%V {fact.volume}\n%P {fact.pages}\n%R {fact.doi}\n"
        f"%X {_ABSTRACT}"
        for fact, year in zip(facts, years, strict=True)
    )


# The header of an export with the fields of its columns; "" for one that says nothing about the reference.
_HEADERS = {
    "zotero": ("Key:n,Item Type:,Publication Year:year,Author:full,Title:title,Publication Title:journal,ISBN:,DOI:doi,"
               "Url:,Abstract Note:long,Date:,Pages:pages,Issue:,Volume:volume"),
    "scopus": ("Authors:,Author full names:numbered,Author(s) ID:,Title:title,Year:year,Source title:journal,"
               "Volume:volume,Issue:,Art. No.:,Page start:first,Page end:last,Cited by:n,DOI:doi,Source:scopus"),
    "pubmed": ("PMID:n,Title:title,Authors:short,Citation:citation,First Author:,Journal/Book:journal,"
               "Publication Year:year,Create Date:,PMCID:,DOI:doi"),
    "web of science": "PT:,AU:,AF:full,TI:title,SO:journal,PY:year,VL:volume,BP:first,EP:last,AR:,DI:doi,PM:n",
    "of its own": "citation_key:n,title:title,authors:full,year:year,journal:journal,volume:volume,pages:pages,doi:doi",
}  # fmt: skip
TABLES = tuple(_HEADERS)


def table(facts: Sequence[Fact], years: Sequence[int], like: str, separator: str = ",", end: str = "\r\n") -> str:
    out = io.StringIO()
    columns = [column.split(":") for column in _HEADERS[like].split(",")]
    rows = csv.writer(out, delimiter=separator, lineterminator=end)
    rows.writerow(name for name, _ in columns)
    for number, (fact, year) in enumerate(zip(facts, years, strict=True), 1):
        first, _, last = str(fact.pages).partition("-")
        cells: dict[str, object] = {
            "": "", "n": 1234567 + number, "title": fact.title, "year": year, "journal": fact.journal, "doi": fact.doi,
            "volume": fact.volume, "pages": fact.pages, "first": first, "last": last, "scopus": "Scopus",
            "long": 'One; two, 1999.\nThree "four".',
            "full": "; ".join(", ".join(name) for name in names(fact)),
            "numbered": "; ".join(f"{', '.join(name)} (57{at})" for at, name in enumerate(names(fact))),
            "short": ", ".join(f"{family} {given[0]}" for family, given in names(fact)) + ".",
            "citation": f"{fact.journal}. {year} Dec 5;{fact.volume}:{fact.pages}. doi: {fact.doi}.",
        }  # fmt: skip
        rows.writerow(cells[cell] for _, cell in columns)
    return out.getvalue()
