"""The dispatcher called directly: in whose name it is called, and the error when it gives no answer."""

from __future__ import annotations

import io
import json
from typing import Any, cast

import pytest
from botocore.exceptions import ClientError, EndpointConnectionError, ReadTimeoutError

from shared.aws.lambda_functions.dispatcher_call import READ_TIMEOUT_S, DispatcherCall
from shared.aws.lambda_functions.invoker import Invoker, lambda_client
from shared.client.errors import ToolError

GOOD = {"statusCode": 200, "body": '{"complete": true}'}


class Client:
    """A Lambda client with one thing to say."""

    def __init__(self, answer: Any, **more: Any) -> None:
        self._answer, self._more = answer, more
        self.event: dict[str, Any] = {}

    def invoke(self, *, FunctionName: str, Payload: bytes) -> dict[str, Any]:  # noqa: N803
        assert FunctionName == "dispatcher"
        self.event = json.loads(Payload)
        if isinstance(self._answer, Exception):
            raise self._answer
        return {"Payload": io.BytesIO(json.dumps(self._answer).encode()), **self._more}


def post(client: Client, correlation_id: str | None = None) -> tuple[int, dict[str, Any]]:
    call = DispatcherCall(Invoker(lambda: cast(Any, client)), "dispatcher", "request-1", "key-1", correlation_id)
    return call("POST", "/v1/papers", {"ids": ["é"]}, {"Idempotency-Key": "k"})


def test_the_dispatcher_is_called_in_the_callers_name() -> None:
    client = Client(GOOD)
    assert post(client) == (200, {"complete": True})
    assert client.event["requestContext"]["identity"] == {"apiKeyId": "key-1"}
    assert client.event["requestContext"]["requestId"] == "request-1"
    assert client.event["headers"]["Idempotency-Key"] == "k"
    assert (client.event["httpMethod"], client.event["path"]) == ("POST", "/v1/papers")
    assert json.loads(client.event["body"]) == {"ids": ["é"]}


@pytest.mark.parametrize(("followed_by", "header"), [("trace-1", {"X-Correlation-Id": "trace-1"}), (None, {})])
def test_the_dispatcher_receives_the_correlation_id_of_the_call(
    followed_by: str | None, header: dict[str, str]
) -> None:
    client = Client(GOOD)
    post(client, followed_by)
    assert client.event["headers"] == {"Content-Type": "application/json", "Idempotency-Key": "k", **header}


def test_a_problem_comes_back_with_its_status() -> None:
    assert post(Client({"statusCode": 404, "body": '{"code": "not_found"}'})) == (404, {"code": "not_found"})


@pytest.mark.parametrize(
    ("client", "status"),
    [
        (Client({"errorMessage": "inner words"}, FunctionError="Unhandled"), 502),
        (Client(ReadTimeoutError(endpoint_url="inner words")), 504),
        (Client(EndpointConnectionError(endpoint_url="inner words")), 502),
        (Client(ClientError({"Error": {"Code": "TooManyRequestsException", "Message": "inner words"}}, "Invoke")), 502),
        (Client(None), 502),
        (Client("text"), 502),
        (Client({"statusCode": 200, "body": "no JSON"}), 502),
        (Client({"statusCode": 200, "body": "7"}), 502),
    ],
)
def test_no_answer_is_a_problem_that_may_be_retried(client: Client, status: int) -> None:
    with pytest.raises(ToolError) as caught:
        post(client)
    assert (caught.value.problem["status"], caught.value.retryable) == (status, True)
    assert "inner words" not in json.dumps(caught.value.problem)


def test_a_client_never_repeats_a_call_and_ends_before_api_gateway_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    config: Any = lambda_client(READ_TIMEOUT_S).meta.config
    assert config.retries["total_max_attempts"] == 1
    assert config.read_timeout < 29
