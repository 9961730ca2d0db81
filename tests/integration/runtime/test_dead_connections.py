"""Connections to Lambda that died while the caller was frozen: the next search does not fail for them."""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import boto3
import pytest
from botocore.exceptions import ConnectionClosedError, ConnectTimeoutError, EndpointConnectionError, ReadTimeoutError

from shared.aws.lambda_functions.dispatcher_call import DispatcherCall, dispatcher_invoker
from shared.aws.lambda_functions.invoker import IDLE_S, Invoker
from shared.aws.lambda_functions.provider_fan_out import ProviderFanOut
from shared.legs.leg import Leg
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply, reply_to_json
from shared.query.query import Query

PROVIDERS = ("arxiv", "crossref", "europe_pmc", "openalex", "paperclip", "pubmed", "semantic_scholar")


class Lambda:
    """A server that keeps connections open, and resets those that were open at a `freeze` at their next request."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.frozen = 0
        self.invocations = self.resets = 0
        self.answer = b"{}"
        self.together = threading.Barrier(1)  # for as many at once, so that each has a connection of its own
        threading.Thread(target=self._accept, daemon=True).start()

    def freeze(self) -> None:
        """Every connection that is open now is dead."""
        self.frozen += 1

    def close(self) -> None:
        """Wake the thread that waits for connections: it would accept those of a later socket with the same number."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection, self.frozen), daemon=True).start()

    def _serve(self, connection: socket.socket, opened: int) -> None:
        with connection, connection.makefile("rb") as requests:
            while line := requests.readline():
                headers = list(iter(requests.readline, b"\r\n"))
                (length,) = (int(it.split(b":")[1]) for it in headers if it.lower().startswith(b"content-length"))
                requests.read(length)
                assert line.startswith(b"POST")
                if opened < self.frozen:
                    self.resets += 1
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    return
                self.invocations += 1
                self.together.wait(timeout=10)
                head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(self.answer)}\r\n\r\n"
                connection.sendall(head.encode() + self.answer)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Lambda]:
    """The only Lambda of this test, which clients with the usual settings reach."""
    made = Lambda()
    for name, value in {
        "AWS_ENDPOINT_URL_LAMBDA": made.address, "AWS_DEFAULT_REGION": "eu-central-1",
        "AWS_ACCESS_KEY_ID": "none", "AWS_SECRET_ACCESS_KEY": "none",
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(boto3, "DEFAULT_SESSION", None)
    yield made
    made.close()


def all_at_once(fan_out: ProviderFanOut, server: Lambda) -> list[Outcome]:
    """The outcomes of a search's legs; each provider's function answers when all have been invoked."""
    reply = ProviderReply(provider="any", family="any", outcome=Outcome.EMPTY)
    server.answer, server.together = json.dumps(reply_to_json(reply)).encode(), threading.Barrier(len(PROVIDERS))
    ask, outcomes = fan_out.asker("request", scheduled=False), dict[str, Outcome]()

    def leg(name: str) -> None:
        outcomes[name] = ask(Leg(name, Query(text="TREM2")), 15.0).outcome

    threads = [threading.Thread(target=leg, args=(name,)) for name in PROVIDERS]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=20)
    return [outcomes[name] for name in PROVIDERS]


def test_every_leg_is_answered_after_all_connections_have_died(server: Lambda) -> None:
    fan_out = ProviderFanOut({name: name for name in PROVIDERS}, len(PROVIDERS))
    for number in range(1, 4):
        assert all_at_once(fan_out, server) == [Outcome.EMPTY] * 7
        assert server.invocations == 7 * number
        server.freeze()
    assert server.resets >= 2  # the first leg that finds its connection dead replaces the client of all


def test_the_dispatcher_is_called_again_after_its_connection_has_died(server: Lambda) -> None:
    server.answer = json.dumps({"statusCode": 200, "body": "{}"}).encode()
    call = DispatcherCall(dispatcher_invoker(), "dispatcher", "request-1", "key-1", None)
    for _ in range(2):
        assert call("GET", "/health", {}, {}) == (200, {})
        server.freeze()
    assert (server.invocations, server.resets) == (2, 1)


def test_a_client_that_was_idle_for_long_is_not_used_again(server: Lambda) -> None:
    """A connection that was dropped silently would cost a whole time-out."""
    now = [1_000.0]
    invoker = Invoker(lambda: boto3.client("lambda"), lambda: now[0])
    for idle_s in (0.0, IDLE_S, IDLE_S + 1):
        now[0] += idle_s
        invoker.invoke("any", b"{}")
        server.freeze()
    assert (server.invocations, server.resets) == (3, 1)  # the third invocation opened a connection of its own


@pytest.mark.parametrize(
    ("error", "invocations"),
    [
        (ReadTimeoutError(endpoint_url="https://lambda"), 1),
        (ConnectionClosedError(endpoint_url="https://lambda"), 2),
        (EndpointConnectionError(endpoint_url="https://lambda"), 2),
        (ConnectTimeoutError(endpoint_url="https://lambda"), 2),
    ],
)
def test_only_an_invocation_without_a_connection_is_repeated_and_only_once(error: Exception, invocations: int) -> None:
    invoked = []

    class Client:
        def invoke(self, **arguments: Any) -> Any:
            invoked.append(arguments)
            raise error

    client: Any = Client()
    with pytest.raises(type(error)):
        Invoker(lambda: client).invoke("any", b"{}")
    assert len(invoked) == invocations
