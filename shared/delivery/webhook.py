"""The payload, the signature and the retry schedule of webhooks, after the Standard Webhooks specification.

The caller supplies the time, the random bytes and the HTTP client.
https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

from shared.answers.content_trust import UNTRUSTED
from shared.clock import timestamp
from shared.delivery.errors import WebhookError
from shared.delivery.settings import PreviousSecret, WebhookSecrets

if TYPE_CHECKING:
    from shared.answers.saved_searches import Event, NewsOf, WebhookPayload

SECRET_PREFIX = "whsec_"  # noqa: S105 - the prefix of a secret
SECRET_BYTES = range(24, 65)  # the specification's bounds
EVENT_TYPE: Literal["saved_search.events"] = "saved_search.events"
# Seconds to wait after the first, second … failed attempt. SQS hides a message for 12 h at most.
BACKOFF_S = (10, 30, 2 * 60, 10 * 60, 30 * 60, 2 * 3600, 6 * 3600, 11 * 3600)
ATTEMPTS = len(BACKOFF_S) + 1
# Jitter spreads the retries to a receiver that recovers: up to a fifth of the wait, and half an hour at most, so that
# the longest wait stays under 12 h.
JITTER, MAX_JITTER_S = 0.2, 1800
LONGEST_BACKOFF_S = BACKOFF_S[-1] + MAX_JITTER_S
RETRY_AFTER_STATUSES = (429, 503)  # the statuses whose Retry-After header is used
# How long a replaced secret keeps signing. With more than MAX_SECRETS in that time, the oldest is dropped.
OVERLAP = timedelta(hours=24)
MAX_SECRETS = 5
# A full stop in an id would let two different deliveries have the same signature.
_ID = re.compile(r"[A-Za-z0-9_:-]{1,255}")


class AttemptEnd(StrEnum):
    """The result of one delivery attempt."""

    DELIVERED = "delivered"
    FAILED = "failed"  # retry after `backoff_s`
    GONE = "gone"  # the receiver wants no more deliveries: disable the webhook


@dataclass(frozen=True, slots=True)
class AttemptResult:
    """The result of an attempt; `reason` is shown to the webhook's owner, None when it was delivered."""

    ended: AttemptEnd
    reason: str | None = None


def new_secret(random_bytes: bytes) -> str:
    """Encode 24 to 64 random bytes as a webhook secret: `whsec_` and base64. Raises ValueError for other lengths."""
    _check_length(random_bytes)
    return SECRET_PREFIX + base64.b64encode(random_bytes).decode("ascii")


def rotated_secrets(secrets: WebhookSecrets, now: datetime) -> list[PreviousSecret]:
    """Return the new `previous_secrets` of a saved search whose `secret` is about to be replaced, newest last.

    Earlier secrets stay until they expire: if the answer that showed the newest one was lost, receivers still use them.
    """
    replaced: PreviousSecret = {"secret": secrets["secret"], "valid_until": timestamp(now + OVERLAP)}
    return [*_unexpired(secrets, now), replaced][1 - MAX_SECRETS :]


def signing_secrets(secrets: WebhookSecrets, now: datetime) -> list[str]:
    """Return the secrets that sign deliveries now, newest first."""
    return [secrets["secret"], *(it["secret"] for it in reversed(_unexpired(secrets, now)))]


def _unexpired(secrets: WebhookSecrets, now: datetime) -> list[PreviousSecret]:
    return [it for it in secrets.get("previous_secrets") or () if it["valid_until"] > timestamp(now)]


def signed_headers(*secrets: str, delivery_id: str, at: int, body: bytes) -> dict[str, str]:
    """Return the three headers that sign an attempt, with one signature per secret.

    `at` is the time of the attempt in Unix seconds; `delivery_id` is the same on every attempt. Raises ValueError for
    an invalid secret (never quoted), an id with other characters than letters, digits, _, : and -, and a negative time.
    """
    if not _ID.fullmatch(delivery_id):
        raise ValueError(f"a delivery's id must have letters, digits, _, : and - only, not {delivery_id[:300]!r}")
    if at < 0:
        raise ValueError(f"a delivery's time must be in seconds since 1970, not {at}")
    signed = f"{delivery_id}.{at}.".encode("ascii") + body
    macs = [hmac.new(_key(secret), signed, hashlib.sha256).digest() for secret in secrets]
    signatures = " ".join(f"v1,{base64.b64encode(mac).decode('ascii')}" for mac in macs)
    return {"webhook-id": delivery_id, "webhook-timestamp": str(at), "webhook-signature": signatures}


def payload(source: NewsOf, events: Sequence[Event]) -> bytes:
    """Return the JSON body for at least one event: the same bytes on every attempt.

    Its timestamp is that of the newest event. Of `source`, only id, name and feed are included.
    """
    body: WebhookPayload = {
        "type": EVENT_TYPE,
        "timestamp": max(event["at"] for event in events),
        "data": {
            "saved_search": {"id": source["id"], "name": source["name"], "feed": source["feed"]},
            "events": list(events),
            "content_trust": UNTRUSTED,
        },
    }
    text = json.dumps(body, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
    return text.encode("utf-8", "replace")  # many receivers refuse a body with a lone surrogate


def backoff_s(attempt: int) -> int | None:
    """Return the seconds to wait after failed attempt number `attempt` (from 1); None after the last one."""
    if attempt < 1:
        raise ValueError("attempts are counted from 1")
    return BACKOFF_S[attempt - 1] if attempt < ATTEMPTS else None


def wait_s(attempt: int, jitter: float, retry_after_s: float | None = None) -> int | None:
    """Return the seconds until the next attempt, with jitter; None after the last one.

    `jitter` is in [0, 1). A longer `retry_after_s` that the receiver requested is respected, up to LONGEST_BACKOFF_S.
    """
    back_off = backoff_s(attempt)
    if back_off is None:
        return None
    spread = jitter * min(back_off * JITTER, MAX_JITTER_S)
    return round(min(max(back_off + spread, retry_after_s or 0.0), LONGEST_BACKOFF_S))


def judge(response: int | WebhookError) -> AttemptResult:
    """Map the HTTP status of an attempt, or its error, to the result of the attempt."""
    if isinstance(response, WebhookError):
        return AttemptResult(AttemptEnd.FAILED, response.message)
    if 200 <= response < 300:
        return AttemptResult(AttemptEnd.DELIVERED)
    reason = f"the receiver answered HTTP {response}"
    if response == 410:
        return AttemptResult(AttemptEnd.GONE, f"{reason}: it wants no more deliveries")
    if 300 <= response < 400:
        return AttemptResult(AttemptEnd.FAILED, f"{reason}; redirects are not followed")
    return AttemptResult(AttemptEnd.FAILED, reason)


def _key(secret: str) -> bytes:
    if not secret.startswith(SECRET_PREFIX):
        raise ValueError(f"a webhook's secret must begin with {SECRET_PREFIX}")
    try:
        key = base64.b64decode(secret.removeprefix(SECRET_PREFIX), validate=True)
    except ValueError:
        raise ValueError(f"a webhook's secret must be base64 behind {SECRET_PREFIX}") from None
    _check_length(key)
    return key


def _check_length(key: bytes) -> None:
    if len(key) not in SECRET_BYTES:
        raise ValueError(
            f"a webhook's secret must have {SECRET_BYTES.start} to {SECRET_BYTES.stop - 1} bytes, not {len(key)}"
        )
