"""The reports of the runs of saved searches and watches."""

from __future__ import annotations

from typing import Annotated

from typing_extensions import TypedDict

from shared.answers.fields import Complete, Count, Moment
from shared.answers.search import Providers
from shared.field_schema import FieldSchema


class EventCounts(TypedDict):
    """How many events of each type a run produced."""

    new_paper: Count
    now_published: Count
    retracted: Count
    baseline: Count


class Windows(TypedDict):
    """The date windows that a run is divided into, so that no source has to truncate its results."""

    asked: Annotated[Count, FieldSchema("Searched in this run.")]
    all: Count
    left: Annotated[Count, FieldSchema("Still to be searched: another run follows soon.")]


class _Run(TypedDict):
    run_id: str
    started_at: Moment
    ended_at: Moment
    first_run: bool
    complete: Complete


class _RunProgress(_Run):
    events: EventCounts
    providers: Providers
    windows: Windows


# The functional form keeps this published name out of the vocabulary of the code.
_Truncated = TypedDict(  # noqa: UP013
    "_Truncated",
    {"overfull": Annotated[list[str], FieldSchema("Sources with more results on one day than they return.")]},
)


class LastRun(_RunProgress, _Truncated):
    """The outcome of a run of a search."""

    watched_from: Annotated[str | None, FieldSchema("Where the search is too broad: the first day that is monitored.")]
    undecided: Annotated[Count, FieldSchema("Papers left out because a filter could not be applied to them.")]


class StateCounts(TypedDict):
    """How many events of each type a run of a watch produced."""

    retracted: Count
    corrected: Count
    expression_of_concern: Count
    now_published: Count


class CitedPapers(TypedDict):
    """The papers that a watched context cites, and what a run did for them."""

    cited: Count
    looked_up: Annotated[Count, FieldSchema("In this run.")]
    not_found: Annotated[Count, FieldSchema("Of these: no source that answered has it.")]
    unanswered: Annotated[
        Count, FieldSchema("Of these: a source that records retractions did not answer. The next run asks it again.")
    ]
    left: Annotated[Count, FieldSchema("Still to be looked up: another run follows soon.")]
    left_out: Annotated[Count, FieldSchema("Not watched: cited after the first 1,000, or without an id.")]


class WatchRun(_Run):
    """The outcome of a run of a watch."""

    events: StateCounts
    providers: Providers
    papers: CitedPapers
