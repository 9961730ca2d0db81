"""The result set that a cursor continues; one whose legs are pending may be waited for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from shared.errors import FieldError, Unprocessable
from shared.query.syntax import normalise
from shared.search.hints.person_hints import as_typed
from shared.search.result_sets.store import existing, reused
from shared.search.search_terms import differs

if TYPE_CHECKING:
    from collections.abc import Callable

    from shared.clock import Deadline
    from shared.legs.leg import LegDependencies
    from shared.search.requests.search_request import SearchRequest
    from shared.search.result_sets.cursor import Cursor
    from shared.search.result_sets.store import AnyResultSet, ResultSets, SearchResults, SearchTerms

FIRST_WAIT_S, LONGEST_WAIT_S = 0.1, 1.0  # between two looks at a pending result set


class _Dependencies(Protocol):
    @property
    def result_sets(self) -> ResultSets: ...

    @property
    def legs(self) -> LegDependencies: ...


def result_set_of_cursor(
    cursor: Cursor, request: SearchRequest, dependencies: _Dependencies, deadline: Deadline
) -> tuple[SearchResults, SearchTerms]:
    """The result set and what it was searched for; with `patience_ms`, it waits so long for pending legs.

    Raises Expired, or Unprocessable if the cursor belongs to a list of references or to another search.
    """
    hint = "Send the search again without `cursor`."
    result_set = existing(dependencies.result_sets, cursor.result_set_id, hint, by_cursor=True)
    terms = result_set.get("asked")
    if terms is None:
        raise Unprocessable("cursor: of another list", [FieldError("cursor", "pass a cursor of a search's answer")])
    author = request.author_in_words
    if author and normalise(author.query) in terms["wordings"]:  # searched for as words
        request = as_typed(request)
    other_words = request.wordings and [normalise(it) for it in request.wordings] != terms["wordings"]
    other_providers = request.providers and sorted(request.providers) != terms["providers"]
    if other_words or other_providers or differs(request, terms):
        message = "belongs to another search: pass it alone, or with the same fields"
        raise Unprocessable.field("cursor", message)
    until = min(deadline.started + (request.patience_ms or 0) / 1000, deadline.until)
    threads, monotonic = dependencies.legs.threads, dependencies.legs.monotonic
    waited = awaited(result_set, dependencies.result_sets, until, monotonic, lambda s: threads.wait((), s))
    return reused(waited, "hit"), terms


def awaited(
    result_set: AnyResultSet,
    result_sets: ResultSets,
    until: float,
    monotonic: Callable[[], float],
    sleep: Callable[[float], None],
) -> AnyResultSet:
    """The result set when its legs have ended, or as it is at `until` of the monotonic clock."""
    seconds = FIRST_WAIT_S
    while "pending" in result_set and (left := until - monotonic()) > 0:
        sleep(min(seconds, left))
        seconds = min(1.5 * seconds, LONGEST_WAIT_S)
        result_set = result_sets.get(result_set["result_set_id"]) or result_set
    return result_set
