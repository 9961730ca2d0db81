"""Long lists of references, which a worker checks: progress, crashes, sources that are down, and what it costs."""

from __future__ import annotations

import importlib
from collections import Counter
from typing import Any

import pytest

from infra.local.machine import Machine, machine
from infra.local.sandbox.server import Sandbox
from shared.jobs.job import MAX_RECEIVES
from tests.integration.reference_checks import (
    PATH,
    all_references,
    message_event,
    reference_lines,
    request,
    standing_time,
    work_until_done,
)

pytestmark = pytest.mark.slow  # lists of many references


@pytest.fixture(scope="module")
def long_check(running: Machine) -> tuple[str, list[dict[str, Any]], Counter[str]]:
    """A list of 120 references: the check's id, its states, and the requests to each source."""
    assert running.sandbox
    before = len(running.sandbox.requests)
    body = {"references": reference_lines(120, with_doi=True)}
    answer = request(running, "POST", body=body)
    assert answer.status == 202
    check_id = answer.json()["check_id"]
    assert answer.headers["Location"][0].endswith(f"{PATH}/{check_id}")
    assert answer.headers["Retry-After"] == ["5"]
    states = work_until_done(running, check_id)
    return check_id, states, Counter(it.provider for it in running.sandbox.requests[before:])


def test_progress_moves_until_a_long_list_is_done(long_check: tuple[str, list[dict[str, Any]], Counter[str]]) -> None:
    _, states, _ = long_check
    assert [state["done"] for state in states] == [0, 50, 100, 120]
    assert states[0]["seconds_left"] is None
    assert all(isinstance(state["seconds_left"], int) for state in states[1:])
    assert [state["complete"] for state in states] == [False, False, False, True]


def test_a_long_list_is_read_page_by_page(
    running: Machine, long_check: tuple[str, list[dict[str, Any]], Counter[str]]
) -> None:
    references = all_references(running, long_check[0])
    assert [it["number"] for it in references] == list(range(1, 121))
    matched = sum(it["status"] == "matched" for it in references)
    assert matched >= 117


def test_a_long_list_costs_few_requests(long_check: tuple[str, list[dict[str, Any]], Counter[str]]) -> None:
    assert sum(long_check[2].values()) <= 40, long_check[2]


# From here on each test has a machine of its own: that of `long_check` does not answer behind it.
@pytest.mark.slow
@pytest.mark.parametrize("with_doi", [False, True])
def test_two_hundred_references_cost_few_requests(local: Machine, with_doi: bool) -> None:
    """200 references times five sources would be a thousand. test_largest_reference_check has them mixed."""
    lines = reference_lines(200, with_doi=with_doi)
    check_id = request(local, "POST", body={"references": lines}).json()["check_id"]
    with standing_time():
        last = work_until_done(local, check_id)[-1]
    assert last["counts"]["matched"] >= 195
    assert local.sandbox
    assert len(local.sandbox.requests) <= 60, Counter(it.provider for it in local.sandbox.requests)


@pytest.mark.slow
def test_a_queue_and_its_worker_do_the_same(local: Machine) -> None:
    body = {"references": reference_lines(40)}
    check_id = request(local, "POST", body=body).json()["check_id"]
    assert local.check_references() > 0
    assert request(local, "GET", f"{PATH}/{check_id}").json()["state"] == "done"


class Killed(BaseException):
    """The worker's process ends here."""


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["before it stores", "after it has stored"])
def test_a_worker_that_is_killed_twice_changes_nothing(
    local: Machine, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = {"references": reference_lines(120)}
    check_id = request(local, "POST", body=body).json()["check_id"]
    worker = importlib.import_module("functions.reference_checker.handler")
    change = worker.CHECKS.change

    def killed(*given: Any) -> bool:
        if moment == "after it has stored":
            change(*given)
        raise Killed

    for _ in range(2):
        with monkeypatch.context() as patch:
            patch.setattr(worker.CHECKS, "change", killed)
            with pytest.raises(Killed):
                local.invoke("reference_checker", message_event(check_id))
        local.invoke("reference_checker", message_event(check_id))  # the message is delivered again
    work_until_done(local, check_id)
    with machine(sandbox=Sandbox(faults={})) as other:
        undisturbed = request(other, "POST", body=body).json()["check_id"]
        work_until_done(other, undisturbed)
        expected = all_references(other, undisturbed)
    assert undisturbed == check_id
    assert all_references(local, check_id) == expected


@pytest.mark.slow
def test_a_message_that_arrives_twice_is_handled_once(local: Machine) -> None:
    check_id = request(local, "POST", body={"references": reference_lines(40)}).json()["check_id"]
    work_until_done(local, check_id)
    assert local.sandbox
    before = len(local.sandbox.requests)
    for event in (message_event(check_id), message_event("0" * 32)):
        assert local.invoke("reference_checker", event) == {"batchItemFailures": []}
    assert len(local.sandbox.requests) == before


def test_references_whose_sources_are_down_are_checked_again(local: Machine) -> None:
    assert local.sandbox
    lines = [*reference_lines(31), "Nobody A. On papers that were never written about microglia. Nature. 2011;1:1-2."]
    local.sandbox.faults.update({name: {"status": 503, "retry_after": 0} for name in ("crossref", "pubmed")})
    check_id = request(local, "POST", body={"references": lines}).json()["check_id"]
    local.invoke("reference_checker", message_event(check_id))
    state = request(local, "GET", f"{PATH}/{check_id}").json()
    assert state["state"] == "running"
    assert [hint["reason"] for hint in state["hints"]] == ["checked_again"]
    local.sandbox.faults.clear()
    work_until_done(local, check_id)
    assert all_references(local, check_id)[31]["status"] in ("not_found", "unanswered")


@pytest.mark.slow
def test_a_check_that_fails_for_good_is_resumed_by_sending_it_again(
    local: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = {"references": reference_lines(60)}
    check_id = request(local, "POST", body=body).json()["check_id"]
    assert local.invoke("reference_checker", message_event(check_id)) == {"batchItemFailures": []}
    worker = importlib.import_module("functions.reference_checker.handler")
    with monkeypatch.context() as patch:
        patch.setattr(worker, "check_batch", lambda *_: 1 / 0)
        event = message_event(check_id, receives=MAX_RECEIVES)
        assert local.invoke("reference_checker", event)["batchItemFailures"] == [{"itemIdentifier": "m1"}]
    failed = request(local, "GET", f"{PATH}/{check_id}").json()
    assert (failed["state"], failed["done"], failed["complete"]) == ("failed", 50, False)
    assert failed["hints"][0]["reason"] == "failed"
    assert request(local, "POST", body=body).json()["state"] == "running"
    assert work_until_done(local, check_id)[-1]["done"] == 60


def test_a_running_check_has_no_document_yet(local: Machine) -> None:
    check_id = request(local, "POST", body={"references": reference_lines(40)}).json()["check_id"]
    early = request(local, "GET", f"{PATH}/{check_id}/document")
    problem = early.json()
    assert (early.status, problem["code"], problem["retryable"]) == (409, "conflict", True)
    assert problem["retry_after_s"] > 0
    work_until_done(local, check_id)
    assert request(local, "GET", f"{PATH}/{check_id}/document").status == 200


def test_messages_that_name_no_check_become_dead_letters(local: Machine) -> None:
    for body in ("", "[]", "{", '{"check_id": 7}'):
        event = message_event("x")
        event["Records"][0]["body"] = body
        assert local.invoke("reference_checker", event)["batchItemFailures"] == [{"itemIdentifier": "m1"}]
