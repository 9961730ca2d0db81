"""`POST /mcp`: MCP over streamable HTTP -> the tools -> the dispatcher, asked in the caller's name.

Stateless: each request is answered whole, as JSON. There is no stream to wait on (GET) and no session to end (DELETE).
"""

from __future__ import annotations

import logging
import os
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext
from mcp.server.transport_security import TransportSecuritySettings

from functions.mcp_server.application_loop import ApplicationLoop
from functions.mcp_server.server import Context, new_server
from shared.aws.lambda_functions.dispatcher_call import DispatcherCall, lambda_client
from shared.aws.runtime.observability import bind_request_ids, current_request_ids, logger
from shared.aws.runtime.settings import required

PATH = "/mcp"
MAX_BODY_BYTES = 1_000_000
_CLIENT = lambda_client()
_DISPATCHER = required("DISPATCHER_FUNCTION")
_TOOL_CALLS = logging.getLogger("literature_search.tools")
_TOOL_CALLS.setLevel(logger.log_level)
_TOOL_CALLS.handlers = list(logger.handlers)
# Lambda's own handler, at the root, would write each line a second time and without its fields.
_TOOL_CALLS.propagate = "AWS_LAMBDA_FUNCTION_NAME" not in os.environ


def _dispatcher(context: Context) -> DispatcherCall:
    """The way to the API for one request: what API Gateway knows of the caller, and the caller's id, go with it."""
    asked: dict[str, Any] = context.request.scope["aws.event"]["requestContext"]  # type: ignore[union-attr]
    key_id = asked.get("identity", {}).get("apiKeyId")
    correlation_id = current_request_ids().get("correlation_id")
    return DispatcherCall(_CLIENT, _DISPATCHER, str(asked.get("requestId") or ""), key_id, correlation_id)


# API Gateway knows the host and asks for a key, which keeps foreign pages out; the SDK's own check would allow
# nothing but loopback.
_LOOP = ApplicationLoop(
    new_server(_dispatcher).streamable_http_app(
        streamable_http_path=PATH,
        stateless_http=True,
        json_response=True,
        max_request_body_size=MAX_BODY_BYTES,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
)


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """A REST event with a JSON-RPC message in its body; the answer to it in the body of a REST answer."""
    headers = {name.lower(): value for name, value in (event.get("headers") or {}).items()}
    bind_request_ids(event["requestContext"].get("requestId"), headers.get("x-correlation-id"))
    if event["httpMethod"] != "POST":
        return {"statusCode": 405, "multiValueHeaders": {"Allow": ["POST"]}, "body": "", "isBase64Encoded": False}
    return _LOOP.answer(event, context)
