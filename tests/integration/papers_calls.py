"""Calls of the routes about known papers, as a caller makes them, and what they cost upstream."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from infra.local.gateway import rest_event
from infra.local.machine import Machine


def call(local: Machine, method: str, path: str, body: Any = None, **query: Any) -> tuple[int, Any]:
    """The status and the JSON of an answer."""
    parameters = {name: [str(value)] for name, value in query.items()}
    text = None if body is None else json.dumps(body)
    response = local.invoke("dispatcher", rest_event(method, path, body=text, query=parameters))
    return response["statusCode"], json.loads(response["body"])


def fetch(local: Machine, method: str, path: str, body: Any = None, **query: Any) -> Any:
    """The JSON of an answer that must be good."""
    status, answer = call(local, method, path, body, **query)
    assert status == 200, answer
    return answer


def upstream(local: Machine) -> Counter[str]:
    """How many requests each service has received."""
    assert local.sandbox is not None
    return Counter(seen.provider for seen in local.sandbox.requests)
