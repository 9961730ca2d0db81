"""How a leg ended, and what follows from it: the one place that decides whether a provider answered."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Outcome(StrEnum):
    """How one leg ended; docs/api.md lists the outcomes for callers.

    What an outcome means for an answer depends on the question. Each question has one property here, and the code that
    asks it has no list of outcomes of its own:

                     answered  unanswered  would_know  may_answer_later  worth_repeating  failed  no_room  asks_to_wait
    ok, empty            x
    timeout,
      unavailable,
      bad_response                  x           x             x                 x            x
    rate_limited,
      circuit_open                  x           x             x                 x            x                  x
    skipped_budget,
      skipped_overload              x           x             x                 x                    x          x
    pending                         x           x             x
    skipped_disabled                x           x
    skipped_unsupported_filter      x
    skipped_no_key       exempt unless the caller named the provider: `is_exempt`

    From left to right each of the middle four leaves out one kind more, for a reason of its own: `unanswered` what a
    key of this deployment would be needed for; `would_know` what a provider can never answer; `may_answer_later` what
    only an operator can change; `worth_repeating` what is being asked already.
    """

    OK = "ok"
    EMPTY = "empty"
    RATE_LIMITED = "rate_limited"
    TIMEOUT = "timeout"
    UNAVAILABLE = "unavailable"
    BAD_RESPONSE = "bad_response"
    CIRCUIT_OPEN = "circuit_open"
    SKIPPED_NO_KEY = "skipped_no_key"
    SKIPPED_BUDGET = "skipped_budget"
    SKIPPED_UNSUPPORTED_FILTER = "skipped_unsupported_filter"
    SKIPPED_OVERLOAD = "skipped_overload"  # for lack of room in this service
    SKIPPED_DISABLED = "skipped_disabled"  # the operator has switched it off
    PENDING = "pending"  # the answer did not wait for it

    @property
    def answered(self) -> bool:
        """Whether the provider answered, with results or without."""
        return self in (Outcome.OK, Outcome.EMPTY)

    def is_exempt(self, *, named: bool) -> bool:
        """Whether its silence makes no answer incomplete: it has no key in this deployment, and was not named.

        A provider that is switched off is not exempt: it would have answered (decisions 0005 and 0077).
        """
        return self is Outcome.SKIPPED_NO_KEY and not named

    @property
    def unanswered(self) -> bool:
        """Whether it is to be named as a provider without an answer. A caller who did not name it is assumed."""
        return not self.answered and not self.is_exempt(named=False)

    @property
    def would_know(self) -> bool:
        """Whether the provider may hold what was asked for and has not said so: nothing is "not found" before it does.

        One that is switched off may: a saved search asks it for the same days when it is on again. One that cannot
        apply a filter has nothing to say about the request at any time.
        """
        return self.unanswered and self is not Outcome.SKIPPED_UNSUPPORTED_FILTER

    @property
    def may_answer_later(self) -> bool:
        """Whether waiting helps, with nothing changed: a switch may stay off for weeks, and nobody waits for it."""
        return self.would_know and self is not Outcome.SKIPPED_DISABLED

    @property
    def worth_repeating(self) -> bool:
        """Whether the same request, sent again, may bring the answer; a pending one comes without that."""
        return self.may_answer_later and self is not Outcome.PENDING

    @property
    def failed(self) -> bool:
        """Whether it counts as the provider's failure: it gave no answer, now or to the last requests."""
        return self.worth_repeating and not self.no_room

    @property
    def no_room(self) -> bool:
        """Whether it was not queried for lack of a permit or of room in this service, which says nothing about it."""
        return self in (Outcome.SKIPPED_BUDGET, Outcome.SKIPPED_OVERLOAD)

    @property
    def asks_to_wait(self) -> bool:
        """Whether a request would be refused at the moment whatever it is: a later one is no second attempt."""
        return self.no_room or self in (Outcome.RATE_LIMITED, Outcome.CIRCUIT_OPEN)

    @property
    def skipped(self) -> bool:
        """Whether the leg was left out before it began; an open circuit counts as a query that fails."""
        return self.value.startswith("skipped_")


def answered_of(outcomes: Mapping[str, Outcome]) -> list[str]:
    """The providers that answered, with a record or without, by name."""
    return sorted(name for name, outcome in outcomes.items() if outcome.answered)


def unanswered_of(outcomes: Mapping[str, Outcome]) -> dict[str, Outcome]:
    """The providers that did not answer, by name, with their outcomes; without those that lack an API key here."""
    return {name: outcome for name, outcome in sorted(outcomes.items()) if outcome.unanswered}
