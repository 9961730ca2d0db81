"""A saved search that is deleted is gone at once, and whatever breaks off, nothing of it stays for ever."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from botocore.exceptions import ClientError

from infra.local.gateway import rest_event
from shared.errors import Conflict, LeaseLost
from tests.integration.saved_searches.faults import PATH, RUNNER, Saved, around_calls, paper, saved_searches
from tests.integration.saved_searches.test_reconciler import RECONCILED


@pytest.fixture
def saved(monkeypatch: pytest.MonkeyPatch) -> Iterator[Saved]:
    with saved_searches(monkeypatch) as made:
        made.papers = [paper(number) for number in range(1, 41)]
        monkeypatch.setattr("shared.saved_searches.windows.LEG_DEPTH", 1_000)
        yield made


def request(saved: Saved, method: str, path: str = "", key: str | None = None) -> dict[str, Any]:
    """An HTTP request, however it goes."""
    body = '{"search": {"query": "microglia", "providers": "crossref"}, "schedule": "rate(1 day)"}'
    headers = {"Idempotency-Key": key} if key else {}
    event = rest_event(method, f"{PATH}{path}", body=body if method in ("POST", "PATCH") else None, headers=headers)
    return dict(saved.running.invoke("dispatcher", event))


def made(saved: Saved, key: str = "mine") -> str:
    """A search with forty papers, saved under a key."""
    request(saved, "POST", key=key)
    (search_id,) = (it["id"] for it in saved.wiring.SEARCHES.list_for_owner("local"))
    assert saved.run(search_id)["events"]["baseline"] == 40
    return str(search_id)


def broken_off(saved: Saved, monkeypatch: pytest.MonkeyPatch, *, at: int) -> str:
    """A search of whose deletion only so many batches were written."""
    search_id, left = made(saved), [at]

    def die(operation: str, arguments: dict[str, Any], call: Callable[[], Any]) -> Any:
        if operation == "BatchWriteItem":
            left[0] -= 1
            if left[0] < 0:
                raise ClientError({"Error": {"Code": "InternalServerError", "Message": "no"}}, operation)
        return call()

    with monkeypatch.context() as patch:
        around_calls(patch, die)
        assert request(saved, "DELETE", f"/{search_id}")["statusCode"] == 204
    return search_id


def test_a_deleted_search_is_invisible_at_once(saved: Saved, monkeypatch: pytest.MonkeyPatch) -> None:
    search_id = broken_off(saved, monkeypatch, at=1)
    assert len(saved.rows(search_id)) == 80 - 25
    for method, path in (("GET", ""), ("PATCH", ""), ("DELETE", ""), ("GET", "/new")):
        assert request(saved, method, f"/{search_id}{path}")["statusCode"] == 404
    assert saved.call("GET")["saved_searches"] == []
    assert list(saved.wiring.SEARCHES.list_all()) == []
    assert saved.run(search_id)["skipped"] == "gone"


def test_the_key_of_a_partly_deleted_search_creates_no_search_over_its_items(
    saved: Saved, monkeypatch: pytest.MonkeyPatch
) -> None:
    search_id = broken_off(saved, monkeypatch, at=1)
    refused = request(saved, "POST", key="mine")
    assert refused["statusCode"] == 409
    assert "being deleted" in refused["body"] and "Use a new key" in refused["body"]
    assert request(saved, "POST", key="other")["statusCode"] == 201
    assert saved.running.invoke(RUNNER, RECONCILED)["swept"] == 1
    assert request(saved, "POST", key="mine")["statusCode"] == 201
    assert not saved.rows(search_id)


def test_the_daily_look_removes_what_is_left_and_nothing_else(saved: Saved, monkeypatch: pytest.MonkeyPatch) -> None:
    search_id = broken_off(saved, monkeypatch, at=0)
    other = made(saved, "other")
    before = saved.rows(other), saved.item(other)
    assert len(saved.rows(search_id)) == 80
    done = saved.running.invoke(RUNNER, RECONCILED)
    assert (done["swept"], done["unswept"]) == (1, 0)
    assert not saved.rows(search_id)
    assert saved.wiring.SEARCHES._item("local", search_id) is None
    assert (saved.rows(other), saved.item(other)) == before
    assert saved.running.invoke(RUNNER, RECONCILED)["swept"] == 0


def test_a_large_saved_search_is_deleted_in_time_and_removed_in_parts(
    saved: Saved, monkeypatch: pytest.MonkeyPatch
) -> None:
    search_id, seconds = made(saved), iter(range(100))
    clock = SimpleNamespace(monotonic=lambda: 6.0 * next(seconds))  # the routes' alone: others read the time too
    monkeypatch.setattr("functions.dispatcher.routes.saved_searches.time", clock)
    assert request(saved, "DELETE", f"/{search_id}")["statusCode"] == 204  # at 6 s one batch, at 12 s no more
    assert len(saved.rows(search_id)) == 80 - 25
    times = iter([True, True, False])
    interrupted = saved.wiring.SEARCHES.purge_deleted(lambda: next(times))
    assert (interrupted.purged, interrupted.remaining) == (0, 1)
    assert len(saved.rows(search_id)) == 80 - 50
    complete = saved.wiring.SEARCHES.purge_deleted(lambda: True)
    assert (complete.purged, complete.remaining) == (1, 0)
    assert not saved.rows(search_id)


def test_unprocessed_deletes_of_a_batch_are_retried_after_a_pause(
    saved: Saved, monkeypatch: pytest.MonkeyPatch
) -> None:
    search_id, waited, left = made(saved), list[float](), [2]

    def in_part(operation: str, arguments: dict[str, Any], call: Callable[[], Any]) -> Any:
        if operation == "BatchWriteItem" and left[0]:
            left[0] -= 1
            (table, batch), *_ = arguments["RequestItems"].items()
            arguments["RequestItems"] = {table: batch[:10]}
            return {**call(), "UnprocessedItems": {table: batch[10:]}}
        return call()

    around_calls(monkeypatch, in_part)
    monkeypatch.setattr("shared.aws.dynamodb.throttling.sleep", waited.append)
    assert request(saved, "DELETE", f"/{search_id}")["statusCode"] == 204
    assert len(waited) == 2
    assert not saved.rows(search_id)


def test_a_change_or_a_run_based_on_an_outdated_read_writes_nothing(
    saved: Saved, monkeypatch: pytest.MonkeyPatch
) -> None:
    search_id = made(saved)
    read, before = saved.item(search_id), saved.rows(search_id)
    saved.papers.append(paper(99))
    saved.meanwhile = lambda: saved.wiring.SEARCHES.delete(saved.item(search_id), lambda: False)
    with pytest.raises(LeaseLost):
        saved.run(search_id)
    with pytest.raises(Conflict):
        saved.wiring.SEARCHES.change(read, {"name": "other"})
    assert saved.rows(search_id) == before
    item = saved.wiring.SEARCHES._item("local", search_id)
    assert (item["name"], item.get("lease_run"), item.get("secret")) == ("microglia", None, None)
    saved.wiring.SEARCHES.delete(read)  # by two requests at once
    assert not saved.rows(search_id)


def test_a_late_reconciliation_leaves_a_new_search_with_the_same_id(saved: Saved) -> None:
    search_id = made(saved)
    read = saved.item(search_id)
    saved.wiring.SEARCHES.delete(read)
    request(saved, "POST", key="mine")
    from shared.aws.dynamodb.saved_searches.deletion import purge

    assert purge(saved.wiring.TABLE, read, lambda: True)
    assert saved.item(search_id)["id"] == search_id
