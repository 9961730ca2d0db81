"""CSL-JSON 1.0.2, the items that citation processors read (citationstyles.org, schema of the input data)."""

from __future__ import annotations

import json
from typing import Any

from shared.bibliography.paper import Author
from shared.exports.citation_keys import citation_keys
from shared.exports.fields import (
    Result,
    Results,
    authors_of,
    date_of,
    field_of,
    id_of,
    link_of,
    notes_of,
    pages_of,
    with_suffix,
)

# CSL's `review` is the review of a work; an article that reviews others is an article.
TYPES = {
    "journal-article": "article-journal", "review": "article-journal", "editorial": "article-journal",
    "letter": "article-journal", "erratum": "article-journal", "retraction-notice": "article-journal",
    "clinical-trial": "article-journal", "preprint": "article", "conference-paper": "paper-conference",
    "book": "book", "book-chapter": "chapter", "dissertation": "thesis", "dataset": "dataset", "report": "report",
}  # fmt: skip
# Of these, `journal` is who published them: a server, a university, a repository.
_PUBLISHED_BY = ("article", "thesis", "dataset", "report", "book")


def csl_json(results: Results) -> str:
    """The items as JSON text."""
    return json.dumps(csl_items(results), ensure_ascii=False, indent=2) + "\n"


def csl_items(results: Results) -> list[dict[str, Any]]:
    """An item a paper, ready for JSON; what is not known has no member."""
    return [_item(result, key) for result, key in zip(results, citation_keys(results), strict=True)]


def csl_type(result: Result) -> str:
    """The item's type; what is of no known type is an article where it has a journal."""
    other = "article-journal" if field_of(result, "journal") else "document"
    return TYPES.get(result.get("type") or "", other)


def _item(result: Result, key: str) -> dict[str, Any]:
    kind = csl_type(result)
    issued = date_of(result)
    first, last = pages_of(result)
    arxiv = id_of(result, "arxiv")
    told = {
        "id": key,
        "type": kind,
        "title": field_of(result, "title"),
        "author": [_name(author) for author in authors_of(result)] or None,
        "issued": {"date-parts": [list(issued)]} if issued else None,
        "publisher" if kind in _PUBLISHED_BY else "container-title": field_of(result, "journal"),
        "volume": field_of(result, "volume"),
        "issue": field_of(result, "issue"),
        "page": f"{first}-{last}" if last else first,
        "genre": "Preprint" if result.get("type") == "preprint" else None,
        "number": f"arXiv:{arxiv}" if arxiv and kind == "article" else None,
        "DOI": id_of(result, "doi"),
        "PMID": id_of(result, "pmid"),
        "PMCID": id_of(result, "pmcid"),
        "URL": link_of(result),
        "language": field_of(result, "language"),
        "status": "retracted" if (result.get("retraction") or {}).get("status") == "retracted" else None,
        "note": "; ".join(notes_of(result)) or None,
        "abstract": field_of(result, "abstract"),
    }
    return {name: value for name, value in told.items() if value is not None}


def _name(author: Author) -> dict[str, str]:
    if not author.family:
        return {"literal": author.display}
    family, given, suffix = with_suffix(author)
    parts = {"family": family, "given": given, "suffix": suffix}
    return {name: part for name, part in parts.items() if part}
