"""The answer's JSON: every field of the contract, always there, cut to the size that the caller asked for.

A result set holds all results in full; a page is a view of it. `detail` and `fields` choose fields, `abstract_chars`
cuts abstracts at a word, `max_tokens` cuts whole results, and `truncated` says what was cut.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from shared.pages import Cursor
from shared.paper import MergedPaper
from shared.ranking import RankedPaper
from shared.request import SearchRequest

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

AUTHORS_SHOWN = 5
# A token of English JSON is about four characters.
CHARS_PER_TOKEN = 4
COMPACT_FIELDS = (
    "key", "title", "authors", "author_count", "year", "journal", "type", "doi", "pmid", "citation_count",
    "citation_uri", "abstract", "retraction", "best_provider", "score",
)  # fmt: skip
RESULT_FIELDS = (
    "doi", "pmid", "paper_id", "title", "authors", "author_count", "year", "publication_date", "journal", "volume",
    "issue", "pages", "type", "language", "abstract", "tldr", "citation_count", "influential_citation_count",
    "citation_counts", "citation_uri", "key", "external_ids", "open_access", "retraction", "versions",
    "provider_scores", "best_provider", "best_score", "score", "score_parts", "provenance", "possible_duplicates",
)  # fmt: skip


def result_of(ranked: RankedPaper) -> dict[str, Any]:
    """One result, in full: all authors, the whole abstract; and, for the graph alone, `references` by provider."""
    paper = ranked.paper
    result = {
        **_bibliography(paper),
        "provider_scores": {name: _rounded(score) for name, score in sorted(ranked.provider_scores.items())},
        "best_provider": ranked.best_provider,
        "best_score": _rounded(ranked.best_score),
        "score": _rounded(ranked.score),
        "score_parts": {name: _rounded(part) for name, part in ranked.score_parts.items()},
        "provenance": {name: list(providers) for name, providers in sorted(paper.provenance.items())},
        "possible_duplicates": [_fields(duplicate) for duplicate in paper.possible_duplicates],
    }
    cited = {record.provider: list(record.references) for record in paper.records if record.references}
    return {**{name: result[name] for name in RESULT_FIELDS}, "references": cited}


def _bibliography(paper: MergedPaper) -> dict[str, Any]:
    plain = (
        "title", "author_count", "year", "publication_date", "journal", "volume", "issue", "pages", "type",
        "language", "abstract", "tldr", "citation_count", "influential_citation_count", "citation_uri", "key",
    )  # fmt: skip
    return {
        **{name: getattr(paper, name) for name in plain},
        "doi": paper.ids.doi,
        "pmid": paper.ids.pmid,
        "paper_id": paper.ids.paper_id,
        "authors": [author.display for author in paper.authors],
        "citation_counts": dict(sorted(paper.citation_counts.items())),
        "external_ids": _fields(paper.ids),
        "open_access": {**_fields(paper.open_access), "locations": [_fields(it) for it in paper.open_access.locations]},
        "retraction": {**_fields(paper.retraction), "status": paper.retraction.status.value},
        "versions": [_fields(version) for version in paper.versions],
    }


def _fields(record: DataclassInstance) -> dict[str, Any]:
    """A flat dataclass as a dictionary; `dataclasses.asdict` copies every value deeply, which these do not need."""
    return {field.name: getattr(record, field.name) for field in fields(record)}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def request_key(request: SearchRequest) -> str:
    """A hash under which requests meet that have the same result set, to the letter of what they were asked."""
    looks = {"cursor", "detail", "fields", "abstract_chars", "max_tokens", "include_abstract"}
    aside = {"cite_in_kg", "context", "fresh", "timeout_ms"}
    form = request.model_dump(mode="json", exclude=looks | aside)
    form["providers"] = sorted(form["providers"])
    return hashlib.sha256(json.dumps(form, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def result_set_of(request: SearchRequest, ranked: Sequence[RankedPaper], summary: Mapping[str, Any]) -> dict[str, Any]:
    """All that a cursor needs later. Its id is a hash of its contents: equal answers have equal ids."""
    results = [result_of(item) for item in ranked]
    content = json.dumps([request.wordings, results], ensure_ascii=False, sort_keys=True)
    return {
        "result_set_id": hashlib.sha256(content.encode()).hexdigest()[:32],
        "summary": dict(summary),
        "results": results,
    }


def page_of(result_set: Mapping[str, Any], request: SearchRequest, cursor: Cursor) -> dict[str, Any]:
    """One page of a result set, in the size asked for."""
    results = result_set["results"]
    wanted = results[cursor.offset : cursor.offset + request.max_results]
    shown, truncated = _within_budget([_sized(result, request) for result in wanted], request.max_tokens)
    after = cursor.offset + len(shown)
    summary = result_set["summary"]
    more = bool(shown) and after < len(results)
    return {
        "query": summary["query"],
        "total_count": summary["total_count"],
        "returned": len(shown),
        "results": shown,
        "providers_searched": summary["providers_searched"],
        "search_time_ms": 0,
        "complete": summary["complete"],
        "providers": summary["providers"],
        "cache": summary["cache"],
        "result_set_id": result_set["result_set_id"],
        "next_cursor": str(Cursor(cursor.result_set_id, after)) if more and result_set.get("kept", True) else None,
        "kg": {"queued": 0, "skipped": 0},
        "hints": summary["hints"],
        "next_actions": summary["next_actions"],
        "truncated": truncated,
        "request_id": "",
        "content_trust": "untrusted_external",
    }


def _sized(result: Mapping[str, Any], request: SearchRequest) -> dict[str, Any]:
    sized = dict(result)
    if request.detail != "full":
        sized["authors"] = sized["authors"][:AUTHORS_SHOWN]
    if not request.include_abstract:
        sized["abstract"] = None
    elif request.abstract_chars is not None:
        sized["abstract"] = _cut(sized["abstract"], request.abstract_chars)
    chosen = request.fields or (COMPACT_FIELDS if request.detail == "compact" else RESULT_FIELDS)
    return {name: sized[name] for name in RESULT_FIELDS if name in chosen}


def _cut(text: str | None, chars: int) -> str | None:
    """At most so many characters, ending at a word, with an ellipsis where something is missing."""
    if text is None or len(text) <= chars:
        return text
    whole_words = text[:chars].rpartition(" ")[0]
    return (whole_words or text[:chars]) + "…" if chars else None


def _within_budget(
    results: list[dict[str, Any]], max_tokens: int | None
) -> tuple[list[dict[str, Any]], dict[str, Any] | None]:
    """As many whole results as fit, at least one; and what was left out."""
    if max_tokens is None:
        return results, None
    used = 0
    for number, result in enumerate(results):
        used += len(json.dumps(result, ensure_ascii=False)) // CHARS_PER_TOKEN
        if used > max_tokens and number:
            reason = f"max_tokens={max_tokens}: {len(results) - number} results left for the next page"
            return results[:number], {"results": len(results) - number, "reason": reason}
    return results, None
