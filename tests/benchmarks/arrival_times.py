"""When the legs of people's searches arrive in the simulated day: seconds after the search began, for each provider.

The day is that of tests/benchmarks/scheduled_load.py, people alone: every question is new, and asks all seven
providers. Legs go on after an early response, so these times hold whatever rule sends it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from shared.legs.coalescing import answer_legs
from shared.search.requests.search_request import read_request
from shared.search.search_legs import interactive_legs
from tests.simulations.scheduled_arrivals import Load
from tests.simulations.scheduled_load import DISCIPLINES, TIMEOUT_S, ScheduledLoad
from tests.simulations.simulated_providers import SPECS

TWO_STEPS = "pubmed"  # ids, then records


@dataclass(frozen=True, slots=True)
class Arrivals:
    """One search: when each leg answered. `ids_s`: when PubMed's first request had its answer.

    `failed`: the legs that did not: those whose queue was too long, and 1 % of arXiv's. They are left out of all waits.
    """

    seconds: Mapping[str, float]
    failed: frozenset[str]
    ids_s: float

    def missing(self, at: float) -> frozenset[str]:
        """The legs that have not answered at this moment, and will."""
        return frozenset(name for name, seconds in self.seconds.items() if seconds > at)


class _Observed(ScheduledLoad):
    """The day, with the arrivals of each search."""

    def __init__(self, load: Load) -> None:
        super().__init__(load)
        self.answered: dict[int, tuple[float, Mapping[str, float], frozenset[str]]] = {}

    def _person(self, number: int) -> None:
        began = self.clock.monotonic()
        legs = interactive_legs(read_request({"query": f"question {number}"}, SPECS), DISCIPLINES)
        dependencies = self._dependencies(f"person {number}", scheduled=False)
        replies = [it.reply for it in answer_legs(legs, dependencies, until=began + TIMEOUT_S)]
        seconds = {it.provider: it.elapsed_ms / 1000 for it in replies if it.outcome.answered}
        failed = frozenset(it.provider for it in replies if not it.outcome.answered)
        self.answered[number] = began, seconds, failed


def arrivals(load: Load) -> Sequence[Arrivals]:
    """Of all searches of the day."""
    day = _Observed(load)
    day.run()
    first: dict[int, float] = {}
    for it in day.seen.requests:
        if it.provider == TWO_STEPS:
            first.setdefault(int(it.query.split()[-1]), it.ended)
    return [
        Arrivals(seconds, failed, first.get(number, began) - began)
        for number, (began, seconds, failed) in day.answered.items()
    ]
