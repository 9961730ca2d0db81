"""A webhook's delivery as bytes and headers, and what a receiver's answer means: the Standard Webhooks specification.

Pure: the clock, the random bytes and the line to the receiver belong to the caller.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from shared.answers.content_trust import UNTRUSTED
from shared.clock import timestamp
from shared.errors import WebhookError

SECRET_PREFIX = "whsec_"  # noqa: S105 - it marks a secret, and is none
SECRET_BYTES = range(24, 65)  # the specification's bounds
EVENT_TYPE = "saved_search.events"
# Waits after the first, second … failed attempt. A queue's message can be hidden for 12 h at most.
BACKOFF_S = (10, 30, 2 * 60, 10 * 60, 30 * 60, 2 * 3600, 6 * 3600, 11 * 3600)
ATTEMPTS = len(BACKOFF_S) + 1
# A receiver that is back is not met by all that it missed in the same second: waits are longer by up to a fifth, and
# by half an hour at most, so that the longest stays under the 12 h.
JITTER, MOST_JITTER_S = 0.2, 1800
LONGEST_S = BACKOFF_S[-1] + MOST_JITTER_S
ASKS_TO_WAIT = (429, 503)  # the statuses whose Retry-After counts
# Receivers have so long to take over a new secret; who makes more of them in that time loses the oldest.
OVERLAP = timedelta(hours=24)
MAX_SECRETS = 5
# A full stop in an id would let two different deliveries have one signature.
_ID = re.compile(r"[A-Za-z0-9_:-]{1,255}")


class Ended(StrEnum):
    """How one attempt ended."""

    DELIVERED = "delivered"
    FAILED = "failed"  # to be tried again after backoff_s
    GONE = "gone"  # the receiver wants no more: the webhook is to be disabled at once


@dataclass(frozen=True, slots=True)
class Verdict:
    """One attempt's end; `reason` is for the webhook's owner, None when it was delivered."""

    ended: Ended
    reason: str | None = None


def new_secret(random_bytes: bytes) -> str:
    """A webhook's secret out of 24 to 64 random bytes: `whsec_` and their base64. Raises ValueError."""
    _check_length(random_bytes)
    return SECRET_PREFIX + base64.b64encode(random_bytes).decode("ascii")


def renewed(saved: Mapping[str, Any], now: datetime) -> list[Mapping[str, Any]]:
    """The previous secrets of a saved search whose `secret` is about to be replaced: `{secret, valid_until}`.

    The newest is the last one. Those before it stay: of a secret whose answer was lost no receiver knows.
    """
    replaced = {"secret": saved["secret"], "valid_until": timestamp(now + OVERLAP)}
    return [*_previous(saved, now), replaced][1 - MAX_SECRETS :]


def secrets_of(saved: Mapping[str, Any], now: datetime) -> list[str]:
    """The secrets that sign what is sent now, the newest first."""
    return [saved["secret"], *(it["secret"] for it in reversed(_previous(saved, now)))]


def _previous(saved: Mapping[str, Any], now: datetime) -> list[Mapping[str, Any]]:
    return [it for it in saved.get("previous_secrets") or () if it["valid_until"] > timestamp(now)]


def signed_headers(*secrets: str, delivery_id: str, at: int, body: bytes) -> dict[str, str]:
    """The three headers that sign an attempt: `at` is its time in Unix seconds, the id is the same in every attempt.

    Each secret has its signature. Raises ValueError for a secret that is none, an id with a full stop and a negative
    time; the secret is never told.
    """
    if not _ID.fullmatch(delivery_id):
        raise ValueError("a delivery's id has letters, digits, _, : and - only")
    if at < 0:
        raise ValueError("a delivery's time is in seconds since 1970")
    signed = f"{delivery_id}.{at}.".encode("ascii") + body
    macs = [hmac.new(_key(secret), signed, hashlib.sha256).digest() for secret in secrets]
    signatures = " ".join(f"v1,{base64.b64encode(mac).decode('ascii')}" for mac in macs)
    return {"webhook-id": delivery_id, "webhook-timestamp": str(at), "webhook-signature": signatures}


def payload(saved: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> bytes:
    """The JSON body that tells of at least one event, the same bytes at every attempt.

    Its timestamp is the newest event's, not the attempt's. Of the saved search it tells id, name and feed only.
    """
    told = {
        "type": EVENT_TYPE,
        "timestamp": max(event["at"] for event in events),
        "data": {
            "saved_search": {name: saved[name] for name in ("id", "name", "feed")},
            "events": [dict(event) for event in events],
            "content_trust": UNTRUSTED,
        },
    }
    written = json.dumps(told, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
    return written.encode("utf-8", "replace")  # half a character would make many receivers refuse the whole


def backoff_s(attempt: int) -> int | None:
    """Seconds to wait after this attempt (1 is the first) has failed; None when it was the last one."""
    if attempt < 1:
        raise ValueError("attempts are counted from 1")
    return BACKOFF_S[attempt - 1] if attempt < ATTEMPTS else None


def wait_s(attempt: int, chance: float, asked_s: float | None = None) -> int | None:
    """Seconds until the next attempt after this one has failed, None when it was the last one.

    `chance`, in [0, 1), spreads the back-off; a receiver that asks for more time (`asked_s`) has it, up to LONGEST_S.
    """
    back_off = backoff_s(attempt)
    if back_off is None:
        return None
    spread = chance * min(back_off * JITTER, MOST_JITTER_S)
    return round(min(max(back_off + spread, asked_s or 0.0), LONGEST_S))


def judge(told: int | WebhookError) -> Verdict:
    """What an attempt's HTTP status, or the fault in its place, means for the delivery."""
    if isinstance(told, WebhookError):
        return Verdict(Ended.FAILED, told.message)
    if 200 <= told < 300:
        return Verdict(Ended.DELIVERED)
    answered = f"the receiver answered HTTP {told}"
    if told == 410:
        return Verdict(Ended.GONE, f"{answered}: it wants no more deliveries")
    if 300 <= told < 400:
        return Verdict(Ended.FAILED, f"{answered}; redirects are not followed")
    return Verdict(Ended.FAILED, answered)


def _key(secret: str) -> bytes:
    if not secret.startswith(SECRET_PREFIX):
        raise ValueError(f"a webhook's secret begins with {SECRET_PREFIX}")
    try:
        key = base64.b64decode(secret.removeprefix(SECRET_PREFIX), validate=True)
    except ValueError:
        raise ValueError("a webhook's secret is base64") from None
    _check_length(key)
    return key


def _check_length(key: bytes) -> None:
    if len(key) not in SECRET_BYTES:
        raise ValueError(f"a webhook's secret has {SECRET_BYTES.start} to {SECRET_BYTES.stop - 1} bytes")
