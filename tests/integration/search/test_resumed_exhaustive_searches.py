"""Exhaustive searches whose workers die, and whose sources fail, wait or end: nothing is lost, and nothing hidden."""

from __future__ import annotations

import importlib
import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import cycle
from typing import Any

import pytest
import time_machine

from infra.local.machine import Machine, machine
from infra.local.sandbox.server import Sandbox
from shared.exhaustive_searches import steps
from shared.jobs.job import MAX_RECEIVES
from tests.integration.exhaustive_searches import PATH, begin, facts_of, finished, state, turn, turn_event
from tests.integration.reference_checks import request

pytestmark = pytest.mark.slow  # jobs that are killed at each step

BODY = {"query": "microglia", "providers": ["crossref", "openalex", "pubmed"]}


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    """Pages of ten records, so that each source has several."""
    monkeypatch.setattr(steps, "PAGE_RECORDS", 10)
    with machine(sandbox=Sandbox(faults={})) as local:
        yield local


@pytest.fixture
def later(own: Machine, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Lets the worker's clock go on by so many seconds."""
    worker = importlib.import_module("functions.exhaustive_searcher.handler")
    passed = [0.0]
    monkeypatch.setattr(worker, "now", lambda: datetime.now(UTC) + timedelta(seconds=passed[0]))

    def go_on(seconds: float) -> None:
        passed[0] += seconds

    return go_on


class Killed(BaseException):
    """The worker's process ends here."""


@pytest.mark.parametrize("moment", ["before it stores", pytest.param("after it has stored", marks=pytest.mark.slow)])
def test_a_worker_that_is_killed_twice_changes_nothing(
    own: Machine, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    undisturbed = finished(own, begin(own, {**BODY, "fresh": True}).json()["search_id"])
    search_id = begin(own, BODY).json()["search_id"]
    worker = importlib.import_module("functions.exhaustive_searcher.handler")
    change = worker.SEARCHES.change

    def killed(*given: Any) -> bool:
        if moment == "after it has stored":
            change(*given)
        raise Killed

    for _ in range(2):
        with monkeypatch.context() as patch:
            patch.setattr(worker.SEARCHES, "change", killed)
            with pytest.raises(Killed):
                own.invoke("exhaustive_searcher", turn_event(search_id))
    assert facts_of(finished(own, search_id)) == facts_of(undisturbed)


def test_a_page_that_a_dead_worker_had_read_is_not_requested_again(
    own: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert own.sandbox
    search_id = begin(own, {**BODY, "providers": ["openalex"]}).json()["search_id"]
    worker = importlib.import_module("functions.exhaustive_searcher.handler")

    def killed(*_: Any) -> bool:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(worker.SEARCHES, "change", killed)
        with pytest.raises(Killed):
            own.invoke("exhaustive_searcher", turn_event(search_id))
    finished(own, search_id)
    queries = Counter(it.query for it in own.sandbox.requests)
    assert len(queries) == 3
    assert set(queries.values()) == {1}


@pytest.fixture
def one_round(own: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Turns that have time for one round only."""
    assert own
    advance = importlib.import_module("shared.exhaustive_searches.advance")
    rounds = cycle((0, 1))
    monkeypatch.setattr(advance, "seconds_until_due", lambda *_: next(rounds))


@pytest.mark.usefixtures("one_round")
def test_progress_moves_with_each_turn(own: Machine) -> None:
    search_id = begin(own, BODY).json()["search_id"]
    seen = [state(own, search_id)]
    while seen[-1]["state"] == "reading":
        turn(own, search_id)
        seen.append(state(own, search_id))
    done = [it["done"] for it in seen]
    assert len(done) > 3
    assert done == sorted(set(done))
    assert seen[0]["of"] is None
    assert {it["of"] for it in seen[1:]} == {done[-1]}
    assert all(isinstance(it["seconds_left"], int) for it in seen[1:])


@pytest.mark.usefixtures("one_round")
def test_a_source_that_fails_in_the_middle_is_reported_with_what_was_read(own: Machine, later: Any) -> None:
    assert own.sandbox
    search_id = begin(own, BODY).json()["search_id"]
    turn(own, search_id)
    own.sandbox.faults["openalex"] = {"status": 404}
    for _ in range(2 * steps.FAILURES):
        turn(own, search_id)
        later(600)
    answer = state(own, search_id)
    (failed,) = (it for it in answer["sources"] if it["provider"] == "openalex")
    assert (failed["records"], failed["total"], failed["pages"]) == (10, 23, 1)
    assert (failed["stopped"], failed["outcome"], failed["complete"]) == ("failed", "bad_response", False)
    assert (answer["state"], answer["complete"]) == ("done", False)
    assert "failed" in {hint["reason"] for hint in answer["hints"]}
    assert all(it["complete"] for it in answer["sources"] if it["provider"] != "openalex")
    report = request(own, "GET", f"{PATH}/{search_id}/report")
    assert report.headers["Complete"] == ["false"]
    assert "**Not all sources were read to their end**" in report.body
    own.sandbox.faults.clear()
    resumed = begin(own, BODY)
    assert (resumed.status, resumed.json()["search_id"]) == (202, search_id)
    after = finished(own, search_id)
    assert after["complete"] is True
    assert after["flow"]["by_source"]["openalex"] == 23


def test_waiting_for_permits_is_no_failure(own: Machine, later: Any) -> None:
    assert own.sandbox
    own.sandbox.faults["pubmed"] = {"status": 429, "retry_after": 120}
    search_id = begin(own, {**BODY, "providers": ["pubmed"]}).json()["search_id"]
    for _ in range(2 * steps.FAILURES):
        turn(own, search_id)
        waiting = state(own, search_id)
        assert waiting["state"] == "reading"
        assert [hint["reason"] for hint in waiting["hints"]] == ["waiting"]
        later(900)


def test_a_search_that_fails_for_good_is_resumed_by_sending_it_again(
    own: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    search_id = begin(own, BODY).json()["search_id"]
    worker = importlib.import_module("functions.exhaustive_searcher.handler")
    with monkeypatch.context() as patch:
        patch.setattr(worker, "advance", lambda *_, **__: 1 / 0)
        event = turn_event(search_id, receives=MAX_RECEIVES)
        assert own.invoke("exhaustive_searcher", event)["batchItemFailures"] == [{"itemIdentifier": "m1"}]
    assert state(own, search_id)["state"] == "failed"
    assert begin(own, BODY).json()["state"] == "reading"
    assert finished(own, search_id)["complete"] is True


def test_a_message_that_arrives_twice_does_nothing_more(own: Machine) -> None:
    assert own.sandbox
    search_id = begin(own, BODY).json()["search_id"]
    finished(own, search_id)
    before = len(own.sandbox.requests)
    for name in (search_id, "0" * 32):
        assert turn(own, name) == {"batchItemFailures": []}
    assert len(own.sandbox.requests) == before


def test_a_queue_and_its_worker_do_the_same(own: Machine) -> None:
    search_id = begin(own, BODY).json()["search_id"]
    assert own.search_exhaustively() >= 2
    assert state(own, search_id)["state"] == "done"


def test_two_callers_share_the_requests_of_searches_at_one_time(own: Machine) -> None:
    """Each has a search of its own; the pages that one has read since both began serve the other."""
    assert own.sandbox
    ids = [begin(own, BODY, caller=name).json()["search_id"] for name in ("one-key", "other-key")]
    assert len(set(ids)) == 2
    assert turn(own, ids[0]) == {"batchItemFailures": []}
    before = len(own.sandbox.requests)
    assert before > 5
    assert turn(own, ids[1]) == {"batchItemFailures": []}
    assert len(own.sandbox.requests) == before


def test_a_fresh_search_requests_its_pages_again_and_finds_the_same(own: Machine) -> None:
    assert own.sandbox
    done = finished(own, begin(own, BODY).json()["search_id"])
    before = len(own.sandbox.requests)
    with time_machine.travel(time.time() + 60, tick=True):  # pages that were read in the same second are as fresh
        anew = begin(own, {**BODY, "fresh": True}).json()["search_id"]
        assert anew != done["search_id"]
        assert facts_of(finished(own, anew)) == facts_of(done)
    assert len(own.sandbox.requests) > before
