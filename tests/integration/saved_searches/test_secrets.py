"""Rotation of webhook secrets: both are valid for a day, and neither appears anywhere else."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from tests.integration.saved_searches.deliveries import attempt, message, save, trust_loopback
from tests.integration.saved_searches.faults import Saved, paper, saved_searches
from tests.integration.saved_searches.requests import DAILY, HOOK, PATH, Answer, refuse, rows, send
from tests.integration.saved_searches.test_webhooks import documented_check, parse_request
from tests.integration.saved_searches.webhook_receiver import answer, receiver


@pytest.fixture
def saved(monkeypatch: pytest.MonkeyPatch) -> Iterator[Saved]:
    with saved_searches(monkeypatch) as made:
        made.papers = [paper(number) for number in range(1, 3)]
        made.now = datetime.now(UTC)  # the deliverer's own clock says so too
        trust_loopback(monkeypatch)
        yield made


def renew(saved: Saved, search_id: str, key: str = "one") -> Answer:
    return send(saved.running, "POST", f"{PATH}/{search_id}/webhook-secret", key=key)


def accepted_with(request: bytes, *secrets: str) -> list[bool]:
    return [documented_check()(secret, *parse_request(request)[1:], set()) == "new" for secret in secrets]


def test_for_a_day_both_secrets_sign_and_then_the_new_one_alone(saved: Saved) -> None:
    with receiver(answer(200)) as running:
        search_id, old = save(saved, running, baseline=True)
        rotated = saved.call("POST", f"/{search_id}/webhook-secret")
        assert set(rotated) == {"secret", "previous_valid_until", "request_id"}
        until = datetime.fromisoformat(rotated["previous_valid_until"])
        assert timedelta(hours=23.9) < until - saved.now <= timedelta(hours=24)
        assert attempt(saved, message(1, 2, search_id))
        saved.wiring.SEARCHES.change(
            item := saved.item(search_id),
            {"previous_secrets": [{**item["previous_secrets"][0], "valid_until": "2020-01-01T00:00:00Z"}]},
        )
        assert attempt(saved, message(1, 2, search_id))
    both, alone = running.requests
    assert accepted_with(both, old, rotated["secret"]) == [True, True]
    assert accepted_with(alone, old, rotated["secret"]) == [False, True]
    assert len(parse_request(both)[1]["webhook-signature"].split(" ")) == 2


def test_a_receiver_may_lose_two_answers(saved: Saved) -> None:
    with receiver(answer(200)) as running:
        search_id, old = save(saved, running, baseline=True)
        lost = [saved.call("POST", f"/{search_id}/webhook-secret")["secret"] for _ in range(2)]
        assert len({old, *lost}) == 3
        assert attempt(saved, message(1, 2, search_id))
    assert accepted_with(running.requests[0], old, *lost) == [True] * 3


def test_a_new_receiver_is_sent_no_signature_of_the_one_before(saved: Saved) -> None:
    with receiver(answer(200)) as running:
        search_id, old = save(saved, running, baseline=True)
        renewed = saved.call("POST", f"/{search_id}/webhook-secret")["secret"]
        url = saved.item(search_id)["delivery"]["webhook"]["url"]
        moved = saved.call("PATCH", f"/{search_id}", {"delivery": {"webhook": {"url": f"{url}&two"}}})
        assert attempt(saved, message(1, 2, search_id))
    new = moved["delivery"]["webhook"]["secret"]
    assert accepted_with(running.requests[0], old, renewed, new) == [False, False, True]
    saved.call("POST", f"/{search_id}/webhook-secret")
    saved.call("PATCH", f"/{search_id}", {"delivery": {"webhook": None}})
    assert not {"secret", "previous_secrets"} & saved.item(search_id).keys()


def test_secrets_are_returned_once_and_appear_nowhere_else(saved: Saved, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    search_body, key = {**DAILY, "delivery": HOOK}, {"Idempotency-Key": "k"}
    made = send(saved.running, "POST", body=search_body, headers=key).json
    path, old = f"{PATH}/{made['id']}", made["delivery"]["webhook"]["secret"]
    new = renew(saved, made["id"]).json["secret"]
    answers = [
        send(saved.running, "POST", body=search_body, headers=key),
        send(saved.running, "GET", path),
        send(saved.running, "GET"),
    ]
    answers += [send(saved.running, "PATCH", path, {"delivery": HOOK})]
    assert all(it.status == 200 for it in answers)
    ours = [vars(it) for it in caplog.records if not it.name.startswith(("boto", "urllib3"))]
    shown = f"{[it.text for it in answers]} {ours}"
    assert "whsec_" not in shown and "previous_secret" not in shown
    assert old.removeprefix("whsec_") not in shown and new.removeprefix("whsec_") not in shown


def test_without_a_webhook_there_is_no_secret_and_another_owners_search_is_not_found(saved: Saved) -> None:
    mine = send(saved.running, "POST", body=DAILY).json
    theirs, unknown = renew(saved, mine["id"], key="two"), renew(saved, "0" * 20)
    assert theirs.status == unknown.status == 404
    assert theirs.json["detail"] == unknown.json["detail"]
    refused = renew(saved, mine["id"])
    assert (refused.status, refused.json["code"], refused.json["retryable"]) == (409, "conflict", False)
    assert '"webhook": {"url"' in refused.json["hint"]


def test_a_change_that_fails_halfway_preserves_all_secrets(saved: Saved, monkeypatch: pytest.MonkeyPatch) -> None:
    made = send(saved.running, "POST", body={**DAILY, "delivery": HOOK}).json
    renew(saved, made["id"])
    before = [{name: row.get(name) for name in ("secret", "previous_secrets", "delivery")} for row in rows()]
    change = {"delivery": {"webhook": {"url": "https://other.example.org/"}}, "schedule": "rate(2 days)"}
    with monkeypatch.context() as patch:
        refuse(patch, "UpdateSchedule")
        assert send(saved.running, "PATCH", f"{PATH}/{made['id']}", change).status == 503
    assert [{name: row.get(name) for name in ("secret", "previous_secrets", "delivery")} for row in rows()] == before
