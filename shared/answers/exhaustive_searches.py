"""An exhaustive search: its progress, the record of how each source was searched, and its papers."""

from __future__ import annotations

from typing import Annotated, Literal

from typing_extensions import TypedDict

from shared.answers.fields import Count, Moment, NextCursor
from shared.answers.search import Hint, Marks, Paper, Truncated
from shared.field_schema import FieldSchema
from shared.json_types import JsonObject
from shared.outcomes import Outcome

ByFilter = Annotated[dict[str, Count], FieldSchema("How many papers, by the name of the filter.")]


class SourceRecord(TypedDict):
    """How one source was searched with one wording: enough to repeat the search."""

    provider: str
    wording: Annotated[str, FieldSchema("The words that were searched for; empty if an author alone was.")]
    request: Annotated[
        str | None, FieldSchema("The first request as it was sent, unescaped, without key and contact address.")
    ]
    searched_from: Annotated[Moment | None, FieldSchema("When the first page was retrieved.")]
    searched_to: Annotated[Moment | None, FieldSchema("When the last page was retrieved.")]
    total: Annotated[Count | None, FieldSchema("Records that the source counts; null if it does not say.")]
    records: Annotated[Count, FieldSchema("Records that were read.")]
    pages: Count
    outcome: Annotated[Outcome | None, FieldSchema("Of the last page; null before the first.")]
    stopped: Annotated[
        Literal["end", "max_records", "source_limit", "not_paged", "failed", "skipped"] | None,
        FieldSchema(
            "Why it was read no further: to its end; the bound of the request; it lists no more than this of what it "
            "counts; it answers with one page only; it failed; it was not queried. Null while it is being read."
        ),
    ]
    complete: Annotated[bool, FieldSchema("Whether all of its records were read.")]
    applied_filters: Annotated[list[str], FieldSchema("Filters that the source applied itself.")]
    unsupported_filters: Annotated[list[str], FieldSchema("Filters that were applied to its records afterwards.")]
    warnings: list[str]


class Flow(TypedDict):
    """The counts of identification in a PRISMA 2020 flow diagram."""

    identified: Annotated[Count, FieldSchema("Records of all sources.")]
    by_source: dict[str, Count]
    duplicates_removed: Count
    after_duplicates: Annotated[Count, FieldSchema("Papers after the removal of duplicates.")]
    excluded: ByFilter
    undecided: Annotated[ByFilter, FieldSchema("Papers that were left out because they lack the data for a filter.")]
    to_screen: Annotated[Count, FieldSchema("Papers that passed the filters.")]


class ExhaustiveSearchAnswer(Marks):
    """The state of an exhaustive search, its record, and a page of its papers once it has ended."""

    search_id: Annotated[str, FieldSchema("Of GET /v1/exhaustive-searches/{id}, for a week.")]
    state: Annotated[
        Literal["reading", "merging", "done", "failed"],
        FieldSchema("failed: sending the request again resumes."),
    ]
    done: Annotated[Count, FieldSchema("Records that have been read.")]
    of: Annotated[Count | None, FieldSchema("Records that will be read; null until each source has said.")]
    seconds_left: Annotated[int | None, FieldSchema("An estimate; null until each source has answered.")]
    created_at: Moment
    expires_at: Moment
    complete: Annotated[bool, FieldSchema("Whether every source was read to its end.")]
    searched: Annotated[JsonObject, FieldSchema("The request: its words, filters and bound.")]
    service_version: str
    sources: list[SourceRecord]
    flow: Annotated[Flow | None, FieldSchema("Null until all sources are read and merged.")]
    returned: Count
    papers: Annotated[list[Paper], FieldSchema("In the order of their keys; none before the end.")]
    next_cursor: NextCursor
    truncated: Truncated | None
    hints: list[Hint]
