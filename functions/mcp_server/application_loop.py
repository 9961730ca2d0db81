"""An ASGI application in a Lambda: one event loop for the life of the process, and every event answered on it.

The application's lifespan holds the tasks that answer requests, so it is entered once, on the loop that they run on.
The loop has a thread of its own: whichever thread an event comes in by, it only waits.
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
    """Runs an application; the thread begins with the first event."""

    def __init__(self, application: Starlette) -> None:
        self._application = application
        self._starting = threading.Lock()

    def answer(self, event: dict[str, Any], context: Any) -> dict[str, Any]:
        """A REST API's event, answered."""
        with self._starting:
            loop = self._loop
        try:
            request = APIGateway(event, context, _CONFIG)
            cycle = HTTPCycle(request.scope, request.body)
        except ValueError:  # a body that is not the base64 it is said to be, a port that is no number
            return {"statusCode": 400, "multiValueHeaders": {}, "body": "", "isBase64Encoded": False}
        asyncio.run_coroutine_threadsafe(cycle.run(self._application), loop).result()
        told = request({"status": cycle.status, "headers": cycle.headers, "body": cycle.body})
        if told["isBase64Encoded"]:  # of an error without a media type; API Gateway would pass it on as it is
            told |= {"isBase64Encoded": False, "body": base64.b64decode(told["body"]).decode("utf-8", "replace")}
        single = {name: [value] for name, value in told.pop("headers").items()}
        return {**told, "multiValueHeaders": {**single, **told["multiValueHeaders"]}}

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
