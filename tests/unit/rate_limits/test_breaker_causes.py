"""One question that a provider cannot answer closes it for nobody else; failures of several questions do."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.errors import (
    BadResponse,
    CutOff,
    Forbidden,
    KeyRefused,
    ProviderError,
    ProviderTimeout,
    RateLimited,
    RequestRejected,
    Unavailable,
)
from shared.rate_limits.circuit_breaker import (
    FAILURE_WINDOW_S,
    FAILURES,
    FIRST_OPEN_S,
    LONGEST_OPEN_S,
    Cause,
    Circuit,
    Reason,
    admit,
    open_for,
    record_result,
)
from shared.rate_limits.state import ProviderState
from shared.rate_limits.stored_state import state_from_json, state_to_json

NOON = 1_795_176_000.0
ONE = Cause("question", "request")


def end(
    circuit: Circuit, error: BaseException | None, cause: Cause, *, now: float = NOON, probe: bool = False
) -> Circuit:
    """The circuit after a request, as another process reads it from the table."""
    circuit = record_result(circuit, error, now=now, given_s=15.0, probe=probe, cause=cause)
    stored = json.loads(json.dumps(state_to_json(ProviderState(circuit=circuit))))
    return state_from_json(stored, now).circuit


def after(error: BaseException, *causes: Cause, every_s: float = 0.0) -> Circuit:
    circuit = Circuit()
    for number, cause in enumerate(causes):
        circuit = end(circuit, error, cause, now=NOON + number * every_s)
    return circuit


def endless() -> ProviderError:
    error = BadResponse("no end")
    error.endless = True
    return error


FAILED = [Unavailable("HTTP 500"), CutOff("cut off"), ProviderTimeout("late"), Forbidden("403"), endless()]
REJECTED = [RequestRejected(f"HTTP {status}", status=status) for status in (400, 404, 414, 422)]


@pytest.mark.parametrize("error", FAILED, ids=lambda error: type(error).__name__)
def test_one_question_counts_once_however_often_it_fails(error: ProviderError) -> None:
    circuit = after(error, *[ONE] * 50, every_s=0.5)
    assert circuit.open_until is None
    assert len(circuit.failures) == 1


def test_a_failing_doi_counts_once_in_whatever_question_it_is_sent() -> None:
    circuit = after(Unavailable("HTTP 500"), *[Cause(f"batch{number}", "10.1/x") for number in range(50)])
    assert circuit.open_until is None


def test_the_many_requests_of_one_question_count_once() -> None:
    circuit = after(Unavailable("HTTP 500"), *[Cause("lookup", f"10.1/{number}") for number in range(50)])
    assert circuit.open_until is None


@pytest.mark.parametrize("error", REJECTED, ids=lambda error: error.message)
def test_rejected_requests_never_count_however_many_questions_they_are(error: ProviderError) -> None:
    assert after(error, *[Cause(f"q{number}", f"r{number}") for number in range(50)]) == Circuit()


def test_a_rate_limit_counts_each_time_because_it_is_not_about_the_question() -> None:
    assert after(RateLimited("slow down"), *[ONE] * FAILURES).reason is Reason.OUTAGE


def test_a_rate_limit_for_hours_opens_no_circuit_because_the_budget_holds_its_wait() -> None:
    assert after(RateLimited("spent", retry_after_s=47_052.0), *[ONE] * 50) == Circuit()


def test_a_single_403_leaves_the_circuit_closed() -> None:
    circuit = after(Forbidden("403"), ONE)
    assert open_for(circuit, NOON) is None
    assert circuit == after(Forbidden("403"), *[ONE] * 20)


def test_a_403_counts_as_an_outage_with_a_short_pause() -> None:
    circuit = Circuit()
    for number, error in enumerate([*[Unavailable("HTTP 503")] * (FAILURES - 1), Forbidden("403")]):
        circuit = end(circuit, error, Cause(f"q{number}"))
    assert circuit.reason is Reason.OUTAGE
    assert (open_for(circuit, NOON) or ("", 0.0))[1] == FIRST_OPEN_S


def test_a_403_for_a_second_question_within_a_minute_is_a_rejected_key() -> None:
    circuit = after(Forbidden("403"), Cause("a", "x"), Cause("b", "y"), every_s=FAILURE_WINDOW_S)
    assert circuit.reason is Reason.KEY_REFUSED
    assert (open_for(circuit, NOON + FAILURE_WINDOW_S) or ("", 0.0))[1] == LONGEST_OPEN_S


@pytest.mark.parametrize(
    "second", [Cause("a", "y"), Cause("b", "x")], ids=["the same question", "the same request in another question"]
)
def test_a_403_for_the_same_question_or_request_is_no_second_witness(second: Cause) -> None:
    assert after(Forbidden("403"), Cause("a", "x"), second).open_until is None


def test_a_403_more_than_a_minute_later_or_after_a_success_is_no_second_witness() -> None:
    late = after(Forbidden("403"), Cause("a", "x"), Cause("b", "y"), every_s=FAILURE_WINDOW_S + 1)
    assert late.open_until is None
    answered = end(after(Forbidden("403"), Cause("a", "x")), None, Cause("c", "z"))
    assert end(answered, Forbidden("403"), Cause("b", "y")).open_until is None


def test_a_401_closes_the_provider_at_once() -> None:
    assert after(KeyRefused("401"), ONE).reason is Reason.KEY_REFUSED


def test_an_item_of_an_earlier_version_has_failures_of_unknown_questions() -> None:
    data = state_to_json(ProviderState())
    data["circuit"]["failures"] = [NOON - 3, NOON - 2, NOON - 1]
    del data["circuit"]["causes"]
    circuit = state_from_json(data, NOON).circuit
    assert [failure.at for failure in circuit.failures] == [NOON - 3, NOON - 2, NOON - 1]
    circuit = end(end(circuit, FAILED[0], Cause("a")), FAILED[0], Cause("b"))
    assert circuit.reason is Reason.OUTAGE


STEPS = st.floats(0.0, 40.0)
NO_EVIDENCE = st.sampled_from([None, *FAILED, *REJECTED, BadResponse("odd"), RateLimited("x", retry_after_s=60.0)])
REQUESTS = st.sampled_from(["esearch", "efetch", "wider"])


@given(st.lists(st.tuples(STEPS, NO_EVIDENCE, REQUESTS), max_size=40))
def test_one_question_opens_the_circuit_by_nothing_but_a_401_or_rate_limits(
    steps: list[tuple[float, BaseException | None, str]],
) -> None:
    circuit, now = Circuit(), NOON
    for step, error, request in steps:
        now += step
        circuit = end(circuit, error, Cause("question", request), now=now)
        assert circuit.open_until is None


ERRORS = st.sampled_from([Unavailable("HTTP 500"), CutOff("cut off"), ProviderTimeout("late")])


@given(
    st.lists(st.tuples(st.integers(0, 9), ERRORS, st.floats(0.0, 2.0)), max_size=30),
    st.sampled_from([None, Unavailable("HTTP 500"), RequestRejected("HTTP 400")]),
)
def test_the_circuit_opens_when_enough_questions_have_failed_and_then_lets_one_probe_through(
    asked: list[tuple[int, ProviderError, float]], probed: ProviderError | None
) -> None:
    circuit, now, failed = Circuit(), NOON, set[int]()
    for question, error, step in asked:
        now += step
        failed.add(question)
        circuit = end(circuit, error, Cause(f"q{question}", f"r{question}"), now=now)
        assert (circuit.open_until is not None) is (len(failed) >= FAILURES)
        if circuit.open_until is not None:
            break
    else:
        return
    now += FIRST_OPEN_S
    assert open_for(circuit, now - 1) is not None
    assert open_for(circuit, now) is None
    circuit = admit(circuit, now + 16)
    assert open_for(circuit, now) is not None  # one probe: the second caller waits
    circuit = end(circuit, probed, Cause("q0", "r0"), now=now, probe=True)
    if probed is None:
        assert circuit == Circuit()
    else:
        assert (open_for(circuit, now) is None) is isinstance(probed, RequestRejected)
