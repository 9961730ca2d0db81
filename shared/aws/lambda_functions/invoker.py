"""Invokes Lambda functions over connections that may have died while this function was frozen.

AWS purges idle connections, and reusing one is a connection error or, when it was dropped silently, a wait without an
answer: https://docs.aws.amazon.com/lambda/latest/dg/best-practices.html. So a client that was not used for a while is
replaced, and an invocation is repeated once, over a new connection, when the connection failed before an answer began.
A read time-out is never repeated: the function may be at work.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import boto3
from botocore.exceptions import ConnectionClosedError, ConnectTimeoutError, EndpointConnectionError

from shared.aws.runtime.boto_configs import single_invocation
from shared.aws.runtime.observability import error_code, logger

if TYPE_CHECKING:
    from mypy_boto3_lambda import LambdaClient

IDLE_S = 30.0  # a client that was not used for so long gets no request: connections are closed after a minute or more
_NO_ANSWER_BEGAN = (ConnectionClosedError, EndpointConnectionError, ConnectTimeoutError)
_MAKING = threading.Lock()  # boto3 must not make clients in several threads at once


class FunctionFailed(ValueError):
    """The function raised an error, or Lambda ended it."""


def lambda_client(read_timeout_s: int, connections: int = 10) -> LambdaClient:
    """A client that never retries by itself: a retry after a time-out would send every upstream request again."""
    return boto3.client("lambda", config=single_invocation(read_timeout_s, connections))


class Invoker:
    """Invokes functions; `new_client` makes a client without open connections, `now` is in epoch seconds."""

    def __init__(self, new_client: Callable[[], LambdaClient], now: Callable[[], float] = time.time) -> None:
        # Not the monotonic clock, which may stop while the function is frozen.
        self._new_client, self._now = new_client, now
        self._client = self._made()
        self._used_at = now()

    @classmethod
    def within(cls, read_timeout_s: int, connections: int = 10) -> Invoker:
        """An invoker that waits so many seconds for an answer."""
        return cls(partial(lambda_client, read_timeout_s, connections))

    def invoke(self, function: str, payload: bytes) -> bytes:
        """The function's answer, JSON. Raises FunctionFailed, ClientError or BotoCoreError."""
        client = self._current()
        try:
            response = client.invoke(FunctionName=function, Payload=payload)
        except _NO_ANSWER_BEGAN as error:
            logger.info("an invocation is repeated", function=function, error=error_code(error))
            response = self._instead_of(client).invoke(FunctionName=function, Payload=payload)
        answer = response["Payload"].read()
        self._used_at = self._now()
        if "FunctionError" in response:
            raise FunctionFailed(f"the function {function} failed")
        return answer

    def _current(self) -> LambdaClient:
        now, client = self._now(), self._client
        idle_s, self._used_at = now - self._used_at, now
        return self._instead_of(client) if idle_s > IDLE_S else client

    def _instead_of(self, client: LambdaClient) -> LambdaClient:
        """A client other than this one: a new one, or the one that another thread has made in the meantime."""
        with _MAKING:
            if self._client is client:
                self._client = self._new_client()
            return self._client

    def _made(self) -> LambdaClient:
        with _MAKING:
            return self._new_client()
