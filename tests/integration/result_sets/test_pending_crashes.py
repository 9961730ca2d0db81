"""The dispatcher, a function or the table dies between "set begun" and "set finished", at every call of AWS."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from infra.local.machine import Machine
from tests.integration.pending_faults import SLOW, EarlyResponded, Fault, Killed, assert_complete
from tests.results import keys

pytestmark = pytest.mark.slow  # one search for each call

MOST_CALLS = 60
Attempt = Callable[[Fault, EarlyResponded, Any], None]


def at_every_call(running: Machine, how: str, counts: Callable[[EarlyResponded], Any], attempt: Attempt) -> None:
    """A search for each call that `attempt` makes and that counts, with the fault at that call."""
    for at in range(MOST_CALLS):
        with pytest.MonkeyPatch.context() as patch:
            early = EarlyResponded(running, patch)
            fault = Fault(how, at, counts(early))
            attempt(fault, early, patch)
            if not fault.met:
                assert at > 0
                return
    pytest.fail("there is no end of calls")


def any_call(early: EarlyResponded) -> Callable[[str, Any], bool]:
    del early
    return lambda operation, arguments: True


def completed_with(fault: Fault, early: EarlyResponded, patch: Any) -> None:
    """The first attempt of a completion meets the fault; the queue delivers its message again."""
    del patch
    first = early.respond_early()
    early.gate.open()
    (record,) = early.messages()
    early.during(fault)
    done = early.deliver(record)
    fault.on = False
    early.end_leases()  # the next attempt is a hundred seconds later
    while not done:
        assert early.state(first["result_set_id"])["state"] in ("pending", "complete")
        done = early.deliver(record)
    assert_complete(early, first)
    assert early.gate.asked <= 2


@pytest.mark.parametrize("how", ["after", "throttled", "down", "lost"])
def test_a_completion_that_dies_or_has_no_table_at_any_call_is_completed_by_the_next(
    running: Machine, how: str
) -> None:
    at_every_call(running, how, any_call, completed_with)


def stored_late_with(fault: Fault, early: EarlyResponded, patch: Any) -> None:
    """The source's function meets the fault while it stores what its search did not wait for."""
    del patch
    first = early.respond_early()
    early.during(fault)
    early.gate.open()
    fault.on = False
    (record,) = early.messages()
    early.end_leases()  # the message is hidden until the next attempt, if this one ends before the lease
    assert early.deliver(record)
    assert_complete(early, first)
    assert early.gate.asked <= 2


def of_the_source(early: EarlyResponded) -> Callable[[str, Any], bool]:
    return lambda operation, arguments: threading.current_thread() is early.gate.thread


@pytest.mark.parametrize("how", ["after", "throttled"])
def test_a_source_whose_function_dies_or_has_no_table_at_any_call_is_queried_again(running: Machine, how: str) -> None:
    at_every_call(running, how, of_the_source, stored_late_with)


def responded_with(fault: Fault, early: EarlyResponded, patch: Any) -> None:
    """The search meets the fault between its set and its answer; the one who asked asks again."""
    del patch
    early.during(fault)
    answers: list[Any] = []

    def ask() -> None:
        with suppress(Killed):
            answers.append(early.post(patience_ms=0, max_results=3))

    asking = threading.Thread(target=ask)
    asking.start()
    while asking.is_alive() and not fault.met and "SendMessage" not in fault.calls:
        asking.join(0.01)
    early.gate.open()  # a search that cannot respond early waits for its source
    asking.join()
    fault.on = False
    first = early.post(max_results=3, patience_ms=0)
    for record in early.messages():
        assert early.deliver(record)
    for answer in [*answers, first]:
        whole = early.state(answer["result_set_id"], max_results=100)
        assert (whole["state"], whole["complete"]) == ("complete", True)
        assert keys(answer) + early.pages(answer["next_cursor"], 7) == keys(whole)


def begins(early: EarlyResponded) -> Callable[[str, Any], bool]:
    """Calls from the write that begins the set on."""
    del early
    begun: list[threading.Thread] = []

    def counts(operation: str, arguments: Any) -> bool:
        if "pending_until" in arguments.get("Item", {}):
            begun.append(threading.current_thread())
        return bool(begun) and threading.current_thread() is begun[0]

    return counts


@pytest.mark.parametrize("how", ["after", "throttled", "repeated"])
def test_a_search_that_dies_as_it_responds_early_costs_the_next_nothing(running: Machine, how: str) -> None:
    at_every_call(running, how, begins, responded_with)


def test_messages_that_come_twice_late_and_of_sets_that_are_gone_change_nothing(running: Machine) -> None:
    with pytest.MonkeyPatch.context() as patch:
        early = EarlyResponded(running, patch)
        first = early.respond_early()
        (record,) = early.messages()
        early.gate.open()
        assert early.deliver(record)
        whole = early.state(first["result_set_id"], max_results=100)
        assert early.deliver(record)
        assert early.deliver({**record, "body": '{"result_set_id": "0123456789abcdef0123456789abcdef"}'})
        assert early.state(first["result_set_id"], max_results=100)["results"] == whole["results"]
        assert_complete(early, first)
        assert early.gate.asked == 1


def test_a_message_that_cannot_be_read_is_put_aside_and_not_lost(running: Machine) -> None:
    with pytest.MonkeyPatch.context() as patch:
        early = EarlyResponded(running, patch)
        first = early.respond_early()
        (record,) = early.messages()
        early.gate.open()
        assert not early.deliver({**record, "body": "{"})
        state = early.state(first["result_set_id"])
        assert (state["state"], state["missing"]) == ("pending", [SLOW])
        assert early.deliver(record)
        assert_complete(early, first)
