"""The answer's JSON: all its fields, cut to the size that the caller requested.

A result set holds all results in full; a page is a view of it. `shared.search.sizes.details` decides how large a result
is; `truncated` reports what was cut. A result's fields are those of `shared.answers.search.Paper`: a field that a
`MergedPaper` has under the same name and in the same form needs no line here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from shared.answers.content_trust import marks
from shared.canonical_json import canonical, digest
from shared.json_types import flat_json
from shared.query.syntax import normalise
from shared.query.understanding import understand
from shared.search.hints.person_hints import as_typed
from shared.search.next_actions import next_actions, repeat_arguments
from shared.search.ranking.text_match import terms
from shared.search.requests.search_request import SearchRequest
from shared.search.result_sets.cursor import Cursor
from shared.search.result_sets.store import result_set_id
from shared.search.sizes import token_budget as budget
from shared.search.sizes.details import RESULT_FIELDS, cut_fields, page_sized
from shared.search.sizes.report_sizes import sized_reports

if TYPE_CHECKING:
    from shared.answers.search import Action, Paper, SearchAnswer, StoredPaper
    from shared.bibliography.paper import MergedPaper
    from shared.search.ranking.formula import RankedPaper
    from shared.search.result_sets.store import SearchResults, SearchResultSet, SearchSummary, SearchTerms


WAIT_MS = 15_000  # how long the call that is offered waits for pending legs
# The fields that decide the form of an answer and what is done with it, not its results: each caller's own.
FORM_FIELDS = {
    "cursor", "detail", "fields", "abstract_chars", "max_tokens", "include_abstract", "max_results",
    "cite_in_kg", "context", "fresh", "timeout_ms", "patience_ms",
}  # fmt: skip


def result_of(ranked: RankedPaper) -> StoredPaper:
    """One result in full: all authors, the whole abstract, and the fields of `unranked` that are not shown."""
    result = unranked(ranked.paper)
    result.update(
        {
            "provider_scores": {name: round(score, 6) for name, score in sorted(ranked.provider_scores.items())},
            "best_provider": ranked.best_provider,
            "best_score": _rounded(ranked.best_score),
            "score": _rounded(ranked.score),
            "score_parts": {name: _rounded(ranked.score_parts.get(name)) for name in ranked.named_parts},
        }
    )
    return result


def unranked(paper: MergedPaper) -> StoredPaper:
    """A paper that was not ranked, in the form of a result without scores.

    Besides the fields of a result: `references` by provider, for the graph, and `author_parts`, for exports.
    """
    values: dict[str, Any] = {**converted_fields(paper)}
    values |= {name: getattr(paper, name) for name in RESULT_FIELDS if name not in values}
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
        "external_ids": flat_json(paper.ids),
        "open_access": {
            "is_oa": paper.open_access.is_oa,
            "url": paper.open_access.url,
            "license": paper.open_access.license,
            "locations": [flat_json(it) for it in paper.open_access.locations],
        },
        "retraction": flat_json(paper.retraction),
        "versions": [flat_json(version) for version in paper.versions],
        "registrations": list(paper.registrations),
        "provider_scores": {},
        "best_provider": None,
        "best_score": None,
        "score": None,
        "score_parts": {},
        "provenance": {name: list(providers) for name, providers in sorted(paper.provenance.items())},
        "possible_duplicates": [flat_json(duplicate) for duplicate in paper.possible_duplicates],
        "found_by": None,
        "references": {record.provider: list(record.references) for record in paper.records if record.references},
        "author_parts": [{"family": it.family, "given": it.given, "name": it.name} for it in paper.authors],
    }


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
    read = SearchRequest.model_validate({**terms["request"], **form.model_dump(include=FORM_FIELDS)})
    return read if [normalise(it) for it in read.wordings] == terms["wordings"] else as_typed(read)


def differs(request: SearchRequest, terms: SearchTerms) -> bool:
    """Whether a request that names a cursor has a filter or an order other than the search of its result set.

    A filter with its default value counts as not given; an order that is given counts even then.
    """
    words = {"query", "queries", "providers"}
    given = request.model_dump(mode="json", exclude=FORM_FIELDS | words, exclude_defaults=True)
    given |= request.model_dump(mode="json", include={"sort", "ranking"} & request.model_fields_set)
    searched = SearchRequest.model_validate(terms["request"]).model_dump(mode="json")
    return any(value != searched[name] for name, value in given.items())


def page_of(result_set: SearchResults, request: SearchRequest, cursor: Cursor, searched: SearchRequest) -> SearchAnswer:
    """One page of a result set, in the requested size; `run_search` sets `kg`, `search_time_ms` and `request_id`.

    `searched` is the request that the result set answers.
    """
    requested = result_set["results"][cursor.offset : cursor.offset + request.max_results]

    def fit(next_cursor: str | None) -> tuple[SearchAnswer, list[Paper], budget.Cuts]:
        around = _around(result_set, request, searched, next_cursor, cursor.offset)
        measured = {**around, "cache": "miss"}  # so that its repetition is cut equally
        resized = page_sized(requested, request, _words(searched), envelope=budget.tokens(measured) + budget.RESERVED)
        return budget.fit_entries(around, resized, request.max_tokens, budget.least_paper)

    whole_cursor = _cursor_after(result_set, cursor, len(requested))
    draft, shown, cuts = fit(whole_cursor)
    if (
        len(shown) < len(requested) and whole_cursor is None
    ):  # what is left out has a next page, whose action takes room
        draft, shown, cuts = fit(_cursor_after(result_set, cursor, len(shown)))
    left_out, next_cursor = len(requested) - len(shown), _cursor_after(result_set, cursor, len(shown))
    actions = (
        [] if "next_actions" in cuts.parts else _actions(result_set, request, searched, next_cursor, cursor.offset)
    )
    page: SearchAnswer = {
        **draft,
        "returned": len(shown),
        "results": shown,
        "next_cursor": next_cursor,
        "next_actions": actions,
        "truncated": budget.truncated_by(left_out, cut_fields(requested, shown, request), request.max_tokens, cuts),
    }
    return budget.kept_within(page, request.max_tokens)


def _words(searched: SearchRequest) -> list[str]:
    """The telling words of all wordings, as texts are compared by them."""
    return [term for wording in searched.wordings for word in understand(wording).telling for term in terms(word)]


def _cursor_after(result_set: SearchResults, cursor: Cursor, shown: int) -> str | None:
    """The cursor of the page after these results, if there is one."""
    end = cursor.offset + shown
    more = "pending" in result_set or (shown and end < len(result_set["results"]))
    return str(Cursor(cursor.result_set_id, end)) if more and result_set.get("kept", True) else None


def _around(
    result_set: SearchResults, request: SearchRequest, searched: SearchRequest, next_cursor: str | None, first: int
) -> SearchAnswer:
    """The answer without results, of which `first` is the position of the first."""
    summary = result_set["summary"]
    answer: SearchAnswer = {
        "query": searched.query or searched.wordings[0],
        "total_count": summary["total_count"],
        "returned": 0,
        "results": [],
        "providers_searched": summary["providers_searched"],
        "search_time_ms": 0,
        "complete": summary["complete"],
        "providers": {},
        "cache": summary["cache"],
        "result_set_id": result_set["result_set_id"],
        "next_cursor": next_cursor,
        "kg": {"queued": 0, "skipped": 0},
        "hints": summary["hints"],
        "next_actions": _actions(result_set, request, searched, next_cursor, first),
        "truncated": None,
        **marks(""),
    }
    other_bytes = int((budget.tokens(answer) + budget.RESERVED) * budget.BYTES_PER_TOKEN)
    return {**answer, "providers": sized_reports(summary["providers"], request.detail, other_bytes)}


def _actions(
    result_set: SearchResults, request: SearchRequest, searched: SearchRequest, next_cursor: str | None, first: int
) -> list[Action]:
    """What may help next; a compact answer has no room for what every answer offers."""
    query, summary = searched.query or searched.wordings[0], result_set["summary"]
    actions = next_actions(searched, result_set["results"], summary, first)
    if request.detail == "compact" and request.abstract_chars is None:
        return [action for action in actions if action["tool"] != "get_papers"]
    if request.detail == "compact":  # `next_cursor` says it
        return actions
    return [*actions, *_next_page(request, query, next_cursor, waits="pending" in result_set)]


def _next_page(request: SearchRequest, query: str, cursor: str | None, *, waits: bool) -> list[Action]:
    """The call for the next page, ready to be made; it queries no provider, and may wait for those still asked."""
    if cursor is None:
        return []
    arguments = {**repeat_arguments(request), "query": query, "cursor": cursor}
    why = "the next page, when the providers that are still queried have answered" if waits else "the next page"
    arguments |= {"patience_ms": WAIT_MS} if waits else {}
    return [{"tool": "literature_search", "arguments": arguments, "why": why}]
