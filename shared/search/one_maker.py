"""Of equal searches at the same time one merges and ranks; the others take its result set.

Every search that finds no result set claims its making while its legs are answered. One without the claim, that queried
no provider itself, waits for the maker's result set and reads no leg; when that does not come, it makes its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from shared.legs.leg import LegAnswer
    from shared.search.result_sets import SearchResults

WAIT_S = 2.0  # a maker merges and stores in a fraction of it
FIRST_WAIT_S, LONGEST_WAIT_S = 0.2, 0.4  # between two looks, each twice as long as the one before
RESERVE_S = 0.5  # of the search's own time, for making the result set itself


class Making(Protocol):
    """Who makes a result set, and waiting for it."""

    def claim(self, request_key: str) -> Callable[[], bool]:
        """Begin to claim the making of a request's result set; the function waits for the claim and returns it."""

    def wait(self, seconds: float) -> None:
        """Wait, for less or longer by chance, so that many searches do not look at once."""


def may_take(answers: Sequence[LegAnswer]) -> bool:
    """Whether another search may make the same result set of these legs, which can be found: none failed or is ours."""
    return all(answer.is_shared for answer in answers)


def made_by_another(
    find: Callable[[], SearchResults | None],
    claimed: Callable[[], bool],
    making: Making,
    left_s: Callable[[], float],
) -> SearchResults | None:
    """The result set of an equal search; None if this search is to make it. `left_s`: of the search's time.

    The maker does not look: a claim outlasts a search, so nobody else has made the set since it found none.
    """
    if claimed():
        return None
    waited, next_s = 0.0, FIRST_WAIT_S
    while waited < WAIT_S and left_s() >= RESERVE_S + next_s:
        making.wait(next_s)  # first: the maker got its last leg a moment ago
        if found := find():
            return found
        waited, next_s = waited + next_s, min(LONGEST_WAIT_S, 2 * next_s)
    return None if waited else find()


@dataclass(slots=True)
class Taking:
    """One search that may take what another one makes; `result_set` is what it took. It waits once."""

    find: Callable[[], SearchResults | None]
    claimed: Callable[[], bool]
    making: Making
    left_s: Callable[[], float]
    result_set: SearchResults | None = None
    _tried: bool = field(default=False, init=False)

    def __call__(self) -> bool:
        """Wait for the result set; whether it came."""
        if not self._tried:
            self._tried = True
            self.result_set = made_by_another(self.find, self.claimed, self.making, self.left_s)
        return self.result_set is not None
