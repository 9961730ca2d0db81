"""Europe PMC's records, core and lite, with the quirks of their ids, types and dates."""

from __future__ import annotations

import re
import zlib
from html import escape
from typing import Any

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact, variant
from shared.query.query import first_day

NAME = "europe_pmc"
TYPES = {
    "journal-article": ["research-article", "Journal Article"], "review": ["Review", "Journal Article"],
    "preprint": ["Preprint"], "erratum": ["Published Erratum", "correction"], "letter": ["Letter"],
    "retraction-notice": ["Retraction of Publication", "Journal Article"], "editorial": ["Editorial"],
    "conference-paper": ["Congress", "Journal Article"], "book-chapter": ["Book Chapter"],
    "systematic-review": ["Systematic Review", "Review", "Journal Article"],
    "meta-analysis": ["Meta-Analysis", "Journal Article"],
    "randomized-controlled-trial": ["Randomized Controlled Trial", "Journal Article"],
}  # fmt: skip
LANGUAGES = {
    "de": "ger", "en": "eng", "es": "spa", "fr": "fre", "it": "ita", "ka": "geo", "ko": "kor", "nl": "dut", "pl": "pol",
    "ru": "rus", "sv": "swe", "zh": "chi",
}  # fmt: skip
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
NOTICES = {"retracted": "Retraction in", "corrected": "Erratum in", "concern": "Expression of concern in"}
LITE = ("id", "source", "pmid", "pmcid", "fullTextIdList", "doi", "title", "authorString", "pubYear", "pageInfo",
        "isOpenAccess", "inEPMC", "inPMC", "hasPDF", "citedByCount", "hasReferences", "firstPublicationDate",
        "bookOrReportDetails")  # fmt: skip


def source(fact: Fact) -> str:
    """Return the collection of the record: MED, PMC or PPR. An id is unique only within it."""
    return "MED" if fact.pmid else "PMC" if fact.pmcid else "PPR"


def record_id(fact: Fact) -> str:
    """Return the id within the source; a preprint's is generated in a range without real ids."""
    return fact.pmid or fact.pmcid or f"PPR9{zlib.crc32((fact.doi or fact.title).encode()) % 10**7:07}"


def types(fact: Fact) -> list[str]:
    """Return the publication types of MEDLINE and PMC."""
    retracted = (fact.retraction or {}).get("status") == "retracted"
    return ["Retracted Publication"] * retracted + TYPES.get(fact.type, ["Journal Article"])


def language(fact: Fact) -> str | None:
    """Return MEDLINE's code, which every record of a journal has; that of a preprint is missing where it is unknown."""
    code = fact.language or ("en" if source(fact) != "PPR" else "")
    return LANGUAGES.get(code, fact.language)


def first_date(fact: Fact) -> str | None:
    """Return the date of first publication; a missing month or day becomes the first."""
    date = fact.publication_date or (str(fact.year) if fact.year else None)
    return first_day(date).isoformat() if date else None


def initials(given: str | None) -> str:
    """Return initials: `Daniel L` -> `DL`, `JM` -> `JM`."""
    return "".join(part if part.isupper() else part[0] for part in re.split(r"[\s.-]+", given or "") if part)


def lite_record(fact: Fact, corpus: Corpus) -> dict[str, Any]:
    """Return the short record: no abstract, and the journal's name and the types as plain strings."""
    record = core_record(fact, corpus)
    short = {name: record[name] for name in LITE if name in record}
    journal = {
        "journalTitle": fact.journal or "",
        "issue": fact.issue,
        "journalVolume": fact.volume,
        "journalIssn": f"{fact.issn}; " if fact.issn else None,
        "pubType": "; ".join(types(fact)).lower(),
    }
    return short | {name: value for name, value in journal.items() if value is not None}


def core_record(fact: Fact, corpus: Corpus) -> dict[str, Any]:
    """Return the long record; a field without a value is missing."""
    where, number, kinds = source(fact), record_id(fact), types(fact)
    names = [f"{family} {initials(given)}".strip() for family, given in fact.authors if family]
    record = {
        "id": number,
        "source": where,
        "pmid": fact.pmid,
        "pmcid": fact.pmcid,
        "doi": fact.doi.lower() if fact.doi else None,
        "title": _title(fact),
        "authorString": ", ".join(names) + "." if names else None,
        "authorList": {"author": [_author(*author) for author in fact.authors]} if fact.authors else None,
        **(_preprint(fact) if where == "PPR" else _journal(fact)),
        "pubYear": str(fact.year) if fact.year and (where != "PMC" or variant(fact, 2)) else None,
        "pageInfo": fact.pages,
        "abstractText": _abstract(fact),
        "language": language(fact),
        "pubTypeList": {"pubType": kinds if len(kinds) > 1 or variant(fact, 2) else kinds[0]},
        "keywordList": {"keyword": list(fact.keywords)} if fact.keywords else None,
        "meshHeadingList": _mesh(fact) if fact.mesh else None,
        "fullTextIdList": {"fullTextId": [fact.pmcid]} if fact.pmcid else None,
        "fullTextUrlList": {"fullTextUrl": _links(fact)} if _links(fact) else None,
        "isOpenAccess": "NY"[bool(fact.is_open_access)],
        "inEPMC": "NY"[bool(fact.pmcid)],
        "inPMC": "NY"[bool(fact.pmcid)],
        "hasPDF": "NY"[bool(fact.oa_url)],
        "hasReferences": "NY"[bool(fact.references)],
        "license": "cc by" if fact.is_open_access and variant(fact, 3) else None,
        "citedByCount": fact.citation_count,
        "commentCorrectionList": _relations(fact, corpus),
        "firstPublicationDate": first_date(fact) if where != "PPR" or _is_exact(fact) else None,
    }
    return {name: value for name, value in record.items() if value is not None}


def _is_exact(fact: Fact) -> bool:
    return len(fact.publication_date or "") == 10


def _title(fact: Fact) -> str:
    """Return the title with a final full stop, except a preprint's; sometimes with an initial in escaped italics."""
    if fact.title_translated:
        return f"[{fact.title_translated}]."
    title = fact.title
    if not variant(fact, 3):
        title = re.sub(r"\b[A-Za-z]{6,}\b", lambda word: escape(f"<i>{word[0]}</i>"), title, count=1)
    return title if source(fact) == "PPR" or title.endswith((".", "?", "!")) else f"{title}."


def _author(family: str | None, given: str | None) -> dict[str, str]:
    if family and " " in family and not given:
        return {"collectiveName": family}
    name = f"{family or ''} {initials(given)}".strip()
    fields = {"fullName": name, "lastName": family, "firstName": given, "initials": initials(given)}
    return {field: value for field, value in fields.items() if value}


def _preprint(fact: Fact) -> dict[str, Any]:
    """Return a preprint's details: it has no journal; its server is the publisher."""
    return {"bookOrReportDetails": {"publisher": fact.journal, "yearOfPublication": fact.year}}


def _journal(fact: Fact) -> dict[str, Any]:
    date = fact.publication_date or str(fact.year or "")
    year, month, day = [*date.split("-"), "", ""][:3]
    words = [year, MONTHS[int(month) - 1] if month else "", day.lstrip("0")]
    info = {
        "issue": fact.issue,
        "volume": fact.volume,
        "dateOfPublication": " ".join(word for word in words[: 2 if day and variant(fact, 2) else 3] if word) or None,
        "printPublicationDate": first_date(fact),
        "journal": {"title": fact.journal, **({"issn": fact.issn} if fact.issn else {})} if fact.journal else None,
    }
    electronic = {"electronicPublicationDate": date} if day else {}
    return {"journalInfo": {name: value for name, value in info.items() if value}, **electronic}


def _mesh(fact: Fact) -> dict[str, Any]:
    return {"meshHeading": [{"majorTopic_YN": "N", "descriptorName": name} for name in fact.mesh]}


def _abstract(fact: Fact) -> str | None:
    """Return the abstract; markup is not escaped, other special characters are."""
    if not fact.abstract:
        return None
    first, _, rest = fact.abstract.partition(" ")
    text = escape(fact.abstract, quote=False)
    return text if variant(fact, 2) else f"<i>{escape(first, quote=False)}</i> {escape(rest, quote=False)}"


def _links(fact: Fact) -> list[dict[str, str]]:
    found = []
    if fact.doi and source(fact) != "PPR":
        found.append({"availabilityCode": "S", "documentStyle": "doi", "site": "DOI",
                      "url": f"https://doi.org/{fact.doi}"})  # fmt: skip
    if fact.oa_url:
        site = "Europe_PMC" if "europepmc.org" in fact.oa_url else "Unpaywall"
        style = "pdf" if "pdf" in fact.oa_url else "html"
        code = "OA" if fact.is_open_access else "F"
        found.append({"availabilityCode": code, "documentStyle": style, "site": site, "url": fact.oa_url})
    return found


def _relations(fact: Fact, corpus: Corpus) -> dict[str, Any] | None:
    """Return notices by citation, and versions: a preprint has its article's PMID, an article the preprint's id."""
    found = []
    notice = fact.retraction or {}
    if notice.get("status") in NOTICES:
        doi = notice.get("notice_doi")
        linked = {"id": notice.get("notice_pmid"), "reference": f"J Notices. 2020;1:1. doi: {doi}." if doi else None}
        known = {name: value for name, value in linked.items() if value}
        found.append({"type": NOTICES[notice["status"]], "source": "MED", **known})
    for version in fact.versions:
        pmid = version.removeprefix("PMID:") if version.startswith("PMID:") else None
        other = corpus.find(NAME, pmid=pmid) if pmid else corpus.find(NAME, doi=version)
        if other and other.type == "preprint" and fact.type != "preprint":
            found.append({"type": "Preprint in", "source": "PPR", "id": record_id(other)})
        elif other and fact.type == "preprint" and other.type != "preprint":
            reference = {"reference": f"{other.journal}. {other.year}. doi: {other.doi}."} if other.doi else {}
            found.append({"type": "Preprint of", "source": source(other), "id": record_id(other), **reference})
    return {"commentCorrection": found} if found else None
