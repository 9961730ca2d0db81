"""Powertools' resolver, for a process that may answer several events at the same time.

Powertools keeps the current event in a class variable: two threads would read each other's. Lambda gives an event the
process to itself; `make serve` does not.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.event_handler import APIGatewayRestResolver
from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEvent
from aws_lambda_powertools.utilities.typing import LambdaContext


class PerThreadResolver(APIGatewayRestResolver):
    """Each thread has its own event, Lambda context and routing context."""

    _own = threading.local()

    def resolve(self, event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
        """Answer one event."""
        self._own.event = self._to_proxy_event(dict(event))
        self._own.lambda_context = context
        self._own.context = {}
        return dict(super().resolve(event, context))

    def methods_of(self, path: str) -> list[str]:
        """The methods that a path is offered with; none when there is no such path."""
        return sorted({it.method for it in (*self._static_routes, *self._dynamic_routes) if it.rule.match(path)})

    @property
    def current_event(self) -> APIGatewayProxyEvent:  # type: ignore[override]
        """The event that this thread answers."""
        event: APIGatewayProxyEvent = self._own.event
        return event

    @property
    def lambda_context(self) -> LambdaContext:  # type: ignore[override]
        """What Lambda told of this invocation."""
        context: LambdaContext = self._own.lambda_context
        return context

    @property
    def context(self) -> dict[str, Any]:
        """What Powertools notes of the route while it answers."""
        if not hasattr(self._own, "context"):
            self._own.context = {}
        noted: dict[str, Any] = self._own.context
        return noted

    @context.setter
    def context(self, value: dict[str, Any]) -> None:
        self._own.context = value
