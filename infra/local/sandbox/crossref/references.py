"""References as publishers deposit them with Crossref: with or without a title, by DOI or as printed."""

from __future__ import annotations

from typing import Any

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact


def references_of(fact: Fact, corpus: Corpus) -> list[dict[str, Any]]:
    """Return the references in order; of five entries three have a DOI and two are described by their fields."""
    return [
        {"key": f"ref{number}", **_entry(number, name, corpus.by_name.get(name.lower()))}
        for number, name in enumerate(fact.references, start=1)
    ]


def _entry(number: int, name: str, cited: Fact | None) -> dict[str, Any]:
    shape = number % 5
    doi = (cited.doi if cited else name) or ""
    with_doi = {"doi-asserted-by": "publisher", "DOI": doi} if doi.startswith("10.") else {}
    if cited is None:
        return with_doi or {"unstructured": f"A work that was cited as {name}."}
    if shape == 0:
        return _described(cited)
    if shape == 2 or not with_doi:
        return {"unstructured": _line(cited)}
    return {**with_doi, **({"unstructured": _line(cited)} if shape == 3 else _described(cited) if shape == 4 else {})}


def _described(cited: Fact) -> dict[str, str]:
    """Return a reference in fields; its author is the family name of the first."""
    author = next((family or given for family, given in cited.authors), None)
    fields = {
        "article-title": cited.title, "author": author, "year": str(cited.year or ""), "journal-title": cited.journal,
        "volume": cited.volume, "issue": cited.issue, "first-page": (cited.pages or "").partition("-")[0],
    }  # fmt: skip
    return {name: value for name, value in fields.items() if value}


def _line(cited: Fact) -> str:
    """Return a printed reference: `Turing, A. & Gandy, R. A title. A journal 12, 3–4 (1952).`"""
    people = [f"{family}, {given[0]}." if family and given else family or given for family, given in cited.authors]
    authors = " & ".join(filter(None, people)) if len(people) < 3 else f"{people[0]} et al."
    journal = f"{cited.journal} " if cited.journal else ""
    place = f"{journal}{', '.join(filter(None, (cited.volume, (cited.pages or '').replace('-', '–'))))}".strip()
    if cited.arxiv_id:
        place = f"Preprint at https://arxiv.org/abs/{cited.arxiv_id}"
    year = f" ({cited.year})" if cited.year else ""
    return f"{authors} {cited.title.rstrip('.')}. {place}{year}.".strip()
