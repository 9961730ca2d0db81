"""When a provider is given a rest, for how long, and who tries first."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.errors import (
    BadResponse,
    CutOff,
    KeyRefused,
    ProviderError,
    ProviderTimeout,
    RateLimited,
    RequestRejected,
    Unavailable,
)
from shared.rate_limits.circuit_breaker import Circuit, Reason, admit, open_for, record_result

NOON = 1_795_176_000.0
DOWN = Unavailable("down")


def end(
    circuit: Circuit, fault: BaseException | None, *, now: float = NOON, given_s: float = 15.0, probe: bool = False
) -> Circuit:
    return record_result(circuit, fault, now=now, given_s=given_s, probe=probe)


def fail(times: int, fault: BaseException = DOWN, *, every_s: float = 1.0, given_s: float = 15.0) -> Circuit:
    circuit = Circuit()
    for number in range(times):
        circuit = end(circuit, fault, now=NOON + number * every_s, given_s=given_s)
    return circuit


COUNTED = [
    pytest.param(RateLimited("slow down"), 15.0, id="429"),
    pytest.param(Unavailable("down"), 15.0, id="5xx, or no connection"),
    pytest.param(CutOff("cut off"), 15.0, id="connection broken"),
    pytest.param(ProviderTimeout("late"), 5.0, id="timeout after five seconds"),
]
PASSED_OVER = [
    pytest.param(ProviderTimeout("late"), 4.9, id="timeout of a caller in a hurry"),
    pytest.param(RequestRejected("wrong"), 15.0, id="rejected request"),
    pytest.param(BadResponse("odd"), 15.0, id="another form"),
    pytest.param(KeyError("ours"), 15.0, id="a fault of ours"),
]


@pytest.mark.parametrize(("fault", "given_s"), COUNTED)
def test_five_failures_in_a_row_open_the_circuit_for_half_a_minute(fault: ProviderError, given_s: float) -> None:
    assert open_for(fail(4, fault, given_s=given_s), NOON + 4) is None
    message, seconds = open_for(fail(5, fault, given_s=given_s), NOON + 4) or ("", 0.0)
    assert (seconds, "last requests failed" in message) == (30.0, True)


@pytest.mark.parametrize(("fault", "given_s"), PASSED_OVER)
def test_errors_that_are_no_outage_neither_open_nor_close_the_circuit(fault: BaseException, given_s: float) -> None:
    assert fail(20, fault, given_s=given_s) == Circuit()
    assert end(fail(3), fault, given_s=given_s) == fail(3)


def test_failures_more_than_a_minute_apart_do_not_open_the_circuit() -> None:
    assert fail(20, every_s=16.0).open_until is None
    assert fail(20, every_s=14.0).open_until is not None


def test_a_success_between_failures_resets_the_count() -> None:
    circuit = end(fail(4), None)
    assert circuit == Circuit()
    assert end(circuit, DOWN).open_until is None


def test_concurrent_failures_open_the_circuit_once() -> None:
    assert fail(9, every_s=0.0) == fail(5, every_s=0.0)


def test_after_the_open_period_one_probe_is_admitted_and_others_wait() -> None:
    circuit = fail(5, every_s=0.0)
    now = NOON + 30
    assert open_for(circuit, now) is None
    circuit = admit(circuit, probe_until=now + 16)
    assert (open_for(circuit, now) or ("", 0.0))[1] == 16.0


def test_a_lost_probe_expires() -> None:
    circuit = admit(fail(5, every_s=0.0), probe_until=NOON + 46)
    assert open_for(circuit, NOON + 46) is None


def test_a_successful_probe_closes_the_circuit() -> None:
    assert end(admit(fail(5), probe_until=NOON + 60), None, probe=True) == Circuit()


def test_each_failed_probe_doubles_the_open_period_up_to_ten_minutes() -> None:
    circuit, now, rests = fail(5, every_s=0.0), NOON, []
    for _ in range(7):
        assert circuit.open_until is not None
        rests.append(circuit.open_until - now)
        now = circuit.open_until
        circuit = end(admit(circuit, probe_until=now + 16), DOWN, now=now, probe=True)
    assert rests == [30, 60, 120, 240, 480, 600, 600]


def test_an_inconclusive_probe_lets_another_caller_probe() -> None:
    circuit = admit(fail(5, every_s=0.0), probe_until=NOON + 46)
    rested = end(circuit, RequestRejected("wrong"), now=NOON + 31, probe=True)
    assert rested.open_until == circuit.open_until
    assert open_for(rested, NOON + 31) is None


def test_a_request_sent_before_the_circuit_opened_does_not_end_the_probe() -> None:
    circuit = admit(fail(5, every_s=0.0), probe_until=NOON + 46)
    assert end(circuit, DOWN, now=NOON + 31) == circuit


def test_a_rejected_key_opens_the_circuit_for_ten_minutes_with_its_own_message() -> None:
    circuit = end(Circuit(), KeyRefused("no"))
    message, seconds = open_for(circuit, NOON) or ("", 0.0)
    assert seconds == 600.0
    assert "rejected the key or this address" in message
    assert circuit.reason is Reason.KEY_REFUSED


def test_a_rejected_key_is_reported_even_during_an_outage() -> None:
    circuit = admit(fail(5, every_s=0.0), probe_until=NOON + 46)
    assert end(circuit, KeyRefused("no"), now=NOON + 31, probe=True).reason is Reason.KEY_REFUSED


FAULTS = st.sampled_from([None, DOWN, RateLimited("slow"), KeyRefused("no"), RequestRejected("wrong")])


@given(st.lists(st.tuples(st.floats(0.0, 40.0), FAULTS, st.floats(0.0, 20.0)), max_size=60))
def test_an_open_circuit_never_admits_two_probes_and_never_stays_open_forever(
    steps: list[tuple[float, BaseException | None, float]],
) -> None:
    circuit, now, probe_until = Circuit(), NOON, 0.0
    for step, fault, takes_s in steps:
        now += step
        stop = open_for(circuit, now)
        if stop:
            assert 0 < stop[1] <= 600.0
            continue
        probe = circuit.open_until is not None
        if probe:
            assert now >= probe_until
            probe_until = now + 21
        circuit = admit(circuit, now + 21)
        now += takes_s
        circuit = end(circuit, fault, now=now, probe=probe)
        probe_until = now if probe else probe_until
    assert open_for(circuit, now + 601) is None
