"""Real `lambda.invoke` calls that reach the local handlers: botocore's own hook before a request is sent.

The request is signed, serialised and parsed by botocore as in the cloud; only the network in between is missing. A
function that raises answers 200 with `X-Amz-Function-Error`, an unknown function 404, as the service does.
"""

from __future__ import annotations

import io
import json
import re
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import boto3
from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from botocore.compat import HTTPHeaders

from infra.functions import timeout_s
from infra.local.resources import PREFIX

Handler = Callable[[dict[str, Any], Any], Any]
_FUNCTION = re.compile(r"/functions/([^/]+)/invocations")


@dataclass(frozen=True, slots=True)
class InvocationContext:
    """What Lambda tells a handler of its invocation."""

    function_name: str
    memory_limit_in_mb: int = 256
    aws_request_id: str = field(default_factory=lambda: str(uuid.uuid4()))
    began: float = field(default_factory=time.monotonic)

    @property
    def invoked_function_arn(self) -> str:
        """The function's ARN in an account of zeros."""
        return f"arn:aws:lambda:us-east-1:000000000000:function:{self.function_name}"

    def get_remaining_time_in_millis(self) -> int:
        """Of what the function may take in the cloud; nobody ends it here, it keeps its own deadlines."""
        whole_s = timeout_s(self.function_name.removeprefix(f"{PREFIX}-"))
        return max(int((self.began + whole_s - time.monotonic()) * 1000), 0)


class _Body(io.BytesIO):
    """A response body as urllib3 gives it."""

    def stream(self, *args: Any, **kwargs: Any) -> Iterator[bytes]:  # noqa: ARG002  urllib3's signature
        """The whole, in one piece."""
        yield self.read()


def invoke_locally(session: boto3.Session, functions: Mapping[str, Handler]) -> None:
    """From now on, Lambda clients of this session invoke these handlers: those that the mapping has at the moment.

    Call it once for a session: botocore calls every hook that was registered, and its clients keep theirs.
    """

    def send(request: AWSPreparedRequest, **kwargs: Any) -> AWSResponse:  # noqa: ARG001  botocore's signature
        match = _FUNCTION.search(request.url)
        name = match.group(1) if match else ""
        if name not in functions:
            body = {"Type": "User", "Message": f"Function not found: {name}"}
            return _response(request.url, 404, body, {"x-amzn-errortype": "ResourceNotFoundException"})
        event = json.loads(bytes(request.body or b"{}"))  # type: ignore[arg-type]  # invoke sends bytes
        try:
            return _response(request.url, 200, functions[name](event, InvocationContext(name)), {})
        except Exception as error:  # Lambda reports whatever a function raises
            body = {"errorType": type(error).__name__, "errorMessage": str(error)}
            return _response(request.url, 200, body, {"X-Amz-Function-Error": "Unhandled"})

    # The stub says that hooks return nothing; this event's may return the response.
    session.events.register_first("before-send.lambda.Invoke", send)  # type: ignore[arg-type]


def _response(url: str, status: int, body: Any, headers: dict[str, str]) -> AWSResponse:
    data = json.dumps(body, ensure_ascii=False).encode()
    return new_response(url, status, data, {"content-type": "application/json", **headers})


def new_response(url: str, status: int, body: bytes, headers: Mapping[str, str]) -> AWSResponse:
    """A response in the form in which botocore's HTTP session returns one."""
    received = HTTPHeaders()
    for name, value in headers.items():
        received[name] = value
    return AWSResponse(url, status, received, _Body(body))
