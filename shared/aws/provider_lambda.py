"""The Lambda around a provider: an event in, a leg out. It never raises for an upstream fault.

{"operation": "search", "query": {…}, "timeout_ms": 15000, "request_id": "…"}  ->  a provider reply
{"operation": "describe"}  ->  the declaration, and whether a key is set
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from functools import cache
from typing import Any

import httpx

from shared.aws.observability import logger
from shared.aws.settings import base_url, contact, provider_key
from shared.errors import Outcome
from shared.http_client import Client, new_http
from shared.provider import (
    LEG_TIMEOUT_S,
    ProviderReply,
    ProviderSpec,
    Search,
    answer_search,
    failed,
    reply_to_json,
)
from shared.query import query_from_json

Handler = Callable[[Mapping[str, Any], object], dict[str, Any]]


@cache
def _http(address: str | None) -> httpx.Client:
    """One connection pool and one TLS context for the whole process."""
    return new_http(address)


def provider_handler(spec: ProviderSpec, *, search: Search) -> Handler:
    """The Lambda handler of one provider."""

    def handler(event: Mapping[str, Any], context: object) -> dict[str, Any]:  # noqa: ARG001  Lambda's signature
        if event["operation"] == "describe":
            return describe(spec)
        if event["operation"] != "search":
            raise ValueError(f"{spec.name} has no operation {event['operation']!r}; it has search and describe")
        started = datetime.now(UTC)
        reply = _answer(spec, search, event)
        logger.info(
            "leg",
            provider=spec.name,
            outcome=reply.outcome.value,
            papers=len(reply.papers),
            started_at=started.isoformat(timespec="milliseconds"),
            ended_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
            elapsed_ms=reply.elapsed_ms,
            request_id=event.get("request_id"),
            warnings=list(reply.warnings),
        )
        return reply_to_json(reply)

    return handler


def _answer(spec: ProviderSpec, search: Search, event: Mapping[str, Any]) -> ProviderReply:
    started = time.monotonic()
    seconds = min(spec.timeout_s, event.get("timeout_ms", LEG_TIMEOUT_S * 1000) / 1000)
    try:
        client = _client(spec, started + seconds)
        query = query_from_json(event["query"])
        return answer_search(spec, search, query, client, lambda: time.monotonic() - started)
    except Exception as error:  # a fault of ours must not take the other legs with it
        logger.exception("a provider file failed", provider=spec.name)
        reason = f"{spec.title}'s answer could not be handled ({type(error).__name__})"
        return failed(spec.name, spec.family, Outcome.BAD_RESPONSE, reason)


def _client(spec: ProviderSpec, deadline: float) -> Client:
    """`deadline` is a moment of the monotonic clock."""
    return Client(
        title=spec.title,
        base_url=base_url(spec),
        http=_http(contact()),
        time_left=lambda: deadline - time.monotonic(),
        sleep=time.sleep,
        jitter=random.random,
        now=lambda: datetime.now(UTC),
        key=provider_key(spec.name),
        contact=contact(),
        interval_s=1 / spec.requests_per_second,
    )


def describe(spec: ProviderSpec) -> dict[str, Any]:
    """The declaration as JSON-ready data, with `has_key`."""
    data = asdict(spec)
    for name in ("filters", "sorts", "disciplines"):
        data[name] = sorted(data[name])
    return {**data, "has_key": provider_key(spec.name) is not None}
