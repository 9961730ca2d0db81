"""The answer's JSON: every field of the contract, always there, cut to the size that the caller asked for.

A result set holds all results in full; a page is a view of it: `shared.search.sizes` says how large, `truncated` what
was cut.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, cast

from shared.answers.envelope import envelope, in_order
from shared.canonical_json import canonical, digest
from shared.query.syntax import normalise
from shared.search.cursor import Cursor
from shared.search.hints import same_question
from shared.search.request import SearchRequest
from shared.search.sizes import RESULT_FIELDS, light_report, page_sized, tokens, within_budget

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from shared.answers.search import StoredPaper
    from shared.bibliography.paper import MergedPaper
    from shared.search.ranking import RankedPaper


FIELDS = (
    "query", "total_count", "returned", "results", "providers_searched", "search_time_ms", "complete", "providers",
    "cache", "result_set_id", "next_cursor", "kg", "hints", "next_actions", "truncated", "request_id", "content_trust",
)  # fmt: skip
# What else a page holds, in tokens: names of fields, ids, counts, the call for the next page.
OTHER_TOKENS = 250


def result_of(ranked: RankedPaper) -> dict[str, Any]:
    """One result, in full: all authors, the whole abstract; and, for the graph alone, `references` by provider."""
    return {
        **unranked(ranked.paper),
        "provider_scores": {name: _rounded(score) for name, score in sorted(ranked.provider_scores.items())},
        "best_provider": ranked.best_provider,
        "best_score": _rounded(ranked.best_score),
        "score": _rounded(ranked.score),
        "score_parts": {name: _rounded(part) for name, part in ranked.score_parts.items()},
    }


def unranked(paper: MergedPaper) -> StoredPaper:
    """A paper that no search has put into an order, in the form of a result: nothing is known of its score.

    Beside the result's fields, `references` by provider for the graph, and `author_parts` for exports.
    """
    result = {
        **_bibliography(paper),
        "provider_scores": {},
        "best_provider": None,
        "best_score": None,
        "score": None,
        "score_parts": {},
        "provenance": {name: list(providers) for name, providers in sorted(paper.provenance.items())},
        "possible_duplicates": [_fields(duplicate) for duplicate in paper.possible_duplicates],
        "found_by": None,
    }
    cited = {record.provider: list(record.references) for record in paper.records if record.references}
    aside = {"references": cited, "author_parts": [_fields(author) for author in paper.authors]}
    return cast("StoredPaper", {**{name: result[name] for name in RESULT_FIELDS}, **aside})


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
    return digest(canonical(form, spaced=True))


def result_set_of(request: SearchRequest, ranked: Sequence[RankedPaper], summary: Mapping[str, Any]) -> dict[str, Any]:
    """All that a cursor needs later. Its id is a hash of its contents: equal answers have equal ids."""
    results = [{**result_of(item), "found_by": _found_by(item, request.wordings)} for item in ranked]
    return {
        "result_set_id": digest(canonical([request.wordings, results], spaced=True), 32),
        "asked": {"wordings": [normalise(it) for it in request.wordings], "providers": sorted(request.providers)},
        "summary": dict(summary),
        "results": results,
    }


def _found_by(ranked: RankedPaper, wordings: Sequence[str]) -> list[str] | None:
    """The wordings that found it, where there were several."""
    found = {record_id.answer for record_id in ranked.paper.record_ids}
    return [text for number, text in enumerate(wordings) if number in found] if len(wordings) > 1 else None


def page_of(result_set: Mapping[str, Any], request: SearchRequest, cursor: Cursor) -> dict[str, Any]:
    """One page of a result set, in the size asked for."""
    results = result_set["results"]
    summary = result_set["summary"]
    reports = summary["providers"]
    if request.detail == "compact":
        reports = {name: light_report(report) for name, report in reports.items()}
    wanted = results[cursor.offset : cursor.offset + request.max_results]
    every, cut = page_sized(wanted, request)
    own_tokens = tokens([reports, summary["hints"], summary["next_actions"]]) + OTHER_TOKENS
    shown, truncated = within_budget(every, request.max_tokens, envelope=own_tokens)
    after = cursor.offset + len(shown)
    more = bool(shown) and after < len(results)
    next_cursor = str(Cursor(cursor.result_set_id, after)) if more and result_set.get("kept", True) else None
    own = {
        "query": summary["query"],
        "total_count": summary["total_count"],
        "returned": len(shown),
        "results": shown,
        "providers_searched": summary["providers_searched"],
        "result_set_id": result_set["result_set_id"],
        "next_cursor": next_cursor,
        "next_actions": [*summary["next_actions"], *_next_page(request, summary["query"], next_cursor)],
        "truncated": truncated_by(truncated, cut),
    }
    reported = {**summary, "providers": reports}
    # `run_search` fills in what is known only when the page has been made.
    return in_order(FIELDS, own, envelope(reported, kg={"queued": 0, "skipped": 0}, search_time_ms=0, request_id=""))


def _next_page(request: SearchRequest, query: str, cursor: str | None) -> list[dict[str, Any]]:
    """The call that brings the next page, as it stands; nobody is asked again for it."""
    if cursor is None:
        return []
    asked = {**same_question(request), "query": query, "cursor": cursor}
    return [{"tool": "literature_search", "arguments": asked, "why": "brings the next page"}]


def truncated_by(results: Mapping[str, Any] | None, abstracts: int) -> dict[str, Any] | None:
    """`{results, abstracts, reason}`: what a caller does not see of what he asked for; None when he sees all."""
    if results is None and not abstracts:
        return None
    told = [str(results["reason"])] if results else []
    if abstracts:
        told.append(f"{abstracts} abstracts are cut: detail=full or abstract_chars brings more of them")
    return {"results": results["results"] if results else 0, "abstracts": abstracts, "reason": "; ".join(told)}
