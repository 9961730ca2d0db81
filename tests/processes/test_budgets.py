"""Many callers in several processes: a provider gets at most, and nearly, the requests that it allows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import mean

import pytest

from infra.local.sandbox.server import RecordedRequest
from tests.processes.several import CallResult, Several, ask, several

pytestmark = pytest.mark.slow

PROCESSES, CALLERS = 5, 50
RATE, CONCURRENCY, WINDOW_S = 3, 3, 1.0
# Of the rate, on a machine that has two processors for five processes and for other tests; tests on virtual time have
# the share that the rate limiter itself allows.
USED = 0.3
HAMMERED_S, ATTEMPTS = 8.0, 2
# Crossref allows callers without an address one list a second and one connection, whatever is set here.
POLITE = {"CROSSREF_REQUESTS_PER_SECOND": str(RATE), "CONTACT_EMAIL": "team@example.org"}
SETTINGS = {**POLITE, "CROSSREF_CONCURRENCY": str(CONCURRENCY)}


def most_in_a_window(moments: Sequence[float], seconds: float) -> int:
    """The most moments in any window of this length; a window that begins with each moment is enough."""
    return max(sum(first <= other < first + seconds for other in moments) for first in moments)


def most_at_once(seen: Sequence[RecordedRequest]) -> int:
    """The most requests in flight at the same time."""
    return max(sum(other.started <= one.started < other.ended for other in seen) for one in seen)


def gaps(moments: Sequence[float]) -> list[float]:
    """From each request to the one that is RATE requests later."""
    return [later - sooner for sooner, later in zip(moments, moments[RATE:], strict=False)]


def hammer(running: Several) -> tuple[list[CallResult], list[RecordedRequest], list[float]]:
    """Fifty callers query for some seconds: their results, the requests that arrived, and the permits granted."""
    seen, given = len(running.arrived("crossref")), len(running.permits("Crossref"))
    threads = [
        [ask("crossref", f"TREM2 {seen} {caller} {number}", timeout_ms=3000) for number in range(60)]
        for caller in range(CALLERS)
    ]
    results = [result for calls in running.run(threads, seconds=HAMMERED_S, spread_s=1.0) for result in calls]
    return results, running.arrived("crossref")[seen:], running.permits("Crossref")[given:]


def in_time(running: Several) -> tuple[list[CallResult], list[RecordedRequest]]:
    """Hammer; again if the permits were right but the machine delayed a thread beyond its permit."""
    for _ in range(ATTEMPTS):
        results, seen, given = hammer(running)
        assert most_in_a_window(given, WINDOW_S) <= RATE, "the permits are wrong"
        assert most_at_once(seen) <= CONCURRENCY
        spaced = gaps([it.started for it in seen])
        if min(spaced) >= WINDOW_S and mean(spaced) < WINDOW_S / USED:
            break
    return results, seen


def test_fifty_callers_in_five_processes_use_rate_and_concurrency_and_never_exceed_them(tmp_path: Path) -> None:
    faults = {"crossref": {"delay_ms": 100}}
    with several(PROCESSES, tmp_path / "log", faults=faults, settings=SETTINGS) as running:
        running.warm_up()
        results, seen = in_time(running)
    arrivals = [it.started for it in seen]
    spaced = gaps(arrivals)
    assert most_in_a_window(arrivals, WINDOW_S) <= RATE, f"{RATE} requests later after {min(spaced):.3f} s only"
    assert mean(spaced) < WINDOW_S / USED, f"{mean(spaced):.3f} s for {RATE} requests"
    outcomes = Counter(it.answer["outcome"] for it in results)
    assert set(outcomes) == {"ok", "skipped_budget"}
    assert outcomes["ok"] == len(seen)
    assert all(it.answer["retry_after_s"] > 0 for it in results if it.answer["outcome"] == "skipped_budget")


def test_five_processes_that_lose_the_table_keep_the_rate_together(tmp_path: Path) -> None:
    """Sixteen requests in a window that allows three were measured when each process used the whole rate."""
    settings = {**POLITE, "CROSSREF_CONCURRENCY": "1000"}
    with several(PROCESSES, tmp_path / "log", settings=settings) as running:
        # A process has a share when it has read that every other one has written since it joined.
        for turn in range(3):
            running.run([[ask("crossref", f"TREM2 {turn} {number}")] for number in range(PROCESSES)])
        before = len(running.arrived("crossref"))
        for worker in running.workers:
            running.result(worker.lose_budgets())
        threads = [
            [ask("crossref", f"R47H {caller} {it}", timeout_ms=5000) for it in range(20)] for caller in range(10)
        ]
        results = [result for calls in running.run(threads, seconds=6.0) for result in calls]
        seen, permits = running.arrived("crossref")[before:], running.permits("Crossref")
    assert most_in_a_window(permits, WINDOW_S) <= RATE
    assert most_in_a_window([it.started for it in seen], WINDOW_S) <= RATE
    assert {it.answer["outcome"] for it in results} <= {"ok", "empty", "skipped_budget"}
    assert seen


def test_slow_answers_are_never_more_at_once_than_the_provider_allows(tmp_path: Path) -> None:
    faults = {"crossref": {"delay_ms": 1500}}
    with several(2, tmp_path / "log", faults=faults, settings=SETTINGS) as running:
        threads = [[ask("crossref", f"TREM2 {caller}")] for caller in range(10)]
        outcomes = [calls[0].answer["outcome"] for calls in running.run(threads)]
        seen = running.arrived("crossref")
    assert set(outcomes) <= {"ok", "empty"}
    assert len(seen) == len(threads)
    assert most_at_once(seen) == CONCURRENCY


def test_three_processes_leave_arxiv_three_seconds_between_requests(tmp_path: Path) -> None:
    with several(3, tmp_path / "log", faults={"arxiv": {"delay_ms": 500}}) as running:
        # Lookups, since a search that brings few papers is sent once more in a wider form.
        calls = [("arxiv", {"operation": "lookup", "names": [f"arxiv:2401.0000{it}"]}) for it in range(4)]
        outcomes = [calls[0].answer["outcome"] for calls in running.run([[call] for call in calls])]
        seen, given = running.arrived("arxiv"), running.permits("arXiv")
    assert set(outcomes) <= {"ok", "empty"}
    assert len(seen) == len(given) == 4
    assert most_in_a_window(given, 3.0) == 1
    moments = [it.started for it in seen]
    assert most_in_a_window(moments, 3.0) == 1
    assert most_at_once(seen) == 1
