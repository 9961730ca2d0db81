"""DynamoDB for a Lambda that reads and writes single items, without the models of all its operations.

botocore's client costs a cold provider more than everything else together, and its budget needs two operations. So
these are sent by hand, over botocore's own signature and connections, and fail with botocore's own errors.
https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.LowLevelAPI.html
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.exceptions import ClientError, HTTPClientError
from botocore.httpsession import URLLib3Session
from botocore.utils import get_environ_proxies
from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_random

from shared.aws.runtime.settings import required

API = "DynamoDB_20120810"
TIMEOUT_S = 1  # to connect, and between two parts of an answer
ATTEMPTS = 2
MOST_PAUSE_S = 1.0
BUSY = {"ProvisionedThroughputExceededException", "RequestLimitExceeded", "ThrottlingException"}


class SignedDynamoDB:
    """`get_item` and `put_item`, asked and answered as by botocore's client; raises ClientError and HTTPClientError.

    The place and the credentials are those that Lambda tells its functions in the environment.
    """

    def __init__(self) -> None:
        self._region = required("AWS_DEFAULT_REGION")
        self._url = _endpoint(self._region)
        trusted: Any = os.environ.get("AWS_CA_BUNDLE") or True
        options: Any = [(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)]  # the stubs say list[str]
        self._session = URLLib3Session(
            verify=trusted,
            proxies=get_environ_proxies(self._url),
            timeout=TIMEOUT_S,
            # As botocore's clients set it; without it Nagle's algorithm delays the body of a request after its headers.
            socket_options=options,
        )

    def get_item(self, **options: Any) -> dict[str, Any]:
        """`{"Item": …}`, or nothing in it."""
        return self._call("GetItem", options)

    def put_item(self, **options: Any) -> dict[str, Any]:
        """A condition that does not hold is a ClientError; its `response` holds the item when that was asked for."""
        return self._call("PutItem", options)

    def _call(self, operation: str, options: Mapping[str, Any]) -> dict[str, Any]:
        tries = Retrying(
            stop=stop_after_attempt(ATTEMPTS),
            wait=wait_random(0, MOST_PAUSE_S),
            retry=retry_if_exception(_may_pass),
            reraise=True,
        )
        return tries(self._once, operation, json.dumps(options).encode())

    def _once(self, operation: str, body: bytes) -> dict[str, Any]:
        headers = {"X-Amz-Target": f"{API}.{operation}", "Content-Type": "application/x-amz-json-1.0"}
        request = AWSRequest(method="POST", url=self._url, headers=headers, data=body)
        SigV4Auth(_credentials(), "dynamodb", self._region).add_auth(request)
        answer = self._session.send(request.prepare())
        told = _json_object(answer.content)
        if answer.status_code != 200 or told is None:
            raise _error(answer.status_code, told or {}, operation)
        return told


def _endpoint(region: str) -> str:
    told = os.environ.get("AWS_ENDPOINT_URL_DYNAMODB") or os.environ.get("AWS_ENDPOINT_URL")
    return told or f"https://dynamodb.{region}.amazonaws.com" + (".cn" if region.startswith("cn-") else "")


def _credentials() -> Any:
    # As botocore's own class, whose module looks for them in a dozen places.
    return SimpleNamespace(
        access_key=required("AWS_ACCESS_KEY_ID"),
        secret_key=required("AWS_SECRET_ACCESS_KEY"),
        token=os.environ.get("AWS_SESSION_TOKEN"),
    )


def _json_object(content: bytes) -> dict[str, Any] | None:
    """What was answered; None when that is no JSON object, as from a proxy: an absent item is `{}`."""
    try:
        told = json.loads(content)
    except ValueError:
        return None
    return told if isinstance(told, dict) else None


def _error(status: int, told: Mapping[str, Any], operation: str) -> ClientError:
    code = str(told.get("__type", status)).rpartition("#")[2]
    message = str(told.get("message") or told.get("Message") or "")
    response: Any = {
        **told,
        "Error": {"Code": code, "Message": message},
        "ResponseMetadata": {"HTTPStatusCode": status},
    }
    return ClientError(response, operation)


def _may_pass(error: BaseException) -> bool:
    """What botocore tries again: lines that break, servers that fail, and too much at once."""
    if isinstance(error, ClientError):
        told = error.response
        return told["ResponseMetadata"]["HTTPStatusCode"] >= 500 or told["Error"]["Code"] in BUSY
    return isinstance(error, HTTPClientError)
