"""The counts of a source's last hour: what they say, that they cost no write, and that they stay small."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from shared.errors import BadResponse, CircuitOpen, RequestRejected, Unavailable
from shared.outcomes import Outcome
from shared.rate_limits.budget import Budget
from shared.rate_limits.limits import Limits
from shared.rate_limits.recent_hour import SLICE_S, PublicSlice, Slice, counted, merged, public_hour
from shared.rate_limits.state import ProviderState, public_status
from shared.rate_limits.stored_state import state_from_json, state_to_json
from tests.unit.rate_limits.rate_limiter_setup import SimulatedProvider

NOON = 1_795_176_000.0  # 2026-11-20
THREE = Limits(requests=3, window_s=1.0)
STATE = ProviderState(Budget(not_before=NOON + 9), hour=(Slice(int(NOON // SLICE_S), 7, {Outcome.TIMEOUT: 2}),))


def test_an_hour_has_the_five_minutes_with_requests_the_oldest_first() -> None:
    hour = merged(counted(NOON - 3_299, requests=4), counted(NOON + 1, requests=2, failed=Outcome.TIMEOUT))
    shown = public_hour(hour, NOON + 60)
    assert shown == [
        {"since": "2026-11-20T11:05:00Z", "requests": 4, "failed": {}},
        {"since": "2026-11-20T12:00:00Z", "requests": 2, "failed": {"timeout": 1}},
    ]
    assert json.loads(json.dumps(shown)) == shown


def test_counts_older_than_an_hour_are_neither_shown_nor_stored() -> None:
    old = counted(NOON - 3_601, requests=4)
    assert public_hour(old, NOON) == []
    assert merged(old, counted(NOON, requests=1)) == counted(NOON, requests=1)


def test_counts_of_the_same_minutes_are_added_and_taken_back() -> None:
    twice = merged(counted(NOON, requests=1, failed=Outcome.TIMEOUT), counted(NOON + 9, requests=1))
    assert twice == (Slice(int(NOON // SLICE_S), 2, {Outcome.TIMEOUT: 1}),)
    assert merged(counted(NOON, requests=1), counted(NOON, requests=-1)) == ()


def test_a_full_hour_survives_its_json_and_is_small() -> None:
    slices = [counted(NOON - at * SLICE_S, requests=120, failed=Outcome.RATE_LIMITED) for at in range(12)]
    state = replace(STATE, hour=merged(*slices))
    text = json.dumps(state_to_json(state), separators=(",", ":"))
    assert state_from_json(json.loads(text), NOON) == state
    assert len(json.dumps(state_to_json(state)["hour"], separators=(",", ":"))) < 150
    quiet = replace(state, hour=merged(*(counted(NOON - at * SLICE_S, requests=120) for at in range(12))))
    assert len(json.dumps(state_to_json(quiet)["hour"], separators=(",", ":"))) < 65


NUMBER = int(NOON // SLICE_S)


@pytest.mark.parametrize(
    "odd",
    [
        None, 7, "x", {}, [], [None], [NUMBER], ["x", [1]], [NUMBER, None], [NUMBER, [None]], [NUMBER, [float("nan")]],
        [1e300, [1]], [NUMBER, [1], {"sunny": [1]}], [NUMBER, [1], {"timeout": ["x"]}], [NUMBER, [1], {"timeout": 1}],
        [NUMBER, [1], [], 7], [NUMBER + 99, [1]], [NUMBER, [-4]], [[1, 1]] * 500, [NUMBER, [0] * 99 + [4]],
    ],
    ids=lambda it: ascii(it)[:30],
)  # fmt: skip
def test_odd_counts_leave_the_rate_limits_as_they_are(odd: Any) -> None:
    data = json.loads(json.dumps(state_to_json(STATE)))
    data["hour"] = odd
    state = state_from_json(data, NOON)
    assert state.budget == STATE.budget
    shown = public_status(state, THREE, NOON)["last_hour"]
    assert shown == []


def test_a_state_of_an_earlier_version_has_no_counts_yet() -> None:
    data = state_to_json(STATE)
    del data["hour"]
    assert state_from_json(data, NOON) == replace(STATE, hour=())


def hour_of(provider: SimulatedProvider) -> list[PublicSlice]:
    return public_hour(provider.table.seen.state.hour, provider.clock.time())


def test_a_request_is_counted_by_the_write_of_its_permit() -> None:
    provider = SimulatedProvider(THREE, processes=2)
    provider.run(*(partial(provider.ask, it) for it in provider.processes * 2))
    assert sum(it["requests"] for it in hour_of(provider)) == len(provider.arrived) == 4
    assert provider.table.writes == 4


def failing(provider: SimulatedProvider, *faults: Exception | None) -> None:
    def ask_all() -> None:
        for fault in faults:
            try:
                provider.ask(provider.processes[0], fault=fault)
            except (Unavailable, BadResponse) as raised:
                assert raised is fault

    provider.run(ask_all)


def test_a_failure_is_counted_by_the_write_that_it_causes() -> None:
    provider = SimulatedProvider(THREE)
    failing(provider, None, Unavailable("down"))
    assert [(it["requests"], it["failed"]) for it in hour_of(provider)] == [(2, {"unavailable": 1})]
    assert provider.table.writes == 3  # two permits, and the failure for the circuit breaker


def test_a_failure_that_causes_no_write_is_counted_by_the_next_one() -> None:
    provider = SimulatedProvider(THREE)
    failing(provider, BadResponse("odd"))
    assert [(it["requests"], it["failed"]) for it in hour_of(provider)] == [(1, {})]
    failing(provider, None)
    assert [(it["requests"], it["failed"]) for it in hour_of(provider)] == [(2, {"bad_response": 1})]
    assert provider.table.writes == 2


def test_an_answer_that_there_is_no_such_paper_is_no_failure() -> None:
    provider = SimulatedProvider(THREE)
    failing(provider, RequestRejected("not found", status=404), RequestRejected("bad request", status=400), None)
    assert [(it["requests"], it["failed"]) for it in hour_of(provider)] == [(3, {"bad_response": 1})]


def test_a_request_that_is_not_sent_is_not_counted() -> None:
    provider = SimulatedProvider(THREE)
    failing(provider, *[Unavailable("down")] * 5)
    with pytest.raises(CircuitOpen):
        provider.run(partial(provider.ask, provider.processes[0]))
    assert [(it["requests"], it["failed"]) for it in hour_of(provider)] == [(5, {"unavailable": 5})]
