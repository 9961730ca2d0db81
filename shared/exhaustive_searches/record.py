"""The record of an exhaustive search: how each source was searched, and what was found."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from shared.exhaustive_searches.progress import ExhaustiveSearch, SearchProgress, Source, Stop
from shared.exhaustive_searches.request import ExhaustiveSearchRequest, request_of

if TYPE_CHECKING:
    from shared.answers.exhaustive_searches import Flow, SourceRecord


def source_records(progress: SearchProgress, request: ExhaustiveSearchRequest) -> list[SourceRecord]:
    """How each source was searched, in a fixed order."""
    return [_record(source, request.wordings[source.wording]) for source in progress.sources]


def _record(source: Source, wording: str) -> SourceRecord:
    return {
        "provider": source.provider,
        "wording": wording,
        "request": source.query,
        "searched_from": source.began_at,
        "searched_to": source.ended_at,
        "total": source.total,
        "records": source.records,
        "pages": len(source.pages),
        "outcome": source.outcome,
        "stopped": source.stopped.value if source.stopped else None,
        "complete": source.is_whole,
        "applied_filters": list(source.applied_filters),
        "unsupported_filters": list(source.unsupported_filters),
        "warnings": _warnings(source),
    }


def _warnings(source: Source) -> list[str]:
    if not source.lacking:
        return list(source.warnings)
    return [f"its list ended with {source.records} readable records of the {source.total} counted", *source.warnings]


def bound_of(progress: SearchProgress) -> int:
    """How many records of each source and wording are read at most, which may be fewer than `max_records`."""
    return max((source.bound for source in progress.sources), default=0)


def flow_of(progress: SearchProgress) -> Flow | None:
    """The counts before and after the removal of duplicates and the filters; None until they are known."""
    found = progress.found
    if found is None:
        return None
    by_source: Counter[str] = Counter()
    for source in progress.sources:
        by_source[source.provider] += source.records
    return {
        "identified": progress.records,
        "by_source": dict(sorted(by_source.items())),
        "duplicates_removed": progress.records - found.papers,
        "after_duplicates": found.papers,
        "excluded": dict(sorted(found.excluded.items())),
        "undecided": dict(sorted(found.undecided.items())),
        "to_screen": found.passed,
    }


def is_complete(search: ExhaustiveSearch) -> bool:
    """Whether everything that the sources have was read; one that was skipped for lack of a key counts if it is named.

    A source that lost its key after its first page has failed, and counts.
    """
    named = request_of(search.request).providers
    return search.progress.found is not None and all(
        source.is_whole
        or (
            source.stopped is Stop.SKIPPED
            and source.outcome
            and source.outcome.is_exempt(named=source.provider in named)
        )
        for source in search.progress.sources
    )
