"""The stored form of a merged list of references or citations; its attribute names are those of the stored items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NotRequired, TypedDict

from shared.query.question import Relation

if TYPE_CHECKING:
    from shared.answers.in_text import InText
    from shared.answers.search import CacheState, ExternalIds, Hint, LegReport, StoredPaper


class ListSummary(TypedDict):
    """What applies to the list as a whole, and its paper."""

    relation: Relation
    names: list[str]  # all names of the paper
    paper: StoredPaper
    complete: bool
    cache: CacheState
    total_count: int
    totals: dict[str, int | None]  # provider -> how many papers it reports
    providers: dict[str, LegReport]
    hints: list[Hint]


class StoredLink(TypedDict):
    """One item of the list, with its paper in full."""

    key: str | None
    paper: StoredPaper | None
    external_ids: ExternalIds
    text: str | None
    asserted_by: list[str]
    in_text: NotRequired[InText | None]  # not in lists that an earlier version stored


class StoredList(TypedDict):
    """A list under its id."""

    result_set_id: str
    summary: ListSummary
    results: Sequence[StoredLink]
    kept: NotRequired[bool]  # False: it could not be stored, so that it has no next page
