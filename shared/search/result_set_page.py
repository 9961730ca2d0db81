"""A stored result set, read again: a page of the papers that pass filters, or their counts. No provider is queried.

Like a cursor, a result set's id is known only to those who got its answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from shared.answers.content_trust import marks
from shared.bibliography.paper import MAX_PLACE_CHARS
from shared.canonical_json import canonical, digest
from shared.search.cursor_pages import awaited
from shared.search.filtering.facets import FacetFilters, facets_of, filtered, papers_of
from shared.search.requests.input_forms import Whole, listed, present, whole
from shared.search.requests.named_values import ProviderNames, PublicationTypes
from shared.search.requests.search_request import Page, Sized
from shared.search.result_sets.cursor import Cursor, read_filtered_cursor
from shared.search.result_sets.pending_state import missing_of, state_of
from shared.search.result_sets.store import existing
from shared.search.sizes.details import cut_fields, page_sized
from shared.search.sizes.token_budget import fit_entries, kept_within, least_paper, truncated_by

if TYPE_CHECKING:
    from shared.answers.result_sets import FacetsAnswer, ResultSetAnswer
    from shared.search.result_sets.store import AnyResultSet, ResultSets

MAX_YEARS, MAX_VENUES = 100, 10  # they must fit into a URL


def _years(value: Any) -> Any:
    """`2020`, `"2020,2021"` and `[2020, "2021"]`."""
    return listed(value if isinstance(value, str | list | tuple) else (value,))


def _venues(value: Any) -> Any:
    """One name, or a list of them: names contain commas."""
    return present((value,) if isinstance(value, str) else value)


Year = Annotated[int, Field(ge=1000, le=2200), BeforeValidator(whole)]


class FacetRequest(BaseModel):
    """Filters on the papers of a stored result set: of each that is given, a paper must have one of the values."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    year: Annotated[tuple[Year, ...], BeforeValidator(_years)] = Field(
        (), max_length=MAX_YEARS, description="Years of publication."
    )
    venue: Annotated[tuple[Annotated[str, Field(max_length=MAX_PLACE_CHARS)], ...], BeforeValidator(_venues)] = Field(
        (), max_length=MAX_VENUES, description="Names of journals, in any spelling; repeat it for several."
    )
    type: PublicationTypes = Field((), description="Exactly these types; kinds of them count for themselves.")
    source: ProviderNames = Field((), description="Providers that have the paper.")
    open_access: bool | None = Field(None, description="Whether a free copy exists.")

    @property
    def filters(self) -> FacetFilters:
        """The filters alone."""
        return FacetFilters(
            year=self.year, venue=self.venue, type=self.type, source=self.source, open_access=self.open_access
        )


class ResultSetRequest(FacetRequest, Sized):
    """A page of a stored result set."""

    max_results: Whole = Field(10, ge=1, le=100, description="Results a page.")
    cursor: Page = None
    patience_ms: Whole = Field(0, ge=0, le=20_000, description="Waits so long for providers that are still asked.")


@dataclass(frozen=True, slots=True)
class Waiting:
    """How a pending result set is waited for: the monotonic clock and sleep, in seconds."""

    monotonic: Callable[[], float]
    sleep: Callable[[float], None]


def facets_answer(
    result_set_id: str, request: FacetRequest, result_sets: ResultSets, request_id: str
) -> FacetsAnswer:  # fmt: skip
    """The counts of the papers that pass the filters. Raises Expired or StorageUnavailable."""
    result_set = existing(result_sets, result_set_id)
    papers = papers_of(result_set["results"])
    matching = filtered(papers, request.filters)
    return {
        "result_set_id": result_set_id, "query": _query(result_set), "total_count": len(papers),
        "matching": len(matching), "complete": result_set["summary"]["complete"], "facets": facets_of(matching),
        **marks(request_id),
    }  # fmt: skip


def result_set_answer(
    result_set_id: str, request: ResultSetRequest, result_sets: ResultSets, request_id: str, waiting: Waiting
) -> ResultSetAnswer:
    """A page of the papers that pass the filters. Raises Expired, Unprocessable or StorageUnavailable."""
    until = waiting.monotonic() + request.patience_ms / 1000
    result_set = awaited(existing(result_sets, result_set_id), result_sets, until, waiting.monotonic, waiting.sleep)
    place = _place(result_set_id, request)
    offset = read_filtered_cursor(request.cursor, place, result_set_id).offset if request.cursor else 0
    papers = papers_of(result_set["results"])
    matching = filtered(papers, request.filters)
    requested = matching[offset : offset + request.max_results]
    resized = page_sized(requested, request)
    around: ResultSetAnswer = {
        "result_set_id": result_set_id, "query": _query(result_set), "total_count": len(papers),
        "matching": len(matching), "complete": result_set["summary"]["complete"], "state": state_of(result_set),
        "missing": missing_of(result_set), "completed_by": result_set.get("completed_by"), "returned": 0, "results": [],
        "next_cursor": str(Cursor(place, offset + len(requested), result_set_id)), "truncated": None,
        **marks(request_id),
    }  # fmt: skip
    draft, shown, cuts = fit_entries(around, resized, request.max_tokens, least_paper)
    end, cut = offset + len(shown), cut_fields(requested, shown, request)
    more = "pending" in result_set or (shown and end < len(matching))
    page: ResultSetAnswer = {
        **draft,
        "returned": len(shown),
        "results": shown,
        "next_cursor": str(Cursor(place, end, result_set_id)) if more else None,
        "truncated": truncated_by(len(resized) - len(shown), cut, request.max_tokens, cuts),
    }
    return kept_within(page, request.max_tokens)


def _place(result_set_id: str, request: FacetRequest) -> str:
    """What a cursor belongs to: the result set and the filters."""
    filters = request.model_dump(mode="json", include=set(FacetRequest.model_fields))
    return digest(canonical([result_set_id, filters]), 32)


def _query(result_set: AnyResultSet) -> str | None:
    """The query in the spelling of its search, if it is of a search with one."""
    asked = result_set.get("asked")
    if asked is None:
        return None
    query = asked["request"].get("query")
    return query if isinstance(query, str) else next(iter(asked["wordings"]), None)
