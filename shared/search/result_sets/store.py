"""Stored result sets: their form, the store, and how one is used for another answer.

A result set belongs to a search or to a list of references or citations; the two differ in `summary` and `results`.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, Generic, NotRequired, Protocol, TypeAlias, TypedDict, TypeVar

import msgspec

from shared.canonical_json import digest
from shared.errors import Expired, StorageUnavailable
from shared.legs.reports import as_cached
from shared.search.hints.result_hints import NOT_STORED

if TYPE_CHECKING:
    from shared.answers.search import CacheState, Hint, LegReport, StoredPaper
    from shared.json_types import JsonObject


class SetSummary(TypedDict):
    """What every result set records about how it was made."""

    complete: bool
    providers: dict[str, LegReport]
    cache: CacheState
    hints: list[Hint]


class SearchSummary(SetSummary):
    """What a search's answer says about the search, and not about a paper."""

    total_count: int
    providers_searched: list[str]
    blamed: NotRequired[list[list[str]]]  # the fewest filters without which some paper passes, where none does


class SearchTerms(TypedDict):
    """What a search was for; a cursor is valid only with the same wordings and providers."""

    wordings: list[str]
    providers: list[str]
    request: JsonObject  # the fields that decide the results, as they were given


class PendingLegs(TypedDict):
    """What a result set is waiting for (`shared.search.early_response`)."""

    providers: list[str]
    until: int  # epoch seconds: nothing comes after this
    began_ms: int  # when its search began, in epoch milliseconds, and whether it ignored older replies
    fresh: bool
    names: list[str]  # of the records of its papers: what they are recognised by


Summary = TypeVar("Summary", bound=SetSummary)
Result = TypeVar("Result")


class ResultSet(TypedDict, Generic[Summary, Result]):
    """All results of one request, in full. A page is a view of it."""

    result_set_id: str  # a digest of the request and of the content
    summary: Summary
    results: Sequence[Result]
    kept: NotRequired[bool]  # False: it could not be stored


class SearchResultSet(ResultSet[SearchSummary, "StoredPaper"]):
    """A search's result set, as it is stored."""

    asked: SearchTerms
    pending: NotRequired[PendingLegs]  # only while legs are under way
    completed_by: NotRequired[str]  # the id of the complete result set that has the same papers in the order of ranks


class AnyResultSet(ResultSet[Any, Any]):
    """A result set as it was read: of a search if it has `asked`, else of a list of references or citations."""

    asked: NotRequired[SearchTerms]
    version: NotRequired[str]  # of one found by its request: a digest of all that its answers say, times included
    pending: NotRequired[PendingLegs]  # only while legs are under way
    completed_by: NotRequired[str]  # the id of the complete result set that has the same papers in the order of ranks


SearchResults: TypeAlias = ResultSet[SearchSummary, "StoredPaper"]


class ResultSets(Protocol):
    """The store of result sets, by id and by the request that made them."""

    def get(self, result_set_id: str) -> AnyResultSet | None:
        """The result set with this id; None when it has expired."""

    def find_by_request(self, request_key: str) -> AnyResultSet | None:
        """The complete and fresh result set of an equal request."""

    def put(self, result_set: ResultSet[Any, Any], request_key: str | None, fresh_s: float) -> bool:
        """Store a result set; `request_key` finds it for `fresh_s` seconds. False when it could not be stored.

        An incomplete result set is not found by a key under which a complete one is still fresh.
        """


SEND_AGAIN = "Send the request that it came from again."


def existing(
    result_sets: ResultSets, result_set_id: str, hint: str = SEND_AGAIN, *, by_cursor: bool = False
) -> AnyResultSet:
    """The result set with this id. Raises Expired, and StorageUnavailable if it cannot be read."""
    result_set = result_sets.get(result_set_id)
    if result_set is None:
        raise Expired(f"the result set {'of the cursor ' if by_cursor else ''}has expired or never existed", hint=hint)
    return result_set


# What a leg's report says about the leg itself, and not about when and how its reply was obtained.
_SAID = ("outcome", "returned", "total_estimate", "effective_query", "warnings", "unsupported_filters")


def result_set_id(request_key: str, results: object, summary: SetSummary) -> str:
    """A digest of everything that an answer from this result set says, but for times and sources of legs.

    Only equal requests with equal answers share an id, so that no request changes what the cursor of another reads.
    """
    reports = {
        name: [*(report.get(field) for field in _SAID), report["source"] == "stale"]
        for name, report in summary["providers"].items()
    }
    # This hint repeats the outcomes of the reports, and the time that each provider wants to be left alone.
    hints = [hint for hint in summary["hints"] if hint["reason"] != "providers_failed"]
    content = [request_key, results, summary["complete"], hints, reports]
    return digest(msgspec.json.encode(content, order="sorted"), 32)


def reused(result_set: ResultSet[Summary, Result], cache: CacheState) -> ResultSet[Summary, Result]:
    """A stored result set for another answer, which reports `cache` (`hit`, `coalesced`) and cached legs."""
    summary = copy(result_set["summary"])
    summary["providers"] = as_cached(summary["providers"])
    summary["cache"] = cache
    shown = copy(result_set)
    shown["summary"] = summary
    return shown


def shows(result_set: ResultSet[Summary, Result], count: int) -> bool:
    """Whether so many of its results can be read, or all if it has fewer; the last of them tells."""
    results = result_set["results"]
    try:
        return not results or results[min(count, len(results)) - 1] is not None
    except StorageUnavailable:
        return False


def stored(
    result_sets: ResultSets, result_set: ResultSet[Summary, Result], request_key: str, fresh_s: float
) -> ResultSet[Summary, Result]:
    """Store the result set; if that fails, mark it so that its answer offers no next page and says why."""
    if result_sets.put(result_set, request_key, fresh_s):
        return result_set
    summary = copy(result_set["summary"])
    summary["hints"] = [*summary["hints"], NOT_STORED]
    shown = copy(result_set)
    shown.update({"kept": False, "summary": summary})
    return shown
