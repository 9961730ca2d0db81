"""One turn of the worker of exhaustive searches: as many steps as fit into its time."""

from __future__ import annotations

from dataclasses import dataclass

from shared.exhaustive_searches.merging import merge_all
from shared.exhaustive_searches.progress import ExhaustiveSearch, SearchStore
from shared.exhaustive_searches.steps import (
    ROUND_S,
    StepDependencies,
    read_round,
    seconds_until_due,
)


@dataclass(frozen=True, slots=True)
class Turn:
    """The search after a turn, and in how many seconds its next turn is due."""

    search: ExhaustiveSearch
    wait_s: int = 0


def advance(
    search: ExhaustiveSearch, store: SearchStore, dependencies: StepDependencies, *, until: float
) -> Turn | None:
    """Read pages until the moment `until` (monotonic seconds), or merge them; None if another worker was faster.

    Merging has a turn of its own, with all of its time.
    """
    if search.progress.all_read:
        merged = merge_all(search, store, dependencies.tracks_integrity)
        return Turn(merged) if merged else None
    while not search.progress.all_read:
        if wait_s := seconds_until_due(search.progress, dependencies.now()):
            return Turn(search, wait_s)
        if until - dependencies.monotonic() < ROUND_S:
            break
        after = read_round(search, store, dependencies)
        if after is None:
            return None
        search = after
    return Turn(search)
