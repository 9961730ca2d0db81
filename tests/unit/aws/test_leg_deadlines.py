"""The end of a leg is a moment, so that the start of a cold function counts against it."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from typing import Any

import pytest

from infra.functions import provider_spec
from infra.local.lambda_hook import Context
from shared.aws.lambda_functions.invoker import Invoker
from shared.aws.lambda_functions.provider_fan_out import INVOKE_RESERVE_S, ProviderFanOut
from shared.aws.lambda_functions.provider_handler import LONGEST_START_S, Timing, provider_handler
from shared.legs.leg import Leg
from shared.providers.http_client import Client
from shared.providers.provider import Page
from shared.query.query import Query

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
