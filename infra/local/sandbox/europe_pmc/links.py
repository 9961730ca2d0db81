"""Europe PMC's lists of references and citations: in pages, with matched and unmatched entries."""

from __future__ import annotations

import zlib
from typing import Any

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.europe_pmc.records import NAME, core_record, record_id, source, types
from infra.local.sandbox.facts import Fact, variant

LISTS = {"references": ("referenceList", "reference"), "citations": ("citationList", "citation")}


def links(found: Fact | None, relation: str, page: int, size: int, corpus: Corpus) -> dict[str, Any]:
    """Return a page of `references` or `citations` with the total; an unknown paper has none."""
    items: list[dict[str, Any]] = []
    if found:
        items = _references(found, corpus) if relation == "references" else _citations(found, corpus)
    wrapper, name = LISTS[relation]
    return {"hitCount": len(items), wrapper: {name: items[(page - 1) * size : page * size]}}


def _references(fact: Fact, corpus: Corpus) -> list[dict[str, Any]]:
    """Return references in the order of the bibliography; papers not in the index by DOI or as printed."""
    indexed = corpus.cited(NAME, fact)
    items = []
    for order, name in enumerate(fact.references, start=1):
        other = corpus.by_name.get(name.lower())
        item = _item(other, corpus) | {"match": "Y"} if other and other in indexed else _unmatched(name)
        items.append(item | {"citedOrder": order})
    return items


def _unmatched(name: str) -> dict[str, Any]:
    has_doi = name.startswith("10.")
    line = f"Anon. Untitled. {'doi: ' * has_doi}{name}."
    reference = {"doi": name} if has_doi and zlib.crc32(name.encode()) % 2 else {"unstructuredInformation": line}
    return {**reference, "pubYear": 0, "match": "N"}


def _citations(fact: Fact, corpus: Corpus) -> list[dict[str, Any]]:
    """Return citing papers, the most cited first; the API leaves out their DOIs."""
    citing = sorted(corpus.citing(NAME, fact), key=lambda other: (-(other.citation_count or 0), other.title))
    return [
        {name: value for name, value in _item(other, corpus).items() if name != "doi"}
        | {"citedByCount": other.citation_count or 0}
        for other in citing
    ]


def _item(fact: Fact, corpus: Corpus) -> dict[str, Any]:
    """Return a short record: the year is a number, 0 if unknown."""
    record = core_record(fact, corpus)
    fields = {
        "id": record_id(fact),
        "source": source(fact),
        "citationType": "; ".join(types(fact)),
        "title": record["title"],
        "authorString": record.get("authorString"),
        "journalAbbreviation": fact.journal,
        "volume": fact.volume,
        "issue": fact.issue,
        "pageInfo": fact.pages,
        "doi": record.get("doi") if variant(fact, 2) else None,
    }
    return {name: value for name, value in fields.items() if value} | {"pubYear": fact.year or 0}
