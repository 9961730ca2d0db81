"""Single-flight for result sets: of equal searches at once, one, the leader, merges and ranks for all.

As in golang.org/x/sync/singleflight, but between processes: the leader is the search that has the claim on the request.
Every search that finds no result set claims its request while its legs are answered. A follower that has queried no
provider waits for the leader's result set, without reading a leg; if it does not come, the follower makes its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from shared.legs.leg import LegAnswer
    from shared.search.result_sets.store import SearchResults

WAIT_S = 2.0  # a leader merges and stores in a fraction of it
FIRST_WAIT_S, LONGEST_WAIT_S = 0.2, 0.4  # between two polls, each twice as long as the one before
RESERVE_S = 0.5  # of the search's own time, for making the result set itself


class SingleFlight(Protocol):
    """Elects the leader of equal searches, and pauses followers between two polls."""

    def claim(self, request_key: str) -> Callable[[], bool]:
        """Begin to claim a request; the function waits for the claim and returns whether this search is the leader."""

    def wait(self, seconds: float) -> None:
        """Wait, for less or longer by chance, so that many followers do not poll at once."""


def may_follow(answers: Sequence[LegAnswer]) -> bool:
    """Whether a leader can have the same answers: no leg has failed, and this search queried no provider itself."""
    return all(answer.is_shared for answer in answers)


def leaders_result(
    find: Callable[[], SearchResults | None],
    is_leader: Callable[[], bool],
    single_flight: SingleFlight,
    left_s: Callable[[], float],
) -> SearchResults | None:
    """The leader's result set; None if this search is to make its own. `left_s`: of the search's time.

    The leader does not poll: a claim outlasts a search, so nobody else has made the set since it found none.
    """
    if is_leader():
        return None
    waited, next_s = 0.0, FIRST_WAIT_S
    while waited < WAIT_S and left_s() >= RESERVE_S + next_s:
        single_flight.wait(next_s)  # first: the leader got its last leg a moment ago
        if found := find():
            return found
        waited, next_s = waited + next_s, min(LONGEST_WAIT_S, 2 * next_s)
    return None if waited else find()
