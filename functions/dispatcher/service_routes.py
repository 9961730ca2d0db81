"""What the service tells of itself: its providers, its tools, its health."""

from __future__ import annotations

from typing import Any

from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from functions.dispatcher.world import FAN_OUT
from shared.tools import registry

router = APIGatewayRouter()
SHOWN = (
    "title", "manual", "filters", "sorts", "disciplines", "needs_key", "has_key", "page_limit", "requests_per_second",
    "concurrency", "timeout_s",
)  # fmt: skip


@router.get("/v1/providers")
def providers() -> dict[str, Any]:
    """Each provider's abilities and limits, as its own function declares them."""
    told = FAN_OUT.describe()
    return {"providers": {name: _shown(declaration) for name, declaration in sorted(told.items())}}


def _shown(declaration: dict[str, Any]) -> dict[str, Any]:
    if "error" in declaration:
        return {"available": False, **declaration}
    available = declaration["has_key"] or not declaration["needs_key"]
    return {"available": available, **{name: declaration[name] for name in SHOWN}}


@router.get("/v1/tools")
def tools() -> dict[str, Any]:
    """The registry of tools, each with its category and JSON Schema."""
    return {"tools": registry()}


@router.get("/health")
def health() -> dict[str, str]:
    """That the front door is open; asks nobody."""
    return {"status": "ok"}
