"""Answers from a stored result set: a page of it, and how many of its papers have each year, venue, type and so on."""

from __future__ import annotations

from typing import Annotated, Literal

from typing_extensions import TypedDict

from shared.answers.fields import Complete, Count, NextCursor
from shared.answers.search import Marks, Paper, Truncated
from shared.field_schema import FieldSchema

Matching = Annotated[Count, FieldSchema("How many of its papers pass the filters.")]
Unknown = Annotated[Count, FieldSchema("Papers of which it is not known.")]


class YearCount(TypedDict):
    """How many papers are of a year."""

    value: int
    count: Count


class TextCount(TypedDict):
    """How many papers have a value; `value` is what the filter of the same name takes."""

    value: str
    count: Count


class YearFacet(TypedDict):
    """Papers by year, the newest first."""

    values: list[YearCount]
    unknown: Unknown


class TextFacet(TypedDict):
    """Papers by another value, the most frequent first."""

    values: list[TextCount]
    unknown: Unknown


class OpenAccessFacet(TypedDict):
    """Papers by whether a free copy exists."""

    open: Count
    closed: Count
    unknown: Unknown


class Facets(TypedDict):
    """The counts, by the name of the filter; with a filter, of the papers that pass it."""

    year: YearFacet
    venue: Annotated[TextFacet, FieldSchema("Spellings of one journal count together, under the most frequent.")]
    type: TextFacet
    source: Annotated[TextFacet, FieldSchema("Providers; a paper counts for each that has it.")]
    open_access: OpenAccessFacet


class _OfResultSet(Marks):
    result_set_id: str
    query: Annotated[str | None, FieldSchema("Of the search; null for a list of references or citations.")]
    total_count: Annotated[Count, FieldSchema("Papers of the result set.")]
    matching: Matching
    complete: Complete


class FacetsAnswer(_OfResultSet):
    """The counts of a stored result set. No record states topics, so none are counted."""

    facets: Facets


class ResultSetAnswer(_OfResultSet):
    """A page of the papers of a stored result set that pass the filters, in its order."""

    state: Annotated[
        Literal["complete", "pending", "incomplete"],
        FieldSchema(
            "pending: providers are still being asked, their papers will follow behind the present ones; "
            "incomplete: some have not answered, and will not."
        ),
    ]
    missing: Annotated[list[str], FieldSchema("Providers that were asked and have not answered (yet).")]
    completed_by: Annotated[
        str | None, FieldSchema("Of a set that was pending: the set with the same papers, the best first.")
    ]
    returned: Count
    results: list[Paper]
    next_cursor: NextCursor
    truncated: Truncated | None
