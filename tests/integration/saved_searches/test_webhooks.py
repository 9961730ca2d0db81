"""Webhooks over real connections: deliveries arrive, and receivers can distinguish them from forgeries."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from shared.delivery.webhook import AttemptEnd, judge, new_secret, signed_headers
from tests.integration.saved_searches.webhook_receiver import BODY, HOST, SECRET, answer, deliver, receiver

# The text that tells receivers how to check a signature; its code is what is tried here.
DOCS = Path(__file__).parents[3] / "docs" / "saved-searches.md"


def parse_request(request: bytes) -> tuple[str, dict[str, str], bytes]:
    head, _, body = request.partition(b"\r\n\r\n")
    first, *lines = head.decode("ascii").split("\r\n")
    return first, {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}, body


def documented_check() -> Callable[[str, Mapping[str, str], bytes, set[str]], str]:
    """The ten lines that the documentation gives to receivers."""
    block = re.search(
        r"<!-- webhook check: begin -->\s*```python\n(.*?)```\s*<!-- webhook check: end -->",
        DOCS.read_text(encoding="utf-8"), re.DOTALL,
    )  # fmt: skip
    assert block, f"{DOCS.name} has lost the check between its markers"
    lines = block[1].splitlines()
    assert len(lines) == 10
    assert re.findall(r"^import (.*)|^from", block[1], re.MULTILINE) == ["base64, hashlib, hmac, time"]
    names: dict[str, Any] = {}
    exec(compile(block[1], DOCS.name, "exec"), names)
    return names["check"]  # type: ignore[no-any-return]


def test_two_independent_checks_accept_a_signed_delivery() -> None:
    with receiver(answer(200)) as running:
        assert judge(deliver(running.port)).ended is AttemptEnd.DELIVERED
    first, headers, body = parse_request(running.requests[0])
    assert first == "POST /new?token=t HTTP/1.1"
    assert headers["host"] == f"{HOST}:{running.port}"
    assert headers["content-type"] == "application/json"
    assert headers.keys() <= {"host", "user-agent", "content-type", "content-length", "connection"} | {
        "webhook-id", "webhook-timestamp", "webhook-signature",
    }  # fmt: skip
    assert running.names == [HOST]
    assert body == BODY
    assert documented_check()(SECRET, headers, body, set()) == "new"
    assert Webhook(SECRET).verify(body, headers)["type"] == "saved_search.events"


FORGED: dict[str, tuple[int, dict[str, str], bytes, str]] = {
    "tampered body": (0, {}, BODY.replace(b"Ein", b"Kein"), SECRET),
    "six minutes old": (-360, {}, BODY, SECRET),
    "six minutes ahead": (360, {}, BODY, SECRET),
    "another secret": (0, {}, BODY, new_secret(bytes(32))),
    "another id": (0, {"webhook-id": "d-2"}, BODY, SECRET),
    "an old one under a new time": (-360, {"webhook-timestamp": str(int(time.time()))}, BODY, SECRET),
    "an unknown scheme": (0, {"webhook-signature": "v2,AAAA"}, BODY, SECRET),
    "no signature": (0, {"webhook-signature": ""}, BODY, SECRET),
}


@pytest.mark.parametrize(("shift", "changed", "body", "secret"), FORGED.values(), ids=FORGED)
def test_both_checks_refuse_altered_and_outdated_deliveries(
    shift: int, changed: dict[str, str], body: bytes, secret: str
) -> None:
    headers = signed_headers(SECRET, delivery_id="d-1", at=int(time.time()) + shift, body=BODY) | changed
    seen: set[str] = set()
    assert documented_check()(secret, headers, body, seen) == "refused"
    assert not seen
    with pytest.raises(WebhookVerificationError):
        Webhook(secret).verify(body, headers)


@pytest.mark.parametrize("shift", [-290, 0, 290])
def test_both_checks_allow_clocks_to_differ_by_nearly_five_minutes(shift: int) -> None:
    headers = signed_headers(SECRET, delivery_id="d-1", at=int(time.time()) + shift, body=BODY)
    headers["webhook-signature"] = f"v1,AAAA {headers['webhook-signature']}"  # of another secret, as in a rotation
    assert documented_check()(SECRET, headers, BODY, set()) == "new"
    assert Webhook(SECRET).verify(BODY, headers)


def test_a_known_delivery_id_is_a_repetition_despite_a_valid_time_and_signature() -> None:
    check, seen = documented_check(), set[str]()
    now = int(time.time())
    received = [
        check(SECRET, signed_headers(SECRET, delivery_id="d-1", at=now + it, body=BODY), BODY, seen) for it in (0, 9)
    ]
    assert received == ["new", "repeated"]


def test_the_path_is_sent_byte_for_byte() -> None:
    path = "/a/../b//c/%2e%2E/%e4?to[]=me@example.org&b='%C3%A4'&e="
    with receiver(answer(200)) as running:
        assert deliver(running.port, path=path) == 200
    assert running.requests[0].startswith(f"POST {path} HTTP/1.1\r\n".encode())


def test_an_answer_of_410_ends_the_webhook() -> None:
    with receiver(answer(410)) as running:
        assert judge(deliver(running.port)).ended is AttemptEnd.GONE


@pytest.mark.parametrize("status", [400, 403, 404, 429, 500, 503])
def test_a_failed_answer_is_reported_by_its_status_alone(status: int) -> None:
    with receiver(answer(status, "X-Told: hidden", body=b"hidden")) as running:
        assert judge(deliver(running.port)).reason == f"the receiver answered HTTP {status}"


def test_no_state_of_one_delivery_reaches_the_next() -> None:
    with receiver(answer(200, "Set-Cookie: a=b; Secure; Path=/", "Connection: keep-alive")) as running:
        assert [deliver(running.port), deliver(running.port)] == [200, 200]
    assert running.connections == 2
    assert b"cookie" not in running.requests[1].lower()
