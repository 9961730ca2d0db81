"""Semantic Scholar's records, with the real API's quirks."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from typing import Any

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact, variant
from infra.local.sandbox.semantic_scholar.fields import subfields

NAME = "semantic_scholar"
TYPES = {
    "journal-article": ["JournalArticle"], "review": ["Review", "JournalArticle"], "preprint": ["JournalArticle"],
    "conference-paper": ["JournalArticle", "Conference"], "book-chapter": ["BookSection"],
    "editorial": ["Editorial"], "letter": ["LettersAndComments"], "systematic-review": ["Review", "JournalArticle"],
    "meta-analysis": ["MetaAnalysis", "JournalArticle"],
    "randomized-controlled-trial": ["ClinicalTrial", "JournalArticle"],
}  # fmt: skip
STUDIED = {
    "transformers-llm": ["Computer Science"], "retrieval-rag-ir": ["Computer Science"],
    "protein-structure-prediction": ["Biology", "Computer Science"], "climate-glacier": ["Environmental Science"],
    "crispr-gene-editing": ["Biology", "Medicine"], "trem2-microglia-alzheimer": ["Medicine", "Biology"],
    "covid-19": ["Medicine"], "systematic-reviews-meta-analysis": ["Medicine"],
}  # fmt: skip
VECTOR = [0.25, -0.5, 0.125, 1.0]  # of 768 numbers in the real API


def is_withheld(fact: Fact) -> bool:
    """Return whether the publisher, Springer, withholds the abstract and the references."""
    return (fact.doi or "").lower().startswith("10.1007/")


def exact_date(fact: Fact) -> str | None:
    """Return the date, or None if only the month or the year is known."""
    date = fact.publication_date
    return date if date and len(date) == 10 else None


def record(corpus: Corpus, fact: Fact, fields: list[str]) -> dict[str, Any]:
    """Return the requested fields; a missing tldr has no key. `authors.name` gives authors with their ids and names."""
    values: dict[str, Any] = {}
    for root in dict.fromkeys(name.partition(".")[0] for name in fields):
        if root in ("citations", "references"):
            others = (corpus.citing if root == "citations" else corpus.cited)(NAME, fact)
            wanted = ["paperId", *subfields(fields, root, ("title",))]
            values[root] = [record(corpus, other, wanted) for other in others]
        elif root == "authors":
            values[root] = [_author(fact, name, subfields(fields, root, ("name",))) for name in author_names(fact)]
        elif root == "embedding":
            model = "specter_v2" if "embedding.specter_v2" in fields else "specter_v1"
            values[root] = {"model": model, "vector": VECTOR}
        elif root != "tldr" or (fact.abstract and variant(fact, 2)):
            values[root] = field_value(fact, root)
    return values


def field_value(fact: Fact, name: str) -> Any:
    """Return a field that is neither a list of other records nor a vector; None for those that are never known here."""
    return VALUES[name](fact) if name in VALUES else None


def studied(fact: Fact) -> list[str]:
    """Return the fields of study, by the topics of the corpus."""
    return list(dict.fromkeys(study for topic in fact.topics for study in STUDIED.get(topic, ())))


def author_names(fact: Fact) -> list[str]:
    """Return the authors' names as the records have them: `Jennifer A. Doudna`."""
    return [" ".join(part for part in (given, family) if part) for family, given in fact.authors]


def author_id(fact: Fact, name: str) -> str | None:
    """Return the author's id, or None in the records that do not know it."""
    return str(zlib.crc32(name.encode())) if variant(fact, 20) else None


def _author(fact: Fact, name: str, fields: list[str]) -> dict[str, Any]:
    """Return one author of a paper; of the further fields only the address is synthetic, others are null."""
    number = author_id(fact, name)
    known: dict[str, Any] = {
        "name": name,
        "url": number and f"https://www.semanticscholar.org/author/{number}",
        "affiliations": [],
    }
    return {"authorId": number, **{field: known.get(field) for field in fields if field != "authorId"}}


def external_ids(fact: Fact) -> dict[str, Any]:
    """Return the ids: strings except CorpusId; DOIs in any letter case, PMC ids without their prefix."""
    arxiv = fact.arxiv_id or next((name[6:] for name in fact.versions if name.startswith("arXiv:")), None)
    doi, pmc = fact.doi or "", (fact.pmcid or "").removeprefix("PMC")
    known = {"DOI": doi if variant(fact, 3) else doi.upper(), "ArXiv": arxiv, "PubMed": fact.pmid, "PubMedCentral": pmc}
    return {**{name: value for name, value in known.items() if value}, "CorpusId": variant(fact, 2**32)}


def _server(fact: Fact) -> bool:
    return bool(fact.arxiv_id) and fact.type == "preprint"


def _venue(fact: Fact) -> str:
    return "arXiv.org" if _server(fact) else fact.journal if fact.journal and variant(fact, 16) else ""


def _journal(fact: Fact) -> dict[str, str] | None:
    if _server(fact):
        return {"name": "ArXiv", "volume": f"abs/{fact.arxiv_id}"}
    if not fact.journal and not fact.pages:
        return None
    spaced = (fact.pages or "").replace("-", " - ")
    pages = f"\n          {spaced}\n        " if spaced and not variant(fact, 4) else spaced
    volume = f"{fact.volume or ''} {fact.issue or ''}".strip()
    return {"name": fact.journal or "", "pages": pages, "volume": volume}


def _pdf(fact: Fact) -> dict[str, Any] | None:
    """Return one of the forms of `openAccessPdf`; an empty url means that there is no copy."""
    note = f"Notice: Paper or abstract available at https://arxiv.org/abs/{fact.arxiv_id}, see its terms."
    page = {"disclaimer": note} if fact.arxiv_id else {}
    if fact.oa_url:
        shape = ({}, {"license": "CCBY"}, {"license": "CCBY", **page})[variant(fact, 3)]
        return {"url": fact.oa_url, "status": "GREEN" if fact.arxiv_id else "GOLD", **shape}
    if fact.pmcid and fact.is_open_access:
        return {"url": f"https://europepmc.org/articles/{fact.pmcid.lower()}?pdf=render", "status": "GREEN", **page}
    status = "CLOSED" if fact.is_open_access is False else None
    return {"url": "", "status": status, "license": None, **page} if variant(fact, 3) else None


def _bibtex(fact: Fact) -> str:
    """Return an entry as the API writes it, one ` name = {value},` a line."""
    first = re.sub(r"\W", "", (fact.authors[0][0] or "") if fact.authors else "") or "None"
    words = [word for word in re.findall(r"\w+", fact.title) if len(word) > 2]
    key = (
        f"{first}{fact.year or ''}{words[0].capitalize() if words else ''}{''.join(it[0].upper() for it in words[1:3])}"
    )
    values = {
        "author": " and ".join(author_names(fact)), "booktitle": _venue(fact), "journal": fact.journal,
        "pages": fact.pages, "title": fact.title, "volume": fact.volume, "year": str(fact.year or ""),
    }  # fmt: skip
    lines = ",\n".join(f" {name} = {{{value}}}" for name, value in values.items() if value)
    return f"@Article{{{key},\n{lines}\n}}\n"


VALUES: dict[str, Callable[[Fact], Any]] = {
    "paperId": lambda fact: fact.s2_paper_id,
    "corpusId": lambda fact: external_ids(fact)["CorpusId"],
    "externalIds": external_ids,
    "url": lambda fact: f"https://www.semanticscholar.org/paper/{fact.s2_paper_id}",
    "title": lambda fact: fact.title,
    "abstract": lambda fact: None if is_withheld(fact) else fact.abstract,
    "venue": _venue,
    "year": lambda fact: fact.year,
    "publicationDate": exact_date,
    "journal": _journal,
    "publicationTypes": lambda fact: TYPES.get(fact.type) if variant(fact, 5) else None,
    "referenceCount": lambda fact: len(fact.references),
    "citationCount": lambda fact: fact.citation_count,
    "isOpenAccess": lambda fact: fact.is_open_access,
    "openAccessPdf": _pdf,
    "tldr": lambda fact: {"model": "tldr@v2.0.0", "text": fact.abstract},
    "fieldsOfStudy": lambda fact: studied(fact)[:1] or None,
    "s2FieldsOfStudy": lambda fact: [{"category": study, "source": "s2-fos-model"} for study in studied(fact)],
    "citationStyles": lambda fact: {"bibtex": _bibtex(fact)},
    "textAvailability": lambda fact: "fulltext" if fact.oa_url else "abstract" if fact.abstract else "none",
}
