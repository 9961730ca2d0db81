"""Powertools' resolver for a process that answers several events at the same time, as `make serve` and tests do.

Powertools stores the current event in a class variable, which threads would share. In Lambda a process answers one
event at a time, so the deployed function uses Powertools' own class; `infra.local.machine` replaces it by this one.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.event_handler import APIGatewayRestResolver
from aws_lambda_powertools.event_handler.api_gateway import ResponseBuilder, Route
from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEvent
from aws_lambda_powertools.utilities.typing import LambdaContext


class PerThreadResolver(APIGatewayRestResolver):
    """A resolver whose event, Lambda context and routing context belong to the thread."""

    _thread_state = threading.local()
    _build_lock = threading.Lock()

    def resolve(self, event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
        """Route one event to its handler."""
        self._thread_state.event = self._to_proxy_event(dict(event))
        self._thread_state.lambda_context = context
        self._thread_state.context = {}
        return dict(super().resolve(event, context))

    def _call_route(self, route: Route, route_arguments: dict[str, str]) -> ResponseBuilder[Any]:
        """Answer with this route, whose middleware stack only one thread may build.

        Powertools builds it in place at the route's first request: two threads at once would wrap it twice, and every
        later request of the route would end in a TypeError.
        """
        if not route._middleware_stack_built:
            with self._build_lock:
                if not route._middleware_stack_built:
                    route._build_middleware_stack(router_middlewares=self._router_middlewares, app=self)
        return super()._call_route(route, route_arguments)

    @property
    def current_event(self) -> APIGatewayProxyEvent:  # type: ignore[override]
        """Return the event of this thread."""
        event: APIGatewayProxyEvent = self._thread_state.event
        return event

    @property
    def lambda_context(self) -> LambdaContext:  # type: ignore[override]
        """Return the Lambda context of this thread."""
        context: LambdaContext = self._thread_state.lambda_context
        return context

    @property
    def context(self) -> dict[str, Any]:
        """Return Powertools' routing context of this thread."""
        if not hasattr(self._thread_state, "context"):
            self._thread_state.context = {}
        context: dict[str, Any] = self._thread_state.context
        return context

    @context.setter
    def context(self, value: dict[str, Any]) -> None:
        self._thread_state.context = value
