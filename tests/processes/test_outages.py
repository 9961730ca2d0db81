"""Processes that die and providers that fail, as the other processes see them."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

import pytest

from shared.legs.intervals import MAX_POLL_S, RENEW_EVERY_S
from shared.legs.leg import LEASE_S
from shared.rate_limits.circuit_breaker import FAILURES
from tests.processes.several import CallResult, Several, high_rates, search, several

pytestmark = pytest.mark.slow

# What is promised beyond a deadline, and what two processors need that a dozen callers and DynamoDB share.
TOLERANCE_S, MACHINE_S = 0.1, 1.5


def test_when_a_leader_is_killed_another_process_takes_over_within_the_lease(tmp_path: Path) -> None:
    faults = {"openalex": {"delay_ms": 4000}}
    call = search(query="TREM2 R47H", providers="openalex")
    hurried = search(query="TREM2 R47H", providers="openalex", timeout_ms=3000)
    with several(3, tmp_path / "log", faults=faults, settings=high_rates()) as running:
        leader, *others = running.workers
        led = leader.run([[call]], [0.0])
        while not running.result(leader.permits()):
            time.sleep(0.05)
        begun = [other.run([[call]] * 4 + [[hurried]], [0.0] * 5) for other in others]
        time.sleep(1.0)
        leader.kill()
        killed = time.monotonic()
        results = [calls[0] for future in begun for calls in running.results(future)]
        seen = running.arrived("openalex")
    with pytest.raises(EOFError):
        led.result(timeout=0)
    # The new leader finds few papers, and asks once more in a wider form.
    seen = [it for it in seen if "search.title_and_abstract=" in it.query]
    assert len(seen) == 2  # the dead one's, and one of all the others
    taken_over_s = seen[1].started - killed
    # Its lease was renewed just before, perhaps; a waiting process looks again after MAX_POLL_S and half as much again.
    assert LEASE_S - RENEW_EVERY_S - 0.5 < taken_over_s < LEASE_S + 1.5 * MAX_POLL_S + MACHINE_S
    finished = [it for it in results if it.answer["statusCode"] == 200]
    assert len(finished) == 8
    assert all(it.answer["body"]["complete"] for it in finished)
    late = [it for it in results if it.answer["statusCode"] != 200]
    assert [it.answer["statusCode"] for it in late] == [504, 504]
    assert all(it.ended - it.began < 3.0 + TOLERANCE_S + MACHINE_S for it in late)
    assert all(it.ended - it.began < 25.0 + TOLERANCE_S for it in finished)


def outcomes(results: list[list[CallResult]]) -> list[str]:
    """What became of Europe PMC's leg; one without hits was answered as well."""
    found = [calls[0].answer["body"]["providers"]["europe_pmc"]["outcome"] for calls in results]
    return ["answered" if outcome in ("ok", "empty") else outcome for outcome in found]


def ask_all(running: Several, words: str) -> list[str]:
    """Two callers in every process, each with a question of its own, so that no answer is shared."""
    calls = [search(query=f"TREM2 {words} {number}", providers="crossref,europe_pmc") for number in range(6)]
    return outcomes(running.run([[call] for call in calls]))


def test_processes_share_an_outage_and_send_one_probe(tmp_path: Path) -> None:
    rest_s = 5.0
    faults = {"europe_pmc": {"status": 500}}
    with several(3, tmp_path / "log", faults=faults, settings=high_rates(), first_open_s=rest_s) as running:
        learnt = [search(query=f"TREM2 first {number}", providers="crossref,europe_pmc") for number in range(FAILURES)]
        assert outcomes(running.run([[call] for call in learnt])) == ["unavailable"] * FAILURES
        requests = len(running.arrived("europe_pmc"))
        assert FAILURES <= requests <= 3 * FAILURES
        assert ask_all(running, "meanwhile") == ["circuit_open"] * 6
        assert len(running.arrived("europe_pmc")) == requests
        opened = max(it.ended for it in running.arrived("europe_pmc"))
        running.sandbox.faults["europe_pmc"] = {"delay_ms": 1500}
        time.sleep(max(opened + rest_s + 0.5 - time.monotonic(), 0.0))
        assert Counter(ask_all(running, "probe")) == {"circuit_open": 5, "answered": 1}
        # The probe finds few papers, and asks once more in a wider form.
        assert requests < len(running.arrived("europe_pmc")) <= requests + 2
        del running.sandbox.faults["europe_pmc"]
        assert ask_all(running, "again") == ["answered"] * 6
        assert len(running.arrived("europe_pmc")) >= requests + 7
