"""Single items by signed requests: read and written as by botocore's client, and failing as it does."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.exceptions import ClientError, EndpointConnectionError, ReadTimeoutError
from botocore.session import get_session
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from infra.local.machine import CREDENTIALS
from infra.local.resources import PREFIX
from infra.tables import PROVIDER_BUDGETS
from shared.aws.dynamodb import signed_dynamodb
from shared.aws.dynamodb.rate_limit_store import DynamoStore, item_client
from shared.aws.dynamodb.signed_dynamodb import SignedDynamoDB
from shared.rate_limits.budget import Budget
from shared.rate_limits.state import ProviderState, VersionedState

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

TABLE = f"{PREFIX}-{PROVIDER_BUDGETS.name}"
ROOT = Path(__file__).parents[2]
ANYONE: dict[str, Any] = {"aws_access_key_id": "none", "aws_secret_access_key": "none"}
KEY = {"pk": {"S": "provider#é"}, "sk": {"S": "state"}}
ITEM = {**KEY, "version": {"N": "1"}}
STATE = ProviderState(Budget(permits=(7.0,)))
UNAVAILABLE = Response(json.dumps({"__type": "InternalServerError", "message": "later"}), status=500)
THROTTLED = Response(json.dumps({"__type": "com.amazonaws#ThrottlingException"}), status=400)
REFUSED = Response(json.dumps({"__type": "com.amazonaws#AccessDeniedException", "Message": "no"}), status=400)
NO_JSON = Response("<html>welcome</html>", status=200)
FOUND = Response(json.dumps({"Item": ITEM}), status=200)


@pytest.fixture(autouse=True)
def _in_lambda(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {**CREDENTIALS, "AWS_SESSION_TOKEN": "token", "AWS_LAMBDA_FUNCTION_NAME": "pubmed"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(signed_dynamodb, "MOST_PAUSE_S", 0.0)


@pytest.fixture(name="table", scope="module")
def _table() -> Iterator[tuple[DynamoDBClient, str]]:
    """botocore's client of a DynamoDB with the tables, and its address."""
    command = [sys.executable, "-m", "tests.processes.dynamodb_server"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        url = f"http://127.0.0.1:{server.stdout.readline().strip()}"
        client: Any = get_session().create_client("dynamodb", endpoint_url=url, **ANYONE, region_name="us-east-1")
        yield client, url
        client.close()
        server.stdin.close()  # which ends it


@pytest.fixture(name="signed")
def _signed(table: tuple[DynamoDBClient, str], monkeypatch: pytest.MonkeyPatch) -> SignedDynamoDB:
    monkeypatch.setenv("AWS_ENDPOINT_URL_DYNAMODB", table[1])
    client = item_client()
    assert isinstance(client, SignedDynamoDB)
    return client


def served(httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch, *answers: Response) -> SignedDynamoDB:
    """A client of a server that gives these answers, one after the other, and then no more."""
    for answer in answers:
        httpserver.expect_ordered_request("/", "POST").respond_with_response(answer)
    monkeypatch.setenv("AWS_ENDPOINT_URL", httpserver.url_for("/"))
    return SignedDynamoDB()


def test_an_item_is_written_and_read_as_by_botocore(signed: SignedDynamoDB, table: tuple[DynamoDBClient, str]) -> None:
    assert "Item" not in signed.get_item(TableName=TABLE, Key=KEY)
    signed.put_item(TableName=TABLE, Item=ITEM)
    asked: dict[str, Any] = {"TableName": TABLE, "Key": KEY, "ConsistentRead": True}
    assert signed.get_item(**asked)["Item"] == table[0].get_item(**asked)["Item"] == ITEM


def test_a_store_over_it_reads_swaps_and_is_told_what_is_newer(
    signed: SignedDynamoDB, table: tuple[DynamoDBClient, str]
) -> None:
    one, other = (DynamoStore(it, TABLE, "pubmed", now=lambda: 0.0) for it in (signed, table[0]))
    assert one.read() == VersionedState()
    assert other.swap(other.read(), STATE) is None
    assert one.swap(VersionedState(), ProviderState()) == VersionedState(STATE, 1)
    assert one.swap(VersionedState(STATE, 1), ProviderState()) is None
    assert other.read() == VersionedState(ProviderState(), 2)


def test_a_table_that_is_not_there_is_told_by_botocores_error(
    signed: SignedDynamoDB, table: tuple[DynamoDBClient, str]
) -> None:
    codes = []
    for client in (signed, table[0]):
        with pytest.raises(ClientError) as refused:
            client.get_item(TableName="gone", Key=KEY)
        codes.append((refused.value.response["Error"]["Code"], refused.value.operation_name))
    assert codes[0] == codes[1]


def test_connections_have_the_socket_options_of_botocores(table: tuple[DynamoDBClient, str]) -> None:
    botocores: Any = table[0]
    options = botocores._endpoint.http_session._socket_options
    assert (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1) in options
    session: Any = SignedDynamoDB()._session
    assert session._socket_options == options


def test_a_request_is_signed_with_the_credentials_of_the_function(
    httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    served(httpserver, monkeypatch, FOUND).get_item(TableName="t", Key=KEY)
    request: Request = httpserver.log[0][0]
    assert request.headers["X-Amz-Target"] == "DynamoDB_20120810.GetItem"
    assert request.headers["X-Amz-Security-Token"] == "token"
    again = AWSRequest("POST", httpserver.url_for("/"), {
        name: request.headers[name] for name in ("X-Amz-Target", "Content-Type", "X-Amz-Security-Token")
    }, request.get_data())  # fmt: skip
    again.context["timestamp"] = request.headers["X-Amz-Date"]
    keys: Any = SimpleNamespace(
        access_key=CREDENTIALS["AWS_ACCESS_KEY_ID"], secret_key=CREDENTIALS["AWS_SECRET_ACCESS_KEY"], token="token"
    )
    signer = SigV4Auth(keys, "dynamodb", CREDENTIALS["AWS_DEFAULT_REGION"])
    again.headers["X-Amz-Date"] = request.headers["X-Amz-Date"]
    text = signer.string_to_sign(again, signer.canonical_request(again))
    assert request.headers["Authorization"].endswith(f"Signature={signer.signature(text, again)}")


@pytest.mark.parametrize("passing", [UNAVAILABLE, THROTTLED], ids=["failing", "busy"])
def test_what_passes_is_asked_once_more(
    httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch, passing: Response
) -> None:
    assert served(httpserver, monkeypatch, passing, FOUND).get_item(TableName="t", Key=KEY) == {"Item": ITEM}


@pytest.mark.parametrize(
    ("answers", "code"),
    [
        ([UNAVAILABLE, UNAVAILABLE], "InternalServerError"),
        ([THROTTLED, THROTTLED], "ThrottlingException"),
        ([REFUSED], "AccessDeniedException"),
        ([NO_JSON], "200"),
    ],
    ids=["failing", "busy", "refused", "no JSON"],
)
def test_what_does_not_pass_is_told_and_is_no_absent_item(
    httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch, answers: list[Response], code: str
) -> None:
    client = served(httpserver, monkeypatch, *answers)
    with pytest.raises(ClientError) as refused:
        client.get_item(TableName="t", Key=KEY)
    assert refused.value.response["Error"]["Code"] == code
    assert len(httpserver.log) == len(answers)


def test_an_unreachable_table_is_told_by_botocores_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    with pytest.raises(EndpointConnectionError):
        SignedDynamoDB().get_item(TableName="t", Key=KEY)


def test_a_server_that_says_nothing_is_left_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signed_dynamodb, "TIMEOUT_S", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{listener.getsockname()[1]}")
        with pytest.raises(ReadTimeoutError):
            SignedDynamoDB().get_item(TableName="t", Key=KEY)


@pytest.mark.parametrize(
    ("region", "url"),
    [
        ("eu-west-1", "https://dynamodb.eu-west-1.amazonaws.com"),
        ("us-gov-west-1", "https://dynamodb.us-gov-west-1.amazonaws.com"),
        ("cn-north-1", "https://dynamodb.cn-north-1.amazonaws.com.cn"),
    ],
)
def test_the_address_is_botocores(region: str, url: str) -> None:
    client: Any = get_session().create_client("dynamodb", **ANYONE, region_name=region)
    assert signed_dynamodb._endpoint(region) == client.meta.endpoint_url == url
