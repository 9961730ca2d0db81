"""The end of a leg is a moment, so that the start of a cold function counts against it."""

from __future__ import annotations

import json
import math
import time
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import pytest

from infra.functions import provider_spec
from infra.local.lambda_hook import Context
from shared.aws.lambda_functions.invoker import Invoker
from shared.aws.lambda_functions.provider_fan_out import INVOKE_RESERVE_S, ProviderFanOut
from shared.aws.lambda_functions.provider_handler import Timing, provider_handler
from shared.legs.leg import Leg
from shared.providers.http_client import Client, RequestId
from shared.providers.leg_time import LONGEST_START_S
from shared.providers.provider import Page
from shared.query.query import Query
from shared.rate_limits.rate_limiter import RateLimiter

NOW = 1_795_000_000.0


def seconds_left(deadline_s: float | None, timeout_s: float = 10.0) -> float:
    """What a provider has for a leg whose event names this end, in seconds from now."""
    left: list[float] = []

    def search(question: object, client: Client) -> Page:
        left.append(client.time_left())
        return Page(papers=[], total=0, effective_query="TREM2")

    spec = replace(provider_spec("crossref"), operations={"search": ()})
    handler = provider_handler(spec, timing=Timing(monotonic=lambda: 5.0, time=lambda: NOW), search=search)
    context: Any = Context("crossref")
    event: dict[str, Any] = {"operation": "search", "query": {"text": "TREM2"}, "timeout_ms": timeout_s * 1000}
    handler(event | ({} if deadline_s is None else {"deadline_ms": (NOW + deadline_s) * 1000}), context)
    return left[0]


@pytest.mark.parametrize(
    ("deadline_s", "expected"),
    [
        (None, 10.0),  # of an older dispatcher
        (10.0, 10.0),
        (9.1, 9.1),  # the function took 0.9 s to start
        (0.1, 0.1),
        (12.0, 10.0),  # never longer than the duration
        (-0.1 - LONGEST_START_S, 10.0),  # a clock that is wrong
    ],
)
def test_a_leg_ends_at_its_deadline_but_not_after_its_duration(deadline_s: float | None, expected: float) -> None:
    assert seconds_left(deadline_s) == pytest.approx(expected)


def test_the_dispatcher_states_both_the_duration_and_the_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[dict[str, Any]] = []

    def invoke(self: Invoker, function: str, payload: bytes) -> bytes:
        sent.append(json.loads(payload))
        return b"{}"

    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setattr(Invoker, "invoke", invoke)
    monkeypatch.setattr(time, "time", lambda: NOW)
    ask = ProviderFanOut({"crossref": "f"}).asker("request", scheduled=False)
    ask(Leg("crossref", Query(text="TREM2")), 8.0)
    (event,) = sent
    assert event["timeout_ms"] == (8.0 - INVOKE_RESERVE_S) * 1000
    assert event["deadline_ms"] == NOW * 1000 + event["timeout_ms"]
    assert "queue_ms" not in event
    ask(Leg("crossref", Query(text="TREM2"), queue_s=3.5), 8.0)
    assert sent[1]["queue_ms"] == 3_500


def test_only_the_first_request_of_a_leg_is_refused_for_its_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []

    def permit(self: RateLimiter, *arguments: object, longest_wait_s: float, **named: object) -> Any:
        waits.append(longest_wait_s)
        return nullcontext()

    def search(question: object, client: Client) -> Page:
        for _ in range(2):
            with client.permit(RequestId("/works", "digest")):
                pass
        return Page(papers=[], total=0, effective_query="TREM2")

    monkeypatch.setattr(RateLimiter, "permit", permit)
    handler = provider_handler(replace(provider_spec("crossref"), operations={"search": ()}), search=search)
    context: Any = Context("crossref")
    handler({"operation": "search", "query": {"text": "TREM2"}, "timeout_ms": 15_000, "queue_ms": 3_500}, context)
    assert waits == [3.5, math.inf]
