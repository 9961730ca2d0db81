"""Resolves entries of a document, and compares each with the paper that it means.

The same steps serve a short list within its request and a long one in a worker; only `Resolve` differs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from copy import copy
from typing import TYPE_CHECKING

from shared.bibliography.paper_ids import MAX_WRITTEN_CHARS
from shared.documents.document import Document, Entry
from shared.json_types import JsonObject
from shared.papers.reference_request import (
    LATEST_YEAR,
    MAX_AUTHORS,
    MAX_JOURNAL_CHARS,
    MAX_LINE_CHARS,
    MAX_NAME_CHARS,
    MAX_PLACE_CHARS,
    MAX_PMID_CHARS,
    MAX_TITLE_CHARS,
    OLDEST_YEAR,
)
from shared.reference_checks.corrections import changes_of, comment_on

if TYPE_CHECKING:
    from shared.answers.papers import ResolvedReference
    from shared.answers.reference_checks import CheckedReference
    from shared.answers.search import Paper

# The fields of a matched paper that a report shows and that a reference is corrected from.
FIELDS = (
    "key", "title", "authors", "author_count", "year", "publication_date", "journal", "volume", "issue", "pages", "doi",
    "pmid", "external_ids", "type", "retraction", "open_access", "versions",
)  # fmt: skip
MAX_SHOWN_CHARS, SHOWN_AUTHORS = 500, 5

# Resolves references in the form of `shared.papers.reference_request.Reference`; None when no provider answered.
Resolve = Callable[[Sequence[JsonObject]], "Sequence[ResolvedReference] | None"]


def check_entries(document: Document, numbers: Sequence[int], resolve: Resolve) -> list[CheckedReference]:
    """The results for these entries (counted from 0), in their order."""
    entries = [document.entries[number] for number in numbers]
    asked = {entry.number: reference for entry in entries if (reference := reference_of(entry))}
    resolved = resolve(list(asked.values())) if asked else ()
    found = dict(zip(asked, resolved, strict=True)) if resolved is not None else {}
    cited = Counter(number for citation in document.citations for number in citation.entries)
    times = {number: cited[number] for number in numbers} if document.citations else {}
    return [
        _checked(entry, asked.get(entry.number), found.get(entry.number), times.get(entry.number)) for entry in entries
    ]


def reference_of(entry: Entry) -> JsonObject | None:
    """An entry as a reference to resolve, within the bounds of the request; None if it says nothing."""
    citation = entry.citation
    ids = entry.fields
    values: JsonObject = {
        "reference": _cut(citation.text or entry.line, MAX_LINE_CHARS),
        "title": _cut(citation.title, MAX_TITLE_CHARS),
        "authors": [_cut(name, MAX_NAME_CHARS) for name in citation.authors[:MAX_AUTHORS]],
        "year": citation.year if citation.year and OLDEST_YEAR <= citation.year <= LATEST_YEAR else None,
        "journal": _cut(citation.journal, MAX_JOURNAL_CHARS),
        "volume": _cut(citation.volume, MAX_PLACE_CHARS),
        "pages": _cut(citation.pages, MAX_PLACE_CHARS),
        "doi": _whole(ids.doi),
        "pmid": ids.pmid if ids.pmid and len(ids.pmid) <= MAX_PMID_CHARS else None,
        "id": _whole(ids.arxiv and f"arXiv:{ids.arxiv}"),
    }
    return {name: value for name, value in values.items() if value} or None


def _checked(
    entry: Entry, reference: JsonObject | None, resolved: ResolvedReference | None, times: int | None
) -> CheckedReference:
    if resolved is None:
        return {
            "number": entry.number + 1, "label": entry.label, "text": entry.line[:MAX_SHOWN_CHARS],
            "cited": reference or {}, "cited_in_text": times,
            "status": "unanswered" if reference else "not_found", "paper": None, "named_by_id": None, "fields": {},
            "changes": {},
            "comment": "no source answered" if reference else "nothing in it can be looked for",
            "candidates": [], "answered_by": [], "unanswered": {},
        }  # fmt: skip
    changes = changes_of(entry, resolved)
    return {
        "number": entry.number + 1,
        "label": entry.label,
        "text": entry.line[:MAX_SHOWN_CHARS],
        "cited": resolved["reference"],
        "cited_in_text": times,
        "status": resolved["status"],
        "paper": _shown(resolved["paper"]),
        "named_by_id": _shown(resolved["named_by_id"]),
        "fields": resolved["fields"],
        "changes": changes,
        "comment": comment_on(entry, resolved, changes),
        "candidates": [
            {**match, "paper": _shown(match["paper"]) or match["paper"]} for match in resolved["candidates"]
        ],
        "answered_by": resolved["answered_by"],
        "unanswered": resolved["unanswered"],
    }


def _shown(paper: Paper | None) -> Paper | None:
    """The paper with its first authors; `author_count` says how many there are."""
    if paper is None:
        return None
    shown = copy(paper)
    shown["authors"] = paper.get("authors", [])[:SHOWN_AUTHORS]
    return shown


def _cut(text: str | None, length: int) -> str | None:
    return text[:length].strip() or None if text else None


def _whole(name: str | None) -> str | None:
    return name if name and len(name) <= MAX_WRITTEN_CHARS else None
