"""Early responses: a search may answer before its last legs; its result set is then completed in the background.

    the response   the legs so far, ranked; the others are `pending`          the result set has `pending`
    later          a completion (shared/search/completion.py) waits for them  the papers they bring follow, at the end
    too late       no completion came in time                                 it says so: `timeout`, not `pending`

What an answer has shown does not move: the papers that come later are behind all that were there before, by rank, so
that a cursor neither repeats nor loses one. The same papers in the order of their ranks are a result set of their own,
`completed_by`, which an equal search finds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from shared.bibliography.identifiers import paper_key
from shared.canonical_json import canonical, digest
from shared.legs.endings import EarlyResponseRule
from shared.legs.leg import Leg, LegAnswer, LegDependencies
from shared.outcomes import Outcome
from shared.search.result_sets.store import reused

if TYPE_CHECKING:
    from shared.bibliography.paper import MergedPaper
    from shared.clock import Deadline
    from shared.search.ranked_set import RankedSet
    from shared.search.requests.search_request import SearchRequest
    from shared.search.result_sets.store import AnyResultSet, SearchResults, SearchResultSet

# How long a result set is pending at most: three attempts of its completion, with the pauses of the queue between.
PENDING_S = 300
# A set that is pending for longer is completed anew for an equal search: its own may have died before it queued that.
ABANDONED_S = 60.0


class PendingSets(Protocol):
    """The store of result sets that are not complete yet."""

    def begin(self, result_set: SearchResultSet) -> AnyResultSet | None:
        """Store it unless there is one with its id; returns the one that is stored then, None if none could be."""

    def finish(self, result_set: AnyResultSet) -> bool:
        """Replace the pending one with this id; False if it is not pending (any more). Raises StorageUnavailable."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlyResponseDependencies:
    """What a search needs to respond early."""

    legs: Callable[[float], LegDependencies]  # of a search that may respond from this moment on, in epoch seconds
    sets: PendingSets
    complete_later: Callable[[str], bool]  # sees to it that the result set with this id is completed
    now: Callable[[], float]  # epoch seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlyResponse:
    """How one search may respond early."""

    request: SearchRequest
    dependencies: EarlyResponseDependencies
    until: float  # on the monotonic clock
    began: float  # epoch seconds
    make: Callable[[Sequence[LegAnswer]], RankedSet]

    @property
    def rule(self) -> EarlyResponseRule[SearchResults]:
        """When the search responds, and with which result set."""
        return EarlyResponseRule(self.until, any_found, self._store)

    @property
    def leg_dependencies(self) -> LegDependencies:
        """Those of legs that store late replies."""
        return self.dependencies.legs(self.began + (self.request.patience_ms or 0) / 1000)

    def _store(self, answers: Sequence[LegAnswer]) -> SearchResults | None:
        """Store what there is, and have it completed. None without results, or where one of the two fails."""
        made = self.make(answers)
        result_set = made.result_set
        if not result_set["results"]:
            return None
        waits = sorted({answer.reply.provider for answer in answers if answer.reply.outcome is Outcome.PENDING})
        result_set["pending"] = {
            "providers": waits,
            "until": round(self.dependencies.now()) + PENDING_S,
            "began_ms": round(self.began * 1000),
            "fresh": self.request.fresh,
            "names": sorted({name for item in made.papers for name in names_of(item.paper)}),
        }
        for _ in range(2):
            there = self.dependencies.sets.begin(result_set)
            if there is None:
                return None
            if there is result_set or self._is_own(there):
                return result_set if self.dependencies.complete_later(result_set["result_set_id"]) else None
            if "pending" in there:  # an equal search has stored it
                if self.dependencies.now() - there["pending"]["began_ms"] / 1000 > ABANDONED_S:
                    self.dependencies.complete_later(there["result_set_id"])
                return reused(there, "coalesced")
            salted = canonical([result_set["result_set_id"], result_set["pending"]["began_ms"]])
            result_set["result_set_id"] = digest(salted, 32)
        return None

    def _is_own(self, there: AnyResultSet) -> bool:
        """Whether this search has stored it: the write was repeated, since the answer to the first one was lost."""
        return "pending" in there and there["pending"]["began_ms"] == round(self.began * 1000)


def early_response_of(
    request: SearchRequest,
    legs: Sequence[Leg],
    dependencies: EarlyResponseDependencies | None,
    deadline: Deadline,
    make: Callable[[Sequence[LegAnswer]], RankedSet],
) -> EarlyResponse | None:
    """How this search may respond early; None if it waits for all legs, as a search for identifiers does."""
    if dependencies is None or request.patience_ms is None or request.identifiers or len(legs) < 2:
        return None
    until = deadline.started + request.patience_ms / 1000
    if until >= deadline.until:
        return None
    return EarlyResponse(request=request, dependencies=dependencies, until=until, began=dependencies.now(), make=make)


def any_found(answers: Sequence[LegAnswer]) -> bool:
    """Whether these answers suffice without the pending ones: some provider has found something."""
    return any(answer.reply.outcome is Outcome.OK for answer in answers)


def names_of(paper: MergedPaper) -> Collection[str]:
    """By what a paper of a result set is recognised: its records, which it has in every merge with the same ones."""
    return {
        digest(canonical([it.provider, paper_key(it.ids, it.title, it.year), it.title]), 16) for it in paper.records
    }
