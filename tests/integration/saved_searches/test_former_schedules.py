"""Schedules that a version made whose dispatcher ran saved searches: they invoke it until they are reconciled."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.integration.saved_searches.faults import RUNNER, START, Saved, paper, saved_searches
from tests.integration.saved_searches.test_reconciler import NOTHING, RECONCILED, by_hand, held, look

FORMER = "arn:aws:lambda:us-east-1:000000000000:function:local-dispatcher:live"


@pytest.fixture
def saved(monkeypatch: pytest.MonkeyPatch) -> Iterator[Saved]:
    with saved_searches(monkeypatch) as made:
        made.papers = [paper(1)]
        yield made


def test_a_run_of_a_former_schedule_is_reported_once(saved: Saved) -> None:
    search_id = saved.save()
    event = saved.event(search_id, START)
    for _ in range(2):  # Scheduler may bring an event twice
        assert saved.running.invoke("dispatcher", event) == {"forwarded": True}
    assert saved.reported(search_id) == [(1, "baseline", "10.1000/1")]
    assert saved.running.invoke(RUNNER, event)["skipped"] == "already_run"


def test_the_reconciliation_leads_former_schedules_to_the_runner(saved: Saved) -> None:
    search_id = saved.save()
    as_made = held(search_id)
    by_hand(search_id, Arn=FORMER)
    assert held(search_id) != as_made
    assert look(saved.running) == {**NOTHING, "changed": 1}
    assert held(search_id) == as_made
    assert as_made["Target"]["Arn"].endswith(":function:local-saved_search_runner")


def test_a_former_schedule_may_reconcile_too(saved: Saved) -> None:
    search_id = saved.save()
    by_hand(search_id, Arn=FORMER)
    assert saved.running.invoke("dispatcher", RECONCILED) == {"forwarded": True}
    assert held(search_id)["Target"]["Arn"] != FORMER


def test_a_former_schedule_is_retried_if_its_event_cannot_be_forwarded(
    saved: Saved, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(saved.running.functions, "local-saved_search_runner")
    with pytest.raises(Exception, match="ResourceNotFound"):
        saved.running.invoke("dispatcher", saved.event("0" * 20))
