"""The Lambda handler of a provider: an event in, a provider reply out. It never raises for an upstream error.

{"operation": "search", "query": {…}, "timeout_ms": 15000, "scheduled": false, "request_id": "…"}  ->  a provider reply
{"operation": "lookup", "names": […], …}, and the other operations of `shared.query.question`  ->  a provider reply
{"operation": "describe"}  ->  the declaration, the limits in force, and whether a key is set

An event with `"accepts"`, a form of `shared.providers.encoded_replies`, gets `{"encoded": "<base64>"}`, compressed: a
reply as JSON can exceed the 6 MB that Lambda returns. The dispatcher stores bytes of its own form as they are.
The leg ends `timeout_ms` after it begins, and at `deadline_ms` (epoch milliseconds), if the event has it.
Its first request, and those that it can do without, wait for permits for `queue_ms` at most, if the event has it.
With `stored_after` (epoch seconds), a search that is ready later is stored in the cache of legs as well.
"""

from __future__ import annotations

import shared.garbage_collection  # before the imports that make many objects

# isort: split
import base64
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias
from uuid import uuid4

import httpx

from shared.aws.runtime.metrics import observe_budget
from shared.aws.runtime.observability import bind_request_ids, logger
from shared.aws.runtime.settings import base_url, budgets_table, contact, in_lambda, limits_in_force, provider_key
from shared.clock import now
from shared.json_types import JsonObject
from shared.legs.leg import Leg
from shared.outcomes import Outcome
from shared.providers.answering import answer_question
from shared.providers.connection_pool import new_http
from shared.providers.encoded_replies import encode_reply, form
from shared.providers.http_client import DIGEST_CHARS, Client
from shared.providers.leg_time import QueueTime, check_times, seconds_left
from shared.providers.provider import ANY_HOST, ProviderReply, ProviderSpec, Work, failed, reply_to_json
from shared.query.question import Question, question_from_json
from shared.rate_limits.circuit_breaker import Cause
from shared.rate_limits.limits import ReadLimits, charge_of, limits_for, limits_to_json, no_limits
from shared.rate_limits.rate_limiter import RateLimiter
from shared.rate_limits.slots import SlotCounter
from shared.rate_limits.state import MemoryStore, StateStore, public_status

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext

Handler: TypeAlias = Callable[[JsonObject, "LambdaContext"], JsonObject]  # their form depends on `operation`


@dataclass(frozen=True, slots=True)
class Timing:
    """How a leg waits before a retry, the monotonic clock of its deadline, and the time of day, in seconds."""

    sleep: Callable[[float], None] = time.sleep
    jitter: Callable[[], float] = random.random
    monotonic: Callable[[], float] = time.monotonic
    time: Callable[[], float] = time.time


TIMING = Timing()  # of handlers made without one; tests replace it by one that does not wait


@cache
def _http(address: str | None, any_host: bool) -> httpx.Client:
    """One connection pool and one TLS context for the whole process."""
    return new_http(address, any_host=any_host)


def _new_limiter(spec: ProviderSpec, read_limits: ReadLimits) -> RateLimiter:
    """The rate limiter of one provider; without a table its state is in memory."""
    store: StateStore = MemoryStore()
    process_id = uuid4().hex[:8]
    slots: SlotCounter | None = None
    if table := budgets_table():  # AWS only where there is a table
        from shared.aws.dynamodb.rate_limit_store import shared_stores

        store, slots = shared_stores(table, spec.name, now=time.time, process_id=process_id)
    return RateLimiter(
        spec.title,
        store,
        read_limits=read_limits,
        now=time.time,
        sleep=time.sleep,
        jitter=random.random,
        process_id=process_id,
        slots=slots,
    )


def _prepare(spec: ProviderSpec, limiter: RateLimiter) -> None:
    """In Lambda, do at import what the first leg would wait for: imports have a whole processor, and calls a share.

    With 256 MB that is a seventh. Nothing of it raises: the first leg repeats what failed.
    """
    if not in_lambda():
        return
    provider_key(spec.name)
    _http(contact(), base_url(spec) == ANY_HOST)
    form()
    _ = limiter.state  # the connection to DynamoDB, and the limiter's first read


def provider_handler(
    spec: ProviderSpec,
    *,
    read_limits: ReadLimits = no_limits,
    timing: Timing | None = None,
    **works: Work,
) -> Handler:
    """The Lambda handler of one provider: a function for each operation that `spec` declares.

    `read_limits` reads the limits stated by response headers; `timing` is `TIMING` by default.
    """
    timing = timing or TIMING
    if set(works) != set(spec.operations):
        raise TypeError(f"{spec.name} declares {sorted(spec.operations)} and has {sorted(works)}")
    limiter = _new_limiter(spec, read_limits)  # at import: one per process, which keeps the last state
    _prepare(spec, limiter)

    def handler(event: Mapping[str, Any], context: LambdaContext) -> JsonObject:  # noqa: ARG001  Lambda's signature
        if event["operation"] == "describe":
            return describe(spec)
        work = works.get(event["operation"])
        if work is None:
            has = ", ".join([*sorted(works), "describe"])
            raise ValueError(f"{spec.name} has no operation {event['operation']!r}; it has {has}")
        check_times(event)
        bind_request_ids(event.get("request_id"), event.get("correlation_id"))
        started = now()
        reply = _answer(spec, work, limiter, timing, event)
        _log_leg(spec, event, started, reply)
        if event.get("stored_after") is not None:
            _store_if_late(spec.name, event, reply)
        return _as_accepted(reply, event.get("accepts"))

    return handler


def _log_leg(spec: ProviderSpec, event: Mapping[str, Any], started: datetime, reply: ProviderReply) -> None:
    logger.info(
        "leg",
        provider=spec.name,
        operation=event["operation"],
        outcome=reply.outcome.value,
        papers=len(reply.papers) + len(reply.pointers),
        started_at=started.isoformat(timespec="milliseconds"),
        ended_at=now().isoformat(timespec="milliseconds"),
        elapsed_ms=reply.elapsed_ms,
        warnings=len(reply.warnings),
    )
    # Warnings repeat words of the query, such as those that a provider does not know.
    logger.debug("the leg's warnings", provider=spec.name, warnings=list(reply.warnings))


def _as_accepted(reply: ProviderReply, accepted_form: object) -> JsonObject:
    """The reply as bytes for a caller that reads them; as JSON, which is larger, for one that names no form.

    A caller of another version checks the bytes as it would check JSON.
    """
    if not accepted_form:
        return reply_to_json(reply)
    return {"encoded": base64.b64encode(encode_reply(reply)).decode()}


def _store_if_late(provider: str, event: Mapping[str, Any], reply: ProviderReply) -> None:
    from shared.aws.lambda_functions.late_replies import MARGIN_S, store_late  # only where searches may respond early

    if time.time() >= float(event["stored_after"]) - MARGIN_S:
        leg = Leg(provider, question_from_json(event))
        store_late(leg, reply, owner=str(event.get("request_id") or ""), limited=bool(event.get("limited")))


def _answer(
    spec: ProviderSpec, work: Work, limiter: RateLimiter, timing: Timing, event: Mapping[str, Any]
) -> ProviderReply:
    started = timing.monotonic()
    try:
        seconds = seconds_left(spec, event.get("timeout_ms"), event.get("deadline_ms"), timing.time())
        question = question_from_json(event)
        client = _client(spec, limiter, timing, started + seconds, question, event)
        reply = answer_question(spec, work, question, client, lambda: timing.monotonic() - started)
        observe_budget(
            spec.name, public_status(limiter.state, limits_in_force(spec, client.key), time.time())["budget"]
        )
        return reply
    except Exception as error:  # a bug in one provider must not fail the other legs
        logger.exception("provider failed with an internal error", provider=spec.name)
        reason = f"{spec.title}'s answer could not be handled ({type(error).__name__})"
        return failed(spec.name, spec.family, Outcome.BAD_RESPONSE, reason)


def _client(
    spec: ProviderSpec,
    limiter: RateLimiter,
    timing: Timing,
    deadline: float,
    question: Question,
    event: Mapping[str, Any],
) -> Client:
    """`deadline` is in seconds of the timing's clock."""
    scheduled = bool(event.get("scheduled"))
    queue = QueueTime(event.get("queue_ms"), spec.search_requests, timing.monotonic)
    key = provider_key(spec.name)
    limits = limits_in_force(spec, key)
    question_digest = question.cache_key()[:DIGEST_CHARS]

    def time_left() -> float:
        return deadline - timing.monotonic()

    return Client(
        title=spec.title,
        base_url=base_url(spec),
        http=_http(contact(), base_url(spec) == ANY_HOST),
        time_left=time_left,
        sleep=timing.sleep,
        jitter=timing.jitter,
        now=now,
        key=key,
        contact=contact(),
        permit=lambda request: limiter.permit(
            limits_for(spec, limits, request.path),
            time_left,
            scheduled=scheduled,
            charge=charge_of(spec, request.path),
            cause=Cause(question_digest, request.digest),
            longest_wait_s=queue.next_s(),
        ),
        optional=queue.optional,
    )


def describe(spec: ProviderSpec) -> JsonObject:
    """The declaration as JSON-ready data, with `has_key` and the `limits` in force."""
    key = provider_key(spec.name)
    data = {name: value for name, value in asdict(spec).items() if not name.startswith("light_")}
    for name in ("filters", "sorts", "disciplines"):
        data[name] = sorted(data[name])
    return {**data, "has_key": key is not None, **limits_to_json(limits_in_force(spec, key))}


shared.garbage_collection.begin()
