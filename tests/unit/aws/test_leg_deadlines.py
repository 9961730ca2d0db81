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
from infra.local.lambda_hook import InvocationContext
from shared.aws.lambda_functions import provider_handler as provider_handler_module
from shared.aws.lambda_functions.invoker import Invoker
from shared.aws.lambda_functions.provider_fan_out import INVOKE_RESERVE_S, ProviderFanOut
from shared.aws.lambda_functions.provider_handler import Timing, provider_handler
from shared.legs.leg import Leg
from shared.providers.http_client import Client, RequestId
from shared.providers.leg_time import LONGEST_START_S
from shared.providers.provider import Page
from shared.providers.relaxation import widened
from shared.query.query import Query
from shared.rate_limits.rate_limiter import RateLimiter
from shared.rate_limits.state import MemoryStore
from tests.virtual_time import Clock, Task

NOW = 1_795_000_000.0


def seconds_left(deadline_s: float | None, timeout_s: float = 10.0) -> float:
    """What a provider has for a leg whose event names this end, in seconds from now."""
    left: list[float] = []

    def search(question: object, client: Client) -> Page:
        left.append(client.time_left())
        return Page(papers=[], total=0, effective_query="TREM2")

    spec = replace(provider_spec("crossref"), operations={"search": ()})
    handler = provider_handler(spec, timing=Timing(monotonic=lambda: 5.0, time=lambda: NOW), search=search)
    context: Any = InvocationContext("crossref")
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


@pytest.mark.parametrize("name", ["timeout_ms", "deadline_ms", "queue_ms", "stored_after"])
@pytest.mark.parametrize("value", ["soon", True, math.nan, math.inf, -1e16, pytest.param(10**400, id="huge"), [1]])
def test_a_time_that_is_no_number_is_refused_before_the_source_is_queried(name: str, value: object) -> None:
    def search(question: object, client: Client) -> Page:
        raise AssertionError("it was queried")

    handler = provider_handler(replace(provider_spec("crossref"), operations={"search": ()}), search=search)
    context: Any = InvocationContext("crossref")
    with pytest.raises(ValueError, match=f"^{name} must be a number: "):
        handler({"operation": "search", "query": {"text": "TREM2"}, name: value}, context)


def test_the_dispatcher_states_both_the_duration_and_the_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[dict[str, Any]] = []

    def invoke(self: Invoker, function: str, payload: bytes) -> bytes:
        sent.append(json.loads(payload))
        return b"{}"

    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setattr(Invoker, "invoke", invoke)
    monkeypatch.setattr(time, "time", lambda: NOW)
    ask = ProviderFanOut({"crossref": "f"}, 1).asker("request", scheduled=False)
    ask(Leg("crossref", Query(text="TREM2")), 8.0)
    (event,) = sent
    assert event["timeout_ms"] == (8.0 - INVOKE_RESERVE_S) * 1000
    assert event["deadline_ms"] == NOW * 1000 + event["timeout_ms"]
    assert "queue_ms" not in event
    ask(Leg("crossref", Query(text="TREM2"), queue_s=3.5), 8.0)
    assert sent[1]["queue_ms"] == 3_500


NO_WAIT, ALL_TIME = 0.0, math.inf


@pytest.mark.parametrize(
    ("needed", "queue_ms", "expected"),
    [
        (1, 3_500, [3.5, ALL_TIME, 1.5, ALL_TIME, NO_WAIT]),
        (2, 3_500, [1.75, ALL_TIME, 1.5, ALL_TIME, NO_WAIT]),  # the second request stands in the queue as well
        (1, None, [ALL_TIME, ALL_TIME, ALL_TIME, ALL_TIME, ALL_TIME]),  # nobody waits for the search
    ],
)
def test_a_leg_waits_in_the_queue_before_it_begins_and_for_what_it_can_do_without(
    monkeypatch: pytest.MonkeyPatch, needed: int, queue_ms: int | None, expected: list[float]
) -> None:
    """Of its requests the third and the fifth are such, two and four seconds after its begin."""
    waits: list[float] = []
    clock = [5.0]

    def permit(self: RateLimiter, *arguments: object, longest_wait_s: float, **named: object) -> Any:
        waits.append(longest_wait_s)
        return nullcontext()

    def search(question: object, client: Client) -> Page:
        for number in range(5):
            with client.optional() if number in (2, 4) else nullcontext():
                clock[0] += 2.0 * (number in (2, 4))
                with client.permit(RequestId("/works", "digest")):
                    pass
        return Page(papers=[], total=0, effective_query="TREM2")

    monkeypatch.setattr(RateLimiter, "permit", permit)
    spec = replace(provider_spec("crossref"), operations={"search": ()}, search_requests=needed)
    handler = provider_handler(spec, timing=Timing(monotonic=lambda: clock[0], time=lambda: NOW), search=search)
    context: Any = InvocationContext("crossref")
    event: dict[str, Any] = {"operation": "search", "query": {"text": "TREM2"}, "timeout_ms": 15_000}
    handler(event | ({} if queue_ms is None else {"queue_ms": queue_ms}), context)
    assert waits == expected


@pytest.mark.usefixtures("declared_limits")
@pytest.mark.parametrize(("queue_ms", "sent"), [(1_000, 1), (3_500, 2), (None, 2)])
def test_a_wider_request_is_left_out_where_it_would_wait_longer_than_the_leg_may(
    queue_ms: int | None, sent: int
) -> None:
    """arXiv's second request waits three seconds: for a question of another discipline that is too long."""
    clock = Clock()
    limiter_of = lambda *named: RateLimiter(  # noqa: E731
        "arXiv", MemoryStore(), now=clock.monotonic, sleep=clock.sleep, jitter=lambda: 0.0, process_id="one"
    )
    requests: list[str] = []

    def search(question: Any, client: Client) -> Page:
        def page(text: str) -> Page:
            with client.permit(RequestId("/api/query", text)) as granted:
                granted.confirm()
                requests.append(text)
            return Page(papers=[], total=0, effective_query=text)

        return widened(page("strict"), lambda: page("wider"), client, question)

    spec = replace(provider_spec("arxiv"), operations={"search": ()})
    timing = Timing(sleep=clock.sleep, monotonic=clock.monotonic, time=clock.monotonic)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(provider_handler_module, "_new_limiter", limiter_of)
        handler = provider_handler(spec, timing=timing, search=search)
    context: Any = InvocationContext("arxiv")
    event: dict[str, Any] = {"operation": "search", "query": {"text": "TREM2"}, "timeout_ms": 15_000}
    event |= {} if queue_ms is None else {"queue_ms": queue_ms}
    ends = clock.run([Task(work=lambda: handler(event, context))])
    answer = ends[0].result()
    assert len(requests) == sent
    assert answer["outcome"] == "empty"
    warned = [it for it in answer["warnings"] if it.startswith("a wider search for more papers failed: arXiv was not")]
    assert len(warned) == 2 - sent
