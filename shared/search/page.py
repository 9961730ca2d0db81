"""The answer's JSON: every field of the contract, cut to the size that the caller requested.

A result set holds all results in full; a page is a view of it. `shared.search.sizes` decides how large a result is;
`truncated` reports what was cut. A result's fields are those of `shared.answers.search.Paper`: a field that a
`MergedPaper` has under the same name and in the same form needs no line here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, cast

from shared.answers.content_trust import marks
from shared.canonical_json import canonical, digest
from shared.query.syntax import normalise
from shared.search.cursor import Cursor
from shared.search.hints import next_actions, repeat_arguments
from shared.search.request import SearchRequest
from shared.search.result_sets import result_set_id
from shared.search.sizes import RESULT_FIELDS, light_report, page_sized, tokens, within_budget

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from shared.answers.search import Action, SearchAnswer, StoredPaper, Truncated
    from shared.bibliography.paper import MergedPaper
    from shared.search.ranking import RankedPaper
    from shared.search.result_sets import SearchResults, SearchResultSet, SearchSummary, SearchTerms


# The fields that decide the form of an answer and what is done with it, not its results: each caller's own.
FORM_FIELDS = {
    "cursor", "detail", "fields", "abstract_chars", "max_tokens", "include_abstract", "max_results",
    "cite_in_kg", "context", "fresh", "timeout_ms",
}  # fmt: skip
# The size of the rest of a page, in tokens: names of fields, ids, counts, the call for the next page.
OTHER_TOKENS = 250


def result_of(ranked: RankedPaper) -> StoredPaper:
    """One result in full: all authors, the whole abstract, and the fields of `unranked` that are not shown."""
    result = unranked(ranked.paper)
    result.update(
        {
            "provider_scores": {name: round(score, 6) for name, score in sorted(ranked.provider_scores.items())},
            "best_provider": ranked.best_provider,
            "best_score": _rounded(ranked.best_score),
            "score": _rounded(ranked.score),
            "score_parts": {name: _rounded(part) for name, part in ranked.score_parts.items()},
        }
    )
    return result


def unranked(paper: MergedPaper) -> StoredPaper:
    """A paper that was not ranked, in the form of a result without scores.

    Besides the fields of a result: `references` by provider, for the graph, and `author_parts`, for exports.
    """
    values: dict[str, Any] = {**converted_fields(paper)}
    for name in RESULT_FIELDS:
        if name not in values:
            values[name] = getattr(paper, name)
    ordered = {name: values[name] for name in (*RESULT_FIELDS, "references", "author_parts")}
    return cast("StoredPaper", ordered)  # mypy cannot follow a TypedDict through a loop; a test compares the fields


def converted_fields(paper: MergedPaper) -> StoredPaper:
    """The fields of a result that are not simply the attribute of the same name of a MergedPaper."""
    return {
        "doi": paper.ids.doi,
        "pmid": paper.ids.pmid,
        "paper_id": paper.ids.paper_id,
        "authors": [author.display for author in paper.authors],
        "citation_counts": dict(sorted(paper.citation_counts.items())),
        "external_ids": _as_json(paper.ids),
        "open_access": {
            "is_oa": paper.open_access.is_oa,
            "url": paper.open_access.url,
            "license": paper.open_access.license,
            "locations": [_as_json(it) for it in paper.open_access.locations],
        },
        "retraction": _as_json(paper.retraction),
        "versions": [_as_json(version) for version in paper.versions],
        "provider_scores": {},
        "best_provider": None,
        "best_score": None,
        "score": None,
        "score_parts": {},
        "provenance": {name: list(providers) for name, providers in sorted(paper.provenance.items())},
        "possible_duplicates": [_as_json(duplicate) for duplicate in paper.possible_duplicates],
        "found_by": None,
        "references": {record.provider: list(record.references) for record in paper.records if record.references},
        "author_parts": [_as_json(author) for author in paper.authors],
    }


def _as_json(record: DataclassInstance) -> Any:
    """A flat dataclass as the TypedDict with the same fields; `dataclasses.asdict` would copy every value deeply."""
    return {field.name: getattr(record, field.name) for field in fields(record)}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def request_key(request: SearchRequest) -> str:
    """The key under which equal requests share a result set: what changes only the form of the answer is left out."""
    form = request.model_dump(mode="json", exclude=FORM_FIELDS)
    form["providers"] = sorted(form["providers"])
    return digest(canonical(form, spaced=True))


def result_set_of(request: SearchRequest, ranked: Sequence[RankedPaper], summary: SearchSummary) -> SearchResultSet:
    """The result set of a search: of this request, in this spelling, and of no other."""
    results = [result_of(item) for item in ranked]
    for result, item in zip(results, ranked, strict=True):
        result["found_by"] = _found_by(item, request.wordings)
    return {
        "result_set_id": result_set_id(request_key(request), results, summary),
        "asked": {
            "wordings": [normalise(it) for it in request.wordings],
            "providers": sorted(request.providers),
            "request": {
                **request.model_dump(mode="json", exclude=FORM_FIELDS, exclude_defaults=True),
                "providers": sorted(request.providers),
            },
        },
        "summary": summary,
        "results": results,
    }


def _found_by(ranked: RankedPaper, wordings: Sequence[str]) -> list[str] | None:
    """The wordings that found the paper, if the search had several."""
    found = {record_id.answer for record_id in ranked.paper.record_ids}
    return [text for number, text in enumerate(wordings) if number in found] if len(wordings) > 1 else None


def request_of(terms: SearchTerms, form: SearchRequest) -> SearchRequest:
    """The request of a result set, with the form of the request that pages through it."""
    return SearchRequest.model_validate({**terms["request"], **form.model_dump(include=FORM_FIELDS)})


def page_of(
    result_set: SearchResults, request: SearchRequest, cursor: Cursor, *, asked: SearchRequest | None = None
) -> SearchAnswer:
    """One page of a result set, in the requested size; `run_search` sets `kg`, `search_time_ms` and `request_id`.

    `asked` is the request of the result set, where that is not `request` itself.
    """
    asked = asked or request
    query = asked.query or asked.wordings[0]
    results, summary = result_set["results"], result_set["summary"]
    actions = next_actions(asked, [paper["key"] for paper in results], summary["providers"])
    reports = summary["providers"]
    if request.detail == "compact":
        reports = {name: light_report(report) for name, report in reports.items()}
    requested = results[cursor.offset : cursor.offset + request.max_results]
    resized, cut_abstracts = page_sized(requested, request)
    own_tokens = tokens([reports, summary["hints"], actions]) + OTHER_TOKENS
    shown, left_out = within_budget(resized, request.max_tokens, envelope=own_tokens)
    end = cursor.offset + len(shown)
    more = bool(shown) and end < len(results)
    next_cursor = str(Cursor(cursor.result_set_id, end)) if more and result_set.get("kept", True) else None
    return {
        "query": query,
        "total_count": summary["total_count"],
        "returned": len(shown),
        "results": shown,
        "providers_searched": summary["providers_searched"],
        "search_time_ms": 0,
        "complete": summary["complete"],
        "providers": reports,
        "cache": summary["cache"],
        "result_set_id": result_set["result_set_id"],
        "next_cursor": next_cursor,
        "kg": {"queued": 0, "skipped": 0},
        "hints": summary["hints"],
        "next_actions": [*actions, *_next_page(request, query, next_cursor)],
        "truncated": truncated_by(left_out, cut_abstracts),
        **marks(""),
    }


def _next_page(request: SearchRequest, query: str, cursor: str | None) -> list[Action]:
    """The call for the next page, ready to be made; it queries no provider."""
    if cursor is None:
        return []
    arguments = {**repeat_arguments(request), "query": query, "cursor": cursor}
    return [{"tool": "literature_search", "arguments": arguments, "why": "brings the next page"}]


def truncated_by(results: Truncated | None, abstracts: int) -> Truncated | None:
    """What the answer omits of what was requested; None when nothing is."""
    if results is None and not abstracts:
        return None
    reasons = [results["reason"]] if results else []
    if abstracts:
        reasons.append(f"{abstracts} abstracts are cut: detail=full or abstract_chars brings more of them")
    return {"results": results["results"] if results else 0, "abstracts": abstracts, "reason": "; ".join(reasons)}
