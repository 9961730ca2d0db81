"""How long people wait when answers are sent early: `python -m tests.benchmarks.patience`, a minute for each row.

The busiest hours of the simulated day (tests/simulations/scheduled_load.py), people alone: 0.2 searches a second, each
of all seven providers and of a question that nobody has asked. `any`: any leg may be pending; `arxiv`: arXiv's alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from shared.legs.coalescing import answer_legs_of_search
from shared.legs.endings import EarlyResponseRule, LeaderFinished
from shared.legs.leg import LegAnswer
from shared.outcomes import Outcome
from shared.search.early_response import any_found
from shared.search.requests.search_request import read_request
from shared.search.search_legs import interactive_legs
from tests.simulations.scheduled_arrivals import Load
from tests.simulations.scheduled_load import DISCIPLINES, TIMEOUT_S, ScheduledLoad, Waited, quantile
from tests.simulations.simulated_providers import SPECS

NOON = Load(saved=0, low=0.2, peak=0.2, days=2 / 24, credits=None)
ROWS = [
    (None, "any"),
    *((seconds, "arxiv") for seconds in (2.0, 3.0)),
    *((s, "any") for s in (2.0, 2.5, 3.0, 4.0, 5.0)),
]


class PatientLoad(ScheduledLoad):
    """People whose answers are sent after so many seconds, if only such legs are pending as may be."""

    def __init__(self, load: Load, early_s: float | None, may_be_pending: str) -> None:
        super().__init__(load)
        self._early_s, self._may_be_pending = early_s, may_be_pending
        self.pending: Counter[str] = Counter()

    def _person(self, number: int) -> None:
        began = self.clock.monotonic()
        legs = interactive_legs(read_request({"query": f"question {number}"}, SPECS), DISCIPLINES)
        early = self._early_s and EarlyResponseRule(began + self._early_s, self._is_sufficient, lambda _: "stored")
        dependencies = self._dependencies(f"person {number}", scheduled=False)
        until = began + TIMEOUT_S
        ending = answer_legs_of_search(legs, dependencies, until=until, fresh=False, early_response=early or None)
        assert not isinstance(ending, LeaderFinished)
        self.seen.people.append(Waited(began, self.clock.monotonic() - began))
        pending = [it.reply.provider for it in ending.answers if it.reply.outcome is Outcome.PENDING]
        self.pending.update([*pending, *(["answers"] if pending else [])])

    def _is_sufficient(self, answers: Sequence[LegAnswer]) -> bool:
        waits = {it.reply.provider for it in answers if it.reply.outcome is Outcome.PENDING}
        return any_found(answers) and (self._may_be_pending == "any" or waits <= {self._may_be_pending})


def simulated(early_s: float | None, may_be_pending: str) -> str:
    """One row of the table."""
    load = PatientLoad(NOON, early_s, may_be_pending)
    waits = [it.seconds for it in load.run().people]
    shares = {name: number / len(waits) for name, number in sorted(load.pending.items())}
    whose = ", ".join(f"{name} {share:.0%}" for name, share in shares.items() if name != "answers")
    return (
        f"| {early_s or 'wait for all'} | {may_be_pending} | {len(waits)} | {quantile(waits, 0.5):.2f} | "
        f"{quantile(waits, 0.95):.2f} | {shares.get('answers', 0.0):.0%} | {whose} |"
    )


def report() -> None:
    """A row for each patience."""
    print("| patience s | may be pending | people | p50 s | p95 s | early responses | pending legs |")
    print("|---|---|---|---|---|---|---|")
    with ProcessPoolExecutor(max_workers=2) as processes:
        for row in processes.map(partial(simulated), *zip(*ROWS, strict=True)):
            print(row, flush=True)


if __name__ == "__main__":
    report()
