"""Powertools' resolver for a process that answers several events at the same time, as `make serve` and tests do.

Powertools keeps the current event in a class variable, which threads would share. Lambda gives an event the whole
process, so the deployed function uses Powertools' own class; `infra.local.machine` puts this one in its place.
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

    @property
    def current_event(self) -> APIGatewayProxyEvent:  # type: ignore[override]
        """The event that this thread answers."""
        event: APIGatewayProxyEvent = self._own.event
        return event

    @property
    def lambda_context(self) -> LambdaContext:  # type: ignore[override]
        """The Lambda context of this invocation."""
        context: LambdaContext = self._own.lambda_context
        return context

    @property
    def context(self) -> dict[str, Any]:
        """Powertools' routing context of this event."""
        if not hasattr(self._own, "context"):
            self._own.context = {}
        context: dict[str, Any] = self._own.context
        return context

    @context.setter
    def context(self, value: dict[str, Any]) -> None:
        self._own.context = value
