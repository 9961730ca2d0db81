"""What a reference should say: the fields in which it differs from its paper, in words and as a correction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shared.bibliography.identifiers import Identifiers, arxiv_of_doi, best_doi
from shared.bibliography.words import words_of
from shared.documents.document import Correction, Entry, EntryFields
from shared.references.names_in_citation import read_author

if TYPE_CHECKING:
    from shared.answers.papers import ResolvedReference
    from shared.answers.reference_checks import CheckedReference
    from shared.answers.search import Paper

CORRECTED = ("title", "authors", "year", "journal", "volume", "pages")
BETWEEN_AUTHORS = "; "
MAX_TITLE_CHARS = 200
MAX_AUTHORS = 50  # a longer list is not written into a reference
OUTCOMES = {
    "ambiguous": "several papers fit, the nearest one differs too much, or too little is cited to tell",
    "not_found": "no source that answered has such a paper",
    "unanswered": "a source that may have it did not answer",
}
RETRACTIONS = {
    "retracted": "the paper is retracted",
    "concern": "an expression of concern was published about the paper",
    "corrected": "the paper was corrected",
}


def changes_of(entry: Entry, resolved: ResolvedReference) -> dict[str, str]:
    """What a reference should say in each field that differs from its paper, and the DOI that it lacks."""
    paper = resolved["paper"]
    if paper is None:
        return {}
    differing = {name for name, field in resolved["fields"].items() if field["verdict"] == "differs"}
    changes: dict[str, str] = {name: text for name in CORRECTED if name in differing and (text := _text(paper, name))}
    if words_of(changes.get("title", "")) == words_of(entry.fields.title or ""):
        changes.pop("title", None)  # what differs is the other form of the title that some sources have
    doi = paper.get("doi")
    if doi and (_lacks_doi(entry, resolved, doi) or _names_other_doi(entry, resolved)):
        changes["doi"] = doi
    return changes


def _lacks_doi(entry: Entry, resolved: ResolvedReference, doi: str) -> bool:
    """Whether a reference names its paper by no DOI: neither by one with blanks in it nor by arXiv's own, as its id."""
    compared = resolved["fields"].get("doi")
    named = entry.fields.doi or (compared["cited"] if compared else None)
    return named is None and doi != best_doi(Identifiers(arxiv=entry.fields.arxiv))


def _names_other_doi(entry: Entry, resolved: ResolvedReference) -> bool:
    """Whether the DOI of a reference is not its paper's; one of arXiv's is compared as the id in it."""
    if resolved["status"] == "mismatched":
        return True
    arxiv = arxiv_of_doi(entry.fields.doi)
    compared = resolved["fields"].get("id" if arxiv else "doi")
    return bool(compared and compared["verdict"] == "differs" and (not arxiv or compared["cited"] == arxiv))


def comment_on(entry: Entry, resolved: ResolvedReference, changes: dict[str, str]) -> str | None:
    """What is wrong with a reference, in words; None when nothing is."""
    parts = [resolved.get("reason") or OUTCOMES[resolved["status"]]] if resolved["status"] in OUTCOMES else []
    if resolved["status"] == "mismatched":
        parts.append(_mismatch(resolved))
    for name, text in changes.items():
        printed = _printed(entry, name)
        if name == "doi" and not printed:  # a DOI that is merely added is nothing wrong
            continue
        parts.append(f"{name} is {text}" + (f", not {printed}" if printed else ""))
    paper = resolved["paper"]
    retraction = paper.get("retraction") if paper else None
    if retraction and retraction["status"] in RETRACTIONS:
        notice = retraction.get("notice_doi")
        parts.append(RETRACTIONS[retraction["status"]] + (f" (notice {notice})" if notice else ""))
    return "; ".join(parts) or None


def _mismatch(resolved: ResolvedReference) -> str:
    named = resolved["named_by_id"]
    if named is None:
        return "its id names another paper"
    title = " ".join(named["title"].split())[:MAX_TITLE_CHARS]
    return f"its id names another paper, “{title}”" + (f" ({named['year']})" if named.get("year") else "")


def correction_of(result: CheckedReference) -> Correction | None:
    """What to write into the document for a checked reference; None when nothing is to be changed or said."""
    changes = result["changes"]
    comment = result["comment"] or ("DOI added" if changes else None)
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
    if name == "authors":
        authors = paper.get("authors", [])
        return BETWEEN_AUTHORS.join(authors) if len(authors) <= MAX_AUTHORS else None
    value = paper.get(name)
    return str(value) if value else None


def _printed(entry: Entry, name: str) -> str | None:
    """A short field as the reference has it."""
    value = getattr(entry.fields, name)
    return str(value) if value and name in ("year", "volume", "pages", "journal", "doi") else None
