"""Runs during which their search is changed or deleted, or a notice is written."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from shared.delivery.deliveries import Delivery
from shared.errors import LeaseLost
from shared.outcomes import Outcome
from tests.integration.saved_searches.faults import (
    RUNNER,
    Saved,
    paper,
    saved_searches,
)

OUTLIVED = timedelta(seconds=121)


@pytest.fixture
def saved(monkeypatch: pytest.MonkeyPatch) -> Iterator[Saved]:
    with saved_searches(monkeypatch) as made:
        made.papers = [paper(number) for number in range(1, 4)]
        yield made


class Killed(BaseException):
    """The process is gone."""


def test_a_run_of_a_deleted_search_writes_nothing(saved: Saved) -> None:
    search_id = saved.save()
    saved.meanwhile = lambda: saved.wiring.SEARCHES.delete(saved.item(search_id))
    with pytest.raises(LeaseLost):
        saved.run(search_id)
    assert not saved.rows(search_id)
    assert saved.item(search_id) is None


def test_a_change_during_a_run_is_not_lost_nor_is_the_runs_state(saved: Saved) -> None:
    search_id = saved.save(name="before")
    change = {"name": "after", "schedule": "rate(2 days)", "delivery": {"sns": True, "baseline": True}}
    saved.meanwhile = lambda: saved.call("PATCH", f"/{search_id}", change)
    saved.run(search_id)
    item = saved.item(search_id)
    assert (item["name"], item["schedule"]["expression"], item["delivery"]["sns"]) == ("after", "rate(2 days)", True)
    assert (item["next_number"], item["queued_to"], item["last_run"]["events"]["baseline"]) == (4, 3, 3)
    assert item["windows"][0]["read"] == ["crossref"]


def test_a_run_of_a_replaced_search_ends_and_the_new_one_has_its_first_run(saved: Saved) -> None:
    search_id = saved.save()
    event = saved.event(search_id)

    def change() -> None:
        saved.meanwhile = lambda: None
        saved.call("PATCH", f"/{search_id}", {"search": {"query": "astrocytes", "providers": "crossref"}})

    saved.meanwhile = change
    with pytest.raises(LeaseLost):
        saved.running.invoke(RUNNER, event)
    assert not saved.rows(search_id)
    saved.now += OUTLIVED
    report = saved.running.invoke(RUNNER, event)
    assert report["first_run"]
    assert [query.text for query in saved.asked] == ["microglia", "astrocytes"]
    assert [kind for _, kind, _ in saved.reported(search_id)] == ["baseline"] * 3


def test_a_notice_during_a_run_costs_no_event_and_takes_no_number_twice(saved: Saved) -> None:
    from shared.aws.dynamodb.saved_searches.notices import disable_webhook

    url = "https://hooks.example.org/new"
    search_id = saved.save(delivery={"webhook": {"url": url}})

    def notice() -> None:
        delivery = Delivery("local", search_id, 1, 1, "webhook")
        disable_webhook(saved.wiring.SEARCHES, saved.wiring.TABLE, delivery, url, "HTTP 410", "2026-11-22T06:00:00Z")

    saved.meanwhile = notice
    saved.run(search_id)
    kinds = [(number, kind) for number, kind, _ in saved.reported(search_id)]
    assert kinds == [(1, "delivery_disabled"), (2, "baseline"), (3, "baseline"), (4, "baseline")]
    item = saved.item(search_id)
    assert (item["next_number"], item["queued_to"]) == (5, 4)
    assert item["delivery"]["webhook"]["status"] == "disabled"


def test_a_failed_source_stays_pending_and_its_later_results_belong_to_the_baseline(saved: Saved) -> None:
    saved.outcome = Outcome.UNAVAILABLE
    search_id = saved.save()
    report = saved.run(search_id)
    assert (report["complete"], saved.item(search_id)["windows"][0]["owed"]) == (False, ["crossref"])
    saved.outcome = Outcome.OK
    assert saved.run(search_id)["complete"]
    assert [kind for _, kind, _ in saved.reported(search_id)] == ["baseline"] * 3
    saved.papers.append(paper(4))
    saved.run(search_id)
    assert saved.reported(search_id)[3:] == [(4, "new_paper", "10.1000/4")]
