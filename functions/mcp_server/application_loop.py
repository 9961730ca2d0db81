"""An ASGI application in a Lambda, on one event loop for the lifetime of the process.

The application's lifespan owns the tasks that answer requests, so it is entered once, on the loop that runs them. The
loop has its own thread; the thread that received the event waits for the result.
"""

from __future__ import annotations

import asyncio
import base64
import threading
from functools import cached_property
from typing import Any

from mangum.handlers import APIGateway
from mangum.protocols import HTTPCycle
from mangum.types import LambdaConfig
from starlette.applications import Starlette

_CONFIG: LambdaConfig = {
    "api_gateway_base_path": "/",
    "text_mime_types": ["text/", "application/json"],
    "exclude_headers": [],
}
START_TIMEOUT_S = 5


class ApplicationLoop:
    """Runs an application; the thread starts with the first event."""

    def __init__(self, application: Starlette) -> None:
        self._application = application
        self._starting = threading.Lock()

    def answer(self, event: dict[str, Any], context: Any) -> dict[str, Any]:
        """The response to a REST API event."""
        with self._starting:
            loop = self._loop
        try:
            request = APIGateway(event, context, _CONFIG)
            cycle = HTTPCycle(request.scope, request.body)
        except ValueError:  # a body that is not valid base64, a port that is not a number
            return {"statusCode": 400, "multiValueHeaders": {}, "body": "", "isBase64Encoded": False}
        asyncio.run_coroutine_threadsafe(cycle.run(self._application), loop).result()
        response = request({"status": cycle.status, "headers": cycle.headers, "body": cycle.body})
        if response["isBase64Encoded"]:  # an error without a media type; API Gateway would not decode it
            text = base64.b64decode(response["body"]).decode("utf-8", "replace")
            response |= {"isBase64Encoded": False, "body": text}
        single = {name: [value] for name, value in response.pop("headers").items()}
        return {**response, "multiValueHeaders": {**single, **response["multiValueHeaders"]}}

    @cached_property
    def _loop(self) -> asyncio.AbstractEventLoop:
        loop = asyncio.new_event_loop()
        started = threading.Event()

        async def live() -> None:
            async with self._application.router.lifespan_context(self._application):
                started.set()
                await asyncio.Event().wait()

        threading.Thread(target=loop.run_until_complete, args=(live(),), name="mcp", daemon=True).start()
        if not started.wait(START_TIMEOUT_S):
            raise RuntimeError("the application did not start")
        return loop
