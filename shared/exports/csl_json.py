"""CSL-JSON 1.0.2, the items that citation processors read (citationstyles.org, schema of the input data)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from shared.bibliography.paper import Author
from shared.exports.citation_keys import citation_keys
from shared.exports.fields import (
    Results,
    authors_of,
    date_of,
    field_of,
    id_of,
    link_of,
    notes_of,
    pages_of,
    retraction_of,
    with_suffix,
)
from shared.json_types import JsonObject

if TYPE_CHECKING:
    from shared.answers.search import StoredPaper

# CSL's `review` is the review of a work; an article that reviews others is an article.
CSL_TYPES = {
    "journal-article": "article-journal", "review": "article-journal", "editorial": "article-journal",
    "letter": "article-journal", "erratum": "article-journal", "retraction-notice": "article-journal",
    "clinical-trial": "article-journal", "preprint": "article", "conference-paper": "paper-conference",
    "book": "book", "book-chapter": "chapter", "dissertation": "thesis", "dataset": "dataset", "report": "report",
    "systematic-review": "article-journal", "meta-analysis": "article-journal",
    "randomized-controlled-trial": "article-journal", "clinical-trial-registration": "report",
}  # fmt: skip
# Of these, `journal` is who published them: a server, a university, a repository.
_PUBLISHED_BY = ("article", "thesis", "dataset", "report", "book")


def csl_json(results: Results) -> str:
    """The items as JSON text."""
    return json.dumps(csl_items(results), ensure_ascii=False, indent=2) + "\n"


def csl_items(results: Results) -> list[JsonObject]:
    """One item for each paper, ready for JSON; unknown values have no member."""
    return [_item(paper, key) for paper, key in zip(results, citation_keys(results), strict=True)]


def csl_type(paper: StoredPaper) -> str:
    """The item's type; a paper of unknown type is an article if it has a journal."""
    other = "article-journal" if field_of(paper, "journal") else "document"
    return CSL_TYPES.get(paper.get("type") or "", other)


def _item(paper: StoredPaper, key: str) -> JsonObject:
    kind = csl_type(paper)
    issued = date_of(paper)
    first, last = pages_of(paper)
    arxiv = id_of(paper, "arxiv")
    members: dict[str, object] = {
        "id": key,
        "type": kind,
        "title": field_of(paper, "title"),
        "author": [_name(author) for author in authors_of(paper)] or None,
        "issued": {"date-parts": [list(issued)]} if issued else None,
        "publisher" if kind in _PUBLISHED_BY else "container-title": field_of(paper, "journal"),
        "volume": field_of(paper, "volume"),
        "issue": field_of(paper, "issue"),
        "page": f"{first}-{last}" if last else first,
        "genre": "Preprint" if paper.get("type") == "preprint" else None,
        "number": f"arXiv:{arxiv}" if arxiv and kind == "article" else None,
        "DOI": id_of(paper, "doi"),
        "PMID": id_of(paper, "pmid"),
        "PMCID": id_of(paper, "pmcid"),
        "URL": link_of(paper),
        "language": field_of(paper, "language"),
        "status": "retracted" if retraction_of(paper)["status"] == "retracted" else None,
        "note": "; ".join(notes_of(paper)) or None,
        "abstract": field_of(paper, "abstract"),
    }
    return {name: value for name, value in members.items() if value is not None}


def _name(author: Author) -> dict[str, str]:
    if not author.family:
        return {"literal": author.display}
    family, given, suffix = with_suffix(author)
    parts = {"family": family, "given": given, "suffix": suffix}
    return {name: part for name, part in parts.items() if part}
