"""Asks every leg's provider Lambda at once, and answers in time whatever they do."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Any

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from shared.aws.observability import logger
from shared.errors import Outcome
from shared.provider import LEG_TIMEOUT_S, ProviderReply, failed, reply_from_json
from shared.query import query_to_json
from shared.search import Leg

if TYPE_CHECKING:
    from mypy_boto3_lambda import LambdaClient

MAX_LEGS = 35  # seven providers, five wordings
# What the way there and back takes of a leg's time.
INVOKE_RESERVE_S = 0.1


def lambda_client() -> LambdaClient:
    """A client that never repeats an invocation: a second one would be a second upstream request."""
    config = Config(
        max_pool_connections=MAX_LEGS,
        connect_timeout=1,
        read_timeout=LEG_TIMEOUT_S + 1,
        retries={"total_max_attempts": 1, "mode": "standard"},
    )
    return boto3.client("lambda", config=config)


class ProviderFanOut:
    """The provider Lambdas, by name. `functions` maps a provider to its function's name."""

    def __init__(self, client: LambdaClient, functions: Mapping[str, str]) -> None:
        self._client = client
        self._functions = functions
        self._pool = ThreadPoolExecutor(max_workers=MAX_LEGS, thread_name_prefix="leg")

    def asker(self, request_id: str) -> Callable[[Sequence[Leg], float], list[ProviderReply]]:
        """`ask_providers` of shared.search, for one request."""

        def ask(legs: Sequence[Leg], seconds: float) -> list[ProviderReply]:
            started = time.monotonic()
            event = {"operation": "search", "timeout_ms": round(max(seconds - INVOKE_RESERVE_S, 0.05) * 1000)}
            asked = [
                self._pool.submit(
                    self._ask, leg.provider, {**event, "query": query_to_json(leg.query), "request_id": request_id}
                )
                for leg in legs
            ]
            wait(asked, timeout=seconds)
            elapsed_ms = round((time.monotonic() - started) * 1000)
            return [_reply(leg, future, elapsed_ms) for leg, future in zip(legs, asked, strict=True)]

        return ask

    def describe(self) -> dict[str, dict[str, Any]]:
        """Every provider's declaration, as its own Lambda tells it; `{"error": …}` where it does not."""
        asked = {name: self._pool.submit(self._invoke, name, {"operation": "describe"}) for name in self._functions}
        wait(asked.values(), timeout=LEG_TIMEOUT_S)
        return {name: _description(future) for name, future in asked.items()}

    def _ask(self, provider: str, event: Mapping[str, Any]) -> ProviderReply:
        started = time.monotonic()
        reply = reply_from_json(self._invoke(provider, event))
        logger.debug("leg invoked", provider=provider, seconds=time.monotonic() - started)
        return reply

    def _invoke(self, provider: str, event: Mapping[str, Any]) -> dict[str, Any]:
        """The function's answer. Raises ClientError, BotoCoreError or ValueError."""
        answer = self._client.invoke(
            FunctionName=self._functions[provider], Payload=json.dumps(event, ensure_ascii=False).encode()
        )
        payload = answer["Payload"].read()
        if "FunctionError" in answer:
            raise ValueError("the provider's function failed")
        return dict(json.loads(payload))


def _reply(leg: Leg, future: Future[ProviderReply], elapsed_ms: int) -> ProviderReply:
    """The leg's reply, or what became of it; a late one is given up, not waited for."""
    name = leg.provider
    if not future.done():
        future.cancel()
        return failed(name, name, Outcome.TIMEOUT, "no answer within the request's time", elapsed_ms=elapsed_ms)
    try:
        return future.result()
    except (ClientError, BotoCoreError) as error:
        logger.error("a provider's function cannot be invoked", provider=name, error=type(error).__name__)
        return failed(name, name, Outcome.UNAVAILABLE, "the provider's function cannot be invoked")
    except (ValueError, KeyError, TypeError) as error:
        logger.error("a provider's function answered badly", provider=name, error=type(error).__name__)
        return failed(name, name, Outcome.BAD_RESPONSE, "the provider's function gave no usable answer")


def _description(future: Future[dict[str, Any]]) -> dict[str, Any]:
    if not future.done() or future.exception() is not None:
        return {"error": "the provider's function did not answer"}
    return future.result()
