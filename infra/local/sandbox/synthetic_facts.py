"""Synthetic values for facts that the corpus lacks: citation counts, ISSN, MeSH headings, keywords, further authors,
and the numbers of the trials that every fourth article of PubMed is taken to report.

Open access is set only where the address of a copy is known.

They follow from the paper's own facts and a hash of its title alone, so that no column of a demo is empty and every
answer is reproducible. A fact that the corpus has is never replaced. One paper in twelve keeps an unknown citation
count, as records in real indexes do.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Any

_THIS_YEAR = 2026
_MESH = {
    "trem2-microglia-alzheimer": ("Microglia", "Alzheimer Disease", "Receptors, Immunologic"),
    "crispr-gene-editing": ("Gene Editing", "CRISPR-Cas Systems"),
    "covid-19": ("COVID-19", "SARS-CoV-2"),
    "systematic-reviews-meta-analysis": ("Systematic Reviews as Topic", "Meta-Analysis as Topic"),
    "protein-structure-prediction": ("Protein Conformation", "Deep Learning"),
}
_KEYWORDS = {
    "transformers-llm": ("language models", "attention"),
    "retrieval-rag-ir": ("information retrieval", "dense retrieval"),
    "protein-structure-prediction": ("protein folding", "structure prediction"),
    "climate-glacier": ("glacier", "climate change"),
    "trem2-microglia-alzheimer": ("TREM2", "microglia"),
    "crispr-gene-editing": ("CRISPR-Cas9", "genome editing"),
    "covid-19": ("coronavirus", "pandemic"),
}
_FAMILIES = ("Aldridge", "Bergmann", "Castellanos", "Duval", "Eriksen", "Fontana", "Grigoryan", "Halvorsen", "Ito")
_GIVEN = ("Anna M", "Bruno", "Chiara L", "Daniel", "Elif", "Farid A", "Greta", "Hugo J")
_MOST_AUTHORS = 25  # written out for one paper


def with_synthetic_facts(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row of `papers.jsonl` with values for what it lacks: integers, booleans, lists of strings."""
    number = zlib.crc32(row["title"].encode())
    synthetic: dict[str, Any] = {
        "mesh": _subjects(row, _MESH) if row.get("pmid") else [],
        "keywords": _subjects(row, _KEYWORDS),
        "authors": _authors(row, number),
    }
    if number % 12:
        synthetic["citation_count"] = _citations(row, number)
    if row.get("pmcid") or row.get("oa_url"):
        synthetic["is_open_access"] = True
    if row.get("pmid") and row.get("abstract") and row.get("type", "journal-article") == "journal-article":
        share = 4 if row.get("references") else 12  # PubMed names the registration in few of their records
        synthetic["nct"] = _registration(number) if synthetic["mesh"] and number % share == 2 else None
    if row.get("journal"):
        synthetic["issn"] = _issn(row["journal"])
    known = {name: value for name, value in row.items() if value is not None and name != "authors"}
    return {**synthetic, **known}


def _subjects(row: Mapping[str, Any], by_topic: Mapping[str, tuple[str, ...]]) -> list[str]:
    return [subject for topic in row.get("topics", ()) for subject in by_topic.get(topic, ())]


def _citations(row: Mapping[str, Any], number: int) -> int:
    """A few citations a year, and many for one paper in ten."""
    age = max(0, _THIS_YEAR - (row.get("year") or 2015))
    return age * (number % 23 + (300 if number % 10 == 0 else 0))


def _issn(journal: str) -> str:
    """An ISSN with the check digit of ISO 3297; its first digit is 9, which no real one has."""
    digits = f"9{zlib.crc32(journal.casefold().encode()) % 10**6:06d}"
    rest = -sum(weight * int(digit) for weight, digit in zip(range(8, 1, -1), digits, strict=True)) % 11
    return f"{digits[:4]}-{digits[4:]}{'X' if rest == 10 else rest}"


def _registration(number: int) -> str:
    """The number of a trial's registration; it begins with 99, which no real one has."""
    return f"NCT99{number % 10**6:06d}"


def _authors(row: Mapping[str, Any], number: int) -> list[Mapping[str, Any]]:
    """The authors, with invented ones for those that the corpus only counts."""
    known = list(row.get("authors", ()))
    missing = range(len(known), min(row.get("author_count") or 0, _MOST_AUTHORS)) if known else range(0)
    return known + [
        {"family": _FAMILIES[(number + place) % len(_FAMILIES)], "given": _GIVEN[(number + place) % len(_GIVEN)]}
        for place in missing
    ]
