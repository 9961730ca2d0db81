"""What a reference should say: the fields in which it differs from its paper, in words and as a correction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shared.documents.document import Correction, Entry, EntryFields
from shared.references.citation_text import read_author

if TYPE_CHECKING:
    from shared.answers.papers import ResolvedReference
    from shared.answers.reference_checks import CheckedReference
    from shared.answers.search import Paper

CORRECTED = ("title", "authors", "year", "journal", "volume", "pages")
BETWEEN_AUTHORS = "; "
OUTCOMES = {
    "mismatched": "its id names another paper",
    "ambiguous": "several papers fit, or the nearest one differs too much",
    "not_found": "no source that answered has such a paper",
    "unanswered": "the sources that may have it did not answer",
}
RETRACTIONS = {
    "retracted": "the paper is retracted",
    "concern": "an expression of concern was published about the paper",
    "corrected": "the paper was corrected",
    "withdrawn": "the paper is withdrawn",
}


def changes_of(entry: Entry, resolved: ResolvedReference) -> dict[str, str]:
    """What a matched reference should say in each field that differs, and the DOI that it lacks."""
    paper = resolved["paper"]
    if paper is None:
        return {}
    changes = {name: text for name in CORRECTED if name in resolved["differs"] and (text := _text(paper, name))}
    doi = paper.get("doi")
    if doi and (entry.fields.doi is None or "id" in resolved["differs"]) and doi != entry.fields.doi:
        changes["doi"] = doi
    return changes


def comment_on(entry: Entry, resolved: ResolvedReference, changes: dict[str, str]) -> str | None:
    """What is wrong with a reference, in words; None when nothing is."""
    parts = [OUTCOMES[resolved["status"]]] if resolved["status"] in OUTCOMES else []
    for name, text in changes.items():
        printed = _printed(entry, name)
        parts.append(f"{name} is {text}" + (f", not {printed}" if printed else ""))
    paper = resolved["paper"]
    retraction = paper.get("retraction") if paper else None
    if retraction and retraction["status"] in RETRACTIONS:
        notice = retraction.get("notice_doi")
        parts.append(RETRACTIONS[retraction["status"]] + (f" (notice {notice})" if notice else ""))
    return "; ".join(parts) or None


def correction_of(result: CheckedReference) -> Correction | None:
    """What to write into the document for a checked reference; None when nothing is wrong with it."""
    changes, comment = result["changes"], result["comment"]
    if comment is None:
        return None
    authors = [read_author(name) for name in changes.get("authors", "").split(BETWEEN_AUTHORS) if name]
    year = changes.get("year")
    fields = EntryFields(
        title=changes.get("title"),
        authors=tuple(author for author in authors if author),
        year=int(year) if year else None,
        journal=changes.get("journal"),
        volume=changes.get("volume"),
        pages=changes.get("pages"),
        doi=changes.get("doi"),
    )
    return Correction(fields, comment)


def _text(paper: Paper, name: str) -> str | None:
    value = paper.get(name)
    return BETWEEN_AUTHORS.join(paper.get("authors", [])) if name == "authors" else str(value) if value else None


def _printed(entry: Entry, name: str) -> str | None:
    """A short field as the reference has it."""
    value = getattr(entry.fields, name)
    return str(value) if value and name in ("year", "volume", "pages", "journal", "doi") else None
