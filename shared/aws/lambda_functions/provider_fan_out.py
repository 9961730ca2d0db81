"""Invokes provider Lambdas in parallel and turns each answer or failure into a reply."""

from __future__ import annotations

import json
import math
import threading
import time
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextvars import copy_context

import msgspec
from botocore.exceptions import BotoCoreError, ClientError, ReadTimeoutError

from shared.aws.lambda_functions.invoker import Invoker
from shared.aws.runtime.observability import current_request_ids, error_code, logger
from shared.json_types import JsonObject
from shared.legs.leg import Leg, is_limited
from shared.legs.refusals import no_room
from shared.outcomes import Outcome
from shared.providers.encoded_replies import form, read_encoded
from shared.providers.provider import LEG_TIMEOUT_S, ProviderReply, failed, reply_from_json
from shared.query.question import question_to_json

# The part of a leg's time that the invocation itself takes.
INVOKE_RESERVE_S = 0.1


class _Answer(msgspec.Struct):
    """A function's answer to who accepts encoded replies; other answers are objects with fields of their own."""

    encoded: bytes | None = None  # in base64


_answers = msgspec.json.Decoder(_Answer)


class LegThreads:
    """`shared.legs.leg.Threads`: one thread pool per process, of at most so many threads; each begins when needed."""

    def __init__(self, most: int) -> None:
        self._pool = ThreadPoolExecutor(max_workers=most, thread_name_prefix="leg")

    def submit(self, work: Callable[[], ProviderReply | None]) -> Future[ProviderReply | None]:
        """Run the work in a thread, with the request ids of this one in its log."""
        return self._pool.submit(copy_context().run, work)

    def wait(self, futures: Collection[Future[ProviderReply | None]], seconds: float) -> None:
        """Return when one more has finished, or after `seconds`."""
        if futures:
            wait(futures, timeout=seconds, return_when=FIRST_COMPLETED)
        else:
            time.sleep(seconds)


class ProviderFanOut:
    """The provider Lambdas, by name. `functions` maps a provider to its function's name; `at_once` may be invoked."""

    def __init__(self, functions: Mapping[str, str], at_once: int) -> None:
        self._functions, self._at_once = functions, at_once
        self._invokers: dict[int, Invoker] = {}  # one for each whole number of seconds
        self._lock = threading.Lock()
        self._invoker(math.ceil(LEG_TIMEOUT_S))  # the usual one, made before the first search

    def asker(
        self, request_id: str, *, scheduled: bool, stored_after: float | None = None
    ) -> Callable[[Leg, float], ProviderReply]:
        """`ask` of `LegDependencies` for one request.

        From the moment `stored_after` on (epoch seconds), the request may have been answered without this leg: the
        provider's function stores what it brings.
        """
        correlation_id = current_request_ids().get("correlation_id")  # read here: each leg runs in another thread

        def ask(leg: Leg, seconds: float) -> ProviderReply:
            timeout_ms = round(max(seconds - INVOKE_RESERVE_S, 0.05) * 1000)
            event = {
                **question_to_json(leg.question),
                "timeout_ms": timeout_ms,
                "deadline_ms": round(time.time() * 1000) + timeout_ms,
                "request_id": request_id,
                "correlation_id": correlation_id,
                "scheduled": scheduled,
            }
            if leg.queue_s < seconds:
                event["queue_ms"] = round(leg.queue_s * 1000)
            if stored_after is not None:
                event |= {"stored_after": stored_after, "limited": is_limited(seconds, scheduled=scheduled)}
            started = time.monotonic()
            reply = self._reply(leg.provider, event, seconds)
            logger.debug("leg invoked", provider=leg.provider, seconds=time.monotonic() - started)
            return reply

        return ask

    def describe(self) -> dict[str, JsonObject]:
        """Every provider's declaration, as its Lambda returns it; `{"error": …}` where that fails."""
        with ThreadPoolExecutor(max_workers=len(self._functions) or 1) as pool:
            return dict(zip(self._functions, pool.map(self._description, self._functions), strict=True))

    def _description(self, provider: str) -> JsonObject:
        try:
            return dict(json.loads(self._invoke(provider, {"operation": "describe"}, LEG_TIMEOUT_S)))
        except (ClientError, BotoCoreError, ValueError) as error:
            logger.error(
                "a provider's function did not return its declaration", provider=provider, error=error_code(error)
            )
            return {"error": "the provider's function did not answer"}

    def _reply(self, name: str, event: JsonObject, seconds: float) -> ProviderReply:
        try:
            answer = self._invoke(name, {**event, "accepts": form()}, seconds)
            encoded = _answers.decode(answer).encoded
            return reply_from_json(json.loads(answer)) if encoded is None else read_encoded(encoded)
        except ReadTimeoutError:
            return failed(name, name, Outcome.TIMEOUT, "the provider's function did not answer in time")
        except (ClientError, BotoCoreError) as error:
            logger.error("a provider's function cannot be invoked", provider=name, error=error_code(error))
            if error_code(error) == "TooManyRequestsException":
                return no_room(name)
            return failed(name, name, Outcome.UNAVAILABLE, "the provider's function cannot be invoked")
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            logger.error("a provider's function returned an invalid reply", provider=name, error=error_code(error))
            return failed(name, name, Outcome.BAD_RESPONSE, "the provider's function gave no usable answer")

    def _invoker(self, seconds: int) -> Invoker:
        with self._lock:
            if seconds not in self._invokers:
                self._invokers[seconds] = Invoker.within(seconds, self._at_once)
            return self._invokers[seconds]

    def _invoke(self, provider: str, event: JsonObject, seconds: float) -> bytes:
        """The function's answer, JSON. Raises ClientError, BotoCoreError or ValueError."""
        payload = json.dumps(event, ensure_ascii=False).encode()
        return self._invoker(math.ceil(seconds)).invoke(self._functions[provider], payload)
