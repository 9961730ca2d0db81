"""First requests of one route that arrive at the same time: `make serve` answers each, in a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.api_gateway import Route
from aws_lambda_powertools.event_handler.middlewares import NextMiddleware
from aws_lambda_powertools.utilities.typing import LambdaContext

from infra.local.threaded_resolver import PerThreadResolver

EVENT: dict[str, Any] = {
    "httpMethod": "GET",
    "path": "/hello",
    "headers": {},
    "queryStringParameters": None,
    "requestContext": {"requestId": "r"},
    "body": None,
}


def _resolver() -> PerThreadResolver:
    app = PerThreadResolver()

    def call_next(current: PerThreadResolver, next_middleware: NextMiddleware) -> Response[Any]:
        return next_middleware(current)

    @app.get("/hello")
    def hello() -> str:
        return "hello"

    app.use([call_next])
    return app


def test_first_requests_at_the_same_time_build_the_routes_middleware_once(monkeypatch: pytest.MonkeyPatch) -> None:
    build: Callable[..., None] = Route._build_middleware_stack
    builds: list[str] = []
    second = threading.Event()

    def build_while_another_request_arrives(route: Route, **arguments: Any) -> None:
        builds.append(route.path)
        if len(builds) > 1:
            second.set()
        second.wait(timeout=0.3)  # the other request reaches this line too, unless it waits for the first to end
        build(route, **arguments)

    monkeypatch.setattr(Route, "_build_middleware_stack", build_while_another_request_arrives)
    app = _resolver()
    with ThreadPoolExecutor(2) as threads:
        answers = list(threads.map(lambda _: app.resolve(EVENT, LambdaContext()), range(2)))

    assert [(answer["statusCode"], answer["body"]) for answer in answers] == [(200, "hello")] * 2
    assert app.resolve(EVENT, LambdaContext())["statusCode"] == 200
    assert builds == ["/hello"]
