"""Connections to AWS send small requests at once: with Nagle's algorithm each waits for an acknowledgement."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any

import boto3
import pytest
from werkzeug import Request, Response

from shared.aws.dynamodb.rate_limit_store import dynamodb_client
from shared.aws.lambda_functions.invoker import lambda_client
from tests.http_server import serving

CLIENTS: dict[str, Callable[[], Any]] = {"dynamodb": dynamodb_client, "lambda": lambda: lambda_client(15)}
CALLS: dict[str, Callable[[Any], object]] = {
    "dynamodb": lambda client: client.get_item(TableName="t", Key={"pk": {"S": "k"}}),
    "lambda": lambda client: client.invoke(FunctionName="f")["Payload"].read(),
}


@Request.application
def answer(request: Request) -> Response:
    request.get_data()
    return Response("{}", content_type="application/x-amz-json-1.0")


@pytest.mark.parametrize("service", CLIENTS)
def test_the_connections_of_a_client_have_no_delay(service: str, monkeypatch: pytest.MonkeyPatch) -> None:
    undelayed: list[int] = []
    new_connection = socket.socket.connect

    def connect(self: socket.socket, address: Any) -> None:
        new_connection(self, address)
        undelayed.append(self.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))

    monkeypatch.setattr(boto3, "DEFAULT_SESSION", None)
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "none")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    with serving(answer) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        client = CLIENTS[service]()
        monkeypatch.setattr(socket.socket, "connect", connect)
        CALLS[service](client)
        assert undelayed
        assert all(undelayed)
        client.close()
