"""Makes the calls that an answer offers, through the door by which it came."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from infra.local.machine import Machine
from tests.integration.mcp_calls import called
from tests.integration.papers_calls import call
from tests.published_schemas import document


@cache
def routes() -> dict[str, tuple[str, str]]:
    """The method and path of each operation that takes a body, by its `operationId` in the published document."""
    return {
        operation["operationId"]: (method.upper(), path)
        for path, methods in document()["paths"].items()
        for method, operation in methods.items()
        if method == "post"
    }


def made_over_http(local: Machine, action: Mapping[str, Any]) -> tuple[int, Any]:
    """The status and the answer of an action, made as it stands."""
    return call(local, *routes()[action["tool"]], action["arguments"])


def made_over_mcp(local: Machine, action: Mapping[str, Any]) -> Any:
    """The content of an action's answer, which must be good."""
    return called(local, action["tool"], **action["arguments"])
