"""Attempts are those that were made, at the webhook as it was set; what changes meanwhile is not lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError

from shared.delivery.webhook import ATTEMPTS, LONGEST_BACKOFF_S
from shared.delivery.webhook_client import ReceiverResponse
from tests.integration.saved_searches.deliveries import (
    TOKEN,
    attempt,
    message,
    numbers,
    reopened,
    save,
    saved_url,
)
from tests.integration.saved_searches.faults import Saved, around_calls
from tests.integration.saved_searches.webhook_receiver import HOST, answer, receiver


def counts(saved: Saved, search_id: str) -> list[int]:
    return [int(it["attempts"]) for it in saved.rows(search_id) if it["sk"].startswith("delivery#")]


def refuse(monkeypatch: pytest.MonkeyPatch, refused: str) -> None:
    def intercept(operation: str, arguments: dict[str, Any], call: Callable[[], Any]) -> Any:
        if operation == refused:
            raise ClientError({"Error": {"Code": "ThrottlingException", "Message": "no"}}, operation)
        return call()

    around_calls(monkeypatch, intercept)


def test_a_failure_of_our_own_storage_uses_no_attempt(
    saved: Saved, hidden: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    with receiver(answer(503)) as running:
        search_id, _ = save(saved, running, baseline=True)
        with monkeypatch.context() as patch:
            refuse(patch, "GetItem")
            assert not any(attempt(saved, message(1, 2, search_id), shown) for shown in range(1, ATTEMPTS))
        assert (running.connections, hidden) == (0, [])
        assert not attempt(saved, message(1, 2, search_id), ATTEMPTS)
        assert len(running.requests) == 1
    assert hidden == [10]
    assert saved.item(search_id)["delivery"]["webhook"]["status"] == "active"
    assert counts(saved, search_id) == [1]


def test_an_attempt_that_cannot_be_counted_is_repeated(
    saved: Saved, hidden: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    with receiver(answer(503)) as running:
        search_id, _ = save(saved, running, baseline=True)
        with monkeypatch.context() as patch:
            refuse(patch, "UpdateItem")
            assert not attempt(saved, message(1, 2, search_id))
    assert (hidden, counts(saved, search_id)) == ([], [])


def test_a_delivery_that_succeeds_at_once_leaves_nothing_behind(saved: Saved) -> None:
    with receiver(answer(200)) as running:
        search_id, _ = save(saved, running, baseline=True)
        before = saved.rows(search_id)
        assert saved.running.deliver() == 1
    assert saved.rows(search_id) == before


def test_the_count_expires_and_is_deleted_with_its_search(saved: Saved, hidden: list[int]) -> None:
    with receiver(answer(500)) as running:
        search_id, _ = save(saved, running, baseline=True)
        assert not attempt(saved, message(1, 2, search_id))
    (row,) = [it for it in saved.rows(search_id) if it["sk"].startswith("delivery#")]
    assert row["expires_at"] > 0
    saved.call("DELETE", f"/{search_id}")
    assert not saved.rows(search_id)


@pytest.mark.parametrize("status", [410, 500])
def test_a_delivery_that_ends_at_an_old_url_is_repeated_at_the_new_one(
    saved: Saved, hidden: list[int], monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    with receiver(answer(200)) as running:
        search_id, _ = save(saved, running, baseline=True)
        if status == 500:
            with receiver(answer(500)) as failing:
                reopened(saved, search_id, failing.port)
                assert not any(attempt(saved, message(1, 2, search_id)) for _ in range(ATTEMPTS - 1))

        def moved(*args: Any, **more: Any) -> ReceiverResponse:
            webhook = {"url": f"https://{HOST}:{running.port}/moved?key={TOKEN}"}
            saved.call("PATCH", f"/{search_id}", {"delivery": {"webhook": webhook}})
            return ReceiverResponse(status)

        with monkeypatch.context() as patch:
            patch.setattr("functions.deliverer.handler.post", moved)
            assert not attempt(saved, message(1, 2, search_id))
        assert saved.item(search_id)["delivery"]["webhook"]["status"] == "active"
        assert attempt(saved, message(1, 2, search_id))
    assert [numbers(it) for it in running.requests] == [[1, 2]]
    assert [it["type"] for it in saved.feed(search_id)] == ["baseline", "baseline"]


def test_a_reenabled_webhook_has_all_its_attempts(saved: Saved, hidden: list[int]) -> None:
    with receiver(answer(500)) as running:
        search_id, _ = save(saved, running, baseline=True)
        for _ in range(ATTEMPTS):
            attempt(saved, message(1, 2, search_id))
        assert saved.item(search_id)["delivery"]["webhook"]["status"] == "disabled"
        saved.now = saved.now.replace(hour=9)
        saved.call("PATCH", f"/{search_id}", {"delivery": {"webhook": saved_url(saved, search_id)}})
        assert not attempt(saved, message(1, 2, search_id))
    assert saved.item(search_id)["delivery"]["webhook"]["status"] == "active"
    assert sorted(counts(saved, search_id)) == [1, ATTEMPTS]


@pytest.mark.parametrize(("status", "retry_after", "waits"), [
    (429, "90", 90), (503, "90", 90), (500, "90", 10), (429, "3", 10), (503, "99999999", LONGEST_BACKOFF_S),
    (503, "soon", 10), (429, "Sun, 22 Nov 2020 06:00:00 GMT", 10), (429, "9" * 400, 10),
], ids=lambda it: str(it)[:12])  # fmt: skip
def test_a_receivers_retry_after_is_used(
    saved: Saved, hidden: list[int], status: int, retry_after: str, waits: int
) -> None:
    with receiver(answer(status, f"Retry-After: {retry_after}")) as running:
        search_id, _ = save(saved, running, baseline=True)
        assert not attempt(saved, message(1, 2, search_id))
    assert hidden == [waits]


def test_chance_spreads_the_attempts(saved: Saved, hidden: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("functions.deliverer.handler.chance", lambda: 0.5)
    with receiver(answer(500)) as running:
        search_id, _ = save(saved, running, baseline=True)
        for _ in range(3):
            attempt(saved, message(1, 2, search_id))
    assert hidden == [11, 33, 132]
