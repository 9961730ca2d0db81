"""Machines whose passages are requested, and the requests."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from infra.local.gateway import rest_event
from infra.local.machine import Machine, machine
from infra.local.sandbox.server import Sandbox
from tests.published_schemas import validate

QUESTION = "What happened to the median error when templates were removed?"


@contextmanager
def new_machine(**faults: Any) -> Iterator[Machine]:
    """Run everything, with these faults of providers; one machine at a time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CONTACT_EMAIL", "dev@university.example")
        for name in ("ARXIV_TEXT", "PMC_TEXT"):
            patch.setenv(f"{name}_REQUESTS_PER_SECOND", "50")
        with machine(sandbox=Sandbox(faults=faults)) as running:
            yield running


def send(local: Machine, method: str, path: str, body: dict[str, Any] | None = None) -> tuple[int, dict[str, Any]]:
    """Send a request; return the status and the answer."""
    event = rest_event(method, path, body=None if body is None else json.dumps(body))
    answer = local.invoke("dispatcher", event)
    return answer["statusCode"], json.loads(answer["body"])


def passages(local: Machine, **body: Any) -> dict[str, Any]:
    """Return the answer with passages, which must be good."""
    status, answer = send(local, "POST", "/v1/passages", body)
    assert status == 200, answer
    validate("/v1/passages", "POST", 200, answer)
    return answer
