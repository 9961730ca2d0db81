"""The two shapes that deep-research clients expect: a list of results, and one document with its text.

Manual: https://developers.openai.com/api/docs/mcp (`search` and `fetch`)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

from .errors import TRY_AGAIN, ToolError, problem_object
from .json_types import JsonObject, ToolAnswer
from .resources import resource_named, text_of

GIVE_AN_ID = "Take an id from search, or search for the title."
FOUND_FIELDS = ["key", "title", "citation_uri"]
_METADATA = (
    "key", "doi", "pmid", "authors", "author_count", "year", "publication_date", "journal", "type", "language",
    "citation_count", "retraction", "open_access", "external_ids",
)  # fmt: skip


class FoundDocument(TypedDict):
    """A paper that `fetch` can open."""

    id: str
    title: str
    url: str


class FoundDocuments(TypedDict):
    """What a search found; `left_out` papers have no id by which to fetch them."""

    results: list[FoundDocument]
    left_out: int
    complete: bool | None
    hints: list[JsonObject] | None
    content_trust: str | None


class Document(TypedDict):
    """One paper with its text."""

    id: str
    title: str
    text: str
    url: str | None
    metadata: JsonObject
    complete: bool | None
    content_trust: str | None


def found(answer: ToolAnswer) -> FoundDocuments:
    """The papers of a search's answer."""
    fetchable = [it for it in answer["results"] if it["citation_uri"] and not it["key"].startswith("title:")]
    return {
        "results": [
            {"id": it["key"], "title": it["title"] or it["key"], "url": it["citation_uri"]} for it in fetchable
        ],
        "left_out": len(answer["results"]) - len(fetchable),
        "complete": answer.get("complete"),
        "hints": answer.get("hints"),
        "content_trust": answer.get("content_trust"),
    }


def document(requested_id: str, answer: ToolAnswer) -> Document:
    """The requested paper. Raises ToolError when it was not found."""
    (entry,) = answer["papers"]
    if entry["status"] == "unanswered":
        missing = ", ".join(f"{name} ({how})" for name, how in (entry.get("unanswered") or {}).items())
        detail = f"{requested_id[:100]!r} was not found yet: no answer from {missing or 'a source that may have it'}"
        title = "A source that may have it did not answer"
        raise ToolError(detail, problem_object(502, "unanswered", detail, title=title, hint=TRY_AGAIN, retryable=True))
    if entry["status"] != "found":
        reason = entry.get("reason") or "no source that was asked holds it"
        detail = f"{requested_id[:100]!r}: {reason}"
        raise ToolError(
            detail,
            problem_object(
                404,
                "not_found",
                detail,
                title="Paper not found",
                hint=f"Write {address}." if (address := resource_named(requested_id)) else GIVE_AN_ID,
                request_id=answer.get("request_id"),
            ),
        )
    paper = entry["paper"]
    return {
        "id": requested_id,
        "title": paper["title"],
        "text": _text(paper),
        "url": paper["citation_uri"],
        "metadata": {name: paper[name] for name in _METADATA},
        "complete": answer.get("complete"),
        "content_trust": answer.get("content_trust"),
    }


def resource_document(uri: str, answer: ToolAnswer) -> Document:
    """A resource in the same shape: its text is a file, or JSON."""
    goes_on = "media_type" in answer and answer.get("next_cursor")  # JSON has its own in the text
    more = {"next_cursor": answer["next_cursor"]} if goes_on else {}
    return {
        "id": uri,
        "title": uri,
        "text": text_of(answer),
        "url": None,
        "metadata": {"media_type": answer.get("media_type", "application/json"), **more},
        "complete": answer.get("complete"),
        "content_trust": answer.get("content_trust"),
    }


def _text(paper: Mapping[str, Any]) -> str:
    """The abstract, below lines with the paper's citation and its retraction status."""
    year = f"({paper['year']})" if paper["year"] else None
    places = (paper["journal"], paper["volume"], paper["pages"])
    where = ", ".join(str(place) for place in places if place)
    lines = [" ".join(part for part in ("; ".join(paper["authors"]), year) if part), paper["title"], where]
    status = paper["retraction"]["status"]
    if status not in ("none", "unknown"):
        lines.append(f"Status: {status}")
    free = (paper["open_access"] or {}).get("url")
    lines += ["", paper["abstract"] or "No abstract is known.", "", f"Full text: {free}" if free else ""]
    return "\n".join(line or "" for line in lines).strip()
