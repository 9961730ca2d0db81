"""A delivery's bytes and signature, the waits between attempts, and what an answer means."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from shared.delivery.errors import AddressRefused, WebhookError
from shared.delivery.webhook import (
    ATTEMPTS,
    BACKOFF_S,
    LONGEST_BACKOFF_S,
    MAX_SECRETS,
    AttemptEnd,
    backoff_s,
    judge,
    new_secret,
    payload,
    rotated_secrets,
    signed_headers,
    signing_secrets,
    wait_s,
)

SECRET = new_secret(bytes(range(32)))
SAVED: Any = {
    "id": "ss1",
    "name": "TREM2 in microglia – täglich",
    "feed": {"json": "/v1/saved-searches/ss1/new", "atom": "/v1/saved-searches/ss1/new?format=atom"},
    "owner": "key-of-somebody",
    "delivery": {"webhook": {"url": "https://hooks.example.org/?token=hidden"}},
}


def event(number: int, at: str = "2026-11-22T06:00:03Z", **more: Any) -> Any:
    return {"id": f"ss1-{number:08}", "number": number, "type": "new_paper", "at": at, "paper": {"title": "A"}, **more}


def test_the_specifications_own_example_has_its_signature() -> None:
    headers = signed_headers(
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        delivery_id="msg_p5jXN8AQM9LWM0D4loKWxJek",
        at=1614265330,
        body=b'{"test": 2432232314}',
    )
    assert headers == {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }


def test_a_secret_is_its_random_bytes_in_base64() -> None:
    assert SECRET.startswith("whsec_")
    assert base64.b64decode(SECRET.removeprefix("whsec_"), validate=True) == bytes(range(32))


@pytest.mark.parametrize("length", [0, 23, 65])
def test_a_secret_too_short_or_too_long_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match="24 to 64 bytes"):
        new_secret(bytes(length))


@pytest.mark.parametrize("length", [24, 64])
def test_a_secret_at_its_bounds_signs(length: int) -> None:
    assert signed_headers(new_secret(bytes(length)), delivery_id="d", at=0, body=b"")


@pytest.mark.parametrize("secret", [
    "", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_", "whsec_!!!notbase64hidden!!!", "whsec_c2hvcnQ=",
    "whsk_" + SECRET[6:], "whsec_" + "ä" * 32,
])  # fmt: skip
def test_an_invalid_secret_is_refused_and_never_repeated(secret: str) -> None:
    with pytest.raises(ValueError) as refused:
        signed_headers(secret, delivery_id="d", at=0, body=b"")
    assert not secret or secret not in str(refused.value)


@pytest.mark.parametrize("delivery_id", ["", "a.b", "a b", "a\nb", "é", "x" * 256])
def test_an_id_that_makes_the_signed_content_ambiguous_is_refused(delivery_id: str) -> None:
    with pytest.raises(ValueError, match="a delivery's id"):
        signed_headers(SECRET, delivery_id=delivery_id, at=0, body=b"")


def test_a_time_before_1970_is_refused() -> None:
    with pytest.raises(ValueError, match="since 1970"):
        signed_headers(SECRET, delivery_id="d", at=-1, body=b"")


@pytest.mark.parametrize("change", [
    {"delivery_id": "e"}, {"at": 8}, {"body": b"{} "}, {"secret": new_secret(bytes(32))},
])  # fmt: skip
def test_each_signed_part_changes_the_signature(change: Mapping[str, Any]) -> None:
    first: dict[str, Any] = {"secret": SECRET, "delivery_id": "d", "at": 7, "body": b"{}"}
    given = [dict(first), {**first, **change}]
    signatures = [signed_headers(signed.pop("secret"), **signed)["webhook-signature"] for signed in given]
    assert signatures[0] != signatures[1]


def test_each_secret_has_its_signature() -> None:
    other, fields = new_secret(bytes(32)), {"delivery_id": "d", "at": 7, "body": b"{}"}
    alone = [signed_headers(secret, **fields)["webhook-signature"] for secret in (other, SECRET)]  # type: ignore[arg-type]
    assert signed_headers(other, SECRET, **fields)["webhook-signature"] == " ".join(alone)  # type: ignore[arg-type]


NOW = datetime(2026, 11, 22, 6, tzinfo=UTC)


def test_a_secret_that_was_replaced_signs_for_a_day() -> None:
    saved: Any = {"secret": "new", "previous_secrets": rotated_secrets({"secret": "old"}, NOW)}
    assert saved["previous_secrets"] == [{"secret": "old", "valid_until": "2026-11-23T06:00:00Z"}]
    secrets = [signing_secrets(saved, NOW + timedelta(hours=hours)) for hours in (0, 23.99, 24)]
    assert secrets == [["new", "old"], ["new", "old"], ["new"]]
    assert signing_secrets({"secret": "only"}, NOW) == ["only"]


def test_a_secret_known_to_a_receiver_survives_a_lost_answer() -> None:
    saved: Any = {"secret": "0"}
    for number in range(1, 8):
        saved = {"secret": f"{number}", "previous_secrets": rotated_secrets(saved, NOW + timedelta(hours=number))}
        if number < MAX_SECRETS:
            assert signing_secrets(saved, NOW + timedelta(hours=number))[-1] == "0"
    assert signing_secrets(saved, NOW + timedelta(hours=8)) == ["7", "6", "5", "4", "3"]
    assert signing_secrets(saved, NOW + timedelta(hours=29)) == ["7", "6", "5"]


def test_the_body_has_the_search_its_events_and_the_untrusted_text_marker() -> None:
    sent = json.loads(payload(SAVED, [event(2), event(1, at="2026-11-21T06:00:00Z")]))
    assert sent["type"] == "saved_search.events"
    assert sent["timestamp"] == "2026-11-22T06:00:03Z"
    assert sent["data"]["saved_search"] == {name: SAVED[name] for name in ("id", "name", "feed")}
    assert [it["number"] for it in sent["data"]["events"]] == [2, 1]
    assert sent["data"]["content_trust"] == "untrusted_external"


def test_the_body_has_neither_the_owner_nor_the_address() -> None:
    body = payload(SAVED, [event(1)])
    assert b"key-of-somebody" not in body
    assert b"hidden" not in body


def test_a_body_without_events_is_refused() -> None:
    with pytest.raises(ValueError, match="empty"):
        payload(SAVED, [])


def test_the_same_events_are_the_same_bytes_in_whatever_order_their_fields_came() -> None:
    turned: Any = dict(reversed(event(1).items()))
    reordered: Any = dict(reversed(SAVED.items()))
    assert payload(SAVED, [event(1)]) == payload(reordered, [turned])


@example("half a character: \ud83d")
@given(st.text(alphabet=st.characters(exclude_categories=[])))
def test_any_text_makes_a_body_of_valid_json_in_utf_8(title: str) -> None:
    body = payload(SAVED, [event(1, paper={"title": title})])
    sent_title = json.loads(body.decode("utf-8"))["data"]["events"][0]["paper"]["title"]
    assert sent_title == title.encode("utf-8", "replace").decode()


def test_the_waits_grow_until_it_is_given_up() -> None:
    waits = [backoff_s(attempt) for attempt in range(1, ATTEMPTS + 1)]
    assert waits == [10, 30, 120, 600, 1800, 7200, 21_600, 39_600, None]
    assert backoff_s(ATTEMPTS + 1) is None
    assert max(wait for wait in waits if wait) <= 12 * 3600


@pytest.mark.parametrize("attempt", range(1, ATTEMPTS))
def test_chance_makes_a_wait_longer_by_a_fifth_or_half_an_hour(attempt: int) -> None:
    least, most = wait_s(attempt, 0.0), wait_s(attempt, 1 - 1e-9)
    assert least == BACKOFF_S[attempt - 1]
    assert most == least + round(min(least * 0.2, 1800))
    assert most <= LONGEST_BACKOFF_S < 12 * 3600
    assert least < (wait_s(attempt, 0.5) or 0) < most


@pytest.mark.parametrize(("attempt", "retry_after_s", "waits"), [
    (1, 90.0, 90), (1, 3.0, 10), (1, 0.0, 10), (1, 1e9, LONGEST_BACKOFF_S),
    (1, float("inf"), LONGEST_BACKOFF_S), (5, 90.0, 1800),
    (8, 41_000.0, 41_000), (ATTEMPTS, 90.0, None),
])  # fmt: skip
def test_a_retry_after_longer_than_the_backoff_is_used(attempt: int, retry_after_s: float, waits: int | None) -> None:
    assert wait_s(attempt, 0.0, retry_after_s) == waits


@pytest.mark.parametrize("attempt", [0, -1])
def test_there_is_no_attempt_before_the_first(attempt: int) -> None:
    with pytest.raises(ValueError, match="counted from 1"):
        backoff_s(attempt)


@pytest.mark.parametrize(("status", "delivery", "reason"), [
    (200, AttemptEnd.DELIVERED, None),
    (204, AttemptEnd.DELIVERED, None),
    (299, AttemptEnd.DELIVERED, None),
    (410, AttemptEnd.GONE, "the receiver answered HTTP 410: it wants no more deliveries"),
    (101, AttemptEnd.FAILED, "the receiver answered HTTP 101"),
    (301, AttemptEnd.FAILED, "the receiver answered HTTP 301; redirects are not followed"),
    (308, AttemptEnd.FAILED, "the receiver answered HTTP 308; redirects are not followed"),
    (404, AttemptEnd.FAILED, "the receiver answered HTTP 404"),
    (429, AttemptEnd.FAILED, "the receiver answered HTTP 429"),
    (500, AttemptEnd.FAILED, "the receiver answered HTTP 500"),
    (999, AttemptEnd.FAILED, "the receiver answered HTTP 999"),
])  # fmt: skip
def test_a_status_means_delivered_gone_or_failed(status: int, delivery: AttemptEnd, reason: str | None) -> None:
    assert (judge(status).ended, judge(status).reason) == (delivery, reason)


@pytest.mark.parametrize("fault", [WebhookError, AddressRefused])
def test_a_fault_is_a_failed_attempt_that_says_what_happened(fault: type[WebhookError]) -> None:
    result = judge(fault("the receiver could not be reached"))
    assert (result.ended, result.reason) == (AttemptEnd.FAILED, "the receiver could not be reached")
