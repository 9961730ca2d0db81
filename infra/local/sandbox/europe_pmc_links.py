"""What a paper cites and who cites it, as Europe PMC lists them: page by page, with matched and unmatched items."""

from __future__ import annotations

import zlib
from typing import Any

from infra.local.sandbox.corpus import Corpus, Fact
from infra.local.sandbox.europe_pmc_records import NAME, core_record, record_id, source, types

LISTS = {"references": ("referenceList", "reference"), "citations": ("citationList", "citation")}
PARAMETERS_OF_LINKS = {"page", "pageSize", "format"}


def links(found: Fact | None, relation: str, page: int, size: int, corpus: Corpus) -> dict[str, Any]:
    """One page of `references` or `citations`, and the count of all; of an unknown paper the same as of none."""
    items: list[dict[str, Any]] = []
    if found:
        items = _references(found, corpus) if relation == "references" else _citations(found, corpus)
    wrapper, name = LISTS[relation]
    return {"hitCount": len(items), wrapper: {name: items[(page - 1) * size : page * size]}}


def _references(fact: Fact, corpus: Corpus) -> list[dict[str, Any]]:
    """In the order of the bibliography; what is not held is told by its DOI, or as the line that it was."""
    held = corpus.cited(NAME, fact)
    items = []
    for order, name in enumerate(fact.references, start=1):
        other = corpus.by_name.get(name.lower())
        told = _item(other, corpus) | {"match": "Y"} if other and other in held else _unmatched(name)
        items.append(told | {"citedOrder": order})
    return items


def _unmatched(name: str) -> dict[str, Any]:
    has_doi = name.startswith("10.")
    line = f"Anon. Untitled. {'doi: ' * has_doi}{name}."
    told = {"doi": name} if has_doi and zlib.crc32(name.encode()) % 2 else {"unstructuredInformation": line}
    return {**told, "pubYear": 0, "match": "N"}


def _citations(fact: Fact, corpus: Corpus) -> list[dict[str, Any]]:
    """Counted as citing papers are counted in the records, but never with their DOIs."""
    citing = sorted(corpus.citing(NAME, fact), key=lambda other: (-(other.citation_count or 0), other.title))
    return [
        {name: value for name, value in _item(other, corpus).items() if name != "doi"}
        | {"citedByCount": other.citation_count or 0}
        for other in citing
    ]


def _item(fact: Fact, corpus: Corpus) -> dict[str, Any]:
    """A record in short: the year is a number, and 0 where it is not known."""
    record = core_record(fact, corpus)
    told = {
        "id": record_id(fact),
        "source": source(fact),
        "citationType": "; ".join(types(fact)),
        "title": record["title"],
        "authorString": record.get("authorString"),
        "journalAbbreviation": fact.journal,
        "volume": fact.volume,
        "issue": fact.issue,
        "pageInfo": fact.pages,
        "doi": record.get("doi") if zlib.crc32(fact.title.encode()) % 2 else None,
    }
    return {name: value for name, value in told.items() if value} | {"pubYear": fact.year or 0}
