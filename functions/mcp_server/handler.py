"""`POST /mcp`: MCP over streamable HTTP. Tools invoke the dispatcher on behalf of the caller.

Stateless: each request gets one JSON response. There is no stream to open (GET) and no session to end (DELETE).
"""

from __future__ import annotations

import functions.mcp_server.sdk_imports  # noqa: F401  before those of the SDK
import shared.garbage_collection  # before the imports that make many objects

# isort: split
import base64
import logging
import os
from functools import cache
from typing import TYPE_CHECKING, Any

from aws_lambda_powertools.utilities.typing import LambdaContext
from mcp.server.transport_security import TransportSecuritySettings

from functions.mcp_server.application_loop import ApplicationLoop
from functions.mcp_server.messages import refusal, refused
from functions.mcp_server.server import Context, new_server
from shared.api.cors import add_cors_headers, read_origins
from shared.api.credentials import tenant_id
from shared.aws.runtime.observability import bind_request_ids, current_request_ids, logger
from shared.aws.runtime.settings import in_lambda, required
from shared.bibliography.characters import BYTE_ORDER_MARK
from shared.body_size import encoding_of

if TYPE_CHECKING:
    from shared.aws.lambda_functions.dispatcher_call import DispatcherCall
    from shared.aws.lambda_functions.invoker import Invoker

PATH = "/mcp"
MAX_BODY_BYTES = 1_000_000
_DISPATCHER = required("DISPATCHER_FUNCTION")
_TOOL_CALLS = logging.getLogger("literature_search.tools")
_TOOL_CALLS.setLevel(logger.log_level)
_TOOL_CALLS.handlers = list(logger.handlers)
# Lambda's root handler would write each line a second time, without its fields.
_TOOL_CALLS.propagate = not in_lambda()


@cache
def _invoker() -> Invoker:
    """Made for the first tool call: a quarter of a cold start's imports, which no message before it needs."""
    from shared.aws.lambda_functions.dispatcher_call import dispatcher_invoker

    return dispatcher_invoker()


def _dispatcher(context: Context) -> DispatcherCall:
    """The Api of one request, for its tenant and with its correlation id."""
    from shared.aws.lambda_functions.dispatcher_call import DispatcherCall

    request: dict[str, Any] = context.request.scope["aws.event"]["requestContext"]  # type: ignore[union-attr]
    correlation_id = current_request_ids().get("correlation_id")
    return DispatcherCall(
        _invoker(), _DISPATCHER, str(request.get("requestId") or ""), tenant_id(request), correlation_id
    )


# API Gateway checks the host and requires a key, which prevents DNS rebinding; the SDK's own check would allow
# loopback only.
_LOOP = ApplicationLoop(
    new_server(_dispatcher, required("SEARCHED_PROVIDERS").split(",")).streamable_http_app(
        streamable_http_path=PATH,
        stateless_http=True,
        json_response=True,
        max_request_body_size=MAX_BODY_BYTES,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
)


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answer a REST event whose body is a JSON-RPC message."""
    headers = {name.lower(): value for name, value in (event.get("headers") or {}).items()}
    bind_request_ids(event["requestContext"].get("requestId"), headers.get("x-correlation-id"))
    if event["httpMethod"] != "POST":
        answer = _only_post()
    elif not headers.get("content-type", "").lower().startswith("application/json"):
        answer = _refused(415, refused("the body must be JSON: send Content-Type: application/json"))
    elif encoding := encoding_of(headers.get("content-encoding")):
        answer = _refused(415, refused(f"a body in {encoding} is not read, send it without Content-Encoding"))
    else:
        answer = _answer(event, context)
    add_cors_headers(answer["multiValueHeaders"], headers, read_origins(os.environ.get("CORS_ORIGINS")))
    return answer


def _answer(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """The SDK's answer, or the refusal of what is not a message.

    Bytes that are not text, or too many, are left to the SDK.
    """
    body = event.get("body") or ""
    try:
        text = base64.b64decode(body, validate=True).decode() if event.get("isBase64Encoded") else body
    except ValueError:
        return _LOOP.answer(event, context)
    if len(text) > MAX_BODY_BYTES:
        return _LOOP.answer(event, context)
    if not_taken := refusal(text):
        return _refused(*not_taken)
    return _LOOP.answer({**event, "body": text.removeprefix(BYTE_ORDER_MARK), "isBase64Encoded": False}, context)


def _refused(status: int, body: str) -> dict[str, Any]:
    kind = {"content-type": ["application/json"]}
    return {"statusCode": status, "multiValueHeaders": kind, "body": body, "isBase64Encoded": False}


def _only_post() -> dict[str, Any]:
    answer = _refused(405, refused("messages are sent by POST, and there is no stream to open or session to end"))
    answer["multiValueHeaders"]["Allow"] = ["POST"]
    return answer


shared.garbage_collection.begin()
