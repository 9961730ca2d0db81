"""Semantic Scholar's records, with the real API's quirks."""

from __future__ import annotations

import zlib
from typing import Any

from infra.local.sandbox.facts import Fact, variant

TYPES = {
    "journal-article": ["JournalArticle"], "review": ["Review", "JournalArticle"], "preprint": ["JournalArticle"],
    "conference-paper": ["JournalArticle", "Conference"], "book-chapter": ["BookSection"],
    "editorial": ["Editorial"], "letter": ["LettersAndComments"], "systematic-review": ["Review", "JournalArticle"],
    "meta-analysis": ["MetaAnalysis", "JournalArticle"],
    "randomized-controlled-trial": ["ClinicalTrial", "JournalArticle"],
}  # fmt: skip


def is_withheld(fact: Fact) -> bool:
    """Return whether the publisher, Springer, withholds the abstract and the references."""
    return (fact.doi or "").lower().startswith("10.1007/")


def exact_date(fact: Fact) -> str | None:
    """Return the date, or None if only the month or the year is known."""
    date = fact.publication_date
    return date if date and len(date) == 10 else None


def record(fact: Fact, fields: list[str]) -> dict[str, Any]:
    """Return the requested fields; a missing tldr has no key."""
    values = all_fields(fact)
    return {name: values[name] for name in fields if name != "tldr" or values[name]}


def all_fields(fact: Fact) -> dict[str, Any]:
    """Return every field of a record that the provider may request."""
    server = "arXiv.org" if fact.arxiv_id and fact.type == "preprint" else ""
    return {
        "paperId": fact.s2_paper_id,
        "externalIds": external_ids(fact),
        "url": f"https://www.semanticscholar.org/paper/{fact.s2_paper_id}",
        "title": fact.title,
        "abstract": None if is_withheld(fact) else fact.abstract,
        "venue": server or (fact.journal if variant(fact, 3) and fact.journal else ""),
        "publicationVenue": None,
        "year": fact.year,
        "publicationDate": exact_date(fact),
        "journal": {"name": "ArXiv", "volume": f"abs/{fact.arxiv_id}"} if server else _journal(fact),
        "publicationTypes": TYPES.get(fact.type) if variant(fact, 5) else None,
        "authors": [
            {"authorId": str(zlib.crc32(name.encode())) if variant(fact, 4) else None, "name": name}
            for name in (" ".join(part for part in (given, family) if part) for family, given in fact.authors)
        ],
        "citationCount": fact.citation_count,
        "influentialCitationCount": None,
        "isOpenAccess": fact.is_open_access,
        "openAccessPdf": _pdf(fact),
        "tldr": {"model": "tldr@v2.0.0", "text": fact.abstract} if fact.abstract and variant(fact, 2) else None,
    }


def external_ids(fact: Fact) -> dict[str, Any]:
    """Return the ids: strings except CorpusId; DOIs in any letter case, PMC ids without their prefix."""
    arxiv = fact.arxiv_id or next((name[6:] for name in fact.versions if name.startswith("arXiv:")), None)
    doi, pmc = fact.doi or "", (fact.pmcid or "").removeprefix("PMC")
    known = {"DOI": doi if variant(fact, 3) else doi.upper(), "ArXiv": arxiv, "PubMed": fact.pmid, "PubMedCentral": pmc}
    return {**{name: value for name, value in known.items() if value}, "CorpusId": variant(fact, 2**32)}


def _journal(fact: Fact) -> dict[str, str] | None:
    if not fact.journal and not fact.pages:
        return None
    spaced = (fact.pages or "").replace("-", " - ")
    pages = f"\n          {spaced}\n        " if spaced and not variant(fact, 4) else spaced
    volume = f"{fact.volume or ''} {fact.issue or ''}".strip()
    return {"name": fact.journal or "", "pages": pages, "volume": volume}


def _pdf(fact: Fact) -> dict[str, Any] | None:
    """Return one of the five forms of `openAccessPdf`; an empty url means that there is no copy."""
    note = f"Notice: Paper or abstract available at https://arxiv.org/abs/{fact.arxiv_id}, see its terms."
    page = {"disclaimer": note} if fact.arxiv_id else {}
    if fact.oa_url:
        shape = ({}, {"license": "CCBY"}, {"license": "CCBY", **page})[variant(fact, 3)]
        return {"url": fact.oa_url, "status": "GREEN" if fact.arxiv_id else "GOLD", **shape}
    status = "CLOSED" if fact.is_open_access is False else None
    return {"url": "", "status": status, "license": None, **page} if variant(fact, 3) else None
