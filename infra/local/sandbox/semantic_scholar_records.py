"""Semantic Scholar's records over the corpus, with the real API's oddities."""

from __future__ import annotations

import zlib
from typing import Any

from infra.local.sandbox.corpus import Fact

TYPES = {
    "journal-article": ["JournalArticle"], "review": ["Review", "JournalArticle"], "preprint": ["JournalArticle"],
    "conference-paper": ["JournalArticle", "Conference"], "book-chapter": ["BookSection"],
    "editorial": ["Editorial"], "letter": ["LettersAndComments"],
}  # fmt: skip


def is_withheld(fact: Fact) -> bool:
    """Whether its publisher, Springer, lets nobody see its abstract and its references."""
    return (fact.doi or "").lower().startswith("10.1007/")


def exact_date(fact: Fact) -> str | None:
    """The day, or None where only the month or the year is known."""
    told = fact.publication_date
    return told if told and len(told) == 10 else None


def _dice(fact: Fact, sides: int) -> int:
    return zlib.crc32(fact.title.encode()) % sides


def record(fact: Fact, fields: list[str]) -> dict[str, Any]:
    """The fields that were asked for; a missing tldr has no key."""
    told = whole(fact)
    return {name: told[name] for name in fields if name != "tldr" or told[name]}


def whole(fact: Fact) -> dict[str, Any]:
    """Every field of a record that the provider's code may ask for."""
    server = "arXiv.org" if fact.arxiv_id and fact.type == "preprint" else ""
    return {
        "paperId": fact.s2_paper_id,
        "externalIds": external_ids(fact),
        "url": f"https://www.semanticscholar.org/paper/{fact.s2_paper_id}",
        "title": fact.title,
        "abstract": None if is_withheld(fact) else fact.abstract,
        "venue": server or (fact.journal if _dice(fact, 3) and fact.journal else ""),
        "publicationVenue": None,
        "year": fact.year,
        "publicationDate": exact_date(fact),
        "journal": {"name": "ArXiv", "volume": f"abs/{fact.arxiv_id}"} if server else _journal(fact),
        "publicationTypes": TYPES.get(fact.type) if _dice(fact, 5) else None,
        "authors": [
            {"authorId": str(zlib.crc32(name.encode())) if _dice(fact, 4) else None, "name": name}
            for name in (" ".join(part for part in (given, family) if part) for family, given in fact.authors)
        ],
        "citationCount": fact.citation_count,
        "influentialCitationCount": None,
        "isOpenAccess": fact.is_open_access,
        "openAccessPdf": _pdf(fact),
        "tldr": {"model": "tldr@v2.0.0", "text": fact.abstract} if fact.abstract and _dice(fact, 2) else None,
    }


def external_ids(fact: Fact) -> dict[str, Any]:
    """All strings but CorpusId; DOIs in any case, PMC numbers without their letters."""
    arxiv = fact.arxiv_id or next((name[6:] for name in fact.versions if name.startswith("arXiv:")), None)
    doi, pmc = fact.doi or "", (fact.pmcid or "").removeprefix("PMC")
    known = {"DOI": doi if _dice(fact, 3) else doi.upper(), "ArXiv": arxiv, "PubMed": fact.pmid, "PubMedCentral": pmc}
    return {**{name: value for name, value in known.items() if value}, "CorpusId": _dice(fact, 2**32)}


def _journal(fact: Fact) -> dict[str, str] | None:
    if not fact.journal and not fact.pages:
        return None
    spaced = (fact.pages or "").replace("-", " - ")
    pages = f"\n          {spaced}\n        " if spaced and not _dice(fact, 4) else spaced
    volume = f"{fact.volume or ''} {fact.issue or ''}".strip()
    return {"name": fact.journal or "", "pages": pages, "volume": volume}


def _pdf(fact: Fact) -> dict[str, Any] | None:
    """The five shapes of `openAccessPdf`; an empty url means that there is none."""
    note = f"Notice: Paper or abstract available at https://arxiv.org/abs/{fact.arxiv_id}, see its terms."
    page = {"disclaimer": note} if fact.arxiv_id else {}
    if fact.oa_url:
        shape = ({}, {"license": "CCBY"}, {"license": "CCBY", **page})[_dice(fact, 3)]
        return {"url": fact.oa_url, "status": "GREEN" if fact.arxiv_id else "GOLD", **shape}
    status = "CLOSED" if fact.is_open_access is False else None
    return {"url": "", "status": status, "license": None, **page} if _dice(fact, 3) else None
