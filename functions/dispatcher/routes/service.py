"""The routes about what the service has: its providers and its tools."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, cast

from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from functions.dispatcher.wiring.legs import DISCIPLINES, LEGS
from shared.rate_limits.limits import limits_from_json
from shared.rate_limits.state import ProviderState, public_status
from shared.tools import registry

if TYPE_CHECKING:
    from shared.answers.service import Provider, ProvidersAnswer, SilentProvider, ToolsAnswer
    from shared.json_types import JsonObject

router = APIGatewayRouter()
SHOWN = (
    "title", "manual", "filters", "sorts", "disciplines", "needs_key", "has_key", "page_limit", "requests_per_second",
    "concurrency", "timeout_s",
)  # fmt: skip


@router.get("/v1/providers")
def providers() -> ProvidersAnswer:
    """Each provider's capabilities, as its Lambda declares them, its circuit, and what is left of its rate limits."""
    declared = LEGS.fan_out.describe()
    states = LEGS.states.read(declared)
    shown = {name: _shown(spec, states.get(name), off=name in LEGS.states.off) for name, spec in declared.items()}
    return {"providers": dict(sorted(shown.items()))}


def _shown(declaration: JsonObject, state: ProviderState | None, *, off: bool) -> Provider | SilentProvider:
    if "error" in declaration:
        return {"available": False, "error": str(declaration["error"])}
    status = (
        public_status(state, limits_from_json(declaration), time.time())
        if state
        else {"circuit": None, "budget": None, "last_hour": None}
    )
    has_key = bool(declaration["has_key"]) or not declaration["needs_key"]
    available = not off and has_key and (status["circuit"] is None or status["circuit"]["state"] != "open")
    shown = {"available": available, **{name: declaration[name] for name in SHOWN}, **status}
    return cast("Provider", shown)  # as the provider's Lambda declared it


@router.get("/v1/tools")
def tools() -> ToolsAnswer:
    """The registry of tools, each with its category and JSON Schema."""
    return {"tools": registry(DISCIPLINES)}
