"""The answer's JSON: all its fields, cut to the size that the caller requested.

A result set holds all results in full; a page is a view of it. `shared.search.sizes.details` decides how large a result
is; `truncated` reports what was cut.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shared.answers.content_trust import marks
from shared.query.understanding import understand
from shared.search.next_actions import next_actions, repeat_arguments
from shared.search.ranking.text_match import terms
from shared.search.requests.search_request import SearchRequest
from shared.search.result_sets.cursor import Cursor
from shared.search.sizes import token_budget as budget
from shared.search.sizes.details import cut_fields, page_sized
from shared.search.sizes.report_sizes import sized_reports

if TYPE_CHECKING:
    from shared.answers.search import Action, Paper, SearchAnswer
    from shared.search.result_sets.store import SearchResults


WAIT_MS = 15_000  # how long the call that is offered waits for pending legs


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
