"""What the service tells of itself: its providers, its tools, its health."""

from __future__ import annotations

import time
from typing import Any

from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from functions.dispatcher.wiring.search import FAN_OUT, provider_states
from shared.rate_limits.limits import Limits
from shared.rate_limits.state import ProviderState, public_status
from shared.tools import registry

router = APIGatewayRouter()
SHOWN = (
    "title", "manual", "filters", "sorts", "disciplines", "needs_key", "has_key", "page_limit", "requests_per_second",
    "concurrency", "timeout_s",
)  # fmt: skip


@router.get("/v1/providers")
def providers() -> dict[str, Any]:
    """Each provider's abilities, as its own function declares them, its circuit, and what is left of its budget."""
    declared = FAN_OUT.describe()
    states = provider_states(declared)
    return {"providers": {name: _shown(told_by, states.get(name)) for name, told_by in sorted(declared.items())}}


def _shown(declaration: dict[str, Any], state: ProviderState | None) -> dict[str, Any]:
    if "error" in declaration:
        return {"available": False, **declaration}
    now = (
        public_status(state, Limits(**declaration["limits"]), time.time())
        if state
        else {"circuit": None, "budget": None}
    )
    has_key = declaration["has_key"] or not declaration["needs_key"]
    available = has_key and (now["circuit"] is None or now["circuit"]["state"] != "open")
    return {"available": available, **{name: declaration[name] for name in SHOWN}, **now}


@router.get("/v1/tools")
def tools() -> dict[str, Any]:
    """The registry of tools, each with its category and JSON Schema."""
    return {"tools": registry()}


@router.get("/health")
def health() -> dict[str, str]:
    """That the front door is open; asks nobody."""
    return {"status": "ok"}
